//! `map` of arrays, inlined.

/// `map` of the standard library is compiled as a call where its closure takes or gives vectors, with these in memory, as
/// a function of its own has no instructions of the backend.
pub(crate) trait MapEach<T, const N: usize> {
    /// The array of `f` of each element, in order. `N` is not 0.
    fn map_each<U: Copy>(self, f: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> MapEach<T, N> for [T; N] {
    #[inline(always)]
    fn map_each<U: Copy>(self, mut f: impl FnMut(T) -> U) -> [U; N] {
        let mut mapped = [f(self[0]); N];
        for place in 1..N {
            mapped[place] = f(self[place]);
        }
        mapped
    }
}
