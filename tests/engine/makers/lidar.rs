//! The spinning scanner, standing and on its way.

use crate::makers::support::{
    Vector, all, assert_rounded, minus, plus, random_point, random_unit, times, turned,
};
use lanecast::Maker;
use lanecast_makers::{Beam, Lidar, Pose};
use lanecast_reference::random::Random;

/// Clockwise from y, up from the plane of x and y.
fn direction(azimuth: f64, elevation: f64) -> Vector {
    let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
    [elevation.cos() * azimuth.sin(), elevation.cos() * azimuth.cos(), elevation.sin()]
}

/// The rotation around a unit axis as a quaternion.
fn quaternion(axis: Vector, angle: f64) -> [f64; 4] {
    let [x, y, z] = times((angle / 2.0).sin(), axis);
    [x, y, z, (angle / 2.0).cos()]
}

fn beams(random: &mut Random) -> Vec<Beam> {
    let beam = |random: &mut Random| Beam {
        elevation: f64::from(random.between(-90.0, 90.0)),
        azimuth: f64::from(random.between(-20.0, 20.0)),
        delay: 0.0,
    };
    (0..1 + random.below(20)).map(|_| beam(random)).collect()
}

#[test]
fn a_turn_has_every_beam_at_every_step() {
    let lidar = Lidar::new(&Beam::fan(3, [-30.0, 30.0]), 4).expect("a lidar");
    let rays = all(&lidar);
    assert_eq!(rays.len(), 12);
    let [north, east] = [rays[1], rays[3]].map(|ray| ray.direction.map(|x| (x * 100.0).round()));
    assert_eq!((north, east), ([0.0, 100.0, 0.0], [87.0, 0.0, -50.0]));
}

#[test]
fn a_standing_scanner_is_the_naive_one() {
    let mut random = Random::new(1);
    for _ in 0..40 {
        let (beams, steps) = (beams(&mut random), 1 + random.below(50));
        let (axis, angle) = (random_unit(&mut random), f64::from(random.between(0.0, 6.0)));
        let [from, to] = [(); 2].map(|()| f64::from(random.between(-400.0, 400.0)));
        let pose = Pose {
            time: 9.0,
            position: random_point(&mut random),
            rotation: quaternion(axis, angle),
        };
        let lidar = Lidar::new(&beams, steps as u32)
            .and_then(|lidar| lidar.sector([from, to])?.carried(&[pose], 0.0, 0.0, 1));
        let rays = all(&lidar.expect("a lidar"));
        assert_eq!(rays.len(), beams.len() * steps);
        for (number, ray) in rays.iter().enumerate() {
            let (step, beam) = (number / beams.len(), beams[number % beams.len()]);
            let azimuth = from + (to - from) * step as f64 / steps as f64 + beam.azimuth;
            assert_rounded(ray.origin, pose.position, "position");
            assert_rounded(
                ray.direction,
                turned(direction(azimuth, beam.elevation), axis, angle),
                "direction",
            );
        }
    }
}

/// A scanner that goes straight on and turns around an axis evenly is where and how it should be at
/// every firing.
#[test]
fn poses_are_interpolated_for_each_firing() {
    let mut random = Random::new(2);
    for _ in 0..40 {
        let (beams, steps, turns) = (beams(&mut random), 1 + random.below(30), 1 + random.below(4));
        let (axis, speed) = (random_unit(&mut random), f64::from(random.between(-2.9, 2.9)));
        let [start, way] = [(); 2].map(|()| random_point(&mut random));
        let pose_at = |time: f64| Pose {
            time,
            position: plus(start, times(time, way)),
            rotation: quaternion(axis, speed * time).map(|x| 3.0 * x),
        };
        // At most a second apart, so that the short way round is the one that was gone.
        let mut poses = vec![pose_at(-0.5)];
        while poses[poses.len() - 1].time < 2.5 {
            poses.push(pose_at(poses[poses.len() - 1].time + f64::from(random.between(0.01, 1.0))));
            let last = poses.len() - 1;
            if random.below(2) == 0 {
                // The same rotation by its other name.
                poses[last].rotation = poses[last].rotation.map(|x| -x);
            }
        }
        let (first, seconds) = (f64::from(random.between(-0.5, 0.5)), 2.0 / turns as f64);
        let lidar = Lidar::new(&beams, steps as u32)
            .and_then(|lidar| lidar.carried(&poses, first, seconds, turns as u32))
            .expect("a lidar");
        let rays = all(&lidar);
        assert_eq!(rays.len(), beams.len() * steps * turns);
        for (number, ray) in rays.iter().enumerate() {
            let (firing, beam) = (number / beams.len(), beams[number % beams.len()]);
            let time = first + seconds * firing as f64 / steps as f64;
            assert!((lidar.pulse(number).time - time).abs() < 1e-12);
            let azimuth = 360.0 * (firing % steps) as f64 / steps as f64 + beam.azimuth;
            let expected = turned(direction(azimuth, beam.elevation), axis, speed * time);
            let off = |found: [f32; 3], expected: Vector| {
                minus(found.map(f64::from), expected)
                    .into_iter()
                    .fold(0.0_f64, |far, x| far.max(x.abs()))
            };
            assert!(off(ray.direction, expected) < 1e-7, "{ray:?} instead of {expected:?}");
            assert!(off(ray.origin, plus(start, times(time, way))) < 2e-6, "{ray:?} at {time}");
        }
    }
}

#[test]
fn a_pose_is_met_where_it_is_given() {
    let poses =
        [0.0, 1.0, 2.0].map(|time| Pose { time, ..Pose::standing([time * time, 0.0, 0.0]) });
    let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 1)
        .and_then(|lidar| lidar.carried(&poses, 0.0, 1.0, 3))
        .expect("the last firing is at the last pose");
    let origins: Vec<_> = all(&lidar).iter().map(|ray| ray.origin[0]).collect();
    assert_eq!(origins, [0.0, 1.0, 4.0]);
    assert_eq!(lidar.len(), 3);
}

/// Each beam starts from where the scanner is at its own time, and at the azimuth that it has
/// turned to by then: of one that moves by a velocity and turns by a yaw rate, and of the same
/// motion given by many poses.
#[test]
fn each_pulse_starts_from_the_pose_at_its_time() {
    let mut random = Random::new(3);
    for _ in 0..40 {
        let mut beams = beams(&mut random);
        beams.iter_mut().for_each(|beam| beam.delay = f64::from(random.between(0.0, 0.05)));
        let (steps, turns, seconds) = (1 + random.below(30), 1 + random.below(4), 0.5);
        let [start, velocity] = [(); 2].map(|()| random_point(&mut random));
        let (yaw_rate, first) =
            (f64::from(random.between(-90.0, 90.0)), f64::from(random.between(-1.0, 1.0)));
        let (axis, angle) = (random_unit(&mut random), f64::from(random.between(0.0, 6.0)));
        let pose = Pose { time: 0.25, position: start, rotation: quaternion(axis, angle) };
        let lidar = Lidar::new(&beams, steps as u32)
            .and_then(|lidar| {
                lidar.sector([30.0, -150.0])?.carried(&[pose], first, seconds, turns as u32)
            })
            .and_then(|lidar| lidar.moving(velocity, yaw_rate))
            .expect("a lidar");
        for (number, ray) in all(&lidar).iter().enumerate() {
            let (firing, beam) = (number / beams.len(), beams[number % beams.len()]);
            let time = first + seconds * firing as f64 / steps as f64 + beam.delay;
            let turned_by =
                -180.0 * ((firing % steps) as f64 / steps as f64 + beam.delay / seconds);
            let azimuth = 30.0 + turned_by + beam.azimuth;
            let pulse = lidar.pulse(number);
            assert!((pulse.time - time).abs() < 1e-12 && pulse.beam == number % beams.len());
            let off = (pulse.azimuth - azimuth).rem_euclid(360.0);
            assert!(
                off.min(360.0 - off) < 1e-9 && (0.0..360.0).contains(&pulse.azimuth),
                "{pulse:?}"
            );
            let passed = time - pose.time;
            let yawed = turned(
                direction(azimuth, beam.elevation),
                [0.0, 0.0, 1.0],
                (yaw_rate * passed).to_radians(),
            );
            assert_rounded(ray.origin, plus(start, times(passed, velocity)), "position");
            let expected = turned(yawed, axis, angle);
            let near = minus(ray.direction.map(f64::from), expected).iter().all(|x| x.abs() < 1e-7);
            assert!(near, "{ray:?} instead of {expected:?}");
        }
        // The same motion by poses.
        let pose_at = |time: f64| {
            let turn = quaternion([0.0, 0.0, 1.0], (yaw_rate * (time - 0.25)).to_radians());
            let rotation = product(pose.rotation, turn);
            Pose { time, position: plus(start, times(time - 0.25, velocity)), rotation }
        };
        let poses: Vec<Pose> = (-15..=35).map(|tenth| pose_at(f64::from(tenth) / 10.0)).collect();
        let carried = Lidar::new(&beams, steps as u32)
            .and_then(|lidar| {
                lidar.sector([30.0, -150.0])?.carried(&poses, first, seconds, turns as u32)
            })
            .expect("a lidar");
        for (a, b) in all(&lidar).iter().zip(all(&carried)) {
            let far =
                |a: [f32; 3], b: [f32; 3]| (0..3).any(|axis| (a[axis] - b[axis]).abs() > 4e-6);
            assert!(!far(a.origin, b.origin) && !far(a.direction, b.direction), "{a:?} and {b:?}");
        }
    }
}

/// The rotation by one quaternion and, before it, by another.
fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// A scanner that turns counter-clockwise as fast as its head turns clockwise looks to one side all
/// the time.
#[test]
fn a_yaw_rate_is_counter_clockwise_and_azimuths_are_clockwise() {
    let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 8)
        .and_then(|lidar| lidar.carried(&[Pose::standing([0.0; 3])], 0.0, 1.0, 1))
        .and_then(|lidar| lidar.moving([8.0, 0.0, 0.0], 360.0))
        .expect("a lidar");
    for (number, ray) in all(&lidar).iter().enumerate() {
        let [x, y, _] = ray.direction;
        assert!(x.abs() < 1e-6 && y > 0.999_999, "{ray:?}");
        assert_eq!(ray.origin, [number as f32, 0.0, 0.0]);
    }
}
