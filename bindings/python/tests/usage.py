"""Uses of the package that type checkers must accept, with the types of answers: see test_types.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator, Tuple

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import lanecast
from lanecast import AllHits, Cost, Hits, Scene


def scenes(path: Path, mesh: Any) -> Iterator[Scene]:
    yield Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    yield Scene(
        np.eye(3),
        np.array([[0, 1, 2]], dtype="uint32"),
        precision="f64",
        quality="high",
        weld=1e-5,
        threads=2,
    )
    ball = Scene.build(
        lanecast.Spheres([[0, 0, 0]], 1.0, name="ball"), lanecast.Boxes(np.zeros((2, 3)), np.ones((2, 3)))
    )
    yield Scene.build(
        lanecast.Instance(ball, np.eye(4), mask=3), precision="f32", backend=lanecast.backends()[0]
    )
    yield Scene.from_mesh(path)
    yield Scene.from_mesh(mesh, precision="auto")
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
    assert_type(scene.any_hit([[0, 0, 0, 1, 0, 0]], out=np.zeros(1, bool)), npt.NDArray[np.bool_])
    assert_type(scene.count_hits(rays, contact="touch", coherence="incoherent"), npt.NDArray[np.uint32])
    every = scene.all_hits(rays, progress=lambda done, total: print(done / total))
    assert_type(every, AllHits)
    assert_type(every.ray_id, npt.NDArray[np.int64])
    assert_type(scene.nearest_hits(rays, 3, brute_force=True), AllHits)
    assert_type(scene.cost(rays), Cost)
    columns: dict[str, npt.NDArray[Any]] = dict(hits.items())
    len(columns), len(hits)


def makers(scene: Scene) -> None:
    camera = lanecast.Pinhole(eye=(0, 0, 1), target=np.zeros(3), size=(640, 480))
    lidar = lanecast.Lidar(np.linspace(-15, 15, 16), steps=1800, poses=[[0, 0, 0, 1], [1, 1, 0, 1]])
    sun = lanecast.Sun("2026-06-21T12:00", latitude=51.5, longitude=0)
    for maker in (camera, lidar, lanecast.Footprint(lidar, 3, 19), lanecast.Sunlight(np.zeros((4, 3)), sun)):
        scene.closest_hit(maker)
        assert_type(maker.shape, Tuple[int, ...])
        maker.rays("float64")
    assert_type(lidar.pulses().beam, npt.NDArray[np.uint32])
    assert_type(sun.direction, npt.NDArray[np.float64])
