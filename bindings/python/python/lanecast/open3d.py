"""Open3D's ``RaycastingScene`` by lanecast, on NumPy arrays; tensors of Open3D give tensors.

    >>> import lanecast.open3d
    >>> scene = lanecast.open3d.RaycastingScene()
    >>> scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    0
    >>> scene.cast_rays([[0.25, 0.25, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1]])["t_hit"]
    array([ 1., inf], dtype=float32)
"""

import functools
import math

import numpy as np

from . import INVALID_ID, Mesh, Scene
from ._inside import inside

__all__ = ["RaycastingScene"]


def _is_tensor(value):
    return type(value).__module__.startswith("open3d.")


def _array(name, value, width, dtype=np.float32):
    """An array of rows, of so many columns; without a copy where its numbers fit."""
    if _is_tensor(value):
        value = value.cpu().numpy()
    elif not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        value = np.from_dlpack(value)
    array = np.asarray(value)
    if array.dtype.kind not in "fiu" or (array.dtype.kind == "f" and np.issubdtype(dtype, np.integer)):
        raise TypeError(f"{name}: their dtype is {array.dtype}; {np.dtype(dtype)} was expected")
    if array.shape[-1:] != (width,):
        raise ValueError(f"{name}: their shape is {array.shape}; (..., {width}) was expected")
    return array.astype(dtype, copy=False)


def _tensors(value):
    """The same as tensors of Open3D, which share the memory."""
    from open3d.core import Tensor

    if isinstance(value, dict):
        return {name: _tensors(array) for name, array in value.items()}
    return Tensor.from_numpy(np.ascontiguousarray(value)) if value.ndim else Tensor(value)


def _like_argument(query):
    """Makes a query of arrays one of tensors too."""

    @functools.wraps(query)
    def of_any(*arguments, **named):
        answer = query(*arguments, **named)
        return _tensors(answer) if any(map(_is_tensor, (*arguments, *named.values()))) else answer

    return of_any


class RaycastingScene:
    """Rays and points against triangle meshes, with the methods of Open3D's class of this name.

    Arrays of float32 are taken without a copy, other numbers are converted to float32. Rays have shape (..., 6), points
    (..., 3), and answers keep the leading dimensions. Rays that are not finite or have no direction miss.
    A crossing of a shared edge or vertex counts once, and hits of a ray are sorted by distance.
    """

    INVALID_ID = INVALID_ID

    def __init__(self, nthreads=0, device=None):
        """An empty scene. ``nthreads`` is the number of threads that build it, 0 for all. The device is the CPU."""
        if device is not None and not str(device).upper().startswith("CPU"):
            raise ValueError(f"device: it is {device}; a CPU was expected")
        self._nthreads = nthreads
        self._meshes = []
        self._scene = None

    def add_triangles(self, *arguments, **named):
        """Adds a mesh and returns its geometry id: ``add_triangles(vertex_positions, triangle_indices)``, of shapes (n, 3) and
        (m, 3), or ``add_triangles(mesh)``: Open3D's, or anything with ``vertices`` and ``triangles`` or ``faces``.

        Arrays are copied. The scene is built by the next query. Raises ValueError if a shape does not fit or a triangle has a
        vertex that there is not, and TypeError for triangles that are no integers.
        """
        given = _bound("add_triangles", (("mesh",), ("vertex_positions", "triangle_indices")), arguments, named)
        if "mesh" in given:
            given = dict(zip(("vertex_positions", "triangle_indices"), _parts(given["mesh"])))
        vertices = _array("vertex_positions", given["vertex_positions"], 3).copy()
        triangles = _array("triangle_indices", given["triangle_indices"], 3, np.int64)
        outside = np.argwhere((triangles < 0) | (triangles >= len(vertices)))
        if len(outside):
            row, corner = outside[0]
            raise ValueError(
                f"triangle_indices[{row}]: it has vertex {triangles[row, corner]} of {len(vertices)} vertices"
            )
        self._meshes.append(Mesh(vertices, triangles.astype(np.uint32)))
        self._scene = None
        return len(self._meshes) - 1

    @property
    def scene(self):
        """The ``lanecast.Scene`` of all meshes added so far."""
        scene = self._scene
        if scene is None:
            scene = Scene.build(*self._meshes, precision="float32", threads=self._nthreads or None)
            self._scene = scene
        return scene

    @_like_argument
    def cast_rays(self, rays, nthreads=0):
        """The first hit of each ray: ``t_hit`` (...), inf for a miss; ``geometry_ids`` and ``primitive_ids`` (...), `INVALID_ID`
        for a miss; ``primitive_uvs`` (..., 2) and ``primitive_normals`` (..., 3), of length 1, all 0 for a miss.
        """
        hits = self.scene.closest_hit(_array("rays", rays, 6), normals=True, **_options(nthreads))
        return {
            "t_hit": hits.t,
            "geometry_ids": hits.geometry_id,
            "primitive_ids": hits.primitive_id,
            "primitive_uvs": np.stack((hits.u, hits.v), axis=-1),
            "primitive_normals": _unit(hits.normal),
        }

    @_like_argument
    def test_occlusions(self, rays, tnear=0.0, tfar=math.inf, nthreads=0):
        """Whether each ray hits anything at a ray parameter from ``tnear`` to ``tfar``, bool (...)."""
        return self.scene.any_hit(_array("rays", rays, 6), t_min=tnear, t_max=tfar, **_options(nthreads))

    @_like_argument
    def count_intersections(self, rays, nthreads=0):
        """How often each ray crosses a surface, int32 (...)."""
        return self.scene.count_hits(_array("rays", rays, 6), **_options(nthreads)).astype(np.int32)

    @_like_argument
    def list_intersections(self, rays, nthreads=0):
        """All hits, by ray and then by distance: ``ray_splits`` (n + 1), with the hits of ray i in the rows
        ``ray_splits[i]:ray_splits[i + 1]``; ``ray_ids``, ``t_hit``, ``geometry_ids``, ``primitive_ids`` (m) and
        ``primitive_uvs`` (m, 2).
        """
        hits = self.scene.all_hits(_array("rays", rays, 6), **_options(nthreads))
        return {
            "ray_splits": hits.offsets.astype(np.uint32),
            "ray_ids": hits.ray_id.astype(np.uint32),
            "t_hit": np.ascontiguousarray(hits.t),
            "geometry_ids": np.ascontiguousarray(hits.geometry_id),
            "primitive_ids": np.ascontiguousarray(hits.primitive_id),
            "primitive_uvs": np.stack((hits.u, hits.v), axis=-1),
        }

    @_like_argument
    def compute_closest_points(self, query_points, nthreads=0):
        """The nearest point of a surface to each point: ``points`` (..., 3), ``geometry_ids`` and ``primitive_ids`` (...),
        ``primitive_uvs`` (..., 2) and ``primitive_normals`` (..., 3), of length 1.
        """
        points = _array("query_points", query_points, 3)
        closest = self.scene.closest_point(points, normals=True, **_options(nthreads))
        return {
            "points": closest.point,
            "geometry_ids": closest.geometry_id,
            "primitive_ids": closest.primitive_id,
            "primitive_uvs": np.stack((closest.u, closest.v), axis=-1),
            "primitive_normals": _unit(closest.normal),
        }

    @_like_argument
    def compute_distance(self, query_points, nthreads=0):
        """The distance of each point to the nearest surface, float32 (...)."""
        return self.scene.distance(_array("query_points", query_points, 3), **_options(nthreads))

    @_like_argument
    def compute_signed_distance(self, query_points, nthreads=0, nsamples=1):
        """The distance of each point to the nearest surface, negative inside, float32 (...).

        No crossing is lost or counted twice, so ``nsamples``, an odd number, changes nothing. In an open surface the winding
        number decides where the two sides of a line through the point do not agree.
        """
        points = _array("query_points", query_points, 3)
        is_inside = self._inside(points, nthreads, nsamples)
        distance = self.scene.distance(points, **_options(nthreads))
        return np.negative(distance, out=distance, where=is_inside & (distance > 0))

    @_like_argument
    def compute_occupancy(self, query_points, nthreads=0, nsamples=1):
        """1 for each point inside and 0 outside, float32 (...), as `compute_signed_distance` decides."""
        return self._inside(_array("query_points", query_points, 3), nthreads, nsamples).astype(np.float32)

    def _inside(self, points, nthreads, nsamples):
        if nsamples < 1 or nsamples % 2 != 1:
            raise ValueError(f"nsamples: it is {nsamples}; an odd number above 0 was expected")
        return inside(self.scene, points, threads=nthreads or None)

    @staticmethod
    @_like_argument
    def create_rays_pinhole(*arguments, **named):
        """Rays of a pinhole camera, float32 (height_px, width_px, 6), from the upper left pixel on, through the middle of each.

        ``create_rays_pinhole(intrinsic_matrix, extrinsic_matrix, width_px, height_px)`` takes the camera's matrix (3, 3) and
        the one (4, 4) from the world to the camera; ``create_rays_pinhole(fov_deg, center, eye, up, width_px, height_px)``
        the horizontal field of view in degrees, the point looked at, the camera's place and its upward direction.
        Directions have length 1 along the axis of the camera.
        """
        forms = (
            ("intrinsic_matrix", "extrinsic_matrix", "width_px", "height_px"),
            ("fov_deg", "center", "eye", "up", "width_px", "height_px"),
        )
        given = _bound("create_rays_pinhole", forms, arguments, named)
        width, height = given["width_px"], given["height_px"]
        if "fov_deg" in given:
            center, eye, up = (_array(name, given[name], 3, np.float64) for name in ("center", "eye", "up"))
            focal_length = 0.5 * width / math.tan(math.radians(0.5 * given["fov_deg"]))
            inverse = np.array([[1, 0, -0.5 * width], [0, 1, -0.5 * height], [0, 0, focal_length]]) / focal_length
            forward = _unit(center - eye)
            right = _unit(np.cross(up, forward))
            rotation = np.stack((right, np.cross(forward, right), forward))
        else:
            inverse = np.linalg.inv(_array("intrinsic_matrix", given["intrinsic_matrix"], 3, np.float64))
            extrinsic = _array("extrinsic_matrix", given["extrinsic_matrix"], 4, np.float64)
            rotation = extrinsic[:3, :3]
            eye = -rotation.T @ extrinsic[:3, 3]
        x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        pixels = np.stack((x, y, np.ones_like(x)), axis=-1)
        rays = np.empty((height, width, 6), dtype=np.float32)
        rays[..., :3] = eye
        rays[..., 3:] = pixels @ (rotation.T @ inverse).T
        return rays


def _options(nthreads):
    return {"threads": nthreads or None, "invalid": "miss"}


def _unit(vectors):
    """Vectors of length 1, in their place; those of length 0 stay."""
    length = np.sqrt(np.einsum("...i,...i", vectors, vectors))[..., None]
    return np.divide(vectors, length, out=vectors, where=length > 0)


def _bound(function, forms, arguments, named):
    """The arguments by name, in the form of the call that has these."""
    for names in forms:
        given = dict(zip(names, arguments))
        if len(arguments) + len(named) == len(names) and {*given, *named} == {*names}:
            return {**given, **named}
    expected = " or ".join(f"{function}({', '.join(names)})" for names in forms)
    raise TypeError(f"{function}: {expected} was expected")


def _parts(mesh):
    """The vertices and the triangles of a mesh."""
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        return mesh.vertex["positions"], mesh.triangle["indices"]
    triangles = getattr(mesh, "triangles", None) if not hasattr(mesh, "faces") else mesh.faces
    if not hasattr(mesh, "vertices") or triangles is None:
        raise TypeError(f"mesh: it is {type(mesh).__name__}; one with vertices and triangles was expected")
    return np.asarray(mesh.vertices), np.asarray(triangles)
