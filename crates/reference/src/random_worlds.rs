//! Scenes of everything, in each other, and all that is in them where it comes to lie.

use crate::meshes::{self, Mesh};
use crate::placed::shape::Shape;
use crate::random::Random;
use crate::vector::{Numbers, Vector, cross, dot, minus, plus, times, vector};
use lanecast::primitive::{
    Cylinder, HeightField, Obb, Primitives, RoundCone, Sphere, SurfacePoint,
};
use lanecast::{Aabb, Affine, Ray, Scene, SceneBuilder, answers::ClosestPoint};
use std::sync::Arc;

/// A shape and how it is called.
#[derive(Debug, Clone)]
pub struct Thing {
    /// Where it is placed.
    pub shape: Shape,
    /// In the scene that holds it.
    pub own: Shape,
    /// What places it, outermost first.
    pub maps: Vec<Affine>,
    /// Those of its instances and its geometry, with each of which a ray must have a bit in common.
    pub masks: Vec<u32>,
    pub path: Vec<u32>,
    pub geometry_id: u32,
    pub primitive_id: u32,
}

/// A scene of a precision and what is in it.
#[derive(Clone)]
pub struct RandomWorld<T: Numbers = f32> {
    pub scene: Arc<Scene<T>>,
    pub things: Vec<Thing>,
}

/// What worlds are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// Something of everything.
    Plain,
    /// With primitives of the caller's own beside, of which rays can be asked and points cannot.
    ForRays,
    /// Nothing but closed surfaces: meshes, some of them hollow, and solids.
    Closed,
    /// The same as for rays, with masks on geometries and instances at every depth.
    Masked,
}

/// Geometries on their way into a world.
#[derive(Default)]
pub struct Content {
    pub meshes: Vec<Mesh>,
    pub boxes: Vec<Aabb>,
    pub oriented: Vec<Obb>,
    pub spheres: Vec<Sphere>,
    /// Spheres as the caller has them, who says nothing of what is nearest to points.
    pub balls: Vec<Sphere>,
    /// Round cones, cylinders, and a field of heights with its rows and columns: no
    /// [things](Thing).
    pub cones: Vec<RoundCone>,
    pub cylinders: Vec<Cylinder>,
    pub field: Option<(Vec<f32>, [usize; 2])>,
    /// Where all of it is moved to, in the numbers of the scene.
    pub offset: [f32; 3],
}

impl Content {
    fn moved<T: Numbers>(&self, point: [f32; 3]) -> [T; 3] {
        let moved = |axis: usize| match self.offset[axis] {
            // −0 stays what it is.
            0.0 => T::of(point[axis]),
            offset => T::of(point[axis]) + T::of(offset),
        };
        [0, 1, 2].map(moved)
    }

    fn sphere<T: Numbers>(&self, &Sphere { center, radius }: &Sphere) -> Sphere<T> {
        Sphere::new(self.moved(center), T::of(radius))
    }

    fn oriented<T: Numbers>(&self, &Obb { center, axes, half_extents }: &Obb) -> Obb<T> {
        let axes = if size_of::<T>() == size_of::<f32>() {
            axes.map(|axis| axis.map(T::of))
        } else {
            // Square to each other in these numbers too.
            let [x, y, _] = axes.map(vector);
            let unit = |v: Vector| times(1.0 / dot(v, v).sqrt(), v);
            let x = unit(x);
            let y = unit(minus(y, times(dot(x, y), x)));
            [x, y, cross(x, y)].map(|axis| axis.map(T::nearest))
        };
        Obb::new(self.moved(center), axes, half_extents.map(T::of)).expect("orthonormal")
    }
}

impl<T: Numbers> RandomWorld<T> {
    /// Of this content, and worlds in their places.
    pub fn build(content: &Content, placed: &[(&Self, Affine)]) -> Self {
        let Content { meshes, boxes, oriented, spheres, balls, cones, cylinders, field, .. } =
            content;
        let wide = |point: [T; 3]| point.map(T::to_f64);
        let vertices: Vec<Vec<[T; 3]>> = meshes
            .iter()
            .map(|mesh| mesh.vertices.iter().map(|&vertex| content.moved(vertex)).collect())
            .collect();
        let boxes: Vec<Aabb<T>> = boxes
            .iter()
            .map(|&Aabb { min, max }| Aabb { min: content.moved(min), max: content.moved(max) })
            .collect();
        let oriented: Vec<Obb<T>> = oriented.iter().map(|obb| content.oriented(obb)).collect();
        let [spheres, balls] = [spheres, balls]
            .map(|all| all.iter().map(|one| content.sphere(one)).collect::<Vec<Sphere<T>>>());
        let (mut builder, mut things) = (SceneBuilder::<T>::default(), Vec::new());
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let scaled = |by: Vector| [0, 1, 2].map(|axis| times(by[axis], unit[axis]));
        let mut add = |geometry_id: usize, primitive_id: usize, shape| {
            let (geometry_id, primitive_id) = (geometry_id as u32, primitive_id as u32);
            let (maps, masks, path) = (Vec::new(), Vec::new(), Vec::new());
            things.push(Thing { shape, own: shape, maps, masks, path, geometry_id, primitive_id });
        };
        for (geometry_id, (mesh, vertices)) in meshes.iter().zip(&vertices).enumerate() {
            builder = builder.triangle_mesh(vertices, &mesh.triangles).expect("a sound mesh");
            for (primitive_id, triangle) in mesh.triangles.iter().enumerate() {
                let corners = triangle.map(|vertex| wide(vertices[vertex as usize]));
                add(geometry_id, primitive_id, Shape::Triangle(corners));
            }
        }
        let first = meshes.len();
        builder = builder
            .boxes(&boxes)
            .and_then(|b| b.oriented_boxes(&oriented))
            .and_then(|b| b.spheres(&spheres))
            .expect("sound shapes");
        for (id, &Aabb { min, max }) in boxes.iter().enumerate() {
            let [min, max] = [min, max].map(wide);
            if min[0] <= max[0] {
                let middle = std::array::from_fn(|axis| 0.5 * (min[axis] + max[axis]));
                let half = std::array::from_fn(|axis| 0.5 * (max[axis] - min[axis]));
                add(first, id, Shape::Parallelepiped(middle, scaled(half)));
            }
        }
        for (id, &Obb { center, axes, half_extents }) in oriented.iter().enumerate() {
            let axes = [0, 1, 2].map(|i| times(half_extents[i].to_f64(), wide(axes[i])));
            add(first + 1, id, Shape::Parallelepiped(wide(center), axes));
        }
        for (id, &Sphere { center, radius }) in spheres.iter().enumerate() {
            if radius >= T::ZERO {
                add(first + 2, id, Shape::Ellipsoid(wide(center), scaled([radius.to_f64(); 3])));
            }
        }
        if !balls.is_empty() {
            builder = builder.primitives(Arc::new(Balls(balls.clone()))).expect("sound shapes");
        }
        for (id, &Sphere { center, radius }) in balls.iter().enumerate() {
            add(first + 3, id, Shape::Ellipsoid(wide(center), scaled([radius.to_f64(); 3])));
        }
        if !cones.is_empty() {
            let cone = |cone: &RoundCone| RoundCone {
                ends: cone.ends.map(|end| content.moved(end)),
                radii: cone.radii.map(T::of),
            };
            builder = builder
                .round_cones(&cones.iter().map(cone).collect::<Vec<_>>())
                .expect("sound cones");
        }
        if !cylinders.is_empty() {
            let cylinder = |cylinder: &Cylinder| Cylinder {
                ends: cylinder.ends.map(|end| content.moved(end)),
                radius: T::of(cylinder.radius),
            };
            builder = builder
                .cylinders(&cylinders.iter().map(cylinder).collect::<Vec<_>>())
                .expect("sound cylinders");
        }
        if let Some((heights, size)) = field {
            let [x, y, z] = content.moved::<T>([-1.0, -1.0, 0.0]);
            let heights: Vec<T> = heights.iter().map(|&height| z + T::of(height)).collect();
            let field = HeightField::new(&heights, *size, [x, y], [T::of(0.125); 2]);
            builder = field.and_then(|field| builder.height_field(field)).expect("a sound field");
        }
        for (number, (world, transform)) in (0..).zip(placed) {
            builder = builder.instance(&world.scene, *transform);
            things.extend(world.things.iter().map(|thing| Thing {
                shape: thing.shape.placed(transform),
                maps: [&[*transform], &thing.maps[..]].concat(),
                path: [&[number], &thing.path[..]].concat(),
                ..thing.clone()
            }));
        }
        Self { scene: Arc::new(builder.build().expect("a scene")), things }
    }

    /// What is drawn in itself, `depth` times, and beside each other. The same numbers give the
    /// same world in each precision, rounded.
    pub fn of(drawn: Drawn, depth: u32, random: &mut Random) -> Self {
        match drawn {
            Drawn::Plain => Self::nested(depth, random, &some_content, &|_, _| ()),
            Drawn::ForRays => Self::nested(depth, random, &content_for_rays, &|_, _| ()),
            Drawn::Closed => {
                Self::nested(depth, random, &|_, random| closed_content(random), &|_, _| ())
            }
            Drawn::Masked => Self::nested(depth, random, &content_for_rays, &Self::mask),
        }
    }

    /// What is drawn, and in `f64` every other time where surveys have it, with some shapes beside;
    /// and where it is.
    pub fn of_survey(drawn: Drawn, seed: u64, random: &mut Random) -> (Self, Vector) {
        let world = Self::of(drawn, seed as u32 % 4, random);
        if size_of::<T>() == size_of::<f32>() || seed.is_multiple_of(2) {
            return (world, [0.0; 3]);
        }
        let offset = [5e5, -6.4e6, 1e3];
        let there = Affine::translation(offset.map(f64::from));
        let content = Content { offset, ..some_content(0, random) };
        let mut moved = Self::build(&content, &[(&world, there)]);
        let beside = moved.things.len() - world.things.len();
        for thing in moved.things.iter_mut().take(beside).filter(|_| drawn == Drawn::Masked) {
            thing.masks.push(u32::MAX);
        }
        (moved, offset.map(f64::from))
    }

    /// What `content` says, in itself `depth` times; `finish` sees each scene before it is placed.
    fn nested(
        depth: u32,
        random: &mut Random,
        content: &dyn Fn(u32, &mut Random) -> Content,
        finish: &dyn Fn(&mut Self, &mut Random),
    ) -> Self {
        let own = content(depth, random);
        let mut world = if depth == 0 {
            Self::build(&own, &[])
        } else {
            let inner: Vec<Self> = (0..1 + random.below(2))
                .map(|_| Self::nested(depth - 1, random, content, finish))
                .collect();
            let placed: Vec<_> = (0..1 + random.below(3))
                .map(|_| (&inner[random.below(inner.len())], transform(random)))
                .collect();
            Self::build(&own, &placed)
        };
        finish(&mut world, random);
        world
    }

    /// Masks for the geometries and the instances of this scene itself.
    fn mask(&mut self, random: &mut Random) {
        let scene = Arc::get_mut(&mut self.scene).expect("a scene that is placed nowhere yet");
        let mut draw = || random.pick(&[u32::MAX, 0b111, 0b110, 0b101, 0b010, 0]);
        let geometries: Vec<u32> = (0..scene.geometry_count()).map(|_| draw()).collect();
        for (geometry_id, &mask) in (0..).zip(&geometries) {
            scene.set_mask(geometry_id, mask).expect("a geometry");
        }
        let placed = self.things.iter().filter_map(|thing| thing.path.first());
        let instances: Vec<u32> =
            (0..=placed.max().copied().unwrap_or(0)).map(|_| draw()).collect();
        for (instance, &mask) in (0..).zip(&instances) {
            // Of the last ones there may be none, and of others nothing in them.
            let _ = scene.set_instance_mask(instance, mask);
        }
        for thing in &mut self.things {
            thing.masks.push(match thing.path.first() {
                Some(&instance) => instances[instance as usize],
                None => geometries[thing.geometry_id as usize],
            });
        }
    }

    /// Which thing an answer names.
    pub fn number(&self, instance_id: u32, geometry_id: u32, primitive_id: u32) -> usize {
        let path = self.scene.instance_path(instance_id).expect("an id of an instance");
        let ids = (geometry_id, primitive_id);
        let named = |t: &Thing| t.path == path && (t.geometry_id, t.primitive_id) == ids;
        self.things
            .iter()
            .position(named)
            .unwrap_or_else(|| panic!("no such thing: {ids:?} in {path:?}"))
    }

    /// The thing that an answer names.
    pub fn named(&self, closest: &ClosestPoint<T>) -> &Thing {
        &self.things[self.number(closest.instance_id, closest.geometry_id, closest.primitive_id)]
    }
}

/// Worlds of `f32`, as most tests ask for them.
impl RandomWorld {
    pub fn new(content: &Content, placed: &[(&Self, Affine)]) -> Self {
        Self::build(content, placed)
    }

    /// Meshes alone, and worlds in their places.
    pub fn of_meshes(meshes: Vec<Mesh>, placed: &[(&Self, Affine)]) -> Self {
        Self::new(&Content { meshes, ..Content::default() }, placed)
    }

    pub fn drawn(depth: u32, random: &mut Random) -> Self {
        Self::of(Drawn::Plain, depth, random)
    }

    pub fn drawn_for_rays(depth: u32, random: &mut Random) -> Self {
        Self::of(Drawn::ForRays, depth, random)
    }

    pub fn drawn_closed(depth: u32, random: &mut Random) -> Self {
        Self::of(Drawn::Closed, depth, random)
    }

    pub fn drawn_masked(depth: u32, random: &mut Random) -> Self {
        Self::of(Drawn::Masked, depth, random)
    }
}

/// Turned, stretched by other factors along each axis, mirrored as often as not, sheared and moved.
pub fn transform(random: &mut Random) -> Affine {
    let scale: [f64; 3] =
        std::array::from_fn(|_| f64::from(random.between(0.5, 1.6) * random.pick(&[1.0, -1.0])));
    let shear: [f64; 3] = std::array::from_fn(|_| f64::from(random.between(-0.4, 0.4)));
    let stretched = Affine::from_rows([
        [scale[0], shear[0], shear[1], 0.0],
        [0.0, scale[1], shear[2], 0.0],
        [0.0, 0.0, scale[2], 0.0],
    ]);
    let turned = turn(random) * stretched;
    Affine::translation(random.point(-1.5, 1.5).map(f64::from)) * turned
}

/// A rotation, of a quarter turn about an axis now and then.
fn turn(random: &mut Random) -> Affine {
    if random.below(4) == 0 {
        return Affine::from_rows([
            [0.0, -1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
    }
    let axis = random.direction().map(f64::from);
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|x| x / length);
    let angle = f64::from(random.between(0.0, 6.3));
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    Affine::from_rows([
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s, 0.0],
        [x * y * k + z * s, c + y * y * k, y * z * k - x * s, 0.0],
        [x * z * k - y * s, y * z * k + x * s, c + z * z * k, 0.0],
    ])
}

/// Three axes at right angles, in any direction.
pub fn orthonormal(random: &mut Random) -> [[f32; 3]; 3] {
    let x = random.direction();
    let length = x.iter().map(|x| x * x).sum::<f32>().sqrt();
    let x = x.map(|x| x / length);
    let flat = (x[0] * x[0] + x[1] * x[1]).sqrt();
    let y = [-x[1] / flat, x[0] / flat, 0.0];
    [x, y, [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]]
}

pub fn content(random: &mut Random) -> Content {
    let meshes = match random.below(3) {
        0 => vec![],
        1 => vec![meshes::soup(8, random)],
        _ => vec![Mesh::default(), meshes::tessellated_box(1).scaled(0.4)],
    };
    let count = random.below(4);
    let mut boxes: Vec<Aabb> = (0..count)
        .map(|_| {
            let (a, b) = (random.point(-1.0, 1.0), random.point(0.0, 0.5));
            Aabb { min: a, max: std::array::from_fn(|axis| a[axis] + b[axis]) }
        })
        .collect();
    boxes.push(Aabb::EMPTY);
    let oriented = (0..count)
        .map(|_| {
            Obb::new(random.point(-1.0, 1.0), orthonormal(random), random.point(0.0, 0.4))
                .expect("orthonormal")
        })
        .collect();
    let mut spheres: Vec<Sphere> = (0..count)
        .map(|_| Sphere::new(random.point(-1.0, 1.0), random.between(0.0, 0.5)))
        .collect();
    spheres.push(Sphere::new([0.0; 3], -1.0));
    Content { meshes, boxes, oriented, spheres, ..Content::default() }
}

/// Boxes, oriented boxes and spheres by the hundred, round cones, cylinders and a field of heights.
pub fn shapes(count: usize, random: &mut Random) -> Content {
    let mut all = content(random);
    for _ in 0..count {
        let more = content(random);
        all.boxes.extend(more.boxes);
        all.oriented.extend(more.oriented);
        all.spheres.extend(more.spheres);
    }
    let balls = random.pick(&[0, 3, 100]);
    all.balls = (0..balls)
        .map(|_| Sphere::new(random.point(-1.0, 1.0), random.between(0.01, 0.3)))
        .collect();
    let cones = random.pick(&[0, 3, 100]);
    all.cones = (0..cones)
        .map(|_| RoundCone {
            ends: [random.point(-1.0, 1.0), random.point(-1.0, 1.0)],
            radii: [random.between(-0.01, 0.2), random.between(0.0, 0.2)],
        })
        .collect();
    let size = [2 + random.below(20), 2 + random.below(20)];
    let height = |_| if random.below(9) == 0 { f32::NAN } else { random.between(-0.3, 0.3) };
    all.field = Some(((0..size[0] * size[1]).map(height).collect(), size));
    all.cylinders = (0..cones)
        .map(|_| Cylinder {
            ends: [random.point(-1.0, 1.0), random.point(-1.0, 1.0)],
            radius: random.between(-0.01, 0.2),
        })
        .collect();
    all
}

/// Not nothing at depth 0, and sometimes nothing above.
fn some_content(depth: u32, random: &mut Random) -> Content {
    let mut content = content(random);
    if depth == 0 && content.meshes.is_empty() {
        content.meshes.push(meshes::soup(5, random));
    }
    if depth > 0 && random.below(3) == 0 { Content::default() } else { content }
}

fn content_for_rays(depth: u32, random: &mut Random) -> Content {
    let balls = (0..random.below(3))
        .map(|_| Sphere::new(random.point(-1.0, 1.0), random.between(0.1, 0.5)));
    Content { balls: balls.collect(), ..some_content(depth, random) }
}

/// Closed meshes and solids.
fn closed_content(random: &mut Random) -> Content {
    let meshes = (0..1 + random.below(2)).map(|_| closed_mesh(random)).collect();
    Content { meshes, ..content(random) }
}

/// A box, a ball or a hollow ball.
fn closed_mesh(random: &mut Random) -> Mesh {
    let (form, radius, middle) =
        (random.below(3), random.between(0.2, 0.7), random.point(-0.8, 0.8));
    if form == 0 {
        return meshes::tessellated_box(1).scaled(radius).moved(middle);
    }
    let mut cavity = meshes::icosphere(0, 0.6 * radius);
    cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let ball = meshes::icosphere(1, radius);
    let ball = if form == 1 { ball } else { ball.with(&cavity) };
    ball.moved(middle)
}

/// Spheres, by the roots of a quadratic equation.
#[derive(Debug)]
struct Balls<T: Numbers>(Vec<Sphere<T>>);

impl<T: Numbers> Primitives<T> for Balls<T> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb<T> {
        // With room for the rounding of the tests.
        let Sphere { center, radius } = self.0[primitive_id as usize];
        let [min, max] = [-1.0, 1.0].map(|sign| {
            center.map(|x| {
                let plane = x.to_f64() + sign * radius.to_f64();
                T::nearest(plane + sign * 2.0 * T::UNIT_ROUNDOFF.to_f64() * plane.abs())
            })
        });
        Aabb { min, max }
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        let Sphere { center, radius } = self.0[primitive_id as usize];
        let wide = |point: [T; 3]| point.map(T::to_f64);
        let (from, direction) = (minus(wide(ray.origin), wide(center)), wide(ray.direction));
        let square = dot(direction, direction);
        let middle = -dot(from, direction) / square;
        let foot = plus(from, times(middle, direction));
        let half = ((radius.to_f64().powi(2) - dot(foot, foot)) / square).sqrt();
        if half.is_nan() {
            return;
        }
        for t in [middle - half, middle + half] {
            let normal = plus(from, times(t, direction)).map(T::nearest);
            meet(SurfacePoint { t: T::nearest(t), u: T::ZERO, v: T::ZERO, normal });
        }
    }
}
