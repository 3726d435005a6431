//! What a file promises, or names once for many, takes little memory.

use super::files::{bytes_of, glb, text_of};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use lanecast_io::read_model;

const SPARSE: &str = r#""sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}},"#;

#[test]
fn an_accessor_without_data_has_few_elements() {
    let folder = Folder::new();
    let zeros = |count: usize, more: &str| {
        let with = format!(r#"{{{more}"componentType":5126,"count":{count},"#);
        text_of("m.glb").replace(r#"{"bufferView":0,"componentType":5126,"count":4,"#, &with)
    };
    let glb = |text: String| bytes_of("m.glb", text);
    let count = |text: String| folder.meshes("m.glb", glb(text)).unwrap()[0].vertices.len();
    let most = "mesh 0, primitive 0: accessor 0: 65537 elements without data; 65536 at most are taken as 0";
    for more in ["", SPARSE] {
        assert_eq!(count(zeros(65_536, more)), 65_536);
        folder.refuses(read_model::<f32>, [("m.glb", glb(zeros(65_537, more)), most)]);
    }
    // As many as the file has bytes are taken: here in JSON.
    assert_eq!(count(zeros(66_000, "") + &" ".repeat(66_000)), 66_000);
}

#[test]
fn what_primitives_and_instances_share_is_counted_each_time() {
    let folder = Folder::new();
    let document = |nodes: &str, primitives: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{primitives}]}}],
            "accessors":[{{"componentType":5126,"count":65535,"type":"VEC3"}}]}}"#
        )
    };
    let list = |count: usize, one: &str| vec![one; count].join(",");
    let primitive = r#"{"attributes":{"POSITION":0}}"#;
    let node =
        r#"{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}}"#;
    for (text, place) in [
        (document(r#"{"mesh":0}"#, &list(60, primitive)), "mesh 0, primitive …: "),
        (document(&list(20, node), ""), "node …, EXT_mesh_gpu_instancing: "),
    ] {
        let size = text.len();
        let expected = format!(
            "m.gltf: {place}… bytes of memory of a file of {size}; 67108864 at most are made"
        );
        assert_reads(&folder.mesh_error("m.gltf", text), &expected);
    }
}

/// Where a file places a mesh many times, a mesh for each place is a copy of it.
#[test]
fn copies_for_placements_are_counted_before_they_are_made() {
    let folder = Folder::new();
    let indices = 200_001_usize;
    let text = |places: usize| {
        let nodes = vec![r#"{"mesh":0}"#; places].join(",");
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],
            "meshes":[{{"primitives":[{{"mode":5,"attributes":{{"POSITION":0}},"indices":1}}]}}],
            "accessors":[{{"componentType":5126,"count":1,"type":"VEC3"}},
            {{"bufferView":0,"componentType":5121,"count":{indices},"type":"SCALAR"}}],
            "bufferViews":[{{"buffer":0,"byteLength":{indices}}}],
            "buffers":[{{"byteLength":{indices}}}]}}"#
        )
    };
    let glb = |places: usize| glb(&text(places), &vec![0; indices.next_multiple_of(4)]);
    assert_eq!(folder.meshes("m.glb", glb(3)).unwrap().len(), 3);
    let model = folder.model("m.glb", glb(500)).unwrap();
    assert_eq!((model.meshes.len(), model.placements.len()), (1, 500));
    let expected = "m: 500 placements make … bytes of copies; 1073741824 at most are made: …";
    assert_reads(&folder.mesh_error("m.glb", glb(500)), expected);
}

/// A name that stands once is that of many meshes.
#[test]
fn long_names_are_cut() {
    let folder = Folder::new();
    let long = "é".repeat(100_000);
    let cut = format!("{}…", "é".repeat(498));
    let whole = "x".repeat(1000);
    let faces: String = (0..3).map(|part| format!("usemtl {part}\nf 1 1 1\n")).collect();
    let part = text_of("m.glb").replace("\"part\"", &format!("\"{long}\""));
    for (name, text, count, expected) in [
        // Three, whatever their names.
        ("m.obj", format!("v 0 0 0\no {long}\n{faces}"), 3, &cut),
        ("m.glb", part, 3, &cut),
        ("m.obj", format!("v 0 0 0\no {whole}\nf 1 1 1\n"), 1, &whole),
    ] {
        let meshes = folder.meshes(name, bytes_of(name, text)).unwrap();
        assert_eq!(meshes.len(), count);
        assert!(meshes.iter().all(|mesh| mesh.name == *expected), "{name}");
    }
    let named =
        text_of("m.glb").replace(r#"{"mesh":0}"#, &format!(r#"{{"mesh":0,"name":"{long}"}}"#));
    let model = folder.model("m.glb", bytes_of("m.glb", named)).unwrap();
    assert_eq!(model.placements[0].name, cut);
}
