//! Scanners that do not spin: patterns by a table, swaths, prisms.

use crate::makers::support::{
    Vector, all, assert_rounded, cross, dot, length, minus, plus, random_point, random_unit, times,
    turned, unit,
};
use lanecast::{Maker, Ray, Result};
use lanecast_makers::{Beam, Lidar, Pose, Prism, Shot, Wide};
use lanecast_reference::random::Random;
use std::collections::HashSet;

const AHEAD: Beam = Beam { elevation: 0.0, azimuth: 0.0, delay: 0.0 };
const Y: Vector = [0.0, 1.0, 0.0];

/// Clockwise from y, up from the plane of x and y.
fn direction(azimuth: f64, elevation: f64) -> Vector {
    let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
    [elevation.cos() * azimuth.sin(), elevation.cos() * azimuth.cos(), elevation.sin()]
}

fn between(random: &mut Random, least: f32, most: f32) -> f64 {
    f64::from(random.between(least, most))
}

/// All rays of a scanner in `f64`.
fn wide(lidar: &Lidar) -> Vec<Ray<f64>> {
    let mut rays = vec![Ray::new([f64::NAN; 3], [f64::NAN; 3]); lidar.len()];
    Wide::new(lidar).make(0, &mut rays);
    rays
}

/// A straight way on which a scanner turns evenly about an axis.
struct Straight {
    start: Vector,
    velocity: Vector,
    axis: Vector,
    speed: f64,
}

impl Straight {
    fn new(random: &mut Random) -> Self {
        let [start, velocity] = [(); 2].map(|()| random_point(random));
        Self { start, velocity, axis: random_unit(random), speed: between(random, -2.9, 2.9) }
    }

    fn place(&self, time: f64) -> Vector {
        plus(self.start, times(time, self.velocity))
    }

    fn carried(&self, direction: Vector, time: f64) -> Vector {
        turned(direction, self.axis, self.speed * time)
    }

    /// From -1 to 4 s, a pose each half second.
    fn poses(&self) -> Vec<Pose> {
        let pose = |half: i32| {
            let time = f64::from(half) / 2.0;
            let angle = self.speed * time;
            let [x, y, z] = times((angle / 2.0).sin(), self.axis);
            Pose { time, position: self.place(time), rotation: [x, y, z, (angle / 2.0).cos()] }
        };
        (-2..=8).map(pose).collect()
    }

    /// Fails unless a ray starts from where the way is at a time, and has this direction in the
    /// scanner's own axes.
    #[track_caller]
    fn assert_fired(&self, ray: &Ray<f64>, time: f64, direction: Vector) {
        let off = |found, expected| length(minus(found, expected));
        let (place, carried) = (self.place(time), self.carried(direction, time));
        assert!(off(ray.origin, place) < 1e-12, "{ray:?} instead of {place:?} at {time}");
        assert!(off(ray.direction, carried) < 1e-12, "{ray:?} instead of {carried:?} at {time}");
    }
}

/// Fails unless azimuths are the same, but for rounding and whole turns.
#[track_caller]
fn assert_same_azimuth(found: f64, expected: f64) {
    let off = (found - expected).rem_euclid(360.0);
    let is_same = off.min(360.0 - off) < 1e-9 && (0.0..360.0).contains(&found);
    assert!(is_same, "{found} instead of {expected}");
}

fn shots(random: &mut Random, seconds: f32) -> Vec<Shot> {
    let shot = |random: &mut Random| Shot {
        time: between(random, 0.0, seconds),
        azimuth: between(random, -400.0, 400.0),
        elevation: between(random, -90.0, 90.0),
        beam: random.below(1000) as u32,
    };
    (0..1 + random.below(60)).map(|_| shot(random)).collect()
}

/// Shots are fired in their order, whatever their times, turn after turn.
#[test]
fn a_pattern_is_the_naive_one() {
    let mut random = Random::new(1);
    for _ in 0..40 {
        let (shots, way) = (shots(&mut random, 0.5), Straight::new(&mut random));
        let (turns, start) = (1 + random.below(4), between(&mut random, -1.0, 1.0));
        let lidar = Lidar::from_pattern(&shots)
            .and_then(|lidar| lidar.carried(&way.poses(), start, 0.5, turns as u32))
            .expect("a lidar");
        let rays = wide(&lidar);
        assert_eq!((rays.len(), all(&lidar).len()), (shots.len() * turns, rays.len()));
        for (number, ray) in rays.iter().enumerate() {
            let (turn, shot) = (number / shots.len(), shots[number % shots.len()]);
            let time = start + 0.5 * turn as f64 + shot.time;
            way.assert_fired(ray, time, direction(shot.azimuth, shot.elevation));
            let pulse = lidar.pulse(number);
            assert!((pulse.time - time).abs() < 1e-12 && pulse.beam == shot.beam as usize);
            assert_same_azimuth(pulse.azimuth, shot.azimuth);
        }
    }
}

/// What a spinning scanner does in a turn, written as a table, gives its rays: every bit.
#[test]
fn a_table_of_a_spinning_scanner_gives_its_rays() -> Result<()> {
    let mut random = Random::new(2);
    for _ in 0..40 {
        let beam = |random: &mut Random| Beam {
            elevation: between(random, -90.0, 90.0),
            azimuth: 0.0,
            delay: between(random, 0.0, 0.5 / 30.0),
        };
        let beams: Vec<_> = (0..1 + random.below(9)).map(|_| beam(&mut random)).collect();
        let (steps, poses) = (1 + random.below(30), Straight::new(&mut random).poses());
        let spinning = Lidar::new(&beams, steps as u32)?.sector([10.0, 250.0])?;
        let one = spinning.clone().carried(&poses, 0.0, 0.5, 1)?;
        let shot = |ray: usize| {
            let pulse = one.pulse(ray);
            let (azimuth, elevation) = (pulse.azimuth, beams[pulse.beam].elevation);
            Shot { time: pulse.time, azimuth, elevation, beam: pulse.beam as u32 }
        };
        let table: Vec<_> = (0..one.len()).map(shot).collect();
        let pattern = Lidar::from_pattern(&table)?;
        let found = pattern.clone().carried(&poses, 0.0, 0.5, 1)?;
        assert_eq!(wide(&found), wide(&one));
        assert!((0..one.len()).all(|ray| found.pulse(ray) == one.pulse(ray)));
        // In further turns times are rounded in another way.
        let found = wide(&pattern.carried(&poses, 0.25, 0.5, 3)?);
        let expected = wide(&spinning.carried(&poses, 0.25, 0.5, 3)?);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let off =
                [minus(found.origin, expected.origin), minus(found.direction, expected.direction)];
            assert!(off.map(length).iter().all(|&off| off < 1e-12), "{found:?} and {expected:?}");
        }
    }
    Ok(())
}

#[test]
fn shots_are_spread_evenly_over_a_turn() {
    let mut shots = vec![Shot { time: 9.0, azimuth: 1.0, elevation: 2.0, beam: 3 }; 5];
    Shot::spread(&mut shots, 2.0);
    for (number, shot) in (0..5).zip(&shots) {
        assert!((shot.time - 0.4 * f64::from(number)).abs() < 1e-15, "{shot:?}");
        assert_eq!((shot.azimuth, shot.elevation, shot.beam), (1.0, 2.0, 3));
    }
    Shot::spread(&mut [], 2.0);
}

/// Lines across the way: firings go evenly from angle to angle in a part of a line's time.
#[test]
fn a_swath_is_the_naive_one() {
    let mut random = Random::new(3);
    for _ in 0..40 {
        let beam = |random: &mut Random| Beam {
            elevation: between(random, -90.0, 90.0),
            azimuth: between(random, -20.0, 20.0),
            delay: between(random, 0.0, 0.02),
        };
        let beams: Vec<_> = (0..1 + random.below(5)).map(|_| beam(&mut random)).collect();
        let (steps, lines) = (1 + random.below(30), 1 + random.below(9));
        let [from, to] = [(); 2].map(|()| between(&mut random, -90.0, 90.0));
        let duty = random.pick(&[1.0, 0.5, 0.3]);
        let way = Straight::new(&mut random);
        let lidar = Lidar::new(&beams, steps as u32)
            .and_then(|lidar| lidar.swath([from, to], duty))
            .and_then(|lidar| lidar.carried(&way.poses(), -0.5, 0.2, lines as u32))
            .expect("a lidar");
        for (number, ray) in wide(&lidar).iter().enumerate() {
            let (firing, beam) = (number / beams.len(), beams[number % beams.len()]);
            let (line, step) = (firing / steps, firing % steps);
            let within = duty * 0.2 * step as f64 / steps as f64 + beam.delay;
            let time = -0.5 + 0.2 * line as f64 + within;
            let angle = from + (to - from) * within / (duty * 0.2) + beam.azimuth;
            // To the right, ahead and down, of a beam that looks ahead by its elevation.
            let (across, ahead) = (angle.to_radians(), beam.elevation.to_radians());
            let [right, down] = [across.sin(), across.cos()].map(|part| part * ahead.cos());
            way.assert_fired(ray, time, [right, ahead.sin(), -down]);
            let pulse = lidar.pulse(number);
            assert!((pulse.time - time).abs() < 1e-12 && pulse.beam == number % beams.len());
            assert_same_azimuth(pulse.azimuth, angle);
        }
    }
}

/// The direction to which beams along y are bent, by the sum of vectors: right and up.
fn bent(prisms: &[Prism], passed: f64) -> [f64; 2] {
    prisms.iter().fold([0.0; 2], |[right, up], prism| {
        let angle = 2.0 * std::f64::consts::PI * prism.rate * passed + prism.phase.to_radians();
        [right + prism.deflection * angle.cos(), up + prism.deflection * angle.sin()]
    })
}

#[test]
fn a_rosette_is_the_naive_one() {
    let mut random = Random::new(4);
    for _ in 0..40 {
        let prism = |random: &mut Random| Prism {
            deflection: between(random, 0.0, 30.0),
            rate: between(random, -40.0, 40.0),
            phase: between(random, -400.0, 400.0),
        };
        let prisms: Vec<_> = (0..1 + random.below(3)).map(|_| prism(&mut random)).collect();
        let mut beams = vec![AHEAD];
        beams.extend((0..random.below(3)).map(|_| Beam {
            elevation: between(&mut random, -20.0, 20.0),
            azimuth: between(&mut random, -20.0, 20.0),
            delay: between(&mut random, 0.0, 0.02),
        }));
        let (steps, turns) = (1 + random.below(60), 1 + random.below(4));
        let way = Straight::new(&mut random);
        let lidar = Lidar::new(&beams, steps as u32)
            .and_then(|lidar| lidar.carried(&way.poses(), 0.25, 0.5, turns as u32))
            .and_then(|lidar| lidar.prisms(&prisms))
            .expect("a lidar");
        for (number, ray) in wide(&lidar).iter().enumerate() {
            let (firing, beam) = (number / beams.len(), beams[number % beams.len()]);
            let passed = 0.5 * firing as f64 / steps as f64 + beam.delay;
            let [right, up] = bent(&prisms, passed);
            // Turned from y towards that, around what is perpendicular to both.
            let (axis, angle) = (unit([up, 0.0, -right]), right.hypot(up).to_radians());
            let expected = turned(direction(beam.azimuth, beam.elevation), axis, angle);
            let pulse = lidar.pulse(number);
            assert!((pulse.time - 0.25 - passed).abs() < 1e-12, "{pulse:?}");
            assert_eq!(pulse.beam, number % beams.len());
            let off = |found, expected| length(minus(found, expected));
            // The naive angle of many turns has lost digits.
            let (found, carried) = (ray.direction, way.carried(expected, 0.25 + passed));
            assert!(off(found, carried) < 1e-11, "{found:?} instead of {carried:?}");
            assert!(off(ray.origin, way.place(0.25 + passed)) < 1e-12, "{ray:?}");
            let [x, y, z] = expected;
            if x.hypot(y) > 1e-3 {
                let azimuth = x.atan2(y).to_degrees();
                assert!((pulse.azimuth - azimuth.rem_euclid(360.0)).abs() < 1e-6, "{pulse:?} {z}");
            }
        }
    }
}

/// A scanner with a field of view of 40 degrees, as many have.
fn rosette(frames: u32, rates: [f64; 2]) -> Lidar {
    let prisms = rates.map(|rate| Prism { deflection: 10.0, rate, phase: 0.0 });
    Lidar::new(&[AHEAD], 10_000)
        .and_then(|lidar| lidar.carried(&[Pose::standing([0.0; 3])], 0.0, 0.1, frames))
        .and_then(|lidar| lidar.prisms(&prisms))
        .expect("a lidar")
}

/// The field of view is the circle of both deflections, all of it; frame by frame more of its cells
/// of half a degree are met.
#[test]
fn a_rosette_covers_its_field_of_view_more_with_every_frame() {
    let rays = wide(&rosette(32, [97.3, -61.7]));
    let off_axis = |ray: &Ray<f64>| ray.direction[1].min(1.0).acos().to_degrees();
    let angles: Vec<_> = rays.iter().map(off_axis).collect();
    let [least, most] =
        [f64::min, f64::max].map(|pick| angles.iter().copied().reduce(pick).expect("rays"));
    assert!((0.0..0.05).contains(&least) && (19.99..20.0 + 1e-9).contains(&most), "{least} {most}");
    let cell = |(ray, angle): (&Ray<f64>, &f64)| {
        let [x, _, z] = ray.direction;
        let around = x.hypot(z).max(1e-300);
        [x, z].map(|part| (2.0 * angle * part / around).floor() as i32)
    };
    let cells: Vec<_> = rays.iter().zip(&angles).map(cell).collect();
    let met = |frames: usize| cells[..10_000 * frames].iter().collect::<HashSet<_>>().len() as f64;
    let all = std::f64::consts::PI * 40.0 * 40.0;
    let covered = [1, 2, 4, 8, 16, 32].map(|frames| met(frames) / all);
    assert!(covered.windows(2).all(|two| two[0] < two[1]), "{covered:?}");
    assert!(covered[0] < 0.6 && covered[5] > 0.95, "{covered:?}");
}

/// Prisms turn on from frame to frame: a frame is that before only where all have turned whole
/// turns in it.
#[test]
fn frames_of_a_rosette_repeat_only_after_whole_turns() {
    let differs = |rates| {
        let rays = wide(&rosette(2, rates));
        let (first, second) = rays.split_at(10_000);
        let off = first.iter().zip(second).map(|(a, b)| length(minus(a.direction, b.direction)));
        off.fold(0.0, f64::max)
    };
    assert!(differs([100.0, -60.0]) < 1e-12);
    assert!(differs([97.3, -60.0]) > 0.1 && differs([100.0, -61.7]) > 0.1);
}

/// A direction refracted by a face with this normal, from one index to another in proportion
/// `ratio` (Snell's law as vectors).
fn refracted(direction: Vector, normal: Vector, ratio: f64) -> Vector {
    let cosine = dot(direction, normal);
    let inner = (1.0 - ratio * ratio * (1.0 - cosine * cosine)).sqrt();
    plus(times(ratio, direction), times(inner - ratio * cosine, normal))
}

/// The angle between what a pair of equal prisms of glass does, with plane faces towards each other
/// and tilted ones outside, and the sum of deflections that has the same field of view.
fn strays(field: f64) -> f64 {
    const GLASS: f64 = 1.5;
    let bent = |angle: f64, towards: f64| {
        let tilted = |side: f64, towards: f64| {
            let off = side * angle.sin();
            [off * towards.cos(), angle.cos(), off * towards.sin()]
        };
        let (mut beam, first, second) = (Y, tilted(1.0, 0.0), tilted(-1.0, towards));
        for (normal, ratio) in [(first, 1.0 / GLASS), (Y, GLASS), (Y, 1.0 / GLASS), (second, GLASS)]
        {
            beam = refracted(beam, normal, ratio);
        }
        beam
    };
    let reach = |angle| bent(angle, 0.0)[1].clamp(-1.0, 1.0).acos().to_degrees();
    // The angle between faces with that field, by bisection; beyond it light may not leave.
    let [mut less, mut more] = [0.0, field.to_radians()];
    for _ in 0..60 {
        let angle = 0.5 * (less + more);
        *(if reach(angle) < 0.5 * field { &mut less } else { &mut more }) = angle;
    }
    let sum = |towards: f64| {
        let prism = |phase| Prism { deflection: field / 4.0, rate: 0.0, phase };
        let lidar = Lidar::new(&[AHEAD], 1)
            .and_then(|lidar| lidar.carried(&[Pose::standing([0.0; 3])], 0.0, 1.0, 1))
            .and_then(|lidar| lidar.prisms(&[prism(0.0), prism(towards.to_degrees())]));
        wide(&lidar.expect("a lidar"))[0].direction
    };
    let towards = (0..=360).map(|degree: i32| f64::from(degree).to_radians());
    let off = |towards| {
        let (exact, sum) = (bent(less, towards), sum(towards));
        length(cross(exact, sum)).atan2(dot(exact, sum)).to_degrees()
    };
    towards.map(off).fold(0.0, f64::max)
}

/// The figures that `Prism` states.
#[test]
fn refraction_strays_little_from_the_sum_of_deflections() {
    let [narrow, usual] = [20.0, 40.0].map(strays);
    assert!((0.05..0.1).contains(&narrow) && (0.6..0.8).contains(&usual), "{narrow} {usual}");
}

/// A frame of many turns of prisms before is as exact as the first.
#[test]
fn prisms_turn_on_for_long() {
    let prism = Prism { deflection: 10.0, rate: 128.0, phase: 90.0 };
    let lidar = Lidar::new(&[AHEAD], 4)
        .and_then(|lidar| lidar.carried(&[Pose::standing([0.0; 3])], 0.0, 1.0, 1 << 20))
        .and_then(|lidar| lidar.prisms(&[prism]))
        .expect("a lidar");
    let mut last = [Ray::<f32>::new([0.0; 3], [0.0; 3])];
    lidar.make(lidar.len() - 1, &mut last);
    assert_rounded(last[0].direction, direction(0.0, 10.0), "up");
}
