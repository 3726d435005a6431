//! Rasters as meshes and as fields of heights.

use super::{COLUMNS, NORTH_UP, ROWS, grid, shipped, write};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use lanecast::primitive::HeightField;
use lanecast::{Ray, SceneBuilder};
use lanecast_io::{Mesh, Model, Raster, Registration, Sample, read_model, read_raster};

fn only_mesh(model: Model<f64>) -> Mesh<f64> {
    let [mesh] = <[Mesh<f64>; 1]>::try_from(model.into_meshes().unwrap()).unwrap();
    mesh
}

#[test]
fn the_vertices_of_a_mesh_are_the_centres_of_pixels() {
    for name in
        ["lzw-tiles-f32.tif", "point-i32.tif", "rotated-u8.tif", "south-up-u16.tif", "area-i32.asc"]
    {
        let raster = read_raster(&shipped(name)).unwrap();
        let [a, b, c, d, e, f] = raster.grid.transform;
        let half = if name.starts_with("point") { 0.0 } else { 0.5 };
        let model = read_model::<f64>(&shipped(name)).unwrap();
        assert!(model.needs_f64(), "{name}");
        let is_whole = model.remarks.is_empty();
        let mesh = only_mesh(model);
        assert_eq!(mesh.unusable_vertices.is_empty(), is_whole, "{name}");
        let is_hole = |at: usize| mesh.unusable_vertices.contains(&(at as u32));
        for (at, vertex) in mesh.vertices.iter().enumerate() {
            let (i, j) = ((at % COLUMNS) as f64 + half, (at / COLUMNS) as f64 + half);
            let expected = [a * i + b * j + c, d * i + e * j + f, raster.values[at]];
            assert_eq!(*vertex, if is_hole(at) { [0.0; 3] } else { expected }, "{name}: {at}");
        }
        // Two triangles a cell, upward, that fill the cells without a hole at a corner.
        let mut area = vec![0.0; (ROWS - 1) * (COLUMNS - 1)];
        for (triangle, face) in mesh.triangles.iter().zip(mesh.face_ids.as_ref().unwrap()) {
            let [p, q, r] = triangle.map(|vertex| mesh.vertices[vertex as usize]);
            let twice = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
            assert!(twice > 0.0, "{name}: {triangle:?}");
            area[*face as usize] += twice / 2.0;
            for vertex in *triangle {
                let (row, column) = (vertex as usize / COLUMNS, vertex as usize % COLUMNS);
                let cell = *face as usize;
                let (top, left) = (cell / (COLUMNS - 1), cell % (COLUMNS - 1));
                assert!(row - top < 2 && column - left < 2, "{name}: {vertex} of cell {cell}");
            }
        }
        for (cell, area) in area.into_iter().enumerate() {
            let (top, left) = (cell / (COLUMNS - 1), cell % (COLUMNS - 1));
            let first = top * COLUMNS + left;
            let corners = [first, first + 1, first + COLUMNS, first + COLUMNS + 1];
            let holes = corners.into_iter().filter(|at| is_hole(*at)).count();
            let whole = (area - 6.25).abs() < 1e-6;
            assert!(holes > 0 || whole, "{name}: cell {cell}: {area}");
            assert!(
                holes < 2 || area == 0.0 || holes == 2 && !whole,
                "{name}: cell {cell}: {area}"
            );
        }
    }
}

/// As a triangle of a field and as one of a mesh a ray meets the same.
#[test]
fn a_raster_is_the_same_as_a_field_and_as_a_mesh() {
    for name in ["lzw-tiles-f32.tif", "point-i32.tif", "south-up-u16.tif"] {
        let raster = read_raster(&shipped(name)).unwrap();
        let mesh = only_mesh(read_model(&shipped(name)).unwrap());
        let field: HeightField<f64> = raster.height_field([0.0; 2]).unwrap();
        let mut holes = 0;
        for row in 0..ROWS {
            let of_field = if name.starts_with("south") { row } else { ROWS - 1 - row };
            for column in 0..COLUMNS {
                let ([x, y], value) =
                    (raster.grid.centre(row, column), raster.values[row * COLUMNS + column]);
                let vertex = field.vertex(of_field, column);
                assert_eq!([vertex[0], vertex[1]], [x, y], "{name}");
                let is_hole = raster.grid.is_nodata(value);
                holes += usize::from(is_hole);
                assert!(if is_hole { vertex[2].is_nan() } else { vertex[2] == value }, "{name}");
            }
        }
        assert_eq!(holes, if name.starts_with("lzw") { 6 } else { 0 });
        let field = SceneBuilder::<f64>::default().height_field(field).unwrap().build().unwrap();
        let mesh = SceneBuilder::<f64>::default()
            .triangle_mesh(&mesh.vertices, &mesh.triangles)
            .unwrap()
            .build()
            .unwrap();
        let [x, y] = raster.grid.centre(if name.starts_with("south") { 0 } else { ROWS - 1 }, 0);
        let base = if name.starts_with("point") { 2e9 } else { 0.0 };
        let (mut hits, mut misses) = (0, 0);
        for at in 0..2000_u32 {
            let (u, v) = (f64::from(at) * 0.618_034 % 1.0, f64::from(at) / 2000.0);
            let target = [x + 92.0 * u - 1.0, y + 49.0 * v - 1.0, base + 20.0];
            let eye = [x + 40.0, y + 20.0, base + 1000.0];
            let ray = Ray::new(eye, std::array::from_fn(|axis| target[axis] - eye[axis]));
            let found = [&field, &mesh]
                .map(|scene| scene.cast(&ray).closest().unwrap().map(|hit| (hit.t, hit.u, hit.v)));
            assert_eq!(found[0], found[1], "{name}: {target:?}");
            if found[0].is_some() { hits += 1 } else { misses += 1 }
        }
        assert!(hits > 1000 && misses > 10, "{name}: {hits} and {misses}");
    }
    // In f32 an origin keeps the digits; without one they are lost.
    let mut raster = read_raster(&shipped("lzw-tiles-f32.tif")).unwrap();
    raster.grid.transform[5] += 0.1;
    let origin = raster.grid.centre(ROWS - 1, 0);
    let near: HeightField = raster.height_field(origin).unwrap();
    assert_eq!((near.origin(), near.spacing()), ([0.0; 2], [2.5; 2]));
    assert_eq!(near.vertex(1, 2), [5.0, 2.5, raster.values[(ROWS - 2) * COLUMNS + 2] as f32]);
    let far: HeightField = raster.height_field([0.0; 2]).unwrap();
    assert_ne!(f64::from(far.vertex(1, 2)[1]), raster.grid.centre(ROWS - 2, 2)[1]);
    let error = read_raster(&shipped("rotated-u8.tif")).unwrap().height_field::<f64>([0.0; 2]);
    assert_reads(&error.unwrap_err().to_string(), "…transform…is rotated; a mesh can be…");
}

#[test]
fn a_mesh_of_a_raster_says_what_is_odd() {
    let folder = Folder::new();
    let degrees = read_model::<f64>(&shipped("degrees-f32.tif")).unwrap();
    assert_reads(
        &degrees.remarks.join("; "),
        "x and y are longitude and latitude in degrees, …gdalwarp…",
    );
    let holes = read_model::<f64>(&shipped("lowest-f32.tif")).unwrap();
    assert_eq!(holes.remarks, ["6 pixels without data: no triangle has a corner there"]);
    // A height that no scene takes, and that no tag calls no data.
    let lowest = f64::from(f32::MIN);
    let grid = grid(NORTH_UP, Registration::Area);
    let mut values = vec![1.0; 12];
    values[5] = lowest;
    let path = folder.path("r.tif");
    write(&path, &Raster { grid, sample: Sample::F32, values });
    let error = folder.error_of("r.tif", read_model::<f64>(&path));
    assert_reads(
        &error,
        "r.tif: row 1, column 1: […] is no position; …gdal_edit.py -a_nodata -3.4028234663852886e38 says so",
    );
}
