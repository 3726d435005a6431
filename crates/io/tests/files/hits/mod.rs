//! Files of hits: answers of every sort, written in every format.

mod answers;
mod outputs;
mod read_back;
mod tables;

use crate::folder::Folder;
use lanecast::{
    Hit, HitBatch, INVALID_ID, Ray, Scene, Status, Threads,
    answers::{
        AllHitsBatch, AnyHitBatch, ClosestPoint, ClosestPointBatch, CostBatch, CountBatch,
        DistanceBatch, InsideBatch, LineHitBatch, LineHits,
    },
};
#[cfg(target_os = "linux")]
use lanecast_io::HitFormat;
use lanecast_io::{Answers, HitKind, HitWriter, RayIds, Vectors};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::rays::defective;
use lanecast_reference::world_rays::{rays_at, target};
use read_back::{bits, read_back};
use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

const KINDS: [HitKind; 13] = [
    HitKind::CLOSEST,
    HitKind::Closest { points: true, normals: false },
    HitKind::Closest { points: false, normals: true },
    HitKind::Closest { points: true, normals: true },
    HitKind::Line,
    HitKind::Any,
    HitKind::Count,
    HitKind::Cost,
    HitKind::ALL,
    HitKind::All { points: true },
    HitKind::ClosestPoint,
    HitKind::Distance,
    HitKind::Inside,
];
const NAMES: [&str; 5] = ["hits.npz", "hits.csv", "hits.parquet", "hits.arrow", "hits.arrows"];

#[cfg(target_os = "linux")]
const FORMATS: [HitFormat; 5] = [
    HitFormat::Npz,
    HitFormat::Csv,
    HitFormat::Parquet,
    HitFormat::ArrowFile,
    HitFormat::ArrowStream,
];

/// What is asked: rays and points of which some meet something, some meet nothing, and some cannot
/// be asked.
struct Asked {
    scene: Arc<Scene>,
    rays: Vec<Ray>,
    points: Vec<[f32; 3]>,
}

/// Ray and point 0 meet nothing.
fn asked() -> &'static Asked {
    static ASKED: OnceLock<Asked> = OnceLock::new();
    ASKED.get_or_init(|| {
        let random = &mut Random::new(1);
        let world = RandomWorld::drawn_closed(1, random);
        let mut rays = rays_at(&world, 100, random);
        let mut points: Vec<[f32; 3]> = rays.iter().map(|_| target(&world, random)).collect();
        let defective = defective();
        for number in 0..rays.len() {
            let status = Status::ALL[2 + number % 6];
            match number % 7 {
                0 => {
                    rays[number] = Ray::new([1e6; 3], [1.0; 3]);
                    points[number] = [1e6; 3];
                }
                3 => {
                    rays[number] =
                        defective.iter().find(|(_, of)| *of == status).expect("one of each").0;
                    points[number][number % 3] = f32::NAN;
                }
                _ => points[number][0] += 0.1,
            }
        }
        Asked { scene: world.scene, rays, points }
    })
}

fn id(ray: usize) -> i64 {
    500 - 3 * ray as i64
}

/// The answers to rays of any kind, as a batch of its own type.
enum Batch {
    Closest(HitBatch),
    Line(LineHitBatch),
    Any(AnyHitBatch),
    Count(CountBatch),
    Cost(CostBatch),
    All(AllHitsBatch),
    ClosestPoint(ClosestPointBatch),
    Distance(DistanceBatch),
    Inside(InsideBatch),
}

impl Batch {
    fn of(kind: HitKind, rows: Range<usize>) -> Self {
        let Asked { scene, rays, points } = asked();
        let (request, points) = (scene.cast(&rays[rows.clone()]), scene.points(&points[rows]));
        match kind {
            HitKind::Closest { normals, .. } => {
                Self::Closest(request.geometric_normals(normals).closest().unwrap())
            }
            HitKind::Line => Self::Line(request.line_hits().unwrap()),
            HitKind::Any => Self::Any(request.any().unwrap()),
            HitKind::Count => Self::Count(request.count().unwrap()),
            HitKind::Cost => Self::Cost(request.cost().unwrap()),
            HitKind::All { .. } => Self::All(request.all().unwrap()),
            HitKind::ClosestPoint => Self::ClosestPoint(points.closest(1.0).unwrap()),
            HitKind::Distance => Self::Distance(points.signed_distances().unwrap()),
            HitKind::Inside => Self::Inside(points.contains().unwrap()),
        }
    }

    fn answers(&self) -> Answers<'_> {
        match self {
            Self::Closest(hits) => hits.into(),
            Self::Line(hits) => hits.into(),
            Self::Any(hits) => hits.into(),
            Self::Count(counts) => counts.into(),
            Self::Cost(costs) => costs.into(),
            Self::All(hits) => hits.into(),
            Self::ClosestPoint(closest) => closest.into(),
            Self::Distance(distances) => distances.into(),
            Self::Inside(inside) => inside.into(),
        }
    }

    /// A point for each hit that tells it from others.
    fn points(&self) -> Vec<[f32; 3]> {
        match self {
            Self::Closest(hits) => (0..hits.len()).map(|row| point(hits.hit(row))).collect(),
            Self::All(all) => all.hits().iter().map(|hit| point(Some(*hit))).collect(),
            _ => Vec::new(),
        }
    }
}

fn point(hit: Option<Hit>) -> [f32; 3] {
    hit.map_or([f32::NAN; 3], |hit| [hit.t, -hit.u, hit.v + 1.0])
}

/// Writes the answers to `rays` rays, `chunk` at a time, and returns the bytes of the file.
fn write(path: &Path, kind: HitKind, rays: usize, chunk: usize, named: bool) -> Vec<u8> {
    write_all(path, kind, rays, chunk, named, &|rows| Batch::of(kind, rows))
}

/// The same of the answers that `batch` gives. Neither threads nor what the writer is told to expect
/// change the bytes.
fn write_all(
    path: &Path,
    kind: HitKind,
    rays: usize,
    chunk: usize,
    named: bool,
    batch: &dyn Fn(Range<usize>) -> Batch,
) -> Vec<u8> {
    let create = || HitWriter::<f32>::create(path, None, kind).unwrap();
    let bytes = write_by(create(), path, rays, chunk, named, batch);
    let threads = Threads::exactly(3).unwrap();
    let told = match kind {
        HitKind::All { .. } => create(),
        _ => create().expect_rows(rays as u64).unwrap(),
    };
    let others = write_by(told.threads(&threads), path, rays, chunk, named, batch);
    assert!(others == bytes, "{kind:?}: {} of {rays} rays by {chunk}", path.display());
    bytes
}

fn write_by(
    mut writer: HitWriter,
    path: &Path,
    rays: usize,
    chunk: usize,
    named: bool,
    batch: &dyn Fn(Range<usize>) -> Batch,
) -> Vec<u8> {
    for start in (0..rays).step_by(chunk) {
        let range = start..(start + chunk).min(rays);
        let ids: Vec<i64> = range.clone().map(id).collect();
        let ids = if named { RayIds::Given(&ids) } else { RayIds::Rows(start as u64) };
        let batch = batch(range);
        let vectors = Vectors { points: &batch.points(), normals: &[] };
        writer.write_with(ids, batch.answers(), vectors, &[]).unwrap();
    }
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

/// Every value of every column as text that tells floats apart by their bits.
type Columns = BTreeMap<String, Vec<String>>;

/// The values of a file row by row, and how ids are written.
struct Rows(Columns);

impl Rows {
    fn put(&mut self, name: &str, value: &impl ToString) {
        self.0.entry(name.to_owned()).or_default().push(value.to_string());
    }

    fn put_id(&mut self, name: &str, id: u32) {
        self.put(name, &(if id == INVALID_ID { -1 } else { i64::from(id) }));
    }

    fn put_vector(&mut self, names: [&str; 3], vector: [f32; 3]) {
        names.iter().zip(vector).for_each(|(name, x)| self.put(name, &bits(x)));
    }

    /// A hit, in columns whose names begin with `side`.
    fn put_hit(&mut self, side: &str, hit: Option<Hit>) {
        let Hit { t, primitive_id, geometry_id, instance_id, u, v } = hit.unwrap_or(Hit::NONE);
        self.put(&format!("{side}t"), &bits(t));
        self.put_id(&format!("{side}primitive_id"), primitive_id);
        self.put_id(&format!("{side}geometry_id"), geometry_id);
        self.put_id(&format!("{side}instance_id"), instance_id);
        self.put(&format!("{side}u"), &bits(u));
        self.put(&format!("{side}v"), &bits(v));
    }
}

/// What a file should hold, worked out row by row from the answers.
fn expected(kind: HitKind, rays: usize, named: bool, numbers_for_status: bool) -> Columns {
    let (batch, mut rows) = (Batch::of(kind, 0..rays), Rows(Columns::new()));
    for ray in 0..rays {
        let ray_id = if named { id(ray) } else { ray as i64 };
        let status = match &batch {
            Batch::Closest(hits) => hits.status()[ray],
            Batch::Line(hits) => match hits.of_line(ray) {
                LineHits { ahead: None, behind: None } => hits.ahead().status()[ray],
                _ => Status::Hit,
            },
            Batch::Any(hits) => hits.status()[ray],
            Batch::Count(counts) => counts.status()[ray],
            Batch::Cost(costs) => costs.status()[ray],
            Batch::ClosestPoint(closest) => closest.status()[ray],
            Batch::Distance(distances) => distances.status()[ray],
            Batch::Inside(inside) => inside.status()[ray],
            Batch::All(all) => {
                for hit in all.of_ray(ray) {
                    rows.put("ray_id", &ray_id);
                    rows.put_hit("", Some(*hit));
                    if kind == (HitKind::All { points: true }) {
                        rows.put_vector(["x", "y", "z"], point(Some(*hit)));
                    }
                }
                continue;
            }
        };
        let of_points = matches!(kind, HitKind::ClosestPoint | HitKind::Distance | HitKind::Inside);
        rows.put(if of_points { "point_id" } else { "ray_id" }, &ray_id);
        let word = if numbers_for_status { status.code().to_string() } else { status.to_string() };
        rows.put("status", &word);
        match &batch {
            Batch::Closest(hits) => {
                rows.put_hit("", hits.hit(ray));
                if matches!(kind, HitKind::Closest { points: true, .. }) {
                    rows.put_vector(["x", "y", "z"], point(hits.hit(ray)));
                }
                if matches!(kind, HitKind::Closest { normals: true, .. }) {
                    let normal = if status == Status::Hit {
                        hits.geometric_normal()[ray]
                    } else {
                        [f32::NAN; 3]
                    };
                    rows.put_vector(["nx", "ny", "nz"], normal);
                }
            }
            Batch::Line(hits) => {
                let LineHits { ahead, behind } = hits.of_line(ray);
                rows.put_hit("", ahead);
                rows.put_hit("behind_", behind);
            }
            Batch::Any(_) => rows.put("hit", &(status == Status::Hit)),
            Batch::Count(counts) => rows.put("count", &counts.count()[ray]),
            Batch::Cost(costs) => {
                let (nodes, leaves) = (costs.nodes()[ray], costs.leaves()[ray]);
                let (boxes, triangles) = (costs.boxes()[ray], costs.primitives()[ray]);
                rows.put("nodes", &nodes);
                rows.put("boxes", &boxes);
                rows.put("leaves", &leaves);
                rows.put("triangles", &triangles);
                let lanes = (8 * (nodes + leaves)).max(1);
                rows.put(
                    "lanes_filled",
                    &bits((f64::from(boxes + triangles) / f64::from(lanes)) as f32),
                );
            }
            Batch::All(_) => unreachable!("has no status"),
            Batch::ClosestPoint(closest) => {
                let found = closest.get(ray).unwrap_or(ClosestPoint::NONE);
                rows.put("distance", &bits(found.distance));
                let point = if status == Status::Hit { found.point } else { [f32::NAN; 3] };
                rows.put_vector(["x", "y", "z"], point);
                rows.put_id("primitive_id", found.primitive_id);
                rows.put_id("geometry_id", found.geometry_id);
                rows.put_id("instance_id", found.instance_id);
                rows.put("u", &bits(found.u));
                rows.put("v", &bits(found.v));
            }
            Batch::Distance(distances) => rows.put("distance", &bits(distances.distance()[ray])),
            Batch::Inside(_) => rows.put("inside", &(status == Status::Hit)),
        }
    }
    rows.0
}

/// A triangle in the plane z = 0 and in each below it.
fn stack(triangles: u32) -> Scene {
    let corners = |z: u32| [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| [x, y, -(z as f32)]);
    let vertices: Vec<[f32; 3]> = (0..triangles).flat_map(corners).collect();
    let triangles: Vec<_> = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Scene::from_triangles(&vertices, &triangles).unwrap()
}

/// A ray straight down.
fn down(x: f32, z: f32) -> Ray {
    Ray::new([x, 0.5, z], [0.0, 0.0, -1.0])
}
