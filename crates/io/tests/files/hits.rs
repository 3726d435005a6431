//! Hit files: every format holds the same answers, the same bytes come however the answers are cut
//! into chunks, and a file appears only when it is whole.

use crate::folder::Folder;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, Int64Type};
use lanecast::{
    Hit, HitBatch, INVALID_ID, Ray, Scene, Status,
    answers::{
        AllHitsBatch, AnyHitBatch, ClosestPoint, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch,
        InsideBatch, LineHitBatch, LineHits,
    },
};
#[cfg(target_os = "linux")]
use lanecast_io::HitFormat;
use lanecast_io::{Answers, HitKind, HitWriter, RayIds, write_png};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::rays::defective;
use lanecast_reference::world_rays::{rays_at, target};
use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

const KINDS: [HitKind; 10] = [
    HitKind::Closest,
    HitKind::ClosestWithNormals,
    HitKind::Line,
    HitKind::Any,
    HitKind::Count,
    HitKind::Cost,
    HitKind::All,
    HitKind::ClosestPoint,
    HitKind::Distance,
    HitKind::Inside,
];
const NAMES: [&str; 5] = ["hits.npz", "hits.csv", "hits.parquet", "hits.arrow", "hits.arrows"];

#[cfg(target_os = "linux")]
const FORMATS: [HitFormat; 5] =
    [HitFormat::Npz, HitFormat::Csv, HitFormat::Parquet, HitFormat::ArrowFile, HitFormat::ArrowStream];

/// What is asked: rays and points of which some meet something, some meet nothing, and some cannot be asked.
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
                    rays[number] = defective.iter().find(|(_, of)| *of == status).expect("one of each").0;
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
            HitKind::Closest => Self::Closest(request.closest().unwrap()),
            HitKind::ClosestWithNormals => Self::Closest(request.normals(true).closest().unwrap()),
            HitKind::Line => Self::Line(request.line_hits().unwrap()),
            HitKind::Any => Self::Any(request.any().unwrap()),
            HitKind::Count => Self::Count(request.count().unwrap()),
            HitKind::Cost => Self::Cost(request.cost().unwrap()),
            HitKind::All => Self::All(request.all().unwrap()),
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
}

/// Writes the answers to `rays` rays, `chunk` at a time, and returns the bytes of the file.
fn write(path: &Path, kind: HitKind, rays: usize, chunk: usize, named: bool) -> Vec<u8> {
    write_all(path, kind, rays, chunk, named, &|rows| Batch::of(kind, rows))
}

/// The same of the answers that `batch` gives.
fn write_all(
    path: &Path,
    kind: HitKind,
    rays: usize,
    chunk: usize,
    named: bool,
    batch: &dyn Fn(Range<usize>) -> Batch,
) -> Vec<u8> {
    let mut writer = HitWriter::create(path, None, kind).unwrap();
    for start in (0..rays).step_by(chunk) {
        let range = start..(start + chunk).min(rays);
        let ids: Vec<i64> = range.clone().map(id).collect();
        let ids = if named { RayIds::Given(&ids) } else { RayIds::Rows(start as u64) };
        writer.write(ids, batch(range).answers()).unwrap();
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
                if kind == HitKind::ClosestWithNormals {
                    let normal = hits.geometric_normal()[ray];
                    ["nx", "ny", "nz"].iter().zip(normal).for_each(|(name, x)| rows.put(name, &bits(x)));
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
                rows.put("lanes_filled", &bits((f64::from(boxes + triangles) / f64::from(lanes)) as f32));
            }
            Batch::All(_) => unreachable!("has no status"),
            Batch::ClosestPoint(closest) => {
                let found = closest.get(ray).unwrap_or(ClosestPoint::NONE);
                rows.put("distance", &bits(found.distance));
                ["x", "y", "z"].iter().zip(found.point).for_each(|(name, x)| rows.put(name, &bits(x)));
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

fn bits(x: f32) -> String {
    format!("{:08x}", x.to_bits())
}

fn read_back(path: &Path) -> Columns {
    match path.extension().unwrap().to_str().unwrap() {
        "npz" => read_npz(path),
        "csv" => read_csv(path),
        "parquet" => {
            let file = std::fs::File::open(path).unwrap();
            let builder =
                parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            read_batches(builder.build().unwrap().map(Result::unwrap))
        }
        "arrow" => {
            let file = std::fs::File::open(path).unwrap();
            read_batches(arrow_ipc::reader::FileReader::try_new(file, None).unwrap().map(Result::unwrap))
        }
        _ => {
            let file = std::fs::File::open(path).unwrap();
            read_batches(arrow_ipc::reader::StreamReader::try_new(file, None).unwrap().map(Result::unwrap))
        }
    }
}

fn read_npz(path: &Path) -> Columns {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut columns = Columns::new();
    for entry in 0..zip.len() {
        let mut bytes = Vec::new();
        let mut file = zip.by_index(entry).unwrap();
        let name = file.name().unwrap().strip_suffix(".npy").unwrap().to_owned();
        file.read_to_end(&mut bytes).unwrap();
        let array = npyz::NpyFile::new(&bytes[..]).unwrap();
        let text = match array.dtype().descr().as_str() {
            "'<i8'" => array.into_vec::<i64>().unwrap().iter().map(ToString::to_string).collect(),
            "'<i4'" => array.into_vec::<i32>().unwrap().iter().map(ToString::to_string).collect(),
            "'<f4'" => array.into_vec::<f32>().unwrap().into_iter().map(bits).collect(),
            "'|u1'" => array.into_vec::<u8>().unwrap().iter().map(ToString::to_string).collect(),
            "'|b1'" => array.into_vec::<bool>().unwrap().iter().map(ToString::to_string).collect(),
            other => panic!("{name} has the type {other}"),
        };
        columns.insert(name, text);
    }
    columns
}

fn read_csv(path: &Path) -> Columns {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns = Columns::new();
    for record in reader.records() {
        for (name, value) in names.iter().zip(&record.unwrap()) {
            let name_of_hit = name.strip_prefix("behind_").unwrap_or(name);
            let floats = ["t", "u", "v", "nx", "ny", "nz", "lanes_filled", "distance", "x", "y", "z"];
            let is_float = floats.contains(&name_of_hit);
            let value = if is_float { bits(value.parse().unwrap()) } else { value.to_owned() };
            columns.entry(name.clone()).or_default().push(value);
        }
    }
    columns
}

fn read_batches(batches: impl Iterator<Item = RecordBatch>) -> Columns {
    use arrow_schema::DataType;
    let mut columns = Columns::new();
    for batch in batches {
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            assert_eq!(array.null_count(), 0);
            let text: Vec<String> = match field.data_type() {
                DataType::Int64 => {
                    array.as_primitive::<Int64Type>().values().iter().map(ToString::to_string).collect()
                }
                DataType::Int32 => {
                    array.as_primitive::<Int32Type>().values().iter().map(ToString::to_string).collect()
                }
                DataType::Float32 => {
                    array.as_primitive::<Float32Type>().values().iter().copied().map(bits).collect()
                }
                DataType::Boolean => {
                    array.as_boolean().values().iter().map(|value| value.to_string()).collect()
                }
                DataType::Utf8 => {
                    array.as_string::<i32>().iter().map(|word| word.unwrap().to_owned()).collect()
                }
                other => panic!("{} has the type {other}", field.name()),
            };
            columns.entry(field.name().clone()).or_default().extend(text);
        }
    }
    columns
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

#[test]
fn the_answers_are_of_every_sort() {
    let Batch::Closest(hits) = Batch::of(HitKind::Closest, 0..100) else { unreachable!() };
    assert!(Status::ALL.iter().all(|status| hits.status().contains(status)));
    let in_instances = |wanted: bool| {
        let is_in = |row| hits.hit(row).map(|hit| hit.instance_id != INVALID_ID);
        (0..100).filter(|&row| is_in(row) == Some(wanted)).count()
    };
    assert!(in_instances(true) > 0 && in_instances(false) > 0);
    let Batch::All(all) = Batch::of(HitKind::All, 0..100) else { unreachable!() };
    assert!((0..100).any(|ray| all.of_ray(ray).len() > 1));
    let Batch::Line(lines) = Batch::of(HitKind::Line, 0..100) else { unreachable!() };
    assert!(lines.behind().status().contains(&Status::Hit));
}

#[test]
fn every_format_holds_every_kind_of_answer() {
    let folder = Folder::new();
    for kind in KINDS {
        for name in NAMES {
            for named in [false, true] {
                let path = folder.path(name);
                write(&path, kind, 100, 30, named);
                assert_eq!(
                    read_back(&path),
                    expected(kind, 100, named, name == "hits.npz"),
                    "{kind:?} {name}"
                );
            }
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_chunks() {
    let folder = Folder::new();
    for kind in KINDS {
        for name in NAMES {
            let path = folder.path(name);
            let whole = write(&path, kind, 100, 1000, true);
            for chunk in [1, 7, 100] {
                assert_eq!(write(&path, kind, 100, chunk, true), whole, "{kind:?} {name} by {chunk}");
            }
        }
    }
    // Beyond one record batch.
    let (stack, rays) = (stack(1000), [down(0.25, 1.0); 150]);
    let all = |rows: Range<usize>| Batch::All(stack.cast(&rays[rows]).all().unwrap());
    for name in NAMES {
        let path = folder.path(name);
        let whole = write_all(&path, HitKind::All, 150, 150, true, &all);
        assert_eq!(write_all(&path, HitKind::All, 150, 41, true, &all), whole, "{name}");
        assert_eq!(read_back(&path)["ray_id"].len(), 150_000);
    }
}

#[test]
fn a_file_of_no_rows_has_its_columns() {
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let header = b"ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,nx,ny,nz\n";
    assert_eq!(write(&path, HitKind::ClosestWithNormals, 0, 1, false), header);
    let path = folder.path("hits.npz");
    write(&path, HitKind::Count, 0, 1, false);
    assert_eq!(read_npz(&path).keys().collect::<Vec<_>>(), ["count", "ray_id", "status"]);
    for name in &NAMES[2..] {
        write(&folder.path(name), HitKind::All, 0, 1, false);
        assert!(read_back(&folder.path(name)).is_empty());
    }
}

#[test]
fn a_miss_in_a_csv_is_inf_and_minus_one() {
    let folder = Folder::new();
    let (scene, rays) = (stack(1), [down(9.0, 1.0), down(0.25, 0.1), down(0.25, 1e-30)]);
    let closest = |rows: Range<usize>| Batch::Closest(scene.cast(&rays[rows]).closest().unwrap());
    let text = write_all(&folder.path("hits.csv"), HitKind::Closest, 3, 9, false, &closest);
    let expected = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v\n\
                    0,miss,inf,-1,-1,-1,0.0,0.0\n\
                    1,hit,0.1,0,0,-1,0.25,0.5\n\
                    2,hit,1e-30,0,0,-1,0.25,0.5\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn a_scene_without_instances_has_no_column_of_them_and_files_have() {
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let hits = stack(1).cast(&[down(0.25, 1.0); 2]).closest().unwrap();
    assert_eq!((hits.len(), hits.instance_id()), (2, &[][..]));
    let mut writer = HitWriter::create(&path, None, HitKind::Closest).unwrap();
    writer.write(RayIds::Rows(0), &hits).unwrap();
    writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let ids: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth(5).unwrap()).collect();
    assert_eq!(ids, ["-1", "-1"]);
}

#[test]
fn a_run_that_fails_leaves_no_file_and_spoils_none() {
    let folder = Folder::new();
    for name in NAMES {
        let path = folder.path(name);
        let mut writer = HitWriter::create(&path, None, HitKind::Any).unwrap();
        writer.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..9).answers()).unwrap();
        assert!(!path.exists());
        drop(writer);
        assert_eq!(folder.names(), [""; 0]);

        std::fs::write(&path, "what was there").unwrap();
        drop(HitWriter::create(&path, None, HitKind::Any).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "what was there");
        write(&path, HitKind::Any, 10, 3, false);
        assert_eq!(folder.names(), [name]);
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_output_is_an_ordinary_file_also_behind_a_link() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let (target, link) = (folder.path("target"), folder.path("hits.csv"));
    std::fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    write(&link, HitKind::Any, 1, 1, false);
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "ray_id,status,hit\n0,miss,false\n");
    // Whatever a plain new file gets.
    let plain = folder.path("plain");
    std::fs::write(&plain, "").unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&plain));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_permissions_and_a_protected_one_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let protect = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    let mode = || path.metadata().unwrap().permissions().mode() & 0o777;
    std::fs::write(&path, "old").unwrap();
    for kept in [0o600, 0o660, 0o755] {
        protect(kept);
        write(&path, HitKind::Any, 1, 1, false);
        assert_eq!(mode(), kept);
    }
    std::fs::write(&path, "old").unwrap();
    protect(0o444);
    // The system lets root write to it.
    if std::fs::File::options().write(true).open(&path).is_err() {
        let error = HitWriter::create(&path, None, HitKind::Any).unwrap_err();
        assert_eq!(error.system().unwrap().kind(), std::io::ErrorKind::PermissionDenied);
    } else {
        drop(HitWriter::create(&path, None, HitKind::Any).unwrap());
    }
    assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode()), ("old", 0o444));
}

// A pipe under a name stands for every device: the test must not get at a real one, which a
// mistake could replace by a file.
#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::fd::AsRawFd;
    let folder = Folder::new();
    for (name, format) in NAMES.into_iter().zip(FORMATS) {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let device = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let mut hits = HitWriter::create(Path::new(&device), Some(format), HitKind::Any).unwrap();
        hits.write(RayIds::Rows(0), Batch::of(HitKind::Any, 0..100).answers()).unwrap();
        hits.finish().unwrap();
        drop(writer);
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, write(&folder.path(name), HitKind::Any, 100, 100, false), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_is_told_apart_in_every_format() {
    use std::os::fd::AsRawFd;
    let answers = stack(1).cast(&vec![down(0.25, 1.0); 100_000]).any().unwrap();
    for format in FORMATS {
        let (reader, writer) = std::io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let mut hits = HitWriter::create(Path::new(&path), Some(format), HitKind::Any).unwrap();
        drop(reader);
        let error = match hits.write(RayIds::Rows(0), &answers) {
            Err(error) => error,
            Ok(()) => hits.finish().unwrap_err(),
        };
        assert!(error.is_broken_pipe(), "{format:?}: {error}");
    }
}

#[test]
fn what_cannot_be_written_says_why() {
    let folder = Folder::new();
    let create = |path: &Path| HitWriter::create(path, None, HitKind::Closest).unwrap_err().to_string();
    assert_eq!(
        create(Path::new("hits.txt")),
        "hits.txt: unknown hit format \".txt\"; known: npz, csv, parquet, arrow, feather, ipc, arrows"
    );
    let nowhere = create(Path::new("nowhere/hits.csv"));
    assert_eq!(nowhere, "nowhere/hits.csv: the folder \"nowhere\" does not exist");
    let file = folder.path("file");
    std::fs::write(&file, "").unwrap();
    let below = create(&file.join("hits.csv"));
    assert!(below.contains("/file/hits.csv: ") && !below.contains(".part"), "{below}");
    let directory = folder.path("folder.csv");
    std::fs::create_dir(&directory).unwrap();
    assert!(create(&directory).ends_with("is a directory"));

    let path = folder.path("hits.csv");
    let mut writer = HitWriter::create(&path, None, HitKind::Closest).unwrap();
    let mut write = |ids: RayIds, answers: Answers| {
        writer.write(ids, answers).unwrap_err().to_string().split_once(": ").unwrap().1.to_owned()
    };
    assert_eq!(
        write(RayIds::Rows(0), Answers::Any(&AnyHitBatch::default())),
        "a file of the kind Closest cannot take any hits"
    );
    let Batch::Closest(hits) = Batch::of(HitKind::Closest, 0..5) else { unreachable!() };
    assert_eq!(
        write(RayIds::Given(&[1, 2]), Answers::Closest(&hits)),
        "column \"ray_id\" holds 2 values for 5 rays"
    );
    let mut writer = HitWriter::create(&path, None, HitKind::ClosestWithNormals).unwrap();
    let error = writer.write(RayIds::Rows(0), &hits).unwrap_err().to_string();
    assert!(error.ends_with("column \"geometric_normal\" holds 0 values for 5 rays"), "{error}");
}

#[test]
fn a_picture_reads_back() {
    let folder = Folder::new();
    let path = folder.path("picture.png");
    let rgb: Vec<u8> = (0..3 * 4 * 3).collect();
    write_png(&path, 4, 3, &rgb).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut read = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut read).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (4, 3, png::ColorType::Rgb));
    assert_eq!(read, rgb);

    let error = write_png(&folder.path("other.png"), 4, 4, &rgb).unwrap_err().to_string();
    assert!(error.ends_with("other.png: 36 bytes of colour for 4 × 4 pixels"), "{error}");
    assert!(write_png(&folder.path("other.png"), 0, 4, &[]).is_err());
    assert!(!folder.path("other.png").exists());
}

#[test]
fn a_picture_under_the_name_of_another_format_is_refused() {
    let folder = Folder::new();
    let refused = |name: &str| {
        let error = write_png(&folder.path(name), 1, 1, &[0; 3]).unwrap_err().to_string();
        assert_eq!(folder.names(), [""; 0], "{name}");
        error.rsplit_once('/').unwrap().1.to_owned()
    };
    assert_eq!(refused("p.jpg"), "p.jpg: unknown picture format \".jpg\"; known: png");
    assert_eq!(refused("p"), "p: no extension to tell the picture format by; known: png");
    write_png(&folder.path("p.PNG"), 1, 1, &[0; 3]).unwrap();
}
