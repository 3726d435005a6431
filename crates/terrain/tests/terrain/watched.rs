//! Watchers of whole calculations.

use crate::reference::{Hills, TRANSFORMS, options};
use lanecast::{Error, Progress, Result, Watch};
use lanecast_makers::Sun;
use lanecast_terrain::{Plane, Sight, View};
use std::ops::ControlFlow;
use std::sync::Mutex;

type Calculation<'a> = dyn Fn(&Watch<'_>) -> Result<()> + 'a;

#[test]
fn progress_is_that_of_the_whole_and_a_break_stops_it() {
    let hills = Hills::new(TRANSFORMS[0], true);
    let (terrain, data) = (&hills.terrain, hills.points().count());
    let (view, sight) = (View::default(), Sight::default());
    let eyes = [Some([500_020.0, 5_199_980.0, 60.0]), None, Some([500_050.0, 5_199_960.0, 60.0])];
    let suns = [(10.0, 20.0), (200.0, -3.0), (150.0, 45.0)]
        .map(|(azimuth, altitude)| (Sun { azimuth, altitude }, 0.25));
    let calculations: [(&Calculation<'_>, usize); 4] = [
        (&|w| terrain.horizon(&[30.0, 9.0], &view, &options(), w).map(drop), 28 * data),
        (&|w| terrain.sky_view(5, Plane::Surface, &view, &options(), w).map(drop), 70 * data),
        (&|w| terrain.sun_hours(&suns, 1.0, &options(), w).map(drop), 2 * data),
        (&|w| terrain.viewshed_bits(&eyes, &sight, &options(), w).map(drop), 2 * data),
    ];
    for (calculation, expected) in calculations {
        let told = Mutex::new(Vec::new());
        let watch = |progress: Progress| {
            told.lock().expect("no panic").push(progress);
            ControlFlow::Continue(())
        };
        calculation(&watch).expect("an answer");
        let told = told.into_inner().expect("no panic");
        assert!(told.iter().all(|progress| progress.total == expected), "{told:?}, {expected}");
        assert!(told.is_sorted_by_key(|progress| progress.done) && told.len() > 1, "{told:?}");
        let last = told.last().expect("progress").done;
        assert!(last <= expected && last > expected / 2, "{last} of {expected}");
        // In the middle.
        let watch = |progress: Progress| match 2 * progress.done >= expected {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let stopped = calculation(&watch).expect_err("stopped");
        let Error::Stopped { done, total } = stopped else { panic!("{stopped}") };
        assert!(total == expected && 2 * done >= expected && done < total, "{done} of {total}");
    }
}
