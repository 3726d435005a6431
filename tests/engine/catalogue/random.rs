//! Every test on cases drawn at random: equal bits in every form, and answers as the reference has them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use lanecast::primitive::Line;
use lanecast::primitive::{
    Aabb, Clip, Disc, DiscPlane, EnteredFace, FaceByFace, Obb, Rect, SeparatingAxes, Slab, Sphere,
    SphereRoots, Triangle, TriangleWithNormal, TripleProduct, Watertight,
};
use proptest::test_runner::TestRunner;

use crate::catalogue::draw::{Case, case};
use crate::catalogue::forms::{Ledger, in_every_form};
use crate::catalogue::laid::CasePrimitive;
use crate::catalogue::subject::{Subject, catalogue};
use crate::common::scale::scaled;
use lanecast_reference::kernel::Verdict;
use lanecast_reference::kernel::number::Number;
use lanecast_reference::strategies::cases;

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
                Err(message) => panic!("{message}\n{test:?}: {hit:?}\nfor {line:?}\nand {primitive:?}"),
            }
        }
    }
}

/// Runs so many cases: with how many pairs on each backend, and what the reference said of them.
pub fn run<P: CasePrimitive, K: Subject<P>>(test: K, count: u32) -> (Ledger, BTreeMap<Verdict, usize>) {
    let runs = RefCell::default();
    let outcome = TestRunner::new(cases(count)).run(&case::<P, K::Line>(), |case| {
        let (ledger, verdicts) = &mut *runs.borrow_mut();
        let hits = in_every_form(test, &case, ledger);
        judge_all(test, &case, &hits, verdicts);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
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
