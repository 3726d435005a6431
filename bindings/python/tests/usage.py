"""Uses of the package that type checkers must accept, with the types of answers: see test_types.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator, Optional, Tuple

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import lanecast
import lanecast.open3d
import lanecast.pyvista
import lanecast.trimesh
from lanecast import AllHits, ClosestPoints, Cost, Hits, InstanceInfo, NearPoints, Pick, Scene


AXES = ("ox", "oy", "oz", "dx", "dy", "dz")


class Bar:
    """A bar of progress."""

    n: float = 0
    total: float | None = None

    def update(self, n: float | None = 1) -> bool | None:
        return None


class OfOpen3D:
    """A mesh."""

    vertices: Any = ()
    triangles: Any = ()


def scenes(path: Path, mesh: Any) -> Iterator[Scene]:
    yield Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    yield Scene(
        np.eye(3),
        np.array([[0, 1, 2]], dtype="uint32"),
        precision="f64",
        quality="high",
        weld=1e-5,
        threads=2,
        progress=Bar(),
    )
    ball = Scene.build(
        lanecast.Spheres([[0, 0, 0]], 1.0, name="ball"), lanecast.Boxes(np.zeros((2, 3)), np.ones((2, 3)))
    )
    yield Scene.build(
        lanecast.Instance(ball, np.eye(4), mask=3), precision="f32", backend=lanecast.backends()[0]
    )
    yield Scene.from_mesh(path, progress=lambda done, total: print(done / total))
    yield Scene.from_mesh(mesh, precision="auto")
    yield Scene.from_mesh(OfOpen3D())
    yield Scene.open("a.scene")
    ball.save(path)
    assert_type(ball.bounds, npt.NDArray[np.float64])
    assert_type(ball.path, "Path | None")
    assert_type(ball.geometry_name(0), str)


def queries(scene: Scene, rays: npt.NDArray[np.float32], double: npt.NDArray[np.float64]) -> None:
    hits = scene.closest_hit(
        rays, normals=True, t_max=5.0, culling="back", invalid="miss", threads=1, backend="avx2"
    )
    assert_type(hits, Hits)
    assert_type(hits.primitive_id, npt.NDArray[np.uint32])
    assert_type(hits.is_hit, npt.NDArray[np.bool_])
    scene.closest_hit(rays, skip=hits, out=hits, mask=np.ones(5, dtype="uint32"))
    scene.farthest_hit(double[:, :3], double[:, 3:], skip=(hits.geometry_id, hits.primitive_id))
    scene.closest_hit((rays[:, :3], double[:, 3:]), out={"t": np.zeros(5, "float32")})
    scene.closest_hit(rays[:, :3].astype("int32"), [0, 0, -1])
    assert_type(scene.any_hit([[0, 0, 0, 1, 0, 0]], out=np.zeros(1, bool)), npt.NDArray[np.bool_])
    assert_type(scene.signed_count(rays, t_max=2.0), npt.NDArray[np.int32])
    assert_type(scene.count_hits(rays, contact="touch", coherence="incoherent"), npt.NDArray[np.uint32])
    every = scene.all_hits(rays, progress=lambda done, total: print(done / total))
    assert_type(every, AllHits)
    assert_type(every.ray_id, npt.NDArray[np.int64])
    assert_type(scene.nearest_hits(rays, 3, brute_force=True), AllHits)
    assert_type(scene.cost(rays), Cost)
    columns: dict[str, npt.NDArray[Any]] = dict(hits.items())
    len(columns), len(hits)
    assert_type(hits[hits.is_hit], Hits)
    assert_type(every[1:, ..., 0], AllHits)
    assert_type([hit for hit in hits], list[Hits])
    assert_type(scene.line_hits(rays)[0], lanecast.LineHits)
    hits.to_arrow(), every.to_pandas(), hits.to_polars()
    scene.nearest_hits(rays, 2, points=True), scene.line_hits(rays, points=True)
    scene.closest_hit(rays, points=True, t_max=[1, 2], skip=(0, rays.astype(int)))
    seen, status = np.zeros(5, bool), np.zeros(5, "uint8")
    single: dict[str, npt.NDArray[np.float32]] = {name: rays[:, place] for place, name in enumerate(AXES)}
    scene.any_hit(single, out=seen, status=status, progress=Bar())
    scene.count_hits({**single, "ox": 0.5}, status=status)
    assert_type(scene.surface(single, hits).normal, npt.NDArray[Any])
    ahead = scene.line_hits(single, skip=every, t_max=double[:, 0], mask=rays.astype("uint32")).ahead
    assert_type(ahead.u, npt.NDArray[Any])
    assert_type(scene.pick(rays[0], limit="nearest"), list[Pick])


def points(scene: Scene, points: npt.NDArray[np.float64]) -> None:
    closest = scene.closest_point(points, radius=[1, 2], normals=True, progress=Bar())
    assert_type(closest, ClosestPoints)
    assert_type(closest.primitive_id, npt.NDArray[np.uint32])
    assert_type(closest.is_hit, npt.NDArray[np.bool_])
    scene.closest_point(points, out=closest)
    scene.sight(points, points, observers_on=closest, targets_on=(closest.geometry_id, closest.primitive_id))
    scene.occupancy(np.zeros(3), 1, scene.bounds[1].astype(int))
    near = scene.points_within(points, 2)
    assert_type(near, NearPoints)
    assert_type(near.point_id, npt.NDArray[np.int64])
    scene.overlap(lanecast.Box([0, 0, 0], scene.bounds[1]), mask=1)
    scene.overlaps_any(lanecast.Frustum.through((0, 0, 0), points))


def changes(
    scene: Scene, vertices: dict[int, npt.NDArray[np.float32]], balls: list[lanecast.Spheres]
) -> None:
    scene.refit(vertices, threads=2, progress=Bar())
    scene.replace(dict(enumerate(balls)), quality="high", progress=None)
    scene.set_scenes({0: scene.copy()})
    assert_type(scene.instance(0), InstanceInfo)
    assert_type(scene.instance(0).scene, Scene)
    Scene.build(*balls, precision=scene.precision)


def peers(mesh: Any, rays: npt.NDArray[np.float32]) -> None:
    intersector = lanecast.trimesh.RayMeshIntersector(mesh, precision="float64", threads=1)
    assert_type(intersector.intersects_any(rays[:, :3], rays[:, 3:]), npt.NDArray[np.bool_])
    assert_type(intersector.scene, Scene)
    nearest = lanecast.trimesh.ProximityQuery(mesh)
    assert_type(nearest.signed_distance(rays[:, :3]), npt.NDArray[np.float64])
    assert_type(lanecast.pyvista.multi_ray_trace(mesh, rays[:, :3], rays[:, 3:])[2], npt.NDArray[np.int64])
    scene = lanecast.open3d.RaycastingScene(nthreads=2)
    assert_type(scene.add_triangles(mesh), int)
    assert_type(scene.scene, Scene)
    scene.cast_rays(rays)


def batches(scene: Scene, batch: Any, path: Path) -> None:
    lanecast.cast_arrow(scene, batch, "nearest", ["ray_id", "t"], keep=(), limit=3).to_pandas()
    for answers in lanecast.cast_stream(scene, batch, first_row=5, culling="back"):
        answers.to_pydict()
    written = lanecast.cast_parquet(path, [path, "b.parquet"], path, "any", progress=Bar())
    assert_type(written.files, "list[Path]")
    lanecast.points_arrow(scene, batch, "within", ["point"], radius=2.0).to_pandas()
    for answers in lanecast.points_stream(scene, batch, "contains", keep=["tree"], generalised_winding=True):
        answers.to_pydict()
    assert_type(lanecast.points_parquet(path, path, path, "signed", threads=1).rows, int)


def makers(scene: Scene) -> None:
    camera = lanecast.Pinhole(eye=(0, 0, 1), target=np.zeros(3), size=(640, 480))
    lidar = lanecast.Lidar(np.linspace(-15, 15, 16), steps=1800, poses=[[0, 0, 0, 1], [1, 1, 0, 1]])
    sun = lanecast.Sun("2026-06-21T12:00", latitude=51.5, longitude=0)
    for maker in (camera, lidar, lanecast.Footprint(lidar, 3, 19), lanecast.Sunlight(np.zeros((4, 3)), sun)):
        scene.closest_hit(maker)
        assert_type(maker.shape, Tuple[int, ...])
        maker.rays("float64")
    assert_type(lidar.pulses().beam, npt.NDArray[np.uint32])
    scene.any_hit(lanecast.Lidar(pattern=np.zeros((9, 4)), turns=2))
    scene.any_hit(lanecast.Lidar([0], 600, swath=(-30, 30, 0.5), seconds=0.01))
    scene.any_hit(lanecast.Lidar([0], 600, prisms=[[10, 97.3], [10, -61.7]]))
    receiver = lanecast.Receiver(range_noise=(0.02, 0.001), reference_range=80, keep="all", seed=1)
    returns = scene.lidar_returns(lanecast.Footprint(lidar, 3, 19), receiver, t_max=120.0, threads=1)
    assert_type(returns, lanecast.Returns)
    assert_type(returns.pulse, npt.NDArray[np.int64])
    assert_type(returns.incidence, npt.NDArray[np.float32])
    assert_type(returns.azimuth, Optional[npt.NDArray[np.float64]])
    returns.save("scan.laz")
    returns.save(Path("scan.pcd"))
    for reflectance in (0.5, [0.5, 0.25], {"wall": 0.5, 1: 0.25}):
        lanecast.Receiver(reflectance=reflectance)
    assert_type(sun.direction, npt.NDArray[np.float64])
