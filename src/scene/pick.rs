//! Segments through a scene as scene graphs pick with them: what a hit is, where, in its own frame and in the scene's.

use super::Scene;
use crate::error::{Error, Result};
use crate::hit::{Hit, INVALID_ID};
use crate::leaf::{Primitives, SurfacePoint, TriangleBlock, before_mirrors};
use crate::math::{cross, sub};
use crate::simd::with_default_float_mode;
use crate::value::{Affine, Ray, Segment};

/// How many of its intersections a segment is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PickLimit {
    /// All of them.
    #[default]
    All,
    /// The first of each geometry in each of its places.
    OnePerGeometry,
    /// The first.
    Nearest,
    /// One, whichever: it is the first. What is come upon first depends on the tree, so that no other is always the same.
    /// To hear no more than whether there is one, ask [`Scene::any_hit`], which stops at whatever it meets and counts
    /// what is only touched.
    Any,
}

/// An intersection of a segment or a ray with what a scene holds, told in full.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// What was met. Its `t` is the ratio along the segment: 0 at its start, 1 at its end.
    pub hit: Hit,
    /// The instances that it lies in, outermost first.
    pub instance_path: Vec<u32>,
    /// The point in the frame of the scene that holds the primitive.
    pub local_point: [f64; 3],
    /// The point in the frame of the scene that was asked.
    pub world_point: [f64; 3],
    /// The normal in the frame of the scene that holds the primitive, of length 1, to the front as that is there; zero
    /// if the primitive has none.
    pub local_normal: [f64; 3],
    /// The normal in the frame of the scene that was asked, of length 1, to the front as that is here: by maps that mirror,
    /// the front of a triangle [changes](crate::Side), and that of nothing else.
    pub world_normal: [f64; 3],
}

impl Scene {
    /// The intersections of a segment, in the order of their ratio along it: each crossing of a surface once, also through
    /// edges and vertices.
    ///
    /// ```
    /// use lanecast::{PickLimit, Scene, Segment};
    /// // Two triangles, which meet on the diagonal that the segment goes through.
    /// let vertices = [[0.0, 0.0, 3.0], [1.0, 0.0, 3.0], [1.0, 1.0, 3.0], [0.0, 1.0, 3.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
    /// let segment = Segment::new([0.5, 0.5, 15.0], [0.5, 0.5, -15.0]);
    /// let picks = scene.pick(&segment, PickLimit::All)?;
    /// assert_eq!(picks.len(), 1);
    /// assert_eq!((picks[0].hit.t, picks[0].world_point), (0.4, [0.5, 0.5, 3.0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`] if the segment cannot be cast: if one of its ends is not finite or beyond 2¹⁰⁰, or both are
    /// the same.
    pub fn pick(&self, segment: &Segment, limit: PickLimit) -> Result<Vec<Pick>> {
        let ray = Ray::segment(segment.start, segment.end);
        let mut hits = match limit {
            PickLimit::Nearest | PickLimit::Any => self.nearest_hits(&ray, 1)?,
            PickLimit::All | PickLimit::OnePerGeometry => self.all_hits(&ray)?,
        };
        if limit == PickLimit::OnePerGeometry {
            let mut met = std::collections::HashSet::new();
            hits.retain(|hit| met.insert((hit.instance_id, hit.geometry_id)));
        }
        hits.iter().map(|hit| self.locate(&ray, hit)).collect()
    }

    /// Tells a hit of a ray in full: of this scene's, by whatever query.
    ///
    /// The point is that on the triangle with the hit's weights, in `f64`; of other primitives, that on the ray. The first
    /// call takes some nanoseconds for each triangle of the scene that holds the hit.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`] or [`Error::UnknownPrimitive`] if the hit names what is not there.
    pub fn locate(&self, ray: &Ray, hit: &Hit) -> Result<Pick> {
        with_default_float_mode(|| {
            let instance_path = self.instance_path(hit.instance_id)?;
            let (mut scene, mut ray, mut to_world, mut mirrored) = (self, *ray, Affine::IDENTITY, false);
            for &number in &instance_path {
                let instance = &scene.instances.placed()[number as usize];
                ray = instance.carry_back(&ray);
                to_world = to_world.after(&instance.transform);
                mirrored ^= instance.is_mirrored;
                scene = &instance.scene;
            }
            let own = Hit { instance_id: INVALID_ID, ..*hit };
            let (local_point, local_normal) = scene.point_and_normal(&ray, &own)?;
            let is_shape = scene.shapes.geometry(hit.geometry_id).is_some();
            let world_normal = to_world.normal(before_mirrors(local_normal, is_shape && mirrored));
            Ok(Pick {
                hit: *hit,
                instance_path,
                local_point,
                world_point: to_world.point(local_point),
                local_normal: unit(local_normal),
                world_normal: unit(world_normal),
            })
        })
    }

    /// The vertices of a triangle.
    ///
    /// # Errors
    /// [`Error::UnknownPrimitive`] if there is no such triangle in the scene itself.
    pub fn triangle(&self, geometry_id: u32, primitive_id: u32) -> Result<[[f32; 3]; 3]> {
        let unknown = Error::UnknownPrimitive { geometry_id, primitive_id };
        let number = self.numbering.number(geometry_id, primitive_id).ok_or(unknown.clone())?;
        let block = self
            .block_of_each()
            .get(number as usize)
            .and_then(|&block| self.bvh.blocks().get(block as usize));
        let mut triangles = block.into_iter().flat_map(TriangleBlock::triangles);
        triangles.find(|&(_, candidate)| candidate == number).map(|(corners, _)| corners).ok_or(unknown)
    }

    /// The leaf of each triangle, by its number.
    fn block_of_each(&self) -> &[u32] {
        self.found_out.block_of_each.get_or_init(|| {
            let mut blocks = vec![u32::MAX; self.numbering.count()];
            for (index, block) in (0..).zip(self.bvh.blocks()) {
                for (_, number) in block.triangles() {
                    // A damaged file may hold any number.
                    if let Some(block) = blocks.get_mut(number as usize) {
                        *block = index;
                    }
                }
            }
            blocks
        })
    }

    /// Where a hit in the scene itself is, and the normal there.
    fn point_and_normal(&self, ray: &Ray, hit: &Hit) -> Result<([f64; 3], [f64; 3])> {
        let &Hit { t, u, v, geometry_id, primitive_id, .. } = hit;
        if let Some(primitives) = self.shapes.geometry(geometry_id) {
            let unknown = Error::UnknownPrimitive { geometry_id, primitive_id };
            self.numbering.number(geometry_id, primitive_id).ok_or(unknown.clone())?;
            let mut point: Option<SurfacePoint> = None;
            // A hit behind the origin was found by the ray that runs the other way, and may be told with other last bits.
            let off = |point: &SurfacePoint| (point.t - t).abs();
            primitives.intersect(primitive_id, ray, &mut |candidate| {
                if candidate.t.is_finite()
                    && point.as_ref().is_none_or(|nearest| off(&candidate) < off(nearest))
                {
                    point = Some(candidate);
                }
            });
            let point = point.ok_or(unknown)?;
            let along =
                |axis: usize| f64::from(ray.origin[axis]) + f64::from(t) * f64::from(ray.direction[axis]);
            return Ok(([0, 1, 2].map(along), point.normal.map(f64::from)));
        }
        let [a, b, c] = self.triangle(geometry_id, primitive_id)?.map(|corner| corner.map(f64::from));
        let (u, v) = (f64::from(u), f64::from(v));
        let (e, f) = (sub(b, a), sub(c, a));
        let point = [0, 1, 2].map(|axis| a[axis] + u * e[axis] + v * f[axis]);
        Ok((point, cross(e, f)))
    }
}

/// A vector made 1 long, if it is not zero.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let largest = v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        return v;
    }
    let v = v.map(|x| x / largest);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}
