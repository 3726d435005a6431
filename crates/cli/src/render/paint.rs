//! What colour a surface has by itself: one, one for each geometry, or by values of triangles,
//! vertices or faces.

use super::scale::Range;
use crate::failure::Result;
use crate::mesh::{Meshes, Of, ValueFile, Values};
use crate::picture::{Color, Ramp, from_srgb, mix};
use crate::precision::Number;
use lanecast::Hit;
use lanecast_io::{Mesh, excerpt};
use std::path::Path;

/// What colours are taken from, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Geometry,
    File(ValueFile),
}

impl Source {
    /// Reads `geometry`, `FILE` or `FILE:COLUMN`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "geometry" => Ok(Self::Geometry),
            "" => Err("expected geometry, FILE or FILE:COLUMN".to_owned()),
            text => Ok(Self::File(ValueFile::parse(text))),
        }
    }

    /// The file that is read for it.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Geometry => None,
            Self::File(file) => Some(&file.path),
        }
    }
}

/// Values of a mesh, and how they are shown.
#[derive(Debug)]
pub(super) struct Painted {
    values: Values,
    pub(super) range: Range,
    pub(super) name: String,
}

#[derive(Debug)]
pub(super) enum Paint {
    Plain,
    /// The colour and the name of each mesh.
    Geometry(Vec<(Color, String)>),
    Values(Painted, Ramp),
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
            Some(Source::File(file)) => {
                Ok(Self::Values(Painted::new(file, mesh, meshes)?, viridis()))
            }
        }
    }

    /// The colour where a ray meets the surface; none where there is nothing to say.
    pub(super) fn at<T: Number>(&self, hit: &Hit<T>, meshes: &Meshes<T>) -> Option<Color> {
        match self {
            Self::Plain => None,
            Self::Geometry(_) => Some(palette(meshes.number_of(hit))),
            Self::Values(values, ramp) => {
                let value = values.values.at(hit, meshes).filter(|value| !value.is_nan());
                Some(value.map_or_else(
                    || from_srgb(NO_VALUE),
                    |value| ramp.at(values.range.place(value)),
                ))
            }
        }
    }
}

impl Painted {
    fn new<T: Number>(file: &ValueFile, mesh: &Path, meshes: &Meshes<T>) -> Result<Self> {
        let known = [Of::Triangles, Of::Vertices, Of::Faces];
        let values =
            Values::new(file, known, (mesh, meshes), "--color takes geometry and no file")?;
        let file_name = file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = file.column.clone().or(file_name).unwrap_or_default();
        let range = Range::of_values(values.values.iter().copied());
        Ok(Self { values, range, name: excerpt(&name).into_owned() })
    }

    /// Whether something has no value.
    pub(super) fn lacks_some(&self) -> bool {
        self.values.values.iter().any(|value| value.is_nan())
    }
}
