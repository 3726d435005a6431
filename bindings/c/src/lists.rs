//! Lists of answers, as queries return them.

use lanecast::Hit;
use lanecast::answers::{AllHitsBatch, ClosestPoint, NearPointBatch};

use crate::border::{enter, expect_place, free, handle, lanecast_result};
use crate::content::{Number, OfEither, with_either};
use crate::memory::lanecast_column;

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
        let lists = unsafe { &handle("lists", lists)?.0 };
        let shown = with_either!(lists, lists => view_of(lists));
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
        let lists = unsafe { &handle("lists", lists)?.0 };
        let shown = with_either!(lists, lists => view_of(lists));
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
