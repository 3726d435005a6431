//! Vertex normals are kept where they exist.

use crate::folder::Folder;

/// A roof: two faces that share the edge of vertices 1 and 2.
const ROOF: &str = "v 0 0 0\nv 1 0 1\nv 1 1 1\nv 2 0 0\n";
const SIDES: &str = "vn -.7 0 .7\nvn .7 0 .7\n";
const LEFT: [f32; 3] = [-0.7, 0.0, 0.7];
const RIGHT: [f32; 3] = [0.7, 0.0, 0.7];
const UP: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn a_smooth_obj_has_a_normal_for_each_vertex_of_the_file() {
    let faces = "f 2//1 3//2 4//2\nf 5/1/3 4//-1 3//4\n";
    let text = format!("v 9 9 9\n{ROOF}vn -.7 0 .7\nvn 0 0 1\nvn .7 0 .7\nvn 0 0 1\n{faces}");
    let mesh = Folder::new().only_mesh("m.obj", text);
    assert_eq!(mesh.triangles, [[1, 2, 3], [4, 3, 2]]);
    // Equal normals with other numbers are one.
    assert_eq!(mesh.normals.unwrap(), [[0.; 3], LEFT, UP, UP, RIGHT]);
}

#[test]
fn an_obj_vertex_with_several_normals_is_split() {
    let folder = Folder::new();
    let mesh =
        folder.only_mesh("m.obj", format!("{SIDES}f 1//1 2//1 3//1\nf 4//2 3//2 2//2\n{ROOF}"));
    assert_eq!(mesh.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(mesh.vertices[4..], [[1., 1., 1.], [1., 0., 1.]]);
    assert_eq!(mesh.normals.unwrap(), [LEFT, LEFT, LEFT, RIGHT, RIGHT, RIGHT]);
    // As parts of a file, and of a polygon.
    let parts = format!("{ROOF}{SIDES}o a\nf 1//1 2//1 3//1\no b\nf 4//2 3//2 2//2 1//1\n");
    let meshes = folder.meshes("m.obj", parts).unwrap();
    assert_eq!(meshes[0].normals.as_ref().unwrap(), &[LEFT; 3]);
    assert_eq!(meshes[1].triangles, [[3, 2, 1], [3, 1, 0]]);
    assert_eq!(meshes[1].normals.as_ref().unwrap(), &[LEFT, RIGHT, RIGHT, RIGHT]);
}

#[test]
fn an_obj_with_normals_here_and_there_says_that_it_has_none() {
    let left_out = &["normals left out: 1 corner without one"][..];
    for (faces, remarks) in [
        ("f 1//1 2 3//1\nf 4//1 3//1 2//1\n", left_out),
        ("f 1 2//1 3//1\nf 4//1 3//1 2//1\n", left_out),
        ("f 1//1 2//1 3//1\nf 4//1 3//1 2\n", left_out),
        ("f 1 2 3\n", &[]),
    ] {
        let model = Folder::new().model("m.obj", format!("{ROOF}vn 0 0 1\n{faces}")).unwrap();
        assert_eq!((&model.meshes[0].normals, model.meshes[0].vertices.len()), (&None, 4));
        assert_eq!(model.remarks, remarks, "{faces}");
    }
}

#[test]
fn ply_and_off_keep_the_normals_of_vertices_and_stl_none() {
    let folder = Folder::new();
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty double nx\nproperty float x\nproperty float y\n\
               property float z\nproperty float nz\nproperty char ny\nelement face 1\n\
               property list uchar int vertex_index\nend_header\n\
               -0.7 0 0 0 0.7 0\n0 1 0 1 1 0\n0.7 2 0 0 0.7 0\n3 0 1 2\n";
    assert_eq!(folder.only_mesh("m.ply", ply).normals.unwrap(), [LEFT, UP, RIGHT]);
    assert_eq!(folder.only_mesh("m.ply", ply.replace("char ny", "char n")).normals, None);
    for (keyword, more) in
        [("NOFF 3", ""), ("CNOFF3", " 255 0 0"), ("STNOFF 3", " 0.5 1"), ("NOFF3", "")]
    {
        let off = format!(
            "{keyword} 1 0\n0 0 0 -.7 0 .7{more}\n1 0 1 0 0 1{more}\n2 0 0 .7 0 .7{more}\n3 0 1 2\n"
        );
        let mesh = folder.only_mesh("m.off", off);
        assert_eq!(mesh.normals.unwrap(), [LEFT, UP, RIGHT], "{keyword}");
    }
    assert_eq!(folder.only_mesh("m.stl", super::files::binary_stl("")).normals, None);
}
