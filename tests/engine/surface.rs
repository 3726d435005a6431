//! Points and normals of batches of hits: those of the cast and of single hits, whatever holds the
//! hit.

use crate::common::scale::scaled;
use lanecast::answers::{SurfaceBatch, SurfaceColumns};
use lanecast::scene::VertexNormals;
use lanecast::{
    Affine, CastOptions, Error, HitBatch, Precision, Ray, RayBatch, Scene, SceneBuilder, Threads,
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Drawn, RandomWorld};
use lanecast_reference::vector::{Numbers, Vector};
use lanecast_reference::world_rays::target;
use std::sync::Arc;

const RAYS: usize = 300;

fn rays_at<T: Numbers>(world: &RandomWorld<T>, around: Vector, random: &mut Random) -> Vec<Ray<T>> {
    let mut ray = || {
        let (from, at) = (random.point(-6.0, 6.0), target(world, random));
        let from = [0, 1, 2].map(|axis| T::nearest(around[axis] + f64::from(from[axis])));
        Ray::new(from, [0, 1, 2].map(|axis| at[axis] - from[axis]))
    };
    let mut rays: Vec<_> = (0..RAYS).map(|_| ray()).collect();
    (rays[7].direction, rays[8].origin) = ([T::ZERO; 3], [T::of(50.0); 3]);
    rays
}

fn bits<T: Precision>(vectors: &[[T; 3]]) -> Vec<[u64; 3]> {
    vectors.iter().map(|vector| vector.map(|x| x.to_f64().to_bits())).collect()
}

fn unit<T: Numbers>(v: [T; 3]) -> [T; 3] {
    let v = v.map(T::to_f64);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| T::nearest(x / length))
}

/// The vectors in another precision.
fn of<T: Numbers>(vectors: &[[f32; 3]]) -> Vec<[T; 3]> {
    vectors.iter().map(|vector| vector.map(T::of)).collect()
}

#[test]
fn points_and_normals_of_a_batch_match_casts_and_single_hits() {
    locate_in_worlds::<f32>();
    locate_in_worlds::<f64>();
}

fn locate_in_worlds<T: Numbers>() {
    let (mut placed, mut of_shapes) = (0, 0);
    for seed in 0..scaled(16) as u64 {
        let random = &mut Random::new(700 + seed);
        let (world, around) = RandomWorld::<T>::of_survey(Drawn::ForRays, seed, random);
        let rays = rays_at(&world, around, random);
        let hits = world.scene.cast(&rays).geometric_normals(true).closest().expect("sound");
        let surface = world.scene.surface(&rays, &hits).locate().expect("its own hits");
        assert_eq!(surface.status(), hits.status());
        assert_eq!(bits(surface.geometric_normal()), bits(hits.geometric_normal()), "world {seed}");
        assert!(surface.shading_normal().is_empty());
        for (row, ray) in rays.iter().enumerate() {
            let Some(hit) = hits.hit(row) else {
                let nothing = [T::ZERO; 3];
                assert_eq!(
                    (surface.point()[row], surface.geometric_normal()[row]),
                    (nothing, nothing)
                );
                continue;
            };
            let located = world.scene.locate(ray, &hit).expect("a hit").world_point.map(T::nearest);
            assert_eq!(surface.point()[row], located, "world {seed}, {hit:?}");
            placed += usize::from(hit.instance().is_some());
            let path = world.scene.instance_path(hit.instance_id).expect("an id");
            let inner = path.iter().fold(Arc::clone(&world.scene), |scene, &number| {
                Arc::clone(scene.instance_scene(number).expect("an instance"))
            });
            of_shapes += usize::from(inner.triangle(hit.geometry_id, hit.primitive_id).is_err());
        }

        let scaled =
            world.scene.surface(&rays, &hits).unit_normals(true).locate().expect("its own hits");
        for (row, &normal) in surface.geometric_normal().iter().enumerate() {
            let expected = if hits.status()[row].is_hit() { unit(normal) } else { [T::ZERO; 3] };
            assert_eq!(scaled.geometric_normal()[row], expected, "{normal:?}");
        }
        assert_eq!(scaled.point(), surface.point());

        // In pieces, on two threads, into columns of the caller, of rays that are made and of rows.
        let two = Threads::exactly(2).expect("two threads");
        let options = CastOptions::new().threads(&two).rays_in_chunk(7);
        let request = world.scene.surface(&rays, &hits).with(&options);
        let mut again = SurfaceBatch::new();
        request.locate_into(&mut again).expect("its own hits");
        assert_eq!(again, surface);
        let mut points = vec![[T::ONE; 3]; RAYS];
        let numbers: Vec<T> =
            rays.iter().flat_map(|ray| [ray.origin, ray.direction].concat()).collect();
        let rows = RayBatch::from_rows6(&numbers).expect("rows");
        world
            .scene
            .surface(rows, &hits)
            .locate_into(SurfaceColumns::new().point(&mut points))
            .expect("sound");
        assert_eq!(points, surface.point());
    }
    assert!(placed > 500 && of_shapes > 500, "{placed} and {of_shapes}");
}

#[test]
fn vertex_normals_are_interpolated_and_carried_by_maps() {
    interpolate::<f32>(1e-6);
    interpolate::<f64>(1e-14);
}

fn interpolate<T: Numbers>(room: f64) {
    let random = &mut Random::new(41);
    let mesh = meshes::icosphere(2, 1.0);
    let soup = meshes::soup(400, random);
    let [of_soup, of_mesh] = [&soup, &mesh].map(|mesh| of(&mesh.vertices));
    let ball = Arc::new(
        SceneBuilder::<T>::default()
            .triangle_mesh(&of_soup, &soup.triangles)
            .and_then(|builder| builder.triangle_mesh(&of_mesh, &mesh.triangles))
            .and_then(SceneBuilder::build)
            .expect("sound"),
    );
    let stretched = Affine::translation([4.0, 0.0, 0.0]) * Affine::scale_axes([1.0, 2.0, -0.5]);
    let scene = SceneBuilder::<T>::default()
        .triangle_mesh(&of_mesh, &mesh.triangles)
        .expect("sound")
        .instance(&ball, stretched)
        .build()
        .expect("sound");
    // A normal of the unit sphere is its point, here of another length each.
    let normals: Vec<[T; 3]> =
        mesh.vertices.iter().map(|v| v.map(|x| T::of(x * (2.0 + v[0])))).collect();
    let given = [
        VertexNormals::new(&ball, 1, &mesh.triangles, &normals).expect("as many"),
        VertexNormals::new(&scene, 0, &mesh.triangles, &normals).expect("as many"),
    ];
    let towards = |x: f32, random: &mut Random| {
        let (from, at) = (random.point(-3.0, 3.0), random.point(-0.5, 0.5));
        let direction: [f32; 3] = std::array::from_fn(|axis| at[axis] - from[axis]);
        Ray::new([from[0] + x, from[1], from[2]].map(T::of), direction.map(T::of))
    };
    let rays: Vec<Ray<T>> = (0..400).map(|place| towards([0.0, 4.0][place % 2], random)).collect();
    let hits = scene.cast(&rays).closest().expect("sound");
    let surface =
        scene.surface(&rays, &hits).vertex_normals(&given).locate().expect("its own hits");
    let mut counts = [0; 3];
    for row in 0..rays.len() {
        let found = surface.shading_normal()[row].map(T::to_f64);
        let Some(hit) = hits.hit(row) else {
            assert_eq!(found, [0.0; 3]);
            continue;
        };
        let geometric = surface.geometric_normal()[row];
        if hit.instance().is_some() && hit.geometry_id == 0 {
            assert_eq!(surface.shading_normal()[row], unit(geometric), "none are given");
            counts[2] += 1;
            continue;
        }
        let corners =
            mesh.triangles[hit.primitive_id as usize].map(|vertex| normals[vertex as usize]);
        let (u, v) = (hit.u.to_f64(), hit.v.to_f64());
        let weights = [1.0 - u - v, u, v];
        let mut expected: [f64; 3] = std::array::from_fn(|axis| {
            (0..3).map(|i| weights[i] * corners[i][axis].to_f64()).sum()
        });
        if hit.instance().is_some() {
            // The transposed inverse; the map mirrors, which turns the triangles, and with them
            // their normals, inside out.
            expected = [-expected[0], expected[1] / -2.0, expected[2] / 0.5];
        }
        let length = expected.iter().map(|x| x * x).sum::<f64>().sqrt();
        for axis in 0..3 {
            assert!(
                (found[axis] - expected[axis] / length).abs() < room,
                "{found:?}, {expected:?}, {hit:?}"
            );
        }
        let along: f64 = (0..3).map(|axis| found[axis] * geometric[axis].to_f64()).sum();
        assert!(along > 0.0, "on the side of the geometric normal");
        counts[usize::from(hit.instance().is_some())] += 1;
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn normals_that_cancel_out_give_way_to_the_geometric_normal() -> lanecast::Result<()> {
    let (vertices, triangles) = ([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0, 1, 2]]);
    let scene = Scene::from_triangles(&vertices, &triangles)?;
    let rays = [Ray::new([0.0, 2.0, 1.0], [0.0, 0.0, -1.0])];
    let hits = scene.cast(&rays).closest()?;
    let opposite = [[1.0, 0.0, 0.0], [0.0; 3], [-1.0, 0.0, 0.0]];
    let given = [VertexNormals::new(&scene, 0, &triangles, &opposite)?];
    let surface = scene.surface(&rays, &hits).vertex_normals(&given).locate()?;
    assert_eq!(surface.shading_normal(), [[0.0, 0.0, 1.0]]);
    assert_eq!(surface.geometric_normal(), [[0.0, 0.0, 16.0]]);
    Ok(())
}

/// The squares of the least are below the range of `f64`.
#[test]
fn normals_of_the_largest_and_smallest_f64_triangles_are_unit() -> lanecast::Result<()> {
    for size in [1e30, 1e-100] {
        let vertices = [[0.0, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, size]];
        let scene =
            SceneBuilder::<f64>::default().triangle_mesh(&vertices, &[[0, 1, 2]])?.build()?;
        let rays = [Ray::new([0.25 * size, 0.25 * size, size], [0.0, 0.0, -1.0])];
        let hits = scene.cast(&rays).closest()?;
        assert!(hits.status()[0].is_hit(), "{size:e}");
        let at_vertices = [[0.0, -size, size]; 3];
        let normals = [VertexNormals::new(&scene, 0, &[[0, 1, 2]], &at_vertices)?];
        let surface =
            scene.surface(&rays, &hits).unit_normals(true).vertex_normals(&normals).locate()?;
        for normal in [surface.geometric_normal()[0], surface.shading_normal()[0]] {
            let expected = [0.0, -0.5_f64.sqrt(), 0.5_f64.sqrt()];
            assert!(
                (0..3).all(|axis| (normal[axis] - expected[axis]).abs() < 1e-15),
                "{size:e}: {normal:?}"
            );
        }
    }
    Ok(())
}

/// Also within a group of hits, of which those on the scene's own triangles are gathered first.
#[test]
fn the_first_unknown_hit_is_named_whatever_it_is_on() -> lanecast::Result<()> {
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let at = |x: f32| square.map(|corner| [corner[0] + x, corner[1], corner[2]]);
    let two: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
    let build = |triangles: &[[u32; 3]]| {
        let inner = Arc::new(Scene::from_triangles(&square, triangles)?);
        let (far, near) = (at(90.0), at(10.0));
        let builder =
            SceneBuilder::new().triangle_mesh(&far, &two)?.triangle_mesh(&near, triangles)?;
        builder.instance(&inner, Affine::IDENTITY).build()
    };
    // Only the first triangle is left, and hits on the second are unknown.
    let (whole, part) = (build(&two)?, build(&two[..1])?);
    let [placed, own] = [0.0, 10.0].map(|x| Ray::new([x + 0.25, 0.75, 1.0], [0.0, 0.0, -1.0]));
    let [known, missed] = [10.75, 50.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
    let mut filled = vec![known; 70];
    filled.extend([missed, known, placed, own, placed]);
    for rays in [vec![placed, own], vec![own, placed], vec![known, placed, own], filled] {
        let hits = whole.cast(&rays).closest()?;
        let refused = part.surface(&rays, &hits).locate();
        let first = (0..rays.len())
            .find_map(|row| hits.hit(row).filter(|hit| hit.primitive_id == 1))
            .expect("a hit");
        // That of the scene itself is its second geometry, the placed one the first of another.
        let (geometry_id, primitive_id) = (first.geometry_id, first.primitive_id);
        assert_eq!(refused, Err(Error::UnknownPrimitive { geometry_id, primitive_id }));
    }
    Ok(())
}

#[test]
fn foreign_hits_and_foreign_normals_are_refused_by_name() -> lanecast::Result<()> {
    let (vertices, triangles) = ([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0, 1, 2]]);
    let scene = Scene::from_triangles(&vertices, &triangles)?;
    let many = meshes::terrain(30, &mut Random::new(5));
    let other = Scene::from_triangles(&many.vertices, &many.triangles)?;
    let rays: Vec<Ray> = many
        .vertices
        .iter()
        .map(|&[x, y, z]| Ray::new([x, y, z + 1.0], [0.0, 0.0, -1.0]))
        .collect();
    let hits = other.cast(&rays).closest()?;
    let first = (0..rays.len())
        .find_map(|row| hits.hit(row).filter(|hit| hit.primitive_id > 0))
        .expect("hits");
    let two = Threads::exactly(2)?;
    let options = CastOptions::new().threads(&two).rays_in_chunk(3);
    let mut surface = SurfaceBatch::new();
    let refused = scene.surface(&rays, &hits).with(&options).locate_into(&mut surface);
    let primitive_id = first.primitive_id;
    assert_eq!(refused, Err(Error::UnknownPrimitive { geometry_id: 0, primitive_id }));
    assert!(surface.is_empty());
    let refused = scene.surface(&rays[1..], &hits).locate();
    let (found, expected) = (rays.len(), rays.len() - 1);
    assert_eq!(refused, Err(Error::ColumnLength { column: "hits", found, expected }));

    let outer = SceneBuilder::new().instance(&Arc::new(other), Affine::IDENTITY).build()?;
    let hits = outer.cast(&rays).closest()?;
    let refused = scene.surface(&rays, &hits).locate();
    assert_eq!(refused, Err(Error::UnknownInstance { instance: 0, instances: 0 }));
    assert_eq!(
        scene
            .surface(&rays, &HitBatch::new())
            .locate()
            .map_err(|error| error.to_string().len() > 9),
        Err(true)
    );

    let one = [[0.0, 0.0, 1.0]; 3];
    let refusal = |scene: &Scene, id, triangles: &[[u32; 3]], normals: &[[f32; 3]]| {
        VertexNormals::new(scene, id, triangles, normals).map(|_| ()).expect_err("refused")
    };
    assert!(matches!(
        refusal(&scene, 1, &triangles, &one),
        Error::UnknownGeometry { geometry_id: 1, .. }
    ));
    assert!(matches!(
        refusal(&scene, 0, &[], &one),
        Error::TriangleCount { found: 0, expected: 1, .. }
    ));
    assert!(matches!(
        refusal(&scene, 0, &triangles, &one[..2]),
        Error::VertexOutOfRange { vertex: 2, .. }
    ));
    let nan = [[f32::NAN, 0.0, 0.0]; 3];
    assert!(matches!(
        refusal(&scene, 0, &triangles, &nan),
        Error::UnusableVertex { vertex: 0, .. }
    ));
    Ok(())
}
