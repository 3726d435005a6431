//! What rays leave out: masks, and the triangle that they start on. `worlds` holds all of it at
//! random, `requests` that columns of another length are refused.

use crate::common::scale::scaled;
use lanecast::{Coherence, Error, Ray, Scene, SceneBuilder, Threads};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

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
    let rays: Vec<_> = (0..scaled(1_000)).map(|_| from_outside(&mut random)).collect();
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
    for ((first, second), ray) in hits.primitive_id().iter().zip(second.primitive_id()).zip(&onward)
    {
        assert_ne!(first, second, "{ray:?}");
    }
    let through = second.status().iter().filter(|status| status.is_hit()).count();
    assert!(10 * through > 9 * rays.len(), "only {through} of {} go through", rays.len());
}

#[test]
fn a_hidden_geometry_is_met_by_no_ray() {
    let meshes = geometries();
    let mut scene = scene_of(&meshes);
    let ray = Ray::new([0.05, 0.1, 5.0], [0.0, 0.0, -1.0]);
    let shown = scene.cast(&ray).all().expect("a sound ray");
    assert!(
        shown.iter().any(|hit| hit.geometry_id == 4)
            && shown.iter().any(|hit| hit.geometry_id == 2)
    );
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

/// Tiles at the edge of a picture are small, and where the last of them begins there is still room
/// for a whole one, also on a thread whose memory no larger cast has made room in before.
#[test]
fn fresh_threads_cast_pictures_of_odd_size() {
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
