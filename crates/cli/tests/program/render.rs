//! What the pictures of `lanecast render` show.

use crate::folder::Folder;
use crate::support::{CUBE, error_line, json_of, lanecast, picture, shipped};
use lanecast::{Affine, Scene, SceneBuilder, Threads};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// The pixels of a picture of `mesh`, row after row.
fn render(folder: &Folder, mesh: &Path, arguments: &[&str]) -> Vec<[u8; 3]> {
    let path = folder.path("picture.png");
    lanecast().arg("render").arg(mesh).arg("-fo").arg(&path).args(arguments).assert().success();
    picture(&path).2.as_chunks::<3>().0.to_vec()
}

fn brightness(pixel: [u8; 3]) -> f64 {
    pixel.into_iter().map(f64::from).sum::<f64>() / 3.0
}

/// The greatest difference of a channel.
fn difference(a: [u8; 3], b: [u8; 3]) -> u8 {
    a.into_iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

/// A sphere of so many quads around, with its normals.
fn sphere(around: usize) -> String {
    let rows = around / 2;
    let mut points = String::new();
    for row in 0..=rows {
        for column in 0..around {
            let (turn, fall) =
                (360.0 * column as f64 / around as f64, 180.0 * row as f64 / rows as f64);
            let ((s, c), (r, z)) = (turn.to_radians().sin_cos(), fall.to_radians().sin_cos());
            let (x, y) = (r * c, r * s);
            writeln!(points, "{x} {y} {z} {x} {y} {z}").expect("written");
        }
    }
    let at = |row: usize, column: usize| row * around + column % around;
    let quad = |row, column| {
        format!(
            "4 {} {} {} {}\n",
            at(row, column),
            at(row + 1, column),
            at(row + 1, column + 1),
            at(row, column + 1)
        )
    };
    let quads: String =
        (0..rows).flat_map(|row| (0..around).map(move |column| quad(row, column))).collect();
    let xyz = |prefix: &str| {
        ["x", "y", "z"].map(|axis| format!("property float {prefix}{axis}\n")).concat()
    };
    format!(
        "ply\nformat ascii 1.0\nelement vertex {}\n{}{}element face {}\nproperty list uchar int vertex_indices\nend_header\n{points}{quads}",
        (rows + 1) * around,
        xyz(""),
        xyz("n"),
        rows * around
    )
}

/// A quad in the plane z = 0, with another on its edge x = 2 that stands up if `has_wall`.
fn floor(has_wall: bool) -> String {
    let wall = if has_wall { "v 2 -2 2\nv 2 2 2\nf 2 3 6 5\n" } else { "" };
    format!("v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3 4\n{wall}")
}

#[test]
fn smooth_normals_show_a_coarse_sphere_as_a_fine_one() {
    const SIZE: i32 = 120;
    let folder = Folder::new();
    let (coarse, fine) =
        (folder.file("coarse.ply", sphere(16)), folder.file("fine.ply", sphere(256)));
    for shade in [&["--shade", "studio", "--no-ground"][..], &["--shade", "sun", "--sun", "90,10"]]
    {
        let picture = |mesh: &Path, normals| {
            let camera =
                ["--size", "120x120", "--eye", "0,-5,0", "--target", "0,0,0", "--fov", "26"];
            render(&folder, mesh, &[&camera, shade, &["--normals", normals]].concat())
        };
        let fine = picture(&fine, "auto");
        let inner = |index: i32| {
            (index % SIZE - SIZE / 2).pow(2) + (index / SIZE - SIZE / 2).pow(2) < 42 * 42
        };
        let off = |pixels: &[[u8; 3]]| {
            let all =
                pixels.iter().zip(&fine).enumerate().filter(|(index, _)| inner(*index as i32));
            let all: Vec<_> =
                all.map(|(_, (&a, &b))| f64::from(difference(a, b)) / 255.0).collect();
            (
                all.iter().sum::<f64>() / all.len() as f64,
                all.iter().filter(|off| **off > 0.1).count(),
            )
        };
        let (smooth, facets) =
            (off(&picture(&coarse, "shading")), off(&picture(&coarse, "geometric")));
        // 2% is what is promised. Where triangles at the end of the light shade each other it is
        // 0.49%.
        assert!(smooth.0 < 0.0045 && smooth.1 == 0, "{shade:?} {smooth:?}");
        assert!(facets.0 > 2.0 * smooth.0, "{shade:?} {facets:?} {smooth:?}");
    }
}

#[test]
fn a_mesh_without_normals_is_smooth_but_for_its_creases() {
    let folder = Folder::new();
    let without = |text: String| {
        text.lines()
            .filter(|line| !line.contains("float n"))
            .map(|line| {
                let numbers: Vec<_> = line.split(' ').collect();
                if numbers.len() == 6 {
                    numbers[..3].join(" ") + "\n"
                } else {
                    line.to_owned() + "\n"
                }
            })
            .collect::<String>()
    };
    let ball = folder.file("ball.ply", without(sphere(24)));
    let given = folder.file("given.ply", sphere(24));
    let cube = folder.file("cube.off", CUBE);
    let normals = |mesh: &Path, kind| {
        render(&folder, mesh, &["--shade", "normals", "--size", "90x90", "--normals", kind])
    };
    let (computed, given) = (normals(&ball, "auto"), normals(&given, "auto"));
    assert!(
        computed.iter().zip(&given).all(|(&a, &b)| difference(a, b) <= 12),
        "far from the true normals"
    );
    assert!(normals(&ball, "auto") != normals(&ball, "geometric"));
    assert!(normals(&cube, "auto") == normals(&cube, "geometric"));
}

#[test]
fn a_corner_is_darker_than_an_open_plane() {
    let folder = Folder::new();
    let camera =
        ["--shade", "ao", "--size", "60x60", "--eye", "0,0,9", "--target", "0,0,0", "--fov", "24"];
    let (open, corner) =
        (folder.file("open.obj", floor(false)), folder.file("corner.obj", floor(true)));
    let open = render(&folder, &open, &camera);
    assert!(open.iter().all(|pixel| *pixel == open[0]), "an open plane is shaded");
    let corner = render(&folder, &corner, &camera);
    let darkest = corner.iter().map(|&pixel| brightness(pixel)).fold(255.0, f64::min);
    assert!(darkest < 0.9 * brightness(open[0]), "{darkest} {:?}", open[0]);
    // The farther from the wall, the less: in the middle of the plane nothing.
    assert!(corner.iter().filter(|&&pixel| difference(pixel, open[0]) <= 1).count() > 900);
}

#[test]
fn the_shadow_on_the_ground_is_where_the_light_does_not_come() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let camera =
        ["--size", "160x120", "--eye", "0.5,-6,4", "--target", "0.5,0.5,0.5", "--sun", "270,40"];
    let with = render(&folder, &cube, &camera);
    let without = render(&folder, &cube, &[&camera[..], &["--no-ground"]].concat());
    let mut sides = [0.0, 0.0];
    for (index, (&with, &without)) in with.iter().zip(&without).enumerate() {
        let darker = brightness(without) - brightness(with);
        assert!(darker >= -0.7, "brighter on the ground");
        sides[usize::from(index % 160 >= 80)] += darker;
    }
    // The light comes from the west, which is at the left.
    assert!(sides[1] > 1500.0 && sides[0] < 0.3 * sides[1], "{sides:?}");
    let edge = |pixels: &[[u8; 3]]| pixels[..160].to_vec();
    assert_eq!(edge(&with), edge(&without), "a shadow in the far");
}

#[test]
fn what_has_no_area_moves_no_camera() {
    let folder = Folder::new();
    let clean = CUBE.to_owned();
    let stray =
        clean.replace("8 12 0", "10 14 0").replace("0 1 1\n", "0 1 1\n1e6 -1e6 1e6\n7 -8 3e5\n")
            + "3 0 0 8\n3 0 8 8\n";
    let (clean, stray) = (folder.file("clean.off", clean), folder.file("stray.off", stray));
    for shade in ["studio", "depth"] {
        let arguments = ["--size", "250x160", "--shade", shade];
        assert!(
            render(&folder, &clean, &arguments) == render(&folder, &stray, &arguments),
            "{shade}"
        );
    }
    // If nothing has an area, all counts.
    let line = folder.file("line.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n");
    render(&folder, &line, &["--size", "20x20"]);
}

#[test]
fn colours_by_geometry_are_those_of_the_palette() {
    let folder = Folder::new();
    let square = |x: i32| format!("v {x} 0 0\nv {x}.9 0 0\nv {x}.9 0 1\nv {x} 0 1\n");
    let text = format!("{}{}g left\nf 1 2 3 4\ng right\nf 5 6 7 8\n", square(0), square(1));
    let mesh = folder.file("two.obj", text);
    let arguments = ["--color", "geometry", "--shade", "flat", "--samples", "1", "--size"];
    let pixels = render(&folder, &mesh, &[&arguments[..], &["100x60"]].concat());
    let found: std::collections::BTreeSet<_> = pixels.iter().copied().collect();
    let background = pixels[0];
    assert_eq!(found, [background, [0x56, 0xb4, 0xe9], [0xe6, 0x9f, 0x00]].into_iter().collect());
    // A legend with names where there is room for it.
    let pixels = render(&folder, &mesh, &[&arguments[..], &["300x200"]].concat());
    let found: std::collections::BTreeSet<_> = pixels.iter().copied().collect();
    assert!(found.len() > 20, "{}", found.len());
}

/// Ids of what was removed stay free, and a hit deep in instances is in the outermost one.
#[test]
fn colours_follow_the_outermost_geometry_and_instance_ids() {
    const SQUARE: [[f32; 3]; 4] = [[0.0; 3], [0.9, 0.0, 0.0], [0.9, 0.0, 1.0], [0.0, 0.0, 1.0]];
    const FACES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
    let leaf = Arc::new(Scene::from_triangles(&SQUARE, &FACES).expect("a scene"));
    let at = |x| Affine::translation([x, 0.0, 0.0]);
    let pair = SceneBuilder::new().instance(&leaf, at(0.0)).instance(&leaf, at(1.0)).build();
    let pair = Arc::new(pair.expect("a scene"));
    let whole = SceneBuilder::new().triangle_mesh(&SQUARE, &FACES);
    let whole = whole.and_then(|whole| whole.triangle_mesh(&SQUARE, &FACES)).expect("a mesh");
    let mut whole =
        whole.instance(&leaf, at(5.0)).instance(&pair, at(1.0)).build().expect("a scene");
    whole.change().threads(&Threads::ONE).remove(&[0]).expect("it is there");
    whole.remove_instances(&[0]).expect("it is there");
    let folder = Folder::new();
    let file = folder.path("whole.scene");
    whole.save(&file).expect("written");
    let arguments =
        ["--color", "geometry", "--shade", "flat", "--samples", "1", "--size", "100x60"];
    let camera = ["--eye", "1.45,-4,0.5", "--target", "1.45,0,0.5"];
    let pixels = render(&folder, &file, &[&arguments[..], &camera].concat());
    // The second and the fourth colour, of two geometries and two instances.
    let count = |color: [u8; 3]| pixels.iter().filter(|pixel| **pixel == color).count() as f64;
    let [own, placed] = [[0xe6, 0x9f, 0x00], [0xcc, 0x79, 0xa7]].map(count);
    assert!(own > 100.0 && (placed / own - 2.0).abs() < 0.2, "{own} {placed}");
    assert_eq!(count(pixels[0]) + own + placed, pixels.len() as f64);
}

#[test]
fn colours_by_values_are_those_of_the_map() {
    const ENDS: [[u8; 3]; 2] = [[0x44, 0x01, 0x54], [0xfd, 0xe7, 0x25]];
    let folder = Folder::new();
    let mesh = folder.file("floor.obj", floor(true));
    let look = |values: &str, more: &[&str]| {
        let camera = ["--eye", "-1,0,9", "--target", "0.2,0,0", "--fov", "32", "--size", "60x60"];
        let path = folder.file("values.csv", values);
        let source = format!("{}:b", path.display());
        let flat = ["--shade", "flat", "--samples", "1", "--color", &source];
        render(&folder, &mesh, &[&flat, &camera[..], more].concat())
    };
    let colors =
        |pixels: Vec<[u8; 3]>| pixels.into_iter().collect::<std::collections::BTreeSet<_>>();
    // Two faces of two triangles: by face, and by triangle with one that has no value.
    let by_face = colors(look("a,b\n7,1\n8,3\n", &[]));
    assert!(ENDS.iter().all(|end| by_face.contains(end)) && by_face.len() <= 3, "{by_face:?}");
    let by_triangle = colors(look("a,b\n7,1\n8,3\n9,nan\n9,\n", &[]));
    assert!(ENDS.iter().all(|end| by_triangle.contains(end)), "{by_triangle:?}");
    assert!(by_triangle.contains(&[0xb4; 3]), "{by_triangle:?}");
    // Values of vertices blend; those beyond the range have the colour of its end.
    let by_vertex = look("a,b\n0,0\n0,1\n0,1\n0,0\n0,1\n0,1\n", &[]);
    assert!(colors(by_vertex.clone()).len() > 30);
    let middle = by_vertex[30 * 60 + 29];
    assert!(difference(middle, [0x21, 0x91, 0x8c]) < 40, "{middle:?}");
    let beyond = colors(look("a,b\n7,1\n8,3\n", &["--range", "-9,-8"]));
    assert!(beyond.contains(&ENDS[1]) && !beyond.contains(&ENDS[0]), "{beyond:?}");
    let report = json_of(
        lanecast().arg("render").arg(&mesh).args(["--json", "--size", "9x9", "-fo"]).args([
            folder.path("p.png"),
            "--color".into(),
            folder.file("one.csv", "x\n4\n8\n"),
        ]),
    );
    assert_eq!((&report["scale"]["from"], &report["scale"]["to"]), (&4.0.into(), &8.0.into()));
}

#[test]
fn the_background_is_like_no_colour_of_depth() {
    let folder = Folder::new();
    for mesh in ["gyroid.ply", "jacksboro.ply"] {
        let pixels = render(
            &folder,
            &shipped(mesh),
            &["--shade", "depth", "--samples", "1", "--size", "200x150"],
        );
        let background = pixels[0];
        let others = pixels.iter().filter(|pixel| **pixel != background);
        let least = others.clone().map(|&pixel| difference(pixel, background)).min();
        assert!(others.count() > 5000 && least > Some(60), "{mesh}: {least:?}");
    }
}

#[test]
fn a_legend_stands_beside_what_is_seen_where_there_is_room() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let depth = |size: &str, range: &[&str]| {
        render(&folder, &cube, &[&["--shade", "depth", "--size", size], range].concat())
    };
    let strip = |pixels: &[[u8; 3]], width: usize| {
        let rows = pixels.chunks(width).flat_map(|row| row[width - 48..].to_vec());
        rows.collect::<std::collections::BTreeSet<_>>().len()
    };
    // A bar of all colours, and numbers in grey; without room nothing.
    assert!(strip(&depth("300x200", &[]), 300) > 80);
    assert_eq!(strip(&depth("239x90", &[]), 239), 1);
    // The numbers are those of the range.
    assert!(
        depth("300x200", &["--range", "1,3"])
            != depth("300x200", &["--range", "1,3", "--unit", "km"])
    );
}

#[test]
fn a_legend_has_room_for_what_it_says_of_no_value() {
    let folder = Folder::new();
    let values = folder.file("v.csv", format!("v\n{}", "1\n2\nnan\n".repeat(4)));
    let arguments =
        ["--shade", "flat", "--size", "480x300", "--color", values.to_str().expect("UTF-8")];
    let pixels = render(&folder, &folder.file("cube.off", CUBE), &arguments);
    let edge: std::collections::BTreeSet<_> =
        pixels.chunks(480).flat_map(|row| &row[474..]).collect();
    assert_eq!(edge.len(), 1, "{edge:?}");
}

#[test]
fn pictures_with_colours_do_not_depend_on_backend_and_threads() {
    let folder = Folder::new();
    let mesh = folder.file("floor.obj", floor(true));
    for more in [&["--color", "geometry"][..], &["--shade", "ao"], &["--shade", "depth"]] {
        let mut expected = None;
        for backend in lanecast::Backend::available() {
            for threads in ["1", "2"] {
                let machine =
                    ["--size", "250x170", "--backend", backend.name(), "--threads", threads];
                let pixels = render(&folder, &mesh, &[&machine, more].concat());
                assert!(
                    *expected.get_or_insert_with(|| pixels.clone()) == pixels,
                    "{backend} {threads} {more:?}"
                );
            }
        }
    }
}

#[test]
fn colours_that_cannot_be_are_refused_in_one_line() {
    let folder = Folder::new();
    let cube = folder.file("cube.off", CUBE);
    let few = folder.file("few.csv", "a,b\n1,2\n3,x\n");
    let few = few.display().to_string();
    let refused = |arguments: &[&str]| {
        error_line(
            lanecast()
                .arg("render")
                .arg(&cube)
                .arg("-fo")
                .arg(folder.path("p.png"))
                .args(arguments),
        )
    };
    let cases: [(&[&str], &str); 14] = [
        (
            &["--color", &format!("{few}:a")],
            "few.csv: 2 values; there must be one for each of 12 triangles, 8 vertices",
        ),
        (&["--color", &format!("{few}:b")], "few.csv: line 3: column \"b\": \"x\" is not a number"),
        (&["--color", &format!("{few}:c")], "few.csv: there is no column \"c\"; found"),
        (&["--color", &few], "few.csv: name one column of"),
        (&["--color", "missing.npy"], "missing.npy: "),
        (&["--color", "values.txt"], "values.txt: "),
        (&["--color", "geometry", "--shade", "depth"], "--color: goes with"),
        (&["--range", "0,1"], "--range: goes with"),
        (&["--unit", "m"], "--unit: goes with"),
        (&["--shade", "cost", "--unit", "m"], "--unit: goes with"),
        (&["--shade", "ao", "--sun", "90,10"], "--sun: goes with"),
        (&["--shade", "sun", "--no-ground"], "--no-ground: goes with"),
        (&["--shade", "depth", "--normals", "geometric"], "--normals: goes with"),
        (&["--normals", "shading"], "has no vertex normals for --normals shading"),
    ];
    for (arguments, problem) in cases {
        let line = refused(arguments);
        assert!(line.contains(problem), "{arguments:?}: {line}");
    }
    assert!(refused(&["--shade", "depth", "--range", "2,1"]).starts_with("--range: "));
}
