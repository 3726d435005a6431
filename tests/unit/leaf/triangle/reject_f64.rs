use bytemuck::Zeroable;

use super::*;
use crate::leaf::block::RayBlock;
use crate::leaf::{ShearedRays, TriangleBlockF64, TriangleLeaf};
use crate::math::{cross, dot};
use crate::random::Random;
use crate::simd::bounded::Bounded;
use crate::simd::{Backend, BothPrecisions, Lanes, dispatch};
use crate::tree::Leaf;
use crate::value::{Ray, RayBatch, RayGroup, RaySource, Rules};

/// Whether a ray in a group certainly hits any triangle, if certain answers are asked for, by side;
/// and those that it may hit.
#[inline(always)]
fn in_group<V: BothPrecisions>(
    lanes: V,
    block: &TriangleBlockF64,
    ray: &Ray<f64>,
    any_hit: Option<Culling>,
) -> (bool, u8) {
    let mut group = RayGroup::<f64>::EMPTY;
    let batch = RayBatch::from_rays(std::slice::from_ref(ray));
    group.gather_wide(lanes, &RaySource::new(&batch), &[0]);
    let heading = group.headings(lanes).of(0);
    let mut prepared: ShearedRays<f64> = Zeroable::zeroed();
    prepared.prepare(lanes, &group, heading);
    let interval = [&group.columns.t_min, &group.columns.t_max];
    let mut open = [0; LANES];
    let any_hit = any_hit.map(|culling| (interval, culling));
    let certain = block.undecided_rays(lanes, &prepared, 0, any_hit, &mut open);
    let open = (0..LANES).fold(0, |bits, lane| bits | ((open[lane] & 1) as u8) << lane);
    (certain & 1 == 1, open)
}

/// Which triangles a ray leaves open by itself and in a group, as bits.
#[inline(always)]
fn left_open<L: Lanes>(lanes: L, block: &TriangleBlockF64, ray: &Ray<f64>) -> [u8; 2] {
    let alone = block.undecided(lanes, &TriangleBlockF64::prepare(ray, 1.0));
    [alone, in_group(lanes.widest(), block, ray, None).1]
}

/// The triangles that a ray certainly hits and those that it may hit, by itself; and in a group,
/// whether it certainly hits any, and what it may hit.
#[inline(always)]
fn any_hit<L: Lanes>(
    lanes: L,
    block: &TriangleBlockF64,
    ray: &Ray<f64>,
    culling: Culling,
) -> ([u8; 2], (bool, u8)) {
    let interval = [ray.t_min, ray.t_max];
    let alone = block.any_hit(lanes, &TriangleBlockF64::prepare(ray, 1.0), culling, interval);
    (alone, in_group(lanes.widest(), block, ray, Some(culling)))
}

/// The interval of a line.
const LINE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Blocks of any size anywhere, needles and points among them, and rays from near and far at their
/// insides, edges and vertices, and a hair beside these.
#[test]
fn no_met_triangle_is_rejected_and_few_missed_ones_are_left() {
    let mut random = Random::new(7);
    let (mut met, mut open, mut missed) = (0, 0, 0);
    let blocks = if cfg!(debug_assertions) { 200 } else { 4_000 };
    for _ in 0..blocks {
        let size = [1.0, 1e-3, 1e6, 1e-140, 1e80][random.below(5)];
        let away = size * [0.0, 1.0, 1e3, 1e9][random.below(4)];
        let around = random.near([0.0; 3], away);
        let count = 1 + random.below(LANES);
        let triangles: Vec<_> = (0..count as u32)
            .map(|number| {
                let mut corners = [0; 3].map(|_| random.near(around, size));
                match random.below(6) {
                    0 => corners[2] = random.near(corners[0], 1e-9 * size),
                    1 => {
                        corners[2] =
                            [0, 1, 2].map(|axis| 0.5 * (corners[0][axis] + corners[1][axis]));
                    }
                    2 => corners[1] = corners[0],
                    _ => {}
                }
                (corners, number)
            })
            .collect();
        let mut block = TriangleBlockF64::zeroed();
        block.fill(&triangles);
        for _ in 0..40 {
            let ([a, b, c], _) = triangles[random.below(count)];
            let (mut u, mut v) = (random.unit_f64(), random.unit_f64());
            match random.below(4) {
                0 => v = 0.0,
                1 => (u, v) = (1.0, 0.0),
                2 => v = 1.0 - u,
                _ => {}
            }
            let hair = size * [0.0, 0.0, 1e-16, 1e-9, 1e-7, 1e-5, 1.0][random.below(7)];
            let aim =
                [0, 1, 2].map(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
            let aim = random.near(aim, hair);
            let far = size * [0.1, 1.0, 1e3, 1e7, 3e7, 1e9, 1e12][random.below(7)];
            let origin = random.near(aim, far);
            let ray = Ray::line(origin, [0, 1, 2].map(|axis| aim[axis] - origin[axis]));
            if ray.find_defect().is_some() {
                continue;
            }
            let prepared = TriangleBlockF64::prepare(&ray, 1.0);
            let truly = (0..count)
                .filter(|&lane| {
                    block.decide(lane, &prepared, Rules::touch(Culling::None), LINE).is_some()
                })
                .fold(0_u8, |bits, lane| bits | 1 << lane);
            for backend in Backend::available() {
                for left in dispatch!(backend, lanes => left_open(lanes, &block, &ray)) {
                    assert_eq!(truly & !left, 0, "{backend}: {ray:?} at {triangles:?}");
                    if far < 1e7 * size && hair < 1e-6 * size {
                        let left = left & ((1_u16 << count) - 1) as u8;
                        (met, open) = (met + truly.count_ones(), open + left.count_ones());
                        missed += count as u32 - truly.count_ones();
                    }
                }
            }
        }
        assert_eq!(block.count(), count);
    }
    let tried = Backend::available().count() as u32 * blocks;
    assert!(3 * met > 10 * tried && missed > 50 * tried, "{met} met, {missed} missed");
    // Most rays are aimed at an edge, where neighbours without area and the like are left open too.
    assert!(
        open < met + missed / 4,
        "{open} of {missed} that are missed and {met} that are met are left open"
    );
}

/// Rays that end, or begin, at a triangle, a hair beside it or anywhere, at its edges and through
/// its inside: what is called certain is as exact arithmetic has it, and most hits and misses that
/// are clear are certain.
#[test]
fn certain_answers_are_right_and_clear_ones_are_certain() {
    let mut random = Random::new(23);
    let (mut hits, mut certain_hits, mut misses, mut certain_misses) = (0, 0, 0, 0);
    let blocks = if cfg!(debug_assertions) { 1_000 } else { 20_000 };
    for _ in 0..blocks {
        let size = [1.0, 1e-3, 1e6, 1e-140, 1e80][random.below(5)];
        let away = size * [0.0, 1.0, 1e3, 1e9][random.below(4)];
        let around = random.near([0.0; 3], away);
        let triangles: Vec<_> = (0..1 + random.below(LANES) as u32)
            .map(|number| {
                let reach = size * [1.0, 1.0, 0.1, 1e-3][random.below(4)];
                let first = random.near(around, size);
                let mut corners = [first, random.near(first, reach), random.near(first, reach)];
                if random.below(2) == 0 {
                    // Level: nothing but rounding puts the ray's end before or behind it.
                    let axis = random.below(3);
                    (corners[1][axis], corners[2][axis]) = (first[axis], first[axis]);
                }
                (corners, number)
            })
            .collect();
        let mut block = TriangleBlockF64::zeroed();
        block.fill(&triangles);
        for _ in 0..20 {
            let lane = random.below(triangles.len());
            let ([a, b, c], _) = triangles[lane];
            let (mut u, mut v) = (random.unit_f64(), random.unit_f64());
            match random.below(6) {
                0 => v = 1e-5 * random.unit_f64(),
                1 => v = 1.0 - u - 1e-5 * random.unit_f64(),
                _ if u + v > 1.0 => (u, v) = (1.0 - u, 1.0 - v),
                _ => {}
            }
            let aim =
                [0, 1, 2].map(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
            let far = size * [0.01, 0.1, 1.0, 1e3, 1e7, 1e9][random.below(6)];
            let origin = random.near(aim, far);
            let mut ray = Ray::line(origin, [0, 1, 2].map(|axis| aim[axis] - origin[axis]));
            // The aim is at t = 1.
            let hair = [1e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 0.1, 1.0, 1.0][random.below(10)]
                * size
                / far;
            let end = 1.0 + hair * (2.0 * random.unit_f64() - 1.0);
            (ray.t_min, ray.t_max) = match random.below(4) {
                0 => (end, f64::INFINITY),
                1 => (f64::NEG_INFINITY, end),
                2 => (end, end + hair),
                _ => (0.0, end),
            };
            if ray.find_defect().is_some() {
                continue;
            }
            let culling = random.pick(&[Culling::None, Culling::Back, Culling::Front]);
            let (prepared, interval) =
                (TriangleBlockF64::prepare(&ray, 1.0), [ray.t_min, ray.t_max]);
            let truly = (0..triangles.len())
                .filter(|&lane| {
                    let found = block.decide(lane, &prepared, Rules::touch(culling), interval);
                    found.is_some_and(|found| {
                        found.resolved(|found| block.resolve(lane, &ray, found)).is_some()
                    })
                })
                .fold(0_u8, |bits, lane| bits | 1 << lane);
            let [ab, ac, direction] = [sub(b, a), sub(c, a), ray.direction]
                .map(|of| of.map(|x| x / size.max(f64::MIN_POSITIVE)));
            let faces =
                dot(cross(ab, ac), direction).abs() > 0.1 * dot(direction, direction).sqrt();
            let is_clear = faces
                && u > 0.1
                && v > 0.1
                && u + v < 0.9
                && (ray.t_min - 1.0).abs().min((ray.t_max - 1.0).abs()) * far > 0.02 * size
                && far < 1e6 * size;
            for backend in Backend::available() {
                let ([hit, open], (is_certain, open_in_group)) =
                    dispatch!(backend, lanes => any_hit(lanes, &block, &ray, culling));
                let case = || format!("{backend}: {ray:?} {culling:?} at {triangles:?}");
                let open = open & ((1_u16 << triangles.len()) - 1) as u8;
                assert_eq!(
                    (hit & !truly, truly & !(hit | open), hit & open),
                    (0, 0, 0),
                    "{}",
                    case()
                );
                assert_eq!((is_certain, open_in_group), (hit != 0, open), "{}", case());
                let is_here = |bits: u8| u32::from(bits >> lane & 1);
                if is_clear && is_here(truly) == 1 {
                    (hits, certain_hits) = (hits + 1, certain_hits + is_here(hit));
                } else if is_clear {
                    (misses, certain_misses) = (misses + 1, certain_misses + is_here(!open));
                }
            }
        }
    }
    let fewest = Backend::available().count() as u32 * blocks / 12;
    assert!(
        hits > fewest && certain_hits * 10 > hits * 7,
        "{certain_hits} of {hits} clear hits are certain"
    );
    assert!(
        misses > fewest && certain_misses * 10 > misses * 7,
        "{certain_misses} of {misses} clear misses are certain"
    );
}

/// The proofs at the head of the module: each bound holds, and half of it would not. What
/// operations round off adds up by itself, from the errors of what they start from.
#[test]
fn bounds_hold_and_are_at_most_twice_the_worst_errors() {
    let epsilon = f64::from(EPSILON);
    // What an origin as far as 2²⁴ rounds off in `f64`, here and in the decision.
    let far = epsilon / 1.5;
    let [one, two] = [1.0_f32, 2.0].map(f32::next_down);
    let mut random = Random::new(41);
    let (mut of_vertices, mut of_edges, mut of_sums) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..200_000 {
        // At the corners of what may be, and within.
        let mut number = |most: f32| match random.below(4) {
            0 => random.between(-most, most),
            _ => random.pick(&[-most, most]),
        };
        let shear = [(); 2].map(|()| Bounded::new(number(one), 0.0));
        let passes = [(); 2].map(|()| Bounded::new(number(BESIDE), far));
        let line = LocalLine { passes, shear };
        let corners = [(); 3].map(|()| [(); 3].map(|()| Bounded::new(number(one), 0.0)));
        let vertices = corners.map(|corner| line.sheared(corner));
        let edges = edge_functions(&vertices);
        of_vertices =
            vertices.as_flattened().iter().fold(of_vertices, |most, number| most.max(number.error));
        of_edges = edges.iter().fold(of_edges, |most, edge| most.max(edge.error));
        let end = Bounded::new(number(two), 0.1 * epsilon);
        let sum = weighted(edges, corners.map(|[.., z]| z), end);
        let width = vertices
            .as_flattened()
            .iter()
            .fold(0.0, |width: f32, number| width.max(number.value.abs()));
        let of_t = 2.0 * f64::from(width).powi(2) * epsilon;
        of_sums = of_sums.max((sum.error + of_t) / f64::from(error_of_weighted(&vertices).value));
    }
    let [end, depth] = [two, one].map(|depth| Bounded::new(depth, 0.1 * epsilon));
    let of_depths = (end + Bounded::exact(MARGIN)).error + depth.error + 0.5 * epsilon;
    let ratios = [
        of_vertices / (11.0 * epsilon),
        of_edges / f64::from(SURE),
        of_sums,
        of_depths / f64::from(MARGIN),
    ];
    assert!(ratios.iter().all(|&ratio| 0.5 < ratio && ratio <= 1.0), "{ratios:?}");
}
