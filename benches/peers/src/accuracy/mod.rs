//! How far `t` is from the exact one, at triangles of all sizes beside the distance of the hit.

mod contestants;
mod meetings;

use std::fmt::Write as _;

use clap::Args;

use crate::Result;
use crate::machine::Machine;
use crate::scenes::field::Means;
use contestants::{Contestants, Family};
use meetings::{BANDS, Kind, Meeting};

/// How many lines are cast.
#[derive(Debug, Args)]
pub(crate) struct AccuracyArguments {
    /// How many lines meet triangles of each size
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(100..))]
    lines: u32,
    /// Fail if the median error of lanecast is above that of Embree's best mode at any size, over
    /// all tilts or those of a band
    #[arg(long)]
    check: bool,
}

/// The subcommand.
pub(crate) fn run(arguments: &AccuracyArguments) -> Result<()> {
    let means = Means::new(1, |_| true)?;
    let contestants = Contestants::new(&means)?;
    println!("# {}, {} lines a row", Machine::here(), arguments.lines);
    println!("\nMedian and greatest |t − exact t| / exact t in units of 2⁻²⁴\n");
    let (mut greatest_ratios, mut worse) = ([0.0_f64; 2], Vec::new());
    for kind in Kind::ALL {
        println!("| {} | {} |", kind.head(), contestants.names().collect::<Vec<_>>().join(" | "));
        println!("|---{}|", "|---".repeat(contestants.names().count()));
        for &size in kind.sizes() {
            let meetings = meetings::drawn(kind, size, arguments.lines as usize);
            let errors = errors(&contestants, &meetings)?;
            println!("{}", row(size, &errors));
            for (place, greatest_ratio) in greatest_ratios.iter_mut().enumerate() {
                let bands = if place == 0 { vec![None] } else { BANDS.map(Some).to_vec() };
                for band in bands {
                    let best = |family| best_median(&contestants, &meetings, &errors, family, band);
                    let (Some(lanecast), Some(embree)) =
                        (best(Family::Lanecast), best(Family::Embree))
                    else {
                        continue;
                    };
                    *greatest_ratio = greatest_ratio.max(lanecast / embree);
                    if lanecast > embree {
                        let head = kind.head();
                        let tilts = band
                            .map_or(String::new(), |[from, to]| format!(", tilts {from} to {to}°"));
                        worse.push(format!(
                            "{head} {size:e}{tilts}: {lanecast:.3}, Embree {embree:.3}"
                        ));
                    }
                }
            }
        }
        println!();
    }
    if contestants.families().any(|family| family == Family::Embree) {
        let [overall, in_bands] = greatest_ratios;
        println!("lanecast's median over that of Embree's best mode, at most:");
        println!("{overall:.2} over all tilts, {in_bands:.2} in a band of them");
    }
    if arguments.check && !worse.is_empty() {
        return Err(
            format!("lanecast's median error is above Embree's\n{}", worse.join("\n")).into()
        );
    }
    Ok(())
}

/// Of each contestant the error at each meeting. Who misses is infinitely far off.
fn errors(contestants: &Contestants<'_>, meetings: &[Meeting]) -> Result<Vec<Vec<f64>>> {
    let mut errors = vec![Vec::with_capacity(meetings.len()); contestants.names().count()];
    for meeting in meetings {
        for (t, errors) in contestants.cast(meeting)?.into_iter().zip(&mut errors) {
            errors.push(t.map_or(f64::INFINITY, |t| meeting.error(t)));
        }
    }
    Ok(errors)
}

fn row(size: f64, errors: &[Vec<f64>]) -> String {
    let mut text = format!("| {size:e} |");
    for errors in errors {
        let most = errors.iter().copied().fold(0.0, f64::max);
        let most = if most.is_finite() { digits(most) } else { "missed".to_owned() };
        let _ = write!(text, " {}, {most} |", digits(median(errors.clone())));
    }
    text
}

fn digits(error: f64) -> String {
    if error < 1e3 { format!("{error:.2}") } else { format!("{error:.1e}") }
}

/// The least median of the contestants of a family, over the meetings of a band of tilts or all;
/// none where there is nobody or no such meeting.
fn best_median(
    contestants: &Contestants<'_>,
    meetings: &[Meeting],
    errors: &[Vec<f64>],
    family: Family,
    band: Option<[u32; 2]>,
) -> Option<f64> {
    let of_family = contestants.families().zip(errors).filter(|(other, _)| *other == family);
    let medians = of_family.filter_map(|(_, errors)| {
        let counted = meetings
            .iter()
            .zip(errors)
            .filter(|(meeting, _)| band.is_none() || meeting.band == band);
        let counted: Vec<f64> = counted.map(|(_, error)| *error).collect();
        (!counted.is_empty()).then(|| median(counted))
    });
    medians.min_by(f64::total_cmp)
}

fn median(mut errors: Vec<f64>) -> f64 {
    errors.sort_by(f64::total_cmp);
    errors[errors.len() / 2]
}
