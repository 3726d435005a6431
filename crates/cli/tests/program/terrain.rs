//! `lanecast terrain`, against a calculation of its own over every triangle.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{fields, shipped};
use lanecast_io::{Raster, RasterGrid, RasterWriter, Registration, Sample, read_raster};
use lanecast_reference::random::Random;
use serde_json::json;

const ROWS: usize = 17;
const COLUMNS: usize = 23;
const NODATA: f64 = -9999.0;

/// Hills with a hole, at survey coordinates, with a reference system.
fn hills(transform: [f64; 6], registration: Registration) -> Raster {
    let crs = read_raster(&shipped("rasters/i8.tif")).expect("a raster").grid.crs;
    let mut random = Random::new(5);
    let height = |at: usize| {
        let (row, column) = ((at / COLUMNS) as f64, (at % COLUMNS) as f64);
        let smooth = 12.0 * ((0.5 * row).sin() + (0.4 * column).cos());
        let rough = (random.bits() % 1000) as f64 / 250.0;
        let is_hole = (row - 6.0).hypot(column - 11.0) < 2.5;
        if is_hole { NODATA } else { f64::from((smooth + rough) as f32) }
    };
    let values = (0..ROWS * COLUMNS).map(height).collect();
    let nodata = Some(NODATA);
    let grid = RasterGrid { rows: ROWS, columns: COLUMNS, transform, registration, nodata, crs };
    Raster { grid, sample: Sample::F32, values }
}

/// The triangles between centres of pixels that all have data, with the diagonal from the lower
/// right to the upper left of a cell.
fn triangles(raster: &Raster) -> Vec<[[f64; 3]; 3]> {
    let vertex = |row: usize, column: usize| {
        let [x, y] = raster.grid.centre(row, column);
        [x, y, raster.values[row * COLUMNS + column]]
    };
    let mut all = Vec::new();
    for row in 1..ROWS {
        for column in 1..COLUMNS {
            let mut cell =
                [(row, column - 1), (row, column), (row - 1, column - 1), (row - 1, column)]
                    .map(|(row, column)| vertex(row, column));
            // By y and then by x: lower left, lower right, upper left, upper right.
            cell.sort_by(|a, b| (a[1], a[0]).partial_cmp(&(b[1], b[0])).expect("numbers"));
            let [v00, v01, v10, v11] = cell;
            all.extend([[v00, v01, v10], [v11, v10, v01]]);
        }
    }
    all.retain(|corners| corners.iter().all(|corner| corner[2] != NODATA));
    all
}

/// The weights of the corners of a triangle at x and y.
fn weights([a, b, c]: &[[f64; 3]; 3], x: f64, y: f64) -> [f64; 3] {
    let twice = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let [a, b, c] = [a, b, c].map(|corner| [corner[0], corner[1]]);
    let area = twice(a, b, c);
    [twice([x, y], b, c), twice(a, [x, y], c), twice(a, b, [x, y])].map(|part| part / area)
}

/// How far the line comes through a triangle: the part of it over the triangle is above at one end
/// and below at the other. Returns whether it does, and by how little that is decided.
fn blocks(corners: &[[f64; 3]; 3], from: [f64; 3], to: [f64; 3]) -> (bool, f64) {
    let [start, end] = [from, to].map(|at| weights(corners, at[0], at[1]));
    let [mut first, mut last] = [0.0_f64, 1.0];
    for (start, end) in start.into_iter().zip(end) {
        // The weight must not be negative.
        let slope = end - start;
        if slope > 0.0 {
            first = first.max(-start / slope);
        } else if slope < 0.0 {
            last = last.min(-start / slope);
        } else if start < 0.0 {
            return (false, f64::INFINITY);
        }
    }
    if first >= last {
        return (false, f64::INFINITY);
    }
    let above = |t: f64| {
        let ground = (0..3).map(|i| (start[i] + t * (end[i] - start[i])) * corners[i][2]);
        from[2] + t * (to[2] - from[2]) - ground.sum::<f64>()
    };
    let [first, last] = [above(first), above(last)];
    (first * last < 0.0, first.abs().min(last.abs()))
}

/// The counts, the pixels at which a rounding decides, and how many observers stand beside.
fn expected(
    raster: &Raster,
    observers: &[[f64; 2]],
    [eyes, raised, most]: [f64; 3],
) -> (Vec<f64>, Vec<usize>, usize) {
    let triangles = triangles(raster);
    let ground = |[x, y]: [f64; 2]| {
        triangles.iter().find_map(|corners| {
            let weights = weights(corners, x, y);
            let inside = weights.iter().all(|weight| *weight >= 0.0);
            inside.then(|| (0..3).map(|i| weights[i] * corners[i][2]).sum::<f64>())
        })
    };
    let beside = observers.iter().filter(|place| ground(**place).is_none()).count();
    let (mut counts, mut doubtful) = (Vec::new(), Vec::new());
    for (number, value) in raster.values.iter().enumerate() {
        if *value == NODATA {
            counts.push(NODATA);
            continue;
        }
        let [x, y] = raster.grid.centre(number / COLUMNS, number % COLUMNS);
        let mut count = 0.0;
        for &[ox, oy] in observers {
            let Some(ground) = ground([ox, oy]) else { continue };
            if (ox - x).hypot(oy - y) > most {
                continue;
            }
            let (from, to) = ([ox, oy, ground + eyes], [x, y, value + raised]);
            let met: Vec<(bool, f64)> =
                triangles.iter().map(|corners| blocks(corners, from, to)).collect();
            if met.iter().any(|(_, margin)| *margin < 1e-6) {
                doubtful.push(number);
            }
            count += f64::from(u8::from(!met.iter().any(|(is_blocked, _)| *is_blocked)));
        }
        counts.push(count);
    }
    (counts, doubtful, beside)
}

#[test]
fn viewshed_counts_who_sees_each_pixel() {
    let folder = Folder::new();
    let north_up = [5.0, 0.0, 500_000.5, 0.0, -5.0, 5_200_000.25];
    for (transform, registration) in [
        (north_up, Registration::Area),
        (north_up, Registration::Point),
        ([5.0, 0.0, 500_000.5, 0.0, 4.0, 5_200_000.25], Registration::Area),
        ([-5.0, 0.0, 500_000.5, 0.0, -4.0, 5_200_000.25], Registration::Area),
    ] {
        let raster = hills(transform, registration);
        let writer = RasterWriter::create(&folder.path("dem.tif"), &raster.grid, raster.sample);
        writer.and_then(|writer| writer.write(&raster.values)).expect("a raster");
        // Where the reference system says how pixels are registered as well.
        let raster = read_raster(&folder.path("dem.tif")).expect("a raster");
        let mut random = Random::new(11);
        let mut place = |_| {
            let part = |bits: u64| (bits % 10_000) as f64 / 10_000.0;
            let (row, column) = (part(random.bits()) * 15.0, part(random.bits()) * 21.0);
            let [[x, y], [u, v]] = [raster.grid.centre(0, 0), raster.grid.centre(1, 1)];
            [x + column * (u - x), y + row * (v - y)]
        };
        let mut observers: Vec<[f64; 2]> = (0..9).map(&mut place).collect();
        // In the hole, and beside the raster.
        observers.extend([raster.grid.centre(6, 11), [0.0, 0.0]]);
        let lines: String = observers.iter().map(|[x, y]| format!("{x},{y},nan\n")).collect();
        folder.file("o.csv", format!("x,y,z\n{lines}"));
        for (options, given) in [
            ("--observer-height 2.5 --target-height 1.25", [2.5, 1.25, f64::INFINITY]),
            ("--observer-height 1.5 --max-distance 40", [1.5, 0.0, 40.0]),
            ("--observer-height 2.5 --target-height 1.25 --max-distance 40", [2.5, 1.25, 40.0]),
        ] {
            let line = format!("terrain viewshed dem.tif -fo seen.tif --observers o.csv {options}");
            let report = folder.json(&line);
            let found = read_raster(&folder.path("seen.tif")).expect("a raster");
            assert_eq!((&found.grid, found.sample), (&raster.grid, Sample::I32));
            let (expected, doubtful, beside) = expected(&raster, &observers, given);
            // At target height 0 the line ends on triangles, which decides nothing.
            if given[1] > 0.0 {
                assert!(doubtful.len() < 3, "{doubtful:?}");
                for (number, (found, expected)) in found.values.iter().zip(&expected).enumerate() {
                    assert!(
                        found == expected || doubtful.contains(&number),
                        "{transform:?}, pixel {number}: {found}, not {expected}"
                    );
                }
            }
            let data = found.values.iter().filter(|count| **count != NODATA);
            let seen = data.clone().filter(|count| **count > 0.0).count();
            let in_sight = data.sum::<f64>() as u64;
            assert!(beside > 1 && seen > 50 && in_sight > 200, "{seen} and {in_sight}");
            let names = "observers beside in_sight seen rows columns";
            assert_eq!(
                fields(&report, names),
                json!([11, beside, in_sight, seen, ROWS, COLUMNS]),
                "{transform:?}"
            );
        }
    }
    let line = "terrain viewshed dem.tif -fo seen.tif --observers o.csv";
    assert_reads(
        &folder.said(line),
        "…o.csv: 4 observers beside the raster, or where it has no data, the first in row 1\n…",
    );
}

/// Ends that lie on the terrain do not block a line: on a slope all see all.
#[test]
fn on_a_slope_everything_is_seen() {
    let folder = Folder::new();
    let values: Vec<f64> = (0..ROWS * COLUMNS)
        .map(|at| 100.0 + 0.5 * (at / COLUMNS) as f64 + 0.25 * (at % COLUMNS) as f64)
        .collect();
    let raster = Raster { values, ..hills([5.0, 0.0, 5e5, 0.0, -5.0, 5e6], Registration::Point) };
    let grid = RasterGrid { crs: None, nodata: None, ..raster.grid };
    for name in ["dem.tif", "dem.asc"] {
        let writer = RasterWriter::create(&folder.path(name), &grid, Sample::F32);
        writer.and_then(|writer| writer.write(&raster.values)).expect("a raster");
        folder.file("o.csv", "x,y,z\n500031,4999962,0\n500020,4999990,0\n");
        let seen = name.replace("dem", "seen");
        folder.output(&format!(
            "terrain viewshed {name} -o {seen} --observers o.csv --observer-height 0.01"
        ));
        let found = read_raster(&folder.path(&seen)).expect("a raster");
        assert_eq!(found.values, [2.0; ROWS * COLUMNS], "{name}");
        assert_eq!(found.grid.transform, grid.transform);
    }
}

#[test]
fn a_terrain_that_cannot_be_asked_is_refused() {
    let folder = Folder::with_cube();
    let raster = hills([5.0, 0.0, 5e5, 0.0, -5.0, 5e6], Registration::Point);
    for (name, values) in
        [("dem.tif", raster.values.clone()), ("void.tif", vec![NODATA; ROWS * COLUMNS])]
    {
        let writer = RasterWriter::create(&folder.path(name), &raster.grid, Sample::F32);
        writer.and_then(|writer| writer.write(&values)).expect("a raster");
    }
    folder.file("o.csv", "x,y,z\n500031,4999962,0\n");
    let line = |dem: &str, out: &str, more: &str| {
        format!("terrain viewshed {dem} -o {out} --observers o.csv {more}")
    };
    folder.refuses([
        (line("cube.off", "s.tif", ""), "cube.off: no raster; known: tif, tiff, asc"),
        (line("dem.tif", "s.png", ""), "s.png: unknown raster format \".png\"; known: …"),
        (line("dem.tif", "s.asc", ""), "s.asc: an ESRI ASCII grid cannot hold the reference…"),
        (line("dem.tif", "dem.tif", "--force"), "dem.tif: the output would overwrite the input…"),
        (line("void.tif", "s.tif", ""), "void.tif: no pixel holds data"),
        (line("gone.tif", "s.tif", ""), "gone.tif: No such file…"),
        (line("data/rasters/rotated-u8.tif", "s.tif", ""), "…transform is rotated…"),
        (line("dem.tif", "s.tif", "--max-distance -1"), "…--max-distance…not negative…"),
        ("terrain".to_owned(), "…"),
    ]);
    assert!(!folder.path("s.tif").exists() && !folder.path("s.asc").exists());
}
