"""Millions of rays against scenes of triangle meshes and other shapes: exact, with no hit lost, the same bits
on every CPU.
"""

from ._answers import AllHits, Cost, Hits
from ._geometry import Boxes, HeightField, Instance, Mesh, OrientedBoxes, Quads, RoundCones, Spheres
from ._lanecast import INVALID_ID, Scene, backends
from ._lanecast import VERSION as __version__
from ._makers import (
    Footprint,
    Grid,
    Hemisphere,
    Lidar,
    Maker,
    Orthographic,
    Panorama,
    Pinhole,
    Pulses,
    Sun,
    Sunlight,
)

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
    "Boxes",
    "Cost",
    "Footprint",
    "Grid",
    "HeightField",
    "Hemisphere",
    "Hits",
    "INVALID_ID",
    "Instance",
    "Lidar",
    "Maker",
    "Mesh",
    "OrientedBoxes",
    "Orthographic",
    "Panorama",
    "Pinhole",
    "Pulses",
    "Quads",
    "RoundCones",
    "STATUSES",
    "Scene",
    "Spheres",
    "Sun",
    "Sunlight",
    "__version__",
    "backends",
]
