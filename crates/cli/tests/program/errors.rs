//! A damaged file ends the program with one line, whatever the library that reads it does.

use crate::folder::Folder;
use crate::layout::section_of;
use crate::support::{CUBE, RAY_HEADER, error_line, lanecast, output_of, shipped};
use lanecast::{Affine, Scene, SceneBuilder};
use std::path::PathBuf;
use std::sync::Arc;

/// A primitive whose positions are an accessor that does not exist: the gltf crate looks it up
/// while it checks the document, and panics.
const BAD_ACCESSOR: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}],"accessors":[]}"#;

#[test]
fn a_panic_within_a_mesh_reader_is_one_line() {
    let folder = Folder::new();
    let mesh = folder.file("m.gltf", BAD_ACCESSOR);
    let line = error_line(lanecast().arg("info").arg(&mesh));
    assert!(line.starts_with(&format!("{}: malformed: ", mesh.display())), "{line}");
}

#[test]
fn a_panic_within_a_ray_reader_is_one_line() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let column = std::sync::Arc::new(arrow_array::Float32Array::from(vec![1.0; 3]));
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
        let rays = folder.file("rays.arrows", &bytes);
        let mut command = lanecast();
        command.arg("cast").arg(&cube).arg(&rays).arg("-fo").arg(folder.path("hits.csv"));
        if command.output().expect("a run").status.code() == Some(2) {
            unknown_types += usize::from(error_line(&mut command).ends_with(" not supported"));
        }
    }
    assert!(unknown_types > 0);
}

#[test]
fn a_mesh_of_more_than_it_counts_is_refused() {
    let folder = Folder::new();
    let rays = folder.file("rays.csv", format!("{RAY_HEADER}0,0,0,5,0,0,-1\n"));
    for (name, said) in [
        ("ply-8-of-80-faces.ply", "80 of face are there, the header counts 8"),
        ("ply-dup-ascii.ply", "line 5: the property \"x\" stands there twice"),
        ("ply-dup.ply", "line 7: the property \"z\" stands there twice"),
        ("stl-count-1-of-80.stl", "80 triangles are there, the header counts 1"),
    ] {
        let mesh = shipped("regress").join(name);
        let mut commands: [_; 4] = std::array::from_fn(|_| lanecast());
        commands[0].arg("info").arg(&mesh);
        commands[1].arg("info").arg(&mesh).arg("--json");
        commands[2].arg("cast").arg(&mesh).arg(&rays).arg("-o").arg(folder.path("hits.csv"));
        commands[3].arg("build").arg(&mesh).arg("-o").arg(folder.path("mesh.scene"));
        for command in &mut commands {
            assert_eq!(error_line(command), format!("{}: {said}", mesh.display()));
        }
    }
    assert_eq!(folder.names(), ["rays.csv"]);
}

#[test]
fn rays_of_a_damaged_file_leave_no_hits() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    for name in ["arrow-batch-removed.arrow", "arrow-zeroed-length.arrow", "npy-falso.npy"] {
        let rays = shipped("regress").join(name);
        let line = error_line(
            lanecast().arg("cast").arg(&cube).arg(&rays).arg("-o").arg(folder.path("h.csv")),
        );
        assert!(line.starts_with(&format!("{}: ", rays.display())), "{line}");
    }
    assert_eq!(folder.names(), ["cube.off"]);
}

/// A scene of two triangles in the plane z = 0 and, if that is wanted, such a scene placed in one,
/// whose leaf names triangles of numbers from 1000 on.
fn of_numbers_too_large(folder: &Folder, name: &str, geometries: usize, placed: bool) -> PathBuf {
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
    let path = folder.path(name);
    scene.save(&path).expect("written");
    let mut bytes = std::fs::read(&path).expect("a file");
    let leaf = section_of(&bytes, "triangles", u32::from(placed));
    assert_eq!(leaf.len(), 320);
    for number in bytes[leaf.end - 32..leaf.end].chunks_exact_mut(4) {
        let there = u32::from_ne_bytes(number.try_into().expect("four bytes"));
        if there != u32::MAX {
            number.copy_from_slice(&(1000 + there).to_ne_bytes());
        }
    }
    std::fs::write(&path, bytes).expect("written");
    path
}

#[test]
fn a_hit_on_a_triangle_that_does_not_exist_is_refused() {
    let folder = Folder::new();
    let rays =
        folder.file("rays.csv", format!("{RAY_HEADER}0,5,5,5,0,0,-1\n1,0.75,0.25,5,0,0,-1\n"));
    let points = folder.file("points.csv", "x,y,z\n0.75,0.25,1\n");
    let sees = folder.file("sees.csv", "x,y,z\n0.75,0.25,-1\n");
    for (name, geometries, placed) in
        [("one.scene", 1, false), ("two.scene", 2, false), ("placed.scene", 1, true)]
    {
        let scene = of_numbers_too_large(&folder, name, geometries, placed);
        let mut commands: [_; 7] = std::array::from_fn(|_| lanecast());
        commands[0].arg("cast").args([&scene, &rays]);
        commands[1].arg("cast").args([&scene, &rays]).args(["--query", "line"]);
        commands[2].arg("cast").args([&scene, &rays]).args(["--query", "all"]);
        commands[3].arg("points").args([&scene, &points]);
        commands[4].arg("lidar").arg(&scene).args([
            "--at",
            "0.75,0.25,1",
            "--elevations",
            "-90,-90",
        ]);
        commands[5].arg("lidar").arg(&scene).args([
            "--at",
            "0.75,0.25,1",
            "--elevations",
            "-90,-90",
            "--format",
            "ply",
        ]);
        commands[6].arg("sight").args([&scene, &points, &sees]);
        for command in &mut commands {
            let line = error_line(command.arg("-o").arg(folder.path("answers.csv")));
            let expected = format!("{}: damaged: a leaf names primitive ", scene.display());
            let count =
                format!(" of geometry {}, which has 2; build the scene anew", geometries - 1);
            assert!(line.starts_with(&expected) && line.ends_with(&count), "{line}");
        }
        let info = error_line(lanecast().arg("info").arg(&scene));
        let section = if placed { "triangles 1" } else { "triangles" };
        assert_eq!(info, format!("{}: damaged: {section}: the checksum is wrong", scene.display()));
        // Vertices of a scene file are read as a whole.
        let line = error_line(
            lanecast()
                .arg("sight")
                .args([&scene, &scene, &points])
                .arg("-o")
                .arg(folder.path("s.npy")),
        );
        assert_eq!(line, info);
        // Who meets nothing there is answered.
        let miss = "ox,oy,oz,dx,dy,dz\n5,5,5,0,0,-1\n";
        let mut cast = lanecast();
        output_of(cast.arg("cast").arg(&scene).args(["-", "-o", "-"]).write_stdin(miss));
    }
    assert!(folder.names().iter().all(|name| !name.starts_with("answers")), "{:?}", folder.names());
}

#[test]
fn an_undamaged_scene_file_answers_whatever_is_placed_in_it() {
    let folder = Folder::new();
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]; 3]).expect("a scene"));
    let at = |z| Affine::translation([0.0, 0.0, z]);
    let pair = SceneBuilder::new()
        .instance(&leaf, at(0.0))
        .instance(&leaf, at(1.0))
        .build()
        .expect("a scene");
    let nest = SceneBuilder::new().triangle_mesh(&vertices, &[[0, 1, 2]]).expect("a mesh");
    let nest =
        nest.instance(&Arc::new(pair), at(4.0)).instance(&leaf, at(8.0)).build().expect("a scene");
    let path = folder.path("nest.scene");
    nest.save(&path).expect("written");
    let mut cast = lanecast();
    cast.arg("cast").arg(&path).args(["-", "-o", "-", "--query", "all"]);
    let hits = output_of(cast.write_stdin("ox,oy,oz,dx,dy,dz\n0.25,0.25,-1,0,0,1\n"));
    assert_eq!(hits.lines().count(), 1 + 1 + 3 + 3 + 3, "{hits}");
}

#[test]
fn a_line_break_in_a_name_is_none_in_an_error() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let output = folder.path("a\nb.foo");
    let line = error_line(lanecast().arg("cast").arg(&cube).arg("rays.csv").arg("-o").arg(&output));
    assert!(line.contains(r"a\nb.foo: unknown hit format"), "{line}");
}

#[test]
fn an_error_line_repeats_200_characters_at_most() {
    let folder = Folder::new();
    let long = "q".repeat(50_000);
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", format!("ox,oy,oz,dx,dy,dz\n0,0,0,0,0,{long}\n"));
    let poses = folder.file("poses.csv", format!("time,x,y,z,qx,qy,qz,qw\n0,0,0,{long},0,0,0,1\n"));
    let hits = folder.path("hits.csv");
    let mut commands: Vec<_> = (0..10).map(|_| lanecast()).collect();
    commands[0].arg("cast").args([&cube, &rays]).arg("-o").arg(&hits);
    commands[1]
        .arg("lidar")
        .arg(&cube)
        .arg("--poses")
        .arg(&poses)
        .arg("-o")
        .arg(folder.path("cloud.ply"));
    commands[2].args(["info", &long]);
    commands[3].args(["cast", "m.ply", "r.csv", "-o", "h.csv", "--query", &long]);
    commands[4].args(["info", "m.ply", "--backend", &long]);
    commands[5].args(["render", "m.ply", "-o", "p.png", "--size", &long]);
    commands[6].arg(&long);
    commands[7].args(["info", &format!("--{long}")]);
    commands[8].args(["bench"]).env("LANECAST_BACKEND", &long);
    commands[9].args(["info", &format!("{long}.scene")]);
    for command in &mut commands {
        // The name of the folder is random, and all other words have no q but in the name of an
        // option.
        let line = error_line(command).replace(&folder.path("").display().to_string(), "");
        let repeated =
            line.replace("--query <QUERY>", "").replace("unrecognized", "").replace("required", "");
        let repeated = repeated.chars().filter(|x| *x == 'q').count();
        assert!((150..=200).contains(&repeated), "{repeated} of {line}");
    }
}

#[test]
fn a_small_table_with_a_column_twice_is_refused() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let table = folder.file("beams.csv", "elevation,azimuth,elevation\n1,2,3\n");
    let mut lidar = lanecast();
    lidar.arg("lidar").arg(&cube).args(["--at", "0,0,5", "--beam-table"]).arg(&table);
    let line = error_line(lidar.arg("-o").arg(folder.path("cloud.ply")));
    assert_eq!(
        line,
        format!("{}: line 1: column \"elevation\" stands there twice", table.display())
    );
}

#[test]
fn bad_files_are_one_line_with_the_file_and_leave_none() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n");
    let solid = std::fs::read(shipped("gyroid.ply")).expect("the shipped solid");
    let ply = |vertex: &str, face: &str| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_indices\nend_header\n{vertex}\n1 0 0\n0 1 0\n{face}\n"
        )
    };
    let cases = [
        (folder.path("missing.ply"), rays.clone(), "missing.ply"),
        (folder.file("mesh.docx", "x"), rays.clone(), "mesh.docx"),
        (folder.file("bad_index.ply", ply("0 0 0", "3 0 1 7")), rays.clone(), "bad_index.ply"),
        (folder.file("nan_vertex.ply", ply("nan 0 0", "3 0 1 2")), rays.clone(), "nan_vertex.ply"),
        (folder.file("truncated.ply", &solid[..solid.len() / 2]), rays, "truncated.ply"),
        (cube.clone(), folder.path("missing.npy"), "missing.npy"),
        (cube.clone(), folder.file("rays.txt", "x"), "rays.txt"),
        (cube.clone(), folder.file("columns.csv", "ox,oy,oz,dx,dy\n0,0,0,0,1\n"), "columns.csv"),
        (cube.clone(), folder.file("word.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,down\n"), "word.csv"),
    ];
    let before = folder.names();
    for (mesh, rays, culprit) in cases {
        let line = error_line(
            lanecast().arg("cast").args([&mesh, &rays]).arg("-o").arg(folder.path("hits.csv")),
        );
        assert!(line.starts_with(&format!("{}: ", folder.path(culprit).display())), "{line}");
        assert_eq!(folder.names(), before, "{line}");
    }
    let rays = folder.path("rays.csv");
    let line = error_line(
        lanecast().arg("cast").args([&cube, &rays]).arg("-o").arg(folder.path("hits.docx")),
    );
    assert!(line.contains("hits.docx: ") && line.contains("npz"), "{line}");
    let line = error_line(lanecast().arg("cast").args([&cube, &rays]).args([
        "-o",
        "-",
        "--normals",
        "--query",
        "any",
    ]));
    assert!(line.starts_with("--normals: "), "{line}");
    for (flag, query) in [("--limit=2", "count"), ("--touched", "any")] {
        let line = error_line(
            lanecast().arg("cast").args([&cube, &rays]).args(["-o", "-", flag, "--query", query]),
        );
        assert!(line.starts_with(&format!("{}: only", flag.trim_end_matches("=2"))), "{line}");
    }
}
