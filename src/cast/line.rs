//! The nearest hits of each line on either side of its origin.

use std::ops::Range;

use super::closest::Closest;
use super::rays::Plan;
use super::{Cast, OneRay, Precision, Ray, RayBatch, RaysOf, Result, met_or_refused, owned};
use crate::answers::{Answers, HitBatch, LineHitBatch, LineHits};
use crate::query::Half;
use crate::simd::with_default_float_mode;

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// The hits nearest to the origin of each line within its interval, on either side: of least `t` ≥ 0 and greatest
    /// `t` ≤ 0.
    ///
    /// The interval of a [`Ray::line`] is \[−∞, ∞\]. Rays without an interval have \[0, ∞\], so only the primitive that
    /// they start on can lie behind them; [`with_interval`](RayBatch::with_interval) sets another. 0 is a closed end of
    /// both sides: a hit at `t` = 0 is on both. At equal `t` the lowest ids come first. Sides and culling are those along the
    /// direction of the line. Errors are those of [`closest`](Self::closest).
    pub fn line_hits(&self) -> Result<LineHitBatch<T>> {
        owned(|hits| self.line_hits_into(hits))
    }

    /// [`line_hits`](Self::line_hits) into a batch, whose memory is reused; after an error it is empty.
    pub fn line_hits_into(&self, hits: &mut LineHitBatch<T>) -> Result<()> {
        let LineHitBatch { ahead, behind } = hits;
        let (rows, with) = (self.len(), self.optional_columns());
        HitBatch::fill(ahead.into(), rows, with, |ahead, with| {
            HitBatch::fill(behind.into(), rows, with, |behind, with| {
                let plan = self.plan()?;
                let [ahead, behind] = [ahead, behind].map(|half| HitBatch::chunks(half, rows, plan.chunk));
                self.options.for_each_chunk(rows, plan.chunk, ahead.zip(behind), |chunk, (ahead, behind)| {
                    for (half, columns) in [(Half::Ahead, ahead), (Half::Behind, behind)] {
                        HitBatch::write(columns, chunk.len(), with, |rows| {
                            plan.run_half(chunk.clone(), half, &mut Closest { rows });
                        });
                    }
                })
            })
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// The hits nearest to the origin of the line, on either side, as [of a batch](Cast::line_hits). Errors are those
    /// of [`closest`](Self::closest).
    pub fn line_hits(&self) -> Result<LineHits<T>> {
        let mut hits = LineHitBatch::new();
        self.as_batch().line_hits_into(&mut hits)?;
        met_or_refused(hits.status(0)).map(|_| hits.of_line(0))
    }
}

impl<T: Precision> Plan<'_, '_, T> {
    /// Casts one half of each line, as a ray of its own.
    fn run_half(&self, rows: Range<usize>, half: Half, hits: &mut Closest<'_, T>) {
        let mut room = Vec::new();
        let lines = self.rays.stored(rows.clone(), &mut room);
        let rays: Vec<Ray<T>> =
            with_default_float_mode(|| (0..lines.len()).map(|row| half.ray(&lines.ray(row))).collect());
        let mut cast = self.chunk_cast(rows);
        cast.selection.half = half;
        cast.run(self.scene, &RayBatch::from_rays(&rays), hits);
        with_default_float_mode(|| half.turn_back(&lines, &mut hits.rows));
    }
}
