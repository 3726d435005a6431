//! From ten thousand triangles to millions: rays a second, bytes and build time, beside Embree.

use std::time::Duration;

use lanecast::{BuildQuality, Scene};
use serde::Serialize;

use super::arguments::GrowthArguments;
use super::memory;
use super::words::{about, heading, number_or_dash};
use crate::Result;
use crate::clock::Clock;
use crate::machine::Machine;
use crate::scenes::cell::{Cell, Measuring};
use crate::scenes::contestants::{EmbreeScenes, Family, Isa, LanecastScene, widest};
use crate::scenes::embree::Quality;
use crate::scenes::field::Means;
use crate::scenes::price::{BALANCED, BUILDERS, EMBREE, FAST, Price, TreePrice};
use crate::scenes::ray_set::RaySet;
use crate::scenes::rays::{Sight, Sizes};
use crate::scenes::stage::Stage;

/// Two and three to a decade.
const TRIANGLES: [usize; 9] =
    [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 50_000_000];
const TRIANGLES_OF_CHECK: [usize; 2] = [1_000, 5_000];

/// Coherent rays, rays that begin alike, and rays that have nothing in common.
pub(super) const SETS: [&str; 3] = ["camera", "diffuse", "random"];

/// What a triangle needs, with everybody's tree and while they are built: 188 bytes of 10 million
/// triangles, 175 of 50 million.
const BYTES_PER_TRIANGLE: usize = 200;

/// Builds of a tree, of which the median counts, for as many triangles together.
const TRIANGLES_BUILT: usize = 9_000_000;
const MOST_BUILDS: usize = 25;

/// What is known of one size.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) triangles: usize,
    /// None in a check.
    pub(super) price: Option<Price>,
    /// Of the caller's vertices and indices, which Embree goes on reading and lanecast does not.
    pub(super) mesh_bytes_per_triangle: f64,
    pub(super) sets: Vec<Set>,
}

/// One set of rays.
#[derive(Debug, Serialize)]
pub(super) struct Set {
    pub(super) cell: Cell,
    /// Nodes and leaves of lanecast's tree that a ray visits alone.
    pub(super) visits: f64,
}

/// All sizes that are asked for and that memory allows.
pub(super) fn measure(
    arguments: &GrowthArguments,
    means: &Means,
    machine: &Machine,
) -> Result<Vec<Size>> {
    let mut sizes = Vec::new();
    let triangles: &[usize] = if arguments.check { &TRIANGLES_OF_CHECK } else { &TRIANGLES };
    for &triangles in
        triangles.iter().filter(|&&triangles| triangles <= arguments.most_triangles as usize)
    {
        let name = format!("{} triangles", about(triangles as f64));
        if memory::enough_for(&name, triangles * BYTES_PER_TRIANGLE) {
            sizes.push(Size::measure(triangles, arguments, means, machine)?);
        }
    }
    Ok(sizes)
}

impl Size {
    fn measure(
        triangles: usize,
        arguments: &GrowthArguments,
        means: &Means,
        machine: &Machine,
    ) -> Result<Self> {
        let stage = Stage::terrain("terrain", triangles);
        let triangles = stage.mesh.triangles.len();
        let price = if arguments.check {
            None
        } else {
            println!("\n# {triangles} triangles\n");
            let builds = (TRIANGLES_BUILT / triangles).clamp(1, MOST_BUILDS);
            let price = Price::measure(&stage, means, builds, &BUILDERS[..3])?;
            println!("{}", price.words());
            Some(price)
        };
        let lanecast = LanecastScene::build(&stage.mesh, BuildQuality::Balanced, &means.threads)?;
        let embree = embree(&stage, means)?;
        let rows =
            if arguments.check { Sizes::CHECK } else { Sizes::measured(arguments.rows.into()) };
        let sight = Sight::new(&stage, &lanecast.scene, rows)?;
        let statistics = lanecast.scene.statistics();
        let measuring = Measuring {
            time: (!arguments.check).then(|| Duration::from_secs_f64(arguments.seconds)),
            clock: Clock::for_threads(means.threads.count()),
        };
        let mut sets = Vec::new();
        for name in SETS {
            let rays = sight.rays(name);
            let mut entrants = Vec::new();
            lanecast.enter(&rays, &[widest()], &mut entrants)?;
            if let Some(embree) = &embree {
                embree.enter(&rays, &mut entrants);
            }
            entrants.retain(|entrant| entrant.family != Family::LanecastSingle);
            let cell = Cell::measure(stage.name, &stage.mesh, &rays, entrants, measuring);
            if !arguments.check {
                print!("{}", cell.words(machine));
            }
            let visits = visits(&lanecast.scene, &rays, statistics.primitives_per_leaf)?;
            sets.push(Set { cell, visits });
        }
        let mesh_bytes = size_of_val(stage.mesh.vertices()) + size_of_val(&*stage.mesh.triangles);
        Ok(Self {
            triangles,
            price,
            mesh_bytes_per_triangle: mesh_bytes as f64 / triangles as f64,
            sets,
        })
    }

    pub(super) fn set(&self, name: &str) -> Option<&Set> {
        self.sets.iter().find(|set| set.cell.rays == name)
    }
}

/// Embree's tree of medium quality on the instructions that it chooses.
fn embree<'m>(stage: &Stage, means: &'m Means) -> Result<Option<EmbreeScenes<'m>>> {
    let Some(api) = &means.embree else { return Ok(None) };
    Ok(Some(EmbreeScenes::build(
        api,
        &stage.mesh,
        &[Isa::Avx512],
        &[Quality::Medium],
        &[false],
        &means.pool,
    )?))
}

/// Nodes and leaves that a ray visits on its way to the closest hit, on average.
fn visits(scene: &Scene, rays: &RaySet, primitives_per_leaf: f64) -> Result<f64> {
    let costs = scene.cast(&rays.rays).cost()?;
    let mean = |counts: &[u32]| {
        counts.iter().map(|&count| f64::from(count)).sum::<f64>() / counts.len() as f64
    };
    Ok(mean(costs.nodes()) + mean(costs.primitives()) / primitives_per_leaf)
}

/// Million rays a second, and how many times as fast as Embree lanecast is.
pub(super) fn table_of_rays(sizes: &[Size]) -> String {
    let mut columns = vec!["triangles".to_owned()];
    for set in SETS {
        columns.extend([format!("{set}, M rays/s"), "Embree".to_owned(), "×".to_owned()]);
    }
    let mut text = heading(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for size in sizes {
        text.push_str(&format!("| {} |", about(size.triangles as f64)));
        for set in SETS {
            let cell = size.set(set).map(|set| &set.cell);
            let figures = [
                cell.and_then(Cell::speed_of_lanecast),
                cell.and_then(Cell::speed_of_embree),
                cell.and_then(|cell| cell.ratios.best),
            ];
            for figure in figures {
                text.push_str(&format!(" {} |", number_or_dash(figure)));
            }
        }
        text.push('\n');
    }
    text
}

fn ratio(of: Option<f64>, to: Option<f64>) -> Option<f64> {
    of.zip(to).map(|(of, to)| of / to)
}

/// What trees cost, and how many of their nodes and leaves a ray visits.
pub(super) fn table_of_trees(sizes: &[Size]) -> String {
    let mut columns = vec![
        "triangles",
        "built, M triangles/s",
        "fast",
        "Embree",
        "×",
        "× fast",
        "bytes a triangle, all told",
        "Embree",
    ];
    let visits = SETS.map(|set| format!("visits, {set}"));
    columns.extend(visits.iter().map(String::as_str));
    let mut text = heading(&columns);
    for size in sizes {
        let Some(price) = &size.price else { continue };
        let [balanced, fast, embree] = [BALANCED, FAST, EMBREE].map(|builder| price.of(builder));
        let rate = |tree: Option<&TreePrice>| tree.map(|tree| tree.mega_triangles_per_second);
        let figures = [
            rate(balanced),
            rate(fast),
            rate(embree),
            ratio(rate(balanced), rate(embree)),
            ratio(rate(fast), rate(embree)),
            balanced.map(|tree| tree.bytes_per_triangle),
            embree.map(|tree| tree.bytes_per_triangle + size.mesh_bytes_per_triangle),
        ];
        let visits = SETS.map(|set| size.set(set).map(|set| set.visits));
        text.push_str(&format!("| {} |", about(size.triangles as f64)));
        for figure in figures.into_iter().chain(visits) {
            text.push_str(&format!(" {} |", number_or_dash(figure)));
        }
        text.push('\n');
    }
    text
}
