//! The compact form of Thrift (Apache Thrift, thrift-compact-protocol.md), in which Parquet files
//! have their footer and the headers of pages.
//!
//! The crate `parquet` reads the fields that it knows by their numbers, whatever kind the file says
//! they are of. A field of another kind would have it read other bytes as the next field than are
//! read here: such a file is refused.

use std::io::{self, Read};

/// Structures within structures.
const DEEPEST: u32 = 64;

/// The fields of a structure that the crate knows, by their numbers.
pub(super) type Fields = &'static [(i16, Holds)];

/// What a field holds.
#[derive(Debug)]
pub(super) enum Holds {
    /// A whole number of 16 to 64 bits.
    Number,
    /// One that is looked at.
    Seen(Mark),
    Byte,
    Truth,
    Double,
    Bytes,
    One(Fields),
    Many(&'static Holds),
    /// The elements of a schema.
    Elements,
}

/// A number that is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// How many bytes a page has unpacked and packed.
    Unpacked,
    Packed,
    /// The values of a dictionary.
    Values,
    /// The bytes of levels of a page of the second version, which are not packed.
    Levels,
    /// How many elements a schema has.
    Elements,
    /// How many parts an element has.
    Parts,
    /// The end of an element.
    Element,
}

use Holds::{Byte, Bytes, Double, Elements, Many, Number, One, Seen, Truth};

const NOTHING: Fields = &[];

/// The footer.
pub(super) const FOOTER: Fields = &[
    (1, Number),
    (2, Elements),
    (3, Number),
    (4, Many(&One(ROW_GROUP))),
    (5, Many(&One(KEY_VALUE))),
    (6, Bytes),
    (7, Many(&One(&[(1, One(NOTHING))]))),
];

const ELEMENT: Fields = &[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Bytes),
    (5, Seen(Mark::Parts)),
    (6, Number),
    (7, Number),
    (8, Number),
    (9, Number),
    (10, One(LOGICAL_TYPE)),
];

const LOGICAL_TYPE: Fields = &[
    (1, One(NOTHING)),
    (2, One(NOTHING)),
    (3, One(NOTHING)),
    (4, One(NOTHING)),
    (5, One(&[(1, Number), (2, Number)])),
    (6, One(NOTHING)),
    (7, One(TIME)),
    (8, One(TIME)),
    (10, One(&[(1, Byte), (2, Truth)])),
    (11, One(NOTHING)),
    (12, One(NOTHING)),
    (13, One(NOTHING)),
    (14, One(NOTHING)),
    (15, One(NOTHING)),
    (16, One(&[(1, Byte)])),
    (17, One(&[(1, Bytes)])),
    (18, One(&[(1, Bytes), (2, Number)])),
];

const TIME: Fields =
    &[(1, Truth), (2, One(&[(1, One(NOTHING)), (2, One(NOTHING)), (3, One(NOTHING))]))];

const KEY_VALUE: Fields = &[(1, Bytes), (2, Bytes)];

const ROW_GROUP: Fields = &[
    (1, Many(&One(COLUMN_CHUNK))),
    (2, Number),
    (3, Number),
    (4, Many(&One(&[(1, Number), (2, Truth), (3, Truth)]))),
    (5, Number),
    (7, Number),
];

const COLUMN_CHUNK: Fields = &[
    (1, Bytes),
    (2, Number),
    (3, One(COLUMN)),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
];

const COLUMN: Fields = &[
    (1, Number),
    (2, Many(&Number)),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
    (9, Number),
    (10, Number),
    (11, Number),
    (12, One(STATISTICS)),
    (13, Many(&One(&[(1, Number), (2, Number), (3, Number)]))),
    (14, Number),
    (15, Number),
    (16, One(&[(1, Number), (2, Many(&Number)), (3, Many(&Number))])),
    (17, One(&[(1, One(BOX)), (2, Many(&Number))])),
];

const STATISTICS: Fields = &[
    (1, Bytes),
    (2, Bytes),
    (3, Number),
    (4, Number),
    (5, Bytes),
    (6, Bytes),
    (7, Truth),
    (8, Truth),
];

const BOX: Fields = &[
    (1, Double),
    (2, Double),
    (3, Double),
    (4, Double),
    (5, Double),
    (6, Double),
    (7, Double),
    (8, Double),
];

/// The header of a page.
pub(super) const PAGE: Fields = &[
    (1, Number),
    (2, Seen(Mark::Unpacked)),
    (3, Seen(Mark::Packed)),
    (4, Number),
    (5, One(&[(1, Number), (2, Number), (3, Number), (4, Number), (5, One(STATISTICS))])),
    (6, One(NOTHING)),
    (7, One(&[(1, Seen(Mark::Values)), (2, Number), (3, Truth)])),
    (8, One(PAGE_2)),
];

/// What follows there of a page of the second version.
const PAGE_2: Fields = &[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Number),
    (5, Seen(Mark::Levels)),
    (6, Seen(Mark::Levels)),
    (7, Truth),
    (8, One(STATISTICS)),
];

/// A structure, read over from its beginning to its end.
pub(super) struct Compact<R, F> {
    pub(super) reader: R,
    /// Is shown the numbers that are looked at.
    pub(super) see: F,
}

impl<R: Read, F: FnMut(Mark, i64)> Compact<R, F> {
    pub(super) fn structure(&mut self, fields: Fields) -> io::Result<()> {
        self.structure_at(fields, 0)
    }

    fn structure_at(&mut self, fields: Fields, depth: u32) -> io::Result<()> {
        let mut id = 0_i16;
        loop {
            let byte = self.byte()?;
            let (step, kind) = (byte >> 4, byte & 15);
            if kind == 0 {
                return Ok(());
            }
            id = match step {
                0 => self.number()? as i16,
                step => id.checked_add(step.into()).ok_or(io::ErrorKind::InvalidData)?,
            };
            match fields.iter().find(|(known, _)| *known == id) {
                Some((_, holds)) => self.known(kind, holds, depth)?,
                // Whether a field is true stands in its kind.
                None if kind > 2 => self.value(kind, depth)?,
                None => {}
            }
        }
    }

    fn known(&mut self, kind: u8, holds: &'static Holds, depth: u32) -> io::Result<()> {
        match (holds, kind) {
            (Truth, 1 | 2) => Ok(()),
            (Number, 4..=6) | (Byte, 3) | (Double, 7) | (Bytes, 8) => self.value(kind, depth),
            (Seen(mark), 4..=6) => {
                let number = self.number()?;
                (self.see)(*mark, number);
                Ok(())
            }
            (One(fields), 12) => self.structure_at(fields, depth + 1),
            (Many(holds), 9) => {
                let (kind, count) = self.list()?;
                (0..count).try_for_each(|_| self.known(kind, holds, depth + 1))
            }
            (Elements, 9) => {
                let (kind, count) = self.list()?;
                (self.see)(Mark::Elements, i64::try_from(count).unwrap_or(i64::MAX));
                (0..count).try_for_each(|_| {
                    self.known(kind, &One(ELEMENT), depth + 1)?;
                    (self.see)(Mark::Element, 0);
                    Ok(())
                })
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// A value of which nothing is known but its kind.
    fn value(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        match kind {
            1..=3 => self.skip(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            _ if depth == DEEPEST => Err(io::ErrorKind::InvalidData.into()),
            9 | 10 => {
                let (kind, count) = self.list()?;
                (0..count).try_for_each(|_| self.value(kind, depth + 1))
            }
            11 => {
                let count = self.varint()?;
                let kinds = if count == 0 { 0 } else { self.byte()? };
                (0..count).try_for_each(|_| {
                    self.value(kinds >> 4, depth + 1)?;
                    self.value(kinds & 15, depth + 1)
                })
            }
            12 => self.structure_at(NOTHING, depth + 1),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The kind of the values of a list, and how many there are. Each takes a byte: a list that is
    /// there has as many as it claims.
    fn list(&mut self) -> io::Result<(u8, u64)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        Ok((head & 15, count))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    /// Seven bits a byte, the lowest first.
    fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for place in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << place;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// A number with a sign, which is its lowest bit.
    fn number(&mut self) -> io::Result<i64> {
        self.varint().map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let read = io::copy(&mut self.reader.by_ref().take(length), &mut io::sink())?;
        if read < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}
