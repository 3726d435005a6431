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
