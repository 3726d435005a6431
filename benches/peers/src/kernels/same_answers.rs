//! lanecast's own tests on plain numbers, over columns, without a branch in the loop, left to the
//! compiler to vectorise.
//!
//! This is the loop that answers what `Bulk::pairwise` answers, bit for bit: rays are looked
//! through for defects, and a pair has a code and all values of a hit, or `t` alone.

use lanecast::Ray;
use lanecast::primitive::{
    Aabb, Line, Obb, Slab, Sphere, SphereRoots, Test, Triangle, TriangleWithNormal, TripleProduct,
    Watertight,
};

use super::answers::Answers;
use super::entrants::{Entry, Family};
use super::input::Input;
use super::loops::{Instructions, Looping, Loops, VALUES};
use super::number::Number;

/// A test of one ray and the `N` numbers of a primitive.
pub(crate) trait PlainTest<F, const N: usize>: Copy + Sync {
    /// How many values a hit has.
    const VALUES: usize;

    /// Whether the test only marks pairs, which are then decided one by one.
    const DECIDES: bool;

    fn test(self, ray: &Ray<F>, numbers: [F; N]) -> Told<F>;

    fn decide(self, ray: &Ray<F>, numbers: [F; N]) -> Told<F>;
}

pub(crate) struct Told<F> {
    hit: bool,
    code: u8,
    values: [F; VALUES],
}

macro_rules! plain_test {
    ($test:ident of $primitive:ident, $values:literal values, |$n:ident: $count:literal| $parts:expr) => {
        impl<F: Number> PlainTest<F, $count> for $test {
            const VALUES: usize = $values;
            const DECIDES: bool = <$test as Test<$primitive<F>>>::DECIDES;

            #[inline(always)]
            fn test(self, ray: &Ray<F>, $n: [F; $count]) -> Told<F> {
                let prepared = Test::<$primitive<F>>::prepare::<F>(&self, ray);
                let primitive = <$test as Test<$primitive<F>>>::arrange::<F>($parts, &prepared);
                let answer = Test::<$primitive<F>>::test::<F>(&self, &primitive, &prepared);
                let mut values = [F::ZERO; VALUES];
                values[..$values].copy_from_slice(&answer.values);
                let code = if answer.hit { answer.code } else { F::ZERO };
                Told { hit: answer.hit, code: code.to_u8(), values }
            }

            fn decide(self, ray: &Ray<F>, $n: [F; $count]) -> Told<F> {
                let prepared = Test::<$primitive<F>>::prepare::<F>(&self, ray);
                let primitive = <$test as Test<$primitive<F>>>::arrange::<F>($parts, &prepared);
                let mut values = [F::ZERO; VALUES];
                let Some((code, decided)) =
                    Test::<$primitive<F>>::decide(&self, &primitive, &prepared)
                else {
                    return Told { hit: false, code: 0, values };
                };
                values[..$values].copy_from_slice(&decided);
                Told { hit: true, code, values }
            }
        }
    };
}

plain_test!(Slab of Aabb, 2 values, |n: 6| [[n[0], n[1], n[2]], [n[3], n[4], n[5]]]);
plain_test!(Slab of Obb, 2 values, |n: 15| [
    [n[0], n[1], n[2]],
    [n[3], n[4], n[5]],
    [n[6], n[7], n[8]],
    [n[9], n[10], n[11]],
    [n[12], n[13], n[14]],
]);
plain_test!(SphereRoots of Sphere, 2 values, |n: 4| n);
plain_test!(TripleProduct of Triangle, 3 values, |n: 9| [
    [n[0], n[1], n[2]],
    [n[3], n[4], n[5]],
    [n[6], n[7], n[8]],
]);
plain_test!(TripleProduct of TriangleWithNormal, 3 values, |n: 12| [
    [n[0], n[1], n[2]],
    [n[3], n[4], n[5]],
    [n[6], n[7], n[8]],
    [n[9], n[10], n[11]],
]);
plain_test!(Watertight of Triangle, 3 values, |n: 9| [
    [n[0], n[1], n[2]],
    [n[3], n[4], n[5]],
    [n[6], n[7], n[8]],
]);

/// Pairs that are marked before any is decided.
const BLOCK: usize = 256;

struct Pairs<'a, F, K, const N: usize> {
    test: K,
    rays: [&'a [F]; 6],
    interval: [F; 2],
    primitives: [&'a [F]; N],
}

#[inline(always)]
fn part<'a, F, const N: usize>(columns: &[&'a [F]; N], first: usize, count: usize) -> [&'a [F]; N] {
    let mut part = *columns;
    for column in &mut part {
        *column = &column[first..first + count];
    }
    part
}

impl<F: Number, K: PlainTest<F, N>, const N: usize> Pairs<'_, F, K, N> {
    #[inline(always)]
    fn pair(&self, rays: &[&[F]; 6], primitives: &[&[F]; N], index: usize) -> (Ray<F>, [F; N]) {
        let [x, y, z, dx, dy, dz] = rays;
        let ray = Ray {
            origin: [x[index], y[index], z[index]],
            direction: [dx[index], dy[index], dz[index]],
            t_min: self.interval[0],
            t_max: self.interval[1],
        };
        let mut numbers = [F::ZERO; N];
        for place in 0..N {
            numbers[place] = primitives[place][index];
        }
        (ray, numbers)
    }

    /// Whether all rays are sound. Without `CODES` there is `t` alone.
    #[inline(always)]
    fn fill<const CODES: bool>(
        &self,
        first: usize,
        codes: &mut [u8],
        values: [&mut [F]; VALUES],
    ) -> bool {
        let count = values[0].len();
        let (rays, primitives) =
            (part(&self.rays, first, count), part(&self.primitives, first, count));
        let [t, second, third] = values;
        let told = |wanted: bool| if CODES && wanted { count } else { 0 };
        let codes = &mut codes[..told(true)];
        let (second, third) =
            (&mut second[..told(K::VALUES > 1)], &mut third[..told(K::VALUES > 2)]);
        let mut marks = [false; BLOCK];
        let marks = &mut marks[..if K::DECIDES { count } else { 0 }];
        let mut sound = true;
        for (index, t) in t.iter_mut().enumerate() {
            let (ray, numbers) = self.pair(&rays, &primitives, index);
            sound &= <Ray<F> as Line>::surely_sound::<F>(&ray);
            let told = self.test.test(&ray, numbers);
            let hit = told.hit && !K::DECIDES;
            if K::DECIDES {
                marks[index] = told.hit;
            }
            *t = if hit { told.values[0] } else { F::INFINITY };
            if CODES {
                codes[index] = if K::DECIDES { 0 } else { told.code };
                if K::VALUES > 1 {
                    second[index] = if hit { told.values[1] } else { F::ZERO };
                }
                if K::VALUES > 2 {
                    third[index] = if hit { told.values[2] } else { F::ZERO };
                }
            }
        }
        for (index, _) in marks.iter().enumerate().filter(|(_, mark)| **mark) {
            let (ray, numbers) = self.pair(&rays, &primitives, index);
            let told = self.test.decide(&ray, numbers);
            if told.hit {
                t[index] = told.values[0];
                if CODES {
                    (codes[index], second[index], third[index]) =
                        (told.code, told.values[1], told.values[2]);
                }
            }
        }
        sound
    }

    #[inline(always)]
    fn fill_all<const CODES: bool>(
        &self,
        first: usize,
        mut codes: &mut [u8],
        mut values: [&mut [F]; VALUES],
    ) {
        let count = values[0].len();
        let block = if K::DECIDES { BLOCK } else { count.max(1) };
        let mut sound = true;
        for start in (0..count).step_by(block) {
            let rows = block.min(count - start);
            let values = values.each_mut().map(|column| {
                let rows = rows.min(column.len());
                column.split_off_mut(..rows).unwrap_or_default()
            });
            let of_codes = rows.min(codes.len());
            let codes = codes.split_off_mut(..of_codes).unwrap_or_default();
            sound &= self.fill::<CODES>(first + start, codes, values);
        }
        assert!(sound, "the input is sound");
    }
}

impl<F: Number, K: PlainTest<F, N>, const N: usize> Loops<F> for Pairs<'_, F, K, N> {
    fn counts(&self, _: usize, _: &mut [u32]) {
        unreachable!("of pairs");
    }

    fn bits(&self, _: usize, _: &mut [u64]) {
        unreachable!("of pairs");
    }

    fn closest(&self, _: usize, _: &mut [u32], _: &mut [F]) {
        unreachable!("of pairs");
    }

    #[inline(always)]
    fn pairwise(&self, first: usize, ts: &mut [F]) {
        self.fill_all::<false>(first, &mut [], [ts, &mut [], &mut []]);
    }

    #[inline(always)]
    fn rows(&self, first: usize, codes: &mut [u8], values: [&mut [F]; VALUES]) {
        self.fill_all::<true>(first, codes, values);
    }

    fn words_of_ray(&self) -> usize {
        1
    }
}

/// Enters the loop of a test with all answers and with `t` alone, for pairs.
pub(crate) fn enter<'a, F: Number, K: PlainTest<F, N> + 'a, const N: usize>(
    entry: &mut Entry<'a, F>,
    (what, test): (&str, K),
) {
    if !entry.form.in_pairs() {
        return;
    }
    let input: &'a Input<F> = entry.input;
    for instructions in Instructions::available() {
        let rows = Answers::rows(K::VALUES, input);
        let parts = [("", rows), (", t alone", Answers::room(entry.form, input))];
        for (part, answers) in parts {
            let pairs = Pairs {
                test,
                rays: input.rays.each_ref().map(Vec::as_slice),
                interval: [F::ZERO, F::INFINITY],
                primitives: std::array::from_fn(|place| input.primitives[place].as_slice()),
            };
            let name = format!("loop of the same test{}", instructions.suffix());
            let work = Looping::with(pairs, instructions, entry.threads, answers);
            entry.add_same(&name, &format!("{what}{part}"), Family::SameLoops, work);
        }
    }
}
