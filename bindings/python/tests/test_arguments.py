"""Arguments that are no arrays of rays."""

import numpy as np
import pytest
from test_arrays import unaligned

import lanecast
from lanecast import Scene


SQUARE = ([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
POINT = [[0.0, 0, 1]]


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("brute_force", lambda scene: scene.contains(POINT, brute_force="yes")),
        ("generalised_winding", lambda scene: scene.contains(POINT, generalised_winding="x")),
        ("accuracy", lambda scene: scene.winding_number(POINT, accuracy="x")),
        ("normals", lambda scene: scene.closest_point(POINT, normals="x")),
        ("shorten", lambda scene: scene.sight(POINT, POINT, shorten="a")),
        ("mask", lambda scene: scene.sight(POINT, POINT, mask=-1)),
        ("mask", lambda scene: scene.overlap(lanecast.Ball(POINT[0], 1), mask=-1)),
        ("brute_force", lambda scene: scene.overlap(lanecast.Ball(POINT[0], 1), brute_force="x")),
        (r"meshes\[a\]", lambda scene: scene.refit({"a": POINT})),
        (r"geometries\[a\]", lambda scene: scene.replace({"a": lanecast.Mesh(*SQUARE)})),
        (r"items\[0\].mask", lambda scene: Scene.build(lanecast.Mesh(*SQUARE, mask=-1))),
        (r"items\[0\].name", lambda scene: scene.add(lanecast.Mesh(*SQUARE, name=3))),
    ],
)
def test_options_of_other_types_are_refused_by_name(argument, call):
    with pytest.raises(TypeError, match=f"^{argument}: "):
        call(Scene(*SQUARE))


def test_ids_may_lie_anywhere_in_memory():
    mask, triangles = unaligned(np.array([1, 2], "uint32")), unaligned(np.array(SQUARE[1], "uint32"))
    assert Scene(SQUARE[0], triangles).triangle_count == 2
    scene = Scene.build(lanecast.Mesh(*SQUARE, mask=2))
    assert scene.any_hit([[0.5, 0.2, 1, 0, 0, -1]] * 2, mask=mask).tolist() == [False, True]


def test_fields_of_heights_at_survey_coordinates_are_of_f64():
    for dtype in ("float32", "float64"):
        heights = np.full((10, 10), 200, dtype)
        near, far = (lanecast.HeightField(heights, origin=(at, at)) for at in (0, 5e6))
        assert [Scene.build(field).precision for field in (near, far)] == ["float32", "float64"]
    nothing = lanecast.HeightField(np.full((3, 3), np.nan), origin=(5e6, 5e6))
    assert Scene.build(nothing).precision == "float32"
