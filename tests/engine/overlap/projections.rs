//! Frusta by matrices hold the points that the matrices take to visible clip space.

use glam::dcamera::{lh, rh};
use glam::{DMat4, DVec3};
use lanecast::{ClipDepth, Error, Frustum, Scene};
use lanecast_reference::random::Random;

const NEAR: f64 = 0.5;
const FAR: f64 = 20.0;

/// Projections by name, with the range of their depths and the count of planes that bound them.
fn projections() -> Vec<(&'static str, DMat4, ClipDepth, usize)> {
    use ClipDepth::{MinusOneToOne, ZeroToOne};
    let (angle, aspect) = (1.1, 1.5);
    let upside_down = rh::proj::vulkan::perspective(angle, aspect, NEAR, FAR);
    let endless = rh::proj::directx::perspective_infinite(angle, aspect, NEAR);
    let endless_reversed = rh::proj::directx::perspective_infinite_reverse(angle, aspect, NEAR);
    // Of a depth from 1 to 0.
    let mut reversed = rh::proj::directx::perspective(angle, aspect, NEAR, FAR).transpose();
    reversed.z_axis = reversed.w_axis - reversed.z_axis;
    vec![
        ("OpenGL", rh::proj::opengl::perspective(angle, aspect, NEAR, FAR), MinusOneToOne, 6),
        ("left-handed", lh::proj::opengl::perspective(angle, aspect, NEAR, FAR), MinusOneToOne, 6),
        ("Direct3D", rh::proj::directx::perspective(angle, aspect, NEAR, FAR), ZeroToOne, 6),
        ("Vulkan", upside_down, ZeroToOne, 6),
        ("reversed", reversed.transpose(), ZeroToOne, 6),
        ("endless", endless, ZeroToOne, 5),
        ("endless reversed", endless_reversed, ZeroToOne, 5),
        (
            "parallel",
            rh::proj::opengl::orthographic(-3.0, 4.0, -2.0, 1.0, NEAR, FAR),
            MinusOneToOne,
            6,
        ),
    ]
}

#[test]
fn frusta_by_matrices_hold_what_the_matrices_show_seed_47() {
    let mut random = Random::new(47);
    for (name, projection, depth, planes) in projections() {
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..40 {
            let [eye, target] =
                [(); 2].map(|()| DVec3::from(random.point(-4.0, 4.0).map(f64::from)));
            let view = rh::view::look_at_mat4(eye, target, DVec3::new(0.1, 0.9, 0.3));
            let matrix = projection * view;
            let frustum = Frustum::from_view_projection(matrix.to_cols_array_2d(), depth);
            let frustum = frustum.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(frustum.planes().len(), planes, "{name}");
            for _ in 0..100 {
                let point = DVec3::from(random.point(-12.0, 12.0).map(f64::from));
                let clip = matrix * point.extend(1.0);
                let least_z = if depth == ClipDepth::ZeroToOne { 0.0 } else { -clip.w };
                let shown = [
                    clip.x + clip.w,
                    clip.w - clip.x,
                    clip.y + clip.w,
                    clip.w - clip.y,
                    clip.z - least_z,
                    clip.w - clip.z,
                ];
                if shown.iter().any(|distance| distance.abs() < 1e-9) {
                    continue;
                }
                let is_shown = shown.iter().all(|&distance| distance > 0.0);
                let is_held = frustum
                    .planes()
                    .iter()
                    .all(|&[a, b, c, d]| DVec3::new(a, b, c).dot(point) + d >= 0.0);
                assert_eq!(is_held, is_shown, "{name}: {point} is {clip}");
                if is_shown { inside += 1 } else { outside += 1 }
            }
        }
        assert!(inside > 40 && outside > 40, "{name}: {inside} points of {}", inside + outside);
    }
}

#[test]
fn triangles_behind_the_far_plane_are_not_seen() {
    let triangle = |z: f32| [[-0.1, -0.1, z], [0.1, -0.1, z], [0.0, 0.1, z]];
    let vertices = [triangle(-0.25), triangle(-5.0), triangle(-25.0)].concat();
    let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    let scene = scene.expect("three triangles");
    // Of `f32`, without a view.
    for (name, projection, depth, planes) in projections() {
        if name == "left-handed" {
            continue;
        }
        let columns = projection.as_mat4().to_cols_array_2d();
        let frustum = Frustum::from_view_projection(columns, depth).expect("a projection");
        let seen = scene.overlap(&frustum).primitives().expect("answers");
        let seen: Vec<_> = seen.iter().map(|ids| ids.primitive_id).collect();
        let expected = if planes == 5 { vec![1, 2] } else { vec![1] };
        assert_eq!(seen, expected, "{name}");
    }
}

#[test]
fn matrices_without_a_frustum_are_refused() {
    let refused = |columns: [[f64; 4]; 4]| {
        let frustum = Frustum::from_view_projection(columns, ClipDepth::ZeroToOne);
        assert!(
            matches!(frustum, Err(Error::UnusableField { maker: "frustum", .. })),
            "{columns:?}"
        );
    };
    refused([[0.0; 4]; 4]);
    refused([[f64::NAN; 4]; 4]);
    let mut columns = DMat4::IDENTITY.to_cols_array_2d();
    columns[3][3] = f64::INFINITY;
    refused(columns);
    // Nothing is between two planes at infinity.
    columns[2] = [0.0; 4];
    columns[3] = [0.0, 0.0, -1.0, 1.0];
    refused(columns);
}
