//! The tests of a line against a triangle, in both precisions, in every form, on every backend.

mod answers;
mod by_hand;
mod crossings;
mod draw;
mod ends;
mod extremes;
mod forms;
mod triple_product;
mod watertight;

use lanecast::Culling;

const CASES: u32 = if cfg!(debug_assertions) { 300 } else { 10_000 };
/// Where every form runs, or much is exact.
const FEWER_CASES: u32 = if cfg!(debug_assertions) { 50 } else { 1_500 };
const CULLINGS: [Culling; 3] = [Culling::None, Culling::Back, Culling::Front];

/// Runs a body in both precisions.
macro_rules! in_both_precisions {
    ($($(#[$doc:meta])* fn $name:ident<$t:ident>() $body:block)+) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                fn body<$t: lanecast::primitive::ExactScalar>() $body
                body::<f32>();
                body::<f64>();
            }
        )+
    };
}

use in_both_precisions;
