//! Reading a file takes time by its size, whatever the file holds: each of these keeps a processor busy
//! for a moment, and would do so for minutes if the time grew with the square of the size.

use crate::folder::Folder;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Far more than a moment, also where nothing is optimised.
const LONG: Duration = Duration::from_secs(20);

/// How long this thread was on a processor, where the system says it: others may be busy.
fn time_of_thread() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[track_caller]
fn takes_a_moment(what: impl FnOnce()) {
    let (start, before) = (Instant::now(), time_of_thread());
    what();
    let after = time_of_thread();
    let taken = after.zip(before).map_or_else(|| start.elapsed(), |(after, before)| after - before);
    assert!(taken < LONG, "{taken:?}");
}

const OF_ONE_VERTEX: &str =
    "element vertex 1\nproperty uchar x\nproperty uchar y\nproperty uchar z\n";

#[test]
fn zeros_behind_a_ply_are_looked_at_once() {
    let folder = Folder::new();
    let head = format!("ply\nformat binary_little_endian 1.0\n{OF_ONE_VERTEX}end_header\n");
    let mut bytes = head.into_bytes();
    bytes.resize(bytes.len() + 2_000_001, 0);
    bytes.push(b'x');
    takes_a_moment(|| {
        let message = folder.mesh_error("m.ply", &bytes);
        assert!(
            message.ends_with("of vertex are there, the header counts 1")
                || message.contains("bytes follow")
        );
    });
}

#[test]
fn a_ply_may_have_many_properties() {
    let folder = Folder::new();
    let properties: String =
        (0..200_000).map(|number| format!("property float a{number:06}\n")).collect();
    let text = format!(
        "ply\nformat ascii 1.0\n{OF_ONE_VERTEX}element other 0\n{properties}end_header\n0 0 0\n"
    );
    takes_a_moment(|| assert_eq!(folder.only_mesh("m.ply", &text).vertices.len(), 1));
    let again = text.replace("a199999", "a000000");
    takes_a_moment(|| {
        let message = folder.mesh_error("m.ply", again);
        assert!(message.contains("the property \"a000000\" stands there twice"), "{message}");
    });
}

#[test]
fn a_long_name_of_an_obj_may_be_that_of_many_parts() {
    let folder = Folder::new();
    let mut bytes = [&b"v 0 0 0\no "[..], &vec![0xff; 1 << 20]].concat();
    let mut parts = String::new();
    (0..20_000).for_each(|part| write!(parts, "\ng {part}\nf 1 1 1").expect("memory"));
    bytes.extend(parts.bytes());
    takes_a_moment(|| {
        let meshes = folder.meshes("m.obj", &bytes).expect("a mesh for each part");
        assert_eq!(meshes.len(), 20_000);
    });
}

/// A polygon through two hubs amid rings of its corners.
fn hubs(turns: usize, rings_first: bool) -> String {
    let corners = 40_000;
    let mut text = String::from("v 0 0 0\nv 10 0 0\nv 5 8 0\n");
    for centre in [0.0, 10.0] {
        for corner in 0..corners {
            let (sin, cos) =
                (f64::from(corner) / f64::from(corners) * std::f64::consts::TAU).sin_cos();
            writeln!(text, "v {:.9} {:.9} 0", centre + cos, sin).expect("memory");
        }
    }
    let rings: String = (4..2 * corners + 4).map(|corner| format!(" {corner}")).collect();
    let turns = " 1 2 3".repeat(turns);
    if rings_first {
        format!("{text}f{rings}{turns}\n")
    } else {
        format!("{text}f{turns}{rings}\n")
    }
}

#[test]
fn a_polygon_may_come_to_the_same_corner_again() {
    let folder = Folder::new();
    for rings_first in [false, true] {
        let text = hubs(100_000, rings_first);
        takes_a_moment(|| {
            let mesh = folder.only_mesh("m.obj", &text);
            assert_eq!(mesh.self_crossing_faces, 1);
        });
    }
}
