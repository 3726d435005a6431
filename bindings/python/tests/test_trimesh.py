"""`lanecast.trimesh` against brute force, and against trimesh with embreex where they are installed."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from brute_force import (
    ball,
    box,
    distances,
    face_distances,
    hit_distances,
    hold_examples,
    joined,
    random_rays,
)
from lanecast.trimesh import ProximityQuery, RayMeshIntersector, use


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


def bowl():
    """A ball without a part around +x: an open surface."""
    vertices, faces = ball(3)
    return vertices, faces[vertices[faces].mean(axis=1)[:, 0] < 0.9]


def rubble():
    """Triangles without a plan, of which some are a line, and others a point."""
    vertices = np.random.default_rng(8).uniform(-1, 1, (60, 3))
    vertices[4] = (vertices[3] + vertices[5]) / 2
    vertices[30:33] = vertices[30]
    return vertices, np.arange(60).reshape(-1, 3)


def points_around(vertices, faces):
    """Near to a mesh and far from it, on its vertices, edges and faces, and above them."""
    near = np.random.default_rng(6).uniform(-1.5, 1.5, (400, 3))
    corners = vertices[faces[::7]]
    on = np.concatenate([corners[:, 0], corners[:, :2].mean(axis=1), corners.mean(axis=1)])
    return np.concatenate([near, 5 * near[:20], on, 1.5 * on, 0.75 * on, [[0, 0, 0]]])


SURFACES = {"closed": ball(3), "open": bowl(), "rubble": rubble(), "one face": (ball(0)[0], ball(0)[1][:1])}


@pytest.mark.parametrize("mesh", SURFACES.values(), ids=SURFACES)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_closest_points_are_those_of_brute_force(mesh, precision):
    nearest = use(Bare(mesh), precision=precision).nearest
    points = points_around(*mesh)
    of_faces = face_distances(*mesh, points)
    tolerance = 1e-12 if precision == "float64" else 1e-4
    closest, distance, triangle_id = nearest.on_surface(points)
    assert closest.dtype == distance.dtype == np.float64 and triangle_id.dtype == np.int64
    least = of_faces.min(axis=1)
    # Squares closer than 1e-8 are a tie, and float32 has another one.
    assert np.abs(distance**2 - least**2).max() < 1e-8 + tolerance * least.max()
    at = np.arange(len(points)), triangle_id
    assert np.abs(of_faces[at] - distance).max() < tolerance
    assert np.abs(np.linalg.norm(closest - points, axis=1) - distance).max() < tolerance
    one = [face_distances(*mesh, [p])[0, i] for p, i in zip(closest, triangle_id)]
    assert max(one) < tolerance, "on the triangle that is named"
    for part, of_one in zip((closest, distance, triangle_id), nearest.on_surface(points[7:8])):
        assert np.array_equal(part[7:8], of_one)

    of_vertices = np.linalg.norm(points[:, None] - mesh[0], axis=-1)
    distance, vertex_id = nearest.vertex(points)
    assert distance.dtype == np.float64 and vertex_id.dtype == np.int64
    assert np.abs(distance - of_vertices.min(axis=1)).max() < tolerance
    assert np.abs(of_vertices[at[0], vertex_id] - distance).max() < tolerance


def test_of_two_triangles_at_a_distance_it_is_the_one_that_faces_the_point():
    """And else the lower id."""
    vertices = np.array([[0, 0, 0], [0, 0, 1], [1, -2, 0.5], [-1, -2, 0.5]])
    for faces in ([[0, 1, 2], [1, 0, 3]], [[1, 0, 3], [0, 1, 2]]):
        nearest = ProximityQuery(Bare((vertices, np.array(faces))))
        # Above the ridge, to the side of either triangle and in the middle.
        triangle_id = nearest.on_surface([[0.2, 1, 0.5], [-0.2, 1, 0.5], [0, 1, 0.5]])[2]
        right = faces.index([0, 1, 2])
        assert triangle_id.tolist() == [right, 1 - right, 0]
    # Halfway between the sides of a box, above the diagonals of these, and in its middle.
    nearest = ProximityQuery(Bare(box()))
    middles = [[0.5, 0.5, 3], [3, 0.5, 0.5], [0.5, 0.5, 0.5]]
    assert nearest.on_surface(middles)[2].tolist() == [10, 2, 0]
    assert nearest.vertex(middles)[1].tolist() == [1, 4, 0]


def test_distances_have_the_sign_of_brute_force():
    solid = joined(ball(3), box((2, -1, -1), (4, 1, 1)))
    points = np.concatenate([points_around(*solid), np.random.default_rng(7).uniform(1, 5, (300, 3))])
    expected = distances(*solid, points)
    # Through no edge.
    direction = np.broadcast_to([0.2137, 0.5191, 0.7333], points.shape)
    is_inside = (hit_distances(*solid, points, direction) < np.inf).sum(axis=1) % 2 == 1
    for precision in "float64", "float32":
        tolerance = 1e-12 if precision == "float64" else 1e-4
        found = use(Bare(solid), precision=precision).nearest.signed_distance(points)
        assert found.dtype == np.float64
        assert np.abs(np.abs(found) - expected).max() < tolerance
        is_off = expected > 1e-5
        assert np.array_equal(found[is_off] > 0, is_inside[is_off]) and 100 < is_inside[is_off].sum() < 900
    on = ProximityQuery(Bare(solid)).signed_distance(solid[0])
    assert (on >= 0).all() and (on < 1e-12).all()


def test_an_open_mesh_has_two_sides():
    square = (
        np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    # Above and below: a triangle, the edge of both, an edge and a vertex of one. Beside: winding numbers decide.
    over = np.array([[0.7, 0.2, 1], [0.5, 0.5, 1], [0.5, 0, 1], [1, 1, 1]])
    points = np.concatenate([over, over * [1, 1, -1], [[2, 0.5, 1], [2, 0.5, -1]]])
    expected = np.concatenate([[-1] * 4, [1] * 4, [-(2**0.5)] * 2])
    for shift, precision in (0, "float64"), (4e6, "float64"), (0, "float32"):
        nearest = use(Bare((square[0] + shift, square[1])), precision=precision).nearest
        assert np.allclose(nearest.signed_distance(points + shift), expected, rtol=0, atol=1e-6)


def test_triangles_without_an_area_have_a_distance():
    """To which trimesh gives 0."""
    line = np.array([[0, 0, 0], [900, 0, 0], [400, 0, 0]]), np.array([[0, 1, 2]])
    points = [[300, 0, height] for height in (1, -1e-3, 1e-6, 0)]
    nearest = ProximityQuery(Bare(line))
    assert np.allclose(nearest.signed_distance(points), [-1, -1e-3, -1e-6, 0], rtol=1e-9, atol=0)
    assert np.allclose(nearest.on_surface(points)[1], [1, 1e-3, 1e-6, 0], rtol=1e-9, atol=0)


def test_no_points_and_no_mesh_have_answers():
    none = np.zeros((0, 3))
    nearest = ProximityQuery(Bare(ball(1)))
    assert [part.shape for part in nearest.on_surface(none)] == [(0, 3), (0,), (0,)]
    assert [part.shape for part in nearest.vertex(none)] == [(0,), (0,)]
    assert nearest.signed_distance(none).shape == (0,) and nearest.on_surface(none)[2].dtype == np.int64
    empty = ProximityQuery(Bare((none, np.zeros((0, 3), dtype=int))))
    for query in empty.on_surface, empty.signed_distance:
        with pytest.raises(ValueError, match="^mesh: it has no faces"):
            query([[0, 0, 0]])
    with pytest.raises(ValueError, match="^mesh: it has no vertices"):
        empty.vertex([[0, 0, 0]])


def test_points_that_cannot_be_used_are_named():
    nearest = ProximityQuery(Bare(ball(1)))
    for query in nearest.on_surface, nearest.vertex, nearest.signed_distance:
        with pytest.raises(ValueError, match=r"^points\[1\]: a coordinate is NaN"):
            query([[0, 0, 0], [0, np.nan, 0], [np.inf, 0, 0]])
        with pytest.raises(
            ValueError, match=r"^points: their shape is \(1, 2\); \((n|...), 3\) was expected"
        ):
            query([[0, 0]])


def test_what_is_near_changes_with_the_mesh():
    mesh = use(Bare(ball(1)))
    assert mesh.nearest.on_surface([[0, 0, 9]])[1] == [8] and mesh.nearest.vertex([[0, 0, 9]])[0] == [8]
    assert len(pickle.dumps(mesh)) < len(pickle.dumps(Bare(ball(1)))) + 500, "without the scenes"
    mesh.vertices = mesh.vertices + [0, 0, 3]
    for other in mesh, pickle.loads(pickle.dumps(mesh)), copy.deepcopy(mesh):
        assert other.nearest.on_surface([[0, 0, 9]])[1] == [5] and other.nearest.vertex([[0, 0, 9]])[0] == [5]
        assert other.nearest.signed_distance([[0, 0, 3]]) > 0.5


@pytest.fixture
def proximity():
    """trimesh's own queries of points, which need two other packages."""
    pytest.importorskip("trimesh")
    for needed in "rtree", "scipy":
        pytest.importorskip(needed)
    return pytest.importorskip("trimesh.proximity")


@pytest.mark.parametrize("mesh", SURFACES.values(), ids=SURFACES)
def test_what_is_near_is_what_trimesh_finds(proximity, mesh):
    import trimesh

    theirs, ours = (trimesh.Trimesh(*mesh, process=False) for _ in range(2))
    use(ours)
    points = points_around(*mesh)
    expected, found = theirs.nearest.on_surface(points), ours.nearest.on_surface(points)
    assert [part.dtype for part in found] == [part.dtype for part in expected]
    assert np.abs(found[1] - expected[1]).max() < 1e-7
    of_faces = face_distances(*mesh, points)
    # At a vertex trimesh compares any two of its triangles.
    is_clear = (of_faces**2 < of_faces.min(axis=1, keepdims=True) ** 2 + 1e-7).sum(axis=1) == 1
    assert is_clear.sum() > 100
    assert np.array_equal(found[2][is_clear], expected[2][is_clear])
    assert np.abs(found[0] - expected[0])[is_clear].max() < 1e-12
    expected, found = theirs.nearest.vertex(points), ours.nearest.vertex(points)
    assert [part.dtype for part in found] == [part.dtype for part in expected]
    assert np.abs(found[0] - expected[0]).max() < 1e-12

    expected, found = theirs.nearest.signed_distance(points), ours.nearest.signed_distance(points)
    # trimesh gives 0 beside triangles without an area, and to an open surface an inside by one ray.
    has_area = (np.linalg.norm(theirs.face_normals, axis=1) > 0)[ours.nearest.on_surface(points)[2]]
    is_off = np.abs(expected) > 1e-7
    assert np.abs(np.abs(found) - np.abs(expected))[has_area & is_off].max() < 1e-7
    is_same = np.sign(found) == np.sign(expected)
    assert is_same[has_area & is_off].mean() > (0.99 if theirs.is_watertight else 0.9)
    if theirs.is_watertight:
        assert is_same[is_off].all()


def test_what_trimesh_builds_on_it_is_answered_by_it(proximity, monkeypatch):
    import trimesh

    theirs, ours = (trimesh.Trimesh(*joined(ball(2), box((2, -1, -1), (4, 1, 1)))) for _ in range(2))
    points = theirs.triangles_center + 0.001
    normals = theirs.face_normals

    def answers(mesh):
        yield from proximity.closest_point(mesh, points)[:2]
        yield proximity.signed_distance(mesh, points)
        for inwards in True, False:
            yield from proximity.max_tangent_sphere(mesh, points, inwards)
        for method in "max_sphere", "ray":
            for exterior in True, False:
                yield proximity.thickness(mesh, points, exterior, normals, method)
        yield trimesh.registration.procrustes(points, points)[1]

    expected = list(answers(theirs))
    use(ours)
    # What trimesh's own queries need.
    monkeypatch.setattr(type(ours), "triangles_tree", property(lambda mesh: pytest.fail("a tree of trimesh")))
    for found, array in zip(answers(ours), expected):
        assert np.allclose(found, array, rtol=0, atol=1e-6, equal_nan=True)
    monkeypatch.undo()
    # Others are answered as before, and twice in use is no more than once.
    assert np.array_equal(proximity.signed_distance(theirs, points), expected[2])
    ask = proximity.closest_point
    assert use(ours) is ours and proximity.closest_point is ask


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
assert [type(mesh.nearest) is trimesh.proximity.ProximityQuery for mesh in meshes] == [0, 1, 1, 1]
assert trimesh.proximity.ProximityQuery is lanecast.trimesh.ProximityQuery
assert box.nearest._ray is box.ray
assert trimesh.proximity.signed_distance(box, [[0, 0, 2]]).tolist() == [-1.5]
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
    for of_class in RayMeshIntersector, ProximityQuery:
        parts = [part for name, part in vars(of_class).items() if not name.startswith("_")]
        for part in [*(part.fget if isinstance(part, property) else part for part in parts), use]:
            hold_examples("lanecast.trimesh", of_class, part)
