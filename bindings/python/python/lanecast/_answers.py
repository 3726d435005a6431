"""Answers: arrays by name, one row for each ray or point. Their leading dimensions are those of the rays."""

from __future__ import annotations

from dataclasses import Field, dataclass, fields, replace
from os import PathLike, fspath
from os.path import splitext
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Iterator, NoReturn, Optional, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._lanecast import INVALID_ID

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import, unused-ignore]
    import polars as pl  # type: ignore[import, unused-ignore]
    import pyarrow as pa  # type: ignore[import, unused-ignore]

    from ._lanecast import Scene

Floats = npt.NDArray[Any]
"""float32 or float64, as the scene is."""
Ids = npt.NDArray[np.uint32]

_LEFT_OUT: Any = None
"""In place of a column that the caller's ``out`` does not have."""

_BEHIND = {"point": 1, "normal": 1, "shading_normal": 1, "vertices": 2}
"""The number of dimensions that a column has behind those of the rows, if any."""

_SAVED = (
    *("x", "y", "z", "distance", "time", "beam", "azimuth", "pulse", "return_number", "return_count"),
    *("incidence", "intensity", "primitive_id", "geometry_id", "instance_id"),
)
"""The columns of files of returns, in their order."""

_TABLES = (".parquet", ".arrow", ".feather", ".ipc", ".arrows")
"""Extensions of files that pyarrow writes."""

_R = TypeVar("_R", bound="_Rows")
_C = TypeVar("_C", bound="_Columns")
_L = TypeVar("_L", bound="_Lists")


class _Rows:
    """Answers for the rows of an array: indexed as that is without its last dimension."""

    @property
    def shape(self) -> Tuple[int, ...]:
        """The dimensions of the rows: the leading ones of the rays or points."""
        raise NotImplementedError

    def __getitem__(self: _R, rows: Any) -> _R:
        raise NotImplementedError

    def _table(self, split: bool = False) -> pa.Table:
        raise NotImplementedError

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self: _R) -> Iterator[_R]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return map(self.__getitem__, range(len(self)))

    if not TYPE_CHECKING:

        def __array__(self, *_: Any, **__: Any) -> NoReturn:
            # Else NumPy makes an array of objects, one for each row.
            raise TypeError(f"{type(self).__name__} has several arrays; take one by its name")

    def to_arrow(self) -> pa.Table:
        """A copy as a ``pyarrow.Table``: a row for each ray or point, or in `AllHits`, `Returns` and
        `NearPoints` for each answer, and the columns of ``cast_arrow``. ``ray_id``, ``pulse`` or ``point_id``
        counts over all leading dimensions, statuses are words, ids and counts int64. What a miss does not
        have is null, as is the instance of what is in none. Vectors are fixed-size lists.

        Raises ImportError without pyarrow, and ValueError where ``out`` left out ``status``.
        """
        return self._table()

    def to_pandas(self) -> pd.DataFrame:
        """The table of ``to_arrow`` as a ``pandas.DataFrame``. Whole numbers are ``Int64``, as some may be
        null. Vectors are columns: ``x y z`` of points, ``nx ny nz`` of normals, ``sx sy sz`` of shading
        normals, and ``ax ay az bx`` to ``cz`` of the corners of triangles.

        Raises ImportError without pandas or pyarrow.
        """
        table = self._table(split=True)
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        return table.to_pandas(types_mapper=lambda kind: pandas.Int64Dtype() if kind == "int64" else None)

    def to_polars(self) -> pl.DataFrame:
        """The table of ``to_arrow`` as a ``polars.DataFrame``, in which vectors are arrays.

        Raises ImportError without polars or pyarrow.
        """
        table = self._table()
        try:
            import polars
        except ImportError as error:
            raise ImportError("to_polars needs polars: pip install polars") from error
        return polars.DataFrame(table)


class _Columns(_Rows):
    """Arrays by name; ``dict(answers.items())`` has them all."""

    __dataclass_fields__: ClassVar[Dict[str, Field[Any]]]
    _number: ClassVar[Optional[str]] = "ray_id"
    """What tables call the number of a row; None if they have none."""

    def items(self) -> Iterator[Tuple[str, npt.NDArray[Any]]]:
        """Names and arrays, without those that are None.

        >>> hits = scene.closest_hit([[0.5, 0.2, 1, 0, 0, -1]])
        >>> sorted(name for name, column in hits.items())
        ['geometry_id', 'primitive_id', 'status', 't', 'u', 'v']
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield field.name, value

    @property
    def shape(self) -> Tuple[int, ...]:
        """The dimensions of the rows: the leading ones of the rays or points."""
        for name, column in self.items():
            return column.shape[: column.ndim - _BEHIND.get(name, 0)]
        raise ValueError("out= left out all columns")

    def __getitem__(self: _C, rows: Any) -> _C:
        return replace(
            self, **{name: _taken(column, rows, _BEHIND.get(name, 0)) for name, column in self.items()}
        )

    def _table(self, split: bool = False) -> pa.Table:
        from ._arrow_answers import Valid, table

        columns, number = dict(self.items()), self._number
        status = columns.get("status")
        if status is None and "status" in self.__dataclass_fields__:
            raise ValueError("status: out= left it out; it says which rows have an answer")
        if "instance_id" in self.__dataclass_fields__ and "primitive_id" in columns:
            columns.setdefault("instance_id", np.full_like(columns["primitive_id"], INVALID_ID))
        leading, rows = len(self.shape), int(np.prod(self.shape, dtype="int64"))
        flat = {number: np.arange(rows, dtype="int64")} if number else {}
        for name in self.__dataclass_fields__:
            if name in columns:
                flat[name] = columns[name].reshape(rows, *columns[name].shape[leading:])
        return table(flat, Valid(None if status is None else status.ravel() == 1), split)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}: {value.dtype}{list(value.shape)}" for name, value in self.items())
        return f"<lanecast.{type(self).__name__} of {shown}>"


class _Lists(_Columns):
    """A list of answers for each row: all lists, one after the other, in the columns behind `offsets`."""

    status: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    @property
    def shape(self) -> Tuple[int, ...]:
        """The dimensions of the rows: the leading ones of the rays or points."""
        return self.status.shape

    @property
    def _rows(self) -> npt.NDArray[np.int64]:
        """The row of each answer, counted over all leading dimensions."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype="int64"), np.diff(self.offsets))

    @property
    def _answers(self) -> Dict[str, npt.NDArray[Any]]:
        return {name: column for name, column in self.items() if name not in ("status", "offsets")}

    def __getitem__(self: _L, rows: Any) -> _L:
        shape, answers = self.shape, self._answers
        if getattr(rows, "dtype", None) == bool and rows.shape == (self.offsets[-1],) != shape[:1]:
            problem = f"the mask is of answers, but indices are of rows, of shape {shape}"
            raise IndexError(f"{problem}; use it on a column, such as .{next(iter(answers))}[mask]")
        start, end = (
            _taken(ends.reshape(shape), rows).ravel() for ends in (self.offsets[:-1], self.offsets[1:])
        )
        offsets = np.concatenate([[0], np.cumsum(end - start)])
        places = np.arange(offsets[-1]) + np.repeat(start - offsets[:-1], end - start)
        status = _taken(self.status, rows, self.status.ndim - len(shape))
        taken = {name: column[places] for name, column in answers.items()}
        return replace(self, status=status, offsets=offsets, **taken)

    def _table(self, split: bool = False) -> pa.Table:
        from ._arrow_answers import Valid, table

        return table({str(self._number): self._rows, **self._answers}, Valid(), split)


def _taken(column: npt.NDArray[Any], rows: Any, behind: int = 0) -> npt.NDArray[Any]:
    """The rows of a column with so many dimensions behind theirs: an array, also of a single row."""
    rows = rows if isinstance(rows, tuple) else (rows,)
    if not any(part is Ellipsis for part in rows):
        rows += (...,)
    return np.asarray(column[(*rows, *[slice(None)] * behind)])


@dataclass(eq=False, repr=False)
class Hits(_Columns):
    """One hit of each ray: arrays of the leading dimensions of the rays, () for a single one.

    `t`, `u`, `v`, `normal` and `point` are of the scene's precision, ids are uint32. `Scene.surface` makes
    points with a smaller error, and normals of length 1.

    This and all other answers are indexed as an array of their leading dimensions is: by numbers, slices,
    masks, arrays of numbers, ``...`` and tuples of these. The result is of the same class, with the same rows
    of all columns, which are views where NumPy gives views. ``len`` and iteration are over the first
    dimension. `to_arrow`, `to_pandas` and `to_polars` make tables.

    >>> hits = scene.closest_hit([[0.75, 0.25, 2, 0, 0, -1], [5, 5, 2, 0, 0, -1]])
    >>> hits[hits.is_hit]
    <lanecast.Hits of status: uint8[1], t: float32[1], primitive_id: uint32[1],
    geometry_id: uint32[1], u: float32[1], v: float32[1]>
    >>> [float(hit.t) for hit in hits]
    [2.0, inf]
    """

    status: npt.NDArray[np.uint8]
    """uint8: 0 a miss, 1 a hit, else what is wrong with the ray: see ``lanecast.STATUSES``."""
    t: Floats
    """The ray parameter of the hit, of the scene's precision; inf where there is none."""
    primitive_id: Ids
    """uint32: the primitive within its geometry; ``lanecast.INVALID_ID`` where none, as of all ids."""
    geometry_id: Ids
    """uint32: the geometry within its scene, in the order of adding."""
    instance_id: Optional[Ids] = None
    """uint32: the instance that holds it, ``lanecast.INVALID_ID`` for what is in none; None for a scene
    without instances, unless ``out`` has it."""
    u: Floats = _LEFT_OUT
    """The weight of the triangle's second vertex, for triangles of meshes, quads and fields of heights; the
    place along a round cone or a cylinder from its start, 0, to its end, 1; 0 on spheres and boxes, and where
    there is no hit."""
    v: Floats = _LEFT_OUT
    """The weight of the triangle's third vertex; 0 where there is no triangle. That of the first is 1 - u -
    v."""
    normal: Optional[Floats] = None
    """(..., 3): the geometric normal, not of unit length, outwards, or to the side from which corners are
    seen counter-clockwise; zeros where there is no hit. None unless asked for or in ``out``."""
    point: Optional[Floats] = None
    """(..., 3): origin + t * direction, computed in float64 from the rays that are cast and rounded once;
    zeros where there is no hit. None unless asked for by ``points=True`` or in ``out``: answers do not keep
    the rays, as these would stay in memory, and give other points after a change."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """bool: whether each ray meets anything."""
        return np.equal(self.status, 1)


@dataclass(eq=False, repr=False)
class AllHits(_Lists):
    """Several hits of each ray, nearest first: those of ray i are in rows ``offsets[i]:offsets[i + 1]``.

    `status` and `offsets` are of rays, counted over all leading dimensions; other arrays have a row for each
    hit, as of `Hits`. `instance_id` is always there. ``rays.reshape(-1, 6)[hits.ray_id]`` are the rays of the
    hits.

    Indices, ``len`` and iteration are of rays: ``hits[1:]`` has all hits of the rays ``rays[1:]``, with
    `offsets` and `ray_id` that count over these. Single hits are selected in columns.

    >>> two = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0], [0, 0, -5]], 1.0))
    >>> hits = two.all_hits([[9, 0, 2, 0, 0, -1], [0, 0, 2, 0, 0, -1]])
    >>> hits[1:].offsets, hits[1:].ray_id
    (array([0, 4]), array([0, 0, 0, 0]))
    >>> [hits_of_ray.t.tolist() for hits_of_ray in hits]
    [[], [1.0, 3.0, 6.0, 8.0]]
    >>> hits.t[hits.t < 5], hits.ray_id[hits.t < 5]
    (array([1., 3.], dtype=float32), array([1, 1]))
    """

    status: npt.NDArray[np.uint8]
    """uint8, one for each ray, as in ``Hits``."""
    offsets: npt.NDArray[np.int64]
    """int64: the first hit of each ray, and the number of all hits."""
    t: Floats
    primitive_id: Ids
    geometry_id: Ids
    instance_id: Ids
    u: Floats
    v: Floats
    point: Optional[Floats] = None
    """(n, 3): the point of each hit, as in ``Hits``; None unless asked for."""

    @property
    def ray_id(self) -> npt.NDArray[np.int64]:
        """int64: the ray of each hit, counted over all leading dimensions."""
        return self._rows


@dataclass(eq=False, repr=False)
class Returns(_Lists):
    """What a scanner measures: the returns of pulse i are in rows ``offsets[i]:offsets[i + 1]`` of the
    columns, the nearest first before noise.

    Indices, ``len`` and iteration are of pulses, in the shape of the beams: ``returns[0]`` are those of the
    first turn of a `Lidar`, with `offsets` and `pulse` that count over its pulses. Single returns are
    selected in columns: ``returns.point[returns.distance < 50]``.
    """

    _number: ClassVar[Optional[str]] = "pulse"

    status: npt.NDArray[np.uint8]
    """uint8, one for each ray, as in ``Hits``: of the exact ray, whether or not its pulse is received."""
    offsets: npt.NDArray[np.int64]
    """int64: the first return of each pulse, and the number of all returns."""
    distance: Floats
    """The distance that is measured, of the scene's precision."""
    point: Floats
    """(n, 3): the point at this distance on the axis of the pulse."""
    return_number: Ids
    """uint32: which of the pulse's returns that are received it is, from 1."""
    return_count: Ids
    """uint32: how many these are, also where not all are kept."""
    incidence: npt.NDArray[np.float32]
    """float32: the angle in degrees, from 0, head-on, to 90, with the normal of the surface, of the hit with
    the greatest part in the return."""
    intensity: npt.NDArray[np.float32]
    """float32: the power that came back, as `Receiver` has it: 1 for a whole beam that meets a white surface
    head-on at the reference range, or at any distance where there is none."""
    primitive_id: Ids
    """uint32: the primitive, as the other ids that of the hit with the greatest part in the return."""
    geometry_id: Ids
    instance_id: Ids
    time: Optional[npt.NDArray[np.float64]] = None
    """float64: when the pulse was fired, in seconds, as `Lidar.pulses` has it; as `beam` and `azimuth` None
    where the rays are not of a `Lidar`, nor of a `Footprint` of one."""
    beam: Optional[Ids] = None
    """uint32: the number of the beam."""
    azimuth: Optional[npt.NDArray[np.float64]] = None
    """float64: degrees, clockwise from y in the scanner's own axes."""

    def save(self, path: Union[str, PathLike[str]]) -> None:
        """Writes the returns to a file, in the format of its extension: .las, .laz, .pcd, .ply, .npz, .csv,
        .parquet, .arrow, .feather, .ipc or .arrows, or .xyz and .asc for the points alone.

        Columns are those of the program's ``lanecast lidar``: ``x y z distance time beam azimuth pulse
        return_number return_count incidence intensity primitive_id geometry_id instance_id status``, of a return
        in no instance -1. But for Parquet and Arrow, which pyarrow writes, files are the same to the byte. ``pulse`` counts over all leading dimensions. LAS and LAZ are
        of version 1.4, point format 6: ``time`` is the GPS time, ``intensity`` is 65,535 for 1 and all above,
        and other columns are extra dimensions, ``beam`` as ``ring``, and the intensity as it is as
        ``exact_intensity``. PCD too calls ``beam`` ``ring``.

        Raises ValueError for an extension that is not known, and for numbers that the format does not hold:
        in LAS more than 15 returns of a pulse, and more than 65,536 beams. Raises OSError where the file
        cannot be written, and ImportError for Parquet and Arrow without pyarrow.

        >>> wall = lanecast.Scene([[-9, 4, -9], [9, 4, -9], [0, 4, 9]], [[0, 1, 2]])
        >>> wall.lidar_returns(lanecast.Lidar([0.0], steps=4)).save("scan.las")
        """
        from ._lanecast import _write_returns

        path, found = fspath(path), {"pulse": self.pulse}
        for name, column in self._answers.items():
            if name == "point":
                found.update(zip("xyz", np.ascontiguousarray(column.T)))
            elif column.dtype == np.uint32:
                # No id is -1 then.
                found[name] = column.astype(np.int32)
            else:
                found[name] = np.ascontiguousarray(column, np.float32 if name == "azimuth" else None)
        found["primitive_id"] = found["primitive_id"].astype(np.int64)
        columns = {name: found[name] for name in _SAVED if name in found}
        if splitext(path)[1].lower() in _TABLES:
            from ._arrow_answers import write_returns

            write_returns(path, columns)
        else:
            _write_returns(path, columns)

    @property
    def pulse(self) -> npt.NDArray[np.int64]:
        """int64: the pulse of each return, counted over all leading dimensions."""
        return self._rows

    @property
    def shape(self) -> Tuple[int, ...]:
        """The dimensions of the pulses: those of the rays, of a `Footprint` without the last."""
        is_of_rays = self.status.size == len(self.offsets) - 1
        return self.status.shape if is_of_rays else self.status.shape[:-1]


@dataclass(eq=False, repr=False)
class Cost(_Columns):
    """What the closest hit of each ray cost: uint32, one for each ray."""

    nodes: Ids
    """Tests of inner nodes."""
    boxes: Ids
    """Boxes in those nodes."""
    leaves: Ids
    """Tests of leaves."""
    primitives: Ids
    """Primitives in those leaves."""


@dataclass(eq=False, repr=False)
class ClosestPoints(_Columns):
    """The closest point of a scene to each point. Indices are those of `Hits`."""

    _number: ClassVar[Optional[str]] = "point_id"

    status: npt.NDArray[np.uint8]
    """uint8: 0 none within the radius, 1 there is one, else what is wrong with the point or the radius."""
    distance: Floats
    """The distance, of the scene's precision; inf where there is none."""
    point: Floats
    """(..., 3): the closest point; zeros where there is none."""
    primitive_id: Ids
    """uint32: the primitive on which it lies; ``lanecast.INVALID_ID`` where there is none, as for other
    ids."""
    geometry_id: Ids
    """uint32: the geometry within its scene."""
    instance_id: Optional[Ids] = None
    """uint32: the instance that holds it; None for a scene without instances, unless ``out`` has it."""
    u: Floats = _LEFT_OUT
    """The weight of the triangle's second vertex."""
    v: Floats = _LEFT_OUT
    """The weight of the triangle's third vertex."""
    normal: Optional[Floats] = None
    """(..., 3): the normal there, not of unit length; None unless asked for, or in ``out``."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """bool: whether there is a closest point."""
        return np.equal(self.status, 1)


@dataclass(eq=False, repr=False)
class NearPoints(_Lists):
    """The primitives near each point, nearest first: of point i the rows ``offsets[i]:offsets[i + 1]``.
    Indices are of points, as those of `AllHits` are of rays."""

    _number: ClassVar[Optional[str]] = "point_id"

    status: npt.NDArray[np.uint8]
    """uint8, one for each point, as in ``ClosestPoints``."""
    offsets: npt.NDArray[np.int64]
    """int64: the first primitive of each point, and the number of all of them."""
    distance: Floats
    point: Floats
    """(n, 3): the closest point of each primitive."""
    primitive_id: Ids
    geometry_id: Ids
    instance_id: Ids
    u: Floats
    v: Floats

    @property
    def point_id(self) -> npt.NDArray[np.int64]:
        """int64: the point that each primitive is near, counted over all leading dimensions."""
        return self._rows


@dataclass
class Hit:
    """One hit of one ray, in numbers of Python."""

    t: float
    primitive_id: int
    geometry_id: int
    instance_id: Optional[int]
    """None for what is in no instance."""
    u: float
    v: float


@dataclass(eq=False)
class Pick(Hit):
    """One hit of one ray with points and normals, float64 of shape (3,), and the names of what it met."""

    point: npt.NDArray[np.float64]
    """In the frame of the scene that was asked."""
    normal: npt.NDArray[np.float64]
    """At ``point``, of length 1; zeros if the primitive has none."""
    local_point: npt.NDArray[np.float64]
    """In the frame of the scene that holds the primitive."""
    local_normal: npt.NDArray[np.float64]
    """At ``local_point``, of length 1."""
    geometry_name: str
    instance_path: Tuple[int, ...]
    """The instances around the primitive by their numbers, outermost first."""
    instance_names: Tuple[str, ...]
    """The names of these instances."""


@dataclass(eq=False, repr=False)
class Surface(_Columns):
    """Where hits are, of the scene's precision and of shape (..., 3); zeros where there is no hit."""

    point: Floats
    normal: Floats
    """The geometric normal, of length 1."""
    shading_normal: Optional[Floats] = None
    """The normal interpolated from those of the vertices, of length 1; None unless these were given."""


@dataclass(eq=False)
class LineHits(_Rows):
    """The hits of lines nearest to their origins, on either side. Tables have those behind as ``behind_t`` to
    ``behind_v``."""

    ahead: Hits
    """Those of least t >= 0."""
    behind: Hits
    """Those of greatest t <= 0; t is inf where there is none, as ahead."""

    @property
    def shape(self) -> Tuple[int, ...]:
        """The leading dimensions of the lines."""
        return self.ahead.shape

    def __getitem__(self, rows: Any) -> LineHits:
        return LineHits(self.ahead[rows], self.behind[rows])

    def _table(self, split: bool = False) -> pa.Table:
        from ._arrow_answers import words

        table, behind = self.ahead._table(split), self.behind._table(split)
        # What is wrong with a line is so on both sides.
        status = np.maximum(self.ahead.status, self.behind.status).ravel()
        table = table.set_column(1, "status", words(status))
        for name in behind.column_names[2:]:
            table = table.append_column("behind_" + name, behind[name])
        return table


@dataclass(eq=False, repr=False)
class PrimitiveIds(_Columns):
    """Primitives by their ids, uint32 of shape (n,)."""

    _number: ClassVar[Optional[str]] = None

    primitive_id: Ids
    geometry_id: Ids
    instance_id: Ids
    """``lanecast.INVALID_ID`` for primitives in no instance."""


@dataclass(eq=False, repr=False)
class Triangles(_Columns):
    """Triangles with their ids, uint32 of shape (n,)."""

    _number: ClassVar[Optional[str]] = None

    geometry_id: Ids
    primitive_id: Ids
    vertices: Floats
    """(n, 3, 3): the corners of each, of the scene's precision."""


@dataclass
class GeometryInfo:
    """What is known of a geometry."""

    geometry_id: int
    kind: str
    primitive_count: int
    mask: int
    name: str
    user_data: int


@dataclass(eq=False)
class InstanceInfo:
    """What is known of an instance."""

    instance: int
    """Its number in the scene that holds it."""
    instance_id: int
    """The id of hits in it, on primitives of the placed scene itself."""
    scene: Scene
    """The placed scene."""
    transform: npt.NDArray[np.float64]
    """(4, 4), float64: maps points as columns."""
    mask: int
    name: str
    user_data: int


@dataclass(eq=False)
class OpenEdge:
    """An edge at which a surface is open."""

    geometry_id: int
    primitive_id: int
    ends: Floats
    """(2, 3): from the one to the other in the direction of that triangle."""


@dataclass
class Welded:
    """What welding did."""

    joined: int
    """The number of vertices of triangles that moved to another place."""
    farthest: float
    """The greatest distance that a vertex moved, in the units of the scene."""
    collapsed: int
    """The number of triangles with three different corners before and equal corners after."""


@dataclass
class Statistics:
    """The shape of a tree."""

    inner_nodes: int
    leaves: int
    primitives: int
    depth: int
    """Nodes from the root to the deepest leaf, both included."""
    children_per_node: float
    primitives_per_leaf: float
    sah_cost: float
    """The nodes and leaves that a random line through the box around all visits: surface-area heuristic."""
    sah_cost_as_built: float
    """The same when the tree was built, before refits."""
    bytes: int
    """The memory of nodes and leaves."""
