"""Scanners: the rays of their beams, and what they measure."""

from __future__ import annotations

from dataclasses import dataclass
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
    """float64: degrees from 0 to 360, 360 excluded, clockwise from y in the scanner's own axes."""


@checked
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

    _kind: ClassVar[str] = "lidar"
    beams: Any
    steps: int
    poses: Any = (0.0, 0.0, 0.0)
    sector: Any = (0.0, 360.0)
    start: Optional[float] = None
    seconds: float = 0.1
    turns: int = 1
    velocity: Any = (0.0, 0.0, 0.0)
    yaw_rate: float = 0.0

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


@checked
@dataclass(frozen=True)
class Receiver:
    """What a scanner measures of the hits of its pulses: it gathers them to returns, loses weak ones, and
    measures their distances with noise. `Scene.lidar_returns` takes one.

    - `range_noise`: the standard deviation of distances, in the scene's units; or two numbers, a constant and
      what it grows by with each unit of distance. The error is normally distributed, and no distance is less
      than 0.
    - `reference_range`: up to this distance a whole beam that meets a surface head-on surely comes back. A
      return has the power of its hits, each w * cos(incidence) * (reference_range / distance)**2 with its
      ray's share w of the beam's energy, and is received with that probability: the radar equation for
      surfaces that scatter light as Lambert's law has it. inf: all are.
    - `resolution`: hits of a pulse are one return as long as each is less than this behind the one before, in
      the scene's units: half the length of a pulse. Its distance is their mean by w * cos(incidence).
    - `keep`: which returns of a pulse are kept: "strongest", "first" (the nearest), "last" or "all".
    - `seed`: the same gives the same bits on every machine and for any number of threads.

    A pulse is one ray, or those of a `Footprint`: only these have several returns. Raises `ValueError` that
    names the argument that cannot be used: noise or a resolution that is negative, a range not above 0.

    >>> lanecast.Receiver(range_noise=0.02, reference_range=80)
    Receiver(range_noise=(0.02, 0.0), reference_range=80, resolution=0.0, keep='strongest', seed=0)
    """

    range_noise: Any = (0.0, 0.0)
    reference_range: float = np.inf
    resolution: float = 0.0
    keep: str = "strongest"
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "range_noise", self._receiver.range_noise)

    @property
    def _receiver(self) -> _lanecast.Receiver:
        return _lanecast.Receiver(self)
