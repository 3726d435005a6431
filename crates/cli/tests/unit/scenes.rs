use super::*;
use lanecast::primitive::{Cylinder, Sphere};
use lanecast::{Aabb, Affine, SceneBuilder};

#[test]
fn each_scene_is_listed_once() {
    let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]]).expect("a scene"));
    let build = |builder: SceneBuilder<'_>| Arc::new(builder.build().expect("a scene"));
    let twice = |scene| {
        SceneBuilder::new().instance(scene, Affine::IDENTITY).instance(scene, Affine::IDENTITY)
    };
    let middle = build(twice(&leaf));
    let outer = build(twice(&middle).instance(&leaf, Affine::IDENTITY));
    assert_eq!(depths(&outer), [0, 1, 2]);
}

#[test]
fn primitives_are_counted_by_their_kind() {
    let pole = Cylinder { ends: [[0.0; 3], [0.0, 0.0, 1.0]], radius: 1.0 };
    let scene = SceneBuilder::new()
        .boxes(&[Aabb::EMPTY; 2])
        .and_then(|builder| builder.spheres(&[Sphere::new([0.0; 3], 1.0); 3]))
        .and_then(|builder| builder.cylinders(&[pole; 4]))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let kinds = Kinds { boxes: 2, spheres: 3, cylinders: 4, ..Kinds::default() };
    assert_eq!(Kinds::of(&scene), kinds);
    assert_eq!(kinds.words(), ["2 boxes", "3 spheres", "4 cylinders"]);
}
