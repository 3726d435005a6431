#!/usr/bin/env python3
"""Instructions a ray of the example `instructions`: those that three casts take more than one.

    benches/instructions.py PROGRAM [BACKEND]

Programs for AArch64 run under qemu-aarch64-static, which lists the instructions of each block and each run of a block;
others under valgrind's callgrind, which knows no AVX-512.
"""

import os
import re
import subprocess
import sys

RAYS, FEW, MANY = 4096, 1, 3
LIBRARIES = os.environ.get("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu")


def is_for_aarch64(program):
    with open(program, "rb") as file:
        header = file.read(20)
    return header[:4] == b"\x7fELF" and header[18:20] == b"\xb7\x00"


def under_qemu(command):
    """Each block is listed before it runs for the first time: its address is that of its first instruction."""
    read, write = os.pipe()
    logged = ["-d", "in_asm,exec,nochain", "-D", f"/dev/fd/{write}"]
    process = subprocess.Popen(
        ["qemu-aarch64-static", "-L", LIBRARIES, *logged, *command], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    os.close(write)
    lengths, block, total = {}, None, 0
    with os.fdopen(read, "rb", buffering=1 << 20) as log:
        for line in log:
            if line.startswith(b"Trace"):
                total += lengths[int(line.split(b"/", 2)[1], 16)]
            elif line.startswith(b"IN:"):
                block = None
            elif line.startswith(b"0x"):
                block = block or int(line.split(b":", 1)[0], 16)
                lengths[block] = 1 if line.startswith(b"%#x:" % block) else lengths[block] + 1
    if process.wait() != 0:
        sys.exit(f"{command} failed")
    return total


def under_valgrind(command):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    program, backend = sys.argv[1], sys.argv[2:]
    count = under_qemu if is_for_aarch64(program) else under_valgrind
    means = []
    for rays in ("camera", "random"):
        few, many = (count([program, rays, str(number), *backend]) for number in (FEW, MANY))
        means.append((many - few) / (MANY - FEW) / RAYS)
        print(f"{rays}: {means[-1]:.0f} instructions a ray")
    print(f"mean: {sum(means) / len(means):.0f}")


if __name__ == "__main__":
    main()
