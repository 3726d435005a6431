"""Answers as arrays of Arrow: null where there are none, and vectors by their components or as lists."""

from __future__ import annotations

from os.path import splitext
from pathlib import Path
from typing import Any, Dict, Mapping, Optional

import numpy as np
import numpy.typing as npt

try:
    import pyarrow as pa  # type: ignore[import, unused-ignore]
except ImportError as error:
    raise ImportError("Arrow and Parquet need pyarrow: pip install 'lanecast[arrow]'") from error

from . import INVALID_ID, STATUSES
from ._files import complete

Columns = Dict[str, npt.NDArray[Any]]
Answers = Dict[str, pa.Array]

HIT = ("t", "primitive_id", "geometry_id", "instance_id", "u", "v")
PARTS = {
    "point": ("x", "y", "z"),
    "normal": ("nx", "ny", "nz"),
    "shading_normal": ("sx", "sy", "sz"),
    "vertices": tuple(corner + axis for corner in "abc" for axis in "xyz"),
}
"""The columns of vectors, where each is a column for each component."""


class Valid:
    """Which rows have a value: all, if there is no array that says which."""

    def __init__(self, valid: Optional[npt.NDArray[np.bool_]] = None) -> None:
        self._bits = None if valid is None else pa.py_buffer(np.packbits(valid, bitorder="little"))
        self._nulls = 0 if valid is None else len(valid) - int(np.count_nonzero(valid))

    def array(self, values: npt.NDArray[Any]) -> pa.Array:
        """The values, without a copy, null in the other rows; rows of several as lists of a fixed size."""
        if values.ndim > 1:
            rows, size, *behind = values.shape
            items = Valid().array(values.reshape(rows * size, *behind))
            kind = pa.list_(items.type, size)
            return pa.Array.from_buffers(kind, rows, [self._bits], self._nulls, children=[items])
        buffers = [self._bits, pa.py_buffer(np.ascontiguousarray(values))]
        return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers, self._nulls)


def words(status: npt.NDArray[np.uint8]) -> pa.Array:
    """The names of statuses."""
    words = pa.array(STATUSES, pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(status.view(np.int8)), words).dictionary_decode()


def bits(values: npt.NDArray[np.bool_]) -> pa.Array:
    """Booleans, of which Arrow has eight in a byte."""
    packed = pa.py_buffer(np.packbits(values, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, packed])


def hits(columns: Mapping[str, Any], valid: Valid) -> Answers:
    """Columns of hits, those of them that are given, normals made of length 1; an instance may be None, where
    there are none.
    """
    answers = {name: valid.array(columns[name]) for name in ("t", "distance", "u", "v") if name in columns}
    if "status" in columns:
        answers["status"] = words(columns["status"])
    for name, vectors in (("point", lambda given: given), ("normal", units)):
        if name in columns:
            answers.update(parts(name, vectors(columns[name]), valid))
    for name in ("primitive_id", "geometry_id"):
        if name in columns:
            answers[name] = valid.array(columns[name].astype(np.int64))
    if "instance_id" in columns:
        ids = columns["instance_id"]
        if ids is None:
            answers["instance_id"] = pa.nulls(len(columns["primitive_id"]), pa.int64())
        else:
            answers["instance_id"] = Valid(ids != INVALID_ID).array(ids.astype(np.int64))
    return answers


def table(columns: Columns, valid: Valid, split: bool) -> pa.Table:
    """A table of answers and of the numbers of their rows, which are int64; vectors are lists, or split into
    their components. Floats are copied, as their arrays may be filled again by ``out``.
    """
    answers: Answers = {}
    for name, column in columns.items():
        if name == "status":
            answers[name] = words(column)
        elif name == "instance_id":
            answers[name] = Valid(column != INVALID_ID).array(column.astype(np.int64))
        elif column.dtype == np.int64:
            answers[name] = Valid().array(column)
        elif column.dtype == np.uint32:
            answers[name] = valid.array(column.astype(np.int64))
        elif split and column.ndim > 1:
            answers.update(parts(name, column, valid))
        else:
            answers[name] = valid.array(column.copy())
    return pa.table(answers)


def parts(name: str, vectors: npt.NDArray[Any], valid: Valid) -> Answers:
    """The components of vectors as columns."""
    columns = vectors.reshape(len(vectors), len(PARTS[name])).T.copy()
    return {part: valid.array(values) for part, values in zip(PARTS[name], columns)}


def units(normals: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Vectors of length 1, or 0 where there is none, (n, 3): computed in float64, rounded once."""
    x, y, z = components = normals.T.astype(np.float64, order="C")
    length = np.sqrt(x * x + y * y + z * z)
    scale = 1.0 / np.where(length > 0, length, 1.0)
    return (components * scale).astype(normals.dtype).T


def write_returns(path: str, columns: Columns) -> None:
    """Writes columns of returns, and the status of each, to a Parquet or an Arrow file."""
    import pyarrow.parquet as pq  # type: ignore[import, unused-ignore]

    rows = len(columns["pulse"])
    arrays = {name: Valid().array(column) for name, column in columns.items()}
    table = pa.table({**arrays, "status": words(np.ones(rows, np.uint8))})
    with complete(Path(path)) as file:
        kind = splitext(path)[1].lower()
        if kind == ".parquet":
            pq.write_table(table, file)
        else:
            begin = pa.ipc.new_stream if kind == ".arrows" else pa.ipc.new_file
            with begin(file, table.schema) as writer:
                writer.write_table(table)
