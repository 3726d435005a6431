//! What the tests of the program share: running it in a folder, small meshes and rays, pictures.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use assert_cmd::Command;
use lanecast_reference::random::Random;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The program, with nothing of the caller's environment that would change what it does.
pub(crate) fn lanecast() -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lanecast");
    command.env_remove("LANECAST_BACKEND");
    command
}

/// A file that lanecast ships.
pub(crate) fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

impl Folder {
    /// A folder with the cube as `cube.off`.
    pub(crate) fn with_cube() -> Self {
        let folder = Self::new();
        folder.file("cube.off", CUBE);
        folder
    }

    /// The program in this folder with the words of a command line. `data/NAME` is a file that
    /// lanecast ships.
    pub(crate) fn run(&self, line: &str) -> Command {
        let mut command = lanecast();
        command.current_dir(self.path(""));
        for word in line.split_whitespace() {
            match word.strip_prefix("data/") {
                Some(name) => command.arg(shipped(name)),
                None => command.arg(word),
            };
        }
        command
    }

    /// Standard output of a run that succeeds.
    #[track_caller]
    pub(crate) fn output(&self, line: &str) -> String {
        output_of(&mut self.run(line))
    }

    /// Standard output of a run with `--json` that succeeds.
    #[track_caller]
    pub(crate) fn json(&self, line: &str) -> Value {
        json_of(self.run(line).arg("--json"))
    }

    /// Standard error of a run that succeeds.
    #[track_caller]
    pub(crate) fn said(&self, line: &str) -> String {
        text(self.run(line).assert().success().get_output().stderr.clone())
    }

    /// The one line of a run that fails.
    #[track_caller]
    pub(crate) fn error(&self, line: &str) -> String {
        error_line(&mut self.run(line))
    }

    /// Checks that each command line ends with the error beside it: a pattern.
    #[track_caller]
    pub(crate) fn refuses<L: AsRef<str>, E: AsRef<str>>(
        &self,
        rows: impl IntoIterator<Item = (L, E)>,
    ) {
        for (line, expected) in rows {
            let line = line.as_ref();
            assert_reads(
                &format!("{line}: {}", self.error(line)),
                &format!("{line}: {}", expected.as_ref()),
            );
        }
    }

    /// The bytes of a file.
    #[track_caller]
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Runs to an error and returns the line that the program says, which must be the only one, after
/// its `lanecast: `.
#[track_caller]
pub(crate) fn error_line(command: &mut Command) -> String {
    let output = command.assert().code(2).get_output().clone();
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let text = text(output.stderr);
    let line = text.strip_suffix('\n').expect("a whole line");
    assert!(!line.contains('\n'), "more than one line: {text}");
    line.strip_prefix("lanecast: ")
        .unwrap_or_else(|| panic!("no lanecast: before {line}"))
        .to_owned()
}

/// Runs to success and returns standard output.
#[track_caller]
pub(crate) fn output_of(command: &mut Command) -> String {
    text(command.assert().success().get_output().stdout.clone())
}

/// Runs to success and returns standard output as JSON.
#[track_caller]
pub(crate) fn json_of(command: &mut Command) -> Value {
    let text = output_of(command);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The fields of a report with these names: `tree.nodes` is a field of a field.
pub(crate) fn fields(report: &Value, names: &str) -> Value {
    let field = |name: &str| report.pointer(&format!("/{}", name.replace('.', "/"))).cloned();
    names.split_whitespace().map(|name| field(name).unwrap_or_default()).collect()
}

/// The unit cube, closed, facing outward.
pub(crate) const CUBE: &str = "OFF\n8 12 0\n\
0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n\
3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n\
3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n";

/// A mesh without triangles.
pub(crate) const EMPTY: &str = "OFF\n0 0 0\n";

pub(crate) const RAY_HEADER: &str = "ray_id,ox,oy,oz,dx,dy,dz\n";

/// A CSV file of rays without ids.
pub(crate) fn rays(lines: &str) -> String {
    format!("ox,oy,oz,dx,dy,dz\n{}\n", lines.replace(' ', "\n"))
}

/// A CSV file of points.
pub(crate) fn points(lines: &str) -> String {
    format!("x,y,z\n{}\n", lines.replace(' ', "\n"))
}

/// Rays of a CSV file through and past the middle of the shipped solid, one per line, as `ray_id`
/// to `dz`.
pub(crate) fn ray_lines(count: u64) -> Vec<String> {
    let mut random = Random::new(1);
    (0..count)
        .map(|id| {
            let [x, y, z, dx, dy, dz] = [(); 6].map(|()| random.unit_f64() - 0.5);
            format!("{id},{},{},{},{dx},{dy},{dz}", 90.0 * x, 90.0 * y, 90.0 * z)
        })
        .collect()
}

/// A file of rays of such lines.
pub(crate) fn file(lines: &[String]) -> String {
    format!("{RAY_HEADER}{}\n", lines.join("\n"))
}

/// A picture's width, height and bytes, three per pixel.
pub(crate) fn picture(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a small picture")];
    let info = reader.next_frame(&mut bytes).expect("a whole picture");
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width, info.height, bytes)
}

/// How many different colours a picture has.
pub(crate) fn colors(bytes: &[u8]) -> usize {
    bytes.chunks(3).collect::<std::collections::HashSet<_>>().len()
}

/// A column of a CSV file as words.
pub(crate) fn column<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let header = text.lines().next().expect("a header");
    let place = header
        .split(',')
        .position(|column| column == name)
        .unwrap_or_else(|| panic!("{header}: {name}"));
    text.lines().skip(1).map(|line| line.split(',').nth(place).expect("a value")).collect()
}

/// A column of a CSV file as numbers.
pub(crate) fn numbers(text: &str, name: &str) -> Vec<f64> {
    column(text, name).into_iter().map(|word| word.parse().expect("a number")).collect()
}

/// An array of rows as an NPY file: `<f4` or `<f8`.
pub(crate) fn npy<const N: usize>(descr: &str, rows: &[[f64; N]]) -> Vec<u8> {
    let header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}, {N}), }}", rows.len());
    let header = format!("{header:<117}\n");
    let start = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes()].concat();
    let numbers = rows.as_flattened().iter();
    let data: Vec<u8> = match descr {
        "<f4" => numbers.flat_map(|x| (*x as f32).to_le_bytes()).collect(),
        _ => numbers.flat_map(|x| x.to_le_bytes()).collect(),
    };
    [&start[..], header.as_bytes(), &data].concat()
}
