//! What is said in the end.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use serde::Serialize;

use super::cell::{Cell, Row};
use super::ray_set::Order;
use super::stage::Stage;
use crate::{Result, machine};

/// All cells of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    version: &'static str,
    unix_time: u64,
    processor: String,
    cores: usize,
    threads: usize,
    pub(crate) prices: Vec<Price>,
    pub(crate) cells: Vec<Cell>,
}

/// What a scene's trees cost.
#[derive(Debug, Serialize)]
pub(crate) struct Price {
    scene: &'static str,
    triangles: usize,
    lanecast: TreePrice,
    embree: Option<TreePrice>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct TreePrice {
    build_seconds: f64,
    mega_triangles_per_second: f64,
    bytes_per_triangle: f64,
}

impl Price {
    pub(crate) fn new(stage: &Stage, lanecast: (f64, usize), embree: Option<(f64, usize)>) -> Self {
        let triangles = stage.mesh.triangles.len();
        let price = |(seconds, bytes): (f64, usize)| TreePrice {
            build_seconds: seconds,
            mega_triangles_per_second: triangles as f64 / seconds / 1e6,
            bytes_per_triangle: bytes as f64 / triangles as f64,
        };
        Self { scene: stage.name, triangles, lanecast: price(lanecast), embree: embree.map(price) }
    }

    pub(crate) fn words(&self, share_of_hits: f64) -> String {
        let one = |price: &TreePrice| {
            let TreePrice { mega_triangles_per_second: speed, bytes_per_triangle: bytes, .. } = price;
            format!("{speed:.2} million triangles built a second, {bytes:.0} bytes each")
        };
        let embree = self.embree.as_ref().map_or_else(|| "not there".to_owned(), one);
        format!(
            "\n# {}: {} triangles, {:.0}% of the camera's rays meet something\nlanecast: {}\nEmbree medium: {embree}\n",
            self.scene,
            self.triangles,
            100.0 * share_of_hits,
            one(&self.lanecast)
        )
    }
}

impl Cell {
    /// The cell, the fastest first.
    pub(crate) fn words(&self) -> String {
        let mut text = format!(
            "{} {}: {} rays, {:.1}% hits, {} rounds\n\n| contestant | M rays/s | lanecast is × | wrong answers |\n|---|---|---|---|\n",
            self.scene,
            self.rays,
            self.ray_count,
            100.0 * self.share_of_hits,
            self.rounds
        );
        let speed = |row: &Row| row.mega_rays_per_second.unwrap_or(0.0);
        let mut rows: Vec<&Row> =
            self.rows.iter().filter(|row| row.in_the_rounds || row.mismatches > 0).collect();
        rows.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        for row in rows {
            let ratio =
                row.lanecast_is_faster_by.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                text,
                "| {} | {:.2} | {ratio} | {} of {} |",
                row.contestant,
                speed(row),
                row.mismatches,
                row.answers_checked
            );
        }
        text.push('\n');
        text
    }
}

impl Report {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            unix_time: machine::unix_time(),
            processor: machine::processor(),
            cores: machine::cores(),
            threads,
            prices: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// How many wrong answers lanecast gave.
    pub(crate) fn lanecast_mismatches(&self) -> usize {
        let rows = self.cells.iter().flat_map(|cell| &cell.rows);
        rows.filter(|row| row.family.is_lanecast()).map(|row| row.mismatches).sum()
    }

    /// What is said when nothing was measured.
    pub(crate) fn checked(&self) -> String {
        let mut text = String::new();
        let (mut rows, mut answers, mut wrong) = (0, 0, 0);
        for cell in &self.cells {
            for row in &cell.rows {
                rows += 1;
                answers += row.answers_checked;
                wrong += row.mismatches;
                if row.mismatches > 0 {
                    let Row { contestant, mismatches, answers_checked, .. } = row;
                    let (scene, rays) = (cell.scene, cell.rays);
                    let _ = writeln!(
                        text,
                        "{scene} {rays}: {contestant}: {mismatches} of {answers_checked} answers are wrong"
                    );
                }
            }
        }
        let cells = self.cells.len();
        let _ = writeln!(text, "{wrong} of {answers} answers are wrong, in {rows} rows of {cells} cells");
        text
    }

    /// The table that decides.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::from(
            "| scene | rays | lanecast, M rays/s | best mode of Embree | its M rays/s | × best | × robust | × single | × avx2 | × sse |\n|---|---|---|---|---|---|---|---|---|---|\n",
        );
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
        for cell in &self.cells {
            let of = |name: &str| {
                let row = cell.rows.iter().find(|row| row.contestant == name);
                row.and_then(|row| row.mega_rays_per_second)
            };
            let ours = cell
                .rows
                .iter()
                .filter(|row| row.contestant.starts_with("lanecast") && !row.contestant.ends_with("one"));
            let ours = ours.filter_map(|row| row.mega_rays_per_second).reduce(f64::max);
            let mode = cell.ratios.best_mode.as_deref().unwrap_or("–");
            let ratios = &cell.ratios;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {mode} | {} | {} | {} | {} | {} | {} |",
                cell.scene,
                cell.rays,
                number(ours),
                number(of(mode)),
                number(ratios.best),
                number(ratios.robust),
                number(ratios.single),
                number(ratios.avx2),
                number(ratios.sse)
            );
        }
        text.push_str("\n| | × |\n|---|---|\n");
        let all = |_: &Cell| true;
        let of_order = |order: Order| move |cell: &Cell| cell.order == order;
        let mut line = |what: &str, value: Option<f64>| {
            let _ = writeln!(text, "| {what} | {} |", number(value));
        };
        line(
            "all cells against the best mode of Embree, geometric mean",
            self.mean(all, |cell| cell.ratios.best),
        );
        let least = self.cells.iter().filter_map(|cell| Some((cell, cell.ratios.best?)));
        let least = least.min_by(|a, b| a.1.total_cmp(&b.1));
        let place = least.map_or_else(String::new, |(cell, _)| format!(" ({} {})", cell.scene, cell.rays));
        line(&format!("least cell{place}"), least.map(|least| least.1));
        line("incoherent sets", self.mean(of_order(Order::Incoherent), |cell| cell.ratios.best));
        line("coherent sets", self.mean(of_order(Order::Coherent), |cell| cell.ratios.best));
        line(
            "one ray at a time against rtcIntersect1, rtcOccluded1",
            self.mean(all, |cell| cell.ratios.single),
        );
        line("AVX2 backend against Embree on AVX2", self.mean(all, |cell| cell.ratios.avx2));
        line("portable backend against Embree on SSE4.2", self.mean(all, |cell| cell.ratios.sse));
        line("all cells against the best robust mode of Embree", self.mean(all, |cell| cell.ratios.robust));
        line(
            "build, million triangles a second, against Embree medium",
            self.price_ratio(|ours, theirs| {
                ours.mega_triangles_per_second / theirs.mega_triangles_per_second
            }),
        );
        line(
            "bytes per triangle, of Embree's",
            self.price_ratio(|ours, theirs| ours.bytes_per_triangle / theirs.bytes_per_triangle),
        );
        text
    }

    fn mean(&self, of: impl Fn(&Cell) -> bool, ratio: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
        geometric_mean(self.cells.iter().filter(|cell| of(cell)).filter_map(ratio))
    }

    fn price_ratio(&self, ratio: impl Fn(&TreePrice, &TreePrice) -> f64) -> Option<f64> {
        geometric_mean(
            self.prices.iter().filter_map(|price| Some(ratio(&price.lanecast, price.embree.as_ref()?))),
        )
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, json: Option<&Path>, csv: Option<&Path>) -> Result<()> {
        if let Some(path) = json {
            serde_json::to_writer_pretty(File::create(path)?, self)?;
        }
        if let Some(_path) = csv {}
        Ok(())
    }
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}
