//! `lanecast render`, `lanecast demo` and `lanecast bench`, small.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{colors, json_of, output_of, picture};
use lanecast::Backend;

#[test]
fn every_shade_gives_a_picture_of_the_size_asked_for() {
    let folder = Folder::new();
    for shade in ["studio", "sun", "ao", "normals", "depth", "cost"] {
        let size = "--size 80x60 --samples 2";
        let line = format!("render data/gyroid.ply -fo p.png --shade {shade} {size}");
        let text = folder.output(&line);
        assert_eq!(text.starts_with("colours: 0 (dark) to "), shade == "cost", "{text}");
        let (width, height, bytes) = picture(&folder.path("p.png"));
        assert_eq!((width, height), (80, 60));
        assert!(colors(&bytes) > 20, "{shade}");
    }
}

#[test]
fn a_given_camera_sees_what_it_looks_at() {
    let folder = Folder::with_cube();
    let render = |camera: &str| {
        let look = "render cube.off -fo p.png --shade depth --size 8x8 --up y";
        folder.output(&format!("{look} {camera}"));
        picture(&folder.path("p.png")).2
    };
    // Nothing behind the camera; the cube's face fills the picture.
    assert_eq!(colors(&render("--eye 0.5,0.5,3 --target 0.5,0.5,9")), 1);
    let face = render("--eye 0.5,0.5,1.1 --target 0.5,0.5,0");
    assert!(face.iter().all(|&byte| byte > 0));
}

#[test]
fn the_demonstration_casts_every_kind_and_writes_its_picture() {
    let folder = Folder::new();
    let demo_of = |rays: u32| {
        let mut command = folder.run(&format!("demo --rays {rays} --size 160x90 -fo"));
        command.arg(folder.path("demo.png")).current_dir(env!("CARGO_MANIFEST_DIR"));
        command
    };
    let table = output_of(&mut demo_of(100_000));
    for kind in ["camera", "sun", "diffuse", "lidar", "line of sight", "x-ray"] {
        let line = table.lines().find(|line| line.starts_with(kind));
        assert!(line.is_some_and(|line| line.ends_with(char::is_numeric)), "{kind}: {table}");
    }
    assert_reads(&table, &format!("…{}…", folder.path("demo.png").display()));
    let (width, height, bytes) = picture(&folder.path("demo.png"));
    assert_eq!((width, height), (160, 90));
    assert!(colors(&bytes) > 1000);

    let report = json_of(demo_of(100_000).arg("--json"));
    assert_eq!(report["jobs"].as_array().map(Vec::len), Some(6));
    // The solid's volume is 80,114 mm³; few rays come near it.
    let volume = report["solid_volume"].as_f64().expect("a number");
    assert!((volume / 80_114.0 - 1.0).abs() < 0.005, "{volume}");
    let enclosed = report["solid_volume_of_triangles"].as_f64().expect("a number");
    assert!((enclosed / 80_114.0 - 1.0).abs() < 1e-4, "{enclosed}");
    // Of one ray neither the volume nor the speed says anything, and the words show it.
    let table = output_of(&mut demo_of(1));
    assert_reads(&table, "…its triangles enclose 80.1\nCast in less than 10 ms…x-ray…");
}

#[test]
fn the_bench_measures_every_kind_on_every_backend() {
    let folder = Folder::with_cube();
    let line = "bench cube.off --seconds 0 --rays 1000";
    let report = folder.json(line);
    let cases = report["cases"].as_array().expect("cases");
    for backend in Backend::available() {
        for kind in ["camera", "shadow", "diffuse", "random"] {
            let case =
                cases.iter().find(|case| case["backend"] == backend.name() && case["kind"] == kind);
            let rate = case.and_then(|case| case["million_rays_per_second"].as_f64());
            assert!(rate > Some(0.0), "{backend} {kind}");
        }
    }
    assert!(report["processor"].is_string() && report["cores"].as_u64() > Some(0));
    assert_reads(&folder.output(line), "…medians of 3 rounds…1 thread…");
    let mut one = folder.run(line);
    let report = json_of(one.env("LANECAST_BACKEND", "portable").arg("--json"));
    let cases = report["cases"].as_array().expect("cases");
    assert!(cases.iter().all(|case| case["backend"] == "portable"));
}
