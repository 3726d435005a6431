//! Files as others write them: ends of lines, marks of encodings, words on other lines, what is no
//! number.

use super::files::{
    OFF, ascii_stl, assert_is_the_mesh, binary_ply, binary_stl, corners, expected_corners, text_of,
};
use super::sound::split_ply;
use crate::folder::Folder;
use crate::pattern::assert_reads;

const TEXTS: [&str; 4] = ["m.obj", "m.off", "m.ply", "m.stl"];

#[track_caller]
fn holds_the_mesh(folder: &Folder, name: &str, bytes: impl AsRef<[u8]>) {
    if name == "m.stl" {
        let meshes = folder.meshes(name, bytes).unwrap();
        assert_eq!(meshes.iter().flat_map(corners).collect::<Vec<_>>(), expected_corners());
    } else {
        assert_is_the_mesh(&folder.only_mesh(name, bytes));
    }
}

#[test]
fn lines_end_with_cr_alone_in_every_text_format() {
    let folder = Folder::new();
    for end in ["\r", "\r\n", "\r\r\n"] {
        let ended = |text: String| text.replace("\r\n", "\n").replace('\n', end);
        for name in TEXTS {
            // A blank line, which twice CR would be, is none of a header.
            if (name, end) != ("m.ply", "\r\r\n") {
                holds_the_mesh(&folder, name, ended(text_of(name)));
            }
        }
        // Lines count as before.
        for (name, from, to, problem) in [
            ("m.stl", "vertex 1 0", "vertex 1 abc", "line 5: \"abc\" is not a number"),
            ("m.obj", "f -5 -4 -1", "f -5 -4 x", "line 14: face: \"x\" is not a whole number"),
        ] {
            let bad = ended(text_of(name).replacen(from, to, 1));
            assert_eq!(folder.mesh_error(name, bad), format!("{name}: {problem}"), "{end:?}");
        }
    }
}

/// Behind a header of CR alone an LF is the first byte of the first vertex.
#[test]
fn a_binary_body_may_begin_with_an_lf() {
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty uchar y\n\
                property uchar z\nend_header\n";
    let folder = Folder::new();
    for end in ["\r", "\n", "\r\n"] {
        let bytes = [head.replace('\n', end).as_bytes(), b"\n\r\n"].concat();
        assert_eq!(folder.only_mesh("m.ply", bytes).vertices, [[10.0, 13.0, 10.0]], "{end:?}");
    }
    let whole = binary_ply(false, false);
    let at = whole.windows(11).position(|part| part == b"end_header\n").unwrap() + 11;
    let (header, body) = whole.split_at(at);
    let header = String::from_utf8(header.to_vec()).unwrap().replace('\n', "\r");
    assert_is_the_mesh(&folder.only_mesh("m.ply", [header.as_bytes(), body].concat()));
}

#[test]
fn a_byte_order_mark_is_passed_over_and_utf_16_read() {
    let folder = Folder::new();
    let encoded = |text: &str| -> [Vec<u8>; 3] {
        let units = format!("\u{feff}{text}");
        let wide = |bytes: fn(u16) -> [u8; 2]| units.encode_utf16().flat_map(bytes).collect();
        [units.clone().into_bytes(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)]
    };
    for name in TEXTS {
        encoded(&text_of(name)).iter().for_each(|bytes| holds_the_mesh(&folder, name, bytes));
    }
    for bytes in encoded(r#"{"asset":{"version":"2.0"}}"#) {
        assert_eq!(folder.meshes("m.gltf", bytes).unwrap(), vec![]);
    }
    let [_, wide, _] = encoded("v 0 0 0\no Döner\nf 1 1 1\n");
    assert_eq!(folder.only_mesh("m.obj", wide).name, "Döner");
    // The header of a binary STL is any 80 bytes.
    for mark in [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"] {
        let mut bytes = binary_stl("");
        bytes[..mark.len()].copy_from_slice(mark);
        assert_eq!(corners(&folder.only_mesh("m.stl", bytes)), expected_corners());
    }
}

#[test]
fn words_of_a_text_stl_stand_on_whatever_lines() {
    let folder = Folder::new();
    let text = ascii_stl().replace('\r', "");
    let held = |text: &str| -> Vec<_> {
        let meshes = folder.meshes("m.stl", text).unwrap();
        meshes.into_iter().map(|mesh| (mesh.name.clone(), corners(&mesh))).collect()
    };
    let [first, second] = [&expected_corners()[..2], &expected_corners()[2..]];
    let expected = [("m".to_owned(), first.to_vec()), ("b".to_owned(), second.to_vec())];
    for text in [
        text.clone(),
        // All on one line, but for the end of a name; and each facet on one.
        text.replace('\n', " "),
        text.replace("\n  ", " ").replace("\n e", " e"),
        // Each word on a line of its own, but for names.
        text.replace(' ', "\n").replace("SOLID\n", "SOLID "),
        text.replace("endfacet", "end facet").replace("endsolid", "End Solid x"),
        text.replace("0 0 nan", "-nan(ind) -1.#IND 1.#QNAN"),
        text.replace("0 0 nan", "nan NaN inf"),
        text.replace("0 0 nan", ""),
        text.replace("0 0 nan", "1 0"),
    ] {
        assert_eq!(held(&text), expected, "{text}");
    }
    // Comments, and names that hold what looks like one.
    let named =
        text.replacen("solid", "# x\nsolid Part#1 # 2", 1).replace("endloop", "endloop # done");
    assert_eq!(held(&named[4..])[0].0, "Part#1 # 2");
    let facet =
        "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet";
    let two = format!("solid facet {facet} endsolid facet solid b {facet} endsolid b");
    let found = held(&two);
    let counts: Vec<_> = found.iter().map(|(name, corners)| (&name[..], corners.len())).collect();
    assert_eq!(counts, [("facet", 1), ("b", 1)]);
}

#[test]
fn elements_of_a_text_ply_go_on_in_the_next_line() {
    let (head, body) = split_ply();
    let spread = body.replace("255 ", "255\n\n").replace("4 0 1 ", "4 0\n1\n");
    assert_is_the_mesh(&Folder::new().only_mesh("m.ply", head + &spread));
}

#[test]
fn positions_that_are_no_numbers_may_be_unused() {
    let folder = Folder::new();
    for (wild, shown) in [
        ("-nan(ind)", "NaN"),
        ("nan(0x8000)", "NaN"),
        ("-1.#IND", "NaN"),
        ("1.#QNAN0", "NaN"),
        ("-1.#INF", "-inf"),
    ] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 0 {wild} 0\nv 0 1 0\nf 1 2 4\n");
        assert_eq!(folder.only_mesh("m.obj", &text).unusable_vertices, [2], "{wild}");
        let error = folder.mesh_error("m.obj", text.replace("f 1 2 4", "f 1 2 3"));
        assert_reads(&error, &format!("…which a face names, is [0.0, {shown}, 0.0]…"));
    }
}

#[test]
fn the_keyword_of_an_off_may_touch_the_first_count() {
    let text = OFF.replace("OFF # comment\n5 2 0", "OFF5 2 0");
    assert_is_the_mesh(&Folder::new().only_mesh("m.off", &text));
}
