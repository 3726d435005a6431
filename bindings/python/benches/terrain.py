"""Viewsheds beside xarray-spatial and GDAL: how long one observer takes, and how many pixels are answered alike.

    python bindings/python/benches/terrain.py [--rounds 5] [--threads 1]

The terrain is data/jacksboro.ply as heights. xarray-spatial has to be installed; GDAL's program gdal_viewshed and rasterio, or
they are left out. Contestants take turns; times are medians.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import lanecast.terrain

ROOT = Path(__file__).parents[3]
EYES, TARGETS = 10.0, 0.0


def terrain():
    """Heights, the northern row first, and the transform."""
    scene = lanecast.Scene.from_mesh(str(ROOT / "data/jacksboro.ply"), precision="f64")
    vertices = np.unique(scene.triangles().vertices.reshape(-1, 3), axis=0)
    x, y = np.unique(vertices[:, 0]), np.unique(vertices[:, 1])
    heights = vertices[np.lexsort((vertices[:, 0], -vertices[:, 1])), 2].reshape(len(y), len(x))
    dx, dy = np.diff(x).mean(), np.diff(y).mean()
    return heights, (x[0] - dx / 2, dx, 0, y[-1] + dy / 2, 0, -dy)


def of_lanecast(heights, transform, observer, threads):
    def ask():
        return lanecast.terrain.viewshed(
            heights, [observer], transform, observer_height=EYES, target_height=TARGETS, threads=threads
        )

    return ask, lambda seen: seen > 0


def of_xarray_spatial(heights, transform, observer):
    import xarray
    import xrspatial

    rows, columns = heights.shape
    west, dx, _, north, _, dy = transform
    coords = {"y": north + dy * (np.arange(rows) + 0.5), "x": west + dx * (np.arange(columns) + 0.5)}
    raster = xarray.DataArray(heights.astype("float64"), coords=coords, dims=("y", "x"))

    def ask():
        return xrspatial.viewshed(raster.copy(), *observer, observer_elev=EYES, target_elev=TARGETS)

    return ask, lambda seen: seen.values >= 0


def of_gdal(heights, transform, observer, folder):
    import rasterio

    source, target = folder / "heights.tif", folder / "seen.tif"
    place = rasterio.Affine.from_gdal(*transform)
    rows, columns = heights.shape
    with rasterio.open(
        source, "w", driver="GTiff", height=rows, width=columns, count=1, dtype="float64", transform=place
    ) as file:
        file.write(heights, 1)
    x, y = observer
    command = ["gdal_viewshed", "-q", "-ox", str(x), "-oy", str(y), "-oz", str(EYES), "-tz", str(TARGETS)]
    # As the others have it: no limit, no curvature.
    command += ["-md", "1e9", "-cc", "0", "-vv", "1", "-iv", "0", str(source), str(target)]

    def ask():
        subprocess.run(command, check=True)
        return target

    def seen(path):
        with rasterio.open(path) as file:
            return file.read(1) > 0

    return ask, seen


def main(arguments):
    heights, transform = terrain()
    rows, columns = heights.shape
    west, dx, _, north, _, dy = transform
    with open("/proc/cpuinfo") as file:
        processor = next((line.split(": ")[1] for line in file if line.startswith("model name")), "?")
    print(f"{processor.strip()}, {time.strftime('%Y-%m-%d')}, {rows} × {columns} pixels")
    print("| observer | | median | times as long | unlike lanecast |\n|---|---|---|---|---|")
    for name, pixel in (("summit", np.unravel_index(heights.argmax(), heights.shape)), ("valley", (200, 170))):
        # The others stand on centres of pixels.
        observer = west + dx * (pixel[1] + 0.5), north + dy * (pixel[0] + 0.5)
        with tempfile.TemporaryDirectory() as folder:
            asked = {"lanecast": of_lanecast(heights, transform, observer, arguments.threads)}
            for peer, make in (
                ("xarray-spatial", lambda: of_xarray_spatial(heights, transform, observer)),
                ("GDAL, with its files", lambda: of_gdal(heights, transform, observer, Path(folder))),
            ):
                try:
                    asked[peer] = make()
                except ImportError as error:
                    print(f"{peer} is left out: {error}", file=sys.stderr)
            found = {peer: seen(ask()) for peer, (ask, seen) in asked.items()}
            times = {peer: [] for peer in asked}
            for _ in range(arguments.rounds):
                for peer, (ask, _seen) in asked.items():
                    start = time.perf_counter()
                    ask()
                    times[peer].append(time.perf_counter() - start)
        best = statistics.median(times["lanecast"])
        for peer, took in times.items():
            median, unlike = statistics.median(took), (found[peer] != found["lanecast"]).mean()
            print(f"| {name} | {peer} | {1000 * median:.0f} ms | {median / best:.1f} | {unlike:.1%} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    main(parser.parse_args())
