//! Scenes whose vertices move and whose meshes come and go answer as scenes built anew, bit for
//! bit.

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use lanecast::primitive::Sphere;
use lanecast::{
    Aabb, Affine, BuildQuality, CastOptions, Error, Geometry, Precision, Ray, RayBatch, Scene,
    SceneBuilder, Threads,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use std::sync::Arc;

const RAYS: usize = 500;

fn geometries(random: &mut Random) -> Vec<Mesh> {
    vec![
        meshes::terrain(20, random),
        Mesh::default(),
        meshes::icosphere(3, 0.5),
        meshes::soup(300, random),
        meshes::icosphere(0, 0.2),
    ]
}

/// With spheres between the meshes, and the whole placed beside itself.
fn scene_of(meshes: &[Mesh]) -> Scene {
    scene_at::<f32>(meshes, 0.0)
}

/// The vertices in another precision, moved along all axes.
fn moved<T: Precision>(vertices: &[[f32; 3]], by: f32) -> Vec<[T; 3]> {
    vertices.iter().map(|vertex| vertex.map(|x| T::of(x) + T::of(by))).collect()
}

/// The same in either precision, with its meshes moved along all axes.
fn scene_at<T: Precision>(meshes: &[Mesh], by: f32) -> Scene<T> {
    let vertices: Vec<Vec<[T; 3]>> = meshes.iter().map(|mesh| moved(&mesh.vertices, by)).collect();
    let mut builder = SceneBuilder::<T>::default();
    for (place, (mesh, vertices)) in meshes.iter().zip(&vertices).enumerate() {
        let mesh = Geometry::deformable_mesh(vertices, &mesh.triangles);
        builder = builder.geometry(mesh).expect("a sound mesh");
        if place == 2 {
            let spheres = [(0.5, 0.3), (-0.5, 0.2)]
                .map(|(at, radius)| Sphere::new([T::of(at) + T::of(by); 3], T::of(radius)));
            builder = builder.spheres(&spheres).unwrap();
        }
    }
    let ball = meshes::icosphere(1, 0.3);
    let vertices = moved(&ball.vertices, 0.0);
    let ball = SceneBuilder::<T>::default().triangle_mesh(&vertices, &ball.triangles).unwrap();
    let by = f64::from(by);
    let map = Affine::translation([by, by + 1.5, by]);
    builder.instance(&Arc::new(ball.build().unwrap()), map).build().expect("a scene")
}

/// A scene of a mesh whose vertices may move.
fn deformable(mesh: &Mesh) -> Scene {
    let mesh = Geometry::deformable_mesh(&mesh.vertices, &mesh.triangles);
    SceneBuilder::new().geometry(mesh).and_then(SceneBuilder::build).expect("a scene")
}

/// The geometry id of a mesh.
fn id(place: usize) -> u32 {
    if place > 2 { place as u32 + 1 } else { place as u32 }
}

fn rays(random: &mut Random) -> Vec<Ray> {
    (0..RAYS)
        .map(|_| {
            let far = random.pick(&[1.0, 3.0, 1e3]);
            let (from, to) = (random.point(-far, far), random.point(-1.0, 1.0));
            Ray::new(from, std::array::from_fn(|axis| to[axis] - from[axis]))
        })
        .collect()
}

fn assert_same_answers<T: Precision>(
    what: &str,
    found: &Scene<T>,
    expected: &Scene<T>,
    rays: &[Ray<T>],
) {
    let rays = &RayBatch::from_rays(rays);
    assert_eq!(found.validate(), Ok(()), "{what}");
    assert_eq!(found.bounds(), expected.bounds(), "{what}");
    assert_eq!(found.triangle_count(), expected.triangle_count(), "{what}");
    let with_normals = CastOptions::new().geometric_normals(true);
    let expected = expected.cast(rays).with(&with_normals);
    let (expected_closest, expected_all) = (expected.closest().unwrap(), expected.all().unwrap());
    for backend in every_backend() {
        let found = found.cast(rays).with(&with_normals).backend(backend);
        assert!(found.closest().unwrap() == expected_closest, "{what}, {backend}");
        let all = found.all().unwrap();
        let scan = found.clone().brute_force().all().unwrap();
        assert!(all == expected_all && all == scan, "{what}, {backend}");
        assert!(all.hits().len() > RAYS / 4, "{what}: {} hits", all.hits().len());
    }
}

/// Moves vertices by up to so much, and now and then the whole mesh far away.
fn move_about(mesh: &mut Mesh, by: f32, random: &mut Random) {
    let offset = random.pick(&[[0.0; 3], [0.3, -0.2, 0.1]]);
    for vertex in &mut mesh.vertices {
        let jump = random.point(-by, by);
        for axis in 0..3 {
            vertex[axis] += jump[axis] + offset[axis];
        }
    }
}

#[test]
fn a_refitted_scene_answers_as_one_built_anew() {
    refit_and_rebuild::<f32>(0.0);
}

#[test]
fn a_refitted_scene_of_f64_answers_as_one_built_anew() {
    refit_and_rebuild::<f64>(0.0);
    refit_and_rebuild::<f64>(6.4e6);
}

fn refit_and_rebuild<T: Precision>(at: f32) {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let mut meshes = geometries(&mut random);
        let mut scene = scene_at::<T>(&meshes, at);
        let rays: Vec<Ray<T>> = rays(&mut random)
            .iter()
            .map(|ray| Ray::new(moved(&[ray.origin], at)[0], ray.direction.map(T::of)))
            .collect();
        // What is found out of the old places must be forgotten.
        scene.cast(&rays[0]).closest().unwrap();
        scene.triangle(0, 0).unwrap();
        for by in [0.01, 0.5, 0.0] {
            let moved: &[usize] = random.pick(&[&[0, 2], &[3], &[0, 1, 2, 3, 4]]);
            for &place in moved {
                move_about(&mut meshes[place], by, &mut random);
            }
            let vertices: Vec<Vec<[T; 3]>> =
                meshes.iter().map(|mesh| self::moved(&mesh.vertices, at)).collect();
            let given: Vec<_> =
                moved.iter().map(|&place| (id(place), &vertices[place][..])).collect();
            let threads = if seed % 2 == 0 { Threads::ALL } else { Threads::ONE };
            scene.change().threads(&threads).refit(&given).unwrap();
            assert_same_answers(&format!("{seed}, {by}"), &scene, &scene_at(&meshes, at), &rays);
            let corners: Vec<[T; 3]> = self::moved(&meshes[4].corners(7), at);
            assert_eq!(scene.triangle(id(4), 7).unwrap()[..], corners);
        }
        let worn = scene.statistics();
        for quality in [BuildQuality::Fast, BuildQuality::High] {
            scene.change().quality(quality).rebuild().unwrap();
            assert_same_answers("rebuilt", &scene, &scene_at(&meshes, at), &rays);
            let rebuilt = scene.statistics();
            assert_eq!(rebuilt.sah_cost, rebuilt.sah_cost_as_built);
        }
        let rebuilt = scene.statistics();
        assert!(rebuilt.sah_cost < worn.sah_cost, "{} and {}", rebuilt.sah_cost, worn.sah_cost);
    }
}

#[test]
fn statistics_say_when_a_refitted_tree_has_gone_bad() {
    let mut random = Random::new(1);
    let mut mesh = meshes::terrain(40, &mut random);
    let mut scene = deformable(&mesh);
    let built = scene.statistics();
    assert_eq!(built.sah_cost, built.sah_cost_as_built);
    let ratio = |scene: &Scene| scene.statistics().sah_cost / scene.statistics().sah_cost_as_built;
    let mut refit = |mesh: &Mesh| {
        scene.change().threads(&Threads::ONE).refit(&[(0, &mesh.vertices)]).unwrap();
        assert_eq!(
            scene.statistics().sah_cost_as_built,
            built.sah_cost,
            "it does not wear with the tree"
        );
        ratio(&scene)
    };
    mesh = mesh.moved([5.0, 0.0, 0.0]);
    let moved = refit(&mesh);
    assert!((moved - 1.0).abs() < 1e-3, "moved as a whole it is as good as before: {moved}");
    // Neighbours part for good.
    random.shuffle(&mut mesh.vertices);
    let scattered = refit(&mesh);
    assert!(scattered > 3.0, "{scattered}");
}

#[test]
fn replaced_and_removed_meshes_leave_the_others_their_ids() {
    let mut random = Random::new(7);
    let mut meshes = geometries(&mut random);
    let mut scene = scene_of(&meshes);
    scene.set_mask(id(3), 0b10).unwrap();
    let rays = rays(&mut random);
    let others = [meshes::icosphere(2, 0.8), meshes::soup(50, &mut random), Mesh::default()];
    for (place, other) in [2, 1, 3].into_iter().zip(others) {
        let mesh = Geometry::triangle_mesh(&other.vertices, &other.triangles);
        scene.change().replace(&[(id(place), mesh)]).unwrap();
        meshes[place] = other;
        assert_same_answers(&format!("{place} replaced"), &scene, &scene_of(&meshes), &rays);
        assert_eq!(scene.mask(id(3)), Ok(0b10), "masks stay");
    }
}

/// Primitives of one kind: of any, as many as are drawn.
#[derive(Debug, Clone)]
enum Kind {
    Mesh(Mesh),
    Boxes(Vec<Aabb>),
    Spheres(Vec<Sphere>),
    Own(Arc<Vec<Sphere>>),
}

impl Kind {
    fn drawn(random: &mut Random) -> Self {
        let count = random.pick(&[0, 1, 40, 40]);
        let spheres: Vec<Sphere> = (0..count)
            .map(|_| Sphere::new(random.point(-1.0, 1.0), random.between(0.0, 0.3)))
            .collect();
        match random.below(4) {
            0 => Self::Mesh(meshes::soup(5 * count, random)),
            1 => Self::Boxes(
                spheres
                    .iter()
                    .map(|ball| Aabb::around([ball.center, random.point(-1.0, 1.0)]))
                    .collect(),
            ),
            2 => Self::Spheres(spheres),
            _ => Self::Own(Arc::new(spheres)),
        }
    }

    fn geometry(&self) -> Geometry<'_> {
        match self {
            Self::Mesh(mesh) => Geometry::triangle_mesh(&mesh.vertices, &mesh.triangles),
            Self::Boxes(boxes) => Geometry::boxes(boxes),
            Self::Spheres(spheres) => Geometry::spheres(spheres),
            Self::Own(own) => Geometry::primitives(Arc::<Vec<Sphere>>::clone(own)),
        }
    }
}

#[test]
fn anything_takes_the_place_of_anything() {
    for seed in 0..scaled(4) as u64 {
        let mut random = Random::new(seed);
        let mut kinds: Vec<Kind> = (0..6).map(|_| Kind::drawn(&mut random)).collect();
        // For rays to meet something whatever is drawn.
        kinds.push(Kind::Mesh(meshes::terrain(20, &mut random)));
        let scene_of = |kinds: &[Kind]| {
            let mut builder = SceneBuilder::new();
            for kind in kinds {
                builder = builder.geometry(kind.geometry()).expect("sound");
            }
            builder.build().expect("a scene")
        };
        let mut scene = scene_of(&kinds);
        let rays = rays(&mut random);
        for step in 0..8 {
            let place = random.below(6);
            kinds[place] = Kind::drawn(&mut random);
            let threads = if step % 2 == 0 { Threads::ALL } else { Threads::ONE };
            scene
                .change()
                .threads(&threads)
                .replace(&[(place as u32, kinds[place].geometry())])
                .unwrap();
            let anew = scene_of(&kinds);
            assert_same_answers(&format!("{seed}, {step}: {place}"), &scene, &anew, &rays);
            assert_eq!(scene.statistics(), anew.statistics());
            assert_eq!(scene.statistics_of_others(), anew.statistics_of_others());
            let others: usize = kinds[..6]
                .iter()
                .map(|kind| {
                    if matches!(kind, Kind::Mesh(_)) {
                        0
                    } else {
                        kind.geometry().primitive_count()
                    }
                })
                .sum();
            assert!(scene.statistics_of_others().primitives <= others);
        }
    }
}

#[test]
fn what_cannot_change_says_why_and_stays() {
    let mut random = Random::new(2);
    let meshes = geometries(&mut random);
    let mut scene = scene_of(&meshes);
    let rays = rays(&mut random);
    let one = Threads::ONE;
    let ball = &meshes[2];
    let mut bad = ball.clone();
    bad.vertices[3][1] = f32::NAN;
    let mut astray = ball.clone();
    astray.triangles[5][2] = 100_000;
    let quality = BuildQuality::Balanced;
    assert!(matches!(
        scene.change().threads(&one).refit(&[(2, &ball.vertices[1..])]),
        Err(Error::VertexOutOfRange { geometry_id: 2, vertices, .. }) if vertices == ball.vertices.len() - 1
    ));
    let unknown = |geometry_id| Err(Error::UnknownGeometry { geometry_id, geometries: 6 });
    assert_eq!(scene.change().threads(&one).refit(&[(6, &[])]), unknown(6));
    assert_eq!(
        scene.change().threads(&one).refit(&[(3, &[])]),
        Err(Error::NotDeformable { geometry_id: 3 }),
        "spheres"
    );
    assert_eq!(
        scene
            .change()
            .threads(&one)
            .quality(quality)
            .replace(&[(6, Geometry::triangle_mesh(&[], &[]))]),
        unknown(6)
    );
    let moved = meshes[0].clone().moved([1.0, 0.0, 0.0]);
    let given = [(0, &moved.vertices[..]), (2, &bad.vertices)];
    assert!(matches!(
        scene.change().threads(&one).refit(&given),
        Err(Error::UnusableVertex { geometry_id: 2, vertex: 3, .. })
    ));
    assert!(matches!(
        scene
            .change()
            .threads(&one)
            .quality(quality)
            .replace(&[(2, Geometry::triangle_mesh(&astray.vertices, &astray.triangles))]),
        Err(Error::VertexOutOfRange { geometry_id: 2, primitive_id: 5, vertex: 100_000, .. })
    ));
    let endless =
        Geometry::spheres(&[Sphere::new([0.0; 3], 1.0), Sphere::new([0.0; 3], f32::INFINITY)]);
    assert!(matches!(
        scene.change().threads(&one).quality(quality).replace(&[(3, endless)]),
        Err(Error::UnusableBounds { geometry_id: 3, primitive_id: 1, .. })
    ));
    assert_same_answers("nothing has changed", &scene, &scene_of(&meshes), &rays);
}

/// What questions have cached of a scene before it changes: the leaf of each triangle, and whether
/// surfaces are closed.
#[test]
fn what_was_found_out_before_a_change_is_forgotten() {
    let (threads, quality, middle) = (&Threads::ONE, BuildQuality::Balanced, [0.0; 3]);
    // Each triangle has vertices of its own, so that one can leave its neighbours.
    let ball = meshes::icosphere(2, 0.5);
    let corners: Vec<_> = (0..ball.triangles.len()).map(|id| ball.corners(id)).collect();
    let closed = Mesh::of_triangles(&corners);
    let mut open = closed.clone();
    open.vertices[0] = [0.0, 0.0, 3.0];
    let mut scene = deformable(&closed);
    let all_are = |scene: &Scene, mesh: &Mesh| {
        (0..mesh.triangles.len()).all(|id| scene.triangle(0, id as u32) == Ok(mesh.corners(id)))
    };
    assert!(scene.point(middle).contains() == Ok(true) && all_are(&scene, &closed));
    scene.change().threads(threads).refit(&[(0, &open.vertices)]).unwrap();
    assert!(
        scene.open_edge().is_some()
            && scene.point(middle).contains().is_err()
            && all_are(&scene, &open)
    );
    // Another tree, with the triangles in other leaves.
    scene.change().threads(threads).quality(quality).rebuild().unwrap();
    assert!(scene.open_edge().is_some() && all_are(&scene, &open));
    let soup = meshes::soup(90, &mut Random::new(11));
    scene
        .change()
        .threads(threads)
        .quality(quality)
        .replace(&[(0, Geometry::triangle_mesh(&soup.vertices, &soup.triangles))])
        .unwrap();
    assert!(all_are(&scene, &soup) && scene.triangle(0, soup.triangles.len() as u32).is_err());
    scene
        .change()
        .threads(threads)
        .quality(quality)
        .replace(&[(0, Geometry::triangle_mesh(&closed.vertices, &closed.triangles))])
        .unwrap();
    assert!(scene.point(middle).contains() == Ok(true) && all_are(&scene, &closed));
    scene
        .change()
        .threads(threads)
        .quality(quality)
        .replace(&[(0, Geometry::spheres(&[Sphere::new(middle, 1.0)]))])
        .unwrap();
    assert!(scene.point(middle).contains() == Ok(true) && scene.triangle(0, 0).is_err());
}
