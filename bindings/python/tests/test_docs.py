"""Everything public has a docstring, and its examples hold."""

import doctest
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import lanecast


def documented():
    """Everything public, by name: doctest itself passes over compiled methods."""
    for name in lanecast.__all__:
        value = getattr(lanecast, name)
        if not (inspect.isclass(value) or callable(value)):
            continue
        yield f"lanecast.{name}", value
        if not inspect.isclass(value):
            continue
        for member in dir(value):
            of_field = member in getattr(value, "__dataclass_fields__", {})
            if not member.startswith("_") and not of_field and not hasattr(object, member):
                yield f"lanecast.{name}.{member}", inspect.getattr_static(value, member)


EVERYTHING = dict(documented())


def test_compiled_methods_are_among_them():
    assert {"lanecast.Scene.closest_hit", "lanecast.Scene.open", "lanecast.backends"} <= set(EVERYTHING)


@pytest.mark.parametrize("name", EVERYTHING)
def test_examples_hold(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    value = EVERYTHING[name]
    text = getattr(value, "__func__", value).__doc__
    assert text and text.strip(), f"{name} has no docstring"
    scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    names = {"lanecast": lanecast, "np": np, "scene": scene}
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), names, name, None, 0)
    report = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert not report, "".join(report)
    is_native_call = name.startswith("lanecast.Scene.") and not inspect.isdatadescriptor(value)
    assert test.examples or not is_native_call, f"{name} has no example"


def test_examples_of_the_readme_run():
    pytest.importorskip("trimesh")
    text = (Path(__file__).parents[1] / "README.md").read_text()
    names = {}
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(example, names)
    assert names["depth"].shape == (480, 640) and names["distance"].shape == (1, 1800, 16)
    assert names["shaded"].tolist() == [True]


QUERIES = [
    "closest_hit",
    "farthest_hit",
    "any_hit",
    "count_hits",
    "all_hits",
    "nearest_hits",
    "cost",
    "lidar_returns",
]


@pytest.mark.parametrize("name", QUERIES)
def test_signatures_have_all_arguments(name):
    """Each that is in the signature is taken, and no other."""
    scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]])
    parameters = inspect.signature(getattr(lanecast.Scene, name)).parameters.values()
    query = getattr(scene, name)
    first = {"limit": 1} if name == "nearest_hits" else {}
    defaults = {p.name: p.default for p in parameters if p.kind == p.KEYWORD_ONLY}
    assert {"t_min", "t_max", "mask", "skip", "threads", "progress", "invalid"} <= set(defaults)
    query([[0.5, 0.2, 1, 0, 0, -1]], **first, **defaults)
    with pytest.raises(TypeError, match='no argument "flavour"'):
        query([[0.5, 0.2, 1, 0, 0, -1]], **first, flavour=1)
