//! Fields of heights answer as meshes of the same triangles, bit for bit, by rays where a triangle
//! is likeliest to be lost.

use lanecast::primitive::{HeightField, Sphere, quad_point};
use lanecast::scene::GeometryView;
use lanecast::testing::Way;
use lanecast::{
    Affine, Backend, CastOptions, Coherence, Contact, Culling, Error, Hit, Precision, Ray, Scene,
    SceneBuilder,
};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use std::sync::Arc;

use crate::common::backends::every_backend;

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
        // Whole heights for rays that meet edges and vertices exactly; flat ones; steep ones; far
        // from 0.
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
                let halves = [
                    [corner(0, 0), corner(0, 1), corner(1, 0)],
                    [corner(1, 1), corner(1, 0), corner(0, 1)],
                ];
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

    /// A ray at a vertex, an edge or a face; upright, along an axis, along a row of cells, grazing,
    /// or from anywhere.
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
                [
                    other[0] + random.between(-9.0, 9.0),
                    other[1],
                    other[2] + random.between(-9.0, 60.0),
                ]
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
            let cast = scene.cast(rays).with(&CastOptions::new().backend(backend).contact(contact));
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
                assert_eq!(
                    found, expected,
                    "seed {seed}, row {row}, brute force {brute_force}, {ray:?}"
                );
            }
        }
        hits += expected.iter().map(|of_ray| of_ray.len() - 1).sum::<usize>();
    }
    assert!(hits > 50_000, "{hits}");
}

/// The first hit, its bits and id, and whether there is any, in every way through the tree.
fn hold_every_way<T: Precision>(field: &Scene<T>, mesh: &Scene<T>, rays: &[Ray<T>]) -> usize {
    let told = |scene: &Scene<T>, options: &CastOptions<'_, T>| {
        let hits = scene.cast(rays).with(options).closest().expect("an answer");
        let any = scene.cast(rays).with(options).any().expect("an answer");
        let of_row = |row: usize| {
            let [t, u, v] =
                [hits.t()[row], hits.u()[row], hits.v()[row]].map(lanecast::Scalar::to_f64);
            let place = [t, u, v].map(f64::to_bits);
            (place, hits.primitive_id()[row], hits.status()[row], any.status()[row])
        };
        (0..rays.len()).map(of_row).collect::<Vec<_>>()
    };
    let expected = told(mesh, &CastOptions::default());
    for backend in every_backend() {
        let options = CastOptions::<T>::default().backend(backend);
        let mut ways = vec![options.clone(), options.clone().coherence(Coherence::Coherent)];
        for way in [Way::Streams, Way::MixedStreams, Way::InFlight, Way::OneByOne] {
            ways.push(options.clone().coherence(Coherence::Incoherent).way(way));
        }
        for options in ways {
            let found = told(field, &options);
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{options:?}, {:?}", rays[row]);
            }
        }
    }
    expected.iter().filter(|(.., any)| any.is_hit()).count()
}

/// The same in `f32` and in `f64`.
fn hold_every_way_in_both(field: &Field, rays: &[Ray]) -> usize {
    let triangles = field.triangles();
    let hits = hold_every_way(&field.scene().build().expect("a scene"), &mesh_of(&triangles), rays);

    let double = |point: [f32; 3]| point.map(f64::from);
    let wide = |ray: &Ray| {
        Ray::new(double(ray.origin), double(ray.direction))
            .with_interval(ray.t_min.into(), ray.t_max.into())
    };
    let rays: Vec<Ray<f64>> = rays.iter().map(wide).collect();
    let vertices: Vec<_> = triangles.as_flattened().iter().map(|&at| double(at)).collect();
    let corners: Vec<[u32; 3]> =
        (0..triangles.len() as u32).map(|id| [3 * id, 3 * id + 1, 3 * id + 2]).collect();
    let heights: Vec<f64> = field.heights.iter().map(|&height| height.into()).collect();
    let (origin, spacing) = (field.origin.map(f64::from), field.spacing.map(f64::from));
    let scene = HeightField::new(&heights, field.size, origin, spacing)
        .and_then(|field| SceneBuilder::<f64>::default().height_field(field))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let mesh = Scene::from_triangles(&vertices, &corners).expect("sound triangles");
    hits + hold_every_way(&scene, &mesh, &rays)
}

#[test]
fn every_way_through_a_field_leads_to_the_hits_of_its_mesh() {
    let mut hits = 0;
    for seed in 500..503 {
        let mut random = Random::new(seed);
        let (size, spacing) = ([60, 75], [0.5, 2.0]);
        let heights = (0..size[0] * size[1])
            .map(|_| if random.below(12) == 0 { f32::NAN } else { random.between(-2.0, 2.0) });
        let field = Field { heights: heights.collect(), size, origin: [0.0; 2], spacing };
        // A fan from a point, in groups; as many from anywhere, with long lists in streams.
        let eye = [18.0, 60.0, 9.0];
        let fan = (0..2_000).map(|place| {
            let [x, y] = [place % 50, place / 50].map(|step| step as f32 / 25.0 - 1.0);
            Ray::new(eye, [x, y, -0.3])
        });
        let mut rays: Vec<Ray> = fan.collect();
        rays.extend((0..4_000).map(|_| field.ray(&mut random)));
        hits += hold_every_way_in_both(&field, &rays);
    }
    assert!(hits > 15_000, "{hits}");
}

#[test]
fn a_field_in_sheared_and_mirrored_instances_is_met_as_its_mesh() {
    let mut hits = 0;
    for seed in 100..120 {
        let mut random = Random::new(seed);
        let field = Field::drawn(&mut random);
        let maps = [
            transform(&mut random),
            Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
        ];
        let place = |scene: Scene| {
            let scene = Arc::new(scene);
            let placed = maps
                .iter()
                .fold(SceneBuilder::new(), |builder, map| builder.instance(&scene, *map));
            placed.build().expect("a scene")
        };
        let scene = place(field.scene().build().expect("a scene"));
        let mesh = place(mesh_of(&field.triangles()));
        let map = maps[random.below(2)];
        let carried = |ray: Ray| Ray {
            origin: map.point(ray.origin.map(f64::from)).map(|x| x as f32),
            direction: map.vector(ray.direction.map(f64::from)).map(|x| x as f32),
            ..ray
        };
        let rays: Vec<Ray> = (0..300).map(|_| carried(field.ray(&mut random))).collect();
        let expected = answers(&mesh, &rays, scene.backend(), false);
        assert_eq!(answers(&scene, &rays, scene.backend(), false), expected, "seed {seed}");
        assert_eq!(answers(&scene, &rays, Backend::PORTABLE, true), expected, "seed {seed}");
        hits += expected.iter().map(|of_ray| of_ray.len() - 1).sum::<usize>();
    }
    assert!(hits > 5_000, "{hits}");
}

#[test]
fn the_front_of_a_field_is_up_and_stays_there_in_mirrors() {
    let field = || {
        HeightField::new(&[0.0, 1.0, 0.0, 2.0], [2, 2], [0.0; 2], [1.0; 2]).expect("a sound field")
    };
    let scene = Arc::new(
        SceneBuilder::new().height_field(field()).and_then(SceneBuilder::build).expect("a scene"),
    );
    let mirror =
        Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let mirrored = SceneBuilder::new().instance(&scene, mirror).build().expect("a scene");
    for (scene, x) in [(&*scene, 0.25), (&mirrored, -0.25)] {
        let above = Ray::new([x, 0.25, 9.0], [0.0, 0.0, -1.0]);
        let below = Ray::new([x, 0.25, -9.0], [0.0, 0.0, 1.0]);
        let is_met =
            |ray: &Ray, culling| scene.cast(ray).culling(culling).any().expect("an answer");
        assert!(is_met(&above, Culling::Back) && !is_met(&above, Culling::Front));
        assert!(is_met(&below, Culling::Front) && !is_met(&below, Culling::Back));
        let hit = scene.cast(&above).closest().expect("an answer").expect("a hit");
        let (_, normal) = scene
            .cast(&above)
            .closest_with_normal()
            .expect("an answer")
            .expect("a hit with its normal");
        assert!(normal[2] > 0.0, "{normal:?}");
        let points = [[x, 0.25, 9.0]];
        let near = scene.points(&points).geometric_normals(true);
        let near = near.closest(f32::INFINITY).expect("an answer");
        assert!(near.geometric_normal()[0][2] > 0.0, "{:?}", near.geometric_normal());
        let pick = scene.locate(&above, &hit).expect("a place");
        assert!(pick.world_normal[2] > 0.0, "{pick:?}");
        assert_eq!(pick.world_point[2], f64::from(9.0 - hit.t));
    }
}

#[test]
fn many_fields_beside_meshes_answer_as_meshes_alone() {
    let mut hits = 0;
    for seed in 400..410 {
        let mut random = Random::new(seed);
        // As many as more than one node above them holds, some of holes alone.
        let fields: Vec<Field> = (0..1 + random.below(20))
            .map(|_| {
                let mut field = Field { origin: [0.0; 2], ..Field::drawn(&mut random) };
                field.origin = [0; 2].map(|_| random.below(30) as f32 - 15.0);
                if random.below(8) == 0 {
                    field.heights.fill(f32::NAN);
                }
                field
            })
            .collect();
        // The last field is a mesh in both scenes, unless it is alone.
        let corners: Vec<Vec<[u32; 3]>> = fields
            .iter()
            .map(|field| {
                (0..field.triangles().len() as u32).map(|id| [0, 1, 2].map(|k| 3 * id + k))
            })
            .map(Iterator::collect)
            .collect();
        let triangles: Vec<_> = fields.iter().map(Field::triangles).collect();
        let scene = |as_fields: usize| {
            let each = fields.iter().zip(triangles.iter().zip(&corners)).enumerate();
            let added = each.fold(SceneBuilder::new(), |builder, (number, (field, mesh))| {
                if number < as_fields {
                    let Field { heights, size, origin, spacing } = field;
                    let field = HeightField::new(heights, *size, *origin, *spacing);
                    return field.and_then(|field| builder.height_field(field)).expect("a field");
                }
                builder.triangle_mesh(mesh.0.as_flattened(), mesh.1).expect("sound triangles")
            });
            added.build().expect("a scene")
        };
        let rays: Vec<Ray> =
            (0..600).map(|_| fields[random.below(fields.len())].ray(&mut random)).collect();
        let (meshes, mixed) = (scene(0), scene(fields.len().max(2) - 1));
        let said = |scene: &Scene, contact| {
            let cast = || scene.cast(&rays).contact(contact);
            let (all, closest) = (cast().all(), scene.cast(&rays).closest());
            let (all, closest) = (all.expect("an answer"), closest.expect("an answer"));
            let nearest = cast().nearest(2).expect("an answer");
            let any = scene.cast(&rays).any().expect("an answer");
            let of = |hit: &Hit| (bits(hit), hit.geometry_id);
            (0..rays.len())
                .map(|row| {
                    let mut of_ray: Vec<_> = all.of_ray(row).iter().map(of).collect();
                    of_ray.extend(nearest.of_ray(row).iter().map(of));
                    of_ray.extend(closest.hit(row).as_ref().map(of));
                    (of_ray, any.status()[row])
                })
                .collect::<Vec<_>>()
        };
        for contact in [Contact::Crossing, Contact::Touch] {
            let expected = said(&meshes, contact);
            for (row, (found, expected)) in said(&mixed, contact).iter().zip(&expected).enumerate()
            {
                assert_eq!(found, expected, "seed {seed}, {:?}", rays[row]);
            }
            hits += expected.iter().map(|(of_ray, _)| of_ray.len()).sum::<usize>();
        }
    }
    assert!(hits > 20_000, "{hits}");
}

#[test]
fn closest_points_and_overlaps_of_a_field_are_those_of_its_mesh() {
    for seed in 200..215 {
        let mut random = Random::new(seed);
        let field = Field { origin: [-3.0, 2.0], ..Field::drawn(&mut random) };
        let triangles = field.triangles();
        let is_hole = |id: u32| triangles[id as usize][0] == triangles[id as usize][1];
        let (scene, mesh) = (field.scene().build().expect("a scene"), mesh_of(&triangles));
        let place = |random: &mut Random| {
            let mut at = field.vertex(random.below(field.size[0]), random.below(field.size[1]));
            at[2] = if at[2].is_nan() { 0.0 } else { at[2] };
            at.map(|x| x + random.between(-1.0, 1.0))
        };
        for _ in 0..50 {
            let point = place(&mut random);
            let found = scene.point(point).closest(f32::INFINITY).expect("an answer");
            let brute = scene.point(point).brute_force().closest(f32::INFINITY).expect("an answer");
            assert_eq!(found, brute, "seed {seed}, {point:?}");
            let within = scene.point(point).within(2.0).expect("an answer");
            assert_eq!(within, scene.point(point).brute_force().within(2.0).expect("an answer"));
            // Those at holes are flat in the mesh, but there.
            let all = mesh.point(point).within(f32::INFINITY).expect("an answer");
            let expected = all.iter().find(|near| !is_hole(near.primitive_id));
            assert_eq!(
                found.map(|at| at.distance),
                expected.map(|at| at.distance),
                "seed {seed}, {point:?}"
            );
            let ball = Sphere::new(point, 1.5);
            let ids = |scene: &Scene| {
                let found = scene.overlap(&ball).primitives().expect("an answer");
                found
                    .iter()
                    .map(|ids| ids.primitive_id)
                    .filter(|&id| !is_hole(id))
                    .collect::<Vec<_>>()
            };
            assert_eq!(ids(&scene), ids(&mesh), "seed {seed}, {point:?}");
        }
    }
}

/// No triangle has it as a corner: boxes are far from the middle that they are widened for, and
/// short directions have reciprocals with which that overflows.
#[test]
fn a_height_among_holes_far_from_all_triangles_loses_no_ray() {
    let mut random = Random::new(7);
    let size = [24, 24];
    let mut heights: Vec<f32> = (0..size[0] * size[1]).map(|_| random.between(-2.0, 2.0)).collect();
    for row in 0..3 {
        heights[row * size[1]..][..3].fill(f32::NAN);
    }
    heights[size[1] + 1] = 1e29;
    let field = Field { heights, size, origin: [0.0; 2], spacing: [1.0; 2] };
    let short = |ray: Ray| Ray { direction: ray.direction.map(|x| 1e-19 * x), ..ray };
    let rays: Vec<Ray> = (0..600).map(|_| short(field.ray(&mut random))).collect();
    let hits = hold_every_way_in_both(&field, &rays);
    assert!(hits > 200, "{hits}");
}

#[test]
fn a_field_describes_itself_and_quad_points_lead_to_its_cells() {
    let heights: Vec<f32> = (0..12).map(|i| (i % 5) as f32).collect();
    let field = HeightField::new(&heights, [3, 4], [1.0, -2.0], [0.5, 2.0]).expect("a sound field");
    assert_eq!((field.size(), field.origin(), field.spacing()), ([3, 4], [1.0, -2.0], [0.5, 2.0]));
    assert_eq!(field.vertex(2, 3), [2.5, 2.0, 1.0]);
    let scene =
        SceneBuilder::new().height_field(field).and_then(SceneBuilder::build).expect("a scene");
    let view = scene.geometry(0).expect("a geometry");
    assert!(matches!(view, GeometryView::HeightField(field) if field.heights() == heights));
    assert_eq!(
        (view.primitive_count(), scene.primitive_count(), scene.triangle_count()),
        (12, 12, 0)
    );
    for (x, y) in [(1.1, -1.5), (1.9, 1.9), (2.3, -0.25)] {
        let hit =
            scene.cast(&Ray::new([x, y, 9.0], [0.0, 0.0, -1.0])).closest().expect("an answer");
        let hit = hit.expect("a hit");
        let (cell, [u, v]) = quad_point(hit.primitive_id, hit.u, hit.v);
        let [row, column] = [cell / 3, cell % 3].map(|i| i as f32);
        assert!(
            (1.0 + 0.5 * (column + u) - x).abs() < 1e-5
                && (-2.0 + 2.0 * (row + v) - y).abs() < 1e-5
        );
    }
}

#[test]
#[ignore = "takes four gigabytes"]
fn a_field_of_more_triangles_than_a_scene_may_have_is_refused() {
    let many = 23_200;
    let too_many =
        HeightField::<f32>::new(&vec![0.0; many * many], [many, many], [0.0; 2], [1.0; 2]);
    assert!(matches!(too_many, Err(Error::TooManyTriangles { .. })));
}

#[test]
fn fields_that_cannot_be_used_are_named() {
    let refused = |heights: &[f32], size, origin, spacing| {
        HeightField::new(heights, size, origin, spacing).expect_err("refused").to_string()
    };
    let (flat, at, by) = ([0.0; 6], [0.0; 2], [1.0; 2]);
    for (said, expected) in [
        (refused(&flat, [1, 6], at, by), "height field: rows are 1; there must be two at least"),
        (refused(&[], [2, 0], at, by), "height field: columns are 0; there must be two at least"),
        (
            refused(&flat, [2, 4], at, by),
            "height field: heights are 6, not one for each of 2 × 4 vertices",
        ),
        (
            refused(&flat, [usize::MAX, 2], at, by),
            "height field: heights are 6, not one for each of 18446744073709551615 × 2 vertices",
        ),
        (
            refused(&flat, [2, 3], [0.0, f32::NAN], by),
            "height field: origin y is NaN; it must be finite",
        ),
        (
            refused(&flat, [2, 3], at, [-1.0, 1.0]),
            "height field: spacing x is -1; it must be finite and above 0",
        ),
        (
            refused(&flat, [2, 3], at, [1.0, f32::INFINITY]),
            "height field: spacing y is inf; it must be finite and above 0",
        ),
        (
            refused(&flat, [2, 3], at, [1.0, 0.0]),
            "height field: spacing y is 0; it must be finite and above 0",
        ),
    ] {
        assert_eq!(said, expected);
    }
    let scene = |heights: &[f32], origin| {
        HeightField::new(heights, [2, 3], origin, by)
            .and_then(|field| SceneBuilder::new().height_field(field))
    };
    let unusable = |vertex| move |error: Error| matches!(error, Error::UnusableVertex { geometry_id: 0, vertex: v, .. } if v == vertex);
    assert!(scene(&[0.0, 0.0, 0.0, 0.0, f32::INFINITY, 0.0], at).is_err_and(unusable(4)));
    assert!(scene(&flat, [2e30, 0.0]).is_err_and(unusable(0)));
    // All holes: nothing is there.
    let holes = scene(&[f32::NAN; 6], at).and_then(SceneBuilder::build).expect("a scene");
    let down = Ray::new([0.5, 0.5, 9.0], [0.0, 0.0, -1.0]);
    assert_eq!(
        (holes.cast(&down).count(), holes.cast(&down).brute_force().count()),
        (Ok(0), Ok(0))
    );
    assert_eq!(holes.point([0.0; 3]).closest(f32::INFINITY), Ok(None));
    assert!(matches!(
        holes.point([0.0; 3]).contains(),
        Err(Error::NotClosed { geometry_id: 0, .. })
    ));
}

#[test]
fn an_f64_field_answers_as_the_mesh_of_its_triangles_bit_for_bit() {
    let mut hits = 0;
    for seed in 300..310 {
        let mut random = Random::new(seed);
        let (size, origin, spacing) = ([10, 14], [4e6, 5e6], [0.1, 0.3]);
        let height = |random: &mut Random| match random.below(20) {
            0 => f64::NAN,
            1..10 => random.below(3) as f64,
            _ => random.unit_f64(),
        };
        let heights: Vec<f64> = (0..size[0] * size[1]).map(|_| height(&mut random)).collect();
        let field = HeightField::new(&heights, size, origin, spacing).expect("a sound field");
        let mut vertices: Vec<[f64; 3]> = (0..heights.len())
            .map(|place| field.vertex(place / size[1], place % size[1]))
            .collect();
        let corners: Vec<[u32; 3]> = (0..(size[0] - 1) * (size[1] - 1))
            .flat_map(|cell| {
                let first = (cell / (size[1] - 1) * size[1] + cell % (size[1] - 1)) as u32;
                let (right, left) = (first + 1, first + size[1] as u32);
                [[first, right, left], [left + 1, left, right]]
            })
            .map(|corners| {
                let is_hole = corners.iter().any(|&corner| heights[corner as usize].is_nan());
                if is_hole { [corners[0]; 3] } else { corners }
            })
            .collect();
        for vertex in &mut vertices {
            vertex[2] = if vertex[2].is_nan() { 0.0 } else { vertex[2] };
        }
        let mesh = Scene::from_triangles(&vertices, &corners).expect("sound triangles");
        let scene = SceneBuilder::<f64>::default()
            .height_field(field)
            .and_then(SceneBuilder::build)
            .expect("a scene");
        let rays: Vec<Ray<f64>> = (0..300)
            .map(|round| {
                let [a, b] = [0; 2].map(|_| vertices[random.below(vertices.len())]);
                let off =
                    [0; 3].map(|_| if round % 3 == 0 { 0.0 } else { random.unit_f64() - 0.5 });
                let from = [a[0] + off[0], a[1] + off[1], a[2] + off[2] + f64::from(round % 2)];
                let direction = [b[0] - from[0], b[1] - from[1], b[2] - from[2]];
                Ray::new(from, if direction == [0.0; 3] { [0.0, 0.0, -1.0] } else { direction })
            })
            .collect();
        for contact in [Contact::Crossing, Contact::Touch] {
            let said = |scene: &Scene<f64>, brute_force: bool| {
                let cast = scene.cast(&rays).contact(contact);
                let hits = if brute_force { cast.brute_force() } else { cast }.all();
                let hits = hits.expect("an answer");
                let of_hit =
                    |hit: &Hit<f64>| ([hit.t, hit.u, hit.v].map(f64::to_bits), hit.primitive_id);
                (0..rays.len())
                    .map(|row| hits.of_ray(row).iter().map(of_hit).collect())
                    .collect::<Vec<Vec<_>>>()
            };
            let expected = said(&mesh, false);
            assert_eq!(said(&scene, false), expected, "seed {seed}");
            assert_eq!(said(&scene, true), expected, "seed {seed}, by brute force");
            hits += expected.iter().map(Vec::len).sum::<usize>();
        }
    }
    assert!(hits > 5_000, "{hits}");
}
