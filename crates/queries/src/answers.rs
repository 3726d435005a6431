//! Kinds of answers: their columns, and where a binding has them.

use lanecast::answers::{
    AllHitsBatch, AnyHitColumns, ClosestPointColumns, CostColumns, CountColumns, DistanceColumns,
    HitColumns, InsideColumns, LineHitColumns, NearPointBatch, SignedCountColumns, SurfaceColumns,
    WindingColumns,
};
use lanecast::columns::ColumnMut;
use lanecast::{Scalar, Status};

/// What the rows of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number of the scene's precision.
    Number,
    /// Three such numbers.
    Vector,
    /// `u32`: an id, or how many.
    Count,
    /// `i32`
    Signed,
    /// `f32`, whatever the scene's precision.
    Float,
}

/// A column of answers, beside that of statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in all bindings.
    pub name: &'static str,
    /// What its rows are.
    pub kind: Kind,
}

/// The caller's memory for the columns of one call: `None` for those that are not wanted. Each is
/// asked for once, by its name.
pub trait Places<'o, T: Scalar> {
    /// Why a column cannot be written.
    type Error;

    /// The column of statuses.
    fn status(&mut self) -> Result<Option<ColumnMut<'o, Status>>, Self::Error>;
    /// A column of [`Kind::Number`].
    fn number(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, T>>, Self::Error>;
    /// A column of [`Kind::Vector`].
    fn vector(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, [T; 3]>>, Self::Error>;
    /// A column of [`Kind::Count`].
    fn count(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, u32>>, Self::Error>;
    /// A column of [`Kind::Signed`].
    fn signed(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, i32>>, Self::Error>;
    /// A column of [`Kind::Float`].
    fn float(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, f32>>, Self::Error>;
}

/// A kind of answers.
pub trait Answers {
    /// What the engine writes to: nothing if it returns lists.
    type Columns<'o, T: Scalar>: Send;

    /// What the engine returns: nothing if it writes to columns.
    type Lists<T: Scalar>: Send;
}

/// Answers in columns that have names.
pub trait InColumns: Answers {
    /// The columns beside that of statuses, in their order.
    const COLUMNS: &'static [Column];

    /// The columns that there are places for.
    fn columns<'o, T: Scalar, P: Places<'o, T>>(
        places: &mut P,
    ) -> Result<Self::Columns<'o, T>, P::Error>;
}

/// Declares answers in columns: each with its kind, and its name in the engine where that is
/// another.
macro_rules! columns {
    ($(#[$doc:meta] $answers:ident is $columns:ty { $($name:ident $(as $engine:ident)?: $of:ident $kind:ident),* };)*) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy)]
        pub struct $answers;

        impl Answers for $answers {
            type Columns<'o, T: Scalar> = $columns;
            type Lists<T: Scalar> = ();
        }

        impl InColumns for $answers {
            const COLUMNS: &'static [Column] =
                &[$(Column { name: stringify!($name), kind: Kind::$kind }),*];

            fn columns<'o, T: Scalar, P: Places<'o, T>>(
                places: &mut P,
            ) -> Result<$columns, P::Error> {
                let mut columns = <$columns>::new();
                if let Some(status) = places.status()? {
                    columns = columns.status(status);
                }
                $(if let Some(column) = places.$of(stringify!($name))? {
                    columns = columns!(columns, column, $name $($engine)?);
                })*
                Ok(columns)
            }
        }
    )*};
    ($columns:ident, $column:ident, $name:ident) => { $columns.$name($column) };
    ($columns:ident, $column:ident, $name:ident $engine:ident) => { $columns.$engine($column) };
}

columns! {
    /// Whether each ray hits anything.
    Statuses is AnyHitColumns<'o> {};
    /// A hit of each ray.
    Hits is HitColumns<'o, T> {
        t: number Number, primitive_id: count Count, geometry_id: count Count,
        instance_id: count Count, u: number Number, v: number Number,
        normal as geometric_normal: vector Vector
    };
    /// The number of hits of each ray.
    Counts is CountColumns<'o> { hits as count: count Count };
    /// How much deeper each ray is inside at its end.
    SignedCounts is SignedCountColumns<'o> { count: signed Signed };
    /// What each ray costs.
    Costs is CostColumns<'o> {
        nodes: count Count, boxes: count Count, leaves: count Count, primitives: count Count
    };
    /// A point of a surface for each point.
    ClosestPoints is ClosestPointColumns<'o, T> {
        distance: number Number, point: vector Vector, primitive_id: count Count,
        geometry_id: count Count, instance_id: count Count, u: number Number, v: number Number,
        normal as geometric_normal: vector Vector
    };
    /// A distance for each point.
    Distances is DistanceColumns<'o, T> { distance: number Number };
    /// How often surfaces go around each point.
    Insides is InsideColumns<'o> { winding: signed Signed };
    /// Where each ray meets what it hits.
    Surfaces is SurfaceColumns<'o, T> {
        point: vector Vector, geometric_normal: vector Vector, shading_normal: vector Vector
    };
    /// The generalised winding number of each point.
    Windings is WindingColumns<'o> { winding_number: float Float };
}

/// Declares answers that are returned as lists.
macro_rules! lists {
    ($(#[$doc:meta] $answers:ident is $lists:ty;)*) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy)]
        pub struct $answers;

        impl Answers for $answers {
            type Columns<'o, T: Scalar> = ();
            type Lists<T: Scalar> = $lists;
        }
    )*};
}

lists! {
    /// Hits of each ray.
    HitLists is AllHitsBatch<T>;
    /// Points of surfaces near each point.
    PointLists is NearPointBatch<T>;
}

/// A hit on either side of the origin of each line, in two sets of the columns of [`Hits`].
#[derive(Debug, Clone, Copy)]
pub struct Lines;

impl Answers for Lines {
    type Columns<'o, T: Scalar> = LineHitColumns<'o, T>;
    type Lists<T: Scalar> = ();
}
