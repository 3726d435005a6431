//! NPY arrays of every type of numbers and shape, and NPZ files of them.

use super::{Rays, all};
use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{npy, points};
use lanecast::Ray;
use lanecast_io::RayReader;
use std::io::Write;

const COUNT: usize = 5;

/// A whole number for each place, small enough for a signed byte.
fn value(row: usize, place: usize) -> i8 {
    (8 * row + place) as i8
}

/// The bytes of a small whole number in a type.
fn bytes_of(value: i8, kind: &str, big_endian: bool) -> Vec<u8> {
    let mut bytes = match kind {
        "f2" => f16(value).to_be_bytes().to_vec(),
        "f4" => f32::from(value).to_be_bytes().to_vec(),
        "f8" => f64::from(value).to_be_bytes().to_vec(),
        "i1" | "u1" => vec![value as u8],
        "i2" | "u2" => i16::from(value).to_be_bytes().to_vec(),
        "i4" | "u4" => i32::from(value).to_be_bytes().to_vec(),
        _ => i64::from(value).to_be_bytes().to_vec(),
    };
    if !big_endian {
        bytes.reverse();
    }
    bytes
}

/// A whole number below 128, which is not negative, as IEEE 754 writes it in 16 bits.
fn f16(value: i8) -> u16 {
    match value.unsigned_abs().checked_ilog2() {
        None => 0,
        Some(exponent) => {
            let fraction = (u16::from(value.unsigned_abs()) << (10 - exponent)) & 0x3ff;
            ((15 + exponent as u16) << 10) | fraction
        }
    }
}

/// An array of rows of a width, of a shape, in C or Fortran order.
fn array(descr: &str, shape: &[usize], width: usize, fortran: bool) -> Vec<u8> {
    let total: usize = shape.iter().product();
    let mut data = Vec::new();
    for at in 0..total {
        // The indices of the value, of which in Fortran order the first runs fastest.
        let (mut rest, mut indices) = (at, vec![0; shape.len()]);
        let order: Vec<usize> =
            if fortran { (0..shape.len()).collect() } else { (0..shape.len()).rev().collect() };
        for axis in order {
            indices[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        let place =
            indices.iter().zip(shape).fold(0, |place, (index, length)| place * length + index);
        data.extend(bytes_of(
            value(place / width, place % width),
            &descr[1..],
            descr.starts_with('>'),
        ));
    }
    let lengths: Vec<_> = shape.iter().map(|length| format!("{length},")).collect();
    npy(
        &format!("'{descr}'"),
        if fortran { "True" } else { "False" },
        &format!("({})", lengths.concat()),
        &data,
    )
}

fn expected(rows: usize, width: usize) -> Vec<Ray> {
    (0..rows)
        .map(|row| {
            let v = |place| f32::from(value(row, place));
            let ray = Ray::new([v(0), v(1), v(2)], [v(3), v(4), v(5)]);
            if width == 8 { ray.with_interval(v(6), v(7)) } else { ray }
        })
        .collect()
}

#[test]
fn an_array_of_any_type_order_and_shape_is_rays() {
    let folder = Folder::new();
    for kind in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"] {
        for order in ["<", ">", "|"] {
            if (order == "|") != kind.ends_with('1') {
                continue;
            }
            for (shape, width) in [
                (&[COUNT, 6][..], 6),
                (&[COUNT, 8], 8),
                (&[COUNT, 2, 3], 6),
                (&[6], 6),
                (&[8], 8),
                (&[1, 6], 6),
            ] {
                for fortran in [false, true] {
                    let bytes = array(&format!("{order}{kind}"), shape, width, fortran);
                    let rows = if shape.len() == 1 { 1 } else { shape[0] };
                    let rays = folder.rays("rays.npy", &bytes, 2);
                    let what = format!("{order}{kind} {shape:?} {fortran}");
                    assert_eq!(rays.expect(&what).rays, expected(rows, width), "{what}");
                    let piped = RayReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes));
                    assert_eq!(
                        all(piped.expect(&what), 7).expect(&what).rays,
                        expected(rows, width),
                        "{what}"
                    );
                }
            }
        }
    }
}

#[test]
fn halves_are_what_ieee_754_says() {
    let folder = Folder::new();
    // 65504, the least subnormal, −0, −1.5, infinity, NaN.
    let bits = [0x7bff_u16, 1, 0x8000, 0xbe00, 0x7c00, 0x7e00];
    let data = bits.map(u16::to_le_bytes).concat();
    let ray =
        folder.rays("rays.npy", npy("'<f2'", "False", "(6,)", &data), 2).expect("halves").rays[0];
    assert_eq!(ray.origin, [65_504.0, 5.960_464_5e-8, -0.0]);
    assert!(ray.origin[2].is_sign_negative());
    assert_eq!(ray.direction[..2], [-1.5, f32::INFINITY]);
    assert!(ray.direction[2].is_nan());
}

#[test]
fn a_point_is_three_numbers_of_any_type() {
    let folder = Folder::new();
    for (shape, rows) in [(&[COUNT, 3][..], COUNT), (&[3], 1)] {
        let path = folder.file("points.npy", array(">i2", shape, 3, false));
        let expected: Vec<[f32; 3]> =
            (0..rows).map(|row| [0, 1, 2].map(|axis| f32::from(value(row, axis)))).collect();
        assert_eq!(points(&path).expect("points"), expected);
    }
}

/// The names of arrays in a zip file, without `.npy`, and their bytes.
type Members<'a> = Vec<(&'a str, &'a [u8])>;

/// A zip file of arrays, each packed or not.
fn npz(arrays: &[(&str, &[u8])], packed: bool) -> Vec<u8> {
    let method =
        if packed { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let ending = if name.contains('.') { "" } else { ".npy" };
        writer.start_file(format!("{name}{ending}"), options).expect("a member");
        writer.write_all(bytes).expect("written");
    }
    writer.finish().expect("a zip file").into_inner()
}

/// A column of rows, or several side by side.
fn columns(descr: &str, first: usize, count: usize) -> Vec<u8> {
    let places =
        (0..COUNT).flat_map(|row| (first..first + count).map(move |place| value(row, place)));
    let data: Vec<u8> = places.flat_map(|value| bytes_of(value, &descr[1..], false)).collect();
    let shape = if count == 1 { format!("({COUNT},)") } else { format!("({COUNT}, {count})") };
    npy(&format!("'{descr}'"), "False", &shape, &data)
}

#[test]
fn an_npz_has_rays_as_one_array_as_two_or_as_columns() {
    let folder = Folder::new();
    let [rows, both, pairs] =
        [(6, [COUNT, 6].to_vec()), (8, [COUNT, 8].to_vec()), (6, [COUNT, 2, 3].to_vec())]
            .map(|(width, shape)| array("<f4", &shape, width, true));
    let [origins, directions] = [0, 3].map(|first| columns("<f8", first, 3));
    let [t_min, t_max] = [6, 7].map(|place| columns("<i4", place, 1));
    let ids = columns("<u8", 1, 1);
    let single: Vec<_> = (0..6).map(|place| columns("<f2", place, 1)).collect();
    let names = ["ox", "oy", "oz", "dx", "dy", "dz"];
    let single: Vec<(&str, &[u8])> =
        names.into_iter().zip(single.iter().map(|column| &column[..])).collect();
    let files: Vec<(Members<'_>, usize, bool)> = vec![
        (vec![("rays", &rows)], 6, false),
        // As numpy.savez(path, rays) writes it.
        (vec![("arr_0", &pairs)], 6, false),
        (vec![("rays", &both), ("ray_id", &ids)], 8, true),
        (vec![("t_max", &t_max), ("rays", &pairs), ("t_min", &t_min)], 8, false),
        (vec![("origins", &origins), ("directions", &directions)], 6, false),
        (
            vec![
                ("ray_id", &ids),
                ("directions", &directions),
                ("origins", &origins),
                ("t_min", &t_min),
                ("t_max", &t_max),
            ],
            8,
            true,
        ),
        (single, 6, false),
    ];
    for (arrays, width, has_ids) in files {
        for packed in [false, true] {
            let bytes = npz(&arrays, packed);
            let ids = has_ids.then(|| (0..COUNT).map(|row| i64::from(value(row, 1))).collect());
            let expected = Rays { rays: expected(COUNT, width), ids };
            assert_eq!(folder.rays("rays.npz", &bytes, 2).expect("rays"), expected);
            let piped =
                RayReader::<f32>::from_reader("pipe", std::io::Cursor::new(bytes)).expect("rays");
            assert_eq!(all(piped, 7).expect("rays"), expected);
        }
    }
}

#[test]
fn what_is_wrong_with_an_npz_is_said_with_its_array() {
    let folder = Folder::new();
    let rays = array("<f4", &[COUNT, 6], 6, false);
    let [origins, directions] = [0, 3].map(|first| columns("<f8", first, 3));
    let long = npy("'<f4'", "False", "(6, 3)", &[0; 72]);
    let ids = columns("<f4", 1, 1);
    let short = &rays[..rays.len() - 1];
    let more = [&rays[..], &[0]].concat();
    let huge = npy("'<f4'", "False", &format!("({}, 6)", u64::MAX / 64), &[0; 50]);
    let none = "expected \"rays\" or \"origins\" and \"directions\"; found";
    let of_rays = "expected (N, 6), (N, 8), (N, 2, 3), (6,) or (8,)";
    let of_all = format!("no array of ox, oy, oz, dx, dy, dz: {none}");
    let meant = |name: &str, meant: &str| {
        format!("array \"{name}\" is not known; did you mean \"{meant}\"? rename it or remove it")
    };
    let cases: Vec<(Members<'_>, String)> = vec![
        (vec![("lines", &rays), ("note.txt", b"x")], format!("{of_all} lines.npy, note.txt")),
        (
            vec![("arr_0", &origins), ("arr_1", &directions)],
            format!("{of_all} arr_0.npy, arr_1.npy"),
        ),
        (vec![("arr_0", &origins)], format!("arr_0.npy: shape [5, 3]; {of_rays}")),
        (vec![("origins", &origins)], format!("no array of dx, dy, dz: {none} origins.npy")),
        (vec![("origin", &origins), ("directions", &directions)], meant("origin", "origins")),
        (vec![("rays", &rays), ("tmax", &ids)], meant("tmax", "t_max")),
        (
            vec![("rays", &rays), ("origins", &origins)],
            "both rays.npy and origins.npy hold \"ox\"".into(),
        ),
        (
            vec![("origins", &long), ("directions", &directions)],
            "directions.npy has 5 rows, origins.npy has 6".into(),
        ),
        (
            vec![("rays", &rays), ("ray_id", &ids)],
            "ray_id.npy: values of the type \"<f4\"; expected whole numbers".into(),
        ),
        (vec![("rays", &origins)], format!("rays.npy: shape [5, 3]; {of_rays}")),
        (
            vec![("origins", &rays), ("directions", &directions)],
            "origins.npy: shape [5, 6]; expected (N, 3) or (3,)".into(),
        ),
        (vec![("rays", short)], "rays.npy: truncated: row 4 of 5 is incomplete".into()),
        (
            vec![("rays", &more)],
            "rays.npy: the header promises 120 bytes of values, 121 are there".into(),
        ),
        (vec![("rays", b"x")], "rays.npy: truncated: the header is incomplete".into()),
        // A header that promises much costs neither memory nor room on the disk.
        (vec![("rays", &huge)], "rays.npy: truncated: row 2 of …".into()),
    ];
    for (arrays, problem) in cases {
        for packed in [false, true] {
            let message = folder.ray_error("rays.npz", npz(&arrays, packed));
            assert_reads(&message, &format!("rays.npz: {problem}"));
        }
    }
    let ignored = npz(&[("rays", &rays), ("weights", &ids), ("note.txt", b"x")], true);
    let reader = RayReader::<f32>::open(&folder.file("rays.npz", ignored)).expect("rays");
    assert_eq!(reader.ignored_columns(), ["weights", "note.txt"]);
    // Whatever the bytes are.
    let sound = npz(&[("origins", &origins), ("directions", &directions)], true);
    for length in (0..sound.len()).step_by(3) {
        let message = folder.ray_error("rays.npz", &sound[..length]);
        let place = format!("no directory of its arrays at its end, byte {length}: ");
        assert_reads(&message, &format!("rays.npz: truncated or no zip archive: …{place}…"));
    }
    crate::support::flip_bytes([((), sound)], 300, |(), bytes| {
        let _ = folder.rays("rays.npz", bytes, 7);
    });
}
