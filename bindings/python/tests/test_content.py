"""What scenes hold."""

import numpy as np
import pytest
from reference import soup, torus

import lanecast
from lanecast import INVALID_ID, Scene


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_triangles_are_those_that_were_given(dtype):
    rng = np.random.default_rng(1)
    meshes = [soup(rng, 40), soup(rng, 7)]
    scene = Scene.build(
        lanecast.Mesh(*meshes[0]),
        lanecast.Spheres([[0, 0, 0]], 1),
        lanecast.Mesh(*meshes[1]),
        precision=dtype,
    )
    triangles = scene.triangles()
    assert (
        len(triangles) == 47 and triangles.vertices.dtype == dtype and triangles.vertices.shape == (47, 3, 3)
    )
    assert triangles.geometry_id.tolist() == [0] * 40 + [2] * 7
    assert triangles.primitive_id.tolist() == [*range(40), *range(7)]
    expected = np.concatenate([vertices[corners] for vertices, corners in meshes])
    assert np.array_equal(triangles.vertices, expected.astype(dtype))
    for row in (0, 39, 40, 46):
        corners = scene.triangle(triangles.geometry_id[row], triangles.primitive_id[row])
        assert corners.dtype == dtype and np.array_equal(corners, triangles.vertices[row])
    for ids in [(0, 40), (1, 0), (3, 0)]:
        with pytest.raises(IndexError, match=f"geometry {ids[0]}"):
            scene.triangle(*ids)
    assert Scene.build().triangles().vertices.shape == (0, 3, 3)


def test_geometries_are_described():
    scene = Scene.build(
        lanecast.Mesh(*torus(), name="torus", mask=6, user_data=2**60),
        lanecast.Quads([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]]),
        lanecast.Boxes([[0, 0, 0]], [[1, 1, 1]], name="box"),
    )
    assert scene.geometry_names == {0: "torus", 1: "", 2: "box"}
    assert scene.geometry(0) == lanecast.GeometryInfo(0, "mesh", 216, 6, "torus", 2**60)
    assert [scene.geometry(id).kind for id in range(3)] == ["mesh", "mesh", "boxes"]
    assert scene.geometry(1).primitive_count == 2
    with pytest.raises(IndexError, match="no geometry 3"):
        scene.geometry(3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cylinders_have_flat_caps_an_inside_and_closest_points(dtype):
    poles = lanecast.Cylinders([[0, 0, 0], [9, 0, 0]], [[0, 0, 8], [9, 4, 0]], [0.5, 1], name="poles")
    scene = Scene.build(poles, precision=dtype)
    assert scene.geometry(0) == lanecast.GeometryInfo(0, "cylinders", 2, 0xFFFFFFFF, "poles", 0)
    rays = [[-3, 0, 2, 1, 0, 0], [0.25, 0, 9, 0, 0, -1], [9, 9, 0.5, 0, -1, 0], [2, 0, 9, 0, 0, -1]]
    hits = scene.closest_hit(rays)
    assert hits.t.tolist() == [2.5, 1, 5, np.inf] and hits.u.tolist() == [0.25, 1, 1, 0]
    assert hits.primitive_id.tolist() == [0, 0, 1, INVALID_ID]
    assert scene.contains([[0.25, 0, 7], [0.25, 0, 8.5], [9, 3, 0.5]]).tolist() == [True, False, True]
    assert scene.distance([[0, 0, 10], [3, 0, 4], [9, 2, 0.25]]).tolist() == [2, 2.5, 0.75]
    # Of the second ball the rim is too far.
    balls = [lanecast.Ball([0, 0, 9], 1.5), lanecast.Ball([0, 0.75, 8.25], 0.25)]
    assert [len(scene.overlap(region)) for region in [*balls, lanecast.Box([7, 1, -1], [8, 2, 0])]] == [1, 0, 1]


def test_instances_are_described():
    ball = Scene.build(lanecast.Spheres([[0, 0, 0]], 1, name="ball"))
    at = np.diag([1.0, 2, 3, 1])
    at[:3, 3] = [4, 5, 6]
    pair = Scene.build(lanecast.Instance(ball, np.eye(4)), lanecast.Instance(ball, at))
    scene = Scene.build(
        lanecast.Instance(pair, np.eye(4), name="pair"),
        lanecast.Instance(ball, at[:3], mask=5, name="one", user_data=7),
    )
    assert scene.instances == [0, 1]
    one = scene.instance(1)
    assert (one.instance, one.mask, one.name, one.user_data) == (1, 5, "one", 7)
    assert one.transform.dtype == np.float64 and np.array_equal(one.transform, at)
    assert one.scene.geometry_names == {0: "ball"} and scene.instance(0).scene.instance_count == 2
    assert scene.instance_path(one.instance_id) == (1,)
    hits = scene.closest_point([[4.0, 5, 20]])
    assert scene.instance_path(int(hits.instance_id[0])) in {(0, 1), (1,)}
    assert scene.instance_path(INVALID_ID) == ()
    for query in (scene.instance, scene.instance_path):
        with pytest.raises(IndexError, match="no instance"):
            query(17)


def test_open_edges_and_the_tolerance_that_closes_them():
    vertices, triangles = torus()
    assert Scene(vertices, triangles).open_edge() is None
    assert Scene(vertices, triangles).closing_tolerance() is None
    edge = Scene(vertices, triangles[1:]).open_edge()
    assert edge.geometry_id == 0 and edge.ends.shape == (2, 3) and edge.ends.dtype == np.float32
    missing = {tuple(corner) for corner in vertices[triangles[0]].tolist()}
    assert {tuple(end) for end in edge.ends.tolist()} <= missing
    corners = vertices[triangles].reshape(-1, 3)
    corners[-1] += 1e-4
    apart = np.arange(len(corners)).reshape(-1, 3)
    broken = Scene(corners, apart)
    tolerance = broken.closing_tolerance()
    assert broken.open_edge() is not None and broken.welded is None
    assert isinstance(tolerance, float) and 1e-4 < tolerance < 2e-4
    welded = Scene(corners, apart, weld=tolerance)
    assert welded.open_edge() is None
    assert welded.welded.joined == 1 and welded.welded.collapsed == 0
    assert 1e-4 < welded.welded.farthest <= tolerance
    assert isinstance(Scene(corners, apart, precision="f64").closing_tolerance(), float)


def test_statistics_count_what_is_there():
    scene = Scene.build(lanecast.Mesh(*torus()), lanecast.Spheres([[0, 0, 0], [9, 0, 0]], 1))
    triangles, others = scene.statistics(), scene.statistics(others=True)
    assert (triangles.primitives, others.primitives) == (216, 2)
    assert triangles.leaves >= 27 and triangles.depth > 1 and triangles.bytes > 216 * 36
    assert triangles.primitives_per_leaf == pytest.approx(216 / triangles.leaves)
    assert triangles.sah_cost == triangles.sah_cost_as_built > 1
