//! Coordinates in `f32` and in `f64`, and the rule that says which a mesh needs.

use super::files::{ONE_NODE, bytes_of, gltf};
use crate::folder::Folder;
use lanecast::Affine;
use lanecast_io::{
    Coarseness, Extent, Mesh, Model, Placement, is_moved_too_far, moved_by_rounding, read_model,
};

/// Where a survey has its meshes: `f32` is in steps of 0.5 there.
const EAST: f64 = 4_500_000.123_456_789;

fn ply(format: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "ply\nformat {format} 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
         element face 1\nproperty list uchar int vertex_index\nend_header\n"
    );
    [head.as_bytes(), body].concat()
}

#[test]
fn survey_coordinates_are_kept_in_f64() {
    let folder = Folder::new();
    let corners = [[EAST, 0.1, -2e-9], [EAST + 1.0, 0.1, 0.0], [EAST, 1.1, 0.0]];
    let lines = |head: &str| corners.map(|[x, y, z]| format!("{head}{x} {y} {z}\n")).concat();
    let binary = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
    let face = [3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0];
    let files = [
        ("m.obj", format!("{}f 1 2 3\n", lines("v ")).into_bytes()),
        ("m.off", format!("OFF 3 1 0\n{}3 0 1 2\n", lines("")).into()),
        ("m.stl", format!("solid\nfacet\n{}endfacet\nendsolid\n", lines("vertex ")).into()),
        ("m.ply", ply("ascii", format!("{}3 0 1 2\n", lines("")).as_bytes())),
        ("m.ply", ply("binary_little_endian", &[&binary[..], &face].concat())),
    ];
    for (name, bytes) in files {
        let path = folder.file(name, bytes);
        let exact: Model<f64> = read_model(&path).unwrap();
        assert_eq!(exact.meshes[0].vertices, corners, "{name}");
        assert_eq!(exact.meshes[0].triangles, [[0, 1, 2]], "{name}");
        let rounded: Model = read_model(&path).unwrap();
        let expected = corners.map(|corner| corner.map(|x| x as f32));
        assert_eq!(rounded.meshes[0].vertices, expected, "{name}");
        assert!(exact.needs_f64() && rounded.needs_f64(), "{name}");
    }
}

#[test]
fn transforms_of_gltf_nodes_are_kept_in_f64() {
    let folder = Folder::new();
    let model = |nodes: &str| -> Model<f64> {
        read_model(&folder.file("m.glb", bytes_of("m.glb", gltf("", nodes)))).unwrap()
    };
    assert!(!model(ONE_NODE).needs_f64());
    // 2²⁴ + 1 is no f32, and the sum of two that are.
    let child = r#"{"mesh":0,"translation":[1,0,0]}"#;
    let exact = model(&format!(r#"[{{"children":[1],"translation":[16777216,0,0]}},{child}]"#));
    assert!(exact.needs_f64());
    assert_eq!(exact.into_meshes().unwrap()[0].vertices[0], [16_777_217.0, 0.0, 0.0]);
    // Nor are those that are written in more digits than f32 has.
    let turned = format!(r#"[{{"mesh":0,"translation":[{EAST},0,0],"rotation":[0,0,0.6,0.8]}}]"#);
    let [x, y, _] = model(&turned).into_meshes().unwrap()[0].vertices[1];
    assert!((x - EAST - 0.28).abs() < 1e-8 && (y - 0.96).abs() < 1e-15, "{x} {y}");
}

/// Else f32 moves it by half a millionth at most.
#[test]
fn a_mesh_needs_f64_from_16_times_its_size_on() {
    let at = |size: f64| Coarseness::of_f32([[5e6, 0.0, 0.0], [5e6 + size, 1.0, 1.0]]);
    assert_eq!(at(524_288.0), None);
    assert_eq!(at(524_287.0), Some(Coarseness { spacing: 0.5, steps: 1_048_574 }));
    assert_eq!(Coarseness::of_f32([[5e6; 3], [5e6; 3]]), None, "a point has no size");
    // From one power of two to the next, as f32 becomes coarser at each.
    for farthest in
        [1.0, 1.1, 1.7, 1.999, 2.0, 2.001, 640.5, 5.4e6, 8_388_607.0, 8_388_609.0, 3e-20, 1e25]
    {
        for times in [1.0, 4.0, 7.999, 8.5, 10.0, 12.0, 15.0, 15.9, 16.0, 16.1, 50.0, 1e4] {
            let size = farthest / times;
            let is_coarse =
                Coarseness::of_f32([[-farthest, 0.0, 0.0], [size - farthest, 0.0, 0.0]]).is_some();
            // The middle between the last two f32.
            let half_a_step = f64::from((farthest as f32).next_up() - farthest as f32) / 2.0;
            assert!(is_coarse || half_a_step <= size / 2e6, "{farthest}, {times}");
            assert!(
                is_coarse == (times >= 16.0) || (8.0..16.0).contains(&times),
                "{farthest}, {times}"
            );
        }
    }
    // What no triangle names is not looked at, and meshes are looked at where they stand.
    let vertices = vec![[0.0; 3], [1.0; 3], [0.0, 1.0, 0.0], [5e6; 3]];
    let mesh = Mesh { vertices, triangles: vec![[0, 1, 2]], ..Mesh::<f64>::default() };
    let placement = Placement { name: String::new(), meshes: 0..1, transform: Affine::IDENTITY };
    let (name, remarks) = (String::new(), Vec::new());
    let mut model = Model { name, meshes: vec![mesh], placements: vec![placement], remarks };
    assert!(!model.needs_f64());
    model.placements[0].transform = Affine::translation([5e6, 0.0, 0.0]);
    assert!(model.needs_f64());
    model.placements.clear();
    assert!(!model.needs_f64());
}

#[test]
fn one_rule_says_where_rounding_costs_digits() {
    let size = 2_097_152.0;
    assert!(!is_moved_too_far(1.0, size) && is_moved_too_far(1.0_f64.next_up(), size));
    assert!(!is_moved_too_far(1.0, 0.0) && !is_moved_too_far(f64::NAN, size));
    let moved = |x: f64| moved_by_rounding::<f32>([0.5, x].into_iter());
    assert_eq!(
        [moved(16_777_217.0), moved(-16_777_217.0), moved(1e31), moved(f64::NAN)],
        [1.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(moved_by_rounding::<f64>([0.1, 5e6 + 0.1].into_iter()), 0.0);

    // What is exact widens the box alone; what no scene takes is no coordinate.
    let mut extent = Extent::EMPTY;
    assert_eq!((extent.size(), extent.moved(), extent.coarseness()), (0.0, 0.0, None));
    extent.add_exact([5e6, 0.0, 0.0]);
    extent.add_exact([5e6 + 1.0, f64::NAN, 0.0]);
    extent.add_exact([5e6 + 1.0, 0.5, 0.0]);
    assert_eq!((extent.size(), extent.moved(), extent.coarseness()), (1.0, 0.0, None));
    extent.add([5e6 + 0.125, 0.0, 0.0]);
    assert_eq!((extent.size(), extent.moved()), (1.0, 0.125));
    assert_eq!(extent.coarseness(), Some(Coarseness { spacing: 0.5, steps: 2 }));
}
