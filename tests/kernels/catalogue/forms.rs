//! One harness for every test: all of its forms on all backends must say the same, bit for bit.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use lanecast::primitive::Block;
use lanecast::{
    Backend, Error, INVALID_ID, Scalar, Status, Threads,
    columns::Columns,
    primitive::{Bulk, BulkClosest, Defects, HitList, HitTable, Line},
};

use crate::catalogue::draw::Case;
use crate::catalogue::laid::{CasePrimitive, Laid, parts_of};
use crate::catalogue::subject::Subject;
use crate::common::backends::every_backend;
use lanecast_reference::kernel::number::Number;

/// The ways to run a test, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Scalar,
    Block,
    Pairwise,
    OneToMany,
    Bits,
    Counts,
    List,
    Closest,
}

impl Form {
    pub const ALL: [Self; 8] = [
        Self::Scalar,
        Self::Block,
        Self::Pairwise,
        Self::OneToMany,
        Self::Bits,
        Self::Counts,
        Self::List,
        Self::Closest,
    ];
}

/// How many pairs each form was checked with, on each backend.
#[derive(Debug, Default)]
pub struct Ledger(pub BTreeMap<(Form, &'static str), usize>);

impl Ledger {
    fn add(&mut self, form: Form, backend: Backend, pairs: usize) {
        *self.0.entry((form, backend.name())).or_default() += pairs;
    }
}

/// Threads to run on, with their number for messages.
static THREADS: LazyLock<[Threads; 2]> =
    LazyLock::new(|| [Threads::ONE, Threads::exactly(2).unwrap_or(Threads::ONE)]);

/// A hit as bits: its kind, and its numbers.
type Told = Option<(usize, Vec<u64>)>;

fn told<P: CasePrimitive, K: Subject<P>>(hit: Option<K::Hit>) -> Told {
    hit.map(|hit| (K::kind(&hit), K::values(&hit).into_iter().map(P::Scalar::bits).collect()))
}

/// A case with the answers of the scalar form, which all others must repeat.
struct Expected<'c, P, K: Subject<P>>
where
    P: CasePrimitive,
{
    test: K,
    case: &'c Case<P, K::Line>,
    /// By line, then by primitive.
    hits: Vec<Vec<Option<K::Hit>>>,
    answers: Answers,
}

/// The same for all tests: what can be asked of it is compiled once.
struct Answers {
    /// By line, then by primitive.
    told: Vec<Vec<Told>>,
    primitives: usize,
    defects: Defects,
}

/// The answers for every line (outer) and every primitive (inner), having checked that all forms on
/// all backends give them.
pub fn in_every_form<P: CasePrimitive, K: Subject<P>>(
    test: K,
    case: &Case<P, K::Line>,
    ledger: &mut Ledger,
) -> Vec<Vec<Option<K::Hit>>> {
    let expected = Expected::scalar(test, case);
    let pairs = case.lines.len() * case.primitives.len();
    for backend in every_backend() {
        ledger.add(Form::Scalar, backend, pairs);
        expected.block(backend);
        ledger.add(Form::Block, backend, pairs);
        for threads in &*THREADS {
            let bulk = Bulk::new(test).backend(backend).threads(threads);
            let mut forms =
                Forms { expected: &expected, bulk, context: format!("{backend}, {threads:?}") };
            forms.pairwise();
            forms.one_to_many();
            if forms.many_to_many() && threads.count() == 1 {
                ledger.add(Form::Closest, backend, pairs);
            }
        }
        for form in [Form::Pairwise, Form::OneToMany, Form::Bits, Form::Counts, Form::List] {
            ledger.add(form, backend, pairs);
        }
    }
    expected.hits
}

impl<'c, P: CasePrimitive, K: Subject<P>> Expected<'c, P, K> {
    fn scalar(test: K, case: &'c Case<P, K::Line>) -> Self {
        let mut defects = Defects::default();
        let mut hits = Vec::new();
        for (index, line) in case.lines.iter().enumerate() {
            let defect = line.line_defect().map(|status| Error::InvalidRay { status });
            if defect.is_some() {
                defects.count += 1;
                defects.first = defects.first.or(Some(index));
            }
            let ask = |primitive| match test.intersect(primitive, line) {
                Ok(hit) => {
                    assert_eq!(defect, None, "{line:?} is tested");
                    hit
                }
                Err(error) => {
                    assert_eq!(Some(error), defect, "{line:?} is refused");
                    None
                }
            };
            hits.push(case.primitives.iter().map(ask).collect::<Vec<_>>());
        }
        let row = |row: &Vec<Option<K::Hit>>| row.iter().map(|hit| told::<P, K>(*hit)).collect();
        let told = hits.iter().map(row).collect();
        Self {
            test,
            case,
            hits,
            answers: Answers { told, primitives: case.primitives.len(), defects },
        }
    }

    /// Blocks of one to eight.
    fn block(&self, backend: Backend) {
        for (index, line) in self.case.lines.iter().enumerate() {
            let mut first = 0;
            let mut size = 8 - index % 8;
            while first < self.case.primitives.len() {
                let count = size.min(self.case.primitives.len() - first);
                let block =
                    Block::new(&self.case.primitives[first..][..count]).expect("sound primitives");
                let hits = self.test.intersect_block(backend, &block, line);
                let hits = hits.map(|hits| {
                    let lanes = (0..8)
                        .map(|lane| (hits.mask >> lane & 1 == 1, told::<P, K>(hits.get(lane))));
                    lanes.collect()
                });
                let what = format!("block of {count} from {first}, line {index}, {backend}");
                self.answers.assert_block(
                    hits,
                    line.line_defect(),
                    index,
                    first..first + count,
                    &what,
                );
                first += count;
                size = size % 8 + 1;
            }
        }
    }
}

impl Answers {
    /// Of each lane, whether its bit is set, and its hit.
    fn assert_block(
        &self,
        hits: lanecast::Result<Vec<(bool, Told)>>,
        defect: Option<Status>,
        line: usize,
        places: Range<usize>,
        what: &str,
    ) {
        let hits = hits.unwrap_or_else(|error| {
            let refused = defect.map(|status| Error::InvalidRay { status });
            assert_eq!(Some(error), refused, "{what}");
            vec![(false, None); 8]
        });
        for (lane, (bit, hit)) in hits.iter().enumerate() {
            let expected =
                if lane < places.len() { &self.told[line][places.start + lane] } else { &None };
            assert_eq!(hit, expected, "lane {lane}, {what}");
            assert_eq!(*bit, hit.is_some(), "bit of lane {lane}, {what}");
        }
    }

    fn assert_bits(&self, bits: &[u64], what: &str) {
        let words = self.primitives.div_ceil(64);
        assert_eq!(bits.len(), self.told.len() * words, "bits, {what}");
        for (index, row) in self.told.iter().enumerate() {
            for place in 0..words * 64 {
                let bit = bits[index * words + place / 64] >> (place % 64) & 1 == 1;
                let met = row.get(place).is_some_and(Option::is_some);
                assert_eq!(bit, met, "bit {place} of line {index}, {what}");
            }
        }
    }

    fn assert_counts_and_list(&self, counts: &[u32], list: &HitList, what: &str) {
        assert_eq!(counts.len(), self.told.len(), "counts, {what}");
        assert_eq!(list.offsets.len(), self.told.len() + 1, "list, {what}");
        for (index, row) in self.told.iter().enumerate() {
            let met: Vec<u32> =
                (0..row.len()).filter(|&j| row[j].is_some()).map(|j| j as u32).collect();
            assert_eq!(counts[index] as usize, met.len(), "count of line {index}, {what}");
            assert_eq!(list.of_line(index), met, "list of line {index}, {what}");
        }
        assert_eq!(list.indices.len(), *list.offsets.last().expect("never empty"), "list, {what}");
    }
}

/// The forms in bulk on one backend and so many threads.
struct Forms<'e, 'c, P: CasePrimitive, K: Subject<P>> {
    expected: &'e Expected<'c, P, K>,
    bulk: Bulk<'static, K>,
    context: String,
}

/// The two ways in which records lie in memory.
fn layouts<'a, V: Laid>(
    records: &'a [V],
    parts: &'a [Vec<V::Scalar>],
) -> [(&'static str, Columns<'a, V>); 2] {
    [
        ("structure of arrays", V::from_parts(parts).expect("equal lengths")),
        ("array of structures", Columns::from_slice(records).expect("sound records")),
    ]
}

impl<P: CasePrimitive, K: Subject<P>> Forms<'_, '_, P, K> {
    /// All pairs row by row, and the first few of them: no length is a multiple of all lanes.
    fn pairwise(&mut self) {
        let Case { lines, primitives } = self.expected.case;
        let lines: Vec<K::Line> =
            lines.iter().flat_map(|line| primitives.iter().map(move |_| *line)).collect();
        let primitives: Vec<P> =
            self.expected.case.lines.iter().flat_map(|_| primitives.iter().copied()).collect();
        let told: Vec<&Told> = self.expected.answers.told.iter().flatten().collect();
        let (mut hits, mut t) = (HitTable::new(), Vec::new());
        for length in [lines.len(), 0, 1, 7, 17] {
            if length > lines.len() {
                continue;
            }
            let defective: Vec<usize> =
                (0..length).filter(|&row| lines[row].line_defect().is_some()).collect();
            let defects = Defects { count: defective.len(), first: defective.first().copied() };
            let parts = (parts_of(&lines[..length]), parts_of(&primitives[..length]));
            let of_lines = layouts(&lines[..length], &parts.0);
            let of_primitives = layouts(&primitives[..length], &parts.1);
            for ((layout, lines), (_, primitives)) in of_lines.iter().zip(&of_primitives) {
                let found =
                    self.bulk.pairwise(lines, primitives, &mut hits).expect("equal lengths");
                let what = format!("pairwise, {length} pairs, {layout}, {}", self.context);
                assert_eq!(found, defects, "{what}");
                ToldTable::of(&hits).assert(&told[..length], &what);
                if let Some(found) = K::pairwise_t(&self.bulk, lines, primitives, &mut t) {
                    assert_eq!(found, Ok(defects), "t alone, {what}");
                    assert_eq!(bits_of(&t), bits_of(hits.column(0)), "t alone, {what}");
                }
            }
        }
    }

    fn one_to_many(&mut self) {
        let Case { lines, primitives } = self.expected.case;
        let parts = parts_of(primitives);
        let mut hits = HitTable::new();
        for (index, line) in lines.iter().enumerate() {
            for (layout, primitives) in layouts(primitives, &parts) {
                let what = format!("one to many, line {index}, {layout}, {}", self.context);
                let defect = line.line_defect().map(|status| Error::InvalidRay { status });
                let answer = self.bulk.one_to_many(line, &primitives, &mut hits);
                assert_eq!(answer.err(), defect, "{what}");
                if defect.is_none() {
                    let told: Vec<&Told> = self.expected.answers.told[index].iter().collect();
                    ToldTable::of(&hits).assert(&told, &what);
                }
            }
        }
    }

    /// Whether the test has a closest hit.
    fn many_to_many(&mut self) -> bool {
        let Expected { case: Case { lines, primitives }, answers, .. } = self.expected;
        let parts = (parts_of(lines), parts_of(primitives));
        let mut has_closest = false;
        // What the buffers held before must not shine through.
        let (mut bits, mut counts) = (vec![u64::MAX; 3], vec![7; 5]);
        let (mut list, mut closest) = (HitList::new(), BulkClosest::new());
        for ((layout, lines), (_, primitives)) in
            layouts(lines, &parts.0).iter().zip(&layouts(primitives, &parts.1))
        {
            let what = format!("{layout}, {}", self.context);
            let check =
                |found: lanecast::Result<Defects>| assert_eq!(found, Ok(answers.defects), "{what}");
            check(self.bulk.bits(lines, primitives, &mut bits));
            check(self.bulk.counts(lines, primitives, &mut counts));
            check(self.bulk.list(lines, primitives, &mut list));
            let answered = K::closest(&self.bulk, lines, primitives, &mut closest);
            has_closest = answered.is_some();
            answered.into_iter().for_each(check);
            answers.assert_bits(&bits, &what);
            answers.assert_counts_and_list(&counts, &list, &what);
            if has_closest {
                let t_of = |hit: &Option<K::Hit>| hit.map(|hit| K::values(&hit)[0]);
                let rows = self.expected.hits.iter().map(|row| row.iter().map(t_of).collect());
                assert_closest(&closest, rows.collect(), &what);
            }
        }
        has_closest
    }
}

/// The first and closest of each line, by the `t` of all hits by line and primitive.
fn assert_closest<T: Number>(closest: &BulkClosest<T>, rows: Vec<Vec<Option<T>>>, what: &str) {
    assert_eq!((closest.index.len(), closest.t.len()), (rows.len(), rows.len()));
    for (line, row) in rows.into_iter().enumerate() {
        let mut first = (INVALID_ID, T::INFINITY);
        for (index, t) in row.into_iter().enumerate() {
            let Some(t) = t else { continue };
            if first.0 == INVALID_ID || t < first.1 {
                first = (index as u32, t);
            }
        }
        let found = (closest.index[line], closest.t[line]);
        assert_eq!(found, first, "closest of line {line}, {what}");
        // The sign of a zero is that of the one whose index is told, in every form.
        assert_eq!(found.1.bits(), first.1.bits(), "t of the closest of line {line}, {what}");
    }
}

pub fn bits_of<T: Number>(numbers: &[T]) -> Vec<u64> {
    numbers.iter().map(|number| number.bits()).collect()
}

/// All that a table of hits says, as bits.
struct ToldTable {
    is_empty: bool,
    codes: usize,
    /// Of each row the hit, and whether its code says that it is one.
    rows: Vec<(Told, bool)>,
    columns: Vec<Vec<u64>>,
    /// What a miss has in the first column, and in the others.
    of_miss: [u64; 2],
}

impl ToldTable {
    fn of<P: CasePrimitive, K: Subject<P>>(hits: &HitTable<P, K>) -> Self {
        let row = |row| (told::<P, K>(hits.get(row)), hits.codes()[row] != 0);
        let column = |place| bits_of(hits.column(place));
        Self {
            is_empty: hits.is_empty(),
            codes: hits.codes().len(),
            rows: (0..hits.len()).map(row).collect(),
            columns: (0..K::VALUES).map(column).collect(),
            of_miss: [P::Scalar::INFINITY.bits(), P::Scalar::ZERO.bits()],
        }
    }

    fn assert(&self, told_rows: &[&Told], what: &str) {
        assert_eq!(
            (self.rows.len(), self.is_empty),
            (told_rows.len(), told_rows.is_empty()),
            "{what}"
        );
        assert_eq!(self.codes, told_rows.len(), "{what}");
        for (row, expected) in told_rows.iter().enumerate() {
            let (hit, has_code) = &self.rows[row];
            assert_eq!(hit, *expected, "row {row}, {what}");
            assert_eq!(*has_code, expected.is_some(), "row {row}, {what}");
            for (place, column) in self.columns.iter().enumerate() {
                let of_miss = self.of_miss[place.min(1)];
                let expected = expected.as_ref().map_or(of_miss, |(_, values)| values[place]);
                assert_eq!(column[row], expected, "column {place}, row {row}, {what}");
            }
        }
    }
}
