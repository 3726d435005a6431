//! Which columns of a table mean what.

use super::kept::Column;
use super::{Chunk, Row, WHOLE, near, no_number};
use crate::error::{Error, Result, list};
use crate::excerpt;
use std::borrow::Cow;
use std::ops::Deref;

/// Where the columns of a row stand in a table.
pub(crate) struct Columns {
    /// The names of all columns.
    names: Names,
    /// The place of each of its [names](Row::NAMES).
    pub(super) numbers: Vec<Option<usize>>,
    pub(super) id: Option<usize>,
    /// Those that are kept beside rows, each with its kind: no values.
    pub(super) kept: Vec<(usize, Column)>,
    /// Whether a header tells the kinds.
    pub(super) by_header: bool,
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
        let names = Names::new(found.iter().map(|name| name.as_ref().to_owned()).collect());
        let (id, kept) = (place(R::ID_NAME)?, Vec::new());
        Ok((Self { names, numbers, id, kept, by_header: false }, ignored))
    }

    /// Keeps the columns of these names, which are of the kinds that `kind_of` says of their places.
    pub(super) fn keep(
        &mut self,
        names: &[String],
        kind_of: impl Fn(usize) -> Result<Column, String>,
    ) -> Result<Vec<Column>, String> {
        let column = |name: &String| {
            let place = self.names.place_of("column", name)?;
            Ok((place, kind_of(place)?))
        };
        self.kept = names.iter().map(column).collect::<Result<_, String>>()?;
        Ok(self.none_kept())
    }

    /// No values of each column that is kept.
    pub(super) fn none_kept(&self) -> Vec<Column> {
        self.kept.iter().map(|(_, column)| column.none()).collect()
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
        if let Some(text) = self.id.map(&field) {
            chunk.ids.push(text.parse().map_err(|_| wrong(R::ID_NAME, &text, WHOLE))?);
        }
        for ((column, _), values) in self.kept.iter().zip(&mut chunk.kept) {
            let text = field(*column);
            if matches!(text, Cow::Owned(_)) {
                return Err(wrong(&self.names[*column], &text, "text in UTF-8"));
            }
            let pushed = values.push_text(&text, self.by_header);
            pushed.map_err(|kind| wrong(&self.names[*column], &text, kind))?;
        }
        Ok(())
    }
}

/// Names in their order, of which each is found in few steps: a file may have very many.
pub(super) struct Names {
    names: Vec<String>,
    /// Their places, by their names.
    sorted: Vec<usize>,
}

impl Names {
    pub(super) fn new(names: Vec<String>) -> Self {
        let mut sorted: Vec<usize> = (0..names.len()).collect();
        sorted.sort_by_key(|&place| &names[place]);
        Self { names, sorted }
    }

    /// The place of a name, where it stands once.
    pub(super) fn place_of(&self, what: &str, name: &str) -> Result<usize, String> {
        let Self { names, sorted } = self;
        let first = sorted.partition_point(|place| *names[*place] < *name);
        let mut places = sorted[first..].iter().take_while(|place| names[**place] == name);
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(*place),
            (Some(_), Some(_)) => Err(format!("{what} \"{}\" stands there twice", excerpt(name))),
            (None, _) => {
                let meant = near::meant(name, names.iter().map(String::as_str), &[]);
                let meant = meant.map(|meant| format!("; did you mean \"{}\"?", excerpt(meant)));
                let (name, found) = (excerpt(name), list(names));
                let meant = meant.unwrap_or_default();
                Err(format!("there is no {what} \"{name}\"; found {found}{meant}"))
            }
        }
    }
}

impl Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.names
    }
}
