//! The arguments of queries in one table.

/// The arguments of a query as Python writes them, a literal: options stand behind a star, and none
/// of their defaults has a comma. `lidar_returns`, `pick`, `sight` and the like are for bindings that
/// have such queries.
#[macro_export]
macro_rules! arguments {
    (calls) => { "brute_force=False, threads=None, backend=None, progress=None" };

    (hits) => { concat!("t_min=None, t_max=None, culling='none', mask=None, skip=None, invalid='raise', ", $crate::arguments!(calls)) };
    (rays) => { concat!("coherence='detect', ", $crate::arguments!(hits)) };
    (closest_hit) => { concat!("rays, directions=None, *, normals=False, points=False, out=None, ", $crate::arguments!(rays)) };
    (farthest_hit) => { $crate::arguments!(closest_hit) };
    (any_hit) => { concat!("rays, directions=None, *, out=None, status=None, ", $crate::arguments!(rays)) };
    (count_hits) => { concat!("rays, directions=None, *, contact='crossing', out=None, status=None, ", $crate::arguments!(rays)) };
    (signed_count) => { $crate::arguments!(count_hits) };
    (all_hits) => { concat!("rays, directions=None, *, contact='crossing', points=False, ", $crate::arguments!(rays)) };
    (nearest_hits) => { concat!("rays, limit, directions=None, *, contact='crossing', points=False, ", $crate::arguments!(rays)) };
    (cost) => { concat!("rays, directions=None, *, status=None, ", $crate::arguments!(rays)) };
    (line_hits) => { concat!("lines, directions=None, *, normals=False, points=False, ", $crate::arguments!(rays)) };
    (lidar_returns) => { concat!("rays, receiver=None, *, ", $crate::arguments!(rays)) };
    (pick) => { concat!("ray, direction=None, limit='all', *, ", $crate::arguments!(hits)) };
    (one_ray) => { "ray, *, culling='none', mask=None, skip=None, brute_force=False, backend=None, progress=None" };

    (points) => { concat!("invalid='raise', ", $crate::arguments!(calls)) };
    (closest_point) => { concat!("points, *, radius=None, normals=False, out=None, ", $crate::arguments!(points)) };
    (nearest_points) => { concat!("points, count, *, radius=None, ", $crate::arguments!(points)) };
    (points_within) => { concat!("points, radius, *, ", $crate::arguments!(points)) };
    (distance) => { concat!("points, *, ", $crate::arguments!(points)) };
    (signed_distance) => { concat!("points, *, generalised_winding=None, ", $crate::arguments!(points)) };
    (contains) => { $crate::arguments!(signed_distance) };
    (winding_number) => { concat!("points, *, accuracy=2.0, ", $crate::arguments!(points)) };
    (occupancy) => { concat!("origin, spacing, counts, *, packed=False, generalised_winding=None, ", $crate::arguments!(calls)) };

    (lines) => { concat!("shorten=0.0, observers_on=None, targets_on=None, mask=0xffffffff, culling='none', invalid='raise', ", $crate::arguments!(calls)) };
    (sight) => { concat!("observers, targets, *, packed=False, ", $crate::arguments!(lines)) };
    (first_obstacle) => { concat!("observers, targets, observer, target, *, ", $crate::arguments!(lines)) };

    (overlap) => { "region, *, mask=0xffffffff, brute_force=False, backend=None" };
    (overlaps_any) => { $crate::arguments!(overlap) };
}

/// Whether an option is among the arguments of a query.
///
/// ```
/// use lanecast_queries::{arguments, takes};
/// assert!(takes(arguments!(count_hits), "contact") && takes(arguments!(count_hits), "mask"));
/// assert!(!takes(arguments!(any_hit), "contact") && !takes(arguments!(any_hit), "rays"));
/// ```
pub fn takes(arguments: &str, option: &str) -> bool {
    let (_, options) = arguments.split_once("*, ").unwrap_or_default();
    options.split(", ").any(|taken| taken.split('=').next() == Some(option))
}
