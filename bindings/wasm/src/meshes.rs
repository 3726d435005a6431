//! Meshes of files that are in memory.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::ptr::null_mut;
use std::slice;

use lanecast_io::{Mesh, MeshFormat, read_model_from};

/// What a file holds: its meshes where they stand, and texts.
#[derive(Debug)]
pub struct File {
    meshes: Vec<Mesh<f64>>,
    names: Vec<CString>,
    /// A line each.
    remarks: CString,
    needs_f64: bool,
}

/// A mesh as it lies in memory, until its file is freed: vertices are three `f64`, triangles three
/// `u32`, normals three `f32` or null.
#[repr(C)]
#[derive(Debug)]
pub struct Shown {
    name: *const c_char,
    vertex_count: usize,
    vertices: *const f64,
    triangle_count: usize,
    triangles: *const u32,
    normals: *const f32,
}

thread_local! {
    static REFUSED: RefCell<CString> = RefCell::default();
}

fn text(text: impl Into<String>) -> CString {
    CString::new(text.into().replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// Reads a file, whose name, so many bytes in UTF-8, says its format; null if it is refused.
///
/// # Safety
/// So many bytes of the file and of its name lie there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_meshes_read(
    file: *const u8,
    bytes: usize,
    name: *const u8,
    name_bytes: usize,
) -> *mut File {
    // SAFETY: by the caller.
    let (file, name) =
        unsafe { (slice::from_raw_parts(file, bytes), slice::from_raw_parts(name, name_bytes)) };
    match read(file, &String::from_utf8_lossy(name)) {
        Ok(file) => Box::into_raw(Box::new(file)),
        Err(refused) => {
            REFUSED.with(|last| *last.borrow_mut() = text(refused));
            null_mut()
        }
    }
}

fn read(file: &[u8], name: &str) -> Result<File, String> {
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let extension = plain.rsplit_once('.').map_or("", |(_, extension)| extension);
    let format = MeshFormat::from_extension(extension).ok_or_else(|| {
        let known = MeshFormat::EXTENSIONS.join(", ");
        format!("{name}: the extension {extension:?} is none of {known}")
    })?;
    let model = read_model_from::<f64>(name, file, format).map_err(|error| error.to_string())?;
    // Before its box, which takes time for each copy.
    model.check_copies().map_err(|error| error.to_string())?;
    let (needs_f64, remarks) = (model.needs_f64(), text(model.remarks.join("\n")));
    let meshes = model.into_meshes().map_err(|error| error.to_string())?;
    let names = meshes.iter().map(|mesh| text(&mesh.name[..])).collect();
    Ok(File { meshes, names, remarks, needs_f64 })
}

/// Why the last file was refused.
#[unsafe(no_mangle)]
pub extern "C" fn lanecast_meshes_refused() -> *const c_char {
    REFUSED.with(|last| last.borrow().as_ptr())
}

/// The number of meshes of a file.
///
/// # Safety
/// It was read and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_meshes_count(file: *const File) -> usize {
    // SAFETY: by the caller.
    unsafe { &*file }.meshes.len()
}

/// What of a file is not in its meshes, or is there in another form: a line each.
///
/// # Safety
/// It was read and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_meshes_remarks(file: *const File) -> *const c_char {
    // SAFETY: by the caller.
    unsafe { &*file }.remarks.as_ptr()
}

/// Whether `f32` is too coarse for the meshes of a file.
///
/// # Safety
/// It was read and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_meshes_need_f64(file: *const File) -> bool {
    // SAFETY: by the caller.
    unsafe { &*file }.needs_f64
}

/// Shows a mesh of a file.
///
/// # Safety
/// It was read and not freed, has such a mesh, and `shown` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_meshes_get(file: *const File, number: usize, shown: *mut Shown) {
    // SAFETY: by the caller.
    let File { meshes, names, .. } = unsafe { &*file };
    let mesh = &meshes[number];
    let view = Shown {
        name: names[number].as_ptr(),
        vertex_count: mesh.vertices.len(),
        vertices: mesh.vertices.as_ptr().cast(),
        triangle_count: mesh.triangles.len(),
        triangles: mesh.triangles.as_ptr().cast(),
        normals: mesh.normals.as_ref().map_or(std::ptr::null(), |normals| normals.as_ptr().cast()),
    };
    // SAFETY: by the caller.
    unsafe { shown.write(view) };
}

/// Frees what was read; nothing if null.
///
/// # Safety
/// It is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_meshes_free(file: *mut File) {
    if !file.is_null() {
        // SAFETY: by the caller.
        drop(unsafe { Box::from_raw(file) });
    }
}
