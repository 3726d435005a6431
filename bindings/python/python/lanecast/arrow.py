"""Rays in Arrow record batches: of pyarrow, polars, DuckDB, pandas, and all of the Arrow PyCapsule interface.

Columns in:

- ``ox oy oz dx dy dz``, of float32 or float64; or ``origin`` and ``direction`` in place of three of them
  each: a struct of ``x y z`` or a fixed-size list of three. A number that is null gives its row a status that
  says so;
- if they are there, ``t_min`` and ``t_max`` (else 0 and infinity), ``mask`` (whole numbers of 32 bits),
  ``ray_id`` (whole numbers; else the number of the row, over all batches of a stream), and
  ``skip_geometry_id``, ``skip_primitive_id`` and perhaps ``skip_instance_id``, the primitive that a ray does
  not meet (null or -1 for none);
- all others pass through, except that a name like those above (``tmax``, ``dirx``) is refused.

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

``status`` is a word of ``lanecast.STATUSES``; ids and counts are int64; ``t``, ``u`` and ``v`` are of the
scene's precision. What a miss does not have is null, as is the instance of what is in none. ``columns`` names
those that are wanted, among them ``point`` (closest, farthest, all, nearest: ``x y z``, origin + t * direction)
and ``normal`` (closest, farthest: ``nx ny nz``, of length 1).

Columns become arrays of NumPy without a copy, except those with nulls and of another precision than the
scene.
"""

from __future__ import annotations

from collections import Counter
from numbers import Real
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

# First, as it says what to install where there is no pyarrow.
from . import _arrow_answers as arrays
from ._arrow_answers import HIT, PARTS, Answers, Columns, Valid
from ._arrow_columns import NUMBERS, OPTIONAL, POINTS, SKIPPED, coordinates, find, floats, whole
from ._keywords import unknown
from ._lanecast import Scene

import pyarrow as pa  # type: ignore[import, unused-ignore]

_ANSWERS = {
    "closest": ("ray_id", "status", *HIT),
    "farthest": ("ray_id", "status", *HIT),
    "line": ("ray_id", "status", *HIT, *("behind_" + name for name in HIT)),
    "any": ("ray_id", "status", "hit"),
    "count": ("ray_id", "status", "count"),
    "cost": ("ray_id", "status", "nodes", "boxes", "leaves", "primitives"),
    "all": ("ray_id", *HIT),
    "nearest": ("ray_id", *HIT),
}
_POINT = {"point": PARTS["point"]}
_VECTORS = {**_POINT, "normal": PARTS["normal"]}
_ON_REQUEST = {"closest": _VECTORS, "farthest": _VECTORS, "all": _POINT, "nearest": _POINT}
_OPTIONS = (
    "t_min",
    "t_max",
    "mask",
    "limit",
    "culling",
    "contact",
    "coherence",
    "brute_force",
    "backend",
    "threads",
)


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
    """Casts the rays of a record batch: a record batch of answers; of a table, a data frame or another stream of
    batches: a ``pyarrow.Table``.

    ``query`` is closest, farthest, line, any, count, cost, all, or nearest with ``limit=``; ``columns`` are the answers that are
    wanted, and ``keep`` those of the other columns that pass through, all unless it is given. Where there is
    no column ``ray_id``, the first row is number ``first_row``. With None rows are not numbered, as those of a
    batch that is one of many of a job, where numbers would begin anew in each: answers have ``ray_id`` only
    where the rays have it, and a column that passes through is needed else. ``options`` are those of
    ``Scene.closest_hit``: t_min, t_max and mask, as numbers for all rays in place of columns; culling,
    contact, coherence, brute_force, backend, threads. All columns in and out are in the documentation of this
    module.

    Raises ``ValueError`` for columns that are missing, there twice, or nearly called as those of rays, and
    for null ids; ``TypeError`` for columns of other types. Rays that cannot be cast are no error: their
    status says what is wrong with them.

    >>> import lanecast, pyarrow as pa
    >>> scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> rays = pa.record_batch({"ox": [0.25, 5.0], "oy": [0.25, 5.0], "oz": [1.0, 1.0],
    ...                         "dx": [0.0, 0.0], "dy": [0.0, 0.0], "dz": [-1.0, -1.0], "beam": ["a", "b"]})
    >>> lanecast.cast_arrow(scene, rays, columns=["ray_id", "status", "t", "primitive_id"]).to_pylist()[0]
    {'ray_id': 0, 'status': 'hit', 't': 1.0, 'primitive_id': 0, 'beam': 'a'}
    >>> lanecast.cast_arrow(scene, rays)["t"].to_pylist()
    [1.0, None]
    """
    if not isinstance(batch, pa.RecordBatch) and hasattr(batch, "__arrow_c_array__"):
        try:
            batch = pa.record_batch(batch)
        except (TypeError, ValueError) as error:
            raise TypeError(f"batch: it is no record batch: {error}") from error
    if isinstance(batch, pa.RecordBatch):
        casting = Casting(scene, batch.schema, query, columns, keep, options, first_row is not None)
        return casting.cast(batch, first_row or 0)
    answers = cast_stream(scene, batch, query, columns, keep=keep, first_row=first_row, **options)
    return answers.read_all()


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
    >>> rays = pa.table({"origin": pa.array([[0.25, 0.25, 1], [5, 5, 1]], pa.list_(pa.float32(), 3)),
    ...                  "direction": pa.array([[0, 0, -1]] * 2, pa.list_(pa.float32(), 3))})
    >>> answers = lanecast.cast_stream(scene, rays.to_reader(max_chunksize=1), "any")
    >>> [batch.to_pylist() for batch in answers]
    [[{'ray_id': 0, 'status': 'hit', 'hit': True}], [{'ray_id': 1, 'status': 'miss', 'hit': False}]]
    """
    if not isinstance(reader, pa.RecordBatchReader):
        if not hasattr(reader, "__arrow_c_stream__"):
            expected = "a record batch, a table, or what gives one over the Arrow PyCapsule interface"
            raise TypeError(f"batch: it is of {type(reader)}; {expected}, was expected")
        reader = pa.RecordBatchReader.from_stream(reader)
    casting = Casting(scene, reader.schema, query, columns, keep, options, first_row is not None)

    def answers() -> Iterator[pa.RecordBatch]:
        row = first_row or 0
        for batch in reader:
            yield casting.cast(batch, row)
            row += batch.num_rows

    return pa.RecordBatchReader.from_batches(casting.schema(), answers())


class Casting:
    """A query of the rays in batches of one schema."""

    def __init__(
        self,
        scene: Scene,
        schema: pa.Schema,
        query: str,
        columns: Optional[Sequence[str]],
        keep: Optional[Sequence[str]],
        options: Dict[str, Any],
        is_numbered: bool = True,
    ) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"scene: it is of {type(scene)}; a lanecast.Scene was expected")
        if query not in _ANSWERS:
            raise ValueError(f"query: it is {query!r}; {', '.join(_ANSWERS)} was expected")
        for argument, names in (("columns", columns), ("keep", keep)):
            if isinstance(names, str):
                raise TypeError(f"{argument}: it is {names!r}; a list of names was expected")
        self._scene, self._query, self._dtype = scene, query, np.dtype(scene.precision)
        self._columns = _wanted(query, columns)
        self._rays_schema = schema
        found = find(schema)
        self._numbers = {name: found[name] for name in (*POINTS, *NUMBERS) if name in found}
        self._optional = {name: found[name] for name in OPTIONAL if name in found}
        self._options = _checked(query, options, self._optional)
        names = [name for name in schema.names if name not in found]
        if keep is not None:
            lost = next((name for name in keep if name not in names), None)
            if lost in found:
                raise ValueError(
                    f'keep: column "{lost}" is one of the rays; copy it by another name to keep it'
                )
            if lost is not None:
                others = ", ".join(names) or "none"
                raise ValueError(f'keep: there is no other column "{lost}"; there are {others}')
            names = [name for name in names if name in keep]
        if not is_numbered and "ray_id" not in found:
            if "ray_id" in (columns or ()) or not names:
                problem = 'rows of a job are not numbered: give them a column "ray_id", or another that passes through'
                raise ValueError(f'no column "ray_id": {problem}')
            self._columns = tuple(name for name in self._columns if name != "ray_id")
        on_request = _ON_REQUEST.get(query, {})
        answers = {part for name in self._columns for part in on_request.get(name, [name])}
        for name in names:
            if name in answers:
                how = "rename it, or leave it out with keep= or the answer with columns="
                raise ValueError(f'column "{name}": an answer has this name; {how}')
        self._kept = [number for number, name in enumerate(schema.names) if name in names]
        self.needed = [name for name in schema.names if name in found or name in names]
        # What pandas notes about columns and index is about others.
        metadata = {key: value for key, value in (schema.metadata or {}).items() if key != b"pandas"}
        self._metadata = metadata or None

    def schema(self) -> pa.Schema:
        """The schema of the answers."""
        empty = [pa.nulls(0, field.type) for field in self._rays_schema]
        return self.cast(pa.RecordBatch.from_arrays(empty, schema=self._rays_schema), 0).schema

    def cast(self, batch: pa.RecordBatch, first_row: int) -> pa.RecordBatch:
        """The answers to the rays of a batch, of which the first is number ``first_row``."""
        rays = self._rays(batch)
        options = dict(self._options, invalid="miss")
        for name in ("t_min", "t_max"):
            if name in self._optional:
                options[name] = floats(batch.column(self._optional[name]))
        if "mask" in self._optional:
            mask = whole(batch.column(self._optional["mask"]), "mask", pa.uint32(), first_row)
            options["mask"] = mask.to_numpy(zero_copy_only=False)
        skipped = [self._optional[name] for name in SKIPPED if name in self._optional]
        if skipped:
            columns = (
                whole(batch.column(n), batch.schema.names[n], pa.int64(), first_row, True) for n in skipped
            )
            options["skip"] = tuple(column.to_numpy(zero_copy_only=False) for column in columns)
        if "ray_id" in self._optional:
            ray_id = whole(batch.column(self._optional["ray_id"]), "ray_id", pa.int64(), first_row)
        else:
            ray_id = pa.array(np.arange(first_row, first_row + batch.num_rows, dtype=np.int64))
        kept = [batch.column(number) for number in self._kept]
        if self._query in ("all", "nearest"):
            answers, ray = self._several(rays, options)
            ray = pa.array(ray)
            ray_id, kept = ray_id.take(ray), [self._repeated(number, batch, ray) for number in self._kept]
        else:
            answers = getattr(self, "_" + self._query)(rays, batch.num_rows, options)
        answers["ray_id"] = ray_id
        parts = _ON_REQUEST.get(self._query, {})
        names = [part for name in self._columns for part in parts.get(name, [name])]
        fields = [pa.field(name, answers[name].type) for name in names]
        fields += [self._rays_schema.field(number) for number in self._kept]
        arrays = [answers[name] for name in names] + kept
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, self._metadata))

    def _repeated(self, number: int, batch: pa.RecordBatch, rows: pa.Array) -> pa.Array:
        """A column that passes through, for each hit."""
        column, kind = batch.column(number), self._rays_schema.types[number]
        # These, which polars gives, cannot be taken from.
        plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}.get(kind, kind)
        try:
            return column.cast(plain).take(rows).cast(kind)
        except pa.ArrowNotImplementedError:
            name, how = batch.schema.names[number], "leave it out with keep="
            raise TypeError(f'column "{name}": pyarrow cannot repeat {kind} for each hit; {how}') from None

    def _rays(self, batch: pa.RecordBatch) -> Columns:
        """The six columns of rays by name."""
        rays: Columns = {}
        for name, number in self._numbers.items():
            column = batch.column(number)
            if name in POINTS:
                rays.update(zip(POINTS[name], coordinates(column)))
            else:
                rays[name] = floats(column)
        return rays

    def _closest(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        wanted = set(self._columns)
        out: Columns = {"status": np.empty(rows, np.uint8)}
        for name in ("t", "u", "v"):
            if name in wanted:
                out[name] = np.empty(rows, self._dtype)
        for name in ("primitive_id", "geometry_id", "instance_id"):
            if name in wanted:
                out[name] = np.empty(rows, np.uint32)
        for name in ("normal", "point"):
            if name in wanted:
                out[name] = np.empty((rows, 3), self._dtype)
        query = self._scene.closest_hit if self._query == "closest" else self._scene.farthest_hit
        query(rays, out=out, normals="normal" in wanted, points="point" in wanted, **options)
        is_hit = Valid(out["status"] == 1)
        answers = {"status": arrays.words(out["status"]), **arrays.hits(out, is_hit)}
        if "point" in wanted:
            answers.update(arrays.parts("point", out["point"], is_hit))
        if "normal" in wanted:
            answers.update(arrays.parts("normal", arrays.units(out["normal"]), is_hit))
        return answers

    _farthest = _closest

    def _line(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        table = self._scene.line_hits(rays, **options).to_arrow()
        return {name: table[name].combine_chunks() for name in table.column_names}

    def _any(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        status = np.empty(rows, np.uint8)
        hit = self._scene.any_hit(rays, status=status, **options)
        bits = pa.py_buffer(np.packbits(hit, bitorder="little"))
        return {"status": arrays.words(status), "hit": pa.Array.from_buffers(pa.bool_(), rows, [None, bits])}

    def _count(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        status = np.empty(rows, np.uint8)
        count = self._scene.count_hits(rays, status=status, **options)
        return {"status": arrays.words(status), "count": pa.array(count.astype(np.int64))}

    def _cost(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        status = np.empty(rows, np.uint8)
        cost = self._scene.cost(rays, status=status, **options)
        counts = {name: pa.array(count.astype(np.int64)) for name, count in cost.items()}
        return {"status": arrays.words(status), **counts}

    def _several(self, rays: Columns, options: Dict[str, Any]) -> Tuple[Answers, npt.NDArray[np.int64]]:
        query = self._scene.nearest_hits if self._query == "nearest" else self._scene.all_hits
        found = query(rays, points="point" in self._columns, **options)
        answers = arrays.hits({name: getattr(found, name) for name in HIT}, Valid())
        if found.point is not None:
            answers.update(arrays.parts("point", found.point, Valid()))
        return answers, found.ray_id


def _wanted(query: str, columns: Optional[Sequence[str]]) -> Tuple[str, ...]:
    """The names of the answers that are wanted, checked."""
    if columns is None:
        return _ANSWERS[query]
    known = [*_ANSWERS[query], *_ON_REQUEST.get(query, ())]
    for name, times in Counter(columns).items():
        if name not in known:
            raise ValueError(f"columns: {query} hits have no {name!r}; they have {', '.join(known)}")
        if times > 1:
            raise ValueError(f"columns: {name!r} is there twice")
    return tuple(columns)


def _checked(query: str, options: Dict[str, Any], given: Mapping[str, int]) -> Dict[str, Any]:
    """The options, which are numbers and words for all rays."""
    taken = [name for name in _OPTIONS if name != "limit" or query == "nearest"]
    for name, value in options.items():
        if name not in taken:
            others = ("query", "columns", "keep", "first_row")
            raise unknown(name, f"a cast of Arrow batches for {query} hits", (*taken, *others))
        if name in given:
            raise ValueError(f'{name}: there is a column "{name}" too')
        if name in ("t_min", "t_max", "mask") and not isinstance(value, Real):
            raise TypeError(
                f"{name}: it is of {type(value)}; a number for all rays, or a column, was expected"
            )
    if query == "nearest" and "limit" not in options:
        raise TypeError("limit: nearest hits need it: how many of each ray")
    return options
