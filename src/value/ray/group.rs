//! Groups of rays in columns.

use std::ops::Range;

use super::batch::RayBatch;
use super::{Line, Ray, RayParts, RayShape};
use crate::columns::{Column, Shape};
use crate::simd::{
    Backend, BothPrecisions, LANES, LINE, Lanes, Mask, Real, Rearrange, Scalar, Vectors, Widening,
    call, prefetch,
};

/// The rays of a group: four vectors of sixteen, which hide each other's latency.
pub(crate) const GROUP: usize = 64;

#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct GroupColumn<T = f32>(pub(crate) [T; GROUP]);

impl<T: Scalar> GroupColumn<T> {
    pub(crate) const ZERO: Self = Self::of(T::ZERO);

    pub(crate) const fn of(number: T) -> Self {
        Self([number; GROUP])
    }

    #[inline(always)]
    pub(crate) fn eighth(&self, eighth: usize) -> &[T; 8] {
        &self.0.as_chunks().0[eighth % 8]
    }

    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> T {
        self.0[lane % GROUP]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, value: T) {
        self.0[lane % GROUP] = value;
    }

    #[inline(always)]
    pub(crate) fn load<V: Vectors<T>>(&self, lanes: V, vector: usize) -> V::Real {
        let vectors: &[V::Row] = bytemuck::cast_slice(&self.0);
        lanes.load(&vectors[vector % vectors.len()])
    }

    #[inline(always)]
    pub(crate) fn store<V: Vectors<T>>(&mut self, lanes: V, values: V::Real, vector: usize) {
        let vectors: &mut [V::Row] = bytemuck::cast_slice_mut(&mut self.0);
        let count = vectors.len();
        lanes.store(values, &mut vectors[vector % count]);
    }

    #[inline(always)]
    pub(crate) const fn vectors<V: Vectors<T>>() -> Range<usize> {
        0..GROUP / V::COUNT
    }
}

impl GroupColumn<f64> {
    /// A vector of as many numbers as one of `f32` has lanes.
    #[inline(always)]
    pub(crate) fn load_wide<V: BothPrecisions>(
        &self,
        lanes: V,
        vector: usize,
    ) -> <<V as Vectors<f32>>::Real as Widening>::Wide {
        lanes.join(self.load(lanes, 2 * vector), self.load(lanes, 2 * vector + 1))
    }
}

impl GroupColumn {
    /// The least and the greatest numbers of some of the rays, at least one, per lane.
    #[inline(always)]
    fn extents<V: Rearrange>(&self, lanes: V, rays: u64) -> (V::Real, V::Real) {
        // There is no branch on whether a vector has some of the rays, as it is not predictable.
        let some = match rays {
            u64::MAX => self.load(lanes, 0),
            _ => lanes.splat(self.get(rays.trailing_zeros() as usize)),
        };
        let (mut least, mut greatest) = (some, some);
        for vector in Self::vectors::<V>() {
            let mut numbers = self.load(lanes, vector);
            if rays != u64::MAX {
                numbers = numbers.select(in_vector(lanes, rays, vector), some);
            }
            (least, greatest) = (numbers.min(least), numbers.max(greatest));
        }
        (least, greatest)
    }

    /// The least and the greatest number of some of the rays, at least one.
    #[inline(always)]
    pub(crate) fn extent<V: Rearrange>(&self, lanes: V, rays: u64) -> [f32; 2] {
        let (least, greatest) = self.extents(lanes, rays);
        let mut ends: [V::Row; 2] = bytemuck::Zeroable::zeroed();
        lanes.store(least, &mut ends[0]);
        lanes.store(greatest, &mut ends[1]);
        let [low, high] = &mut ends;
        let (low, high) = (low.as_mut(), high.as_mut());
        let mut half = V::COUNT / 2;
        while half > 0 {
            for lane in 0..half {
                low[lane] = Real::min(low[lane], low[lane + half]);
                high[lane] = Real::max(high[lane], high[lane + half]);
            }
            half /= 2;
        }
        [low[0], high[0]]
    }
}

/// The heading of a ray: rays of one heading share the near planes of boxes, and the axes of the
/// sheared space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Bit `axis` is set where the direction's component is negative.
    pub(crate) octant: u8,
    /// The axis along which the direction is longest.
    pub(crate) longest: u8,
}

/// The headings of a group's rays, each as a bit for every ray.
pub(crate) struct Headings {
    negative: [u64; 3],
    /// Whether the first axis is the longest, and whether the second is.
    longest: [u64; 2],
}

impl Headings {
    #[inline(always)]
    pub(crate) fn of(&self, lane: usize) -> Heading {
        let bit = |bits: u64| (bits >> lane & 1) as u8;
        let octant =
            bit(self.negative[0]) | bit(self.negative[1]) << 1 | bit(self.negative[2]) << 2;
        Heading { octant, longest: 2 - 2 * bit(self.longest[0]) - bit(self.longest[1]) }
    }

    /// Whether some of the rays have more than two headings.
    #[inline(always)]
    pub(crate) fn are_many(&self, mut rays: u64) -> bool {
        for _ in 0..2 {
            if rays != 0 {
                rays &= !self.like(rays.trailing_zeros() as usize);
            }
        }
        rays != 0
    }

    #[inline(always)]
    pub(crate) const fn agree_on_longest(&self, others: &Self) -> u64 {
        !((self.longest[0] ^ others.longest[0]) | (self.longest[1] ^ others.longest[1]))
    }

    #[inline(always)]
    pub(crate) fn like(&self, lane: usize) -> u64 {
        let mut other = 0;
        for bits in self.negative.iter().chain(&self.longest) {
            // All ones if the ray's bit is set.
            other |= bits ^ (bits >> lane & 1).wrapping_neg();
        }
        !other
    }
}

#[inline(always)]
fn in_vector<V: Rearrange>(lanes: V, rays: u64, vector: usize) -> <V::Real as Real>::Mask {
    lanes.mask_of_bits((rays >> (vector * V::COUNT)) as u32)
}

/// A batch with its layout, detected once for fast gathers of rays.
#[derive(Clone, Copy)]
pub(crate) struct RaySource<'a, T: Scalar = f32> {
    rays: RayBatch<'a, T>,
    layout: Layout<'a, T>,
}

/// The layouts with a faster gather than number by number.
#[derive(Clone, Copy)]
enum Layout<'a, T> {
    /// Rows of eight numbers.
    Records(&'a [[T; 8]]),
    /// A plain column for each number of origins, then directions; intervals may be constant.
    Columns([&'a [T]; 6], [Column<'a, T>; 2]),
    Other,
}

/// The first of the rows, if they are consecutive. All are compared: groups may leave others
/// between first and first + 7.
#[inline(always)]
fn start_of_run<const N: usize>(rows: &[u32; N]) -> Option<usize> {
    let mut apart = 0;
    for (place, &row) in rows.iter().enumerate() {
        apart |= row ^ rows[0].wrapping_add(place as u32);
    }
    (apart == 0).then_some(rows[0] as usize)
}

impl<'a, T: Scalar> RaySource<'a, T> {
    pub(crate) fn new(rays: &RayBatch<'a, T>) -> Self {
        let records = rays.as_slice().map(bytemuck::cast_slice);
        let layout =
            records.map_or_else(|| Self::columns(rays).unwrap_or(Layout::Other), Layout::Records);
        Self { rays: *rays, layout }
    }

    fn columns(rays: &RayBatch<'a, T>) -> Option<Layout<'a, T>> {
        let RayParts { origin, direction, t_min, t_max } = rays.parts();
        let mut numbers: [&[T]; 6] = [&[]; 6];
        for (numbers, column) in numbers.iter_mut().zip(origin.iter().chain(direction)) {
            *numbers = column.plain_rows(0, rays.len())?;
        }
        Some(Layout::Columns(numbers, [*t_min, *t_max]))
    }

    /// Prefetches the rays in these rows, clamped to the batch.
    pub(crate) fn prefetch(&self, rows: Range<usize>) {
        let rows = rows.start..rows.end.min(self.rays.len());
        match self.layout {
            Layout::Records(records) => {
                for row in rows.step_by(const { LINE / size_of::<[T; 8]>() }) {
                    prefetch(&records[row]);
                }
            }
            Layout::Columns(numbers, ends) => {
                for row in rows.clone().step_by(const { LINE / size_of::<T>() }) {
                    for column in numbers {
                        prefetch(&column[row]);
                    }
                }
                for column in &ends {
                    column.prefetch_rows(rows.clone());
                }
            }
            Layout::Other => self.rays.prefetch(rows),
        }
    }
}

/// Up to [`GROUP`] rays in columns. Lanes without a ray hold anything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayGroup<T = f32> {
    pub(crate) columns: RayParts<GroupColumn<T>, 3>,
    /// The rays that count, as bits: all gathered ones, less those left out.
    pub(crate) live: u64,
}

impl<T: Scalar> RayGroup<T> {
    pub(crate) const EMPTY: Self = {
        let zero = GroupColumn::ZERO;
        Self {
            columns: RayParts { origin: [zero; 3], direction: [zero; 3], t_min: zero, t_max: zero },
            live: 0,
        }
    };

    /// Gathers the rays in these rows, one to [`GROUP`], as many records at a time as `transposed`
    /// stores.
    #[inline(always)]
    fn gather_by(
        &mut self,
        rays: &RaySource<'_, T>,
        rows: &[u32],
        at_once: usize,
        transposed: impl Fn(&mut Self, &[[T; 8]], &[u32], usize),
    ) {
        self.live = u64::MAX >> (GROUP - rows.len());
        match rays.layout {
            Layout::Records(records) => {
                let (whole, rest) = rows.split_at(rows.len() / at_once * at_once);
                for (vector, rows) in whole.chunks_exact(at_once).enumerate() {
                    transposed(self, records, rows, vector);
                }
                self.look_up(&rays.rays, rest, whole.len());
            }
            Layout::Columns(numbers, ends) => {
                self.gather_columns(&rays.rays, (numbers, ends), rows);
            }
            Layout::Other => self.look_up(&rays.rays, rows, 0),
        }
    }

    /// Gathers number by number, from a lane on; eight consecutive rows at once. It is a call, as
    /// it has no vectors.
    #[inline(never)]
    fn look_up(&mut self, rays: &RayBatch<'_, T>, rows: &[u32], first_lane: usize) {
        for (eighth, rows) in rows.chunks(8).enumerate() {
            let lane = first_lane + 8 * eighth;
            if let Some(first) = rows.first_chunk::<8>().and_then(start_of_run) {
                for (into, column) in
                    self.columns.in_order_mut().into_iter().zip(rays.parts().in_order())
                {
                    into.0[lane..lane + 8].copy_from_slice(&column.eight(first));
                }
            } else {
                for (place, &row) in rows.iter().enumerate() {
                    self.set(lane + place, &rays.ray(row as usize));
                }
            }
        }
    }

    /// Gathers from plain columns, eight consecutive rows at once. Through the columns of any
    /// layout it took twice as long.
    #[inline(always)]
    fn gather_columns(
        &mut self,
        rays: &RayBatch<'_, T>,
        (numbers, ends): ([&[T]; 6], [Column<'_, T>; 2]),
        rows: &[u32],
    ) {
        if let Some(first) = rows.first_chunk::<GROUP>().and_then(start_of_run) {
            let columns = self.columns.origin.iter_mut().chain(&mut self.columns.direction);
            for (column, numbers) in columns.zip(numbers) {
                column.0.copy_from_slice(&numbers[first..first + GROUP]);
            }
            let columns = [&mut self.columns.t_min, &mut self.columns.t_max];
            for (column, ends) in columns.into_iter().zip(ends) {
                ends.copy_to(first, &mut column.0);
            }
            return;
        }
        for (eighth, rows) in rows.chunks(8).enumerate() {
            let lane = 8 * eighth;
            let Some(first) = rows.first_chunk::<8>().and_then(start_of_run) else {
                self.look_up(rays, rows, lane);
                continue;
            };
            let columns = self.columns.origin.iter_mut().chain(&mut self.columns.direction);
            for (column, numbers) in columns.zip(numbers) {
                column.0[lane..lane + 8].copy_from_slice(&numbers[first..first + 8]);
            }
            let columns = [&mut self.columns.t_min, &mut self.columns.t_max];
            for (column, ends) in columns.into_iter().zip(ends) {
                column.0[lane..lane + 8].copy_from_slice(&ends.eight(first));
            }
        }
    }

    pub(crate) fn set(&mut self, lane: usize, ray: &Ray<T>) {
        for axis in 0..3 {
            self.columns.origin[axis].set(lane, ray.origin[axis]);
            self.columns.direction[axis].set(lane, ray.direction[axis]);
        }
        self.columns.t_min.set(lane, ray.t_min);
        self.columns.t_max.set(lane, ray.t_max);
    }

    pub(crate) fn ray(&self, lane: usize) -> Ray<T> {
        let RayParts { origin, direction, t_min, t_max } = &self.columns;
        let at = |of: &[GroupColumn<T>; 3]| [of[0].get(lane), of[1].get(lane), of[2].get(lane)];
        Ray {
            origin: at(origin),
            direction: at(direction),
            t_min: t_min.get(lane),
            t_max: t_max.get(lane),
        }
    }

    #[inline(always)]
    pub(crate) fn vector<V: Vectors<T>>(&self, lanes: V, vector: usize) -> RayParts<V::Real, 3> {
        let zero = lanes.splat(T::ZERO);
        let mut rays = RayShape::filled(zero);
        for axis in 0..3 {
            rays.origin[axis] = self.columns.origin[axis].load(lanes, vector);
            rays.direction[axis] = self.columns.direction[axis].load(lanes, vector);
        }
        rays.t_min = self.columns.t_min.load(lanes, vector);
        rays.t_max = self.columns.t_max.load(lanes, vector);
        rays
    }

    /// The rays that certainly have no defect, as bits; few others have none.
    #[inline(always)]
    pub(crate) fn surely_sound<V: Vectors<T>>(&self, lanes: V) -> u64 {
        let mut sound = 0;
        for vector in GroupColumn::<T>::vectors::<V>() {
            let sound_here = Ray::<T>::surely_sound(&self.vector(lanes, vector)).bits();
            sound |= u64::from(sound_here) << (vector * V::COUNT);
        }
        sound
    }

    #[inline(always)]
    pub(crate) fn headings<V: Vectors<T>>(&self, lanes: V) -> Headings {
        let mut headings = Headings { negative: [0; 3], longest: [0; 2] };
        let zero = lanes.splat(T::ZERO);
        for vector in GroupColumn::<T>::vectors::<V>() {
            let shift = vector * V::COUNT;
            let mut lengths = [zero; 3];
            for (axis, length) in lengths.iter_mut().enumerate() {
                let direction = self.columns.direction[axis].load(lanes, vector);
                *length = direction.abs();
                headings.negative[axis] |= u64::from(direction.lt(zero).bits()) << shift;
            }
            let [x, y, z] = lengths;
            let first = y.le(x) & z.le(x);
            headings.longest[0] |= u64::from(first.bits()) << shift;
            headings.longest[1] |= u64::from((!first & z.le(y)).bits()) << shift;
        }
        headings
    }
}

impl RayGroup {
    /// Gathers the rays in these rows, one to [`GROUP`].
    #[inline(always)]
    pub(crate) fn gather<V: Rearrange>(&mut self, lanes: V, rays: &RaySource<'_>, rows: &[u32]) {
        self.gather_by(rays, rows, V::COUNT, |into, records, rows, vector| {
            let records: &[[[f32; 4]; 2]] = bytemuck::cast_slice(records);
            let row = |lane: usize| &records[rows[lane] as usize];
            let halves = [lanes.gather_transposed(row, 0), lanes.gather_transposed(row, 1)];
            for (column, &numbers) in
                into.columns.in_order_mut().into_iter().zip(halves.as_flattened())
            {
                column.store(lanes, numbers, vector);
            }
        });
    }

    /// The same, called and not compiled into the caller. Returns the rays that certainly have no
    /// defect, as bits.
    pub(crate) fn gather_on(
        &mut self,
        backend: Backend,
        rays: &RaySource<'_>,
        rows: &[u32],
    ) -> u64 {
        call!(backend, lanes => {
            self.gather(lanes.widest(), rays, rows);
            self.surely_sound(lanes.widest())
        })
    }

    #[inline(always)]
    pub(crate) fn live<V: Rearrange>(&self, lanes: V, vector: usize) -> <V::Real as Real>::Mask {
        in_vector(lanes, self.live, vector)
    }

    #[inline(always)]
    pub(crate) fn extents<L: Lanes>(&self, lanes: L) -> RayParts<[f32; 2], 3> {
        // First per lane, one row per column, then across the rows, transposed: column by column it
        // took twice as long.
        let (mut least, mut greatest) = ([[0.0; LANES]; LANES], [[0.0; LANES]; LANES]);
        for (place, column) in self.columns.in_order().into_iter().enumerate() {
            let (low, high) = column.extents(lanes, self.live);
            lanes.store(low, &mut least[place]);
            lanes.store(high, &mut greatest[place]);
        }
        let halves =
            |rows: &[[f32; LANES]; LANES]| bytemuck::cast::<_, [[[f32; 4]; 2]; LANES]>(*rows);
        let (least_halves, greatest_halves) = (halves(&least), halves(&greatest));
        let (mut low_of_all, mut high_of_all) = (lanes.load(&least[0]), lanes.load(&greatest[0]));
        for half in 0..2 {
            let low = lanes.gather_transposed(|lane| &least_halves[lane], half);
            let high = lanes.gather_transposed(|lane| &greatest_halves[lane], half);
            if half == 0 {
                (low_of_all, high_of_all) = (low[0], high[0]);
            }
            for lane in 0..4 {
                low_of_all = low[lane].min(low_of_all);
                high_of_all = high[lane].max(high_of_all);
            }
        }
        lanes.store(low_of_all, &mut least[0]);
        lanes.store(high_of_all, &mut greatest[0]);
        let mut extents = RayShape::filled([0.0; 2]);
        for (column, extent) in extents.in_order_mut().into_iter().enumerate() {
            *extent = [least[0][column], greatest[0][column]];
        }
        extents
    }
}

impl RayGroup<f64> {
    /// Gathers the rays in these rows, one to [`GROUP`].
    #[inline(always)]
    pub(crate) fn gather_wide<V: BothPrecisions>(
        &mut self,
        lanes: V,
        rays: &RaySource<'_, f64>,
        rows: &[u32],
    ) {
        let at_once = const { <V as Vectors<f64>>::COUNT };
        self.gather_by(rays, rows, at_once, |into, records, rows, vector| {
            let mut these = [[0.0; 8]; LANES];
            for (record, &row) in these.iter_mut().zip(rows) {
                *record = records[row as usize];
            }
            let halves =
                [lanes.load_transposed_wide(&these, 0), lanes.load_transposed_wide(&these, 4)];
            for (column, &numbers) in
                into.columns.in_order_mut().into_iter().zip(halves.as_flattened())
            {
                column.store(lanes, numbers, vector);
            }
        });
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/value/ray/group.rs"]
mod tests;
