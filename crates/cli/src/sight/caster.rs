//! Casts lines, and writes what becomes of them.

use super::ends::Lines;
use super::rows::Rows;
use crate::existing::Existing;
use crate::failure::Result;
use crate::labels::Labels;
use crate::machine::Machine;
use crate::mesh::Built;
use crate::pace::Clock;
use crate::precision::Number;
use crate::rays::point_at;
use crate::work::Work;
use lanecast::{HitBatch, Maker, RayBatch, answers::SightMatrix};
use lanecast_io::{SightWriter, TableWriter};
use std::path::Path;

/// Lines that are made and cast at a time.
const PIECE: usize = 1 << 18;

/// Casts lines, and says how far it has got.
pub(super) struct Caster<'a, T: Number> {
    pub(super) built: &'a Built<T>,
    pub(super) machine: &'a Machine,
    pub(super) clock: Clock,
    pub(super) work: Work,
    /// Lines in sight so far.
    pub(super) in_sight: u64,
}

impl<T: Number> Caster<'_, T> {
    /// Writes a bit for each line, some observers at a time.
    pub(super) fn matrix(&mut self, path: &Path, lines: &Lines<'_, T>) -> Result<()> {
        let (observers, targets) = (lines.observers(), lines.targets());
        let mut writer = SightWriter::create(path, observers, targets)?;
        let mut matrix = SightMatrix::default();
        let piece = (PIECE / targets.max(1)).max(1);
        for first in (0..observers).step_by(piece) {
            let some = lines.of_observers(first..observers.min(first + piece))?;
            let scene = &self.built.scene;
            let done = first * targets;
            self.work.piece(done as u64, self.machine.options(), |options| {
                // Observers are numbered from the first of all.
                scene.sight(&some).with(options).matrix_into(&mut matrix).map_err(|error| {
                    match error {
                        lanecast::Error::InvalidLine { observer, target, status } => {
                            lanecast::Error::InvalidLine {
                                observer: first + observer,
                                target,
                                status,
                            }
                        }
                        error => error,
                    }
                })
            })?;
            let is_sound = |observer, target| lines.is_sound(first + observer, target);
            self.in_sight += self.clock.writing(|| writer.write_where(&matrix, is_sound))?;
        }
        Ok(self.clock.writing(|| writer.finish())?)
    }

    /// Writes a row for each line: whether and where it breaks.
    pub(super) fn rows(
        &mut self,
        mut writer: TableWriter,
        lines: &Lines<'_, T>,
        mut existing: Existing<'_, T>,
        labels: &mut Labels<'_, T>,
    ) -> Result<()> {
        let mut hits = HitBatch::new();
        let scene = &self.built.scene;
        for start in (0..lines.len()).step_by(PIECE) {
            let rays = RayBatch::made(lines).slice(start..lines.len().min(start + PIECE));
            self.work.piece(start as u64, self.machine.options(), |options| {
                scene.cast(&rays).with(options).closest_into(&mut hits)
            })?;
            existing.check(&hits)?;
            let mut rows = Rows::default();
            for (row, status) in hits.status().iter().enumerate() {
                let (observer, target) =
                    ((start + row) / lines.targets(), (start + row) % lines.targets());
                // Some cannot be cast for want of a length: both ends are in one place, and see
                // each other.
                let request = || scene.sight(&lines.substituted).with(&self.machine.options());
                let in_sight = || {
                    lines.is_sound(observer, target)
                        && matches!(request().first_obstacle(observer, target), Ok(None))
                };
                let visible = !status.is_hit() && (!status.is_invalid() || in_sight());
                self.in_sight += u64::from(visible);
                let broken = hits.hit(row).map(|hit| (hit, point_at(&rays.ray(row), hit.t)));
                rows.push(lines.ids(observer, target), visible, *status, broken);
            }
            labels.fill(rows.ids.rows())?;
            let columns = [&rows.columns()[..], &labels.columns()].concat();
            self.clock.writing(|| writer.write(&columns))?;
        }
        Ok(self.clock.writing(|| writer.finish())?)
    }
}
