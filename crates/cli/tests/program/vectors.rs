//! `lanecast cast`: points and normals of hits.

use crate::folder::Folder;
use crate::support::{column, npy, rays};

/// The point is on the ray and on the mesh to half a unit of the last place, and the normal has
/// length 1.
#[test]
fn points_and_unit_normals_of_hits_are_written_on_request() {
    let folder = Folder::with_cube();
    // A plane that leans, far from the origin.
    folder.file("plane.off", "OFF\n3 1 0\n1000 2000 50\n1006 2000 50\n1000 2007 53\n3 0 1 2\n");
    folder
        .file("rays.csv", rays("1001.1,2001.3,60,0,0,-0.7 0,0,0,0,0,1 1001.7,2000.9,60,0.01,0,-3"));
    let text = folder.output("cast plane.off rays.csv -o - --points --normals");
    let header = "ray_id,status,t,primitive_id,geometry_id,instance_id,u,v,x,y,z,nx,ny,nz";
    assert_eq!(text.lines().next(), Some(header));
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    let origins = [[1001.1_f32, 2001.3, 60.0], [1001.7, 2000.9, 60.0]];
    let directions = [[0.0_f32, 0.0, -0.7], [0.01, 0.0, -3.0]];
    for ((row, origin), direction) in [&rows[0], &rows[2]].into_iter().zip(origins).zip(directions)
    {
        for axis in 0..3 {
            let there = f64::from(origin[axis]) + row[2] * f64::from(direction[axis]);
            assert_eq!(row[8 + axis] as f32, there as f32, "{text}");
        }
        let length = 58.0_f64.sqrt();
        let normal = [0.0, -3.0 / length, 7.0 / length].map(|x| x as f32);
        assert_eq!([row[11] as f32, row[12] as f32, row[13] as f32], normal, "{text}");
    }
    assert!(text.lines().nth(2).expect("a miss").ends_with(",NaN,NaN,NaN,NaN,NaN,NaN"), "{text}");
    // `--normals geometric` is the same, and `--points` goes with every hit of a ray.
    assert_eq!(folder.output("cast plane.off rays.csv -o - --points --normals geometric"), text);
    folder.file("down.csv", rays("0.25,0.5,2,0,0,-2"));
    let expected = "ray_id,t,primitive_id,geometry_id,instance_id,u,v,x,y,z\n\
                    0,0.5,3,0,-1,0.25,0.25,0.25,0.5,1.0\n0,1.0,1,0,-1,0.25,0.25,0.25,0.5,0.0\n";
    assert_eq!(folder.output("cast cube.off down.csv -o - --query all --points"), expected);
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    v.map(|x| x / v.iter().map(|x| x * x).sum::<f64>().sqrt())
}

/// Normals that are interpolated, of the rays of `rays.csv`.
fn normals(folder: &Folder, mesh: &str) -> Vec<[f64; 3]> {
    let text = folder.output(&format!("cast {mesh} rays.csv -o - --normals shading"));
    let axes = ["nx", "ny", "nz"].map(|axis| column(&text, axis));
    let number = |word: &str| word.parse().expect("a number");
    (0..axes[0].len()).map(|row| [0, 1, 2].map(|axis| number(axes[axis][row]))).collect()
}

#[track_caller]
fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7);
    assert!(near, "{found:?}, {expected:?}");
}

/// Normals of lengths 2, 1 and 3: up, to the east, to the north.
const OBJ: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nvn 0 0 2\nvn 1 0 0\nvn 0 3 0\nf 1//1 2//2 3//3\n";

/// Weighted by u and v between the normals of vertices, of length 1, whatever length and frame the
/// file has.
#[test]
fn shading_normals_are_interpolated_between_those_of_vertices() {
    let folder = Folder::new();
    folder.file("mesh.obj", OBJ);
    folder.file("rays.csv", rays("1,2,5,0,0,-1 3,0.5,-5,0,0,1 9,9,9,0,0,1"));
    let found = normals(&folder, "mesh.obj");
    // u and v are quarters of x and y; the side that is hit changes nothing.
    assert_near(found[0], unit([0.25, 0.5, 0.25]));
    assert_near(found[1], unit([0.75, 0.125, 0.125]));
    assert!(found[2].iter().all(|x| x.is_nan()), "{found:?}");

    // Four nodes place the same mesh: two mirror and stretch it, one turns it, one stretches it.
    let of_vertices = [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0, 0.6, 0.8]];
    let numbers = [[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], of_vertices].concat();
    let array = npy("<f4", &numbers);
    folder.file("numbers.bin", &array[array.len() - 72..]);
    let accessor = r#""componentType": 5126, "count": 3, "type": "VEC3""#;
    let gltf = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0, 1, 2, 3]}}],
            "nodes": [{{"mesh": 0, "scale": [-1, 2, 3]}}, {{"mesh": 0, "translation": [20, 0, 0], "rotation": [1, 0, 0, 0]}},
                {{"mesh": 0, "translation": [40, 0, 0], "scale": [1, 2, 3]}},
                {{"mesh": 0, "translation": [-20, 0, 0], "scale": [-1, 2, 3]}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "NORMAL": 1}}}}]}}],
            "buffers": [{{"uri": "numbers.bin", "byteLength": 72}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 72}}],
            "accessors": [{{"bufferView": 0, {accessor}, "min": [0, 0, 0], "max": [4, 4, 0]}},
                {{"bufferView": 0, "byteOffset": 36, {accessor}}}]}}"#
    );
    folder.file("placed.gltf", gltf);
    // At x 1, y 2 of the mesh in each: u 0.25, v 0.5.
    folder.file("rays.csv", rays("-1,4,5,0,0,-1 21,-2,5,0,0,-1 41,4,5,0,0,-1 -21,4,5,0,0,-1"));
    let found = normals(&folder, "placed.gltf");
    // Normals are carried by the inverse's transpose, and those of vertices are interpolated there.
    let mixed = |scales: [f64; 3]| {
        let carried = |normal: [f64; 3]| unit([0, 1, 2].map(|axis| normal[axis] * scales[axis]));
        let [a, b, c] = of_vertices.map(carried);
        unit([0, 1, 2].map(|axis| 0.25 * a[axis] + 0.25 * b[axis] + 0.5 * c[axis]))
    };
    assert_eq!(found[3], found[0]);
    assert_near(found[0], mixed([-1.0, 1.0 / 2.0, 1.0 / 3.0]));
    assert_near(found[1], mixed([1.0, -1.0, -1.0]));
    assert_near(found[2], mixed([1.0, 1.0 / 2.0, 1.0 / 3.0]));
}

#[test]
fn normals_of_vertices_that_are_not_there_are_refused() {
    let folder = Folder::new();
    folder.file("mesh.obj", OBJ);
    folder.file("none.obj", format!("o smooth\n{OBJ}o flat\nv 5 5 5\nv 6 5 5\nv 5 6 5\nf 4 5 6\n"));
    folder.file("rays.csv", rays("1,2,5,0,0,-1"));
    folder.output("build mesh.obj -o mesh.scene");
    folder.refuses([
        (
            "cast none.obj rays.csv -o - --normals shading",
            "none.obj: mesh \"flat\" has no vertex normals for --normals shading",
        ),
        (
            "cast mesh.scene rays.csv -o - --normals shading",
            "mesh.scene: a scene file has no vertex normals; cast the rays at the mesh for --normals shading",
        ),
    ]);
}
