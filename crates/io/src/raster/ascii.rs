//! ESRI ASCII grids.

use super::{Raster, RasterGrid, Registration, Sample};
use crate::error::Result;
use crate::mesh::Input;
use crate::mesh::text::{Words, is_blank, number, shown};
use std::io::Write;

/// What stands before the values.
#[derive(Debug, Default)]
struct Head {
    columns: Option<usize>,
    rows: Option<usize>,
    x: Option<(f64, Registration)>,
    y: Option<(f64, Registration)>,
    width: Option<f64>,
    height: Option<f64>,
    nodata: Option<f64>,
}

/// Of a file that has no other.
const NODATA: f64 = -9999.0;

pub(super) fn read(source: &Input) -> Result<Raster> {
    let file = &source.file;
    let mut words = Words::new(&source.bytes);
    let mut head = Head::default();
    let mut values = words;
    while let Some(word) = words.next() {
        if !word.first().is_some_and(u8::is_ascii_alphabetic) || is_number(word) {
            break;
        }
        let line = words.line;
        let problem = |what: String| file.at_line(line, what);
        let value = words.next_in_line();
        let value = value.ok_or_else(|| problem(format!("{} has no value", shown(word))))?;
        head.take(word, value).map_err(problem)?;
        values = words;
    }
    let mut grid = head.grid().map_err(|what| file.content(what))?;
    grid.check().map_err(|what| file.content(what))?;

    // A value takes two bytes at least, with what is between it and the next.
    let count = grid
        .rows
        .checked_mul(grid.columns)
        .filter(|count| *count <= source.bytes.len().div_ceil(2));
    let (rows, columns) = (grid.rows, grid.columns);
    let count = count.ok_or_else(|| {
        let bytes = source.bytes.len();
        file.content(format_args!(
            "truncated: {rows} rows of {columns} values do not fit into {bytes} bytes"
        ))
    })?;
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let (row, column) = (all.len() / columns, all.len() % columns);
        let Some(word) = values.next() else {
            return Err(file.content(format_args!(
                "truncated: the value of row {row} of {rows}, column {column} of {columns}, is missing"
            )));
        };
        all.push(number::<f64>(word).map_err(|what| {
            file.at_line(values.line, format_args!("row {row}, column {column}: {what}"))
        })?);
    }
    if !is_blank(values.text) || !is_blank(values.rest) {
        let _ = values.next();
        let what = format!("more follows the {rows} rows of {columns} values");
        return Err(file.at_line(values.line, what));
    }
    let is_whole = all.iter().all(|value| Sample::I32.holds(*value));
    let sample = if is_whole { Sample::I32 } else { Sample::F64 };
    // NaN never is data.
    grid.nodata = Some(grid.nodata.unwrap_or(NODATA)).filter(|nodata| !nodata.is_nan());
    Ok(Raster { grid, sample, values: all })
}

/// `nan` and `inf` are values, not names.
fn is_number(word: &[u8]) -> bool {
    number::<f64>(word).is_ok()
}

impl Head {
    fn take(&mut self, name: &[u8], value: &[u8]) -> Result<(), String> {
        let of = |registration: Registration| {
            number::<f64>(value).map(|place| Some((place, registration)))
        };
        let twice = match &name.to_ascii_lowercase()[..] {
            b"ncols" => self.columns.replace(number(value)?).is_some(),
            b"nrows" => self.rows.replace(number(value)?).is_some(),
            b"xllcorner" => replaced(&mut self.x, of(Registration::Area)?),
            b"yllcorner" => replaced(&mut self.y, of(Registration::Area)?),
            b"xllcenter" => replaced(&mut self.x, of(Registration::Point)?),
            b"yllcenter" => replaced(&mut self.y, of(Registration::Point)?),
            b"cellsize" => {
                let size = number(value)?;
                self.width.replace(size).is_some() | self.height.replace(size).is_some()
            }
            b"dx" => self.width.replace(number(value)?).is_some(),
            b"dy" => self.height.replace(number(value)?).is_some(),
            b"nodata_value" => self.nodata.replace(number(value)?).is_some(),
            _ => {
                return Err(format!(
                    "unknown {}; known: ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, dx, dy, NODATA_value",
                    shown(name)
                ));
            }
        };
        if twice { Err(format!("{} is given twice", shown(name))) } else { Ok(()) }
    }

    fn grid(&self) -> Result<RasterGrid, String> {
        let missing = |name: &str| format!("no ESRI ASCII grid: the head has no {name}");
        let columns = self.columns.ok_or_else(|| missing("ncols"))?;
        let rows = self.rows.ok_or_else(|| missing("nrows"))?;
        if rows == 0 || columns == 0 {
            return Err(format!("{rows} rows of {columns} values hold nothing"));
        }
        let (x, registration) = self.x.ok_or_else(|| missing("xllcorner"))?;
        let (y, of_y) = self.y.ok_or_else(|| missing("yllcorner"))?;
        if registration != of_y {
            return Err("x is given at a corner and y at a centre, or the reverse".to_owned());
        }
        let width = self.width.ok_or_else(|| missing("cellsize"))?;
        let height = self.height.ok_or_else(|| missing("cellsize"))?;
        if !(width > 0.0 && height > 0.0) {
            return Err(format!("the size of cells is {width} by {height}; it must be above 0"));
        }
        let up = rows_up(registration, rows);
        Ok(RasterGrid {
            rows,
            columns,
            transform: [width, 0.0, x, 0.0, -height, y + up * height],
            registration,
            nodata: self.nodata,
            crs: None,
        })
    }
}

fn replaced<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    std::mem::replace(place, value).is_some()
}

/// How many pixels the place of the first row is above that of the lower left pixel.
fn rows_up(registration: Registration, rows: usize) -> f64 {
    match registration {
        Registration::Area => rows as f64,
        Registration::Point => rows as f64 - 1.0,
    }
}

/// What such a file cannot say of a grid.
pub(super) fn check(grid: &RasterGrid) -> Result<(), String> {
    let [a, _, _, _, e, _] = grid.transform;
    let remedy = "GeoTIFF (.tif) can";
    if !grid.is_along_axes() || a <= 0.0 || e != -a {
        return Err(format!(
            "an ESRI ASCII grid cannot hold the transform {:?}, only square pixels with north up; {remedy}",
            grid.transform
        ));
    }
    if grid.crs.is_some() {
        return Err(format!("an ESRI ASCII grid cannot hold the reference system; {remedy}"));
    }
    Ok(())
}

pub(super) fn write(
    to: &mut impl Write,
    grid: &RasterGrid,
    sample: Sample,
    values: &[f64],
) -> std::io::Result<()> {
    let [size, _, x, _, _, y] = grid.transform;
    let place = match grid.registration {
        Registration::Area => "corner",
        Registration::Point => "center",
    };
    let up = rows_up(grid.registration, grid.rows);
    write!(to, "ncols {}\nnrows {}\n", grid.columns, grid.rows)?;
    write!(to, "xll{place} {x}\nyll{place} {}\ncellsize {size}\n", y - up * size)?;
    // Without it −9999 would mean that there is no data, which then no value may.
    writeln!(to, "NODATA_value {}", grid.nodata.unwrap_or(f64::NAN))?;
    for row in values.chunks(grid.columns) {
        for (column, value) in row.iter().enumerate() {
            let between = if column == 0 { "" } else { " " };
            match sample {
                Sample::F32 => write!(to, "{between}{}", *value as f32)?,
                _ => write!(to, "{between}{value}")?,
            }
        }
        writeln!(to)?;
    }
    Ok(())
}
