//! The solid angles of triangles that share few edges, as sums over a tree of their pieces.
//!
//! The pieces of a part of the tree that is seen from far away count as a dipole with the next term
//! of its expansion: Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for Soups
//! and Clouds", SIGGRAPH 2018. Others count each for itself, eight at a time.
//!
//! # How far off a dipole is
//!
//! A small triangle with area normal N at x is seen at the solid angle −N·∇(1/|x − p|). Around a
//! center c, with h = |x − c|, d = |p − c| and γ for the angle between these, 1/|x − p| is the sum
//! of hˡ Pₗ(cos γ) / dˡ⁺¹ over l. The gradient of a term has the square hˡ⁻¹ (l² Pₗ² + sin² γ
//! Pₗ'²)½ / dˡ⁺¹, which is at most l hˡ⁻¹ / dˡ⁺¹: Pₗ is at most 1 from −1 to 1, and Bernstein and
//! Szegő bound (1 − x²) P'² + l² P² by l² for such polynomials. A dipole with its next term is
//! exact for l up to 2. So, with q = r/d for the radius r of the ball around pieces of area A, it
//! is off by at most
//!
//! A/d² Σₗ₌₃ l qˡ⁻¹ = A/d² (1/(1 − q)² − 1 − 2q) = A/d² · q² (3 − 2q) / (1 − q)².
//!
//! A part counts as a dipole where d is more than `accuracy` times r. It also does nearer by, but
//! outside of its ball, where that bound is no more than at this distance for pieces of the area
//! 2r²: long thin triangles fill little of their ball. But many parts that fill little may lie beside
//! each other in a smooth surface, where their errors add up as those of few that fill much, so all
//! count as if they filled an eighth.
//!
//! Triangles are cut into [pieces](Pieces::new), as balls around long ones are large, and few
//! points are outside of them.

use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::ControlFlow;

use super::solid_angles::{Angles, Column, Dipole, Sums, Vector, distance, greatest_stretch};
use crate::chunks::Chunk;
use crate::math::{cross, dot, sub};
use crate::simd::{Arithmetic, Backend, LANES, MapEach, Mask, Real, Vectors, dispatch, prefetch};
use crate::value::Affine;

/// The data of the children of a node, a lane for each.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    center: [Column; 3],
    radius: Column,
    /// That of the pieces, or the [least](LEAST_AREA) for the radius.
    area: Column,
    normal: [Column; 3],
    moment: [[Column; 3]; 3],
    /// Nodes by their numbers, and blocks by theirs with [`BLOCK`]; [`NOTHING`] in lanes without a
    /// child.
    children: [u32; LANES],
}

const BLOCK: u32 = 1 << 31;
const NOTHING: u32 = u32::MAX;

/// The corners of eight pieces; of those that are left over, zeros.
type Block = [[Column; 3]; 3];

/// The pieces of triangles, in a tree.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    root: u32,
}

/// How many pieces there are at most, about, as a multiple of the triangles.
const MOST_PIECES: usize = 9;

/// A triangle is halved while it is so many times as long as wide.
const ELONGATED: f64 = 12.0;

/// Near the ball around it the expansion of a dipole converges slowly: none counts as one that is
/// nearer than so many radii.
const LEAST_ACCURACY: f64 = 1.2;

/// The area of pieces that fill a ball of the radius 1, as a square inside of it does.
const FULL: f64 = 2.0;

/// The least area that pieces in a ball of the radius 1 count as. Without it cones of 20,000 strips
/// are off by 0.06 at accuracies of 2 and 4 alike, with a sixteenth by 0.04 and 0.010, with an eighth
/// by 0.04 and 0.007.
const LEAST_AREA: f64 = FULL / 8.0;

#[derive(Clone, Copy)]
struct Piece {
    corners: [Vector; 3],
    /// Its middle, and its radius around it, by which pieces are sorted.
    place: [f64; 4],
}

fn area_normal([a, b, c]: [Vector; 3]) -> Vector {
    cross(sub(b, a), sub(c, a)).map_each(|x| 0.5 * x)
}

fn length(v: Vector) -> f64 {
    dot(v, v).sqrt()
}

impl Piece {
    fn new(corners: [Vector; 3]) -> Self {
        let [a, b, c] = corners;
        let middle = [0, 1, 2].map_each(|axis: usize| (a[axis] + b[axis] + c[axis]) / 3.0);
        let radius =
            corners.iter().fold(0.0, |most: f64, corner| most.max(distance(*corner, middle)));
        Self { corners, place: [middle[0], middle[1], middle[2], radius] }
    }

    fn dipole(&self) -> Dipole {
        let normal = area_normal(self.corners);
        let [x, y, z, radius] = self.place;
        Dipole { center: [x, y, z], area: length(normal), radius, normal, ..Dipole::NOTHING }
    }
}

/// The triangle with its longest edge first, and the length of that.
fn longest_first([a, b, c]: [Vector; 3]) -> ([Vector; 3], f64) {
    let [ab, bc, ca] = [distance(a, b), distance(b, c), distance(c, a)];
    if ab >= bc && ab >= ca {
        ([a, b, c], ab)
    } else if bc >= ca {
        ([b, c, a], bc)
    } else {
        ([c, a, b], ca)
    }
}

/// Halves a triangle, across its longest edge, until no piece is elongated and longer than
/// `longest`. Passes each on, and whether it is elongated.
fn halve(corners: [Vector; 3], longest: f64, into: &mut impl FnMut([Vector; 3], bool)) {
    let (turned, edge) = longest_first(corners);
    let width = 2.0 * length(area_normal(turned)) / edge;
    let is_elongated = edge > ELONGATED * width;
    if edge <= longest || !is_elongated {
        return into(corners, is_elongated);
    }
    let [a, b, c] = turned;
    let middle = [0, 1, 2].map_each(|axis: usize| 0.5 * a[axis] + 0.5 * b[axis]);
    halve([a, middle, c], longest, into);
    halve([middle, b, c], longest, into);
}

impl Pieces {
    /// Elongated triangles are cut into pieces of about one length, so that there are no more than
    /// [`MOST_PIECES`] times as many as triangles, about, and no shorter than blocks of pieces
    /// would be if they filled the box around all triangles. Fat ones stay whole: in pieces, as
    /// many more are near as there are more. Unless the call is to stop.
    pub(super) fn new(
        triangles: impl Iterator<Item = [Vector; 3]>,
        chunk: &Chunk<'_>,
    ) -> ControlFlow<(), Self> {
        let (mut whole, mut bounds) = (Vec::new(), [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]]);
        for corners in triangles {
            chunk.work(4)?;
            // A piece without area has no solid angle, and would only widen the rest.
            if length(area_normal(corners)) > 0.0 {
                whole.push(corners);
                for corner in corners {
                    bounds[0] = [0, 1, 2].map_each(|axis| bounds[0][axis].min(corner[axis]));
                    bounds[1] = [0, 1, 2].map_each(|axis| bounds[1][axis].max(corner[axis]));
                }
            }
        }
        let extent = sub(bounds[1], bounds[0]);
        // Whether a cube of this edge is larger than the share that eight pieces have of the box, if
        // they fill it. By ratios, as volumes may underflow.
        let share = LANES as f64 / (MOST_PIECES * whole.len().max(1)) as f64;
        let is_more_than_share =
            |edge: f64| extent.iter().fold(share, |volume, x| volume * (x / edge)) < 1.0;
        let most = MOST_PIECES * whole.len();
        let mut longest = whole.iter().map(|&corners| longest_first(corners).1).fold(0.0, f64::max);
        // Where no piece is elongated, cutting has ended: boxes of no volume have no least length.
        let mut some_are = longest.is_finite();
        while some_are && is_more_than_share(longest) {
            let shorter = longest * FRAC_1_SQRT_2;
            let mut count = 0;
            some_are = false;
            for &corners in &whole {
                chunk.work(4)?;
                halve(corners, shorter, &mut |_, is_elongated| {
                    count += 1;
                    some_are |= is_elongated;
                });
                if count > most {
                    break;
                }
            }
            if count > most {
                break;
            }
            longest = shorter;
        }
        let mut pieces = Vec::with_capacity(whole.len());
        for corners in whole {
            chunk.work(4)?;
            halve(corners, longest, &mut |corners, _| pieces.push(Piece::new(corners)));
        }
        let mut all = Self { nodes: Vec::new(), blocks: Vec::new(), root: NOTHING };
        (all.root, _) = all.add(&mut pieces, chunk)?;
        ControlFlow::Continue(all)
    }

    /// Adds pieces, and returns where, with their dipole.
    fn add(&mut self, pieces: &mut [Piece], chunk: &Chunk<'_>) -> ControlFlow<(), (u32, Dipole)> {
        chunk.work(pieces.len() as u32)?;
        if pieces.len() <= LANES {
            let mut block: Block = [[[0.0; LANES]; 3]; 3];
            for (lane, piece) in pieces.iter().enumerate() {
                for (columns, corner) in block.iter_mut().zip(piece.corners) {
                    for (column, x) in columns.iter_mut().zip(corner) {
                        column[lane] = x;
                    }
                }
            }
            let at = if pieces.is_empty() { NOTHING } else { BLOCK | self.blocks.len() as u32 };
            self.blocks.push(block);
            let parts: Vec<Dipole> = pieces.iter().map(Piece::dipole).collect();
            return ControlFlow::Continue((at, around(pieces, &parts)));
        }
        let at = self.nodes.len();
        self.nodes.push(Node { children: [NOTHING; LANES], ..Node::default() });
        let mut parts = vec![pieces];
        for _ in 0..LANES.ilog2() {
            let mut halves = Vec::with_capacity(LANES);
            for part in parts {
                halves.extend(halved(part, chunk)?);
            }
            parts = halves;
        }
        let mut dipoles = Vec::with_capacity(LANES);
        for (lane, part) in parts.iter_mut().enumerate().filter(|(_, part)| !part.is_empty()) {
            let (child, dipole) = self.add(part, chunk)?;
            self.nodes[at].set(lane, child, &dipole);
            dipoles.push(dipole);
        }
        let dipole = around(parts.into_iter().flatten(), &dipoles);
        ControlFlow::Continue((at as u32, dipole))
    }

    /// Prefetches the lines of a child.
    #[inline(always)]
    fn prefetch(&self, child: u32) {
        if child == NOTHING {
            return;
        }
        if child & BLOCK != 0 {
            let block: &[f64] = self.blocks[(child ^ BLOCK) as usize].as_flattened().as_flattened();
            block.chunks(LANES).for_each(|line| prefetch(&line[0]));
        } else {
            let node = &self.nodes[child as usize];
            prefetch(&node.children);
            node.center
                .iter()
                .chain([&node.radius, &node.area])
                .chain(&node.normal)
                .for_each(prefetch);
            node.moment.as_flattened().iter().for_each(prefetch);
        }
    }

    /// Adds the solid angles of all as seen from the points of some rows, by `rows`. Points are in
    /// the frame of the pieces, in which lengths are those of `metric`. A node is visited for all
    /// points that are near it at once, as reading it takes longer than the arithmetic. Breaks if
    /// the call is to stop.
    pub(super) fn add_angles(
        &self,
        backend: Backend,
        (rows, points, metric): (&[u32], &[Vector], &Metric),
        accuracy: f64,
        angles: &mut [Angles],
        chunk: &Chunk<'_>,
    ) -> ControlFlow<()> {
        let mut sums = vec![Sums::NONE; points.len()];
        let accuracy = accuracy.max(LEAST_ACCURACY);
        let ratio = 1.0 / accuracy;
        let most = FULL * (ratio * ratio * ratio * ratio) * (3.0 - 2.0 * ratio)
            / ((1.0 - ratio) * (1.0 - ratio));
        let sum = Sum { pieces: self, points, metric, accuracy, most, sums: &mut sums, chunk };
        dispatch!(backend, lanes => sum.add_all(f64::in_block(lanes)))?;
        for (&row, sums) in rows.iter().zip(&sums) {
            angles[row as usize].add(sums, metric.determinant);
        }
        ControlFlow::Continue(())
    }
}

/// Cuts pieces in two, which fill blocks of eight but for the last: by where they lie along an
/// axis, or by their size, if that differs more, so that a few large ones do not widen all the
/// balls around small ones.
fn halved<'p>(pieces: &'p mut [Piece], chunk: &Chunk<'_>) -> ControlFlow<(), [&'p mut [Piece]; 2]> {
    let count = pieces.len();
    if count <= LANES {
        return ControlFlow::Continue([pieces, &mut []]);
    }
    let mut bounds = [[f64::INFINITY; 4], [f64::NEG_INFINITY; 4]];
    for piece in &*pieces {
        for (axis, &x) in piece.place.iter().enumerate() {
            bounds[0][axis] = bounds[0][axis].min(x);
            bounds[1][axis] = bounds[1][axis].max(x);
        }
    }
    let weights = [1.0, 1.0, 1.0, OF_RADIUS];
    let extent = |axis: &usize| weights[*axis] * (bounds[1][*axis] - bounds[0][*axis]);
    let axis = (0..4).max_by(|a, b| extent(a).total_cmp(&extent(b))).unwrap_or(0);
    let order = |a: &Piece, b: &Piece| a.place[axis].total_cmp(&b.place[axis]);
    let half = (count / 2).next_multiple_of(LANES);
    if count > MOST_SELECTED {
        chunk.sort(pieces, order)?;
    } else {
        chunk.work(count as u32)?;
        pieces.select_nth_unstable_by(half, order);
    }
    ControlFlow::Continue(pieces.split_at_mut(half).into())
}

/// How much more a difference of radii counts than one of places.
const OF_RADIUS: f64 = 2.0;

/// So many pieces are cut in two between looks whether to stop, in some milliseconds.
const MOST_SELECTED: usize = 1 << 17;

/// The dipole of pieces from those of parts of them, with the least radius.
fn around<'p>(pieces: impl IntoIterator<Item = &'p mut Piece>, parts: &[Dipole]) -> Dipole {
    let whole = Dipole::joined(parts);
    let corners = pieces.into_iter().flat_map(|piece| piece.corners);
    let radius = corners.fold(0.0, |most: f64, corner| most.max(distance(corner, whole.center)));
    Dipole { radius, ..whole }
}

impl Node {
    fn set(&mut self, lane: usize, child: u32, dipole: &Dipole) {
        self.children[lane] = child;
        self.radius[lane] = dipole.radius;
        self.area[lane] = dipole.area.max(LEAST_AREA * dipole.radius * dipole.radius);
        for axis in 0..3 {
            self.center[axis][lane] = dipole.center[axis];
            self.normal[axis][lane] = dipole.normal[axis];
            for column in 0..3 {
                self.moment[axis][column][lane] = dipole.moment[axis][column];
            }
        }
    }
}

/// How a map from the frame of pieces changes lengths and volumes there.
///
/// With A for its matrix, a mapped vector Av has the scalar product v·AᵀAw with Aw, and volumes
/// grow by det A. So do products of area normals, which are mapped by the cofactors of A, with
/// vectors: solid angles need no more.
pub(super) struct Metric {
    /// AᵀA, if it is not 1.
    squares: Option<[Vector; 3]>,
    determinant: f64,
    /// Distances grow by at most this.
    stretch: f64,
}

impl Metric {
    pub(super) fn new(placed: Option<&Affine>) -> Self {
        let Some(placed) = placed else {
            return Self { squares: None, determinant: 1.0, stretch: 1.0 };
        };
        let rows = placed.rows();
        let columns = [0, 1, 2].map_each(|column| rows.map_each(|row| row[column]));
        let squares = columns.map_each(|column| columns.map_each(|other| dot(column, other)));
        let [x, y, z] = columns;
        Self {
            squares: Some(squares),
            determinant: dot(x, cross(y, z)),
            stretch: greatest_stretch(placed),
        }
    }

    /// AᵀAv.
    #[inline(always)]
    fn squared<R: Real<Scalar = f64>>(&self, v: [R; 3]) -> [R; 3] {
        let Some(rows) = self.squares else { return v };
        let mut product = v;
        for (row, into) in rows.iter().zip(&mut product) {
            *into = dot([v[0].splat(row[0]), v[1].splat(row[1]), v[2].splat(row[2])], v);
        }
        product
    }
}

struct Sum<'a, 'w> {
    pieces: &'a Pieces,
    points: &'a [Vector],
    metric: &'a Metric,
    accuracy: f64,
    /// The greatest bound, times d², at which a child that is not far counts as a dipole.
    most: f64,
    /// The sums by points.
    sums: &'a mut [Sums],
    chunk: &'a Chunk<'w>,
}

#[inline(always)]
fn load<V: Vectors<f64>>(lanes: V, column: &Column, part: usize) -> V::Real {
    lanes.load(&bytemuck::cast_slice::<f64, V::Row>(column)[part])
}

#[inline(always)]
fn load_three<V: Vectors<f64>>(lanes: V, [x, y, z]: &[Column; 3], part: usize) -> [V::Real; 3] {
    [load(lanes, x, part), load(lanes, y, part), load(lanes, z, part)]
}

#[inline(always)]
fn store<V: Vectors<f64>>(lanes: V, values: V::Real, into: &mut Column, part: usize) {
    lanes.store(values, &mut bytemuck::cast_slice_mut::<f64, V::Row>(into)[part]);
}

impl Sum<'_, '_> {
    /// Adds the angles of all pieces to the sums of all points.
    #[inline(always)]
    fn add_all<V: Vectors<f64>>(mut self, lanes: V) -> ControlFlow<()> {
        let Self { pieces, chunk, .. } = self;
        // The nodes to visit, each for so many of the points that are listed last.
        let mut waiting = vec![(pieces.root, self.points.len())];
        let mut listed: Vec<u32> = (0..self.points.len() as u32).collect();
        let (mut here, mut near) = (Vec::new(), Vec::new());
        while let Some((at, count)) = waiting.pop() {
            chunk.work(1)?;
            here.clear();
            here.extend(listed.drain(listed.len() - count..));
            if at == NOTHING {
                continue;
            }
            if at & BLOCK != 0 {
                let block = &pieces.blocks[(at ^ BLOCK) as usize];
                for &point in &here {
                    chunk.work(4)?;
                    self.add_pieces(lanes, block, point as usize);
                }
                continue;
            }
            let node = &pieces.nodes[at as usize];
            near.clear();
            for &point in &here {
                chunk.work(4)?;
                near.push(self.add_dipoles(lanes, node, point as usize));
            }
            for (lane, &child) in node.children.iter().enumerate() {
                let before = listed.len();
                let is_near = |&(_, near): &(&u32, &u32)| near >> lane & 1 == 1;
                listed.extend(here.iter().zip(&near).filter(is_near).map(|(point, _)| *point));
                if listed.len() > before {
                    pieces.prefetch(child);
                    waiting.push((child, listed.len() - before));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds the children that count as dipoles, and returns the bits of others.
    #[inline(always)]
    fn add_dipoles<V: Vectors<f64>>(&mut self, lanes: V, node: &Node, point: usize) -> u32 {
        let splat = |x: f64| lanes.splat(x);
        let metric = self.metric;
        let sums = &mut self.sums[point];
        let [x, y, z] = self.points[point];
        let point = [splat(x), splat(y), splat(z)];
        sums.terms += LANES;
        let mut near = 0;
        for part in 0..LANES / V::COUNT {
            let off = sub(load_three(lanes, &node.center, part), point);
            let squared = metric.squared(off);
            let distance = dot(off, squared).sqrt();
            let radius = load(lanes, &node.radius, part) * splat(metric.stretch);
            let area = load(lanes, &node.area, part) * splat(metric.stretch * metric.stretch);
            let inverse = splat(1.0) / distance;

            let is_far = (radius * splat(self.accuracy)).lt(distance);
            let ratio = radius * inverse;
            let between = distance - radius;
            let bound = area * ratio * ratio * (splat(3.0) - ratio - ratio);
            let is_small = radius.lt(distance) & bound.le(splat(self.most) * between * between);
            let counts = is_far | is_small;

            let (off, squared) = (times(off, inverse), times(squared, inverse));
            let [x, y, z] = &node.moment;
            let [x, y, z] = [
                load_three(lanes, x, part),
                load_three(lanes, y, part),
                load_three(lanes, z, part),
            ];
            let trace = x[0] + y[1] + z[2];
            let along = dot(squared, [dot(x, off), dot(y, off), dot(z, off)]);
            let first = dot(load_three(lanes, &node.normal, part), off);
            let second = (trace - splat(3.0) * along) * inverse;
            let angle = ((first + second) * inverse * inverse).select(counts, splat(0.0));
            let sum = load(lanes, &sums.of_dipoles, part) + angle;
            store(lanes, sum, &mut sums.of_dipoles, part);
            near |= (!counts).bits() << (part * V::COUNT);
        }
        near
    }

    /// Adds pieces as [`Angles::add_triangle`] adds a triangle.
    #[inline(always)]
    fn add_pieces<V: Vectors<f64>>(&mut self, lanes: V, block: &Block, point: usize) {
        let splat = |x: f64| lanes.splat(x);
        let (zero, one) = (splat(0.0), splat(1.0));
        let metric = self.metric;
        let sums = &mut self.sums[point];
        let [x, y, z] = self.points[point];
        let point = [splat(x), splat(y), splat(z)];
        sums.terms += LANES;
        for part in 0..LANES / V::COUNT {
            let [a, b, c] = block;
            let a = sub(load_three(lanes, a, part), point);
            let b = sub(load_three(lanes, b, part), point);
            let c = sub(load_three(lanes, c, part), point);
            let volume = splat(metric.determinant) * dot(a, cross(b, c));
            let (of_a, of_b, of_c) = (metric.squared(a), metric.squared(b), metric.squared(c));
            let (la, lb, lc) = (dot(a, of_a).sqrt(), dot(b, of_b).sqrt(), dot(c, of_c).sqrt());
            let around = la * lb * lc + dot(a, of_b) * lc + dot(b, of_c) * la + dot(c, of_a) * lb;

            let largest = around.max_abs(volume);
            let is_finite = splat(f64::MIN_POSITIVE).le(largest) & largest.le(splat(f64::MAX));
            let is_seen = zero.lt(volume.abs()) & is_finite;
            let inverse = one / largest;
            let (x, y) =
                ((around * inverse).select(is_seen, one), (volume * inverse).select(is_seen, zero));
            let (re, im) =
                (load(lanes, &sums.product[0], part), load(lanes, &sums.product[1], part));
            let (new_re, new_im) = (re * x - im * y, re * y + im * x);
            let over = zero.le(im) & zero.le(y) & new_im.lt(zero);
            let under = im.lt(zero) & y.lt(zero) & zero.le(new_im);
            let turns =
                load(lanes, &sums.turns, part) + one.select(over, zero) - one.select(under, zero);
            let inverse = one / new_re.max_abs(new_im);
            store(lanes, new_re * inverse, &mut sums.product[0], part);
            store(lanes, new_im * inverse, &mut sums.product[1], part);
            store(lanes, turns, &mut sums.turns, part);
        }
    }
}

#[inline(always)]
fn times<R: Real>([x, y, z]: [R; 3], factor: R) -> [R; 3] {
    [x * factor, y * factor, z * factor]
}

#[cfg(test)]
#[path = "../../tests/unit/scene/pieces.rs"]
mod tests;
