//! Scenes as files and as bytes.

use std::ffi::{c_char, c_void};

use lanecast::Watch;
use lanecast::scene::SceneFile;

use crate::border::{Failure, enter, expect_place, free, give, handle, lanecast_result};
use crate::content::{Content, OfEither, with_either};
use crate::memory::all_of;
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
            Some(watch) => with_either!(content, scene => scene.save_watched(path, &*watch)?),
            None => with_either!(content, scene => scene.save(path)?),
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
        let content = content_of(&SceneFile::open(path)?, watching(watch, user).as_deref())?;
        // SAFETY: by the caller.
        unsafe { give("scene", scene, lanecast_scene(content)) }
    })
}

fn content_of(file: &SceneFile, watch: Option<&Watch<'_>>) -> Result<Content, Failure> {
    // Without the feature a file of `f64` is refused by what is in it.
    let is_f64 = file.is_f64() && cfg!(feature = "f64");
    Ok(match (is_f64, watch) {
        (false, None) => OfEither::F32(file.scene()?.into()),
        (true, None) => OfEither::F64(file.scene()?.into()),
        (false, Some(watch)) => OfEither::F32(file.scene_watched(watch)?.into()),
        (true, Some(watch)) => OfEither::F64(file.scene_watched(watch)?.into()),
    })
}

/// The bytes of a scene file.
#[derive(Debug)]
pub struct lanecast_bytes(Vec<u8>);

/// Bytes as they lie in memory; valid until they are freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_bytes_view {
    pub data: *const u8,
    pub count: usize,
}

/// Makes the bytes of the file that `lanecast_save` writes: to keep a scene where there are no files,
/// or to send it. Free them by `lanecast_bytes_free`. `watch` may be null and hears of bytes; `user`
/// is passed to it.
///
/// # Safety
/// `scene` is a scene, `bytes` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_to_bytes(
    scene: *const lanecast_scene,
    watch: lanecast_watch,
    user: *mut c_void,
    bytes: *mut *mut lanecast_bytes,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        expect_place("bytes", bytes, 1)?;
        let made = match watching(watch, user) {
            Some(watch) => with_either!(content, scene => scene.to_bytes_watched(&*watch)?),
            None => with_either!(content, scene => scene.to_bytes()?),
        };
        // SAFETY: by the caller.
        unsafe { give("bytes", bytes, lanecast_bytes(made)) }
    })
}

/// Shows bytes.
///
/// # Safety
/// `bytes` are bytes, and `view` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_bytes_get(
    bytes: *const lanecast_bytes,
    view: *mut lanecast_bytes_view,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_bytes(bytes) = unsafe { handle("bytes", bytes) }?;
        expect_place("view", view, 1)?;
        // SAFETY: by the caller.
        unsafe { view.write(lanecast_bytes_view { data: bytes.as_ptr(), count: bytes.len() }) };
        Ok(())
    })
}

/// Frees bytes; nothing if null.
///
/// # Safety
/// They are null, or were made by this library, and neither they nor a view of them is used
/// afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_bytes_free(bytes: *mut lanecast_bytes) {
    // SAFETY: by the caller.
    unsafe { free(bytes) }
}

/// Makes a scene of the `count` bytes of a scene file of either precision, which are copied and may
/// lie anywhere. `watch` may be null and hears of bytes; `user` is passed to it.
///
/// # Safety
/// So many bytes lie there, `scene` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_from_bytes(
    bytes: *const u8,
    count: usize,
    watch: lanecast_watch,
    user: *mut c_void,
    scene: *mut *mut lanecast_scene,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let bytes = unsafe { all_of("bytes", bytes, count) }?;
        expect_place("scene", scene, 1)?;
        let content = content_of(&SceneFile::from_bytes(bytes)?, watching(watch, user).as_deref())?;
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
            Some(watch) => with_either!(content, scene => scene.check_watched(&*watch)?),
            None => with_either!(content, scene => scene.check()?),
        }
        Ok(())
    })
}
