//! Vertices that are not finite: no trouble unless a face names them.

use crate::folder::Folder;

const WILD: [&str; 3] = ["nan", "inf", "-1e39"];

fn ply(third: &str, faces: &str) -> String {
    format!(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_index\nend_header\n\
         0 0 0\n1 0 0\n0 {third} 0\n0 1 0\n{faces}\n"
    )
}

fn binary_ply(third: f32, face: [u8; 3]) -> Vec<u8> {
    let text =
        ply("0", "").replace("ascii", "binary_little_endian").replace("uchar int", "uchar uchar");
    let (head, _) = text.split_once("end_header\n").unwrap();
    let mut bytes = format!("{head}end_header\n").into_bytes();
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, third, 0.0, 0.0, 1.0, 0.0]
        .iter()
        .for_each(|x: &f32| bytes.extend(x.to_le_bytes()));
    bytes.extend([3].iter().chain(&face));
    bytes
}

#[test]
fn a_vertex_that_no_face_names_may_be_anything_and_is_put_at_0() {
    let folder = Folder::new();
    let said = ["1 vertex that no face names put at 0: not finite, or too large"];
    for wild in WILD {
        let number: f32 = wild.parse().unwrap();
        let files = [
            ("m.obj", format!("v 0 0 0\nv 1 0 0\nv 0 {wild} 0\nv 0 1 0\nf 1 2 4\n").into_bytes()),
            (
                "m.off",
                format!("OFF 4 1 0\n0 0 0\n1 0 0\n0 {wild} 0\n0 1 0\n3 0 1 3\n").into_bytes(),
            ),
            ("m.ply", ply(wild, "3 0 1 3").into_bytes()),
            ("m.ply", binary_ply(number, [0, 1, 3])),
        ];
        for (name, bytes) in files {
            let model = folder.model(name, bytes).unwrap();
            let mesh = &model.meshes[0];
            assert_eq!(
                mesh.vertices,
                [[0., 0., 0.], [1., 0., 0.], [0.; 3], [0., 1., 0.]],
                "{name} {wild}"
            );
            assert_eq!(
                (&mesh.triangles[..], &model.remarks[..], &mesh.unusable_vertices[..]),
                (&[[0, 1, 3]][..], &said.map(String::from)[..], &[2][..])
            );
        }
    }
}

#[test]
fn a_non_finite_vertex_of_a_face_is_refused_with_its_line() {
    let folder = Folder::new();
    let fault = "coordinates must be finite and at most 2^100 in magnitude";
    for (wild, shown) in WILD.into_iter().zip(["NaN", "inf", "-inf"]) {
        let what = format!(
            "vertex 2, numbered from 0, which a face names, is [0.0, {shown}, 0.0]; {fault}"
        );
        // OBJ numbers its vertices from 1, and so do all messages of it.
        let of_obj = what.replace("vertex 2, numbered from 0", "vertex 3, numbered from 1");
        assert_eq!(
            folder.mesh_error("m.obj", format!("v 0 0 0\nv 1 0 0\n# x\nv 0 {wild} 0\nf 1 2 3\n")),
            format!("m.obj: line 4: {of_obj}")
        );
        assert_eq!(
            folder.mesh_error("m.off", format!("OFF 3 1 0\n0 0 0\n1 0 0\n\n0 {wild} 0\n3 0 1 2\n")),
            format!("m.off: line 5: {what}")
        );
        assert_eq!(
            folder.mesh_error("m.ply", ply(wild, "3 0 1 2")),
            format!("m.ply: line 12: {what}")
        );
        let number: f32 = wild.parse().unwrap();
        assert_eq!(
            folder.mesh_error("m.ply", binary_ply(number, [2, 1, 0])),
            format!("m.ply: {what}")
        );

        let what = format!("a vertex is [1.0, {shown}, 0.0]; {fault}");
        let text = super::files::ascii_stl().replacen(
            "vertex 1 0 0.0",
            &format!("vertex 1 {wild} 0.0"),
            1,
        );
        assert_eq!(folder.mesh_error("m.stl", text), format!("m.stl: line 5: {what}"));
        let mut bytes = super::files::binary_stl("");
        bytes[84 + 28..84 + 32].copy_from_slice(&number.to_le_bytes());
        assert_eq!(folder.mesh_error("m.stl", bytes), format!("m.stl: triangle 0 of 3: {what}"));
    }
}

/// What is beyond the range of `f32` is not beyond that of `f64`.
#[test]
fn the_bound_is_that_of_the_precision() {
    let folder = Folder::new();
    let path = folder.file("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1e39 0\nf 1 2 3\n");
    let meshes = lanecast_io::read_model::<f64>(&path).unwrap().meshes;
    assert_eq!(meshes[0].vertices[2][1], 1e39);
    let path = folder.file("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1e99 0\nf 1 2 3\n");
    let message = folder.error_of("m.obj", lanecast_io::read_model::<f64>(&path));
    assert!(message.ends_with("at most 2^300 in magnitude"), "{message}");
}

/// Points are what their file says: nobody may take one that is not finite for one at 0.
#[test]
fn vertices_of_a_file_without_faces_stay_as_they_are() {
    let folder = Folder::new();
    let cloud =
        ply("nan", "").replace("element face 1\nproperty list uchar int vertex_index\n", "");
    let model = folder.model("m.ply", cloud).unwrap();
    assert!(model.meshes[0].vertices[2][1].is_nan() && model.remarks.is_empty());
}
