//! The nearest hits of each line on either side of its origin.

use super::closest::Closest;
use super::one::met_or_refused;
use super::rays::{Chunk, owned};
use super::{Cast, OneRay, RaysOf};
use crate::answers::{HitColumns, LineHitBatch, LineHits};
use crate::error::Result;
use crate::query::Half;
use crate::scene::Precision;
use crate::simd::with_default_float_mode;
use crate::value::{Ray, RayBatch};

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// The hits nearest to the origin of each line, on either side: the hit of least `t` ≥ 0 and the hit of greatest
    /// `t` ≤ 0, within the ray's interval.
    ///
    /// The interval of a [`Ray::line`] is \[−∞, ∞\]. Rays without an interval have \[0, ∞\], so only the primitive that
    /// they start on can lie behind them; [`with_interval`](RayBatch::with_interval) sets another. 0 is a closed end of
    /// both sides, decided like the ends of the interval. At equal `t` the lowest ids come first; a hit at `t` = 0 is on
    /// both sides. Sides and culling are those along the direction of the line.
    ///
    /// # Errors
    /// As [`closest`](Self::closest).
    pub fn line_hits(&self) -> Result<LineHitBatch<T>> {
        owned(|hits| self.line_hits_into(hits))
    }

    /// [`line_hits`](Self::line_hits) into a batch, whose memory is reused.
    ///
    /// # Errors
    /// As [`line_hits`](Self::line_hits). The batch is then empty.
    pub fn line_hits_into(&self, hits: &mut LineHitBatch<T>) -> Result<()> {
        let LineHitBatch { ahead, behind } = hits;
        let (rows, with) = (self.len(), self.optional_columns());
        HitColumns::from(ahead).fill(rows, with, |ahead, with| {
            HitColumns::from(behind).fill(rows, with, |behind, with| {
                let plan = self.plan()?;
                let parts = ahead.chunks(rows, plan.chunk).zip(behind.chunks(rows, plan.chunk));
                self.for_each_chunk(&plan, parts, |mut chunk, (ahead, behind)| {
                    for (half, mut columns) in [(Half::Ahead, ahead), (Half::Behind, behind)] {
                        columns.write(chunk.rows.len(), with, |rows| {
                            chunk.run_half(half, &mut Closest { rows });
                        });
                    }
                })
            })
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// The hits nearest to the origin of the line, on either side, as [of a batch](Cast::line_hits).
    ///
    /// # Errors
    /// As [`closest`](Self::closest).
    pub fn line_hits(&self) -> Result<LineHits<T>> {
        let mut hits = LineHitBatch::new();
        self.as_batch().line_hits_into(&mut hits)?;
        met_or_refused(hits.status(0)).map(|_| hits.of_line(0))
    }
}

impl<T: Precision> Chunk<'_, '_, T> {
    /// Casts one half of each line, as a ray of its own.
    fn run_half(&mut self, half: Half, hits: &mut Closest<'_, T>) {
        let mut room = Vec::new();
        let lines = self.rays.stored(self.rows.clone(), &mut room);
        let rays: Vec<Ray<T>> =
            with_default_float_mode(|| (0..lines.len()).map(|row| half.ray(&lines.ray(row))).collect());
        self.cast.selection.half = half;
        self.cast.run(self.scene, &RayBatch::from_rays(&rays), hits);
        with_default_float_mode(|| half.turn_back(&lines, &mut hits.rows));
    }
}
