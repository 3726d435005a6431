"""Makers of rays: what all have, and cameras; `_lidar.py` has scanners, `_light.py` light. Every query of rays
takes one in place of an array. Its rays are made piece by piece while they are cast, and never stored; the
answers have its shape.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar, Dict, Tuple

import numpy as np
import numpy.typing as npt

from . import _lanecast
from ._keywords import checked


class Maker:
    """What all makers of rays have. Its own class has no rays: see `Pinhole`, `Panorama`, `Orthographic`,
    `Grid`, `Lidar`, `Footprint`, `Hemisphere` and `Sunlight`.

    >>> camera = lanecast.Pinhole(eye=(0, 0, 2), target=(0, 0, 0), up=(0, 1, 0),
    ...                           fov=90, size=(8, 4))
    >>> camera.shape, len(camera)
    ((4, 8), 32)
    >>> int(scene.any_hit(camera).sum())
    1
    """

    __dataclass_fields__: ClassVar[Dict[str, Field[Any]]]
    _kind: ClassVar[str] = ""
    _made: _lanecast.Maker

    def __init__(self) -> None:
        self.__post_init__()

    def __post_init__(self) -> None:
        object.__setattr__(self, "_made", _lanecast.Maker(self))

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

        >>> rain = lanecast.Grid((0, 0, 9), edges=((4, 0, 0), (0, 2, 0)), size=(4, 2),
        ...                      direction=(0, 0, -1))
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


@checked
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

    >>> camera = lanecast.Pinhole((0.5, 0.25, 2), (0.5, 0.25, 0), up=(0, 1, 0),
    ...                           fov=30, size=(640, 480))
    >>> depth = scene.closest_hit(camera).t
    >>> depth.shape, float(depth[240, 320])
    ((480, 640), 2.0)
    >>> f = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
    >>> extrinsic = np.diag([1, -1, -1, 1])
    >>> camera = lanecast.Pinhole(intrinsic=f, extrinsic=extrinsic, size=(640, 480))
    >>> camera.rays()[239, 319, 3:]
    array([-0.001,  0.001, -1.   ], dtype=float32)
    """

    _kind: ClassVar[str] = "pinhole"
    eye: Any = None
    target: Any = None
    up: Any = (0.0, 0.0, 1.0)
    fov: float = 60.0
    size: Any = (640, 480)
    intrinsic: Any = None
    extrinsic: Any = None
    unit: bool = False


@checked
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
    >>> around = lanecast.Panorama(eye=(0, 0, 0), forward=(0, 1, 0), size=(65, 33))
    >>> hits = sphere.closest_hit(around)
    >>> hits.t.shape, float(hits.t[16, 32])
    ((33, 65), 4.0)
    """

    _kind: ClassVar[str] = "panorama"
    eye: Any
    forward: Any = (0.0, 1.0, 0.0)
    up: Any = (0.0, 0.0, 1.0)
    size: Any = (2048, 1024)


@checked
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

    >>> above = lanecast.Orthographic((0.5, 0.5, 3), (0.5, 0.5, 0), up=(0, 1, 0),
    ...                               height=2, size=(4, 4))
    >>> scene.any_hit(above).astype(int)
    array([[0, 0, 0, 0],
           [0, 1, 1, 0],
           [0, 1, 1, 0],
           [0, 0, 0, 0]])
    """

    _kind: ClassVar[str] = "orthographic"
    eye: Any
    target: Any
    up: Any = (0.0, 0.0, 1.0)
    height: float = 1.0
    size: Any = (640, 480)


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Grid(Maker):
    """Parallel rays from the middles of the cells of a parallelogram, line by line, starting at its corner:
    X-rays, rain. `t` is in lengths of the direction as given. Answers have the shape (lines, rays of a line).

    - `corner`: (3,). `edges`: along and across lines, (2, 3). `direction`: that of all rays, (3,).
    - `size`: the number of rays along each edge, (2,).

    Raises `ValueError` that names the argument that cannot be used: not finite or beyond 2^100, `direction`
    zero, a size of 0.

    >>> rain = lanecast.Grid((0, 0, 9), edges=((2, 0, 0), (0, 1, 0)), size=(4, 2),
    ...                      direction=(0, 0, -1))
    >>> scene.closest_hit(rain).t
    array([[ 9.,  9., inf, inf],
           [ 9.,  9., inf, inf]], dtype=float32)
    """

    _kind: ClassVar[str] = "grid"
    corner: Any
    edges: Any
    size: Any
    direction: Any
