//! LAS and LAZ files whose headers and contents contradict each other.

use crate::folder::Folder;
use crate::support::points;

const COUNT: usize = 120;

/// A file of so many points in the format 0 of LAS 1.2, or in the format 6 of 1.4.
fn file(folder: &Folder, name: &str, of_layers: bool, count: usize) -> Vec<u8> {
    let made: Vec<[f32; 3]> = (0..count as u64)
        .map(|row| [row * 7919 % 1000, row * 104_729 % 977, row % 31].map(|x| x as f32))
        .collect();
    let path = match of_layers {
        true => folder.cloud_of(name, &made, &vec![[1, 6]; count]).expect("written"),
        false => folder.cloud(name, &made),
    };
    assert_eq!(points(&path).expect(name).len(), count);
    std::fs::read(path).expect("a file")
}

/// Where the points begin, and the bytes of one.
pub(crate) fn layout(bytes: &[u8]) -> (usize, usize) {
    let number = |at: usize, width: usize| {
        bytes[at..at + width].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    (number(96, 4), number(105, 2))
}

/// The same file with another number of points in its header.
fn counting(bytes: &[u8], count: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match bytes[25] {
        4 => {
            bytes[107..111].fill(0);
            bytes[247..255].copy_from_slice(&count.to_le_bytes());
        }
        _ => bytes[107..111].copy_from_slice(&(count as u32).to_le_bytes()),
    }
    bytes
}

#[test]
fn points_beyond_the_number_in_the_header_are_no_secret() {
    let folder = Folder::new();
    for of_layers in [false, true] {
        let bytes = file(&folder, "p.las", of_layers, COUNT);
        let (_, length) = layout(&bytes);
        for (count, more, problem) in [
            (119, vec![], "120 points are there, the header counts 119"),
            (0, vec![], "120 points are there, the header counts 0"),
            (120, vec![1; length], "121 points are there, the header counts 120"),
            (120, vec![0, 1], "more follows the 120 points that the header counts"),
            (121, vec![], "truncated: point 120 of 121 is incomplete"),
            (u64::from(u32::MAX), vec![], "truncated: point 120 of 4294967295 is incomplete"),
        ] {
            let bytes = [counting(&bytes, count), more].concat();
            folder.refuses(points, [("p.las", bytes, problem)]);
        }
        let padded = [&bytes[..], &[0; 5000]].concat();
        assert_eq!(points(&folder.file("p.las", padded)).expect("points").len(), COUNT);
    }
}

#[test]
fn packed_points_beyond_the_number_in_the_header_are_no_secret() {
    let folder = Folder::new();
    // A chunk has 50,000 points.
    for count in [COUNT, 60_000] {
        for of_layers in [false, true] {
            let bytes = file(&folder, "p.laz", of_layers, count);
            for wrong in [1, count / 3, count - 20, count + 20, 100_001, 200_000] {
                let counting = counting(&bytes, wrong as u64);
                let message = folder.error_of("p.laz", points(&folder.file("p.laz", counting)));
                let known = [
                    format!("p.laz: the header counts {wrong} points, the table of its "),
                    "p.laz: the chunk at byte ".to_owned(),
                    "bytes of packed points follow the ".to_owned(),
                    "truncated or damaged among the points ".to_owned(),
                ];
                assert!(
                    known.iter().any(|known| message.contains(known)),
                    "{wrong} of {count}: {message}"
                );
                let table = count.div_ceil(50_000) != wrong.div_ceil(50_000);
                assert_eq!(message.starts_with(&known[0]), table, "{wrong} of {count}: {message}");
                assert!(
                    table || !of_layers || message.starts_with(&known[1]),
                    "{wrong} of {count}: {message}"
                );
            }
        }
    }
}

/// Two records behind the points, of 3 and 0 bytes.
#[test]
fn records_behind_the_points_are_read_over_if_they_are_whole() {
    let folder = Folder::new();
    for name in ["p.las", "p.laz"] {
        let mut bytes = file(&folder, name, true, COUNT);
        let start = bytes.len();
        bytes[235..243].copy_from_slice(&(start as u64).to_le_bytes());
        bytes[243..247].copy_from_slice(&2_u32.to_le_bytes());
        let record = |length: u64| [&[1; 20][..], &length.to_le_bytes(), &[0; 32]].concat();
        bytes.extend([record(3), vec![9; 3], record(0)].concat());
        assert_eq!(points(&folder.file(name, &bytes)).expect(name).len(), COUNT);
        let end = bytes.len();
        let beyond = |number: u32, count: u32, at: usize, data: u64, end: usize| {
            format!(
                "truncated or malformed: extended record {number} of {count}, at byte {at} and of {data} bytes, \
                 ends beyond byte {end}, the end of the file"
            )
        };
        let with = |at: usize, number: &[u8]| {
            let mut bytes = bytes.clone();
            bytes[at..at + number.len()].copy_from_slice(number);
            bytes
        };
        let third = with(243, &3_u32.to_le_bytes());
        folder.refuses(
            points,
            [
                (name, bytes[..end - 1].to_vec(), beyond(1, 2, start + 63, 0, end - 1)),
                (name, bytes[..end - 60].to_vec(), beyond(1, 2, start + 63, 0, end - 60)),
                (name, bytes[..end - 62].to_vec(), beyond(0, 2, start, 3, end - 62)),
                (name, with(start + 20, &[0xff; 8]), beyond(0, 2, start, u64::MAX, end)),
                (name, third, beyond(2, 3, end, 0, end)),
                (
                    name,
                    with(235, &300_u64.to_le_bytes()),
                    "malformed: extended records at byte 300, in its header".into(),
                ),
            ],
        );
    }
}

#[test]
fn lengths_that_a_file_has_no_bytes_for_are_refused() {
    let folder = Folder::new();
    let bytes = file(&folder, "p.laz", true, COUNT);
    let (points_at, length) = layout(&bytes);
    let with = |at: usize, number: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + number.len()].copy_from_slice(number);
        bytes
    };
    // The offset of the table, a whole point, the number of points, nine lengths of layers.
    let layers = points_at + 8 + length + 4;
    let chunk = points_at + 8;
    let table = u64::from_le_bytes(bytes[points_at..chunk].try_into().expect("eight bytes"));
    let left = table as usize - chunk;
    // The record of the packing stands behind a header of 375 bytes: its items begin 34 bytes
    // within its data.
    let items = 375 + 54 + 34;
    let claimed = "truncated or malformed: the chunk at byte";
    folder.refuses(
        points,
        [
            (with(layers + 8, &[0xff; 4]), format!("{claimed} {chunk} claims 429496… bytes, {left} are there")),
            (
                with(layers - 4, &119_u32.to_le_bytes()),
                format!("the chunk at byte {chunk} holds 119 points, and should 120"),
            ),
            (
                with(table as usize + 4, &4_000_000_u32.to_le_bytes()),
                format!("malformed: 4000000 chunks, where the file has bytes for {}", left / length),
            ),
            (
                with(items + 2, &0x0003_0fff_u32.to_le_bytes()),
                "malformed: packed points have 4095 bytes, points 30".into(),
            ),
            (
                with(100, &7_u32.to_le_bytes()),
                format!("malformed: record 1 of 7, at byte …ends beyond byte {points_at}, where its points begin"),
            ),
            (with(105, &[29, 0]), "malformed: points of 29 bytes, whose format has 30".into()),
        ]
        .map(|(bytes, problem): (_, String)| ("p.laz", bytes, problem)),
    );
}
