//! `lanecast render`, `lanecast demo` and `lanecast bench`, small.

use crate::folder::Folder;
use crate::support::{CUBE, colors, error_line, json_of, lanecast, output_of, picture, shipped};

#[test]
fn every_shade_gives_a_picture_of_the_size_asked_for() {
    let folder = Folder::new();
    let path = folder.path("picture.png");
    for shade in ["studio", "sun", "ao", "normals", "depth", "cost"] {
        let mut command = lanecast();
        command.arg("render").arg(shipped("gyroid.ply")).arg("-fo").arg(&path);
        let text = output_of(command.args(["--shade", shade, "--size", "80x60", "--samples", "2"]));
        assert_eq!(text.starts_with("colours: 0 (dark) to "), shade == "cost", "{text}");
        let (width, height, bytes) = picture(&path);
        assert_eq!((width, height), (80, 60));
        assert!(colors(&bytes) > 20, "{shade}");
    }
}

#[test]
fn a_given_camera_sees_what_it_looks_at() {
    let folder = Folder::new();
    let (cube, path) = (folder.file("cube.off", CUBE), folder.path("picture.png"));
    let render = |eye: &str, target: &str| {
        let mut command = lanecast();
        command.arg("render").arg(&cube).arg("-fo").arg(&path);
        command.args([
            "--shade", "depth", "--size", "8x8", "--eye", eye, "--target", target, "--up", "y",
        ]);
        command.assert().success();
        picture(&path).2
    };
    // Nothing behind the camera; the cube's face fills the picture.
    assert_eq!(colors(&render("0.5,0.5,3", "0.5,0.5,9")), 1);
    // A camera that looks at itself sees nothing.
    let mut command = lanecast();
    command.arg("render").arg(&cube).arg("-fo").arg(&path).args(["--eye", "0.5,0.5,0.5"]);
    assert!(error_line(&mut command).starts_with("--eye: "));
    let face = render("0.5,0.5,1.1", "0.5,0.5,0");
    assert!(face.iter().all(|&byte| byte > 0));
}

#[test]
fn a_picture_does_not_depend_on_backend_and_threads() {
    let folder = Folder::new();
    let mut expected = None;
    for backend in lanecast::Backend::available() {
        for threads in ["1", "2"] {
            let path = folder.path("picture.png");
            let mut command = lanecast();
            command
                .arg("render")
                .arg(shipped("gyroid.ply"))
                .arg("-fo")
                .arg(&path)
                .args(["--size", "64x48"]);
            command.args(["--backend", backend.name(), "--threads", threads]).assert().success();
            let pixels = picture(&path);
            assert!(
                *expected.get_or_insert_with(|| pixels.clone()) == pixels,
                "{backend} {threads}"
            );
        }
    }
}

#[test]
fn a_picture_that_cannot_be_is_refused_before_the_work() {
    let folder = Folder::new();
    let cases = [
        ("picture.jpg", "pictures are PNG files"),
        ("picture", "pictures are PNG files"),
        ("nowhere/picture.png", ""),
    ];
    for (name, problem) in cases {
        let picture = folder.path(name);
        let expected = format!("{}: {problem}", picture.display());
        // Neither the mesh nor the folder of meshes exists, which would be the error.
        let line = error_line(lanecast().args(["render", "missing.ply", "-o"]).arg(&picture));
        assert!(line.starts_with(&expected), "{line}");
        let line = error_line(lanecast().args(["demo", "--data", "missing", "-o"]).arg(&picture));
        assert!(line.starts_with(&expected), "{line}");
        assert!(folder.names().is_empty());
    }
}

#[test]
fn the_demonstration_casts_every_kind_and_writes_its_picture() {
    let folder = Folder::new();
    let path = folder.path("demo.png");
    let mut command = lanecast();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("demo").arg("-fo").arg(&path);
    command.args(["--rays", "100000", "--size", "160x90"]);
    let table = output_of(&mut command);
    for kind in ["camera", "sun", "diffuse", "lidar", "line of sight", "x-ray"] {
        let line = table.lines().find(|line| line.starts_with(kind));
        assert!(line.is_some_and(|line| line.ends_with(char::is_numeric)), "{kind}: {table}");
    }
    assert!(table.contains(&format!("{}", path.display())));
    let (width, height, bytes) = picture(&path);
    assert_eq!((width, height), (160, 90));
    assert!(colors(&bytes) > 1000);

    let report = json_of(command.arg("--json"));
    assert_eq!(report["jobs"].as_array().map(Vec::len), Some(6));
    // The solid's volume is 80,114 mm³; few rays come near it.
    let volume = report["solid_volume"].as_f64().expect("a number");
    assert!((volume / 80_114.0 - 1.0).abs() < 0.005, "{volume}");
}

#[test]
fn the_bench_measures_every_kind_on_every_backend() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let arguments = ["--seconds", "0", "--rays", "1000"];
    let report = json_of(lanecast().arg("bench").arg(&cube).args(arguments).arg("--json"));
    let cases = report["cases"].as_array().expect("cases");
    for backend in lanecast::Backend::available() {
        for kind in ["camera", "shadow", "diffuse", "random"] {
            let case =
                cases.iter().find(|case| case["backend"] == backend.name() && case["kind"] == kind);
            let rate = case.and_then(|case| case["million_rays_per_second"].as_f64());
            assert!(rate > Some(0.0), "{backend} {kind}");
        }
    }
    assert!(report["processor"].is_string() && report["cores"].as_u64() > Some(0));
    let words = output_of(lanecast().arg("bench").arg(&cube).args(arguments));
    assert!(words.contains("medians of 3 rounds") && words.contains("1 thread"), "{words}");
    let mut one = lanecast();
    let report = json_of(
        one.env("LANECAST_BACKEND", "portable")
            .arg("bench")
            .arg(&cube)
            .args(arguments)
            .arg("--json"),
    );
    assert!(
        report["cases"].as_array().expect("cases").iter().all(|case| case["backend"] == "portable")
    );
}
