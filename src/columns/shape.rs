//! Fixed arrangements of numbers.

/// Whatever can stand in a place.
pub trait Item: Copy + Send + Sync {}

impl<X: Copy + Send + Sync> Item for X {}

/// An arrangement of so many things, whatever they are: one number each, a column each, eight lanes
/// each, a vector each.
pub trait Shape: Copy + 'static {
    /// How many places there are.
    const COUNT: usize;

    /// The arrangement of `X`s.
    type Of<X: Item>: Item;

    /// The same thing in every place.
    fn filled<X: Item>(value: X) -> Self::Of<X>;

    /// What is in a place.
    fn at<X: Item>(arrangement: &Self::Of<X>, place: usize) -> &X;

    /// What is in a place, to be changed.
    fn at_mut<X: Item>(arrangement: &mut Self::Of<X>, place: usize) -> &mut X;
}

/// `ROWS` arrays of `N` things each, such as the two corners of a box.
#[derive(Debug, Clone, Copy)]
pub struct Rows<const ROWS: usize, const N: usize>;

impl<const ROWS: usize, const N: usize> Shape for Rows<ROWS, N> {
    const COUNT: usize = ROWS * N;

    type Of<X: Item> = [[X; N]; ROWS];

    #[inline(always)]
    fn filled<X: Item>(value: X) -> [[X; N]; ROWS] {
        [[value; N]; ROWS]
    }

    #[inline(always)]
    fn at<X: Item>(arrangement: &[[X; N]; ROWS], place: usize) -> &X {
        &arrangement[place / N][place % N]
    }

    #[inline(always)]
    fn at_mut<X: Item>(arrangement: &mut [[X; N]; ROWS], place: usize) -> &mut X {
        &mut arrangement[place / N][place % N]
    }
}

/// A row of `N` things.
#[derive(Debug, Clone, Copy)]
pub struct Row<const N: usize>;

impl<const N: usize> Shape for Row<N> {
    const COUNT: usize = N;

    type Of<X: Item> = [X; N];

    #[inline(always)]
    fn filled<X: Item>(value: X) -> [X; N] {
        [value; N]
    }

    #[inline(always)]
    fn at<X: Item>(arrangement: &[X; N], place: usize) -> &X {
        &arrangement[place]
    }

    #[inline(always)]
    fn at_mut<X: Item>(arrangement: &mut [X; N], place: usize) -> &mut X {
        &mut arrangement[place]
    }
}
