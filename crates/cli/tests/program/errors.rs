//! A damaged file ends the program with one line, whatever the library that reads it does.

use crate::folder::Folder;
use crate::layout::section_of;
use crate::pattern::assert_reads;
use crate::support::{points, rays, shipped};
use lanecast::{Affine, Scene, SceneBuilder};
use std::sync::Arc;

/// A primitive whose positions are an accessor that does not exist: the gltf crate looks it up
/// while it checks the document, and panics.
const BAD_ACCESSOR: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}],"accessors":[]}"#;

#[test]
fn a_panic_within_a_reader_is_one_line() {
    let folder = Folder::with_cube();
    folder.file("m.gltf", BAD_ACCESSOR);
    folder.refuses([("info m.gltf", "m.gltf: malformed: …")]);
    let column = Arc::new(arrow_array::Float32Array::from(vec![1.0; 3]));
    let names = ["ox", "oy", "oz", "dx", "dy", "dz"];
    let columns = names.map(|name| (name, column.clone() as arrow_array::ArrayRef));
    let batch = arrow_array::RecordBatch::try_from_iter(columns).expect("columns of one length");
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a stream");
    writer.write(&batch).expect("a batch");
    let bytes = writer.into_inner().expect("a whole stream");

    // Among these bytes is the type of a column, and the crate panics at one it does not know.
    let mut unknown_types = 0;
    for at in 88..120 {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0xff;
        folder.file("rays.arrows", &bytes);
        let line = "cast cube.off rays.arrows -fo hits.csv";
        if folder.run(line).output().expect("a run").status.code() == Some(2) {
            unknown_types += usize::from(folder.error(line).ends_with(" not supported"));
        }
    }
    assert!(unknown_types > 0);
}

#[test]
fn a_damaged_file_is_said_to_be_and_leaves_nothing() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0,0,5,0,0,-1"));
    let mesh = "data/regress/ply-8-of-80-faces.ply";
    for line in [
        format!("info {mesh}"),
        format!("info {mesh} --json"),
        format!("cast {mesh} rays.csv -o hits.csv"),
        format!("build {mesh} -o mesh.scene"),
    ] {
        let expected = "…ply-8-of-80-faces.ply: 80 of face are there, the header counts 8";
        folder.refuses([(line, expected)]);
    }
    for name in ["arrow-batch-removed.arrow", "arrow-zeroed-length.arrow", "npy-falso.npy"] {
        let line = format!("cast cube.off data/regress/{name} -o h.csv");
        folder.refuses([(line, format!("{}: …", shipped("regress").join(name).display()))]);
    }
    assert_eq!(folder.names(), ["cube.off", "rays.csv"]);
}

/// A scene of two triangles in the plane z = 0 and, if that is wanted, such a scene placed in one,
/// whose leaf names triangles of numbers from 1000 on.
fn of_numbers_too_large(folder: &Folder, name: &str, geometries: usize, placed: bool) {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut builder = SceneBuilder::new();
    for _ in 0..geometries {
        builder = builder.triangle_mesh(&vertices, &[[0, 1, 2], [0, 2, 3]]).expect("a mesh");
    }
    let mut scene = builder.build().expect("a scene");
    if placed {
        let place = Affine::translation([0.0; 3]);
        scene = SceneBuilder::new().instance(&Arc::new(scene), place).build().expect("a scene");
    }
    scene.save(folder.path(name)).expect("written");
    let mut bytes = folder.bytes(name);
    let leaf = section_of(&bytes, "triangles", u32::from(placed));
    assert_eq!(leaf.len(), 320);
    for number in bytes[leaf.end - 32..leaf.end].chunks_exact_mut(4) {
        let there = u32::from_ne_bytes(number.try_into().expect("four bytes"));
        if there != u32::MAX {
            number.copy_from_slice(&(1000 + there).to_ne_bytes());
        }
    }
    folder.file(name, bytes);
}

#[test]
fn a_hit_on_a_triangle_that_does_not_exist_is_refused() {
    let folder = Folder::new();
    folder.file("rays.csv", rays("5,5,5,0,0,-1 0.75,0.25,5,0,0,-1"));
    folder.file("miss.csv", rays("5,5,5,0,0,-1"));
    folder.file("points.csv", points("0.75,0.25,1"));
    folder.file("seen.csv", points("0.75,0.25,-1"));
    for (name, geometries, placed) in
        [("one.scene", 1, false), ("two.scene", 2, false), ("placed.scene", 1, true)]
    {
        of_numbers_too_large(&folder, name, geometries, placed);
        let last = geometries - 1;
        let damaged = format!("{name}: damaged: a leaf names primitive …");
        let expected = format!("{damaged} of geometry {last}, which has 2; build the scene anew");
        let section = if placed { "triangles 1" } else { "triangles" };
        let whole = format!("{name}: damaged: {section}: the checksum is wrong");
        let down = "--at 0.75,0.25,1 --elevations -90,-90 -o answers.csv";
        folder.refuses([
            (format!("cast {name} rays.csv -o answers.csv"), &expected),
            (format!("cast {name} rays.csv -o answers.csv --query line"), &expected),
            (format!("cast {name} rays.csv -o answers.csv --query all"), &expected),
            (format!("points {name} points.csv -o answers.csv"), &expected),
            (format!("lidar {name} {down}"), &expected),
            (format!("lidar {name} {down} --format ply"), &expected),
            (format!("sight {name} points.csv seen.csv -o answers.csv"), &expected),
            (format!("info {name}"), &whole),
            // Vertices of a scene file are read as a whole.
            (format!("sight {name} {name} points.csv -o answers.npy"), &whole),
        ]);
        // Who meets nothing there is answered.
        folder.output(&format!("cast {name} miss.csv -o -"));
    }
    assert!(folder.names().iter().all(|name| !name.starts_with("answers")), "{:?}", folder.names());
}

#[test]
fn an_undamaged_scene_file_answers_whatever_is_placed_in_it() {
    let folder = Folder::new();
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]; 3]).expect("a scene"));
    let at = |z| Affine::translation([0.0, 0.0, z]);
    let pair = SceneBuilder::new().instance(&leaf, at(0.0)).instance(&leaf, at(1.0)).build();
    let pair = Arc::new(pair.expect("a scene"));
    let nest = SceneBuilder::new().triangle_mesh(&vertices, &[[0, 1, 2]]).expect("a mesh");
    let nest = nest.instance(&pair, at(4.0)).instance(&leaf, at(8.0)).build();
    nest.and_then(|nest| nest.save(folder.path("nest.scene"))).expect("written");
    folder.file("rays.csv", rays("0.25,0.25,-1,0,0,1"));
    let hits = folder.output("cast nest.scene rays.csv -o - --query all");
    assert_eq!(hits.lines().count(), 1 + 1 + 3 + 3 + 3, "{hits}");
}

#[test]
fn a_line_break_in_a_name_is_none_in_an_error() {
    let folder = Folder::with_cube();
    let mut cast = folder.run("cast cube.off rays.csv -o");
    let line = crate::support::error_line(cast.arg("a\nb.foo"));
    assert_reads(&line, r"a\nb.foo: unknown hit format…");
}

#[test]
fn an_error_line_repeats_200_characters_at_most() {
    let folder = Folder::with_cube();
    let long = "q".repeat(50_000);
    folder.file("rays.csv", rays(&format!("0,0,0,0,0,{long}")));
    let pose = format!("time,x,y,z,qx,qy,qz,qw\n0,0,0,{long},0,0,0,1\n");
    folder.file("poses.csv", pose);
    for line in [
        "cast cube.off rays.csv -o hits.csv",
        "lidar cube.off --poses poses.csv -o cloud.ply",
        "info LONG",
        "cast m.ply r.csv -o h.csv --query LONG",
        "info m.ply --backend LONG",
        "render m.ply -o p.png --size LONG",
        "LONG",
        "info --LONG",
        "bench",
        "info LONG.scene",
    ] {
        let mut command = folder.run(&line.replace("LONG", &long));
        if line == "bench" {
            command.env("LANECAST_BACKEND", &long);
        }
        // All other words have no q but in the name of an option.
        let mut found = crate::support::error_line(&mut command);
        for word in ["--query <QUERY>", "unrecognized", "required"] {
            found = found.replace(word, "");
        }
        let repeated = found.chars().filter(|x| *x == 'q').count();
        assert!((150..=200).contains(&repeated), "{line}: {repeated} of {found}");
    }
}
