"""Answers as arrays of Arrow: null where there are none, and vectors by their components."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import, unused-ignore]

from . import INVALID_ID, STATUSES
from ._answers import Floats
from ._lanecast import Scene

Columns = Dict[str, npt.NDArray[Any]]
Answers = Dict[str, pa.Array]


class Valid:
    """Which rows have a value: all, if there is no array that says which."""

    def __init__(self, valid: Optional[npt.NDArray[np.bool_]] = None) -> None:
        self._bits = None if valid is None else pa.py_buffer(np.packbits(valid, bitorder="little"))
        self._nulls = 0 if valid is None else len(valid) - int(np.count_nonzero(valid))

    def array(self, values: npt.NDArray[Any]) -> pa.Array:
        """The values, without a copy, null in the other rows."""
        buffers = [self._bits, pa.py_buffer(np.ascontiguousarray(values))]
        return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers, self._nulls)


def words(status: npt.NDArray[np.uint8]) -> pa.Array:
    """The names of statuses."""
    words = pa.array(STATUSES, pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(status.view(np.int8)), words).dictionary_decode()


def hits(columns: Mapping[str, Any], valid: Valid, scene: Scene) -> Answers:
    """Columns of hits, those of them that are given."""
    answers = {name: valid.array(columns[name]) for name in ("t", "u", "v") if name in columns}
    for name in ("primitive_id", "geometry_id"):
        if name in columns:
            answers[name] = valid.array(columns[name].astype(np.int64))
    if "instance_id" in columns:
        ids = columns["instance_id"]
        if scene.instance_count == 0:
            answers["instance_id"] = pa.nulls(
                len(columns["primitive_id"] if ids is None else ids), pa.int64()
            )
        else:
            answers["instance_id"] = Valid(ids != INVALID_ID).array(ids.astype(np.int64))
    return answers


def points(rays: Columns, t: Floats, rows: Union[slice, npt.NDArray[np.int64]]) -> Columns:
    """Where rays are at t: computed in float64, rounded once."""
    points: Columns = {}
    wide = t.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        for axis in "xyz":
            origin, direction = (rays[part + axis][rows].astype(np.float64) for part in "od")
            points[axis] = (origin + direction * wide).astype(t.dtype)
    return points


def units(normals: Floats) -> Columns:
    """Vectors of length 1, or 0 where there is none: computed in float64, rounded once."""
    x, y, z = normals.T.astype(np.float64)
    length = np.sqrt(x * x + y * y + z * z)
    scale = 1.0 / np.where(length > 0, length, 1.0)
    return {"n" + axis: (part * scale).astype(normals.dtype) for axis, part in zip("xyz", (x, y, z))}
