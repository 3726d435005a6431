//! A scene tells what it holds: the primitives of each geometry, of whatever kind, and the scenes
//! that are placed in it.

use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, Affine, Error, Geometry, Scene, SceneBuilder, Threads, scene::GeometryView};
use std::sync::Arc;

const VERTICES: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const BOXES: [Aabb; 2] = [Aabb { min: [0.0; 3], max: [1.0; 3] }, Aabb::EMPTY];
const BALLS: [Sphere; 3] =
    [Sphere::new([0.0; 3], 1.0), Sphere::new([1.0; 3], -1.0), Sphere::new([2.0; 3], 0.5)];

fn oriented() -> [Obb; 1] {
    let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    [Obb::new([1.0, 2.0, 3.0], axes, [1.0, 0.5, 0.25]).expect("orthonormal axes")]
}

fn builder<'a>() -> SceneBuilder<'a> {
    let builder =
        SceneBuilder::new().boxes(&BOXES).and_then(|builder| builder.oriented_boxes(&oriented()));
    let builder =
        builder.and_then(|builder| builder.triangle_mesh(&VERTICES, &[[0, 1, 2], [0, 1, 3]]));
    builder.and_then(|builder| builder.spheres(&BALLS)).expect("sound geometries")
}

/// The four geometries of the builder.
fn assert_all_there(scene: &Scene) {
    let view = |geometry_id| scene.geometry(geometry_id).expect("a geometry");
    assert!(matches!(view(0), GeometryView::Boxes(boxes) if boxes == BOXES));
    assert!(matches!(view(1), GeometryView::OrientedBoxes(boxes) if boxes == oriented()));
    assert!(matches!(view(2), GeometryView::Triangles { count: 2 }));
    assert!(matches!(view(3), GeometryView::Spheres(spheres) if spheres == BALLS));
    assert_eq!([0, 1, 2, 3].map(|id| view(id).primitive_count()), [2, 1, 2, 3]);
}

#[test]
fn every_kind_is_told_with_its_primitives() {
    assert_all_there(&builder().build().expect("a scene"));
}

#[test]
fn primitives_of_the_callers_own_type_are_viewed_as_own() {
    let own: Arc<dyn lanecast::primitive::Primitives> = Arc::new(BALLS.to_vec());
    let scene = SceneBuilder::new().primitives(Arc::clone(&own)).and_then(SceneBuilder::build);
    let scene = scene.expect("a scene");
    let view = scene.geometry(0).expect("a geometry");
    assert!(matches!(view, GeometryView::Own(primitives) if Arc::ptr_eq(primitives, &own)));
    assert_eq!(view.primitive_count(), 3);
}

#[test]
fn what_is_replaced_is_told_as_what_came_in_its_place() {
    let mut scene = builder().build().expect("a scene");
    let replace = |scene: &mut Scene, geometry_id, geometry| {
        scene
            .change()
            .threads(&Threads::ONE)
            .replace(&[(geometry_id, geometry)])
            .expect("replaced");
    };
    replace(&mut scene, 2, Geometry::spheres(&BALLS[..1]));
    replace(&mut scene, 0, Geometry::triangle_mesh(&VERTICES, &[[0, 1, 2]]));
    replace(&mut scene, 3, Geometry::triangle_mesh(&[], &[]));
    let view = |geometry_id| scene.geometry(geometry_id).expect("a geometry");
    assert!(matches!(view(2), GeometryView::Spheres(spheres) if spheres == &BALLS[..1]));
    assert!(matches!(view(0), GeometryView::Triangles { count: 1 }));
    assert!(matches!(view(1), GeometryView::OrientedBoxes(boxes) if boxes == oriented()));
    assert!(matches!(view(3), GeometryView::Triangles { count: 0 }));
}

#[test]
fn an_instance_tells_the_scene_that_it_places_and_shares() {
    let [first, second] = [(); 2].map(|()| Arc::new(builder().build().expect("a scene")));
    let place = |builder: SceneBuilder<'static>, scene| builder.instance(scene, Affine::IDENTITY);
    let mut scene = [&first, &second, &first]
        .into_iter()
        .fold(SceneBuilder::new(), place)
        .build()
        .expect("a scene");
    let is = |scene: &Scene, instance, other| {
        Arc::ptr_eq(scene.instance_scene(instance).expect("an instance"), other)
    };
    assert!(is(&scene, 0, &first) && is(&scene, 1, &second) && is(&scene, 2, &first));
    scene.set_scenes([(2, Arc::clone(&second))]).expect("placed");
    assert!(is(&scene, 0, &first) && is(&scene, 2, &second));
}

#[test]
fn what_does_not_exist_is_an_error() {
    let scene = builder().build().expect("a scene");
    assert!(matches!(
        scene.geometry(4),
        Err(Error::UnknownGeometry { geometry_id: 4, geometries: 4 })
    ));
    assert!(matches!(
        scene.instance_scene(0),
        Err(Error::UnknownInstance { instance: 0, instances: 0 })
    ));
}

#[cfg(feature = "scene-files")]
#[test]
fn an_opened_scene_has_the_same_views_and_shares_placed_scenes() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = Arc::new(builder().build().expect("a scene"));
    let at = |x| Affine::translation([x, 0.0, 0.0]);
    let outer =
        builder().instance(&inner, at(3.0)).instance(&inner, at(-3.0)).build().expect("a scene");
    let path = folder.path().join("view.scene");
    outer.save(&path).expect("written");
    let opened = Scene::open(&path).expect("opened");
    assert_all_there(&opened);
    let placed = [0, 1].map(|instance| opened.instance_scene(instance).expect("an instance"));
    assert!(Arc::ptr_eq(placed[0], placed[1]));
    assert_all_there(placed[0]);
}
