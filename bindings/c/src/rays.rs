//! Queries of batches of rays with an answer a row.

use lanecast::answers::{AnyHitColumns, CostColumns, CountColumns, HitColumns, LineHitColumns};
use lanecast::cast::RaysOf;
use lanecast::columns::Strided;
use lanecast::{Cast, CastOptions, RayBatch};

use crate::border::{Failure, enter, handle, lanecast_result};
use crate::content::{Number, OfEither, expect_precision, lanecast_precision};
use crate::makers::lanecast_maker;
use crate::memory::{
    Places, column, lanecast_answers, lanecast_column, lanecast_vectors, sized, vectors,
};
use crate::options::{Given, Takes, lanecast_options};
use crate::scene::lanecast_scene;

/// Any number of rays, read where they lie. The point at t is origin + t · direction, and hits count
/// from t_min to t_max, both included. Where `t_min.data` or `t_max.data` is null they are 0 and
/// infinity.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_rays {
    /// `sizeof(lanecast_rays)`.
    pub size: usize,
    /// That of the scene.
    pub precision: lanecast_precision,
    pub count: usize,
    pub origin: lanecast_vectors,
    pub direction: lanecast_vectors,
    pub t_min: lanecast_column,
    pub t_max: lanecast_column,
    /// Makes the rays while they are cast, in place of origins and directions, which are then not
    /// looked at. `count` is its number of rays.
    pub maker: *const lanecast_maker,
}

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

/// The status of a row, as `uint8_t`.
pub const LANECAST_MISS: u8 = 0;
pub const LANECAST_HIT: u8 = 1;
/// The ray or point was not cast: an origin or a point is NaN, infinite or beyond 2^100 (2^300 of
/// `double`).
pub const LANECAST_INVALID_ORIGIN: u8 = 2;
/// A direction is NaN or infinite.
pub const LANECAST_INVALID_DIRECTION: u8 = 3;
/// A direction is zero.
pub const LANECAST_ZERO_DIRECTION: u8 = 4;
/// The largest component of a direction is not from 2^-100 to 2^100 (2^-300 to 2^300 of `double`).
pub const LANECAST_DIRECTION_OUT_OF_RANGE: u8 = 5;
/// `t_min` or `t_max`, or a radius, is NaN.
pub const LANECAST_INVALID_INTERVAL: u8 = 6;
/// `t_min` is greater than `t_max`, or a radius is negative.
pub const LANECAST_EMPTY_INTERVAL: u8 = 7;

/// Calls a function with the rays of a struct.
///
/// # Safety
/// The pointer is null, or what it points to is as the header says.
pub(crate) unsafe fn with_rays<T: Number>(
    rays: *const lanecast_rays,
    are_lines: bool,
    then: &mut dyn FnMut(&RayBatch<'_, T>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // SAFETY: by the caller.
    let rays: lanecast_rays = unsafe { sized("rays", rays) }?;
    expect_precision::<T>("rays.precision", rays.precision)?;
    let [of_lines, of_rays, of_t_max] = T::ENDS;
    let of_t_min = if are_lines { of_lines } else { of_rays };
    // SAFETY: by the caller.
    let (t_min, t_max) = unsafe {
        (
            end("rays.t_min", rays.t_min, of_t_min, rays.count)?,
            end("rays.t_max", rays.t_max, of_t_max, rays.count)?,
        )
    };
    // SAFETY: by the caller.
    if let Some(maker) = unsafe { rays.maker.as_ref() } {
        return maker.with::<T>(&mut |maker| {
            expect_rows("rays.count", rays.count, maker.len())?;
            then(&RayBatch::made(maker).with_intervals(t_min, t_max)?)
        });
    }
    // SAFETY: by the caller.
    let batch = unsafe {
        RayBatch::from_strided(
            vectors("rays.origin", rays.origin, rays.count)?,
            vectors("rays.direction", rays.direction, rays.count)?,
        )
    }?;
    then(&batch.with_intervals(t_min, t_max)?)
}

/// Ends of intervals, or one of all where there are none.
unsafe fn end<'a, T: Number>(
    name: &str,
    given: lanecast_column,
    default: &'static [T; 1],
    rows: usize,
) -> Result<Strided<'a, T>, Failure> {
    if given.data.is_null() {
        return Ok(Strided::every(default, 0, 0, rows)?);
    }
    // SAFETY: by the caller.
    unsafe { column(name, given, rows) }
}

/// A query of rays whose answers go to columns.
pub(crate) trait RayQuery {
    const TAKES: Takes;
    const ARE_LINES: bool = false;

    /// Casts, with answers in as many rows as there are rays.
    ///
    /// # Safety
    /// The columns are as the header says.
    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        given: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure>;
}

/// Casts rays at a scene of whichever precision.
///
/// # Safety
/// The pointers are null, or what they point to is as the header says.
pub(crate) unsafe fn ask<Q: RayQuery>(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    query: Q,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe {
            match content {
                OfEither::F32(scene) => ask_of(scene, rays, options, query),
                OfEither::F64(scene) => ask_of(scene, rays, options, query),
            }
        }
    })
}

unsafe fn ask_of<T: Number, Q: RayQuery>(
    scene: &lanecast::Scene<T>,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    query: Q,
) -> Result<(), Failure> {
    let mut query = Some(query);
    // SAFETY: by the caller.
    unsafe {
        with_rays::<T>(rays, Q::ARE_LINES, &mut |rays| {
            let given = Given::read(options, Q::TAKES, rays.len())?;
            let options: CastOptions<'_, T> = given.options()?;
            let query = query.take().expect("called once");
            query.ask(scene.cast(rays).with(&options), &given, rays.len())
        })
    }
}

pub(crate) fn expect_rows(name: &str, found: usize, rows: usize) -> Result<(), Failure> {
    if found == rows {
        return Ok(());
    }
    Err(Failure::argument(name, format!("it is {found}, and there are {rows} rays or points")))
}

/// Adds the columns that a struct has places for.
macro_rules! fill {
    ($columns:ident, $places:ident, $from:ident, $rows:ident: $($field:ident => $column:ident: $type:ty),+) => {
        // SAFETY: by the caller, whose columns they are.
        if let Some(status) = unsafe { $places.statuses($from.status, $rows) }? {
            $columns = $columns.status(status);
        }
        $(
            // SAFETY: as above.
            if let Some(column) = unsafe { $places.column::<$type>(stringify!($field), $from.$field, $rows) }? {
                $columns = $columns.$column(column);
            }
        )+
    };
}
pub(crate) use fill;

/// # Safety
/// As for [`RayQuery::ask`].
unsafe fn hit_columns<'a, T: Number>(
    name: &str,
    hits: *const lanecast_hits,
    rows: usize,
    places: &mut Places,
) -> Result<HitColumns<'a, T>, Failure> {
    // SAFETY: by the caller.
    let hits: lanecast_hits = unsafe { sized(name, hits) }?;
    expect_rows(&format!("{name}.count"), hits.count, rows)?;
    let mut columns = HitColumns::new();
    fill!(columns, places, hits, rows:
        t => t: T, primitive_id => primitive_id: u32, geometry_id => geometry_id: u32,
        instance_id => instance_id: u32, u => u: T, v => v: T, normal => geometric_normal: [T; 3]);
    Ok(columns)
}

struct Closest(*const lanecast_hits);

impl RayQuery for Closest {
    const TAKES: Takes = Takes::of_rays("lanecast_closest_hit");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        Ok(cast
            .closest_into(unsafe { hit_columns("hits", self.0, rows, &mut Places::default()) }?)?)
    }
}

/// The first hit of each ray. At equal t the lowest ids win.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_closest_hit(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    hits: *const lanecast_hits,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, Closest(hits)) }
}

struct Farthest(*const lanecast_hits);

impl RayQuery for Farthest {
    const TAKES: Takes = Takes::of_rays("lanecast_farthest_hit");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        Ok(cast
            .farthest_into(unsafe { hit_columns("hits", self.0, rows, &mut Places::default()) }?)?)
    }
}

/// The last hit of each ray.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_farthest_hit(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    hits: *const lanecast_hits,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, Farthest(hits)) }
}

struct Lines {
    ahead: *const lanecast_hits,
    behind: *const lanecast_hits,
}

impl RayQuery for Lines {
    const TAKES: Takes = Takes::of_rays("lanecast_line_hits");
    const ARE_LINES: bool = true;

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        let mut places = Places::default();
        // SAFETY: by the caller.
        let (ahead, behind) = unsafe {
            (
                hit_columns("ahead", self.ahead, rows, &mut places)?,
                hit_columns("behind", self.behind, rows, &mut places)?,
            )
        };
        Ok(cast.line_hits_into(LineHitColumns::new(ahead, behind))?)
    }
}

/// The hits nearest to the origin of each line on either side: of the least t from 0 on, and of the
/// greatest t up to 0, both within the interval, whose default is here all of the line.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_line_hits(
    scene: *const lanecast_scene,
    lines: *const lanecast_rays,
    options: *const lanecast_options,
    ahead: *const lanecast_hits,
    behind: *const lanecast_hits,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, lines, options, Lines { ahead, behind }) }
}

struct Any {
    count: usize,
    status: lanecast_answers,
}

impl RayQuery for Any {
    const TAKES: Takes = Takes::of_rays("lanecast_any_hit");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        expect_rows("count", self.count, rows)?;
        let mut columns = AnyHitColumns::new();
        // SAFETY: by the caller.
        match unsafe { Places::default().statuses(self.status, rows) }? {
            Some(status) => columns = columns.status(status),
            None if rows == 0 => {}
            None => return Err(Failure::argument("status", "it is null")),
        }
        Ok(cast.any_into(columns)?)
    }
}

/// Whether each ray hits anything: `LANECAST_HIT`, `LANECAST_MISS` or why it was not cast, for
/// `count` rays.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_any_hit(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    count: usize,
    status: lanecast_answers,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, Any { count, status }) }
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

struct Count(*const lanecast_counts);

impl RayQuery for Count {
    const TAKES: Takes = Takes::of_crossings("lanecast_count_hits");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        given: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        let counts: lanecast_counts = unsafe { sized("counts", self.0) }?;
        expect_rows("counts.count", counts.count, rows)?;
        let (mut columns, mut places) = (CountColumns::new(), Places::default());
        fill!(columns, places, counts, rows: hits => count: u32);
        Ok(cast.contact(given.contact()?).count_into(columns)?)
    }
}

/// The number of hits of each ray: of crossings, unless the options ask for touches.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_count_hits(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    counts: *const lanecast_counts,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, Count(counts)) }
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

struct Cost(*const lanecast_costs);

impl RayQuery for Cost {
    const TAKES: Takes = Takes::of_rays("lanecast_cost");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        let costs: lanecast_costs = unsafe { sized("costs", self.0) }?;
        expect_rows("costs.count", costs.count, rows)?;
        let (mut columns, mut places) = (CostColumns::new(), Places::default());
        fill!(columns, places, costs, rows:
            nodes => nodes: u32, boxes => boxes: u32, leaves => leaves: u32, primitives => primitives: u32);
        Ok(cast.cost_into(columns)?)
    }
}

/// What the search for the closest hit of each ray costs.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_cost(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    costs: *const lanecast_costs,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, Cost(costs)) }
}
