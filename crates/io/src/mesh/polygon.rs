//! A polygon as triangles: a fan around its first corner where that is right, else cut in its
//! plane.
//!
//! The cut is a constrained Delaunay triangulation by spade, whose predicates are exact, so corners
//! on a line stay corners. [file-formats.md](../../../../docs/notebook/file-formats.md#polygons)
//! says why it is not clipped ear by ear.

use spade::handles::{DirectedEdgeHandle, FixedDirectedEdgeHandle, FixedVertexHandle};
use spade::{
    CdtEdge, ConstrainedDelaunayTriangulation, DelaunayTriangulation, HasPosition, Intersection,
    LineIntersectionIterator, Point2, Triangulation,
};
use std::collections::{HashMap, HashSet};

/// A polygon of so many corners may take time by the square of their number.
const FEW_CORNERS: usize = 1024;

/// So many edges of triangles may be met along the edges of a larger one, for each of its corners.
/// The edges of one that does not cross itself meet few.
const MOST_STEPS: usize = 64;

/// The triangles of a polygon, by the numbers of its corners. Together they have the edges of the
/// polygon, each once, as their border.
#[derive(Debug, PartialEq)]
pub(super) enum Cut {
    /// A fan around the first corner, each triangle of which faces as the polygon does.
    Fan,
    /// The same of a polygon that crosses itself so often, or is folded so, that no better
    /// triangles are known.
    FanOfCrossing,
    Triangles {
        triangles: Vec<[u32; 3]>,
        crosses_itself: bool,
    },
}

/// Cuts a polygon of four corners or more, with coordinates that are finite. What is not planar is
/// seen along the normal that its area has. `roundoff` is what coordinates are rounded by, of their
/// size.
pub(super) fn cut(corners: &[[f64; 3]], roundoff: f64) -> Cut {
    // Most polygons have four corners, and are convex.
    if let &[first, b, c, d] = corners {
        let [b, c, d] = [b, c, d].map(|corner| sub(corner, first));
        if dot(cross(b, c), cross(c, d)) > 0.0 {
            return Cut::Fan;
        }
    }
    let Some(seen) = Seen::of(corners) else { return Cut::Fan };
    if seen.is_fan(roundoff) {
        return Cut::Fan;
    }
    let planar = seen.in_plane();
    // Corners at one place of the plane are one; the first stands for them.
    let Some(first_at) = first_at_place(&planar, &seen.corners) else { return Cut::FanOfCrossing };
    Cutting::new(&planar, first_at).map_or_else(|cut| cut, Cutting::triangles)
}

/// A polygon that is seen from its first corner, in units of about its size.
struct Seen {
    corners: Vec<[f64; 3]>,
    /// A unit vector: the direction of the polygon's area, or, if that is none, of the greatest
    /// triangle of the fan.
    normal: [f64; 3],
    /// Twice the area along it.
    area: f64,
}

impl Seen {
    /// None if all corners lie on a line.
    fn of(corners: &[[f64; 3]]) -> Option<Self> {
        let offsets = corners.iter().map(|&corner| sub(corner, corners[0]));
        let reach = offsets.clone().flatten().fold(0.0_f64, |reach, x| reach.max(x.abs()));
        // A power of two, so that no digit changes.
        let unit = f64::from_bits(reach.to_bits() & f64::INFINITY.to_bits());
        if unit == 0.0 {
            return None;
        }
        let corners: Vec<[f64; 3]> = offsets.map(|offset| offset.map(|x| x / unit)).collect();
        let (mut sum, mut total, mut greatest) = ([0.0; 3], 0.0, [0.0; 3]);
        for pair in corners[1..].windows(2) {
            let area = cross(pair[0], pair[1]);
            sum = [0, 1, 2].map(|axis| sum[axis] + area[axis]);
            total += length(area);
            if length(area) > length(greatest) {
                greatest = area;
            }
        }
        if total == 0.0 {
            return None;
        }
        // Parts that cancel, as those of an eight do, leave a sum of rounding.
        let area = if length(sum) > total * (0.5_f64).powi(40) { sum } else { greatest };
        let size = length(area);
        Some(Self { corners, normal: area.map(|x| x / size), area: length(sum) })
    }

    /// Whether the triangles of the fan all face along the normal and together turn once at most
    /// around the first corner. Those of a convex polygon do, and what rounding of its coordinates
    /// turns over has no area to speak of.
    fn is_fan(&self, roundoff: f64) -> bool {
        let tolerance = 16.0 * roundoff * self.area;
        let area = |a, b| dot(self.normal, cross(a, b));
        let is_first_corner = |corner: [f64; 3]| corner == [0.0; 3];
        let mut first = [0.0; 3];
        let mut is_past_half = false;
        self.corners[1..].windows(2).all(|pair| {
            let [from, to] = [pair[0], pair[1]];
            let comes_back =
                is_first_corner(from) && !is_first_corner(first) && !is_first_corner(to);
            if is_first_corner(first) {
                first = from;
            }
            let (step, turn) = (area(from, to), area(first, to));
            let faces = step > tolerance || step >= -tolerance && dot(from, to) >= 0.0;
            let has_turned_once =
                is_past_half && (turn > tolerance || turn >= -tolerance && dot(first, to) > 0.0);
            is_past_half |= turn < -tolerance;
            faces && !has_turned_once && !comes_back
        })
    }

    /// The corners as seen along the normal, counter-clockwise.
    fn in_plane(&self) -> Vec<[f64; 2]> {
        let n = self.normal;
        let least =
            (0..3).fold(0, |least, axis| if n[axis].abs() < n[least].abs() { axis } else { least });
        let mut right = n.map(|x| -n[least] * x);
        right[least] += 1.0;
        let size = length(right);
        let right = right.map(|x| x / size);
        let up = cross(n, right);
        // The predicates take no numbers whose products underflow, and −0 would be another place.
        let settled = |x: f64| if x.abs() < (0.5_f64).powi(100) { 0.0 } else { x };
        self.corners
            .iter()
            .map(|&corner| [right, up].map(|axis| settled(dot(axis, corner))))
            .collect()
    }
}

/// For each corner the first at its place of the plane; none if corners that differ in space share
/// a place.
fn first_at_place(planar: &[[f64; 2]], corners: &[[f64; 3]]) -> Option<Vec<u32>> {
    let mut firsts: HashMap<[u64; 2], u32> = HashMap::with_capacity(planar.len());
    let first_of = |(number, place): (u32, &[f64; 2])| {
        let first = *firsts.entry(place.map(f64::to_bits)).or_insert(number);
        (corners[first as usize] == corners[number as usize]).then_some(first)
    };
    (0..).zip(planar).map(first_of).collect()
}

/// A corner where it is in the plane.
struct Place {
    position: Point2<f64>,
    corner: u32,
}

impl HasPosition for Place {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}

/// The triangulation around a polygon.
struct Cutting {
    all: ConstrainedDelaunayTriangulation<Place>,
    /// For each corner the first at its place, and of those that are first the vertex.
    first_at: Vec<u32>,
    vertices: Vec<FixedVertexHandle>,
    /// How many steps along edges may still be taken.
    steps: usize,
}

impl Cutting {
    /// A fan if the polygon has no area in the plane, or crosses itself too often.
    fn new(planar: &[[f64; 2]], first_at: Vec<u32>) -> Result<Self, Cut> {
        let places: Vec<Place> = (0..)
            .zip(planar.iter().zip(&first_at))
            .filter(|(number, (_, first))| number == *first)
            .map(|(corner, (&[x, y], _))| Place { position: Point2::new(x, y), corner })
            .collect();
        // Loading edges as well would be shorter, but what is put off there is put in by the order
        // of a random hash.
        let all = DelaunayTriangulation::<Place>::bulk_load(places).map_err(|_| Cut::Fan)?;
        let mut all = ConstrainedDelaunayTriangulation::from(all);
        let mut vertices = vec![FixedVertexHandle::from_index(0); first_at.len()];
        for vertex in all.vertices() {
            vertices[vertex.data().corner as usize] = vertex.fix();
        }
        let mut uses = vec![0_u32; first_at.len()];
        first_at.iter().for_each(|&first| uses[first as usize] += 1);
        let has_few = first_at.len() <= FEW_CORNERS;
        let mut steps = if has_few { usize::MAX } else { MOST_STEPS * first_at.len() };
        // A polygon may go to and fro between two corners.
        let mut seen = HashSet::new();
        for mut edge in edges_of(&first_at) {
            // From the end with fewer neighbours, which are searched.
            edge.sort_by_key(|&corner| uses[corner as usize]);
            let ends = edge.map(|corner| vertices[corner as usize]);
            if !has_few {
                if !seen.insert(edge) {
                    continue;
                }
                steps = steps.checked_sub(steps_along(&all, ends)).ok_or(Cut::FanOfCrossing)?;
            }
            all.try_add_constraint(ends[0], ends[1]);
        }
        if all.num_inner_faces() == 0 {
            return Err(Cut::Fan);
        }
        Ok(Self { all, first_at, vertices, steps })
    }

    /// The faces around which the polygon winds, each as often and in that direction, and between
    /// an edge of the polygon and the edges of faces that it became what lies there: nothing,
    /// unless it runs through corners or crosses another edge.
    fn triangles(self) -> Cut {
        let (Self { all, first_at, vertices, .. }, mut steps) = (&self, self.steps);
        let most = 4 * first_at.len();
        let (mut triangles, mut crosses_itself) = (Vec::new(), false);
        let mut runs = vec![0_i32; all.num_directed_edges()];
        let constraints = all.directed_edges().filter(|edge| edge.is_constraint_edge());
        let direct: HashMap<[u32; 2], FixedDirectedEdgeHandle> = constraints
            .map(|edge| ([edge.from(), edge.to()].map(|end| end.data().corner), edge.fix()))
            .collect();
        for [from, to] in edges_of(first_at) {
            if let Some(edge) = direct.get(&[from, to]) {
                runs[edge.index()] += 1;
                continue;
            }
            // The edge as a chain of edges of faces, beside it to the left where it crosses some.
            let mut at = from;
            let mut go = |to: u32| {
                if to == at {
                    return;
                }
                let ends = [at, to].map(|corner| vertices[corner as usize]);
                let edge =
                    all.get_edge_from_neighbors(ends[0], ends[1]).expect("they share a face");
                runs[edge.fix().index()] += 1;
                if at != from {
                    triangles.push([from, to, at]);
                }
                at = to;
            };
            let ends = [from, to].map(|corner| vertices[corner as usize]);
            for met in LineIntersectionIterator::new_from_handles(all, ends[0], ends[1]) {
                let Some(left) = steps.checked_sub(steps_at(&met)) else {
                    return Cut::FanOfCrossing;
                };
                steps = left;
                match met {
                    Intersection::EdgeIntersection(edge) => {
                        crosses_itself = true;
                        go(edge.from().data().corner);
                    }
                    Intersection::VertexIntersection(vertex) => go(vertex.data().corner),
                    Intersection::EdgeOverlap(edge) => go(edge.to().data().corner),
                }
            }
            if triangles.len() > most {
                return Cut::FanOfCrossing;
            }
        }
        let windings = self.windings(&runs);
        for face in all.inner_faces() {
            let winding = windings[face.index()].expect("faces are connected");
            let [a, b, c] = face.vertices().map(|vertex| vertex.data().corner);
            crosses_itself |= !(0..=1).contains(&winding);
            if triangles.len() + winding.unsigned_abs() as usize > most {
                return Cut::FanOfCrossing;
            }
            let triangle = if winding > 0 { [a, b, c] } else { [a, c, b] };
            triangles.extend((0..winding.unsigned_abs()).map(|_| triangle));
        }
        Cut::Triangles { triangles, crosses_itself }
    }

    /// How often what runs along the edges winds around each face.
    fn windings(&self, runs: &[i32]) -> Vec<Option<i32>> {
        let mut windings: Vec<Option<i32>> = vec![None; self.all.num_all_faces()];
        let outside = self.all.outer_face();
        windings[outside.index()] = Some(0);
        let mut waiting: Vec<_> = self.all.directed_edges().collect();
        waiting.retain(DirectedEdgeHandle::is_outer_edge);
        while let Some(edge) = waiting.pop() {
            let across = edge.rev();
            let face = across.face();
            if windings[face.index()].is_some() {
                continue;
            }
            let winding = windings[edge.face().index()].expect("it was reached before");
            windings[face.index()] = Some(winding + runs[across.index()] - runs[edge.index()]);
            waiting.extend([across.next(), across.prev()]);
        }
        windings
    }
}

type Met<'a> = Intersection<'a, Place, (), CdtEdge<()>, ()>;

/// What it takes to go on from what a line has met: the edges around a vertex are searched.
fn steps_at(met: &Met) -> usize {
    match met {
        Intersection::VertexIntersection(vertex) => vertex.out_edges().count(),
        _ => 1,
    }
}

/// What it takes to find out whether an edge crosses one of the polygon.
fn steps_along(
    all: &ConstrainedDelaunayTriangulation<Place>,
    [from, to]: [FixedVertexHandle; 2],
) -> usize {
    let mut steps = 0;
    for met in LineIntersectionIterator::new_from_handles(all, from, to) {
        match met {
            Intersection::VertexIntersection(vertex) if vertex.fix() == to => break,
            Intersection::EdgeIntersection(edge) if edge.is_constraint_edge() => break,
            _ => steps += steps_at(&met),
        }
    }
    steps
}

/// The edges of a polygon between the first corners at their places, without those of no length.
fn edges_of(first_at: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let nexts = first_at.iter().cycle().skip(1);
    first_at.iter().zip(nexts).map(|(&from, &to)| [from, to]).filter(|[from, to]| from != to)
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
#[path = "../../tests/unit/mesh/polygon.rs"]
mod tests;
