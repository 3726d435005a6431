//! What a call answers, by form, and how many of its answers are wrong.

use super::input::Input;
use super::loops::VALUES;
use super::number::Number;
use super::reference::{Verdict, verdict};
use crate::rounds::Contestant;

/// No primitive.
pub(crate) const NONE: u32 = u32::MAX;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Every ray with every primitive: how many each ray meets.
    Counts,
    /// Every ray with every primitive: a bit for each pair.
    Bits,
    /// Every ray with every primitive: which is met first, and where.
    Closest,
    /// Ray i with primitive i, few enough for the second-level cache: where.
    Pairwise,
    /// The same with so many that they come from memory.
    Streamed,
}

impl Form {
    pub(crate) const ALL: [Self; 5] =
        [Self::Counts, Self::Bits, Self::Closest, Self::Pairwise, Self::Streamed];

    /// As it is written in tables.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Bits => "bits",
            Self::Closest => "closest",
            Self::Pairwise => "pairwise",
            Self::Streamed => "streamed",
        }
    }

    /// Whether ray i meets primitive i alone.
    pub(crate) const fn in_pairs(self) -> bool {
        matches!(self, Self::Pairwise | Self::Streamed)
    }

    /// How many pairs of the input are tested.
    pub(crate) fn tests<F: Number>(self, input: &Input<F>) -> usize {
        input.ray_count() * if self.in_pairs() { 1 } else { input.primitive_count() }
    }
}

/// Answers of one form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answers<F> {
    /// One for each ray.
    Counts(Vec<u32>),
    /// For each ray so many words that every primitive has a bit, the first in the lowest.
    Bits(Vec<u64>),
    /// For each ray the place of the primitive, or [`NONE`], and `t`, or ∞.
    Closest(Vec<u32>, Vec<F>),
    /// For each pair `t`, or ∞.
    Pairwise(Vec<F>),
    /// For each pair a code and the values of a hit, the first of which is `t`.
    Rows(Vec<u8>, [Vec<F>; VALUES]),
}

impl<F: Number> Answers<F> {
    /// Room for the answers to an input.
    pub(crate) fn room(form: Form, input: &Input<F>) -> Self {
        let rays = input.ray_count();
        match form {
            Form::Counts => Self::Counts(vec![0; rays]),
            Form::Bits => Self::Bits(vec![0; rays * input.primitive_count().div_ceil(64)]),
            Form::Closest => Self::Closest(vec![NONE; rays], vec![F::INFINITY; rays]),
            Form::Pairwise | Form::Streamed => Self::Pairwise(vec![F::INFINITY; rays]),
        }
    }

    /// Room for all that is told of pairs, so many values each.
    pub(crate) fn rows(values: usize, input: &Input<F>) -> Self {
        let rays = input.ray_count();
        let column = |place| vec![F::INFINITY; if place < values { rays } else { 0 }];
        Self::Rows(vec![0; rays], std::array::from_fn(column))
    }
}

/// Whatever answers.
pub(crate) trait Answering<F>: Contestant {
    /// What the last run answered.
    fn answers(&self) -> Answers<F>;
}

/// The right answers to an input, and who is not asked for what.
#[derive(Debug)]
pub(crate) struct Truth {
    primitives: usize,
    /// By ray and then by primitive; pairwise by pair.
    verdicts: Vec<Verdict>,
}

/// How many answers were wrong, of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mismatches {
    pub(crate) wrong: usize,
    pub(crate) checked: usize,
}

impl Mismatches {
    fn add(&mut self, right: bool) {
        self.checked += 1;
        self.wrong += usize::from(!right);
    }
}

impl Truth {
    pub(crate) fn of<F: Number>(form: Form, input: &Input<F>) -> Self {
        let (rays, primitives) = (input.ray_count(), input.primitive_count());
        let verdicts = if form.in_pairs() {
            (0..rays).map(|row| verdict(input, row, row)).collect()
        } else {
            let pairs = 0..rays * primitives;
            pairs.map(|pair| verdict(input, pair / primitives, pair % primitives)).collect()
        };
        Self { primitives, verdicts }
    }

    /// How many pairs are too near a border to say.
    pub(crate) fn undecided(&self) -> usize {
        self.verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Border { .. })).count()
    }

    /// The share of pairs that meet.
    pub(crate) fn hit_share(&self) -> f64 {
        let hits =
            self.verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Hit { .. })).count();
        hits as f64 / self.verdicts.len() as f64
    }

    /// The truth for those who do not meet the backs of triangles.
    pub(crate) fn one_sided(&self) -> Self {
        let verdicts = self.verdicts.iter().map(|&verdict| match verdict {
            Verdict::Hit { back_facing: true, .. } => Verdict::Miss,
            other => other,
        });
        Self { primitives: self.primitives, verdicts: verdicts.collect() }
    }

    /// Holds answers against the truth.
    pub(crate) fn mismatches<F: Number>(&self, answers: &Answers<F>) -> Mismatches {
        let mut mismatches = Mismatches::default();
        let of_ray = |ray: usize| &self.verdicts[ray * self.primitives..][..self.primitives];
        match answers {
            Answers::Counts(counts) => {
                for (ray, &count) in counts.iter().enumerate() {
                    let count = count as usize;
                    let sure = |wanted: fn(&Verdict) -> bool| {
                        of_ray(ray).iter().filter(|verdict| wanted(verdict)).count()
                    };
                    let fewest = sure(|verdict| matches!(verdict, Verdict::Hit { .. }));
                    let most = self.primitives - sure(|verdict| matches!(verdict, Verdict::Miss));
                    mismatches.add(fewest <= count && count <= most);
                }
            }
            Answers::Bits(words) => {
                let words_of_ray = self.primitives.div_ceil(64);
                for (pair, verdict) in self.verdicts.iter().enumerate() {
                    let (ray, primitive) = (pair / self.primitives, pair % self.primitives);
                    let word = words[ray * words_of_ray + primitive / 64];
                    let is_hit = word >> (primitive % 64) & 1 == 1;
                    match verdict {
                        Verdict::Border { .. } => {}
                        Verdict::Miss => mismatches.add(!is_hit),
                        Verdict::Hit { .. } => mismatches.add(is_hit),
                    }
                }
            }
            Answers::Closest(indices, ts) => {
                for (ray, (&index, t)) in indices.iter().zip(ts).enumerate() {
                    mismatches.add(is_closest(of_ray(ray), index, t.to_f64()));
                }
            }
            Answers::Pairwise(ts) | Answers::Rows(_, [ts, ..]) => {
                for (t, verdict) in ts.iter().zip(&self.verdicts) {
                    let t = t.to_f64();
                    match *verdict {
                        Verdict::Border { .. } => {}
                        Verdict::Miss => mismatches.add(t == f64::INFINITY),
                        Verdict::Hit { least, greatest, .. } => {
                            mismatches.add(least <= t && t <= greatest);
                        }
                    }
                }
            }
        }
        mismatches
    }
}

/// Whether the primitive `index` is met at `t`, and none is for sure met before it.
fn is_closest(verdicts: &[Verdict], index: u32, t: f64) -> bool {
    let nearest = verdicts
        .iter()
        .map(|verdict| match *verdict {
            Verdict::Hit { greatest, .. } => greatest,
            _ => f64::INFINITY,
        })
        .fold(f64::INFINITY, f64::min);
    if index == NONE {
        return nearest == f64::INFINITY && t == f64::INFINITY;
    }
    let met = match verdicts[index as usize] {
        Verdict::Miss => false,
        Verdict::Border { .. } => true,
        Verdict::Hit { least, greatest, .. } => least <= t && t <= greatest,
    };
    met && t <= nearest
}

#[cfg(test)]
mod tests {
    use super::{Answers, NONE, Truth, Verdict};

    const HIT: Verdict = Verdict::Hit { least: 1.0, greatest: 1.1, back_facing: true };
    const FAR: Verdict = Verdict::Hit { least: 3.0, greatest: 3.1, back_facing: false };

    fn truth(verdicts: &[Verdict]) -> Truth {
        Truth { primitives: verdicts.len(), verdicts: verdicts.to_vec() }
    }

    #[test]
    fn wrong_answers_are_counted() {
        let verdicts = [Verdict::Miss, HIT, FAR, Verdict::Border { least: 0.0 }];
        let wrong = |answers: &Answers<f64>| truth(&verdicts).mismatches(answers).wrong;
        for (count, expected) in [(1, 1), (2, 0), (3, 0), (4, 1)] {
            assert_eq!(wrong(&Answers::Counts(vec![count])), expected, "{count} hits");
        }
        for (bits, expected) in [(0b0110, 0), (0b1110, 0), (0b0111, 1), (0b0001, 3)] {
            assert_eq!(wrong(&Answers::Bits(vec![bits])), expected, "{bits:b}");
        }
        let closest = [
            (1, 1.05, 0),
            (1, 1.2, 1),
            (2, 3.05, 1),
            (3, 0.5, 0),
            (0, 1.0, 1),
            (NONE, f64::INFINITY, 1),
        ];
        for (index, t, expected) in closest {
            let answers = Answers::Closest(vec![index], vec![t]);
            assert_eq!(wrong(&answers), expected, "primitive {index} at {t}");
        }
        let ts = vec![f64::INFINITY, 1.0, 2.0, 7.0];
        assert_eq!(wrong(&Answers::Pairwise(ts)), 1);
    }

    #[test]
    fn backs_are_missed_where_the_test_is_one_sided() {
        let truth = truth(&[HIT, FAR]).one_sided();
        assert_eq!(truth.mismatches(&Answers::<f64>::Counts(vec![1])).wrong, 0);
        assert_eq!(truth.mismatches(&Answers::<f64>::Counts(vec![2])).wrong, 1);
    }
}
