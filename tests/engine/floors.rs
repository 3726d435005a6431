//! A module of the engine or of the program imports only from lower floors, and siblings on a floor
//! do not import each other.
//!
//! Reads every path that starts with `crate::` or `super::` in the code of a package: comments and
//! strings do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a package and the imports that they may have.
struct Package {
    /// The folder of its code, from the root of the repository.
    folder: &'static str,
    /// The file in it that lists the modules. It stands above all floors.
    root: &'static str,
    /// The floors, lowest first. A module that is not listed fails the test.
    floors: &'static [(u32, &'static [&'static str])],
    /// Module and path of the imports that are allowed although they do not go down.
    exceptions: &'static [(&'static str, &'static str)],
}

const ENGINE: Package = Package {
    folder: "src",
    root: "lib.rs",
    floors: &[
        (0, &["simd", "memory", "error", "math", "status", "threads"]),
        (1, &["columns", "chunks", "store"]),
        (2, &["answers", "value"]),
        (3, &["kernel"]),
        (4, &["tree"]),
        (5, &["leaf"]),
        (6, &["query"]),
        (7, &["traverse"]),
        (8, &["shapes", "scan"]),
        (9, &["scene", "primitive"]),
        (10, &["cast"]),
    ],
    // Plain values at the foot of their floor: every module reports errors, and errors show a
    // status, a number and the backends that there are; arithmetic of twice the precision is
    // written on lanes.
    exceptions: &[
        ("simd", "error"),
        ("threads", "error"),
        ("error", "status"),
        ("error", "simd::Backend"),
        ("math", "simd"),
    ],
};

const PROGRAM: Package = Package {
    folder: "crates/cli/src",
    root: "main.rs",
    floors: &[
        (0, &["failure", "help", "ids", "number", "progress", "tally", "vector"]),
        (1, &["arguments", "interrupt", "keep", "labels", "machine", "output", "rays", "scenes"]),
        (1, &["shipped"]),
        (2, &["chunks", "hit_format", "numbers", "precision", "report"]),
        (3, &["inputs", "mesh", "picture"]),
        (4, &["existing", "pace", "rounding"]),
        (5, &["pipeline", "summary"]),
        (6, &["bench", "build", "cast", "completions", "demo", "info", "lidar", "points"]),
        (6, &["render", "sight", "terrain", "verify"]),
        (7, &["command_line"]),
    ],
    exceptions: &[],
};

/// One path in one file, from the module that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Import {
    from: String,
    path: String,
}

/// The root of the repository.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("the tests lie in the repository").to_owned()
}

impl Package {
    fn floor_of(&self, module: &str) -> Option<u32> {
        let floor = self.floors.iter().find(|(_, modules)| modules.contains(&module));
        floor.map(|&(floor, _)| floor)
    }

    /// Why this import may not be, or `None` if it may.
    fn objection(&self, Import { from, path }: &Import) -> Option<String> {
        let to = path.split("::").next().unwrap_or_default();
        let is_exception = |&(module, shared): &(&str, &str)| {
            let rest = path.strip_prefix(shared);
            from == module && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        if from == to || self.exceptions.iter().any(is_exception) {
            return None;
        }
        let (Some(here), Some(there)) = (self.floor_of(from), self.floor_of(to)) else {
            return Some(format!("`{from}` imports `{path}`, and one of them belongs to no floor"));
        };
        if there > here {
            Some(format!("`{from}` on floor {here} imports `{path}` from floor {there} above it"))
        } else if there == here {
            Some(format!("`{from}` imports its sibling `{path}` on floor {here}"))
        } else {
            None
        }
    }

    fn source_folder(&self) -> PathBuf {
        root().join(self.folder)
    }

    /// The code of the file that lists the modules.
    fn root_code(&self) -> String {
        code_only(&fs::read_to_string(self.source_folder().join(self.root)).expect("UTF-8"))
    }

    /// What the root makes public, by its full path.
    fn root_names(&self) -> Vec<String> {
        let names = paths_after(&self.root_code(), "pub use ");
        names.into_iter().filter(|name| name.contains("::")).collect()
    }

    /// The files of modules with their text, each at its place in the folder.
    fn files(&self) -> Vec<(PathBuf, String)> {
        let folder = self.source_folder();
        let place = |file: &PathBuf| file.strip_prefix(&folder).expect("a file of it").to_owned();
        let files =
            files_below(&folder).into_iter().filter(|file| place(file) != Path::new(self.root));
        files.map(|file| (place(&file), fs::read_to_string(&file).expect("UTF-8"))).collect()
    }

    /// The imports of the file at `place`.
    fn imports(&self, place: &Path, source: &str) -> Vec<Import> {
        let module = module_of(place);
        let from = module[0].clone();
        let code = code_only(source);
        let mut found = paths_after(&code, "crate::");
        for up in 1..=module.len() {
            let above = module[..module.len() - up].join("::");
            let tails = paths_after(&code, &"super::".repeat(up))
                .into_iter()
                .filter(|tail| !tail.starts_with("super"));
            found.extend(
                tails.map(|tail| if above.is_empty() { tail } else { format!("{above}::{tail}") }),
            );
        }
        let whole = self.root_names();
        found
            .into_iter()
            .map(|path| {
                // `crate::Aabb` is `crate::primitive::Aabb` by its public name.
                let public =
                    whole.iter().find(|name| name.split("::").last() == path.split("::").next());
                Import { from: from.clone(), path: public.cloned().unwrap_or(path) }
            })
            .collect()
    }
}

/// The code without comments and the insides of strings.
fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find("'").map_or(rest.len(), |end| end + 2)
        } else if next == '"' {
            end_of_string(rest)
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        rest = &rest[skipped..];
        code.push(' ');
    }
    code
}

fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' => escaped = !escaped,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The paths that follow `prefix`, with nested braces taken apart: `a::{b, c::d}` is a::b and
/// a::c::d.
fn paths_after(code: &str, prefix: &str) -> Vec<String> {
    let starts = code.match_indices(prefix).filter(|(at, _)| {
        let before = code[..*at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    });
    starts.flat_map(|(at, _)| expand(&code[at + prefix.len()..])).collect()
}

fn expand(text: &str) -> Vec<String> {
    let text = text.trim_start();
    let name_end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(name_end);
    if let Some(rest) = rest.strip_prefix("::") {
        if name.is_empty() {
            return expand(rest);
        }
        return expand(rest).into_iter().map(|tail| format!("{name}::{tail}")).collect();
    }
    let Some(inside) = text.strip_prefix('{') else { return vec![name.to_owned()] };
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                if !inside[start..at].trim().is_empty() {
                    parts.extend(expand(&inside[start..at]));
                }
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    parts
}

/// The module of a file that lies at `place`, such as `tree/build.rs`.
fn module_of(place: &Path) -> Vec<String> {
    let mut module: Vec<String> =
        place.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    module
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .flat_map(|entry| {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() { files_below(&path) } else { vec![path] }
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
}

#[test]
fn no_module_imports_from_its_own_floor_or_above() {
    for package in [ENGINE, PROGRAM] {
        let (mut seen, mut objections) = (0, Vec::new());
        for (place, source) in package.files() {
            let imports = package.imports(&place, &source);
            seen += imports.len();
            let bad = imports.iter().filter_map(|import| package.objection(import));
            let place = place.display();
            objections.extend(bad.map(|what| format!("{}/{place}: {what}", package.folder)));
        }
        assert!(objections.is_empty(), "imports must go down:\n{}", objections.join("\n"));
        assert!(seen > 50, "only {seen} imports were found: the reader of this test is broken");
    }
}

/// Whether `to` can be reached from `from` along `edges`.
fn reaches(
    edges: &BTreeSet<(String, String)>,
    from: &str,
    to: &str,
    seen: &mut BTreeSet<String>,
) -> bool {
    edges
        .iter()
        .filter(|(start, _)| start == from)
        .any(|(_, next)| next == to || seen.insert(next.clone()) && reaches(edges, next, to, seen))
}

/// Which siblings import which, by the folder in which they lie.
type Siblings = BTreeMap<PathBuf, BTreeSet<(String, String)>>;

fn siblings(package: &Package) -> Siblings {
    let (folder, mut folders) = (package.source_folder(), Siblings::new());
    for (place, source) in package.files() {
        let module = module_of(&place);
        for Import { path, .. } in package.imports(&place, &source) {
            let target: Vec<&str> = path.split("::").collect();
            let common = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (1.., Some(here), Some(there)) = (common, module.get(common), target.get(common))
            {
                let parent: PathBuf = module[..common].iter().collect();
                let sibling = folder.join(&parent).join(there);
                if sibling.is_dir() || sibling.with_extension("rs").is_file() {
                    folders.entry(parent).or_default().insert((here.clone(), (*there).to_owned()));
                }
            }
        }
    }
    folders
}

#[test]
fn siblings_inside_a_folder_form_no_cycle() {
    for package in [ENGINE, PROGRAM] {
        let folders = siblings(&package);
        let count = folders.len();
        assert!(count > 5, "only {count} folders were found: the reader of this test is broken");
        for (parent, edges) in &folders {
            for (from, to) in edges {
                let cycle = reaches(edges, to, from, &mut BTreeSet::new());
                let parent = Path::new(package.folder).join(parent);
                let parent = parent.display();
                assert!(!cycle, "{parent}: `{from}` imports `{to}`, which imports it in turn");
            }
        }
    }
}

#[test]
fn other_packages_see_the_public_interface_only() {
    // The compiler sees to it, unless they take in a file that is not theirs.
    for package in ["io", "makers", "terrain", "cli", "reference"] {
        let package = root().join("crates").join(package);
        let package = package.canonicalize().expect("a package");
        for file in files_below(&package.join("src")) {
            let text = fs::read_to_string(&file).expect("UTF-8");
            assert!(!code_only(&text).contains("include!"), "{} includes a file", file.display());
            for taken in text.split("#[path = \"").skip(1) {
                let taken = file.with_file_name(taken.split('"').next().expect("a path"));
                let taken = taken.canonicalize().expect("the file that a path names");
                assert!(
                    taken.starts_with(&package),
                    "{} reaches round the public interface",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn every_module_has_a_floor() {
    for package in [ENGINE, PROGRAM] {
        let code = package.root_code();
        let lines = code.lines().map(|line| line.trim().trim_start_matches("pub "));
        let modules: BTreeSet<&str> =
            lines.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        let listed = package.floors.iter().flat_map(|(_, modules)| modules.iter().copied());
        assert_eq!(modules, listed.collect(), "modules of {}, and those on floors", package.folder);
    }
}

/// What the test finds in a file that does not exist.
fn objections_to(package: &Package, place: &str, source: &str) -> usize {
    let imports = package.imports(Path::new(place), source);
    imports.iter().filter_map(|import| package.objection(import)).count()
}

#[test]
fn imports_that_go_up_or_sideways_are_found() {
    for (place, source) in [
        ("kernel/slab.rs", "use crate::tree::Bvh;"),
        ("kernel/slab.rs", "use crate::{math::sub, query::Query};"),
        (
            "kernel/slab.rs",
            "use crate::{\n    math::{self, sub},\n    value::{Ray},\n    scene::Scene,\n};",
        ),
        ("kernel/slab.rs", "use super::super::scan::Scan;"),
        ("kernel/mod.rs", "use super::query::Query;"),
        ("tree/build.rs", "use crate::scan::Scan;"),
        ("scan.rs", "use crate::shapes::Shapes;"),
        ("answers/hits.rs", "use crate::value::Ray;"),
        ("simd/lanes.rs", "use crate::math::sub;"),
        ("simd/lanes.rs", "fn f() { let x = \"//\"; crate::answers::f() }"),
        ("query/any_hit.rs", "fn f() -> crate::value::Aabb { crate::shapes::g() }"),
        ("scene/mod.rs", "use crate::cast::Cast;"),
        ("novelty.rs", "use crate::math::sub;"),
        ("query/any_hit.rs", "use crate::Scene;"),
    ] {
        assert_eq!(objections_to(&ENGINE, place, source), 1, "{place}: {source}");
    }
    for (place, source) in [
        ("arguments.rs", "use crate::{bench, failure::Result};"),
        ("completions.rs", "use crate::command_line::Cli;"),
        ("failure.rs", "fn f() { crate::report::complain(message) }"),
        ("mesh/read.rs", "use crate::rounding::Rounding;"),
        ("cast/mod.rs", "use crate::points::Query;"),
        ("sight/ends.rs", "use super::super::command_line;"),
    ] {
        assert_eq!(objections_to(&PROGRAM, place, source), 1, "{place}: {source}");
    }
}

#[test]
fn imports_that_go_down_are_let_pass() {
    for (place, source) in [
        ("tree/build.rs", "use super::node::Node; use crate::value::{Aabb, Ray};"),
        (
            "scene/mod.rs",
            "mod queries; use self::queries::Ask; use crate::tree::Bvh; use std::sync::Arc;",
        ),
        (
            "scan.rs",
            "// use crate::shapes::Shapes;\n/// [`crate::scene::Scene`]\nuse crate::value::Ray;",
        ),
        ("query/mod.rs", "fn f() { panic!(\"crate::scene\") } use crate::simd::Lanes;"),
        ("error.rs", "use crate::simd::Backend;"),
        ("scan.rs", "use crate::{INVALID_ID, Aabb};"),
    ] {
        assert_eq!(objections_to(&ENGINE, place, source), 0, "{place}: {source}");
    }
}
