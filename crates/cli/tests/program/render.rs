//! What the pictures of `lanecast render` show.

use crate::folder::Folder;
use crate::machine::FLOOR_AND_WALL;
use crate::support::{CUBE, fields, picture};
use lanecast::{Affine, Scene, SceneBuilder, Threads};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// The pixels of a picture, row after row.
fn render(folder: &Folder, line: &str) -> Vec<[u8; 3]> {
    folder.output(&format!("render {line} -fo picture.png"));
    picture(&folder.path("picture.png")).2.as_chunks::<3>().0.to_vec()
}

fn colors(pixels: &[[u8; 3]]) -> BTreeSet<[u8; 3]> {
    pixels.iter().copied().collect()
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

#[test]
fn smooth_normals_show_a_coarse_sphere_as_a_fine_one() {
    const SIZE: i32 = 120;
    let folder = Folder::new();
    folder.file("coarse.ply", sphere(16));
    folder.file("fine.ply", sphere(256));
    for shade in ["--shade studio --no-ground", "--shade sun --sun 90,10"] {
        let picture = |mesh: &str| {
            let camera = "--size 120x120 --eye 0,-5,0 --target 0,0,0 --fov 26";
            render(&folder, &format!("{mesh} {camera} {shade}"))
        };
        let fine = picture("fine.ply --normals auto");
        let inner = |index: i32| {
            (index % SIZE - SIZE / 2).pow(2) + (index / SIZE - SIZE / 2).pow(2) < 42 * 42
        };
        let off = |pixels: Vec<[u8; 3]>| {
            let all = pixels.iter().zip(&fine).enumerate();
            let all = all.filter(|(index, _)| inner(*index as i32));
            let all: Vec<_> =
                all.map(|(_, (&a, &b))| f64::from(difference(a, b)) / 255.0).collect();
            let far = all.iter().filter(|off| **off > 0.1).count();
            (all.iter().sum::<f64>() / all.len() as f64, far)
        };
        let smooth = off(picture("coarse.ply --normals shading"));
        let facets = off(picture("coarse.ply --normals geometric"));
        // 2% is what is promised. Where triangles at the end of the light shade each other it is
        // 0.49%.
        assert!(smooth.0 < 0.0045 && smooth.1 == 0, "{shade:?} {smooth:?}");
        assert!(facets.0 > 2.0 * smooth.0, "{shade:?} {facets:?} {smooth:?}");
    }
}

#[test]
fn a_mesh_without_normals_is_smooth_but_for_its_creases() {
    let folder = Folder::with_cube();
    let given = sphere(24);
    let without = given.lines().filter(|line| !line.contains("float n")).map(|line| {
        let numbers: Vec<_> = line.split(' ').collect();
        if numbers.len() == 6 { numbers[..3].join(" ") + "\n" } else { line.to_owned() + "\n" }
    });
    folder.file("ball.ply", without.collect::<String>());
    folder.file("given.ply", &given);
    let normals = |mesh: &str| render(&folder, &format!("{mesh} --shade normals --size 90x90"));
    let (computed, given) =
        (normals("ball.ply --normals auto"), normals("given.ply --normals auto"));
    assert!(
        computed.iter().zip(&given).all(|(&a, &b)| difference(a, b) <= 12),
        "far from the true normals"
    );
    assert!(computed != normals("ball.ply --normals geometric"));
    assert!(normals("cube.off --normals auto") == normals("cube.off --normals geometric"));
}

#[test]
fn a_corner_is_darker_than_an_open_plane() {
    let folder = Folder::new();
    let (floor, _) = FLOOR_AND_WALL.split_once("v 2 -2 2").expect("a wall");
    folder.file("open.obj", floor);
    folder.file("corner.obj", FLOOR_AND_WALL);
    let camera = "--shade ao --size 60x60 --eye 0,0,9 --target 0,0,0 --fov 24";
    let [open, corner] =
        ["open.obj", "corner.obj"].map(|mesh| render(&folder, &format!("{mesh} {camera}")));
    assert!(open.iter().all(|pixel| *pixel == open[0]), "an open plane is shaded");
    let darkest = corner.iter().map(|&pixel| brightness(pixel)).fold(255.0, f64::min);
    assert!(darkest < 0.9 * brightness(open[0]), "{darkest} {:?}", open[0]);
    // The farther from the wall, the less: in the middle of the plane nothing.
    assert!(corner.iter().filter(|&&pixel| difference(pixel, open[0]) <= 1).count() > 900);
}

#[test]
fn the_shadow_on_the_ground_is_where_the_light_does_not_come() {
    let folder = Folder::with_cube();
    let camera = "cube.off --size 160x120 --eye 0.5,-6,4 --target 0.5,0.5,0.5 --sun 270,40";
    let [with, without] =
        ["", "--no-ground"].map(|more| render(&folder, &format!("{camera} {more}")));
    let mut sides = [0.0, 0.0];
    for (index, (&with, &without)) in with.iter().zip(&without).enumerate() {
        let darker = brightness(without) - brightness(with);
        assert!(darker >= -0.7, "brighter on the ground");
        sides[usize::from(index % 160 >= 80)] += darker;
    }
    // The light comes from the west, which is at the left.
    assert!(sides[1] > 1500.0 && sides[0] < 0.3 * sides[1], "{sides:?}");
    assert_eq!(with[..160], without[..160], "a shadow in the far");
}

#[test]
fn what_has_no_area_moves_no_camera() {
    let folder = Folder::with_cube();
    let stray =
        CUBE.replace("8 12 0", "10 14 0").replace("0 1 1\n", "0 1 1\n1e6 -1e6 1e6\n7 -8 3e5\n");
    folder.file("stray.off", stray + "3 0 0 8\n3 0 8 8\n");
    for shade in ["studio", "depth"] {
        let [clean, stray] = ["cube.off", "stray.off"]
            .map(|mesh| render(&folder, &format!("{mesh} --size 250x160 --shade {shade}")));
        assert!(clean == stray, "{shade}");
    }
    // If nothing has an area, all counts.
    folder.file("line.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n");
    render(&folder, "line.off --size 20x20");
}

const BY_GEOMETRY: &str = "--color geometry --shade flat --samples 1 --size";

#[test]
fn colours_by_geometry_are_those_of_the_palette() {
    let folder = Folder::new();
    let square = |x: i32| format!("v {x} 0 0\nv {x}.9 0 0\nv {x}.9 0 1\nv {x} 0 1\n");
    let faces = "g left\nf 1 2 3 4\ng right\nf 5 6 7 8\n";
    folder.file("two.obj", format!("{}{}{faces}", square(0), square(1)));
    let pixels = render(&folder, &format!("two.obj {BY_GEOMETRY} 100x60"));
    let expected = [pixels[0], [0x56, 0xb4, 0xe9], [0xe6, 0x9f, 0x00]];
    assert_eq!(colors(&pixels), BTreeSet::from(expected));
    // A legend with names where there is room for it.
    let found = colors(&render(&folder, &format!("two.obj {BY_GEOMETRY} 300x200"))).len();
    assert!(found > 20, "{found}");
}

/// Ids of what was removed stay free, and a hit deep in instances is in the outermost one.
#[test]
fn colours_of_a_scene_file_are_by_ids_of_its_own_parts() {
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
    whole.save(folder.path("whole.scene")).expect("written");
    let camera = "--eye 1.45,-4,0.5 --target 1.45,0,0.5";
    let pixels = render(&folder, &format!("whole.scene {BY_GEOMETRY} 100x60 {camera}"));
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
    folder.file("floor.obj", FLOOR_AND_WALL);
    let look = |values: &str, more: &str| {
        folder.file("values.csv", values);
        let camera = "--eye -1,0,9 --target 0.2,0,0 --fov 32 --size 60x60";
        let flat = "--shade flat --samples 1 --color values.csv:b";
        render(&folder, &format!("floor.obj {flat} {camera} {more}"))
    };
    // Two faces of two triangles: by face, and by triangle with one that has no value.
    let by_face = colors(&look("a,b\n7,1\n8,3\n", ""));
    assert!(ENDS.iter().all(|end| by_face.contains(end)) && by_face.len() <= 3, "{by_face:?}");
    let by_triangle = colors(&look("a,b\n7,1\n8,3\n9,nan\n9,\n", ""));
    assert!(ENDS.iter().all(|end| by_triangle.contains(end)), "{by_triangle:?}");
    assert!(by_triangle.contains(&[0xb4; 3]), "{by_triangle:?}");
    // Values of vertices blend; those beyond the range have the colour of its end.
    let by_vertex = look("a,b\n0,0\n0,1\n0,1\n0,0\n0,1\n0,1\n", "");
    assert!(colors(&by_vertex).len() > 30);
    let middle = by_vertex[30 * 60 + 29];
    assert!(difference(middle, [0x21, 0x91, 0x8c]) < 40, "{middle:?}");
    let beyond = colors(&look("a,b\n7,1\n8,3\n", "--range -9,-8"));
    assert!(beyond.contains(&ENDS[1]) && !beyond.contains(&ENDS[0]), "{beyond:?}");
    folder.file("one.csv", "x\n4\n8\n");
    let report = folder.json("render floor.obj --size 9x9 -fo p.png --color one.csv");
    assert_eq!(fields(&report, "scale.from scale.to"), json!([4.0, 8.0]));
}

#[test]
fn values_that_cannot_be_colours_are_refused() {
    let folder = Folder::with_cube();
    folder.file("few.csv", "a,b\n1,2\n3,x\n");
    for (values, problem) in [
        ("few.csv:a", "few.csv: 2 values; there must be one for each of 12 triangles, 8 vertices…"),
        ("few.csv:b", "few.csv: line 3: column \"b\": \"x\" is not a number"),
        ("few.csv:c", "few.csv: there is no column \"c\"; found…"),
        ("few.csv", "few.csv: name one column of…"),
        ("missing.npy", "missing.npy: …"),
        ("values.txt", "values.txt: …"),
    ] {
        folder.refuses([(format!("render cube.off -o p.png --color {values}"), problem)]);
    }
}

#[test]
fn the_background_is_like_no_colour_of_depth() {
    let folder = Folder::new();
    for mesh in ["gyroid.ply", "jacksboro.ply"] {
        let line = format!("data/{mesh} --shade depth --samples 1 --size 200x150");
        let pixels = render(&folder, &line);
        let others = pixels.iter().filter(|pixel| **pixel != pixels[0]);
        let least = others.clone().map(|&pixel| difference(pixel, pixels[0])).min();
        assert!(others.count() > 5000 && least > Some(60), "{mesh}: {least:?}");
    }
}

#[test]
fn a_legend_stands_beside_what_is_seen_where_there_is_room() {
    let folder = Folder::with_cube();
    folder.file("v.csv", format!("v\n{}", "1\n2\nnan\n".repeat(4)));
    let look = |more: &str| render(&folder, &format!("cube.off --shade {more}"));
    // How many colours the last columns have.
    let strip = |pixels: &[[u8; 3]], width: usize, columns: usize| {
        let rows: Vec<_> = pixels.chunks(width).flat_map(|row| &row[width - columns..]).collect();
        rows.into_iter().collect::<BTreeSet<_>>().len()
    };
    // A bar of all colours, and numbers in grey; without room nothing.
    assert!(strip(&look("depth --size 300x200"), 300, 48) > 80);
    assert_eq!(strip(&look("depth --size 239x90"), 239, 48), 1);
    // The numbers are those of the range.
    let ranged = "depth --size 300x200 --range 1,3";
    assert!(look(ranged) != look(&format!("{ranged} --unit km")));
    // What it says of no value has room.
    assert_eq!(strip(&look("flat --size 480x300 --color v.csv"), 480, 6), 1);
}
