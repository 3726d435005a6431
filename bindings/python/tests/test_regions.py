"""Regions of space."""

import numpy as np
import pytest
from reference import closest_on_triangles, soup

import lanecast
from lanecast import INVALID_ID, Ball, Box, Frustum, Scene


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_ball_overlaps_with_what_is_within_its_radius(dtype):
    rng = np.random.default_rng(1)
    vertices, triangles = soup(rng)
    scene = Scene(vertices, triangles, precision=dtype)
    for center in rng.uniform(-5, 5, (20, 3)):
        within = closest_on_triangles(center[None], vertices[triangles])[0][0] <= 2
        found = scene.overlap(Ball(center, 2))
        assert found.primitive_id.tolist() == np.flatnonzero(within).tolist()
        assert (found.geometry_id == 0).all() and (found.instance_id == INVALID_ID).all()
        assert scene.overlaps_any(Ball(center, 2)) is bool(within.any())
        assert (
            scene.overlap(Ball(center, 2), brute_force=True).primitive_id.tolist()
            == np.flatnonzero(within).tolist()
        )


def test_a_box_and_a_frustum_overlap_with_triangles_themselves():
    # The least box around the triangle meets this one, the triangle does not.
    scene = Scene([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    assert not scene.overlaps_any(Box([3, 3, -1], [4, 4, 1]))
    assert scene.overlaps_any(Box([2, 2, 0], [4, 4, 1]))
    planes = [[1, 0, 0, -3], [0, 1, 0, -3]]
    assert not scene.overlaps_any(Frustum(planes))
    assert scene.overlap(Frustum(np.array(planes) + [0, 0, 0, 1])).primitive_id.tolist() == [0]
    pyramid = Frustum.through([1, 1, 5], [[-1, -1, -10], [1, -1, -10], [1, 1, -10], [-1, 1, -10]])
    assert pyramid.planes.shape == (4, 4)
    assert scene.overlaps_any(pyramid)
    assert not scene.overlaps_any(
        Frustum.through([1, 1, 5], [[-1, -1, 10], [1, -1, 10], [1, 1, 10], [-1, 1, 10]])
    )


def test_answers_are_sorted_and_masks_count():
    ball = Scene.build(lanecast.Spheres([[0, 0, 0], [9, 9, 9]], 1))
    scene = Scene.build(
        lanecast.Spheres([[0, 0, 0], [5, 0, 0]], 1, mask=0b01),
        lanecast.Boxes([[0, 0, 0]], [[1, 1, 1]], mask=0b10),
        lanecast.Instance(ball, np.eye(4), mask=0b11),
    )
    found = scene.overlap(Box([-1, -1, -1], [6, 1, 1]))
    rows = list(zip(found.instance_id.tolist(), found.geometry_id.tolist(), found.primitive_id.tolist()))
    assert rows == [(INVALID_ID, 0, 0), (INVALID_ID, 0, 1), (INVALID_ID, 1, 0), (0, 0, 0)]
    assert len(found) == 4
    assert len(scene.overlap(Box([-1, -1, -1], [6, 1, 1]), mask=0b10)) == 2
    assert len(scene.overlap(Box([6, 6, 6], [-6, -6, -6]))) == 0
    everything = [[-np.inf] * 3, [np.inf] * 3]
    assert len(scene.overlap(Box(*everything))) == 5


def test_wrong_regions_are_refused():
    scene = Scene([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    wrong = [
        (ValueError, "NaN", Box([0, 0, np.nan], [1, 1, 1])),
        (ValueError, "NaN", Ball([0, 0, 0], np.nan)),
        (ValueError, "one to six", Frustum([])),
        (ValueError, "normal", Frustum([[0, 0, 0, 1]])),
        (TypeError, "region.min", Box([0, 0], [1, 1, 1])),
        (TypeError, "region.planes", Frustum([[0, 0, 1]])),
        (TypeError, "no list", [[0, 0, 0], [1, 1, 1]]),
    ]
    for error, words, region in wrong:
        for query in (scene.overlap, scene.overlaps_any):
            with pytest.raises(error, match=words):
                query(region)
    with pytest.raises(ValueError, match="directions"):
        Frustum.through([0, 0, 0], [[0, 0, 1]])
