"""Everything public has a docstring, and its examples hold."""

import doctest
import inspect
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from brute_force import box

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
            # What all exceptions have is Python's.
            if not member.startswith("_") and not of_field and not hasattr(Exception, member):
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


@pytest.mark.parametrize(
    ("pattern", "no_text"),
    [("src/*.rs", r"^(?! *///).*|^ */// ?"), ("python/lanecast/*.py", '"""')],
    ids=["Rust", "Python"],
)
def test_examples_fit_their_column(pattern, no_text):
    """What they print does too."""
    lines = []
    for path in Path(__file__).parents[1].glob(pattern):
        text = re.sub(no_text, "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for example in re.findall(r"^ *>>> .*?(?=\n\s*\n|\Z)", text, re.MULTILINE | re.DOTALL):
            shown = re.sub(r"^(>>>|\.\.\.) ", "", textwrap.dedent(example), flags=re.MULTILINE)
            lines += [(path.name, line) for line in shown.splitlines()]
    assert len(lines) > 150
    wide = [(name, line) for name, line in lines if len(line) > 80]
    assert wide == []


def test_examples_of_the_readme_run(tmp_path, monkeypatch):
    pytest.importorskip("trimesh")
    pytest.importorskip("matplotlib")
    text = (Path(__file__).parents[1] / "README.md").read_text()
    monkeypatch.chdir(tmp_path)
    names = {}
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(example, names)
    assert names["depth"].shape == (480, 640) and names["distance"].shape == (1, 1800, 16)
    assert names["shaded"].tolist() == [True]
    assert (tmp_path / "hills.png").stat().st_size > 100_000 and len(np.unique(names["light"])) > 1000


def test_example_of_the_repository_runs(monkeypatch):
    root = Path(__file__).parents[3]
    monkeypatch.chdir(root)
    (example,) = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    names = {}
    exec(example, names)
    assert names["hits"].is_hit.all() and len(names["points"]) > 50_000


def test_examples_of_the_page_on_practice_run():
    """And say what the page says of them."""
    text = (Path(__file__).parents[3] / "docs/guide/practice.md").read_text(encoding="utf-8")
    corners, triangles = box()
    names = {"lanecast": lanecast, "np": np, "box_corners": corners * [1, 2, 3], "box_triangles": triangles}
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(example, names)
        for line, call, answer in re.findall(r"^((square\..*?) +# (\[.*\]))$", example, re.MULTILINE):
            assert str(eval(call, names)) == answer, line
    assert names["scene"].precision == "float64" and abs(plane(names["points"])).max() < 1e-9
    coarse = names["lidar"].rays()[names["hits"].is_hit]
    assert abs(coarse[:, :3] - names["rays"][:, :3]).max() > 0.1
    # The same triangles, with the same ids.
    above = lanecast.Grid(
        (105, 205, 50), [(280, 0, 0), (0, 280, 0)], size=(50, 50), direction=(0.1, 0.05, -1)
    )
    of_field, of_mesh = (names[name].closest_hit(above) for name in ("field", "terrain"))
    assert of_field.is_hit.sum() > 2000
    np.testing.assert_array_equal(of_field.primitive_id, of_mesh.primitive_id)
    assert names["seen"].shape == (2, 3) and names["blocked"].tolist() == [True]
    assert (names["obstacle"] is None) == names["seen"][0, 1] and 0 < names["met"][0, 2] < 9
    assert sorted(set(names["thickness"].round(5).tolist())) == [1, 2, 3]


def plane(points):
    """How far points are above the triangle of the first example."""
    return points[:, 2] - 90 - (points[:, 1] - 5_400_000.25) / 10


RAY = [0.5, 0.2, 3, 0, 0, -1]
GIVEN = {
    **dict.fromkeys(("rays", "lines"), [RAY]),
    **dict.fromkeys(("points", "observers", "targets"), [[0.0, 0, 3]]),
    **dict.fromkeys(("limit", "count", "radius", "spacing"), 1),
    **dict.fromkeys(("observer", "target"), 0),
    "ray": RAY,
    "origin": [0, 0, 0],
    "counts": [1, 1, 1],
    "region": lanecast.Ball([0, 0, 0], 1),
}
SIGNATURES = {
    name.rpartition(".")[2]: inspect.signature(value).parameters
    for name, value in EVERYTHING.items()
    if name.startswith("lanecast.Scene.") and inspect.ismethoddescriptor(value)
}
QUERIES = [name for name, parameters in SIGNATURES.items() if "brute_force" in parameters]


def test_queries_of_all_kinds_are_among_them():
    assert {"closest_hit", "pick", "contains", "occupancy", "sight", "overlap"} <= set(QUERIES)


@pytest.mark.parametrize("name", QUERIES)
def test_signatures_have_all_arguments(name):
    """Each that is in the signature is taken with its default, and no other."""
    query = getattr(lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 2)), name)
    parameters = list(SIGNATURES[name].values())[1:]
    arguments = {p.name: GIVEN[p.name] if p.default is p.empty else p.default for p in parameters}
    query(**arguments)
    with pytest.raises(TypeError, match=f'^there is no argument "flavour" of {name}$'):
        query(**arguments, flavour=1)
    with pytest.raises(TypeError, match=rf'"backends" of {name}; did you mean "backend"\?$'):
        query(**arguments, backends=1)


@pytest.mark.parametrize("name", QUERIES)
def test_docstrings_have_the_arguments_of_the_signature(name):
    """All of them, there or in a docstring that they point to, and no other."""
    text = getattr(lanecast.Scene, name).__doc__
    listed = "\n".join(re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE))
    described = set(re.findall(r"`(\w+)`(?=(?:,\s+`\w+`)*:)", listed))
    assert listed and described <= set(SIGNATURES[name])
    others = [other for other in re.findall(r"of `(\w+)`", text) if other in QUERIES]
    texts = [text, *(getattr(lanecast.Scene, other).__doc__ for other in others)]
    for parameter in list(SIGNATURES[name])[1:]:
        assert any(f"`{parameter}`" in each for each in texts), parameter
