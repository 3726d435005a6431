//! Casts lines of sight, and writes who sees whom or where lines break.

use super::ends::Lines;
use super::rows::Rows;
use crate::failure::Result;
use crate::pace::Clock;
use crate::pipeline::{Lookup, Pipeline};
use crate::precision::Number;
use crate::rays::point_at;
use lanecast::{HitBatch, Maker, RayBatch, answers::SightMatrix};
use lanecast_io::{HitFormat, SightWriter, TableWriter};
use std::path::Path;

/// Lines that are made and cast at a time.
const PIECE: usize = 1 << 18;

/// Writes a bit for each line, some observers at a time; returns the number of lines in sight.
pub(super) fn matrix<T: Number>(
    mut pipeline: Pipeline<'_, T>,
    path: &Path,
    lines: &Lines<'_, T>,
) -> Result<(u64, Clock)> {
    let (observers, targets) = (lines.observers(), lines.targets());
    let mut writer = SightWriter::create(path, observers, targets)?;
    let mut in_sight = 0;
    let write = |(first, matrix): &(usize, SightMatrix)| {
        let is_sound = |observer, target| lines.is_sound(first + observer, target);
        in_sight += writer.write_where(matrix, is_sound)?;
        Ok(())
    };
    let piece = (PIECE / targets.max(1)).max(1);
    pipeline.run(Default::default, write, |pipeline, queue| {
        for first in (0..observers).step_by(piece) {
            let some = first..observers.min(first + piece);
            let count = some.len() * targets;
            let some = lines.of_observers(some)?;
            let (_, mut matrix) = queue.room();
            pipeline.ask(count, |scene, options| {
                // Observers are numbered from the first of all.
                let request = scene.sight(&some).with(options);
                request.matrix_into(&mut matrix).map_err(|error| match error {
                    lanecast::Error::InvalidLine { observer, target, status } => {
                        lanecast::Error::InvalidLine { observer: first + observer, target, status }
                    }
                    error => error,
                })
            })?;
            pipeline.hand_over(queue, (first, matrix))?;
        }
        Ok(())
    })?;
    Ok((in_sight, pipeline.finish(|| writer.finish())?))
}

/// Writes a row for each line: whether and where it breaks; returns the number of lines in sight.
pub(super) fn breaks<T: Number>(
    mut pipeline: Pipeline<'_, T>,
    mut lookup: Lookup<'_, T>,
    (path, format): (&Path, HitFormat),
    lines: &Lines<'_, T>,
) -> Result<(u64, Clock)> {
    let rows = Rows::<T>::default();
    let texts = lines.texts([&[], &[]]);
    let columns = [&rows.columns(&texts)[..], &lookup.columns()].concat();
    let (scene, machine) = (pipeline.scene, pipeline.machine);
    let mut writer = TableWriter::create(path, Some(format), &columns)?
        .threads(&machine.threads)
        .expect_rows(lines.len() as u64)?;
    let mut in_sight = 0;
    let rays_from =
        |start: usize| RayBatch::made(lines).slice(start..lines.len().min(start + PIECE));
    let write = |(start, hits): &(usize, HitBatch<T>)| {
        let (rays, mut rows) = (rays_from(*start), Rows::default());
        for (row, status) in hits.status().iter().enumerate() {
            let (observer, target) =
                ((start + row) / lines.targets(), (start + row) % lines.targets());
            // Some cannot be cast for want of a length: both ends are in one place, and see each
            // other.
            let sees = || {
                let options = machine.options();
                let request = scene.sight(&lines.substituted).with(&options);
                lines.is_sound(observer, target)
                    && matches!(request.first_obstacle(observer, target), Ok(None))
            };
            let visible = !status.is_hit() && (!status.is_invalid() || sees());
            in_sight += u64::from(visible);
            let broken = hits.hit(row).map(|hit| (hit, point_at(&rays.ray(row), hit.t)));
            rows.push(lines.ids(observer, target), visible, *status, broken);
        }
        let labels = lookup.labels_of(rows.ids.rows())?;
        let texts = lines.texts([&rows.observer, &rows.target]);
        Ok(writer.write(&[&rows.columns(&texts)[..], &labels].concat())?)
    };
    pipeline.run(Default::default, write, |pipeline, queue| {
        for start in (0..lines.len()).step_by(PIECE) {
            let (rays, (_, mut hits)) = (rays_from(start), queue.room());
            pipeline.ask(rays.len(), |scene, options| {
                scene.cast(&rays).with(options).closest_into(&mut hits)
            })?;
            pipeline.hand_over(queue, (start, hits))?;
        }
        Ok(())
    })?;
    Ok((in_sight, pipeline.finish(|| writer.finish())?))
}
