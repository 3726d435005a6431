//! Who is wrong, and how often.

use std::collections::{HashMap, HashSet};

use super::contestants::Entrant;
use super::judge::Verdict;
use super::mesh::Mesh;
use super::ray_set::RaySet;

/// Triangle tests that a cell may spend on its sample, and each contestant on new disputes.
const SAMPLE_BUDGET: usize = 40_000_000;
const DISPUTE_BUDGET: usize = 16_000_000;

/// The judge, and what it has already said.
struct Court<'a> {
    mesh: &'a Mesh,
    set: &'a RaySet,
    verdicts: HashMap<usize, Verdict>,
}

impl Court<'_> {
    fn allows(&mut self, row: usize, t: f32) -> bool {
        let verdict = self.verdicts.entry(row);
        let verdict = verdict.or_insert_with(|| Verdict::of(&self.set.rays[row], self.mesh));
        verdict.allows(self.set.query, t)
    }
}

/// How many answers of each are wrong.
///
/// Answers that differ from those of the first, lanecast's, are put to the judge, and so is a
/// sample of all rays, on which everybody might agree and be wrong. Where there are too many
/// disputes, those about the largest differences are settled, and the rest is taken for right.
pub(crate) fn mismatches(
    mesh: &Mesh,
    set: &RaySet,
    entrants: &[Entrant<'_>],
    answers: &[Vec<f32>],
) -> Vec<usize> {
    let Some(first) = answers.first() else { return Vec::new() };
    let affordable = |budget: usize| budget / mesh.triangles.len().max(1);
    let sample = affordable(SAMPLE_BUDGET).clamp(8, 256);
    let most_disputes = affordable(DISPUTE_BUDGET).clamp(2, 64);
    let mut court = Court { mesh, set, verdicts: HashMap::new() };
    let mut wrong: Vec<HashSet<usize>> = vec![HashSet::new(); entrants.len()];
    for row in (0..set.rays.len()).step_by((set.rays.len() / sample).max(1)) {
        if entrants[0].rows.is_none() && !court.allows(row, first[row]) {
            wrong[0].insert(row);
        }
    }
    let wrong_in_the_sample = wrong[0].clone();
    for (place, entrant) in entrants.iter().enumerate() {
        let row_of =
            |index: usize| entrant.rows.as_ref().map_or(index, |rows| rows[index] as usize);
        let first_of = |index: usize| {
            if entrants[0].rows.is_none() { first[row_of(index)] } else { first[index] }
        };
        let mut disputed = Vec::new();
        for (index, &t) in answers[place].iter().enumerate() {
            let difference = difference(t, first_of(index));
            if difference > ALIKE {
                disputed.push((difference, index));
            } else if wrong_in_the_sample.contains(&row_of(index)) {
                wrong[place].insert(row_of(index));
            }
        }
        disputed.sort_by(|a, b| b.0.total_cmp(&a.0));
        for &(_, index) in disputed.iter().take(most_disputes) {
            let row = row_of(index);
            if !court.allows(row, answers[place][index]) {
                wrong[place].insert(row);
            }
            if !court.allows(row, first_of(index)) {
                wrong[0].insert(row);
            }
        }
    }
    wrong.iter().map(HashSet::len).collect()
}

/// Answers that differ by so little need no judge.
const ALIKE: f32 = 1e-5;

/// How far apart two answers are, in parts of the first; infinite if one meets something and one
/// does not.
fn difference(a: f32, b: f32) -> f32 {
    if a == b {
        0.0
    } else if a.is_infinite() || b.is_infinite() {
        f32::INFINITY
    } else {
        (a - b).abs() / b.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::{difference, mismatches};
    use crate::rounds::Contestant;
    use crate::scenes::contestants::{Entrant, Family, Tracer};
    use crate::scenes::mesh::MeshBuilder;
    use crate::scenes::ray_set::{Order, Query, RaySet};
    use lanecast::Ray;

    struct Nobody;

    impl Contestant for Nobody {
        fn run(&mut self) {}
    }

    impl Tracer for Nobody {
        fn answers(&self) -> Vec<f32> {
            Vec::new()
        }
    }

    fn entrant<'a>() -> Entrant<'a> {
        let (name, work) = (String::new(), Box::new(Nobody));
        Entrant { name, family: Family::Crate, isa: None, rows: None, rays: 16, work }
    }

    #[test]
    fn mismatches_of_any_and_of_all_entrants_are_counted() {
        let mut mesh = MeshBuilder::default();
        mesh.triangle([[0.0, 0.0, 1.0], [9.0, 0.0, 1.0], [0.0, 9.0, 1.0]]);
        let mesh = mesh.finish();
        let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 0.5]);
        let set = RaySet::new("", Query::Closest, Order::Coherent, vec![ray; 16]);
        let (right, mut wrong) = (vec![2.0; 16], vec![2.0; 16]);
        wrong[3] = f32::INFINITY;
        wrong[5] = 2.5;
        let count = |answers: [&Vec<f32>; 2]| {
            mismatches(&mesh, &set, &[entrant(), entrant()], &answers.map(Clone::clone))
        };
        assert_eq!(count([&right, &right]), [0, 0]);
        assert_eq!(count([&right, &wrong]), [0, 2]);
        assert_eq!(count([&wrong, &right]), [2, 0]);
        assert_eq!(count([&wrong, &wrong]), [2, 2]);
    }

    #[test]
    fn a_hit_and_a_miss_differ_most() {
        assert_eq!(difference(f32::INFINITY, f32::INFINITY), 0.0);
        assert_eq!(difference(f32::INFINITY, 2.0), f32::INFINITY);
        assert_eq!(difference(2.0, f32::INFINITY), f32::INFINITY);
        assert_eq!(difference(2.0, 2.5), 0.2);
    }
}
