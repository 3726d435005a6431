//! `bvh`: its tree, which hands out the triangles whose boxes a ray meets, all of them however near
//! a hit is. The test of a triangle is written here: that of the crate is one-sided, and takes
//! small triangles for edge-on.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use bvh::ray::Ray;
use nalgebra::{Point3, Vector3};
use rayon::ThreadPool;

use super::{Entrant, one_by_one};
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};

struct Triangle {
    corners: [Point3<f32>; 3],
    node: usize,
}

impl Bounded<f32, 3> for Triangle {
    fn aabb(&self) -> Aabb<f32, 3> {
        let [a, b, c] = &self.corners;
        Aabb::empty().grow(a).grow(b).grow(c)
    }
}

impl BHShape<f32, 3> for Triangle {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl Triangle {
    /// Möller and Trumbore (1997), both sides.
    fn meets(&self, ray: &Ready) -> f32 {
        let [a, b, c] = &self.corners;
        let (to_b, to_c) = (b - a, c - a);
        let across = ray.direction.cross(&to_c);
        let inverse = 1.0 / to_b.dot(&across);
        let offset = ray.ray.origin - a;
        let u = offset.dot(&across) * inverse;
        let turned = offset.cross(&to_b);
        let v = ray.direction.dot(&turned) * inverse;
        let t = to_c.dot(&turned) * inverse;
        let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        if inside && t >= ray.t_min && t <= ray.t_max { t } else { f32::INFINITY }
    }
}

/// Its rays have unit directions and no interval.
struct Ready {
    ray: Ray<f32, 3>,
    direction: Vector3<f32>,
    t_min: f32,
    t_max: f32,
}

pub(crate) struct BvhScene {
    triangles: Vec<Triangle>,
    tree: Bvh<f32, 3>,
}

impl BvhScene {
    pub(crate) fn build(mesh: &Mesh) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|at| mesh.vertices()[at as usize].into());
        let triangles =
            mesh.triangles.iter().map(|triangle| Triangle { corners: corners(triangle), node: 0 });
        let mut triangles: Vec<Triangle> = triangles.collect();
        Self { tree: Bvh::build(&mut triangles), triangles }
    }

    pub(crate) fn enter<'a>(
        &'a self,
        pool: &'a ThreadPool,
        set: &RaySet,
        into: &mut Vec<Entrant<'a>>,
    ) {
        let ready = |ray: &lanecast::Ray| Ready {
            ray: Ray::new(ray.origin.into(), ray.direction.into()),
            direction: ray.direction.into(),
            t_min: ray.t_min,
            t_max: ray.t_max,
        };
        let any = set.query == Query::Any;
        one_by_one::enter("bvh", pool, set, 16, into, ready, move |ray| {
            let mut met = self
                .tree
                .traverse_iterator(&ray.ray, &self.triangles)
                .map(|shape| shape.meets(ray));
            if any {
                met.find(|t| t.is_finite()).map_or(f32::INFINITY, |_| 0.0)
            } else {
                met.fold(f32::INFINITY, f32::min)
            }
        });
    }
}
