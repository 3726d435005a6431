"""Makers of rays: cameras, scanners and light. Every query of rays takes one in place of an array. Its rays
are made piece by piece while they are cast, and never stored; the answers have its shape.
"""

from __future__ import annotations

import datetime
from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar, Dict, List, Tuple

import numpy as np
import numpy.typing as npt

from . import _lanecast


def _numbers(argument: str, value: Any, *shape: int) -> Any:
    """Checks the shape of a few numbers."""
    try:
        array = np.asarray(value, dtype="float64")
    except (TypeError, ValueError) as error:
        raise TypeError(f"{argument}: numbers were expected: {error}") from None
    if array.shape != shape:
        raise ValueError(f"{argument}: its shape is {array.shape}; {shape} was expected")
    return array.tolist()


def _size(value: Any) -> List[int]:
    size = _numbers("size", value, 2)
    if not all(side % 1 == 0 and 0 <= side < 2**32 for side in size):
        raise ValueError(f"size: it is {value}; two whole numbers, width and height, were expected")
    return [int(side) for side in size]


class Maker:
    """What all makers of rays have. Its own class has no rays: see `Pinhole`, `Panorama`, `Orthographic`,
    `Grid`, `Lidar`, `Footprint`, `Hemisphere` and `Sunlight`.

    >>> camera = lanecast.Pinhole(eye=(0, 0, 2), target=(0, 0, 0), up=(0, 1, 0), fov=90, size=(8, 4))
    >>> camera.shape, len(camera)
    ((4, 8), 32)
    >>> int(scene.any_hit(camera).sum())
    1
    """

    __dataclass_fields__: ClassVar[Dict[str, Field[Any]]]
    _made: _lanecast.Maker

    def _make(self) -> _lanecast.Maker:
        raise TypeError(
            "a class of makers was expected: Pinhole, Panorama, Orthographic, Grid, Lidar and others"
        )

    def __init__(self) -> None:
        self.__post_init__()

    def __post_init__(self) -> None:
        object.__setattr__(self, "_made", self._make())

    @property
    def shape(self) -> Tuple[int, ...]:
        """The leading dimensions of answers to the rays."""
        return tuple(self._made.shape)

    def __len__(self) -> int:
        return int(np.prod(self.shape, dtype="int64"))

    def rays(self, dtype: Any = "float32") -> npt.NDArray[Any]:
        """The rays as an array of shape (\\*shape, 6), origin and direction of each: what queries of a scene
        of this precision cast.

        Raises `TypeError` for a dtype other than float32 and float64.

        >>> rain = lanecast.Grid((0, 0, 9), edges=((4, 0, 0), (0, 2, 0)), size=(4, 2), direction=(0, 0, -1))
        >>> rain.rays()[0, 1]
        array([ 1.5,  0.5,  9. ,  0. ,  0. , -1. ], dtype=float32)
        """
        if np.dtype(dtype) not in (np.dtype("float32"), np.dtype("float64")):
            raise TypeError(f"dtype: it is {np.dtype(dtype)}; float32 or float64 was expected")
        return self._made.rays(np.dtype(dtype) == np.dtype("float64"))

    def __repr__(self) -> str:
        return f"<lanecast.{type(self).__name__} of rays{list(self.shape)}>"

    def __getstate__(self) -> Dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()


@dataclass(frozen=True, eq=False, repr=False)
class Pinhole(Maker):
    """A camera whose rays go from its eye through the middles of the pixels of a picture, line by line from
    the upper left. Answers have the shape (height, width).

    - `eye`, `target`: where it stands and where it looks, (3,). `up`: what is upwards in the picture, (3,).
    - `fov`: degrees from the upper to the lower edge of the picture, between 0 and 180.
    - `size`: pixels to the side and down, (width, height).
    - `intrinsic`, `extrinsic`: in place of these a camera by the matrices of computer vision, (3, 3) and
      (4, 4). A point p is at extrinsic · (p, 1) in the frame of the camera, x to the right, y downwards, z
      along the line of sight, and in the picture at intrinsic · that, divided by the third component; the
      middle of the upper left pixel is at (0.5, 0.5).
    - `unit`: directions have length 1, and `t` is the distance from the eye. Else they have a depth of 1, and
      `t` is the depth along the line of sight, as in a depth map.

    Raises `ValueError` that names the argument that cannot be used: not finite or beyond 2^100, `target`
    equal to `eye`, a size of 0, a matrix that is not `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]` or cannot be
    inverted.

    >>> camera = lanecast.Pinhole((0.5, 0.25, 2), (0.5, 0.25, 0), up=(0, 1, 0), fov=30, size=(640, 480))
    >>> depth = scene.closest_hit(camera).t
    >>> depth.shape, float(depth[240, 320])
    ((480, 640), 2.0)
    >>> f = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
    >>> lanecast.Pinhole(intrinsic=f, extrinsic=np.diag([1, -1, -1, 1]), size=(640, 480)).rays()[239, 319, 3:]
    array([-0.001,  0.001, -1.   ], dtype=float32)
    """

    eye: Any = None
    target: Any = None
    up: Any = (0.0, 0.0, 1.0)
    fov: float = 60.0
    size: Any = (640, 480)
    intrinsic: Any = None
    extrinsic: Any = None
    unit: bool = False

    def _make(self) -> _lanecast.Maker:
        size = _size(self.size)
        by_matrices = self.intrinsic is not None or self.extrinsic is not None
        if by_matrices == (self.eye is not None or self.target is not None):
            raise ValueError("either eye and target or intrinsic and extrinsic were expected")
        if by_matrices:
            intrinsic, extrinsic = (
                _numbers("intrinsic", self.intrinsic, 3, 3),
                _numbers("extrinsic", self.extrinsic, 4, 4),
            )
            return _lanecast.Maker.pinhole_of_matrices(intrinsic, extrinsic, size, self.unit)
        eye, target, up = (_numbers(name, getattr(self, name), 3) for name in ("eye", "target", "up"))
        return _lanecast.Maker.pinhole(eye, target, up, self.fov, size, self.unit)


@dataclass(frozen=True, eq=False, repr=False)
class Panorama(Maker):
    """A camera that sees in all directions, as an equirectangular picture: longitude runs across it,
    `forward` in the middle, latitude from straight up to straight down. Rays go through the middles of
    pixels, line by line from the top. Directions have length 1: `t` is the distance. Answers have the shape
    (height, width).

    - `eye`: where it stands. `forward`: what is in the middle. `up`: what is above. All (3,).
    - `size`: pixels to the side and down, (width, height), each at most 2^20.

    Raises `ValueError` that names the argument that cannot be used: not finite or beyond 2^100, `up` zero,
    `forward` zero or along `up`, a size of 0 or too large.

    >>> sphere = lanecast.Scene.build(lanecast.Spheres([[0, 5, 0]], 1.0))
    >>> hits = sphere.closest_hit(lanecast.Panorama(eye=(0, 0, 0), forward=(0, 1, 0), size=(65, 33)))
    >>> hits.t.shape, float(hits.t[16, 32])
    ((33, 65), 4.0)
    """

    eye: Any
    forward: Any = (0.0, 1.0, 0.0)
    up: Any = (0.0, 0.0, 1.0)
    size: Any = (2048, 1024)

    def _make(self) -> _lanecast.Maker:
        eye, forward, up = (_numbers(name, getattr(self, name), 3) for name in ("eye", "forward", "up"))
        return _lanecast.Maker.panorama(eye, forward, up, _size(self.size))


@dataclass(frozen=True, eq=False, repr=False)
class Orthographic(Maker):
    """A camera with parallel rays through the middles of the pixels of a picture around `eye`, all in the
    direction from `eye` to `target`, line by line from the top. Directions have length 1: `t` is the distance
    from the plane of the picture. Answers have the shape (height, width) of `size`.

    - `eye`, `target`: the middle of the picture, and where it looks, (3,). `up`: what is upwards in the
      picture, (3,).
    - `height`: that of the picture, in the scene's units.
    - `size`: pixels to the side and down, (width, height).

    Raises `ValueError` that names the argument that cannot be used: not finite or beyond 2^100, `target`
    equal to `eye`, `up` zero, `height` not above 0, a size of 0.

    >>> above = lanecast.Orthographic((0.5, 0.5, 3), (0.5, 0.5, 0), up=(0, 1, 0), height=2, size=(4, 4))
    >>> scene.any_hit(above).astype(int)
    array([[0, 0, 0, 0],
           [0, 1, 1, 0],
           [0, 1, 1, 0],
           [0, 0, 0, 0]])
    """

    eye: Any
    target: Any
    up: Any = (0.0, 0.0, 1.0)
    height: float = 1.0
    size: Any = (640, 480)

    def _make(self) -> _lanecast.Maker:
        eye, target, up = (_numbers(name, getattr(self, name), 3) for name in ("eye", "target", "up"))
        return _lanecast.Maker.orthographic(eye, target, up, self.height, _size(self.size))


@dataclass(frozen=True, eq=False, repr=False)
class Grid(Maker):
    """Parallel rays from the middles of the cells of a parallelogram, line by line, starting at its corner:
    X-rays, rain. `t` is in lengths of the direction as given. Answers have the shape (lines, rays of a line).

    - `corner`: (3,). `edges`: along and across lines, (2, 3). `direction`: that of all rays, (3,).
    - `size`: the number of rays along each edge, (2,).

    Raises `ValueError` that names the argument that cannot be used: not finite or beyond 2^100, `direction`
    zero, a size of 0.

    >>> rain = lanecast.Grid((0, 0, 9), edges=((2, 0, 0), (0, 1, 0)), size=(4, 2), direction=(0, 0, -1))
    >>> scene.closest_hit(rain).t
    array([[ 9.,  9., inf, inf],
           [ 9.,  9., inf, inf]], dtype=float32)
    """

    corner: Any
    edges: Any
    size: Any
    direction: Any

    def _make(self) -> _lanecast.Maker:
        corner, direction = _numbers("corner", self.corner, 3), _numbers("direction", self.direction, 3)
        return _lanecast.Maker.grid(corner, _numbers("edges", self.edges, 2, 3), _size(self.size), direction)


@dataclass(frozen=True)
class Pulses:
    """When each ray of a `Lidar` is fired, and by what: arrays of its shape."""

    time: npt.NDArray[np.float64]
    """float64: seconds."""
    beam: npt.NDArray[np.uint32]
    """uint32: the number of the beam."""
    azimuth: npt.NDArray[np.float64]
    """float64: degrees from 0 to 360, 360 excluded, clockwise from y in the scanner's own axes."""


@dataclass(frozen=True, eq=False, repr=False)
class Lidar(Maker):
    """A scanner that fires all its beams, at once or one after the other, turns on a step, and fires again.
    In its own axes z is up, and azimuths are clockwise from y, seen from above: as on a map with y to the
    north. Directions have length 1: `t` is the distance. Answers have the shape (turns, steps, beams).

    - `beams`: the elevation of each in degrees above the scanner's plane, (n,); or rows of elevation, azimuth
      ahead of the scanner's in degrees, and perhaps the delay in seconds after the others of its firing,
      (n, 2) or (n, 3).
    - `steps`: firings in a turn.
    - `poses`: where it stands, (3,); or where it is along its way, in rows of time, x, y, z and perhaps a
      rotation as a quaternion x, y, z, w from its axes to those of the scene, (n, 4) or (n, 8), in the order
      of time. Between poses it moves on straight lines and rotates evenly, the short way round; the times
      must cover all firings. Each beam starts from the pose at its own time.
    - `sector`: the azimuths from which and to which it turns, in degrees; counter-clockwise if the second is
      less.
    - `start`, `seconds`, `turns`: when it fires first, in seconds (at the first pose unless given), how long
      a turn takes, and how many it makes.
    - `velocity`, `yaw_rate`: how a scanner with one pose moves on from it, (3,) per second, and turns around
      its own z, in degrees per second, counter-clockwise seen from above.

    Raises `ValueError` that names the argument and the row that cannot be used: no beams, elevations beyond
    90 degrees, poses whose times do not ascend or do not cover the scan, quaternions of length 0, too many
    rays.

    >>> elevations = np.linspace(-15, 15, 16)
    >>> path = [[0, 0, 0, 1.8], [1, 20, 0, 1.8]]  # along x, at 20 m a second
    >>> lidar = lanecast.Lidar(elevations, steps=1800, poses=path, seconds=0.1, turns=2)
    >>> lidar.shape
    (2, 1800, 16)
    >>> lidar.rays()[1, 0, 0, :3]
    array([2. , 0. , 1.8], dtype=float32)
    >>> float(lidar.pulses().azimuth[0, 450, 0]), float(lidar.pulses().time[1, 0, 0])
    (90.0, 0.1)
    """

    beams: Any
    steps: int
    poses: Any = (0.0, 0.0, 0.0)
    sector: Any = (0.0, 360.0)
    start: Any = None
    seconds: float = 0.1
    turns: int = 1
    velocity: Any = (0.0, 0.0, 0.0)
    yaw_rate: float = 0.0

    def _make(self) -> _lanecast.Maker:
        beams, poses = np.asarray(self.beams, dtype="float64"), np.asarray(self.poses, dtype="float64")
        if beams.ndim == 1:
            beams = beams[:, np.newaxis]
        if poses.shape == (3,):
            poses = np.concatenate([[0.0], poses])[np.newaxis]
        sector, velocity = _numbers("sector", self.sector, 2), _numbers("velocity", self.velocity, 3)
        return _lanecast.Maker.lidar(
            beams, self.steps, poses, sector, self.start, self.seconds, self.turns, velocity, self.yaw_rate
        )

    def pulses(self) -> Pulses:
        """When each ray is fired, by which beam, and at which azimuth."""
        return Pulses(*self._made.pulses())


@dataclass(frozen=True, eq=False, repr=False)
class Footprint(Maker):
    """Rays within the cone of each ray of another maker, such as the beams of a `Lidar` that widen with
    distance: the first is that ray, the others go outwards to the rim on a spiral, each for the same area.
    Answers have the shape (\\*beams.shape, number).

    - `beams`: a maker. `divergence`: the full angle of the cone in milliradians, from 0 to 2000. `number`:
      rays of a cone, from 1 to 4096.

    Raises `ValueError` that names the argument that cannot be used, and `TypeError` if `beams` is no maker.

    >>> lidar = lanecast.Lidar([0.0], steps=4)
    >>> lanecast.Footprint(lidar, divergence=3, number=19).shape
    (1, 4, 1, 19)
    """

    beams: Maker
    divergence: float
    number: int

    def _make(self) -> _lanecast.Maker:
        return _lanecast.Maker.footprint(self.beams, self.divergence, self.number)

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """(number,): the share of a Gaussian beam's energy that each ray stands for; their sum is 1."""
        return np.array(self._made.weights())


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

    points: Any
    normals: Any
    directions: int
    spread: str = "cosine"
    seed: int = 0

    def _make(self) -> _lanecast.Maker:
        return _lanecast.Maker.hemisphere(self.points, self.normals, self.directions, self.spread, self.seed)


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

    points: Any
    directions: Any

    def _make(self) -> _lanecast.Maker:
        directions = self.directions.direction if isinstance(self.directions, Sun) else self.directions
        return _lanecast.Maker.sunlight(self.points, directions)


@dataclass(frozen=True, eq=False)
class Sun:
    """Where the sun is, at a time or at many.

    - `time`: a datetime with a time zone, a `numpy.datetime64` or an ISO 8601 text without one, which are in
      UTC, or an array or list of these; the years 1583 to 9999.
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
        if not ((parts[0] >= 1583) & (parts[0] <= 9999)).all():
            raise ValueError("time: the years 1583 to 9999 were expected")
        positions = _lanecast.sun_positions(list(rows), self.latitude, self.longitude)
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


def _utc(time: Any) -> npt.NDArray[np.datetime64]:
    """Times in UTC, to the microsecond."""
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise ValueError(f"time: {time} has no time zone; datetimes need one")
        time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    elif isinstance(time, (list, tuple)):
        return np.array([_utc(one) for one in time], dtype="M8[us]")
    try:
        times = np.asarray(time, dtype="M8[us]")
    except (TypeError, ValueError) as error:
        raise ValueError(f"time: {time!r} is no time: {error}") from None
    if np.isnat(times).any():
        raise ValueError("time: it is not a time (NaT)")
    return times
