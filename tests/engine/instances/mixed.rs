//! Scenes of meshes, solids and primitives of the caller's own in each other, and all that is in them where it comes to
//! lie.

use crate::instances::form::{Form, Gauge};
use crate::instances::own::{Discs, Octahedra};
use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, Affine, Hit, Ray, Scene, SceneBuilder, Side};
use lanecast_reference::meshes;
use lanecast_reference::nests::transform;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{Vector, cross, dot, length, times, vector};
use std::sync::Arc;

/// Something, and how it is called.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    /// In the scene that holds it.
    pub(crate) local: Form,
    pub(crate) placed: Form,
    /// How many of the maps on the way mirror.
    pub(crate) mirrors: usize,
    pub(crate) path: Vec<u32>,
    pub(crate) geometry_id: u32,
    pub(crate) primitive_id: u32,
}

impl Thing {
    /// The side that a ray sees which comes to a point of it; `None` where it takes little to see another.
    pub(crate) fn side(&self, point: Vector, direction: Vector) -> Option<Side> {
        let outward = self.placed.outward(point)?;
        let cosine = dot(outward, direction) / (length(outward) * length(direction));
        (cosine.abs() > 1e-2).then_some(if cosine < 0.0 { Side::Front } else { Side::Back })
    }
}

/// Which kinds there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// All.
    All,
    /// What has an inside, and says where it is nearest to points.
    Solids,
}

/// A scene and what is in it.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) scene: Arc<Scene>,
    pub(crate) things: Vec<Thing>,
}

const UNIT: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn scaled(axes: [Vector; 3], by: Vector) -> [Vector; 3] {
    [0, 1, 2].map(|axis| times(by[axis], axes[axis]))
}

impl World {
    /// Something of each kind in one scene, beside worlds in their places.
    fn new(kinds: Kinds, random: &mut Random, placed: &[(&Self, Affine)]) -> Self {
        let mesh = if kinds == Kinds::All && random.below(2) == 0 {
            meshes::soup(6, random)
        } else {
            meshes::icosphere(0, random.between(0.3, 0.8))
        };
        // Centers, and how far it is from there along three axes.
        let mut pair =
            || [(); 2].map(|()| (random.point(-1.0, 1.0), [(); 3].map(|()| random.between(0.1, 0.5))));
        let (mut builder, mut things) = (SceneBuilder::new(), Vec::new());
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
        let mut add = |geometry_id: u32, primitive_id: usize, form| {
            let primitive_id = primitive_id as u32;
            things.push(Thing {
                local: form,
                placed: form,
                mirrors: 0,
                path: vec![],
                geometry_id,
                primitive_id,
            });
        };
        for triangle in 0..mesh.triangles.len() {
            add(0, triangle, Form::Triangle(mesh.corners(triangle).map(vector)));
        }
        let boxes = pair().map(|(center, half)| Aabb {
            min: std::array::from_fn(|axis| center[axis] - half[axis]),
            max: std::array::from_fn(|axis| center[axis] + half[axis]),
        });
        for (id, &Aabb { min, max }) in boxes.iter().enumerate() {
            let [min, max] = [min, max].map(vector);
            let middle = std::array::from_fn(|axis| 0.5 * (min[axis] + max[axis]));
            let half = std::array::from_fn(|axis| 0.5 * (max[axis] - min[axis]));
            add(1, id, Form::Shape(Gauge::Box, middle, scaled(UNIT, half)));
        }
        let oriented = pair().map(|(center, half)| {
            let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
            Obb::new(center, axes, half).expect("orthonormal")
        });
        for (id, &Obb { center, axes, half_extents }) in oriented.iter().enumerate() {
            let half = scaled(axes.map(vector), vector(half_extents));
            add(2, id, Form::Shape(Gauge::Box, vector(center), half));
        }
        let spheres = pair().map(|(center, half)| Sphere::new(center, half[0]));
        for (id, &Sphere { center, radius }) in spheres.iter().enumerate() {
            add(3, id, Form::Shape(Gauge::Ball, vector(center), scaled(UNIT, [f64::from(radius); 3])));
        }
        builder = builder
            .boxes(&boxes)
            .and_then(|builder| builder.oriented_boxes(&oriented))
            .and_then(|builder| builder.spheres(&spheres))
            .expect("sound shapes");
        let own = pair().map(|([x, y, z], half)| [x, y, z, half[0]]);
        let gauge = if kinds == Kinds::All { Gauge::Octahedron } else { Gauge::Ball };
        for (id, &[x, y, z, r]) in own.iter().enumerate() {
            let unit = scaled(UNIT, [f64::from(r); 3]);
            add(4, id, Form::Shape(gauge, vector([x, y, z]), unit));
            if kinds == Kinds::All {
                let above = vector([y, z, x]);
                add(5, id, Form::Shape(Gauge::Sheet, above, unit));
            }
        }
        let built = if kinds == Kinds::All {
            let discs = own.map(|[x, y, z, r]| [y, z, x, r]);
            builder
                .primitives(Arc::new(Octahedra(own.to_vec())))
                .and_then(|builder| builder.primitives(Arc::new(Discs(discs.to_vec()))))
        } else {
            // As slices of what there is may be primitives of a caller, too.
            let spheres: Vec<_> = own.iter().map(|&[x, y, z, r]| Sphere::new([x, y, z], r)).collect();
            builder.primitives(Arc::new(spheres))
        };
        builder = built.expect("sound primitives");
        for (number, (world, transform)) in (0..).zip(placed) {
            builder = builder.instance(&world.scene, *transform);
            things.extend(world.things.iter().map(|thing| Thing {
                placed: thing.placed.placed(transform),
                mirrors: thing.mirrors + usize::from(mirrors(transform)),
                path: [&[number], &thing.path[..]].concat(),
                ..thing.clone()
            }));
        }
        Self { scene: Arc::new(builder.build().expect("a scene")), things }
    }

    /// Something of everything in itself, `depth` times.
    pub(crate) fn drawn(kinds: Kinds, depth: u32, random: &mut Random) -> Self {
        if depth == 0 {
            return Self::new(kinds, random, &[]);
        }
        let inner = Self::drawn(kinds, depth - 1, random);
        let count = if depth > 1 { 2 } else { 1 + random.below(3) };
        let placed: Vec<_> = (0..count).map(|_| (&inner, transform(random))).collect();
        Self::new(kinds, random, &placed)
    }

    /// The thing of these ids.
    pub(crate) fn of(&self, instance_id: u32, geometry_id: u32, primitive_id: u32) -> &Thing {
        let path = self.scene.instance_path(instance_id).expect("an id of an instance");
        let named = |thing: &&Thing| {
            (&thing.path, thing.geometry_id, thing.primitive_id) == (&path, geometry_id, primitive_id)
        };
        self.things
            .iter()
            .find(named)
            .unwrap_or_else(|| panic!("no {geometry_id} {primitive_id} in {path:?}"))
    }

    pub(crate) fn of_hit(&self, hit: &Hit) -> &Thing {
        self.of(hit.instance_id, hit.geometry_id, hit.primitive_id)
    }

    /// Rays and lines at what is there, from near, and some of them pieces.
    pub(crate) fn rays(&self, count: usize, random: &mut Random) -> Vec<Ray> {
        let at = |random: &mut Random| match self.things[random.below(self.things.len())].placed {
            Form::Triangle([a, b, c]) => {
                std::array::from_fn(|axis| 0.5 * a[axis] + 0.3 * b[axis] + 0.2 * c[axis])
            }
            Form::Shape(_, middle, half) => {
                let w = random.point(-0.4, 0.4).map(f64::from);
                std::array::from_fn(|axis| {
                    middle[axis] + w[0] * half[0][axis] + w[1] * half[1][axis] + w[2] * half[2][axis]
                })
            }
        };
        (0..count)
            .map(|place| {
                let (origin, target): ([f32; 3], Vector) = (random.point(-4.0, 4.0), at(random));
                let scale = random.pick(&[1.0, 0.1, 8.0]);
                let direction = std::array::from_fn(|axis| scale * (target[axis] as f32 - origin[axis]));
                let ray = Ray::new(origin, direction);
                match place % 4 {
                    0 => Ray::line(target.map(|x| x as f32), direction),
                    1 => Ray::line(origin, direction).with_interval(-0.5 / scale, 1.5 / scale),
                    _ => ray,
                }
            })
            .collect()
    }
}

/// Where a ray is at `t`.
pub(crate) fn point_of(ray: &Ray, t: f32) -> Vector {
    let (o, d) = (vector(ray.origin), vector(ray.direction));
    std::array::from_fn(|axis| o[axis] + f64::from(t) * d[axis])
}

fn mirrors(map: &Affine) -> bool {
    let [a, b, c] = UNIT.map(|axis| map.vector(axis));
    dot(a, cross(b, c)) < 0.0
}
