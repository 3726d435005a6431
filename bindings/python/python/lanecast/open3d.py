"""Open3D's ``RaycastingScene`` by lanecast, on NumPy arrays; tensors of Open3D give tensors, and other answers
have ``numpy()`` of tensors, so that Open3D's tutorials run.

>>> import lanecast.open3d
>>> scene = lanecast.open3d.RaycastingScene()
>>> scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
0
>>> scene.cast_rays([[0.25, 0.25, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1]])["t_hit"]
array([ 1., inf], dtype=float32)
"""

import functools
import importlib
import math
import operator
import sys
from collections.abc import Sequence
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import INVALID_ID, Mesh, Scene
from ._inside import inside
from ._meshes import parts
from ._arrays import unmasked

__all__ = ["RaycastingScene"]


Array = npt.NDArray[Any]
RAYS, POINTS, ROWS = ("...", 6), ("...", 3), ("n", 3)


def _is_tensor(value: Any) -> bool:
    # Vectors of its older meshes are arrays of another kind.
    return type(value).__module__.startswith("open3d.") and hasattr(value, "cpu")


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or hasattr(value, "__dlpack__")


def _array(name: str, value: Any, shape: Tuple[Any, ...], dtype: Any = np.float32) -> Array:
    """An array of this shape, where "n" and the dimensions before "..." are any; without a copy where its
    numbers fit.
    """
    if _is_tensor(value):
        value = value.cpu().numpy()
    elif not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        value = np.from_dlpack(value)
    array = np.asarray(unmasked(name, value))
    if array.dtype.kind not in "fiu" or (array.dtype.kind == "f" and np.issubdtype(dtype, np.integer)):
        raise TypeError(f"{name}: their dtype is {array.dtype}; {np.dtype(dtype)} was expected")
    last = shape[1:] if shape[0] == "..." else shape
    found = array.shape[-len(last) :] if shape[0] == "..." else array.shape
    if len(found) != len(last) or any(size not in ("n", other) for size, other in zip(last, found)):
        expected = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        raise ValueError(f"{name}: their shape is {array.shape}; ({expected}) was expected")
    return array.astype(dtype, copy=False)


def _tensors(value: Any) -> Any:
    """The same as tensors of Open3D, which share the memory."""
    if isinstance(value, dict):
        return {name: _tensors(array) for name, array in value.items()}
    return importlib.import_module("open3d.core").Tensor.from_numpy(np.ascontiguousarray(value))


class Answer(np.ndarray[Any, np.dtype[Any]]):
    """An array of NumPy that also has ``numpy()``, for code which expects a tensor of Open3D and calls that."""

    def numpy(self) -> Array:
        """The array itself, as one of NumPy's."""
        return self.view(np.ndarray)

    def __repr__(self) -> str:
        return repr(self.numpy())


def _answers(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _answers(array) for name, array in value.items()}
    return np.asarray(value).view(Answer)


def _like_argument(query: Callable[..., Any], of_lists: bool = False) -> Callable[..., Any]:
    """Makes a query of arrays one of tensors too: these where an argument is one, else an `Answer`. With
    ``of_lists`` they are tensors also where no argument is an array, in programs that use Open3D.
    """

    @functools.wraps(query)
    def of_any(*arguments: Any, **named: Any) -> Any:
        answer = query(*arguments, **named)
        values = (*arguments, *named.values())
        of_tensors = any(map(_is_tensor, values))
        if of_lists and "open3d" in sys.modules and not any(map(_is_array, values)):
            of_tensors = True
        return _tensors(answer) if of_tensors else _answers(answer)

    return of_any


class RaycastingScene:
    """Rays and points against triangle meshes, with the methods of Open3D's class of this name.

    Arrays of float32 are taken without a copy, other numbers are converted to float32. Rays have shape (...,
    6), points (..., 3), and answers keep the leading dimensions. Rays that are not finite or have no
    direction miss. A crossing of a shared edge or vertex counts once, and hits of a ray are sorted by
    distance. Every query takes ``nthreads``, 0 for all. Queries raise TypeError for arrays that hold no
    numbers, and ValueError for another shape.

        >>> import numpy as np, lanecast.open3d
        >>> scene = lanecast.open3d.RaycastingScene()
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> scene.add_triangles(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        0
        >>> rays = np.array([[0.25, 0.25, -1, 0, 0, 2], [5, 5, -1, 0, 0, 2]], "float32")
        >>> points = np.array([[0.25, 0.25, 0.25], [0, 0, -3]], "float32")
    """

    INVALID_ID = INVALID_ID

    def __init__(self, nthreads: int = 0, device: Any = None) -> None:
        """An empty scene. ``nthreads`` is the number of threads that build it, 0 for all. The device is the
        CPU.
        """
        if device is not None and not str(device).upper().startswith("CPU"):
            raise ValueError(f"device: it is {device}; a CPU was expected")
        self._nthreads = _threads(nthreads)
        self._meshes: List[Mesh] = []
        self._scene: Optional[Scene] = None

    def add_triangles(self, *arguments: Any, **named: Any) -> int:
        """Adds a mesh and returns its geometry id: ``add_triangles(vertex_positions, triangle_indices)``, of
        shapes (n, 3) and (m, 3), or ``add_triangles(mesh)``: Open3D's, or anything with ``vertices`` and
        ``triangles`` or ``faces``.

        Arrays are copied. The scene is built by the next query. Raises ValueError if a shape does not fit, a
        vertex is not finite or a triangle has a vertex that there is not, and TypeError for triangles that are no
        integers.

        >>> scene.add_triangles(vertex_positions=corners, triangle_indices=[[0, 1, 2]])
        1
        """
        given = _bound(
            "add_triangles", (("mesh",), ("vertex_positions", "triangle_indices")), arguments, named
        )
        if "mesh" in given:
            given = dict(zip(("vertex_positions", "triangle_indices"), parts(given["mesh"])))
        vertices = _array("vertex_positions", given["vertex_positions"], ROWS).copy()
        triangles = _array("triangle_indices", given["triangle_indices"], ROWS, np.int64)
        outside = np.argwhere((triangles < 0) | (triangles >= len(vertices)))
        if len(outside):
            row, corner = outside[0]
            raise ValueError(
                f"triangle_indices[{row}]: it has vertex {triangles[row, corner]} of {len(vertices)} vertices"
            )
        unusable = np.argwhere(~np.isfinite(vertices))
        if len(unusable):
            row = unusable[0][0]
            raise ValueError(f"vertex_positions[{row}]: it is {vertices[row].tolist()}; they must be finite")
        self._meshes.append(Mesh(vertices, triangles.astype(np.uint32)))
        self._scene = None
        return len(self._meshes) - 1

    @property
    def scene(self) -> Scene:
        """The ``lanecast.Scene`` of all meshes added so far.

        >>> scene.scene
        <lanecast.Scene of 4 triangles, float32>
        """
        scene = self._scene
        if scene is None:
            scene = Scene.build(*self._meshes, precision="float32", threads=self._nthreads)
            self._scene = scene
        return scene

    @_like_argument
    def cast_rays(self, rays: Any, nthreads: int = 0) -> Dict[str, Array]:
        """The first hit of each ray: ``t_hit`` (...), inf for a miss; ``geometry_ids`` and ``primitive_ids``
        (...), `INVALID_ID` for a miss; ``primitive_uvs`` (..., 2) and ``primitive_normals`` (..., 3), of
        length 1, all 0 for a miss. ``t_hit`` counts lengths of the direction.

        >>> hits = scene.cast_rays(rays)
        >>> hits["t_hit"].tolist(), hits["primitive_ids"].tolist()
        ([0.5, inf], [0, 4294967295])
        """
        hits = self.scene.closest_hit(_array("rays", rays, RAYS), normals=True, **_options(nthreads))
        return {
            "t_hit": hits.t,
            "geometry_ids": hits.geometry_id,
            "primitive_ids": hits.primitive_id,
            "primitive_uvs": np.stack((hits.u, hits.v), axis=-1),
            "primitive_normals": _unit(hits.normal),
        }

    @_like_argument
    def test_occlusions(
        self, rays: Any, tnear: float = 0.0, tfar: float = math.inf, nthreads: int = 0
    ) -> Array:
        """Whether each ray hits anything at a ray parameter from ``tnear`` to ``tfar``, both included, bool
        (...).

        >>> scene.test_occlusions(rays).tolist()
        [True, False]
        >>> scene.test_occlusions(rays, tfar=0.25).tolist()
        [False, False]
        """
        return self.scene.any_hit(_array("rays", rays, RAYS), t_min=tnear, t_max=tfar, **_options(nthreads))

    @_like_argument
    def count_intersections(self, rays: Any, nthreads: int = 0) -> Array:
        """How often each ray crosses a surface, int32 (...).

        >>> scene.count_intersections(rays).tolist()
        [2, 0]
        """
        return self.scene.count_hits(_array("rays", rays, RAYS), **_options(nthreads)).astype(np.int32)

    @_like_argument
    def list_intersections(self, rays: Any, nthreads: int = 0) -> Dict[str, Array]:
        """All hits, by ray and then by distance: ``ray_splits`` (n + 1), with the hits of ray i in the rows
        ``ray_splits[i]:ray_splits[i + 1]``; ``ray_ids``, ``t_hit``, ``geometry_ids``, ``primitive_ids`` (m)
        and ``primitive_uvs`` (m, 2).

        >>> hits = scene.list_intersections(rays)
        >>> hits["ray_splits"].tolist(), hits["t_hit"].tolist()
        ([0, 2, 2], [0.5, 0.75])
        """
        hits = self.scene.all_hits(_array("rays", rays, RAYS), **_options(nthreads))
        return {
            "ray_splits": hits.offsets.astype(np.uint32),
            "ray_ids": hits.ray_id.astype(np.uint32),
            "t_hit": np.ascontiguousarray(hits.t),
            "geometry_ids": np.ascontiguousarray(hits.geometry_id),
            "primitive_ids": np.ascontiguousarray(hits.primitive_id),
            "primitive_uvs": np.stack((hits.u, hits.v), axis=-1),
        }

    @_like_argument
    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> Dict[str, Array]:
        """The nearest point of a surface to each point: ``points`` (..., 3), ``geometry_ids`` and
        ``primitive_ids`` (...), ``primitive_uvs`` (..., 2) and ``primitive_normals`` (..., 3), of length 1.

        >>> scene.compute_closest_points(points)["points"][1].tolist()
        [0.0, 0.0, 0.0]
        """
        points = _array("query_points", query_points, POINTS)
        closest = self.scene.closest_point(points, normals=True, **_options(nthreads))
        return {
            "points": closest.point,
            "geometry_ids": closest.geometry_id,
            "primitive_ids": closest.primitive_id,
            "primitive_uvs": np.stack((closest.u, closest.v), axis=-1),
            "primitive_normals": _unit(closest.normal),
        }

    @_like_argument
    def compute_distance(self, query_points: Any, nthreads: int = 0) -> Array:
        """The distance of each point to the nearest surface, float32 (...), inf where there is none.

        >>> scene.compute_distance(points)[1].item()
        3.0
        """
        return self.scene.distance(_array("query_points", query_points, POINTS), **_options(nthreads))

    @_like_argument
    def compute_signed_distance(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Array:
        """The distance of each point to the nearest surface, negative inside, float32 (...).

        No crossing is lost or counted twice, so ``nsamples``, an odd number, changes nothing. In an open
        surface the winding number decides where the two sides of a line through the point do not agree.

        >>> scene.compute_signed_distance(points).round(3).tolist()
        [-0.14399999380111694, 3.0]
        """
        points = _array("query_points", query_points, POINTS)
        is_inside = self._inside(points, nthreads, nsamples)
        distance = self.scene.distance(points, **_options(nthreads))
        return np.negative(distance, out=distance, where=is_inside & (distance > 0))

    @_like_argument
    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Array:
        """1 for each point inside and 0 outside, float32 (...), as `compute_signed_distance` decides.

        >>> scene.compute_occupancy(points).tolist()
        [1.0, 0.0]
        """
        return self._inside(_array("query_points", query_points, POINTS), nthreads, nsamples).astype(
            np.float32
        )

    def _inside(self, points: Array, nthreads: int, nsamples: int) -> Array:
        if nsamples < 1 or nsamples % 2 != 1:
            raise ValueError(f"nsamples: it is {nsamples}; an odd number above 0 was expected")
        return inside(self.scene, points, threads=_threads(nthreads))

    @staticmethod
    @functools.partial(_like_argument, of_lists=True)
    def create_rays_pinhole(*arguments: Any, **named: Any) -> Array:
        """Rays of a pinhole camera, float32 (height_px, width_px, 6), from the upper left pixel on, through
        the middle of each.

        ``create_rays_pinhole(intrinsic_matrix, extrinsic_matrix, width_px, height_px)`` takes the camera's
        matrix (3, 3) and the one (4, 4) from the world to the camera; ``create_rays_pinhole(fov_deg, center,
        eye, up, width_px, height_px)`` the horizontal field of view in degrees, the point looked at, the
        camera's place and its upward direction. Directions have length 1 along the axis of the camera. Where
        ``up`` is along the line of sight another direction is taken, that of `lanecast.Pinhole`. Of lists and
        numbers alone rays are a tensor if the program has imported Open3D, and else an array. Raises
        ValueError for a center where the eye is, an ``up`` of 0, and other numbers that make no camera.

        >>> camera = dict(fov_deg=90, center=[0, 0, 0], eye=[0, 0, 5], up=[0, 1, 0],
        ...               width_px=4, height_px=2)
        >>> scene.create_rays_pinhole(**camera).numpy()[0, 0].tolist()
        [0.0, 0.0, 5.0, 0.75, -0.25, -1.0]
        """
        forms = (
            ("intrinsic_matrix", "extrinsic_matrix", "width_px", "height_px"),
            ("fov_deg", "center", "eye", "up", "width_px", "height_px"),
        )
        given = _bound("create_rays_pinhole", forms, arguments, named)
        width, height = given["width_px"], given["height_px"]
        if "fov_deg" in given:
            center, eye, up = (
                _array(name, given[name], (3,), np.float64) for name in ("center", "eye", "up")
            )
            fov = given["fov_deg"]
            if not 0 < fov < 180:
                raise ValueError(f"fov_deg: it is {fov}; an angle above 0 and below 180 degrees was expected")
            focal_length = 0.5 * width / math.tan(math.radians(0.5 * fov))
            inverse = (
                np.array([[1, 0, -0.5 * width], [0, 1, -0.5 * height], [0, 0, focal_length]]) / focal_length
            )
            rotation = _towards(center, eye, up)
        else:
            inverse = np.linalg.inv(_array("intrinsic_matrix", given["intrinsic_matrix"], (3, 3), np.float64))
            extrinsic = _array("extrinsic_matrix", given["extrinsic_matrix"], (4, 4), np.float64)
            rotation = extrinsic[:3, :3]
            if not (np.isfinite(extrinsic).all() and np.linalg.det(rotation)):
                raise ValueError("extrinsic_matrix: a finite map from the world to the camera was expected")
            eye = -rotation.T @ extrinsic[:3, 3]
        x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        pixels = np.stack((x, y, np.ones_like(x)), axis=-1)
        rays = np.empty((height, width, 6), dtype=np.float32)
        rays[..., :3] = eye
        rays[..., 3:] = pixels @ (rotation.T @ inverse).T
        return rays


def _towards(center: Array, eye: Array, up: Array) -> Array:
    """The axes of a camera at a place, which looks at another, as rows: to the side, upwards and forward."""
    for name, vector in (("center", center), ("eye", eye), ("up", up)):
        if not np.isfinite(vector).all():
            raise ValueError(f"{name}: it is {vector.tolist()}; three finite numbers were expected")
    if not (center != eye).any():
        raise ValueError(f"center: it is where the eye is, at {eye.tolist()}")
    if not up.any():
        raise ValueError("up: it is 0; a direction was expected")
    # Numbers of any size have a square.
    forward, up = (_unit(vector / np.abs(vector).max()) for vector in (center - eye, up))
    side = np.cross(up, forward)
    if np.linalg.norm(side) <= 1e-9:
        # As `Pinhole`: by the coordinate axis that lies farthest from the line of sight.
        side = np.cross(forward, np.eye(3)[np.argmin(np.abs(forward))])
    right = _unit(side)
    return np.stack((right, np.cross(forward, right), forward))


def _options(nthreads: int) -> Dict[str, Any]:
    return {"threads": _threads(nthreads), "invalid": "miss"}


def _threads(nthreads: int) -> Optional[int]:
    if not 0 <= operator.index(nthreads) <= 1024:
        raise ValueError(f"nthreads: it is {nthreads}; a number from 0 to 1024 was expected")
    return nthreads or None


def _unit(vectors: Optional[Array]) -> Array:
    """Vectors of length 1, in their place; those of length 0 stay."""
    assert vectors is not None, "normals were asked for"
    x, y, z = np.moveaxis(vectors, -1, 0)
    length = np.sqrt(x * x + y * y + z * z)
    vectors /= np.where(length > 0, length, 1)[..., None]
    return vectors


def _bound(
    function: str, forms: Sequence[Tuple[str, ...]], arguments: Tuple[Any, ...], named: Dict[str, Any]
) -> Dict[str, Any]:
    """The arguments by name, in the form of the call that has these."""
    for names in forms:
        given = dict(zip(names, arguments))
        if len(arguments) + len(named) == len(names) and {*given, *named} == {*names}:
            return {**given, **named}
    expected = " or ".join(f"{function}({', '.join(names)})" for names in forms)
    raise TypeError(f"{function}: {expected} was expected")
