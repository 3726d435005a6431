//! Points inside a closed surface.

use super::plan::Plan;
use super::rays::owned;
use super::{Cast, Options};
use crate::answers::{Hit, InsideColumns, InsideRows, With};
use crate::columns::PointBatch;
use crate::error::{Error, Result};
use crate::query::{Kind, Sink};
use crate::scene::Scene;
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::{PointGrid, RayBatch, Side};

/// The direction of the rays that count winding numbers. It is an axis: shearing then moves no vertex, and only a
/// subtraction is rounded.
const WINDING_DIRECTION: [f32; 3] = [1.0, 0.0, 0.0];

/// The winding number of the scene's surfaces around each point.
pub(super) fn contains(
    scene: &Scene,
    points: &PointBatch<'_>,
    options: &Options<'_, f32>,
    inside: InsideColumns<'_>,
) -> Result<()> {
    inside.fill(points.len(), With::default(), |columns, with| {
        scene.refuse_open()?;
        let (rays, options) = (RayBatch::from_origins(points, WINDING_DIRECTION), &options.crossing());
        let plan = Plan::of_rays(&rays, options, !scene.others.is_empty());
        let parts = columns.chunks(rays.len(), plan.chunk);
        plan.for_each_chunk(rays.len(), parts, options, |rows, mut columns| {
            columns.write(rows.len(), with, |inside| {
                let cast = plan.chunk_cast(scene, options, rows.clone());
                cast.run(scene, &rays.slice(rows), &mut Winding { rows: inside });
            });
        })
    })
}

/// The points of a chunk that are inside, found on the calling thread.
pub(super) fn inside_of_chunk(scene: &Scene, points: &[[f32; 3]], options: &Options<'_, f32>) -> Vec<Status> {
    let mut status = vec![Status::Miss; points.len()];
    let options = &options.crossing();
    let (rays, plan) =
        (RayBatch::from_points(points, WINDING_DIRECTION), Plan::of_chunks(points.len().max(1)));
    InsideColumns::new()
        .status(&mut status)
        .fill(points.len(), With::default(), |mut columns, with| {
            columns.write(points.len(), with, |inside| {
                let cast = plan.chunk_cast(scene, options, 0..points.len());
                cast.run(scene, &rays, &mut Winding { rows: inside });
            });
            Ok(())
        })
        .expect("a column of the right length");
    status
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

    /// [`occupancy_bits`](Self::occupancy_bits) into `bits`, whose memory is reused.
    ///
    /// # Errors
    /// Those of [`occupancy_bits`](Self::occupancy_bits). After an error `bits` is empty.
    pub fn occupancy_bits_into(&self, bits: &mut Vec<u8>) -> Result<()> {
        self.occupancy(8, bits).inspect_err(|_| bits.clear())
    }

    /// A byte for each point: 1 inside, 0 outside.
    ///
    /// # Errors
    /// Those of [`occupancy_bits`](Self::occupancy_bits).
    pub fn occupancy_bytes(&self) -> Result<Vec<u8>> {
        owned(|bytes| self.occupancy_bytes_into(bytes))
    }

    /// [`occupancy_bytes`](Self::occupancy_bytes) into `bytes`, whose memory is reused.
    ///
    /// # Errors
    /// Those of [`occupancy_bits`](Self::occupancy_bits). After an error `bytes` is empty.
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
        let plan = Plan::of_inside(points, &self.options);
        let parts = into.chunks_mut(plan.chunk / per_byte);
        plan.for_each_chunk(points, parts, &self.options, |rows, bytes| {
            let inside = inside_of_chunk(scene, &grid.points(rows), &self.options);
            for (place, status) in inside.iter().enumerate() {
                bytes[place / per_byte] |= u8::from(status.is_hit()) << (place % per_byte);
            }
        })
    }
}

/// Counts crossings by their side: +1 for each surface that a ray leaves, −1 for each that it enters.
struct Winding<'a> {
    rows: InsideRows<'a>,
}

impl Winding<'_> {
    /// Sets the status: a hit if the winding number is not 0.
    fn tell(&mut self, row: usize) {
        self.rows.status[row] = if self.rows.winding[row] == 0 { Status::Miss } else { Status::Hit };
    }
}

impl<T: Scalar> Sink<T> for Winding<'_> {
    fn kind(&self) -> Kind {
        Kind::ALL
    }

    fn reset(&mut self) {
        self.rows.reset();
    }

    fn status(&self) -> &[Status] {
        self.rows.status
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, side: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.winding[row] += match side {
            Side::Back => 1,
            Side::Front => -1,
        };
        self.tell(row);
    }

    fn forget(&mut self, row: usize) {
        self.rows.winding[row] = 0;
        self.tell(row);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.rows.refuse(row, defect);
    }
}
