//! The loops around tests that take one ray and one primitive, as a user of a library of such tests
//! writes them, and the three sets of instructions that loops can be compiled for.

use super::answers::{Answering, Answers, Form, NONE};
use super::input::Input;
use super::number::Number;
use crate::rounds::Contestant;

/// A test of one ray and one primitive.
pub(crate) trait PairTest<F>: Sync {
    /// A ray as the test wants it, made before the clock starts.
    type Ray: Sync;

    /// A primitive as the test wants it, made before the clock starts.
    type Primitive: Sync;

    /// Whether they meet.
    fn meets(ray: &Self::Ray, primitive: &Self::Primitive) -> bool;

    /// Where they meet: the least `t` ≥ 0 at which the ray is in the primitive; ∞ if they do not.
    fn t(ray: &Self::Ray, primitive: &Self::Primitive) -> F;
}

/// The four forms for some of the rays: those from `first` on, as many as there is room for
/// answers.
pub(crate) trait Loops<F>: Sync {
    fn counts(&self, first: usize, counts: &mut [u32]);
    fn bits(&self, first: usize, words: &mut [u64]);
    fn closest(&self, first: usize, indices: &mut [u32], ts: &mut [F]);
    fn pairwise(&self, first: usize, ts: &mut [F]);
    /// [`Answers::Rows`].
    fn rows(&self, _: usize, _: &mut [u8], _: [&mut [F]; VALUES]) {
        unreachable!("not entered");
    }
    /// How many words of bits a ray has.
    fn words_of_ray(&self) -> usize;
}

/// The most values of a hit.
pub(crate) const VALUES: usize = 3;

/// Plain loops over slices of rays and of primitives.
pub(crate) struct OneByOne<F, T: PairTest<F>> {
    rays: Vec<T::Ray>,
    primitives: Vec<T::Primitive>,
}

impl<F: Number, T: PairTest<F>> OneByOne<F, T> {
    pub(crate) const fn new(rays: Vec<T::Ray>, primitives: Vec<T::Primitive>) -> Self {
        Self { rays, primitives }
    }
}

impl<F: Number, T: PairTest<F>> Loops<F> for OneByOne<F, T> {
    #[inline(always)]
    fn counts(&self, first: usize, counts: &mut [u32]) {
        for (ray, into) in self.rays[first..].iter().zip(counts) {
            let mut count = 0;
            for primitive in &self.primitives {
                count += u32::from(T::meets(ray, primitive));
            }
            *into = count;
        }
    }

    #[inline(always)]
    fn bits(&self, first: usize, words: &mut [u64]) {
        for (ray, words) in
            self.rays[first..].iter().zip(words.chunks_exact_mut(self.words_of_ray()))
        {
            for (primitives, into) in self.primitives.chunks(64).zip(words) {
                let mut word = 0;
                for (place, primitive) in primitives.iter().enumerate() {
                    word |= u64::from(T::meets(ray, primitive)) << place;
                }
                *into = word;
            }
        }
    }

    #[inline(always)]
    fn closest(&self, first: usize, indices: &mut [u32], ts: &mut [F]) {
        for (ray, (index, t)) in self.rays[first..].iter().zip(indices.iter_mut().zip(ts)) {
            let (mut nearest, mut best) = (NONE, F::INFINITY);
            for (place, primitive) in self.primitives.iter().enumerate() {
                let t = T::t(ray, primitive);
                if t < best {
                    (nearest, best) = (place as u32, t);
                }
            }
            (*index, *t) = (nearest, best);
        }
    }

    #[inline(always)]
    fn pairwise(&self, first: usize, ts: &mut [F]) {
        let pairs = self.rays[first..].iter().zip(&self.primitives[first..]);
        for ((ray, primitive), t) in pairs.zip(ts) {
            *t = T::t(ray, primitive);
        }
    }

    fn words_of_ray(&self) -> usize {
        self.primitives.len().div_ceil(64)
    }
}

/// What the loops are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// What every processor of the target has, as in a build without flags.
    Default,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// Those that this machine has.
    pub(crate) fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "there is but one"))]
        let mut available = vec![Self::Default];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if avx2 {
                available.push(Self::Avx2);
            }
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("f16c")
            {
                available.push(Self::Avx512);
            }
        }
        available
    }

    /// The contestant's name with these instructions.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Default => "",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => ", AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => ", AVX-512",
        }
    }
}

/// Some of the answers, to be filled in.
enum Part<'a, F> {
    Counts(&'a mut [u32]),
    Bits(&'a mut [u64]),
    Closest(&'a mut [u32], &'a mut [F]),
    Pairwise(&'a mut [F]),
    Rows(&'a mut [u8], [&'a mut [F]; VALUES]),
}

impl<F: Number> Part<'_, F> {
    #[inline(always)]
    fn fill<L: Loops<F>>(self, loops: &L, first: usize) {
        match self {
            Self::Counts(counts) => loops.counts(first, counts),
            Self::Bits(words) => loops.bits(first, words),
            Self::Closest(indices, ts) => loops.closest(first, indices, ts),
            Self::Pairwise(ts) => loops.pairwise(first, ts),
            Self::Rows(codes, values) => loops.rows(first, codes, values),
        }
    }
}

#[inline(never)]
fn fill_in_default<F: Number, L: Loops<F>>(part: Part<'_, F>, loops: &L, first: usize) {
    part.fill(loops, first);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn fill_in_avx2<F: Number, L: Loops<F>>(part: Part<'_, F>, loops: &L, first: usize) {
    part.fill(loops, first);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt"
)]
fn fill_in_avx512<F: Number, L: Loops<F>>(part: Part<'_, F>, loops: &L, first: usize) {
    part.fill(loops, first);
}

/// Loops with their answers, on so many threads.
pub(crate) struct Looping<F, L> {
    loops: L,
    instructions: Instructions,
    threads: usize,
    answers: Answers<F>,
}

impl<F: Number, L: Loops<F>> Looping<F, L> {
    pub(crate) fn new(
        loops: L,
        instructions: Instructions,
        threads: usize,
        form: Form,
        input: &Input<F>,
    ) -> Self {
        Self::with(loops, instructions, threads, Answers::room(form, input))
    }

    pub(crate) const fn with(
        loops: L,
        instructions: Instructions,
        threads: usize,
        answers: Answers<F>,
    ) -> Self {
        Self { loops, instructions, threads, answers }
    }
}

impl<F: Number, L: Loops<F>> Answering<F> for Looping<F, L> {
    fn answers(&self) -> Answers<F> {
        self.answers.clone()
    }
}

impl<F: Number, L: Loops<F>> Contestant for Looping<F, L> {
    fn run(&mut self) {
        let Self { loops, instructions, threads, answers } = self;
        let loops: &L = loops;
        let fill = |first: usize, part: Part<'_, F>| match instructions {
            Instructions::Default => fill_in_default(part, loops, first),
            // SAFETY: made only by `available`, which asks for the same features.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { fill_in_avx2(part, loops, first) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { fill_in_avx512(part, loops, first) },
        };
        let piece = |rays: usize| rays.div_ceil(*threads).max(1);
        let words = loops.words_of_ray();
        let mut parts: Vec<Part<'_, F>> = match answers {
            Answers::Counts(counts) => {
                let piece = piece(counts.len());
                counts.chunks_mut(piece).map(Part::Counts).collect()
            }
            Answers::Bits(bits) => {
                let piece = piece(bits.len() / words) * words;
                bits.chunks_mut(piece).map(Part::Bits).collect()
            }
            Answers::Closest(indices, ts) => {
                let piece = piece(ts.len());
                let parts = indices.chunks_mut(piece).zip(ts.chunks_mut(piece));
                parts.map(|(indices, ts)| Part::Closest(indices, ts)).collect()
            }
            Answers::Pairwise(ts) => {
                let piece = piece(ts.len());
                ts.chunks_mut(piece).map(Part::Pairwise).collect()
            }
            Answers::Rows(codes, values) => {
                let piece = piece(codes.len());
                let mut left = values.each_mut().map(Vec::as_mut_slice);
                let parts = codes.chunks_mut(piece).map(|codes| {
                    let values = left.each_mut().map(|column| {
                        let rows = piece.min(column.len());
                        column.split_off_mut(..rows).unwrap_or_default()
                    });
                    Part::Rows(codes, values)
                });
                parts.collect()
            }
        };
        if parts.len() == 1 {
            return parts.pop().map_or((), |part| fill(0, part));
        }
        let fill = &fill;
        rayon::scope(|scope| {
            let mut first = 0;
            for part in parts {
                let count = match &part {
                    Part::Counts(counts) => counts.len(),
                    Part::Bits(bits) => bits.len() / words,
                    Part::Closest(_, ts) | Part::Pairwise(ts) => ts.len(),
                    Part::Rows(codes, _) => codes.len(),
                };
                scope.spawn(move |_| fill(first, part));
                first += count;
            }
        });
    }
}
