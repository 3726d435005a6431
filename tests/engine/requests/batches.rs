//! Batches that are used again, and batches of nothing.

use std::mem::offset_of;
use std::ops::ControlFlow;

use crate::requests::sample::{Sample, samples};
use crate::requests::{RAYS, mixed, of_triangles, points, rays};
use lanecast::answers::{
    AllHitsBatch, AnyHitBatch, AnyHitColumns, ClosestPointBatch, CostBatch, CountBatch,
    DistanceBatch, DistanceColumns, HitColumns, InsideBatch, LineHitBatch, PerRow,
};
use lanecast::columns::{Fields, Strided};
use lanecast::{CastOptions, Error, HitBatch, Progress, RayBatch, SceneBuilder, Threads};

/// Every query into a batch that holds answers of another.
#[test]
fn batches_that_are_used_again_hold_the_new_answers_alone() {
    let (scene, other, rays, points) = (mixed(), of_triangles(), rays(), points());
    let normals = CastOptions::new().geometric_normals(true);
    let few = scene.cast(&rays[..RAYS / 2]);
    let (mut hits, mut any) = (HitBatch::new(), AnyHitBatch::new());
    let (mut counts, mut costs) = (CountBatch::new(), CostBatch::new());
    let (mut all, mut nearest, mut lines) =
        (AllHitsBatch::new(), AllHitsBatch::new(), LineHitBatch::new());
    for request in
        [&other.cast(&rays).with(&normals), &scene.cast(&rays), &few, &few.clone().with(&normals)]
    {
        request.closest_into(&mut hits).unwrap();
        request.any_into(&mut any).unwrap();
        request.count_into(&mut counts).unwrap();
        request.cost_into(&mut costs).unwrap();
        request.all_into(&mut all).unwrap();
        request.nearest_into(2, &mut nearest).unwrap();
        request.line_hits_into(&mut lines).unwrap();
        assert_eq!((Ok(&hits), Ok(&any)), (request.closest().as_ref(), request.any().as_ref()));
        assert_eq!((Ok(&counts), Ok(&costs)), (request.count().as_ref(), request.cost().as_ref()));
        assert_eq!((Ok(&all), Ok(&nearest)), (request.all().as_ref(), request.nearest(2).as_ref()));
        assert_eq!(Ok(&lines), request.line_hits().as_ref());
    }
    let (mut near, mut distances, mut inside) =
        (ClosestPointBatch::new(), DistanceBatch::new(), InsideBatch::new());
    for request in
        [&other.points(&points).with(&normals), &scene.points(&points), &scene.points(&points[..7])]
    {
        request.closest_into(0.5, &mut near).unwrap();
        request.contains_into(&mut inside).unwrap();
        assert_eq!(
            (Ok(&near), Ok(&inside)),
            (request.closest(0.5).as_ref(), request.contains().as_ref())
        );
        request.distances_into(&mut distances).unwrap();
        assert_eq!(Ok(&distances), request.distances().as_ref());
        request.signed_distances_into(&mut distances).unwrap();
        assert_eq!(Ok(&distances), request.signed_distances().as_ref());
    }
}

#[test]
fn no_rays_and_no_points_have_empty_answers() {
    let threads = Threads::exactly(2).unwrap_or(Threads::ONE);
    let told = |_: Progress| -> ControlFlow<()> { panic!("there is nothing to tell of") };
    let (none, no_structs) = ([0_u32; 0], samples(0));
    let field = |offset| Strided::of_field(&no_structs, offset).unwrap();
    let strided = RayBatch::from_strided([0, 4, 8].map(field), [0, 4, 8].map(field)).unwrap();
    let options = [
        CastOptions::new(),
        CastOptions::new().threads(&threads).watch(&told).geometric_normals(true),
        CastOptions::new().brute_force().filter(&|_, _, _| true),
        CastOptions::new().skip(&none, &none).skip_in(&none).mask(&none).culling(&[]),
    ];
    let empty = SceneBuilder::new().build().unwrap();
    for scene in [&mixed(), &of_triangles(), &empty] {
        for options in &options {
            for rays in [RayBatch::from_rays(&[]), strided] {
                let request = scene.cast(rays).with(options);
                assert_eq!(request.closest(), Ok(HitBatch::new()));
                assert_eq!(request.any(), Ok(AnyHitBatch::new()));
                assert_eq!(request.count(), Ok(CountBatch::new()));
                assert_eq!(request.cost(), Ok(CostBatch::new()));
                assert_eq!(request.line_hits(), Ok(LineHitBatch::new()));
                for hits in
                    [request.all(), request.nearest(3), request.nearest(PerRow::Each(&none))]
                {
                    let hits = hits.unwrap();
                    assert_eq!(
                        (hits.status(), hits.offsets(), hits.hits()),
                        (&[][..], &[0][..], &[][..])
                    );
                }
                let mut samples = samples(0);
                let mut fields = Fields::of(&mut samples);
                let columns = HitColumns::new()
                    .t(fields.column::<f32>(offset_of!(Sample, t)).unwrap())
                    .status(fields.statuses(offset_of!(Sample, status)).unwrap())
                    .geometric_normal(
                        fields.column::<[f32; 3]>(offset_of!(Sample, normal)).unwrap(),
                    );
                assert_eq!(request.closest_into(columns), Ok(()));
                assert_eq!(request.any_into(AnyHitColumns::new().status(&mut [])), Ok(()));
                let two = request.closest_into(HitColumns::new().t(&mut [0.0; 2]));
                assert_eq!(two, Err(Error::ColumnLength { column: "t", found: 2, expected: 0 }));
            }
            let masked = scene.cast(&[]).with(options).mask(&[1]).any();
            assert_eq!(masked, Err(Error::ColumnLength { column: "masks", found: 1, expected: 0 }));
            let request = scene.points(&[]).with(options);
            assert_eq!(request.closest(1.0), Ok(ClosestPointBatch::new()));
            assert_eq!(request.closest(&[]), Ok(ClosestPointBatch::new()));
            assert_eq!(request.distances(), Ok(DistanceBatch::new()));
            assert_eq!(request.signed_distances(), Ok(DistanceBatch::new()));
            assert_eq!(request.contains(), Ok(InsideBatch::new()));
            assert_eq!(request.distances_into(DistanceColumns::new().distance(&mut [])), Ok(()));
        }
    }
}
