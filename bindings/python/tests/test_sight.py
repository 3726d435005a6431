"""Lines of sight."""

import numpy as np
import pytest
from reference import crossings, soup

import lanecast
from lanecast import Scene

WALL = ([[0, -9, 0], [0, 9, 0], [0, 9, 1], [0, -9, 1]], [[0, 1, 2], [0, 2, 3]])


def seen(observers, targets, corners):
    """Whether nothing lies between, and the part of each line at which the first obstacle does."""
    pairs = [np.repeat(observers, len(targets), axis=0), np.tile(targets, (len(observers), 1))]
    t, _, _, within = crossings(pairs[0], pairs[1].astype("float64") - pairs[0], corners)
    first = np.where(within & (t > 0) & (t < 1), t, np.inf).min(axis=1)
    return (first == np.inf).reshape(len(observers), -1), first.reshape(len(observers), -1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sight_is_blocked_by_what_lies_between(dtype):
    rng = np.random.default_rng(1)
    vertices, triangles = soup(rng, 40)
    scene = Scene(vertices, triangles, precision=dtype)
    observers, targets = rng.uniform(-6, 6, (7, 3)).astype(dtype), rng.uniform(-6, 6, (130, 3)).astype(dtype)
    expected, first = seen(observers, targets, vertices[triangles])
    sight = scene.sight(observers, targets)
    assert sight.shape == (7, 130) and sight.dtype == bool and 0.2 < sight.mean() < 0.95
    assert sight.tolist() == expected.tolist()
    words = scene.sight(observers, targets, packed=True)
    assert words.shape == (7, 3) and words.dtype == np.uint64
    bits = np.unpackbits(words.view("uint8"), axis=1, bitorder="little")
    assert bits[:, :130].tolist() == sight.astype(int).tolist() and not bits[:, 130:].any()
    for observer, target in [(0, 0), *np.argwhere(~expected)[:5]]:
        obstacle = scene.first_obstacle(observers, targets, observer, target)
        assert (obstacle is None) == expected[observer, target]
        if obstacle:
            assert obstacle.t == pytest.approx(first[observer, target], rel=1e-4)
            assert obstacle.geometry_id == 0 and obstacle.instance_id is None
    assert scene.sight(observers, targets, brute_force=True).tolist() == sight.tolist()
    for backend in lanecast.backends():
        assert scene.sight(observers, targets, backend=backend, threads=1).tolist() == sight.tolist()


def test_leading_dimensions_are_kept_and_strides_do_not_matter():
    rng = np.random.default_rng(2)
    scene = Scene(*soup(rng, 40))
    observers, targets = rng.uniform(-6, 6, (2, 3, 3)), rng.uniform(-6, 6, (70, 6))
    flat = scene.sight(observers.reshape(-1, 3), targets[:, ::2].copy())
    sight = scene.sight(observers, targets[:, ::2])
    assert sight.shape == (2, 3, 70) and sight.reshape(6, 70).tolist() == flat.tolist()
    assert scene.sight(observers, targets[:, ::2], packed=True).shape == (2, 3, 2)
    assert scene.sight(observers[0, 0], targets[:, ::2]).tolist() == flat[0].tolist()
    assert scene.sight(observers[0, 0], targets[0, ::2]).shape == ()
    assert scene.sight(observers[0, :0], targets[:, ::2]).shape == (0, 70)
    assert scene.sight(observers[0], targets[:0, ::2]).shape == (3, 0)
    obstacle = scene.first_obstacle(observers, targets[:, ::2], 5, int(np.argmin(flat[5])))
    assert (obstacle is None) == flat[5].all()


def test_ends_on_a_surface_are_not_blocked_by_it():
    rng = np.random.default_rng(3)
    vertices, triangles = soup(rng, 40)
    scene = Scene(vertices, triangles)
    ground = scene.closest_point(rng.uniform(-6, 6, (30, 3)))
    above = np.array([[0.0, 0, 50], [50, 0, 0]])
    corners = vertices[triangles]

    def expected(target):
        t, _, _, within = crossings(ground.point, target - ground.point.astype("float64"), corners)
        within[np.arange(30), ground.primitive_id] = False
        return ~(within & (t > 0) & (t < 1)).any(axis=1)

    ids = (ground.geometry_id, ground.primitive_id)
    for place, target in enumerate(above):
        free = expected(target)
        assert scene.sight(ground.point, above, observers_on=ground)[:, place].tolist() == free.tolist()
        assert scene.sight(above, ground.point, targets_on=ids)[place].tolist() == free.tolist()
        assert scene.sight(above, ground.point, shorten=1e-4)[place].tolist() == free.tolist()
    blocked = scene.sight(above, ground.point)
    assert blocked.sum() < scene.sight(above, ground.point, targets_on=ids).sum()
    nowhere = scene.sight(above, ground.point, targets_on=(np.full(30, -1), np.full(30, -1)))
    assert nowhere.tolist() == blocked.tolist()


def test_masks_and_culling_select_what_blocks():
    scene = Scene.build(lanecast.Mesh(*WALL, mask=0b01), lanecast.Spheres([[5, 0, 0.5]], 1, mask=0b10))
    observers, targets = [[-1.0, 0.5, 0.25]], [[3.0, 0.5, 0.25], [9, 0.5, 0.25]]
    assert scene.sight(observers, targets).tolist() == [[False, False]]
    assert scene.sight(observers, targets, mask=0b10).tolist() == [[True, False]]
    assert scene.sight(observers, targets, mask=0).tolist() == [[True, True]]
    wall = Scene(*WALL)
    sides = [wall.sight(observers, targets, culling=side).tolist() for side in ("none", "front", "back")]
    assert sides[0] == [[False, False]] and sorted(sides[1:]) == [[[False, False]], [[True, True]]]
    assert wall.first_obstacle(observers, targets, 0, 0).t == 0.25
    assert scene.first_obstacle(observers, targets, 0, 1, mask=0b10).geometry_id == 1


def test_wrong_arguments_are_named():
    scene = Scene(*WALL)
    points = np.zeros((2, 3))
    with pytest.raises(ValueError, match=r"targets: its shape is \(2, 2\); \(\.\.\., 3\) was expected"):
        scene.sight(points, points[:, :2])
    with pytest.raises(ValueError, match=r"^observers\[1\]: it is \[0.0, NaN, 0.0\]"):
        scene.sight([[0, 0, 0], [0, np.nan, 0]], points)
    with pytest.raises(ValueError, match=r"^targets\[1, 0\]: it is \[inf, 0.0, 0.0\]"):
        scene.sight(points, [[[0, 0, 0]], [[np.inf, 0, 0]]])
    with pytest.raises(TypeError, match="observers: its dtype is"):
        scene.sight(points.astype(complex), points)
    with pytest.raises(ValueError, match="shorten"):
        scene.sight(points, points, shorten=0.5)
    with pytest.raises(
        ValueError,
        match=r"observers_on: primitive_id: its shape is \(3,\), which does not broadcast to \(2,\)",
    ):
        scene.sight(points, points, observers_on=([0, 0], [0, 0, 0]))
    with pytest.raises(ValueError, match="targets_on"):
        scene.sight(points, points, targets_on=([0, 0],))
    with pytest.raises(TypeError, match='"packed"'):
        scene.first_obstacle(points, points, 0, 0, packed=True)
    with pytest.raises(IndexError, match="target: it is 2, but there are 2"):
        scene.first_obstacle(points, points, 0, 2)


def test_progress_is_told_in_lines():
    scene = Scene(*WALL)
    told = []
    points = np.random.default_rng(4).uniform(-1, 1, (300, 3))
    scene.sight(points, points, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (90_000, 90_000)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_points_that_no_line_may_have_are_out_of_sight(dtype):
    rng = np.random.default_rng(4)
    scene = Scene(*soup(rng, 40), precision=dtype)
    observers, targets = (
        rng.uniform(-6, 6, (2, 4, 3)).astype(dtype),
        rng.uniform(-6, 6, (135, 3)).astype(dtype),
    )
    right = scene.sight(observers, targets)
    beyond = np.nextafter(
        np.ldexp(np.array(1, dtype), 99 if dtype == "float32" else 299), np.inf, dtype=dtype
    )
    for place, bad in (((0, 1), np.nan), ((1, 3), -np.inf), ((1, 0), beyond)):
        observers[place][rng.integers(3)] = bad
        right[place] = False
    for place, bad in ((0, np.inf), (63, np.nan), (64, -beyond), (134, np.nan)):
        targets[place, rng.integers(3)] = bad
        right[..., place] = False
    assert right.any()
    for options in ({}, {"threads": 2}, {"brute_force": True}):
        assert scene.sight(observers, targets, invalid="miss", **options).tolist() == right.tolist()
    words = scene.sight(observers, targets, packed=True, invalid="miss")
    bits = np.unpackbits(words.view("uint8"), axis=-1, bitorder="little")
    assert words.shape == (2, 4, 3) and bits[..., :135].tolist() == right.astype(int).tolist()
    assert not bits[..., 135:].any()
    for observer, target in ((1, 1), (0, 63), (1, 134)):
        assert scene.first_obstacle(observers, targets, observer, target, invalid="miss") is None
    blocked = np.flatnonzero(~right[0, 0] & np.isfinite(targets).all(axis=1) & (abs(targets) < 9).all(axis=1))
    obstacle = scene.first_obstacle(observers, targets, 0, int(blocked[0]), invalid="miss")
    assert obstacle == scene.first_obstacle(observers[0, :1], targets[blocked[:1]], 0, 0) is not None
    for options in ({}, {"invalid": "raise"}):
        with pytest.raises(ValueError, match=r"^observers\[0, 1\]: it is \[.*NaN"):
            scene.sight(observers, targets, **options)
    for packed in (False, True):
        none = scene.sight(np.full((2, 3), np.nan), targets[:0], invalid="miss", packed=packed)
        assert none.shape == (2, 0)
    with pytest.raises(ValueError, match='^invalid: it is .*; "raise" or "miss" was expected'):
        scene.sight(observers, targets, invalid="hit")
