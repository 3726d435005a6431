//! A scene and those that are placed in it, each once, however often and however deep it is placed.

use crate::number::counted;
use lanecast::{Precision, Scene, primitive::Primitives, scene::GeometryView};
use lanecast_reference::vector::Numbers;
use lanecast_reference::world::{Geometry, World};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// How deep scenes lie one in another in each of them, 0 without instances; those that are placed
/// before those in which they are.
pub(crate) fn depths<T: Precision>(scene: &Scene<T>) -> Vec<usize> {
    let mut all = Vec::new();
    add(scene, &mut all, &mut HashMap::new());
    all
}

/// Adds a scene behind all that are in it, and returns its depth.
fn add<T: Precision>(
    scene: &Scene<T>,
    all: &mut Vec<usize>,
    known: &mut HashMap<*const Scene<T>, usize>,
) -> usize {
    let mut depth = 0;
    for instance in scene.instance_numbers() {
        let inner = scene.instance_scene(instance).expect("one of those counted");
        let of_inner = match known.get(&Arc::as_ptr(inner)) {
            Some(&depth) => depth,
            None => add(inner, all, known),
        };
        known.insert(Arc::as_ptr(inner), of_inner);
        depth = depth.max(1 + of_inner);
    }
    all.push(depth);
    depth
}

/// Primitives by their kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Kinds {
    pub(crate) triangles: usize,
    pub(crate) boxes: usize,
    pub(crate) oriented_boxes: usize,
    pub(crate) spheres: usize,
    pub(crate) round_cones: usize,
    pub(crate) cylinders: usize,
    /// Of a world they are triangles like others.
    pub(crate) height_field_triangles: usize,
}

impl Kinds {
    /// Those of a scene itself, of which none is the caller's own.
    pub(crate) fn of<T: Precision>(scene: &Scene<T>) -> Self {
        let mut kinds = Self::default();
        for geometry_id in scene.geometry_ids() {
            match scene.geometry(geometry_id).expect("one of those counted") {
                GeometryView::Triangles { count } => kinds.triangles += count,
                GeometryView::Boxes(boxes) => kinds.boxes += boxes.len(),
                GeometryView::OrientedBoxes(boxes) => kinds.oriented_boxes += boxes.len(),
                GeometryView::Spheres(spheres) => kinds.spheres += spheres.len(),
                GeometryView::RoundCones(cones) => kinds.round_cones += cones.len(),
                GeometryView::Cylinders(cylinders) => kinds.cylinders += cylinders.len(),
                GeometryView::HeightField(field) => kinds.height_field_triangles += field.count(),
                GeometryView::Own(_) => {}
            }
        }
        kinds
    }

    /// Those of all scenes in a world, each scene once.
    pub(crate) fn of_world<T: Numbers>(world: &World<'_, T>) -> Self {
        let of = |geometry: &Geometry<'_, T>| {
            let (count, mut kinds) = (geometry.count(), Self::default());
            match geometry {
                Geometry::Mesh(_) => kinds.triangles = count,
                Geometry::Boxes(_) => kinds.boxes = count,
                Geometry::OrientedBoxes(_) => kinds.oriented_boxes = count,
                Geometry::Spheres(_) => kinds.spheres = count,
                Geometry::RoundCones(_) => kinds.round_cones = count,
                Geometry::Cylinders(_) => kinds.cylinders = count,
                Geometry::Own(_) | Geometry::Hidden => {}
            }
            kinds
        };
        world.geometries().map(of).fold(Self::default(), Self::and)
    }

    /// Those of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            triangles: self.triangles + other.triangles,
            boxes: self.boxes + other.boxes,
            oriented_boxes: self.oriented_boxes + other.oriented_boxes,
            spheres: self.spheres + other.spheres,
            round_cones: self.round_cones + other.round_cones,
            cylinders: self.cylinders + other.cylinders,
            height_field_triangles: self.height_field_triangles + other.height_field_triangles,
        }
    }

    /// The number of each kind that there is, in words.
    pub(crate) fn words(self) -> Vec<String> {
        let all = [
            (self.triangles + self.height_field_triangles, "triangle"),
            (self.boxes, "box"),
            (self.oriented_boxes, "oriented box"),
            (self.spheres, "sphere"),
            (self.round_cones, "round cone"),
            (self.cylinders, "cylinder"),
        ];
        all.into_iter()
            .filter(|&(count, _)| count > 0)
            .map(|(count, kind)| counted(count, kind))
            .collect()
    }
}

#[cfg(test)]
#[path = "../tests/unit/scenes.rs"]
mod tests;
