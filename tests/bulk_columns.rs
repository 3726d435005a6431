//! Tests in bulk over columns that are not plain: one primitive repeated, and boxes without ends.

mod common;

use common::backends::every_backend;
use lanecast::primitive::{Aabb, AabbBatch, Clip, FaceByFace, Obb, ObbBatch, Test};
use lanecast::{
    Bulk, Closest, Columns, Error, HitTable, INVALID_ID, Ray, RayBatch, Scalar, Segment, SegmentBatch, Status,
};

/// More than a chunk of pairs, and no whole number of vectors.
const SEGMENTS: usize = 20_003;

fn segments<T: Scalar>() -> Vec<Segment<T>> {
    let number = |i: usize| T::of((i % 101) as f32) / T::of(25.0) - T::ONE;
    (0..SEGMENTS)
        .map(|i| Segment::new([number(i), number(3 * i), number(7 * i)], [number(i + 40), T::ONE, T::ZERO]))
        .collect()
}

fn repeated_answers_as_a_slice<T: Scalar>() {
    let window = Aabb { min: [T::ZERO; 3], max: [T::ONE; 3] };
    let segments = segments::<T>();
    let lines = SegmentBatch::from_slice(&segments).expect("no rules");
    let slice = vec![window; SEGMENTS];
    let slice = AabbBatch::from_slice(&slice).expect("no rules");
    let repeated = AabbBatch::repeated(window, SEGMENTS).expect("no rules");
    assert_eq!((repeated.len(), repeated.get(SEGMENTS - 1)), (SEGMENTS, window));
    for backend in every_backend() {
        let bulk = Bulk::new(Clip::EXACT).backend(backend);
        let (mut expected, mut found) = (HitTable::new(), HitTable::new());
        bulk.pairwise(&lines, &slice, &mut expected).expect("equal lengths");
        bulk.pairwise(&lines, &repeated, &mut found).expect("equal lengths");
        let hits = (0..SEGMENTS).filter(|&i| expected.is_hit(i)).count();
        assert!(hits > SEGMENTS / 10 && hits < SEGMENTS, "{hits} hits");
        for i in 0..SEGMENTS {
            assert_eq!(found.get(i), expected.get(i), "{backend}, segment {i}");
        }
    }
}

#[test]
fn one_primitive_repeated_answers_as_so_many() {
    repeated_answers_as_a_slice::<f32>();
    repeated_answers_as_a_slice::<f64>();
}

#[test]
fn what_breaks_a_rule_is_not_repeated() {
    let flat = Obb { center: [0.0_f32; 3], axes: [[1.0, 0.0, 0.0]; 3], half_extents: [1.0; 3] };
    let refused = ObbBatch::repeated(flat, 7).map(|batch| batch.len());
    assert!(matches!(refused, Err(Error::AxesNotOrthonormal { row: 0, .. })), "{refused:?}");
}

#[test]
fn a_segment_says_what_is_wrong_with_it() {
    let nan = [0.0, f32::NAN, 0.0];
    assert_eq!(Segment::new([0.0; 3], [0.0_f32; 3]).defect(), None);
    assert_eq!(Segment::new(nan, [0.0; 3]).defect(), Some(Status::InvalidOrigin));
    assert_eq!(Segment::new([0.0; 3], nan).defect(), Some(Status::InvalidDirection));
}

/// Whether a test finds the same hits for bits and for the closest, all with a finite `t`.
fn agrees_with_itself<T: Scalar, K: Test<Aabb<T>, Line = Ray<T>>>(
    test: K,
    boxes: &Columns<'_, Aabb<T>>,
    rays: &[Ray<T>],
) {
    let rays = RayBatch::from_rays(rays);
    let (mut bits, mut closest) = (Vec::new(), Closest::new());
    Bulk::new(test).bits(&rays, boxes, &mut bits).expect("sound");
    Bulk::new(test).closest(&rays, boxes, &mut closest).expect("sound");
    for (i, (bits, index)) in bits.iter().zip(&closest.index).enumerate() {
        assert_eq!(*bits == 0, *index == INVALID_ID, "{test:?}, ray {i}: bits {bits:b}, closest {index}");
        let t = closest.t[i];
        assert!(*bits == 0 || t.is_finite(), "{test:?}, ray {i} enters at {t}");
    }
}

fn boxes_without_ends<T: Scalar>() {
    let whole = Aabb { min: [T::NEG_INFINITY; 3], max: [T::INFINITY; 3] };
    let half = Aabb { min: [T::ONE; 3], ..whole };
    let (one, minus) = (T::ONE, T::of(-1.0));
    let mut rays = Vec::new();
    for direction in [[one, one, one], [minus, one, minus], [minus, minus, minus], [one, T::ZERO, T::ZERO]] {
        rays.extend([Ray::new([T::of(2.0); 3], direction), Ray::line([T::of(2.0); 3], direction)]);
    }
    // Beyond all `t`, behind sides that are no bound.
    let far = T::LARGEST_COORDINATE;
    let boxes = [Aabb { min: [far, T::NEG_INFINITY, T::NEG_INFINITY], ..whole }];
    let slow = [Ray::new([T::ZERO; 3], [T::MIN_POSITIVE, one, one])];
    agrees_with_itself(FaceByFace, &AabbBatch::from_slice(&boxes).expect("no rules"), &slow);
    let boxes = [half];
    let boxes = AabbBatch::from_slice(&boxes).expect("no rules");
    agrees_with_itself(FaceByFace, &boxes, &rays);
    let boxes = [whole];
    agrees_with_itself(FaceByFace, &AabbBatch::from_slice(&boxes).expect("no rules"), &rays);
}

#[test]
fn no_ray_enters_a_box_at_infinity() {
    boxes_without_ends::<f32>();
    boxes_without_ends::<f64>();
}
