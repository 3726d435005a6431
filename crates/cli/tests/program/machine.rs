//! The same bytes come on every backend and with any number of threads.

use crate::folder::Folder;
use crate::support::{fields, file, json_of, ray_lines};
use lanecast::Backend;
use serde_json::json;

/// A floor of two triangles and a wall on its edge.
pub(crate) const FLOOR_AND_WALL: &str =
    "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3 4\nv 2 -2 2\nv 2 2 2\nf 2 3 6 5\n";

/// Points of a CSV file in and around the shipped solid.
fn points(count: u32) -> String {
    let mut text = "point_id,x,y,z\n".to_owned();
    for id in 0..count {
        let [x, y, z] =
            [7919, 104_729, 1_299_709].map(|step| f64::from(id * step % 1000) / 10.0 - 50.0);
        text += &format!("{},{x},{y},{z}\n", 3 * id + 1);
    }
    text
}

#[test]
fn answers_depend_on_neither_backend_nor_threads() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", file(&ray_lines(3000)));
    folder.file("points.csv", points(200));
    folder.file("floor.obj", FLOOR_AND_WALL);
    let scan = "lidar cube.off --at 0.5,0.3,0.4 --beams 66 --steps 4000";
    for (line, output) in [
        ("cast data/gyroid.ply rays.csv --query closest", "hits.npz"),
        ("cast data/gyroid.ply rays.csv --query all", "hits.csv"),
        ("cast data/gyroid.ply rays.csv --query count", "hits.arrow"),
        ("cast data/gyroid.ply rays.csv --query any", "hits.parquet"),
        ("points data/gyroid.ply points.csv --query closest", "answers.npz"),
        ("points data/gyroid.ply points.csv --query distance", "answers.csv"),
        ("points data/gyroid.ply points.csv --query signed", "answers.arrow"),
        ("points data/gyroid.ply points.csv --query inside", "answers.parquet"),
        (scan, "scan.ply"),
        (scan, "scan.npz"),
        ("render data/gyroid.ply --size 64x48", "picture.png"),
        ("render floor.obj --size 250x170 --color geometry", "picture.png"),
        ("render floor.obj --size 250x170 --shade ao", "picture.png"),
        ("render floor.obj --size 250x170 --shade depth", "picture.png"),
    ] {
        let mut expected = None;
        for backend in Backend::available() {
            for threads in ["1", "2"] {
                let way = format!("--backend {} --threads {threads}", backend.name());
                folder.output(&format!("{line} -fo {output} {way}"));
                let bytes = folder.bytes(output);
                let same = *expected.get_or_insert_with(|| bytes.clone()) == bytes;
                assert!(same, "{line}: {way}");
            }
        }
    }
}

/// A leaf read a list of one ray as a whole vector, past the end of the buffer of all lists.
#[test]
fn a_list_at_the_end_of_its_buffer_is_cast() {
    let folder = Folder::new();
    for query in ["closest", "any", "count", "line"] {
        let hits = |backend: Backend| {
            let files = "data/gyroid.ply data/regress/stream-list-of-one.npy -fo hits.csv";
            folder.output(&format!("cast {files} --query {query} --backend {backend}"));
            folder.bytes("hits.csv")
        };
        let expected = hits(Backend::PORTABLE);
        assert!(expected.windows(3).filter(|some| some == b"hit").count() > 100, "{query}");
        for backend in Backend::available() {
            assert!(hits(backend) == expected, "{query}, {backend}");
        }
    }
}

/// The first backend is that of the environment, as long as no option names one.
#[test]
fn a_backend_of_the_environment_is_the_one_that_casts() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", file(&ray_lines(3)));
    for backend in Backend::available() {
        let mut cast = folder.run("cast cube.off rays.csv -fo hits.csv --json");
        let report = json_of(cast.env("LANECAST_BACKEND", backend.name()));
        assert_eq!(fields(&report, "backend"), json!([backend.name()]));
    }
}
