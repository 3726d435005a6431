//! Directions over surfaces.

use crate::makers::support::{all, cross, dot, length, unit, vector};
use lanecast::{Maker, Ray};
use lanecast_makers::{Hemisphere, Spread, Sunlight};
use lanecast_reference::random::Random;

fn points(count: usize, random: &mut Random) -> [Vec<[f32; 3]>; 2] {
    [(); 2].map(|()| (0..count).map(|_| random.direction()).collect())
}

#[test]
fn unit_directions_start_at_their_points_and_stay_above() {
    let [points, normals] = points(40, &mut Random::new(1));
    for spread in [Spread::Cosine, Spread::Uniform] {
        let rays = all(&Hemisphere::new(&points, &normals, 33, spread).expect("a hemisphere"));
        assert_eq!(rays.len(), 40 * 33);
        for (number, ray) in rays.iter().enumerate() {
            assert_eq!(ray.origin, points[number / 33]);
            let direction = vector(ray.direction);
            assert!((length(direction) - 1.0).abs() < 2e-7);
            assert!(dot(direction, vector(normals[number / 33])) > 0.0);
        }
    }
}

/// Heights are as evenly spread as numbers can be, by the law of each spread, and so are the ways
/// round.
#[test]
fn directions_are_spread_as_they_should_be() {
    const COUNT: usize = 1000;
    let [points, normals] = points(20, &mut Random::new(2));
    for spread in [Spread::Cosine, Spread::Uniform] {
        let rays =
            all(&Hemisphere::new(&points, &normals, COUNT as u32, spread).expect("a hemisphere"));
        for (of_point, &normal) in rays.chunks(COUNT).zip(&normals) {
            let normal = unit(vector(normal));
            let aside = unit(cross(
                normal,
                if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] },
            ));
            let (mut mean, mut sectors) = ([0.0; 3], [0; 20]);
            for (number, ray) in of_point.iter().enumerate() {
                let direction = vector(ray.direction);
                let height = dot(direction, normal);
                // What is evenly spread: the height over a sphere, its square over a disc.
                let even = match spread {
                    Spread::Cosine => 1.0 - height * height,
                    Spread::Uniform => 1.0 - height,
                };
                let place = even * COUNT as f64 - number as f64;
                assert!(
                    (-1e-3..1.0 + 1e-3).contains(&place),
                    "{number} is at {}",
                    even * COUNT as f64
                );
                let around = dot(direction, cross(normal, aside)).atan2(dot(direction, aside));
                sectors[((around / std::f64::consts::TAU + 0.5) * 20.0) as usize % 20] += 1;
                for axis in 0..3 {
                    mean[axis] += direction[axis] / COUNT as f64;
                }
            }
            assert!(sectors.iter().all(|&count| (47..=53).contains(&count)), "{sectors:?}");
            let height = match spread {
                Spread::Cosine => 2.0 / 3.0,
                Spread::Uniform => 0.5,
            };
            assert!(
                (0..3).all(|axis| (mean[axis] - height * normal[axis]).abs() < 3e-3),
                "{mean:?}"
            );
        }
    }
}

#[test]
fn points_are_turned_apart_and_seeds_too() {
    let (points, normals) = (vec![[0.0; 3]; 50], vec![[0.0, 0.0, 1.0]; 50]);
    let hemisphere = Hemisphere::new(&points, &normals, 16, Spread::Cosine).expect("a hemisphere");
    let (first, again) = (all(&hemisphere), all(&hemisphere.clone().seed(0)));
    assert_eq!(first, again);
    let other = all(&hemisphere.seed(1));
    let mut starts: Vec<_> =
        first.chunks(16).chain(other.chunks(16)).map(|rays| rays[0].direction).collect();
    starts.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    starts.dedup();
    assert_eq!(starts.len(), 100);
}

#[test]
fn sunlight_has_all_points_for_each_light() {
    let [points, _] = points(7, &mut Random::new(3));
    let rays =
        all(&Sunlight::new(&points, &[[0.0, 0.0, 2.0], [1.0, 0.5, 0.25]]).expect("sunlight"));
    assert_eq!(rays.len(), 14);
    for (number, ray) in rays.iter().enumerate() {
        let direction = if number < 7 { [0.0, 0.0, 2.0] } else { [1.0, 0.5, 0.25] };
        assert_eq!((ray.origin, ray.direction), (points[number % 7], direction));
    }
}

/// At survey coordinates, where `f32` is half a metre coarse, rays start at points of `f64`, in the
/// directions of `f32`.
#[test]
fn rays_of_f64_start_at_points_of_f64() {
    let [offsets, normals] = points(5, &mut Random::new(4));
    let far = offsets
        .iter()
        .map(|&[x, y, z]| [500_000.1 + f64::from(x), 5_600_000.2 + f64::from(y), f64::from(z)]);
    let (far, wide_normals): (Vec<_>, Vec<_>) =
        (far.collect(), normals.iter().map(|n| n.map(f64::from)).collect());
    let there = Hemisphere::new(&far, &wide_normals, 9, Spread::Uniform).expect("a hemisphere");
    let here = all(&Hemisphere::new(&offsets, &normals, 9, Spread::Uniform).expect("a hemisphere"));
    let mut rays = vec![Ray::new([0.0_f64; 3], [0.0; 3]); 45];
    there.make(0, &mut rays);
    for (number, (ray, narrow)) in rays.iter().zip(here).enumerate() {
        assert_eq!(
            (ray.origin, ray.direction.map(|x| x as f32)),
            (far[number / 9], narrow.direction)
        );
    }
    let light = Sunlight::new(&far, &[[0.1, 0.2, 0.3]]).expect("sunlight");
    light.make(0, &mut rays[..5]);
    for (ray, point) in rays.iter().zip(&far) {
        assert_eq!((ray.origin, ray.direction), (*point, [0.1, 0.2, 0.3]));
    }
}
