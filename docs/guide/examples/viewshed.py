"""What is in sight of the highest summit of a terrain: orange."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
(west, south, _), (east, north, top) = scene.bounds
edges = [(east - west, 0, 0), (0, south - north, 0)]
corner, way = (west, north, top + 1), (0, 0, -1)
down = lanecast.Grid(corner, edges, size=(900, 945), direction=way)
ground = scene.closest_hit(down, points=True, normals=True)

targets = ground.point + [0, 0, 1.5]
watchman = targets.reshape(-1, 3)[ground.t.argmin()] + [0, 0, 10]
blocked = ~scene.sight([watchman], targets.reshape(-1, 3)).reshape(945, 900)

normal = ground.normal
normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
shade = np.clip(normal @ [-0.5, 0.5, 0.7], 0, 1)[..., None]
color = np.where(blocked[..., None], 0.8, [1, 0.6, 0.2])
plt.imsave(sys.argv[1], shade * color)
