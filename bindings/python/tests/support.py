"""Scenes, rays and measures that several tests share."""

import gc
import tracemalloc

import numpy as np

from lanecast import Scene


def bumpy(precision="f32", size=40):
    """A wavy sheet over the unit square."""
    x, y = np.meshgrid(np.linspace(0, 1, size), np.linspace(0, 1, size))
    vertices = np.stack([x, y, 0.1 * np.sin(9 * x) * np.cos(7 * y)], axis=-1).reshape(-1, 3)
    corner = (np.arange(size - 1)[:, None] * size + np.arange(size - 1)).ravel()
    triangles = np.stack(
        [corner, corner + 1, corner + size, corner + 1, corner + size + 1, corner + size], axis=-1
    )
    return Scene(vertices, triangles.reshape(-1, 3), precision=precision)


def random_rays(shape, dtype="float32", seed=1):
    random = np.random.default_rng(seed)
    rays = np.empty((*shape, 6))
    rays[..., :3] = random.uniform(-0.2, 1.2, (*shape, 3))
    rays[..., 2] += 1
    rays[..., 3:] = random.normal(size=(*shape, 3))
    rays[..., 5] -= 1
    return rays.astype(dtype)


def same(found, expected):
    for (name, column), (other_name, other) in zip(found.items(), expected.items()):
        assert name == other_name and column.dtype == other.dtype
        np.testing.assert_array_equal(column, other, err_msg=name)


def peak_of(call):
    """How much NumPy's arrays grew at their largest, in bytes."""
    gc.collect()
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
