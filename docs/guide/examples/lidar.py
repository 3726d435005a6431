"""One turn of a laser scanner with 128 beams, above a valley; colours are heights."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
scanner = lanecast.Lidar(beams=np.linspace(-30, 5, 128), steps=3600, poses=(14_000, 16_000, 950))
hits = scene.closest_hit(scanner, t_max=12_000, points=True)
points = hits[hits.is_hit].point

figure, axes = plt.subplots(figsize=(7, 7), layout="constrained")
axes.scatter(points[:, 0], points[:, 1], c=points[:, 2], s=0.15, linewidths=0)
axes.set(aspect="equal", xlabel="east [m]", ylabel="north [m]", title=f"{len(points):,} returns")
figure.savefig(sys.argv[1], dpi=120)
