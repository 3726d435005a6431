//! The picture for the README: a square for each cell of the table, with its ratio.

use std::path::Path;

use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::prelude::{
    BLACK, Color as _, DrawingBackend, IntoFont as _, RGBColor, Rectangle, SVGBackend, Text, WHITE,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::report::Report;
use super::{rays, stage};
use crate::Result;

const CELL: (i32, i32) = (86, 40);
/// Where the cells begin: below and right of the names.
const START: (i32, i32) = (120, 84);

/// Draws the ratios of all cells against the best mode of Embree.
pub(crate) fn draw(report: &Report, path: &Path) -> Result<()> {
    let taking_part = |name: &str| report.cells.iter().any(|cell| cell.scene == name);
    let scenes: Vec<&str> = stage::NAMES.into_iter().filter(|name| taking_part(name)).collect();
    let cast = |name: &str| report.cells.iter().any(|cell| cell.rays == name);
    let sets: Vec<&str> = rays::NAMES.into_iter().filter(|name| cast(name)).collect();
    // Wide enough for the title too.
    let size = (
        (START.0 + CELL.0 * sets.len() as i32 + 20).max(680),
        START.1 + CELL.1 * scenes.len() as i32 + 20,
    );
    let area = SVGBackend::new(path, (size.0 as u32, size.1 as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let title = format!(
        "lanecast against the best mode of Embree 4.4, {} thread{}: rays per second, ×",
        report.threads,
        if report.threads == 1 { "" } else { "s" }
    );
    write(&area, &title, (20, 24), 17, HPos::Left)?;
    for (column, set) in sets.iter().enumerate() {
        write(
            &area,
            set,
            (START.0 + CELL.0 * column as i32 + CELL.0 / 2, START.1 - 18),
            14,
            HPos::Center,
        )?;
    }
    for (row, scene) in scenes.iter().enumerate() {
        let top = START.1 + CELL.1 * row as i32;
        write(&area, scene, (START.0 - 10, top + CELL.1 / 2), 14, HPos::Right)?;
        for (column, set) in sets.iter().enumerate() {
            let cell = report.cells.iter().find(|cell| cell.scene == *scene && cell.rays == *set);
            let Some(ratio) = cell.and_then(|cell| cell.ratios.best) else { continue };
            let left = START.0 + CELL.0 * column as i32;
            let corners = [(left + 1, top + 1), (left + CELL.0 - 1, top + CELL.1 - 1)];
            area.draw(&Rectangle::new(corners, color(ratio).filled()))?;
            write(
                &area,
                &format!("{ratio:.2}"),
                (left + CELL.0 / 2, top + CELL.1 / 2),
                15,
                HPos::Center,
            )?;
        }
    }
    area.present()?;
    Ok(())
}

/// Writes a line of text.
pub(crate) fn write<B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    text: &str,
    at: (i32, i32),
    size: i32,
    anchor: HPos,
) -> Result<()>
where
    B::ErrorType: 'static,
{
    let style = ("sans-serif", size).into_font().color(&BLACK).pos(Pos::new(anchor, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

/// White where both are equal, the greener the faster lanecast is, the redder the slower.
fn color(ratio: f64) -> RGBColor {
    // Full color at three times as fast, or as slow.
    let strength = (ratio.ln().abs() / 3.0_f64.ln()).min(1.0);
    let full = if ratio >= 1.0 { [92, 184, 112] } else { [226, 110, 96] };
    let [red, green, blue] = full.map(|part| (255.0 + strength * (f64::from(part) - 255.0)) as u8);
    RGBColor(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::color;
    use plotters::style::RGBColor;

    #[test]
    fn equal_is_white_and_beyond_three_times_nothing_grows() {
        assert_eq!(color(1.0), RGBColor(255, 255, 255));
        assert_eq!(color(3.0), color(30.0));
        assert_ne!(color(0.5), color(2.0));
    }
}
