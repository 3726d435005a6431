//! The examples in C: each compiler takes them without a warning, and they draw and scan what they say.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use programs::{built, expect_success, package, there};

mod programs;

/// Compiles an example by each compiler, and gives the program of the last.
fn compiled(example: &str, folder: &Path) -> PathBuf {
    let program = folder.join(example);
    for compiler in there(["gcc", "clang"]) {
        let mut compile = Command::new(compiler);
        compile.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
        compile.arg(package().join("include"));
        compile.arg(package().join(format!("examples/{example}.c")));
        compile.arg(built().join("liblanecast_c.a"));
        compile.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program);
        expect_success(&mut compile);
    }
    program
}

/// Embree, where `benches/peers/fetch.sh` puts it.
fn embree() -> Option<PathBuf> {
    let fetched = package().join("../../benches/peers/fetched");
    let files = std::fs::read_dir(fetched).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_embree = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libembree4"))
    };
    files.filter(is_embree).min()
}

/// The mean of red and of blue over rows of three steps.
fn red_and_blue(steps: &[u8]) -> [f64; 2] {
    let pixels = steps.len() / 3;
    [0, 2].map(|channel| {
        let sum: f64 = steps.iter().skip(channel).step_by(3).map(|&step| f64::from(step)).sum();
        sum / pixels as f64
    })
}

/// Where Embree was fetched, the program fails by itself if the two pictures differ.
#[test]
fn path_tracer_draws_a_blue_sky_over_a_brown_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut draw = Command::new(compiled("path_tracer", folder.path()));
    draw.args(["court", "96", "64", "2"]).args(embree()).current_dir(folder.path());
    expect_success(&mut draw);
    let picture = std::fs::read(folder.path().join("court-lanecast.ppm")).expect("a picture");
    let steps = picture.strip_prefix(b"P6\n96 64\n255\n").expect("the header of a picture");
    assert_eq!(steps.len(), 96 * 64 * 3);
    let row = 96 * 3;
    let [sky, floor] = [&steps[..4 * row], &steps[60 * row..]].map(red_and_blue);
    assert!(sky[1] > sky[0] + 20.0, "red and blue of the sky are {sky:?}");
    assert!(floor[0] > floor[1] + 20.0, "red and blue of the floor are {floor:?}");
}

/// A number of four bytes of a row.
fn float(row: &[u8], place: usize) -> f32 {
    f32::from_ne_bytes(row[place..place + 4].try_into().expect("four bytes"))
}

/// A scanner whose motion was left out, or taken twice, would smear both.
#[test]
fn returns_of_the_lidar_lie_on_the_ground_and_on_fronts_of_houses() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scan = Command::new(compiled("lidar", folder.path()));
    expect_success(scan.args(["street.pcd", "2", "256"]).current_dir(folder.path()));
    let cloud = std::fs::read(folder.path().join("street.pcd")).expect("a cloud");
    let end = b"DATA binary\n";
    let start = cloud.windows(end.len()).position(|window| window == end).expect("a header");
    let (header, rows) = (String::from_utf8_lossy(&cloud[..start]), &cloud[start + end.len()..]);
    assert!(header.contains("\nFIELDS x y z intensity ring time\n"), "{header}");
    let (rows, rest) = rows.as_chunks::<22>();
    assert!(rest.is_empty());
    assert!(header.contains(&format!("\nPOINTS {}\n", rows.len())), "{header}");
    assert_eq!(rows.len(), 15_299, "of {} pulses", 2 * 256 * 32);

    let part = |is_there: &dyn Fn(&[u8; 22]) -> bool| {
        rows.iter().filter(|row| is_there(row)).count() as f64 / rows.len() as f64
    };
    let is_level = |row: &[u8; 22]| [0.0, 0.15].iter().any(|z| (float(row, 8) - z).abs() < 1e-3);
    let is_on_a_front = |row: &[u8; 22]| (float(row, 4).abs() - 8.5).abs() < 1e-3;
    assert!(part(&is_level) > 0.3, "{}", part(&is_level));
    assert!(part(&is_on_a_front) > 0.2, "{}", part(&is_on_a_front));
    assert!(part(&|row| (0.0..=255.0).contains(&float(row, 12))) == 1.0);
    assert!(part(&|row| u16::from_ne_bytes([row[16], row[17]]) < 32) == 1.0);
    let times: Vec<_> = rows.iter().map(|row| float(row, 18)).collect();
    assert!(times.is_sorted() && times[0] >= 0.0 && times[times.len() - 1] < 0.2);
}
