//! The same rays have the same answers from Rust and from C, bit for bit.
#![expect(unsafe_code, reason = "functions for C")]

use std::ffi::CStr;
use std::ptr;

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

fn built<V>(
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

/// A row of hits: status, t, ids, u and v, normal.
type Row<V> = (u8, V, [u32; 3], [V; 2], [V; 3]);

/// The columns of hits, as C writes them.
struct Columns<V> {
    status: Vec<u8>,
    t: Vec<V>,
    ids: [Vec<u32>; 3],
    weights: [Vec<V>; 2],
    normal: Vec<[V; 3]>,
}

fn asked<V: Copy + Default>(
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

fn check<V: PartialEq + std::fmt::Debug>(by_c: &Columns<V>, by_rust: &[Row<V>]) {
    for (row, (status, t, ids, weights, normal)) in by_rust.iter().enumerate() {
        assert_eq!(by_c.status[row], *status, "status of ray {row}");
        assert_eq!(&by_c.t[row], t, "t of ray {row}");
        assert_eq!(by_c.ids.each_ref().map(|column| column[row]), *ids, "ids of ray {row}");
        assert_eq!(
            by_c.weights.each_ref().map(|column| &column[row]),
            weights.each_ref(),
            "of ray {row}"
        );
        assert_eq!(&by_c.normal[row], normal, "normal of ray {row}");
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

        let geometry = Geometry::triangle_mesh(&vertices, &mesh.triangles);
        let scene: Scene<$scalar> =
            SceneBuilder::default().geometry(geometry).unwrap().build().unwrap();
        let rays = RayBatch::from_pairs(&origins, &directions).unwrap();
        let hits: HitBatch<$scalar> = scene.cast(&rays).geometric_normals(true).closest().unwrap();
        let bits = |number: $scalar| number.to_bits();
        let by_rust: Vec<_> = (0..RAYS)
            .map(|row| {
                let instance_id = hits.instance_id().get(row).copied();
                let ids = [
                    hits.primitive_id()[row],
                    hits.geometry_id()[row],
                    instance_id.unwrap_or(lanecast::INVALID_ID),
                ];
                let weights = [hits.u()[row], hits.v()[row]].map(bits);
                let normal = hits.geometric_normal()[row].map(bits);
                (hits.status()[row].code(), bits(hits.t()[row]), ids, weights, normal)
            })
            .collect();
        assert!(by_rust.iter().filter(|row| row.0 == 1).count() > RAYS / 10, "hits are found");

        let made = built($precision, &vertices, &mesh.triangles);
        let columns = asked($precision, made, (&origins, &directions));
        // SAFETY: the scene is not used any more.
        unsafe { lanecast_scene_free(made) };
        let in_bits =
            |column: Vec<$scalar>| -> Vec<$bits> { column.into_iter().map(bits).collect() };
        let by_c = Columns {
            status: columns.status,
            t: in_bits(columns.t),
            ids: columns.ids,
            weights: columns.weights.map(in_bits),
            normal: columns.normal.into_iter().map(|normal| normal.map(bits)).collect(),
        };
        check(&by_c, &by_rust);
    }};
}

#[test]
fn a_million_rays_of_float_have_equal_bits_from_rust_and_from_c() {
    same!(f32, LANECAST_F32, u32);
}

#[test]
fn a_million_rays_of_double_have_equal_bits_from_rust_and_from_c() {
    same!(f64, LANECAST_F64, u64);
}
