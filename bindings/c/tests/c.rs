//! Programs in C and C++ against the shared and the static library, by each compiler that is there; what the
//! library exports; and the header by itself.
//!
//! For sanitizers and valgrind, as `.ci/full` runs the programs: `LANECAST_C_FLAGS` has further flags of the
//! compilers, `LANECAST_C_COMPILERS` those that are used, `LANECAST_C_LIBRARIES` a folder with other libraries
//! than those that cargo built for this test, `LANECAST_C_RUNNER` the program that runs them.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use programs::{built, expect_success, package, there};

mod programs;

static C: Language = Language {
    folder: "c",
    compilers: ["gcc", "clang"],
    standard: "c11",
    links: &["shared", "static"],
    programs: &["faults", "answers", "threads"],
};
static CPP: Language = Language {
    folder: "cpp",
    compilers: ["g++", "clang++"],
    standard: "c++17",
    // It is a layer over what C has, and takes long to compile.
    links: &["shared"],
    programs: &["callbacks", "makers", "memory", "queries", "scenes"],
};

/// Programs in `tests`, and what compiles them.
struct Language {
    /// That of the programs, and their extension.
    folder: &'static str,
    compilers: [&'static str; 2],
    standard: &'static str,
    links: &'static [&'static str],
    programs: &'static [&'static str],
}

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
fn programs_run_with_the_libraries() {
    let folder = tempfile::tempdir().expect("a folder");
    // By its soname.
    let shared = folder.path().join("liblanecast.so.0.1");
    std::fs::copy(libraries().join("liblanecast_c.so"), &shared).expect("the shared library");
    let (folder, shared) = (folder.path(), &shared);
    std::thread::scope(|scope| {
        for language in [&C, &CPP] {
            for compiler in there(language.compilers).into_iter().filter(|name| is_wanted(name)) {
                scope.spawn(move || compile_and_run(language, compiler, folder, shared));
            }
        }
    });
}

/// The words of a variable of the environment; none if it is not set.
fn words(variable: &str) -> Vec<String> {
    let words = std::env::var(variable).unwrap_or_default();
    words.split_whitespace().map(str::to_owned).collect()
}

fn is_wanted(compiler: &str) -> bool {
    let wanted = words("LANECAST_C_COMPILERS");
    wanted.is_empty() || wanted.iter().any(|name| name == compiler)
}

fn libraries() -> PathBuf {
    std::env::var_os("LANECAST_C_LIBRARIES").map_or_else(built, PathBuf::from)
}

fn compile_and_run(language: &Language, compiler: &str, folder: &Path, shared: &Path) {
    let &Language { folder: of_language, standard, links, programs, .. } = language;
    for (link, program) in links.iter().flat_map(|link| programs.iter().map(move |p| (link, p))) {
        let output = folder.join(format!("{program}-{compiler}-{link}"));
        let mut compile = Command::new(compiler);
        compile.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
        compile.arg(package().join("include")).arg(format!("-std={standard}"));
        compile.arg(package().join(format!("tests/{of_language}/{program}.{of_language}")));
        if *link == "shared" {
            compile.arg(shared).arg(format!("-Wl,-rpath,{}", folder.display()));
        } else {
            compile.arg(libraries().join("liblanecast_c.a"));
        }
        compile.args(["-lm", "-lpthread", "-ldl"]).args(words("LANECAST_C_FLAGS"));
        expect_success(compile.arg("-o").arg(&output));
        let mut run = words("LANECAST_C_RUNNER");
        run.push(output.display().to_string());
        expect_success(Command::new(&run[0]).args(&run[1..]).current_dir(folder));
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

/// By the table of `faults.c`, which lists a test for each.
#[test]
fn faults_of_each_function_are_tried() {
    let faults = std::fs::read_to_string(package().join("tests/c/faults.c")).expect("a program");
    let name = |line: &str| Some(line.trim().strip_prefix("{\"")?.split_once('"')?.0.to_owned());
    let tried: BTreeSet<_> = faults.lines().filter_map(name).collect();
    assert_eq!(tried, declared());
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
