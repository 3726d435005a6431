//! Scenes: built of content and instances, asked about themselves, and freed.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use lanecast::{Affine, BuildQuality, SceneBuilder, Threads};

use crate::border::{
    Failure, LANECAST_INVALID_ARGUMENT, enter, expect_aligned, expect_place, free, give, handle,
    handle_mut, lanecast_result,
};
use crate::content::{Content, Number, OfEither, lanecast_precision, of_precision, with_either};
use crate::geometry::{geometries, lanecast_geometry};
use crate::memory::{all_of, sized};
use crate::options::{backend, lanecast_backend, lanecast_watch, watching};
use crate::threads::lanecast_threads;

/// A scene. Any number of threads may ask one at once. A function that changes it, which has no
/// `const` before it, must be the only one that uses it meanwhile.
#[derive(Debug)]
pub struct lanecast_scene(pub Content);

/// The effort of building trees.
pub type lanecast_quality = i32;
pub const LANECAST_QUALITY_BALANCED: lanecast_quality = 0;
/// Half the time; rays are up to a tenth slower.
pub const LANECAST_QUALITY_FAST: lanecast_quality = 1;
/// Twice the time; rays are 5 to 15% faster in interiors.
pub const LANECAST_QUALITY_HIGH: lanecast_quality = 2;

/// How scenes are built, changed and copied. All zeros but the size are the defaults, and a null pointer
/// stands for them.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_build_options {
    /// `sizeof(lanecast_build_options)`.
    pub size: usize,
    /// Null for all cores.
    pub threads: *const lanecast_threads,
    /// Hears of the progress, of the primitives that the scene has afterwards; of a refit, of its
    /// triangles. A change that it stops has not been made.
    pub watch: lanecast_watch,
    /// Passed to `watch`.
    pub watch_user: *mut c_void,
    pub quality: lanecast_quality,
    /// That of queries which name none. `lanecast_build` only.
    pub backend: lanecast_backend,
    /// Whether vertices of all meshes that lie within `weld_tolerance` of each other become one.
    /// `lanecast_build` only.
    pub weld: bool,
    pub weld_tolerance: f64,
}

/// A scene that is placed in another: by three rows of four numbers, a map from the placed scene's
/// frame to the other's. An instance keeps its scene, which may be freed but no longer changed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_instance {
    pub scene: *const lanecast_scene,
    pub transform: [f64; 12],
}

/// Build options that were read.
pub(crate) struct How<'a> {
    pub(crate) options: lanecast_build_options,
    pub(crate) threads: &'a Threads,
    pub(crate) watch: Option<Box<lanecast::Watch<'static>>>,
    pub(crate) quality: BuildQuality,
}

impl How<'_> {
    /// # Safety
    /// The pointer is null, or what it points to is as the header says, and stays for the call.
    pub(crate) unsafe fn read(options: *const lanecast_build_options) -> Result<Self, Failure> {
        let options: lanecast_build_options = if options.is_null() {
            // SAFETY: zeros are null pointers, numbers, and false.
            unsafe { std::mem::zeroed() }
        } else {
            // SAFETY: by the caller.
            unsafe { sized("options", options) }?
        };
        let quality = match options.quality {
            LANECAST_QUALITY_BALANCED => BuildQuality::Balanced,
            LANECAST_QUALITY_FAST => BuildQuality::Fast,
            LANECAST_QUALITY_HIGH => BuildQuality::High,
            other => return Err(Failure::argument("options.quality", format!("{other} is none"))),
        };
        // SAFETY: by the caller.
        let threads = unsafe { options.threads.as_ref() }.map_or(&Threads::ALL, |made| &made.0);
        Ok(Self { threads, watch: watching(options.watch, options.watch_user), quality, options })
    }
}

impl How<'_> {
    /// The same for changes and copies, which keep the backend of a scene and weld nothing.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    pub(crate) unsafe fn of_change(
        options: *const lanecast_build_options,
    ) -> Result<Self, Failure> {
        // SAFETY: by the caller.
        let how = unsafe { Self::read(options) }?;
        let given = &how.options;
        for (name, is_set) in [
            ("backend", given.backend != 0),
            ("weld", given.weld),
            ("weld_tolerance", given.weld_tolerance != 0.0),
        ] {
            if is_set {
                return Err(Failure::argument(
                    &format!("options.{name}"),
                    "changes and copies take none",
                ));
            }
        }
        Ok(how)
    }
}

/// The map of twelve numbers.
pub(crate) fn affine(rows: &[f64]) -> Affine {
    let row = |row: usize| std::array::from_fn(|column| rows[4 * row + column]);
    Affine::from_rows([row(0), row(1), row(2)])
}

/// The scene of that precision behind a handle.
///
/// # Safety
/// As for [`handle`].
pub(crate) unsafe fn placed<T: Number>(
    name: &str,
    scene: *const lanecast_scene,
) -> Result<Arc<lanecast::Scene<T>>, Failure> {
    // SAFETY: by the caller.
    let lanecast_scene(content) = unsafe { handle(name, scene) }?;
    let other = || Failure::argument(name, "it is of another precision than the scene");
    T::scene_of(content).cloned().ok_or_else(other)
}

/// Builds a scene. Geometries get ids 0, 1 and so on in their order, and instances numbers in
/// theirs. Either may be none at all. On failure `*scene` stays as it is.
///
/// # Safety
/// As many handles and instances as are counted lie there, and the buffers of geometries are as they
/// were given; `options` is null or points to options; `scene` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_build(
    precision: lanecast_precision,
    geometries: *const *const lanecast_geometry,
    geometry_count: usize,
    instances: *const lanecast_instance,
    instance_count: usize,
    options: *const lanecast_build_options,
    scene: *mut *mut lanecast_scene,
) -> lanecast_result {
    enter(|| {
        expect_place("scene", scene, 1)?;
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let built = unsafe {
                build::<T>((geometries, geometry_count), (instances, instance_count), options)
            }?;
            // SAFETY: by the caller.
            unsafe { give("scene", scene, lanecast_scene(T::content(built))) }
        })
    })
}

unsafe fn build<T: Number>(
    (handles, geometry_count): (*const *const lanecast_geometry, usize),
    (instances, instance_count): (*const lanecast_instance, usize),
    options: *const lanecast_build_options,
) -> Result<lanecast::Scene<T>, Failure> {
    // SAFETY: by the caller.
    let how = unsafe { How::read(options) }?;
    let mut builder = SceneBuilder::<T>::default().threads(how.threads).quality(how.quality);
    if let Some(watch) = &how.watch {
        builder = builder.watch(&**watch);
    }
    if let Some(backend) = backend(how.options.backend)? {
        builder = builder.backend(backend);
    }
    if how.options.weld {
        builder = builder.weld(T::rounded(how.options.weld_tolerance))?;
    }
    // SAFETY: by the caller.
    for geometry in unsafe { geometries::<T>(handles, geometry_count) }? {
        builder = builder.geometry(geometry)?;
    }
    // SAFETY: by the caller.
    let instances = unsafe { all_of("instances", instances, instance_count) }?;
    for (number, instance) in instances.iter().enumerate() {
        let name = format!("instances[{number}].scene");
        // SAFETY: by the caller.
        let scene = unsafe { placed::<T>(&name, instance.scene) }?;
        builder = builder.instance(&scene, affine(&instance.transform));
    }
    Ok(builder.build()?)
}

/// Frees a scene; nothing if null. Scenes in which it is placed keep what they need of it.
///
/// # Safety
/// It is null, or was made by this library, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_free(scene: *mut lanecast_scene) {
    // SAFETY: by the caller.
    unsafe { free(scene) }
}

/// What a scene is made of.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_scene_facts {
    /// `sizeof(lanecast_scene_facts)`, set by the caller.
    pub size: usize,
    pub precision: lanecast_precision,
    /// Geometries that are there; ids of those that were removed are free.
    pub geometry_count: usize,
    /// Triangles, and primitives of all kinds, of the scene itself.
    pub triangle_count: usize,
    pub primitive_count: usize,
    pub instance_count: usize,
    /// Instances, and instances in instances again for each: ids in answers are below.
    pub instance_id_count: u32,
    /// The box around all: the least corner, then the greatest; infinite the other way round if
    /// there is nothing.
    pub bounds: [f64; 6],
}

/// Tells what a scene is made of.
///
/// # Safety
/// `scene` is a scene, and `facts` begins with its size and may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_get_facts(
    scene: *const lanecast_scene,
    facts: *mut lanecast_scene_facts,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller; the struct is of numbers.
        let mut told = unsafe { sized("facts", facts.cast_const()) }?;
        with_either!(content, scene => tell(scene, &mut told));
        // Callers of an older header have less room.
        let size = told.size.min(size_of::<lanecast_scene_facts>());
        // SAFETY: so many bytes may be written, by the caller.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const told).cast::<u8>(), facts.cast(), size);
        };
        Ok(())
    })
}

fn tell<T: Number>(scene: &lanecast::Scene<T>, facts: &mut lanecast_scene_facts) {
    let bounds = scene.bounds();
    let corners = [bounds.min, bounds.max].map(|corner| corner.map(T::to_f64));
    *facts = lanecast_scene_facts {
        size: facts.size,
        precision: T::PRECISION,
        geometry_count: scene.geometry_count(),
        triangle_count: scene.triangle_count(),
        primitive_count: scene.primitive_count(),
        instance_count: scene.instance_count(),
        instance_id_count: scene.instance_id_count(),
        bounds: std::array::from_fn(|place| corners[place / 3][place % 3]),
    };
}

/// The scene behind a handle, to be changed.
///
/// # Safety
/// As for [`handle_mut`].
pub(crate) unsafe fn changing<R>(
    scene: *mut lanecast_scene,
    change: impl FnOnce(&mut Content) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: by the caller.
    change(&mut unsafe { handle_mut("scene", scene) }?.0)
}

/// The instances whose scenes and masks, or the masks of geometries, are numbered from 0.
///
/// # Safety
/// As for `lanecast_scene_set_mask`.
unsafe fn set<V>(
    scene: *mut lanecast_scene,
    value: V,
    of_f32: impl FnOnce(&mut lanecast::Scene<f32>, V) -> lanecast::Result<()>,
    of_f64: impl FnOnce(&mut lanecast::Scene<f64>, V) -> lanecast::Result<()>,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        unsafe {
            changing(scene, |content| match content {
                OfEither::F32(scene) => Ok(of_f32(alone(scene)?, value)?),
                OfEither::F64(scene) => Ok(of_f64(alone(scene)?, value)?),
            })
        }
    })
}

/// A scene that is placed in no other.
pub(crate) fn alone<T: Number>(
    scene: &mut Arc<lanecast::Scene<T>>,
) -> Result<&mut lanecast::Scene<T>, Failure> {
    Arc::get_mut(scene).ok_or_else(|| {
        let message = "scene: it is placed in another scene, which keeps it as it is";
        Failure::new(crate::border::LANECAST_IN_USE, message)
    })
}

/// Sets the mask of a geometry; 0 hides it from all queries.
///
/// # Safety
/// `scene` is a scene that nobody else uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_set_mask(
    scene: *mut lanecast_scene,
    geometry_id: u32,
    mask: u32,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe {
        set(
            scene,
            mask,
            |scene, mask| scene.set_mask(geometry_id, mask),
            |scene, mask| scene.set_mask(geometry_id, mask),
        )
    }
}

/// Sets the mask of an instance; 0 hides it.
///
/// # Safety
/// As for `lanecast_scene_set_mask`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_set_instance_mask(
    scene: *mut lanecast_scene,
    instance: u32,
    mask: u32,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe {
        set(
            scene,
            mask,
            |scene, mask| scene.set_instance_mask(instance, mask),
            |scene, mask| scene.set_instance_mask(instance, mask),
        )
    }
}

/// Sets a number that a geometry carries for the caller, 0 before.
///
/// # Safety
/// As for `lanecast_scene_set_mask`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_set_user_data(
    scene: *mut lanecast_scene,
    geometry_id: u32,
    user_data: u64,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe {
        set(
            scene,
            user_data,
            |scene, user_data| scene.set_user_data(geometry_id, user_data),
            |scene, user_data| scene.set_user_data(geometry_id, user_data),
        )
    }
}

/// Tells the mask of a geometry and the number that it carries; either place may be null.
///
/// # Safety
/// `scene` is a scene; the places are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_get_geometry(
    scene: *const lanecast_scene,
    geometry_id: u32,
    mask: *mut u32,
    user_data: *mut u64,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        expect_aligned("mask", mask)?;
        expect_aligned("user_data", user_data)?;
        let (found, data) = with_either!(content, scene => (scene.mask(geometry_id)?, scene.user_data(geometry_id)?));
        // SAFETY: by the caller.
        unsafe {
            if let Some(mask) = mask.as_mut() {
                *mask = found;
            }
            if let Some(user_data) = user_data.as_mut() {
                *user_data = data;
            }
        }
        Ok(())
    })
}

/// Tells the map by which an instance is placed: twelve numbers.
///
/// # Safety
/// `scene` is a scene; twelve numbers may be written to `transform`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_get_transform(
    scene: *const lanecast_scene,
    instance: u32,
    transform: *mut f64,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        expect_place("transform", transform, 12)?;
        let rows = with_either!(content, scene => scene.transform(instance)?).rows();
        // SAFETY: by the caller.
        unsafe { transform.cast::<[[f64; 4]; 3]>().write(rows) };
        Ok(())
    })
}

/// Tells through which instances a hit with this instance id went: their numbers, outermost first,
/// each in the scene of the one before. Writes at most `room` numbers, and always how many there are.
///
/// # Safety
/// `scene` is a scene, `room` numbers may be written to `path`, and `depth` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_scene_get_instance_path(
    scene: *const lanecast_scene,
    instance_id: u32,
    path: *mut u32,
    room: usize,
    depth: *mut usize,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        let numbers = with_either!(content, scene => scene.instance_path(instance_id)?);
        expect_place("depth", depth, 1)?;
        expect_place("path", path, room)?;
        // SAFETY: by the caller.
        unsafe {
            depth.write(numbers.len());
            if room > 0 {
                std::ptr::copy_nonoverlapping(numbers.as_ptr(), path, room.min(numbers.len()));
            }
        }
        Ok(())
    })
}

/// A text of the caller.
///
/// # Safety
/// It is null, or ends with a zero.
pub(crate) unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::argument(name, "it is null; a text was expected"));
    }
    // SAFETY: by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| {
        Failure::new(LANECAST_INVALID_ARGUMENT, format!("{name}: it is not valid UTF-8"))
    })
}

/// Moves instances: numbers, and twelve numbers for each.
///
/// # Safety
/// As many numbers and maps as are counted lie there; `scene` is a scene that nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_set_transforms(
    scene: *mut lanecast_scene,
    instances: *const u32,
    transforms: *const f64,
    count: usize,
) -> lanecast_result {
    enter(|| {
        let Some(numbers) = count.checked_mul(12) else {
            return Err(Failure::argument("count", "it is more than memory holds"));
        };
        // SAFETY: by the caller.
        let (instances, transforms) = unsafe {
            (all_of("instances", instances, count)?, all_of("transforms", transforms, numbers)?)
        };
        let moved = instances.iter().copied().zip(transforms.chunks_exact(12).map(affine));
        // SAFETY: by the caller.
        unsafe {
            changing(scene, |content| {
                with_either!(content, scene => alone(scene)?.set_transforms(moved)?);
                Ok(())
            })
        }
    })
}
