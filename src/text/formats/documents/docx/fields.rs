//! What a field of a Word document shows that has no stored result: text from its code or from the
//! data of a form (ECMA-376, part 1, 17.16).

use std::collections::BTreeSet;

use super::super::ExtractError;
use super::super::symbol_font::of_symbol_font;
use super::super::xml::{Event, XmlReader};
use super::KIND;

#[derive(Default)]
pub(super) struct Field {
    pub(super) has_result: bool,
    pub(super) code: String,
    /// The entries of a list in a form, and the number of the chosen one.
    pub(super) entries: Vec<String>,
    pub(super) chosen: usize,
}

impl Field {
    /// Returns the text that the field shows without a result; empty for most fields.
    pub(super) fn shown(&self) -> String {
        let code = self.code.trim();
        let (name, arguments) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
        let behind_first = || arguments.trim_start().split_once(char::is_whitespace);
        match &*name.to_ascii_uppercase() {
            "FORMDROPDOWN" => self.entries.get(self.chosen).cloned().unwrap_or_default(),
            "MACROBUTTON" | "GOTOBUTTON" => {
                behind_first().map_or("", |(_, text)| text.trim()).to_owned()
            }
            "SYMBOL" => symbol(arguments).map_or_else(String::new, String::from),
            "EQ" => of_equation(arguments),
            _ => String::new(),
        }
    }
}

/// Returns the numbers, from 0, of the fields of a part that begin but never end. Word shows their
/// codes as text.
///
/// # Errors
///
/// Returns an [`ExtractError`] if a part with such fields is not well formed.
pub(super) fn unended(xml: &str, part: &str) -> Result<BTreeSet<usize>, ExtractError> {
    let mark = b"fldCharType=";
    let turns = memchr::memmem::find_iter(xml.as_bytes(), mark).map(|at| &xml[at + mark.len()..]);
    let is = |turn: &str, rest: &str| rest.get(1..).is_some_and(|rest| rest.starts_with(turn));
    let open = turns.map(|rest| i64::from(is("begin", rest)) - i64::from(is("end", rest)));
    if open.sum::<i64>() <= 0 {
        return Ok(BTreeSet::new());
    }
    let (mut begun, mut open) = (0.., Vec::new());
    let mut reader = XmlReader::new(xml, KIND, part);
    while let Some(event) = reader.next()? {
        let Event::Open(element) = event else { continue };
        match element.attribute("fldCharType").as_deref() {
            Some("begin") => open.extend(begun.next()),
            Some("end") => drop(open.pop()),
            _ => {}
        }
    }
    Ok(open.into_iter().collect())
}

/// Returns the character of a field `SYMBOL 97 \f Symbol`.
fn symbol(arguments: &str) -> Option<char> {
    let number = arguments.split_whitespace().next()?;
    let code = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    let mut words = arguments.split_whitespace().map(|word| word.trim_matches('"'));
    let is_symbol_font = words.any(|word| word.eq_ignore_ascii_case("symbol"));
    let code = if is_symbol_font && code < 0x100 { code + 0xf000 } else { code };
    let character = char::from_u32(code).filter(|character| !character.is_control())?;
    Some(if is_symbol_font { of_symbol_font(character) } else { character })
}

/// Returns the arguments of an equation without those that are raised or lowered: the reading of a
/// phonetic guide does not count, as in other documents.
fn of_equation(code: &str) -> String {
    let mut shown = String::new();
    let mut letters = code.chars().peekable();
    // For each open parenthesis, whether what is in it is raised; and so for the next one.
    let (mut raised, mut is_next_raised) = (Vec::new(), false);
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.next_if_eq(&'*').is_some() => {
                while letters.next_if(|it| it.is_whitespace()).is_some() {}
                if letters.next_if_eq(&'"').is_some() {
                    letters.by_ref().find(|it| *it == '"');
                }
                while letters.next_if(|it| !it.is_whitespace() && *it != '\\').is_some() {}
            }
            '\\' => {
                let mut name = String::new();
                while let Some(it) = letters.next_if(char::is_ascii_alphabetic) {
                    name.push(it.to_ascii_lowercase());
                }
                if name.is_empty() {
                    shown.extend(letters.next()); // an escaped comma or parenthesis
                }
                is_next_raised |= matches!(&*name, "up" | "do");
                while letters.next_if(|it| it.is_ascii_digit() || *it == ' ').is_some() {}
            }
            '(' => raised.push(std::mem::take(&mut is_next_raised)),
            ')' => drop(raised.pop()),
            ',' | ';' => {}
            letter if !raised.is_empty() && !raised.contains(&true) => shown.push(letter),
            _ => {}
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_shows_its_code_where_it_has_no_result() {
        let entries = || vec!["one".to_owned(), "two".to_owned()];
        #[rustfmt::skip]
        let table = [
            ("nothing",          "",                                       ""),
            ("a page number",    " PAGE ",                                 ""),
            ("a list",           " FORMDROPDOWN ",                         "two"),
            ("a button",         " MACROBUTTON Run  press here ",          "press here"),
            ("a place to go to", "gotobutton b2 see below",                "see below"),
            ("without a text",   "MACROBUTTON Run",                        ""),
            ("a symbol",         "SYMBOL 97 \\f \"Symbol\" \\s 12",         "α"),
            ("of no font",       "SYMBOL 0x41",                            "A"),
            ("a control",        "SYMBOL 7",                               ""),
            ("a phonetic guide", "EQ \\* jc2 \\* \"Font:MS Mincho\" \\* hps10 \\o\\ad(\\s\\up 9(かな),漢字)", "漢字"),
            ("an enclosed sign", "eq \\o\\ac(○,印)",                         "○印"),
            ("a fraction",       "EQ \\f(1,2 a\\,b)",                       "12 a,b"),
            ("no end",           "EQ \\o(a",                                "a"),
        ];
        for (why, code, want) in table {
            let field =
                Field { code: code.to_owned(), entries: entries(), chosen: 1, ..Field::default() };
            assert_eq!(field.shown(), want, "{why}");
        }
        let none = Field {
            code: "FORMDROPDOWN".to_owned(),
            chosen: 9,
            entries: entries(),
            ..Field::default()
        };
        assert_eq!(none.shown(), "");
    }
}
