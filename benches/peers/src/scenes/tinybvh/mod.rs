//! tinybvh, loaded at run time from the library that `fetch.sh` builds out of `shim.cpp` and the
//! header that the crate `tinybvh-rs` carries. That crate's own interface has no occlusion query.
#![expect(unsafe_code, reason = "a C library")]

use std::ffi::c_void;
use std::path::Path;
use std::sync::Arc;

use libloading::Library;

use crate::Result;
use crate::scenes::mesh::Mesh;

/// tinybvh's functions, for as long as the library is loaded.
pub(crate) struct Api {
    build: unsafe extern "C" fn(*const f32, u32) -> *mut c_void,
    release: unsafe extern "C" fn(*mut c_void),
    closest: unsafe extern "C" fn(*const c_void, *const f32, *const f32, f32) -> f32,
    occluded: unsafe extern "C" fn(*const c_void, *const f32, *const f32, f32) -> bool,
    /// Unloaded last.
    _library: Library,
}

impl Api {
    /// # Errors
    /// The library is not there.
    pub(crate) fn load(folder: &Path) -> Result<Arc<Self>> {
        let path = folder.join("libtinybvh.so");
        if !path.exists() {
            return Err(format!("there is no {}; `sh fetch.sh` builds it", path.display()).into());
        }
        // SAFETY: nothing happens when it is loaded.
        let library = unsafe { Library::new(&path)? };
        // SAFETY: the types of the fields are those in `shim.cpp`.
        let api = unsafe {
            Self {
                build: *library.get(b"lanecast_tinybvh_build")?,
                release: *library.get(b"lanecast_tinybvh_release")?,
                closest: *library.get(b"lanecast_tinybvh_closest")?,
                occluded: *library.get(b"lanecast_tinybvh_occluded")?,
                _library: library,
            }
        };
        Ok(Arc::new(api))
    }
}

/// A tree.
pub(crate) struct Tree {
    api: Arc<Api>,
    handle: *mut c_void,
}

// SAFETY: casting rays changes nothing in the tree.
unsafe impl Send for Tree {}
// SAFETY: as above.
unsafe impl Sync for Tree {}

impl Tree {
    pub(crate) fn build(api: &Arc<Api>, mesh: &Mesh) -> Self {
        let corners = mesh.triangles.iter().flatten().flat_map(|&vertex| {
            let [x, y, z] = mesh.vertices()[vertex as usize];
            [x, y, z, 0.0]
        });
        let corners: Vec<f32> = corners.collect();
        // SAFETY: twelve numbers per triangle; the tree copies what it needs.
        let handle = unsafe { (api.build)(corners.as_ptr(), mesh.triangles.len() as u32) };
        Self { api: Arc::clone(api), handle }
    }

    /// The distance along a unit direction, infinite if nothing is met.
    pub(crate) fn closest(&self, origin: &[f32; 3], direction: &[f32; 3], reach: f32) -> f32 {
        // SAFETY: the tree is alive, and both are three numbers.
        unsafe { (self.api.closest)(self.handle, origin.as_ptr(), direction.as_ptr(), reach) }
    }

    /// Whether anything is met within the reach along a unit direction.
    pub(crate) fn occluded(&self, origin: &[f32; 3], direction: &[f32; 3], reach: f32) -> bool {
        // SAFETY: as above.
        unsafe { (self.api.occluded)(self.handle, origin.as_ptr(), direction.as_ptr(), reach) }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree is alive, and nobody else holds it.
        unsafe { (self.api.release)(self.handle) };
    }
}
