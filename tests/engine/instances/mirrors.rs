//! Mirrors of which it is plain what is seen in them.

use crate::common::meshes;
use lanecast::primitive::{Obb, Primitives, Sphere, SurfacePoint};
use lanecast::{
    Aabb, Affine, CastOptions, Culling, Hit, HitBatch, PickLimit, Ray, RayBatch, Scene, SceneBuilder, Segment,
};
use std::sync::Arc;

/// x changes its sign.
const MIRROR: Affine = Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

/// In a mirror, and in a mirror of that.
fn mirrored(scene: Scene) -> [Scene; 2] {
    let once = Arc::new(SceneBuilder::new().instance(&Arc::new(scene), MIRROR).build().unwrap());
    let twice = SceneBuilder::new().instance(&once, MIRROR).build().unwrap();
    [Scene::clone(&once), twice]
}

fn culled(scene: &Scene, ray: &Ray, culling: Culling) -> Option<(f32, [f32; 3])> {
    let (rays, mut hits) = (std::slice::from_ref(ray), HitBatch::new());
    let options = CastOptions::new().culling(culling).normals(true);
    scene.closest_hit_batch(&RayBatch::from_rays(rays), &options, &mut hits).unwrap();
    hits.hit(0).map(|hit| (hit.t, hits.geometric_normal[0]))
}

#[test]
fn the_outside_of_a_mirrored_solid_is_its_outside() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let middle = [2.0, 0.0, 0.0];
    for builder in [
        SceneBuilder::new().spheres(&[Sphere::new(middle, 1.0)]),
        SceneBuilder::new().boxes(&[Aabb { min: [1.0, -1.0, -1.0], max: [3.0, 1.0, 1.0] }]),
        SceneBuilder::new().oriented_boxes(&[Obb::new(middle, axes, [1.0; 3]).unwrap()]),
        SceneBuilder::new().primitives(Arc::new(vec![Sphere::new(middle, 1.0)])),
    ] {
        let plain = builder.and_then(SceneBuilder::build).unwrap();
        let [once, twice] = mirrored(plain.clone());
        for (scene, from) in [(&plain, 5.0_f32), (&once, -5.0), (&twice, 5.0)] {
            let ray = Ray::new([from, 0.0, 0.0], [-from.signum(), 0.0, 0.0]);
            let outwards = [from.signum(), 0.0, 0.0];
            let inwards = [-from.signum(), 0.0, 0.0];
            assert_eq!(culled(scene, &ray, Culling::None), Some((2.0, outwards)));
            assert_eq!(culled(scene, &ray, Culling::Back), Some((2.0, outwards)));
            assert_eq!(culled(scene, &ray, Culling::Front), Some((4.0, inwards)));
            let segment = Segment::new([from, 0.0, 0.0], [0.0; 3]);
            let picks = scene.pick(&segment, PickLimit::All).unwrap();
            assert_eq!(picks[0].world_normal, outwards.map(f64::from));
            assert_eq!([picks[0].local_normal[0], picks[1].local_normal[0]], [1.0, -1.0]);
            assert_eq!(picks[1].world_normal, inwards.map(f64::from));
        }
    }
}

#[test]
fn a_mirrored_mesh_is_turned_inside_out_and_a_sphere_beside_it_is_not() {
    let mesh = meshes::icosphere(1, 1.0);
    let scene = SceneBuilder::new()
        .triangle_mesh(&mesh.vertices, &mesh.triangles)
        .and_then(|builder| builder.spheres(&[Sphere::new([0.0; 3], 0.5)]))
        .and_then(SceneBuilder::build)
        .unwrap();
    let ray = Ray::new([5.0, 0.01, 0.02], [-1.0, 0.0, 0.0]);
    let [once, twice] = mirrored(scene.clone());
    let kept = |scene: &Scene, culling: Culling| {
        let (rays, mut hits) = (std::slice::from_ref(&ray), HitBatch::new());
        let mut all = lanecast::AllHitsBatch::new();
        let options = CastOptions::new().culling(culling);
        scene.all_hits_batch(&RayBatch::from_rays(rays), &options, &mut all).unwrap();
        scene.closest_hit_batch(&RayBatch::from_rays(rays), &options, &mut hits).unwrap();
        assert_eq!(hits.hit(0), all.of_ray(0).first().copied());
        all.hits.iter().map(|hit: &Hit| (hit.geometry_id, hit.t < 5.0)).collect::<Vec<_>>()
    };
    for (scene, mesh_first) in [(&scene, true), (&once, false), (&twice, true)] {
        // The mesh far away, or near; the sphere within always near.
        let front = if mesh_first { [(0, true), (1, true)] } else { [(1, true), (0, false)] };
        let back = if mesh_first { [(1, false), (0, false)] } else { [(0, true), (1, false)] };
        assert_eq!(kept(scene, Culling::Back), front);
        assert_eq!(kept(scene, Culling::Front), back);
    }
}

/// Spheres whose sides go by their normals.
#[derive(Debug)]
struct ByNormals(Vec<Sphere>);

impl Primitives for ByNormals {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        Primitives::bounds(&self.0, primitive_id)
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        self.0.intersect(primitive_id, ray, meet);
    }
}

#[test]
fn a_line_that_grazes_a_sphere_sees_the_same_in_a_mirror() {
    let grazed = Some((5.0, [0.0, 1.0, 0.0]));
    let sphere = vec![Sphere::new([0.0; 3], 1.0)];
    for (builder, back) in [
        // It enters and leaves.
        (SceneBuilder::new().spheres(&sphere), grazed),
        // So it does of a caller's own that are told of in order.
        (SceneBuilder::new().primitives(Arc::new(sphere.clone())), grazed),
        // Else there is the normal to go by, to which it runs square.
        (SceneBuilder::new().primitives(Arc::new(ByNormals(sphere.clone()))), None),
    ] {
        let scene = builder.and_then(SceneBuilder::build).unwrap();
        let ray = Ray::new([-5.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        let [once, twice] = mirrored(scene.clone());
        for scene in [&scene, &once, &twice] {
            assert_eq!(culled(scene, &ray, Culling::Back), grazed);
            assert_eq!(culled(scene, &ray, Culling::Front), back);
        }
    }
}
