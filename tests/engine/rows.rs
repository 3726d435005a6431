//! Iteration over rows gives what the columns hold, from either end, by reference and by value.

use std::fmt::Debug;

use lanecast::answers::{Cost, LineHits, SurfaceHit};
use lanecast::columns::{Batch, RowIter};
use lanecast::primitive::{Bulk, HitList, HitTable, Sphere, SphereBatch, SphereRoots};
use lanecast::{
    Affine, Hit, HitBatch, INVALID_ID, PointGrid, Ray, RayBatch, Scene, SceneBuilder, SightLines,
    Status,
};
use std::sync::Arc;

/// The rows one by one. The iterator takes them from both ends and knows how many are left.
fn rows_of<B: Batch>(iter: RowIter<B>, count: usize) -> Vec<B::Row>
where
    RowIter<B>: Clone,
    B::Row: PartialEq + Debug,
{
    assert_eq!((iter.len(), iter.size_hint()), (count, (count, Some(count))));
    let rows: Vec<_> = iter.clone().collect();
    assert_eq!(rows.len(), count);
    let mut backwards: Vec<_> = iter.clone().rev().collect();
    backwards.reverse();
    assert_eq!(rows, backwards);
    for n in 0..=count {
        assert_eq!(iter.clone().nth(n).as_ref(), rows.get(n));
        assert_eq!(iter.clone().nth_back(n).as_ref(), rows.iter().rev().nth(n));
    }
    let mut both = iter;
    if count >= 2 {
        assert_eq!((both.next().as_ref(), both.next_back().as_ref()), (rows.first(), rows.last()));
        assert_eq!(both.len(), count - 2);
    }
    both.by_ref().for_each(drop);
    assert!(both.next().is_none() && both.next_back().is_none());
    rows
}

/// A square in the plane z = 0 and one placed below it.
fn squares() -> Scene {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let below = Arc::new(Scene::from_triangles(&vertices, &triangles).expect("a square"));
    let builder = SceneBuilder::new().triangle_mesh(&vertices, &triangles).expect("a square");
    builder.instance(&below, Affine::translation([0.0, 0.0, -2.0])).build().expect("two squares")
}

/// A hit, a miss, and no direction.
fn rays() -> [Ray; 3] {
    let down = [0.0, 0.0, -1.0];
    [
        Ray::new([0.75, 0.25, 3.0], down),
        Ray::new([5.0, 5.0, 3.0], down),
        Ray::new([0.5; 3], [0.0; 3]),
    ]
}

#[test]
fn rows_of_hits_are_those_of_their_columns() {
    let (scene, rays) = (squares(), rays());
    let hits = scene.cast(&rays).closest().expect("answers");
    assert_eq!(hits.status(), [Status::Hit, Status::Miss, Status::ZeroDirection]);
    let rows = rows_of(hits.iter(), 3);
    assert_eq!(rows, [hits.hit(0), None, None]);
    assert_eq!(rows_of((&hits).into_iter(), 3), rows);
    assert_eq!(rows_of(hits.clone().into_iter(), 3), rows);

    let lines = scene.cast(&rays).line_hits().expect("answers");
    let of_lines = rows_of(lines.iter(), 3);
    assert_eq!(of_lines[0].ahead, rows[0]);
    assert_eq!(of_lines[1..], [LineHits::default(); 2]);

    let surface = scene.surface(&rays, &hits).locate().expect("answers");
    let (point, geometric_normal) = ([0.75, 0.25, 0.0], [0.0, 0.0, 1.0]);
    let located = SurfaceHit { point, geometric_normal, shading_normal: None };
    assert_eq!(rows_of(surface.iter(), 3), [Some(located), None, None]);

    let all = scene.cast(&rays).all().expect("answers");
    let lists = rows_of(all.iter(), 3);
    assert_eq!(lists, [all.of_ray(0), &[], &[]]);
    assert_eq!(lists[0].len(), 2);

    assert_eq!(rows_of(HitBatch::<f32>::new().iter(), 0), []);
}

#[test]
fn rows_of_other_answers_are_those_of_single_queries() {
    let (scene, rays) = (squares(), rays());
    let any = scene.cast(&rays).any().expect("answers");
    assert_eq!(rows_of(any.iter(), 3), [Some(true), Some(false), None]);
    let count = scene.cast(&rays).count().expect("answers");
    assert_eq!(rows_of(count.into_iter(), 3), [Some(2), Some(0), None]);
    let costs = scene.cast(&rays).cost().expect("answers");
    let cost = |row: usize| Cost {
        nodes: costs.nodes()[row],
        boxes: costs.boxes()[row],
        leaves: costs.leaves()[row],
        primitives: costs.primitives()[row],
    };
    assert_eq!(rows_of(costs.iter(), 3), [Some(cost(0)), Some(cost(1)), None]);
    assert!(cost(0).primitives > 0);

    let points = [[0.5, 0.5, 3.0], [0.5, 0.5, f32::NAN]];
    let closest = scene.points(&points).closest(f32::INFINITY).expect("answers");
    assert_eq!(rows_of(closest.iter(), 2), [closest.get(0), None]);
    let distances = scene.points(&points).distances().expect("answers");
    assert_eq!(rows_of(distances.iter(), 2), [Some(3.0), None]);
    let empty = SceneBuilder::new().build().expect("nothing");
    let distances = empty.points(&points).distances().expect("answers");
    assert_eq!(rows_of(distances.iter(), 2), [Some(f32::INFINITY), None]);

    let ball = [Sphere::new([0.0, 0.0, 3.0], 1.0)];
    let ball = SceneBuilder::new().spheres(&ball).and_then(SceneBuilder::build).expect("a ball");
    let points = [[0.0, 0.0, 3.0], [0.0; 3], [f32::NAN; 3]];
    let inside = ball.points(&points).contains().expect("answers");
    assert_eq!(rows_of(inside.iter(), 3), [Some(true), Some(false), None]);
    let windings = ball.points(&points).generalised_winding(3.0).winding_numbers();
    let windings = rows_of(windings.expect("answers").iter(), 3);
    assert_eq!(windings, [Some(1.0), Some(0.0), None]);

    let (observers, targets) = ([[0.5, 0.5, 3.0], [0.5, 0.5, -1.0]], [[5.0, 5.0, 3.0]; 70]);
    let lines = SightLines::new(&observers, &targets).expect("lines");
    let matrix = scene.sight(&lines).matrix().expect("answers");
    assert_eq!(rows_of(matrix.iter(), 2), [matrix.of_observer(0), matrix.of_observer(1)]);
    assert_eq!(matrix.iter().map(<[u64]>::len).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn rows_of_input_are_its_records() {
    let rays = rays();
    let batch = RayBatch::from_rays(&rays);
    assert_eq!(rows_of(batch.iter(), 3), rays);
    assert_eq!(rows_of(batch.into_iter(), 3), rays);
    let origins = rays.map(|ray| ray.origin);
    let paired = RayBatch::from_points(&origins, [0.0, 0.0, -1.0]).with_interval(1.0, 2.0);
    let expected = origins.map(|o| Ray::new(o, [0.0, 0.0, -1.0]).with_interval(1.0, 2.0));
    assert_eq!(rows_of(paired.slice(1..3).iter(), 2), expected[1..]);

    let spheres = [1.0, 2.0].map(|radius| Sphere::new([0.0; 3], radius));
    let columns = SphereBatch::from_slice(&spheres).expect("spheres");
    assert_eq!(rows_of(columns.iter(), 2), spheres);
    let grid = PointGrid::new([0.0, 1.0, 2.0], [1.0; 3], [3, 1, 2]).expect("a grid");
    let numbers = 0..grid.len();
    assert_eq!(rows_of(grid.iter(), 6), numbers.map(|row| grid.point(row)).collect::<Vec<_>>());

    let mut table = HitTable::new();
    let lines = RayBatch::from_rays(&rays).slice(0..2);
    Bulk::new(SphereRoots).pairwise(&lines, &columns, &mut table).expect("answers");
    assert_eq!(rows_of(table.iter(), 2), [table.get(0), None]);
    let list = HitList { offsets: vec![0, 2, 2], indices: vec![3, 4] };
    assert_eq!(rows_of(list.iter(), 2), [&[3, 4][..], &[]]);
    assert_eq!((list.len(), HitList::new().len(), HitList::new().is_empty()), (2, 0, true));
}

#[test]
fn rows_that_are_made_are_those_in_memory() {
    struct Steps;
    impl lanecast::Maker<Ray> for Steps {
        fn len(&self) -> usize {
            5
        }

        fn make(&self, first: usize, rays: &mut [Ray]) {
            for (number, ray) in (first..).zip(rays) {
                *ray = Ray::new([number as f32, 0.0, 1.0], [0.0, 0.0, -1.0]);
            }
        }
    }
    let made = RayBatch::made(&Steps).with_interval(0.0, 9.0).slice(1..5);
    let expected = [1.0, 2.0, 3.0, 4.0].map(|x| Ray::new([x, 0.0, 1.0], [0.0, 0.0, -1.0]));
    assert_eq!(rows_of(made.iter(), 4), expected.map(|ray| ray.with_interval(0.0, 9.0)));
}

#[test]
fn hits_that_are_collected_are_a_batch_again() {
    let (scene, rays) = (squares(), &rays()[..2]);
    let hits = scene.cast(rays).closest().expect("answers");
    let mut collected: HitBatch = hits.iter().collect();
    assert_eq!(collected, hits);
    // Hits in instances too: the farther ones.
    let lists = scene.cast(rays).all().expect("answers");
    let last: Vec<Option<Hit>> = lists.iter().map(|hits| hits.last().copied()).collect();
    collected.extend(last.iter().copied());
    assert_eq!(collected.instance_id(), [INVALID_ID, INVALID_ID, 0, INVALID_ID]);
    assert_eq!(collected.iter().skip(2).collect::<Vec<_>>(), last);

    // A batch without the column of instances and with normals gets both for all rows.
    let leaf = scene.instance_scene(0).expect("an instance");
    let mut hits = leaf.cast(rays).geometric_normals(true).closest().expect("answers");
    assert!(hits.instance_id().is_empty());
    hits.extend(last.iter().copied());
    assert_eq!(hits.instance_id(), [INVALID_ID, INVALID_ID, 0, INVALID_ID]);
    assert_eq!(hits.geometric_normal(), [[0.0, 0.0, 1.0], [0.0; 3], [0.0; 3], [0.0; 3]]);
    assert_eq!(hits.iter().skip(2).collect::<Vec<_>>(), last);
}
