//! What is compiled here for each precision: a caller's crate compiles neither readers nor loops
//! over vertices or rows, with whatever optimisation it has.

use super::{Coordinate, Input, Mesh, Model};
use crate::cloud::CloudWriter;
use crate::error::Result;
use crate::hits::table::{Column, Table};
use crate::hits::{Answers, HitKind, Vectors};
use crate::rows::{Opening, RayIds, Source};
use lanecast::{Affine, Ray};
use std::io::{self, Read, Write};

/// The doors to it.
pub(crate) trait Compiled: Sized {
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

    /// Writes the bytes of a number, the lowest first.
    fn write(self, to: &mut dyn Write) -> io::Result<()>;

    /// Reads what [`write`](Self::write) wrote.
    fn read_number(from: &mut dyn Read) -> io::Result<Self>;

    /// Completes a file of points.
    fn finish(cloud: CloudWriter<Self>) -> Result<()>
    where
        Self: Coordinate;

    /// An empty column of such numbers.
    fn column() -> Column;

    /// What a column holds, if these are such numbers.
    fn values_in(column: &mut Column) -> Option<&mut Vec<Self>>;

    fn fill(
        table: &mut Table,
        kind: HitKind,
        ids: RayIds<'_>,
        answers: Answers<'_, Self>,
        vectors: Vectors<'_, Self>,
    ) -> Result<(), String>;
}

macro_rules! compiled {
    ($($number:ident as $bits:ident in $column:ident,)*) => {$(
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
                Source::new(input)
            }

            fn points(input: Opening<'_>) -> Result<Source<[Self; 3]>> {
                Source::new(input)
            }

            fn write(self, to: &mut dyn Write) -> io::Result<()> {
                to.write_all(&self.to_le_bytes())
            }

            fn read_number(from: &mut dyn Read) -> io::Result<Self> {
                let mut bytes = [0; size_of::<Self>()];
                from.read_exact(&mut bytes)?;
                Ok(Self::from_le_bytes(bytes))
            }

            fn finish(cloud: CloudWriter<Self>) -> Result<()> {
                cloud.assemble()
            }

            fn column() -> Column {
                Column::$column(Vec::new())
            }

            fn values_in(column: &mut Column) -> Option<&mut Vec<Self>> {
                match column {
                    Column::$column(values) => Some(values),
                    _ => None,
                }
            }

            fn fill(
                table: &mut Table,
                kind: HitKind,
                ids: RayIds<'_>,
                answers: Answers<'_, Self>,
                vectors: Vectors<'_, Self>,
            ) -> Result<(), String> {
                table.fill(kind, ids, answers, vectors)
            }
        }
    )*};
}

compiled! { f32 as u32 in F32, f64 as u64 in F64, }
