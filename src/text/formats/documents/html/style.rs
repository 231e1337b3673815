//! Evaluates the CSS that decides whether a text is visible.
//!
//! Input: the `style` elements of a page, and the attributes of an element. Output: what they set,
//! and whether that hides the element. Evaluated are attributes, inline styles, and rules of which
//! the selector is an element name, a class, an id, or an element name with either. Other rules, and
//! those under a condition, hide nothing: the elements that they may hide are reported. What they
//! show is not hidden, since some readers may see it.

use std::cell::Cell;
use std::collections::BTreeMap;

use cssparser::color::{clamp_floor_256_f32, parse_hash_color, parse_named_color};
use cssparser::{ParseError, Parser, Token};
use dom_query::{Element, Matcher, NodeRef};
use html5ever::local_name;

use super::attribute;
use crate::text::formats::documents::Paint;

/// The effect of a declaration on its property.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Value {
    /// Does not hide the element.
    Plain,
    /// Hides the element: it is not displayed, invisible, transparent, tiny, far outside the page,
    /// or clipped away.
    Hides,
    /// May hide the element: the value is not evaluated, or a rule that is not evaluated shows it.
    MayHide,
    /// Makes the element a block, or takes it out of the flow.
    Block,
    Painted(Paint),
    /// Writes from right to left, whatever the letters are.
    Reverses,
}

/// The weight of a declaration against others of the same property: the heaviest applies.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
struct CascadePriority {
    important: bool,
    /// The specificity of the selector; 0 for an attribute such as `hidden`, or a rule for `*`.
    rank: u8,
    /// The number of its rule in the page, from 1, saturating; 0 for attributes.
    order: u32,
}

/// The rank of a rule that is not evaluated, above all that are.
const NOT_EVALUATED: u8 = 6;

/// The rank of a `style` attribute.
const INLINE: u8 = 7;

/// The declarations that apply to an element, by the CSS name of the property.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct ComputedStyle(BTreeMap<String, (CascadePriority, Value)>);

impl ComputedStyle {
    /// Reads declarations, each with its own importance.
    fn read(declarations: &mut Parser<'_>, rank: u8, order: u32) -> Self {
        let priority = CascadePriority { important: false, rank, order };
        let mut computed_style = Self::default();
        let mut tokens: Vec<Token<'_>> = Vec::new();
        while let Ok(token) = declarations.next().cloned() {
            match token {
                Token::Semicolon => computed_style.declare(&std::mem::take(&mut tokens), priority),
                Token::CurlyBracketBlock => tokens.clear(), // a nested rule
                Token::Function(_) => {
                    tokens.push(token);
                    // Its arguments, without those of functions within it.
                    let read =
                        declarations.parse_nested_block(|it| -> Result<(), ParseError<()>> {
                            tokens.extend(std::iter::from_fn(|| it.next().ok().cloned()));
                            Ok(())
                        });
                    if read.is_err() {
                        tokens.clear(); // nested beyond the limit of the parser
                    }
                }
                token => tokens.push(token),
            }
        }
        computed_style.declare(&tokens, priority);
        computed_style
    }

    /// Applies one declaration; ignores tokens that are none.
    fn declare(&mut self, tokens: &[Token<'_>], priority: CascadePriority) {
        let [Token::Ident(name), Token::Colon, value @ ..] = tokens else { return };
        let important = matches!(value, [.., Token::Delim('!'), Token::Ident(word)]
            if word.eq_ignore_ascii_case("important"));
        let value = &value[..value.len() - 2 * usize::from(important)];
        if let Some((property, value)) = interpret(&name.to_ascii_lowercase(), value) {
            self.set(property, value, CascadePriority { important, ..priority });
        }
    }

    /// Sets a property, unless its current value weighs more. An element that a rule hides, and one
    /// that is not evaluated shows, may be hidden.
    fn set(&mut self, property: &str, value: Value, priority: CascadePriority) {
        let Some(slot) = self.0.get_mut(property) else {
            self.0.insert(property.to_owned(), (priority, value));
            return;
        };
        let mut lighter = (priority, value);
        if slot.0 <= priority {
            std::mem::swap(slot, &mut lighter);
        }
        if slot.0.rank == NOT_EVALUATED && matches!(lighter.1, Value::Hides | Value::MayHide) {
            slot.1 = Value::MayHide;
        }
    }

    /// Sets all properties of another style, except those whose current value weighs more.
    fn join(&mut self, other: &Self) {
        for (property, (priority, value)) in &other.0 {
            self.set(property, *value, *priority);
        }
    }

    /// Returns the same style with another rank. That of a rule which is not evaluated hides nothing,
    /// and its colours are unknown.
    fn with_rank(&self, rank: u8) -> Self {
        let values = self.0.iter().filter_map(|(property, (priority, value))| {
            let value = match value {
                Value::Hides | Value::MayHide if rank == NOT_EVALUATED => return None,
                Value::Painted(_) if rank == NOT_EVALUATED => Value::Painted(Paint::Other),
                value => *value,
            };
            Some((property.clone(), (CascadePriority { rank, ..*priority }, value)))
        });
        Self(values.collect())
    }

    pub(super) fn get(&self, property: &str) -> Option<Value> {
        self.0.get(property).map(|(_, value)| *value)
    }

    /// Reports whether an attribute of the element, `hidden` or `style`, makes it not displayed. A
    /// rule for `*` counts as well, since it has the same rank.
    pub(super) fn hide_by_attribute(&self) -> bool {
        let display = self.0.get("display");
        display.is_some_and(|(it, value)| *value == Value::Hides && matches!(it.rank, 0 | INLINE))
    }

    /// Reports whether an element with this style, and everything in it, is invisible.
    pub(super) fn hide(&self) -> bool {
        let hides = |property: &str| match property {
            // Inherited: an element within may show itself.
            "visibility" | "font-size" => false,
            "left" | "top" | "right" | "bottom" => self.get("position") == Some(Value::Block),
            // An element that fades or slides in is visible before long.
            "opacity" => self.get("animation").or(self.get("transform")).is_none(),
            _ => true,
        };
        self.0.iter().any(|(property, (_, value))| *value == Value::Hides && hides(property))
    }

    /// Reports whether a value that is not evaluated may hide an element with this style.
    fn may_hide(&self) -> bool {
        let is_doubtful = |value: &(_, Value)| value.1 == Value::MayHide;
        self.get("opacity") == Some(Value::Hides) || self.0.values().any(is_doubtful)
    }

    /// Reports whether a rule with this style hides some element, or may hide one.
    fn hides_some(&self) -> bool {
        let is_painted = self.get("background").or(self.get("text-shadow")).is_some();
        self.0.iter().any(|(property, (_, value))| match value {
            Value::Hides | Value::MayHide => true,
            Value::Painted(color) if property == "color" && !is_painted => {
                color.is_indistinguishable_on(Paint::WHITE)
            }
            _ => false,
        })
    }
}

// Interprets a single declaration.

/// Returns the property that a declaration sets, and its effect; `None` if it neither hides nor
/// shows anything.
fn interpret<'n>(name: &'n str, value: &[Token<'_>]) -> Option<(&'n str, Value)> {
    let first = value.first()?;
    let name = name.strip_prefix("-webkit-").unwrap_or(name);
    let word = match first {
        Token::Ident(word) => word.to_ascii_lowercase(),
        _ => String::new(),
    };
    let word = word.as_str();
    let calls = |is_named: fn(&str) -> bool| {
        let is_call = |it: &Token<'_>| matches!(it, Token::Function(call) if is_named(&call.to_ascii_lowercase()));
        value.iter().any(is_call)
    };
    let is_computed = || calls(|call| matches!(call, "var" | "env" | "attr" | "if"));
    let lengths = || value.iter().filter_map(pixels);
    let shares = || value.iter().filter_map(share);
    let is_far = || lengths().any(|it| it.abs() >= 100.0) || shares().any(|it| it.abs() > 1.0);
    let is_small = || lengths().chain(shares()).any(|it| it < 0.1);
    let only_if = |is: bool, value: Value| if is { value } else { Value::Plain };
    let hides = |hides: bool, may_hide: bool| {
        if hides { Value::Hides } else { only_if(may_hide, Value::MayHide) }
    };
    let may_hide = |may_hide: bool| only_if(may_hide, Value::MayHide);
    let may_clip = || !matches!(word, "none" | "auto" | "normal" | "inherit" | "initial" | "unset");
    let (property, value) = match name {
        "display" => match word {
            "block" | "flex" | "grid" | "table" | "list-item" | "flow-root" => (name, Value::Block),
            _ => (name, hides(word == "none", is_computed())),
        },
        "visibility" => (name, hides(matches!(word, "hidden" | "collapse"), is_computed())),
        "opacity" => (name, hides(is_zero(first), is_small() || calls(|_| true))),
        "font-size" => {
            let is_tiny = lengths().any(|it| it < 4.0) || shares().any(|it| it < 0.25);
            match size(first) {
                Some(Value::Hides) => (name, Value::Hides),
                None if is_tiny => ("scale", Value::MayHide), // relative to the size around it
                _ if is_tiny || is_computed() => (name, Value::MayHide),
                size => (name, size?),
            }
        }
        "font" => {
            let is_size = |it: &&Token<'_>| matches!(it, Token::Dimension { .. }) || is_zero(it);
            ("font-size", size(value.iter().find(is_size)?)?)
        }
        "color" | "text-fill-color" => ("color", Value::Painted(parse_color(value))),
        "text-shadow" | "text-stroke" => ("text-shadow", Value::Painted(parse_shadow(value))),
        "background" | "background-color" => ("background", Value::Painted(parse_color(value))),
        "background-image" if word != "none" => ("background", Value::Painted(Paint::Other)),
        "direction" => (name, only_if(word == "rtl", Value::Reverses)),
        "unicode-bidi" => (name, only_if(word.ends_with("override"), Value::Reverses)),
        "position" => {
            let is_free = matches!(word, "absolute" | "fixed" | "relative" | "sticky");
            (name, only_if(is_free, Value::Block))
        }
        "left" | "top" | "right" | "bottom" | "margin-left" | "margin-top" | "text-indent" => {
            (name, hides(pixels(first).is_some_and(|pixels| pixels <= -999.0), is_far()))
        }
        "clip" | "clip-path" => ("clip", hides(clips_everything(value), may_clip())),
        "transition" | "animation" | "animation-name" | "will-change" if word != "none" => {
            ("animation", Value::Plain)
        }
        "transform" if word != "none" => {
            let is_scaled = calls(|call| {
                let names = ["scale", "rotatex", "rotatey", "rotate3d", "matrix"];
                names.into_iter().any(|name| call.starts_with(name))
            });
            (name, may_hide(is_scaled || is_far()))
        }
        "margin-right" => (name, may_hide(is_far())),
        "letter-spacing" => (name, may_hide(lengths().any(|it| it <= -3.0))),
        "width" | "height" | "max-width" | "max-height" | "line-height" => {
            (name, may_hide(is_zero(first)))
        }
        "z-index" => (name, may_hide(lengths().any(|it| it < 0.0))),
        "content-visibility" => (name, may_hide(word == "hidden")),
        "scale" | "zoom" => (name, may_hide(is_small())),
        "filter" | "mask" | "mask-image" | "mix-blend-mode" | "rotate" | "translate"
        | "offset-path" => (name, may_hide(may_clip())),
        _ => return None,
    };
    Some((property, value))
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

/// Returns a percentage as a share; `None` for anything else.
fn share(token: &Token<'_>) -> Option<f32> {
    match token {
        Token::Percentage { unit_value, .. } => Some(*unit_value),
        _ => None,
    }
}

/// Reports whether a token is zero, in any unit.
fn is_zero(token: &Token<'_>) -> bool {
    pixels(token).or(share(token)).is_some_and(|value| value.abs() < 0.005)
}

/// Returns the effect of a font size: text below two pixels is unreadable. A size relative to that
/// of the parent has no effect, unless it is zero.
fn size(token: &Token<'_>) -> Option<Value> {
    Some(match token {
        _ if is_zero(token) => Value::Hides,
        Token::Dimension { value, unit, .. } => match &*unit.to_ascii_lowercase() {
            "em" | "ex" | "ch" => return None,
            "px" | "pt" if *value < 2.0 => Value::Hides,
            _ => Value::Plain,
        },
        Token::Percentage { .. } => return None,
        Token::Ident(word) if matches!(&**word, "inherit" | "smaller" | "larger") => return None,
        _ => Value::Plain,
    })
}

/// Reports whether a shape clips everything away: a rectangle of at most one pixel, or insets of at
/// least one half.
fn clips_everything(value: &[Token<'_>]) -> bool {
    let [Token::Function(shape), arguments @ ..] = value else { return false };
    let mut numbers = arguments.iter().filter(|token| **token != Token::Comma).peekable();
    if numbers.peek().is_none() {
        return false; // no shape, which is ignored
    }
    match &*shape.to_ascii_lowercase() {
        "rect" => numbers.all(|it| pixels(it).is_some_and(|pixels| pixels.abs() <= 1.0)),
        "inset" => numbers.all(|it| share(it).is_some_and(|share| share >= 0.5)),
        "circle" | "polygon" => numbers.all(is_zero),
        _ => false,
    }
}

// The style that text inherits from the elements around it, and whether it is readable.

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct InheritedStyle {
    invisible: bool,
    pub(super) tiny: bool,
    text_color: Paint,
    /// The colour of its shadow or outline; transparent if it has none.
    shadow: Paint,
    background: Paint,
    /// Whether text runs from right to left.
    reverses: bool,
}

impl InheritedStyle {
    /// Returns the style of a page without declarations. If some of its rules are missing here, the
    /// background is unknown: they may set one on which text of any colour is readable.
    pub(super) fn of_page(sheet: &StyleSheet) -> Self {
        Self {
            invisible: false,
            tiny: false,
            text_color: Paint::Other,
            shadow: Paint::None,
            background: if sheet.has_external { Paint::Other } else { Paint::WHITE },
            reverses: false,
        }
    }

    pub(super) fn within(self, computed_style: &ComputedStyle) -> Self {
        let is = |property, value, inherited| {
            computed_style.get(property).map_or(inherited, |it| it == value)
        };
        let paint = |property, inherited| match computed_style.get(property) {
            Some(Value::Painted(Paint::None)) if property == "background" => inherited,
            Some(Value::Painted(paint)) => paint,
            _ => inherited,
        };
        Self {
            invisible: is("visibility", Value::Hides, self.invisible),
            tiny: is("font-size", Value::Hides, self.tiny),
            text_color: paint("color", self.text_color),
            shadow: paint("text-shadow", self.shadow),
            background: paint("background", self.background),
            reverses: is("direction", Value::Reverses, self.reverses),
        }
    }

    /// Returns the same style, made readable.
    pub(super) fn shown(self) -> Self {
        let is_lost = self.text_color.is_indistinguishable_on(self.background);
        let text_color = if is_lost { Paint::Other } else { self.text_color };
        Self { invisible: false, tiny: false, text_color, ..self }
    }

    pub(super) fn hides(self) -> bool {
        let is_lost = |color: Paint| color.is_indistinguishable_on(self.background);
        self.invisible || self.tiny || is_lost(self.text_color) && is_lost(self.shadow)
    }

    /// Reports whether text in this style is white on a background that is unknown because of rules
    /// that are missing here, or of a picture.
    fn may_hide(self) -> bool {
        let is_light = self.text_color.is_indistinguishable_on(Paint::WHITE);
        is_light && self.background == Paint::Other && self.shadow == Paint::None
    }

    /// Reports whether an element with this style, within text of this one, reverses its letters.
    pub(super) fn overrides(self, computed_style: &ComputedStyle) -> bool {
        self.reverses && computed_style.get("unicode-bidi") == Some(Value::Reverses)
    }
}

/// Returns the style of an element, from its attributes, the rules of the page, and its own
/// `style`.
pub(super) fn computed_style(element: &Element, sheet: &StyleSheet) -> ComputedStyle {
    let mut computed_style = ComputedStyle::default();
    for rules in sheet.rules_of(element) {
        computed_style.join(&rules.style);
    }
    let mut hint = |property, value: Option<Value>| {
        if let Some(value) = value {
            computed_style.set(property, value, CascadePriority::default());
        }
    };
    let direction = element
        .attr_ref(local_name!("dir"))
        .map(|it| if it.eq_ignore_ascii_case("rtl") { Value::Reverses } else { Value::Plain });
    hint("direction", direction);
    hint("unicode-bidi", (&*element.name.local == "bdo").then_some(Value::Reverses));
    let hidden = element.attr_ref(local_name!("hidden"));
    let hidden = hidden.filter(|when| !when.eq_ignore_ascii_case("until-found"));
    hint("display", hidden.map(|_| Value::Hides));
    let color = match &*element.name.local {
        "font" => element.attr_ref(local_name!("color")),
        "body" => element.attr_ref(local_name!("text")),
        _ => None,
    };
    let paint = |color| Value::Painted(parse_legacy_color(color));
    hint("color", color.map(paint));
    hint("background", element.attr_ref(local_name!("bgcolor")).map(paint));
    let image = element.attr_ref(local_name!("background"));
    hint("background", image.map(|_| Value::Painted(Paint::Other)));
    let mut style = Parser::new(attribute(element, local_name!("style")));
    computed_style.join(&ComputedStyle::read(&mut style, INLINE, 0));
    computed_style
}

// Colours of CSS and of old attributes.

impl Paint {
    /// Reports whether text of this paint is indistinguishable from a background of that paint.
    fn is_indistinguishable_on(self, background: Self) -> bool {
        match (self, background) {
            (Self::Rgb(text_color), Self::Rgb(background)) => {
                text_color.iter().zip(background).all(|(one, other)| one.abs_diff(other) <= 5)
            }
            (Self::None, background) => background != Self::Other,
            _ => false,
        }
    }
}

/// Returns the paint of the value of a declaration: its first colour, or unknown if it has an
/// image, which may cover any colour.
fn parse_color(value: &[Token<'_>]) -> Paint {
    let mut paint = None;
    for (place, token) in value.iter().enumerate() {
        let found = match token {
            Token::Hash(digits) | Token::IDHash(digits) => hex_color(digits),
            Token::Ident(word) if matches!(&**word, "transparent" | "none") => Some(Paint::None),
            Token::Ident(word) if word.eq_ignore_ascii_case("canvas") => Some(Paint::WHITE),
            Token::Ident(word) => named_color(word),
            Token::Function(name) if matches!(&**name, "rgb" | "rgba") => {
                return rgb_function(&value[place + 1..]);
            }
            Token::UnquotedUrl(_) | Token::Function(_) => return Paint::Other,
            _ => None,
        };
        paint = paint.or(found);
    }
    paint.unwrap_or(Paint::Other)
}

/// Returns the paint of the shadow or the outline of letters: transparent if it has no width, or the
/// colour of the letters.
fn parse_shadow(value: &[Token<'_>]) -> Paint {
    let has_width = value.iter().filter_map(pixels).any(|pixels| pixels.abs() > 0.0);
    let is_colour = |token: &Token<'_>| {
        matches!(token, Token::Hash(_) | Token::IDHash(_) | Token::Ident(_) | Token::Function(_))
    };
    if has_width && value.iter().any(is_colour) { parse_color(value) } else { Paint::None }
}

/// Returns the paint of an attribute such as `bgcolor`: a name, or hexadecimal digits with or
/// without `#`.
fn parse_legacy_color(value: &str) -> Paint {
    let value = value.trim();
    let hex = || hex_color(value.trim_start_matches('#'));
    named_color(value).or_else(hex).unwrap_or(Paint::Other)
}

fn named_color(name: &str) -> Option<Paint> {
    parse_named_color(name).ok().map(|(red, green, blue)| Paint::Rgb([red, green, blue]))
}

fn hex_color(digits: &str) -> Option<Paint> {
    let (red, green, blue, opacity) = parse_hash_color(digits.as_bytes()).ok()?;
    Some(with_opacity([red, green, blue], opacity))
}

fn with_opacity(colour: [u8; 3], opacity: f32) -> Paint {
    if opacity < 0.02 {
        Paint::None
    } else if opacity > 0.98 {
        Paint::Rgb(colour)
    } else {
        Paint::Other
    }
}

/// Returns the paint of `rgb()`, from the tokens that begin with its arguments.
fn rgb_function(arguments: &[Token<'_>]) -> Paint {
    let channel = |token: &Token<'_>| {
        let value = share(token).map(|share| share * 255.0).or(pixels(token));
        clamp_floor_256_f32(value.unwrap_or_default())
    };
    let is_number = |it: &&Token<'_>| share(it).or(pixels(it)).is_some();
    match arguments.iter().filter(is_number).collect::<Vec<_>>()[..] {
        [red, green, blue, ref rest @ ..] => {
            let opacity = rest.first().and_then(|it| share(it).or(pixels(it)));
            with_opacity([red, green, blue].map(channel), opacity.unwrap_or(1.0))
        }
        _ => Paint::Other,
    }
}

// Reads the style sheets of a page, and finds the rules for an element.

/// The largest number of elements that selectors are matched against, with all that one match looks
/// at; beyond it, a selector matches all elements with the name, class or id of its last part.
const MAX_MATCHED: usize = 10_000_000;

#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    /// By selector: `p`, `.note`, `p.note`, `#top`, `p#top`, `*`.
    rules: BTreeMap<String, Rules>,
    read: u32,
    /// The number of elements that selectors were matched against.
    matched: Cell<usize>,
    /// Whether the page has more rules, which are missing here.
    pub(super) has_external: bool,
}

/// The rules for the elements that a selector of one element matches.
#[derive(Debug, Default)]
struct Rules {
    /// What they set, and what rules that are not evaluated set for some of these elements.
    style: ComputedStyle,
    /// The selectors of rules that are not evaluated and may hide some of these elements, and whether
    /// one match may look at all elements of a page.
    doubtful: Vec<(Matcher, bool)>,
}

impl StyleSheet {
    /// Adds the rules of a style sheet for some media, or for all media if `media` is empty.
    pub(super) fn add(&mut self, style: &str, media: &str) {
        if let Some(applies) = applies_to(media) {
            let style = style.trim_start().trim_start_matches("<!--");
            self.add_rules(&mut Parser::new(style), applies);
        }
    }

    /// Reports whether something that is not evaluated may hide an element. `style` is what applies
    /// to the element, and `inherited` the style of its text.
    pub(super) fn may_hide(
        &self,
        node: NodeRef<'_>,
        element: &Element,
        style: &ComputedStyle,
        inherited: InheritedStyle,
    ) -> bool {
        let matches = |(matcher, is_wide): &(Matcher, bool)| {
            let count = if *is_wide { node.tree.len() } else { node.ancestors_it(None).count() };
            self.matched.set(self.matched.get() + 1 + count);
            self.matched.get() > MAX_MATCHED || matcher.match_element(&node)
        };
        let is_colored = style.get("color").is_some() && style.get("background").is_none();
        style.may_hide()
            || is_colored && inherited.may_hide()
            || self.rules_of(element).any(|rules| rules.doubtful.iter().any(matches))
    }

    fn rules_of(&self, element: &Element) -> impl Iterator<Item = &Rules> {
        let name = &*element.name.local;
        let classes = attribute(element, local_name!("class")).split_ascii_whitespace();
        let classes = classes.flat_map(move |it| [format!(".{it}"), format!("{name}.{it}")]);
        let id = attribute(element, local_name!("id"));
        let ids = [format!("#{id}"), format!("{name}#{id}")];
        let keys = ["*".to_owned(), name.to_owned()].into_iter().chain(ids).chain(classes);
        keys.take_while(|_| !self.rules.is_empty()).filter_map(|key| self.rules.get(&key))
    }

    /// Adds the rules of a style sheet, or those within a block, whose condition is met or unknown.
    fn add_rules(&mut self, parser: &mut Parser<'_>, around: bool) {
        parser.skip_whitespace();
        let mut start = parser.position();
        while let Ok(token) = parser.next() {
            let is_block = *token == Token::CurlyBracketBlock;
            if !is_block && *token != Token::Semicolon {
                continue;
            }
            let prelude = parser.slice_from(start).trim_end_matches(['{', ';']);
            let at_rule = prelude.to_ascii_lowercase();
            self.has_external |= at_rule.starts_with("@import");
            if is_block {
                let media = at_rule.strip_prefix("@media");
                let applies = media.map_or(Some(false), applies_to);
                // Blocks that are nested beyond the limit of the parser are skipped.
                let _: Result<(), ParseError<()>> = parser.parse_nested_block(|block| {
                    if !at_rule.starts_with('@') {
                        self.add_rule(block, prelude, around);
                    } else if let Some(applies) = applies {
                        self.add_rules(block, around && applies);
                    }
                    Ok(())
                });
            }
            parser.skip_whitespace();
            start = parser.position();
        }
    }

    /// Adds the rule with these selectors, and those within it.
    fn add_rule(&mut self, block: &mut Parser<'_>, selectors: &str, applies: bool) {
        self.read = self.read.saturating_add(1);
        let (start, state) = (block.position(), block.state());
        let style = ComputedStyle::read(block, 0, self.read);
        let has_rules = block.slice_from(start).contains('{');
        if has_rules {
            block.reset(&state);
            self.add_rules(block, false);
        }
        if style.0.is_empty() {
            return;
        }
        let selectors = Parser::new(selectors)
            .parse_comma_separated(|it| -> Result<_, ParseError<()>> { Ok(read_selector(it)) });
        for (text, keys, rank) in selectors.into_iter().flatten() {
            // Rules within the rule may show what it hides.
            let rank = rank.filter(|_| applies && !has_rules);
            let is_wide =
                text.contains(['~', '(']) || text.to_ascii_lowercase().contains("of-type");
            for key in keys {
                // A selector that is not understood matches all elements with its key.
                let other = if key == "*" || is_momentary(text) { "" } else { &key };
                let matcher = || Matcher::new(text.trim()).or_else(|_| Matcher::new(other)).ok();
                let is_doubtful = rank.is_none() && style.hides_some();
                let matcher = is_doubtful.then(matcher).flatten();
                let rules = self.rules.entry(key).or_default();
                rules.style.join(&style.with_rank(rank.unwrap_or(NOT_EVALUATED)));
                rules.doubtful.extend(matcher.map(|matcher| (matcher, is_wide)));
            }
        }
    }
}

/// Reports whether rules for these media apply; rules for which that is not known are not evaluated.
/// `None` if they apply on paper only, or for readers with a preference such as dark pages: they are
/// ignored.
fn applies_to(media: &str) -> Option<bool> {
    let media = media.trim().to_ascii_lowercase();
    let is_ignored = |it: &str| ["print", "speech", "prefers-"].iter().any(|no| it.contains(no));
    match &*media {
        "" | "all" | "screen" => Some(true),
        _ if !media.contains("not") && media.split(',').all(is_ignored) => None,
        _ => Some(false),
    }
}

/// Reports whether a selector that is not understood is one of a part of an element, or of an element
/// that its reader points at.
fn is_momentary(selector: &str) -> bool {
    let parts = ["::", ":before", ":after", ":first-l", ":focus", ":target", ":-"];
    parts.into_iter().any(|part| selector.contains(part))
}

/// Reads a selector. Returns its text, the keys of the elements that it may match, and its rank; no
/// rank if it is not evaluated.
fn read_selector<'t>(parser: &mut Parser<'t>) -> (&'t str, Vec<String>, Option<u8>) {
    let start = parser.position();
    let mut last: Vec<String> = Vec::new();
    let (mut is_all, mut is_next, mut before) = (true, false, Token::Comma);
    while let Ok(token) = parser.next_including_whitespace().cloned() {
        let ends = matches!(token, Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~'));
        if is_next && !ends {
            is_all &= last.is_empty();
            last.clear();
        }
        is_next = ends;
        match (before, &token) {
            (Token::Delim('.'), Token::Ident(class)) => last.push(format!(".{class}")),
            (Token::Colon, Token::Ident(word)) if &**word == "root" => last.push("html".to_owned()),
            (Token::Colon, Token::Ident(_)) => is_all = false,
            (_, Token::Ident(name)) => last.push(name.to_ascii_lowercase()),
            (_, Token::IDHash(id)) => last.push(format!("#{id}")),
            (_, Token::Delim('*')) => last.push("*".to_owned()),
            (_, Token::Delim('.') | Token::Colon) => {}
            _ => is_all &= ends,
        }
        before = token;
    }
    let text = parser.slice_from(start);
    let rank = |part: &String| match part.as_bytes() {
        [b'*', ..] => 0,
        [b'.', ..] => 2,
        [b'#', ..] => 4,
        _ => 1,
    };
    let rank_of_all = match &last[..] {
        [part] if is_all => Some(rank(part)),
        [name, part] if is_all && rank(name) == 1 && rank(part) > 1 => Some(1 + rank(part)),
        _ => None,
    };
    if rank_of_all.is_some() {
        last = vec![last.concat()];
    } else if last.iter().any(|part| rank(part) > 1) {
        last.retain(|part| rank(part) > 1);
    } else if last.is_empty() && !is_momentary(text) && !text.contains('&') {
        last.push("*".to_owned());
    }
    (text, last, rank_of_all)
}

#[cfg(test)]
mod color_tests {
    use cssparser::Parser;

    use super::*;

    fn declared(value: &str) -> Option<Value> {
        let style = format!("background: {value}");
        ComputedStyle::read(&mut Parser::new(&style), 0, 0).get("background")
    }

    #[test]
    fn paints_are_read_as_they_are_written() {
        #[rustfmt::skip]
        let table = [
            ("a name",            "white",                         Paint::WHITE),
            ("in capitals",       "WHITE",                         Paint::WHITE),
            ("digits",            "#ffffff",                       Paint::WHITE),
            ("short digits",      "#08f",                          Paint::Rgb([0, 0x88, 0xff])),
            ("with opacity",      "#fff0",                         Paint::None),
            ("numbers",           "rgb(254, 254, 255)",            Paint::Rgb([254, 254, 255])),
            ("without commas",    "rgb(0 128 255 / 1)",            Paint::Rgb([0, 128, 255])),
            ("shares",            "rgb(100%, 0%, 20%)",            Paint::Rgb([255, 0, 51])),
            ("nearly nothing",    "rgba(0, 0, 0, 0.01)",           Paint::None),
            ("half",              "rgba(0, 0, 0, 0.5)",            Paint::Other),
            ("nothing",           "transparent",                   Paint::None),
            ("a picture",         "#fff url(a.png)",               Paint::Other),
            ("a quoted picture",  "#fff url('a.png')",             Paint::Other),
            ("a gradient",        "linear-gradient(#fff, #000)",   Paint::Other),
            ("a variable",        "var(--paper)",                  Paint::Other),
            ("after a word",      "no-repeat #fff",                Paint::WHITE),
        ];
        for (why, value, want) in table {
            assert_eq!(declared(value), Some(Value::Painted(want)), "{why}");
        }
        for (attribute, want) in [
            ("white", Paint::WHITE),
            (" #FFFFFF ", Paint::WHITE),
            ("ffffff", Paint::WHITE),
            ("nowhere", Paint::Other),
        ] {
            assert_eq!(parse_legacy_color(attribute), want, "{attribute}");
        }
    }

    #[test]
    fn letters_are_lost_on_their_own_colour() {
        let near = Paint::Rgb([250; 3]);
        let far = Paint::Rgb([249, 255, 255]);
        #[rustfmt::skip]
        let table = [
            ("white on white",         Paint::WHITE,   Paint::WHITE,       true),
            ("nearly",                 near,           Paint::WHITE,       true),
            ("a little darker",        far,            Paint::WHITE,       false),
            ("clear on white",         Paint::None,   Paint::WHITE,       true),
            ("clear over a picture",   Paint::None,   Paint::Other,     false),
            ("white on what not",      Paint::WHITE,   Paint::Other,     false),
            ("what not on white",      Paint::Other, Paint::WHITE,       false),
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
