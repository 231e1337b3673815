//! Letters of the font Symbol, which Office stores as private-use characters.

/// The capital and the small letters of the font, in the order of A to Z (Adobe, Symbol Encoding to
/// Unicode).
const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

/// Returns the letter or digit that a private-use character of the font Symbol shows; any other
/// character itself.
pub(super) fn of_symbol_font(character: char) -> char {
    let byte = u32::from(character).checked_sub(0xf000).and_then(|byte| u8::try_from(byte).ok());
    let letter = |letters: &str, place: u8| letters.chars().nth(place.into());
    let shown = match byte {
        Some(byte @ b'0'..=b'9') => Some(char::from(byte)),
        Some(byte @ b'A'..=b'Z') => letter(CAPITALS, byte - b'A'),
        Some(byte @ b'a'..=b'z') => letter(SMALL, byte - b'a'),
        _ => None,
    };
    shown.unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_the_font_are_greek() {
        let shown = "\u{f061}\u{f06d}\u{f057}\u{f037}\u{f0b7}a\u{e061}";
        assert_eq!(shown.chars().map(of_symbol_font).collect::<String>(), "αμΩ7\u{f0b7}a\u{e061}");
        assert_eq!([CAPITALS, SMALL].map(|letters| letters.chars().count()), [26; 2]);
    }
}
