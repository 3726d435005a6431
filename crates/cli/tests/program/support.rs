//! What the tests of the program share: running it, small meshes and rays, pictures.

use assert_cmd::Command;
use lanecast_reference::random::Random;
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

/// Runs to an error and returns the line that the program says, which must be the only one, after
/// its `lanecast: `.
pub(crate) fn error_line(command: &mut Command) -> String {
    let output = command.assert().code(2).get_output().clone();
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    let line = text.strip_suffix('\n').expect("a whole line");
    assert!(!line.contains('\n'), "more than one line: {text}");
    line.strip_prefix("lanecast: ")
        .unwrap_or_else(|| panic!("no lanecast: before {line}"))
        .to_owned()
}

/// Runs to success and returns standard output.
pub(crate) fn output_of(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).expect("UTF-8")
}

/// Runs to success and returns standard output as JSON.
pub(crate) fn json_of(command: &mut Command) -> serde_json::Value {
    let text = output_of(command);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The unit cube, closed, facing outward.
pub(crate) const CUBE: &str = "OFF\n8 12 0\n\
0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n\
3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n\
3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n";

pub(crate) const RAY_HEADER: &str = "ray_id,ox,oy,oz,dx,dy,dz\n";

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

/// Casts the rays in `text` at a mesh and returns the hits as CSV.
pub(crate) fn cast(mesh: &Path, text: &str, arguments: &[&str]) -> String {
    output_of(
        lanecast().arg("cast").arg(mesh).args(["-", "-o", "-"]).args(arguments).write_stdin(text),
    )
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
