//! Shapes in files: the values of known kinds, and the tree over them.

use super::{STRETCH, Shapes};
use crate::answers::Numbering;
use crate::error::FileProblem;
use crate::kernel::ExactScalar;
use crate::leaf::{HeightField, Primitives, Shape};
use crate::store::{CACHE_LINE, Reading, SectionWriter, damaged};
use crate::threads::{Threads, UNSTOPPED};
use crate::traverse::BoxTree;
use crate::tree::{BoxFrame, Bvh, HasBoxFrame};
use crate::value::{Aabb, Obb, RoundCone, Sphere};

/// The section with the kind of each geometry. Scenes of triangles alone have none of these
/// sections.
const KINDS: &str = "kinds";

/// The sections of the primitives of each kind but the first, in the order of geometries; the first
/// are triangles.
const VALUES: [&str; 6] = ["", "boxes", "oriented boxes", "spheres", "round cones", "heights"];

/// The kind of fields of heights.
const HEIGHTS: u32 = 5;

/// The section with the grid of each field of heights, in the order of geometries.
const GRIDS: &str = "height grids";

pub(crate) const TREE: [&str; 3] = ["shape tree", "shape nodes", "shape leaves"];

/// Of scenes of `f64` only.
const VIEWPOINT: &str = "shape viewpoint";

pub(crate) const SHAPE_SECTIONS: [&str; 11] = [
    KINDS, VALUES[1], VALUES[2], VALUES[3], VALUES[4], VALUES[5], GRIDS, TREE[0], TREE[1], TREE[2],
    VIEWPOINT,
];

/// A field of heights without these; its numbers are as wide as those of the scene, which widen
/// exactly.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Grid {
    /// Rows and columns of vertices.
    size: [u64; 2],
    origin: [f64; 2],
    spacing: [f64; 2],
}

/// The place of a geometry's kind among them, and its bytes; `None` for primitives of the caller's
/// own.
fn kind_and_bytes<T: ExactScalar>(shape: &Shape<T>) -> Option<(u32, &[u8])> {
    match shape {
        Shape::Boxes(values) => Some((1, bytemuck::cast_slice(values))),
        Shape::OrientedBoxes(values) => Some((2, bytemuck::cast_slice(values))),
        Shape::Spheres(values) => Some((3, bytemuck::cast_slice(values))),
        Shape::RoundCones(values) => Some((4, bytemuck::cast_slice(values))),
        Shape::HeightField(field) => Some((HEIGHTS, bytemuck::cast_slice(field.heights()))),
        Shape::Own(_) => None,
    }
}

impl<T: HasBoxFrame> Shapes<T> {
    /// The first geometry of the caller's own primitives, which cannot be stored.
    pub(crate) fn first_unknown(&self) -> Option<u32> {
        self.each()
            .find(|(_, shape)| kind_and_bytes(shape).is_none())
            .map(|(geometry_id, _)| geometry_id)
    }

    /// Adds the sections of the shapes, unless there are none. Geometries that cannot be stored are
    /// left out.
    pub(crate) fn store<'a>(&'a self, number: u32, into: &mut SectionWriter<'a>) {
        if self.is_empty {
            return;
        }
        let known = |shape: &'a Option<Shape<T>>| {
            shape.as_ref().and_then(kind_and_bytes).unwrap_or_default()
        };
        let (kinds, bytes): (Vec<u32>, Vec<&[u8]>) = self.geometries.iter().map(known).unzip();
        into.add(KINDS, number, CACHE_LINE, bytemuck::cast_slice(&kinds).to_vec());
        for (kind, name) in (0..).zip(VALUES).skip(1) {
            let of_kind = kinds.iter().zip(&bytes).filter(|&(&of, _)| of == kind);
            let parts: Vec<&[u8]> = of_kind.map(|(_, &bytes)| bytes).collect();
            match parts[..] {
                [] => {}
                [only] => into.add(name, number, CACHE_LINE, only),
                _ => into.add(name, number, CACHE_LINE, parts.concat()),
            }
        }
        let grids = self.each().filter_map(|(_, shape)| {
            let Shape::HeightField(field) = shape else { return None };
            let [origin, spacing] =
                [field.origin(), field.spacing()].map(|pair| pair.map(T::to_f64));
            Some(Grid { size: field.size().map(|count| count as u64), origin, spacing })
        });
        let grids: Vec<Grid> = grids.collect();
        if !grids.is_empty() {
            into.add(GRIDS, number, CACHE_LINE, bytemuck::cast_slice(&grids).to_vec());
        }
        self.tree.bvh.store(TREE, number, into);
        self.tree.viewpoint.store(&self.tree.bounds, VIEWPOINT, number, into);
    }

    /// The shapes in these sections of a file, which stay mapped, of the geometries that
    /// `numbering` numbers.
    ///
    /// Reads and checks all shapes and all nodes of the tree, and no leaf: a damaged leaf gives
    /// wrong answers.
    pub(crate) fn open(
        file: &Reading<'_>,
        numbering: &Numbering,
        number: u32,
    ) -> Result<Self, FileProblem> {
        let geometries = numbering.starts().len() - 1;
        if !file.has(KINDS, number) {
            let none = Self::new(vec![None; geometries], numbering, &Threads::ONE, None);
            return Ok(none.expect(UNSTOPPED));
        }
        let kinds: &[u32] = file.values(KINDS, number)?;
        if kinds.len() != geometries {
            return Err(damaged(KINDS, number, "not one for each geometry"));
        }
        if let Some(geometry_id) = kinds.iter().position(|&kind| kind as usize >= VALUES.len()) {
            let what = format!("geometry {geometry_id} is of a kind that does not exist");
            return Err(damaged(KINDS, number, what));
        }
        let (mut shapes, mut opened) = (vec![None; geometries], 0);
        let grids: &[Grid] =
            if kinds.contains(&HEIGHTS) { file.values(GRIDS, number)? } else { &[] };
        let mut grids = grids.iter();
        for (kind, name) in (0..).zip(VALUES).filter(|(kind, _)| *kind > 0 && kinds.contains(kind))
        {
            let found = match kind {
                1 => file.values::<Aabb<T>>(name, number)?.len(),
                2 => file.values::<Obb<T>>(name, number)?.len(),
                3 => file.values::<Sphere<T>>(name, number)?.len(),
                4 => file.values::<RoundCone<T>>(name, number)?.len(),
                _ => file.values::<T>(name, number)?.len(),
            };
            let mut end = 0;
            for (geometry_id, into) in
                (0..).zip(&mut shapes).filter(|&(id, _)| kinds[id as usize] == kind)
            {
                let (start, primitives) = (end, numbering.numbers(geometry_id).len());
                end += primitives;
                let shape = match kind {
                    1 => Shape::Boxes(file.memory(name, number, start..end)?.into()),
                    2 => Shape::OrientedBoxes(file.memory(name, number, start..end)?.into()),
                    3 => Shape::Spheres(file.memory(name, number, start..end)?.into()),
                    4 => Shape::RoundCones(file.memory(name, number, start..end)?.into()),
                    _ => {
                        let &Grid { size, origin, spacing } = grids
                            .next()
                            .ok_or_else(|| damaged(GRIDS, number, "not one for each field"))?;
                        let size = size.map(|count| count as usize);
                        end = start.saturating_add(size[0].saturating_mul(size[1]));
                        let heights = file.memory(name, number, start..end)?;
                        let [origin, spacing] =
                            [origin, spacing].map(|pair| pair.map(T::nearest_to));
                        let field = HeightField::of(heights, size, origin, spacing)
                            .map_err(|error| damaged(GRIDS, number, error.to_string()))?;
                        if field.count() != primitives {
                            let what =
                                format!("{} triangles for {primitives} primitives", field.count());
                            return Err(damaged(GRIDS, number, what));
                        }
                        Shape::HeightField(field.into())
                    }
                };
                shape
                    .check(geometry_id)
                    .map_err(|error| damaged(name, number, error.to_string()))?;
                *into = Some(shape);
            }
            if end != found {
                return Err(damaged(name, number, format!("{found} values for {end} primitives")));
            }
            opened += end;
        }
        let bvh: Bvh<_> = Bvh::open(file, TREE, number)?;
        let (viewpoint, bounds) = T::Viewpoint::open(&bvh, file, VIEWPOINT, number)?;
        let leaves = bvh.blocks().len();
        if leaves > opened {
            return Err(damaged(
                TREE[2],
                number,
                format!("{leaves} leaves for {opened} primitives"),
            ));
        }
        let tree = BoxTree { bvh, stretch: STRETCH, viewpoint, bounds };
        Ok(Self::with_tree(tree, shapes))
    }
}
