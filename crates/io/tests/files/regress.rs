//! The files of `data/regress`, each with what is said of it.

use crate::folder::Folder;
use crate::support::points;
use lanecast_io::{Error, RayChunk, RayReader, read_model};
use std::path::Path;

const SAID: [(&str, &str); 12] = [
    (
        "arrow-batch-removed.arrow",
        "damaged: record batch 2 of 4 is not at byte 3168, where the footer has it",
    ),
    (
        "arrow-zeroed-length.arrow",
        "damaged: record batch 2 of 4 is not at byte 3168, where the footer has it",
    ),
    ("csv-utf16.csv", "it is text in UTF-16; save it as UTF-8"),
    ("las-count-too-low.las", "3 points are there, the header counts 2"),
    (
        "las-length-of-an-evlr.las",
        "truncated or malformed: extended record 0 of 2141383936, at byte 465 and of 73014444032 bytes, ends beyond byte 565, \
         the end of the file",
    ),
    (
        "las-memory.las",
        "truncated or malformed: extended record 0 of 4294967167, at byte 465 and of 1072693248 bytes, ends beyond byte 727, \
         the end of the file",
    ),
    (
        "laz-4-gigabytes.laz",
        "truncated or malformed: the chunk at byte 477 claims 4235166594 bytes, 1680 are there",
    ),
    ("npy-falso.npy", "the header's \"fortran_order\" is \"Falso\"; expected True or False"),
    ("ply-8-of-80-faces.ply", "80 of face are there, the header counts 8"),
    ("ply-dup-ascii.ply", "line 5: the property \"x\" stands there twice"),
    ("ply-dup.ply", "line 7: the property \"z\" stands there twice"),
    ("stl-count-1-of-80.stl", "80 triangles are there, the header counts 1"),
];

/// Sound files. Meshes are read by `meshes::regress`; the program casts the rays with which a cast
/// went wrong.
const SOUND: [&str; 21] = [
    "concave-l.obj",
    "concave-l.ply",
    "gltf-accessor-without-view.gltf",
    "gltf-bom.gltf",
    "gltf-scene-without-nodes.gltf",
    "obj-cr-only-comment.obj",
    "obj-cr-only.obj",
    "obj-groups-with-hash.obj",
    "obj-names-with-hash.obj",
    "obj-normal-nan-ind.obj",
    "obj-normal-zero.obj",
    "obj-utf16.obj",
    "off-head-in-one-word.off",
    "ply-binary-cr-header.ply",
    "ply-normal-ind.ply",
    "ply-vertex-over-two-lines.ply",
    "stl-end-loop.stl",
    "stl-end-solid.stl",
    "stl-facet-per-line.stl",
    "stl-one-facet-on-a-line.stl",
    "stream-list-of-one.npy",
];

/// Sound points that were refused or read in part.
const POINTS: [(&str, &[[f32; 3]]); 4] = [
    ("parquet-brotli.parquet", &[[1.0, 2.0, 3.0]]),
    ("pcd-binary-compressed.pcd", &[[0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [2.0, 0.0, 3.0]]),
    ("xyz-count-first.xyz", &[[1.5, 0.5, 1.0], [0.5, 0.25, 2.0]]),
    ("xyz-cr-only.xyz", &[[0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0]]),
];

fn read(path: &Path) -> Result<(), Error> {
    if ["ply", "stl"].map(Some).contains(&path.extension().and_then(|extension| extension.to_str()))
    {
        return read_model::<f32>(path).map(drop);
    }
    if ["las", "laz"].map(Some).contains(&path.extension().and_then(|extension| extension.to_str()))
    {
        return points(path).map(drop);
    }
    let (mut reader, mut chunk) = (RayReader::<f32>::open(path)?, RayChunk::<f32>::default());
    while reader.next_chunk(1000, &mut chunk)? {}
    Ok(())
}

#[test]
fn every_file_that_was_misread_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress");
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let is_sound =
        |name: &str| SOUND.contains(&name) || POINTS.iter().any(|(sound, _)| *sound == name);
    // Scene files are tested where scenes are.
    names.retain(|name| name != "README.md" && !name.ends_with(".scene") && !is_sound(name));
    names.sort();
    assert_eq!(names, SAID.map(|(name, _)| name));
    for (name, said) in SAID {
        let path = folder.join(name);
        let message = Folder::new().error_of(name, read(&path));
        assert_eq!(message, format!("{}: {said}", path.display()));
    }
}

#[test]
fn every_file_of_points_that_was_refused_or_cut_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress");
    for (name, expected) in POINTS {
        assert_eq!(points(&folder.join(name)).expect(name), expected, "{name}");
    }
}
