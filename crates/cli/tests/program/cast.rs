//! `lanecast cast`: the answers to each query, the same whatever the way.

use crate::folder::Folder;
use crate::pattern::assert_reads;
use crate::support::{column, fields, file, ray_lines, rays};
use serde_json::json;

/// Checks the answers of each query to rays: a pattern of the whole file.
#[track_caller]
fn check(folder: &Folder, mesh: &str, lines: &str, rows: &[(&str, &str)]) {
    folder.file("rays.csv", rays(lines));
    for (arguments, pattern) in rows {
        let answers = folder.output(&format!("cast {mesh} rays.csv -o - {arguments}"));
        assert_reads(&answers, pattern);
    }
}

#[test]
fn closest_any_count_and_all_agree_on_a_cube() {
    let folder = Folder::with_cube();
    let header = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v";
    check(
        &folder,
        "cube.off",
        "0.25,0.5,2,0,0,-2 3,3,2,0,0,-1",
        &[
            (
                "--normals",
                &format!("{header},nx,ny,nz\n0,hit,0.5,3,0,-1,…\n1,miss,inf,-1,-1,-1,…\n"),
            ),
            ("--query any", "ray_id,status,hit\n0,hit,true\n1,miss,false\n"),
            ("--query count", "ray_id,status,count\n0,hit,2\n1,miss,0\n"),
            ("--query count --culling back", "ray_id,status,count\n0,hit,1\n1,miss,0\n"),
            ("--query all", "ray_id,t,…\n0,0.5,…\n0,1.0,…\n"),
        ],
    );
}

/// Through the diagonals of two faces, and in the middle of each of the four edges of a square.
#[test]
fn hits_are_crossings_unless_touched_ones_are_asked_for() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0.5,0.5,2,0,0,-2"));
    for (arguments, name, expected) in [
        ("--query all", "t", "0.5 1.0"),
        ("--query all --touched", "t", "0.5 0.5 1.0 1.0"),
        ("--query all --touched --limit 3", "t", "0.5 0.5 1.0"),
        ("--query all --limit 1", "t", "0.5"),
        ("--query count", "count", "2"),
        ("--query count --touched", "count", "4"),
    ] {
        let answers = folder.output(&format!("cast cube.off rays.csv -o - {arguments}"));
        assert_eq!(column(&answers, name).join(" "), expected, "{arguments}");
    }
    folder.file("square.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
    folder.file("rays.csv", rays("0.5,0,1,0,0,-1 0.5,1,1,0,0,-1 0,0.5,1,0,0,-1 1,0.5,1,0,0,-1"));
    let cast = |query: &str| folder.output(&format!("cast square.off rays.csv -o - {query}"));
    assert_eq!(column(&cast(""), "t"), ["1.0"; 4]);
    assert_eq!(column(&cast("--query count --touched"), "count"), ["1"; 4]);
    let crossed = cast("--query count");
    let crossed = column(&crossed, "count");
    assert!(crossed.contains(&"0") && crossed.contains(&"1"), "{crossed:?}");
}

#[test]
fn the_order_of_rays_changes_nothing_but_the_order_of_answers() {
    let folder = Folder::new();
    let lines = ray_lines(3000);
    // 1,979 has no factor in common with 3,000.
    let shuffled: Vec<_> =
        (0..lines.len()).map(|index| lines[index * 1979 % lines.len()].clone()).collect();
    let [in_order, shuffled] = [&lines, &shuffled].map(|lines| {
        folder.file("rays.csv", file(lines));
        folder.output("cast data/gyroid.ply rays.csv -o -")
    });
    let expected: Vec<_> = in_order.lines().skip(1).collect();
    let mut rows: Vec<_> = shuffled.lines().skip(1).collect();
    assert_ne!(rows, expected);
    rows.sort_by_key(|row| row.split(',').next().and_then(|id| id.parse::<u64>().ok()));
    assert_eq!(rows, expected);
}

#[test]
fn rays_that_cannot_be_cast_say_why_in_their_row() {
    let folder = Folder::with_cube();
    let bad = "nan,0,0,0,0,1,0,1\n0,0,0,inf,0,1,0,1\n0,0,0,0,0,0,0,1\n0,0,0,0,0,1,nan,1\n0,0,0,0,0,1,2,1\n";
    folder
        .file("rays.csv", format!("ox,oy,oz,dx,dy,dz,t_min,t_max\n{bad}0.5,0.25,-1,0,0,1,0,inf\n"));
    let hits = folder.output("cast cube.off rays.csv -o - --query any");
    let expected =
        "invalid_origin invalid_direction zero_direction invalid_interval empty_interval hit";
    assert_eq!(column(&hits, "status").join(" "), expected);
    let summary = folder.json("cast cube.off rays.csv -o h.csv");
    let names = "rays hits misses invalid.zero_direction";
    assert_eq!(fields(&summary, names), json!([6, 1, 0, 1]));
}

#[test]
fn many_hits_per_ray_are_answered_in_pieces_without_a_seam() {
    // 300 triangles above each other: the first piece of 4,096 rays has 1.2 million hits, so that
    // the next ones are of different lengths.
    const LAYERS: usize = 300;
    const RAYS: usize = 12_000;
    let folder = Folder::new();
    let vertices = (0..LAYERS).map(|z| format!("0 0 {z}\n1 0 {z}\n0 1 {z}\n")).collect::<String>();
    let faces = (0..LAYERS).map(|layer| 3 * layer).map(|a| format!("3 {a} {} {}\n", a + 1, a + 2));
    let faces = faces.collect::<String>();
    folder.file("stack.off", format!("OFF\n{} {LAYERS} 0\n{vertices}{faces}", 3 * LAYERS));
    // Every fourth ray hits all layers.
    let rays =
        (0..RAYS).map(|ray| format!("{},0.25,-1,0,0,1,{}\n", (ray % 4) as f64 + 0.25, 3 * ray));
    let rays = rays.collect::<String>();
    folder.file("rays.csv", format!("ox,oy,oz,dx,dy,dz,ray_id\n{rays}"));
    let summary = folder.json("cast stack.off rays.csv --query all -o hits.arrow");
    assert_eq!(fields(&summary, "rays hits found"), json!([RAYS, RAYS / 4, RAYS / 4 * LAYERS]));
    let text = folder.output("cast stack.off rays.csv --query all -o -");
    let ids = column(&text, "ray_id").into_iter().map(|id| id.parse().ok());
    let expected = (0..RAYS).step_by(4).flat_map(|ray| std::iter::repeat_n(Some(3 * ray), LAYERS));
    assert!(ids.eq(expected));
}

#[test]
fn costs_are_counted_in_columns() {
    let folder = Folder::with_cube();
    folder.file("rays.csv", rays("0.25,0.5,2,0,0,-2 3,3,2,0,0,-1 0,0,0,0,0,0"));
    let costs = folder.output("cast cube.off rays.csv -o - --query cost");
    let header = "ray_id,status,nodes,boxes,leaves,triangles,lanes_filled";
    let none = "2,zero_direction,0,0,0,0,0.0";
    assert_reads(&costs, &format!("{header}\n0,hit,1,…\n1,miss,1,…,0,0,…\n{none}\n"));
    // Twelve triangles lie in two leaves at least, below one node.
    let first = costs.lines().nth(1).expect("a row").split(',').skip(2);
    let numbers: Vec<f64> = first.map(|number| number.parse().expect("a number")).collect();
    let [nodes, boxes, leaves, triangles, filled] = numbers[..] else { panic!("{costs}") };
    assert!(boxes >= 2.0 && leaves >= 1.0, "{costs}");
    assert!((filled - (boxes + triangles) / (8.0 * (nodes + leaves))).abs() < 1e-6, "{costs}");
}

#[test]
fn lines_are_met_on_both_sides_of_their_origin() {
    let folder = Folder::with_cube();
    let lines = [
        "0.25,0.5,0.25,0,0,2,-inf,inf",
        "0.25,0.5,0.25,0,0,2,0,inf",
        "0.25,0.5,3,0,0,1,-inf,inf",
        "3,3,3,0,0,1,-inf,inf",
    ];
    folder.file("rays.csv", format!("ox,oy,oz,dx,dy,dz,t_min,t_max\n{}\n", lines.join("\n")));
    let hits = folder.output("cast cube.off rays.csv -o - --query line");
    let header = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,behind_t,behind_primitive_id,\
                  behind_geometry_id,behind_instance_id,behind_u,behind_v";
    let (ahead, none) = ("0.375,3,0,-1,", "inf,-1,-1,-1,0.0,0.0");
    let rows = [
        header,
        &format!("0,hit,{ahead}…,-0.125,1,0,-1,…"),
        &format!("1,hit,{ahead}…,inf,-1,-1,-1,…"),
        &format!("2,hit,{none},-2.0,3,0,-1,…"),
        &format!("3,miss,{none},inf,-1,…\n"),
    ];
    assert_reads(&hits, &rows.join("\n"));
}
