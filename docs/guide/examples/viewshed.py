"""What a watchman sees from the highest summit of a terrain: orange is in sight."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
(west, south, _), (east, north, top) = scene.bounds
edges = [(east - west, 0, 0), (0, south - north, 0)]
down = lanecast.Grid((west, north, top + 1), edges, size=(900, 945), direction=(0, 0, -1))
ground = scene.closest_hit(down, normals=True)

targets = down.rays("float64")[..., :3] - ground.t[..., None] * [0, 0, 1] + [0, 0, 1.5]
watchman = targets.reshape(-1, 3)[ground.t.argmin()] + [0, 0, 10]
blocked = scene.any_hit(np.broadcast_to(watchman, targets.shape), targets - watchman, t_max=1)

normal = ground.normal / np.linalg.norm(ground.normal, axis=-1, keepdims=True)
shade = np.clip(normal @ [-0.5, 0.5, 0.7], 0, 1)[..., None]
plt.imsave(sys.argv[1], shade * np.where(blocked[..., None], 0.8, [1, 0.6, 0.2]))
