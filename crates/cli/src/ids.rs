//! The ids that name what is hit: of instance, geometry and primitive.

use lanecast::{HitBatch, INVALID_ID, Precision};
use lanecast_io::Values;

/// The ids of each row, from columns of instances, geometries and primitives. The column of
/// instances is empty in a scene without instances.
pub(crate) fn of_columns(
    [instances, geometries, primitives]: [&[u32]; 3],
) -> impl Iterator<Item = [u32; 3]> + Clone {
    let instances = instances.iter().copied().chain(std::iter::repeat(INVALID_ID));
    let rows = instances.zip(geometries).zip(primitives);
    rows.map(|((instance, &geometry), &primitive)| [instance, geometry, primitive])
}

/// The ids of the closest hit of each ray, [`INVALID_ID`] of a miss.
pub(crate) fn of_hits(hits: &HitBatch<impl Precision>) -> impl Iterator<Item = [u32; 3]> + Clone {
    of_columns([hits.instance_id(), hits.geometry_id(), hits.primitive_id()])
}

/// Columns of ids that grow row by row.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    primitive_id: Vec<i64>,
    geometry_id: Vec<i32>,
    instance_id: Vec<i32>,
}

impl Ids {
    pub(crate) fn columns(&self) -> [(&'static str, Values<'_>); 3] {
        [
            ("primitive_id", Values::I64(&self.primitive_id)),
            ("geometry_id", Values::I32(&self.geometry_id)),
            ("instance_id", Values::I32(&self.instance_id)),
        ]
    }

    /// Adds a row of instance, geometry and primitive, [`INVALID_ID`] where there is none.
    pub(crate) fn push(&mut self, [instance, geometry, primitive]: [u32; 3]) {
        let id = |id: u32| i32::try_from(id).unwrap_or(-1);
        self.primitive_id.push(id(primitive).into());
        self.geometry_id.push(id(geometry));
        self.instance_id.push(id(instance));
    }

    /// Instance, geometry and primitive of each row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = [u32; 3]> + Clone {
        let id = |id: i64| u32::try_from(id).unwrap_or(INVALID_ID);
        let rows = self.instance_id.iter().zip(&self.geometry_id).zip(&self.primitive_id);
        rows.map(move |((&instance, &geometry), &primitive)| {
            [id(instance.into()), id(geometry.into()), id(primitive)]
        })
    }
}
