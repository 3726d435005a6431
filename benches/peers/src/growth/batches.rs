//! From one ray to millions in a batch, beside as many single calls.

use std::time::Duration;

use lanecast::{Ray, Scene, Threads};
use serde::Serialize;

use super::arguments::GrowthArguments;
use super::casting::{Batches, Runs, Singles};
use super::memory;
use super::words::{about, heading, number};
use crate::Result;
use crate::clock::Clock;
use crate::random::Random;
use crate::rounds::{Contestant, Rounds};
use crate::scenes::rays::{self, Sizes};
use crate::scenes::stage::Stage;

const LENGTHS: [usize; 10] = [1, 4, 16, 64, 256, 1024, 16_384, 262_144, 4_194_304, 100_000_000];
/// Of rays in the check.
const RAYS_OF_CHECK: usize = 2048;
/// How many rays a sample casts in batches that are shorter, and in single calls.
const SAMPLE: usize = 1 << 16;
/// A ray of 32 bytes, and its answer of 21 twice, on one thread and on all.
const BYTES_PER_RAY: usize = 80;

pub(super) const SETS: [&str; 2] = ["camera", "random"];

/// What a ray costs in batches of one length.
#[derive(Debug, Serialize)]
pub(super) struct Length {
    pub(super) rays: &'static str,
    pub(super) length: usize,
    pub(super) answers_compared: usize,
    pub(super) mismatches: usize,
    /// None in a check.
    pub(super) one_thread: Option<Cost>,
    /// None where there is but one thread.
    pub(super) all_threads: Option<Cost>,
}

/// Nanoseconds a ray.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Cost {
    pub(super) batch: f64,
    pub(super) single: f64,
    /// What the batch costs of as many single calls: the median of the rounds.
    pub(super) of_single: f64,
}

pub(super) fn measure(
    arguments: &GrowthArguments,
    stage: &Stage,
    scene: &Scene,
    threads: &Threads,
) -> Result<Vec<Length>> {
    if !arguments.check {
        println!("\n# Batches at {} triangles\n", stage.mesh.triangles.len());
    }
    let mut rows = Vec::new();
    for name in SETS {
        let most = if arguments.check { RAYS_OF_CHECK } else { arguments.most_rays as usize };
        let fits = |&length: &usize| {
            length <= most
                && (length < SAMPLE
                    || memory::enough_for(
                        &format!("batches of {} {name} rays", about(length as f64)),
                        length * BYTES_PER_RAY,
                    ))
        };
        let lengths: Vec<usize> = LENGTHS.into_iter().filter(fits).collect();
        // Short batches are runs of the rays of the longest.
        let longest = lengths.last().copied().unwrap_or(1);
        let all =
            some_rays(name, stage, if arguments.check { longest } else { longest.max(SAMPLE) });
        for length in lengths {
            let row = Length::measure(name, length, &all, scene, threads, arguments)?;
            if !arguments.check {
                println!("{}", row.words());
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

/// So many rays: of a picture four times as wide as high, or anywhere.
fn some_rays(name: &str, stage: &Stage, count: usize) -> Vec<Ray> {
    if name == "random" {
        return rays::anywhere(stage, count, &mut Random(0x7a15));
    }
    let height = ((count as f64 / 4.0).sqrt() as usize).max(1);
    let width = count.div_ceil(height);
    let mut rays = rays::camera(stage, Sizes { width, height, beams: 1 });
    rays.truncate(count);
    rays
}

impl Length {
    fn measure(
        name: &'static str,
        length: usize,
        rays: &[Ray],
        scene: &Scene,
        threads: &Threads,
        arguments: &GrowthArguments,
    ) -> Result<Self> {
        let runs = Runs::new(rays.len(), length, SAMPLE);
        let mut alone = Batches::new(scene, rays, runs, &Threads::ONE);
        let mut shared = Batches::new(scene, rays, runs, threads);
        let counts = [alone.mismatches(), shared.mismatches()];
        let mut row = Self {
            rays: name,
            length,
            answers_compared: counts[0].1 + counts[1].1,
            mismatches: counts[0].0 + counts[1].0,
            one_thread: None,
            all_threads: None,
        };
        if !arguments.check {
            // As many single calls where that is quick, fewer from all over where it is not.
            let runs_of_singles = Runs::new(rays.len(), length.min(SAMPLE), SAMPLE);
            let mut singles = Singles { scene, rays, runs: runs_of_singles };
            let time = Duration::from_secs_f64(arguments.seconds);
            let mut cost = |batches: &mut Batches<'_>, threads: usize| {
                let contestants: &mut [&mut dyn Contestant] = &mut [batches, &mut singles];
                let rounds = Rounds::measure(contestants, time, Clock::for_threads(threads));
                Cost::of(&rounds, runs.rays(), runs_of_singles.rays())
            };
            row.one_thread = Some(cost(&mut alone, 1));
            row.all_threads = (threads.count() > 1).then(|| cost(&mut shared, threads.count()));
        }
        Ok(row)
    }

    fn words(&self) -> String {
        let cost = |cost: &Cost| {
            format!("{} ns a ray, {:.2} of single calls", number(cost.batch), cost.of_single)
        };
        let mut text = format!("{} {} a batch: ", self.length, self.rays);
        text.push_str(&self.one_thread.as_ref().map_or_else(String::new, cost));
        if let Some(shared) = &self.all_threads {
            text.push_str(&format!("; on all threads {}", cost(shared)));
        }
        text
    }
}

impl Cost {
    /// Of the rounds' first, which cast so many rays, and their second, the single calls.
    fn of(rounds: &Rounds, rays: usize, singles: usize) -> Self {
        let each = |seconds: f64, rays: usize| 1e9 * seconds / rays as f64;
        Self {
            batch: each(rounds.median(0), rays),
            single: each(rounds.median(1), singles),
            of_single: singles as f64 / rays as f64 / rounds.ratio(0, 1),
        }
    }
}

/// The table.
pub(super) fn table(rows: &[Length], threads: usize) -> String {
    let shared = format!("{threads} threads, ns a ray");
    let mut columns = vec!["rays", "in a batch", "ns a ray", "single call, ns", "of single calls"];
    if threads > 1 {
        columns.extend([shared.as_str(), "of single calls"]);
    }
    let mut text = heading(&columns);
    for row in rows {
        let Some(alone) = &row.one_thread else { continue };
        let Cost { batch, single, of_single } = alone;
        text.push_str(&format!(
            "| {} | {} | {} | {} | {of_single:.2} |",
            row.rays,
            row.length,
            number(*batch),
            number(*single)
        ));
        if let Some(shared) = &row.all_threads {
            text.push_str(&format!(" {} | {:.2} |", number(shared.batch), shared.of_single));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Cost;
    use crate::rounds::Rounds;

    #[test]
    fn a_batch_is_set_against_as_many_single_calls() {
        // 1000 rays in 20 µs, 100 single calls in 10 µs; the second round was disturbed.
        let rounds = Rounds::of(vec![vec![20e-6, 40e-6, 20e-6], vec![10e-6, 20e-6, 10e-6]]);
        let cost = Cost::of(&rounds, 1000, 100);
        let near = |value: f64, expected: f64| (value - expected).abs() < 1e-9;
        assert!(
            near(cost.batch, 20.0) && near(cost.single, 100.0) && near(cost.of_single, 0.2),
            "{cost:?}"
        );
    }
}
