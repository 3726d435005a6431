//! Meshes in files that are compressed, and formats that no name says.

use super::files::{OBJ, OFF, ascii_stl, assert_is_the_mesh, binary_ply, bytes_of, text_of};
use crate::folder::Folder;
use crate::pattern::assert_reads;
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
        ("m.stl", ascii_stl().into()),
        ("m.ply", binary_ply(true, false)),
        ("m.glb", bytes_of("m.glb", text_of("m.glb"))),
    ];
    for (name, bytes) in files {
        let plain = folder.model(name, &bytes).unwrap();
        assert_eq!(plain.name, "m");
        // A gzip file may be of several parts.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let parts = [gzip(first), gzip(second)].concat();
        for (ending, compressed) in [(".gz", gzip(&bytes)), (".zst", zstd(&bytes)), (".GZ", parts)]
        {
            for name in [format!("{name}{ending}"), name.to_owned()] {
                assert_eq!(folder.model(&name, &compressed).unwrap(), plain, "{name}");
            }
        }
    }
}

#[test]
fn a_damaged_compressed_file_is_an_error_of_one_line() {
    let folder = Folder::new();
    for (name, kind, bytes) in
        [("m.obj.gz", "gzip", gzip(OBJ.as_bytes())), ("m.obj.zst", "zstd", zstd(OBJ.as_bytes()))]
    {
        let damaged = format!("{name}: damaged {kind} file: …");
        for length in 1..bytes.len() {
            assert_reads(&folder.mesh_error(name, &bytes[..length]), &damaged);
        }
        assert_eq!(folder.mesh_error(name, ""), format!("{name}: the file is empty"));
        // Not compressed.
        assert_reads(&folder.mesh_error(name, OBJ), &damaged);
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            let _ = folder.model(name, bytes);
        }
    }
    // A checksum that does not hold.
    let mut bytes = gzip(OBJ.as_bytes());
    let crc = bytes.len() - 8;
    bytes[crc] ^= 1;
    let known = "known: obj, ply, stl, off, gltf, glb, tif, tiff, asc";
    folder.refuses(
        read_model::<f32>,
        [
            ("m.obj.gz", bytes, "damaged gzip file: …".to_owned()),
            ("m.obj.gz", gzip(b""), "the compressed file is empty".to_owned()),
            ("m.tar.gz", gzip(b"x"), format!("unknown mesh format \".tar\"; {known}")),
            ("m.gz", gzip(b"x"), format!("no extension to tell the mesh format by; {known}")),
        ],
    );
}

#[test]
fn a_format_that_is_given_goes_before_the_name() {
    let folder = Folder::new();
    for name in ["m", "m.txt", "m.ply", "m.gz"] {
        let bytes = if name == "m.gz" { gzip(OFF.as_bytes()) } else { OFF.into() };
        let model: Model = read_model_as(&folder.file(name, bytes), MeshFormat::Off).unwrap();
        assert_is_the_mesh(&model.into_meshes().unwrap()[0]);
    }
    assert!(read_model_as::<f32>(&folder.path("m.ply"), MeshFormat::Ply).is_err());
}
