"""What scenes are built of: arrays of floats or whole numbers, with a mask, a name and a number of the
caller's own. They are read when a scene is built, which then raises errors that name the argument and the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ._arrays import Rows, Vector
from ._keywords import checked
from ._lanecast import Scene, _frustum_through

ALL_BITS = 0xFFFFFFFF


@checked
@dataclass(eq=False)
class Mesh:
    """Triangles: vertices of shape (n, 3), and for each triangle the numbers of its vertices, of shape
    (m, 3).

    A deformable mesh can be refitted to other vertices. Rays see what has a bit of its mask in common with
    their own.

    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> roof = lanecast.Mesh(corners, [[0, 1, 2]], name="roof")
    >>> lanecast.Scene.build(roof)
    <lanecast.Scene of 1 triangles, float32>
    """

    _kind: ClassVar[str] = "mesh"
    vertices: Any
    triangles: Any
    deformable: bool = False
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class Quads:
    """Quads: vertices of shape (n, 3), and for each quad its four vertices in order around it, of shape
    (m, 4).

    Primitive ids are those of triangles: quad number q is the triangles 2 q and 2 q + 1.

    >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    >>> lanecast.Scene.build(lanecast.Quads(corners, [[0, 1, 2, 3]]))
    <lanecast.Scene of 2 triangles, float32>
    """

    _kind: ClassVar[str] = "quads"
    vertices: Any
    quads: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class Boxes:
    """Boxes along the axes: their least and greatest corners, both of shape (n, 3). A least corner beyond the
    greatest is refused.

    >>> boxes = lanecast.Boxes(min=[[0, 0, 0]], max=[[1, 1, 1]])
    >>> lanecast.Scene.build(boxes).closest_hit([[-1, 0.5, 0.5, 1, 0, 0]]).t
    array([1.], dtype=float32)
    """

    _kind: ClassVar[str] = "boxes"
    min: Any
    max: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class OrientedBoxes:
    """Oriented boxes: centers of shape (n, 3), axes of shape (n, 3, 3) with an axis of length 1 in each row,
    and half extents of shape (n, 3) along these axes.

    >>> turned = [[[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]]]
    >>> boxes = lanecast.OrientedBoxes([[0, 0, 0]], turned, [[1, 1, 2]])
    >>> lanecast.Scene.build(boxes).closest_hit([[0, 0, 5, 0, 0, -1]]).t
    array([3.], dtype=float32)
    """

    _kind: ClassVar[str] = "oriented_boxes"
    center: Any
    axes: Any
    half_extents: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class Spheres:
    """Spheres: centers of shape (n, 3), and a radius from 0 on, or one for each.

    >>> balls = lanecast.Spheres([[0, 0, 0], [5, 0, 0]], radius=[1.0, 2.0])
    >>> lanecast.Scene.build(balls).closest_hit([[5, 0, 9, 0, 0, -1]]).t
    array([7.], dtype=float32)
    """

    _kind: ClassVar[str] = "spheres"
    center: Any
    radius: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class RoundCones:
    """Convex hulls of two balls each, for cables, hairs and strands of curves: the centers of both ends, of
    shape (n, 3), and their radii from 0 on, each a number or one for each.

    >>> cable = lanecast.RoundCones(start=[[0, 0, 0]], end=[[9, 0, 0]],
    ...                             start_radius=0.5, end_radius=0.25)
    >>> lanecast.Scene.build(cable).closest_hit([[-4, 0, 0, 1, 0, 0]]).t
    array([3.5], dtype=float32)
    """

    _kind: ClassVar[str] = "round_cones"
    start: Any
    end: Any
    start_radius: Any
    end_radius: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class Cylinders:
    """Cylinders with flat caps, for poles, trunks and pipes: the centers of both caps, of shape (n, 3), and a radius
    from 0 on, or one for each. A cylinder without length is refused.

    >>> pole = lanecast.Cylinders(start=[[0, 0, 0]], end=[[0, 0, 8]], radius=0.5)
    >>> rays = [[-3, 0, 2, 1, 0, 0], [0.25, 0, 9, 0, 0, -1]]
    >>> lanecast.Scene.build(pole).closest_hit(rays).t
    array([2.5, 1. ], dtype=float32)
    """

    _kind: ClassVar[str] = "cylinders"
    start: Any
    end: Any
    radius: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class HeightField:
    """A grid of heights: of shape (rows, columns), floats or whole numbers, NaN or masked where there is none. The
    vertex in a row and a column is at x = origin[0] + column * spacing[0], y = origin[1] + row * spacing[1]. Spacings
    are above 0: of a raster whose first row is the northernmost give heights[::-1], and as origin where its last row is.

    Each cell is two triangles, cut from the vertex in (row, column + 1) to that in (row + 1, column). Those of
    cell c, counted row by row, have the primitive ids 2 c, with the vertex in (row, column), and 2 c + 1. None are
    stored: a field is there at once and takes an eighth of the memory of a mesh, or less. Rays and points take 0.7 to
    1.6 times as long. It has no inside.

    >>> heights = np.zeros((3, 4))
    >>> terrain = lanecast.HeightField(heights, origin=(100, 200), spacing=(10, 10))
    >>> rays = [[125, 215, 5, 0, 0, -1], [99, 215, 5, 0, 0, -1]]
    >>> lanecast.Scene.build(terrain).any_hit(rays)
    array([ True, False])
    """

    _kind: ClassVar[str] = "height_field"
    heights: Any
    origin: Vector = (0.0, 0.0)
    spacing: Vector = (1.0, 1.0)
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class Instance:
    """A scene in another: where it stands by a matrix of shape (3, 4) or (4, 4) that maps points as columns.

    >>> moved = np.array([[1, 0, 0, 10.0], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> outer = lanecast.Scene.build(lanecast.Instance(scene, moved))
    >>> outer.any_hit([[10.5, 0.2, 1, 0, 0, -1]])
    array([ True])
    """

    _kind: ClassVar[str] = "instance"
    scene: Scene
    transform: Any
    mask: int = ALL_BITS
    name: str = ""
    user_data: int = 0


@checked
@dataclass(eq=False)
class Box:
    """A region of space: all points between two corners, both included. Sides at infinity bound nothing."""

    _region: ClassVar[str] = "box"
    min: Vector
    max: Vector


@checked
@dataclass(eq=False)
class Ball:
    """A region of space: all points at most a radius from a center."""

    _region: ClassVar[str] = "ball"
    center: Vector
    radius: float


@checked
@dataclass(eq=False)
class Frustum:
    """A region of space between one to six planes, of shape (n, 4): all points with a x + b y + c z + d >= 0 for
    each plane (a, b, c, d), whose normal (a, b, c), of any length, points inwards.
    """

    _region: ClassVar[str] = "frustum"
    planes: Any

    @classmethod
    def through(cls, eye: Vector, directions: Rows) -> Frustum:
        """The pyramid without an end from an eye, of shape (3,), between four directions, of shape (4, 3), which
        follow each other around it, such as those of rays through the corners of a rectangle of a picture.

        Raises ValueError for other shapes, and for numbers that are not finite or span no pyramid.

        >>> import lanecast
        >>> corners = [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]]
        >>> lanecast.Frustum.through([0, 0, 0], corners).planes.shape
        (4, 4)
        """
        return cls(_frustum_through(eye, directions))
