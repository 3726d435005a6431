//! What colour a surface has by itself: one, one for each geometry, or by values of triangles,
//! vertices or faces.

use super::scale::Range;
use crate::failure::{Failure, Result};
use crate::mesh::Meshes;
use crate::number::counted;
use crate::picture::{Color, Ramp, from_srgb, mix};
use crate::precision::Number;
use lanecast::{Hit, INVALID_ID};
use lanecast_io::{Mesh, excerpt, read_values};
use std::path::{Path, PathBuf};

/// What colours are taken from, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Geometry,
    File { path: PathBuf, column: Option<String> },
}

impl Source {
    /// Reads `geometry`, `FILE` or `FILE:COLUMN`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let file = |path: &str, column: Option<&str>| {
            Ok(Self::File { path: path.into(), column: column.map(str::to_owned) })
        };
        match text.rsplit_once(':') {
            _ if text == "geometry" => Ok(Self::Geometry),
            _ if text.is_empty() => Err("expected geometry, FILE or FILE:COLUMN".to_owned()),
            Some((path, column)) if !path.is_empty() && !Path::new(text).exists() => {
                file(path, Some(column))
            }
            _ => file(text, None),
        }
    }

    /// The file that is read for it.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Geometry => None,
            Self::File { path, .. } => Some(path),
        }
    }
}

/// What values are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Triangles,
    Vertices,
    Faces,
}

/// Values of a file, with the number of the first one of each mesh.
#[derive(Debug)]
pub(super) struct Values {
    of: Of,
    values: Vec<f32>,
    starts: Vec<usize>,
    pub(super) range: Range,
    pub(super) name: String,
}

#[derive(Debug)]
pub(super) enum Paint {
    Plain,
    /// The colour and the name of each mesh.
    Geometry(Vec<(Color, String)>),
    Values(Values, Ramp),
}

/// Of what has no value.
pub(super) const NO_VALUE: u32 = 0xb4_b4_b4;

/// The colours of Okabe and Ito ("Color universal design", 2008), which everybody can tell apart,
/// without black.
const PALETTE: [u32; 7] =
    [0x56_b4_e9, 0xe6_9f_00, 0x00_9e_73, 0xcc_79_a7, 0xf0_e4_42, 0x00_72_b2, 0xd5_5e_00];

/// The colour of a geometry. After one round the palette comes again, lighter and darker by turns.
fn palette(number: usize) -> Color {
    let (round, color) = (number / PALETTE.len(), from_srgb(PALETTE[number % PALETTE.len()]));
    match round % 3 {
        0 => color,
        1 => mix(color, [1.0; 3], 0.55),
        _ => mix(color, [0.0; 3], 0.55),
    }
}

/// The colours of values: viridis (van der Walt and Smith, 2015), at nine places.
pub(super) fn viridis() -> Ramp {
    Ramp::new(&[
        0x44_01_54, 0x47_2d_7b, 0x3b_52_8b, 0x2c_72_8e, 0x21_91_8c, 0x28_ae_80, 0x5e_c9_62,
        0xad_dc_30, 0xfd_e7_25,
    ])
}

impl Paint {
    pub(super) fn new<T: Number>(
        source: Option<&Source>,
        mesh: &Path,
        meshes: &Meshes<T>,
    ) -> Result<Self> {
        match source {
            None => Ok(Self::Plain),
            Some(Source::Geometry) => {
                let entry = |place, name: &str, kind, number: usize| match name {
                    "" => (palette(place), format!("{kind} {number}")),
                    name => (palette(place), name.to_owned()),
                };
                let Some(scene) = meshes.scene().filter(|_| meshes.are_of_scene_file()) else {
                    let all = meshes.iter().chain(meshes.in_places()).enumerate();
                    let of_mesh = |(number, mesh): (_, &Mesh<T>)| {
                        entry(number, &mesh.name, "geometry", number)
                    };
                    return Ok(Self::Geometry(all.map(of_mesh).collect()));
                };
                let of_geometry =
                    |id: u32| Ok(entry(id as usize, scene.name(id)?, "geometry", id as usize));
                let of_instance = |number: u32| {
                    Ok(entry(
                        meshes.len() + number as usize,
                        scene.instance_name(number)?,
                        "instance",
                        number as usize,
                    ))
                };
                let all = scene.geometry_ids().map(of_geometry);
                Ok(Self::Geometry(
                    all.chain(scene.instance_numbers().map(of_instance)).collect::<Result<_>>()?,
                ))
            }
            Some(Source::File { path, column }) => {
                let values = read_values(path, column.as_deref())?;
                let file_name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let name = column.clone().or(file_name).unwrap_or_default();
                let values = Values::new(values, &name, path, mesh, meshes)?;
                Ok(Self::Values(values, viridis()))
            }
        }
    }

    /// The colour where a ray meets the surface; none where there is nothing to say.
    pub(super) fn at<T: Number>(&self, hit: &Hit<T>, meshes: &Meshes<T>) -> Option<Color> {
        match self {
            Self::Plain => None,
            Self::Geometry(_) => Some(palette(meshes.number_of(hit))),
            Self::Values(values, ramp) => {
                let value = values.at(hit, meshes).filter(|value| !value.is_nan());
                Some(value.map_or_else(
                    || from_srgb(NO_VALUE),
                    |value| ramp.at(values.range.place(value)),
                ))
            }
        }
    }
}

impl Values {
    /// As many as there are triangles, vertices or faces in all meshes of the file, one mesh after
    /// the other. If several of these are equally many, they are of the first.
    fn new<T: Number>(
        values: Vec<f32>,
        name: &str,
        path: &Path,
        mesh: &Path,
        meshes: &Meshes<T>,
    ) -> Result<Self> {
        if !meshes.are_of_scene_file() && meshes.in_places().next().is_some()
            || meshes.are_of_scene_file() && meshes.scene_with_more().is_some()
        {
            let problem = "has instances or shapes, for which --color takes geometry and no file";
            return Err(Failure::about(mesh.display(), problem));
        }
        let faces = |mesh: &Mesh<T>| match &mesh.face_ids {
            None => mesh.triangles.len(),
            Some(ids) => ids.iter().max().map_or(0, |&last| last as usize + 1),
        };
        let counts = |of| {
            meshes.iter().map(move |mesh| match of {
                Of::Triangles => mesh.triangles.len(),
                Of::Vertices => mesh.vertices.len(),
                Of::Faces => faces(mesh),
            })
        };
        // Faces are numbered through the file, and vertices of a scene file have no numbers.
        let total = |of| match of {
            Of::Faces => counts(of).max().unwrap_or(0),
            of => counts(of).sum(),
        };
        let kinds = [(Of::Triangles, "triangle"), (Of::Vertices, "vertex"), (Of::Faces, "face")];
        let known = &kinds[..if meshes.are_of_scene_file() { 1 } else { 3 }];
        let Some(&(of, _)) = known.iter().find(|(of, _)| total(*of) == values.len()) else {
            let there = known
                .iter()
                .map(|&(of, kind)| counted(total(of), kind))
                .collect::<Vec<_>>()
                .join(", ");
            let problem = format!(
                "{}; there must be one for each of {there}",
                counted(values.len(), "value")
            );
            return Err(Failure::about(path.display(), problem));
        };
        let mut start = 0;
        let next = |count| {
            start += count;
            start - count
        };
        let starts = counts(of).map(next).collect();
        let starts = if of == Of::Faces { vec![0; meshes.len()] } else { starts };
        let range = Range::of_values(values.iter().copied());
        Ok(Self { of, values, starts, range, name: excerpt(name).into_owned() })
    }

    /// The value where a ray meets the surface: between vertices as the hit lies between them.
    fn at<T: Number>(&self, hit: &Hit<T>, meshes: &Meshes<T>) -> Option<f32> {
        let (geometry, triangle) = (hit.geometry_id as usize, hit.primitive_id as usize);
        if hit.instance_id != INVALID_ID {
            return None;
        }
        let (mesh, start) = (meshes.get(geometry)?, *self.starts.get(geometry)?);
        match self.of {
            Of::Triangles => self.values.get(start + triangle).copied(),
            Of::Faces => {
                let face = mesh
                    .face_ids
                    .as_ref()
                    .map_or(Some(triangle), |ids| Some(*ids.get(triangle)? as usize));
                self.values.get(start + face?).copied()
            }
            Of::Vertices => {
                let [u, v] = [hit.u, hit.v].map(|weight| weight.to_f64() as f32);
                let weights = [1.0 - u - v, u, v];
                let corners = mesh.triangles.get(triangle)?.iter().zip(weights);
                // A corner of no weight does not count, not even as NaN.
                let seen = corners.filter(|&(_, weight)| weight > 0.0);
                Some(
                    seen.map(|(&vertex, weight)| weight * self.values[start + vertex as usize])
                        .sum(),
                )
            }
        }
    }

    /// Whether something has no value.
    pub(super) fn lacks_some(&self) -> bool {
        self.values.iter().any(|value| value.is_nan())
    }
}
