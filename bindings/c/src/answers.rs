//! Answers: structs with a place for each column, and where the answers of queries go.

use std::marker::PhantomData;

use lanecast::Status;
use lanecast::answers::{AllHitsBatch, AnyHitColumns, LineHitColumns, NearPointBatch};
use lanecast::columns::ColumnMut;
use lanecast_queries as queries;
use lanecast_queries::{Answers, InColumns};

use crate::border::{Failure, expect_place, give};
use crate::content::Number;
use crate::lists::{lanecast_hit_lists, lanecast_point_lists};
use crate::memory::{Places, lanecast_answers, sized};

/// Where the hits of rays are written, a row a ray: `status` as `uint8_t`, ids as `uint32_t`, `t`,
/// `u` and `v` in the scene's precision, and `normal` as three such numbers. Columns that are null
/// are not written. Rows of rays that hit nothing have the status `LANECAST_MISS`, infinite `t` and
/// `LANECAST_INVALID_ID`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_hits {
    /// `sizeof(lanecast_hits)`.
    pub size: usize,
    /// The number of rows, which is that of rays.
    pub count: usize,
    pub status: lanecast_answers,
    pub t: lanecast_answers,
    pub primitive_id: lanecast_answers,
    pub geometry_id: lanecast_answers,
    /// `LANECAST_INVALID_ID` of what is in no instance.
    pub instance_id: lanecast_answers,
    pub u: lanecast_answers,
    pub v: lanecast_answers,
    /// (v1 - v0) x (v2 - v0) of triangles, not of unit length; costs nothing if it is null.
    pub normal: lanecast_answers,
}

/// Where the numbers of hits are written, a row a ray: `status` as `uint8_t`, `hits` as `uint32_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_counts {
    /// `sizeof(lanecast_counts)`.
    pub size: usize,
    /// The number of rows, which is that of rays.
    pub count: usize,
    pub status: lanecast_answers,
    pub hits: lanecast_answers,
}

/// Where the costs of rays are written, a row a ray: `status` as `uint8_t`, others as `uint32_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_costs {
    /// `sizeof(lanecast_costs)`.
    pub size: usize,
    /// The number of rows, which is that of rays.
    pub count: usize,
    pub status: lanecast_answers,
    /// Tests of nodes, and boxes in those.
    pub nodes: lanecast_answers,
    pub boxes: lanecast_answers,
    /// Tests of leaves, and primitives in those.
    pub leaves: lanecast_answers,
    pub primitives: lanecast_answers,
}

/// Where closest points are written, a row a point: as `lanecast_hits`, with `distance` in the
/// scene's precision and `point` and `normal` as three such numbers. A row without any within the
/// radius has the status `LANECAST_MISS`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_closest_points {
    /// `sizeof(lanecast_closest_points)`.
    pub size: usize,
    /// The number of rows, which is that of points.
    pub count: usize,
    pub status: lanecast_answers,
    pub distance: lanecast_answers,
    pub point: lanecast_answers,
    pub primitive_id: lanecast_answers,
    pub geometry_id: lanecast_answers,
    pub instance_id: lanecast_answers,
    pub u: lanecast_answers,
    pub v: lanecast_answers,
    pub normal: lanecast_answers,
}

/// Where one number a point is written: `status` as `uint8_t`, and `value` as the query says.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_values {
    /// `sizeof(lanecast_values)`.
    pub size: usize,
    /// The number of rows, which is that of points.
    pub count: usize,
    pub status: lanecast_answers,
    pub value: lanecast_answers,
}

/// Where the answers of a query go.
pub(crate) trait Destination: Copy {
    type Answers: Answers;

    /// Whether rays without a `t_min` are lines.
    const OF_LINES: bool = false;

    /// Columns of so many rows.
    ///
    /// # Safety
    /// They are as the header says, for `'o`.
    unsafe fn columns<'o, T: Number>(
        self,
        rows: usize,
    ) -> Result<<Self::Answers as Answers>::Columns<'o, T>, Failure>;

    /// Gives the caller lists, where the answers are such.
    ///
    /// # Safety
    /// As of [`columns`](Self::columns).
    unsafe fn put<T: Number>(
        self,
        lists: <Self::Answers as Answers>::Lists<T>,
    ) -> Result<(), Failure> {
        drop(lists);
        Ok(())
    }
}

/// A struct with a place for each column.
pub(crate) trait Table: Copy {
    type Answers: InColumns;

    /// The argument that has it.
    const NAME: &'static str;

    fn count(&self) -> usize;
    fn status(&self) -> lanecast_answers;
    fn place(&self, column: &str) -> lanecast_answers;
}

/// Declares the columns of a struct.
macro_rules! table {
    ($table:ident is $name:literal of $answers:ident: $($column:ident),*) => {
        impl $crate::answers::Table for $table {
            type Answers = lanecast_queries::$answers;

            const NAME: &'static str = $name;

            fn count(&self) -> usize {
                self.count
            }

            fn status(&self) -> lanecast_answers {
                self.status
            }

            fn place(&self, column: &str) -> lanecast_answers {
                match column {
                    $(stringify!($column) => self.$column,)*
                    _ => unreachable!("{column} is no column of it"),
                }
            }
        }
    };
}
pub(crate) use table;

table!(lanecast_hits is "hits" of Hits: t, primitive_id, geometry_id, instance_id, u, v, normal);
table!(lanecast_counts is "counts" of Counts: hits);
table!(lanecast_costs is "costs" of Costs: nodes, boxes, leaves, primitives);
table!(lanecast_closest_points is "closest" of ClosestPoints:
    distance, point, primitive_id, geometry_id, instance_id, u, v, normal);

/// The places for the columns of one table, which must not overlap each other and those that were
/// taken before.
struct PlacesOf<'p, F> {
    status: lanecast_answers,
    /// What the caller calls it, and where it is.
    of_column: F,
    rows: usize,
    taken: &'p mut Places,
}

impl<F: Fn(&'static str) -> (&'static str, lanecast_answers)> PlacesOf<'_, F> {
    fn find<'o, V: bytemuck::Pod>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<ColumnMut<'o, V>>, Failure> {
        let (name, place) = (self.of_column)(name);
        // SAFETY: by the caller of `columns_of`.
        unsafe { self.taken.column(name, place, self.rows) }
    }
}

impl<'o, T: Number, F: Fn(&'static str) -> (&'static str, lanecast_answers)> queries::Places<'o, T>
    for PlacesOf<'_, F>
{
    type Error = Failure;

    fn status(&mut self) -> Result<Option<ColumnMut<'o, Status>>, Failure> {
        // SAFETY: by the caller of `columns_of`.
        unsafe { self.taken.statuses(self.status, self.rows) }
    }

    fn number(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, T>>, Failure> {
        self.find(name)
    }

    fn vector(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, [T; 3]>>, Failure> {
        self.find(name)
    }

    fn count(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, u32>>, Failure> {
        self.find(name)
    }

    fn signed(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, i32>>, Failure> {
        self.find(name)
    }

    fn float(&mut self, name: &'static str) -> Result<Option<ColumnMut<'o, f32>>, Failure> {
        self.find(name)
    }
}

/// Columns in these places.
///
/// # Safety
/// They are as the header says, for `'o`.
unsafe fn columns_of<'o, A: InColumns, T: Number>(
    status: lanecast_answers,
    of_column: impl Fn(&'static str) -> (&'static str, lanecast_answers),
    rows: usize,
    taken: &mut Places,
) -> Result<A::Columns<'o, T>, Failure> {
    A::columns(&mut PlacesOf { status, of_column, rows, taken })
}

/// The columns of a struct that is the argument of this name.
///
/// # Safety
/// As of [`columns_of`].
unsafe fn columns_of_table<'o, S: Table, T: Number>(
    name: &str,
    table: *const S,
    rows: usize,
    taken: &mut Places,
) -> Result<<S::Answers as Answers>::Columns<'o, T>, Failure> {
    // SAFETY: by the caller.
    let table: S = unsafe { sized(name, table) }?;
    expect_rows(&format!("{name}.count"), table.count(), rows)?;
    let of_column = |column: &'static str| (column, table.place(column));
    // SAFETY: by the caller.
    unsafe { columns_of::<S::Answers, T>(table.status(), of_column, rows, taken) }
}

impl<S: Table> Destination for *const S {
    type Answers = S::Answers;

    unsafe fn columns<'o, T: Number>(
        self,
        rows: usize,
    ) -> Result<<S::Answers as Answers>::Columns<'o, T>, Failure> {
        // SAFETY: by the caller.
        unsafe { columns_of_table(S::NAME, self, rows, &mut Places::default()) }
    }
}

/// Hits on both sides of the origins of lines.
#[derive(Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) ahead: *const lanecast_hits,
    pub(crate) behind: *const lanecast_hits,
}

impl Destination for Sides {
    type Answers = queries::Lines;

    const OF_LINES: bool = true;

    unsafe fn columns<'o, T: Number>(self, rows: usize) -> Result<LineHitColumns<'o, T>, Failure> {
        let mut taken = Places::default();
        // SAFETY: by the caller.
        let (ahead, behind) = unsafe {
            (
                columns_of_table::<_, T>("ahead", self.ahead, rows, &mut taken)?,
                columns_of_table::<_, T>("behind", self.behind, rows, &mut taken)?,
            )
        };
        Ok(LineHitColumns::new(ahead, behind))
    }
}

/// A column of statuses, which must be there.
#[derive(Clone, Copy)]
pub(crate) struct OnlyStatuses {
    pub(crate) count: usize,
    pub(crate) status: lanecast_answers,
}

impl Destination for OnlyStatuses {
    type Answers = queries::Statuses;

    unsafe fn columns<'o, T: Number>(self, rows: usize) -> Result<AnyHitColumns<'o>, Failure> {
        expect_rows("count", self.count, rows)?;
        if self.status.data.is_null() && rows > 0 {
            return Err(Failure::argument("status", "it is null"));
        }
        let no_other = |_: &'static str| unreachable!("there is no other column");
        let mut taken = Places::default();
        // SAFETY: by the caller.
        unsafe { columns_of::<queries::Statuses, T>(self.status, no_other, rows, &mut taken) }
    }
}

/// Answers of one column, whatever its name in other bindings.
pub(crate) struct OnlyValues<A> {
    values: *const lanecast_values,
    of: PhantomData<A>,
}

impl<A> OnlyValues<A> {
    pub(crate) const fn new(values: *const lanecast_values) -> Self {
        Self { values, of: PhantomData }
    }
}

impl<A> Clone for OnlyValues<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for OnlyValues<A> {}

impl<A: InColumns> Destination for OnlyValues<A> {
    type Answers = A;

    unsafe fn columns<'o, T: Number>(self, rows: usize) -> Result<A::Columns<'o, T>, Failure> {
        // SAFETY: by the caller.
        let values: lanecast_values = unsafe { sized("values", self.values) }?;
        expect_rows("values.count", values.count, rows)?;
        let mut taken = Places::default();
        // SAFETY: by the caller.
        unsafe { columns_of::<A, T>(values.status, |_| ("value", values.value), rows, &mut taken) }
    }
}

/// Declares where lists go.
macro_rules! lists {
    ($lists:ident is $batch:ident of $answers:ident by $of_number:ident) => {
        impl Destination for *mut *mut $lists {
            type Answers = queries::$answers;

            unsafe fn columns<'o, T: Number>(
                self,
                _: usize,
            ) -> Result<<queries::$answers as Answers>::Columns<'o, T>, Failure> {
                expect_place("lists", self, 1)
            }

            unsafe fn put<T: Number>(self, lists: $batch<T>) -> Result<(), Failure> {
                // SAFETY: by the caller.
                unsafe { give("lists", self, T::$of_number(lists)) }
            }
        }
    };
}

lists!(lanecast_hit_lists is AllHitsBatch of HitLists by hit_lists);
lists!(lanecast_point_lists is NearPointBatch of PointLists by point_lists);

pub(crate) fn expect_rows(name: &str, found: usize, rows: usize) -> Result<(), Failure> {
    if found == rows {
        return Ok(());
    }
    Err(Failure::argument(name, format!("it is {found}, and there are {rows} rays or points")))
}
