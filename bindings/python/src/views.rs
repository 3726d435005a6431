//! Arrays that view the memory of answers, without a copy.
#![expect(unsafe_code, reason = "a view is of memory that its owner keeps")]

use numpy::{Element, IxDyn, PyArrayDyn};
use pyo3::prelude::*;

/// Memory of answers, which arrays view.
#[pyclass(frozen)]
struct Owner(#[expect(dead_code, reason = "it is kept")] Box<dyn std::any::Any + Send + Sync>);

/// One field of each of some structs as an array: a view, with `owner` keeping the structs.
pub(crate) fn field<'py, S, V: Element>(
    owner: &Bound<'py, PyAny>,
    structs: &[S],
    field: impl Fn(&S) -> &V,
) -> Bound<'py, PyAny> {
    parts(owner, structs, &[structs.len()], |of| std::slice::from_ref(field(of)))
}

/// The same for a field of vectors: an array of shape (n, N).
pub(crate) fn vector_field<'py, S, V: Element, const N: usize>(
    owner: &Bound<'py, PyAny>,
    structs: &[S],
    field: impl Fn(&S) -> &[V; N],
) -> Bound<'py, PyAny> {
    parts(owner, structs, &[structs.len(), N], |of| field(of))
}

/// A view of some numbers in each struct, of shape (structs,) or (structs, numbers).
fn parts<'py, S, V: Element>(
    owner: &Bound<'py, PyAny>,
    structs: &[S],
    shape: &[usize],
    numbers: impl Fn(&S) -> &[V],
) -> Bound<'py, PyAny> {
    let py = owner.py();
    let Some(first) = structs.first() else {
        return PyArrayDyn::<V>::zeros(py, IxDyn(shape), false).into_any();
    };
    let step = const {
        assert!(size_of::<S>().is_multiple_of(size_of::<V>()), "whole steps");
        size_of::<S>() / size_of::<V>()
    };
    let offset = numbers(first).as_ptr().addr().wrapping_sub(structs.as_ptr().addr());
    assert!(offset < size_of::<S>(), "numbers in the struct");
    let strides = [step, 1];
    // SAFETY: these numbers lie in the first struct, and again every size of a struct.
    let view = unsafe {
        let first = structs.as_ptr().byte_add(offset).cast::<V>();
        let shape =
            numpy::ndarray::ShapeBuilder::strides(IxDyn(shape), IxDyn(&strides[..shape.len()]));
        numpy::ndarray::ArrayViewD::from_shape_ptr(shape, first)
    };
    // SAFETY: `owner` keeps the structs where they lie, and nobody else reads or writes them.
    unsafe { PyArrayDyn::borrow_from_array(&view, owner.clone()) }.into_any()
}

/// Where the answers of each row begin, and how many there are.
pub(crate) fn offsets<'py>(py: Python<'py>, offsets: &[usize]) -> Bound<'py, PyAny> {
    let offsets = if offsets.is_empty() { &[0][..] } else { offsets };
    // They fit into i64, as numbers of what lies in memory.
    let offsets: Vec<i64> = offsets.iter().map(|&offset| offset as i64).collect();
    numpy::PyArray1::from_vec(py, offsets).into_any()
}

/// Hands memory over to Python; what `field` views must lie in it, and not move with it.
pub(crate) fn owner<'py>(
    py: Python<'py>,
    memory: impl Send + Sync + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(Bound::new(py, Owner(Box::new(memory)))?.into_any())
}
