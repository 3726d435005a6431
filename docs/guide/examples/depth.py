"""A depth picture of a solid."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/gyroid.ply")
low, high = scene.bounds
middle = (low + high) / 2
eye = middle + np.linalg.norm(high - low) * np.array([0.9, -1.1, 0.7])
camera = lanecast.Pinhole(eye, target=middle, fov=28, size=(900, 800))
hits = scene.closest_hit(camera)

figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
picture = axes.imshow(np.where(hits.is_hit, hits.t, np.nan), cmap="viridis_r")
figure.colorbar(picture, label="depth [mm]")
axes.axis("off")
figure.savefig(sys.argv[1], dpi=120)
