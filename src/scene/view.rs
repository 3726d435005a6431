//! The contents of a scene: the kind and the primitives of each geometry, and the placed scenes.

use std::sync::Arc;

use super::Scene;
use crate::error::Result;
use crate::leaf::{Primitives, Shape};
use crate::value::{Aabb, Obb, Sphere};

/// The kind of a geometry and a slice of its primitives, from [`Scene::geometry`]. A primitive id is a place in the slice.
#[derive(Debug, Clone, Copy)]
pub enum GeometryView<'a> {
    /// A triangle mesh, which may be empty. Its corners lie in the tree: see [`Scene::triangle`] and [`Scene::triangles`].
    Triangles {
        /// The number of triangles.
        count: usize,
    },
    /// Axis-aligned boxes.
    Boxes(&'a [Aabb]),
    /// Oriented boxes.
    OrientedBoxes(&'a [Obb]),
    /// Spheres.
    Spheres(&'a [Sphere]),
    /// Primitives of the caller's own. Never in a scene that was opened from a file.
    Own(&'a Arc<dyn Primitives>),
}

impl GeometryView<'_> {
    /// The number of primitives.
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
    /// The kind of a geometry and a slice of its primitives, in the scene's own frame. O(1).
    ///
    /// ```
    /// use lanecast::SceneBuilder;
    /// use lanecast::{primitive::Sphere, scene::GeometryView};
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
    /// [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there is none with that number.
    pub fn geometry(&self, geometry_id: u32) -> Result<GeometryView<'_>> {
        self.masks.get(geometry_id)?;
        Ok(match self.others.shapes.geometry(geometry_id) {
            None => GeometryView::Triangles { count: self.numbering.numbers(geometry_id).len() },
            Some(Shape::Boxes(boxes)) => GeometryView::Boxes(boxes),
            Some(Shape::OrientedBoxes(boxes)) => GeometryView::OrientedBoxes(boxes),
            Some(Shape::Spheres(spheres)) => GeometryView::Spheres(spheres),
            Some(Shape::Own(primitives)) => GeometryView::Own(primitives),
        })
    }

    /// The placed scene of an instance, by its number in the order of adding; see also [`transform`](Self::transform) and
    /// [`instance_mask`](Self::instance_mask). A scene placed more than once is one scene by `Arc::ptr_eq`, also after
    /// opening a file.
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
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none with that number.
    pub fn instance_scene(&self, instance: usize) -> Result<&Arc<Self>> {
        self.others.instances.scene(instance)
    }
}
