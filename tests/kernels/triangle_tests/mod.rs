//! The tests of a line against a triangle, in both precisions, in every form, on every backend.

mod answers;
mod by_hand;
mod crossings;
mod draw;
mod ends;
mod extremes;
mod far;
mod triple_product;
mod watertight;

use crate::common::scale::scaled;
use lanecast::Culling;

/// How many cases there are.
fn many() -> u32 {
    scaled(2_000) as u32
}

/// The same where every form runs, every way through the tree, or much is exact.
fn few() -> u32 {
    scaled(300) as u32
}

const CULLINGS: [Culling; 3] = [Culling::None, Culling::Back, Culling::Front];

/// Runs a body in both precisions.
macro_rules! in_both_precisions {
    ($($(#[$doc:meta])* fn $name:ident<$t:ident>() $body:block)+) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                fn body<$t: lanecast_reference::kernel::number::Number>() $body
                body::<f32>();
                body::<f64>();
            }
        )+
    };
}

use in_both_precisions;
