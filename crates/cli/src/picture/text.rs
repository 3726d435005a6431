//! Text on a picture, of DejaVu Sans: the letters of Latin-1, Greek, and signs of units.

use super::Color;
use super::film::Film;
use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};

/// Made of DejaVu Sans 2.37 by `pyftsubset`; its licence lies beside it.
const FONT: &[u8] = include_bytes!("../../font/DejaVuSans-Subset.ttf");
/// What stands for a letter that the font lacks.
const UNKNOWN: char = '□';

fn font() -> FontRef<'static> {
    FontRef::try_from_slice(FONT).expect("a font")
}

/// How wide a text is in letters of this height, in pixels.
pub(crate) fn text_width(text: &str, height: f64) -> f64 {
    let font = font();
    let scaled = font.as_scaled(PxScale::from(height as f32));
    letters(&font, text).map(|id| f64::from(scaled.h_advance(id))).sum()
}

/// The text, or as much of its start as is no wider than `most`, with an ellipsis.
pub(crate) fn fitted_text(text: &str, height: f64, most: f64) -> String {
    let mut text: String = text.chars().take(200).collect();
    let mut cut = String::new();
    while text_width(&(text.clone() + &cut), height) > most && text.pop().is_some() {
        "…".clone_into(&mut cut);
    }
    text + &cut
}

fn letters<'a>(
    font: &'a FontRef<'_>,
    text: &'a str,
) -> impl Iterator<Item = ab_glyph::GlyphId> + 'a {
    text.chars().map(|letter| match font.glyph_id(letter) {
        id if id.0 == 0 => font.glyph_id(UNKNOWN),
        id => id,
    })
}

impl Film {
    /// Writes a text that begins at `x` and whose lines of letters are centred at `y`.
    pub(crate) fn write_text(&mut self, text: &str, [x, y]: [f64; 2], height: f64, color: Color) {
        let font = font();
        let scaled = font.as_scaled(PxScale::from(height as f32));
        // Capitals are about 0.63 of what letters and the room around them take.
        let (mut x, baseline) = (x as f32, (y + 0.315 * height) as f32);
        for id in letters(&font, text) {
            let glyph = id.with_scale_and_position(scaled.scale(), point(x, baseline));
            if let Some(outline) = scaled.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|right, down, coverage| {
                    let place = [corner.x + right as f32, corner.y + down as f32];
                    self.tint(place.map(|x| f64::from(x) + 0.5), color, coverage.clamp(0.0, 1.0));
                });
            }
            x += scaled.h_advance(id);
        }
    }

    /// Lays a colour over a rectangle, from its upper left to its lower right corner, and over part
    /// of the pixels that it covers in part.
    pub(crate) fn fill(
        &mut self,
        [left, top]: [f64; 2],
        [right, bottom]: [f64; 2],
        color: Color,
        weight: f32,
    ) {
        let covered = |pixel: f64, from: f64, to: f64| {
            (to.min(pixel + 1.0) - from.max(pixel)).clamp(0.0, 1.0)
        };
        for y in top.floor().max(0.0) as u32..bottom.ceil().max(0.0) as u32 {
            for x in left.floor().max(0.0) as u32..right.ceil().max(0.0) as u32 {
                let (x, y) = (f64::from(x), f64::from(y));
                let coverage = covered(x, left, right) * covered(y, top, bottom);
                self.tint([x + 0.5, y + 0.5], color, weight * coverage as f32);
            }
        }
    }
}
