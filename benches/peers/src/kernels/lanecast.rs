//! lanecast: in bulk on each backend, and its other forms beside it.

use lanecast::primitive::{
    Aabb, AabbBatch, Block, IntervalHit, Obb, ObbBatch, SeparatingAxes, Slab, Sphere, SphereBatch,
    SphereHit, SphereRoots, Test, Triangle, TriangleBatch, TriangleHit, TriangleWithNormal,
    TriangleWithNormalBatch, TripleProduct, Watertight,
};
use lanecast::{
    Backend, Ray, RayBatch, Threads,
    columns::{Columns, Record},
    primitive::{Bulk, BulkClosest, HitTable},
};

use super::answers::{Answering, Answers, Form, NONE};
use super::entrants::{Entry, Family};
use super::input::{Input, Primitive};
use super::loops::{Instructions, Loops, PairTest};
use super::number::Number;
use super::same_answers::{self, PlainTest};
use crate::Result;
use crate::rounds::Contestant;

/// What is wrong with random input is a defect of this program.
const SOUND: &str = "the input is sound";

/// A hit that knows where it is.
trait Placed<F>: Copy {
    fn t(&self) -> F;
}

impl<F: Number> Placed<F> for IntervalHit<F> {
    fn t(&self) -> F {
        self.t_enter
    }
}

impl<F: Number> Placed<F> for SphereHit<F> {
    fn t(&self) -> F {
        self.t_enter
    }
}

impl<F: Number> Placed<F> for TriangleHit<F> {
    fn t(&self) -> F {
        self.t
    }
}

/// Columns against columns.
struct Batch<'a, F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> {
    bulk: Bulk<'a, K>,
    rays: RayBatch<'a, F>,
    primitives: Columns<'a, P>,
    kept: Kept<F, P, K>,
}

/// What the last run answered.
enum Kept<F: Number, P: Record<Scalar = F>, K: Test<P>> {
    Counts(Vec<u32>),
    Bits(Vec<u64>),
    Closest(BulkClosest<F>),
    Pairwise(HitTable<P, K>),
    PairwiseT(Vec<F>),
}

impl<F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> Contestant
    for Batch<'_, F, P, K>
{
    fn run(&mut self) {
        let Self { bulk, rays, primitives, kept } = self;
        let defects = match kept {
            Kept::Counts(counts) => bulk.counts(rays, primitives, counts),
            Kept::Bits(words) => bulk.bits(rays, primitives, words),
            Kept::Closest(closest) => bulk.closest(rays, primitives, closest),
            Kept::Pairwise(hits) => bulk.pairwise(rays, primitives, hits),
            Kept::PairwiseT(t) => bulk.pairwise_t(rays, primitives, t),
        };
        assert_eq!(defects.expect(SOUND).count, 0, "{SOUND}");
    }
}

impl<F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> Answering<F>
    for Batch<'_, F, P, K>
{
    fn answers(&self) -> Answers<F> {
        match &self.kept {
            Kept::Counts(counts) => Answers::Counts(counts.clone()),
            Kept::Bits(words) => Answers::Bits(words.clone()),
            Kept::Closest(closest) => Answers::Closest(closest.index.clone(), closest.t.clone()),
            Kept::Pairwise(hits) => Answers::Pairwise(hits.column(0).to_vec()),
            Kept::PairwiseT(t) => Answers::Pairwise(t.clone()),
        }
    }
}

/// Columns against columns, with a test that only says whether.
struct YesOrNo<'a, F: Number, P: Record<Scalar = F>, K> {
    bulk: Bulk<'a, K>,
    rays: RayBatch<'a, F>,
    primitives: Columns<'a, P>,
    answers: Answers<F>,
}

impl<F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> Contestant
    for YesOrNo<'_, F, P, K>
{
    fn run(&mut self) {
        let Self { bulk, rays, primitives, answers } = self;
        let defects = match answers {
            Answers::Counts(counts) => bulk.counts(rays, primitives, counts),
            Answers::Bits(words) => bulk.bits(rays, primitives, words),
            Answers::Closest(..) | Answers::Pairwise(_) | Answers::Rows(..) => {
                unreachable!("the test has no t")
            }
        };
        assert_eq!(defects.expect(SOUND).count, 0, "{SOUND}");
    }
}

impl<F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> Answering<F>
    for YesOrNo<'_, F, P, K>
{
    fn answers(&self) -> Answers<F> {
        self.answers.clone()
    }
}

/// `test.intersect(&primitive, &ray)`.
struct OnItsOwn<K, P>(std::marker::PhantomData<fn() -> (K, P)>);

impl<F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> PairTest<F> for OnItsOwn<K, P>
where
    K::Hit: Placed<F>,
{
    type Ray = (K, Ray<F>);
    type Primitive = P;

    #[inline(always)]
    fn meets((test, ray): &(K, Ray<F>), primitive: &P) -> bool {
        test.intersect(primitive, ray).expect(SOUND).is_some()
    }

    #[inline(always)]
    fn t((test, ray): &(K, Ray<F>), primitive: &P) -> F {
        test.intersect(primitive, ray).expect(SOUND).map_or(F::INFINITY, |hit| hit.t())
    }
}

/// `test.intersect_block(backend, &block, &ray)`.
struct InBlocks<F, P: Record<Scalar = F>, K> {
    test: K,
    backend: Backend,
    rays: Vec<Ray<F>>,
    blocks: Vec<Block<P>>,
}

impl<F: Number, P: Record<Scalar = F>, K: Test<P, Line = Ray<F>>> Loops<F> for InBlocks<F, P, K>
where
    K::Hit: Placed<F>,
{
    fn counts(&self, first: usize, counts: &mut [u32]) {
        for (ray, count) in self.rays[first..].iter().zip(counts) {
            *count = 0;
            for block in &self.blocks {
                let hits = self.test.intersect_block(self.backend, block, ray).expect(SOUND);
                *count += hits.mask.count_ones();
            }
        }
    }

    fn bits(&self, first: usize, words: &mut [u64]) {
        for (ray, words) in
            self.rays[first..].iter().zip(words.chunks_exact_mut(self.words_of_ray()))
        {
            for (blocks, word) in self.blocks.chunks(8).zip(words) {
                *word = 0;
                for (place, block) in blocks.iter().enumerate() {
                    let hits = self.test.intersect_block(self.backend, block, ray).expect(SOUND);
                    *word |= u64::from(hits.mask) << (8 * place);
                }
            }
        }
    }

    fn closest(&self, first: usize, indices: &mut [u32], ts: &mut [F]) {
        for (ray, (index, t)) in self.rays[first..].iter().zip(indices.iter_mut().zip(ts)) {
            (*index, *t) = (NONE, F::INFINITY);
            for (place, block) in self.blocks.iter().enumerate() {
                let hits = self.test.intersect_block(self.backend, block, ray).expect(SOUND);
                let mut lanes = hits.mask;
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let found = hits.get(lane).map_or(F::INFINITY, |hit| hit.t());
                    if found < *t {
                        (*index, *t) = ((8 * place + lane) as u32, found);
                    }
                }
            }
        }
    }

    fn pairwise(&self, _: usize, _: &mut [F]) {
        unreachable!("a block meets one ray");
    }

    fn words_of_ray(&self) -> usize {
        self.blocks.len().div_ceil(8)
    }
}

/// Enters one test in all its forms.
fn enter_test<'a, F, P, K, const N: usize>(
    entry: &mut Entry<'a, F>,
    (what, test): (&str, K),
    threads: &'a Threads,
    primitives: Columns<'a, P>,
    record: impl Fn([F; N]) -> P,
) -> Result<()>
where
    F: Number,
    P: Record<Scalar = F> + 'a,
    K: Test<P, Line = Ray<F>> + PlainTest<F, N> + 'a,
    K::Hit: Placed<F>,
{
    let input: &'a Input<F> = entry.input;
    let [x, y, z, dx, dy, dz] = &input.rays;
    for backend in Backend::available() {
        let kept = match entry.form {
            Form::Counts => vec![("", Kept::Counts(Vec::new()))],
            Form::Bits => vec![("", Kept::Bits(Vec::new()))],
            Form::Closest => vec![("", Kept::Closest(BulkClosest::new()))],
            Form::Pairwise | Form::Streamed => {
                vec![
                    ("", Kept::Pairwise(HitTable::new())),
                    (", t alone", Kept::PairwiseT(Vec::new())),
                ]
            }
        };
        for (part, kept) in kept {
            let batch = Batch {
                bulk: Bulk::new(test).backend(backend).threads(threads),
                rays: RayBatch::from_columns([x, y, z], [dx, dy, dz])?,
                primitives,
                kept,
            };
            entry.add_same(
                &format!("lanecast {backend}"),
                &format!("{what}{part}"),
                Family::Lanecast,
                batch,
            );
        }
    }
    same_answers::enter(entry, (what, test));
    let records = input.primitives_as(record);
    if !entry.form.in_pairs() {
        let backend = Backend::detect()?;
        let blocks = records.chunks(8).map(Block::new).collect::<lanecast::Result<_>>()?;
        let loops = InBlocks { test, backend, rays: input.rays_as(Ray::new), blocks };
        let name = format!("lanecast {backend}{what}, block by block");
        entry.add_loops(&name, Family::LanecastForms, Instructions::Default, loops);
    }
    let rays = input.rays_as(|origin, direction| (test, Ray::new(origin, direction)));
    let loops = super::loops::OneByOne::<F, OnItsOwn<K, P>>::new(rays, records);
    let name = format!("lanecast{what}, one by one");
    entry.add_loops(&name, Family::LanecastForms, Instructions::Default, loops);
    Ok(())
}

/// Enters a test that only says whether, in bulk.
fn enter_yes_or_no<'a, F: Number, P: Record<Scalar = F> + 'a, K: Test<P, Line = Ray<F>> + 'a>(
    entry: &mut Entry<'a, F>,
    (what, test): (&str, K),
    threads: &'a Threads,
    primitives: Columns<'a, P>,
) -> Result<()> {
    let input: &'a Input<F> = entry.input;
    let [x, y, z, dx, dy, dz] = &input.rays;
    for backend in Backend::available() {
        let bulk = Bulk::new(test).backend(backend).threads(threads);
        let rays = RayBatch::from_columns([x, y, z], [dx, dy, dz])?;
        let answers = Answers::room(entry.form, input);
        let name = format!("lanecast {backend}{what}");
        entry.add(name, Family::Lanecast, YesOrNo { bulk, rays, primitives, answers });
    }
    Ok(())
}

pub(crate) fn enter<'a, F: Number>(entry: &mut Entry<'a, F>, threads: &'a Threads) -> Result<()> {
    let columns: Vec<&[F]> = entry.input.primitives.iter().map(Vec::as_slice).collect();
    match (entry.input.primitive, columns.as_slice()) {
        (Primitive::Aabb, &[x, y, z, ex, ey, ez]) => {
            let boxes = AabbBatch::from_parts([[x, y, z], [ex, ey, ez]])?;
            enter_test(entry, ("", Slab), threads, boxes, |[x, y, z, ex, ey, ez]| Aabb {
                min: [x, y, z],
                max: [ex, ey, ez],
            })
        }
        (Primitive::Sphere, &[x, y, z, radius]) => {
            let spheres = SphereBatch::from_parts([x, y, z, radius])?;
            enter_test(entry, ("", SphereRoots), threads, spheres, |[x, y, z, radius]| {
                Sphere::new([x, y, z], radius)
            })
        }
        (
            Primitive::Obb,
            &[cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, half_u, half_v, half_w],
        ) => {
            let boxes = ObbBatch::from_parts([
                [cx, cy, cz],
                [ux, uy, uz],
                [vx, vy, vz],
                [wx, wy, wz],
                [half_u, half_v, half_w],
            ])?;
            enter_test(entry, ("", Slab), threads, boxes, |numbers: [F; 15]| {
                let [center, u, v, w, half_extents] = std::array::from_fn(|i| {
                    [numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]]
                });
                Obb { center, axes: [u, v, w], half_extents }
            })?;
            if matches!(entry.form, Form::Counts | Form::Bits) {
                enter_yes_or_no(entry, (", separating axes", SeparatingAxes), threads, boxes)?;
            }
            Ok(())
        }
        (Primitive::Triangle, &[ax, ay, az, bx, by, bz, cx, cy, cz, nx, ny, nz]) => {
            let (a, b, c, normal) = ([ax, ay, az], [bx, by, bz], [cx, cy, cz], [nx, ny, nz]);
            let triangles = TriangleBatch::from_parts([a, b, c])?;
            let with_normals = TriangleWithNormalBatch::from_parts([a, b, c, normal])?;
            let triangle = |numbers: [F; 9]| {
                Triangle::new(std::array::from_fn(|i| {
                    [numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]]
                }))
            };
            enter_test(entry, ("", TripleProduct::TWO_SIDED), threads, triangles, triangle)?;
            let test = (", normal ready", TripleProduct::TWO_SIDED);
            enter_test(
                entry,
                test,
                threads,
                with_normals,
                |n: [F; 12]| -> TriangleWithNormal<F> {
                    triangle([n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]]).with_normal()
                },
            )?;
            enter_test(entry, (", watertight", Watertight::TWO_SIDED), threads, triangles, triangle)
        }
        (primitive, columns) => {
            Err(format!("{} columns for a {}", columns.len(), primitive.name()).into())
        }
    }
}
