//! Records that are generated on demand, a chunk at a time.

use std::ops::Range;

use super::{Column, Columns, Record, Shape};
use crate::simd::with_default_float_mode;

/// Generates records, such as rays, any range of them independently, so that more can be cast than
/// memory holds.
///
/// The package `lanecast-makers` has makers for cameras, scanners and light. A maker is called by
/// several threads at once, for chunks of some thousand rays.
///
/// ```
/// use lanecast::{Maker, Ray, RayBatch};
/// /// Rays that look down at every metre of a line.
/// struct Probe;
/// impl Maker<Ray> for Probe {
///     fn len(&self) -> usize {
///         1000
///     }
///     fn make(&self, first: usize, rays: &mut [Ray]) {
///         for (place, ray) in rays.iter_mut().enumerate() {
///             *ray = Ray::new([(first + place) as f32, 0.0, 9.0], [0.0, 0.0, -1.0]);
///         }
///     }
/// }
/// let rays = RayBatch::made(&Probe);
/// assert_eq!((rays.len(), rays.ray(7).origin), (1000, [7.0, 0.0, 9.0]));
/// ```
pub trait Maker<V>: Sync {
    /// The count.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Generates the records from `first` on, as many as `into` holds, all below
    /// [`len`](Self::len). The content of `into` is unspecified before. The same number must give
    /// the same record, each time and in any range.
    fn make(&self, first: usize, into: &mut [V]);
}

#[derive(Clone, Copy)]
pub(crate) struct Made<'a, V> {
    pub(super) maker: &'a dyn Maker<V>,
    /// The number of the first record of the batch.
    pub(super) first: usize,
    /// The places with numbers from the columns of the batch instead, as bits.
    pub(crate) given: u32,
}

impl<'a, V: Record> Columns<'a, V> {
    pub(crate) fn of_maker(maker: &'a dyn Maker<V>) -> Self {
        let parts = V::Shape::filled(Column::Constant(bytemuck::Zeroable::zeroed()));
        Self { parts, len: maker.len(), made: Some(Made { maker, first: 0, given: 0 }) }
    }

    /// The records of `range` as a batch in memory; generated records are written to `room`.
    pub(crate) fn stored<'r>(&self, range: Range<usize>, room: &'r mut Vec<V>) -> Columns<'r, V>
    where
        'a: 'r,
    {
        let sliced = self.slice(range);
        if sliced.made.is_none() {
            return sliced;
        }
        room.resize(sliced.len, V::zeroed());
        sliced.make(room);
        Columns::of_slice(room)
    }

    #[cold]
    pub(super) fn make_one(&self, index: usize) -> V {
        let mut record = V::zeroed();
        self.slice(index..index + 1).make(std::slice::from_mut(&mut record));
        record
    }

    fn make(&self, records: &mut [V]) {
        let Some(Made { maker, first, given }) = self.made else { return };
        // The records must not depend on the floating-point mode of the caller.
        with_default_float_mode(|| maker.make(first, records));
        let numbers: &mut [V::Scalar] = bytemuck::cast_slice_mut(records);
        for place in (0..V::Shape::COUNT).filter(|place| given >> place & 1 == 1) {
            let column: &Column<'_, V::Scalar> = V::Shape::at(&self.parts, place);
            for (row, record) in numbers.chunks_exact_mut(V::Shape::COUNT).enumerate() {
                record[place] = column.get(row);
            }
        }
    }
}
