//! Draws for as long as is asked, on two threads.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::common::backends::every_backend;
use crate::soak::case::{Case, Query};
use crate::soak::scenes::Subject;
use crate::soak::setting::Setting;
use crate::soak::shrink::{PANIC, check, shrink};
use lanecast::testing::set_tight_buffers;
use lanecast_reference::random::Random;

const WORKERS: u64 = 2;

/// How long a scene is asked. All workers begin another at once, as whether buffers are tight is
/// the same for all.
const ROUND: Duration = Duration::from_secs(1);

/// How many primitives the rays that are asked by brute force are tested against.
const SCANNED: usize = 300_000;

/// What was drawn.
#[derive(Default)]
pub(crate) struct Tally {
    draws: usize,
    rays: usize,
    scenes: Vec<u64>,
    /// How often each value of everything.
    values: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, case: &Case<'_>, settings: &[Setting; 2]) {
        self.draws += 1;
        self.rays += case.rows.len();
        let mut values = vec![
            format!("rays: {}", case.rays),
            format!("rays: 10^{} and more", case.rows.len().ilog10()),
            format!("scene: {}", case.subject.kind.split([' ', ',']).next().unwrap_or_default()),
        ];
        let names = settings.map(|setting| format!("{setting:?}"));
        for name in names.iter().chain([&format!("{:?}", case.uses)]) {
            let parts =
                name.split_once(' ').map_or("", |(_, fields)| fields.trim_matches(['{', '}', ' ']));
            // Numbers that may be any are not told apart.
            let is_any =
                |part: &str| part.matches(|digit: char| digit.is_ascii_digit()).count() > 1;
            let value = |part: &str| {
                if is_any(part) {
                    part.replace(|c: char| c.is_ascii_digit(), "")
                } else {
                    part.into()
                }
            };
            values.extend(parts.split(", ").map(value));
        }
        for setting in settings {
            values.push(format!("{:?} on {}", case.query, case.subject.backends[setting.backend]));
        }
        values.into_iter().for_each(|value| *self.values.entry(value).or_default() += 1);
    }

    fn merge(&mut self, other: Self) {
        self.draws += other.draws;
        self.rays += other.rays;
        self.scenes.extend(other.scenes);
        other
            .values
            .into_iter()
            .for_each(|(value, count)| *self.values.entry(value).or_default() += count);
    }

    /// All that a run has to say.
    pub(crate) fn report(&self, time: Duration) -> String {
        let Self { draws, rays, scenes, values } = self;
        let values: Vec<String> =
            values.iter().map(|(value, count)| format!("{count:8} {value}")).collect();
        let rate = *draws as f64 / time.as_secs_f64();
        let seeds = scenes.iter().min().zip(scenes.iter().max());
        let (values, scenes) = (values.join("\n"), scenes.len());
        format!(
            "{values}\n{draws} draws, {rate:.0} a second; {rays} rays at {scenes} scenes, seeds {seeds:?}"
        )
    }
}

/// What a seed leads to, or what panicked on the way.
fn of_seed<T>(seed: &str, what: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let result = catch_unwind(AssertUnwindSafe(what));
    let result = result
        .unwrap_or_else(|_| Err(PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone()));
    result.map_err(|what| format!("LANECAST_SOAK_SEED={seed}: {what}"))
}

/// A batch, and two settings for it.
fn drawn<'s>(subject: &'s Subject, random: &mut Random) -> (Case<'s>, [Setting; 2]) {
    let case = Case::drawn(subject, random);
    let rays = case.rows.len();
    let mut settings =
        [(); 2].map(|()| Setting::drawn(subject.backends.len(), case.query, rays, random));
    if case.query == Query::Cost {
        // Boxes that a ray touches only may be visited on one backend and not on another.
        settings[1].backend = settings[0].backend;
    }
    (case, settings)
}

/// One draw at a scene. Says what fails.
fn draw(
    subject: &Subject,
    random: &mut Random,
    is_tight: bool,
    tally: &mut Tally,
) -> Result<(), String> {
    let (case, settings) = drawn(subject, random);
    let rays = case.rows.len();
    let most = (SCANNED / subject.primitives.max(1)).clamp(1, 128);
    let place = |place| if rays <= most { place } else { random.below(rays) };
    let sample: Vec<u32> = (0..most.min(rays)).map(place).map(|place| place as u32).collect();
    tally.add(&case, &settings);
    check(&case, &settings, &sample)
        .map_err(|failure| shrink(case, settings, sample, failure, is_tight))
}

/// Draws at a scene while `goes_on` says so.
pub(crate) fn at_scene(
    scene: u64,
    draws: std::ops::Range<u64>,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> (Tally, Result<(), String>) {
    let (mut tally, random) =
        (Tally { scenes: vec![scene], ..Tally::default() }, &mut Random::new(scene));
    let result = of_seed(&scene.to_string(), || Ok(Subject::drawn(random))).and_then(|subject| {
        let salt = random.bits();
        draws.take_while(|_| goes_on()).try_for_each(|number| {
            let random = &mut Random::new(salt ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            of_seed(&format!("{scene}/{number}"), || {
                draw(&subject, random, scene % 2 == 1, &mut tally)
            })
        })
    });
    (tally, result)
}

/// Draws at scenes from one on. Odd ones are asked with tight buffers.
pub(crate) fn soak(first: u64, time: Duration) -> (Tally, Result<(), String>) {
    let (start, next, failed) = (Instant::now(), AtomicU64::new(first / 2), AtomicBool::new(false));
    let outcome = Mutex::new((Tally::default(), Ok(())));
    for tight in [0, 1].into_iter().cycle() {
        if start.elapsed() >= time || failed.load(Relaxed) {
            break;
        }
        set_tight_buffers(tight == 1);
        let end = time.min(start.elapsed() + ROUND);
        let work = || {
            let scene = 2 * next.fetch_add(1, Relaxed) + tight;
            let (tally, result) =
                at_scene(scene, 0..u64::MAX, &|| start.elapsed() < end && !failed.load(Relaxed));
            let (all, failure) = &mut *outcome.lock().unwrap_or_else(PoisonError::into_inner);
            all.merge(tally);
            if result.is_err() {
                failed.store(true, Relaxed);
                *failure = result;
            }
        };
        std::thread::scope(|scope| (0..WORKERS).for_each(|_| drop(scope.spawn(work))));
    }
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn every_query_is_drawn_on_every_backend() {
    let mut missing: BTreeSet<(&str, String)> = BTreeSet::new();
    for backend in every_backend() {
        missing.extend(Query::ALL.iter().map(|query| (backend.name(), format!("{query:?}"))));
    }
    for scene in 1..=100 {
        let random = &mut Random::new(scene);
        let subject = Subject::drawn(random);
        for _ in 0..50 {
            let (case, settings) = drawn(&subject, random);
            for setting in settings {
                let backend = subject.backends[setting.backend].name();
                missing.remove(&(backend, format!("{:?}", case.query)));
            }
        }
    }
    assert_eq!(missing, BTreeSet::new());
}
