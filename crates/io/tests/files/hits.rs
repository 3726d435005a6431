//! Hit files: every format holds the same answers, the same bytes come however the answers are cut
//! into chunks, and a file appears only when it is whole.

use crate::folder::Folder;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, Int64Type};
use lanecast::{
    AllHitsBatch, AnyHitBatch, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch, Hit, HitBatch,
    INVALID_ID, InsideBatch, LineHitBatch, Status,
};
#[cfg(target_os = "linux")]
use lanecast_io::HitFormat;
use lanecast_io::{Answers, HitKind, HitWriter, RayIds, write_png};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

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

fn status(ray: usize) -> Status {
    match ray % 7 {
        0 => Status::Miss,
        3 => Status::ALL[2 + ray % 6],
        _ => Status::Hit,
    }
}

fn hit(ray: usize) -> Hit {
    if !status(ray).is_hit() {
        return Hit::NONE;
    }
    let x = ray as f32;
    let primitive_id = if ray == 1 { u32::MAX - 1 } else { 10 * ray as u32 };
    let geometry_id = ray as u32 % 3;
    // Most are in an instance; ray 1 is not.
    let instance_id = (ray as u32).checked_sub(2).unwrap_or(INVALID_ID);
    Hit { t: 0.1 * x, primitive_id, geometry_id, instance_id, u: 1.0 / x, v: x * 1e-30 }
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
    fn of(kind: HitKind, rays: std::ops::Range<usize>) -> Self {
        let hits: Vec<Hit> = rays.clone().map(hit).collect();
        let status: Vec<Status> = rays.clone().map(status).collect();
        match kind {
            HitKind::Closest | HitKind::ClosestWithNormals => Self::Closest(HitBatch {
                status,
                t: hits.iter().map(|hit| hit.t).collect(),
                primitive_id: hits.iter().map(|hit| hit.primitive_id).collect(),
                geometry_id: hits.iter().map(|hit| hit.geometry_id).collect(),
                instance_id: hits.iter().map(|hit| hit.instance_id).collect(),
                u: hits.iter().map(|hit| hit.u).collect(),
                v: hits.iter().map(|hit| hit.v).collect(),
                geometric_normal: match kind {
                    HitKind::Closest => Vec::new(),
                    _ => rays.map(|ray| [ray as f32, -1.0, 0.5]).collect(),
                },
            }),
            // What lies behind ray n is what lies ahead of ray n + 1.
            HitKind::Line => {
                let of = |rays| match Self::of(HitKind::Closest, rays) {
                    Self::Closest(hits) => hits,
                    _ => unreachable!("closest hits"),
                };
                Self::Line(LineHitBatch { ahead: of(rays.clone()), behind: of(rays.start + 1..rays.end + 1) })
            }
            HitKind::Any => Self::Any(AnyHitBatch { status }),
            HitKind::Count => {
                Self::Count(CountBatch { status, count: rays.map(|ray| ray as u32 % 4).collect() })
            }
            HitKind::Cost => {
                // Ray n is tested against n mod 5 nodes of three boxes and n mod 4 leaves of one triangle.
                let counts = |times: u32, modulus: u32| {
                    rays.clone().map(move |ray| times * (ray as u32 % modulus)).collect::<Vec<_>>()
                };
                let (nodes, boxes) = (counts(1, 5), counts(3, 5));
                let (leaves, primitives) = (counts(1, 4), counts(1, 4));
                Self::Cost(CostBatch { status, nodes, boxes, leaves, primitives })
            }
            HitKind::All => {
                // Ray n has n mod 4 hits.
                let mut all = AllHitsBatch { status, offsets: vec![0], hits: Vec::new() };
                for ray in rays {
                    all.hits.extend((0..ray % 4).map(|k| Hit { t: k as f32 + 0.1, ..hit(1 + k) }));
                    all.offsets.push(all.hits.len());
                }
                Self::All(all)
            }
            HitKind::ClosestPoint => Self::ClosestPoint(ClosestPointBatch {
                status,
                distance: hits.iter().map(|hit| hit.t).collect(),
                point: rays.map(|row| [row as f32, -0.25, 1e-9]).collect(),
                primitive_id: hits.iter().map(|hit| hit.primitive_id).collect(),
                geometry_id: hits.iter().map(|hit| hit.geometry_id).collect(),
                instance_id: hits.iter().map(|hit| hit.instance_id).collect(),
                u: hits.iter().map(|hit| hit.u).collect(),
                v: hits.iter().map(|hit| hit.v).collect(),
                geometric_normal: Vec::new(),
            }),
            HitKind::Distance => {
                Self::Distance(DistanceBatch { status, distance: hits.iter().map(|hit| -hit.t).collect() })
            }
            HitKind::Inside => {
                Self::Inside(InsideBatch { status, winding: rays.map(|row| row as i32).collect() })
            }
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
    let mut writer = HitWriter::create(path, None, kind).unwrap();
    for start in (0..rays).step_by(chunk) {
        let range = start..(start + chunk).min(rays);
        let ids: Vec<i64> = range.clone().map(id).collect();
        let ids = if named { RayIds::Given(&ids) } else { RayIds::Rows(start as u64) };
        writer.write(ids, Batch::of(kind, range).answers()).unwrap();
    }
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

/// Every value of every column as text that tells floats apart by their bits.
type Columns = BTreeMap<String, Vec<String>>;

/// What a file should hold, worked out row by row from the answers.
fn expected(kind: HitKind, rays: usize, named: bool, numbers_for_status: bool) -> Columns {
    let mut columns = Columns::new();
    let mut put = |name: &str, value: String| columns.entry(name.to_owned()).or_default().push(value);
    let signed = |id: u32| if id == u32::MAX { "-1".to_owned() } else { id.to_string() };
    for ray in 0..rays {
        let ray_id = if named { id(ray) } else { ray as i64 }.to_string();
        let status = status(ray);
        let rows: Vec<Hit> = match kind {
            HitKind::All => (0..ray % 4).map(|k| Hit { t: k as f32 + 0.1, ..hit(1 + k) }).collect(),
            _ => vec![hit(ray)],
        };
        for hit in rows {
            let of_points = matches!(kind, HitKind::ClosestPoint | HitKind::Distance | HitKind::Inside);
            put(if of_points { "point_id" } else { "ray_id" }, ray_id.clone());
            if kind != HitKind::All {
                let behind = self::status(ray + 1);
                let status = if kind == HitKind::Line && behind.is_hit() { behind } else { status };
                let word = if numbers_for_status { status.code().to_string() } else { status.to_string() };
                put("status", word);
            }
            match kind {
                HitKind::Any => put("hit", (status == Status::Hit).to_string()),
                HitKind::Count => put("count", (ray % 4).to_string()),
                HitKind::Cost => {
                    let (nodes, leaves) = (ray % 5, ray % 4);
                    put("nodes", nodes.to_string());
                    put("boxes", (3 * nodes).to_string());
                    put("leaves", leaves.to_string());
                    put("triangles", leaves.to_string());
                    let lanes = (8 * (nodes + leaves)).max(1);
                    put("lanes_filled", bits(((3 * nodes + leaves) as f64 / lanes as f64) as f32));
                }
                HitKind::Inside => put("inside", (status == Status::Hit).to_string()),
                HitKind::Distance => put("distance", bits(-hit.t)),
                _ => {
                    if kind == HitKind::ClosestPoint {
                        put("distance", bits(hit.t));
                        put("x", bits(ray as f32));
                        put("y", bits(-0.25));
                        put("z", bits(1e-9));
                    } else {
                        put("t", bits(hit.t));
                    }
                    put("primitive_id", signed(hit.primitive_id));
                    put("geometry_id", signed(hit.geometry_id));
                    put("instance_id", signed(hit.instance_id));
                    put("u", bits(hit.u));
                    put("v", bits(hit.v));
                }
            }
            if kind == HitKind::Line {
                let behind = self::hit(ray + 1);
                put("behind_t", bits(behind.t));
                put("behind_primitive_id", signed(behind.primitive_id));
                put("behind_geometry_id", signed(behind.geometry_id));
                put("behind_instance_id", signed(behind.instance_id));
                put("behind_u", bits(behind.u));
                put("behind_v", bits(behind.v));
            }
            if kind == HitKind::ClosestWithNormals {
                put("nx", bits(ray as f32));
                put("ny", bits(-1.0));
                put("nz", bits(0.5));
            }
        }
    }
    columns
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
    for name in NAMES {
        let path = folder.path(name);
        let whole = write(&path, HitKind::All, 100_000, 100_000, true);
        assert_eq!(write(&path, HitKind::All, 100_000, 30_001, true), whole, "{name}");
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
    let text = write(&folder.path("hits.csv"), HitKind::Closest, 2, 9, false);
    let expected = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v\n\
                    0,miss,inf,-1,-1,-1,0.0,0.0\n\
                    1,hit,0.1,4294967294,1,-1,1.0,1e-30\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn a_scene_without_instances_has_no_column_of_them_and_files_have() {
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let mut writer = HitWriter::create(&path, None, HitKind::Closest).unwrap();
    let Batch::Closest(mut hits) = Batch::of(HitKind::Closest, 4..6) else { unreachable!() };
    hits.instance_id.clear();
    writer.write(RayIds::Rows(0), &hits).unwrap();
    hits.instance_id.push(7);
    assert!(writer.write(RayIds::Rows(2), &hits).is_err(), "one of two");
    drop(writer);
    let mut writer = HitWriter::create(&path, None, HitKind::Closest).unwrap();
    hits.instance_id.clear();
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
        writer.write(RayIds::Rows(0), &AnyHitBatch { status: vec![Status::Hit; 9] }).unwrap();
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
    for format in FORMATS {
        let (reader, writer) = std::io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
        let mut hits = HitWriter::create(Path::new(&path), Some(format), HitKind::Any).unwrap();
        drop(reader);
        let mut fill = || hits.write(RayIds::Rows(0), &AnyHitBatch { status: vec![Status::Hit; 100_000] });
        let error = match fill() {
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
    let Batch::Closest(mut hits) = Batch::of(HitKind::Closest, 0..5) else { unreachable!() };
    assert_eq!(
        write(RayIds::Given(&[1, 2]), Answers::Closest(&hits)),
        "column \"ray_id\" holds 2 values for 5 rays"
    );
    hits.u.pop();
    assert_eq!(write(RayIds::Rows(0), Answers::Closest(&hits)), "column \"u\" holds 4 values for 5 rays");
    let mut writer = HitWriter::create(&path, None, HitKind::All).unwrap();
    for offsets in [vec![0, 2, 1], vec![1, 1, 1], vec![0, 0, 9], vec![]] {
        let all = AllHitsBatch { status: vec![Status::Hit; 2], offsets, hits: vec![hit(1)] };
        writer.write(RayIds::Rows(0), &all).unwrap_err();
    }
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
