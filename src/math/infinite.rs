//! Numbers that may be infinite, from formats that have no infinity. JSON has none, and its writers
//! write null.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::simd::Scalar;

/// A number, or ∞ where a format for people has null.
pub(crate) fn or_infinity<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Scalar + Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserialize(deserializer, T::INFINITY)
}

/// A number, or −∞ where a format for people has null.
pub(crate) fn or_minus_infinity<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Scalar + Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserialize(deserializer, T::NEG_INFINITY)
}

fn deserialize<'de, T, D>(deserializer: D, null: T) -> Result<T, D::Error>
where
    T: Scalar + Deserialize<'de>,
    D: Deserializer<'de>,
{
    if !deserializer.is_human_readable() {
        return T::deserialize(deserializer);
    }
    let number = deserializer.deserialize_any(NumberOrNull(PhantomData))?;
    Ok(number.unwrap_or(null))
}

struct NumberOrNull<T>(PhantomData<T>);

impl<T: Scalar> Visitor<'_> for NumberOrNull<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or null for one that is infinite")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<T>, E> {
        Ok(Some(T::nearest_to(number)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }
}
