//! From one thread to all.

use std::time::Duration;

use lanecast::{BuildQuality, Scene, Threads};
use serde::Serialize;

use super::arguments::GrowthArguments;
use super::casting::{Batches, Runs};
use super::sizes::SETS;
use super::words::{heading, number};
use crate::Result;
use crate::clock::Clock;
use crate::rounds::{Contestant, Rounds};
use crate::scenes::contestants::LanecastScene;
use crate::scenes::mesh::Mesh;
use crate::scenes::rays::{Sight, Sizes};
use crate::scenes::stage::Stage;

/// How the build is called among the sets of rays.
const BUILD: &str = "build";

/// So many times as many rays as on one thread: threads that share them want long parts.
const MORE_ROWS: u16 = 4;

/// Casting one set of rays, or building, on each count of threads.
#[derive(Debug, Serialize)]
pub(super) struct Scaling {
    /// The set's name, or `build`.
    pub(super) work: &'static str,
    pub(super) steps: Vec<Step>,
    pub(super) answers_compared: usize,
    pub(super) mismatches: usize,
}

/// On one count of threads.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Step {
    pub(super) threads: usize,
    /// Million rays or triangles a second.
    pub(super) mega_per_second: f64,
    /// How many times as fast as one thread: the median of the rounds.
    pub(super) speedup: f64,
}

/// Powers of two, and all.
fn counts(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |count| Some(2 * count));
    powers.take_while(|&count| count < most).chain([most]).collect()
}

pub(super) fn measure(
    arguments: &GrowthArguments,
    stage: &Stage,
    scene: &Scene,
    most: usize,
) -> Result<Vec<Scaling>> {
    if !arguments.check {
        println!("\n# Threads at {} triangles\n", stage.mesh.triangles.len());
    }
    let threads: Vec<Threads> =
        counts(most).into_iter().map(Threads::exactly).collect::<std::result::Result<_, _>>()?;
    let sizes = if arguments.check {
        Sizes::CHECK
    } else {
        Sizes::measured(usize::from(arguments.rows) * usize::from(MORE_ROWS))
    };
    let sight = Sight::new(stage, scene, sizes)?;
    let time = (!arguments.check).then(|| Duration::from_secs_f64(arguments.seconds));
    let mut scalings = Vec::new();
    for name in SETS {
        let rays = sight.rays(name).rays;
        let runs = Runs::new(rays.len(), rays.len(), rays.len());
        let batches = threads.iter().map(|threads| Batches::new(scene, &rays, runs, threads));
        let mut batches: Vec<Batches<'_>> = batches.collect();
        let compared: Vec<(usize, usize)> = batches.iter_mut().map(Batches::mismatches).collect();
        let mut scaling = Scaling::measure(name, &threads, batches, rays.len(), time);
        scaling.mismatches = compared.iter().map(|&(wrong, _)| wrong).sum();
        scaling.answers_compared = compared.iter().map(|&(_, compared)| compared).sum();
        scalings.push(scaling);
    }
    let builds = threads.iter().map(|threads| Build { mesh: &stage.mesh, threads }).collect();
    scalings.push(Scaling::measure(BUILD, &threads, builds, stage.mesh.triangles.len(), time));
    Ok(scalings)
}

struct Build<'a> {
    mesh: &'a Mesh,
    threads: &'a Threads,
}

impl Contestant for Build<'_> {
    fn run(&mut self) {
        LanecastScene::build(self.mesh, BuildQuality::Balanced, self.threads)
            .expect("a mesh that was built before");
    }
}

impl Scaling {
    /// `amount` rays or triangles each, by as many contestants as there are counts of threads.
    fn measure<C: Contestant>(
        work: &'static str,
        threads: &[Threads],
        mut contestants: Vec<C>,
        amount: usize,
        time: Option<Duration>,
    ) -> Self {
        let steps = time.map_or_else(Vec::new, |time| {
            let mut contestants: Vec<&mut C> = contestants.iter_mut().collect();
            // On the wall, one thread too: ratios of two clocks mean nothing.
            let rounds = Rounds::measure(&mut contestants, time, Clock::Wall);
            let counts: Vec<usize> = threads.iter().map(Threads::count).collect();
            steps(&rounds, &counts, amount)
        });
        let scaling = Self { work, steps, answers_compared: 0, mismatches: 0 };
        if time.is_some() {
            println!("{}", scaling.words());
        }
        scaling
    }

    fn words(&self) -> String {
        let step = |step: &Step| format!("{} on {}", number(step.mega_per_second), step.threads);
        let steps: Vec<String> = self.steps.iter().map(step).collect();
        format!("{}, million a second: {} threads", self.work, steps.join(", "))
    }
}

/// The first contestant has one thread.
fn steps(rounds: &Rounds, threads: &[usize], amount: usize) -> Vec<Step> {
    let step = |(place, &threads): (usize, &usize)| Step {
        threads,
        mega_per_second: amount as f64 / rounds.median(place) / 1e6,
        speedup: rounds.ratio(place, 0),
    };
    threads.iter().enumerate().map(step).collect()
}

/// The table.
pub(super) fn table(scalings: &[Scaling]) -> String {
    let mut columns = vec!["threads".to_owned()];
    for scaling in scalings {
        let unit = if scaling.work == BUILD { "M triangles/s" } else { "M rays/s" };
        columns.extend([format!("{}, {unit}", scaling.work), "×".to_owned()]);
    }
    let mut text = heading(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let rows = scalings.first().map_or(0, |scaling| scaling.steps.len());
    for row in 0..rows {
        text.push_str(&format!("| {} |", scalings[0].steps[row].threads));
        for scaling in scalings {
            let step = scaling.steps[row];
            text.push_str(&format!(" {} | {:.2} |", number(step.mega_per_second), step.speedup));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{counts, steps};
    use crate::rounds::Rounds;

    #[test]
    fn threads_double_up_to_all() {
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(2), [1, 2]);
        assert_eq!(counts(6), [1, 2, 4, 6]);
        assert_eq!(counts(64), [1, 2, 4, 8, 16, 32, 64]);
    }

    #[test]
    fn speed_is_set_against_one_thread_round_by_round() {
        let rounds = Rounds::of(vec![vec![4.0, 8.0, 4.0], vec![2.0, 4.0, 2.0]]);
        let steps = steps(&rounds, &[1, 2], 8_000_000);
        assert_eq!((steps[0].mega_per_second, steps[0].speedup), (2.0, 1.0));
        assert_eq!((steps[1].threads, steps[1].mega_per_second, steps[1].speedup), (2, 4.0, 2.0));
    }
}
