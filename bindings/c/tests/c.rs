//! Programs in C and C++ against the shared and the static library, by each compiler that is there; what the
//! library exports; and the header by itself.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::process::Command;

use programs::{built, expect_success, package, there};

mod programs;

const C: Language = Language {
    folder: "c",
    compilers: ["gcc", "clang"],
    standards: &["c11"],
    programs: &["faults", "answers", "threads"],
};
const CPP: Language = Language {
    folder: "cpp",
    compilers: ["g++", "clang++"],
    standards: &["c++17"],
    programs: &["memory", "queries"],
};

/// Programs in `tests`, and what compiles them.
struct Language {
    /// That of the programs, and their extension.
    folder: &'static str,
    compilers: [&'static str; 2],
    standards: &'static [&'static str],
    programs: &'static [&'static str],
}

/// Functions whose faults `faults.c` does not try yet.
const WITHOUT_FAULTS: [&str; 19] = [
    "lanecast_closest1_with_normal_f32",
    "lanecast_closest1_with_normal_f64",
    "lanecast_footprint",
    "lanecast_hemisphere",
    "lanecast_lidar",
    "lanecast_lidar_pulses",
    "lanecast_line_hits",
    "lanecast_locate",
    "lanecast_make_rays",
    "lanecast_maker_count",
    "lanecast_maker_free",
    "lanecast_orthographic",
    "lanecast_panorama",
    "lanecast_pinhole",
    "lanecast_pinhole_of_matrices",
    "lanecast_ray_grid",
    "lanecast_scene_get_instance_path",
    "lanecast_sun_direction",
    "lanecast_sunlight",
];

/// The functions that the header declares.
fn declared() -> BTreeSet<String> {
    let header = std::fs::read_to_string(package().join("include/lanecast.h")).expect("a header");
    let code = header.lines().filter(|line| !line.trim_start().starts_with("//"));
    let declarations = code.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let declarations = declarations
        .filter(|line| !line.starts_with("typedef") && !line.starts_with("static inline"));
    let name = |line: &str| {
        let before = line.split('(').next()?;
        let name = before.rsplit([' ', '*']).next()?;
        (line.contains('(') && name.starts_with("lanecast_")).then(|| name.to_owned())
    };
    declarations.filter_map(name).collect()
}

#[test]
fn programs_run_with_both_libraries() {
    let (built, folder) = (built(), tempfile::tempdir().expect("a folder"));
    // By its soname.
    let shared = folder.path().join("liblanecast.so.0.1");
    std::fs::copy(built.join("liblanecast_c.so"), &shared).expect("the shared library");
    for Language { folder: language, compilers, standards, programs } in [C, CPP] {
        for compiler in there(compilers) {
            for (standard, program) in standards
                .iter()
                .flat_map(|standard| programs.iter().map(move |name| (standard, name)))
            {
                for is_shared in [true, false] {
                    let kind = if is_shared { "shared" } else { "static" };
                    let output = folder.path().join(format!("{program}-{compiler}-{kind}"));
                    let mut compile = Command::new(compiler);
                    compile.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
                    compile.arg(package().join("include")).arg(format!("-std={standard}"));
                    compile.arg(package().join(format!("tests/{language}/{program}.{language}")));
                    if is_shared {
                        compile.arg(&shared).arg(format!("-Wl,-rpath,{}", folder.path().display()));
                    } else {
                        compile.arg(built.join("liblanecast_c.a"));
                    }
                    compile.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&output);
                    expect_success(&mut compile);
                    expect_success(Command::new(&output).current_dir(folder.path()));
                }
            }
        }
    }
}

#[test]
fn the_library_exports_the_functions_of_the_header_and_no_others() {
    let library = built().join("liblanecast_c.so");
    let output = expect_success(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let listed = String::from_utf8_lossy(&output.stdout);
    let exported: BTreeSet<_> =
        listed.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    assert_eq!(exported, declared());
}

#[test]
fn faults_of_each_function_are_tried() {
    let faults = std::fs::read_to_string(package().join("tests/c/faults.c")).expect("a program");
    let without: Vec<_> = declared()
        .into_iter()
        .filter(|name| {
            !faults.contains(&format!("{name}(")) && !faults.contains(&format!("{name},"))
        })
        .collect();
    assert_eq!(without, WITHOUT_FAULTS);
}

#[test]
fn the_header_compiles_by_itself_and_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("twice");
    std::fs::write(&source, "#include <lanecast.h>\n#include <lanecast.h>\n").expect("a source");
    for compiler in there(C.compilers) {
        for (language, standard) in [("c", "c11"), ("c", "c17"), ("c++", "c++17")] {
            let mut compile = Command::new(compiler);
            compile.args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
            compile.arg(package().join("include")).args(["-x", language]);
            compile.arg(format!("-std={standard}")).arg(&source);
            expect_success(&mut compile);
        }
    }
}
