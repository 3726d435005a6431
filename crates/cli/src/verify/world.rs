//! What rays can meet, as brute force sees it: primitives of every kind, and scenes placed in scenes.

use super::place::Map;
use crate::failure::{Failure, Result};
use crate::mesh::meshes_of;
use crate::scenes::{self, Kinds, Listed};
use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, Affine, GeometryView, Ray, Scene};
use lanecast_io::Mesh;
use std::borrow::Cow;

/// A scene and those that are placed in it.
#[derive(Debug, Clone)]
pub(super) struct World<'a> {
    /// Those that are placed before those in which they are; the last is the scene itself.
    frames: Vec<Frame<'a>>,
}

/// One of the scenes.
#[derive(Debug, Clone)]
pub(super) struct Frame<'a> {
    pub(super) geometries: Vec<Geometry<'a>>,
    pub(super) instances: Vec<Instance>,
    /// Around its own geometries.
    pub(super) bounds: Aabb,
    /// How many ids its instances take, with those of instances in instances.
    pub(super) ids: u32,
    /// How many primitives a ray is tested against, those of each scene as often as it is placed, and how often it is
    /// carried to where they are.
    tests: u64,
    /// In how many places primitives are.
    places: u64,
    reach: Reach,
}

/// The primitives of a geometry, by their ids.
#[derive(Debug, Clone)]
pub(super) enum Geometry<'a> {
    Mesh(Cow<'a, Mesh>),
    Boxes(&'a [Aabb]),
    OrientedBoxes(&'a [Obb]),
    Spheres(&'a [Sphere]),
    /// Of a mask without a bit: no ray sees it.
    Hidden,
}

/// A scene in its place.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    /// Which of the world's frames.
    pub(super) frame: usize,
    pub(super) map: Map,
    pub(super) is_hidden: bool,
}

impl Geometry<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Mesh(mesh) => mesh.triangles.len(),
            Self::Boxes(boxes) => boxes.len(),
            Self::OrientedBoxes(boxes) => boxes.len(),
            Self::Spheres(spheres) => spheres.len(),
            Self::Hidden => 0,
        }
    }

    /// A box around all that can be met.
    fn bounds(&self) -> Aabb {
        let of_ball = |middle: [f32; 3], reach: f32| Aabb {
            min: middle.map(|x| x - reach),
            max: middle.map(|x| x + reach),
        };
        let all: Box<dyn Iterator<Item = Aabb>> = match self {
            Self::Mesh(mesh) => {
                let corners = mesh.triangles.as_flattened().iter();
                return Aabb::around(corners.map(|&vertex| mesh.vertices[vertex as usize]));
            }
            Self::Boxes(boxes) => Box::new(boxes.iter().copied()),
            Self::OrientedBoxes(boxes) => {
                let reach = |obb: &Obb| obb.half_extents.iter().sum::<f32>();
                Box::new(boxes.iter().map(move |obb| of_ball(obb.center, reach(obb))))
            }
            Self::Spheres(spheres) => {
                Box::new(spheres.iter().map(move |sphere| of_ball(sphere.center, sphere.radius)))
            }
            Self::Hidden => return Aabb::EMPTY,
        };
        all.filter(|aabb| !aabb.is_empty()).fold(Aabb::EMPTY, |whole, aabb| whole.union(&aabb))
    }
}

impl<'a> World<'a> {
    /// Meshes, each a geometry.
    pub(super) fn of_meshes(meshes: &'a [Mesh]) -> Self {
        let geometries = meshes.iter().map(|mesh| Geometry::Mesh(Cow::Borrowed(mesh))).collect();
        let mut world = Self { frames: Vec::new() };
        world.add(geometries, Vec::new());
        world
    }

    /// What a scene says that it holds. Its own masks do not count, those in the scenes placed in it do.
    pub(super) fn of_scene(scene: &'a Scene) -> Result<Self> {
        let mut world = Self { frames: Vec::new() };
        let listed = scenes::list(scene);
        let outermost = listed.len() - 1;
        for (number, listed) in listed.iter().enumerate() {
            let is_seen = |mask: u32| number == outermost || mask != 0;
            let Listed { scene, ref placed, .. } = *listed;
            let mut geometries = Vec::with_capacity(scene.geometry_count());
            for (geometry_id, mesh) in (0..).zip(meshes_of(scene, "")) {
                geometries.push(match scene.geometry(geometry_id)? {
                    _ if !is_seen(scene.mask(geometry_id)?) => Geometry::Hidden,
                    GeometryView::Triangles { .. } => Geometry::Mesh(Cow::Owned(mesh)),
                    GeometryView::Boxes(boxes) => Geometry::Boxes(boxes),
                    GeometryView::OrientedBoxes(boxes) => Geometry::OrientedBoxes(boxes),
                    GeometryView::Spheres(spheres) => Geometry::Spheres(spheres),
                    GeometryView::Own(_) => {
                        return Err(Failure::about(
                            format!("geometry {geometry_id}"),
                            "brute force knows nothing of it",
                        ));
                    }
                });
            }
            let mut instances = Vec::with_capacity(placed.len());
            for (instance, &frame) in placed.iter().enumerate() {
                let map = Map::new(&scene.transform(instance)?);
                let is_hidden = !is_seen(scene.instance_mask(instance)?);
                instances.push(Instance { frame, map, is_hidden });
            }
            world.add(geometries, instances);
        }
        Ok(world)
    }

    /// A world in which this one is placed by each of the maps.
    pub(super) fn placed(mut self, maps: &[Affine]) -> Self {
        let frame = self.frames.len() - 1;
        let place = |map| Instance { frame, map: Map::new(map), is_hidden: false };
        self.add(Vec::new(), maps.iter().map(place).collect());
        self
    }

    fn add(&mut self, geometries: Vec<Geometry<'a>>, instances: Vec<Instance>) {
        let own = geometries.iter().map(|geometry| geometry.len() as u64).sum();
        let bounds = geometries.iter().map(Geometry::bounds).fold(Aabb::EMPTY, |all, one| all.union(&one));
        let (reach, places) = (Reach::default(), u64::from(own > 0));
        let mut frame = Frame { geometries, instances, bounds, ids: 0, tests: own, places, reach };
        for instance in &frame.instances {
            let inner = &self.frames[instance.frame];
            frame.ids += 1 + inner.ids;
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
    pub(super) fn outermost(&self) -> &Frame<'a> {
        self.frames.last().expect("a world has a scene")
    }

    /// The scene of an instance.
    pub(super) fn frame(&self, instance: &Instance) -> &Frame<'a> {
        &self.frames[instance.frame]
    }

    /// How many steps a ray takes.
    pub(super) fn tests(&self) -> u64 {
        self.outermost().tests
    }

    /// In how many places primitives are: the scene itself, if it has any, and the instances, also in instances.
    pub(super) fn places(&self) -> u64 {
        self.outermost().places
    }

    /// The primitives of all scenes, each counted once.
    pub(super) fn kinds(&self) -> Kinds {
        let of = |geometry: &Geometry| {
            let (count, mut kinds) = (geometry.len(), Kinds::default());
            match geometry {
                Geometry::Mesh(_) => kinds.triangles = count,
                Geometry::Boxes(_) => kinds.boxes = count,
                Geometry::OrientedBoxes(_) => kinds.oriented_boxes = count,
                Geometry::Spheres(_) => kinds.spheres = count,
                Geometry::Hidden => {}
            }
            kinds
        };
        let all = self.frames.iter().flat_map(|frame| &frame.geometries);
        all.map(of).fold(Kinds::default(), Kinds::and)
    }
}

impl Frame<'_> {
    /// Whether neither it nor any scene placed in it has a primitive.
    pub(super) fn is_empty(&self) -> bool {
        self.places == 0
    }

    /// Whether a ray's numbers may be more than can be held in one of the frames of what is placed here: it is then
    /// answered or refused.
    pub(super) fn may_refuse(&self, ray: &Ray) -> bool {
        !self.instances.is_empty() && self.reach.may_refuse(ray)
    }
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

    fn may_refuse(&self, ray: &Ray) -> bool {
        // A little less than the bound of 2¹⁰⁰, as sums are rounded.
        let most = 0.999 * (1_u128 << 100) as f64;
        let greatest = |v: [f32; 3]| f64::from(v.iter().fold(0.0_f32, |most, x| most.max(x.abs())));
        let direction = greatest(ray.direction);
        greatest(ray.origin) * self.grows + self.offset > most
            || direction * self.grows > most
            || direction < self.shrinks / most
    }
}
