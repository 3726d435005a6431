//! Queries of batches of rays.

use lanecast::columns::Strided;
use lanecast::{CastOptions, RayBatch};
use lanecast_queries::{
    AllHits, AnyHit, ClosestHit, Cost, CountHits, FarthestHit, LineHits, NearestHits, RayQuery,
    SignedCount,
};

use crate::answers::{
    Destination, OnlyStatuses, OnlyValues, Sides, expect_rows, lanecast_costs, lanecast_counts,
    lanecast_hits, lanecast_values,
};
use crate::border::{Failure, enter, handle, lanecast_result};
use crate::content::{Number, expect_precision, lanecast_precision, with_either};
use crate::lists::lanecast_hit_lists;
use crate::makers::lanecast_maker;
use crate::memory::{column, lanecast_answers, lanecast_column, lanecast_vectors, sized, vectors};
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

/// Casts rays at a scene of whichever precision.
///
/// # Safety
/// The pointers are null, or what they point to is as the header says.
pub(crate) unsafe fn ask<Q: RayQuery>(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    query: Q,
    to: impl Destination<Answers = Q::Answers>,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => ask_of(scene, rays, options, query, to)) }
    })
}

unsafe fn ask_of<T: Number, Q: RayQuery, D: Destination<Answers = Q::Answers>>(
    scene: &lanecast::Scene<T>,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    query: Q,
    to: D,
) -> Result<(), Failure> {
    let takes = Takes { call: Q::NAME, arguments: Q::ARGUMENTS };
    // SAFETY: by the caller.
    unsafe {
        with_rays::<T>(rays, D::OF_LINES, &mut |rays| {
            let given = Given::read(options, takes, rays.len())?;
            let options: CastOptions<'_, T> = given.options()?;
            let columns = to.columns(rays.len())?;
            to.put::<T>(query.ask(&scene.cast(rays).with(&options), columns)?)
        })
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
    unsafe { ask(scene, rays, options, ClosestHit, hits) }
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
    unsafe { ask(scene, rays, options, FarthestHit, hits) }
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
    unsafe { ask(scene, lines, options, LineHits, Sides { ahead, behind }) }
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
    unsafe { ask(scene, rays, options, AnyHit, OnlyStatuses { count, status }) }
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
    unsafe { ask(scene, rays, options, CountHits, counts) }
}

/// How much deeper each ray is inside at its end than at its start, as `int32_t`: hits at fronts,
/// where it enters, less those at backs, where it leaves, each counted as by `lanecast_count_hits`.
/// At closed surfaces that face outwards this is the difference of the winding numbers of both ends.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_signed_count(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    values: *const lanecast_values,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, SignedCount, OnlyValues::new(values)) }
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
    unsafe { ask(scene, rays, options, Cost, costs) }
}

/// All hits of each ray, nearest first: crossings, unless the options ask for touches. Free the
/// lists by `lanecast_hit_lists_free`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_all_hits(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_hit_lists,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, AllHits, lists) }
}

/// The nearest `limit` hits of each ray, nearest first: as `lanecast_all_hits`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_nearest_hits(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    limit: u32,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_hit_lists,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, NearestHits(limit), lists) }
}
