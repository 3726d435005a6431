"""What `help()` shows is what methods take, and their examples run."""

import ast
import doctest
import inspect
from pathlib import Path

import numpy as np
import pytest

import lanecast
from lanecast import Scene

STUB = Path(lanecast.__file__).with_name("_lanecast.pyi")
POINTS, RAYS = np.zeros((2, 3)) + 0.25, np.array([[0.25, 0.25, 5, 0, 0, -1]])
# The arguments of methods that take their options as keywords.
CALLS = {
    "closest_point": (POINTS,),
    "nearest_points": (POINTS, 1),
    "points_within": (POINTS, 1.0),
    "distance": (POINTS,),
    "signed_distance": (POINTS,),
    "contains": (POINTS,),
    "winding_number": (POINTS,),
    "occupancy": ([0, 0, 0], 1, [1, 1, 1]),
    "sight": (POINTS, POINTS),
    "first_obstacle": (POINTS, POINTS, 0, 0),
    "overlap": (lanecast.Box([0, 0, 0], [1, 1, 1]),),
    "overlaps_any": (lanecast.Box([0, 0, 0], [1, 1, 1]),),
    "pick": (RAYS[0],),
    "line_hits": (RAYS,),
}
# Values for options whose default is that of an option that is not given.
GIVEN = {"t_min": 0.0, "t_max": 1.0}


def documented():
    for owner in (Scene, lanecast.Frustum):
        for name, method in vars(owner).items():
            text = inspect.getdoc(getattr(owner, name))
            if not name.startswith("__") and text and ">>>" in text:
                yield pytest.param(name, text, id=name)


@pytest.mark.parametrize("name, text", list(documented()))
def test_examples_run(name, text):
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, 0))
    assert runner.tries > 0 and runner.failures == 0


@pytest.mark.parametrize("name", CALLS)
def test_methods_take_the_options_that_are_shown(name):
    scene = Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    method = getattr(scene, name)
    shown = inspect.signature(method).parameters.values()
    options = {option.name: option.default for option in shown if option.kind == option.KEYWORD_ONLY}
    assert len(options) >= 3
    method(*CALLS[name], **{name: GIVEN.get(name, default) for name, default in options.items()})
    for option in (
        "radius",
        "normals",
        "out",
        "packed",
        "accuracy",
        "generalised_winding",
        "shorten",
        "contact",
    ):
        positional = [parameter.name for parameter in shown]
        if option not in options and option not in positional:
            with pytest.raises(TypeError, match=f'no argument "{option}"'):
                method(*CALLS[name], **{option: 1})


def test_the_stub_has_the_same_signatures():
    classes = {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}
    stubs = {node.name: node for node in classes["Scene"].body if isinstance(node, ast.FunctionDef)}
    for name in CALLS:
        stub = stubs[name].args
        parameters = list(inspect.signature(getattr(Scene, name)).parameters.values())
        found = [parameter.name for parameter in parameters if parameter.kind != parameter.KEYWORD_ONLY]
        assert [argument.arg for argument in stub.args] == found
        keywords = [parameter for parameter in parameters if parameter.kind == parameter.KEYWORD_ONLY]
        assert [argument.arg for argument in stub.kwonlyargs] == [parameter.name for parameter in keywords]
        assert [ast.literal_eval(default) for default in stub.kw_defaults] == [
            parameter.default for parameter in keywords
        ]
    public = {name for name in vars(Scene) if not name.startswith("_")}
    assert set(stubs) <= public | {"__init__"}
