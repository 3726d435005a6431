//! A damaged file ends the program with one line, whatever the library that reads it does.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, lanecast};

/// A primitive whose positions are an accessor that does not exist: the gltf crate looks it up
/// while it checks the document, and panics.
const BAD_ACCESSOR: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}],"accessors":[]}"#;

#[test]
fn a_panic_within_a_mesh_reader_is_one_line() {
    let folder = Folder::new();
    let mesh = folder.file("m.gltf", BAD_ACCESSOR);
    let line = error_line(lanecast().arg("info").arg(&mesh));
    assert!(line.starts_with(&format!("{}: malformed: ", mesh.display())), "{line}");
}

#[test]
fn a_panic_within_a_ray_reader_is_one_line() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let column = std::sync::Arc::new(arrow_array::Float32Array::from(vec![1.0; 3]));
    let names = ["ox", "oy", "oz", "dx", "dy", "dz"];
    let columns = names.map(|name| (name, column.clone() as arrow_array::ArrayRef));
    let batch = arrow_array::RecordBatch::try_from_iter(columns).expect("columns of one length");
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a stream");
    writer.write(&batch).expect("a batch");
    let bytes = writer.into_inner().expect("a whole stream");

    // Among these bytes is the type of a column, and the crate panics at one it does not know.
    let mut unknown_types = 0;
    for at in 88..120 {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0xff;
        let rays = folder.file("rays.arrows", &bytes);
        let mut command = lanecast();
        command.arg("cast").arg(&cube).arg(&rays).arg("-o").arg(folder.path("hits.csv"));
        if command.output().expect("a run").status.code() == Some(2) {
            unknown_types += usize::from(error_line(&mut command).ends_with(" not supported"));
        }
    }
    assert!(unknown_types > 0);
}
