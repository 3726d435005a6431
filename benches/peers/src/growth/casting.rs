//! lanecast casting rays in batches of some length, or one by one.

use std::hint::black_box;

use lanecast::{Hit, HitBatch, Ray, Scene, Threads};

use crate::rounds::Contestant;

/// Runs of neighbours, evenly over all rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Runs {
    pub(super) length: usize,
    pub(super) count: usize,
    step: usize,
}

impl Runs {
    /// As many runs of `length` as make about `budget` of `rays` together, one at least.
    ///
    /// # Panics
    /// If a run is longer than all rays.
    pub(super) fn new(rays: usize, length: usize, budget: usize) -> Self {
        assert!((1..=rays).contains(&length), "runs of {length} of {rays} rays");
        let count = (budget.min(rays) / length).max(1);
        Self { length, count, step: rays / count }
    }

    /// How many rays all runs have together.
    pub(super) fn rays(self) -> usize {
        self.length * self.count
    }

    pub(super) fn of<T>(self, rays: &[T]) -> impl Iterator<Item = &[T]> {
        (0..self.count).map(move |run| &rays[run * self.step..][..self.length])
    }
}

/// Each run is a batch, all on the same memory for answers, as an embedder has it.
pub(super) struct Batches<'a> {
    scene: &'a Scene,
    rays: &'a [Ray],
    runs: Runs,
    threads: &'a Threads,
    hits: HitBatch,
}

impl<'a> Batches<'a> {
    pub(super) fn new(scene: &'a Scene, rays: &'a [Ray], runs: Runs, threads: &'a Threads) -> Self {
        Self { scene, rays, runs, threads, hits: HitBatch::new() }
    }

    /// How many answers differ from those of single calls, of how many that were compared: all, or
    /// some of each batch where there are many.
    pub(super) fn mismatches(&mut self) -> (usize, usize) {
        const MOST: usize = 1 << 16;
        let (mut wrong, mut compared) = (0, 0);
        let step = self.runs.rays().div_ceil(MOST);
        for run in self.runs.of(self.rays) {
            let request = self.scene.cast(run).threads(self.threads);
            request.closest_into(&mut self.hits).expect("nobody stops it");
            for (row, ray) in run.iter().enumerate().step_by(step) {
                let single: Option<Hit> = self.scene.cast(ray).closest().expect("sound rays");
                wrong += usize::from(self.hits.hit(row) != single);
                compared += 1;
            }
        }
        (wrong, compared)
    }
}

impl Contestant for Batches<'_> {
    fn run(&mut self) {
        for run in self.runs.of(self.rays) {
            let request = self.scene.cast(run).threads(self.threads);
            request.closest_into(&mut self.hits).expect("nobody stops it");
            black_box(&mut self.hits);
        }
    }
}

/// The rays of the runs, a call for each.
pub(super) struct Singles<'a> {
    pub(super) scene: &'a Scene,
    pub(super) rays: &'a [Ray],
    pub(super) runs: Runs,
}

impl Contestant for Singles<'_> {
    fn run(&mut self) {
        for ray in self.runs.of(self.rays).flatten() {
            black_box(self.scene.cast(ray).closest().expect("sound rays"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Batches, Runs};
    use lanecast::{Ray, Scene, Threads};

    #[test]
    fn runs_lie_evenly_over_all_rays() {
        let rays: Vec<usize> = (0..100).collect();
        let starts = |runs: Runs| runs.of(&rays).map(|run| run[0]).collect::<Vec<_>>();
        let runs = Runs::new(100, 5, 20);
        assert_eq!((runs.rays(), starts(runs)), (20, vec![0, 25, 50, 75]));
        assert!(runs.of(&rays).all(|run| run.len() == 5));
        // One run where the budget holds none, and none beyond the end where it holds too many.
        assert_eq!(Runs::new(100, 60, 20).count, 1);
        assert_eq!(starts(Runs::new(100, 60, 1000)), [0]);
        assert_eq!(starts(Runs::new(100, 33, 1000)), [0, 33, 66]);
    }

    #[test]
    fn batches_of_any_length_answer_as_single_calls() {
        let scene =
            Scene::from_triangles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])
                .unwrap();
        let ray = |place: u16| Ray::new([f32::from(place) / 50.0, 0.1, 1.0], [0.0, 0.0, -1.0]);
        let rays: Vec<Ray> = (0..100).map(ray).collect();
        let mut batches = Batches::new(&scene, &rays, Runs::new(100, 7, 100), &Threads::ONE);
        assert_eq!(batches.mismatches(), (0, 98));
    }
}
