//! Changes of scenes.

use lanecast::Geometry;

use crate::border::{Failure, enter, expect_place, give, handle, lanecast_result};
use crate::content::{Number, OfEither, with_scene};
use crate::geometry::{geometries, lanecast_geometry};
use crate::memory::{all_of, lanecast_rows, rows};
use crate::scene::{How, affine, alone, changing, lanecast_build_options, lanecast_instance};
use crate::scene::{lanecast_scene, placed};

/// New vertices of a mesh that was added by `lanecast_deformable_triangles`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_moved_mesh {
    pub geometry_id: u32,
    /// All of its vertices, in the order in which they were given, of the scene's precision.
    pub vertices: lanecast_rows,
}

/// A change of a scene, whatever its precision.
trait Change {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure>;
}

unsafe fn change(
    scene: *mut lanecast_scene,
    options: *const lanecast_build_options,
    change: impl Change,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let how = unsafe { How::of_change(options) }?;
        // SAFETY: by the caller.
        unsafe {
            changing(scene, |content| match content {
                OfEither::F32(scene) => change.make(alone(scene)?, &how),
                OfEither::F64(scene) => change.make(alone(scene)?, &how),
            })
        }
    })
}

/// A change with its threads, watcher and quality.
macro_rules! begun {
    ($scene:expr, $how:expr) => {{
        let change = $scene.change().threads($how.threads);
        match &$how.watch {
            Some(watch) => change.watch(&**watch),
            None => change,
        }
    }};
}

struct Add {
    handles: *const *const lanecast_geometry,
    count: usize,
    ids: *mut u32,
}

impl Change for Add {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        // SAFETY: by the caller of `lanecast_add`.
        let added = unsafe { geometries::<T>(self.handles, self.count) }?;
        expect_place("ids", self.ids, if self.ids.is_null() { 0 } else { self.count })?;
        let given = begun!(scene, how).quality(how.quality).add(&added)?;
        if !self.ids.is_null() {
            for (place, id) in given.into_iter().enumerate() {
                // SAFETY: by the caller of `lanecast_add`.
                unsafe { self.ids.add(place).write(id) };
            }
        }
        Ok(())
    }
}

/// Adds geometries to a scene. Each gets the lowest id that is free; the ids are written to `ids`,
/// which may be null. Builds trees anew.
///
/// # Safety
/// As many handles as are counted lie there, and so many ids may be written; `scene` is a scene that
/// nobody else uses; `options` is null or points to options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_add(
    scene: *mut lanecast_scene,
    geometries: *const *const lanecast_geometry,
    count: usize,
    options: *const lanecast_build_options,
    ids: *mut u32,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { change(scene, options, Add { handles: geometries, count, ids }) }
}

struct Replace<'a> {
    ids: &'a [u32],
    handles: *const *const lanecast_geometry,
}

impl Change for Replace<'_> {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        // SAFETY: by the caller of `lanecast_replace`.
        let others = unsafe { geometries::<T>(self.handles, self.ids.len()) }?;
        let others: Vec<(u32, Geometry<'_, T>)> = self.ids.iter().copied().zip(others).collect();
        Ok(begun!(scene, how).quality(how.quality).replace(&others)?)
    }
}

/// Replaces geometries of a scene by others of any kind. Ids, masks and user data stay.
///
/// # Safety
/// As many ids and handles as are counted lie there; else as for `lanecast_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_replace(
    scene: *mut lanecast_scene,
    geometry_ids: *const u32,
    geometries: *const *const lanecast_geometry,
    count: usize,
    options: *const lanecast_build_options,
) -> lanecast_result {
    // SAFETY: by the caller.
    match unsafe { all_of("geometry_ids", geometry_ids, count) } {
        // SAFETY: by the caller.
        Ok(ids) => unsafe { change(scene, options, Replace { ids, handles: geometries }) },
        Err(failure) => enter(|| Err(failure)),
    }
}

struct Remove<'a>(&'a [u32]);

impl Change for Remove<'_> {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        Ok(begun!(scene, how).quality(how.quality).remove(self.0)?)
    }
}

/// Removes geometries from a scene. The ids of all others stay.
///
/// # Safety
/// As many ids as are counted lie there; else as for `lanecast_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_remove(
    scene: *mut lanecast_scene,
    geometry_ids: *const u32,
    count: usize,
    options: *const lanecast_build_options,
) -> lanecast_result {
    // SAFETY: by the caller.
    match unsafe { all_of("geometry_ids", geometry_ids, count) } {
        // SAFETY: by the caller.
        Ok(ids) => unsafe { change(scene, options, Remove(ids)) },
        Err(failure) => enter(|| Err(failure)),
    }
}

struct Refit<'a>(&'a [lanecast_moved_mesh]);

impl Change for Refit<'_> {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        let moved = |(place, mesh): (usize, &lanecast_moved_mesh)| {
            let name = format!("meshes[{place}].vertices");
            // SAFETY: by the caller of `lanecast_refit`.
            Ok((mesh.geometry_id, unsafe { rows::<T, 3>(&name, mesh.vertices) }?))
        };
        let meshes = self.0.iter().enumerate().map(moved).collect::<Result<Vec<_>, Failure>>()?;
        let meshes: Vec<_> = meshes.iter().map(|(id, vertices)| (*id, &**vertices)).collect();
        Ok(begun!(scene, how).refit(&meshes)?)
    }
}

/// Moves the vertices of deformable meshes. The tree keeps its structure: rays get slower the
/// farther neighbours part, until `lanecast_rebuild`.
///
/// # Safety
/// As many meshes as are counted lie there, with all of their vertices; else as for `lanecast_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_refit(
    scene: *mut lanecast_scene,
    meshes: *const lanecast_moved_mesh,
    count: usize,
    options: *const lanecast_build_options,
) -> lanecast_result {
    if let Err(failure) = expect_place("meshes", meshes, count) {
        return enter(|| Err(failure));
    }
    let meshes =
        if count == 0 { std::ptr::NonNull::dangling().as_ptr() } else { meshes.cast_mut() };
    // SAFETY: by the caller, or of no mesh.
    let meshes = unsafe { std::slice::from_raw_parts(meshes, count) };
    // SAFETY: by the caller.
    unsafe { change(scene, options, Refit(meshes)) }
}

struct Rebuild;

impl Change for Rebuild {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        Ok(begun!(scene, how).quality(how.quality).rebuild()?)
    }
}

/// Builds the tree over the triangles of a scene anew.
///
/// # Safety
/// As for `lanecast_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_rebuild(
    scene: *mut lanecast_scene,
    options: *const lanecast_build_options,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { change(scene, options, Rebuild) }
}

/// Copies a scene, so that one can be changed while the other is asked.
///
/// # Safety
/// `scene` is a scene, `copy` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_copy(
    scene: *const lanecast_scene,
    copy: *mut *mut lanecast_scene,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        let copied = match content {
            OfEither::F32(scene) => OfEither::F32(scene.deep_copy().into()),
            OfEither::F64(scene) => OfEither::F64(scene.deep_copy().into()),
        };
        // SAFETY: by the caller.
        unsafe { give("copy", copy, lanecast_scene(copied)) }
    })
}

/// Places scenes in a scene. Each instance gets the lowest number that fits; the numbers are written
/// to `numbers`, which may be null.
///
/// # Safety
/// As many instances as are counted lie there, and so many numbers may be written; `scene` is a
/// scene that nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_add_instances(
    scene: *mut lanecast_scene,
    instances: *const lanecast_instance,
    count: usize,
    numbers: *mut u32,
) -> lanecast_result {
    enter(|| {
        expect_place("instances", instances, count)?;
        expect_place("numbers", numbers, if numbers.is_null() { 0 } else { count })?;
        let add = |place: usize| {
            // SAFETY: by the caller.
            unsafe { &*instances.add(place) }
        };
        // SAFETY: by the caller.
        let given = unsafe {
            changing(scene, |content| match content {
                OfEither::F32(scene) => add_to(alone(scene)?, (0..count).map(add)),
                OfEither::F64(scene) => add_to(alone(scene)?, (0..count).map(add)),
            })
        }?;
        if !numbers.is_null() {
            for (place, number) in given.into_iter().enumerate() {
                // SAFETY: by the caller.
                unsafe { numbers.add(place).write(number) };
            }
        }
        Ok(())
    })
}

fn add_to<'a, T: Number>(
    scene: &mut lanecast::Scene<T>,
    instances: impl Iterator<Item = &'a lanecast_instance>,
) -> Result<Vec<u32>, Failure> {
    let instance = |(place, instance): (usize, &lanecast_instance)| {
        let name = format!("instances[{place}].scene");
        // SAFETY: by the caller of `lanecast_add_instances`.
        Ok((unsafe { placed::<T>(&name, instance.scene) }?, affine(&instance.transform)))
    };
    let added = instances.enumerate().map(instance).collect::<Result<Vec<_>, Failure>>()?;
    let added: Vec<_> = added.iter().map(|(scene, transform)| (scene, *transform)).collect();
    Ok(scene.add_instances(&added)?)
}

/// Removes instances from a scene. The numbers of all others stay.
///
/// # Safety
/// As many numbers as are counted lie there; `scene` is a scene that nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_remove_instances(
    scene: *mut lanecast_scene,
    instances: *const u32,
    count: usize,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let instances = unsafe { all_of("instances", instances, count) }?;
        // SAFETY: by the caller.
        unsafe {
            changing(scene, |content| {
                with_scene!(content, scene => alone(scene)?.remove_instances(instances)?);
                Ok(())
            })
        }
    })
}
