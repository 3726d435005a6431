//! Points of PLY, PCD and XYZ files, and what is wrong with one is said with its place.

use crate::folder::Folder;
use crate::las::layout;
use crate::pattern::assert_reads;
use crate::support::{flip_bytes, points};
use lanecast_io::{CloudFormat, CloudWriter, Error, PointChunk, PointReader};
use std::path::Path;

/// Points, ids and ignored columns.
type Read = (Vec<[f32; 3]>, Option<Vec<i64>>, Vec<String>);

fn read(reader: Result<PointReader, Error>, max_rows: usize) -> Result<Read, Error> {
    let (mut reader, mut chunk) = (reader?, PointChunk::<f32>::default());
    let (total, mut points, mut ids) = (reader.total(), Vec::new(), None);
    while reader.next_chunk(max_rows, &mut chunk)? {
        points.append(&mut chunk.points);
        if let Some(some) = &chunk.point_id {
            ids.get_or_insert_with(Vec::new).extend(some);
        }
    }
    assert!(total.is_none_or(|total| total == points.len() as u64));
    Ok((points, ids, reader.ignored_columns().to_vec()))
}

/// From a file in chunks of several sizes, and from a pipe if that can be told.
fn every_way(folder: &Folder, name: &str, bytes: &[u8], expected: &Read) {
    let path = folder.file(name, bytes);
    for max_rows in [1, 2, 1000] {
        let found = read(PointReader::<f32>::open(&path), max_rows).expect(name);
        assert_eq!(&found, expected, "{name}");
    }
    if !name.ends_with("xyz") {
        let piped = PointReader::<f32>::from_reader(name, std::io::Cursor::new(bytes.to_vec()));
        assert_eq!(&read(piped, 2).expect(name), expected, "{name} from a pipe");
    }
}

const POINTS: [[f32; 3]; 3] = [[0.5, -1.0, 2.0], [1e9, 0.0, 3.0], [4.0, 5.0, 6.0]];

/// The points with an intensity before and ids after, as bytes of the types that the headers below
/// name.
fn records(big_endian: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (row, [x, y, z]) in (1_u16..).zip(POINTS) {
        let mut number = |mut value: Vec<u8>| {
            if big_endian {
                value.reverse();
            }
            bytes.extend(value);
        };
        number((1000 + row).to_le_bytes().to_vec());
        number(f64::from(z).to_le_bytes().to_vec());
        number(x.to_le_bytes().to_vec());
        number((y as i8).to_le_bytes().to_vec());
        number((7 * u32::from(row)).to_le_bytes().to_vec());
    }
    bytes
}

fn text() -> String {
    let row =
        |(row, [x, y, z]): (u32, [f32; 3])| format!("{} {z:?} {x:?} {y} {}\n", 1000 + row, 7 * row);
    (1..).zip(POINTS).map(row).collect()
}

fn expected(unknown: &[&str]) -> Read {
    (POINTS.to_vec(), Some(vec![7, 14, 21]), unknown.iter().map(|&name| name.to_owned()).collect())
}

fn ply(format: &str, before: &str, after: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment x\nobj_info y\n{before}element vertex 3\nproperty ushort intensity\n\
         property double z\nproperty float32 x\nproperty int8 y\nproperty uint point_id\n{after}end_header\n"
    )
}

#[test]
fn the_vertices_of_a_ply_file_are_points() {
    let folder = Folder::new();
    let expected = expected(&["intensity"]);
    let faces = "element face 1\nproperty list uchar int vertex_indices\n";
    for (format, big_endian) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        let face: Vec<u8> = [[0, 1, 2], [2, 1, 0]][usize::from(big_endian)].into_iter().fold(
            vec![3],
            |mut bytes, vertex: i32| {
                bytes.extend(if big_endian { vertex.to_be_bytes() } else { vertex.to_le_bytes() });
                bytes
            },
        );
        for (before, after, file) in [
            ("", "", [vec![], records(big_endian), vec![]]),
            ("", faces, [vec![], records(big_endian), face.clone()]),
            (faces, "", [face.clone(), records(big_endian), vec![]]),
        ] {
            let bytes = [ply(format, before, after).into_bytes(), file.concat()].concat();
            every_way(&folder, "points.ply", &bytes, &expected);
        }
    }
    for (before, after, body) in [
        ("", "", text()),
        ("", faces, text() + "3 0 1 2\n"),
        (faces, "", "3 0 1 2\n".to_owned() + &text()),
        ("", "", text().replace('\n', "\r\n\r\n")),
    ] {
        every_way(
            &folder,
            "points.ply",
            (ply("ascii", before, after) + &body).as_bytes(),
            &expected,
        );
    }
    let nan = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\nnan 0 inf\n";
    let (points, ..) =
        read(PointReader::<f32>::open(&folder.file("nan.ply", nan)), 9).expect("a point");
    assert!(points[0][0].is_nan() && points[0][2] == f32::INFINITY);
}

fn pcd(data: &str) -> String {
    format!(
        "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\nFIELDS intensity z x y point_id\nSIZE 2 8 4 1 4\n\
         TYPE U F F I U\nCOUNT 1 1 1 1 1\nWIDTH 3\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\nDATA {data}\n"
    )
}

#[test]
fn the_points_of_a_pcd_file_are_read_as_text_and_binary() {
    let folder = Folder::new();
    let expected = expected(&["intensity"]);
    every_way(&folder, "points.pcd", (pcd("ascii") + &text()).as_bytes(), &expected);
    let binary = [pcd("binary").into_bytes(), records(false)].concat();
    every_way(&folder, "points.pcd", &binary, &expected);
    // Without a remark, a count and the number of points; with a field of several numbers.
    let bare = "VERSION .7\nFIELDS x y z normal\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 2\nWIDTH 1\nHEIGHT 2\nDATA ascii\n";
    let two = format!("{bare}1 2 3 0 0\n4 5 6 0 0\n");
    let ignored = vec!["normal[0]".to_owned(), "normal[1]".to_owned()];
    every_way(
        &folder,
        "points.pcd",
        two.as_bytes(),
        &(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], None, ignored),
    );
}

#[test]
fn an_xyz_file_has_a_point_in_each_line() {
    let folder = Folder::new();
    let plain = (POINTS.to_vec(), None, vec![]);
    for text in [
        "0.5 -1 2\n1e9 0 3\n4 5 6\n",
        "# a remark\n\n0.5\t-1   2\r\n  1e9 0 3\n//X Y Z\n4 5 6",
        "0.5,-1,2\n1e9, 0 ,3\n4,5,6\n",
        "0.5;-1;2\n1e9; 0 ;3\n4;5;6\n",
        "x y z\n0.5 -1 2\n1e9 0 3\n4 5 6\n",
        "z,x,y\n2,0.5,-1\n3,1e9,0\n6,4,5\n",
        "\u{feff}0.5 -1 2\n1e9 0 3\n4 5 6\n",
    ] {
        every_way(&folder, "points.xyz", text.as_bytes(), &plain);
        let path = folder.file("points.asc", text);
        assert_eq!(read(PointReader::<f32>::open(&path), 9).expect(text), plain);
    }
    let named = "x y z intensity point_id\n0.5 -1 2 9 7\n1e9 0 3 9 14\n4 5 6 9 21\n";
    every_way(&folder, "points.xyz", named.as_bytes(), &expected(&["intensity"]));
    let numbered = "0.5 -1 2 9 7\n1e9 0 3 9 14\n4 5 6 9 21\n";
    let ignored = vec!["4".to_owned(), "5".to_owned()];
    every_way(&folder, "points.xyz", numbered.as_bytes(), &(POINTS.to_vec(), None, ignored));
    every_way(&folder, "points.xyz", b"# nothing\n", &(vec![], None, vec![]));
    let gap = folder.file("gap.xyz", "1,,3\nnan,2,3\n");
    let (points, ..) = read(PointReader::<f32>::open(&gap), 9).expect("points");
    assert!(points[0][1].is_nan() && points[1][0].is_nan());
}

/// A format, what is changed in its file of text (all, where nothing is named), into what, and what
/// is said of it.
const REFUSED: [(&str, &str, &str, &str); 28] = [
    ("p.ply", "", "solid", "not a PLY file: it does not begin with \"ply\""),
    ("p.ply", "", "ply\nformat ascii 1.0\n", "truncated: the header has no \"end_header\""),
    (
        "p.ply",
        "float32 x",
        "float32 x y",
        "line 8: not a line of a PLY header: \"property float32 x y\"",
    ),
    ("p.ply", "int8 y", "int8 x", "line 9: the property \"x\" stands there twice"),
    ("p.ply", "format ascii", "format packed", "unknown PLY format \"packed\""),
    ("p.ply", "vertex", "node", "no element \"vertex\"; found node"),
    ("p.ply", "int8 y", "int8 w", "no column \"y\"; found intensity, z, x, w, point_id"),
    (
        "p.ply",
        "int8 y",
        "int8 Y",
        "column \"Y\" is not known; did you mean \"y\"? rename it or remove it",
    ),
    ("p.ply", "uint point_id", "float point_id", "\"point_id\" is not a whole number"),
    (
        "p.ply",
        "ushort intensity",
        "list uchar ushort intensity",
        "element \"vertex\": property \"intensity\" is a list, which is not read",
    ),
    ("p.ply", "1000000000.0", "north", "line 13: \"x\": \"north\" is not a number"),
    ("p.ply", " 14\n", " 14 15\n", "line 13: 6 values, but the header has 5"),
    ("p.ply", "vertex 3", "vertex 4", "truncated: vertex 3 of 4 is incomplete"),
    ("p.ply", "vertex 3", "vertex 2", "more follows the 2 vertices that the header counts"),
    ("p.pcd", "", "VERSION .7\n", "truncated: the header has no \"DATA\""),
    ("p.pcd", "WIDTH", "WIDE", "line 7: not a line of a PCD header: \"WIDE 3\""),
    ("p.pcd", "ascii", "zipped", "unknown PCD data \"zipped\""),
    ("p.pcd", "POINTS 3", "POINTS 4", "the header counts 4 points, and by its size 3"),
    ("p.pcd", "SIZE 2 8", "SIZE 8", "FIELDS, SIZE, TYPE and COUNT have not as many values each"),
    ("p.pcd", "SIZE 2", "SIZE 3", "field \"intensity\": unknown TYPE U of SIZE 3"),
    ("p.xyz", "", "1 2\n", "line 1: 2 values; expected 3 at least"),
    ("p.xyz", "", "1.5\n", "line 1: 1 value; expected 3 at least"),
    ("p.xyz", "", "1 2 3\n4\n", "line 2: 1 value, but the first line has 3"),
    ("p.xyz", "", "1 2 3\n\n1 2 3 4\n", "line 3: 4 values, but the first line has 3"),
    ("p.xyz", "", "1 2 3\n1 2 north\n", "line 2: \"z\": \"north\" is not a number"),
    ("p.xyz", "", "1 2 3x\n", "line 1: \"z\": \"3x\" is not a number"),
    ("p.xyz", "", "x y h\n1 2 3\n", "no column \"z\"; found x, y, h"),
    (
        "p.xyz",
        "",
        "X Y Z\n1 2 3\n",
        "column \"X\" is not known; did you mean \"x\"? rename it or remove it",
    ),
];

#[test]
fn what_is_wrong_with_a_cloud_is_said_with_its_place() {
    let folder = Folder::new();
    let ascii = ply("ascii", "", "") + &text();
    let binary = [ply("binary_little_endian", "", "").into_bytes(), records(false)].concat();
    let points = [pcd("binary").into_bytes(), records(false)].concat();
    let read = |path: &Path| read(PointReader::<f32>::open(path), 9);
    let rows = REFUSED.map(|(name, from, to, problem)| {
        let sound = if name == "p.ply" { ascii.clone() } else { pcd("ascii") };
        let text = if from.is_empty() { to.to_owned() } else { sound.replacen(from, to, 1) };
        (name, text.into_bytes(), problem)
    });
    folder.refuses(read, rows);
    let [of_ply, of_pcd] = ["vertices", "points"]
        .map(|what| format!("more follows the 3 {what} that the header counts"));
    let huge =
        ply("binary_little_endian", "", "").replace("vertex 3", &format!("vertex {}", u64::MAX));
    folder.refuses(
        read,
        [
            (
                "p.ply",
                binary[..binary.len() - 1].to_vec(),
                "truncated: vertex 2 of 3 is incomplete",
            ),
            ("p.ply", [&binary[..], b"x"].concat(), &of_ply),
            ("p.pcd", points[..points.len() - 1].to_vec(), "truncated: point 2 of 3 is incomplete"),
            ("p.pcd", [&points[..], b"x"].concat(), &of_pcd),
            ("p.xyz", "1 ".repeat(1 << 20).into(), "line 1: longer than 1048576 bytes"),
            // A header that promises much costs no memory.
            (
                "p.ply",
                [huge.into_bytes(), records(false)].concat(),
                &format!("truncated: vertex 3 of {} is incomplete", u64::MAX),
            ),
        ],
    );
    let files = [
        ("p.ply", ascii.into_bytes()),
        ("p.ply", binary),
        ("p.pcd", points),
        ("p.xyz", b"1 2 3\n4 5 6\n".to_vec()),
    ];
    flip_bytes(files, 200, |name, bytes| {
        let _ = read(&folder.file(name, bytes));
    });
}

/// What is written is read: to the last bit, and of LAS within what it says.
#[test]
fn clouds_are_written_in_every_format_and_read_back() {
    let folder = Folder::new();
    let survey: Vec<[f32; 3]> = (0..20_000)
        .map(|row| row as f32)
        .map(|row| [4.5e5 + 0.25 * row, 5.2e6 - 0.5 * row, 0.001 * row * row])
        .collect();
    for points in [&survey[..], &POINTS, &survey[7..8], &[[0.0; 3]], &[]] {
        for name in ["cloud.ply", "cloud.pcd", "cloud.xyz", "cloud.las", "cloud.laz"] {
            let path = folder.path(name);
            let mut writer = CloudWriter::create(&path).expect("a file");
            points.chunks(7000).for_each(|some| writer.write(some).expect("written"));
            writer.finish().expect("finished");
            let (read, ids, ignored) = read(PointReader::<f32>::open(&path), 900).expect(name);
            let is_las = name.contains("la");
            assert!(ids.is_none() && read.len() == points.len(), "{name}");
            assert_eq!(
                ignored.first().map(String::as_str),
                is_las.then_some("intensity"),
                "{name}"
            );
            let farthest =
                points.iter().flatten().fold(0.0_f32, |farthest, x| farthest.max(x.abs()));
            let extent = (0..3).fold(0.0_f32, |extent, axis| {
                let of_axis = || points.iter().map(|point| point[axis]);
                let [least, most] = [of_axis().reduce(f32::min), of_axis().reduce(f32::max)];
                extent.max(most.unwrap_or(0.0) - least.unwrap_or(0.0))
            });
            for axis in 0..3 {
                for (point, read) in points.iter().zip(&read) {
                    // Half of the scale that LAS has, of whichever reason, and then what f32
                    // rounds.
                    let scale =
                        (farthest.next_up() - farthest).min(1e-3).max(extent / (1 << 28) as f32);
                    let most = 0.5 * scale + point[axis].abs() * f32::EPSILON;
                    let most = if is_las { most } else { 0.0 };
                    assert!(
                        (point[axis] - read[axis]).abs() <= most,
                        "{name}: {point:?}, {read:?}"
                    );
                }
            }
        }
    }
    let small = std::fs::metadata(folder.path("cloud.laz")).expect("a file").len();
    assert!(small < 1000, "{small}");
    for (name, format) in [("x.las", CloudFormat::Ply), ("x.ply", CloudFormat::Laz)] {
        let path = folder.path(name);
        let writer = CloudWriter::<f32>::create_as(&path, format).expect("a file");
        writer.finish().expect("finished");
        let begins = if format == CloudFormat::Ply { &b"ply"[..] } else { b"LASF" };
        let bytes = std::fs::read(&path).expect("a file");
        assert!(bytes.starts_with(begins));
        assert!(
            format == CloudFormat::Ply || bytes[179..227].iter().all(|byte| *byte == 0),
            "bounds"
        );
    }
    let mut writer = CloudWriter::create(&folder.path("nan.las")).expect("a file");
    writer.write(&[[0.0, f32::INFINITY, 0.0]]).expect("written");
    let error = writer.finish().expect_err("not finite").to_string();
    assert!(error.ends_with("nan.las: a point is not finite, which LAS cannot hold"), "{error}");
}

/// The scales, offsets and box of a LAS file, as its header has them at bytes 131, 155 and 179
/// (ASPRS LAS 1.4, table 3).
fn numbers_of_las(path: &std::path::Path) -> [[f64; 3]; 2] {
    let bytes = std::fs::read(path).expect("a file");
    let number = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    [131, 155].map(|at| [0, 8, 16].map(|next| number(at + next)))
}

/// Offsets are whole numbers nearby.
#[test]
fn scales_of_las_are_a_millimetre_or_what_f32_needs() {
    let folder = Folder::new();
    let near = [[0.25_f32, -0.5, 0.0], [0.75, 0.5, 1e-17], [0.5, 0.7, 0.0]];
    let at = |origin: [f32; 3], size: f32| {
        near.map(|p| [0, 1, 2].map(|axis| origin[axis] + size * p[axis]))
    };
    for (points, scale, offset) in [
        (at([0.0; 3], 1.0), 1e-8, [1.0, 0.0, 0.0]),
        (at([0.0; 3], 100.0), 1e-6, [50.0, 10.0, 0.0]),
        (at([0.0; 3], 1e4), 1e-4, [5000.0, 1000.0, 0.0]),
        (at([4.5e5, 5.2e6, 80.0], 100.0), 1e-3, [450_050.0, 5_200_010.0, 80.0]),
        (at([0.0; 3], 1e8), 1e-1, [50_000_000.0, 10_000_000.0, 0.0]),
        ([[0.0; 3]; 3], 1e-3, [0.0; 3]),
    ] {
        let path = folder.cloud("scales.las", &points);
        let [scales, offsets] = numbers_of_las(&path);
        assert_eq!((scales.map(|x| x as f32), offsets), ([scale; 3], offset), "{points:?}");
    }
}

/// Of LAS 1.4 format 6 a point has its returns in the four lowest and the four highest bits of byte
/// 14.
#[test]
fn returns_of_pulses_are_numbered_in_las() {
    let folder = Folder::new();
    for returns in [[[1, 1], [2, 2], [1, 5]], [[1, 1], [2, 6], [15, 15]]] {
        for name in ["returns.laz", "returns.las"] {
            let path = folder.cloud_of(name, &POINTS, &returns).expect("written");
            assert_eq!(points(&path).expect("points").len(), 3);
        }
        let bytes = std::fs::read(folder.path("returns.las")).expect("a file");
        assert_eq!(bytes[104], 6);
        let (start, length) = layout(&bytes);
        for (row, [number, count]) in returns.into_iter().enumerate() {
            let found = bytes[start + row * length + 14];
            assert_eq!([found & 15, found >> 4].map(u32::from), [number, count], "{returns:?}");
        }
    }
    for (refused, said) in
        [([[0, 1]; 3], "return 0 of 1"), ([[3, 2]; 3], "3 of 2"), ([[1, 16]; 3], "1 of 16")]
    {
        let error = folder.error_of("x.las", folder.cloud_of("x.las", &POINTS, &refused));
        assert_reads(&error, &format!("…{said}…LAS numbers them from 1 to 15 at most"));
    }
}

#[test]
fn a_damaged_las_file_is_an_error_and_no_panic() {
    let folder = Folder::new();
    let path = folder.path("cloud.las");
    for name in ["cloud.las", "cloud.laz"] {
        let bytes = std::fs::read(folder.cloud(name, &[POINTS; 40].concat())).expect("a file");
        let piped = PointReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes.clone()));
        assert_eq!(read(piped, 50).expect(name).0.len(), 120);
        for length in (0..bytes.len()).step_by(bytes.len() / 40) {
            // Of LAS 1.2 format 0 a point has 20 bytes, behind a header of 227.
            let place = match length.checked_sub(227) {
                Some(points) if name == "cloud.las" => {
                    format!("point {} of 120 is incomplete", points / 20)
                }
                _ => {
                    format!(
                        "it ends at byte {length}, before its header or its table of chunks is complete"
                    )
                }
            };
            let cut = bytes[..length].to_vec();
            folder.refuses(points, [("cut.las", cut, format!("truncated: {place}"))]);
        }
        flip_bytes([((), bytes)], 300, |(), bytes| {
            let _ = points(&folder.file("flipped.las", bytes));
        });
    }
    // Without the table of chunks at the end, a LAZ file ends within its points.
    let many: Vec<[f32; 3]> = (0..100_000_u64)
        .map(|row| [row * 7919 % 1000, row * 104_729 % 977, row % 31].map(|x| x as f32))
        .collect();
    let mut bytes = std::fs::read(folder.cloud("many.laz", &many)).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 3000].fill(0xff);
    match read(PointReader::open(&folder.file("many.laz", &bytes)), 900) {
        Ok(_) => {}
        Err(error) => assert!(error.to_string().contains(" among the points "), "{error}"),
    }

    let mut bytes = std::fs::read(path).expect("a file");
    // The number of points, as LAS 1.2 has it.
    bytes[107..111].copy_from_slice(&u32::MAX.to_le_bytes());
    let path = folder.file("huge.las", bytes);
    let message = folder.error_of("huge.las", read(PointReader::<f32>::open(&path), usize::MAX));
    assert!(message.starts_with("huge.las: "), "{message}");
}
