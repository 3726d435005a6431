//! Scenes with a filter before their queries.

use super::{Scene, SceneF64};
use crate::batch::{AcceptIf, Frame};

macro_rules! filtered {
    ($(#[$doc:meta])* $name:ident of $scene:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a, F> {
            pub(super) scene: &'a $scene,
            accepts: F,
        }

        impl<'a, F> $name<'a, F> {
            pub(super) const fn new(scene: &'a $scene, accepts: F) -> Self {
                Self { scene, accepts }
            }

            pub(super) fn filter(&self) -> AcceptIf<'_, F> {
                AcceptIf { function: &self.accepts, frame: Frame::WHOLE }
            }
        }

        impl<F> std::fmt::Debug for $name<'_, F> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).field("scene", self.scene).finish_non_exhaustive()
            }
        }
    };
}

filtered! {
    /// The queries of a [`Scene`] over the hits that a [filter](Scene::filter) accepts.
    Filtered of Scene
}

filtered! {
    /// The queries of a [`SceneScan`](super::SceneScan) over the hits that a filter accepts.
    FilteredScan of Scene
}

filtered! {
    /// The queries of a [`SceneF64`] over the hits that a [filter](SceneF64::filter) accepts.
    FilteredF64 of SceneF64
}

filtered! {
    /// The queries of a [`SceneF64Scan`](super::SceneF64Scan) over the hits that a filter accepts.
    FilteredF64Scan of SceneF64
}
