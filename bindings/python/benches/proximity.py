"""The same points through trimesh's proximity queries, and through these with lanecast in place: times, medians of five
rounds in which both take turns.

    python benches/proximity.py                     # a ball of 5,120 triangles
    python benches/proximity.py ../../data/gyroid.ply --points 2000
"""

import argparse
import statistics
import time

import lanecast.trimesh
import numpy as np
import trimesh

QUERIES = {
    "on_surface": lambda mesh, points: mesh.nearest.on_surface(points)[1],
    "signed_distance": lambda mesh, points: mesh.nearest.signed_distance(points),
    "vertex": lambda mesh, points: mesh.nearest.vertex(points)[0],
    "thickness": lambda mesh, points: trimesh.proximity.thickness(
        mesh, mesh.triangles_center[: len(points) // 20]
    ),
}


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("mesh", nargs="?", help="a file with a mesh")
    arguments.add_argument("--points", type=int, default=20_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments = arguments.parse_args()
    file = arguments.mesh
    theirs = trimesh.load_mesh(file) if file else trimesh.creation.icosphere(subdivisions=4)
    ours = lanecast.trimesh.use(theirs.copy())
    reach = np.random.default_rng(1).uniform(-0.75, 0.75, (arguments.points, 3))
    points = theirs.bounds.mean(axis=0) + reach * theirs.extents
    print(f"{len(theirs.faces):,} triangles, {len(points):,} points; seconds")
    print("| | trimesh | lanecast | ratio |\n|---|---|---|---|")
    for name, query in QUERIES.items():
        expected, found = query(theirs, points), query(ours, points)
        # Trees are built now, and thickness ends where it changes less than a millionth of the size.
        differ = np.abs(found - expected) > 1e-4 * theirs.scale
        assert differ.mean() < 0.001, f"{name}: {differ.sum()} answers differ"
        seconds = [], []
        for _ in range(arguments.rounds):
            for mesh, of_mesh in zip((theirs, ours), seconds):
                start = time.perf_counter()
                query(mesh, points)
                of_mesh.append(time.perf_counter() - start)
        slow, fast = map(statistics.median, seconds)
        print(f"| {name} | {slow:.4f} | {fast:.4f} | {slow / fast:.1f} |", flush=True)


if __name__ == "__main__":
    main()
