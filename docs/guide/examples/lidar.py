"""One turn of a laser scanner above a valley, coloured by intensity."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

scene = lanecast.Scene.from_mesh("data/jacksboro.ply")
place = 14_000, 16_000, 950
scanner = lanecast.Lidar(np.linspace(-30, 5, 128), steps=3600, poses=place)
receiver = lanecast.Receiver(reference_range=5000)
returns = scene.lidar_returns(scanner, receiver, t_max=12_000)

figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
x, y, _ = returns.point.T
colors = np.log10(returns.intensity)
dots = axes.scatter(x, y, c=colors, s=0.2, linewidths=0, cmap="magma", vmin=-2)
axes.set(aspect="equal", title=f"{len(x):,} returns", facecolor="0.8")
axes.set(xlabel="east [m]", ylabel="north [m]")
figure.colorbar(dots, label="intensity, by powers of ten")
figure.savefig(sys.argv[1], dpi=120)
