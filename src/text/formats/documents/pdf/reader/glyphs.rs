//! Collects the glyphs that a page draws.
//!
//! Input: what the interpreter draws, in order. Output: each glyph with its letters, its place, and
//! how a reader sees it. Coordinates are points from the upper left corner of the visible part of
//! the page, downwards, after its rotation.

use std::collections::HashMap;

use encoding_rs::Encoding;

use hayro_interpret::font::{Glyph as Drawn, GlyphRun};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::hayro_syntax::object::{Dict, String as PdfString};
use hayro_interpret::kurbo::{
    Affine, BezPath, Point, Rect, Shape, Stroke, StrokeOpts, Vec2, stroke,
};
use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint as Ink, SoftMask,
};

use super::canvas::{Canvas, PICTURE, Painted};
use super::fonts::Fonts;
use super::lines::is_wide;
use crate::text::formats::documents::{Paint, RunStyle, Sight};

/// The largest opacity of something nearly transparent, and the smallest of something that hides
/// what is below it.
const TRANSPARENT: f64 = 0.1;
const OPAQUE: f64 = 0.9;

/// The size of the em square in the coordinates of a glyph.
const EM: f64 = 1000.0;

/// The largest share of its size by which a glyph that is drawn twice moves: in bold type that is
/// imitated, and in shadows.
const MAX_SHIFT: f64 = 0.1;

/// The smallest share of the page that the picture of a scanned page takes.
const SCAN: f64 = 0.5;

/// The smallest width of a line that is the background of words, in points.
const MIN_BAND: f64 = 4.0;

/// A glyph.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    pub(super) letters: String,
    /// Where its baseline begins.
    pub(super) origin: Point,
    /// The way from there to the next glyph.
    pub(super) advance: Vec2,
    /// The size of the type in points.
    pub(super) size: f64,
    pub(super) is_vertical: bool,
    style: RunStyle,
    /// The number of areas painted before it.
    time: u32,
    /// Whether it is only in the file to be searched, as below the picture of a scanned page.
    is_unpainted: bool,
}

impl Glyph {
    /// Gives the glyphs of a page with vertical lines of Chinese or Japanese, each of which may be
    /// drawn like a horizontal line of one letter, the direction of these lines.
    pub(super) fn set_vertically(glyphs: &mut [Self]) {
        let is_wide = |glyph: &Self| is_wide(&glyph.letters) && !glyph.is_vertical;
        let is_below = |one: &Self, next: &Self| {
            let way = (next.origin - one.origin) / one.size.max(f64::MIN_POSITIVE);
            way.x.abs() < 0.3 && (0.8..2.0).contains(&way.y)
        };
        let pairs = glyphs.windows(2).filter(|pair| pair.iter().all(is_wide));
        let (below, all) = pairs.fold((0, 0), |(below, all), pair| {
            (below + usize::from(is_below(&pair[0], &pair[1])), all + 1)
        });
        if 2 * below <= all {
            return;
        }
        for glyph in glyphs.iter_mut().filter(|glyph| is_wide(glyph)) {
            glyph.origin += glyph.advance / 2.0 - Vec2::new(0.0, 0.88 * glyph.size);
            glyph.advance = Vec2::new(0.0, glyph.size);
            glyph.is_vertical = true;
        }
    }

    /// Reports whether another glyph goes on where this one ends.
    fn touches(&self, next: &Self) -> bool {
        let is_near = (self.origin + self.advance - next.origin).hypot() < MAX_SHIFT * self.size;
        is_near && !self.is_blank() && !next.is_blank()
    }

    fn is_blank(&self) -> bool {
        self.letters.trim().is_empty()
    }

    /// Reports whether it is off the visible part of the page.
    fn is_clipped(&self) -> bool {
        self.style.hidden == Some(true)
    }

    /// Returns a place within the glyph.
    fn centre(&self) -> Point {
        let across = Vec2::new(self.advance.y, -self.advance.x);
        let length = across.hypot().max(f64::MIN_POSITIVE);
        let rise = if self.is_vertical { 0.0 } else { 0.25 * self.size };
        self.origin + self.advance / 2.0 + across / length * rise
    }
}

/// What a page draws.
pub(super) struct Page<'f> {
    /// The glyphs in the order in which they are drawn.
    pub(super) glyphs: Vec<Glyph>,
    /// The number of words that its `/ActualText` replaces by others.
    pub(super) replaced: usize,
    /// The number of glyphs of fonts that do not name their characters, and of those among them
    /// whose codes are taken for letters.
    pub(super) unnamed: usize,
    pub(super) guessed: usize,
    /// The number of letters that its `/ToUnicode` gives as others than its fonts.
    pub(super) belied: usize,
    /// The largest share of the page that one picture takes.
    pub(super) picture: f64,
    /// The number of bytes of letters that it may still have.
    pub(super) left: u64,
    fonts: &'f mut Fonts,
    canvas: Canvas,
    bounds: Rect,
    /// The visible part of the page at each level of clipping.
    clips: Vec<Rect>,
    /// The opacity at each level of groups.
    opacities: Vec<f64>,
    spans: Vec<Span>,
    /// The glyphs at a place of the page, by their letters.
    places: HashMap<(i64, i64, char), usize>,
}

/// A marked part of the content.
struct Span {
    /// The text that stands for what is drawn in it.
    actual_text: Option<String>,
    /// Whether such a text stands for it or for a part that it is within.
    is_replaced: bool,
    /// The number of glyphs drawn before it.
    begin: usize,
}

impl<'f> Page<'f> {
    /// Returns an empty page of a size in points, which may have a number of bytes of letters.
    pub(super) fn new([width, height]: [f64; 2], max_bytes: u64, fonts: &'f mut Fonts) -> Self {
        let bounds = Rect::new(0.0, 0.0, width, height);
        Self {
            glyphs: Vec::new(),
            replaced: 0,
            unnamed: 0,
            guessed: 0,
            belied: 0,
            picture: 0.0,
            left: max_bytes,
            fonts,
            canvas: Canvas::new(width, height),
            bounds,
            clips: vec![bounds],
            opacities: vec![1.0],
            spans: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Returns the glyphs that a reader sees, and those that none sees, each in the order in which
    /// they are drawn.
    pub(super) fn take_glyphs(&mut self) -> [Vec<Glyph>; 2] {
        let glyphs = std::mem::take(&mut self.glyphs);
        // A word that the edge of the page cuts is seen.
        let are_seen = glyphs.chunk_by(Glyph::touches).flat_map(|word| {
            let are_seen: Vec<bool> = word.iter().map(|glyph| self.is_seen(glyph)).collect();
            let is_cut = are_seen.contains(&true);
            let glyphs = word.iter().zip(are_seen);
            glyphs.map(move |(glyph, is_seen)| is_seen || is_cut && glyph.is_clipped())
        });
        let are_seen: Vec<bool> = are_seen.collect();
        let [mut seen, mut hidden] = [const { Vec::new() }; 2];
        for (glyph, is_seen) in glyphs.into_iter().zip(are_seen) {
            if is_seen { seen.push(glyph) } else { hidden.push(glyph) }
        }
        [seen, hidden]
    }

    fn is_seen(&self, glyph: &Glyph) -> bool {
        let is_blank = glyph.is_blank();
        let is_scan = self.picture >= SCAN;
        let painted = self.canvas.at(glyph.centre());
        let on_picture = painted.is_some_and(|it| it.is_picture);
        if is_blank || glyph.is_unpainted {
            return is_blank || is_scan || on_picture;
        }
        let is_covered = painted.is_some_and(|it| it.time > glyph.time) && !(is_scan && on_picture);
        let hidden = glyph.is_clipped() || is_covered;
        RunStyle { hidden: Some(hidden), ..glyph.style }.sight() == Sight::Seen
    }

    fn clip(&self) -> Rect {
        self.clips.last().copied().unwrap_or(self.bounds)
    }

    fn opacity(&self) -> f64 {
        self.opacities.last().copied().unwrap_or(1.0)
    }

    /// Returns what an ink paints, and how much it hides what is below it.
    fn painted(&self, ink: &Ink, blend_mode: BlendMode) -> (Paint, f64) {
        let (paint, opacity) = match ink {
            Ink::Color(colour) => {
                let [red, green, blue, alpha] = colour.to_rgba().to_rgba8();
                (Paint::Rgb([red, green, blue]), f64::from(alpha) / 255.0 * self.opacity())
            }
            Ink::Pattern(_) => (Paint::Other, self.opacity()),
        };
        match (blend_mode, opacity) {
            (_, ..TRANSPARENT) => (Paint::None, opacity),
            (BlendMode::Normal, OPAQUE..) => (paint, opacity),
            _ => (Paint::Other, opacity),
        }
    }

    /// Paints an area.
    fn fill(&mut self, path: &BezPath, ink: &Ink, blend_mode: BlendMode) {
        let (paint, opacity) = self.painted(ink, blend_mode);
        let covers = blend_mode == BlendMode::Normal && opacity >= OPAQUE;
        if paint != Paint::None && covers {
            let painted = Painted { paint, is_picture: false, time: 0 };
            self.canvas.fill(path, self.clip(), painted);
        }
    }

    /// Reports whether a text stands for what is drawn.
    fn is_replaced(&self) -> bool {
        self.spans.last().is_some_and(|span| span.is_replaced)
    }

    /// Returns the letters of a glyph. Counts those that its font does not name, and those that it
    /// names otherwise than `/ToUnicode`.
    fn letters(&mut self, glyph: &Drawn<'_>, program: Option<u128>) -> String {
        let given = match glyph.as_unicode() {
            Some(BfString::Char(letter)) => Some(String::from(letter)),
            Some(BfString::String(letters)) => Some(letters),
            None => None,
        };
        let shown = match glyph {
            Drawn::Outline(glyph) => self.fonts.otherwise(glyph, program, given.as_deref()),
            Drawn::Type3(_) => None,
        };
        let letters = match shown.map(String::from).or_else(|| given.clone()) {
            Some(letters) => {
                self.belied += usize::from(shown.is_some() && given.is_some());
                letters
            }
            None if self.is_replaced() => String::new(),
            None => {
                self.unnamed += 1;
                let letter = u8::try_from(glyph.char_code()).ok().map(char::from);
                let is_bitmap = matches!(glyph, Drawn::Type3(_));
                let letter = letter.filter(|letter| is_bitmap && !letter.is_control());
                self.guessed += usize::from(letter.is_some());
                letter.map(String::from).unwrap_or_default()
            }
        };
        letters.chars().filter(|letter| !letter.is_control() || letter.is_whitespace()).collect()
    }

    /// Adds a glyph, unless the same one was drawn at nearly the same place.
    fn add(&mut self, glyph: Glyph) {
        let length = glyph.letters.len() as u64;
        let Some(left) = self.left.checked_sub(length) else {
            self.left = 0;
            return;
        };
        let first = glyph.letters.chars().next().unwrap_or_default();
        let step = (MAX_SHIFT * glyph.size).max(f64::MIN_POSITIVE);
        let [column, row] = [glyph.origin.x, glyph.origin.y].map(|it| nearest(it / step));
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        let same = near.filter_map(|(dx, dy)| {
            self.places.get(&(column.saturating_add(dx), row.saturating_add(dy), first)).copied()
        });
        // After a replacement, a number may belong to another glyph.
        let same = same.filter(|at| {
            self.glyphs.get(*at).is_some_and(|it| {
                it.letters == glyph.letters && (it.origin - glyph.origin).hypot() < step
            })
        });
        let same = same.min();
        let is_plain = |it: &Glyph| !it.is_unpainted && it.style.sight() == Sight::Seen;
        match same {
            _ if glyph.is_blank() => self.glyphs.push(glyph),
            Some(at) if is_plain(&self.glyphs[at]) || !is_plain(&glyph) => {}
            Some(at) => {
                // What was hidden is drawn again where all see it.
                let known = &mut self.glyphs[at];
                (known.style, known.time, known.is_unpainted) = (glyph.style, glyph.time, false);
            }
            None => {
                self.places.insert((column, row, first), self.glyphs.len());
                self.left = left;
                self.glyphs.push(glyph);
            }
        }
    }

    /// Replaces the glyphs of a span by its `/ActualText`, unless what they show is another word.
    fn replace(&mut self, actual_text: &str, begin: usize) {
        let Some(glyphs @ [first, ..]) = self.glyphs.get(begin..) else { return };
        let drawn: String = glyphs.iter().map(|it| it.letters.as_str()).collect();
        let of = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
        if of(&drawn) == of(actual_text) {
            return;
        }
        let letters = |text: &str| -> Option<Vec<u8>> {
            let is_text = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
            let letters = text.bytes().filter(u8::is_ascii_alphabetic);
            let letters: Vec<u8> = letters.map(|letter| letter.to_ascii_lowercase()).collect();
            (text.bytes().all(is_text) && !letters.is_empty()).then_some(letters)
        };
        if let (Some(said), Some(shown)) = (letters(actual_text), letters(&drawn))
            && said != shown
        {
            self.replaced += actual_text.split_whitespace().count();
            return;
        }
        let length = |glyph: &&Glyph| glyph.advance.hypot();
        let widest = |one: &&Glyph, other: &&Glyph| length(one).total_cmp(&length(other));
        let widest = glyphs.iter().max_by(widest).unwrap_or(first);
        let way = widest.advance / length(&widest).max(f64::MIN_POSITIVE);
        // From the first to the last edge, in whichever order they are drawn.
        let is_on_line = |it: &&Glyph| way.cross(it.origin - widest.origin).abs() <= widest.size;
        let edges =
            glyphs.iter().filter(is_on_line).flat_map(|it| [it.origin, it.origin + it.advance]);
        let (from, to) = edges
            .map(|edge| way.dot(edge - widest.origin))
            .fold((0.0_f64, 0.0_f64), |(from, to), edge| (from.min(edge), to.max(edge)));
        let origin = widest.origin + way * from;
        let advance = way * (to - from);
        let letters = actual_text.to_owned();
        let replaced = Glyph { letters, origin, advance, ..widest.clone() };
        self.glyphs.truncate(begin);
        self.add(replaced);
    }
}

impl<'a> Device<'a> for Page<'_> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, draw_mode: &DrawMode) {
        let path = match draw_mode {
            DrawMode::Stroke(line) => {
                let [a, b, c, d, ..] = props.transform.as_coeffs();
                let width = f64::from(line.line_width);
                if width * (a * d - b * c).abs().sqrt() < MIN_BAND || path.elements().len() > 100 {
                    return;
                }
                stroke(path.iter(), &Stroke::new(width), &StrokeOpts::default(), 0.5)
            }
            _ => path.clone(),
        };
        self.fill(&(props.transform * path), &props.paint, props.blend_mode);
    }

    fn push_clip_path(&mut self, clip_path: &ClipPath) {
        let bounds = clip_path.path.bounding_box();
        self.push_clip_rect(&bounds);
    }

    fn push_clip_rect(&mut self, rect: &Rect) {
        let clip = self.clip().intersect(*rect);
        self.clips.push(clip);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn push_transparency_group(&mut self, opacity: f32, _: Option<SoftMask<'a>>, _: BlendMode) {
        self.opacities.push(self.opacity() * f64::from(opacity));
    }

    fn pop_transparency_group(&mut self) {
        self.opacities.pop();
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let size = [image.width(), image.height()].map(f64::from);
        let area =
            (props.transform * Rect::new(0.0, 0.0, size[0], size[1]).to_path(0.1)).bounding_box();
        let visible = area.intersect(self.clip());
        let share = visible.area() / self.bounds.area().max(1.0);
        if self.opacity() <= TRANSPARENT || share.is_nan() || share <= 0.0 {
            return;
        }
        self.picture = self.picture.max(share);
        self.canvas.fill(&area.to_path(0.1), self.clip(), PICTURE);
    }

    fn draw_glyph_run(
        &mut self,
        run: &GlyphRun<'_, 'a>,
        props: DrawProps<'a>,
        draw_mode: &DrawMode,
    ) {
        let (paint, _) = self.painted(&props.paint, props.blend_mode);
        let is_unpainted = matches!(draw_mode, DrawMode::Invisible);
        let setting = Setting::of_run(run);
        // All glyphs of a run are of one font.
        let program = match run.glyphs().first().map(|glyph| &**glyph) {
            Some(Drawn::Outline(glyph)) => self.fonts.program(glyph),
            _ => None,
        };
        for drawn in run.glyphs() {
            let transform = props.transform * drawn.transform();
            let glyph = place(drawn, transform, &setting);
            let is_placed =
                glyph.origin.is_finite() && glyph.advance.is_finite() && glyph.size.is_finite();
            let letters = self.letters(drawn, program);
            if !is_placed || letters.is_empty() && !self.is_replaced() {
                continue;
            }
            let centre = glyph.centre();
            let clip = self.clip();
            let is_clipped = Rect::from_center_size(centre, (glyph.size, glyph.size))
                .intersect(clip)
                .is_zero_area();
            let style = RunStyle {
                hidden: Some(is_clipped),
                colour: Some(paint),
                background: self.canvas.at(centre).map(|it| it.paint),
                size: Some(hundredths(glyph.size)),
                ..RunStyle::default()
            };
            let time = self.canvas.time;
            self.add(Glyph { letters, style, time, is_unpainted, ..glyph });
        }
    }

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        let actual_text = properties.and_then(|it| it.get::<PdfString<'_>>(b"ActualText"));
        let is_inner = self.is_replaced();
        let actual_text = actual_text.filter(|_| !is_inner).map(|it| text_string(it.as_bytes()));
        let is_replaced = is_inner || actual_text.is_some();
        self.spans.push(Span { actual_text, is_replaced, begin: self.glyphs.len() });
    }

    fn end_marked_content(&mut self) {
        if let Some(Span { actual_text: Some(actual_text), begin, .. }) = self.spans.pop() {
            self.replace(&actual_text, begin);
        }
    }
}

/// How the glyphs of a run are set.
struct Setting {
    is_vertical: bool,
    /// Whether they are those of a font in place of its own, stretched to the widths that the PDF
    /// gives.
    is_stretched: bool,
}

impl Setting {
    fn of_run(run: &GlyphRun<'_, '_>) -> Self {
        let widths = run.glyphs().iter().map(|glyph| {
            let [x, y] =
                [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)].map(|it| moved(glyph.transform(), it));
            x.hypot() / y.hypot().max(f64::MIN_POSITIVE)
        });
        let (least, most) = widths.fold((f64::INFINITY, 0.0_f64), |(least, most), width| {
            (least.min(width), most.max(width))
        });
        let is_vertical = run.writing_mode() == WritingMode::Vertical;
        Self { is_vertical, is_stretched: most > 1.01 * least }
    }
}

/// Returns where a glyph is drawn, without its letters.
fn place(drawn: &Drawn<'_>, transform: Affine, setting: &Setting) -> Glyph {
    let Setting { is_vertical, is_stretched } = *setting;
    let width = match drawn {
        Drawn::Outline(glyph) => glyph.advance_width(),
        Drawn::Type3(glyph) => glyph.advance_width(),
    };
    let width = f64::from(width.unwrap_or_default());
    let [x, y] = [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)].map(|it| moved(transform, it));
    let size = match drawn {
        Drawn::Outline(_) => y.hypot() * EM,
        // The units of such a font are its own: letters are about half as wide as high.
        Drawn::Type3(_) => (y.hypot() * EM).max(2.0 * (x * width).hypot()),
    };
    // The width is that of the PDF, and not to be stretched again.
    let x = if is_stretched { x / x.hypot().max(f64::MIN_POSITIVE) * y.hypot() } else { x };
    let (origin, advance) = if is_vertical {
        (transform * Point::new(0.5 * EM, 0.88 * EM), y * -EM)
    } else {
        (transform * Point::ORIGIN, x * width)
    };
    Glyph {
        letters: String::new(),
        origin,
        advance,
        size,
        is_vertical,
        style: RunStyle::default(),
        time: 0,
        is_unpainted: false,
    }
}

/// Returns a way after a transformation.
fn moved(transform: Affine, way: Vec2) -> Vec2 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    Vec2::new(a * way.x + c * way.y, b * way.x + d * way.y)
}

/// Decodes a text string (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a mark, else `PDFDocEncoding`,
/// whose letters are nearly those of Latin-1.
pub(super) fn text_string(bytes: &[u8]) -> String {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => {
            encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned()
        }
        None => encoding_rs::mem::decode_latin1(bytes).into_owned(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn nearest(number: f64) -> i64 {
    number.round() as i64
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn hundredths(points: f64) -> i32 {
    (points * 100.0).round() as i32
}
