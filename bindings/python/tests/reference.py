"""Slow answers in NumPy, in float64, by testing everything with everything."""

import numpy as np


def soup(rng, count=60, size=1.0):
    """Triangles without a plan: vertices and triangles."""
    centers = rng.uniform(-5, 5, (count, 1, 3))
    corners = (centers + rng.uniform(-size, size, (count, 3, 3))).astype("float32")
    return corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def torus(rows=12, columns=9, inner=1.0, outer=3.0):
    """A closed surface with its fronts outside: vertices and triangles."""
    a, b = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    around, about = 2 * np.pi * a / rows, 2 * np.pi * b / columns
    radius = outer + inner * np.cos(about)
    vertices = np.stack([radius * np.cos(around), radius * np.sin(around), inner * np.sin(about)], axis=-1)
    corner = [((a + i) % rows) * columns + (b + j) % columns for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    halves = [np.stack([corner[i] for i in half], axis=-1).reshape(-1, 3) for half in ((0, 1, 2), (0, 2, 3))]
    return vertices.reshape(-1, 3).astype("float32"), np.concatenate(halves)


def closest_on_triangles(points, corners):
    """The closest point of each triangle to each point: distances (p, t) and points (p, t, 3)."""
    a, b, c = (corners[None, :, i].astype("float64") for i in range(3))
    p = np.asarray(points, dtype="float64")[:, None]

    def on_segment(start, end):
        along = end - start
        part = np.clip(((p - start) * along).sum(-1) / (along * along).sum(-1), 0, 1)
        return start + part[..., None] * along

    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    foot = p - ((p - a) * normal).sum(-1, keepdims=True) * normal
    sides = [
        (np.cross(end - start, foot - start) * normal).sum(-1) >= 0 for start, end in ((a, b), (b, c), (c, a))
    ]
    candidates = np.stack([on_segment(a, b), on_segment(b, c), on_segment(c, a), foot])
    distances = np.linalg.norm(candidates - p, axis=-1)
    distances[3][~(sides[0] & sides[1] & sides[2])] = np.inf
    best = distances.argmin(axis=0)
    return distances.min(axis=0), np.take_along_axis(candidates, best[None, ..., None], axis=0)[0]


def crossings(origins, directions, corners):
    """t, u and v of each ray in the plane of each triangle, and whether it is within: four arrays (r, t)."""
    a, b, c = (corners[None, :, i].astype("float64") for i in range(3))
    o, d = (np.asarray(rays, dtype="float64")[:, None] for rays in (origins, directions))
    e, f = b - a, c - a
    across = np.cross(d, f)
    determinant = (e * across).sum(-1)
    s = o - a
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (s * across).sum(-1) / determinant
        turned = np.cross(s, e)
        v = (d * turned).sum(-1) / determinant
        t = (f * turned).sum(-1) / determinant
    return t, u, v, (u >= 0) & (v >= 0) & (u + v <= 1)


def winding_numbers(points, corners):
    """The solid angle of all triangles as seen from each point, as part of the whole sphere."""
    a, b, c = (
        corners[None, :, i].astype("float64") - np.asarray(points, dtype="float64")[:, None] for i in range(3)
    )
    la, lb, lc = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    volume = (a * np.cross(b, c)).sum(-1)
    below = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
    return (2 * np.arctan2(volume, below)).sum(-1) / (4 * np.pi)
