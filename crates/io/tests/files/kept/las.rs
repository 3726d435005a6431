//! Dimensions of LAS and LAZ beside the coordinates.

use super::{COUNT, names, of, read};
use crate::folder::Folder;
use crate::las::layout;
use lanecast_io::{Keep, TableWriter, Values};
use std::path::Path;

#[test]
fn points_of_las_keep_what_a_scanner_says() {
    let folder = Folder::new();
    let points: Vec<[f32; 3]> = (0..COUNT).map(|row| [row as f32, 1.0, 2.0]).collect();
    for (of_layers, number) in [(false, 1), (true, 6)] {
        let path = match of_layers {
            true => folder.cloud_of("p.las", &points, &[[1, number]; COUNT]).expect("a cloud"),
            false => folder.cloud("p.las", &points),
        };
        let mut bytes = std::fs::read(&path).expect("a file");
        let (start, length) = layout(&bytes);
        for row in 0..COUNT {
            // ASPRS LAS 1.4, tables 7 and 16.
            let point = &mut bytes[start + row * length..][..length];
            point[12..14].copy_from_slice(&(1000 + row as u16).to_le_bytes());
            if of_layers {
                point[15] = (row as u8 % 4) << 6;
                point[16] = 200 - row as u8;
                point[17] = row as u8;
                point[18..20].copy_from_slice(&(100 * row as i16 - 500).to_le_bytes());
                point[20..22].copy_from_slice(&(3 * row as u16).to_le_bytes());
                point[22..30].copy_from_slice(&(0.5 * row as f64).to_le_bytes());
            } else {
                point[14] |= (row as u8 % 4) << 6;
                point[15] = row as u8 % 32;
                point[16] = (row as i8 - 20) as u8;
                point[17] = row as u8;
                point[18..20].copy_from_slice(&(3 * row as u16).to_le_bytes());
            }
        }
        let path = folder.file("q.las", bytes);
        let all = "intensity return_number number_of_returns scan_direction edge_of_flight_line \
            classification scan_angle user_data point_source_id";
        let all = names(&if of_layers { format!("{all} gps_time") } else { all.to_owned() });
        let found = read(&path, &of(&all)).expect("points");
        assert_eq!(found.kept.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), all);
        for (name, cells) in &found.kept {
            for (row, cell) in cells.iter().enumerate() {
                let expected = match name.as_str() {
                    "intensity" => format!("i {}", 1000 + row),
                    "return_number" => "i 1".to_owned(),
                    "number_of_returns" => format!("i {number}"),
                    "scan_direction" => format!("i {}", row % 2),
                    "edge_of_flight_line" => format!("i {}", row / 2 % 2),
                    "classification" => {
                        format!("i {}", if of_layers { 200 - row } else { row % 32 })
                    }
                    "scan_angle" if of_layers => {
                        format!("f {:?}", (100 * row as i16 - 500) as f32 * 0.006)
                    }
                    "scan_angle" => format!("f {:?}", row as f32 - 20.0),
                    "user_data" => format!("i {row}"),
                    "gps_time" => format!("d {:?}", 0.5 * row as f64),
                    _ => format!("i {}", 3 * row),
                };
                assert_eq!(*cell, expected, "{name}");
            }
        }
    }
}

/// Extra dimensions by their names and types, also of files that lanecast wrote.
#[test]
fn points_of_las_keep_extra_dimensions() {
    let folder = Folder::new();
    let axis: Vec<f64> = (0..COUNT).map(|row| row as f64).collect();
    let beam: Vec<i32> = (0..COUNT as i32).map(|row| 40_000 + row).collect();
    let pulse: Vec<i64> = (0..COUNT as i64).map(|row| (1 << 40) - row).collect();
    let count: Vec<i32> = (0..COUNT as i32).map(|row| 7 - row).collect();
    let gain: Vec<f32> = (0..COUNT).map(|row| 0.1 * row as f32).collect();
    let time: Vec<f64> = (0..COUNT).map(|row| 0.1 * row as f64).collect();
    let columns = [
        ("x", Values::F64(&axis)),
        ("y", Values::F64(&axis)),
        ("z", Values::F64(&axis)),
        ("beam", Values::I32(&beam)),
        ("pulse", Values::I64(&pulse)),
        ("count", Values::I32(&count)),
        ("gain", Values::F32(&gain)),
        ("seconds", Values::F64(&time)),
    ];
    let all = names("ring pulse count gain seconds");
    for name in ["p.las", "p.laz"] {
        let path = folder.path(name);
        let written = TableWriter::create(&path, None, &columns)
            .and_then(|mut writer| writer.write(&columns).and_then(|()| writer.finish()));
        written.expect("a file");
        let found = read(&path, &of(&all)).expect(name);
        assert_eq!(found.kept.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), all);
        for row in 0..COUNT {
            let cells: Vec<_> = found.kept.iter().map(|(_, cells)| cells[row].clone()).collect();
            let expected = [
                format!("i {}", beam[row]),
                format!("i {}", pulse[row]),
                format!("i {}", count[row]),
                format!("f {:?}", gain[row]),
                format!("d {:?}", time[row]),
            ];
            assert_eq!(cells, expected, "{name}, row {row}");
        }
        let everything = Keep { all: true, without: &["gain", "intensity"], ..Keep::default() };
        let kept = read(&path, &everything).expect(name).kept;
        let kept: Vec<_> = kept.into_iter().map(|(name, _)| name).collect();
        assert_eq!(kept[kept.len() - 4..], names("ring pulse count seconds"));
        assert!(!kept.contains(&"intensity".to_owned()) && kept.contains(&"user_data".to_owned()));
    }
    // The descriptions of the file, each of which is changed in turn (ASPRS LAS 1.4, table 24).
    let bytes = std::fs::read(folder.path("p.las")).expect("a file");
    let of_name = |name: &str| {
        let padded: Vec<u8> = name.bytes().chain([0; 32]).take(32).collect();
        bytes.windows(32).position(|window| window == padded).expect("a description") - 4
    };
    let changed = |name: &str, changes: &[(usize, &[u8])]| {
        let (mut bytes, start) = (bytes.clone(), of_name(name));
        for (at, to) in changes {
            bytes[start + at..][..to.len()].copy_from_slice(to);
        }
        folder.file("q.las", bytes)
    };
    let column = |path: &Path, name: &str| -> Vec<String> {
        read(path, &of(&names(name))).expect("points").kept.remove(0).1
    };
    let scaled = changed(
        "count",
        &[(3, &[8 | 16]), (112, &0.5_f64.to_le_bytes()), (136, &100.0_f64.to_le_bytes())],
    );
    let expected: Vec<_> =
        count.iter().map(|count| format!("d {:?}", f64::from(*count) * 0.5 + 100.0)).collect();
    assert_eq!(column(&scaled, "count"), expected);
    let without = changed("count", &[(3, &[1]), (40, &(-2_i64).to_le_bytes())]);
    let found = column(&without, "count");
    assert_eq!([&*found[8], &*found[9], &*found[10]], ["i -1", "-", "i -3"]);
    let without = changed("gain", &[(3, &[1]), (40, &f64::from(gain[3]).to_le_bytes())]);
    let found = column(&without, "gain");
    assert_eq!([&*found[2], &*found[3]], ["f 0.2", "-"]);
    // What is beyond the bytes that points have, or of a type that nobody knows, ends the list.
    let unknown = changed("count", &[(2, &[99])]);
    let kept = read(&unknown, &Keep { all: true, ..Keep::default() }).expect("points").kept;
    assert_eq!(kept.last().map(|(name, _)| &**name), Some("pulse"));
    let error = folder.error_of("q.las", read(&unknown, &of(&names("extra_bytes"))));
    assert_eq!(error, "q.las: \"extra_bytes\" is not kept: it is not one number");
    // Two numbers are none, and what follows lies behind them.
    let pairs = changed("ring", &[(2, &[11])]);
    assert_eq!(column(&pairs, "pulse"), column(&folder.path("p.las"), "pulse"));
    let error = folder.error_of("q.las", read(&pairs, &of(&names("ring"))));
    assert!(error.starts_with("q.las: there is no dimension \"ring\"; found "), "{error}");
    let beyond = changed("pulse", &[(2, &[7])]);
    let mut bytes = std::fs::read(beyond).expect("a file");
    let (start, length) = layout(&bytes);
    bytes[start + 4 * length + 30 + 2..][..8].copy_from_slice(&[255; 8]);
    let path = folder.file("q.las", bytes);
    let error = folder.error_of("q.las", read(&path, &of(&names("pulse"))));
    assert_eq!(error, format!("q.las: row 4: {} is beyond 64 bits with a sign", u64::MAX));
}
