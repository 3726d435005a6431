//! Scenes of `f64`: what is met at survey coordinates is what is met at the origin, and what testing every triangle finds.

mod common;

use common::backends::{every_backend, same_on_every_backend};
use common::meshes::{self, Mesh};
use common::random::Random;
use lanecast::primitive::{Side, Test, Triangle, Watertight};
use lanecast::{
    AllHitsBatch, AnyHitBatch, BuildQuality, CastOptions, Coherence, Contact, CostBatch, CountBatch, Culling,
    Error, Hit, HitBatch, INVALID_ID, Limit, LineHitBatch, Ray, RayBatch, Scene, SceneF64, SceneF64Builder,
    Status, Threads,
};

const RAYS: usize = if cfg!(debug_assertions) { 60 } else { 1_000 };

/// How many rays make a line of a picture, and how many lines there are.
const SIDE: u32 = if cfg!(debug_assertions) { 8 } else { 32 };

/// The radius of the earth in metres.
const FAR: f64 = 6.4e6;

/// A mesh of `f64`.
#[derive(Clone)]
struct Survey {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Survey {
    /// The mesh scaled and then moved, in `f64`.
    fn new(mesh: &Mesh, scale: f64, offset: [f64; 3]) -> Self {
        let place = |x: f32, axis: usize| f64::from(x) * scale + offset[axis];
        let vertices = mesh.vertices.iter().map(|v| [0, 1, 2].map(|axis| place(v[axis], axis))).collect();
        Self { vertices, triangles: mesh.triangles.clone() }
    }

    fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    fn scene(&self) -> SceneF64 {
        scene_of(std::slice::from_ref(self), Threads::ALL, BuildQuality::default())
    }
}

fn scene_of(meshes: &[Survey], threads: Threads, quality: BuildQuality) -> SceneF64 {
    let mut builder = SceneF64Builder::new().backend(every_backend()[0]).threads(threads).quality(quality);
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    let scene = builder.build().expect("a scene");
    scene.validate().expect("a whole tree");
    scene
}

/// A number from 0 to 1 with all its bits.
fn unit(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * unit(random)
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
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

/// Rays at a mesh: at vertices, at edges, at anything; along the axes, from near, from far, and from the surface.
fn rays_at(mesh: &Survey, count: usize, random: &mut Random) -> Vec<Ray<f64>> {
    let size = [0, 1, 2].map(|axis| {
        let along = mesh.vertices.iter().map(|v| v[axis]);
        along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
    });
    let size = size.into_iter().fold(0.0, f64::max).max(1e-3);
    let mut rays = Vec::new();
    while rays.len() < count {
        let corners = mesh.corners(random.below(mesh.triangles.len()));
        let weights = match random.below(4) {
            0 => [1.0, 0.0, 0.0],
            1 => [0.5, 0.5, 0.0],
            _ => {
                let (a, b) = (unit(random), unit(random));
                let (least, most) = (a.min(b), a.max(b));
                [least, most - least, 1.0 - most]
            }
        };
        let target = [0, 1, 2].map(|axis| (0..3).map(|i| weights[i] * corners[i][axis]).sum::<f64>());
        let reach = size * [1e-3, 0.3, 3.0, 1e5][random.below(4)];
        let mut away = [0, 1, 2].map(|_| between(random, -1.0, 1.0) * reach);
        if random.below(3) == 0 {
            // Along an axis.
            let axis = random.below(3);
            for (other, away) in away.iter_mut().enumerate() {
                *away *= f64::from(u8::from(axis == other));
            }
        }
        let origin =
            if random.below(8) == 0 { target } else { [0, 1, 2].map(|axis| target[axis] + away[axis]) };
        let scale = [1.0, -1.0, 1e-3, 7e5][random.below(4)];
        let direction = away.map(|x| -x * scale);
        let ray = Ray::new(origin, direction);
        rays.push(match random.below(6) {
            0 => ray.with_interval(f64::NEG_INFINITY, f64::INFINITY),
            1 => ray.with_interval(-0.5 / scale.abs(), 1.5 / scale.abs()),
            _ => ray,
        });
    }
    rays
}

/// Rays of a picture of a mesh, from one place near it, and beside each other in parallel.
fn pictures_of(mesh: &Survey, random: &mut Random) -> Vec<Ray<f64>> {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for vertex in &mesh.vertices {
        for axis in 0..3 {
            min[axis] = min[axis].min(vertex[axis]);
            max[axis] = max[axis].max(vertex[axis]);
        }
    }
    let size = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
    let middle = [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
    let [away, across] = [0, 1].map(|_| [0, 1, 2].map(|_| between(random, -1.0, 1.0)));
    let [right, up] = [cross(away, across), cross(cross(away, across), away)];
    let eye = [0, 1, 2].map(|axis| middle[axis] + 1.5 * size * away[axis] / length(away));
    let mut rays = Vec::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let [x, y] = [column, row].map(|place| f64::from(place) / f64::from(SIDE - 1) - 0.5);
            let at = |axis: usize| size * (x * right[axis] / length(right) + y * up[axis] / length(up));
            let target = [0, 1, 2].map(|axis| middle[axis] + at(axis));
            rays.push(Ray::new(eye, minus(target, eye)));
        }
    }
    for row in 0..rays.len() {
        let moved = [0, 1, 2].map(|axis| middle[axis] + rays[row].direction[axis] - 3.0 * size * away[axis]);
        rays.push(Ray::new(moved, away.map(|x| 2.0 * x)).with_interval(0.0, 5.0 * size / length(away)));
    }
    rays
}

/// What every query says of some rays.
#[derive(Debug, Default, PartialEq)]
struct Answers {
    closest: HitBatch<f64>,
    any: AnyHitBatch,
    counts: CountBatch,
    all: AllHitsBatch<f64>,
    nearest: AllHitsBatch<f64>,
    line: LineHitBatch<f64>,
}

macro_rules! ask {
    ($scene:expr, $rays:expr, $options:expr) => {{
        let (scene, rays, options, mut answers) = ($scene, $rays, $options, Answers::default());
        let limits: Vec<u32> = (0..rays.len() as u32).map(|row| row % 4).collect();
        scene.closest_hit_batch(rays, &options.clone().normals(true), &mut answers.closest).unwrap();
        scene.any_hit_batch(rays, options, &mut answers.any).unwrap();
        scene.count_hits_batch(rays, options, &mut answers.counts).unwrap();
        scene.all_hits_batch(rays, options, &mut answers.all).unwrap();
        scene.nearest_hits_batch(rays, Limit::PerRay(&limits), options, &mut answers.nearest).unwrap();
        scene.line_hits_batch(rays, options, &mut answers.line).unwrap();
        answers
    }};
}

/// Scenes with something that may go wrong, each at several places and sizes.
fn surveys(random: &mut Random) -> Vec<(String, Vec<Survey>)> {
    let kinds = [
        ("sphere", vec![meshes::icosphere(2, 1.0)]),
        ("box", vec![meshes::tessellated_box(3)]),
        ("terrain", vec![meshes::terrain(12, random)]),
        ("soup", vec![meshes::soup(300, random), Mesh::default(), meshes::soup(40, random)]),
        ("slivers", vec![meshes::slivers(150, random)]),
        ("fan", vec![meshes::fan(40, [0.25, -1.0, 2.0], 3.0, random), meshes::hairball(100, random)]),
    ];
    let places = [
        ("at the origin", 1.0, [0.0; 3]),
        ("on earth", 1.000_000_123, [FAR, -0.3 * FAR, 0.7 * FAR]),
        ("small, far", 1e-3, [1.5e11, -4.0, 2.0e9]),
        ("large", 3.3e20, [-1e21, 0.0, 5.0]),
    ];
    let mut surveys = Vec::new();
    for (name, kind) in &kinds {
        for (place, scale, offset) in places {
            let kind = kind.iter().map(|mesh| Survey::new(mesh, scale, offset)).collect();
            surveys.push((format!("{name} {place}"), kind));
        }
    }
    surveys.push(("needles".to_owned(), vec![needles(200, random)]));
    let soup = meshes::soup(200, random);
    for (name, scale, offset) in [("tiny", 1e-60, [0.0; 3]), ("next to nothing", 1e-200, [0.0; 3])] {
        surveys.push((name.to_owned(), vec![Survey::new(&soup, scale, offset)]));
    }
    for (name, strays) in
        [("one at 0", vec![[0.0; 3]]), ("some anywhere", vec![[1e30; 3], [-1e12, FAR, 0.0]])]
    {
        let mut meshes = vec![Survey::new(&soup, 1.7, [FAR, -0.3 * FAR, 0.7 * FAR])];
        meshes.extend(strays.iter().map(|&place| Survey::new(&meshes::soup(1, random), 0.3, place)));
        surveys.push((name.to_owned(), meshes));
    }
    let [here, there] = [[0.0; 3], [FAR; 3]].map(|place| Survey::new(&soup, 1.7, place));
    surveys.push(("two places".to_owned(), vec![here, there]));
    surveys
}

fn all_of(meshes: &[Survey]) -> Survey {
    let mut all = Survey { vertices: Vec::new(), triangles: Vec::new() };
    for mesh in meshes {
        let first = all.vertices.len() as u32;
        all.vertices.extend(&mesh.vertices);
        all.triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    all
}

#[test]
fn the_tree_is_invisible_on_every_backend() {
    let mut random = Random::new(61);
    let mut met = 0;
    for (name, meshes) in surveys(&mut random) {
        let mut scene = scene_of(&meshes, Threads::ALL, BuildQuality::default());
        let mut rays = pictures_of(&all_of(&meshes), &mut random);
        rays.extend(rays_at(&all_of(&meshes), RAYS, &mut random));
        let batch = RayBatch::from_rays(&rays);
        for options in [CastOptions::new(), CastOptions::new().contact(Contact::Touch).culling(Culling::Back)]
        {
            scene.set_backend(every_backend()[0]);
            let expected = ask!(scene.scan(), &batch, &options);
            met += expected.counts.count.iter().filter(|&&count| count > 0).count();
            for backend in every_backend() {
                scene.set_backend(backend);
                for (how, options) in [
                    ("by itself", options.clone()),
                    ("one in flight, one thread", options.clone().rays_in_flight(1).threads(Threads::ONE)),
                    ("in flight", options.clone().rays_in_flight(64).coherence(Coherence::Incoherent)),
                    ("in groups", options.clone().coherence(Coherence::Coherent)),
                ] {
                    let found = ask!(&scene, &batch, &options);
                    assert_eq!(found, expected, "{name}, {backend}, {how}");
                }
                let found = ask!(scene.scan(), &batch, &options);
                assert_eq!(found, expected, "{name}, {backend}, scan");
            }
        }
    }
    assert!(met > 10 * RAYS, "{met} rays meet something");
}

/// A picture whose groups are of all that a group can be of: rays between which others are refused, that end before, at and
/// after what they meet, that aim at edges and vertices, and that go as far along two axes but for the last bit, so that
/// `f32` sees another axis as the longest; each group of another length.
#[test]
fn groups_of_rays_of_all_kinds_answer_as_the_scan_does() {
    let mut random = Random::new(76);
    let mut kinds = [0; 5];
    for (name, mesh, scale) in [
        // Many rays to a triangle, and many triangles to a ray.
        ("box", meshes::tessellated_box(1), 1.000_000_123),
        ("sphere", meshes::icosphere(3, 1.0), 1.000_000_123),
        ("slivers", meshes::slivers(150, &mut random), 1.0),
    ] {
        let mesh = Survey::new(&mesh, scale, [FAR, -0.3 * FAR, 0.7 * FAR]);
        let mut scene = mesh.scene();
        let mut picture = Vec::new();
        // Along a diagonal of x and y, with z in between.
        let middle = [FAR, -0.3 * FAR, 0.7 * FAR];
        for place in 0..2 * SIDE * SIDE {
            let [x, y] = [place % SIDE, place / SIDE].map(|x| 2.0 * f64::from(x) / f64::from(SIDE) - 1.0);
            let origin = [middle[0] - 4.0 + x, middle[1] - 4.0 - x, middle[2] + y + 0.4];
            let corner = random.pick(&mesh.vertices);
            let other = random.pick(&mesh.vertices);
            let (kind, direction) = match random.below(8) {
                0 => (0, [1.0, 1.0_f64.next_up(), -0.1]),
                1 => (0, [1.0, 1.0_f64.next_down(), -0.1]),
                2 => (1, minus(corner, origin)),
                3 => (1, minus([0, 1, 2].map(|axis| 0.5 * (corner[axis] + other[axis])), origin)),
                4 => (2, random.pick(&[[0.0; 3], [f64::NAN, 1.0, 0.0], [1.0, 1.0, f64::INFINITY]])),
                _ => (3, [1.0, 1.0 + 1e-3 * x, -0.1 + 1e-3 * y]),
            };
            kinds[kind] += 1;
            picture.push(Ray::new(origin, direction));
        }
        let mut hits = HitBatch::new();
        scene.closest_hit_batch(&RayBatch::from_rays(&picture), &CastOptions::new(), &mut hits).unwrap();
        for (row, ray) in picture.iter_mut().enumerate() {
            let t = hits.t[row];
            if hits.status[row] == Status::Hit {
                kinds[4] += 1;
                *ray = match random.below(6) {
                    0 => ray.with_interval(0.0, t),
                    1 => ray.with_interval(t, t),
                    2 => ray.with_interval(0.0, t.next_down()),
                    3 => ray.with_interval(t.next_up(), f64::INFINITY),
                    _ => *ray,
                };
            }
        }
        let accepts = |_: usize, hit: &Hit<f64>, side| hit.primitive_id % 5 != u32::from(side == Side::Front);
        for length in [picture.len(), 1, 7, 65] {
            let batch = RayBatch::from_rays(&picture[..length]);
            for (culling, contact) in [
                (Culling::None, Contact::Crossing),
                (Culling::Back, Contact::Touch),
                (Culling::Front, Contact::Crossing),
            ] {
                let options = CastOptions::new().culling(culling).contact(contact);
                let together = options.clone().coherence(Coherence::Coherent);
                let expected = ask!(scene.scan(), &batch, &options);
                let filtered = ask!(scene.scan().filter(accepts), &batch, &options);
                for backend in every_backend() {
                    scene.set_backend(backend);
                    let how = format!("{name}, {length} rays, {backend}, {culling:?}, {contact:?}");
                    assert_eq!(ask!(&scene, &batch, &together), expected, "{how}");
                    assert_eq!(ask!(scene.filter(accepts), &batch, &together), filtered, "{how}");
                }
            }
        }
    }
    assert!(kinds.iter().all(|&rays| rays > 2 * SIDE), "{kinds:?}");
}

/// Of the tiles of a picture some rays go another way than the others, and are left to be cast by themselves: the last of eight
/// of them is seven on from the first, with rays of other lines between.
#[test]
fn rays_that_groups_leave_are_cast_in_their_rows() {
    const WIDTH: usize = 16;
    let mesh = Survey::new(&meshes::terrain(12, &mut Random::new(77)), 1.0, [0.0; 3]);
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for vertex in &mesh.vertices {
        for axis in 0..3 {
            (min[axis], max[axis]) = (min[axis].min(vertex[axis]), max[axis].max(vertex[axis]));
        }
    }
    let eye = [0.75 * min[0] + 0.25 * max[0], 0.75 * min[1] + 0.25 * max[1], max[2] + 1.0];
    let (mut origins, mut directions) = (Vec::new(), Vec::new());
    for row in 0..64 * WIDTH {
        let (line, column) = (row / WIDTH, row % WIDTH);
        let left = match line % 8 {
            0 => column == 1 || column == 8,
            7 => false,
            _ => column % 8 == 3,
        };
        directions.push(if line < 8 || !left {
            [1e-2 * (1 + column) as f64, 1e-2 * (1 + line) as f64, -1.0]
        } else if line % 2 == 0 {
            [1.0, 0.0, 0.9]
        } else {
            [1.0, 0.9, 0.0]
        });
        origins.push(eye);
    }
    let fine = mesh.scene();
    let rounded = |numbers: &[[f64; 3]]| -> Vec<[f32; 3]> {
        numbers.iter().map(|number| number.map(|x| x as f32)).collect()
    };
    let coarse = Scene::from_triangles(&rounded(&mesh.vertices), &mesh.triangles).unwrap();
    let (coarse_origins, coarse_directions) = (rounded(&origins), rounded(&directions));
    let batch = RayBatch::from_pairs(&origins, &directions).unwrap();
    let coarse_batch = RayBatch::from_pairs(&coarse_origins, &coarse_directions).unwrap();
    let options = CastOptions::new().threads(Threads::ONE).rays_in_flight(64);
    let (mut found, mut expected) = (HitBatch::new(), HitBatch::new());
    fine.closest_hit_batch(&batch, &options, &mut found).unwrap();
    fine.scan().closest_hit_batch(&batch, &options, &mut expected).unwrap();
    let missed = expected.status.iter().filter(|&&status| status == Status::Miss).count();
    assert!((50..500).contains(&missed), "{missed} miss");
    assert_eq!(found, expected, "f64");
    let (mut found, mut expected) = (HitBatch::new(), HitBatch::new());
    coarse.closest_hit_batch(&coarse_batch, &options, &mut found).unwrap();
    coarse.scan().closest_hit_batch(&coarse_batch, &options, &mut expected).unwrap();
    assert_eq!(found, expected, "f32");
}

#[test]
fn a_batch_equals_its_single_rays() {
    let mut random = Random::new(62);
    for (name, meshes) in surveys(&mut random) {
        let scene = scene_of(&meshes, Threads::ONE, BuildQuality::High);
        let rays = rays_at(&all_of(&meshes), RAYS / 4, &mut random);
        let answers = ask!(&scene, &RayBatch::from_rays(&rays), &CastOptions::new());
        for (row, ray) in rays.iter().enumerate() {
            if answers.any.status[row].is_invalid() {
                assert!(ray.defect().is_some(), "{name}: {ray:?}");
                assert!(matches!(scene.closest_hit(ray), Err(Error::InvalidRay { .. })), "{name}: {ray:?}");
                continue;
            }
            assert_eq!(scene.closest_hit(ray).unwrap(), answers.closest.hit(row), "{name}: {ray:?}");
            assert_eq!(scene.any_hit(ray).unwrap(), answers.any.status[row].is_hit(), "{name}: {ray:?}");
            assert_eq!(scene.count_hits(ray).unwrap(), answers.counts.count[row], "{name}: {ray:?}");
            assert_eq!(scene.all_hits(ray).unwrap(), answers.all.of_ray(row), "{name}: {ray:?}");
            assert_eq!(
                scene.nearest_hits(ray, row as u32 % 4).unwrap(),
                answers.nearest.of_ray(row),
                "{name}: {ray:?}"
            );
            assert_eq!(scene.line_hits(ray).unwrap(), answers.line.of_line(row), "{name}: {ray:?}");
        }
    }
}

/// Where everything is moved by what `f64` adds exactly, nothing changes but the coordinates: not a bit of any answer.
#[test]
fn a_sphere_on_earth_is_met_as_one_at_the_origin() {
    // Multiples of 2⁻³⁰: with the radius of the earth they have 53 bits.
    let grid = |x: f64| (x * f64::from(1 << 30)).round() / f64::from(1 << 30);
    let mut sphere = Survey::new(&meshes::icosphere(4, 1.0), 1.0, [0.0; 3]);
    for vertex in &mut sphere.vertices {
        *vertex = vertex.map(grid);
    }
    let offset = [FAR, -0.5 * FAR, 0.25 * FAR];
    let mut moved = sphere.clone();
    for vertex in &mut moved.vertices {
        let there = [0, 1, 2].map(|axis| vertex[axis] + offset[axis]);
        assert_eq!(minus(there, offset), *vertex, "moved without rounding");
        *vertex = there;
    }
    let mut random = Random::new(63);
    let mut rays = rays_at(&sphere, 4 * RAYS, &mut random);
    for ray in &mut rays {
        // Far away there are fewer digits.
        let here = length(ray.origin) < 1e3;
        ray.origin = if here { ray.origin.map(grid) } else { [0.5; 3] };
    }
    let rays_there: Vec<Ray<f64>> = rays
        .iter()
        .map(|ray| Ray { origin: [0, 1, 2].map(|axis| ray.origin[axis] + offset[axis]), ..*ray })
        .collect();
    let (here, there) = (sphere.scene(), moved.scene());
    let options = CastOptions::new();
    same_on_every_backend("a sphere", |backend| {
        let (mut here, mut there) = (here.clone(), there.clone());
        here.set_backend(backend);
        there.set_backend(backend);
        let answers = ask!(&here, &RayBatch::from_rays(&rays), &options);
        let answers_there = ask!(&there, &RayBatch::from_rays(&rays_there), &options);
        assert_eq!(answers, answers_there, "{backend}");
        answers
    });
}

/// The same where vertices are rounded on their way: a ray meets the same triangle unless it passes an edge within what
/// was rounded.
#[test]
fn a_rounded_sphere_on_earth_is_met_as_one_at_the_origin_but_near_edges() {
    let (scale, offset) = (0.999_999_937, [0.877 * FAR, -0.5 * FAR, 0.251 * FAR]);
    let mesh = meshes::icosphere(4, 1.0);
    let (sphere, moved) = (Survey::new(&mesh, scale, [0.0; 3]), Survey::new(&mesh, scale, offset));
    let (here, there) = (sphere.scene(), moved.scene());
    let mut random = Random::new(64);
    let (mut met, mut near_edges) = (0, 0);
    for _ in 0..4 * RAYS {
        let origin = [0, 1, 2].map(|axis| between(&mut random, -3.0, 3.0) + offset[axis]);
        let target = [0, 1, 2].map(|_| between(&mut random, -0.7, 0.7));
        // Subtracting the offset is exact or rounds far below what rounding the vertices does.
        let local = minus(origin, offset);
        let direction = minus(target, local);
        let hit = here.closest_hit(&Ray::new(local, direction)).unwrap();
        let hit_there = there.closest_hit(&Ray::new(origin, direction)).unwrap();
        let near_edge =
            hit.iter().chain(&hit_there).any(|hit| hit.u.min(hit.v).min(1.0 - hit.u - hit.v) < 1e-6);
        if near_edge {
            near_edges += 1;
            continue;
        }
        let ids = |hit: Option<Hit<f64>>| hit.map(|hit| hit.primitive_id);
        assert_eq!(ids(hit), ids(hit_there), "from {local:?} along {direction:?}");
        if let (Some(hit), Some(hit_there)) = (hit, hit_there) {
            met += 1;
            let apart = (hit.t - hit_there.t).abs() * length(direction);
            assert!(apart < 1e-7, "{apart} apart, from {local:?} along {direction:?}");
        }
    }
    assert!(met > RAYS && near_edges < RAYS / 50, "{met} met, {near_edges} near edges");
}

/// What a line does to a triangle by signed volumes, in coordinates relative to its origin: by how much it is inside of
/// the edge that it is least inside of, as a weight, and `t`.
fn meeting(ray: &Ray<f64>, corners: [[f64; 3]; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = corners.map(|corner| minus(corner, ray.origin));
    // Of the vertices as they are: relative to a far origin they are rounded.
    let edge = |from: usize, to: usize| minus(corners[to], corners[from]);
    let normal = cross(edge(0, 1), edge(0, 2));
    let depth = dot(normal, ray.direction);
    if depth.abs() < 1e-6 * length(normal) * length(ray.direction) {
        // So nearly edge-on that the rest would say nothing.
        return None;
    }
    let volumes = [
        dot(ray.direction, cross(b, edge(1, 2))) / depth,
        dot(ray.direction, cross(c, edge(2, 0))) / depth,
        dot(ray.direction, cross(a, edge(0, 1))) / depth,
    ];
    Some((volumes.into_iter().fold(f64::INFINITY, f64::min), dot(normal, a) / depth))
}

#[test]
fn answers_are_those_of_signed_volumes() {
    let mut random = Random::new(65);
    let (mut certain, mut open) = (0, 0);
    for (name, meshes) in surveys(&mut random) {
        if ["slivers", "fan", "needles", "next to nothing"].iter().any(|thin| name.starts_with(thin)) {
            // There is little that plain arithmetic is sure of.
            continue;
        }
        let scene = scene_of(&meshes, Threads::ALL, BuildQuality::default());
        let rays = rays_at(&all_of(&meshes), RAYS / 2, &mut random);
        let mut hits = AllHitsBatch::new();
        let options = CastOptions::new().contact(Contact::Touch);
        scene.all_hits_batch(&RayBatch::from_rays(&rays), &options, &mut hits).unwrap();
        for (row, ray) in rays.iter().enumerate().filter(|(_, ray)| ray.defect().is_none()) {
            let found = hits.of_ray(row);
            let far = meshes.iter().flat_map(|mesh| &mesh.vertices);
            let far = far.map(|vertex| length(minus(*vertex, ray.origin))).fold(0.0, f64::max);
            for (geometry_id, mesh) in (0..).zip(&meshes) {
                for primitive_id in 0..mesh.triangles.len() {
                    let corners = mesh.corners(primitive_id);
                    let hit = found.iter().find(|hit| {
                        (hit.geometry_id, hit.primitive_id) == (geometry_id, primitive_id as u32)
                    });
                    let Some((inside, t)) = meeting(ray, corners) else { continue };
                    // What is off by a rounding of the distance, as a part of the triangle.
                    let size =
                        length(minus(corners[1], corners[0])).min(length(minus(corners[2], corners[0])));
                    let margin = 1e-8_f64.max(1e-9 * far / size);
                    let slack = 1e-9 * (far / length(ray.direction)).max(t.abs());
                    let within = (t - ray.t_min).min(ray.t_max - t);
                    if inside.abs() < margin || within.abs() < slack || margin > 0.1 {
                        open += 1;
                    } else {
                        certain += 1;
                        let expected = inside > 0.0 && within > 0.0;
                        assert_eq!(hit.is_some(), expected, "{name}: {ray:?} at {corners:?}, {inside}, {t}");
                    }
                    if let Some(hit) = hit {
                        assert!((hit.t - t).abs() <= slack, "{name}: {ray:?} meets at {} and not {t}", hit.t);
                    }
                }
            }
        }
    }
    assert!(certain > 20 * open, "{certain} certain, {open} open");
}

/// The test by itself decides all with exact products; the scene only what is near an edge or thin.
#[test]
fn what_is_met_and_where_is_as_exact_products_say() {
    let mut random = Random::new(74);
    let (mut met, mut near_edges) = (0, 0);
    for (name, meshes) in surveys(&mut random) {
        let scene = scene_of(&meshes, Threads::ALL, BuildQuality::default());
        let rays = rays_at(&all_of(&meshes), RAYS, &mut random);
        let mut hits = AllHitsBatch::new();
        let options = CastOptions::new().contact(Contact::Touch);
        scene.all_hits_batch(&RayBatch::from_rays(&rays), &options, &mut hits).unwrap();
        for (row, ray) in rays.iter().enumerate().filter(|(_, ray)| ray.defect().is_none()) {
            let mut found = hits.of_ray(row).to_vec();
            found.sort_by_key(|hit| (hit.geometry_id, hit.primitive_id));
            let mut found = found.into_iter().peekable();
            for (geometry_id, mesh) in (0..).zip(&meshes) {
                for primitive_id in 0..mesh.triangles.len() as u32 {
                    let triangle = Triangle { vertices: mesh.corners(primitive_id as usize) };
                    let hit = found
                        .next_if(|hit| (hit.geometry_id, hit.primitive_id) == (geometry_id, primitive_id));
                    let exact = Watertight::TWO_SIDED.intersect(&triangle, ray).unwrap();
                    let context = || format!("{name}: {ray:?} at {triangle:?}: {hit:?}, exactly {exact:?}");
                    let far = triangle.vertices.map(|vertex| length(minus(vertex, ray.origin)));
                    let slack = 1e-14 * far.into_iter().fold(0.0, f64::max) / length(ray.direction);
                    let (Some(hit), Some(exact)) = (hit, exact) else {
                        // At the very end of the interval either rounding may be in it.
                        let t = hit.map(|hit| hit.t).or(exact.map(|exact| exact.t)).unwrap_or(f64::NAN);
                        let at_end = (t - ray.t_min).abs().min((t - ray.t_max).abs()) <= slack;
                        assert!(t.is_nan() || at_end, "{}", context());
                        continue;
                    };
                    met += 1;
                    near_edges += u32::from(exact.u.min(exact.v).min(1.0 - exact.u - exact.v) < 1e-10);
                    assert!((hit.t - exact.t).abs() <= slack, "{}", context());
                    assert!((hit.u - exact.u).abs() <= 1e-14, "{}", context());
                    assert!((hit.v - exact.v).abs() <= 1e-14, "{}", context());
                }
            }
            assert_eq!(found.next(), None, "{name}: {ray:?} meets what is not there");
        }
    }
    assert!(met > 1000 && near_edges > 100, "{met} met, {near_edges} of them near edges");
}

/// Triangles so thin that plain arithmetic knows nothing of them, along diagonals.
fn needles(count: usize, random: &mut Random) -> Survey {
    let mut mesh = Survey { vertices: Vec::new(), triangles: Vec::new() };
    for _ in 0..count {
        let from = [0, 1, 2].map(|_| between(random, -1.0, 1.0));
        let to = [0, 1, 2].map(|_| between(random, -1.0, 1.0));
        let along = unit(random);
        let mut third = [0, 1, 2].map(|axis| from[axis] + along * (to[axis] - from[axis]));
        third[random.below(3)] += 1e-15 * between(random, -4.0, 4.0);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([from, to, third]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    mesh
}

/// Through vertices and edges of a closed surface, from inside and from outside.
#[test]
fn a_closed_surface_is_never_slipped_through() {
    let mut random = Random::new(66);
    for (scale, offset) in [(1.0, [0.0; 3]), (1.000_000_7, [FAR, FAR, -FAR]), (1e-4, [3.0e8, -1.0, 2.5])] {
        let mesh = meshes::icosphere(2, 1.0);
        let sphere = Survey::new(&mesh, scale, offset);
        let scene = sphere.scene();
        for ([from, to], _) in mesh.edges() {
            let [a, b] = [from, to].map(|vertex| sphere.vertices[vertex as usize]);
            let middle = [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis]));
            for target in [a, b, middle] {
                let inside = [0, 1, 2].map(|axis| offset[axis] + between(&mut random, -0.4, 0.4) * scale);
                let outward = Ray::new(inside, minus(target, inside));
                assert!(scene.any_hit(&outward).unwrap(), "{outward:?}");
                assert_eq!(scene.count_hits(&outward).unwrap(), 1, "{outward:?}");
                let line = Ray::line(inside, minus(target, inside));
                assert_eq!(scene.count_hits(&line).unwrap(), 2, "{line:?}");
            }
        }
    }
}

/// Rays along the axes in the planes of vertices, where boxes end.
#[test]
fn rays_in_the_faces_of_boxes_lose_nothing() {
    let mut random = Random::new(67);
    for offset in [[0.1, 0.7, 0.3], [FAR + 0.1, 0.3 - FAR, 0.77 * FAR], [1e15 + 0.125, 1.1, -3.3]] {
        let mesh = Survey::new(&meshes::soup(200, &mut random), 0.777, offset);
        let scene = mesh.scene();
        for vertex in &mesh.vertices {
            for axis in 0..3 {
                let mut direction = [0.0; 3];
                direction[axis] = if random.below(2) == 0 { 1.0 } else { -1.0 };
                let mut origin = *vertex;
                origin[axis] -= 16.0 * direction[axis];
                let ray = Ray::new(origin, direction);
                assert_eq!(scene.all_hits(&ray).unwrap(), scene.scan().all_hits(&ray).unwrap(), "{ray:?}");
                let touching = CastOptions::new().contact(Contact::Touch);
                let rays = [ray];
                let batch = RayBatch::from_rays(&rays);
                let (mut found, mut expected) = (AllHitsBatch::new(), AllHitsBatch::new());
                scene.all_hits_batch(&batch, &touching, &mut found).unwrap();
                scene.scan().all_hits_batch(&batch, &touching, &mut expected).unwrap();
                assert_eq!(found, expected, "{ray:?}");
            }
        }
    }
}

#[test]
fn intervals_are_closed_to_the_last_bit() {
    let mesh = Survey::new(&meshes::icosphere(3, 1.0), 1.0, [FAR, 0.0, 0.0]);
    let scene = mesh.scene();
    let mut random = Random::new(68);
    for ray in rays_at(&mesh, RAYS, &mut random).into_iter().filter(|ray| ray.defect().is_none()) {
        let Some(hit) = scene.closest_hit(&ray).unwrap() else { continue };
        let exactly = ray.with_interval(hit.t, hit.t);
        assert_eq!(scene.closest_hit(&exactly).unwrap(), Some(hit), "{exactly:?}");
        let before = ray.with_interval(ray.t_min, hit.t.next_down());
        if ray.t_min < hit.t {
            assert_eq!(scene.closest_hit(&before).unwrap(), None, "{before:?}");
        }
        let after = ray.with_interval(hit.t.next_up(), f64::INFINITY);
        assert_eq!(
            scene.closest_hit(&after).unwrap(),
            scene.scan().closest_hit(&after).unwrap(),
            "{after:?}"
        );
    }
}

/// Segments that end on a flat triangle meet it, and two that follow each other cross it twice, as triangles of one place
/// are met at one `t`.
#[test]
fn segments_that_end_on_a_triangle_meet_it() {
    let mut random = Random::new(75);
    for (axis, height) in [(0, 0.0), (1, 0.3), (2, FAR)] {
        for _ in 0..RAYS {
            let mut corners = [0, 1, 2].map(|_| [0, 1, 2].map(|_| between(&mut random, -1.0, 1.0)));
            for corner in &mut corners {
                corner[axis] = height;
            }
            let (a, b) = (unit(&mut random), unit(&mut random));
            let (least, most) = (a.min(b), a.max(b));
            let weights = [least, most - least, 1.0 - most];
            let mut on = [0, 1, 2].map(|i| (0..3).map(|k| weights[k] * corners[k][i]).sum::<f64>());
            on[axis] = height;
            let [mut before, mut beyond] = [on, on];
            (before[axis], beyond[axis]) = (height - 3.0, height + 7.0);
            let scene = SceneF64::from_triangles(&corners, &[[2, 0, 1], [0, 1, 2], [1, 2, 0]]).unwrap();
            for segment in [Ray::segment(before, on), Ray::segment(on, beyond)] {
                let hits = scene.all_hits(&segment).unwrap();
                assert_eq!(hits.len(), 3, "{segment:?} at {corners:?}");
                let t = if segment.origin == on { 0.0 } else { 1.0 };
                assert!(hits.iter().all(|hit| hit.t == t), "{hits:?}");
                assert_eq!(scene.closest_hit(&segment).unwrap().map(|hit| hit.primitive_id), Some(0));
            }
        }
    }
}

/// `t` counts lengths of the direction, whatever these are.
#[test]
fn directions_of_any_length_are_answered() {
    let mesh = Survey::new(&meshes::icosphere(2, 1.0), 1.0, [FAR, -FAR, 0.0]);
    let scene = mesh.scene();
    let mut random = Random::new(69);
    for ray in rays_at(&mesh, RAYS, &mut random).into_iter().filter(|ray| ray.defect().is_none()) {
        let ray = ray.with_interval(0.0, f64::INFINITY);
        let hit = scene.closest_hit(&ray).unwrap();
        let longest = ray.direction.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for power in [-290, -140, 140, 290] {
            let factor = 2.0_f64.powi(power) / 2.0_f64.powi(longest.log2().floor() as i32);
            let scaled = Ray::new(ray.origin, ray.direction.map(|x| x * factor));
            // Powers of two change no digit.
            let expected = hit.map(|hit| Hit { t: hit.t / factor, ..hit });
            if ray.direction.iter().all(|&x| x == 0.0 || (x * factor).abs() > 1e-300) {
                assert_eq!(scene.closest_hit(&scaled).unwrap(), expected, "{scaled:?}");
            }
        }
    }
}

#[test]
fn what_is_left_out_is_left_out() {
    let mut random = Random::new(70);
    let meshes: Vec<Survey> =
        (0..4).map(|_| Survey::new(&meshes::soup(60, &mut random), 1.000_000_3, [FAR, 0.0, -FAR])).collect();
    let mut scene = scene_of(&meshes, Threads::ALL, BuildQuality::default());
    for geometry_id in 0..4 {
        scene.set_mask(geometry_id, 1 << geometry_id).unwrap();
        assert_eq!(scene.mask(geometry_id), Ok(1 << geometry_id));
    }
    assert_eq!(scene.set_mask(4, 0), Err(Error::UnknownGeometry { geometry_id: 4, geometries: 4 }));
    let rays = rays_at(&all_of(&meshes), RAYS, &mut random);
    let batch = RayBatch::from_rays(&rays);
    let masks: Vec<u32> = rays.iter().map(|_| random.below(16) as u32).collect();
    let culling: Vec<Culling> =
        rays.iter().map(|_| random.pick(&[Culling::None, Culling::Back, Culling::Front])).collect();
    let mut first = HitBatch::new();
    scene.closest_hit_batch(&batch, &CastOptions::new(), &mut first).unwrap();
    let options = CastOptions::new()
        .contact(Contact::Touch)
        .masks(&masks)
        .culling_of_each(&culling)
        .skip(&first.geometry_id, &first.primitive_id);
    let mut everything = AllHitsBatch::new();
    scene.all_hits_batch(&batch, &CastOptions::new().contact(Contact::Touch), &mut everything).unwrap();
    let accepts = |_: usize, hit: &Hit<f64>, _| hit.primitive_id % 3 != 1;
    let (expected, expected_filtered) =
        (ask!(scene.scan(), &batch, &options), ask!(scene.scan().filter(accepts), &batch, &options));
    for backend in every_backend() {
        scene.set_backend(backend);
        assert_eq!(ask!(&scene, &batch, &options), expected, "{backend}");
        assert_eq!(ask!(scene.filter(accepts), &batch, &options), expected_filtered, "{backend}");
    }
    let mut left_out = 0;
    for row in 0..rays.len() {
        let sides = |hit: &Hit<f64>| {
            let [a, b, c] = meshes[hit.geometry_id as usize].corners(hit.primitive_id as usize);
            let front = dot(cross(minus(b, a), minus(c, a)), rays[row].direction) < 0.0;
            match culling[row] {
                Culling::None => true,
                Culling::Back => front,
                Culling::Front => !front,
            }
        };
        let counts = |hit: &&Hit<f64>| {
            masks[row] & (1 << hit.geometry_id) != 0
                && sides(hit)
                && (hit.geometry_id, hit.primitive_id) != (first.geometry_id[row], first.primitive_id[row])
        };
        let of_row: Vec<Hit<f64>> = everything.of_ray(row).iter().filter(counts).copied().collect();
        left_out += everything.of_ray(row).len() - of_row.len();
        assert_eq!(expected.all.of_ray(row), of_row, "{:?}", rays[row]);
        assert_eq!(expected.closest.hit(row), of_row.first().copied(), "{:?}", rays[row]);
        let filtered: Vec<_> = of_row.into_iter().filter(|hit| hit.primitive_id % 3 != 1).collect();
        assert_eq!(expected_filtered.all.of_ray(row), filtered, "{:?}", rays[row]);
    }
    assert!(left_out > RAYS / 2, "{left_out} left out");
}

#[test]
fn normals_are_right_handed_and_those_of_the_triangle() {
    let mesh = Survey::new(&meshes::icosphere(3, 1.0), 1.0, [FAR, FAR, FAR]);
    let scene = mesh.scene();
    let mut random = Random::new(71);
    let rays = rays_at(&mesh, RAYS, &mut random);
    let mut hits = HitBatch::new();
    scene
        .closest_hit_batch(&RayBatch::from_rays(&rays), &CastOptions::new().normals(true), &mut hits)
        .unwrap();
    let mut met = 0;
    for row in 0..rays.len() {
        let Some(hit) = hits.hit(row) else { continue };
        met += 1;
        let [a, b, c] = mesh.corners(hit.primitive_id as usize);
        let (normal, expected) = (hits.geometric_normal[row], cross(minus(b, a), minus(c, a)));
        assert!(length(minus(normal, expected)) <= 1e-12 * length(expected), "{normal:?} {expected:?}");
        let outward = minus(a, [FAR; 3]);
        assert!(dot(normal, outward) > 0.0, "inward at triangle {}", hit.primitive_id);
    }
    assert!(met > RAYS / 4, "{met}");
}

#[test]
fn bad_input_has_an_answer() {
    let vertices = [[FAR, 0.0, 0.0], [FAR, 1.0, 0.0], [FAR, 0.0, 1.0], [FAR, f64::NAN, 1.0]];
    let refused = |triangles: &[[u32; 3]], vertices: &[[f64; 3]]| {
        SceneF64::from_triangles(vertices, triangles).expect_err("refused").to_string()
    };
    let of_nan = refused(&[[0, 1, 2]], &vertices);
    assert!(of_nan.contains("vertex 3") && of_nan.contains("NaN"), "{of_nan}");
    let out_of_range = refused(&[[0, 1, 2], [0, 1, 7]], &vertices[..3]);
    assert!(out_of_range.contains("triangle 1") && out_of_range.contains('7'), "{out_of_range}");
    let too_far = refused(&[[0, 1, 2]], &[[0.0; 3], [1.0; 3], [2e30, 0.0, 0.0]]);
    assert!(too_far.contains("vertex 2") && too_far.contains("2e30"), "{too_far}");

    let scene = SceneF64::from_triangles(&vertices[..3], &[[0, 1, 2]]).unwrap();
    let (origin, direction) = ([FAR + 1.0, 0.25, 0.25], [-1.0, 0.0, 0.0]);
    let sound = Ray::new(origin, direction);
    let rays = [
        sound,
        Ray::new([f64::NAN, 0.0, 0.0], direction),
        Ray::new([1e200, 0.0, 0.0], direction),
        Ray::new(origin, [0.0; 3]),
        Ray::new(origin, [f64::INFINITY, 0.0, 0.0]),
        Ray::new(origin, [1e-200, 0.0, 0.0]),
        sound.with_interval(2.0, 1.0),
        sound.with_interval(f64::NAN, 1.0),
        Ray::new([1e80, 0.25, 0.25], direction),
    ];
    let expected = [
        Status::Hit,
        Status::InvalidOrigin,
        Status::InvalidOrigin,
        Status::ZeroDirection,
        Status::InvalidDirection,
        Status::DirectionOutOfRange,
        Status::EmptyInterval,
        Status::InvalidInterval,
        Status::Hit,
    ];
    for in_flight in [None, Some(64)] {
        let options =
            in_flight.map_or_else(CastOptions::new, |count| CastOptions::new().rays_in_flight(count));
        let answers = ask!(&scene, &RayBatch::from_rays(&rays), &options);
        assert_eq!(answers.closest.status, expected);
        assert_eq!(answers.any.status, expected);
        assert_eq!(answers.counts.status, expected);
        assert_eq!(answers.all.status, expected);
        assert_eq!(answers.closest.primitive_id[1], INVALID_ID);
    }
    let masks = [1; 3];
    let mut hits = HitBatch::new();
    let refused =
        scene.closest_hit_batch(&RayBatch::from_rays(&rays), &CastOptions::new().masks(&masks), &mut hits);
    assert_eq!(refused, Err(Error::ColumnLength { column: "masks", found: 3, expected: 9 }));
}

#[test]
fn nothing_is_met_where_there_is_nothing() {
    for scene in [
        SceneF64Builder::new().build().unwrap(),
        SceneF64::from_triangles(&[[FAR, 0.0, 0.0]], &[]).unwrap(),
        // A triangle that is a point.
        SceneF64::from_triangles(&[[FAR, 0.0, 0.0]], &[[0, 0, 0]]).unwrap(),
    ] {
        scene.validate().unwrap();
        assert_eq!(scene.closest_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])), Ok(None));
        assert_eq!(scene.count_hits(&Ray::line([0.0; 3], [1.0, 0.0, 0.0])), Ok(0));
    }
    let scene = SceneF64Builder::new().build().unwrap();
    assert_eq!((scene.triangle_count(), scene.geometry_count()), (0, 0));
    assert!(scene.bounds().is_empty());
}

#[test]
fn what_a_scene_holds_can_be_seen() {
    let mut random = Random::new(72);
    let meshes = [
        Survey::new(&meshes::soup(50, &mut random), 1.3, [FAR, 1.0, 2.0]),
        Survey::new(&meshes::icosphere(1, 2.0), 1.3, [FAR, -5.0, 2.0]),
    ];
    let scene = scene_of(&meshes, Threads::ALL, BuildQuality::default());
    assert_eq!(scene.geometry_count(), 2);
    assert_eq!(scene.triangle_count(), meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>());
    let mut seen = 0;
    for (geometry_id, primitive_id, corners) in scene.triangles() {
        assert_eq!(corners, meshes[geometry_id as usize].corners(primitive_id as usize));
        seen += 1;
    }
    assert_eq!(seen, scene.triangle_count());
    let bounds = scene.bounds();
    for axis in 0..3 {
        let along = meshes.iter().flat_map(|mesh| &mesh.vertices).map(|vertex| vertex[axis]);
        assert_eq!(bounds.min[axis], along.clone().fold(f64::MAX, f64::min));
        assert_eq!(bounds.max[axis], along.fold(f64::MIN, f64::max));
    }
    let statistics = scene.statistics();
    assert_eq!(statistics.primitives, scene.triangle_count());
    let mut costs = CostBatch::new();
    let rays = rays_at(&all_of(&meshes), 64, &mut random);
    scene.cost_batch(&RayBatch::from_rays(&rays), &CastOptions::new(), &mut costs).unwrap();
    assert!(costs.leaves.iter().any(|&leaves| leaves > 0));
}

/// Of small coordinates that `f32` holds, both precisions make the same of rays that pass no edge too near.
#[test]
fn both_precisions_agree_where_f32_is_fine_enough() {
    let mut random = Random::new(73);
    let mesh = meshes::icosphere(3, 1.0);
    let (coarse, fine) = (
        Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap(),
        Survey::new(&mesh, 1.0, [0.0; 3]).scene(),
    );
    let mut met = 0;
    for _ in 0..RAYS {
        let (origin, direction) = (random.point(-2.0, 2.0), random.direction());
        let hit = coarse.closest_hit(&Ray::new(origin, direction)).unwrap();
        let exact = fine.closest_hit(&Ray::new(origin.map(f64::from), direction.map(f64::from))).unwrap();
        let edge = exact.map_or(1.0, |hit| hit.u.min(hit.v).min(1.0 - hit.u - hit.v));
        if edge < 1e-3 || hit.is_some_and(|hit| hit.u.min(hit.v).min(1.0 - hit.u - hit.v) < 1e-3) {
            continue;
        }
        assert_eq!(hit.is_some(), exact.is_some(), "{origin:?} {direction:?}");
        if let (Some(hit), Some(exact)) = (hit, exact) {
            met += 1;
            assert_eq!(hit.primitive_id, exact.primitive_id, "{origin:?} {direction:?}");
            assert!((f64::from(hit.t) - exact.t).abs() < 1e-4, "{hit:?} {exact:?}");
        }
    }
    assert!(met > RAYS / 10, "{met}");
}

/// Of one vertex at 0, or out of all reach, rays at all else know nothing.
#[test]
fn what_lies_far_away_costs_nothing() {
    let mut random = Random::new(76);
    let mesh = Survey::new(&meshes::icosphere(4, 1.0), 1.0, [FAR, -0.3 * FAR, 0.7 * FAR]);
    let rays: Vec<Ray<f64>> = rays_at(&mesh, RAYS, &mut random)
        .into_iter()
        .filter(|ray| ray.defect().is_none() && length(minus(ray.origin, mesh.vertices[0])) < 10.0)
        .collect();
    let tested = |meshes: &[Survey]| {
        let mut costs = CostBatch::new();
        let scene = scene_of(meshes, Threads::ALL, BuildQuality::default());
        scene.cost_batch(&RayBatch::from_rays(&rays), &CastOptions::new(), &mut costs).unwrap();
        costs.primitives.iter().map(|&primitives| u64::from(primitives)).sum::<u64>()
    };
    let alone = tested(std::slice::from_ref(&mesh));
    for place in [[0.0; 3], [1e9, 0.0, FAR], [1e30; 3]] {
        let stray = Survey::new(&meshes::soup(1, &mut random), 1.0, place);
        let both = tested(&[mesh.clone(), stray]);
        assert!(10 * both <= 11 * alone + 10 * rays.len() as u64, "{both} triangles tested and not {alone}");
    }
}
