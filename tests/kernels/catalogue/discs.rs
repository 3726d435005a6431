//! Hazards of discs, by name.

use lanecast::Ray;
use lanecast::primitive::{Disc, DiscHit, DiscPlane, Side};

use crate::catalogue::ask::{ask, in_both_precisions};
use lanecast_reference::kernel::number::Number;

fn disc<T: Number>(center: [f32; 3], normal: [f32; 3], radius: f32) -> Disc<T> {
    Disc { center: center.map(T::of), normal: normal.map(T::of), radius: T::of(radius) }
}

/// Around (1, 2, 3), of radius 5, its front up along z.
fn level<T: Number>() -> Disc<T> {
    disc([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], 5.0)
}

fn ray<T: Number>(origin: [f32; 3], direction: [f32; 3]) -> Ray<T> {
    Ray::new(origin.map(T::of), direction.map(T::of))
}

fn segment<T: Number>(start: [f32; 3], end: [f32; 3]) -> Ray<T> {
    Ray::segment(start.map(T::of), end.map(T::of))
}

fn line<T: Number>(point: [f32; 3], direction: [f32; 3]) -> Ray<T> {
    Ray::line(point.map(T::of), direction.map(T::of))
}

fn met<T: Number>(disc: Disc<T>, line: Ray<T>) -> Option<(f64, Side)> {
    ask(DiscPlane, disc, line).map(|DiscHit { t, side }| (t.to_f64(), side))
}

in_both_precisions! {
    fn a_line_in_the_plane_of_a_disc_does_not_meet_it<T>() {
        for zero in [0.0, -0.0] {
            for origin in [[1.0, 2.0, 3.0], [-9.0, 2.0, 3.0], [6.0, 2.0, 3.0]] {
                for direction in [[1.0, 0.0, zero], [0.0, -1.0, zero], [3.0, 0.5, zero]] {
                    assert_eq!(met(level::<T>(), line(origin, direction)), None, "{origin:?} {direction:?}");
                }
            }
        }
        // Square to all of the components that a normal may have, none of which is zero.
        let slanted = disc::<T>([0.0; 3], [1.0, 2.0, 3.0], 9.0);
        assert_eq!(met(slanted, line([0.0; 3], [-3.0, 0.0, 1.0])), None);
        assert_eq!(met(slanted, line([-5.0, 1.0, 1.0], [1.0, 1.0, -1.0])), None);
    }

    fn a_line_along_the_plane_and_off_it_does_not_meet_a_disc<T>() {
        for zero in [0.0, -0.0] {
            for height in [3.5, 2.5] {
                for direction in [[1.0, 0.0, zero], [0.0, -1.0, zero], [3.0, 0.5, zero]] {
                    assert_eq!(met(level::<T>(), line([1.0, 2.0, height], direction)), None);
                }
            }
        }
    }

    fn an_infinite_t_is_no_hit_of_a_disc_however_large<T>() {
        let whole_plane = Disc { radius: T::INFINITY, ..level() };
        assert_eq!(met(whole_plane, line([1.0, 2.0, 5.0], [1.0, 1.0, -0.5])), Some((4.0, Side::Front)));
        for up in [T::MIN_POSITIVE, T::ZERO - T::MIN_POSITIVE] {
            let nearly_along = Ray::line([1.0, 2.0, 99.0].map(T::of), [T::ONE, T::ONE, up]);
            assert_eq!(met(whole_plane, nearly_along), None);
        }
    }

    fn a_point_whose_distance_has_no_square_is_not_on_a_disc<T>() {
        let (radius, away) = if T::DIGITS == 24 { (1e20, 3e20) } else { (1e200, 3e200) };
        let [radius, away] = [radius, away].map(T::of_f64);
        let normal = [T::ZERO, T::ZERO, T::ONE];
        let down = line([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
        assert_eq!(met(Disc { center: [away, T::ZERO, T::ZERO], normal, radius }, down), None);
        // The radius by itself need not have one.
        let near = Disc { center: [T::of(7.0), T::ZERO, T::ZERO], normal, radius };
        assert_eq!(met(near, down), Some((1.0, Side::Front)));
    }

    fn a_height_over_an_infinite_product_is_no_t_of_a_disc<T>() {
        // A plane that the origin is not in, and a line to it that is too fast for its normal.
        let (fast, long) = if T::DIGITS == 24 { (1e30, 1e30) } else { (1e80, 1e250) };
        for (along, up) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let disc = Disc { normal: [T::ZERO, T::ZERO, T::of_f64(up * long)], ..level() };
            let direction = [T::ZERO, T::ZERO, T::of_f64(along * fast)];
            assert_eq!(met(disc, Ray::line([1.0, 2.0, 5.0].map(T::of), direction)), None);
        }
    }

    fn the_rim_of_a_disc_is_its_own<T>() {
        // Halves, and 3, 4, 5: all is exact.
        for (x, y) in [(5.0, 0.0), (-5.0, 0.0), (0.0, 5.0), (3.0, -4.0), (-4.0, 3.0)] {
            let rim = [1.0 + x, 2.0 + y, 3.0];
            for direction in [[0.0, 0.0, -2.0], [x, y, -2.0], [-0.5, 1.0, -2.0]] {
                let origin: [f32; 3] = std::array::from_fn(|axis| rim[axis] - direction[axis]);
                assert_eq!(met(level::<T>(), ray(origin, direction)), Some((1.0, Side::Front)), "{rim:?}");
                let beyond: [f32; 3] = std::array::from_fn(|axis| origin[axis] + [x, y, 0.0][axis] / 512.0);
                assert_eq!(met(level::<T>(), ray(beyond, direction)), None, "{rim:?}");
            }
        }
    }

    fn a_segment_that_ends_or_starts_on_a_disc_touches_it<T>() {
        for (height, side) in [(7.0, Side::Front), (-1.0, Side::Back)] {
            let (off, on) = ([2.0, 2.5, height], [1.5, 3.0, 3.0]);
            assert_eq!(met(level::<T>(), segment(off, on)), Some((1.0, side)));
            let away = if side == Side::Front { Side::Back } else { Side::Front };
            assert_eq!(met(level::<T>(), segment(on, off)), Some((0.0, away)));
            // A little less of it does not.
            let short = T::ONE - T::of(64.0) * T::UNIT_ROUNDOFF;
            assert_eq!(met(level::<T>(), segment(off, on).with_interval(T::ZERO, short)), None);
            let late = T::of(64.0) * T::UNIT_ROUNDOFF;
            assert_eq!(met(level::<T>(), segment(on, off).with_interval(late, T::ONE)), None);
        }
    }

    fn a_disc_behind_the_origin_is_met_by_the_line_alone<T>() {
        assert_eq!(met(level::<T>(), ray([1.0, 2.0, 5.0], [0.0, 0.0, 0.5])), None);
        assert_eq!(met(level::<T>(), line([1.0, 2.0, 5.0], [0.0, 0.0, 0.5])), Some((-4.0, Side::Back)));
    }

    fn a_disc_of_radius_zero_is_its_center<T>() {
        for zero in [0.0, -0.0] {
            let point = Disc { radius: T::of(zero), ..level() };
            assert_eq!(met(point, ray([1.0, 2.0, 5.0], [0.0, 0.0, -1.0])), Some((2.0, Side::Front)));
            assert_eq!(met(point, segment([0.0, 0.0, 1.0], [2.0, 4.0, 5.0])), Some((0.5, Side::Back)));
            assert_eq!(met(point, ray([1.0, 2.0 + 1.0 / 1024.0, 5.0], [0.0, 0.0, -1.0])), None);
        }
    }

    fn a_disc_whose_radius_is_negative_or_nan_is_not_met<T>() {
        for radius in [-5.0, -1e-30, f64::NEG_INFINITY, f64::NAN] {
            let none = Disc { radius: T::of_f64(radius), ..level() };
            assert_eq!(met(none, line([1.0, 2.0, 5.0], [0.0, 0.0, -1.0])), None, "{radius}");
            assert_eq!(met(none, line([2.0, 2.0, 5.0], [0.0, 0.0, -1.0])), None, "{radius}");
        }
    }

    fn the_normal_of_a_disc_may_have_any_length_but_zero<T>() {
        for length in [1.0, 1e-15, 3e15, 0.1] {
            for (normal, side) in [([0.0, 0.0, length], Side::Front), ([0.0, 0.0, -length], Side::Back)] {
                let scaled = Disc { normal: normal.map(T::of), ..level() };
                let hit = met(scaled, ray([1.0, 2.0, 5.0], [2.0, 0.0, -2.0])).expect("in the middle");
                assert!((hit.0 - 1.0).abs() <= 8.0 * T::UNIT_ROUNDOFF.to_f64() && hit.1 == side, "{hit:?}");
            }
        }
        for zero in [0.0, -0.0] {
            let none = Disc { normal: [T::of(zero); 3], ..level() };
            assert_eq!(met(none, line([1.0, 2.0, 5.0], [0.0, 0.0, -1.0])), None);
            // Not even where the line begins at the center, and 0 is divided by 0.
            assert_eq!(met(none, line([1.0, 2.0, 3.0], [0.0, 0.0, -1.0])), None);
        }
    }

    fn a_disc_is_met_from_both_sides_and_says_from_which<T>() {
        for z in [1.0, -1.0] {
            let disc = disc::<T>([1.0, 2.0, 3.0], [0.0, 0.0, z], 5.0);
            for down in [-1.0, 1.0] {
                let side = if down * z < 0.0 { Side::Front } else { Side::Back };
                let hit = met(disc, ray([3.0, 2.0, 3.0 - 4.0 * down], [0.0, 0.5, 2.0 * down]));
                assert_eq!(hit, Some((2.0, side)));
            }
        }
    }

    fn a_grazing_line_meets_a_disc_near_its_plane<T>() {
        // The t told is off by the reciprocal of the cosine, the point told is in the plane: the
        // reference says so. Here the line must be found, in the middle of the disc, at every
        // slope.
        let slanted = disc::<T>([0.1, -0.7, 0.3], [0.3, -0.5, 0.7], 1.0);
        let mut slopes = 0;
        for power in 0..if T::DIGITS == 24 { 16 } else { 45 } {
            let up = T::of_f64(0.5_f64.powi(power));
            let in_plane = [0.5, 0.3, 0.0].map(T::of);
            let direction = std::array::from_fn(|axis| in_plane[axis] + up * slanted.normal[axis]);
            let back = T::of(-0.5);
            let origin = std::array::from_fn(|axis| slanted.center[axis] + back * direction[axis]);
            let hit = met(slanted, Ray::new(origin, direction)).expect("through the center");
            assert_eq!(hit.1, Side::Back);
            slopes += 1;
        }
        assert!(slopes > 10);
    }
}
