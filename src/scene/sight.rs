//! Who sees what in a scene.

use super::caster::{BruteForce, SceneCaster, Trees};
use super::{Scene, SceneScan};
use crate::batch::{AcceptAll, AcceptIf, CastOptions, Frame};
use crate::error::Result;
use crate::hit::{Hit, SightMatrix};
use crate::makers::SightLines;
use crate::primitive::Side;
use crate::status::Status;

macro_rules! sight {
    ($type:ty, $self:ident => $scene:expr, $way:ty) => {
        impl $type {
            /// Which targets are in sight of which observers: a bit for each line that nothing breaks, into `matrix`,
            /// whose memory is reused. The lines are made while they are cast and kept nowhere.
            ///
            /// With a [filter](Scene::filter), lines are a [batch](crate::RayBatch::made) of rays as any other, and one that
            /// meets nothing is a target in sight.
            ///
            /// # Errors
            /// [`Error::ColumnLength`](crate::Error::ColumnLength) if one of the options' columns is not as long as
            /// there are lines, [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped it. `matrix` is then
            /// empty.
            pub fn sight(
                &$self,
                lines: &SightLines<'_>,
                options: &CastOptions<'_>,
                matrix: &mut SightMatrix,
            ) -> Result<()> {
                let scene: &Scene = $scene;
                if lines.stand_on_something() {
                    let counts = |line: usize, hit: &Hit, _: Side| lines.counts(line, hit);
                    let filter = &AcceptIf { function: &counts, frame: Frame::WHOLE };
                    SceneCaster::<$way, _>::whole(scene, filter).sight(lines, options, matrix)
                } else {
                    SceneCaster::<$way, _>::whole(scene, &AcceptAll).sight(lines, options, matrix)
                }
            }

            /// Where the line from an observer to a target is broken first: at this part of its length, `t`, by this
            /// triangle. `None` if nothing breaks it. Of many lines, [`closest_hit_batch`](Self::closest_hit_batch)
            /// answers to [`RayBatch::made`](crate::RayBatch::made) of them.
            ///
            /// # Errors
            /// [`Error::UnusableField`](crate::Error::UnusableField) if there is no such observer or target.
            pub fn first_obstacle(
                &$self,
                lines: &SightLines<'_>,
                observer: usize,
                target: usize,
            ) -> Result<Option<Hit>> {
                let number = lines.number(observer, target)?;
                let ray = lines.line(number);
                if matches!(ray.defect(), Some(Status::ZeroDirection | Status::DirectionOutOfRange)) {
                    // Both are in one place, or as good as that.
                    return Ok(None);
                }
                let counts = |_: usize, hit: &Hit, _: Side| lines.counts(number, hit);
                let filter = &AcceptIf { function: &counts, frame: Frame::WHOLE };
                SceneCaster::<$way, _>::whole($scene, filter).closest_hit_of(&ray)
            }
        }
    };
}

sight!(Scene, self => self, Trees);
sight!(SceneScan<'_>, self => self.0, BruteForce);
