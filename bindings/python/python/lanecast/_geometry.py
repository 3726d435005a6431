"""What scenes are built of: arrays, with a mask, a name and a number of the caller's own."""

from dataclasses import dataclass
from typing import Any, ClassVar, Tuple

ALL_BITS = 0xFFFFFFFF


@dataclass(eq=False)
class Mesh:
    """Triangles: vertices of shape (n, 3), and for each triangle the numbers of its vertices, of shape (m, 3).

    A deformable mesh can be refitted to other vertices. Rays see what has a bit of its mask in common with their own.
    """

    _kind: ClassVar[str] = "mesh"
    vertices: Any
    triangles: Any
    deformable: bool = False
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class Quads:
    """Quads: vertices of shape (n, 3), and for each quad its four vertices in order around it, of shape (m, 4).

    Primitive ids are those of triangles: quad number q is the triangles 2 q and 2 q + 1.
    """

    _kind: ClassVar[str] = "quads"
    vertices: Any
    quads: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class Boxes:
    """Boxes along the axes: their least and greatest corners, both of shape (n, 3)."""

    _kind: ClassVar[str] = "boxes"
    min: Any
    max: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class OrientedBoxes:
    """Oriented boxes: centers of shape (n, 3), axes of shape (n, 3, 3) with an axis of length 1 in each row, and half extents of
    shape (n, 3) along these axes.
    """

    _kind: ClassVar[str] = "oriented_boxes"
    center: Any
    axes: Any
    half_extents: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class Spheres:
    """Spheres: centers of shape (n, 3), and a radius, or one for each."""

    _kind: ClassVar[str] = "spheres"
    center: Any
    radius: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class RoundCones:
    """Convex hulls of two balls each, for cables, hairs and strands of curves: the centers of both ends, of shape (n, 3), and
    their radii, each a number or one for each.
    """

    _kind: ClassVar[str] = "round_cones"
    start: Any
    end: Any
    start_radius: Any
    end_radius: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class HeightField:
    """A grid of heights: of shape (rows, columns), with NaN where there is none. The vertex in a row and a column is at
    x = origin[0] + column * spacing[0], y = origin[1] + row * spacing[1]. No triangles are stored.
    """

    _kind: ClassVar[str] = "height_field"
    heights: Any
    origin: Tuple[float, float] = (0.0, 0.0)
    spacing: Tuple[float, float] = (1.0, 1.0)
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class Instance:
    """A scene in another: where it stands by a matrix of shape (3, 4) or (4, 4) that maps points as columns."""

    _kind: ClassVar[str] = "instance"
    scene: Any
    transform: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@dataclass(eq=False)
class Box:
    """A region of space: all points between two corners, both included. Sides at infinity bound nothing."""

    _region: ClassVar[str] = "box"
    min: Tuple[float, float, float]
    max: Tuple[float, float, float]


@dataclass(eq=False)
class Ball:
    """A region of space: all points at most a radius from a center."""

    _region: ClassVar[str] = "ball"
    center: Tuple[float, float, float]
    radius: float


@dataclass(eq=False)
class Frustum:
    """A region of space between one to six planes, of shape (n, 4): all points with a x + b y + c z + d >= 0 for
    each plane (a, b, c, d), whose normal (a, b, c), of any length, points inwards.
    """

    _region: ClassVar[str] = "frustum"
    planes: Any

    @classmethod
    def through(cls, eye, directions):
        """The pyramid without an end from an eye, of shape (3,), between four directions, of shape (4, 3), which
        follow each other around it, such as those of rays through the corners of a rectangle of a picture.

        Raises ValueError for other shapes, and for numbers that are not finite or span no pyramid.

        >>> import lanecast
        >>> corners = [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]]
        >>> lanecast.Frustum.through([0, 0, 0], corners).planes.shape
        (4, 4)
        """
        from ._lanecast import _frustum_through

        return cls(_frustum_through(eye, directions))
