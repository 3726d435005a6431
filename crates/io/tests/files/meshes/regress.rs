//! Sound mesh files of `data/regress` that were misread, each with what it holds.

use super::polygons::area;
use lanecast_io::{Model, read_model};
use std::path::Path;

fn model(name: &str) -> Model<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/regress").join(name);
    read_model(&path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_area_of_a_concave_polygon_is_its_own() {
    for name in ["concave-l.obj", "concave-l.ply"] {
        let meshes = model(name).meshes;
        assert_eq!((meshes.len(), area(&meshes[0])), (1, 5.0), "{name}");
    }
}
