//! Sky view factors, against rays over hemispheres and against integrals.

use crate::reference::{COLUMNS, Hills, TRANSFORMS, options};
use lanecast::{RayBatch, Scene, SceneBuilder};
use lanecast_makers::{Hemisphere, Spread};
use lanecast_terrain::{Plane, Terrain, View, unwatched};

/// The share of rays over the hemisphere around each normal that miss the triangles.
fn open_share(hills: &Hills, normals: &[[f64; 3]]) -> Vec<f64> {
    const RAYS: u32 = 4096;
    let corners: Vec<[f64; 3]> = hills.triangles.as_flattened().to_vec();
    let triangles: Vec<[u32; 3]> =
        (0..hills.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let scene = Scene::<f64>::from_triangles(&corners, &triangles).expect("a scene");
    let points: Vec<[f64; 3]> = hills.points().map(|(_, [x, y, z])| [x, y, z + 5e-6]).collect();
    let maker = Hemisphere::new(&points, normals, RAYS, Spread::Cosine).expect("a hemisphere");
    let hits = scene.cast(&RayBatch::made(&maker)).any().expect("hits");
    let open = |of_point: &[lanecast::Status]| {
        of_point.iter().filter(|status| !status.is_hit()).count() as f64 / f64::from(RAYS)
    };
    hits.status().chunks(RAYS as usize).map(open).collect()
}

#[test]
fn sky_view_factors_are_those_of_rays_over_hemispheres() {
    for transform in TRANSFORMS {
        let hills = Hills::new(transform, false);
        let level = vec![[0.0, 0.0, 1.0]; hills.points().count()];
        let slopes: Vec<[f64; 3]> =
            hills.points().map(|(_, point)| normal(&hills, point)).collect();
        for (plane, normals) in [(Plane::Horizontal, level), (Plane::Surface, slopes)] {
            let found =
                hills.terrain.sky_view(180, plane, &View::default(), &options(), &unwatched);
            let found = found.expect("shares");
            let expected = open_share(&hills, &normals);
            let (mut least, mut greatest) = (1.0_f64, 0.0_f64);
            for ((pixel, _), expected) in hills.points().zip(expected) {
                let found = found[pixel];
                assert!((found - expected).abs() < 0.01, "{plane:?}, {pixel}: {found}, {expected}");
                (least, greatest) = (least.min(found), greatest.max(found));
            }
            assert!(least < 0.7 && greatest > 0.9, "{plane:?}: {least} to {greatest}");
        }
    }
}

/// The sum of the normals of the triangles at a point, up.
fn normal(hills: &Hills, point: [f64; 3]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for [a, b, c] in hills.triangles.iter().filter(|corners| corners.contains(&point)) {
        let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
        let cross =
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let up = cross[2].signum();
        sum = [sum[0] + up * cross[0], sum[1] + up * cross[1], sum[2] + up * cross[2]];
    }
    sum
}

/// With holes, which rays pass through: by the horizons of the reference.
#[test]
fn sky_view_factors_beside_holes_are_those_of_horizons() {
    const AZIMUTHS: usize = 12;
    for transform in TRANSFORMS {
        let hills = Hills::new(transform, true);
        let view = View { height: 0.5, ..View::default() };
        let plane = Plane::Horizontal;
        let found = hills.terrain.sky_view(AZIMUTHS, plane, &view, &options(), &unwatched);
        let found = found.expect("shares");
        assert_eq!(
            found.iter().filter(|share| share.is_nan()).count(),
            221 - hills.points().count()
        );
        for (pixel, [x, y, z]) in hills.points() {
            let mut sums = [0.0; 2];
            for number in 0..AZIMUTHS {
                let azimuth = 360.0 / AZIMUTHS as f64 * number as f64;
                let horizon = hills.horizon([x, y, z + 0.5], azimuth, f64::INFINITY);
                for (sum, elevation) in sums.iter_mut().zip(horizon) {
                    *sum += elevation.max(0.0).to_radians().cos().powi(2) / AZIMUTHS as f64;
                }
            }
            let found = found[pixel];
            assert!(
                (sums[1] - 2e-4..sums[0] + 2e-4).contains(&found),
                "pixel {pixel}: {found}, {sums:?}"
            );
        }
    }
}

/// On a slope the plane itself hides the sky: none of it for the surface, which looks at the half
/// space above it, and (1 + cos β) / 2 for the horizontal plane.
#[test]
fn a_slope_hides_what_is_below_its_plane() {
    for (east, north) in [(0.0, 0.0), (1.0, 0.0), (0.3, -0.6)] {
        let height = |at: usize| east * (at % COLUMNS) as f64 - north * (at / COLUMNS) as f64;
        let heights: Vec<f64> = (0..COLUMNS * COLUMNS).map(height).collect();
        let transform = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0];
        let terrain = Terrain::new(&heights, [COLUMNS; 2], transform, SceneBuilder::default())
            .expect("a terrain");
        let middle = COLUMNS * COLUMNS / 2;
        let share = |plane| {
            let view = View { tolerance: 0.001, ..View::default() };
            let found = terrain.sky_view(360, plane, &view, &options(), &unwatched);
            found.expect("shares")[middle]
        };
        let steepness = (1.0 + east * east + north * north).sqrt();
        let level = (1.0 + 1.0 / steepness) / 2.0;
        let (horizontal, surface) = (share(Plane::Horizontal), share(Plane::Surface));
        assert!((horizontal - level).abs() < 1e-3, "{horizontal}, not {level}");
        assert!((surface - 1.0).abs() < 1e-3, "{surface}");
    }
}
