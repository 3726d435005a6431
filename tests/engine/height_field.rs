//! Fields of heights answer as meshes of the same triangles, bit for bit, by rays where a triangle is likeliest to be lost.

use lanecast::primitive::{HeightField, quad_point};
use lanecast::scene::GeometryView;
use lanecast::{Affine, Backend, Contact, Error, Hit, Ray, Scene, SceneBuilder};
use lanecast_reference::random::Random;
use std::sync::Arc;

/// Heights, holes among them, over a grid of any size and place.
struct Field {
    heights: Vec<f32>,
    size: [usize; 2],
    origin: [f32; 2],
    spacing: [f32; 2],
}

impl Field {
    fn drawn(random: &mut Random) -> Self {
        let size = [2 + random.below(20), 2 + random.below(20)];
        // Whole heights for rays that meet edges and vertices exactly; flat ones; steep ones; far from 0.
        let form = random.below(4);
        let height = |random: &mut Random| match form {
            _ if random.below(12) == 0 => f32::NAN,
            0 => random.below(4) as f32,
            1 => 1.0,
            2 => random.between(-0.5, 0.5),
            _ => random.between(-40.0, 40.0),
        };
        let heights = (0..size[0] * size[1]).map(|_| height(random)).collect();
        let origin = random.pick(&[[0.0, 0.0], [-3.0, 2.0], [0.1, -7.3], [400_000.0, 5_200_000.0]]);
        let spacing = random.pick(&[[1.0, 1.0], [0.5, 2.0], [0.1, 0.3]]);
        Self { heights, size, origin, spacing }
    }

    fn scene(&self) -> SceneBuilder<'static> {
        let field = HeightField::new(&self.heights, self.size, self.origin, self.spacing);
        field.and_then(|field| SceneBuilder::new().height_field(field)).expect("a sound field")
    }

    fn vertex(&self, row: usize, column: usize) -> [f32; 3] {
        let along = |axis: usize, number: usize| {
            (f64::from(self.origin[axis]) + number as f64 * f64::from(self.spacing[axis])) as f32
        };
        [along(0, column), along(1, row), self.heights[row * self.size[1] + column]]
    }

    /// The same triangles with corners of their own; flat ones where there is a hole.
    fn triangles(&self) -> Vec<[[f32; 3]; 3]> {
        let mut triangles = Vec::new();
        for row in 0..self.size[0] - 1 {
            for column in 0..self.size[1] - 1 {
                let corner = |up: usize, right: usize| self.vertex(row + up, column + right);
                let halves =
                    [[corner(0, 0), corner(0, 1), corner(1, 0)], [corner(1, 1), corner(1, 0), corner(0, 1)]];
                triangles.extend(halves.map(|corners| {
                    let is_hole = corners.iter().any(|corner| corner[2].is_nan());
                    if is_hole {
                        [self.vertex(0, 0).map(|x| if x.is_nan() { 0.0 } else { x }); 3]
                    } else {
                        corners
                    }
                }));
            }
        }
        triangles
    }

    /// A ray at a vertex, an edge or a face; upright, along an axis, along a row of cells, grazing, or from anywhere.
    fn ray(&self, random: &mut Random) -> Ray {
        let [rows, columns] = self.size;
        let place = |random: &mut Random| {
            let (row, column) = (random.below(rows), random.below(columns));
            let mut at = self.vertex(row, column);
            at[2] = if at[2].is_nan() { 0.0 } else { at[2] };
            let fraction = |random: &mut Random| random.pick(&[0.0, 0.5, 0.25, 1.0, 0.37]);
            let [x, y] = [0, 1].map(|axis| at[axis] + fraction(random) * self.spacing[axis]);
            match random.below(3) {
                0 => at,
                1 => [x, at[1], at[2]],
                _ => [x, y, at[2]],
            }
        };
        let target = place(random);
        let from = match random.below(6) {
            0 => [target[0], target[1], target[2] + random.pick(&[5.0, -3.0, 1000.0])],
            1 => {
                let mut from = target;
                from[random.below(2)] -= 3.0;
                from
            }
            2 => place(random),
            3 => {
                let other = place(random);
                [other[0], other[1], target[2] + random.pick(&[0.0, 1e-3, 0.5])]
            }
            _ => {
                let other = place(random);
                [other[0] + random.between(-9.0, 9.0), other[1], other[2] + random.between(-9.0, 60.0)]
            }
        };
        let direction: [f32; 3] = std::array::from_fn(|axis| target[axis] - from[axis]);
        let direction = if direction == [0.0; 3] { [0.0, 0.0, -1.0] } else { direction };
        let ray = Ray::new(from, direction);
        match random.below(5) {
            0 => ray.with_interval(f32::NEG_INFINITY, f32::INFINITY),
            // To the target and no farther, and from there on.
            1 => ray.with_interval(0.0, 1.0),
            2 => ray.with_interval(1.0, f32::INFINITY),
            _ => ray,
        }
    }
}

fn mesh_of(triangles: &[[[f32; 3]; 3]]) -> Scene {
    let corners: Vec<[u32; 3]> =
        (0..triangles.len() as u32).map(|id| [3 * id, 3 * id + 1, 3 * id + 2]).collect();
    Scene::from_triangles(triangles.as_flattened(), &corners).expect("sound triangles")
}

fn bits(hit: &Hit) -> [u32; 5] {
    [hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits(), hit.primitive_id, hit.instance_id]
}

/// What all queries say of rays, as bits.
fn answers(scene: &Scene, rays: &[Ray], backend: Backend, brute_force: bool) -> Vec<Vec<[u32; 5]>> {
    let mut said = Vec::new();
    for contact in [Contact::Crossing, Contact::Touch] {
        let cast = |rays| {
            let cast = scene.cast(rays).backend(backend).contact(contact);
            if brute_force { cast.brute_force() } else { cast }
        };
        let all = cast(rays).all().expect("an answer");
        let closest = cast(rays).closest().expect("an answer");
        let any = cast(rays).any().expect("an answer");
        let counts = cast(rays).count().expect("an answer");
        for row in 0..rays.len() {
            let mut of_ray: Vec<_> = all.of_ray(row).iter().map(bits).collect();
            of_ray.extend(closest.hit(row).as_ref().map(bits));
            of_ray.push([any.status()[row].is_hit().into(), counts.count()[row], 0, 0, 0]);
            said.push(of_ray);
        }
    }
    said
}

#[test]
fn a_field_answers_as_the_mesh_of_its_triangles_bit_for_bit() {
    let mut hits = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let field = Field::drawn(&mut random);
        let (scene, mesh) = (field.scene().build().expect("a scene"), mesh_of(&field.triangles()));
        let rays: Vec<Ray> = (0..400).map(|_| field.ray(&mut random)).collect();
        let backend = scene.backend();
        let expected = answers(&mesh, &rays, backend, false);
        for brute_force in [false, true] {
            let found = answers(&scene, &rays, backend, brute_force);
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let ray = rays[row % rays.len()];
                assert_eq!(found, expected, "seed {seed}, row {row}, brute force {brute_force}, {ray:?}");
            }
        }
        hits += expected.iter().map(|of_ray| of_ray.len() - 1).sum::<usize>();
    }
    assert!(hits > 50_000, "{hits}");
}
