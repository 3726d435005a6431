"""Arguments beside rays and points are broadcast to them, as NumPy does it."""

import numpy as np
import pytest
from support import bumpy, random_rays, same

import lanecast

RANDOM = np.random.default_rng(5)
SHAPE = (4, 1, 6, 5)
SHAPES = [(), (1,), (5,), (6, 5), (6, 1), (1, 1), (4, 1, 1, 1), (1, 6, 5), (4, 1, 6, 1), SHAPE]
"""Shapes that are broadcast to the first."""
AXES = ("ox", "oy", "oz", "dx", "dy", "dz")
scene = lanecast.Scene.build(
    lanecast.Spheres(RANDOM.uniform(0, 1, (40, 3)), 0.1, mask=1),
    lanecast.Spheres(RANDOM.uniform(0, 1, (40, 3)), 0.1, mask=2),
    lanecast.Instance(bumpy(), np.eye(4), mask=4),
)


def steep(shape, dtype="float32"):
    rays = random_rays(shape, dtype)
    rays[..., 3:5] *= 0.2
    return rays


RAYS = steep(SHAPE)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("query", ["closest_hit", "all_hits", "count_hits", "any_hit", "line_hits"])
def test_intervals_and_masks_are_broadcast(query, shape):
    query = getattr(scene, query)
    for name, values in (
        ("t_min", RANDOM.uniform(0, 1, shape)),
        ("t_max", RANDOM.uniform(0.5, 3, shape).astype("float32")),
        ("mask", RANDOM.integers(0, 8, shape)),
        ("mask", RANDOM.integers(0, 8, shape).astype("uint32")),
    ):
        wide = np.array(np.broadcast_to(values, SHAPE))
        found, expected = query(RAYS, **{name: values}), query(RAYS, **{name: wide})
        listed = query(RAYS, **{name: np.asarray(values).tolist()})
        for answers in (found, listed):
            if isinstance(expected, np.ndarray):
                np.testing.assert_array_equal(answers, expected)
            elif isinstance(expected, lanecast.LineHits):
                same(answers.ahead, expected.ahead)
                same(answers.behind, expected.behind)
            else:
                same(answers, expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_skipped_is_broadcast(shape):
    ids = [RANDOM.integers(0, 3, shape), RANDOM.integers(0, 40, shape), RANDOM.integers(-1, 1, shape)]
    wide = tuple(np.array(np.broadcast_to(column, SHAPE)) for column in ids)
    for count in (2, 3):
        same(scene.closest_hit(RAYS, skip=tuple(ids[:count])), scene.closest_hit(RAYS, skip=wide[:count]))
    # Of different shapes, and an earlier answer of fewer dimensions.
    mixed = (ids[0], wide[1], np.int64(-1))
    expected = (wide[0], wide[1], np.full(SHAPE, -1))
    same(scene.closest_hit(RAYS, skip=mixed), scene.closest_hit(RAYS, skip=expected))
    rays = steep(shape)
    first = scene.closest_hit(rays)
    again = np.array(np.broadcast_to(rays, (*SHAPE, 6)))
    met = scene.closest_hit(again, skip=first)
    columns = (
        np.array(np.broadcast_to(part, SHAPE))
        for part in (first.geometry_id, first.primitive_id, first.instance_id)
    )
    same(met, scene.closest_hit(again, skip=tuple(columns)))
    assert (met.t[np.isfinite(met.t)] >= np.broadcast_to(first.t, SHAPE)[np.isfinite(met.t)]).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_radii_are_broadcast(shape):
    radius = RANDOM.uniform(0, 0.3, shape)
    wide = np.array(np.broadcast_to(radius, SHAPE))
    points = RAYS[..., :3] - [0, 0, 1]
    same(scene.closest_point(points, radius=radius), scene.closest_point(points, radius=wide))
    same(scene.points_within(points, radius), scene.points_within(points, wide))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("axis", [0, 5])
def test_columns_of_rays_are_broadcast(shape, axis):
    columns = dict(zip(AXES, np.moveaxis(RAYS, -1, 0)))
    columns[AXES[axis]] = RANDOM.uniform(-1, -0.5, shape)
    wide = {name: np.array(np.broadcast_to(column, SHAPE)) for name, column in columns.items()}
    same(scene.closest_hit(columns), scene.closest_hit(wide))
    outer = {
        "ox": np.linspace(0, 1, 4)[:, None],
        "oy": np.linspace(0, 1, 5),
        "oz": 2,
        "dx": 0,
        "dy": 0,
        "dz": -1,
    }
    assert scene.closest_hit(outer).shape == (4, 5)


def test_made_rays_take_broadcast_arguments():
    camera = lanecast.Pinhole((0.5, 0.5, 2), (0.5, 0.5, 0), up=(0, 1, 0), fov=40, size=(30, 20))
    near = RANDOM.uniform(1, 2.5, 30)
    same(
        scene.closest_hit(camera, t_max=near),
        scene.closest_hit(camera, t_max=np.tile(near, (20, 1))),
    )


@pytest.mark.parametrize("shape", [(2,), (5, 6), (4, 6, 5), (7, 4, 1, 6, 5), (0,), (3, 1, 1, 1)])
def test_shapes_that_do_not_fit_are_named_with_the_argument(shape):
    whole = np.zeros(shape, "uint32")
    fitting = np.zeros(SHAPE, "uint32")
    shown = str(shape).replace("(", r"\(").replace(")", r"\)")
    for argument, call in (
        ("t_min", lambda: scene.any_hit(RAYS, t_min=np.zeros(shape))),
        ("t_max", lambda: scene.all_hits(RAYS, t_max=np.zeros(shape))),
        ("mask", lambda: scene.closest_hit(RAYS, mask=whole)),
        ("skip: geometry_id", lambda: scene.closest_hit(RAYS, skip=(whole, fitting))),
        ("skip: instance_id", lambda: scene.closest_hit(RAYS, skip=(fitting, fitting, whole))),
        ("radius", lambda: scene.closest_point(RAYS[..., :3], radius=np.zeros(shape))),
    ):
        with pytest.raises(
            ValueError,
            match=rf"^{argument}: its shape is {shown}, which does not broadcast to \(4, 1, 6, 5\)$",
        ):
            call()


def test_columns_that_do_not_fit_are_named():
    columns = dict(zip(AXES, np.moveaxis(RAYS, -1, 0)))
    columns["dy"] = np.zeros((6, 4))
    with pytest.raises(
        ValueError,
        match=r"^rays\['dy'\]: its shape is \(6, 4\), which does not broadcast with \(4, 1, 6, 5\)$",
    ):
        scene.closest_hit(columns)


def test_hits_of_other_rays_are_not_broadcast():
    hits = scene.closest_hit(steep((5,)))
    with pytest.raises(
        ValueError, match=r"^hits.t: its shape is \(5,\); a number or \(4, 1, 6, 5\) was expected$"
    ):
        scene.surface(RAYS, hits)
