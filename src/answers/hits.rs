//! One hit; of each ray of a batch the closest hit, or those of a line; the points and normals of
//! hits.

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use super::{answers, values};
use crate::columns::rows;
use crate::simd::Scalar;
use crate::status::Status;

/// The id that names no primitive, geometry or instance.
pub const INVALID_ID: u32 = u32::MAX;

/// One point at which a ray meets a primitive. `Hit` without a parameter is a hit of a ray of
/// `f32`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: Scalar + serde::Deserialize<'de>"
    ))
)]
pub struct Hit<T = f32> {
    /// The ray parameter: the point is `origin + t · direction`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::math::or_infinity"))]
    pub t: T,
    /// The primitive within its geometry.
    pub primitive_id: u32,
    /// The geometry within its scene, in the order of adding.
    pub geometry_id: u32,
    /// The [instance](crate::SceneBuilder::instance) that holds the geometry; [`INVALID_ID`] for
    /// the scene itself. One number is a path of instances in instances, which
    /// [`instance_path`](crate::Scene::instance_path) names.
    pub instance_id: u32,
    /// Weight of the triangle's second vertex; 0 on other primitives, unless they have coordinates
    /// of their own.
    pub u: T,
    /// Weight of the triangle's third vertex; the first has 1 − u − v. On other primitives as `u`.
    pub v: T,
}

impl<T: Scalar> Hit<T> {
    /// The values in the row of a ray that meets nothing: `t` = ∞, ids [`INVALID_ID`], zeros.
    pub const NONE: Self = Self {
        t: T::INFINITY,
        primitive_id: INVALID_ID,
        geometry_id: INVALID_ID,
        instance_id: INVALID_ID,
        u: T::ZERO,
        v: T::ZERO,
    };

    /// The instance that holds the geometry, [`instance_id`](Self::instance_id) as an option:
    /// `None` for the scene itself.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let hit = scene.cast(&Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])).closest()?.expect("a hit");
    /// assert_eq!(hit.instance(), None);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn instance(&self) -> Option<u32> {
        (self.instance_id != INVALID_ID).then_some(self.instance_id)
    }

    /// The order of hits along a ray: by `t`, then ids. A distant ray may enter and leave a shape
    /// at one `t`: u and v then decide.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        // Primitives in no instance come first.
        let ids = |hit: &Self| (hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
        let weights = || self.u.total_order(other.u).then_with(|| self.v.total_order(other.v));
        self.t.total_order(other.t).then_with(|| ids(self).cmp(&ids(other))).then_with(weights)
    }
}

/// The ids of a primitive, in the order of instance, with those in no instance first, then
/// geometry, then primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PrimitiveIds {
    /// The [instance](crate::SceneBuilder::instance), as in [`Hit`](crate::Hit), or [`INVALID_ID`].
    pub instance_id: u32,
    /// The geometry within its scene.
    pub geometry_id: u32,
    /// The primitive within its geometry.
    pub primitive_id: u32,
}

impl PrimitiveIds {
    /// The instance as an option: `None` for the scene itself.
    pub fn instance(&self) -> Option<u32> {
        (self.instance_id != INVALID_ID).then_some(self.instance_id)
    }

    fn key(&self) -> (u32, u32, u32) {
        (self.instance_id.wrapping_add(1), self.geometry_id, self.primitive_id)
    }
}

impl Ord for PrimitiveIds {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for PrimitiveIds {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A hit as a kernel reports it: the primitive by its number within the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate<T = f32> {
    pub(crate) t: T,
    pub(crate) u: T,
    pub(crate) v: T,
    pub(crate) number: u32,
}

impl<T: Scalar> Candidate<T> {
    /// The value before any hit; every hit comes before it.
    pub(crate) const NONE: Self =
        Self { t: T::INFINITY, u: T::ZERO, v: T::ZERO, number: INVALID_ID };

    #[inline(always)]
    pub(crate) fn found(&self) -> bool {
        self.number != INVALID_ID
    }

    #[inline(always)]
    pub(crate) fn status(&self) -> Status {
        if self.found() { Status::Hit } else { Status::Miss }
    }

    /// The order of hits along a ray: by `t`, then by number, which is by geometry and primitive.
    #[inline(always)]
    pub(crate) fn comes_before(&self, other: &Self) -> bool {
        self.t < other.t || (self.t == other.t && self.number < other.number)
    }

    /// Takes the place of `other` if it comes before. It has no branch: the nearest hit of a leaf
    /// is as random as the rays.
    #[inline(always)]
    pub(crate) fn replace_if_before(&self, other: &mut Self) {
        let is_before = (self.t < other.t) | (self.t == other.t) & (self.number < other.number);
        other.t = select_unpredictable(is_before, self.t, other.t);
        other.u = select_unpredictable(is_before, self.u, other.u);
        other.v = select_unpredictable(is_before, self.v, other.v);
        other.number = select_unpredictable(is_before, self.number, other.number);
    }
}

answers! {
    /// The closest hits of a batch, one row per ray, as columns of equal length. A row that is not
    /// a hit holds `t` = ∞, [`INVALID_ID`] as ids and zeros. A batch that is passed again reuses
    /// its memory.
    HitBatch<T>, HitColumns, HitRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// The ray parameter of the hit.
        t: T = T::INFINITY,
        /// The primitive within its geometry.
        primitive_id: u32 = INVALID_ID,
        /// The geometry within its scene.
        geometry_id: u32 = INVALID_ID,
        /// Weight of the second vertex.
        u: T = T::ZERO,
        /// Weight of the third vertex.
        v: T = T::ZERO,
        [instances]
        /// The instance, as in [`Hit`]; empty for a scene without instances.
        instance_id: u32 = INVALID_ID,
        [normals]
        /// The normal in the frame of the scene, not normalised: of a triangle (v1 − v0) × (v2 −
        /// v0), right-handed, by its vertices where it is placed; of other primitives their outward
        /// normal, of any length. It points to the [front](crate::Side). Empty unless [asked
        /// for](crate::Cast::geometric_normals).
        geometric_normal: [T; 3] = [T::ZERO; 3],
    }
}

impl<T: Scalar> HitBatch<T> {
    /// Row `index` as a hit; `None` if there is none. Panics if `index` is not below
    /// [`len`](Self::len).
    pub fn hit(&self, index: usize) -> Option<Hit<T>> {
        self.status[index].is_hit().then(|| self.value(index))
    }
}

rows! {
    /// The rows in order, each as [`hit`](Self::hit) gives it.
    [T: Scalar] HitBatch<T> => Option<Hit<T>>, Self::len, Self::hit
}

/// Hits in rows, for [`Scene::surface`](crate::Scene::surface) with hits from other queries than
/// the closest. `None` is a [miss](Status::Miss). The batch has the column of instance ids.
///
/// ```
/// use lanecast::{HitBatch, Ray, Scene};
/// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, -1.0], [4.0, 0.0, -1.0], [0.0, 4.0, -1.0]];
/// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [3, 4, 5]])?;
/// let rays = [[1.0, 1.0, 5.0], [9.0, 9.0, 5.0]].map(|origin| Ray::new(origin, [0.0, 0.0, -1.0]));
/// // The second hit of each ray.
/// let seconds: HitBatch = scene.cast(&rays).all()?.iter().map(|hits| hits.get(1).copied()).collect();
/// assert_eq!(scene.surface(&rays, &seconds).locate()?.point(), [[1.0, 1.0, -1.0], [0.0; 3]]);
/// # Ok::<(), lanecast::Error>(())
/// ```
impl<T: Scalar> FromIterator<Option<Hit<T>>> for HitBatch<T> {
    fn from_iter<I: IntoIterator<Item = Option<Hit<T>>>>(hits: I) -> Self {
        let mut batch = Self::new();
        batch.extend(hits);
        batch
    }
}

/// Rows behind those that there are. Rows without the column of instance ids get it, and new rows a
/// zero in the column of normals if there is one.
impl<T: Scalar> Extend<Option<Hit<T>>> for HitBatch<T> {
    fn extend<I: IntoIterator<Item = Option<Hit<T>>>>(&mut self, hits: I) {
        self.instance_id.resize(self.len(), INVALID_ID);
        let has_normals = !self.geometric_normal.is_empty();
        for hit in hits {
            let status = if hit.is_some() { Status::Hit } else { Status::Miss };
            let Hit { t, primitive_id, geometry_id, instance_id, u, v } = hit.unwrap_or(Hit::NONE);
            self.status.push(status);
            self.t.push(t);
            self.primitive_id.push(primitive_id);
            self.geometry_id.push(geometry_id);
            self.instance_id.push(instance_id);
            self.u.push(u);
            self.v.push(v);
        }
        if has_normals {
            self.geometric_normal.resize(self.status.len(), [T::ZERO; 3]);
        }
    }
}

values!([T: Scalar] Hit<T> { t, primitive_id, geometry_id, instance_id, u, v } in HitBatch<T>, HitRows<'_, T>);

/// The hits of a line nearest to its origin, one on either side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: Scalar + serde::Deserialize<'de>"
    ))
)]
pub struct LineHits<T = f32> {
    /// The least `t` ≥ 0.
    pub ahead: Option<Hit<T>>,
    /// The greatest `t` ≤ 0.
    pub behind: Option<Hit<T>>,
}

/// The hits of each line of a batch nearest to its origin, one row per line on either side. A line
/// that cannot be cast has the reason as status on both sides. A batch that is passed again reuses
/// its memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LineHitBatch<T = f32> {
    pub(crate) ahead: HitBatch<T>,
    pub(crate) behind: HitBatch<T>,
}

/// The caller's own columns in place of a [`LineHitBatch`]: those of either side.
///
/// ```
/// use lanecast::{Ray, Scene};
/// use lanecast::answers::{HitColumns, LineHitColumns};
/// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 3.0], [4.0, 0.0, 3.0], [0.0, 4.0, 3.0]];
/// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [3, 4, 5]])?;
/// let lines = [Ray::line([1.0, 1.0, 1.0], [0.0, 0.0, 1.0])];
/// let (mut above, mut below) = ([0.0], [0.0]);
/// let columns = LineHitColumns::new(HitColumns::new().t(&mut above), HitColumns::new().t(&mut below));
/// scene.cast(&lines).line_hits_into(columns)?;
/// assert_eq!((above, below), ([2.0], [-1.0]));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "columns are filled by a query"]
pub struct LineHitColumns<'a, T = f32> {
    pub(crate) ahead: HitColumns<'a, T>,
    pub(crate) behind: HitColumns<'a, T>,
}

impl<'a, T: Scalar> LineHitColumns<'a, T> {
    /// Columns for the hits of least `t` ≥ 0, and for those of greatest `t` ≤ 0.
    pub fn new(ahead: impl Into<HitColumns<'a, T>>, behind: impl Into<HitColumns<'a, T>>) -> Self {
        Self { ahead: ahead.into(), behind: behind.into() }
    }
}

impl<'a, T: Scalar> From<&'a mut LineHitBatch<T>> for LineHitColumns<'a, T> {
    fn from(LineHitBatch { ahead, behind }: &'a mut LineHitBatch<T>) -> Self {
        Self::new(ahead, behind)
    }
}

impl<T: Scalar> LineHitBatch<T> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The hits of least `t` ≥ 0.
    pub fn ahead(&self) -> &HitBatch<T> {
        &self.ahead
    }

    /// The hits of greatest `t` ≤ 0; a row that is not a hit holds `t` = ∞ here too.
    pub fn behind(&self) -> &HitBatch<T> {
        &self.behind
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.ahead.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ahead.is_empty()
    }

    /// The status of line `index`: a hit if there is one on either side. Panics if there is no such
    /// line.
    pub fn status(&self, index: usize) -> Status {
        let (ahead, behind) = (self.ahead.status()[index], self.behind.status()[index]);
        if behind.is_hit() { behind } else { ahead }
    }

    /// The hits of line `index`. Panics if there is no such line.
    pub fn of_line(&self, index: usize) -> LineHits<T> {
        LineHits { ahead: self.ahead.hit(index), behind: self.behind.hit(index) }
    }
}

rows! {
    /// The lines in order, each as [`of_line`](Self::of_line) gives it.
    [T: Scalar] LineHitBatch<T> => LineHits<T>, Self::len, Self::of_line
}

/// The point and the normals of a hit, in the frame of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceHit<T = f32> {
    /// The point, as in [`SurfaceBatch::point`].
    pub point: [T; 3],
    /// The normal of the primitive, as in [`SurfaceBatch::geometric_normal`].
    pub geometric_normal: [T; 3],
    /// The interpolated normal, as in [`SurfaceBatch::shading_normal`]; `None` unless normals of
    /// vertices were given.
    pub shading_normal: Option<[T; 3]>,
}

answers! {
    /// The points and normals of the hits of a batch, one row per ray, as columns of equal length.
    /// A row that is not a hit holds zeros. A batch that is passed again reuses its memory.
    SurfaceBatch<T>, SurfaceColumns, SurfaceRows {
        /// The status of the ray, as in the batch of hits.
        status: Status = Status::Miss,
        /// The point in the frame of the scene: on a triangle that with the weights of the hit,
        /// else that on the ray. Computed in `f64` and rounded once.
        point: [T; 3] = [T::ZERO; 3],
        /// The normal that [the cast gives on request](crate::Cast::geometric_normals), bit for
        /// bit; or that scaled to length 1, if [asked for](crate::Cast::unit_normals).
        geometric_normal: [T; 3] = [T::ZERO; 3],
        [normals]
        /// The normal interpolated from those [of the vertices](crate::Cast::vertex_normals), of
        /// length 1. Where there are none, or where they cancel out, the geometric normal scaled to
        /// length 1. Empty unless vertex normals are given.
        shading_normal: [T; 3] = [T::ZERO; 3],
    }
}

impl<T: Scalar> SurfaceBatch<T> {
    /// Row `index`; `None` if there is no hit. Panics if `index` is not below [`len`](Self::len).
    pub fn get(&self, index: usize) -> Option<SurfaceHit<T>> {
        self.status[index].is_hit().then(|| SurfaceHit {
            point: self.point[index],
            geometric_normal: self.geometric_normal[index],
            shading_normal: self.shading_normal.get(index).copied(),
        })
    }
}

rows! {
    /// The rows in order, each as [`get`](Self::get) gives it.
    [T: Scalar] SurfaceBatch<T> => Option<SurfaceHit<T>>, Self::len, Self::get
}
