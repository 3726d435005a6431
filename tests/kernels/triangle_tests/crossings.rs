//! What counts as a crossing, held against a line moved aside in exact arithmetic.

use crate::common::backends::every_backend;
use crate::common::strategies::{cases, coordinate, triple};
use crate::triangle_tests::draw::{any_corners, any_ray};
use crate::triangle_tests::few;
use lanecast::primitive::Triangle;
use lanecast::testing::Way;
use lanecast::{CastOptions, Coherence, Contact, Culling, Ray, Scene};
use lanecast_reference::kernel::watertight::{crossed_from_front, exactly, sheared_meeting};
use proptest::prelude::*;

const RAYS: usize = 256;

/// The triangles of a scene that a ray crosses, each with whether it comes from the front.
fn crossed(ray: &Ray, triangles: &[[[f32; 3]; 3]]) -> Vec<(u32, bool)> {
    let front = |corners: &[[f32; 3]; 3]| {
        let triangle = Triangle::new(*corners);
        // A `t` beyond the range of `f32` is a miss.
        let t = sheared_meeting(ray, &triangle)?.t;
        crossed_from_front(ray, &triangle).filter(|_| t.abs() <= exactly(f32::MAX))
    };
    (0..).zip(triangles).filter_map(|(id, corners)| Some((id, front(corners)?))).collect()
}

/// Lines through vertices, along edges and in planes of a few triangles, which share much.
fn lines_and_triangles() -> impl Strategy<Value = (Ray, Vec<[[f32; 3]; 3]>)> {
    let lattice = (-2..=2_i32).prop_map(|i| i as f32).boxed();
    let shared = (
        prop::collection::vec(triple(lattice.clone()), 4..=6),
        prop::collection::vec(prop::array::uniform3(0..4_usize), 1..=12),
        0..4_usize,
        prop_oneof![triple(lattice.clone()), triple(coordinate().boxed())],
    )
        .prop_filter_map("a ray", |(vertices, triangles, through, origin)| {
            let direction = std::array::from_fn(|axis| vertices[through][axis] - origin[axis]);
            let ray = Ray::line(origin, direction);
            let triangles =
                triangles.into_iter().map(|corners| corners.map(|i| vertices[i])).collect();
            ray.defect().is_none().then_some((ray, triangles))
        });
    let strewn = (any_ray(), prop::collection::vec(any_corners(), 1..=12))
        .prop_map(|(ray, triangles)| (Ray::line(ray.origin, ray.direction), triangles));
    prop_oneof![4 => shared, 1 => strewn]
}

proptest! {
    #![proptest_config(cases(few()))]

    #[test]
    fn a_crossing_is_what_a_line_beside_the_ray_passes_through((ray, triangles) in lines_and_triangles()) {
        let vertices: Vec<_> = triangles.iter().copied().flatten().collect();
        let indices: Vec<_> = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let scene = Scene::from_triangles(&vertices, &indices).expect("a sound mesh");
        let expected = crossed(&ray, &triangles);
        // As many as make groups and streams.
        let rays = vec![ray; RAYS];
        for backend in every_backend() {
            for (culling, counts) in
                [(Culling::None, [true, true]), (Culling::Back, [false, true]), (Culling::Front, [true, false])]
            {
                let ids = expected.iter().filter(|(_, front)| counts[usize::from(*front)]).map(|(id, _)| *id);
                let ids: Vec<u32> = ids.collect();
                let apart = CastOptions::new().coherence(Coherence::Incoherent);
                let together = CastOptions::new().coherence(Coherence::Coherent);
                for options in [together, apart.clone(), apart.way(Way::InFlight)] {
                    let options = options.culling(culling);
                    let cast = scene.cast(&rays).with(&options).backend(backend);
                    let (all, counts) = (cast.all().expect("not stopped"), cast.count().expect("not stopped"));
                    for row in [0, RAYS - 1] {
                        let mut found: Vec<_> = all.of_ray(row).iter().map(|hit| hit.primitive_id).collect();
                        found.sort_unstable();
                        prop_assert_eq!(&found, &ids, "{}, {:?}", backend, options);
                        prop_assert_eq!(counts.count()[row] as usize, ids.len(), "{}", backend);
                    }
                }
            }
        }
    }
}

/// The corners of a box around the origin, and its faces as two triangles each.
fn box_of_twelve_triangles(size: [f32; 3]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let corner = |i: u32| {
        std::array::from_fn(|axis| size[axis] * if i >> axis & 1 == 1 { 0.5 } else { -0.5 })
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), triangles.collect())
}

#[test]
fn a_segment_through_two_face_diagonals_crosses_each_face_once() {
    let (vertices, triangles) = box_of_twelve_triangles([10.0, 8.0, 6.0]);
    let scene = Scene::from_triangles(&vertices, &triangles).expect("a sound mesh");
    let segment = Ray::segment([0.0, 0.0, 15.0], [0.0, 0.0, -15.0]);
    for backend in every_backend() {
        let hits = scene.cast(&segment).backend(backend).all().expect("a sound ray");
        let found: Vec<_> = hits
            .iter()
            .map(|hit| (hit.t, segment.origin[2] + hit.t * segment.direction[2]))
            .collect();
        assert_eq!(found, [(0.4, 3.0), (0.6, -3.0)], "{backend}");
        assert_eq!(scene.cast(&segment).backend(backend).count(), Ok(2), "{backend}");
        let touched = scene
            .cast(&segment)
            .backend(backend)
            .contact(Contact::Touch)
            .all()
            .expect("a sound ray");
        let t: Vec<_> = touched.iter().map(|hit| hit.t).collect();
        assert_eq!(t, [0.4, 0.4, 0.6, 0.6], "{backend}");
    }
}
