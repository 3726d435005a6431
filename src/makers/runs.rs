//! Runs of rays: the lines of a picture, firings, the rays of a point.

use crate::value::Ray;

/// Cuts rays at the ends of lines of `width` and passes each piece to `make`, with the number of its line and its first
/// place in it. `first` is the number of the first ray.
pub(super) fn for_each_run(
    width: usize,
    first: usize,
    mut rays: &mut [Ray],
    mut make: impl FnMut(usize, usize, &mut [Ray]),
) {
    if rays.is_empty() {
        // There may be no lines.
        return;
    }
    let (mut line, mut place) = (first / width, first % width);
    while !rays.is_empty() {
        let (run, rest) = rays.split_at_mut(rays.len().min(width - place));
        make(line, place, run);
        (line, place, rays) = (line + 1, 0, rest);
    }
}
