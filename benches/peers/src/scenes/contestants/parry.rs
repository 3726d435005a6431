//! `parry3d`: its triangle mesh. It has no any-hit query; the closest hit stands in.

use parry3d::math::Vector;
use parry3d::query::{Ray, RayCast as _};
use parry3d::shape::TriMesh;
use rayon::ThreadPool;

use super::{Entrant, one_by_one};
use crate::Result;
use crate::scenes::mesh::Mesh;
use crate::scenes::ray_set::{Query, RaySet};

pub(crate) struct ParryScene(TriMesh);

impl ParryScene {
    pub(crate) fn build(mesh: &Mesh) -> Result<Self> {
        let vertices = mesh.vertices().iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
        Ok(Self(TriMesh::new(vertices, mesh.triangles.clone())?))
    }

    pub(crate) fn enter<'a>(
        &'a self,
        pool: &'a ThreadPool,
        set: &RaySet,
        into: &mut Vec<Entrant<'a>>,
    ) {
        let ready = |ray: &lanecast::Ray| {
            let vector = |[x, y, z]: [f32; 3]| Vector::new(x, y, z);
            (Ray::new(vector(ray.origin), vector(ray.direction)), ray.t_max.min(f32::MAX))
        };
        let any = set.query == Query::Any;
        one_by_one::enter("parry3d", pool, set, 4, into, ready, move |(ray, t_max)| {
            match self.0.cast_local_ray(ray, *t_max, false) {
                None => f32::INFINITY,
                Some(_) if any => 0.0,
                Some(t) => t,
            }
        });
    }
}
