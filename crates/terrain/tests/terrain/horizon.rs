//! Horizons, against the greatest elevation over all triangles.

use crate::reference::{COLUMNS, Hills, ROWS, TRANSFORMS, options};
use lanecast::{Ray, SceneBuilder};
use lanecast_terrain::{Terrain, View, unwatched};

/// Of a horizon seen from the ground, whose eyes are a little above it.
const LIFTED: f64 = 2e-4;

#[test]
fn horizons_are_the_greatest_elevations_of_triangles() {
    for has_holes in [false, true] {
        for transform in TRANSFORMS {
            let hills = Hills::new(transform, has_holes);
            for (height, max_distance, tolerance) in [
                (0.0, f64::INFINITY, 0.001),
                (1.7, f64::INFINITY, 0.01),
                (0.3, 21.0, 0.01),
                (40.0, f64::INFINITY, 0.1),
            ] {
                let view = View { height, max_distance, tolerance };
                let (mut none, mut below, mut above) = (0, 0, 0);
                for azimuth in [0.0, 45.0, 90.0, 135.0, 180.0, 270.0, 13.7, 101.2, 239.9, -75.0] {
                    let found = hills.terrain.horizon(&[azimuth], &view, &options(), &unwatched);
                    let found = found.expect("a horizon");
                    let data: usize = found.iter().filter(|found| !found.is_nan()).count();
                    assert_eq!(data, hills.points().count());
                    for (pixel, [x, y, z]) in hills.points() {
                        let expected = hills.horizon([x, y, z + height], azimuth, max_distance);
                        let found = found[pixel];
                        // Ground below the eyes is nearer to them where these are lifted.
                        let slack = tolerance + if height == 0.0 { LIFTED } else { 1e-6 };
                        let [least, greatest] = expected;
                        assert!(
                            (least - slack..=greatest + slack).contains(&found),
                            "{transform:?}, {view:?}: pixel {pixel}, {azimuth}: {found}, not {expected:?}"
                        );
                        if least == greatest {
                            assert_eq!(found == -90.0, greatest == -90.0, "{pixel}, {azimuth}");
                        }
                        none += usize::from(found == -90.0);
                        below += usize::from((-90.0..0.0).contains(&found));
                        above += usize::from(found > 0.0);
                    }
                }
                assert!(none > 100 && below > 200, "{view:?}: {none}, {below}, {above}");
                assert!(above > 500 || height == 40.0, "{view:?}: {none}, {below}, {above}");
            }
        }
    }
}

/// A ray that comes through a hole in front of a mountain does not pass below it.
#[test]
fn nobody_looks_through_a_hole_under_a_mountain() {
    let hole = f64::NAN;
    // From a ledge over a hole to a plateau: its edge stands above the eyes, and all below it is
    // left out.
    let heights = [0.0, 0.0, hole, hole, 30.0, 30.0, 30.0].repeat(3);
    for transform in [[1.0, 0.0, 0.0, 0.0, -1.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]] {
        let terrain = Terrain::new(&heights, [3, 7], transform, SceneBuilder::default());
        let terrain = terrain.expect("a terrain");
        let found = terrain.horizon(&[90.0], &View::default(), &options(), &unwatched);
        let found = found.expect("a horizon");
        for (pixel, expected) in [(7, 7.5_f64.atan()), (8, 10_f64.atan())] {
            assert!((found[pixel] - expected.to_degrees()).abs() < 0.011, "{pixel}: {found:?}");
        }
        // The same from the other side: down to the far end of the ledge.
        let back = terrain.horizon(&[270.0], &View::default(), &options(), &unwatched);
        let back = back.expect("a horizon")[11];
        assert!((back - (-7.5_f64).atan().to_degrees()).abs() < 0.011, "{back}");
    }
}

#[test]
fn a_terrain_without_data_has_no_horizon() {
    let nothing = [f64::NAN; ROWS * COLUMNS];
    let terrain = Terrain::new(&nothing, [ROWS, COLUMNS], TRANSFORMS[0], SceneBuilder::default());
    let terrain = terrain.expect("a terrain");
    let found = terrain.horizon(&[0.0], &View::default(), &options(), &unwatched);
    assert!(found.expect("a horizon").iter().all(|found| found.is_nan()));
    assert_eq!(terrain.eyes(&[[500_010.0, 5_199_990.0]], 1.0, &options()), Ok(vec![None]));
}

/// Walls around many holes do not make every ray visit them all.
#[test]
fn holes_cost_little() {
    const SIDE: usize = 240;
    let cost = |is_hole: &dyn Fn(usize, usize) -> bool| {
        let height = |at: usize| {
            let (row, column) = (at / SIDE, at % SIDE);
            let height = 9.0 * ((0.5 * row as f64).sin() + (0.4 * column as f64).cos());
            if is_hole(row % 12, column % 12) { f64::NAN } else { height }
        };
        let heights: Vec<f64> = (0..SIDE * SIDE).map(height).collect();
        let terrain = Terrain::new(&heights, [SIDE; 2], TRANSFORMS[0], SceneBuilder::default());
        let scene = terrain.expect("a terrain");
        let eye = |pixel: &u32| {
            let [x, y, z] = scene.point(*pixel);
            Ray::new([x, y, z + 0.01], [0.8, 0.6, 0.1])
        };
        let rays: Vec<Ray<f64>> = scene.pixels().iter().map(eye).collect();
        let costs = scene.scene().cast(&rays).cost().expect("costs");
        let sum: usize = costs.boxes().iter().map(|count| *count as usize).sum();
        sum as f64 / rays.len() as f64
    };
    let (whole, with_holes) = (cost(&|_, _| false), cost(&|row, column| row < 2 && column < 2));
    assert!(with_holes < 3.0 * whole, "{with_holes} boxes a ray, and {whole} without holes");
}
