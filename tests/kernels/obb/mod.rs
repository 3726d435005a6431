//! Lines, rays and segments against oriented boxes.

mod boxes;
mod kernels;
mod rules;

/// Runs a body that is generic over the precision in both.
macro_rules! in_both_precisions {
    ($($(#[$attribute:meta])* fn $name:ident<$t:ident>() $body:block)*) => {
        $($(#[$attribute])* #[test] fn $name() {
            fn body<$t: crate::obb::boxes::Precision>() $body
            body::<f32>();
            body::<f64>();
        })*
    };
}

use in_both_precisions;
