"""The columns of rays and points in record batches: found by name, checked, and read as arrays of NumPy."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import pyarrow as pa  # type: ignore[import, unused-ignore]

from ._answers import Floats
from ._lanecast import _meant_ray_column


def meant_of_ray(name: str) -> Optional[str]:
    """The column of rays that is meant by a name which is none, if any."""
    return "mask" if _letters(name) in ("mask", "masks", "raymask") else _meant_ray_column(name)


def meant_of_point(name: str) -> Optional[str]:
    """The column of points that is meant by a name which is none, if any."""
    letters = _letters(name)
    if letters in [before + axis for before in ("", "pos", "position", "point") for axis in "xyz"]:
        return letters[-1]
    known = {"point": "point", "pointid": "point_id", "pointindex": "point_id", "radius": "radius"}
    near = get_close_matches(letters, known, 1, 0.85)
    return known[near[0]] if near and near[0][0] == letters[0] else None


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def find(
    schema: pa.Schema,
    points: Mapping[str, Tuple[str, ...]],
    numbers: Sequence[str],
    integers: Sequence[str],
    meant: Callable[[str], Optional[str]],
) -> Dict[str, int]:
    """The places of the columns of rows by name, their types checked: of points, or the three in the place of
    each; and if they are there, of numbers and of whole numbers.
    """
    parts = [part for names in points.values() for part in names]
    known = {*points, *parts, *numbers, *integers}
    for name, times in Counter(schema.names).items():
        if name in known:
            if times > 1:
                raise ValueError(f'column "{name}" is there twice')
            continue
        near = meant(name)
        if near in known:
            raise ValueError(f'column "{name}" is not known; did you mean "{near}"? rename it or remove it')
    found = {name: number for number, name in enumerate(schema.names) if name in known}
    for point, names in points.items():
        twice = [name for name in names if name in found]
        if point in found and twice:
            raise ValueError(f'column "{twice[0]}": there is a column "{point}" too')
        missing = [f'"{name}"' for name in names if name not in found and point not in found]
        if missing:
            there = ", ".join(schema.names) or "none"
            raise ValueError(f'no column {", ".join(missing)}, nor "{point}"; found {there}')
    for name, number in found.items():
        kind = schema.field(number).type
        if pa.types.is_dictionary(kind) and name not in points:
            kind = kind.value_type
        if name in points:
            fits, expected = _is_point(kind), "float32 or float64 as struct<x, y, z> or fixed_size_list[3]"
        elif name in integers:
            fits, expected = pa.types.is_integer(kind), "a type of whole numbers"
        else:
            fits, expected = _is_float(kind), "float32 or float64"
        if not fits:
            raise TypeError(f'column "{name}": {kind} is not {expected}; cast the column')
    return found


def _is_float(kind: pa.DataType) -> bool:
    return bool(pa.types.is_float32(kind) or pa.types.is_float64(kind))


def _is_point(kind: pa.DataType) -> bool:
    if pa.types.is_struct(kind):
        fields = [kind.field(number) for number in range(kind.num_fields)]
        return sorted(field.name for field in fields) == ["x", "y", "z"] and all(
            _is_float(field.type) for field in fields
        )
    return pa.types.is_fixed_size_list(kind) and kind.list_size == 3 and _is_float(kind.value_type)


def _plain(column: pa.Array) -> pa.Array:
    """A column, its values in the place of those of a dictionary."""
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def floats(column: pa.Array) -> Floats:
    """The numbers of a column, NaN where it is null."""
    values: Floats = _plain(column).to_numpy(zero_copy_only=False)
    return values


def coordinates(column: pa.Array) -> List[Floats]:
    """The three columns of a column of points."""
    if pa.types.is_struct(column.type):
        parts = dict(zip((field.name for field in column.type), column.flatten()))
        return [floats(parts[axis]) for axis in "xyz"]
    flat = column.values.slice(3 * column.offset, 3 * len(column))
    rows = floats(flat).reshape(-1, 3)
    if column.null_count:
        rows = np.where(
            column.is_null().to_numpy(zero_copy_only=False)[:, None], rows.dtype.type(np.nan), rows
        )
    return list(rows.T)


def whole(column: pa.Array, name: str, kind: pa.DataType, first_row: int, none: bool = False) -> pa.Array:
    """A column of whole numbers of a type; numbers beyond the type are refused by their row, and nulls, unless
    they are -1.
    """
    column = _plain(column)
    if column.null_count and not none:
        row = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
        raise ValueError(f'row {first_row + row}: column "{name}" is null')
    try:
        return column.cast(kind).fill_null(-1) if none else column.cast(kind)
    except pa.ArrowInvalid:
        numbers, limits = column.to_pylist(), np.iinfo(str(kind))
        row = next(
            row
            for row, number in enumerate(numbers)
            if number is not None and not limits.min <= number <= limits.max
        )
        problem = f"{numbers[row]} is not within {limits.min} and {limits.max}"
        raise ValueError(f'row {first_row + row}: column "{name}": {problem}') from None
