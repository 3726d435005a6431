//! Answers that are written to columns of the caller's.

use std::mem::offset_of;

use crate::requests::sample::{Sample, assert_others_kept, codes, column, samples};
use crate::requests::{mixed, of_triangles, points, rays};
use lanecast::answers::{
    AnyHitColumns, ClosestPointColumns, CostColumns, CountColumns, DistanceColumns, HitColumns,
    InsideColumns,
};
use lanecast::columns::Fields;
use lanecast::{CastOptions, Error, INVALID_ID, Status, Threads};

/// Requests in many small chunks, of which none has rows that are a multiple of anything, and in
/// one.
fn ways(threads: &Threads) -> [CastOptions<'_>; 4] {
    [
        CastOptions::new(),
        CastOptions::new().rays_in_chunk(7).threads(threads),
        CastOptions::new().rays_in_chunk(7).threads(&Threads::ONE).brute_force(),
        CastOptions::new().rays_in_chunk(1).threads(threads).mask(u32::MAX - 4),
    ]
}

#[test]
fn closest_hits_in_the_callers_columns_are_the_owned_ones() {
    let (rays, threads) = (rays(), Threads::exactly(2).unwrap_or(Threads::ONE));
    let rows = rays.len();
    for scene in [mixed(), of_triangles()] {
        for options in ways(&threads) {
            let request = scene.cast(&rays).with(&options);
            let expected = request.clone().geometric_normals(true).closest().unwrap();
            let ids = if scene.instance_count() > 0 {
                expected.instance_id().to_vec()
            } else {
                vec![INVALID_ID; rows]
            };
            // Slices of what was there before.
            let (mut status, mut t) = (vec![Status::EmptyInterval; rows], vec![-7.0; rows]);
            let (mut u, mut v, mut normal) =
                (vec![-7.0; rows], vec![-7.0; rows], vec![[-7.0; 3]; rows]);
            let [mut primitive_id, mut geometry_id, mut instance_id] =
                [(); 3].map(|()| vec![77; rows]);
            let columns = HitColumns::new().status(&mut status).t(&mut t).u(&mut u).v(&mut v);
            let columns = columns.primitive_id(&mut primitive_id).geometry_id(&mut geometry_id);
            let columns = columns.instance_id(&mut instance_id).geometric_normal(&mut normal);
            request.closest_into(columns).unwrap();
            assert_eq!(
                (&status[..], &t[..], &u[..]),
                (expected.status(), expected.t(), expected.u())
            );
            assert_eq!((&v[..], &normal[..]), (expected.v(), expected.geometric_normal()));
            assert_eq!(
                (&primitive_id[..], &geometry_id[..]),
                (expected.primitive_id(), expected.geometry_id())
            );
            assert_eq!(instance_id, ids);
            // Fields of structs.
            let mut samples = samples(rows);
            let mut fields = Fields::of(&mut samples);
            let columns = HitColumns::new()
                .status(fields.statuses(offset_of!(Sample, status)).unwrap())
                .t(fields.column::<f32>(offset_of!(Sample, t)).unwrap())
                .u(fields.column::<f32>(offset_of!(Sample, u)).unwrap())
                .v(fields.column::<f32>(offset_of!(Sample, v)).unwrap())
                .primitive_id(fields.column::<u32>(offset_of!(Sample, primitive_id)).unwrap())
                .geometry_id(fields.column::<u32>(offset_of!(Sample, geometry_id)).unwrap())
                .instance_id(fields.column::<u32>(offset_of!(Sample, instance_id)).unwrap())
                .geometric_normal(fields.column::<[f32; 3]>(offset_of!(Sample, normal)).unwrap());
            request.closest_into(columns).unwrap();
            assert_others_kept(&samples);
            assert_eq!(column(&samples, |sample| sample.status), codes(expected.status()));
            assert_eq!(column(&samples, |sample| sample.t), expected.t());
            assert_eq!(column(&samples, |sample| sample.u), expected.u());
            assert_eq!(column(&samples, |sample| sample.v), expected.v());
            assert_eq!(column(&samples, |sample| sample.primitive_id), expected.primitive_id());
            assert_eq!(column(&samples, |sample| sample.geometry_id), expected.geometry_id());
            assert_eq!(column(&samples, |sample| sample.instance_id), ids);
            assert_eq!(column(&samples, |sample| sample.normal), expected.geometric_normal());
        }
    }
}

#[test]
fn columns_that_are_not_given_are_not_missed() {
    let (rays, scene) = (rays(), mixed());
    let expected = scene.cast(&rays).geometric_normals(true).closest().unwrap();
    for normals in [false, true] {
        for chunk in [7, 1 << 14] {
            let request = scene.cast(&rays).geometric_normals(normals).rays_in_chunk(chunk);
            request.closest_into(HitColumns::new()).unwrap();
            let mut t = vec![-7.0; rays.len()];
            request.closest_into(HitColumns::new().t(&mut t)).unwrap();
            assert_eq!(t, expected.t());
            let mut codes_alone = vec![77; rays.len()];
            request.closest_into(HitColumns::new().status(&mut codes_alone[..])).unwrap();
            assert_eq!(codes_alone, codes(expected.status()));
            let mut ids = vec![77; rays.len()];
            request.closest_into(HitColumns::new().primitive_id(&mut ids)).unwrap();
            assert_eq!(ids, expected.primitive_id());
            // Who gives the column asks for it.
            let mut normal = vec![[-7.0; 3]; rays.len()];
            request.closest_into(HitColumns::new().geometric_normal(&mut normal)).unwrap();
            assert_eq!(normal, expected.geometric_normal());
        }
    }
    let request = scene.cast(&rays);
    let mut counts = vec![77; rays.len()];
    request.count_into(CountColumns::new().count(&mut counts)).unwrap();
    assert_eq!(counts, request.count().unwrap().count());
    request.any_into(AnyHitColumns::new()).unwrap();
    request.cost_into(CostColumns::new()).unwrap();
}

#[test]
fn other_answers_in_the_callers_columns_are_the_owned_ones() {
    let (rays, scene, threads) = (rays(), mixed(), Threads::exactly(2).unwrap_or(Threads::ONE));
    let rows = rays.len();
    for options in ways(&threads) {
        let request = scene.cast(&rays).with(&options);
        let (any, counts, costs) =
            (request.any().unwrap(), request.count().unwrap(), request.cost().unwrap());
        let mut status = vec![Status::EmptyInterval; rows];
        request.any_into(AnyHitColumns::new().status(&mut status)).unwrap();
        assert_eq!(status, any.status());
        let mut samples = samples(rows);
        let mut fields = Fields::of(&mut samples);
        request
            .any_into(
                AnyHitColumns::new().status(fields.statuses(offset_of!(Sample, status)).unwrap()),
            )
            .unwrap();
        assert_eq!(column(&samples, |sample| sample.status), codes(any.status()));
        assert_others_kept(&samples);

        let mut fields = Fields::of(&mut samples);
        let numbers = offset_of!(Sample, numbers);
        let columns = CountColumns::new()
            .status(fields.statuses(offset_of!(Sample, status)).unwrap())
            .count(fields.column::<u32>(numbers).unwrap());
        request.count_into(columns).unwrap();
        assert_eq!(column(&samples, |sample| sample.status), codes(counts.status()));
        assert_eq!(column(&samples, |sample| sample.numbers[0]), counts.count());

        let mut fields = Fields::of(&mut samples);
        let columns = CostColumns::new()
            .status(fields.statuses(offset_of!(Sample, status)).unwrap())
            .nodes(fields.column::<u32>(numbers).unwrap())
            .boxes(fields.column::<u32>(numbers + 4).unwrap())
            .leaves(fields.column::<u32>(numbers + 8).unwrap())
            .primitives(fields.column::<u32>(numbers + 12).unwrap());
        request.cost_into(columns).unwrap();
        assert_eq!(column(&samples, |sample| sample.status), codes(costs.status()));
        assert_eq!(column(&samples, |sample| sample.numbers[0]), costs.nodes());
        assert_eq!(column(&samples, |sample| sample.numbers[1]), costs.boxes());
        assert_eq!(column(&samples, |sample| sample.numbers[2]), costs.leaves());
        assert_eq!(column(&samples, |sample| sample.numbers[3]), costs.primitives());
        assert_others_kept(&samples);
    }
}

#[test]
fn answers_to_points_in_the_callers_columns_are_the_owned_ones() {
    let (points, scene, threads) = (points(), mixed(), Threads::exactly(2).unwrap_or(Threads::ONE));
    let radii: Vec<f32> = (0..points.len()).map(|row| [0.1, 1.0, f32::INFINITY][row % 3]).collect();
    for options in ways(&threads) {
        let request = scene.points(&points).with(&options);
        let expected = request.clone().geometric_normals(true).closest(&radii).unwrap();
        let mut samples = samples(points.len());
        let mut fields = Fields::of(&mut samples);
        let columns = ClosestPointColumns::new()
            .status(fields.statuses(offset_of!(Sample, status)).unwrap())
            .distance(fields.column::<f32>(offset_of!(Sample, t)).unwrap())
            .primitive_id(fields.column::<u32>(offset_of!(Sample, primitive_id)).unwrap())
            .instance_id(fields.column::<u32>(offset_of!(Sample, instance_id)).unwrap())
            .geometric_normal(fields.column::<[f32; 3]>(offset_of!(Sample, normal)).unwrap());
        request.closest_into(&radii, columns).unwrap();
        assert_eq!(column(&samples, |sample| sample.status), codes(expected.status()));
        assert_eq!(column(&samples, |sample| sample.t), expected.distance());
        assert_eq!(column(&samples, |sample| sample.primitive_id), expected.primitive_id());
        assert_eq!(column(&samples, |sample| sample.instance_id), expected.instance_id());
        assert_eq!(column(&samples, |sample| sample.normal), expected.geometric_normal());
        let (mut point, mut geometry_id) = (vec![[-7.0; 3]; points.len()], vec![77; points.len()]);
        let (mut u, mut v) = (vec![-7.0; points.len()], vec![-7.0; points.len()]);
        let columns = ClosestPointColumns::new().point(&mut point).geometry_id(&mut geometry_id);
        request.closest_into(&radii, columns.u(&mut u).v(&mut v)).unwrap();
        assert_eq!((&point[..], &geometry_id[..]), (expected.point(), expected.geometry_id()));
        assert_eq!((&u[..], &v[..]), (expected.u(), expected.v()));

        let distances = [request.distances().unwrap(), request.signed_distances().unwrap()];
        assert!(distances[0] != distances[1], "some points are inside");
        for (is_signed, expected) in [false, true].into_iter().zip(&distances) {
            let mut fields = Fields::of(&mut samples);
            let columns = DistanceColumns::new()
                .status(fields.statuses(offset_of!(Sample, status)).unwrap())
                .distance(fields.column::<f32>(offset_of!(Sample, u)).unwrap());
            let written = if is_signed {
                request.signed_distances_into(columns)
            } else {
                request.distances_into(columns)
            };
            written.unwrap();
            assert_eq!(column(&samples, |sample| sample.status), codes(expected.status()));
            assert_eq!(column(&samples, |sample| sample.u), expected.distance());
        }

        let inside = request.contains().unwrap();
        let mut fields = Fields::of(&mut samples);
        let columns = InsideColumns::new()
            .status(fields.statuses(offset_of!(Sample, status)).unwrap())
            .winding(fields.column::<i32>(offset_of!(Sample, winding)).unwrap());
        request.contains_into(columns).unwrap();
        assert_eq!(column(&samples, |sample| sample.status), codes(inside.status()));
        assert_eq!(column(&samples, |sample| sample.winding), inside.winding());
        assert_others_kept(&samples);
    }
}

#[test]
fn caller_columns_of_another_length_are_refused_and_left_alone() {
    let (rays, points, scene) = (rays(), points(), mixed());
    let rows = rays.len();
    for found in [0, rows - 1, rows + 1] {
        let (mut floats, mut ids, mut triples) =
            (vec![-7.0; found], vec![77; found], vec![[-7.0; 3]; found]);
        let (mut status, mut sound) = (vec![Status::EmptyInterval; found], vec![-7.0; rows]);
        let (mut windings, mut codes) = (vec![77; found], vec![77_u8; found]);
        let is_refused = |result, column| {
            assert_eq!(result, Err(Error::ColumnLength { column, found, expected: rows }));
        };
        let (request, about) = (scene.cast(&rays), scene.points(&points));
        // Beside one that is as long as it should be, which is not written to either.
        let beside = HitColumns::new().t(&mut sound).u(&mut floats);
        is_refused(request.closest_into(beside), "u");
        is_refused(request.closest_into(HitColumns::new().status(&mut status)), "status");
        is_refused(request.closest_into(HitColumns::new().status(&mut codes[..])), "status");
        is_refused(request.closest_into(HitColumns::new().t(&mut floats)), "t");
        is_refused(request.closest_into(HitColumns::new().v(&mut floats)), "v");
        is_refused(request.closest_into(HitColumns::new().primitive_id(&mut ids)), "primitive_id");
        is_refused(request.closest_into(HitColumns::new().geometry_id(&mut ids)), "geometry_id");
        is_refused(request.closest_into(HitColumns::new().instance_id(&mut ids)), "instance_id");
        is_refused(
            request.closest_into(HitColumns::new().geometric_normal(&mut triples)),
            "geometric_normal",
        );
        is_refused(request.any_into(AnyHitColumns::new().status(&mut status)), "status");
        is_refused(request.count_into(CountColumns::new().count(&mut ids)), "count");
        is_refused(request.cost_into(CostColumns::new().leaves(&mut ids)), "leaves");
        is_refused(
            about.closest_into(1.0, ClosestPointColumns::new().point(&mut triples)),
            "point",
        );
        is_refused(
            about.closest_into(1.0, ClosestPointColumns::new().instance_id(&mut ids)),
            "instance_id",
        );
        is_refused(about.distances_into(DistanceColumns::new().distance(&mut floats)), "distance");
        is_refused(
            about.signed_distances_into(DistanceColumns::new().distance(&mut floats)),
            "distance",
        );
        is_refused(about.contains_into(InsideColumns::new().winding(&mut windings)), "winding");
        let (mut samples, stale) = (samples(found), samples(found));
        let mut fields = Fields::of(&mut samples);
        let t = fields.column::<f32>(offset_of!(Sample, t)).unwrap();
        is_refused(request.closest_into(HitColumns::new().t(t)), "t");
        assert_eq!(samples, stale);
        assert!(
            sound.iter().chain(&floats).all(|&x| x == -7.0)
                && triples.iter().all(|&x| x == [-7.0; 3])
        );
        assert!(ids.iter().all(|&id| id == 77) && windings.iter().all(|&winding| winding == 77));
        assert!(status.iter().all(|&of| of == Status::EmptyInterval));
        // A column of codes holds statuses as soon as it is made, whatever bytes were there.
        assert!(codes.iter().all(|&code| code == Status::Miss.code()));
    }
}

#[test]
fn fields_that_overlap_or_lie_astray_are_refused() {
    fn is_refused<V: std::fmt::Debug>(column: &lanecast::Result<V>) {
        assert!(
            matches!(column, Err(Error::UnusableField { maker: "Fields", field: "offset", .. })),
            "{column:?}"
        );
    }
    let mut samples = samples(5);
    let size = size_of::<Sample>();
    let mut fields = Fields::of(&mut samples);
    fields.column::<[f32; 3]>(offset_of!(Sample, normal)).unwrap();
    // The same again, a part of it, one that reaches into it and one around it.
    is_refused(&fields.column::<[f32; 3]>(offset_of!(Sample, normal)));
    is_refused(&fields.column::<f32>(offset_of!(Sample, normal) + 8));
    is_refused(&fields.column::<[f32; 2]>(offset_of!(Sample, normal) - 4));
    is_refused(&fields.column::<[u8; 20]>(offset_of!(Sample, normal) - 4));
    is_refused(&fields.statuses(offset_of!(Sample, normal) + 11));
    // Right before it and right behind it.
    fields.statuses(offset_of!(Sample, normal) - 1).unwrap();
    fields.column::<u32>(offset_of!(Sample, normal) + 12).unwrap();
    is_refused(&fields.statuses(offset_of!(Sample, normal) - 1));
    // Not aligned.
    for off in 1..4 {
        is_refused(&fields.column::<f32>(offset_of!(Sample, u) + off));
    }
    // As `Sample` is aligned to four bytes.
    is_refused(&fields.column::<u64>(offset_of!(Sample, numbers)));
    // Beyond the end.
    is_refused(&fields.column::<f32>(size));
    is_refused(&fields.column::<[f32; 2]>(size - 4));
    is_refused(&fields.statuses(size));
    is_refused(&fields.statuses(usize::MAX));
    is_refused(&fields.column::<f32>(usize::MAX - 3));
    // What was refused takes nothing.
    fields.column::<f32>(offset_of!(Sample, u)).unwrap();
    // Bytes are aligned to nothing.
    let mut bytes = [[0_u8; 8]; 3];
    is_refused(&Fields::of(&mut bytes).column::<f32>(0));
    Fields::of(&mut bytes).statuses(5).unwrap();
}
