//! Embree's devices and scenes.

use std::ffi::{CString, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

use super::api::{
    Api, Handle, INDEX_BUFFER, ROBUST, THREE_FLOATS, THREE_INTEGERS, TRIANGLES, VERTEX_BUFFER,
};
use super::float_mode::DenormalsAreZero;
use crate::Result;
use crate::scenes::mesh::Mesh;

/// How much care Embree takes of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quality {
    /// `RTC_BUILD_QUALITY_LOW`: along a Morton curve.
    Low = 0,
    /// `RTC_BUILD_QUALITY_MEDIUM`: binned SAH.
    Medium = 1,
    /// `RTC_BUILD_QUALITY_HIGH`: with spatial splits.
    High = 2,
}

/// A device: which instructions, how many threads, and how much memory it holds.
pub(crate) struct Device {
    pub(super) api: Arc<Api>,
    handle: Handle,
    bytes: Box<AtomicIsize>,
}

// SAFETY: Embree's manual has its interface thread-safe, but for changes to one object from two
// threads, which `&Device` does not allow: nothing changes after `new`.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

/// Called by Embree before it takes and after it gives back so many bytes.
///
/// # Safety
/// `counter` is an `AtomicIsize` that outlives the device.
unsafe extern "C" fn count_bytes(counter: *mut c_void, bytes: isize, _after: bool) -> bool {
    // SAFETY: see above.
    let counter = unsafe { &*counter.cast::<AtomicIsize>() };
    counter.fetch_add(bytes, Ordering::Relaxed);
    true
}

impl Device {
    /// A device with a configuration such as `threads=1,isa=avx2`.
    pub(crate) fn new(api: &Arc<Api>, configuration: &str) -> Result<Arc<Self>> {
        let text = CString::new(configuration)?;
        let bytes = Box::new(AtomicIsize::new(0));
        // SAFETY: the text ends with a zero.
        let handle = unsafe { (api.new_device)(text.as_ptr()) };
        if handle.is_null() {
            return Err(format!("Embree makes no device with \"{configuration}\" here").into());
        }
        let counter: *const AtomicIsize = &raw const *bytes;
        // SAFETY: the box lives as long as the device, and is changed atomically only.
        unsafe { (api.set_memory_monitor)(handle, count_bytes, counter.cast_mut().cast()) };
        Ok(Arc::new(Self { api: Arc::clone(api), handle, bytes }))
    }

    fn check(&self) -> Result<()> {
        // SAFETY: the device is alive.
        match unsafe { (self.api.device_error)(self.handle) } {
            0 => Ok(()),
            code => Err(format!("Embree reports error {code}").into()),
        }
    }

    fn bytes(&self) -> isize {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: scenes hold the device by `Arc`, so none is left.
        unsafe { (self.api.release_device)(self.handle) };
    }
}

/// A scene of one mesh, ready for rays.
pub(crate) struct Built {
    pub(super) device: Arc<Device>,
    pub(super) handle: Handle,
    /// What Embree holds for it, without the vertices and indices, which stay the caller's.
    pub(crate) bytes: usize,
    /// Embree reads them as long as the scene lives.
    _mesh: Arc<Mesh>,
}

// SAFETY: a committed scene is not changed any more, and rays may be cast at it from any thread.
unsafe impl Send for Built {}
// SAFETY: as above.
unsafe impl Sync for Built {}

impl Built {
    /// Builds the tree over `mesh`.
    pub(crate) fn new(
        device: &Arc<Device>,
        mesh: &Arc<Mesh>,
        quality: Quality,
        robust: bool,
    ) -> Result<Self> {
        let _mode = DenormalsAreZero::set();
        let api = &device.api;
        let before = device.bytes();
        let vertices = mesh.padded_vertices();
        // SAFETY: the buffers are as long as said, the vertices by one more than said as Embree's
        // manual asks (it reads 16 bytes at a time), and `_mesh` keeps them where they are.
        let handle = unsafe {
            let handle = (api.new_scene)(device.handle);
            (api.set_scene_quality)(handle, quality as i32);
            (api.set_scene_flags)(handle, if robust { ROBUST } else { 0 });
            let geometry = (api.new_geometry)(device.handle, TRIANGLES);
            (api.set_geometry_quality)(geometry, quality as i32);
            let (vertex_count, triangle_count) = (vertices.len() - 1, mesh.triangles.len());
            let (positions, indices) = (vertices.as_ptr().cast(), mesh.triangles.as_ptr().cast());
            (api.set_shared_buffer)(
                geometry,
                VERTEX_BUFFER,
                0,
                THREE_FLOATS,
                positions,
                0,
                12,
                vertex_count,
            );
            (api.set_shared_buffer)(
                geometry,
                INDEX_BUFFER,
                0,
                THREE_INTEGERS,
                indices,
                0,
                12,
                triangle_count,
            );
            (api.commit_geometry)(geometry);
            (api.attach_geometry)(handle, geometry);
            (api.release_geometry)(geometry);
            (api.commit_scene)(handle);
            handle
        };
        let bytes = usize::try_from(device.bytes() - before).unwrap_or(0);
        let built = Self { device: Arc::clone(device), handle, bytes, _mesh: Arc::clone(mesh) };
        device.check()?;
        Ok(built)
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: the scene is alive, and nobody else holds it.
        unsafe { (self.device.api.release_scene)(self.handle) };
    }
}
