//! Primitives of the caller, behind callbacks.

use std::ffi::c_void;
use std::fmt;

use lanecast::primitive::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
use lanecast::{Aabb, Affine, Ray};

use crate::border::Failure;
use crate::content::Number;

/// A point of a surface, in `double` whatever the precision of the scene.
#[repr(C)]
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub struct lanecast_surface_point {
    /// The ray parameter; nothing to closest points.
    pub t: f64,
    pub u: f64,
    pub v: f64,
    /// Points to the front, of any length.
    pub normal: [f64; 3],
    /// Where it is; nothing to rays.
    pub point: [f64; 3],
}

/// Takes a point in which a line meets a primitive. `context` is that of the call.
pub type lanecast_meet =
    Option<unsafe extern "C" fn(context: *mut c_void, point: *const lanecast_surface_point)>;

/// Primitives of your own. All numbers are `double`; those of a scene of `float` are converted, and
/// boxes are rounded outwards. The callbacks are called by all threads at once, must give the same
/// answer each time, and must not unwind or throw. `user` is passed to each.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_primitives {
    /// `sizeof(lanecast_primitives)`.
    pub size: usize,
    pub count: usize,
    pub user: *mut c_void,
    /// Writes six numbers: the least and the greatest corner of a box that holds the primitive.
    pub bounds:
        Option<unsafe extern "C" fn(user: *mut c_void, primitive_id: u32, bounds: *mut f64)>,
    /// Calls `meet` with each point in which the line of a ray meets the primitive, in any order.
    /// The ray is eight numbers: origin, direction, t_min, t_max. Points outside of the interval do
    /// not count.
    pub intersect: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            primitive_id: u32,
            ray: *const f64,
            meet: lanecast_meet,
            context: *mut c_void,
        ),
    >,
    /// Writes the closest point of the primitive to `point`, with its normal. `placed` is twelve
    /// numbers, three rows of an affine map that carries the primitive to the frame of the point and of
    /// the answer. Returns whether there is one. Null: the primitives cannot be asked for closest
    /// points.
    pub nearest: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            primitive_id: u32,
            point: *const f64,
            placed: *const f64,
            nearest: *mut lanecast_surface_point,
        ) -> bool,
    >,
    /// Whether every line meets each primitive as often from its front as from its back, so that
    /// points can be inside.
    pub is_closed: bool,
}

/// A pointer of the caller, who says that callbacks may use it on all threads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfCaller(pub(crate) *mut c_void);

// SAFETY: it is only passed to callbacks, which the caller allows on all threads.
unsafe impl Send for OfCaller {}
// SAFETY: as above.
unsafe impl Sync for OfCaller {}

impl OfCaller {
    /// By a method, so that closures hold the whole.
    pub(crate) const fn get(self) -> *mut c_void {
        self.0
    }
}

type Bounds = unsafe extern "C" fn(*mut c_void, u32, *mut f64);
type Intersect = unsafe extern "C" fn(*mut c_void, u32, *const f64, lanecast_meet, *mut c_void);
type Nearest = unsafe extern "C" fn(
    *mut c_void,
    u32,
    *const f64,
    *const f64,
    *mut lanecast_surface_point,
) -> bool;

/// Callbacks that are complete.
pub(crate) struct Callbacks {
    user: OfCaller,
    count: usize,
    bounds: Bounds,
    intersect: Intersect,
    nearest: Option<Nearest>,
    is_closed: bool,
}

impl Callbacks {
    pub(crate) fn of(given: lanecast_primitives) -> Result<Self, Failure> {
        let missing = |name| Failure::argument(name, "it is null; a function was expected");
        Ok(Self {
            user: OfCaller(given.user),
            count: given.count,
            bounds: given.bounds.ok_or_else(|| missing("primitives.bounds"))?,
            intersect: given.intersect.ok_or_else(|| missing("primitives.intersect"))?,
            nearest: given.nearest,
            is_closed: given.is_closed,
        })
    }
}

impl fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("lanecast_primitives").field("count", &self.count).finish_non_exhaustive()
    }
}

/// What `lanecast_meet` gives points to.
struct Meeting<'a, T> {
    meet: &'a mut dyn FnMut(SurfacePoint<T>),
}

unsafe extern "C" fn meet<T: Number>(context: *mut c_void, point: *const lanecast_surface_point) {
    // SAFETY: the context is that of `intersect`, which is not over; the point is the caller's.
    let (meeting, point) = unsafe { (&mut *context.cast::<Meeting<'_, T>>(), &*point) };
    let [t, u, v] = [point.t, point.u, point.v].map(T::rounded);
    (meeting.meet)(SurfacePoint { t, u, v, normal: point.normal.map(T::rounded) });
}

impl<T: Number> Primitives<T> for Callbacks {
    fn count(&self) -> usize {
        self.count
    }

    fn bounds(&self, primitive_id: u32) -> Aabb<T> {
        let mut bounds = [f64::NAN; 6];
        // SAFETY: the caller lets the callback be called, with room for six numbers.
        unsafe { (self.bounds)(self.user.get(), primitive_id, bounds.as_mut_ptr()) };
        let [min, max] = [0, 3].map(|first| [bounds[first], bounds[first + 1], bounds[first + 2]]);
        Aabb { min: min.map(T::rounded_down), max: max.map(T::rounded_up) }
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray<T>, each: &mut dyn FnMut(SurfacePoint<T>)) {
        let mut numbers = [0.0; 8];
        let parts = ray.origin.iter().chain(&ray.direction).chain([&ray.t_min, &ray.t_max]);
        for (number, part) in numbers.iter_mut().zip(parts) {
            *number = part.to_f64();
        }
        let mut meeting = Meeting { meet: each };
        let context = (&raw mut meeting).cast();
        // SAFETY: the caller lets the callback be called; `meet` gets the context that it takes.
        unsafe {
            (self.intersect)(
                self.user.get(),
                primitive_id,
                numbers.as_ptr(),
                Some(meet::<T>),
                context,
            );
        }
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }

    fn nearest_points(&self) -> Option<&dyn NearestPoints<T>> {
        self.nearest.is_some().then_some(self)
    }
}

impl<T: Number> NearestPoints<T> for Callbacks {
    fn nearest_point(
        &self,
        primitive_id: u32,
        point: [f64; 3],
        placed: &Affine,
    ) -> Option<NearestPoint<T>> {
        let (nearest, rows) = (self.nearest?, placed.rows());
        let mut found: lanecast_surface_point = bytemuck::Zeroable::zeroed();
        let placed = rows.as_flattened().as_ptr();
        // SAFETY: the caller lets the callback be called, with numbers and room as it expects.
        let is_found = unsafe {
            nearest(self.user.get(), primitive_id, point.as_ptr(), placed, &raw mut found)
        };
        let [u, v] = [found.u, found.v].map(T::rounded);
        let normal = found.normal.map(T::rounded);
        is_found.then_some(NearestPoint { point: found.point, u, v, normal })
    }
}
