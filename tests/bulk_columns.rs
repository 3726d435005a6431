//! Tests in bulk over columns that are not plain: one primitive repeated.

mod common;

use common::backends::every_backend;
use lanecast::primitive::{Aabb, AabbBatch, Clip, Obb, ObbBatch};
use lanecast::{Bulk, Error, HitTable, Scalar, Segment, SegmentBatch, Status};

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
