"""Each call in the tables of docs/guide/coming-from.md is one that there is: on the right, and on the left
where it is installed.
"""

import importlib.util
import re
from pathlib import Path

import lanecast
import lanecast.pyvista
import lanecast.trimesh
import numpy as np
import pytest
from brute_force import ball, random_rays

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "coming-from.md"


def cells(heading, column):
    """The calls in a column of the tables under a heading, in their order."""
    section = GUIDE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    found = [call for row in rows for call in re.findall(r"`([^`]+)`", row[column])]
    # Names of columns stand by themselves.
    return [call for call in found if re.search(r"[(.=]", call)]


def names(**more):
    vertices, faces = ball(2)
    origins, directions = random_rays(50, 1)
    rays = np.concatenate((origins, directions), axis=1).astype(np.float32)
    mesh = lanecast.Mesh(vertices, faces, deformable=True)
    known = dict(
        np=np,
        lanecast=lanecast,
        vertices=vertices,
        faces=faces,
        triangles=faces,
        rays=rays,
        lengths=np.ones(50),
    )
    known |= dict(
        normals=vertices,
        origins=origins,
        directions=directions,
        points=origins,
        scene=lanecast.Scene.build(mesh),
    )
    return known | more


def run(calls, known):
    for call in calls:
        exec(call, known)


def test_calls_of_lanecast_run():
    class OfTrimesh:
        vertices, faces = ball(2)

        def __hash__(self):
            return 1

    mesh = lanecast.trimesh.use(OfTrimesh())
    for heading, column in [("trimesh with embreex", 1), ("Open3D", 1), ("Embree", 2)]:
        calls = cells(heading, column)
        assert len(calls) > 10
        run(calls, names(mesh=mesh))


def test_calls_of_trimesh_run():
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("rtree")
    calls = [call for call in cells("trimesh with embreex", 0) if "mesh" in call and "Mesh" not in call]
    assert len(calls) > 7
    run(calls, names(trimesh=trimesh, mesh=lanecast.trimesh.use(trimesh.Trimesh(*ball(2)))))


def test_calls_of_embreex_run():
    rtcore_scene = pytest.importorskip("embreex.rtcore_scene")
    from embreex.mesh_construction import TriangleMesh

    calls = [call for call in cells("trimesh with embreex", 0) if "mesh" not in call]
    assert len(calls) > 5
    vertices, faces = ball(2)
    single = {
        "vertices": vertices.astype("f4"),
        "faces": faces.astype("i4"),
        "lengths": np.ones(50, dtype="f4"),
    }
    rays = {name: array.astype("f4") for name, array in zip(("origins", "directions"), random_rays(50, 1))}
    run(calls, names(rtcore_scene=rtcore_scene, TriangleMesh=TriangleMesh, **single, **rays))


def test_calls_of_pyvista_run():
    pyvista = pytest.importorskip("pyvista")
    polydata = pyvista.PolyData.from_regular_faces(*ball(2))
    columns = [0, 1] if importlib.util.find_spec("embreex") else [1]
    for column in columns:
        calls = cells("PyVista", column)
        assert len(calls) == 2
        run(calls, names(polydata=polydata))


def test_calls_of_open3d_run():
    try:
        import open3d as o3d
    except ImportError as missing:
        pytest.skip(f"without Open3D: {missing}")
    calls = cells("Open3D", 0)
    assert len(calls) > 8
    vertices, faces = ball(2)
    single = {
        "vertices": o3d.core.Tensor(vertices.astype("f4")),
        "triangles": o3d.core.Tensor(faces.astype("u4")),
    }
    run(calls, names(o3d=o3d, **single, points=random_rays(50, 1)[0].astype("f4")))
