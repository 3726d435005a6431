"""Scenes that change."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest
from reference import soup, torus

import lanecast
from lanecast import Instance, Mesh, Scene, Spheres

DOWN = [0.5, 0.25, 100.0, 0, 0, -1]


def square(z, side=1.0):
    return np.array([[0, 0, z], [side, 0, z], [side, side, z], [0, side, z]], dtype="float64")


def heights(scene):
    """The heights of the first two hits from above."""
    return (100 - scene.nearest_hits([DOWN], 2).t).tolist()


def flat(z, **labels):
    return Mesh(square(z), [[0, 1, 2], [0, 2, 3]], deformable=True, **labels)


def at(z, x=0.0):
    matrix = np.eye(4)
    matrix[:3, 3] = x, 0, z
    return matrix


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    return request.param


def test_vertices_of_several_meshes_move_at_once(dtype):
    scene = Scene.build(flat(1), flat(2), precision=dtype)
    scene.refit({0: square(5), 1: square(4).astype("float32")})
    assert heights(scene) == [5, 4]
    moved = np.zeros((4, 7))
    moved[:, 1:7:2] = square(9)
    scene.refit({1: moved[:, 1:7:2]}, threads=1)
    assert heights(scene) == [9, 5]
    assert scene.triangles().vertices[:2, :, 2].tolist() == [[5] * 3] * 2


def test_refits_that_cannot_be_change_nothing(dtype):
    scene = Scene.build(flat(1), Mesh(square(2), [[0, 1, 2]]), precision=dtype)
    bad = square(3)
    bad[2, 1] = np.nan
    wrong = [
        (IndexError, "no geometry 7", {0: square(3), 7: square(3)}),
        (ValueError, "geometry 1: only what was added as a deformable mesh", {0: square(3), 1: square(3)}),
        (ValueError, "geometry 0: vertex 2", {0: bad}),
        (ValueError, "names vertex 3", {0: square(3)[:3]}),
        (ValueError, r"meshes\[0\]: its shape is \(4, 2\)", {0: square(3)[:, :2]}),
        (TypeError, r"meshes\[0\]: its dtype", {0: square(3).astype(complex)}),
    ]
    for error, words, meshes in wrong:
        with pytest.raises(error, match=words):
            scene.refit(meshes)
        assert heights(scene) == [2, 1]


def test_geometries_come_and_go(dtype):
    scene = Scene(square(1), [[0, 1, 2], [0, 2, 3]], precision=dtype)
    ids = scene.add(Spheres([[0.5, 0.25, 10]], 1, name="ball", mask=2, user_data=5), flat(3, name="roof"))
    assert ids == [1, 2] and scene.geometry_names == {0: "", 1: "ball", 2: "roof"}
    assert heights(scene) == [11, 9] and scene.geometry(1).user_data == 5 and scene.geometry(1).mask == 2
    scene.remove(0, 1)
    assert heights(scene) == [3] and scene.geometry_names == {2: "roof"}
    scene.refit({2: square(4)})
    assert heights(scene) == [4]
    assert scene.add(Mesh(square(7), [[0, 1, 2]])) == [0]
    scene.replace({0: Spheres([[0.5, 0.25, 20]], 1), 2: Mesh(square(6), [[0, 1, 2]], name="new")})
    assert heights(scene) == [21, 19] and scene.geometry_names == {0: "", 2: "roof"}
    scene.check()
    for change in (lambda: scene.remove(0, 5), lambda: scene.replace({0: flat(1), 5: flat(1)})):
        with pytest.raises(IndexError, match="no geometry 5"):
            change()
    for change, error, words in [
        (lambda: scene.add(flat(1), Mesh(square(1), [[0, 1, 9]])), ValueError, "names vertex 9"),
        (
            lambda: scene.add(Instance(scene, np.eye(4))),
            ValueError,
            r"items\[0\]: an Instance is no geometry",
        ),
        (
            lambda: scene.replace({0: Mesh(square(1)[:, :2], [[0, 1, 2]])}),
            ValueError,
            r"geometries\[0\].vertices",
        ),
        (lambda: scene.add(square(1)), TypeError, "a scene holds"),
        (lambda: scene.add(flat(1), quality="best"), ValueError, "quality"),
    ]:
        with pytest.raises(error, match=words):
            change()
        assert heights(scene) == [21, 19] and scene.geometry_names == {0: "", 2: "roof"}


def test_instances_come_go_and_move(dtype):
    ball = Scene.build(Spheres([[0.5, 0.25, 0]], 1), precision=dtype)
    scene = Scene.build(precision=dtype)
    assert scene.add_instances(
        Instance(ball, at(1), name="a", mask=6), Instance(ball, at(2, x=50), user_data=3)
    ) == [0, 1]
    assert heights(scene) == [2, 0] and scene.instance(0).name == "a" and scene.instance(1).user_data == 3
    scene.set_transforms([at(5, x=50), at(4)])
    assert heights(scene) == [5, 3]
    scene.set_transforms(np.stack([at(9)])[:, :3], instances=[0])
    assert heights(scene) == [10, 8] and scene.instance(0).transform[2, 3] == 9
    scene.remove_instances(0)
    assert heights(scene) == [5, 3] and scene.instances == [1]
    scene.set_scenes({1: Scene.build(Spheres([[0.5, 0.25, 0]], 2), precision=dtype)})
    assert heights(scene) == [6, 2]
    assert scene.add_instances(Instance(ball, at(30))) == [0]
    flattened = np.stack([at(1), np.diag([1.0, 1, 0, 1])])
    projective = np.stack([at(1), at(1)])
    projective[1, 3, 0] = 1
    other = Scene.build(precision="float64" if dtype == "float32" else "float32")
    for change, error, words in [
        (lambda: scene.set_transforms(flattened), ValueError, "instance 1: its transform .* is singular"),
        (lambda: scene.set_transforms(projective), ValueError, r"transforms\[1, 3\]: the last row"),
        (lambda: scene.set_transforms([at(1)]), ValueError, "1 of them, for 2 instances"),
        (lambda: scene.set_transforms(at(1)), ValueError, r"its shape is \(4, 4\)"),
        (lambda: scene.set_transforms([at(1), at(2)], [0, 7]), IndexError, "no instance 7"),
        (lambda: scene.remove_instances(0, 7), IndexError, "no instance 7"),
        (lambda: scene.set_scenes({7: ball}), IndexError, "no instance 7"),
        (lambda: scene.set_scenes({1: other}), ValueError, r"scenes\[1\]: scenes of f32 and of f64"),
        (lambda: scene.set_scenes({1: 5}), TypeError, r"scenes\[1\]: a Scene"),
        (lambda: scene.add_instances(flat(1)), ValueError, r"items\[0\]: an Instance was expected"),
    ]:
        with pytest.raises(error, match=words):
            change()
        assert heights(scene) == [31, 29]


def test_masks_names_and_numbers_are_set(dtype):
    ball = Scene.build(Spheres([[0.5, 0.25, 0]], 1), precision=dtype)
    scene = Scene.build(flat(1), Instance(ball, at(5)), precision=dtype)
    scene.set_mask(0, 2)
    scene.set_name(0, "floor")
    scene.set_user_data(0, 2**64 - 1)
    scene.set_instance_mask(0, 4)
    scene.set_instance_name(0, "lamp")
    scene.set_instance_user_data(0, 9)
    assert scene.geometry(0) == lanecast.GeometryInfo(0, "mesh", 2, 2, "floor", 2**64 - 1)
    info = scene.instance(0)
    assert (info.mask, info.name, info.user_data) == (4, "lamp", 9)
    assert [scene.any_hit([DOWN], mask=mask).tolist() for mask in (1, 2, 4)] == [[False], [True], [True]]
    setters = [scene.set_mask, scene.set_user_data, scene.set_instance_mask, scene.set_instance_user_data]
    for setter, value in [
        *((setter, 1) for setter in setters),
        (scene.set_name, "x"),
        (scene.set_instance_name, "x"),
    ]:
        with pytest.raises(IndexError):
            setter(7, value)


def test_copies_and_placed_scenes_keep_what_they_held():
    leaf = Scene.build(flat(1))
    forest = Scene.build(Instance(leaf, at(0)))
    copies = [leaf.copy(), copy.copy(leaf), copy.deepcopy(leaf)]
    leaf.refit({0: square(5)})
    assert heights(leaf) == [5] and heights(forest) == [1]
    assert [heights(other) for other in copies] == [[1]] * 3
    copies[0].refit({0: square(7)})
    assert heights(copies[0]) == [7] and heights(copies[1]) == [1] and heights(leaf) == [5]
    forest.set_scenes({0: leaf})
    assert heights(forest) == [5]
    leaf.add_instances(Instance(leaf, at(3)))
    assert heights(leaf) == [8, 5] and heights(forest) == [5]


def test_a_changed_scene_is_pickled_as_it_is_and_its_file_stays(tmp_path):
    scene = Scene.build(flat(1))
    scene.save(tmp_path / "flat.scene")
    before = (tmp_path / "flat.scene").read_bytes()
    opened = Scene.open(tmp_path / "flat.scene")
    assert opened.path == scene.path == tmp_path / "flat.scene"
    with pytest.raises(IndexError):
        opened.set_name(7, "none")
    assert opened.path is not None
    for changed in (opened, scene):
        changed.refit({0: square(5)})
        assert changed.path is None and heights(pickle.loads(pickle.dumps(changed))) == [5]
    assert (tmp_path / "flat.scene").read_bytes() == before
    assert heights(Scene.open(tmp_path / "flat.scene")) == [1]
    opened.save(tmp_path / "other.scene")
    assert opened.path == tmp_path / "other.scene" and heights(pickle.loads(pickle.dumps(opened))) == [5]


def test_queries_in_threads_see_a_scene_before_or_after_a_change():
    # Far below, so that changes take a while.
    vertices, triangles = soup(np.random.default_rng(1), 20_000, 0.01)
    scene = Scene.build(flat(1), flat(1), Mesh(vertices - [0, 0, 500], triangles))
    rays = np.tile(np.array(DOWN, dtype="float32"), (40_000, 1))
    rays[:, :2] = np.random.default_rng(2).uniform(0.01, 0.99, (40_000, 2))
    seen, faults, stop = set(), [], threading.Event()

    def ask(count):
        try:
            while not stop.is_set():
                hits = scene.nearest_hits(rays[:count], 2)
                values = np.unique(100 - hits.t)
                if len(values) != 1:
                    faults.append(values)
                seen.update(values.tolist())
        except BaseException as fault:
            faults.append(fault)

    # Few rays are cast by the thread that asks, many by those of the pool that changes the scene.
    threads = [threading.Thread(target=ask, args=(count,)) for count in (100, 3000, 40_000)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        for z in range(1, 13):
            scene.refit({0: square(z), 1: square(z)})
    stop.set()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    assert not faults and len(seen) > 1


def test_changes_of_several_threads_are_all_made():
    scene = Scene.build(*(flat(z) for z in range(8)))
    held = scene.copy()

    def change(geometry_id):
        for turn in range(20):
            scene.set_user_data(geometry_id, turn + 1)
            scene.refit({geometry_id: square(100 * geometry_id + turn)})

    threads = [threading.Thread(target=change, args=(geometry_id,)) for geometry_id in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert [scene.geometry(id).user_data for id in range(8)] == [20] * 8
    assert scene.triangles().vertices[::2, 0, 2].tolist() == [100.0 * id + 19 for id in range(8)]
    assert held.triangles().vertices[::2, 0, 2].tolist() == list(range(8))


def test_a_scene_that_nothing_else_holds_is_changed_in_its_place():
    vertices, triangles = soup(np.random.default_rng(3), 400_000, 0.01)
    scene = Scene(vertices, triangles)

    def seconds():
        # Of the processor: a call is handed to another thread, which waits where others are busy.
        begin = time.process_time()
        scene.set_name(0, "name")
        return time.process_time() - begin

    scene.closest_hit(np.zeros((1, 6)) + 1)
    alone = min(seconds() for _ in range(20))
    held, shared = [], []
    for _ in range(3):
        held.append(scene.copy())
        shared.append(seconds())
    assert alone < min(shared) / 5, (alone, shared)


def test_rebuilding_changes_no_answer_but_the_tree():
    vertices, triangles = torus()
    scene = Scene.build(Mesh(vertices, triangles, deformable=True))
    scattered = np.random.default_rng(4).uniform(-5, 5, vertices.shape)
    scene.refit({0: scattered})
    refitted = scene.statistics()
    assert refitted.sah_cost > 1.5 * refitted.sah_cost_as_built
    points = np.random.default_rng(5).uniform(-5, 5, (100, 3))
    before = scene.closest_point(points)
    for quality in ("fast", "balanced", "high"):
        scene.rebuild(quality=quality)
        rebuilt = scene.statistics()
        assert rebuilt.sah_cost == rebuilt.sah_cost_as_built < refitted.sah_cost
        after = scene.closest_point(points)
        assert np.array_equal(before.distance, after.distance) and np.array_equal(
            before.primitive_id, after.primitive_id
        )
