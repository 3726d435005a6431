//! The bytes of a mesh file: from a file or a pipe, compressed or not, and what its name says of
//! them.

use super::budget;
use super::stl::begins_as_text as begins_as_text_stl;
use crate::error::{FileName, InFile, Result, extension, unknown_format};
use crate::output::is_standard;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format of a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// PLY, ASCII or binary.
    Ply,
    /// STL, ASCII or binary.
    Stl,
    /// Object File Format.
    Off,
    /// glTF, as JSON or as GLB.
    Gltf,
    /// GeoTIFF, a raster of heights.
    GeoTiff,
    /// ESRI ASCII grid, a raster of heights.
    AsciiGrid,
}

impl MeshFormat {
    /// The extensions that are known, without their dots.
    pub const EXTENSIONS: [&str; 9] =
        ["obj", "ply", "stl", "off", "gltf", "glb", "tif", "tiff", "asc"];

    /// The format for an extension, in any case and without its dot.
    ///
    /// ```
    /// use lanecast_io::MeshFormat;
    /// assert_eq!(MeshFormat::from_extension("GLB"), Some(MeshFormat::Gltf));
    /// assert_eq!(MeshFormat::from_extension("gz"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            "off" => Some(Self::Off),
            "gltf" | "glb" => Some(Self::Gltf),
            "tif" | "tiff" => Some(Self::GeoTiff),
            "asc" => Some(Self::AsciiGrid),
            _ => None,
        }
    }
}

impl MeshFormat {
    /// The format that a name says, without the extension of a compression.
    pub(super) fn of_name(path: &Path) -> Option<Self> {
        Self::from_extension(&extension(&uncompressed(path)))
    }
}

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// By the first bytes, with which no mesh file begins.
    fn of_content(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x1f\x8b") {
            Some(Self::Gzip)
        } else if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
            Some(Self::Zstd)
        } else {
            None
        }
    }

    /// Refuses what grows to more than `most` bytes: it would fill the memory.
    fn decompress(self, file: &FileName, bytes: &[u8], most: u64) -> Result<Vec<u8>> {
        let mut decompressed = Vec::new();
        let mut read = |decoder: &mut dyn Read| {
            decoder.take(most.saturating_add(1)).read_to_end(&mut decompressed).map(drop)
        };
        let (name, read) = match self {
            Self::Gzip => ("gzip", read(&mut flate2::read::MultiGzDecoder::new(bytes))),
            #[cfg(feature = "zstd")]
            Self::Zstd => {
                let decoder = zstd::stream::read::Decoder::new(bytes);
                ("zstd", decoder.and_then(|mut decoder| read(&mut decoder)))
            }
            #[cfg(not(feature = "zstd"))]
            Self::Zstd => return Err(file.content("zstd needs the feature `zstd` of lanecast-io")),
        };
        read.map_err(|error| file.foreign(&format!("damaged {name} file: "), error))?;
        if decompressed.len() as u64 > most {
            let (from, name) = (bytes.len(), format!("{name} file"));
            let what = format!(
                "the {name} of {from} bytes grows to more than {most}; decompress it first"
            );
            return Err(file.content(what));
        }
        Ok(decompressed)
    }
}

/// The most bytes of values that a raster may have whose file has so many.
#[cfg(feature = "rasters")]
pub(crate) fn most_of(compressed: usize) -> u64 {
    (1_u64 << 30).max((compressed as u64).saturating_mul(256))
}

/// A mesh file in memory, not compressed.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) file: FileName,
    /// Its own path, if it has one.
    pub(super) path: Option<PathBuf>,
    /// Where the files are that it names.
    pub(super) folder: PathBuf,
    pub(super) name: String,
    pub(crate) format: MeshFormat,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads all of a file, or of standard input. The format that is given goes before the name.
    pub(crate) fn read(path: &Path, format: Option<MeshFormat>) -> Result<Self> {
        let is_standard = is_standard(path);
        let file = if is_standard { FileName::standard_input() } else { FileName::of(path) };
        // What is no file, or not there, is so whatever it is called.
        if !is_standard && path.metadata().in_file(&file)?.is_dir() {
            return Err(file.content("is a directory"));
        }
        let compression = Compression::from_extension(&extension(path));
        let inner = uncompressed(path);
        let extension = extension(&inner);
        let format = match format.or_else(|| MeshFormat::from_extension(&extension)) {
            Some(format) => format,
            None if is_standard => {
                let known = MeshFormat::EXTENSIONS.join(", ");
                return Err(file
                    .content(format_args!("no name to tell the mesh format by; known: {known}")));
            }
            None => {
                let known = MeshFormat::EXTENSIONS.join(", ");
                return Err(file.content(unknown_format("mesh", &extension, &known)));
            }
        };
        let name = if is_standard { "standard input".into() } else { stem(&inner) };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if is_standard {
            return Self::gather(file, folder, name, format, std::io::stdin().lock());
        }
        let bytes = std::fs::read(path).in_file(&file)?;
        let path = Some(path.to_owned());
        Self { file, path, folder, name, format, bytes }.decompressed(compression)
    }

    /// Reads all of something that has no path.
    pub(super) fn from_reader(name: &str, reader: impl Read, format: MeshFormat) -> Result<Self> {
        Self::gather(FileName::named(name), PathBuf::new(), name.into(), format, reader)
    }

    fn gather(
        file: FileName,
        folder: PathBuf,
        name: String,
        format: MeshFormat,
        mut reader: impl Read,
    ) -> Result<Self> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).in_file(&file)?;
        Self { file, path: None, folder, name, format, bytes }.decompressed(None)
    }

    /// The same without its compression: the one that its name says, or that its content shows.
    fn decompressed(mut self, compression: Option<Compression>) -> Result<Self> {
        let Self { file, bytes, format, .. } = &mut self;
        if bytes.is_empty() {
            return Err(file.content("the file is empty"));
        }
        if let Some(compression) = compression.or_else(|| Compression::of_content(bytes)) {
            *bytes = compression.decompress(file, bytes, budget::most_of(bytes.len() as u64))?;
            if bytes.is_empty() {
                return Err(file.content("the compressed file is empty"));
            }
        }
        if let Some(text) = text_behind_mark(bytes, *format) {
            *bytes = text;
        }
        Ok(self)
    }
}

/// The text behind a byte order mark, as UTF-8. An STL may be binary, which begins with any 80
/// bytes.
fn text_behind_mark(bytes: &[u8], format: MeshFormat) -> Option<Vec<u8>> {
    let of_pairs = |pairs: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = pairs.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let characters = char::decode_utf16(units)
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER));
        characters.collect::<String>().into_bytes()
    };
    let text = match bytes {
        [0xef, 0xbb, 0xbf, text @ ..] => text.to_vec(),
        [0xff, 0xfe, pairs @ ..] => of_pairs(pairs, u16::from_le_bytes),
        [0xfe, 0xff, pairs @ ..] => of_pairs(pairs, u16::from_be_bytes),
        _ => return None,
    };
    (format != MeshFormat::Stl || begins_as_text_stl(&text)).then_some(text)
}

/// A path without the extension of a compression.
fn uncompressed(path: &Path) -> PathBuf {
    match Compression::from_extension(&extension(path)) {
        Some(_) => path.with_extension(""),
        None => path.to_owned(),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
#[path = "../../tests/unit/mesh/input.rs"]
mod tests;
