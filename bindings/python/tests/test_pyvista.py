"""`lanecast.pyvista` against brute force, and against PyVista's own ray tracing by VTK and by trimesh."""

import pickle

import lanecast.pyvista
import numpy as np
import pytest
from brute_force import ball, box, hit_distances, hold_examples, joined, random_rays
from lanecast.pyvista import multi_ray_trace, ray_trace

pyvista = pytest.importorskip("pyvista")


def mesh_of(vertices, faces, dtype="float64"):
    return pyvista.PolyData.from_regular_faces(np.asarray(vertices, dtype=dtype), faces)


SOLID = joined(ball(3), box((2, -1, -1), (4, 1, 1)))


def test_hits_are_those_of_brute_force():
    origins, directions = random_rays(400, 1)
    expected = hit_distances(*SOLID, origins, directions)
    points, rays, cells = multi_ray_trace(mesh_of(*SOLID), origins, directions)
    assert points.dtype == np.float64 and rays.dtype == cells.dtype == np.int64
    t = expected[rays, cells]
    assert len(t) == (expected < np.inf).sum() > 300
    assert (np.lexsort((t, rays)) == np.arange(len(t))).all()
    assert np.abs(origins[rays] + t[:, None] * directions[rays] - points).max() < 1e-12
    points, rays, cells = multi_ray_trace(mesh_of(*SOLID), origins, directions, first_point=True)
    assert np.array_equal(rays, np.flatnonzero(expected.min(axis=1) < np.inf))
    assert np.array_equal(cells, expected.argmin(axis=1)[rays])

    for dtype, tolerance in ("float64", 1e-12), ("float32", 1e-5):
        mesh = mesh_of(*SOLID, dtype)
        for row in range(0, 400, 10):
            points, cells = ray_trace(mesh, origins[row], origins[row] + directions[row])
            within = np.argsort(expected[row])[: (expected[row] <= 1).sum()]
            assert points.dtype == dtype and cells.tolist() == within.tolist()
            where = origins[row] + expected[row][within, None] * directions[row]
            assert points.shape == where.shape and np.abs(points - where).max(initial=0) < tolerance


def test_hits_are_those_of_pyvista():
    mesh = pyvista.Sphere(theta_resolution=20, phi_resolution=20)
    origins, directions = random_rays(200, 2, reach=1.0)
    for row in range(200):
        ends = origins[row], origins[row] + directions[row]
        expected, found = mesh.ray_trace(*ends), ray_trace(mesh, *ends)
        assert [part.dtype for part in found] == [part.dtype for part in expected]
        assert [part.shape for part in found] == [part.shape for part in expected]
        # PyVista sorts them by x, downwards.
        order, other = (np.argsort(points[:, 0]) for points, _ in (found, expected))
        assert np.allclose(found[0][order], expected[0][other], atol=1e-5)
        assert np.array_equal(found[1][order], expected[1][other])
        first = [part.shape for part in ray_trace(mesh, *ends, first_point=True)]
        assert first == [part.shape for part in mesh.ray_trace(*ends, first_point=True)]
    pytest.importorskip("embreex")
    for first_point in False, True:
        expected = mesh.multi_ray_trace(origins, directions, first_point=first_point)
        found = multi_ray_trace(mesh, origins, directions, first_point=first_point, retry=True)
        assert [part.dtype for part in found] == [part.dtype for part in expected]
        # trimesh gives all first hits, then all second ones.
        order = np.argsort(expected[1], kind="stable")
        assert np.array_equal(found[1], expected[1][order]) and np.array_equal(found[2], expected[2][order])
        assert np.allclose(found[0], expected[0][order], atol=1e-5)
    assert len(found[0]) > 20


def test_cells_are_polygons_lines_and_points():
    cube = pyvista.Cube()
    assert cube.n_cells == 6
    expected = cube.ray_trace([0.1, 0.2, -1], [0.1, 0.2, 1])
    points, cells = ray_trace(cube, [0.1, 0.2, 1], [0.1, 0.2, -1])
    assert np.allclose(points, expected[0]) and np.array_equal(cells, expected[1])
    # Along the edge between the triangles of a polygon, and of two polygons.
    for columns in 1, 2:
        plane = pyvista.Plane(i_resolution=columns, j_resolution=1)
        assert len(ray_trace(plane, [0, 0, 1], [0, 0, -1])[1]) == 1
    # A notch, which a fan of triangles would cover.
    corners = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [1, 0.5, 0], [0, 2, 0]]
    notched = pyvista.PolyData(
        np.array(corners, "float64"), faces=[5, 0, 1, 2, 3, 4], verts=[1, 0, 1, 1], lines=[2, 0, 1]
    )
    origins = [[0.25, 1, 1], [1, 1, 1], [1.75, 1, 1]]
    assert [part.tolist() for part in multi_ray_trace(notched, origins, [[0, 0, -1]] * 3)[1:]] == [
        [0, 2],
        [3, 3],
    ]


def test_the_scene_is_kept_until_the_mesh_changes():
    mesh = pyvista.Sphere()
    line = [0.1, 0.1, -9], [0.1, 0.1, 9]
    assert len(ray_trace(mesh, *line)[0]) == 2
    scene = mesh._lanecast.scene
    mesh.cell_data["number"] = np.arange(mesh.n_cells)
    ray_trace(mesh, *line)
    assert mesh._lanecast.scene is scene
    for change in (
        lambda: mesh.translate([5, 0, 0], inplace=True),
        lambda: mesh.points.__setitem__(slice(None), mesh.points - np.float32([5, 0, 0])),
        lambda: setattr(mesh, "points", mesh.points + np.float32([5, 0, 0])),
    ):
        before = len(ray_trace(mesh, *line)[0])
        change()
        assert len(ray_trace(mesh, *line)[0]) == 2 - before
    mesh.points -= np.float32([5, 0, 0])
    small = len(pickle.dumps(mesh.copy()))
    ray_trace(mesh, *line)
    assert len(pickle.dumps(mesh)) < small + 1000, "without the scene"
    for other in mesh.copy(), pickle.loads(pickle.dumps(mesh)):
        assert len(ray_trace(other, *line)[0]) == 2


def test_nothing_hit_has_the_shape_and_type_of_hits():
    for mesh in pyvista.Sphere(), pyvista.PolyData(), pyvista.PolyData(np.zeros((1, 3))):
        for first_point in False, True:
            points, cells = ray_trace(mesh, [5, 5, 5], [6, 6, 6], first_point)
            assert points.shape == (0, 3) and cells.shape == (0,) and cells.dtype == np.int64
            for rays in ([[5, 5, 5]], [[1, 0, 0]]), ([[0, 0, 0]], [[0, 0, np.nan]]), (np.zeros((0, 3)),) * 2:
                found = multi_ray_trace(mesh, *rays, first_point)
                assert [part.shape for part in found] == [(0, 3), (0,), (0,)]


def test_what_cannot_be_used_is_named():
    mesh = pyvista.Sphere()
    with pytest.raises(TypeError, match="^mesh: it is a ndarray; a PolyData of PyVista was expected"):
        ray_trace(np.zeros(3), [0, 0, 0], [1, 1, 1])
    with pytest.raises(ValueError, match="^mesh: it has 1 strips"):
        ray_trace(pyvista.PolyData(np.eye(3), strips=[3, 0, 1, 2]), [0, 0, 0], [1, 1, 1])
    with pytest.raises(ValueError, match=r"^end_point: its shape is \(2,\); \(3,\) was expected"):
        ray_trace(mesh, [0, 0, 0], [1, 1])
    with pytest.raises(ValueError, match=r"^origins: their shape is \(3,\); \(n, 3\)"):
        multi_ray_trace(mesh, [0, 0, 0], [[1, 1, 1]])
    with pytest.raises(ValueError, match="^directions: there are 2 of them, and 1 origins"):
        multi_ray_trace(mesh, [[0, 0, 0]], [[1, 1, 1]] * 2)


def test_examples_hold():
    for function in ray_trace, multi_ray_trace:
        hold_examples("lanecast.pyvista", lanecast.pyvista, function)
