"""Hours of sun on a terrain on the shortest day of the year, counted every quarter of an hour."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
(west, south, _), (east, north, top) = scene.bounds
edges = [(east - west, 0, 0), (0, south - north, 0)]
down = lanecast.Grid((west, north, top + 1), edges, size=(700, 735), direction=(0, 0, -1))
points = down.rays(scene.precision)[..., :3] - (scene.closest_hit(down).t - 0.5)[..., None] * [0, 0, 1]

day = np.arange("2026-12-21T11:00", "2026-12-22T00:00", 15, dtype="datetime64[m]")
sun = lanecast.Sun(day, latitude=36.3, longitude=-84.2)
towards_sun = sun.direction[sun.altitude > 0]
hours = (~scene.any_hit(lanecast.Sunlight(points, towards_sun))).sum(axis=0) / 4

figure, axes = plt.subplots(figsize=(7.6, 7), layout="constrained")
picture = axes.imshow(hours, cmap="inferno", extent=(west, east, south, north))
figure.colorbar(picture, label="sun [h]")
figure.savefig(sys.argv[1], dpi=120)
