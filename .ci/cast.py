"""Casts rays with the lanecast that is installed, which must be of the version that is the argument."""

import platform
import sys
import tempfile
from pathlib import Path

import numpy as np

import lanecast

assert lanecast.__version__ == sys.argv[1], lanecast.__version__
scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
hits = scene.closest_hit(np.array([[0.25, 0.25, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1]], "float32"))
assert hits.t.tolist() == [1, np.inf] and hits.primitive_id.tolist() == [0, 2**32 - 1], hits

# A ball, seen from within: none of a million rays at its vertices is lost.
turns, rings = np.linspace(0, 2 * np.pi, 65)[:-1], np.linspace(0, np.pi, 33)
height, radius = np.broadcast_to(np.cos(rings)[:, None], (33, 64)), np.sin(rings)
points = np.stack([np.outer(radius, np.cos(turns)), np.outer(radius, np.sin(turns)), height], axis=-1).reshape(-1, 3)
corner = np.arange(32 * 64).reshape(32, 64)
right = np.roll(corner, -1, axis=1)
quads = np.stack([corner, corner + 64, right + 64, right], axis=-1).reshape(-1, 4)
ball = lanecast.Scene(points, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]), weld=1e-6)
aims = points[np.random.default_rng(1).integers(0, len(points), 1_000_000)]
rays = np.concatenate([np.broadcast_to([0.1, 0.2, -0.1], aims.shape), aims - [0.1, 0.2, -0.1]], axis=1)
found = ball.closest_hit(rays.astype("float32"))
assert found.is_hit.all() and (np.abs(found.t - 1) < 1e-3).all(), (~found.is_hit).sum()

with tempfile.TemporaryDirectory() as folder:
    scan = Path(folder) / "scan.laz"
    returns = ball.lidar_returns(lanecast.Lidar(np.linspace(-40, 40, 16), steps=360))
    returns.save(scan)
    assert len(returns.point) == 16 * 360 and scan.stat().st_size > 1000
print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}: lanecast {lanecast.__version__} casts")
