//! What bulk calls make of bad and of odd input, and of more than one chunk.

use lanecast::primitive::{
    Aabb, AabbBatch, Clip, Obb, Rect, SeparatingAxes, Slab, Triangle, Watertight,
};
use lanecast::{
    Error, Ray, RayBatch, Status, Threads,
    columns::Columns,
    primitive::{Bulk, BulkClosest, Defects, HitList, HitTable, Line},
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::catalogue::ask::in_both_precisions;
use crate::catalogue::draw::{Case, case_seed};
use crate::catalogue::forms::bits_of;
use crate::catalogue::laid::{CasePrimitive, Laid, parts_of};
use crate::catalogue::subject::Subject;
use crate::common::backends::every_backend;
use crate::common::strategies::cases;
use lanecast_reference::kernel::number::Number;

fn cube<T: Number>() -> Aabb<T> {
    Aabb { min: [T::of(-1.0); 3], max: [T::ONE; 3] }
}

fn sound<T: Number>() -> Ray<T> {
    Ray::new([-3.0, 0.0, 0.0].map(T::of), [1.0, 0.0, 0.0].map(T::of))
}

/// Rays with something wrong, each of which would meet the cube were it not so.
fn defective<T: Number>() -> [Ray<T>; 8] {
    let (nan, sound) = (T::of_f64(f64::NAN), sound::<T>());
    let with = |origin: T, direction: T| Ray {
        origin: [sound.origin[0], origin, T::ZERO],
        direction: [T::ONE, direction, T::ZERO],
        ..sound
    };
    [
        with(nan, T::ZERO),
        with(T::ZERO, nan),
        with(T::INFINITY, T::ZERO),
        with(T::ZERO, T::NEG_INFINITY),
        Ray { direction: [T::ZERO; 3], ..sound },
        sound.with_interval(nan, T::of(9.0)),
        sound.with_interval(T::ZERO, nan),
        sound.with_interval(T::of(3.0), T::of(2.5)),
    ]
}

/// More pairs than a chunk holds.
const MANY: usize = 18_000;

fn two_threads() -> [Threads; 2] {
    [Threads::ONE, Threads::exactly(2).unwrap_or(Threads::ONE)]
}

in_both_precisions! {
    fn rays_with_a_defect_meet_nothing_and_are_named<T>() {
        let bad = defective::<T>();
        assert!(bad.iter().all(|ray| ray.defect().is_some()));
        for first in 0..20 {
            let mut rays = vec![sound::<T>(); 20];
            for (ray, bad) in rays[first..].iter_mut().step_by(2).zip(&bad) {
                *ray = *bad;
            }
            let is_bad: Vec<bool> = rays.iter().map(|ray| ray.defect().is_some()).collect();
            let expected = Defects { count: is_bad.iter().filter(|bad| **bad).count(), first: Some(first) };
            let boxes = vec![cube::<T>(); rays.len()];
            let (rays, boxes) = (RayBatch::from_rays(&rays), AabbBatch::from_slice(&boxes).expect("no rules"));
            for backend in every_backend() {
                for threads in two_threads() {
                    let bulk = Bulk::new(Slab).backend(backend).threads(&threads);
                    let mut hits = HitTable::new();
                    assert_eq!(bulk.pairwise(&rays, &boxes, &mut hits), Ok(expected));
                    let (mut bits, mut counts) = (Vec::new(), Vec::new());
                    let (mut list, mut closest) = (HitList::new(), BulkClosest::new());
                    assert_eq!(bulk.bits(&rays, &boxes, &mut bits), Ok(expected));
                    assert_eq!(bulk.counts(&rays, &boxes, &mut counts), Ok(expected));
                    assert_eq!(bulk.list(&rays, &boxes, &mut list), Ok(expected));
                    assert_eq!(bulk.closest(&rays, &boxes, &mut closest), Ok(expected));
                    for (row, &bad) in is_bad.iter().enumerate() {
                        assert_eq!(hits.codes()[row] != 0, !bad, "{backend}: {row} of {first}");
                        assert_eq!(bits[row] != 0, !bad, "{backend}: {row} of {first}");
                        assert_eq!(counts[row], if bad { 0 } else { 20 }, "{backend}: {row} of {first}");
                        assert_eq!(list.of_line(row).is_empty(), bad, "{backend}: {row} of {first}");
                        let t = if bad { T::INFINITY } else { T::of(2.0) };
                        assert_eq!(closest.t[row], t, "{backend}: {row} of {first}");
                    }
                }
            }
        }
    }

    fn a_single_line_with_a_defect_is_refused<T>() {
        let boxes = [cube::<T>()];
        let boxes = AabbBatch::from_slice(&boxes).expect("no rules");
        let status = [
            Status::InvalidOrigin,
            Status::InvalidDirection,
            Status::InvalidOrigin,
            Status::InvalidDirection,
            Status::ZeroDirection,
            Status::InvalidInterval,
            Status::InvalidInterval,
            Status::EmptyInterval,
        ];
        for (ray, status) in defective::<T>().iter().zip(status) {
            let answer = Bulk::new(Slab).one_to_many(ray, &boxes, &mut HitTable::new());
            assert_eq!(answer, Err(Error::InvalidRay { status }), "{ray:?}");
        }
    }

    fn columns_of_different_lengths_are_refused<T>() {
        let (rays, boxes) = (vec![sound::<T>(); 3], vec![cube::<T>(); 2]);
        let (rays, boxes) = (RayBatch::from_rays(&rays), AabbBatch::from_slice(&boxes).expect("no rules"));
        let answer = Bulk::new(Slab).pairwise(&rays, &boxes, &mut HitTable::new());
        assert_eq!(answer, Err(Error::ColumnLength { column: "primitives", found: 2, expected: 3 }));
        let (two, three) = ([T::ZERO; 2], [T::ZERO; 3]);
        let parts = AabbBatch::from_parts([[&three[..], &three, &three], [&three, &two, &three]]);
        assert!(matches!(parts, Err(Error::ColumnLength { found: 2, expected: 3, .. })), "{parts:?}");
        let (cube, rows) = (cube::<T>(), [[-T::ONE, -T::ONE, -T::ONE, T::ONE, T::ONE, T::ONE]; 2]);
        let rows = AabbBatch::<T>::from_rows(&rows).expect("no rules");
        assert_eq!((rows.len(), rows.get(1)), (2, cube));
    }

    fn empty_columns_have_empty_answers<T>() {
        let (rays, boxes) = (RayBatch::<T>::from_rays(&[]), AabbBatch::<T>::from_slice(&[]).expect("no rules"));
        assert!(rays.is_empty() && boxes.is_empty());
        let none = Ok(Defects::default());
        let mut hits = HitTable::new();
        assert_eq!(Bulk::new(Slab).pairwise(&rays, &boxes, &mut hits), none);
        assert!(hits.is_empty());
        let (mut bits, mut counts) = (vec![1], vec![1]);
        let (mut list, mut closest) = (HitList::new(), BulkClosest::new());
        assert_eq!(Bulk::new(Slab).bits(&rays, &boxes, &mut bits), none);
        assert_eq!(Bulk::new(Slab).counts(&rays, &boxes, &mut counts), none);
        assert_eq!(Bulk::new(Slab).list(&rays, &boxes, &mut list), none);
        assert_eq!(Bulk::new(Slab).closest(&rays, &boxes, &mut closest), none);
        assert_eq!((bits.len(), counts.len(), closest.index.len()), (0, 0, 0));
        assert_eq!((list.offsets, list.indices), (vec![0], vec![]));
    }

    fn of_equally_near_boxes_the_first_is_the_closest<T>() {
        for (count, first) in [(3, 1), (17, 9), (40, 16), (130, 64), (130, 127)] {
            let far = Aabb { min: [T::ZERO; 3], max: [T::ONE; 3] };
            let mut boxes = vec![far; count];
            boxes[first..].fill(cube::<T>());
            let rays = [sound::<T>(); 3];
            let (rays, boxes) = (RayBatch::from_rays(&rays), AabbBatch::from_slice(&boxes).expect("no rules"));
            for backend in every_backend() {
                let mut closest = BulkClosest::new();
                Bulk::new(Slab).backend(backend).closest(&rays, &boxes, &mut closest).expect("sound");
                assert_eq!((closest.index, closest.t), (vec![first as u32; 3], vec![T::of(2.0); 3]), "{backend}");
            }
        }
    }
}

/// A case of some lines and primitives, the same in every run.
fn some_case<P: CasePrimitive, L: crate::catalogue::laid::CaseLine<Scalar = P::Scalar>>()
-> Case<P, L> {
    let mut runner = TestRunner::new(cases(1));
    let drawn = case_seed(P::LEVELS).prop_filter("both", |seed| seed.pairs() >= 100);
    drawn.new_tree(&mut runner).expect("most cases are of that size").current().case()
}

/// Repeats a case until there are many chunks, whose answers must repeat too.
fn many<P: CasePrimitive, K: Subject<P>>(test: K) {
    let Case { lines, primitives } = some_case::<P, K::Line>();
    let pair =
        |row: usize| (lines[row % lines.len()], primitives[row / lines.len() % primitives.len()]);
    let (many_lines, many_primitives): (Vec<K::Line>, Vec<P>) = (0..MANY).map(pair).unzip();
    let period = lines.len() * primitives.len();
    let bad = (0..MANY).filter(|&row| many_lines[row].line_defect().is_some());
    let defects = Defects { count: bad.clone().count(), first: bad.clone().next() };
    let columns = (
        Columns::from_slice(&many_lines).expect("sound"),
        Columns::from_slice(&many_primitives).expect("sound"),
    );
    let parts = (parts_of(&many_lines), parts_of(&many_primitives));
    let plain =
        (K::Line::from_parts(&parts.0).expect("sound"), P::from_parts(&parts.1).expect("sound"));
    for backend in every_backend() {
        for threads in two_threads() {
            let bulk = Bulk::new(test).backend(backend).threads(&threads);
            let mut hits = HitTable::new();
            assert_eq!(bulk.pairwise(&columns.0, &columns.1, &mut hits), Ok(defects));
            assert!(hits.codes()[period..] == hits.codes()[..MANY - period], "{test:?} {backend}");
            let tests = |row: &usize| {
                test.intersect(&many_primitives[*row], &many_lines[*row]).ok().flatten()
            };
            for row in 0..period {
                assert_eq!(hits.get(row), tests(&row), "{test:?} {backend}: row {row}");
            }
            for place in 0..K::VALUES {
                let column = bits_of(hits.column(place));
                assert!(
                    column[period..] == column[..MANY - period],
                    "{test:?} {backend}: column {place}"
                );
            }
            let (mut of_plain, mut t) = (HitTable::new(), Vec::new());
            assert_eq!(bulk.pairwise(&plain.0, &plain.1, &mut of_plain), Ok(defects));
            assert!(of_plain.codes() == hits.codes(), "{test:?} {backend}: plain columns");
            for place in 0..K::VALUES {
                let same = bits_of(of_plain.column(place)) == bits_of(hits.column(place));
                assert!(same, "{test:?} {backend}: plain column {place}");
            }
            if let Some(found) = K::pairwise_t(&bulk, &plain.0, &plain.1, &mut t) {
                assert_eq!(found, Ok(defects));
                assert!(bits_of(&t) == bits_of(hits.column(0)), "{test:?} {backend}: t alone");
            }
            for line in lines.iter().filter(|line| line.line_defect().is_none()).take(2) {
                assert_eq!(bulk.one_to_many(line, &columns.1, &mut hits), Ok(()));
                assert!(
                    hits.codes()[period..] == hits.codes()[..MANY - period],
                    "{test:?} {backend}"
                );
                let expected: Vec<_> = many_primitives[..period]
                    .iter()
                    .map(|p| test.intersect(p, line).ok().flatten())
                    .collect();
                assert!(
                    (0..period).all(|row| hits.get(row) == expected[row]),
                    "{test:?} {backend}"
                );
            }
            // Many lines, each with some primitives: the lines are what is spread.
            let some = Columns::from_slice(&primitives).expect("sound");
            let (mut counts, mut list) = (Vec::new(), HitList::new());
            assert_eq!(bulk.counts(&columns.0, &some, &mut counts), Ok(defects));
            assert_eq!(bulk.list(&columns.0, &some, &mut list), Ok(defects));
            let width = lines.len();
            assert!(counts[width..] == counts[..MANY - width], "{test:?} {backend}");
            assert!(
                (width..MANY).all(|line| list.of_line(line) == list.of_line(line - width)),
                "{test:?} {backend}"
            );
            assert!(
                (0..MANY).all(|line| list.of_line(line).len() == counts[line] as usize),
                "{test:?} {backend}"
            );
        }
    }
}

/// Of one test with a hit of each kind: chunks are the same for all.
#[test]
fn many_chunks_answer_as_one() {
    many::<Aabb<f32>, _>(Slab);
    many::<Rect<f64>, _>(Clip::<f64>::EXACT);
    many::<Obb<f64>, _>(SeparatingAxes);
    many::<Triangle<f32>, _>(Watertight::ONE_SIDED);
}
