use super::*;
use lanecast::primitive::Sphere;
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
    let scene = SceneBuilder::new()
        .boxes(&[Aabb::EMPTY; 2])
        .and_then(|builder| builder.spheres(&[Sphere::new([0.0; 3], 1.0); 3]))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    assert_eq!(Kinds::of(&scene), Kinds { boxes: 2, spheres: 3, ..Kinds::default() });
}
