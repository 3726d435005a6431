//! Records that lie nowhere and are made when they are wanted, a chunk at a time.

use std::ops::Range;

use super::{Column, Columns, Record, Shape};
use crate::simd::with_default_float_mode;

/// Makes records, such as rays, any range of them by itself, so that more can be cast than memory holds.
///
/// The [makers](crate::makers) of the library are cameras, scanners and light. Those of a caller are as good: they
/// are asked for a chunk of some thousand rays at a time, by several threads at once.
///
/// ```
/// use lanecast::{CastOptions, CountBatch, Maker, Ray, RayBatch, Scene};
///
/// /// Rays that look down at every metre of a line.
/// struct Probe;
///
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
///
/// let scene = Scene::from_triangles(&[[-0.5, -1.0, 0.0], [5.5, -1.0, 0.0], [0.0, 9.0, 0.0]], &[[0, 1, 2]])?;
/// let mut counts = CountBatch::default();
/// scene.count_hits_batch(&RayBatch::made(&Probe), &CastOptions::new(), &mut counts)?;
/// assert_eq!(counts.count[..7], [1, 1, 1, 1, 1, 0, 0]);
/// # Ok::<(), lanecast::Error>(())
/// ```
pub trait Maker<V>: Sync {
    /// The count.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes number `first` and those that follow it, as many as `into` holds, all below [`len`](Self::len). What is
    /// in `into` before is unspecified. The same number must give the same record, each time and in whatever range.
    fn make(&self, first: usize, into: &mut [V]);
}

/// Who makes the records of a batch.
pub(super) struct Made<'a, V> {
    maker: &'a dyn Maker<V>,
    /// The number of the batch's first record.
    first: usize,
    /// The places whose numbers come from the batch's columns all the same, as bits.
    given: u32,
}

impl<V> Clone for Made<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Made<'_, V> {}

impl<V> Made<'_, V> {
    pub(super) const fn skip(self, rows: usize) -> Self {
        Self { first: self.first + rows, ..self }
    }
}

impl<'a, V: Record> Columns<'a, V> {
    /// What a maker makes, when it is wanted.
    pub(crate) fn of_maker(maker: &'a dyn Maker<V>) -> Self {
        let parts = V::Shape::filled(Column::Constant(bytemuck::Zeroable::zeroed()));
        Self { parts, len: maker.len(), made: Some(Made { maker, first: 0, given: 0 }) }
    }

    /// From here on the numbers in a place come from its column, whoever makes the others.
    pub(crate) const fn give(&mut self, place: usize) {
        if let Some(made) = &mut self.made {
            made.given |= 1 << place;
        }
    }

    /// The records of `range` as a batch that lies in memory: in `room`, if they have to be made first.
    pub(crate) fn stored<'r>(&self, range: Range<usize>, room: &'r mut Vec<V>) -> Columns<'r, V>
    where
        'a: 'r,
    {
        let sliced = self.rows(range);
        if sliced.made.is_none() {
            return sliced;
        }
        room.resize(sliced.len, V::zeroed());
        sliced.make(room);
        Columns::of_slice(room)
    }

    /// A record by itself that has to be made.
    #[cold]
    pub(super) fn make_one(&self, index: usize) -> V {
        let mut record = V::zeroed();
        self.slice(index..index + 1).make(std::slice::from_mut(&mut record));
        record
    }

    fn make(&self, records: &mut [V]) {
        let Some(Made { maker, first, given }) = self.made else { return };
        // Whatever mode the caller left the thread in, the same records.
        with_default_float_mode(|| maker.make(first, records));
        if given == 0 {
            return;
        }
        for (row, record) in records.iter_mut().enumerate() {
            let numbers: &mut [V::Scalar] = bytemuck::cast_slice_mut(std::slice::from_mut(record));
            for (place, number) in numbers.iter_mut().enumerate() {
                if given >> place & 1 == 1 {
                    *number = V::Shape::at::<Column<'_, V::Scalar>>(&self.parts, place).get(row);
                }
            }
        }
    }
}
