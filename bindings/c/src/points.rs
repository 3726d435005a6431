//! Queries of points with an answer a row, and of the points of a grid.

use lanecast::answers::{ClosestPointColumns, DistanceColumns, InsideColumns, WindingColumns};
use lanecast::cast::Points;
use lanecast::{Cast, CastOptions, PointBatch, PointGrid};

use crate::border::{Failure, enter, expect_place, handle, lanecast_result};
use crate::content::{Number, OfEither, expect_precision, lanecast_precision};
use crate::lists::radii;
use crate::memory::{Places, lanecast_answers, lanecast_column, lanecast_vectors, sized, vectors};
use crate::options::{Given, Takes, lanecast_options};
use crate::rays::{expect_rows, fill};
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

/// A query of points.
pub(crate) trait PointQuery {
    fn takes(&self) -> Takes;

    /// Asks, with answers in as many rows as there are points.
    ///
    /// # Safety
    /// The columns are as the header says.
    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, Points<'_, T>>,
        given: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure>;
}

/// Asks a scene of whichever precision.
///
/// # Safety
/// The pointers are null, or what they point to is as the header says.
pub(crate) unsafe fn ask_points<Q: PointQuery>(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    options: *const lanecast_options,
    query: Q,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe {
            match content {
                OfEither::F32(scene) => ask_of(scene, points, options, query),
                OfEither::F64(scene) => ask_of(scene, points, options, query),
            }
        }
    })
}

unsafe fn ask_of<T: Number, Q: PointQuery>(
    scene: &lanecast::Scene<T>,
    points: *const lanecast_points,
    options: *const lanecast_options,
    query: Q,
) -> Result<(), Failure> {
    // SAFETY: by the caller.
    let points: lanecast_points = unsafe { sized("points", points) }?;
    expect_precision::<T>("points.precision", points.precision)?;
    // SAFETY: by the caller.
    let position = unsafe { vectors("points.position", points.position, points.count) }?;
    let batch = PointBatch::<T>::from_strided_parts(position)?;
    // SAFETY: by the caller.
    let given = unsafe { Given::read(options, query.takes(), batch.len()) }?;
    let options: CastOptions<'_, T> = given.options()?;
    // SAFETY: by the caller.
    unsafe { query.ask(scene.points(batch).with(&options), &given, batch.len()) }
}

struct ClosestPoint {
    radius: lanecast_column,
    closest: *const lanecast_closest_points,
}

impl PointQuery for ClosestPoint {
    fn takes(&self) -> Takes {
        Takes::of_points("lanecast_closest_point")
    }

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, Points<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        let (closest, radii) = unsafe {
            let closest: lanecast_closest_points = sized("closest", self.closest)?;
            (closest, radii::<T>(self.radius, rows)?)
        };
        expect_rows("closest.count", closest.count, rows)?;
        let (mut columns, mut places) = (ClosestPointColumns::new(), Places::default());
        fill!(columns, places, closest, rows:
            distance => distance: T, point => point: [T; 3], primitive_id => primitive_id: u32,
            geometry_id => geometry_id: u32, instance_id => instance_id: u32, u => u: T, v => v: T,
            normal => geometric_normal: [T; 3]);
        Ok(cast.closest_into(radii.per_row(), columns)?)
    }
}

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
    unsafe { ask_points(scene, points, options, ClosestPoint { radius, closest }) }
}

#[derive(Clone, Copy)]
enum Value {
    Distance,
    SignedDistance,
    Contains,
    WindingNumber { accuracy: f64 },
}

struct Values {
    value: Value,
    values: *const lanecast_values,
}

impl PointQuery for Values {
    fn takes(&self) -> Takes {
        match self.value {
            Value::Distance => Takes::of_points("lanecast_distance"),
            Value::SignedDistance => Takes::of_inside("lanecast_signed_distance"),
            Value::Contains => Takes::of_inside("lanecast_contains"),
            Value::WindingNumber { .. } => Takes::of_points("lanecast_winding_number"),
        }
    }

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, Points<'_, T>>,
        given: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        let values: lanecast_values = unsafe { sized("values", self.values) }?;
        expect_rows("values.count", values.count, rows)?;
        let mut places = Places::default();
        match self.value {
            Value::Distance | Value::SignedDistance => {
                let mut columns = DistanceColumns::new();
                fill!(columns, places, values, rows: value => distance: T);
                match (self.value, given.generalised_winding()) {
                    (Value::Distance, _) => cast.distances_into(columns)?,
                    (_, None) => cast.signed_distances_into(columns)?,
                    (_, Some(accuracy)) => {
                        cast.generalised_winding(accuracy).signed_distances_into(columns)?;
                    }
                }
            }
            Value::Contains => {
                let mut columns = InsideColumns::new();
                fill!(columns, places, values, rows: value => winding: i32);
                match given.generalised_winding() {
                    None => cast.contains_into(columns)?,
                    Some(accuracy) => cast.generalised_winding(accuracy).contains_into(columns)?,
                }
            }
            Value::WindingNumber { accuracy } => {
                let mut columns = WindingColumns::new();
                fill!(columns, places, values, rows: value => winding_number: f32);
                cast.generalised_winding(accuracy).winding_numbers_into(columns)?;
            }
        }
        Ok(())
    }
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
    unsafe { ask_points(scene, points, options, Values { value: Value::Distance, values }) }
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
    unsafe { ask_points(scene, points, options, Values { value: Value::SignedDistance, values }) }
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
    unsafe { ask_points(scene, points, options, Values { value: Value::Contains, values }) }
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
    let value = Value::WindingNumber { accuracy };
    // SAFETY: by the caller.
    unsafe { ask_points(scene, points, options, Values { value, values }) }
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
        let bytes = unsafe {
            match content {
                OfEither::F32(scene) => occupancy(scene, grid, options, cells)?,
                OfEither::F64(scene) => occupancy(scene, grid, options, cells)?,
            }
        };
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
    let given =
        unsafe { Given::read(options, Takes::of_inside("lanecast_occupancy"), grid.len()) }?;
    let options: CastOptions<'_, T> = given.options()?;
    let cast = scene.grid(&grid).with(&options);
    Ok(match given.generalised_winding() {
        None => cast.occupancy_bytes()?,
        Some(accuracy) => cast.generalised_winding(accuracy).occupancy_bytes()?,
    })
}
