//! Interprets CSS declarations that decide whether a text is visible.
//!
//! Input: the declarations of a `style` attribute or of a rule. Output: those that may hide or show
//! a text, each with its weight. Selectors are interpreted in the last part of the file.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{ParseError, Parser, Token};
use dom_query::{Element, Matcher, NodeRef};
use html5ever::local_name;

use super::attribute;

/// The aspect of an element that a declaration sets.
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
    TextIndent,
    Clip,
    Animation,
    /// The shadow or the outline of letters.
    Shadow,
    Direction,
    Override,
}

impl Property {
    const ALL: [Self; PROPERTIES] = [
        Self::Display,
        Self::Visibility,
        Self::Opacity,
        Self::FontSize,
        Self::Color,
        Self::Background,
        Self::Position,
        Self::Left,
        Self::Top,
        Self::Right,
        Self::Bottom,
        Self::MarginLeft,
        Self::MarginTop,
        Self::TextIndent,
        Self::Clip,
        Self::Animation,
        Self::Shadow,
        Self::Direction,
        Self::Override,
    ];
}

const PROPERTIES: usize = Property::Override as usize + 1;

/// The effect of a declaration on its property.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Value {
    /// Does not hide the element.
    Plain,
    /// Hides the element: it is not displayed, invisible, transparent, tiny, far outside the page,
    /// or clipped away.
    Hides,
    /// Makes the element a block, or takes it out of the flow.
    Block,
    /// Sets a colour.
    Color(Color),
    /// Writes from right to left, whatever the letters are.
    Reverses,
}

/// The weight of a declaration against others of the same property: the heaviest applies.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct CascadePriority {
    pub(super) important: bool,
    pub(super) specificity: Specificity,
    /// The number of its rule in the page, from 1, saturating; 0 for attributes.
    pub(super) order: u32,
}

/// The origin of a declaration, from the lightest to the heaviest.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Specificity {
    /// An attribute such as `hidden`, or a rule for `*`.
    #[default]
    PresentationalHint,
    Tag,
    Class,
    TagAndClass,
    Id,
    TagAndId,
    /// A rule that applies at times only: under the pointer, on a narrow screen, for a child of
    /// some element.
    Conditional,
    /// A `style` attribute.
    Inline,
}

/// The declarations that apply to an element, by property.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct ComputedStyle {
    values: [Option<(CascadePriority, Value)>; PROPERTIES],
    /// The number of a rule that may hide the element, but is not evaluated; 0 for the attribute.
    doubt: Option<u32>,
}

impl ComputedStyle {
    /// Reads declarations, all of this weight except that each has its own importance.
    pub(super) fn read(declarations: &mut Parser<'_>, priority: CascadePriority) -> Self {
        let mut computed_style = Self::default();
        let mut tokens: Vec<Token<'_>> = Vec::new();
        loop {
            match declarations.next().cloned() {
                Ok(Token::Semicolon) => {
                    computed_style.declare(&std::mem::take(&mut tokens), priority);
                }
                Ok(Token::CurlyBracketBlock) => tokens.clear(), // a nested rule
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
        computed_style.declare(&tokens, priority);
        computed_style
    }

    /// Applies one declaration; ignores tokens that are none.
    fn declare(&mut self, tokens: &[Token<'_>], priority: CascadePriority) {
        let [Token::Ident(name), Token::Colon, value @ ..] = tokens else { return };
        let (value, important) = match value {
            [value @ .., Token::Delim('!'), Token::Ident(word)]
                if word.eq_ignore_ascii_case("important") =>
            {
                (value, true)
            }
            value => (value, false),
        };
        let name = name.to_ascii_lowercase();
        if may_hide(&name, value) {
            self.doubt.get_or_insert(priority.order);
        }
        if let Some((property, value)) = interpret(&name, value) {
            self.set(property, value, CascadePriority { important, ..priority });
        }
    }

    /// Sets a property, unless its current value weighs more. An element that a rule hides, and
    /// another one shows at times, may be hidden.
    pub(super) fn set(&mut self, property: Property, value: Value, priority: CascadePriority) {
        let slot = &mut self.values[property as usize];
        if let Some((earlier, earlier_value)) = *slot {
            let [hidden, shown] =
                if value == Value::Hides { [priority, earlier] } else { [earlier, priority] };
            if (value == Value::Hides) != (earlier_value == Value::Hides)
                && shown.specificity == Specificity::Conditional
            {
                self.doubt.get_or_insert(hidden.order);
            }
        }
        if slot.is_none_or(|(heavier, _)| heavier <= priority) {
            *slot = Some((priority, value));
        }
    }

    /// Sets all properties of another style, except those whose current value weighs more.
    pub(super) fn join(&mut self, others: &Self) {
        self.doubt = self.doubt.or(others.doubt);
        for (property, other) in Property::ALL.into_iter().zip(others.values) {
            if let Some((priority, value)) = other {
                self.set(property, value, priority);
            }
        }
    }

    /// Returns the same style at another rank. A rule that applies at times hides nothing, since
    /// the text may be seen at other times, and its colours are unknown.
    pub(super) fn with_specificity(mut self, specificity: Specificity) -> Self {
        for slot in &mut self.values {
            *slot = match *slot {
                Some((_, Value::Hides)) if specificity == Specificity::Conditional => None,
                Some((priority, Value::Color(_))) if specificity == Specificity::Conditional => {
                    Some((
                        CascadePriority { specificity, ..priority },
                        Value::Color(Color::Unknown),
                    ))
                }
                said => said
                    .map(|(priority, value)| (CascadePriority { specificity, ..priority }, value)),
            };
        }
        self
    }

    /// Returns the value of a property, if it is set.
    pub(super) fn get(&self, property: Property) -> Option<Value> {
        self.values[property as usize].map(|(_, value)| value)
    }

    /// Reports whether no property is set.
    pub(super) fn is_empty(&self) -> bool {
        self.doubt.is_none() && self.values.iter().all(Option::is_none)
    }

    /// Reports whether an attribute of the element, `hidden` or `style`, makes it not displayed. A
    /// rule for `*` counts as well, since it has the same rank.
    pub(super) fn hide_by_attribute(&self) -> bool {
        self.values[Property::Display as usize].is_some_and(|(priority, value)| {
            value == Value::Hides
                && matches!(
                    priority.specificity,
                    Specificity::PresentationalHint | Specificity::Inline
                )
        })
    }

    /// Returns the number of a rule that may hide an element with this style, but is not evaluated:
    /// its value is not, or the element is shown at times. 0 stands for the attribute `style`.
    pub(super) fn doubt(&self) -> Option<u32> {
        let opacity = self.values[Property::Opacity as usize];
        let fading = opacity.filter(|(_, value)| *value == Value::Hides);
        self.doubt.or_else(|| fading.map(|(priority, _)| priority.order))
    }

    /// Reports whether a rule with this style hides some element, or may do so.
    fn hides_some(&self) -> bool {
        let shadow =
            self.get(Property::Background).is_some() || self.get(Property::Shadow).is_some();
        let hides = |property| match self.get(property) {
            Some(Value::Color(color)) if property == Property::Color => {
                color.is_indistinguishable_on(Color::WHITE) && !shadow
            }
            value => value == Some(Value::Hides),
        };
        self.hide()
            || self.doubt().is_some()
            || [Property::Visibility, Property::FontSize, Property::Color].into_iter().any(hides)
    }

    /// Reports whether an element with this style, and everything in it, is invisible.
    pub(super) fn hide(&self) -> bool {
        let hides = |property| self.get(property) == Some(Value::Hides);
        let is_free = self.get(Property::Position) == Some(Value::Block);
        let far = [Property::Left, Property::Top, Property::Right, Property::Bottom];
        let shifted = [Property::MarginLeft, Property::MarginTop, Property::TextIndent];
        // An element that fades or slides in is visible before long.
        let fades_in = self.get(Property::Animation).is_some();
        hides(Property::Display)
            || hides(Property::Opacity) && !fades_in
            || is_free && far.into_iter().any(hides)
            || shifted.into_iter().any(hides)
            || hides(Property::Clip)
    }
}

/// Appends a token; ignores it beyond 64, which is longer than any value that is interpreted.
fn push<'t>(tokens: &mut Vec<Token<'t>>, token: Token<'t>) {
    if tokens.len() < 64 {
        tokens.push(token);
    }
}

/// Appends the arguments of a function, without those of nested functions.
fn read_arguments<'t>(parser: &mut Parser<'t>, tokens: &mut Vec<Token<'t>>) {
    let read = parser.parse_nested_block(|inner| -> Result<(), ParseError<()>> {
        while let Ok(token) = inner.next() {
            push(tokens, token.clone());
        }
        Ok(())
    });
    // Blocks are nested beyond the limit of the parser, so the declaration is ignored.
    if read.is_err() {
        tokens.clear();
    }
}

// Interprets a single declaration.

/// Returns the property and the effect of a declaration; `None` if it neither hides nor shows
/// anything.
pub(super) fn interpret(name: &str, value: &[Token<'_>]) -> Option<(Property, Value)> {
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
        "opacity" => Some((Property::Opacity, hides(value.first().is_some_and(is_zero)))),
        "font-size" => size(value.first()?),
        "font" => size(
            value
                .iter()
                .find(|token| matches!(token, Token::Dimension { .. }) || is_zero(token))?,
        ),
        "color" | "-webkit-text-fill-color" => {
            Some((Property::Color, Value::Color(parse_color(value))))
        }
        "text-shadow" | "-webkit-text-stroke" => {
            Some((Property::Shadow, Value::Color(parse_shadow(value))))
        }
        "direction" => {
            Some((Property::Direction, if word == "rtl" { Value::Reverses } else { Value::Plain }))
        }
        "unicode-bidi" => {
            let value = if word.ends_with("override") { Value::Reverses } else { Value::Plain };
            Some((Property::Override, value))
        }
        "background" | "background-color" => {
            Some((Property::Background, Value::Color(parse_color(value))))
        }
        "background-image" if word != "none" => {
            Some((Property::Background, Value::Color(Color::Unknown)))
        }
        "position" => {
            let is_free = matches!(word.as_str(), "absolute" | "fixed" | "relative" | "sticky");
            Some((Property::Position, if is_free { Value::Block } else { Value::Plain }))
        }
        "left" => far(Property::Left),
        "top" => far(Property::Top),
        "right" => far(Property::Right),
        "bottom" => far(Property::Bottom),
        "margin-left" => far(Property::MarginLeft),
        "margin-top" => far(Property::MarginTop),
        "text-indent" => far(Property::TextIndent),
        "clip" | "clip-path" => Some((Property::Clip, hides(clips_everything(value)))),
        "transform" | "transition" | "animation" | "animation-name" | "will-change"
            if word != "none" =>
        {
            Some((Property::Animation, Value::Plain))
        }
        _ => None,
    }
}

/// Reports whether a declaration that [`interpret`] does not evaluate may hide a text.
fn may_hide(name: &str, value: &[Token<'_>]) -> bool {
    let Some(first) = value.first() else { return false };
    let is_word = |words: &[&str]| matches!(first, Token::Ident(word) if words.iter().any(|it| word.eq_ignore_ascii_case(it)));
    let calls = |names: &[&str]| {
        let is_named =
            |call: &str| names.iter().any(|it| call.to_ascii_lowercase().starts_with(it));
        value.iter().any(|token| matches!(token, Token::Function(call) if is_named(call)))
    };
    let share = |token: &Token<'_>| match token {
        Token::Percentage { unit_value, .. } => Some(*unit_value),
        _ => None,
    };
    let lengths = || value.iter().filter_map(pixels);
    let shares = || value.iter().filter_map(share);
    let is_far = || lengths().any(|it| it.abs() >= 100.0) || shares().any(|it| it.abs() > 1.0);
    let is_small = |least: f32| lengths().chain(shares()).any(|it| it < least);
    match name {
        "display" | "visibility" => calls(&["var", "env", "attr", "if"]),
        "opacity" => calls(&[""]) || is_small(0.1),
        "font-size" => {
            calls(&["var", "env", "attr", "if"])
                || lengths().any(|it| it < 4.0)
                || shares().any(|it| it < 0.25)
        }
        "left" | "top" | "right" | "bottom" | "margin-left" | "margin-top" | "margin-right"
        | "text-indent" => is_far(),
        "letter-spacing" => lengths().any(|it| it <= -3.0),
        "width" | "height" | "max-width" | "max-height" | "line-height" => is_zero(first),
        "z-index" => lengths().any(|it| it < 0.0),
        "content-visibility" => is_word(&["hidden"]),
        "scale" | "zoom" => is_small(0.1),
        "transform" | "-webkit-transform" => {
            calls(&["scale", "rotatex", "rotatey", "rotate3d", "matrix"]) || is_far()
        }
        "filter" | "-webkit-filter" | "mask" | "mask-image" | "-webkit-mask"
        | "-webkit-mask-image" | "clip" | "clip-path" | "-webkit-clip-path" | "mix-blend-mode"
        | "rotate" | "translate" | "offset-path" => {
            !is_word(&["none", "auto", "normal", "inherit", "initial", "unset"])
        }
        _ => false,
    }
}

/// Returns a length in pixels, with 16 pixels for the font size; `None` for a percentage and for
/// anything that is not a length.
fn pixels(token: &Token<'_>) -> Option<f32> {
    match token {
        Token::Number { value, .. } => Some(*value),
        Token::Dimension { value, unit, .. } => Some(match &*unit.to_ascii_lowercase() {
            "deg" | "grad" | "rad" | "turn" => return None,
            "em" | "rem" | "ex" | "ch" => value * 16.0,
            "vw" | "vh" => value * 10.0,
            "cm" => value * 37.8,
            "in" => value * 96.0,
            _ => *value,
        }),
        _ => None,
    }
}

/// Reports whether a token is zero, in any unit.
fn is_zero(token: &Token<'_>) -> bool {
    let value = match token {
        Token::Number { value, .. } | Token::Dimension { value, .. } => *value,
        Token::Percentage { unit_value, .. } => *unit_value,
        _ => return false,
    };
    value.abs() < 0.005
}

/// Returns the effect of a font size: text below two pixels is unreadable. A size relative to that
/// of the parent has no effect, unless it is zero.
fn size(token: &Token<'_>) -> Option<(Property, Value)> {
    let value = match token {
        _ if is_zero(token) => Value::Hides,
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

/// Reports whether a shape clips everything away: a rectangle of at most one pixel, or insets of at
/// least one half.
fn clips_everything(value: &[Token<'_>]) -> bool {
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
        "circle" | "polygon" => numbers.all(is_zero),
        _ => false,
    }
}

// The style that text inherits from the elements around it, and whether it is readable.

/// The style that text inherits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct InheritedStyle {
    invisible: bool,
    tiny: bool,
    text_color: Color,
    /// Of its shadow or outline; transparent if it has none.
    shadow: Color,
    background: Color,
    /// Whether text runs from right to left.
    reverses: bool,
}

impl InheritedStyle {
    /// Returns the style of a page without declarations. If some of its rules are missing here, the
    /// background is unknown: they may set one on which text of any colour is readable.
    pub(super) fn of_page(sheet: &StyleSheet) -> Self {
        let background = if sheet.is_complete() { Color::WHITE } else { Color::Unknown };
        Self {
            invisible: false,
            tiny: false,
            text_color: Color::Unknown,
            shadow: Color::Transparent,
            background,
            reverses: false,
        }
    }

    /// Returns the style within an element.
    pub(super) fn within(self, computed_style: &ComputedStyle) -> Self {
        let hides = |property, inherited| match computed_style.get(property) {
            Some(value) => value == Value::Hides,
            None => inherited,
        };
        let paint = |property, inherited| match computed_style.get(property) {
            Some(Value::Color(Color::Transparent)) if property == Property::Background => inherited,
            Some(Value::Color(paint)) => paint,
            _ => inherited,
        };
        Self {
            invisible: hides(Property::Visibility, self.invisible),
            tiny: hides(Property::FontSize, self.tiny),
            text_color: paint(Property::Color, self.text_color),
            shadow: paint(Property::Shadow, self.shadow),
            background: paint(Property::Background, self.background),
            reverses: (computed_style.get(Property::Direction))
                .map_or(self.reverses, |value| value == Value::Reverses),
        }
    }

    /// Returns the same style, made readable.
    pub(super) fn shown(self) -> Self {
        let text_color = if self.text_color.is_indistinguishable_on(self.background) {
            Color::Unknown
        } else {
            self.text_color
        };
        Self { invisible: false, tiny: false, text_color, ..self }
    }

    /// Reports whether text in this style is unreadable.
    pub(super) fn hides(self) -> bool {
        let is_lost = |color: Color| color.is_indistinguishable_on(self.background);
        self.invisible || self.tiny || is_lost(self.text_color) && is_lost(self.shadow)
    }

    /// Reports whether a space in this style is as wide as any other.
    pub(super) fn keeps_spaces(self) -> bool {
        !self.tiny
    }

    /// Reports whether text in this style is white on a background that is unknown because of rules
    /// that are missing here, or of a picture.
    fn may_hide(self) -> bool {
        let is_light = self.text_color.is_indistinguishable_on(Color::WHITE);
        is_light && self.background == Color::Unknown && self.shadow == Color::Transparent
    }

    /// Reports whether an element with this style, within text of this one, reverses its letters.
    pub(super) fn overrides(self, computed_style: &ComputedStyle) -> bool {
        self.reverses && computed_style.get(Property::Override) == Some(Value::Reverses)
    }
}

/// Returns the style of an element, from its attributes, the rules of the page, and its own
/// `style`.
pub(super) fn computed_style(element: &Element, sheet: &StyleSheet) -> ComputedStyle {
    let get = |name| attribute(element, name);
    let classes = get(local_name!("class"));
    let mut computed_style =
        sheet.computed_style(&element.name.local, get(local_name!("id")), classes);
    for it in element.attrs.iter().filter(|_| !sheet.rules.is_empty()) {
        if let Some(rule) = sheet.rules.get(&format!("[{}]", it.name.local)) {
            computed_style.join(rule);
        }
    }
    let hint = CascadePriority::default();
    let direction = get(local_name!("dir"));
    if !direction.is_empty() {
        let is_reversed = direction.eq_ignore_ascii_case("rtl");
        let value = if is_reversed { Value::Reverses } else { Value::Plain };
        computed_style.set(Property::Direction, value, hint);
    }
    if &*element.name.local == "bdo" {
        computed_style.set(Property::Override, Value::Reverses, hint);
    }
    let hidden = element.attr_ref(local_name!("hidden"));
    if hidden.is_some_and(|when| !when.eq_ignore_ascii_case("until-found")) {
        computed_style.set(Property::Display, Value::Hides, hint);
    }
    let mut paint = |property, colour: Option<&str>| {
        if let Some(colour) = colour {
            computed_style.set(property, Value::Color(parse_legacy_color(colour)), hint);
        }
    };
    paint(Property::Background, element.attr_ref(local_name!("bgcolor")));
    match &*element.name.local {
        "font" => paint(Property::Color, element.attr_ref(local_name!("color"))),
        "body" => paint(Property::Color, element.attr_ref(local_name!("text"))),
        _ => {}
    }
    if element.attr_ref(local_name!("background")).is_some() {
        computed_style.set(Property::Background, Value::Color(Color::Unknown), hint);
    }
    let style = get(local_name!("style"));
    if !style.is_empty() {
        let priority =
            CascadePriority { specificity: Specificity::Inline, ..CascadePriority::default() };
        let style = sheet.with_variables(style);
        computed_style.join(&ComputedStyle::read(&mut Parser::new(&style), priority));
    }
    computed_style
}

// Colours of CSS and of old attributes.

/// The paint of a text or of its background.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Color {
    /// Red, green and blue.
    Rgb([u8; 3]),
    /// Transparent: what is behind it is visible.
    Transparent,
    /// An image, a variable, or a value that is not understood.
    Unknown,
}

impl Color {
    /// The colour of paper.
    pub(super) const WHITE: Self = Self::Rgb([255; 3]);

    /// Reports whether text of this paint is indistinguishable from a background of that paint.
    pub(super) fn is_indistinguishable_on(self, background: Self) -> bool {
        match (self, background) {
            (Self::Rgb(text_color), Self::Rgb(background)) => {
                text_color.iter().zip(background).all(|(one, other)| one.abs_diff(other) <= 5)
            }
            (Self::Transparent, background) => background != Self::Unknown,
            _ => false,
        }
    }
}

/// Returns the paint of the value of a declaration: its first colour, or unknown if it has an
/// image, which may cover any colour.
pub(super) fn parse_color(value: &[Token<'_>]) -> Color {
    let mut paint = None;
    for (place, token) in value.iter().enumerate() {
        let found = match token {
            Token::Hash(digits) | Token::IDHash(digits) => hex_color(digits),
            Token::Ident(word) if matches!(&**word, "transparent" | "none") => {
                Some(Color::Transparent)
            }
            Token::Ident(word) if word.eq_ignore_ascii_case("canvas") => Some(Color::WHITE),
            Token::Ident(word) => parse_named_color(word)
                .ok()
                .map(|(red, green, blue)| Color::Rgb([red, green, blue])),
            Token::Function(name) if matches!(&**name, "rgb" | "rgba") => {
                return rgb_function(&value[place + 1..]);
            }
            Token::UnquotedUrl(_) | Token::Function(_) => return Color::Unknown,
            _ => None,
        };
        paint = paint.or(found);
    }
    paint.unwrap_or(Color::Unknown)
}

/// Returns the paint of the shadow or the outline of letters: transparent if it has no width, or the
/// colour of the letters.
fn parse_shadow(value: &[Token<'_>]) -> Color {
    let has_width = value.iter().filter_map(pixels).any(|pixels| pixels.abs() > 0.0);
    let is_colour = |token: &Token<'_>| {
        matches!(token, Token::Hash(_) | Token::IDHash(_) | Token::Ident(_) | Token::Function(_))
    };
    if has_width && value.iter().any(is_colour) { parse_color(value) } else { Color::Transparent }
}

/// Returns the paint of an attribute such as `bgcolor`: a name, or hexadecimal digits with or
/// without `#`.
pub(super) fn parse_legacy_color(value: &str) -> Color {
    let value = value.trim();
    match parse_named_color(value) {
        Ok((red, green, blue)) => Color::Rgb([red, green, blue]),
        Err(()) => hex_color(value.trim_start_matches('#')).unwrap_or(Color::Unknown),
    }
}

fn hex_color(digits: &str) -> Option<Color> {
    let (red, green, blue, opacity) = parse_hash_color(digits.as_bytes()).ok()?;
    Some(with_opacity([red, green, blue], opacity))
}

fn with_opacity(colour: [u8; 3], opacity: f32) -> Color {
    if opacity < 0.02 {
        Color::Transparent
    } else if opacity > 0.98 {
        Color::Rgb(colour)
    } else {
        Color::Unknown
    }
}

/// Returns the paint of `rgb()`, from the tokens that begin with its arguments.
fn rgb_function(arguments: &[Token<'_>]) -> Color {
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

// Matches the style sheets of a page against the name, class or id of an element.
//
// Input: the text of the `style` elements. Output: the style of an element. Only selectors of a
// single element are interpreted: a name, a class, an id, or a name with either. A rule with any
// other selector, or for some screens only, hides nothing. But what such a rule shows is not
// hidden, since some readers may see it.

/// The largest number of bytes of the value of a variable, and of a rule in a warning.
const MAX_VALUE_LENGTH: usize = 64;

/// The largest number of elements and ancestors that selectors are matched against; beyond it, a
/// selector matches all elements with the name, class or id of its last part.
const MAX_MATCHED: usize = 10_000_000;

/// The style rules of a page.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    /// By selector: `p`, `.note`, `p.note`, `#top`, `p#top`, `*`.
    rules: BTreeMap<String, ComputedStyle>,
    /// Rules that may hide an element at times, or with a selector of any other form, by name, class,
    /// attribute or id: the number of each, and its selector unless that is not understood.
    doubtful: BTreeMap<String, Vec<(u32, Option<Matcher>)>>,
    /// The text of the rules that hide an element or may do so, by their number.
    texts: BTreeMap<u32, String>,
    /// The values of variables: `--name`. One with several values, some of which hide a text, is
    /// `var()`, which nothing evaluates.
    variables: BTreeMap<String, String>,
    /// The number of rules read.
    read: u32,
    /// The number of elements and ancestors that selectors were matched against.
    matched: Cell<usize>,
    /// Whether the page has more rules, which are missing here.
    has_external: bool,
}

/// The conditions under which a rule applies.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Condition {
    /// On paper, or as the reader prefers: it hides nothing for good.
    Preferred,
    Conditional,
    Always,
}

impl StyleSheet {
    /// Adds the rules of a style sheet for some media, or for all media if `media` is empty.
    pub(super) fn add(&mut self, style: &str, media: &str) {
        if let Some(condition) = media_condition(media) {
            let style = self.with_variables(style).into_owned();
            self.add_rules(&mut Parser::new(&style), condition);
        }
    }

    /// Adds the variables that a style sheet or an attribute declares. Those of all of them must be
    /// known before rules are added.
    pub(super) fn add_variables(&mut self, style: &str) {
        for at in memchr::memmem::find_iter(style.as_bytes(), b"--") {
            let rest = &style[at..];
            let (name, rest) = rest.split_at(name_length(rest));
            let Some(value) = rest.trim_start().strip_prefix(':') else { continue };
            let value = value.split([';', '}']).next().unwrap_or_default().trim();
            if value.len() > MAX_VALUE_LENGTH || name.len() > MAX_VALUE_LENGTH {
                continue;
            }
            let hides = |value: &str| {
                ["display", "visibility", "opacity", "font-size", "left"].into_iter().any(|name| {
                    let style = format!("{name}:{value}");
                    let style =
                        ComputedStyle::read(&mut Parser::new(&style), CascadePriority::default());
                    style.values.iter().flatten().any(|(_, value)| *value == Value::Hides)
                })
            };
            let known = self.variables.entry(name.to_owned()).or_insert_with(|| value.to_owned());
            if known != value && (hides(known) || hides(value)) {
                "var()".clone_into(known);
            }
        }
    }

    /// Returns a style in which variables are replaced by their values, by what is to stand for one
    /// that is unknown, or by nothing that is a value.
    fn with_variables<'s>(&self, style: &'s str) -> Cow<'s, str> {
        let mut written = Cow::Borrowed(style);
        // Values may be variables themselves.
        for _ in 0..3 {
            if written.len() > 4 * style.len() + 4096 || !written.contains("var(") {
                break;
            }
            let mut parts = written.split("var(");
            let mut replaced = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let mut depth = 1;
                let end = part.char_indices().take(4 * MAX_VALUE_LENGTH).find(|(_, letter)| {
                    depth += i32::from(*letter == '(') - i32::from(*letter == ')');
                    depth == 0
                });
                let end = end.map_or(part.len(), |(end, _)| end);
                let (call, rest) = part.split_at(end);
                let (name, other) = call.split_once(',').unwrap_or((call, "initial"));
                let value = self.variables.get(name.trim()).map_or(other, String::as_str);
                replaced.push_str(if call.is_empty() { "var()" } else { value });
                replaced.push_str(rest.strip_prefix(')').unwrap_or(rest));
            }
            written = Cow::Owned(replaced);
        }
        written
    }

    /// Returns a rule or a style that may hide an element and is not evaluated; `None` if there is
    /// none. `style` is what applies to the element, and `inherited` the style of its text.
    pub(super) fn doubt(
        &self,
        node: NodeRef<'_>,
        element: &Element,
        style: &ComputedStyle,
        inherited: InheritedStyle,
    ) -> Option<String> {
        let colour = style.values[Property::Color as usize]
            .filter(|_| inherited.may_hide() && style.get(Property::Background).is_none());
        let number = style.doubt().or_else(|| colour.map(|(priority, _)| priority.order));
        let number = number.or_else(|| self.doubtful_rule(node, element))?;
        let text = self.texts.get(&number).map(String::as_str);
        Some(shortened(text.unwrap_or_else(|| attribute(element, local_name!("style")))))
    }

    /// Returns the number of a doubtful rule that may match an element.
    fn doubtful_rule(&self, node: NodeRef<'_>, element: &Element) -> Option<u32> {
        if self.doubtful.is_empty() {
            return None;
        }
        let matches = |key: String| {
            let found = self.doubtful.get(&key)?.iter().find(|(_, matcher)| {
                let Some(matcher) = matcher else { return key != "*" };
                let steps = self.matched.get() + 1 + node.ancestors_it(None).count();
                self.matched.set(steps);
                steps > MAX_MATCHED || matcher.match_element(&node)
            });
            found.map(|(number, _)| *number)
        };
        let classes = attribute(element, local_name!("class")).split_ascii_whitespace();
        let names = element.attrs.iter().map(|it| format!("[{}]", it.name.local));
        ["*".to_owned(), element.name.local.to_string()]
            .into_iter()
            .chain(classes.map(|class| format!(".{class}")))
            .chain([format!("#{}", attribute(element, local_name!("id")))])
            .chain(names)
            .find_map(matches)
    }

    /// Records that the page has rules which are missing here.
    pub(super) fn add_external(&mut self) {
        self.has_external = true;
    }

    /// Reports whether these are all the rules of the page.
    pub(super) fn is_complete(&self) -> bool {
        !self.has_external
    }

    /// Returns the style that the rules give to an element.
    pub(super) fn computed_style(&self, name: &str, id: &str, classes: &str) -> ComputedStyle {
        let mut computed_style = ComputedStyle::default();
        if self.rules.is_empty() {
            return computed_style;
        }
        let mut join = |selector: &str| {
            if let Some(rule) = self.rules.get(selector) {
                computed_style.join(rule);
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
        computed_style
    }

    fn add_rules(&mut self, parser: &mut Parser<'_>, condition: Condition) {
        let mut prelude = Vec::new();
        let mut start = parser.position();
        while let Ok(token) = parser.next_including_whitespace().cloned() {
            match token {
                Token::CurlyBracketBlock => {
                    let text = parser.slice_from(start).trim_end_matches('{');
                    self.add_block(parser, &std::mem::take(&mut prelude), text, condition);
                }
                Token::Semicolon => {
                    self.has_external |= at_keyword(&prelude).as_deref() == Some("import");
                    prelude.clear();
                }
                Token::CDO | Token::CDC => {}
                Token::WhiteSpace(_) if prelude.is_empty() => {}
                Token::SquareBracketBlock => {
                    prelude.push(token);
                    // The name of the attribute.
                    let name = parser.parse_nested_block(|block| -> Result<_, ParseError<()>> {
                        Ok(block.next()?.clone())
                    });
                    prelude.extend(name.ok());
                }
                token => prelude.push(token),
            }
            if prelude.is_empty() {
                start = parser.position();
            }
        }
    }

    /// Adds the rule with this prelude, or the rules within an at-rule.
    fn add_block(
        &mut self,
        parser: &mut Parser<'_>,
        prelude: &[Token<'_>],
        text: &str,
        condition: Condition,
    ) {
        // Blocks that are nested beyond the limit of the parser are skipped.
        let _: Result<(), ParseError<()>> = parser.parse_nested_block(|block| {
            if at_keyword(prelude).is_none() {
                let (start, state) = (block.position(), block.state());
                self.add_rule(block, prelude, text, condition);
                if block.slice_from(start).contains('{') {
                    // Rules within the rule.
                    block.reset(&state);
                    self.add_rules(block, condition.min(Condition::Conditional));
                }
            } else if let Some(group) = at_rule_condition(prelude, text) {
                self.add_rules(block, condition.min(group));
            }
            Ok(())
        });
    }

    fn add_rule(
        &mut self,
        block: &mut Parser<'_>,
        prelude: &[Token<'_>],
        text: &str,
        condition: Condition,
    ) {
        self.read = self.read.saturating_add(1);
        let start = block.position();
        let computed_style = ComputedStyle::read(
            block,
            CascadePriority { order: self.read, ..CascadePriority::default() },
        );
        if computed_style.is_empty() {
            return;
        }
        let hides_some = computed_style.hides_some();
        if hides_some {
            let rule =
                format!("{}{{{}}}", shortened(text.trim()), shortened(block.slice_from(start)));
            self.texts.insert(self.read, rule);
        }
        let selectors: Vec<_> = prelude.split(|token| *token == Token::Comma).map(trim).collect();
        let mut texts: Vec<&str> = text.split(',').collect();
        if texts.len() != selectors.len() {
            texts = vec![text; selectors.len()]; // a list within a selector
        }
        for (selector, text) in selectors.into_iter().zip(texts) {
            match simple(selector) {
                Some((key, specificity)) if condition == Condition::Always => {
                    self.join(key, computed_style.with_specificity(specificity));
                }
                _ => {
                    let mut shown = computed_style.with_specificity(Specificity::Conditional);
                    shown.doubt = None;
                    let is_doubtful = hides_some && condition != Condition::Preferred;
                    let matcher = Matcher::new(text.trim()).ok();
                    for key in keys(selector) {
                        if is_doubtful && (matcher.is_some() || !is_momentary(text)) {
                            let rules = self.doubtful.entry(key.clone()).or_default();
                            rules.push((self.read, matcher.clone()));
                        }
                        self.join(key, shown);
                    }
                }
            }
        }
    }

    fn join(&mut self, key: String, computed_style: ComputedStyle) {
        if !computed_style.is_empty() {
            self.rules.entry(key).or_default().join(&computed_style);
        }
    }
}

/// Returns the keyword of an at-rule, in lower case.
fn at_keyword(prelude: &[Token<'_>]) -> Option<String> {
    match prelude.first() {
        Some(Token::AtKeyword(word)) => Some(word.to_ascii_lowercase()),
        _ => None,
    }
}

/// Returns when the rules within an at-rule apply; `None` if never on a screen.
fn at_rule_condition(prelude: &[Token<'_>], text: &str) -> Option<Condition> {
    match at_keyword(prelude).as_deref() {
        Some("media") => media_condition(&text["@media".len()..]),
        Some("layer") => Some(Condition::Always),
        _ => Some(Condition::Conditional),
    }
}

/// Returns when rules for these media apply; `None` if never on a screen.
fn media_condition(media: &str) -> Option<Condition> {
    let is_preferred = |medium: &str| {
        !medium.contains("not") && (medium.contains("print") || medium.contains("prefers-"))
    };
    match media.trim().to_ascii_lowercase().as_str() {
        "" | "all" | "screen" => Some(Condition::Always),
        "print" | "speech" => None,
        media if media.split(',').all(is_preferred) => Some(Condition::Preferred),
        _ => Some(Condition::Conditional),
    }
}

/// Reports whether a selector that is not understood is one of a part of an element, or of an element
/// that its reader points at.
fn is_momentary(selector: &str) -> bool {
    let parts = ["::", ":before", ":after", ":first-l", ":focus", ":target", ":hover", ":-"];
    parts.into_iter().any(|part| selector.contains(part))
}

/// Returns the number of bytes of the name at the beginning of a text.
fn name_length(text: &str) -> usize {
    let is_end = |letter: char| {
        letter.is_ascii() && !letter.is_ascii_alphanumeric() && !"-_".contains(letter)
    };
    text.find(is_end).unwrap_or(text.len())
}

/// Returns the beginning of a rule, on one line.
fn shortened(rule: &str) -> String {
    let mut words = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    words.truncate(words.floor_char_boundary(MAX_VALUE_LENGTH));
    words
}

fn trim<'t, 's>(tokens: &'t [Token<'s>]) -> &'t [Token<'s>] {
    let is_seen = |token: &Token<'_>| !matches!(token, Token::WhiteSpace(_));
    match (tokens.iter().position(is_seen), tokens.iter().rposition(is_seen)) {
        (Some(start), Some(last)) => &tokens[start..=last],
        _ => &[],
    }
}

/// Returns the key and the rank of a selector of a single element; `None` for all other selectors.
fn simple(selector: &[Token<'_>]) -> Option<(String, Specificity)> {
    let tag = |name: &str| name.to_ascii_lowercase();
    Some(match selector {
        [Token::Delim('*')] => ("*".to_owned(), Specificity::PresentationalHint),
        [Token::Ident(name)] => (tag(name), Specificity::Tag),
        [Token::Delim('.'), Token::Ident(class)] => (format!(".{class}"), Specificity::Class),
        [Token::IDHash(id)] => (format!("#{id}"), Specificity::Id),
        [Token::Ident(name), Token::Delim('.'), Token::Ident(class)] => {
            (format!("{}.{class}", tag(name)), Specificity::TagAndClass)
        }
        [Token::Ident(name), Token::IDHash(id)] => {
            (format!("{}#{id}", tag(name)), Specificity::TagAndId)
        }
        _ => return None,
    })
}

/// Returns the keys of the elements that a selector of any other form may match: the classes and
/// the id in its last part, or its name if it has neither.
fn keys(selector: &[Token<'_>]) -> Vec<String> {
    let parts =
        |token: &Token<'_>| matches!(token, Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~'));
    let last = selector.rsplit(parts).next().unwrap_or_default();
    let mut keys: Vec<String> = last
        .windows(2)
        .filter_map(|pair| match pair {
            [Token::Delim('.'), Token::Ident(class)] => Some(format!(".{class}")),
            [Token::SquareBracketBlock, Token::Ident(name)] => Some(format!("[{name}]")),
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
mod color_tests {
    use cssparser::Parser;

    use super::*;

    fn declared(value: &str) -> Option<Value> {
        let style = format!("background: {value}");
        ComputedStyle::read(&mut Parser::new(&style), CascadePriority::default())
            .get(Property::Background)
    }

    #[test]
    fn paints_are_read_as_they_are_written() {
        #[rustfmt::skip]
        let table = [
            ("a name",            "white",                         Color::WHITE),
            ("in capitals",       "WHITE",                         Color::WHITE),
            ("digits",            "#ffffff",                       Color::WHITE),
            ("short digits",      "#08f",                          Color::Rgb([0, 0x88, 0xff])),
            ("with opacity",      "#fff0",                         Color::Transparent),
            ("numbers",           "rgb(254, 254, 255)",            Color::Rgb([254, 254, 255])),
            ("without commas",    "rgb(0 128 255 / 1)",            Color::Rgb([0, 128, 255])),
            ("shares",            "rgb(100%, 0%, 20%)",            Color::Rgb([255, 0, 51])),
            ("nearly nothing",    "rgba(0, 0, 0, 0.01)",           Color::Transparent),
            ("half",              "rgba(0, 0, 0, 0.5)",            Color::Unknown),
            ("nothing",           "transparent",                   Color::Transparent),
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
            assert_eq!(parse_legacy_color(attribute), want, "{attribute}");
        }
    }

    #[test]
    fn letters_are_lost_on_their_own_colour() {
        let near = Color::Rgb([250; 3]);
        let far = Color::Rgb([249, 255, 255]);
        #[rustfmt::skip]
        let table = [
            ("white on white",         Color::WHITE,   Color::WHITE,       true),
            ("nearly",                 near,           Color::WHITE,       true),
            ("a little darker",        far,            Color::WHITE,       false),
            ("clear on white",         Color::Transparent,   Color::WHITE,       true),
            ("clear over a picture",   Color::Transparent,   Color::Unknown,     false),
            ("white on what not",      Color::WHITE,   Color::Unknown,     false),
            ("what not on white",      Color::Unknown, Color::WHITE,       false),
        ];
        for (why, text_color, background, want) in table {
            assert_eq!(text_color.is_indistinguishable_on(background), want, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod sheet_tests;
