//! What one kernel should answer for one line and one primitive, in exact arithmetic and by the
//! bounds that the kernel states.
//!
//! From the definitions of the primitives and the bounds that the documentation states; nothing
//! here comes from the kernels.

pub mod boxes;
pub mod clip;
pub mod disc;
pub mod faces;
pub mod lines;
pub mod near;
pub mod number;
pub mod oriented;
pub mod sphere;
pub mod triangle;
pub mod watertight;

/// What the reference says of a pair, and the answer was held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The line meets the primitive, and an answer must say so.
    Met,
    /// The line passes the primitive by more than the stated bound.
    Missed,
    /// The border is too near for the stated bound: both answers are right.
    Either,
    /// A number of the pair lies outside of the range for which a bound is stated.
    Unstated,
}

/// The verdict, or what is wrong with an answer.
pub type Judgement = Result<Verdict, String>;

/// Ends the judgement with a message unless the condition holds.
macro_rules! demand {
    ($condition:expr, $($message:tt)*) => {
        // Not negated: a comparison with NaN is no fulfilled demand.
        if $condition {
        } else {
            return Err(format!($($message)*));
        }
    };
}

pub(crate) use demand;
