"""Queries of rays."""

import numpy as np
import pytest

import lanecast
from lanecast import INVALID_ID, Scene

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
TRIANGLES = [[0, 1, 2], [0, 2, 3]]


@pytest.fixture
def square():
    return Scene(SQUARE, TRIANGLES)


def test_closest_hits_are_those_of_the_readme(square):
    rays = np.array([[0.75, 0.25, 2, 0, 0, -1], [5, 5, 2, 0, 0, -1]], dtype="float32")
    hits = square.closest_hit(rays)
    assert hits.t.dtype == np.float32 and hits.primitive_id.dtype == np.uint32
    assert hits.t.tolist() == [2.0, np.inf]
    assert hits.primitive_id.tolist() == [0, INVALID_ID]
    assert hits.is_hit.tolist() == [True, False]
    assert hits.instance_id is None and hits.normal is None


def test_leading_dimensions_are_kept(square):
    rays = np.zeros((4, 5, 6), dtype="float32")
    rays[..., 2], rays[..., 5] = 1, -1
    rays[..., 0] = np.linspace(0.1, 1.9, 5)
    hits = square.closest_hit(rays, normals=True)
    assert hits.t.shape == (4, 5) and hits.normal.shape == (4, 5, 3)
    assert hits.is_hit[2].tolist() == [True, True, True, False, False]
    assert square.any_hit(rays).shape == (4, 5)
    assert square.any_hit(rays[0, 0]).shape == ()


NAMES = ("ox", "oy", "oz", "dx", "dy", "dz")


def test_rays_are_columns_of_a_dict_too(square):
    rays = np.random.default_rng(2).random((3, 40, 6)).astype("float32")
    rays[..., 3:] -= 0.5
    want = square.closest_hit(rays)
    assert 10 < want.is_hit.sum() < 110
    columns = {name: rays[..., place] for place, name in enumerate(NAMES)}
    copies = {name: np.array(column, "float64") for name, column in columns.items()}
    for given in (columns, copies):
        hits = square.closest_hit(given)
        assert hits.t.shape == (3, 40) and hits.t.tobytes() == want.t.tobytes()
    down = {"ox": [0.5, 0.6], "oy": 0.5, "oz": 1.0, "dx": 0.0, "dy": 0, "dz": -1}
    down = square.closest_hit(down, t_max=[0.5, 2])
    assert down.t.tolist() == [np.inf, 1.0]
    beside = {"ox": 0.5, "oy": 0.5, "oz": np.array([1.0, 3.0]), "dx": 0, "dy": 0, "dz": -1}
    assert square.closest_hit(beside).t.tolist() == [1.0, 3.0]
    one = {name: np.array([value], "float32") for name, value in zip(NAMES, [0.5, 0.5, 1, 0, 0, -1])}
    assert square.closest_hit(one).t.tolist() == [1.0]


def test_columns_that_do_not_fit_are_refused_by_name(square):
    columns = {name: np.ones(4) for name in NAMES}
    with pytest.raises(ValueError, match='rays: there is no column "dy"'):
        square.any_hit({name: column for name, column in columns.items() if name != "dy"})
    with pytest.raises(ValueError, match='rays: "tmax" is no column of rays; they are ox, oy'):
        square.any_hit({**columns, "tmax": np.ones(4)})
    with pytest.raises(ValueError, match=r"rays\['oz'\]: its shape is \(1,\); a number or \(4,\) was"):
        square.any_hit({**columns, "oz": np.ones(1)})
    with pytest.raises(TypeError, match=r"rays\['dx'\]: its dtype is int64"):
        square.any_hit({**columns, "dx": np.ones(4, "int64")})


def test_statuses_of_any_hits_and_counts_go_to_the_array_of_the_caller(square):
    rays = np.array([[0.7, 0.2, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1], [0, 0, 1, 0, 0, 0]], "float32")
    for query, want in ((square.any_hit, [True, False, False]), (square.count_hits, [1, 0, 0])):
        status = np.full(3, 99, np.uint8)
        assert query(rays, status=status, invalid="miss").tolist() == want
        assert status.tolist() == [1, 0, 4]
        with pytest.raises(ValueError, match=r"rays\[2\]: the direction is zero"):
            query(rays, status=status)
        with pytest.raises(TypeError, match="status: its dtype is float64; uint8 was expected"):
            query(rays, status=np.zeros(3))
        with pytest.raises(ValueError, match=r"status: its shape is \(2,\); \(3,\) was expected"):
            query(rays, status=np.zeros(2, np.uint8))
