//! Pinhole, panorama and grid.

use crate::makers::support::{
    Vector, all, assert_rounded, cross, dot, length, minus, plus, random_point, random_unit, times,
    turned, unit, vector,
};
use lanecast::{Maker, Ray};
use lanecast_makers::{Grid, Panorama, Pinhole};
use lanecast_reference::random::Random;

/// Forward, right and up of a camera.
fn axes(eye: Vector, target: Vector, up: Vector) -> [Vector; 3] {
    let forward = unit(minus(target, eye));
    let right = unit(cross(forward, up));
    [forward, right, cross(right, forward)]
}

/// Draws where a camera is, what it looks at, and what is up.
fn draw(random: &mut Random) -> [Vector; 3] {
    [random_point(random), random_point(random), times(3.0, random_unit(random))]
}

/// Columns and lines of a picture and the middle of each pixel, in the order of the rays.
fn pixels([width, height]: [u32; 2]) -> impl Iterator<Item = [f64; 2]> {
    (0..height).flat_map(move |y| (0..width).map(move |x| [f64::from(x) + 0.5, f64::from(y) + 0.5]))
}

#[test]
fn a_pinhole_by_its_field_of_view_is_the_naive_one() {
    let mut random = Random::new(1);
    for _ in 0..50 {
        let ([eye, target, up], fov) = (draw(&mut random), f64::from(random.between(1.0, 170.0)));
        let size @ [width, height] = [1 + random.below(40) as u32, 1 + random.below(40) as u32];
        let camera = Pinhole::looking_at(eye, target, up, fov, size).expect("a camera");
        let [forward, right, up] = axes(eye, target, up);
        let tall = (fov.to_radians() / 2.0).tan();
        let wide = tall * f64::from(width) / f64::from(height);
        let (rays, unit_rays) = (all(&camera), all(&camera.unit_directions()));
        assert_eq!((rays.len(), unit_rays.len()), ((width * height) as usize, rays.len()));
        for (number, [x, y]) in pixels(size).enumerate() {
            let (across, upwards) =
                (2.0 * x / f64::from(width) - 1.0, 1.0 - 2.0 * y / f64::from(height));
            let direction =
                plus(forward, plus(times(across * wide, right), times(upwards * tall, up)));
            assert_rounded(rays[number].origin, eye, "eye");
            assert_rounded(rays[number].direction, direction, "direction");
            assert_rounded(unit_rays[number].direction, unit(direction), "unit direction");
            assert_eq!(rays[number], camera.ray_through([x, y]));
            assert_eq!([rays[number].t_min, rays[number].t_max], [0.0, f32::INFINITY]);
        }
    }
}

/// The matrices are applied as they are defined: a point on the ray at `t` is in the pixel's
/// middle, at depth `t`.
#[test]
fn a_pinhole_by_its_matrices_is_undone_by_them() {
    let mut random = Random::new(2);
    for turn in 0..50 {
        let (axis, angle) = (random_unit(&mut random), f64::from(random.between(0.0, 6.0)));
        let [x, y, z] =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| turned(v, axis, angle));
        let shift = random_point(&mut random);
        // Scaled ones are as good as rotations.
        let scale = if turn % 3 == 0 { 2.5 } else { 1.0 };
        let row = |row: Vector, shift: f64| [scale * row[0], scale * row[1], scale * row[2], shift];
        let extrinsic =
            [row(x, shift[0]), row(y, shift[1]), row(z, shift[2]), [0.0, 0.0, 0.0, 1.0]];
        let [fx, fy] = [(); 2].map(|()| f64::from(random.between(5.0, 100.0)));
        let [cx, cy] = [(); 2].map(|()| f64::from(random.between(-5.0, 40.0)));
        let intrinsic =
            [[fx, f64::from(random.between(-2.0, 2.0)), cx], [0.0, fy, cy], [0.0, 0.0, 1.0]];
        let size = [1 + random.below(30) as u32, 1 + random.below(30) as u32];
        let camera = Pinhole::from_matrices(intrinsic, extrinsic, size).expect("a camera");
        assert_eq!(camera.size(), size);
        for (ray, [x, y]) in all(&camera).iter().zip(pixels(size)) {
            for t in [1.0, 7.0] {
                let point = plus(camera.eye(), times(t, vector(ray.direction)));
                let seen: Vector = std::array::from_fn(|i| {
                    (0..3).map(|j| extrinsic[i][j] * point[j]).sum::<f64>() + extrinsic[i][3]
                });
                let image = intrinsic.map(|row| dot(row, seen));
                assert!((image[2] - t).abs() < 1e-5 * t, "depth {} instead of {t}", image[2]);
                let off = [image[0] / image[2] - x, image[1] / image[2] - y];
                assert!(off.iter().all(|off| off.abs() < 1e-4), "{off:?} off at {x} {y}");
            }
            assert_rounded(ray.origin, camera.eye(), "eye");
        }
    }
}

/// Both ways to make a camera agree: a field of view is a focal length.
#[test]
fn a_field_of_view_is_a_focal_length() {
    let focal = 24.0 / (20.0_f64.to_radians()).tan();
    let intrinsic = [[focal, 0.0, 32.0], [0.0, focal, 24.0], [0.0, 0.0, 1.0]];
    // At (0, 0, 5), looking down z, y upwards in the picture: x stays, y and z turn round.
    let extrinsic =
        [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 5.0], [0.0, 0.0, 0.0, 1.0]];
    let by_matrices = Pinhole::from_matrices(intrinsic, extrinsic, [64, 48]).expect("a camera");
    let by_angle = Pinhole::looking_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 40.0, [64, 48]);
    for (a, b) in all(&by_matrices).iter().zip(all(&by_angle.expect("a camera"))) {
        assert_eq!(a.origin, b.origin);
        assert_rounded(a.direction, vector(b.direction), "direction");
    }
}

#[test]
fn projecting_undoes_a_ray() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let [eye, target, up] = draw(&mut random);
        let camera = Pinhole::looking_at(eye, target, up, 50.0, [64, 48]).expect("a camera");
        let place =
            [f64::from(random.between(-10.0, 80.0)), f64::from(random.between(-10.0, 60.0))];
        let direction = vector(camera.ray_through(place).direction);
        let found = camera.project(plus(eye, times(3.0, direction))).expect("in front");
        assert!((0..2).all(|axis| (found[axis] - place[axis]).abs() < 1e-3), "{found:?} {place:?}");
        assert_eq!(camera.project(minus(eye, direction)), None, "behind");
    }
}

#[test]
fn a_fitted_camera_sees_every_point_and_wastes_little() {
    let corners =
        || (0..8_u32).map(|corner| std::array::from_fn(|axis| f64::from(corner >> axis & 1)));
    let fitted = |points: &mut dyn Iterator<Item = Vector>, from, size| {
        Pinhole::fitted(points, from, [0.0, 0.0, 1.0], 40.0, size).expect("a camera")
    };
    let camera = fitted(&mut corners(), [0.5, -1.0, 0.6], [320, 200]);
    let places: Vec<_> =
        corners().map(|corner| camera.project(corner).expect("in front")).collect();
    assert!(places.iter().all(|[x, y]| (0.0..=320.0).contains(x) && (0.0..=200.0).contains(y)));
    // The picture is wider than the cube, so the cube touches both margins above and below.
    let lowest = places.iter().fold(0.0_f64, |lowest, [_, y]| lowest.max(*y));
    let highest = places.iter().fold(200.0_f64, |highest, [_, y]| highest.min(*y));
    assert!((lowest - 192.0).abs() < 1e-9 && (highest - 8.0).abs() < 1e-9, "{highest} {lowest}");
    let alone = fitted(&mut [[5.0; 3]].into_iter(), [0.0, -2.0, 0.0], [8, 8]);
    assert!(
        (length(minus(alone.eye(), [5.0; 3])) - 1.0).abs() < 1e-12,
        "a point is seen from a distance"
    );
}

#[test]
fn looking_along_up_still_gives_a_picture() {
    let up = [0.0, 0.0, 1.0];
    let camera =
        Pinhole::looking_at([0.0, 0.0, 5.0], [0.0; 3], up, 50.0, [4, 4]).expect("a camera");
    assert!(all(&camera).iter().all(|ray| ray.defect().is_none() && ray.direction[2] == -1.0));
}

/// Longitude and latitude are measured on each ray.
#[test]
fn a_panorama_goes_by_longitude_and_latitude() {
    let mut random = Random::new(4);
    for _ in 0..30 {
        let eye = random_point(&mut random);
        let [forward, up] = [(); 2].map(|()| times(2.0, random_unit(&mut random)));
        let size @ [width, height] = [1 + random.below(60) as u32, 1 + random.below(60) as u32];
        let panorama = Panorama::new(eye, forward, up, size).expect("a panorama");
        let up = unit(up);
        let right = unit(cross(forward, up));
        let forward = cross(up, right);
        for (ray, [x, y]) in all(&panorama).iter().zip(pixels(size)) {
            let direction = vector(ray.direction);
            assert!((length(direction) - 1.0).abs() < 2e-7);
            assert_rounded(ray.origin, eye, "eye");
            let latitude =
                dot(direction, up).atan2(dot(direction, forward).hypot(dot(direction, right)));
            let longitude = dot(direction, right).atan2(dot(direction, forward)).to_degrees();
            let expected =
                [360.0 * x / f64::from(width) - 180.0, 90.0 - 180.0 * y / f64::from(height)];
            assert!((latitude.to_degrees() - expected[1]).abs() < 1e-5, "{latitude} at {y}");
            // Degrees of longitude are short near the poles.
            let off = (longitude - expected[0] + 540.0).rem_euclid(360.0) - 180.0;
            assert!(off.abs() * latitude.cos() < 1e-5, "{longitude} at {x}");
        }
    }
}

#[test]
fn rays_of_a_grid_start_in_the_middles_of_its_cells() {
    let mut random = Random::new(5);
    for _ in 0..30 {
        let [corner, along, across] = [(); 3].map(|()| random_point(&mut random));
        let direction = random_point(&mut random);
        let size @ [width, height] = [1 + random.below(20) as u32, 1 + random.below(20) as u32];
        let grid = Grid::new(corner, [along, across], size, direction).expect("a grid");
        assert_eq!(grid.len(), (width * height) as usize);
        for (ray, [x, y]) in all(&grid).iter().zip(pixels(size)) {
            let [a, b] = [x / f64::from(width), y / f64::from(height)];
            let origin = plus(corner, plus(times(a, along), times(b, across)));
            let off = length(minus(vector(ray.origin), origin));
            assert!(off < 1e-6 * (length(origin) + 1.0), "{ray:?} instead of {origin:?}");
            assert_rounded(ray.direction, direction, "direction");
        }
    }
}

#[test]
fn an_orthographic_camera_sees_parallel_rays_around_its_eye() {
    let mut random = Random::new(6);
    for _ in 0..30 {
        let [eye, target, up] = draw(&mut random);
        let height = f64::from(random.between(0.1, 20.0));
        let size @ [width, lines] = [1 + random.below(20) as u32, 1 + random.below(20) as u32];
        let camera = Grid::orthographic(eye, target, up, height, size).expect("a camera");
        let [forward, right, up] = axes(eye, target, up);
        let rays: Vec<Ray> = all(&camera);
        for (ray, [x, y]) in rays.iter().zip(pixels(size)) {
            assert_rounded(ray.direction, forward, "direction");
            let offset = minus(vector(ray.origin), eye);
            let pixel = height / f64::from(lines);
            let expected =
                [0.0, (x - f64::from(width) / 2.0) * pixel, (f64::from(lines) / 2.0 - y) * pixel];
            for (axis, expected) in [forward, right, up].into_iter().zip(expected) {
                assert!((dot(offset, axis) - expected).abs() < 1e-5, "{ray:?} at {x} {y}");
            }
        }
    }
}
