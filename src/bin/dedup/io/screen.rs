//! How wide the answer may be, and how many lines are seen at a time.

use std::io;

/// The columns and lines where there is no terminal and nobody says how many.
const USUAL: [usize; 2] = [80, 24];

/// The columns and lines of the screen: as `COLUMNS` and `LINES` say, else those of the terminal
/// that the answer goes to.
pub(crate) fn size() -> [usize; 2] {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let of_terminal =
        terminal.map_or([0, 0], |(width, height)| [width.0, height.0].map(usize::from));
    let said = ["COLUMNS", "LINES"].map(|name| typed(std::env::var(name).ok().as_deref()));
    [0, 1].map(|at| said[at].or(Some(of_terminal[at]).filter(|it| *it > 0)).unwrap_or(USUAL[at]))
}

/// What `COLUMNS` or `LINES` says, where it says something.
fn typed(columns: Option<&str>) -> Option<usize> {
    columns?.trim().parse().ok().filter(|columns| *columns > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_a_number_above_zero() {
        #[rustfmt::skip]
        let table = [
            ("not set",   None,          None),
            ("a number",  Some("132"),   Some(132)),
            ("spaces",    Some(" 60 "),  Some(60)),
            ("nothing",   Some(""),      None),
            ("zero",      Some("0"),     None),
            ("no number", Some("wide"),  None),
            ("negative",  Some("-80"),   None),
            ("too many",  Some("99999999999999999999"), None),
        ];
        for (why, columns, want) in table {
            assert_eq!(typed(columns), want, "{why}");
        }
    }
}
