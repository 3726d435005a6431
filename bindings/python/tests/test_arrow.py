"""Rays in Arrow record batches."""

import decimal
import doctest
import importlib

import numpy as np
import pytest

import lanecast
from lanecast import INVALID_ID, STATUSES, Instance, Scene

pa = pytest.importorskip("pyarrow")

NAMES = ("ox", "oy", "oz", "dx", "dy", "dz")
QUERIES = {name: {} for name in ("closest", "farthest", "line", "any", "count", "cost", "all")}
QUERIES["nearest"] = {"limit": 2}


def soup(precision="f32", triangles=400, seed=3):
    random = np.random.default_rng(seed)
    corners = random.random((triangles, 1, 3)) + 0.4 * random.random((triangles, 3, 3))
    return Scene(corners.reshape(-1, 3), np.arange(3 * triangles).reshape(-1, 3), precision=precision)


def some_rays(rows=1000, dtype="float32", seed=5):
    random = np.random.default_rng(seed)
    return np.concatenate(
        [2 * random.random((rows, 3)) - 0.3, random.standard_normal((rows, 3))], axis=1
    ).astype(dtype)


def columns_of(rays):
    return {name: pa.array(np.ascontiguousarray(column)) for name, column in zip(NAMES, rays.T)}


def batch_of(rays, **others):
    return pa.record_batch({**columns_of(rays), **others})


@pytest.fixture(scope="module")
def scene():
    return soup()


def expected(scene, rays, **options):
    """The answers by the native queries, as lists with None for null."""
    return of_hits(scene.closest_hit(rays, invalid="miss", **options))


def of_hits(hits):
    ids = lambda values: [None if value == INVALID_ID else int(value) for value in values]
    floats = lambda values: [float(value) if hit else None for value, hit in zip(values, hits.is_hit)]
    none = [None] * len(hits)
    return {
        "ray_id": list(range(len(hits))),
        "status": [STATUSES[code] for code in hits.status],
        "t": floats(hits.t),
        "primitive_id": ids(hits.primitive_id),
        "geometry_id": ids(hits.geometry_id),
        "instance_id": none if hits.instance_id is None else ids(hits.instance_id),
        "u": floats(hits.u),
        "v": floats(hits.v),
    }


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_closest_hits_are_the_native_ones_with_null_for_a_miss(precision, dtype):
    scene, rays = soup(precision), some_rays(dtype=dtype)
    answers = lanecast.cast_arrow(scene, batch_of(rays))
    answers.validate(full=True)
    assert answers.to_pydict() == expected(scene, rays)
    assert 100 < answers["t"].null_count < 900
    float_type = pa.float32() if precision == "f32" else pa.float64()
    assert answers.schema.types == [
        pa.int64(),
        pa.string(),
        float_type,
        *[pa.int64()] * 3,
        float_type,
        float_type,
    ]


def test_instances_are_numbered_and_null_outside_of_one(scene):
    shift = np.eye(4)
    shift[0, 3] = 1.5
    both = Scene.build(
        lanecast.Spheres([[0.0, 0.0, 0.0]], 0.5), Instance(scene, np.eye(4)), Instance(scene, shift)
    )
    rays = some_rays()
    answers = lanecast.cast_arrow(both, batch_of(rays))
    assert answers.to_pydict() == expected(both, rays)
    assert set(answers["instance_id"].to_pylist()) == {None, 0, 1}
    assert answers["instance_id"].null_count > answers["t"].null_count


def test_any_and_count_are_the_native_ones(scene):
    rays = some_rays()
    hits, counts = (lanecast.cast_arrow(scene, batch_of(rays), query) for query in ("any", "count"))
    assert hits["hit"].to_pylist() == scene.any_hit(rays).tolist()
    assert hits["status"].to_pylist() == ["hit" if hit else "miss" for hit in scene.any_hit(rays)]
    assert counts["count"].to_pylist() == scene.count_hits(rays).tolist()
    assert max(counts["count"].to_pylist()) > 3 and counts.schema.names == ["ray_id", "status", "count"]


def test_all_hits_have_a_row_each_with_what_passes_through(scene):
    rays, names = some_rays(), pa.array([f"beam {row}" for row in range(1000)])
    batch = batch_of(rays, ray_id=pa.array(np.arange(1000) * 10 - 77), beam=names)
    for query, hits in (("all", scene.all_hits(rays)), ("nearest", scene.nearest_hits(rays, 2))):
        answers = lanecast.cast_arrow(scene, batch, query, **QUERIES[query])
        answers.validate(full=True)
        assert answers["ray_id"].to_pylist() == (hits.ray_id * 10 - 77).tolist()
        assert answers["beam"].to_pylist() == [f"beam {row}" for row in hits.ray_id]
        for name in ("t", "primitive_id", "geometry_id", "u", "v"):
            assert answers[name].to_numpy().tolist() == getattr(hits, name).tolist()
        assert answers["instance_id"].null_count == len(answers)


def test_points_and_unit_normals_come_on_request(scene):
    rays = some_rays()
    hits = scene.closest_hit(rays, normals=True)
    answers = lanecast.cast_arrow(scene, batch_of(rays), columns=["normal", "t", "point"])
    assert answers.schema.names == ["nx", "ny", "nz", "t", "x", "y", "z"]
    wide = rays.astype("float64")
    points = (wide[:, :3] + wide[:, 3:] * hits.t[:, None].astype("float64"))[hits.is_hit].astype("float32")
    normals = hits.normal[hits.is_hit].astype("float64")
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    for place, axis in enumerate("xyz"):
        assert answers[axis].drop_null().to_numpy().tolist() == points[:, place].tolist()
        assert np.allclose(answers["n" + axis].drop_null().to_numpy(), normals[:, place], atol=1e-7)
        assert answers["n" + axis].null_count == answers["t"].null_count
    several = lanecast.cast_arrow(scene, batch_of(rays), "all", ["ray_id", "t", "point"])
    first = {}
    for row in several.to_pylist():
        first.setdefault(row["ray_id"], row)
    assert [first[ray]["x"] for ray in np.flatnonzero(hits.is_hit)] == points[:, 0].tolist()


def as_points(rays, kind):
    parts = {}
    for name, values in (("origin", rays[:, :3]), ("direction", rays[:, 3:])):
        if kind == "struct":
            # In another order than the axes.
            parts[name] = pa.StructArray.from_arrays(
                [pa.array(values[:, axis]) for axis in (2, 0, 1)], ["z", "x", "y"]
            )
        else:
            parts[name] = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), 3)
    return parts


@pytest.mark.parametrize("kind", ["struct", "list"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_points_are_structs_or_lists_of_three(scene, kind, dtype):
    rays = some_rays(dtype=dtype)
    batch = pa.record_batch(as_points(rays, kind))
    assert lanecast.cast_arrow(scene, batch).to_pydict() == expected(scene, rays)
    # One of the two may be three columns.
    mixed = pa.record_batch(
        {"origin": batch["origin"], **{n: c for n, c in columns_of(rays).items() if n[0] == "d"}}
    )
    assert lanecast.cast_arrow(scene, mixed).to_pydict() == expected(scene, rays)


def test_columns_of_dictionaries_are_those_of_their_values(scene):
    batch = everything(some_rays())
    encoded = {name: batch[name] for name in batch.schema.names}
    for name in ("ox", "oy", "oz", "dx", "t_max", "mask", "ray_id"):
        encoded[name] = encoded[name].dictionary_encode()
    # A null among the values, and values that no row names.
    oy = encoded["oy"]
    values = pa.concat_arrays([oy.dictionary, pa.array([None, 1e9], oy.dictionary.type)])
    keys = oy.indices.fill_null(len(values) - 2)
    encoded["oy"] = pa.DictionaryArray.from_arrays(keys, values)
    encoded = pa.record_batch(encoded)
    for query, options in QUERIES.items():
        found = lanecast.cast_arrow(scene, encoded, query, **options)
        assert found.equals(lanecast.cast_arrow(scene, batch, query, **options))
        part = lanecast.cast_arrow(scene, encoded.slice(9, 90), query, **options)
        assert part.equals(lanecast.cast_arrow(scene, batch.slice(9, 90), query, **options))


def everything(rays):
    """A batch of all kinds of columns, with nulls."""
    random = np.random.default_rng(9)
    nulls = random.random(len(rays)) < 0.2
    columns = columns_of(rays)
    columns["oy"] = pa.array(rays[:, 1], mask=nulls)
    columns["t_max"] = pa.array((3 * random.random(len(rays))).astype("float64"))
    columns["mask"] = pa.array(random.integers(0, 2, len(rays)))
    columns["ray_id"] = pa.array(np.arange(len(rays), dtype="uint16") + 7)
    columns["flag"] = pa.array(nulls, mask=~nulls)
    columns["word"] = pa.array([f"w{row % 5}" for row in range(len(rays))]).dictionary_encode()
    columns["view"] = pa.array([f"v{row % 3}" for row in range(len(rays))], pa.string_view())
    columns["price"] = pa.array([decimal.Decimal(row) / 100 for row in range(len(rays))])
    return pa.record_batch(columns)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("first, rows", [(0, 1000), (1, 999), (13, 500), (999, 1), (3, 0)])
def test_a_slice_has_the_answers_of_its_rows(scene, query, first, rows):
    rays, options = some_rays(), QUERIES[query]
    for batch in (
        everything(rays),
        pa.record_batch(as_points(rays, "struct")),
        pa.record_batch(as_points(rays, "list")),
    ):
        whole = lanecast.cast_arrow(scene, batch, query, **options)
        part = lanecast.cast_arrow(scene, batch.slice(first, rows), query, first_row=first, **options)
        part.validate(full=True)
        ids = batch["ray_id"].to_pylist() if "ray_id" in batch.schema.names else list(range(1000))
        wanted = [row for row in whole.to_pylist() if row["ray_id"] in set(ids[first : first + rows])]
        assert part.to_pylist() == wanted and part.schema == whole.schema


@pytest.mark.parametrize("kind", ["columns", "struct", "list", "number in struct", "number in list"])
def test_a_null_number_gives_its_row_a_status(scene, kind):
    rays, rows = some_rays(64), [3, 17, 63]
    nulls = np.isin(np.arange(64), rows)
    columns = columns_of(rays)
    parts = [pa.array(rays[:, axis]) for axis in range(3)]
    with_null = [list(row) for row in rays[:, :3].tolist()]
    for row in rows:
        with_null[row][1] = None
    if kind == "columns":
        columns["oz"] = pa.array(rays[:, 2], mask=nulls)
    elif kind == "struct":
        # Sound numbers beneath the null.
        columns["origin"] = pa.StructArray.from_arrays(parts, ["x", "y", "z"], mask=pa.array(nulls))
    elif kind == "list":
        columns["origin"] = pa.FixedSizeListArray.from_arrays(
            pa.array(rays[:, :3].ravel()), 3, mask=pa.array(nulls)
        )
    elif kind == "number in struct":
        points = [dict(zip("xyz", row)) for row in with_null]
        columns["origin"] = pa.array(points, pa.struct([(axis, pa.float32()) for axis in "xyz"]))
    else:
        columns["origin"] = pa.array(with_null, pa.list_(pa.float32(), 3))
    if kind != "columns":
        columns = {name: column for name, column in columns.items() if name[0] != "o" or name == "origin"}
    batch = pa.record_batch(columns)
    want = expected(scene, rays)["status"]
    for row in rows:
        want[row] = "invalid_origin"
    for query in ("closest", "any", "count"):
        assert lanecast.cast_arrow(scene, batch, query)["status"].to_pylist() == want
        assert lanecast.cast_arrow(scene, batch.slice(2, 20), query)["status"].to_pylist() == want[2:22]
    without = lanecast.cast_arrow(scene, batch, "all")["ray_id"].to_pylist()
    assert not set(without) & set(rows) and len(without) > 30


@pytest.mark.filterwarnings("error")
def test_rays_that_cannot_be_cast_have_the_status_that_says_why(scene):
    rays = some_rays(6, "float64")
    rays[0, 1] = np.inf
    rays[1, 3:] = 0
    rays[2, 4] = np.nan
    rays[3, 0] = 1e300  # Beyond float32.
    t_min, t_max = pa.array([0, 0, 0, 0, None, 2.0]), pa.array([1.0, 1, 1, 1, 1, 1])
    status = lanecast.cast_arrow(scene, batch_of(rays, t_min=t_min, t_max=t_max))["status"].to_pylist()
    assert status == [
        "invalid_origin",
        "zero_direction",
        "invalid_direction",
        "invalid_origin",
        "invalid_interval",
        "empty_interval",
    ]


def test_intervals_and_masks_are_columns_or_numbers(scene):
    rays = some_rays()
    t_max, mask = np.linspace(0, 2, 1000, dtype="float32"), np.arange(1000) % 2
    batch = batch_of(rays, t_max=t_max, mask=mask)
    assert lanecast.cast_arrow(scene, batch).to_pydict() == expected(
        scene, rays, t_max=t_max, mask=mask.astype("uint32")
    )
    same = lanecast.cast_arrow(scene, batch_of(rays), t_min=0.25, t_max=1, mask=3)
    assert same.to_pydict() == expected(scene, rays, t_min=0.25, t_max=1.0)


def test_tables_and_streams_number_their_rows_through(scene):
    rays = some_rays()
    batch = batch_of(rays, beam=pa.array(np.arange(1000)))
    want = {**expected(scene, rays), "beam": list(range(1000))}
    table = pa.concat_tables(
        [pa.Table.from_batches([batch.slice(first, rows)]) for first, rows in ((0, 7), (7, 0), (7, 993))]
    )
    answers = lanecast.cast_arrow(scene, table)
    assert isinstance(answers, pa.Table) and answers.to_pydict() == want
    taken = []

    def batches():
        for first in range(0, 1000, 250):
            taken.append(first)
            yield batch.slice(first, 250)

    reader = lanecast.cast_stream(scene, pa.RecordBatchReader.from_batches(batch.schema, batches()))
    assert reader.schema == answers.schema and taken == []
    assert reader.read_next_batch().to_pydict() == {name: values[:250] for name, values in want.items()}
    assert taken == [0]
    assert reader.read_all().to_pydict() == {name: values[250:] for name, values in want.items()}


def test_an_error_within_a_stream_names_the_row_of_the_stream(scene):
    ids = pa.array([1] * 14 + [None] + [2] * 5)
    table = pa.Table.from_batches([batch_of(some_rays(20), ray_id=ids)])
    with pytest.raises(ValueError, match='row 14: column "ray_id" is null'):
        lanecast.cast_stream(scene, table.to_reader(max_chunksize=4)).read_all()


@pytest.mark.parametrize("query", QUERIES)
def test_no_rays_have_no_answers_of_the_same_schema(scene, query):
    empty = lanecast.cast_arrow(scene, everything(some_rays()).slice(0, 0), query, **QUERIES[query])
    some = lanecast.cast_arrow(scene, everything(some_rays()), query, **QUERIES[query])
    assert empty.num_rows == 0 and empty.schema == some.schema
    no_batches = pa.RecordBatchReader.from_batches(everything(some_rays()).schema, [])
    assert lanecast.cast_arrow(scene, no_batches, query, **QUERIES[query]).schema == some.schema


def test_keep_and_columns_say_what_comes_out(scene):
    batch = batch_of(some_rays(4), t=pa.array([0.0] * 4), beam=pa.array(["a"] * 4), spin=pa.array([1] * 4))
    assert lanecast.cast_arrow(scene, batch, "any").schema.names == [
        "ray_id",
        "status",
        "hit",
        "t",
        "beam",
        "spin",
    ]
    assert lanecast.cast_arrow(scene, batch, columns=["u"], keep=["beam"]).schema.names == ["u", "beam"]
    assert lanecast.cast_arrow(scene, batch, keep=[]).schema.names[-1] == "v"


def test_columns_are_read_and_answers_given_without_a_copy(scene, monkeypatch):
    rays, seen = some_rays(), {}

    class Spy:
        precision, instance_count = "float32", 0

        def closest_hit(self, rays, out, **options):
            seen.update(rays=rays, out=out)
            scene.closest_hit(rays, out=out, **options)

    monkeypatch.setattr("lanecast._arrow_queries.Scene", Spy)
    batch = batch_of(rays)
    answers = lanecast.cast_arrow(Spy(), batch.slice(16))
    for name in NAMES:
        assert seen["rays"][name].ctypes.data == batch[name].buffers()[1].address + 64
    for name in ("t", "u", "v"):
        assert answers[name].buffers()[1].address == seen["out"][name].ctypes.data


def frames(rays):
    """The same rays in other libraries, which have no batches of pyarrow."""
    columns = {name: np.ascontiguousarray(column) for name, column in zip(NAMES, rays.T)}
    polars, pandas, duckdb = (pytest.importorskip(name) for name in ("polars", "pandas", "duckdb"))
    frame = pandas.DataFrame({**columns, "beam": [f"beam {row}" for row in range(len(rays))]})
    yield "pandas", frame
    yield "polars", polars.from_pandas(frame)
    yield (
        "polars in chunks",
        polars.concat([polars.from_pandas(frame[:300]), polars.from_pandas(frame[300:])], rechunk=False),
    )
    yield "duckdb", duckdb.from_arrow(pa.Table.from_pandas(frame))


def test_polars_duckdb_and_pandas_give_their_rows_as_they_are(scene):
    rays = some_rays()
    for library, frame in frames(rays):
        assert lanecast.cast_arrow(scene, frame, "all").num_rows > 500, library
        answers = lanecast.cast_arrow(scene, frame).to_pydict()
        assert answers.pop("beam") == [f"beam {row}" for row in range(1000)], library
        assert answers == expected(scene, rays), library


def test_answers_go_back_to_polars_duckdb_and_pandas(scene):
    rays = some_rays()
    polars, _, duckdb = (pytest.importorskip(name) for name in ("polars", "pandas", "duckdb"))
    want = expected(scene, rays)
    answers = lanecast.cast_arrow(scene, pa.Table.from_batches([batch_of(rays)]).to_pandas())
    frame = answers.to_pandas()
    assert frame.t.isna().sum() == want["t"].count(None) and frame.primitive_id.max() == max(
        filter(None, want["primitive_id"])
    )
    assert polars.from_arrow(answers).to_dict(as_series=False) == want
    hits = duckdb.sql("select count(*) from answers where status = 'hit' and t is not null").fetchall()
    assert hits == [(want["status"].count("hit"),)]


@pytest.mark.parametrize("module", ["lanecast.arrow", "lanecast.parquet"])
def test_the_examples_of_the_documentation_run(module):
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert failed == 0 and tried > 5
