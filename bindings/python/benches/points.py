"""The same points through Open3D, fcpw, trueform, libigl, MeshLib, Warp and lanecast: closest points, signed
distances, and all triangles within a radius.

    (cd benches/peers && cargo run --release -- write meshes)
    pip install open3d fcpw trueform libigl meshlib warp-lang
    python bindings/python/benches/points.py benches/peers/meshes/*.ply
    python bindings/python/benches/points.py benches/peers/meshes/*.ply --threads 2 --queries closest --only fcpw,trueform

All take the mesh and the points in float32 numbers, libigl the same numbers in float64. Trees are built
before, and points are in the form that a library takes. Contestants take turns; rates are medians. One thread
counts the time of the processor, several that on the wall, on as many cores. Where answers differ, brute force
in float64 says of a sample who is wrong. Packages that are not installed are left out.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

# Differences that are looked at by brute force.
SAMPLE = 20
# Triangles within the radius of a point near the surface, about.
WITHIN = 16
# Rounds of a call that takes longer than this, in seconds, are fewer.
LONG = 2.0
# Seconds before each call on several threads: those that wait for more work keep a core busy for a while.
PAUSE = 0.1
QUERIES = "closest", "signed", "within"
SETS = {
    "scan": "near the surface, along it",
    "shuffled": "near the surface, in no order",
    "grid": "a grid through the box",
    "box": "anywhere in the box, in no order",
    "far": "1 to 10 boxes away, in no order",
}


class Contestant:
    """A name, the seconds that the tree took, and for queries a function from points to a call and a reader,
    which makes an array of the answer: distances, or numbers of triangles.
    """

    def __init__(self, name, build):
        start = time.perf_counter()
        self.queries = build()
        self.name, self.seconds = name, time.perf_counter() - start


def numpy_of(tensor):
    return tensor.numpy()


def of_lanecast(vertices, faces, threads):
    def build():
        scene = lanecast.Scene(vertices, faces, precision="float32")
        options = {"threads": threads}
        winding = {}
        try:
            scene.signed_distance(vertices[:1])
        except ValueError:
            # The surface is open.
            winding = {"generalised_winding": True}
            scene.signed_distance(vertices[:1], **winding)

        def closest(points):
            return lambda: scene.closest_point(points, **options), lambda found: found.distance

        def signed(points):
            return lambda: scene.signed_distance(points, **winding, **options), np.asarray

        def within(points, radius, _):
            return (
                lambda: scene.points_within(points, radius, **options),
                lambda found: np.diff(found.offsets).astype(np.int64),
            )

        return {"closest": closest, "signed": signed, "within": within}

    return Contestant("lanecast", build)


def of_open3d(vertices, faces, threads):
    import open3d

    def build():
        scene = open3d.t.geometry.RaycastingScene(nthreads=threads)
        scene.add_triangles(open3d.core.Tensor(vertices), open3d.core.Tensor(faces))

        def closest(points):
            tensor = open3d.core.Tensor(points)
            return (
                lambda: scene.compute_closest_points(tensor, nthreads=threads),
                lambda found: lengths(numpy_of(found["points"]) - points),
            )

        def signed(points):
            tensor = open3d.core.Tensor(points)
            return lambda: scene.compute_signed_distance(tensor, nthreads=threads), numpy_of

        # The tree is built by the first query.
        scene.compute_closest_points(open3d.core.Tensor(vertices[:1]), nthreads=threads)
        return {"closest": closest, "signed": signed}

    return Contestant(f"Open3D {open3d.__version__}", build)


def of_fcpw(vertices, faces, threads):
    import fcpw

    def build():
        scene = fcpw.scene_3D()
        scene.set_object_count(1)
        scene.set_object_vertices(np.asfortranarray(vertices), 0)
        scene.set_object_triangles(np.asfortranarray(faces.astype(np.int32)), 0)
        scene.build(fcpw.aggregate_type.bvh_surface_area, True)

        def closest(points):
            columns, radii = np.asfortranarray(points), np.full(len(points), np.inf, np.float32)
            found = fcpw.interaction_3D_list()

            def call():
                scene.find_closest_points(columns, radii, found)
                return found

            return call, lambda found: np.array([one.d for one in found])

        return {"closest": closest}

    return Contestant("fcpw 1.2", build)


def of_trueform(vertices, faces, threads):
    import trueform

    def build():
        mesh = trueform.Mesh(faces.astype(np.int32), vertices)
        mesh.build_tree()

        def closest(points):
            points = trueform.Point(points)
            return lambda: trueform.neighbor_search(mesh, points), lambda found: np.sqrt(found[1])

        def signed(points):
            points = trueform.Point(points)
            return lambda: trueform.signed_distance(mesh, points), np.asarray

        def within(points, radius, most):
            # It has a batch of the nearest k alone: k is the most that any point has.
            points = trueform.Point(points)
            return (
                lambda: trueform.neighbor_search(mesh, points, radius=radius, k=most),
                lambda found: found[3].astype(np.int64),
            )

        return {"closest": closest, "signed": signed, "within": within}

    contestant = Contestant(f"trueform {trueform.__version__}", build)
    # What signed distances need besides is built by the first.
    contestant.queries["signed"](vertices[:1].copy())[0]()
    return contestant


def of_libigl(vertices, faces, threads):
    import igl

    vertices, faces = vertices.astype(np.float64), faces.astype(np.int64)

    def build():
        tree = igl.AABB()
        tree.init(vertices, faces)

        def closest(points):
            points = points.astype(np.float64)
            return lambda: tree.squared_distance(vertices, faces, points), lambda found: np.sqrt(found[0])

        # Its signed distances build the tree in each call.
        return {"closest": closest}

    return Contestant("libigl 2.6", build)


def of_meshlib(vertices, faces, threads):
    from meshlib import mrmeshnumpy, mrmeshpy

    # Outside of `build`, whose functions name it: the projector does not keep it alive.
    mesh = mrmeshnumpy.meshFromFacesVerts(faces.astype(np.int32), vertices)

    def build():
        projector, frame = mrmeshpy.PointsToMeshProjector(), mrmeshpy.AffineXf3f()
        projector.updateMeshData(mesh)

        def closest(points):
            points = [mrmeshpy.Vector3f(*map(float, point)) for point in points]
            points = mrmeshpy.std_vector_Vector3_float(points)
            found = mrmeshpy.std_vector_MeshProjectionResult()

            def call():
                projector.findProjections(found, points, frame, frame, 3e38, 0.0)
                return found if mesh else None

            return call, lambda found: np.sqrt([one.distSq for one in found])

        # The tree is built by the first query.
        closest(vertices[:1])[0]()
        return {"closest": closest}

    return Contestant("MeshLib 3.1", build)


def of_warp(vertices, faces, threads):
    if threads > 1:
        raise ImportError("Warp has one thread on a CPU")
    import warp

    warp.config.quiet = True
    kernels = warp_kernels(warp)

    def build():
        with warp.ScopedDevice("cpu"):
            mesh = warp.Mesh(
                points=warp.array(vertices, dtype=warp.vec3),
                indices=warp.array(faces.astype(np.int32).reshape(-1), dtype=int),
                support_winding_number=True,
            )

        def of(kernel):
            def query(points):
                places = warp.array(points, dtype=warp.vec3, device="cpu")
                found = warp.zeros(len(points), dtype=float, device="cpu")

                def call():
                    warp.launch(kernel, dim=len(points), inputs=[mesh.id, places, found], device="cpu")
                    return found

                return call, numpy_of

            return query

        return {"closest": of(kernels[0]), "signed": of(kernels[1])}

    contestant = Contestant(f"Warp {warp.__version__}", build)
    contestant.queries["closest"](vertices[:1])[0]()
    return contestant


def warp_kernels(warp):
    @warp.kernel
    def closest(mesh: warp.uint64, points: warp.array(dtype=warp.vec3), found: warp.array(dtype=float)):
        row = warp.tid()
        query = warp.mesh_query_point_no_sign(mesh, points[row], 1.0e30)
        place = warp.mesh_eval_position(mesh, query.face, query.u, query.v)
        found[row] = warp.length(place - points[row])

    @warp.kernel
    def signed(mesh: warp.uint64, points: warp.array(dtype=warp.vec3), found: warp.array(dtype=float)):
        row = warp.tid()
        query = warp.mesh_query_point_sign_winding_number(mesh, points[row], 1.0e30)
        place = warp.mesh_eval_position(mesh, query.face, query.u, query.v)
        found[row] = query.sign * warp.length(place - points[row])

    return closest, signed


CONTESTANTS = {
    "lanecast": of_lanecast,
    "open3d": of_open3d,
    "fcpw": of_fcpw,
    "trueform": of_trueform,
    "libigl": of_libigl,
    "meshlib": of_meshlib,
    "warp": of_warp,
}


def lengths(rows):
    return np.linalg.norm(rows.astype(np.float64), axis=-1)


def points_of(kind, vertices, faces, count):
    """Points as users have them. A scan deviates from the surface by a thousandth of the mesh's diagonal."""
    numbers = np.random.default_rng(1)
    low, high = vertices.min(axis=0).astype(np.float64), vertices.max(axis=0).astype(np.float64)
    size = high - low
    if kind in ("scan", "shuffled"):
        corners = vertices[faces].astype(np.float64)
        areas = lengths(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
        chosen = numbers.choice(len(faces), count, p=areas / areas.sum())
        weights = numbers.dirichlet((1, 1, 1), count)
        points = np.einsum("pc,pcx->px", weights, corners[chosen])
        points += numbers.normal(0, 1e-3 * np.linalg.norm(size) / 3**0.5, points.shape)
        if kind == "scan":
            # Strips across the box, each from one end to the other.
            strips = np.floor((points[:, 1] - low[1]) / size[1] * (count / 4) ** 0.5)
            points = points[np.lexsort((points[:, 0], strips))]
    elif kind == "grid":
        side = round(count ** (1 / 3))
        axes = [np.linspace(a, b, side) for a, b in zip(low, high)]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    elif kind == "box":
        points = numbers.uniform(low, high, (count, 3))
    else:
        points = numbers.normal(size=(count, 3))
        points *= (np.linalg.norm(size) * numbers.uniform(1, 10, count) / lengths(points))[:, None]
        points += (low + high) / 2
    return points.astype(np.float32)


def radius_of(scene, points):
    """That within which points near the surface have so many triangles in the middle case."""
    sample = points[:: max(1, len(points) // 500)]
    near = scene.nearest_points(sample, WITHIN)
    return float(np.float32(np.median(near.distance[near.offsets[1:].astype(np.int64) - 1])))


def distances_of(corners, point):
    """The distance of a point to each triangle."""
    a, b, c = np.moveaxis(corners - point, 1, 0)
    least = np.full(len(corners), np.inf)
    with np.errstate(all="ignore"):
        for start, end in (a, b), (b, c), (c, a):
            edge = end - start
            along = -np.einsum("tx,tx->t", start, edge) / np.einsum("tx,tx->t", edge, edge)
            along = np.clip(np.nan_to_num(along), 0, 1)
            least = np.minimum(least, lengths(start + along[:, None] * edge))
        normal = np.cross(b - a, c - a)
        # The foot on the plane, where it is in the triangle: on the inner side of each edge.
        height = np.einsum("tx,tx->t", a, normal) / lengths(normal)
        foot = (height / lengths(normal))[:, None] * normal
        sides = [
            np.einsum("tx,tx->t", np.cross(end - start, foot - start), normal) >= 0
            for start, end in ((a, b), (b, c), (c, a))
        ]
    return np.where(np.all(sides, axis=0), np.fmin(least, np.abs(height)), least)


def winding_number(corners, point):
    """The sum of solid angles over 4π (Van Oosterom and Strackee 1983)."""
    a, b, c = np.moveaxis(corners - point, 1, 0)
    i, j, k = lengths(a), lengths(b), lengths(c)
    triple = np.einsum("tx,tx->t", a, np.cross(b, c))
    pairs = [np.einsum("tx,tx->t", p, q) * r for p, q, r in ((a, b, k), (b, c, i), (c, a, j))]
    return np.arctan2(triple, i * j * k + sum(pairs)).sum() / (2 * np.pi)


def check(query, answers, corners, points, radius, slack):
    """For each contestant how many answers differ from the first one's by more than rounding, and of a sample
    of these, how many are wrong of each.
    """
    first, *others = answers
    for name, found in others:
        expected = first[1].astype(np.float64)
        if query == "within":
            differ = np.flatnonzero(found != expected)
        else:
            differ = np.flatnonzero(~(np.abs(found - expected) <= slack + 1e-6 * np.abs(expected)))
        wrong = {name: 0, first[0]: 0}
        sample = differ[:: max(1, len(differ) // SAMPLE)][:SAMPLE]
        for row in sample:
            exact = distances_of(corners, points[row].astype(np.float64))
            for one, value in (name, found[row]), (first[0], expected[row]):
                if query == "within":
                    most, least = ((exact <= radius + side * slack).sum() for side in (1, -1))
                    wrong[one] += not least <= value <= most
                    continue
                truth = exact.min()
                wrong[one] += bool(
                    abs(abs(value) - truth) > slack + 1e-6 * truth
                    or query == "signed"
                    and truth > slack
                    and (value < 0) != (round(winding_number(corners, points[row].astype(np.float64))) != 0)
                )
        if len(differ):
            said = ", ".join(f"{one} {count}" for one, count in wrong.items())
            print(f"    {query}: {name} differs in {len(differ)} points; wrong of {len(sample)} looked at: {said}")


def measure(calls, rounds, threads):
    """The median time of each call; they take turns."""
    clock = time.process_time if threads == 1 else time.perf_counter
    times = [[] for _ in calls]
    for turn in range(rounds):
        for call, spent in zip(calls, times):
            if sum(spent) > LONG:
                continue
            if threads > 1:
                time.sleep(PAUSE)
            start = clock()
            call()
            spent.append(clock() - start)
    return [statistics.median(spent) for spent in times]


def compare(path, arguments, table):
    scene = lanecast.Scene.from_mesh(path, precision="float32")
    vertices, places = np.unique(scene.triangles().vertices.reshape(-1, 3), axis=0, return_inverse=True)
    faces = places.reshape(-1, 3).astype(np.uint32)
    corners = vertices[faces].astype(np.float64)
    # A few roundings of the largest coordinate.
    slack = 4 * 2**-24 * float(np.abs(vertices).max())
    entrants = []
    for name, of in CONTESTANTS.items():
        if name == "lanecast" or not arguments.only or name in arguments.only.split(","):
            try:
                entrants.append(of(vertices, faces, arguments.threads))
            except ImportError as missing:
                print(f"without {name}: {missing}", file=sys.stderr)
    built = ", ".join(f"{entrant.name} {entrant.seconds:.2f} s" for entrant in entrants)
    print(f"\n{path.stem}: {len(faces)} triangles; built: {built}", flush=True)
    near = points_of("shuffled", vertices, faces, arguments.points)
    radius = radius_of(scene, near)
    for kind in arguments.sets.split(","):
        points = points_of(kind, vertices, faces, arguments.points)
        for query in arguments.queries.split(","):
            more = ()
            if query == "within":
                if kind == "far":
                    continue
                counts = np.diff(scene.points_within(points, radius).offsets)
                more = radius, max(1, int(counts.max()))
            taking = [entrant for entrant in entrants if query in entrant.queries]
            calls = [entrant.queries[query](points, *more) for entrant in taking]
            answers = [(entrant.name, read(call())) for entrant, (call, read) in zip(taking, calls)]
            # Far from the surface rounding is that of the point.
            check(query, answers, corners, points, radius, max(slack, 4 * 2**-24 * float(np.abs(points).max())))
            times = measure([call for call, _ in calls], arguments.rounds, arguments.threads)
            rates = {entrant.name: len(points) / 1e6 / spent for entrant, spent in zip(taking, times)}
            table.append((query, path.stem, kind, rates))


def say(table, names):
    print(f"\n| million points a second | {' | '.join(names)} | of the best of the others |")
    print("|---" * (len(names) + 2) + "|")
    ratios = {}
    for query in QUERIES:
        for of_query, mesh, kind, rates in table:
            if of_query != query:
                continue
            others = [rates[name] for name in names[1:] if name in rates]
            if not others:
                continue
            ours, best = rates[names[0]], max(others)
            ratios.setdefault(query, []).append(ours / best)
            cells = " | ".join(f"{rates[name]:.3g}" if name in rates else "" for name in names)
            print(f"| {query} {mesh} {kind} | {cells} | {ours / best:.2f} |")
    for query, all_ratios in ratios.items():
        mean = statistics.geometric_mean(all_ratios)
        below = sum(ratio < 2 for ratio in all_ratios)
        print(f"{query}: {mean:.2f} times the best, {min(all_ratios):.2f} at least; {below} of {len(all_ratios)} below 2")


def main(arguments):
    processor = next(
        (line.split(": ")[1] for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown"
    ).strip()
    print(f"{processor}, {time.strftime('%Y-%m-%d')}, {arguments.threads} thread(s), {arguments.points} points")
    for kind in arguments.sets.split(","):
        print(f"  {kind}: {SETS[kind]}")
    table = []
    for path in arguments.meshes:
        compare(path, arguments, table)
    names = list(dict.fromkeys(name for *_, rates in table for name in rates))
    say(table, names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshes", nargs="+", type=Path, help="mesh files")
    parser.add_argument("--points", type=int, default=32768)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--queries", default=",".join(QUERIES))
    parser.add_argument("--only", default="", help="contestants beside lanecast")
    arguments = parser.parse_args()
    # Before libraries count the cores: some have no other way to be told the number of threads.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.threads])
    import lanecast
    import numpy as np

    main(arguments)
