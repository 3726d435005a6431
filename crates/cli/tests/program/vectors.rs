//! `lanecast cast`: points and normals of hits.

use crate::folder::Folder;
use crate::support::{CUBE, cast, error_line, lanecast};
use std::path::Path;

/// The point is on the ray and on the mesh to half a unit of the last place, and the normal has
/// length 1.
#[test]
fn points_and_unit_normals_of_hits_are_written_on_request() {
    let folder = Folder::new();
    // A plane that leans, far from the origin.
    let mesh =
        folder.file("plane.off", "OFF\n3 1 0\n1000 2000 50\n1006 2000 50\n1000 2007 53\n3 0 1 2\n");
    let rays =
        "ox,oy,oz,dx,dy,dz\n1001.1,2001.3,60,0,0,-0.7\n0,0,0,0,0,1\n1001.7,2000.9,60,0.01,0,-3\n";
    let text = cast(&mesh, rays, &["--points", "--normals"]);
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
    // `--normals geometric` is the same, `--points` goes with every hit of a ray, and no other
    // query has either.
    assert_eq!(cast(&mesh, rays, &["--points", "--normals", "geometric"]), text);
    let cube = folder.file("cube.off", CUBE);
    let all =
        cast(&cube, "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-2\n", &["--query", "all", "--points"]);
    let expected = "ray_id,t,primitive_id,geometry_id,instance_id,u,v,x,y,z\n\
                    0,0.5,3,0,-1,0.25,0.25,0.25,0.5,1.0\n0,1.0,1,0,-1,0.25,0.25,0.25,0.5,0.0\n";
    assert_eq!(all, expected);
    for query in ["any", "count", "cost", "line"] {
        let rays = folder.file("rays.csv", rays);
        let mut command = lanecast();
        command.arg("cast").args([&cube, &rays]).args(["-o", "-", "--points", "--query", query]);
        let line = "--points: only --query closest and --query all have points";
        assert_eq!(error_line(&mut command), line);
    }
}

/// Weighted by u and v between the normals of vertices, of length 1, whatever length and frame the
/// file has.
#[test]
fn shading_normals_are_interpolated_between_those_of_vertices() {
    let folder = Folder::new();
    // Normals of lengths 2, 1 and 3: up, to the east, to the north.
    let obj = "v 0 0 0\nv 4 0 0\nv 0 4 0\nvn 0 0 2\nvn 1 0 0\nvn 0 3 0\nf 1//1 2//2 3//3\n";
    let mesh = folder.file("mesh.obj", obj);
    let rays = "ox,oy,oz,dx,dy,dz\n1,2,5,0,0,-1\n3,0.5,-5,0,0,1\n9,9,9,0,0,1\n";
    let normals = |mesh: &Path, rays: &str| {
        let text = cast(mesh, rays, &["--normals", "shading"]);
        let values =
            |line: &str| line.split(',').skip(8).map(|x| x.parse().expect("a number")).collect();
        text.lines().skip(1).map(values).collect::<Vec<Vec<f64>>>()
    };
    let unit = |v: [f64; 3]| v.map(|x| x / v.iter().map(|x| x * x).sum::<f64>().sqrt());
    let close = |found: &[f64], expected: [f64; 3]| {
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7)
    };
    let found = normals(&mesh, rays);
    // u and v are quarters of x and y; the side that is hit changes nothing.
    assert!(close(&found[0], unit([0.25, 0.5, 0.25])), "{found:?}");
    assert!(close(&found[1], unit([0.75, 0.125, 0.125])), "{found:?}");
    assert!(found[2].iter().all(|x| x.is_nan()), "{found:?}");

    // Four nodes place the same mesh: two mirror and stretch it, one turns it, one stretches it.
    let numbers = [
        [0.0_f32, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [0.0, 4.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.6, 0.0, 0.8],
        [0.0, 0.6, 0.8],
    ];
    let bytes: Vec<u8> = numbers.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    folder.file("numbers.bin", bytes);
    let accessor = |offset: usize, more: &str| {
        format!(
            r#"{{"bufferView": 0, "byteOffset": {offset}, "componentType": 5126, "count": 3, "type": "VEC3"{more}}}"#
        )
    };
    let gltf = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0, 1, 2, 3]}}],
            "nodes": [{{"mesh": 0, "scale": [-1, 2, 3]}}, {{"mesh": 0, "translation": [20, 0, 0], "rotation": [1, 0, 0, 0]}},
                {{"mesh": 0, "translation": [40, 0, 0], "scale": [1, 2, 3]}},
                {{"mesh": 0, "translation": [-20, 0, 0], "scale": [-1, 2, 3]}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "NORMAL": 1}}}}]}}],
            "buffers": [{{"uri": "numbers.bin", "byteLength": 72}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 72}}],
            "accessors": [{}, {}]}}"#,
        accessor(0, r#", "min": [0, 0, 0], "max": [4, 4, 0]"#),
        accessor(36, ""),
    );
    let placed = folder.file("placed.gltf", gltf);
    // At x 1, y 2 of the mesh in each: u 0.25, v 0.5.
    let rays = "ox,oy,oz,dx,dy,dz\n-1,4,5,0,0,-1\n21,-2,5,0,0,-1\n41,4,5,0,0,-1\n-21,4,5,0,0,-1\n";
    let found = normals(&placed, rays);
    // Normals are carried by the inverse's transpose, and those of vertices are interpolated there.
    let mixed = |carried: &dyn Fn([f64; 3]) -> [f64; 3]| {
        let [a, b, c] =
            [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0, 0.6, 0.8]].map(|normal| unit(carried(normal)));
        unit([0, 1, 2].map(|axis| 0.25 * a[axis] + 0.25 * b[axis] + 0.5 * c[axis]))
    };
    assert_eq!(found[3], found[0]);
    assert!(close(&found[0], mixed(&|[x, y, z]| [-x, y / 2.0, z / 3.0])), "{found:?}");
    assert!(close(&found[1], mixed(&|[x, y, z]| [x, -y, -z])), "{found:?}");
    assert!(close(&found[2], mixed(&|[x, y, z]| [x, y / 2.0, z / 3.0])), "{found:?}");

    let refused = |mesh: &Path| {
        let rays = folder.file("rays.csv", rays);
        let mut command = lanecast();
        error_line(command.arg("cast").arg(mesh).arg(rays).args([
            "-o",
            "-",
            "--normals",
            "shading",
        ]))
    };
    let none = folder
        .file("none.obj", format!("o smooth\n{obj}o flat\nv 5 5 5\nv 6 5 5\nv 5 6 5\nf 4 5 6\n"));
    let problem = "mesh \"flat\" has no vertex normals for --normals shading";
    assert_eq!(refused(&none), format!("{}: {problem}", none.display()));
    let scene = folder.path("mesh.scene");
    lanecast().arg("build").arg(&mesh).arg("-o").arg(&scene).assert().success();
    let problem =
        "a scene file has no vertex normals; cast the rays at the mesh for --normals shading";
    assert_eq!(refused(&scene), format!("{}: {problem}", scene.display()));
}
