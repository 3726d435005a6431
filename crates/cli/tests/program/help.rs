//! Help, completions, and where the program looks for a backend and for its data.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{error_line, lanecast, output_of, points, rays};

const SUBCOMMANDS: &str =
    "demo cast points lidar sight terrain render info build verify bench completions";
/// Those that take a mesh.
const OF_MESHES: &str = "cast points lidar sight render info build verify bench";

fn help(arguments: &str, columns: usize) -> String {
    let mut command = lanecast();
    output_of(command.env("COLUMNS", columns.to_string()).args(arguments.split_whitespace()))
}

/// A text on one line.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn help_says_what_it_should() {
    let rim = "At the rim of an open surface this may be 0 where closest has a hit: --touched counts that too";
    let codes = "…Exit codes: 0…; 1 …; 2 error…; 130 interrupted…";
    for (subcommands, pattern) in [
        (SUBCOMMANDS, "…Usage: lanecast…Examples:…"),
        ("demo cast points lidar sight terrain render info build verify bench", "…Exit codes: 0…"),
        ("--help verify", codes),
        (OF_MESHES, "…--weld <TOLERANCE>…"),
        ("cast", &format!("…{rim}…")),
        ("cast", "…At the rim of an open surface there may be none where closest has a hit…"),
        ("build", "…a scene file of f64, which all of them take but bench…"),
        ("--help", "…Exit codes…"),
        ("--help", "…LANECAST_BACKEND…"),
        ("--help", "…NO_COLOR…"),
    ] {
        for subcommand in subcommands.split(' ') {
            let found = on_one_line(&help(&format!("{subcommand} --help"), 80));
            assert_reads(&found, pattern);
        }
    }
    for subcommand in SUBCOMMANDS.split(' ') {
        let short = on_one_line(&help(&format!("{subcommand} -h"), 80));
        assert_reads(&short, "…Usage: lanecast…Examples:…");
        assert_reads(&help("--help", 80), &format!("…{subcommand}…"));
    }
    for status in lanecast::Status::ALL {
        let line = format!("…  {}  {status}\n…", status.code());
        assert_reads(&help("cast --help", 80), &line);
    }
}

#[test]
fn whoever_takes_a_mesh_says_that_a_scene_file_will_do() {
    for subcommand in OF_MESHES.split(' ') {
        let help = help(&format!("{subcommand} --help"), 80);
        // Up to the next argument or option.
        let (_, arguments) = help.split_once("Arguments:\n").expect("arguments");
        let of_mesh = arguments.split("\n\n").next().expect("an argument");
        assert_reads(&on_one_line(of_mesh), "…MESH…scene file…");
    }
}

#[test]
fn completions_are_printed_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert_reads(&output_of(lanecast().args(["completions", shell])), "…lanecast…");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in ["--version", "--help", "help cast", "cast -h"] {
        let output = lanecast().args(arguments.split(' ')).assert().success().get_output().clone();
        let is_whole = output.stdout.starts_with(b"lanecast 0.") || output.stdout.len() > 200;
        assert!(is_whole && output.stderr.is_empty(), "{arguments}");
    }
}

#[test]
fn an_unknown_backend_lists_the_available_ones() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0,0,5,0,0,-1"));
    folder.file("points.csv", points("0,0,5"));
    let before = folder.names();
    for line in [
        "cast cube.off rays.csv -o hits.csv",
        "info cube.off",
        "render cube.off -o picture.png",
        "bench cube.off",
        "",
    ] {
        let found = error_line(folder.run(line).env("LANECAST_BACKEND", "mmx"));
        let backends = "unknown backend \"mmx\"; available here: portable…";
        assert_reads(&found, &format!("LANECAST_BACKEND: {backends}"));
    }
    assert_eq!(folder.names(), before);
    folder.run("info cube.off --backend mmx").assert().code(2);
    // The option counts, and not the environment.
    for line in ["info cube.off", "verify cube.off --rays 60"] {
        let mut command = folder.run(line);
        command.env("LANECAST_BACKEND", "mmx").args(["--backend", "portable"]).assert().success();
    }
}

#[test]
fn the_demonstration_says_where_its_data_should_be() {
    let folder = Folder::new();
    folder.refuses([("demo --data nowhere", "nowhere/jacksboro.ply: …")]);
    // Run elsewhere and not from its repository, the program finds nothing and says what to do.
    let program = folder.path("lanecast");
    let built = assert_cmd::cargo::cargo_bin!("lanecast");
    let linked = std::fs::hard_link(built, &program);
    linked.or_else(|_| std::fs::copy(built, &program).map(drop)).expect("a copy of the program");
    let mut command = assert_cmd::Command::new(&program);
    let line = error_line(command.current_dir(folder.path("")).env_remove("CARGO_MANIFEST_DIR"));
    assert_reads(&line, "data/jacksboro.ply: not found…--data…");
}

/// The most columns of a terminal that some have, the usual number, and few.
#[test]
fn help_wraps_to_the_terminal() {
    for subcommand in SUBCOMMANDS.split(' ') {
        for columns in [60, 80, 100] {
            for flag in ["-h", "--help"] {
                let help = help(&format!("{subcommand} {flag}"), columns);
                // Of what is typed no line is broken: options with their values, and examples.
                let is_typed = |line: &str| {
                    ["  lanecast ", "Usage"].iter().any(|typed| line.starts_with(typed))
                        || line.contains("| lanecast")
                };
                let long =
                    help.lines().find(|line| !is_typed(line) && line.chars().count() > columns);
                assert_eq!(long, None, "{subcommand} {flag}: {columns}");
            }
        }
        // Paragraphs are not broken at a width of their own.
        let words = |columns| on_one_line(&help(&format!("{subcommand} --help"), columns));
        assert_eq!(words(100), words(60), "{subcommand}");
    }
}

#[test]
fn short_help_fits_a_screen_and_long_help_has_the_rest() {
    for subcommand in SUBCOMMANDS.split(' ').chain([""]) {
        let [short, long] = ["-h", "--help"].map(|flag| help(&format!("{subcommand} {flag}"), 80));
        let lines = short.lines().count();
        assert!(lines <= 40, "{subcommand}: {lines} lines: {short}");
        if subcommand != "completions" {
            assert!(long.lines().count() > lines, "{subcommand}");
            let more = on_one_line(&format!("More: lanecast {subcommand} --help"));
            assert_reads(short.trim_end(), &format!("…{more}"));
        }
        // Whatever option there is in one is in the other; but for what few scans need.
        let options = |text: &str| -> Vec<String> {
            // Farther right is what is said of them, and at the margin the text behind.
            let lines =
                text.lines().filter(|line| line.starts_with("  -") || line.starts_with("      --"));
            let names = lines.filter_map(|line| line.split_once("--")?.1.split([' ', ',']).next());
            names.map(str::to_owned).collect()
        };
        let (short, mut long) = (options(&short), options(&long));
        let labels = long.extract_if(.., |option| ["faces", "names"].contains(&&**option)).count();
        let names_primitives = ["cast", "points", "lidar", "sight"].contains(&subcommand);
        assert_eq!(labels, if names_primitives { 2 } else { 0 }, "{subcommand}");
        let keeps = long.extract_if(.., |option| option == "keep").count();
        let answers_rows = ["cast", "points"].contains(&subcommand);
        assert_eq!(keeps, usize::from(answers_rows), "{subcommand}");
        let formats =
            long.extract_if(.., |option| ["rays-format", "points-format"].contains(&&**option));
        let reads_rows = ["cast", "points", "sight", "verify"].contains(&subcommand);
        assert_eq!(formats.count(), usize::from(reads_rows), "{subcommand}");
        if subcommand == "lidar" {
            let hidden = long.extract_if(.., |option| !short.contains(option)).collect::<Vec<_>>();
            assert_eq!((hidden.len(), &*hidden[0]), (14, "swath"), "{hidden:?}");
        }
        assert_eq!(short, long, "{subcommand}");
    }
}
