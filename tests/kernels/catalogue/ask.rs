//! One question, asked in every form.

use std::collections::BTreeMap;

use crate::catalogue::draw::Case;
use crate::catalogue::forms::{Ledger, in_every_form};
use crate::catalogue::laid::CasePrimitive;
use crate::catalogue::random::judge_all;
use crate::catalogue::subject::Subject;

/// The answer for one pair: of every form, on every backend, in every lane, and not contradicted by
/// the reference.
pub fn ask<P: CasePrimitive, K: Subject<P>>(
    test: K,
    primitive: P,
    line: K::Line,
) -> Option<K::Hit> {
    let case = Case { lines: vec![line; 2], primitives: vec![primitive; 9] };
    let hits = in_every_form(test, &case, &mut Ledger::default());
    judge_all(test, &case, &hits, &mut BTreeMap::new());
    hits[0][0]
}

/// Makes each generic function a test of that name, for both precisions.
macro_rules! in_both_precisions {
    ($($(#[$note:meta])* fn $name:ident<$t:ident>() $body:block)*) => {$(
        $(#[$note])*
        #[test]
        fn $name() {
            fn body<$t: lanecast_reference::kernel::number::Number>() $body
            body::<f32>();
            body::<f64>();
        }
    )*};
}

pub(crate) use in_both_precisions;
