"""Meshes of other libraries."""

from __future__ import annotations

from os import PathLike
from typing import Any, Tuple

import numpy as np


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


def instead(vertices: Any) -> TypeError:
    """What to call with ``x``, which was given to ``Scene`` without triangles."""
    from . import Scene

    several = vertices if isinstance(vertices, (list, tuple)) else ()
    try:
        shape = np.shape(vertices)
    except ValueError:
        # Of vertices and triangles in one tuple.
        shape = ()
    what = f"of {type(vertices).__name__}"
    if isinstance(vertices, (str, PathLike)):
        what, how = repr(str(vertices)), "Scene.from_mesh(x) reads a mesh, Scene.open(x) a saved scene"
    elif isinstance(vertices, (bytes, bytearray)):
        how = "Scene.from_bytes(x) reads a saved scene"
    elif isinstance(vertices, Scene):
        how = "x.copy() is another scene with the same content"
    elif hasattr(vertices, "_kind"):
        how = "Scene.build(x) makes a scene of geometries and instances"
    elif several and all(hasattr(one, "_kind") for one in several):
        how = "Scene.build(*x) makes a scene of geometries and instances"
    elif any(hasattr(vertices, name) for name in ("faces", "triangles", "triangle", "to_mesh")):
        how = "Scene.from_mesh(x) takes meshes of trimesh, Open3D and the like"
    elif shape[1:] in ((3, 3), (9,)) and not isinstance(vertices, tuple):
        how = "Scene(np.reshape(x, (-1, 3)), np.arange(np.size(x) // 3).reshape(-1, 3)) takes corners"
        what = f"of shape {shape}"
    elif len(several) == 2:
        how = "Scene(*x) takes vertices and triangles"
    else:
        expected = "triangles: none are given; (m, 3) was expected, the numbers of their vertices"
        alone = ", such as np.arange(len(x)).reshape(-1, 3) if each three vertices are a triangle"
        return TypeError(expected + (alone if shape[1:] == (3,) else ""))
    return TypeError(f"vertices: it is {what}; {how}")
