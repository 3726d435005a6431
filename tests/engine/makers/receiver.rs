//! Receivers: what is measured of exact hits, against statistics and against cases that are worked
//! out by hand.

use crate::makers::support::all;
use lanecast::{Error, HitBatch, Maker, Ray, RayBatch, Scene};
use lanecast_makers::{Beam, Footprint, Keep, Lidar, Receiver, Return, ReturnBatch};

/// A wall across y at this distance, from one x to another, of a great height.
fn wall(y: f32, [from, to]: [f32; 2]) -> [[f32; 3]; 4] {
    [[from, y, -900.0], [to, y, -900.0], [to, y, 900.0], [from, y, 900.0]]
}

fn walls(walls: &[[[f32; 3]; 4]]) -> Scene {
    let triangles = (0..walls.len() as u32)
        .flat_map(|i| [[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|v| 4 * i + v)));
    let triangles: Vec<_> = triangles.collect();
    Scene::from_triangles(&walls.concat(), &triangles).expect("walls")
}

/// So many rays along y from the origin.
fn straight(count: usize) -> Vec<Ray> {
    vec![Ray::new([0.0; 3], [0.0, 1.0, 0.0]); count]
}

/// Whole pulses along these rays.
fn received(scene: &Scene, rays: &[Ray], receiver: &Receiver) -> ReturnBatch {
    let rays = RayBatch::from_rays(rays);
    let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
    receiver.returns(0, &[1.0], &rays, &hits).expect("returns")
}

fn distances(returns: &ReturnBatch) -> Vec<f64> {
    returns.returns().iter().map(|found| f64::from(found.distance)).collect()
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> [f64; 2] {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    [mean, (square / values.len() as f64).sqrt()]
}

/// Of n errors the mean is within 5 σ/√n of 0, and their deviation within 5 σ/√(2n) of σ: a good
/// generator fails for one seed in a million. The third and fourth moment are those of a normal
/// distribution within five of theirs.
#[test]
fn range_noise_has_the_mean_and_the_deviation_that_are_stated() {
    const COUNT: usize = 200_000;
    let root = (COUNT as f64).sqrt();
    for (seed, distance, constant, proportional) in
        [(0, 10.0, 0.02, 0.0), (7, 50.0, 0.0, 0.001), (u64::MAX, 80.0, 0.05, 0.002)]
    {
        let scene = walls(&[wall(distance, [-9.0, 9.0])]);
        let receiver =
            Receiver::new().seed(seed).range_noise(constant, proportional).expect("a receiver");
        let measured = distances(&received(&scene, &straight(COUNT), &receiver));
        assert_eq!(measured.len(), COUNT);
        let sigma = constant + proportional * f64::from(distance);
        let [mean, deviation] = moments(&measured);
        assert!((mean - f64::from(distance)).abs() < 5.0 * sigma / root, "{mean}");
        assert!(
            (deviation - sigma).abs() < 5.0 * sigma / (root * 2.0_f64.sqrt()),
            "{deviation} for {sigma}"
        );
        let power = |n: i32| {
            measured.iter().map(|x| ((x - f64::from(distance)) / sigma).powi(n)).sum::<f64>()
                / COUNT as f64
        };
        assert!(power(3).abs() < 5.0 * 15.0_f64.sqrt() / root, "{}", power(3));
        assert!((power(4) - 3.0).abs() < 5.0 * 96.0_f64.sqrt() / root, "{}", power(4));
        // No two pulses have the same error by chance more often than `f32` makes them.
        let products: f64 = measured.windows(2).map(|two| (two[0] - mean) * (two[1] - mean)).sum();
        assert!((products / (sigma * sigma)).abs() < 5.0 * root, "neighbours depend on each other");
    }
}

/// The same noise whatever the pieces: the number of the pulse decides. Another seed has other
/// noise.
#[test]
fn the_same_seed_gives_the_same_bits_in_any_pieces() {
    let scene = walls(&[wall(3.0, [-50.0, 0.0]), wall(4.0, [-50.0, 50.0])]);
    let lidar = Lidar::new(&Beam::fan(5, [-30.0, 30.0]), 360).expect("a lidar");
    let cones = Footprint::new(&lidar, 20.0, 7).expect("cones");
    let receiver = Receiver::new().seed(3).keep(Keep::All).resolution(0.1).expect("a resolution");
    let receiver =
        receiver.range_noise(0.01, 0.001).expect("noise").reference_range(4.0).expect("a range");
    let returns = |receiver: &Receiver, piece: usize| {
        let mut found: Vec<Vec<u32>> = Vec::new();
        for first in (0..lidar.len()).step_by(piece) {
            let pulses = piece.min(lidar.len() - first);
            let rays = RayBatch::made(&cones).slice(7 * first..7 * (first + pulses));
            let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
            let some = receiver.returns(first, cones.weights(), &rays, &hits).expect("returns");
            let bits =
                |pulse| some.of_pulse(pulse).iter().map(|found| found.distance.to_bits()).collect();
            found.extend((0..pulses).map(bits));
        }
        found
    };
    let whole = returns(&receiver, lidar.len());
    let counts: Vec<usize> = whole.iter().map(Vec::len).collect();
    assert!((0..3).all(|count| counts.contains(&count)), "lost pulses, single returns and several");
    for piece in [1, 7, 64, 1000] {
        assert_eq!(returns(&receiver, piece), whole, "by {piece}");
    }
    assert_ne!(returns(&receiver.seed(4), lidar.len()), whole);
}

#[test]
fn a_receiver_without_noise_measures_the_exact_scan_bit_by_bit() {
    let scene = walls(&[wall(3.0, [-50.0, 0.0]), wall(4.7, [-50.0, 50.0])]);
    let lidar = Lidar::new(&Beam::fan(9, [-50.0, 30.0]), 720).expect("a lidar");
    let rays = all(&lidar);
    let batch = RayBatch::from_rays(&rays);
    let exact = scene.cast(&batch).closest().expect("hits");
    let ideal = Receiver::new().range_noise(0.0, 0.0).expect("no noise");
    let found = |receiver: &Receiver, rays: &RayBatch<'_>, hits: &HitBatch| {
        receiver.returns(0, &[1.0], rays, hits).expect("returns")
    };
    let expected: Vec<Return> = (0..exact.len())
        .filter_map(|row| {
            exact.hit(row).map(|hit| Return { distance: hit.t, row, number: 1, count: 1 })
        })
        .collect();
    assert!(expected.len() > 1000 && expected.len() < exact.len());
    for keep in [Keep::All, Keep::First, Keep::Last, Keep::Strongest] {
        let ideal = ideal.keep(keep).resolution(0.5).expect("a resolution");
        assert_eq!(found(&ideal, &batch, &exact).returns(), expected, "no normals are needed");
        // With power to spare nothing is lost.
        let near = ideal.reference_range(1e9).expect("a range");
        let hits = scene.cast(&batch).geometric_normals(true).closest().expect("hits");
        assert_eq!(found(&near, &batch, &hits).returns(), expected);
    }
    // A footprint of one ray, or without a divergence, is the beam itself.
    for (divergence, rays) in [(5.0, 1), (0.0, 4)] {
        let cones = Footprint::new(&lidar, divergence, rays).expect("cones");
        let made = RayBatch::made(&cones);
        let hits = scene.cast(&made).geometric_normals(true).closest().expect("hits");
        let ideal = ideal.keep(Keep::All).resolution(0.5).expect("a resolution");
        let returns = ideal.returns(0, cones.weights(), &made, &hits).expect("returns");
        let distances: Vec<f32> = returns.returns().iter().map(|found| found.distance).collect();
        assert_eq!(distances, expected.iter().map(|found| found.distance).collect::<Vec<_>>());
    }
}

/// The share of pulses that come back is min(1, cos θ · (r / d)²), within five deviations of as
/// many coins.
#[test]
fn the_share_of_lost_pulses_is_that_of_the_radar_equation() {
    const COUNT: usize = 40_000;
    let receiver = Receiver::new().seed(11).reference_range(10.0).expect("a range");
    let mut before = 2.0;
    for (distance, degrees) in [
        (5.0, 0.0),
        (9.9, 0.0),
        (5.0, 70.0),
        (10.5, 0.0),
        (12.0, 0.0),
        (12.0, 45.0),
        (12.0, 80.0),
        (40.0, 60.0),
    ] {
        // From a point at that distance, at that angle with the normal of the wall.
        let (sine, cosine) = f64::to_radians(degrees).sin_cos();
        let origin = [(-distance * sine) as f32, (100.0 - distance * cosine) as f32, 0.0];
        let ray = Ray::new(origin, [sine as f32, cosine as f32, 0.0]);
        let returns = received(&walls(&[wall(100.0, [-90.0, 90.0])]), &vec![ray; COUNT], &receiver);
        let expected = (cosine * (10.0 / distance).powi(2)).min(1.0);
        let share = returns.returns().len() as f64 / COUNT as f64;
        let deviation = (expected * (1.0 - expected) / COUNT as f64).sqrt();
        assert!(
            (share - expected).abs() <= 5.0 * deviation,
            "{share} of {expected} at {distance}, {degrees}"
        );
        assert!(share <= before + 0.2 && (expected < 1.0 || share == 1.0));
        before = share;
    }
    // A lost pulse changes the distance of no other.
    let (scene, noisy) =
        (walls(&[wall(20.0, [-9.0, 9.0])]), receiver.range_noise(0.5, 0.0).expect("noise"));
    let lossless = noisy.reference_range(f64::INFINITY).expect("no loss");
    let (some, every) =
        (received(&scene, &straight(1000), &noisy), received(&scene, &straight(1000), &lossless));
    let kept = (0..1000).filter(|&pulse| !some.of_pulse(pulse).is_empty());
    assert!((200..300).contains(&kept.clone().count()));
    assert!(kept.clone().all(|pulse| some.of_pulse(pulse) == every.of_pulse(pulse)));
}

/// A beam half on the edge of a near wall gives two returns; the share on each wall decides which
/// is the strongest.
#[test]
fn a_beam_that_straddles_an_edge_gives_two_returns() {
    let one = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 1).expect("a lidar");
    // 40 mrad: at 10 the beam is 0.4 wide.
    let cones = Footprint::new(&one, 40.0, 64).expect("cones");
    let returns = |edge: f32, far: f32, receiver: &Receiver| {
        let scene = walls(&[wall(10.0, [-9.0, edge]), wall(far, [-9.0, 9.0])]);
        let rays = RayBatch::made(&cones);
        let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
        let returns = receiver.returns(0, cones.weights(), &rays, &hits).expect("returns");
        let rows: Vec<u32> =
            returns.of_pulse(0).iter().map(|found| hits.primitive_id()[found.row] / 2).collect();
        (distances(&returns), rows)
    };
    let receiver = Receiver::new().keep(Keep::All).resolution(0.5).expect("a resolution");
    let near = |found: &[f64], expected: &[f64]| {
        // Sub-rays go further to a wall than the axis, by 1 - cos(20 mrad) at most.
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(a, b)| *a >= *b && a - b < 2.1e-4 * b)
    };
    let (both, walls_of) = returns(0.0, 11.0, &receiver);
    assert!(near(&both, &[10.0, 11.0]) && walls_of == [0, 1], "{both:?}");
    assert!(near(&returns(0.5, 11.0, &receiver).0, &[10.0]), "all of the beam on the near wall");
    assert!(near(&returns(-0.5, 11.0, &receiver).0, &[11.0]), "all of it on the far one");
    for (edge, strongest) in [(0.05, 10.0), (-0.05, 11.0)] {
        assert!(near(&returns(edge, 11.0, &receiver.keep(Keep::First)).0, &[10.0]));
        assert!(near(&returns(edge, 11.0, &receiver.keep(Keep::Last)).0, &[11.0]));
        let found = returns(edge, 11.0, &receiver.keep(Keep::Strongest)).0;
        assert!(near(&found, &[strongest]), "{found:?} for the edge at {edge}");
    }
    // Nearer to each other than the resolution they are one return, between both.
    let (merged, _) = returns(0.0, 10.4, &receiver);
    assert!(merged.len() == 1 && merged[0] > 10.1 && merged[0] < 10.3, "{merged:?}");
    assert_eq!(returns(0.0, 10.6, &receiver).0.len(), 2);
    // Each is lost by its own power: that of half a beam at 10 is a half of that of a whole one.
    let (lossy, seeds) = (receiver.reference_range(10.0).expect("a range"), 2000);
    let counts = (0..seeds).map(|seed| returns(0.0, 11.0, &lossy.seed(seed)).0.len());
    let mut of = [0; 3];
    counts.for_each(|count| of[count] += 1);
    let [first, second] = [0.5, 0.5 * (10.0_f64 / 11.0).powi(2)];
    for (count, expected) in [(0, (1.0 - first) * (1.0 - second)), (2, first * second)] {
        let share = f64::from(of[count]) / seeds as f64;
        // The edge is in the middle of the beam up to a ray: some hundredths.
        assert!((share - expected).abs() < 0.08, "{count} returns: {share} instead of {expected}");
    }
}

/// A cone: within the angle, on all sides alike, with the energy of a Gaussian beam, and its axis
/// first.
#[test]
fn footprint_rays_fill_a_cone_around_the_ray_of_the_maker() {
    let lidar = Lidar::new(&Beam::fan(3, [-90.0, 45.0]), 5).expect("a lidar");
    let axes = all(&lidar);
    for (divergence, count) in [(3.0, 19), (100.0, 400)] {
        let cones = Footprint::new(&lidar, divergence, count).expect("cones");
        let (rays, count) = (all(&cones), count as usize);
        assert_eq!(rays.len(), axes.len() * count);
        for (axis, cone) in axes.iter().zip(rays.chunks(count)) {
            assert_eq!(&cone[0], axis);
            let mut mean = [0.0; 3];
            for (place, ray) in cone.iter().enumerate() {
                assert_eq!(ray.origin, axis.origin);
                let [a, b] = [axis.direction, ray.direction].map(|d| d.map(f64::from));
                let cross = [
                    a[1] * b[2] - a[2] * b[1],
                    a[2] * b[0] - a[0] * b[2],
                    a[0] * b[1] - a[1] * b[0],
                ];
                let off = cross.iter().map(|x| x * x).sum::<f64>().sqrt().asin();
                let expected = 0.5e-3 * divergence * (place as f64 / (count - 1) as f64).sqrt();
                assert!((off - expected).abs() < 2e-7, "{off} instead of {expected}");
                let length = b.iter().map(|x| x * x).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 2e-7);
                (0..3).for_each(|axis| mean[axis] += (b[axis] - a[axis]) / count as f64);
            }
            let aside = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(aside < 0.1 * 0.5e-3 * divergence, "{aside} to a side");
        }
        let weights = cones.weights();
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // Half of the area has this share of the energy within 1/e².
        let half: f64 = weights[..count / 2].iter().sum();
        let expected = (1.0 - (-1.0_f64).exp()) / (1.0 - (-2.0_f64).exp());
        assert!((half - expected).abs() < 1.0 / count as f64, "{half} instead of {expected}");
    }
}

#[test]
fn receivers_and_footprints_name_what_is_wrong() {
    let refused = |result: Result<Receiver, Error>, name: &str| matches!(result, Err(Error::UnusableField { maker: "receiver", field, .. }) if field == name);
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(refused(Receiver::new().range_noise(bad, 0.0), "noise"));
        assert!(refused(Receiver::new().range_noise(0.0, bad), "noise"));
    }
    assert!(
        [0.0, -1.0, f64::NAN]
            .into_iter()
            .all(|bad| refused(Receiver::new().reference_range(bad), "reference_range"))
    );
    assert!(
        [-1.0, f64::NAN]
            .into_iter()
            .all(|bad| refused(Receiver::new().resolution(bad), "resolution"))
    );
    let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 6).expect("a lidar");
    for (divergence, rays, name) in [
        (-1.0, 4, "divergence"),
        (f64::NAN, 4, "divergence"),
        (2001.0, 4, "divergence"),
        (1.0, 0, "rays"),
        (1.0, 4097, "rays"),
    ] {
        let result = Footprint::new(&lidar, divergence, rays).map(|_| ());
        assert!(
            matches!(result, Err(Error::UnusableField { maker: "footprint", field, .. }) if field == name)
        );
    }
    let scene = walls(&[wall(3.0, [-9.0, 9.0])]);
    let rays = RayBatch::made(&lidar);
    let hits = scene.cast(&rays).closest().expect("hits");
    let returns = |receiver: &Receiver, weights: &[f64], hits: &HitBatch| {
        receiver.returns(0, weights, &rays, hits).map(|_| ())
    };
    let ideal = Receiver::new();
    let length = |column, found| Err(Error::ColumnLength { column, found, expected: 6 });
    assert_eq!(returns(&ideal, &[1.0], &hits), Ok(()));
    assert_eq!(returns(&ideal, &[0.5; 2], &hits), length("geometric_normal", 0));
    assert_eq!(
        returns(&ideal.reference_range(9.0).expect("a range"), &[1.0], &hits),
        length("geometric_normal", 0)
    );
    assert_eq!(returns(&ideal, &[1.0], &HitBatch::new()), length("hits", 0));
    let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
    assert_eq!(returns(&ideal, &[0.25; 4], &hits), Err(Error::RowWidth { found: 6, width: 4 }));
    assert_eq!(returns(&ideal, &[], &hits), Err(Error::RowWidth { found: 6, width: 0 }));
    assert_eq!(returns(&ideal, &[0.5; 2], &hits), Ok(()));
}
