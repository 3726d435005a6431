//! Geometries: as they are given to a scene, and as a scene shows them.

use std::sync::Arc;

use super::labels::KeptGeometry;
use super::{GeometryView, Precision, Scene};
use crate::columns::StridedRows;
use crate::error::{Error, Result};
use crate::kernel::ExactScalar;
use crate::leaf::{Primitives, Shape};
use crate::math::LARGEST_COORDINATE;
use crate::memory::Memory;

/// Primitives of one kind, for [`SceneBuilder::geometry`](crate::SceneBuilder::geometry),
/// [`Change::add`](crate::Change::add) and [`Change::replace`](crate::Change::replace), which
/// check it; constructors do not. A primitive id is a place in its slice.
///
/// Meshes are read where they lie: vertices and indices are slices of arrays, or
/// [rows](StridedRows) in interleaved buffers and structs.
#[derive(Clone)]
pub struct Geometry<'a, T: ExactScalar = f32> {
    /// Without triangles if it is a shape.
    pub(super) mesh: Mesh<'a, T>,
    is_deformable: bool,
    pub(super) shape: Option<Shape<T>>,
}

impl<T: ExactScalar> std::fmt::Debug for Geometry<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.shape {
            None => f
                .debug_struct("Mesh")
                .field("triangles", &self.mesh.count())
                .finish_non_exhaustive(),
            Some(shape) => shape.view().fmt(f),
        }
    }
}

/// Triangles, or quads of two triangles each; there are none of one of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mesh<'a, T = f32> {
    pub(super) vertices: StridedRows<'a, T, 3>,
    triangles: StridedRows<'a, u32, 3>,
    quads: StridedRows<'a, u32, 4>,
}

impl<T: Copy> Mesh<'_, T> {
    /// The number of triangles.
    pub(super) const fn count(&self) -> usize {
        self.triangles.len() + 2 * self.quads.len()
    }

    /// The vertices of a triangle.
    #[inline]
    pub(super) fn triangle(&self, number: usize) -> [u32; 3] {
        if self.quads.is_empty() {
            return self.triangles.get(number);
        }
        let [a, b, c, d] = self.quads.get(number / 2);
        if number.is_multiple_of(2) { [a, b, d] } else { [c, d, b] }
    }

    #[inline]
    pub(super) fn corners(&self, triangle: usize) -> [[T; 3]; 3] {
        // `map` stores numbers one by one and moves them four at a time, which waits for the
        // stores.
        let [a, b, c] = self.triangle(triangle);
        let vertices = &self.vertices;
        [vertices.get(a as usize), vertices.get(b as usize), vertices.get(c as usize)]
    }
}

impl<'a, T: ExactScalar> Geometry<'a, T> {
    /// Triangles, each of three vertices by their places in `vertices`, which may be none.
    pub fn triangle_mesh(
        vertices: impl Into<StridedRows<'a, T, 3>>,
        triangles: impl Into<StridedRows<'a, u32, 3>>,
    ) -> Self {
        Self::of_mesh(vertices.into(), triangles.into(), StridedRows::from(&[]))
    }

    /// A [triangle mesh](Self::triangle_mesh) whose vertices can [move](crate::Change::refit). The
    /// scene keeps `triangles` beside its tree for that, 12 bytes each.
    pub fn deformable_mesh(
        vertices: impl Into<StridedRows<'a, T, 3>>,
        triangles: impl Into<StridedRows<'a, u32, 3>>,
    ) -> Self {
        Self { is_deformable: true, ..Self::triangle_mesh(vertices, triangles) }
    }

    /// Quads, each of four vertices by their places in `vertices`, in order around it: triangles
    /// for every query, at their speed.
    ///
    /// The quad v0 v1 v2 v3 is the triangles v0 v1 v3 and v2 v3 v1, of which it is the union:
    /// whether or not it is flat, its diagonal is from v1 to v3, and quads that share an edge share
    /// it exactly. Primitive ids are those of triangles, 2 · quad and 2 · quad + 1.
    /// [`quad_point`](crate::primitive::quad_point) makes of an id and the weights of a hit the
    /// quad and u and v over it: the hit is at v0 + u · (v1 − v0) + v · (v3 − v0) for u + v ≤ 1,
    /// and at v2 + (1 − u) · (v3 − v2) + (1 − v) · (v1 − v2) beyond, as at Embree's. A fourth
    /// vertex that is the third again makes a triangle v0 v1 v2 of the first half; no ray meets the
    /// other.
    ///
    /// ```
    /// use lanecast::primitive::quad_point;
    /// use lanecast::{Geometry, Ray, SceneBuilder};
    /// let vertices = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    /// let scene = SceneBuilder::new().quads(&vertices, &[[0, 1, 2, 3]])?.build()?;
    /// let hit = scene.cast(&Ray::new([1.5, 1.0, 5.0], [0.0, 0.0, -1.0])).closest()?.expect("a hit");
    /// assert_eq!((hit.t, hit.primitive_id), (5.0, 1));
    /// assert_eq!(quad_point(hit.primitive_id, hit.u, hit.v), (0, [0.75, 0.5]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn quads(
        vertices: impl Into<StridedRows<'a, T, 3>>,
        quads: impl Into<StridedRows<'a, u32, 4>>,
    ) -> Self {
        Self::of_mesh(vertices.into(), StridedRows::from(&[]), quads.into())
    }

    const fn of_mesh(
        vertices: StridedRows<'a, T, 3>,
        triangles: StridedRows<'a, u32, 3>,
        quads: StridedRows<'a, u32, 4>,
    ) -> Self {
        Self { mesh: Mesh { vertices, triangles, quads }, is_deformable: false, shape: None }
    }

    /// What a scene keeps of it for [`refit`](crate::Change::refit).
    pub(super) fn kept(&self) -> KeptGeometry {
        let indices = self.is_deformable.then(|| {
            let triangles = &self.mesh.triangles;
            let mut indices = Memory::zeroed(triangles.len());
            triangles.copy_to(&mut indices);
            Arc::new(indices)
        });
        KeptGeometry { indices, face_ids: None }
    }

    /// The number of primitives.
    pub fn primitive_count(&self) -> usize {
        self.shape.as_ref().map_or(self.mesh.count(), Shape::count)
    }

    /// Refuses content that a scene cannot hold; errors name this id.
    pub(super) fn check(&self, geometry_id: u32) -> Result<()> {
        if let Some(shape) = &self.shape {
            return shape.check(geometry_id);
        }
        let (mesh, vertices) = (&self.mesh, self.mesh.vertices);
        let bound = T::of(LARGEST_COORDINATE);
        let usable = |position: &[T; 3]| position.iter().all(|x| x.abs() <= bound);
        if let Some(vertex) = vertices.position(|position| !usable(position)) {
            let position = vertices.get(vertex).map(T::to_f64);
            return Err(Error::UnusableVertex { geometry_id, vertex, position });
        }
        let count = vertices.len();
        let is_absent = |&vertex: &u32| vertex as usize >= count;
        let triangle = mesh.triangles.position(|triangle| triangle.iter().any(is_absent));
        let quad = mesh.quads.position(|quad| quad.iter().any(is_absent));
        // Of a quad either half may be the one.
        let first = triangle.or(quad.map(|quad| 2 * quad)).unwrap_or(mesh.count());
        for number in first..mesh.count() {
            if let Some(vertex) = mesh.triangle(number).into_iter().find(is_absent) {
                return Err(Error::VertexOutOfRange {
                    geometry_id,
                    primitive_id: number as u32,
                    vertex,
                    vertices: count,
                });
            }
        }
        Ok(())
    }

    pub(super) fn of(shape: Shape<T>) -> Self {
        Self { shape: Some(shape), ..Self::triangle_mesh(&[], &[]) }
    }
}

impl<T: Precision> Scene<T> {
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
    /// [`Error::UnknownGeometry`] if there is none with that number.
    pub fn geometry(&self, geometry_id: u32) -> Result<GeometryView<'_, T>> {
        self.expect_geometry(geometry_id)?;
        Ok(match self.shapes.geometry(geometry_id) {
            None => GeometryView::Triangles { count: self.numbering.numbers(geometry_id).len() },
            Some(shape) => shape.view(),
        })
    }
}
