//! Closed surfaces, the first open edge of others, and the least tolerance at which welding closes
//! them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::ops::ControlFlow;

use bytemuck::{ByteEq, ByteHash, Pod, Zeroable};

use super::sound::is_usable;
use super::weld::{Grid, squared_distance};
use super::{Precision, Scene};
use crate::chunks::Chunk;
use crate::error::{Error, Result};
use crate::math::mixed;
use crate::simd::{Scalar, with_default_float_mode};
use crate::traverse::Target;
use crate::value::Aabb;

/// An edge at which the surface of a scene is open: its triangles do not use it as often in one
/// direction as in the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenEdge<T = f32> {
    /// The geometry of the first triangle with this edge.
    pub geometry_id: u32,
    /// That triangle.
    pub primitive_id: u32,
    /// Its ends, in the direction of that triangle.
    pub ends: [[T; 3]; 2],
}

/// A place by the bits of its coordinates, with 0 for −0. All bits are hashed at once: number by
/// number takes a third longer.
#[derive(Debug, Clone, Copy, Pod, Zeroable, ByteEq, ByteHash)]
#[repr(transparent)]
struct VertexKey<T>([T; 3])
where
    T: Scalar;

impl<T: Scalar> VertexKey<T> {
    fn of(vertex: [T; 3]) -> Self {
        // No arithmetic: a floating-point mode may flush small numbers to 0.
        let is_negative_zero = |x: &T| bytemuck::bytes_of(x) == bytemuck::bytes_of(&T::of(-0.0));
        Self(vertex.map(|x| if is_negative_zero(&x) { T::ZERO } else { x }))
    }

    /// Words by which keys are ordered, as any order will do: comparing bytes is three times the
    /// code in WASM.
    fn words(&self) -> &[u32] {
        bytemuck::cast_slice(&self.0)
    }
}

/// Edges, each from its lesser end to its greater one, with the number of uses in that direction
/// less those in the other.
type Surplus<T> = HashMap<[VertexKey<T>; 2], i64>;

/// An edge from its lesser end, by words, to its greater one, and 1, or −1 if that turns it.
fn directed<T: Scalar>(ends: Edge<T>) -> ([VertexKey<T>; 2], i64) {
    let [from, to] = ends.map(VertexKey::of);
    if from.words() < to.words() { ([from, to], 1) } else { ([to, from], -1) }
}

/// The edges that triangles do not use as often in one direction as in the other. The map stays
/// small: leaves follow each other in space, so the two triangles of an edge come soon after each
/// other, and balanced edges are removed.
fn surplus<T: Scalar>(
    edges: impl Iterator<Item = Edge<T>>,
    chunk: &Chunk<'_>,
) -> ControlFlow<(), Surplus<T>> {
    let mut surplus = Surplus::new();
    for ends in edges {
        chunk.work(8)?;
        let (edge, way) = directed(ends);
        if edge[0] == edge[1] {
            continue;
        }
        match surplus.entry(edge) {
            Entry::Vacant(vacant) => drop(vacant.insert(way)),
            Entry::Occupied(mut occupied) => {
                *occupied.get_mut() += way;
                if *occupied.get() == 0 {
                    occupied.remove();
                }
            }
        }
    }
    ControlFlow::Continue(surplus)
}

pub(super) type Edge<T> = [[T; 3]; 2];

const fn edges_of<T: Copy>([a, b, c]: [[T; 3]; 3]) -> [Edge<T>; 3] {
    [[a, b], [b, c], [c, a]]
}

impl<T: Precision> Scene<T> {
    /// The first open edge, by geometry and triangle, of the surface of all meshes together; `None`
    /// if it is closed.
    ///
    /// Exact: triangles must use each edge, by the coordinates of its ends, as often in one
    /// direction as in the other. So an edge is open where the neighbour is wound the other way,
    /// and where a vertex of a neighbour lies within it. Hidden geometries and instances (with a
    /// mask of 0) are left out, and so are other primitives. Each instance is closed by itself or
    /// not; the ids of an edge in an instance are those of its own scene.
    ///
    /// The first call takes some hundred nanoseconds a triangle, twice as long if there is an open
    /// edge; further calls none.
    pub fn open_edge(&self) -> Option<OpenEdge<T>> {
        self.find_open_edge(&Chunk::unwatched(0..0)).continue_value().flatten()
    }

    /// The open edges of the scene's own visible triangles, in an order, with how much oftener each
    /// is used in its direction than in the other.
    pub(super) fn open_edges(&self, chunk: &Chunk<'_>) -> ControlFlow<(), Vec<(Edge<T>, i64)>> {
        let visible = self.visible();
        let triangles = self.numbered_triangles().filter(move |&(_, number)| visible.shows(number));
        let open = surplus(triangles.flat_map(|(corners, _)| edges_of(corners)), chunk)?;
        let mut open: Vec<_> = open.into_iter().collect();
        chunk.sort(&mut open, |([a, b], _), ([c, d], _)| {
            [a.words(), b.words()].cmp(&[c.words(), d.words()])
        })?;
        let edges = open.into_iter().map(|(ends, times)| (ends.map(|end| end.0), times));
        ControlFlow::Continue(edges.collect())
    }

    /// The same, unless the call is to stop.
    pub(crate) fn find_open_edge(&self, chunk: &Chunk<'_>) -> ControlFlow<(), Option<OpenEdge<T>>> {
        if let Some(known) = self.derived.open_edge.get() {
            return ControlFlow::Continue(*known);
        }
        let mut found = self.own_open_edge(chunk)?;
        for instance in self.instances.placed.iter().filter(|instance| instance.mask != 0) {
            if found.is_some() {
                break;
            }
            found = instance.scene.find_open_edge(chunk)?;
        }
        ControlFlow::Continue(*self.derived.open_edge.get_or_init(|| found))
    }

    fn own_open_edge(&self, chunk: &Chunk<'_>) -> ControlFlow<(), Option<OpenEdge<T>>> {
        let visible = self.visible();
        let triangles =
            || self.numbered_triangles().filter(move |&(_, number)| visible.shows(number));
        let open = surplus(triangles().flat_map(|(corners, _)| edges_of(corners)), chunk)?;
        let is_open = |&ends: &Edge<T>| open.contains_key(&directed(ends).0);
        let mut first: Option<(u32, Edge<T>)> = None;
        for (corners, number) in triangles().filter(|_| !open.is_empty()) {
            chunk.work(16)?;
            if first.is_none_or(|(first, _)| number < first)
                && let Some(ends) = edges_of(corners).into_iter().find(is_open)
            {
                first = Some((number, ends));
            }
        }
        ControlFlow::Continue(first.map(|(number, ends)| {
            let (geometry_id, primitive_id) = self.numbering.ids(number);
            OpenEdge { geometry_id, primitive_id, ends }
        }))
    }

    /// Refuses a surface that is open; not if the call is to stop before that is known.
    pub(crate) fn refuse_open(&self, chunk: &Chunk<'_>) -> Result<()> {
        let ControlFlow::Continue(open) = self.find_open_edge(chunk) else { return Ok(()) };
        if let Some(OpenEdge { geometry_id, primitive_id, ends }) = open {
            let ends = ends.map(|end| end.map(T::to_f64));
            return Err(Error::OpenSurface { geometry_id, primitive_id, ends });
        }
        self.refuse_without_inside()
    }

    /// The least tolerance at which [`SceneBuilder::weld`](crate::SceneBuilder::weld), given these
    /// triangles, closes the surface of all visible meshes together, without instances. `None` if
    /// it is closed, or if no tolerance closes it up to a thousandth of the diagonal of the box
    /// around the triangles and half the median length of the open edges.
    ///
    /// The tolerance was tried on all triangles, and the next smaller number leaves the surface
    /// open. A greater tolerance need not close it, as vertices may move elsewhere, and a much
    /// smaller one may close it by chance.
    ///
    /// ```
    /// # use lanecast::Scene;
    /// let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0], [0.001, 0.0, 0.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// assert_eq!(scene.closing_tolerance(), None, "it is closed");
    /// let scene = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [4, 3, 2], [1, 2, 3]])?;
    /// assert_eq!(scene.closing_tolerance(), Some(0.001));
    /// let scene = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2]])?;
    /// assert_eq!(scene.closing_tolerance(), None, "a side is missing");
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// Each call takes some hundreds of nanoseconds a triangle and some microseconds an open edge,
    /// on one thread.
    pub fn closing_tolerance(&self) -> Option<T> {
        with_default_float_mode(|| {
            let visible = self.visible();
            let mut triangles: Vec<_> = self.numbered_triangles().collect();
            // A damaged file may hold corners that no scene is built of, so that there is nothing
            // to weld.
            if !triangles.iter().all(|(corners, _)| corners.iter().all(is_usable)) {
                return None;
            }
            let seen = triangles.iter().filter(|&&(_, number)| visible.shows(number));
            let chunk = &Chunk::unwatched(0..0);
            let open = surplus(seen.flat_map(|&(corners, _)| edges_of(corners)), chunk)
                .continue_value()?;
            if open.is_empty() {
                return None;
            }
            // In the order of welding.
            triangles.sort_unstable_by_key(|&(_, number)| number);
            let is_closed_by = |&tolerance: &T| {
                let tolerance = tolerance.to_f64();
                let mut kept = Grid::new(tolerance, 3 * triangles.len());
                let edges = triangles.iter().flat_map(|&(corners, number)| {
                    let corners = corners.map(|corner| kept.join(corner, tolerance));
                    edges_of(corners).into_iter().filter(move |_| visible.shows(number))
                });
                surplus(edges, chunk).continue_value().is_some_and(|open| open.is_empty())
            };
            let bound = bound(&open, &self.tree.bounds());
            let gaps = Gaps::new(&open, triangles.iter().flat_map(|&(corners, _)| corners), bound);
            (0..=ROUNDS)
                .rev()
                .map_while(|round| gaps.least_within(bound / FACTOR.powi(round)))
                .flatten()
                .find(is_closed_by)
        })
    }
}

/// The greatest tolerance that is tried, as a part of the diagonal of the box around the triangles.
/// Openings that are left then are holes, and not gaps by rounding.
const LARGEST_PART: f64 = 1e-3;
/// Tolerances are tried up to a bound that grows by `FACTOR`, `ROUNDS` times: few pairs of places
/// are as near to each other as rounding leaves them, many are as near as the lengths of edges.
const FACTOR: f64 = 8.0;
const ROUNDS: i32 = 8;
/// The most distances measured for each place, on average, before the search is given up.
const DISTANCES: usize = 64;

/// The greatest tolerance that is tried: half of the median length of the open edges is a bound
/// too.
fn bound<T: Scalar>(open: &Surplus<T>, bounds: &Aabb<T>) -> f64 {
    let mut lengths: Vec<f64> = open.keys().map(|[a, b]| squared_distance(a.0, b.0)).collect();
    let middle = lengths.len() / 2;
    let (_, &mut median, _) = lengths.select_nth_unstable_by(middle, f64::total_cmp);
    let diagonal = squared_distance(bounds.min, bounds.max).sqrt();
    (LARGEST_PART * diagonal).min(median.sqrt() / 2.0)
}

/// Open edges, and the places with which their ends may be joined.
///
/// Welding opens no edge: an edge used as often in one direction as in the other stays balanced
/// wherever its ends go. So only the targets of the ends of open edges matter, and the places near
/// enough to be those targets.
struct Gaps<T> {
    /// Ends of open edges and places near to one, in the order in which triangles name them.
    places: Vec<[T; 3]>,
    /// Open edges as numbers of places, with their surplus.
    edges: Vec<([u32; 2], i64)>,
}

/// For each place the near places before it, in their order, with the least tolerance that joins
/// the two.
type Before<T> = Vec<Vec<(u32, T)>>;

impl<T: Scalar> Gaps<T> {
    fn new(open: &Surplus<T>, corners: impl Iterator<Item = [T; 3]>, bound: f64) -> Self {
        let ends: HashSet<_> = open.keys().flatten().collect();
        let mut grid = Grid::new(bound, ends.len());
        ends.iter().for_each(|end| grid.add(end.0));
        let (mut places, mut numbers) = (Vec::new(), HashMap::new());
        for corner in corners {
            if grid.near(corner).any(|(_, end)| squared_distance(corner, end) <= bound * bound) {
                numbers.entry(VertexKey::of(corner)).or_insert_with(|| {
                    places.push(corner);
                    places.len() as u32 - 1
                });
            }
        }
        let edge =
            |(ends, &surplus): (&[VertexKey<T>; 2], &i64)| (ends.map(|end| numbers[&end]), surplus);
        Self { edges: open.iter().map(edge).collect(), places }
    }

    /// The least tolerance up to `bound` that seems to close all edges; `None` if that is too much
    /// work.
    fn least_within(&self, bound: f64) -> Option<Option<T>> {
        let before = self.before_within(bound)?;
        // The result of welding changes only at these.
        let mut tolerances: Vec<_> = before.iter().flatten().map(|&(_, least)| least).collect();
        tolerances.sort_unstable_by(|a, b| a.total_order(*b));
        tolerances.dedup();
        if !tolerances.last().is_some_and(|&last| self.are_closed_by(last, &before)) {
            return Some(None);
        }
        // Bisection: a tolerance before `open` leaves the surface open, one from `closed` on closes
        // it. Not every tolerance above one that closes does so too: the order of trials is part of
        // the answer.
        let (mut open, mut closed) = (0, tolerances.len());
        while open + 1 < closed {
            let middle = open.midpoint(closed);
            let is_closed = self.are_closed_by(tolerances[middle - 1], &before);
            *(if is_closed { &mut closed } else { &mut open }) = middle;
        }
        Some(Some(tolerances[closed - 1]))
    }

    fn before_within(&self, bound: f64) -> Option<Before<T>> {
        let mut grid = Grid::new(bound, self.places.len());
        let mut left = NonZero::new(DISTANCES * self.places.len())?;
        let mut before = Vec::with_capacity(self.places.len());
        for &place in &self.places {
            let mut near = Vec::new();
            for (index, other) in grid.near(place) {
                let squared = squared_distance(place, other);
                if squared <= bound * bound {
                    near.push((index, at_least(squared)));
                }
                left = NonZero::new(left.get() - 1)?;
            }
            near.sort_unstable_by_key(|&(index, _)| index);
            near.dedup();
            before.push(near);
            grid.add(place);
        }
        Some(before)
    }

    /// Whether the open edges balance when their ends are joined, by a sum of 64-bit hashes, which
    /// may be 0 by chance.
    fn are_closed_by(&self, tolerance: T, before: &Before<T>) -> bool {
        let mut kept: Vec<u32> = Vec::with_capacity(before.len());
        for (number, near) in (0..).zip(before) {
            let within = near.iter().filter(|&&(_, least)| least <= tolerance);
            let first =
                within.map(|&(other, _)| other).find(|&other| kept[other as usize] == other);
            kept.push(first.unwrap_or(number));
        }
        let signed = |&(ends, surplus): &([u32; 2], i64)| {
            let [from, to] = ends.map(|end| u64::from(kept[end as usize]));
            // The signs are opposite for opposite directions, and the number is 0 for joined ends.
            let number = mixed(from << 32 | to).wrapping_sub(mixed(to << 32 | from));
            number.wrapping_mul(surplus as u64)
        };
        self.edges.iter().map(signed).fold(0, u64::wrapping_add) == 0
    }
}

/// The least tolerance with at least this square.
fn at_least<T: Scalar>(squared: f64) -> T {
    let near = T::nearest_to(squared.sqrt()).next_down();
    let reaches = |&tolerance: &T| tolerance.to_f64() * tolerance.to_f64() >= squared;
    [near, near.next_up(), near.next_up().next_up()]
        .into_iter()
        .find(reaches)
        .unwrap_or(T::GREATEST)
}
