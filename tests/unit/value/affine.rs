use super::Affine;

#[test]
fn what_cannot_be_undone_has_no_inverse() {
    let scaled = |x: f64, y: f64, z: f64| {
        Affine::from_rows([[x, 0.0, 0.0, 1.0], [0.0, y, 0.0, 2.0], [0.0, 0.0, z, 3.0]])
    };
    assert!(scaled(1.0, 1.0, 0.0).inverse().is_none());
    assert!(scaled(1.0, f64::NAN, 1.0).inverse().is_none());
    assert!(scaled(1.0, f64::INFINITY, 1.0).inverse().is_none());
    assert!(scaled(0.0, 0.0, 0.0).inverse().is_none());
    assert!(scaled(1.0, 1.0, 1e-7).inverse().is_none());
    assert!(scaled(1.0, 1.0, 1e-5).inverse().is_some());
    assert!(scaled(1e-200, 1e-200, 2e-200).inverse().is_some());
    assert!(Affine::translation([f64::NAN, 0.0, 0.0]).inverse().is_none());
    // Flat, though no entry is zero.
    let flat =
        Affine::from_rows([[1.0, 2.0, 3.0, 0.0], [2.0, 4.0, 6.0, 0.0], [1.0, 0.0, 1.0, 0.0]]);
    assert!(flat.inverse().is_none());
}

#[test]
fn the_inverse_leads_back() {
    let sheared =
        Affine::from_rows([[2.0, 0.5, -1.0, 7.0], [0.0, -1.5, 0.25, -3.0], [0.5, 0.0, 1.0, 1e4]]);
    let back = sheared.inverse().expect("not flat");
    for p in [[0.0; 3], [1.0, 2.0, 3.0], [-1e3, 0.5, 20.0]] {
        let q = back.point(sheared.point(p));
        for i in 0..3 {
            assert!((q[i] - p[i]).abs() < 1e-9 * (1.0 + p[i].abs()), "{p:?} {q:?}");
        }
    }
    let twice = (back * sheared).rows();
    assert!((twice[0][0] - 1.0).abs() < 1e-12 && twice[0][1].abs() < 1e-12, "{twice:?}");
    assert!(sheared.is_mirrored() && back.is_mirrored() && !(back * sheared).is_mirrored());
}

#[test]
fn a_product_maps_by_its_right_factor_first() {
    let sheared =
        Affine::from_rows([[2.0, 0.5, -1.0, 7.0], [0.0, -1.5, 0.25, -3.0], [0.5, 0.0, 1.0, 64.0]]);
    let turned = Affine::rotation([0.0, 0.0, 1.0], (1.0, 0.0));
    // All numbers are exact here.
    for p in [[0.0; 3], [1.0, 2.0, 3.0], [-8.0, 0.5, 20.0]] {
        assert_eq!((turned * sheared).point(p), turned.point(sheared.point(p)));
        assert_eq!((sheared * turned).point(p), sheared.point(turned.point(p)));
        assert_eq!((sheared * turned).vector(p), sheared.vector(turned.vector(p)));
    }
    assert_ne!(turned * sheared, sheared * turned);
    assert_eq!((sheared * Affine::default(), Affine::default() * sheared), (sheared, sheared));
}

#[test]
fn normals_stay_square_to_their_triangles() {
    let sheared =
        Affine::from_rows([[2.0, 0.5, -1.0, 7.0], [0.0, -1.5, 0.25, -3.0], [0.5, 0.0, 1.0, 1e4]]);
    let (e, f) = ([1.0, 2.0, -1.0], [0.0, 3.0, 1.0]);
    let normal = sheared.normal([5.0, -1.0, 3.0]);
    let (e, f) = (sheared.vector(e), sheared.vector(f));
    assert_eq!(normal, crate::math::cross(e, f));
}

#[test]
fn no_vector_becomes_shorter_than_the_least_stretch() {
    let turned =
        Affine::from_rows([[0.6, -0.8, 0.0, 1.0], [0.8, 0.6, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0]]);
    let scaled =
        Affine::from_rows([[-3.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0]]);
    // As it is where a scale comes before or after a rotation, and mirrored.
    for map in [scaled, turned * scaled, scaled * turned] {
        assert!((map.least_stretch() - 0.5).abs() < 1e-12, "{}", map.least_stretch());
    }
    let sheared =
        Affine::from_rows([[2.0, 0.5, -1.0, 7.0], [0.0, -1.5, 0.25, -3.0], [0.5, 0.0, 1.0, 1e4]]);
    let mut shortest = f64::INFINITY;
    for i in 0..100 {
        for j in 0..200 {
            let (z, angle) = (f64::from(i) / 100.0, f64::from(j) * std::f64::consts::TAU / 200.0);
            let r = (1.0 - z * z).sqrt();
            let v = sheared.vector([r * angle.cos(), r * angle.sin(), z]);
            shortest = shortest.min(v.iter().map(|x| x * x).sum::<f64>().sqrt());
        }
    }
    let least = sheared.least_stretch();
    assert!(least <= shortest && least > 0.5 * shortest, "{least} and {shortest}");
    // Flat but for roundings: nothing is known.
    let flat =
        Affine::from_rows([[0.1, 0.2, 0.3, 0.0], [0.3, 0.6, 0.9, 0.0], [1.0, 0.0, 1.0, 0.0]]);
    assert_eq!(flat.least_stretch(), 0.0);
}
