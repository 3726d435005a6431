//! Segment picking as scene graphs do it: what is told of a hit beside its ids, through nested
//! transforms.

use lanecast::primitive::{Primitives, Sphere, SurfacePoint};
use lanecast::{
    Aabb, Affine, Error, Hit, INVALID_ID, Ray, SceneBuilder, Segment, Status, cast::PickLimit,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use std::sync::Arc;

/// 10 × 8 × 6 around the origin, of 12 triangles.
fn oblong() -> Mesh {
    let mut mesh = meshes::tessellated_box(1);
    let size =
        [0, 1, 2].map(|axis| mesh.vertices.iter().fold(0.0_f32, |most, v| most.max(v[axis].abs())));
    for vertex in &mut mesh.vertices {
        *vertex = std::array::from_fn(|axis| vertex[axis] / size[axis] * [5.0, 4.0, 3.0][axis]);
    }
    assert_eq!(mesh.triangles.len(), 12);
    mesh
}

#[test]
fn a_segment_through_box_diagonals_has_two_intersections() {
    let nest = RandomWorld::of_meshes(vec![oblong()], &[]);
    let segment = Segment::new([0.0, 0.0, 15.0], [0.0, 0.0, -15.0]);
    let picks = nest.scene.cast(&Ray::from(segment)).pick(PickLimit::All).unwrap();
    let told: Vec<_> =
        picks.iter().map(|pick| (pick.hit.t, pick.world_point, pick.local_normal)).collect();
    assert_eq!(
        told,
        [(0.4, [0.0, 0.0, 3.0], [0.0, 0.0, 1.0]), (0.6, [0.0, 0.0, -3.0], [0.0, 0.0, -1.0])]
    );
    let nearest = nest.scene.cast(&Ray::from(segment)).pick(PickLimit::Nearest).unwrap();
    assert_eq!(nearest, picks[..1]);
    // In one place as in nested others, turned, mirrored and stretched in between.
    let turned =
        Affine::from_rows([[0.0, 0.0, 2.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0]]);
    let inner = RandomWorld::of_meshes(vec![], &[(&nest, turned)]);
    let placed = RandomWorld::of_meshes(vec![], &[(&inner, turned.inverse().unwrap())]);
    let again = placed.scene.cast(&Ray::from(segment)).pick(PickLimit::All).unwrap();
    assert_eq!(again.len(), 2);
    for (pick, plain) in again.iter().zip(&picks) {
        assert_eq!(
            (pick.hit.t, pick.world_point, &pick.instance_path[..]),
            (plain.hit.t, plain.world_point, &[0, 0][..])
        );
        assert_eq!((pick.local_point, pick.world_normal), (plain.local_point, plain.world_normal));
    }
}

/// Past the vertices of a box, from outside to outside: some are touched and not crossed.
#[test]
fn what_is_only_touched_is_no_intersection() {
    let scene = RandomWorld::of_meshes(vec![oblong()], &[]).scene;
    let mut touched = 0;
    for corner in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 });
        let segment = Segment::new([6.0 * x, 3.0 * y, 3.0 * z], [4.0 * x, 5.0 * y, 3.0 * z]);
        let all = scene.cast(&Ray::from(segment)).pick(PickLimit::All).unwrap();
        for limit in [PickLimit::Nearest, PickLimit::Any] {
            assert_eq!(
                scene.cast(&Ray::from(segment)).pick(limit).unwrap(),
                all[..all.len().min(1)]
            );
        }
        assert!(scene.cast(&Ray::segment(segment.start, segment.end)).any().unwrap());
        touched += usize::from(all.is_empty());
    }
    assert!(touched > 0);
}

#[test]
fn other_primitives_are_picked_too() {
    let ball = SceneBuilder::new()
        .spheres(&[Sphere::new([1.0, 0.0, 0.0], 0.5)])
        .and_then(SceneBuilder::build)
        .unwrap();
    let stretched =
        Affine::from_rows([[1.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let scene = SceneBuilder::new().instance(&Arc::new(ball), stretched).build().unwrap();
    let picks = scene
        .cast(&Ray::from(Segment::new([1.0, -8.0, 0.0], [1.0, 8.0, 0.0])))
        .pick(PickLimit::All)
        .unwrap();
    let told: Vec<_> =
        picks.iter().map(|pick| (pick.hit.t, pick.local_point, pick.world_normal)).collect();
    assert_eq!(
        told,
        [(0.375, [1.0, -0.5, 0.0], [0.0, -1.0, 0.0]), (0.625, [1.0, 0.5, 0.0], [0.0, 1.0, 0.0])]
    );
}

#[test]
fn what_is_not_there_cannot_be_told_of() {
    let scene = RandomWorld::of_meshes(vec![oblong()], &[]).scene;
    assert_eq!(
        scene.cast(&Ray::from(Segment::new([1.0; 3], [1.0; 3]))).pick(PickLimit::All),
        Err(Error::InvalidRay { status: Status::ZeroDirection })
    );
    let ray = Ray::new([0.0, 0.0, 9.0], [0.0, 0.0, -1.0]);
    let hit =
        Hit { t: 6.0, primitive_id: 12, geometry_id: 0, instance_id: INVALID_ID, u: 0.0, v: 0.0 };
    let unknown = |geometry_id, primitive_id| Error::UnknownPrimitive { geometry_id, primitive_id };
    assert_eq!(scene.locate(&ray, &hit), Err(unknown(0, 12)));
    assert_eq!(scene.locate(&ray, &Hit { geometry_id: 3, ..hit }), Err(unknown(3, 12)));
    assert_eq!(
        scene.locate(&ray, &Hit { instance_id: 0, ..hit }),
        Err(Error::UnknownInstance { instance: 0, instances: 0 })
    );
    assert_eq!(scene.triangle(0, u32::MAX), Err(unknown(0, u32::MAX)));
    let mesh = oblong();
    for triangle in 0..12 {
        assert_eq!(scene.triangle(0, triangle as u32), Ok(mesh.corners(triangle)));
    }
}

/// Asked about a primitive that is not there, whoever made the others might do anything.
#[test]
fn primitives_of_ones_own_are_asked_for_what_they_are() {
    #[derive(Debug)]
    struct Planes(Vec<f32>);
    impl Primitives for Planes {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn bounds(&self, primitive_id: u32) -> Aabb {
            let z = self.0[primitive_id as usize];
            Aabb { min: [-9.0, -9.0, z], max: [9.0, 9.0, z] }
        }

        fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
            let t = (self.0[primitive_id as usize] - ray.origin[2]) / ray.direction[2];
            meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [0.0, 0.0, 2.0] });
        }
    }
    let planes: Vec<f32> = (0..50).map(|number| 0.1 + 0.3 * number as f32).collect();
    let scene = SceneBuilder::new()
        .primitives(Arc::new(Planes(planes)))
        .and_then(SceneBuilder::build)
        .unwrap();
    let mut random = Random::new(5);
    for _ in 0..200 {
        let ray = Ray::new([0.0, 0.0, random.between(0.0, 15.0)], random.direction());
        let met = scene.cast(&ray).line_hits().unwrap();
        for hit in met.behind.into_iter().chain(met.ahead) {
            let pick = scene.locate(&ray, &hit).unwrap();
            assert_eq!(pick.world_normal, [0.0, 0.0, 1.0]);
            let height = 0.1 + 0.3 * f64::from(hit.primitive_id);
            assert!((pick.world_point[2] - height).abs() < 1e-4, "{pick:?}");
        }
        if let Some(hit) = met.ahead {
            let unknown = Error::UnknownPrimitive { geometry_id: 0, primitive_id: 999 };
            assert_eq!(scene.locate(&ray, &Hit { primitive_id: 999, ..hit }), Err(unknown));
        }
    }
}
