//! Whole scenes: lanecast and its peers cast the same rays at the same triangles.

mod answers;
mod arguments;
pub(crate) mod cell;
pub(crate) mod chart;
pub(crate) mod contestants;
pub(crate) mod embree;
pub(crate) mod field;
pub(crate) mod hits;
mod judge;
pub(crate) mod mesh;
mod meshes;
pub(crate) mod price;
pub(crate) mod ray_set;
pub(crate) mod rays;
mod report;
pub(crate) mod stage;
mod summary;
pub(crate) mod tinybvh;
mod write;

pub(crate) use arguments::ScenesArguments;
pub(crate) use write::{WriteArguments, write};

use std::time::Duration;

use crate::Result;
use crate::clock::Clock;
use arguments::wanted;
use cell::{Cell, Measuring};
use field::{Field, Means};
use price::{BUILDERS, Price};
use rays::{Sight, Sizes};
use report::Report;
use stage::Stage;

/// Builds of a tree, of which the median counts; larger scenes are built once.
const BUILDS: usize = 3;
const MOST_FOR_SEVERAL: usize = 3_000_000;

/// The subcommand.
pub(crate) fn run(arguments: &ScenesArguments) -> Result<()> {
    let means = Means::new(arguments.threads.into(), |name| arguments.asks_for_any(name))?;
    let mut report = Report::new(means.threads.count());
    for name in arguments.scenes() {
        match Stage::named(name, arguments.check) {
            Ok(stage) => cast_at(&stage, &means, arguments, &mut report)?,
            Err(error) => eprintln!("without {name}: {error}"),
        }
    }
    if report.cells.iter().all(|cell| cell.rows.is_empty()) {
        return Err("nothing was cast".into());
    }
    print!("{}", if arguments.check { report.checked() } else { report.summary() });
    report.write(arguments.json.as_deref(), arguments.csv.as_deref())?;
    if let Some(path) = &arguments.chart {
        chart::draw(&report, path)?;
    }
    let wrong = report.lanecast_mismatches();
    if wrong > 0 { Err(format!("lanecast gave {wrong} wrong answers").into()) } else { Ok(()) }
}

/// Everybody casts all sets of rays at one scene.
fn cast_at(
    stage: &Stage,
    means: &Means,
    arguments: &ScenesArguments,
    report: &mut Report,
) -> Result<()> {
    let measured = !arguments.check;
    if measured {
        let triangles = stage.mesh.triangles.len();
        println!("\n# {}, {triangles} triangles; {}\n", stage.name, report.machine);
    }
    if measured && !arguments.no_builds {
        let builds = if stage.mesh.triangles.len() > MOST_FOR_SEVERAL { 1 } else { BUILDS };
        let price = Price::measure(stage, means, builds, &BUILDERS)?;
        println!("{}", price.words());
        report.prices.push(price);
    }
    let field = Field::build(means, &stage.mesh, arguments)?;
    let sizes =
        if measured { Sizes::measured(stage.rows(arguments.rows.into())) } else { Sizes::CHECK };
    let sight = Sight::new(stage, &field.lanecast.scene, sizes)?;
    let measuring = Measuring {
        time: measured.then(|| Duration::from_secs_f64(arguments.seconds)),
        clock: Clock::for_threads(means.threads.count()),
    };
    for rays in rays::NAMES.into_iter().filter(|rays| wanted(&arguments.rays, rays)) {
        let set = sight.rays(rays);
        if let Some(row) = set.rays.iter().position(|ray| ray.defect().is_some()) {
            let name = stage.name;
            return Err(
                format!("ray {row} of {name} {rays} is unsound: {:?}", set.rays[row]).into()
            );
        }
        let entrants = field.entrants(&set, arguments)?;
        let cell = Cell::measure(stage.name, &stage.mesh, &set, entrants, measuring);
        if measured {
            print!("{}", cell.words(&report.machine));
        }
        report.cells.push(cell);
    }
    Ok(())
}
