//! Maps made of parts place scenes as matrices written out would, and go to other crates and back.

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use lanecast::{Affine, Error, Ray, Scene, SceneBuilder};
use lanecast_reference::random::Random;
use std::sync::Arc;

fn off(map: &Affine, expected: DMat4) -> f64 {
    let (found, expected) = (map.columns(), expected.to_cols_array_2d());
    found
        .as_flattened()
        .iter()
        .zip(expected.as_flattened())
        .fold(0.0, |most, (a, b)| (a - b).abs().max(most))
}

fn drawn(random: &mut Random, half: f32) -> DVec3 {
    DVec3::from(random.point(-half, half).map(f64::from))
}

#[test]
fn rotations_scales_quaternions_and_views_match_glam_seed_31() {
    let mut random = Random::new(31);
    for _ in 0..200 {
        let (axis, at) = (drawn(&mut random, 3.0), drawn(&mut random, 9.0));
        let angle = drawn(&mut random, 7.0).x;
        let quaternion = DQuat::from_axis_angle(axis.normalize(), angle);
        let rotation = Affine::rotation(axis.to_array(), angle.sin_cos());
        assert!(off(&rotation, DMat4::from_quat(quaternion)) < 1e-14);
        // Of any length.
        let scaled = quaternion.to_array().map(|part| part * 1e200);
        assert!(off(&Affine::from_quaternion(scaled), DMat4::from_quat(quaternion)) < 1e-14);
        let each = Affine::scale_axes(at.to_array());
        assert_eq!(off(&each, DMat4::from_scale(at)), 0.0);
        let placed = Affine::translation(at.to_array()) * rotation * Affine::scale(2.5);
        let expected = DMat4::from_scale_rotation_translation(DVec3::splat(2.5), quaternion, at);
        assert!(off(&placed, expected) < 1e-13);
        let (eye, up) = (drawn(&mut random, 5.0), drawn(&mut random, 2.0));
        let camera = Affine::look_at(eye.to_array(), at.to_array(), up.to_array());
        let view = camera.inverse().expect("a rotation");
        assert!(off(&view, glam::dcamera::rh::view::look_at_mat4(eye, at, up)) < 1e-12);
    }
}

#[test]
fn a_view_along_up_is_a_rotation_all_the_same() {
    for along in
        [DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::new(1.0, 1.0, 0.0), DVec3::new(-0.2, 0.1, 3.0)]
    {
        let camera = Affine::look_at([0.0; 3], along.to_array(), (along * 4.0).to_array());
        let [x, y, z, _] = camera.columns().map(|[x, y, z, _]| DVec3::new(x, y, z));
        let axes = DMat3::from_cols(x, y, z);
        assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-15), "{axes}");
        assert!(
            (axes.determinant() - 1.0).abs() < 1e-15 && z.abs_diff_eq(-along.normalize(), 1e-15)
        );
    }
}

#[test]
fn quarter_turns_are_exact() {
    let quarter = Affine::rotation([0.0, 3.0, 0.0], (1.0, 0.0));
    assert_eq!(quarter.rows(), [[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]]);
    assert_eq!((quarter * quarter).point([1.0, 2.0, 3.0]), [-1.0, 2.0, -3.0]);
}

#[test]
fn maps_of_nothing_are_refused_by_scenes() {
    let leaf =
        Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    let leaf = Arc::new(leaf.expect("a triangle"));
    let nothings = [
        Affine::rotation([0.0; 3], (0.5, 0.5)),
        Affine::rotation([f64::NAN, 0.0, 1.0], (0.0, 1.0)),
        Affine::from_quaternion([0.0; 4]),
        Affine::look_at([1.0; 3], [1.0; 3], [0.0, 0.0, 1.0]),
        Affine::look_at([1.0; 3], [2.0; 3], [0.0; 3]),
        Affine::scale(0.0),
    ];
    for (number, nothing) in nothings.into_iter().enumerate() {
        let built = SceneBuilder::new().instance(&leaf, nothing).build();
        assert!(
            matches!(built, Err(Error::SingularTransform { instance: 0, .. })),
            "{number}: {nothing:?}"
        );
    }
}

#[test]
fn columns_lead_to_glam_and_back_in_both_precisions() {
    let map = DAffine3::from_scale_rotation_translation(
        DVec3::new(1.0, 2.0, -3.0),
        DQuat::from_rotation_x(0.7),
        DVec3::new(1e6, 0.1, 5.0),
    );
    let matrix = DMat4::from(map);
    let placed = Affine::from_columns(matrix.to_cols_array_2d());
    assert_eq!(DMat4::from_cols_array_2d(&placed.columns()), matrix);
    assert_eq!(Affine::from_columns(placed.columns()), placed);
    let narrow = matrix.as_mat4();
    assert_eq!(
        Affine::from_columns(narrow.to_cols_array_2d()).columns(),
        narrow.as_dmat4().to_cols_array_2d()
    );
}

#[cfg(feature = "mint")]
#[test]
fn mint_leads_to_matrices_and_quaternions_and_back() {
    let quaternion = DQuat::from_rotation_z(0.3);
    let matrix = DMat4::from_rotation_translation(quaternion, DVec3::new(1.0, 2.0, 3.0));
    let placed = Affine::from(mint::ColumnMatrix4::from(matrix));
    assert_eq!(off(&placed, matrix), 0.0);
    assert_eq!(DMat4::from(mint::ColumnMatrix4::<f64>::from(placed)), matrix);
    let four: mint::ColumnMatrix3x4<f64> = placed.into();
    assert_eq!((Affine::from(four), four.w), (placed, [1.0, 2.0, 3.0].into()));
    let narrow: mint::ColumnMatrix4<f32> = placed.into();
    assert_eq!(narrow.x.y, 0.3_f64.sin() as f32);
    let turned = Affine::from(mint::Quaternion::from(quaternion));
    assert!(off(&turned, DMat4::from_quat(quaternion)) < 1e-15);
    let narrow = Affine::from(mint::Quaternion::<f32>::from(quaternion.as_quat()));
    assert!(off(&narrow, DMat4::from_quat(quaternion)) < 1e-6);
}

#[test]
fn single_hits_name_their_instance_as_an_option() -> lanecast::Result<()> {
    let leaf =
        Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    let scene = SceneBuilder::new()
        .triangle_mesh(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?
        .instance(&Arc::new(leaf), Affine::translation([5.0, 0.0, 0.0]))
        .build()?;
    for (x, instance) in [(0.25, None), (5.25, Some(0))] {
        let hit = scene.cast(&Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0])).closest()?;
        assert_eq!(hit.expect("a hit").instance(), instance);
        let near = scene.point([x, 0.25, 1.0]).closest(f32::INFINITY)?;
        assert_eq!(near.expect("a triangle").instance(), instance);
    }
    Ok(())
}
