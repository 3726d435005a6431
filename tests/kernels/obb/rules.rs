//! What oriented boxes and their tests refuse, and how they say it.

use crate::obb::boxes::{IDENTITY, RAY, TURNED_TWICE, obb, of, ray, short};
use crate::obb::in_both_precisions;
use lanecast::primitive::{
    Block, EnteredFace, Obb, ObbBatch, SeparatingAxes, Slab, Test as Kernel,
};
use lanecast::{Error, Status};

in_both_precisions! {
    fn bad_rays_are_refused<T>() {
        let obb = obb::<T>([0.0; 3], IDENTITY, [1.0; 3]);
        let refused = [
            (ray([0.0; 3], [1.0, f64::NAN, 0.0], RAY), Status::InvalidDirection),
            (ray([0.0; 3], [0.0, -0.0, 0.0], RAY), Status::ZeroDirection),
            (ray([f64::INFINITY, 0.0, 0.0], [1.0, 0.0, 0.0], RAY), Status::InvalidOrigin),
            (ray([0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.5]), Status::EmptyInterval),
            (ray([0.0; 3], [1.0, 0.0, 0.0], [0.0, f64::NAN]), Status::InvalidInterval),
        ];
        for (ray, status) in refused {
            let error = Err(Error::InvalidRay { status });
            assert_eq!(Slab.intersect(&obb, &ray), error.clone().map(|()| None));
            assert_eq!(EnteredFace.intersect(&obb, &ray), error.clone().map(|()| None));
            assert_eq!(SeparatingAxes.intersect(&obb, &ray), error.map(|()| None));
        }
    }

    fn axes_that_are_not_orthonormal_are_refused_with_the_amount<T>() {
        let refused = |axes: [[f64; 3]; 3]| match Obb::<T>::new([T::ZERO; 3], axes.map(of), [T::ONE; 3]) {
            Err(Error::AxesNotOrthonormal { row: 0, off }) => Some(off),
            Err(error) => panic!("{error}"),
            Ok(_) => None,
        };
        let [u, v, w] = IDENTITY;
        assert_eq!(refused(IDENTITY), None);
        assert_eq!(refused([v, u, w]), None, "left-handed");
        assert_eq!(refused(short::<T>(TURNED_TWICE).map(|axis| axis.map(T::to_f64))), None);
        assert_eq!(refused([[2.0, 0.0, 0.0], v, w]), Some(3.0), "too long");
        assert_eq!(refused([[0.0; 3], v, w]), Some(1.0), "zero");
        assert_eq!(refused([u, u, w]), Some(1.0), "the same twice");
        assert_eq!(refused([[1.0, 0.25, 0.0], v, w]), Some(0.25), "sheared");
        assert!(refused([[f64::NAN, 0.0, 0.0], v, w]).is_some_and(f64::is_nan));
        assert!(refused([u, [f64::INFINITY, 1.0, 0.0], w]).is_some_and(|off| !off.is_finite()));
        let tolerance = Obb::<T>::AXES_TOLERANCE;
        assert_eq!(refused([[1.0, tolerance, 0.0], v, w]), None, "at the tolerance");
        assert_eq!(refused([[1.0, 2.0 * tolerance, 0.0], v, w]), Some(2.0 * tolerance), "beyond it");
    }

    fn numbers_that_cannot_be_used_are_refused_by_name<T>() {
        let sound = obb::<T>([0.0; 3], IDENTITY, [1.0; 3]);
        let too_large = T::LARGEST_COORDINATE.to_f64() * 2.0;
        for bad in [f64::NAN, f64::INFINITY, too_large, -too_large, -1.0, -0.25 * T::MIN_POSITIVE.to_f64()] {
            let mut obb = sound;
            obb.half_extents[1] = T::of_f64(bad);
            let rows = [sound, sound, obb];
            match ObbBatch::from_slice(&rows).map(|_| ()) {
                Err(Error::UnusableObb { row: 2, component: "second half extent", value }) => {
                    assert!(value == bad || value.is_nan() && bad.is_nan(), "{value} for {bad}");
                }
                other => panic!("{other:?}"),
            }
            assert!(Block::new(&rows).is_err());
            assert!(Slab.intersect(&obb, &ray([0.0; 3], [1.0, 0.0, 0.0], RAY)).is_err());
        }
        for bad in [f64::NAN, f64::NEG_INFINITY, -too_large] {
            let center = [T::ZERO, T::ZERO, T::of_f64(bad)];
            let error = Obb::new(center, sound.axes, sound.half_extents).expect_err("no center");
            assert!(matches!(error, Error::UnusableObb { row: 0, component: "center z", .. }), "{error}");
        }
        assert!(Obb::new(sound.center, sound.axes, [T::of_f64(-0.0); 3]).is_ok());
    }
}
