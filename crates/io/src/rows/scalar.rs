//! Numbers as they lie in files: of which type and in which order of bytes, and how they become
//! `f32`, `f64` and `i64`.

use super::Moved;
use crate::mesh::Coordinate;

/// Every whole number up to here is one of `f64`.
const EXACT: u64 = 1 << 53;

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
    /// A whole number of 1, 2, 4 or 8 bytes.
    Whole {
        size: usize,
        is_signed: bool,
    },
}

impl Kind {
    /// The kind of a letter, `f`, `i` or `u`, and a number of bytes.
    pub(super) fn of(letter: &str, size: &str) -> Option<Self> {
        let size = match size {
            "1" => 1,
            "2" => 2,
            "4" => 4,
            "8" => 8,
            _ => return None,
        };
        match (letter, size) {
            ("f", 2) => Some(Self::F16),
            ("f", 4) => Some(Self::F32),
            ("f", 8) => Some(Self::F64),
            ("i", _) => Some(Self::signed(size)),
            ("u", _) => Some(Self::unsigned(size)),
            _ => None,
        }
    }

    pub(super) const fn signed(size: usize) -> Self {
        Self::Whole { size, is_signed: true }
    }

    pub(super) const fn unsigned(size: usize) -> Self {
        Self::Whole { size, is_signed: false }
    }

    pub(super) const fn size(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
            Self::Whole { size, .. } => size,
        }
    }
}

/// A type of whole numbers, as ids have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    is_signed: bool,
    big_endian: bool,
}

impl Whole {
    /// The number in its bytes; what is beyond 64 bits with a sign comes back.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8]) -> Result<i64, u64> {
        let append = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = match self.big_endian {
            true => bytes.iter().fold(0, append),
            false => bytes.iter().rev().fold(0, append),
        };
        if self.is_signed {
            // The sign becomes the bits above those that are there.
            let above = 64 - 8 * bytes.len();
            Ok((bits << above) as i64 >> above)
        } else {
            i64::try_from(bits).map_err(|_| bits)
        }
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
        let (order, kind) = (name.get(..1)?, Kind::of(name.get(1..2)?, name.get(2..)?)?);
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

    /// The type, if it is one of whole numbers.
    pub(super) const fn whole(self) -> Option<Whole> {
        match self.kind {
            Kind::Whole { is_signed, .. } => Some(Whole { is_signed, big_endian: self.big_endian }),
            _ => None,
        }
    }

    /// The number in so many bytes, at a place of a row, rounded once.
    #[inline(always)]
    pub(super) fn number<T: Coordinate>(self, bytes: &[u8], place: usize, moved: &mut Moved) -> T {
        match self.kind {
            Kind::F16 => T::of(from_f16(read!(self, bytes, u16))),
            Kind::F32 => T::of(read!(self, bytes, f32)),
            Kind::F64 => moved.nearest(place, read!(self, bytes, f64)),
            Kind::Whole { is_signed, .. } => {
                match (Whole { is_signed, big_endian: self.big_endian }).read(bytes) {
                    Ok(number) if number.unsigned_abs() <= EXACT => {
                        moved.nearest(place, number as f64)
                    }
                    Ok(number) => moved.nearest_to_whole(place, number.into()),
                    Err(number) => moved.nearest_to_whole(place, number.into()),
                }
            }
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
