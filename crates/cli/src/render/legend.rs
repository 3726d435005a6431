//! What the colours of a picture stand for, written at its right side.

use super::paint::NO_VALUE;
use super::scale::Range;
use crate::picture::{Color, Film, Ramp, fitted_text, from_srgb, text_width};

/// What a legend says.
#[derive(Debug)]
pub(super) enum Legend<'a> {
    /// A bar of colours with marks.
    Bar { title: String, unit: String, range: Range, ramp: &'a Ramp, has_gaps: bool },
    /// Colours with names.
    List(&'a [(Color, String)]),
}

const INK: u32 = 0x2b_2f_36;
/// In parts of a line of text.
const GAP: f64 = 0.55;
/// What is said of the colour where there is no value.
const GAPS: &str = "no value";
/// Of names, in lines of text.
const WIDEST: f64 = 13.0;

impl Legend<'_> {
    /// The height of a line of text, if the picture is large enough for a legend.
    pub(super) fn line([width, height]: [u32; 2]) -> Option<f64> {
        (width >= 240 && height >= 160)
            .then(|| (f64::from(height.min(width)) / 36.0).clamp(13.0, 64.0))
    }

    fn heads(&self) -> Vec<String> {
        match self {
            Self::Bar { title, unit, range, .. } => {
                let power = match range.ticks().0 {
                    0 => String::new(),
                    power => format!("10{} ", superscript(power)),
                };
                let unit = match (power + unit).trim() {
                    "" => Vec::new(),
                    unit => vec![format!("in {unit}")],
                };
                std::iter::once(title.clone()).chain(unit).collect()
            }
            Self::List(_) => Vec::new(),
        }
    }

    /// How much of the picture's width the legend takes, with the room around it.
    pub(super) fn width(&self, line: f64) -> f64 {
        let widest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| text_width(text, line)).fold(0.0, f64::max).min(WIDEST * line)
        };
        let inner = match self {
            Self::Bar { range, has_gaps, .. } => {
                let (_, ticks) = range.ticks();
                let gaps = has_gaps.then_some(GAPS);
                let marks = widest(&mut ticks.iter().map(|(_, text)| &**text).chain(gaps));
                let heads = self.heads();
                (marks + (1.0 + GAP) * line).max(widest(&mut heads.iter().map(|head| &**head)))
            }
            Self::List(names) => {
                (1.0 + GAP) * line + widest(&mut names.iter().take(64).map(|(_, name)| &**name))
            }
        };
        inner + 2.5 * line
    }

    /// Draws it over the picture.
    pub(super) fn draw(&self, film: &mut Film, [width, height]: [u32; 2], line: f64) {
        let (width, height, ink) = (f64::from(width), f64::from(height), from_srgb(INK));
        let left = width - self.width(line) + line;
        // What the scene has there shines through.
        let veil = |film: &mut Film, top: f64, bottom: f64| {
            let corner = [left - 0.6 * line, top - 0.6 * line];
            film.fill(corner, [width - 0.9 * line, bottom + 0.6 * line], [0.95; 3], 0.85);
        };
        match self {
            Self::Bar { range, ramp, has_gaps, .. } => {
                let heads = self.heads();
                let above = heads.len() as f64 * 1.25 * line + 0.35 * line;
                let below = if *has_gaps { 1.9 * line } else { 0.0 };
                // Whole pixels, so that no two colours share one.
                let bar =
                    (0.62 * height).min(height - above - below - 3.0 * line).max(line).round();
                let start = (height - bar - above - below) / 2.0;
                veil(film, start, start + above + bar + below);
                for (number, head) in heads.iter().enumerate() {
                    let head = fitted_text(head, line, WIDEST * line);
                    film.write_text(
                        &head,
                        [left, start + (number as f64 * 1.25 + 0.5) * line],
                        line,
                        ink,
                    );
                }
                let top = (start + above).round();
                for row in 0..bar as u32 {
                    let row = f64::from(row);
                    let color = ramp.at(1.0 - ((row + 0.5) / bar) as f32);
                    film.fill([left, top + row], [left + line, top + row + 1.0], color, 1.0);
                }
                for (place, text) in range.ticks().1 {
                    let y = top + bar * (1.0 - place);
                    let thick = (line / 18.0).max(1.0);
                    film.fill(
                        [left + line, y - thick / 2.0],
                        [left + 1.25 * line, y + thick / 2.0],
                        ink,
                        1.0,
                    );
                    film.write_text(&text, [left + (1.0 + GAP) * line, y], line, ink);
                }
                if *has_gaps {
                    let y = top + bar + 1.4 * line;
                    square(film, [left, y], line, from_srgb(NO_VALUE));
                    film.write_text(GAPS, [left + (1.0 + GAP) * line, y], line, ink);
                }
            }
            Self::List(names) => {
                let rows = (((height - 3.0 * line) / (1.35 * line)) as usize).max(1);
                let shown = if names.len() > rows { rows - 1 } else { names.len() };
                let more =
                    (shown < names.len()).then(|| format!("and {} more", names.len() - shown));
                let count = shown + usize::from(more.is_some());
                let top = (height - 1.35 * line * count as f64) / 2.0;
                veil(film, top, top + 1.35 * line * count as f64);
                let y = |row: usize| top + 1.35 * line * (row as f64 + 0.5);
                for (row, (color, name)) in names.iter().take(shown).enumerate() {
                    square(film, [left, y(row)], line, *color);
                    let name = fitted_text(name, line, WIDEST * line);
                    film.write_text(&name, [left + (1.0 + GAP) * line, y(row)], line, ink);
                }
                if let Some(more) = more {
                    film.write_text(&more, [left + (1.0 + GAP) * line, y(shown)], line, ink);
                }
            }
        }
    }
}

fn square(film: &mut Film, [left, y]: [f64; 2], line: f64, color: Color) {
    film.fill([left, y - line / 2.0], [left + line, y + line / 2.0], color, 1.0);
}

fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |digit: char| digit.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    number.to_string().chars().map(digit).collect()
}
