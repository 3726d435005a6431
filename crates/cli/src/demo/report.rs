//! What the demonstration says at the end.

use super::jobs::Job;
use crate::machine::{self, Machine};
use crate::mesh::Built;
use crate::number::{self, counted, grouped};
use crate::report;
use serde::Serialize;
use std::path::Path;

/// Jobs that take less than these seconds are over before a speed can be told.
const SHORT: f64 = 0.01;

/// The fields of the JSON report.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    picture: String,
    /// Whether there was such a file before.
    overwritten: bool,
    processor: String,
    backend: &'static str,
    threads: usize,
    triangles: usize,
    build_seconds: f64,
    jobs: Vec<Job>,
    rays: u64,
    cast_seconds: f64,
    /// Of the closed solid, in cubic millimetres: by x-ray, and of what its triangles enclose.
    solid_volume: f64,
    solid_volume_of_triangles: f64,
}

impl Report {
    pub(super) fn new(
        jobs: Vec<Job>,
        machine: &Machine,
        (picture, overwritten): (&Path, bool),
        built: [&Built; 2],
        [solid_volume, solid_volume_of_triangles]: [f64; 2],
    ) -> Self {
        Self {
            picture: picture.display().to_string(),
            overwritten,
            processor: machine::processor(),
            backend: machine.backend.name(),
            threads: machine.threads.count(),
            triangles: built.iter().map(|built| built.scene.triangle_count()).sum(),
            build_seconds: built.iter().map(|built| built.seconds).sum(),
            rays: jobs.iter().map(|job| job.rays).sum(),
            cast_seconds: jobs.iter().map(|job| job.seconds).sum(),
            jobs,
            solid_volume,
            solid_volume_of_triangles,
        }
    }

    pub(super) fn words(&self) -> String {
        let head = ["kind", "query", "rays", "hits", "million rays/s", "backend", "threads"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let mut row = |kind: &str, query: &str, rays: u64, hits: Option<u64>, rate: f64| {
            rows.push(vec![
                kind.to_owned(),
                query.to_owned(),
                grouped(rays),
                hits.map(grouped).unwrap_or_default(),
                format!("{rate:.1}"),
                self.backend.to_owned(),
                self.threads.to_string(),
            ]);
        };
        for job in &self.jobs {
            row(job.kind, job.query, job.rays, Some(job.hits), job.million_rays_per_second);
        }
        row("all", "", self.rays, None, number::millions_per_second(self.rays, self.cast_seconds));
        let short: Vec<_> =
            self.jobs.iter().filter(|job| job.seconds < SHORT).map(|job| job.kind).collect();
        let short = match short.is_empty() {
            true => String::new(),
            false => format!(
                "\nCast in less than {}, which says little of the speed: {}. Cast more --rays.",
                number::seconds(SHORT),
                short.join(", ")
            ),
        };
        format!(
            "lanecast {} on {}\n{} in two trees, built in {}\n\n{}\n{} cast in {}; the solid's volume by x-ray is {:.1} cm³, its triangles enclose {:.1}{short}\nThe picture is {}{}: orange is in sight from the red mast, magenta is where the scanner's beams fall\n",
            env!("CARGO_PKG_VERSION"),
            self.processor,
            counted(self.triangles, "triangle"),
            number::seconds(self.build_seconds),
            report::table(2, &rows),
            counted(self.rays as usize, "ray"),
            number::seconds(self.cast_seconds),
            self.solid_volume / 1e3,
            self.solid_volume_of_triangles / 1e3,
            self.picture,
            if self.overwritten { ", in the place of the one before" } else { "" },
        )
    }
}
