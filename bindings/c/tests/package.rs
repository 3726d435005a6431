//! lanecast as its README installs it: the commands and programs there run as they stand, and the prefix has what it says.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, thread};

use programs::{built, expect_success, package, there};

mod programs;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Each 0.x is another library.
const SONAME: &str = concat!(
    "liblanecast.so.",
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR")
);
/// What is installed beside the shared library and its links.
const INSTALLED: [&str; 14] = [
    "include/lanecast.h",
    "include/lanecast.hpp",
    "include/lanecast/answers.hpp",
    "include/lanecast/error.hpp",
    "include/lanecast/geometry.hpp",
    "include/lanecast/makers.hpp",
    "include/lanecast/memory.hpp",
    "include/lanecast/options.hpp",
    "include/lanecast/rays.hpp",
    "include/lanecast/scene.hpp",
    "lib/cmake/lanecast/lanecastConfig.cmake",
    "lib/cmake/lanecast/lanecastConfigVersion.cmake",
    "lib/liblanecast.a",
    "lib/pkgconfig/lanecast.pc",
];

/// The README's blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let readme = fs::read_to_string(package().join("README.md")).expect("a README");
    let start = format!("```{language}\n");
    let mut found = Vec::new();
    for part in format!("\n{readme}").split(&format!("\n{start}")).skip(1) {
        found.push(
            part.split_inclusive("\n```")
                .next()
                .expect("a block")
                .trim_end_matches("```")
                .to_owned(),
        );
    }
    assert!(!found.is_empty(), "the README has no block of {language}");
    found
}

fn block(language: &str) -> String {
    let found = blocks(language);
    assert_eq!(found.len(), 1, "blocks of {language}");
    found.into_iter().next().expect("a block")
}

/// Whether the tests run. `.ci/run` says aloud where it switches them off.
fn is_wanted() -> bool {
    if env::var("LANECAST_TEST_PACKAGE").is_ok_and(|wanted| wanted == "no") {
        return false;
    }
    for tool in ["cmake", "pkg-config"] {
        let is_there = Command::new(tool).arg("--version").output().is_ok();
        assert!(is_there, "{tool} is needed, or LANECAST_TEST_PACKAGE=no leaves these tests out");
    }
    true
}

/// A home of its own, in which the README's commands install. They find libraries that cargo has
/// built already in `libraries`, or build them.
struct Home<'a> {
    folder: &'a Path,
    libraries: Option<PathBuf>,
}

impl Home<'_> {
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        // `cargo test` has set the last, among whose folders is that of its own libraries.
        for name in ["DESTDIR", "LANECAST_LIBRARY_DIR", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
        if let Some(libraries) = &self.libraries {
            command.env("LANECAST_LIBRARY_DIR", libraries);
        }
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            if let (None, Some(home)) = (env::var_os(name), env::var_os("HOME")) {
                command.env(name, Path::new(&home).join(folder));
            }
        }
        command.env("HOME", self.folder).current_dir(self.folder);
        command
    }

    fn shell(&self, script: &str) -> String {
        let output = expect_success(self.command("sh").args(["-euc", script]));
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    }
}

fn shared(prefix: &Path) -> PathBuf {
    prefix.join(format!("lib/liblanecast.so.{VERSION}"))
}

/// Files below a folder by their paths there, and links as `name -> target`.
fn tree(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("a path below").display().to_string();
            if let Ok(target) = fs::read_link(&path) {
                found.push(format!("{name} -> {}", target.display()));
            } else if path.is_dir() {
                folders.push(path);
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    found
}

fn expect_the_tree_of_the_readme(prefix: &Path) {
    let mut expected = INSTALLED.map(str::to_owned).to_vec();
    expected.push(format!("lib/liblanecast.so.{VERSION}"));
    expected.push(format!("lib/{SONAME} -> liblanecast.so.{VERSION}"));
    expected.push(format!("lib/liblanecast.so -> {SONAME}"));
    expected.sort();
    assert_eq!(tree(prefix), expected);
}

fn expect_the_shared_library_to_be_named_and_to_export_functions(prefix: &Path) {
    let library = shared(prefix);
    let output = expect_success(Command::new("readelf").arg("-d").arg(&library));
    let entries = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(entries.contains(&format!("soname: [{SONAME}]")), "{entries}");
    let output = expect_success(Command::new("nm").args(["-D", "--defined-only"]).arg(&library));
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let names: Vec<_> = names.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    assert!(names.contains(&"lanecast_build"), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("lanecast_")), "{names:?}");
}

/// The README's first programs, by find_package, with the prefix at `prefix`.
fn expect_first_programs_to_run(home: &Home, prefix: &Path) {
    let folder = home.folder.join("first");
    fs::create_dir(&folder).expect("a folder");
    for (name, language) in [("first.c", "c"), ("first.cpp", "cpp"), ("CMakeLists.txt", "cmake")] {
        fs::write(folder.join(name), block(language)).expect("a file");
    }
    let flags = "-Wall -Wextra -Werror -pedantic";
    let script = format!(
        "cmake -S first -B first/build -DCMAKE_PREFIX_PATH='{}' -DCMAKE_C_FLAGS='-std=c11 {flags}' -DCMAKE_CXX_FLAGS='{flags}'
         cmake --build first/build",
        prefix.display()
    );
    home.shell(&script);
    for program in ["first_c", "first_cpp"] {
        let output =
            expect_success(&mut home.command(&format!("{}/build/{program}", folder.display())));
        assert_eq!(String::from_utf8_lossy(&output.stdout), block("text"), "{program}");
    }
}

/// Runs the README, and gives what its first block said.
fn run_the_readme(home: &Home) {
    let sources = package().display().to_string();
    let blocks = blocks("sh").into_iter().map(|block| {
        assert!(block.contains("bindings/c"), "{block}");
        block.replace("bindings/c", &sources)
    });
    let blocks: Vec<_> = blocks.collect();
    let [install, by_cmake, by_pkg_config] = &blocks[..] else {
        panic!("the README installs, and builds by CMake and by pkg-config: {blocks:?}");
    };
    home.shell(install);
    let prefix = home.folder.join(".local");
    expect_the_tree_of_the_readme(&prefix);
    expect_the_shared_library_to_be_named_and_to_export_functions(&prefix);
    let told = home.shell(install);
    assert!(!told.contains("Compiling"), "nothing has changed:\n{told}");
    thread::scope(|scope| {
        scope.spawn(|| home.shell(by_cmake));
        home.shell(by_pkg_config);
    });

    // All that was found by the prefix is found where it is moved to.
    let moved = home.folder.join("moved here");
    fs::rename(&prefix, &moved).expect("the prefix is moved");
    expect_first_programs_to_run(home, &moved);
    for compiler in there(["gcc", "clang"]) {
        let by_pkg_config = format!(
            "export PKG_CONFIG_PATH='moved here/lib/pkgconfig'
             pkg-config --modversion lanecast
             eval {compiler} first/first.c $(pkg-config --cflags --libs lanecast) -o first/by_pkg_config
             LD_LIBRARY_PATH='moved here/lib' first/by_pkg_config"
        );
        assert_eq!(home.shell(&by_pkg_config), format!("{VERSION}\n{}", block("text")));
    }
}

#[test]
fn the_readme_installs_libraries_and_builds_programs() {
    if is_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        run_the_readme(&Home { folder: folder.path(), libraries: Some(built()) });
    }
}

/// As cargo compiles it for those who install it, and not as for tests.
#[test]
#[ignore = "compiles the engine anew, which takes minutes"]
fn the_readme_installs_a_library_that_it_compiles() {
    if is_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        run_the_readme(&Home { folder: folder.path(), libraries: None });
        let size =
            fs::metadata(shared(&folder.path().join("moved here"))).expect("a library").len();
        // docs/notebook/library-size.md has what takes them.
        assert!(size < 5_700_000, "{size} bytes");
    }
}

#[test]
fn a_project_that_adds_the_folder_has_the_same_targets_and_installs_nothing_of_it() {
    if !is_wanted() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home { folder: folder.path(), libraries: Some(built()) };
    fs::write(folder.path().join("first.c"), block("c")).expect("a file");
    let project = format!(
        "cmake_minimum_required(VERSION 3.16)
         project(first C)
         add_subdirectory(\"{}\" lanecast)
         foreach(kind lanecast static)
             add_executable(first_${{kind}} first.c)
             target_link_libraries(first_${{kind}} PRIVATE lanecast::${{kind}})
             install(TARGETS first_${{kind}})
         endforeach()",
        package().display()
    );
    fs::write(folder.path().join("CMakeLists.txt"), project).expect("a file");
    home.shell(
        "cmake -S . -B build; cmake --build build; cmake --install build --prefix installed",
    );
    for program in ["first_lanecast", "first_static"] {
        let program = folder.path().join("build").join(program);
        let output = expect_success(&mut home.command(&program.display().to_string()));
        assert_eq!(String::from_utf8_lossy(&output.stdout), block("text"));
    }
    assert_eq!(tree(&folder.path().join("installed")), ["bin/first_lanecast", "bin/first_static"]);
}

/// As packages of distributions are made: in a folder that stands for the root, where libraries have one of
/// their own for each kind of processor.
#[test]
fn another_root_and_another_folder_of_libraries_are_kept_to() {
    if !is_wanted() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home { folder: folder.path(), libraries: Some(built()) };
    let sources = package().display();
    home.shell(&format!(
        "cmake -S '{sources}' -B build -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib/some-machine
         cmake --build build
         DESTDIR=root cmake --install build"
    ));
    let libraries = folder.path().join("root/usr/lib/some-machine");
    assert!(libraries.join(SONAME).exists());
    // It leaves out what the prefix /usr makes needless.
    let told = home.shell(
        "PKG_CONFIG_PATH=root/usr/lib/some-machine/pkgconfig pkg-config --variable=libdir lanecast",
    );
    assert_eq!(
        fs::canonicalize(folder.path().join(told.trim())).expect("a folder"),
        fs::canonicalize(libraries).expect("a folder")
    );
}
