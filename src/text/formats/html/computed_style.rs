//! Declarations of CSS → what they say of whether a text is seen.
//!
//! Goes in: the declarations of a `style` attribute or of a rule. Comes out: those that may
//! hide a text or show it, each with its weight. The file knows no selectors.

mod meaning;

use cssparser::{Parser, Token};

use super::color::Color;
use meaning::meaning;

/// What one declaration is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Property {
    Display,
    Visibility,
    Opacity,
    FontSize,
    Color,
    Background,
    Position,
    Left,
    Top,
    Right,
    Bottom,
    MarginLeft,
    MarginTop,
    Indent,
    Clip,
    Motion,
}

const PROPERTIES: usize = Property::Motion as usize + 1;

/// What a declaration says of its property.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Value {
    /// Nothing that hides.
    Plain,
    /// The element is none, invisible, transparent, tiny, far off, or cut away.
    Hides,
    /// The element is a block, or is taken out of the flow.
    Block,
    /// A colour.
    Color(Color),
}

/// How much a declaration weighs against others on one property: the heavier one holds.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Weight {
    pub(super) important: bool,
    pub(super) rank: Rank,
    /// The rules before it in the page; the most where there are more.
    pub(super) order: u32,
}

/// Where a declaration stands, lightest first.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Rank {
    /// An attribute such as `hidden`, or the rule of any element.
    #[default]
    Hint,
    Tag,
    Class,
    TagAndClass,
    Id,
    TagAndId,
    /// A rule that holds at times: under the pointer, on a narrow screen, for a child of
    /// something.
    AtTimes,
    /// A `style` attribute.
    Inline,
}

/// What is said of an element, property by property.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct ComputedStyle([Option<(Weight, Value)>; PROPERTIES]);

impl ComputedStyle {
    /// The looks that declarations give, each at a weight of its own.
    pub(super) fn read(declarations: &mut Parser<'_>, weight: Weight) -> Self {
        let mut looks = Self::default();
        let mut tokens: Vec<Token<'_>> = Vec::new();
        loop {
            match declarations.next().cloned() {
                Ok(Token::Semicolon) => looks.declare(&std::mem::take(&mut tokens), weight),
                Ok(Token::CurlyBracketBlock) => tokens.clear(), // a rule within the rule
                Ok(token) => {
                    let is_function = matches!(token, Token::Function(_));
                    push(&mut tokens, token);
                    if is_function {
                        read_arguments(declarations, &mut tokens);
                    }
                }
                Err(_) => break,
            }
        }
        looks.declare(&tokens, weight);
        looks
    }

    /// Sets what a declaration, which may be none, says.
    fn declare(&mut self, tokens: &[Token<'_>], weight: Weight) {
        let [Token::Ident(name), Token::Colon, value @ ..] = tokens else { return };
        let (value, important) = match value {
            [value @ .., Token::Delim('!'), Token::Ident(word)]
                if word.eq_ignore_ascii_case("important") =>
            {
                (value, true)
            }
            value => (value, false),
        };
        if let Some((property, value)) = meaning(&name.to_ascii_lowercase(), value) {
            self.set(property, value, Weight { important, ..weight });
        }
    }

    /// Sets a property, unless what is there weighs more.
    pub(super) fn set(&mut self, property: Property, value: Value, weight: Weight) {
        let slot = &mut self.0[property as usize];
        if slot.is_none_or(|(heavier, _)| heavier <= weight) {
            *slot = Some((weight, value));
        }
    }

    /// Sets all that others say, unless what is there weighs more.
    pub(super) fn join(&mut self, others: &Self) {
        for (slot, other) in self.0.iter_mut().zip(others.0) {
            if other.is_some_and(|(weight, _)| slot.is_none_or(|(heavier, _)| heavier <= weight)) {
                *slot = other;
            }
        }
    }

    /// The same at another rank. What holds at times hides nothing, as it may be seen at
    /// others, and paints as nobody knows.
    pub(super) fn ranked(mut self, rank: Rank) -> Self {
        for slot in &mut self.0 {
            *slot = match *slot {
                Some((_, Value::Hides)) if rank == Rank::AtTimes => None,
                Some((weight, Value::Color(_))) if rank == Rank::AtTimes => {
                    Some((Weight { rank, ..weight }, Value::Color(Color::Unknown)))
                }
                said => said.map(|(weight, value)| (Weight { rank, ..weight }, value)),
            };
        }
        self
    }

    /// What holds of a property.
    pub(super) fn get(&self, property: Property) -> Option<Value> {
        self.0[property as usize].map(|(_, value)| value)
    }

    /// Whether nothing is said.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether an attribute of the element says that it is not displayed: `hidden`, or `style`.
    pub(super) fn hide_by_attribute(&self) -> bool {
        self.0[Property::Display as usize].is_some_and(|(weight, value)| {
            value == Value::Hides && matches!(weight.rank, Rank::Hint | Rank::Inline)
        })
    }

    /// Whether an element that looks so is not seen, nor anything in it.
    pub(super) fn hide(&self) -> bool {
        let hides = |property| self.get(property) == Some(Value::Hides);
        let is_free = self.get(Property::Position) == Some(Value::Block);
        let far = [Property::Left, Property::Top, Property::Right, Property::Bottom];
        let shifted = [Property::MarginLeft, Property::MarginTop, Property::Indent];
        // What fades or slides in is seen before long.
        let fades_in = self.get(Property::Motion).is_some();
        hides(Property::Display)
            || hides(Property::Opacity) && !fades_in
            || is_free && far.into_iter().any(hides)
            || shifted.into_iter().any(hides)
            || hides(Property::Clip)
    }
}

/// Appends a token, unless the value is longer than any that is looked at.
fn push<'t>(tokens: &mut Vec<Token<'t>>, token: Token<'t>) {
    if tokens.len() < 64 {
        tokens.push(token);
    }
}

/// Appends the arguments of a function; those of functions within are left out.
fn read_arguments<'t>(parser: &mut Parser<'t>, tokens: &mut Vec<Token<'t>>) {
    let read = parser.parse_nested_block(|inner| -> Result<(), cssparser::ParseError<()>> {
        while let Ok(token) = inner.next() {
            push(tokens, token.clone());
        }
        Ok(())
    });
    // Blocks in blocks beyond the parser's limit: the declaration says nothing.
    if read.is_err() {
        tokens.clear();
    }
}

#[cfg(test)]
mod tests;
