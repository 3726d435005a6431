//! What `lanecast points` says at the end.

use super::{Arguments, Query};
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
    points: u64,
    /// Points that something is near to, or that are inside.
    hits: u64,
    misses: u64,
    /// Points that were not answered, by reason.
    invalid: BTreeMap<&'static str, u64>,
    build_seconds: f64,
    query_seconds: f64,
    million_points_per_second: f64,
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
        asking: Duration,
    ) -> Self {
        let query_seconds = asking.as_secs_f64();
        Self {
            mesh: arguments.mesh.display().to_string(),
            query: arguments.query.name(),
            geometries,
            held: Held::new(&built.scene),
            points: tally.rows(),
            hits: tally.of(Status::Hit),
            misses: tally.of(Status::Miss),
            invalid: tally.invalid().collect(),
            build_seconds: built.seconds,
            query_seconds,
            million_points_per_second: number::millions_per_second(tally.rows(), query_seconds),
            backend: machine.backend.name(),
            threads: machine.threads.count(),
        }
    }

    /// The summary as one line for people.
    pub(super) fn line(&self, query: Query) -> String {
        let [hit, miss] = match query {
            Query::Inside => ["inside", "outside"],
            Query::Closest | Query::Distance | Query::Signed => ["near", "with nothing near"],
        };
        let mut line = format!(
            "{} at {}: {} {hit}, {} {miss}",
            number::counted(self.points, "point", "points"),
            self.held.words(),
            number::grouped(self.hits),
            number::grouped(self.misses),
        );
        for (reason, points) in &self.invalid {
            line += &format!(", {} {reason}", number::grouped(*points));
        }
        line + &format!(
            "; tree {}, answers {}: {:.2} million points/s ({}, {})",
            number::seconds(self.build_seconds),
            number::seconds(self.query_seconds),
            self.million_points_per_second,
            self.backend,
            number::counted(self.threads, "thread", "threads"),
        )
    }
}
