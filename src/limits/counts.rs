//! The operations that a test needs for a vector of answers.

use super::kind::Kind;
use super::recorded::{Graph, Node, Origin, Recorded};
use crate::columns::{PartsOf, Record, Shape};
use crate::primitive::Test;
use crate::ray::Line;
use crate::simd::{Real, Scalar};

/// What of a test is done for each vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One line and a vector of primitives: hit or not. The loop of [`Bulk::bits`](crate::Bulk::bits).
    Bits,
    /// One line and a vector of primitives: codes and values of the hits. The loop of
    /// [`Bulk::one_to_many`](crate::Bulk::one_to_many).
    Values,
    /// A vector of lines and a vector of primitives: codes and values. The loop of
    /// [`Bulk::pairwise`](crate::Bulk::pairwise).
    Pairs,
}

/// How many operations of each kind a test does for each vector of answers, at least.
///
/// ```
/// use lanecast::Aabb;
/// use lanecast::limits::{Counts, Form, Kind};
/// use lanecast::primitive::Slab;
/// let counts = Counts::of::<Aabb, _>(&Slab, Form::Bits);
/// // Three axes, two planes each: a difference, a product and a minimum or maximum.
/// assert_eq!(counts.of_kind(Kind::Add), 6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    of_kind: [usize; Kind::ALL.len()],
    /// The numbers of the primitive that the answer depends on.
    pub primitive_numbers: usize,
    /// The numbers that come with a hit.
    pub answer_numbers: usize,
    /// The bytes of a number.
    pub(super) number_size: usize,
}

impl Counts {
    /// Counts the operations of a test.
    pub fn of<P: Record, K: Test<P>>(test: &K, form: Form) -> Self {
        let (answer, graph) = Graph::of(|| record::<P, K>(test, form));
        let varies = varying(&graph, form);
        let mut counts = Self {
            of_kind: [0; Kind::ALL.len()],
            primitive_numbers: 0,
            answer_numbers: K::Values::COUNT,
            number_size: size_of::<P::Scalar>(),
        };
        let mut seen = vec![false; graph.len()];
        let mut open = answer;
        while let Some(node) = open.pop() {
            if !varies[node as usize] || std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            match graph.origin(node) {
                Origin::Operation(operation, operands) => {
                    counts.of_kind[operation.kind() as usize] += 1;
                    open.extend(operands);
                }
                Origin::Primitive(_) => counts.primitive_numbers += 1,
                _ => {}
            }
        }
        counts
    }

    /// How many operations of a kind.
    pub fn of_kind(&self, kind: Kind) -> usize {
        self.of_kind[kind as usize]
    }

    /// How many operations in all, with those on masks or without.
    pub fn total(&self, with_masks: bool) -> usize {
        let masks = if with_masks { 0 } else { self.of_kind(Kind::Mask) };
        self.of_kind.iter().sum::<usize>() - masks
    }
}

/// Runs the test on recorded numbers and says which nodes are the answer.
fn record<P: Record, K: Test<P>>(test: &K, form: Form) -> Vec<Node> {
    let numbers = Recorded::<P::Scalar>::of;
    let mut line = <K::Line as Record>::Shape::filled(numbers(Origin::Line(0)));
    for place in 0..<K::Line as Record>::Shape::COUNT {
        *<K::Line as Record>::Shape::at_mut(&mut line, place) = numbers(Origin::Line(place));
    }
    let mut primitive: PartsOf<P, _> = P::Shape::filled(numbers(Origin::Primitive(0)));
    for place in 0..P::Shape::COUNT {
        *P::Shape::at_mut(&mut primitive, place) = numbers(Origin::Primitive(place));
    }
    let prepared = test.prepare(&line);
    // One line picks columns instead.
    let primitive = if form == Form::Pairs { K::arrange(primitive, &prepared) } else { primitive };
    let answer = test.test(&primitive, &prepared);
    if form == Form::Bits || K::DECIDES {
        return vec![answer.hit.0];
    }
    let of_miss = |place| if place == 0 { P::Scalar::INFINITY } else { P::Scalar::ZERO };
    let mut told = vec![answer.code.select(answer.hit, Recorded::constant(P::Scalar::ZERO)).0];
    for place in 0..K::Values::COUNT {
        let value = *K::Values::at(&answer.values, place);
        told.push(value.select(answer.hit, Recorded::constant(of_miss(place))).0);
    }
    if form == Form::Pairs {
        told.push(<K::Line as Line>::surely_sound(&line).0);
    }
    told
}

/// Which nodes differ from vector to vector. Operands come before their operations.
fn varying(graph: &Graph, form: Form) -> Vec<bool> {
    let mut varies = vec![false; graph.len()];
    for node in 0..graph.len() {
        varies[node] = match graph.origin(node as Node) {
            Origin::Primitive(_) => true,
            Origin::Line(_) => form == Form::Pairs,
            Origin::Constant(_) | Origin::Always(_) => false,
            Origin::Operation(_, operands) => operands.iter().any(|&operand| varies[operand as usize]),
        };
    }
    varies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::{Aabb, EnteredFace, Rect, Slab, Sphere, SphereRoots};

    #[test]
    fn the_slab_test_is_counted_as_it_is_written() {
        for (counts, axes) in [
            (Counts::of::<Aabb, _>(&Slab, Form::Bits), 3),
            (Counts::of::<Aabb<f64>, _>(&Slab, Form::Bits), 3),
            (Counts::of::<Rect, _>(&Slab, Form::Bits), 2),
        ] {
            assert_eq!(counts.primitive_numbers, 2 * axes);
            assert_eq!(counts.of_kind(Kind::Add), 2 * axes);
            // Two more for the slack, and the greater of both.
            assert_eq!(counts.of_kind(Kind::Multiply), 2 * axes + 2);
            assert_eq!(counts.of_kind(Kind::MinMax), 2 * axes + 1);
            assert_eq!(counts.of_kind(Kind::Compare), 1);
            assert_eq!(counts.total(true), 6 * axes + 4);
        }
    }

    #[test]
    fn what_is_not_told_is_not_counted() {
        let bits = Counts::of::<Aabb, _>(&EnteredFace, Form::Bits);
        assert_eq!(bits, Counts::of::<Aabb, _>(&Slab, Form::Bits), "only the code differs");
        let values = Counts::of::<Aabb, _>(&EnteredFace, Form::Values);
        assert!(values.of_kind(Kind::Select) > bits.of_kind(Kind::Select));
        // The face is found from parameters that the slab test has computed before.
        assert_eq!(values.of_kind(Kind::Multiply), bits.of_kind(Kind::Multiply));
    }

    #[test]
    fn what_depends_on_the_line_alone_is_done_once() {
        let one_line = Counts::of::<Sphere, _>(&SphereRoots, Form::Values);
        let pairs = Counts::of::<Sphere, _>(&SphereRoots, Form::Pairs);
        // Reciprocals of the largest component and of the length.
        assert_eq!((one_line.of_kind(Kind::Divide), pairs.of_kind(Kind::Divide)), (0, 2));
        assert_eq!((one_line.of_kind(Kind::SquareRoot), pairs.of_kind(Kind::SquareRoot)), (1, 2));
    }
}
