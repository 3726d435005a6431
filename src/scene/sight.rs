//! Who sees what in a scene.

use super::caster::{BruteForce, SceneCaster, Trees, Way, in_pieces};
use super::{Scene, SceneScan};
use crate::batch::{CastOptions, Filter, PerRay, met_or_refused};
use crate::error::{Error, Result};
use crate::hit::{AnyHitBatch, Hit, HitBatch, SightMatrix};
use crate::makers::SightLines;
use crate::status::Status;
use crate::value::{Ray, RayBatch};

macro_rules! sight {
    ($type:ty, $self:ident => $scene:expr, $way:ty) => {
        impl $type {
            /// Which targets are in sight of which observers: a bit for each line that nothing breaks, into `matrix`,
            /// whose memory is reused. The lines are made while they are cast and kept nowhere.
            ///
            /// With a [filter](Scene::filter), lines are a [batch](crate::RayBatch::made) of rays as any other, and one
            /// that meets nothing is a target in sight.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are lines, [`Error::InvalidLine`] names the first that cannot be cast, which there are where
            /// instances are much smaller or larger than their scenes, [`Error::AnswersTooLarge`] says that memory does
            /// not hold the matrix, [`Error::Stopped`](crate::Error::Stopped) that the watcher stopped it. `matrix` is
            /// then empty.
            pub fn sight(
                &$self,
                lines: &SightLines<'_>,
                options: &CastOptions<'_>,
                matrix: &mut SightMatrix,
            ) -> Result<()> {
                SceneCaster::<$way>::whole($scene, Filter::NONE).sight(lines, options, matrix)
            }

            /// Where the line from an observer to a target is broken first: at this part of its length, `t`, by this
            /// primitive. `None` if nothing breaks it. Of many lines, [`closest_hit_batch`](Self::closest_hit_batch)
            /// answers to [`RayBatch::made`](crate::RayBatch::made) of them.
            ///
            /// # Errors
            /// [`Error::UnusableField`](crate::Error::UnusableField) if there is no such observer or target,
            /// [`Error::InvalidLine`] if the line cannot be cast.
            pub fn first_obstacle(
                &$self,
                lines: &SightLines<'_>,
                observer: usize,
                target: usize,
            ) -> Result<Option<Hit>> {
                let number = lines.number(observer, target)?;
                let ray = lines.line(number);
                if is_without_length(&ray) {
                    return Ok(None);
                }
                SceneCaster::<$way>::whole($scene, Filter::NONE).first_obstacle(&ray, lines, number).map_err(
                    |error| match error {
                        Error::InvalidRay { status } => Error::InvalidLine { observer, target, status },
                        error => error,
                    },
                )
            }
        }
    };
}

sight!(Scene, self => self, Trees);
sight!(SceneScan<'_>, self => self.0, BruteForce);

/// Whether both ends of a line are in one place, or as good as that: nothing breaks it.
fn is_without_length(line: &Ray) -> bool {
    matches!(line.defect(), Some(Status::ZeroDirection | Status::DirectionOutOfRange))
}

impl<W: Way> SceneCaster<'_, W> {
    fn sight(
        &self,
        lines: &SightLines<'_>,
        options: &CastOptions<'_>,
        matrix: &mut SightMatrix,
    ) -> Result<()> {
        let options = &skipping_ends(lines, 0, options);
        if self.is_alone() {
            return self.own().sight(lines, options, matrix);
        }
        let rays = RayBatch::made(lines);
        options.each.check(rays.len()).inspect_err(|_| matrix.clear())?;
        matrix.resize(lines.observers(), lines.targets())?;
        let mut hits = AnyHitBatch::new();
        in_pieces(rays.len(), options, |rows, options| {
            self.of_rows(rows.clone()).any_hit(&rays.slice(rows.clone()), options, &mut hits)?;
            for (line, &status) in rows.zip(&hits.status) {
                let (observer, target) = (line / lines.targets(), line % lines.targets());
                if status.is_invalid() && !is_without_length(&lines.line(line)) {
                    return Err(Error::InvalidLine { observer, target, status });
                }
                if !status.is_hit() {
                    matrix.set(observer, target);
                }
            }
            Ok(())
        })
        .inspect_err(|_| matrix.clear())
    }

    /// The first hit of one of the lines, which is this ray.
    fn first_obstacle(&self, ray: &Ray, lines: &SightLines<'_>, number: usize) -> Result<Option<Hit>> {
        if !lines.stand_on_something() {
            return self.closest_hit_of(ray);
        }
        let mut hits = HitBatch::new();
        self.one(ray, |rays, options| {
            self.closest_hit(rays, &skipping_ends(lines, number, options), &mut hits)
        })?;
        met_or_refused(hits.status[0]).map(|_| hits.hit(0))
    }
}

/// The same options for rays that are these lines, from one of that number on: what their ends lie on does not count.
fn skipping_ends<'a>(lines: &'a SightLines<'a>, first: usize, options: &CastOptions<'a>) -> CastOptions<'a> {
    let lines = lines.stand_on_something().then_some((lines, first));
    CastOptions { each: PerRay { lines, ..options.each }, ..options.clone() }
}
