//! Readers that go away, and interrupts while a pipe is read.

use crate::folder::Folder;
use crate::support::{file, ray_lines, text};
use std::io::{ErrorKind, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

fn program(folder: &Folder, line: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lanecast"));
    command.env_remove("LANECAST_BACKEND").current_dir(folder.path("")).args(line.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", file(&ray_lines(20_000)));
    let mut child = program(&folder, "cast cube.off rays.csv -o -").spawn().expect("the program");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), text(output.stderr)), (Some(0), String::new()));
}

/// What cannot be written is not waited for.
#[test]
fn a_reader_that_goes_away_ends_a_program_that_waits_for_more_rays() {
    let folder = Folder::with_cube();
    let mut child = program(&folder, "cast cube.off - -o -").spawn().expect("the program");
    drop(child.stdout.take());
    let mut pipe = child.stdin.take().expect("a pipe");
    // More than are read at a time, and then nothing more, without closing. The program may end
    // before it has read them all.
    if let Err(problem) = pipe.write_all(file(&ray_lines(300_000)).as_bytes()) {
        assert_eq!(problem.kind(), ErrorKind::BrokenPipe);
    }
    let ended = (0..6000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        child.try_wait().expect("a state")
    });
    drop(pipe);
    assert_eq!(ended.and_then(|status| status.code()), Some(0));
}

#[test]
fn an_interrupt_ends_at_once_and_leaves_no_half_file() {
    let folder = Folder::with_cube();
    let mut child = program(&folder, "cast cube.off - -o hits.csv").spawn().expect("the program");
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
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
    assert_eq!((code, said.as_str()), (Some(130), ""));
    assert_eq!(folder.names(), ["cube.off"]);
}
