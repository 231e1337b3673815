//! What a document of Word says about the look of a run.

use super::super::look::{Ground, Look, is_white};
use super::super::xml::Element;

/// The largest size, in half points, that nobody can read.
const TINY: u32 = 2;

/// Adds what one property of a run says (ECMA-376, part 1, 17.3.2).
pub(super) fn add(look: &mut Look, property: &Element) {
    let value = property.attribute("val");
    let value = value.as_deref().unwrap_or_default();
    match property.name() {
        "vanish" => look.hidden = Some(!matches!(value, "0" | "false" | "off")),
        "color" => look.white = Some(is_white(value) == Some(true)),
        "sz" => look.tiny = value.parse().ok().map(|size: u32| size <= TINY),
        "highlight" if value != "none" => look.ground = Some(Ground::of(value == "white")),
        "shd" => look.ground = look.ground.or(shade(property)), // a highlight lies above it
        _ => {}
    }
}

/// The ground that a shading lays; none where it is `auto`.
pub(super) fn shade(shading: &Element) -> Option<Ground> {
    let pattern = shading.attribute("val");
    let fill = match pattern.as_deref() {
        Some("nil") => return None,
        // All of it is in the colour of the pattern, and `auto` is black there.
        Some("solid") => {
            let colour = shading.attribute("color");
            let white = is_white(colour.as_deref().unwrap_or_default());
            return Some(Ground::of(white.unwrap_or(false)));
        }
        None | Some("clear") => shading.attribute("fill"),
        Some(_) => return Some(Ground::Other),
    };
    is_white(fill.as_deref().unwrap_or_default()).map(Ground::of)
}

/// The ground that the page's colour lays.
pub(super) fn page(background: &Element) -> Option<Ground> {
    is_white(background.attribute("color").as_deref().unwrap_or_default()).map(Ground::of)
}
