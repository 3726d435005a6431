//! Bad options are errors that name the maker and the field.

use lanecast::{Error, Result, Status};
use lanecast_makers::{
    Beam, Grid, Hemisphere, Lidar, Panorama, Pinhole, Pose, Prism, Shot, Spread, Sun, Sunlight, Utc,
};

#[track_caller]
fn assert_refused<T>(result: Result<T>, maker: &str, field: &str) {
    match result.map(|_| ()) {
        Err(
            error @ (Error::UnusableField { maker: found, field: named, .. }
            | Error::UnusableRow { maker: found, field: named, .. }),
        ) => {
            assert_eq!((found, named), (maker, field));
            let message = error.to_string();
            assert!(
                message.starts_with(&format!("{maker}: {field} ")) && !message.contains('\n'),
                "{message}"
            );
        }
        other => panic!("{maker}: {field}: {other:?}"),
    }
}

const EYE: [f64; 3] = [0.0, 0.0, 5.0];
const UP: [f64; 3] = [0.0, 1.0, 0.0];
const BAD: [f64; 3] = [0.0, f64::NAN, 0.0];
const FAR: [f64; 3] = [1e31, 0.0, 0.0];

#[test]
fn cameras_name_what_is_wrong() {
    let pinhole = |eye, target, up, fov, size| Pinhole::looking_at(eye, target, up, fov, size);
    for eye in [BAD, FAR, [f64::INFINITY; 3]] {
        assert_refused(pinhole(eye, [0.0; 3], UP, 40.0, [4, 4]), "pinhole", "eye");
    }
    assert_refused(pinhole(EYE, BAD, UP, 40.0, [4, 4]), "pinhole", "target");
    assert_refused(pinhole(EYE, EYE, UP, 40.0, [4, 4]), "pinhole", "target");
    assert_refused(pinhole(EYE, [0.0; 3], [0.0; 3], 40.0, [4, 4]), "pinhole", "up");
    for fov in [0.0, -10.0, 180.0, f64::NAN, f64::INFINITY] {
        assert_refused(pinhole(EYE, [0.0; 3], UP, fov, [4, 4]), "pinhole", "field_of_view");
    }
    for size in [[0, 4], [4, 0]] {
        assert_refused(pinhole(EYE, [0.0; 3], UP, 40.0, size), "pinhole", "size");
    }
    let points = || [[f64::NAN; 3]].into_iter();
    assert_refused(Pinhole::fitted(points(), EYE, UP, 40.0, [4, 4]), "pinhole", "points");
    assert_refused(Pinhole::fitted(points(), [0.0; 3], UP, 40.0, [4, 4]), "pinhole", "from");

    let identity: [[f64; 4]; 4] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j)));
    let sound = [[50.0, 0.0, 2.0], [0.0, 50.0, 2.0], [0.0, 0.0, 1.0]];
    let by = |intrinsic, extrinsic| Pinhole::from_matrices(intrinsic, extrinsic, [4, 4]);
    assert!(by(sound, identity).is_ok());
    for (row, column, value) in [
        (0, 0, 0.0),
        (1, 1, f64::NAN),
        (0, 2, f64::INFINITY),
        (1, 0, 1.0),
        (2, 2, 2.0),
        (2, 0, 1.0),
        (0, 0, 1e31),
    ] {
        let mut intrinsic = sound;
        intrinsic[row][column] = value;
        assert_refused(by(intrinsic, identity), "pinhole", "intrinsic");
    }
    for (row, column, value) in
        [(3, 0, 1.0), (3, 3, 0.0), (0, 0, 0.0), (1, 1, f64::NAN), (2, 3, f64::INFINITY)]
    {
        let mut extrinsic = identity;
        extrinsic[row][column] = value;
        assert_refused(by(sound, extrinsic), "pinhole", "extrinsic");
    }

    let panorama = |eye, forward, up, size| Panorama::new(eye, forward, up, size);
    assert_refused(panorama(FAR, EYE, UP, [4, 2]), "panorama", "eye");
    assert_refused(panorama(EYE, UP, UP, [4, 2]), "panorama", "forward");
    assert_refused(panorama(EYE, [0.0; 3], UP, [4, 2]), "panorama", "forward");
    assert_refused(panorama(EYE, EYE, BAD, [4, 2]), "panorama", "up");
    for size in [[0, 2], [2, (1 << 20) + 1]] {
        assert_refused(panorama(EYE, EYE, UP, size), "panorama", "size");
    }
}

#[test]
fn grids_name_what_is_wrong() {
    let grid = |corner, edge, size, direction| Grid::new(corner, [edge, UP], size, direction);
    assert_refused(grid(BAD, UP, [1, 1], UP), "grid", "corner");
    assert_refused(grid(EYE, FAR, [1, 1], UP), "grid", "edges");
    assert_refused(grid(EYE, UP, [1, 0], UP), "grid", "size");
    assert_refused(grid(EYE, UP, [1, 1], [0.0; 3]), "grid", "direction");
    for height in [0.0, -1.0, f64::NAN] {
        assert_refused(Grid::orthographic(EYE, [0.0; 3], UP, height, [4, 4]), "grid", "height");
    }
    assert_refused(Grid::orthographic(EYE, EYE, UP, 1.0, [4, 4]), "grid", "target");
}

#[test]
fn scanners_name_what_is_wrong() {
    let fan = Beam::fan(4, [-10.0, 10.0]);
    assert_refused(Lidar::new(&[], 4), "lidar", "beams");
    for beam in [[91.0, 0.0], [f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        let [elevation, azimuth] = beam;
        assert_refused(
            Lidar::new(&[fan[0], Beam { elevation, azimuth, delay: 0.0 }], 4),
            "lidar",
            "beams",
        );
    }
    for delay in [-1e-6, f64::NAN, f64::INFINITY] {
        assert_refused(Lidar::new(&[Beam { delay, ..fan[0] }], 4), "lidar", "beams");
    }
    assert_refused(Lidar::new(&fan, 0), "lidar", "steps");
    let lidar = Lidar::new(&fan, 4).expect("a lidar");
    assert_refused(lidar.clone().sector([0.0, f64::NAN]), "lidar", "sector");
    let carried =
        |poses: &[Pose], start, seconds, turns| lidar.clone().carried(poses, start, seconds, turns);
    let pose = |time| Pose { time, ..Pose::standing(EYE) };
    assert_refused(carried(&[], 0.0, 1.0, 1), "lidar", "poses");
    assert_refused(carried(&[pose(0.0), pose(0.0)], 0.0, 0.0, 1), "lidar", "poses");
    assert_refused(carried(&[pose(f64::NAN)], 0.0, 1.0, 1), "lidar", "poses");
    assert_refused(
        carried(&[Pose { rotation: [0.0; 4], ..pose(0.0) }], 0.0, 1.0, 1),
        "lidar",
        "poses",
    );
    assert_refused(lidar.clone().carried(&[Pose::standing(BAD)], 0.0, 0.0, 1), "lidar", "poses");
    // Four firings in a turn of a second: the last of two turns is at 1.75 s.
    assert!(carried(&[pose(0.0), pose(1.75)], 0.0, 1.0, 2).is_ok());
    assert_refused(carried(&[pose(0.0), pose(1.74)], 0.0, 1.0, 2), "lidar", "poses");
    assert_refused(carried(&[pose(0.01), pose(9.0)], 0.0, 1.0, 2), "lidar", "poses");
    assert!(carried(&[pose(5.0)], 0.0, 1.0, 2).is_ok(), "a single pose is for all times");
    // A delay is part of the time that poses must cover.
    let late = Lidar::new(&[Beam { delay: 0.5, ..fan[0] }], 4).expect("a lidar");
    assert!(late.clone().carried(&[pose(0.0), pose(2.25)], 0.0, 1.0, 2).is_ok());
    assert_refused(late.carried(&[pose(0.0), pose(2.24)], 0.0, 1.0, 2), "lidar", "poses");
    let moving = |poses: &[Pose], velocity, rate| {
        carried(poses, 0.0, 1.0, 2).and_then(|lidar| lidar.moving(velocity, rate))
    };
    assert_refused(moving(&[pose(0.0), pose(9.0)], UP, 0.0), "lidar", "velocity");
    assert_refused(moving(&[pose(0.0)], BAD, 0.0), "lidar", "velocity");
    assert_refused(moving(&[pose(0.0)], [1.2e30, 0.0, 0.0], 0.0), "lidar", "velocity");
    assert_refused(moving(&[pose(0.0)], UP, f64::NAN), "lidar", "yaw_rate");
    assert_refused(carried(&[pose(0.0)], f64::NAN, 1.0, 1), "lidar", "start");
    assert_refused(carried(&[pose(0.0)], 0.0, -1.0, 1), "lidar", "seconds");
    assert_refused(carried(&[pose(0.0)], 0.0, 1.0, 0), "lidar", "turns");
}

#[test]
fn patterns_swaths_and_prisms_name_what_is_wrong() {
    const NAN: f64 = f64::NAN;
    assert_refused(Lidar::from_pattern(&[]), "lidar", "pattern");
    let shot = Shot { time: 0.5, azimuth: 10.0, elevation: -10.0, beam: 0 };
    for bad in [
        Shot { time: -1e-9, ..shot },
        Shot { time: NAN, ..shot },
        Shot { time: f64::INFINITY, ..shot },
        Shot { azimuth: NAN, ..shot },
        Shot { elevation: 90.1, ..shot },
        Shot { elevation: NAN, ..shot },
    ] {
        assert_refused(Lidar::from_pattern(&[shot, bad]), "lidar", "pattern");
    }
    let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 4).expect("a lidar");
    for angles in [[NAN, 0.0], [0.0, f64::INFINITY]] {
        assert_refused(lidar.clone().swath(angles, 1.0), "lidar", "swath");
    }
    for duty in [0.0, -0.5, 1.01, NAN] {
        assert_refused(lidar.clone().swath([-30.0, 30.0], duty), "lidar", "swath");
    }
    let standing = [Pose::standing(EYE)];
    let timed = lidar.clone().carried(&standing, 0.0, 0.1, 2).expect("a lidar");
    let prism = Prism { deflection: 10.0, rate: 30.0, phase: 0.0 };
    assert_refused(timed.clone().prisms(&[]), "lidar", "prisms");
    for bad in [
        Prism { deflection: -1.0, ..prism },
        Prism { deflection: 90.1, ..prism },
        Prism { deflection: NAN, ..prism },
        Prism { rate: NAN, ..prism },
        Prism { phase: f64::INFINITY, ..prism },
        // Beyond 90 together.
        Prism { deflection: 80.1, ..prism },
    ] {
        assert_refused(timed.clone().prisms(&[prism, bad]), "lidar", "prisms");
    }
    // Prisms turn with time, before or after.
    assert_refused(lidar.prisms(&[prism]), "lidar", "seconds");
    let rosette = timed.prisms(&[prism]).expect("a lidar");
    assert_refused(rosette.carried(&standing, 0.0, 0.0, 2), "lidar", "seconds");

    let pattern = Lidar::from_pattern(&[shot]).expect("a pattern");
    // Turns do not overlap; a single one is as long as it is.
    assert!(pattern.clone().carried(&standing, 0.0, 0.5, 2).is_ok());
    assert!(pattern.clone().carried(&standing, 0.0, 0.1, 1).is_ok());
    assert_refused(pattern.clone().carried(&standing, 0.0, 0.49, 2), "lidar", "seconds");
    let pose = |time| Pose { time, ..Pose::standing(EYE) };
    assert!(pattern.clone().carried(&[pose(0.0), pose(1.0)], 0.0, 0.5, 2).is_ok());
    assert_refused(
        pattern.clone().carried(&[pose(0.0), pose(0.99)], 0.0, 0.5, 2),
        "lidar",
        "poses",
    );
    // It has no beams that something else could aim.
    let pattern = pattern.carried(&standing, 0.0, 0.5, 2).expect("a pattern");
    assert_refused(pattern.clone().sector([0.0, 90.0]), "lidar", "sector");
    assert_refused(pattern.clone().swath([0.0, 90.0], 1.0), "lidar", "swath");
    assert_refused(pattern.prisms(&[prism]), "lidar", "prisms");
}

#[test]
fn light_names_what_is_wrong() {
    let points = [[0.0; 3]; 2];
    assert_refused(
        Hemisphere::new(&points, &points, 0, Spread::Cosine),
        "hemisphere",
        "directions",
    );
    assert_refused(
        Hemisphere::new(&points, &points, u32::MAX, Spread::Cosine),
        "hemisphere",
        "directions",
    );
    let lengths = Hemisphere::new(&points, &points[..1], 1, Spread::Cosine).map(|_| ());
    assert_eq!(lengths, Err(Error::ColumnLength { column: "normals", found: 1, expected: 2 }));
    assert_refused(Sunlight::new(&points, &[UP, [0.0; 3]]), "sunlight", "directions");
    let time = Utc { year: 2024, month: 2, day: 29, hour: 0, minute: 0, second: 0.0 };
    assert!(Sun::at(time, 90.0, -180.0).is_ok());
    assert_refused(Sun::at(time, 91.0, 0.0), "sun", "latitude");
    assert_refused(Sun::at(time, 0.0, f64::NAN), "sun", "longitude");
    assert_refused(Sun::at(Utc { year: 2023, ..time }, 0.0, 0.0), "time", "day");
    assert_refused(Sun::at(Utc { year: 1582, ..time }, 0.0, 0.0), "time", "year");
    for month in [0, 13] {
        assert_refused(Sun::at(Utc { month, ..time }, 0.0, 0.0), "time", "month");
    }
    assert_refused(Sun::at(Utc { day: 0, ..time }, 0.0, 0.0), "time", "day");
    assert_refused(Sun::at(Utc { hour: 24, ..time }, 0.0, 0.0), "time", "hour");
    assert_refused(Sun::at(Utc { minute: 60, ..time }, 0.0, 0.0), "time", "minute");
    assert_refused(Sun::at(Utc { second: f64::NAN, ..time }, 0.0, 0.0), "time", "second");
}

#[test]
fn a_normal_without_direction_is_answered_in_its_rays() {
    use lanecast::{RayBatch, Scene};
    let scene = Scene::from_triangles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    let (points, normals) = ([[0.2, 0.2, -1.0]; 3], [[0.0, 0.0, 1.0], [0.0; 3], [f32::NAN; 3]]);
    let hemisphere = Hemisphere::new(&points, &normals, 2, Spread::Cosine).expect("a hemisphere");
    let any = scene.expect("a scene").cast(RayBatch::made(&hemisphere)).any().expect("any");
    assert!(!any.status()[0].is_invalid() && !any.status()[1].is_invalid());
    assert!(any.status()[2..].iter().all(|status| status.is_invalid()), "{:?}", any.status());
    assert_eq!(any.status()[4], Status::InvalidDirection);
}
