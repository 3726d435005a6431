//! The ways of going through the tree, each a kernel by itself.
//!
//! A kernel is one function with all that it does inlined. All ways in one were a function of several hundred
//! kilobytes, whose frame in a debug build took more than the stack of a thread, and which took longer to compile.

use super::rows::Rows;
use crate::bvh::Bvh;
use crate::primitive::{Exactly, LeafBlock, Rules};
use crate::query::{Casting, Query, SingleClosestHit};
use crate::ray::{Ray, RayBatch};
use crate::simd::{Kernel, Lanes, Scalar};

/// One ray after the other.
pub(super) struct OneByOne<'a, 'r, B, Q> {
    pub(super) bvh: &'a Bvh<B>,
    pub(super) rays: &'a RayBatch<'r>,
    pub(super) rows: &'a mut Rows,
    pub(super) how: Casting<'a>,
    pub(super) query: &'a mut Q,
}

impl<B: LeafBlock, Q: Query> Kernel for OneByOne<'_, '_, B, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { bvh, rays, rows, how, query } = self;
        bvh.cast_each(lanes, rays, rows, how.rules, query);
    }
}

/// A tree through which a ray may go by itself.
pub(super) trait OneRay<T: Scalar> {
    /// Casts the ray, in row 0.
    fn cast_one<L: Lanes, Q: Query<T>>(&self, lanes: L, ray: &Ray<T>, rules: Rules, query: &mut Q);
}

/// A ray by itself.
pub(super) struct Single<'a, X, Q, T: Scalar = f32> {
    pub(super) tree: &'a X,
    pub(super) ray: &'a Ray<T>,
    pub(super) rules: Rules,
    pub(super) query: &'a mut Q,
}

impl<T: Scalar, X: OneRay<T>, Q: Query<T>> Kernel for Single<'_, X, Q, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.tree.cast_one(lanes, self.ray, self.rules, self.query);
    }
}

/// A ray by itself and the first hit along it: an answer that is returned and not written somewhere saves the
/// caller from waiting for what was just written.
pub(super) struct SingleClosest<'a, X, T: Scalar = f32> {
    pub(super) tree: &'a X,
    pub(super) ray: &'a Ray<T>,
}

impl<T: Exactly, X: OneRay<T>> Kernel for SingleClosest<'_, X, T> {
    type Output = SingleClosestHit<T>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> SingleClosestHit<T> {
        let mut query = SingleClosestHit::NOTHING;
        self.tree.cast_one(lanes, self.ray, SingleClosestHit::<T>::RULES, &mut query);
        query
    }
}
