//! How speed, memory and build time grow: with the triangles, with the batch and with the threads.

mod arguments;
mod batches;
mod casting;
mod memory;
mod report;
mod sizes;
mod threads;
mod words;

pub(crate) use arguments::GrowthArguments;

use lanecast::{BuildQuality, Threads};

use crate::scenes::contestants::LanecastScene;
use crate::scenes::field::Means;
use crate::scenes::stage::Stage;
use crate::{Result, machine};
use arguments::Grows;
use report::Report;

/// At how many triangles batches and threads grow.
const TRIANGLES: usize = 1_000_000;
const TRIANGLES_OF_CHECK: usize = 2_000;

/// The subcommand.
pub(crate) fn run(arguments: &GrowthArguments) -> Result<()> {
    // So that a check sees more than one thread everywhere.
    let all = if arguments.check { 2 } else { machine::cores() };
    let threads = arguments.threads.map_or(all, usize::from);
    let mut report = Report::new(threads);
    if arguments.asks_for(Grows::Triangles) {
        let means = Means::new(1, |name| name == "embree")?;
        report.sizes = sizes::measure(arguments, &means, &report.machine)?;
    }
    if arguments.asks_for(Grows::Batches) || arguments.asks_for(Grows::Threads) {
        let most = if arguments.check { TRIANGLES_OF_CHECK } else { TRIANGLES };
        let stage = Stage::terrain("terrain", most.min(arguments.most_triangles as usize));
        report.triangles = stage.mesh.triangles.len();
        let threads = Threads::exactly(threads)?;
        let scene = LanecastScene::build(&stage.mesh, BuildQuality::Balanced, &threads)?.scene;
        if arguments.asks_for(Grows::Batches) {
            report.batches = batches::measure(arguments, &stage, &scene, &threads)?;
        }
        if arguments.asks_for(Grows::Threads) {
            report.scalings = threads::measure(arguments, &stage, &scene, threads.count())?;
        }
    }
    if report.is_empty() {
        return Err("nothing was cast".into());
    }
    print!("{}", if arguments.check { report.checked() } else { report.summary() });
    report.write(arguments.json.as_deref(), arguments.csv.as_deref())?;
    match report.lanecast_mismatches() {
        0 => Ok(()),
        wrong => Err(format!("lanecast gave {wrong} wrong answers").into()),
    }
}
