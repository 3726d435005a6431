//! What a subcommand writes overwrites no input, no file that is there unless it may, and is what
//! its name says.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, output_of, shipped};
use assert_cmd::Command;
use std::path::{Path, PathBuf};

const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-2\n";
const POINTS: &str = "x,y,z\n0.25,0.5,2\n";

/// A mesh, and a file of every kind that is read beside it.
struct Inputs {
    folder: Folder,
    cube: PathBuf,
    rays: PathBuf,
    points: PathBuf,
    others: PathBuf,
    beams: PathBuf,
    poses: PathBuf,
}

impl Inputs {
    fn new() -> Self {
        let folder = Folder::new();
        Self {
            cube: folder.file("cube.off", CUBE),
            rays: folder.file("rays.csv", RAYS),
            points: folder.file("points.csv", POINTS),
            others: folder.file("others.csv", POINTS),
            beams: folder.file("beams.csv", "azimuth,elevation\n90,0\n"),
            poses: folder.file("poses.csv", "time,x,y,z,qx,qy,qz,qw\n0,0.5,0.5,0.5,0,0,0,1\n"),
            folder,
        }
    }

    /// Each subcommand that writes a file, with what it reads and a name for what it writes; the
    /// output is still to be given.
    fn commands(&self) -> Vec<(Command, Vec<&Path>, &'static str)> {
        let Self { cube, rays, points, others, beams, poses, .. } = self;
        fn command<'a>(
            name: &str,
            inputs: &[&'a PathBuf],
            arguments: &[&str],
        ) -> (Command, Vec<&'a Path>) {
            let mut command = lanecast();
            command.arg(name).args(inputs).args(arguments);
            (command, inputs.iter().map(|path| path.as_path()).collect())
        }
        let small = ["--size", "16x9", "--samples", "1"];
        let mut all = vec![
            (command("cast", &[cube, rays], &[]), "hits.csv"),
            (command("points", &[cube, points], &[]), "answers.csv"),
            (command("sight", &[cube, points, others], &[]), "sight.npy"),
            (command("lidar", &[cube], &["--at", "0.5,0.5,0.5", "--steps", "4"]), "scan.ply"),
            (command("render", &[cube], &small), "cube.png"),
            (command("build", &[cube], &[]), "cube.scene"),
        ];
        let mut tables = command("lidar", &[cube], &[]);
        tables.0.arg("--beam-table").arg(beams).arg("--poses").arg(poses);
        tables.1.extend([beams.as_path(), poses]);
        all.push((tables, "scan.csv"));
        all.into_iter().map(|((command, inputs), output)| (command, inputs, output)).collect()
    }
}

fn with_output(command: &Command, output: &Path) -> Command {
    let mut with_output = lanecast();
    with_output.args(command.get_args()).arg("-o").arg(output);
    with_output
}

/// Whatever the subcommand and whatever link stands for the file: nothing is lost, also with
/// --force.
#[test]
fn an_input_is_never_overwritten() {
    let inputs = Inputs::new();
    for (number, (command, read, _)) in inputs.commands().into_iter().enumerate() {
        for input in read {
            let before = std::fs::read(input).expect("an input");
            let mut names = vec![
                input.to_owned(),
                inputs.folder.path("././").join(input.file_name().expect("a name")),
            ];
            let hard = inputs.folder.path(&format!("hard-{number}.csv"));
            std::fs::hard_link(input, &hard).expect("a hard link");
            names.push(hard.clone());
            #[cfg(unix)]
            {
                let soft = inputs.folder.path(&format!("soft-{number}.csv"));
                let _ = std::fs::remove_file(&soft);
                std::os::unix::fs::symlink(input, &soft).expect("a link");
                names.push(soft);
            }
            for name in names {
                for force in [&[][..], &["--force"]] {
                    let line = error_line(with_output(&command, &name).args(force));
                    let expected = format!(
                        "{}: the output would overwrite the input {}; give another name",
                        name.display(),
                        input.display()
                    );
                    assert_eq!(line, expected);
                }
            }
            assert!(std::fs::read(input).expect("an input") == before);
            std::fs::remove_file(hard).expect("removed");
        }
    }
}

#[test]
fn the_buffers_of_a_gltf_document_are_inputs() {
    let folder = Folder::new();
    let buffer = folder.file("buffer.csv", [0; 36]);
    let document = folder.file(
        "mesh.gltf",
        r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"buffer.csv"}]}"#,
    );
    let rays = folder.file("rays.csv", RAYS);
    let line = error_line(
        lanecast().arg("cast").args([&document, &rays]).arg("--force").arg("-o").arg(&buffer),
    );
    assert!(
        line.ends_with(&format!(
            "would overwrite the input {}; give another name",
            buffer.display()
        ))
    );
    assert!(std::fs::read(buffer).expect("a buffer") == [0; 36]);
}

/// As `lanecast cast mesh.off - -o rays.csv < rays.csv` and
/// `lanecast cast mesh.off rays.csv -o - >> rays.csv` do.
#[cfg(unix)]
#[test]
fn a_redirected_input_is_never_overwritten() {
    let inputs = Inputs::new();
    let run = |rays: &Path, output: &Path, redirect: bool| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
        command.arg("cast").args([&inputs.cube, rays]).arg("--force").arg("-o").arg(output);
        let file = std::fs::File::open(&inputs.rays).expect("rays");
        let end = std::fs::OpenOptions::new().append(true).open(&inputs.rays).expect("rays");
        if redirect {
            command.stdin(file)
        } else {
            command.stdout(end)
        };
        let output = command.output().expect("a run");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let standard = Path::new("-");
    let line = run(standard, &inputs.rays, true);
    let of_input = "the output would overwrite the input standard input; give another name\n";
    assert_eq!(line, format!("lanecast: {}: {of_input}", inputs.rays.display()));
    let line = run(&inputs.rays, standard, false);
    assert!(line.starts_with("lanecast: -: the output would overwrite the input "), "{line}");
    assert_eq!(std::fs::read_to_string(&inputs.rays).expect("rays"), RAYS);
}

#[test]
fn a_file_that_is_there_is_overwritten_only_by_force() {
    let inputs = Inputs::new();
    for (command, _, output) in inputs.commands() {
        let output = inputs.folder.file(output, "precious");
        let line = error_line(&mut with_output(&command, &output));
        let expected =
            format!("{}: there is such a file already; --force overwrites it", output.display());
        assert_eq!(line, expected);
        assert_eq!(std::fs::read(&output).expect("a file"), b"precious");
        with_output(&command, &output).arg("--force").assert().success();
        assert_ne!(std::fs::read(&output).expect("a file"), b"precious");
        // As `mktemp` makes them: there is nothing in it.
        std::fs::write(&output, "").expect("written");
        with_output(&command, &output).assert().success();
        with_output(&command, &output).arg("-f").assert().success();
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_no_file_that_is_there() {
    let inputs = Inputs::new();
    let mut cast = lanecast();
    cast.arg("cast").args([&inputs.cube, &inputs.rays]).args([
        "--format",
        "csv",
        "-o",
        "/dev/null",
    ]);
    cast.assert().success();
    lanecast()
        .arg("render")
        .arg(&inputs.cube)
        .args(["--size", "9x9", "-o", "/dev/null"])
        .assert()
        .success();
}

/// Neither mesh nor rays exist, which would be the error if somebody looked.
#[test]
fn an_output_whose_extension_means_another_format_is_refused() {
    let folder = Folder::new();
    let refused = |arguments: &[&str], output: &str, problem: &str| {
        let output = folder.path(output);
        let line = error_line(lanecast().args(arguments).arg("-o").arg(&output));
        assert!(line.starts_with(&format!("{}: {problem}", output.display())), "{line}");
    };
    let scene = "means another format, and this is a scene file; end the name in .scene";
    for extension in [
        "obj", "PLY", "stl", "off", "gltf", "glb", "npy", "npz", "csv", "parquet", "png", "las",
        "gz",
    ] {
        let lower = extension.to_lowercase();
        refused(&["build", "no.obj"], &format!("x.{extension}"), &format!("\".{lower}\" {scene}"));
        if lower != "png" {
            let picture = "pictures are PNG files; end the name in .png";
            refused(&["render", "no.obj"], &format!("x.{extension}"), picture);
            refused(&["demo"], &format!("x.{extension}"), picture);
        }
    }
    for extension in ["obj", "ply", "scene", "png", "npy"] {
        let output = format!("x.{extension}");
        let problem = format!("unknown hit format \".{extension}\"; known: npz");
        refused(&["cast", "no.obj", "no.csv"], &output, &problem);
        refused(&["points", "no.obj", "no.csv"], &output, &problem);
    }
    refused(&["lidar", "no.obj", "--at", "0,0,0"], "x.obj", "unknown format \".obj\"; known: ply");
    refused(
        &["sight", "no.obj", "no.csv", "no.npy"],
        "x.ply",
        "unknown format \".ply\"; known: npy",
    );
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// The README's main command works every time.
#[test]
fn a_second_demonstration_replaces_the_picture_and_says_so() {
    let folder = Folder::new();
    let demo = || {
        let mut command = lanecast();
        command
            .current_dir(folder.path(""))
            .args(["demo", "--rays", "1000", "--size", "16x9", "--data"]);
        command.arg(shipped(""));
        command
    };
    let first = output_of(&mut demo());
    assert!(first.contains("The picture is lanecast-demo.png: orange"), "{first}");
    let second = output_of(&mut demo());
    assert!(
        second.contains("The picture is lanecast-demo.png, in the place of the one before: "),
        "{second}"
    );
    assert_eq!(json_of(demo().arg("--json"))["overwritten"], true);
    let named = error_line(demo().args(["-o", "lanecast-demo.png"]));
    assert_eq!(named, "lanecast-demo.png: there is such a file already; --force overwrites it");
    demo().args(["-o", "lanecast-demo.png", "--force"]).assert().success();
}

/// A link to a file that is not there stays a link, and the file behind it is made, also with
/// --force.
#[cfg(unix)]
#[test]
fn a_dangling_link_is_followed() {
    let inputs = Inputs::new();
    for (number, (command, _, name)) in inputs.commands().into_iter().enumerate() {
        let extension = name.rsplit('.').next().expect("an extension");
        let [link, middle] = ["link", "middle"]
            .map(|name| inputs.folder.path(&format!("{name}-{number}.{extension}")));
        let behind = inputs.folder.path(&format!("behind-{number}.{extension}"));
        std::os::unix::fs::symlink(&middle, &link).expect("a link");
        std::os::unix::fs::symlink(behind.file_name().expect("a name"), &middle).expect("a link");
        for force in [&[][..], &["--force"]] {
            with_output(&command, &link).args(force).assert().success();
            assert!(link.is_symlink() && middle.is_symlink() && !behind.is_symlink(), "{name}");
            assert!(behind.metadata().expect("a file").len() > 0, "{name}");
            if force.is_empty() {
                std::fs::remove_file(&behind).expect("removed");
            }
        }
        let nowhere = inputs.folder.path(&format!("nowhere-{number}.{extension}"));
        std::os::unix::fs::symlink(inputs.folder.path("no/such/folder.csv"), &nowhere)
            .expect("a link");
        error_line(with_output(&command, &nowhere).arg("--force"));
        assert!(nowhere.is_symlink());
    }
}

#[test]
fn an_output_that_cannot_be_is_refused_before_the_mesh_is_read() {
    let folder = Folder::new();
    folder.file("file", "");
    std::fs::create_dir(folder.path("folder.csv")).expect("a folder");
    let before = folder.names();
    let cases = [
        ("hits.foo", "unknown hit format \".foo\"; known: npz"),
        ("hits", "no extension to tell the hit format by"),
        ("nowhere/hits.csv", ""),
        ("file/hits.csv", ""),
        ("folder.csv", "is a directory"),
    ];
    for (name, problem) in cases {
        let hits = folder.path(name);
        // Neither mesh nor rays exist, which would be the error if somebody looked.
        let line =
            error_line(lanecast().args(["cast", "missing.ply", "missing.npy", "-o"]).arg(&hits));
        assert!(line.starts_with(&format!("{}: {problem}", hits.display())), "{line}");
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn a_named_format_overrides_the_extension() {
    let folder = Folder::new();
    let (cube, hits) = (folder.file("cube.off", CUBE), folder.path("hits.npz"));
    let mut command = lanecast();
    command.arg("cast").arg(&cube).args(["-", "--format", "csv", "-o"]).arg(&hits);
    command.write_stdin("ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n").assert().success();
    assert!(std::fs::read(&hits).expect("hits").starts_with(b"ray_id,"));
}
