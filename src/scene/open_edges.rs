//! The open edges of a surface, and their part of its winding numbers.
//!
//! Let each open edge of a surface S be swept to infinity against a direction s. With these strips
//! S is closed. A ray from a point along s meets none of them, but from points on a strip, so the
//! crossings of S by the ray are those of a closed surface, whose winding number they count. That
//! of S is this whole number less the part of the strips in the sphere around the point: the solid
//! angle of a triangle of which one corner is infinitely far away, for each edge. So a surface of n
//! triangles and m open edges takes the time of a ray and m strips, however long and thin its
//! triangles are, and without an approximation.
//!
//! Seen from a point, the swept edge from a to b has twice the argument of ρ(a) ρ(b) + α·β − i s·(a
//! × b), with |s| = 1, α and β for a × s and b × s, and ρ(a) = |a| − a·s: the formula of van
//! Oosterom and Strackee, as for triangles, with −s for the third corner. It has a step of a whole
//! turn where the point passes through a strip, by the sign of its imaginary part, as crossings
//! have where the ray passes through the edge. Both are decided in the same way: exactly, from
//! differences that are rounded once, and of a ray through an edge as if it passed beside it
//! (`kernel/watertight.rs`).
//!
//! Many edges are grouped. Around a center c the strip from a to b is that from c to b, less that
//! from c to a, and the triangle of a, b and c, unless the ray meets the triangle. So a group that
//! is far from the point and not met by the ray is a dipole of all these triangles, as groups of
//! triangles are, and strips from its center to the ends of its chains of edges, of which closed
//! ones have none.

use std::ops::{ControlFlow, Range};

use super::Precision;
use super::solid_angles::{Angles, Dipole, Vector, distance};
use crate::chunks::Chunk;
use crate::kernel::ExactScalar;
use crate::math::{add, by_number, cross, dot, longest_axis, sub};
use crate::simd::MapEach;
use crate::value::Affine;

/// One end of a strip relative to a point in the frame of its scene: y and z, rounded to its
/// precision.
type Beside<T> = [T; 2];

#[derive(Debug, Clone, Copy)]
struct Edge<T> {
    ends: [[T; 3]; 2],
    /// By how much oftener triangles use it in this direction.
    times: i64,
}

/// The open edges of a scene's own visible triangles, in a binary tree.
#[derive(Debug, Clone)]
pub(super) struct OpenEdges<T> {
    edges: Vec<Edge<T>>,
    /// Each before its children, of which the first follows it.
    groups: Vec<Group>,
    ends: Vec<(Vector, f64)>,
    /// Groups with too many ends.
    never_far: usize,
}

#[derive(Debug, Clone)]
struct Group {
    edges: Range<usize>,
    /// The dipole of the triangles between the edges and its center.
    dipole: Dipole,
    /// The ends of its chains, each with how many more edges end there than begin.
    ends: Range<usize>,
    /// The second child; 0 if it has none.
    second: usize,
}

/// The most edges of a group without children, and the most ends of one that is taken as a whole.
const MOST_EDGES: usize = 8;
const MOST_ENDS: usize = 8;

/// The most groups with more ends: each point has to open all of them.
const MOST_NEVER_FAR: usize = 256;

/// A point, and the placement of the scene around it.
pub(crate) struct HasBoxFrame<'a, T> {
    pub(crate) point: Vector,
    /// In the frame of the scene, rounded.
    pub(crate) own: [T; 3],
    pub(crate) placed: Option<&'a Affine>,
    pub(crate) is_mirrored: bool,
}

impl<T: Precision> OpenEdges<T> {
    /// `None` if many groups would not be taken as a whole from anywhere, as their chains have many
    /// ends. Unless the call is to stop.
    pub(super) fn new(
        edges: Vec<([[T; 3]; 2], i64)>,
        chunk: &Chunk<'_>,
    ) -> ControlFlow<(), Option<Self>> {
        let edges: Vec<_> = edges.into_iter().map(|(ends, times)| Edge { ends, times }).collect();
        let mut all = Self { edges, groups: Vec::new(), ends: Vec::new(), never_far: 0 };
        if !all.edges.is_empty() {
            all.group(0..all.edges.len(), chunk)?;
        }
        ControlFlow::Continue((all.never_far <= MOST_NEVER_FAR).then_some(all))
    }

    /// Adds the strips of all edges. Groups that are farther than `accuracy` times their radius are
    /// taken as a whole. Breaks if the call is to stop.
    pub(super) fn add_angles(
        &self,
        viewed: &HasBoxFrame<'_, T>,
        [accuracy, stretch]: [f64; 2],
        angles: &mut Angles,
        chunk: &Chunk<'_>,
    ) -> ControlFlow<()> {
        if self.groups.is_empty() {
            return ControlFlow::Continue(());
        }
        let &HasBoxFrame { own, placed, is_mirrored, .. } = viewed;
        // Crossings are those of a ray from there.
        let point = own.map(T::to_f64);
        let point = placed.map_or(point, |map| map.carry(point));
        let vector = |v: Vector| placed.map_or(v, |map| map.vector(v));
        let seen = |v: Vector| sub(placed.map_or(v, |map| map.carry(v)), point);
        let along = vector([1.0, 0.0, 0.0]);
        let length = dot(along, along).sqrt();
        let strips =
            Strips { along: along.map_each(|x| x / length), aside: vector([0.0, -1.0, 0.0]) };
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            chunk.work(8)?;
            let Group { edges, dipole, ends, second } = &self.groups[at];
            let center = seen(dipole.center);
            let radius = stretch * dipole.radius;
            let ahead = dot(center, strips.along);
            let beside = cross(center, strips.along);
            let may_be_met =
                ahead + radius >= 0.0 && dot(beside, beside) <= radius * radius * A_LITTLE_MORE;
            let is_far = dot(center, center) > accuracy * accuracy * radius * radius;
            if is_far && !may_be_met && ends.len() < edges.len() {
                let carried = placed.map_or(*dipole, |map| dipole.carried(map, stretch));
                angles.add_dipole(&carried, point);
                for &(end, times) in &self.ends[ends.clone()] {
                    let end = seen(end);
                    let number = if times > 0.0 {
                        strips.number(center, end)
                    } else {
                        strips.number(end, center)
                    };
                    for _ in 0..times.abs() as u64 {
                        chunk.work(2)?;
                        angles.multiply(number);
                    }
                }
            } else if *second > 0 {
                waiting.extend([*second, at + 1]);
            } else {
                for Edge { ends, times } in &self.edges[edges.clone()] {
                    let besides = ends.map_each(|end| [end[1] - own[1], end[2] - own[2]]);
                    let number = strips.exact_number(
                        ends.map_each(|end| seen(end.map(T::to_f64))),
                        besides,
                        is_mirrored,
                    );
                    let number = if *times > 0 { number } else { [number[0], -number[1]] };
                    for _ in 0..times.unsigned_abs() {
                        chunk.work(4)?;
                        angles.multiply(number);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Groups the edges in a range, and their halves along the axis on which their middles lie
    /// farthest apart.
    fn group(&mut self, range: Range<usize>, chunk: &Chunk<'_>) -> ControlFlow<()> {
        let own = self.groups.len();
        let group = self.grouped(range.clone(), chunk)?;
        self.groups.push(group);
        let edges = &mut self.edges[range.clone()];
        if edges.len() <= MOST_EDGES || self.never_far > MOST_NEVER_FAR {
            return ControlFlow::Continue(());
        }
        let middle =
            |edge: &Edge<T>, axis: usize| edge.ends[0][axis].to_f64() + edge.ends[1][axis].to_f64();
        let extent = |axis: usize| {
            let all = edges.iter().map(|edge| middle(edge, axis));
            let [least, most] =
                all.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
            most - least
        };
        let axis = longest_axis([extent(0), extent(1), extent(2)]);
        // Equal ones keep their order, which is that of their ends.
        let mut order: Vec<_> = edges.iter().map(|edge| middle(edge, axis)).zip(0..).collect();
        chunk.sort(&mut order, by_number)?;
        let sorted: Vec<_> = order.iter().map(|&(_, place)| edges[place]).collect();
        edges.copy_from_slice(&sorted);
        drop((order, sorted));
        let half = range.start + range.len() / 2;
        self.group(range.start..half, chunk)?;
        self.groups[own].second = self.groups.len();
        self.group(half..range.end, chunk)
    }

    fn grouped(&mut self, range: Range<usize>, chunk: &Chunk<'_>) -> ControlFlow<(), Group> {
        let edges = &self.edges[range.clone()];
        let wide = |edge: &Edge<T>| edge.ends.map_each(|end| end.map(T::to_f64));
        let (mut center, mut lengths) = ([0.0; 3], 0.0);
        for [a, b] in edges.iter().map(wide) {
            chunk.work(1)?;
            let length = distance(a, b);
            lengths += length;
            center = [0, 1, 2].map_each(|axis| center[axis] + 0.5 * length * (a[axis] + b[axis]));
        }
        let center = center.map_each(|x| x / lengths);
        let mut dipole = Dipole { center, ..Dipole::NOTHING };
        let mut ends: Vec<(Vector, f64)> = Vec::with_capacity(2 * edges.len());
        for edge in edges {
            chunk.work(2)?;
            let (times, corners) = (edge.times as f64, wide(edge));
            let [a, b] = corners.map_each(|corner| sub(corner, center));
            dipole.radius = dipole.radius.max(dot(a, a).sqrt()).max(dot(b, b).sqrt());
            let normal = cross(a, b).map_each(|x| 0.5 * times * x);
            dipole.normal = add(dipole.normal, normal);
            let off = add(a, b).map_each(|x| x / 3.0);
            for (row, off) in dipole.moment.iter_mut().zip(off) {
                *row = add(*row, normal.map_each(|x| off * x));
            }
            ends.extend([(corners[0], -times), (corners[1], times)]);
        }
        let order = |a: &Vector, b: &Vector| {
            let by_axis = |axis: usize| a[axis].total_cmp(&b[axis]);
            by_axis(0).then_with(|| by_axis(1)).then_with(|| by_axis(2))
        };
        chunk.sort(&mut ends, |a, b| order(&a.0, &b.0))?;
        let start = self.ends.len();
        for same in ends.chunk_by(|a, b| a.0 == b.0) {
            let times: f64 = same.iter().map(|&(_, times)| times).sum();
            if times != 0.0 {
                self.ends.push((same[0].0, times));
            }
        }
        if self.ends.len() - start > MOST_ENDS {
            self.never_far += 1;
            self.ends.truncate(start);
            dipole.radius = f64::INFINITY;
        }
        ControlFlow::Continue(Group {
            edges: range,
            dipole,
            ends: start..self.ends.len(),
            second: 0,
        })
    }
}

const A_LITTLE_MORE: f64 = 1.0 + 1e-9;

/// Strips along a unit vector.
struct Strips {
    along: Vector,
    /// Where a point on the ray lies, beside which this passes.
    aside: Vector,
}

impl Strips {
    /// The complex number whose argument is half the solid angle of the strip of an edge from a to
    /// b, as seen from 0.
    fn number(&self, a: Vector, b: Vector) -> [f64; 2] {
        let ends = [a, b].map_each(|end| (self.rest(end), cross(end, self.along)));
        let [(rest_a, beside_a), (rest_b, beside_b)] = ends;
        [rest_a * rest_b + dot(beside_a, beside_b), -dot(self.along, cross(a, b))]
    }

    /// ρ.
    fn rest(&self, end: Vector) -> f64 {
        let (ahead, beside, far) =
            (dot(end, self.along), cross(end, self.along), dot(end, end).sqrt());
        // The quotient keeps the digits that the difference would lose.
        if ahead > 0.0 { dot(beside, beside) / (far + ahead) } else { far - ahead }
    }

    /// The same with the sign of its imaginary part, and where the ray meets an end, as crossings
    /// decide.
    fn exact_number<T: ExactScalar>(
        &self,
        mut ends: [Vector; 2],
        besides: [Beside<T>; 2],
        is_mirrored: bool,
    ) -> [f64; 2] {
        let is_met = |end: usize| besides[end] == [T::ZERO; 2] && dot(ends[end], self.along) > 0.0;
        let met = [is_met(0), is_met(1)];
        if met == [true; 2] {
            return [1.0, 0.0];
        }
        for end in 0..2 {
            if met[end] {
                ends[end] = self.aside;
            }
        }
        let [re, im] = if met == [false; 2] {
            self.number(ends[0], ends[1])
        } else {
            // The rest of the one that is met is 0.
            let [a, b] = ends;
            [dot(cross(a, self.along), cross(b, self.along)), -dot(self.along, cross(a, b))]
        };
        let sign = if is_mirrored { -side(besides) } else { side(besides) };
        [re, sign * im.abs().max(f64::MIN_POSITIVE * re.abs())]
    }
}

/// The sign of the imaginary part, before maps that mirror.
fn side<T: ExactScalar>([[ay, az], [by, bz]]: [Beside<T>; 2]) -> f64 {
    let [not_below, not_above] =
        T::signs(T::difference_of_products([az, by], [ay, bz])).map(T::narrow_mask);
    let is_above =
        match (crate::simd::Mask::bits(not_below) != 0, crate::simd::Mask::bits(not_above) != 0) {
            (true, true) if az == bz => by < ay,
            (true, true) => az < bz,
            (not_below, _) => not_below,
        };
    if is_above { 1.0 } else { -1.0 }
}
