"""Meshes, and what rays and points have to answer, by loops over all triangles in float64."""

import doctest
import inspect

import numpy as np


def ball(levels, radius=1.0):
    """An octahedron with every triangle split in four so many times, and its vertices moved to a sphere:
    closed, turned outwards.
    """
    vertices = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], dtype=float)
    x, y, z, u, v, w = range(6)
    faces = np.array([[x, y, z], [y, u, z], [u, v, z], [v, x, z], [y, x, w], [u, y, w], [v, u, w], [x, v, w]])
    for _ in range(levels):
        corners = vertices[faces]
        middles = corners + np.roll(corners, -1, axis=1)
        middles /= np.linalg.norm(middles, axis=-1, keepdims=True)
        (a, b, c), (ab, bc, ca) = np.moveaxis(corners, 1, 0), np.moveaxis(middles, 1, 0)
        split = np.concatenate(
            [np.stack(part, axis=1) for part in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        )
        vertices, faces = np.unique(split.reshape(-1, 3).round(15), axis=0, return_inverse=True)
        faces = faces.reshape(-1, 3)
    return vertices * radius, faces


def box(low=(0, 0, 0), high=(1, 1, 1)):
    """A box of twelve triangles, turned outwards."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    faces = [[side[0], side[i], side[i + 1]] for side in sides for i in (1, 2)]
    return np.array(low) + corners * (np.array(high) - np.array(low)), np.array(faces)


def joined(*meshes):
    """One mesh of several."""
    counts = np.cumsum([0] + [len(vertices) for vertices, _ in meshes])
    faces = [faces + count for (_, faces), count in zip(meshes, counts)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces)


def hit_distances(vertices, faces, origins, directions, slack=0.0):
    """The ray parameter of each ray at each triangle, inf where they do not meet (Möller and Trumbore 1997).

    Triangles are larger by the slack, as part of their size.
    """
    a, b, c = np.moveaxis(np.asarray(vertices, dtype=float)[faces], 1, 0)
    origins, directions = (
        np.asarray(origins, dtype=float)[:, None],
        np.asarray(directions, dtype=float)[:, None],
    )
    across = np.cross(directions, c - a)
    with np.errstate(all="ignore"):
        scale = 1 / np.einsum("rti,ti->rt", across, b - a)
        u = np.einsum("rti,rti->rt", across, origins - a) * scale
        along = np.cross(origins - a, b - a)
        v = np.einsum("rti,rti->rt", along, np.broadcast_to(directions, along.shape)) * scale
        t = np.einsum("rti,ti->rt", along, c - a) * scale
        return np.where((u >= -slack) & (v >= -slack) & (u + v <= 1 + slack) & (t >= 0), t, np.inf)


def face_distances(vertices, faces, points):
    """The distance of each point to each triangle, also to those without an area or a length."""
    points = np.asarray(points, dtype=float)[:, None]
    corners = np.asarray(vertices, dtype=float)[faces]
    least = np.full((points.shape[0], len(faces)), np.inf)
    for a, b in zip(np.moveaxis(corners, 1, 0), np.moveaxis(np.roll(corners, -1, axis=1), 1, 0)):
        square = ((b - a) ** 2).sum(-1)
        along = np.einsum("pti,ti->pt", points - a, b - a) / np.where(square > 0, square, 1)
        along = np.clip(along, 0, 1)
        least = np.minimum(least, np.linalg.norm(points - a - along[..., None] * (b - a), axis=-1))
    a, b, c = np.moveaxis(corners, 1, 0)
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    normals /= np.where(lengths > 0, lengths, 1)
    height = np.einsum("pti,ti->pt", points - a, normals)
    feet = points - height[..., None] * normals
    is_above = np.all(
        [
            np.einsum("pti,ti->pt", feet - p, np.cross(normals, q - p)) >= 0
            for p, q in ((a, b), (b, c), (c, a))
        ],
        axis=0,
    )
    return np.where(is_above & (lengths[:, 0] > 0), np.minimum(least, abs(height)), least)


def distances(vertices, faces, points):
    """The distance of each point to the surface."""
    return face_distances(vertices, faces, points).min(axis=1)


def random_rays(count, seed, reach=3.0):
    """Rays from points in a cube, most of them outside of a ball of 1, towards points near the middle."""
    numbers = np.random.default_rng(seed)
    origins = numbers.uniform(-reach, reach, (count, 3))
    return origins, numbers.uniform(-1, 1, (count, 3)) - origins


def hold_examples(module, *parts):
    """Runs the examples in the docstrings of these parts of a module, one after the other; the last must have
    one.
    """
    texts = [inspect.cleandoc(part.__doc__) for part in parts]
    assert ">>>" in texts[-1], f"{parts[-1]} has no example"
    report = []
    test = doctest.DocTestParser().get_doctest("\n\n".join(texts), {}, module, None, 0)
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)
