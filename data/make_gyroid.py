#!/usr/bin/env python3
"""Makes gyroid.ply: a closed solid with many handles, thin walls and a cavity.

    python3 data/make_gyroid.py

A wall along the gyroid, cut to a ball of 72 mm across; in its middle a hollow
core, and in the hollow a loose ball. The surface is found by marching
tetrahedra over a body-centred cubic lattice: every vertex lies on an edge of
the lattice and is named by that edge, so that welding is exact and the result
closed by construction. Needs numpy.
"""

import itertools
import pathlib

import numpy as np

from meshfile import write_ply

TARGET = pathlib.Path(__file__).with_name("gyroid.ply")

RADIUS = 36.0
PERIOD = 36.0
WALL = 5.0
CORE, HOLLOW, LOOSE = 15.0, 10.5, 6.0
ROUNDING = 1.5  # how far the cut of the wall by the ball is rounded

LATTICE = 3.0  # edge of the lattice's cubes
# A vertex keeps this part of its lattice edge away from the edge's ends: no
# triangle shrinks to nothing where the surface passes close to a lattice point.
MARGIN = 0.1
GRID = 1024.0  # vertices lie on multiples of 1/1024 mm, exact in f32 on every machine


def smooth_max(a, b):
    return 0.5 * (a + b + np.sqrt((a - b) ** 2 + ROUNDING**2))


def solid(p):
    """Negative inside; close to the distance in millimetres near the surface."""
    x, y, z = np.moveaxis(p * (2 * np.pi / PERIOD), -1, 0)
    gyroid = np.sin(x) * np.cos(y) + np.sin(y) * np.cos(z) + np.sin(z) * np.cos(x)
    # On the gyroid the gradient is about 1.5 in the scaled coordinates.
    wall = np.abs(gyroid) * PERIOD / (2 * np.pi * 1.5) - WALL / 2
    r = np.linalg.norm(p, axis=-1)
    body = np.minimum(smooth_max(wall, r - RADIUS), r - CORE)
    return np.minimum(np.maximum(body, HOLLOW - r), r - LOOSE)


def crossing(inside, outside):
    """Where the surface crosses each edge, as a part of its length.

    Bisection: the wall's function has a crease in the wall's middle, and linear
    interpolation across it leaves the surface visibly rough.
    """
    low, high = np.zeros(len(inside)), np.ones(len(inside))
    for _ in range(30):
        t = (low + high) / 2
        below = solid(inside + (outside - inside) * t[:, None]) < 0
        low, high = np.where(below, t, low), np.where(below, high, t)
    return (low + high) / 2


def lattice_tetrahedra(cells):
    """Tetrahedra of the body-centred lattice, as points of a grid of half steps.

    Two cubes that share a face give four: both centres, and one edge of the face each.
    """
    groups = []
    for axis in range(3):
        across, up = (axis + 1) % 3, (axis + 2) % 3
        shape = [cells] * 3
        shape[axis] -= 1
        first = 2 * np.stack(np.indices(shape), axis=-1).reshape(-1, 3) + 1
        ring = []
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corner = first.copy()
            corner[:, axis] += 1
            corner[:, across] += a
            corner[:, up] += b
            ring.append(corner)
        second = first.copy()
        second[:, axis] += 2
        for k in range(4):
            groups.append(np.stack([first, second, ring[k], ring[(k + 1) % 4]], axis=1))
    return np.concatenate(groups)


def is_even(order):
    return sum(a > b for a, b in itertools.combinations(order, 2)) % 2 == 0


def patches(inside):
    """The patch for one set of inside corners of a positive tetrahedron.

    A list of tetrahedron edges (from an inside to an outside corner) that runs
    counter-clockwise seen from outside.
    """
    outside = [c for c in range(4) if c not in inside]
    if len(inside) == 1:
        (a,) = inside
        b, c, d = next(o for o in itertools.permutations(outside) if is_even((a, *o)))
        return [(a, b), (a, c), (a, d)]
    if len(inside) == 3:
        (a,) = outside
        b, c, d = next(o for o in itertools.permutations(inside) if is_even((a, *o)))
        return [(d, a), (c, a), (b, a)]
    a, b = inside
    c, d = next(o for o in itertools.permutations(outside) if is_even((a, b, *o)))
    return [(a, c), (a, d), (b, d), (b, c)]


def main():
    cells = int(np.ceil(2 * RADIUS / LATTICE)) + 3
    side = 2 * cells + 1
    tetrahedra = lattice_tetrahedra(cells)
    edges = tetrahedra[:, 1:] - tetrahedra[:, :1]
    negative = np.linalg.det(edges) < 0
    tetrahedra[negative] = tetrahedra[negative][:, [0, 1, 3, 2]]

    points = (np.stack(np.indices([side] * 3), axis=-1).reshape(-1, 3) - cells) * (LATTICE / 2)
    value = solid(points)
    corners = tetrahedra @ np.array([side * side, side, 1])
    below = value[corners] < 0
    case = below @ np.array([1, 2, 4, 8])

    triangle_edges, quad_edges = [], []
    for mask in range(1, 15):
        inside = tuple(c for c in range(4) if mask >> c & 1)
        patch = np.array(patches(inside))
        found = corners[case == mask][:, patch]
        (triangle_edges if len(patch) == 3 else quad_edges).append(found)
    triangle_edges, quad_edges = np.concatenate(triangle_edges), np.concatenate(quad_edges)

    # A vertex is a lattice edge with one end inside; its name is its (inside, outside) pair.
    names = np.concatenate([triangle_edges.reshape(-1, 2), quad_edges.reshape(-1, 2)])
    unique, number = np.unique(names @ np.array([side**3, 1]), return_inverse=True)
    start, end = unique // side**3, unique % side**3
    t = np.clip(crossing(points[start], points[end]), MARGIN, 1 - MARGIN)[:, None]
    vertices = np.round((points[start] * (1 - t) + points[end] * t) * GRID) / GRID

    triangles = number[: triangle_edges.size // 2].reshape(-1, 3)
    quads = number[triangle_edges.size // 2 :].reshape(-1, 4)
    first, second = (vertices[quads[:, k]] - vertices[quads[:, k + 2]] for k in (0, 1))
    turned = np.linalg.norm(second, axis=1) < np.linalg.norm(first, axis=1)
    quads[turned] = np.roll(quads[turned], -1, axis=1)
    triangles = np.concatenate([triangles, quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])

    write_ply(
        TARGET,
        vertices,
        triangles,
        ["closed, outward, in millimetres", "made by data/make_gyroid.py"],
    )
    print(f"{TARGET.name}: {len(vertices)} vertices, {len(triangles)} triangles")


if __name__ == "__main__":
    main()
