use std::marker::PhantomData;

use super::option::{
    BruteForce, Coherence, Contact, GeneralisedWinding, GeometricNormals, Mask, Selection, Threads,
    Watch,
};
use super::*;

struct Asked<A, O>(PhantomData<(A, O)>);

impl<A: Takes<O>, O> Asked<A, O> {
    const IS_TAKEN: bool = true;
}

/// Constants of a type come before those of a trait.
trait Otherwise {
    const IS_TAKEN: bool = false;
}

impl<A, O> Otherwise for Asked<A, O> {}

/// The options that the request takes, a bit for each, in the order of the columns below.
macro_rules! taken {
    ($request:ty) => {
        [
            Asked::<$request, Threads>::IS_TAKEN,
            Asked::<$request, Watch>::IS_TAKEN,
            Asked::<$request, BruteForce>::IS_TAKEN,
            Asked::<$request, Coherence>::IS_TAKEN,
            Asked::<$request, Mask>::IS_TAKEN,
            Asked::<$request, Selection>::IS_TAKEN,
            Asked::<$request, Contact>::IS_TAKEN,
            Asked::<$request, GeometricNormals>::IS_TAKEN,
            Asked::<$request, GeneralisedWinding>::IS_TAKEN,
        ]
        .map(u8::from)
    };
}

#[test]
fn requests_take_the_options_of_their_queries_and_no_others() {
    assert_eq!(taken!(()), [1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(taken!(RaysOf<'static>), [1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(taken!(OneRay<'static>), [0, 1, 1, 0, 1, 1, 1, 0, 0]);
    assert_eq!(taken!(Lines<'static>), [1, 1, 1, 1, 1, 1, 0, 0, 0]);
    assert_eq!(taken!(Points<'static>), [1, 1, 1, 0, 0, 0, 0, 1, 1]);
    assert_eq!(taken!(OnePoint<'static>), [0, 1, 1, 0, 0, 0, 0, 0, 1]);
    assert_eq!(taken!(GridPoints<'static, f64>), [1, 1, 1, 0, 0, 0, 0, 0, 1]);
    assert_eq!(taken!(Overlap<'static>), [0, 1, 1, 0, 1, 0, 0, 0, 0]);
    assert_eq!(taken!(Surface<'static, f64>), [1, 1, 0, 0, 0, 0, 0, 0, 0]);
}
