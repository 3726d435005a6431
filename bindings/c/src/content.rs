//! The two precisions: what there is of either behind one handle, and all that differs between them.

use std::sync::Arc;

use lanecast::answers::{AllHitsBatch, NearPointBatch};
use lanecast::{Geometry, Hit, Maker, Ray, Scene};
use lanecast_makers::Wide;

use crate::border::Failure;
use crate::geometry::lanecast_geometry;
use crate::lists::{lanecast_hit_lists, lanecast_point_lists};
use crate::makers::{OfPoints, Whole, lanecast_maker};
use crate::returns::{ReturnLists, lanecast_return_lists};
use crate::single::{lanecast_hit_f32, lanecast_hit_f64, lanecast_ray_f32, lanecast_ray_f64};

/// The precision of a scene, and of the numbers of its content, rays, points and answers.
pub type lanecast_precision = i32;

/// `float`.
pub const LANECAST_F32: lanecast_precision = 1;
/// `double`.
pub const LANECAST_F64: lanecast_precision = 2;

/// Of either precision.
#[derive(Debug, Clone)]
pub enum OfEither<A, B> {
    F32(A),
    F64(B),
}

/// A scene of either precision.
pub type Content = OfEither<Arc<Scene<f32>>, Arc<Scene<f64>>>;

/// A geometry of either precision.
pub(crate) type Geometries = OfEither<Geometry<'static, f32>, Geometry<'static, f64>>;

/// What differs between the precisions.
pub(crate) trait Number:
    lanecast::Precision + lanecast_makers::Number + bytemuck::Pod
{
    const PRECISION: lanecast_precision;

    /// The ends of intervals that name none: of lines, of rays, and the upper one.
    const ENDS: [&'static [Self; 1]; 3];

    /// A single ray, and its hit, as C has them.
    type Ray;
    type Hit;

    fn content(scene: Scene<Self>) -> Content;

    fn scene_of(content: &Content) -> Option<&Arc<Scene<Self>>>;

    fn geometry(geometry: Geometry<'static, Self>) -> Geometries;

    fn geometry_of(geometry: &lanecast_geometry) -> Option<&Geometry<'static, Self>>;

    fn hit_lists(lists: AllHitsBatch<Self>) -> lanecast_hit_lists;

    fn point_lists(lists: NearPointBatch<Self>) -> lanecast_point_lists;

    fn return_lists(lists: ReturnLists<Self>) -> lanecast_return_lists;

    /// What holds all that it needs makes rays of both precisions.
    fn maker(whole: &Whole) -> Box<dyn Maker<Ray<Self>> + '_>;

    fn maker_of_points(of_points: OfPoints<Self>) -> lanecast_maker;

    fn points_of(maker: &lanecast_maker) -> Option<&OfPoints<Self>>;

    fn ray(ray: &Self::Ray) -> &Ray<Self>;

    fn hit(hit: &Hit<Self>) -> Self::Hit;

    /// Rounded to the nearest number.
    fn rounded(number: f64) -> Self;

    /// The greatest number that is not greater.
    fn rounded_down(number: f64) -> Self;

    /// The least number that is not less.
    fn rounded_up(number: f64) -> Self;
}

macro_rules! number {
    ($type:ty, $precision:ident, $either:ident, $ray:ident, $hit:ident, $maker:path) => {
        impl Number for $type {
            const PRECISION: lanecast_precision = $precision;
            const ENDS: [&'static [Self; 1]; 3] =
                [&[Self::NEG_INFINITY], &[0.0], &[Self::INFINITY]];

            type Ray = $ray;
            type Hit = $hit;

            fn content(scene: Scene<Self>) -> Content {
                OfEither::$either(Arc::new(scene))
            }

            #[inline(always)]
            fn scene_of(content: &Content) -> Option<&Arc<Scene<Self>>> {
                if let OfEither::$either(scene) = content { Some(scene) } else { None }
            }

            fn geometry(geometry: Geometry<'static, Self>) -> Geometries {
                OfEither::$either(geometry)
            }

            fn geometry_of(geometry: &lanecast_geometry) -> Option<&Geometry<'static, Self>> {
                if let OfEither::$either(geometry) = &geometry.0 { Some(geometry) } else { None }
            }

            fn hit_lists(lists: AllHitsBatch<Self>) -> lanecast_hit_lists {
                lanecast_hit_lists(OfEither::$either(lists))
            }

            fn point_lists(lists: NearPointBatch<Self>) -> lanecast_point_lists {
                lanecast_point_lists(OfEither::$either(lists))
            }

            fn return_lists(lists: ReturnLists<Self>) -> lanecast_return_lists {
                lanecast_return_lists(OfEither::$either(lists))
            }

            fn maker(whole: &Whole) -> Box<dyn Maker<Ray<Self>> + '_> {
                match whole {
                    Whole::Pinhole(maker) => Box::new($maker(maker)),
                    Whole::Panorama(maker) => Box::new($maker(maker)),
                    Whole::Grid(maker) => Box::new($maker(maker)),
                    Whole::Lidar(maker) => Box::new($maker(maker)),
                }
            }

            fn maker_of_points(of_points: OfPoints<Self>) -> lanecast_maker {
                lanecast_maker::of_points(OfEither::$either(of_points))
            }

            fn points_of(maker: &lanecast_maker) -> Option<&OfPoints<Self>> {
                if let OfEither::$either(of_points) = maker.points()? {
                    Some(of_points)
                } else {
                    None
                }
            }

            #[inline(always)]
            fn ray(ray: &$ray) -> &Ray<Self> {
                // Not copied: the caller has just written the numbers, and a copy waits for that.
                bytemuck::cast_ref(ray)
            }

            #[inline(always)]
            fn hit(hit: &Hit<Self>) -> $hit {
                let Hit { t, u, v, primitive_id, geometry_id, instance_id } = *hit;
                $hit { t, u, v, primitive_id, geometry_id, instance_id }
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

number!(f32, LANECAST_F32, F32, lanecast_ray_f32, lanecast_hit_f32, Clone::clone);
number!(f64, LANECAST_F64, F64, lanecast_ray_f64, lanecast_hit_f64, Wide::new);

/// Runs an expression with what is of either precision. Without the feature `f64` nothing is of that
/// one, and the expression is compiled for the other alone.
macro_rules! with_either {
    ($either:expr, $value:pat => $body:expr) => {
        match $either {
            $crate::content::OfEither::F32($value) => $body,
            $crate::content::OfEither::F64($value) if cfg!(feature = "f64") => $body,
            $crate::content::OfEither::F64(_) => unreachable!("nothing is of f64"),
        }
    };
}
pub(crate) use with_either;

/// Runs a generic function of the precision that a constant names.
macro_rules! of_precision {
    ($name:literal, $precision:expr, $number:ident => $body:expr) => {
        match $precision {
            $crate::content::LANECAST_F32 => {
                type $number = f32;
                $body
            }
            $crate::content::LANECAST_F64 if cfg!(feature = "f64") => {
                type $number = f64;
                $body
            }
            other => Err($crate::content::unknown_precision($name, other)),
        }
    };
}
pub(crate) use of_precision;

pub(crate) fn unknown_precision(name: &str, found: lanecast_precision) -> Failure {
    let problem = match found {
        LANECAST_F64 => "this library was built without LANECAST_F64".to_owned(),
        found => format!("{found} is no precision; LANECAST_F32 or LANECAST_F64 was expected"),
    };
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
