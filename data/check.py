#!/usr/bin/env python3
"""Checks the meshes that lanecast ships: closedness, orientation, checksums.

    python3 data/check.py                 the shipped meshes, against what README.md promises
    python3 data/check.py MESH.ply ...    only reports what these meshes are

Exits with 1 when a promise does not hold. Needs numpy.
"""

import hashlib
import pathlib
import sys

import numpy as np

from meshfile import read_ply

HERE = pathlib.Path(__file__).parent


def components(vertex_count, edges):
    """Number of connected parts: labels sink to the smallest one that they can reach."""
    label = np.arange(vertex_count)
    while True:
        lowest = np.minimum(label[edges[:, 0]], label[edges[:, 1]])
        before = label.copy()
        np.minimum.at(label, edges[:, 0], lowest)
        np.minimum.at(label, edges[:, 1], lowest)
        label = label[label]
        if (label == before).all():
            return len(np.unique(label))


def fans_per_vertex(triangles, vertex_count):
    """For each vertex, in how many separate fans its triangles lie (1 on a closed manifold)."""
    # Nodes are the corners of all triangles. Two corners at one vertex are
    # joined where their triangles share an edge at that vertex.
    corner = np.arange(triangles.size).reshape(triangles.shape)
    links = []
    for k in range(3):
        a, b = triangles[:, k], triangles[:, (k + 1) % 3]
        low, high = np.minimum(a, b), np.maximum(a, b)
        at_low = np.where(a < b, corner[:, k], corner[:, (k + 1) % 3])
        at_high = np.where(a < b, corner[:, (k + 1) % 3], corner[:, k])
        links.append(np.stack([low * vertex_count + high, at_low, at_high], axis=1))
    links = np.concatenate(links)
    links = links[np.argsort(links[:, 0], kind="stable")]
    same = np.flatnonzero(links[1:, 0] == links[:-1, 0])
    pairs = [np.stack([links[same, c], links[same + 1, c]], axis=1) for c in (1, 2)]
    pairs = np.concatenate(pairs)
    label = np.arange(triangles.size)
    while True:
        before = label.copy()
        lowest = np.minimum(label[pairs[:, 0]], label[pairs[:, 1]])
        np.minimum.at(label, pairs[:, 0], lowest)
        np.minimum.at(label, pairs[:, 1], lowest)
        label = label[label]
        if (label == before).all():
            break
    heads = np.flatnonzero(label == np.arange(triangles.size))
    return np.bincount(triangles.reshape(-1)[heads], minlength=vertex_count)


def describe(path):
    vertices, triangles = read_ply(path)
    vertex_count = len(vertices)
    p = vertices.astype(np.float64)
    a, b, c = (p[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)

    directed = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    name = directed @ np.array([vertex_count, 1])
    opposite = directed @ np.array([1, vertex_count])
    once, uses = np.unique(name, return_counts=True)
    edges = np.unique(np.sort(directed, axis=1), axis=0)

    facts = {
        "bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "vertices": vertex_count,
        "triangles": len(triangles),
        "components": components(vertex_count, edges),
        "lowest corner": vertices.min(axis=0).tolist(),
        "highest corner": vertices.max(axis=0).tolist(),
        "indices out of range": int(((triangles < 0) | (triangles >= vertex_count)).sum()),
        "unused vertices": int(vertex_count - len(np.unique(triangles))),
        "repeated positions": int(vertex_count - len(np.unique(vertices, axis=0))),
        "degenerate triangles": int((~(normal != 0).any(axis=1)).sum()),
        "smallest area": float(np.linalg.norm(normal, axis=1).min() / 2),
        "directed edges used twice": int((uses > 1).sum()),
        "boundary edges": int((~np.isin(once, opposite)).sum()),
        "vertices in several fans": int((fans_per_vertex(triangles, vertex_count) > 1).sum()),
        "triangles facing up": int((normal[:, 2] > 0).sum()),
        "area": float(np.linalg.norm(normal, axis=1).sum() / 2),
        "Euler characteristic": int(vertex_count - len(edges) + len(triangles)),
    }
    if facts["boundary edges"] == 0:
        facts["volume"] = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)
        facts["genus, all components"] = (
            2 * facts["components"] - facts["Euler characteristic"]
        ) // 2
    return facts


SOUND = {
    "indices out of range": 0,
    "unused vertices": 0,
    "repeated positions": 0,
    "degenerate triangles": 0,
    "directed edges used twice": 0,
    "vertices in several fans": 0,
}
PROMISES = {
    "jacksboro.ply": SOUND
    | {
        "triangles": 275772,
        "triangles facing up": 275772,
        "boundary edges": 2 * (343 + 402),
        "components": 1,
        "Euler characteristic": 1,
    },
    "gyroid.ply": SOUND
    | {
        "triangles": 47808,
        "boundary edges": 0,
        "components": 3,
        "Euler characteristic": -38,
        "genus, all components": 22,
    },
}


def main():
    broken = []
    paths = [pathlib.Path(p) for p in sys.argv[1:]] or [HERE / name for name in PROMISES]
    readme = (HERE / "README.md").read_text()
    for path in paths:
        facts = describe(path)
        print(path.name)
        for key, value in facts.items():
            print(f"  {key}: {value}")
        if len(sys.argv) > 1:
            continue
        for key, value in PROMISES[path.name].items():
            if facts[key] != value:
                broken.append(f"{path.name}: {key} is {facts[key]}, promised {value}")
        if facts.get("volume", 1.0) <= 0:
            broken.append(f"{path.name}: the volume is not positive, so it faces inward")
        if facts["sha256"] not in readme:
            broken.append(f"{path.name}: README.md gives another sha256")
    for line in broken:
        print(line, file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
