"""`lanecast.open3d` against brute force, and against Open3D where it is installed."""

import subprocess
import sys

import lanecast
import numpy as np
import pytest
from brute_force import ball, box, distances, hit_distances, hold_examples, joined, random_rays
from lanecast import INVALID_ID
from lanecast.open3d import RaycastingScene


def scene_of(*meshes):
    scene = RaycastingScene()
    assert [scene.add_triangles(*mesh) for mesh in meshes] == list(range(len(meshes)))
    return scene


def rays_of(count, seed):
    return np.concatenate(random_rays(count, seed), axis=1).astype(np.float32)


def expected_hits(meshes, rays):
    rows = rays.reshape(-1, 6)
    vertices, faces = joined(*meshes)
    t = hit_distances(vertices.astype(np.float32), faces, rows[:, :3], rows[:, 3:])
    # The geometry and the triangle in it of each column.
    columns = [(geometry, i) for geometry, (_, faces) in enumerate(meshes) for i in range(len(faces))]
    return t, np.array(columns)


TWO = [ball(3), box((2, -1, -1), (4, 1, 1))]


def test_first_hits_are_those_of_brute_force():
    rays = rays_of(600, 1).reshape(20, 30, 6)
    t, columns = expected_hits(TWO, rays)
    answers = scene_of(*TWO).cast_rays(rays)
    kinds = {name: (array.dtype, array.shape) for name, array in answers.items()}
    f4, u4 = np.dtype("float32"), np.dtype("uint32")
    assert kinds == {
        "t_hit": (f4, (20, 30)),
        "geometry_ids": (u4, (20, 30)),
        "primitive_ids": (u4, (20, 30)),
        "primitive_uvs": (f4, (20, 30, 2)),
        "primitive_normals": (f4, (20, 30, 3)),
    }
    answers = {name: array.reshape(600, *array.shape[2:]) for name, array in answers.items()}
    is_hit = t.min(axis=1) < np.inf
    assert 100 < is_hit.sum() < 600
    assert np.array_equal(np.isinf(answers["t_hit"]), ~is_hit)
    assert np.abs(answers["t_hit"][is_hit] - t.min(axis=1)[is_hit]).max() < 1e-5
    ids = np.where(is_hit[:, None], columns[t.argmin(axis=1)], INVALID_ID)
    assert np.array_equal(answers["geometry_ids"], ids[:, 0]) and np.array_equal(
        answers["primitive_ids"], ids[:, 1]
    )
    assert RaycastingScene.INVALID_ID == INVALID_ID == 0xFFFFFFFF
    vertices, faces = joined(*TWO)
    a, b, c = np.moveaxis(vertices[faces[t.argmin(axis=1)]], 1, 0)
    u, v = answers["primitive_uvs"].T[..., None]
    points = rays.reshape(-1, 6)[:, :3] + rays.reshape(-1, 6)[:, 3:] * answers["t_hit"][:, None]
    assert np.abs(a + u * (b - a) + v * (c - a) - points)[is_hit].max() < 1e-5
    normals = np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a), axis=1, keepdims=True)
    assert np.abs(answers["primitive_normals"] - normals)[is_hit].max() < 1e-6
    assert not answers["primitive_normals"][~is_hit].any() and not answers["primitive_uvs"][~is_hit].any()


def test_all_hits_and_their_number_are_those_of_brute_force():
    rays = rays_of(600, 2).reshape(20, 30, 6)
    t, columns = expected_hits(TWO, rays)
    scene = scene_of(*TWO)
    count = scene.count_intersections(rays)
    assert count.dtype == np.int32 and count.shape == (20, 30)
    assert np.array_equal(count.ravel(), (t < np.inf).sum(axis=1)) and count.max() >= 4
    hits = scene.list_intersections(rays)
    assert {name: (array.dtype.name, array.shape[1:]) for name, array in hits.items()} == {
        "ray_splits": ("uint32", ()),
        "ray_ids": ("uint32", ()),
        "t_hit": ("float32", ()),
        "geometry_ids": ("uint32", ()),
        "primitive_ids": ("uint32", ()),
        "primitive_uvs": ("float32", (2,)),
    }
    assert np.array_equal(np.diff(hits["ray_splits"]), count.ravel())
    assert np.array_equal(hits["ray_ids"], np.repeat(np.arange(600), count.ravel()))
    for ray in range(600):
        rows = slice(*hits["ray_splits"][ray : ray + 2])
        nearest = np.argsort(t[ray])[: count.ravel()[ray]]
        assert np.array_equal(
            np.stack((hits["geometry_ids"][rows], hits["primitive_ids"][rows]), axis=1), columns[nearest]
        )
        assert np.allclose(hits["t_hit"][rows], t[ray][nearest], atol=1e-5)


def test_occlusion_is_asked_of_an_interval():
    rays = rays_of(600, 3)
    t, _ = expected_hits(TWO, rays)
    scene = scene_of(*TWO)
    for low, high in (0, np.inf), (0.7, np.inf), (0, 0.6), (0.8, 1.1):
        is_hit = scene.test_occlusions(rays, tnear=low, tfar=high)
        assert is_hit.dtype == bool and np.array_equal(
            is_hit, ((t >= low) & (t <= high) & (t < np.inf)).any(axis=1)
        )
    assert not scene.test_occlusions(rays, tnear=2, tfar=1).any()


def test_points_are_answered_as_by_brute_force():
    solids = [ball(2), box((2, -1, -1), (4, 1, 1)), box((2.5, -0.5, -0.5), (3.5, 0.5, 0.5))]
    vertices, faces = joined(*solids)
    points = np.random.default_rng(5).uniform((-2, -2, -2), (5, 2, 2), (40, 10, 3)).astype(np.float32)
    rows = points.reshape(-1, 3)
    expected = distances(vertices, faces, rows).reshape(40, 10)
    direction = np.broadcast_to([0.2, 0.5, 0.7], rows.shape)
    crossings = (hit_distances(vertices, faces, rows, direction) < np.inf).sum(axis=1).reshape(40, 10)
    is_inside = crossings % 2 == 1
    assert 20 < is_inside.sum() < 300
    scene = scene_of(*solids)
    answers = {
        "distance": scene.compute_distance(points),
        "signed": scene.compute_signed_distance(points, nsamples=3),
        "occupancy": scene.compute_occupancy(points),
    }
    assert all(array.dtype == np.float32 and array.shape == (40, 10) for array in answers.values())
    assert np.abs(answers["distance"] - expected).max() < 1e-5
    assert np.abs(answers["signed"] - np.where(is_inside, -expected, expected)).max() < 1e-5
    assert np.array_equal(answers["occupancy"], is_inside)
    closest = scene.compute_closest_points(points)
    assert {name: (array.dtype.name, array.shape) for name, array in closest.items()} == {
        "points": ("float32", (40, 10, 3)),
        "geometry_ids": ("uint32", (40, 10)),
        "primitive_ids": ("uint32", (40, 10)),
        "primitive_uvs": ("float32", (40, 10, 2)),
        "primitive_normals": ("float32", (40, 10, 3)),
    }
    assert np.abs(np.linalg.norm(closest["points"] - points, axis=-1) - expected).max() < 1e-5
    starts = np.cumsum([0] + [len(faces) for _, faces in solids])
    a, b, c = np.moveaxis(vertices[faces[starts[closest["geometry_ids"]] + closest["primitive_ids"]]], -2, 0)
    u, v = np.moveaxis(closest["primitive_uvs"], -1, 0)[..., None]
    assert np.abs(a + u * (b - a) + v * (c - a) - closest["points"]).max() < 1e-5
    normals = np.cross(b - a, c - a)
    assert (
        np.abs(closest["primitive_normals"] - normals / np.linalg.norm(normals, axis=-1, keepdims=True)).max()
        < 1e-6
    )


def test_surface_points_have_no_sign_and_open_surfaces_an_inside():
    cube = scene_of(box())
    on = cube.compute_signed_distance([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0.25]])
    assert on.tolist() == [0, 0, -0.25] and not np.signbit(on[:2]).any()
    vertices, faces = ball(3)
    bowl = scene_of((vertices, faces[vertices[faces].mean(axis=1)[:, 0] < 0.9]))
    assert bowl.compute_occupancy([[0, 0, 0], [-2, 0, 0], [2, 0, 0]]).tolist() == [1, 0, 0]
    for nsamples in 0, 2, -1:
        with pytest.raises(ValueError, match="nsamples"):
            cube.compute_occupancy([[0, 0, 0]], nsamples=nsamples)


def test_geometry_added_after_a_query_is_seen_by_the_next():
    rays = [[3, 0, 5, 0, 0, -1]]
    scene = RaycastingScene(nthreads=1)
    assert np.isinf(scene.cast_rays(rays)["t_hit"]).all() and scene.count_intersections(rays).tolist() == [0]
    vertices, faces = (array.astype(dtype) for array, dtype in zip(ball(1), ("float32", "uint32")))
    assert scene.add_triangles(vertex_positions=vertices, triangle_indices=faces) == 0
    assert not scene.test_occlusions(rays, nthreads=1).any()
    vertices += [3, 0, 0]
    assert np.isinf(scene.cast_rays(rays)["t_hit"]).all(), "arrays were copied"

    class OfFaces:
        pass

    mesh = OfFaces()
    mesh.vertices, mesh.faces = vertices, faces
    assert scene.add_triangles(mesh=mesh) == 1
    assert scene.cast_rays(rays, nthreads=2)["geometry_ids"].tolist() == [1]


def test_wrong_arguments_are_named():
    scene = scene_of(box())
    vertices, faces = box()
    for arguments, error, message in [
        (([[0, 0]], faces), ValueError, r"vertex_positions: their shape is \(1, 2\)"),
        (([vertices], faces), ValueError, r"vertex_positions: their shape is \(1, 8, 3\); \(n, 3\)"),
        ((vertices, faces.astype(float)), TypeError, "triangle_indices: their dtype is float64"),
        ((vertices, faces[:, :2]), ValueError, r"triangle_indices: their shape is \(12, 2\); \(n, 3\)"),
        ((vertices, [[0, 1, 2], [0, 8, 1]]), ValueError, r"triangle_indices\[1\]: it has vertex 8 of 8"),
        ((vertices, [[0, -1, 2]]), ValueError, r"triangle_indices\[0\]: it has vertex -1 of 8"),
        (
            ([[0, 0, 0], [0, np.inf, 0]], [[0, 0, 1]]),
            ValueError,
            r"^vertex_positions\[1\]: it is \[0.0, inf, 0.0\]",
        ),
        ((3,), TypeError, "mesh: it is int"),
        ((), TypeError, r"add_triangles\(mesh\) or add_triangles\(vertex_positions, triangle_indices\)"),
    ]:
        with pytest.raises(error, match=message):
            scene.add_triangles(*arguments)
    assert scene.add_triangles(*box()) == 1, "nothing was added"
    for query in scene.cast_rays, scene.test_occlusions, scene.count_intersections, scene.list_intersections:
        with pytest.raises(ValueError, match=r"rays: their shape is \(2, 5\); \(..., 6\)"):
            query(np.zeros((2, 5)))
        with pytest.raises(TypeError, match="rays: their dtype is bool"):
            query(np.zeros((2, 6), dtype=bool))
        for nthreads in (-1, 1025):
            with pytest.raises(ValueError, match=f"^nthreads: it is {nthreads}; "):
                query(np.zeros((2, 6)), nthreads=nthreads)
    with pytest.raises(ValueError, match="^nthreads: it is -1; "):
        RaycastingScene(nthreads=-1)
    with pytest.raises(ValueError, match="device"):
        RaycastingScene(device="CUDA:0")
    with pytest.raises(TypeError, match="create_rays_pinhole"):
        RaycastingScene.create_rays_pinhole(60, width_px=3, height_px=4)
    with pytest.raises(ValueError, match=r"extrinsic_matrix: their shape is \(3, 3\); \(4, 4\)"):
        RaycastingScene.create_rays_pinhole(np.eye(3), np.eye(3), 4, 3)
    with pytest.raises(ValueError, match=r"eye: their shape is \(1, 3\); \(3,\)"):
        RaycastingScene.create_rays_pinhole(60, [0, 0, 0], [[0, 0, 1]], [0, 1, 0], 4, 3)


def test_rays_that_cannot_be_cast_miss():
    rays = np.zeros((3, 6), dtype=np.float32)
    rays[1, 3], rays[2, 5] = np.nan, 1
    answers = scene_of(box((-1, -1, 1), (1, 1, 2))).cast_rays(rays)
    assert (
        answers["t_hit"].tolist() == [np.inf, np.inf, 1]
        and answers["primitive_ids"][:2].tolist() == [INVALID_ID] * 2
    )


@pytest.mark.parametrize("forward", [(0, 0, -1), (0, 1, 0), (1, 0, 0), (1, 2, -3), (0.25, 0, 1)])
@pytest.mark.parametrize("up", [1, -2e-9, 1e9, (0.5, 0.25, 2)])
def test_a_camera_with_up_along_its_sight_rolls_as_pinhole_does(forward, up):
    eye, forward = np.array([5.0, 1, 2]), np.array(forward, "float64")
    up = np.array(up) if isinstance(up, tuple) else up * forward
    rays = RaycastingScene.create_rays_pinhole(60, eye + 4 * forward, eye, up, 4, 4).numpy()
    assert len(np.unique(rays.reshape(-1, 6), axis=0)) == 16 and (rays[..., :3] == eye).all()
    camera = lanecast.Pinhole(eye, eye + 4 * forward, up=up, fov=60, size=(4, 4))
    expected = camera.rays("float64")[..., 3:]
    found = rays[..., 3:] / np.linalg.norm(rays[..., 3:], axis=-1, keepdims=True)
    expected = expected / np.linalg.norm(expected, axis=-1, keepdims=True)
    # Open3D's picture is turned by half a turn, with any roll.
    assert np.allclose(found, expected[::-1, ::-1], atol=1e-6)


@pytest.mark.parametrize(
    ("argument", "changed"),
    [
        ("center", {"center": [0, 0, 5]}),
        ("center", {"center": [np.nan, 0, 0]}),
        ("eye", {"eye": [0, np.inf, 0]}),
        ("up", {"up": [0, 0, 0]}),
        ("fov_deg", {"fov_deg": 0}),
        ("fov_deg", {"fov_deg": 180}),
        ("fov_deg", {"fov_deg": np.nan}),
    ],
)
def test_what_makes_no_camera_is_refused(argument, changed):
    camera = dict(fov_deg=60, center=[0, 0, 0], eye=[0, 0, 5], up=[0, 1, 0], width_px=4, height_px=3)
    with pytest.raises(ValueError, match=f"^{argument}: "):
        RaycastingScene.create_rays_pinhole(**{**camera, **changed})
    with pytest.raises(ValueError, match="^extrinsic_matrix: "):
        RaycastingScene.create_rays_pinhole(np.eye(3), np.diag([1, 1, 0, 1]), 4, 3)


def test_a_pinhole_camera_looks_at_its_center():
    rays = RaycastingScene.create_rays_pinhole(
        fov_deg=90, center=[0, 0, 0], eye=[0, 0, -4], up=[0, -1, 0], width_px=4, height_px=2
    ).numpy()
    assert rays.dtype == np.float32 and rays.shape == (2, 4, 6)
    assert (rays[..., :3] == [0, 0, -4]).all()
    # 45 degrees to each side at the outer edges of the outer pixels, in the order of rows downwards.
    x, y = np.meshgrid([-0.75, -0.25, 0.25, 0.75], [-0.25, 0.25])
    assert (
        np.allclose(np.abs(rays[..., 3]), np.abs(x))
        and np.allclose(np.abs(rays[..., 4]), np.abs(y))
        and (rays[..., 5] == 1).all()
    )
    intrinsic, extrinsic = [[2, 0, 2], [0, 2, 1], [0, 0, 1]], np.eye(4)
    extrinsic[2, 3] = 4
    rays = RaycastingScene.create_rays_pinhole(intrinsic, extrinsic, 4, 2)
    assert np.allclose(
        rays, np.concatenate(np.broadcast_arrays([0, 0, -4], np.stack((x, y, np.ones_like(x)), -1)), axis=-1)
    )


@pytest.fixture
def open3d():
    try:
        import open3d
    except ImportError as missing:
        # Of the package, or of a library of the system.
        pytest.skip(f"without Open3D: {missing}")
    return open3d


def test_answers_are_those_of_open3d(open3d):
    theirs, ours = open3d.t.geometry.RaycastingScene(), scene_of(*TWO)
    for vertices, faces in TWO:
        theirs.add_triangles(vertices.astype(np.float32), faces.astype(np.uint32))
    # Some lie so near to an edge that the two may differ.
    rays, points = rays_of(4000, 7).reshape(40, 100, 6), rays_of(4000, 8)[:, :3].copy().reshape(40, 100, 3)
    close = {"t_hit": 1e-5, "points": 1e-5, "primitive_uvs": 2e-3, "primitive_normals": 1e-5}
    for name, argument in [("cast_rays", rays), ("compute_closest_points", points)]:
        expected, found = getattr(theirs, name)(argument), getattr(ours, name)(argument)
        assert expected.keys() == found.keys()
        expected = {key: tensor.numpy() for key, tensor in expected.items()}
        is_same = expected["primitive_ids"] == found["primitive_ids"]
        # The closest point of a point outside of a box is often one of an edge, which two triangles have.
        assert is_same.mean() > (0.999 if name == "cast_rays" else 0.6)
        for key, array in found.items():
            assert array.dtype == expected[key].dtype and array.shape == expected[key].shape
            array, other = array[is_same], expected[key][is_same]
            assert np.allclose(array, other, rtol=0, atol=close.get(key, 0)), key
    count = theirs.count_intersections(rays).numpy()
    assert (count == ours.count_intersections(rays)).mean() > 0.999
    for name, argument, tolerance in [
        ("test_occlusions", rays, 0),
        ("compute_distance", points, 1e-5),
        ("compute_signed_distance", points, 1e-5),
        ("compute_occupancy", points, 0),
    ]:
        expected, found = getattr(theirs, name)(argument).numpy(), getattr(ours, name)(argument)
        assert expected.dtype == found.dtype and expected.shape == found.shape
        is_same = np.abs(expected.astype(float) - found) <= tolerance
        assert is_same.mean() > 0.999, name
    expected, found = theirs.list_intersections(rays), ours.list_intersections(rays)
    assert {key: tensor.numpy().dtype for key, tensor in expected.items()} == {
        key: array.dtype for key, array in found.items()
    }


def test_cameras_are_those_of_open3d(open3d):
    camera = dict(
        fov_deg=50, center=[0.5, 0.2, 0.5], eye=[-1, -2, 3], up=[0, 0.3, 1], width_px=17, height_px=24
    )
    expected = open3d.t.geometry.RaycastingScene.create_rays_pinhole(**camera).numpy()
    found = RaycastingScene.create_rays_pinhole(**camera).numpy()
    assert found.dtype == expected.dtype and np.allclose(found, expected, atol=1e-6)


def test_tensors_give_tensors(open3d):
    Tensor = open3d.core.Tensor
    scene = RaycastingScene(device=open3d.core.Device("CPU:0"))
    cube = open3d.t.geometry.TriangleMesh.create_box()
    assert scene.add_triangles(cube) == 0 and scene.add_triangles(cube.to_legacy()) == 1
    assert scene.add_triangles(cube.vertex.positions, cube.triangle.indices) == 2
    rays = np.array([[0.5, 0.25, -1, 0, 0, 1], [9, 9, 9, 0, 0, 1]], dtype=np.float32)
    for answers in scene.cast_rays(Tensor(rays)), scene.list_intersections(rays=Tensor(rays)):
        assert all(isinstance(tensor, Tensor) for tensor in answers.values())
    assert scene.cast_rays(Tensor(rays))["t_hit"].numpy().tolist() == [1, np.inf]
    assert isinstance(scene.compute_distance(Tensor(rays[:, :3].copy())), Tensor)
    assert scene.test_occlusions(Tensor(rays.reshape(2, 1, 6))).shape == [2, 1]
    camera = [Tensor(np.eye(3)), Tensor(np.eye(4)), 4, 3]
    assert RaycastingScene.create_rays_pinhole(*camera).shape == [3, 4, 6]


def test_cameras_of_lists_are_tensors_where_open3d_is_used(open3d, monkeypatch):
    camera = [60, [0, 0, 0], [0, 0, 5], (0, 1, 0), np.int64(4), 3]
    rays = RaycastingScene.create_rays_pinhole(*camera)
    assert isinstance(rays, open3d.core.Tensor) and rays.dtype == open3d.core.float32
    of_array = RaycastingScene.create_rays_pinhole(60, np.zeros(3), *camera[2:])
    assert isinstance(of_array, np.ndarray) and np.array_equal(rays.numpy(), of_array)
    monkeypatch.delitem(sys.modules, "open3d")
    assert isinstance(RaycastingScene.create_rays_pinhole(*camera), np.ndarray)


def cast_into_a_room(open3d, RaycastingScene):
    """The calls of Open3D's tutorial on casting rays."""
    legacy = open3d.geometry.TriangleMesh
    meshes = [
        legacy.create_box().translate([0, 0, 0.5]),
        legacy.create_torus().translate([0, 0.5, 3]),
        legacy.create_sphere(radius=0.75).translate([-1, 2, 2]),
    ]
    scene = RaycastingScene()
    ids = [scene.add_triangles(open3d.t.geometry.TriangleMesh.from_legacy(mesh)) for mesh in meshes]
    rays = open3d.core.Tensor(
        [[0.4, 0.3, 8, 0, 0, -1], [-3, -3, -3, 0, 0, -1]], dtype=open3d.core.Dtype.Float32
    )
    two = scene.cast_rays(rays)
    yield ids, sorted(two.keys())
    yield from (two[key] for key in ("t_hit", "geometry_ids"))
    rays = RaycastingScene.create_rays_pinhole(
        fov_deg=80, center=[0, 0.5, 2], eye=[2.5, 3, 0], up=[0, 1, 0], width_px=64, height_px=48
    )
    picture = scene.cast_rays(rays)
    yield from (rays, picture["t_hit"], picture["geometry_ids"], picture["primitive_normals"])
    hit = picture["t_hit"].isfinite()
    points = rays[hit][:, :3] + rays[hit][:, 3:] * picture["t_hit"][hit].reshape((-1, 1))
    cloud = open3d.t.geometry.PointCloud(points)
    yield cloud.point.positions
    yield len(cloud.to_legacy().points)


def measure_in_a_room(open3d, RaycastingScene):
    """The calls of Open3D's tutorial on distances."""
    legacy = open3d.geometry.TriangleMesh
    cube = open3d.t.geometry.TriangleMesh.from_legacy(legacy.create_box().translate([-1.3, -1.1, 0]))
    ball = open3d.t.geometry.TriangleMesh.from_legacy(legacy.create_sphere(0.6).translate([0.8, 0.9, 0]))
    scene = RaycastingScene()
    names = {scene.add_triangles(cube): "cube", scene.add_triangles(ball): "ball"}
    point = open3d.core.Tensor([[-0.1, -0.4, 0.3]], dtype=open3d.core.Dtype.Float32)
    yield scene.compute_distance(point)
    yield scene.compute_signed_distance(point)
    yield scene.compute_occupancy(point)
    closest = scene.compute_closest_points(point)
    yield closest["points"], names[closest["geometry_ids"][0].item()], closest["primitive_ids"][0].item()
    low, high = (bound(0).numpy() for bound in (ball.vertex.positions.min, ball.vertex.positions.max))
    # Not along the edges of the ball, where rays of Open3D go astray.
    ranges = np.linspace(low - [0.1, 0.13, 0.17], high + 0.1, num=9)
    grid = np.stack(np.meshgrid(*ranges.T), axis=-1).astype(np.float32)
    yield scene.compute_signed_distance(grid).numpy()[:, :, 4]
    yield scene.compute_occupancy(grid).numpy()
    closest = scene.compute_closest_points(grid)
    distance = np.linalg.norm(grid - closest["points"].numpy(), axis=-1)
    counts = scene.count_intersections(np.concatenate([grid, np.ones_like(grid)], axis=-1)).numpy()
    distance[counts % 2 == 1] *= -1
    yield distance
    yield closest["geometry_ids"].numpy()


@pytest.mark.parametrize("tutorial", [cast_into_a_room, measure_in_a_room])
def test_tutorials_of_open3d_run(open3d, tutorial):
    expected = list(tutorial(open3d, open3d.t.geometry.RaycastingScene))
    found = list(tutorial(open3d, RaycastingScene))
    assert len(found) == len(expected) >= 8
    for step, (ours, theirs) in enumerate(zip(found, expected)):
        assert type(ours) is type(theirs), step
        for part, other in zip(*(each if isinstance(each, tuple) else [each] for each in (ours, theirs))):
            assert type(part) is type(other), step
            if isinstance(part, open3d.core.Tensor):
                assert part.dtype == other.dtype and part.shape == other.shape, step
                part, other = part.numpy(), other.numpy()
            if isinstance(part, np.ndarray):
                is_same = np.isclose(part, other, rtol=0, atol=1e-4)
                assert part.dtype == other.dtype and is_same.mean() > 0.995, step
            else:
                assert part == other, step


def test_answers_to_arrays_have_the_numpy_method_of_tensors():
    """What the tutorial of Open3D writes after each query."""
    scene = scene_of(box())
    rays = RaycastingScene.create_rays_pinhole(60, np.zeros(3), [0, 0, 5], [0, 1, 0], 4, 3)
    t = scene.cast_rays(rays)["t_hit"].numpy()
    assert type(t) is np.ndarray and t.shape == (3, 4) and type(rays.numpy()) is np.ndarray
    points = np.zeros((2, 3))
    for answer in (scene.compute_signed_distance(points), scene.compute_distance([0, 0, 0])):
        assert type(answer.numpy()) is np.ndarray and repr(answer).startswith("array(")
    assert scene.list_intersections(rays)["ray_ids"].numpy().dtype == np.uint32


def test_open3d_is_not_imported_for_arrays():
    program = (
        "import sys, lanecast.open3d, lanecast.trimesh; assert not {'open3d', 'trimesh'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    "name", ["RaycastingScene", *(name for name in vars(RaycastingScene) if not name.startswith("_"))]
)
def test_examples_hold(name):
    part = RaycastingScene if name == "RaycastingScene" else getattr(RaycastingScene, name)
    if name != "INVALID_ID":
        part = part.fget if isinstance(part, property) else part
        hold_examples("lanecast.open3d", RaycastingScene, part)


def test_the_example_of_the_module_holds():
    import lanecast.open3d

    hold_examples("lanecast.open3d", lanecast.open3d)
