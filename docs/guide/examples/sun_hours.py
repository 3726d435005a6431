"""Hours of sun on a terrain on the shortest day, by quarters of an hour."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
(west, south, _), (east, north, top) = scene.bounds
edges = [(east - west, 0, 0), (0, south - north, 0)]
corner, way = (west, north, top + 1), (0, 0, -1)
down = lanecast.Grid(corner, edges, size=(700, 735), direction=way)
points = scene.closest_hit(down, points=True).point + [0, 0, 0.5]

day = np.datetime64("2026-12-21T11:00") + 15 * np.arange(52)
sun = lanecast.Sun(day, latitude=36.3, longitude=-84.2)
rays = lanecast.Sunlight(points, sun.direction[sun.altitude > 0])
hours = (~scene.any_hit(rays)).sum(axis=0) / 4

figure, axes = plt.subplots(figsize=(7.6, 7), layout="constrained")
picture = axes.imshow(hours, cmap="inferno", extent=(west, east, south, north))
figure.colorbar(picture, label="sun [h]")
figure.savefig(sys.argv[1], dpi=120)
