"""``invalid="miss"`` is for every query that has rows: one that cannot be cast changes none of the others."""

import inspect

import numpy as np
import pytest
from brute_force import ball
from support import same

import lanecast
from lanecast import Scene

CLOSED = Scene(*ball(2))
RAYS = np.random.default_rng(1).normal(size=(8, 6)).astype("float32")
RAYS[:, 3:] /= np.linalg.norm(RAYS[:, 3:], axis=1, keepdims=True)
POINTS = RAYS[:, :3]
BAD = (2, 5)
OF_RAYS = (
    "closest_hit",
    "farthest_hit",
    "any_hit",
    "count_hits",
    "signed_count",
    "cost",
    "all_hits",
    "lidar_returns",
)
OF_POINTS = ("closest_point", "distance", "signed_distance", "contains", "winding_number")


def without(answers, rows):
    return (
        np.delete(answers, rows, axis=0)
        if isinstance(answers, np.ndarray)
        else answers[np.delete(np.arange(8), rows)]
    )


@pytest.mark.parametrize(
    "query", [*OF_RAYS, *OF_POINTS, "nearest_hits", "line_hits", "nearest_points", "points_within"]
)
def test_rows_that_cannot_be_cast_are_misses_and_change_no_others(query):
    given = (POINTS if "point" in query or query in OF_POINTS else RAYS).copy()
    more = {"nearest_hits": (3,), "nearest_points": (3,), "points_within": (2.0,)}.get(query, ())
    ask = getattr(CLOSED, query)
    expected = without(ask(given, *more), BAD)
    given[list(BAD)] = np.nan
    found = ask(given, *more, invalid="miss")
    for answers, right in (
        ((found.ahead, expected.ahead), (found.behind, expected.behind))
        if query == "line_hits"
        else ((found, expected),)
    ):
        others = without(answers, BAD)
        if isinstance(right, np.ndarray):
            np.testing.assert_array_equal(others, right)
            assert not np.isfinite(answers[2]) or answers[2] == 0
        else:
            same(others, right)
            assert not hasattr(answers, "status") or (answers.status[list(BAD)] > 1).all()
    with pytest.raises(ValueError, match=r"^(rays|points)\[2\]: a coordinate is NaN"):
        ask(given, *more)


def test_one_ray_and_surfaces_have_misses_too():
    rays = RAYS.copy()
    rays[2, 4] = np.nan
    assert CLOSED.pick(rays[2], invalid="miss") == []
    surface = CLOSED.surface(rays, CLOSED.closest_hit(rays, invalid="miss"))
    assert (surface.point[2] == 0).all() and np.isfinite(surface.point).all()
    seen = CLOSED.sight(rays[:, 3:], POINTS, invalid="miss")
    assert (
        not seen[2].any()
        and (np.delete(seen, 2, 0) == np.delete(CLOSED.sight(RAYS[:, 3:], POINTS), 2, 0)).all()
    )


def test_all_queries_with_rows_are_here():
    """Those whose signature has the option."""

    named = {
        *OF_RAYS,
        *OF_POINTS,
        "nearest_hits",
        "line_hits",
        "nearest_points",
        "points_within",
        "pick",
        "sight",
        "first_obstacle",
    }
    found = {
        name
        for name in dir(lanecast.Scene)
        if not name.startswith("_")
        and inspect.ismethoddescriptor(getattr(lanecast.Scene, name))
        and "invalid" in inspect.signature(getattr(lanecast.Scene, name)).parameters
    }
    assert found == named
