//! Winding numbers of points: by crossings, and generalised ones.

use std::ops::ControlFlow;

use super::{
    BatchCast, Cast, Error, Hit, Leave, OfInside, OnePoint, Options, Points, Precision, RayBatch,
    Result, Scalar, Scene, Side, Sink, Status, Takes, With, in_rows, met_or_refused, option, owned,
};
use crate::answers::{Answers, InsideBatch, InsideRows, WindingBatch, WindingColumns};
use crate::chunks::{Chunk, Watched};
use crate::query::Selection;
use crate::scene::{Angles, Views};
use crate::simd::with_default_float_mode;
use crate::value::Affine;

/// The direction of the rays that count winding numbers: an axis, so that shearing only rounds a
/// subtraction.
pub(super) const fn winding_direction<T: Scalar>() -> [T; 3] {
    [T::ONE, T::ZERO, T::ZERO]
}

/// The accuracy of generalised winding numbers that are asked for without one.
const ACCURACY: f64 = 2.0;

impl<'a, T: Scalar, A> Cast<'a, T, A> {
    /// Decides the inside by the generalised winding number: for surfaces that are not closed,
    /// which are refused without this option. Default: the exact winding number of closed surfaces,
    /// by crossings.
    ///
    /// The winding number is the solid angle of all triangles as seen from the point, as part of
    /// the whole sphere. It is a whole number for a closed surface and goes over gaps smoothly.
    /// Here a point is inside if it rounds to another than 0: [`contains`](Cast::contains),
    /// [`signed_distances`](Cast::signed_distances) and grids then answer for any mesh. It makes
    /// sense where the triangles are wound alike and gaps are small beside the distance of the
    /// point to them; the sign of a distance near a gap is that of a surface across the gap.
    ///
    /// For a closed surface it is the exact one, by crossings. For one with few [open
    /// edges](Scene::open_edge), up to three for two triangles, it is the crossings of a ray, and
    /// for each open edge the solid angle of the strip from that edge to infinity: exact as well,
    /// however long and thin triangles are. Many open edges are grouped: a group that is farther
    /// than `accuracy` times the radius of the ball around it counts as a dipole with the next term
    /// of its expansion (Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for
    /// Soups and Clouds", SIGGRAPH 2018).
    ///
    /// Where yet more edges are open, as of triangles that hang together nowhere, or their chains
    /// have many ends, as those of ribbons, the triangles are grouped so in a tree of their own,
    /// long thin ones in pieces. A group of the area A at the distance d, with q for its radius
    /// over d, is off by at most A/d² · q² (3 − 2q) / (1 − q)² of the solid angle 4π. One with so
    /// little area that this is no more than `accuracy` allows for a full ball counts as a dipole
    /// nearer by, but as if it had an eighth of that area: errors of neighbours may add up.
    ///
    /// The greatest error that was measured, around and near balls, boxes, tori, needles and others
    /// of separate triangles, is 0.24 at an accuracy of 1, 0.06 at 2, 0.011 at 4 and 0.003 at 8, or
    /// that part of a winding number above 1, and no more than that of grouped edges; ∞ or
    /// [`brute_force`](Self::brute_force) sum all triangles in `f64`, where a point on the surface
    /// gets the middle of both sides. They have the same bits on every machine. Boxes, spheres and
    /// other closed primitives count by crossings, exactly. With few open edges a point takes up to
    /// four times as long as crossings do. Of separate triangles an accuracy of 2 takes two to ten
    /// times as long, if a request has a thousand points or more, and one of 4 up to four times as
    /// long as that. Only at 80,000 long needles along an axis, where rays across them meet few
    /// boxes, a point takes 100 times as long.
    ///
    /// ```
    /// use lanecast::Scene;
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// // The largest face is missing.
    /// let open = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2]])?;
    /// let points = [[0.25, 0.25, 0.25], [-1.0, 0.25, 0.25]];
    /// assert!(open.points(&points).contains().is_err());
    /// let distances = open.points(&points).generalised_winding(2.0).signed_distances()?;
    /// assert_eq!(distances.distance(), [-0.25, 1.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// Queries refuse an accuracy that is NaN or below 1 by [`Error::UnusableField`]. They take
    /// longer the first time, some microseconds a triangle, and keep some 200 bytes for each open
    /// edge, or some 120 for each piece of a triangle, of which there are at most nine on average.
    pub fn generalised_winding(mut self, accuracy: f64) -> Cast<'a, T, A, A::Queries>
    where
        A: Takes<option::GeneralisedWinding>,
    {
        self.options.generalised = Some(accuracy);
        self.narrowed()
    }
}

impl<T: Precision, Q: Leave<OfInside>> Cast<'_, T, Points<'_, T>, Q> {
    /// The generalised winding number of each point: that of
    /// [`generalised_winding`](Self::generalised_winding), with the accuracy set there, or 2.
    /// Errors are those of [`contains`](Self::contains), but surfaces need not be closed.
    ///
    /// ```
    /// # use lanecast::Scene;
    /// // One of the eight faces of an octahedron around the origin.
    /// let face = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let scene = Scene::from_triangles(&face, &[[0, 1, 2]])?;
    /// assert!((scene.points(&[[0.0; 3]]).winding_numbers()?.winding_number()[0] - 0.125).abs() < 1e-6);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn winding_numbers(&self) -> Result<WindingBatch> {
        owned(|windings| self.winding_numbers_into(windings))
    }

    /// [`winding_numbers`](Self::winding_numbers) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn winding_numbers_into<'o>(&self, windings: impl Into<WindingColumns<'o>>) -> Result<()> {
        let generalised = self.options.generalised.or(Some(ACCURACY));
        let options = Options { generalised, ..self.options.clone() };
        let request = Cast::with_options(self.asked.clone(), options);
        request.windings::<WindingBatch>(windings.into(), |answers, row, status, winding| {
            answers.status[row] = status;
            answers.winding_number[row] = winding as f32;
        })
    }
}

impl<T: Precision, Q> Cast<'_, T, Points<'_, T>, Q> {
    /// Answers all points by generalised winding numbers: `write` gets the answers of a chunk, a
    /// row there and its values.
    pub(super) fn windings<B: Answers>(
        &self,
        columns: B::Columns<'_>,
        write: impl Fn(&mut B::Rows<'_>, usize, Status, f64) + Sync + Send,
    ) -> Result<()> {
        let (Points { scene, points }, options) = (&self.asked, &self.options);
        let check = || options.refuse_open(scene, points.len());
        self.answer::<B>(columns, check, |chunk, mut answers| {
            let mut room = Vec::new();
            let points = points.gathered(chunk.rows(), &mut room);
            each_winding(scene, points, options, chunk, |row, status, winding| {
                write(&mut answers, row, status, winding);
            });
        })
    }
}

impl<T: Precision, Q: Leave<OfInside>> Cast<'_, T, OnePoint<'_, T>, Q> {
    /// The generalised winding number of the point, as [of many points](Cast::winding_numbers).
    pub fn winding_number(&self) -> Result<f32> {
        let windings = self.as_batch(|point| point.winding_numbers())?;
        met_or_refused(windings.status()[0]).map(|_| windings.winding_number()[0])
    }
}

/// Counts crossings: +1 for each surface that a ray leaves, −1 for each that it enters. Any winding
/// number but 0 is a hit.
pub(super) struct Winding<'a> {
    pub(super) rows: InsideRows<'a>,
}

impl<T: Scalar> Sink<T> for Winding<'_> {
    in_rows!();

    fn offer(&mut self, row: usize, _: &Hit<T>, side: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.winding[row] += if side == Side::Back { 1 } else { -1 };
        self.rows.status[row] =
            if self.rows.winding[row] == 0 { Status::Miss } else { Status::Hit };
    }
}

impl<T: Precision> Options<'_, T> {
    /// The accuracy of generalised winding numbers, if it is finite.
    fn finite_accuracy(&self) -> Option<f64> {
        self.generalised.filter(|accuracy| !self.brute_force && *accuracy < f64::INFINITY)
    }

    /// Refuses a scene that has no inside by these options, or an accuracy that cannot be used,
    /// before so many points are asked.
    pub(super) fn refuse_open(&self, scene: &Scene<T>, points: usize) -> Result<()> {
        let watched = Watched::new(points, self.watch);
        match self.generalised {
            None => scene.refuse_open(&watched.chunk(0..points)).and(watched.finish()),
            Some(1.0..) => {
                scene.refuse_without_inside()?;
                if self.finite_accuracy().is_some() {
                    let _ = prepare(scene, &watched.chunk(0..points));
                }
                watched.finish()
            }
            Some(accuracy) => {
                let problem = format!("is {accuracy}; it must be at least 1");
                Err(Error::UnusableField {
                    maker: "generalised_winding",
                    field: "accuracy",
                    problem,
                })
            }
        }
    }
}

/// Makes the trees for generalised winding numbers of a finite accuracy, unless the call is to
/// stop.
fn prepare<T: Precision>(scene: &Scene<T>, chunk: &Chunk<'_>) -> ControlFlow<()> {
    match scene.find_open_edge(chunk)? {
        Some(_) => with_default_float_mode(|| scene.prepare_sums(chunk)),
        None => ControlFlow::Continue(()),
    }
}

/// Passes the status and the generalised winding number of each point of a chunk to `write`.
fn each_winding<T: Precision>(
    scene: &Scene<T>,
    points: &[[T; 3]],
    options: &Options<'_, T>,
    chunk: &Chunk<'_>,
    mut write: impl FnMut(usize, Status, f64),
) {
    let accuracy = options.finite_accuracy();
    if accuracy.is_some() && scene.open_edge().is_none() {
        let inside = by_crossings(scene, points, &options.crossing(), chunk);
        for (row, (&status, &winding)) in inside.status().iter().zip(inside.winding()).enumerate() {
            write(row, status, f64::from(winding));
        }
        return;
    }
    let of_shapes = windings_of_shapes(scene, points, options, chunk);
    with_default_float_mode(|| {
        let mut angles = vec![Angles::NONE; points.len()];
        let defects: Vec<_> = points.iter().map(|&point| scene.defect_of_point(point)).collect();
        let meshes = Meshes { options, accuracy, points, defects: &defects, chunk };
        if meshes.add(scene, points, None, &mut angles).is_break() {
            return;
        }
        for (row, (defect, angles)) in defects.iter().zip(&angles).enumerate() {
            if let Some(defect) = *defect {
                write(row, defect, 0.0);
                continue;
            }
            let of_shapes = of_shapes.winding().get(row).copied().map_or(0.0, f64::from);
            let winding = angles.winding() + of_shapes;
            write(row, if winding.abs() < 0.5 { Status::Miss } else { Status::Hit }, winding);
        }
    });
}

/// The meshes of a scene that is open, around points of which some have a defect and do not count.
struct Meshes<'a, 'o, T: Scalar> {
    options: &'a Options<'o, T>,
    accuracy: Option<f64>,
    points: &'a [[T; 3]],
    defects: &'a [Option<Status>],
    chunk: &'a Chunk<'a>,
}

impl<T: Precision> Meshes<'_, '_, T> {
    /// Adds those of a scene that is placed, maybe by a mirror, around the points as they are in
    /// its frame, unless the call is to stop.
    fn add(
        &self,
        scene: &Scene<T>,
        points: &[[T; 3]],
        placed: Option<(&Affine, bool)>,
        angles: &mut [Angles],
    ) -> ControlFlow<()> {
        let chunk = self.chunk;
        let crossings = if self.accuracy.is_some() && scene.sums_crossings(chunk)? {
            // Crossings of the scene's own meshes alone count.
            let is_own = |_: usize, hit: &Hit<T>, _: Side| {
                hit.instance().is_none() && !scene.is_on_shape(hit.instance_id, hit.geometry_id)
            };
            let selection = if scene.has_instances() || scene.holds_shapes() {
                Selection { filter: Some(&is_own), ..Selection::ALL }
            } else {
                Selection::ALL
            };
            by_crossings(scene, points, &Options { selection, ..self.options.crossing() }, chunk)
        } else {
            InsideBatch::new()
        };
        let views = Views {
            points: self.points,
            own: points,
            defects: self.defects,
            placed: placed.map(|(map, _)| map),
            is_mirrored: placed.is_some_and(|(_, is_mirrored)| is_mirrored),
            backend: self.options.backend_of(scene),
        };
        scene.add_own_angles(&views, self.accuracy, crossings.winding(), angles, chunk)?;
        scene.each_placed(|inner, transform, mirrors, back| {
            let map = placed.map_or(*transform, |(map, _)| *map * *transform);
            let is_mirrored = placed.is_some_and(|(_, is_mirrored)| is_mirrored) != mirrors;
            let points: Vec<[T; 3]> = points.iter().map(|&point| back(point)).collect();
            self.add(inner, &points, Some((&map, is_mirrored)), angles)
        })
    }
}

/// The windings of all other primitives than meshes, by crossings; empty if there are none.
fn windings_of_shapes<T: Precision>(
    scene: &Scene<T>,
    points: &[[T; 3]],
    options: &Options<'_, T>,
    chunk: &Chunk<'_>,
) -> InsideBatch {
    if !scene.holds_shapes() {
        return InsideBatch::new();
    }
    let is_shape =
        |_: usize, hit: &Hit<T>, _: Side| scene.is_on_shape(hit.instance_id, hit.geometry_id);
    let selection = Selection { filter: Some(&is_shape), ..Selection::ALL };
    by_crossings(scene, points, &Options { selection, ..options.crossing() }, chunk)
}

/// The points of a chunk that are inside, found on the calling thread.
pub(super) fn inside_of_chunk<T: Precision>(
    scene: &Scene<T>,
    points: &[[T; 3]],
    options: &Options<'_, T>,
    chunk: &Chunk<'_>,
) -> InsideBatch {
    if options.generalised.is_none() {
        return by_crossings(scene, points, &options.crossing(), chunk);
    }
    let mut inside = InsideBatch::new();
    let rows = inside.resize(points.len(), With::default());
    each_winding(scene, points, options, chunk, |row, status, _| rows.status[row] = status);
    inside
}

/// The windings of the points of a chunk by the hits that these options select.
fn by_crossings<T: Precision>(
    scene: &Scene<T>,
    points: &[[T; 3]],
    options: &Options<'_, T>,
    chunk: &Chunk<'_>,
) -> InsideBatch {
    let mut inside = InsideBatch::new();
    let rows = inside.resize(points.len(), With::default());
    let rays = RayBatch::from_points(points, winding_direction());
    let batch = BatchCast::without_facts(scene, options, &rays);
    batch.run(&chunk.within(0..points.len()), &mut Winding { rows });
    inside
}
