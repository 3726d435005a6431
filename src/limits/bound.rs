//! The least time for a test's operations.

use super::counts::Counts;
use super::kind::Kind;
use super::rates::Rates;

/// The least time for a vector of answers on one core, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// Seconds for one vector.
    pub seconds: f64,
    /// Answers a second: lanes of a vector / `seconds`.
    pub tests_per_second: f64,
    /// What limits it.
    pub reason: Reason,
}

/// What a core has not enough of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The ports that these kinds share.
    Ports(Vec<Kind>),
    /// Ports of any kind.
    AllPorts,
    /// Reads from the first-level cache.
    Reads,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ports(kinds) => {
                let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
                f.write_str(&names.join(", "))
            }
            Self::AllPorts => f.write_str("all operations"),
            Self::Reads => f.write_str("reads"),
        }
    }
}

impl Counts {
    /// The least time in which a core does these operations, as the [module](super) explains;
    /// `read_rate` is in bytes a second from the first-level cache.
    pub fn bound(&self, rates: &Rates, read_rate: f64) -> Bound {
        let bytes = self.primitive_numbers * self.number_size * rates.lanes;
        let all = self.total(rates.masks_are_vectors) as f64 / rates.fastest_mix();
        let mut greatest = (bytes as f64 / read_rate, Reason::Reads);
        let mut at_least = |seconds: f64, reason: Reason| {
            if seconds > greatest.0 {
                greatest = (seconds, reason);
            }
        };
        at_least(all, Reason::AllPorts);
        // Each set of kinds is the bits of a number.
        for set in 1_u32..1 << Kind::MEASURED.len() {
            let kinds: Vec<Kind> = (0..Kind::MEASURED.len())
                .filter(|place| set >> place & 1 == 1)
                .map(|place| Kind::MEASURED[place])
                .filter(|&kind| self.on_ports_of(kind) > 0)
                .collect();
            let counts = |kind: &Kind| self.on_ports_of(*kind) as f64;
            if all_share(&kinds, rates) {
                let times = kinds.iter().map(|kind| counts(kind) / rates.of(*kind).unwrap_or(f64::INFINITY));
                at_least(times.sum(), Reason::Ports(kinds));
            } else if let [first, second] = kinds[..]
                && let Some(seconds) =
                    seconds_of_two([(first, counts(&first)), (second, counts(&second))], rates)
            {
                at_least(seconds, Reason::Ports(kinds));
            }
        }
        let (seconds, reason) = greatest;
        Bound { seconds, tests_per_second: rates.lanes as f64 / seconds, reason }
    }

    /// How many operations are done where those of a measured kind are.
    fn on_ports_of(&self, kind: Kind) -> usize {
        let comparisons = if kind == Kind::MinMax { self.of_kind(Kind::Compare) } else { 0 };
        self.of_kind(kind) + comparisons
    }
}

fn all_share(kinds: &[Kind], rates: &Rates) -> bool {
    kinds
        .iter()
        .enumerate()
        .all(|(place, &first)| kinds[place + 1..].iter().all(|&second| rates.share_all_ports(first, second)))
}

/// The least time for so many operations of two kinds, from that of one of each.
///
/// More work never takes less time, and work put together never more than one after the other. So what
/// is asked for takes at least the time of as many pairs as there are of the rarer kind; and with the
/// missing ones of the rarer kind added it would be as many pairs as there are of the other.
fn seconds_of_two(mut kinds: [(Kind, f64); 2], rates: &Rates) -> Option<f64> {
    kinds.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let [(rarer, few), (other, many)] = kinds;
    let (rarer_alone, other_alone) = (1.0 / rates.of(rarer)?, 1.0 / rates.of(other)?);
    // Beside a much slower kind the other's time is lost in the noise, and would be multiplied here.
    if rarer_alone + other_alone < 1.2 * rarer_alone.max(other_alone) {
        return None;
    }
    // A disturbed measurement does not make them share more than all.
    let one_of_each = (2.0 / rates.in_turn(rarer, other)?).min(rarer_alone + other_alone);
    Some((few * one_of_each).max(many * one_of_each - (many - few) * rarer_alone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Form;
    use crate::primitive::{Aabb, Slab};

    /// 6 additions, 8 multiplications, 7 minima and maxima and a comparison; 6 columns of 16 `f32`.
    fn slab_test() -> Counts {
        Counts::of::<Aabb, _>(&Slab, Form::Bits)
    }

    #[test]
    fn kinds_that_share_ports_wait_for_each_other() {
        let shared = Rates::made_up(16, 1e9, &[Kind::Add, Kind::MinMax]);
        let bound = slab_test().bound(&shared, 1e15);
        assert_eq!(bound.reason, Reason::Ports(vec![Kind::Add, Kind::MinMax]));
        assert!((bound.seconds * 1e9 - 14.0).abs() < 1e-6, "6 additions and 8 that compare: {bound:?}");
        assert!((bound.tests_per_second * 14e-9 - 16.0).abs() < 1e-6, "{bound:?}");
    }

    #[test]
    fn kinds_that_share_nothing_wait_for_the_issue_of_all() {
        let apart = Rates::made_up(16, 1e9, &[]);
        let bound = slab_test().bound(&apart, 1e15);
        assert_eq!(bound.reason, Reason::AllPorts);
        assert!((bound.seconds * 1e9 - 11.0).abs() < 1e-6, "22 operations, two at a time: {bound:?}");
    }

    #[test]
    fn a_slow_cache_limits_too() {
        let bound = slab_test().bound(&Rates::made_up(16, 1e9, &[]), 1e9);
        assert_eq!(bound.reason, Reason::Reads);
        assert!((bound.seconds * 1e9 - 6.0 * 64.0).abs() < 1e-6, "{bound:?}");
    }

    #[test]
    fn ports_that_are_shared_in_part_limit_the_sum_of_two() {
        // Two kinds at 1 each, 1.5 in turn.
        let mut rates = Rates::made_up(16, 1e9, &[]);
        rates.set_in_turn(Kind::Multiply, Kind::MinMax, 1.5e9);
        rates.set_in_turn(Kind::Add, Kind::MinMax, 1.2e9);
        let bound = slab_test().bound(&rates, 1e15);
        assert_eq!(bound.reason, Reason::Ports(vec![Kind::Add, Kind::MinMax]));
        // 8 pairs at 2 / 1.2, less the two additions that these have too many.
        assert!((bound.seconds * 1e9 - (16.0 / 1.2 - 2.0)).abs() < 1e-6, "{bound:?}");
    }
}
