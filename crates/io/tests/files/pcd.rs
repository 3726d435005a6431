//! Packed points of PCD files.

use crate::folder::Folder;
use crate::support::points;

const POINTS: [[f32; 3]; 3] = [[0.5, -1.0, 2.0], [1e9, 0.0, 3.0], [4.0, 5.0, 6.0]];

fn head(fields: &str, sizes: &str, kinds: &str, counts: &str) -> Vec<u8> {
    format!(
        "# .PCD v0.7\nVERSION 0.7\nFIELDS {fields}\nSIZE {sizes}\nTYPE {kinds}\nCOUNT {counts}\nWIDTH 3\nHEIGHT 1\n\
         POINTS 3\nDATA binary_compressed\n"
    )
    .into_bytes()
}

/// Packs bytes as runs, or as a copy where so many of the last four bytes follow again.
fn pack(bytes: &[u8]) -> Vec<u8> {
    let (mut packed, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let again = if at < 4 {
            0
        } else {
            (at..bytes.len()).take_while(|&to| bytes[to] == bytes[to - 4]).count()
        };
        match again.min(264) {
            0..3 => {
                packed.extend([0, bytes[at]]);
                at += 1;
            }
            length @ 3..9 => {
                packed.extend([(length as u8 - 2) << 5, 3]);
                at += length;
            }
            length => {
                packed.extend([7 << 5, (length - 9) as u8, 3]);
                at += length;
            }
        }
    }
    packed
}

fn file(head: Vec<u8>, columns: &[u8]) -> Vec<u8> {
    let packed = pack(columns);
    let lengths = [packed.len(), columns.len()].map(|length| (length as u32).to_le_bytes());
    [head, lengths.concat(), packed].concat()
}

fn column(axis: usize) -> Vec<u8> {
    POINTS.iter().flat_map(|point| point[axis].to_le_bytes()).collect()
}

/// The columns of z, intensity, x and y, of which intensity has three numbers a point.
fn columns() -> Vec<u8> {
    let intensity: Vec<u8> = [7_u16; 9].into_iter().flat_map(u16::to_le_bytes).collect();
    [column(2), intensity, column(0), column(1)].concat()
}

#[test]
fn packed_columns_are_points() {
    let folder = Folder::new();
    let read = |bytes: &[u8]| points(&folder.file("p.pcd", bytes)).expect("points");
    let plain = head("z intensity x y", "4 2 4 4", "F U F F", "1 3 1 1");
    let sound = file(plain, &columns());
    assert_eq!(read(&sound), POINTS);
    assert_eq!(read(&[&sound[..], &[0; 9]].concat()), POINTS, "zeros behind");
    // Room between fields is not packed, or is.
    let padded = || head("_ z intensity _ x y", "1 4 2 1 4 4", "U F U U F F", "4 1 3 2 1 1");
    assert_eq!(read(&file(padded(), &columns())), POINTS);
    let intensity = &columns()[12..30];
    let all = [&[9; 12], &column(2)[..], intensity, &[9; 6], &column(0), &column(1)].concat();
    assert_eq!(read(&file(padded(), &all)), POINTS);
    // Copies as long as there are, and of themselves.
    let same = head("x y z more", "4 4 4 8", "F F F F", "1 1 1 200");
    let ones = [1.0_f32; 9]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .chain([3; 3 * 200 * 8])
        .collect::<Vec<_>>();
    assert_eq!(read(&file(same, &ones)), [[1.0; 3]; 3]);
}

#[test]
fn what_is_wrong_with_packed_columns_is_said() {
    let folder = Folder::new();
    let plain = head("z intensity x y", "4 2 4 4", "F U F F", "1 3 1 1");
    let (sound, at) = (file(plain.clone(), &columns()), plain.len());
    let packed = sound.len() - at - 8;
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = sound.clone();
        change(&mut bytes);
        bytes
    };
    // Four gigabytes of 300 points each in a hundred bytes.
    let large = String::from_utf8(head("x y z more", "4 4 4 8", "F F F F", "1 1 1 16000"));
    let large =
        large.expect("text").replace("WIDTH 3", "WIDTH 33550").replace("POINTS 3", "POINTS 33550");
    let size = (33_550_u64 * 128_012) as u32;
    let lengths = [1, size].map(u32::to_le_bytes).concat();
    let cases = [
        (
            sound[..at + 7].to_vec(),
            "truncated: the lengths of its packed points are incomplete".to_owned(),
        ),
        (
            sound[..sound.len() - 1].to_vec(),
            format!("truncated: {} of {packed} bytes of packed points are there", packed - 1),
        ),
        (
            with(&|bytes| bytes[at + 4] += 1),
            "malformed: 3 points of 18 bytes each, which unpack to 55 bytes".to_owned(),
        ),
        (with(&|bytes| bytes[at + 8] = 31), "damaged: its packed points …".to_owned()),
        (
            with(&|bytes| bytes[at + 8..at + 10].copy_from_slice(&[0x20, 0])),
            "damaged: its packed points copy from 1 bytes before byte 0".to_owned(),
        ),
        (
            [&sound[..], b"x"].concat(),
            "more follows the 3 points that the header counts".to_owned(),
        ),
        (
            [large.as_bytes(), &lengths, &[0]].concat(),
            format!("damaged: its packed points claim to grow from 1 bytes to {size}"),
        ),
        (
            head("x y z a b", "4 4 4 8 8", "F F F F F", "1 1 1 16000 1000"),
            "field \"b\": a COUNT that is too large".to_owned(),
        ),
    ];
    folder.refuses(points, cases.map(|(bytes, problem)| ("p.pcd", bytes, problem)));
}

/// The Point Cloud Library refuses it too.
#[test]
fn a_field_of_no_numbers_is_no_panic() {
    let folder = Folder::new();
    let plain = head("a x y z", "4 4 4 4", "F F F F", "0 1 1 1");
    let all = [column(0), column(1), column(2)].concat();
    let packed = file(plain.clone(), &all);
    let text = String::from_utf8(plain).expect("text");
    let rows = POINTS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
    let binary = [text.replace("_compressed", "").as_bytes(), &rows].concat();
    let ascii = text.replace("binary_compressed", "ascii") + "1 2 3\n4 5 6\n7 8 9\n";
    let problem = "field \"a\": COUNT 0; a field has one number or more";
    folder.refuses(points, [packed, binary, ascii.into()].map(|bytes| ("p.pcd", bytes, problem)));
}
