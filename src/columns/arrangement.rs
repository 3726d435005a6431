//! Fixed arrangements of numbers.

pub trait Item: Copy + Send + Sync {}

impl<X: Copy + Send + Sync> Item for X {}

/// An arrangement of a fixed number of items: one number each, a column each, eight lanes each, a
/// vector each.
pub trait Shape: Copy + 'static {
    const COUNT: usize;

    type Of<X: Item>: Item;

    fn filled<X: Item>(value: X) -> Self::Of<X>;

    #[inline(always)]
    fn from_fn<X: Item>(mut make: impl FnMut(usize) -> X) -> Self::Of<X> {
        let mut made = Self::filled(make(0));
        for place in 1..Self::COUNT {
            *Self::at_mut(&mut made, place) = make(place);
        }
        made
    }

    #[inline(always)]
    fn places() -> Self::Of<usize> {
        Self::from_fn(|place| place)
    }

    fn at<X: Item>(arrangement: &Self::Of<X>, place: usize) -> &X;

    fn at_mut<X: Item>(arrangement: &mut Self::Of<X>, place: usize) -> &mut X;

    /// Maps each item.
    ///
    /// Vectors are loaded, splatted and stored by this, and not place by place: a loop over places
    /// is not unrolled, and every vector then goes through the stack (pairs of a ray and a box took
    /// 1.3 times as long).
    fn map<X: Item, Y: Item>(arrangement: &Self::Of<X>, map: &impl Map<X, Y>) -> Self::Of<Y>;
}

/// A function on items. A closure is a function of its own, which the compiler need not inline.
pub trait Map<X, Y> {
    fn map(&self, thing: &X) -> Y;
}

/// `ROWS` arrays of `N` items each, such as the two corners of a box.
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
    fn places() -> [[usize; N]; ROWS] {
        std::array::from_fn(|row| std::array::from_fn(|column| row * N + column))
    }

    #[inline(always)]
    fn at<X: Item>(arrangement: &[[X; N]; ROWS], place: usize) -> &X {
        &arrangement.as_flattened()[place]
    }

    #[inline(always)]
    fn at_mut<X: Item>(arrangement: &mut [[X; N]; ROWS], place: usize) -> &mut X {
        &mut arrangement.as_flattened_mut()[place]
    }

    #[inline(always)]
    fn map<X: Item, Y: Item>(arrangement: &[[X; N]; ROWS], map: &impl Map<X, Y>) -> [[Y; N]; ROWS] {
        let mut mapped = [[map.map(&arrangement[0][0]); N]; ROWS];
        for row in 0..ROWS {
            for place in 0..N {
                mapped[row][place] = map.map(&arrangement[row][place]);
            }
        }
        mapped
    }
}

/// A row of `N` items.
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
    fn places() -> [usize; N] {
        std::array::from_fn(|place| place)
    }

    #[inline(always)]
    fn at<X: Item>(arrangement: &[X; N], place: usize) -> &X {
        &arrangement[place]
    }

    #[inline(always)]
    fn at_mut<X: Item>(arrangement: &mut [X; N], place: usize) -> &mut X {
        &mut arrangement[place]
    }

    #[inline(always)]
    fn map<X: Item, Y: Item>(arrangement: &[X; N], map: &impl Map<X, Y>) -> [Y; N] {
        let mut mapped = [map.map(&arrangement[0]); N];
        for place in 1..N {
            mapped[place] = map.map(&arrangement[place]);
        }
        mapped
    }
}

/// One arrangement and then another.
impl<A: Shape, B: Shape> Shape for (A, B) {
    const COUNT: usize = A::COUNT + B::COUNT;

    type Of<X: Item> = (A::Of<X>, B::Of<X>);

    #[inline(always)]
    fn filled<X: Item>(value: X) -> Self::Of<X> {
        (A::filled(value), B::filled(value))
    }

    #[inline(always)]
    fn at<X: Item>((first, second): &Self::Of<X>, place: usize) -> &X {
        if place < A::COUNT { A::at(first, place) } else { B::at(second, place - A::COUNT) }
    }

    #[inline(always)]
    fn at_mut<X: Item>((first, second): &mut Self::Of<X>, place: usize) -> &mut X {
        if place < A::COUNT { A::at_mut(first, place) } else { B::at_mut(second, place - A::COUNT) }
    }

    #[inline(always)]
    fn map<X: Item, Y: Item>((first, second): &Self::Of<X>, map: &impl Map<X, Y>) -> Self::Of<Y> {
        (A::map(first, map), B::map(second, map))
    }
}
