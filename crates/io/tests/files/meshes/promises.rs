//! What a file promises, or names once for many, takes little memory.

use super::files::{bytes_of, text_of};
use crate::folder::Folder;
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
