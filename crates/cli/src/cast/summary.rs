//! What `lanecast cast` says at the end.

use super::Arguments;
use crate::machine::Machine;
use crate::mesh::{Built, Held};
use crate::number;
use crate::tally::Tally;
use lanecast::Status;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    mesh: String,
    query: &'static str,
    geometries: usize,
    #[serde(flatten)]
    held: Held,
    rays: u64,
    /// Rays that met something.
    hits: u64,
    misses: u64,
    /// Rays that were not cast, by reason.
    invalid: BTreeMap<&'static str, u64>,
    /// Hits on all rays together, for `line`, `all` and `count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<u64>,
    build_seconds: f64,
    cast_seconds: f64,
    million_rays_per_second: f64,
    backend: &'static str,
    threads: usize,
}

impl Summary {
    pub(super) fn new(
        arguments: &Arguments,
        built: &Built,
        machine: &Machine,
        tally: &Tally,
        geometries: usize,
        casting: Duration,
    ) -> Self {
        let cast_seconds = casting.as_secs_f64();
        Self {
            mesh: arguments.mesh.display().to_string(),
            query: arguments.query.name(),
            geometries,
            held: Held::new(&built.scene),
            rays: tally.rows(),
            hits: tally.of(Status::Hit),
            misses: tally.of(Status::Miss),
            invalid: tally.invalid().collect(),
            found: tally.found(),
            build_seconds: built.seconds,
            cast_seconds,
            million_rays_per_second: number::millions_per_second(tally.rows(), cast_seconds),
            backend: machine.backend.name(),
            threads: machine.threads.count(),
        }
    }

    /// The summary as one line for people.
    pub(super) fn line(&self) -> String {
        let mut line = format!(
            "{} at {}: {} hit, {} miss",
            number::counted(self.rays, "ray", "rays"),
            self.held.words(),
            number::grouped(self.hits),
            number::grouped(self.misses),
        );
        for (reason, rays) in &self.invalid {
            line += &format!(", {} {reason}", number::grouped(*rays));
        }
        if let Some(found) = self.found {
            line += &format!("; {} in all", number::counted(found, "hit", "hits"));
        }
        line + &format!(
            "; tree {}, cast {}: {:.1} million rays/s ({}, {})",
            number::seconds(self.build_seconds),
            number::seconds(self.cast_seconds),
            self.million_rays_per_second,
            self.backend,
            number::counted(self.threads, "thread", "threads"),
        )
    }
}
