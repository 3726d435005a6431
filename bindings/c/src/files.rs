//! Scene files.

use std::ffi::{c_char, c_void};

use lanecast::scene::SceneFile;

use crate::border::{enter, expect_place, give, handle, lanecast_result};
use crate::content::{OfEither, with_scene};
use crate::options::{lanecast_watch, watching};
use crate::scene::{lanecast_scene, text};

/// Saves a scene to a file, which replaces one of that name as a whole. `watch` may be null and
/// hears of bytes; `user` is passed to it.
///
/// # Safety
/// `scene` is a scene, `path` a text in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_save(
    scene: *const lanecast_scene,
    path: *const c_char,
    watch: lanecast_watch,
    user: *mut c_void,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let (lanecast_scene(content), path) =
            unsafe { (handle("scene", scene)?, text("path", path)?) };
        match watching(watch, user) {
            Some(watch) => with_scene!(content, scene => scene.save_watched(path, &*watch)?),
            None => with_scene!(content, scene => scene.save(path)?),
        }
        Ok(())
    })
}

/// Opens a scene file of either precision by mapping it into memory. The file must not be changed in
/// its place while the scene exists; to replace it by renaming is safe. `watch` may be null and hears
/// of bytes; `user` is passed to it.
///
/// # Safety
/// `path` is a text in UTF-8, `scene` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_open(
    path: *const c_char,
    watch: lanecast_watch,
    user: *mut c_void,
    scene: *mut *mut lanecast_scene,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let path = unsafe { text("path", path) }?;
        expect_place("scene", scene, 1)?;
        let (file, watch) = (SceneFile::open(path)?, watching(watch, user));
        let content = match (file.is_f64(), &watch) {
            (false, None) => OfEither::F32(file.scene()?.into()),
            (true, None) => OfEither::F64(file.scene()?.into()),
            (false, Some(watch)) => OfEither::F32(file.scene_watched(&**watch)?.into()),
            (true, Some(watch)) => OfEither::F64(file.scene_watched(&**watch)?.into()),
        };
        // SAFETY: by the caller.
        unsafe { give("scene", scene, lanecast_scene(content)) }
    })
}

/// Reads a scene through, and fails if anything in it is not what was built: of scenes that were
/// opened from files. `watch` may be null and hears of bytes; `user` is passed to it.
///
/// # Safety
/// `scene` is a scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_check(
    scene: *const lanecast_scene,
    watch: lanecast_watch,
    user: *mut c_void,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        match watching(watch, user) {
            Some(watch) => with_scene!(content, scene => scene.check_watched(&*watch)?),
            None => with_scene!(content, scene => scene.check()?),
        }
        Ok(())
    })
}
