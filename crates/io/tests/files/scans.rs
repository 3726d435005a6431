//! Points with other columns, as scanners have them, in files of points: read here byte by byte as
//! the formats are described, and by the readers of points.

use crate::folder::Folder;
use crate::las::layout;
use crate::support::points_in;
use lanecast::{Status, Threads};
use lanecast_io::{CloudWriter, TableWriter, Values};
use std::ops::Range;
use std::sync::Arc;

const ROWS: usize = 10_000;

/// Columns of a scan.
struct Scan {
    axes: [Vec<f64>; 3],
    time: Vec<f64>,
    beam: Vec<i32>,
    azimuth: Vec<f32>,
    pulse: Vec<i64>,
    number: Vec<i32>,
    count: Vec<i32>,
    intensity: Vec<f32>,
    primitive: Vec<i64>,
    geometry: Vec<i32>,
    status: Vec<Status>,
    is_new: Vec<bool>,
}

impl Scan {
    fn new() -> Self {
        let each = |row: usize| row as f64;
        let ends = [0.0, 1.0, 2.0, f32::NAN, -0.5, f32::INFINITY, 1e-6, 7.7e-6];
        Self {
            axes: [(4.5e5, 0.25), (5.2e6, -0.5), (80.0, 0.125)]
                .map(|(start, step)| (0..ROWS).map(|row| start + step * each(row)).collect()),
            time: (0..ROWS).map(|row| 3e5 + 1e-6 * each(row)).collect(),
            beam: (0..ROWS as i32).map(|row| row * 7 % 65_536).collect(),
            azimuth: (0..ROWS).map(|row| (0.037 * each(row)) as f32).collect(),
            pulse: (0..ROWS as i64).map(|row| (1 << 40) + row / 2).collect(),
            number: (0..ROWS as i32).map(|row| 1 + row % 15).collect(),
            count: vec![15; ROWS],
            intensity: (0..ROWS).map(|row| *ends.get(row).unwrap_or(&(row as f32 / 2e4))).collect(),
            primitive: (0..ROWS as i64).map(|row| row * 100_003 % (1 << 30)).collect(),
            geometry: (0..ROWS as i32).map(|row| row % 5 - 1).collect(),
            status: vec![Status::Hit; ROWS],
            is_new: (0..ROWS).map(|row| row % 3 == 0).collect(),
        }
    }

    fn columns(&self, rows: Range<usize>) -> Vec<(&'static str, Values<'_>)> {
        let [x, y, z] = &self.axes;
        vec![
            ("time", Values::F64(&self.time[rows.clone()])),
            ("x", Values::F64(&x[rows.clone()])),
            ("z", Values::F64(&z[rows.clone()])),
            ("y", Values::F64(&y[rows.clone()])),
            ("beam", Values::I32(&self.beam[rows.clone()])),
            ("azimuth", Values::F32(&self.azimuth[rows.clone()])),
            ("pulse", Values::I64(&self.pulse[rows.clone()])),
            ("return_number", Values::I32(&self.number[rows.clone()])),
            ("return_count", Values::I32(&self.count[rows.clone()])),
            ("intensity", Values::F32(&self.intensity[rows.clone()])),
            ("primitive_id", Values::I64(&self.primitive[rows.clone()])),
            ("geometry_id", Values::I32(&self.geometry[rows.clone()])),
            ("status", Values::Status(&self.status[rows.clone()])),
            ("is_new", Values::Bool(&self.is_new[rows])),
        ]
    }

    /// The bytes of the file, whose points are read as they are.
    fn write(&self, folder: &Folder, name: &str, chunk: usize, threads: usize) -> Vec<u8> {
        let path = folder.path(name);
        let writer = TableWriter::create(&path, None, &self.columns(0..0)).expect("a file");
        let mut writer = writer.threads(&Threads::exactly(threads).expect("threads"));
        for start in (0..ROWS).step_by(chunk) {
            writer.write(&self.columns(start..ROWS.min(start + chunk))).expect("written");
        }
        writer.finish().expect("finished");
        let [x, y, z] = &self.axes;
        let read = points_in::<f64>(&path).expect(name);
        assert_eq!(read.len(), ROWS, "{name}");
        for (row, found) in read.into_iter().enumerate() {
            let near = |axis: usize, x: f64| (found[axis] - x).abs() < 1e-6;
            assert!(near(0, x[row]) && near(1, y[row]) && near(2, z[row]), "{name}: {row}");
        }
        std::fs::read(path).expect("a file")
    }
}

/// Numbers of a row of bytes, one behind the other.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("enough bytes");
        self.0 = rest;
        *bytes
    }
}

#[test]
fn files_of_points_do_not_depend_on_chunks_and_threads() {
    let (folder, scan) = (Folder::new(), Scan::new());
    for name in ["s.las", "s.laz", "s.pcd", "s.ply", "s.xyz"] {
        let whole = scan.write(&folder, name, ROWS, 1);
        assert!(scan.write(&folder, name, 77, 3) == whole, "{name}");
    }
}

/// ASPRS LAS 1.4-R15: the header by table 3, records by 7, points by 15 to 17, extra dimensions by
/// 24 and 25.
#[test]
fn columns_of_a_scan_are_fields_and_extra_dimensions_of_las() {
    let (folder, scan) = (Folder::new(), Scan::new());
    let bytes = scan.write(&folder, "s.las", 999, 2);
    assert_eq!((&bytes[..4], &bytes[24..26], bytes[104]), (&b"LASF"[..], &[1, 4][..], 6));
    // Formats from 6 on go with this bit.
    assert_eq!(bytes[6] & 16, 16);
    assert_eq!(bytes[100..104], 1_u32.to_le_bytes());
    let record = &bytes[375..];
    assert_eq!(&record[2..12], b"LASF_Spec\0");
    assert_eq!(record[18..20], 4_u16.to_le_bytes());
    let expected = [
        ("ring", 3, ""),
        ("azimuth", 9, "degrees"),
        ("pulse", 8, ""),
        ("exact_intensity", 9, ""),
        ("primitive_id", 6, ""),
        ("geometry_id", 6, ""),
        ("status", 1, ""),
        ("is_new", 1, ""),
    ];
    let (start, length) = layout(&bytes);
    assert_eq!(
        (start, length),
        (375 + 54 + 192 * expected.len(), 30 + 2 + 4 + 8 + 4 + 4 + 4 + 1 + 1)
    );
    assert_eq!(record[20..22], (192 * expected.len() as u16).to_le_bytes());
    for (descriptor, (name, kind, unit)) in record[54..].chunks(192).zip(expected) {
        let text = |bytes: &[u8]| {
            let bytes: Vec<_> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
            String::from_utf8(bytes).expect("text")
        };
        let found = (text(&descriptor[4..36]), descriptor[2], text(&descriptor[160..]));
        assert_eq!(found, (name.to_owned(), kind, unit.to_owned()));
        assert!(descriptor[36..160].iter().chain([&descriptor[3]]).all(|byte| *byte == 0));
    }
    let points = bytes[start..].chunks_exact(length);
    assert_eq!(points.len(), ROWS);
    let intensities = [0, 65_535, 65_535, 0, 0, 65_535, 0, 1];
    for (row, point) in points.enumerate() {
        let expected = match intensities.get(row) {
            Some(intensity) => *intensity,
            None => (65_535.0 * row as f64 / 2e4).round() as u16,
        };
        let found = u16::from_le_bytes([point[12], point[13]]);
        assert!(found.abs_diff(expected) <= u16::from(row >= 8), "{row}: {found}, {expected}");
        assert_eq!([point[14] & 15, point[14] >> 4].map(i32::from), [scan.number[row], 15]);
        assert!(point[15..22].iter().all(|byte| *byte == 0), "no angle and nothing else is known");
        let mut numbers = Numbers(&point[22..]);
        assert_eq!(f64::from_le_bytes(numbers.next()), scan.time[row]);
        assert_eq!(i32::from(u16::from_le_bytes(numbers.next())), scan.beam[row]);
        assert_eq!(f32::from_le_bytes(numbers.next()), scan.azimuth[row]);
        assert_eq!(i64::from_le_bytes(numbers.next()), scan.pulse[row]);
        assert_eq!(f32::from_le_bytes(numbers.next()).to_bits(), scan.intensity[row].to_bits());
        assert_eq!(i64::from(i32::from_le_bytes(numbers.next())), scan.primitive[row]);
        assert_eq!(i32::from_le_bytes(numbers.next()), scan.geometry[row]);
        assert_eq!(numbers.next(), [1, u8::from(scan.is_new[row])]);
    }
    // Packed they are the same points.
    scan.write(&folder, "s.laz", 999, 2);
    let all = |name: &str| {
        let mut reader = las::Reader::from_path(folder.path(name)).expect("a file");
        reader.read_all().expect("points").raw_bytes().to_vec()
    };
    assert!(all("s.las") == all("s.laz"));
    let small = |name: &str| std::fs::metadata(folder.path(name)).expect("a file").len();
    assert!(small("s.laz") < small("s.las") / 2);
}

#[test]
fn columns_of_a_scan_are_fields_of_pcd() {
    let (folder, scan) = (Folder::new(), Scan::new());
    let bytes = scan.write(&folder, "s.pcd", 999, 2);
    let header = "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\n\
        FIELDS x y z time ring azimuth pulse return_number return_count intensity primitive_id geometry_id status is_new\n\
        SIZE 8 8 8 8 2 4 8 4 4 4 4 4 1 1\nTYPE F F F F U F F I I F I I U U\nCOUNT 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n\
        WIDTH 10000\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 10000\nDATA binary\n";
    assert_eq!(String::from_utf8_lossy(&bytes[..header.len()]), header);
    let points = bytes[header.len()..].chunks_exact(68);
    assert_eq!((points.len(), points.remainder().len()), (ROWS, 0));
    for (row, point) in points.enumerate() {
        let mut numbers = Numbers(point);
        let doubles = [(); 4].map(|()| f64::from_le_bytes(numbers.next()));
        let [x, y, z] = [0, 1, 2].map(|axis| scan.axes[axis][row]);
        assert_eq!(doubles, [x, y, z, scan.time[row]]);
        assert_eq!(i32::from(u16::from_le_bytes(numbers.next())), scan.beam[row]);
        assert_eq!(f32::from_le_bytes(numbers.next()), scan.azimuth[row]);
        assert_eq!(f64::from_le_bytes(numbers.next()) as i64, scan.pulse[row]);
        let returns = [(); 2].map(|()| i32::from_le_bytes(numbers.next()));
        assert_eq!(returns, [scan.number[row], 15]);
        assert_eq!(f32::from_le_bytes(numbers.next()).to_bits(), scan.intensity[row].to_bits());
        let ids = [(); 2].map(|()| i32::from_le_bytes(numbers.next()));
        assert_eq!(ids, [scan.primitive[row] as i32, scan.geometry[row]]);
        assert_eq!(numbers.next(), [1, u8::from(scan.is_new[row])]);
    }
}

/// As they were before there were columns, to the byte.
#[test]
fn points_alone_have_the_plainest_files() {
    let folder = Folder::new();
    let bytes = |name: &str| {
        let mut writer = CloudWriter::<f32>::create(&folder.path(name)).expect("a file");
        writer.write(&[[0.5, -1.0, 1e9], [0.1, 2.0, 3.0]]).expect("written");
        writer.finish().expect("finished");
        std::fs::read(folder.path(name)).expect("a file")
    };
    let numbers: Vec<u8> =
        [0.5_f32, -1.0, 1e9, 0.1, 2.0, 3.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let ply = "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float x\nproperty float y\n\
               property float z\nend_header\n";
    assert_eq!(bytes("a.ply"), [ply.as_bytes(), &numbers].concat());
    let pcd = "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n\
               COUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA binary\n";
    assert_eq!(bytes("a.pcd"), [pcd.as_bytes(), &numbers].concat());
    assert_eq!(bytes("a.xyz"), b"0.5 -1 1000000000\n0.1 2 3\n");
    let las = bytes("a.las");
    assert_eq!((&las[24..26], las[104], layout(&las), las.len()), (&[1, 2][..], 0, (227, 20), 267));
    // Return 1 of 1, and nothing else.
    assert!(las[227 + 12..227 + 20] == [0, 0, 9, 0, 0, 0, 0, 0], "{las:?}");
    // Lines have no place for other columns.
    let scan = Scan::new();
    let text = String::from_utf8(scan.write(&folder, "s.xyz", 999, 2)).expect("text");
    assert_eq!(text.lines().nth(3), Some("450000.75 5199998.5 80.375"));
}

#[test]
fn columns_that_files_of_points_cannot_hold_are_refused_by_name() {
    let folder = Folder::new();
    let point = [0.5_f32];
    let axes = ["x", "y", "z"].map(|axis| (axis, Values::F32(&point)));
    let refused = |name: &str, more: (&'static str, Values<'_>)| {
        let columns = [&axes[..], &[more]].concat();
        let written =
            TableWriter::create(&folder.path(name), None, &columns).and_then(|mut writer| {
                writer.write(&columns)?;
                writer.finish()
            });
        let error = folder.error_of(name, written);
        assert!(!folder.path(name).exists(), "{error}");
        error
    };
    let text = "column \"name\" is text, which npz and files of points do not hold";
    let long = "a_name_of_more_bytes_than_thirty_two";
    for (name, column, values, problem) in [
        (
            "s.las",
            "beam",
            Values::I32(&[65_536]),
            "column \"beam\": 65536 is beyond what LAS holds of it",
        ),
        ("s.laz", "beam", Values::I32(&[-1]), "column \"beam\": -1 is beyond what LAS holds of it"),
        (
            "s.pcd",
            "beam",
            Values::I64(&[65_536]),
            "column \"beam\": a number is beyond what PCD holds",
        ),
        ("s.pcd", "beam", Values::I32(&[-1]), "column \"beam\": a number is beyond what PCD holds"),
        (
            "s.pcd",
            "pulse",
            Values::I64(&[i64::MIN]),
            "column \"pulse\": a number is beyond what PCD holds",
        ),
        (
            "s.las",
            "primitive_id",
            Values::I64(&[1 << 31]),
            "column \"primitive_id\": 2147483648 is beyond what LAS holds of it",
        ),
        (
            "s.las",
            long,
            Values::F32(&[0.5]),
            "column \"a_name_of_more_bytes_than_thirty_two\": LAS has names of 32 bytes at most",
        ),
        (
            "s.las",
            "return_number",
            Values::I32(&[2]),
            "return 2 of 1, and LAS numbers them from 1 to 15 at most",
        ),
    ] {
        assert_eq!(refused(name, (column, values)), format!("{name}: {problem}"));
    }
    let names: [Arc<str>; 1] = ["wall".into()];
    for name in ["s.las", "s.laz", "s.pcd", "s.ply"] {
        assert_eq!(refused(name, ("name", Values::Text(&names))), format!("{name}: {text}"));
    }
    for name in ["s.las", "s.laz", "s.pcd", "s.ply", "s.xyz"] {
        let columns =
            [("x", Values::F32(&point)), ("y", Values::I32(&[1])), ("z", Values::F32(&point))];
        let created = TableWriter::create(&folder.path(name), None, &columns);
        let format = if name == "s.laz" { "LAS".to_owned() } else { name[2..].to_uppercase() };
        let expected =
            format!("{name}: {format} files need points: there are no columns x, y and z");
        assert_eq!(folder.error_of(name, created), expected);
    }
    // What is not finite has no place among whole numbers, whatever else there is.
    for bad in [f32::NAN, f32::INFINITY] {
        let mut columns = axes.to_vec();
        let number = [bad];
        columns[1].1 = Values::F32(&number);
        columns.push(("pulse", Values::I64(&[7])));
        let mut writer =
            TableWriter::create(&folder.path("s.las"), None, &columns).expect("a file");
        writer.write(&columns).expect("written");
        let error = folder.error_of("s.las", writer.finish());
        assert_eq!(error, "s.las: a point is not finite, which LAS cannot hold");
    }
}

/// NaN stands for a float that is null, and nothing for others.
#[test]
fn nulls_of_floats_are_nan_in_files_of_points() {
    let folder = Folder::new();
    let (axis, gain, class) = ([0.5_f32, 1.5], [Some(0.25_f32), None], [Some(7_i64), Some(8)]);
    let write = |name: &str, class: &[Option<i64>], last: &str| {
        let columns = [
            ("x", Values::F32(&axis)),
            ("y", Values::F32(&axis)),
            ("z", Values::F32(&axis)),
            ("gain", Values::OptionF32(&gain)),
            (last, Values::OptionI64(class)),
        ];
        TableWriter::create(&folder.path(name), None, &columns)
            .and_then(|mut writer| writer.write(&columns).and_then(|()| writer.finish()))
    };
    for name in ["s.las", "s.pcd", "s.ply"] {
        write(name, &class, "class").expect("written");
        let bytes = std::fs::read(folder.path(name)).expect("a file");
        let length = if name == "s.las" { 30 + 4 + 8 } else { 12 + 4 + 8 };
        for (row, point) in bytes[bytes.len() - 2 * length..].chunks(length).enumerate() {
            let mut numbers = Numbers(&point[length - 12..]);
            let found = f32::from_le_bytes(numbers.next());
            assert!(gain[row].map_or(found.is_nan(), |gain| gain == found), "{name}: {found}");
            let found = match name {
                "s.las" => i64::from_le_bytes(numbers.next()),
                _ => f64::from_le_bytes(numbers.next()) as i64,
            };
            assert_eq!(Some(found), class[row], "{name}");
        }
        let error = folder.error_of(name, write(name, &[Some(7), None], "class"));
        let problem = "is null, which npz and files of points hold of floats alone";
        assert_eq!(error, format!("{name}: row 1: column \"class\" {problem}"));
    }
    write("s.las", &class, "of two words").expect("a name of LAS may be any");
    let error = folder.error_of("s.pcd", write("s.pcd", &class, "of two words"));
    assert_eq!(error, "s.pcd: column \"of two words\": a field of PCD is called by one word");
}
