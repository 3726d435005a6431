//! Mirrors of which it is plain what is seen in them.

use lanecast::primitive::{Obb, Primitives, Sphere, SurfacePoint};
use lanecast::{
    Aabb, Affine, Culling, Hit, PointGrid, Ray, Scene, SceneBuilder, Segment, cast::PickLimit,
};
use lanecast_reference::meshes;
use std::sync::Arc;

/// x changes its sign.
const MIRROR: Affine =
    Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

/// In a mirror, and in a mirror of that.
fn mirrored(scene: &Arc<Scene>) -> [Arc<Scene>; 2] {
    let mirror = |scene| Arc::new(SceneBuilder::new().instance(scene, MIRROR).build().unwrap());
    let once = mirror(scene);
    let twice = mirror(&once);
    [once, twice]
}

fn culled(scene: &Scene, ray: &Ray, culling: Culling) -> Option<(f32, [f32; 3])> {
    let hits = scene
        .cast(std::slice::from_ref(ray))
        .culling(culling)
        .geometric_normals(true)
        .closest()
        .unwrap();
    hits.hit(0).map(|hit| (hit.t, hits.geometric_normal()[0]))
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
        let plain = Arc::new(builder.and_then(SceneBuilder::build).unwrap());
        let [once, twice] = mirrored(&plain);
        for (scene, from) in [(&plain, 5.0_f32), (&once, -5.0), (&twice, 5.0)] {
            let ray = Ray::new([from, 0.0, 0.0], [-from.signum(), 0.0, 0.0]);
            let outwards = [from.signum(), 0.0, 0.0];
            let inwards = [-from.signum(), 0.0, 0.0];
            assert_eq!(culled(scene, &ray, Culling::None), Some((2.0, outwards)));
            assert_eq!(culled(scene, &ray, Culling::Back), Some((2.0, outwards)));
            assert_eq!(culled(scene, &ray, Culling::Front), Some((4.0, inwards)));
            let segment = Segment::new([from, 0.0, 0.0], [0.0; 3]);
            let picks = scene.cast(&Ray::from(segment)).pick(PickLimit::All).unwrap();
            assert_eq!(picks[0].world_normal, outwards.map(f64::from));
            assert_eq!([picks[0].local_normal[0], picks[1].local_normal[0]], [1.0, -1.0]);
            assert_eq!(picks[1].world_normal, inwards.map(f64::from));
        }
    }
}

#[test]
fn mirroring_turns_a_mesh_inside_out_but_not_a_sphere() {
    let mesh = meshes::icosphere(1, 1.0);
    let scene = SceneBuilder::new()
        .triangle_mesh(&mesh.vertices, &mesh.triangles)
        .and_then(|builder| builder.spheres(&[Sphere::new([0.0; 3], 0.5)]))
        .and_then(SceneBuilder::build)
        .unwrap();
    let scene = Arc::new(scene);
    let ray = Ray::new([5.0, 0.01, 0.02], [-1.0, 0.0, 0.0]);
    let [once, twice] = mirrored(&scene);
    let kept = |scene: &Scene, culling: Culling| {
        let request = scene.cast(std::slice::from_ref(&ray)).culling(culling);
        let (hits, all) = (request.closest().unwrap(), request.all().unwrap());
        assert_eq!(hits.hit(0), all.of_ray(0).first().copied());
        all.hits().iter().map(|hit: &Hit| (hit.geometry_id, hit.t < 5.0)).collect::<Vec<_>>()
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
        let scene = Arc::new(builder.and_then(SceneBuilder::build).unwrap());
        let ray = Ray::new([-5.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        let [once, twice] = mirrored(&scene);
        for scene in [&scene, &once, &twice] {
            assert_eq!(culled(scene, &ray, Culling::Back), grazed);
            assert_eq!(culled(scene, &ray, Culling::Front), back);
        }
    }
}

#[test]
fn what_lies_in_a_sphere_and_in_its_mirror_image_is_inside() {
    let ball = SceneBuilder::new()
        .spheres(&[Sphere::new([0.5, 0.0, 0.0], 1.0)])
        .and_then(SceneBuilder::build);
    let ball = Arc::new(ball.unwrap());
    let mirrored =
        Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let pair = SceneBuilder::new()
        .instance(&ball, Affine::IDENTITY)
        .instance(&ball, mirrored)
        .build()
        .unwrap();
    let points = [[0.0; 3], [-1.2, 0.0, 0.0], [1.2, 0.0, 0.0], [0.0, 0.95, 0.0]];
    assert_eq!(pair.points(&points).contains().unwrap().winding(), [2, 1, 1, 0]);
    assert_eq!(pair.point([0.0; 3]).signed_distance(), Ok(-0.5));
    let grid = PointGrid::new([-1.9, 0.0, 0.0], [0.5, 1.0, 1.0], [9, 1, 1]).unwrap();
    assert_eq!(pair.grid(&grid).occupancy_bytes().unwrap(), [0, 1, 1, 1, 1, 1, 1, 0, 0]);
}

/// A sheet of the caller's own: no inside, its front where its normal points.
#[derive(Debug)]
struct Sheet;

impl Primitives for Sheet {
    fn count(&self) -> usize {
        1
    }

    fn bounds(&self, _: u32) -> Aabb {
        Aabb { min: [2.0, -1.0, -1.0], max: [2.0, 1.0, 1.0] }
    }

    fn intersect(&self, _: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let t = (2.0 - ray.origin[0]) / ray.direction[0];
        meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [0.5, 0.0, 0.0] });
    }
}

#[test]
fn a_sheet_shows_in_a_mirror_the_side_that_looks_there() {
    let scene = Arc::new(
        SceneBuilder::new().primitives(Arc::new(Sheet)).and_then(SceneBuilder::build).unwrap(),
    );
    let [once, twice] = mirrored(&scene);
    // Of each where it comes to lie, and where its front looks.
    for (scene, place) in [(&scene, 2.0_f32), (&once, -2.0), (&twice, 2.0)] {
        for (from, culling) in [(2.0, Culling::Back), (-2.0, Culling::Front)] {
            let direction = [-place.signum() * f32::signum(from), 0.0, 0.0];
            let ray = Ray::new([place - 3.0 * direction[0], 0.0, 0.0], direction);
            let (t, normal) = culled(scene, &ray, culling).expect("a sheet");
            assert!(t == 3.0 && normal[0] * place > 0.0, "{normal:?} at {place}");
            let other = if culling == Culling::Back { Culling::Front } else { Culling::Back };
            assert_eq!(culled(scene, &ray, other), None);
        }
    }
}
