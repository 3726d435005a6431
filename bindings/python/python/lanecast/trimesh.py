"""Ray queries of trimesh by lanecast: what ``mesh.ray`` is, with the methods of trimesh's own.

    >>> import trimesh, lanecast.trimesh
    >>> mesh = lanecast.trimesh.use(trimesh.creation.icosphere())
    >>> mesh.ray.intersects_any([[0, 0, 5], [3, 0, 5]], [[0, 0, -1], [0, 0, -1]])
    array([ True, False])

`use_everywhere` does it for all meshes made from then on, those that trimesh copies and loads among them.
"""

import importlib
import operator
import sys
from typing import Any, Dict, Optional, Tuple, get_args

import numpy as np
import numpy.typing as npt

from . import Scene
from ._inside import inside
from ._arrays import unmasked
from ._types import Precision

__all__ = ["RayMeshIntersector", "use", "use_everywhere"]


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
        self._built: Optional[Tuple[int, Scene]] = None

    @property
    def scene(self) -> Scene:
        """The ``lanecast.Scene`` of the mesh as it is now.

        >>> ray.scene
        <lanecast.Scene of 12 triangles, float64>
        """
        key = hash(self.mesh)
        built = self._built
        if built is None or built[0] != key:
            vertices, faces = np.asarray(self.mesh.vertices), np.asarray(self.mesh.faces)
            built = key, Scene(vertices, faces, precision=self._precision, threads=self._threads)
            self._built = built
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

        >>> index_tri, index_ray = ray.intersects_id([[0.1, 0.2, 5], [9, 9, 5]], [[0, 0, -1], [0, 0, -1]])
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
        points = np.asarray(unmasked("points", points), dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"points: their shape is {points.shape}; (n, 3) was expected")
        return inside(self.scene, points, threads=self._threads)

    def _options(self) -> Dict[str, Any]:
        return {"invalid": "miss", "threads": self._threads}

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_built": None}


def _rays(
    origins: npt.ArrayLike, directions: npt.ArrayLike
) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    def rows(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
        rows = np.asarray(unmasked(name, value), dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ValueError(f"{name}: their shape is {rows.shape}; (n, 3) was expected")
        return rows

    origins, directions = rows("ray_origins", origins), rows("ray_directions", directions)
    if len(directions) != len(origins):
        raise ValueError(
            f"ray_directions: there are {len(directions)} of them, and {len(origins)} ray_origins"
        )
    return origins, directions


def use(mesh: Any, **options: Any) -> Any:
    """Makes ``mesh.ray`` lanecast's, with the keyword arguments of `RayMeshIntersector`, and returns the
    mesh. Copies of it, its parts and what is made of it have trimesh's own again: see `use_everywhere`.

    Raises TypeError for what is no mesh, and ValueError that names an argument.

    >>> lanecast.trimesh.use(trimesh.creation.box(), threads=1).contains([[0, 0, 0], [0, 0, 2]])
    array([ True, False])
    """
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        hint = "; its to_mesh() makes one" if hasattr(mesh, "to_mesh") else ""
        raise TypeError(f"mesh: it is a {type(mesh).__name__}; a mesh of trimesh was expected{hint}")
    mesh.ray = RayMeshIntersector(mesh, **options)
    return mesh


def use_everywhere() -> None:
    """Puts lanecast in the place of embreex: all meshes made from now on have it, but for those made with
    ``use_embree=False``.

    >>> lanecast.trimesh.use_everywhere()                       # doctest: +SKIP
    >>> type(trimesh.creation.box().ray).__module__             # doctest: +SKIP
    'lanecast.trimesh'
    """
    ray: Any = importlib.import_module("trimesh.ray")
    ray.ray_pyembree = sys.modules["trimesh.ray.ray_pyembree"] = sys.modules[__name__]
    ray.has_embree = True
