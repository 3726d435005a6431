//! The contents of scenes of `f32` and `f64`, and all that is compiled for them.

use super::instances::Instances;
use super::precision::{Numbered, Others, Parts, ScenePart, ToPlace, Tree};
use super::{Geometry, Scene, SceneBuilder, own_bounds};
use crate::answers::Numbering;
use crate::error::Result;
use crate::kernel::ExactScalar;
use crate::leaf::{TriangleBlock, TriangleBlockF64};
use crate::query::{ChunkCast, SingleClosestHit, Sink, Target};
use crate::shapes::Shapes;
use crate::simd::{Backend, with_default_float_mode};
use crate::status::Status;
use crate::threads::{Spread, Threads};
use crate::tree::{AnchoredBvh, BuildQuality, Bvh, BvhStatistics};
use crate::value::{Aabb, Ray};

macro_rules! parts {
    ($number:ty, $tree:ty, $others:ty) => {
        impl Parts for $number {
            type Tree = $tree;
            type Others = $others;

            fn build(builder: SceneBuilder<'_, Self>) -> Result<Scene<Self>> {
                builder.build_scene()
            }

            fn validate(scene: &Scene<Self>) -> std::result::Result<(), String> {
                let is_elsewhere = |number| scene.others.hold(number);
                with_default_float_mode(|| Tree::validate(&scene.tree, scene.numbering.count(), is_elsewhere))
            }

            fn cast(
                cast: &ChunkCast<'_, Self>,
                part: &ScenePart<'_, '_, '_, Self>,
                sink: &mut dyn Sink<Self>,
            ) {
                cast.at_triangles(part, sink);
                part.scene.others.cast(cast, part, sink);
            }

            fn closest(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> SingleClosestHit<Self> {
                scene.tree.closest_of(backend, ray)
            }

            fn any(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> Status {
                scene.tree.any_of(backend, ray)
            }
        }
    };
}

parts!(f32, Bvh<TriangleBlock>, ShapesAndInstances);
parts!(f64, AnchoredBvh<TriangleBlockF64>, ());

/// Up to eight triangles for a leaf.
fn leaf<T: ExactScalar, B>(
    indices: &[u32],
    triangle: impl Fn(u32) -> Numbered<T>,
    block: impl Fn(&[Numbered<T>]) -> B,
) -> B {
    let mut triangles = [([[T::ZERO; 3]; 3], 0); 8];
    for (place, &index) in triangles.iter_mut().zip(indices) {
        *place = triangle(index);
    }
    block(&triangles[..indices.len()])
}

impl Tree<f32> for Bvh<TriangleBlock> {
    type Block = TriangleBlock;

    fn of_triangles(
        count: usize,
        triangle: impl Fn(u32) -> Numbered<f32> + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        let box_of = |index| Aabb::of_points(triangle(index).0);
        let block = |indices: &[u32], _| leaf(indices, &triangle, TriangleBlock::new);
        Self::build(count, box_of, block, quality, spread)
    }

    fn blocks(&self) -> &[TriangleBlock] {
        self.blocks()
    }

    fn triangles(block: &TriangleBlock) -> impl Iterator<Item = Numbered<f32>> {
        block.triangles()
    }

    fn bounds(&self) -> Aabb {
        self.bounds()
    }

    fn statistics(&self) -> BvhStatistics {
        self.statistics()
    }

    fn validate(&self, count: usize, is_elsewhere: impl Fn(u32) -> bool) -> std::result::Result<(), String> {
        let box_of = |block: &TriangleBlock, number| {
            let corners = block.triangles().find(|&(_, candidate)| candidate == number);
            corners.map_or(Aabb::EMPTY, |(corners, _)| Aabb::of_points(corners))
        };
        self.validate(count, is_elsewhere, box_of)
    }
}

impl Tree<f64> for AnchoredBvh<TriangleBlockF64> {
    type Block = TriangleBlockF64;

    fn of_triangles(
        count: usize,
        triangle: impl Fn(u32) -> Numbered<f64> + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        let block = |indices: &[u32]| leaf(indices, &triangle, TriangleBlockF64::new);
        Self::build(count, |index| box_of(triangle(index).0), block, quality, spread)
    }

    fn blocks(&self) -> &[TriangleBlockF64] {
        self.blocks()
    }

    fn triangles(block: &TriangleBlockF64) -> impl Iterator<Item = Numbered<f64>> {
        block.triangles()
    }

    fn bounds(&self) -> Aabb<f64> {
        self.bounds()
    }

    fn statistics(&self) -> BvhStatistics {
        self.statistics()
    }

    fn validate(&self, count: usize, _: impl Fn(u32) -> bool) -> std::result::Result<(), String> {
        let box_of = |block: &TriangleBlockF64, number| {
            let corners = block.triangles().find(|&(_, candidate)| candidate == number);
            box_of(corners.map_or([[f64::NAN; 3]; 3], |(corners, _)| corners))
        };
        self.validate(count, box_of)
    }
}

fn box_of([a, b, c]: [[f64; 3]; 3]) -> Aabb<f64> {
    Aabb {
        min: [0, 1, 2].map(|axis| a[axis].min(b[axis]).min(c[axis])),
        max: [0, 1, 2].map(|axis| a[axis].max(b[axis]).max(c[axis])),
    }
}

/// No content beside triangles.
impl Others<f64> for () {
    fn new(
        _: Vec<Geometry<'_, f64>>,
        _: Vec<ToPlace>,
        _: &Numbering,
        _: &Aabb<f64>,
        _: &Threads,
    ) -> Result<Self> {
        Ok(())
    }

    fn is_empty(&self) -> bool {
        true
    }

    fn has_instances(&self) -> bool {
        false
    }

    fn hold(&self, _: u32) -> bool {
        false
    }

    fn bounds(&self) -> Aabb<f64> {
        Aabb::EMPTY
    }

    fn cast(&self, _: &ChunkCast<'_, f64>, _: &ScenePart<'_, '_, '_, f64>, _: &mut dyn Sink<f64>) {}
}

/// Geometries other than meshes, and instances.
#[derive(Debug, Clone)]
pub(crate) struct ShapesAndInstances {
    pub(crate) shapes: Shapes,
    pub(crate) instances: Instances,
}

impl Others<f32> for ShapesAndInstances {
    fn new(
        geometries: Vec<Geometry<'_>>,
        instances: Vec<ToPlace>,
        numbering: &Numbering,
        bounds: &Aabb,
        threads: &Threads,
    ) -> Result<Self> {
        let shapes = geometries.into_iter().map(Geometry::into_shape).collect();
        let shapes = Shapes::new(shapes, numbering, threads);
        let instances = Instances::new(instances, &own_bounds(bounds, &shapes))?;
        Ok(Self { shapes, instances })
    }

    fn is_empty(&self) -> bool {
        self.instances.is_empty() && self.shapes.is_empty()
    }

    fn has_instances(&self) -> bool {
        !self.instances.is_empty()
    }

    fn hold(&self, number: u32) -> bool {
        self.shapes.hold(number)
    }

    fn bounds(&self) -> Aabb {
        let shapes = self.shapes.bounds();
        if self.instances.is_empty() { shapes } else { shapes.union(&self.instances.bounds()) }
    }

    fn cast(&self, cast: &ChunkCast<'_, f32>, part: &ScenePart<'_, '_, '_, f32>, sink: &mut dyn Sink<f32>) {
        with_default_float_mode(|| {
            if !self.shapes.is_empty() {
                cast.at_shapes(&self.shapes, part, sink);
            }
            if !self.instances.is_empty() {
                self.instances.cast(cast, part, sink);
            }
        });
    }
}
