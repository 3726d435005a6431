#!/usr/bin/env python3
"""The rate of the example `instructions` as WASM beside that of a program of this machine, with its portable backend.

    benches/simd128.py PROGRAM MODULE

CPU time of 1,200 casts more in turn, and the median of the ratios. Node runs the module, which is compiled for `wasm32-wasip1` with
`-Ctarget-feature=+simd128` and no default features.
"""

import resource
import statistics
import subprocess
import sys

FEW, MANY, ROUNDS = 200, 1400, 11
RUN = """
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";
const wasi = new WASI({ version: "preview1", args: process.argv.slice(1) });
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[1]), wasi.getImportObject());
process.exitCode = wasi.start(instance);
"""


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    program, module = sys.argv[1:]
    node = ["node", "--no-warnings", "--input-type=module", "--eval", RUN, "--", module]
    for rays in ("camera", "random"):
        ratios = []
        for _ in range(ROUNDS):
            here, there = (
                seconds([*command, rays, str(MANY), *backend]) - seconds([*command, rays, str(FEW), *backend])
                for command, backend in (([program], ["portable"]), (node, ["portable"]))
            )
            ratios.append(here / there)
        print(f"{rays}: {statistics.median(ratios):.2f} of the portable backend here, from {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
