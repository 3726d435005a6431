"""Answers: arrays by name, one row for each ray or point. Their leading dimensions are those of the rays."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Iterator, Optional, Tuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
"""float32 or float64, as the scene is."""
Ids = npt.NDArray[np.uint32]


class _Columns:
    """Arrays by name; ``dict(answers.items())`` is what pandas and polars take."""

    status: Any

    def items(self) -> Iterator[Tuple[str, npt.NDArray[Any]]]:
        """Names and arrays, without those that are None.

        >>> sorted(name for name, column in scene.closest_hit([[0.5, 0.2, 1, 0, 0, -1]]).items())
        ['geometry_id', 'primitive_id', 'status', 't', 'u', 'v']
        """
        for field in fields(self):  # type: ignore[arg-type]
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
    """One hit of each ray."""

    status: npt.NDArray[np.uint8]
    """uint8: 0 a miss, 1 a hit, else what is wrong with the ray: see ``lanecast.STATUSES``."""
    t: Floats
    """The ray parameter of the hit, of the scene's precision; inf where there is none."""
    primitive_id: Ids
    """uint32: the primitive within its geometry; ``lanecast.INVALID_ID`` where none, as of all ids."""
    geometry_id: Ids
    """uint32: the geometry within its scene, in the order of adding."""
    instance_id: Optional[Ids] = None
    """uint32: the instance that holds the geometry; None for a scene without instances."""
    u: Any = None
    """The weight of the triangle's second vertex."""
    v: Any = None
    """The weight of the triangle's third vertex."""
    normal: Optional[Floats] = None
    """(..., 3): the geometric normal, not of unit length; None unless asked for."""

    @property
    def is_hit(self) -> npt.NDArray[np.bool_]:
        """bool: whether each ray meets anything."""
        return np.equal(self.status, 1)


@dataclass(eq=False, repr=False)
class AllHits(_Columns):
    """Several hits of each ray, nearest first: those of ray i are in rows ``offsets[i]:offsets[i + 1]``."""

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
