#!/usr/bin/env python3
"""Makes made/scan.xyz: 200,000 points on the outside of gyroid.ply, as a scanner measures a part that was made after it.

    python3 data/make_scan.py

The part has shrunk by 0.2 %, has a dent 0.6 mm deep and a burr 0.4 mm high, and points have errors of 0.02 mm. Needs numpy.
"""

import pathlib

import numpy as np

from meshfile import read_ply

HERE = pathlib.Path(__file__).parent
TARGET = HERE / "made/scan.xyz"

POINTS = 200_000
SHRUNK = 0.002
ERROR = 0.02
FAULTS = [  # towards where on the part, how wide (the standard deviation of a bell, in mm), how high
    ((0.85, -0.50, 0.32), 3.0, -0.60),
    ((-0.20, -0.75, 0.63), 2.0, 0.40),
]


def outside(vertices, triangles):
    """The triangles of the largest connected part: the outside."""
    part = np.arange(len(vertices))
    while True:
        least = part[triangles].min(axis=1)
        before = part.copy()
        np.minimum.at(part, triangles, least[:, None])
        part = part[part]
        if (part == before).all():
            largest = np.bincount(part[triangles[:, 0]]).argmax()
            return triangles[part[triangles[:, 0]] == largest]


def scan():
    random = np.random.default_rng(1)
    vertices, triangles = read_ply(HERE / "gyroid.ply")
    a, b, c = vertices.astype("float64")[outside(vertices, triangles)].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    areas = np.linalg.norm(normals, axis=1)
    chosen = random.choice(len(areas), POINTS, p=areas / areas.sum())
    u, v = random.random((2, POINTS, 1))
    flipped = u + v > 1
    u, v = np.where(flipped, 1 - u, u), np.where(flipped, 1 - v, v)
    points = a[chosen] + u * (b - a)[chosen] + v * (c - a)[chosen]
    normals = normals[chosen] / areas[chosen, None]
    moved = random.normal(scale=ERROR, size=POINTS)
    reach = np.linalg.norm(points, axis=1).max()
    for towards, width, height in FAULTS:
        place = reach * np.array(towards) / np.linalg.norm(towards)
        nearest = points[np.linalg.norm(points - place, axis=1).argmin()]
        moved += height * np.exp(-((points - nearest) ** 2).sum(axis=1) / (2 * width**2))
    return points * (1 - SHRUNK) + moved[:, None] * normals


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    np.savetxt(TARGET, scan(), fmt="%.4f")
    print(TARGET)
