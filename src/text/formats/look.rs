//! How a run of text looks, as far as that decides whether its reader sees it.
//!
//! Goes in: what styles and the run itself say, each perhaps nothing. Comes out: whether the
//! run is seen. It knows nothing of the documents that say so.

/// The least of each colour, of 255, in what passes for white.
const NEARLY_WHITE: u8 = 0xf0;

/// What is said of a run of text; `None` is what nothing is said of.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Look {
    /// Whether it is marked as hidden.
    pub(super) hidden: Option<bool>,
    /// Whether its letters are white, or nearly.
    pub(super) white: Option<bool>,
    /// Whether its letters are of 1 point or less.
    pub(super) tiny: Option<bool>,
    /// What its letters stand on.
    pub(super) ground: Option<Ground>,
}

/// What letters stand on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Ground {
    /// White, or nearly: white letters are not seen.
    White,
    /// Any other colour, or one that is not known.
    Other,
}

impl Look {
    /// What this says, and where it says nothing what the one below says.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            hidden: self.hidden.or(below.hidden),
            white: self.white.or(below.white),
            tiny: self.tiny.or(below.tiny),
            ground: self.ground.or(below.ground),
        }
    }

    /// A look that says what letters stand on, and nothing else.
    pub(super) fn on(ground: Option<Ground>) -> Self {
        Self { ground, ..Self::default() }
    }

    /// Whether a reader sees the run; where no ground is named, the page is white.
    pub(super) fn is_seen(self) -> bool {
        let is_white = self.white == Some(true) && self.ground != Some(Ground::Other);
        self.hidden != Some(true) && self.tiny != Some(true) && !is_white
    }
}

impl Ground {
    /// The ground of a colour.
    pub(super) fn of(is_white: bool) -> Self {
        if is_white { Self::White } else { Self::Other }
    }
}

/// Whether a colour is white, or nearly: `FFFFFF`, `#f8f8f8`; none where it is no such number.
pub(super) fn is_white(hex: &str) -> Option<bool> {
    let hex = hex.strip_prefix('#').unwrap_or(hex);
    let is_hex = hex.len() == 6 && !hex.starts_with('+');
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(is_white_rgb([red, green, blue]))
}

/// Whether a colour is white, or nearly.
pub(super) fn is_white_rgb(colour: [u8; 3]) -> bool {
    colour.iter().all(|part| *part >= NEARLY_WHITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_white_or_nearly() {
        #[rustfmt::skip]
        let table = [
            ("white",             "FFFFFF",  Some(true)),
            ("small letters",     "#ffffff", Some(true)),
            ("the least",         "f0f0f0",  Some(true)),
            ("a little less red", "efffff",  Some(false)),
            ("and blue",          "ffffef",  Some(false)),
            ("yellow",            "ffff00",  Some(false)),
            ("black",             "000000",  Some(false)),
            ("no colour",         "auto",    None),
            ("too short",         "fff",     None),
            ("a sign",            "+fffff",  None),
            ("nothing",           "",        None),
        ];
        for (why, colour, want) in table {
            assert_eq!(is_white(colour), want, "{why}");
        }
    }

    #[test]
    fn a_run_is_seen_unless_something_hides_it() {
        let (yes, no) = (Some(true), Some(false));
        let look = |hidden, white, tiny, ground| Look { hidden, white, tiny, ground };
        #[rustfmt::skip]
        let table = [
            ("nothing said",       look(None, None, None, None),                 true),
            ("hidden",             look(yes,  None, None, None),                 false),
            ("not hidden",         look(no,   None, None, None),                 true),
            ("white on the page",  look(None, yes,  None, None),                 false),
            ("white on white",     look(None, yes,  None, Some(Ground::White)),  false),
            ("white on blue",      look(None, yes,  None, Some(Ground::Other)),  true),
            ("black on white",     look(None, no,   None, Some(Ground::White)),  true),
            ("tiny",               look(None, None, yes,  None),                 false),
            ("tiny, on blue",      look(None, None, yes,  Some(Ground::Other)),  false),
        ];
        for (why, look, want) in table {
            assert_eq!(look.is_seen(), want, "{why}");
        }
    }

    #[test]
    fn the_nearer_word_holds() {
        let run = Look { hidden: Some(false), ..Look::default() };
        let style = Look { hidden: Some(true), white: Some(true), ground: None, tiny: Some(false) };
        let want = Look { hidden: Some(false), ..style };
        assert_eq!(run.over(style), want);
        assert_eq!(style.over(run), style);
    }
}
