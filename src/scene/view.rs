//! What a scene holds, for whoever asks: of what its geometries are, and which scenes are placed in it.

use std::sync::Arc;

use super::Scene;
use crate::error::Result;
use crate::leaf::{Primitives, Shape};
use crate::value::{Aabb, Obb, Sphere};

/// Of what a geometry of a scene is, with its primitives where they lie: what [`Scene::geometry`] answers. A primitive id
/// is a place in the slice.
#[derive(Debug, Clone, Copy)]
pub enum GeometryView<'a> {
    /// A triangle mesh, which may be empty. Its corners lie in the tree: [`Scene::triangle`] and [`Scene::triangles`] tell
    /// them.
    Triangles {
        /// How many there are.
        count: usize,
    },
    /// Boxes by the axes of the scene.
    Boxes(&'a [Aabb]),
    /// Boxes by axes of their own.
    OrientedBoxes(&'a [Obb]),
    /// Spheres.
    Spheres(&'a [Sphere]),
    /// Primitives of the caller's own. Never in a scene that was opened from a file.
    Own(&'a Arc<dyn Primitives>),
}

impl GeometryView<'_> {
    /// How many primitives there are.
    pub fn primitive_count(&self) -> usize {
        match self {
            Self::Triangles { count } => *count,
            Self::Boxes(boxes) => boxes.len(),
            Self::OrientedBoxes(boxes) => boxes.len(),
            Self::Spheres(spheres) => spheres.len(),
            Self::Own(primitives) => primitives.count(),
        }
    }
}

impl Scene {
    /// Of what a geometry is, with its primitives, in the scene's own frame. Costs nothing.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{GeometryView, SceneBuilder};
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let ball = Sphere::new([0.0, 0.0, 5.0], 1.0);
    /// let scene = SceneBuilder::new().triangle_mesh(&vertices, &[[0, 1, 2]])?.spheres(&[ball])?.build()?;
    /// assert!(matches!(scene.geometry(0)?, GeometryView::Triangles { count: 1 }));
    /// assert!(matches!(scene.geometry(1)?, GeometryView::Spheres(spheres) if spheres == [ball]));
    /// assert!(scene.geometry(2).is_err());
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there is none of that number.
    pub fn geometry(&self, geometry_id: u32) -> Result<GeometryView<'_>> {
        self.masks.get(geometry_id)?;
        Ok(match self.shapes.geometry(geometry_id) {
            None => GeometryView::Triangles { count: self.numbering.numbers(geometry_id).len() },
            Some(Shape::Boxes(boxes)) => GeometryView::Boxes(boxes),
            Some(Shape::OrientedBoxes(boxes)) => GeometryView::OrientedBoxes(boxes),
            Some(Shape::Spheres(spheres)) => GeometryView::Spheres(spheres),
            Some(Shape::Own(primitives)) => GeometryView::Own(primitives),
        })
    }

    /// The scene that an instance of this one places, by its number in the order of adding;
    /// [`transform`](Self::transform) says where and [`instance_mask`](Self::instance_mask) for which rays. What is placed
    /// more than once is one scene: `Arc::ptr_eq` tells it. That holds for scenes opened from a file, too.
    ///
    /// ```
    /// use lanecast::{Affine, Scene, SceneBuilder};
    /// use std::sync::Arc;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    /// let at = |z| Affine::translation([0.0, 0.0, z]);
    /// let scene = SceneBuilder::new().instance(&leaf, at(1.0)).instance(&leaf, at(2.0)).build()?;
    /// assert!(Arc::ptr_eq(scene.instance_scene(1)?, &leaf));
    /// assert_eq!(scene.transform(1)?, at(2.0));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none of that number.
    pub fn instance_scene(&self, instance: usize) -> Result<&Arc<Self>> {
        self.instances.scene(instance)
    }
}
