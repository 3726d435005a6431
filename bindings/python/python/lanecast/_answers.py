"""Answers: arrays by name, one row for each ray or point. Their leading dimensions are those of the rays."""

from __future__ import annotations

from dataclasses import Field, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Iterator, Optional, Tuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._lanecast import Scene

Floats = npt.NDArray[Any]
"""float32 or float64, as the scene is."""
Ids = npt.NDArray[np.uint32]

_LEFT_OUT: Any = None
"""In place of a column that the caller's ``out`` does not have."""


class _Columns:
    """Arrays by name; ``dict(answers.items())`` is what pandas and polars take."""

    __dataclass_fields__: ClassVar[Dict[str, Field[Any]]]
    status: npt.NDArray[np.uint8]

    def items(self) -> Iterator[Tuple[str, npt.NDArray[Any]]]:
        """Names and arrays, without those that are None.

        >>> sorted(name for name, column in scene.closest_hit([[0.5, 0.2, 1, 0, 0, -1]]).items())
        ['geometry_id', 'primitive_id', 'status', 't', 'u', 'v']
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield field.name, value

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}: {value.dtype}{list(value.shape)}" for name, value in self.items())
        return f"<lanecast.{type(self).__name__} of {shown}>"


@dataclass(eq=False, repr=False)
class Hits(_Columns):
    """One hit of each ray: arrays of the leading dimensions of the rays, () for a single one.

    `t`, `u`, `v` and `normal` are of the scene's precision, ids are uint32. The point of a hit is ``origin + t *
    direction``; `Scene.surface` makes points, and normals of length 1.
    """

    status: npt.NDArray[np.uint8]
    """uint8: 0 a miss, 1 a hit, else what is wrong with the ray: see ``lanecast.STATUSES``."""
    t: Floats
    """The ray parameter of the hit, of the scene's precision; inf where there is none."""
    primitive_id: Ids
    """uint32: the primitive within its geometry; ``lanecast.INVALID_ID`` where none, as of all ids."""
    geometry_id: Ids
    """uint32: the geometry within its scene, in the order of adding."""
    instance_id: Optional[Ids] = None
    """uint32: the instance that holds it, ``lanecast.INVALID_ID`` for what is in none; None for a scene without
    instances, unless ``out`` has it."""
    u: Floats = _LEFT_OUT
    """The weight of the triangle's second vertex, for triangles of meshes, quads and fields of heights; the place
    along a round cone or a cylinder from its start, 0, to its end, 1; 0 on spheres and boxes, and where there is
    no hit."""
    v: Floats = _LEFT_OUT
    """The weight of the triangle's third vertex; 0 where there is no triangle. That of the first is 1 - u - v."""
    normal: Optional[Floats] = None
    """(..., 3): the geometric normal, not of unit length, outwards, or to the side from which corners are seen
    counter-clockwise; zeros where there is no hit. None unless asked for or in ``out``."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """bool: whether each ray meets anything."""
        return np.equal(self.status, 1)


@dataclass(eq=False, repr=False)
class AllHits(_Columns):
    """Several hits of each ray, nearest first: those of ray i are in rows ``offsets[i]:offsets[i + 1]``.

    `status` and `offsets` are of rays, counted over all leading dimensions; other arrays have a row for each hit,
    as of `Hits`. `instance_id` is always there. ``rays.reshape(-1, 6)[hits.ray_id]`` are the rays of the hits.
    """

    status: npt.NDArray[np.uint8]
    """uint8, one for each ray, as in ``Hits``."""
    offsets: npt.NDArray[np.int64]
    """int64: the first hit of each ray, and the number of all hits."""
    t: Floats
    primitive_id: Ids
    geometry_id: Ids
    instance_id: Ids
    u: Floats
    v: Floats

    @property
    def ray_id(self) -> npt.NDArray[np.int64]:
        """int64: the ray of each hit, counted over all leading dimensions."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


@dataclass(eq=False, repr=False)
class Returns(_Columns):
    """What a scanner measures, a row for each return: those of pulse i are in rows
    ``offsets[i]:offsets[i + 1]``, the nearest first before noise."""

    status: npt.NDArray[np.uint8]
    """uint8, one for each ray, as in ``Hits``: of the exact ray, whether or not its pulse is received."""
    offsets: npt.NDArray[np.int64]
    """int64: the first return of each pulse, and the number of all returns."""
    distance: Floats
    """The distance that is measured, of the scene's precision."""
    point: Floats
    """(n, 3): the point at this distance on the axis of the pulse."""
    return_number: Ids
    """uint32: which of the pulse's returns that are received it is, from 1."""
    return_count: Ids
    """uint32: how many these are, also where not all are kept."""
    primitive_id: Ids
    """uint32: the primitive, as the other ids that of the hit with the greatest part in the return."""
    geometry_id: Ids
    instance_id: Ids

    @property
    def pulse(self) -> npt.NDArray[np.int64]:
        """int64: the pulse of each return, counted over all leading dimensions."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def __len__(self) -> int:
        return len(self.distance)


@dataclass(eq=False, repr=False)
class Cost(_Columns):
    """What the closest hit of each ray cost: uint32, one for each ray."""

    nodes: Ids
    """Tests of inner nodes."""
    boxes: Ids
    """Boxes in those nodes."""
    leaves: Ids
    """Tests of leaves."""
    primitives: Ids
    """Primitives in those leaves."""

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(eq=False, repr=False)
class ClosestPoints(_Columns):
    """The closest point of a scene to each point."""

    status: npt.NDArray[np.uint8]
    """uint8: 0 none within the radius, 1 there is one, else what is wrong with the point or the radius."""
    distance: Floats
    """The distance, of the scene's precision; inf where there is none."""
    point: Floats
    """(..., 3): the closest point; zeros where there is none."""
    primitive_id: Ids
    """uint32: the primitive on which it lies; ``lanecast.INVALID_ID`` where there is none, as for other ids."""
    geometry_id: Ids
    """uint32: the geometry within its scene."""
    instance_id: Optional[Ids] = None
    """uint32: the instance that holds it; None for a scene without instances, unless ``out`` has it."""
    u: Floats = _LEFT_OUT
    """The weight of the triangle's second vertex."""
    v: Floats = _LEFT_OUT
    """The weight of the triangle's third vertex."""
    normal: Optional[Floats] = None
    """(..., 3): the normal there, not of unit length; None unless asked for, or in ``out``."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """bool: whether there is a closest point."""
        return np.equal(self.status, 1)


@dataclass(eq=False, repr=False)
class NearPoints(_Columns):
    """The primitives near each point, nearest first: of point i the rows ``offsets[i]:offsets[i + 1]``."""

    status: npt.NDArray[np.uint8]
    """uint8, one for each point, as in ``ClosestPoints``."""
    offsets: npt.NDArray[np.int64]
    """int64: the first primitive of each point, and the number of all of them."""
    distance: Floats
    point: Floats
    """(n, 3): the closest point of each primitive."""
    primitive_id: Ids
    geometry_id: Ids
    instance_id: Ids
    u: Floats
    v: Floats

    @property
    def point_id(self) -> npt.NDArray[np.int64]:
        """int64: the point that each primitive is near, counted over all leading dimensions."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


@dataclass
class Hit:
    """One hit of one ray, in numbers of Python."""

    t: float
    primitive_id: int
    geometry_id: int
    instance_id: Optional[int]
    """None for what is in no instance."""
    u: float
    v: float


@dataclass(eq=False)
class Pick(Hit):
    """One hit of one ray with points and normals, float64 of shape (3,), and the names of what it met."""

    point: npt.NDArray[np.float64]
    """In the frame of the scene that was asked."""
    normal: npt.NDArray[np.float64]
    """At ``point``, of length 1; zeros if the primitive has none."""
    local_point: npt.NDArray[np.float64]
    """In the frame of the scene that holds the primitive."""
    local_normal: npt.NDArray[np.float64]
    """At ``local_point``, of length 1."""
    geometry_name: str
    instance_path: Tuple[int, ...]
    """The instances around the primitive by their numbers, outermost first."""
    instance_names: Tuple[str, ...]
    """The names of these instances."""


@dataclass(eq=False, repr=False)
class Surface(_Columns):
    """Where hits are, of the scene's precision and of shape (..., 3); zeros where there is no hit."""

    point: Floats
    normal: Floats
    """The geometric normal, of length 1."""
    shading_normal: Optional[Floats] = None
    """The normal interpolated from those of the vertices, of length 1; None unless these were given."""

    def __len__(self) -> int:
        return len(self.point)


@dataclass(eq=False)
class LineHits:
    """The hits of lines nearest to their origins, on either side."""

    ahead: Hits
    """Those of least t >= 0."""
    behind: Hits
    """Those of greatest t <= 0; t is inf where there is none, as ahead."""

    def __len__(self) -> int:
        return len(self.ahead)


@dataclass(eq=False, repr=False)
class PrimitiveIds(_Columns):
    """Primitives by their ids, uint32 of shape (n,)."""

    primitive_id: Ids
    geometry_id: Ids
    instance_id: Ids
    """``lanecast.INVALID_ID`` for primitives in no instance."""

    def __len__(self) -> int:
        return len(self.primitive_id)


@dataclass(eq=False, repr=False)
class Triangles(_Columns):
    """Triangles with their ids, uint32 of shape (n,)."""

    geometry_id: Ids
    primitive_id: Ids
    vertices: Floats
    """(n, 3, 3): the corners of each, of the scene's precision."""

    def __len__(self) -> int:
        return len(self.primitive_id)


@dataclass
class GeometryInfo:
    """What is known of a geometry."""

    geometry_id: int
    kind: str
    primitive_count: int
    mask: int
    name: str
    user_data: int


@dataclass(eq=False)
class InstanceInfo:
    """What is known of an instance."""

    instance: int
    """Its number in the scene that holds it."""
    instance_id: int
    """The id of hits in it, on primitives of the placed scene itself."""
    scene: Scene
    """The placed scene."""
    transform: npt.NDArray[np.float64]
    """(4, 4), float64: maps points as columns."""
    mask: int
    name: str
    user_data: int


@dataclass(eq=False)
class OpenEdge:
    """An edge at which a surface is open."""

    geometry_id: int
    primitive_id: int
    ends: Floats
    """(2, 3): from the one to the other in the direction of that triangle."""


@dataclass
class Welded:
    """What welding did."""

    joined: int
    """The number of vertices of triangles that moved to another place."""
    farthest: float
    """The greatest distance that a vertex moved, in the units of the scene."""
    collapsed: int
    """The number of triangles with three different corners before and equal corners after."""


@dataclass
class Statistics:
    """The shape of a tree."""

    inner_nodes: int
    leaves: int
    primitives: int
    depth: int
    """Nodes from the root to the deepest leaf, both included."""
    children_per_node: float
    primitives_per_leaf: float
    sah_cost: float
    """The nodes and leaves that a random line through the box around all visits: surface-area heuristic."""
    sah_cost_as_built: float
    """The same when the tree was built, before refits."""
    bytes: int
    """The memory of nodes and leaves."""
