"""Answers: arrays by name, one row for each ray or point. Their leading dimensions are those of the rays."""

from dataclasses import dataclass, fields
from typing import Any, Optional

import numpy as np


class _Columns:
    """Arrays by name; ``dict(answers.items())`` is what pandas and polars take."""

    def items(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield field.name, value

    def __len__(self):
        return len(self.status)

    def __repr__(self):
        shown = ", ".join(f"{name}: {value.dtype}{list(value.shape)}" for name, value in self.items())
        return f"<lanecast.{type(self).__name__} of {shown}>"


@dataclass(eq=False, repr=False)
class Hits(_Columns):
    """One hit of each ray."""

    status: Any
    """uint8: 0 a miss, 1 a hit, else what is wrong with the ray: see ``lanecast.STATUSES``."""
    t: Any
    """The ray parameter of the hit, of the scene's precision; inf where there is none."""
    primitive_id: Any
    """uint32: the primitive within its geometry; ``lanecast.INVALID_ID`` where there is none, as for the other ids."""
    geometry_id: Any
    """uint32: the geometry within its scene, in the order of adding."""
    instance_id: Optional[Any] = None
    """uint32: the instance that holds the geometry; None for a scene without instances."""
    u: Any = None
    """The weight of the triangle's second vertex."""
    v: Any = None
    """The weight of the triangle's third vertex."""
    normal: Optional[Any] = None
    """(..., 3): the geometric normal, not of unit length; None unless asked for."""

    @property
    def is_hit(self):
        """bool: whether each ray meets anything."""
        return self.status == 1


@dataclass(eq=False, repr=False)
class AllHits(_Columns):
    """Several hits of each ray, nearest first: those of ray i are in the rows ``offsets[i]:offsets[i + 1]``."""

    status: Any
    """uint8, one for each ray, as in ``Hits``."""
    offsets: Any
    """int64: the first hit of each ray, and the number of all hits."""
    t: Any
    primitive_id: Any
    geometry_id: Any
    instance_id: Any
    u: Any
    v: Any

    @property
    def ray_id(self):
        """int64: the ray of each hit, counted over all leading dimensions."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


@dataclass(eq=False, repr=False)
class Cost(_Columns):
    """What the closest hit of each ray cost: uint32, one for each ray."""

    nodes: Any
    """Tests of inner nodes."""
    boxes: Any
    """Boxes in those nodes."""
    leaves: Any
    """Tests of leaves."""
    primitives: Any
    """Primitives in those leaves."""

    def __len__(self):
        return len(self.nodes)
