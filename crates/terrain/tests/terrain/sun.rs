//! Hours of sun, against the horizon over all triangles at each time.

use crate::reference::{Hills, TRANSFORMS, options};
use lanecast_makers::{Sun, Utc};
use lanecast_terrain::{suns, unwatched};

const DAWN: Utc = Utc { year: 2026, month: 12, day: 21, hour: 6, minute: 30, second: 0.0 };

#[test]
fn the_sun_shines_where_it_stands_above_the_horizon() {
    let evening = DAWN.after(10.0 * 3600.0).expect("a time");
    let suns = suns(DAWN, evening, 1500.0, 46.9, 8.2).expect("suns");
    assert!(suns.iter().any(|(sun, _)| sun.altitude < 0.0));
    for (transform, height) in TRANSFORMS.into_iter().zip([0.0, 1.0, 0.25]) {
        let hills = Hills::new(transform, true);
        let found = hills.terrain.sun_hours(&suns, height, &options(), &unwatched);
        let found = found.expect("hours");
        let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
        for (pixel, [x, y, z]) in hills.points() {
            let (mut sure, mut doubtful) = (0.0, 0.0);
            for (sun, hours) in &suns {
                let eye = [x, y, z + height.max(5e-6)];
                let [low, high] = hills.horizon(eye, sun.azimuth, f64::INFINITY);
                if sun.altitude > high.max(0.0) + 1e-3 {
                    sure += hours;
                } else if sun.altitude > low.max(0.0) - 1e-3 {
                    doubtful += hours;
                }
            }
            let found = found[pixel];
            let may_be = sure - 1e-9..=sure + doubtful + 1e-9;
            assert!(may_be.contains(&found), "pixel {pixel}: {found}, {sure}, {doubtful}");
            (least, greatest) = (least.min(found), greatest.max(found));
        }
        assert!(least < 1.0 && greatest > 7.0, "{least} to {greatest}");
        assert!(found.iter().any(|hours| hours.is_nan()));
    }
}

#[test]
fn steps_of_time_are_taken_in_their_middle() {
    let noon = Utc { hour: 12, minute: 0, ..DAWN };
    // 5.5 hours in steps of two.
    let found = suns(DAWN, noon, 7200.0, -33.0, 151.0).expect("suns");
    let middles = [(7, 30), (9, 30), (11, 15)];
    assert_eq!(found.len(), middles.len());
    for ((sun, hours), (hour, minute)) in found.iter().zip(middles) {
        let middle = Utc { hour, minute, ..DAWN };
        assert_eq!(*sun, Sun::at(middle, -33.0, 151.0).expect("a sun"));
        assert_eq!(*hours, if hour == 11 { 1.5 } else { 2.0 });
    }
}
