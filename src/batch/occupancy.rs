//! Which points of a grid are inside of a closed surface, without the points.

use super::{CastOptions, Caster, OF_RAYS, Plan, for_each_chunk};
use crate::error::{Error, Result};
use crate::query::Target;
use crate::status::Status;
use crate::value::PointGrid;

impl<T: Target> Caster<'_, T> {
    /// Writes for each point whether it is inside, as a 1 or 0, so many to a byte from its lowest bit on: 1 or 8.
    pub(crate) fn occupancy(
        &self,
        grid: &PointGrid,
        options: &CastOptions<'_>,
        per_byte: usize,
        into: &mut Vec<u8>,
    ) -> Result<()> {
        into.clear();
        let (points, bytes) = (grid.len(), grid.len().div_ceil(per_byte));
        into.try_reserve_exact(bytes).map_err(|_| Error::AnswersTooLarge { rows: points })?;
        into.resize(bytes, 0);
        // Whole bytes.
        let chunk = Plan::length(points, OF_RAYS, options).next_multiple_of(8);
        let parts = into.chunks_mut(chunk / per_byte);
        for_each_chunk(points, chunk, parts, options, |rows, bytes| {
            let points = grid.points(rows);
            let (mut status, mut winding) = (vec![Status::Miss; points.len()], vec![0; points.len()]);
            self.wind(&points, options, &mut status, &mut winding);
            for (place, status) in status.iter().enumerate() {
                bytes[place / per_byte] |= u8::from(status.is_hit()) << (place % per_byte);
            }
        })
        .inspect_err(|_| into.clear())
    }
}
