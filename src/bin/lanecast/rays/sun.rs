//! Where the sun stands.

use crate::vector::{Vector, add, cross, scale, unit};

/// The unit vector towards the sun. The azimuth counts clockwise from north as on a map, the altitude
/// from the horizon, both in degrees. With z up, y is north and x east; with another `up`, north is
/// where that turns y to.
pub(crate) fn towards_sun([azimuth, altitude]: [f64; 2], up: Vector) -> Vector {
    let up = unit(up);
    let [east, north] = level_axes(up);
    let (sine, cosine) = azimuth.to_radians().sin_cos();
    let level = add(scale(east, sine), scale(north, cosine));
    let (rise, run) = altitude.to_radians().sin_cos();
    add(scale(level, run), scale(up, rise))
}

/// East and north for a given up: x and y for z, x and −z for y.
pub(crate) fn level_axes(up: Vector) -> [Vector; 2] {
    let reference = if up[2].abs() > 0.9 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, -1.0] };
    let east = unit(cross(reference, up));
    [east, cross(up, east)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sun_stands_where_a_map_says() {
        let close = |a: Vector, b: Vector| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-12);
        let z = [0.0, 0.0, 1.0];
        assert!(close(towards_sun([0.0, 0.0], z), [0.0, 1.0, 0.0]));
        assert!(close(towards_sun([90.0, 0.0], z), [1.0, 0.0, 0.0]));
        assert!(close(towards_sun([123.0, 90.0], z), z));
        assert!(close(towards_sun([0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, -1.0]));
    }
}
