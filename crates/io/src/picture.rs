//! Pictures as PNG.

use super::error::{FileName, InFile, Result, extension, unknown_format};
use super::output::{Output, is_device, is_standard};
use std::path::Path;

/// Writes a picture of 8-bit sRGB pixels, rows from the top, three bytes `r g b` each; `-` is
/// standard output, and any other file must have the extension `png`.
///
/// # Errors
/// The file cannot be written or is named as another format, a side is 0, or `rgb` is not
/// `3 · width · height` bytes long.
pub fn write_png(path: &Path, width: u32, height: u32, rgb: &[u8]) -> Result<()> {
    let extension = extension(path);
    if extension != "png" && !is_standard(path) && !is_device(path) {
        return Err(FileName::of(path).content(unknown_format("picture", &extension, "png")));
    }
    let (output, name) = Output::create(path)?;
    let expected = 3 * u128::from(width) * u128::from(height);
    if rgb.len() as u128 != expected || expected == 0 {
        let found = rgb.len();
        return Err(
            name.content(format_args!("{found} bytes of colour for {width} × {height} pixels"))
        );
    }
    let mut output = output;
    let mut encoder = png::Encoder::new(&mut output, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
        .write_header()
        .and_then(|mut writer| {
            writer.write_image_data(rgb)?;
            writer.finish()
        })
        .map_err(|error| match error {
            png::EncodingError::IoError(error) => name.system(error),
            other => name.foreign("", other),
        })?;
    output.finish().in_file(&name)
}
