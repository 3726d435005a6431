"""Light: rays into the sky and towards the sun."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, ClassVar, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _lanecast
from ._arrays import unmasked
from ._keywords import checked
from ._makers import Maker


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Hemisphere(Maker):
    """Rays from each of many points into the hemisphere around its normal, in directions of length 1 that are
    spread evenly. Those of a normal that is zero or not finite cannot be cast. Answers have the shape
    (\\*leading dimensions of points, directions).

    - `points`, `normals`: (..., 3), of any length. The arrays are not copied, and are read by each query.
    - `directions`: how many rays a point has, from 1 to 2^20.
    - `spread`: "cosine", equal shares of an even sky's light on a matt surface, or "uniform", equal shares of
      the sky.
    - `seed`: another seed turns and shifts the directions of each point.

    Raises `ValueError` that names the argument that cannot be used. For points on a surface see the argument
    `skip` of queries.

    >>> sky = lanecast.Hemisphere([[0.5, 0.5, 0.1]], [[0, 0, -1]], directions=256)
    >>> scene.any_hit(sky).shape
    (1, 256)
    """

    _kind: ClassVar[str] = "hemisphere"
    points: Any
    normals: Any
    directions: int
    spread: str = "cosine"
    seed: int = 0


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Sunlight(Maker):
    """Rays from many points towards each of several distant lights, such as the sun hour by hour: light by
    light, each with all points. A point whose ray misses is in the light. Answers have the shape (\\*leading
    dimensions of directions, \\*those of points).

    - `points`: (..., 3). The array is not copied, and is read by each query.
    - `directions`: (..., 3), of any length; or a `Sun`.

    Raises `ValueError` for directions that are zero, not finite or beyond 2^100. For points on a surface see
    the argument `skip` of queries.

    >>> noon = lanecast.Sun("2026-06-21T12:00", latitude=51.48, longitude=0.0)
    >>> scene.any_hit(lanecast.Sunlight([[0.5, 0.5, -0.1], [0.5, 0.5, 0.1]], noon))
    array([ True, False])
    """

    _kind: ClassVar[str] = "sunlight"
    points: Any
    directions: Any


@checked
@dataclass(frozen=True, eq=False)
class Sun:
    """Where the sun is, at a time or at many.

    - `time`: a datetime with a time zone; a `numpy.datetime64` or an ISO 8601 text, which are in UTC unless the
      text says otherwise; an array or list of these; or a `pandas.DatetimeIndex` with a time zone. Years are
      1583 to 9999.
    - `latitude`: degrees to the north, from -90 to 90. `longitude`: degrees from Greenwich to the east, from
      -360 to 360.

    The error is 0.01 degrees within a few centuries of 2000, without refraction, which lifts the sun by half
    a degree at the horizon. Raises `ValueError` that names what cannot be used.

    >>> day = np.datetime64("2026-06-21") + np.arange(24) * np.timedelta64(1, "h")
    >>> sun = lanecast.Sun(day, latitude=51.48, longitude=0.0)
    >>> sun.direction.shape, int((sun.altitude > 0).sum())
    ((24, 3), 17)
    >>> round(float(sun.azimuth[12])), round(float(sun.altitude[12]))
    (179, 62)
    """

    time: Any
    latitude: float
    longitude: float

    def __post_init__(self) -> None:
        times = _utc(self.time)
        months, days = times.astype("M8[M]"), times.astype("M8[D]")
        seconds = (times - days).astype("m8[us]").astype("int64")
        parts = [
            months.astype("M8[Y]").astype("int64") + 1970,
            months.astype("int64") % 12 + 1,
            (days - months).astype("m8[D]").astype("int64") + 1,
            seconds // 3_600_000_000,
            seconds // 60_000_000 % 60,
        ]
        rows = zip(*(part.ravel().tolist() for part in parts), (seconds.ravel() % 60_000_000 / 1e6).tolist())
        beyond = (parts[0] < 1583) | (parts[0] > 9999)
        if beyond.any():
            raise ValueError(f"{_named((), beyond)}: the years 1583 to 9999 were expected")
        positions = _lanecast.sun_positions(list(rows), self)
        shape = times.shape
        object.__setattr__(self, "_azimuth", np.array([at[0] for at in positions]).reshape(shape))
        object.__setattr__(self, "_altitude", np.array([at[1] for at in positions]).reshape(shape))
        object.__setattr__(self, "_direction", np.array([at[2] for at in positions]).reshape(*shape, 3))

    @property
    def azimuth(self) -> npt.NDArray[np.float64]:
        """Degrees clockwise from north, of the shape of the times."""
        return self.__dict__["_azimuth"]  # type: ignore[no-any-return]

    @property
    def altitude(self) -> npt.NDArray[np.float64]:
        """Degrees above the horizon, of the shape of the times."""
        return self.__dict__["_altitude"]  # type: ignore[no-any-return]

    @property
    def direction(self) -> npt.NDArray[np.float64]:
        """(\\*shape of the times, 3): unit vectors towards the sun; x is east, y is north and z is up."""
        return self.__dict__["_direction"]  # type: ignore[no-any-return]


def _utc(time: Any, place: Tuple[int, ...] = ()) -> npt.NDArray[np.datetime64]:
    """Times in UTC, to the microsecond; the place is that in a list of times."""
    if isinstance(time, str):
        time = _of_text(time)
    is_array = isinstance(time, np.ndarray) and time.dtype.kind == "M"
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise ValueError(f"{_named(place)}: {time} has no time zone; datetimes need one")
        time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    elif np.iterable(time) and not is_array and not isinstance(time, str):
        return np.array([_utc(one, (*place, row)) for row, one in enumerate(time)], dtype="M8[us]")
    times = np.asarray(unmasked("time", time))
    try:
        if times.dtype.kind in "biufcm":
            raise ValueError("it is a number")
        times = times.astype("M8[us]")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{_named(place)}: {time!r} is no time: {error}") from None
    if np.isnat(times).any():
        raise ValueError(f"{_named(place, np.isnat(times))}: it is not a time (NaT)")
    return times


def _of_text(text: str) -> Union[str, datetime.datetime]:
    """A text with a time zone as a datetime, since NumPy warns of it; others as they are."""
    try:
        time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return text
    return text if time.tzinfo is None else time


def _named(place: Tuple[int, ...], which: Any = False) -> str:
    """The name of a time in lists of times, or of the first in an array there that is bad."""
    place = (*place, *np.argwhere(which)[0]) if np.ndim(which) else place
    return f"time[{', '.join(map(str, place))}]" if place else "time"
