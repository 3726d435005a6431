//! What is compiled here for each precision: a caller's crate compiles neither readers nor loops
//! over vertices or rows, with whatever optimisation it has.

use super::{Coordinate, Input, Mesh, Model};
use crate::error::Result;
use crate::hits::table::{self, Table};
use crate::hits::{Answers, HitKind, Named, Value, Vectors};
use crate::rows::{Opening, RayIds, Source};
use lanecast::{Affine, Ray};

/// The doors to it.
pub(crate) trait Compiled: Value {
    /// A number as what is the same for equal bits.
    type Bits: Copy + Eq + std::hash::Hash;

    fn bits(self) -> Self::Bits;

    fn read(source: Input) -> Result<Model<Self>>;

    fn place(mesh: &mut Mesh<Self>, transform: &Affine);

    fn bounds(model: &Model<Self>) -> [[f64; 3]; 2];

    /// The nearest number to a whole one, which has 65 bits at most.
    fn of_whole(value: i128) -> Self;

    fn rays(input: Opening<'_>) -> Result<Source<Ray<Self>>>
    where
        Self: Coordinate;

    fn points(input: Opening<'_>) -> Result<Source<[Self; 3]>>
    where
        Self: Coordinate;

    fn columns_of(kind: HitKind) -> Vec<Named<'static>>;

    fn table<'a>(
        kind: HitKind,
        ids: RayIds<'a>,
        answers: Answers<'a, Self>,
        vectors: Vectors<'a, Self>,
    ) -> Result<Table<'a>, String>;
}

macro_rules! compiled {
    ($($number:ident as $bits:ident,)*) => {$(
        impl Compiled for $number {
            type Bits = $bits;

            fn bits(self) -> $bits {
                self.to_bits()
            }

            fn read(source: Input) -> Result<Model<Self>> {
                super::read(&source)
            }

            fn place(mesh: &mut Mesh<Self>, transform: &Affine) {
                super::model::place(mesh, transform);
            }

            fn bounds(model: &Model<Self>) -> [[f64; 3]; 2] {
                super::model::bounds(model)
            }

            fn of_whole(value: i128) -> Self {
                value as Self
            }

            fn rays(input: Opening<'_>) -> Result<Source<Ray<Self>>> {
                Source::open(input)
            }

            fn points(input: Opening<'_>) -> Result<Source<[Self; 3]>> {
                Source::open(input)
            }

            fn columns_of(kind: HitKind) -> Vec<Named<'static>> {
                table::columns_of::<Self>(kind)
            }

            fn table<'a>(
                kind: HitKind,
                ids: RayIds<'a>,
                answers: Answers<'a, Self>,
                vectors: Vectors<'a, Self>,
            ) -> Result<Table<'a>, String> {
                Table::new(kind, ids, answers, vectors)
            }
        }
    )*};
}

compiled! { f32 as u32, f64 as u64, }
