# The types of the compiled part; help() has what it does.

from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, Final, List, Literal, Optional, Sequence, Tuple, Union, final

import numpy as np
import numpy.typing as npt

from ._answers import AllHits, Cost, Hits
from ._makers import Maker as RayMaker
from ._types import HasFaces, Item, PerRay, Progress, Rays, Skip, Vector

__all__ = ["INVALID_ID", "Maker", "Scene", "VERSION", "backends", "sun_positions"]

INVALID_ID: Final = 4294967295
VERSION: Final[str]

def backends() -> List[str]: ...
def sun_positions(
    times: Sequence[Tuple[int, int, int, int, int, float]], latitude: float, longitude: float
) -> List[Tuple[float, float, List[float]]]: ...

@final
class Scene:
    def __new__(
        cls,
        vertices: npt.ArrayLike,
        triangles: npt.ArrayLike,
        *,
        precision: Literal["auto", "f32", "f64", "float32", "float64"] = "auto",
        quality: Literal["balanced", "high"] = "balanced",
        weld: Optional[float] = None,
        backend: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> Scene: ...
    @staticmethod
    def build(
        *items: Item,
        precision: Literal["auto", "f32", "f64", "float32", "float64"] = "auto",
        quality: Literal["balanced", "high"] = "balanced",
        weld: Optional[float] = None,
        backend: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> Scene: ...
    @staticmethod
    def from_mesh(
        mesh: Union[str, PathLike[str], HasFaces],
        *,
        precision: Literal["auto", "f32", "f64", "float32", "float64"] = "auto",
        quality: Literal["balanced", "high"] = "balanced",
        weld: Optional[float] = None,
        backend: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> Scene: ...
    @staticmethod
    def open(path: Union[str, PathLike[str]]) -> Scene: ...
    def save(self, path: Union[str, PathLike[str]]) -> None: ...
    @property
    def precision(self) -> str: ...
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
    @staticmethod
    def _from_bytes(bytes: bytes) -> Scene: ...
    def closest_hit(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        normals: bool = False,
        out: Optional[Union[Hits, Dict[str, npt.NDArray[Any]]]] = None,
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> Hits: ...
    def farthest_hit(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        normals: bool = False,
        out: Optional[Union[Hits, Dict[str, npt.NDArray[Any]]]] = None,
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> Hits: ...
    def any_hit(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        out: Optional[npt.NDArray[np.bool_]] = None,
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> npt.NDArray[np.bool_]: ...
    def count_hits(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Literal["crossing", "touch"] = "crossing",
        out: Optional[npt.NDArray[np.uint32]] = None,
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> npt.NDArray[np.uint32]: ...
    def all_hits(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Literal["crossing", "touch"] = "crossing",
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> AllHits: ...
    def nearest_hits(
        self,
        rays: Rays,
        limit: int,
        directions: Optional[npt.ArrayLike] = None,
        *,
        contact: Literal["crossing", "touch"] = "crossing",
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> AllHits: ...
    def cost(
        self,
        rays: Rays,
        directions: Optional[npt.ArrayLike] = None,
        *,
        t_min: Optional[PerRay] = None,
        t_max: Optional[PerRay] = None,
        culling: Literal["none", "front", "back"] = "none",
        mask: Optional[Union[int, npt.ArrayLike]] = None,
        skip: Optional[Skip] = None,
        invalid: Literal["raise", "miss"] = "raise",
        coherence: Literal["detect", "coherent", "incoherent"] = "detect",
        brute_force: bool = False,
        threads: Optional[int] = None,
        backend: Optional[str] = None,
        progress: Optional[Progress] = None,
    ) -> Cost: ...

@final
class Maker:
    @staticmethod
    def pinhole(
        eye: Vector, target: Vector, up: Vector, fov: float, size: Sequence[int], unit: bool
    ) -> Maker: ...
    @staticmethod
    def pinhole_of_matrices(
        intrinsic: Sequence[Vector], extrinsic: Sequence[Vector], size: Sequence[int], unit: bool
    ) -> Maker: ...
    @staticmethod
    def panorama(eye: Vector, forward: Vector, up: Vector, size: Sequence[int]) -> Maker: ...
    @staticmethod
    def orthographic(
        eye: Vector, target: Vector, up: Vector, height: float, size: Sequence[int]
    ) -> Maker: ...
    @staticmethod
    def grid(corner: Vector, edges: Sequence[Vector], size: Sequence[int], direction: Vector) -> Maker: ...
    @staticmethod
    def lidar(
        beams: npt.ArrayLike,
        steps: int,
        poses: npt.ArrayLike,
        sector: Vector,
        start: Optional[float],
        seconds: float,
        turns: int,
        velocity: Vector,
        yaw_rate: float,
    ) -> Maker: ...
    @staticmethod
    def footprint(beams: RayMaker, divergence: float, rays: int) -> Maker: ...
    @staticmethod
    def hemisphere(
        points: npt.ArrayLike, normals: npt.ArrayLike, directions: int, spread: str, seed: int
    ) -> Maker: ...
    @staticmethod
    def sunlight(points: npt.ArrayLike, directions: npt.ArrayLike) -> Maker: ...
    @property
    def shape(self) -> List[int]: ...
    def rays(self, is_f64: bool) -> npt.NDArray[Any]: ...
    def pulses(self) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32], npt.NDArray[np.float64]]: ...
    def weights(self) -> List[float]: ...
