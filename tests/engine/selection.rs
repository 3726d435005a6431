//! What a ray leaves out: masks, sides, the triangle that it starts on, what a filter refuses, and what lies beyond the
//! first few. Held against all hits of a scan, of which the test itself leaves out the same.

use crate::common::backends::every_backend;
use lanecast::testing::Way;
use lanecast::{
    CastOptions, Coherence, Contact, Culling, Error, Hit, INVALID_ID, Ray, Scene, SceneBuilder, Side, Status,
    Threads, answers::PerRow,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

const RAYS: usize = if cfg!(debug_assertions) { 300 } else { 3_000 };

/// Several geometries in the same space, one of them empty, two of them alike, so that hits tie.
fn geometries() -> Vec<Mesh> {
    let mut random = Random::new(1);
    let soup = meshes::soup(150, &mut random);
    vec![soup.clone(), Mesh::default(), meshes::icosphere(2, 0.7), soup, meshes::tessellated_box(3)]
}

fn scene_of(meshes: &[Mesh]) -> Scene {
    let mut builder = SceneBuilder::new();
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    builder.build().expect("a scene")
}

/// Rays at vertices, at insides, and past everything.
fn rays_at(meshes: &[Mesh], random: &mut Random) -> Vec<Ray> {
    let mesh = &meshes[0].clone().with(&meshes[2]).with(&meshes[4]);
    let mut rays = Vec::new();
    while rays.len() < RAYS {
        let origin = random.point(-2.0, 2.0);
        let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
        let [u, v] = random.pick(&[[0.0, 0.0], [0.5, 0.0], [0.25, 0.5], [0.3, 0.3]]);
        let target: [f32; 3] =
            std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
        let ray = Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]));
        rays.push(match random.below(20) {
            0 => Ray { direction: [0.0; 3], ..ray },
            1 => Ray::new(origin, random.direction()),
            _ => ray,
        });
    }
    rays
}

/// What every ray leaves out.
struct Left {
    geometry_masks: Vec<u32>,
    masks: Vec<u32>,
    culling: Vec<Culling>,
    skips: [Vec<u32>; 2],
    limits: Vec<u32>,
}

impl Left {
    fn drawn(meshes: &[Mesh], random: &mut Random) -> Self {
        let skips: Vec<[u32; 2]> = (0..RAYS)
            .map(|_| {
                let geometry = random.below(meshes.len());
                let triangles = meshes[geometry].triangles.len();
                if triangles == 0 {
                    [INVALID_ID; 2]
                } else {
                    [geometry as u32, random.below(triangles) as u32]
                }
            })
            .collect();
        Self {
            geometry_masks: vec![0b001, 0b111, 0b110, 0b010, 0b100],
            masks: (0..RAYS)
                .map(|_| random.pick(&[0b001, 0b010, 0b011, 0b101, 0b111, 0, u32::MAX]))
                .collect(),
            culling: (0..RAYS)
                .map(|_| random.pick(&[Culling::None, Culling::Back, Culling::Front]))
                .collect(),
            skips: [0, 1].map(|place| skips.iter().map(|skip| skip[place]).collect()),
            limits: (0..RAYS).map(|_| random.pick(&[0, 1, 2, 3, 5, 100, 5_000])).collect(),
        }
    }

    /// Whether the hit of a ray counts as far as masks and skips go.
    fn counts(&self, ray: usize, hit: &Hit) -> bool {
        self.geometry_masks[hit.geometry_id as usize] & self.masks[ray] != 0
            && [hit.geometry_id, hit.primitive_id] != [self.skips[0][ray], self.skips[1][ray]]
    }
}

/// The hits of each ray that the scan finds from the sides that count, none left out.
fn scanned(scene: &Scene, rays: &[Ray], culling: Culling, contact: Contact) -> Vec<(Status, Vec<Hit>)> {
    let hits = scene.cast(rays).culling(culling).contact(contact).brute_force().all().expect("not stopped");
    (0..rays.len()).map(|ray| (hits.status()[ray], hits.of_ray(ray).to_vec())).collect()
}

/// What says which hits count.
type Accepts<'a> = &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync);

/// All answers about one ray.
#[derive(Debug, PartialEq)]
struct Answer {
    closest: Option<Hit>,
    any: bool,
    count: u32,
    all: Vec<Hit>,
    nearest: Vec<Hit>,
    defect: Option<Status>,
}

/// What the queries should answer, from the hits that count: those touched, and those crossed.
fn expected(touched: &(Status, Vec<Hit>), counted: &[Hit], limit: u32) -> Answer {
    Answer {
        closest: touched.1.first().copied(),
        any: !touched.1.is_empty(),
        count: counted.len() as u32,
        all: counted.to_vec(),
        nearest: counted.iter().take(limit as usize).copied().collect(),
        defect: touched.0.is_invalid().then_some(touched.0),
    }
}

fn ask(scene: &Scene, rays: &[Ray], limits: PerRow<'_, u32>, options: &CastOptions<'_>) -> Vec<Answer> {
    let cast = scene.cast(rays).with(options);
    let (closest, any) = (cast.closest().expect("closest"), cast.any().expect("any"));
    let (count, all) = (cast.count().expect("count"), cast.all().expect("all"));
    let nearest = cast.nearest(limits).expect("nearest");
    assert_eq!(nearest.status(), all.status(), "whether there is anything does not depend on the limit");
    let answer = |ray| Answer {
        closest: closest.hit(ray),
        any: any.status()[ray].is_hit(),
        count: count.count()[ray],
        all: all.of_ray(ray).to_vec(),
        nearest: nearest.of_ray(ray).to_vec(),
        defect: Some(closest.status()[ray]).filter(|status| status.is_invalid()),
    };
    (0..rays.len()).map(answer).collect()
}

fn assert_same(found: &[Answer], expected: &[Answer], rays: &[Ray], how: &str) {
    assert_eq!(found.len(), expected.len(), "{how}");
    for (place, ((found, expected), ray)) in found.iter().zip(expected).zip(rays).enumerate() {
        assert!(found == expected, "{how}, ray {place}\n{ray:?}\n   found {found:?}\nexpected {expected:?}");
    }
}

/// Every way in which a batch may go.
fn ways(two: &Threads) -> Vec<CastOptions<'_>> {
    let one = CastOptions::new().threads(&Threads::ONE);
    vec![
        CastOptions::new().threads(two),
        one.clone().coherence(Coherence::Coherent),
        one.clone().coherence(Coherence::Incoherent),
        one.way(Way::InFlight),
    ]
}

#[test]
fn what_the_columns_leave_out_is_not_met_and_all_else_is() {
    let meshes = geometries();
    let mut random = Random::new(2);
    let (rays, left) = (rays_at(&meshes, &mut random), Left::drawn(&meshes, &mut random));
    let mut scene = scene_of(&meshes);
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    let limits = PerRow::from(&left.limits);
    let mut left_out = 0;
    for contact in [Contact::Crossing, Contact::Touch] {
        let found = |contact| {
            [Culling::None, Culling::Back, Culling::Front]
                .map(|culling| scanned(&scene, &rays, culling, contact))
        };
        let (touched, counted) = (found(Contact::Touch), found(contact));
        let of_ray = |found: &[Vec<(Status, Vec<Hit>)>; 3], ray: usize| {
            let (status, hits) = &found[left.culling[ray] as usize][ray];
            (*status, hits.iter().filter(|hit| left.counts(ray, hit)).copied().collect::<Vec<_>>())
        };
        let expected: Vec<_> = (0..rays.len())
            .map(|ray| expected(&of_ray(&touched, ray), &of_ray(&counted, ray).1, left.limits[ray]))
            .collect();
        left_out +=
            (0..rays.len()).filter(|&ray| of_ray(&counted, ray).1.len() < counted[0][ray].1.len()).count();
        for (geometry_id, &mask) in (0..).zip(&left.geometry_masks) {
            scene.set_mask(geometry_id, mask).expect("a geometry");
        }
        for backend in every_backend() {
            for way in ways(&two).into_iter().chain([CastOptions::new().brute_force()]) {
                let options = way.backend(backend).contact(contact).mask(&left.masks).culling(&left.culling);
                let options = options.skip(&left.skips[0], &left.skips[1]);
                let how = format!("{options:?}");
                assert_same(&ask(&scene, &rays, limits, &options), &expected, &rays, &how);
            }
        }
        for geometry_id in 0..meshes.len() as u32 {
            scene.set_mask(geometry_id, u32::MAX).expect("a geometry");
        }
    }
    assert!(left_out > RAYS / 2, "only {left_out} rays leave something out");
}

#[test]
fn what_a_filter_refuses_is_not_met_and_all_else_is() {
    let meshes = geometries();
    let mut random = Random::new(3);
    let rays = rays_at(&meshes, &mut random);
    let scene = scene_of(&meshes);
    let accepts: Accepts<'_> = &|ray: usize, hit: &Hit, side: Side| {
        (hit.u + hit.v < 0.7) != ray.is_multiple_of(3)
            && (side == Side::Front || hit.primitive_id.is_multiple_of(2))
    };
    let filtered = |contact| -> Vec<(Status, Vec<Hit>)> {
        let [front, back] =
            [Culling::Back, Culling::Front].map(|culling| scanned(&scene, &rays, culling, contact));
        let both = scanned(&scene, &rays, Culling::None, contact);
        let side_of = |ray: usize, hit: &Hit| {
            let is_of = |hits: &[(Status, Vec<Hit>)]| hits[ray].1.contains(hit);
            assert!(is_of(&front) != is_of(&back), "a hit is from one side: {hit:?}");
            if is_of(&front) { Side::Front } else { Side::Back }
        };
        let accepted = |ray: usize, hits: &[Hit]| {
            hits.iter().filter(|hit| accepts(ray, hit, side_of(ray, hit))).copied().collect()
        };
        both.iter().enumerate().map(|(ray, (status, hits))| (*status, accepted(ray, hits))).collect()
    };
    let (touched, crossed) = (filtered(Contact::Touch), filtered(Contact::Crossing));
    let expected: Vec<_> =
        touched.iter().zip(&crossed).map(|(touched, crossed)| expected(touched, &crossed.1, 2)).collect();
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    for backend in every_backend() {
        for way in ways(&two).into_iter().chain([CastOptions::new().brute_force()]) {
            let options = way.backend(backend).filter(accepts);
            let how = format!("{options:?}");
            assert_same(&ask(&scene, &rays, PerRow::Same(2), &options), &expected, &rays, &how);
        }
        // The ray of a single call has the number 0.
        let accepts_one: Accepts<'_> = &|ray, hit, side| {
            assert_eq!(ray, 0);
            accepts(1, hit, side)
        };
        for (ray, expected) in rays.iter().zip(&expected).skip(1).step_by(3) {
            let single = scene.cast(ray).backend(backend).filter(accepts_one);
            if let Some(status) = expected.defect {
                assert_eq!(single.nearest(2), Err(Error::InvalidRay { status }));
                continue;
            }
            assert_eq!(single.closest(), Ok(expected.closest), "{backend}, {ray:?}");
            assert_eq!(single.any(), Ok(expected.any), "{backend}, {ray:?}");
            assert_eq!(single.count(), Ok(expected.count), "{backend}, {ray:?}");
            assert_eq!(single.all().as_ref(), Ok(&expected.all), "{backend}, {ray:?}");
            assert_eq!(single.nearest(2).as_ref(), Ok(&expected.nearest), "{backend}, {ray:?}");
        }
    }
}

#[test]
fn the_nearest_hits_are_the_first_of_all() {
    let meshes = geometries();
    let rays = rays_at(&meshes, &mut Random::new(4));
    let scene = scene_of(&meshes);
    let all = scanned(&scene, &rays, Culling::None, Contact::Crossing);
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    for backend in every_backend() {
        for limit in [0, 1, 2, 7, 1_024, 1_025, u32::MAX] {
            for way in ways(&two) {
                let cast = scene.cast(&rays).with(&way).backend(backend);
                let nearest = cast.nearest(limit).expect("not stopped");
                for (ray, (status, all)) in all.iter().enumerate() {
                    let expected = &all[..all.len().min(limit as usize)];
                    let how = format!("{backend}, {limit}, {way:?}, {:?}", rays[ray]);
                    assert_eq!((nearest.status()[ray], nearest.of_ray(ray)), (*status, expected), "{how}");
                }
            }
            for (ray, (status, all)) in rays.iter().zip(&all).take(200) {
                let expected = if status.is_invalid() {
                    Err(Error::InvalidRay { status: *status })
                } else {
                    Ok(all.iter().take(limit as usize).copied().collect())
                };
                let nearest = scene.cast(ray).backend(backend).nearest(limit);
                assert_eq!(nearest, expected, "{backend}, {limit}, {ray:?}");
            }
        }
    }
}

#[test]
fn rays_that_start_on_a_sphere_skip_where_they_start() {
    let mesh = meshes::icosphere(4, 1.0);
    let scene = scene_of(std::slice::from_ref(&mesh));
    let mut random = Random::new(5);
    let from_outside = |random: &mut Random| {
        let origin = random.direction().map(|x| 5.0 * x / x.abs().max(0.1));
        let target = random.point(-0.4, 0.4);
        Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]))
    };
    let rays: Vec<_> = (0..RAYS).map(|_| from_outside(&mut random)).collect();
    let hits = scene.cast(&rays).closest().expect("not stopped");
    // On from where they met it, the same way: through the sphere to its other side.
    let onward: Vec<_> = rays
        .iter()
        .zip(hits.t())
        .map(|(ray, t)| Ray {
            origin: std::array::from_fn(|axis| ray.origin[axis] + t * ray.direction[axis]),
            ..*ray
        })
        .collect();
    let second = scene.cast(&onward).skip(hits.geometry_id(), hits.primitive_id()).closest();
    let second = second.expect("not stopped");
    for ((first, second), ray) in hits.primitive_id().iter().zip(second.primitive_id()).zip(&onward) {
        assert_ne!(first, second, "{ray:?}");
    }
    let through = second.status().iter().filter(|status| status.is_hit()).count();
    assert!(through > RAYS * 9 / 10, "only {through} of {RAYS} go through");
}

/// Rays of a picture are taken in tiles, and many in all make chunks.
#[test]
fn columns_belong_to_their_rays_in_tiles_and_in_every_chunk() {
    let meshes = geometries();
    let mut scene = scene_of(&meshes);
    for (geometry_id, mask) in [(0, 1), (2, 2), (3, 4), (4, 8)] {
        scene.set_mask(geometry_id, mask).expect("a geometry");
    }
    let eye = [0.2, 0.3, 4.0];
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    for [width, height] in [[64, 40], [37, 50], [200, 150]] {
        let ray = |place: usize| {
            let [x, y] = [(place % width, width), (place / width, height)]
                .map(|(step, steps)| step as f32 / steps as f32 - 0.5);
            Ray::new(eye, [x, y, -1.0])
        };
        let rays: Vec<Ray> = (0..width * height).map(ray).collect();
        let mut random = Random::new(6);
        let masks: Vec<u32> = rays.iter().map(|_| random.below(16) as u32).collect();
        let one = CastOptions::new().threads(&Threads::ONE);
        let expected = scene.cast(&rays).with(&one).mask(&masks).brute_force().closest();
        let expected = expected.expect("not stopped");
        assert!(expected.status().iter().any(|status| status.is_hit()), "nothing is met");
        for backend in every_backend() {
            let seen: Accepts<'_> =
                &|ray, hit, _| hit.geometry_id > 2 || masks[ray] >> hit.geometry_id & 1 == 1;
            let filtered = scene.cast(&rays).backend(backend).mask(&masks).filter(seen).brute_force();
            let known = filtered.threads(&two).any().expect("not stopped");
            for options in ways(&two).into_iter().chain([one.clone()]) {
                let cast = scene.cast(&rays).with(&options).mask(&masks).backend(backend);
                let hits = cast.closest().expect("not stopped");
                assert!(hits == expected, "{width} x {height}, {backend}, {options:?}");
                let found = cast.filter(seen).any().expect("not stopped");
                assert!(found == known, "{width} x {height}, {backend}, {options:?}");
            }
        }
    }
}

#[test]
fn a_hidden_geometry_is_met_by_no_ray() {
    let meshes = geometries();
    let mut scene = scene_of(&meshes);
    let ray = Ray::new([0.05, 0.1, 5.0], [0.0, 0.0, -1.0]);
    let shown = scene.cast(&ray).all().expect("a sound ray");
    assert!(shown.iter().any(|hit| hit.geometry_id == 4) && shown.iter().any(|hit| hit.geometry_id == 2));
    scene.set_mask(4, 0).expect("a geometry");
    assert_eq!((scene.mask(4), scene.mask(2)), (Ok(0), Ok(u32::MAX)));
    let expected: Vec<_> = shown.into_iter().filter(|hit| hit.geometry_id != 4).collect();
    assert_eq!(scene.cast(&ray).all().as_ref(), Ok(&expected));
    assert_eq!(scene.cast(&ray).closest(), Ok(expected.first().copied()));
    let hits = scene.cast(&[ray]).all().expect("not stopped");
    assert_eq!(hits.of_ray(0), expected);
    let unknown = Err(Error::UnknownGeometry { geometry_id: 5, geometries: 5 });
    assert_eq!((scene.mask(5).map(|_| ()), scene.set_mask(5, 1)), (unknown.clone(), unknown));
}

#[test]
fn columns_of_another_length_are_named() {
    let scene = scene_of(&geometries());
    let rays = [Ray::new([0.0; 3], [1.0, 0.0, 0.0]); 3];
    let (short, culling) = ([7; 2], [Culling::None; 4]);
    let refused = |options: CastOptions<'_>, column, found| {
        let expected = Error::ColumnLength { column, found, expected: 3 };
        let cast = scene.cast(&rays).with(&options);
        assert_eq!(cast.closest().as_ref(), Err(&expected));
        assert_eq!(cast.any().as_ref(), Err(&expected));
        assert_eq!(cast.count().as_ref(), Err(&expected));
        assert_eq!(cast.all().as_ref(), Err(&expected));
        assert_eq!(cast.nearest(1).as_ref(), Err(&expected));
    };
    refused(CastOptions::new().mask(&short), "masks", 2);
    refused(CastOptions::new().culling(&culling), "culling", 4);
    refused(CastOptions::new().skip(&short, &[0; 3]), "geometry ids to skip", 2);
    refused(CastOptions::new().skip(&[0; 3], &short), "primitive ids to skip", 2);
    let error = scene.cast(&rays).nearest(&short);
    assert_eq!(error, Err(Error::ColumnLength { column: "limits", found: 2, expected: 3 }));
}

/// Tiles at the edge of a picture are small, and where the last of them begins there is still room for a whole one, also on
/// a thread whose memory no larger cast has made room in before.
#[test]
fn pictures_of_odd_size_are_cast_by_threads_that_have_cast_nothing() {
    let scene = scene_of(&geometries());
    for [width, height] in [[37, 50], [9, 57], [65, 9]] {
        let ray = |place: usize| {
            let [x, y] = [(place % width, width), (place / width, height)]
                .map(|(step, steps)| step as f32 / steps as f32 - 0.5);
            Ray::new([0.2, 0.3, 4.0], [x, y, -1.0])
        };
        let rays: Vec<Ray> = (0..width * height).map(ray).collect();
        let cast = scene.cast(&rays).threads(&Threads::ONE).coherence(Coherence::Incoherent);
        let found = std::thread::scope(|scope| {
            scope.spawn(|| cast.closest().expect("not stopped")).join().expect("no panic")
        });
        let expected = cast.brute_force().closest().expect("not stopped");
        assert!(found == expected, "{width} x {height}");
        assert!(expected.status().iter().any(|status| status.is_hit()), "nothing is met");
    }
}
