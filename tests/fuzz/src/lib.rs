//! What the targets share.

use arbitrary::{Arbitrary, Unstructured};
use lanecast::Precision;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Numbers at which geometry goes wrong: neighbours on a small grid, so that rays meet edges and
/// vertices and triangles have no area, and a few at the ends of what numbers there are.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub f64);

const FAR: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -0.0,
    1e-40,
    -1e-300,
    1.000_000_119_209_289_6,
    0.333_333_333_333_333_3,
    16_777_217.0,
    -4e6,
    1e15,
    -1e20,
    1e29,
    1.3e30,
    -3e38,
    1e300,
];

impl<'a> Arbitrary<'a> for Number {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let byte = u8::arbitrary(bytes)?;
        Ok(Self(match byte {
            0..=15 => FAR[byte as usize],
            16..=63 => f64::from(f32::from_bits(u32::arbitrary(bytes)?)),
            _ => (f64::from(byte) - 160.0) / 8.0,
        }))
    }
}

/// A precision, from and to `f64`.
pub trait Float: Precision {
    fn nearest(number: f64) -> Self;
    fn wide(self) -> f64;
}

impl Float for f32 {
    fn nearest(number: f64) -> Self {
        number as Self
    }

    fn wide(self) -> f64 {
        self.into()
    }
}

impl Float for f64 {
    fn nearest(number: f64) -> Self {
        number
    }

    fn wide(self) -> f64 {
        self
    }
}

/// A vector in a precision.
pub fn vector<T: Float>(numbers: [Number; 3]) -> [T; 3] {
    numbers.map(|Number(number)| T::nearest(number))
}

/// A file with these bytes, in memory where the folder of temporary files is; the same file, written
/// anew, for every run of a process.
pub fn file(extension: &str, bytes: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let path = folder.path().join(format!("input.{extension}"));
    fs::write(&path, bytes).expect("a file");
    path
}

/// An input's first line is the extension of a file, and what follows is what it holds.
pub fn named<'a>(bytes: &'a [u8], extensions: &[&'static str]) -> Option<(&'static str, &'a [u8])> {
    let end = bytes.iter().take(16).position(|byte| *byte == b'\n')?;
    let extension = extensions.iter().find(|extension| extension.as_bytes() == &bytes[..end])?;
    Some((extension, &bytes[end + 1..]))
}
