//! One declaration of CSS → what it says of whether a text is seen.

use cssparser::Token;

use super::{Property, Value};
use crate::text::formats::html::color::{Color, paint_of};

/// What a declaration says; none where it is about nothing that hides or shows.
pub(super) fn meaning(name: &str, value: &[Token<'_>]) -> Option<(Property, Value)> {
    let word = match value.first() {
        Some(Token::Ident(word)) => word.to_ascii_lowercase(),
        _ => String::new(),
    };
    let hides = |it: bool| if it { Value::Hides } else { Value::Plain };
    let first = value.first().and_then(pixels);
    let far = |property| Some((property, hides(first.is_some_and(|pixels| pixels <= -999.0))));
    match name {
        "display" => {
            let value = match word.as_str() {
                "none" => Value::Hides,
                "block" | "flex" | "grid" | "table" | "list-item" | "flow-root" => Value::Block,
                _ => Value::Plain,
            };
            Some((Property::Display, value))
        }
        "visibility" => Some((Property::Visibility, hides(word == "hidden" || word == "collapse"))),
        "opacity" => Some((Property::Opacity, hides(value.first().is_some_and(is_nought)))),
        "font-size" => size(value.first()?),
        "font" => size(
            value
                .iter()
                .find(|token| matches!(token, Token::Dimension { .. }) || is_nought(token))?,
        ),
        "color" => Some((Property::Color, Value::Color(paint_of(value)))),
        "background" | "background-color" => {
            Some((Property::Background, Value::Color(paint_of(value))))
        }
        "background-image" if word != "none" => {
            Some((Property::Background, Value::Color(Color::Unknown)))
        }
        "position" => {
            let is_free = matches!(word.as_str(), "absolute" | "fixed");
            Some((Property::Position, if is_free { Value::Block } else { Value::Plain }))
        }
        "left" => far(Property::Left),
        "top" => far(Property::Top),
        "right" => far(Property::Right),
        "bottom" => far(Property::Bottom),
        "margin-left" => far(Property::MarginLeft),
        "margin-top" => far(Property::MarginTop),
        "text-indent" => far(Property::Indent),
        "clip" | "clip-path" => Some((Property::Clip, hides(cuts_all(value)))),
        "transform" | "transition" | "animation" | "animation-name" | "will-change"
            if word != "none" =>
        {
            Some((Property::Motion, Value::Plain))
        }
        _ => None,
    }
}

/// A length in pixels; a letter's height is taken for 16. None for a share or no length.
fn pixels(token: &Token<'_>) -> Option<f32> {
    match token {
        Token::Number { value, .. } => Some(*value),
        Token::Dimension { value, unit, .. } => Some(match &*unit.to_ascii_lowercase() {
            "em" | "rem" | "ex" | "ch" => value * 16.0,
            "vw" | "vh" => value * 10.0,
            "cm" => value * 37.8,
            "in" => value * 96.0,
            _ => *value,
        }),
        _ => None,
    }
}

/// Whether a token is 0, of whatever.
fn is_nought(token: &Token<'_>) -> bool {
    let value = match token {
        Token::Number { value, .. } | Token::Dimension { value, .. } => *value,
        Token::Percentage { unit_value, .. } => *unit_value,
        _ => return false,
    };
    value.abs() < 0.005
}

/// What is said by a size of letters: below two pixels none can be read. What is relative
/// to the size around it says nothing, unless it is none.
fn size(token: &Token<'_>) -> Option<(Property, Value)> {
    let value = match token {
        _ if is_nought(token) => Value::Hides,
        Token::Dimension { value, unit, .. } => match &*unit.to_ascii_lowercase() {
            "em" | "ex" | "ch" => return None,
            "px" | "pt" if *value < 2.0 => Value::Hides,
            _ => Value::Plain,
        },
        Token::Percentage { .. } => return None,
        Token::Ident(word) if matches!(&**word, "inherit" | "smaller" | "larger") => return None,
        _ => Value::Plain,
    };
    Some((Property::FontSize, value))
}

/// Whether a shape leaves nothing: a rectangle of at most a pixel, or an edge of a half.
fn cuts_all(value: &[Token<'_>]) -> bool {
    let [Token::Function(shape), arguments @ ..] = value else { return false };
    let mut numbers = arguments.iter().filter(|token| !matches!(token, Token::Comma)).peekable();
    if numbers.peek().is_none() {
        return false;
    }
    match &*shape.to_ascii_lowercase() {
        "rect" => numbers.all(|token| pixels(token).is_some_and(|pixels| pixels.abs() <= 1.0)),
        "inset" => numbers.all(
            |token| matches!(token, Token::Percentage { unit_value, .. } if *unit_value >= 0.5),
        ),
        "circle" | "polygon" => numbers.all(is_nought),
        _ => false,
    }
}
