//! Readers that go away, and interrupts while a pipe is read.

use crate::folder::Folder;
use crate::support::{CUBE, file, ray_lines};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

fn program() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
    command.env_remove("LANECAST_BACKEND");
    command
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", file(&ray_lines(20_000)));
    let mut command = program();
    command
        .arg("cast")
        .args([&cube, &rays])
        .args(["-o", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_interrupt_ends_at_once_and_leaves_no_half_file() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let mut command = program();
    command.arg("cast").arg(&cube).args(["-", "-o"]).arg(folder.path("hits.csv"));
    let mut child =
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    // A pipe that says a little and then nothing more, without closing.
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(file(&ray_lines(10)).as_bytes()).expect("room in the pipe");
    for _ in 0..1000 {
        if folder.names().len() > 1 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(folder.names().len(), 2, "the file of hits has been begun");
    let interrupt =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupt.success());
    let code = child.wait().expect("an end").code();
    drop(pipe);
    let mut text = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
    assert_eq!((code, text.as_str()), (Some(130), ""));
    assert_eq!(folder.names(), ["cube.off"]);
}
