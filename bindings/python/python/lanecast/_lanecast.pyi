from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._answers import (
    ClosestPoints,
    GeometryInfo,
    Hit,
    InstanceInfo,
    LineHits,
    NearPoints,
    OpenEdge,
    Pick,
    PrimitiveIds,
    Statistics,
    Surface,
    Triangles,
    Welded,
)
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

# Points, sight, regions, picks, content and changes.

_Array = npt.NDArray[Any]
_Out = Optional[Union[Dict[str, _Array], Any]]
_Progress = Optional[Union[Callable[[int, int], Any], Any]]
_Invalid = Literal["raise", "miss"]
_Culling = Literal["none", "front", "back"]
_Quality = Literal["balanced", "high"]
_Ids = Union[Tuple[npt.ArrayLike, npt.ArrayLike], Any]
_Geometry = Union[Mesh, Quads, Boxes, OrientedBoxes, Spheres, RoundCones, HeightField]
_Region = Union[Box, Ball, Frustum]

class Scene:
    # Points.
    def closest_point(
        self,
        points: npt.ArrayLike,
        *,
        radius: Optional[npt.ArrayLike] = None,
        normals: bool = False,
        invalid: _Invalid = "raise",
        out: _Out = None,
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> ClosestPoints: ...
    def nearest_points(
        self,
        points: npt.ArrayLike,
        count: int,
        *,
        radius: Optional[npt.ArrayLike] = None,
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> NearPoints: ...
    def points_within(
        self,
        points: npt.ArrayLike,
        radius: npt.ArrayLike,
        *,
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> NearPoints: ...
    def distance(
        self,
        points: npt.ArrayLike,
        *,
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> _Array: ...
    def signed_distance(
        self,
        points: npt.ArrayLike,
        *,
        generalised_winding: Union[None, bool, float] = None,
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> _Array: ...
    def contains(
        self,
        points: npt.ArrayLike,
        *,
        generalised_winding: Union[None, bool, float] = None,
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> npt.NDArray[np.bool_]: ...
    def winding_number(
        self,
        points: npt.ArrayLike,
        *,
        accuracy: float = 2.0,
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> npt.NDArray[np.float32]: ...
    def occupancy(
        self,
        origin: Sequence[float],
        spacing: Union[float, Sequence[float]],
        counts: Sequence[int],
        *,
        packed: bool = False,
        generalised_winding: Union[None, bool, float] = None,
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> _Array: ...

    # Sight.
    def sight(
        self,
        observers: npt.ArrayLike,
        targets: npt.ArrayLike,
        *,
        shorten: float = 0.0,
        observers_on: Optional[_Ids] = None,
        targets_on: Optional[_Ids] = None,
        mask: int = 0xFFFFFFFF,
        culling: _Culling = "none",
        packed: bool = False,
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> _Array: ...
    def first_obstacle(
        self,
        observers: npt.ArrayLike,
        targets: npt.ArrayLike,
        observer: int,
        target: int,
        *,
        shorten: float = 0.0,
        observers_on: Optional[_Ids] = None,
        targets_on: Optional[_Ids] = None,
        mask: int = 0xFFFFFFFF,
        culling: _Culling = "none",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> Optional[Hit]: ...

    # Regions.
    def overlap(
        self,
        region: _Region,
        *,
        mask: int = 0xFFFFFFFF,
        brute_force: bool = False,
        backend: Optional[str] = None,
    ) -> PrimitiveIds: ...
    def overlaps_any(
        self,
        region: _Region,
        *,
        mask: int = 0xFFFFFFFF,
        brute_force: bool = False,
        backend: Optional[str] = None,
    ) -> bool: ...

    # Picks, surfaces and lines.
    def pick(
        self,
        ray: npt.ArrayLike,
        direction: Optional[npt.ArrayLike] = None,
        limit: Literal["all", "one_per_geometry", "nearest"] = "all",
        *,
        t_min: float = 0.0,
        t_max: Optional[float] = None,
        culling: _Culling = "none",
        mask: int = 0xFFFFFFFF,
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
    ) -> List[Pick]: ...
    def surface(
        self,
        rays: npt.ArrayLike,
        hits: Any,
        directions: Optional[npt.ArrayLike] = None,
        *,
        vertex_normals: Optional[Dict[int, Tuple[npt.ArrayLike, npt.ArrayLike]]] = None,
        threads: Optional[int] = None,
        progress: _Progress = None,
    ) -> Surface: ...
    def line_hits(
        self,
        lines: npt.ArrayLike,
        directions: Optional[npt.ArrayLike] = None,
        *,
        t_min: Optional[npt.ArrayLike] = None,
        t_max: Optional[npt.ArrayLike] = None,
        culling: _Culling = "none",
        mask: npt.ArrayLike = 0xFFFFFFFF,
        skip: Optional[Any] = None,
        normals: bool = False,
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        invalid: _Invalid = "raise",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: _Progress = None,
    ) -> LineHits: ...

    # Content.
    def triangle(self, geometry_id: int, primitive_id: int) -> _Array: ...
    def triangles(self) -> Triangles: ...
    @property
    def geometry_names(self) -> Dict[int, str]: ...
    def geometry(self, geometry_id: int) -> GeometryInfo: ...
    @property
    def instances(self) -> List[int]: ...
    def instance(self, instance: int) -> InstanceInfo: ...
    def instance_path(self, instance_id: int) -> Tuple[int, ...]: ...
    def open_edge(self) -> Optional[OpenEdge]: ...
    def closing_tolerance(self) -> Optional[float]: ...
    @property
    def welded(self) -> Optional[Welded]: ...
    def statistics(self, *, others: bool = False) -> Statistics: ...

    # Changes.
    def copy(self) -> Scene: ...
    def refit(self, meshes: Dict[int, npt.ArrayLike], *, threads: Optional[int] = None) -> None: ...
    def rebuild(self, *, quality: _Quality = "balanced", threads: Optional[int] = None) -> None: ...
    def add(
        self, *geometries: _Geometry, quality: _Quality = "balanced", threads: Optional[int] = None
    ) -> List[int]: ...
    def remove(
        self, *geometry_ids: int, quality: _Quality = "balanced", threads: Optional[int] = None
    ) -> None: ...
    def replace(
        self,
        geometries: Dict[int, _Geometry],
        *,
        quality: _Quality = "balanced",
        threads: Optional[int] = None,
    ) -> None: ...
    def add_instances(self, *instances: Instance) -> List[int]: ...
    def remove_instances(self, *numbers: int) -> None: ...
    def set_transforms(
        self, transforms: npt.ArrayLike, instances: Optional[npt.ArrayLike] = None
    ) -> None: ...
    def set_scenes(self, scenes: Dict[int, Scene]) -> None: ...
    def set_mask(self, geometry_id: int, mask: int) -> None: ...
    def set_name(self, geometry_id: int, name: str) -> None: ...
    def set_user_data(self, geometry_id: int, user_data: int) -> None: ...
    def set_instance_mask(self, instance: int, mask: int) -> None: ...
    def set_instance_name(self, instance: int, name: str) -> None: ...
    def set_instance_user_data(self, instance: int, user_data: int) -> None: ...

def _frustum_through(eye: Sequence[float], directions: Sequence[Sequence[float]]) -> _Array: ...
