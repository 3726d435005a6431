//! Meshes are read where they lie: rows in interleaved buffers and structs make the scenes of
//! slices.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use lanecast::answers::AllHitsBatch;
use lanecast::columns::StridedRows;
use lanecast::{Error, Geometry, Precision, Ray, Scene, SceneBuilder, Threads};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

/// The first value and the distance of rows of three in a buffer: without gaps; after others, with
/// gaps; with a gap and nothing behind the last.
const LAYOUTS: [(usize, usize); 3] = [(0, 3), (2, 7), (0, 4)];

/// A buffer with these rows, and `other` wherever none lies.
fn interleaved<V: Copy, const N: usize>(
    rows: &[[V; N]],
    (first, step): (usize, usize),
    other: V,
) -> Vec<V> {
    let mut buffer = vec![other; first];
    for row in rows {
        buffer.extend(row);
        buffer.extend(vec![other; step - N]);
    }
    buffer.truncate(first + (rows.len() - 1) * step + N);
    buffer
}

fn vertices_of<T: Precision>(mesh: &Mesh) -> Vec<[T; 3]> {
    mesh.vertices.iter().map(|vertex| vertex.map(T::of)).collect()
}

/// Both scenes hold the same triangles at the same places of equal trees, and answer alike.
fn assert_same<T: Precision>(found: &Scene<T>, expected: &Scene<T>, what: &str) {
    assert!(found.triangles().eq(expected.triangles()), "{what}: triangles");
    assert_eq!(found.welded(), expected.welded(), "{what}");
    assert_eq!(found.statistics(), expected.statistics(), "{what}");
    let mut random = Random::new(5);
    let rays: Vec<Ray<T>> = (0..2_000)
        .map(|_| {
            let (origin, direction) = (random.point(-2.0, 2.0), random.direction());
            Ray::new(origin.map(T::of), direction.map(T::of))
        })
        .collect();
    let (found, expected) = (found.cast(&*rays).all(), expected.cast(&*rays).all());
    let (found, expected) = (found.expect("answers"), expected.expect("answers"));
    assert!(found == expected, "{what}: hits");
    let bits = |hits: &AllHitsBatch<T>| -> Vec<[u64; 3]> {
        let hits = (0..rays.len()).flat_map(|row| hits.of_ray(row));
        hits.map(|hit| [hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits())).collect()
    };
    assert!(bits(&found) == bits(&expected), "{what}: bits of hits");
    assert!(bits(&found).len() > 200, "{what}: {} hits", bits(&found).len());
}

fn scene<T: Precision>(geometry: Geometry<'_, T>) -> Scene<T> {
    let builder = SceneBuilder::default().geometry(geometry).expect("a sound mesh");
    builder.threads(&Threads::ONE).build().expect("a scene")
}

fn in_every_layout<T: Precision>() {
    let one = Threads::ONE;
    let ball = meshes::icosphere(3, 1.0);
    let (vertices, triangles) = (vertices_of::<T>(&ball), &ball.triangles);
    let moved: Vec<[T; 3]> = vertices.iter().map(|&[x, y, z]| [y, z, x * T::of(1.5)]).collect();
    let mut random = Random::new(2);
    let quads: Vec<[u32; 4]> =
        (0..300).map(|_| std::array::from_fn(|_| random.below(vertices.len()) as u32)).collect();
    let not_a_number = T::of(f32::NAN);
    for layout in LAYOUTS {
        let (first, step) = layout;
        let what = format!("{layout:?}, {}", std::any::type_name::<T>());
        let buffer = interleaved(&vertices, layout, not_a_number);
        let rows = StridedRows::every(&buffer, first, step, vertices.len()).expect("all rows");
        let moved_buffer = interleaved(&moved, layout, not_a_number);
        let moved_rows =
            StridedRows::every(&moved_buffer, first, step, moved.len()).expect("all rows");
        let indices = interleaved(triangles, layout, u32::MAX);
        let indices = StridedRows::every(&indices, first, step, triangles.len()).expect("all rows");
        let of_quads = interleaved(&quads, (first, step + 1), u32::MAX);
        let of_quads =
            StridedRows::every(&of_quads, first, step + 1, quads.len()).expect("all rows");
        assert!(indices.iter().eq(triangles.iter().copied()), "{what}");

        let expected = Scene::from_triangles(&vertices, triangles).expect("a scene");
        assert_same(&scene(Geometry::triangle_mesh(rows, indices)), &expected, &what);
        // Only one of the two in a buffer.
        assert_same(&scene(Geometry::triangle_mesh(&vertices, indices)), &expected, &what);
        assert_same(&Scene::from_triangles(rows, triangles).expect("a scene"), &expected, &what);
        let expected = scene(Geometry::quads(&vertices, &quads));
        assert_same(&scene(Geometry::quads(rows, of_quads)), &expected, &what);

        // What a scene keeps of a deformable mesh, and what it is given for it later.
        let mut found = scene(Geometry::deformable_mesh(rows, indices));
        found.change().threads(&one).refit(&[(0, moved_rows)]).expect("as many");
        let mut expected = scene(Geometry::deformable_mesh(&vertices, triangles));
        expected.change().threads(&one).refit(&[(0, &moved)]).expect("as many");
        assert_same(&found, &expected, &what);
        let (given, slices) =
            (Geometry::quads(moved_rows, of_quads), Geometry::quads(&moved, &quads));
        found.change().threads(&one).replace(&[(0, given)]).expect("sound quads");
        expected.change().threads(&one).replace(&[(0, slices)]).expect("sound quads");
        assert_same(&found, &expected, &what);

        let weld = |builder: SceneBuilder<'_, T>| {
            builder.weld(T::of(0.2)).and_then(SceneBuilder::build).expect("a scene")
        };
        let (found, expected) = (SceneBuilder::default(), SceneBuilder::default());
        let found = weld(found.triangle_mesh(rows, indices).expect("a sound mesh"));
        let expected = weld(expected.triangle_mesh(&vertices, triangles).expect("a sound mesh"));
        assert!(expected.welded().is_some_and(|welded| welded.joined > 10), "{what}");
        assert_same(&found, &expected, &what);
    }
}

#[test]
fn meshes_in_interleaved_buffers_make_the_scenes_of_slices() {
    in_every_layout::<f32>();
    in_every_layout::<f64>();
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Vertex {
    normal: [f32; 3],
    position: [f32; 3],
    colour: [u8; 4],
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Surveyed {
    id: u64,
    position: [f64; 3],
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Face {
    corners: [u32; 3],
    material: u16,
    flags: u16,
}

#[test]
fn meshes_of_structs_make_the_scenes_of_slices() {
    let ball = meshes::icosphere(3, 1.0);
    let face = |&corners: &[u32; 3]| Face { corners, material: 9, flags: u16::MAX };
    let faces: Vec<Face> = ball.triangles.iter().map(face).collect();
    let corners = StridedRows::of_field(&faces, offset_of!(Face, corners)).expect("a field");

    let vertex = |&position: &[f32; 3]| Vertex { normal: [f32::NAN; 3], position, colour: [1; 4] };
    let structs: Vec<Vertex> = ball.vertices.iter().map(vertex).collect();
    let positions = StridedRows::of_field(&structs, offset_of!(Vertex, position)).expect("a field");
    let expected = Scene::from_triangles(&ball.vertices, &ball.triangles).expect("a scene");
    let found = Scene::<f32>::from_triangles(positions, corners).expect("a scene");
    assert_same(&found, &expected, "structs of f32");

    let vertices = vertices_of::<f64>(&ball);
    let structs: Vec<Surveyed> =
        vertices.iter().map(|&position| Surveyed { id: u64::MAX, position }).collect();
    let positions =
        StridedRows::of_field(&structs, offset_of!(Surveyed, position)).expect("a field");
    let expected = Scene::from_triangles(&vertices, &ball.triangles).expect("a scene");
    let found = Scene::<f64>::from_triangles(positions, corners).expect("a scene");
    assert_same(&found, &expected, "structs of f64");
}

/// Triangles of a strip, each of the last two vertices and the next.
#[test]
fn rows_may_overlap() {
    let strip = [0, 1, 2, 3, 4];
    let triangles = StridedRows::every(&strip, 0, 1, 3).expect("three triangles");
    assert_eq!(triangles.iter().collect::<Vec<[u32; 3]>>(), [[0, 1, 2], [1, 2, 3], [2, 3, 4]]);
    let vertices = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 0.0]];
    let vertices = vertices.map(|[x, y]| [x, y, 0.0_f32]);
    let scene = Scene::from_triangles(&vertices, triangles).expect("a scene");
    let hits = [[0.2, 0.2], [0.8, 0.8], [1.2, 0.2]].map(|[x, y]| {
        let hit = scene.cast(&Ray::new([x, y, 1.0], [0.0, 0.0, -1.0])).closest();
        hit.expect("an answer").map(|hit| hit.primitive_id)
    });
    assert_eq!(hits, [Some(0), Some(1), Some(2)]);

    let one = StridedRows::every(&[1, 2, 3], 0, 0, 1).expect("one row");
    assert_eq!(one.iter().collect::<Vec<[i32; 3]>>(), [[1, 2, 3]]);
    let none = StridedRows::<f32, 3>::every(&[], 9, usize::MAX, 0).expect("no rows");
    assert!(none.is_empty() && none.iter().next().is_none());
}

#[test]
fn rows_beyond_their_slice_are_refused() {
    let values = [0.5_f32; 11];
    let rows = |first, step, len| StridedRows::<f32, 3>::every(&values, first, step, len);
    let refused = |expected| Error::ColumnLength { column: "every", found: 11, expected };
    for (first, step, len, expected) in [
        (1, 4, 3, 12),
        (0, 4, 4, 15),
        (9, 0, 1, 12),
        (12, 4, 1, 15),
        (usize::MAX, 1, 1, usize::MAX),
        (0, usize::MAX, 3, usize::MAX),
        (0, 1, usize::MAX, usize::MAX),
    ] {
        let found = rows(first, step, len).map(|rows| rows.len());
        assert_eq!(found, Err(refused(expected)), "{len} rows from {first} on, {step} apart");
    }
    assert_eq!(rows(0, 4, 3).map(|rows| rows.len()), Ok(3), "they end where the slice ends");
    for len in [2, usize::MAX] {
        let refused = rows(0, 0, len).map(|rows| rows.len());
        assert!(
            matches!(
                refused,
                Err(Error::UnusableField { maker: "StridedRows", field: "step", .. })
            ),
            "{refused:?}"
        );
    }
}

#[test]
#[should_panic(expected = "row 3 of 3")]
fn a_row_beyond_the_last_is_none() {
    let values = [1; 12];
    let rows: StridedRows<'_, i32, 3> = StridedRows::every(&values, 0, 3, 3).expect("rows");
    rows.get(3);
}

#[test]
fn rows_that_lie_astray_in_structs_are_refused() {
    fn is_refused<V: std::fmt::Debug>(rows: &lanecast::Result<V>) {
        assert!(
            matches!(rows, Err(Error::UnusableField { maker: "StridedRows", field: "offset", .. })),
            "{rows:?}"
        );
    }
    let structs = [Vertex::zeroed(); 3];
    // Between two numbers; the last row that fits begins at byte 16; beyond the struct.
    for offset in [1, 2, 3, 20, 24, 28, usize::MAX - 3, usize::MAX] {
        is_refused(&StridedRows::<f32, 3>::of_field(&structs, offset));
    }
    assert_eq!(StridedRows::<f32, 3>::of_field(&structs, 16).map(|rows| rows.len()), Ok(3));
    // As vertices are aligned to four bytes, and no multiple of eight.
    is_refused(&StridedRows::<f64, 3>::of_field(&structs, 0));
    is_refused(&StridedRows::<(), 3>::of_field(&structs, 0));
}

/// Errors name the geometry, and the row as those of slices do.
#[test]
fn unusable_meshes_in_buffers_are_named_as_in_slices() {
    let mut ball = meshes::icosphere(1, 1.0);
    let mut quads: Vec<[u32; 4]> = vec![[0, 1, 2, 3]; 6];
    let (vertices, count) = (ball.vertices.clone(), ball.vertices.len());
    ball.vertices[5][2] = f32::INFINITY;
    ball.triangles[7][1] = count as u32;
    for layout in LAYOUTS {
        let (first, step) = layout;
        let buffer = interleaved(&ball.vertices, layout, 0.0);
        let unusable = StridedRows::every(&buffer, first, step, count).expect("all rows");
        let buffer = interleaved(&vertices, layout, f32::NAN);
        let rows = StridedRows::every(&buffer, first, step, count).expect("all rows");
        let indices = interleaved(&ball.triangles, layout, 0);
        let indices =
            StridedRows::every(&indices, first, step, ball.triangles.len()).expect("all rows");
        let builder = || {
            let builder = SceneBuilder::new().triangle_mesh(rows, &[[0, 1, 2]]);
            builder.expect("a sound mesh")
        };
        let absent = |primitive_id, vertex| Error::VertexOutOfRange {
            geometry_id: 1,
            primitive_id,
            vertex,
            vertices: count,
        };
        let refused = builder().triangle_mesh(unusable, &[[0, 1, 2]]).expect_err("infinite");
        let Error::UnusableVertex { geometry_id: 1, vertex: 5, position: [.., z] } = refused else {
            panic!("{layout:?}: {refused:?}");
        };
        assert_eq!(z, f64::INFINITY);
        let refused = builder().triangle_mesh(rows, indices).expect_err("no such vertex");
        assert_eq!(refused, absent(7, count as u32), "{layout:?}");

        // A quad's halves are of vertices 0, 1, 3 and 2, 3, 1.
        for (corner, primitive_id) in [(0, 8), (1, 8), (2, 9), (3, 8)] {
            quads[4] = [0, 1, 2, 3];
            quads[4][corner] = 99;
            let of_quads = interleaved(&quads, (first, step + 1), 0);
            let of_quads = StridedRows::every(&of_quads, first, step + 1, 6).expect("all rows");
            let refused = builder().quads(rows, of_quads).expect_err("no such vertex");
            assert_eq!(refused, absent(primitive_id, 99), "{layout:?}, corner {corner}");
            let refused = builder().quads(&vertices, &quads).expect_err("no such vertex");
            assert_eq!(refused, absent(primitive_id, 99), "slices, corner {corner}");
        }

        let sound = meshes::icosphere(1, 1.0);
        let mut scene = scene(Geometry::deformable_mesh(rows, &sound.triangles));
        let buffer = interleaved(&vertices, layout, f32::NAN);
        let fewer = StridedRows::every(&buffer, first, step, count - 1).expect("all rows");
        let one = Threads::ONE;
        let refused = scene.change().threads(&one).refit(&[(0, fewer)]).expect_err("too few");
        let of_last = sound
            .triangles
            .iter()
            .position(|triangle| triangle.iter().any(|&vertex| vertex as usize == count - 1));
        let expected = Error::VertexOutOfRange {
            geometry_id: 0,
            primitive_id: of_last.expect("a triangle with the last vertex") as u32,
            vertex: count as u32 - 1,
            vertices: count - 1,
        };
        assert_eq!(refused, expected, "{layout:?}");
        let refused = scene.change().threads(&one).refit(&[(0, unusable)]).expect_err("infinite");
        assert!(matches!(refused, Error::UnusableVertex { geometry_id: 0, vertex: 5, .. }));
    }
}
