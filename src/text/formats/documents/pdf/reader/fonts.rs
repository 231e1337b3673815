//! What the letters of a font are by the font itself, since the `/ToUnicode` that a PDF gives for it
//! may be missing or lie.
//!
//! Input: the fonts of a PDF, and the glyphs that are drawn. Output: the letters of these, by the
//! table `cmap` of their font, or by the encoding of a font of single bytes.

use std::collections::{BTreeSet, HashMap};

use hayro_interpret::font::OutlineGlyph;
use hayro_interpret::hayro_cmap::{BfString, CMap};
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use unicode_normalization::UnicodeNormalization;

/// The smallest number of letters that the `/ToUnicode` of a font of single bytes gives as others
/// than its encoding: that of one honest font may have a few errors.
const MIN_OTHERS: usize = 3;

/// The bit of the flags of a font whose codes are not those of letters.
const SYMBOLIC: i32 = 1 << 2;

/// What the fonts of a PDF say of their letters.
#[derive(Default)]
pub(super) struct Fonts {
    /// The letters of the glyphs of a font program, by its key.
    programs: HashMap<u128, HashMap<u32, BTreeSet<char>>>,
    /// The letter of a code that is drawn, by the code and the letter that `/ToUnicode` gives.
    others: HashMap<(u32, char), char>,
}

impl Fonts {
    /// Returns what the fonts of single bytes of a PDF say.
    pub(super) fn new(pdf: &Pdf) -> Self {
        let mut others = HashMap::new();
        for object in pdf.objects() {
            let Object::Dict(font) = object else { continue };
            if let Some(of_font) = otherwise_encoded(&font)
                && of_font.len() >= MIN_OTHERS
            {
                others.extend(of_font);
            }
        }
        Self { programs: HashMap::new(), others }
    }

    /// Reads the letters of the font program of a glyph, and returns its key; `None` if the PDF does
    /// not embed it, or in a format that is not read here.
    pub(super) fn program(&mut self, glyph: &OutlineGlyph) -> Option<u128> {
        let font = glyph.font_data()?;
        self.programs.entry(font.cache_key).or_insert_with(|| {
            let font = FontRef::new((*font.data).as_ref());
            letters_of(font.iter().flat_map(|font| font.charmap().mappings()))
        });
        Some(font.cache_key)
    }

    /// Returns a letter of a glyph by its font, if that is known and `/ToUnicode`, which gives
    /// `given`, does not give one of them. `program` is the key of the [program](Self::program).
    pub(super) fn otherwise(
        &self,
        glyph: &OutlineGlyph,
        program: Option<u128>,
        given: Option<&str>,
    ) -> Option<char> {
        let mut letters = given.unwrap_or_default().chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && let Some(shown) = self.others.get(&(glyph.char_code(), letter))
        {
            return Some(*shown);
        }
        let letters = self.programs.get(&program?)?.get(&glyph.glyph_id().to_u32())?;
        let first = *letters.first()?;
        let Some(given) = given.map(folded) else { return Some(first) };
        let is_letter = given.chars().all(char::is_alphanumeric) && !given.is_empty();
        let is_given =
            letters.iter().any(|letter| folded(letter.encode_utf8(&mut [0; 4])) == given);
        (is_letter && !is_given).then_some(first)
    }
}

/// Returns the letters and digits of each glyph; empty if the characters follow each other without
/// a gap, as those of a font whose glyphs were numbered anew.
fn letters_of(mappings: impl Iterator<Item = (u32, GlyphId)>) -> HashMap<u32, BTreeSet<char>> {
    let mappings: Vec<(u32, GlyphId)> = mappings.collect();
    let characters = || mappings.iter().map(|(character, _)| *character);
    let range = characters().min().zip(characters().max());
    let gaps = range.map_or(0, |(first, last)| (last - first) as usize + 1 - mappings.len());
    let mut letters: HashMap<u32, BTreeSet<char>> = HashMap::new();
    for (character, glyph) in mappings.into_iter().filter(|_| gaps > 0) {
        let letter = char::from_u32(character).filter(|it| it.is_alphanumeric());
        letters.entry(glyph.to_u32()).or_default().extend(letter);
    }
    letters
}

/// Returns letters in their usual form and in lower case.
fn folded(letters: &str) -> String {
    letters.nfkc().flat_map(char::to_lowercase).collect()
}

/// Returns the Latin letters of a font of single bytes of which `/ToUnicode` says that they are
/// others, by their codes and these others; `None` of any other font, and if the encoding is not
/// known.
fn otherwise_encoded(font: &Dict<'_>) -> Option<HashMap<(u32, char), char>> {
    let name = |of: &Dict<'_>, key: &[u8]| of.get::<Name<'_>>(key).map(|it| it.to_vec());
    let subtype = name(font, b"Subtype")?;
    if !matches!(&*subtype, b"Type1" | b"MMType1" | b"TrueType") {
        return None;
    }
    let to_unicode = font.get::<Stream<'_>>(b"ToUnicode")?.decoded_data().ok()?;
    let to_unicode = CMap::parse(&to_unicode, |_| None)?;
    let descriptor = font.get::<Dict<'_>>(b"FontDescriptor");
    let flags = descriptor.and_then(|it| it.get::<i32>(b"Flags")).unwrap_or_default();
    let encoding = font.get::<Dict<'_>>(b"Encoding");
    let base = encoding.as_ref().map_or(name(font, b"Encoding"), |it| name(it, b"BaseEncoding"));
    // In the encodings of Latin letters, those of ASCII have their codes.
    let is_ascii = base.is_some() && flags & SYMBOLIC == 0;
    let mut letters: HashMap<u32, char> = HashMap::new();
    if is_ascii {
        letters.extend((0..128_u8).map(|code| (u32::from(code), char::from(code))));
    }
    let mut code = 0;
    let differences = encoding.and_then(|it| it.get::<Array<'_>>(b"Differences"));
    for object in differences.iter().flat_map(Array::iter::<Object<'_>>) {
        match object {
            Object::Number(number) => code = u32::try_from(number.as_i64()).ok()?,
            Object::Name(name) => {
                match *name {
                    [letter] => letters.insert(code, char::from(letter)),
                    _ => letters.remove(&code),
                };
                code = code.checked_add(1)?;
            }
            _ => {}
        }
    }
    let others = letters.into_iter().filter(|(_, letter)| letter.is_ascii_alphabetic());
    let others = others.filter_map(|(code, letter)| {
        let BfString::Char(given) = to_unicode.lookup_bf_string(code)? else { return None };
        let is_other = given.is_alphabetic() && !given.eq_ignore_ascii_case(&letter);
        is_other.then_some(((code, given), letter))
    });
    Some(others.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_whose_glyphs_were_numbered_anew_says_nothing() {
        let letters = |characters: &[char]| {
            let glyphs = (1..).map(GlyphId::new);
            let letters = letters_of(characters.iter().map(|it| u32::from(*it)).zip(glyphs));
            let mut letters: Vec<(u32, Vec<char>)> =
                letters.into_iter().map(|(glyph, it)| (glyph, it.into_iter().collect())).collect();
            letters.sort_unstable();
            letters
        };
        assert_eq!(letters(&[]), []);
        assert_eq!(letters(&['a', 'b', 'c']), []);
        assert_eq!(letters(&['a', '-', 'c']), [(1, vec!['a']), (2, vec![]), (3, vec!['c'])]);
    }
}
