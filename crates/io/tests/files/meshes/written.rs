//! Files as others write them: ends of lines, marks of encodings, words on other lines, what is no
//! number.

use super::files::{
    OBJ, OFF, ONE_NODE, ascii_ply, ascii_stl, assert_is_the_mesh, binary_ply, binary_stl, corners,
    expected_corners, glb, gltf, gltf_buffer,
};
use crate::folder::Folder;

fn texts() -> [(&'static str, String); 3] {
    [
        ("m.obj", OBJ.to_owned()),
        ("m.off", OFF.to_owned()),
        ("m.ply", ascii_ply("float", "uchar int vertex_indices")),
    ]
}

#[test]
fn lines_end_with_cr_alone_in_every_text_format() {
    let folder = Folder::new();
    for end in ["\r", "\r\n", "\r\r\n"] {
        for (name, text) in texts() {
            // A blank line, which twice CR would be, is none of a header.
            if (name, end) != ("m.ply", "\r\r\n") {
                assert_is_the_mesh(&folder.only_mesh(name, text.replace('\n', end)));
            }
        }
        let text = ascii_stl().replace("\r\n", "\n").replace('\n', end);
        let meshes = folder.meshes("m.stl", &text).unwrap();
        assert_eq!(meshes.iter().flat_map(corners).collect::<Vec<_>>(), expected_corners());
        // Lines count as before.
        let bad = text.replacen("vertex 1 0", "vertex 1 abc", 1);
        assert_eq!(folder.mesh_error("m.stl", bad), "m.stl: line 5: \"abc\" is not a number");
        let bad = OBJ.replace("f -5 -4 -1", "f -5 -4 x").replace('\n', end);
        assert_eq!(
            folder.mesh_error("m.obj", bad),
            "m.obj: line 14: face: \"x\" is not a whole number"
        );
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
    for (name, text) in texts() {
        for bytes in encoded(&text) {
            assert_is_the_mesh(&folder.only_mesh(name, bytes));
        }
    }
    for bytes in encoded(&ascii_stl()) {
        let meshes = folder.meshes("m.stl", bytes).unwrap();
        assert_eq!(meshes.iter().flat_map(corners).collect::<Vec<_>>(), expected_corners());
    }
    for bytes in encoded(r#"{"asset":{"version":"2.0"}}"#) {
        assert_eq!(folder.meshes("m.gltf", bytes).unwrap(), vec![]);
    }
    let names = folder.meshes("m.obj", encoded("v 0 0 0\no Döner\nf 1 1 1\n")[1].clone()).unwrap();
    assert_eq!(names[0].name, "Döner");
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
    let expected: Vec<_> = [("m", &expected_corners()[..2]), ("b", &expected_corners()[2..])]
        .map(|(name, corners)| (name.to_owned(), corners.to_vec()))
        .to_vec();
    let held = |text: String| -> Vec<_> {
        let meshes = folder.meshes("m.stl", text).unwrap();
        meshes.into_iter().map(|mesh| (mesh.name.clone(), corners(&mesh))).collect()
    };
    assert_eq!(held(text.clone()), expected);
    // All on one line, but for the end of a name; and each facet on one.
    assert_eq!(held(text.replace('\n', " ")), expected);
    assert_eq!(held(text.replace("\n  ", " ").replace("\n e", " e")), expected);
    // Each word on a line of its own, but for names.
    let words = text.replace(' ', "\n").replace("SOLID\n", "SOLID ");
    assert_eq!(held(words), expected);
    assert_eq!(
        held(text.replace("endfacet", "end facet").replace("endsolid", "End Solid x")),
        expected
    );
    // Comments, and names that hold what looks like one.
    let named =
        text.replacen("solid", "# x\nsolid Part#1 # 2", 1).replace("endloop", "endloop # done");
    assert_eq!(held(named[4..].to_owned())[0].0, "Part#1 # 2");
    for normal in ["-nan(ind) -1.#IND 1.#QNAN", "nan NaN inf", "", "1 0"] {
        assert_eq!(held(text.replace("0 0 nan", normal)), expected);
    }
    let facet =
        "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet";
    let model = folder
        .meshes("m.stl", format!("solid facet {facet} endsolid facet solid b {facet} endsolid b"))
        .unwrap();
    let names: Vec<_> = model.iter().map(|mesh| (&mesh.name[..], mesh.triangles.len())).collect();
    assert_eq!(names, [("facet", 1), ("b", 1)]);
}

#[test]
fn elements_of_a_text_ply_go_on_in_the_next_line() {
    let folder = Folder::new();
    let text = ascii_ply("float", "uchar int vertex_indices");
    let (head, body) = text.split_once("end_header\n").unwrap();
    let spread = body.replace("255 ", "255\n\n").replace("4 0 1 ", "4 0\n1\n");
    assert_is_the_mesh(&folder.only_mesh("m.ply", format!("{head}end_header\n{spread}")));
    // A value more or less is an error of the line on which the element begins.
    let at = |text: String| folder.mesh_error("m.ply", format!("{head}end_header\n{text}"));
    let line = head.lines().count() + 2;
    assert_eq!(
        at(body.replacen("0 0 255 0.0", "0 0 255", 1)),
        format!("m.ply: line {line}: vertex 0 of 5: \"0 0 255\" does not give its properties")
    );
    assert_eq!(
        at(body.replacen("0 0 255 0.0", "0 0 255 0.0 9", 1)),
        format!("m.ply: line {line}: vertex 0 of 5: \"9\" after its properties")
    );
}

#[test]
fn names_of_an_obj_end_with_their_line() {
    let folder = Folder::new();
    let vertices = "v 0 0 0 # first\nv 1 0 0#second\nv 0 1 0\n";
    // A name that ends in a backslash does not take the face behind it.
    let meshes = folder
        .meshes(
            "m.obj",
            format!(
                "{vertices}mtllib C:\\maps\\\nusemtl C:\\maps\\\nf 1 2 3 # face\nusemtl a#b\nf 1 2 \\\n3\n"
            ),
        )
        .unwrap();
    let names: Vec<_> = meshes.iter().map(|mesh| (&mesh.name[..], mesh.triangles.len())).collect();
    assert_eq!(names, [("C:\\maps\\", 1), ("a#b", 1)]);
}

#[test]
fn positions_that_are_no_numbers_are_named_if_a_face_uses_them() {
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
        assert!(error.contains(&format!("which a face names, is [0.0, {shown}, 0.0]")), "{error}");
    }
    for word in ["1.#IXY", "nan(", "ind", "-"] {
        let error = folder.mesh_error("m.obj", format!("v 0 {word} 0\n"));
        assert_eq!(error, format!("m.obj: line 1: {word:?} is not a number"));
    }
}

#[test]
fn the_keyword_of_an_off_may_touch_the_first_count() {
    let folder = Folder::new();
    let text = OFF.replace("OFF # comment\n5 2 0", "OFF5 2 0");
    assert_is_the_mesh(&folder.only_mesh("m.off", &text));
    let normals = "CNOFF3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n";
    assert!(folder.only_mesh("m.off", normals).normals.is_some());
    assert_eq!(
        folder.mesh_error("m.off", text.replace("OFF5", "OFFS5")),
        "m.off: line 1: not an OFF file: it begins with \"OFFS5\""
    );
}

#[test]
fn positions_of_a_gltf_need_no_bounds() {
    let folder = Folder::new();
    let json = gltf("", ONE_NODE);
    let sound = folder.meshes("m.glb", glb(&json, &gltf_buffer())).unwrap();
    for bounds in ["", r#","min":[],"max":null"#, r#","max":[9]"#] {
        let json = json.replace(r#","min":[0,0,0],"max":[1,1,0]"#, bounds);
        assert_eq!(folder.meshes("m.glb", glb(&json, &gltf_buffer())).unwrap(), sound, "{bounds}");
    }
}

#[test]
fn nodes_that_only_other_scenes_show_are_told_of() {
    let folder = Folder::new();
    let json = gltf("", r#"[{"mesh":0},{"mesh":0,"translation":[5,0,0]}]"#)
        .replace(r#""scenes":[{"nodes":[0]}]"#, r#""scenes":[{"nodes":[0]},{"nodes":[1]}]"#);
    let model = folder.model("m.glb", glb(&json, &gltf_buffer())).unwrap();
    assert_eq!(
        model.remarks,
        ["1 primitive of points or lines left out", "1 node of other scenes left out"]
    );
}
