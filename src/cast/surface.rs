//! Points and normals of hits.

use super::rays::{Rays, RaysOf};
use super::{Cast, Precision, RayBatch, Result, Scene, With, owned};
use crate::answers::{Answers, HitBatch, SurfaceBatch, SurfaceColumns};
use crate::columns::{expect_length, shown};
use crate::scene::{Locating, VertexNormals};
use crate::traverse::TUNING;

/// Hits with their rays and their scene.
#[derive(Clone)]
pub struct Surface<'a, T: Precision = f32> {
    scene: &'a Scene<T>,
    rays: RayBatch<'a, T>,
    hits: &'a HitBatch<T>,
    unit: bool,
    vertex_normals: &'a [VertexNormals<'a, T>],
}

shown!([T: Precision] Surface<'_, T> as "Surface", self { "rays": self.rays.len(), "hits": self.hits.len() });

impl<T: Precision> Scene<T> {
    /// A request for the points and normals of hits of `rays` with this scene, such as those of
    /// [`closest`](Cast::closest): a small part of the time of casting. Three options apply:
    /// threads, backend and watcher.
    ///
    /// ```
    /// use lanecast::{RayBatch, Scene, scene::VertexNormals};
    /// let vertices = [[0.0_f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    /// let triangles = [[0, 1, 2]];
    /// let scene = Scene::from_triangles(&vertices, &triangles)?;
    /// let rays = RayBatch::from_points(&[[1.0, 2.0, 3.0], [5.0, 5.0, 3.0]], [0.0, 0.0, -1.0]);
    /// let hits = scene.cast(&rays).closest()?;
    /// let surface = scene.surface(&rays, &hits).unit_normals(true).locate()?;
    /// assert_eq!(surface.point(), [[1.0, 2.0, 0.0], [0.0; 3]]);
    /// assert_eq!(surface.geometric_normal(), [[0.0, 0.0, 1.0], [0.0; 3]]);
    ///
    /// // Interpolated from normals at the vertices.
    /// let normals = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// let normals = [VertexNormals::new(&scene, 0, &triangles, &normals)?];
    /// let surface = scene.surface(&rays, &hits).vertex_normals(&normals).locate()?;
    /// let [x, y, z] = surface.shading_normal()[0];
    /// assert!((x / z - 1.0 / 3.0).abs() < 1e-6 && y == 0.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn surface<'s, 'o>(
        &'s self,
        rays: impl Rays<'s, T, Of = RaysOf<'s, T>>,
        hits: &'s HitBatch<T>,
    ) -> Cast<'o, T, Surface<'s, T>> {
        let RaysOf { rays, .. } = rays.at(self);
        Cast::of(Surface { scene: self, rays, hits, unit: false, vertex_normals: &[] })
    }
}

impl<'s, T: Precision> Cast<'_, T, Surface<'s, T>> {
    /// Whether geometric normals are scaled to length 1; one without a length stays zero. Default:
    /// no.
    pub fn unit_normals(mut self, unit: bool) -> Self {
        self.asked.unit = unit;
        self
    }

    /// Normals at the vertices of meshes: adds the column `shading_normal`, interpolated by u and
    /// v. Of several for one mesh one is taken.
    ///
    /// Maps of instances carry them as geometric normals, so that they stay on the side on which
    /// they are of the triangle: maps that mirror [turn meshes inside out](crate::Side).
    pub fn vertex_normals(mut self, vertex_normals: &'s [VertexNormals<'s, T>]) -> Self {
        self.asked.vertex_normals = vertex_normals;
        self
    }

    /// Points and normals of all hits. The first call takes some nanoseconds for each triangle of a
    /// scene that holds hits, as [`locate`](Scene::locate) does.
    ///
    /// # Errors
    /// [`ColumnLength`](crate::Error::ColumnLength) if there are not as many hits as rays,
    /// [`UnknownInstance`](crate::Error::UnknownInstance) or
    /// [`UnknownPrimitive`](crate::Error::UnknownPrimitive) for the first hit that names one which
    /// does not exist, [`Stopped`](crate::Error::Stopped) by the watcher.
    pub fn locate(&self) -> Result<SurfaceBatch<T>> {
        owned(|surface| self.locate_into(surface))
    }

    /// [`locate`](Self::locate) into a batch, whose memory is reused, or into the caller's columns,
    /// of which [`Error::ColumnLength`](crate::Error::ColumnLength) names one of another length.
    /// After an error the batch is empty.
    pub fn locate_into<'o>(&self, surface: impl Into<SurfaceColumns<'o, T>>) -> Result<()> {
        let Surface { scene, rays, hits, unit, vertex_normals } = &self.asked;
        let (rows, with) =
            (rays.len(), With { instances: false, normals: !vertex_normals.is_empty() });
        SurfaceBatch::<T>::fill(surface.into(), rows, with, |columns, with| {
            expect_length("hits", hits.len(), rows)?;
            let locating =
                Locating::new(scene, self.options.backend_of(scene), hits, *unit, vertex_normals);
            let chunks = self.options.chunks(rows, TUNING.chunk_lengths);
            let mut located = vec![Ok(()); chunks.clone().count()];
            let parts = SurfaceBatch::<T>::parts(columns, chunks.clone()).zip(&mut located);
            self.options.for_each_chunk(chunks, parts, |chunk, (columns, located)| {
                SurfaceBatch::<T>::write(columns, chunk.rows().len(), with, |mut into| {
                    let (rows, mut room) = (chunk.rows(), Vec::new());
                    let rays = rays.stored(rows.clone(), &mut room);
                    *located = T::locate_hits(&locating, &rays, chunk, &mut into);
                });
            })?;
            // The error of the first chunk with one.
            located.into_iter().collect()
        })
    }
}
