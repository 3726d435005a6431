"""Answers behave as arrays do: they are indexed and iterated, and become tables."""

import sys

import numpy as np
import pytest
from support import bumpy, random_rays, same

import lanecast
from lanecast import Scene

SHAPE = (4, 5, 3)
RANDOM = np.random.default_rng(3)
MASK = RANDOM.random(SHAPE) < 0.4
KEYS = {
    "number": 1,
    "of_numpy": np.int64(-1),
    "slice": slice(1, 3),
    "backwards": slice(None, None, -2),
    "all": slice(None),
    "ellipsis": ...,
    "last": (..., -1),
    "middle": (1, ..., 2),
    "single": (0, 1, 2),
    "single_and_ellipsis": (0, 1, 2, ...),
    "list": [2, 0, 2],
    "array": np.array([[3, 0], [1, 1]]),
    "arrays": (np.array([0, 1, 3]), slice(None), np.array([2, 2, 0])),
    "broadcast": np.ix_([0, 3], [1, 2], [0, 2]),
    "rows": MASK[:, 0, 0],
    "mask": MASK,
    "two": (slice(None), MASK[0, :, 0]),
    "none": np.zeros(SHAPE, bool),
    "new": (None, 1, ..., None),
    "empty": slice(0, 0),
}
"""Indices of arrays of this shape."""
OFFSETS = ("all_hits", "nearest_hits", "nearest_points", "lidar_returns")


def asked(query, rays):
    """The answers of a query to some rays, or to the points where they start."""
    scene = asked.scenes[rays.dtype.name]
    if query in ("closest_point", "nearest_points"):
        more = (4,) if query == "nearest_points" else ()
        options = {"normals": True} if query == "closest_point" else {}
        return getattr(scene, query)(rays[..., :3], *more, radius=1.2, **options)
    if query == "nearest_hits":
        return scene.nearest_hits(rays, 2, contact="touch")
    if query == "surface":
        return scene.surface(rays, scene.closest_hit(rays))
    options = {"normals": True} if query in ("closest_hit", "line_hits") else {}
    return getattr(scene, query)(rays, **options)


def pillars(precision):
    """Many hits a ray, some of them in an instance."""
    balls = Scene.build(lanecast.Spheres(RANDOM.uniform(0, 1, (30, 3)), 0.15), precision=precision)
    place = np.eye(4)
    place[2, 3] = -1
    return Scene.build(
        lanecast.Spheres(RANDOM.uniform(0, 1, (30, 3)), 0.2),
        lanecast.Instance(balls, place),
        precision=precision,
    )


asked.scenes = {"float32": pillars("f32"), "float64": pillars("f64")}
QUERIES = (
    *("closest_hit", "cost", "line_hits", "surface", "closest_point"),
    *OFFSETS,
)


def rays_of(shape, dtype="float32"):
    """Most of which hit the pillars, with directions of length 1."""
    rays = random_rays(shape, "float64")
    rays[..., 3:] = np.random.default_rng(2).uniform(0, 1, rays[..., 3:].shape) - rays[..., :3]
    rays[..., 3:] /= np.linalg.norm(rays[..., 3:], axis=-1, keepdims=True)
    return rays.astype(dtype)


def columns(answers):
    """All columns of answers by name, and what is made of them."""
    if isinstance(answers, lanecast.LineHits):
        return {
            side + name: column
            for side in ("ahead", "behind")
            for name, column in columns(getattr(answers, side)).items()
        }
    found = dict(answers.items())
    for name in ("is_hit", "ray_id", "pulse", "point_id"):
        if hasattr(answers, name):
            found[name] = getattr(answers, name)
    return found


def equal(found, expected):
    assert type(found) is type(expected)
    found, expected = columns(found), columns(expected)
    assert list(found) == list(expected)
    for name, column in found.items():
        assert column.dtype == expected[name].dtype and np.shape(column) == np.shape(expected[name])
        np.testing.assert_array_equal(column, expected[name], err_msg=name)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_rows_of_answers_are_the_answers_to_these_rows(query, key, dtype):
    rays = rays_of(SHAPE, dtype)
    answers, chosen = asked(query, rays), rays[(*key, slice(None)) if isinstance(key, tuple) else key]
    if key is ...:
        chosen = rays
    equal(answers[key], asked(query, np.ascontiguousarray(chosen)))
    assert answers.shape == SHAPE and answers[key].shape == chosen.shape[:-1]


@pytest.mark.parametrize("query", QUERIES)
def test_iteration_gives_an_answer_for_each_row_of_the_first_dimension(query):
    rays = rays_of((6, 2))
    answers = asked(query, rays)
    rows = list(answers)
    assert len(rows) == len(answers) == 6
    for row, ray in zip(rows, rays):
        equal(row, asked(query, ray))
    for single, ray in zip(rows[1], rays[1]):
        equal(single, asked(query, ray))
        # In the words of NumPy.
        for call in (len, iter, np.asarray):
            with pytest.raises(TypeError) as refused:
                call(single)
            if call is not np.asarray:
                with pytest.raises(TypeError) as expected:
                    call(np.array(1.0))
                assert str(refused.value) == str(expected.value)
    assert not list(asked(query, rays[:0]))


def test_answers_with_offsets_select_whole_lists_in_a_loop():
    rays = rays_of((5, 4))
    hits = asked("all_hits", rays)
    chosen = hits[[3, 0, 3], 1:]
    expected = []
    for row in (3, 0, 3):
        for column in (1, 2, 3):
            ray = 4 * row + column
            expected.append([hits.t[place] for place in range(hits.offsets[ray], hits.offsets[ray + 1])])
    assert [len(one) for one in expected] == np.diff(chosen.offsets).tolist() and max(map(len, expected)) > 3
    assert np.concatenate(expected).tolist() == chosen.t.tolist()
    of_rays = rays[[3, 0, 3], 1:].reshape(-1, 6)[chosen.ray_id].astype("float64")
    again = of_rays[:, :3] + of_rays[:, 3:] * chosen.t[:, None]
    np.testing.assert_allclose(
        again, asked.scenes["float32"].surface(of_rays, chosen).point, rtol=0, atol=1e-5
    )


def test_returns_of_beams_of_several_rays_are_indexed_by_pulses():
    lidar = lanecast.Lidar(np.linspace(-80, -10, 6), steps=30, poses=(0.5, 0.5, 1.5), turns=2)
    beams = lanecast.Footprint(lidar, divergence=80, number=7)
    returns = asked.scenes["float32"].lidar_returns(beams, lanecast.Receiver(keep="all", resolution=0.1))
    assert returns.status.shape == (2, 30, 6, 7) and returns.shape == (2, 30, 6) and len(returns) == 2
    pulses = np.arange(2 * 30 * 6).reshape(returns.shape)
    assert returns.return_number.max() > 1
    for key in (1, (..., 2), (0, 3, 4), RANDOM.random(returns.shape) < 0.3, pulses < 0):
        found, chosen = returns[key], np.ravel(pulses[key])
        expected = [np.flatnonzero(returns.pulse == pulse) for pulse in chosen]
        places = np.concatenate([np.empty(0, int), *expected])
        np.testing.assert_array_equal(found.point, returns.point[places])
        np.testing.assert_array_equal(
            found.pulse, np.repeat(np.arange(chosen.size), list(map(len, expected)))
        )
        np.testing.assert_array_equal(found.status.reshape(-1, 7), returns.status.reshape(-1, 7)[chosen])


def test_slices_are_views_and_masks_are_copies():
    hits = asked("closest_hit", rays_of(SHAPE))
    for key in (1, slice(1, None), (..., 0), (2, 3, 1)):
        assert np.shares_memory(hits[key].t, hits.t) and np.shares_memory(hits[key].normal, hits.normal)
    assert not np.shares_memory(hits[MASK].t, hits.t)
    hits[1, 2].t[...] = 7
    assert (hits.t[1, 2] == 7).all()


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    "key",
    [4, -5, (0, 0, 0, 0), "t", 1.5, np.zeros(3, bool), MASK[:, :2], (..., ...), slice(None, None, 0)],
    ids=str,
)
def test_indices_that_numpy_refuses_are_refused_alike(query, key):
    answers, like = asked(query, rays_of(SHAPE)), np.empty(SHAPE)
    with pytest.raises((IndexError, ValueError)) as expected:
        like[key]
    with pytest.raises(type(expected.value)):
        answers[key]


def test_a_mask_of_hits_is_told_from_one_of_rays():
    hits = asked("all_hits", rays_of(SHAPE))
    with pytest.raises(
        IndexError, match=r"rows, of shape \(4, 5, 3\); use it on a column, such as .t\[mask\]$"
    ):
        hits[hits.t < 1]


def test_answers_without_some_columns_are_indexed_too():
    scene, rays = bumpy(), random_rays((7, 2))
    for names in (("t",), ("normal",), ("status", "u"), ("primitive_id", "normal")):
        kinds = {"t": "float32", "u": "float32", "status": "uint8", "primitive_id": "uint32"}
        out = {
            name: np.zeros((7, 2, 3), "float32") if name == "normal" else np.zeros((7, 2), kinds[name])
            for name in names
        }
        hits = scene.closest_hit(rays, out=out, normals=True)
        assert hits.shape == (7, 2) and len(hits) == 7 and sorted(dict(hits[1:].items())) == sorted(names)
        for name in names:
            np.testing.assert_array_equal(getattr(hits[:, 1], name), out[name][:, 1])


def test_ids_and_triangles_are_indexed():
    scene = bumpy(size=6)
    triangles, ids = scene.triangles(), scene.overlap(lanecast.Box([0, 0, -1], [0.5, 0.5, 1]))
    for answers in (triangles, ids):
        chosen = RANDOM.random(len(answers)) < 0.5
        same(answers[chosen], type(answers)(**{name: column[chosen] for name, column in answers.items()}))
        assert [int(one.primitive_id) for one in answers] == answers.primitive_id.tolist()
    assert triangles[3].vertices.shape == (3, 3)


def test_picked_answers_are_taken_by_other_queries():
    scene, rays = bumpy(), random_rays((40,))
    hits = scene.closest_hit(rays)
    met, chosen = rays[hits.is_hit], hits[hits.is_hit]
    expected = scene.surface(rays, hits)[hits.is_hit]
    same(scene.surface(met, chosen), expected)
    assert scene.any_hit(met).all() and not (scene.closest_hit(met, skip=chosen).t == chosen.t).any()


# Tables.

AXES = ("ox", "oy", "oz", "dx", "dy", "dz")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("query", "name"),
    [("closest_hit", "closest"), ("farthest_hit", "farthest"), ("all_hits", "all"), ("line_hits", "line")],
)
def test_tables_are_those_of_arrow_batches(query, name, dtype):
    pa = pytest.importorskip("pyarrow")
    rays = rays_of((8, 5), dtype)
    rays[1, 2] = np.nan
    for scene in (asked.scenes[dtype], bumpy(dtype)):
        batch = pa.table({axis: rays[..., place].ravel() for place, axis in enumerate(AXES)})
        expected = lanecast.cast_arrow(scene, batch, name)
        found = getattr(scene, query)(rays, invalid="miss").to_arrow()
        assert found.schema == expected.schema and found.equals(expected)
        found.validate(full=True)
        assert "invalid_origin" in found["status"].to_pylist() if "status" in found.column_names else True


def test_vectors_are_lists_of_a_fixed_size_and_null_where_nothing_is_met():
    pa = pytest.importorskip("pyarrow")
    rays = rays_of((3, 7))
    hits = asked("closest_hit", rays)
    table = hits.to_arrow()
    table.validate(full=True)
    assert table.schema.field("normal").type == pa.list_(pa.float32(), 3)
    rows = table.to_pylist()
    assert 0 < hits.is_hit.sum() < 21
    for row, hit in zip(rows, (one for line in hits for one in line)):
        assert row["normal"] == (hit.normal.tolist() if hit.is_hit else None)
        assert row["status"] == lanecast.STATUSES[int(hit.status)]
    assert [row["ray_id"] for row in rows] == list(range(21))
    triangles = bumpy(size=3).triangles()
    table = triangles.to_arrow()
    assert table["vertices"].to_pylist() == triangles.vertices.tolist()
    assert table.column_names == ["geometry_id", "primitive_id", "vertices"]


@pytest.mark.parametrize("query", QUERIES)
def test_all_answers_make_tables(query):
    pytest.importorskip("pyarrow")
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for shape in ((4, 3), (), (0,), (2, 0)):
        answers = asked(query, rays_of(shape))
        table, frame, polar = answers.to_arrow(), answers.to_pandas(), answers.to_polars()
        table.validate(full=True)
        assert len(table) == len(frame) == len(polar)
        assert polar.columns == table.column_names and polar.to_dicts() == table.to_pylist()
        number = {"closest_point": "point_id", "nearest_points": "point_id", "lidar_returns": "pulse"}.get(
            query, "ray_id"
        )
        assert table.column_names[0] == number and "offsets" not in table.column_names
        if query in OFFSETS:
            assert table[number].to_pylist() == getattr(answers, number).tolist() and "status" not in frame
        assert not any(str(kind) == "object" and name != "status" for name, kind in frame.dtypes.items())
        for name in table.column_names:
            if name in ("point", "normal", "shading_normal"):
                parts = ("x", "y", "z") if name == "point" else ("nx", "ny", "nz")
                listed = [[None] * 3 if row is None else row for row in table[name].to_pylist()]
                for place, part in enumerate(parts):
                    expected = [np.nan if row[place] is None else row[place] for row in listed]
                    np.testing.assert_array_equal(frame[part].to_numpy("float64"), expected)
            elif table[name].type == "int64":
                assert frame[name].dtype == pd.Int64Dtype()
                assert [None if value is pd.NA else value for value in frame[name]] == table[name].to_pylist()
    assert isinstance(polar, pl.DataFrame)


def test_tables_of_lines_have_both_sides():
    pytest.importorskip("pyarrow")
    rays = rays_of((40,))
    rays[::2, 3:] *= -1
    rays[5] = np.nan
    sides = asked.scenes["float32"].line_hits(rays, invalid="miss")
    expected = []
    for row, (ahead, behind) in enumerate(zip(sides.ahead, sides.behind)):
        is_hit = ahead.is_hit or behind.is_hit
        status = "invalid_origin" if row == 5 else "hit" if is_hit else "miss"
        t = [float(side.t) if side.is_hit else None for side in (ahead, behind)]
        expected.append((row, status, *t))
    table = sides.to_arrow().to_pylist()
    assert [(row["ray_id"], row["status"], row["t"], row["behind_t"]) for row in table] == expected
    assert sum(t is None and behind is not None for *_, t, behind in expected) > 3


def test_corners_of_triangles_are_columns_of_pandas():
    pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    triangles = bumpy(size=3).triangles()
    frame = triangles.to_pandas()
    names = ["ax", "ay", "az", "bx", "by", "bz", "cx", "cy", "cz"]
    assert list(frame.columns) == ["geometry_id", "primitive_id", *names]
    np.testing.assert_array_equal(frame[names].to_numpy(), triangles.vertices.reshape(-1, 9))


@pytest.mark.parametrize(
    ("package", "method"),
    [("pyarrow", "to_arrow"), ("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_pandas")],
)
def test_a_package_that_is_not_there_is_named(package, method, monkeypatch):
    if package != "pyarrow":
        pytest.importorskip("pyarrow")
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "lanecast._arrow_answers", raising=False)
    monkeypatch.delattr(lanecast, "_arrow_answers", raising=False)
    hits = asked("closest_hit", rays_of((3,)))
    how = "lanecast.arrow" if package == "pyarrow" else package
    with pytest.raises(
        ImportError, match=f"needs? {package}: pip install '?{how}".replace(".arrow", r"\[arrow")
    ):
        getattr(hits, method)()


def test_a_table_needs_statuses():
    pytest.importorskip("pyarrow")
    hits = bumpy().closest_hit(random_rays((4,)), out={"t": np.zeros(4, "float32")})
    with pytest.raises(ValueError, match="^status: out= left it out"):
        hits.to_arrow()


def test_tables_do_not_change_with_arrays_that_are_filled_again():
    for package in ("pyarrow", "pandas", "polars"):
        pytest.importorskip(package)
    scene, rays = bumpy(), random_rays((60,))
    hits = scene.closest_hit(rays, normals=True)
    table, polar, frame = hits.to_arrow(), hits.to_polars(), hits.to_pandas()
    assert hits.is_hit.any()
    before, t = table.to_pylist(), np.where(hits.is_hit, hits.t, np.nan)
    for _, column in hits.items():
        column[...] = 0
    assert table.to_pylist() == polar.to_dicts() == before
    np.testing.assert_array_equal(frame.t, t)


def test_no_columns_have_no_shape():
    hits = bumpy().closest_hit(random_rays((4,)), out={})
    with pytest.raises(ValueError, match="^out= left out all columns$"):
        len(hits)
