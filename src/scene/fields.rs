//! The tree over the triangles of all fields of heights of a scene: nodes alone, as its leaves are
//! made of the heights when they are visited.

use std::sync::Arc;

use super::Precision;
use crate::answers::Numbering;
use crate::error::{Error, Result};
use crate::leaf::surface::{HeightField, Primitives};
use crate::shapes::Shapes;
use crate::simd::{MapEach, with_default_float_mode};
use crate::threads::{Stop, step};
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

impl<T: Precision> LeafSource<<T::Tree as Target<T>>::Block> for FieldLeaves<T> {
    fn count(&self) -> usize {
        self.0
            .last()
            .map_or(0, |Field { leaves, .. }| leaves.first + leaves.size[0] * leaves.size[1])
    }

    fn holds(&self, leaf: usize) -> bool {
        let ([row, column], field) = self.place_of(leaf);
        with_default_float_mode(|| !field.field.leaf_bounds(row, column).is_empty())
    }

    fn make(&self, leaf: usize, into: &mut <T::Tree as Target<T>>::Block) {
        let ([row, column], field) = self.place_of(leaf);
        field.field.make_leaf(row, column, field.start, into);
    }
}

impl<T: Precision> FieldLeaves<T> {
    /// The row and the column of a leaf, and its field.
    fn place_of(&self, leaf: usize) -> ([usize; 2], &Field<T>) {
        let behind = match self.0[..] {
            [_] => 1,
            _ => self.0.partition_point(|field| field.leaves.first <= leaf),
        };
        let field = &self.0[behind - 1];
        // Below 2³⁰, where a division takes half the time.
        let (place, width) = ((leaf - field.leaves.first) as u32, field.leaves.size[1] as u32);
        ([place / width, place % width].map_each(|place| place as usize), field)
    }
}

/// The tree over the fields among the shapes. [`Error::TooManyTriangles`] also if it is to stop.
/// Reports their triangles.
pub(super) fn tree_of_fields<T: Precision>(
    shapes: &Shapes<T>,
    numbering: &Numbering,
    stop: Stop<'_>,
) -> Result<T::Tree> {
    let triangles = shapes.fields().map(|(_, field)| field.count()).sum();
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
        let bvh = step(stop, triangles, first, |stop| {
            Bvh::over_grids(anchor, &grids, &seen, box_of, source, stop)
        });
        let bvh = bvh.ok_or(Error::TooManyTriangles { triangles: numbering.count() })?;
        Ok(T::Tree::of_parts(bvh, viewpoint, bounds))
    })
}
