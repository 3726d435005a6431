//! Points, lines of sight and picks at survey coordinates.

use crate::common::backends::same_on_every_backend;
use crate::scene_f64::survey::{Survey, length, minus};
use crate::scene_f64::{FAR, rays, scene_f64};
use lanecast::answers::PerRow;
use lanecast::cast::PickLimit;
use lanecast::primitive::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
use lanecast::scene::GeometryView;
use lanecast::{
    Aabb, Affine, BuildQuality, CastOptions, Error, Geometry, PointGrid, Ray, SceneBuilder,
    Segment, SightLines, Status, Threads,
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{plus, times};
use std::sync::Arc;

const OFFSET: [f64; 3] = [FAR, -0.5 * FAR, 0.25 * FAR];

/// Multiples of 2⁻²⁶: with the radius of the earth they have 49 bits.
fn grid(x: f64) -> f64 {
    (x * f64::from(1 << 26)).round() / f64::from(1 << 26)
}

fn there(point: [f64; 3]) -> [f64; 3] {
    plus(point, OFFSET)
}

/// A hollow ball whose coordinates can be moved without rounding.
fn ball() -> Survey {
    let mut cavity = meshes::icosphere(2, 0.5);
    cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let mut ball = Survey::new(&meshes::icosphere(3, 1.0).with(&cavity), 1.0, [0.0; 3]);
    for vertex in &mut ball.vertices {
        *vertex = vertex.map(grid);
    }
    ball
}

fn moved(mesh: &Survey) -> Survey {
    Survey { vertices: mesh.vertices.iter().map(|&vertex| there(vertex)).collect(), ..mesh.clone() }
}

fn points(count: usize, random: &mut Random) -> Vec<[f64; 3]> {
    (0..count).map(|_| random.point(-1.5, 1.5).map(|x| grid(f64::from(x)))).collect()
}

/// Where everything is moved by what `f64` adds exactly, distances, weights, insides and sights
/// stay, to the last bit.
#[test]
fn a_ball_on_earth_is_as_near_as_one_at_the_origin() {
    let (here, mut random) = (ball(), Random::new(81));
    let (near, far) = (here.scene(), moved(&here).scene());
    let points = points(2 * rays(), &mut random);
    let points_there: Vec<_> = points.iter().map(|&point| there(point)).collect();
    let radii: Vec<f64> = points.iter().map(|_| f64::from(random.between(0.0, 0.5))).collect();
    let radius = PerRow::Each(&radii[..]);
    let inside = same_on_every_backend("a ball", |backend| {
        let asked = [near.points(&points), far.points(&points_there)];
        let options = CastOptions::new().backend(backend).geometric_normals(true);
        let [of_near, of_far] = asked.each_ref().map(|asked| asked.clone().with(&options));
        let [found, expected] = [&of_far, &of_near].map(|asked| asked.closest(radius).unwrap());
        let scanned = of_far.clone().brute_force().closest(radius).unwrap();
        assert!(found == scanned, "{backend}: the tree shows");
        assert_eq!((found.status(), found.distance()), (expected.status(), expected.distance()));
        assert_eq!(
            (found.primitive_id(), found.u(), found.v()),
            (expected.primitive_id(), expected.u(), expected.v())
        );
        assert_eq!(found.geometric_normal(), expected.geometric_normal());
        for (row, &point) in
            found.point().iter().enumerate().filter(|&(row, _)| found.status()[row].is_hit())
        {
            assert!(length(minus(minus(point, OFFSET), expected.point()[row])) < 4e-9, "{point:?}");
        }
        let [found, expected] = [&of_far, &of_near].map(|asked| asked.signed_distances().unwrap());
        assert_eq!(found, expected);
        let [found, expected] = [&of_far, &of_near].map(|asked| asked.contains().unwrap());
        assert_eq!(found, expected);
        found.status().iter().filter(|status| status.is_hit()).count()
    });
    assert!((points.len() / 20..points.len() / 2).contains(&inside), "{inside} inside");
    // A distance that was told is within itself.
    let told = far.points(&points_there).distances().unwrap();
    let again = far.points(&points_there).closest(told.distance()).unwrap();
    assert!(again.status().iter().all(|&status| status == Status::Hit));
    let below: Vec<f64> = told.distance().iter().map(|x| x.next_down()).collect();
    let again = far.points(&points_there).closest(&below).unwrap();
    assert!(again.status().iter().all(|&status| status != Status::Hit));
}

#[test]
fn grids_and_lines_of_sight_on_earth_are_those_at_the_origin() {
    let (here, mut random) = (ball(), Random::new(82));
    let (near, far) = (here.scene(), moved(&here).scene());
    let counts = [9, 8, 7];
    let [coarse, fine] = [[-1.125; 3], there([-1.125; 3])]
        .map(|origin| PointGrid::new(origin, [0.25, 0.25, 0.375], counts).unwrap());
    let bits = near.grid(&coarse).occupancy_bits().unwrap();
    assert_eq!(far.grid(&fine).occupancy_bits().unwrap(), bits);
    assert!(bits.iter().map(|byte| byte.count_ones()).sum::<u32>() > 20);
    let (observers, targets) = (points(12, &mut random), points(70, &mut random));
    let [observers_there, targets_there] = [&observers, &targets]
        .map(|points| points.iter().map(|&point| there(point)).collect::<Vec<_>>());
    let lines = SightLines::new(&observers, &targets).unwrap();
    let lines_there = SightLines::new(&observers_there, &targets_there).unwrap();
    let matrix = near.sight(&lines).matrix().unwrap();
    let seen = same_on_every_backend("sight", |backend| {
        let found = far.sight(&lines_there).backend(backend).matrix().unwrap();
        assert!(
            found == matrix
                && found
                    == far.sight(&lines_there).backend(backend).brute_force().matrix().unwrap()
        );
        (0..12 * 70).filter(|line| found.sees(line / 70, line % 70)).count()
    });
    assert!((84..756).contains(&seen), "{seen} see");
    for line in 0..12 * 70 {
        let obstacles = (far.sight(&lines_there), near.sight(&lines));
        let (found, expected) = (
            obstacles.0.first_obstacle(line / 70, line % 70),
            obstacles.1.first_obstacle(line / 70, line % 70),
        );
        assert_eq!(
            found.unwrap().map(|hit| (hit.t, hit.primitive_id)),
            expected.unwrap().map(|hit| (hit.t, hit.primitive_id))
        );
    }
    // A wall across lines: what is in between breaks them, and what they end on does not.
    let wall = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]].map(there);
    let wall = scene_f64(&wall, &[[0, 1, 2]]).unwrap();
    let ends = [0.0, -1e-6, 1e-6].map(|z| there([0.5, 0.25, z]));
    let above = [there([0.5, 0.25, 4.0])];
    let from_above = SightLines::new(&above, &ends).unwrap();
    let seen = [0, 1, 2].map(|target| wall.sight(&from_above).matrix().unwrap().sees(0, target));
    assert_eq!(seen, [true, false, true]);
    let refused =
        SightLines::new(&[[f64::NAN, 0.0, 0.0]], &targets).expect_err("no point").to_string();
    assert!(refused.contains("2^299") && refused.contains("at 0"), "{refused}");
}

/// Points and normals of picks, at a turned and mirrored ball.
#[test]
fn picks_are_where_the_segment_is() {
    let (mesh, random) = (ball(), &mut Random::new(83));
    let leaf = Arc::new(mesh.scene());
    let rows =
        [[0.0, -2.0, 0.0, OFFSET[0]], [1.5, 0.0, 0.0, OFFSET[1]], [0.0, 0.0, -1.0, OFFSET[2]]];
    let map = Affine::from_rows(rows);
    let scene = SceneBuilder::<f64>::default().instance(&leaf, map).build().unwrap();
    let mut picked = 0;
    for _ in 0..rays() {
        let [start, end] = [(); 2].map(|()| there(random.point(-2.5, 2.5).map(f64::from)));
        let ray = Ray::from(Segment::new(start, end));
        for pick in scene.cast(&ray).pick(PickLimit::All).unwrap() {
            picked += 1;
            let on_ray = plus(start, times(pick.hit.t, minus(end, start)));
            assert!(length(minus(pick.world_point, on_ray)) < 1e-8, "{pick:?}");
            assert!(
                length(minus(map.point(pick.local_point), pick.world_point)) < 1e-8,
                "{pick:?}"
            );
            assert_eq!(pick.instance_path, [0]);
            let corners = leaf.triangle(0, pick.hit.primitive_id).unwrap();
            assert_eq!(corners, mesh.corners(pick.hit.primitive_id as usize));
            assert_eq!(scene.locate(&ray, &pick.hit).unwrap(), pick);
            assert!((length(pick.world_normal) - 1.0).abs() < 1e-12);
        }
    }
    assert!(picked > rays() / 4, "{picked}");
    let missing = Err(Error::UnknownPrimitive { geometry_id: 0, primitive_id: 9_999 });
    assert_eq!(leaf.triangle(0, 9_999), missing);
    assert!(
        matches!(leaf.geometry(0), Ok(GeometryView::Triangles { count }) if count == mesh.triangles.len())
    );
}

/// Posts: vertical lines from the ground up, which no ray meets but along a plane.
#[derive(Debug)]
struct Posts(Vec<[f64; 3]>);

impl Primitives<f64> for Posts {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb<f64> {
        let [x, y, z] = self.0[primitive_id as usize];
        Aabb { min: [x, y, z], max: [x, y, z + 1.0] }
    }

    /// Where the ray passes the plane of its x, if that is on the post.
    fn intersect(
        &self,
        primitive_id: u32,
        ray: &Ray<f64>,
        meet: &mut dyn FnMut(SurfacePoint<f64>),
    ) {
        let [x, y, z] = self.0[primitive_id as usize];
        let t = (x - ray.origin[0]) / ray.direction[0];
        let [_, at_y, at_z] = ray.at(t);
        if at_y == y && (z..=z + 1.0).contains(&at_z) {
            meet(SurfacePoint { t, u: at_z - z, v: 0.0, normal: [-1.0, 0.0, 0.0] });
        }
    }

    fn nearest_points(&self) -> Option<&dyn NearestPoints<f64>> {
        Some(self)
    }
}

impl NearestPoints<f64> for Posts {
    fn nearest_point(
        &self,
        primitive_id: u32,
        point: [f64; 3],
        placed: &Affine,
    ) -> Option<NearestPoint<f64>> {
        let [x, y, z] = placed.point(self.0[primitive_id as usize]);
        let up = (point[2] - z).clamp(0.0, 1.0);
        Some(NearestPoint { point: [x, y, z + up], u: up, v: 0.0, normal: [0.0, 0.0, 1.0] })
    }
}

#[test]
fn primitives_of_the_caller_have_numbers_of_f64() {
    let posts: Vec<[f64; 3]> =
        (0..100).map(|i| there([f64::from(i % 10), f64::from(i / 10), 0.0])).collect();
    let leaf = SceneBuilder::<f64>::default()
        .primitives(Arc::new(Posts(posts)))
        .and_then(SceneBuilder::build);
    let leaf = Arc::new(leaf.unwrap());
    let placed =
        SceneBuilder::<f64>::default().instance(&leaf, Affine::translation([0.0, 0.0, 8.0]));
    let third = 1.0 / 3.0;
    for (scene, up) in [(&*leaf, 0.0), (&placed.build().unwrap(), 8.0)] {
        let ray = Ray::new(there([-2.0, 3.0, third + up]), [third, 0.0, 0.0]);
        let hits = scene.cast(&ray).all().unwrap();
        assert_eq!(hits.len(), 10);
        assert_eq!(hits[0].primitive_id, 30);
        assert!(
            (hits[0].t - 6.0).abs() < 1e-14 && (hits[0].u - third).abs() < 1e-9,
            "{:?}",
            hits[0]
        );
        assert_eq!(scene.cast(&ray).brute_force().all().unwrap(), hits);
        let near = scene
            .point(there([4.0, 4.25, up - 2.0]))
            .closest(f64::INFINITY)
            .unwrap()
            .expect("a post");
        assert_eq!((near.primitive_id, near.point), (44, there([4.0, 4.0, up])));
        assert!((near.distance - (4.0_f64 + 0.0625).sqrt()).abs() < 1e-15);
        assert!(matches!(
            scene.point(there([0.0; 3])).contains(),
            Err(Error::NotClosed { geometry_id: 0, .. })
        ));
    }
    let mut scene = leaf.deep_copy();
    let quality = BuildQuality::Balanced;
    scene
        .change()
        .threads(&Threads::ONE)
        .quality(quality)
        .replace(&[(0, Geometry::boxes(&[Aabb { min: OFFSET, max: there([1.0; 3]) }]))])
        .unwrap();
    assert_eq!(scene.point(there([0.5; 3])).signed_distance(), Ok(-0.5));
    assert!(matches!(scene.geometry(0), Ok(GeometryView::Boxes([aabb])) if aabb.min == OFFSET));
    let bad = [Aabb { min: OFFSET, max: [f64::NAN; 3] }];
    let refused = scene
        .change()
        .threads(&Threads::ONE)
        .quality(quality)
        .replace(&[(0, Geometry::boxes(&bad))])
        .expect_err("not a box")
        .to_string();
    assert!(
        refused.contains("primitive 0") && refused.contains("6400000.0") && refused.contains("NaN"),
        "{refused}"
    );
}
