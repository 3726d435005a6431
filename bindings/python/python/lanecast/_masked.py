"""Masked arrays of NumPy, whose data are not to be used where they are masked."""

from __future__ import annotations

from typing import Any

import numpy as np


def unmasked(argument: str, value: Any) -> Any:
    """The same without a mask: floats that are masked are NaN, and whole numbers are refused."""
    if not isinstance(value, np.ma.MaskedArray):
        return value
    if value.dtype.kind != "f" and np.ma.is_masked(value):
        raise ValueError(f"{argument}: numbers of its dtype, {value.dtype}, are masked; fill them")
    return value.filled(np.nan) if value.dtype.kind == "f" else value.data
