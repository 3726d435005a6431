//! Queries of points with an answer a row, and of the points of a grid.

use lanecast::answers::PerRow;
use lanecast::{CastOptions, PointBatch, PointGrid};
use lanecast_queries::{
    ClosestPoint, Contains, Distance, NearestPoints, PointQuery, PointsWithin, SignedDistance,
    WindingNumber,
};

use crate::answers::{
    Destination, OnlyValues, expect_rows, lanecast_closest_points, lanecast_values,
};
use crate::border::{Failure, enter, expect_place, handle, lanecast_result};
use crate::content::{Number, expect_precision, lanecast_precision, with_either};
use crate::lists::lanecast_point_lists;
use crate::memory::{lanecast_answers, lanecast_column, lanecast_vectors, sized, vectors, written};
use crate::options::{Given, Takes, lanecast_options, takes};
use crate::scene::lanecast_scene;

/// Any number of points, read where they lie.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_points {
    /// `sizeof(lanecast_points)`.
    pub size: usize,
    /// That of the scene.
    pub precision: lanecast_precision,
    pub count: usize,
    pub position: lanecast_vectors,
}

/// Asks a scene of whichever precision, within a radius: null for any, as of queries without one.
///
/// # Safety
/// The pointers are null, or what they point to is as the header says.
unsafe fn ask<Q: PointQuery>(
    scene: *const lanecast_scene,
    points: (*const lanecast_points, lanecast_column),
    options: *const lanecast_options,
    query: Q,
    to: impl Destination<Answers = Q::Answers>,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => ask_of(scene, points, options, query, to)) }
    })
}

unsafe fn ask_of<T: Number, Q: PointQuery>(
    scene: &lanecast::Scene<T>,
    (points, radius): (*const lanecast_points, lanecast_column),
    options: *const lanecast_options,
    query: Q,
    to: impl Destination<Answers = Q::Answers>,
) -> Result<(), Failure> {
    // SAFETY: by the caller.
    let points: lanecast_points = unsafe { sized("points", points) }?;
    expect_precision::<T>("points.precision", points.precision)?;
    // SAFETY: by the caller.
    let position = unsafe { vectors("points.position", points.position, points.count) }?;
    let batch = PointBatch::<T>::from_strided_parts(position)?;
    let takes = Takes { call: Q::NAME, arguments: Q::ARGUMENTS };
    // SAFETY: by the caller.
    let given = unsafe { Given::read(options, takes, batch.len()) }?;
    let options: CastOptions<'_, T> = given.options()?;
    // SAFETY: by the caller.
    let (radii, columns) = unsafe { (radii::<T>(radius, batch.len())?, to.columns(batch.len())?) };
    let lists = query.ask(&scene.points(batch).with(&options), radii.per_row(), columns)?;
    // SAFETY: by the caller.
    unsafe { to.put::<T>(lists) }
}

/// A radius for all points, or one for each; infinite if null.
///
/// # Safety
/// As for [`column`](crate::memory::column).
unsafe fn radii<T: Number>(given: lanecast_column, rows: usize) -> Result<Radii<T>, Failure> {
    if given.data.is_null() {
        return Ok(Radii::Same(T::INFINITY));
    }
    let place = lanecast_answers { data: given.data.cast_mut(), stride: given.stride };
    // SAFETY: by the caller.
    let radius = unsafe { written::<T>("radius", place, rows) }?;
    Ok(match given.stride {
        0 if rows > 0 => Radii::Same(radius(0)),
        _ => Radii::Each((0..rows).map(radius).collect()),
    })
}

/// What [`radii`] reads: those of points are copied, as they may lie in any way.
enum Radii<T> {
    Same(T),
    Each(Vec<T>),
}

impl<T: Number> Radii<T> {
    fn per_row(&self) -> PerRow<'_, T> {
        match self {
            Self::Same(radius) => PerRow::Same(*radius),
            Self::Each(radii) => PerRow::Each(radii),
        }
    }
}

/// Of queries that take no radius.
const ANY: lanecast_column = lanecast_column { data: std::ptr::null(), stride: 0 };

/// The point of all surfaces that is closest to each point, within a radius: null for any, stride 0
/// for one of all.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_closest_point(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    radius: lanecast_column,
    options: *const lanecast_options,
    closest: *const lanecast_closest_points,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, radius), options, ClosestPoint, closest) }
}

/// The distance of each point from the nearest surface, in the scene's precision.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_distance(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    options: *const lanecast_options,
    values: *const lanecast_values,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, ANY), options, Distance, OnlyValues::new(values)) }
}

/// The same, negative inside. The surfaces must be closed, or the options ask for generalised
/// winding numbers.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_signed_distance(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    options: *const lanecast_options,
    values: *const lanecast_values,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, ANY), options, SignedDistance, OnlyValues::new(values)) }
}

/// Whether each point is inside: the status is `LANECAST_HIT`, and the value, as `int32_t`, how often
/// surfaces go around it. The surfaces must be closed, or the options ask for generalised winding
/// numbers.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_contains(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    options: *const lanecast_options,
    values: *const lanecast_values,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, ANY), options, Contains, OnlyValues::new(values)) }
}

/// The generalised winding number of each point, as `float`; 2 is a good accuracy.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_winding_number(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    accuracy: f64,
    options: *const lanecast_options,
    values: *const lanecast_values,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, ANY), options, WindingNumber(accuracy), OnlyValues::new(values)) }
}

/// The nearest `count` primitives of each point, one point of each, nearest first, within a radius:
/// null for any, stride 0 for one of all. Free the lists by `lanecast_point_lists_free`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_nearest_points(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    count: u32,
    radius: lanecast_column,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_point_lists,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, radius), options, NearestPoints(count), lists) }
}

/// All primitives within a radius of each point: as `lanecast_nearest_points`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_points_within(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    radius: lanecast_column,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_point_lists,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, (points, radius), options, PointsWithin, lists) }
}

/// The points of a regular grid: point (x, y, z) is origin + (x, y, z) · spacing, for x from 0 to
/// counts[0] - 1 and so on.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_grid {
    pub origin: [f64; 3],
    pub spacing: [f64; 3],
    pub counts: [usize; 3],
}

/// Whether each point of a grid is inside, one byte each, 0 or 1; x changes fastest, then y. `cells`
/// is the number of bytes, which is that of points.
///
/// # Safety
/// All pointers are null or as the types say, and `cells` bytes may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_occupancy(
    scene: *const lanecast_scene,
    grid: *const lanecast_grid,
    options: *const lanecast_options,
    occupied: *mut u8,
    cells: usize,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let (lanecast_scene(content), grid) =
            unsafe { (handle("scene", scene)?, handle("grid", grid)?) };
        expect_place("occupied", occupied, cells)?;
        // SAFETY: by the caller.
        let bytes =
            unsafe { with_either!(content, scene => occupancy(scene, grid, options, cells)?) };
        if cells > 0 {
            // SAFETY: by the caller.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), occupied, cells) };
        }
        Ok(())
    })
}

unsafe fn occupancy<T: Number>(
    scene: &lanecast::Scene<T>,
    grid: &lanecast_grid,
    options: *const lanecast_options,
    cells: usize,
) -> Result<Vec<u8>, Failure> {
    let (origin, spacing) = (grid.origin.map(T::rounded), grid.spacing.map(T::rounded));
    let grid = PointGrid::<T>::new(origin, spacing, grid.counts)?;
    expect_rows("cells", cells, grid.len())?;
    // SAFETY: by the caller.
    let given = unsafe { Given::read(options, takes!("occupancy" as occupancy), grid.len()) }?;
    let options: CastOptions<'_, T> = given.options()?;
    Ok(scene.grid(&grid).with(&options).occupancy_bytes()?)
}
