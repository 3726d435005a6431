use super::*;
use crate::random::Random;

fn width_of(rays: &[Ray]) -> Option<usize> {
    lines(&RayBatch::from_rays(rays))
}

fn picture(width: usize, height: usize) -> Vec<Ray> {
    let ray = |x: usize, y: usize| {
        Ray::new([0.0; 3], [x as f32 / 500.0 - 0.3, y as f32 / 500.0 - 0.2, 1.0])
    };
    (0..height).flat_map(|y| (0..width).map(move |x| ray(x, y))).collect()
}

#[test]
fn lines_of_a_picture_and_channels_of_a_lidar_are_found() {
    for width in [8, 64, 333, 1024] {
        assert_eq!(width_of(&picture(width, 9)), Some(width));
    }
    let two_and_a_ray = &picture(64, 3)[..2 * 64 + 1];
    assert_eq!((width_of(two_and_a_ray), width_of(&two_and_a_ray[1..])), (Some(64), None));
    let channel = |azimuth: usize, channel: usize| {
        let (a, e) = (azimuth as f32 * 0.004, channel as f32 * 0.007 - 0.3);
        Ray::new([0.0; 3], [e.cos() * a.cos(), e.cos() * a.sin(), e.sin()])
    };
    let lidar: Vec<Ray> = (0..50).flat_map(|a| (0..64).map(move |c| channel(a, c))).collect();
    assert_eq!(width_of(&lidar), Some(64));
}

/// Rays of the sun from the points of a raster, and those of an orthographic camera.
#[test]
fn lines_of_parallel_rays_are_found_by_their_origins() {
    for (width, down) in [(8, -1.0), (333, 1.0), (1024, -1e-3)] {
        let mut rays = picture(width, 9);
        for ray in &mut rays {
            let [x, y, _] = ray.direction;
            *ray = Ray::new([100.0 * x, -3.0, 100.0 * y], [0.1, 0.2, down]);
        }
        assert_eq!(width_of(&rays), Some(width));
    }
    let mut random = Random::new(1);
    let rays: Vec<Ray> =
        (0..500).map(|_| Ray::new(random.point(-0.5, 0.5), [0.0, 0.0, 1.0])).collect();
    assert_eq!(width_of(&rays), None);
}

/// The first step is twice as long as most, and the way back from the end of a line 4.4 times as
/// long as that.
#[test]
fn the_shortest_jump_is_four_steps() {
    let places = |last: f32| [0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, last];
    let lines = |last: f32| {
        let ray = |x: f32, y: u16| Ray::new([0.0; 3], [x / 500.0, f32::from(y) / 500.0, 1.0]);
        (0..9).flat_map(|y| places(last).map(|x| ray(x, y))).collect::<Vec<_>>()
    };
    assert_eq!([4.4, 3.6].map(|last| width_of(&lines(last))), [Some(8), None]);
}

/// Two ends of things in the first line, as far from its beginning as from each other.
#[test]
fn edges_are_no_ends_of_lines() {
    let mut rays = picture(1024, 40);
    for ray in &mut rays {
        let x = ray.direction[0] + 0.3;
        // 68 rays, 68 others that are elsewhere, and the rest.
        if x < 136.0 / 500.0 {
            ray.direction[1] += if x < 68.0 / 500.0 { 0.5 } else { 0.8 };
        }
    }
    let jumps = |row: usize| (rays[row].direction[1] - rays[row + 1].direction[1]).abs() > 0.25;
    assert!(jumps(67) && jumps(135) && !jumps(66) && !jumps(68), "edges where they belong");
    assert_eq!(width_of(&rays), None);
    assert_eq!(width_of(&picture(1024, 40)), Some(1024));
}

#[test]
fn what_is_no_picture_has_no_lines() {
    assert_eq!(width_of(&[]), None);
    assert_eq!(width_of(&picture(64, 1)), None, "one line");
    assert_eq!(width_of(&picture(4, 100)), None, "too narrow for tiles");
    assert_eq!(width_of(&[Ray::new([0.0; 3], [f32::NAN; 3]); 100]), None);
    assert_eq!(width_of(&[Ray::new([0.0; 3], [0.0, 0.0, 1.0]); 100]), None, "one ray");
    let mut random = Random::new(1);
    let rays: Vec<Ray> = (0..500).map(|_| Ray::new([0.0; 3], random.point(-0.5, 0.5))).collect();
    assert_eq!(width_of(&rays), None);
}
