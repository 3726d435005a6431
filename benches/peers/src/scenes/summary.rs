//! Each table of scenes, and what it comes to. That of users' meshes decides.

use std::fmt::Write as _;

use super::cell::Cell;
use super::price::{BALANCED, EMBREE, FAST, Price, TreePrice};
use super::ray_set::Order;
use super::report::Report;
use super::stage::{STREWN, Table};
use crate::machine::Machine;

/// What was measured of one table.
struct Summary<'a> {
    machine: &'a Machine,
    cells: Vec<&'a Cell>,
    prices: Vec<&'a Price>,
}

impl Report {
    /// The tables that were measured, each with its own means.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::new();
        for table in [Table::Users, Table::Large] {
            let cells = self.cells.iter().filter(|cell| Table::of(cell.scene) == table);
            let prices = self.prices.iter().filter(|price| Table::of(price.scene) == table);
            let (cells, prices) = (cells.collect::<Vec<_>>(), prices.collect());
            if !cells.is_empty() {
                let _ = writeln!(text, "\n# {}\n", table.title());
                text.push_str(&Summary { machine: &self.machine, cells, prices }.words());
            }
        }
        text
    }
}

impl Summary<'_> {
    fn words(&self) -> String {
        let machine = self.machine;
        let mut text = format!(
            "{machine}\n\n| scene | rays | lanecast, M rays/s | best mode of Embree | its M rays/s | × best | × robust | × single | × avx2 | × sse |\n|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for &cell in &self.cells {
            let mode = cell.ratios.best_mode.as_deref().unwrap_or("–");
            let ratios = &cell.ratios;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {mode} | {} | {} | {} | {} | {} | {} |",
                cell.scene,
                cell.rays,
                number(cell.speed_of_lanecast()),
                number(cell.speed_of_embree()),
                number(ratios.best),
                number(ratios.robust),
                number(ratios.single),
                number(ratios.avx2),
                number(ratios.sse)
            );
        }
        let matrix = |what: &str, of: &dyn Fn(&Cell) -> Option<f64>| {
            format!("\n{what}; {machine}:\n\n{}", self.by_scene_and_rays(of))
        };
        text.push_str(&matrix("× the best mode of Embree, and geometric means", &|cell| {
            cell.ratios.best
        }));
        text.push_str(&matrix("lanecast, million rays a second", &Cell::speed_of_lanecast));
        text.push_str(&matrix("One ray at a time, × one ray at a time", &|cell| {
            cell.ratios.single
        }));
        text.push_str(&matrix("lanecast in `f64`, × its `f32`", &|cell| cell.ratios.f64));
        let has_ways = self.cells.iter().any(|cell| cell.ratios.way.is_some());
        if has_ways {
            text.push_str(&matrix("The best way, × the one chosen", &|cell| cell.ratios.way));
        }
        let _ = write!(text, "\n{machine}:\n\n| | × |\n|---|---|\n");
        let all = |_: &Cell| true;
        let of_order = |order: Order| move |cell: &Cell| cell.order == order;
        let mut line = |what: &str, value: Option<f64>| {
            let _ = writeln!(text, "| {what} | {} |", number(value));
        };
        line(
            "all cells against the best mode of Embree, geometric mean",
            self.mean(all, |cell| cell.ratios.best),
        );
        if self.has_strewn() {
            line(WITHOUT_STREWN, self.mean(is_not_strewn, |cell| cell.ratios.best));
        }
        let least = self.cells.iter().filter_map(|cell| Some((*cell, cell.ratios.best?)));
        let least = least.min_by(|a, b| a.1.total_cmp(&b.1));
        let place =
            least.map_or_else(String::new, |(cell, _)| format!(" ({} {})", cell.scene, cell.rays));
        line(&format!("least cell{place}"), least.map(|least| least.1));
        line("incoherent sets", self.mean(of_order(Order::Incoherent), |cell| cell.ratios.best));
        line("coherent sets", self.mean(of_order(Order::Coherent), |cell| cell.ratios.best));
        line(
            "one ray at a time against rtcIntersect1, rtcOccluded1",
            self.mean(all, |cell| cell.ratios.single),
        );
        line("AVX2 backend against Embree on AVX2", self.mean(all, |cell| cell.ratios.avx2));
        line("portable backend against Embree on SSE4.2", self.mean(all, |cell| cell.ratios.sse));
        line("lanecast in `f64` against its `f32`", self.mean(all, |cell| cell.ratios.f64));
        if has_ways {
            line(
                "the best way through the tree against the one chosen",
                self.mean(all, |cell| cell.ratios.way),
            );
        }
        line(
            "all cells against the best robust mode of Embree",
            self.mean(all, |cell| cell.ratios.robust),
        );
        line(
            "build, million triangles a second, against Embree medium",
            self.price_ratio(BALANCED, |tree| tree.mega_triangles_per_second),
        );
        line(
            "the same with `BuildQuality::Fast`",
            self.price_ratio(FAST, |tree| tree.mega_triangles_per_second),
        );
        line(
            "bytes per triangle, of Embree's",
            self.price_ratio(BALANCED, |tree| tree.bytes_per_triangle),
        );
        text
    }

    /// A line for each scene, a column for each set of rays, and what they come to.
    fn by_scene_and_rays(&self, of: &dyn Fn(&Cell) -> Option<f64>) -> String {
        let (mut scenes, mut sets) = (Vec::new(), Vec::new());
        for &cell in &self.cells {
            if !scenes.contains(&cell.scene) {
                scenes.push(cell.scene);
            }
            if !sets.contains(&cell.rays) {
                sets.push(cell.rays);
            }
        }
        let mut text =
            format!("| | {} | all |\n|---{}|---|\n", sets.join(" | "), "|---".repeat(sets.len()));
        let mut line = |name: &str, is_there: &dyn Fn(&Cell) -> bool| {
            let _ = write!(text, "| {name} |");
            for &rays in &sets {
                let _ = write!(
                    text,
                    " {} |",
                    number(self.mean(|cell| is_there(cell) && cell.rays == rays, of))
                );
            }
            let _ = writeln!(text, " {} |", number(self.mean(is_there, of)));
        };
        for &scene in &scenes {
            line(scene, &|cell| cell.scene == scene);
        }
        line("all", &|_| true);
        if self.has_strewn() {
            line(WITHOUT_STREWN, &is_not_strewn);
        }
        text
    }

    /// Strewn scenes beside others.
    fn has_strewn(&self) -> bool {
        self.cells.iter().any(|cell| !is_not_strewn(cell))
            && self.cells.iter().any(|cell| is_not_strewn(cell))
    }

    fn mean(
        &self,
        of: impl Fn(&Cell) -> bool,
        ratio: impl Fn(&Cell) -> Option<f64>,
    ) -> Option<f64> {
        geometric_mean(self.cells.iter().copied().filter(|cell| of(cell)).filter_map(ratio))
    }

    /// Against Embree's tree of medium quality.
    fn price_ratio(&self, builder: &str, figure: impl Fn(&TreePrice) -> f64) -> Option<f64> {
        let ratios = self
            .prices
            .iter()
            .filter_map(|price| Some(figure(price.of(builder)?) / figure(price.of(EMBREE)?)));
        geometric_mean(ratios)
    }
}

const WITHOUT_STREWN: &str = "all without hairball and soup";

fn is_not_strewn(cell: &Cell) -> bool {
    !STREWN.contains(&cell.scene)
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    (!logarithms.is_empty())
        .then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}
