//! Texts of rays and points as other programs write them: separators, ends of lines, marks, and a
//! count before the points.

use crate::folder::Folder;
use crate::support::points;
use lanecast_io::{Error, PointReader, RayChunk, RayReader, read_values};
use std::path::Path;

const POINTS: [[f32; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]];

#[test]
fn columns_may_stand_between_commas_semicolons_or_tabs() {
    let folder = Folder::new();
    for separator in [",", ";", "\t"] {
        for (head, first) in [
            ("x y z", "1 2 3"),
            ("\"x\" \"y\" \"z\"", "\"1\" 2 3"),
            ("_x _\"y\" __\"z\"", "1 _\"2\" _3"),
            ("_\"x\" _\"y\"_ \"z\" \"a, b; c\t\"", "1 _2_ \"3\" _\"a,\n_\"\"b; c\t\"\"\""),
            ("note x y z", "_\"\"\"\" 1 2 3"),
        ] {
            let more = ["a", "note"].iter().position(|name| head.contains(name));
            let second = ["4 5 6.5 7", "7 4 5 6.5"].get(more.unwrap_or(9)).unwrap_or(&"4 5 6.5");
            for mark in ["", "\u{feff}"] {
                for end in ["\n", "\r\n", "\r"] {
                    let text = [head, first, second, ""]
                        .map(|line| line.replace(' ', separator).replace('_', " "));
                    let text = format!("{mark}{}", text.join(end));
                    let read = points(&folder.file("p.csv", &text)).expect(&text);
                    assert_eq!(read, POINTS, "{text:?}");
                    let name = if head.contains('"') { "y" } else { "z" };
                    let values = read_values(&folder.path("p.csv"), Some(name)).expect(&text);
                    assert_eq!(
                        values,
                        if name == "y" { [2.0, 5.0] } else { [3.0, 6.5] },
                        "{text:?}"
                    );
                }
            }
        }
    }
    // A comma within numbers is none of another table.
    let text = b"x;y;z\n1,5;2;3\n".to_vec();
    folder.refuses(points, [("p.csv", text, "line 2: column \"x\": \"1,5\" is not a number")]);
    // An open quote does not swallow a column of values.
    let text = b"x,note\n1,a\n2,\"b\n3,c\n".to_vec();
    let read = |path: &Path| read_values(path, Some("x"));
    folder.refuses(read, [("v.csv", text, "line 3: a quote is not closed")]);
}

#[test]
fn a_line_of_xyz_ends_in_any_way() {
    let folder = Folder::new();
    for end in ["\r", "\n", "\r\n"] {
        for text in [
            "1 2 3\n4 5 6.5\n",
            "# a\n1 2 3\n\n# b\n4 5 6.5",
            "x y z\n1 2 3\n//\n4 5 6.5\n",
            "2\n1 2 3\n4 5 6.5\n",
        ] {
            let text = text.replace('\n', end);
            assert_eq!(points(&folder.file("p.xyz", &text)).expect(&text), POINTS, "{text:?}");
        }
        let text = "# a\n\n1 2 3\n1 2\n".replace('\n', end);
        let problem = "line 4: 2 values, but the first line has 3";
        folder.refuses(points, [("p.xyz", text.into_bytes(), problem)]);
    }
    // A remark does not go beyond its line.
    assert_eq!(points(&folder.file("p.xyz", "# a\r1 2 3\n4 5 6.5\r\n")).expect("points"), POINTS);
}

/// A byte behind the header may be that of a line's end.
#[test]
fn a_header_of_a_cloud_ends_its_lines_in_any_way() {
    let folder = Folder::new();
    // Its first byte is that of `\n`.
    let first = f32::from_le_bytes(*b"\n\r\n\r");
    let data: Vec<u8> = [first, 2.0, 3.0].into_iter().flat_map(f32::to_le_bytes).collect();
    let ply = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
               property float z\nend_header\n";
    let pcd = "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 1\nHEIGHT 1\nDATA binary\n";
    for (name, head) in [("p.ply", ply), ("p.pcd", pcd)] {
        for end in ["\n", "\r\n", "\r"] {
            let bytes = [head.replace('\n', end).as_bytes(), &data].concat();
            let path = folder.file(name, &bytes);
            assert_eq!(points(&path).expect(name), [[first, 2.0, 3.0]], "{name} {end:?}");
            let piped = PointReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes));
            assert_eq!(piped.expect(name).total(), Some(1));
        }
    }
}

#[test]
fn a_count_before_the_points_is_that_of_the_points() {
    let folder = Folder::new();
    let text = "2\n1 2 3 9\n4 5 6.5 9\n";
    for name in ["p.xyz", "p.asc", "p.pts", "p.txt", "P.TXT"] {
        let path = folder.file(name, text);
        assert_eq!(points(&path).expect(name), POINTS, "{name}");
        assert_eq!(PointReader::<f32>::open(&path).expect(name).total(), Some(2));
    }
    assert_eq!(points(&folder.file("p.pts", "0\n")).expect("none"), [[0.0; 3]; 0]);
    let rows = [
        ("3\n1 2 3\n4 5 6.5\n", "line 3: truncated: the first line counts 3 points, 2 are there"),
        ("1\n1 2 3\n4 5 6.5\n", "line 3: more follows the 1 points that the first line counts"),
        ("2\n", "line 1: truncated: the first line counts 2 points, 0 are there"),
        ("1\n1 2 3\n1\n1 2 3\n", "line 3: more follows the 1 points that the first line counts"),
    ];
    folder.refuses(points, rows.map(|(text, problem)| ("p.pts", text.into(), problem)));
    let unknown = "unknown ray format \".txt\"…";
    folder.refuses(RayReader::<f32>::open, [("r.txt", text.into(), unknown)]);
}

fn rays(reader: Result<RayReader, Error>) -> Result<usize, Error> {
    let mut chunk = RayChunk::default();
    reader?.next_chunk(9, &mut chunk).map(|_| chunk.rays.len())
}

#[test]
fn text_in_utf_16_is_called_so() {
    let folder = Folder::new();
    for mark in ["", "\u{feff}"] {
        for big_endian in [false, true] {
            let bytes = |text: &str| -> Vec<u8> {
                let text = format!("{mark}{text}");
                let units = text.encode_utf16();
                units
                    .flat_map(
                        |unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() },
                    )
                    .collect()
            };
            let said = "it is text in UTF-16; save it as UTF-8";
            for name in ["p.csv", "p.xyz", "p.txt", "p.ply", "p.pcd"] {
                folder.refuses(points, [(name, bytes("x,y,z\r\n1,2,3\r\n"), said)]);
            }
            let table = bytes("ox,oy,oz,dx,dy,dz\n1,2,3,4,5,6\n");
            let piped = RayReader::<f32>::from_reader("pipe", std::io::Cursor::new(table));
            assert_eq!(rays(piped).expect_err("UTF-16").to_string(), format!("pipe: {said}"));
        }
    }
}

#[test]
fn the_vertices_of_a_text_may_span_lines_and_are_all_counted() {
    let folder = Folder::new();
    let ply = |body: &str| {
        let head = "ply\nformat ascii 1.0\nelement camera 1\nproperty float f\nproperty list uchar float k\n\
                    element vertex 2\nproperty float x\nproperty float y\nproperty float z\n\
                    element face 1\nproperty list uchar int vertex_indices\nproperty int group\nend_header\n";
        head.to_owned() + body
    };
    for body in
        ["0 2 1 1\n1 2 3\n4 5 6.5\n3 0 1 1 9\n", "0\n2 1\n1\n1\n2 3\n4 5\n\n6.5\n3 0\n1 1\n9\n\n"]
    {
        let path = folder.file("p.ply", ply(body));
        assert_eq!(points(&path).expect(body), POINTS, "{body:?}");
    }
    let rows = [
        ("0 0\n1 2 3\n4 5 6.5\n7 8 9\n3 0 1 1 9\n", "truncated: face 0 of 1 is incomplete"),
        (
            "0 0\n1 2 3\n4 5 6.5\n2 8 9 1\n3 0 1 1 9\n",
            "more follows the 2 vertices that the header counts",
        ),
        (
            "0 0\n1 2 3\n4 5 6.5\n.5 8 9\n3 0 1 1 9\n",
            "line 17: face: \".5\" is not the length of a list",
        ),
        ("0 0\n1 2 3\n4 5 6.5\n3 0 1 1 9 9\n", "line 17: more values than a face has"),
        ("0 0\n1 2 3\n4 5 6.5\n3 0 1 1\n", "truncated: face 0 of 1 is incomplete"),
        ("0 0\n1 2\n3 4 5\n6.5 1 2 3\n3 0 1 1 9\n", "line 16: 5 values, but the header has 3"),
    ];
    folder.refuses(points, rows.map(|(body, problem)| ("p.ply", ply(body).into_bytes(), problem)));
}
