//! Scenes with a filter before their queries.

use super::{Scene, SceneF64};
use crate::batch::{Filter, HitFilter};

macro_rules! filtered {
    ($(#[$doc:meta])* $name:ident of $scene:ty, $number:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a> {
            pub(super) scene: &'a $scene,
            pub(super) filter: Filter<'a, $number>,
        }

        impl<'a> $name<'a> {
            pub(super) const fn new(scene: &'a $scene, accepts: &'a HitFilter<'a, $number>) -> Self {
                Self { scene, filter: Filter::new(accepts) }
            }
        }

        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).field("scene", self.scene).finish_non_exhaustive()
            }
        }
    };
}

filtered! {
    /// The queries of a [`Scene`] over the hits that a [filter](Scene::filter) accepts.
    Filtered of Scene, f32
}

filtered! {
    /// The queries of a [`SceneScan`](super::SceneScan) over the hits that a filter accepts.
    FilteredScan of Scene, f32
}

filtered! {
    /// The queries of a [`SceneF64`] over the hits that a [filter](SceneF64::filter) accepts.
    FilteredF64 of SceneF64, f64
}

filtered! {
    /// The queries of a [`SceneF64Scan`](super::SceneF64Scan) over the hits that a filter accepts.
    FilteredF64Scan of SceneF64, f64
}
