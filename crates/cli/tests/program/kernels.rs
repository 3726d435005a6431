//! `lanecast bench --kernels`, small: every kernel beside what the machine can do.

use crate::support::{error_line, json_of, lanecast, output_of};
use lanecast::Backend;

/// As short as it gets: the figures mean nothing then.
const QUICK: [&str; 6] = ["bench", "--kernels", "--seconds", "0", "--memory", "1"];

const KERNELS: [(&str, &str); 13] = [
    ("Aabb", "Slab"),
    ("Aabb", "EnteredFace"),
    ("Aabb", "FaceByFace"),
    ("Aabb", "Clip"),
    ("Rect", "Slab"),
    ("Obb", "Slab"),
    ("Obb", "EnteredFace"),
    ("Obb", "SeparatingAxes"),
    ("Triangle", "Watertight"),
    ("Triangle", "TripleProduct"),
    ("TriangleWithNormal", "TripleProduct"),
    ("Sphere", "SphereRoots"),
    ("Disc", "DiscPlane"),
];

fn is_positive(value: &serde_json::Value) -> bool {
    value.as_f64().is_some_and(|number| number > 0.0 && number.is_finite())
}

#[test]
fn every_kernel_stands_beside_its_limit_on_every_backend() {
    let report = json_of(lanecast().args(QUICK).arg("--json"));
    let kernels = report["kernels"].as_array().expect("kernels");
    for (primitive, test) in KERNELS {
        for precision in ["f32", "f64"] {
            let name = format!("{test} on {primitive} in {precision}");
            let kernel = kernels
                .iter()
                .find(|k| k["primitive"] == primitive && k["test"] == test && k["precision"] == precision)
                .unwrap_or_else(|| panic!("no {name}"));
            let measured = kernel["backends"].as_array().expect("backends");
            assert_eq!(measured.len(), Backend::available().count(), "{name}");
            for (on, backend) in measured.iter().zip(Backend::available()) {
                assert_eq!(on["backend"], backend.name(), "{name}");
                assert!(is_positive(&on["tests"]) && is_positive(&on["tests_limit"]), "{name}: {on}");
                for pairs in on["pairs"].as_array().expect("pairs") {
                    let [moved, most] =
                        ["gigabytes", "memory_gigabytes"].map(|rate| pairs[rate].as_f64().unwrap_or(0.0));
                    assert!(is_positive(&pairs["pairs"]) && is_positive(&pairs["share_of_memory"]), "{name}");
                    let share = pairs["share_of_memory"].as_f64().unwrap_or(0.0);
                    assert!((share * most / moved - 1.0).abs() < 1e-9, "{name}: {pairs}");
                }
            }
        }
    }
    let slab = &kernels[0];
    assert_eq!((&slab["operations"]["add"], &slab["bytes_read_per_pair"]), (&6.into(), &56.into()));

    let levels: Vec<_> = report["reads"].as_array().expect("reads").iter().map(|r| &r["level"]).collect();
    for level in ["L1", "L2", "L3"] {
        assert!(levels.contains(&&serde_json::Value::from(level)), "{level}");
    }
    for memory in report["memory"].as_array().expect("memory") {
        for rate in ["read_gigabytes", "write_gigabytes", "copy_gigabytes"] {
            assert!(is_positive(&memory[rate]), "{memory}");
        }
    }
    for registers in report["registers"].as_array().expect("registers") {
        for kind in ["add", "multiply", "min/max", "select", "divide", "square root"] {
            assert!(is_positive(&registers["operations"][kind]), "{registers}");
        }
        assert!(is_positive(&registers["compare_and"]) && is_positive(&registers["add_multiply_min"]));
    }
}

#[test]
fn the_tables_name_every_kernel_and_the_backend_of_the_environment() {
    let words = output_of(lanecast().args(QUICK).env("LANECAST_BACKEND", "portable"));
    assert!(words.contains("portable f32") && !words.contains("avx"), "{words}");
    for (primitive, test) in KERNELS {
        // Many to many, and pairs on one thread: twice in both precisions at least.
        let rows = words.lines().filter(|line| {
            let mut columns = line.split_whitespace();
            columns.next() == Some(primitive) && columns.next() == Some(test)
        });
        assert!(rows.count() >= 4, "{test} on {primitive}: {words}");
    }
    for line in ["L1 read", "memory read", "memory write", "memory copy"] {
        assert!(words.contains(line), "{line}: {words}");
    }
}

#[test]
fn a_mesh_has_no_business_with_kernels() {
    for arguments in [&["bench", "mesh.ply", "--kernels"][..], &["bench", "--memory", "5"]] {
        assert!(error_line(lanecast().args(arguments)).ends_with("(see 'lanecast bench --help')"));
    }
}
