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
    assert_eq!(error_line(&mut info(b"OFF 1 0 0\n")), "standard input: truncated: vertex 0 of 1 is missing");
    assert_eq!(
        error_line(lanecast().args(["info", "-"]).write_stdin(CUBE)),
        "standard input: give the format of the mesh: --mesh-format obj|ply|stl|off|gltf|glb"
    );
    assert_eq!(
        error_line(
            lanecast().args(["render", "-", "--mesh-format", "off", "-o", "-"]).write_stdin("OFF 0 0 0\n")
        ),
        "standard input: the mesh has no triangles"
    );
}

#[test]
fn mesh_format_reads_a_file_of_any_name_and_of_a_pipe() {
    let folder = Folder::new();
    let mesh = folder.file("cube.txt", CUBE);
    let report = json_of(lanecast().arg("info").arg(&mesh).args(["--json", "--mesh-format", "off"]));
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
