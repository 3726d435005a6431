"""Triangle meshes as binary PLY, for the scripts of this folder (numpy only)."""

import numpy as np

FACE = np.dtype([("count", "u1"), ("corners", "<i4", 3)])


def write_ply(path, vertices, triangles, comments=()):
    """Writes float x y z and triangles as `list uchar int`, little endian."""
    vertices = np.ascontiguousarray(vertices, dtype="<f4")
    faces = np.empty(len(triangles), FACE)
    faces["count"] = 3
    faces["corners"] = triangles
    header = ["ply", "format binary_little_endian 1.0"]
    header += [f"comment {line}" for line in comments]
    header += [f"element vertex {len(vertices)}"]
    header += [f"property float {axis}" for axis in "xyz"]
    header += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    with open(path, "wb") as file:
        file.write(("\n".join(header) + "\n").encode("ascii"))
        file.write(vertices.tobytes())
        file.write(faces.tobytes())


def read_ply(path):
    """Reads back what `write_ply` writes, and no other kind of PLY."""
    with open(path, "rb") as file:
        data = file.read()
    head, mark, body = data.partition(b"end_header\n")
    lines = [line for line in head.decode("ascii").splitlines() if not line.startswith("comment")]
    plain = [line for line in lines if not line.startswith("element")]
    expected = ["ply", "format binary_little_endian 1.0"]
    expected += [f"property float {axis}" for axis in "xyz"]
    expected += ["property list uchar int vertex_indices"]
    if not mark or plain != expected:
        raise ValueError(f"{path}: not a PLY of the kind that meshfile.py writes")
    count = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith("element")}
    split = 12 * count["vertex"]
    if len(body) != split + FACE.itemsize * count["face"]:
        raise ValueError(f"{path}: {len(body)} bytes of data do not fit the header")
    vertices = np.frombuffer(body, "<f4", 3 * count["vertex"]).reshape(-1, 3)
    faces = np.frombuffer(body, FACE, count["face"], split)
    if not (faces["count"] == 3).all():
        raise ValueError(f"{path}: a face is not a triangle")
    return vertices.copy(), faces["corners"].astype(np.int64)
