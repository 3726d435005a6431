//! A glTF document names files in its folder and below, and no others.

use super::files::{ONE_NODE, bytes_of, gltf, gltf_buffer};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use lanecast_io::{MeshFormat, files_beside, read_model_from};
use std::io::Write as _;

/// The document `m.gltf` in a folder `in`, of which the buffer has this name.
struct Document(Folder);

impl Document {
    fn new() -> Self {
        let folder = Folder::new();
        for name in ["in", "in/below", "inside", "in/folder.bin"] {
            std::fs::create_dir(folder.path(name)).unwrap();
        }
        for name in
            ["in/m.bin", "in/below/m.bin", "in/my mesh.bin", "in/..bin", "out.bin", "inside/m.bin"]
        {
            folder.file(name, gltf_buffer());
        }
        Self(folder)
    }

    fn text(uri: &str) -> String {
        gltf(&format!(r#","uri":"{uri}""#), ONE_NODE)
    }

    #[track_caller]
    fn reads(&self, uri: &str) {
        let meshes = self.0.meshes("in/m.gltf", Self::text(uri));
        assert_eq!(meshes.unwrap_or_else(|error| panic!("{uri}: {error}")).len(), 3, "{uri}");
    }

    #[track_caller]
    fn refuses(&self, uri: &str, pattern: &str) {
        assert_reads(&self.0.mesh_error("in/m.gltf", Self::text(uri)), pattern);
    }
}

#[test]
fn a_buffer_is_a_file_in_the_folder_of_its_document_or_below() {
    let document = Document::new();
    for uri in [
        "m.bin",
        "./m.bin",
        "below/m.bin",
        "below/../m.bin",
        "below//m.bin",
        "my%20mesh.bin",
        "my mesh.bin",
        "below%2Fm.bin",
        "..bin",
    ] {
        document.reads(uri);
    }
    let absolute = document.0.path("in/m.bin").display().to_string();
    for uri in [
        "../out.bin",
        "below/../../out.bin",
        "../in/m.bin",
        "../inside/m.bin",
        "%2e%2e/out.bin",
        "%2E%2E%2Fout.bin",
        "..%5Cout.bin",
        r"..\\out.bin",
        r"below\\..\\..\\out.bin",
        r"C:\\out.bin",
        "C:/out.bin",
        r"\\\\host\\share\\out.bin",
        "//host/share/out.bin",
        "/dev/zero",
        "/etc/passwd",
        &absolute,
    ] {
        let pattern = "in/m.gltf: buffer 0: …is not in the folder of the document or below it";
        document.refuses(uri, pattern);
    }
    // Nor from elsewhere than a file: then it is the working folder.
    let text = Document::text("../out.bin");
    let error = read_model_from::<f32>("x", text.as_bytes(), MeshFormat::Gltf);
    let expected = "x: buffer 0: \"../out.bin\" is not in the folder of the document or below it";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

#[test]
fn a_document_is_no_buffer_of_its_own() {
    let document = Document::new();
    for uri in ["m.gltf", "./m.gltf", "below/../m.gltf", "%6d.gltf"] {
        document.refuses(uri, "in/m.gltf: buffer 0: …is the document itself");
    }
    let text = Document::text("n.glb");
    let message = document.0.mesh_error("in/n.glb", bytes_of("m.glb", text));
    assert_eq!(message, "in/n.glb: buffer 0: \"n.glb\" is the document itself");
}

#[cfg(unix)]
#[test]
fn a_link_may_lead_below_the_folder_and_not_out_of_it() {
    use std::os::unix::fs::symlink;
    let document = Document::new();
    let path = |name: &str| document.0.path(name);
    symlink("below/m.bin", path("in/inner.bin")).unwrap();
    symlink("below", path("in/inner")).unwrap();
    symlink(path("in"), path("in/back")).unwrap();
    for uri in ["inner.bin", "inner/m.bin", "back/m.bin"] {
        document.reads(uri);
    }
    symlink("../out.bin", path("in/outer.bin")).unwrap();
    symlink("..", path("in/outer")).unwrap();
    symlink("/dev/zero", path("in/zero.bin")).unwrap();
    symlink(path("inside"), path("in/beside")).unwrap();
    let pattern = "in/m.gltf: buffer 0: …is not in the folder of the document or below it";
    for uri in ["outer.bin", "outer/out.bin", "zero.bin", "beside/m.bin"] {
        document.refuses(uri, pattern);
    }
    symlink("m.gltf", path("in/again.bin")).unwrap();
    document.refuses("again.bin", "in/m.gltf: buffer 0: …is the document itself");
    // A folder that is a link itself is the folder.
    symlink("in", path("linked")).unwrap();
    let model = document.0.meshes("linked/m.gltf", Document::text("below/m.bin"));
    assert_eq!(model.unwrap().len(), 3);
}

/// Packed or not, as text or as GLB, and whatever it is called.
#[test]
fn the_files_beside_a_document_are_known() {
    let folder = Folder::new();
    let text = gltf(r#","uri":"./my%20mesh.bin""#, ONE_NODE);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let glb = bytes_of("m.glb", text.clone());
    for (name, bytes) in [
        ("m.gltf", text.as_bytes()),
        ("m.txt", text.as_bytes()),
        ("m.gltf.gz", &gzip),
        ("m.glb", &glb),
        ("m", &glb),
    ] {
        assert_eq!(files_beside(&folder.file(name, bytes)), [folder.path("my mesh.bin")], "{name}");
    }
    let outside = Document::text("../out.bin");
    for (name, bytes) in
        [("m.gltf", outside.as_bytes()), ("m.obj", b"v 0 0 0"), ("m.glb", &glb[..30])]
    {
        assert!(files_beside(&folder.file(name, bytes)).is_empty(), "{name}");
    }
    assert!(files_beside(&folder.path("gone.gltf")).is_empty());
}
