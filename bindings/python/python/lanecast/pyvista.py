"""Ray tracing of PyVista by lanecast: one call in the place of a method of a mesh.

    >>> import lanecast.pyvista, pyvista
    >>> sphere = pyvista.Sphere()
    >>> points, cells = lanecast.pyvista.ray_trace(sphere, [0, 0, -1], [0, 0, 1])
    >>> points.round(2).tolist()
    [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]

The scene of a mesh is kept with it, and built again after its points or faces have changed. Where they were changed
through an array that PyVista does not see, call ``mesh.GetPoints().Modified()``.
"""

from dataclasses import dataclass
from typing import Any, Tuple

import numpy as np
import numpy.typing as npt

from ._arrays import numbers
from .trimesh import RayMeshIntersector, _rays

__all__ = ["multi_ray_trace", "ray_trace"]


@dataclass(eq=False)
class _Surface:
    """The triangles of a mesh, and the cell of each, as they were at a time."""

    time: Tuple[int, ...] = ()
    vertices: Any = None
    faces: Any = None
    cells: Any = None

    def __reduce__(self) -> Any:
        # A mesh that is pickled leaves its scene behind.
        return _Surface, ()


def _intersector(mesh: Any) -> Any:
    for name in ("GetPolys", "regular_faces", "triangulate"):
        if not hasattr(type(mesh), name):
            raise TypeError(f"mesh: it is a {type(mesh).__name__}; a PolyData of PyVista was expected")
    if mesh.n_strips:
        raise ValueError(
            f"mesh: it has {mesh.n_strips} strips of triangles; its triangulate() makes triangles"
        )
    time = tuple(part.GetMTime() for part in (mesh.GetPoints(), mesh.GetPolys()) if part is not None)
    intersector = mesh.__dict__.get("_lanecast")
    if intersector is None or intersector.mesh.time != time:
        faces, cells = _triangles(mesh)
        # Cells of points and lines are counted before those of faces.
        cells = cells + mesh.n_verts + mesh.n_lines
        intersector = RayMeshIntersector(_Surface(time, np.asarray(mesh.points), faces, cells))
        mesh._lanecast = intersector
    return intersector


def _triangles(mesh: Any) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The vertices of triangles, and the number of the face that each is a part of."""
    if not mesh.GetNumberOfPolys():
        return np.empty((0, 3), dtype=np.int64), np.empty(0, dtype=np.int64)
    # Of the array alone: PyVista marks the points of another mesh as changed.
    faces = type(mesh)(np.asarray(mesh.points), faces=mesh.faces)
    if not faces.is_all_triangles:
        faces.cell_data["face"] = np.arange(faces.n_cells)
        faces = faces.triangulate()
        return faces.regular_faces, np.asarray(faces.cell_data["face"])
    return faces.regular_faces, np.arange(faces.n_cells)


def multi_ray_trace(
    mesh: Any,
    origins: npt.ArrayLike,
    directions: npt.ArrayLike,
    first_point: bool = False,
    retry: bool = False,
) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """In the place of ``mesh.multi_ray_trace(origins, directions, first_point)``, without trimesh and embreex.

    Origins and directions have shape (n, 3). Returns points (m, 3) float64, and of each the ray and the cell (m,)
    int64, sorted by ray and then by distance: all crossings, or with ``first_point`` the first hit of each ray, as
    `lanecast.trimesh.RayMeshIntersector` finds them. Faces may be any polygons. No ray is lost, so ``retry`` changes
    nothing. Rays that have no direction or are not finite miss.

    Raises TypeError for what is no PolyData, and ValueError for other shapes and strips of triangles.

    >>> points, rays, cells = lanecast.pyvista.multi_ray_trace(
    ...     sphere, [[0, 0, 3], [5, 5, 5]], [[0, 0, -1], [0, 0, -1]], first_point=True
    ... )
    >>> points.round(2).tolist(), rays.tolist()
    ([[0.0, 0.0, 0.5]], [0])
    """
    rays = _rays(origins, directions, ("origins", "directions"))
    intersector = _intersector(mesh)
    points, index_ray, index_tri = intersector.intersects_location(*rays, multiple_hits=not first_point)
    return points, index_ray, intersector.mesh.cells[index_tri]


def ray_trace(
    mesh: Any, origin: npt.ArrayLike, end_point: npt.ArrayLike, first_point: bool = False
) -> Tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """In the place of ``mesh.ray_trace(origin, end_point, first_point)``: where a line crosses a mesh.

    Returns points (m, 3) of the dtype of ``mesh.points`` and cells (m,) int64, sorted by distance. As by PyVista,
    ``first_point`` gives the first point alone, of shape (3,), if there is one, and all cells. The line includes
    both ends.

    Raises TypeError for what is no PolyData, and ValueError for other shapes and strips of triangles.

    >>> point, cells = lanecast.pyvista.ray_trace(
    ...     sphere, [0, 0, -1], [0, 0, 1], first_point=True
    ... )
    >>> point.round(2).tolist(), len(cells)
    ([0.0, 0.0, -0.5], 2)
    """
    start, end = (numbers(name, value) for name, value in (("origin", origin), ("end_point", end_point)))
    for name, point in ("origin", start), ("end_point", end):
        if point.shape != (3,):
            raise ValueError(f"{name}: its shape is {point.shape}; (3,) was expected")
    intersector = _intersector(mesh)
    hits = intersector.scene.all_hits(start[None], (end - start)[None], t_max=1, invalid="miss")
    points = (start + hits.t[:, None] * (end - start)).astype(mesh.points.dtype)
    cells = intersector.mesh.cells[hits.primitive_id]
    return (points[0] if first_point and len(points) else points), cells
