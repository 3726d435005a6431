//! Whether a case holds in two settings, and the least of it that does not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::soak::ask::{Table, ask};
use crate::soak::case::{Case, Query, Row, Uses};
use crate::soak::setting::Setting;
use lanecast::testing::set_tight_buffers;
use lanecast::{Contact, Culling};

/// How long a case is made smaller.
const LIMIT: Duration = Duration::from_secs(20);

/// Where and why a thread panicked last.
pub(crate) static PANIC: Mutex<String> = Mutex::new(String::new());

/// Why a case does not hold, and the rays that tell it, by their ids, as far as they are known.
pub(crate) struct Failure(String, Vec<u32>);

fn asked(case: &Case<'_>, setting: &Setting) -> Result<Result<Table, String>, Failure> {
    catch_unwind(AssertUnwindSafe(|| ask(case, setting))).map_err(|_| {
        let what = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Failure(format!("{what} in {setting:?}"), Vec::new())
    })
}

/// Finds rows that are not the same.
fn compare(case: &Case<'_>, found: &Table, expected: &Table, whose: &str) -> Result<(), Failure> {
    if found.len() != expected.len() {
        return Err(Failure(
            format!("{} rows, {} {whose}", found.len(), expected.len()),
            Vec::new(),
        ));
    }
    let differing: Vec<usize> =
        (0..found.len()).filter(|&row| found.row(row) != expected.row(row)).collect();
    let Some(&first) = differing.first() else { return Ok(()) };
    let words =
        |table: &Table| format!("{:x?}", table.row(first)).chars().take(600).collect::<String>();
    let ids = differing.iter().filter_map(|&row| case.rows.get(row).map(|row| row.id)).collect();
    let (found, expected) = (words(found), words(expected));
    Err(Failure(
        format!("{} rows differ, the first is {found}, {whose} {expected}", differing.len()),
        ids,
    ))
}

/// Asks in both settings, and of the rays with some ids by brute force.
pub(crate) fn check(
    case: &Case<'_>,
    settings: &[Setting; 2],
    sample: &[u32],
) -> Result<(), Failure> {
    let found = match (asked(case, &settings[0])?, asked(case, &settings[1])?) {
        (Err(first), Err(second)) if first == second => return Ok(()),
        (Ok(first), Ok(second)) => {
            compare(case, &first, &second, "in the second setting")?;
            first
        }
        (first, second) => {
            return Err(Failure(format!("{:?} and {:?}", first.err(), second.err()), Vec::new()));
        }
    };
    // Lines of sight and grids are known as a whole only.
    let whole = matches!(case.query, Query::Sight | Query::Occupancy);
    if matches!(case.query, Query::Cost | Query::Pick) || whole && case.rows.len() > sample.len() {
        return Ok(());
    }
    let is_asked = |&row: &usize| whole || sample.contains(&case.rows[row].id);
    let places: Vec<usize> = (0..case.rows.len()).filter(is_asked).collect();
    let sampled = case.of_rows(places.iter().map(|&row| case.rows[row]).collect());
    match asked(&sampled, &Setting { by_scan: true, ..Setting::PLAIN })? {
        Err(error) => Err(Failure(format!("by brute force {error}"), Vec::new())),
        Ok(expected) if whole => compare(&sampled, &found, &expected, "by brute force"),
        Ok(expected) => compare(&sampled, &found.of_rows(&places), &expected, "by brute force"),
    }
}

/// A case that does not hold, and the best that is known of it.
struct Shrinking<'a> {
    case: Case<'a>,
    settings: [Setting; 2],
    sample: Vec<u32>,
    failure: Failure,
    end: Instant,
}

impl<'a> Shrinking<'a> {
    /// Takes a smaller case if it does not hold either, and says whether it was taken.
    fn try_with(&mut self, case: Case<'a>, settings: [Setting; 2]) -> bool {
        if Instant::now() > self.end || case.rows.is_empty() {
            return false;
        }
        let Err(failure) = check(&case, &settings, &self.sample) else { return false };
        (self.case, self.settings, self.failure) = (case, settings, failure);
        true
    }

    /// Drops as many rays at once as there may be, half of them first.
    fn drop_rays(&mut self) {
        let mut length = self.case.rows.len();
        while length > 1 {
            length = length.div_ceil(2);
            let mut first = 0;
            while first < self.case.rows.len() && Instant::now() < self.end {
                let rows = &self.case.rows;
                let last = rows.len().min(first + length);
                let fewer = self.case.of_rows([&rows[..first], &rows[last..]].concat());
                if !self.try_with(fewer, self.settings) {
                    first = last;
                }
            }
        }
    }

    /// Leaves out whatever need not be.
    fn simplify(&mut self) {
        let simpler: [fn(Uses) -> Uses; 9] = [
            |_| Uses::NOTHING,
            |uses| Uses { masks: false, ..uses },
            |uses| Uses { culling_of_each: false, ..uses },
            |uses| Uses { skips: false, ..uses },
            |uses| Uses { limits: false, ..uses },
            |uses| Uses { normals: false, ..uses },
            |uses| Uses { culling: Culling::None, ..uses },
            |uses| Uses { contact: Contact::Crossing, ..uses },
            |uses| Uses { filter: None, ..uses },
        ];
        for simpler in simpler {
            let case = Case { uses: simpler(self.case.uses), ..self.case.clone() };
            self.try_with(case, self.settings);
        }
        for which in 0..2 {
            for simpler in Setting::SIMPLER {
                let mut settings = self.settings;
                settings[which] = simpler(settings[which]);
                self.try_with(self.case.clone(), settings);
            }
        }
    }
}

/// A case that does not hold with as few rays and in as plain settings as are found, in words.
pub(crate) fn shrink(
    case: Case<'_>,
    settings: [Setting; 2],
    mut sample: Vec<u32>,
    failure: Failure,
    was_tight: bool,
) -> String {
    sample.extend(failure.1.iter().take(10));
    let mut least = Shrinking { case, settings, sample, failure, end: Instant::now() + LIMIT };
    // Buffers that have grown once may hide from smaller batches what is wrong.
    set_tight_buffers(true);
    let tight = least.try_with(least.case.clone(), settings);
    set_tight_buffers(tight || was_tight);
    least.drop_rays();
    least.simplify();
    least.drop_rays();
    let Shrinking { case, settings, failure: Failure(what, ids), .. } = least;
    let on = |setting: Setting| format!("{} {setting:?}", case.subject.backends[setting.backend]);
    let (kind, settings, rows) = (&case.subject.kind, settings.map(on).join("\n"), case.rows.len());
    let listed = case.rows.iter().take(20).map(listed).collect::<String>();
    format!(
        "{:?} of {rows} rays {} at {kind}\n{what}\nby rays {ids:?}, tight buffers {}\n{:?}\n{settings}\n{listed}",
        case.query,
        case.rays,
        tight || was_tight,
        case.uses
    )
}

/// A ray, and its numbers as the bits of `f64`.
fn listed(row: &Row) -> String {
    let Row { ray, .. } = row;
    let numbers = [&ray.origin[..], &ray.direction, &[ray.t_min, ray.t_max]].concat();
    format!("{row:?}\n{:x?}\n", numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
}
