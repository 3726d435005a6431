//! `map` of arrays, inlined.

/// `map` of the standard library is compiled as a call where its closure takes or gives vectors,
/// with these in memory, as a function of its own has no instructions of the backend. It is also
/// six functions for each closure, so closures on arrays of plain numbers use this too, for the
/// time it takes to compile.
pub(crate) trait MapEach<T, const N: usize> {
    /// The array of `f` of each element, in order. `N` is not 0.
    fn map_each<U: Copy>(self, f: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> MapEach<T, N> for [T; N] {
    #[inline(always)]
    fn map_each<U: Copy>(self, mut f: impl FnMut(T) -> U) -> [U; N] {
        let mut mapped = [f(self[0]); N];
        let mut place = 1;
        // No range, whose iterator is two functions more.
        while place < N {
            mapped[place] = f(self[place]);
            place += 1;
        }
        mapped
    }
}
