use super::*;

const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn topology(triangles: &[[u32; 3]]) -> Topology {
    Topology { triangles: triangles.to_vec(), vertices: 8 }
}

fn edges(triangles: &[[u32; 3]]) -> [usize; 3] {
    let edges = topology(triangles).edges();
    [edges.boundary_edges, edges.non_manifold_edges, edges.misoriented_edges]
}

#[test]
fn edges_are_told_apart() {
    assert_eq!(edges(&TETRAHEDRON), [0, 0, 0]);
    assert_eq!(edges(&TETRAHEDRON[..3]), [3, 0, 0]);
    assert_eq!(edges(&[[0, 1, 2], [0, 1, 3]]), [4, 0, 1]);
    assert_eq!(edges(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]), [6, 1, 1]);
}

#[test]
fn components_share_no_vertex() {
    assert_eq!(topology(&TETRAHEDRON).components(), 1);
    assert_eq!(topology(&[[0, 1, 2], [3, 4, 5], [5, 6, 7]]).components(), 2);
    assert_eq!(topology(&[]).components(), 0);
}

#[test]
fn vertices_at_one_place_are_joined() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, 0.0]];
    let joined = Topology::joined(&positions, &[[0, 1, 2], [3, 2, 1]]);
    assert_eq!((joined.edges().boundary_edges, joined.duplicate_triangles()), (0, 1));
    let apart = Topology::new(&positions, &[[0, 1, 2], [3, 2, 1]], &[false, false, false, true]);
    assert_eq!((apart.edges().boundary_edges, apart.duplicate_triangles()), (4, 0));
}
