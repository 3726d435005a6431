//! The part of Embree's C interface that is used here, after its manual (`rtcore*.h`, version 4.4).

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libloading::Library;

use crate::Result;

/// `RTCDevice`, `RTCScene` and `RTCGeometry`.
pub(super) type Handle = *mut c_void;
/// `RTCMemoryMonitorFunction`.
pub(super) type MemoryMonitor = unsafe extern "C" fn(*mut c_void, isize, bool) -> bool;

type Trace1 = unsafe extern "C" fn(Handle, *mut c_void, *const Arguments);
type TraceMany = unsafe extern "C" fn(*const c_int, Handle, *mut c_void, *const Arguments);

/// `RTCIntersectArguments`, and `RTCOccludedArguments`, which is laid out alike.
#[repr(C)]
pub(super) struct Arguments {
    /// `RTCRayQueryFlags`.
    pub(super) flags: c_uint,
    /// `RTCFeatureFlags`.
    pub(super) features: c_uint,
    pub(super) context: *mut c_void,
    pub(super) filter: *const c_void,
    pub(super) function: *const c_void,
    /// There only if Embree was compiled with `RTC_MIN_WIDTH`; a little longer does no harm.
    pub(super) least_width_factor: f32,
}

/// `RTC_RAY_QUERY_FLAG_INCOHERENT`.
pub(super) const INCOHERENT: c_uint = 0;
/// `RTC_RAY_QUERY_FLAG_COHERENT`.
pub(super) const COHERENT: c_uint = 1 << 16;
/// `RTC_FEATURE_FLAG_ALL`.
pub(super) const ALL_FEATURES: c_uint = c_uint::MAX;
/// `RTC_INVALID_GEOMETRY_ID`.
pub(super) const NO_GEOMETRY: u32 = u32::MAX;
/// `RTC_GEOMETRY_TYPE_TRIANGLE`.
pub(super) const TRIANGLES: c_int = 0;
/// `RTC_BUFFER_TYPE_INDEX`.
pub(super) const INDEX_BUFFER: c_int = 0;
/// `RTC_BUFFER_TYPE_VERTEX`.
pub(super) const VERTEX_BUFFER: c_int = 1;
/// `RTC_FORMAT_UINT3`.
pub(super) const THREE_INTEGERS: c_int = 0x5003;
/// `RTC_FORMAT_FLOAT3`.
pub(super) const THREE_FLOATS: c_int = 0x9003;
/// `RTC_SCENE_FLAG_ROBUST`.
pub(super) const ROBUST: c_int = 1 << 2;

/// `RTCRayN`: one column per number of a ray.
#[repr(C)]
pub(super) struct Rays<const N: usize> {
    pub(super) origin: [[f32; N]; 3],
    pub(super) t_near: [f32; N],
    pub(super) direction: [[f32; N]; 3],
    pub(super) time: [f32; N],
    pub(super) t_far: [f32; N],
    pub(super) mask: [u32; N],
    pub(super) id: [u32; N],
    pub(super) flags: [u32; N],
}

/// `RTCHitN`.
#[repr(C)]
pub(super) struct Hits<const N: usize> {
    pub(super) normal: [[f32; N]; 3],
    pub(super) u: [f32; N],
    pub(super) v: [f32; N],
    pub(super) primitive_id: [u32; N],
    pub(super) geometry_id: [u32; N],
    pub(super) instance_id: [u32; N],
    /// There only if Embree was compiled with instance arrays; a little longer does no harm.
    pub(super) instance_primitive_id: [u32; N],
}

/// `RTCRayHitN`, or an `RTCRayN` with something behind it. The strictest alignment of all is that
/// of 16 rays.
#[repr(C, align(64))]
pub(super) struct Packet<const N: usize> {
    pub(super) rays: Rays<N>,
    pub(super) hits: Hits<N>,
}

/// Embree's functions.
pub(crate) struct Api {
    pub(super) new_device: unsafe extern "C" fn(*const c_char) -> Handle,
    pub(super) release_device: unsafe extern "C" fn(Handle),
    pub(super) device_error: unsafe extern "C" fn(Handle) -> c_int,
    pub(super) set_memory_monitor: unsafe extern "C" fn(Handle, MemoryMonitor, *mut c_void),
    pub(super) new_geometry: unsafe extern "C" fn(Handle, c_int) -> Handle,
    pub(super) set_shared_buffer:
        unsafe extern "C" fn(Handle, c_int, c_uint, c_int, *const c_void, usize, usize, usize),
    pub(super) set_geometry_quality: unsafe extern "C" fn(Handle, c_int),
    pub(super) commit_geometry: unsafe extern "C" fn(Handle),
    pub(super) release_geometry: unsafe extern "C" fn(Handle),
    pub(super) new_scene: unsafe extern "C" fn(Handle) -> Handle,
    pub(super) set_scene_quality: unsafe extern "C" fn(Handle, c_int),
    pub(super) set_scene_flags: unsafe extern "C" fn(Handle, c_int),
    pub(super) attach_geometry: unsafe extern "C" fn(Handle, Handle) -> c_uint,
    pub(super) commit_scene: unsafe extern "C" fn(Handle),
    pub(super) release_scene: unsafe extern "C" fn(Handle),
    pub(super) intersect1: Trace1,
    pub(super) intersect4: TraceMany,
    pub(super) intersect8: TraceMany,
    pub(super) intersect16: TraceMany,
    pub(super) occluded1: Trace1,
    pub(super) occluded4: TraceMany,
    pub(super) occluded8: TraceMany,
    pub(super) occluded16: TraceMany,
    /// Never unloaded: threads of its thread library may still run when the last device is gone,
    /// and would then run code that is not there any more.
    _library: ManuallyDrop<Library>,
}

impl Api {
    /// Loads the library that lies in `folder`.
    ///
    /// # Errors
    /// Says what is missing, and what fetches it.
    pub(crate) fn load(folder: &Path) -> Result<Arc<Self>> {
        let path = library_in(folder).ok_or_else(|| {
            format!(
                "there is no libembree4 in {}; `sh fetch.sh` in benches/peers fetches it",
                folder.display()
            )
        })?;
        // SAFETY: what the library does when it is loaded is to set up itself and its thread
        // library.
        let library = unsafe { Library::new(&path)? };
        macro_rules! api {
            ($($field:ident: $name:literal),+ $(,)?) => {
                Self {
                    // SAFETY: the types of the fields are those of Embree's manual.
                    $($field: unsafe { *library.get($name)? },)+
                    _library: ManuallyDrop::new(library),
                }
            };
        }
        Ok(Arc::new(api! {
            new_device: b"rtcNewDevice",
            release_device: b"rtcReleaseDevice",
            device_error: b"rtcGetDeviceError",
            set_memory_monitor: b"rtcSetDeviceMemoryMonitorFunction",
            new_geometry: b"rtcNewGeometry",
            set_shared_buffer: b"rtcSetSharedGeometryBuffer",
            set_geometry_quality: b"rtcSetGeometryBuildQuality",
            commit_geometry: b"rtcCommitGeometry",
            release_geometry: b"rtcReleaseGeometry",
            new_scene: b"rtcNewScene",
            set_scene_quality: b"rtcSetSceneBuildQuality",
            set_scene_flags: b"rtcSetSceneFlags",
            attach_geometry: b"rtcAttachGeometry",
            commit_scene: b"rtcCommitScene",
            release_scene: b"rtcReleaseScene",
            intersect1: b"rtcIntersect1",
            intersect4: b"rtcIntersect4",
            intersect8: b"rtcIntersect8",
            intersect16: b"rtcIntersect16",
            occluded1: b"rtcOccluded1",
            occluded4: b"rtcOccluded4",
            occluded8: b"rtcOccluded8",
            occluded16: b"rtcOccluded16",
        }))
    }
}

fn library_in(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let named = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libembree4"))
    };
    files.filter(named).min()
}

#[cfg(test)]
mod tests {
    use super::{Hits, Packet, Rays};

    #[test]
    fn layouts_are_those_of_the_manual() {
        assert_eq!(
            (size_of::<Rays<1>>(), size_of::<Rays<8>>(), size_of::<Rays<16>>()),
            (48, 384, 768)
        );
        assert_eq!(std::mem::offset_of!(Packet<1>, hits), 48);
        assert_eq!(std::mem::offset_of!(Packet<16>, hits), 768);
        assert_eq!(std::mem::offset_of!(Hits<8>, geometry_id), 6 * 32);
    }
}
