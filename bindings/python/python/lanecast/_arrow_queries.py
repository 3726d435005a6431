"""Queries of rays and of points in record batches of one schema."""

from __future__ import annotations

from collections import Counter
from numbers import Real
from typing import Any, ClassVar, Dict, Iterable, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

# First, as it says what to install where there is no pyarrow.
from . import _arrow_answers as arrays
from ._arrow_answers import HIT, PARTS, Answers, Columns, Valid
from ._arrow_columns import coordinates, find, floats, meant_of_point, meant_of_ray, whole
from ._keywords import unknown
from ._lanecast import Scene

import pyarrow as pa  # type: ignore[import, unused-ignore]

_Names = Tuple[str, ...]
_Several = Tuple[Answers, Optional[npt.NDArray[np.int64]]]
"""Answers, and the row that each is of, if there is not one for each row."""


class Casting:
    """A query of the rows in batches of one schema; what a row is, subclasses say."""

    ROWS: ClassVar[str]
    """What rows are called."""
    NUMBER: ClassVar[str]
    """The column of their numbers."""
    VECTORS: ClassVar[Dict[str, _Names]]
    """Columns of points, and the three that may be in the place of each."""
    ANSWERS: ClassVar[Dict[str, _Names]]
    """The answers of each query."""
    ON_REQUEST: ClassVar[Dict[str, _Names]]
    """Those that it has if they are asked for."""
    OPTIONS: ClassVar[_Names]
    """The arguments of all queries."""
    OWN_OPTIONS: ClassVar[Dict[str, _Names]]
    """Those of some."""
    REQUIRED: ClassVar[Dict[str, str]]
    """Those that a query needs, here or as a column."""
    FOR_ALL: ClassVar[_Names]
    """Those that are a number for all rows."""

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
        if query not in self.ANSWERS:
            raise ValueError(f"query: it is {query!r}; {', '.join(self.ANSWERS)} was expected")
        for argument, names in (("columns", columns), ("keep", keep)):
            if isinstance(names, str):
                raise TypeError(f"{argument}: it is {names!r}; a list of names was expected")
        self._scene, self._query, self._dtype = scene, query, np.dtype(scene.precision)
        self._columns = self._wanted(columns)
        self._schema = schema
        self._found = found = self._find(schema)
        self._options = self._checked(options)
        names = [name for name in schema.names if name not in found]
        if keep is not None:
            lost = next((name for name in keep if name not in names), None)
            if lost in found:
                problem = "copy it by another name to keep it"
                raise ValueError(f'keep: column "{lost}" is one of the {self.ROWS}; {problem}')
            if lost is not None:
                others = ", ".join(names) or "none"
                raise ValueError(f'keep: there is no other column "{lost}"; there are {others}')
            names = [name for name in names if name in keep]
        if not is_numbered and self.NUMBER not in found:
            if self.NUMBER in (columns or ()) or not names:
                how = f'give them a column "{self.NUMBER}", or another that passes through'
                raise ValueError(f'no column "{self.NUMBER}": rows of a job are not numbered: {how}')
            self._columns = tuple(name for name in self._columns if name != self.NUMBER)
        answers = self._parts()
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
        empty = [pa.nulls(0, field.type) for field in self._schema]
        return self.cast(pa.RecordBatch.from_arrays(empty, schema=self._schema), 0).schema

    def cast(self, batch: pa.RecordBatch, first_row: int) -> pa.RecordBatch:
        """The answers to the rows of a batch, of which the first is number ``first_row``."""
        if self.NUMBER in self._found:
            numbers = self._whole(batch, self.NUMBER, pa.int64(), first_row)
        else:
            numbers = pa.array(np.arange(first_row, first_row + batch.num_rows, dtype=np.int64))
        kept = [batch.column(number) for number in self._kept]
        answers, rows = self._answers(batch, first_row)
        if rows is not None:
            places = pa.array(rows)
            numbers = numbers.take(places)
            kept = [self._repeated(number, batch, places) for number in self._kept]
        answers[self.NUMBER] = numbers
        names = self._parts()
        fields = [pa.field(name, answers[name].type) for name in names]
        fields += [self._schema.field(number) for number in self._kept]
        columns = [answers[name] for name in names] + kept
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, self._metadata))

    def _find(self, schema: pa.Schema) -> Dict[str, int]:
        """The places of the columns of rows by name."""
        raise NotImplementedError

    def _answers(self, batch: pa.RecordBatch, first_row: int) -> _Several:
        """Answers by name, those that are wanted among them."""
        raise NotImplementedError

    def _wanted(self, columns: Optional[Sequence[str]]) -> _Names:
        """The names of the answers that are wanted, checked."""
        query = self._query
        if columns is None:
            return self.ANSWERS[query]
        known = (*self.ANSWERS[query], *self.ON_REQUEST.get(query, ()))
        for name, times in Counter(columns).items():
            if name not in known:
                raise ValueError(f"columns: the query {query} has no {name!r}; it has {', '.join(known)}")
            if times > 1:
                raise ValueError(f"columns: {name!r} is there twice")
        return tuple(columns)

    def _checked(self, options: Dict[str, Any]) -> Dict[str, Any]:
        """The options, which are numbers and words for all rows."""
        query = self._query
        known = (*self.OPTIONS, *self.OWN_OPTIONS.get(query, ()))
        for name, value in options.items():
            if name not in known:
                others = ("query", "columns", "keep", "first_row")
                raise unknown(name, f"the query {query} of {self.ROWS}", (*known, *others))
            if name in self._found:
                raise ValueError(f'{name}: there is a column "{name}" too')
            if name in self.FOR_ALL and not isinstance(value, Real):
                problem = f"a number for all {self.ROWS}, or a column, was expected"
                raise TypeError(f"{name}: it is of {type(value)}; {problem}")
        needed = self.REQUIRED.get(query)
        if needed and needed not in options and needed not in self._found:
            raise TypeError(f"{needed}: the query {query} needs it")
        return options

    def _parts(self) -> _Names:
        """The columns of the answers that are wanted."""
        return tuple(part for name in self._columns for part in PARTS.get(name, (name,)))

    def _vectors(self, batch: pa.RecordBatch) -> Columns:
        """The numbers of the points of rows by name."""
        columns: Columns = {}
        for name, parts in self.VECTORS.items():
            if name in self._found:
                columns.update(zip(parts, coordinates(batch.column(self._found[name]))))
            else:
                columns.update((part, floats(batch.column(self._found[part]))) for part in parts)
        return columns

    def _floats(self, batch: pa.RecordBatch, names: Iterable[str]) -> Columns:
        """Those of these columns of numbers that are there."""
        return {name: floats(batch.column(self._found[name])) for name in names if name in self._found}

    def _whole(
        self, batch: pa.RecordBatch, name: str, kind: pa.DataType, first_row: int, none: bool = False
    ) -> pa.Array:
        return whole(batch.column(self._found[name]), name, kind, first_row, none)

    def _repeated(self, number: int, batch: pa.RecordBatch, rows: pa.Array) -> pa.Array:
        """A column that passes through, for each answer."""
        column, kind = batch.column(number), self._schema.types[number]
        # These, which polars gives, cannot be taken from.
        plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}.get(kind, kind)
        try:
            return column.cast(plain).take(rows).cast(kind)
        except pa.ArrowNotImplementedError:
            name, how = batch.schema.names[number], "leave it out with keep="
            raise TypeError(f'column "{name}": pyarrow cannot repeat {kind} for each answer; {how}') from None

    def _arrays(self, rows: int, *names: str) -> Columns:
        """An array for the status, and for each of these answers."""
        out: Columns = {"status": np.empty(rows, np.uint8)}
        for name in names:
            kind = np.dtype(np.uint32) if name.endswith("_id") else self._dtype
            out[name] = np.empty((rows, 3) if name in PARTS else rows, kind)
        return out


class RayCasting(Casting):
    """A query of rays."""

    ROWS, NUMBER = "rays", "ray_id"
    VECTORS = {"origin": ("ox", "oy", "oz"), "direction": ("dx", "dy", "dz")}
    ANSWERS = {
        "closest": ("ray_id", "status", *HIT),
        "farthest": ("ray_id", "status", *HIT),
        "line": ("ray_id", "status", *HIT, *("behind_" + name for name in HIT)),
        "any": ("ray_id", "status", "hit"),
        "count": ("ray_id", "status", "count"),
        "cost": ("ray_id", "status", "nodes", "boxes", "leaves", "primitives"),
        "all": ("ray_id", *HIT),
        "nearest": ("ray_id", *HIT),
    }
    ON_REQUEST = {
        **dict.fromkeys(("closest", "farthest"), ("point", "normal")),
        **dict.fromkeys(("all", "nearest"), ("point",)),
    }
    OPTIONS = (
        *("t_min", "t_max", "mask", "culling", "contact", "coherence"),
        *("brute_force", "backend", "threads"),
    )
    OWN_OPTIONS = {"nearest": ("limit",)}
    REQUIRED = {"nearest": "limit"}
    FOR_ALL = ("t_min", "t_max", "mask")

    _SKIPPED = ("skip_geometry_id", "skip_primitive_id", "skip_instance_id")

    def _find(self, schema: pa.Schema) -> Dict[str, int]:
        numbers = ("mask", "ray_id", *self._SKIPPED)
        found = find(schema, self.VECTORS, ("t_min", "t_max"), numbers, meant_of_ray)
        for name in self._SKIPPED[:2]:
            if name not in found and any(other in found for other in self._SKIPPED):
                raise ValueError(f'no column "{name}": it says what to skip together with the others')
        return found

    def _answers(self, batch: pa.RecordBatch, first_row: int) -> _Several:
        rays = self._vectors(batch)
        options = dict(self._options, invalid="miss", **self._floats(batch, ("t_min", "t_max")))
        if "mask" in self._found:
            mask = self._whole(batch, "mask", pa.uint32(), first_row)
            options["mask"] = mask.to_numpy(zero_copy_only=False)
        skipped = [name for name in self._SKIPPED if name in self._found]
        if skipped:
            columns = (self._whole(batch, name, pa.int64(), first_row, True) for name in skipped)
            options["skip"] = tuple(column.to_numpy(zero_copy_only=False) for column in columns)
        if self._query in ("all", "nearest"):
            return self._several(rays, options)
        return getattr(self, "_" + self._query)(rays, batch.num_rows, options), None

    def _closest(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        out = self._arrays(rows, *{*self._columns} - {"ray_id", "status"})
        query = self._scene.closest_hit if self._query == "closest" else self._scene.farthest_hit
        query(rays, out=out, normals="normal" in out, points="point" in out, **options)
        return arrays.hits(out, Valid(out["status"] == 1))

    _farthest = _closest

    def _line(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        table = self._scene.line_hits(rays, **options).to_arrow()
        return {name: table[name].combine_chunks() for name in table.column_names}

    def _any(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        status = np.empty(rows, np.uint8)
        hit = self._scene.any_hit(rays, status=status, **options)
        return {"status": arrays.words(status), "hit": arrays.bits(hit)}

    def _count(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        status = np.empty(rows, np.uint8)
        count = self._scene.count_hits(rays, status=status, **options)
        return {"status": arrays.words(status), "count": pa.array(count.astype(np.int64))}

    def _cost(self, rays: Columns, rows: int, options: Dict[str, Any]) -> Answers:
        status = np.empty(rows, np.uint8)
        cost = self._scene.cost(rays, status=status, **options)
        counts = {name: pa.array(count.astype(np.int64)) for name, count in cost.items()}
        return {"status": arrays.words(status), **counts}

    def _several(self, rays: Columns, options: Dict[str, Any]) -> _Several:
        query = self._scene.nearest_hits if self._query == "nearest" else self._scene.all_hits
        found = query(rays, points="point" in self._columns, **options)
        columns: Dict[str, Any] = {name: getattr(found, name) for name in HIT}
        if found.point is not None:
            columns["point"] = found.point
        return arrays.hits(columns, Valid()), found.ray_id


_NEAR = ("distance", "point", *HIT[1:])
_COMMON = 2.0**100
"""Up to which coordinates are usable in scenes of both precisions."""


class PointCasting(Casting):
    """A query of points."""

    ROWS, NUMBER = "points", "point_id"
    VECTORS = {"point": PARTS["point"]}
    ANSWERS = {
        "closest": ("point_id", "status", *_NEAR),
        "distance": ("point_id", "status", "distance"),
        "signed": ("point_id", "status", "distance"),
        "contains": ("point_id", "status", "inside"),
        "winding": ("point_id", "status", "winding_number"),
        "nearest": ("point_id", *_NEAR),
        "within": ("point_id", *_NEAR),
    }
    ON_REQUEST = {"closest": ("normal",)}
    OPTIONS = ("brute_force", "backend", "threads")
    OWN_OPTIONS = {
        "closest": ("radius",),
        "signed": ("generalised_winding",),
        "contains": ("generalised_winding",),
        "winding": ("accuracy",),
        "nearest": ("count", "radius"),
        "within": ("radius",),
    }
    REQUIRED = {"nearest": "count", "within": "radius"}
    FOR_ALL = ("radius",)

    def _find(self, schema: pa.Schema) -> Dict[str, int]:
        # To other queries it says nothing, and passes through.
        radius = ("radius",) if "radius" in self.OWN_OPTIONS.get(self._query, ()) else ()
        return find(schema, self.VECTORS, radius, ("point_id",), meant_of_point)

    def _checked(self, options: Dict[str, Any]) -> Dict[str, Any]:
        radius = super()._checked(options).get("radius", 0)
        if not radius >= 0:
            raise ValueError(f"radius: it is {radius}; a number from 0 on was expected")
        return options

    def _answers(self, batch: pa.RecordBatch, first_row: int) -> _Several:
        points = np.stack(list(self._vectors(batch).values()), axis=1)
        options = dict(self._options, invalid="miss", **self._floats(batch, ("radius",)))
        if self._query in ("nearest", "within"):
            return self._several(points, options)
        return getattr(self, "_" + self._query)(points, options), None

    def _closest(self, points: npt.NDArray[Any], options: Dict[str, Any]) -> Answers:
        out = self._arrays(len(points), *{*self._columns} - {"point_id", "status"})
        self._scene.closest_point(points, out=out, normals="normal" in out, **options)
        return arrays.hits(out, Valid(out["status"] == 1))

    def _distance(self, points: npt.NDArray[Any], options: Dict[str, Any]) -> Answers:
        query = self._scene.distance if self._query == "distance" else self._scene.signed_distance
        distance = query(points, **options)
        is_finite = np.isfinite(distance)
        status = self._status(points, is_finite)
        return {"status": arrays.words(status), "distance": Valid(is_finite).array(distance)}

    _signed = _distance

    def _contains(self, points: npt.NDArray[Any], options: Dict[str, Any]) -> Answers:
        inside = self._scene.contains(points, **options)
        return {"status": arrays.words(self._status(points, inside)), "inside": arrays.bits(inside)}

    def _winding(self, points: npt.NDArray[Any], options: Dict[str, Any]) -> Answers:
        winding = self._scene.winding_number(points, **options)
        status = self._status(points, np.abs(winding) >= 0.5)
        return {"status": arrays.words(status), "winding_number": Valid(status < 2).array(winding)}

    def _status(self, points: npt.NDArray[Any], is_hit: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
        """The status of each point: a hit or a miss, or what is wrong with it, which queries do not say."""
        status = is_hit.astype(np.uint8)
        unsure = np.flatnonzero(~(np.abs(points) <= _COMMON).all(axis=1))
        if len(unsure):
            asked = {"status": np.empty(len(unsure), np.uint8)}
            self._scene.closest_point(points[unsure], radius=0, invalid="miss", out=asked)
            status[unsure] = np.where(asked["status"] > 1, asked["status"], status[unsure])
        return status

    def _several(self, points: npt.NDArray[Any], options: Dict[str, Any]) -> _Several:
        query = self._scene.nearest_points if self._query == "nearest" else self._scene.points_within
        found = query(points, **options)
        return arrays.hits({name: getattr(found, name) for name in _NEAR}, Valid()), found.point_id
