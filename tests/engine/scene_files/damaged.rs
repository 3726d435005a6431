//! What is not a whole scene file of this version is refused, with what is wrong.

use std::io::ErrorKind;
use std::path::Path;

use lanecast::{Error, FileProblem, Scene};

use crate::folder::Folder;
use crate::scene_files::layout::{head, seal, seal_head, section, sections};
use lanecast_reference::meshes::{icosphere, soup};
use lanecast_reference::random::Random;

/// The bytes of a small file.
fn small() -> Vec<u8> {
    let mesh = icosphere(1, 1.0);
    let folder = Folder::new();
    let path = folder.path("small.scene");
    Scene::from_triangles(&mesh.vertices, &mesh.triangles)
        .expect("a scene")
        .save(&path)
        .expect("written");
    std::fs::read(path).expect("a file")
}

/// Why a file is refused; its bytes without a file are refused for the same reason.
fn refusal(path: &Path) -> FileProblem {
    let problem = |refused, name: &str| match refused {
        Err(Error::SceneFile { path: named, problem }) => {
            assert_eq!(named, name);
            assert!(!problem.to_string().contains('\n'), "{problem}");
            problem
        }
        Err(other) => panic!("{other}"),
        Ok(Scene { .. }) => panic!("{name} was opened"),
    };
    let of_file = problem(Scene::<f32>::open(path), &path.display().to_string());
    if path.is_file() {
        let bytes = std::fs::read(path).expect("a file");
        assert_eq!(problem(Scene::from_bytes(&bytes), "the bytes of a scene"), of_file);
    }
    of_file
}

#[test]
fn a_byte_flipped_in_header_or_table_is_refused() {
    let (folder, bytes) = (Folder::new(), small());
    for at in 0..head(&bytes) {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let problem = refusal(&folder.file("flipped.scene", &bytes));
            let is_right = match at {
                0..16 => matches!(problem, FileProblem::Foreign { .. }),
                20..24 => matches!(problem, FileProblem::Version { .. }),
                24..32 => matches!(problem, FileProblem::Length { .. }),
                _ => matches!(&problem, FileProblem::Damaged { place, .. } if place == "header"),
            };
            assert!(is_right, "byte {at}: {problem}");
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let (folder, bytes) = (Folder::new(), small());
    let (all, some) = (0..head(&bytes) + 65, (head(&bytes) + 65..bytes.len()).step_by(11));
    for length in all.chain(some) {
        let problem = refusal(&folder.file("cut.scene", &bytes[..length]));
        let (found, expected) = (length as u64, bytes.len() as u64);
        let is_right = match length {
            0 => problem == FileProblem::Foreign { found: "an empty file" },
            1..64 => problem == FileProblem::Length { found, expected: 64 },
            _ => problem == FileProblem::Length { found, expected },
        };
        assert!(is_right, "{length} bytes: {problem}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let problem = refusal(&folder.file("longer.scene", &longer));
    assert_eq!(
        problem.to_string(),
        format!("too long: {} bytes instead of {}", longer.len(), bytes.len())
    );
}

#[test]
fn files_of_other_kinds_are_refused() {
    let folder = Folder::new();
    let ply = folder.file("mesh.ply", "ply\nformat ascii 1.0\nelement vertex 0\nend_header\n");
    assert_eq!(refusal(&ply).to_string(), "not a scene file: it does not begin as one");
    assert_eq!(
        refusal(&folder.file("empty.scene", "")).to_string(),
        "not a scene file: an empty file"
    );
    assert_eq!(refusal(&folder.path("")).to_string(), "not a scene file: a directory");
    let absent = refusal(&folder.path("none"));
    let FileProblem::System { kind: ErrorKind::NotFound, errno: Some(errno), .. } = absent else {
        panic!("{absent:?}")
    };
    assert_eq!(std::io::Error::from_raw_os_error(errno).kind(), ErrorKind::NotFound);
    #[cfg(unix)]
    assert_eq!(refusal(Path::new("/dev/null")).to_string(), "not a scene file: a pipe or a device");
    assert!(!Scene::is_scene_file(ply) && !Scene::is_scene_file(folder.path("")));
    assert!(Scene::is_scene_file(folder.file("small.scene", small())));
    // A transfer of text has been at it.
    let text: Vec<u8> = small().into_iter().filter(|&byte| byte != b'\r').collect();
    assert!(matches!(refusal(&folder.file("text.scene", text)), FileProblem::Foreign { .. }));
}

#[test]
fn another_version_or_byte_order_is_named() {
    let (folder, bytes) = (Folder::new(), small());
    let mut newer = bytes.clone();
    newer[20..24].copy_from_slice(&7_u32.to_ne_bytes());
    seal_head(&mut newer);
    assert_eq!(
        refusal(&folder.file("newer.scene", newer)),
        FileProblem::Version { found: 7, known: 3 }
    );
    let mut swapped = bytes;
    swapped[16..20].reverse();
    swapped[20..24].reverse();
    let found = if cfg!(target_endian = "little") { "big-endian" } else { "little-endian" };
    assert_eq!(refusal(&folder.file("swapped.scene", swapped)), FileProblem::ByteOrder { found });
}

#[test]
fn unknown_sections_are_refused_only_where_they_are_needed() {
    let (folder, bytes) = (Folder::new(), small());
    let (name, line, _) = sections(&bytes).remove(1);
    assert_eq!(name, "masks");
    let mut unknown = bytes;
    unknown[line..line + 5].copy_from_slice(b"taste");
    seal_head(&mut unknown);
    let section = "taste".to_owned();
    let problem = refusal(&folder.file("unknown.scene", &unknown));
    assert_eq!(problem, FileProblem::UnknownSection { section });
    // Not needed, it is passed over, and what is missed is the one that was renamed.
    unknown[line + 20] = 0;
    seal_head(&mut unknown);
    let problem = refusal(&folder.file("unknown.scene", &unknown));
    assert_eq!(problem, FileProblem::MissingSection { section: "masks".to_owned() });
}

#[test]
fn sections_that_contradict_each_other_are_refused() {
    let (folder, bytes) = (Folder::new(), small());
    let mut changes: Vec<(usize, Vec<u8>)> = Vec::new();
    for (_, line, _) in sections(&bytes) {
        // Behind the end, beginning within a line, and shorter by all or by a byte.
        changes.push((line + 29, vec![1]));
        changes.push((line + 24, vec![bytes[line + 24] ^ 4]));
        changes.push((line + 32, vec![0; 8]));
        changes.push((line + 32, vec![bytes[line + 32].wrapping_sub(1)]));
        // Leaves that do not follow the nodes; of the others one that is another.
        changes.push((line + 24, vec![bytes[line + 24] ^ 0x40]));
    }
    let [geometries, tree] = ["geometries", "tree"].map(|name| section(&bytes, name).start);
    // A first number that is not 0, more triangles than leaves hold, fewer than there are leaves.
    changes.push((geometries, vec![1]));
    changes.push((geometries + 6, vec![1]));
    changes.push((geometries + 4, vec![1, 0, 0, 0]));
    // Another root, room on stacks, size of nodes, size of leaves.
    changes.extend([36, 40, 44, 48].map(|place| (tree + place, vec![bytes[tree + place] ^ 4])));
    for (at, new) in changes {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(&new);
        if at < head(&bytes) {
            seal_head(&mut bytes);
        } else {
            seal(&mut bytes);
        }
        let problem = refusal(&folder.file("contradiction.scene", bytes));
        assert!(matches!(problem, FileProblem::Damaged { .. }), "{at}: {problem}");
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let folder = Folder::new();
    let mesh = soup(10, &mut Random::new(3));
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");
    let problem = |path: &Path| match scene.save(path) {
        Err(Error::SceneFile { problem: FileProblem::System { kind, reason, .. }, .. }) => {
            (kind, reason)
        }
        other => panic!("{other:?}"),
    };
    let (kind, reason) = problem(&folder.path("nowhere/a.scene"));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(reason.contains("nowhere\" does not exist"), "{reason}");
    assert_eq!(problem(&folder.path("")).0, ErrorKind::IsADirectory);
    #[cfg(unix)]
    assert_eq!(problem(Path::new("/dev/null")).1, "is a pipe or a device");
    assert!(folder.names().is_empty());
}
