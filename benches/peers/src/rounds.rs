//! Contestants take turns against the clock.

use std::time::{Duration, Instant};

use crate::clock::Clock;

/// Whatever can be measured.
pub(crate) trait Contestant {
    /// Does the work once, into memory that it keeps from call to call.
    fn run(&mut self);
}

/// How long one run of each contestant took, round by round.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    /// Seconds of one run: by contestant, then by round.
    seconds: Vec<Vec<f64>>,
}

/// The least time between two looks at the clock. What a look costs is then nothing, and most
/// samples end before the system gives the core to somebody else: the median is that of undisturbed
/// ones.
const SAMPLE: Duration = Duration::from_micros(200);

/// Fewer rounds than this have no median worth the name.
const FEWEST: usize = 5;

impl Rounds {
    /// Lets all contestants take turns until `time` is over.
    ///
    /// A round holds one sample of each: what disturbs the machine for longer than a round slows
    /// all alike and leaves their ratios as they are.
    pub(crate) fn measure<C: Contestant + ?Sized>(
        contestants: &mut [&mut C],
        time: Duration,
        clock: Clock,
    ) -> Self {
        let mut seconds = vec![Vec::new(); contestants.len()];
        let repeats: Vec<u32> =
            contestants.iter_mut().map(|contestant| repeats(*contestant, clock)).collect();
        let start = Instant::now();
        let mut round = 0;
        while round < FEWEST || start.elapsed() < time {
            for turn in 0..contestants.len() {
                // There and back again: nobody always follows the same neighbour.
                let place = if round % 2 == 0 { turn } else { contestants.len() - 1 - turn };
                let start = clock.now();
                for _ in 0..repeats[place] {
                    contestants[place].run();
                }
                let seconds_of_sample = (clock.now() - start).as_secs_f64();
                seconds[place].push(seconds_of_sample / f64::from(repeats[place]));
            }
            round += 1;
        }
        Self { seconds }
    }

    /// Rounds that were measured elsewhere: seconds by contestant, then by round.
    #[cfg(test)]
    pub(crate) fn of(seconds: Vec<Vec<f64>>) -> Self {
        Self { seconds }
    }

    /// The rounds in two halves, which take turns by pairs of rounds, one there and one back again.
    pub(crate) fn halves(&self) -> [Self; 2] {
        [0, 1].map(|half| {
            let of_half = |seconds: &Vec<f64>| {
                let rounds = seconds.iter().enumerate().filter(|(round, _)| round / 2 % 2 == half);
                rounds.map(|(_, &seconds)| seconds).collect()
            };
            Self { seconds: self.seconds.iter().map(of_half).collect() }
        })
    }

    /// How many rounds there were.
    pub(crate) fn count(&self) -> usize {
        self.seconds.first().map_or(0, Vec::len)
    }

    /// The median time of one run of a contestant, in seconds.
    pub(crate) fn median(&self, contestant: usize) -> f64 {
        median(self.seconds[contestant].clone())
    }

    /// How many times as fast `contestant` is as `other`: the median of the rounds' ratios.
    pub(crate) fn ratio(&self, contestant: usize, other: usize) -> f64 {
        let pairs = self.seconds[other].iter().zip(&self.seconds[contestant]);
        median(pairs.map(|(other, contestant)| other / contestant).collect())
    }
}

/// How many runs fill a sample, after some that warm up caches and branch predictors.
fn repeats<C: Contestant + ?Sized>(contestant: &mut C, clock: Clock) -> u32 {
    let mut runs = 1;
    loop {
        let start = clock.now();
        for _ in 0..runs {
            contestant.run();
        }
        if clock.now() - start >= SAMPLE {
            return runs;
        }
        runs *= 2;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Rounds, median};

    #[test]
    fn ratio_is_taken_round_by_round() {
        // The second round was disturbed: all took three times as long.
        let rounds = Rounds { seconds: vec![vec![1.0, 3.0, 1.0], vec![2.0, 6.0, 2.2]] };
        assert_eq!(rounds.ratio(0, 1), 2.0);
        assert_eq!(rounds.median(1), 2.2);
    }

    #[test]
    fn halves_take_turns_by_pairs_of_rounds() {
        let rounds = Rounds { seconds: vec![vec![0.0, 1.0, 2.0, 3.0, 4.0]] };
        let [first, second] = rounds.halves();
        assert_eq!(first.seconds, [[0.0, 1.0, 4.0]]);
        assert_eq!(second.seconds, [[2.0, 3.0]]);
    }

    #[test]
    fn median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
