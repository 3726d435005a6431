//! Meshes from standard input, of formats that no name says, and compressed.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{CUBE, error_line, fields, json_of, output_of, rays};
use serde_json::json;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn a_mesh_comes_from_standard_input_with_its_format() {
    let folder = Folder::new();
    for bytes in [CUBE.as_bytes().to_vec(), gzip(CUBE.as_bytes())] {
        let mut info = folder.run("info - --json --mesh-format off");
        let report = json_of(info.write_stdin(bytes));
        let names = "triangles closed geometries.0.name";
        assert_eq!(fields(&report, names), json!([12, true, "standard input"]));
    }
    for (line, mesh, problem) in [
        ("info - --mesh-format off", "", "the file is empty"),
        ("info - --mesh-format off", "OFF 1 0 0\n", "truncated: vertex 0 of 1 is missing"),
        (
            "info -",
            CUBE,
            "give the format of the mesh: --mesh-format obj|ply|stl|off|gltf|glb|tif|tiff|asc",
        ),
        ("render - --mesh-format off -o -", "OFF 0 0 0\n", "the mesh has no triangles"),
    ] {
        let found = error_line(folder.run(line).write_stdin(mesh));
        assert_eq!(found, format!("standard input: {problem}"));
    }
}

#[test]
fn mesh_format_reads_a_file_of_any_name_and_of_a_pipe() {
    let folder = Folder::new();
    folder.file("cube.txt", CUBE);
    assert_eq!(folder.json("info cube.txt --mesh-format off")["triangles"], 12);
    folder.refuses([("info cube.txt", "cube.txt: unknown mesh format \".txt\"…")]);
    #[cfg(target_os = "linux")]
    {
        let mut piped = folder.run("info /dev/stdin --json --mesh-format off");
        assert_eq!(json_of(piped.write_stdin(CUBE))["triangles"], 12);
    }
}

#[test]
fn compressed_meshes_are_cast_at() {
    let folder = Folder::new();
    folder.file("cube.off.gz", gzip(CUBE.as_bytes()));
    folder.output("verify cube.off.gz --rays 100");
    folder.file("cut.off.gz", &gzip(CUBE.as_bytes())[..40]);
    folder.refuses([("info cut.off.gz", "cut.off.gz: damaged gzip file: …")]);
}

/// Lines of numbers look like CSV without a header, and a name may say nothing or the wrong thing.
#[test]
fn rays_and_points_are_read_in_the_format_that_is_given() {
    let folder = Folder::with_cube();
    let points = "0.5 0.5 2\n0.25 0.5 3\n";
    folder.file("points.xyz", points);
    folder.file("points.npy", points);
    let distances = folder.output("points cube.off points.xyz -o - --query distance");
    assert!(distances.contains("0,hit,1.0"), "{distances}");
    let of_pipe = "points cube.off - -o - --query distance --points-format xyz";
    assert_eq!(output_of(folder.run(of_pipe).write_stdin(points)), distances);
    let misnamed = "points cube.off points.npy -o - --query distance --points-format txt";
    assert_eq!(folder.output(misnamed), distances);
    let sight = folder.output("sight cube.off points.xyz cube.off -o -");
    let of_pipe = "sight cube.off - cube.off -o - --points-format xyz";
    assert_eq!(output_of(folder.run(of_pipe).write_stdin(points)), sight);
    folder.file("points", points);
    assert_eq!(folder.output("sight cube.off points cube.off -o - --points-format xyz"), sight);

    let rays = "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n";
    folder.file("rays.csv", rays);
    folder.file("rays.dat", rays);
    let hits = folder.output("cast cube.off rays.csv -o -");
    assert!(hits.contains("0,hit,1.0"), "{hits}");
    assert_eq!(folder.output("cast cube.off rays.dat -o - --rays-format csv"), hits);
    let verified = |line| fields(&folder.json(line), "rays hits");
    assert_eq!(
        verified("verify cube.off rays.dat --rays-format csv"),
        verified("verify cube.off rays.csv")
    );
    folder.refuses([
        ("cast cube.off rays.dat -o -", "rays.dat: unknown ray format \".dat\"…"),
        ("cast cube.off rays.csv -o - --rays-format npy", "rays.csv: …"),
        ("points cube.off points -o -", "points: no extension to tell the point format by…"),
        ("sight cube.off points cube.off -o -", "points: no extension to tell the format by…"),
    ]);
    for line in
        ["cast cube.off rays.csv -o - --rays-format las", "verify cube.off --rays-format csv"]
    {
        folder.run(line).assert().code(2);
    }
}

/// It would be read to its end for the first of them.
#[test]
fn standard_input_is_one_input_alone() {
    let folder = Folder::with_cube();
    for line in [
        "cast - - --mesh-format off -o out.csv",
        "points - - --mesh-format off -o out.csv",
        "sight - - p.csv --mesh-format off -o out.csv",
        "sight cube.off - - -o out.csv",
        "lidar cube.off --poses - --beam-table - -o out.csv",
        "lidar cube.off --poses - --pattern - -o out.csv",
        "verify - - --mesh-format off",
    ] {
        let found = error_line(folder.run(line).write_stdin(CUBE));
        assert_reads(&found, "standard input: cannot be 2 inputs; give a file for one");
    }
    assert_eq!(folder.names(), ["cube.off"]);
}

/// In f64, as the file is at survey coordinates; 26 triangles have a corner at a hole.
#[test]
fn a_raster_of_heights_is_a_mesh() {
    let folder = Folder::new();
    let dem = "data/rasters/lzw-tiles-f32.tif";
    let report = folder.json(&format!("info {dem}"));
    let names = "precision triangles geometries.0.name";
    assert_eq!(fields(&report, names), json!(["f64", 2 * 19 * 36 - 26, "lzw-tiles-f32"]));
    let said = folder.said(&format!("info {dem}"));
    assert!(said.contains("6 pixels without data: no triangle has a corner there"), "{said}");
    // Down on the centre of the pixel in row 3 and column 5, which is (37 · 3 + 11 · 5) mod 101 / 4
    // high, and of one without data.
    folder.file("rays.csv", rays("500014.25,5199991.5,1000,0,0,-1 500014.25,5199994,1000,0,0,-1"));
    let hits = folder.output(&format!("cast {dem} rays.csv -o -"));
    let rows: Vec<&str> = hits.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{hits}");
    assert!(rows[0].contains(&format!(",{}", 1000.0 - 65.0 / 4.0)), "{hits}");
    assert!(rows[1].contains("miss"), "{hits}");
}
