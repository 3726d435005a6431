//! The same tests over columns, without a branch in the loop, left to the compiler to vectorise.
//!
//! Whoever keeps columns can have this much without a library: the loops say what is wanted of each
//! element, and the instructions that they are compiled for decide how many elements go at once.

use super::answers::NONE;
use super::entrants::{Entry, Family};
use super::input::{Input, Primitive};
use super::loops::{Instructions, Loops};
use super::number::Number;

/// A test of one ray and the `N` numbers of a primitive.
trait ColumnTest<F, const N: usize>: Sync {
    /// What a ray is turned into once, before it meets many primitives.
    type Ray: Copy + Sync;

    fn prepare(origin: [F; 3], direction: [F; 3]) -> Self::Ray;

    fn meets(ray: &Self::Ray, primitive: [F; N]) -> bool;

    /// `t`, or ∞ for a miss.
    fn t(ray: &Self::Ray, primitive: [F; N]) -> F;
}

/// Primitives whose `t` is kept at a time.
const BLOCK: usize = 256;

/// How many least `t` are kept at a time, so that no comparison waits for the one before.
const LANES: usize = 32;

struct Columns<'a, F, T, const N: usize> {
    rays: [&'a [F]; 6],
    primitives: [&'a [F]; N],
    count: usize,
    test: std::marker::PhantomData<fn() -> T>,
}

impl<'a, F: Number, T: ColumnTest<F, N>, const N: usize> Columns<'a, F, T, N> {
    fn new(input: &'a Input<F>) -> Self {
        Self {
            rays: std::array::from_fn(|place| input.rays[place].as_slice()),
            primitives: std::array::from_fn(|place| input.primitives[place].as_slice()),
            count: input.primitive_count(),
            test: std::marker::PhantomData,
        }
    }

    #[inline(always)]
    fn ray(&self, index: usize) -> T::Ray {
        let [x, y, z, dx, dy, dz] = self.rays;
        T::prepare([x[index], y[index], z[index]], [dx[index], dy[index], dz[index]])
    }

    /// The columns from `first` on, all of the same length, which spares the loops their checks.
    #[inline(always)]
    fn block(&self, first: usize, count: usize) -> [&'a [F]; N] {
        let mut block = self.primitives;
        for column in &mut block {
            *column = &column[first..first + count];
        }
        block
    }
}

#[inline(always)]
fn row<F: Number, const N: usize>(columns: &[&[F]; N], index: usize) -> [F; N] {
    let mut numbers = [F::ZERO; N];
    for place in 0..N {
        numbers[place] = columns[place][index];
    }
    numbers
}

impl<F: Number, T: ColumnTest<F, N>, const N: usize> Loops<F> for Columns<'_, F, T, N> {
    #[inline(always)]
    fn counts(&self, first: usize, counts: &mut [u32]) {
        let columns = self.block(0, self.count);
        for (number, into) in counts.iter_mut().enumerate() {
            let ray = self.ray(first + number);
            let mut count = 0;
            for index in 0..self.count {
                count += u32::from(T::meets(&ray, row(&columns, index)));
            }
            *into = count;
        }
    }

    #[inline(always)]
    fn bits(&self, first: usize, words: &mut [u64]) {
        for (number, words) in words.chunks_exact_mut(self.words_of_ray()).enumerate() {
            let ray = self.ray(first + number);
            for (place, word) in words.iter_mut().enumerate() {
                let count = (self.count - 64 * place).min(64);
                let columns = self.block(64 * place, count);
                let mut hits = [0_u8; 64];
                for (index, hit) in hits[..count].iter_mut().enumerate() {
                    *hit = u8::from(T::meets(&ray, row(&columns, index)));
                }
                *word = 0;
                for (byte, eight) in hits.as_chunks::<8>().0.iter().enumerate() {
                    // The product gathers the lowest bits of eight bytes in its highest byte.
                    let gathered =
                        u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                    *word |= gathered << (8 * byte);
                }
            }
        }
    }

    #[inline(always)]
    fn closest(&self, first: usize, indices: &mut [u32], ts: &mut [F]) {
        for (number, (nearest, best)) in indices.iter_mut().zip(ts).enumerate() {
            let ray = self.ray(first + number);
            (*nearest, *best) = (NONE, F::INFINITY);
            for start in (0..self.count).step_by(BLOCK) {
                let count = (self.count - start).min(BLOCK);
                let columns = self.block(start, count);
                let mut ts = [F::INFINITY; BLOCK];
                for (index, t) in ts[..count].iter_mut().enumerate() {
                    *t = T::t(&ray, row(&columns, index));
                }
                let mut least = [F::INFINITY; LANES];
                for ts in ts.as_chunks::<LANES>().0 {
                    for lane in 0..LANES {
                        least[lane] = ts[lane].least(least[lane]);
                    }
                }
                let mut least_of_all = F::INFINITY;
                for least in least {
                    least_of_all = least.least(least_of_all);
                }
                if least_of_all < *best {
                    *best = least_of_all;
                    let place = ts.iter().position(|&t| t == least_of_all);
                    *nearest = place.map_or(NONE, |place| (start + place) as u32);
                }
            }
        }
    }

    #[inline(always)]
    fn pairwise(&self, first: usize, ts: &mut [F]) {
        let columns = self.block(first, ts.len());
        let mut rays = self.rays;
        for column in &mut rays {
            *column = &column[first..first + ts.len()];
        }
        for (index, t) in ts.iter_mut().enumerate() {
            let [x, y, z, dx, dy, dz] = row(&rays, index);
            *t = T::t(&T::prepare([x, y, z], [dx, dy, dz]), row(&columns, index));
        }
    }

    fn words_of_ray(&self) -> usize {
        self.count.div_ceil(64)
    }
}

#[inline(always)]
fn dot<F: Number>(a: [F; 3], b: [F; 3]) -> F {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<F: Number>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn minus<F: Number>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn if_met<F: Number>(hit: bool, t: F) -> F {
    if hit { t } else { F::INFINITY }
}

/// Where a line is between two corners, from its origin on.
#[inline(always)]
fn slabs<F: Number>(origin: [F; 3], inv_direction: [F; 3], min: [F; 3], max: [F; 3]) -> (F, F) {
    let (mut enter, mut exit) = (F::ZERO, F::INFINITY);
    for axis in 0..3 {
        let a = (min[axis] - origin[axis]) * inv_direction[axis];
        let b = (max[axis] - origin[axis]) * inv_direction[axis];
        enter = a.least(b).greatest(enter);
        exit = a.greatest(b).least(exit);
    }
    (enter, exit)
}

#[inline(always)]
fn inverse<F: Number>([x, y, z]: [F; 3]) -> [F; 3] {
    [F::ONE / x, F::ONE / y, F::ONE / z]
}

struct Box;

impl<F: Number> ColumnTest<F, 6> for Box {
    /// Origin and reciprocal of the direction.
    type Ray = [[F; 3]; 2];

    #[inline(always)]
    fn prepare(origin: [F; 3], direction: [F; 3]) -> [[F; 3]; 2] {
        [origin, inverse(direction)]
    }

    #[inline(always)]
    fn meets(&[origin, inv_direction]: &[[F; 3]; 2], [x, y, z, ex, ey, ez]: [F; 6]) -> bool {
        let (enter, exit) = slabs(origin, inv_direction, [x, y, z], [ex, ey, ez]);
        enter <= exit
    }

    #[inline(always)]
    fn t(&[origin, inv_direction]: &[[F; 3]; 2], [x, y, z, ex, ey, ez]: [F; 6]) -> F {
        let (enter, exit) = slabs(origin, inv_direction, [x, y, z], [ex, ey, ez]);
        if_met(enter <= exit, enter)
    }
}

struct Oriented;

impl Oriented {
    #[inline(always)]
    fn slabs<F: Number>([origin, direction]: [[F; 3]; 2], n: [F; 15]) -> (F, F) {
        let offset = minus(origin, [n[0], n[1], n[2]]);
        let [u, v, w] = [[n[3], n[4], n[5]], [n[6], n[7], n[8]], [n[9], n[10], n[11]]];
        let origin = [dot(u, offset), dot(v, offset), dot(w, offset)];
        let direction = [dot(u, direction), dot(v, direction), dot(w, direction)];
        let half = [n[12], n[13], n[14]];
        slabs(origin, inverse(direction), [-half[0], -half[1], -half[2]], half)
    }
}

impl<F: Number> ColumnTest<F, 15> for Oriented {
    type Ray = [[F; 3]; 2];

    #[inline(always)]
    fn prepare(origin: [F; 3], direction: [F; 3]) -> [[F; 3]; 2] {
        [origin, direction]
    }

    #[inline(always)]
    fn meets(&ray: &[[F; 3]; 2], numbers: [F; 15]) -> bool {
        let (enter, exit) = Self::slabs(ray, numbers);
        enter <= exit
    }

    #[inline(always)]
    fn t(&ray: &[[F; 3]; 2], numbers: [F; 15]) -> F {
        let (enter, exit) = Self::slabs(ray, numbers);
        if_met(enter <= exit, enter)
    }
}

/// Directions are unit vectors here, which spares the quadratic's leading coefficient.
struct Sphere;

impl Sphere {
    /// The foot of the perpendicular and the square of half the chord.
    #[inline(always)]
    fn chord<F: Number>([origin, direction]: [[F; 3]; 2], [x, y, z, radius]: [F; 4]) -> (F, F) {
        let offset = minus([x, y, z], origin);
        let foot = dot(offset, direction);
        let off = minus(offset, [foot * direction[0], foot * direction[1], foot * direction[2]]);
        (foot, radius * radius - dot(off, off))
    }
}

impl<F: Number> ColumnTest<F, 4> for Sphere {
    type Ray = [[F; 3]; 2];

    #[inline(always)]
    fn prepare(origin: [F; 3], direction: [F; 3]) -> [[F; 3]; 2] {
        [origin, direction]
    }

    #[inline(always)]
    fn meets(&ray: &[[F; 3]; 2], sphere: [F; 4]) -> bool {
        let (foot, half_chord_squared) = Self::chord(ray, sphere);
        // Ahead, or around the origin.
        (half_chord_squared >= F::ZERO) & ((foot >= F::ZERO) | (foot * foot <= half_chord_squared))
    }

    #[inline(always)]
    fn t(&ray: &[[F; 3]; 2], sphere: [F; 4]) -> F {
        let (foot, half_chord_squared) = Self::chord(ray, sphere);
        let half_chord = half_chord_squared.greatest(F::ZERO).root();
        let hit = (half_chord_squared >= F::ZERO) & (foot + half_chord >= F::ZERO);
        if_met(hit, (foot - half_chord).greatest(F::ZERO))
    }
}

/// After Möller and Trumbore, two-sided.
struct Triangle;

impl<F: Number> ColumnTest<F, 9> for Triangle {
    type Ray = [[F; 3]; 2];

    #[inline(always)]
    fn prepare(origin: [F; 3], direction: [F; 3]) -> [[F; 3]; 2] {
        [origin, direction]
    }

    #[inline(always)]
    fn meets(ray: &[[F; 3]; 2], numbers: [F; 9]) -> bool {
        <Self as ColumnTest<F, 9>>::t(ray, numbers) < F::INFINITY
    }

    #[inline(always)]
    fn t(&[origin, direction]: &[[F; 3]; 2], n: [F; 9]) -> F {
        let [a, b, c] = [[n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]]];
        let (ab, ac) = (minus(b, a), minus(c, a));
        let across = cross(direction, ac);
        let inv_determinant = F::ONE / dot(ab, across);
        let offset = minus(origin, a);
        let u = dot(offset, across) * inv_determinant;
        let across = cross(offset, ab);
        let v = dot(direction, across) * inv_determinant;
        let t = dot(ac, across) * inv_determinant;
        // NaN, from a determinant of zero, fails too.
        let hit = (u >= F::ZERO) & (v >= F::ZERO) & (u + v <= F::ONE) & (t >= F::ZERO);
        if_met(hit, t)
    }
}

pub(crate) fn enter<F: Number>(entry: &mut Entry<'_, F>, instructions: &[Instructions]) {
    let input = entry.input;
    for &instructions in instructions {
        let (name, family) = ("loops over columns", Family::Loops);
        match input.primitive {
            Primitive::Aabb => {
                entry.add_loops(name, family, instructions, Columns::<F, Box, 6>::new(input));
            }
            Primitive::Obb => {
                entry.add_loops(name, family, instructions, Columns::<F, Oriented, 15>::new(input));
            }
            Primitive::Sphere => {
                entry.add_loops(name, family, instructions, Columns::<F, Sphere, 4>::new(input));
            }
            Primitive::Triangle => {
                entry.add_loops(name, family, instructions, Columns::<F, Triangle, 9>::new(input));
            }
        }
    }
}
