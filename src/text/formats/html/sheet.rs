//! The style sheets in a page → what they say of an element by its name, class or id.
//!
//! Goes in: the text of the `style` elements. Comes out: the looks of an element. Only
//! selectors of one element are understood: a name, a class, an id, or a name with either.
//! A rule with any other, or for some screens only, hides nothing; but what it shows is not
//! hidden, because some reader may see it.

use std::collections::BTreeMap;

use cssparser::{ParseError, Parser, Token};

use super::computed_style::{ComputedStyle, Rank, Weight};

/// The rules of a page.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// By selector: `p`, `.note`, `p.note`, `#top`, `p#top`, `*`.
    rules: BTreeMap<String, ComputedStyle>,
    /// How many were read.
    read: u32,
    /// Whether the page has more, which are not in it.
    unseen: bool,
}

/// When a rule holds.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Holds {
    AtTimes,
    Always,
}

impl Sheet {
    /// Adds the rules of one more sheet, which is for some media; for all where none is named.
    pub(super) fn add(&mut self, style: &str, media: &str) {
        let mut words = Parser::new(media);
        let words: Vec<_> = std::iter::from_fn(|| words.next().ok().cloned()).collect();
        if let Some(holds) = holds_for(&words) {
            self.add_rules(&mut Parser::new(style), holds);
        }
    }

    /// Tells that the page has rules which are not in it.
    pub(super) fn add_unseen(&mut self) {
        self.unseen = true;
    }

    /// Whether the rules are all that the page has.
    pub(super) fn is_whole(&self) -> bool {
        !self.unseen
    }

    /// What the rules say of an element.
    pub(super) fn looks(&self, name: &str, id: &str, classes: &str) -> ComputedStyle {
        let mut looks = ComputedStyle::default();
        if self.rules.is_empty() {
            return looks;
        }
        let mut join = |selector: &str| {
            if let Some(rule) = self.rules.get(selector) {
                looks.join(rule);
            }
        };
        join("*");
        join(name);
        for class in classes.split_ascii_whitespace() {
            join(&format!(".{class}"));
            join(&format!("{name}.{class}"));
        }
        if !id.is_empty() {
            join(&format!("#{id}"));
            join(&format!("{name}#{id}"));
        }
        looks
    }

    fn add_rules(&mut self, parser: &mut Parser<'_>, holds: Holds) {
        let mut prelude = Vec::new();
        while let Ok(token) = parser.next_including_whitespace().cloned() {
            match token {
                Token::CurlyBracketBlock => {
                    self.add_block(parser, &std::mem::take(&mut prelude), holds);
                }
                Token::Semicolon if at_keyword(&prelude).is_some() => {
                    self.unseen |= at_keyword(&prelude).as_deref() == Some("import");
                    prelude.clear();
                }
                Token::CDO | Token::CDC => {}
                Token::WhiteSpace(_) if prelude.is_empty() => {}
                token => prelude.push(token),
            }
        }
    }

    /// Adds the rule of a prelude, or of an at-rule, the rules in it.
    fn add_block(&mut self, parser: &mut Parser<'_>, prelude: &[Token<'_>], holds: Holds) {
        // Blocks in blocks beyond the parser's limit are no one's rules.
        let _: Result<(), ParseError<()>> = parser.parse_nested_block(|block| {
            if at_keyword(prelude).is_none() {
                self.add_rule(block, prelude, holds);
            } else if let Some(group) = holds_on_a_screen(prelude) {
                self.add_rules(block, holds.min(group));
            }
            Ok(())
        });
    }

    fn add_rule(&mut self, block: &mut Parser<'_>, prelude: &[Token<'_>], holds: Holds) {
        self.read = self.read.saturating_add(1);
        let looks = ComputedStyle::read(block, Weight { order: self.read, ..Weight::default() });
        if looks.is_empty() {
            return;
        }
        for selector in prelude.split(|token| *token == Token::Comma) {
            let selector = trim(selector);
            match simple(selector) {
                Some((key, rank)) if holds == Holds::Always => self.join(key, looks.ranked(rank)),
                _ => {
                    let looks = looks.ranked(Rank::AtTimes);
                    for key in keys(selector) {
                        self.join(key, looks);
                    }
                }
            }
        }
    }

    fn join(&mut self, key: String, looks: ComputedStyle) {
        if !looks.is_empty() {
            self.rules.entry(key).or_default().join(&looks);
        }
    }
}

/// The word of an at-rule, in small letters.
fn at_keyword(prelude: &[Token<'_>]) -> Option<String> {
    match prelude.first() {
        Some(Token::AtKeyword(word)) => Some(word.to_ascii_lowercase()),
        _ => None,
    }
}

/// When the rules hold that an at-rule groups; none where never on a screen.
fn holds_on_a_screen(prelude: &[Token<'_>]) -> Option<Holds> {
    match at_keyword(prelude).as_deref() {
        Some("media") => holds_for(trim(&prelude[1..])),
        _ => Some(Holds::AtTimes),
    }
}

/// When rules for some media hold; none where never on a screen.
fn holds_for(media: &[Token<'_>]) -> Option<Holds> {
    match media {
        [] => Some(Holds::Always),
        [Token::Ident(medium)] => match &*medium.to_ascii_lowercase() {
            "all" | "screen" => Some(Holds::Always),
            "print" | "speech" => None,
            _ => Some(Holds::AtTimes),
        },
        _ => Some(Holds::AtTimes),
    }
}

fn trim<'t, 's>(tokens: &'t [Token<'s>]) -> &'t [Token<'s>] {
    let is_seen = |token: &Token<'_>| !matches!(token, Token::WhiteSpace(_));
    match (tokens.iter().position(is_seen), tokens.iter().rposition(is_seen)) {
        (Some(start), Some(last)) => &tokens[start..=last],
        _ => &[],
    }
}

/// The key of a selector of one element, and its rank; none for all others.
fn simple(selector: &[Token<'_>]) -> Option<(String, Rank)> {
    let tag = |name: &str| name.to_ascii_lowercase();
    Some(match selector {
        [Token::Delim('*')] => ("*".to_owned(), Rank::Hint),
        [Token::Ident(name)] => (tag(name), Rank::Tag),
        [Token::Delim('.'), Token::Ident(class)] => (format!(".{class}"), Rank::Class),
        [Token::IDHash(id)] => (format!("#{id}"), Rank::Id),
        [Token::Ident(name), Token::Delim('.'), Token::Ident(class)] => {
            (format!("{}.{class}", tag(name)), Rank::TagAndClass)
        }
        [Token::Ident(name), Token::IDHash(id)] => (format!("{}#{id}", tag(name)), Rank::TagAndId),
        _ => return None,
    })
}

/// The keys of the elements that any other selector may be of: the classes and the id of its
/// last part, or its name where there is neither.
fn keys(selector: &[Token<'_>]) -> Vec<String> {
    let parts =
        |token: &Token<'_>| matches!(token, Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~'));
    let last = selector.rsplit(parts).next().unwrap_or_default();
    let mut keys: Vec<String> = last
        .windows(2)
        .filter_map(|pair| match pair {
            [Token::Delim('.'), Token::Ident(class)] => Some(format!(".{class}")),
            _ => None,
        })
        .chain(last.iter().filter_map(|token| match token {
            Token::IDHash(id) => Some(format!("#{id}")),
            _ => None,
        }))
        .collect();
    if keys.is_empty() {
        keys.push(match last.first() {
            Some(Token::Ident(name)) => name.to_ascii_lowercase(),
            _ => "*".to_owned(),
        });
    }
    keys
}

#[cfg(test)]
mod tests;
