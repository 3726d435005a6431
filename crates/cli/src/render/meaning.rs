//! What the arguments mean: the camera, the light, the legend.

use super::frame::{Outline, View};
use super::legend::Legend;
use super::light::Light;
use super::paint::{Paint, Source};
use super::shade::Shader;
use super::{Arguments, Shade};
use crate::failure::{Failure, Result};
use crate::output;
use crate::picture::{Ramp, Sampling};
use crate::precision::Number;
use crate::rays::{level_axes, towards_sun};
use crate::vector::{Vector, add, cross, dot, length, scale, sub, unit};
use std::path::Path;

impl Arguments {
    /// Options that say nothing together.
    pub(super) fn check(&self) -> Result<()> {
        let of_values = matches!(self.color, Some(Source::File(_)));
        if self.color.is_some() && !matches!(self.shade, Shade::Studio | Shade::Sun | Shade::Flat) {
            return Err(Failure::about("--color", "goes with --shade studio, sun and flat"));
        }
        let is_lit = matches!(self.shade, Shade::Studio | Shade::Sun);
        let has_lengths = of_values || self.shade == Shade::Depth;
        let has_normals = !matches!(self.shade, Shade::Depth | Shade::Cost);
        let said_in_vain = [
            ("--unit", self.unit.is_some() && !has_lengths, "--color FILE and --shade depth"),
            ("--sun", self.sun.is_some() && !is_lit, "--shade studio and sun"),
            ("--no-ground", self.no_ground && self.shade != Shade::Studio, "--shade studio"),
            (
                "--normals",
                self.normals.is_some() && !has_normals,
                "--shade studio, sun, ao, flat and normals",
            ),
        ];
        if let Some((option, _, with)) = said_in_vain.iter().find(|(_, is_in_vain, _)| *is_in_vain)
        {
            return Err(Failure::about(*option, format!("goes with {with}")));
        }
        match self.range {
            Some(_) if !of_values && !matches!(self.shade, Shade::Depth | Shade::Cost) => {
                Err(Failure::about("--range", "goes with --color FILE and --shade depth and cost"))
            }
            Some([from, to]) if !(from < to && (to - from).is_finite()) => Err(Failure::about(
                "--range",
                "the second number must be finite and greater than the first",
            )),
            _ => Ok(()),
        }
    }

    /// The picture's rays, with room for a legend at the right, and for shadows around.
    pub(super) fn sampling(&self, outline: &Outline, up: Vector, room: f64) -> Result<Sampling> {
        let [width, height] = self.size;
        let edge = if self.ground_is_seen() { (0.03 * f64::from(height)).round() } else { 0.0 };
        let inner = [f64::from(width) - 2.0 * edge - room, f64::from(height) - 2.0 * edge];
        let size = inner.map(|side| side.max(1.0) as u32);
        let view = View { eye: self.eye, target: self.target, up, field_of_view: self.fov };
        let camera = view.camera(outline, size, height)?;
        Ok(Sampling { camera, samples: self.samples, size: self.size, corner: [edge; 2] })
    }

    pub(super) fn ground_is_seen(&self) -> bool {
        self.shade == Shade::Studio && !self.no_ground
    }

    pub(super) fn light(&self, outline: &Outline, up: Vector, sampling: &Sampling) -> Light {
        let [width, height] = self.size.map(f64::from);
        let forward = sampling.ray_through::<f64>([width / 2.0, height / 2.0]).direction;
        let level = sub(forward, scale(up, dot(forward, up)));
        let forward = if length(level) > 1e-3 { unit(level) } else { level_axes(up)[1] };
        let behind = unit(sub(scale(cross(up, forward), 0.9), forward));
        // Lower above what is flat, whose relief shows by that.
        let (sine, cosine) = (56.0 - 36.0 * outline.flatness(up).powi(2)).to_radians().sin_cos();
        let lamp = match (self.sun, self.shade) {
            (None, Shade::Studio | Shade::Ao) => add(scale(behind, cosine), scale(up, sine)),
            (sun, _) => towards_sun(sun.unwrap_or([235.0, 45.0]), up),
        };
        let rays = |most: u32| most.div_ceil(self.samples);
        let reach = 0.8 * outline.radius();
        let studio = Light {
            lamp,
            spread: 0.18,
            up,
            lamp_color: [1.14, 1.09, 1.03],
            around: [[0.36, 0.38, 0.42], [0.20, 0.195, 0.195]],
            camera: 0.10,
            gloss: 0.10,
            rays: [rays(8), rays(16)],
            reach,
        };
        match self.shade {
            Shade::Sun => Light {
                spread: 0.0,
                lamp_color: [1.28, 1.18, 1.0],
                around: [[0.22, 0.27, 0.36], [0.044, 0.054, 0.072]],
                camera: 0.0,
                gloss: 0.0,
                rays: [1, 0],
                ..studio
            },
            Shade::Ao => Light { rays: [0, rays(32)], ..studio },
            _ => studio,
        }
    }

    /// What the colours stand for, if for more than light.
    pub(super) fn legend<'s, T: Number>(
        &self,
        shader: &'s Shader<'_, T>,
        ramp: &'s Ramp,
    ) -> Option<Legend<'s>> {
        let bar = |title: &str, unit: &str, range, ramp, has_gaps| {
            let unit = self.unit.as_deref().unwrap_or(unit).to_owned();
            Some(Legend::Bar { title: title.to_owned(), unit, range, ramp, has_gaps })
        };
        match (&shader.paint, self.shade) {
            (_, Shade::Depth) => {
                let unit = if is_gltf(&self.subject.mesh) { "m" } else { "mesh units" };
                bar("Distance", unit, shader.range?, ramp, false)
            }
            (_, Shade::Cost) => {
                bar("Cost of a ray", "nodes + triangles", shader.range?, ramp, false)
            }
            (Paint::Geometry(names), _) => Some(Legend::List(names)),
            (Paint::Values(values, ramp), _) => {
                bar(&values.name, "", values.range, ramp, values.lacks_some())
            }
            (Paint::Plain, _) => None,
        }
    }
}

/// What is up in files of a format.
pub(super) fn usual_up(path: &Path) -> Vector {
    if is_gltf(path) { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] }
}

fn is_gltf(path: &Path) -> bool {
    matches!(output::extension(path).as_str(), "gltf" | "glb")
}
