//! Every test on cases drawn at random: equal bits in every form, and answers as the reference has
//! them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use lanecast::primitive::Line;
use lanecast::primitive::{
    Aabb, Clip, Disc, DiscPlane, EnteredFace, FaceByFace, Obb, Rect, SeparatingAxes, Slab, Sphere,
    SphereRoots, Triangle, TriangleWithNormal, TripleProduct, Watertight,
};
use proptest::test_runner::{TestError, TestRunner};

use crate::catalogue::draw::{Case, CaseSeed, case_seed};
use crate::catalogue::forms::{Ledger, in_every_form};
use crate::catalogue::laid::CasePrimitive;
use crate::catalogue::subject::{Subject, catalogue};
use crate::common::scale::scaled;
use crate::common::strategies::cases;
use lanecast_reference::kernel::Verdict;
use lanecast_reference::kernel::number::Number;

/// Holds every answer against the reference, and counts what it said.
pub fn judge_all<P: CasePrimitive, K: Subject<P>>(
    test: K,
    case: &Case<P, K::Line>,
    hits: &[Vec<Option<K::Hit>>],
    verdicts: &mut BTreeMap<Verdict, usize>,
) {
    for (line, row) in case.lines.iter().zip(hits) {
        if line.line_defect().is_some() {
            continue;
        }
        for (primitive, hit) in case.primitives.iter().zip(row) {
            match test.judge(primitive, line, *hit) {
                Ok(verdict) => *verdicts.entry(verdict).or_default() += 1,
                Err(message) => {
                    panic!("{message}\n{test:?}: {hit:?}\nfor {line:?}\nand {primitive:?}")
                }
            }
        }
    }
}

/// Runs a check that panics on so many cases. Of a failure it says why, and the least case that
/// fails.
fn check_cases(
    count: u32,
    levels: i32,
    check: &dyn Fn(&CaseSeed),
) -> Result<(), (String, Option<CaseSeed>)> {
    let outcome = TestRunner::new(cases(count)).run(&case_seed(levels), |seed| {
        check(&seed);
        Ok(())
    });
    outcome.map_err(|failure| match failure {
        TestError::Fail(reason, seed) => (reason.to_string(), Some(seed)),
        TestError::Abort(reason) => (reason.to_string(), None),
    })
}

/// Runs so many cases: with how many pairs on each backend, and what the reference said of them.
pub fn run<P: CasePrimitive, K: Subject<P>>(
    test: K,
    count: u32,
) -> (Ledger, BTreeMap<Verdict, usize>) {
    let runs = RefCell::default();
    let outcome = check_cases(count, P::LEVELS, &|seed| {
        let (ledger, verdicts) = &mut *runs.borrow_mut();
        let case = seed.case();
        let hits = in_every_form(test, &case, ledger);
        judge_all(test, &case, &hits, verdicts);
    });
    if let Err((failure, seed)) = outcome {
        panic!("{failure}\n{:?}", seed.map(|seed| seed.case::<P, K::Line>()));
    }
    let (ledger, verdicts): (Ledger, BTreeMap<Verdict, usize>) = runs.into_inner();
    // A reference that rarely commits itself, or cases that all go one way, would show nothing.
    let of = |verdict| verdicts.get(&verdict).copied().unwrap_or(0);
    let all: usize = verdicts.values().sum();
    assert!(of(Verdict::Met) * 50 > all && of(Verdict::Missed) * 10 > all, "{verdicts:?}");
    assert!((of(Verdict::Either) + of(Verdict::Unstated)) * 2 < all, "{verdicts:?}");
    (ledger, verdicts)
}

macro_rules! run_each {
    ($($name:ident: $primitive:ty, $test:expr, $title:literal;)*) => {$(
        {
            type T = f32;
            run::<$primitive, _>($test, scaled(13) as u32);
        }
        {
            type T = f64;
            run::<$primitive, _>($test, scaled(13) as u32);
        }
    )*};
}

/// The same cases as the table is made of, and more.
#[test]
#[ignore = "the table runs enough for every day"]
fn many_more_cases() {
    catalogue!(run_each);
}
