//! What brute force says of rays, held against the engine's answers.

use super::answers::{self, Answer, Way};
use super::compare::{self, Mismatch};
use super::report::Difference;
use super::sample::Named;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use lanecast::{Precision, Ray, Scalar, Scene, Threads};
use lanecast_io::Mesh;
use lanecast_reference::brute_force::{self, Compiled, Expected};
use lanecast_reference::world::World;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A copy of a scene without masks of its own: what is hidden in the scenes placed in it stays so.
pub(super) fn unmasked<T: Precision>(scene: &Scene<T>) -> lanecast::Result<Scene<T>> {
    let mut scene = scene.deep_copy();
    for geometry_id in scene.geometry_ids().collect::<Vec<_>>() {
        scene.set_mask(geometry_id, u32::MAX)?;
    }
    for instance in scene.instance_numbers().collect::<Vec<_>>() {
        scene.set_instance_mask(instance, u32::MAX)?;
    }
    Ok(scene)
}

/// Meshes as brute force sees them.
pub(super) fn world_of<T: Compiled>(meshes: &[Mesh<T>]) -> World<'_, T> {
    World::of_meshes(meshes.iter().map(|mesh| (&mesh.vertices[..], &mesh.triangles[..])))
}

/// Rays that were made are called by their numbers.
pub(super) fn numbered<T>(rays: Vec<Ray<T>>) -> Vec<Named<T>> {
    (0..).zip(rays).map(|(id, ray)| Named { id, ray }).collect()
}

/// Brute force, a ray at a time on each of so many threads.
pub(super) fn cast_all<T: Compiled>(
    world: &World<T>,
    rays: &[Ray<T>],
    threads: usize,
    interrupt: &Interrupt,
    told: impl Fn(usize) + Sync,
) -> Result<Vec<Expected>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Expected)>> {
        let mut done = Vec::new();
        loop {
            interrupt.check()?;
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(ray) = rays.get(number) else { return Ok(done) };
            told(number);
            done.push((number, brute_force::cast(world, ray)));
        }
    };
    let mut all = vec![Expected::default(); rays.len()];
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads.min(rays.len())).map(|_| scope.spawn(work)).collect();
        for thread in started {
            let done = thread
                .join()
                .map_err(|_| Failure::about("brute force", "a thread ended early"))??;
            for (number, expected) in done {
                all[number] = expected;
            }
        }
        Ok(all)
    })
}

/// The first difference of each ray that has one, in whatever way it was cast.
pub(super) fn compare_all<T: Precision>(
    scene: &Scene<T>,
    ways: &[Way],
    threads: &Threads,
    rays: &[Named<T>],
    expected: &[Expected],
) -> Result<Vec<Difference>> {
    let cast: Vec<Ray<T>> = rays.iter().map(|named| named.ray).collect();
    let mut differences: Vec<Option<Difference>> = vec![None; rays.len()];
    let mut first: Option<(Way, Vec<Answer<T>>)> = None;
    for &way in ways {
        let answers = answers::ask(scene, way, threads, &cast)?;
        for (row, answer) in answers.iter().enumerate() {
            if differences[row].is_some() {
                continue;
            }
            let mismatch = compare::mismatch(answer, &expected[row]).or_else(|| {
                let (first_way, first) = first.as_ref()?;
                (!answer.equals(&first[row])).then(|| Mismatch {
                    query: "bits",
                    found: format!("{answer:?}"),
                    expected: format!("as {}: {:?}", first_way.name(), first[row]),
                })
            });
            differences[row] = mismatch.map(|mismatch| difference(&rays[row], way, mismatch));
        }
        first.get_or_insert((way, answers));
    }
    Ok(differences.into_iter().flatten().collect())
}

fn difference<T: Scalar>(named: &Named<T>, way: Way, mismatch: Mismatch) -> Difference {
    let Ray { origin, direction, t_min, t_max } = named.ray;
    Difference {
        ray_id: named.id,
        ray: format!("origin {origin:?}, direction {direction:?}, t from {t_min:?} to {t_max:?}"),
        way: way.name(),
        query: mismatch.query.to_owned(),
        found: mismatch.found,
        expected: mismatch.expected,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/verify/tests.rs"]
mod tests;
