//! Peers that take one ray at a time: the loop around them.

use std::rc::Rc;

use lanecast::Ray;
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
use rayon::slice::{ParallelSlice as _, ParallelSliceMut as _};

use super::{Entrant, Family, Tracer};
use crate::rounds::Contestant;
use crate::scenes::ray_set::RaySet;

/// How many rays a thread takes at a time.
const PIECE: usize = 4096;

/// What a peer does with a ray that was made ready for it: `t`, infinite if it meets nothing.
pub(super) struct OneByOne<'a, R, F> {
    rays: Vec<R>,
    answers: Vec<f32>,
    cast: F,
    pool: &'a ThreadPool,
}

/// Enters a peer. Slow ones cast one in so many runs of 64 rays.
pub(super) fn enter<'a, R, F>(
    name: &str,
    pool: &'a ThreadPool,
    set: &RaySet,
    one_in: usize,
    into: &mut Vec<Entrant<'a>>,
    ready: impl Fn(&Ray) -> R,
    cast: F,
) where
    R: Sync + 'a,
    F: Fn(&R) -> f32 + Sync + 'a,
{
    let rows = set.thinned_rows(one_in);
    let rays: Vec<R> = rows.iter().map(|&row| ready(&set.rays[row as usize])).collect();
    into.push(Entrant {
        name: name.to_owned(),
        family: Family::Crate,
        isa: None,
        rays: rays.len(),
        rows: (one_in > 1).then(|| Rc::new(rows)),
        work: Box::new(OneByOne { answers: vec![1.0; rays.len()], rays, cast, pool }),
    });
}

impl<R: Sync, F: Fn(&R) -> f32 + Sync> OneByOne<'_, R, F> {
    fn cast_all(rays: &[R], answers: &mut [f32], cast: &F) {
        for (answer, ray) in answers.iter_mut().zip(rays) {
            *answer = cast(ray);
        }
    }
}

impl<R: Sync, F: Fn(&R) -> f32 + Sync> Contestant for OneByOne<'_, R, F> {
    fn run(&mut self) {
        let Self { rays, answers, cast, pool } = self;
        if pool.current_num_threads() == 1 {
            Self::cast_all(rays, answers, cast);
            return;
        }
        pool.install(|| {
            let pieces = answers.par_chunks_mut(PIECE).zip(rays.par_chunks(PIECE));
            pieces.for_each(|(answers, rays)| Self::cast_all(rays, answers, cast));
        });
    }
}

impl<R: Sync, F: Fn(&R) -> f32 + Sync> Tracer for OneByOne<'_, R, F> {
    fn answers(&self) -> Vec<f32> {
        self.answers.clone()
    }
}
