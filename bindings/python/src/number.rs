//! The two precisions, and what is of either: scenes, and makers that hold all that they need.

use lanecast::{Maker, Ray, Scene};
use lanecast_makers::{Grid, Lidar, Panorama, Pinhole, Wide};
use numpy::Element;
use std::sync::Arc;

/// A scene of either precision.
#[derive(Clone)]
pub(crate) enum Content {
    F32(Arc<Scene<f32>>),
    F64(Arc<Scene<f64>>),
}

impl Content {
    /// Whether both are one and the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::F32(scene), Self::F32(other)) => Arc::ptr_eq(scene, other),
            (Self::F64(scene), Self::F64(other)) => Arc::ptr_eq(scene, other),
            _ => false,
        }
    }
}

/// Makers that hold all that they need, and make rays of either precision.
pub(crate) enum Whole {
    Pinhole(Pinhole),
    Panorama(Panorama),
    Grid(Grid),
    Lidar(Lidar),
}

/// The numbers of a precision, in the engine and in arrays.
pub(crate) trait Number:
    lanecast::Precision + lanecast_io::Coordinate + lanecast_makers::Number + Element
{
    /// The name of its dtype.
    const DTYPE: &'static str;

    /// The scene, if it is of this precision.
    fn scene_of(content: &Content) -> Option<&Arc<Scene<Self>>>;

    /// The same, to change it.
    fn scene_of_mut(content: &mut Content) -> Option<&mut Arc<Scene<Self>>>;

    /// The scene as content.
    fn content(scene: Arc<Scene<Self>>) -> Content;

    /// The maker with rays of this precision.
    fn maker(whole: &Whole) -> Box<dyn Maker<Ray<Self>> + '_>;
}

macro_rules! number {
    ($type:ty, $dtype:literal, $content:ident, $made:path) => {
        impl Number for $type {
            const DTYPE: &'static str = $dtype;

            fn scene_of(content: &Content) -> Option<&Arc<Scene<Self>>> {
                if let Content::$content(scene) = content { Some(scene) } else { None }
            }

            fn scene_of_mut(content: &mut Content) -> Option<&mut Arc<Scene<Self>>> {
                if let Content::$content(scene) = content { Some(scene) } else { None }
            }

            fn content(scene: Arc<Scene<Self>>) -> Content {
                Content::$content(scene)
            }

            fn maker(whole: &Whole) -> Box<dyn Maker<Ray<Self>> + '_> {
                match whole {
                    Whole::Pinhole(maker) => Box::new($made(maker)),
                    Whole::Panorama(maker) => Box::new($made(maker)),
                    Whole::Grid(maker) => Box::new($made(maker)),
                    Whole::Lidar(maker) => Box::new($made(maker)),
                }
            }
        }
    };
}

number!(f32, "float32", F32, Clone::clone);
number!(f64, "float64", F64, Wide::new);
