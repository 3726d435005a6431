//! The watertight test, held against the tree's, against exact arithmetic, and against closed
//! meshes.

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use crate::common::strategies::{cases, coordinate, interval, triple};
use crate::triangle_tests::answers::{bits_of, check_in_interval, in_scene};
use crate::triangle_tests::draw::{any_corners, any_culling, any_ray, finer, finer_ray};
use crate::triangle_tests::far::slopes;
use crate::triangle_tests::{CULLINGS, few, many};
use lanecast::primitive::{Side, Test, Triangle, TriangleBatch, Watertight};
use lanecast::{
    Culling, Ray, RayBatch,
    primitive::{Bulk, BulkClosest},
};
use lanecast_reference::exact::Exact;
use lanecast_reference::kernel::watertight::{
    SignedVolumes, exactly, sheared_meeting, signed_volumes,
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::rays::aimed;
use proptest::prelude::*;

/// Holds the watertight test in `f64` against exact arithmetic: on the sheared coordinates, and on
/// those given where the triangle reaches far beyond the hit.
fn check_watertight(ray: &Ray<f64>, triangle: &Triangle<f64>) {
    let truth = sheared_meeting(ray, triangle);
    let line = Ray { t_min: f64::NEG_INFINITY, t_max: f64::INFINITY, ..*ray };
    let hit = Watertight::TWO_SIDED.intersect(triangle, &line).expect("a sound ray");
    let context = || format!("{ray:?} {triangle:?}\n{hit:?}\n{truth:?}");
    assert_eq!(hit.is_some(), truth.is_some(), "{}", context());
    let (Some(hit), Some(truth)) = (hit, &truth) else { return };
    assert_eq!(hit.side, if truth.front { Side::Front } else { Side::Back }, "{}", context());
    for culling in CULLINGS {
        let counts = match culling {
            Culling::None => true,
            Culling::Back => truth.front,
            Culling::Front => !truth.front,
        };
        let one_sided = Watertight { culling }.intersect(triangle, &line).expect("a sound ray");
        assert_eq!(bits_of(one_sided), bits_of(counts.then_some(hit)), "{}", context());
    }
    // Half a unit in the last place, be it of a subnormal number, and what comes before rounding.
    let rounding = |x: f64| {
        exactly((x.next_up() - x).max(x - x.next_down()) * 0.5)
            + exactly(f64::MIN_POSITIVE * f64::EPSILON * 0.5)
    };
    let small = |x: &Exact| x * exactly(2_f64.powi(-100));
    let reach = small(&truth.reach);
    let is_that = |found: f64, exact: &Exact, before: Exact| {
        (exactly(found) - exact).abs() <= rounding(found) + before
    };
    let of_sheared = [
        (hit.t, &truth.t, reach),
        (hit.u, &truth.u, small(&truth.u)),
        (hit.v, &truth.v, small(&truth.v)),
    ];
    let is_of_sheared = of_sheared.map(|(found, exact, before)| is_that(found, exact, before));
    if is_of_sheared != [true; 3] {
        assert!(reaches_far(ray, triangle, hit.t), "{}", context());
        check_far(ray, triangle, [hit.t, hit.u, hit.v], is_of_sheared)
            .unwrap_or_else(|why| panic!("{why}: {}", context()));
    }
    let within = Watertight::TWO_SIDED.intersect(triangle, ray).expect("a sound ray");
    check_in_interval(ray, triangle, Some(hit), within);
}

/// Whether a coordinate of a vertex in the sheared space is about twice the depth of the hit, or
/// more.
fn reaches_far(ray: &Ray<f64>, triangle: &Triangle<f64>, t: f64) -> bool {
    let longest = ray.direction.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let z = ray.direction.iter().position(|x| x.abs() == longest).expect("a longest axis");
    let reach = |vertex: [f64; 3]| {
        let along = vertex[z] - ray.origin[z];
        let beside = |axis: usize| {
            vertex[axis] - ray.origin[axis] - ray.direction[axis] / ray.direction[z] * along
        };
        (0..3)
            .filter(|&axis| axis != z)
            .fold(along.abs(), |most, axis| most.max(beside(axis).abs()))
    };
    triangle.vertices.iter().any(|&vertex| reach(vertex) > 1.999 * t.abs() * longest)
}

/// Holds values that are not those of the sheared triangle against those of the triangle as given.
fn check_far(
    ray: &Ray<f64>,
    triangle: &Triangle<f64>,
    found: [f64; 3],
    is_of_sheared: [bool; 3],
) -> Result<(), &'static str> {
    let SignedVolumes { d, t_d, weights_d: [w_d, u_d, v_d], .. } = signed_volumes(ray, triangle);
    let zero = exactly(0.0);
    if d == zero {
        return Err("the line runs along the plane");
    }
    let exact = [&t_d / &d, &u_d / &d, &v_d / &d];
    let unit = exactly(f64::EPSILON * 0.5);
    // Seen edge-on to the last digit nothing is promised of t.
    let of_t = exactly((4.0 + 2.0 * slopes(ray, triangle)).min(1e300)) * &unit;
    for (place, part) in [of_t, exactly(4.0) * &unit, exactly(4.0) * &unit].into_iter().enumerate()
    {
        let error = exact[place].abs() * part + exactly(f64::MIN_POSITIVE);
        if !is_of_sheared[place] && (exactly(found[place]) - &exact[place]).abs() > error {
            return Err("neither of the sheared triangle nor of the one given");
        }
    }
    // The weights are exact only where the line meets the triangle.
    let meets = [&w_d, &u_d, &v_d].iter().all(|weight| *weight * &d >= zero);
    if meets || is_of_sheared[1] && is_of_sheared[2] {
        Ok(())
    } else {
        Err("weights of a point beside the triangle")
    }
}

proptest! {
    #![proptest_config(cases(few()))]

    #[test]
    fn watertight_test_of_f32_has_the_bits_of_the_tree(
        ray in any_ray(),
        corners in prop::collection::vec(any_corners(), 1..=8),
        culling in any_culling(),
    ) {
        let found: Vec<_> = corners
            .iter()
            .map(|&corners| Watertight { culling }.intersect(&Triangle::new(corners), &ray).expect("sound"))
            .map(|hit| hit.map(|hit| [hit.t, hit.u, hit.v].map(f32::to_bits)))
            .collect();
        prop_assert_eq!(found, in_scene(&ray, &corners, culling));
    }

    /// Aimed at the inside, at edges and at vertices.
    #[test]
    fn watertight_test_of_f32_has_the_bits_of_the_tree_where_aimed(
        corners in prop::collection::vec(any_corners(), 1..=8),
        weights in prop_oneof![
            Just([0.0_f32, 0.0]), Just([1.0, 0.0]), Just([0.5, 0.0]), Just([0.25, 0.75]), Just([0.25, 0.5]),
            [0.0_f32..0.5, 0.0_f32..0.5],
        ],
        origin in triple(coordinate().boxed()),
        interval in interval(),
        culling in any_culling(),
    ) {
        let ([a, b, c], [u, v]) = (corners[0], weights);
        let target = std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
        if let Some(ray) = aimed(origin, target, interval) {
            let found: Vec<_> = corners
                .iter()
                .map(|&corners| Watertight { culling }.intersect(&Triangle::new(corners), &ray).expect("sound"))
                .map(|hit| hit.map(|hit| [hit.t, hit.u, hit.v].map(f32::to_bits)))
                .collect();
            prop_assert_eq!(found, in_scene(&ray, &corners, culling));
        }
    }
}

proptest! {
    #![proptest_config(cases(many()))]

    #[test]
    fn watertight_test_of_f64_is_exact_on_the_sheared_triangle(ray in any_ray(), corners in any_corners()) {
        let plain = Ray {
            origin: ray.origin.map(f64::from), direction: ray.direction.map(f64::from),
            t_min: f64::from(ray.t_min), t_max: f64::from(ray.t_max),
        };
        check_watertight(&plain, &Triangle::new(corners.map(|v| v.map(f64::from))));
        check_watertight(&finer_ray(&ray), &Triangle::new(corners.map(|v| v.map(finer))));
    }

    /// Aimed at the inside, at edges and at vertices, as well as `f64` can.
    #[test]
    fn watertight_test_of_f64_is_exact_where_it_is_aimed(
        corners in any_corners(),
        origin in triple(coordinate().boxed()),
        weights in prop_oneof![
            Just([0.0, 0.0]), Just([1.0, 0.0]), Just([0.0, 1.0]), Just([0.5, 0.0]), Just([0.25, 0.75]),
            [0.0..0.5, 0.0..0.5],
        ],
    ) {
        let [a, b, c] = corners.map(|v| v.map(finer));
        let [u, v] = weights;
        let target: [f64; 3] = std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
        let ray = Ray::segment(origin.map(finer), target);
        if ray.defect().is_none() {
            check_watertight(&ray, &Triangle::new([a, b, c]));
            check_watertight(&ray.with_interval(0.0, f64::INFINITY), &Triangle::new([a, b, c]));
        }
    }
}

#[test]
fn watertight_test_of_f64_is_exact_at_every_scale() {
    let mut random = Random::new(5);
    for exponent in [-900, -520, -300, 0, 100, 290] {
        let scaled = |v: [f32; 3]| v.map(|x| finer(x) * 2_f64.powi(exponent));
        for _ in 0..few() {
            let mut point = || scaled(random.point(-2.0, 2.0));
            let ([a, b, c], origin) = ([point(), point(), point()], point());
            let anywhere = f64::from(random.unit());
            let along = random.pick(&[0.0, 1.0, 0.5, anywhere]);
            // To an edge or a vertex, where the least error shows.
            let way: [f64; 3] =
                std::array::from_fn(|axis| a[axis] + along * (b[axis] - a[axis]) - origin[axis]);
            let direction = way.map(|x| x * 2_f64.powi(-exponent));
            check_watertight(&Ray::new(origin, direction), &Triangle::new([a, b, c]));
        }
    }
}

/// A closed sphere of unit radius in `f64`, with all bits in use.
fn sphere(center: [f64; 3]) -> Vec<Triangle<f64>> {
    let mesh = meshes::icosphere(3, 1.0);
    assert!(mesh.is_closed(), "this test is about closed meshes");
    let on_sphere = |vertex: [f32; 3]| {
        let vertex = vertex.map(f64::from);
        let length = vertex.iter().map(|x| x * x).sum::<f64>().sqrt();
        std::array::from_fn(|axis| center[axis] + vertex[axis] / length)
    };
    (0..mesh.triangles.len()).map(|i| Triangle::new(mesh.corners(i).map(on_sphere))).collect()
}

#[test]
fn shared_edge_or_vertex_of_a_closed_f64_mesh_is_never_missed() {
    for center in [[0.0; 3], [6.4e6, -6.4e6, 6.4e6]] {
        let triangles = sphere(center);
        let mut random = Random::new(3);
        let mut unit = || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let rays: Vec<Ray<f64>> = (0..scaled(6_000))
            .map(|number| {
                let origin: [f64; 3] =
                    std::array::from_fn(|axis| center[axis] + 1.1 * (unit() - 0.5));
                let [a, b, _] = triangles[(unit() * triangles.len() as f64) as usize].vertices;
                let along = if number % 3 == 0 { 0.0 } else { unit() };
                let target: [f64; 3] =
                    std::array::from_fn(|axis| a[axis] + along * (b[axis] - a[axis]));
                Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]))
            })
            .collect();
        let batch = TriangleBatch::from_slice(&triangles).expect("no rules");
        let mut first: Option<BulkClosest<f64>> = None;
        for backend in every_backend() {
            let mut closest = BulkClosest::new();
            let bulk = Bulk::new(Watertight::TWO_SIDED).backend(backend);
            let defects =
                bulk.closest(&RayBatch::from_rays(&rays), &batch, &mut closest).expect("few");
            assert_eq!(defects.count, 0, "{center:?}");
            let lost = closest.t.iter().position(|t| (t - 1.0).abs() > 1e-6);
            assert_eq!(
                lost.map(|lost| (rays[lost], closest.t[lost])),
                None,
                "{backend}, seed 3, {center:?}"
            );
            assert!(*first.get_or_insert_with(|| closest.clone()) == closest, "{backend} differs");
        }
    }
}
