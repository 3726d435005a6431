"""Scanners: the rays of their beams, and what they measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Optional

import numpy as np
import numpy.typing as npt

from . import _lanecast
from ._keywords import checked
from ._makers import Maker


@dataclass(frozen=True)
class Pulses:
    """When each ray of a `Lidar` is fired, and by what: arrays of its shape."""

    time: npt.NDArray[np.float64]
    """float64: seconds."""
    beam: npt.NDArray[np.uint32]
    """uint32: the number of the beam."""
    azimuth: npt.NDArray[np.float64]
    """float64: degrees from 0 to 360, 360 excluded, clockwise from y in the scanner's own axes; of a swath the
    angle from straight down, to the right."""


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Lidar(Maker):
    """A scanner that fires all its beams, at once or one after the other, turns on a step, and fires again;
    or one with prisms, a polygon mirror or a pattern of its own.
    In its own axes z is up, and azimuths are clockwise from y, seen from above: as on a map with y to the
    north. Directions have length 1: `t` is the distance. Answers have the shape (turns, steps, beams), with a
    pattern (turns, shots).

    - `beams`: the elevation of each in degrees above the scanner's plane, (n,); or rows of elevation, azimuth
      ahead of the scanner's in degrees, and perhaps the delay in seconds after the others of its firing,
      (n, 2) or (n, 3).
    - `steps`: firings in a turn.
    - `poses`: where it stands, (3,); or where it is along its way, in rows of time, x, y, z and perhaps a
      rotation as a quaternion x, y, z, w from its axes to those of the scene, (n, 4) or (n, 8), in the order
      of time. Between poses it moves on straight lines and rotates evenly, the short way round; the times
      must cover all firings. Each beam starts from the pose at its own time.
    - `sector`: the azimuths from which and to which it turns, in degrees; counter-clockwise if the second is
      less. (0, 360) unless given.
    - `start`, `seconds`, `turns`: when it fires first, in seconds (at the first pose unless given), how long
      a turn takes, and how many it makes.
    - `velocity`, `yaw_rate`: how a scanner with one pose moves on from it, (3,) per second, and turns around
      its own z, in degrees per second, counter-clockwise seen from above.

    Scanners that do not spin have one of these:

    - `swath`: lines straight down across y, as a polygon mirror scans them below an aircraft that flies along
      y. Each turn is a line from one angle to another, in degrees from straight down, positive to the right
      (x), (2,); perhaps with the part of a turn's seconds in which it fires, from 0 to 1, (3,). Elevations of
      beams look ahead.
    - `prisms`: prisms that rotate about y and bend beams, which go along y at elevation and azimuth 0: rows of
      the degrees by which each bends them, its turns a second, counter-clockwise as the scanner looks, and
      perhaps where it begins, in degrees from x towards z, (n, 2) or (n, 3). Deflections add up (the
      first-order theory of Risley prisms), so two make a rosette with a field of view of twice their sum.
      They turn on from turn to turn, which hence differ.
    - `pattern`: in place of `beams` and `steps` the shots of a turn, in the order in which they are fired:
      rows of elevation, azimuth, and perhaps the time in seconds after the turn begins (evenly within it
      unless given) and the number of the beam, (n, 2) to (n, 4). Turns repeat it.

    Raises `ValueError` that names the argument and the row that cannot be used: no beams, elevations beyond
    90 degrees, poses whose times do not ascend or do not cover the scan, quaternions of length 0, a pattern
    longer than a turn that another follows, deflections of together more than 90 degrees, too many rays.

    >>> elevations = np.linspace(-15, 15, 16)
    >>> path = [[0, 0, 0, 1.8], [1, 20, 0, 1.8]]  # along x, at 20 m a second
    >>> lidar = lanecast.Lidar(elevations, steps=1800, poses=path, seconds=0.1, turns=2)
    >>> lidar.shape
    (2, 1800, 16)
    >>> lidar.rays()[1, 0, 0, :3]
    array([2. , 0. , 1.8], dtype=float32)
    >>> float(lidar.pulses().azimuth[0, 450, 0]), float(lidar.pulses().time[1, 0, 0])
    (90.0, 0.1)

    A rosette, lines below an aircraft at 100 a second, and a table:

    >>> prisms = [[10, 97.3], [10, -61.7]]
    >>> frames = lanecast.Lidar([0], steps=24_000, prisms=prisms, turns=5)
    >>> frames.shape, np.degrees(np.arccos(frames.rays()[..., 4])).max().round(1).item()
    ((5, 24000, 1), 20.0)
    >>> flight = dict(poses=(0, 0, 900), seconds=0.01, velocity=(0, 60, 0))
    >>> lines = lanecast.Lidar([0], 600, swath=(-30, 30), **flight)
    >>> lines.rays("float64")[0, 300, 0].tolist()  # straight down
    [0.0, 0.3, 900.0, 0.0, 0.0, -1.0]
    >>> zigzag = [[-10, -20], [-10, 0], [-10, 20], [-10, 0]]
    >>> lanecast.Lidar(pattern=zigzag, turns=2).pulses().azimuth.tolist()
    [[340.0, 0.0, 20.0, 0.0], [340.0, 0.0, 20.0, 0.0]]
    """

    _kind: ClassVar[str] = "lidar"
    beams: Any = None
    steps: Optional[int] = None
    poses: Any = (0.0, 0.0, 0.0)
    sector: Any = None
    start: Optional[float] = None
    seconds: float = 0.1
    turns: int = 1
    velocity: Any = (0.0, 0.0, 0.0)
    yaw_rate: float = 0.0
    swath: Any = None
    prisms: Any = None
    pattern: Any = None

    def pulses(self) -> Pulses:
        """When each ray is fired, by which beam, and at which azimuth."""
        return Pulses(*self._made.pulses())


@checked
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

    _kind: ClassVar[str] = "footprint"
    beams: Maker
    divergence: float
    number: int

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """(number,): the share of a Gaussian beam's energy that each ray stands for; their sum is 1."""
        return np.array(self._made.weights())


def _fixed(values: Any) -> Any:
    """A number, or an array that nobody changes."""
    array = np.array(values, "float64")
    array.setflags(write=False)
    return array if array.ndim else array.item()


@checked
@dataclass(frozen=True)
class Receiver:
    """What a scanner measures of the hits of its pulses: it gathers them to returns, loses weak ones, and
    measures their distances with noise. `Scene.lidar_returns` takes one.

    - `range_noise`: the standard deviation of distances, in the scene's units; or two numbers, a constant and
      what it grows by with each unit of distance. The error is normally distributed, and no distance is less
      than 0.
    - `reference_range`: up to this distance a whole beam that meets a white surface head-on surely comes
      back. A return has the power of its hits, its intensity, each w * reflectance * cos(incidence) *
      (reference_range / distance)**2 with its ray's share w of the beam's energy, and is received with that
      probability: the radar equation for surfaces that scatter light as Lambert's law has it. inf: all are,
      and intensities are w * reflectance * cos(incidence): they do not fall with distance.
    - `resolution`: hits of a pulse are one return as long as each is less than this behind the one before, in
      the scene's units: half the length of a pulse. Its distance is their mean by w * reflectance *
      cos(incidence).
    - `keep`: which returns of a pulse are kept: "strongest", "first" (the nearest), "last" or "all".
    - `seed`: the same gives the same bits on every machine and for any number of threads.
    - `reflectance`: how much of the light that meets them surfaces scatter, from 0 to 1: a number for all;
      one for each geometry, (n,), by `geometry_id`; or a dict by names and ids of geometries, of a number or
      of one for each primitive, (n,); 1 for others, and of two for a geometry the later counts. Geometries in
      instances are named alike.

    A pulse is one ray, or those of a `Footprint`: only these have several returns. Raises `ValueError` that
    names the argument that cannot be used: noise or a resolution that is negative, a range not above 0, a
    reflectance not from 0 to 1. Geometries that are not there are named by `Scene.lidar_returns`.

    >>> lanecast.Receiver(range_noise=0.02, reference_range=80)
    Receiver(range_noise=(0.02, 0.0), reference_range=80, resolution=0.0,
    keep='strongest', seed=0, reflectance=1.0)
    """

    range_noise: Any = (0.0, 0.0)
    reference_range: float = np.inf
    resolution: float = 0.0
    keep: str = "strongest"
    seed: int = 0
    reflectance: Any = field(default=1.0, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "range_noise", self._receiver.range_noise)
        of: Any = self.reflectance
        # Of no array that may change.
        if isinstance(of, dict):
            of = {key: _fixed(values) for key, values in of.items()}
        else:
            of = np.asarray(of, "float64").tolist()
        object.__setattr__(self, "reflectance", tuple(of) if isinstance(of, list) else of)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Receiver):
            return NotImplemented
        return self._compared() == other._compared()

    def _compared(self) -> tuple[Any, ...]:
        of = self.reflectance
        if isinstance(of, dict):
            of = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in of.items()}
        return (self.range_noise, self.reference_range, self.resolution, self.keep, self.seed, of)

    @property
    def _receiver(self) -> _lanecast.Receiver:
        return _lanecast.Receiver(self)
