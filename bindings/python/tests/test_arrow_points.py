"""Points in Arrow record batches."""

import numpy as np
import pytest
from reference import closest_on_triangles, torus, winding_numbers

import lanecast
from lanecast import INVALID_ID, STATUSES, Instance, Scene

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

AXES = ("x", "y", "z")
QUERIES = {name: {} for name in ("closest", "distance", "signed", "contains", "winding")}
QUERIES.update(nearest={"count": 3}, within={"radius": 1.5})
SEVERAL = ("nearest", "within")
NEAR = ("distance", "x", "y", "z", "primitive_id", "geometry_id", "instance_id", "u", "v")


def closed(precision="f32"):
    return Scene(*torus(), precision=precision)


@pytest.fixture(scope="module")
def scene():
    return closed()


def some_points(rows=1000, dtype="float32", seed=5):
    return np.random.default_rng(seed).uniform([-4.5, -4.5, -1.5], [4.5, 4.5, 1.5], (rows, 3)).astype(dtype)


def columns_of(points):
    return {name: pa.array(np.ascontiguousarray(column)) for name, column in zip(AXES, points.T)}


def batch_of(points, **others):
    return pa.record_batch({**columns_of(points), **others})


def expected(scene, points, query, **options):
    """The answers by the calls of Scene, as lists with None for null; defects of points by closest_point."""
    how = dict(options, invalid="miss")
    codes = scene.closest_point(points, invalid="miss").status
    status = lambda is_hit: [STATUSES[code if code > 1 else int(hit)] for code, hit in zip(codes, is_hit)]
    none_unless = lambda valid, values: [
        x if is_valid else None for is_valid, x in zip(valid, values.tolist())
    ]
    numbers = list(range(len(points)))
    if query in ("distance", "signed"):
        distance = (scene.distance if query == "distance" else scene.signed_distance)(points, **how)
        valid = np.isfinite(distance)
        return {"point_id": numbers, "status": status(valid), "distance": none_unless(valid, distance)}
    if query == "contains":
        inside = scene.contains(points, **how)
        return {"point_id": numbers, "status": status(inside), "inside": inside.tolist()}
    if query == "winding":
        winding = scene.winding_number(points, **how)
        values = none_unless(codes < 2, winding)
        return {"point_id": numbers, "status": status(np.abs(winding) >= 0.5), "winding_number": values}
    if query == "closest":
        found = scene.closest_point(points, **how)
        valid, head = found.is_hit, {"point_id": numbers, "status": [STATUSES[code] for code in found.status]}
    else:
        call = scene.nearest_points if query == "nearest" else scene.points_within
        found = call(points, how.pop("count", None) or how.pop("radius"), **how)
        valid, head = np.ones(len(found.distance), bool), {"point_id": found.point_id.tolist()}
    columns = {name: getattr(found, name) for name in NEAR if name not in AXES}
    columns.update(zip(AXES, found.point.T))
    if columns["instance_id"] is None:
        columns["instance_id"] = np.full(len(valid), INVALID_ID, "uint32")
    of_instance = columns["instance_id"] != INVALID_ID
    return {
        **head,
        **{
            name: none_unless(of_instance if name == "instance_id" else valid, columns[name]) for name in NEAR
        },
    }


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_answers_are_those_of_the_scene(precision, dtype, query):
    scene, points = closed(precision), some_points(dtype=dtype)
    points[[3, 500]] = [[np.nan, 0, 0], [0, -np.inf, 0]]
    answers = lanecast.points_arrow(scene, batch_of(points), query, **QUERIES[query])
    answers.validate(full=True)
    assert answers.to_pydict() == expected(scene, points, query, **QUERIES[query])
    float_type = pa.float32() if precision == "f32" else pa.float64()
    types = {"status": pa.string(), "inside": pa.bool_(), "winding_number": pa.float32()}
    types.update(dict.fromkeys(("distance", "u", "v", *AXES), float_type))
    assert answers.schema.types == [types.get(name, pa.int64()) for name in answers.schema.names]
    if query not in SEVERAL:
        rows = answers["status"].to_pylist()
        assert rows[3] == rows[500] == "invalid_origin" and rows.count("invalid_origin") == 2


@pytest.mark.parametrize("query", ["closest", "nearest", "within"])
def test_a_radius_is_a_number_or_a_column(scene, query):
    points = some_points()
    radius = np.random.default_rng(2).uniform(0, 1.2, 1000)
    options = {name: value for name, value in QUERIES[query].items() if name != "radius"}
    for given in (radius, radius.astype("float32")):
        answers = lanecast.points_arrow(scene, batch_of(points, radius=pa.array(given)), query, **options)
        want = expected(scene, points, query, **options, radius=given)
        assert answers.to_pydict() == want
    same = lanecast.points_arrow(scene, batch_of(points), query, **options, radius=0.5).to_pydict()
    assert same == expected(scene, points, query, **options, radius=0.5) != want
    nulls = batch_of(points[:3], radius=pa.array([9.0, None, -1.0]))
    answers = lanecast.points_arrow(scene, nulls, query, **options)
    if query == "closest":
        assert answers["status"].to_pylist() == ["hit", "invalid_interval", "empty_interval"]
    else:
        assert set(answers["point_id"].to_pylist()) == {0}


@pytest.mark.parametrize("query", ["distance", "signed", "contains", "winding"])
def test_a_column_radius_passes_through_where_no_radius_is_asked_for(scene, query):
    radius = pa.array(["wide"] * 9)
    answers = lanecast.points_arrow(scene, batch_of(some_points(9), radius=radius), query)
    assert answers["radius"].equals(radius)


def test_answers_are_those_of_all_triangles(scene):
    vertices, triangles = torus()
    points = some_points(300)
    distances, closest = closest_on_triangles(points, vertices[triangles])
    found = lanecast.points_arrow(scene, batch_of(points))
    assert np.allclose(found["distance"].to_numpy(), distances.min(axis=1), rtol=1e-5, atol=1e-6)
    nearest = distances.argmin(axis=1)
    places = np.stack([found[axis].to_numpy() for axis in AXES], axis=1)
    assert np.allclose(places, closest[np.arange(300), nearest], atol=1e-4)
    winding = winding_numbers(points, vertices[triangles])
    inside = np.round(winding) != 0
    assert 30 < inside.sum() < 270
    assert lanecast.points_arrow(scene, batch_of(points), "contains")["inside"].to_pylist() == inside.tolist()
    numbers = lanecast.points_arrow(scene, batch_of(points), "winding", accuracy=np.inf)["winding_number"]
    assert np.allclose(numbers.to_numpy(), winding, atol=1e-4)
    signed = lanecast.points_arrow(scene, batch_of(points), "signed")["distance"].to_numpy()
    assert np.allclose(signed, np.where(inside, -1, 1) * distances.min(axis=1), rtol=1e-5, atol=1e-6)
    within = lanecast.points_arrow(scene, batch_of(points), "within", radius=1.5)["point_id"].to_numpy()
    assert np.bincount(within, minlength=300).tolist() == (distances <= 1.5).sum(axis=1).tolist()


@pytest.mark.parametrize("turned", [False, True])
def test_the_status_of_winding_numbers_says_what_is_inside(turned):
    vertices, triangles = torus()
    # Half of it is open, where numbers are parts of 1.
    triangles = np.delete(triangles, slice(0, 100, 2), axis=0)
    scene = Scene(vertices, triangles[:, ::-1] if turned else triangles)
    points = some_points()
    inside = scene.contains(points, generalised_winding=4)
    answers = lanecast.points_arrow(scene, batch_of(points), "winding", accuracy=4)
    assert answers["status"].to_pylist() == ["hit" if is_inside else "miss" for is_inside in inside]
    size = np.abs(answers["winding_number"].to_numpy())
    assert ((size > 0.3) & (size < 0.5)).sum() > 5 and ((size > 0.5) & (size < 0.7)).sum() > 5


def test_normals_of_length_1_come_on_request(scene):
    points = some_points()
    answers = lanecast.points_arrow(scene, batch_of(points), columns=["normal", "distance"], radius=0.5)
    assert answers.schema.names == ["nx", "ny", "nz", "distance"]
    found = scene.closest_point(points, radius=0.5, normals=True)
    normals = found.normal[found.is_hit].astype("float64")
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    for place, axis in enumerate(AXES):
        assert np.allclose(answers["n" + axis].drop_null().to_numpy(), normals[:, place], atol=1e-7)
        assert answers["n" + axis].null_count == answers["distance"].null_count == (~found.is_hit).sum() > 0


def test_instances_are_numbered_and_null_outside_of_one(scene):
    shift = np.eye(4)
    shift[0, 3] = 9
    both = Scene.build(
        lanecast.Spheres([[4.0, 0, 0]], 0.5), Instance(scene, np.eye(4)), Instance(scene, shift)
    )
    points = some_points() * [2, 1, 1] + [4, 0, 0]
    for query in ("closest", "nearest"):
        answers = lanecast.points_arrow(both, batch_of(points), query, **QUERIES[query])
        assert answers.to_pydict() == expected(both, points, query, **QUERIES[query])
        assert set(answers["instance_id"].to_pylist()) == {None, 0, 1}


def test_an_empty_scene_is_missed():
    nothing = Scene.build(lanecast.Spheres(np.zeros((0, 3)), 1.0))
    points = batch_of(np.array([[0, 0, 0], [np.nan, 0, 0]]))
    for query in ("closest", "distance", "signed", "contains", "winding"):
        answers = lanecast.points_arrow(nothing, points, query)
        assert answers["status"].to_pylist() == ["miss", "invalid_origin"], query
        if query in ("closest", "distance", "signed"):
            assert answers["distance"].null_count == 2, query


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("query", QUERIES)
def test_points_that_cannot_be_used_have_the_status_of_closest_points(precision, query):
    scene = closed(precision)
    edge = 2.0**100
    far = [0, 1, edge, edge * (1 + 1e-9), edge * 1.001, 1e300, np.inf, -np.inf, np.nan]
    points = np.array([[value, -0.5, 0.25] for value in far] + [[0, 0, -value] for value in far])
    answers = lanecast.points_arrow(scene, batch_of(points), query, **QUERIES[query])
    codes = scene.closest_point(points, invalid="miss").status
    assert 0 < (codes > 1).sum() <= 10
    if query in SEVERAL:
        assert not set(answers["point_id"].to_pylist()) & set(np.flatnonzero(codes > 1))
        return
    status = answers["status"].to_pylist()
    assert [word if word not in ("hit", "miss") else "" for word in status] == [
        STATUSES[code] if code > 1 else "" for code in codes
    ]
    for name in {"distance", "winding_number"} & set(answers.schema.names):
        assert answers[name].is_null().to_pylist() == (codes > 1).tolist()


def as_vectors(points, kind):
    if kind == "struct":
        # In another order than the axes.
        arrays = [pa.array(points[:, axis]) for axis in (2, 0, 1)]
        return pa.record_batch({"point": pa.StructArray.from_arrays(arrays, ["z", "x", "y"])})
    return pa.record_batch({"point": pa.FixedSizeListArray.from_arrays(pa.array(points.ravel()), 3)})


@pytest.mark.parametrize("kind", ["struct", "list"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_points_are_structs_or_lists_of_three(scene, kind, dtype):
    points = some_points(dtype=dtype)
    batch = as_vectors(points, kind)
    for query, options in QUERIES.items():
        answers = lanecast.points_arrow(scene, batch, query, **options)
        assert answers.to_pydict() == expected(scene, points, query, **options)


def test_axes_may_differ_in_type(scene):
    points = some_points(dtype="float64")
    batch = batch_of(points, y=pa.array(points[:, 1].astype("float32")))
    rounded = points.copy()
    rounded[:, 1] = points[:, 1].astype("float32")
    for held in (scene, closed("f64")):
        assert lanecast.points_arrow(held, batch).to_pydict() == expected(held, rounded, "closest")


def everything(points):
    """A batch of all kinds of columns, with nulls."""
    nulls = np.random.default_rng(9).random(len(points)) < 0.2
    columns = columns_of(points)
    columns["y"] = pa.array(points[:, 1], mask=nulls)
    columns["z"] = columns["z"].dictionary_encode()
    columns["point_id"] = pa.array(np.arange(len(points), dtype="uint16") * 3 + 7)
    columns["flag"] = pa.array(nulls, mask=~nulls)
    columns["word"] = pa.array([f"w{row % 5}" for row in range(len(points))]).dictionary_encode()
    columns["view"] = pa.array([f"v{row % 3}" for row in range(len(points))], pa.string_view())
    return pa.record_batch(columns), nulls


@pytest.mark.parametrize("query", QUERIES)
def test_other_columns_pass_through_and_nulls_have_a_status(scene, query):
    points, options = some_points(), QUERIES[query]
    batch, nulls = everything(points)
    points[nulls, 1] = np.nan
    want = expected(scene, points, query, **options)
    answers = lanecast.points_arrow(scene, batch, query, **options)
    answers.validate(full=True)
    rows = want.pop("point_id")
    found = answers.to_pydict()
    assert found.pop("point_id") == [row * 3 + 7 for row in rows]
    for name in ("flag", "word", "view"):
        column = batch[name].to_pylist()
        assert found.pop(name) == [column[row] for row in rows]
    assert found == want
    if query in SEVERAL:
        assert not set(rows) & set(np.flatnonzero(nulls)) and len(rows) > len(set(rows)) > 100
    else:
        assert want["status"].count("invalid_origin") == nulls.sum() > 100


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("first, rows", [(0, 1000), (13, 500), (999, 1), (3, 0)])
def test_a_slice_has_the_answers_of_its_rows(scene, query, first, rows):
    points, options = some_points(), QUERIES[query]
    for batch in (everything(points)[0], as_vectors(points, "struct"), as_vectors(points, "list")):
        whole = lanecast.points_arrow(scene, batch, query, **options)
        part = lanecast.points_arrow(scene, batch.slice(first, rows), query, first_row=first, **options)
        ids = batch["point_id"].to_pylist() if "point_id" in batch.schema.names else list(range(1000))
        wanted = [row for row in whole.to_pylist() if row["point_id"] in set(ids[first : first + rows])]
        assert part.to_pylist() == wanted and part.schema == whole.schema


@pytest.mark.parametrize("kind", ["struct", "list"])
def test_a_null_vector_gives_its_row_a_status(scene, kind):
    points, nulls = some_points(64), np.isin(np.arange(64), [3, 17, 63])
    # Sound numbers beneath the null.
    if kind == "struct":
        parts = [pa.array(points[:, axis]) for axis in range(3)]
        column = pa.StructArray.from_arrays(parts, AXES, mask=pa.array(nulls))
    else:
        column = pa.FixedSizeListArray.from_arrays(pa.array(points.ravel()), 3, mask=pa.array(nulls))
    for query in ("closest", "distance", "signed", "contains", "winding"):
        status = lanecast.points_arrow(scene, pa.record_batch({"point": column}), query)["status"]
        assert [word == "invalid_origin" for word in status.to_pylist()] == nulls.tolist()


@pytest.mark.parametrize("query", QUERIES)
def test_streams_of_several_batches_have_the_answers_of_one(scene, query):
    points, options = some_points(), QUERIES[query]
    batch = batch_of(points, beam=pa.array(np.arange(1000)))
    want = lanecast.points_arrow(scene, batch, query, **options)
    taken = []

    def batches():
        for first, rows in ((0, 7), (7, 0), (7, 493), (500, 500)):
            taken.append(first)
            yield batch.slice(first, rows)

    reader = pa.RecordBatchReader.from_batches(batch.schema, batches())
    answers = lanecast.points_stream(scene, reader, query, **options)
    assert answers.schema == want.schema and taken == []
    first = answers.read_next_batch()
    assert taken == [0] and first.equals(want.slice(0, first.num_rows)) and first.num_rows > 0
    assert answers.read_all().equals(pa.Table.from_batches([want.slice(first.num_rows)]))
    table = pa.concat_tables([pa.Table.from_batches([batch.slice(at, 250)]) for at in range(0, 1000, 250)])
    assert lanecast.points_arrow(scene, table, query, **options).equals(pa.Table.from_batches([want]))
    empty = pa.RecordBatchReader.from_batches(batch.schema, [])
    assert lanecast.points_arrow(scene, empty, query, **options).schema == want.schema


def test_polars_duckdb_and_pandas_give_their_rows_as_they_are(scene):
    polars, pandas, duckdb = (pytest.importorskip(name) for name in ("polars", "pandas", "duckdb"))
    points = some_points()
    frame = pandas.DataFrame(dict(zip(AXES, points.T)))
    frame["tree"] = [f"tree {row}" for row in range(1000)]
    for given in (frame, polars.from_pandas(frame), duckdb.from_arrow(pa.Table.from_pandas(frame))):
        answers = lanecast.points_arrow(scene, given, "signed").to_pydict()
        assert answers.pop("tree") == frame.tree.tolist()
        assert answers == expected(scene, points, "signed")


def test_keep_and_columns_say_what_comes_out(scene):
    batch = batch_of(some_points(4), distance=pa.array([0.0] * 4), tree=pa.array(["a"] * 4))
    names = lambda *args, **how: lanecast.points_arrow(scene, batch, *args, **how).schema.names
    assert names("contains") == ["point_id", "status", "inside", "distance", "tree"]
    assert names(columns=["point", "u"], keep=["tree"]) == [*AXES, "u", "tree"]
    assert names("within", ["primitive_id"], keep=[], radius=2) == ["primitive_id"]
    assert names(columns=["status"], keep=[]) == ["status"]
    assert names("winding", first_row=None, keep=["tree"]) == ["status", "winding_number", "tree"]


@pytest.mark.parametrize(
    "change, error, message",
    [
        ({"y": pa.array([1, 2])}, TypeError, 'column "y": int64 is not float32 or float64'),
        ({"y": None}, ValueError, 'no column "y", nor "point"; found x, z'),
        ({"y": None, "Y": pa.array([1.0, 2])}, ValueError, 'column "Y" is not known; did you mean "y"'),
        ({"pos_x": pa.array([1.0, 2])}, ValueError, 'column "pos_x" is not known; did you mean "x"'),
        ({"point id": pa.array([1, 2])}, ValueError, '"point id" is not known; did you mean "point_id"'),
        ({"point_ids": pa.array([1, 2])}, ValueError, '"point_ids" is not known; did you mean "point_id"'),
        ({"pointindex": pa.array([1, 2])}, ValueError, '"pointindex" is not known; did you mean "point_id"'),
        ({"points": pa.array([1, 2])}, ValueError, 'column "points" is not known; did you mean "point"'),
        ({"Radius": pa.array([1.0, 2])}, ValueError, 'column "Radius" is not known; did you mean "radius"'),
        ({"radius": pa.array([1, 2])}, TypeError, 'column "radius": int64 is not float32 or float64'),
        ({"point": pa.array(["a", "b"])}, ValueError, 'column "x": there is a column "point" too'),
        ({"point_id": pa.array([1.0, 2])}, TypeError, '"point_id": double is not a type of whole numbers'),
        ({"point_id": pa.array([1, None])}, ValueError, 'row 1: column "point_id" is null'),
        ({"distance": pa.array([1.0, 2])}, ValueError, 'column "distance": an answer has this name'),
    ],
)
def test_columns_that_do_not_fit_are_refused_by_name(scene, change, error, message):
    columns = {**columns_of(some_points(2)), **change}
    columns = {name: column for name, column in columns.items() if column is not None}
    for given in (pa.record_batch(columns), pa.table(columns)):
        with pytest.raises(error, match=message):
            lanecast.points_arrow(scene, given)


def test_columns_of_other_names_pass_through(scene):
    names = ["tx", "x_error", "position", "pointer", "price", "row", "radians", "Z0", "ray_id", "dist"]
    others = {name: pa.array([1, 2]) for name in names}
    assert (
        lanecast.points_arrow(scene, batch_of(some_points(2), **others)).schema.names[-len(names) :] == names
    )


def test_arguments_that_do_not_fit_are_refused_by_name(scene):
    batch = batch_of(some_points(4), tree=pa.array(["a"] * 4))
    ask = lambda *args, **options: lanecast.points_arrow(scene, batch, *args, **options)
    known = "closest, distance, signed, contains, winding, nearest, within"
    with pytest.raises(ValueError, match=f"query: it is 'inside'; {known} was expected"):
        ask("inside")
    with pytest.raises(ValueError, match="columns: the query contains has no 'distance'; it has point_id"):
        ask("contains", ["distance"])
    with pytest.raises(ValueError, match="columns: the query within has no 'normal'"):
        ask("within", ["normal"], radius=1)
    with pytest.raises(TypeError, match="count: the query nearest needs it"):
        ask("nearest")
    with pytest.raises(TypeError, match="radius: the query within needs it"):
        ask("within")
    with pytest.raises(ValueError, match='keep: column "x" is one of the points'):
        ask(keep=["x"])
    for query in ("distance", "signed", "contains", "winding"):
        with pytest.raises(TypeError, match=f"no argument .radius. of the query {query}"):
            ask(query, radius=1)
    for name in ("normals", "out", "invalid", "t_max", "limit"):
        with pytest.raises(TypeError, match=f"no argument .{name}. of the query closest of points"):
            ask(**{name: None})
    with pytest.raises(TypeError, match="radius: it is of <class 'list'>; a number for all points"):
        ask(radius=[1, 2, 3, 4])
    for unusable in (-1, np.nan):
        with pytest.raises(ValueError, match=f"radius: it is {unusable}; a number from 0 on was expected"):
            ask("within", radius=unusable)
    with pytest.raises(ValueError, match="accuracy: it is 0.5; it must be at least 1"):
        ask("winding", accuracy=0.5)
    with pytest.raises(ValueError, match='radius: there is a column "radius" too'):
        lanecast.points_arrow(scene, batch_of(some_points(1), radius=pa.array([1.0])), radius=1)
    with pytest.raises(ValueError, match='no column "point_id": rows of a job are not numbered'):
        ask(first_row=None, keep=[])
    with pytest.raises(TypeError, match="batch: it is of <class 'dict'>"):
        lanecast.points_arrow(scene, {})


def test_open_surfaces_are_refused_before_anything_is_written(tmp_path):
    vertices, triangles = torus()
    scene = Scene(vertices, triangles[1:])
    batch = batch_of(some_points(100))
    pq.write_table(pa.Table.from_batches([batch]), tmp_path / "points.parquet")
    for query in ("signed", "contains"):
        want = "the surface is open along an edge of triangle"
        with pytest.raises(ValueError, match=want):
            lanecast.points_arrow(scene, batch, query)
        with pytest.raises(ValueError, match=want):
            lanecast.points_stream(scene, pa.Table.from_batches([batch]), query)
        with pytest.raises(ValueError, match=want):
            lanecast.points_parquet(scene, tmp_path / "points.parquet", tmp_path / "answers", query)
        assert not (tmp_path / "answers").exists()
        how = {"generalised_winding": 4}
        assert lanecast.points_arrow(scene, batch, query, **how).to_pydict() == expected(
            scene, some_points(100), query, **how
        )
