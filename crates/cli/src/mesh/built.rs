//! A scene with the time that it took, and what it holds.

use crate::number::counted;
use crate::precision::Number;
use crate::scenes::Kinds;
use lanecast::Scene;
use serde::Serialize;
use std::sync::Arc;

/// A scene and how long its tree took.
#[derive(Debug, Clone)]
pub(crate) struct Built<T: lanecast::Precision = f32> {
    pub(crate) scene: Arc<Scene<T>>,
    /// To build it, or to open the file that it is in.
    pub(crate) seconds: f64,
    /// Whether it was opened, while files were read.
    pub(crate) is_opened: bool,
}

/// What rays and points can meet, counted.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Held {
    precision: &'static str,
    #[serde(flatten)]
    kinds: Kinds,
    /// The scenes placed in it, of which only the number is known.
    instances: usize,
}

impl Held {
    pub(crate) fn new<T: Number>(scene: &Scene<T>) -> Self {
        Self { precision: T::NAME, kinds: Kinds::of(scene), instances: scene.instance_count() }
    }

    /// In words: what there is, or that there are no triangles.
    pub(crate) fn words(self) -> String {
        let mut words = self.kinds.words();
        if self.instances > 0 {
            words.push(counted(self.instances, "instance"));
        }
        if words.is_empty() { counted(0, "triangle") } else { words.join(" + ") }
    }
}
