//! Random batches at random scenes, each cast in two settings whose answers must be equal bit for
//! bit, and some of its rays by brute force. Half of the scenes are asked with every growable
//! buffer as small as may be.
//!
//! `LANECAST_SOAK_SECONDS` says for how long, 10 unless set. `LANECAST_SOAK_SEED` draws at one
//! scene again, or with `scene/draw` that batch alone.

mod ask;
mod case;
mod columns;
mod day;
#[cfg(target_os = "linux")]
mod memory;
mod process;
mod rays;
mod run;
mod scenes;
mod setting;
mod shrink;

use std::sync::PoisonError;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lanecast::testing::set_tight_buffers;

#[test]
fn random_batches_agree_in_all_settings() {
    let seconds =
        std::env::var("LANECAST_SOAK_SECONDS").map_or(10, |text| text.parse().expect("seconds"));
    let (time, start) = (Duration::from_secs(seconds), Instant::now());
    // What panics is told again when it is known of which rays. The hook stays, as other tests run
    // at the same time.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |what| {
        *shrink::PANIC.lock().unwrap_or_else(PoisonError::into_inner) = what.to_string();
        hook(what);
    }));
    let asked = std::env::var("LANECAST_SOAK_SEED").ok();
    let (tally, result) = match &asked {
        Some(seed) => {
            let number =
                |text: &str| text.parse().expect("LANECAST_SOAK_SEED is SCENE or SCENE/DRAW");
            let (scene, draw) =
                seed.split_once('/').map_or((&seed[..], None), |(scene, draw)| (scene, Some(draw)));
            let draws = draw.map(number).map_or(0..u64::MAX, |draw| draw..draw + 1);
            set_tight_buffers(number(scene) % 2 == 1);
            run::at_scene(number(scene), draws, &|| start.elapsed() < time)
        }
        None => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("later than 1970");
            // Short enough to be typed.
            run::soak(now.as_millis() as u64 % 1_000_000_000 * 1000, time)
        }
    };
    eprintln!("{}", tally.report(start.elapsed()));
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
