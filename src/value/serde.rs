//! Serialisation of values with rules, which hold of deserialised values too. Values without rules
//! derive it.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::{Affine, Frustum, Obb, PointGrid};
use crate::simd::Scalar;

/// As its [rows](Affine::rows).
impl Serialize for Affine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Affine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(deserializer).map(Self::from_rows)
    }
}

/// As its [planes](Frustum::planes).
impl Serialize for Frustum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.planes().serialize(serializer)
    }
}

/// With the errors of [`Frustum::new`].
impl<'de> Deserialize<'de> for Frustum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let planes = Vec::deserialize(deserializer)?;
        Self::new(&planes).map_err(Error::custom)
    }
}

/// With the errors of [`Obb::new`].
impl<'de, T: Scalar + Deserialize<'de>> Deserialize<'de> for Obb<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "Obb")]
        struct Unchecked<T> {
            center: [T; 3],
            axes: [[T; 3]; 3],
            half_extents: [T; 3],
        }
        let Unchecked { center, axes, half_extents } = Unchecked::deserialize(deserializer)?;
        Self::new(center, axes, half_extents).map_err(Error::custom)
    }
}

/// With the errors of [`PointGrid::new`].
impl<'de, T: Scalar + Deserialize<'de>> Deserialize<'de> for PointGrid<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "PointGrid")]
        struct Unchecked<T> {
            origin: [T; 3],
            spacing: [T; 3],
            counts: [usize; 3],
        }
        let Unchecked { origin, spacing, counts } = Unchecked::deserialize(deserializer)?;
        Self::new(origin, spacing, counts).map_err(Error::custom)
    }
}
