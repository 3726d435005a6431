"""One turn of a laser scanner above a valley; colours are heights."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
place = 14_000, 16_000, 950
scanner = lanecast.Lidar(np.linspace(-30, 5, 128), steps=3600, poses=place)
hits = scene.closest_hit(scanner, t_max=12_000, points=True)
points = hits[hits.is_hit].point

figure, axes = plt.subplots(figsize=(7, 7), layout="constrained")
axes.scatter(points[:, 0], points[:, 1], c=points[:, 2], s=0.15, linewidths=0)
axes.set(aspect="equal", title=f"{len(points):,} returns")
axes.set(xlabel="east [m]", ylabel="north [m]")
figure.savefig(sys.argv[1], dpi=120)
