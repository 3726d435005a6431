//! Help, completions, exit codes, and how errors look.

use crate::folder::Folder;
use crate::support::{CUBE, RAY_HEADER, error_line, lanecast, output_of};

const SUBCOMMANDS: [&str; 11] = [
    "demo",
    "cast",
    "points",
    "lidar",
    "sight",
    "render",
    "info",
    "build",
    "verify",
    "bench",
    "completions",
];

#[test]
fn every_subcommand_explains_itself_with_examples() {
    for subcommand in SUBCOMMANDS {
        for flag in ["-h", "--help"] {
            let help = output_of(lanecast().args([subcommand, flag]));
            assert!(
                help.contains("Usage: lanecast") && help.contains("Examples:"),
                "{subcommand}: {help}"
            );
        }
    }
    let help = output_of(lanecast().arg("--help"));
    for word in SUBCOMMANDS.iter().chain(&["Exit codes", "LANECAST_BACKEND", "NO_COLOR"]) {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn exit_codes_are_documented_where_work_is_done() {
    for subcommand in
        ["demo", "cast", "points", "lidar", "sight", "render", "info", "build", "verify", "bench"]
    {
        assert!(output_of(lanecast().args([subcommand, "--help"])).contains("Exit codes: 0"));
    }
}

#[test]
fn the_exit_code_of_a_difference_is_documented() {
    for arguments in [&["--help"][..], &["verify", "--help"]] {
        let help = output_of(lanecast().args(arguments));
        let codes = &help[help.find("Exit codes: 0").expect("exit codes")..];
        let codes = codes.split_whitespace().collect::<Vec<_>>().join(" ");
        for code in ["1 ", "2 error", "130 interrupted"] {
            assert!(codes.contains(&format!("; {code}")), "{code}: {help}");
        }
    }
}

#[test]
fn whoever_takes_a_mesh_says_that_a_scene_file_will_do() {
    for subcommand in
        ["cast", "points", "lidar", "sight", "render", "info", "build", "verify", "bench"]
    {
        let help = output_of(lanecast().args([subcommand, "--help"]));
        let arguments = help.lines().skip_while(|line| *line != "Arguments:").skip(1);
        // Up to the next argument or option.
        let of_mesh: Vec<_> = arguments.take_while(|line| !line.is_empty()).collect();
        let of_mesh = of_mesh.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            of_mesh.contains("MESH") && of_mesh.contains("scene file"),
            "{subcommand}: {of_mesh}"
        );
    }
}

#[test]
fn completions_are_printed_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(output_of(lanecast().args(["completions", shell])).contains("lanecast"));
    }
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    let wrong: [&[&str]; 8] = [
        &["fly"],
        &["cast"],
        &["cast", "mesh.ply", "rays.csv"],
        &["cast", "m.ply", "r.csv", "-o", "h.csv", "--query", "nearest"],
        &["cast", "m.ply", "r.csv", "-o", "h.csv", "--threads", "0"],
        &["cast", "m.ply", "r.csv", "-o", "h.csv", "--format", "docx"],
        &["render", "mesh.ply", "-o", "p.png", "--size", "0x10"],
        &["render", "mesh.ply", "-o", "p.png", "--up", "0,0,0"],
    ];
    for arguments in wrong {
        let line = error_line(lanecast().args(arguments));
        assert!(!line.starts_with("error") && line.ends_with(" --help')"), "{line}");
    }
}

#[test]
fn a_wrong_command_line_is_said_in_one_line_with_where_to_look() {
    let cases: [(&[&str], &str); 4] = [
        (
            &["cast", "mesh.ply"],
            "the following required arguments were not provided: --output <HITS> <RAYS> \
             (see 'lanecast cast --help')",
        ),
        (
            &["cast", "m.ply", "r.csv", "-o", "h.csv", "--query", "nearest"],
            "invalid value 'nearest' for '--query <QUERY>' [possible values: closest, line, any, all, count, cost] \
             (see 'lanecast cast --help')",
        ),
        (
            &["cats"],
            "unrecognized subcommand 'cats'; a similar subcommand exists: 'cast' (see 'lanecast --help')",
        ),
        (&["--fast"], "unexpected argument '--fast' found (see 'lanecast --help')"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(error_line(lanecast().args(arguments)), expected);
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--version"][..], &["--help"], &["help", "cast"], &["cast", "-h"]] {
        let output = lanecast().args(arguments).assert().success().get_output().clone();
        assert!(
            output.stdout.starts_with(b"lanecast 0.") || output.stdout.len() > 200,
            "{arguments:?}"
        );
        assert!(output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_numbers_of_the_status_are_explained() {
    let help = output_of(lanecast().args(["cast", "--help"]));
    for status in lanecast::Status::ALL {
        assert!(help.contains(&format!("  {}  {}\n", status.code(), status)), "{status}: {help}");
    }
}

#[test]
fn the_help_says_what_counts_at_a_rim() {
    let help = output_of(lanecast().args(["cast", "--help"]));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let rim = "At the rim of an open surface this may be 0 where closest has a hit: --touched counts that too";
    assert!(help.contains(rim), "{help}");
    assert!(
        help.contains("At the rim of an open surface there may be none where closest has a hit"),
        "{help}"
    );
}

#[test]
fn an_unknown_backend_lists_the_available_ones() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n");
    let (hits, picture) = (folder.path("hits.csv"), folder.path("picture.png"));
    let mut commands = [lanecast(), lanecast(), lanecast(), lanecast(), lanecast()];
    commands[0].arg("cast").args([&cube, &rays]).arg("-o").arg(&hits);
    commands[1].arg("info").arg(&cube);
    commands[2].arg("render").arg(&cube).arg("-o").arg(&picture);
    commands[3].arg("bench").arg(&cube);
    commands[4].current_dir(env!("CARGO_MANIFEST_DIR"));
    for mut command in commands {
        let line = error_line(command.env("LANECAST_BACKEND", "mmx"));
        assert!(
            line.starts_with("LANECAST_BACKEND: unknown backend \"mmx\"; available here: portable"),
            "{line}"
        );
    }
    assert_eq!(folder.names(), ["cube.off", "rays.csv"]);
    lanecast().args(["info", "cube.off", "--backend", "mmx"]).assert().code(2);
}

#[test]
fn an_option_overrides_the_environment() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    lanecast()
        .env("LANECAST_BACKEND", "mmx")
        .arg("info")
        .arg(cube)
        .args(["--backend", "portable"])
        .assert()
        .success();
}

#[test]
fn the_demonstration_says_where_its_data_should_be() {
    let folder = Folder::new();
    let line = error_line(lanecast().arg("demo").arg("--data").arg(folder.path("nowhere")));
    assert!(line.contains("jacksboro.ply: "), "{line}");
    // Run elsewhere and not from its repository, the program finds nothing and says what to do.
    let program = folder.path("lanecast");
    let built = assert_cmd::cargo::cargo_bin!("lanecast");
    let linked = std::fs::hard_link(built, &program);
    linked.or_else(|_| std::fs::copy(built, &program).map(drop)).expect("a copy of the program");
    let mut command = assert_cmd::Command::new(&program);
    let line = error_line(command.current_dir(folder.path("")).env_remove("CARGO_MANIFEST_DIR"));
    assert!(line.starts_with("data/jacksboro.ply: not found") && line.contains("--data"), "{line}");
}

/// The most columns of a terminal that some have, the usual number, and few.
#[test]
fn help_wraps_to_the_terminal() {
    for subcommand in SUBCOMMANDS {
        for columns in [60, 80, 100] {
            for flag in ["-h", "--help"] {
                let help = output_of(
                    lanecast().env("COLUMNS", columns.to_string()).args([subcommand, flag]),
                );
                // Of what is typed no line is broken: options with their values, and examples.
                let prose = help.lines().filter(|line| {
                    !line.starts_with("  lanecast ")
                        && !line.starts_with("Usage")
                        && !line.contains("| lanecast")
                });
                for line in prose {
                    assert!(
                        line.chars().count() <= columns,
                        "{subcommand} {flag}: {columns}: {line}"
                    );
                }
            }
        }
        // Paragraphs are not broken at a width of their own.
        let wide = output_of(lanecast().env("COLUMNS", "100").args([subcommand, "--help"]));
        let narrow = output_of(lanecast().env("COLUMNS", "60").args([subcommand, "--help"]));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&wide), words(&narrow), "{subcommand}");
    }
}

#[test]
fn short_help_fits_a_screen_and_long_help_has_the_rest() {
    for subcommand in SUBCOMMANDS.iter().chain(&[""]) {
        let help = |flag: &str| {
            let words: Vec<_> =
                [subcommand, flag].into_iter().filter(|word| !word.is_empty()).collect();
            output_of(lanecast().env("COLUMNS", "80").args(words))
        };
        let (short, long) = (help("-h"), help("--help"));
        let lines = short.lines().count();
        assert!(lines <= 40, "{subcommand}: {lines} lines: {short}");
        if *subcommand != "completions" {
            assert!(long.lines().count() > lines, "{subcommand}");
            let more = format!("More: lanecast {subcommand}").trim_end().to_owned() + " --help";
            assert!(short.trim_end().ends_with(&more), "{short}");
        }
        // Whatever option there is in one is in the other; but for what few scans need.
        let options = |text: &str| -> Vec<String> {
            // Farther right is what is said of them, and at the margin the text behind.
            let lines =
                text.lines().filter(|line| line.starts_with("  -") || line.starts_with("      --"));
            lines
                .filter_map(|line| {
                    Some(line.split_once("--")?.1.split([' ', ',']).next()?.to_owned())
                })
                .collect()
        };
        let (short, mut long) = (options(&short), options(&long));
        let labels = long.extract_if(.., |option| ["faces", "names"].contains(&&**option)).count();
        let names_primitives = ["cast", "points", "lidar", "sight"].contains(subcommand);
        assert_eq!(labels, if names_primitives { 2 } else { 0 }, "{subcommand}");
        if *subcommand == "lidar" {
            let hidden = long.extract_if(.., |option| !short.contains(option)).collect::<Vec<_>>();
            assert_eq!((hidden.len(), &*hidden[0]), (10, "velocity"), "{hidden:?}");
        }
        assert_eq!(short, long, "{subcommand}");
    }
}

/// Of options, subcommands and values that are nearly known, and of what is swallowed or out of
/// range.
#[test]
fn wrong_command_lines_are_said_with_what_was_meant() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let rays = folder.file("rays.csv", format!("{RAY_HEADER}0,0,0,5,0,0,-1\n"));
    let said = |name: &str, arguments: &[&str]| {
        let out = folder.path("out.csv");
        error_line(lanecast().arg(name).arg(&cube).args(arguments).arg(&rays).arg("-o").arg(out))
    };
    for (name, arguments, expected) in [
        (
            "points",
            &["--radus", "1"][..],
            "unexpected argument '--radus' found; a similar argument exists: '--radius'",
        ),
        (
            "cast",
            &["--querry", "any"],
            "unexpected argument '--querry' found; a similar argument exists: '--query'",
        ),
        ("cats", &[], "unrecognized subcommand 'cats'; a similar subcommand exists: 'cast'"),
        (
            "cast",
            &["--query", "clostest"],
            "invalid value 'clostest' for '--query <QUERY>' [possible values: closest, line, any, all, count, cost]; a \
             similar value exists: 'closest'",
        ),
        (
            "points",
            &["--radius", "-1"],
            "invalid value '-1' for '--radius <R>': expected a number that is not negative, as in 0.5",
        ),
        (
            "cast",
            &["--query", "all", "--limit", "-1"],
            "invalid value '-1' for '--limit <N>': -1 is not in 1..=4294967295",
        ),
        (
            "cast",
            &["--query", "all", "--limit", "0"],
            "invalid value '0' for '--limit <N>': 0 is not in 1..=4294967295",
        ),
        ("cast", &["--threads", "-2"], "invalid value '-2' for '--threads <N>': -2 is not in "),
        (
            "lidar",
            &["--at", "0,0,0", "--divergence", "3"],
            "--divergence: give --resolution too: how far behind each other surfaces must be to give a return each",
        ),
    ] {
        let arguments: Vec<&str> = arguments.to_vec();
        let line = if name == "lidar" {
            error_line(
                lanecast()
                    .arg(name)
                    .arg(&cube)
                    .args(arguments)
                    .arg("-o")
                    .arg(folder.path("out.csv")),
            )
        } else {
            said(name, &arguments)
        };
        assert!(line.starts_with(expected), "{line}");
    }
    let line = said("cast", &["--normals"]);
    let hint = "[possible values: geometric, shading]; what follows this option is its value: name one, or put the option last";
    assert!(line.contains("rays.csv' for '--normals [<KIND>]'") && line.contains(hint), "{line}");
    assert!(!folder.path("out.csv").exists());
}
