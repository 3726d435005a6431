//! Rays and points whose numbers lie at equal distances, in structs and tables of the caller's.

use std::mem::offset_of;

use crate::requests::sample::{Sample, samples};
use crate::requests::{mixed, points, rays};
use lanecast::columns::Strided;
use lanecast::{Error, PointBatch, Ray, RayBatch};

#[test]
fn rays_and_points_in_structs_are_those_in_slices() {
    let (rays, scene) = (rays::<f32>(), mixed());
    let origins: Vec<[f32; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let directions: Vec<[f32; 3]> = rays.iter().map(|ray| ray.direction).collect();
    let from_slices = RayBatch::from_pairs(&origins, &directions).unwrap();
    let hits = scene.cast(&from_slices).geometric_normals(true).closest().unwrap();
    let all = scene.cast(&from_slices).all().unwrap();

    // `normal` holds the directions, `t`, `u` and `v` the origins.
    let structs: Vec<Sample> = rays
        .iter()
        .map(|&Ray { origin: [t, u, v], direction, .. }| Sample {
            t,
            u,
            v,
            normal: direction,
            ..Sample::stale(0)
        })
        .collect();
    let field = |offset| Strided::of_field(&structs, offset).unwrap();
    let in_structs = RayBatch::from_strided(
        [offset_of!(Sample, t), offset_of!(Sample, u), offset_of!(Sample, v)].map(field),
        [0, 4, 8].map(|axis| field(offset_of!(Sample, normal) + axis)),
    );
    // The same as columns of a wide table.
    let table: Vec<f32> = rays
        .iter()
        .flat_map(|Ray { origin: [ox, oy, oz], direction: [dx, dy, dz], .. }| {
            [*dx, 9.0, *oy, *dz, *ox, *dy, *oz]
        })
        .collect();
    let of_table = |place| Strided::of_rows(&table, place, 7).unwrap();
    let in_table = RayBatch::from_strided([4, 2, 6].map(of_table), [0, 5, 3].map(of_table));
    // And with columns of their own beside fields.
    let columns =
        [0, 1, 2].map(|axis| origins.iter().map(|origin| origin[axis]).collect::<Vec<f32>>());
    let beside = RayBatch::from_strided(
        columns.each_ref().map(|column| Strided::from(&column[..])),
        [0, 4, 8].map(|axis| field(offset_of!(Sample, normal) + axis)),
    );
    for batch in [in_structs, in_table, beside] {
        let batch = batch.unwrap();
        for chunk in [5, 1 << 14] {
            let request = scene.cast(&batch).rays_in_chunk(chunk);
            assert_eq!(request.all().unwrap(), all);
            assert_eq!(request.geometric_normals(true).closest().unwrap(), hits);
        }
    }

    let points = points();
    let structs: Vec<Sample> =
        points.iter().map(|&normal| Sample { normal, ..Sample::stale(0) }).collect();
    let field =
        |axis: usize| Strided::of_field(&structs, offset_of!(Sample, normal) + 4 * axis).unwrap();
    let in_structs = PointBatch::from_strided_parts([0, 1, 2].map(field)).unwrap();
    let columns =
        [0, 1, 2].map(|axis| points.iter().map(|point| point[axis]).collect::<Vec<f32>>());
    let in_columns = PointBatch::from_parts(columns.each_ref().map(|column| &column[..])).unwrap();
    let from_slice = scene.points(&points);
    for batch in [in_structs, in_columns] {
        let request = scene.points(batch);
        assert_eq!(request.closest(0.7), from_slice.closest(0.7));
        assert_eq!(request.signed_distances(), from_slice.signed_distances());
        assert_eq!(request.contains(), from_slice.contains());
        assert_eq!(request.rays_in_chunk(5).distances(), from_slice.distances());
    }
}

#[test]
fn numbers_that_lie_astray_in_structs_are_refused() {
    fn is_refused<V: std::fmt::Debug>(column: &lanecast::Result<V>) {
        assert!(
            matches!(column, Err(Error::UnusableField { maker: "Strided", field: "offset", .. })),
            "{column:?}"
        );
    }
    let structs = samples(5);
    for offset in [1, 2, 3, size_of::<Sample>(), usize::MAX - 3] {
        is_refused(&Strided::<f32>::of_field(&structs, offset));
    }
    // As `Sample` is aligned to four bytes, and no multiple of eight.
    is_refused(&Strided::<f64>::of_field(&structs, 0));
    assert!(matches!(
        Strided::of_rows(&[0.0_f32; 7], 0, 2),
        Err(Error::RowWidth { found: 7, width: 2 })
    ));
    assert!(matches!(
        Strided::of_rows(&[0.0_f32; 8], 2, 2),
        Err(Error::RowWidth { found: 8, width: 2 })
    ));
    let long = Strided::of_field::<Sample>(&structs, offset_of!(Sample, t)).unwrap();
    let short = Strided::from(&[0.0_f32; 4][..]);
    let refused = RayBatch::from_strided([long; 3], [long, short, long]).map(|batch| batch.len());
    assert_eq!(refused, Err(Error::ColumnLength { column: "dy", found: 4, expected: 5 }));
    let refused = PointBatch::from_strided_parts([long, long, short]).map(|batch| batch.len());
    assert_eq!(refused, Err(Error::ColumnLength { column: "z", found: 4, expected: 5 }));
}
