"""Types of arguments."""

from __future__ import annotations

from typing import Any, Callable, Literal, Mapping, Optional, Protocol, Sequence, Tuple, TypedDict, Union

import numpy.typing as npt

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
from ._makers import Maker

Precision = Literal["auto", "f32", "f64", "float32", "float64"]
Quality = Literal["fast", "balanced", "high"]
Culling = Literal["none", "front", "back"]
Contact = Literal["crossing", "touch"]
Coherence = Literal["detect", "coherent", "incoherent"]
Invalid = Literal["raise", "miss"]

Counts = Union[Sequence[int], npt.NDArray[Any]]

Geometry = Union[Mesh, Quads, Boxes, OrientedBoxes, Spheres, RoundCones, Cylinders, HeightField]
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


class BuildOptions(TypedDict, total=False):
    """How a scene is built."""

    precision: Precision
    quality: Quality
    weld: Optional[float]
    backend: Optional[str]
    threads: Optional[int]
    progress: Optional[Progress]


class CallOptions(TypedDict, total=False):
    """How answers are computed, which changes none."""

    brute_force: bool
    threads: Optional[int]
    backend: Optional[str]
    progress: Optional[Progress]


class HitOptions(CallOptions, total=False):
    """Which hits of rays count."""

    t_min: Optional[PerRay]
    t_max: Optional[PerRay]
    culling: Culling
    mask: Optional[Union[int, npt.ArrayLike]]
    skip: Optional[Skip]
    invalid: Invalid


class RayOptions(HitOptions, total=False):
    """The same of many rays."""

    coherence: Coherence


class PointOptions(CallOptions, total=False):
    """Options of all queries of points."""

    invalid: Invalid


class LineOptions(CallOptions, total=False):
    """Which hits block lines of sight."""

    shorten: float
    observers_on: Optional[On]
    targets_on: Optional[On]
    mask: int
    culling: Culling
    invalid: Invalid


class RegionOptions(TypedDict, total=False):
    """Which primitives in regions count."""

    mask: int
    brute_force: bool
    backend: Optional[str]


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
