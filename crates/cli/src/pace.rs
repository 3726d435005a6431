//! How long everything took, and what the time went to: the end of every summary.

use crate::machine::Machine;
use crate::mesh::Built;
use crate::number;
use lanecast::Precision;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Tells how long a subcommand has been at work, and how long of that it read, asked and wrote.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Instant,
    reading: Duration,
    asking: Duration,
    writing: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let [reading, asking, writing] = [Duration::ZERO; 3];
        Self { start: Instant::now(), reading, asking, writing }
    }

    /// Reads, or waits for what another thread reads.
    pub(crate) fn reading<T>(&mut self, read: impl FnOnce() -> T) -> T {
        timed(&mut self.reading, read)
    }

    /// Asks a scene.
    pub(crate) fn asking<T>(&mut self, ask: impl FnOnce() -> T) -> T {
        timed(&mut self.asking, ask)
    }

    /// Writes, or waits for what another thread writes.
    pub(crate) fn writing<T>(&mut self, write: impl FnOnce() -> T) -> T {
        timed(&mut self.writing, write)
    }

    /// Adds the time for which a scene was asked.
    pub(crate) fn asked(&mut self, time: Duration) {
        self.asking += time;
    }
}

fn timed<T>(sum: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *sum += start.elapsed();
    done
}

/// The part of all that is left out of the words where nothing more is left.
const OTHER: f64 = 0.02;

/// The last fields of a JSON summary.
#[derive(Debug, Serialize)]
pub(crate) struct Pace {
    elapsed_seconds: f64,
    read_seconds: f64,
    build_seconds: f64,
    write_seconds: f64,
    /// What is left of all: making rays, looking up what was hit.
    other_seconds: f64,
    #[serde(flatten)]
    speed: Speed,
    backend: &'static str,
    threads: usize,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Speed {
    Rays { cast_seconds: f64, million_rays_per_second: f64 },
    Points { query_seconds: f64, million_points_per_second: f64 },
}

impl Pace {
    /// For so many rays.
    pub(crate) fn of_rays(
        rays: u64,
        clock: &Clock,
        built: &Built<impl Precision>,
        machine: &Machine,
    ) -> Self {
        let cast_seconds = clock.asking.as_secs_f64();
        let million_rays_per_second = number::millions_per_second(rays, cast_seconds);
        Self::new(Speed::Rays { cast_seconds, million_rays_per_second }, clock, built, machine)
    }

    /// For so many points.
    pub(crate) fn of_points(
        points: u64,
        clock: &Clock,
        built: &Built<impl Precision>,
        machine: &Machine,
    ) -> Self {
        let query_seconds = clock.asking.as_secs_f64();
        let million_points_per_second = number::millions_per_second(points, query_seconds);
        Self::new(Speed::Points { query_seconds, million_points_per_second }, clock, built, machine)
    }

    fn new(speed: Speed, clock: &Clock, built: &Built<impl Precision>, machine: &Machine) -> Self {
        let (backend, threads) = (machine.backend.name(), machine.threads.count());
        let elapsed_seconds = clock.start.elapsed().as_secs_f64();
        let [reading, asking_seconds, write_seconds] =
            [clock.reading, clock.asking, clock.writing].map(|time| time.as_secs_f64());
        let read_seconds = reading - if built.is_opened { built.seconds } else { 0.0 };
        let known = read_seconds + built.seconds + asking_seconds + write_seconds;
        Self {
            elapsed_seconds,
            read_seconds,
            build_seconds: built.seconds,
            write_seconds,
            other_seconds: elapsed_seconds - known,
            speed,
            backend,
            threads,
        }
    }

    /// The same for people.
    pub(crate) fn words(&self) -> String {
        let seconds = number::seconds;
        let (work, rate) = match self.speed {
            Speed::Rays { cast_seconds, million_rays_per_second } => (
                format!("cast {}", seconds(cast_seconds)),
                format!("{million_rays_per_second:.1} million rays/s"),
            ),
            Speed::Points { query_seconds, million_points_per_second } => (
                format!("answers {}", seconds(query_seconds)),
                format!("{million_points_per_second:.2} million points/s"),
            ),
        };
        let [all, read, tree, write] =
            [self.elapsed_seconds, self.read_seconds, self.build_seconds, self.write_seconds]
                .map(seconds);
        let other = match self.other_seconds {
            other if other < OTHER * self.elapsed_seconds => String::new(),
            other => format!(", other {}", seconds(other)),
        };
        let threads = number::counted(self.threads, "thread");
        format!(
            "{all}: read {read}, tree {tree}, {work}, write {write}{other}; {rate} ({}, {threads})",
            self.backend
        )
    }
}
