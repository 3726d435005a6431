"""Arrays of all kinds as NumPy's: masked ones and lists of these, data frames, other libraries'."""

from __future__ import annotations

from itertools import chain
from typing import Any, Sequence, Union

import numpy as np
import numpy.typing as npt

Vector = Union[Sequence[float], npt.NDArray[Any]]
Rows = Union[Sequence[Vector], npt.NDArray[Any]]

NAMES = (
    ("x", "y", "z"),
    ("ox", "oy", "oz"),
    ("dx", "dy", "dz"),
    ("ox", "oy", "oz", "dx", "dy", "dz"),
    ("ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"),
)


class PrecisionWarning(UserWarning):
    """Coordinates are rounded to float32 and moved by more than 1/2,000,000 of the scene's size."""

    __module__ = "lanecast"


def array_of(argument: str, value: Any) -> npt.NDArray[Any]:
    """An argument as an array of any dtype."""
    value = unmasked(argument, _by_name(argument, value))
    is_only_dlpack = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
    try:
        return np.from_dlpack(value) if is_only_dlpack else np.asarray(value)
    except Exception as error:
        raise ValueError(f"{argument}: it is no array: {error}") from None


def numbers(argument: str, value: Any) -> npt.NDArray[np.float64]:
    """A few numbers as an array, whatever holds them."""
    value = unmasked(argument, value)
    items = value if isinstance(value, (list, tuple)) else [value]
    if any(isinstance(item, (bool, np.bool_)) for item in items):
        raise TypeError(f"{argument}: it is {value}; numbers were expected")
    try:
        return np.asarray(value, dtype="float64")
    except (TypeError, ValueError) as error:
        raise TypeError(f"{argument}: numbers were expected: {error}") from None


def converted(array: npt.NDArray[Any], dtype: str) -> npt.NDArray[Any]:
    """A copy of a dtype of floats; numbers beyond it are infinite, and queries name their rows."""
    with np.errstate(over="ignore"):
        return np.array(array, dtype=dtype, order="C")


def unmasked(argument: str, value: Any) -> Any:
    """The same without a mask, also in lists: numbers that are masked are NaN, other things are refused."""
    if _has_masked(value):
        return np.array([unmasked(argument, each) for each in value])
    if not isinstance(value, np.ma.MaskedArray):
        return value
    if value.dtype.kind in "iu" and np.ma.is_masked(value):
        value = value.astype("float32" if value.dtype.itemsize < 4 else "float64")
    if value.dtype.kind != "f" and np.ma.is_masked(value):
        raise ValueError(f"{argument}: numbers of its dtype, {value.dtype}, are masked; fill them")
    return value.filled(np.nan) if value.dtype.kind == "f" else value.data


def _has_masked(value: Any) -> bool:
    """Whether a masked array is in a list, or in a list in it, and so on."""
    while isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if any(issubclass(kind, np.ma.MaskedArray) for kind in kinds):
            return True
        if not kinds or not kinds <= {list, tuple}:
            return False
        value = list(chain.from_iterable(value))
    return False


def _by_name(argument: str, frame: Any) -> Any:
    """A data frame with its columns in the order of rays or points, if they have such names; others as they are."""
    if isinstance(frame, (np.ndarray, list, tuple)):
        return frame
    names = getattr(frame, "column_names", None)
    names = list(getattr(frame, "columns", ()) if names is None else names)
    if not any(isinstance(name, str) and name in order for name in names for order in NAMES):
        return frame
    for order in NAMES:
        if sorted(order) == sorted(map(str, names)):
            return frame.select(list(order)) if hasattr(frame, "select") else frame[list(order)]
    expected = " or ".join(" ".join(order) for order in NAMES)
    raise ValueError(f"{argument}: its columns are {' '.join(map(str, names))}; {expected} was expected")
