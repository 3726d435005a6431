//! The border to C: any order of calls with any numbers in them, and pointers that are null or right.
//! Nothing panics behind it, and a call that fails says why.
#![no_main]
#![allow(unsafe_code, reason = "the border is one of pointers")]

mod calls;

use calls::{Building, Call, Options, Program, ROOM, Rays, Rows};
use lanecast_c::answers::{lanecast_counts, lanecast_hits, lanecast_values};
use lanecast_c::border::{LANECAST_PANIC, lanecast_last_error, lanecast_result};
use lanecast_c::changes::{
    lanecast_add, lanecast_add_instances, lanecast_copy, lanecast_moved_mesh, lanecast_rebuild,
    lanecast_refit, lanecast_remove, lanecast_remove_instances, lanecast_replace,
};
use lanecast_c::files::{
    lanecast_bytes, lanecast_bytes_free, lanecast_bytes_get, lanecast_bytes_view, lanecast_check,
    lanecast_from_bytes, lanecast_to_bytes,
};
use lanecast_c::geometry::{
    lanecast_deformable_triangles, lanecast_geometry, lanecast_geometry_free,
    lanecast_height_field, lanecast_spheres, lanecast_triangles,
};
use lanecast_c::lists::{lanecast_hit_lists, lanecast_hit_lists_free};
use lanecast_c::memory::{lanecast_answers, lanecast_column, lanecast_rows, lanecast_vectors};
use lanecast_c::options::lanecast_options;
use lanecast_c::points::{lanecast_points, lanecast_signed_distance};
use lanecast_c::rays::{
    lanecast_all_hits, lanecast_any_hit, lanecast_closest_hit, lanecast_count_hits, lanecast_rays,
};
use lanecast_c::scene::{
    lanecast_build, lanecast_build_options, lanecast_instance, lanecast_scene, lanecast_scene_free,
    lanecast_scene_set_mask,
};
use lanecast_fuzz::Number;
use libfuzzer_sys::fuzz_target;
use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr;

/// Buffers that stay where they are, and what was made of them.
struct State {
    f32s: Vec<f32>,
    f64s: Vec<f64>,
    indices: Vec<u32>,
    geometries: Vec<*mut lanecast_geometry>,
    scenes: Vec<*mut lanecast_scene>,
}

fuzz_target!(|program: Program| {
    let mut state = State {
        f32s: program.numbers.iter().map(|Number(number)| *number as f32).collect(),
        f64s: program.numbers.iter().map(|Number(number)| *number).collect(),
        indices: program.indices.iter().map(|index| u32::from(index % 40)).collect(),
        geometries: Vec::new(),
        scenes: Vec::new(),
    };
    for call in &program.calls {
        // SAFETY: handles are those that were made and are not yet freed, and all counts are of
        // what lies in the buffers.
        unsafe { state.make(call) };
    }
    for geometry in state.geometries {
        // SAFETY: made by the library, and freed once.
        unsafe { lanecast_geometry_free(geometry) };
    }
    for scene in state.scenes {
        // SAFETY: the same.
        unsafe { lanecast_scene_free(scene) };
    }
});

/// A result is success or has a message of one line; nothing has panicked.
fn look(result: lanecast_result) -> bool {
    assert_ne!(result, LANECAST_PANIC, "a panic behind the border: {:?}", message());
    if result != 0 {
        let message = message();
        assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
    }
    result == 0
}

fn message() -> String {
    // SAFETY: valid until the next call of this thread that fails.
    unsafe { CStr::from_ptr(lanecast_last_error()) }.to_string_lossy().into_owned()
}

/// All zeros, which is how C begins a struct.
fn zeros<T>() -> T {
    // SAFETY: the structs of the border are of integers, floats and pointers that may be null.
    unsafe { mem::zeroed() }
}

impl State {
    fn scene(&self, number: u8) -> *mut lanecast_scene {
        match self.scenes.len() {
            0 => ptr::null_mut(),
            count => self.scenes[usize::from(number) % count],
        }
    }

    fn geometries(&self, first: u8, count: u8) -> &[*mut lanecast_geometry] {
        let first = usize::from(first).min(self.geometries.len());
        &self.geometries[first..(first + usize::from(count)).min(self.geometries.len())]
    }

    /// Rows of some numbers of four or eight bytes, as many as lie in the buffer.
    fn rows(&self, rows: Rows, width: usize, buffer: Buffer) -> lanecast_rows {
        let (data, size) = match buffer {
            Buffer::F32 => (self.f32s.as_ptr().cast::<c_void>(), 4),
            Buffer::F64 => (self.f64s.as_ptr().cast::<c_void>(), 8),
            Buffer::Index => (self.indices.as_ptr().cast::<c_void>(), 4),
        };
        if rows.is_null {
            return lanecast_rows {
                data: ptr::null(),
                count: usize::from(rows.count),
                stride: width * size,
            };
        }
        let (first, stride) = (usize::from(rows.first) % ROOM, usize::from(rows.stride % 8));
        let room = (ROOM - first).saturating_sub(width);
        let most = match (ROOM - first < width, stride) {
            (true, _) => 0,
            (_, 0) => 40,
            (_, stride) => room / stride + 1,
        };
        // SAFETY: within the buffer.
        let data = unsafe { data.byte_add(first * size) };
        lanecast_rows { data, count: usize::from(rows.count).min(most), stride: stride * size }
    }

    unsafe fn make(&mut self, call: &Call) {
        match *call {
            Call::Triangles { precision, vertices, triangles, may_move } => {
                let vertices = self.rows(vertices, 3, Buffer::of(precision));
                let triangles = self.rows(triangles, 3, Buffer::Index);
                let mut made = ptr::null_mut();
                let make =
                    if may_move { lanecast_deformable_triangles } else { lanecast_triangles };
                let result = unsafe { make(code(precision), vertices, triangles, &raw mut made) };
                if look(result) {
                    self.geometries.push(made);
                }
            }
            Call::Spheres { precision, spheres } => {
                let spheres = self.rows(spheres, 4, Buffer::of(precision));
                let mut made = ptr::null_mut();
                if look(unsafe { lanecast_spheres(code(precision), spheres, &raw mut made) }) {
                    self.geometries.push(made);
                }
            }
            Call::HeightField { precision, rows, columns, origin, spacing } => {
                let [rows, columns] = [rows, columns].map(|count| usize::from(count % 10));
                let heights = self.rows(
                    Rows { is_null: false, first: 0, count: 0, stride: 1 },
                    1,
                    Buffer::of(precision),
                );
                let [origin, spacing] =
                    [origin, spacing].map(|pair| pair.map(|Number(number)| number));
                let mut made = ptr::null_mut();
                let result = unsafe {
                    lanecast_height_field(
                        code(precision),
                        heights.data,
                        rows,
                        columns,
                        origin.as_ptr(),
                        spacing.as_ptr(),
                        &raw mut made,
                    )
                };
                if look(result) {
                    self.geometries.push(made);
                }
            }
            Call::Build { precision, first, count, options, ref instances } => {
                let chosen = self.geometries(first, count);
                let (pointers, number) =
                    (chosen.as_ptr().cast::<*const lanecast_geometry>(), chosen.len());
                let instance = |(scene, transform): &(u8, [Number; 12])| lanecast_instance {
                    scene: self.scene(*scene),
                    transform: transform.map(|Number(number)| number),
                };
                let instances: Vec<_> = instances.iter().take(4).map(instance).collect();
                let (options, mut made) = (options.meant(), ptr::null_mut());
                let result = unsafe {
                    lanecast_build(
                        code(precision),
                        pointers,
                        number,
                        instances.as_ptr(),
                        instances.len(),
                        pointer(options.as_ref()),
                        &raw mut made,
                    )
                };
                if look(result) {
                    self.scenes.push(made);
                }
            }
            Call::Add { scene, first, count, options } => {
                let (scene, options) = (self.scene(scene), options.meant());
                let (chosen, mut ids) = (self.geometries(first, count), [0_u32; 256]);
                let pointers = chosen.as_ptr().cast::<*const lanecast_geometry>();
                look(unsafe {
                    lanecast_add(
                        scene,
                        pointers,
                        chosen.len(),
                        pointer(options.as_ref()),
                        ids.as_mut_ptr(),
                    )
                });
            }
            Call::Replace { scene, ids, first, count } => {
                let (scene, chosen) = (self.scene(scene), self.geometries(first, count.min(2)));
                let pointers = chosen.as_ptr().cast::<*const lanecast_geometry>();
                look(unsafe {
                    lanecast_replace(scene, ids.as_ptr(), pointers, chosen.len(), ptr::null())
                });
            }
            Call::Remove { scene, ids, count } => {
                let count = usize::from(count % 3);
                look(unsafe {
                    lanecast_remove(self.scene(scene), ids.as_ptr(), count, ptr::null())
                });
            }
            Call::Refit { scene, id, vertices } => {
                let buffer = if vertices.stride > 7 { Buffer::F64 } else { Buffer::F32 };
                let moved = lanecast_moved_mesh {
                    geometry_id: id % 8,
                    // Of either precision: half as many of `double` lie there as of `float`.
                    vertices: self.rows(vertices, 6, buffer),
                };
                look(unsafe {
                    lanecast_refit(self.scene(scene), &raw const moved, 1, ptr::null())
                });
            }
            Call::Rebuild { scene, options } => {
                let options = options.meant();
                look(unsafe { lanecast_rebuild(self.scene(scene), pointer(options.as_ref())) });
            }
            Call::Copy { scene } => {
                let mut made = ptr::null_mut();
                if self.scenes.len() < 12
                    && look(unsafe { lanecast_copy(self.scene(scene), ptr::null(), &raw mut made) })
                {
                    self.scenes.push(made);
                }
            }
            Call::AddInstances { scene, of, transform } => {
                let instance = lanecast_instance {
                    scene: self.scene(of),
                    transform: transform.map(|Number(number)| number),
                };
                let mut number = 0_u32;
                let (scene, instance) = (self.scene(scene), &raw const instance);
                look(unsafe { lanecast_add_instances(scene, instance, 1, &raw mut number) });
            }
            Call::RemoveInstances { scene, numbers, count } => {
                let count = usize::from(count % 3);
                look(unsafe {
                    lanecast_remove_instances(self.scene(scene), numbers.as_ptr(), count)
                });
            }
            Call::SetMask { scene, id, mask } => {
                look(unsafe { lanecast_scene_set_mask(self.scene(scene), id % 8, mask) });
            }
            Call::ThroughBytes { scene, change, less } => {
                unsafe { self.through_bytes(scene, change, less) };
            }
            Call::Ask { scene, query, rays, options } => unsafe {
                self.ask(scene, query, rays, options)
            },
            Call::FreeGeometry(number) => {
                if !self.geometries.is_empty() {
                    let number = usize::from(number) % self.geometries.len();
                    unsafe { lanecast_geometry_free(self.geometries.swap_remove(number)) };
                }
            }
            Call::FreeScene(number) => {
                if !self.scenes.is_empty() {
                    let number = usize::from(number) % self.scenes.len();
                    unsafe { lanecast_scene_free(self.scenes.swap_remove(number)) };
                }
            }
        }
    }

    unsafe fn through_bytes(&mut self, scene: u8, change: Option<(u16, u8)>, less: u8) {
        let mut bytes: *mut lanecast_bytes = ptr::null_mut();
        let scene = self.scene(scene);
        if !look(unsafe { lanecast_to_bytes(scene, None, ptr::null_mut(), &raw mut bytes) }) {
            return;
        }
        let mut view: lanecast_bytes_view = zeros();
        assert!(look(unsafe { lanecast_bytes_get(bytes, &raw mut view) }));
        let mut copy = unsafe { std::slice::from_raw_parts(view.data, view.count) }.to_vec();
        unsafe { lanecast_bytes_free(bytes) };
        if let Some((place, to)) = change {
            let count = copy.len();
            copy[usize::from(place) % count] = to;
        }
        copy.truncate(copy.len() - usize::from(less).min(copy.len()));
        let mut made = ptr::null_mut();
        let (data, count) = (copy.as_ptr(), copy.len());
        if look(unsafe { lanecast_from_bytes(data, count, None, ptr::null_mut(), &raw mut made) }) {
            look(unsafe { lanecast_check(made, None, ptr::null_mut()) });
            self.scenes.push(made);
        }
    }

    unsafe fn ask(&self, scene: u8, query: u8, rays: Rays, options: Options) {
        let scene = self.scene(scene);
        let stride = usize::from(rays.stride % 7);
        let most = (ROOM - 12).checked_div(stride).unwrap_or(40);
        let count = usize::from(rays.count).min(most).min(40);
        let size = if rays.precision.is_multiple_of(2) { 4 } else { 8 };
        let first = match size {
            4 => self.f32s.as_ptr().cast::<c_void>(),
            _ => self.f64s.as_ptr().cast::<c_void>(),
        };
        // SAFETY: the first twelve numbers lie there.
        let at = |number: usize| unsafe { first.byte_add(number * size) };
        let vectors = |number: usize| lanecast_vectors {
            x: at(number),
            y: at(number + 1),
            z: at(number + 2),
            stride: stride * size,
        };
        let column = |number: usize| lanecast_column {
            data: if rays.interval { at(number) } else { ptr::null() },
            stride: stride * size,
        };
        let asked = lanecast_rays {
            size: size_of::<lanecast_rays>() - usize::from(rays.is_short) * 8,
            precision: code(rays.precision),
            count,
            origin: vectors(0),
            direction: vectors(3),
            t_min: column(6),
            t_max: column(7),
            ..zeros()
        };
        let options = options.meant();
        let options = pointer(options.as_ref());
        // As many places as the widest of answers has, in numbers of eight bytes.
        let mut places = vec![0_u64; 3 * 40];
        let mut statuses = vec![0_u8; 40];
        let mut answers = |stride| lanecast_answers { data: places.as_mut_ptr().cast(), stride };
        let status = lanecast_answers { data: statuses.as_mut_ptr().cast(), stride: 1 };
        let result = match query % 5 {
            0 => {
                let hits = lanecast_hits {
                    size: size_of::<lanecast_hits>(),
                    count,
                    status,
                    normal: answers(24),
                    ..zeros()
                };
                unsafe { lanecast_closest_hit(scene, &raw const asked, options, &raw const hits) }
            }
            1 => unsafe { lanecast_any_hit(scene, &raw const asked, options, count, status) },
            2 => {
                let counts = lanecast_counts {
                    size: size_of::<lanecast_counts>(),
                    count,
                    status,
                    hits: answers(4),
                };
                unsafe { lanecast_count_hits(scene, &raw const asked, options, &raw const counts) }
            }
            3 => {
                let mut lists: *mut lanecast_hit_lists = ptr::null_mut();
                let asked = &raw const asked;
                let result = unsafe { lanecast_all_hits(scene, asked, options, &raw mut lists) };
                unsafe { lanecast_hit_lists_free(lists) };
                result
            }
            _ => {
                let points = lanecast_points {
                    size: size_of::<lanecast_points>(),
                    precision: code(rays.precision),
                    count,
                    position: vectors(0),
                };
                let values = lanecast_values {
                    size: size_of::<lanecast_values>(),
                    count,
                    status,
                    value: answers(8),
                };
                let (points, values) = (&raw const points, &raw const values);
                unsafe { lanecast_signed_distance(scene, points, options, values) }
            }
        };
        look(result);
    }
}

#[derive(Clone, Copy)]
enum Buffer {
    F32,
    F64,
    Index,
}

impl Buffer {
    fn of(precision: u8) -> Self {
        if precision.is_multiple_of(2) { Self::F32 } else { Self::F64 }
    }
}

/// `LANECAST_F32` and `LANECAST_F64`, and now and then a number that is no precision; the buffers are of the first two.
fn code(precision: u8) -> i32 {
    match precision {
        250..=255 => i32::from(precision),
        precision => 1 + i32::from(precision % 2),
    }
}

fn pointer<T>(of: Option<&T>) -> *const T {
    of.map_or(ptr::null(), ptr::from_ref)
}

impl Building {
    fn meant(self) -> Option<lanecast_build_options> {
        self.is_given.then(|| lanecast_build_options {
            size: size_of::<lanecast_build_options>() - usize::from(self.is_short) * 8,
            quality: i32::from(self.quality % 4),
            backend: i32::from(self.backend % 5),
            weld: self.weld.is_some(),
            weld_tolerance: self.weld.map_or(0.0, |Number(tolerance)| tolerance),
            ..zeros()
        })
    }
}

impl Options {
    fn meant(self) -> Option<lanecast_options> {
        self.is_given.then(|| lanecast_options {
            size: size_of::<lanecast_options>(),
            backend: i32::from(self.backend % 5),
            brute_force: self.brute_force,
            coherence: i32::from(self.coherence % 4),
            culling: i32::from(self.culling % 4),
            mask: self.mask,
            contact: i32::from(self.contact % 3),
            generalised_winding: self.winding.map_or(0.0, |Number(winding)| winding),
            ..zeros()
        })
    }
}
