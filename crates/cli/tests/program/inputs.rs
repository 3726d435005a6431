//! Meshes from standard input, of formats that no name says, and compressed.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast};
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn a_mesh_comes_from_standard_input_with_its_format() {
    let info = |bytes: &[u8]| {
        let mut command = lanecast();
        command.args(["info", "-", "--json", "--mesh-format", "off"]).write_stdin(bytes);
        command
    };
    for bytes in [CUBE.as_bytes().to_vec(), gzip(CUBE.as_bytes())] {
        let report = json_of(&mut info(&bytes));
        assert_eq!((&report["triangles"], &report["closed"]), (&12.into(), &true.into()));
        assert_eq!(report["geometries"][0]["name"], "standard input");
    }
    assert_eq!(error_line(&mut info(b"")), "standard input: the file is empty");
    assert_eq!(
        error_line(&mut info(b"OFF 1 0 0\n")),
        "standard input: truncated: vertex 0 of 1 is missing"
    );
    assert_eq!(
        error_line(lanecast().args(["info", "-"]).write_stdin(CUBE)),
        "standard input: give the format of the mesh: --mesh-format obj|ply|stl|off|gltf|glb"
    );
    assert_eq!(
        error_line(
            lanecast()
                .args(["render", "-", "--mesh-format", "off", "-o", "-"])
                .write_stdin("OFF 0 0 0\n")
        ),
        "standard input: the mesh has no triangles"
    );
}

#[test]
fn mesh_format_reads_a_file_of_any_name_and_of_a_pipe() {
    let folder = Folder::new();
    let mesh = folder.file("cube.txt", CUBE);
    let report =
        json_of(lanecast().arg("info").arg(&mesh).args(["--json", "--mesh-format", "off"]));
    assert_eq!(report["triangles"], 12);
    assert!(error_line(lanecast().arg("info").arg(&mesh)).contains("unknown mesh format \".txt\""));
    #[cfg(target_os = "linux")]
    {
        let piped = ["info", "/dev/stdin", "--json", "--mesh-format", "off"];
        assert_eq!(json_of(lanecast().args(piped).write_stdin(CUBE))["triangles"], 12);
    }
}

#[test]
fn compressed_meshes_are_cast_at() {
    let folder = Folder::new();
    let mesh = folder.file("cube.off.gz", gzip(CUBE.as_bytes()));
    lanecast().arg("verify").arg(&mesh).args(["--rays", "100"]).assert().success();
    let cut = folder.file("cut.off.gz", &gzip(CUBE.as_bytes())[..40]);
    let line = error_line(lanecast().arg("info").arg(&cut));
    assert!(line.starts_with(&format!("{}: damaged gzip file: ", cut.display())), "{line}");
}

/// It would be read to its end for the first of them.
#[test]
fn standard_input_is_one_input_alone() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let out = folder.path("out.csv");
    let format = ["--mesh-format", "off"];
    let named = |name: &str, arguments: &[&str]| {
        let mut command = lanecast();
        command.arg(name).args(arguments);
        command
    };
    let mut two = [
        named("cast", &["-", "-"]),
        named("points", &["-", "-"]),
        named("sight", &["-", "-", "p.csv"]),
    ];
    for command in &mut two {
        command.args(format);
    }
    let mut verify = named("verify", &["-", "-", "--mesh-format", "off"]);
    let mut sight = named("sight", &[]);
    sight.arg(&cube).args(["-", "-"]);
    let mut lidar = named("lidar", &["--poses", "-", "--beam-table", "-"]);
    lidar.arg(&cube);
    for command in two.iter_mut().chain([&mut sight, &mut lidar]) {
        let line = error_line(command.arg("-o").arg(&out).write_stdin(CUBE));
        assert_eq!(line, "standard input: cannot be 2 inputs; give a file for one");
    }
    assert!(error_line(verify.write_stdin(CUBE)).starts_with("standard input: cannot be 2 inputs"));
    assert!(!out.exists());
}

/// Whatever it is called.
#[test]
fn what_is_not_there_or_a_folder_is_said_to_be_so() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("models")).expect("a folder");
    std::fs::create_dir(folder.path("models.obj")).expect("a folder");
    for name in ["models", "models.obj"] {
        let path = folder.path(name);
        let line = error_line(lanecast().arg("info").arg(&path));
        assert_eq!(line, format!("{}: is a directory", path.display()));
    }
    for name in ["nothing", "nothing.foo", "nothing.obj.gz", "nothing.off"] {
        let line = error_line(lanecast().arg("info").arg(folder.path(name)));
        assert!(line.contains(&format!("{name}: No such file or directory")), "{line}");
    }
}
