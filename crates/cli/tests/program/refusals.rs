//! What cannot be is refused in one line, with what was meant or how it would be, and no file is
//! left.

use crate::folder::Folder;
use crate::support::{CUBE, EMPTY, npy, points, rays, shipped};

/// Files of every kind, sound and unsound.
fn inputs() -> Folder {
    let folder = Folder::with_cube();
    let solid = std::fs::read(shipped("gyroid.ply")).expect("the shipped solid");
    let ply = |vertex: &str, face: &str| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_indices\nend_header\n{vertex}\n1 0 0\n0 1 0\n{face}\n"
        )
    };
    let files: [(&str, Vec<u8>); 22] = [
        ("open.off", CUBE.replace("8 12 0", "8 11 0").replace("3 3 4 7\n", "").into()),
        ("empty.off", EMPTY.into()),
        ("broken.off", "OFF\n1 0 0\n0 0\n".into()),
        ("missing.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n".into()),
        ("wild.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1e39 0\n3 0 1 2\n".into()),
        ("mesh.docx", "x".into()),
        ("index.ply", ply("0 0 0", "3 0 1 7").into()),
        ("nan.ply", ply("nan 0 0", "3 0 1 2").into()),
        ("cut.ply", solid[..solid.len() / 2].to_vec()),
        ("rays.csv", rays("0,0,5,0,0,-1").into()),
        ("rays.txt", "x".into()),
        ("five.csv", "ox,oy,oz,dx,dy\n0,0,0,0,1\n".into()),
        ("near.csv", "ox,oy,oz,dx,dy,dz,tmax\n0,0,5,0,0,-1,9\n".into()),
        ("down.csv", rays("0,0,5,0,0,down").into()),
        ("points.csv", points("0,0,5").into()),
        ("points.dat", "0 0 5\n".into()),
        ("height.csv", "x,y,height\n0,0,5\n".into()),
        ("zero.csv", points("0,0,5 0,zero,5").into()),
        ("short.csv", points("0,0,5 0,5").into()),
        ("shape.npy", npy("<f4", &[[0.0; 2]; 4])),
        ("poses.csv", "time,x,y,z,qx,qy,qz,qw\n0,0,0,5,0,0,0,1\n1,0,0,5,0,0,0,0\n".into()),
        ("twice.csv", "elevation,azimuth,elevation\n1,2,3\n".into()),
    ];
    files.iter().for_each(|(name, bytes)| drop(folder.file(name, bytes)));
    std::fs::create_dir(folder.path("models")).expect("a folder");
    std::fs::create_dir(folder.path("models.obj")).expect("a folder");
    folder
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let folder = inputs();
    let before = folder.names();
    folder.refuses(rows.iter().copied());
    assert_eq!(folder.names(), before);
}

#[test]
fn a_wrong_command_line_is_said_with_what_was_meant() {
    let queries = "[possible values: closest, line, any, all, count, cost]";
    check(&[
        ("fly", "unrecognized subcommand 'fly'… (see 'lanecast --help')"),
        (
            "cats",
            "unrecognized subcommand 'cats'; a similar subcommand exists: 'cast' (see 'lanecast --help')",
        ),
        ("--fast", "unexpected argument '--fast' found (see 'lanecast --help')"),
        (
            "terrain sun dem.tif --fast",
            "unexpected argument '--fast' found (see 'lanecast terrain sun --help')",
        ),
        ("terrain fly", "unrecognized subcommand 'fly'… (see 'lanecast terrain --help')"),
        (
            "cast",
            "the following required arguments were not provided: … (see 'lanecast cast --help')",
        ),
        (
            "cast mesh.ply",
            "the following required arguments were not provided: --output <HITS> <RAYS> (see 'lanecast cast --help')",
        ),
        (
            "cast mesh.ply rays.csv",
            "the following required arguments were not provided: --output <HITS> (see …)",
        ),
        (
            "cast m.ply r.csv -o h.csv --query nearest",
            &format!(
                "invalid value 'nearest' for '--query <QUERY>' {queries} (see 'lanecast cast --help')"
            ),
        ),
        (
            "cast cube.off --query clostest rays.csv -o h.csv",
            &format!(
                "invalid value 'clostest' for '--query <QUERY>' {queries}; a similar value exists: 'closest'…"
            ),
        ),
        (
            "points cube.off --radus 1 points.csv -o a.csv",
            "unexpected argument '--radus' found; a similar argument exists: '--radius'…",
        ),
        (
            "cast cube.off --querry any rays.csv -o h.csv",
            "unexpected argument '--querry' found; a similar argument exists: '--query'…",
        ),
        (
            "cast m.ply r.csv -o h.csv --format docx",
            "invalid value 'docx' for '--format <…>'…(see 'lanecast cast --help')",
        ),
        (
            "cast cube.off --normals rays.csv -o h.csv",
            "…rays.csv' for '--normals [<KIND>]'…[possible values: geometric, shading]; what follows this option is its \
             value: name one, or put the option last…",
        ),
        ("cast m.ply r.csv -o h.csv --precision f16", "invalid value 'f16' for '--precision <…"),
        (
            "render m.ply -o p.png --size 0x10",
            "invalid value '0x10' for '--size <…(see 'lanecast render --help')",
        ),
        (
            "render m.ply -o p.png --up 0,0,0",
            "invalid value '0,0,0' for '--up <…(see 'lanecast render --help')",
        ),
        ("verify cube.off --placed 2 rays.csv", "…--placed…"),
    ]);
}

#[test]
fn a_value_that_cannot_be_is_said_with_what_is_expected() {
    let not_negative = "expected a number that is not negative";
    let at_least_1 = |value: &str| {
        format!("invalid value '{value}' for '--limit <N>': {value} is not in 1..=4294967295…")
    };
    let lidar = "lidar cube.off --at 0,0,2 -o";
    let noise = format!("{lidar} out.csv");
    let folder = inputs();
    let before = folder.names();
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |line: &str, expected: &str| rows.push((line.to_owned(), expected.to_owned()));
    for value in ["-1", "nan", "inf", "1e39", "near"] {
        let line = format!("info cube.off --weld {value}");
        row(&line, &format!("invalid value '{value}' for '--weld <TOLERANCE>': {not_negative}…"));
    }
    for value in ["-1", "nan", "far"] {
        let line = format!("points cube.off points.csv -o - --radius={value}");
        row(
            &line,
            &format!("invalid value '{value}' for '--radius <R>': {not_negative}, as in 0.5…"),
        );
    }
    row("cast cube.off rays.csv -o h.csv --query all --limit -1", &at_least_1("-1"));
    row("cast cube.off rays.csv -o h.csv --query all --limit 0", &at_least_1("0"));
    for (line, expected) in [
        (
            "cast cube.off --threads -2 rays.csv -o h.csv",
            "invalid value '-2' for '--threads <N>': -2 is not in …",
        ),
        ("cast m.ply r.csv -o h.csv --threads 0", "invalid value '0' for '--threads <N>'…"),
        ("verify cube.off --placed 0", "invalid value '0' for '--placed <…"),
        ("verify cube.off --rays 0", "invalid value '0' for '--rays <…"),
        ("sight cube.off points.csv points.csv -o s.npy --shorten 0.5", "--shorten: is 0.5; …"),
        ("render cube.off -o p.png --eye 0.5,0.5,0.5", "--eye: …"),
        ("lidar cube.off -o scan.ply", "…--at…"),
        (
            "lidar cube.off -o scan.ply --at 0,0,5 --elevations -10,95",
            "--elevations: the elevation is 9…",
        ),
        (
            "lidar cube.off -o s.ply --at 0,0,5 --range 2,1",
            "--range: the nearest must be from 0 to the farthest",
        ),
        (
            "lidar cube.off -o s.ply --at 0,0,5 --range=-1,inf",
            "--range: the nearest must be from 0 to the farthest",
        ),
        (
            "lidar cube.off -o s.ply --at 0,0,5 --range=1e39,inf",
            "--range: the nearest is beyond what f32 holds, 3.4e38",
        ),
        (
            "lidar cube.off -o s.ply --at 0,0,5 --range inf,inf",
            "…expected two numbers, as in 0.5,100 or 0.5,inf…",
        ),
        (
            "lidar cube.off -o s.ply --poses poses.csv --velocity 1,0,0",
            "the argument '--poses <FILE>' cannot be used with '--velocity <X,Y,Z>'…",
        ),
    ] {
        row(line, expected);
    }
    for (options, expected) in [
        ("--range-noise=-1", "--range-noise: has a part of -1; it must be finite and not negative"),
        ("--range-noise much", "…expected a number or two, as in 0.02 or 0.02,0.001…"),
        ("--reference-range 0", "--reference-range: is 0; it must be above 0"),
        ("--divergence 9999 --resolution 1", "--divergence: is 9999; it must be from 0 to 2000"),
        ("--divergence 3 --resolution=-1", "--resolution: is -1; it must not be negative"),
        (
            "--divergence 3",
            "--divergence: give --resolution too: how far behind each other surfaces must be to give a return each…",
        ),
        ("--returns all", "…--divergence…"),
        ("--seed 0", "--seed: goes with --range-noise and --reference-range"),
        (
            "--seed 0 --divergence 3 --resolution 1",
            "--seed: goes with --range-noise and --reference-range",
        ),
        ("--velocity 1e30,0,0 --turn-seconds 10", "--velocity: is …"),
    ] {
        row(&format!("{noise} {options}"), expected);
    }
    for name in ["las", "laz", "xyz"] {
        let problem = format!("--misses: {name} has no place for what is not measured");
        row(&format!("{lidar} out.{name} --misses"), &problem);
    }
    row(
        &format!("{lidar} out.xyz --divergence 3 --resolution 1 --returns all"),
        "--returns all: a file of points alone does not say which return each is",
    );
    folder.refuses(rows);
    assert_eq!(folder.names(), before);
}

#[test]
fn options_that_do_not_go_together_are_said() {
    let points = "--points: only --query closest and --query all have points";
    check(&[
        ("cast cube.off rays.csv -o - --points --query any", points),
        ("cast cube.off rays.csv -o - --points --query count", points),
        ("cast cube.off rays.csv -o - --points --query cost", points),
        ("cast cube.off rays.csv -o - --points --query line", points),
        (
            "cast cube.off rays.csv -o - --normals --query any",
            "--normals: only --query closest has normals",
        ),
        (
            "cast cube.off rays.csv -o - --limit=2 --query count",
            "--limit: only --query all has more than one hit of a ray",
        ),
        (
            "cast cube.off rays.csv -o - --touched --query any",
            "--touched: only --query all and --query count tell touching from crossing",
        ),
        (
            "points cube.off points.csv -o - --radius 1 --query inside",
            "--radius: only --query closest has a radius",
        ),
        (
            "cast cube.off rays.csv -o h.csv --query any --names",
            "--names: only --query closest and --query all can have names",
        ),
        (
            "sight cube.off points.csv points.csv -o s.npy --names",
            "--names: only formats with rows can have names",
        ),
        (
            "lidar cube.off --at 0,0,1 -o s.xyz --faces",
            "--faces: only formats with columns can have faces",
        ),
        ("render cube.off -o p.png --color geometry --shade depth", "--color: goes with…"),
        ("render cube.off -o p.png --range 0,1", "--range: goes with…"),
        ("render cube.off -o p.png --shade depth --range 2,1", "--range: …"),
        ("render cube.off -o p.png --unit m", "--unit: goes with…"),
        ("render cube.off -o p.png --shade cost --unit m", "--unit: goes with…"),
        ("render cube.off -o p.png --shade ao --sun 90,10", "--sun: goes with…"),
        ("render cube.off -o p.png --shade sun --no-ground", "--no-ground: goes with…"),
        ("render cube.off -o p.png --shade depth --normals geometric", "--normals: goes with…"),
        (
            "render cube.off -o p.png --normals shading",
            "…has no vertex normals for --normals shading",
        ),
    ]);
}

#[test]
fn a_bad_file_is_named_with_what_is_wrong() {
    let is_none = "No such file or directory…";
    let vertices = "npy, npz, csv, parquet, arrow, feather, ipc, arrows, ply, pcd, xyz, asc, pts, txt, las, laz, and for \
                    vertices obj, stl, off, gltf, glb, tif, tiff, scene";
    let of_height = "height.csv: no column \"z\"; found x, y, height";
    let near =
        "near.csv: column \"tmax\" is not known; did you mean \"t_max\"? rename it or remove it";
    let of_zero = "zero.csv: line 3: column \"y\": \"zero\" is not a number";
    check(&[
        ("cast gone.ply rays.csv -o h.csv", "gone.ply: …"),
        ("cast mesh.docx rays.csv -o h.csv", "mesh.docx: …"),
        ("cast index.ply rays.csv -o h.csv", "index.ply: …"),
        ("cast nan.ply rays.csv -o h.csv", "nan.ply: …"),
        ("cast cut.ply rays.csv -o h.csv", "cut.ply: …"),
        ("cast cube.off gone.npy -o h.csv", "gone.npy: …"),
        ("cast cube.off rays.txt -o h.csv", "rays.txt: …"),
        ("cast cube.off five.csv -o h.csv", "five.csv: …"),
        ("cast cube.off down.csv -o h.csv", "down.csv: …"),
        ("cast cube.off near.csv -o h.csv", near),
        ("cast cube.off rays.csv -o hits.docx", "hits.docx: …npz…"),
        ("points gone.ply points.csv -o a.csv --query signed", "gone.ply: …"),
        ("points cube.off gone.npy -o a.csv --query signed", "gone.npy: …"),
        (
            "points cube.off points.dat -o a.csv",
            "points.dat: unknown point format \".dat\"; known: npy…",
        ),
        ("points cube.off height.csv -o a.csv", of_height),
        ("points cube.off zero.csv -o a.csv", of_zero),
        (
            "points open.off points.csv -o a.csv --query signed",
            "open.off: geometry 0: the surface is open along an edge of triangle …",
        ),
        ("points cube.off points.csv -o a.docx", "a.docx: …npz…"),
        ("sight cube.off height.csv points.csv -o s.npy", of_height),
        ("sight cube.off points.csv height.csv -o s.npy", of_height),
        ("sight cube.off zero.csv points.csv -o s.npy", of_zero),
        ("sight cube.off points.csv zero.csv -o s.npy", of_zero),
        (
            "sight cube.off short.csv points.csv -o s.npy",
            "short.csv: line 3: 2 fields, but the header has 3",
        ),
        (
            "sight cube.off points.dat points.csv -o s.npy",
            &format!("points.dat: unknown format \".dat\"; known: {vertices}"),
        ),
        (
            "sight cube.off points.csv shape.npy -o s.npy",
            "shape.npy: shape [4, 2]; expected (N, 3) or (3,)",
        ),
        ("sight cube.off points.csv broken.off -o s.npy", "broken.off: …"),
        ("sight cube.off gone.csv points.csv -o s.npy", "gone.csv: …"),
        (
            "lidar cube.off --at 0,0,5 -o scan.e57",
            "scan.e57: unknown format \".e57\"; known: ply, pcd, xyz, las, laz, npz, …",
        ),
        (
            "lidar cube.off --poses poses.csv -o scan.ply",
            "poses.csv: line 3: the quaternion [0.0, 0.0, 0.0, 0.0] is no rotation…",
        ),
        (
            "lidar cube.off --at 0,0,5 --beam-table twice.csv -o cloud.ply",
            "twice.csv: line 1: column \"elevation\" stands there twice",
        ),
        ("verify cube.off gone.csv", "gone.csv: …"),
        ("verify cube.off near.csv", near),
        ("verify empty.off", "empty.off: …no triangles…"),
        ("bench empty.off", "empty.off: the mesh has no triangles"),
        ("render empty.off -o p.png", "empty.off: the mesh has no triangles"),
        ("info missing.off", "missing.off: …vertex 3…"),
        ("info wild.off", "wild.off: …vertex 2…"),
        ("info models", "models: is a directory"),
        ("info models.obj", "models.obj: is a directory"),
        ("info nothing", &format!("nothing: {is_none}")),
        ("info nothing.foo", &format!("nothing.foo: {is_none}")),
        ("info nothing.obj.gz", &format!("nothing.obj.gz: {is_none}")),
        ("info nothing.off", &format!("nothing.off: {is_none}")),
    ]);
}
