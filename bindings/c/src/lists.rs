//! Queries with a list of answers a row: all hits, the nearest few, and points near points.

use lanecast::answers::{AllHitsBatch, ClosestPoint, NearPointBatch, PerRow};
use lanecast::cast::{Points, RaysOf};
use lanecast::{Cast, Hit};

use crate::border::{Failure, enter, expect_place, free, give, handle, lanecast_result};
use crate::content::{Number, OfEither};
use crate::memory::{lanecast_answers, lanecast_column, written};
use crate::options::{Given, Takes, lanecast_options};
use crate::points::{PointQuery, ask_points, lanecast_points};
use crate::rays::{RayQuery, ask, lanecast_rays};
use crate::scene::lanecast_scene;

/// A list of hits for each ray.
#[derive(Debug)]
pub struct lanecast_hit_lists(pub(crate) OfEither<AllHitsBatch<f32>, AllHitsBatch<f64>>);

/// A list of points of surfaces for each point.
#[derive(Debug)]
pub struct lanecast_point_lists(pub(crate) OfEither<NearPointBatch<f32>, NearPointBatch<f64>>);

/// Lists of hits as they lie in memory. Those of ray r are numbers `offsets[r]` to `offsets[r + 1]`,
/// the latter excluded, in the columns, nearest first. All stays valid until the lists are freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_hit_lists_view {
    /// The number of rays: one less than that of offsets.
    pub rows: usize,
    pub status: *const u8,
    pub offsets: *const usize,
    /// The number of hits of all rays.
    pub hits: usize,
    /// In the scene's precision.
    pub t: lanecast_column,
    pub u: lanecast_column,
    pub v: lanecast_column,
    /// `uint32_t`.
    pub primitive_id: lanecast_column,
    pub geometry_id: lanecast_column,
    pub instance_id: lanecast_column,
}

/// Lists of points as they lie in memory, in the manner of `lanecast_hit_lists_view`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_point_lists_view {
    pub rows: usize,
    pub status: *const u8,
    pub offsets: *const usize,
    /// The number of points of all lists.
    pub points: usize,
    /// In the scene's precision; `point` is three such numbers.
    pub distance: lanecast_column,
    pub point: lanecast_column,
    pub u: lanecast_column,
    pub v: lanecast_column,
    /// `uint32_t`.
    pub primitive_id: lanecast_column,
    pub geometry_id: lanecast_column,
    pub instance_id: lanecast_column,
}

/// A field of each of a slice's values.
pub(crate) fn field<S, V>(values: &[S], field: impl Fn(&S) -> &V) -> lanecast_column {
    let data = values.first().map_or(std::ptr::null(), |first| std::ptr::from_ref(field(first)));
    lanecast_column { data: data.cast(), stride: size_of::<S>() }
}

struct All(*mut *mut lanecast_hit_lists);

impl RayQuery for All {
    const TAKES: Takes = Takes::of_crossings("lanecast_all_hits");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        given: &Given<'_, T>,
        _: usize,
    ) -> Result<(), Failure> {
        expect_place("lists", self.0, 1)?;
        let lists = cast.contact(given.contact()?).all()?;
        // SAFETY: by the caller.
        unsafe { give("lists", self.0, T::hit_lists(lists)) }
    }
}

/// All hits of each ray, nearest first: crossings, unless the options ask for touches. Free the
/// lists by `lanecast_hit_lists_free`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_all_hits(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_hit_lists,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, All(lists)) }
}

struct NearestHits {
    limit: u32,
    lists: *mut *mut lanecast_hit_lists,
}

impl RayQuery for NearestHits {
    const TAKES: Takes = Takes::of_crossings("lanecast_nearest_hits");

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, RaysOf<'_, T>>,
        given: &Given<'_, T>,
        _: usize,
    ) -> Result<(), Failure> {
        expect_place("lists", self.lists, 1)?;
        let lists = cast.contact(given.contact()?).nearest(self.limit)?;
        // SAFETY: by the caller.
        unsafe { give("lists", self.lists, T::hit_lists(lists)) }
    }
}

/// The nearest `limit` hits of each ray, nearest first: as `lanecast_all_hits`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_nearest_hits(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    limit: u32,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_hit_lists,
) -> lanecast_result {
    // SAFETY: by the caller.
    unsafe { ask(scene, rays, options, NearestHits { limit, lists }) }
}

/// Shows lists of hits.
///
/// # Safety
/// `lists` are lists, and `view` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_hit_lists_get(
    lists: *const lanecast_hit_lists,
    view: *mut lanecast_hit_lists_view,
) -> lanecast_result {
    fn view_of<T: Number>(lists: &AllHitsBatch<T>) -> lanecast_hit_lists_view {
        let hits = lists.hits();
        lanecast_hit_lists_view {
            rows: lists.len(),
            status: lists.status().as_ptr().cast(),
            offsets: offsets(lists.offsets()),
            hits: hits.len(),
            t: field(hits, |hit: &Hit<T>| &hit.t),
            u: field(hits, |hit| &hit.u),
            v: field(hits, |hit| &hit.v),
            primitive_id: field(hits, |hit| &hit.primitive_id),
            geometry_id: field(hits, |hit| &hit.geometry_id),
            instance_id: field(hits, |hit| &hit.instance_id),
        }
    }
    enter(|| {
        // SAFETY: by the caller.
        let shown = match unsafe { &handle("lists", lists)?.0 } {
            OfEither::F32(lists) => view_of(lists),
            OfEither::F64(lists) => view_of(lists),
        };
        expect_place("view", view, 1)?;
        // SAFETY: by the caller.
        unsafe { view.write(shown) };
        Ok(())
    })
}

/// Frees lists of hits; nothing if null.
///
/// # Safety
/// They are null, or were made by this library, and neither they nor a view of them is used
/// afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_hit_lists_free(lists: *mut lanecast_hit_lists) {
    // SAFETY: by the caller.
    unsafe { free(lists) }
}

/// Where a list begins, also where there are no rows.
fn offsets(offsets: &[usize]) -> *const usize {
    if offsets.is_empty() { [0].as_ptr() } else { offsets.as_ptr() }
}

struct NearestPoints {
    count: u32,
    radius: lanecast_column,
    lists: *mut *mut lanecast_point_lists,
    takes: Takes,
}

impl PointQuery for NearestPoints {
    fn takes(&self) -> Takes {
        self.takes
    }

    unsafe fn ask<T: Number>(
        self,
        cast: Cast<'_, T, Points<'_, T>>,
        _: &Given<'_, T>,
        rows: usize,
    ) -> Result<(), Failure> {
        // SAFETY: by the caller.
        let radii = unsafe { radii::<T>(self.radius, rows) }?;
        expect_place("lists", self.lists, 1)?;
        let lists = cast.nearest(self.count, radii.per_row())?;
        // SAFETY: by the caller.
        unsafe { give("lists", self.lists, T::point_lists(lists)) }
    }
}

/// A radius for all points, or one for each; infinite if null.
///
/// # Safety
/// As for [`column`](crate::memory::column).
pub(crate) unsafe fn radii<T: Number>(
    given: lanecast_column,
    rows: usize,
) -> Result<Radii<T>, Failure> {
    if given.data.is_null() {
        return Ok(Radii::Same(T::INFINITY));
    }
    let place = lanecast_answers { data: given.data.cast_mut(), stride: given.stride };
    // SAFETY: by the caller.
    let radius = unsafe { written::<T>("radius", place, rows) }?;
    Ok(match given.stride {
        0 if rows > 0 => Radii::Same(radius(0)),
        _ => Radii::Each((0..rows).map(radius).collect()),
    })
}

/// What [`radii`] reads: those of points are copied, as they may lie in any way.
pub(crate) enum Radii<T> {
    Same(T),
    Each(Vec<T>),
}

impl<T: Number> Radii<T> {
    pub(crate) fn per_row(&self) -> PerRow<'_, T> {
        match self {
            Self::Same(radius) => PerRow::Same(*radius),
            Self::Each(radii) => PerRow::Each(radii),
        }
    }
}

/// The nearest `count` primitives of each point, one point of each, nearest first, within a radius:
/// null for any, stride 0 for one of all. Free the lists by `lanecast_point_lists_free`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_nearest_points(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    count: u32,
    radius: lanecast_column,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_point_lists,
) -> lanecast_result {
    let takes = Takes::of_points("lanecast_nearest_points");
    // SAFETY: by the caller.
    unsafe { ask_points(scene, points, options, NearestPoints { count, radius, lists, takes }) }
}

/// All primitives within a radius of each point: as `lanecast_nearest_points`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_points_within(
    scene: *const lanecast_scene,
    points: *const lanecast_points,
    radius: lanecast_column,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_point_lists,
) -> lanecast_result {
    let (count, takes) = (u32::MAX, Takes::of_points("lanecast_points_within"));
    // SAFETY: by the caller.
    unsafe { ask_points(scene, points, options, NearestPoints { count, radius, lists, takes }) }
}

/// Shows lists of points.
///
/// # Safety
/// `lists` are lists, and `view` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_point_lists_get(
    lists: *const lanecast_point_lists,
    view: *mut lanecast_point_lists_view,
) -> lanecast_result {
    fn view_of<T: Number>(lists: &NearPointBatch<T>) -> lanecast_point_lists_view {
        let points = lists.points();
        lanecast_point_lists_view {
            rows: lists.len(),
            status: lists.status().as_ptr().cast(),
            offsets: offsets(lists.offsets()),
            points: points.len(),
            distance: field(points, |point: &ClosestPoint<T>| &point.distance),
            point: field(points, |point| &point.point),
            u: field(points, |point| &point.u),
            v: field(points, |point| &point.v),
            primitive_id: field(points, |point| &point.primitive_id),
            geometry_id: field(points, |point| &point.geometry_id),
            instance_id: field(points, |point| &point.instance_id),
        }
    }
    enter(|| {
        // SAFETY: by the caller.
        let shown = match unsafe { &handle("lists", lists)?.0 } {
            OfEither::F32(lists) => view_of(lists),
            OfEither::F64(lists) => view_of(lists),
        };
        expect_place("view", view, 1)?;
        // SAFETY: by the caller.
        unsafe { view.write(shown) };
        Ok(())
    })
}

/// Frees lists of points; nothing if null.
///
/// # Safety
/// As for `lanecast_hit_lists_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_point_lists_free(lists: *mut lanecast_point_lists) {
    // SAFETY: by the caller.
    unsafe { free(lists) }
}
