//! Brute force: every ray and every point against every primitive. The oracle that the tree is held against.

use crate::kernel::ExactScalar;
use crate::leaf::{InPlace, PointBlock, RayBlock, View};
use crate::query::{Asked, Casting, Known, Nearest, PointAnswer, PointTarget, Query, Sink, Target, Visible};
use crate::simd::{Backend, Kernel, LANES, Lanes, Scalar, dispatch, set_bits};
use crate::value::{Ray, RayBatch, Rules};

/// The blocks of a scene, without a tree.
pub(crate) struct Scan<'a, B> {
    pub(crate) blocks: &'a [B],
}

impl<T: ExactScalar, B: RayBlock<T>> Target<T> for Scan<'_, B> {
    fn cast<Q: Query<T>>(&self, backend: Backend, rays: &RayBatch<'_, T>, how: Casting<'_>, query: &mut Q) {
        let mut states = vec![Q::START; rays.len()];
        let sink = &mut Known::new(query, &mut states);
        dispatch(backend, Each { scan: self, rays, rules: how.rules, sink });
    }

    fn cast_single<Q: Query<T>>(&self, backend: Backend, ray: &Ray<T>, rules: Rules, query: &mut Q) {
        let (rays, mut states) = (&RayBatch::from_rays(std::slice::from_ref(ray)), [Q::START]);
        let sink = &mut Known::new(query, &mut states);
        dispatch(backend, Each { scan: self, rays, rules, sink });
    }
}

/// One ray after the other.
struct Each<'a, 's, 'r, B, T: Scalar> {
    scan: &'a Scan<'s, B>,
    rays: &'a RayBatch<'r, T>,
    rules: Rules,
    sink: &'a mut dyn Sink<T>,
}

impl<T: ExactScalar, B: RayBlock<T>> Kernel for Each<'_, '_, '_, B, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { scan, rays, rules, sink } = self;
        for row in 0..rays.len() {
            scan.cast_ray(lanes, row, &rays.ray(row), rules, sink);
        }
    }
}

impl<B> Scan<'_, B> {
    #[inline(always)]
    fn cast_ray<T: ExactScalar, L: Lanes>(
        &self,
        lanes: L,
        row: usize,
        ray: &Ray<T>,
        rules: Rules,
        sink: &mut dyn Sink<T>,
    ) where
        B: RayBlock<T>,
    {
        if let Some(defect) = ray.find_defect() {
            return sink.refuse(row, defect);
        }
        let prepared = B::prepare(ray);
        for block in self.blocks {
            sink.visit_leaf(row, block.count());
            // The whole interval, every time: the oracle skips nothing.
            block.intersect(lanes, &prepared, ray, rules, |lane, candidate, side| {
                sink.offer(row, candidate, side, &|| block.geometric_normal(lane));
            });
        }
        sink.finish(row);
    }
}

impl<B: PointBlock> PointTarget for Scan<'_, B> {
    fn closest_points(&self, backend: Backend, asked: &Asked<'_>, into: &mut [PointAnswer]) {
        dispatch(backend, EachPoint { scan: self, asked, into });
    }
}

/// One point after the other.
struct EachPoint<'a, 's, B> {
    scan: &'a Scan<'s, B>,
    asked: &'a Asked<'a>,
    into: &'a mut [PointAnswer],
}

impl<B: PointBlock> Kernel for EachPoint<'_, '_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { scan, asked, into } = self;
        for (row, answer) in into.iter_mut().enumerate() {
            *answer = match asked.of(row) {
                Err(defect) => PointAnswer::refused(defect),
                Ok((point, radius)) => {
                    let (view, point) = (InPlace(point), point.map(f64::from));
                    let mut nearest = Nearest::within(radius);
                    scan.find_nearest(lanes, &view, point, &asked.visible, &mut nearest);
                    asked.answer(&view, point, &nearest)
                }
            };
        }
    }
}

impl<'s, B: PointBlock> Scan<'s, B> {
    /// Offers `nearest` every primitive where it is seen.
    #[inline(always)]
    pub(crate) fn find_nearest<L: Lanes>(
        &self,
        lanes: L,
        view: &impl View,
        point: [f64; 3],
        visible: &Visible<'_>,
        nearest: &mut Nearest<(&'s B, usize)>,
    ) {
        let mut squared_distances = [0.0; LANES];
        for block in self.blocks {
            // All of them, every time: the oracle skips nothing.
            let most = f64::INFINITY;
            let all = block.squared_distances(lanes.widest(), view, point, most, &mut squared_distances);
            for lane in set_bits(all) {
                nearest.offer(squared_distances[lane], block.number(lane), (block, lane), visible);
            }
        }
    }
}
