//! Meshes, each with a property that some test is about.

use std::collections::HashMap;

use crate::random::Random;

#[derive(Debug, Clone, Default)]
pub struct Mesh {
    pub vertices: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    pub fn corners(&self, triangle: usize) -> [[f32; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// Each triangle with vertices of its own.
    pub fn of_triangles(triangles: &[[[f32; 3]; 3]]) -> Self {
        let vertices = triangles.iter().flatten().copied().collect();
        let triangles =
            (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { vertices, triangles }
    }

    /// The triangles on either side of each edge, by the edge's two vertices, lower first.
    pub fn edges(&self) -> Vec<([u32; 2], Vec<usize>)> {
        let mut edges: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (number, &[a, b, c]) in self.triangles.iter().enumerate() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                edges.entry([from.min(to), from.max(to)]).or_default().push(number);
            }
        }
        let mut edges: Vec<_> = edges.into_iter().collect();
        edges.sort();
        edges
    }

    /// The triangles around each vertex.
    pub fn fans(&self) -> Vec<Vec<usize>> {
        let mut fans = vec![Vec::new(); self.vertices.len()];
        for (number, triangle) in self.triangles.iter().enumerate() {
            for &vertex in triangle {
                fans[vertex as usize].push(number);
            }
        }
        fans
    }

    /// Every edge has one triangle on each side, running opposite ways.
    pub fn is_closed(&self) -> bool {
        let mut halves: HashMap<[u32; 2], i32> = HashMap::new();
        for &[a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *halves.entry([from, to]).or_default() += 1;
            }
        }
        halves.iter().all(|(&[from, to], &count)| count == 1 && halves.get(&[to, from]) == Some(&1))
    }

    pub fn scaled(mut self, factor: f32) -> Self {
        self.vertices.iter_mut().flatten().for_each(|x| *x *= factor);
        self
    }

    pub fn moved(mut self, offset: [f32; 3]) -> Self {
        for vertex in &mut self.vertices {
            for (x, by) in vertex.iter_mut().zip(offset) {
                *x += by;
            }
        }
        self
    }

    /// Both meshes as one.
    pub fn with(mut self, other: &Self) -> Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|vertex| vertex + first)));
        self
    }

    /// Every triangle once more, in the order from last to first.
    pub fn doubled(mut self) -> Self {
        let again: Vec<_> = self.triangles.iter().rev().copied().collect();
        self.triangles.extend(again);
        self
    }
}

/// A closed sphere around the origin: an icosahedron whose triangles are cut in four so many times.
pub fn icosphere(cuts: u32, radius: f32) -> Mesh {
    let long = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (a, b) in [(-1.0, long), (1.0, long), (-1.0, -long), (1.0, -long)] {
        points.extend([[a, b, 0.0], [0.0, a, b], [b, 0.0, a]]);
    }
    // Neighbours lie at distance 2; every triple of neighbours is a face.
    let near = |i: usize, j: usize| -> bool {
        (0..3).map(|axis| (points[i][axis] - points[j][axis]).powi(2)).sum::<f64>() < 4.1
    };
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let outward = determinant(points[i], points[j], points[k]) > 0.0;
                    let [i, j, k] = [i as u32, j as u32, k as u32];
                    triangles.push(if outward { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    for _ in 0..cuts {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                *middles.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                    let (p, q) = (points[from as usize], points[to as usize]);
                    points.push(std::array::from_fn(|axis| (p[axis] + q[axis]) / 2.0));
                    points.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
        for point in &mut points {
            let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
            point.iter_mut().for_each(|x| *x /= length);
        }
    }
    let onto_sphere = |p: [f64; 3]| {
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        p.map(|x| (x / length * f64::from(radius)) as f32)
    };
    Mesh { vertices: points.into_iter().map(onto_sphere).collect(), triangles }
}

fn determinant(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// A closed box from −1 to 1, each face cut into `cells` by `cells` squares: rays parallel to the
/// axes run in its faces and its edges lie in the planes of bounding boxes.
pub fn tessellated_box(cells: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut number = |mesh: &mut Mesh, at: [u32; 3]| {
        *numbers.entry(at).or_insert_with(|| {
            mesh.vertices.push(at.map(|i| 2.0 * i as f32 / cells as f32 - 1.0));
            mesh.vertices.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for (side, outward) in [(0, false), (cells, true)] {
            for i in 0..cells {
                for j in 0..cells {
                    let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(di, dj)| {
                        let mut at = [side; 3];
                        at[(axis + 1) % 3] = i + di;
                        at[(axis + 2) % 3] = j + dj;
                        number(&mut mesh, at)
                    });
                    let pair = [[a, b, c], [a, c, d]];
                    mesh.triangles
                        .extend(pair.map(|[a, b, c]| if outward { [a, b, c] } else { [a, c, b] }));
                }
            }
        }
    }
    mesh
}

/// Heights over a grid of `cells` by `cells` squares of side 1.
pub fn terrain(cells: u32, random: &mut Random) -> Mesh {
    let side = cells + 1;
    let height =
        |random: &mut Random| if random.below(3) == 0 { 0.0 } else { random.between(0.0, 1.5) };
    let vertices =
        (0..side * side).map(|i| [(i % side) as f32, (i / side) as f32, height(random)]).collect();
    let corner = |i, j| j * side + i;
    let triangles = (0..cells * cells)
        .flat_map(|cell| {
            let (i, j) = (cell % cells, cell / cells);
            let [a, b] = [corner(i, j), corner(i + 1, j)];
            let [c, d] = [corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Mesh { vertices, triangles }
}

/// Triangles anywhere within −1 to 1, of sizes from a fiftieth to all of it.
pub fn soup(count: usize, random: &mut Random) -> Mesh {
    let triangles: Vec<[[f32; 3]; 3]> = (0..count)
        .map(|_| {
            let (center, size) = (random.point(-1.0, 1.0), random.pick(&[0.02, 0.1, 0.1, 1.0]));
            std::array::from_fn(|_| {
                let offset = random.point(-size, size);
                std::array::from_fn(|axis| center[axis] + offset[axis])
            })
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

/// Long triangles of a width from a thousandth of their length down to one unit in the last place.
pub fn slivers(count: usize, random: &mut Random) -> Mesh {
    let triangles: Vec<[[f32; 3]; 3]> = (0..count)
        .map(|_| {
            let (a, b) = (random.point(-1.0, 1.0), random.point(-1.0, 1.0));
            let (along, width) = (random.unit(), random.pick(&[1e-3, 1e-5, 1e-6, 1e-7]));
            let off = random.direction();
            let c = std::array::from_fn(|axis| {
                a[axis] + along * (b[axis] - a[axis]) + width * off[axis]
            });
            [a, b, c]
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

/// Long thin triangles that all pass close by the middle, so that their boxes overlap.
pub fn hairball(count: usize, random: &mut Random) -> Mesh {
    let triangles: Vec<[[f32; 3]; 3]> = (0..count)
        .map(|_| {
            let (end, off, near) =
                (random.direction(), random.direction(), random.point(-0.05, 0.05));
            let width = 0.01;
            let tip = std::array::from_fn(|axis| near[axis] + end[axis]);
            let base = std::array::from_fn(|axis| near[axis] - end[axis]);
            [tip, base, std::array::from_fn(|axis| base[axis] + width * off[axis])]
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

/// Triangles around the first vertex, closed to a ring. From five on, the ring lies around the
/// vertex as seen along z; its heights vary.
pub fn fan(count: u32, center: [f32; 3], radius: f32, random: &mut Random) -> Mesh {
    let mut vertices = vec![center];
    for i in 0..count {
        let angle = std::f32::consts::TAU * (i as f32 + random.between(0.3, 0.7)) / count as f32;
        let (reach, height) =
            (radius * random.between(0.5, 1.0), radius * random.between(-0.3, 0.3));
        vertices.push([
            center[0] + reach * angle.cos(),
            center[1] + reach * angle.sin(),
            center[2] + height,
        ]);
    }
    let triangles = (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect();
    Mesh { vertices, triangles }
}
