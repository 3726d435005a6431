//! What is wrong with a mesh, in words, and what that means for rays.

use super::measures::Measures;
use crate::number::counted;
use crate::precision::Number;
use lanecast_io::Coarseness;

/// One sentence for each thing that is wrong; none for a sound mesh.
pub(super) fn findings<T: Number>(mesh: &Measures) -> Vec<String> {
    let mut findings = Vec::new();
    if mesh.bounds.is_none() {
        findings.push("no triangles: every ray misses".to_owned());
    }
    let edges = &mesh.edges;
    let counts = [
        (edges.boundary_edges, "boundary edge", "the surface is open there, and rays can pass"),
        (
            edges.non_manifold_edges,
            "non-manifold edge",
            "more than two triangles meet there, so inside and outside are not defined everywhere",
        ),
        (
            edges.misoriented_edges,
            "misoriented edge",
            "the triangles on its sides face opposite ways, which culling and normals will show, and no inside is defined",
        ),
        (mesh.degenerate_triangles, "degenerate triangle", "without area, so no ray hits them"),
        (
            mesh.duplicate_triangles,
            "duplicate triangle",
            "the same corners as another, so rays hit both at once",
        ),
        (
            mesh.self_crossing_faces,
            "self-crossing face",
            "a polygon whose triangles lie one upon the other, or face the other way in part",
        ),
        (
            mesh.duplicate_vertices,
            "duplicate vertex",
            "at the position of another; they count as one here",
        ),
        (mesh.unused_vertices, "unused vertex", "no triangle names them"),
    ];
    for (count, what, meaning) in counts.into_iter().filter(|&(count, ..)| count > 0) {
        findings.push(format!("{}: {meaning}", counted(count, what)));
    }
    if mesh.boundary_edges_by_index > mesh.edges.boundary_edges {
        findings.push(format!(
            "{} if vertices at the same position are not joined: the file splits its surface there",
            counted(mesh.boundary_edges_by_index, "boundary edge")
        ));
    }
    if let Some(Coarseness { spacing, steps }) = mesh.bounds.and_then(Coarseness::of_f32) {
        findings.push(if T::NAME == f32::NAME {
            format!(
                "coordinates in steps of {spacing}, 1/{steps} of the mesh's size: they are f32 and far from \
                 0; subtract an origin where they are made"
            )
        } else {
            format!(
                "coordinates for which f32 would be in steps of {spacing}, 1/{steps} of the mesh's size: \
                 lanecast works in f64 with them"
            )
        });
    }
    if mesh.volume == Some(0.0) {
        findings.push("flat: it is closed around no volume, so no point is inside".to_owned());
    }
    if mesh.volume.is_some_and(|volume| volume < 0.0) {
        findings
            .push("inside out: the volume is negative, so the triangles face inward".to_owned());
    }
    findings
}
