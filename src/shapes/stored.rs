//! Shapes in files: the values of known kinds, and the tree over them.

use std::ops::Range;
use std::sync::Arc;

use super::{STRETCH, Shapes};
use crate::answers::Numbering;
use crate::error::FileProblem;
use crate::leaf::surface::{Cylinder, HeightField, Primitives, RoundCone, Shape, Surface};
use crate::store::{CACHE_LINE, Reading, SectionWriter, damaged};
use crate::threads::{Threads, UNSTOPPED};
use crate::traverse::BoxTree;
use crate::tree::{BoxFrame, Bvh, HasBoxFrame};
use crate::value::{Aabb, Obb, Sphere};

/// The section with the kind of each geometry: 0 of triangles and primitives of the caller's own,
/// 7 of fields of heights, or that of a [`Kind`]. Scenes of triangles alone have none of these
/// sections.
const KINDS: &str = "kinds";

/// The kind of fields of heights, and the section with their heights, in the order of geometries.
/// Their triangles are not in the tree; those of kind 5, which no file may have any more, were.
const HEIGHTS: u32 = 7;
const HEIGHTS_SECTION: &str = "heights";

/// The section with the grid of each field of heights, in the order of geometries.
const GRIDS: &str = "height grids";

pub(crate) const TREE: [&str; 3] = ["shape tree", "shape nodes", "shape leaves"];

/// Of scenes of `f64` only.
const VIEWPOINT: &str = "shape viewpoint";

/// The sections of shapes, but those of a [`Kind`].
const OTHERS: [&str; 7] = [KINDS, HEIGHTS_SECTION, GRIDS, TREE[0], TREE[1], TREE[2], VIEWPOINT];

/// The most sections that the shapes of a scene may have.
pub(crate) const MOST_SHAPE_SECTIONS: usize = OTHERS.len() + Kind::<f32>::ALL.len();

/// The names of all sections that shapes may have.
pub(crate) fn shape_sections() -> Vec<&'static str> {
    OTHERS.into_iter().chain(Kind::<f32>::ALL.iter().map(|kind| kind.section)).collect()
}

type Opened<T> = Result<Shape<T>, FileProblem>;

/// A kind of surfaces.
struct Kind<T: HasBoxFrame> {
    /// That in the section of kinds.
    number: u32,
    /// The section with the values of all geometries of the kind, in their order.
    section: &'static str,
    /// The bytes of a shape, if it is of this kind.
    bytes: fn(&Shape<T>) -> Option<&[u8]>,
    /// How many values there are in a section.
    count: fn(&Reading<'_>, &str, u32) -> Result<usize, FileProblem>,
    /// The shape of a range of them.
    open: fn(&Reading<'_>, &str, u32, Range<usize>) -> Opened<T>,
}

impl<T: HasBoxFrame> Kind<T> {
    /// Files have the numbers: they stay, and a new kind gets a new one, neither 5 nor 7.
    const ALL: &[Self] = &[
        Self::of::<Aabb<T>>(1, "boxes"),
        Self::of::<Obb<T>>(2, "oriented boxes"),
        Self::of::<Sphere<T>>(3, "spheres"),
        Self::of::<RoundCone<T>>(4, "round cones"),
        Self::of::<Cylinder<T>>(6, "cylinders"),
    ];

    const fn of<S: Surface<T>>(number: u32, section: &'static str) -> Self {
        Self {
            number,
            section,
            bytes: |shape| shape.values::<S>().map(bytemuck::cast_slice),
            count: |file, section, scene| Ok(file.values::<S>(section, scene)?.len()),
            open: |file, section, scene, range| {
                Ok(Shape::Surfaces(Arc::new(file.memory::<S>(section, scene, range)?)))
            },
        }
    }
}

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

/// The number of a geometry's kind, and its bytes; `None` for primitives of the caller's own.
fn kind_and_bytes<T: HasBoxFrame>(shape: &Shape<T>) -> Option<(u32, &[u8])> {
    if let Shape::HeightField(field) = shape {
        return Some((HEIGHTS, bytemuck::cast_slice(field.heights())));
    }
    Kind::ALL.iter().find_map(|kind| Some((kind.number, (kind.bytes)(shape)?)))
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
        let sections = Kind::<T>::ALL.iter().map(|kind| (kind.number, kind.section));
        for (kind, name) in sections.chain([(HEIGHTS, HEIGHTS_SECTION)]) {
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
        let known = [0, HEIGHTS].into_iter().chain(Kind::<T>::ALL.iter().map(|kind| kind.number));
        if let Some(geometry_id) =
            kinds.iter().position(|&kind| known.clone().all(|known| kind != known))
        {
            let what = format!("geometry {geometry_id} is of a kind that does not exist");
            return Err(damaged(KINDS, number, what));
        }
        let (mut shapes, mut opened) = (vec![None; geometries], 0);
        // `open` gets where the values of a geometry begin and its number of primitives.
        type Open<'a, T> =
            &'a mut dyn FnMut(usize, usize) -> Result<(Shape<T>, usize), FileProblem>;
        let mut open_all = |kind: u32, name: &str, found: usize, open: Open<'_, T>| {
            let mut end = 0;
            for (geometry_id, into) in
                (0..).zip(&mut shapes).filter(|&(id, _)| kinds[id as usize] == kind)
            {
                let (shape, next) = open(end, numbering.numbers(geometry_id).len())?;
                shape
                    .check(geometry_id)
                    .map_err(|error| damaged(name, number, error.to_string()))?;
                (*into, end) = (Some(shape), next);
            }
            if end != found {
                let what = format!("{found} values for {end} primitives");
                return Err(damaged(name, number, what));
            }
            opened += end;
            Ok(())
        };
        for kind in Kind::<T>::ALL.iter().filter(|kind| kinds.contains(&kind.number)) {
            let name = kind.section;
            let found = (kind.count)(file, name, number)?;
            open_all(kind.number, name, found, &mut |start, primitives| {
                let end = start + primitives;
                Ok(((kind.open)(file, name, number, start..end)?, end))
            })?;
        }
        if kinds.contains(&HEIGHTS) {
            let mut grids = file.values::<Grid>(GRIDS, number)?.iter();
            let found = file.values::<T>(HEIGHTS_SECTION, number)?.len();
            open_all(HEIGHTS, HEIGHTS_SECTION, found, &mut |start, primitives| {
                let &Grid { size, origin, spacing } =
                    grids.next().ok_or_else(|| damaged(GRIDS, number, "not one for each field"))?;
                let size = size.map(|count| count as usize);
                let end = start.saturating_add(size[0].saturating_mul(size[1]));
                let heights = file.memory(HEIGHTS_SECTION, number, start..end)?;
                let [origin, spacing] = [origin, spacing].map(|pair| pair.map(T::nearest_to));
                let field = HeightField::of(heights, size, origin, spacing)
                    .map_err(|error| damaged(GRIDS, number, error.to_string()))?;
                if field.count() != primitives {
                    let what = format!("{} triangles for {primitives} primitives", field.count());
                    return Err(damaged(GRIDS, number, what));
                }
                Ok((Shape::HeightField(field.into()), end))
            })?;
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
