//! One ray, answered as a batch of one where it takes no shortcut.

use super::{Cast, Options, RaysOf};
use crate::error::{Error, Result};
use crate::scene::{Precision, Scene};
use crate::status::Status;
use crate::threads::Threads;
use crate::value::{Ray, RayBatch};

/// One ray and its scene.
#[derive(Debug, Clone, Copy)]
pub struct OneRay<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) ray: &'a Ray<T>,
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// A copy for what takes no shortcut: so the request itself, of which nothing else needs the address, stays in
    /// registers where it is plain.
    #[inline]
    pub(super) fn copied(&self) -> Self {
        Self { asked: self.asked, options: self.options.clone() }
    }

    /// The ray as a batch of one, answered on the calling thread.
    pub(super) fn as_batch(&self) -> Cast<'_, T, RaysOf<'_, T>> {
        let OneRay { scene, ray } = self.asked;
        let rays = RayBatch::from_rays(std::slice::from_ref(ray));
        let options = Options { threads: &Threads::ONE, ..self.options.clone() };
        Cast { asked: RaysOf { scene, rays }, options }
    }
}

impl<T: Precision> Scene<T> {
    /// Whether the scene holds only triangles, and hides none.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        !self.masks.hide() && self.others.is_empty()
    }
}

/// Whether the status is a hit; an error if the ray was not cast.
pub(super) fn met_or_refused(status: Status) -> Result<bool> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(status.is_hit()) }
}
