#!/usr/bin/env python3
"""Makes jacksboro.ply from the elevation model in the PyPI package matplotlib.

    pip download --no-deps matplotlib
    python3 data/make_terrain.py matplotlib-*.whl

The argument is a matplotlib wheel or the file jacksboro_fault_dem.npz itself.
README.md in this folder says where the heights come from and how the frame of
the mesh was settled. Needs numpy.
"""

import hashlib
import io
import math
import pathlib
import sys
import zipfile

import numpy as np

from meshfile import write_ply

MEMBER = "matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"
SHA256 = "d493f50a33e82a4420494c54d1fca1539d177bdc27ab190bc5fe6e92f62fb637"
TARGET = pathlib.Path(__file__).with_name("jacksboro.ply")

# WGS 84, the horizontal datum of SRTM.
SEMI_MAJOR_AXIS = 6378137.0
FLATTENING = 1 / 298.257223563


def load(path):
    data = pathlib.Path(path).read_bytes()
    if path.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            data = wheel.read(MEMBER)
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        sys.exit(f"{path}: the elevation model has sha256 {digest}, expected {SHA256}")
    return np.load(io.BytesIO(data))


def spacing_in_metres(degrees, latitude):
    """Length of `degrees` of longitude and of latitude on the ellipsoid, at `latitude`."""
    phi = math.radians(latitude)
    eccentricity2 = FLATTENING * (2 - FLATTENING)
    root = math.sqrt(1 - eccentricity2 * math.sin(phi) ** 2)
    prime_vertical_radius = SEMI_MAJOR_AXIS / root
    meridian_radius = SEMI_MAJOR_AXIS * (1 - eccentricity2) / root**3
    step = math.radians(degrees)
    return step * prime_vertical_radius * math.cos(phi), step * meridian_radius


def grid_triangles(rows, columns):
    """Two triangles a cell, split from south-west to north-east, counter-clockwise from above.

    Vertices are numbered west to east, then south to north.
    """
    index = np.arange(rows * columns).reshape(rows, columns)
    south_west, south_east = index[:-1, :-1], index[:-1, 1:]
    north_west, north_east = index[1:, :-1], index[1:, 1:]
    lower = np.stack([south_west, south_east, north_east], axis=-1)
    upper = np.stack([south_west, north_east, north_west], axis=-1)
    return np.stack([lower, upper], axis=2).reshape(-1, 3)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    model = load(sys.argv[1])
    heights = model["elevation"]
    step = float(model["dx"])
    assert heights.shape == (344, 403) and step == float(model["dy"])

    # The file calls its northern edge 36.733 and its southern one 36.446. The
    # landmarks say that 36.446 is the northern edge (see README.md), so the
    # rows run south from there.
    north = float(model["ymax"])
    south = north - heights.shape[0] * step
    east_step, north_step = spacing_in_metres(step, (north + south) / 2)

    heights = heights[::-1]
    rows, columns = heights.shape
    y, x = np.meshgrid(np.arange(rows) * north_step, np.arange(columns) * east_step, indexing="ij")
    vertices = np.stack([x, y, heights], axis=-1).reshape(-1, 3)
    write_ply(
        TARGET,
        vertices,
        grid_triangles(rows, columns),
        ["x east, y north, z height above sea level, in metres", "from SRTM; see data/README.md"],
    )
    print(f"{TARGET.name}: {rows * columns} vertices, {2 * (rows - 1) * (columns - 1)} triangles,")
    print(f"  spacing {east_step:.4f} m east, {north_step:.4f} m north")


if __name__ == "__main__":
    main()
