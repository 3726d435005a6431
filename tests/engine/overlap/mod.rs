//! The primitives in boxes, balls and frusta, held against every triangle where it is placed, in
//! `f64`.

mod projections;
mod solids;

use crate::common::backends::same_on_every_backend;
use crate::common::scale::scaled;
use lanecast::answers::PrimitiveIds;
use lanecast::primitive::Sphere;
use lanecast::{Aabb, Affine, Error, Frustum, INVALID_ID, Region, Scene, SceneBuilder};
use lanecast_reference::meshes;
use lanecast_reference::placed::nearest::nearest_in_f64;
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Drawn, RandomWorld, transform};
use lanecast_reference::vector::{Numbers, Vector, dot, length, minus, plus, unit, vector};
use lanecast_reference::world_rays::target;
use std::sync::Arc;

/// Whether any (x, y) has a·x + b·y + c ≥ least for all rows, which bound it: then some crossing of
/// two of the lines does.
fn is_possible(rows: &[[f64; 3]], least: f64) -> bool {
    let crossing = |p: &[f64; 3], q: &[f64; 3]| {
        let determinant = p[0] * q[1] - p[1] * q[0];
        let [c, d] = [least - p[2], least - q[2]];
        [(c * q[1] - p[1] * d) / determinant, (p[0] * d - c * q[0]) / determinant]
    };
    let holds = |[x, y]: [f64; 2]| rows.iter().all(|[a, b, c]| a * x + b * y + c >= least - 1e-13);
    rows.iter().enumerate().any(|(place, p)| rows[..place].iter().any(|q| holds(crossing(p, q))))
}

/// Whether a triangle overlaps with what lies between planes, whose normals have length 1; `None`
/// if closer than `room` to either.
fn overlaps(planes: &[[f64; 4]], [a, b, c]: [Vector; 3], room: f64) -> Option<bool> {
    let mut rows = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 1.0]];
    let (e, f) = (minus(b, a), minus(c, a));
    for &[x, y, z, d] in planes {
        let normal = [x, y, z];
        rows.push([dot(normal, e), dot(normal, f), dot(normal, a) + d]);
    }
    let [surely, perhaps] = [room, -room].map(|least| is_possible(&rows, least));
    (surely == perhaps).then_some(surely)
}

fn planes_of<T: Numbers>(aabb: &Aabb<T>) -> Vec<[f64; 4]> {
    let side = |axis: usize, sign: f64, at: T| {
        let mut plane = [0.0, 0.0, 0.0, -sign * at.to_f64()];
        plane[axis] = sign;
        plane
    };
    (0..3)
        .flat_map(|axis| [side(axis, 1.0, aabb.min[axis]), side(axis, -1.0, aabb.max[axis])])
        .collect()
}

fn drawn_frustum<T: Numbers>(
    world: &RandomWorld<T>,
    around: Vector,
    random: &mut Random,
) -> Frustum {
    let eye = plus(around, vector(random.point(-4.0, 4.0)));
    let at = target(world, random).map(T::to_f64);
    let along = unit(minus(at, eye));
    let side =
        lanecast_reference::vector::unit(lanecast_reference::vector::cross(along, [0.1, 0.2, 0.9]));
    let up = lanecast_reference::vector::cross(side, along);
    let [wide, high] = [(); 2].map(|()| f64::from(random.between(0.02, 0.5)));
    let corners = [[-wide, -high], [wide, -high], [wide, high], [-wide, high]]
        .map(|[x, y]| [0, 1, 2].map(|axis| along[axis] + x * side[axis] + y * up[axis]));
    let pyramid = Frustum::through(eye, corners).expect("a pyramid");
    if random.below(2) == 0 {
        return pyramid;
    }
    // With a near and a far plane.
    let near = [along[0], along[1], along[2], -dot(along, eye) - 1.0];
    let far =
        [-along[0], -along[1], -along[2], dot(along, eye) + f64::from(random.between(1.5, 6.0))];
    Frustum::new(&[pyramid.planes(), &[near, far]].concat()).expect("six planes")
}

/// Every way to ask must give the same, which is returned.
fn in_every_way<T: Numbers>(scene: &Scene<T>, region: Region, mask: u32) -> Vec<PrimitiveIds> {
    same_on_every_backend(region, |backend| {
        let request = scene.overlap(region).backend(backend).mask(mask);
        let found = request.primitives().expect("sound");
        assert_eq!(
            request.clone().brute_force().primitives().expect("sound"),
            found,
            "the tree shows: {region:?}"
        );
        assert_eq!(request.any().expect("sound"), !found.is_empty());
        assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]));
        found
    })
}

#[test]
fn all_triangles_in_a_region_are_found_and_no_others() {
    find_in_worlds::<f32>();
    find_in_worlds::<f64>();
}

fn find_in_worlds<T: Numbers>() {
    let (mut inside, mut outside, mut of_shapes) = ([0; 3], [0; 3], 0);
    for seed in 0..scaled(24) as u64 {
        let random = &mut Random::new(1_100 + seed);
        let (world, around) = RandomWorld::<T>::of_survey(Drawn::Masked, seed, random);
        // Planes lie outwards by 2⁻⁴⁴ of the coordinates.
        let room = 1e-7 + 2e-12 * length(around);
        for number in 0..24 {
            let kind = number % 3;
            let at = target(&world, random);
            let half = random.point(0.01, 0.8).map(T::of);
            let aabb = Aabb {
                min: std::array::from_fn(|axis| at[axis] - half[axis]),
                max: std::array::from_fn(|axis| at[axis] + half[axis]),
            };
            let ball = Sphere::new(at, half[0]);
            let frustum = drawn_frustum(&world, around, random);
            let (region, planes) = match kind {
                0 => (Region::from(&aabb), planes_of(&aabb)),
                1 => (Region::from(&ball), Vec::new()),
                _ => (Region::from(&frustum), frustum.planes().to_vec()),
            };
            let planes: Vec<[f64; 4]> = planes
                .iter()
                .map(|plane| plane.map(|x| x / length([plane[0], plane[1], plane[2]])))
                .collect();
            let mask = random.pick(&[u32::MAX, 0b010, 0b001]);
            let found = in_every_way(&world.scene, region, mask);
            for ids in &found {
                let thing =
                    &world.things[world.number(ids.instance_id, ids.geometry_id, ids.primitive_id)];
                assert!(thing.masks.iter().all(|of| of & mask != 0), "{ids:?} is hidden");
            }
            let named: std::collections::HashSet<usize> = found
                .iter()
                .map(|ids| world.number(ids.instance_id, ids.geometry_id, ids.primitive_id))
                .collect();
            for (place, thing) in world
                .things
                .iter()
                .enumerate()
                .filter(|(_, thing)| thing.masks.iter().all(|of| of & mask != 0))
            {
                let context = || format!("world {seed}, {region:?}: {thing:?}");
                match thing.shape {
                    Shape::Triangle(corners) => {
                        let expected = if kind == 1 {
                            let off =
                                nearest_in_f64(at.map(T::to_f64), corners).1 - ball.radius.to_f64();
                            (off.abs() > 1e-7).then_some(off < 0.0)
                        } else {
                            overlaps(&planes, corners, room)
                        };
                        if let Some(expected) = expected {
                            assert_eq!(named.contains(&place), expected, "{}", context());
                            *(if expected { &mut inside } else { &mut outside })[kind..]
                                .first_mut()
                                .expect("a kind") += 1;
                        }
                    }
                    // Its box may overlap where it does not itself, but not the other way round.
                    Shape::Ellipsoid(middle, _) | Shape::Parallelepiped(middle, _) => {
                        let within = match kind {
                            1 => {
                                thing.shape.distance(at.map(T::to_f64))
                                    < ball.radius.to_f64() - 1e-6
                            }
                            _ => planes
                                .iter()
                                .all(|[x, y, z, d]| dot([*x, *y, *z], middle) + d > 1e-6),
                        };
                        assert!(!within || named.contains(&place), "{}", context());
                        of_shapes += usize::from(within);
                    }
                }
            }
        }
    }
    let enough = |counts: [usize; 3]| counts.iter().all(|&count| count > 200);
    assert!(
        enough(inside) && enough(outside) && of_shapes > 200,
        "{inside:?} {outside:?} {of_shapes}"
    );
}

#[test]
fn touching_counts_and_what_is_beyond_a_corner_does_not() -> lanecast::Result<()> {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let scene = Scene::from_triangles(&triangle, &[[0, 1, 2]])?;
    let found = |min: [f32; 3], max: [f32; 3]| scene.overlap(&Aabb { min, max }).any();
    assert!(found([1.0, 0.0, 0.0], [2.0; 3])?, "a corner");
    assert!(found([0.5, 0.5, 0.0], [2.0; 3])?, "the middle of an edge");
    assert!(found([0.1, 0.1, 0.0], [0.2; 3])?, "the face from above");
    assert!(!found([0.51, 0.51, -1.0], [2.0; 3])?, "within its box, beyond its edge");
    assert!(!found([0.1, 0.1, 1e-9], [0.2; 3])?, "above the face");
    assert!(found([f32::NEG_INFINITY; 3], [f32::INFINITY; 3])?);
    assert!(!found([1.0; 3], [-1.0; 3])?, "an empty box");
    assert!(scene.overlap(&Sphere::new([0.25, 0.25, 1.0], 1.0)).any()?);
    assert!(!scene.overlap(&Sphere::new([0.25, 0.25, 1.0], 1.0_f32.next_down())).any()?);
    assert!(!scene.overlap(&Sphere::new([0.25, 0.25, 0.0], -1.0)).any()?);
    assert!(scene.overlap(&Sphere::new([9.0; 3], f32::INFINITY)).any()?);
    Ok(())
}

#[test]
fn far_away_the_tree_hides_nothing_that_rounding_lets_touch() {
    let random = &mut Random::new(9);
    let mesh = meshes::soup(200, random);
    let leaf = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("sound"));
    let (mut found, mut left) = (0, 0);
    for _ in 0..scaled(60) {
        // There `f64` tells points apart that are a ten-thousandth apart.
        let away = [1e12, -3e11, 2e10].map(|x| x * f64::from(random.between(0.5, 1.0)));
        let map = Affine::translation(away) * transform(random);
        let scene = SceneBuilder::new().instance(&leaf, map).build().expect("a scene");
        let [x, y, z] = random.direction().map(f64::from);
        let through = map.point(vector(random.pick(&mesh.vertices)));
        let plane = Frustum::new(&[[x, y, z, -dot([x, y, z], through)]]).expect("a plane");
        let inside = in_every_way(&scene, Region::from(&plane), u32::MAX).len();
        found += inside;
        left += 200 - inside;
    }
    assert!(found > 1_000 && left > 1_000, "{found} and {left}");
}

#[test]
fn a_rectangle_of_a_picture_picks_all_that_its_rays_meet() -> lanecast::Result<()> {
    let random = &mut Random::new(4);
    let mesh = meshes::terrain(80, random);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles)?;
    let (eye, [low, high]) = ([0.3, 0.2, 2.0], [-0.2, 0.1]);
    let corner = |x: f64, y: f64| [x, y, -1.0];
    let corners = [corner(low, low), corner(high, low), corner(high, high), corner(low, high)];
    let picked = scene.overlap(&Frustum::through(eye, corners)?).primitives()?;
    let ids: std::collections::HashSet<u32> = picked.iter().map(|ids| ids.primitive_id).collect();
    let mut met = 0;
    for _ in 0..400 {
        let [x, y] = [(); 2].map(|()| random.between(low as f32, high as f32));
        let ray = lanecast::Ray::new(eye.map(|x| x as f32), [x, y, -1.0]);
        for hit in scene.cast(&ray).all()? {
            assert!(ids.contains(&hit.primitive_id), "{hit:?}");
            met += 1;
        }
    }
    assert!(
        met > 300 && picked.len() < mesh.triangles.len() / 4,
        "{met} met, {} picked",
        picked.len()
    );
    assert_eq!(picked[0].instance_id, INVALID_ID);
    assert_eq!(picked[0].instance(), None);
    Ok(())
}

#[test]
fn a_region_that_is_none_is_refused_by_name() -> lanecast::Result<()> {
    let scene = SceneBuilder::new().build()?;
    let message =
        |refused: lanecast::Result<Vec<PrimitiveIds>>| refused.expect_err("refused").to_string();
    let nan = Aabb { min: [f32::NAN, 0.0, 0.0], max: [1.0; 3] };
    assert!(message(scene.overlap(&nan).primitives()).starts_with("overlap: box "));
    assert!(
        message(scene.overlap(&Sphere::new([0.0; 3], f32::NAN)).primitives())
            .starts_with("overlap: sphere ")
    );
    let mut held = vec![PrimitiveIds { instance_id: 0, geometry_id: 0, primitive_id: 0 }];
    let masks = scene.overlap(&Sphere::new([0.0; 3], 1.0)).mask(&[1, 2]).primitives_into(&mut held);
    assert_eq!(masks, Err(Error::ColumnLength { column: "masks", found: 2, expected: 1 }));
    assert!(held.is_empty());
    let plane = [1.0, 0.0, 0.0, 0.0];
    for planes in [&[][..], &[plane; 7], &[[0.0, 0.0, 0.0, 1.0]], &[[1.0, f64::NAN, 0.0, 0.0]]] {
        let refused = Frustum::new(planes).expect_err("refused").to_string();
        assert!(refused.starts_with("frustum: planes "), "{refused}");
    }
    assert!(Frustum::through([0.0; 3], [[0.0, 0.0, 1.0]; 4]).is_err());
    Ok(())
}
