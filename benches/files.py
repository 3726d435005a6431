#!/usr/bin/env python3
"""Files in, files out: how long the program takes, beside another version of it.

    benches/files.py BEFORE AFTER [MILLIONS]

Both programs read, cast and write the same rays, 10 million unless told, in turn. Prints the median of the ratios of their times, the
seconds of AFTER, those that BEFORE says it cast, and those of a plain copy of the output. Needs NumPy and PyArrow.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

ROUNDS = 5
MESH = Path(__file__).resolve().parent.parent / "data/jacksboro.ply"
NAMES = ["ox", "oy", "oz", "dx", "dy", "dz"]


def scanned(millions):
    """Rays of an aircraft over the terrain, swath after swath: no two have one origin."""
    rng = np.random.default_rng(1)
    count = round(millions * 1e6)
    along = np.linspace(0, 1, count)
    across = np.modf(along * count / 4000)[0]
    rays = np.empty((count, 6), np.float32)
    rays[:, 0], rays[:, 1], rays[:, 2] = 15000, 31000 * along, 3000
    rays[:, 3], rays[:, 4], rays[:, 5] = 4 * (across - 0.5), 0.01 * rng.random(count), -1
    return rays


def files(folder, millions):
    rays = scanned(millions)
    np.save(folder / "rays.npy", rays)
    np.save(folder / "points.npy", rays[: len(rays) // 20, :3] + 2000 * rays[: len(rays) // 20, 3:])
    table = pa.table({name: np.ascontiguousarray(rays[:, column]) for column, name in enumerate(NAMES)})
    pyarrow.parquet.write_table(table, folder / "rays.parquet")
    pyarrow.csv.write_csv(table.slice(0, len(rays) // 5), folder / "rays.csv")


def run(program, arguments, output):
    output.unlink(missing_ok=True)
    start = time.perf_counter()
    said = subprocess.run([program, *arguments, "-o", output, "--json"], check=True, capture_output=True).stdout
    return time.perf_counter() - start, json.loads(said)


def main():
    before, after, *millions = sys.argv[1:]
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name)
        files(folder, float(*millions or [10]))
        rays, points = f"cast {MESH} {folder}/rays", f"points {MESH} {folder}/points"
        scan = f"lidar {MESH} --at 15000,15000,2000 --elevations=-60,-10 --beams 128 --steps 20000"
        for line, extension in [
            (f"{rays}.npy", "npz"),
            (f"{rays}.parquet", "parquet"),
            (f"{rays}.npy", "csv"),
            (f"{rays}.csv", "npz"),
            (f"{points}.npy", "npz"),
            (scan, "ply"),
            (scan, "parquet"),
        ]:
            output, ratios, times, casting, copying = folder / f"answers.{extension}", [], [], [], []
            for _ in range(ROUNDS):
                first, said = run(before, line.split(), output)
                second, _ = run(after, line.split(), output)
                start = time.perf_counter()
                shutil.copyfile(output, folder / "copy")
                copying.append(time.perf_counter() - start)
                (folder / "copy").unlink()
                ratios.append(first / second)
                times.append(second)
                casting.append(said.get("cast_seconds", said.get("query_seconds")))
            ratio, second, cast, copy = map(statistics.median, (ratios, times, casting, copying))
            what = f"{line.split()[0]} {Path(line.split()[2]).suffix} to {extension}"
            print(
                f"{what}: {ratio:.2f} times as fast, from {min(ratios):.2f} to {max(ratios):.2f};",
                f"{second:.2f} s, casting alone {cast:.2f} s, a copy {copy:.2f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
