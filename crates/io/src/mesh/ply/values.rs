//! The values of elements: what a mesh takes of them, and how text gives them.

use super::LISTS;
use crate::mesh::Coordinate;
use crate::mesh::text::number;
use ply_rs_bw::ply::{
    ElementDef, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

/// An element as words give it, none if they do not give all its values. The parser of the crate
/// knows no NaN, no infinity, and no element of several lines.
pub(super) fn of_words<'a, E: PropertyAccess>(
    words: &mut impl Iterator<Item = &'a [u8]>,
    element: &ElementDef,
) -> Option<E> {
    let mut values = E::new();
    for (name, property) in &element.properties {
        let value = match &property.data_type {
            PropertyType::Scalar(kind) => one(kind, words.next()?)?,
            PropertyType::List(_, kind) => {
                let count: usize = number(words.next()?).ok()?;
                several(kind, count, words)?
            }
        };
        if values.set_property(name, value) == PropertyAccessResult::UnsupportedType {
            return None;
        }
    }
    Some(values)
}

fn one(kind: &ScalarType, word: &[u8]) -> Option<Property> {
    Some(match kind {
        ScalarType::Char => Property::Char(number(word).ok()?),
        ScalarType::UChar => Property::UChar(number(word).ok()?),
        ScalarType::Short => Property::Short(number(word).ok()?),
        ScalarType::UShort => Property::UShort(number(word).ok()?),
        ScalarType::Int => Property::Int(number(word).ok()?),
        ScalarType::UInt => Property::UInt(number(word).ok()?),
        ScalarType::Float => Property::Float(number(word).ok()?),
        ScalarType::Double => Property::Double(number(word).ok()?),
    })
}

/// A list of so many values; nothing is reserved for the count, which may be any number.
fn several<'a>(
    kind: &ScalarType,
    count: usize,
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Option<Property> {
    fn listed<'a, N: std::str::FromStr>(
        count: usize,
        words: &mut impl Iterator<Item = &'a [u8]>,
    ) -> Option<Vec<N>> {
        let list: Vec<N> =
            words.take(count).map(|word| number(word).ok()).collect::<Option<_>>()?;
        (list.len() == count).then_some(list)
    }
    Some(match kind {
        ScalarType::Char => Property::ListChar(listed(count, words)?),
        ScalarType::UChar => Property::ListUChar(listed(count, words)?),
        ScalarType::Short => Property::ListShort(listed(count, words)?),
        ScalarType::UShort => Property::ListUShort(listed(count, words)?),
        ScalarType::Int => Property::ListInt(listed(count, words)?),
        ScalarType::UInt => Property::ListUInt(listed(count, words)?),
        ScalarType::Float => Property::ListFloat(listed(count, words)?),
        ScalarType::Double => Property::ListDouble(listed(count, words)?),
    })
}

/// `x y z` and `nx ny nz` in any scalar type, rounded once.
pub(super) struct Vertex<T> {
    pub(super) position: [T; 3],
    pub(super) normal: [f32; 3],
}

impl<T: Coordinate> PropertyAccess for Vertex<T> {
    fn new() -> Self {
        Self { position: [T::ZERO; 3], normal: [0.0; 3] }
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let place = match name {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            "nx" => 3,
            "ny" => 4,
            "nz" => 5,
            _ => return PropertyAccessResult::Ignored,
        };
        match (place, scalar(&property)) {
            (axis @ 0..3, Some(value)) => self.position[axis] = T::nearest(value),
            (axis, Some(value)) => self.normal[axis - 3] = value as f32,
            (0..3, None) => return PropertyAccessResult::UnsupportedType,
            (_, None) => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

/// A number of any scalar type, exactly; none for a list.
fn scalar(property: &Property) -> Option<f64> {
    Some(match *property {
        Property::Float(value) => value.into(),
        Property::Double(value) => value,
        Property::Char(value) => value.into(),
        Property::UChar(value) => value.into(),
        Property::Short(value) => value.into(),
        Property::UShort(value) => value.into(),
        Property::Int(value) => value.into(),
        Property::UInt(value) => value.into(),
        _ => return None,
    })
}

/// The vertices of a face or a strip, not checked yet.
pub(super) struct List(pub(super) Vec<i64>);

impl PropertyAccess for List {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !LISTS.contains(&name) {
            return PropertyAccessResult::Ignored;
        }
        self.0 = match property {
            Property::ListInt(indices) => widened(indices),
            Property::ListUInt(indices) => widened(indices),
            Property::ListUChar(indices) => widened(indices),
            Property::ListChar(indices) => widened(indices),
            Property::ListUShort(indices) => widened(indices),
            Property::ListShort(indices) => widened(indices),
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

fn widened<T: Into<i64>>(indices: Vec<T>) -> Vec<i64> {
    indices.into_iter().map(Into::into).collect()
}

/// An element that is only stepped over.
pub(super) struct Other;

impl PropertyAccess for Other {
    fn new() -> Self {
        Self
    }
}
