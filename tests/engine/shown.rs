//! `Debug` of a value with much content is a short line: how much of what, and none of it.

use std::fmt::Debug;
use std::sync::Arc;

use lanecast::answers::{HitColumns, PerRow};
use lanecast::columns::{ColumnMut, Fields, Strided, StridedRows};
use lanecast::primitive::{
    AabbBatch, Bulk, BulkClosest, Cylinder, HeightField, HitList, HitTable, Obb, RoundCone, Slab,
    Sphere,
};
use lanecast::scene::VertexNormals;
use lanecast::{
    Aabb, Affine, CastOptions, Geometry, HitBatch, PointBatch, PointGrid, Precision, Ray, RayBatch,
    Scene, SceneBuilder, SightLines, Threads,
};
use lanecast_makers::{Beam, Hemisphere, Lidar, Pose, Receiver, ReturnBatch, Sunlight};
use lanecast_reference::meshes;

const ROWS: usize = 10_000;

/// One line, which says these numbers and no more than a few others.
fn hold(what: &impl Debug, words: &[&str]) {
    let text = format!("{what:?}");
    assert!(
        text.len() < 400 && !text.contains('\n'),
        "{} bytes: {}",
        text.len(),
        &text[..text.len().min(400)]
    );
    for word in words {
        assert!(text.contains(word), "{word} is not in {text}");
    }
}

fn values_of<T: Precision>(precision: &str) {
    let ball = meshes::icosphere(3, 1.0);
    let vertices: Vec<[T; 3]> = ball.vertices.iter().map(|vertex| vertex.map(T::of)).collect();
    let triangles = ball.triangles.len().to_string();
    let spheres: Vec<_> =
        (0..ROWS).map(|row| Sphere::new([T::of(row as f32); 3], T::ONE)).collect();
    let boxes: Vec<_> =
        spheres.iter().map(|sphere| Aabb { min: sphere.center, max: sphere.center }).collect();
    let cones: Vec<_> = boxes
        .iter()
        .map(|aabb| RoundCone { ends: [aabb.min, aabb.max], radii: [T::ONE; 2] })
        .collect();
    let cylinders: Vec<_> = boxes
        .iter()
        .map(|aabb| Cylinder { ends: [aabb.min, [T::ZERO; 3]], radius: T::ONE })
        .collect();
    let axes = [[T::ONE, T::ZERO, T::ZERO], [T::ZERO, T::ONE, T::ZERO], [T::ZERO, T::ZERO, T::ONE]];
    let turned: Vec<_> =
        boxes.iter().map(|aabb| Obb::new(aabb.min, axes, [T::ONE; 3]).expect("axes")).collect();
    let heights =
        HeightField::new(&[T::ZERO; ROWS], [100, 100], [T::ZERO; 2], [T::ONE; 2]).expect("heights");
    let quads: Vec<[u32; 4]> =
        (0..ROWS as u32).map(|row| [row, row + 1, row + 2, row + 3].map(|v| v % 99)).collect();
    let geometries = [
        Geometry::triangle_mesh(&vertices, &ball.triangles),
        Geometry::deformable_mesh(&vertices, &ball.triangles),
        Geometry::quads(&vertices, &quads),
        Geometry::boxes(&boxes),
        Geometry::oriented_boxes(&turned),
        Geometry::spheres(&spheres),
        Geometry::round_cones(&cones),
        Geometry::cylinders(&cylinders),
        Geometry::height_field(heights.clone()),
    ];
    let inner = Arc::new(Scene::from_triangles(&vertices, &ball.triangles).expect("a scene"));
    let mut builder = SceneBuilder::<T>::default();
    for geometry in &geometries {
        hold(geometry, &[]);
        builder = builder.geometry(geometry.clone()).expect("a geometry");
    }
    for row in 0..1000 {
        builder = builder.instance(&inner, Affine::translation([f64::from(row), 0.0, 0.0]));
    }
    hold(&heights, &["100"]);
    hold(&builder, &["geometries: 9", "instances: 1000", precision]);
    let scene = builder.build().expect("a scene");
    // What is computed on first use is content too.
    let _ = (
        scene.open_edge(),
        inner.open_edge(),
        inner.point([T::ZERO; 3]).generalised_winding(2.0).contains(),
    );
    hold(&scene, &["geometries: 9", "instances: 1000", precision]);
    hold(&inner, &[&format!("triangles: {triangles}"), precision, "instances: 0"]);
    hold(&Ok::<_, ()>(&inner), &[&triangles]);
    for geometry_id in scene.geometry_ids() {
        hold(&scene.geometry(geometry_id), &["primitives"]);
    }

    let rays = vec![Ray::new([T::ZERO; 3], [T::ONE; 3]); ROWS];
    let points = vec![[T::ONE; 3]; ROWS];
    let (ids, masks, t) = (vec![7_u32; ROWS], vec![1_u32; ROWS], vec![T::ONE; ROWS]);
    let rows = ROWS.to_string();
    let batch = RayBatch::from_rays(&rays);
    hold(&batch, &[&rows, precision]);
    hold(&PointBatch::from(&points), &[&rows]);
    hold(&AabbBatch::from_slice(&boxes), &[&rows]);
    hold(&Strided::from(&t), &[&rows]);
    hold(&StridedRows::<T, 3>::from(&vertices), &[]);
    hold(&PerRow::Each(&ids[..]), &[&rows]);
    hold(&PerRow::Same(5), &["Same(5)"]);
    let options = CastOptions::<T>::new().mask(&masks).skip(&ids, &ids);
    hold(&options, &[]);
    let request = inner.cast(&batch).with(&options);
    hold(&request, &[]);
    hold(&inner.points(&points), &[]);
    let hits = inner.cast(&rays).closest().expect("hits");
    hold(&hits, &["HitBatch", &rows]);
    hold(&inner.cast(&rays).any(), &[&rows]);
    hold(&inner.cast(&rays).count(), &[&rows]);
    hold(&inner.cast(&rays).cost(), &[&rows]);
    hold(&inner.cast(&rays).all(), &[&rows]);
    hold(&inner.cast(&rays).line_hits(), &[&rows]);
    hold(&inner.points(&points[..500]).closest(T::INFINITY), &["500"]);
    hold(&inner.points(&points[..500]).distances(), &["500"]);
    hold(&inner.points(&points[..500]).contains(), &["500"]);
    hold(&inner.points(&points[..500]).winding_numbers(), &["500"]);
    hold(&inner.points(&points[..500]).within(T::INFINITY), &["500"]);
    let surface = inner.surface(&rays, &hits);
    hold(&surface.locate(), &[&rows]);
    hold(&surface, &[]);
    let normals = VertexNormals::new(&inner, 0, &ball.triangles, &vertices).expect("normals");
    hold(&normals, &[&triangles]);
    hold(&inner.surface(&rays, &hits).vertex_normals(&vec![normals; 100]), &[]);
    let lines = SightLines::new(&points[..100], &points).expect("lines");
    hold(&lines, &["100", &rows]);
    hold(&inner.sight(&lines), &[]);
    hold(&inner.sight(&lines).matrix(), &["100", &rows]);
    let grid = PointGrid::new([T::ZERO; 3], [T::ONE; 3], [10, 10, 10]).expect("a grid");
    hold(&inner.grid(&grid), &[]);
    hold(&inner.overlap(&Aabb { min: [-1.0_f32; 3], max: [1.0; 3] }), &[]);

    let aabbs = AabbBatch::from_slice(&boxes).expect("boxes");
    let bulk = Bulk::new(Slab);
    let mut table = HitTable::new();
    bulk.pairwise(&batch, &aabbs, &mut table).expect("answers");
    hold(&table, &[&rows]);
    let (few, mut list, mut closest) = (batch.slice(0..100), HitList::new(), BulkClosest::new());
    bulk.list(&few, &aabbs, &mut list).expect("answers");
    bulk.closest(&few, &aabbs, &mut closest).expect("answers");
    hold(&list, &["100"]);
    hold(&closest, &["100"]);
    hold(&bulk, &[]);
    let mut room = t.clone();
    hold(&ColumnMut::from(&mut room), &[&rows]);
    hold(&HitColumns::<T>::new().t(&mut room), &[]);
    hold(&HitColumns::<T>::from(&mut HitBatch::new()), &[]);
    hold(&Fields::of(&mut rays.clone()[..]), &[]);
    hold(&Threads::exactly(4).expect("threads"), &[]);
}

#[test]
fn values_with_much_content_are_shown_as_one_line() {
    values_of::<f32>("f32");
    values_of::<f64>("f64");
}

#[test]
fn makers_with_much_content_are_shown_as_one_line() {
    let points = vec![[0.0_f32; 3]; ROWS];
    let normals = vec![[0.0, 0.0, 1.0]; ROWS];
    hold(
        &Hemisphere::new(&points, &normals, 4096, Default::default()).expect("points"),
        &["10000"],
    );
    hold(&Sunlight::new(&points, &[[0.0, 0.0, 1.0]; 100]).expect("points"), &["10000"]);
    let lidar = Lidar::new(&Beam::fan(1000, [-0.3, 0.3]), 10).expect("beams");
    let poses: Vec<_> =
        (0..ROWS).map(|row| Pose { time: row as f64, ..Pose::standing([0.0; 3]) }).collect();
    let lidar = lidar.carried(&poses, 0.0, 9.0, 10).expect("poses");
    hold(&lidar, &["1000", "10000"]);
    let scene = Scene::<f32>::from_triangles(
        &[[-9.0, 5.0, -9.0], [9.0, 5.0, -9.0], [0.0, 5.0, 9.0]],
        &[[0, 1, 2]],
    );
    let scene = scene.expect("a scene");
    let still = Lidar::new(&Beam::fan(100, [-0.3, 0.3]), 100).expect("beams");
    let rays = RayBatch::made(&still);
    let mut returns = ReturnBatch::new();
    Receiver::new()
        .returns_into(0, &[1.0], &rays, &scene.cast(&rays).closest().expect("hits"), &mut returns)
        .expect("returns");
    hold(&returns, &["10000"]);
}
