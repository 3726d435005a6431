//! Ray files: every format gives the same rays however they are cut into chunks, and what is wrong
//! with a file is said with its place.

mod arrays;
mod blocks;
mod files;
mod refused;
mod sound;

use crate::folder::Folder;
use lanecast::Ray;
use lanecast_io::{Error, RayChunk, RayIds, RayReader};

impl Folder {
    fn rays(&self, name: &str, bytes: impl AsRef<[u8]>, chunk: usize) -> Result<Rays, Error> {
        all(RayReader::<f32>::open(&self.file(name, bytes))?, chunk)
    }

    fn ray_error(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.error_of(name, self.rays(name, bytes, 7))
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Rays {
    rays: Vec<Ray>,
    ids: Option<Vec<i64>>,
}

/// Reads to the end in chunks of at most `max_rows`, all but the last full.
fn all(mut reader: RayReader, max_rows: usize) -> Result<Rays, Error> {
    let total = reader.total();
    let mut all = Rays { rays: Vec::new(), ids: None };
    let mut chunk = RayChunk::<f32>::default();
    let mut last = max_rows;
    while reader.next_chunk(max_rows, &mut chunk)? {
        assert_eq!(last, max_rows, "a chunk before the last is not full");
        last = chunk.rays.len();
        assert_eq!(chunk.first_row, all.rays.len() as u64);
        match chunk.ids() {
            RayIds::Given(ids) => {
                assert_eq!(ids.len(), chunk.rays.len());
                all.ids.get_or_insert_default().extend(ids);
            }
            RayIds::Rows(first) => assert_eq!(first, chunk.first_row),
        }
        all.rays.append(&mut chunk.rays);
    }
    assert!(chunk.rays.is_empty());
    assert!(!reader.next_chunk(max_rows, &mut chunk)?, "the end stays the end");
    if let Some(total) = total {
        assert_eq!(total, all.rays.len() as u64);
    }
    Ok(all)
}
