"""The same rays through trimesh with embreex, Open3D and lanecast: rates, and whose answers are right where
they differ.

    python peers.py dragon.ply
    python peers.py dragon.ply --rays 100000 --rounds 9 --kinds random
    python peers.py ../../../data/gyroid.ply --kinds edges     # of a closed mesh: who crosses it oddly often

All take the mesh and the rays in float32 numbers. Contestants take turns. Rates are medians; a ray counts as
wrong where brute force in float64 finds another distance or another number of hits, up to what float32 can
tell apart. Packages that are not installed are left out.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

import lanecast
import lanecast.open3d
import lanecast.trimesh
import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from brute_force import hit_distances

QUERIES = "closest", "any", "all"
# Differences that are looked at by brute force.
SAMPLE = 20
# How far beside a triangle, as part of its size, a ray in float32 may be taken to meet it.
SLACK = 1e-2
# Seconds before each call: threads that wait for more work, as those of Open3D, keep a core busy for a while.
PAUSE = 0.3


class Contestant:
    """A name, and for each query a call that returns the answers, and a reader that makes comparable numbers
    of them.
    """

    def __init__(self, name, closest, any_hit, all_hits):
        self.name = name
        self.calls = dict(zip(QUERIES, (closest, any_hit, all_hits)))


def of_scene(name, scene, rays, **options):
    """The native queries."""
    return Contestant(
        name,
        (lambda: scene.closest_hit(rays, **options), lambda hits: hits.primitive_id.astype(np.int64)),
        (lambda: scene.any_hit(rays, **options), np.asarray),
        (lambda: scene.all_hits(rays, **options), lambda hits: np.diff(hits.offsets)),
    )


def of_trimesh(name, intersector, rays):
    """The methods of ``mesh.ray``, on rays in float64, which trimesh works with."""
    rays = [np.ascontiguousarray(part, dtype=np.float64) for part in (rays[:, :3], rays[:, 3:])]
    return Contestant(
        name,
        (lambda: intersector.intersects_first(*rays), lambda ids: ids.astype(np.uint32).astype(np.int64)),
        (lambda: intersector.intersects_any(*rays), np.asarray),
        (
            lambda: intersector.intersects_location(*rays),
            lambda hits: np.bincount(hits[1], minlength=len(rays[0])),
        ),
    )


def of_open3d(name, scene, rays, read):
    """The methods of ``RaycastingScene``."""
    return Contestant(
        name,
        (lambda: scene.cast_rays(rays), lambda hits: read(hits["primitive_ids"]).astype(np.int64)),
        (lambda: scene.test_occlusions(rays), read),
        (
            lambda: scene.list_intersections(rays),
            lambda hits: np.diff(read(hits["ray_splits"]).astype(np.int64)),
        ),
    )


class Bare:
    """The mesh where trimesh is not installed."""

    def __init__(self, vertices, faces):
        self.vertices, self.faces = vertices, faces

    __hash__ = object.__hash__


def contestants(vertices, faces, rays):
    scene = lanecast.Scene(vertices, faces, precision="float32")
    yield of_scene("lanecast", scene, rays)
    yield of_scene("lanecast, one thread", scene, rays, threads=1)
    mesh = Bare(vertices.astype(np.float64), faces.astype(np.int64))
    yield of_trimesh("lanecast.trimesh", lanecast.trimesh.RayMeshIntersector(mesh), rays)
    single = lanecast.trimesh.RayMeshIntersector(mesh, precision="float32")
    yield of_trimesh("lanecast.trimesh, float32", single, rays)
    drop_in = lanecast.open3d.RaycastingScene()
    drop_in.add_triangles(vertices, faces)
    yield of_open3d("lanecast.open3d", drop_in, rays, np.asarray)
    try:
        import embreex
        import trimesh
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        mesh = trimesh.Trimesh(vertices, faces, process=False)
        versions = f"trimesh {trimesh.__version__} with embreex {getattr(embreex, '__version__', '')}"
        yield of_trimesh(versions, RayMeshIntersector(mesh), rays)
    except ImportError as missing:
        print(f"without trimesh and embreex: {missing}", file=sys.stderr)
    try:
        import open3d

        scene = open3d.t.geometry.RaycastingScene()
        scene.add_triangles(open3d.core.Tensor(vertices), open3d.core.Tensor(faces))
        yield of_open3d(
            f"Open3D {open3d.__version__}", scene, open3d.core.Tensor(rays), lambda tensor: tensor.numpy()
        )
    except ImportError as missing:
        print(f"without Open3D: {missing}", file=sys.stderr)


def rays_of(kind, vertices, faces, count):
    """A picture of the mesh, row by row; rays from all around through its box, in no order; or rays from all
    around at its vertices and the middles of its edges.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    center, size = (low + high) / 2, np.linalg.norm(high - low)
    if kind == "camera":
        side = int(count**0.5)
        view = dict(fov_deg=40, center=center, eye=center + size * np.array([0.5, 0.4, 1.0]), up=[0, 1, 0])
        return lanecast.open3d.RaycastingScene.create_rays_pinhole(
            **view, width_px=side, height_px=side
        ).reshape(-1, 6)
    numbers = np.random.default_rng(1)
    middles = vertices[faces][:, :2].mean(axis=1)
    targets = (
        np.concatenate((vertices, middles)) if kind == "edges" else numbers.uniform(low, high, (count, 3))
    )
    origins = numbers.normal(size=targets.shape)
    origins = center + size * origins / np.linalg.norm(origins, axis=1, keepdims=True)
    directions = targets - origins
    return np.concatenate(
        (origins, directions / np.linalg.norm(directions, axis=1, keepdims=True)), axis=1
    ).astype(np.float32)


def is_wrong(query, answer, distances, loose):
    """Whether an answer to a ray is wrong, by its distances to all triangles. A hit beside a triangle by less
    than the slack is not wrong; a hit that is missed is.
    """
    if query == "any":
        return not answer and distances.min() < np.inf or answer and loose.min() == np.inf
    if query == "closest":
        found = loose[answer] if answer < len(loose) else np.inf
        return not loose.min() * (1 - 1e-5) <= found <= distances.min() * (1 + 1e-5)
    # A crossing of a shared edge is in several triangles at one place.
    possible = []
    for t, apart in (distances, 1e-12), (loose, 1e-5):
        t = np.sort(t[t < np.inf])
        possible += [len(t), len(t) - (np.diff(t) < apart * t[1:]).sum()]
    return not min(possible) <= answer <= max(possible)


def check(query, answers, vertices, faces, rays):
    """For each contestant how many answers differ from the first one's, and of a sample of these, how many
    are wrong of each.
    """
    first, *others = answers
    known = {}
    for name, found in others:
        differ = np.flatnonzero(found != first[1])
        wrong = {name: 0, first[0]: 0}
        sample = differ[:: max(1, len(differ) // SAMPLE)][:SAMPLE]
        for row in sample:
            if row not in known:
                ray = rays[row : row + 1, :3], rays[row : row + 1, 3:]
                known[row] = [hit_distances(vertices, faces, *ray, slack)[0] for slack in (0, SLACK)]
            for one, values in (name, found), first:
                wrong[one] += is_wrong(query, values[row], *known[row])
        if len(differ):
            said = ", ".join(f"{one} {count}" for one, count in wrong.items())
            print(
                f"    {query}: {name} differs in {len(differ)} rays; wrong of {len(sample)} looked at: {said}"
            )


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("mesh", help="a mesh file")
    arguments.add_argument("--rays", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--kinds", default="camera,random")
    arguments = arguments.parse_args()
    scene = lanecast.Scene.from_mesh(arguments.mesh, precision="float32")
    vertices, places = np.unique(scene.triangles().vertices.reshape(-1, 3), axis=0, return_inverse=True)
    faces = places.reshape(-1, 3).astype(np.uint32)
    print(f"{arguments.mesh}: {len(faces)} triangles, {arguments.rays} rays, {arguments.rounds} rounds")
    for kind in arguments.kinds.split(","):
        rays = rays_of(kind, vertices, faces, arguments.rays)
        entrants = list(contestants(vertices, faces, rays))
        print(f"\n{kind}\n")
        times = {}
        for query in QUERIES:
            answers = [
                (entrant.name, entrant.calls[query][1](entrant.calls[query][0]())) for entrant in entrants
            ]
            if kind != "edges":
                check(query, answers, vertices, faces, rays)
            elif query == "all":
                odd = ", ".join(f"{name} {(count % 2).sum()}" for name, count in answers)
                print(f"    an odd number of crossings, of {len(rays)} rays: {odd}")
            for _ in range(arguments.rounds):
                for entrant in entrants:
                    time.sleep(PAUSE)
                    before = time.perf_counter(), time.process_time()
                    entrant.calls[query][0]()
                    spent = time.perf_counter() - before[0], time.process_time() - before[1]
                    times.setdefault((entrant.name, query), []).append(spent)
        for clock, unit in enumerate(("second", "second of one core")):
            print(f"\n| million rays a {unit} | {' | '.join(QUERIES)} |\n|---|---|---|---|")
            for entrant in entrants:
                spent = [
                    statistics.median(each[clock] for each in times[entrant.name, query]) for query in QUERIES
                ]
                print(
                    f"| {entrant.name} | "
                    + " | ".join(f"{len(rays) / 1e6 / each:.2f}" for each in spent)
                    + " |"
                )
            print(f"\nRatios of rates by the {unit}, medians of the rounds:")
            for ours, theirs in (
                ("lanecast", "trimesh "),
                ("lanecast.trimesh", "trimesh "),
                ("lanecast", "Open3D"),
                ("lanecast.open3d", "Open3D"),
            ):
                for name in (entrant.name for entrant in entrants if entrant.name.startswith(theirs)):
                    ratios = []
                    for query in QUERIES:
                        pairs = zip(times[ours, query], times[name, query])
                        ratios.append(statistics.median(b[clock] / a[clock] for a, b in pairs))
                    said = ", ".join(f"{query} {ratio:.2f}" for query, ratio in zip(QUERIES, ratios))
                    print(f"  {ours} to {name}: {said}")


if __name__ == "__main__":
    main()
