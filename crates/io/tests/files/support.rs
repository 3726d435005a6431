//! What reading meshes and reading rays have in common: what an error says, and damage.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use arrow_array::RecordBatch;
use lanecast_io::{CloudWriter, Coordinate, Error, PointChunk, PointReader, TableWriter, Values};
use lanecast_reference::random::Random;
use std::path::{Path, PathBuf};

impl Folder {
    /// The message of reading that must fail, one line, without the folder.
    #[track_caller]
    pub(crate) fn error_of<T>(&self, name: &str, read: Result<T, Error>) -> String {
        let Err(error) = read else { panic!("{name} was read without an error") };
        let error = error.to_string();
        assert!(!error.contains('\n'), "{error:?}");
        error.replace(&self.path("").display().to_string(), "")
    }

    /// Checks what is said of each file: a pattern of what follows its name.
    #[track_caller]
    pub(crate) fn refuses<T>(
        &self,
        read: impl Fn(&Path) -> Result<T, Error>,
        rows: impl IntoIterator<Item = (&'static str, Vec<u8>, impl AsRef<str>)>,
    ) {
        for (name, bytes, problem) in rows {
            let error = self.error_of(name, read(&self.file(name, bytes)));
            assert_reads(&error, &format!("{name}: {}", problem.as_ref()));
        }
    }

    /// A table of columns, in the format of its name.
    pub(crate) fn table(&self, name: &str, columns: &[(&'static str, Values<'_>)]) -> PathBuf {
        let path = self.path(name);
        let mut writer = TableWriter::create(&path, None, columns).expect("a file");
        writer.write(columns).expect("written");
        writer.finish().expect("finished");
        path
    }

    /// A cloud of points, in the format of its name.
    pub(crate) fn cloud<T: Coordinate>(&self, name: &str, points: &[[T; 3]]) -> PathBuf {
        let path = self.path(name);
        let mut writer = CloudWriter::create(&path).expect("a file");
        writer.write(points).expect("written");
        writer.finish().expect("finished");
        path
    }

    /// Points with the columns of their returns, each a number and that of all of its pulse.
    pub(crate) fn cloud_of(
        &self,
        name: &str,
        points: &[[f32; 3]],
        returns: &[[u32; 2]],
    ) -> Result<PathBuf, Error> {
        let [x, y, z] = [0, 1, 2].map(|axis| points.iter().map(|p| p[axis]).collect::<Vec<_>>());
        let [number, count] =
            [0, 1].map(|place| returns.iter().map(|of| of[place] as i32).collect::<Vec<_>>());
        let columns = [
            ("x", Values::F32(&x)),
            ("y", Values::F32(&y)),
            ("z", Values::F32(&z)),
            ("return_number", Values::I32(&number)),
            ("return_count", Values::I32(&count)),
        ];
        let mut writer = TableWriter::create(&self.path(name), None, &columns)?;
        writer.write(&columns)?;
        writer.finish().map(|()| self.path(name))
    }
}

/// All points of a file, in f32.
pub(crate) fn points(path: &Path) -> Result<Vec<[f32; 3]>, Error> {
    points_in(path)
}

/// All points of a file.
pub(crate) fn points_in<T: Coordinate>(path: &Path) -> Result<Vec<[T; 3]>, Error> {
    let (mut reader, mut chunk) = (PointReader::<T>::open(path)?, PointChunk::default());
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
    npy_of_header(
        &format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"),
        data,
    )
}

/// An NPY file with this header.
pub(crate) fn npy_of_header(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), data].concat()
}

/// Numbers as the bytes of a file.
pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// An Arrow stream of batches. An empty one gives its columns alone.
pub(crate) fn arrow_stream(batches: &[RecordBatch]) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).expect("a schema");
    let some = batches.iter().filter(|batch| batch.num_rows() > 0);
    some.for_each(|batch| writer.write(batch).expect("a batch"));
    writer.into_inner().expect("memory")
}

/// An Arrow file of such batches, compressed or not.
pub(crate) fn arrow_file(
    batches: &[RecordBatch],
    compression: Option<arrow_ipc::CompressionType>,
) -> Vec<u8> {
    let options = arrow_ipc::writer::IpcWriteOptions::default();
    let options = options.try_with_compression(compression).expect("options");
    let schema = batches[0].schema();
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new_with_options(Vec::new(), &schema, options)
            .expect("a schema");
    let some = batches.iter().filter(|batch| batch.num_rows() > 0);
    some.for_each(|batch| writer.write(batch).expect("a batch"));
    writer.into_inner().expect("memory")
}

/// A Parquet file of batches, in row groups of so many rows.
pub(crate) fn parquet(batches: &[RecordBatch], rows: usize) -> Vec<u8> {
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_max_row_group_row_count(Some(rows))
        .build();
    let schema = batches[0].schema();
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), schema, Some(properties))
        .expect("a schema");
    batches.iter().for_each(|batch| writer.write(batch).expect("a batch"));
    writer.into_inner().expect("memory")
}
