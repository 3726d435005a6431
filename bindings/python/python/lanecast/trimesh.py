"""Queries of trimesh by lanecast: what ``mesh.ray`` and ``mesh.nearest`` are, with the methods of trimesh's own.

    >>> import trimesh, lanecast.trimesh
    >>> mesh = lanecast.trimesh.use(trimesh.creation.icosphere())
    >>> mesh.ray.intersects_any([[0, 0, 5], [3, 0, 5]], [[0, 0, -1], [0, 0, -1]])
    array([ True, False])
    >>> mesh.nearest.signed_distance([[0, 0, 3], [0, 0, 0.5]]) > 0
    array([False,  True])

`use_everywhere` does it for all meshes made from then on, those that trimesh copies and loads among them.
"""

import functools
import importlib
import operator
import sys
from types import ModuleType
from typing import Any, Callable, Dict, Optional, Tuple, get_args

import numpy as np
import numpy.typing as npt

from . import Scene, Spheres
from ._inside import inside
from ._arrays import unmasked
from ._types import Precision

__all__ = ["ProximityQuery", "RayMeshIntersector", "use", "use_everywhere"]

# trimesh's own tolerance, ``tol.merge``: of distances to the surface and of their squares.
MERGE = 1e-8


class RayMeshIntersector:
    """Ray queries of a mesh of trimesh.

    Beside trimesh's with embreex: rays and vertices stay float64, so nothing is scaled and no step is taken
    past a hit; all hits of a ray come from one call, sorted by distance. Rays that have no direction or are
    not finite miss. The scene is built at the first query, and again after the mesh has changed.

    First hits, and whether there is any, are of whatever a ray touches. Several hits are the crossings of the
    surface, each once, also through edges and vertices, so that a ray leaves a closed mesh as often as it enters
    it. A ray that only touches the rim of an open mesh, grazes an edge or runs in a side of a box may have a
    first hit and none of several; ``mesh.ray.scene.all_hits(..., contact="touch")`` has these too, a shared edge
    twice.

        >>> import trimesh, lanecast.trimesh
        >>> ray = lanecast.trimesh.RayMeshIntersector(trimesh.creation.box())
    """

    def __init__(
        self,
        geometry: Any = None,
        scale_to_box: bool = True,
        *,
        mesh: Any = None,
        precision: Precision = "float64",
        threads: Optional[int] = None,
    ) -> None:
        """Makes no scene yet.

        ``geometry`` is the mesh, by this name as for embreex or as ``mesh``: anything with ``vertices``,
        ``faces`` and a hash. ``scale_to_box`` changes nothing. With ``precision="float32"`` queries take 0.7 of
        the time, and locations are exact to 1e-7 of the distance. ``threads`` is how many threads
        queries use, None for all.
        """
        self.mesh = mesh if geometry is None else geometry
        if self.mesh is None:
            raise TypeError("geometry: a mesh was expected")
        if precision not in get_args(Precision):
            raise ValueError(f"precision: it is {precision!r}; 'auto', 'f32' or 'f64' was expected")
        if isinstance(threads, bool) or not isinstance(threads, (int, np.integer, type(None))):
            raise TypeError(f"threads: it is {threads!r}; None or a number from 1 on was expected")
        if threads is not None and threads < 1:
            raise ValueError(f"threads: it is {threads}; None or a number from 1 on was expected")
        self._precision = precision
        self._threads = threads
        self._built: Dict[Callable[..., Scene], Tuple[int, Scene]] = {}

    @property
    def scene(self) -> Scene:
        """The ``lanecast.Scene`` of the mesh as it is now.

        >>> ray.scene
        <lanecast.Scene of 12 triangles, float64>
        """
        return self._kept(_of_faces)

    def _kept(self, build: Callable[..., Scene]) -> Scene:
        """What was built of the mesh as it is now."""
        key = hash(self.mesh)
        built = self._built.get(build)
        if built is None or built[0] != key:
            scene = build(self.mesh, precision=self._precision, threads=self._threads)
            self._built[build] = built = key, scene
        return built[1]

    def intersects_id(
        self,
        ray_origins: npt.ArrayLike,
        ray_directions: npt.ArrayLike,
        multiple_hits: bool = True,
        max_hits: Optional[int] = None,
        return_locations: bool = False,
    ) -> Tuple[npt.NDArray[Any], ...]:
        """The triangles that rays hit, by ray and then by distance.

        Origins and directions have shape (n, 3). Of each ray all crossings are found, or the nearest
        ``max_hits``, or without ``multiple_hits`` the first hit, which may be a touch. Returns ``index_tri`` (m,) int64 and ``index_ray`` (m,) int64,
        and if asked for ``locations`` (m, 3) float64. Raises ValueError if the shapes do not fit.

        >>> origins, down = [[0.1, 0.2, 5], [9, 9, 5]], [[0, 0, -1], [0, 0, -1]]
        >>> index_tri, index_ray = ray.intersects_id(origins, down)
        >>> index_ray
        array([0, 0])
        """
        origins, directions = _rays(ray_origins, ray_directions)
        if not multiple_hits:
            hits = self.scene.closest_hit(origins, directions, **self._options())
            index_ray = np.flatnonzero(hits.is_hit)
            primitive_id, t = hits.primitive_id[index_ray], hits.t[index_ray]
        else:
            if max_hits is None:
                several = self.scene.all_hits(origins, directions, **self._options())
            else:
                if operator.index(max_hits) < 0:
                    raise ValueError(f"max_hits: it is {max_hits}; None or a number from 0 on was expected")
                several = self.scene.nearest_hits(origins, max_hits, directions, **self._options())
            index_ray, primitive_id, t = several.ray_id, several.primitive_id, several.t
        index_tri = primitive_id.astype(np.int64)
        if not return_locations:
            return index_tri, index_ray
        locations = directions[index_ray]
        locations *= t[:, None]
        locations += origins[index_ray]
        return index_tri, index_ray, locations

    def intersects_location(
        self,
        ray_origins: npt.ArrayLike,
        ray_directions: npt.ArrayLike,
        multiple_hits: bool = True,
        max_hits: Optional[int] = None,
    ) -> Tuple[npt.NDArray[Any], ...]:
        """``locations``, ``index_ray`` and ``index_tri`` of the hits, in this order, as `intersects_id` finds
        them.

        >>> ray.intersects_location([[0.1, 0.2, 5]], [[0, 0, -1]])[0].round(3).tolist()
        [[0.1, 0.2, 0.5], [0.1, 0.2, -0.5]]
        """
        index_tri, index_ray, locations = self.intersects_id(
            ray_origins, ray_directions, multiple_hits, max_hits, return_locations=True
        )
        return locations, index_ray, index_tri

    def intersects_first(
        self, ray_origins: npt.ArrayLike, ray_directions: npt.ArrayLike
    ) -> npt.NDArray[np.int64]:
        """The first triangle that each ray hits, (n,) int64; -1 for a miss.

        >>> ray.intersects_first([[0.1, 0.2, 5], [9, 9, 5]], [[0, 0, -1], [0, 0, -1]]) >= 0
        array([ True, False])
        """
        origins, directions = _rays(ray_origins, ray_directions)
        ids = np.empty(len(origins), dtype=np.uint32)
        self.scene.closest_hit(origins, directions, out={"primitive_id": ids}, **self._options())
        # A scene has less than 2**31 triangles, and INVALID_ID is -1 with a sign.
        return ids.view(np.int32).astype(np.int64)

    def intersects_any(
        self, ray_origins: npt.ArrayLike, ray_directions: npt.ArrayLike
    ) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything, (n,) bool.

        >>> ray.intersects_any([[0.1, 0.2, 5], [9, 9, 5]], [[0, 0, -1], [0, 0, -1]])
        array([ True, False])
        """
        return self.scene.any_hit(*_rays(ray_origins, ray_directions), **self._options())

    def contains_points(self, points: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether each point is inside, (n,) bool: the line through it crosses the surface an odd number of
        times on both sides.

        No crossing is lost or counted twice, so that a closed mesh gives the same answer in all directions.
        Where the sides differ the mesh is open, and the winding number decides. Points on the surface may be
        either. Raises ValueError unless the shape is (n, 3).

        >>> ray.contains_points([[0, 0, 0], [0, 0, 2]])
        array([ True, False])
        """
        return inside(self.scene, _rows("points", points), threads=self._threads)

    def _options(self) -> Dict[str, Any]:
        return {"invalid": "miss", "threads": self._threads}

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_built": {}}


class ProximityQuery:
    """Queries of the points of a mesh of trimesh that are nearest to others.

    Where ``mesh.ray`` is lanecast's, its scene, precision and threads are those of both. Everything is float64.
    Points that are not finite raise ValueError with their row, as do other shapes than (n, 3) and a mesh without
    faces. No points give empty answers.

        >>> import trimesh, lanecast.trimesh
        >>> nearest = lanecast.trimesh.ProximityQuery(trimesh.creation.box())
    """

    def __init__(self, mesh: Any) -> None:
        """Makes no scene yet. The mesh is anything with ``vertices``, ``faces`` and a hash."""
        ray = getattr(mesh, "ray", None)
        self._ray = ray if isinstance(ray, RayMeshIntersector) else RayMeshIntersector(mesh)

    def on_surface(
        self, points: npt.ArrayLike
    ) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """The closest point of the surface to each point (n, 3), its distance (n,) and its triangle (n,) int64.

        As by trimesh, of the two nearest triangles, where the squares of their distances differ by less than
        1e-8, it is that one whose front faces the point more. Where both do alike it is the lower id, as it is of
        which two are the nearest.

        >>> closest, distance, triangle_id = nearest.on_surface([[0.25, 0.125, 2]])
        >>> closest.tolist(), distance.tolist()
        ([[0.25, 0.125, 0.5]], [1.5])
        """
        points = _rows("points", points)
        scene, mesh = self._ray.scene, self._ray.mesh
        if not scene.triangle_count:
            raise ValueError("mesh: it has no faces")
        near = scene.nearest_points(points, 2, threads=self._ray._threads)
        # Twice the same in a mesh of one triangle.
        two = np.stack((near.offsets[:-1], near.offsets[1:] - 1))
        squares = near.distance[two].astype(np.float64) ** 2
        slack = MERGE + 8 * np.finfo(scene.precision).eps * squares[0]
        tied = np.flatnonzero((squares[1] - squares[0] < slack) & (squares[0] > MERGE))
        by_id = np.argsort(near.primitive_id[two[:, tied]], axis=0)
        pair = np.take_along_axis(two[:, tied], by_id, axis=0)
        normals, _ = _sides(mesh, near.primitive_id[pair])
        lower, other = (normals * (points[tied] - near.point[pair])).sum(axis=-1) / near.distance[pair]
        rows = two[0]
        rows[tied] = np.where(other > lower + MERGE, pair[1], pair[0])
        closest, distance = (
            part[rows].astype(np.float64, copy=False) for part in (near.point, near.distance)
        )
        return closest, distance, near.primitive_id[rows].astype(np.int64)

    def vertex(self, points: npt.ArrayLike) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """The distance of each point to the nearest vertex, and the vertex, int64: of those at the same distance
        the lowest. Points have shape (..., 3), and answers (...).

        >>> nearest.vertex([[0, 0, 2], [-3, -3, -3]])[1].tolist()
        [1, 0]
        """
        points = np.asarray(unmasked("points", points), dtype=np.float64)
        if not points.ndim or points.shape[-1] != 3:
            raise ValueError(f"points: their shape is {points.shape}; (..., 3) was expected")
        scene = self._ray._kept(_of_vertices)
        if not len(self._ray.mesh.vertices):
            raise ValueError("mesh: it has no vertices")
        found = scene.closest_point(points, threads=self._ray._threads)
        return found.distance.astype(np.float64, copy=False), found.primitive_id.astype(np.int64)

    def signed_distance(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The distance of each point to the surface, (n,): positive inside, negative outside, and positive within
        1e-8 of the surface.

        As by trimesh, the side of its triangle decides for a point that is above or below the inside of it, so that
        an open mesh has two sides; else, beside an edge or a vertex, `RayMeshIntersector.contains_points` does. It
        does also for points whose nearest triangle has no area, to which trimesh gives 0.

        >>> points = [[0, 0, 2], [0, 0, 0.25], [1.5, 1.5, 0]]
        >>> nearest.signed_distance(points).round(3).tolist()
        [-1.5, 0.25, -1.414]
        """
        points = _rows("points", points)
        closest, distance, triangle_id = self.on_surface(points)
        rows = np.flatnonzero(distance > MERGE)
        points, closest = points[rows], closest[rows]
        normals, sizes = _sides(self._ray.mesh, triangle_id[rows])
        away = points - closest
        height = (away * normals).sum(axis=-1)
        aside = np.linalg.norm(away - height[:, None] * normals, axis=-1)
        rounding = 8 * np.finfo(self._ray.scene.precision).eps
        largest = np.maximum(np.abs(points), np.abs(closest)).max(axis=-1, initial=0)
        is_above = (aside <= MERGE * sizes + rounding * largest) & normals.any(axis=-1)
        sign = -np.sign(height)
        sign[~is_above] = np.where(self._ray.contains_points(points[~is_above]), 1, -1)
        distance[rows] *= sign
        return distance


def _of_faces(mesh: Any, **options: Any) -> Scene:
    return Scene(np.asarray(mesh.vertices), np.asarray(mesh.faces), **options)


def _of_vertices(mesh: Any, **options: Any) -> Scene:
    return Scene.build(Spheres(np.asarray(mesh.vertices), 0.0), **options)


def _sides(mesh: Any, triangle_id: npt.NDArray[Any]) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The normals of triangles, of length 1 or 0 where they have no area, and the lengths of their longest edges."""
    corners = np.asarray(mesh.vertices, dtype=np.float64)[np.asarray(mesh.faces)[triangle_id]]
    edges = np.roll(corners, -1, axis=-2) - corners
    sizes = np.linalg.norm(edges, axis=-1).max(axis=-1)
    normals = np.cross(edges[..., 0, :], edges[..., 1, :])
    lengths = np.linalg.norm(normals, axis=-1)
    has_area = lengths > 1e-14 * sizes**2
    return normals * np.divide(1, lengths, out=np.zeros_like(lengths), where=has_area)[..., None], sizes


def _rays(
    origins: npt.ArrayLike,
    directions: npt.ArrayLike,
    names: Tuple[str, str] = ("ray_origins", "ray_directions"),
) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    origins, directions = _rows(names[0], origins), _rows(names[1], directions)
    if len(directions) != len(origins):
        raise ValueError(f"{names[1]}: there are {len(directions)} of them, and {len(origins)} {names[0]}")
    return origins, directions


def _rows(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    rows = np.asarray(unmasked(name, value), dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"{name}: their shape is {rows.shape}; (n, 3) was expected")
    return rows


@functools.lru_cache(maxsize=None)
def _answer(proximity: ModuleType) -> None:
    """Makes functions of trimesh.proximity ask lanecast about meshes whose ``nearest`` it is."""

    def asking(function: Callable[..., Any], method: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def ask(mesh: Any, points: npt.ArrayLike) -> Any:
            nearest = getattr(mesh, "nearest", None)
            if isinstance(nearest, ProximityQuery):
                return getattr(nearest, method)(points)
            return function(mesh, points)

        return ask

    for name, method in ("closest_point", "on_surface"), ("signed_distance", "signed_distance"):
        setattr(proximity, name, asking(getattr(proximity, name), method))


def use(mesh: Any, **options: Any) -> Any:
    """Makes ``mesh.ray`` and ``mesh.nearest`` lanecast's, with the keyword arguments of `RayMeshIntersector`, and
    returns the mesh. Copies of it, its parts and what is made of it have trimesh's own again: see `use_everywhere`.

    ``trimesh.proximity.closest_point`` and ``signed_distance`` ask ``mesh.nearest`` from then on, and so do
    ``thickness``, ``max_tangent_sphere`` and registration; other meshes are answered as before.

    Raises TypeError for what is no mesh, and ValueError that names an argument.

    >>> mesh = lanecast.trimesh.use(trimesh.creation.box(), threads=1)
    >>> mesh.contains([[0, 0, 0], [0, 0, 2]])
    array([ True, False])
    """
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        hint = "; its to_mesh() makes one" if hasattr(mesh, "to_mesh") else ""
        raise TypeError(f"mesh: it is a {type(mesh).__name__}; a mesh of trimesh was expected{hint}")
    mesh.ray = RayMeshIntersector(mesh, **options)
    mesh.nearest = ProximityQuery(mesh)
    if "trimesh.proximity" in sys.modules:
        _answer(sys.modules["trimesh.proximity"])
    return mesh


def use_everywhere() -> None:
    """Puts lanecast in the place of embreex and of trimesh's proximity queries: all meshes made from now on have
    both. Those made with ``use_embree=False`` cast rays by trimesh's own code.

    >>> lanecast.trimesh.use_everywhere()                       # doctest: +SKIP
    >>> type(trimesh.creation.box().ray).__module__             # doctest: +SKIP
    'lanecast.trimesh'
    """
    ray: Any = importlib.import_module("trimesh.ray")
    ray.ray_pyembree = sys.modules["trimesh.ray.ray_pyembree"] = sys.modules[__name__]
    ray.has_embree = True
    proximity: Any = importlib.import_module("trimesh.proximity")
    _answer(proximity)
    proximity.ProximityQuery = ProximityQuery
