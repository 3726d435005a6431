//! Extra dimensions: what points have behind the fields of their format, as a record of the file
//! describes it (ASPRS LAS 1.4, tables 24 and 25).

use super::super::Column;
use super::super::moved::Moved;
use super::super::scalar::{Kind, Scalar};
use std::array::from_fn;

pub(super) const USER_ID: &[u8] = b"LASF_Spec";
pub(super) const RECORD_ID: u16 = 4;

/// The bytes of a description, and where its parts lie.
const DESCRIPTION: usize = 192;
const TYPE_AT: usize = 2;
const OPTIONS_AT: usize = 3;
const NAME: std::ops::Range<usize> = 4..36;
const NOTHING_AT: usize = 40;
const SCALE_AT: usize = 112;
const OFFSET_AT: usize = 136;
/// Bits of the options.
const HAS_NOTHING: u8 = 1;
const HAS_SCALE: u8 = 8;
const HAS_OFFSET: u8 = 16;

/// The types of one number, from the code 1 on.
const KINDS: [Kind; 10] = [
    Kind::unsigned(1),
    Kind::signed(1),
    Kind::unsigned(2),
    Kind::signed(2),
    Kind::unsigned(4),
    Kind::signed(4),
    Kind::unsigned(8),
    Kind::signed(8),
    Kind::F32,
    Kind::F64,
];

/// A dimension that is one number.
#[derive(Debug, Clone)]
pub(super) struct Extra {
    pub(super) name: String,
    /// Where it begins, from the first extra byte of a point.
    at: usize,
    scalar: Scalar,
    /// What numbers are multiplied by, and what is added then.
    scale: Option<[f64; 2]>,
    /// What stands for no number, in eight bytes.
    nothing: Option<[u8; 8]>,
}

impl Extra {
    /// The dimensions of a record that are one number and lie in so many extra bytes, and whether
    /// there are other bytes.
    pub(super) fn read(record: &[u8], bytes: usize) -> (Vec<Self>, bool) {
        let (mut dimensions, mut at, mut has_others) = (Vec::new(), 0, false);
        for description in record.chunks_exact(DESCRIPTION) {
            let options = description[OPTIONS_AT];
            let (kind, size) = match description[TYPE_AT] {
                // Bytes of which nothing is said but their number.
                0 => (None, usize::from(options)),
                // From 11 on they are two numbers, from 21 on three.
                code @ 1..=30 => {
                    let (kind, count) = (KINDS[usize::from(code - 1) % 10], (code - 1) / 10 + 1);
                    ((count == 1).then_some(kind), usize::from(count) * kind.size())
                }
                _ => break,
            };
            if size > bytes - at {
                break;
            }
            let name = description[NAME].split(|byte| *byte == 0).next().unwrap_or_default();
            let eight = |at: usize| from_fn(|byte| description[at + byte]);
            let number = |bit: u8, at: usize, usual: f64| {
                if options & bit == 0 { usual } else { f64::from_le_bytes(eight(at)) }
            };
            match kind.filter(|_| !name.is_empty()) {
                Some(kind) => dimensions.push(Self {
                    name: String::from_utf8_lossy(name).into_owned(),
                    at,
                    scalar: Scalar { kind, big_endian: false },
                    scale: (options & (HAS_SCALE | HAS_OFFSET) != 0).then(|| {
                        [number(HAS_SCALE, SCALE_AT, 1.0), number(HAS_OFFSET, OFFSET_AT, 0.0)]
                    }),
                    nothing: (options & HAS_NOTHING != 0).then(|| eight(NOTHING_AT)),
                }),
                None => has_others |= size > 0,
            }
            at += size;
        }
        (dimensions, has_others || at < bytes)
    }

    /// No values of the kind that it is kept in.
    pub(super) fn none(&self) -> Column {
        if self.scale.is_some() {
            Column::F64(Vec::new())
        } else {
            Column::of_scalar(self.scalar.kind)
        }
    }

    /// Appends the number in the extra bytes of a point, null where they say that there is none; a
    /// whole one beyond 64 bits with a sign comes back.
    pub(super) fn put(&self, extra: &[u8], to: &mut Column) -> Result<(), u64> {
        let bytes = &extra[self.at..][..self.scalar.size()];
        if self.is_nothing(bytes) {
            to.push_null();
            return Ok(());
        }
        match (self.scale, to) {
            (Some([scale, offset]), Column::F64(to)) => {
                to.push(Some(self.number(bytes) * scale + offset));
                Ok(())
            }
            (_, to) => to.push_number(self.scalar, bytes),
        }
    }

    fn number(&self, bytes: &[u8]) -> f64 {
        self.scalar.number(bytes, 0, &mut Moved::default())
    }

    fn is_nothing(&self, bytes: &[u8]) -> bool {
        let Some(nothing) = self.nothing else { return false };
        match self.scalar.kind {
            Kind::Whole { size, .. } => nothing[..size] == *bytes,
            _ => {
                let (number, nothing) = (self.number(bytes), f64::from_le_bytes(nothing));
                number == nothing || number.is_nan() && nothing.is_nan()
            }
        }
    }
}
