"""Queries of rays."""

import numpy as np
import pytest
from support import same

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
    with pytest.raises(ValueError, match=r"rays\['oz'\]: its shape is \(3,\), which does not broadcast with"):
        square.any_hit({**columns, "oz": np.ones(3)})
    with pytest.raises(TypeError, match=r"rays\['dx'\]: its dtype is complex64"):
        square.any_hit({**columns, "dx": np.ones(4, "complex64")})


def test_statuses_of_any_and_count_go_to_the_array_of_the_caller(square):
    rays = np.array([[0.7, 0.2, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1], [0, 0, 1, 0, 0, 0]], "float32")
    for query, want in ((square.any_hit, [True, False, False]), (square.count_hits, [1, 0, 0]), (square.signed_count, [1, 0, 0])):
        status = np.full(3, 99, np.uint8)
        assert query(rays, status=status, invalid="miss").tolist() == want
        assert status.tolist() == [1, 0, 4]
        with pytest.raises(ValueError, match=r"rays\[2\]: the direction is zero"):
            query(rays, status=status)
        with pytest.raises(TypeError, match="status: its dtype is float64; uint8 was expected"):
            query(rays, status=np.zeros(3))
        with pytest.raises(ValueError, match=r"status: its shape is \(2,\); \(3,\) was expected"):
            query(rays, status=np.zeros(2, np.uint8))


QUERIES = ("closest_hit", "farthest_hit", "any_hit", "count_hits", "signed_count", "all_hits", "cost", "line_hits")
ALONE, MANY, GRID, COLUMN, ROW = (3,), (5000, 3), (90, 100, 3), (90, 1, 3), (1, 100, 3)


def drawn(shape, dtype, below):
    """Numbers that both precisions hold."""
    numbers = np.random.default_rng(3).random(shape).astype("float32") - [0, 0, below]
    return numbers.astype(dtype)


@pytest.mark.parametrize(
    "shapes", [(ALONE, MANY), (MANY, ALONE), (ALONE, GRID), (GRID, ALONE), (COLUMN, ROW)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_origins_and_directions_are_broadcast(square, shapes, dtype):
    origins, directions = drawn(shapes[0], dtype, -1), drawn(shapes[1], dtype, 2)
    both = np.broadcast_arrays(origins, directions)
    rays = np.concatenate(both, axis=-1)
    for name in QUERIES:
        query = getattr(square, name)
        expected = query(rays)
        for found in (query(origins, directions), query((origins, directions))):
            if name == "line_hits":
                same(found.ahead, expected.ahead)
                same(found.behind, expected.behind)
            elif name in ("any_hit", "count_hits", "signed_count"):
                np.testing.assert_array_equal(found, expected)
            else:
                same(found, expected)
    assert 0 < square.any_hit(rays).sum() < rays[..., 0].size
    same(square.nearest_hits(origins, 1, directions), square.nearest_hits(rays, 1))
    lengths = np.linalg.norm(directions, axis=-1, keepdims=True)
    unit = np.concatenate(np.broadcast_arrays(origins, directions / lengths), axis=-1)
    same(square.lidar_returns((origins, directions / lengths)), square.lidar_returns(unit))
    surface = square.surface(origins, square.closest_hit(rays), directions)
    np.testing.assert_array_equal(surface.point, square.surface(rays, square.closest_hit(rays)).point)


def test_one_direction_is_for_all_origins(square):
    hits = square.closest_hit([[0.75, 0.25, 2], [5, 5, 2]], [0, 0, -1])
    assert hits.t.tolist() == [2, np.inf]
    assert square.closest_hit(np.ones((0, 3)), [0, 0, -1]).t.shape == (0,)
    for given, problem in (
        (([[0, 0, 1]] * 4, [[0, 0, 1]] * 5), r"^directions: there are \(5,\) of them, and \(4,\) origins$"),
        (([[0], [1]], [0, 0, -1]), r"^origins: its shape is \(2, 1\); \(\.\.\., 3\) was expected"),
        (([0, 0, 1], [[1], [2]]), r"^directions: its shape is \(2, 1\)"),
    ):
        with pytest.raises(ValueError, match=problem):
            square.closest_hit(*given)
    with pytest.raises(ValueError, match=r"^rays: there are \(4,\) of them; one ray"):
        square.pick(np.ones((4, 3)), [0, 0, -1])


class Frame:
    """A data frame like those of pandas."""

    def __init__(self, **columns):
        self.of_name, self.columns = columns, list(columns)

    def __getitem__(self, names):
        return Frame(**{name: self.of_name[name] for name in names})

    def __array__(self, dtype=None, copy=None):
        return np.stack(list(self.of_name.values()), axis=-1)


def test_columns_of_data_frames_are_read_by_name(square):
    rays = np.random.default_rng(2).random((40, 6)) - [0, 0, -1, 0, 0, 2]
    expected = square.closest_hit(rays)
    assert 0 < expected.is_hit.sum() < 40
    columns = dict(zip(NAMES, rays.T))
    shuffled = {name: columns[name] for name in ("dz", "ox", "dy", "oz", "dx", "oy")}
    ends = Frame(t_max=np.full(40, np.inf), **shuffled, t_min=np.zeros(40))
    unnamed = Frame(**dict(zip("abcdef", rays.T)))
    for frame in (Frame(**shuffled), ends, unnamed):
        same(square.closest_hit(frame), expected)
    points = {name: rays[:, place] for name, place in (("z", 2), ("x", 0), ("y", 1))}
    directions = Frame(dx=rays[:, 3], dy=rays[:, 4], dz=rays[:, 5])
    same(square.closest_hit(Frame(**points), directions), expected)
    pa = pytest.importorskip("pyarrow")
    same(square.closest_hit(pa.table(shuffled)), expected)
    np.testing.assert_array_equal(square.distance(pa.table(points)), square.distance(rays[:, :3]))
    for wrong in ({**shuffled, "dz2": rays[:, 0]}, {name: shuffled[name] for name in NAMES[:5]}):
        with pytest.raises(
            ValueError, match="^rays: its columns are .*; x y z or ox oy oz or .* was expected"
        ):
            square.closest_hit(Frame(**wrong))
