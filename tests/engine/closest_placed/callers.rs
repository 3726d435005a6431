//! Primitives of the caller's own.

use crate::closest_placed::POINTS;
use crate::closest_placed::ask::ask_in_every_way;
use lanecast::primitive::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
use lanecast::{
    Aabb, Affine, Error, Ray, Scene, SceneBuilder,
    answers::{DistanceBatch, PerRow},
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use lanecast_reference::vector::{length, minus, vector};
use std::sync::Arc;

/// Points; whether they are told of is up to the second.
#[derive(Debug)]
struct Cloud(Vec<[f32; 3]>, bool);

impl Primitives for Cloud {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        Aabb::around([self.0[primitive_id as usize]])
    }

    fn intersect(&self, _: u32, _: &Ray, _: &mut dyn FnMut(SurfacePoint)) {}

    fn nearest_points(&self) -> Option<&dyn NearestPoints> {
        self.1.then_some(self)
    }
}

impl NearestPoints for Cloud {
    fn nearest_point(
        &self,
        primitive_id: u32,
        _: [f64; 3],
        placed: &Affine,
    ) -> Option<NearestPoint> {
        let point = placed.point(vector(self.0[primitive_id as usize]));
        // Every seventh is nowhere.
        let point = if primitive_id % 7 == 3 { [f64::NAN; 3] } else { point };
        Some(NearestPoint { point, u: 0.25, v: primitive_id as f32, normal: [0.0, 0.0, 2.0] })
    }
}

#[test]
fn primitives_of_the_caller_are_told_of_or_the_scene_refuses() {
    let random = &mut Random::new(35);
    let points: Vec<_> = (0..200).map(|_| random.point(-1.0, 1.0)).collect();
    let build = |told| {
        let cloud = Arc::new(Cloud(points.clone(), told));
        let mesh = meshes::icosphere(0, 0.1);
        let builder = SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles).unwrap();
        Arc::new(builder.primitives(cloud).and_then(SceneBuilder::build).expect("a scene"))
    };
    let map = transform(random);
    let place = |scene: &Arc<Scene>| {
        SceneBuilder::new().instance(scene, Affine::IDENTITY).instance(scene, map).build()
    };
    let maps = [Affine::IDENTITY, map];
    let cloud = build(true);
    let asked: Vec<_> = (0..POINTS).map(|_| random.point(-2.0, 2.0)).collect();
    for scene in [cloud.as_ref(), &place(&cloud).expect("a scene")] {
        let found = ask_in_every_way("cloud", scene, &asked, PerRow::Same(f32::INFINITY));
        for (row, &point) in asked.iter().enumerate() {
            let closest = found.get(row).expect("a point");
            if closest.geometry_id == 1 {
                assert!(closest.primitive_id % 7 != 3);
                assert_eq!((closest.u, closest.v), (0.25, closest.primitive_id as f32));
            }
            let least = maps.iter().take(scene.instance_count().max(1)).flat_map(|map| {
                let told = points.iter().enumerate().filter(|(id, _)| id % 7 != 3);
                told.map(move |(_, &p)| length(minus(map.point(vector(p)), vector(point))))
            });
            assert!(f64::from(closest.distance) <= least.fold(f64::MAX, f64::min) * (1.0 + 1e-7));
        }
    }
    let silent = build(false);
    let error = Error::NotForPoints { geometry_id: 1, instance_path: Vec::new() };
    let mut distances = cloud.points(&asked).distances().expect("sound");
    assert_eq!(distances.len(), asked.len());
    assert_eq!(silent.points(&asked).distances_into(&mut distances), Err(error.clone()));
    assert_eq!(distances, DistanceBatch::new(), "answers of an earlier batch");
    assert_eq!(silent.point([0.0; 3]).closest(1.0), Err(error.clone()));
    assert_eq!(silent.point([0.0; 3]).brute_force().signed_distance(), Err(error.clone()));
    assert!(error.to_string().starts_with("geometry 1: its primitives"), "{error}");
    let nested = SceneBuilder::new()
        .instance(&cloud, map)
        .instance(&Arc::new(place(&silent).expect("a scene")), map)
        .build()
        .expect("a scene");
    let error = nested.point([0.0; 3]).distance().expect_err("one is silent");
    assert_eq!(error, Error::NotForPoints { geometry_id: 1, instance_path: vec![1, 0] });
    assert!(error.to_string().starts_with("geometry 1 in instance 1/0: its primitives"), "{error}");
}
