//! Survey coordinates, in millimetres at the radius of the earth: points and answers of f64 keep
//! all their digits, in every format in and out. Rays and rounding are tested in `moved`.

use crate::folder::Folder;
use crate::support::{points, points_in};
use lanecast::{HitBatch, Ray, SceneBuilder};
use lanecast_io::{HitKind, HitWriter, RayIds, Vectors};

const COUNT: usize = 100;

/// No f32, and in the last bits of f64.
fn point(row: usize) -> [f64; 3] {
    let row = row as f64;
    [6_378_137.000_123 + row / 3.0, -499_999.999_9 - row / 7.0, 1e-3 * row]
}

#[test]
fn points_of_hits_in_f64_are_read_as_they_were_written() {
    let folder = Folder::new();
    let expected: Vec<_> = (0..COUNT).map(point).collect();
    let rounded: Vec<_> = expected.iter().map(|point| point.map(|x| x as f32)).collect();
    let scene = SceneBuilder::<f64>::default().build().unwrap();
    let made: Vec<_> = expected.iter().map(|&point| Ray::new(point, [0.0, 0.0, 1.0])).collect();
    let hits = scene.cast(&made).geometric_normals(true).closest().unwrap();
    let kind = HitKind::Closest { points: true, normals: true };
    for name in ["h.npz", "h.parquet", "h.arrow", "h.arrows", "h.ply", "h.csv"] {
        let path = folder.path(name);
        let mut writer = HitWriter::<f64>::create(&path, None, kind).unwrap();
        let vectors = Vectors { points: &expected, normals: &[] };
        writer.write_with(RayIds::Rows(0), &hits, vectors, &[]).unwrap();
        writer.finish().unwrap();
        assert_eq!(points_in::<f64>(&path).unwrap(), expected, "{name}");
        assert_eq!(points(&path).unwrap(), rounded, "{name}");
    }
    let text = std::fs::read_to_string(folder.path("h.csv")).unwrap();
    assert!(text.contains(",6378137.000123,-499999.9999,0.0,"), "{}", &text[..300]);
}

/// t, u and v too.
#[test]
fn hits_of_f64_are_written_in_all_their_digits() {
    let folder = Folder::new();
    let vertices = [[6.4e6, 0.0, 0.0], [6.4e6 + 1.0, 0.0, 0.0], [6.4e6, 1.0, 0.0]];
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
    let expected = format!("0,hit,{:?},0,0,-1,{:?},{:?}", hit.t, hit.u, hit.v);
    assert_eq!(text.lines().nth(1).unwrap(), expected);
}

#[test]
fn clouds_of_f64_keep_their_digits() {
    let folder = Folder::new();
    let expected: Vec<_> = (0..COUNT).map(point).collect();
    // LAS has whole steps of a power of ten, here the millionths that f32 has at 17, half the
    // extent.
    let las = 0.5e-6 * 1.01;
    for (name, room) in
        [("c.ply", 0.0), ("c.pcd", 0.0), ("c.xyz", 0.0), ("c.las", las), ("c.laz", las)]
    {
        let found = points_in::<f64>(&folder.cloud(name, &expected)).unwrap();
        assert_eq!(found.len(), COUNT);
        let pairs = found.as_flattened().iter().zip(expected.as_flattened());
        for (found, expected) in pairs {
            assert!((found - expected).abs() <= room, "{name}: {found:?}, {expected:?}");
        }
    }
}
