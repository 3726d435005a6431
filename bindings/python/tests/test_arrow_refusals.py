"""Arrow batches and arguments that are refused by name."""

import decimal

import numpy as np
import pytest

import lanecast

pa = pytest.importorskip("pyarrow")

from test_arrow import NAMES, batch_of, columns_of, some_rays, soup


@pytest.fixture(scope="module")
def scene():
    return soup()


def changed(name, column):
    return lambda columns: columns.update({name: column})


def renamed(name, to):
    return lambda columns: columns.update({to: columns.pop(name)})


FOUR = [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "change, error, message",
    [
        (
            changed("oy", pa.array([1, 2, 3, 4], pa.int32())),
            TypeError,
            'column "oy": int32 is not float32 or float64',
        ),
        (changed("dz", pa.array(np.array(FOUR, "float16"))), TypeError, 'column "dz": halffloat is not'),
        (changed("ox", pa.array(["a"] * 4).dictionary_encode()), TypeError, 'column "ox": string is not'),
        (
            changed("ray_id", pa.array([5, 6, None, 5]).dictionary_encode()),
            ValueError,
            'row 2: column "ray_id" is null',
        ),
        (
            changed("dx", pa.array([decimal.Decimal(1)] * 4)),
            TypeError,
            r'column "dx": decimal128\(1, 0\) is not',
        ),
        (changed("t_max", pa.array(["1"] * 4)), TypeError, 'column "t_max": string is not'),
        (changed("t_min", pa.nulls(4)), TypeError, 'column "t_min": null is not'),
        (changed("mask", pa.array(FOUR)), TypeError, 'column "mask": double is not a type of whole numbers'),
        (
            changed("ray_id", pa.array(FOUR)),
            TypeError,
            'column "ray_id": double is not a type of whole numbers',
        ),
        (
            changed("mask", pa.array([0, 1, -1, 3])),
            ValueError,
            'row 2: column "mask": -1 is not within 0 and 4294967295',
        ),
        (changed("mask", pa.array([0, None, 1, 3])), ValueError, 'row 1: column "mask" is null'),
        (
            changed("ray_id", pa.array([0, 1, 2, 1 << 63], pa.uint64())),
            ValueError,
            'row 3: column "ray_id": 9223372036854775808',
        ),
        (
            changed("skip_primitive_id", pa.array([0, 1, None, 3])),
            ValueError,
            'no column "skip_geometry_id": it says',
        ),
        (
            lambda columns: columns.update(
                skip_geometry_id=pa.array([0, 1 << 32, 2, 3]), skip_primitive_id=pa.array([0, 1, 2, 3])
            ),
            ValueError,
            r"skip: geometry_id\[1\]: 4294967296 is not within",
        ),
        (
            lambda columns: columns.update(
                skip_geometry_id=pa.array([0, 0, 0, 0]),
                skip_primitive_id=pa.array([None, 1, 2, 1 << 63], pa.uint64()),
            ),
            ValueError,
            'row 3: column "skip_primitive_id": 9223372036854775808',
        ),
        (changed("tmax", pa.array(FOUR)), ValueError, 'column "tmax" is not known; did you mean "t_max"'),
        (changed("Mask", pa.array(FOUR)), ValueError, 'column "Mask" is not known; did you mean "mask"'),
        (renamed("dx", "dirx"), ValueError, 'column "dirx" is not known; did you mean "dx"'),
        (renamed("dx", "origins"), ValueError, 'column "origins" is not known; did you mean "origin"'),
        (
            renamed("oz", "height"),
            ValueError,
            'no column "oz", nor "origin"; found ox, oy, dx, dy, dz, height',
        ),
        (
            changed("origin", pa.array([[0.0] * 3] * 4, pa.list_(pa.float64(), 3))),
            ValueError,
            'column "ox": there is a column "origin" too',
        ),
        (changed("t", pa.array(FOUR)), ValueError, 'column "t": an answer has this name; rename it'),
    ],
)
def test_columns_that_do_not_fit_are_refused_by_name(scene, change, error, message):
    columns = columns_of(some_rays(4))
    change(columns)
    for given in (pa.record_batch(columns), pa.table(columns)):
        with pytest.raises(error, match=message):
            lanecast.cast_arrow(scene, given)


@pytest.mark.parametrize(
    "point, kind",
    [
        (pa.array([[0.0, 1, 2]] * 4), "list<item: double> is not"),
        (pa.array([[0.0, 1]] * 4, pa.list_(pa.float32(), 2)), "fixed_size_list"),
        (pa.array([[0, 1, 2]] * 4, pa.list_(pa.int64(), 3)), "fixed_size_list"),
        (pa.array([{"x": 0.0, "y": 1.0}] * 4), "struct<x: double, y: double> is not"),
        (pa.array(FOUR), "double is not"),
    ],
)
def test_points_of_other_types_are_refused_by_name(scene, point, kind):
    columns = {name: column for name, column in columns_of(some_rays(4)).items() if name[0] != "o"}
    with pytest.raises(TypeError, match=f'column "origin": {kind}'):
        lanecast.cast_arrow(scene, pa.record_batch({**columns, "origin": point}))


def test_a_column_that_is_there_twice_is_refused(scene):
    columns = columns_of(some_rays(4))
    twice = pa.RecordBatch.from_arrays([*columns.values(), columns["oy"]], [*NAMES, "oy"])
    with pytest.raises(ValueError, match='column "oy" is there twice'):
        lanecast.cast_arrow(scene, twice)


def test_arguments_that_do_not_fit_are_refused_by_name(scene):
    batch = batch_of(some_rays(4), beam=pa.array(FOUR))
    cast = lambda **options: lanecast.cast_arrow(scene, batch, **options)
    with pytest.raises(ValueError, match="query: it is 'nearby'"):
        cast(query="nearby")
    with pytest.raises(ValueError, match="columns: the query any has no 't'; it has ray_id, status, hit"):
        cast(query="any", columns=["t"])
    with pytest.raises(ValueError, match="columns: 't' is there twice"):
        cast(columns=["t", "t"])
    with pytest.raises(TypeError, match="columns: it is 't'"):
        cast(columns="t")
    with pytest.raises(TypeError, match="keep: it is 'beam'"):
        cast(keep="beam")
    with pytest.raises(ValueError, match='keep: there is no other column "bean"; there are beam'):
        cast(keep=["bean"])
    with pytest.raises(ValueError, match='keep: column "ox" is one of the rays'):
        cast(keep=["ox"])
    with pytest.raises(TypeError, match="limit: the query nearest needs it"):
        cast(query="nearest")
    with pytest.raises(TypeError, match="no argument .limit. of the query closest of rays$"):
        cast(limit=3)
    with pytest.raises(TypeError, match="no argument .out. of the query"):
        cast(out={})
    with pytest.raises(TypeError, match="t_max: it is of <class 'list'>"):
        cast(t_max=[1, 2, 3, 4])
    with pytest.raises(TypeError, match="scene: it is of <class 'str'>"):
        lanecast.cast_arrow("a.scene", batch)
    with pytest.raises(TypeError, match="batch: it is of <class 'dict'>"):
        lanecast.cast_arrow(scene, {})
    with pytest.raises(TypeError, match="batch: it is no record batch"):
        lanecast.cast_arrow(scene, pa.array(FOUR))
    with pytest.raises(ValueError, match='t_max: there is a column "t_max" too'):
        lanecast.cast_arrow(scene, batch_of(some_rays(4), t_max=pa.array(FOUR)), t_max=1)


def test_a_column_that_cannot_be_repeated_is_refused_by_name(scene):
    runs = pa.RunEndEncodedArray.from_arrays([1000], ["a"])
    batch = batch_of(some_rays(), runs=runs)
    assert lanecast.cast_arrow(scene, batch)["runs"].equals(runs)
    with pytest.raises(TypeError, match='column "runs": pyarrow cannot repeat run_end_encoded'):
        lanecast.cast_arrow(scene, batch, "all")
    assert lanecast.cast_arrow(scene, batch, "all", keep=[]).num_rows > 500
