//! A raster of heights as a surface: the pixel centres are its vertices.

use super::{Raster, RasterGrid, read};
use crate::error::{Result, counted};
use crate::mesh::{Coordinate, FARTHEST, Input, Mesh, Model};
use lanecast::primitive::HeightField;

/// A scene has no more triangles.
const MOST_CELLS: usize = 1 << 29;

impl Raster {
    /// The raster as a field of heights whose vertices are the pixel centres, without data holes;
    /// `origin` is subtracted from x and y.
    ///
    /// x and y at survey coordinates are too large for `f32`: give the origin that the scene and
    /// its rays are to have, such as a corner of the raster in whole metres. Rows of a field ascend
    /// along y, so that of `rows` × `columns` vertices of a raster with north up the one in field
    /// row `r` is the pixel in row `rows` − 1 − `r`. Where x descends along rows, columns are
    /// turned around alike.
    ///
    /// Heights, the origin and the spacing are rounded to `T` once, and vertices are at whole
    /// multiples of that spacing: one that `f32` does not hold, such as 1/3, moves the last column
    /// by up to its number of columns times the rounding.
    ///
    /// ```
    /// # use lanecast::SceneBuilder;
    /// # fn scene(raster: &lanecast_io::Raster) -> lanecast::Result<lanecast::Scene> {
    /// let corner = raster.grid.centre(raster.grid.rows - 1, 0).map(f64::floor);
    /// SceneBuilder::new().height_field(raster.height_field(corner)?)?.build()
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`UnusableField`](lanecast::Error::UnusableField) where the transform is rotated, which a
    /// mesh can be ([`read_model`](crate::read_model)), and else the errors of
    /// [`HeightField::new`].
    pub fn height_field<T: Coordinate>(
        &self,
        origin: [f64; 2],
    ) -> lanecast::Result<HeightField<T>> {
        let RasterGrid { rows, columns, transform: [a, .., e, _], .. } = self.grid;
        if !self.grid.is_along_axes() {
            return Err(lanecast::Error::UnusableField {
                maker: "height field",
                field: "transform",
                problem: "is rotated; a mesh can be, and gdalwarp makes one that is not".to_owned(),
            });
        }
        let mut heights = Vec::with_capacity(self.values.len());
        for row in 0..rows {
            let row = if e < 0.0 { rows - 1 - row } else { row };
            let values = self.values[row * columns..][..columns].iter();
            let heights_of = values.map(|&value| {
                T::nearest(if self.grid.is_nodata(value) { f64::NAN } else { value })
            });
            if a < 0.0 {
                heights.extend(heights_of.rev());
            } else {
                heights.extend(heights_of);
            }
        }
        let first = self.grid.centre(0, 0);
        let last = self.grid.centre(rows.saturating_sub(1), columns.saturating_sub(1));
        let least = |axis: usize| T::nearest(first[axis].min(last[axis]) - origin[axis]);
        let spacing = [a.abs(), e.abs()].map(T::nearest);
        HeightField::new(&heights, [rows, columns], [least(0), least(1)], spacing)
    }
}

/// The raster of a file as a mesh, with a vertex for each pixel.
pub(crate) fn read_model<T: Coordinate>(source: &Input) -> Result<Model<T>> {
    let raster = read(source)?;
    let Raster { grid, values, .. } = &raster;
    let cells = grid.rows.saturating_sub(1).saturating_mul(grid.columns.saturating_sub(1));
    if cells > MOST_CELLS || u32::try_from(values.len()).is_err() {
        let (rows, columns) = (grid.rows, grid.columns);
        return Err(source.file.content(format_args!(
            "{rows} rows of {columns} pixels are more than a mesh has, {MOST_CELLS} cells; cut out \
             a part by gdal_translate -srcwin"
        )));
    }
    let mesh = mesh_of(&raster).map_err(|what| source.file.content(what))?;
    let mut remarks = Vec::new();
    if !mesh.unusable_vertices.is_empty() {
        let count = counted(mesh.unusable_vertices.len(), "pixel");
        remarks.push(format!("{count} without data: no triangle has a corner there"));
    }
    if grid.crs.as_ref().is_some_and(super::GeoKeys::is_geographic) {
        remarks.push(
            "x and y are longitude and latitude in degrees, heights are not: gdalwarp -t_srs gives \
             them one unit"
                .to_owned(),
        );
    }
    Ok(Model::standing(source, vec![mesh], remarks))
}

fn mesh_of<T: Coordinate>(raster: &Raster) -> Result<Mesh<T>, String> {
    let Raster { grid, values, .. } = raster;
    let (rows, columns) = (grid.rows, grid.columns);
    let mut vertices = Vec::with_capacity(values.len());
    let mut unusable_vertices = Vec::new();
    for (number, &value) in values.iter().enumerate() {
        let (row, column) = (number / columns, number % columns);
        if grid.is_nodata(value) {
            unusable_vertices.push(number as u32);
            vertices.push([T::ZERO; 3]);
            continue;
        }
        let [x, y] = grid.centre(row, column);
        let vertex = [x, y, value].map(T::nearest);
        if ![x, y, value].iter().all(|x| x.abs() <= FARTHEST) {
            return Err(format!(
                "row {row}, column {column}: {vertex:?} is no position; if {value:e} means that \
                 there is no data, gdal_edit.py -a_nodata {value:e} says so"
            ));
        }
        vertices.push(vertex);
    }
    let [a, b, _, d, e, _] = grid.transform;
    // With north up rows go down.
    let goes_down = a * e - b * d < 0.0;
    let is_there = |number: u32| !grid.is_nodata(values[number as usize]);
    let (mut triangles, mut face_ids) = (Vec::new(), Vec::new());
    for row in 1..rows {
        for column in 1..columns {
            let last = (row * columns + column) as u32;
            let width = columns as u32;
            let (above, below) = ([last - width - 1, last - width], [last - 1, last]);
            // As in a field of heights, from the lower left corner, counter-clockwise.
            let ([v00, v01], [v10, v11]) = if goes_down { (below, above) } else { (above, below) };
            for triangle in [[v00, v01, v10], [v11, v10, v01]] {
                if triangle.into_iter().all(is_there) {
                    triangles.push(triangle);
                    face_ids.push(((row - 1) * (columns - 1) + column - 1) as u32);
                }
            }
        }
    }
    let face_ids = Some(face_ids);
    Ok(Mesh { vertices, triangles, face_ids, unusable_vertices, ..Mesh::default() })
}
