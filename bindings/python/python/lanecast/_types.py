"""Types of arguments."""

from __future__ import annotations

from typing import Any, Callable, Dict, Protocol, Sequence, Tuple, Union

import numpy.typing as npt

from ._answers import Hits
from ._geometry import Boxes, HeightField, Instance, Mesh, OrientedBoxes, Quads, RoundCones, Spheres
from ._makers import Maker

Rays = Union[npt.ArrayLike, Tuple[npt.ArrayLike, npt.ArrayLike], Dict[str, npt.ArrayLike], Maker]
PerRay = Union[float, npt.ArrayLike]
Skip = Union[Hits, Tuple[npt.ArrayLike, npt.ArrayLike], Tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]]
Item = Union[Mesh, Quads, Boxes, OrientedBoxes, Spheres, RoundCones, HeightField, Instance]
Vector = Sequence[float]


class Bar(Protocol):
    """A bar like those of tqdm."""

    n: Any
    total: Any

    def update(self, n: Any = ..., /) -> object: ...


Progress = Union[Callable[[int, int], object], Bar]


class HasFaces(Protocol):
    """A mesh like those of trimesh."""

    @property
    def vertices(self) -> Any: ...

    @property
    def faces(self) -> Any: ...
