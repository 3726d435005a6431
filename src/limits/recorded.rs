//! A number that records what is done to it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::kind::Kind;
use crate::simd::{Mask, Real, Scalar};

/// The number of a node in the graph of what was recorded.
pub(super) type Node = u32;

/// How a node comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// A number of the primitive.
    Primitive(usize),
    /// A number of the line.
    Line(usize),
    /// The same number always, by the bits of its `f64`.
    Constant(u64),
    /// The same yes or no always.
    Always(bool),
    /// An operation on up to three nodes; unused places name the first.
    Operation(Operation, [Node; 3]),
}

/// What is done to numbers and masks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
    Less,
    AtMost,
    Magnitude,
    SquareRoot,
    Select,
    And,
    Or,
    Not,
}

impl Operation {
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::Add | Self::Subtract => Kind::Add,
            Self::Multiply => Kind::Multiply,
            Self::Divide => Kind::Divide,
            Self::Min | Self::Max => Kind::MinMax,
            Self::Less | Self::AtMost => Kind::Compare,
            Self::Magnitude => Kind::Magnitude,
            Self::SquareRoot => Kind::SquareRoot,
            Self::Select => Kind::Select,
            Self::And | Self::Or | Self::Not => Kind::Mask,
        }
    }

    /// Whether a compiler takes `a ∘ b` and `b ∘ a` for the same.
    const fn commutes(self) -> bool {
        matches!(self, Self::Add | Self::Multiply | Self::And | Self::Or)
    }
}

/// Everything recorded, each node once.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Origin>,
    numbers: HashMap<Origin, Node>,
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

impl Graph {
    /// What `work` does to recorded numbers.
    pub(super) fn of<T>(work: impl FnOnce() -> T) -> (T, Self) {
        GRAPH.take();
        let result = work();
        (result, GRAPH.take())
    }

    pub(super) fn origin(&self, node: Node) -> Origin {
        self.nodes[node as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&mut self, origin: Origin) -> Node {
        *self.numbers.entry(origin).or_insert_with(|| {
            self.nodes.push(origin);
            (self.nodes.len() - 1) as Node
        })
    }

    fn constant(&self, node: Node) -> Option<f64> {
        match self.origin(node) {
            Origin::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn always(&self, node: Node) -> Option<bool> {
        match self.origin(node) {
            Origin::Always(answer) => Some(answer),
            _ => None,
        }
    }

    /// The operation, or what a compiler replaces it by without changing a bit.
    fn operation(&mut self, operation: Operation, mut operands: [Node; 3]) -> Node {
        let [a, b, c] = operands;
        let (constants, answers) = ([self.constant(a), self.constant(b)], [self.always(a), self.always(b)]);
        match (operation, constants, answers) {
            (Operation::Less, [Some(a), Some(b)], _) => return self.node(Origin::Always(a < b)),
            (Operation::AtMost, [Some(a), Some(b)], _) => return self.node(Origin::Always(a <= b)),
            (Operation::Not, _, [Some(answer), _]) => return self.node(Origin::Always(!answer)),
            (Operation::And, _, [Some(false), _]) | (Operation::Or, _, [Some(true), _]) => return a,
            (Operation::And, _, [Some(true), _]) | (Operation::Or, _, [Some(false), _]) => return b,
            (Operation::And, _, [_, Some(false)]) | (Operation::Or, _, [_, Some(true)]) => return b,
            (Operation::And, _, [_, Some(true)]) | (Operation::Or, _, [_, Some(false)]) => return a,
            (Operation::And | Operation::Or, ..) if a == b => return a,
            (Operation::Select, _, [Some(true), _]) => return b,
            (Operation::Select, _, [Some(false), _]) => return c,
            (Operation::Select, ..) if b == c => return b,
            _ => {}
        }
        if operation.commutes() && a > b {
            operands = [b, a, b];
        } else if operation.commutes() {
            operands = [a, b, a];
        }
        self.node(Origin::Operation(operation, operands))
    }
}

fn record(origin: Origin) -> Node {
    GRAPH.with_borrow_mut(|graph| graph.node(origin))
}

fn operate(operation: Operation, operands: [Node; 3]) -> Node {
    GRAPH.with_borrow_mut(|graph| graph.operation(operation, operands))
}

/// A number of which is known how it came about, and nothing else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recorded<T>(pub(super) Node, PhantomData<T>);

/// The same for a yes or no.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordedMask(pub(super) Node);

impl<T: Scalar> Recorded<T> {
    pub(super) fn of(origin: Origin) -> Self {
        Self(record(origin), PhantomData)
    }

    pub(super) fn constant(value: T) -> Self {
        Self::of(Origin::Constant(value.to_f64().to_bits()))
    }

    fn with(self, operation: Operation, other: Self) -> Self {
        Self(operate(operation, [self.0, other.0, self.0]), PhantomData)
    }

    fn alone(self, operation: Operation) -> Self {
        self.with(operation, self)
    }

    fn compared(self, operation: Operation, other: Self) -> RecordedMask {
        RecordedMask(self.with(operation, other).0)
    }
}

impl<T: Scalar> Real for Recorded<T> {
    type Scalar = T;
    type Mask = RecordedMask;

    fn splat(self, value: T) -> Self {
        Self::constant(value)
    }

    fn min(self, other: Self) -> Self {
        self.with(Operation::Min, other)
    }

    fn max(self, other: Self) -> Self {
        self.with(Operation::Max, other)
    }

    fn lt(self, other: Self) -> RecordedMask {
        self.compared(Operation::Less, other)
    }

    fn le(self, other: Self) -> RecordedMask {
        self.compared(Operation::AtMost, other)
    }

    fn abs(self) -> Self {
        self.alone(Operation::Magnitude)
    }

    fn sqrt(self) -> Self {
        self.alone(Operation::SquareRoot)
    }

    fn select(self, mask: RecordedMask, other: Self) -> Self {
        Self(operate(Operation::Select, [mask.0, self.0, other.0]), PhantomData)
    }
}

macro_rules! arithmetic {
    ($($operator:ident $method:ident $operation:ident),*) => {$(
        impl<T: Scalar> $operator for Recorded<T> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.with(Operation::$operation, other)
            }
        }
    )*};
}

arithmetic!(Add add Add, Sub sub Subtract, Mul mul Multiply, Div div Divide);

impl Mask for RecordedMask {
    /// No lane: a recorded number has no value. Tests ask for bits in their forms only, not in what is
    /// recorded.
    fn bits(self) -> u32 {
        0
    }
}

impl BitAnd for RecordedMask {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(operate(Operation::And, [self.0, other.0, self.0]))
    }
}

impl BitOr for RecordedMask {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(operate(Operation::Or, [self.0, other.0, self.0]))
    }
}

impl Not for RecordedMask {
    type Output = Self;
    fn not(self) -> Self {
        Self(operate(Operation::Not, [self.0; 3]))
    }
}
