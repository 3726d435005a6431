//! Rays in lines: of a picture, of a firing, of a point.

use crate::value::Ray;

/// Cuts rays, of which `first` is the number of the first, at the ends of lines of `width`, and hands `make` each
/// piece with the number of its line and its first place therein.
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
