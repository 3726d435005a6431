//! The picture for the README: a panel for each thing that grows and what it does to speed and memory.

use std::path::Path;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::combinators::{BindKeyPoints as _, IntoLogRange as _, LogCoord, WithKeyPoints};
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement};
use plotters::prelude::{
    BLACK, Color as _, DashedLineSeries, LineSeries, RGBColor, SVGBackend, ShapeStyle, WHITE,
};
use plotters::style::text_anchor::HPos;

use super::outlook;
use super::report::Report;
use super::sizes::{self, Size};
use super::words::about;
use super::{batches, threads};
use crate::Result;
use crate::scenes::chart::write;

const PANEL: (u32, u32) = (470, 350);
const TOP: u32 = 44;
const BLUE: RGBColor = RGBColor(40, 100, 190);
const ORANGE: RGBColor = RGBColor(220, 120, 20);
const GREEN: RGBColor = RGBColor(40, 140, 70);
const PURPLE: RGBColor = RGBColor(130, 70, 160);

/// The same for the same work in all panels.
fn color(work: &str) -> RGBColor {
    match work {
        "camera" => BLUE,
        "diffuse" => ORANGE,
        "random" => GREEN,
        _ => PURPLE,
    }
}

/// Points of one color.
struct Series {
    color: RGBColor,
    look: Look,
    points: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Line,
    Dashes,
    /// What a law says beyond what was measured: from the least to the most.
    Span,
}

/// Both axes logarithmic.
struct Panel {
    title: String,
    across: &'static str,
    series: Vec<Series>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Axis = WithKeyPoints<LogCoord<f64>>;
type Log = Cartesian2d<Axis, Axis>;

/// Draws all that was measured.
pub(super) fn draw(report: &Report, path: &Path) -> Result<()> {
    let area = SVGBackend::new(path, (3 * PANEL.0, TOP + 2 * PANEL.1)).into_drawing_area();
    area.fill(&WHITE)?;
    write(
        &area,
        &format!("lanecast and Embree 4.4 on a growing terrain, {}", report.processor),
        (20, 24),
        19,
        HPos::Left,
    )?;
    let (_, panels) = area.split_vertically(TOP);
    let panels = panels.split_evenly((2, 3));
    for (panel, area) in panels_of(report).iter().zip(&panels) {
        panel.draw(area)?;
    }
    legend(&panels[5])
}

fn panels_of(report: &Report) -> [Panel; 5] {
    let sizes = &report.sizes;
    let mut rays = Vec::new();
    for set in sizes::SETS {
        let series = |look, of: &dyn Fn(&Size) -> Option<f64>| Series {
            color: color(set),
            look,
            points: points(sizes, of),
        };
        let cell = |size: &Size, speed: &dyn Fn(&crate::scenes::cell::Cell) -> Option<f64>| {
            speed(&size.set(set)?.cell)
        };
        rays.push(series(Look::Line, &|size| cell(size, &|cell| cell.speed_of_lanecast())));
        rays.push(series(Look::Dashes, &|size| cell(size, &|cell| cell.speed_of_embree())));
        let law = report.ray_laws.iter().find(|law| law.rays == set);
        if let Some(span) = law.and_then(|law| law.mega_rays_per_second_at(outlook::TRIANGLES)) {
            let points = vec![(outlook::TRIANGLES, span.least), (outlook::TRIANGLES, span.most)];
            rays.push(Series { color: color(set), look: Look::Span, points });
        }
    }
    let both = |ours: &dyn Fn(&Size) -> Option<f64>, theirs: &dyn Fn(&Size) -> Option<f64>| {
        let series = |look, of| Series { color: color("build"), look, points: points(sizes, of) };
        vec![series(Look::Line, ours), series(Look::Dashes, theirs)]
    };
    let bytes = both(&|size| Some(size.price.as_ref()?.lanecast.bytes_per_triangle), &|size| {
        Some(size.price.as_ref()?.embree?.bytes_per_triangle + size.mesh_bytes_per_triangle)
    });
    let builds = both(&|size| Some(size.price.as_ref()?.lanecast.mega_triangles_per_second), &|size| {
        Some(size.price.as_ref()?.embree?.mega_triangles_per_second)
    });
    let mut lengths = Vec::new();
    for set in batches::SETS {
        let rows = || report.batches.iter().filter(|row| row.rays == set);
        let costs = rows().filter_map(|row| Some((row.length as f64, row.one_thread?)));
        let (batches, singles) =
            costs.map(|(length, cost)| ((length, 1e3 / cost.batch), (length, 1e3 / cost.single))).unzip();
        lengths.push(Series { color: color(set), look: Look::Line, points: batches });
        lengths.push(Series { color: color(set), look: Look::Dashes, points: singles });
    }
    let scaling = |scaling: &threads::Scaling| {
        let points = scaling.steps.iter().map(|step| (step.threads as f64, step.speedup)).collect();
        Series { color: color(scaling.work), look: Look::Line, points }
    };
    let panel = |title: &str, across, series| Panel { title: title.to_owned(), across, series };
    let at = about(report.triangles as f64);
    [
        panel("M rays/s, one thread", "triangles", rays),
        panel("bytes a triangle, all told", "triangles", bytes),
        panel("M triangles built a second, one thread", "triangles", builds),
        panel(&format!("M rays/s at {at} triangles, one thread"), "rays in a batch", lengths),
        panel(
            &format!("× one thread, at {at} triangles"),
            "threads",
            report.scalings.iter().map(scaling).collect(),
        ),
    ]
}

fn points(sizes: &[Size], of: &dyn Fn(&Size) -> Option<f64>) -> Vec<(f64, f64)> {
    sizes.iter().filter_map(|size| Some((size.triangles as f64, of(size)?))).collect()
}

impl Panel {
    fn draw(&self, area: &Area<'_>) -> Result<()> {
        let all = || self.series.iter().flat_map(|series| &series.points);
        if all().next().is_none() {
            // Not measured, or in a check.
            return Ok(());
        }
        let across = axis(spread(all().map(|point| point.0)));
        // Room for two labels where all are nearly the same.
        let (least, greatest) = spread(all().map(|point| point.1));
        let middle = (least * greatest).sqrt();
        let up = axis((least.min(middle / 3.0), greatest.max(middle * 3.0)));
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .caption(&self.title, ("sans-serif", 17))
            .x_label_area_size(42)
            .y_label_area_size(52)
            .build_cartesian_2d(across, up)?;
        chart
            .configure_mesh()
            .x_desc(self.across)
            .label_style(("sans-serif", 13))
            .x_label_formatter(&|x| about(*x))
            .y_label_formatter(&|y| label(*y))
            .bold_line_style(BLACK.mix(0.12))
            .draw()?;
        for series in &self.series {
            series.draw(&mut chart)?;
        }
        Ok(())
    }
}

impl Series {
    fn draw(&self, chart: &mut ChartContext<'_, SVGBackend<'_>, Log>) -> Result<()> {
        let points = || self.points.iter().copied();
        let style = ShapeStyle { color: self.color.to_rgba(), filled: true, stroke_width: 2 };
        match self.look {
            Look::Line => chart.draw_series(LineSeries::new(points(), style)).map(drop)?,
            Look::Dashes => chart.draw_series(DashedLineSeries::new(points(), 6, 4, style)).map(drop)?,
            Look::Span => {
                let wide = ShapeStyle { color: self.color.mix(0.45), filled: true, stroke_width: 6 };
                chart.draw_series([PathElement::new(self.points.clone(), wide)])?;
            }
        }
        if self.look != Look::Span {
            chart.draw_series(points().map(|point| Circle::new(point, 3, style)))?;
        }
        Ok(())
    }
}

fn spread(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, greatest), value| (value.min(least), value.max(greatest)))
}

/// From a little less than the least to a little more than the greatest.
fn axis((least, greatest): (f64, f64)) -> Axis {
    let (least, greatest) = (least / 1.2, greatest * 1.2);
    (least..greatest).log_scale().with_key_points(ticks(least, greatest))
}

/// 1, 2, 5, 10 and so on; of more than two decades powers of ten alone.
fn ticks(least: f64, greatest: f64) -> Vec<f64> {
    let steps: &[f64] = if greatest / least > 100.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let decades = least.log10().floor() as i32..=greatest.log10().ceil() as i32;
    let all = decades.flat_map(|decade| steps.iter().map(move |step| step * 10_f64.powi(decade)));
    all.filter(|tick| (least..=greatest).contains(tick)).collect()
}

fn label(value: f64) -> String {
    // Powers of ten are not all exact.
    if value >= 1.0 { about(value) } else { format!("{value:.1}") }
}

fn legend(area: &Area<'_>) -> Result<()> {
    let line =
        |from: (i32, i32), style: ShapeStyle| PathElement::new(vec![from, (from.0 + 44, from.1)], style);
    let mut y = 60;
    for work in ["camera", "diffuse", "random", "build and tree"] {
        area.draw(&line((30, y), color(work).stroke_width(3)))?;
        write(area, work, (86, y), 15, HPos::Left)?;
        y += 28;
    }
    y += 14;
    area.draw(&line((30, y), BLACK.stroke_width(2)))?;
    write(area, "lanecast", (86, y), 15, HPos::Left)?;
    y += 28;
    for start in [30, 40, 50, 60] {
        area.draw(&PathElement::new(vec![(start, y), (start + 6, y)], BLACK.stroke_width(2)))?;
    }
    write(area, "Embree; of batches, lanecast's single calls", (86, y), 15, HPos::Left)?;
    y += 28;
    let wide = ShapeStyle { color: BLACK.mix(0.45), filled: true, stroke_width: 6 };
    area.draw(&PathElement::new(vec![(52, y - 10), (52, y + 10)], wide))?;
    write(area, "what the fitted law says of 1G triangles", (86, y), 15, HPos::Left)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{label, ticks};

    #[test]
    fn ticks_are_round_and_few() {
        let labels = |least, greatest| ticks(least, greatest).into_iter().map(label).collect::<Vec<_>>();
        assert_eq!(labels(0.4, 3.0), ["0.5", "1", "2"]);
        assert_eq!(labels(9.0, 120.0), ["10", "20", "50", "100"]);
        assert_eq!(labels(8_000.0, 6e7), ["10k", "100k", "1M", "10M"]);
    }
}
