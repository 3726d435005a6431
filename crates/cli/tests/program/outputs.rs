//! What a subcommand writes overwrites no input, no file that is there unless it may, and is what
//! its name says.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{error_line, json_of, output_of, points, rays, shipped, text};
use std::io::Write as _;

/// Each subcommand that writes a file with what it reads, and a name for what it writes. The output
/// is still to be given.
const COMMANDS: [(&str, &str); 7] = [
    ("cast cube.off rays.csv", "hits.csv"),
    ("points cube.off points.csv", "answers.csv"),
    ("sight cube.off points.csv others.csv", "sight.npy"),
    ("lidar cube.off --at 0.5,0.5,0.5 --steps 4", "scan.ply"),
    ("render cube.off --size 16x9 --samples 1", "cube.png"),
    ("build cube.off", "cube.scene"),
    ("lidar cube.off --beam-table beams.csv --poses poses.csv", "scan.csv"),
];

/// A mesh, and a file of every kind that is read beside it.
fn inputs() -> Folder {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0.25,0.5,2,0,0,-2"));
    folder.file("points.csv", points("0.25,0.5,2"));
    folder.file("others.csv", points("0.25,0.5,2"));
    folder.file("beams.csv", "azimuth,elevation\n90,0\n");
    folder.file("poses.csv", "time,x,y,z,qx,qy,qz,qw\n0,0.5,0.5,0.5,0,0,0,1\n");
    folder
}

/// Whatever the subcommand and whatever link stands for the file: nothing is lost, also with
/// --force.
#[test]
fn an_input_is_never_overwritten() {
    let folder = inputs();
    for (command, _) in COMMANDS {
        for input in command.split(' ').filter(|word| folder.path(word).exists()) {
            let before = folder.bytes(input);
            let (dotted, hard, soft) = (format!("././{input}"), "hard.csv", "soft.csv");
            std::fs::hard_link(folder.path(input), folder.path(hard)).expect("a hard link");
            let mut names = vec![input, &dotted, hard];
            #[cfg(unix)]
            {
                std::os::unix::fs::symlink(folder.path(input), folder.path(soft)).expect("a link");
                names.push(soft);
            }
            for name in names {
                let expected = format!(
                    "{name}: the output would overwrite the input {input}; give another name"
                );
                folder.refuses([
                    (format!("{command} -o {name}"), &expected),
                    (format!("{command} -o {name} --force"), &expected),
                ]);
            }
            assert!(folder.bytes(input) == before);
            for link in [hard, soft] {
                let _ = std::fs::remove_file(folder.path(link));
            }
        }
    }
}

#[test]
fn the_buffers_of_a_gltf_document_are_inputs() {
    let folder = inputs();
    folder.file("buffer.csv", [0; 36]);
    let buffer = r#"{"byteLength":36,"uri":"buffer.csv"}"#;
    folder.file("mesh.gltf", format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{buffer}]}}"#));
    folder.refuses([(
        "cast mesh.gltf rays.csv --force -o buffer.csv",
        "…would overwrite the input …buffer.csv; give another name",
    )]);
    assert_eq!(folder.bytes("buffer.csv"), [0; 36]);
    // By an escaped name, packed, under another name, and of a GLB.
    folder.file("my buffer.csv", [0; 36]);
    let document =
        r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"./my%20buffer.csv"}]}"#;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(document.as_bytes()).expect("memory");
    folder.file("packed.gltf.gz", gzip.finish().expect("memory"));
    folder.file("mesh.txt", document);
    let padded =
        format!("{document}{}", " ".repeat(document.len().next_multiple_of(4) - document.len()));
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((20 + padded.len() as u32).to_le_bytes());
    glb.extend((padded.len() as u32).to_le_bytes());
    glb.extend([&b"JSON"[..], padded.as_bytes()].concat());
    folder.file("mesh.glb", glb);
    for mesh in ["packed.gltf.gz", "mesh.txt --mesh-format gltf", "mesh.glb"] {
        let (output, arguments) = (folder.path("my buffer.csv"), mesh.split(' '));
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
        command.current_dir(folder.path("")).arg("cast").args(arguments).arg("rays.csv");
        let refused = command.args(["--force", "-o"]).arg(output).output().expect("a run");
        let pattern = "lanecast: …would overwrite the input …my buffer.csv; give another name\n";
        assert_reads(&text(refused.stderr), pattern);
        assert_eq!(folder.bytes("my buffer.csv"), [0; 36], "{mesh}");
    }
}

/// As `lanecast cast mesh.off - -o rays.csv < rays.csv` and
/// `lanecast cast mesh.off rays.csv -o - >> rays.csv` do.
#[cfg(unix)]
#[test]
fn a_redirected_input_is_never_overwritten() {
    let folder = inputs();
    let before = folder.bytes("rays.csv");
    for (files, redirected_in, pattern) in [
        (
            "- -o rays.csv",
            true,
            "rays.csv: the output would overwrite the input standard input; give another name\n",
        ),
        ("rays.csv -o -", false, "-: the output would overwrite the input …"),
    ] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
        command.current_dir(folder.path("")).args(["cast", "cube.off"]).args(files.split(' '));
        let path = folder.path("rays.csv");
        if redirected_in {
            command.stdin(std::fs::File::open(path).expect("rays"));
        } else {
            command.stdout(std::fs::File::options().append(true).open(path).expect("rays"));
        }
        let output = command.arg("--force").output().expect("a run");
        assert_eq!(output.status.code(), Some(2));
        assert_reads(&text(output.stderr), &format!("lanecast: {pattern}"));
        assert_eq!(folder.bytes("rays.csv"), before);
    }
}

#[test]
fn a_file_that_is_there_is_overwritten_only_by_force() {
    let folder = inputs();
    for (command, output) in COMMANDS {
        folder.file(output, "precious");
        let line = format!("{command} -o {output}");
        let problem = "there is such a file already; --force overwrites it";
        folder.refuses([(&line, format!("{output}: {problem}"))]);
        assert_eq!(folder.bytes(output), b"precious");
        folder.output(&format!("{line} --force"));
        assert_ne!(folder.bytes(output), b"precious");
        // As `mktemp` makes them: there is nothing in it.
        folder.file(output, "");
        folder.output(&line);
        folder.output(&format!("{line} -f"));
    }
    // A device is no file that is there.
    if cfg!(unix) {
        folder.output("cast cube.off rays.csv --format csv -o /dev/null");
        folder.output("render cube.off --size 9x9 -o /dev/null");
    }
}

/// Neither mesh nor rays exist, which would be the error if somebody looked.
#[test]
fn an_output_that_cannot_be_is_refused_before_the_mesh_is_read() {
    let folder = Folder::new();
    folder.file("file", "");
    std::fs::create_dir(folder.path("folder.csv")).expect("a folder");
    let before = folder.names();
    let scene = "means another format, and this is a scene file; end the name in .scene";
    let picture = "pictures are PNG files; end the name in .png…";
    let none = "No such file or directory…";
    let build = "build no.obj -o";
    for (output, problem) in
        [("-", "a scene file cannot go to a pipe…"), (".", "is a directory"), ("no/a.scene", none)]
    {
        folder.refuses([(format!("{build} {output}"), format!("{output}: {problem}"))]);
    }
    for extension in "obj PLY stl off gltf glb tif npy npz csv parquet png las gz".split(' ') {
        let lower = extension.to_lowercase();
        let output = format!("x.{extension}");
        let other = format!("{output}: \".{lower}\" {scene}…");
        folder.refuses([(format!("{build} {output}"), other)]);
        if lower != "png" {
            let expected = format!("{output}: {picture}");
            folder.refuses([
                (format!("render no.obj -o {output}"), &expected),
                (format!("demo -o {output}"), &expected),
            ]);
        }
    }
    for extension in ["obj", "ply", "scene", "png", "npy", "foo"] {
        let expected = format!("x.{extension}: unknown hit format \".{extension}\"; known: npz…");
        folder.refuses([
            (format!("cast no.obj no.csv -o x.{extension}"), &expected),
            (format!("points no.obj no.csv -o x.{extension}"), &expected),
        ]);
    }
    folder.refuses([
        ("lidar no.obj --at 0,0,0 -o x.obj", "x.obj: unknown format \".obj\"; known: ply…"),
        ("sight no.obj no.csv no.npy -o x.ply", "x.ply: unknown format \".ply\"; known: npy…"),
        ("cast no.obj no.csv -o hits", "hits: no extension to tell the hit format by…"),
        ("cast no.obj no.csv -o nowhere/hits.csv", "nowhere/hits.csv: …"),
        ("cast no.obj no.csv -o file/hits.csv", "file/hits.csv: …"),
        ("cast no.obj no.csv -o folder.csv", "folder.csv: is a directory"),
        ("render no.obj -o p.jpg", &format!("p.jpg: {picture}")),
        ("render no.obj -o p", "p: pictures are PNG files…"),
        ("render no.obj -o nowhere/p.png", "nowhere/p.png: …"),
        ("demo --data missing -o p.jpg", &format!("p.jpg: {picture}")),
        ("demo --data missing -o p", "p: pictures are PNG files…"),
        ("demo --data missing -o nowhere/p.png", "nowhere/p.png: …"),
    ]);
    assert_eq!(folder.names(), before);
}

/// The README's main command works every time.
#[test]
fn the_picture_of_the_demonstration_replaces_the_one_before() {
    let folder = Folder::new();
    let demo = || {
        let mut command = folder.run("demo --rays 1000 --size 16x9 --data");
        command.arg(shipped(""));
        command
    };
    let first = output_of(&mut demo());
    assert_reads(&first, "…The picture is lanecast-demo.png: orange…");
    let second = output_of(&mut demo());
    assert_reads(&second, "…The picture is lanecast-demo.png, in the place of the one before: …");
    assert_eq!(json_of(demo().arg("--json"))["overwritten"], true);
    let named = error_line(demo().args(["-o", "lanecast-demo.png"]));
    assert_eq!(named, "lanecast-demo.png: there is such a file already; --force overwrites it");
    output_of(demo().args(["-o", "lanecast-demo.png", "--force"]));
}

/// A link to a file that is not there stays a link, and the file behind it is made, also with
/// --force.
#[cfg(unix)]
#[test]
fn a_dangling_link_is_followed() {
    use std::os::unix::fs::symlink;
    for (command, name) in COMMANDS {
        let folder = inputs();
        let extension = name.rsplit('.').next().expect("an extension");
        let [link, middle, behind, nowhere] =
            ["link", "middle", "behind", "nowhere"].map(|name| format!("{name}.{extension}"));
        symlink(folder.path(&middle), folder.path(&link)).expect("a link");
        symlink(&behind, folder.path(&middle)).expect("a link");
        for force in ["", "--force"] {
            folder.output(&format!("{command} -o {link} {force}"));
            assert!(folder.path(&link).is_symlink() && folder.path(&middle).is_symlink(), "{name}");
            assert!(
                !folder.path(&behind).is_symlink() && !folder.bytes(&behind).is_empty(),
                "{name}"
            );
            if force.is_empty() {
                std::fs::remove_file(folder.path(&behind)).expect("removed");
            }
        }
        symlink(folder.path("no/such/folder.csv"), folder.path(&nowhere)).expect("a link");
        folder.error(&format!("{command} -o {nowhere} --force"));
        assert!(folder.path(&nowhere).is_symlink());
    }
}

#[test]
fn a_named_format_overrides_the_extension() {
    let folder = inputs();
    folder.output("cast cube.off rays.csv --format csv -o hits.npz");
    assert!(folder.bytes("hits.npz").starts_with(b"ray_id,"));
}
