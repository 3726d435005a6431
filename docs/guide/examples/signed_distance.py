"""Signed distances to a solid in a slice through its middle: blue inside, red outside."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/gyroid.ply")
low, high = scene.bounds
low, high = low - 4, high + 4
x, z = np.meshgrid(np.linspace(low[0], high[0], 700), np.linspace(low[2], high[2], 700))
points = np.stack([x, np.full_like(x, (low[1] + high[1]) / 2), z], axis=-1)
distance = scene.signed_distance(points)

figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
reach = abs(distance).max() / 2
picture = axes.imshow(
    distance, cmap="RdBu_r", vmin=-reach, vmax=reach, origin="lower", extent=(low[0], high[0], low[2], high[2])
)
axes.contour(x, z, distance, levels=[0], colors="black", linewidths=1)
axes.set(xlabel="x [mm]", ylabel="z [mm]")
figure.colorbar(picture, label="distance [mm]")
figure.savefig(sys.argv[1], dpi=120)
