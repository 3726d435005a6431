use super::*;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use zip::ZipArchive;

/// A file of members of these lengths, of which the last bytes are there and all others are 0, as
/// the crate `zip` has them: names, lengths and where their bytes begin.
fn read_back(lengths: &[u64]) -> (Vec<Member>, Vec<(String, u64, u64)>) {
    let names = (0..).map(|number| format!("member {number}"));
    let (members, end) = lay_out(names.zip(lengths.iter().copied()));
    let mut file = tempfile::tempfile().expect("a file");
    let mut put = |place: u64, bytes: &[u8]| {
        file.seek(SeekFrom::Start(place))
            .and_then(|_| file.write_all(bytes))
            .expect("there is room");
    };
    for (number, member) in (1..).zip(&members) {
        put(member.place(), &member.header(number));
    }
    let summed: Vec<_> = members.iter().cloned().zip(1..).collect();
    put(end, &directory(&summed, end));
    (members, found(file))
}

fn found(file: File) -> Vec<(String, u64, u64)> {
    let mut archive = ZipArchive::new(file).expect("a zip file");
    let count = archive.len();
    let member = |number| {
        let member = archive.by_index_raw(number).expect("a member");
        assert_eq!((member.crc32(), member.compressed_size()), (number as u32 + 1, member.size()));
        let name = member.name().expect("text").into_owned();
        (name, member.size(), member.data_start().expect("its bytes"))
    };
    (0..count).map(member).collect()
}

#[test]
fn the_crate_finds_members_of_any_length_where_they_are() {
    for lengths in [
        &[][..],
        &[0],
        &[5, 0, 7],
        &[LARGE - 1, 3],
        &[LARGE, 3],
        &[3, LARGE + 1],
        // The third begins where 32 bits end.
        &[1 << 31, 1 << 31, 9],
    ] {
        let (members, found) = read_back(lengths);
        let expected: Vec<_> = members
            .iter()
            .map(|member| (member.name.clone(), member.length, member.start()))
            .collect();
        assert_eq!(found, expected, "{lengths:?}");
    }
}

#[test]
fn bytes_are_those_that_are_summed() {
    let (members, end) = lay_out([("a".to_owned(), 3)]);
    let checksum = crc32fast::hash(b"abc");
    let directory = directory(&[(members[0].clone(), checksum)], end);
    let bytes = [&members[0].header(checksum), &b"abc"[..], &directory].concat();
    let mut archive = ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip file");
    let mut text = String::new();
    archive.by_name("a").expect("it").read_to_string(&mut text).expect("its checksum is right");
    assert_eq!(text, "abc");
}
