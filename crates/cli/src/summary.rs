//! What `lanecast cast` and `lanecast points` say at the end.

use crate::mesh::Held;
use crate::number::{counted, grouped};
use crate::pace::Pace;
use crate::precision::Number;
use crate::tally::Tally;
use lanecast::{Scene, Status};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<Q> {
    mesh: String,
    query: Q,
    geometries: usize,
    #[serde(flatten)]
    held: Held,
    #[serde(flatten)]
    rows: Rows,
    /// Rays that met something; points that something is near to, or that are inside.
    hits: u64,
    misses: u64,
    /// Rays and points that were not answered, by reason.
    invalid: BTreeMap<&'static str, u64>,
    /// Hits on all rays together, where a ray may have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<u64>,
    /// Of the file of rays or points.
    ignored_columns: Vec<String>,
    #[serde(flatten)]
    pace: Pace,
}

/// How many there are.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Rows {
    Rays(u64),
    Points(u64),
}

impl<Q> Summary<Q> {
    pub(crate) fn new(
        mesh: &Path,
        scene: &Scene<impl Number>,
        geometries: usize,
        query: Q,
        ignored_columns: Vec<String>,
        tally: &Tally,
        (rows, pace): (Rows, Pace),
    ) -> Self {
        Self {
            mesh: mesh.display().to_string(),
            query,
            geometries,
            held: Held::new(scene),
            rows,
            hits: tally.of(Status::Hit),
            misses: tally.of(Status::Miss),
            invalid: tally.invalid().collect(),
            found: tally.found(),
            ignored_columns,
            pace,
        }
    }

    /// One line for people, with what hits and misses are called.
    pub(crate) fn line(&self, [hit, miss]: [&str; 2]) -> String {
        let rows = match self.rows {
            Rows::Rays(rays) => counted(rays, "ray"),
            Rows::Points(points) => counted(points, "point"),
        };
        let (hits, misses) = (grouped(self.hits), grouped(self.misses));
        let mut line = format!("{rows} at {}: {hits} {hit}, {misses} {miss}", self.held.words());
        for (reason, count) in &self.invalid {
            line += &format!(", {} {reason}", grouped(*count));
        }
        if let Some(found) = self.found {
            line += &format!("; {} in all", counted(found, "hit"));
        }
        line + "; " + &self.pace.words()
    }
}
