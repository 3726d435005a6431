//! Meshes in files that are compressed, and formats that no name says.

use super::files::{
    OBJ, OFF, ONE_NODE, ascii_stl, assert_is_the_mesh, binary_ply, glb, gltf, gltf_buffer,
};
use crate::folder::Folder;
use lanecast_io::{MeshFormat, Model, read_model, read_model_as};
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 1).unwrap()
}

#[test]
fn compressed_files_are_read_by_name_and_by_content() {
    let folder = Folder::new();
    let files: [(&str, Vec<u8>); 5] = [
        ("m.obj", OBJ.into()),
        ("m.off", OFF.into()),
        ("m.stl", ascii_stl().into_bytes()),
        ("m.ply", binary_ply(true, false)),
        ("m.glb", glb(&gltf("", ONE_NODE), &gltf_buffer())),
    ];
    for (name, bytes) in files {
        let plain = folder.model(name, &bytes).unwrap();
        assert_eq!(plain.name, "m");
        for (ending, compressed) in [("gz", gzip(&bytes)), ("zst", zstd(&bytes))] {
            assert_eq!(
                folder.model(&format!("{name}.{ending}"), &compressed).unwrap(),
                plain,
                "{name}.{ending}"
            );
            assert_eq!(
                folder.model(name, &compressed).unwrap(),
                plain,
                "{name} by content, {ending}"
            );
        }
        // A gzip file may be of several parts.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        assert_eq!(
            folder.model(&format!("{name}.GZ"), [gzip(first), gzip(second)].concat()).unwrap(),
            plain
        );
    }
}

#[test]
fn a_damaged_compressed_file_is_an_error_of_one_line() {
    let folder = Folder::new();
    for (name, kind, bytes) in
        [("m.obj.gz", "gzip", gzip(OBJ.as_bytes())), ("m.obj.zst", "zstd", zstd(OBJ.as_bytes()))]
    {
        for length in 1..bytes.len() {
            let message = folder.mesh_error(name, &bytes[..length]);
            assert!(
                message.starts_with(&format!("{name}: damaged {kind} file: ")),
                "{length}: {message}"
            );
        }
        assert_eq!(folder.mesh_error(name, ""), format!("{name}: the file is empty"));
        assert!(
            folder.mesh_error(name, OBJ).starts_with(&format!("{name}: damaged {kind} file: ")),
            "not compressed"
        );
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            let _ = folder.model(name, bytes);
        }
    }
    assert_eq!(folder.mesh_error("m.obj.gz", gzip(b"")), "m.obj.gz: the compressed file is empty");
    // A checksum that does not hold.
    let mut bytes = gzip(OBJ.as_bytes());
    let crc = bytes.len() - 8;
    bytes[crc] ^= 1;
    assert!(folder.mesh_error("m.obj.gz", bytes).starts_with("m.obj.gz: damaged gzip file: "));
}

#[test]
fn the_name_below_the_compression_says_the_format() {
    let folder = Folder::new();
    let known = "known: obj, ply, stl, off, gltf, glb";
    assert_eq!(
        folder.mesh_error("m.tar.gz", gzip(b"x")),
        format!("m.tar.gz: unknown mesh format \".tar\"; {known}")
    );
    assert_eq!(
        folder.mesh_error("m.gz", gzip(b"x")),
        format!("m.gz: no extension to tell the mesh format by; {known}")
    );
}

#[test]
fn a_format_that_is_given_goes_before_the_name() {
    let folder = Folder::new();
    for name in ["m", "m.txt", "m.ply", "m.gz"] {
        let bytes = if name == "m.gz" { gzip(OFF.as_bytes()) } else { OFF.into() };
        let model: Model = read_model_as(&folder.file(name, bytes), MeshFormat::Off).unwrap();
        assert_is_the_mesh(&model.into_meshes()[0]);
    }
    assert!(read_model_as::<f32>(&folder.path("m.ply"), MeshFormat::Ply).is_err());
}

#[test]
fn standard_input_has_no_name_to_tell_the_format_by() {
    let message = read_model::<f32>("-".as_ref()).unwrap_err().to_string();
    assert_eq!(
        message,
        "standard input: no name to tell the mesh format by; known: obj, ply, stl, off, gltf, glb"
    );
}
