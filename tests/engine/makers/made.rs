//! A batch that is made answers what the same rays in memory answer, whatever is asked and however
//! it is cut.

use crate::common::answers::Answers;
use crate::common::backends::{every_backend, same_on_every_backend};
use crate::makers::support::all;
use lanecast::primitive::{AabbBatch, Slab};
use lanecast::{
    Aabb, CastOptions, Coherence, Culling, Hit, Maker, Ray, RayBatch, Scene, Side, Status, Threads,
    answers::{AnyHitBatch, CostBatch},
    primitive::{Bulk, HitTable},
};
use lanecast_makers::{
    Beam, Footprint, Grid, Hemisphere, Lidar, Panorama, Pinhole, Pose, Prism, Shot, Spread,
    Sunlight,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

/// One maker of each kind, and what they borrow.
struct Makers {
    points: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    beams: Lidar,
}

impl Makers {
    fn new() -> Self {
        let mut random = Random::new(1);
        let [points, normals] = [(); 2].map(|()| (0..90).map(|_| random.direction()).collect());
        let beams = Lidar::new(&Beam::fan(7, [-40.0, 40.0]), 15)
            .and_then(|lidar| lidar.carried(&[Pose::standing([1.5, 0.0, 0.1])], 0.0, 0.0, 1))
            .expect("a lidar");
        Self { points, normals, beams }
    }

    /// Each of a few more rays than the least chunk holds.
    fn each(&self) -> Vec<(&'static str, Box<dyn Maker<Ray> + '_>)> {
        let (eye, up) = ([0.5, -3.0, 1.0], [0.0, 0.0, 1.0]);
        let pinhole = Pinhole::looking_at(eye, [0.0; 3], up, 40.0, [33, 21]).expect("a camera");
        let poses = [0.0, 1.0].map(|time| Pose { time, ..Pose::standing([time, 0.0, 0.1]) });
        let lidar = Lidar::new(&Beam::fan(16, [-40.0, 40.0]), 24);
        let lidar = lidar.and_then(|it| it.carried(&poses, 0.0, 0.4, 2)).expect("a lidar");
        let shot = |number: u32| {
            let (time, azimuth) = (f64::from(number % 100) / 250.0, f64::from(number));
            Shot { time, azimuth, elevation: f64::from(number % 70) - 35.0, beam: number }
        };
        let shots: Vec<_> = (0..350).map(shot).collect();
        let pattern = Lidar::from_pattern(&shots).and_then(|it| it.carried(&poses, 0.0, 0.4, 2));
        let few = Lidar::new(&Beam::fan(4, [-20.0, 20.0]), 96).expect("a lidar");
        let above = poses.map(|pose| Pose { position: [pose.time, 0.0, 2.0], ..pose });
        let swath = few.clone().swath([-50.0, 50.0], 0.5);
        let swath = swath.and_then(|it| it.carried(&above, 0.0, 0.4, 2)).expect("a swath");
        let behind = poses.map(|pose| Pose { position: [pose.time, -2.0, 0.0], ..pose });
        let prism = |rate| Prism { deflection: 12.0, rate, phase: 30.0 };
        let rosette = few.carried(&behind, 0.0, 0.4, 2);
        let rosette = rosette.and_then(|it| it.prisms(&[prism(31.0), prism(-17.3)]));
        let hemisphere = Hemisphere::new(&self.points, &self.normals, 9, Spread::Cosine);
        let directions: Vec<_> = (0..8).map(|turn| [1.0, f64::from(turn) - 4.0, 0.5]).collect();
        let edges = [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
        vec![
            ("pinhole", Box::new(pinhole)),
            (
                "panorama",
                Box::new(Panorama::new(eye, [0.0, 1.0, 0.0], up, [40, 20]).expect("a panorama")),
            ),
            ("grid", Box::new(Grid::new([-1.5; 3], edges, [25, 30], up).expect("a grid"))),
            ("lidar", Box::new(lidar)),
            ("pattern", Box::new(pattern.expect("a pattern"))),
            ("swath", Box::new(swath)),
            ("rosette", Box::new(rosette.expect("a rosette"))),
            ("footprint", Box::new(Footprint::new(&self.beams, 50.0, 6).expect("cones"))),
            ("hemisphere", Box::new(hemisphere.expect("a hemisphere"))),
            ("sunlight", Box::new(Sunlight::new(&self.points, &directions).expect("sunlight"))),
        ]
    }
}

fn scene() -> Scene {
    let mut random = Random::new(2);
    let mesh: Mesh = meshes::soup(80, &mut random).with(&meshes::icosphere(1, 0.8));
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene")
}

#[test]
fn any_range_of_rays_is_that_of_the_whole() {
    let mut random = Random::new(3);
    for (name, maker) in Makers::new().each() {
        let whole = all(&*maker);
        let batch = RayBatch::made(&*maker);
        assert_eq!((batch.len(), maker.is_empty()), (whole.len(), false));
        for _ in 0..200 {
            let first = random.below(whole.len() + 1);
            let end = first
                + random.below(whole.len() + 1 - first).min(random.pick(&[0, 1, 7, 90, 10_000]));
            let mut rays = vec![Ray::new([f32::NAN; 3], [0.0; 3]); end - first];
            maker.make(first, &mut rays);
            assert_eq!(rays, whole[first..end], "{name}: {first}..{end}");
            if first < whole.len() {
                let (alone, sliced) = (batch.ray(first), batch.slice(first..whole.len()));
                assert_eq!(
                    [alone, batch.get(first), sliced.ray(0)],
                    [whole[first]; 3],
                    "{name}: {first}"
                );
                assert_eq!(
                    sliced.slice(sliced.len() - 1..sliced.len()).ray(0),
                    whole[whole.len() - 1]
                );
            }
        }
    }
}

/// What all queries say, and what they cost.
fn ask<'a>(
    scene: &'a Scene,
    rays: &RayBatch<'a>,
    options: &CastOptions<'a>,
) -> (Answers, CostBatch) {
    let options = options.clone().geometric_normals(true);
    (Answers::of(scene, rays, &options), scene.cast(rays).with(&options).cost().expect("cost"))
}

#[test]
fn all_queries_answer_what_they_answer_to_stored_rays() {
    let scene = scene();
    let cut = |ray: usize, hit: &Hit, _: Side| !(ray + hit.primitive_id as usize).is_multiple_of(3);
    let two = Threads::exactly(2).expect("two threads");
    for (name, maker) in Makers::new().each() {
        let stored = all(&*maker);
        let (made, stored) = (RayBatch::made(&*maker), RayBatch::from_rays(&stored));
        let culling: Vec<_> =
            (0..made.len()).map(|row| [Culling::None, Culling::Back][row % 2]).collect();
        for backend in every_backend() {
            for (how, options) in [
                ("one thread", CastOptions::new().threads(&Threads::ONE)),
                ("two threads", CastOptions::new().threads(&two)),
                ("groups", CastOptions::new().coherence(Coherence::Coherent)),
                ("columns", CastOptions::new().culling(&culling)),
            ] {
                let options = options.backend(backend);
                let [found, expected] = [&made, &stored].map(|rays| ask(&scene, rays, &options));
                assert!(found == expected, "{name}, {how}, {backend}");
                let status = expected.0.closest.status();
                assert!(status.contains(&Status::Hit) && status.contains(&Status::Miss), "{name}");
            }
            let few = 500..560;
            let options = CastOptions::new().backend(backend).threads(&Threads::ONE);
            let few = [made.slice(few.clone()), stored.slice(few)];
            let [found, expected] =
                few.map(|rays| ask(&scene, &rays, &options.clone().brute_force()));
            assert!(found == expected, "{name}, scan, {backend}");
            let options = options.filter(&cut);
            let [found, expected] = [&made, &stored].map(|rays| ask(&scene, rays, &options));
            assert!(found == expected, "{name}, filter, {backend}");
        }
    }
}

#[test]
fn made_rays_take_other_intervals() {
    let scene = scene();
    let makers = Makers::new();
    for (name, maker) in makers.each() {
        let stored = all(&*maker);
        let (made, stored) = (RayBatch::made(&*maker), RayBatch::from_rays(&stored));
        let t_min: Vec<f32> = (0..made.len()).map(|row| (row % 5) as f32).collect();
        let t_max: Vec<f32> = t_min.iter().map(|t| t + 1.5).collect();
        let options = &CastOptions::new();
        let [found, expected] = [made, stored].map(|rays| {
            let own = rays.with_intervals(&t_min, &t_max).expect("as long as the rays");
            let (same, part) = (rays.with_interval(0.5, 2.5), own.slice(7..own.len() - 3));
            assert_eq!([part.ray(1).t_min, part.ray(1).t_max], [t_min[8], t_max[8]], "{name}");
            [same, own, part].map(|rays| ask(&scene, &rays, options))
        });
        for (found, expected) in found.iter().zip(&expected) {
            assert!(found == expected, "{name}");
        }
    }
}

#[test]
fn bulk_tests_take_made_rays() {
    let mut random = Random::new(4);
    let makers = Makers::new();
    for (name, maker) in makers.each() {
        let stored = all(&*maker);
        let boxes: Vec<Aabb> = (0..stored.len())
            .map(|_| {
                let min = random.point(-1.0, 1.0);
                Aabb { min, max: min.map(|x| x + 0.5) }
            })
            .collect();
        let boxes = AabbBatch::from_slice(&boxes).expect("boxes");
        let (made, stored) = (RayBatch::made(&*maker), RayBatch::from_rays(&stored));
        same_on_every_backend(name, |backend| {
            let answers = [made, stored].map(|rays| {
                let bulk = Bulk::new(Slab).backend(backend);
                let (mut table, mut counts) = (HitTable::new(), Vec::new());
                bulk.pairwise(&rays, &boxes, &mut table).expect("pairs");
                bulk.counts(&rays, &boxes.slice(0..100), &mut counts).expect("counts");
                (table.column(0).iter().map(|t: &f32| t.to_bits()).collect::<Vec<_>>(), counts)
            });
            assert_eq!(answers[0], answers[1], "{name}");
            answers
        });
    }
}

/// A caller's own maker, of more rays than one would keep.
struct Rain(usize);

impl Maker<Ray> for Rain {
    fn len(&self) -> usize {
        self.0
    }

    fn make(&self, first: usize, rays: &mut [Ray]) {
        assert!(rays.len() <= 1 << 15, "{} rays at once", rays.len());
        for (place, ray) in rays.iter_mut().enumerate() {
            let x = (first + place) as f32 / self.0 as f32;
            *ray = Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]);
        }
    }
}

#[test]
fn rays_are_made_a_chunk_at_a_time_and_only_those_that_are_cast() {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let scene = Scene::from_triangles(&triangle, &[[0, 1, 2]]).expect("a scene");
    let rain = Rain(300_000);
    let mut any = AnyHitBatch::new();
    scene.cast(&RayBatch::made(&rain)).any_into(&mut any).expect("any");
    let wet = any.status().iter().take_while(|status| status.is_hit()).count();
    assert_eq!(wet, 225_001, "those up to the edge at 0.75, which counts");
    assert_eq!(any.status().iter().filter(|status| status.is_hit()).count(), wet);
    // More than any memory holds, of which a few are cast.
    let endless = Rain(usize::MAX);
    let few = RayBatch::made(&endless).slice(usize::MAX / 2..usize::MAX / 2 + 1000);
    scene.cast(&few).any_into(&mut any).expect("any");
    assert!(any.status().iter().all(|status| status.is_hit()));
    let none = Rain(0);
    scene.cast(&RayBatch::made(&none)).any_into(&mut any).expect("any");
    assert!(any.status().is_empty() && none.is_empty());
}

#[test]
fn makers_without_points_make_nothing() {
    let hemisphere = Hemisphere::new(&[], &[], 5, Spread::Uniform).expect("a hemisphere");
    let makers: [Box<dyn Maker<Ray>>; 3] = [
        Box::new(hemisphere),
        Box::new(Sunlight::new(&[], &[[1.0; 3]]).expect("sunlight")),
        Box::new(Sunlight::new(&[[1.0; 3]], &[]).expect("sunlight")),
    ];
    for maker in makers {
        let any = scene().cast(&RayBatch::made(&*maker)).any().expect("any");
        assert!(any.status().is_empty() && all(&*maker).is_empty());
    }
}
