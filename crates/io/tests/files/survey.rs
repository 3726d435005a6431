//! Survey coordinates, in millimetres at the radius of the earth: rays, points and answers of f64
//! keep all their digits, in every format in and out, and are rounded once where f32 is asked for.

use crate::folder::Folder;
use lanecast::{HitBatch, Ray, SceneBuilder};
use lanecast_io::{
    CloudWriter, Coordinate, HitKind, HitWriter, PointChunk, PointReader, RayChunk, RayIds,
    RayReader, TableWriter, Values, Vectors,
};
use std::path::Path;

const COUNT: usize = 100;

/// No f32, and in the last bits of f64.
fn point(row: usize) -> [f64; 3] {
    let row = row as f64;
    [6_378_137.000_123 + row / 3.0, -499_999.999_9 - row / 7.0, 1e-3 * row]
}

fn points<T: Coordinate>(path: &Path) -> Vec<[T; 3]> {
    let (mut reader, mut chunk, mut all) =
        (PointReader::<T>::open(path).unwrap(), PointChunk::default(), Vec::new());
    while reader.next_chunk(33, &mut chunk).unwrap() {
        all.append(&mut chunk.points);
    }
    all
}

fn rays<T: Coordinate>(path: &Path) -> Vec<Ray<T>> {
    let (mut reader, mut chunk, mut all) =
        (RayReader::<T>::open(path).unwrap(), RayChunk::default(), Vec::new());
    while reader.next_chunk(33, &mut chunk).unwrap() {
        all.append(&mut chunk.rays);
    }
    all
}

#[test]
fn points_of_hits_in_f64_are_read_as_they_were_written() {
    let folder = Folder::new();
    let expected: Vec<_> = (0..COUNT).map(point).collect();
    let scene = SceneBuilder::<f64>::default().build().unwrap();
    let made: Vec<_> = expected.iter().map(|&point| Ray::new(point, [0.0, 0.0, 1.0])).collect();
    let hits = scene.cast(&made).geometric_normals(true).closest().unwrap();
    for name in ["h.npz", "h.csv", "h.parquet", "h.arrow", "h.arrows", "h.ply"] {
        let path = folder.path(name);
        let mut writer =
            HitWriter::<f64>::create(&path, None, HitKind::Closest { points: true, normals: true })
                .unwrap();
        writer
            .write_with(RayIds::Rows(0), &hits, Vectors { points: &expected, normals: &[] }, &[])
            .unwrap();
        writer.finish().unwrap();
        assert_eq!(points::<f64>(&path), expected, "{name}");
        let rounded: Vec<_> = expected.iter().map(|point| point.map(|x| x as f32)).collect();
        assert_eq!(points::<f32>(&path), rounded, "{name}");
    }
    let text = std::fs::read_to_string(folder.path("h.csv")).unwrap();
    assert!(text.contains(",6378137.000123,-499999.9999,0.0,"), "{}", &text[..300]);
}

/// t, u and v too.
#[test]
fn hits_of_f64_are_written_in_all_their_digits() {
    let folder = Folder::new();
    let corner = [6.4e6, 0.0, 0.0];
    let vertices = [corner, [6.4e6 + 1.0, 0.0, 0.0], [6.4e6, 1.0, 0.0]];
    let builder = SceneBuilder::<f64>::default().triangle_mesh(&vertices, &[[0, 1, 2]]).unwrap();
    let scene = builder.build().unwrap();
    let ray = Ray::new([6.4e6 + 0.1, 0.3, 1.0 / 3.0], [0.0, 0.0, -1.0]);
    let mut hits = HitBatch::<f64>::new();
    scene.cast(&[ray]).closest_into(&mut hits).unwrap();
    let (path, hit) = (folder.path("h.csv"), hits.hit(0).unwrap());
    assert_eq!(hit.t, 1.0 / 3.0);
    let mut writer = HitWriter::<f64>::create(&path, None, HitKind::CLOSEST).unwrap();
    writer.write(RayIds::Rows(0), &hits).unwrap();
    writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        text.lines().nth(1).unwrap(),
        format!("0,hit,{:?},0,0,-1,{:?},{:?}", hit.t, hit.u, hit.v)
    );
}

fn npy(descr: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let start = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes()].concat();
    [&start[..], header.as_bytes(), bytes].concat()
}

#[test]
fn rays_of_f64_are_not_narrowed_and_narrowed_once_where_asked() {
    let folder = Folder::new();
    let expected: Vec<Ray<f64>> = (0..COUNT)
        .map(|row| {
            let [x, y, z] = point(row);
            let direction = [1.0 / 3.0, -2.0 / 7.0, -1.0 - row as f64 / 11.0];
            Ray { origin: [x, y, z], direction, t_min: 0.1, t_max: 1e300 }
        })
        .collect();
    let names = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];
    let row = |ray: &Ray<f64>| {
        let ([a, b, c], [d, e, f]) = (ray.origin, ray.direction);
        [a, b, c, d, e, f, ray.t_min, ray.t_max]
    };
    let columns: Vec<Vec<f64>> =
        (0..8).map(|column| expected.iter().map(|ray| row(ray)[column]).collect()).collect();
    for name in ["r.npz", "r.csv", "r.parquet", "r.arrow", "r.arrows"] {
        let columns: Vec<_> =
            names.iter().zip(&columns).map(|(&name, values)| (name, Values::F64(values))).collect();
        let mut writer = TableWriter::create(&folder.path(name), None, &columns).unwrap();
        writer.write(&columns).unwrap();
        writer.finish().unwrap();
    }
    let bytes: Vec<u8> = expected.iter().flat_map(row).flat_map(f64::to_le_bytes).collect();
    folder.file("r.npy", npy("<f8", &format!("({COUNT}, 8)"), &bytes));
    for name in ["r.npz", "r.csv", "r.parquet", "r.arrow", "r.arrows", "r.npy"] {
        assert_eq!(rays::<f64>(&folder.path(name)), expected, "{name}");
        let rounded = rays::<f32>(&folder.path(name));
        for (rounded, ray) in rounded.iter().zip(&expected) {
            assert_eq!(rounded.origin, ray.origin.map(|x| x as f32), "{name}");
            assert_eq!((rounded.t_min, rounded.t_max), (0.1, f32::INFINITY), "{name}");
        }
    }
}

/// 2²⁴ + 1 and 2⁵³ + 1, and one that is nearer to another f32 when rounded to f64 first.
#[test]
fn whole_numbers_are_rounded_once() {
    let folder = Folder::new();
    let whole = [(1_i64 << 24) + 1, (1 << 53) + 1, (1 << 61) + (1 << 37) + 1];
    let bytes: Vec<u8> = whole.iter().flat_map(|x| x.to_le_bytes()).collect();
    let path = folder.file("p.npy", npy("<i8", "(1, 3)", &bytes));
    assert_eq!(points::<f64>(&path), [whole.map(|x| x as f64)]);
    assert_eq!(points::<f32>(&path), [whole.map(|x| x as f32)]);
    assert_ne!(whole[2] as f32, whole[2] as f64 as f32, "the case is one");
    let path = folder.path("p.parquet");
    let columns = [
        ("x", Values::I64(&whole[..1])),
        ("y", Values::I64(&whole[1..2])),
        ("z", Values::I64(&whole[2..])),
    ];
    let mut writer = TableWriter::create(&path, None, &columns).unwrap();
    writer.write(&columns).unwrap();
    writer.finish().unwrap();
    assert_eq!(points::<f64>(&path), [whole.map(|x| x as f64)]);
    assert_eq!(points::<f32>(&path), [whole.map(|x| x as f32)]);
}

#[test]
fn clouds_of_f64_keep_their_digits() {
    let folder = Folder::new();
    let expected: Vec<_> = (0..COUNT).map(point).collect();
    for name in ["c.ply", "c.pcd", "c.xyz", "c.las", "c.laz"] {
        let path = folder.path(name);
        let mut writer = CloudWriter::create(&path).unwrap();
        writer.write(&expected[..40]).unwrap();
        writer.write(&expected[40..]).unwrap();
        writer.finish().unwrap();
        let found = points::<f64>(&path);
        assert_eq!(found.len(), COUNT);
        // LAS has whole steps of a power of ten, here the millionths that f32 has at 17, half the
        // extent.
        let room = if name.contains("la") { 0.5e-6 * 1.01 } else { 0.0 };
        for (found, expected) in found.iter().zip(&expected) {
            let near = (0..3).all(|axis| (found[axis] - expected[axis]).abs() <= room);
            assert!(near, "{name}: {found:?}, {expected:?}");
        }
    }
}
