"""A scan of a part beside its model: a map and a histogram of deviations."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

# --8<-- [start:read]
model = lanecast.Scene.from_mesh("data/gyroid.ply", precision="f64")
scan = np.loadtxt("data/made/scan.xyz")
assert model.open_edge() is None, "inside and outside are not defined"
# --8<-- [end:read]

# --8<-- [start:deviation]
deviation = model.signed_distance(scan)  # mm; outside is positive
tolerance = 0.15
out = abs(deviation) > tolerance
print(f"{out.mean():.1%} of {len(scan):,} points are beyond ±{tolerance} mm")
for place in deviation.argmin(), deviation.argmax():
    print(f"{deviation[place]:+.2f} mm at {scan[place]}")
# --8<-- [end:deviation]

# --8<-- [start:seen]
eye = np.array([75.0, -105, 60])
skin = model.closest_point(scan).point
seen = model.sight([eye], skin, shorten=1e-5)[0]
# --8<-- [end:seen]

# --8<-- [start:picture]
right = np.cross([0, 0, 1], eye) / np.linalg.norm(np.cross([0, 0, 1], eye))
up = np.cross(eye, right) / np.linalg.norm(eye)
figure, (view, bars) = plt.subplots(
    1, 2, figsize=(10, 5.4), width_ratios=[3, 2], layout="constrained"
)
colors = dict(cmap="coolwarm", vmin=-0.5, vmax=0.5)
dots = view.scatter(
    scan[seen] @ right, scan[seen] @ up, c=deviation[seen], s=2.5, **colors
)
view.set(aspect="equal")
view.axis("off")
figure.colorbar(dots, label="deviation [mm]", shrink=0.8, location="left")
bars.hist(deviation, bins=np.linspace(-0.7, 0.7, 141), color="gray")
for limit in -tolerance, tolerance:
    bars.axvline(limit, color="black", linestyle="--", linewidth=1)
bars.set(xlabel="deviation [mm]", ylabel="points", yscale="log")
bars.set(xlim=(-0.7, 0.7), xticks=[-0.5, 0, 0.5])
figure.savefig(sys.argv[1], dpi=120)
# --8<-- [end:picture]
