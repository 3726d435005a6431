//! Single rays, for recursion.

use lanecast::{Hit, Ray};

use crate::border::{Failure, enter_for, expect_place, handle};
use crate::content::{Content, Number, OfEither};
use crate::options::{Given, LANECAST_INVALID_ID, lanecast_options, takes};
use crate::scene::lanecast_scene;

/// A ray of `float`.
#[repr(C)]
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct lanecast_ray_f32 {
    pub origin: [f32; 3],
    pub direction: [f32; 3],
    pub t_min: f32,
    pub t_max: f32,
}

/// A ray of `double`.
#[repr(C)]
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct lanecast_ray_f64 {
    pub origin: [f64; 3],
    pub direction: [f64; 3],
    pub t_min: f64,
    pub t_max: f64,
}

/// A hit of `float`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_hit_f32 {
    pub t: f32,
    /// Weights of the second and the third vertex.
    pub u: f32,
    pub v: f32,
    pub primitive_id: u32,
    pub geometry_id: u32,
    /// `LANECAST_INVALID_ID` of what is in no instance.
    pub instance_id: u32,
}

/// A hit of `double`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_hit_f64 {
    pub t: f64,
    /// Weights of the second and the third vertex.
    pub u: f64,
    pub v: f64,
    pub primitive_id: u32,
    pub geometry_id: u32,
    /// `LANECAST_INVALID_ID` of what is in no instance.
    pub instance_id: u32,
}

impl lanecast_hit_f64 {
    pub(crate) fn of<T: Number>(hit: &Hit<T>) -> Self {
        let Hit { primitive_id, geometry_id, instance_id, .. } = *hit;
        let [t, u, v] = [hit.t, hit.u, hit.v].map(T::to_f64);
        Self { t, u, v, primitive_id, geometry_id, instance_id }
    }
}

/// The scene of that precision.
#[inline(always)]
unsafe fn scene_of<'a, T: Number>(
    scene: *const lanecast_scene,
) -> Result<&'a lanecast::Scene<T>, Failure> {
    // SAFETY: by the caller.
    let lanecast_scene(content): &'a lanecast_scene = unsafe { handle("scene", scene) }?;
    match T::scene_of(content) {
        Some(scene) => Ok(scene),
        None => Err(other_precision(content)),
    }
}

#[cold]
fn other_precision(content: &Content) -> Failure {
    let is = if matches!(content, OfEither::F32(_)) { "LANECAST_F32" } else { "LANECAST_F64" };
    Failure::argument("scene", format!("it is {is}, and the ray is of the other precision"))
}

/// A ray that cannot be cast is an answer, and anything else a failure.
fn status_of(error: lanecast::Error) -> Result<i32, Failure> {
    match error {
        lanecast::Error::InvalidRay { status } => Ok(i32::from(status.code())),
        error => Err(error.into()),
    }
}

#[inline(always)]
unsafe fn closest1<T: Number>(
    scene: *const lanecast_scene,
    ray: *const T::Ray,
    options: *const lanecast_options,
    hit: *mut T::Hit,
) -> Result<i32, Failure> {
    // SAFETY: by the caller.
    let (scene, ray) = unsafe { (scene_of::<T>(scene)?, handle("ray", ray)?) };
    expect_place("hit", hit, 1)?;
    let give = |found| match found {
        Ok(Some(found)) => {
            // SAFETY: by the caller.
            unsafe { hit.write(T::hit(&found)) };
            Ok(1)
        }
        Ok(None) => Ok(0),
        Err(error) => status_of(error),
    };
    let ray = T::ray(ray);
    // Given in each branch: what is found without options stays in registers.
    if options.is_null() {
        give(scene.cast(ray).closest())
    } else {
        // SAFETY: by the caller.
        give(unsafe { closest_with(scene, ray, options) }?)
    }
}

#[inline(never)]
unsafe fn closest_with<T: Number>(
    scene: &lanecast::Scene<T>,
    ray: &Ray<T>,
    options: *const lanecast_options,
) -> Result<lanecast::Result<Option<Hit<T>>>, Failure> {
    // SAFETY: by the caller.
    let given = unsafe { Given::read(options, takes!("closest1" as one_ray), 1) }?;
    let options = given.options()?;
    Ok(scene.cast(ray).with(&options).closest())
}

unsafe fn closest1_with_normal<T: Number>(
    scene: *const lanecast_scene,
    ray: *const T::Ray,
    options: *const lanecast_options,
    hit: *mut T::Hit,
    normal: *mut T,
) -> Result<i32, Failure> {
    // SAFETY: by the caller.
    let (scene, ray) = unsafe { (scene_of::<T>(scene)?, handle("ray", ray)?) };
    expect_place("hit", hit, 1)?;
    expect_place("normal", normal, 3)?;
    // SAFETY: by the caller.
    let given = unsafe { Given::read(options, takes!("closest1" as one_ray), 1) }?;
    let (options, ray) = (given.options()?, T::ray(ray));
    match scene.cast(ray).with(&options).closest_with_normal() {
        Ok(Some((found, found_normal))) => {
            // SAFETY: by the caller.
            unsafe {
                hit.write(T::hit(&found));
                normal.cast::<[T; 3]>().write(found_normal);
            }
            Ok(1)
        }
        Ok(None) => Ok(0),
        Err(error) => status_of(error),
    }
}

#[inline(always)]
unsafe fn any1<T: Number>(
    scene: *const lanecast_scene,
    ray: *const T::Ray,
    options: *const lanecast_options,
) -> Result<i32, Failure> {
    // SAFETY: by the caller.
    let (scene, ray) = unsafe { (scene_of::<T>(scene)?, handle("ray", ray)?) };
    let give = |found: lanecast::Result<bool>| found.map(i32::from).or_else(status_of);
    let ray = T::ray(ray);
    if options.is_null() {
        give(scene.cast(ray).any())
    } else {
        // SAFETY: by the caller.
        give(unsafe { any_with(scene, ray, options) }?)
    }
}

#[inline(never)]
unsafe fn any_with<T: Number>(
    scene: &lanecast::Scene<T>,
    ray: &Ray<T>,
    options: *const lanecast_options,
) -> Result<lanecast::Result<bool>, Failure> {
    // SAFETY: by the caller.
    let given = unsafe { Given::read(options, takes!("any1" as one_ray), 1) }?;
    let options = given.options()?;
    Ok(scene.cast(ray).with(&options).any())
}

/// The first hit of one ray, at a scene of `float`. Returns the status of the ray, `LANECAST_HIT` or
/// `LANECAST_MISS` or why it was not cast, or a negative result if the call failed. `hit` is written
/// if there is one.
///
/// # Safety
/// All pointers but `options` are as the types say, and that may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_closest1_f32(
    scene: *const lanecast_scene,
    ray: *const lanecast_ray_f32,
    options: *const lanecast_options,
    hit: *mut lanecast_hit_f32,
) -> i32 {
    // SAFETY: by the caller.
    enter_for(|| unsafe { closest1::<f32>(scene, ray, options, hit) })
}

/// The same at a scene of `double`.
///
/// # Safety
/// As for `lanecast_closest1_f32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_closest1_f64(
    scene: *const lanecast_scene,
    ray: *const lanecast_ray_f64,
    options: *const lanecast_options,
    hit: *mut lanecast_hit_f64,
) -> i32 {
    // SAFETY: by the caller.
    enter_for(|| unsafe { closest1::<f64>(scene, ray, options, hit) })
}

/// The same with the normal of the hit, three numbers as in `lanecast_hits.normal`; it takes longer.
///
/// # Safety
/// As for `lanecast_closest1_f32`, and three numbers may be written to `normal`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_closest1_with_normal_f32(
    scene: *const lanecast_scene,
    ray: *const lanecast_ray_f32,
    options: *const lanecast_options,
    hit: *mut lanecast_hit_f32,
    normal: *mut f32,
) -> i32 {
    // SAFETY: by the caller.
    enter_for(|| unsafe { closest1_with_normal::<f32>(scene, ray, options, hit, normal) })
}

/// The same at a scene of `double`.
///
/// # Safety
/// As for `lanecast_closest1_with_normal_f32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_closest1_with_normal_f64(
    scene: *const lanecast_scene,
    ray: *const lanecast_ray_f64,
    options: *const lanecast_options,
    hit: *mut lanecast_hit_f64,
    normal: *mut f64,
) -> i32 {
    // SAFETY: by the caller.
    enter_for(|| unsafe { closest1_with_normal::<f64>(scene, ray, options, hit, normal) })
}

/// Whether one ray hits anything, at a scene of `float`: as `lanecast_closest1_f32`.
///
/// # Safety
/// As for `lanecast_closest1_f32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_any1_f32(
    scene: *const lanecast_scene,
    ray: *const lanecast_ray_f32,
    options: *const lanecast_options,
) -> i32 {
    // SAFETY: by the caller.
    enter_for(|| unsafe { any1::<f32>(scene, ray, options) })
}

/// The same at a scene of `double`.
///
/// # Safety
/// As for `lanecast_closest1_f32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_any1_f64(
    scene: *const lanecast_scene,
    ray: *const lanecast_ray_f64,
    options: *const lanecast_options,
) -> i32 {
    // SAFETY: by the caller.
    enter_for(|| unsafe { any1::<f64>(scene, ray, options) })
}

const _: () = assert!(LANECAST_INVALID_ID == lanecast::INVALID_ID);
