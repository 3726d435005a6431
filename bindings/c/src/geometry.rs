//! Content for scenes: a geometry of any kind.

use std::ffi::c_void;

use bytemuck::Pod;
use lanecast::primitive::{Cylinder, HeightField, Obb, RoundCone, SignedDistance, Sphere};
use lanecast::{Aabb, Geometry};

use crate::border::{Failure, enter, free, give, lanecast_result};
use crate::content::{Geometries, Number, lanecast_precision, of_precision};
use crate::memory::{all_of, copied_rows, lanecast_rows, rows, sized};
use crate::primitives::{Callbacks, OfCaller, lanecast_primitives};

/// Content for scenes, of one precision: it is given to `lanecast_build`, `lanecast_add` and
/// `lanecast_replace`, any number of times.
#[derive(Debug)]
pub struct lanecast_geometry(pub(crate) Geometries);

/// The geometries behind handles.
///
/// # Safety
/// As many handles as are counted lie there, each as `lanecast_geometry_free` takes it.
pub(crate) unsafe fn geometries<T: Number>(
    handles: *const *const lanecast_geometry,
    count: usize,
) -> Result<Vec<Geometry<'static, T>>, Failure> {
    // SAFETY: by the caller; pointers are numbers of the size of a `usize`.
    let handles: &[usize] = unsafe { all_of("geometries", handles.cast(), count) }?;
    let geometry = |(place, handle): (usize, &usize)| {
        let handle = std::ptr::with_exposed_provenance::<lanecast_geometry>(*handle);
        let name = format!("geometries[{place}]");
        // SAFETY: by the caller.
        let geometry = unsafe { crate::border::handle(&name, handle) }?;
        let other = || Failure::argument(&name, "it is of another precision than the scene");
        T::geometry_of(geometry).cloned().ok_or_else(other)
    };
    handles.iter().enumerate().map(geometry).collect()
}

/// Rows of numbers as the values that they are, copied.
unsafe fn values<T: Pod, V: Pod, const N: usize>(
    name: &str,
    given: lanecast_rows,
) -> Result<Vec<V>, Failure> {
    const { assert!(size_of::<V>() == N * size_of::<T>(), "the numbers of a value and no more") };
    // SAFETY: by the caller.
    let rows = unsafe { copied_rows::<T, N>(name, given) }?;
    Ok(bytemuck::cast_slice(&rows).to_vec())
}

/// A mesh of triangles: rows of three coordinates, and rows of three indices of vertices, as
/// `uint32_t`. The front of a triangle is where its vertices run counter-clockwise.
///
/// Vertices and indices are read where they lie, whenever the geometry is given to a scene, and must
/// stay as they are until the last such call has returned.
///
/// # Safety
/// All rows that are counted lie there; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_triangles(
    precision: lanecast_precision,
    vertices: lanecast_rows,
    triangles: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe { mesh(precision, vertices, triangles, false, geometry) })
}

/// The same for a mesh whose vertices `lanecast_refit` moves: the scene keeps a copy of its indices.
///
/// # Safety
/// As for `lanecast_triangles`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_deformable_triangles(
    precision: lanecast_precision,
    vertices: lanecast_rows,
    triangles: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe { mesh(precision, vertices, triangles, true, geometry) })
}

unsafe fn mesh(
    precision: lanecast_precision,
    vertices: lanecast_rows,
    triangles: lanecast_rows,
    is_deformable: bool,
    geometry: *mut *mut lanecast_geometry,
) -> Result<(), Failure> {
    // SAFETY: by the caller; buffers stay for as long as the geometry is given to scenes.
    let triangles = unsafe { rows::<u32, 3>("triangles", triangles) }?;
    of_precision!("precision", precision, T => {
        // SAFETY: as above.
        let vertices = unsafe { rows::<T, 3>("vertices", vertices) }?;
        let made = if is_deformable {
            Geometry::deformable_mesh(vertices, triangles)
        } else {
            Geometry::triangle_mesh(vertices, triangles)
        };
        // SAFETY: by the caller.
        unsafe { put::<T>(geometry, made) }
    })
}

/// A mesh of quads: as `lanecast_triangles`, with rows of four indices. Quad number q of vertices a,
/// b, c, d has the primitive ids 2q (a, b, d) and 2q + 1 (c, d, b).
///
/// # Safety
/// As for `lanecast_triangles`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_quads(
    precision: lanecast_precision,
    vertices: lanecast_rows,
    quads: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        // SAFETY: as in `mesh`.
        let quads = unsafe { rows::<u32, 4>("quads", quads) }?;
        of_precision!("precision", precision, T => {
            // SAFETY: as above.
            let vertices = unsafe { rows::<T, 3>("vertices", vertices) }?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::quads(vertices, quads)) }
        })
    })
}

/// Boxes: rows of the least and the greatest corner, six numbers, which are copied.
///
/// # Safety
/// All rows that are counted lie there; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_boxes(
    precision: lanecast_precision,
    boxes: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let values = unsafe { values::<T, Aabb<T>, 6>("boxes", boxes) }?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::boxes(&values)) }
        })
    })
}

/// Oriented boxes: rows of the center, three orthonormal axes, and half extents, fifteen numbers, which
/// are copied.
///
/// # Safety
/// All rows that are counted lie there; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_oriented_boxes(
    precision: lanecast_precision,
    oriented_boxes: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let values = unsafe { values::<T, Obb<T>, 15>("oriented_boxes", oriented_boxes) }?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::oriented_boxes(&values)) }
        })
    })
}

/// Spheres: rows of the center and the radius, four numbers, which are copied.
///
/// # Safety
/// All rows that are counted lie there; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_spheres(
    precision: lanecast_precision,
    spheres: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let values = unsafe { values::<T, Sphere<T>, 4>("spheres", spheres) }?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::spheres(&values)) }
        })
    })
}

/// Round cones, the hulls of two balls: rows of both centers and both radii, eight numbers, which are
/// copied.
///
/// # Safety
/// All rows that are counted lie there; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_round_cones(
    precision: lanecast_precision,
    round_cones: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let values = unsafe { values::<T, RoundCone<T>, 8>("round_cones", round_cones) }?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::round_cones(&values)) }
        })
    })
}

/// Capped cylinders: rows of the centers of both caps and the radius, seven numbers, which are copied.
///
/// # Safety
/// All rows that are counted lie there; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_cylinders(
    precision: lanecast_precision,
    cylinders: lanecast_rows,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let values = unsafe { values::<T, Cylinder<T>, 7>("cylinders", cylinders) }?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::cylinders(&values)) }
        })
    })
}

/// A field of heights over a regular grid of `rows` times `columns` vertices, row by row along x:
/// vertex (row, column) is (x0 + column * step_x, y0 + row * step_y, height). A height that is NaN is
/// a hole. Each cell is two triangles. All is copied.
///
/// # Safety
/// `rows` times `columns` heights lie there, of the precision; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_height_field(
    precision: lanecast_precision,
    heights: *const c_void,
    rows: usize,
    columns: usize,
    origin: *const f64,
    spacing: *const f64,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        let Some(count) = rows.checked_mul(columns) else {
            return Err(Failure::argument("rows", "times columns is more than can be counted"));
        };
        // SAFETY: by the caller.
        let [origin, spacing] =
            unsafe { [all_of("origin", origin, 2)?, all_of("spacing", spacing, 2)?] };
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let heights = unsafe { all_of::<T>("heights", heights.cast(), count) }?;
            let [origin, spacing] = [origin, spacing].map(|at| [T::rounded(at[0]), T::rounded(at[1])]);
            let field = HeightField::new(heights, [rows, columns], origin, spacing)?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::height_field(field)) }
        })
    })
}

/// The distance of a point from a surface, negative inside.
pub type lanecast_distance_function =
    Option<unsafe extern "C" fn(user: *mut c_void, point: *const f64) -> f64>;

/// The solid where a function is negative, within a box of six numbers (least corner, greatest
/// corner), met by sphere tracing. The function changes by at most `lipschitz` times the way between
/// two points, and a line meets the surface where it is below `tolerance`. It is called by all
/// threads at once, with the same answer each time, and must not unwind; `user` is passed to it.
///
/// # Safety
/// `bounds` has six numbers; the function may be called for as long as the geometry or a scene with
/// it exists; `geometry` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_signed_distance_field(
    precision: lanecast_precision,
    function: lanecast_distance_function,
    user: *mut c_void,
    bounds: *const f64,
    lipschitz: f64,
    tolerance: f64,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        let Some(function) = function else {
            return Err(Failure::argument("function", "it is null"));
        };
        // SAFETY: by the caller.
        let bounds = unsafe { all_of("bounds", bounds, 6) }?;
        of_precision!("precision", precision, T => {
            let user = OfCaller(user);
            // SAFETY: by the caller.
            let distance = move |point: [f64; 3]| unsafe { function(user.get(), point.as_ptr()) };
            let corner = |first: usize| std::array::from_fn(|axis| T::rounded(bounds[first + axis]));
            let bounds = Aabb { min: corner(0), max: corner(3) };
            let solid = SignedDistance::new(distance, bounds, lipschitz, tolerance)?;
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, Geometry::signed_distance(solid)) }
        })
    })
}

/// Primitives of your own, by callbacks: see `lanecast_primitives`, which is copied.
///
/// # Safety
/// The callbacks may be called for as long as the geometry or a scene with it exists; `geometry` may
/// be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_own_primitives(
    precision: lanecast_precision,
    primitives: *const lanecast_primitives,
    geometry: *mut *mut lanecast_geometry,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller; numbers, pointers and functions that may be null.
        let callbacks = Callbacks::of(unsafe { sized("primitives", primitives) }?)?;
        of_precision!("precision", precision, T => {
            let made = Geometry::<T>::primitives(std::sync::Arc::new(callbacks));
            // SAFETY: by the caller.
            unsafe { put::<T>(geometry, made) }
        })
    })
}

/// Frees a geometry; nothing if null. Scenes that were built with it stay as they are.
///
/// # Safety
/// It is null, or was made by this library, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_geometry_free(geometry: *mut lanecast_geometry) {
    // SAFETY: by the caller.
    unsafe { free(geometry) }
}

unsafe fn put<T: Number>(
    place: *mut *mut lanecast_geometry,
    geometry: Geometry<'static, T>,
) -> Result<(), Failure> {
    // SAFETY: by the caller.
    unsafe { give("geometry", place, lanecast_geometry(T::geometry(geometry))) }
}
