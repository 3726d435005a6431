"""In the place of the module that trimesh's tests share, which its source distribution lacks: what needs no mesh."""

import importlib
import logging
from collections import deque  # noqa: F401 - tests take it from here, and the next three

import numpy as np
import pytest
import trimesh
from shapely.geometry import Point, Polygon  # noqa: F401
from trimesh import Trimesh  # noqa: F401

log = logging.getLogger("trimesh")
tol = trimesh.constants.tol
tf = trimesh.transformations
transforms = np.array([tf.euler_matrix(0.8, angle, 0) for angle in np.linspace(0, 2 * np.pi, 100)])


def random(*shape):
    return np.random.RandomState(seed=1).random_sample(*shape)


def random_transforms(count, translate=1000.0):
    """Rigid ones."""
    for row, shift in zip(random((count, 3)), random((count, 3))):
        matrix = tf.random_rotation_matrix(rand=row)
        matrix[:3, 3] = (shift - 0.5) * translate
        yield matrix


def skip(*_, **__):
    pytest.skip("needs a mesh of trimesh's repository")


get_mesh = get_meshes = get_path = skip


class Data:
    __getitem__ = skip


data = Data()


def __getattr__(name):
    """Modules of the standard library, by their own names; what else trimesh's own module has is missing."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        pytest.skip(f"needs {name} of trimesh's repository")
