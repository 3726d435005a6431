//! Sinks: one for each query, receives the hits of rays.
//!
//! A sink receives hits in any order, with ids and normals of the outermost scene, and its answers do not depend on that
//! order. It is called through a pointer: traversal is compiled for [`Collect`](super::Collect), and not for each sink.

use crate::answers::{Hit, HitRows};
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::Side;

/// The traversal that finds the hits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Closest,
    Any,
    Collect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) family: Family,
    /// Whether a hit narrows the interval of its ray, as [`Query::NARROWS`](super::Query::NARROWS).
    pub(crate) narrows: bool,
    /// Whether the number of hits matters. If not, touches count where primitives share a point, so as not to lose the hit,
    /// and a hit may be offered twice, so that rays may be cast again at a tree.
    pub(crate) counts_contacts: bool,
    /// Whether visits are [counted](Sink::visit).
    pub(crate) counts_visits: bool,
    /// Whether hits can be [forgotten](Sink::forget), so that rays may be cast anew where nothing else was offered.
    pub(crate) forgets: bool,
}

impl Kind {
    pub(crate) const NEAREST: Self = Self {
        family: Family::Collect,
        narrows: true,
        counts_contacts: false,
        counts_visits: false,
        forgets: true,
    };
    pub(crate) const ALL: Self = Self { narrows: false, counts_contacts: true, ..Self::NEAREST };
}

/// The rows that the traversal of a [`Family`] fills.
pub(crate) enum Direct<'a, T> {
    /// None: hits are offered.
    None,
    Closest(HitRows<'a, T>),
    Any(&'a mut [Status]),
}

/// Receives the hits of the rays of a chunk.
pub(crate) trait Sink<T: Scalar> {
    /// All hits, unless it says otherwise.
    fn kind(&self) -> Kind {
        Kind::ALL
    }

    /// Sets all rows to no hit.
    fn reset(&mut self);

    /// The rows, for the traversal of the family, which fills all of them.
    fn direct(&mut self) -> Direct<'_, T> {
        Direct::None
    }

    fn status(&self) -> &[Status];

    /// Takes a hit of the ray in `row`, which comes from that side.
    fn offer(&mut self, row: usize, hit: &Hit<T>, side: Side, geometric_normal: &dyn Fn() -> [T; 3]);

    /// The end of the interval, included, in which further hits of the ray in `row` matter; −∞ if none does.
    fn end(&self, _row: usize) -> T {
        T::INFINITY
    }

    /// Forgets the hits of the ray in `row`, which is cast again at the same content.
    fn forget(&mut self, row: usize) {
        self.refuse(row, Status::Miss);
    }

    /// Refuses the ray in `row`, which is not cast.
    fn refuse(&mut self, row: usize, defect: Status);

    /// The following hits are of another tree.
    fn begin_tree(&mut self) {}

    /// Adds the visits of the ray in `row`: nodes, boxes in them, leaves, primitives in them.
    fn visit(&mut self, _row: usize, _visits: [u32; 4]) {}
}
