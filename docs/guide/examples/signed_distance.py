"""Signed distances to a solid in a slice: blue inside, red outside."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/gyroid.ply")
low, high = scene.bounds
low, high = low - 4, high + 4
x, y, z = np.linspace(low, high, 700).T
x, z = np.meshgrid(x, z)
points = np.stack([x, np.full_like(x, y.mean()), z], axis=-1)
distance = scene.signed_distance(points)

figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
reach = abs(distance).max() / 2
colors = dict(cmap="RdBu_r", vmin=-reach, vmax=reach)
picture = axes.pcolormesh(x, z, distance, **colors)
axes.contour(x, z, distance, levels=[0], colors="black", linewidths=1)
axes.set(aspect="equal", xlabel="x [mm]", ylabel="z [mm]")
figure.colorbar(picture, label="distance [mm]")
figure.savefig(sys.argv[1], dpi=120)
