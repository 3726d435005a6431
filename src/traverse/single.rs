//! Rays that go through the tree by themselves: one after the other, or one alone.

use super::alone::Stack;
use super::rows::Rows;
use crate::kernel::Exactly;
use crate::query::{Query, SingleClosestHit};
use crate::simd::{Kernel, Lanes, Scalar};
use crate::value::{GROUP, Ray, RayBatch, Rules};

/// A tree through which a ray may go by itself.
pub(super) trait OneRay<T: Scalar> {
    /// How many references may wait.
    fn stack_size(&self) -> usize;

    /// Casts the ray in `row`, unless something is wrong with it.
    fn cast_ray<L: Lanes, Q: Query<T>>(
        &self,
        lanes: L,
        stack: &mut Stack,
        row: usize,
        ray: &Ray<T>,
        rules: Rules,
        query: &mut Q,
    );
}

/// The rays in the rows that are left, which are few, one after the other.
pub(super) struct OneByOne<'a, 'r, X, Q, T: Scalar = f32> {
    pub(super) tree: &'a X,
    pub(super) rays: &'a RayBatch<'r, T>,
    pub(super) rows: &'a mut Rows,
    pub(super) rules: Rules,
    pub(super) query: &'a mut Q,
}

impl<T: Exactly, X: OneRay<T>, Q: Query<T>> Kernel for OneByOne<'_, '_, X, Q, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree, rays, rows, rules, query } = self;
        let mut stack = Stack::new(tree.stack_size());
        let mut group = [0; GROUP];
        loop {
            let count = rows.take(&mut group);
            if count == 0 {
                break;
            }
            for &row in &group[..count] {
                let row = row as usize;
                tree.cast_ray(lanes, &mut stack, row, &rays.ray(row), rules, query);
            }
        }
        stack.put_back();
    }
}

/// One alone, in row 0.
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
        let Self { tree, ray, rules, query } = self;
        let mut stack = Stack::new(tree.stack_size());
        tree.cast_ray(lanes, &mut stack, 0, ray, rules, query);
        stack.put_back();
    }
}

/// The first hit of one alone: an answer that is returned and not written somewhere saves the caller from waiting for what
/// was just written.
pub(super) struct SingleClosest<'a, X, T: Scalar = f32> {
    pub(super) tree: &'a X,
    pub(super) ray: &'a Ray<T>,
}

impl<T: Exactly, X: OneRay<T>> Kernel for SingleClosest<'_, X, T> {
    type Output = SingleClosestHit<T>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> SingleClosestHit<T> {
        let Self { tree, ray } = self;
        let mut query = SingleClosestHit::NOTHING;
        Single { tree, ray, rules: SingleClosestHit::<T>::RULES, query: &mut query }.run(lanes);
        query
    }
}
