"""What is computed of grids of heights: viewsheds, horizons, open sky and hours of sun.

    >>> import lanecast.terrain
    >>> import numpy as np
    >>> heights = np.zeros((5, 7))
    >>> heights[:, 4] = 10
    >>> transform = (600_000, 10, 0, 5_200_000, 0, -10)
    >>> open_sky = lanecast.terrain.sky_view(heights, transform)
    >>> bool(open_sky[2, 3] < open_sky[2, 0] < open_sky[2, 4])
    True

All functions take heights of shape (rows, columns), NaN or masked where there are no data, and a `transform`:
the six numbers of GDAL, or an `Affine` as of rasterio, which say where the corners of pixels are. It may not
be rotated. Or they take an `xarray.DataArray` of two dimensions, rows and columns, whose coordinates are
those of the centres of pixels at even steps; the value of its attribute `_FillValue` means no data too. The
answer then is one with the same coordinates.

The terrain is two triangles between the centres of four neighbouring pixels, where all of a triangle have
data. North is where y grows; heights have the units of x and y, which longitude and latitude have not. All is
computed in float64. The earth is flat: neither its curvature nor refraction is taken into account.

- `threads`, `backend`, `progress`: as of `Scene.closest_hit`; progress is in rays.

Raises ValueError that names what cannot be used.
"""

from __future__ import annotations

import datetime
import sys
from typing import Any, Dict, List, Literal, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _lanecast
from ._arrays import array_of, numbers
from ._keywords import checked_call
from ._light import Sun, _utc
from ._types import Progress

__all__ = ["horizon", "sky_view", "sun_hours", "viewshed"]

_STEP = datetime.timedelta(minutes=15)
_MOST_STEPS = 10_000_000


class _Grid:
    """Heights, where the centres of pixels are, and what the answers are to be."""

    def __init__(self, heights: Any, transform: Any) -> None:
        xarray = sys.modules.get("xarray")
        self.labelled: Any = heights if xarray and isinstance(heights, xarray.DataArray) else None
        values = array_of("heights", heights if self.labelled is None else heights.values)
        if values.ndim != 2:
            raise ValueError(f"heights: their shape is {values.shape}; (rows, columns) was expected")
        if values.dtype.kind not in "fiu":
            raise TypeError(f"heights: their dtype is {values.dtype}; numbers were expected")
        self.heights = np.array(values, dtype="float64")
        if self.labelled is None:
            self.transform = _centres(transform)
            return
        if transform is not None:
            raise ValueError("transform: none was expected, as the DataArray has coordinates")
        if self.labelled.dims == ("x", "y"):
            raise ValueError(
                'heights: their dimensions are ("x", "y"); rows come first, as of transpose("y", "x")'
            )
        (y, dy), (x, dx) = (self._steps(name) for name in self.labelled.dims)
        self.transform = (dx, 0.0, x, 0.0, dy, y)
        # Where it was not masked by whoever read it.
        if "_FillValue" in self.labelled.attrs:
            self.heights[self.heights == self.labelled.attrs["_FillValue"]] = np.nan

    def _steps(self, name: Any) -> Tuple[float, float]:
        """The first of the coordinates of a dimension, and the step between them."""
        if name not in self.labelled.coords:
            raise ValueError(f"heights: their dimension {name!r} has no coordinates")
        places = np.asarray(self.labelled.coords[name], dtype="float64")
        if len(places) < 2:
            raise ValueError(f"heights: there are {len(places)} along {name!r}; two at least were expected")
        step = (places[-1] - places[0]) / (len(places) - 1)
        uneven = ~(abs(np.diff(places) - step) <= 1e-3 * abs(step))
        if uneven.any():
            row = int(np.argmax(uneven))
            raise ValueError(
                f"heights: the coordinates along {name!r} have uneven steps, "
                f"{places[row + 1] - places[row]} after {places[row]}, {step} on average"
            )
        return float(places[0]), float(step)

    def answer(self, values: npt.NDArray[Any], name: str, **first: npt.NDArray[np.float64]) -> Any:
        """As an array, or labelled as the heights are; `first` are dimensions before theirs."""
        if self.labelled is None:
            return values
        coords = {**first, **dict(self.labelled.coords)}
        return type(self.labelled)(values, coords=coords, dims=(*first, *self.labelled.dims), name=name)


def _centres(transform: Any) -> Tuple[float, ...]:
    """The numbers that give the centres of pixels by column and row: three for x, and three for y."""
    if transform is None:
        raise ValueError("transform: none is given; it says where the pixels are")
    if all(hasattr(transform, name) for name in "abcdef"):
        six = [getattr(transform, name) for name in "abcdef"]
    else:
        found = array_of("transform", transform)
        if found.shape != (6,) or found.dtype.kind not in "fiu":
            raise ValueError(
                f"transform: it is {transform!r}; six numbers of GDAL or an Affine were expected"
            )
        c, a, b, f, d, e = found.tolist()
        six = [a, b, c, d, e, f]
        if c and d and not a and not f:
            raise ValueError(
                f"transform: it is {transform!r}; the order of GDAL was expected: "
                "x of the corner, its step, 0, y of the corner, 0, its step"
            )
    a, b, c, d, e, f = map(float, six)
    return a, b, c + (a + b) / 2, d, e, f + (d + e) / 2


def _distance(max_distance: Optional[float]) -> float:
    return np.inf if max_distance is None else max_distance


def _call(threads: Optional[int], backend: Optional[str], progress: Optional[Progress]) -> Dict[str, Any]:
    return {"threads": threads, "backend": backend, "progress": progress}


@checked_call
def viewshed(
    heights: Any,
    observers: npt.ArrayLike,
    transform: Any = None,
    *,
    observer_height: float = 0.0,
    target_height: float = 0.0,
    max_distance: Optional[float] = None,
    bits: bool = False,
    invalid: Literal["raise", "miss"] = "raise",
    threads: Optional[int] = None,
    backend: Optional[str] = None,
    progress: Optional[Progress] = None,
) -> Any:
    """How many observers see each pixel: uint32 of the shape of the heights, 0 where there are no data.

    - `observers`: (n, 2) or (n, 3), x and y; each stands on the terrain there, whatever its z.
    - `observer_height`, `target_height`: how far above the terrain are eyes, and what they are to see.
    - `max_distance`: how far they see along the ground.
    - `bits`: whether the answer says which of up to 32 observers see the pixel, the first by the lowest bit.
    - `invalid`: "raise", or "miss" for observers beside the terrain, or where it has no data, to see nothing.

    An observer sees a pixel if nothing touches the line to the place above its centre, but for the first and
    the last millionth.

    >>> heights = np.tile([0.0, 0, 9, 0, 0], (2, 1))
    >>> transform = (0, 1, 0, 2, 0, -1)
    >>> masts = [[0.5, 1], [2.5, 1]]
    >>> lanecast.terrain.viewshed(
    ...     heights, masts, transform, observer_height=1.5, bits=True
    ... )
    array([[3, 3, 3, 2, 2],
           [3, 3, 3, 2, 2]], dtype=uint32)
    """
    grid = _Grid(heights, transform)
    places = numbers("observers", observers)
    if places.ndim != 2 or places.shape[1] not in (2, 3):
        raise ValueError(f"observers: their shape is {places.shape}; (n, 2) or (n, 3) was expected")
    if invalid not in ("raise", "miss"):
        raise ValueError(f'invalid: it is {invalid!r}; "raise" or "miss" was expected')
    points = np.zeros((len(places), 3))
    points[:, :2] = places[:, :2]
    seen, beside = _lanecast._viewshed(
        grid.heights,
        grid.transform,
        points,
        observer_height,
        (target_height, _distance(max_distance)),
        bits,
        _call(threads, backend, progress),
    )
    if beside is not None and invalid == "raise":
        x, y = points[beside, :2].tolist()
        raise ValueError(f"observers[{beside}]: at ({x}, {y}) is no terrain")
    return grid.answer(seen, "viewshed")


@checked_call
def horizon(
    heights: Any,
    transform: Any = None,
    *,
    azimuths: Union[int, Sequence[float], npt.NDArray[Any]] = 36,
    height: float = 0.0,
    max_distance: Optional[float] = None,
    tolerance: float = 0.01,
    threads: Optional[int] = None,
    backend: Optional[str] = None,
    progress: Optional[Progress] = None,
) -> Any:
    """The elevation of the horizon: float64 of shape (azimuths, rows, columns), in degrees.

    - `azimuths`: a number of them at even steps from north, or degrees clockwise from north.
    - `height`: how far above the terrain the eyes are.
    - `max_distance`: how far terrain counts, along the ground.
    - `tolerance`: by how many degrees an elevation may be wrong, from 0.001 to 45.

    It is the greatest angle with the horizontal at which a ray touches the terrain: -90 where there is none
    in that direction, and NaN where there are no data. It is found by bisection, which is right for whatever
    terrain: as eyes are above it, a ray meets it if any ray above that one does. A DataArray has a dimension
    "azimuth" before the others.

    >>> heights = np.tile([0.0, 0, 10], (3, 1))
    >>> transform = (0, 10, 0, 0, 0, -10)
    >>> found = lanecast.terrain.horizon(heights, transform, azimuths=4)
    >>> found[:, 1, 1].round().astype(int)  # north, east, south, west
    array([ 0, 45,  0,  0])
    """
    grid = _Grid(heights, transform)
    if isinstance(azimuths, (int, np.integer)) and not isinstance(azimuths, bool):
        degrees = np.arange(_count(azimuths)) * 360.0 / azimuths
    else:
        degrees = np.asarray(array_of("azimuths", azimuths), dtype="float64")
        if degrees.ndim != 1:
            raise ValueError(f"azimuths: their shape is {degrees.shape}; (n,) was expected")
    found = _lanecast._horizon(
        grid.heights,
        grid.transform,
        degrees.tolist(),
        (height, _distance(max_distance), tolerance),
        _call(threads, backend, progress),
    )
    return grid.answer(found, "horizon", azimuth=degrees)


def _count(azimuths: Any) -> int:
    if not 1 <= azimuths <= 36000:
        raise ValueError(f"azimuths: they are {azimuths}; a number from 1 to 36000 was expected")
    return int(azimuths)


@checked_call
def sky_view(
    heights: Any,
    transform: Any = None,
    *,
    azimuths: int = 36,
    plane: Literal["horizontal", "surface"] = "horizontal",
    height: float = 0.0,
    max_distance: Optional[float] = None,
    tolerance: float = 0.01,
    threads: Optional[int] = None,
    backend: Optional[str] = None,
    progress: Optional[Progress] = None,
) -> Any:
    """The sky view factor: float64 of the shape of the heights, from 0 to 1, NaN where there are no data.

    - `azimuths`: the number of azimuths at which the horizon is found.
    - `plane`: "horizontal", or "surface" for the slope of the terrain, the mean of the triangles at the
      pixel.
    - `height`, `max_distance`, `tolerance`: as of `horizon`.

    It is the share of the light of an even sky that reaches the plane: the share of the hemisphere above it
    that is open, weighted by the cosine of the angle with its normal (Dozier and Frew 1990). Of a horizontal
    plane it is the mean over azimuths of cos(h)^2 with the elevation h of the horizon, 0 at least. The factor
    of Zakšek and others (2011) is another, the mean of 1 - sin(h); `horizon` gives h.

    >>> heights = np.zeros((3, 3))
    >>> float(lanecast.terrain.sky_view(heights, (0, 10, 0, 0, 0, -10))[1, 1])
    1.0
    """
    grid = _Grid(heights, transform)
    found = _lanecast._sky_view(
        grid.heights,
        grid.transform,
        _count(azimuths),
        plane,
        (height, _distance(max_distance), tolerance),
        _call(threads, backend, progress),
    )
    return grid.answer(found, "sky_view")


@checked_call
def sun_hours(
    heights: Any,
    transform: Any = None,
    *,
    start: Any,
    end: Any,
    step: Union[datetime.timedelta, np.timedelta64] = _STEP,
    latitude: float,
    longitude: float,
    height: float = 0.0,
    threads: Optional[int] = None,
    backend: Optional[str] = None,
    progress: Optional[Progress] = None,
) -> Any:
    """For how many hours the sun shines: float64 of the shape of the heights, NaN where there are no data.

    - `start`, `end`: times as `Sun` takes them, in UTC unless they say otherwise.
    - `step`: the step of time, 15 minutes unless given; the last may be shorter. The sun stands for each
      where it is in its middle.
    - `latitude`, `longitude`: degrees to the north and to the east of Greenwich, for the whole grid.
    - `height`: how far above the terrain the sun is looked at.

    These are the hours for which nothing touches the line from the terrain to the middle of the sun, while
    that is above the horizontal.

    >>> heights = np.tile([0.0, 0, 40], (3, 1))
    >>> day = dict(start="2026-03-20T00:00", end="2026-03-21T00:00")
    >>> lanecast.terrain.sun_hours(
    ...     heights, (0, 10, 0, 0, 0, -10), **day, latitude=0.0, longitude=0.0
    ... )[1]
    array([ 7.75,  6.75, 11.75])
    """
    grid = _Grid(heights, transform)
    ends: List[Any] = []
    for name, time in (("start", start), ("end", end)):
        try:
            ends.append(_utc(time))
        except ValueError as error:
            raise ValueError(f"{name}{str(error)[len('time') :]}") from None
        if ends[-1].ndim:
            raise ValueError(f"{name}: its shape is {ends[-1].shape}; one time was expected")
    if not isinstance(step, (datetime.timedelta, np.timedelta64)):
        raise TypeError(f"step: it is {step!r}; a timedelta was expected")
    length = float(np.timedelta64(step) / np.timedelta64(1, "s"))
    seconds = float((ends[1] - ends[0]) / np.timedelta64(1, "s"))
    if seconds <= 0:
        raise ValueError(f"end: {end!r} is not after the start")
    if not (length > 0 and seconds / length <= _MOST_STEPS):
        raise ValueError(
            f"step: it is {length} seconds; more than 0, and 10,000,000 steps at most, were expected"
        )
    starts = np.arange(np.ceil(seconds / length)) * length
    lengths = np.minimum(length, seconds - starts)
    middles = ends[0] + np.round((starts + lengths / 2) * 1e6).astype("m8[us]")
    sun = Sun(middles, latitude, longitude)
    found = _lanecast._sun_hours(
        grid.heights,
        grid.transform,
        list(zip(sun.azimuth.tolist(), sun.altitude.tolist(), (lengths / 3600).tolist())),
        height,
        _call(threads, backend, progress),
    )
    return grid.answer(found, "sun_hours")
