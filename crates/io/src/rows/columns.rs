//! Which columns of a table mean what.

use super::{Chunk, Row, WHOLE, near, no_number};
use crate::error::{Error, Result, list};
use crate::excerpt;
use std::borrow::Cow;

/// Where the columns of a row stand in a table.
pub(super) struct Columns {
    /// The place of each of its [names](Row::NAMES).
    pub(super) numbers: Vec<Option<usize>>,
    pub(super) id: Option<usize>,
}

impl Columns {
    /// Finds the columns by their names, and the names of the others in their order. A name that is
    /// not known but nearly is would be lost without a word.
    pub(super) fn find<R: Row>(found: &[impl AsRef<str>]) -> Result<(Self, Vec<String>), String> {
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
        Ok((Self { numbers, id: place(R::ID_NAME)? }, ignored))
    }

    /// Appends a row of text: `field` has what stands in a column, and `wrong` makes an error of a
    /// name, what stands there and what it should be.
    pub(super) fn read_text<'t, R: Row>(
        &self,
        chunk: &mut Chunk<R>,
        field: impl Fn(usize) -> Cow<'t, str>,
        wrong: impl Fn(&str, &str, &str) -> Error,
    ) -> Result<()> {
        let mut row = R::BLANK;
        let numbers = row.numbers().iter_mut().zip(&self.numbers).zip(R::NAMES);
        for (place, ((number, column), name)) in numbers.enumerate() {
            let Some(text) = column.map(&field) else { continue };
            *number = if text.is_empty() {
                // Nothing is known of it, and the status of the row will say so.
                no_number()
            } else {
                let nearest = chunk.moved.nearest_to_text(place, &text);
                nearest.ok_or_else(|| wrong(name, &text, "a number"))?
            };
        }
        chunk.rows.push(row);
        if let Some(text) = self.id.map(field) {
            chunk.ids.push(text.parse().map_err(|_| wrong(R::ID_NAME, &text, WHOLE))?);
        }
        Ok(())
    }
}
