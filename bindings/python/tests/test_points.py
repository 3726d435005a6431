"""Queries of points."""

import signal
import time

import numpy as np
import pytest
from reference import closest_on_triangles, soup, torus, winding_numbers

import lanecast
from lanecast import INVALID_ID, Scene

PRECISIONS = ["float32", "float64"]
QUERIES = {
    "closest_point": lambda scene, points, **how: scene.closest_point(points, **how).distance,
    "nearest_points": lambda scene, points, **how: scene.nearest_points(points, 3, **how).distance,
    "points_within": lambda scene, points, **how: scene.points_within(points, 2.5, **how).distance,
    "distance": lambda scene, points, **how: scene.distance(points, **how),
    "signed_distance": lambda scene, points, **how: scene.signed_distance(points, **how),
    "contains": lambda scene, points, **how: scene.contains(points, **how),
    "winding_number": lambda scene, points, **how: scene.winding_number(points, **how),
}


@pytest.fixture(params=PRECISIONS)
def dtype(request):
    return request.param


def points_around(rng, count, dtype):
    return rng.uniform(-6, 6, (count, 3)).astype(dtype)


def test_closest_points_are_those_of_all_triangles(dtype):
    rng = np.random.default_rng(1)
    vertices, triangles = soup(rng)
    scene = Scene(vertices, triangles, precision=dtype)
    points = points_around(rng, 400, dtype)
    distances, closest = closest_on_triangles(points, vertices[triangles])
    nearest = distances.argmin(axis=1)
    found = scene.closest_point(points, normals=True)
    assert found.distance.dtype == found.point.dtype == found.u.dtype == found.normal.dtype == dtype
    assert found.is_hit.all() and found.instance_id is None
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(found.distance, distances.min(axis=1), rtol=tolerance)
    assert found.primitive_id.tolist() == nearest.tolist()
    np.testing.assert_allclose(found.point, closest[np.arange(400), nearest], atol=10 * tolerance)
    a, b, c = np.moveaxis(vertices[triangles][nearest].astype("float64"), 1, 0)
    weighted = a + found.u[:, None] * (b - a) + found.v[:, None] * (c - a)
    np.testing.assert_allclose(weighted, found.point, atol=10 * tolerance)
    np.testing.assert_allclose(found.normal, np.cross(b - a, c - a), rtol=1e-4, atol=1e-5)


def test_a_radius_is_included_and_may_be_one_for_each_point(dtype):
    scene = Scene([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]], precision=dtype)
    points = np.array([[1, 1, 3], [1, 1, 2], [1, 1, 1]], dtype=dtype)
    assert scene.closest_point(points, radius=2).distance.tolist() == [np.inf, 2, 1]
    assert scene.closest_point(points, radius=np.inf).is_hit.all()
    each = scene.closest_point(points, radius=[3, 1.5, 1])
    assert each.distance.tolist() == [3, np.inf, 1]
    assert each.primitive_id.tolist() == [0, INVALID_ID, 0]
    assert scene.points_within(points, np.array([3, 1.5, 1])).offsets.tolist() == [0, 1, 1, 2]


def test_near_primitives_come_in_the_order_of_distances(dtype):
    rng = np.random.default_rng(2)
    vertices, triangles = soup(rng)
    scene = Scene(vertices, triangles, precision=dtype)
    points = points_around(rng, 50, dtype)
    distances, closest = closest_on_triangles(points, vertices[triangles])
    near = scene.nearest_points(points, 5)
    assert near.offsets.tolist() == list(range(0, 251, 5)) and near.offsets.dtype == np.int64
    order = np.argsort(distances, axis=1)[:, :5]
    assert near.primitive_id.reshape(50, 5).tolist() == order.tolist()
    expected = np.take_along_axis(closest, order[..., None], axis=1)
    np.testing.assert_allclose(near.point.reshape(50, 5, 3), expected, atol=1e-4)
    a, b, c = np.moveaxis(vertices[triangles][near.primitive_id].astype("float64"), 1, 0)
    weighted = a + near.u[:, None] * (b - a) + near.v[:, None] * (c - a)
    np.testing.assert_allclose(weighted, near.point, atol=1e-4)
    within = scene.points_within(points, 3.0)
    assert np.diff(within.offsets).tolist() == (distances <= 3).sum(axis=1).tolist()
    assert within.status.tolist() == (distances <= 3).any(axis=1).astype(int).tolist()
    assert within.point_id.tolist() == np.repeat(np.arange(50), (distances <= 3).sum(axis=1)).tolist()
    assert len(within.distance) == len(within.point) == len(within.instance_id) == within.offsets[-1]
    assert (within.instance_id == INVALID_ID).all() and (within.geometry_id == 0).all()
    few = scene.nearest_points(points, 5, radius=1.0)
    assert np.diff(few.offsets).tolist() == np.minimum((distances <= 1).sum(axis=1), 5).tolist()


def test_inside_is_what_winding_numbers_say(dtype):
    rng = np.random.default_rng(3)
    vertices, triangles = torus()
    scene = Scene(vertices, triangles, precision=dtype)
    points = rng.uniform([-4.5, -4.5, -1.2], [4.5, 4.5, 1.2], (600, 3)).astype(dtype)
    expected = winding_numbers(points, vertices[triangles])
    inside = scene.contains(points)
    assert inside.dtype == bool and 50 < inside.sum() < 550
    assert inside.tolist() == (np.round(expected) != 0).tolist()
    exact = scene.winding_number(points, accuracy=np.inf)
    assert exact.dtype == np.float32
    np.testing.assert_allclose(exact, expected, atol=1e-4)
    np.testing.assert_allclose(scene.winding_number(points), expected, atol=0.02)
    distance, signed = scene.distance(points), scene.signed_distance(points)
    assert distance.dtype == signed.dtype == dtype
    assert signed.tolist() == np.where(inside, -distance, distance).tolist()
    expected_distances = closest_on_triangles(points, vertices[triangles])[0].min(axis=1)
    np.testing.assert_allclose(distance, expected_distances, rtol=1e-5, atol=1e-6)
    for accuracy in (True, 2.0, np.inf):
        assert scene.contains(points, generalised_winding=accuracy).tolist() == inside.tolist()


def test_open_surfaces_are_refused_unless_winding_numbers_decide():
    vertices, triangles = torus()
    scene = Scene(vertices, triangles[1:])
    for query in (scene.contains, scene.signed_distance):
        with pytest.raises(ValueError, match="the surface is open along an edge of triangle"):
            query([[3.0, 0, 0]])
        assert query([[-3.0, 0, 0]], generalised_winding=4) != 0
    with pytest.raises(ValueError, match="open"):
        scene.occupancy([0, 0, 0], 1, [2, 2, 2])
    for argument, query in [("generalised_winding", scene.contains), ("accuracy", scene.winding_number)]:
        for unusable in (0.5, -1, np.nan):
            with pytest.raises(ValueError, match=f"^{argument}: it is .*; it must be at least 1$"):
                query([[3.0, 0, 0]], **{argument: unusable})


def test_occupancy_is_arranged_as_said(dtype):
    vertices, triangles = torus()
    scene = Scene(vertices, triangles, precision=dtype)
    origin, spacing, counts = np.array([-4.1, -4.1, -1.1]), np.array([0.7, 0.5, 0.4]), (13, 17, 6)
    grid = origin + np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1) * spacing
    inside = scene.occupancy(origin, spacing, counts)
    assert inside.shape == counts and inside.dtype == bool and inside.T.flags.c_contiguous
    assert inside.tolist() == scene.contains(grid).tolist()
    assert 0 < inside.sum() < inside.size
    bits = scene.occupancy(origin, spacing, counts, packed=True)
    assert bits.dtype == np.uint8 and len(bits) == -(-inside.size // 8)
    unpacked = np.unpackbits(bits, count=inside.size, bitorder="little").reshape(counts, order="F")
    assert unpacked.tolist() == inside.astype(int).tolist()
    generalised = scene.occupancy(origin, spacing, counts, generalised_winding=True)
    assert generalised.tolist() == inside.tolist()
    assert scene.occupancy([0, 0, 0], 1, [0, 5, 5]).shape == (0, 5, 5)


def test_signals_stop_a_long_call():
    scene = Scene(*torus())

    def handler(signum, frame):
        raise InterruptedError("stop")

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    begin = time.monotonic()
    try:
        with pytest.raises(InterruptedError):
            scene.occupancy([-4, -4, -1], 0.002, [4000, 4000, 20], packed=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 2


def test_wrong_grids_are_refused():
    scene = Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    wrong = [(([0, 0], 1, [1, 1, 1]), "origin"), (([0, 0, 0], [1, 2], [1, 1, 1]), "spacing")]
    wrong += [(([0, 0, 0], 1, [1, 1]), "counts"), (([0, 0, 0], 1, [1, 1, -1]), "counts")]
    wrong += [(([0, np.nan, 0], 1, [1, 1, 1]), "grid, along y")]
    for arguments, name in wrong:
        with pytest.raises(ValueError, match=name):
            scene.occupancy(*arguments)


@pytest.mark.parametrize("query", QUERIES)
def test_strided_points_are_answered_as_others(query, dtype):
    rng = np.random.default_rng(4)
    scene = Scene(*torus(), precision=dtype)
    points = rng.uniform(-4, 4, (6, 50, 3)).astype(dtype)
    table = np.zeros((6, 50, 8), dtype=dtype)
    table[..., 2:8:2] = points
    answer = QUERIES[query](scene, points)
    backwards = np.ascontiguousarray(points[::-1])[::-1]
    others = [table[..., 2:8:2], np.asfortranarray(points), backwards, points.tolist()]
    if dtype == "float32":
        others.append(points.astype("float64"))
    for arranged in others:
        again = QUERIES[query](scene, arranged)
        assert again.dtype == answer.dtype and np.array_equal(again, answer)
    if query not in ("nearest_points", "points_within"):
        assert answer.shape == (6, 50)
        assert QUERIES[query](scene, points[0, 0]).shape == ()
        assert QUERIES[query](scene, points[:, :0]).shape == (6, 0)
    else:
        assert len(QUERIES[query](scene, points[:, :0])) == 0


@pytest.mark.parametrize("query", QUERIES)
def test_bad_points_are_named_or_missed(query):
    scene = Scene(*torus())
    points = np.zeros((4, 5, 3))
    points[2, 3, 1] = np.nan
    with pytest.raises(ValueError, match=r"points\[2, 3\]: a coordinate is NaN"):
        QUERIES[query](scene, points)
    with pytest.raises(ValueError, match=r"points: its shape is \(4, 5, 2\); \(\.\.\., 3\) was expected"):
        QUERIES[query](scene, points[..., :2])
    with pytest.raises(TypeError, match="points: its dtype is complex128"):
        QUERIES[query](scene, np.zeros((4, 3), dtype="complex128"))
    with pytest.raises(TypeError, match='no argument "wrong"'):
        QUERIES[query](scene, points, wrong=1)
    with pytest.raises(ValueError, match="invalid"):
        QUERIES[query](scene, points, invalid="ignore")
    answer = QUERIES[query](scene, points, invalid="miss")
    if query in ("closest_point", "distance", "signed_distance"):
        assert answer[2, 3] == np.inf and np.isfinite(answer).sum() == 19
    elif query in ("contains", "winding_number"):
        assert answer[2, 3] == 0
    else:
        assert np.isfinite(answer).all() and len(answer) == len(QUERIES[query](scene, np.zeros((19, 3))))
    with pytest.raises(ValueError, match=r"points\[2, 3\]"):
        QUERIES[query](scene, points, invalid="raise")


def test_bad_radii_are_named():
    scene = Scene(*torus())
    points = np.zeros((3, 3))
    with pytest.raises(ValueError, match=r"points\[1\]: .*radius is NaN"):
        scene.closest_point(points, radius=[1, np.nan, 1])
    with pytest.raises(ValueError, match=r"points\[0\]: .*radius is negative"):
        scene.points_within(points, -1)
    with pytest.raises(ValueError, match=r"radius: its shape is \(2,\), which does not broadcast to \(3,\)"):
        scene.closest_point(points, radius=[1, 2])
    status = scene.closest_point(points, radius=[4, np.nan, -1], invalid="miss").status
    assert [lanecast.STATUSES[code] for code in status] == ["hit", "invalid_interval", "empty_interval"]


def test_the_callers_arrays_are_filled():
    scene = Scene(*torus())
    points = np.random.default_rng(5).uniform(-4, 4, (7, 3)).astype("float32")
    expected = scene.closest_point(points)
    out = {"distance": np.zeros(7, "float32"), "point": np.zeros((7, 3), "float32")}
    answers = scene.closest_point(points, out=out)
    assert answers.distance is out["distance"] and answers.point is out["point"] and answers.u is None
    assert np.array_equal(out["distance"], expected.distance) and np.array_equal(out["point"], expected.point)
    again = scene.closest_point(points + 1, out=expected)
    assert again.distance is expected.distance and not np.array_equal(again.distance, out["distance"])
    with pytest.raises(ValueError, match=r"out\['?\"?point.*its shape is \(7, 2\)"):
        scene.closest_point(points, out={"point": np.zeros((7, 2), "float32")})
    with pytest.raises(ValueError, match="no column"):
        scene.closest_point(points, out={"t": np.zeros(7, "float32")})


def test_instances_are_named():
    ball = Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    at = np.eye(4)[None].repeat(2, axis=0)
    at[:, 0, 3] = [0, 10]
    scene = Scene.build(*(lanecast.Instance(ball, matrix) for matrix in at))
    closest = scene.closest_point([[9.0, 0, 0], [3, 0, 0]], normals=True)
    assert closest.instance_id.tolist() == [1, 0] and closest.distance.tolist() == [0, 2]
    assert np.sign(closest.normal[:, 0]).tolist() == [-1, 1]


@pytest.mark.parametrize("query", QUERIES)
def test_threads_backends_and_brute_force_change_nothing(query):
    rng = np.random.default_rng(6)
    scene = Scene(*torus())
    points = rng.uniform(-4, 4, (40_000, 3)).astype("float32")
    told = []
    answer = QUERIES[query](scene, points, threads=2, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40_000, 40_000)
    for backend in lanecast.backends():
        assert np.array_equal(QUERIES[query](scene, points, backend=backend), answer)
    if query != "winding_number":
        few = points[:300]
        assert np.array_equal(QUERIES[query](scene, few, brute_force=True), QUERIES[query](scene, few))
