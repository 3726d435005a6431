//! Changes of scenes.

use std::ops::ControlFlow;
use std::sync::Arc;

use lanecast::{Affine, Geometry};

use crate::border::{Failure, enter, expect_aligned, expect_place, give, handle, lanecast_result};
use crate::content::{Number, OfEither, with_either};
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
            changing(
                scene,
                |content| with_either!(content, scene => change.make(alone(scene)?, &how)),
            )
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
        expect_aligned("ids", self.ids)?;
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

struct Replace {
    ids: *const u32,
    handles: *const *const lanecast_geometry,
    count: usize,
}

impl Change for Replace {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        // SAFETY: by the caller of `lanecast_replace`.
        let (ids, others) = unsafe {
            (
                all_of("geometry_ids", self.ids, self.count)?,
                geometries::<T>(self.handles, self.count)?,
            )
        };
        let others: Vec<(u32, Geometry<'_, T>)> = ids.iter().copied().zip(others).collect();
        Ok(begun!(scene, how).quality(how.quality).replace(&others)?)
    }
}

/// Replaces geometries of a scene by others of any kind. Ids, masks and user data stay. Of one id that
/// is given twice the last counts.
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
    unsafe { change(scene, options, Replace { ids: geometry_ids, handles: geometries, count }) }
}

struct Remove {
    ids: *const u32,
    count: usize,
}

impl Change for Remove {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        // SAFETY: by the caller of `lanecast_remove`.
        let ids = unsafe { all_of("geometry_ids", self.ids, self.count) }?;
        Ok(begun!(scene, how).quality(how.quality).remove(ids)?)
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
    unsafe { change(scene, options, Remove { ids: geometry_ids, count }) }
}

struct Refit {
    meshes: *const lanecast_moved_mesh,
    count: usize,
}

impl Change for Refit {
    fn make<T: Number>(self, scene: &mut lanecast::Scene<T>, how: &How<'_>) -> Result<(), Failure> {
        // SAFETY: by the caller of `lanecast_refit`.
        let meshes = unsafe { all_of("meshes", self.meshes, self.count) }?;
        let moved = |(place, mesh): (usize, &lanecast_moved_mesh)| {
            let name = format!("meshes[{place}].vertices");
            // SAFETY: as above.
            Ok((mesh.geometry_id, unsafe { rows::<T, 3>(&name, mesh.vertices) }?))
        };
        let meshes = meshes.iter().enumerate().map(moved).collect::<Result<Vec<_>, Failure>>()?;
        Ok(begun!(scene, how).refit(&meshes)?)
    }
}

/// Moves the vertices of deformable meshes. The tree keeps its structure: rays get slower the
/// farther neighbours part, until `lanecast_rebuild`. Of one id that is given twice the last counts.
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
    // SAFETY: by the caller.
    unsafe { change(scene, options, Refit { meshes, count }) }
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

/// Copies a scene, so that one can be changed while the other is asked. Of the options the threads
/// and the watcher count.
///
/// # Safety
/// `scene` is a scene, `options` is null or points to options, `copy` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_copy(
    scene: *const lanecast_scene,
    options: *const lanecast_build_options,
    copy: *mut *mut lanecast_scene,
) -> lanecast_result {
    enter(|| {
        expect_place("copy", copy, 1)?;
        // SAFETY: by the caller.
        let (lanecast_scene(content), how) =
            unsafe { (handle("scene", scene)?, How::of_change(options)?) };
        let watch = how.watch.as_deref().unwrap_or(&|_| ControlFlow::Continue(()));
        let copied = with_either!(content, scene => {
            Number::content(scene.deep_copy_watched(how.threads, watch)?)
        });
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
        expect_aligned("numbers", numbers)?;
        // SAFETY: by the caller.
        let given = unsafe { all_of("instances", instances, count) }?;
        // SAFETY: by the caller, for a look.
        let is_f64 = matches!(unsafe { handle("scene", scene) }?.0, OfEither::F64(_));
        // Before the scene is borrowed to be changed, as it may be one of those.
        let (of_f32, of_f64) = match is_f64 {
            false => (given_instances::<f32>(given)?, Vec::new()),
            true => (Vec::new(), given_instances::<f64>(given)?),
        };
        // SAFETY: by the caller.
        let given = unsafe {
            changing(scene, |content| match content {
                OfEither::F32(scene) => Ok(alone(scene)?.add_instances(&pairs(&of_f32))?),
                OfEither::F64(scene) => Ok(alone(scene)?.add_instances(&pairs(&of_f64))?),
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

/// Scenes to place, and their maps.
type Given<T> = Vec<(Arc<lanecast::Scene<T>>, Affine)>;

fn given_instances<T: Number>(instances: &[lanecast_instance]) -> Result<Given<T>, Failure> {
    let instance = |(place, instance): (usize, &lanecast_instance)| {
        let name = format!("instances[{place}].scene");
        // SAFETY: by the caller of `lanecast_add_instances`.
        Ok((unsafe { placed::<T>(&name, instance.scene) }?, affine(&instance.transform)))
    };
    instances.iter().enumerate().map(instance).collect()
}

fn pairs<T: Number>(given: &Given<T>) -> Vec<(&Arc<lanecast::Scene<T>>, Affine)> {
    given.iter().map(|(scene, transform)| (scene, *transform)).collect()
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
                with_either!(content, scene => alone(scene)?.remove_instances(instances)?);
                Ok(())
            })
        }
    })
}
