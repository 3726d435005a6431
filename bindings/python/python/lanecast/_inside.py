"""Inside or outside by parity, as trimesh and Open3D mean it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._lanecast import Scene


def inside(scene: Scene, points: npt.NDArray[Any], **options: Any) -> npt.NDArray[np.bool_]:
    """Whether the line through each point along x meets the surface an odd number of times on both of its
    sides.

    A closed surface is crossed as often on one side as on the other, modulo 2, since each crossing counts
    once. Where the sides differ the surface is open, and the generalised winding number decides. Points that
    are not finite are outside.
    """
    along = np.zeros(3, dtype=scene.precision)
    along[0] = 1
    ahead, behind = (
        (
            scene.count_hits(points, np.broadcast_to(direction, points.shape), invalid="miss", **options) & 1
        ).astype(bool)
        for direction in (along, -along)
    )
    found: npt.NDArray[np.bool_] = ahead & behind
    is_open = ahead ^ behind
    if is_open.any():
        found[is_open] = np.abs(scene.winding_number(points[is_open], **options)) > 0.5
    return found
