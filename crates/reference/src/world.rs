//! What rays can meet, as brute force sees it: primitives of every kind, and scenes placed in
//! scenes.

use crate::line::cylinder::is_there;
use crate::map::Map;
use crate::vector::{Numbers, vector};
use lanecast::primitive::{Cylinder, HeightField, Obb, Primitives, RoundCone, Sphere};
use lanecast::{Aabb, Affine, Ray, Result, Scene, scene::GeometryView};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// A scene and those that are placed in it.
#[derive(Debug, Clone)]
pub struct World<'a, T: Numbers = f32> {
    /// Those that are placed before those in which they are; the last is the scene itself.
    frames: Vec<Frame<'a, T>>,
}

/// One of the scenes.
#[derive(Debug, Clone)]
pub struct Frame<'a, T: Numbers = f32> {
    pub geometries: Vec<Geometry<'a, T>>,
    pub instances: Vec<Instance>,
    /// Around its own geometries.
    pub bounds: Aabb<T>,
    /// How many ids its instances take, with those of instances in instances.
    pub ids: u32,
    /// How many primitives a ray is tested against, those of each scene as often as it is placed,
    /// and how often it is carried to where they are.
    tests: u64,
    /// In how many places primitives are.
    places: u64,
    reach: Reach,
}

/// The primitives of a geometry, by their ids.
#[derive(Debug, Clone)]
pub enum Geometry<'a, T: Numbers = f32> {
    Mesh(Mesh<'a, T>),
    Boxes(&'a [Aabb<T>]),
    OrientedBoxes(&'a [Obb<T>]),
    Spheres(&'a [Sphere<T>]),
    RoundCones(&'a [RoundCone<T>]),
    Cylinders(&'a [Cylinder<T>]),
    /// Of the caller's own, which says by itself what it is.
    Own(&'a dyn Primitives<T>),
    /// Of a mask without a bit: no ray sees it.
    Hidden,
}

/// A triangle mesh.
#[derive(Debug, Clone, Default)]
pub struct Mesh<'a, T: Numbers = f32> {
    pub vertices: Cow<'a, [[T; 3]]>,
    pub triangles: Cow<'a, [[u32; 3]]>,
    /// Whether its front stays the front where an instance mirrors.
    pub keeps_front: bool,
}

/// A scene in its place.
#[derive(Debug, Clone)]
pub struct Instance {
    /// Which of the world's frames.
    pub frame: usize,
    pub map: Map,
    pub is_hidden: bool,
    /// Its id, of all that the instances of its scene take.
    pub id: u32,
}

impl<T: Numbers> Geometry<'_, T> {
    pub fn count(&self) -> usize {
        match self {
            Self::Mesh(mesh) => mesh.triangles.len(),
            Self::Boxes(boxes) => boxes.len(),
            Self::OrientedBoxes(boxes) => boxes.len(),
            Self::Spheres(spheres) => spheres.len(),
            Self::RoundCones(cones) => cones.len(),
            Self::Cylinders(cylinders) => cylinders.len(),
            Self::Own(primitives) => primitives.count(),
            Self::Hidden => 0,
        }
    }

    /// A box around all that can be met.
    fn bounds(&self) -> Aabb<T> {
        let of_ball = |middle: [T; 3], reach: T| Aabb {
            min: middle.map(|x| x - reach),
            max: middle.map(|x| x + reach),
        };
        let all: Box<dyn Iterator<Item = Aabb<T>>> = match self {
            Self::Mesh(mesh) => {
                let corners = mesh.triangles.as_flattened().iter();
                return Aabb::around(corners.map(|&vertex| mesh.vertices[vertex as usize]));
            }
            Self::Boxes(boxes) => Box::new(boxes.iter().copied()),
            Self::OrientedBoxes(boxes) => {
                let reach =
                    |obb: &Obb<T>| obb.half_extents.iter().fold(T::ZERO, |sum, &half| sum + half);
                Box::new(boxes.iter().map(move |obb| of_ball(obb.center, reach(obb))))
            }
            Self::Spheres(spheres) => {
                Box::new(spheres.iter().map(move |sphere| of_ball(sphere.center, sphere.radius)))
            }
            Self::RoundCones(cones) => {
                let is_there =
                    |cone: &&RoundCone<T>| cone.radii.iter().all(|&radius| radius >= T::ZERO);
                let balls = |cone: &RoundCone<T>| {
                    [0, 1].map(|end| of_ball(cone.ends[end], cone.radii[end]))
                };
                Box::new(cones.iter().filter(is_there).flat_map(balls))
            }
            Self::Cylinders(cylinders) => {
                // Those of balls around the ends, which hold the caps.
                let balls =
                    |cylinder: &Cylinder<T>| cylinder.ends.map(|end| of_ball(end, cylinder.radius));
                Box::new(cylinders.iter().filter(|cylinder| is_there(cylinder)).flat_map(balls))
            }
            Self::Own(primitives) => {
                Box::new((0..).take(primitives.count()).map(|id| primitives.bounds(id)))
            }
            Self::Hidden => return Aabb::EMPTY,
        };
        all.filter(|aabb| !aabb.is_empty()).fold(Aabb::EMPTY, |whole, aabb| whole.union(&aabb))
    }
}

impl<'a, T: Numbers> World<'a, T> {
    /// Meshes, each a geometry, by their vertices and triangles.
    pub fn of_meshes(meshes: impl IntoIterator<Item = (&'a [[T; 3]], &'a [[u32; 3]])>) -> Self {
        let mesh = |(vertices, triangles)| Mesh {
            vertices: Cow::Borrowed(vertices),
            triangles: Cow::Borrowed(triangles),
            keeps_front: false,
        };
        let geometries = meshes.into_iter().map(|of| Geometry::Mesh(mesh(of))).collect();
        let mut world = Self { frames: Vec::new() };
        world.add(geometries, Vec::new(), 0);
        world
    }

    /// What a scene says that it holds. Its own masks do not count, those in the scenes placed in
    /// it do. The only place where the reference asks a scene what is in it.
    pub fn of_scene(scene: &'a Scene<T>) -> Result<Self> {
        let mut world = Self { frames: Vec::new() };
        world.add_scene(scene, true, &mut HashMap::new())?;
        Ok(world)
    }

    /// Adds a scene behind all that are placed in it, each of them once, and says which of the
    /// frames it is.
    fn add_scene(
        &mut self,
        scene: &'a Scene<T>,
        is_outermost: bool,
        known: &mut HashMap<*const Scene<T>, usize>,
    ) -> Result<usize> {
        let is_seen = |mask: u32| is_outermost || mask != 0;
        let mut instances = Vec::with_capacity(scene.instance_count());
        for instance in scene.instance_numbers() {
            let inner = scene.instance_scene(instance)?;
            let frame = match known.get(&Arc::as_ptr(inner)) {
                Some(&frame) => frame,
                None => self.add_scene(inner, false, known)?,
            };
            known.insert(Arc::as_ptr(inner), frame);
            let map = Map::new(&scene.transform(instance)?);
            let is_hidden = !is_seen(scene.instance_mask(instance)?);
            instances.push(Instance { frame, map, is_hidden, id: scene.instance_id(instance)? });
        }
        let mut meshes = meshes_of(scene);
        let mut geometries = Vec::with_capacity(meshes.len());
        for (geometry_id, mesh) in (0..).zip(&mut meshes) {
            // One that was removed has no primitives.
            let Ok(geometry) = scene.geometry(geometry_id) else {
                geometries.push(Geometry::Hidden);
                continue;
            };
            geometries.push(match geometry {
                _ if !is_seen(scene.mask(geometry_id)?) => Geometry::Hidden,
                GeometryView::Triangles { .. } => Geometry::Mesh(std::mem::take(mesh)),
                GeometryView::Boxes(boxes) => Geometry::Boxes(boxes),
                GeometryView::OrientedBoxes(boxes) => Geometry::OrientedBoxes(boxes),
                GeometryView::Spheres(spheres) => Geometry::Spheres(spheres),
                GeometryView::RoundCones(cones) => Geometry::RoundCones(cones),
                GeometryView::Cylinders(cylinders) => Geometry::Cylinders(cylinders),
                GeometryView::HeightField(field) => Geometry::Mesh(mesh_of(field)),
                GeometryView::Own(primitives) => Geometry::Own(&**primitives),
            });
        }
        self.add(geometries, instances, scene.instance_id_count());
        Ok(self.frames.len() - 1)
    }

    /// A world in which this one is placed by each of the maps.
    pub fn placed(mut self, maps: &[Affine]) -> Self {
        let frame = self.frames.len() - 1;
        let span = 1 + self.outermost().ids;
        let place = |(number, map)| Instance {
            frame,
            map: Map::new(map),
            is_hidden: false,
            id: number * span,
        };
        self.add(Vec::new(), (0..).zip(maps).map(place).collect(), maps.len() as u32 * span);
        self
    }

    fn add(&mut self, geometries: Vec<Geometry<'a, T>>, instances: Vec<Instance>, ids: u32) {
        let own = geometries.iter().map(|geometry| geometry.count() as u64).sum();
        let bounds =
            geometries.iter().map(Geometry::bounds).fold(Aabb::EMPTY, |all, one| all.union(&one));
        let (reach, places) = (Reach::default(), u64::from(own > 0));
        let mut frame = Frame { geometries, instances, bounds, ids, tests: own, places, reach };
        for instance in &frame.instances {
            let inner = &self.frames[instance.frame];
            frame.reach = frame.reach.with(&instance.map, &inner.reach);
            frame.tests = frame.tests.saturating_add(1);
            if !instance.is_hidden && !inner.is_empty() {
                frame.tests = frame.tests.saturating_add(inner.tests);
                frame.places = frame.places.saturating_add(inner.places);
            }
        }
        self.frames.push(frame);
    }

    /// The scene itself.
    pub fn outermost(&self) -> &Frame<'a, T> {
        self.frames.last().expect("a world has a scene")
    }

    /// The scene of an instance.
    pub fn frame(&self, instance: &Instance) -> &Frame<'a, T> {
        &self.frames[instance.frame]
    }

    /// How many steps a ray takes.
    pub fn tests(&self) -> u64 {
        self.outermost().tests
    }

    /// In how many places primitives are: the scene itself, if it has any, and the instances, also
    /// in instances.
    pub fn places(&self) -> u64 {
        self.outermost().places
    }

    /// The geometries of all scenes, each scene once.
    pub fn geometries(&self) -> impl Iterator<Item = &Geometry<'a, T>> {
        self.frames.iter().flat_map(|frame| &frame.geometries)
    }
}

impl<T: Numbers> Frame<'_, T> {
    /// Whether neither it nor any scene placed in it has a primitive.
    pub fn is_empty(&self) -> bool {
        self.places == 0
    }

    /// Whether a ray's numbers may be more than can be held in one of the frames of what is placed
    /// here: it is then answered or refused.
    pub fn may_refuse(&self, ray: &Ray<T>) -> bool {
        !self.instances.is_empty() && self.reach.may_refuse(ray)
    }
}

/// The geometries of a scene as meshes, each triangle with corners of its own; empty where they are
/// none.
fn meshes_of<T: Numbers>(scene: &Scene<T>) -> Vec<Mesh<'static, T>> {
    let bound = scene.geometry_ids().next_back().map_or(0, |last| last as usize + 1);
    let mut meshes = vec![Mesh::default(); bound];
    for (geometry_id, primitive_id, corners) in scene.triangles() {
        let Mesh { vertices, triangles, .. } = &mut meshes[geometry_id as usize];
        let (first, place) = (vertices.len() as u32, primitive_id as usize);
        vertices.to_mut().extend(corners);
        let triangles = triangles.to_mut();
        // Only a damaged file has a number that is greater.
        if place < scene.triangle_count() {
            triangles.resize(triangles.len().max(place + 1), [0; 3]);
            triangles[place] = [first, first + 1, first + 2];
        }
    }
    meshes
}

/// The triangles of a field of heights, by the words at its type. Those at holes are flat.
fn mesh_of<T: Numbers>(field: &HeightField<T>) -> Mesh<'static, T> {
    let ([rows, columns], [x0, y0], [dx, dy]) = (field.size(), field.origin(), field.spacing());
    let at = |start: T, step: T, number: usize| {
        T::nearest(start.to_f64() + number as f64 * step.to_f64())
    };
    let heights = field.heights();
    let place = |i: usize| [at(x0, dx, i % columns), at(y0, dy, i / columns), heights[i]];
    let known = (0..heights.len()).find(|&i| !heights[i].is_nan()).map(place);
    let vertices = (0..heights.len())
        .map(|i| if heights[i].is_nan() { known.unwrap_or_default() } else { place(i) })
        .collect();
    let mut triangles = Vec::new();
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let v00 = row * columns + column;
            let (v01, v10, v11) = (v00 + 1, v00 + columns, v00 + columns + 1);
            for corners in [[v00, v01, v10], [v11, v10, v01]] {
                let is_hole = corners.iter().any(|&i| heights[i].is_nan());
                triangles.push(if is_hole { [v00 as u32; 3] } else { corners.map(|i| i as u32) });
            }
        }
    }
    Mesh { vertices, triangles: Cow::Owned(triangles), keeps_front: true }
}

/// How much the numbers of rays may grow on their way to what is placed.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// Nowhere is an origin farther from 0 than so many times what it is here, and the offset.
    grows: f64,
    offset: f64,
    /// Nowhere is a direction shorter by a greater factor; nor longer by more than `grows`.
    shrinks: f64,
}

impl Default for Reach {
    fn default() -> Self {
        Self { grows: 1.0, offset: 0.0, shrinks: 1.0 }
    }
}

impl Reach {
    fn with(self, map: &Map, inner: &Self) -> Self {
        let [there, back] = map.growth();
        Self {
            grows: self.grows.max(back * inner.grows),
            offset: self.offset.max(inner.grows * back * map.distance() + inner.offset),
            shrinks: self.shrinks.max(there * inner.shrinks),
        }
    }

    fn may_refuse<T: Numbers>(&self, ray: &Ray<T>) -> bool {
        // A little less than the bound, as sums are rounded.
        let most = 0.999 * T::LARGEST_COORDINATE.to_f64();
        let greatest = |v: [T; 3]| vector(v).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let direction = greatest(ray.direction);
        greatest(ray.origin) * self.grows + self.offset > most
            || direction * self.grows > most
            || direction < self.shrinks / most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanecast::SceneBuilder;

    #[test]
    fn a_scene_that_is_placed_twice_is_one_frame() {
        let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]]).expect("a scene"));
        let build = |builder: SceneBuilder<'_>| Arc::new(builder.build().expect("a scene"));
        let twice = |scene| {
            SceneBuilder::new().instance(scene, Affine::IDENTITY).instance(scene, Affine::IDENTITY)
        };
        let middle = build(twice(&leaf));
        let outer = build(twice(&middle).instance(&leaf, Affine::IDENTITY));
        let world = World::of_scene(&outer).expect("a world");
        let placed = |frame: &Frame<'_>| {
            frame.instances.iter().map(|instance| instance.frame).collect::<Vec<_>>()
        };
        assert_eq!(
            world.frames.iter().map(placed).collect::<Vec<_>>(),
            [&[][..], &[0, 0], &[1, 1, 0]]
        );
        assert_eq!((world.tests(), world.places(), world.outermost().ids), (12, 5, 7));
    }
}
