//! The same rays have the same answers from Rust, from C and from C++, bit for bit.
#![expect(unsafe_code, reason = "functions for C")]

use std::ffi::CStr;
use std::fmt::Debug;
use std::path::Path;
use std::process::Command;
use std::ptr;

use bytemuck::Pod;
use lanecast::answers::HitBatch;
use lanecast::{Geometry, RayBatch, Scene, SceneBuilder};
use lanecast_c::answers::lanecast_hits;
use lanecast_c::border::{LANECAST_OK, lanecast_last_error, lanecast_result};
use lanecast_c::content::{LANECAST_F32, LANECAST_F64, lanecast_precision};
use lanecast_c::geometry::{lanecast_geometry, lanecast_geometry_free, lanecast_triangles};
use lanecast_c::memory::{lanecast_answers, lanecast_column, lanecast_rows, lanecast_vectors};
use lanecast_c::rays::{lanecast_closest_hit, lanecast_rays};
use lanecast_c::scene::{lanecast_build, lanecast_scene, lanecast_scene_free};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use programs::{built, expect_success, package, there};

mod programs;

const RAYS: usize = 1_000_000;

fn succeed(result: lanecast_result) {
    // SAFETY: the message of the last failure, a text.
    let message = unsafe { CStr::from_ptr(lanecast_last_error()) };
    assert_eq!(result, LANECAST_OK, "{message:?}");
}

fn rows<V, const N: usize>(rows: &[[V; N]]) -> lanecast_rows {
    lanecast_rows { data: rows.as_ptr().cast(), count: rows.len(), stride: size_of::<[V; N]>() }
}

fn vectors<V>(rows: &[[V; 3]]) -> lanecast_vectors {
    let [x, y, z] = [0, 1, 2].map(|axis| ptr::from_ref(&rows[0][axis]).cast());
    lanecast_vectors { x, y, z, stride: size_of::<[V; 3]>() }
}

fn place<V>(column: &mut [V]) -> lanecast_answers {
    lanecast_answers { data: column.as_mut_ptr().cast(), stride: size_of::<V>() }
}

fn built_by_c<V>(
    precision: lanecast_precision,
    vertices: &[[V; 3]],
    triangles: &[[u32; 3]],
) -> *mut lanecast_scene {
    let mut geometry: *mut lanecast_geometry = ptr::null_mut();
    let mut scene = ptr::null_mut();
    // SAFETY: the rows lie there, and stay until the scene is built.
    unsafe {
        succeed(lanecast_triangles(precision, rows(vertices), rows(triangles), &raw mut geometry));
        let all = [geometry.cast_const()];
        let (all, none) = (all.as_ptr(), ptr::null());
        succeed(lanecast_build(precision, all, 1, none, 0, ptr::null(), &raw mut scene));
        lanecast_geometry_free(geometry);
    }
    scene
}

/// The columns of hits, which all three languages give.
struct Columns<V> {
    status: Vec<u8>,
    t: Vec<V>,
    ids: [Vec<u32>; 3],
    weights: [Vec<V>; 2],
    normal: Vec<[V; 3]>,
}

fn asked_by_c<V: Copy + Default>(
    precision: lanecast_precision,
    scene: *const lanecast_scene,
    (origins, directions): (&[[V; 3]], &[[V; 3]]),
) -> Columns<V> {
    let count = origins.len();
    let mut into = Columns {
        status: vec![9; count],
        t: vec![V::default(); count],
        ids: [(); 3].map(|()| vec![7; count]),
        weights: [(); 2].map(|()| vec![V::default(); count]),
        normal: vec![[V::default(); 3]; count],
    };
    let default = lanecast_column { data: ptr::null(), stride: 0 };
    let rays = lanecast_rays {
        size: size_of::<lanecast_rays>(),
        precision,
        count,
        origin: vectors(origins),
        direction: vectors(directions),
        t_min: default,
        t_max: default,
        maker: ptr::null(),
    };
    let [primitive_id, geometry_id, instance_id] = &mut into.ids;
    let [u, v] = &mut into.weights;
    let hits = lanecast_hits {
        size: size_of::<lanecast_hits>(),
        count,
        status: place(&mut into.status),
        t: place(&mut into.t),
        primitive_id: place(primitive_id),
        geometry_id: place(geometry_id),
        instance_id: place(instance_id),
        u: place(u),
        v: place(v),
        normal: place(&mut into.normal),
    };
    // SAFETY: a scene, and columns of as many rows as there are rays.
    succeed(unsafe { lanecast_closest_hit(scene, &raw const rays, ptr::null(), &raw const hits) });
    into
}

/// What a program in C++ answers, which reads the rays and writes the columns as they lie in memory.
fn asked_by_cpp<V: Pod>(precision: &str, numbers: &[&[u8]]) -> Columns<V> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [program, asked, answered] = ["program", "asked", "answered"].map(path);
    let library = path("liblanecast.so.0.1");
    std::fs::copy(built().join("liblanecast_c.so"), &library).expect("the shared library");
    std::fs::write(&asked, numbers.concat()).expect("a file");

    let mut compile = Command::new(there(["g++", "clang++"])[0]);
    compile.args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    compile.arg(package().join("include")).arg(package().join("tests/cpp/equal_bits.cpp"));
    compile.arg(&library).arg(format!("-Wl,-rpath,{}", folder.path().display()));
    expect_success(compile.arg("-o").arg(&program));
    expect_success(Command::new(&program).arg(precision).args([&asked, &answered]));
    read(&answered)
}

fn read<V: Pod>(answered: &Path) -> Columns<V> {
    let bytes = std::fs::read(answered).expect("answers");
    let mut rest = bytes.as_slice();
    let columns = Columns {
        status: column(&mut rest),
        t: column(&mut rest),
        ids: [(); 3].map(|()| column(&mut rest)),
        weights: [(); 2].map(|()| column(&mut rest)),
        normal: column::<[V; 3]>(&mut rest),
    };
    assert!(rest.is_empty(), "nothing follows");
    columns
}

/// The values for the next million rays.
fn column<V: Pod>(bytes: &mut &[u8]) -> Vec<V> {
    let (column, rest) = bytes.split_at(RAYS * size_of::<V>());
    *bytes = rest;
    bytemuck::pod_collect_to_vec(column)
}

/// Of the same bits, for numbers as bits.
fn expect_equal<V: PartialEq + Debug>(language: &str, found: &Columns<V>, by_rust: &Columns<V>) {
    expect_equal_column(language, "status", &found.status, &by_rust.status);
    expect_equal_column(language, "t", &found.t, &by_rust.t);
    for (id, name) in ["primitive id", "geometry id", "instance id"].iter().enumerate() {
        expect_equal_column(language, name, &found.ids[id], &by_rust.ids[id]);
    }
    for (weight, name) in ["u", "v"].iter().enumerate() {
        expect_equal_column(language, name, &found.weights[weight], &by_rust.weights[weight]);
    }
    expect_equal_column(language, "normal", &found.normal, &by_rust.normal);
}

fn expect_equal_column<V: PartialEq + Debug>(
    language: &str,
    name: &str,
    found: &[V],
    by_rust: &[V],
) {
    assert_eq!((found.len(), by_rust.len()), (RAYS, RAYS), "{name} of {language}");
    for (row, (found, by_rust)) in found.iter().zip(by_rust).enumerate() {
        assert_eq!(found, by_rust, "{name} of ray {row} from {language}, and from Rust");
    }
}

macro_rules! same {
    ($scalar:ty, $precision:ident, $bits:ty) => {{
        let random = &mut Random::new(0xc);
        let mesh = meshes::terrain(200, random);
        let wide = |rows: &[[f32; 3]]| -> Vec<[$scalar; 3]> {
            rows.iter().map(|row| row.map(<$scalar>::from)).collect()
        };
        let vertices = wide(&mesh.vertices);
        let origins: Vec<_> = (0..RAYS).map(|_| random.point(-0.2, 1.2)).collect();
        let directions: Vec<_> = (0..RAYS).map(|_| random.direction()).collect();
        let (origins, directions) = (wide(&origins), wide(&directions));
        let bits = |column: &[$scalar]| -> Vec<$bits> {
            column.iter().map(|number| number.to_bits()).collect()
        };
        let bits_of_rows = |rows: &[[$scalar; 3]]| -> Vec<[$bits; 3]> {
            rows.iter().map(|row| row.map(<$scalar>::to_bits)).collect()
        };

        let geometry = Geometry::triangle_mesh(&vertices, &mesh.triangles);
        let scene: Scene<$scalar> =
            SceneBuilder::default().geometry(geometry).unwrap().build().unwrap();
        let rays = RayBatch::from_pairs(&origins, &directions).unwrap();
        let hits: HitBatch<$scalar> = scene.cast(&rays).geometric_normals(true).closest().unwrap();
        assert!(hits.instance_id().is_empty(), "there are no instances");
        let by_rust = Columns {
            status: hits.status().iter().map(|status| status.code()).collect(),
            t: bits(hits.t()),
            ids: [
                hits.primitive_id().to_vec(),
                hits.geometry_id().to_vec(),
                vec![lanecast::INVALID_ID; RAYS],
            ],
            weights: [bits(hits.u()), bits(hits.v())],
            normal: bits_of_rows(hits.geometric_normal()),
        };
        let met = by_rust.status.iter().filter(|status| **status == 1).count();
        assert!(met > RAYS / 10, "hits are found");

        let made = built_by_c($precision, &vertices, &mesh.triangles);
        let columns = asked_by_c($precision, made, (&origins, &directions));
        // SAFETY: the scene is not used any more.
        unsafe { lanecast_scene_free(made) };
        let by_c = Columns {
            status: columns.status,
            t: bits(&columns.t),
            ids: columns.ids,
            weights: columns.weights.each_ref().map(|column| bits(column)),
            normal: bits_of_rows(&columns.normal),
        };
        expect_equal("C", &by_c, &by_rust);

        // Programs are compiled and run as on Linux.
        if cfg!(target_os = "linux") {
            let counts = [vertices.len(), mesh.triangles.len(), RAYS].map(|count| count as u64);
            let by_cpp: Columns<$bits> = asked_by_cpp(
                stringify!($scalar),
                &[
                    bytemuck::cast_slice(&counts),
                    bytemuck::cast_slice(&vertices),
                    bytemuck::cast_slice(&mesh.triangles),
                    bytemuck::cast_slice(&origins),
                    bytemuck::cast_slice(&directions),
                ],
            );
            expect_equal("C++", &by_cpp, &by_rust);
        }
    }};
}

#[test]
fn a_million_rays_of_float_have_equal_bits_from_all_languages() {
    same!(f32, LANECAST_F32, u32);
}

#[test]
fn a_million_rays_of_double_have_equal_bits_from_all_languages() {
    same!(f64, LANECAST_F64, u64);
}
