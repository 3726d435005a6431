//! Rays of a chunk prepared for boxes and primitives, a group at a time.

use std::borrow::Cow;
use std::cell::Cell;

use super::chunk_rays::{ChunkRays, PreparedOf};
use super::rows::ChunkRows;
use super::slab::{PER_REACH, SlabRecord};
use crate::leaf::PreparedRay;
use crate::memory::{Memory, reused};
use crate::query::Query;
use crate::simd::{Backend, Lanes, MAX_STREAM_RAYS, dispatch};
use crate::status::Status;
use crate::tree::{Bvh, FiniteRange};
use crate::value::{GROUP, Ray, RayGroup};

/// A quarter of a cache line: prepared rays consist of these, which aligns them as their fields
/// need.
type Quarter = [f64; 2];

/// A cache line. Rays lie in a buffer of these: at an address between, each other ray of `f32`
/// would lie in two.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct CacheLine([Quarter; 4]);

/// Buffers of the last cast on this thread. They are overwritten, not cleared: clearing takes as
/// long as filling.
#[derive(Default)]
struct ReadyBuffers {
    slabs: Memory<SlabRecord>,
    t_min: Option<Box<[f32; MAX_STREAM_RAYS]>>,
    prepared: Memory<CacheLine>,
}

thread_local! {
    static BUFFERS: Cell<ReadyBuffers> = Cell::default();
}

/// A column with one number for each ray of a stream.
pub(super) fn ray_column() -> Box<[f32; MAX_STREAM_RAYS]> {
    vec![0.0; MAX_STREAM_RAYS].into_boxed_slice().try_into().expect("as long as that")
}

/// Rays without defect, in the order in which they are cast.
pub(super) struct Ready<'a, P> {
    chunk_rays: P,
    /// The rows of the chunk's rays as the query knows them, if these are others.
    given_rows: Option<&'a [u32]>,
    rest: ChunkRows,
    anchor: [f32; 3],
    range: FiniteRange,
    /// Whether all are in the [finite range](FiniteRange).
    pub(super) are_in_range: bool,
    /// The row of each ray in the chunk.
    pub(super) rows: Vec<u32>,
    /// One per row in the first places; old content behind them.
    pub(super) slabs: Memory<SlabRecord>,
    /// The `t_min` of each.
    pub(super) t_min: Box<[f32; MAX_STREAM_RAYS]>,
    /// Prepared rays in the first places; old content behind them.
    prepared: Memory<CacheLine>,
    room: usize,
    /// The number taken by [`next`](Self::next).
    taken: usize,
    group: RayGroup,
}

impl<'a, P: ChunkRays> Ready<'a, P> {
    const QUARTERS: usize = {
        assert!(size_of::<PreparedOf<P>>().is_multiple_of(size_of::<Quarter>()), "whole quarters");
        size_of::<PreparedOf<P>>() / size_of::<Quarter>()
    };

    /// No rays yet. `room` is the most that are prepared at a time, at least a group.
    #[inline(always)]
    pub(super) fn new(
        bvh: &Bvh<P::Block>,
        chunk_rays: P,
        given_rows: Option<&'a [u32]>,
        rest: ChunkRows,
        room: usize,
    ) -> Self {
        let ReadyBuffers { mut slabs, t_min, mut prepared } = reused(BUFFERS.take());
        // A group is written whole at any place, as tiles at the edge of a picture are shorter.
        let room = room + GROUP;
        slabs.grow(room, SlabRecord::NONE);
        let lines = (room * Self::QUARTERS).div_ceil(4);
        prepared.grow(lines, CacheLine([[0.0; 2]; 4]));
        Self {
            chunk_rays,
            given_rows,
            rest,
            anchor: bvh.arena.anchor,
            range: bvh.range,
            are_in_range: true,
            rows: Vec::with_capacity(room),
            slabs,
            t_min: t_min.unwrap_or_else(ray_column),
            prepared,
            room,
            taken: 0,
            group: RayGroup::EMPTY,
        }
    }

    /// Keeps the memory for the next cast.
    pub(super) fn put_back(self) {
        BUFFERS.set(ReadyBuffers {
            slabs: self.slabs,
            t_min: Some(self.t_min),
            prepared: self.prepared,
        });
    }

    /// A row of the chunk as the query knows it.
    #[inline(always)]
    pub(super) fn given_row(&self, row: u32) -> usize {
        given_row(self.given_rows, row)
    }

    /// The rows of all rays as the query knows them.
    pub(super) fn all_given_rows(&self) -> Cow<'_, [u32]> {
        match self.given_rows {
            Some(rows) => self.rows.iter().map(|&row| rows[row as usize]).collect(),
            None => Cow::Borrowed(&self.rows),
        }
    }

    /// The rays prepared for primitives.
    #[inline(always)]
    pub(super) fn prepared(&self) -> &[PreparedOf<P>] {
        let quarters: &[Quarter] = bytemuck::cast_slice(&self.prepared);
        bytemuck::cast_slice(&quarters[..self.room * Self::QUARTERS])
    }

    /// Replaces all rays by at most `most` others: at least a group, no more than there is room
    /// for. The query refuses rays with a defect. Returns whether there are any.
    pub(super) fn fill(
        &mut self,
        backend: Backend,
        most: usize,
        query: &mut impl Query<P::Scalar>,
    ) -> bool {
        self.rows.clear();
        self.are_in_range = true;
        self.taken = 0;
        let given_rows = self.given_rows;
        let refuse = &mut |row: u32, defect| {
            query.refuse(given_row(given_rows, row), defect);
        };
        dispatch!(backend, lanes => self.prepare_more(lanes, backend, most, refuse));
        !self.rows.is_empty()
    }

    /// Restores the given interval of each ray.
    pub(super) fn widen_again(&mut self) {
        for place in 0..self.rows.len() {
            let t_max = self.chunk_rays.ray(self.rows[place]).t_max;
            self.slabs[place].t_max = self.prepared()[place].limit(t_max);
        }
    }

    /// The ray in a row of the chunk, as given.
    pub(super) fn ray(&self, row: u32) -> Ray<P::Scalar> {
        self.chunk_rays.ray(row)
    }

    /// Whether there may be a next ray.
    pub(super) fn has_more(&self) -> bool {
        self.taken < self.rows.len() || !self.rest.is_done()
    }

    /// The place of the next ray; refills where needed.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        backend: Backend,
        query: &mut impl Query<P::Scalar>,
    ) -> Option<usize> {
        if self.taken == self.rows.len() && !self.fill(backend, GROUP, query) {
            return None;
        }
        self.taken += 1;
        Some(self.taken - 1)
    }
}

#[inline(always)]
fn given_row(given_rows: Option<&[u32]>, row: u32) -> usize {
    given_rows.map_or(row, |rows| rows[row as usize]) as usize
}

impl<P: ChunkRays> Ready<'_, P> {
    /// Prepares rays up to so many, on the lanes of `backend`, and calls `refuse` with the row of
    /// each that has a defect.
    #[inline(always)]
    fn prepare_more<L: Lanes>(
        &mut self,
        lanes: L,
        backend: Backend,
        most: usize,
        refuse: &mut dyn FnMut(u32, Status),
    ) {
        let wide = lanes.widest();
        let mut rows = [0; GROUP];
        while self.rows.len() + GROUP <= most {
            let count = self.rest.take(&mut rows);
            if count == 0 {
                break;
            }
            let rows = &rows[..count];
            let sound = self.chunk_rays.gather(backend, rows, &mut self.group);
            let first = self.rows.len();
            let slabs = (&mut self.slabs[first..first + GROUP]).try_into().expect("a group");
            let in_range = SlabRecord::prepare_group(
                wide,
                &self.group,
                (self.anchor, PER_REACH),
                self.range,
                slabs,
            );
            self.t_min[first..first + GROUP].copy_from_slice(&self.group.columns.t_min.0);
            let quarters: &mut [Quarter] = bytemuck::cast_slice_mut(&mut self.prepared);
            let prepared: &mut [PreparedOf<P>] =
                bytemuck::cast_slice_mut(&mut quarters[..self.room * Ready::<P>::QUARTERS]);
            let prepared = &mut prepared[first..first + GROUP];
            self.chunk_rays.prepare(
                lanes,
                &self.group,
                (&mut *prepared).try_into().expect("a group"),
            );
            self.are_in_range &= self.group.live & sound & !in_range == 0;
            if sound & self.group.live == self.group.live {
                self.rows.extend_from_slice(rows);
                continue;
            }
            for (lane, &row) in rows.iter().enumerate() {
                if let Some(defect) = self.chunk_rays.find_defect(&self.group, lane) {
                    refuse(row, defect);
                } else {
                    let place = self.rows.len();
                    self.slabs[place] = self.slabs[first + lane];
                    self.t_min[place] = self.t_min[first + lane];
                    prepared[place - first] = prepared[lane];
                    self.rows.push(row);
                }
            }
        }
    }
}
