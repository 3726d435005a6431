//! What reading meshes and reading rays have in common: what an error says, and damage.

use crate::folder::Folder;
use lanecast_io::{Error, PointChunk, PointReader};
use lanecast_reference::random::Random;

impl Folder {
    /// The message of reading that must fail, one line, without the folder.
    pub(crate) fn error_of<T>(&self, name: &str, read: Result<T, Error>) -> String {
        let error =
            read.err().unwrap_or_else(|| panic!("{name} was read without an error")).to_string();
        assert!(!error.contains('\n'), "{error:?}");
        error.replace(&self.path("").display().to_string(), "")
    }
}

/// All points of a file.
pub(crate) fn points(path: &std::path::Path) -> Result<Vec<[f32; 3]>, Error> {
    let (mut reader, mut chunk) = (PointReader::<f32>::open(path)?, PointChunk::default());
    let (total, mut points) = (reader.total(), Vec::new());
    while reader.next_chunk(7, &mut chunk)? {
        points.append(&mut chunk.points);
    }
    assert!(total.is_none_or(|total| total == points.len() as u64));
    Ok(points)
}

/// Hands out each file `times` times, every time with one to three of its bytes changed.
pub(crate) fn flip_bytes<N>(
    files: impl IntoIterator<Item = (N, Vec<u8>)>,
    times: usize,
    mut read: impl FnMut(&N, &[u8]),
) {
    let mut random = Random::new(1);
    for (name, bytes) in files {
        for _ in 0..times {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = random.bits() as u8;
            }
            read(&name, &bytes);
        }
    }
}

/// An NPY file.
pub(crate) fn npy(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}
