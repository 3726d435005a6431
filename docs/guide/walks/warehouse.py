"""What the laser scanner of a robot measures on its way through a warehouse."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lanecast

# --8<-- [start:scene]
hall, rack, pallet = (
    lanecast.Scene.from_mesh(f"data/made/{name}.ply")
    for name in ("hall", "rack", "pallet")
)


def at(scene, name, x, y, z=0):
    moved = [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, z]]
    return lanecast.Instance(scene, moved, name=name)


random = np.random.default_rng(1)
items = [at(hall, "hall", 0, 0)]
for y in (-11, -6, -4.6, 0, 1.4, 6, 11):
    for x in np.arange(-14, 15, 2.8):
        items.append(at(rack, "rack", x, y))
        items += [
            at(pallet, "pallet", x + side, y, level)
            for level in (0, 1.8, 3.6)
            for side in (-0.64, 0.64)
            if random.random() < 0.7
        ]
scene = lanecast.Scene.build(*items)
# --8<-- [end:scene]

# --8<-- [start:scan]
way = [
    [0, -17, -8.5, 0.6],
    [17, 17, -8.5, 0.6],
    [20, 17, -2.3, 0.6],
    [37, -17, -2.3, 0.6],
]
elevations = np.linspace(-15, 45, 32)
scanner = lanecast.Lidar(elevations, steps=1200, poses=way, seconds=1, turns=37)
receiver = lanecast.Receiver(range_noise=0.01, reference_range=40, seed=1)
returns = scene.lidar_returns(scanner, receiver, t_min=0.3, t_max=30)
print(f"{len(returns.distance):,} returns of {np.prod(scanner.shape):,} pulses")
# --8<-- [end:scan]

# --8<-- [start:names]
names = np.array([scene.instance(i).name for i in scene.instances])
name = names[returns.instance_id]
for which in "hall", "rack", "pallet":
    print(f"{(name == which).mean():.0%} of {which}")
# --8<-- [end:names]

# --8<-- [start:picture]
figure, (view, plan) = plt.subplots(
    2, 1, figsize=(9, 9.2), height_ratios=[5, 7], layout="constrained"
)
depth, aside, above = (returns.point - [-19, -2.3, 1.8])[::2].T
ahead = depth > 2
order = np.argsort(-depth[ahead])
dots = np.stack([-aside / depth, above / depth], axis=1)[ahead][order]
brightness = np.log10(returns.intensity[::2][ahead][order])
view.scatter(*dots.T, s=2 / depth[ahead][order], c=brightness, cmap="gray")
view.set(facecolor="black", xlim=(-1, 1), ylim=(-0.4, 0.4), aspect="equal")
view.set(xticks=[], yticks=[])
colors = {"hall": "0.75", "rack": "tab:blue", "pallet": "tab:orange"}
for which, color in colors.items():
    x, y, z = returns.point[name == which][::4].T
    plan.scatter(x[z < 6.9], y[z < 6.9], s=0.1, color=color, label=which)
plan.plot(*np.array(way)[:, 1:3].T, color="black", label="way")
plan.set(aspect="equal", ylim=(-15.5, 9), xlabel="x [m]", ylabel="y [m]")
plan.legend(markerscale=30, loc="upper left", framealpha=1)
figure.savefig(sys.argv[1], dpi=120)
# --8<-- [end:picture]
