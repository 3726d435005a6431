"""Rays and points in Arrow record batches: of pyarrow, polars, DuckDB, pandas, and all of the Arrow PyCapsule
interface.

Columns of rays:

- ``ox oy oz dx dy dz``, of float32 or float64; or ``origin`` and ``direction`` in place of three of them
  each: a struct of ``x y z`` or a fixed-size list of three. A number that is null gives its row a status that
  says so;
- if they are there, ``t_min`` and ``t_max`` (else 0 and infinity), ``mask`` (whole numbers of 32 bits),
  ``ray_id`` (whole numbers; else the number of the row, over all batches of a stream), and
  ``skip_geometry_id``, ``skip_primitive_id`` and perhaps ``skip_instance_id``, the primitive that a ray does
  not meet (null or -1 for none).

Columns of points:

- ``x y z``, of float32 or float64; or ``point`` in place of them, as ``origin`` of rays;
- if they are there, ``point_id``, as ``ray_id`` of rays, and for closest, nearest and within ``radius``, how
  far away an answer may be (float32 or float64, else infinity).

All others pass through, except that a name like those above (``tmax``, ``dirx``, ``X``) is refused.

Columns out, those that pass through behind them:

====================  =========================================================================
closest, farthest     ``ray_id status t primitive_id geometry_id instance_id u v``, a row for each ray
line                  those and, for what is behind the origin, ``behind_t`` to ``behind_v``; ``t_min`` is
                      -infinity unless given
any                   ``ray_id status hit``, a row for each ray
count                 ``ray_id status count``, a row for each ray
cost                  ``ray_id status nodes boxes leaves primitives``, a row for each ray
all, nearest          ``ray_id t primitive_id geometry_id instance_id u v``, a row for each hit, nearest first
====================  =========================================================================

And of points:

====================  =========================================================================
closest               ``point_id status distance x y z primitive_id geometry_id instance_id u v``, a row for
                      each point; ``x y z`` is the closest point
distance, signed      ``point_id status distance``, a row for each point
contains              ``point_id status inside``, a row for each point
winding               ``point_id status winding_number``, a row for each point
nearest, within       ``point_id distance x y z primitive_id geometry_id instance_id u v``, a row for each
                      primitive, nearest first
====================  =========================================================================

``status`` is a word of ``lanecast.STATUSES``; of contains and winding, hit means inside. Ids and counts are
int64; ``t``, ``u``, ``v``, ``distance`` and vectors are of the scene's precision, ``winding_number`` is
float32. What a miss does not have is null, as is the instance of what is in none. ``columns`` names those
that are wanted, ``x y z`` as ``point``. Of rays that is among the answers on request (closest, farthest, all,
nearest: origin + t * direction), and so is ``normal`` (closest, farthest, and closest of points:
``nx ny nz``, of length 1).

Columns become arrays of NumPy without a copy, except those with nulls and of another precision than the
scene, and points.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, Optional, Sequence, Type, Union

# First, as it says what to install where there is no pyarrow.
from ._arrow_queries import Casting, PointCasting, RayCasting
from ._lanecast import Scene

import pyarrow as pa  # type: ignore[import, unused-ignore]


def cast_arrow(
    scene: Scene,
    batch: Any,
    query: str = "closest",
    columns: Optional[Sequence[str]] = None,
    *,
    keep: Optional[Sequence[str]] = None,
    first_row: Optional[int] = 0,
    **options: Any,
) -> Union[pa.RecordBatch, pa.Table]:
    """Casts the rays of a record batch: a record batch of answers; of a table, a data frame or another stream
    of batches: a ``pyarrow.Table``.

    ``query`` is closest, farthest, line, any, count, cost, all, or nearest with ``limit=``; ``columns`` are
    the answers that are wanted, and ``keep`` those of the other columns that pass through, all unless it is
    given. Where there is no column ``ray_id``, the first row is number ``first_row``. With None rows are not
    numbered, as those of a batch that is one of many of a job, where numbers would begin anew in each:
    answers have ``ray_id`` only where the rays have it, and a column that passes through is needed else.
    ``options`` are those of ``Scene.closest_hit``: t_min, t_max and mask, as numbers for all rays in place of
    columns; culling, contact, coherence, brute_force, backend, threads. All columns in and out are in the
    documentation of this module.

    Raises ``ValueError`` for columns that are missing, there twice, or nearly called as those of rays, and
    for null ids; ``TypeError`` for columns of other types. Rays that cannot be cast are no error: their
    status says what is wrong with them.

    >>> import lanecast, pyarrow as pa
    >>> scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> rays = pa.record_batch({"ox": [0.25, 5.0], "oy": [0.25, 5.0], "oz": [1.0, 1.0],
    ...                         "dx": [0.0, 0.0], "dy": [0.0, 0.0], "dz": [-1.0, -1.0],
    ...                         "beam": ["a", "b"]})
    >>> columns = ["ray_id", "status", "t", "primitive_id"]
    >>> lanecast.cast_arrow(scene, rays, columns=columns).to_pylist()[0]
    {'ray_id': 0, 'status': 'hit', 't': 1.0, 'primitive_id': 0, 'beam': 'a'}
    >>> lanecast.cast_arrow(scene, rays)["t"].to_pylist()
    [1.0, None]
    """
    return _answers(RayCasting, scene, batch, query, columns, keep, first_row, options)


def cast_stream(
    scene: Scene,
    reader: Any,
    query: str = "closest",
    columns: Optional[Sequence[str]] = None,
    *,
    keep: Optional[Sequence[str]] = None,
    first_row: Optional[int] = 0,
    **options: Any,
) -> pa.RecordBatchReader:
    """Casts the rays of a ``pyarrow.RecordBatchReader``, or of what else streams batches, as they are asked
    for: a reader of the answers, one batch for each. Arguments, columns and errors are those of
    ``cast_arrow``.

    >>> import lanecast, pyarrow as pa
    >>> scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> triple = pa.list_(pa.float32(), 3)
    >>> rays = pa.table({"origin": pa.array([[0.25, 0.25, 1], [5, 5, 1]], triple),
    ...                  "direction": pa.array([[0, 0, -1], [0, 0, -1]], triple)})
    >>> answers = lanecast.cast_stream(scene, rays.to_reader(max_chunksize=1), "any")
    >>> for batch in answers:
    ...     batch.to_pylist()
    [{'ray_id': 0, 'status': 'hit', 'hit': True}]
    [{'ray_id': 1, 'status': 'miss', 'hit': False}]
    """
    return _stream(RayCasting, scene, reader, query, columns, keep, first_row, options)


def points_arrow(
    scene: Scene,
    batch: Any,
    query: str = "closest",
    columns: Optional[Sequence[str]] = None,
    *,
    keep: Optional[Sequence[str]] = None,
    first_row: Optional[int] = 0,
    **options: Any,
) -> Union[pa.RecordBatch, pa.Table]:
    """Asks a query of the points of a record batch: a record batch of answers; of a table, a data frame or
    another stream of batches: a ``pyarrow.Table``. It is to ``cast_arrow`` what the program's
    ``lanecast points`` is to ``lanecast cast``.

    ``query`` is the first word of the call of ``Scene`` that answers it: closest (point), distance, signed
    (distance), contains, winding (number), nearest (points) with ``count=``, or (points) within, with
    ``radius=`` or a column ``radius``. ``options`` are those of that call: radius, as a number for all
    points in place of a column; generalised_winding, accuracy, brute_force, backend, threads. ``columns``,
    ``keep`` and ``first_row`` are those of ``cast_arrow``, with ``point_id`` for ``ray_id``. All columns in
    and out are in the documentation of this module.

    Raises what ``cast_arrow`` raises, and for signed and contains ``ValueError`` where the surface is open,
    as ``Scene.contains`` does. Points that cannot be used are no error: their status says what is wrong with
    them, and nearest and within have no rows of them.

    >>> import lanecast, pyarrow as pa
    >>> scene = lanecast.Scene.build(lanecast.Boxes([[0, 0, 0]], [[4, 4, 4]]))
    >>> points = pa.record_batch({"x": [1.0, 2.0], "y": [2.0, 2.0], "z": [2.0, 7.0],
    ...                           "class": ["a", "b"]})
    >>> lanecast.points_arrow(scene, points, "signed").to_pylist()[1]
    {'point_id': 1, 'status': 'hit', 'distance': 3.0, 'class': 'b'}
    >>> nearest = lanecast.points_arrow(
    ...     scene, points, columns=["point"], keep=[], radius=2
    ... )
    >>> nearest.to_pylist()
    [{'x': 0.0, 'y': 2.0, 'z': 2.0}, {'x': None, 'y': None, 'z': None}]
    """
    return _answers(PointCasting, scene, batch, query, columns, keep, first_row, options)


def points_stream(
    scene: Scene,
    reader: Any,
    query: str = "closest",
    columns: Optional[Sequence[str]] = None,
    *,
    keep: Optional[Sequence[str]] = None,
    first_row: Optional[int] = 0,
    **options: Any,
) -> pa.RecordBatchReader:
    """Asks a query of the points of a ``pyarrow.RecordBatchReader``, or of what else streams batches, as they
    are asked for: a reader of the answers, one batch for each. Arguments, columns and errors are those of
    ``points_arrow``.

    >>> import lanecast, pyarrow as pa
    >>> scene = lanecast.Scene.build(lanecast.Boxes([[0, 0, 0]], [[4, 4, 4]]))
    >>> triples = pa.array([[1, 2, 2], [2, 2, 7]], pa.list_(pa.float32(), 3))
    >>> points = pa.table({"point": triples}).to_reader(max_chunksize=1)
    >>> answers = lanecast.points_stream(scene, points, "contains")
    >>> [batch["inside"].to_pylist() for batch in answers]
    [[True], [False]]
    """
    return _stream(PointCasting, scene, reader, query, columns, keep, first_row, options)


def _answers(
    casting: Type[Casting],
    scene: Scene,
    batch: Any,
    query: str,
    columns: Optional[Sequence[str]],
    keep: Optional[Sequence[str]],
    first_row: Optional[int],
    options: Dict[str, Any],
) -> Union[pa.RecordBatch, pa.Table]:
    if not isinstance(batch, pa.RecordBatch) and hasattr(batch, "__arrow_c_array__"):
        try:
            batch = pa.record_batch(batch)
        except (TypeError, ValueError) as error:
            raise TypeError(f"batch: it is no record batch: {error}") from error
    if isinstance(batch, pa.RecordBatch):
        of_batch = casting(scene, batch.schema, query, columns, keep, options, first_row is not None)
        return of_batch.cast(batch, first_row or 0)
    return _stream(casting, scene, batch, query, columns, keep, first_row, options).read_all()


def _stream(
    casting: Type[Casting],
    scene: Scene,
    reader: Any,
    query: str,
    columns: Optional[Sequence[str]],
    keep: Optional[Sequence[str]],
    first_row: Optional[int],
    options: Dict[str, Any],
) -> pa.RecordBatchReader:
    if not isinstance(reader, pa.RecordBatchReader):
        if not hasattr(reader, "__arrow_c_stream__"):
            expected = "a record batch, a table, or what gives one over the Arrow PyCapsule interface"
            raise TypeError(f"batch: it is of {type(reader)}; {expected}, was expected")
        reader = pa.RecordBatchReader.from_stream(reader)
    of_stream = casting(scene, reader.schema, query, columns, keep, options, first_row is not None)

    def answers() -> Iterator[pa.RecordBatch]:
        row = first_row or 0
        for batch in reader:
            yield of_stream.cast(batch, row)
            row += batch.num_rows

    return pa.RecordBatchReader.from_batches(of_stream.schema(), answers())
