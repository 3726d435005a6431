//! What a file promises, or names once for many, takes little memory.

use super::files::{ONE_NODE, glb, gltf, gltf_buffer};
use crate::folder::Folder;

#[test]
fn an_accessor_without_data_has_few_elements() {
    let folder = Folder::new();
    let json = gltf("", ONE_NODE);
    let zeros = |count: usize, more: &str| {
        let with = format!(r#"{{{more}"componentType":5126,"count":{count},"#);
        let json = json.replace(r#"{"bufferView":0,"componentType":5126,"count":4,"#, &with);
        glb(&json, &gltf_buffer())
    };
    let sparse = r#""sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}},"#;
    for more in ["", sparse] {
        assert_eq!(folder.meshes("m.glb", zeros(65_536, more)).unwrap()[0].vertices.len(), 65_536);
        assert_eq!(
            folder.mesh_error("m.glb", zeros(65_537, more)),
            "m.glb: mesh 0, primitive 0: accessor 0: 65537 elements without data; 65536 at most are taken as 0"
        );
    }
    // As many as the file has bytes are taken: here in JSON.
    let json = json.replace(
        r#"{"bufferView":0,"componentType":5126,"count":4,"#,
        r#"{"componentType":5126,"count":66000,"#,
    );
    let bytes = glb(&(json + &" ".repeat(66_000)), &gltf_buffer());
    assert_eq!(folder.meshes("m.glb", bytes).unwrap()[0].vertices.len(), 66_000);
}

/// A name that stands once is that of many meshes.
#[test]
fn long_names_are_cut() {
    let folder = Folder::new();
    let long = "é".repeat(100_000);
    let cut = format!("{}…", "é".repeat(498));
    let faces: String = (0..3).map(|part| format!("usemtl {part}\nf 1 1 1\n")).collect();
    let meshes = folder.meshes("m.obj", format!("v 0 0 0\no {long}\n{faces}")).unwrap();
    assert_eq!(
        meshes.iter().map(|mesh| &mesh.name[..]).collect::<Vec<_>>(),
        [&cut; 3],
        "three, whatever their names"
    );
    let json = gltf("", ONE_NODE).replace("\"part\"", &format!("\"{long}\""));
    let meshes = folder.meshes("m.glb", glb(&json, &gltf_buffer())).unwrap();
    assert!(meshes.iter().all(|mesh| mesh.name == cut));
    let json = gltf("", &format!(r#"[{{"mesh":0,"name":"{long}"}}]"#));
    let model = folder.model("m.glb", glb(&json, &gltf_buffer())).unwrap();
    assert_eq!(model.placements[0].name, cut);
    let whole = "x".repeat(1000);
    assert_eq!(
        folder.meshes("m.obj", format!("v 0 0 0\no {whole}\nf 1 1 1\n")).unwrap()[0].name,
        whole
    );
}
