//! Which columns of a table mean what.

use super::{Row, near};
use crate::error::list;
use crate::excerpt;
use std::marker::PhantomData;

/// Where the columns of a row stand in a table.
#[derive(Debug, Clone)]
pub(super) struct Columns<R> {
    /// The place of each of its [names](Row::NAMES).
    pub(super) numbers: Vec<Option<usize>>,
    pub(super) id: Option<usize>,
    /// The names of the others, in their order.
    pub(super) ignored: Vec<String>,
    row: PhantomData<fn() -> R>,
}

impl<R: Row> Columns<R> {
    /// Finds the columns by their names. A name that is not known but nearly is would be lost
    /// without a word.
    pub(super) fn find<S: AsRef<str>>(found: &[S]) -> Result<Self, String> {
        let place = |name: &str| {
            let mut places = (0..found.len()).filter(|&place| found[place].as_ref() == name);
            let first = places.next();
            match places.next() {
                Some(_) => Err(format!("column \"{name}\" stands there twice")),
                None => Ok(first),
            }
        };
        let numbers: Vec<_> = R::NAMES.iter().map(|name| place(name)).collect::<Result<_, _>>()?;
        let (mut ignored, known) = (Vec::new(), || R::NAMES.iter().copied().chain([R::ID_NAME]));
        for name in
            found.iter().map(AsRef::as_ref).filter(|name| known().all(|known| known != *name))
        {
            if let Some(meant) = near::meant(name, known(), R::ALIASES) {
                let name = excerpt(name);
                return Err(format!(
                    "column \"{name}\" is not known; did you mean \"{meant}\"? rename it or remove it"
                ));
            }
            ignored.push(name.to_owned());
        }
        let missing: Vec<_> = (0..R::REQUIRED)
            .filter(|&number| numbers[number].is_none())
            .map(|number| format!("\"{}\"", R::NAMES[number]))
            .collect();
        if !missing.is_empty() {
            return Err(format!("no column {}; found {}", missing.join(", "), list(found)));
        }
        Ok(Self { numbers, id: place(R::ID_NAME)?, ignored, row: PhantomData })
    }

    /// Each number's name, with its column if there is one.
    pub(super) fn named(&self) -> impl Iterator<Item = (Option<usize>, &'static str)> {
        self.numbers.iter().copied().zip(R::NAMES.iter().copied())
    }
}
