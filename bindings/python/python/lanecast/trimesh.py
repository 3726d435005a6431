"""Ray queries of trimesh by lanecast: what ``mesh.ray`` is, with the methods of trimesh's own.

    >>> import trimesh, lanecast.trimesh
    >>> mesh = lanecast.trimesh.use(trimesh.creation.icosphere())
    >>> mesh.ray.intersects_any([[0, 0, 5], [3, 0, 5]], [[0, 0, -1], [0, 0, -1]])
    array([ True, False])

`use_everywhere` does it for all meshes made from then on, those that trimesh copies and loads among them.
"""

import sys

import numpy as np

from . import INVALID_ID, Scene
from ._inside import inside

__all__ = ["RayMeshIntersector", "use", "use_everywhere"]


class RayMeshIntersector:
    """Ray queries of a mesh of trimesh.

    Beside trimesh's with embreex: rays and vertices stay float64, so nothing is scaled and no step is taken past a hit; all hits
    of a ray come from one call, sorted by distance; a crossing of a shared edge or vertex counts once. Rays that have no
    direction or are not finite miss. The scene is built at the first query, and again after the mesh has changed.
    """

    def __init__(self, geometry=None, scale_to_box=True, *, mesh=None, precision="float64", threads=None):
        """Makes no scene yet.

        ``geometry`` is the mesh, by this name as for embreex or as ``mesh``: anything with ``vertices``, ``faces`` and a hash.
        ``scale_to_box`` changes nothing. With ``precision="float32"`` queries take two thirds of the time, and locations are
        exact to 1e-7 of the distance. ``threads`` is how many threads queries use, None for all.
        """
        self.mesh = mesh if geometry is None else geometry
        if self.mesh is None:
            raise TypeError("geometry: a mesh was expected")
        self._options = {"precision": precision}
        self._threads = threads
        self._built = None

    @property
    def scene(self):
        """The ``lanecast.Scene`` of the mesh as it is now."""
        key = hash(self.mesh)
        built = self._built
        if built is None or built[0] != key:
            built = key, Scene(np.asarray(self.mesh.vertices), np.asarray(self.mesh.faces), **self._options)
            self._built = built
        return built[1]

    def intersects_id(self, ray_origins, ray_directions, multiple_hits=True, max_hits=None, return_locations=False):
        """The triangles that rays hit, by ray and then by distance.

        Origins and directions have shape (n, 3). Of each ray all hits are found, or the nearest ``max_hits``, or without
        ``multiple_hits`` the first. Returns ``index_tri`` (m,) int64 and ``index_ray`` (m,) int64, and if asked for
        ``locations`` (m, 3) float64. Raises ValueError if the shapes do not fit.
        """
        origins, directions = _rays(ray_origins, ray_directions)
        if not multiple_hits:
            hits = self._cast("closest_hit", origins, directions)
            index_ray = np.flatnonzero(hits.is_hit)
            index_tri, t = hits.primitive_id[index_ray], hits.t[index_ray]
        else:
            hits = self._cast("all_hits" if max_hits is None else "nearest_hits", origins, directions, max_hits)
            index_ray, index_tri, t = hits.ray_id, hits.primitive_id, hits.t
        index_tri = index_tri.astype(np.int64)
        if not return_locations:
            return index_tri, index_ray
        locations = directions[index_ray]
        locations *= t[:, None]
        locations += origins[index_ray]
        return index_tri, index_ray, locations

    def intersects_location(self, ray_origins, ray_directions, multiple_hits=True, max_hits=None):
        """``locations``, ``index_ray`` and ``index_tri`` of the hits, in this order, as `intersects_id` finds them."""
        index_tri, index_ray, locations = self.intersects_id(
            ray_origins, ray_directions, multiple_hits, max_hits, return_locations=True
        )
        return locations, index_ray, index_tri

    def intersects_first(self, ray_origins, ray_directions):
        """The first triangle that each ray hits, (n,) int64; -1 for a miss."""
        ids = self._cast("closest_hit", *_rays(ray_origins, ray_directions)).primitive_id
        index_tri = ids.astype(np.int64)
        index_tri[ids == INVALID_ID] = -1
        return index_tri

    def intersects_any(self, ray_origins, ray_directions):
        """Whether each ray hits anything, (n,) bool."""
        return self._cast("any_hit", *_rays(ray_origins, ray_directions))

    def contains_points(self, points):
        """Whether each point is inside, (n,) bool: the line through it crosses the surface an odd number of times on both sides.

        No crossing is lost or counted twice, so that a closed mesh gives the same answer in all directions. Where the sides
        differ the mesh is open, and the winding number decides. Points on the surface may be either.
        Raises ValueError unless the shape is (n, 3).
        """
        points = np.asarray(points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"points: their shape is {points.shape}; (n, 3) was expected")
        return inside(self.scene, points, threads=self._threads)

    def _cast(self, query, origins, directions, limit=None):
        arguments = (origins, directions) if limit is None else (origins, limit, directions)
        return getattr(self.scene, query)(*arguments, invalid="miss", threads=self._threads)

    def __getstate__(self):
        return {**self.__dict__, "_built": None}


def _rays(origins, directions):
    origins, directions = np.asarray(origins, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    for name, rows in ("ray_origins", origins), ("ray_directions", directions):
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ValueError(f"{name}: their shape is {rows.shape}; (n, 3) was expected")
    return origins, directions


def use(mesh, **options):
    """Makes ``mesh.ray`` lanecast's, with the keyword arguments of `RayMeshIntersector`, and returns the mesh."""
    mesh.ray = RayMeshIntersector(mesh, **options)
    return mesh


def use_everywhere():
    """Puts lanecast in the place of embreex: all meshes made from now on have it, but for those made with ``use_embree=False``."""
    from trimesh import ray

    ray.ray_pyembree = sys.modules["trimesh.ray.ray_pyembree"] = sys.modules[__name__]
    ray.has_embree = True
