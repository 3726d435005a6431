//! Ray tests without a tree: every contestant on the same rays and primitives.

mod answers;
mod autovectorised;
mod bvh;
mod entrants;
mod glam_scalar;
mod input;
mod lanecast;
mod loops;
mod number;
mod obvhs;
mod parry;
mod reference;
mod same_answers;

pub(crate) use entrants::Family;

use std::time::Duration;

use ::lanecast::Threads;

use crate::clock::Clock;
use crate::report::{Report, Row, Table};
use crate::rounds::{Contestant, Rounds};
use crate::{KernelsArguments, Result};
use answers::{Form, Mismatches, Truth};
use entrants::Entry;
use input::{Input, Primitive};
use loops::Instructions;
use number::Number;

/// Rays, primitives and pairs.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    rays: usize,
    primitives: usize,
    pairs: usize,
    streamed: usize,
}

impl Sizes {
    /// Of numbers that fill neither vectors nor words.
    const CHECK: Self = Self { rays: 61, primitives: 331, pairs: 4099, streamed: 8209 };

    /// Primitives that fit the first-level cache, pairs that fit the second, and pairs that fit
    /// none.
    fn measured(threads: u16) -> Self {
        Self {
            rays: 256 * usize::from(threads),
            primitives: 256,
            pairs: 1 << 12,
            streamed: 1 << 20,
        }
    }
}

/// What a table needs besides its input.
struct Session<'a> {
    arguments: &'a KernelsArguments,
    threads: Threads,
    instructions: Vec<Instructions>,
    report: Report,
}

/// A precision and who enters in it.
trait Precision: Number {
    fn enter_crates(entry: &mut Entry<'_, Self>, instructions: &[Instructions]);
}

impl Precision for f32 {
    fn enter_crates(entry: &mut Entry<'_, Self>, instructions: &[Instructions]) {
        parry::enter_f32(entry, instructions);
        bvh::enter(entry, instructions);
        obvhs::enter(entry, instructions);
        glam_scalar::enter_f32(entry, instructions);
    }
}

impl Precision for f64 {
    fn enter_crates(entry: &mut Entry<'_, Self>, instructions: &[Instructions]) {
        parry::enter_f64(entry, instructions);
        bvh::enter(entry, instructions);
        glam_scalar::enter_f64(entry, instructions);
    }
}

/// The subcommand.
pub(crate) fn run(arguments: &KernelsArguments) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.into()).build_global()?;
    let mut session = Session {
        arguments,
        threads: Threads::exactly(arguments.threads.into())?,
        instructions: Instructions::available(),
        report: Report::new(arguments.threads.into()),
    };
    session.tables::<f32>()?;
    session.tables::<f64>()?;
    let report = session.report;
    if report.tables.is_empty() {
        return Err(format!("no table has a name with \"{}\" in it", arguments.only).into());
    }
    print!("{}", if arguments.check { report.checked() } else { report.summary() });
    report.write(arguments.json.as_deref(), arguments.csv.as_deref())?;
    let wrong = report.lanecast_mismatches();
    if wrong > 0 { Err(format!("lanecast gave {wrong} wrong answers").into()) } else { Ok(()) }
}

impl Session<'_> {
    fn tables<F: Precision>(&mut self) -> Result<()> {
        for primitive in Primitive::ALL {
            for form in Form::ALL {
                let name = format!("{} {} {}", primitive.name(), F::NAME, form.name());
                if name.contains(&self.arguments.only) {
                    let table = self.table::<F>(primitive, form)?;
                    if !self.arguments.check {
                        print!("{}", table.words());
                    }
                    self.report.tables.push(table);
                }
            }
        }
        Ok(())
    }

    fn table<F: Precision>(&self, primitive: Primitive, form: Form) -> Result<Table> {
        let threads = self.arguments.threads;
        let sizes = if self.arguments.check { Sizes::CHECK } else { Sizes::measured(threads) };
        let (rays, primitives) = match form {
            Form::Pairwise => (sizes.pairs, sizes.pairs),
            Form::Streamed => (sizes.streamed, sizes.streamed),
            _ => (sizes.rays, sizes.primitives),
        };
        let input = Input::<F>::random(primitive, rays, primitives);
        let mut entry =
            Entry { input: &input, form, threads: threads.into(), entrants: Vec::new() };
        lanecast::enter(&mut entry, &self.threads)?;
        F::enter_crates(&mut entry, &self.instructions);
        autovectorised::enter(&mut entry, &self.instructions);
        let mut entrants = entry.entrants;

        let truth = Truth::of(form, &input);
        let one_sided = truth.one_sided();
        let mismatches: Vec<Mismatches> = entrants
            .iter_mut()
            .map(|entrant| {
                entrant.work.run();
                let truth = if entrant.one_sided { &one_sided } else { &truth };
                truth.mismatches(&entrant.work.answers())
            })
            .collect();

        let rounds = if self.arguments.check {
            Rounds::default()
        } else {
            let mut contestants: Vec<&mut dyn Contestant> = entrants
                .iter_mut()
                .map(|entrant| entrant.work.as_mut() as &mut dyn Contestant)
                .collect();
            let time = Duration::from_secs_f64(self.arguments.seconds);
            Rounds::measure(&mut contestants, time, Clock::for_threads(threads.into()))
        };
        let measured = rounds.count() > 0;
        let tests = form.tests(&input);
        let best = measured.then(|| best_of_lanecast(&entrants, &rounds)).flatten();
        let rows = entrants.iter().enumerate().map(|(place, entrant)| Row {
            contestant: entrant.name.clone(),
            family: entrant.family,
            one_sided: entrant.one_sided,
            answers: entrant.answers.clone(),
            giga_tests_per_second: measured.then(|| tests as f64 / rounds.median(place) / 1e9),
            lanecast_is_faster_by: best.map(|best| rounds.ratio(best, place)),
            mismatches: mismatches[place].wrong,
            answers_checked: mismatches[place].checked,
        });
        Ok(Table {
            primitive: primitive.name(),
            precision: F::NAME,
            form: form.name(),
            rays,
            primitives,
            rounds: rounds.count(),
            share_of_hits: truth.hit_share(),
            pairs_at_a_border: truth.undecided(),
            rows: rows.collect(),
        })
    }
}

/// The place of lanecast's fastest backend.
fn best_of_lanecast<F>(entrants: &[entrants::Entrant<'_, F>], rounds: &Rounds) -> Option<usize> {
    (0..entrants.len())
        .filter(|&place| entrants[place].family == Family::Lanecast)
        .min_by(|&a, &b| rounds.median(a).total_cmp(&rounds.median(b)))
}
