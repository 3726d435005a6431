//! GeoTIFF: the crate `tiff` unpacks and packs pixels, and the tags that place them are read here.

use super::{GeoKeys, Raster, RasterGrid, Registration, Sample};
use crate::error::{FileName, Result, counted};
use crate::excerpt;
use crate::mesh::Input;
use crate::mesh::most_of;
use crate::mesh::text::{number, shown};
use crate::most::Most;
use std::collections::HashSet;
use std::io::{Cursor, Seek, Write};
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::encoder::colortype::{self, ColorType};
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, TiffKind, TiffKindBig};
use tiff::encoder::{TiffKindStandard, TiffValue};
use tiff::tags::{CompressionMethod, ExtraSamples, Tag, Type, ValueBuffer};
use tiff::{Directory, TiffResult};

/// Text in which GDAL keeps what TIFF has no tag for.
const GDAL_METADATA: Tag = Tag::Unknown(42112);
/// Pixels of all tiles and strips that a file leaves out: 2048 rows of as many, or 256 bytes of values
/// for each of its bytes, as compressed ones may have.
const MOST_LEFT_OUT: Most = Most { believed: 1 << 22, for_each_byte: 32 };
/// No tile is wider or longer.
const LONGEST_TILE: u32 = 1 << 16;

/// A file that is read.
struct File<'a> {
    name: &'a FileName,
    size: u64,
    decoder: Decoder<Cursor<&'a [u8]>>,
}

pub(super) fn read(source: &Input) -> Result<Raster> {
    let name = &source.file;
    check_directories(&source.bytes).map_err(|what| name.content(what))?;
    let size = source.bytes.len();
    // What is to be unpacked is held against the size before it is.
    let mut limits = Limits::unlimited();
    (limits.ifd_value_size, limits.intermediate_buffer_size) = (size, size);
    let decoder = in_tiff(name, Decoder::new(Cursor::new(&source.bytes[..])))?.with_limits(limits);
    let mut file = File { name, size: size as u64, decoder };
    file.expect_one_band()?;
    let keys = file.keys()?;
    let (columns, rows) = in_tiff(name, file.decoder.dimensions())?;
    let registration = match &keys {
        Some(keys) => keys.registration().map_err(|what| name.content(what))?,
        None => Registration::Area,
    };
    let mut grid = RasterGrid {
        rows: rows as usize,
        columns: columns as usize,
        transform: file.transform()?,
        registration,
        nodata: file.nodata()?,
        crs: keys.and_then(GeoKeys::with_system),
    };
    grid.check().map_err(|what| name.content(what))?;
    let (sample, values) = file.values(&mut grid)?;
    Ok(Raster { grid, sample, values })
}

/// What the crate says of a file.
fn in_tiff<T>(name: &FileName, result: TiffResult<T>) -> Result<T> {
    result.map_err(|error| name.foreign("", error))
}

/// Refuses a file whose tags count more than it holds, for which the crate would allocate memory,
/// and one that is more than an image with smaller copies of it.
fn check_directories(bytes: &[u8]) -> Result<(), String> {
    let is_little = match bytes.get(..2) {
        Some(b"II") => true,
        Some(b"MM") => false,
        _ => return Err("not a TIFF file: it begins with neither \"II\" nor \"MM\"".to_owned()),
    };
    let number = |at: u64, size: u64| -> Result<u64, String> {
        let end = usize::try_from(at.saturating_add(size)).unwrap_or(usize::MAX);
        let of = bytes.get(end.saturating_sub(size as usize)..end);
        let of = of.ok_or_else(|| format!("truncated: byte {at} does not exist"))?;
        let append = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Ok(if is_little { of.iter().rev().fold(0, append) } else { of.iter().fold(0, append) })
    };
    let is_big = number(2, 2)? == 43;
    // The bytes of an offset, of the number of tags, and of a tag; where the first offset is.
    let (offset, count, tag, first) = if is_big { (8, 8, 20, 8) } else { (4, 2, 12, 4) };
    let (mut seen, mut images, mut taken) = (HashSet::new(), 0, 0_u64);
    let mut place = number(first, offset)?;
    while place != 0 && seen.insert(place) {
        let tags = number(place, count)?;
        // Each byte belongs to one of them, so that all are read in the time of the file.
        taken = taken.saturating_add(tags.saturating_mul(tag)).saturating_add(count + offset);
        if taken > bytes.len() as u64 {
            let (number, length) = (seen.len() - 1, bytes.len());
            return Err(format!(
                "malformed: directories up to number {number} take {taken} bytes, the file has {length}"
            ));
        }
        let mut kind = 0;
        for at in (0..tags).map(|tag_number| place.saturating_add(count + tag * tag_number)) {
            let (name, of_type, values) =
                (number(at, 2)?, number(at + 2, 2)?, number(at + 4, offset)?);
            let size = match of_type {
                3 | 8 => 2,
                4 | 9 | 11 | 13 => 4,
                5 | 10 | 12 | 16..=18 => 8,
                _ => 1,
            };
            if values > bytes.len() as u64 / size {
                let length = bytes.len();
                return Err(format!(
                    "truncated: tag {name} counts {values} values, the file has {length} bytes"
                ));
            }
            if name == u64::from(Tag::NewSubfileType.to_u16()) {
                kind = number(at + 4 + offset, if of_type == 3 { 2 } else { 4 })?;
            }
        }
        if kind & 4 != 0 {
            return Err(
                "a mask says where data are; gdalwarp -dstnodata -9999 has the values say it"
                    .to_owned(),
            );
        }
        images += u32::from(kind & 1 == 0);
        place = number(place.saturating_add(count + tag * tags), offset)?;
    }
    if images > 1 {
        return Err(format!(
            "{images} images; write one of them by gdal_translate GTIFF_DIR:1:{{this}} {{other}}"
        ));
    }
    Ok(())
}

impl File<'_> {
    /// Numbers of a tag; none if the file has no such tag.
    fn unsigned(&mut self, tag: Tag) -> Result<Vec<u64>> {
        let found = in_tiff(self.name, self.decoder.find_tag_unsigned_vec(tag))?;
        Ok(found.unwrap_or_default())
    }

    fn doubles(&mut self, tag: Tag) -> Result<Vec<f64>> {
        let found = in_tiff(self.name, self.decoder.find_tag(tag))?;
        let numbers = found.map(tiff::decoder::ifd::Value::into_f64_vec).transpose();
        Ok(in_tiff(self.name, numbers)?.unwrap_or_default())
    }

    /// The bytes of a text, whatever characters they mean.
    fn text(&mut self, tag: Tag) -> Result<Vec<u8>> {
        let mut buffer = ValueBuffer::empty(Type::ASCII);
        in_tiff(self.name, self.decoder.image_ifd().find_tag_buf(tag, &mut buffer))?;
        Ok(buffer.as_bytes().to_vec())
    }

    /// Refuses what is not one band of heights.
    fn expect_one_band(&mut self) -> Result<()> {
        let refuse = |what: String| Err(self.name.content(what));
        let bands = self.unsigned(Tag::SamplesPerPixel)?.first().copied().unwrap_or(1);
        if bands != 1 {
            return refuse(format!(
                "{bands} bands; write one of them by gdal_translate -b 1 {{this}} {{other}}"
            ));
        }
        match self.unsigned(Tag::PhotometricInterpretation)?.first() {
            Some(1) => {}
            Some(3) => {
                return refuse(
                    "colours of a palette, not values; gdal_translate -expand gray makes values \
                     of them"
                        .to_owned(),
                );
            }
            Some(kind @ (0 | 2..)) => {
                return refuse(format!(
                    "PhotometricInterpretation {kind}; of one band only 1 (BlackIsZero) has values"
                ));
            }
            None => return refuse("no PhotometricInterpretation".to_owned()),
        }
        if let Some(turned @ (0 | 2..)) = self.unsigned(Tag::Orientation)?.first() {
            return refuse(format!(
                "Orientation {turned}; only 1, the first row at the top, is read"
            ));
        }
        let metadata = String::from_utf8_lossy(&self.text(GDAL_METADATA)?).into_owned();
        if metadata.contains("role=\"scale\"") || metadata.contains("role=\"offset\"") {
            return refuse(
                "the values have a scale or an offset; gdal_translate -unscale -ot Float64 applies \
                 them"
                    .to_owned(),
            );
        }
        Ok(())
    }

    fn keys(&mut self) -> Result<Option<GeoKeys>> {
        let directory = self.unsigned(Tag::GeoKeyDirectoryTag)?;
        if directory.is_empty() {
            return Ok(None);
        }
        let directory = directory.into_iter().map(u16::try_from).collect::<Result<_, _>>();
        let directory = directory
            .map_err(|_| self.name.content("GeoKeyDirectory holds numbers of more than 16 bits"))?;
        let doubles = self.doubles(Tag::GeoDoubleParamsTag)?;
        let text = self.text(Tag::GeoAsciiParamsTag)?;
        GeoKeys::new(directory, doubles, text).map(Some).map_err(|what| self.name.content(what))
    }

    fn transform(&mut self) -> Result<[f64; 6]> {
        let name = self.name;
        let matrix = self.doubles(Tag::ModelTransformationTag)?;
        let scale = self.doubles(Tag::ModelPixelScaleTag)?;
        let points = self.doubles(Tag::ModelTiepointTag)?;
        match (&matrix[..], &scale[..], &points[..]) {
            (&[a, b, p, c, d, e, q, f, r, s, t, u, ..], [], _) if matrix.len() == 16 => {
                if [p, q, r, s, u].iter().any(|part| *part != 0.0) || !(t == 0.0 || t == 1.0) {
                    return Err(name.content("ModelTransformation changes heights; not supported"));
                }
                Ok([a, b, c, d, e, f])
            }
            ([], &[dx, dy, dz], &[i, j, _, x, y, z]) => {
                if !(dx > 0.0 && dy > 0.0) {
                    return Err(name.content(format_args!(
                        "ModelPixelScale is {dx} by {dy}; it must be above 0, and \
                         ModelTransformation says what points elsewhere"
                    )));
                }
                if z != 0.0 || !(dz == 0.0 || dz == 1.0) {
                    return Err(name.content(format_args!(
                        "ModelPixelScale and ModelTiepoint scale heights by {dz} and move them by \
                         {z}; not supported"
                    )));
                }
                Ok([dx, 0.0, x - dx * i, 0.0, -dy, y + dy * j])
            }
            ([], [], []) => Err(name.content(
                "nothing says where the pixels are: neither ModelPixelScale and ModelTiepoint nor \
                 ModelTransformation; gdal_translate -a_ullr gives them a place",
            )),
            ([], [], points) if points.len() > 6 => Err(name.content(format_args!(
                "placed by {} points; gdalwarp makes a grid of it",
                points.len() / 6
            ))),
            _ => Err(name.content(format_args!(
                "ModelTransformation of {}, ModelPixelScale of {} and ModelTiepoint of {}; \
                 expected 16 alone, or 3 and 6",
                counted(matrix.len(), "number"),
                counted(scale.len(), "number"),
                counted(points.len(), "number")
            ))),
        }
    }

    fn nodata(&mut self) -> Result<Option<f64>> {
        let text = self.text(Tag::GdalNodata)?;
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default().trim_ascii();
        if text.is_empty() {
            return Ok(None);
        }
        number(text).map(Some).map_err(|_| {
            self.name.content(format_args!("GDAL_NODATA is {}, no number", shown(text)))
        })
    }

    /// The type of the values, and all of them. Rounds the value of no data to that type.
    fn values(&mut self, grid: &mut RasterGrid) -> Result<(Sample, Vec<f64>)> {
        let name = self.name;
        let sample = self.sample()?;
        if let (Sample::F32, Some(nodata)) = (sample, grid.nodata) {
            grid.nodata = Some(f64::from(nodata as f32));
        }
        let (rows, columns) = (grid.rows, grid.columns);
        let bytes = (rows as u64).checked_mul(columns as u64 * size_of::<f64>() as u64);
        if bytes.is_none_or(|bytes| bytes > most_of(self.size as usize)) {
            let size = self.size;
            return Err(name.content(format_args!(
                "{rows} rows of {columns} values are more than a file of {size} bytes is believed \
                 to hold; cut out a part by gdal_translate -srcwin"
            )));
        }
        let chunks = self.chunks()?;
        let width = self.decoder.chunk_dimensions().0.min(columns as u32).max(1) as usize;
        let height = self.decoder.chunk_dimensions().1.min(rows as u32).max(1) as usize;
        let across = columns.div_ceil(width);
        let there: u64 = (0..)
            .zip(&chunks)
            .take(across * rows.div_ceil(height))
            .filter(|(_, bytes)| **bytes > 0)
            .map(|(chunk, _)| self.decoder.chunk_data_dimensions(chunk))
            .map(|(width, height)| u64::from(width) * u64::from(height))
            .sum();
        let left_out = (rows as u64 * columns as u64).saturating_sub(there);
        MOST_LEFT_OUT.check("pixels that the file leaves out", left_out, self.size).map_err(
            |what| {
                name.content(format_args!("{what}; gdal_translate -co COMPRESS=DEFLATE writes all"))
            },
        )?;
        let mut values = vec![grid.nodata.unwrap_or(0.0); rows * columns];
        for (chunk, _) in (0..).zip(chunks).filter(|(_, bytes)| *bytes > 0) {
            let read = self.decoder.read_chunk(chunk);
            let read = read.map_err(|error| name.foreign(&self.chunk_name(chunk), error))?;
            let first = [chunk as usize / across * height, chunk as usize % across * width];
            let size = self.decoder.chunk_data_dimensions(chunk);
            let part = Part { values: &mut values, columns, first, width: size.0 as usize };
            part.take(sample, &read).map_err(|what| name.content(what))?;
        }
        Ok((sample, values))
    }

    fn sample(&mut self) -> Result<Sample> {
        let bits = self.unsigned(Tag::BitsPerSample)?.first().copied().unwrap_or(1);
        let kind = self.unsigned(Tag::SampleFormat)?.first().copied().unwrap_or(1);
        Ok(match (kind, bits) {
            (1, 8) => Sample::U8,
            (1, 16) => Sample::U16,
            (1, 32) => Sample::U32,
            (1, 64) => Sample::U64,
            (2, 8) => Sample::I8,
            (2, 16) => Sample::I16,
            (2, 32) => Sample::I32,
            (2, 64) => Sample::I64,
            (3, 16 | 32) => Sample::F32,
            (3, 64) => Sample::F64,
            _ => {
                let kind = match kind {
                    1 => "unsigned integers",
                    2 => "signed integers",
                    3 => "floats",
                    _ => "complex or other values",
                };
                return Err(self.name.content(format_args!(
                    "{kind} of {}; gdal_translate -ot Float64 makes values of them that are read",
                    counted(bits, "bit")
                )));
            }
        })
    }

    fn chunk_name(&self, chunk: u32) -> String {
        match self.decoder.get_chunk_type() {
            ChunkType::Strip => format!("strip {chunk}: "),
            ChunkType::Tile => format!("tile {chunk}: "),
        }
    }

    /// The bytes of each strip or tile, 0 for those that are left out. Refuses those that hold more
    /// than so many bytes can be unpacked to.
    fn chunks(&mut self) -> Result<Vec<u64>> {
        let name = self.name;
        let (width, height) = self.decoder.chunk_dimensions();
        let (of_places, of_bytes) = match self.decoder.get_chunk_type() {
            ChunkType::Strip => (Tag::StripOffsets, Tag::StripByteCounts),
            ChunkType::Tile if width.max(height) > LONGEST_TILE => {
                return Err(name.content(format_args!("tiles of {width} × {height} pixels")));
            }
            ChunkType::Tile => (Tag::TileOffsets, Tag::TileByteCounts),
        };
        let (places, chunks) = (self.unsigned(of_places)?, self.unsigned(of_bytes)?);
        let bits = self.unsigned(Tag::BitsPerSample)?.first().copied().unwrap_or(1);
        let densest = self.densest()?;
        // Of a file in which all are the same bytes each would be believed.
        let sum = chunks.iter().fold(0_u64, |sum, bytes| sum.saturating_add(*bytes));
        if sum > self.size {
            let size = self.size;
            return Err(name.content(format_args!(
                "the pixels take {}, more than the {size} of the file",
                counted(sum, "byte")
            )));
        }
        for (chunk, (&place, &bytes)) in (0..).zip(places.iter().zip(&chunks)) {
            let refuse =
                |what: String| Err(name.content(format_args!("{}{what}", self.chunk_name(chunk))));
            let (width, height) = self.decoder.chunk_data_dimensions(chunk);
            let pixels = u64::from(width) * u64::from(height);
            if place.checked_add(bytes).is_none_or(|end| end > self.size) {
                return refuse(format!(
                    "truncated: bytes {place} to {} of a file of {}",
                    place.saturating_add(bytes),
                    self.size
                ));
            }
            if bytes > 0 && pixels * bits / 8 > bytes.saturating_mul(densest) {
                return refuse(format!(
                    "{width} × {height} pixels do not fit into {}",
                    counted(bytes, "byte")
                ));
            }
        }
        Ok(chunks)
    }

    /// To how many bytes a byte can be unpacked at most.
    fn densest(&mut self) -> Result<u64> {
        let method = self.unsigned(Tag::Compression)?.first().copied().unwrap_or(1);
        let known = u16::try_from(method).map(CompressionMethod::from_u16_exhaustive);
        Ok(match known {
            Ok(CompressionMethod::None) => 1,
            // Two bytes stand for 128.
            Ok(CompressionMethod::PackBits) => 64,
            // A code of nine bits and more stands for 4096 bytes at most.
            Ok(CompressionMethod::LZW) => 4096,
            Ok(CompressionMethod::Deflate | CompressionMethod::OldDeflate) => 1032,
            #[cfg(feature = "zstd")]
            Ok(CompressionMethod::ZSTD) => 1 << 15,
            #[cfg(not(feature = "zstd"))]
            Ok(CompressionMethod::ZSTD) => {
                return Err(self.name.content("zstd needs the feature `zstd` of lanecast-io"));
            }
            known => {
                let method = match known {
                    Ok(CompressionMethod::Unknown(_)) | Err(_) => format!("number {method}"),
                    Ok(known) => format!("{known:?}"),
                };
                return Err(self.name.content(format_args!(
                    "compressed by {}; known: LZW, Deflate, PackBits, ZSTD; gdal_translate -co \
                     COMPRESS=DEFLATE packs anew",
                    excerpt(&method)
                )));
            }
        })
    }
}

/// The pixels of a strip or tile among all.
struct Part<'a> {
    values: &'a mut [f64],
    columns: usize,
    /// Its first row and column.
    first: [usize; 2],
    width: usize,
}

impl Part<'_> {
    fn take(self, sample: Sample, read: &DecodingResult) -> Result<(), String> {
        macro_rules! take {
            ($(($kind:ident, $sample:pat, $of:expr),)*) => {
                match (read, sample) {
                    $((DecodingResult::$kind(values), $sample) => self.fill(values, $of),)*
                    _ => Err("the values are of another type than the file says".to_owned()),
                }
            };
        }
        take! {
            (U8, Sample::U8, |&x| Some(f64::from(x))),
            (I8, Sample::I8, |&x| Some(f64::from(x))),
            (U16, Sample::U16, |&x| Some(f64::from(x))),
            (I16, Sample::I16, |&x| Some(f64::from(x))),
            (U32, Sample::U32, |&x| Some(f64::from(x))),
            (I32, Sample::I32, |&x| Some(f64::from(x))),
            (U64, Sample::U64, |&x| (x as f64 as u128 == u128::from(x)).then_some(x as f64)),
            (I64, Sample::I64, |&x| (x as f64 as i128 == i128::from(x)).then_some(x as f64)),
            (F16, Sample::F32, |x| Some(x.to_f64())),
            (F32, Sample::F32, |&x| Some(f64::from(x))),
            (F64, Sample::F64, |&x| Some(x)),
        }
    }

    /// Takes its values, which `f64` must hold.
    fn fill<V: std::fmt::Display>(
        self,
        values: &[V],
        of: impl Fn(&V) -> Option<f64>,
    ) -> Result<(), String> {
        let [first, column] = self.first;
        for (row, values) in (first..).zip(values.chunks(self.width.max(1))) {
            let start = row * self.columns + column;
            for (value, place) in values.iter().zip(&mut self.values[start..]) {
                *place = of(value).ok_or_else(|| {
                    format!(
                        "a value of row {row}, {value}, has more digits than f64; gdal_translate \
                         -ot Float64 rounds it"
                    )
                })?;
            }
        }
        Ok(())
    }
}

/// Bytes of a strip that is written, before it is compressed.
const STRIP: usize = 1 << 18;
/// From how many bytes on offsets take more than 32 bits, if nothing can be compressed.
const BIG: u64 = 0xf000_0000;

pub(super) fn write(
    to: impl Write + Seek,
    grid: &RasterGrid,
    sample: Sample,
    bands: &[&[f64]],
    names: &[String],
) -> TiffResult<()> {
    if bands.iter().map(|values| values.len() as u64 * 8).sum::<u64>() > BIG {
        write_kind::<_, TiffKindBig>(to, grid, sample, bands, names)
    } else {
        write_kind::<_, TiffKindStandard>(to, grid, sample, bands, names)
    }
}

fn write_kind<W: Write + Seek, K: TiffKind>(
    to: W,
    grid: &RasterGrid,
    sample: Sample,
    bands: &[&[f64]],
    names: &[String],
) -> TiffResult<()> {
    let compression = Compression::Deflate(DeflateLevel::default());
    let encoder = TiffEncoder::<W, K>::new_generic(to)?.with_compression(compression);
    macro_rules! write {
        ($($sample:ident as $color:ident of $number:ty,)*) => {
            match sample {
                $(Sample::$sample => {
                    write_samples::<W, K, colortype::$color>(encoder, grid, bands, names, |x| x as $number)
                })*
            }
        };
    }
    write! {
        U8 as Gray8 of u8,
        I8 as GrayI8 of i8,
        U16 as Gray16 of u16,
        I16 as GrayI16 of i16,
        U32 as Gray32 of u32,
        I32 as GrayI32 of i32,
        U64 as Gray64 of u64,
        I64 as GrayI64 of i64,
        F32 as Gray32Float of f32,
        F64 as Gray64Float of f64,
    }
}

fn write_samples<W: Write + Seek, K: TiffKind, C: ColorType>(
    mut encoder: TiffEncoder<W, K>,
    grid: &RasterGrid,
    bands: &[&[f64]],
    names: &[String],
    of: impl Fn(f64) -> C::Inner,
) -> TiffResult<()>
where
    [C::Inner]: TiffValue,
{
    let (columns, rows) = (u32::try_from(grid.columns)?, u32::try_from(grid.rows)?);
    let mut image = encoder.new_image::<C>(columns, rows)?;
    if bands.len() > 1 {
        image.extra_samples(&vec![ExtraSamples::Unspecified; bands.len() - 1])?;
    }
    let in_strip = (STRIP / 8 / grid.columns / bands.len()).clamp(1, grid.rows);
    image.rows_per_strip(u32::try_from(in_strip)?)?;
    let tags = image.encoder();
    let [a, b, c, d, e, f] = grid.transform;
    if grid.is_along_axes() && a > 0.0 && e < 0.0 {
        tags.write_tag(Tag::ModelPixelScaleTag, &[a, -e, 0.0][..])?;
        tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, c, f, 0.0][..])?;
    } else {
        let matrix = [[a, b, 0.0, c], [d, e, 0.0, f], [0.0; 4], [0.0, 0.0, 0.0, 1.0]];
        tags.write_tag(Tag::ModelTransformationTag, matrix.as_flattened())?;
    }
    if let Some(directory) = GeoKeys::directory(grid.crs.as_ref(), grid.registration) {
        tags.write_tag(Tag::GeoKeyDirectoryTag, &directory[..])?;
    }
    let mut texts = Vec::new();
    if let Some(keys) = &grid.crs {
        if !keys.doubles.is_empty() {
            tags.write_tag(Tag::GeoDoubleParamsTag, &keys.doubles[..])?;
        }
        texts.push((Tag::GeoAsciiParamsTag, keys.text.clone()));
    }
    if let Some(nodata) = grid.nodata {
        tags.write_tag(Tag::GdalNodata, &nodata.to_string().to_lowercase()[..])?;
    }
    if !names.is_empty() {
        let named = |(band, name): (usize, &String)| {
            let name = escaped(name);
            format!(
                "  <Item name=\"DESCRIPTION\" sample=\"{band}\" role=\"description\">{name}</Item>\n"
            )
        };
        let items: String = names.iter().enumerate().map(named).collect();
        let metadata = format!("<GDALMetadata>\n{items}</GDALMetadata>\n\0");
        texts.push((GDAL_METADATA, metadata.into_bytes()));
    }
    // Of any characters.
    for (tag, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
        let mut directory = Directory::empty();
        directory.extend([(*tag, tags.write_entry_bytes(Type::ASCII, text)?)]);
        tags.extend_from(&directory);
    }
    let pixels = 0..grid.rows * grid.columns;
    let of_pixel = |pixel: usize| bands.iter().map(move |values| values[pixel]);
    // Strip by strip the crate compresses nothing, whatever its tag says.
    image.write_data(&pixels.flat_map(of_pixel).map(of).collect::<Vec<_>>())
}

/// A text as XML has it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
