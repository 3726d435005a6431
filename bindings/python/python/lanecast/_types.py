"""Types of arguments."""

from __future__ import annotations

from typing import Any, Callable, Literal, Mapping, Protocol, Sequence, Tuple, Union

import numpy.typing as npt

from ._geometry import (
    Ball,
    Box,
    Boxes,
    Frustum,
    HeightField,
    Instance,
    Mesh,
    OrientedBoxes,
    Quads,
    RoundCones,
    Spheres,
)
from ._makers import Maker

Precision = Literal["auto", "f32", "f64", "float32", "float64"]
Quality = Literal["fast", "balanced", "high"]
Culling = Literal["none", "front", "back"]
Contact = Literal["crossing", "touch"]
Coherence = Literal["detect", "coherent", "incoherent"]
Invalid = Literal["raise", "miss"]

Counts = Union[Sequence[int], npt.NDArray[Any]]

Geometry = Union[Mesh, Quads, Boxes, OrientedBoxes, Spheres, RoundCones, HeightField]
Item = Union[Geometry, Instance]
Region = Union[Box, Ball, Frustum]

# A dict: of mappings, as their values may be of any type that fits.
Rays = Union[npt.ArrayLike, Tuple[npt.ArrayLike, npt.ArrayLike], Mapping[str, npt.ArrayLike], Maker]
PerRay = Union[float, npt.ArrayLike]


class HasIds(Protocol):
    """Answers that name primitives."""

    @property
    def geometry_id(self) -> Any: ...

    @property
    def primitive_id(self) -> Any: ...


class HasHits(HasIds, Protocol):
    """Answers that say where rays hit primitives."""

    @property
    def t(self) -> Any: ...

    @property
    def u(self) -> Any: ...

    @property
    def v(self) -> Any: ...


On = Union[HasIds, Tuple[npt.ArrayLike, npt.ArrayLike]]
Skip = Union[On, Tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]]


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


class HasTriangles(Protocol):
    """A mesh like those of Open3D."""

    @property
    def vertices(self) -> Any: ...

    @property
    def triangles(self) -> Any: ...


class HasTensors(Protocol):
    """A mesh like those of Open3D that are made of tensors."""

    @property
    def vertex(self) -> Any: ...

    @property
    def triangle(self) -> Any: ...


class HasMesh(Protocol):
    """A scene like those of trimesh."""

    def to_mesh(self) -> Any: ...


MeshLike = Union[HasFaces, HasTriangles, HasTensors, HasMesh]
