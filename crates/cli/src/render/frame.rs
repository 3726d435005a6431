//! What of a scene can be seen, and a camera that sees it.

use crate::failure::{Failure, Result};
use crate::precision::Number;
use crate::rays::level_axes;
use crate::vector::{Vector, add, cross, dot, length, scale, sub, wide};
use lanecast::{Aabb, Affine, Scene};
use lanecast_makers::Pinhole;

/// Points that a camera must see to see a scene: the corners of triangles with an area, and of
/// boxes around what is no triangle, in a box.
#[derive(Debug)]
pub(super) struct Outline {
    points: Vec<Vector>,
    pub(super) min: Vector,
    pub(super) max: Vector,
}

/// More corners than these of all instances of a scene are not looked at, but those of the box
/// around it.
const MOST_PLACED: usize = 1 << 23;

impl Outline {
    /// Of a scene with primitives. If no triangle has an area, all count.
    pub(super) fn of<T: Number>(scene: &Scene<T>) -> Result<Self> {
        let mut points = points_of(scene, has_area)?;
        if points.is_empty() {
            points = points_of(scene, |_| true)?;
        }
        let least = |fold: fn(f64, f64) -> f64| {
            points
                .iter()
                .copied()
                .reduce(|a, b| [0, 1, 2].map(|axis| fold(a[axis], b[axis])))
                .unwrap_or([0.0; 3])
        };
        let (min, max) = (least(f64::min), least(f64::max));
        Ok(Self { points, min, max })
    }

    pub(super) fn center(&self) -> Vector {
        scale(add(self.min, self.max), 0.5)
    }

    /// Half the diagonal of the box; never 0.
    pub(super) fn radius(&self) -> f64 {
        (length(sub(self.max, self.min)) / 2.0).max(f64::MIN_POSITIVE)
    }

    /// How high the lowest point is.
    pub(super) fn lowest(&self, up: Vector) -> f64 {
        self.points.iter().map(|&point| dot(point, up)).fold(f64::INFINITY, f64::min)
    }

    /// From 0, as high as wide, to 1, without height.
    pub(super) fn flatness(&self, up: Vector) -> f64 {
        let reach = |axis: Vector| {
            let along = self.points.iter().map(|&point| dot(point, axis));
            let ends =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            ends.1 - ends.0
        };
        let [east, north] = level_axes(up);
        (1.0 - reach(up) / reach(east).max(reach(north)).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// How far above a surface a ray must start so as not to meet it again at once: some roundings
    /// at the greatest coordinate, or at the camera's distance.
    pub(super) fn clearance<T: Number>(&self, eye: Vector) -> f64 {
        let all = [self.min, self.max, eye];
        let greatest = all.as_flattened().iter().fold(0.0_f64, |far, x| far.max(x.abs()));
        greatest.max(length(sub(eye, self.center()))).max(self.radius())
            * 16.0
            * T::UNIT_ROUNDOFF.to_f64()
    }
}

/// Whether a triangle is higher than a millionth of its longest side: then it is no line or point,
/// as far as `f32` tells.
fn has_area([a, b, c]: &[Vector; 3]) -> bool {
    let sides = [sub(*b, *a), sub(*c, *b), sub(*a, *c)];
    let longest = sides.into_iter().map(|side| dot(side, side)).fold(0.0, f64::max);
    length(cross(sides[0], sides[1])) > 1e-6 * longest
}

fn points_of<T: Number>(scene: &Scene<T>, counts: fn(&[Vector; 3]) -> bool) -> Result<Vec<Vector>> {
    let triangles = scene.triangles().map(|(_, _, corners)| corners.map(wide));
    let mut points: Vec<_> = triangles.filter(counts).flatten().collect();
    let placed: usize = scene
        .instance_numbers()
        .map(|number| scene.instance_scene(number).map_or(0, |inner| 3 * inner.triangle_count()))
        .sum();
    let mut known: Option<(*const Scene<T>, Vec<Vector>)> = None;
    for number in scene.instance_numbers() {
        let (inner, transform) = (scene.instance_scene(number)?, scene.transform(number)?);
        if known.as_ref().is_none_or(|(scene, _)| !std::ptr::eq(*scene, &raw const **inner)) {
            let of_inner = points_of(inner, counts)?;
            let box_only = placed > MOST_PLACED && of_inner.len() > 8;
            let of_inner = if box_only { corners_around(&of_inner) } else { of_inner };
            known = Some((&raw const **inner, of_inner));
        }
        let of_inner = known.as_ref().map_or(&[][..], |(_, points)| points);
        points.extend(of_inner.iter().map(|&point| Affine::point(&transform, point)));
    }
    if scene.primitive_count() > scene.triangle_count() {
        let Aabb { min, max } = scene.bounds();
        points.extend(corners_around(&[wide(min), wide(max)]));
    }
    Ok(points)
}

/// The corners of the box around points.
fn corners_around(points: &[Vector]) -> Vec<Vector> {
    let least = |axis: usize| points.iter().map(|point| point[axis]).fold(f64::INFINITY, f64::min);
    let most =
        |axis: usize| points.iter().map(|point| point[axis]).fold(f64::NEG_INFINITY, f64::max);
    let ends = [0, 1, 2].map(|axis| [least(axis), most(axis)]);
    (0..8).map(|corner| [0, 1, 2].map(|axis: usize| ends[axis][corner >> axis & 1])).collect()
}

/// Where a camera stands, as asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) eye: Option<Vector>,
    pub(super) target: Option<Vector>,
    pub(super) up: Vector,
    /// From the top to the bottom of the picture, in degrees.
    pub(super) field_of_view: f64,
}

impl View {
    /// A camera whose own picture has this size, and is part of one that is `height` pixels high.
    /// Where nothing is asked for it stands to the front, the right and above, as near as it sees
    /// all of the outline.
    pub(super) fn camera(&self, outline: &Outline, size: [u32; 2], height: u32) -> Result<Pinhole> {
        let [east, north] = level_axes(self.up);
        // From higher above what is flat, of which little is seen from the side.
        let rise = 0.5 + 0.35 * outline.flatness(self.up);
        let from = add(scale(north, -1.0), add(scale(east, 0.6), scale(self.up, rise)));
        let slope =
            (self.field_of_view.to_radians() / 2.0).tan() * f64::from(size[1]) / f64::from(height);
        let field_of_view = 2.0 * slope.atan().to_degrees();
        let points = outline.points.iter().copied();
        let fitted = Pinhole::fitted(points, from, self.up, field_of_view, size)?.unit_directions();
        if self.eye.is_none() && self.target.is_none() {
            return Ok(fitted);
        }
        let target = self.target.unwrap_or_else(|| outline.center());
        let eye = self.eye.unwrap_or_else(|| fitted.eye());
        if eye == target {
            let problem = "the camera stands at the point that it looks at; give --target";
            return Err(Failure::about("--eye", problem));
        }
        Ok(Pinhole::looking_at(eye, target, self.up, field_of_view, size)?.unit_directions())
    }
}
