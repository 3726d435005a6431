use super::*;
use crate::answers::{Hit, HitBatch, Numbering, With};
use crate::chunks::Chunk;
use crate::leaf::{TriangleBlock, TriangleLeaf};
use crate::query::{
    ClosestHit, ClosestInto, Collect, HitContext, Kind, Masks, Offers, Place, Selection, Sink,
};
use crate::random::Random;
use crate::status::Status;
use crate::threads::Threads;
use crate::traverse::Target;
use crate::traverse::in_flight;
use crate::traverse::plan::{BatchFacts, Coherence, Pace};
use crate::traverse::rows::ChunkRows;
use crate::tree::BuildQuality;
use crate::value::{Aabb, Culling, Ray, RayBatch, Rules, Side};
use std::sync::atomic::Ordering;

/// Small triangles all over the unit cube.
fn soup(count: u32) -> Bvh<TriangleBlock> {
    let mut random = Random::new(1);
    let triangles: Vec<[[f32; 3]; 3]> = (0..count)
        .map(|_| {
            let corner = random.point(0.0, 1.0);
            [0.0, 0.0, 0.0].map(|_: f32| {
                let offset = random.point(0.0, 1.0);
                [0, 1, 2].map(|axis| corner[axis] + 0.01 * offset[axis])
            })
        })
        .collect();
    let content = |index: u32| (triangles[index as usize], index);
    let box_of = |&([a, b, c], _): &([[f32; 3]; 3], u32)| Aabb {
        min: [0, 1, 2].map(|axis| a[axis].min(b[axis]).min(c[axis])),
        max: [0, 1, 2].map(|axis| a[axis].max(b[axis]).max(c[axis])),
    };
    let fill = |block: &mut TriangleBlock, triangles: &[_], _| block.fill(triangles);
    let spread = Threads::ONE.spread(count as usize);
    let bvh =
        Bvh::build(None, count as usize, &content, box_of, fill, BuildQuality::Balanced, spread);
    bvh.expect("a small tree")
}

/// Counts hits.
struct Count<'a> {
    status: &'a mut [Status],
    count: &'a mut [u32],
}

impl Sink<f32> for Count<'_> {
    fn kind(&self) -> Kind {
        Kind::ALL
    }

    fn reset(&mut self) {
        self.count.fill(0);
    }

    fn status(&self) -> &[Status] {
        self.status
    }

    fn offer(&mut self, row: usize, _: &Hit, _: Side, _: &dyn Fn() -> [f32; 3]) {
        self.count[row] += 1;
    }

    fn forget(&mut self, row: usize) {
        self.count[row] = 0;
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
    }
}

/// Counts the triangles on the rays, in a stream or in flight, and says whether that paid.
fn count(
    bvh: &Bvh<TriangleBlock>,
    rays: &[Ray],
    in_stream: bool,
    backend: Backend,
) -> (bool, Vec<u32>) {
    count_knowing(&BatchFacts::new(), bvh, rays, in_stream, backend)
}

/// The same where so much is known of the batch.
fn count_knowing(
    facts: &BatchFacts,
    bvh: &Bvh<TriangleBlock>,
    rays: &[Ray],
    in_stream: bool,
    backend: Backend,
) -> (bool, Vec<u32>) {
    let (mut status, mut count) = (vec![Status::Miss; rays.len()], vec![0; rays.len()]);
    let (numbering, masks) = (Numbering::new([60_000]), Masks::new(vec![u32::MAX]));
    let (selection, place) = (&Selection::ALL, &Place::WHOLE);
    let context = HitContext { numbering: &numbering, masks: &masks, selection, place };
    let mut sink = Count { status: &mut status, count: &mut count };
    let chunk = Chunk::unwatched(0..rays.len());
    let query = &mut Collect::new(Offers::new(&mut sink, context, true, &chunk));
    (cast_all(facts, bvh, rays, in_stream, backend, query), count)
}

/// The same for the closest hit.
fn find(bvh: &Bvh<TriangleBlock>, rays: &[Ray], in_stream: bool, backend: Backend) -> HitBatch {
    let mut hits = HitBatch::new();
    let numbering = Numbering::new([60_000]);
    let rows = hits.resize(rays.len(), With::default());
    cast_all(
        &BatchFacts::new(),
        bvh,
        rays,
        in_stream,
        backend,
        &mut ClosestHit { numbering: &numbering, into: ClosestInto::Rows(rows) },
    );
    hits
}

/// Casts the rays in a stream if that is to be and pays, else in flight. Says whether it paid.
fn cast_all(
    facts: &BatchFacts,
    bvh: &Bvh<TriangleBlock>,
    rays: &[Ray],
    in_stream: bool,
    backend: Backend,
    query: &mut impl Query,
) -> bool {
    let chunk = Chunk::unwatched(0..rays.len());
    let plan = plan(facts, &chunk);
    let rays = RayBatch::from_rays(rays);
    let mut ready =
        Ready::new(bvh, bvh.chunk_rays(&rays), None, ChunkRows::new(rays.len(), None), MOST);
    let mut pays = true;
    if in_stream {
        assert!(ready.fill(backend, MOST, query), "there are rays");
        pays = cast(bvh, backend, &mut ready, plan, query).is_some();
    }
    if !in_stream || !pays {
        in_flight::cast(bvh, backend, &mut ready, plan, query);
    }
    pays
}

fn plan<'a>(facts: &'a BatchFacts, chunk: &'a Chunk<'a>) -> Plan<'a> {
    let (rules, coherence) = (Rules::touch(Culling::None), Coherence::Incoherent);
    Plan { rules, coherence, way: None, facts, chunk }
}

/// Rays that scatter soon are told from those that share their way, and nothing is counted twice
/// where a stream is given up.
#[test]
fn a_stream_is_kept_up_only_where_rays_share_their_way() {
    let bvh = soup(60_000);
    let mut random = Random::new(2);
    let scattered: Vec<Ray> = (0..4_000)
        .map(|_| {
            Ray::segment(random.point(0.0, 1.0), random.point(0.0, 1.0)).with_interval(0.0, 0.05)
        })
        .collect();
    let bundled: Vec<Ray> = (0..20_000)
        .map(|_| {
            let [x, y, z] = random.point(0.0, 1.0);
            Ray::segment([0.1 * x, 0.1 * y, -1.0], [0.1 * y, 0.1 * z, 2.0])
        })
        .collect();
    for backend in Backend::available() {
        for (rays, expected_to_pay) in [(&scattered, false), (&bundled, true)] {
            let (pays, found) = count(&bvh, rays, true, backend);
            let (_, expected) = count(&bvh, rays, false, backend);
            assert_eq!(pays, expected_to_pay, "{backend}");
            assert_eq!(found, expected, "{backend}");
            let [found, closest] =
                [true, false].map(|in_stream| find(&bvh, rays, in_stream, backend));
            assert_eq!(found, closest, "{backend}");
            assert!(expected.iter().any(|&count| count > 0), "nothing is met");
        }
    }
}

/// A step at leaves makes several visits, and the check is not passed by.
#[test]
fn scattered_rays_are_given_up_however_many_visits_a_step_makes() {
    let bvh = soup(60_000);
    for seed in 0..20 {
        let mut random = Random::new(100 + seed);
        let rays: Vec<Ray> = (0..2_000)
            .map(|_| Ray::segment(random.point(0.0, 1.0), random.point(0.0, 1.0)))
            .collect();
        // Rays in no order are not mixed: these would pay.
        let facts = BatchFacts { in_disorder: true, ..BatchFacts::new() };
        let (pays, _) = count_knowing(&facts, &bvh, &rays, true, Backend::PORTABLE);
        assert!(!pays, "rays {seed}");
    }
}

/// A stream that the checks let pass is finished, but the next chunk goes in flight if few rays
/// shared the walk.
#[test]
fn a_stream_that_few_shared_is_the_last_for_now() {
    let bvh = soup(60_000);
    let mut random = Random::new(2);
    let bundled = (0..1_100).map(|_| {
        let [x, y, z] = random.point(0.0, 1.0);
        Ray::segment([0.1 * x, 0.1 * y, -1.0], [0.1 * y, 0.1 * z, 2.0])
    });
    let bundled: Vec<Ray> = bundled.collect();
    let mut random = Random::new(5);
    // The octants of the bundle come first. That of the others has more than half of the rays, so
    // that octants are not mixed.
    let scattered = (0..600).map(|_| {
        let ray = Ray::segment(random.point(0.0, 1.0), random.point(0.0, 1.0));
        Ray { direction: ray.direction.map(|x| -x.abs()), ..ray }
    });
    let mixed = bundled[..500].iter().copied().chain(scattered).collect();
    for backend in Backend::available() {
        for (rays, expected) in [(&bundled, true), (&mixed, false)] {
            let (facts, numbering, mut hits) =
                (BatchFacts::new(), Numbering::new([60_000]), HitBatch::new());
            let into = ClosestInto::Rows(hits.resize(rays.len(), With::default()));
            let query = &mut ClosestHit { numbering: &numbering, into };
            let (chunk, batch) = (Chunk::unwatched(0..rays.len()), RayBatch::from_rays(rays));
            let mut ready = Ready::new(
                &bvh,
                bvh.chunk_rays(&batch),
                None,
                ChunkRows::new(rays.len(), None),
                MOST,
            );
            assert!(ready.fill(backend, MOST, query), "there are rays");
            let walked = cast(&bvh, backend, &mut ready, plan(&facts, &chunk), query);
            assert_eq!(
                walked.map(|walked| walked.shared.make_streams_pay()),
                Some(expected),
                "{backend}"
            );
            bvh.cast(backend, &batch, plan(&facts, &chunk), query);
            assert_eq!(facts.pace(Pace::tries), expected, "{backend}");
        }
    }
}

/// Rays of many octants go together, rays of few do not.
#[test]
fn octants_are_mixed_where_rays_are_of_many() {
    let bvh = soup(60_000);
    for backend in Backend::available() {
        for (negative, expected) in [(0, true), (1, true), (3, false)] {
            let mut random = Random::new(4);
            let rays: Vec<Ray> = (0..20_000)
                .map(|_| {
                    let mut ray = Ray::segment(random.point(0.0, 1.0), random.point(0.0, 1.0));
                    ray.direction[..negative].iter_mut().for_each(|x| *x = -x.abs());
                    ray
                })
                .collect();
            let facts = facts_after(&bvh, &rays, BatchFacts::new(), backend);
            assert_eq!(facts.mixed.load(Ordering::Relaxed), expected, "{backend}, {negative}");
        }
    }
}

/// Casts closest hits by the plan, in all ways but groups, and compares them with those in flight.
fn facts_after(
    bvh: &Bvh<TriangleBlock>,
    rays: &[Ray],
    facts: BatchFacts,
    backend: Backend,
) -> BatchFacts {
    let (numbering, mut hits) = (Numbering::new([60_000]), HitBatch::new());
    let into = ClosestInto::Rows(hits.resize(rays.len(), With::default()));
    let query = &mut ClosestHit { numbering: &numbering, into };
    let chunk = Chunk::unwatched(0..rays.len());
    bvh.cast(backend, &RayBatch::from_rays(rays), plan(&facts, &chunk), query);
    assert_eq!(hits, find(bvh, rays, false, backend), "{backend}");
    facts
}

/// In long streams the octant with most rays goes first, and the others together if its lists are
/// short, else apart. Rays in no order are mixed once a stream pays.
#[test]
fn octants_are_mixed_once_one_shows_short_lists() {
    let bvh = soup(60_000);
    let mut random = Random::new(6);
    let anywhere: Vec<Ray> =
        (0..20_000).map(|_| Ray::segment(random.point(0.0, 1.0), random.point(0.0, 1.0))).collect();
    let from_the_middle: Vec<Ray> = (0..20_000)
        .map(|_| {
            Ray::segment(random.point(0.49, 0.51), random.point(0.0, 1.0)).with_interval(0.0, 0.3)
        })
        .collect();
    for backend in Backend::available() {
        for (rays, in_disorder, expected) in
            [(&anywhere, false, true), (&anywhere, true, true), (&from_the_middle, false, false)]
        {
            let facts = BatchFacts { in_disorder, ..BatchFacts::new() };
            let facts = facts_after(&bvh, rays, facts, backend);
            let mixed = facts.mixed.load(Ordering::Relaxed);
            let lists = rays.as_ptr() == anywhere.as_ptr();
            assert_eq!(mixed, expected, "{backend}, {in_disorder}, short lists: {lists}");
        }
    }
}

/// Rays in no order are cast octant by octant from where their first stream shows that this saves
/// visits.
#[test]
fn rays_in_disorder_go_by_octant_where_they_share_few_visits() {
    let bvh = soup(60_000);
    let mut random = Random::new(3);
    let mut rays = |from: f32| -> Vec<Ray> {
        let segment = |row: usize| {
            let mut ray =
                Ray::segment(random.point(0.0, 1.0).map(|x| from + x), random.point(0.0, 1.0));
            // So few of four octants that these go in flight.
            if !row.is_multiple_of(400) {
                ray.direction[0] = -ray.direction[0].abs();
            }
            ray
        };
        (0..80_000).map(segment).collect()
    };
    // The second all begin behind the cube as seen from where they go.
    let behind = rays(5.0)
        .into_iter()
        .map(|ray| Ray { direction: ray.direction.map(|x| -x), ..ray })
        .collect();
    for (rays, expected) in [(rays(0.0), true), (behind, false)] {
        for backend in Backend::available() {
            let facts = BatchFacts { in_disorder: true, ..BatchFacts::new() };
            let facts = facts_after(&bvh, &rays, facts, backend);
            assert_eq!(facts.by_octant.load(Ordering::Relaxed), expected, "{backend}");
        }
    }
}
