//! Requests: rays or points, a scene, and the options of the cast.
//!
//! Queries of rays stand in `closest` and `all`, for a batch and for one ray, with the sinks that
//! take their hits; `rays` cuts batches into chunks. Queries of points stand in `points`,
//! `near_points` and `winding`. A new query goes to the file of those with like answers.

mod all;
mod closest;
mod near_points;
mod options;
mod overlap;
mod points;
mod rays;
mod sight;
mod surface;
mod takes;
mod winding;

pub use all::PickLimit;
pub use overlap::Overlap;
pub use points::{GridPoints, OnePoint, Points};
pub use rays::{OneRay, Rays, RaysOf};
pub use sight::{Lines, SightLines};
pub use surface::Surface;
pub use takes::{AllQueries, Leave, OfContacts, OfInside, Takes, WithNormals, option};

pub(crate) use options::Options;
use options::{met_or_refused, owned};
use rays::{BatchCast, in_rows};

use std::marker::PhantomData;

use crate::answers::{AnyHitRows, Hit, PerRow, With};
use crate::chunks::Watch;
use crate::error::{Error, Result};
use crate::query::{Kind, Sink};
use crate::scene::{Precision, Scene};
use crate::simd::{Backend, Scalar};
use crate::status::Status;
use crate::threads::Threads;
use crate::traverse::{Coherence, Way};
use crate::value::{Contact, Culling, Ray, RayBatch, Side};

/// A request: rays or points, their scene, and the options of the cast; [`Scene::cast`] makes one.
/// Its setters replace defaults, and the last method is the query. A request has the setters of
/// those options that its queries [take](Takes). Some queries do not take normals, contacts or
/// generalised winding numbers: `Q` is [`WithNormals`], [`OfContacts`] or [`OfInside`] once these
/// are set, and only the queries that take them are left.
///
/// Only the options that select hits affect the answers: [culling](Self::culling),
/// [contact](Self::contact), [mask](Self::mask), [skip](Self::skip) and [filter](Self::filter).
/// [Generalised winding numbers](Cast::generalised_winding) are another definition of the inside.
///
/// ```
/// use lanecast::{Culling, RayBatch, Scene, Threads};
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = RayBatch::from_points(&[[0.25, 0.25, 1.0], [9.0, 9.0, 1.0]], [0.0, 0.0, -1.0]);
/// let hits = scene.cast(&rays).culling(Culling::Back).threads(&Threads::ONE).closest()?;
/// assert_eq!(hits.t(), [1.0, f32::INFINITY]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[must_use = "a request does nothing before its query"]
pub struct Cast<'a, T: Scalar = f32, A = (), Q = AllQueries> {
    pub(crate) asked: A,
    pub(crate) options: Options<'a, T>,
    queries: PhantomData<fn() -> Q>,
}

/// The options of a cast, without rays: for [`Cast::with`]. They may be for several requests, so
/// all can be set here; a query passes over those that it does not take.
///
/// ```
/// use lanecast::{CastOptions, Culling, Threads};
/// let options = CastOptions::new().threads(&Threads::ONE).culling(Culling::Back);
/// # let _: CastOptions<'_> = options;
/// ```
pub type CastOptions<'a, T = f32> = Cast<'a, T>;

impl<T: Scalar> Default for Cast<'_, T> {
    fn default() -> Self {
        Self::of(())
    }
}

impl<T: Scalar, A: Clone, Q> Clone for Cast<'_, T, A, Q> {
    fn clone(&self) -> Self {
        Self { asked: self.asked.clone(), options: self.options.clone(), queries: PhantomData }
    }
}

impl<T: Scalar> Cast<'_, T> {
    /// The defaults: all threads, both sides of all primitives, no normals, no watcher.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<'a, T: Scalar, A> Cast<'a, T, A> {
    #[inline]
    pub(crate) fn of(asked: A) -> Self {
        Self::with_options(asked, Options::DEFAULT)
    }

    #[inline]
    pub(crate) const fn with_options(asked: A, options: Options<'a, T>) -> Self {
        Self { asked, options, queries: PhantomData }
    }

    /// Whether `count`, `all`, `nearest` and `pick` report crossings or touches where triangles
    /// share a point. Default: crossings. Other queries report touches, and do not follow this
    /// option.
    ///
    /// ```compile_fail,E0599
    /// # use lanecast::{Contact, Ray, Scene};
    /// # let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// # let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    /// scene.cast(&ray).contact(Contact::Touch).closest()?;
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    #[inline]
    pub fn contact(mut self, contact: Contact) -> Cast<'a, T, A, A::Queries>
    where
        A: Takes<option::Contact>,
    {
        self.options.contact = contact;
        self.narrowed()
    }

    /// Whether closest hits, farthest hits, hits of lines and closest points come with their
    /// [geometric normals](crate::HitBatch::geometric_normal). Default: no. Other queries do not
    /// follow this option.
    #[inline]
    pub fn geometric_normals(mut self, normals: bool) -> Cast<'a, T, A, A::Queries>
    where
        A: Takes<option::GeometricNormals>,
    {
        self.options.normals = normals;
        self.narrowed()
    }

    /// The same request for the queries `Q`.
    #[inline]
    pub(crate) fn narrowed<Q>(self) -> Cast<'a, T, A, Q> {
        Cast { asked: self.asked, options: self.options, queries: PhantomData }
    }
}

impl<'a, T: Scalar, A, Q> Cast<'a, T, A, Q> {
    /// Takes all options from `options`. Options set before are lost; those that the query does not
    /// take are passed over.
    pub fn with(mut self, options: &CastOptions<'a, T>) -> Self {
        self.options = options.options.clone();
        self
    }

    /// The threads to use. Default: all. One ray, one point and one region are answered on the
    /// calling thread.
    pub fn threads(mut self, threads: &'a Threads) -> Self
    where
        A: Takes<option::Threads>,
    {
        self.options.threads = threads;
        self
    }

    /// The backend to use. Default: the scene's.
    #[inline]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.options.backend = Some(backend);
        self
    }

    /// The [sides](Side) of primitives that do not count, for all rays or by a column. Default:
    /// both sides count.
    #[inline]
    pub fn culling(mut self, culling: impl Into<PerRow<'a, Culling>>) -> Self
    where
        A: Takes<option::Selection>,
    {
        self.options.selection.culling = culling.into();
        self
    }

    /// A mask for all rays or a column of masks: a ray sees the geometries whose
    /// [mask](crate::Scene::set_mask) has a bit in common with its own. Default: all bits.
    #[inline]
    pub fn mask(mut self, mask: impl Into<PerRow<'a, u32>>) -> Self
    where
        A: Takes<option::Mask>,
    {
        self.options.selection.masks = mask.into();
        self
    }

    /// One primitive for each ray that the ray does not meet: usually the primitive on which it
    /// starts. The id columns of a [`HitBatch`](crate::HitBatch) fit the next rays from its hits;
    /// [`INVALID_ID`](crate::INVALID_ID) skips nothing. A ray from the inside of a box or a sphere
    /// does not meet its far side either. A ray that starts on an edge or a vertex, or within the
    /// rounding of its origin of one, may meet the neighbours there.
    pub fn skip(mut self, geometry_ids: &'a [u32], primitive_ids: &'a [u32]) -> Self
    where
        A: Takes<option::Selection>,
    {
        self.options.selection.skipped[..2]
            .copy_from_slice(&[Some(geometry_ids), Some(primitive_ids)]);
        self
    }

    /// The instances of the primitives to [skip](Self::skip), by the [ids](crate::Hit::instance_id)
    /// of hits. Without this column, or with the empty one of scenes without instances, the
    /// primitives are in no instance. Without `skip` queries refuse it, as a
    /// [column](Error::ColumnLength) of geometry ids is missing.
    pub fn skip_in(mut self, instance_ids: &'a [u32]) -> Self
    where
        A: Takes<option::Selection>,
    {
        self.options.selection.skipped[2] = (!instance_ids.is_empty()).then_some(instance_ids);
        self
    }

    /// A function that accepts or rejects hits. It gets the row of the ray in the batch (0 for a
    /// single ray), the hit and its side. Several threads call it, in any order of hits; it may get
    /// a hit more than once, and hits that lie behind others, and must give the same answer each
    /// time. It is called through a pointer: no query is compiled for it.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
    /// // Cut out where the weight of the first vertex is above a half.
    /// let is_there = |_ray: usize, hit: &lanecast::Hit, _side| hit.u + hit.v >= 0.5;
    /// let [through, onto] = [0.125, 0.375].map(|x| Ray::new([x, x, 1.0], [0.0, 0.0, -1.0]));
    /// let any = |ray: &Ray| leaf.cast(ray).filter(&is_there).any();
    /// assert_eq!((any(&through)?, any(&onto)?), (false, true));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    #[inline]
    pub fn filter(mut self, accepts: &'a (dyn Fn(usize, &Hit<T>, Side) -> bool + Sync + 'a)) -> Self
    where
        A: Takes<option::Selection>,
    {
        self.options.selection.filter = Some(accepts);
        self
    }

    /// Whether rays go through the tree in groups. Default: detected. A wrong setting costs a
    /// factor of two and more.
    pub fn coherence(mut self, coherence: Coherence) -> Self
    where
        A: Takes<option::Coherence>,
    {
        self.options.coherence = coherence;
        self
    }

    /// Tests every ray against every primitive, without a tree: the slow oracle, whose answers are
    /// the same. Only [generalised winding numbers](Cast::generalised_winding) become more exact.
    pub fn brute_force(mut self) -> Self
    where
        A: Takes<option::BruteForce>,
    {
        self.options.brute_force = true;
        self
    }

    /// The watcher, which gets the progress and may stop the call.
    pub fn watch(mut self, watch: &'a Watch<'a>) -> Self
    where
        A: Takes<option::Watch>,
    {
        self.options.watch = Some(watch);
        self
    }

    /// The way through the tree for rays outside groups, whether it pays or not.
    #[doc(hidden)]
    pub fn way(mut self, way: Way) -> Self {
        self.options.way = Some(way);
        self
    }

    /// The number of rays or points in a chunk, at least one. Lines of a picture and bytes of bits
    /// stay whole.
    #[doc(hidden)]
    pub fn rays_in_chunk(mut self, rays: usize) -> Self {
        self.options.chunk = Some(rays.max(1));
        self
    }
}

impl<T: Scalar, A, Q> std::fmt::Debug for Cast<'_, T, A, Q> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Options {
            threads,
            backend,
            ref selection,
            contact,
            normals,
            coherence,
            brute_force,
            ..
        } = self.options;
        let mut shown = f.debug_struct("Cast");
        shown.field("threads", threads).field("backend", &backend).field("selection", selection);
        shown.field("contact", &contact).field("normals", &normals).field("coherence", &coherence);
        shown.field("brute_force", &brute_force).finish_non_exhaustive()
    }
}

impl<T: Precision> Scene<T> {
    /// A request for one ray (`&Ray`) or a batch (`&RayBatch`, `&[Ray]`, `&Vec<Ray>`, `&[Ray; N]`)
    /// at this scene.
    ///
    /// ```
    /// use lanecast::{Ray, RayBatch, Scene};
    /// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.cast(&ray).closest()?.map(|hit| hit.t), Some(1.0));
    /// assert_eq!(scene.cast(&[ray, ray]).closest()?.t(), [1.0, 1.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    #[inline]
    pub fn cast<'s, 'o, R: Rays<'s, T>>(&'s self, rays: R) -> Cast<'o, T, R::Of> {
        Cast::of(rays.at(self))
    }
}
