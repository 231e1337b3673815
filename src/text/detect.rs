//! In which encoding bytes are that say nothing of it and are not UTF-8.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs as whatwg;
use unicode_script::{Script, UnicodeScript};

use super::decode::{BadByte, decode};
use super::encoding::{Encoding, Form};

/// The bytes of a text that are looked at to tell UTF-16; a multiple of 4.
const LOOKED_AT: usize = 1 << 16;

/// The control character that terminals know, and encodings that switch between sets.
pub(super) const ESCAPE: u8 = 0x1b;

/// What switches to Japanese in ISO-2022-JP: to the sets of 1978 and of 1983, and to katakana of
/// half width. Terminals are sent nothing of the kind.
const TO_JAPANESE: [&[u8]; 3] = [b"\x1b$@", b"\x1b$B", b"\x1b(I"];

/// Whether the first bytes have too many control characters for UTF-8, so that they must
/// be looked at: UTF-16 without a NUL has them where it is Russian without a space.
pub(super) fn begins_with_controls(bytes: &[u8]) -> bool {
    let first = &bytes[..bytes.len().min(64)];
    first.iter().filter(|byte| is_control(**byte)).count() * 4 > first.len()
}

/// The encoding of bytes without a byte order mark that are not UTF-8, hold a NUL or an
/// [escape](ESCAPE), or [begin with controls](begins_with_controls). An error where no encoding has such bytes
/// in a text: the first NUL or control character.
///
/// UTF-32 and UTF-16 are told by what their decoding gives, UTF-8 that is damaged by what
/// is sound of it; what is left is for chardetng.
pub(super) fn detect(bytes: &[u8]) -> Result<Encoding, BadByte> {
    let bad = |offset: usize| BadByte { offset, byte: bytes[offset] };
    if let Some(nul) = memchr::memchr(0, bytes) {
        let wide = if is_utf_8_but_for_nuls(bytes) { None } else { utf_16_with_nul(bytes) };
        return utf_32(bytes).or(wide).ok_or(bad(nul));
    }
    if str::from_utf8(bytes).is_ok() {
        let wide = || begins_with_controls(bytes).then(|| utf_16_without_nul(bytes)).flatten();
        return Ok(iso_2022_jp(bytes).or_else(wide).unwrap_or(Encoding::UTF_8));
    }
    if is_damaged_utf_8(bytes) {
        return Ok(Encoding::UTF_8);
    }
    if let Some(control) = first_of_many_controls(bytes) {
        return utf_16_without_nul(bytes).ok_or(bad(control));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = Encoding(Form::Whatwg(detector.guess(None, Utf8Detection::Deny)));
    let is_sound = prose(bytes, guess).is_some();
    Ok(if is_sound { guess } else { utf_16_without_nul(bytes).unwrap_or(guess) })
}

/// Whether bytes are UTF-8 with a NUL here and there. UTF-16 may be valid UTF-8 as well,
/// but is a NUL every other byte for Latin letters, and a control character for others.
fn is_utf_8_but_for_nuls(bytes: &[u8]) -> bool {
    let nuls = memchr::memchr_iter(0, bytes).count();
    let controls = bytes.iter().filter(|byte| is_control(**byte)).count() - nuls;
    nuls * 4 < bytes.len() && controls * 10 < bytes.len() && str::from_utf8(bytes).is_ok()
}

/// Whether bytes are UTF-8 but for a few errors or a cut end: no other encoding makes
/// several characters of several bytes, and fewer errors, by chance.
fn is_damaged_utf_8(bytes: &[u8]) -> bool {
    let (mut sound, mut errors, mut cut_end) = (0, 0, 0);
    for chunk in bytes.utf8_chunks() {
        sound += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
        cut_end = chunk.invalid().len();
    }
    let only_cut = errors == 1 && cut_end > 0 && (cut_end > 1 || sound > 0);
    only_cut || sound >= 2 && sound >= errors
}

/// The first control character, where there are more than a text has: two, and one in a
/// hundred bytes.
fn first_of_many_controls(bytes: &[u8]) -> Option<usize> {
    let controls = bytes.iter().filter(|byte| is_control(**byte)).count();
    let many = controls >= 2 && controls > bytes.len() / 100;
    bytes.iter().position(|byte| many && is_control(*byte))
}

/// A control character other than white space and the escape of terminals.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f)
}

/// ISO-2022-JP, where bytes of ASCII switch to Japanese and all of them are allowed in it.
fn iso_2022_jp(bytes: &[u8]) -> Option<Encoding> {
    let has = |switch: &&[u8]| memchr::memmem::find(bytes, switch).is_some();
    if !bytes.is_ascii() || !TO_JAPANESE.iter().any(has) {
        return None;
    }
    let encoding = Encoding(Form::Whatwg(whatwg::ISO_2022_JP));
    let decoded = decode(bytes.to_vec(), encoding, false).ok()?;
    (!decoded.content.is_ascii()).then_some(encoding)
}

fn utf_32(bytes: &[u8]) -> Option<Encoding> {
    let orders = [Form::Utf32Le, Form::Utf32Be].map(Encoding);
    orders.into_iter().find(|&order| prose(bytes, order).is_some())
}

/// Where there are NULs, the byte order that gives more ASCII: spaces and line ends.
fn utf_16_with_nul(bytes: &[u8]) -> Option<Encoding> {
    let [le, be] = utf_16_orders(bytes);
    match (le.1, be.1) {
        (Some(le_prose), Some(be_prose)) => {
            Some(if le_prose.ascii >= be_prose.ascii { le.0 } else { be.0 })
        }
        (Some(_), None) => Some(le.0),
        (None, Some(_)) => Some(be.0),
        (None, None) => None,
    }
}

/// Without NULs there is no space and no line end. Then only one byte order may give
/// prose, and not in Hangul, which Korean parts by spaces and Chinese of other encodings
/// is taken for.
fn utf_16_without_nul(bytes: &[u8]) -> Option<Encoding> {
    match utf_16_orders(bytes) {
        [(order, Some(prose)), (_, None)] | [(_, None), (order, Some(prose))] => {
            (prose.script != Script::Hangul).then_some(order)
        }
        _ => None,
    }
}

fn utf_16_orders(bytes: &[u8]) -> [(Encoding, Option<Prose>); 2] {
    [whatwg::UTF_16LE, whatwg::UTF_16BE].map(|order| {
        let order = Encoding(Form::Whatwg(order));
        (order, prose(bytes, order))
    })
}

/// What is known of bytes that decode to prose.
struct Prose {
    /// The script of most letters; Common where there is none.
    script: Script,
    ascii: usize,
}

/// Whether bytes, which must be whole units, decode to prose: nine in ten of the first
/// characters are letters of one way of writing, of Latin, ASCII or the punctuation of
/// either, and at most one in a hundred is none at all.
fn prose(bytes: &[u8], encoding: Encoding) -> Option<Prose> {
    if !bytes.len().is_multiple_of(encoding.unit()) {
        return None;
    }
    let decoded = decode(bytes[..bytes.len().min(LOOKED_AT)].to_vec(), encoding, true).ok()?;
    let mut scripts: Vec<(Script, usize)> = vec![(Script::Common, 0)];
    let (mut ascii, mut ordinary, mut strange, mut all) = (0, 0, 0, 0);
    for character in decoded.content.chars() {
        all += 1;
        match character {
            '\0' => return None,
            '\u{3400}'..='\u{4dbf}' | char::REPLACEMENT_CHARACTER => strange += 1,
            _ if u8::try_from(character).is_ok_and(is_control) => strange += 1,
            _ if character.is_ascii() => ascii += 1,
            '\u{a0}'..='\u{bf}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{205e}'
            | '\u{3000}'..='\u{303f}'
            | '\u{ff00}'..='\u{ffef}' => ordinary += 1,
            _ => match way_of_writing(character.script()) {
                Script::Latin | Script::Inherited => ordinary += 1,
                Script::Unknown => strange += 1,
                Script::Common => {}
                script => match scripts.iter_mut().find(|(known, _)| *known == script) {
                    Some((_, letters)) => *letters += 1,
                    None => scripts.push((script, 1)),
                },
            },
        }
    }
    let (script, letters) = scripts.into_iter().max_by_key(|(_, letters)| *letters)?;
    let is_prose = all > 0 && strange * 100 <= all && (ascii + ordinary + letters) * 10 >= all * 9;
    is_prose.then_some(Prose { script, ascii })
}

/// Chinese and Japanese are written in several scripts.
fn way_of_writing(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana | Script::Bopomofo => Script::Han,
        script => script,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_of_an_old_encoding_is_not_hangul_in_utf_16() {
        let (bytes, ..) = whatwg::GBK.encode("中华人民共和国");
        assert_eq!(utf_16_without_nul(&bytes), None);
    }
}
