//! Columns of any names in every format, and rows as the vertices of a PLY file.

use super::*;
use crate::support::points;
use lanecast_io::{CloudFormat, HitFormat, TableWriter, Values};

const ROWS: usize = 100;

/// A column of each kind, with `x`, `y` and `z` in another order and not first.
struct Rows100 {
    pulse: Vec<i64>,
    primitive: Vec<i64>,
    beam: Vec<i32>,
    axes: [Vec<f32>; 3],
    time: Vec<f64>,
    is_last: Vec<bool>,
    status: Vec<Status>,
}

impl Rows100 {
    fn new() -> Self {
        let random = &mut Random::new(5);
        Self {
            pulse: (0..ROWS as i64).map(|row| (1 << 53) - row * row).collect(),
            primitive: (0..ROWS).map(|_| random.below(1 << 30) as i64 - 1).collect(),
            beam: (0..ROWS).map(|_| random.below(1 << 20) as i32 - 1).collect(),
            axes: [(); 3].map(|()| (0..ROWS).map(|_| random.between(-9.0, 9.0)).collect()),
            time: (0..ROWS).map(|_| 1e9 * random.unit_f64()).collect(),
            is_last: (0..ROWS).map(|_| random.below(2) == 1).collect(),
            status: (0..ROWS).map(|row| Status::ALL[row % Status::ALL.len()]).collect(),
        }
    }

    fn columns(&self, rows: Range<usize>) -> Vec<(&'static str, Values<'_>)> {
        vec![
            ("pulse", Values::I64(&self.pulse[rows.clone()])),
            ("z", Values::F32(&self.axes[2][rows.clone()])),
            ("x", Values::F32(&self.axes[0][rows.clone()])),
            ("y", Values::F32(&self.axes[1][rows.clone()])),
            ("beam", Values::I32(&self.beam[rows.clone()])),
            ("primitive_id", Values::I64(&self.primitive[rows.clone()])),
            ("gps_time", Values::F64(&self.time[rows.clone()])),
            ("is_last", Values::Bool(&self.is_last[rows.clone()])),
            ("status", Values::Status(&self.status[rows])),
        ]
    }

    fn write(&self, path: &Path, chunk: usize) -> Vec<u8> {
        let mut writer = TableWriter::create(path, None, &self.columns(0..0)).unwrap();
        for start in (0..ROWS).step_by(chunk) {
            writer.write(&self.columns(start..ROWS.min(start + chunk))).unwrap();
        }
        writer.finish().unwrap();
        std::fs::read(path).unwrap()
    }
}

#[test]
fn every_format_holds_columns_of_any_name_and_kind() {
    let (folder, rows) = (Folder::new(), Rows100::new());
    for name in NAMES {
        let path = folder.path(name);
        let whole = rows.write(&path, 1000);
        let mut read = read_back(&path);
        fn shown<T: ToString>(values: &[T]) -> Vec<String> {
            values.iter().map(ToString::to_string).collect()
        }
        let times = read.remove("gps_time").unwrap();
        let times: Vec<f64> = times.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(times, rows.time, "{name}");
        let word = |status: &Status| {
            if name == "hits.npz" { status.code().to_string() } else { status.to_string() }
        };
        let [x, y, z] = &rows.axes;
        for (column, expected) in [
            ("pulse", shown(&rows.pulse)),
            ("beam", shown(&rows.beam)),
            ("primitive_id", shown(&rows.primitive)),
            ("x", x.iter().copied().map(bits).collect()),
            ("y", y.iter().copied().map(bits).collect()),
            ("z", z.iter().copied().map(bits).collect()),
            ("is_last", shown(&rows.is_last)),
            ("status", rows.status.iter().map(word).collect()),
        ] {
            assert_eq!(read.remove(column).unwrap(), expected, "{name} {column}");
        }
        assert!(read.is_empty(), "{read:?}");
        for chunk in [1, 7] {
            assert_eq!(rows.write(&path, chunk), whole, "{name} by {chunk}");
        }
    }
}

/// As the format says: x, y and z first, little-endian numbers without padding.
#[test]
fn rows_of_points_are_vertices_of_a_ply_file() {
    let (folder, rows) = (Folder::new(), Rows100::new());
    let path = folder.path("scan.ply");
    let bytes = rows.write(&path, 7);
    assert_eq!(rows.write(&path, 1000), bytes);
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 100\nproperty float x\nproperty float y\n\
                  property float z\nproperty double pulse\nproperty int beam\nproperty int primitive_id\n\
                  property double gps_time\nproperty uchar is_last\nproperty uchar status\nend_header\n";
    assert_eq!(String::from_utf8_lossy(&bytes[..header.len()]), header);
    let (vertices, rest) = bytes[header.len()..].as_chunks::<38>();
    assert_eq!((vertices.len(), rest.len()), (ROWS, 0));
    for (row, vertex) in vertices.iter().enumerate() {
        let float = |place: usize| f32::from_le_bytes(vertex[place..place + 4].try_into().unwrap());
        let int = |place: usize| i32::from_le_bytes(vertex[place..place + 4].try_into().unwrap());
        let double =
            |place: usize| f64::from_le_bytes(vertex[place..place + 8].try_into().unwrap());
        assert_eq!([float(0), float(4), float(8)], [0, 1, 2].map(|axis| rows.axes[axis][row]));
        assert_eq!(double(12) as i64, rows.pulse[row]);
        assert_eq!([int(20), int(24)], [rows.beam[row], rows.primitive[row] as i32]);
        assert_eq!(double(28), rows.time[row]);
        assert_eq!(vertex[36..], [u8::from(rows.is_last[row]), rows.status[row].code()]);
    }
    // And a reader of PLY has the points.
    let expected: Vec<_> =
        (0..ROWS).map(|row| [0, 1, 2].map(|axis| rows.axes[axis][row])).collect();
    assert_eq!(points(&path).unwrap(), expected);
}

#[test]
fn closest_hits_with_points_and_all_hits_with_points_can_be_ply() {
    let folder = Folder::new();
    let path = folder.path("hits.ply");
    write(&path, HitKind::All { points: true }, 100, 30, false);
    let Batch::All(all) = Batch::of(HitKind::ALL, 0..100) else { unreachable!() };
    let expected: Vec<[f32; 3]> = all.hits().iter().map(|hit| point(Some(*hit))).collect();
    assert_eq!(points(&path).unwrap(), expected);
    let text = |kind| HitWriter::<f32>::create(&path, None, kind).unwrap_err().to_string();
    let refusal = "hits.ply: PLY files need points: there are no columns x, y and z";
    assert!(
        [HitKind::CLOSEST, HitKind::ALL, HitKind::Any]
            .into_iter()
            .all(|kind| text(kind).ends_with(refusal))
    );
}

#[test]
fn rows_that_do_not_fit_the_file_are_refused() {
    let (folder, rows) = (Folder::new(), Rows100::new());
    let refused = |name: &str, columns: &[(&'static str, Values<'_>)]| {
        let path = folder.path(name);
        let mut writer = TableWriter::create(
            &path,
            Some(HitFormat::Cloud(CloudFormat::Ply)),
            &rows.columns(0..0),
        )
        .unwrap();
        let error = writer.write(columns).unwrap_err().to_string();
        drop(writer);
        assert!(!path.exists());
        error.split_once(": ").unwrap().1.to_owned()
    };
    let others = "the rows have other columns than the file";
    let mut columns = rows.columns(0..9);
    columns.swap(1, 2);
    assert_eq!(refused("a.ply", &columns), others);
    columns.swap(1, 2);
    columns[4].1 = Values::I64(&rows.pulse[0..9]);
    assert_eq!(refused("a.ply", &columns), others);
    columns.pop();
    assert_eq!(refused("a.ply", &columns), others);
    let mut columns = rows.columns(0..9);
    columns[4].1 = Values::I32(&rows.beam[0..8]);
    assert_eq!(refused("a.ply", &columns), "column \"beam\" holds 8 values for 9 rows");
    let mut columns = rows.columns(0..1);
    for too_large in [&[(1 << 53) + 1], &[i64::MIN]] {
        columns[0].1 = Values::I64(too_large);
        assert_eq!(
            refused("a.ply", &columns),
            "column \"pulse\": a number is beyond what PLY holds"
        );
    }
    let mut columns = rows.columns(0..1);
    columns[5].1 = Values::I64(&[1 << 31]);
    assert_eq!(
        refused("a.ply", &columns),
        "column \"primitive_id\": a number is beyond what PLY holds"
    );
}

#[test]
fn points_and_normals_of_a_kind_must_be_given_for_every_hit() {
    let folder = Folder::new();
    let path = folder.path("hits.csv");
    let Batch::Closest(hits) = Batch::of(HitKind::CLOSEST, 0..5) else { unreachable!() };
    let refused = |kind, vectors| {
        let mut writer = HitWriter::<f32>::create(&path, None, kind).unwrap();
        let error =
            writer.write_with(RayIds::Rows(0), &hits, vectors, &[]).unwrap_err().to_string();
        error.split_once(": ").unwrap().1.to_owned()
    };
    let four = &[[0.0; 3]; 4][..];
    let (both, points) =
        (HitKind::Closest { points: true, normals: true }, Vectors { points: four, normals: &[] });
    assert_eq!(refused(both, points), "column \"point\" holds 4 values for 5 rays");
    let points = Vectors { points: &[[0.0; 3]; 5], normals: four };
    assert_eq!(refused(both, points), "column \"normal\" holds 4 values for 5 rays");
    // Normals that are given go before those of the batch.
    let Batch::Closest(hits) = Batch::of(HitKind::Closest { points: false, normals: true }, 0..1)
    else {
        unreachable!()
    };
    let mut writer =
        HitWriter::<f32>::create(&path, None, HitKind::Closest { points: false, normals: true })
            .unwrap();
    let given = Vectors { points: &[], normals: &[[1.0, 2.0, 3.0]] };
    writer.write_with(RayIds::Rows(0), &hits, given, &[]).unwrap();
    writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with(",1.0,2.0,3.0\n"), "{text}");
}
