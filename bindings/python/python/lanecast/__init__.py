"""Millions of rays against scenes of triangle meshes and other shapes: exact, with no hit lost, the same bits
on every CPU.
"""

import importlib
from typing import TYPE_CHECKING, Any

from ._answers import (
    AllHits,
    ClosestPoints,
    Cost,
    GeometryInfo,
    Hit,
    Hits,
    InstanceInfo,
    LineHits,
    NearPoints,
    OpenEdge,
    Pick,
    PrimitiveIds,
    Returns,
    Statistics,
    Surface,
    Triangles,
    Welded,
)
from ._arrays import PrecisionWarning
from ._geometry import (
    Ball,
    Box,
    Boxes,
    Cylinders,
    Frustum,
    HeightField,
    Instance,
    Mesh,
    OrientedBoxes,
    Quads,
    RoundCones,
    Spheres,
)
from ._lanecast import INVALID_ID, Scene, backends
from ._lanecast import VERSION as __version__
from ._lidar import Footprint, Lidar, Pulses, Receiver
from ._light import Hemisphere, Sun, Sunlight
from ._makers import Grid, Maker, Orthographic, Panorama, Pinhole

if TYPE_CHECKING:
    from . import arrow as arrow, open3d as open3d, parquet as parquet, pyvista as pyvista, terrain as terrain
    from . import trimesh as trimesh
    from .arrow import cast_arrow as cast_arrow, cast_stream as cast_stream
    from .arrow import points_arrow as points_arrow, points_stream as points_stream
    from .parquet import cast_parquet as cast_parquet, points_parquet as points_parquet

STATUSES = (
    "miss",
    "hit",
    "invalid_origin",
    "invalid_direction",
    "zero_direction",
    "direction_out_of_range",
    "invalid_interval",
    "empty_interval",
)
"""The names of the codes in ``status``."""

__all__ = [
    "AllHits",
    "Ball",
    "Box",
    "Boxes",
    "ClosestPoints",
    "Cost",
    "Cylinders",
    "Footprint",
    "Frustum",
    "GeometryInfo",
    "Grid",
    "HeightField",
    "Hemisphere",
    "Hit",
    "Hits",
    "INVALID_ID",
    "Instance",
    "InstanceInfo",
    "Lidar",
    "LineHits",
    "Maker",
    "Mesh",
    "NearPoints",
    "OpenEdge",
    "OrientedBoxes",
    "Orthographic",
    "Panorama",
    "Pick",
    "Pinhole",
    "PrecisionWarning",
    "PrimitiveIds",
    "Pulses",
    "Quads",
    "Receiver",
    "Returns",
    "RoundCones",
    "STATUSES",
    "Scene",
    "Spheres",
    "Statistics",
    "Sun",
    "Sunlight",
    "Surface",
    "Triangles",
    "Welded",
    "__version__",
    "backends",
]


def __getattr__(name: str) -> Any:
    # With the first use, as importing pyarrow takes longer than all else, and need not be there.
    if name in ("arrow", "open3d", "parquet", "pyvista", "terrain", "trimesh"):
        return importlib.import_module(f".{name}", __name__)
    if name in ("cast_arrow", "cast_stream", "points_arrow", "points_stream"):
        return getattr(importlib.import_module(".arrow", __name__), name)
    if name in ("cast_parquet", "points_parquet"):
        return getattr(importlib.import_module(".parquet", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
