//! What a file names becomes geometries with these names.

use super::files::{ascii_stl, corners, expected_corners};
use crate::folder::Folder;
use lanecast_io::Mesh;

fn names(meshes: &[Mesh]) -> Vec<&str> {
    meshes.iter().map(|mesh| &mesh.name[..]).collect()
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn objects_groups_and_materials_of_an_obj_are_geometries() {
    let folder = Folder::new();
    let text = format!(
        "{SQUARE}f 1 2 3\no house\nf 1 2 4\ng wall  north\nusemtl red brick\nf 1 2 3 4\nusemtl glass\nf 2 3 4\n\
         usemtl red brick\nf 1 3 4\no\ng\nf 4 3 1\ng roof\nusemtl\nf 3 2 1\n"
    );
    let model = folder.model("m.obj", &text).unwrap();
    // In the order of appearance; a combination that comes again is the same geometry.
    let (brick, glass) = ("house/wall  north/red brick", "house/wall  north/glass");
    let expected = ["m", "house", brick, glass, "red brick", "roof"];
    assert_eq!(names(&model.clone().into_meshes().unwrap()), expected);
    let brick = &model.meshes[2];
    assert_eq!(brick.triangles, [[0, 1, 2], [0, 2, 3], [0, 2, 3]]);
    assert_eq!(brick.face_ids, Some(vec![2, 2, 4]), "faces are numbered through the file");
    // Vertices are those that are named, in the order of the file.
    assert_eq!(model.meshes[1].vertices, [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]]);
    assert_eq!(model.meshes[3].vertices, [[1., 0., 0.], [1., 1., 0.], [0., 1., 0.]]);
    assert_eq!(model.meshes[5].face_ids, Some(vec![6]));
    assert!(model.remarks.is_empty());
    let unused = folder.model("m.obj", format!("v 9 9 9\n{text}")).unwrap();
    assert_eq!(unused.remarks, ["1 vertex that no face names left out"]);
}

#[test]
fn names_without_faces_are_no_geometries() {
    let folder = Folder::new();
    let text = format!("o empty\n{SQUARE}v 9 9 9\no full\ng\nusemtl x\nf 3 4 1\no end\n");
    let mesh = folder.only_mesh("m.obj", text);
    assert_eq!((&mesh.name[..], &mesh.triangles[..]), ("full/x", &[[2, 3, 0]][..]));
    // One mesh has the vertices of the file.
    assert_eq!((mesh.vertices.len(), mesh.face_ids), (5, None));
    assert_eq!(folder.only_mesh("m.obj", format!("o empty\n{SQUARE}")).name, "m");
}

#[test]
fn what_of_an_obj_is_no_face_is_told_of() {
    let known = "mtllib a.mtl\ns 1\nvt 0 0\ndeg 3\nlod 1\n";
    for (more, remarks) in [
        (
            "l 1 2\np 1\nl 2 3\ncurv 0 1 1 2\n",
            &["3 lines and points left out", "1 curve or surface left out"][..],
        ),
        (
            "call more.obj\n# call\ncall again.obj\nfacet 1\n",
            &["3 unknown lines left out: call, facet"],
        ),
    ] {
        let text = format!("{SQUARE}f 1 2 3\n{known}{more}");
        assert_eq!(Folder::new().model("m.obj", text).unwrap().remarks, remarks);
    }
}

/// A name that ends in a backslash does not take the face behind it.
#[test]
fn names_of_an_obj_end_with_their_line() {
    let vertices = "v 0 0 0 # first\nv 1 0 0#second\nv 0 1 0\n";
    let faces = "mtllib C:\\maps\\\nusemtl C:\\maps\\\nf 1 2 3 # face\nusemtl a#b\nf 1 2 \\\n3\n";
    let meshes = Folder::new().meshes("m.obj", format!("{vertices}{faces}")).unwrap();
    assert_eq!(names(&meshes), ["C:\\maps\\", "a#b"]);
    assert!(meshes.iter().all(|mesh| mesh.triangles.len() == 1));
}

#[test]
fn solids_of_an_ascii_stl_are_geometries_with_their_names() {
    let folder = Folder::new();
    let text = ascii_stl().replacen("solid\n", "solid  two words \r\n", 1);
    let meshes = folder.meshes("m.stl", text).unwrap();
    assert_eq!(names(&meshes), ["two words", "b"]);
    assert_eq!([corners(&meshes[0]), corners(&meshes[1])].concat(), expected_corners());
    let meshes = folder.meshes("m.stl", "solid\nendsolid\nsolid x\nendsolid x\n").unwrap();
    assert_eq!(names(&meshes), ["m", "x"]);
}
