//! How long the answers took: the end of every summary.

use crate::machine::Machine;
use crate::mesh::Built;
use crate::number;
use serde::Serialize;
use std::time::Duration;

/// The last fields of a JSON summary.
#[derive(Debug, Serialize)]
pub(crate) struct Pace {
    build_seconds: f64,
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
    /// For so many rays, cast in this time.
    pub(crate) fn of_rays(rays: u64, casting: Duration, built: &Built, machine: &Machine) -> Self {
        let cast_seconds = casting.as_secs_f64();
        let million_rays_per_second = number::millions_per_second(rays, cast_seconds);
        Self::new(Speed::Rays { cast_seconds, million_rays_per_second }, built, machine)
    }

    /// For so many points.
    pub(crate) fn of_points(points: u64, asking: Duration, built: &Built, machine: &Machine) -> Self {
        let query_seconds = asking.as_secs_f64();
        let million_points_per_second = number::millions_per_second(points, query_seconds);
        Self::new(Speed::Points { query_seconds, million_points_per_second }, built, machine)
    }

    fn new(speed: Speed, built: &Built, machine: &Machine) -> Self {
        let (backend, threads) = (machine.backend.name(), machine.threads.count());
        Self { build_seconds: built.seconds, speed, backend, threads }
    }

    /// The same for people.
    pub(crate) fn words(&self) -> String {
        let speed = match self.speed {
            Speed::Rays { cast_seconds, million_rays_per_second } => {
                format!("cast {}: {million_rays_per_second:.1} million rays/s", number::seconds(cast_seconds))
            }
            Speed::Points { query_seconds, million_points_per_second } => {
                let seconds = number::seconds(query_seconds);
                format!("answers {seconds}: {million_points_per_second:.2} million points/s")
            }
        };
        let threads = number::counted(self.threads, "thread");
        format!("tree {}, {speed} ({}, {threads})", number::seconds(self.build_seconds), self.backend)
    }
}
