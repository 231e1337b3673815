//! Colours of CSS and of old attributes.

use cssparser::Token;
use cssparser::color::{parse_hash_color, parse_named_color};

/// What a text or its ground is painted with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Color {
    /// Red, green and blue.
    Colour([u8; 3]),
    /// Nothing: what is behind shines through.
    Clear,
    /// A picture, a variable, or what is not understood.
    Unknown,
}

impl Color {
    /// The colour of paper.
    pub(super) const WHITE: Self = Self::Colour([255; 3]);

    /// Whether letters of this paint cannot be told from a ground of that.
    pub(super) fn is_lost_on(self, ground: Self) -> bool {
        match (self, ground) {
            (Self::Colour(letters), Self::Colour(ground)) => {
                letters.iter().zip(ground).all(|(one, other)| one.abs_diff(other) <= 5)
            }
            (Self::Clear, ground) => ground != Self::Unknown,
            _ => false,
        }
    }
}

/// The paint of a declaration's value: its first colour. A picture may cover any.
pub(super) fn paint_of(value: &[Token<'_>]) -> Color {
    let mut paint = None;
    for (place, token) in value.iter().enumerate() {
        let found = match token {
            Token::Hash(digits) | Token::IDHash(digits) => hash(digits),
            Token::Ident(word) if matches!(&**word, "transparent" | "none") => Some(Color::Clear),
            Token::Ident(word) => parse_named_color(word)
                .ok()
                .map(|(red, green, blue)| Color::Colour([red, green, blue])),
            Token::Function(name) if matches!(&**name, "rgb" | "rgba") => {
                return function(&value[place + 1..]);
            }
            Token::UnquotedUrl(_) | Token::Function(_) => return Color::Unknown,
            _ => None,
        };
        paint = paint.or(found);
    }
    paint.unwrap_or(Color::Unknown)
}

/// The paint of an attribute such as `bgcolor`: a name, or digits with or without `#`.
pub(super) fn paint_of_attribute(value: &str) -> Color {
    let value = value.trim();
    match parse_named_color(value) {
        Ok((red, green, blue)) => Color::Colour([red, green, blue]),
        Err(()) => hash(value.trim_start_matches('#')).unwrap_or(Color::Unknown),
    }
}

fn hash(digits: &str) -> Option<Color> {
    let (red, green, blue, opacity) = parse_hash_color(digits.as_bytes()).ok()?;
    Some(with_opacity([red, green, blue], opacity))
}

fn with_opacity(colour: [u8; 3], opacity: f32) -> Color {
    if opacity < 0.02 {
        Color::Clear
    } else if opacity > 0.98 {
        Color::Colour(colour)
    } else {
        Color::Unknown
    }
}

/// The paint of `rgb()`, from its arguments on.
fn function(arguments: &[Token<'_>]) -> Color {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to what fits, and saturating"
    )]
    let byte = |value: f32| value.clamp(0.0, 255.0).round() as u8;
    let numbers: Vec<(f32, bool)> = arguments
        .iter()
        .filter_map(|token| match token {
            Token::Number { value, .. } => Some((*value, false)),
            Token::Percentage { unit_value, .. } => Some((*unit_value, true)),
            _ => None,
        })
        .collect();
    let channel =
        |(value, is_share): (f32, bool)| byte(if is_share { value * 255.0 } else { value });
    match numbers[..] {
        [red, green, blue, ref rest @ ..] => {
            let opacity = rest.first().map_or(1.0, |(opacity, _)| *opacity);
            with_opacity([channel(red), channel(green), channel(blue)], opacity)
        }
        _ => Color::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use cssparser::Parser;

    use super::*;
    use crate::text::formats::html::computed_style::{ComputedStyle, Property, Value, Weight};

    fn declared(value: &str) -> Option<Value> {
        let style = format!("background: {value}");
        ComputedStyle::read(&mut Parser::new(&style), Weight::default()).get(Property::Background)
    }

    #[test]
    fn paints_are_read_as_they_are_written() {
        #[rustfmt::skip]
        let table = [
            ("a name",            "white",                         Color::WHITE),
            ("in capitals",       "WHITE",                         Color::WHITE),
            ("digits",            "#ffffff",                       Color::WHITE),
            ("short digits",      "#08f",                          Color::Colour([0, 0x88, 0xff])),
            ("with opacity",      "#fff0",                         Color::Clear),
            ("numbers",           "rgb(254, 254, 255)",            Color::Colour([254, 254, 255])),
            ("without commas",    "rgb(0 128 255 / 1)",            Color::Colour([0, 128, 255])),
            ("shares",            "rgb(100%, 0%, 20%)",            Color::Colour([255, 0, 51])),
            ("nearly nothing",    "rgba(0, 0, 0, 0.01)",           Color::Clear),
            ("half",              "rgba(0, 0, 0, 0.5)",            Color::Unknown),
            ("nothing",           "transparent",                   Color::Clear),
            ("a picture",         "#fff url(a.png)",               Color::Unknown),
            ("a quoted picture",  "#fff url('a.png')",             Color::Unknown),
            ("a gradient",        "linear-gradient(#fff, #000)",   Color::Unknown),
            ("a variable",        "var(--paper)",                  Color::Unknown),
            ("after a word",      "no-repeat #fff",                Color::WHITE),
            ("nothing at all",    "",                              Color::Unknown),
        ];
        for (why, value, want) in table {
            assert_eq!(declared(value), Some(Value::Color(want)), "{why}");
        }
        for (attribute, want) in [
            ("white", Color::WHITE),
            (" #FFFFFF ", Color::WHITE),
            ("ffffff", Color::WHITE),
            ("nowhere", Color::Unknown),
        ] {
            assert_eq!(paint_of_attribute(attribute), want, "{attribute}");
        }
    }

    #[test]
    fn letters_are_lost_on_their_own_colour() {
        let near = Color::Colour([250; 3]);
        let far = Color::Colour([249, 255, 255]);
        #[rustfmt::skip]
        let table = [
            ("white on white",         Color::WHITE,   Color::WHITE,       true),
            ("nearly",                 near,           Color::WHITE,       true),
            ("a little darker",        far,            Color::WHITE,       false),
            ("clear on white",         Color::Clear,   Color::WHITE,       true),
            ("clear over a picture",   Color::Clear,   Color::Unknown,     false),
            ("white on what not",      Color::WHITE,   Color::Unknown,     false),
            ("what not on white",      Color::Unknown, Color::WHITE,       false),
        ];
        for (why, letters, ground, want) in table {
            assert_eq!(letters.is_lost_on(ground), want, "{why}");
        }
    }
}
