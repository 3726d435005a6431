"""What a query costs more from NumPy than from Rust: the same rays, scene and machine, in turns.

Run by `cargo build --release -p lanecast-python --example overhead` and then
`python bindings/python/benches/overhead.py [ROUNDS]`. The medians of the ratios and differences of
neighbouring turns are printed. On Linux the ratio of the time of the processor is too, which a busy
machine changes less.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import lanecast

ROOT = Path(__file__).parents[3]


def main(rounds):
    scene = lanecast.Scene.from_mesh(ROOT / "data/jacksboro.ply", precision="f32")
    (low, high), size = scene.bounds, np.ptp(scene.bounds, axis=0)
    middle = (low + high) / 2
    eye = middle + [0.4 * size[0], -0.7 * size[1], size[:2].max()]
    rays = lanecast.Pinhole(eye=eye, target=middle, fov=50, size=(1000, 1000)).rays().reshape(-1, 6)
    # The middle of the picture first, where the batch of a thousand is of hits.
    rays = np.roll(rays, 500_000, axis=0)
    with tempfile.TemporaryDirectory() as folder:
        scene.save(Path(folder, "scene"))
        rays.tofile(Path(folder, "rays"))
        arguments = [ROOT / "target/release/examples/overhead", Path(folder, "scene"), Path(folder, "rays")]
        scene = lanecast.Scene.open(Path(folder, "scene"))
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rust:
            for query in ("closest", "any"):
                for kept in ("new", "reused"):
                    for rows, calls in ((1_000_000, 1), (1000, 300)):
                        compare(scene, rays[:rows], query, kept, calls, rounds, rust)
            rust.stdin.close()


def processor(process):
    """The time of the processor that the threads of a process have had, in seconds; NaN if unknown."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) * 1e-9 or float("nan")


def compare(scene, rays, query, kept, calls, rounds, rust):
    cast = scene.closest_hit if query == "closest" else scene.any_hit
    options = {} if kept == "new" else {"out": cast(rays)}

    def from_numpy():
        seconds, before = [], processor(os.getpid())
        for _ in range(calls):
            start = time.perf_counter()
            answer = cast(rays, **options)
            seconds.append(time.perf_counter() - start)
        used = processor(os.getpid()) - before
        hits = answer.is_hit if query == "closest" else answer
        return statistics.median(seconds), used, int(hits.sum())

    def from_rust():
        before = processor(rust.pid)
        rust.stdin.write(f"{query} {kept} {len(rays)} {calls}\n")
        rust.stdin.flush()
        seconds, hits = rust.stdout.readline().split()
        return float(seconds), processor(rust.pid) - before, int(hits)

    pairs = []
    for turn in range(rounds):
        first, second = (from_numpy, from_rust) if turn % 2 else (from_rust, from_numpy)
        measured = {first: first(), second: second()}
        (*of_numpy, numpy_hits), (*of_rust, rust_hits) = measured[from_numpy], measured[from_rust]
        assert numpy_hits == rust_hits, "the answers differ"
        pairs.append((of_numpy, of_rust))
    ratio, used = (statistics.median(a[place] / b[place] for a, b in pairs) for place in (0, 1))
    more = statistics.median(a[0] - b[0] for a, b in pairs) * 1e6
    of_numpy, of_rust = (statistics.median(one[0] for one in column) * 1e6 for column in zip(*pairs))
    print(
        f"{query:7} {kept:6} {len(rays):9,} rays: NumPy {of_numpy:10.1f} us, Rust {of_rust:10.1f} us, "
        f"ratio {ratio:.3f}, of the processor {used:.3f}, difference {more:.1f} us",
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 21)
