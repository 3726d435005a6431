"""Meshes of other libraries."""

from __future__ import annotations

from typing import Any, Tuple


def parts(mesh: Any) -> Tuple[Any, Any]:
    """The vertices and the triangles of a mesh of trimesh, or of Open3D in both of its forms, or of a scene of
    trimesh as one mesh.
    """
    if hasattr(mesh, "to_mesh") and not hasattr(mesh, "faces"):
        mesh = mesh.to_mesh()
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        tensors = mesh.vertex["positions"], mesh.triangle["indices"]
        vertices, triangles = (part.cpu().numpy() if hasattr(part, "cpu") else part for part in tensors)
        return vertices, triangles
    for name in ("faces", "triangles"):
        if hasattr(mesh, "vertices") and hasattr(mesh, name):
            return mesh.vertices, getattr(mesh, name)
    expected = "a mesh with vertices and faces or triangles"
    raise TypeError(f"mesh: it is {type(mesh).__name__}; {expected} was expected")
