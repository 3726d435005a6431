//! Numbers as they lie in files: of which type and in which order of bytes, and how they become
//! `f32`, `f64` and `i64`.

use super::Moved;
use crate::mesh::Coordinate;

/// A type of numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) kind: Kind,
    pub(super) big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Kind {
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::F16 | Self::I16 | Self::U16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 | Self::U64 => 8,
        }
    }

    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
}

macro_rules! read {
    ($scalar:expr, $bytes:expr, $number:ty) => {{
        let bytes = $bytes.try_into().expect("as many bytes as the type has");
        if $scalar.big_endian {
            <$number>::from_be_bytes(bytes)
        } else {
            <$number>::from_le_bytes(bytes)
        }
    }};
}

impl Scalar {
    /// NumPy's name of a type, such as `<f4`, `|u1` or `>i8`.
    pub(super) fn of_numpy(name: &str) -> Option<Self> {
        let (order, kind) = (name.get(..1)?, name.get(1..)?);
        let kind = match kind {
            "f2" => Kind::F16,
            "f4" => Kind::F32,
            "f8" => Kind::F64,
            "i1" => Kind::I8,
            "i2" => Kind::I16,
            "i4" => Kind::I32,
            "i8" => Kind::I64,
            "u1" => Kind::U8,
            "u2" => Kind::U16,
            "u4" => Kind::U32,
            "u8" => Kind::U64,
            _ => return None,
        };
        match order {
            "|" if kind.size() > 1 => None,
            "<" | "|" => Some(Self { kind, big_endian: false }),
            ">" => Some(Self { kind, big_endian: true }),
            "=" => Some(Self { kind, big_endian: cfg!(target_endian = "big") }),
            _ => None,
        }
    }

    pub(super) fn size(self) -> usize {
        self.kind.size()
    }

    /// The number in so many bytes, at a place of a row, rounded once.
    #[inline(always)]
    pub(super) fn number<T: Coordinate>(self, bytes: &[u8], place: usize, moved: &mut Moved) -> T {
        match self.kind {
            Kind::F16 => T::of(from_f16(read!(self, bytes, u16))),
            Kind::F32 => T::of(read!(self, bytes, f32)),
            Kind::F64 => moved.nearest(place, read!(self, bytes, f64)),
            Kind::I8 => T::of(read!(self, bytes, i8).into()),
            Kind::I16 => T::of(read!(self, bytes, i16).into()),
            Kind::I32 => moved.nearest(place, read!(self, bytes, i32).into()),
            Kind::I64 => moved.nearest_to_whole(place, read!(self, bytes, i64).into()),
            Kind::U8 => T::of(read!(self, bytes, u8).into()),
            Kind::U16 => T::of(read!(self, bytes, u16).into()),
            Kind::U32 => moved.nearest(place, read!(self, bytes, u32).into()),
            Kind::U64 => moved.nearest_to_whole(place, read!(self, bytes, u64).into()),
        }
    }

    /// The numbers of rows, each to its place in rows of `width`.
    pub(super) fn numbers<T: Coordinate>(
        self,
        bytes: &[u8],
        places: &[usize],
        to: &mut [T],
        width: usize,
        moved: &mut Moved,
    ) {
        // What is most often met has a loop of its own.
        match self {
            Self { kind: Kind::F64, big_endian: false } => {
                Self { kind: Kind::F64, big_endian: false }.each(bytes, places, to, width, moved);
            }
            Self { kind: Kind::F32, big_endian: false } => {
                Self { kind: Kind::F32, big_endian: false }.each(bytes, places, to, width, moved);
            }
            _ => self.each(bytes, places, to, width, moved),
        }
    }

    #[inline(always)]
    fn each<T: Coordinate>(
        self,
        bytes: &[u8],
        places: &[usize],
        to: &mut [T],
        width: usize,
        moved: &mut Moved,
    ) {
        let size = self.size();
        for (row, values) in to.chunks_exact_mut(width).zip(bytes.chunks_exact(places.len() * size))
        {
            for (&place, value) in places.iter().zip(values.chunks_exact(size)) {
                row[place] = self.number(value, place, moved);
            }
        }
    }

    /// The id in so many bytes of a whole number; what is beyond 64 bits with a sign comes back.
    pub(super) fn id(self, bytes: &[u8]) -> Result<i64, u64> {
        Ok(match self.kind {
            Kind::I8 => read!(self, bytes, i8).into(),
            Kind::I16 => read!(self, bytes, i16).into(),
            Kind::I32 => read!(self, bytes, i32).into(),
            Kind::I64 => read!(self, bytes, i64),
            Kind::U8 => read!(self, bytes, u8).into(),
            Kind::U16 => read!(self, bytes, u16).into(),
            Kind::U32 => read!(self, bytes, u32).into(),
            Kind::U64 => {
                let id = read!(self, bytes, u64);
                i64::try_from(id).map_err(|_| id)?
            }
            Kind::F16 | Kind::F32 | Kind::F64 => unreachable!("ids are whole numbers"),
        })
    }
}

/// IEEE 754-2008, binary16. Every such number is one of `f32`.
fn from_f16(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 0x3ff));
    let magnitude = match exponent {
        // Subnormal: units of 2⁻²⁴.
        0 => fraction as f32 / 16_777_216.0,
        31 => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}
