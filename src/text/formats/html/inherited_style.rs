//! What letters inherit from the elements around them, and whether they can be read.

use dom_query::Element;
use html5ever::local_name;

use super::color::{Color, paint_of_attribute};
use super::computed_style::{ComputedStyle, Property, Rank, Value, Weight};
use super::element::attribute;
use super::sheet::Sheet;

/// What letters inherit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct InheritedStyle {
    invisible: bool,
    tiny: bool,
    letters: Color,
    ground: Color,
}

impl InheritedStyle {
    /// The ink of a page that says nothing. Where some of its rules are not in it, so that
    /// letters of any colour may have a ground to be read on, that ground is unknown.
    pub(super) fn of_page(sheet: &Sheet) -> Self {
        let ground = if sheet.is_whole() { Color::WHITE } else { Color::Unknown };
        Self { invisible: false, tiny: false, letters: Color::Unknown, ground }
    }

    /// The ink in an element.
    pub(super) fn within(self, looks: &ComputedStyle) -> Self {
        let hides = |property, inherited| match looks.get(property) {
            Some(value) => value == Value::Hides,
            None => inherited,
        };
        let paint = |property, inherited| match looks.get(property) {
            Some(Value::Color(Color::Clear)) if property == Property::Background => inherited,
            Some(Value::Color(paint)) => paint,
            _ => inherited,
        };
        Self {
            invisible: hides(Property::Visibility, self.invisible),
            tiny: hides(Property::FontSize, self.tiny),
            letters: paint(Property::Color, self.letters),
            ground: paint(Property::Background, self.ground),
        }
    }

    /// The same where it can be read.
    pub(super) fn shown(self) -> Self {
        let letters =
            if self.letters.is_lost_on(self.ground) { Color::Unknown } else { self.letters };
        Self { invisible: false, tiny: false, letters, ..self }
    }

    /// Whether letters in this ink cannot be read.
    pub(super) fn hides(self) -> bool {
        self.invisible || self.tiny || self.letters.is_lost_on(self.ground)
    }
}

/// How an element looks: by its attributes, the page's rules, and its own style.
pub(super) fn looks(element: &Element, sheet: &Sheet) -> ComputedStyle {
    let get = |name| attribute(element, name);
    let classes = get(local_name!("class"));
    let mut looks = sheet.looks(&element.name.local, get(local_name!("id")), classes);
    let hint = Weight::default();
    let hidden = element.attr_ref(local_name!("hidden"));
    if hidden.is_some_and(|when| !when.eq_ignore_ascii_case("until-found")) {
        looks.set(Property::Display, Value::Hides, hint);
    }
    let mut paint = |property, colour: Option<&str>| {
        if let Some(colour) = colour {
            looks.set(property, Value::Color(paint_of_attribute(colour)), hint);
        }
    };
    paint(Property::Background, element.attr_ref(local_name!("bgcolor")));
    match &*element.name.local {
        "font" => paint(Property::Color, element.attr_ref(local_name!("color"))),
        "body" => paint(Property::Color, element.attr_ref(local_name!("text"))),
        _ => {}
    }
    if element.attr_ref(local_name!("background")).is_some() {
        looks.set(Property::Background, Value::Color(Color::Unknown), hint);
    }
    let style = get(local_name!("style"));
    if !style.is_empty() {
        let weight = Weight { rank: Rank::Inline, ..Weight::default() };
        looks.join(&ComputedStyle::read(&mut cssparser::Parser::new(style), weight));
    }
    looks
}
