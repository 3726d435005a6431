"""Millions of rays against scenes of triangle meshes and other shapes: exact, with no hit lost, the same bits on every CPU."""

from typing import TYPE_CHECKING

from ._answers import AllHits, Cost, Hits
from ._geometry import Boxes, HeightField, Instance, Mesh, OrientedBoxes, Quads, RoundCones, Spheres
from ._lanecast import INVALID_ID, Scene, backends
from ._lanecast import VERSION as __version__

if TYPE_CHECKING:
    from .arrow import cast_arrow, cast_stream
    from .parquet import cast_parquet

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
    "HeightField",
    "Hits",
    "INVALID_ID",
    "Instance",
    "Mesh",
    "OrientedBoxes",
    "Quads",
    "RoundCones",
    "STATUSES",
    "Scene",
    "Spheres",
    "__version__",
    "backends",
]


def __getattr__(name):
    # With the first use of Arrow, as importing pyarrow takes longer than all else, and need not be there.
    if name in ("cast_arrow", "cast_stream"):
        from . import arrow

        return getattr(arrow, name)
    if name == "cast_parquet":
        from .parquet import cast_parquet

        return cast_parquet
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
