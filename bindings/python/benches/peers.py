"""The same rays through trimesh with embreex, embreex alone, Open3D, Warp, MuJoCo and lanecast: rates, and whose answers
are right where they differ.

    python peers.py dragon.ply
    python peers.py dragon.ply --rays 100000 --rounds 9 --kinds random
    python peers.py ../../../data/gyroid.ply --kinds edges     # of a closed mesh: who crosses it oddly often
    python peers.py meshes/*.ply --kinds camera,lidar,random --queries closest,any \\
        --packages lanecast,embreex,Open3D,Warp,MuJoCo         # meshes and rays that `lanecast-peers write meshes` wrote

All take the mesh and the rays in float32 numbers. Rays of a kind are those in MESH.KIND.npy beside the mesh, or made here.
Contestants take turns. Rates are medians; a ray counts as wrong where brute force in float64 finds another `t` or another
number of hits, up to what float32 can tell apart. Packages that are not installed are left out.
"""

import argparse
import math
import statistics
import sys
import time
from pathlib import Path

import lanecast
import lanecast.open3d
import numpy as np
from contestants import PACKAGES, QUERIES

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from brute_force import hit_distances

# Differences that are looked at by brute force.
SAMPLE = 20
# How far beside a triangle, as part of its size, a ray in float32 may be taken to meet it.
SLACK = 1e-2
# By how much `t` may be off: as part of it, and of the coordinates over the length of the direction.
OFF, OFF_OF_COORDINATES = 1e-5, 4e-6
# Seconds before each call: threads that wait for more work, as those of Open3D, keep a core busy for a while.
PAUSE = 0.3
# Who has taken so many seconds of a query takes no further turns.
ENOUGH = 5


def rays_of(kind, mesh, vertices, faces, count):
    """The rays beside the mesh; a picture of the mesh, row by row; rays from all around through its box, in no order; or
    rays from all around at its vertices and the middles of its edges.
    """
    beside = Path(mesh).with_suffix(f".{kind}.npy")
    if beside.exists():
        return np.load(beside)[:count]
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


def off_by(rays, vertices):
    """By how much `t` of each ray may be off, beside a part of it."""
    return OFF_OF_COORDINATES * np.abs(vertices).max() / np.linalg.norm(rays[:, 3:], axis=1)


def differ(query, found, expected, off):
    if query != "closest":
        return found != expected
    with np.errstate(invalid="ignore"):
        apart = np.abs(found.astype(float) - expected) > OFF * expected + off
    return apart & np.isfinite(expected) | (np.isfinite(found) != np.isfinite(expected))


def is_wrong(query, answer, off, distances, loose):
    """Whether an answer to a ray is wrong, by its distances to all triangles. A hit beside a triangle by less
    than the slack is not wrong; a hit that is missed is.
    """
    if query == "any":
        return not answer and distances.min() < np.inf or answer and loose.min() == np.inf
    if query == "closest":
        return not loose.min() * (1 - OFF) - off <= answer <= distances.min() * (1 + OFF) + off
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
    known, off = {}, off_by(rays, vertices)
    for name, found in others:
        rows = np.flatnonzero(differ(query, found, first[1], off))
        wrong = {name: 0, first[0]: 0}
        sample = rows[:: max(1, len(rows) // SAMPLE)][:SAMPLE]
        for row in sample:
            if row not in known:
                ray = rays[row : row + 1, :3], rays[row : row + 1, 3:]
                known[row] = [hit_distances(vertices, faces, *ray, slack)[0] for slack in (0, SLACK)]
            for one, values in (name, found), first:
                wrong[one] += is_wrong(query, values[row], off[row], *known[row])
        if len(rows):
            said = ", ".join(f"{one} {count}" for one, count in wrong.items())
            print(
                f"    {query}: {name} differs in {len(rows)} rays; wrong of {len(sample)} looked at: {said}"
            )


class Times:
    """Seconds of calls by the clock on the wall and of the processor, by contestant and query, round after round."""

    def __init__(self):
        self.of = {}

    def take(self, entrant, query):
        rounds = self.of.setdefault((entrant.name, query), [])
        if sum(wall for wall, _ in rounds) > ENOUGH:
            return
        time.sleep(PAUSE)
        before = time.perf_counter(), time.process_time()
        entrant.calls[query][0]()
        spent = time.perf_counter() - before[0], time.process_time() - before[1]
        rounds.append(spent)

    def median(self, name, query, clock):
        rounds = self.of.get((name, query))
        return statistics.median(each[clock] for each in rounds) if rounds else math.nan

    def ratio(self, ours, theirs, query, clock):
        """How many times as long they take."""
        pairs = zip(self.of.get((ours, query), ()), self.of.get((theirs, query), ()))
        return statistics.median([b[clock] / a[clock] for a, b in pairs] or [math.nan])


def shown(number):
    return "-" if math.isnan(number) else f"{number:.2f}"


def trees(packages, vertices, faces):
    """What makes contestants of rays, by package; prints how long each takes from the arrays to the first answer."""

    def started(make, vertices, faces):
        enter = make(vertices, faces)
        (*_, entrant) = enter(np.ones((64, 6), dtype=np.float32))
        entrant.calls["closest"][0]()
        return enter

    scenes = {}
    for name in packages:
        try:
            # At another mesh first: a library compiles and loads what it needs.
            started(
                PACKAGES[name],
                np.eye(4, 3, dtype=np.float32),
                np.array([[0, 1, 2], [0, 1, 3]], dtype=np.uint32),
            )
        except ImportError as missing:
            print(f"without {name}: {missing}", file=sys.stderr)
            continue
        start = time.process_time()
        scenes[name] = started(PACKAGES[name], vertices, faces)
        print(f"{name}: {time.process_time() - start:.3f} s of processor time until the first answer")
    return scenes


def measure(kind, rays, scenes, queries, rounds, vertices, faces):
    entrants = [entrant for enter in scenes.values() for entrant in enter(rays)]
    times = Times()
    for query in queries:
        able = [entrant for entrant in entrants if query in entrant.calls]
        answers = []
        for entrant in able:
            call, read = entrant.calls[query]
            answers.append((entrant.name, read(call())))
        if kind != "edges":
            check(query, answers, vertices, faces, rays)
        elif query == "all":
            odd = ", ".join(f"{name} {(count % 2).sum()}" for name, count in answers)
            print(f"    an odd number of crossings, of {len(rays)} rays: {odd}")
        for _ in range(rounds):
            for entrant in able:
                times.take(entrant, query)
    for clock, unit in enumerate(("second", "second of one core")):
        print(f"\n| million rays a {unit} | {' | '.join(queries)} |\n|---|{'---|' * len(queries)}")
        for entrant in entrants:
            rates = [len(rays) / 1e6 / times.median(entrant.name, query, clock) for query in queries]
            print(f"| {entrant.name} | {' | '.join(map(shown, rates))} |")
    return entrants, times


def print_ratios(entrants, times, queries):
    """Of the interfaces of lanecast to what they stand in for, by both clocks."""
    names = {entrant.name for entrant in entrants}
    pairs = [
        (ours, other.name)
        for ours, theirs in (
            ("lanecast", "trimesh "),
            ("lanecast.trimesh", "trimesh "),
            ("lanecast", "Open3D"),
            ("lanecast.open3d", "Open3D"),
        )
        for other in entrants
        if ours in names and other.package.startswith(theirs) and (theirs == "trimesh " or other.threads != 1)
    ]
    for clock, unit in enumerate(("second", "second of one core")):
        if pairs:
            print(f"\nRatios of rates by the {unit}, medians of the rounds:")
        for ours, theirs in pairs:
            ratios = ", ".join(
                f"{query} {shown(times.ratio(ours, theirs, query, clock))}" for query in queries
            )
            print(f"  {ours} to {theirs}: {ratios}")


def print_summary(cells, queries):
    """For one thread, by the processor's time, and for all, by the clock on the wall: rates by mesh and kind of rays, and
    geometric means of how many times as fast lanecast is.
    """
    for query in queries:
        for single in (True, False):
            clock, ratios = int(single), {}
            lines = []
            for mesh, kind, count, entrants, times in cells:
                able = {one.package: one.name for one in entrants if (one.threads == 1) == single}
                rates = {
                    package: count / 1e6 / times.median(name, query, clock) for package, name in able.items()
                }
                lines.append((f"{mesh} {kind}", rates))
                for package, name in able.items():
                    ratio = times.ratio(able.get("lanecast"), name, query, clock)
                    if not math.isnan(ratio):
                        ratios.setdefault(package, []).append(ratio)
            packages = list(ratios)
            print(
                f"\n| {query}, {'one thread' if single else 'all cores'} | {' | '.join(packages)} |\n|---|{'---|' * len(packages)}"
            )
            for title, rates in lines:
                print(
                    f"| {title} | {' | '.join(shown(rates.get(package, math.nan)) for package in packages)} |"
                )
            means = [
                f"{math.exp(statistics.fmean(map(math.log, ratios[package]))):.2f}" for package in packages
            ]
            print(f"| lanecast, times as fast | {' | '.join(means)} |")


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("mesh", nargs="+", help="mesh files")
    arguments.add_argument("--rays", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--kinds", default="camera,random")
    arguments.add_argument("--queries", default=",".join(QUERIES))
    arguments.add_argument("--packages", default=",".join(PACKAGES))
    arguments = arguments.parse_args()
    kinds, queries = arguments.kinds.split(","), arguments.queries.split(",")
    cells = []
    for mesh in arguments.mesh:
        scene = lanecast.Scene.from_mesh(mesh, precision="float32")
        vertices, places = np.unique(scene.triangles().vertices.reshape(-1, 3), axis=0, return_inverse=True)
        faces = places.reshape(-1, 3).astype(np.uint32)
        print(f"{mesh}: {len(faces)} triangles, {arguments.rounds} rounds")
        scenes = trees(arguments.packages.split(","), vertices, faces)
        for kind in kinds:
            rays = rays_of(kind, mesh, vertices, faces, arguments.rays)
            print(f"\n{kind}, {len(rays)} rays\n")
            entrants, times = measure(kind, rays, scenes, queries, arguments.rounds, vertices, faces)
            print_ratios(entrants, times, queries)
            cells.append((Path(mesh).stem, kind, len(rays), entrants, times))
    if len(arguments.mesh) > 1:
        print_summary(cells, queries)


if __name__ == "__main__":
    main()
