//! How wide the answer may be.

use std::io;

/// The columns where there is no terminal and nobody says how many.
const USUAL: usize = 80;

/// The columns of the answer: as `COLUMNS` says, else those of the terminal that it goes to.
pub(crate) fn width() -> usize {
    let terminal = || terminal_size::terminal_size_of(io::stdout());
    typed(std::env::var("COLUMNS").ok().as_deref())
        .or_else(|| terminal().map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0))
        .unwrap_or(USUAL)
}

/// What `COLUMNS` says, where it says something.
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
