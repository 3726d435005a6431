//! A scene and those that are placed in it, each once, however often and however deep it is placed.

use crate::number::counted;
use lanecast::{GeometryView, Scene};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// One of them.
#[derive(Debug)]
pub(crate) struct Listed<'a> {
    pub(crate) scene: &'a Scene,
    /// The place in the list of the scene of each instance: before its own.
    pub(crate) placed: Vec<usize>,
    /// How deep scenes lie in it one in another: 0 without instances.
    pub(crate) depth: usize,
}

/// All of them, those that are placed before those in which they are: the last is the scene itself.
pub(crate) fn list(scene: &Scene) -> Vec<Listed<'_>> {
    let mut all = Vec::new();
    add(scene, &mut all, &mut HashMap::new());
    all
}

/// Adds a scene behind all that are in it.
fn add<'a>(scene: &'a Scene, all: &mut Vec<Listed<'a>>, places: &mut HashMap<*const Scene, usize>) {
    let mut placed = Vec::with_capacity(scene.instance_count());
    for instance in 0..scene.instance_count() {
        let inner = scene.instance_scene(instance).expect("one of those counted");
        let place = places.get(&Arc::as_ptr(inner)).copied().unwrap_or_else(|| {
            add(inner, all, places);
            places.insert(Arc::as_ptr(inner), all.len() - 1);
            all.len() - 1
        });
        placed.push(place);
    }
    let depth = placed.iter().map(|&place| 1 + all[place].depth).max().unwrap_or(0);
    all.push(Listed { scene, placed, depth });
}

/// Primitives by their kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Kinds {
    pub(crate) triangles: usize,
    pub(crate) boxes: usize,
    pub(crate) oriented_boxes: usize,
    pub(crate) spheres: usize,
}

impl Kinds {
    /// Those of a scene itself, of which none is the caller's own.
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut kinds = Self::default();
        for geometry_id in 0..scene.geometry_count() as u32 {
            match scene.geometry(geometry_id).expect("one of those counted") {
                GeometryView::Triangles { count } => kinds.triangles += count,
                GeometryView::Boxes(boxes) => kinds.boxes += boxes.len(),
                GeometryView::OrientedBoxes(boxes) => kinds.oriented_boxes += boxes.len(),
                GeometryView::Spheres(spheres) => kinds.spheres += spheres.len(),
                GeometryView::Own(_) => {}
            }
        }
        kinds
    }

    /// Those of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            triangles: self.triangles + other.triangles,
            boxes: self.boxes + other.boxes,
            oriented_boxes: self.oriented_boxes + other.oriented_boxes,
            spheres: self.spheres + other.spheres,
        }
    }

    /// The number of each kind that there is, in words.
    pub(crate) fn words(self) -> Vec<String> {
        let all = [
            (self.triangles, "triangle", "triangles"),
            (self.boxes, "box", "boxes"),
            (self.oriented_boxes, "oriented box", "oriented boxes"),
            (self.spheres, "sphere", "spheres"),
        ];
        let there = all.into_iter().filter(|&(count, ..)| count > 0);
        there.map(|(count, one, many)| counted(count, one, many)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanecast::primitive::Sphere;
    use lanecast::{Aabb, Affine, SceneBuilder};

    #[test]
    fn each_scene_is_listed_once_and_behind_what_is_in_it() {
        let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]]).expect("a scene"));
        let build = |builder: SceneBuilder<'_>| Arc::new(builder.build().expect("a scene"));
        let twice =
            |scene| SceneBuilder::new().instance(scene, Affine::IDENTITY).instance(scene, Affine::IDENTITY);
        let middle = build(twice(&leaf));
        let outer = build(twice(&middle).instance(&leaf, Affine::IDENTITY));
        let listed = list(&outer);
        assert_eq!(listed.iter().map(|listed| listed.depth).collect::<Vec<_>>(), [0, 1, 2]);
        let placed: Vec<_> = listed.iter().map(|listed| &listed.placed[..]).collect();
        assert_eq!(placed, [&[][..], &[0, 0], &[1, 1, 0]]);
        assert!(std::ptr::eq(listed[2].scene, &*outer) && std::ptr::eq(listed[0].scene, &*leaf));
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
}
