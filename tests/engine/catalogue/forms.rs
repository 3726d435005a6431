//! One harness for every test: all of its forms on all backends must say the same, bit for bit.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lanecast::primitive::Block;
use lanecast::{
    Backend, Error, INVALID_ID, Scalar, Threads,
    columns::Columns,
    primitive::{Bulk, BulkClosest, Defects, HitList, HitTable, Line},
};

use crate::catalogue::draw::Case;
use crate::catalogue::laid::{CasePrimitive, Laid, parts_of, rows_of};
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
    told: Vec<Vec<Told>>,
    defects: Defects,
}

/// The answers for every line (outer) and every primitive (inner), having checked that all forms on all
/// backends give them.
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
            let mut forms = Forms { expected: &expected, bulk, context: format!("{backend}, {threads:?}") };
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
        Self { test, case, told: hits.iter().map(row).collect(), hits, defects }
    }

    /// Blocks of one to eight.
    fn block(&self, backend: Backend) {
        for (index, line) in self.case.lines.iter().enumerate() {
            let mut first = 0;
            let mut size = 8 - index % 8;
            while first < self.case.primitives.len() {
                let count = size.min(self.case.primitives.len() - first);
                let block = Block::new(&self.case.primitives[first..][..count]).expect("sound primitives");
                assert_eq!((block.len(), block.is_empty()), (count, false));
                let context = || format!("block of {count} from {first}, line {index}, {backend}");
                let hits = match self.test.intersect_block(backend, &block, line) {
                    Ok(hits) => {
                        (0..8).map(|lane| (hits.mask >> lane & 1, told::<P, K>(hits.get(lane)))).collect()
                    }
                    Err(Error::InvalidRay { status }) => {
                        assert_eq!(Some(status), line.line_defect(), "{}", context());
                        vec![(0, None); 8]
                    }
                    Err(error) => panic!("{error}: {}", context()),
                };
                for (lane, (bit, hit)) in hits.iter().enumerate() {
                    let expected = if lane < count { &self.told[index][first + lane] } else { &None };
                    assert_eq!(hit, expected, "lane {lane}, {}", context());
                    assert_eq!(*bit == 1, hit.is_some(), "bit of lane {lane}, {}", context());
                }
                first += count;
                size = size % 8 + 1;
            }
        }
    }
}

/// The forms in bulk on one backend and so many threads.
struct Forms<'e, 'c, P: CasePrimitive, K: Subject<P>> {
    expected: &'e Expected<'c, P, K>,
    bulk: Bulk<'static, K>,
    context: String,
}

/// The three ways in which records lie in memory.
fn layouts<'a, V: Laid>(
    records: &'a [V],
    parts: &'a [Vec<V::Scalar>],
) -> [(&'static str, Columns<'a, V>); 3] {
    [
        ("structure of arrays", V::from_parts(parts).expect("equal lengths")),
        ("array of structures", Columns::from_slice(records).expect("sound records")),
        ("rows", Columns::from_rows(rows_of(records)).expect("whole rows")),
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
        let told: Vec<&Told> = self.expected.told.iter().flatten().collect();
        let mut hits = HitTable::new();
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
                let found = self.bulk.pairwise(lines, primitives, &mut hits).expect("equal lengths");
                let what = format!("pairwise, {length} pairs, {layout}, {}", self.context);
                assert_eq!(found, defects, "{what}");
                assert_table(&hits, &told[..length], &what);
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
                    assert_table(&hits, &self.expected.told[index].iter().collect::<Vec<_>>(), &what);
                }
            }
        }
    }

    /// Whether the test has a closest hit.
    fn many_to_many(&mut self) -> bool {
        let Case { lines, primitives } = self.expected.case;
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
                |found: lanecast::Result<Defects>| assert_eq!(found, Ok(self.expected.defects), "{what}");
            check(self.bulk.bits(lines, primitives, &mut bits));
            check(self.bulk.counts(lines, primitives, &mut counts));
            check(self.bulk.list(lines, primitives, &mut list));
            let answered = K::closest(&self.bulk, lines, primitives, &mut closest);
            has_closest = answered.is_some();
            answered.into_iter().for_each(check);
            self.assert_bits(&bits, &what);
            assert_eq!(counts.len(), lines.len(), "counts, {what}");
            assert_eq!(list.offsets.len(), lines.len() + 1, "list, {what}");
            for (index, row) in self.expected.told.iter().enumerate() {
                let met: Vec<u32> = (0..row.len()).filter(|&j| row[j].is_some()).map(|j| j as u32).collect();
                assert_eq!(counts[index] as usize, met.len(), "count of line {index}, {what}");
                assert_eq!(list.of_line(index), met, "list of line {index}, {what}");
            }
            assert_eq!(list.indices.len(), *list.offsets.last().expect("never empty"), "list, {what}");
            if has_closest {
                self.assert_closest(&closest, &what);
            }
        }
        has_closest
    }

    fn assert_bits(&self, bits: &[u64], what: &str) {
        let Case { lines, primitives } = self.expected.case;
        let words = primitives.len().div_ceil(64);
        assert_eq!(bits.len(), lines.len() * words, "bits, {what}");
        for (index, row) in self.expected.told.iter().enumerate() {
            for place in 0..words * 64 {
                let bit = bits[index * words + place / 64] >> (place % 64) & 1 == 1;
                let met = row.get(place).is_some_and(Option::is_some);
                assert_eq!(bit, met, "bit {place} of line {index}, {what}");
            }
        }
    }

    fn assert_closest(&self, closest: &BulkClosest<P::Scalar>, what: &str) {
        assert_eq!(
            (closest.index.len(), closest.t.len()),
            (self.expected.hits.len(), self.expected.hits.len())
        );
        for (line, row) in self.expected.hits.iter().enumerate() {
            let mut first = (INVALID_ID, P::Scalar::INFINITY);
            for (index, hit) in row.iter().enumerate() {
                let Some(hit) = hit else { continue };
                let t = K::values(hit)[0];
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
}

fn assert_table<P: CasePrimitive, K: Subject<P>>(hits: &HitTable<P, K>, told_rows: &[&Told], what: &str) {
    assert_eq!((hits.len(), hits.is_empty()), (told_rows.len(), told_rows.is_empty()), "{what}");
    assert_eq!(hits.codes().len(), told_rows.len(), "{what}");
    for (row, expected) in told_rows.iter().enumerate() {
        assert_eq!(told::<P, K>(hits.get(row)), **expected, "row {row}, {what}");
        assert_eq!(
            (hits.is_hit(row), hits.codes()[row] != 0),
            (expected.is_some(), expected.is_some()),
            "row {row}, {what}"
        );
        for place in 0..K::VALUES {
            let of_miss = if place == 0 { P::Scalar::INFINITY } else { P::Scalar::ZERO };
            let expected = expected.as_ref().map_or(of_miss.bits(), |(_, values)| values[place]);
            assert_eq!(hits.column(place)[row].bits(), expected, "column {place}, row {row}, {what}");
        }
    }
}
