//! The scan itself, piece by piece.

use super::Arguments;
use super::noise::Reflectances;
use super::rows::Rows;
use crate::failure::Result;
use crate::hit_format::Format;
use crate::machine::Machine;
use crate::mesh::{self, Held, Meshes};
use crate::number::{counted, grouped};
use crate::pace::{Clock, Pace};
use crate::pipeline::{Lookup, Pipeline};
use crate::precision::Number;
use crate::report;
use crate::tally::Tally;
use lanecast::support::map_on;
use lanecast::{HitBatch, Maker, Ray, RayBatch, Status};
use lanecast_io::{CloudFormat, HitFormat, TableWriter};
use lanecast_makers::{Lidar, Receiver, ReturnBatch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// What is scanned and how, in either precision.
pub(super) struct Scan<'a> {
    pub(super) format: Format,
    pub(super) range: [f64; 2],
    pub(super) lidar: &'a Lidar,
    pub(super) receiver: &'a Receiver<'a>,
    pub(super) reflectances: Option<&'a Reflectances>,
    pub(super) machine: &'a Machine,
    /// Columns of the tables that are not read.
    pub(super) ignored: [Vec<String>; 3],
}

/// Rays that are cast at a time, and of these that a thread makes.
const PIECE: usize = 1 << 18;
const MADE: usize = 1 << 14;

/// The rays of some pulses, of which the first has this number, and what they hit.
#[derive(Default)]
struct Fired<T: Number> {
    first: usize,
    made: Vec<Ray<T>>,
    hits: HitBatch<T>,
}

/// What some pulses have measured, how many of them were lost, and how many met nothing.
#[derive(Default)]
struct Measured<T> {
    rows: Rows<T>,
    lost: u64,
    missed: u64,
}

/// The format of the file, by its name among those of points where it is one of these.
fn file_format(format: Format) -> HitFormat {
    match format {
        Format::Hits(format) => format,
        Format::Own(name) => {
            HitFormat::Cloud(CloudFormat::from_extension(name).unwrap_or(CloudFormat::Ply))
        }
    }
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    #[serde(flatten)]
    held: Held,
    rays: u64,
    /// Rays that met something, and that met nothing; with those that could not be cast, all rays.
    hits: u64,
    misses: u64,
    /// Rays that could not be cast, by reason.
    invalid: BTreeMap<&'static str, u64>,
    pulses: u64,
    /// Pulses of which something was measured; with those that are lost and those that met nothing,
    /// all pulses.
    pulses_measured: u64,
    /// Pulses that met something, of which nothing came back that could be received.
    pulses_lost: u64,
    /// Pulses that met nothing, or could not be cast.
    pulses_missed: u64,
    /// Points that were measured, of a pulse one for each return.
    points: u64,
    /// Of the tables of beams, of poses and of reflectances.
    ignored_columns: [Vec<String>; 3],
    #[serde(flatten)]
    pace: Pace,
}

impl Arguments {
    pub(super) fn scan<T: Number>(
        &self,
        scan: Scan<'_>,
        mut meshes: Meshes<T>,
        clock: Clock,
    ) -> Result<()> {
        let Scan { format, range: [near, far], lidar, receiver, machine, ignored, .. } = scan;
        let beams = T::beams(lidar);
        let cones = self.noise.footprint(&*beams)?;
        let (maker, weights): (&dyn Maker<Ray<T>>, &[f64]) = match &cones {
            Some(cones) => (cones, cones.weights()),
            None => (&*beams, &[1.0]),
        };
        let [near, far] = [near, far].map(T::nearest);
        let mesh = self.common.mesh();
        let built = mesh::build_warning(mesh, &mut meshes, machine, "every beam misses")?;
        let meaning = |of: &Reflectances| of.meaning(&built.scene, (mesh, &meshes));
        let reflectance = scan.reflectances.map(meaning).transpose()?;
        let receiver = match &reflectance {
            Some(reflectance) => receiver.reflectance(reflectance),
            None => *receiver,
        };
        let (pulses, width, rays) = (lidar.len(), weights.len(), maker.len() as u64);
        let total = (Some(rays), "rays");
        let mut pipeline = Pipeline::begin(&self.common, &built, machine, clock, total);
        let mut lookup = Lookup::new(&self.common, &meshes, &built);
        let none = Rows::<T>::default();
        let columns = [&none.columns()[..], &lookup.columns()].concat();
        let writer = TableWriter::create(&self.output, Some(file_format(format)), &columns)?;
        let mut writer = writer.threads(&machine.threads);
        let mut returns = ReturnBatch::new();
        let (mut tally, mut found, mut lost, mut missed) = (Tally::default(), 0, 0, 0);
        let write = |Fired { first, made, hits }: &Fired<T>| {
            tally.add(hits.status(), None);
            let rays = RayBatch::from_rays(made).with_interval(near, far);
            let first = *first;
            receiver.returns_into(first, weights, &rays, hits, &mut returns)?;
            found += returns.returns().len() as u64;
            // The rows of a share of the pulses on each thread.
            let count = made.len() / width;
            let share = count.div_ceil(2 * machine.threads.count()).max(1);
            let shares = (0..count).step_by(share).map(|start| start..count.min(start + share));
            let parts = map_on(&machine.threads, shares.collect(), &|pulses: Range<usize>| {
                let mut part = Measured::default();
                for pulse in pulses {
                    let fired = lidar.pulse(first + pulse);
                    let of_pulse = returns.of_pulse(pulse);
                    for measured in of_pulse {
                        let axis = &made[pulse * width];
                        part.rows.push(first + pulse, fired, axis, *measured, hits);
                    }
                    if of_pulse.is_empty() {
                        let of_rays = &hits.status()[pulse * width..(pulse + 1) * width];
                        *if of_rays.iter().any(|status| status.is_hit()) {
                            &mut part.lost
                        } else {
                            &mut part.missed
                        } += 1;
                        if self.misses {
                            // Nobody can tell a pulse that is lost from one that meets nothing.
                            let status = hits.status()[pulse * width];
                            let status = if status.is_hit() { Status::Miss } else { status };
                            part.rows.push_miss(first + pulse, fired, status);
                        }
                    }
                }
                part
            });
            for part in parts {
                (lost, missed) = (lost + part.lost, missed + part.missed);
                let labels = lookup.labels_of(part.rows.ids.rows())?;
                writer.write(&[&part.rows.columns()[..], &labels].concat())?;
            }
            Ok(())
        };
        let piece = (PIECE / width).max(1);
        pipeline.run(Fired::default, write, |pipeline, queue| {
            for first in (0..pulses).step_by(piece) {
                let Fired { mut made, mut hits, .. } = queue.room();
                let count = piece.min(pulses - first) * width;
                made.resize(count, Ray::new([T::ZERO; 3], [T::ZERO; 3]));
                let places = (first * width..).step_by(MADE);
                let pieces = places.zip(made.chunks_mut(MADE)).collect();
                map_on(&machine.threads, pieces, &|(place, rays)| maker.make(place, rays));
                let rays = RayBatch::from_rays(&made).with_interval(near, far);
                pipeline.ask(rays.len(), |scene, options| {
                    let request = scene.cast(&rays).with(options);
                    request.geometric_normals(true).closest_into(&mut hits)
                })?;
                pipeline.hand_over(queue, Fired { first, made, hits })?;
            }
            Ok(())
        })?;
        let clock = pipeline.finish(|| writer.finish())?;
        let summary = Summary {
            mesh: mesh.display().to_string(),
            held: Held::new(&built.scene),
            rays,
            hits: tally.of(Status::Hit),
            misses: tally.of(Status::Miss),
            invalid: tally.invalid().collect(),
            pulses: pulses as u64,
            pulses_measured: pulses as u64 - lost - missed,
            pulses_lost: lost,
            pulses_missed: missed,
            points: found,
            ignored_columns: ignored,
            pace: Pace::of_rays(rays, &clock, &built, machine),
        };
        report::sum_up(&summary, || summary.line(), self.common.json, &self.output)
    }
}

impl Summary {
    fn line(&self) -> String {
        let (beams, points) = (counted(self.pulses, "beam"), counted(self.points, "point"));
        let mut line = format!("{beams} at {}: {points} measured", self.held.words());
        if self.pulses_lost > 0 {
            line += &format!(", {} lost", grouped(self.pulses_lost));
        }
        for (reason, count) in &self.invalid {
            line += &format!(", {} {reason}", grouped(*count));
        }
        line + "; " + &self.pace.words()
    }
}
