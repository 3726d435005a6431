//! A scene file that several processes have open at once.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::support::{RAY_HEADER, ray_lines, text};

/// A program that has been asked about some rays and waits for more.
fn start(scene: &Path, rays: &str) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
    command.env_remove("LANECAST_BACKEND").arg("cast").arg(scene);
    command.args(["-", "-o", "-", "--query", "all"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a process");
    child.stdin.as_mut().expect("a pipe").write_all(rays.as_bytes()).expect("it reads");
    child
}

/// Whether a process has the file in its memory, as pages that it shares with others: the system's
/// list of what a process has mapped, where `s` stands for shared, and `r--` for no more than read.
fn shares(process: &Child, file: &Path) -> bool {
    let mapped =
        std::fs::read_to_string(format!("/proc/{}/maps", process.id())).unwrap_or_default();
    let name = file.to_str().expect("a name in UTF-8");
    mapped.lines().any(|line| line.ends_with(name) && line.contains(" r--s "))
}

/// Asks about the rest, and returns all that it answered.
fn finish(mut process: Child, rays: &str) -> String {
    process.stdin.take().expect("a pipe").write_all(rays.as_bytes()).expect("it reads");
    let output = process.wait_with_output().expect("an end");
    assert!(output.status.success(), "{}", output.status);
    text(output.stdout)
}

#[test]
fn a_scene_file_is_shared_between_processes() {
    let folder = Folder::with_cube();
    folder.output("build data/gyroid.ply -o shared.scene");
    // As the system names it, wherever links lead.
    let scene = folder.path("shared.scene").canonicalize().expect("a file");
    let lines = ray_lines(400);
    let [first, rest] =
        [RAY_HEADER.to_owned() + &lines[..200].join("\n") + "\n", lines[200..].join("\n")];
    folder.file("rays.csv", first.clone() + &rest);
    let cast = |mesh: &str| folder.output(&format!("cast {mesh} rays.csv -o - --query all"));
    let expected = cast("data/gyroid.ply");
    assert!(expected.lines().count() > 100, "{expected}");

    let [one, other] = [start(&scene, &first), start(&scene, &first)];
    let begin = Instant::now();
    while ![&one, &other].iter().all(|process| shares(process, &scene)) {
        assert!(begin.elapsed() < Duration::from_secs(60), "the processes do not share the file");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(finish(other, &rest) == expected);
    assert!(shares(&one, &scene), "it is still open");
    // A new file takes the place of the old one, which stays for those who have it open.
    folder.output("build cube.off -fo shared.scene");
    let of_cube = cast("cube.off");
    assert!(cast("shared.scene") == of_cube && of_cube != expected);
    assert!(finish(one, &rest) == expected);
}
