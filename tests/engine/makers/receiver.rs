//! Receivers: what is measured of exact hits, against statistics and against cases that are worked
//! out by hand.

use crate::makers::support::all;
use lanecast::{Affine, Error, HitBatch, INVALID_ID, Maker, Ray, RayBatch, Scene, SceneBuilder};
use lanecast_makers::{
    Beam, Footprint, Geometries, Keep, Lidar, Receiver, Reflectance, ReturnBatch, Wide,
};
use std::slice::from_ref;
use std::sync::Arc;

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
    let found = |receiver: &Receiver, rays: &RayBatch<'_>, hits: &HitBatch| -> Vec<_> {
        let returns = receiver.returns(0, &[1.0], rays, hits).expect("returns");
        let has_normals = !hits.geometric_normal().is_empty();
        let told = returns.returns().iter().map(|found| {
            // Without normals nothing is known of these.
            assert_eq!([found.incidence, found.intensity].map(f32::is_nan), [!has_normals; 2]);
            (found.distance, found.row, found.number, found.count)
        });
        told.collect()
    };
    let expected: Vec<_> =
        (0..exact.len()).filter_map(|row| exact.hit(row).map(|hit| (hit.t, row, 1, 1))).collect();
    assert!(expected.len() > 1000 && expected.len() < exact.len());
    for keep in [Keep::All, Keep::First, Keep::Last, Keep::Strongest] {
        let ideal = ideal.keep(keep).resolution(0.5).expect("a resolution");
        assert_eq!(found(&ideal, &batch, &exact), expected, "no normals are needed");
        // With power to spare nothing is lost.
        let near = ideal.reference_range(1e9).expect("a range");
        let hits = scene.cast(&batch).geometric_normals(true).closest().expect("hits");
        assert_eq!(found(&near, &batch, &hits), expected);
    }
    // A footprint of one ray, or without a divergence, is the beam itself.
    for (divergence, rays) in [(5.0, 1), (0.0, 4)] {
        let cones = Footprint::new(&lidar, divergence, rays).expect("cones");
        let made = RayBatch::made(&cones);
        let hits = scene.cast(&made).geometric_normals(true).closest().expect("hits");
        let ideal = ideal.keep(Keep::All).resolution(0.5).expect("a resolution");
        let returns = ideal.returns(0, cones.weights(), &made, &hits).expect("returns");
        let distances: Vec<f32> = returns.returns().iter().map(|found| found.distance).collect();
        assert_eq!(distances, expected.iter().map(|found| found.0).collect::<Vec<_>>());
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
    let distance = |returns: &ReturnBatch, pulse| returns.of_pulse(pulse)[0].distance;
    assert!(kept.clone().all(|pulse| distance(&some, pulse) == distance(&every, pulse)));
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

/// Two walls, each a geometry with a name.
fn named(near: [[f32; 3]; 4], far: [[f32; 3]; 4]) -> Scene {
    let walls = [near, far];
    let builder = walls.iter().fold(SceneBuilder::new(), |builder, wall| {
        builder.triangle_mesh(wall, &[[0, 1, 2], [0, 2, 3]]).expect("a wall")
    });
    let mut scene = builder.build().expect("walls");
    ["fence", "house"].into_iter().zip(0..).for_each(|(name, geometry_id)| {
        scene.set_name(geometry_id, name).expect("one of both");
    });
    scene
}

fn reflectance(scene: &Scene, of: [f64; 2]) -> Reflectance {
    let [near, far] = of;
    let rows: [(_, &[_]); 2] = [(Geometries::Named("house"), &[far]), (Geometries::Id(0), &[near])];
    Reflectance::of_geometries(scene, &rows).expect("both are there")
}

/// Worked out here from the planes of two walls: the power of a return is the sum of w · ρ · cos θ ·
/// (r / d)² of its hits, the last without a reference range left out, its distance their mean by w · ρ · cos θ, and its angle that of the hit of
/// most power.
#[test]
fn intensity_and_incidence_are_those_of_the_geometry() {
    let scene = named(wall(10.0, [-90.0, 0.1]), wall(11.0, [-90.0, 90.0]));
    let lidar = Lidar::new(&Beam::fan(3, [-50.0, 60.0]), 90).expect("a lidar");
    let cones = Footprint::new(&lidar, 30.0, 19).expect("cones");
    let (rays, weights) = (all(&cones), cones.weights());
    let batch = RayBatch::from_rays(&rays);
    let hits = scene.cast(&batch).geometric_normals(true).closest().expect("hits");
    let ideal = Receiver::new().keep(Keep::All).resolution(0.3).expect("a resolution");
    // Nothing is lost of what is looked at here.
    for (range, of) in [(f64::INFINITY, [1.0, 1.0]), (1e6, [1.0, 1.0]), (1e6, [0.25, 0.75])] {
        let reflectance = reflectance(&scene, of);
        let receiver = ideal.reference_range(range).expect("a range").reflectance(&reflectance);
        let returns = receiver.returns(0, weights, &batch, &hits).expect("returns");
        let measured = returns.measured(&batch, &hits).expect("unit directions");
        // Without a reference range the nearer of two is the stronger, but distances do not count
        // in intensities.
        let (is_limited, range) = (range.is_finite(), if range.is_finite() { range } else { 1.0 });
        let (mut several, mut at) = (0, 0_usize);
        for pulse in 0..lidar.len() {
            let found = returns.of_pulse(pulse);
            let of_pulse = pulse * weights.len()..(pulse + 1) * weights.len();
            if rays[of_pulse.clone()].iter().any(|ray| ray.direction[1].abs() < 0.25) {
                // Aslant the ends of the walls are near.
                at += found.len();
                continue;
            }
            let mut echoes = Vec::new();
            for (row, weight) in of_pulse.zip(weights) {
                let [x, y, _] = rays[row].direction.map(f64::from);
                if y < 0.0 {
                    continue;
                }
                let is_near = x * 10.0 / y <= f64::from(0.1_f32);
                let distance = if is_near { 10.0 / y } else { 11.0 / y };
                let energy = weight * of[usize::from(!is_near)] * y;
                echoes.push((distance, energy, energy * (range / distance).powi(2), row));
            }
            echoes.sort_by(|a, b| a.0.total_cmp(&b.0));
            let groups: Vec<_> = echoes.chunk_by(|a, b| b.0 - a.0 < 0.3).collect();
            assert_eq!(found.len(), groups.len(), "pulse {pulse}");
            several += usize::from(groups.len() > 1);
            for (found, group) in found.iter().zip(groups) {
                let near = |a: f64, b: f64, part: f64| (a - b).abs() <= part * b.abs().max(1e-2);
                let power: f64 = group.iter().map(|echo| echo.2).sum();
                let energy: f64 = group.iter().map(|echo| echo.1).sum();
                let distance = group.iter().map(|echo| echo.0 * echo.1).sum::<f64>() / energy;
                let intensity = if is_limited { power } else { energy };
                assert!(near(found.intensity.into(), intensity, 2e-6), "{found:?}, {intensity}");
                assert!(near(found.distance.into(), distance, 1e-6), "{found:?}, {distance}");
                let most = group.iter().map(|echo| echo.2).fold(0.0, f64::max);
                let main = group.iter().find(|echo| echo.3 == found.row).expect("one of its hits");
                assert!(near(main.2, most, 1e-6), "{found:?}");
                let [x, y, z] = rays[found.row].direction.map(f64::from);
                let angle = x.hypot(z).atan2(y).to_degrees();
                let off = (f64::from(found.incidence) - angle).abs();
                assert!(off < 1e-5, "{found:?}, {angle}");
                let told = (measured[at].incidence, measured[at].intensity);
                assert_eq!(told, (found.incidence, found.intensity));
                at += 1;
            }
        }
        assert!(several >= 3 && at == measured.len() && at > 60, "{several}, {at}");
    }
}

/// Half of a beam on each wall: the farther one is the strongest if the nearer is dark enough, and
/// what is black is lost.
#[test]
fn reflectance_counts_in_what_is_received_and_which_return_is_the_strongest() {
    let one = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 1).expect("a lidar");
    let cones = Footprint::new(&one, 40.0, 64).expect("cones");
    let scene = named(wall(10.0, [-9.0, 0.0]), wall(11.0, [-9.0, 9.0]));
    let rays = RayBatch::made(&cones);
    let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
    let resolved = Receiver::new().resolution(0.5).expect("a resolution");
    let distances = |receiver: Receiver, of: [f64; 2]| -> Vec<f64> {
        let reflectance = reflectance(&scene, of);
        let receiver = receiver.reflectance(&reflectance);
        let found = receiver.returns(0, cones.weights(), &rays, &hits).expect("returns");
        distances(&found).iter().map(|distance| (10.0 * distance).round() / 10.0).collect()
    };
    assert_eq!(distances(resolved, [1.0, 1.0]), [10.0]);
    assert_eq!(distances(resolved, [0.5, 1.0]), [11.0]);
    let far = resolved.reference_range(1e3).expect("a range").keep(Keep::All);
    assert_eq!(distances(far, [1.0, 1.0]), [10.0, 11.0]);
    assert_eq!(distances(far, [0.0, 1.0]), [11.0]);
    assert!(distances(far, [0.0, 0.0]).is_empty());
    // One return of both: nearer to what is brighter, and at the first if both are black.
    let merged = Receiver::new().resolution(5.0).expect("a resolution");
    assert_eq!(distances(merged, [1.0, 0.0]), [10.0]);
    assert_eq!(distances(merged, [0.0, 1.0]), [11.0]);
    assert_eq!(distances(merged, [0.0, 0.0]), [10.0]);
    // A tenth of the light, a tenth of the pulses.
    let scene = named(wall(10.0, [-9.0, 9.0]), wall(11.0, [-9.0, 9.0]));
    let dark = reflectance(&scene, [0.1, 1.0]);
    let receiver = Receiver::new().reference_range(10.0).expect("a range").reflectance(&dark);
    let share = received(&scene, &straight(40_000), &receiver).returns().len() as f64 / 40_000.0;
    assert!((share - 0.1).abs() < 5.0 * (0.09_f64 / 40_000.0).sqrt(), "{share}");
}

/// By name also within instances; by id in all of them.
#[test]
fn reflectances_are_told_by_the_names_and_ids_of_geometries() {
    let inner = Arc::new(named(wall(3.0, [-1.0, 1.0]), wall(4.0, [-1.0, 1.0])));
    let outer = wall(9.0, [-9.0, 9.0]);
    let builder = SceneBuilder::new().triangle_mesh(&outer, &[[0, 1, 2]]);
    let builder = builder.expect("a wall").instance(&inner, Affine::IDENTITY);
    let mut scene =
        builder.instance(&inner, Affine::translation([20.0, 0.0, 0.0])).build().expect("a scene");
    scene.set_name(0, "house").expect("the wall");
    let by = |rows: &[(Geometries<'_>, f64)]| {
        let rows: Vec<_> = rows.iter().map(|(of, value)| (*of, from_ref(value))).collect();
        Reflectance::of_geometries(&scene, &rows)
    };
    let all = |reflectance: &Reflectance| {
        [(INVALID_ID, 0), (0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(instance, geometry)| reflectance.at(instance, geometry, 0))
    };
    let of = |rows: &[(Geometries<'_>, f64)]| all(&by(rows).expect("they are there"));
    use Geometries::{Id, Named};
    assert_eq!(of(&[]), [1.0; 5]);
    assert_eq!(of(&[(Named("house"), 0.5)]), [0.5, 1.0, 0.5, 1.0, 0.5]);
    assert_eq!(of(&[(Id(0), 0.5)]), [0.5, 0.5, 1.0, 0.5, 1.0]);
    assert_eq!(of(&[(Named("0"), 0.5)]), [0.5, 0.5, 1.0, 0.5, 1.0]);
    assert_eq!(
        of(&[(Id(1), 0.0), (Named("fence"), 1.0), (Named("house"), 0.25)]),
        [0.25, 1.0, 0.25, 1.0, 0.25]
    );
    assert_eq!(
        all(&Reflectance::by_id(&scene, &[0.1, 0.2]).expect("two")),
        [0.1, 0.1, 0.2, 0.1, 0.2]
    );
    assert_eq!(all(&Reflectance::even(0.3).expect("one")), [0.3; 5]);
    let refused = |result: Result<Reflectance, Error>, expected: &str| {
        let error = result.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    let row = "reflectance: reflectance at 1: ";
    for (geometries, value, problem) in [
        (Named("roof"), 0.5, "no geometry is called \"roof\"; there are \"fence\", \"house\""),
        (Id(2), 0.5, "no geometry has the id 2"),
        (Named("2"), 0.5, "no geometry has the id 2"),
        (Id(0), 1.5, "is 1.5; it must be from 0 to 1"),
        (Id(0), -0.5, "is -0.5; it must be from 0 to 1"),
        (Id(0), f64::NAN, "is NaN; it must be from 0 to 1"),
    ] {
        refused(by(&[(Id(1), 1.0), (geometries, value)]), &format!("{row}{problem}"));
    }
    refused(Reflectance::by_id(&scene, &[0.5; 3]), "has 3 values, and geometries have 2 ids");
    refused(Reflectance::by_id(&scene, &[0.5]), "has 1 values, and geometries have 2 ids");
    refused(Reflectance::by_id(&scene, &[0.5, 2.0]), &format!("{row}is 2;"));
    refused(Reflectance::even(-0.1), "is -0.1; it must be from 0 to 1");
    refused(Reflectance::even(f64::NAN), "is NaN; it must be from 0 to 1");
    let unnamed = walls(&[wall(3.0, [-1.0, 1.0])]);
    refused(
        Reflectance::of_geometries(&unnamed, &[(Named("a"), &[0.5])]),
        "no geometry is called \"a\"; none has a name",
    );
}

/// One value for all primitives of a geometry or one for each, in whatever instance; a row counts as
/// a whole.
#[test]
fn reflectances_of_primitives_are_told_one_for_each() {
    let inner = Arc::new(named(wall(3.0, [-1.0, 1.0]), wall(4.0, [-1.0, 1.0])));
    let builder = SceneBuilder::new().instance(&inner, Affine::translation([9.0, 0.0, 0.0]));
    let scene = builder.instance(&inner, Affine::IDENTITY).build().expect("a scene");
    use Geometries::{Id, Named};
    let of = |rows: &[(Geometries<'_>, &[f64])]| {
        let reflectance = Reflectance::of_geometries(&scene, rows).expect("they are there");
        [0, 1].map(|instance| {
            [(0, 0), (0, 1), (1, 0), (1, 1)]
                .map(|(geometry, primitive)| reflectance.at(instance, geometry, primitive))
        })
    };
    assert_eq!(of(&[(Named("house"), &[0.25, 0.5])]), [[1.0, 1.0, 0.25, 0.5]; 2]);
    let both: [(_, &[_]); 2] = [(Id(1), &[0.75]), (Named("fence"), &[0.0, 0.125])];
    assert_eq!(of(&both), [[0.0, 0.125, 0.75, 0.75]; 2]);
    let both: [(_, &[_]); 2] = [(Id(1), &[0.25, 0.5]), (Named("house"), &[0.75])];
    assert_eq!(of(&both), [[1.0, 1.0, 0.75, 0.75]; 2]);
    for (values, problem) in [
        (&[0.5; 3][..], "has 3 values, and geometry 1 has 2 primitives"),
        (&[], "has 0 values, and geometry 1 has 2 primitives"),
        (&[0.5, -1.0], "is -1 at primitive 1; it must be from 0 to 1"),
        (&[f64::NAN, 0.5], "is NaN at primitive 0; it must be from 0 to 1"),
    ] {
        let error = Reflectance::of_geometries(&scene, &[(Id(0), &[1.0]), (Id(1), values)]);
        let error = error.expect_err(problem).to_string();
        assert!(error.contains(&format!("reflectance: reflectance at 1: {problem}")), "{error}");
    }
    // What is met counts, not where it is in the scene.
    let scene = walls(&[wall(4.0, [-9.0, 9.0])]);
    let halves = Reflectance::of_geometries(&scene, &[(Id(0), &[0.25, 0.5])]).expect("two");
    let upward = Lidar::new(&Beam::fan(2, [-40.0, 40.0]), 4).expect("a lidar");
    let rays = RayBatch::made(&upward);
    let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
    let found = Receiver::new().reflectance(&halves).returns(0, &[1.0], &rays, &hits);
    let found = found.expect("returns");
    assert_eq!(found.returns().len(), 2);
    for found in found.returns() {
        let cosine = f64::from(found.incidence).to_radians().cos();
        let expected = [0.25, 0.5][hits.primitive_id()[found.row] as usize] * cosine;
        assert!((f64::from(found.intensity) - expected).abs() < 1e-6, "{found:?}");
    }
    let [first, second] = [0, 1].map(|place| hits.primitive_id()[found.returns()[place].row]);
    assert_ne!(first, second);
}

/// In `f64` too, where hits are as exact.
#[test]
fn a_wall_aslant_has_its_angle_in_both_precisions() {
    let (sine, cosine) = 33.0_f64.to_radians().sin_cos();
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]]
        .map(|[a, b]: [f64; 2]| [a * cosine, 5.0 - a * sine, b]);
    let scene = Scene::<f64>::from_triangles(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a wall");
    let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 1).expect("a lidar");
    let ahead = Wide::new(&lidar);
    let rays = RayBatch::made(&ahead);
    let hits = scene.cast(&rays).geometric_normals(true).closest().expect("hits");
    let returns = Receiver::new().returns(0, &[1.0], &rays, &hits).expect("returns");
    let found = returns.returns()[0];
    assert_eq!(found.incidence, 33.0);
    assert!((f64::from(found.intensity) - cosine).abs() < 1e-7, "{found:?}");
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
