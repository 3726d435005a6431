//! Checks all cases against each other, then lets them take turns against the clock.

use super::sets::RaySet;
use crate::failure::{Failure, Result};
use crate::machine;
use crate::number;
use lanecast::{Backend, HitBatch, Scene, Threads, answers::AnyHitBatch};
use std::time::{Duration, Instant};

/// One set on one backend with so many threads.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) set: &'a RaySet,
    pub(super) backend: Backend,
    pub(super) threads: &'a Threads,
    /// Of each round, by the clock and, where the system tells it, of the processor in all threads
    /// together.
    seconds: Vec<f64>,
    processor_seconds: Vec<f64>,
}

impl Case<'_> {
    fn cast(&self, scene: &Scene, answers: &mut Answers) -> lanecast::Result<()> {
        let request = scene.cast(&self.set.rays).backend(self.backend).threads(self.threads);
        if self.set.any {
            request.any_into(&mut answers.any)
        } else {
            request.closest_into(&mut answers.closest)
        }
    }

    /// The median over the rounds.
    pub(super) fn million_rays_per_second(&self) -> f64 {
        self.rate(&self.seconds)
    }

    /// The same by the processor's time, which no other program takes.
    pub(super) fn million_rays_per_processor_second(&self) -> Option<f64> {
        (!self.processor_seconds.is_empty()).then(|| self.rate(&self.processor_seconds))
    }

    fn rate(&self, seconds: &[f64]) -> f64 {
        number::millions_per_second(self.set.rays.len() as u64, median(seconds.to_vec()))
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        length if length % 2 == 1 => numbers[middle],
        _ => (numbers[middle - 1] + numbers[middle]) / 2.0,
    }
}

#[derive(Debug, Default, PartialEq)]
struct Answers {
    closest: HitBatch,
    any: AnyHitBatch,
}

/// All cases and how often each was measured.
#[derive(Debug)]
pub(super) struct Rounds<'a> {
    pub(super) cases: Vec<Case<'a>>,
    pub(super) rounds: usize,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(sets: &'a [RaySet], backends: &[Backend], threads: &'a [Threads]) -> Self {
        let mut cases = Vec::new();
        for set in sets {
            for &backend in backends {
                cases.extend(threads.iter().map(|threads| Case {
                    set,
                    backend,
                    threads,
                    seconds: Vec::new(),
                    processor_seconds: Vec::new(),
                }));
            }
        }
        Self { cases, rounds: 0 }
    }

    /// The part of the time of all cases of one thread for which the processor was at work here:
    /// less than all of it went to other programs. Those of more threads may wait for each other.
    /// Of all rounds together: where a round is shorter than the time for which another program has
    /// the processor, most rounds lose nothing and a few lose nearly all.
    pub(super) fn share(&self) -> Option<f64> {
        let alone = || self.cases.iter().filter(|case| case.threads.count() == 1);
        let processor: f64 = alone().flat_map(|case| &case.processor_seconds).sum();
        let all: f64 = alone().flat_map(|case| &case.seconds).sum();
        (processor > 0.0).then(|| (processor / all).min(1.0))
    }

    /// Refuses to measure cases that do not answer the same.
    pub(super) fn check(&self, scene: &Scene) -> Result<()> {
        for of_set in self.cases.chunk_by(|a, b| std::ptr::eq(a.set, b.set)) {
            let mut expected = Answers::default();
            of_set[0].cast(scene, &mut expected)?;
            for case in &of_set[1..] {
                let mut answers = Answers::default();
                case.cast(scene, &mut answers)?;
                if answers != expected {
                    let (kind, threads) = (case.set.kind, case.threads.count());
                    let problem = format!(
                        "{} with {threads} threads and {} with {} thread answer differently, which is a defect",
                        case.backend,
                        of_set[0].backend,
                        of_set[0].threads.count()
                    );
                    return Err(Failure::about(format_args!("{kind} rays"), problem));
                }
            }
        }
        Ok(())
    }

    /// Measures every case once a round, three rounds at least and until `time` is over. `progress`
    /// hears the share of the time that has gone.
    pub(super) fn measure(
        &mut self,
        scene: &Scene,
        time: Duration,
        mut progress: impl FnMut(f64),
    ) -> Result<()> {
        const FEWEST: usize = 3;
        let start = Instant::now();
        let mut answers = Answers::default();
        while self.rounds < FEWEST || start.elapsed() < time {
            for case in &mut self.cases {
                let (start, processor) = (Instant::now(), machine::processor_time());
                case.cast(scene, &mut answers)?;
                case.seconds.push(start.elapsed().as_secs_f64());
                let spent = machine::processor_time().zip(processor).map(|(now, then)| now - then);
                case.processor_seconds.extend(spent.map(|spent| spent.as_secs_f64()));
            }
            self.rounds += 1;
            let by_time = start.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9);
            progress(by_time.min(self.rounds as f64 / FEWEST as f64).min(1.0));
        }
        Ok(())
    }
}
