//! What options do to one ray they do to a batch.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::answers::Answers;
use crate::common::backends::every_backend;
use crate::requests::{mixed, of_triangles, points, rays};
use lanecast::answers::{CountBatch, DistanceBatch};
use lanecast::cast::OneRay;
use lanecast::{
    Cast, CastOptions, Coherence, Contact, Culling, Error, Hit, HitBatch, PointBatch, Precision,
    Progress, Ray, RayBatch, Scene, Side, Status, Threads, Watch,
};
use lanecast_reference::random::Random;

/// What the rays of a batch are told, each by itself.
struct Told<'a> {
    masks: Vec<u32>,
    culling: Vec<Culling>,
    /// Geometries, primitives, instances.
    skipped: [Vec<u32>; 3],
    threads: Threads,
    watch: &'a Watch<'a>,
}

impl<'a> Told<'a> {
    fn new<T: Precision>(scene: &Scene<T>, rays: &[Ray<T>], watch: &'a Watch<'a>) -> Self {
        let random = &mut Random::new(8);
        let hits = scene.cast(rays).closest().expect("not stopped");
        // What each ray meets first, or another.
        let skipped: Vec<[u32; 3]> = (0..rays.len())
            .map(|row| {
                let row = if random.below(4) == 0 { random.below(rays.len()) } else { row };
                let hit = hits.hit(row).unwrap_or(Hit::NONE);
                [hit.geometry_id, hit.primitive_id, hit.instance_id]
            })
            .collect();
        Self {
            masks: rays.iter().map(|_| random.pick(&[0b01, 0b10, u32::MAX])).collect(),
            culling: rays
                .iter()
                .map(|_| random.pick(&[Culling::None, Culling::Back, Culling::Front]))
                .collect(),
            skipped: [0, 1, 2].map(|place| skipped.iter().map(|ids| ids[place]).collect()),
            threads: Threads::exactly(2).unwrap_or(Threads::ONE),
            watch,
        }
    }

    fn skip<T: Precision>(&self, rows: Range<usize>) -> CastOptions<'_, T> {
        let [geometries, primitives, _] =
            self.skipped.each_ref().map(|column| &column[rows.clone()]);
        CastOptions::new().skip(geometries, primitives)
    }
}

/// Options for some rows.
type Choose<T> = for<'t> fn(&'t Told<'t>, Range<usize>) -> CastOptions<'t, T>;

struct Variant<T: Precision> {
    name: &'static str,
    choose: Choose<T>,
    /// Whether it says which hits count.
    selects: bool,
    has_filter: bool,
}

fn variants<T: Precision>() -> Vec<Variant<T>> {
    let all: [(&str, Choose<T>); 17] = [
        ("nothing", |_, _| CastOptions::new()),
        ("threads", |told, _| CastOptions::new().threads(&told.threads)),
        ("normals", |_, _| CastOptions::new().geometric_normals(true)),
        ("coherent", |_, _| CastOptions::new().coherence(Coherence::Coherent)),
        ("incoherent", |_, _| CastOptions::new().coherence(Coherence::Incoherent)),
        ("watched", |told, _| CastOptions::new().watch(told.watch)),
        ("brute force", |_, _| CastOptions::new().brute_force()),
        ("contact", |_, _| CastOptions::new().contact(Contact::Touch)),
        ("culling of all", |_, _| CastOptions::new().culling(Culling::Back)),
        ("culling of each", |told, rows| CastOptions::new().culling(&told.culling[rows])),
        ("mask of all", |_, _| CastOptions::new().mask(0b01)),
        ("mask of each", |told, rows| CastOptions::new().mask(&told.masks[rows])),
        ("skip", |told, rows| told.skip(rows)),
        ("skip in instances", |told, rows| told.skip(rows.clone()).skip_in(&told.skipped[2][rows])),
        ("filter", |_, _| CastOptions::new()),
        ("everything", |told, rows| {
            told.skip(rows.clone())
                .skip_in(&told.skipped[2][rows.clone()])
                .mask(&told.masks[rows.clone()])
                .culling(&told.culling[rows])
                .contact(Contact::Touch)
                .geometric_normals(true)
                .watch(told.watch)
                .threads(&told.threads)
        }),
        ("everything, by brute force", |told, rows| {
            told.skip(rows.clone())
                .skip_in(&told.skipped[2][rows.clone()])
                .mask(&told.masks[rows])
                .culling(Culling::Front)
                .brute_force()
        }),
    ];
    let variant = |(place, (name, choose)): (usize, _)| Variant {
        name,
        choose,
        selects: place >= 7,
        has_filter: place >= 14,
    };
    all.into_iter().enumerate().map(variant).collect()
}

/// A filter that depends on all that it is told.
fn accepts<T: Precision>(row: usize, hit: &Hit<T>, side: Side) -> bool {
    let sum = row as u32 + hit.primitive_id + hit.geometry_id + hit.instance_id.wrapping_add(1);
    !sum.is_multiple_of(3) || (side == Side::Front && row.is_multiple_of(2))
}

/// What a query of one ray says if this is what its row of a batch says.
fn of_one<V>(status: Status, value: V) -> Result<V, Error> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(value) }
}

/// Asks everything of one ray, which must say what its row of the batch says.
fn hold_row<T: Precision>(
    request: &Cast<'_, T, OneRay<'_, T>>,
    row: usize,
    batch: &Answers<T>,
    with_normals: &HitBatch<T>,
    context: &str,
) {
    let found = (
        request.closest(),
        request.closest_with_normal(),
        request.any(),
        request.count(),
        request.all(),
        request.nearest(row as u32 % 4),
        request.line_hits(),
    );
    let hit_and_normal =
        with_normals.hit(row).map(|hit| (hit, with_normals.geometric_normal()[row]));
    let expected = (
        of_one(batch.closest.status()[row], batch.closest.hit(row)),
        of_one(with_normals.status()[row], hit_and_normal),
        of_one(batch.any.status()[row], batch.any.status()[row].is_hit()),
        of_one(batch.counts.status()[row], batch.counts.count()[row]),
        of_one(batch.all.status()[row], batch.all.of_ray(row).to_vec()),
        of_one(batch.nearest.status()[row], batch.nearest.of_ray(row).to_vec()),
        of_one(batch.line.status(row), batch.line.of_line(row)),
    );
    assert_eq!(found, expected, "{context}, row {row}");
}

/// How many queries those are.
const QUERIES: usize = 7;

fn options_act_on_one_ray_as_on_a_batch<T: Precision>(scene: &Scene<T>, what: &str) {
    let rays = rays::<T>();
    let heard = AtomicUsize::new(0);
    let watch = |_: Progress| {
        heard.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let told = Told::new(scene, &rays, &watch);
    let plain = Answers::of(scene, &RayBatch::from_rays(&rays), &CastOptions::new());
    for backend in every_backend() {
        for Variant { name, choose, selects, has_filter } in variants::<T>() {
            let context = format!("{what}, {name}, {backend}");
            let options = choose(&told, 0..rays.len()).backend(backend);
            let options = if has_filter { options.filter(&accepts::<T>) } else { options };
            let batch = Answers::of(scene, &RayBatch::from_rays(&rays), &options);
            let with_normals = scene
                .cast(&rays)
                .with(&options)
                .geometric_normals(true)
                .closest()
                .expect("not stopped");
            let hits = |answers: &Answers<T>| (answers.all.clone(), answers.nearest.clone());
            assert_eq!(hits(&batch) != hits(&plain), selects, "{context}");
            for (row, ray) in rays.iter().enumerate() {
                let accepts_in_row = |only: usize, hit: &Hit<T>, side: Side| {
                    assert_eq!(only, 0, "{context}");
                    accepts(row, hit, side)
                };
                let options = choose(&told, row..row + 1).backend(backend);
                let options = if has_filter { options.filter(&accepts_in_row) } else { options };
                heard.store(0, Ordering::Relaxed);
                hold_row(&scene.cast(ray).with(&options), row, &batch, &with_normals, &context);
                if name == "watched" {
                    assert_eq!(heard.load(Ordering::Relaxed), QUERIES, "{context}, row {row}");
                }
            }
        }
    }
}

#[test]
fn every_option_acts_on_one_ray_as_on_a_batch() {
    options_act_on_one_ray_as_on_a_batch(&mixed(), "a mixed scene");
    options_act_on_one_ray_as_on_a_batch(&of_triangles::<f32>(), "triangles");
    options_act_on_one_ray_as_on_a_batch(&of_triangles::<f64>(), "triangles of f64");
}

#[test]
fn a_watcher_who_stops_one_ray_comes_too_late() {
    let ray = Ray::new([0.1, 0.2, -4.0], [0.0, 0.0, 1.0]);
    let stop = |progress: Progress| {
        assert_eq!(progress, Progress { done: 1, total: 1 });
        ControlFlow::Break(())
    };
    for scene in [mixed(), of_triangles()] {
        let (plain, stopped) = (scene.cast(&ray), scene.cast(&ray).watch(&stop));
        assert_eq!(stopped.closest(), plain.closest());
        assert_eq!(stopped.all(), plain.all());
        assert_eq!(scene.cast(&[ray]).watch(&stop).closest(), scene.cast(&[ray]).closest());
    }
}

#[test]
fn queries_of_one_point_call_the_watcher() {
    let (scene, calls) = (mixed(), AtomicUsize::new(0));
    let count = |_| {
        calls.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let (plain, watched) =
        (scene.point([0.1, 0.2, -4.0]), scene.point([0.1, 0.2, -4.0]).watch(&count));
    assert_eq!(watched.closest(f32::INFINITY), plain.closest(f32::INFINITY));
    assert_eq!(watched.distance(), plain.distance());
    assert_eq!(watched.nearest(2, f32::INFINITY), plain.nearest(2, f32::INFINITY));
    assert_eq!(calls.into_inner(), 3);
}

#[test]
fn columns_of_a_request_are_as_long_as_there_are_rays() {
    let (scenes, rays) = ([mixed(), of_triangles()], [Ray::new([0.1, 0.2, -4.0], [0.0, 0.0, 1.0])]);
    let (ids, culling) = ([0_u32; 2], [Culling::None; 2]);
    let wrong: [(&str, CastOptions<'_>); 5] = [
        ("masks", CastOptions::new().mask(&ids)),
        ("culling", CastOptions::new().culling(&culling)),
        ("geometry ids to skip", CastOptions::new().skip(&ids, &ids[..1])),
        ("primitive ids to skip", CastOptions::new().skip(&ids[..1], &ids)),
        ("instance ids to skip", CastOptions::new().skip_in(&ids)),
    ];
    for (scene, (column, options)) in
        scenes.iter().flat_map(|scene| wrong.iter().map(move |of| (scene, of)))
    {
        let (one, batch) = (scene.cast(&rays[0]).with(options), scene.cast(&rays).with(options));
        let refused = [
            one.closest().map(drop),
            one.any().map(drop),
            one.count().map(drop),
            one.all().map(drop),
            one.nearest(1).map(drop),
            one.line_hits().map(drop),
            batch.closest().map(drop),
            batch.any().map(drop),
            batch.count().map(drop),
            batch.all().map(drop),
            batch.nearest(1).map(drop),
            batch.line_hits().map(drop),
            batch.cost().map(drop),
        ];
        for refused in refused {
            assert_eq!(refused, Err(Error::ColumnLength { column, found: 2, expected: 1 }));
        }
    }
    // Instances alone name no primitive to skip.
    let instances = scenes[0].cast(&rays).skip_in(&ids[..1]).closest().map(drop);
    let missing = Error::ColumnLength { column: "geometry ids to skip", found: 0, expected: 1 };
    assert_eq!(
        (instances, scenes[0].cast(&rays).skip_in(&[]).closest().map(drop)),
        (Err(missing), Ok(()))
    );
    let limits = scenes[0].cast(&rays).nearest(&ids);
    assert_eq!(limits, Err(Error::ColumnLength { column: "limits", found: 2, expected: 1 }));
}

#[test]
fn options_replace_all_that_was_told_before() {
    let (scene, rays) = (mixed(), rays());
    let options = CastOptions::new().culling(Culling::Back);
    let request = scene.cast(&rays).mask(0).brute_force().with(&options);
    assert_eq!(request.all(), scene.cast(&rays).culling(Culling::Back).all());
    assert_eq!(request.with(&CastOptions::new()).all(), scene.cast(&rays).all());
}

#[test]
fn whatever_holds_the_rays_is_a_batch_of_them() {
    let (scene, rays) = (mixed(), rays());
    let batch = RayBatch::from_rays(&rays);
    let expected = scene.cast(&batch).closest();
    assert_eq!(scene.cast(batch).closest(), expected);
    assert_eq!(scene.cast(&rays).closest(), expected);
    assert_eq!(scene.cast(&rays[..]).closest(), expected);
    let few: [Ray; 4] = std::array::from_fn(|row| rays[row]);
    assert_eq!(scene.cast(&few).closest(), scene.cast(&rays[..4]).closest());
}

/// Scenes, threads and columns that do not live as long as what the rays and points borrow.
#[test]
fn a_request_borrows_no_longer_than_it_lives() {
    fn count(rays: &RayBatch<'_>) -> CountBatch {
        let (scene, masks, threads) = (mixed(), vec![0b01; rays.len()], Threads::ONE);
        scene.cast(rays).mask(&masks).threads(&threads).count().expect("not stopped")
    }
    fn distances(points: PointBatch<'_>) -> DistanceBatch {
        let (scene, threads) = (mixed(), Threads::ONE);
        scene.points(points).threads(&threads).distances().expect("not stopped")
    }
    let (rays, points, scene) = (rays(), points(), mixed());
    let (batch, request) = (RayBatch::from_rays(&rays), scene.cast(&rays));
    for mask in [0b01, 0b10] {
        let masks = vec![mask; rays.len()];
        let counts = request.clone().mask(&masks).count().expect("not stopped");
        assert_eq!(counts == count(&batch), mask == 0b01);
    }
    assert_eq!(Ok(distances((&points).into())), scene.points(&points).distances());
}
