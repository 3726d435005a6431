"""`lanecast.trimesh` against brute force, and against trimesh with embreex where they are installed."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from brute_force import ball, box, hit_distances, hold_examples, joined, random_rays
from lanecast.trimesh import RayMeshIntersector, use


class Bare:
    """What an intersector needs of a mesh."""

    def __init__(self, mesh):
        self.vertices, self.faces = mesh

    def __hash__(self):
        return hash((self.vertices.tobytes(), self.faces.tobytes()))


def intersector(*meshes, **options):
    return RayMeshIntersector(Bare(joined(*meshes)), **options)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_hits_are_those_of_brute_force(precision):
    mesh = ball(3)
    origins, directions = random_rays(500, 1)
    expected = hit_distances(*mesh, origins, directions)
    ray = intersector(mesh, precision=precision)
    tolerance = 1e-5 if precision == "float32" else 1e-12

    index_tri, index_ray, locations = ray.intersects_id(origins, directions, return_locations=True)
    assert index_tri.dtype == index_ray.dtype == np.int64 and locations.dtype == np.float64
    assert np.array_equal(
        np.sort(index_ray * 10_000 + index_tri), [i * 10_000 + j for i, j in np.argwhere(expected < np.inf)]
    )
    t = expected[index_ray, index_tri]
    assert np.abs(origins[index_ray] + t[:, None] * directions[index_ray] - locations).max() < tolerance
    # By ray, then by distance.
    assert (np.lexsort((t, index_ray)) == np.arange(len(t))).all() and len(t) > 500

    nearest = np.where(expected.min(axis=1) < np.inf, expected.argmin(axis=1), -1)
    first = ray.intersects_first(origins, directions)
    assert first.dtype == np.int64 and np.array_equal(first, nearest)
    is_hit = ray.intersects_any(origins, directions)
    assert is_hit.dtype == bool and np.array_equal(is_hit, nearest >= 0)
    index_tri, index_ray = ray.intersects_id(origins, directions, multiple_hits=False)
    assert np.array_equal(index_ray, np.flatnonzero(is_hit)) and np.array_equal(index_tri, nearest[is_hit])
    locations, index_ray, index_tri = ray.intersects_location(origins, directions, multiple_hits=False)
    assert np.array_equal(index_tri, nearest[is_hit]) and locations.shape == (is_hit.sum(), 3)


def test_sheets_close_to_each_other_are_all_hit():
    sheets = intersector(*(box((0, 0, i * 1e-6), (1, 1, i * 1e-6 + 5e-7)) for i in range(100)))
    origins, directions = [[0.3, 0.6, -2]], [[0, 0, 5]]
    locations, index_ray, _ = sheets.intersects_location(origins, directions)
    assert (index_ray == 0).all() and np.array_equal(locations[:, 2], np.sort(locations[:, 2]))
    expected = np.sort([i * 1e-6 + j for i in range(100) for j in (0, 5e-7)])
    assert len(locations) == 200 and np.abs(locations[:, 2] - expected).max() < 1e-15
    assert len(sheets.intersects_id(origins, directions, max_hits=30)[0]) == 30


def test_edges_and_vertices_are_hit_once_and_by_all_queries():
    vertices, faces = ball(3)
    middles = vertices[faces[:, :2]].mean(axis=1)
    directions = np.concatenate([vertices, middles])
    ray = intersector((vertices, faces))
    origins = np.zeros_like(directions)
    assert np.array_equal(ray.intersects_id(origins, directions)[1], np.arange(len(directions)))
    assert (
        ray.intersects_any(origins, directions).all()
        and (ray.intersects_first(origins, directions) >= 0).all()
    )
    # From outside through the whole ball.
    assert np.array_equal(
        ray.intersects_id(directions * 2, -directions)[1], np.repeat(np.arange(len(directions)), 2)
    )


def test_points_inside_are_those_of_brute_force():
    solid = [ball(2), box((2, -1, -1), (4, 1, 1)), box((2.5, -0.5, -0.5), (3.5, 0.5, 0.5))]
    solid[2] = solid[2][0], solid[2][1][:, ::-1]
    numbers = np.random.default_rng(5)
    points = numbers.uniform((-1, -1, -1), (4, 1, 1), (2000, 3))
    direction = np.broadcast_to([0.2, 0.5, 0.7], points.shape)
    expected = (hit_distances(*joined(*solid), points, direction) < np.inf).sum(axis=1) % 2 == 1
    found = intersector(*solid).contains_points(points)
    assert found.dtype == bool and np.array_equal(found, expected) and 500 < found.sum() < 1500
    # Lines along x through edges and vertices, and points at no place.
    assert intersector(ball(3)).contains_points([[0, 0, 0], [0.5, 0, 0], [-3, 0, 0], [3, 0, 0]]).tolist() == [
        1,
        1,
        0,
        0,
    ]
    assert intersector(box()).contains_points([[0.5, 0.5, 0.5], [-1, 0, 0], [-1, 1, 0.5]]).tolist() == [
        1,
        0,
        0,
    ]
    assert not intersector(ball(1)).contains_points([[np.nan, 0, 0], [np.inf, 0, 0]]).any()
    assert intersector(ball(1)).contains_points(np.zeros((0, 3))).shape == (0,)


def test_an_open_mesh_has_an_inside_by_its_winding_number():
    vertices, faces = ball(3)
    # Without a part around +x, through which lines along x leave.
    faces = faces[vertices[faces].mean(axis=1)[:, 0] < 0.9]
    points = [
        [0, 0, 0],
        [-0.5, 0, 0],
        [-2, 0, 0],
        [0, 0.9, 0],
        [0, 2, 0],
        [0.8, 0, 0],
        [1.05, 0, 0],
        [2, 0, 0],
    ]
    assert intersector((vertices, faces)).contains_points(points).tolist() == [1, 1, 0, 1, 0, 1, 0, 0]


def test_no_hits_have_the_shape_and_type_of_hits():
    for ray, rays in (
        (intersector(ball(1)), ([[9, 9, 9]], [[0, 0, 1]])),
        (intersector(ball(1)), (np.zeros((0, 3)),) * 2),
    ):
        for options in {}, {"multiple_hits": False}, {"max_hits": 3}:
            index_tri, index_ray, locations = ray.intersects_id(*rays, return_locations=True, **options)
            assert index_tri.shape == index_ray.shape == (0,) and locations.shape == (0, 3)
            assert index_tri.dtype == index_ray.dtype == np.int64 and locations.dtype == np.float64
    # No triangles, no direction, no number.
    rays = [[0, 0, 0], [0, 0, np.nan]], [[0, 0, 0], [1, 0, 0]]
    for ray in intersector((np.zeros((0, 3)), np.zeros((0, 3), dtype=int))), intersector(ball(1)):
        assert ray.intersects_first(*rays).tolist() == [-1, -1] and not ray.intersects_any(*rays).any()
        assert not ray.contains_points([[5, 5, 5]]).any()


def test_several_hits_are_crossings_and_first_hits_are_touches():
    """By several hits a ray leaves a closed mesh as often as it enters it, whatever it grazes."""
    vertices, faces = ball(2)
    targets = np.concatenate([vertices, vertices[faces][:, :2].mean(axis=1)])
    origins = 5 * np.random.default_rng(1).normal(size=targets.shape)
    ray = intersector((vertices, faces))
    counts = np.bincount(ray.intersects_id(origins, targets - origins)[1], minlength=len(targets))
    first = ray.intersects_first(origins, targets - origins) >= 0
    assert not (counts % 2).any() and set(counts[first]) == {0, 2} and not counts[~first].any()
    assert np.array_equal(ray.intersects_any(origins, targets - origins), first)
    touches = ray.scene.count_hits(origins, targets - origins, contact="touch")
    assert np.array_equal(touches > 0, first)


def test_wrong_shapes_are_named():
    ray = intersector(ball(1))
    with pytest.raises(ValueError, match=r"ray_directions: their shape is \(3,\); \(n, 3\)"):
        ray.intersects_any([[0, 0, 0]], [0, 0, 1])
    with pytest.raises(ValueError, match="^ray_directions: there are 2 of them, and 1 ray_origins"):
        ray.intersects_id([[0, 0, 0]], [[0, 0, 1], [0, 0, 1]])
    with pytest.raises(ValueError, match="points: their shape is"):
        ray.contains_points([0, 0, 0])
    with pytest.raises(ValueError, match="^max_hits: it is -1"):
        ray.intersects_id([[0, 0, 0]], [[0, 0, 1]], max_hits=-1)
    with pytest.raises(TypeError, match="geometry"):
        RayMeshIntersector()


def test_what_cannot_be_used_is_refused_where_it_is_given():
    for name, value in [("precision", "f16"), ("precision", None), ("threads", 0), ("threads", -1)]:
        with pytest.raises(ValueError, match=f"^{name}: it is "):
            use(Bare(ball(1)), **{name: value})
    for mesh in (5, use(Bare(ball(1))).ray.scene):
        with pytest.raises(TypeError, match=f"^mesh: it is a {type(mesh).__name__}; a mesh of trimesh"):
            use(mesh)
    trimesh = pytest.importorskip("trimesh")
    with pytest.raises(TypeError, match=r"^mesh: it is a Scene; .*; its to_mesh\(\) makes one"):
        use(trimesh.Scene(trimesh.creation.box()))


def test_the_scene_is_kept_until_the_mesh_changes():
    mesh = Bare(ball(1))
    ray = RayMeshIntersector(mesh=mesh)
    scene = ray.scene
    assert ray.scene is scene
    mesh.vertices = mesh.vertices + [0, 0, 10]
    assert ray.scene is not scene
    assert ray.intersects_location([[0.1, 0.1, 0]], [[0, 0, 1]])[0][0, 2] > 9
    assert len(pickle.dumps(ray)) < len(pickle.dumps(mesh)) + 500, "without the scene"
    for other in pickle.loads(pickle.dumps(ray)), copy.copy(ray), copy.deepcopy(ray):
        assert other.intersects_any([[0.1, 0.1, 0]], [[0, 0, 1]]).all()


def test_meshes_of_trimesh_have_its_answers():
    trimesh = pytest.importorskip("trimesh")
    mesh = use(trimesh.creation.icosphere(subdivisions=3))
    origins, directions = random_rays(300, 2)
    expected = hit_distances(mesh.vertices, mesh.faces, origins, directions)
    assert np.array_equal(mesh.ray.intersects_any(origins, directions), expected.min(axis=1) < np.inf)
    points = np.random.default_rng(3).uniform(-1, 1, (500, 3))
    is_clear = np.abs(np.linalg.norm(points, axis=1) - 1) > 0.01
    assert np.array_equal(mesh.contains(points)[is_clear], (np.linalg.norm(points, axis=1) < 1)[is_clear])
    mesh.apply_translation([10, 0, 0])
    assert mesh.contains([[10, 0, 0]]).all() and not mesh.contains([[0, 0, 0]]).any()
    assert pickle.loads(pickle.dumps(mesh)).contains([[10, 0, 0]]).all()


def test_all_meshes_of_trimesh_have_it_on_request():
    pytest.importorskip("trimesh")
    program = """
import lanecast.trimesh, trimesh
before = trimesh.creation.box()
lanecast.trimesh.use_everywhere()
from trimesh.ray.ray_pyembree import RayMeshIntersector
box = trimesh.creation.box()
assert RayMeshIntersector is lanecast.trimesh.RayMeshIntersector
meshes = before, box, box.copy(), before.copy()
assert [type(mesh.ray) is RayMeshIntersector for mesh in meshes] == [0, 1, 1, 1]
assert not isinstance(trimesh.creation.box(use_embree=False).ray, RayMeshIntersector)
assert box.contains([[0, 0, 0], [2, 0, 0]]).tolist() == [True, False]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_first_hits_are_those_of_embreex_where_it_is_right():
    pytest.importorskip("embreex")
    trimesh = pytest.importorskip("trimesh")
    embree = pytest.importorskip("trimesh.ray.ray_pyembree")
    mesh = trimesh.creation.icosphere(subdivisions=4)
    rays = random_rays(20_000, 4)
    theirs, ours = (
        embree.RayMeshIntersector(mesh).intersects_first(*rays),
        RayMeshIntersector(mesh).intersects_first(*rays),
    )
    differ = np.flatnonzero(theirs != ours)
    assert len(differ) < 20
    expected = hit_distances(mesh.vertices, mesh.faces, *(part[differ] for part in rays))
    assert np.array_equal(np.where(expected.min(axis=1) < np.inf, expected.argmin(axis=1), -1), ours[differ])


def test_examples_hold():
    pytest.importorskip("trimesh")
    import lanecast.trimesh

    hold_examples("lanecast.trimesh", lanecast.trimesh)
    parts = [part for name, part in vars(RayMeshIntersector).items() if not name.startswith("_")]
    for part in [*(part.fget if isinstance(part, property) else part for part in parts), use]:
        hold_examples("lanecast.trimesh", RayMeshIntersector, part)
