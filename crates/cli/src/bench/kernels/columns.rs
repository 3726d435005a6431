//! Structure of arrays, owned.

use super::samples::Sample;
use crate::failure::Result;
use crate::rays::Random;
use lanecast::{Columns, Record};

/// The columns of some records.
pub(super) struct OwnedColumns<V: Record>(Vec<Vec<V::Scalar>>);

/// Different records; a longer column repeats them.
const DIFFERENT: usize = 1 << 14;

impl<V: Sample> OwnedColumns<V> {
    /// `count` records, the same for the same `seed`.
    pub(super) fn sample(count: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut uniform = || random.unit() as f32;
        let records: Vec<V> = (0..count.min(DIFFERENT)).map(|_| V::sample(&mut uniform)).collect();
        let numbers: &[V::Scalar] = bytemuck::cast_slice(&records);
        let width = size_of::<V>() / size_of::<V::Scalar>();
        let column = |place: usize| {
            let once: Vec<_> = numbers.iter().skip(place).step_by(width).copied().collect();
            let mut column = Vec::with_capacity(count);
            while column.len() < count {
                column.extend_from_slice(&once[..once.len().min(count - column.len())]);
            }
            column
        };
        Self((0..width).map(column).collect())
    }

    /// The columns as the library takes them.
    pub(super) fn borrow(&self) -> Result<Columns<'_, V>> {
        let columns: Vec<_> = self.0.iter().map(Vec::as_slice).collect();
        Ok(V::columns(&columns)?)
    }
}
