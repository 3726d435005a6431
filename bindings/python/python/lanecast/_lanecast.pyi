# The types of the compiled part; help() has what it does.

from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, Final, List, Literal, Mapping, Optional, Sequence, Tuple, Union, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from ._answers import (
    AllHits,
    ClosestPoints,
    Cost,
    Floats,
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
from ._arrays import Rows, Vector
from ._geometry import Instance
from ._lidar import Receiver as LidarReceiver
from ._light import Sun
from ._makers import Maker as RayMaker
from ._types import (
    BuildOptions,
    CallOptions,
    Contact,
    Counts,
    Geometry,
    HasHits,
    HitOptions,
    Item,
    LineOptions,
    MeshLike,
    PerRay,
    PointOptions,
    Progress,
    Quality,
    RayOptions,
    Rays,
    Region,
    RegionOptions,
)

__all__ = [
    "INVALID_ID",
    "Maker",
    "Receiver",
    "Scene",
    "VERSION",
    "_frustum_through",
    "_horizon",
    "_meant_ray_column",
    "_sky_view",
    "_sun_hours",
    "_viewshed",
    "_write_returns",
    "backends",
    "sun_positions",
]

INVALID_ID: Final = 4294967295
VERSION: Final[str]

def backends() -> List[str]: ...
def _meant_ray_column(name: str) -> Optional[str]: ...
def _write_returns(path: Union[str, PathLike[str]], columns: Dict[str, npt.NDArray[Any]]) -> None: ...
def sun_positions(
    times: Sequence[Tuple[int, int, int, int, int, float]], described: Sun
) -> List[Tuple[float, float, List[float]]]: ...

@final
class Scene:
    def __new__(
        cls, vertices: npt.ArrayLike, triangles: npt.ArrayLike, **options: Unpack[BuildOptions]
    ) -> Scene: ...
    @staticmethod
    def build(*items: Item, **options: Unpack[BuildOptions]) -> Scene: ...
    @staticmethod
    def from_mesh(mesh: Union[str, PathLike[str], MeshLike], **options: Unpack[BuildOptions]) -> Scene: ...
    @staticmethod
    def open(path: Union[str, PathLike[str]]) -> Scene: ...
    def save(self, path: Union[str, PathLike[str]]) -> None: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Scene: ...
    def to_bytes(self) -> bytes: ...
    @property
    def precision(self) -> Literal["float32", "float64"]: ...
    @property
    def triangle_count(self) -> int: ...
    @property
    def primitive_count(self) -> int: ...
    @property
    def geometry_count(self) -> int: ...
    @property
    def instance_count(self) -> int: ...
    @property
    def backend(self) -> str: ...
    @property
    def path(self) -> Optional[Path]: ...
    @property
    def bounds(self) -> npt.NDArray[np.float64]: ...
    def geometry_name(self, geometry_id: int) -> str: ...
    def geometry_user_data(self, geometry_id: int) -> int: ...
    def check(self) -> None: ...
    def __reduce__(self) -> Tuple[Callable[..., Scene], Tuple[Any, ...]]: ...
    def __copy__(self) -> Scene: ...
    def __deepcopy__(self, _memo: Any) -> Scene: ...
    @staticmethod
    def _reopen(path: Union[str, PathLike[str]], header: bytes) -> Scene: ...
    def closest_hit(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        normals: bool = False,
        points: bool = False,
        out: Optional[Union[Hits, Dict[str, npt.NDArray[Any]]]] = None,
        **options: Unpack[RayOptions],
    ) -> Hits: ...
    def farthest_hit(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        normals: bool = False,
        points: bool = False,
        out: Optional[Union[Hits, Dict[str, npt.NDArray[Any]]]] = None,
        **options: Unpack[RayOptions],
    ) -> Hits: ...
    def any_hit(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        out: Optional[npt.NDArray[np.bool_]] = None,
        status: Optional[npt.NDArray[np.uint8]] = None,
        **options: Unpack[RayOptions],
    ) -> npt.NDArray[np.bool_]: ...
    def count_hits(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Contact = "crossing",
        out: Optional[npt.NDArray[np.uint32]] = None,
        status: Optional[npt.NDArray[np.uint8]] = None,
        **options: Unpack[RayOptions],
    ) -> npt.NDArray[np.uint32]: ...
    def signed_count(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Contact = "crossing",
        out: Optional[npt.NDArray[np.int32]] = None,
        status: Optional[npt.NDArray[np.uint8]] = None,
        **options: Unpack[RayOptions],
    ) -> npt.NDArray[np.int32]: ...
    def all_hits(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Contact = "crossing",
        points: bool = False,
        **options: Unpack[RayOptions],
    ) -> AllHits: ...
    def nearest_hits(
        self,
        rays: Rays,
        limit: int,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Contact = "crossing",
        points: bool = False,
        **options: Unpack[RayOptions],
    ) -> AllHits: ...
    def cost(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        status: Optional[npt.NDArray[np.uint8]] = None,
        **options: Unpack[RayOptions],
    ) -> Cost: ...
    def lidar_returns(
        self, rays: Rays, receiver: Optional[LidarReceiver] = None, **options: Unpack[RayOptions]
    ) -> Returns: ...

    # Points.
    def closest_point(
        self,
        points: npt.ArrayLike,
        *,
        radius: Optional[PerRay] = None,
        normals: bool = False,
        out: Optional[Union[ClosestPoints, Dict[str, npt.NDArray[Any]]]] = None,
        **options: Unpack[PointOptions],
    ) -> ClosestPoints: ...
    def nearest_points(
        self,
        points: npt.ArrayLike,
        count: int,
        *,
        radius: Optional[PerRay] = None,
        **options: Unpack[PointOptions],
    ) -> NearPoints: ...
    def points_within(
        self, points: npt.ArrayLike, radius: PerRay, **options: Unpack[PointOptions]
    ) -> NearPoints: ...
    def distance(self, points: npt.ArrayLike, **options: Unpack[PointOptions]) -> Floats: ...
    def signed_distance(
        self,
        points: npt.ArrayLike,
        *,
        generalised_winding: Union[None, bool, float] = None,
        **options: Unpack[PointOptions],
    ) -> Floats: ...
    def contains(
        self,
        points: npt.ArrayLike,
        *,
        generalised_winding: Union[None, bool, float] = None,
        **options: Unpack[PointOptions],
    ) -> npt.NDArray[np.bool_]: ...
    def winding_number(
        self, points: npt.ArrayLike, *, accuracy: float = 2.0, **options: Unpack[PointOptions]
    ) -> npt.NDArray[np.float32]: ...
    def occupancy(
        self,
        origin: Vector,
        spacing: Union[float, Vector],
        counts: Counts,
        *,
        packed: bool = False,
        generalised_winding: Union[None, bool, float] = None,
        **options: Unpack[CallOptions],
    ) -> npt.NDArray[Any]: ...

    # Sight.
    def sight(
        self,
        observers: npt.ArrayLike,
        targets: npt.ArrayLike,
        *,
        packed: bool = False,
        **options: Unpack[LineOptions],
    ) -> npt.NDArray[Any]: ...
    def first_obstacle(
        self,
        observers: npt.ArrayLike,
        targets: npt.ArrayLike,
        observer: int,
        target: int,
        **options: Unpack[LineOptions],
    ) -> Optional[Hit]: ...

    # Regions.
    def overlap(self, region: Region, **options: Unpack[RegionOptions]) -> PrimitiveIds: ...
    def overlaps_any(self, region: Region, **options: Unpack[RegionOptions]) -> bool: ...

    # Picks, surfaces and lines.
    def pick(
        self,
        ray: npt.ArrayLike,
        direction: Optional[npt.ArrayLike] = None,
        limit: Literal["all", "one_per_geometry", "nearest"] = "all",
        **options: Unpack[HitOptions],
    ) -> List[Pick]: ...
    def surface(
        self,
        rays: Rays,
        hits: HasHits,
        directions: Optional[npt.ArrayLike] = None,
        *,
        vertex_normals: Optional[Mapping[int, Tuple[npt.ArrayLike, npt.ArrayLike]]] = None,
        threads: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> Surface: ...
    def line_hits(
        self,
        lines: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        normals: bool = False,
        points: bool = False,
        **options: Unpack[RayOptions],
    ) -> LineHits: ...

    # Content.
    def triangle(self, geometry_id: int, primitive_id: int) -> Floats: ...
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
    def refit(
        self,
        meshes: Mapping[int, npt.ArrayLike],
        *,
        threads: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> None: ...
    def rebuild(
        self,
        *,
        quality: Quality = "balanced",
        threads: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> None: ...
    def add(
        self,
        *geometries: Geometry,
        quality: Quality = "balanced",
        threads: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> List[int]: ...
    def remove(
        self,
        *geometry_ids: int,
        quality: Quality = "balanced",
        threads: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> None: ...
    def replace(
        self,
        geometries: Mapping[int, Geometry],
        *,
        quality: Quality = "balanced",
        threads: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> None: ...
    def add_instances(self, *instances: Instance) -> List[int]: ...
    def remove_instances(self, *numbers: int) -> None: ...
    def set_transforms(
        self, transforms: npt.ArrayLike, instances: Optional[npt.ArrayLike] = None
    ) -> None: ...
    def set_scenes(self, scenes: Mapping[int, Scene]) -> None: ...
    def set_mask(self, geometry_id: int, mask: int) -> None: ...
    def set_name(self, geometry_id: int, name: str) -> None: ...
    def set_user_data(self, geometry_id: int, user_data: int) -> None: ...
    def set_instance_mask(self, instance: int, mask: int) -> None: ...
    def set_instance_name(self, instance: int, name: str) -> None: ...
    def set_instance_user_data(self, instance: int, user_data: int) -> None: ...

def _frustum_through(eye: Vector, directions: Rows) -> npt.NDArray[np.float64]: ...

def _viewshed(
    heights: npt.NDArray[np.float64],
    transform: Sequence[float],
    observers: npt.NDArray[np.float64],
    observer_height: float,
    sight: Tuple[float, float],
    bits: bool,
    call: Dict[str, Any],
) -> Tuple[npt.NDArray[np.uint32], Optional[int]]: ...
def _horizon(
    heights: npt.NDArray[np.float64],
    transform: Sequence[float],
    azimuths: Sequence[float],
    view: Tuple[float, float, float],
    call: Dict[str, Any],
) -> npt.NDArray[np.float64]: ...
def _sky_view(
    heights: npt.NDArray[np.float64],
    transform: Sequence[float],
    azimuths: int,
    plane: str,
    view: Tuple[float, float, float],
    call: Dict[str, Any],
) -> npt.NDArray[np.float64]: ...
def _sun_hours(
    heights: npt.NDArray[np.float64],
    transform: Sequence[float],
    suns: Sequence[Tuple[float, float, float]],
    height: float,
    call: Dict[str, Any],
) -> npt.NDArray[np.float64]: ...
@final
class Maker:
    def __new__(cls, described: RayMaker) -> Maker: ...
    @property
    def shape(self) -> List[int]: ...
    def rays(self, is_f64: bool) -> npt.NDArray[Any]: ...
    def pulses(self) -> List[npt.NDArray[Any]]: ...
    def weights(self) -> List[float]: ...

@final
class Receiver:
    def __new__(cls, described: LidarReceiver) -> Receiver: ...
    @property
    def range_noise(self) -> Tuple[float, float]: ...
