//! The two precisions behind one handle.

use std::sync::Arc;

use lanecast::answers::{AllHitsBatch, NearPointBatch};
use lanecast::{Precision, Scene};

use crate::border::Failure;
use crate::lists::{OfEither, lanecast_hit_lists, lanecast_point_lists};

/// The precision of a scene, and of the numbers of its content, rays, points and answers.
pub type lanecast_precision = i32;

/// `float`.
pub const LANECAST_F32: lanecast_precision = 1;
/// `double`.
pub const LANECAST_F64: lanecast_precision = 2;

/// A scene of either precision.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    F32(Arc<Scene<f32>>),
    F64(Arc<Scene<f64>>),
}

/// What differs between the precisions.
pub(crate) trait Number: Precision + bytemuck::Pod {
    const PRECISION: lanecast_precision;

    /// The ends of intervals that name none: of lines, of rays, and the upper one.
    const ENDS: [&'static [Self; 1]; 3];

    fn content(scene: Scene<Self>) -> Content;

    fn scene_of(content: &Content) -> Option<&Arc<Scene<Self>>>;

    fn of_hits(lists: AllHitsBatch<Self>) -> lanecast_hit_lists;

    fn of_points(lists: NearPointBatch<Self>) -> lanecast_point_lists;

    /// Rounded to the nearest number.
    fn rounded(number: f64) -> Self;

    /// The greatest number that is not greater.
    fn rounded_down(number: f64) -> Self;

    /// The least number that is not less.
    fn rounded_up(number: f64) -> Self;
}

macro_rules! number {
    ($type:ty, $precision:ident, $content:ident) => {
        impl Number for $type {
            const PRECISION: lanecast_precision = $precision;
            const ENDS: [&'static [Self; 1]; 3] =
                [&[Self::NEG_INFINITY], &[0.0], &[Self::INFINITY]];

            fn content(scene: Scene<Self>) -> Content {
                Content::$content(Arc::new(scene))
            }

            fn scene_of(content: &Content) -> Option<&Arc<Scene<Self>>> {
                if let Content::$content(scene) = content { Some(scene) } else { None }
            }

            fn of_hits(lists: AllHitsBatch<Self>) -> lanecast_hit_lists {
                lanecast_hit_lists(OfEither::$content(lists))
            }

            fn of_points(lists: NearPointBatch<Self>) -> lanecast_point_lists {
                lanecast_point_lists(OfEither::$content(lists))
            }

            fn rounded(number: f64) -> Self {
                number as Self
            }

            fn rounded_down(number: f64) -> Self {
                let nearest = number as Self;
                if f64::from(nearest) > number { nearest.next_down() } else { nearest }
            }

            fn rounded_up(number: f64) -> Self {
                let nearest = number as Self;
                if f64::from(nearest) < number { nearest.next_up() } else { nearest }
            }
        }
    };
}

number!(f32, LANECAST_F32, F32);
number!(f64, LANECAST_F64, F64);

/// Runs an expression with the scene, whatever its precision.
macro_rules! with_scene {
    ($content:expr, $scene:pat => $body:expr) => {
        match $content {
            $crate::content::Content::F32($scene) => $body,
            $crate::content::Content::F64($scene) => $body,
        }
    };
}
pub(crate) use with_scene;

/// Runs a generic function of the precision that a constant names.
macro_rules! of_precision {
    ($name:literal, $precision:expr, $number:ident => $body:expr) => {
        match $precision {
            $crate::content::LANECAST_F32 => {
                type $number = f32;
                $body
            }
            $crate::content::LANECAST_F64 => {
                type $number = f64;
                $body
            }
            other => Err($crate::content::unknown_precision($name, other)),
        }
    };
}
pub(crate) use of_precision;

pub(crate) fn unknown_precision(name: &str, found: lanecast_precision) -> Failure {
    let problem = format!("{found} is no precision; LANECAST_F32 or LANECAST_F64 was expected");
    Failure::argument(name, problem)
}

/// Refuses numbers of another precision than the scene's.
pub(crate) fn expect_precision<T: Number>(
    name: &str,
    found: lanecast_precision,
) -> Result<(), Failure> {
    let name_of =
        |precision| if precision == LANECAST_F32 { "LANECAST_F32" } else { "LANECAST_F64" };
    match found {
        found if found == T::PRECISION => Ok(()),
        LANECAST_F32 | LANECAST_F64 => {
            let problem =
                format!("it is {}, and the scene is {}", name_of(found), name_of(T::PRECISION));
            Err(Failure::argument(name, problem))
        }
        other => Err(unknown_precision(name, other)),
    }
}
