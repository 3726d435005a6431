//! The layout of a file, read without lanecast.

use std::ops::Range;

use twox_hash::XxHash3_64;

const HEADER: usize = 64;
const ENTRY: usize = 48;

/// Where the checksum of header and table lies.
const CHECKSUM: Range<usize> = 56..64;

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let sums: Vec<u8> =
        bytes.chunks(1 << 20).flat_map(|piece| XxHash3_64::oneshot(piece).to_ne_bytes()).collect();
    XxHash3_64::oneshot(&sums)
}

/// Where header and table end.
pub(crate) fn head(bytes: &[u8]) -> usize {
    HEADER + ENTRY * number(bytes, 32) as usize
}

/// The name of each section, where its line of the table begins, and where its bytes lie.
pub(crate) fn sections(bytes: &[u8]) -> Vec<(String, usize, Range<usize>)> {
    (HEADER..head(bytes))
        .step_by(ENTRY)
        .map(|line| {
            let name = bytes[line..line + 16].iter().take_while(|&&byte| byte != 0);
            let name = String::from_utf8(name.copied().collect()).expect("letters");
            let first = number(bytes, line + 24) as usize;
            (name, line, first..first + number(bytes, line + 32) as usize)
        })
        .collect()
}

/// The name of a section whose line of the table is there, with its number where that is not 0.
pub(crate) fn shown(bytes: &[u8], name: &str, line: usize) -> String {
    match number(bytes, line + 16) as u32 {
        0 => name.to_owned(),
        number => format!("{name} {number}"),
    }
}

/// Where the bytes of a section of a number lie.
pub(crate) fn section_of(bytes: &[u8], name: &str, number: u32) -> Range<usize> {
    let all = sections(bytes);
    let found = all.into_iter().find(|(found, line, _)| {
        found == name && bytes[line + 16..line + 20] == number.to_ne_bytes()
    });
    found.unwrap_or_else(|| panic!("no section {name} {number}")).2
}

/// Where the bytes of a section lie.
pub(crate) fn section(bytes: &[u8], name: &str) -> Range<usize> {
    let found = sections(bytes).into_iter().find(|(found, ..)| found == name);
    found.unwrap_or_else(|| panic!("no section {name}")).2
}

/// Makes all checksums right.
pub(crate) fn seal(bytes: &mut [u8]) {
    for (_, line, range) in sections(bytes) {
        let sum = checksum(&bytes[range]);
        bytes[line + 40..line + 48].copy_from_slice(&sum.to_ne_bytes());
    }
    seal_head(bytes);
}

/// Makes the checksum of header and table right.
pub(crate) fn seal_head(bytes: &mut [u8]) {
    let end = head(bytes);
    let sums = [&bytes[..CHECKSUM.start], &bytes[HEADER..end]]
        .map(|part| XxHash3_64::oneshot(part).to_ne_bytes());
    let sum = XxHash3_64::oneshot(&sums.concat());
    bytes[CHECKSUM].copy_from_slice(&sum.to_ne_bytes());
}
