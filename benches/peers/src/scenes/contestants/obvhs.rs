//! `obvhs`: its compressed eight-wide tree, with edges and normals ready in the tree's order.

use glam::Vec3A;
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;
use rayon::ThreadPool;

use super::{Entrant, one_by_one};
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};

pub(crate) struct ObvhsScene {
    tree: CwBvh,
    triangles: Vec<RtTriangle>,
}

impl ObvhsScene {
    pub(crate) fn build(mesh: &Mesh) -> Self {
        let corners =
            |triangle: &[u32; 3]| triangle.map(|at| Vec3A::from(mesh.vertices()[at as usize]));
        let triangles: Vec<Triangle> = mesh
            .triangles
            .iter()
            .map(corners)
            .map(|[v0, v1, v2]| Triangle { v0, v1, v2 })
            .collect();
        let tree = build_cwbvh_from_tris(
            &triangles,
            BvhBuildParams::slow_build(),
            &mut Default::default(),
        );
        let ordered = tree.primitive_indices.iter().map(|&index| {
            let Triangle { v0, v1, v2 } = triangles[index as usize];
            RtTriangle::new(v0, v1, v2)
        });
        Self { triangles: ordered.collect(), tree }
    }

    pub(crate) fn enter<'a>(
        &'a self,
        pool: &'a ThreadPool,
        set: &RaySet,
        into: &mut Vec<Entrant<'a>>,
    ) {
        let ready = |ray: &lanecast::Ray| {
            Ray::new(ray.origin.into(), ray.direction.into(), ray.t_min, ray.t_max)
        };
        let meet = |ray: &Ray, index: usize| self.triangles[index].intersect(ray);
        match set.query {
            Query::Closest => one_by_one::enter("obvhs", pool, set, 1, into, ready, move |ray| {
                let mut hit = RayHit::none();
                self.tree.ray_traverse(*ray, &mut hit, meet);
                hit.t
            }),
            Query::Any => one_by_one::enter("obvhs", pool, set, 1, into, ready, move |ray| {
                if self.tree.ray_traverse_miss(*ray, meet) { f32::INFINITY } else { 0.0 }
            }),
        }
    }
}
