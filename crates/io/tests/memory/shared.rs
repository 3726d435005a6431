//! What a mesh file names many times is counted each time, and so is what it unpacks to.

use super::{ALONE, MEMORY, MOST_OF_MESH};
use lanecast_io::read_model;
use std::path::Path;
use std::sync::PoisonError;

/// What the parts of a glTF document of any size may take together.
const ANY_FILE: usize = 64 << 20;

/// Reads a mesh file: what the message says if it is refused, and what memory that took.
fn read(folder: &Path, name: &str, bytes: &[u8]) -> (Option<String>, usize) {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file");
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let message = read_model::<f32>(&path).err().map(|error| error.to_string());
    (message, MEMORY.peak_usage().saturating_sub(before))
}

/// A document with these members, and an accessor of 65,536 positions that are 0.
fn document(members: &str) -> Vec<u8> {
    format!(
        r#"{{"asset":{{"version":"2.0"}},{members},
        "accessors":[{{"componentType":5126,"count":65536,"type":"VEC3"}}]}}"#
    )
    .into_bytes()
}

#[test]
fn shared_parts_of_a_gltf_are_counted_together() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let list = |count: usize, one: &str| vec![one; count].join(",");
    let primitive = r#"{"mode":5,"attributes":{"POSITION":0}}"#;
    let primitives = |count| {
        let all = list(count, primitive);
        document(&format!(r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{all}]}}]"#))
    };
    let instances = |count| {
        let node = r#"{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}}"#;
        let all = list(count, node);
        document(&format!(r#""nodes":[{all}],"meshes":[{{"primitives":[{primitive}]}}]"#))
    };
    for (bytes, is_refused) in [
        (primitives(10), false),
        (primitives(100), true),
        (instances(3), false),
        (instances(20), true),
    ] {
        let (message, taken) = read(folder.path(), "m.gltf", &bytes);
        let most = ANY_FILE.max(256 * bytes.len()) + MOST_OF_MESH;
        assert!(taken <= most, "{taken} taken by {} bytes", bytes.len());
        assert_eq!(message.is_some(), is_refused, "{message:?}");
    }
}

#[test]
fn a_file_that_buffers_share_is_read_once() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let size = 4 << 20;
    std::fs::write(folder.path().join("all.bin"), vec![0; size]).expect("a file");
    let names = ["all.bin", "./all.bin", "a/../all.bin", "%61ll.bin"];
    let buffer = |number: usize| {
        // Of the same bytes, however many of them.
        let (length, name) = (size - number, names[number % 4]);
        format!(r#"{{"byteLength":{length},"uri":"{name}"}}"#)
    };
    let buffers = (0..20).map(buffer).collect::<Vec<_>>().join(",");
    std::fs::create_dir(folder.path().join("a")).expect("a folder");
    let members = format!(
        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"mode":5,"attributes":{{"POSITION":0}}}}]}}],
        "buffers":[{buffers}]"#
    );
    let (message, taken) = read(folder.path(), "m.gltf", &document(&members));
    assert_eq!(message, None);
    assert!(taken <= 2 * size + 2 * MOST_OF_MESH, "{taken} taken");
}

/// The least text for the most memory: objects and arrays without content.
#[test]
fn the_json_of_a_gltf_takes_a_multiple_of_its_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let count = 400_000;
    for (member, element, most) in [
        ("nodes", "{}", 128),
        ("scenes", "{}", 128),
        ("extras", "{}", 128),
        ("extras", "[]", 128),
        ("extras", r#"{"":0}"#, 160),
        ("nodes", r#"{"mesh":0}"#, 160),
    ] {
        let all = vec![element; count].join(",");
        let bytes = document(&format!(r#""{member}":[{all}],"meshes":[{{"primitives":[]}}]"#));
        let (message, taken) = read(folder.path(), "m.gltf", &bytes);
        let factor = taken as f64 / bytes.len() as f64;
        assert!(factor <= f64::from(most), "{member} of {element}: {factor:.0} times, {message:?}");
    }
}

/// A long name that stands once is that of many parts, and a solid may be a word.
#[test]
fn parts_with_little_in_them_take_a_multiple_of_their_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let parts: String = (0..50_000).map(|part| format!("g {part:x}\nf 1 1 1\n")).collect();
    let obj = format!("v 0 0 0\no {}\n{parts}", "n".repeat(2000));
    let stl = format!("{}endsolid", "solid\n".repeat(100_000));
    for (name, text) in [("m.obj", obj), ("m.stl", stl)] {
        let (message, taken) = read(folder.path(), name, text.as_bytes());
        assert_eq!(message, None);
        assert!(taken <= 256 * text.len() + MOST_OF_MESH, "{name}: {taken} taken");
    }
}

#[test]
fn a_packed_mesh_takes_a_multiple_of_what_it_unpacks_to() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    // One strip through one vertex: every byte but four is a triangle.
    let strip = |count: u32| {
        let mut bytes = b"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty uchar y\n\
            property uchar z\nelement tristrips 1\nproperty list uint char vertex_index\nend_header\n\0\0\0"
            .to_vec();
        bytes.extend(count.to_le_bytes());
        bytes.resize(bytes.len() + count as usize, 0);
        bytes
    };
    let packed = |bytes: &[u8]| zstd::stream::encode_all(bytes, 1).expect("memory");
    let unpacked = strip(4 << 20);
    let (message, taken) = read(folder.path(), "m.ply.zst", &packed(&unpacked));
    assert_eq!(message, None);
    assert!(taken <= 64 * unpacked.len() + MOST_OF_MESH, "{taken} taken");
    let bomb = packed(&strip(64 << 20));
    assert!(bomb.len() < 10_000);
    let (message, taken) = read(folder.path(), "m.ply.zst", &bomb);
    let message = message.expect("it is refused");
    assert!(message.contains("grows to more than 67108864;"), "{message}");
    assert!(taken <= 3 * ANY_FILE + MOST_OF_MESH, "{taken} taken");
}
