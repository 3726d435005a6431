//! Who takes part in a table.

use super::answers::{Answering, Form};
use super::input::Input;
use super::loops::{Instructions, Looping, Loops, OneByOne, PairTest};
use super::number::Number;
use serde::Serialize;

/// Whose code a contestant runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Family {
    /// lanecast's batches.
    Lanecast,
    /// lanecast's other forms, shown beside them.
    LanecastForms,
    /// Another crate, or tests written with one.
    Crate,
    /// Loops over columns, left to the compiler to vectorise.
    Loops,
    /// Such loops of lanecast's own tests, with the same answers.
    SameLoops,
}

/// One row of a table.
pub(crate) struct Entrant<'a, F> {
    pub(crate) name: String,
    pub(crate) family: Family,
    /// Whether it does not meet the backs of triangles.
    pub(crate) one_sided: bool,
    /// What it has in common with those that give the same answers, if there are any.
    pub(crate) answers: Option<String>,
    pub(crate) work: Box<dyn Answering<F> + 'a>,
}

/// A table on its way: what is asked, and who has entered.
pub(crate) struct Entry<'a, F> {
    pub(crate) input: &'a Input<F>,
    pub(crate) form: Form,
    pub(crate) threads: usize,
    pub(crate) entrants: Vec<Entrant<'a, F>>,
}

impl<'a, F: Number> Entry<'a, F> {
    /// Enters whatever answers.
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        family: Family,
        work: impl Answering<F> + 'a,
    ) {
        let work = Box::new(work);
        let name = name.into();
        self.entrants.push(Entrant { name, family, one_sided: false, answers: None, work });
    }

    /// Enters whatever answers the same, bit for bit, as others that are entered with the same
    /// `answers`.
    pub(crate) fn add_same(
        &mut self,
        name: &str,
        answers: &str,
        family: Family,
        work: impl Answering<F> + 'a,
    ) {
        let (name, answers, work) =
            (format!("{name}{answers}"), Some(answers.to_owned()), Box::new(work));
        self.entrants.push(Entrant { name, family, one_sided: false, answers, work });
    }

    /// Enters a test of one ray and one primitive, in plain loops compiled for each of the
    /// `instructions`.
    pub(crate) fn add_pair_test<T: PairTest<F> + 'a, const N: usize>(
        &mut self,
        name: &str,
        instructions: &[Instructions],
        ray: impl Fn([F; 3], [F; 3]) -> T::Ray,
        primitive: impl Fn([F; N]) -> T::Primitive,
    ) where
        T::Ray: 'a,
        T::Primitive: 'a,
    {
        for &instructions in instructions {
            let rays = self.input.rays_as(&ray);
            let primitives = self.input.primitives_as(&primitive);
            self.add_loops(
                name,
                Family::Crate,
                instructions,
                OneByOne::<F, T>::new(rays, primitives),
            );
        }
    }

    /// Enters loops of its own kind.
    pub(crate) fn add_loops(
        &mut self,
        name: &str,
        family: Family,
        instructions: Instructions,
        loops: impl Loops<F> + 'a,
    ) {
        let work = Looping::new(loops, instructions, self.threads, self.form, self.input);
        self.add(format!("{name}{}", instructions.suffix()), family, work);
    }
}
