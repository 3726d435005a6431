//! Tests in bulk over columns that are not plain: one primitive repeated, and boxes without ends.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::backends::every_backend;
use lanecast::primitive::{Aabb, AabbBatch, Clip, FaceByFace, Obb, ObbBatch, Slab, Test};
use lanecast::{
    Error, INVALID_ID, Progress, Ray, RayBatch, Scalar, Segment, Status, Threads, Watch,
    columns::Columns,
    primitive::{Bulk, BulkClosest, HitList, HitTable, SegmentBatch},
};

/// More than a chunk of pairs, and no whole number of vectors.
const SEGMENTS: usize = 20_003;

fn segments<T: Scalar>() -> Vec<Segment<T>> {
    let number = |i: usize| T::of((i % 101) as f32) / T::of(25.0) - T::ONE;
    (0..SEGMENTS)
        .map(|i| {
            Segment::new(
                [number(i), number(3 * i), number(7 * i)],
                [number(i + 40), T::ONE, T::ZERO],
            )
        })
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
        let hits = expected.codes().iter().filter(|&&code| code != 0).count();
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
    let (mut bits, mut closest) = (Vec::new(), BulkClosest::new());
    Bulk::new(test).bits(&rays, boxes, &mut bits).expect("sound");
    Bulk::new(test).closest(&rays, boxes, &mut closest).expect("sound");
    for (i, (bits, index)) in bits.iter().zip(&closest.index).enumerate() {
        assert_eq!(
            *bits == 0,
            *index == INVALID_ID,
            "{test:?}, ray {i}: bits {bits:b}, closest {index}"
        );
        let t = closest.t[i];
        assert!(*bits == 0 || t.is_finite(), "{test:?}, ray {i} enters at {t}");
    }
}

fn boxes_without_ends<T: Scalar>() {
    let whole = Aabb { min: [T::NEG_INFINITY; 3], max: [T::INFINITY; 3] };
    let half = Aabb { min: [T::ONE; 3], ..whole };
    let (one, minus) = (T::ONE, T::of(-1.0));
    let mut rays = Vec::new();
    for direction in
        [[one, one, one], [minus, one, minus], [minus, minus, minus], [one, T::ZERO, T::ZERO]]
    {
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

/// Enough boxes for the threads to share them.
fn many_boxes() -> Vec<Aabb> {
    let place = |number: usize, prime: usize| (number * prime % 1009) as f32 / 100.0;
    (0..100_003)
        .map(|number| {
            let min = [place(number, 17), place(number, 29), place(number, 71)];
            Aabb { min, max: min.map(|x| x + 0.5) }
        })
        .collect()
}

#[test]
fn few_lines_on_many_primitives_get_equal_answers_on_threads() {
    let boxes = many_boxes();
    let boxes = AabbBatch::from_slice(&boxes).expect("boxes have no rules");
    let rays = [
        Ray::new([-1.0, 5.0, 5.0], [1.0, 0.01, 0.02]),
        Ray::new([0.0; 3], [0.0; 3]),
        Ray::line([5.0, 5.0, 5.0], [0.3, -1.0, 0.2]),
    ];
    let rays = RayBatch::from_rays(&rays);
    let ask = |threads: Threads| {
        let bulk = Bulk::new(Slab).threads(&threads);
        let (mut bits, mut counts) = (Vec::new(), Vec::new());
        let (mut list, mut closest) = (HitList::new(), BulkClosest::new());
        let defects = [
            bulk.bits(&rays, &boxes, &mut bits),
            bulk.counts(&rays, &boxes, &mut counts),
            bulk.list(&rays, &boxes, &mut list),
            bulk.closest(&rays, &boxes, &mut closest),
        ];
        for defects in defects {
            let defects = defects.expect("nobody stops it");
            assert_eq!((defects.count, defects.first), (1, Some(1)));
        }
        (bits, counts, list, closest)
    };
    let on_one = ask(Threads::ONE);
    assert_eq!(on_one, ask(Threads::exactly(2).expect("two threads")));
    let (bits, counts, list, closest) = on_one;
    assert!(counts[0] > 100 && counts[1] == 0 && counts[2] > 100, "{counts:?}");
    for (line, &count) in counts.iter().enumerate() {
        let indices = list.of_line(line);
        assert_eq!(indices.len(), count as usize);
        assert!(indices.is_sorted());
        let words = &bits[line * boxes.len().div_ceil(64)..][..boxes.len().div_ceil(64)];
        assert!(indices.iter().all(|&index| words[index as usize / 64] >> (index % 64) & 1 == 1));
        let set: u32 = words.iter().map(|word| word.count_ones()).sum();
        assert_eq!(set, count);
        assert_eq!(closest.index[line] == INVALID_ID, count == 0);
    }
}

#[test]
fn stopped_work_on_many_primitives_leaves_nothing_behind() {
    let boxes = many_boxes();
    let boxes = AabbBatch::from_slice(&boxes).expect("boxes have no rules");
    let rays = [Ray::new([-1.0, 5.0, 5.0], [1.0, 0.0, 0.0]); 4];
    let rays = RayBatch::from_rays(&rays);
    let stop = |_| std::ops::ControlFlow::Break(());
    let two = Threads::exactly(2).expect("two threads");
    let bulk = Bulk::new(Slab).threads(&two).watch(&stop);
    let mut bits = vec![7];
    let stopped = bulk.bits(&rays, &boxes, &mut bits);
    assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
    assert!(bits.is_empty());
    let mut list = HitList { offsets: vec![0, 1], indices: vec![3] };
    assert!(bulk.list(&rays, &boxes, &mut list).is_err());
    assert!(list.offsets.is_empty() && list.indices.is_empty());
}

#[test]
fn a_refused_call_leaves_no_answers_of_the_call_before() {
    let aabb = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let boxes = AabbBatch::repeated(aabb, 2).expect("boxes have no rules");
    let rays = [Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]); 2];
    let bulk = Bulk::new(Slab);
    let mut hits = HitTable::new();
    bulk.pairwise(&RayBatch::from_rays(&rays), &boxes, &mut hits).expect("as many boxes as rays");
    assert_eq!(hits.len(), 2);
    bulk.pairwise(&RayBatch::from_rays(&rays[..1]), &boxes, &mut hits).expect_err("a box too many");
    assert!(hits.is_empty());
    let mut t = vec![7.0; 2];
    bulk.pairwise_t(&RayBatch::from_rays(&rays[..1]), &boxes, &mut t).expect_err("a box too many");
    assert!(t.is_empty());
    bulk.one_to_many(&rays[0], &boxes, &mut hits).expect("a sound ray");
    assert_eq!(hits.len(), 2);
    bulk.one_to_many(&Ray::new([f32::NAN; 3], [1.0; 3]), &boxes, &mut hits).expect_err("NaN");
    assert!(hits.is_empty());
}

/// Stops at once, and counts how often it was asked.
fn asked_until_stopped(work: impl Fn(&Watch<'_>) -> lanecast::Result<()>) -> usize {
    let asked = AtomicUsize::new(0);
    let stop = |progress: Progress| {
        asked.fetch_add(1, Ordering::Relaxed);
        assert!(progress.done < progress.total, "stopped too late: {progress:?}");
        ControlFlow::Break(())
    };
    let stopped = work(&stop);
    assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
    asked.into_inner()
}

#[test]
fn few_lines_on_many_primitives_stop_within_a_few_million_tests() {
    let window = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let one = [Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0])];
    for (lines, primitives) in [(300, 100_000), (1, 20_000_000)] {
        let rays = vec![one[0]; lines];
        let rays = RayBatch::from_rays(&rays);
        let boxes = AabbBatch::repeated(window, primitives).expect("boxes have no rules");
        for threads in [Threads::ONE, Threads::exactly(2).expect("two threads")] {
            let count = threads.count();
            let asked = asked_until_stopped(|watch| {
                let bulk = Bulk::new(Slab).threads(&threads).watch(watch);
                bulk.bits(&rays, &boxes, &mut Vec::new()).map(|_| ())
            });
            assert!((1..=count).contains(&asked), "asked {asked} times on {count} threads");
        }
    }
}

#[test]
fn progress_counts_all_pairs_however_they_are_shared() {
    let window = Aabb { min: [0.0; 3], max: [1.0; 3] };
    for (lines, primitives) in [(5, 3), (300, 60_000), (1, 600_000), (2000, 700), (3, 0), (0, 3)] {
        let rays = vec![Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]); lines];
        let rays = RayBatch::from_rays(&rays);
        let boxes = AabbBatch::repeated(window, primitives).expect("boxes have no rules");
        for threads in [Threads::ONE, Threads::exactly(2).expect("two threads")] {
            let most = AtomicUsize::new(0);
            let watch = |progress: Progress| {
                assert_eq!(progress.total, lines * primitives);
                most.fetch_max(progress.done, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            let mut counts = Vec::new();
            let bulk = Bulk::new(Slab).threads(&threads).watch(&watch);
            bulk.counts(&rays, &boxes, &mut counts).expect("nobody stops it");
            assert_eq!(counts, vec![primitives as u32; lines]);
            assert_eq!(
                most.into_inner(),
                lines * primitives,
                "{lines} lines, {primitives} primitives"
            );
        }
    }
}

#[test]
fn a_small_call_stays_on_the_thread_that_makes_it() {
    let boxes = AabbBatch::repeated(Aabb { min: [0.0; 3], max: [1.0; 3] }, 64).expect("no rules");
    let rays = vec![Ray::new([-1.0, 0.5, 0.5], [1.0, 0.0, 0.0]); 1000];
    let here = std::thread::current().id();
    let calls = AtomicUsize::new(0);
    let elsewhere = AtomicUsize::new(0);
    let watch = |_: Progress| {
        calls.fetch_add(1, Ordering::Relaxed);
        elsewhere.fetch_add(usize::from(std::thread::current().id() != here), Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let two = Threads::exactly(2).expect("two threads");
    let bulk = Bulk::new(Slab).threads(&two).watch(&watch);
    let mut bits = Vec::new();
    for lines in [8, 100, 1000] {
        bulk.bits(&RayBatch::from_rays(&rays[..lines]), &boxes, &mut bits)
            .expect("nobody stops it");
    }
    assert_eq!((calls.load(Ordering::Relaxed), elsewhere.load(Ordering::Relaxed)), (3, 0));
    // A large one is shared.
    let many = AabbBatch::repeated(boxes.get(0), 10_000).expect("no rules");
    bulk.bits(&RayBatch::from_rays(&rays), &many, &mut bits).expect("nobody stops it");
    assert!(elsewhere.into_inner() > 3);
}

#[test]
fn more_lines_than_memory_holds_are_refused() {
    let ray = Ray::new([-1.0_f32, 0.5, 0.5], [1.0, 0.0, 0.0]);
    let window = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let bulk = Bulk::new(Slab);
    for lines in [usize::MAX, usize::MAX / 2, 1 << 60] {
        let rays = RayBatch::repeated(ray, lines).expect("rays have no rules");
        for primitives in [0, 1, 100] {
            let boxes = AabbBatch::repeated(window, primitives).expect("boxes have no rules");
            let (mut bits, mut counts) = (vec![7], vec![7]);
            let (mut list, mut closest) = (HitList::new(), BulkClosest::new());
            let refused = Err(Error::TooManyLines { lines });
            assert_eq!(bulk.bits(&rays, &boxes, &mut bits), refused);
            assert_eq!(bulk.counts(&rays, &boxes, &mut counts), refused);
            assert_eq!(bulk.list(&rays, &boxes, &mut list), refused);
            assert_eq!(bulk.closest(&rays, &boxes, &mut closest), refused);
            assert!(bits.is_empty() && counts.is_empty() && list.offsets.is_empty());
        }
        let boxes = AabbBatch::repeated(window, lines).expect("boxes have no rules");
        let mut hits = HitTable::new();
        assert_eq!(
            bulk.pairwise(&rays, &boxes, &mut hits),
            Err(Error::AnswersTooLarge { rows: lines })
        );
        assert_eq!(
            bulk.one_to_many(&ray, &boxes, &mut hits),
            Err(Error::AnswersTooLarge { rows: lines })
        );
        assert!(hits.is_empty());
    }
    // 2^58 words.
    let all = u32::MAX as usize;
    let rays = RayBatch::repeated(ray, all).expect("rays have no rules");
    let boxes = AabbBatch::repeated(window, all).expect("boxes have no rules");
    let mut bits = vec![7];
    assert_eq!(bulk.bits(&rays, &boxes, &mut bits), Err(Error::AnswersTooLarge { rows: all }));
    assert!(bits.is_empty());
}
