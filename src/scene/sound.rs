//! Whether leaves and boxes are as built for the primitives of a scene: files may hold any bits.

#[cfg(feature = "scene-files")]
use super::file::TREE;
use super::precision::BlockOf;
use super::{Precision, Scene};
use crate::error::Error;
#[cfg(feature = "scene-files")]
use crate::error::FileProblem;
use crate::leaf::TriangleLeaf;
use crate::math::LARGEST_COORDINATE;
#[cfg(feature = "scene-files")]
use crate::shapes::SHAPE_TREE;
use crate::simd::{LANES, Scalar};
#[cfg(feature = "scene-files")]
use crate::store::damaged;
use crate::threads::Stop;
use crate::traverse::Target;
#[cfg(feature = "scene-files")]
use crate::tree::Part;
use crate::tree::{BoxFrame, Fault};
use crate::value::Aabb;

/// A tree of a scene, and its fault.
pub(super) enum FaultOf {
    Triangles(Fault),
    Shapes(Fault),
}

#[cfg(feature = "scene-files")]
impl FaultOf {
    /// The fault as damage of the sections of a scene in a file.
    pub(super) fn in_file(self, number: u32) -> FileProblem {
        let ((part, what), [_, nodes, leaves]) = match self {
            Self::Triangles(fault) => (fault, TREE),
            Self::Shapes(fault) => (fault, SHAPE_TREE),
        };
        damaged(if part == Part::Nodes { nodes } else { leaves }, number, what)
    }
}

/// Whether a scene can be built of a vertex.
pub(super) fn is_usable<T: Scalar>(vertex: &[T; 3]) -> bool {
    vertex.iter().all(|x| x.abs() <= T::of(LARGEST_COORDINATE))
}

impl<T: Precision> Scene<T> {
    /// The first fault as an error; any after a stop. Reports as [`find_fault`](Self::find_fault).
    pub(super) fn expect_sound(&self, stop: Stop<'_>) -> crate::error::Result<()> {
        self.find_fault(stop).map_err(|fault| Error::DamagedScene {
            fault: match fault {
                FaultOf::Triangles((_, what)) => what,
                FaultOf::Shapes((_, what)) => format!("other primitives: {what}"),
            },
        })
    }

    /// The first fault of the trees of the scene itself; any after a stop. Reports all their lines.
    pub(super) fn find_fault(&self, stop: Stop<'_>) -> Result<(), FaultOf> {
        self.find_fault_of_triangles(stop).map_err(FaultOf::Triangles)?;
        self.shapes.find_fault(&self.numbering, stop).map_err(FaultOf::Shapes)
    }

    fn find_fault_of_triangles(&self, stop: Stop<'_>) -> Result<(), Fault> {
        let (viewpoint, bounds) = (self.tree.viewpoint(), self.tree.bounds());
        let is_shape = |number| self.shapes.geometry(self.numbering.ids(number).0).is_some();
        let boxes_of = |block: &BlockOf<T>| {
            let mut boxes = [Aabb::EMPTY; LANES];
            for ((corners, number), into) in block.triangles().zip(&mut boxes) {
                if let Some(vertex) = corners.iter().find(|vertex| !is_usable(vertex)) {
                    return Err(format!("a vertex of primitive {number} is {vertex:?}"));
                }
                let aabb = Aabb::of_points(corners);
                if !bounds.contains(&aabb) {
                    return Err(format!("primitive {number} sticks out of the bounds"));
                }
                *into = viewpoint.box_of(&aabb);
            }
            if block.is_as_filled() {
                Ok(boxes)
            } else {
                Err("it is not what was built".to_owned())
            }
        };
        // Fields of heights may have a thousand million numbers, and no triangle here.
        let primitives = if self.triangles == 0 { 0 } else { self.numbering.count() };
        self.tree.bvh().validate(primitives, is_shape, boxes_of, stop)
    }
}
