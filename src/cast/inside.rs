//! Points inside a closed surface.

use super::rays::OF_RAYS;
use super::{
    Cast, Error, Hit, Options, Plan, RayBatch, Result, Scalar, Scene, Side, Sink, Status, With, in_rows,
    owned,
};
use crate::answers::{InsideBatch, InsideRows};
use crate::value::PointGrid;

/// The direction of the rays that count winding numbers: an axis, so that shearing only rounds a subtraction.
pub(super) const WINDING_DIRECTION: [f32; 3] = [1.0, 0.0, 0.0];

/// The points of a chunk that are inside, found on the calling thread.
pub(super) fn inside_of_chunk(scene: &Scene, points: &[[f32; 3]], options: &Options<'_, f32>) -> InsideBatch {
    let (mut inside, options) = (InsideBatch::new(), options.crossing());
    let rows = inside.resize(points.len(), With::default());
    let rays = RayBatch::from_points(points, WINDING_DIRECTION);
    Plan::of_chunks(scene, &options, &rays, points.len()).run(0..points.len(), &mut Winding { rows });
    inside
}

/// The points of a grid and their scene.
#[derive(Debug, Clone, Copy)]
pub struct GridPoints<'a> {
    scene: &'a Scene,
    grid: &'a PointGrid,
}

impl Scene {
    /// A request for the points of a grid that are inside. Points are made a chunk at a time and need no memory.
    pub fn grid<'s, 'o>(&'s self, grid: &'s PointGrid) -> Cast<'o, f32, GridPoints<'s>> {
        Cast::of(GridPoints { scene: self, grid })
    }
}

impl Cast<'_, f32, GridPoints<'_>> {
    /// A bit for each point, set inside, as by [`contains`](Cast::contains): point i is bit i % 8 of byte i / 8, counted
    /// from the lowest. Bits beyond the last point are 0.
    ///
    /// ```
    /// # use lanecast::{PointGrid, Scene};
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let grid = PointGrid::new([-0.5, 0.5, 0.5], [1.0, 1.0, 1.0], [4, 2, 1])?;
    /// assert_eq!(scene.grid(&grid).occupancy_bits()?, [0b0110_1110]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OpenSurface`] or [`Error::NotClosed`] if a surface is not closed, [`Error::AnswersTooLarge`] if
    /// memory does not hold the bits, [`Error::Stopped`] if the watcher stopped the call.
    pub fn occupancy_bits(&self) -> Result<Vec<u8>> {
        owned(|bits| self.occupancy_bits_into(bits))
    }

    /// [`occupancy_bits`](Self::occupancy_bits) into `bits`, whose memory is reused; after an error it is empty.
    pub fn occupancy_bits_into(&self, bits: &mut Vec<u8>) -> Result<()> {
        self.occupancy(8, bits).inspect_err(|_| bits.clear())
    }

    /// A byte for each point: 1 inside, 0 outside. Errors are those of [`occupancy_bits`](Self::occupancy_bits).
    pub fn occupancy_bytes(&self) -> Result<Vec<u8>> {
        owned(|bytes| self.occupancy_bytes_into(bytes))
    }

    /// [`occupancy_bytes`](Self::occupancy_bytes) into `bytes`, whose memory is reused; after an error it is empty.
    pub fn occupancy_bytes_into(&self, bytes: &mut Vec<u8>) -> Result<()> {
        self.occupancy(1, bytes).inspect_err(|_| bytes.clear())
    }

    /// Writes for each point whether it is inside, `per_byte` (1 or 8) to a byte, from the lowest bit on.
    fn occupancy(&self, per_byte: usize, into: &mut Vec<u8>) -> Result<()> {
        let GridPoints { scene, grid } = self.asked;
        into.clear();
        scene.refuse_open()?;
        let (points, bytes) = (grid.len(), grid.len().div_ceil(per_byte));
        into.try_reserve_exact(bytes).map_err(|_| Error::AnswersTooLarge { rows: points })?;
        into.resize(bytes, 0);
        // Whole bytes of bits.
        let chunk = self.options.chunk_length(points, OF_RAYS).next_multiple_of(8);
        self.options.for_each_chunk(points, chunk, into.chunks_mut(chunk / per_byte), |rows, bytes| {
            let inside = inside_of_chunk(scene, &grid.points(rows), &self.options);
            for (place, status) in inside.status().iter().enumerate() {
                bytes[place / per_byte] |= u8::from(status.is_hit()) << (place % per_byte);
            }
        })
    }
}

/// Counts crossings: +1 for each surface that a ray leaves, −1 for each that it enters. Any winding number but 0 is a hit.
pub(super) struct Winding<'a> {
    pub(super) rows: InsideRows<'a>,
}

impl<T: Scalar> Sink<T> for Winding<'_> {
    in_rows!();

    fn offer(&mut self, row: usize, _: &Hit<T>, side: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.winding[row] += if side == Side::Back { 1 } else { -1 };
        self.rows.status[row] = if self.rows.winding[row] == 0 { Status::Miss } else { Status::Hit };
    }
}
