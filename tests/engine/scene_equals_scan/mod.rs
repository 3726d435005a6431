//! The tree is invisible, and the bits are the same everywhere: whatever the backend, the threads,
//! the way through the tree, its shape and the order of the batch, a scene answers what testing
//! every primitive answers, and what one query says of a ray is what the others say. In scenes and
//! with rays that have something that may go wrong; `soak` draws more.

mod meshes;
mod surveys;
mod worlds;

use crate::common::answers::{Answers, Row};
use crate::common::backends::every_backend;
use crate::common::rays::{Aims, Rounded, spoil};
use crate::common::scale::scaled;
use lanecast::testing::Way;
use lanecast::{
    BuildQuality, CastOptions, Coherence, Contact, Culling, Error, Precision, Ray, RayBatch, Scene,
    SceneBuilder, Status, Threads,
};
use lanecast_reference::random::Random;

/// Builds the scene, which answers the same however it is built.
type Build<'a, T> = &'a dyn Fn(BuildQuality, &Threads) -> Scene<T>;

/// The vertices and the triangles of a mesh.
type Indexed<T> = (Vec<[T; 3]>, Vec<[u32; 3]>);

/// A scene of meshes.
fn of_meshes<'a, T: Precision>(
    meshes: &'a [Indexed<T>],
) -> impl Fn(BuildQuality, &Threads) -> Scene<T> + 'a {
    move |quality, threads| {
        let mut builder = SceneBuilder::<T>::default()
            .backend(every_backend()[0])
            .threads(threads)
            .quality(quality);
        for (vertices, triangles) in meshes {
            builder = builder.triangle_mesh(vertices, triangles).expect("a sound mesh");
        }
        let scene = builder.build().expect("a scene");
        scene.validate().expect("a whole tree");
        scene
    }
}

fn assert_same(
    found: &[Row],
    expected: &[Row],
    rays: &[Ray<impl Precision>],
    how: &dyn Fn() -> String,
) {
    assert_eq!(found.len(), expected.len(), "{}: rows", how());
    for ((found, expected), ray) in found.iter().zip(expected).zip(rays) {
        assert!(found == expected, "{}\n{ray:?}\n   found {found:?}\nexpected {expected:?}", how());
    }
}

/// The halves of lines: the origin is an end of both. Some are empty.
fn halves<T: Rounded>(rays: &[Ray<T>]) -> [Vec<Ray<T>>; 2] {
    let clipped = |ray: &Ray<T>| {
        let (ahead, behind) = (ray.t_min < T::ZERO, ray.t_max > T::ZERO);
        [
            Ray { t_min: if ahead { T::ZERO } else { ray.t_min }, ..*ray },
            Ray { t_max: if behind { T::ZERO } else { ray.t_max }, ..*ray },
        ]
    };
    [0, 1].map(|half| rays.iter().map(|ray| clipped(ray)[half]).collect())
}

/// Every way to ask must give what the scan gives on the first backend. Says what rays touch.
fn in_every_way<T: Rounded>(name: &str, build: Build<'_, T>, rays: &[Ray<T>]) -> Answers<T> {
    let (batch, two) = (&RayBatch::from_rays(rays), Threads::exactly(2).unwrap_or(Threads::ONE));
    let scene = build(BuildQuality::Balanced, &Threads::ONE);
    let first = every_backend()[0];
    let mut of_touched = None;
    for (contact, culling) in [
        (Contact::Touch, Culling::None),
        (Contact::Crossing, Culling::None),
        (Contact::Touch, Culling::Back),
        (Contact::Touch, Culling::Front),
        (Contact::Crossing, Culling::Back),
    ] {
        let options = CastOptions::new().geometric_normals(true).contact(contact).culling(culling);
        let scanned = options.clone().brute_force().threads(&Threads::ONE);
        let answers = Answers::of(&scene, batch, &scanned.clone().backend(first));
        let touching = scanned.clone().contact(Contact::Touch).backend(first);
        let touched = (contact == Contact::Crossing).then(|| Answers::of(&scene, batch, &touching));
        let touched = touched.as_ref().unwrap_or(&answers);
        let halves =
            halves(rays).map(|rays| scene.cast(&rays).with(&touching).all().expect("answers"));
        answers.hold_each_other(contact, touched, &halves, rays, &format!("{name}, {culling:?}"));
        let expected = answers.rows();
        for backend in every_backend() {
            for options in [
                options
                    .clone()
                    .way(Way::OneByOne)
                    .coherence(Coherence::Incoherent)
                    .threads(&Threads::ONE),
                options.clone().way(Way::InFlight).coherence(Coherence::Incoherent).threads(&two),
                options
                    .clone()
                    .way(Way::Streams)
                    .coherence(Coherence::Incoherent)
                    .threads(&Threads::ONE),
                options
                    .clone()
                    .way(Way::StreamsByOctant)
                    .coherence(Coherence::Incoherent)
                    .threads(&two),
                options
                    .clone()
                    .way(Way::MixedStreams)
                    .coherence(Coherence::Incoherent)
                    .threads(&two),
                options.clone().coherence(Coherence::Coherent).threads(&two),
            ] {
                let options = options.backend(backend);
                let found = Answers::of(&scene, batch, &options).rows();
                assert_same(&found, &expected, rays, &|| format!("{name}: {options:?}"));
            }
        }
        if culling == Culling::None && contact == Contact::Crossing {
            alone(name, &scene, rays, &answers);
        }
        if of_touched.is_none() {
            for backend in every_backend() {
                let found = Answers::of(&scene, batch, &scanned.clone().backend(backend)).rows();
                assert_same(&found, &expected, rays, &|| format!("{name}: scan, {backend}"));
            }
            in_another_order(name, &scene, rays, &options, &expected);
            for quality in [BuildQuality::Fast, BuildQuality::High] {
                let found = Answers::of(&build(quality, &two), batch, &options).rows();
                assert_same(&found, &expected, rays, &|| format!("{name}: {quality:?}"));
            }
            of_touched = Some(answers);
        }
    }
    of_touched.expect("answers")
}

/// A batch equals its single rays.
fn alone<T: Precision>(name: &str, scene: &Scene<T>, rays: &[Ray<T>], answers: &Answers<T>) {
    for backend in every_backend() {
        for (row, ray) in rays.iter().enumerate() {
            let (cast, status) = (scene.cast(ray).backend(backend), answers.closest.status()[row]);
            let how = || format!("{name}: single, {backend}, {ray:?}");
            if status.is_invalid() {
                assert_eq!(cast.closest(), Err(Error::InvalidRay { status }), "{}", how());
                continue;
            }
            assert_eq!(cast.closest(), Ok(answers.closest.hit(row)), "{}", how());
            assert_eq!(cast.farthest(), Ok(answers.farthest.hit(row)), "{}", how());
            assert_eq!(cast.any(), Ok(status == Status::Hit), "{}", how());
            assert_eq!(cast.count(), Ok(answers.counts.count()[row]), "{}", how());
            assert_eq!(cast.all().as_deref(), Ok(answers.all.of_ray(row)), "{}", how());
            assert_eq!(
                cast.nearest(row as u32 % 4).as_deref(),
                Ok(answers.nearest.of_ray(row)),
                "{}",
                how()
            );
            assert_eq!(cast.line_hits(), Ok(answers.line.of_line(row)), "{}", how());
        }
    }
}

/// The same where four rays at a time are in other places, as limits go by the row modulo four.
fn in_another_order<T: Precision>(
    name: &str,
    scene: &Scene<T>,
    rays: &[Ray<T>],
    options: &CastOptions<'_, T>,
    expected: &[Row],
) {
    let mut fours: Vec<usize> = (0..rays.len() / 4).collect();
    Random::new(99).shuffle(&mut fours);
    let order: Vec<usize> = fours.iter().flat_map(|four| 4 * four..4 * four + 4).collect();
    let shuffled: Vec<Ray<T>> = order.iter().map(|&row| rays[row]).collect();
    let expected: Vec<Row> = order.iter().map(|&row| expected[row].clone()).collect();
    for backend in every_backend() {
        let options = options.clone().backend(backend);
        let found = Answers::of(scene, &RayBatch::from_rays(&shuffled), &options).rows();
        assert_same(&found, &expected, &shuffled, &|| format!("{name}: shuffled, {backend}"));
    }
}

/// Rays of every kind, some of which cannot be cast.
fn rays_at<T: Rounded>(aims: &Aims, random: &mut Random) -> Vec<Ray<T>> {
    let mut rays = aims.of_every_kind(scaled(120), random);
    for _ in 0..rays.len() / 50 {
        let row = random.below(rays.len());
        spoil(&mut rays[row], random);
    }
    rays.iter().map(T::ray).collect()
}

/// The rays again, their intervals ending exactly at one of their hits, or just before it.
fn ending_at_hits<T: Rounded>(
    rays: &[Ray<T>],
    touched: &Answers<T>,
    random: &mut Random,
) -> Vec<Ray<T>> {
    let mut ending = Vec::new();
    for (row, ray) in rays.iter().enumerate().take(touched.closest.len()) {
        let hits = touched.all.of_ray(row);
        if hits.is_empty() {
            continue;
        }
        let t = random.pick(hits).t;
        ending.push(match random.below(4) {
            0 => Ray { t_max: t, ..*ray },
            1 => Ray { t_min: t, ..*ray },
            2 => ray.with_interval(t, t),
            _ => Ray { t_max: if t.below() < ray.t_min { ray.t_min } else { t.below() }, ..*ray },
        });
    }
    ending
}

/// Casts rays of every kind in every way, and again where they end at what they met. Says what they
/// touched.
fn hold<T: Rounded>(name: &str, seed: u64, build: Build<'_, T>, aims: &Aims) -> Answers<T> {
    let random = &mut Random::new(seed);
    let name = format!("{name}, seed {seed}");
    let rays = rays_at(aims, random);
    let touched = in_every_way(&name, build, &rays);
    let ending = ending_at_hits(&rays, &touched, random);
    in_every_way(&format!("{name}, ending at hits"), build, &ending);
    touched
}

/// Of how many rays something is touched.
fn met<T: Precision>(answers: &Answers<T>) -> usize {
    answers.any.status().iter().filter(|status| status.is_hit()).count()
}
