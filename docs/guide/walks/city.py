"""How much sky a city's streets see, and how long the sun shines on them."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast.terrain

# --8<-- [start:read]
heights = np.loadtxt("data/made/city.asc", skiprows=5)
transform = (0, 2, 0, 500, 0, -2)  # as GDAL has it; xarray needs none
# --8<-- [end:read]

# --8<-- [start:sky]
sky = lanecast.terrain.sky_view(heights, transform, azimuths=36, height=1.5)
print(f"from {sky.min():.2f} to {sky.max():.2f} of the sky is open")
# --8<-- [end:sky]

# --8<-- [start:sun]
hours = lanecast.terrain.sun_hours(
    heights,
    transform,
    start="2026-03-20T00:00",
    end="2026-03-21T00:00",
    latitude=48.2,
    longitude=16.4,
    height=1.5,
)
print(f"up to {hours.max():.2f} hours of sun")
# --8<-- [end:sun]

# --8<-- [start:picture]
figure, axes = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
for view, values, colors, label in (
    (axes[0], sky, "gray", "sky view factor"),
    (axes[1], hours, "inferno", "hours of sun on 20 March"),
):
    image = view.imshow(values, cmap=colors, extent=(0, 600, 0, 500))
    view.set(xlabel="east [m]", ylabel="north [m]")
    figure.colorbar(image, label=label, shrink=0.75)
figure.savefig(sys.argv[1], dpi=120)
# --8<-- [end:picture]
