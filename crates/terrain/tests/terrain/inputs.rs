//! Bad input has an answer that names it.

use crate::reference::{Hills, TRANSFORMS, options};
use lanecast::{Result, SceneBuilder};
use lanecast_makers::{Sun, Utc};
use lanecast_terrain::{Plane, Sight, Terrain, View, suns, unwatched};

const NORTH_UP: [f64; 6] = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0];

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(result: Result<T>, start: &str) {
    let error = result.expect_err(start).to_string();
    assert!(error.starts_with(start), "{error}, not {start}");
}

#[test]
fn a_grid_that_is_none_is_refused() {
    let made = |heights: &[f64], size: [usize; 2], transform: [f64; 6]| {
        Terrain::new(heights, size, transform, SceneBuilder::default())
    };
    let level = [0.0; 6];
    for (result, start) in [
        (made(&level, [2, 3], [1.0, 0.1, 0.0, 0.0, -1.0, 0.0]), "terrain: transform is rotated; "),
        (made(&level, [2, 3], [1.0, 0.0, 0.0, 0.1, -1.0, 0.0]), "terrain: transform is rotated; "),
        (made(&level, [2, 3], [0.0, 0.0, 0.0, 0.0, -1.0, 0.0]), "terrain: transform is [0.0, "),
        (
            made(&level, [2, 3], [1.0, 0.0, f64::NAN, 0.0, -1.0, 0.0]),
            "terrain: transform is [1.0, ",
        ),
        (
            made(&level, [3, 3], NORTH_UP),
            "terrain: heights are 6, not one for each of 3 × 3 pixels",
        ),
        (made(&level, [6, 1], NORTH_UP), "height field: columns are 1; "),
        (made(&level, [1, 6], NORTH_UP), "height field: rows are 1; "),
        (made(&[], [0, 0], NORTH_UP), "height field: rows are 0; "),
        (made(&level, [usize::MAX, 2], NORTH_UP), "terrain: heights are 6, not one for each of "),
        (
            made(&[0.0, 1.0, 2.0, 3.0, f64::INFINITY, 5.0], [2, 3], NORTH_UP),
            "terrain: heights hold inf in row 1, column 1; ",
        ),
    ] {
        assert_refused(result, start);
    }
}

#[test]
fn questions_that_have_no_answer_are_refused() {
    let Hills { terrain, .. } = Hills::new(TRANSFORMS[0], false);
    let (view, sight) = (View::default(), Sight::default());
    let horizon =
        |azimuth: f64, view: View| terrain.horizon(&[0.0, azimuth], &view, &options(), &unwatched);
    assert_refused(horizon(f64::NAN, view), "horizon: azimuth is NaN; it must be finite");
    for (view, start) in [
        (View { height: -1.0, ..view }, "horizon: height is -1; it must be from 0"),
        (View { max_distance: f64::NAN, ..view }, "horizon: max_distance is NaN; "),
        (View { tolerance: 0.0, ..view }, "horizon: tolerance is 0; it must be from 0.001 to 45"),
        (View { tolerance: 46.0, ..view }, "horizon: tolerance is 46; "),
    ] {
        assert_refused(horizon(0.0, view), start);
    }
    for azimuths in [0, 36_001] {
        let found = terrain.sky_view(azimuths, Plane::Surface, &view, &options(), &unwatched);
        assert_refused(found, &format!("sky view: azimuths are {azimuths}; they must be from 1"));
    }
    assert_refused(terrain.eyes(&[], f64::NAN, &options()), "viewshed: observer_height is NaN; ");
    let seen = |eyes: &[Option<[f64; 3]>], sight: Sight| {
        terrain.viewshed_bits(eyes, &sight, &options(), &unwatched)
    };
    assert_refused(
        seen(&[], Sight { target_height: -0.5, ..sight }),
        "viewshed: target_height is -0.5; ",
    );
    assert_refused(
        seen(&[], Sight { max_distance: -2.0, ..sight }),
        "viewshed: max_distance is -2; ",
    );
    assert!(seen(&[None; 32], sight).is_ok());
    assert_refused(
        seen(&[None; 33], sight),
        "viewshed: observers are 33; a pixel has bits for 32 at most",
    );
    let shone =
        |suns: &[(Sun, f64)], height: f64| terrain.sun_hours(suns, height, &options(), &unwatched);
    let sun = Sun { azimuth: 0.0, altitude: 9.0 };
    assert_refused(shone(&[], f64::INFINITY), "sun hours: height is inf; ");
    let lost = Sun { altitude: f64::NAN, ..sun };
    assert_refused(shone(&[(sun, 1.0), (lost, 1.0)], 0.0), "sun hours: suns have none at 1 that");

    let from = Utc { year: 2026, month: 2, day: 28, hour: 12, minute: 0, second: 0.0 };
    let to = Utc { month: 3, day: 1, ..from };
    for (result, start) in [
        (suns(to, from, 60.0, 0.0, 0.0), "sun hours: to is not after the start"),
        (suns(from, from, 60.0, 0.0, 0.0), "sun hours: to is not after the start"),
        (suns(from, to, 0.0, 0.0, 0.0), "sun hours: step is 0 seconds; it must be above 0"),
        (suns(from, to, f64::NAN, 0.0, 0.0), "sun hours: step is NaN seconds; "),
        (suns(from, to, 1e-9, 0.0, 0.0), "sun hours: step is 0.000000001 seconds; "),
        (suns(from, to, 60.0, 91.0, 0.0), "sun: latitude is 91; "),
        (suns(from, to, 60.0, 0.0, f64::NAN), "sun: longitude is NaN; "),
        (suns(Utc { day: 29, ..from }, to, 60.0, 0.0, 0.0), "time: day is 29; "),
    ] {
        assert_refused(result, start);
    }
}
