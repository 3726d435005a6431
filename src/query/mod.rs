//! What a query keeps of the hits that a ray meets, and when a ray is finished: one file per kind.
//!
//! A query knows no primitive and no tree. Traversal and brute force offer it every hit within the
//! interval that it still asks for, in any order; what it keeps must not depend on that order.

mod all_hits;
mod any_hit;
mod closest_hit;
mod closest_point;
mod collect;
mod cost;
mod count_hits;
mod group;
mod line_hits;
mod nearest_hits;
mod pace;
mod selected;
mod winding;

pub(crate) use all_hits::AllHits;
pub(crate) use any_hit::AnyHit;
pub(crate) use closest_hit::{Closest, ClosestHit, HitColumns, SingleClosestHit, WithNormals};
pub(crate) use closest_point::{Asked, Nearest, PointAnswer, PointTarget, Visible};
pub(crate) use collect::{Collect, Known, Sink};
pub(crate) use cost::Cost;
pub(crate) use count_hits::CountHits;
pub(crate) use group::{Each, GroupState, Offer};
pub(crate) use line_hits::Half;
pub(crate) use nearest_hits::NearestHits;
pub(crate) use pace::{Pace, SharedPace};
pub(crate) use selected::{Accept, Selected};
pub(crate) use winding::Winding;

use std::ops::Range;

use crate::hit::Candidate;
use crate::kernel::ExactScalar;
use crate::simd::{Backend, Scalar};
use crate::status::Status;
use crate::value::{Contact, Culling, Ray, RayBatch, Rules, Side};

/// One kind of query over the rays of a chunk, which are of `T`.
pub(crate) trait Query<T: Scalar = f32>: Sized {
    /// What is known of one ray while it is on its way.
    type State: Copy;

    /// Whether a hit narrows the interval of its ray. If so traversal visits what is near first and
    /// drops what has come to lie beyond; if not, any order will do and nothing is compared again.
    const NARROWS: bool;

    /// Whether rays may go in groups. What is counted on the way is counted ray by ray.
    const MAY_GROUP: bool = true;

    /// Whether rays may go in streams. What is counted on the way is counted on each ray's own.
    const MAY_STREAM: bool = true;

    /// Whether a few rays may go by themselves, each to the child that it enters first, where rays in flight keep to
    /// the order of their octant: what is counted on the way would depend on how many rays there are.
    const MAY_GO_ALONE: bool = true;

    /// Whether it matters how many hits there are where primitives share a point: a query that asks for one must not
    /// lose it.
    const COUNTS_CONTACTS: bool = false;

    /// Which of the lines that touch a primitive meet it, unless told otherwise.
    const RULES: Rules = Rules {
        culling: Culling::None,
        contact: if Self::COUNTS_CONTACTS { Contact::Crossing } else { Contact::Touch },
    };

    /// What is known at the start.
    const START: Self::State;

    /// Whether rays may go in streams if such rays may at all. Streams are given up where they do not pay, and whatever was
    /// offered until then is [offered again](Self::forget): that matters to a query that does not know it all by its states.
    fn may_stream(&self) -> bool {
        Self::MAY_STREAM
    }

    /// What is known of the rays of a group: [`Each`] keeps the state of one after the other.
    type Group: GroupState<Self, T>;

    /// Takes a hit of the ray in `row`, which comes from that side.
    fn offer(
        &mut self,
        row: usize,
        state: &mut Self::State,
        candidate: Candidate<T>,
        side: Side,
        geometric_normal: impl Fn() -> [T; 3],
    );

    /// The upper end of the interval that still matters, itself included.
    #[inline(always)]
    fn t_max(_state: &Self::State, t_max: T) -> T {
        t_max
    }

    /// Whether no further hit can change the answer.
    #[inline(always)]
    fn is_settled(_state: &Self::State) -> bool {
        false
    }

    /// Whether it matters how many nodes and boxes are visited.
    const COUNTS_VISITS: bool = false;

    /// Nodes, and boxes in them, were visited: so many, beside others.
    #[inline(always)]
    fn visit_nodes(_state: &mut Self::State, _nodes_and_boxes: [u32; 2]) {}

    /// A leaf's primitives are being tested; the argument counts them.
    #[inline(always)]
    fn visit_leaf(_state: &mut Self::State, _primitives: impl FnOnce() -> usize) {}

    /// Asks for the memory of the answers in these rows, as far as there are any.
    #[inline(always)]
    fn prefetch(&self, _rows: Range<usize>) {}

    /// The rays in these rows are cast anew, with new states.
    fn forget(&mut self, _rows: &[u32]) {}

    /// The ray in `row` has met all there is.
    fn finish(&mut self, row: usize, state: &Self::State);

    /// The rays in the rows from `first` on have met all there is.
    fn finish_run(&mut self, first: usize, states: &[Self::State]) {
        for (row, state) in states.iter().enumerate() {
            self.finish(first + row, state);
        }
    }

    /// The ray in `row` is not cast.
    fn refuse(&mut self, row: usize, defect: Status);
}

/// What rays of `T` can be cast at.
pub(crate) trait Target<T: Scalar = f32>: Sync {
    /// Casts `rays` and offers their hits to `query`; row `i` is ray `i` of `rays`.
    fn cast<Q: Query<T>>(&self, backend: Backend, rays: &RayBatch<'_, T>, how: Casting<'_>, query: &mut Q);

    /// Casts `ray` by itself and offers what it meets to `query`, in row 0.
    fn cast_single<Q: Query<T>>(&self, backend: Backend, ray: &Ray<T>, rules: Rules, query: &mut Q);

    /// The first hit of a ray by itself.
    fn closest_of(&self, backend: Backend, ray: &Ray<T>) -> SingleClosestHit<T>
    where
        T: ExactScalar,
    {
        let mut query = SingleClosestHit::NOTHING;
        self.cast_single(backend, ray, SingleClosestHit::<T>::RULES, &mut query);
        query
    }
}

impl<T: Scalar, X: Target<T>> Target<T> for &X {
    fn cast<Q: Query<T>>(&self, backend: Backend, rays: &RayBatch<'_, T>, how: Casting<'_>, query: &mut Q) {
        X::cast(self, backend, rays, how, query);
    }

    #[inline(always)]
    fn cast_single<Q: Query<T>>(&self, backend: Backend, ray: &Ray<T>, rules: Rules, query: &mut Q) {
        X::cast_single(self, backend, ray, rules, query);
    }

    #[inline(always)]
    fn closest_of(&self, backend: Backend, ray: &Ray<T>) -> SingleClosestHit<T>
    where
        T: ExactScalar,
    {
        X::closest_of(self, backend, ray)
    }
}

/// How rays are cast.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Casting<'a> {
    /// Which of the lines that touch a primitive meet it.
    pub(crate) rules: Rules,
    /// Whether rays go in groups.
    pub(crate) coherence: Coherence,
    /// How many rays make a line of a picture, if they are one; a chunk then begins with a line.
    pub(crate) row_width: Option<usize>,
    /// Whether to try streams in the next chunk of the batch.
    pub(crate) streams: &'a SharedPace,
    /// Which way all rays go that no group takes; the one that serves best unless set.
    pub(crate) way: Option<Way>,
}

/// A way through the tree for rays that no group takes. The answers do not depend on it: it is for tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// In streams, however few the rays are and however little of their way they share.
    Streams,
    /// Many at once, each on its own way.
    InFlight,
    /// One after the other.
    OneByOne,
}

/// Whether rays that follow each other in a batch, or lie near each other in a picture, go about the same
/// way: through the tree together. The answers do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Coherence {
    /// Groups of 64 rays are tried where they start and go alike, and kept up where they pay.
    #[default]
    Detect,
    /// All rays go in groups of 64.
    Coherent,
    /// No rays go in groups.
    Incoherent,
}
