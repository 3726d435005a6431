//! ZIP files whose members lie in them as they are (PKWARE, APPNOTE 6.3.10, sections 4.3 and 4.5.3).
//!
//! The crate `zip` writes one member after the other. Here all grow side by side, each where it is
//! to be in the end, so that nothing is copied once more.

/// What does not fit below stands in a field of 64 bits.
const LARGE: u64 = u32::MAX as u64;
/// The version of the format that a reader must know: the first, or that with fields of 64 bits.
const VERSION: u16 = 10;
const VERSION_OF_LARGE: u16 = 45;
/// No clock and no rights of this machine: the same members make the same bytes.
const DATE: u16 = 0x21; // 1980-01-01
const RIGHTS: u32 = 0o100_644 << 16;
const ON_UNIX: u16 = 3 << 8;

/// A member, as long as its header says.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) length: u64,
    /// Where its header stands in the file.
    place: u64,
}

/// Members of these names and lengths, one behind the other, and where the last one ends.
pub(super) fn lay_out(members: impl IntoIterator<Item = (String, u64)>) -> (Vec<Member>, u64) {
    let (mut laid_out, mut place) = (Vec::new(), 0);
    for (name, length) in members {
        let member = Member { name, length, place };
        place = member.start() + length;
        laid_out.push(member);
    }
    (laid_out, place)
}

impl Member {
    /// Where its header stands in the file.
    pub(super) fn place(&self) -> u64 {
        self.place
    }

    /// Where its bytes begin.
    pub(super) fn start(&self) -> u64 {
        self.place + self.header(0).len() as u64
    }

    /// What stands before its bytes, of which this is the checksum (CRC-32).
    pub(super) fn header(&self, checksum: u32) -> Vec<u8> {
        // Before the bytes both lengths stand there, or neither.
        let large = if self.is_long() { vec![self.length; 2] } else { Vec::new() };
        let mut bytes = b"PK\x03\x04".to_vec();
        self.put_common(&mut bytes, checksum, &large);
        bytes.extend(self.name.as_bytes());
        put_large(&mut bytes, &large);
        bytes
    }

    /// Its entry in the directory.
    fn entry(&self, checksum: u32) -> Vec<u8> {
        let mut large = if self.is_long() { vec![self.length; 2] } else { Vec::new() };
        large.extend((self.place >= LARGE).then_some(self.place));
        let mut bytes = b"PK\x01\x02".to_vec();
        put(&mut bytes, ON_UNIX | version(&large));
        self.put_common(&mut bytes, checksum, &large);
        // No comment, on the first disk, no text.
        bytes.extend([0; 6]);
        bytes.extend(RIGHTS.to_le_bytes());
        bytes.extend(low(self.place).to_le_bytes());
        bytes.extend(self.name.as_bytes());
        put_large(&mut bytes, &large);
        bytes
    }

    fn is_long(&self) -> bool {
        self.length >= LARGE
    }

    /// What header and entry share.
    fn put_common(&self, bytes: &mut Vec<u8>, checksum: u32, large: &[u64]) {
        put(bytes, version(large));
        // No flags, stored as it is, at midnight.
        bytes.extend([0; 6]);
        put(bytes, DATE);
        for number in [checksum, low(self.length), low(self.length)] {
            bytes.extend(number.to_le_bytes());
        }
        put(bytes, self.name.len() as u16);
        put(bytes, if large.is_empty() { 0 } else { 4 + 8 * large.len() as u16 });
    }
}

/// What stands behind the last member: the directory of members and their checksums.
pub(super) fn directory(members: &[(Member, u32)], end: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        members.iter().flat_map(|(member, checksum)| member.entry(*checksum)).collect();
    let (count, length) = (members.len() as u64, bytes.len() as u64);
    if count >= u64::from(u16::MAX) || length >= LARGE || end >= LARGE {
        let place = end + length;
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        put(&mut bytes, ON_UNIX | VERSION_OF_LARGE);
        put(&mut bytes, VERSION_OF_LARGE);
        bytes.extend([0; 8]);
        for number in [count, count, length, end] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(b"PK\x06\x07");
        bytes.extend([0; 4]);
        bytes.extend(place.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
    }
    bytes.extend(b"PK\x05\x06");
    bytes.extend([0; 4]);
    let count = count.min(u16::MAX.into()) as u16;
    put(&mut bytes, count);
    put(&mut bytes, count);
    bytes.extend(low(length).to_le_bytes());
    bytes.extend(low(end).to_le_bytes());
    put(&mut bytes, 0);
    bytes
}

fn version(large: &[u64]) -> u16 {
    if large.is_empty() { VERSION } else { VERSION_OF_LARGE }
}

/// The number in 32 bits, all ones where it stands in 64.
fn low(number: u64) -> u32 {
    number.min(LARGE) as u32
}

fn put(bytes: &mut Vec<u8>, number: u16) {
    bytes.extend(number.to_le_bytes());
}

/// The extra field of numbers of 64 bits.
fn put_large(bytes: &mut Vec<u8>, large: &[u64]) {
    if !large.is_empty() {
        put(bytes, 1);
        put(bytes, 8 * large.len() as u16);
        bytes.extend(large.iter().flat_map(|number| number.to_le_bytes()));
    }
}

#[cfg(test)]
#[path = "../../tests/unit/hits/archive.rs"]
mod tests;
