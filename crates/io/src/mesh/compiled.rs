//! What is compiled here for each precision: a caller's crate compiles neither readers nor loops over vertices, with whatever
//! optimisation it has.

use super::{Coarseness, Mesh, MeshFormat, Model};
use crate::error::Result;
use lanecast::Affine;
use std::path::Path;

/// The doors to it.
pub(crate) trait Compiled: Sized {
    /// A number as what is the same for equal bits.
    type Bits: Copy + Eq + std::hash::Hash;

    fn bits(self) -> Self::Bits;

    fn read(path: &Path, format: Option<MeshFormat>) -> Result<Model<Self>>;

    fn place(mesh: &mut Mesh<Self>, transform: &Affine);

    fn coarseness(model: &Model<Self>) -> Option<Coarseness>;
}

macro_rules! compiled {
    ($($number:ident as $bits:ident,)*) => {$(
        impl Compiled for $number {
            type Bits = $bits;

            fn bits(self) -> $bits {
                self.to_bits()
            }

            fn read(path: &Path, format: Option<MeshFormat>) -> Result<Model<Self>> {
                super::read(path, format)
            }

            fn place(mesh: &mut Mesh<Self>, transform: &Affine) {
                super::model::place(mesh, transform);
            }

            fn coarseness(model: &Model<Self>) -> Option<Coarseness> {
                super::model::coarseness(model)
            }
        }
    )*};
}

compiled! { f32 as u32, f64 as u64, }
