//! `lanecast terrain`, against a calculation of its own over every triangle.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{fields, lanecast, output_of, shipped};
use lanecast::{CastOptions, SceneBuilder};
use lanecast_io::{Raster, RasterGrid, RasterWriter, Registration, Sample, read_raster};
use lanecast_makers::Utc;
use lanecast_reference::random::Random;
use lanecast_terrain::{Plane, Sight, Terrain, View, azimuths, suns, unwatched};
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

/// What the library computes of a raster, whose own tests hold it against calculations of their own.
fn terrain_of(raster: &Raster) -> Terrain {
    let heights: Vec<f64> = raster
        .values
        .iter()
        .map(|value| if raster.grid.is_nodata(*value) { f64::NAN } else { *value })
        .collect();
    let ([x, y], [a, _, _, _, e, _]) = (raster.grid.centre(0, 0), raster.grid.transform);
    let transform = [a, 0.0, x, 0.0, e, y];
    Terrain::new(&heights, [ROWS, COLUMNS], transform, SceneBuilder::default()).expect("a terrain")
}

/// As a file of floats has them.
fn as_floats(answers: &[f64]) -> Vec<f64> {
    let float = |answer: &f64| if answer.is_nan() { NODATA } else { f64::from(*answer as f32) };
    answers.iter().map(float).collect()
}

#[test]
fn horizons_sky_and_sun_are_those_of_the_library() {
    let folder = Folder::new();
    for (transform, registration) in [
        ([5.0, 0.0, 500_000.5, 0.0, -5.0, 5_200_000.25], Registration::Area),
        ([5.0, 0.0, 500_000.5, 0.0, -5.0, 5_200_000.25], Registration::Point),
        ([-5.0, 0.0, 500_000.5, 0.0, 4.0, 5_200_000.25], Registration::Area),
    ] {
        let raster = hills(transform, registration);
        let writer = RasterWriter::create(&folder.path("dem.tif"), &raster.grid, raster.sample);
        writer.and_then(|writer| writer.write(&raster.values)).expect("a raster");
        // Where the reference system says how pixels are registered as well.
        let raster = read_raster(&folder.path("dem.tif")).expect("a raster");
        let terrain = terrain_of(&raster);
        let (options, view) = (CastOptions::new(), View::default());
        let read = |name: &str| {
            let found = read_raster(&folder.path(name)).expect("a raster");
            assert_eq!((&found.grid, found.sample), (&raster.grid, Sample::F32), "{name}");
            found.values
        };

        let report = folder.json("terrain sky dem.tif -fo sky.tif --azimuths 8");
        let open = terrain.sky_view(8, Plane::Horizontal, &view, &options, &unwatched);
        let open = open.expect("shares");
        assert_eq!(read("sky.tif"), as_floats(&open));
        let mean = report["mean_share"].as_f64().expect("a number");
        assert!(mean > 0.5 && mean < 1.0, "{mean}");
        let data = terrain.pixels().len();
        assert_eq!(
            fields(&report, "rows columns azimuths rays"),
            json!([ROWS, COLUMNS, 8, 8 * 14 * data])
        );

        folder.output(
            "terrain sky dem.tif -fo sky.tif --azimuths 5 --plane surface --height 1.5 --max-distance 30 --tolerance 0.1",
        );
        let view = View { height: 1.5, max_distance: 30.0, tolerance: 0.1 };
        let open = terrain.sky_view(5, Plane::Surface, &view, &options, &unwatched);
        assert_eq!(read("sky.tif"), as_floats(&open.expect("shares")));

        let report = folder.json(
            "terrain sun dem.tif -fo sun.tif --from 2026-12-21 --to 2026-12-21T16:50:30Z --step 45m \
             --latitude 46.9 --longitude -8.2 --height 0.5",
        );
        let from = Utc { year: 2026, month: 12, day: 21, hour: 0, minute: 0, second: 0.0 };
        let to = Utc { hour: 16, minute: 50, second: 30.0, ..from };
        let suns = suns(from, to, 2700.0, 46.9, -8.2).expect("suns");
        let hours = terrain.sun_hours(&suns, 0.5, &options, &unwatched).expect("hours");
        assert_eq!(read("sun.tif"), as_floats(&hours));
        let by_day = suns.iter().filter(|(sun, _)| sun.altitude > 0.0).count();
        assert_eq!(fields(&report, "steps steps_of_day rays"), json!([23, by_day, by_day * data]));
        assert!(by_day > 8 && by_day < 14);

        let report = folder.json("terrain horizon dem.tif -fo horizon.tif --azimuths 7");
        assert_eq!(fields(&report, "azimuths rays"), json!([7, 7 * 14 * data]));
        let error = read_raster(&folder.path("horizon.tif")).expect_err("bands").to_string();
        assert_reads(&error, "…horizon.tif: 7 bands; …");
        let text = String::from_utf8_lossy(&folder.bytes("horizon.tif")).into_owned();
        assert_reads(
            &text,
            "…sample=\"0\" role=\"description\">azimuth 000</Item>…>azimuth 051.43<…",
        );
    }
}

/// Text grids have one band, and so a file for each azimuth.
#[test]
fn horizons_as_text_are_a_file_for_each_azimuth() {
    let folder = Folder::new();
    let hills = hills([5.0, 0.0, 5e5, 0.0, -5.0, 5e6], Registration::Area);
    let raster = Raster { grid: RasterGrid { crs: None, ..hills.grid }, ..hills };
    let writer = RasterWriter::create(&folder.path("dem.asc"), &raster.grid, Sample::F32);
    writer.and_then(|writer| writer.write(&raster.values)).expect("a raster");
    let line = "terrain horizon dem.asc -o around.asc --azimuths 4 --height 2";
    let report = folder.json(line);
    let names = ["000", "090", "180", "270"].map(|azimuth| format!("around-{azimuth}.asc"));
    assert_eq!(report["outputs"], json!(names));
    let view = View { height: 2.0, ..View::default() };
    let expected =
        terrain_of(&raster).horizon(&azimuths(4), &view, &CastOptions::new(), &unwatched);
    for (name, expected) in names.iter().zip(expected.expect("horizons").chunks(ROWS * COLUMNS)) {
        let found = read_raster(&folder.path(name)).expect("a raster");
        // Text has as many digits as floats need.
        let found: Vec<f64> = found.values.iter().map(|value| f64::from(*value as f32)).collect();
        assert_eq!(found, as_floats(expected), "{name}");
    }
    assert!(!folder.path("around.asc").exists());
    folder.refuses([(line, "around-000.asc: there is such a file already; --force…")]);
}

#[test]
fn viewsheds_of_bits_name_the_observers() {
    let folder = Folder::new();
    let raster = hills([5.0, 0.0, 5e5, 0.0, -5.0, 5e6], Registration::Area);
    let writer = RasterWriter::create(&folder.path("dem.tif"), &raster.grid, raster.sample);
    writer.and_then(|writer| writer.write(&raster.values)).expect("a raster");
    let terrain = terrain_of(&raster);
    let place = |number: usize| raster.grid.centre(number % ROWS, number * 7 % COLUMNS);
    for (count, sample) in [(31, Sample::I32), (32, Sample::I64)] {
        let places: Vec<[f64; 2]> = (0..count).map(place).collect();
        let lines: String = places.iter().map(|[x, y]| format!("{x},{y},0\n")).collect();
        folder.file("o.csv", format!("x,y,z\n{lines}"));
        let line = "terrain viewshed dem.tif -fo seen.tif --observers o.csv --observer-height 3";
        let report = folder.json(&format!("{line} --bits"));
        let found = read_raster(&folder.path("seen.tif")).expect("a raster");
        assert_eq!((&found.grid, found.sample), (&raster.grid, sample));
        let eyes = terrain.eyes(&places, 3.0, &CastOptions::new()).expect("eyes");
        let expected =
            terrain.viewshed_bits(&eyes, &Sight::default(), &CastOptions::new(), &unwatched);
        let expected = expected.expect("bits");
        for (pixel, (found, bits)) in found.values.iter().zip(&expected.pixels).enumerate() {
            let is_data = raster.values[pixel] != NODATA;
            assert_eq!(*found, if is_data { f64::from(*bits) } else { NODATA }, "{pixel}");
        }
        assert!(expected.pixels.iter().any(|bits| bits >> (count - 1) == 1));
        assert_eq!(report["in_sight"], json!(expected.in_sight));
    }
    folder.file("o.csv", format!("x,y,z\n{}", "5e5,5e6,0\n".repeat(33)));
    folder.refuses([(
        "terrain viewshed dem.tif -fo seen.tif --observers o.csv --bits",
        "o.csv: 33 observers; a pixel has bits for 32 at most",
    )]);
}

#[test]
fn what_cannot_be_asked_of_a_terrain_is_named() {
    let folder = Folder::new();
    let raster = hills([5.0, 0.0, 5e5, 0.0, -5.0, 5e6], Registration::Point);
    let writer = RasterWriter::create(&folder.path("dem.tif"), &raster.grid, Sample::F32);
    writer.and_then(|writer| writer.write(&raster.values)).expect("a raster");
    let sun = |more: &str| {
        format!("terrain sun dem.tif -o s.tif --latitude 47 --longitude 8 --to 2026-12-22 {more}")
    };
    let horizon = |more: &str| format!("terrain horizon dem.tif -o s.tif {more}");
    folder.refuses([
        (sun("--from 2026-12-32"), "…--from…day is 32…"),
        (sun("--from yesterday"), "…--from…expected a time in UTC, as in…"),
        (sun("--from 2026-12-21T25:00"), "…--from…hour is 25…"),
        (sun("--from 2026-12-21T7:00"), "…--from…expected a time in UTC, as in…"),
        (sun("--from 2026-12-21T07:00:00:00"), "…--from…expected a time in UTC, as in…"),
        (sun("--from 2026-12-23"), "sun hours: to is not after the start"),
        (sun("--from 2026-12-21 --step 15"), "…--step…expected a time with s, m or h…"),
        (sun("--from 2026-12-21 --step 0m"), "…--step…expected a time with s, m or h…"),
        (sun("--from 2026-12-21 --step 0.001s"), "sun hours: step is 0.001 seconds; …"),
        (
            sun("--from 2026-12-21 --latitude 95").replace("--latitude 47 ", ""),
            "sun: latitude is 95; …",
        ),
        (horizon("--azimuths 0"), "…--azimuths…"),
        (horizon("--tolerance 0"), "…--tolerance…expected a number from 0.001 to 45…"),
        (horizon("--height -1"), "…--height…not negative…"),
        (
            horizon("").replace("s.tif", "s.asc"),
            "s-000.asc: an ESRI ASCII grid cannot hold the reference…",
        ),
        ("terrain sky dem.tif -o s.tif --plane tilted".to_owned(), "…--plane…horizontal, surface…"),
        ("terrain sky data/rasters/rotated-u8.tif -o s.tif".to_owned(), "…transform is rotated…"),
    ]);
    assert!(folder.names().iter().all(|name| name == "dem.tif"), "{:?}", folder.names());
    // Coordinates that are angles are said to be such.
    let line = "terrain sky data/rasters/degrees-f32.tif -o s.tif --azimuths 1";
    assert_reads(
        &folder.said(line),
        "…degrees-f32.tif: x and y are longitude and latitude in degrees…",
    );
}

/// As the tests of the help have it of subcommands.
#[test]
fn help_fits_a_terminal_and_has_all_options() {
    for what in ["viewshed", "horizon", "sky", "sun"] {
        let [short, long] = ["-h", "--help"].map(|flag| {
            let mut command = lanecast();
            output_of(command.env("COLUMNS", "80").args(["terrain", what, flag]))
        });
        assert!(short.lines().count() <= 40, "{what}: {short}");
        assert_reads(&long, "…Usage: lanecast terrain…--threads…Examples:…Exit codes: 0…");
        let is_typed = |line: &str| line.starts_with("  lanecast ") || line.starts_with("Usage");
        let wide =
            |text: &str| text.lines().any(|line| !is_typed(line) && line.chars().count() > 80);
        assert!(!wide(&short) && !wide(&long), "{what}");
    }
}
