//! Cases that love the border: few coordinates, shared between lines and primitives.

use lanecast::Scalar;
use proptest::prelude::*;

use crate::catalogue::laid::{CaseLine, CasePrimitive, Ends};
use lanecast_reference::kernel::number::Number;

/// Lines and primitives, each of which is tested with each.
#[derive(Debug, Clone)]
pub struct Case<P, L> {
    pub lines: Vec<L>,
    pub primitives: Vec<P>,
}

/// How many lines and primitives a case has: none, one, no multiple of any vector's lanes, more
/// than a block, more than a word of bits.
const SIZES: [[usize; 2]; 13] = [
    [0, 3],
    [3, 0],
    [1, 1],
    [7, 1],
    [1, 7],
    [17, 2],
    [5, 17],
    [9, 9],
    [33, 4],
    [2, 65],
    [1, 131],
    [12, 16],
    [8, 25],
];

/// The size of the largest coordinates that are drawn, before they are scaled.
const FAR: f64 = 1_048_576.0;

/// On a lattice of halves, so that lines and primitives touch exactly; of either zero; next to the
/// lattice; anywhere; and far from the origin.
fn coordinate() -> impl Strategy<Value = f64> + Clone {
    let lattice = || (-6..=6_i32).prop_map(|i| f64::from(i) * 0.5);
    prop_oneof![
        27 => lattice(),
        3 => Just(-0.0),
        3 => (lattice(), -3..=3_i32).prop_map(|(x, i)| x + f64::from(i) * 2_f64.powi(-22)),
        16 => -3.0..3.0,
        1 => lattice().prop_map(|x| FAR + x),
    ]
    .boxed()
}

/// A component of a direction by itself: zeros, powers of two, anything.
fn component() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        5 => prop_oneof![Just(0.0), Just(-0.0)],
        4 => prop_oneof![Just(1.0), Just(-1.0), Just(0.5), Just(-2.0)],
        2 => (-3..=3_i32).prop_map(f64::from),
        4 => -1.0..1.0,
    ]
    .boxed()
}

/// Rays, lines, segments, single points, and intervals anywhere, also before the origin.
fn interval() -> impl Strategy<Value = [f64; 2]> + Clone {
    let quarter = |i: i32| f64::from(i) * 0.25;
    prop_oneof![
        5 => Just([0.0, f64::INFINITY]),
        2 => Just([f64::NEG_INFINITY, f64::INFINITY]),
        3 => Just([0.0, 1.0]),
        1 => Just([f64::NEG_INFINITY, -0.0]),
        2 => (-8..=8_i32).prop_map(move |t| [quarter(t), quarter(t)]),
        3 => (-8..=8_i32, 0..=8_i32).prop_map(move |(t, length)| [quarter(t), quarter(t + length)]),
        1 => (-3.0..3.0, 0.0..3.0).prop_map(|(t, length): (f64, f64)| [t, t + length]),
        1 => prop_oneof![Just([1.0, 0.0]), Just([f64::NAN, 1.0]), Just([0.0, f64::NAN])],
    ]
    .boxed()
}

/// What a line is made of, before it is known what it will meet.
#[derive(Debug, Clone)]
struct LineSeed {
    origin: [f64; 3],
    target: [f64; 3],
    direction: Option<[f64; 3]>,
    interval: [f64; 2],
    /// For each coordinate of origin and target, whether it is that of a landmark.
    borrowed: [bool; 6],
    /// A primitive, and two of its landmarks.
    landmarks: (prop::sample::Index, u8, u8),
    /// An oddity: 0 to 3 of a component of the direction, 4 to 7 defects.
    oddity: Option<(u8, usize)>,
}

fn line_seed() -> impl Strategy<Value = LineSeed> {
    let triple = |x: BoxedStrategy<f64>| [x.clone(), x.clone(), x];
    let borrow = || prop::bool::weighted(0.4);
    let borrowed = prop_oneof![
        3 => [borrow(), borrow(), borrow(), borrow(), borrow(), borrow()],
        // Right at a landmark, from anywhere or from another one.
        2 => prop::bool::weighted(0.2).prop_map(|origin| [origin, origin, origin, true, true, true]),
    ];
    (
        triple(coordinate().boxed()),
        triple(coordinate().boxed()),
        prop::option::weighted(0.35, triple(component().boxed())),
        interval(),
        borrowed,
        (any::<prop::sample::Index>(), 0..64_u8, 0..64_u8),
        prop::option::weighted(0.08, (0..8_u8, 0..3_usize)),
    )
        .prop_map(|(origin, target, direction, interval, borrowed, landmarks, oddity)| {
            LineSeed { origin, target, direction, interval, borrowed, landmarks, oddity }
        })
}

impl LineSeed {
    fn line<P: CasePrimitive, L: CaseLine<Scalar = P::Scalar>>(
        &self,
        primitives: &[P],
        scale: f64,
    ) -> L {
        let mut points =
            [self.origin, self.target].map(|point| point.map(|x| P::Scalar::of_f64(x * scale)));
        if !primitives.is_empty() {
            let (index, first, second) = self.landmarks;
            let primitive = index.get(primitives);
            let landmarks = [primitive.landmark(first), primitive.landmark(second)];
            for (place, _) in self.borrowed.iter().enumerate().filter(|(_, borrowed)| **borrowed) {
                points[place / 3][place % 3] = landmarks[place / 3][place % 3];
            }
        }
        let [origin, target] = points;
        let direction = match self.direction {
            Some(direction) => direction.map(P::Scalar::of_f64),
            None => std::array::from_fn(|axis| target[axis] - origin[axis]),
        };
        let interval = self.interval.map(P::Scalar::of_f64);
        let mut ends = Ends { origin, target, direction, interval };
        if let Some((oddity, axis)) = self.oddity {
            let least = P::Scalar::MIN_POSITIVE;
            match oddity {
                0 => ends.direction[axis] = least * P::Scalar::of(0.125),
                1 => ends.direction[axis] = P::Scalar::ZERO - least,
                2 => ends.direction[axis] = P::Scalar::ONE / P::Scalar::LARGEST_COORDINATE,
                3 => ends.direction[axis] = P::Scalar::of(-0.0),
                4 => ends.direction = [P::Scalar::of(-0.0); 3],
                5 => ends.direction[axis] = P::Scalar::INFINITY,
                6 => ends.target[axis] = P::Scalar::of_f64(f64::NAN),
                _ => ends.origin[axis] = P::Scalar::of_f64(f64::NAN),
            }
        }
        L::draw(&ends)
    }
}

/// What a case is made of, before it is known of which primitives and in which precision.
#[derive(Debug, Clone)]
pub struct CaseSeed {
    level: i32,
    lines: Vec<LineSeed>,
    primitives: Vec<([f64; 15], u8)>,
}

impl CaseSeed {
    pub fn case<P: CasePrimitive, L: CaseLine<Scalar = P::Scalar>>(&self) -> Case<P, L> {
        let scale = 2_f64.powi(self.level * P::Scalar::SCALE_STEP);
        let primitive = |(numbers, kind): &([f64; 15], u8)| {
            P::draw(&numbers.map(|x| P::Scalar::of_f64(x * scale)), *kind)
        };
        let primitives: Vec<P> = self.primitives.iter().map(primitive).collect();
        let lines = self.lines.iter().map(|seed| seed.line(&primitives, scale)).collect();
        Case { lines, primitives }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.lines.len() * self.primitives.len()
    }
}

/// Cases of all [`SIZES`], at any scale that a primitive of so many `levels` allows. One type for
/// all tests: its code is large.
pub fn case_seed(levels: i32) -> BoxedStrategy<CaseSeed> {
    let seed = (0..SIZES.len()).prop_flat_map(move |size| {
        let [lines, primitives] = SIZES[size];
        let level = prop_oneof![6 => Just(0), 2 => -levels..=levels];
        let coordinates = prop::array::uniform15(coordinate());
        (
            level,
            prop::collection::vec(line_seed(), lines),
            prop::collection::vec((coordinates, 0..16_u8), primitives),
        )
            .prop_map(|(level, lines, primitives)| CaseSeed { level, lines, primitives })
    });
    seed.boxed()
}
