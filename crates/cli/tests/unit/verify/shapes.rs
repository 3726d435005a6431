//! The same of boxes, oriented boxes and spheres, in scenes in scenes by maps of any numbers.

use super::*;
use lanecast::SceneBuilder;
use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, INVALID_ID};
use lanecast_reference::brute_force::Meeting;

/// What there is to change.
struct Held<T: Tested = f32> {
    boxes: Vec<Aabb<T>>,
    oriented_boxes: Vec<Obb<T>>,
    spheres: Vec<Sphere<T>>,
    /// Of the inner scenes, and of those in the outermost.
    inner: [Affine; 2],
    outer: [Affine; 2],
    /// Of the second inner scene, and of the spheres in each.
    mask: u32,
    mask_of_spheres: u32,
}

fn own<T: Tested>(v: [f64; 3]) -> [T; 3] {
    v.map(Tested::of)
}

impl<T: Tested> Held<T> {
    fn right() -> Self {
        let (s, c) = 0.4_f64.sin_cos();
        let turned = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]].map(own);
        let obb =
            |center, half| Obb::new(own(center), turned, own(half)).expect("orthonormal axes");
        let aabb = |min, max| Aabb { min: own(min), max: own(max) };
        let ball = |center, radius| Sphere::new(own(center), Tested::of(radius));
        Self {
            boxes: vec![
                aabb([-1.0; 3], [-0.25, 0.5, 0.0]),
                aabb([0.1, 0.2, -0.4], [0.9, 0.7, -0.4]),
                Aabb::EMPTY,
            ],
            oriented_boxes: vec![
                obb([0.5, -0.5, 0.5], [0.4, 0.2, 0.3]),
                obb([-0.5, 0.6, 0.6], [0.3, 0.0, 0.2]),
            ],
            spheres: vec![
                ball([0.3, 0.1, -0.2], 0.45),
                ball([-0.4, -0.3, 0.5], 0.3),
                ball([0.0; 3], -1.0),
            ],
            inner: [map(0.7, [0.5, 0.3, -0.2]), map(-1.1, [-0.4, 0.5, 0.4])],
            outer: [map(2.0, [0.9, 0.1, 0.7]), map(0.2, [-1.1, -0.4, 0.2])],
            mask: u32::MAX,
            mask_of_spheres: u32::MAX,
        }
    }

    /// All kinds and a mesh, placed twice in a scene with spheres, that twice in one with boxes.
    fn scene(&self) -> Scene<T> {
        let meshes = meshes::<T>();
        let near = |vertex: &[T; 3]| {
            [0, 1, 2].map(|axis| Tested::of(vertex[axis].to_f64() - T::AWAY[axis]))
        };
        let vertices: Vec<_> = meshes[1].vertices.iter().map(near).collect();
        let triangles = &meshes[1].triangles;
        let place = |scene: Scene<T>, maps: &[Affine; 2]| {
            let shared = Arc::new(scene);
            maps.iter()
                .fold(SceneBuilder::<T>::default(), |builder, map| builder.instance(&shared, *map))
        };
        let mut leaf = SceneBuilder::<T>::default()
            .boxes(&self.boxes)
            .and_then(|builder| builder.oriented_boxes(&self.oriented_boxes))
            .and_then(|builder| builder.triangle_mesh(&vertices, triangles))
            .and_then(|builder| builder.spheres(&self.spheres))
            .and_then(SceneBuilder::build)
            .expect("a scene");
        leaf.set_mask(3, self.mask_of_spheres).expect("a geometry");
        let middle = place(leaf, &self.inner).spheres(&self.spheres).and_then(SceneBuilder::build);
        let mut middle = middle.expect("a scene");
        middle.set_instance_mask(1, self.mask).expect("an instance");
        place(middle, &self.outer)
            .boxes(&self.boxes)
            .and_then(SceneBuilder::build)
            .expect("a scene")
    }
}

/// Turned about an axis amid the others, stretched, sheared and moved.
fn map(angle: f64, by: [f64; 3]) -> Affine {
    let (s, c) = angle.sin_cos();
    let about_z = Affine::from_rows([[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let about_x = Affine::from_rows([[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.0]]);
    let stretched =
        Affine::from_rows([[1.3, 0.1, 0.0, 0.0], [0.0, -0.7, 0.2, 0.0], [0.0, 0.0, 0.9, 0.0]]);
    Affine::translation(by) * about_x * stretched * about_z
}

const RAYS: usize = 900;

#[test]
fn right_answers_of_every_kind_do_not_differ() {
    hold_right_answers_of_every_kind::<f32>();
    hold_right_answers_of_every_kind::<f64>();
}

fn hold_right_answers_of_every_kind<T: Tested>() {
    let scene = Held::<T>::right().scene();
    let world = World::of_scene(&scene).expect("a world");
    assert_eq!((world.tests(), world.places()), (3 + 2 * (1 + 3 + 2 * (1 + 9)), 7));
    let rays = rays(&world, RAYS);
    let expected = expected(&world, &rays);
    let differences = compared(&scene, &every_way(), &rays, &expected);
    assert!(differences.is_empty(), "{differences:?}");
    // In the order of ids an instance is followed by those in it.
    for (instance_id, geometries) in
        [(INVALID_ID, 1), (0, 1), (1, 4), (2, 4), (3, 1), (4, 4), (5, 4)]
    {
        for geometry_id in 0..geometries {
            let here = |expected: &&Expected| {
                let is_here = |meeting: &Meeting| {
                    (meeting.instance_id, meeting.geometry_id) == (instance_id, geometry_id)
                };
                expected.meetings.iter().any(is_here)
            };
            let met = expected.iter().filter(here).count();
            assert!(met >= 5, "geometry {geometry_id} in {instance_id}: {met}");
        }
    }
    let grazing = expected.iter().filter(|expected| expected.grazes).count();
    // More of the rays of `f64` go exactly where they are aimed at.
    assert!(grazing < RAYS / if T::FINER < 1.0 { 20 } else { 50 }, "{grazing}");
}

type Change<T> = (&'static str, fn(&mut Held<T>));

/// A number that is more by a ten-thousandth, or by a millionth of that.
fn more<T: Tested>(x: &mut T) {
    *x = Tested::of(x.to_f64() + 1e-4 * T::FINER);
}

/// Each is an engine that has something else than it should.
fn changes<T: Tested>() -> [Change<T>; 13] {
    [
        ("a sphere moved", |held| more(&mut held.spheres[0].center[1])),
        ("a sphere larger", |held| more(&mut held.spheres[1].radius)),
        ("a sphere less", |held| held.spheres[1].radius = -T::ONE),
        ("a box moved", |held| more(&mut held.boxes[0].max[0])),
        ("a flat box moved", |held| {
            more(&mut held.boxes[1].min[2]);
            more(&mut held.boxes[1].max[2]);
        }),
        ("a box less", |held| held.boxes[0] = Aabb::EMPTY),
        ("an oriented box longer", |held| more(&mut held.oriented_boxes[0].half_extents[1])),
        ("an oriented box turned", |held| {
            let [x, y, z] = held.oriented_boxes[0].axes;
            held.oriented_boxes[0].axes = [y, x, z];
        }),
        ("an instance moved", |held| {
            held.inner[1] = with(held.inner[1], [0, 3], |x| x + 1e-4 * T::FINER);
        }),
        ("an instance sheared otherwise", |held| {
            held.outer[0] = with(held.outer[0], [1, 2], |x| x + 1e-4 * T::FINER);
        }),
        ("instances taken for each other", |held| held.outer.swap(0, 1)),
        ("spheres hidden", |held| held.mask_of_spheres = 0),
        ("an instance hidden", |held| held.mask = 0),
    ]
}

#[test]
fn wrong_engines_are_found_out() {
    find_wrong_engines::<f32>();
    find_wrong_engines::<f64>();
}

fn find_wrong_engines<T: Tested>() {
    let right = Held::<T>::right().scene();
    let world = World::of_scene(&right).expect("a world");
    let rays = rays(&world, RAYS);
    let expected = expected(&world, &rays);
    for (what, change) in changes::<T>() {
        let mut wrong = Held::<T>::right();
        change(&mut wrong);
        let found = compared(&wrong.scene(), &[one_way()], &rays, &expected);
        assert!(found.len() > 10, "{what}: {} of {}", found.len(), rays.len());
    }
}

#[test]
fn every_wrong_answer_is_found() {
    find_wrong_answers::<f32>();
    find_wrong_answers::<f64>();
}

fn find_wrong_answers<T: Tested>() {
    let scene = Held::<T>::right().scene();
    let world = World::of_scene(&scene).expect("a world");
    let rays = rays(&world, RAYS);
    let (expected, answers) = (expected(&world, &rays), ask(&scene, &rays));
    for (what, spoil) in spoils::<T>() {
        assert!(spoil_all(&answers, &expected, what, spoil) > 0, "{what} spoils nothing");
    }
}

/// What is hidden in a scene that is placed is not to be met; of the scene itself masks do not
/// count.
#[test]
fn what_is_hidden_where_it_is_placed_is_not_met() {
    let hidden = Held::<f32> { mask: 0, mask_of_spheres: 0, ..Held::right() };
    let scene = hidden.scene();
    let world = World::of_scene(&scene).expect("a world");
    assert_eq!((world.tests(), world.places()), (3 + 2 * (1 + 3 + 2 + 6), 5));
    let rays = rays(&world, RAYS);
    let expected = expected(&world, &rays);
    assert!(compared(&scene, &[one_way()], &rays, &expected).is_empty());
    let met = expected.iter().flat_map(|expected| &expected.meetings);
    let met = met.map(|meeting| (meeting.instance_id, meeting.geometry_id));
    assert!(met.clone().any(|(id, _)| id == 4) && met.clone().all(|(id, _)| id != 2 && id != 5));
    assert!(met.clone().any(|ids| ids == (3, 0)) && met.clone().all(|ids| ids != (4, 3)));
    assert!(compared(&Held::<f32>::right().scene(), &[one_way()], &rays, &expected).len() > 10);
}

/// What is hidden has ids nevertheless, and so has what holds nothing.
#[test]
fn ids_go_on_after_what_is_hidden_or_empty() {
    let ball =
        SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 1.0)]).and_then(SceneBuilder::build);
    let empty = SceneBuilder::new().build().expect("a scene");
    let [ball, empty] = [ball.expect("a scene"), empty].map(Arc::new);
    let twice = |scene: &Arc<Scene>| {
        let builder = SceneBuilder::new().instance(scene, map(0.3, [2.0, 0.0, 0.0]));
        Arc::new(builder.instance(scene, map(0.9, [-2.0, 0.0, 0.0])).build().expect("a scene"))
    };
    let mut inner = SceneBuilder::new()
        .instance(&twice(&ball), map(0.1, [0.0, 3.0, 0.0]))
        .instance(&twice(&empty), map(0.2, [0.0, 1.0, 0.0]))
        .instance(&ball, map(0.5, [0.0, -3.0, 0.0]))
        .build()
        .expect("a scene");
    inner.set_instance_mask(0, 0).expect("an instance");
    let scene =
        SceneBuilder::new().instance(&Arc::new(inner), Affine::IDENTITY).build().expect("a scene");
    let world = World::of_scene(&scene).expect("a world");
    assert_eq!((world.tests(), world.places(), world.outermost().ids), (5, 1, 8));
    let rays = rays(&world, 60);
    let expected = expected(&world, &rays);
    assert!(compared(&scene, &[one_way()], &rays, &expected).is_empty());
    let met: Vec<_> = expected.iter().flat_map(|expected| &expected.meetings).collect();
    assert!(met.len() > 20 && met.iter().all(|meeting| meeting.instance_id == 7));
}

/// A ray that touches a sphere in one point: rounding decides, either answer will do, and none that
/// is wrong otherwise.
#[test]
fn what_is_grazed_is_met_or_missed_but_nowhere_else() {
    let scene = SceneBuilder::new().spheres(&[Sphere::new([5.0, 0.0, 0.0], 1.0)]);
    let scene = scene.and_then(SceneBuilder::build).expect("a scene");
    let world = World::of_scene(&scene).expect("a world");
    let cast = |y| Named { id: 0, ray: Ray::new([0.0, y, 0.0], [1.0, 0.0, 0.0]) };
    let rays = [cast(1.0), cast(1.0_f32.next_up()), cast(1.0_f32.next_down())];
    let expected = expected(&world, &rays);
    assert_eq!([0, 1, 2].map(|ray| expected[ray].grazes), [true, false, false]);
    let answers = ask(&scene, &rays);
    let [grazing, missing, meeting] = &answers[..] else { unreachable!("three rays") };
    assert_eq!([grazing, missing, meeting].map(|answer| answer.count), [2, 0, 2]);
    let passes = |answer: &Answer, ray: usize| compare::mismatch(answer, &expected[ray]).is_none();
    assert!(passes(grazing, 0) && passes(missing, 0));
    assert!(passes(missing, 1) && !passes(grazing, 1));
    assert!(passes(meeting, 2) && !passes(missing, 2));
    let mut elsewhere = grazing.clone();
    on_closest(&mut elsewhere, |hit| hit.t += 1e-4);
    assert!(!passes(&elsewhere, 0));
}

/// Rays whose numbers a frame could not hold are refused, and no others.
#[test]
fn numbers_that_no_frame_holds_are_refused() {
    let scale = (0.5_f64).powi(50);
    let small =
        Affine::from_rows([[scale, 0.0, 0.0, 0.0], [0.0, scale, 0.0, 0.0], [0.0, 0.0, scale, 0.0]]);
    let ball =
        SceneBuilder::new().spheres(&[Sphere::new([0.0; 3], 1.0)]).and_then(SceneBuilder::build);
    let ball = Arc::new(ball.expect("a scene"));
    let scene = SceneBuilder::new().instance(&ball, small).build().expect("a scene");
    let world = World::of_scene(&scene).expect("a world");
    let cast = |x: f32| Named { id: 0, ray: Ray::new([x, 0.0, 0.0], [-1.0, 0.0, 0.0]) };
    let rays = [cast(2.0_f32.powi(60)), cast(2.0_f32.powi(40))];
    let expected = expected(&world, &rays);
    assert_eq!([0, 1].map(|ray| expected[ray].may_be_refused), [true, false]);
    let answers = ask(&scene, &rays);
    assert_eq!([0, 1].map(|ray| answers[ray].status[0]), [Status::InvalidOrigin, Status::Hit]);
    assert_eq!(compare::mismatch(&answers[0], &expected[0]), None);
    assert_eq!(compare::mismatch(&answers[1], &expected[1]), None);
    assert!(compare::mismatch(&answers[0], &expected[1]).is_some());
}
