//! What the targets share.

use arbitrary::{Arbitrary, Unstructured};
use lanecast::Precision;
use lanecast_io::{Error, MeshFormat, read_model_from};
use std::fs;
use std::panic::{set_hook, take_hook};
use std::path::PathBuf;
use std::process::abort;
use std::sync::{Once, OnceLock};

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

/// As many as the bytes say, and no more than that.
pub fn up_to<'a, T: Arbitrary<'a>>(
    most: usize,
    bytes: &mut Unstructured<'a>,
) -> arbitrary::Result<Vec<T>> {
    bytes.arbitrary_iter()?.take(most).collect()
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

/// Where the packages of lanecast lie.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Readers make errors of panics, which the packages for some formats have. From this call on one
/// in lanecast's own code ends the process.
pub fn abort_on_own_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        // Their hook is set by the first file that needs it.
        drop(read_model_from::<f32>("none", &b"{}"[..], MeshFormat::Gltf));
        let readers = take_hook();
        let own = fs::canonicalize(OWN).expect("the repository");
        set_hook(Box::new(move |panic| {
            if panic.location().is_some_and(|place| own.join(place.file()).starts_with(&own)) {
                eprintln!("{panic}");
                abort();
            }
            readers(panic);
        }));
    });
}

/// The message of an error is one line with the name of the file.
pub fn look(error: &Error) {
    let error = error.to_string();
    assert!(error.contains("input.") && !error.contains('\n'), "{error:?}");
}
