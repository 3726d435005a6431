//! Trees over grids of leaves that are not stored: a leaf is made anew by each visit.
//!
//! Nodes lie in an [`Arena`] as those of any tree. References to leaves count on where its lines
//! end, so that the check of a line's number, which a fetch makes anyway, tells them from leaves
//! that are stored.

use std::ops::Range;
use std::sync::Arc;

use super::aabb_block::FiniteRange;
use super::arena::{Arena, NODE_LINES, Node, NodeKind, Reference};
use super::{Bvh, Leaf, LeafSource};
use crate::math::by_number;
use crate::memory::Memory;
use crate::simd::LANES;
use crate::threads::{Stop, advanced};
use crate::value::Aabb;

/// A grid of leaves, which are numbered row by row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeafGrid {
    /// The number of the first.
    pub(crate) first: usize,
    /// Rows and columns.
    pub(crate) size: [usize; 2],
    /// The extent of a leaf along a column and along a row.
    pub(crate) extent: [f64; 2],
}

/// Nodes in rows and columns, or leaves.
#[derive(Clone, Copy)]
struct Level {
    /// The number of the first node, or of the first leaf.
    first: usize,
    size: [usize; 2],
    /// Rows and columns of what a node holds.
    of_each: [usize; 2],
}

/// What a node may hold: eight children in rows and columns.
const FORMS: [[usize; 2]; 4] = [[1, 8], [2, 4], [4, 2], [8, 1]];

/// The levels of a grid from its leaves up to the root, with nodes numbered from the root on, from
/// `first` on.
fn levels(grid: &LeafGrid, first: usize) -> Vec<Level> {
    let mut levels = vec![Level { first: grid.first, size: grid.size, of_each: [1; 2] }];
    let (mut size, mut extent) = (grid.size, grid.extent);
    while size != [1; 2] {
        let over = |form: [usize; 2]| [0, 1].map(|axis| size[axis].div_ceil(form[axis]));
        // As a random line meets the boxes: as many as there are, each by its circumference.
        let cost = |form: &[usize; 2]| {
            let [rows, columns] = over(*form);
            let around: f64 = (0..2).map(|axis| form[axis] as f64 * extent[axis]).sum();
            (rows * columns) as f64 * around
        };
        let form = FORMS.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let of_each = form.expect("there are forms");
        size = over(of_each);
        extent = [0, 1].map(|axis| extent[axis] * of_each[axis] as f64);
        levels.push(Level { first: 0, size, of_each });
    }
    let mut next = first;
    for level in levels[1..].iter_mut().rev() {
        level.first = next;
        next += level.size[0] * level.size[1];
    }
    levels
}

/// A child of a node above several grids: such a node, or the root of a grid.
#[derive(Clone, Copy)]
enum Above {
    Node(usize),
    Grid(usize),
}

/// Parts `order`, which names boxes, in halves by their centers, three times over.
fn eighths<'o>(order: &'o mut [usize], boxes: &[Aabb]) -> Vec<&'o mut [usize]> {
    let mut parts = vec![order];
    while parts.len() < LANES {
        let mut halves = Vec::new();
        for part in parts {
            let around = part.iter().fold(Aabb::EMPTY, |all, &index| {
                let center = boxes[index].center();
                all.merged(&Aabb { min: center, max: center })
            });
            let extent = |axis: &usize| around.max[*axis] - around.min[*axis];
            let axis = (0..3).max_by(|a, b| extent(a).total_cmp(&extent(b))).unwrap_or(0);
            let along = |&index: &usize| (f64::from(boxes[index].center()[axis]), index);
            let mut places: Vec<_> = part.iter().map(along).collect();
            // By reference, as `Chunk::sort` passes it, so that both share the compiled code.
            places.sort_unstable_by(&by_number);
            part.iter_mut().zip(places).for_each(|(to, (_, index))| *to = index);
            let (low, high) = part.split_at_mut(part.len() / 2);
            halves.extend([low, high].into_iter().filter(|half| !half.is_empty()));
        }
        let are_single = halves.iter().all(|half| half.len() == 1);
        parts = halves;
        if are_single {
            break;
        }
    }
    parts
}

/// The nodes above some grids, parents first; none above a single one.
fn above(order: &mut [usize], boxes: &[Aabb], into: &mut Vec<Vec<Above>>) -> Above {
    if let &mut [only] = order {
        return Above::Grid(only);
    }
    let here = into.len();
    into.push(Vec::new());
    let children = eighths(order, boxes).into_iter().map(|part| above(part, boxes, into));
    let children = children.collect();
    into[here] = children;
    Above::Node(here)
}

impl<B: Leaf> Bvh<B> {
    /// A tree over grids of leaves, with boxes widened for `anchor`. `around` is a box about each
    /// grid, and `box_of` that of a leaf by its grid, its row and its column, empty if it holds no
    /// primitive. `None` if there are more nodes and leaves than references can name, or it is to
    /// stop. Reports all leaves.
    pub(crate) fn over_grids(
        anchor: [f32; 3],
        grids: &[LeafGrid],
        around: &[Aabb],
        box_of: impl Fn(usize, usize, usize) -> Aabb,
        source: Arc<dyn LeafSource<B>>,
        stop: Stop<'_>,
    ) -> Option<Self> {
        let (mut order, mut tops): (Vec<usize>, _) = ((0..grids.len()).collect(), Vec::new());
        let top = (!grids.is_empty()).then(|| above(&mut order, around, &mut tops));
        let (mut nodes, mut of_grids) = (tops.len(), Vec::new());
        for grid in grids {
            let levels = levels(grid, nodes);
            nodes += levels[1..].iter().map(|level| level.size[0] * level.size[1]).sum::<usize>();
            of_grids.push(levels);
        }
        let lines = nodes * NODE_LINES;
        if lines + source.count() > Reference::MOST_LINES {
            return None;
        }
        let mut memory = Memory::zeroed(lines);
        let stored: &mut [Node] = bytemuck::cast_slice_mut(&mut memory);
        let mut roots = Vec::new();
        for (number, levels) in of_grids.iter().enumerate() {
            let leaf = |row: usize, column: usize| box_of(number, row, column);
            roots.push(fill(stored, levels, (lines, anchor), leaf, stop)?);
        }
        let mut boxes = vec![Aabb::EMPTY; tops.len()];
        let child = |above: Above, boxes: &[Aabb]| match above {
            Above::Node(node) => (Reference::new(node * NODE_LINES, NodeKind::Inner), boxes[node]),
            Above::Grid(grid) => roots[grid],
        };
        for (node, children) in tops.iter().enumerate().rev() {
            let children = children.iter().map(|&above| child(above, &boxes));
            (stored[node], boxes[node]) = node_of(children, anchor);
        }
        let (root, bounds) = top.map_or((Reference::END, Aabb::EMPTY), |top| child(top, &boxes));
        let root = if bounds.is_empty() { Reference::END } else { root };
        let arena = Arena::over_unstored(memory, anchor, source);
        let (stack, range) = (arena.stack(root), FiniteRange::of(&bounds, anchor));
        Some(Self { arena, root, bounds, range, stack, sah_cost_as_built: None })
    }
}

/// A node of those of these children that are not empty, and its box.
fn node_of(children: impl Iterator<Item = (Reference, Aabb)>, anchor: [f32; 3]) -> (Node, Aabb) {
    let (mut boxes, mut references) = ([Aabb::EMPTY; LANES], [Reference::END.bits(); LANES]);
    let (mut around, mut slots) = (Aabb::EMPTY, 0);
    for (reference, aabb) in children.filter(|(_, aabb)| !aabb.is_empty()) {
        (boxes[slots], references[slots]) = (aabb, reference.bits());
        around = around.merged(&aabb);
        slots += 1;
    }
    (Node::new(&boxes, references, anchor), around)
}

/// Leaves between two questions whether to stop.
const PIECE: usize = 1 << 12;

/// Fills the nodes of a grid. Returns its root, with its box.
fn fill(
    nodes: &mut [Node],
    levels: &[Level],
    (first_line, anchor): (usize, [f32; 3]),
    leaf: impl Fn(usize, usize) -> Aabb,
    stop: Stop<'_>,
) -> Option<(Reference, Aabb)> {
    let reference_of = |level: usize, number: usize| match level {
        0 => Reference::new(first_line + levels[0].first + number, NodeKind::Leaf),
        _ => Reference::new((levels[level].first + number) * NODE_LINES, NodeKind::Inner),
    };
    let (mut below, mut unreported) = (Vec::new(), 0);
    for (number, level) in levels.iter().enumerate().skip(1) {
        let children = levels[number - 1].size;
        let mut boxes = Vec::with_capacity(level.size[0] * level.size[1]);
        for row in 0..level.size[0] {
            for column in 0..level.size[1] {
                let within = |axis: usize, place: usize| -> Range<usize> {
                    let first = place * level.of_each[axis];
                    first..children[axis].min(first + level.of_each[axis])
                };
                let rows = within(0, row);
                let places =
                    rows.flat_map(|row| within(1, column).map(move |column| (row, column)));
                let held = places.map(|(row, column)| {
                    let child = row * children[1] + column;
                    let aabb = if number == 1 { leaf(row, column) } else { below[child] };
                    (reference_of(number - 1, child), aabb)
                });
                let (node, around) = node_of(held, anchor);
                nodes[level.first + boxes.len()] = node;
                boxes.push(around);
                if number == 1 {
                    unreported += within(0, row).len() * within(1, column).len();
                    if unreported >= PIECE && advanced(stop, std::mem::take(&mut unreported)) {
                        return None;
                    }
                }
            }
        }
        below = boxes;
    }
    let root = reference_of(levels.len() - 1, 0);
    Some((root, below.first().copied().unwrap_or_else(|| leaf(0, 0))))
}

#[cfg(test)]
#[path = "../../tests/unit/tree/unstored.rs"]
mod tests;
