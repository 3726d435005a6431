"""What a new user gets wrong first: keywords, and what a scene is made of."""

import dataclasses
import inspect
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import lanecast
from lanecast import Scene

SQUARE = ([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
RAY = [[0.5, 0.2, 1, 0, 0, -1]]
DESCRIBED = [
    value
    for name, value in vars(lanecast).items()
    if dataclasses.is_dataclass(value)
    and isinstance(value, type)
    and value.__module__.startswith("lanecast.")
    # Answers and their kin are made by queries.
    and value.__module__ not in ("lanecast._answers",)
    and name not in ("Pulses", "Maker")
]


def test_all_that_users_describe_are_among_them():
    assert {"Mesh", "Spheres", "Instance", "Ball", "Frustum", "Lidar", "Receiver", "Sun"} <= {
        one.__name__ for one in DESCRIBED
    }
    assert len(DESCRIBED) == 22


@pytest.mark.parametrize("described", DESCRIBED, ids=lambda described: described.__name__)
def test_fields_that_are_not_there_are_refused_with_the_nearest(described):
    names = [field.name for field in dataclasses.fields(described)]
    assert list(inspect.signature(described).parameters) == names
    for name in names:
        with pytest.raises(TypeError) as refused:
            described(**{name + "s": 1})
        assert (
            str(refused.value)
            == f'there is no argument "{name}s" of {described.__name__}; did you mean "{name}"?'
        )
    with pytest.raises(TypeError, match=f'^there is no argument "zzzz" of {described.__name__}$'):
        described(zzzz=1)


@pytest.mark.parametrize(
    ("given", "meant", "call"),
    [
        ("presision", "precision", lambda scene, **named: Scene(*SQUARE, **named)),
        ("wield", "weld", lambda scene, **named: Scene(SQUARE[0], **named)),
        ("precison", "precision", lambda scene, **named: Scene.build(**named)),
        ("Quality", "quality", lambda scene, **named: Scene.from_mesh("nothing.obj", **named)),
        ("thread", "threads", lambda scene, **named: scene.refit({}, **named)),
        ("qualty", "quality", lambda scene, **named: scene.rebuild(**named)),
        ("qualty", "quality", lambda scene, **named: scene.add(**named)),
        ("progres", "progress", lambda scene, **named: scene.remove(**named)),
        ("quallity", "quality", lambda scene, **named: scene.replace({}, **named)),
        ("other", "others", lambda scene, **named: scene.statistics(**named)),
        ("vertex_normal", "vertex_normals", lambda scene, **named: scene.surface(RAY, scene.closest_hit(RAY), **named)),
        ("tmax", "t_max", lambda scene, **named: scene.any_hit(RAY, **named)),
        ("tMin", "t_min", lambda scene, **named: scene.any_hit(RAY, **named)),
        ("direction", "directions", lambda scene, **named: scene.closest_hit(RAY, **named)),
        ("normal", "normals", lambda scene, **named: scene.closest_hit(RAY, **named)),
        ("brute", "brute_force", lambda scene, **named: scene.closest_hit(RAY, **named)),
        ("observer_on", "observers_on", lambda scene, **named: scene.sight([[0.0, 0, 0]], [[0.0, 0, 1]], **named)),
        ("radios", "radius", lambda scene, **named: scene.closest_point([[0.0, 0, 0]], **named)),
    ],
)  # fmt: skip
def test_keywords_that_are_not_there_are_refused_with_the_nearest(given, meant, call):
    with pytest.raises(
        TypeError, match=rf'^there is no argument "{given}" of \w+; did you mean "{meant}"\?$'
    ):
        call(Scene(*SQUARE), **{given: None})


def test_keywords_of_arrow_are_refused_with_the_nearest():
    pa = pytest.importorskip("pyarrow")
    rays = pa.table({name: [1.0] for name in ("ox", "oy", "oz", "dx", "dy", "dz")})
    for given, meant in (("quary", "query"), ("colums", "columns"), ("thread", "threads")):
        with pytest.raises(
            TypeError, match=rf'"{given}" of the query closest of rays; did you mean "{meant}"\?$'
        ):
            lanecast.cast_arrow(Scene(*SQUARE), rays, **{given: 1})


def test_what_builds_and_changes_scenes_has_the_signatures_of_its_options():
    for name, expected in (
        ("build", ["items"]),
        ("from_mesh", ["mesh"]),
        ("refit", ["self", "meshes"]),
        ("rebuild", ["self"]),
        ("add", ["self", "geometries"]),
        ("remove", ["self", "geometry_ids"]),
        ("replace", ["self", "geometries"]),
        ("surface", ["self", "rays", "hits", "directions"]),
        ("statistics", ["self"]),
    ):
        parameters = inspect.signature(getattr(Scene, name)).parameters
        keywords = [one for one in parameters.values() if one.kind is one.KEYWORD_ONLY]
        assert [name for name, one in parameters.items() if one not in keywords] == expected
        assert keywords and all(one.default is not one.empty for one in keywords)
    if sys.version_info < (3, 10):
        # Which finds no signatures of classes that are compiled.
        return
    own = inspect.signature(Scene).parameters
    assert list(own)[:2] == ["vertices", "triangles"] and own["weld"].default is None


CORNERS = np.array([[[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 0, 1], [4, 0, 1], [0, 4, 1]]], "float32")


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("bunny.ply", r"vertices: it is 'bunny.ply'; Scene.from_mesh\(x\) reads a mesh, Scene.open\(x\) a saved"),
        (Path("bunny.ply"), "vertices: it is 'bunny.ply'; Scene.from_mesh"),
        (b"lanecast", r"vertices: it is of bytes; Scene.from_bytes\(x\)"),
        (SimpleNamespace(vertices=SQUARE[0], faces=SQUARE[1]), r"vertices: .* Scene.from_mesh\(x\) takes meshes"),
        (SimpleNamespace(vertices=SQUARE[0], triangles=SQUARE[1]), r"vertices: .* Scene.from_mesh\(x\) takes meshes"),
        (lanecast.Mesh(*SQUARE), r"vertices: it is of Mesh; Scene.build\(x\)"),
        (lanecast.Spheres([[0, 0, 0]], 1), r"vertices: it is of Spheres; Scene.build\(x\)"),
        ([lanecast.Mesh(*SQUARE)] * 2, r"vertices: it is of list; Scene.build\(\*x\)"),
        (Scene(*SQUARE), r"vertices: it is of Scene; x.copy\(\)"),
        (SQUARE, r"vertices: it is of tuple; Scene\(\*x\)"),
        (CORNERS, r"vertices: it is of shape \(2, 3, 3\); Scene\(np.reshape\(x, "),
        (CORNERS.tolist(), r"vertices: it is of shape \(2, 3, 3\); Scene\(np.reshape\(x, "),
        (CORNERS.reshape(2, 9), r"vertices: it is of shape \(2, 9\); Scene\(np.reshape\(x, "),
        (CORNERS.reshape(6, 3), r"triangles: none are given; .*, such as np.arange\(len\(x\)\)"),
        (SQUARE[0][:3], r"triangles: none are given; .*, such as np.arange\(len\(x\)\)"),
        (None, "triangles: none are given; .* of their vertices$"),
        (5, "triangles: none are given; .* of their vertices$"),
    ],
    ids=lambda value: None if isinstance(value, str) else type(value).__name__,
)  # fmt: skip
def test_a_scene_of_one_argument_says_what_to_call(x, message):
    for options in ({}, {"precision": "f64"}, {"triangles": None}):
        with pytest.raises(TypeError, match=f"^{message}"):
            Scene(x, **options)


@pytest.mark.parametrize("x", [CORNERS, CORNERS.tolist(), CORNERS.reshape(2, 9), CORNERS.reshape(6, 3), SQUARE, lanecast.Mesh(*SQUARE), Scene(*SQUARE)])  # fmt: skip
def test_what_it_says_works(x):
    with pytest.raises(TypeError) as refused:
        Scene(x)
    message = str(refused.value)
    if "such as" in message:
        call = "Scene(x, " + message.partition("such as ")[2].partition(" if")[0] + ")"
    else:
        call = message.partition("; ")[2].partition(" takes ")[0].partition(" makes ")[0].partition(" is ")[0]
    made = eval(call, {"Scene": Scene, "np": np, "x": x})
    assert made.triangle_count == 2 and made.any_hit(RAY).all()
