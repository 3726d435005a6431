//! The tree over the triangles of all fields of heights of a scene: nodes alone, as its leaves are
//! made of the heights when they are visited.

use std::sync::Arc;

use super::Precision;
use super::precision::BlockOf;
use crate::answers::Numbering;
use crate::error::{Error, Result};
use crate::leaf::surface::HeightField;
use crate::shapes::Shapes;
use crate::simd::with_default_float_mode;
use crate::threads::Spread;
use crate::traverse::Target;
use crate::tree::{BoxFrame, Bvh, LeafGrid, LeafSource};
use crate::value::Aabb;

/// A field, with the number of its first triangle, and its leaves.
#[derive(Debug)]
struct Field<T: Precision> {
    field: Arc<HeightField<T>>,
    start: u32,
    leaves: LeafGrid,
}

/// The leaves of all fields.
#[derive(Debug)]
struct FieldLeaves<T: Precision>(Vec<Field<T>>);

impl<T: Precision> LeafSource<BlockOf<T>> for FieldLeaves<T> {
    fn count(&self) -> usize {
        self.0.last().map_or(0, |Field { leaves, .. }| leaves.first + leaves.size[0] * leaves.size[1])
    }

    fn make(&self, leaf: usize, into: &mut BlockOf<T>) {
        let behind = match self.0[..] {
            [_] => 1,
            _ => self.0.partition_point(|field| field.leaves.first <= leaf),
        };
        let Field { field, start, leaves } = &self.0[behind - 1];
        // Below 2³⁰, which divides in half the time.
        let (place, width) = ((leaf - leaves.first) as u32, leaves.size[1] as u32);
        field.make_leaf((place / width) as usize, (place % width) as usize, *start, into);
    }
}

/// The tree over the fields among the shapes. [`Error::TooManyTriangles`] also if it is to stop.
pub(super) fn tree_of_fields<T: Precision>(
    shapes: &Shapes<T>,
    numbering: &Numbering,
    spread: Spread<'_>,
) -> Result<T::Tree> {
    let (mut fields, mut around, mut first) = (Vec::new(), Vec::new(), 0);
    for (geometry_id, field) in shapes.fields() {
        let bounds = with_default_float_mode(|| field.around());
        if bounds.is_empty() {
            continue;
        }
        let leaves = LeafGrid { first, size: field.leaves(), extent: field.leaf_extent() };
        first += leaves.size[0] * leaves.size[1];
        let start = numbering.numbers(geometry_id).start;
        fields.push(Field { field: Arc::clone(field), start, leaves });
        around.push((bounds, geometry_id));
    }
    with_default_float_mode(|| {
        let (viewpoint, anchor) = <T::Viewpoint as BoxFrame<T>>::around(None, &around);
        let bounds = around.iter().fold(Aabb::EMPTY, |all, (aabb, _)| all.merged(aabb));
        let seen: Vec<Aabb> = around.iter().map(|(aabb, _)| viewpoint.box_of(aabb)).collect();
        let largest = (0..fields.len()).max_by_key(|&number| fields[number].field.heights().len());
        let anchor = anchor.or_else(|| Some(seen[largest?].center())).unwrap_or_default();
        let leaves = Arc::new(FieldLeaves(fields));
        let grids: Vec<LeafGrid> = leaves.0.iter().map(|field| field.leaves).collect();
        let box_of = |number: usize, row: usize, column: usize| {
            let aabb = leaves.0[number].field.leaf_bounds(row, column);
            if aabb.is_empty() { Aabb::EMPTY } else { viewpoint.box_of(&aabb) }
        };
        let source: Arc<dyn LeafSource<_>> = Arc::<FieldLeaves<T>>::clone(&leaves);
        let bvh = Bvh::over_grids(anchor, &grids, &seen, box_of, source, spread);
        let bvh = bvh.ok_or(Error::TooManyTriangles { triangles: numbering.count() })?;
        Ok(T::Tree::of_parts(bvh, viewpoint, bounds))
    })
}
