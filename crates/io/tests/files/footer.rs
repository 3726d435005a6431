//! Parquet files of no rows, whose footers are written by hand (Apache Thrift,
//! thrift-compact-protocol.md). The tests of memory take it by its path.

/// Seven bits a byte, the lowest first.
pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A number with a sign, which is its lowest bit.
pub(crate) fn number(number: i64) -> Vec<u8> {
    varint((number << 1 ^ number >> 63) as u64)
}

/// An element of a schema: a group of so many parts, or else a column of floats.
pub(crate) fn element(name: &str, parts: Option<i64>) -> Vec<u8> {
    let mut bytes = if parts.is_some() { vec![0x35, 0] } else { vec![0x15, 8, 0x25, 0] };
    bytes.push(0x18);
    bytes.extend(varint(name.len() as u64));
    bytes.extend(name.as_bytes());
    if let Some(parts) = parts {
        bytes.push(0x15);
        bytes.extend(number(parts));
    }
    bytes.push(0);
    bytes
}

/// A file with these elements as its schema, and no rows.
pub(crate) fn parquet_of_elements(elements: &[Vec<u8>]) -> Vec<u8> {
    let list = [&[0x19, 0xfc][..], &varint(elements.len() as u64), &elements.concat()].concat();
    parquet_of_footer(&[&[0x15, 2], &list[..], &[0x16, 0, 0x19, 0x0c, 0]].concat())
}

/// A file that is a footer alone.
pub(crate) fn parquet_of_footer(footer: &[u8]) -> Vec<u8> {
    [b"PAR1", footer, &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}
