"""Queries of Arrow batches that are asked less often, and what rays skip."""

import numpy as np
import pytest

import lanecast
from lanecast import STATUSES, Instance, Scene

pa = pytest.importorskip("pyarrow")

from test_arrow import batch_of, expected, of_hits, some_rays, soup


@pytest.fixture(scope="module")
def scene():
    return soup()


def test_farthest_hits_are_the_native_ones(scene):
    rays = some_rays()
    answers = lanecast.cast_arrow(scene, batch_of(rays), "farthest")
    assert answers.to_pydict() == of_hits(scene.farthest_hit(rays)) != expected(scene, rays)
    point, ahead = (
        lanecast.cast_arrow(scene, batch_of(rays), query, ["point", "normal"])
        for query in ("farthest", "closest")
    )
    assert point.schema == ahead.schema and point.to_pydict() != ahead.to_pydict()


@pytest.mark.parametrize("t_min", [None, -0.3])
def test_hits_of_lines_are_the_native_ones_on_either_side(scene, t_min):
    rays = some_rays()
    rays[5, 3:] = 0
    placed = Scene.build(lanecast.Spheres([[0.0, 0, 0]], 0.5), Instance(scene, np.eye(4)))
    for held in (scene, placed):
        options = {} if t_min is None else {"t_min": t_min}
        sides = held.line_hits(rays, invalid="miss", **options)
        answers = lanecast.cast_arrow(held, batch_of(rays), "line", **options).to_pydict()
        ahead, behind = of_hits(sides.ahead), of_hits(sides.behind)
        hit = np.maximum(sides.ahead.status, sides.behind.status)
        assert set(hit) == {0, 1, 4}
        assert answers.pop("status") == [STATUSES[code] for code in hit]
        assert answers == {
            **{name: values for name, values in ahead.items() if name != "status"},
            **{f"behind_{name}": behind[name] for name in ahead if name not in ("ray_id", "status")},
        }


def test_costs_are_the_native_ones(scene):
    rays = some_rays()
    rays[7, 0] = np.nan
    answers = lanecast.cast_arrow(scene, batch_of(rays), "cost").to_pydict()
    cost = scene.cost(rays, invalid="miss")
    assert answers.pop("status") == expected(scene, rays)["status"]
    assert answers == {"ray_id": list(range(1000)), **{name: count.tolist() for name, count in cost.items()}}
    assert max(answers["primitives"]) > 8


@pytest.mark.parametrize("instances", [False, True])
def test_columns_say_what_to_skip(scene, instances):
    rays = some_rays()
    if instances:
        scene = Scene.build(Instance(scene, np.eye(4)), Instance(scene, np.eye(4)))
    first = lanecast.cast_arrow(scene, batch_of(rays))
    skip = {f"skip_{name}": first[name] for name in ("geometry_id", "primitive_id")}
    if instances:
        skip["skip_instance_id"] = first["instance_id"]
    hits = scene.closest_hit(rays)
    for kind in (pa.int64(), pa.uint32(), pa.int16()):
        batch = batch_of(rays, **{name: column.cast(kind) for name, column in skip.items()})
        answers = lanecast.cast_arrow(scene, batch)
        assert answers.to_pydict() == of_hits(scene.closest_hit(rays, skip=hits)) != first.to_pydict()
        part = lanecast.cast_arrow(scene, batch.slice(100, 300), "line")
        assert part["t"].equals(lanecast.cast_arrow(scene, batch, "line")["t"].slice(100, 300))
