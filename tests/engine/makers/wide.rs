//! The rays of makers in `f64`: where they are placed, and, rounded, those of `f32` to the last
//! bit.

use lanecast::{Maker, Ray};
use lanecast_makers::{Beam, Footprint, Grid, Lidar, Panorama, Pinhole, Pose, Wide};

/// No `f32`.
const THERE: [f64; 3] = [6_378_137.1, -499_999.9, 1_000.3];

fn all<T: lanecast::Precision>(maker: &dyn Maker<Ray<T>>) -> Vec<Ray<T>> {
    let mut rays = vec![Ray::new([T::ZERO; 3], [T::ZERO; 3]); maker.len()];
    // In two pieces, of which one begins within a line.
    let (first, rest) = rays.split_at_mut(5);
    maker.make(0, first);
    maker.make(5, rest);
    rays
}

fn are_alike(name: &str, narrow: &dyn Maker<Ray>, wide: &dyn Maker<Ray<f64>>) -> Vec<Ray<f64>> {
    let (narrow, wide) = (all(narrow), all(wide));
    assert_eq!(narrow.len(), wide.len(), "{name}");
    for (narrow, wide) in narrow.iter().zip(&wide) {
        let round = |v: [f64; 3]| v.map(|x| x as f32);
        assert_eq!(
            (narrow.origin, narrow.direction),
            (round(wide.origin), round(wide.direction)),
            "{name}"
        );
        assert_eq!(
            (f64::from(narrow.t_min), f64::from(narrow.t_max)),
            (wide.t_min, wide.t_max),
            "{name}"
        );
    }
    wide
}

#[test]
fn wide_rays_start_in_place_and_round_to_the_narrow_ones() -> lanecast::Result<()> {
    let beams: Vec<Beam> =
        Beam::fan(3, [-20.0, 20.0]).into_iter().map(|beam| Beam { delay: 0.001, ..beam }).collect();
    let poses = [0.0, 9.0]
        .map(|time| Pose { time, ..Pose::standing([THERE[0] + time, THERE[1], THERE[2]]) });
    let lidar = Lidar::new(&beams, 7)?.carried(&poses, 1.0, 0.5, 2)?;
    let wide = are_alike("lidar", &lidar, &Wide::new(&lidar));
    let time = lidar.pulse(wide.len() - 1).time;
    assert!((wide[wide.len() - 1].origin[0] - (THERE[0] + time)).abs() < 2e-9);
    assert_eq!(wide[0].origin[1..], THERE[1..]);
    let length = wide[4].direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((length - 1.0).abs() < 1e-15, "{length}");

    let target = [THERE[0] + 3.0, THERE[1] + 1.0, THERE[2] - 2.0];
    let camera =
        Pinhole::looking_at(THERE, target, [0.0, 0.0, 1.0], 60.0, [5, 4])?.unit_directions();
    let wide = are_alike("pinhole", &camera, &Wide::new(&camera));
    assert!(wide.iter().all(|ray| ray.origin == THERE));
    assert_eq!(Wide::new(&camera).ray_through([2.5, 1.5]), wide[5 + 2]);
    let panorama = Panorama::new(THERE, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [6, 3])?;
    assert!(
        are_alike("panorama", &panorama, &Wide::new(&panorama))
            .iter()
            .all(|ray| ray.origin == THERE)
    );
    let grid = Grid::new(THERE, [[0.3, 0.0, 0.0], [0.0, 0.7, 0.0]], [3, 4], [0.0, 0.1, -1.0])?;
    let wide = are_alike("grid", &grid, &Wide::new(&grid));
    assert!((wide[0].origin[0] - THERE[0] - 0.05).abs() < 2e-9);

    // Cones around them: the first ray is the beam, the others are as far off it as the narrow
    // ones.
    let (narrow, beams) = (Footprint::new(&lidar, 3.0, 4)?, Wide::new(&lidar));
    let cones = Footprint::new(&beams, 3.0, 4)?;
    let (narrow, wide) = (all(&narrow), all(&cones));
    assert_eq!(wide[8], all(&beams)[2]);
    for (narrow, wide) in narrow.iter().zip(&wide) {
        let off =
            (0..3).map(|axis| (f64::from(narrow.direction[axis]) - wide.direction[axis]).abs());
        assert!(off.fold(0.0, f64::max) < 2e-7, "{narrow:?}, {wide:?}");
    }
    Ok(())
}
