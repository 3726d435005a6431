"""Who casts rays in `peers.py`. Each package is a function that makes its tree of a mesh and returns a function that
makes contestants of rays: everything that a call needs is ready before its time is taken.

A package that casts on one thread and releases the interpreter's lock is also a contestant on all cores, by as many
threads of Python that share the rays.
"""

import functools
import logging
import os
from concurrent.futures import ThreadPoolExecutor

import lanecast
import lanecast.open3d
import lanecast.trimesh
import numpy as np

QUERIES = "closest", "any", "all"
CORES = os.cpu_count() or 1
# Beyond all scenes, where a package asks for a greatest `t`; MuJoCo takes none that is greater.
FAR = 1e10


class Contestant:
    """A name; its package; on how many threads it casts; and for each query a call that returns the answers, and a
    reader that makes comparable numbers of them: `t`, infinite for a miss, whether something is hit, and how often.
    """

    def __init__(self, package, threads, *calls):
        self.package, self.threads = package, threads
        self.name = package if threads != 1 else f"{package}, one thread"
        self.calls = {query: call for query, call in zip(QUERIES, calls) if call}


def of_lanecast(vertices, faces):
    scene = lanecast.Scene(vertices, faces, precision="float32")

    def enter(rays):
        for threads in sorted({CORES, 1}, reverse=True):
            hits = scene.closest_hit(rays, threads=threads)
            found = scene.any_hit(rays, threads=threads)
            yield Contestant(
                "lanecast",
                threads,
                (functools.partial(scene.closest_hit, rays, threads=threads, out=hits), lambda hits: hits.t),
                (functools.partial(scene.any_hit, rays, threads=threads, out=found), np.copy),
                (
                    functools.partial(scene.all_hits, rays, threads=threads),
                    lambda hits: np.diff(hits.offsets),
                ),
            )

    return enter


class Bare:
    """The mesh where trimesh is not installed."""

    def __init__(self, vertices, faces):
        self.vertices, self.faces = vertices, faces

    __hash__ = object.__hash__


def of_intersector(package, threads, intersector, vertices, faces):
    """The methods of ``mesh.ray``, on rays in float64, which trimesh works with."""

    def t_of(ids, origins, directions):
        a, b, c = np.moveaxis(vertices[faces[np.maximum(ids, 0)]].astype(float), 1, 0)
        normals = np.cross(b - a, c - a)
        with np.errstate(all="ignore"):
            t = np.einsum("ri,ri->r", a - origins, normals) / np.einsum("ri,ri->r", directions, normals)
        return np.where(ids < 0, np.inf, t)

    def enter(rays):
        rays = [np.ascontiguousarray(part, dtype=np.float64) for part in (rays[:, :3], rays[:, 3:])]
        yield Contestant(
            package,
            threads,
            (lambda: intersector.intersects_first(*rays), lambda ids: t_of(ids, *rays)),
            (lambda: intersector.intersects_any(*rays), np.asarray),
            (
                lambda: intersector.intersects_location(*rays),
                lambda hits: np.bincount(hits[1], minlength=len(rays[0])),
            ),
        )

    return enter


def of_lanecast_trimesh(vertices, faces):
    mesh = Bare(vertices.astype(np.float64), faces.astype(np.int64))
    intersector = lanecast.trimesh.RayMeshIntersector(mesh)
    return of_intersector("lanecast.trimesh", CORES, intersector, vertices, faces)


def of_lanecast_trimesh_in_float32(vertices, faces):
    mesh = Bare(vertices.astype(np.float64), faces.astype(np.int64))
    intersector = lanecast.trimesh.RayMeshIntersector(mesh, precision="float32")
    return of_intersector("lanecast.trimesh, float32", CORES, intersector, vertices, faces)


def of_trimesh(vertices, faces):
    import embreex
    import trimesh
    from trimesh.ray.ray_pyembree import RayMeshIntersector

    intersector = RayMeshIntersector(trimesh.Trimesh(vertices, faces, process=False))
    package = f"trimesh {trimesh.__version__} with embreex {getattr(embreex, '__version__', '')}".strip()
    return of_intersector(package, 1, intersector, vertices, faces)


def of_raycasting_scene(package, scene, read, tensor, threads):
    """The methods of ``RaycastingScene``."""

    def enter(rays):
        rays = tensor(rays)
        for each in threads:
            yield Contestant(
                package,
                each,
                (functools.partial(scene.cast_rays, rays, nthreads=each), lambda hits: read(hits["t_hit"])),
                (functools.partial(scene.test_occlusions, rays, nthreads=each), read),
                (
                    functools.partial(scene.list_intersections, rays, nthreads=each),
                    lambda hits: np.diff(read(hits["ray_splits"]).astype(np.int64)),
                ),
            )

    return enter


def of_lanecast_open3d(vertices, faces):
    scene = lanecast.open3d.RaycastingScene()
    scene.add_triangles(vertices, faces)
    return of_raycasting_scene("lanecast.open3d", scene, np.asarray, np.asarray, [CORES])


def of_open3d(vertices, faces):
    import open3d

    tensor = open3d.core.Tensor
    scene = open3d.t.geometry.RaycastingScene()
    scene.add_triangles(tensor(vertices), tensor(faces))
    threads = sorted({CORES, 1}, reverse=True)
    return of_raycasting_scene(f"Open3D {open3d.__version__}", scene, lambda t: t.numpy(), tensor, threads)


def on_threads(package, rays, prepare, read):
    """Contestants on one thread and on all cores. ``prepare`` makes of some of the rays a call for each query, or
    None; ``read`` has a reader for each.
    """

    def joined(calls):
        pool = ThreadPoolExecutor(len(calls))
        return lambda: list(pool.map(lambda call: call(), calls))

    for threads in sorted({CORES, 1}, reverse=True):
        parts = [prepare(np.ascontiguousarray(part)) for part in np.array_split(rays, threads)]
        calls = []
        for query, of_parts in enumerate(zip(*parts)):
            if of_parts[0] is None:
                calls.append(None)
            elif threads == 1:
                calls.append((of_parts[0], read[query]))
            else:
                together = functools.partial(
                    lambda one, found: np.concatenate([one(part) for part in found]), read[query]
                )
                calls.append((joined(of_parts), together))
        yield Contestant(package, threads, *calls)


def of_embreex(vertices, faces):
    """Embree by embreex alone, which casts one ray after the other, by its faster mode, which is not robust."""
    from importlib.metadata import version

    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    scene = EmbreeScene(robust=False)
    TriangleMesh(scene, vertices[faces])

    def prepare(rays):
        parts = [np.ascontiguousarray(part) for part in (rays[:, :3], rays[:, 3:])]
        return (
            lambda: scene.run(*parts, query="DISTANCE"),
            lambda: scene.run(*parts, query="OCCLUDED"),
        )

    readers = lambda t: np.where(t < FAR, t, np.inf), lambda first: first >= 0
    return lambda rays: on_threads(f"embreex {version('embreex')}", rays, prepare, readers)


@functools.cache
def warp_kernels():
    import warp

    @warp.kernel(enable_backward=False)
    def closest(
        mesh: warp.uint64,
        origins: warp.array(dtype=warp.vec3),
        directions: warp.array(dtype=warp.vec3),
        t: warp.array(dtype=float),
        face: warp.array(dtype=int),
    ):
        row = warp.tid()
        hit = warp.mesh_query_ray(mesh, origins[row], directions[row], FAR)
        t[row] = warp.where(hit.result, hit.t, warp.inf)
        face[row] = warp.where(hit.result, hit.face, -1)

    @warp.kernel(enable_backward=False)
    def any_hit(
        mesh: warp.uint64,
        origins: warp.array(dtype=warp.vec3),
        directions: warp.array(dtype=warp.vec3),
        hit: warp.array(dtype=warp.uint8),
    ):
        row = warp.tid()
        found = warp.mesh_query_ray_anyhit(mesh, origins[row], directions[row], FAR)
        hit[row] = warp.where(found, warp.uint8(1), warp.uint8(0))

    @warp.kernel(enable_backward=False)
    def count(
        mesh: warp.uint64,
        origins: warp.array(dtype=warp.vec3),
        directions: warp.array(dtype=warp.vec3),
        hits: warp.array(dtype=int),
    ):
        row = warp.tid()
        hits[row] = warp.mesh_query_ray_count_intersections(mesh, origins[row], directions[row])

    return closest, any_hit, count


def of_warp(vertices, faces):
    """Warp on its CPU device, which runs a kernel on one thread. Its queries of all hits count them."""
    import warp

    warp.config.log_level = logging.ERROR
    device = "cpu"
    mesh = warp.Mesh(
        points=warp.array(vertices, dtype=warp.vec3, device=device),
        indices=warp.array(faces.astype(np.int32).reshape(-1), dtype=int, device=device),
    )

    def prepare(rays):
        given = [
            warp.array(np.ascontiguousarray(part), dtype=warp.vec3, device=device)
            for part in (rays[:, :3], rays[:, 3:])
        ]
        room = lambda dtype: warp.zeros(len(rays), dtype=dtype, device=device)
        answers = [room(float), room(int)], [room(warp.uint8)], [room(int)]

        def call(kernel, answer):
            warp.launch(kernel, len(rays), inputs=[mesh.id, *given], outputs=answer, device=device)
            return answer[0]

        return [functools.partial(call, *pair) for pair in zip(warp_kernels(), answers)]

    readers = (
        lambda t: t.numpy().copy(),
        lambda hit: hit.numpy().astype(bool),
        lambda hits: hits.numpy().copy(),
    )
    return lambda rays: on_threads(f"Warp {warp.__version__}, CPU", rays, prepare, readers)


def of_mujoco(vertices, faces):
    """MuJoCo, for the closest hit alone. `mj_multiRay` casts from one point; rays that start elsewhere go to `mj_ray`,
    one after the other.
    """
    import mujoco

    spec = mujoco.MjSpec()
    mesh = spec.add_mesh(
        name="mesh", uservert=vertices.reshape(-1), userface=faces.astype(np.int32).reshape(-1)
    )
    # Of a surface that is not closed or not oriented there is no volume.
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
    # A geometry that collides with nothing needs no convex hull.
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="mesh", contype=0, conaffinity=0)
    model = spec.compile()
    options = dict(geomgroup=None, flg_static=True, bodyexclude=-1)

    def prepare(rays):
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        rays = rays.astype(np.float64)
        origin, directions = rays[0, :3], rays[:, 3:].reshape(-1)
        t, geometries = np.empty(len(rays)), np.empty(len(rays), dtype=np.int32)

        def from_one_point():
            mujoco.mj_multiRay(
                model, data, origin, directions, **options,
                geomid=geometries, dist=t, normal=None, nray=len(rays), cutoff=FAR,
            )  # fmt: skip
            return t

        def one_by_one():
            for row, ray in enumerate(rays):
                t[row] = mujoco.mj_ray(model, data, ray[:3], ray[3:], **options, geomid=None)
            return t

        return [from_one_point if (rays[:, :3] == origin).all() else one_by_one]

    def enter(rays):
        package = f"MuJoCo {mujoco.__version__}"
        read = lambda t: np.where(t < 0, np.inf, t)
        if (rays[:, :3] == rays[0, :3]).all():
            yield from on_threads(package, rays, prepare, [read])
        else:
            # A loop of Python holds the lock.
            yield Contestant(package, 1, (prepare(rays)[0], read))

    return enter


PACKAGES = {
    "lanecast": of_lanecast,
    "lanecast.trimesh": of_lanecast_trimesh,
    "lanecast.trimesh32": of_lanecast_trimesh_in_float32,
    "lanecast.open3d": of_lanecast_open3d,
    "trimesh": of_trimesh,
    "embreex": of_embreex,
    "Open3D": of_open3d,
    "Warp": of_warp,
    "MuJoCo": of_mujoco,
}
