"""Long calls, threads and processes."""

import errno
import importlib.metadata
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from support import bumpy, random_rays, same

import lanecast
from lanecast import Scene


def interrupted(setup, call):
    """How long after Ctrl-C a call ends, in seconds: in a process of its own, which prints that."""
    program = f"""
import os, signal, sys, threading, time
import numpy as np
sys.path.insert(0, {os.path.dirname(__file__)!r})
import lanecast
from support import bumpy, random_rays
# A process whose parent ignores the key, as one in the background does, would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)
{textwrap.dedent(setup)}
pressed = []
def press():
    time.sleep(0.1)
    pressed.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    {call}
    print("it ended before")
except KeyboardInterrupt:
    print(time.perf_counter() - pressed[0])
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr
    return float(found.stdout)


MANY = "scene = bumpy(size=200); rays = np.tile(random_rays((200_000,)), (100, 1))"
DOUBLE = "scene = bumpy(size=200); rays = np.tile(random_rays((200_000,), 'float64'), (100, 1))"
BRUTE = "scene = bumpy(size=300); rays = random_rays((100_000,))"
# 100,000 triangles one above the other, and a ball around all points.
STACK = """
z = np.repeat(np.linspace(0, 1, 100_000), 3)
xy = np.tile([[0, 0], [4, 0], [0, 4]], (100_000, 1))
scene = lanecast.Scene(np.column_stack([xy, z]), np.arange(300_000).reshape(-1, 3))
rays = np.tile([1.0, 1, -1, 0, 0, 1], (4_000, 1))
"""
BALL = """
around, down = np.meshgrid(np.linspace(0, 2 * np.pi, 400), np.linspace(0, np.pi, 200))
vertices = np.stack([np.cos(around) * np.sin(down), np.sin(around) * np.sin(down), np.cos(down)], -1).reshape(-1, 3)
corner = (np.arange(199)[:, None] * 400 + np.arange(399)).reshape(-1)
faces = np.concatenate([corner[:, None] + [0, 1, 400], corner[:, None] + [1, 401, 400]])
scene = lanecast.Scene(vertices, faces)
points = np.random.default_rng(1).uniform(-1e-6, 1e-6, (20_000, 3))
"""
TERRAIN = """
side = 1600
x, y = np.meshgrid(np.arange(side), np.arange(side))
vertices = np.stack([x, y, np.random.default_rng(1).random(x.shape)], -1).reshape(-1, 3)
corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1)
faces = np.concatenate([corner[:, None] + [0, 1, side], corner[:, None] + [1, side + 1, side]])
"""
CHANGES = f"""{TERRAIN}
cloth = lanecast.Mesh(vertices, faces, deformable=True)
scene = lanecast.Scene.build(cloth, lanecast.Spheres([[0, 0, 0]], 1))
balls = lanecast.Spheres(vertices[:1_000_000], 0.25)
"""
FILE = f"""{TERRAIN}
import os, tempfile
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "terrain.scene")
scene = lanecast.Scene(vertices, faces)
scene.save(path)
"""
LIDAR = (
    "scene = bumpy(); lidar = lanecast.Lidar(np.linspace(-60, 0, 64), 36000, poses=(0.5, 0.5, 1), turns=40)"
)


@pytest.mark.parametrize(
    ("setup", "call"),
    [
        (MANY, "scene.closest_hit(rays)"),
        (MANY, "scene.closest_hit(rays, threads=1)"),
        (MANY, "scene.all_hits(rays)"),
        (DOUBLE, "scene.any_hit(rays)"),
        (BRUTE, "scene.closest_hit(rays, brute_force=True)"),
        (BRUTE, "[scene.any_hit(rays[:3], brute_force=True) for _ in range(10**6)]"),
        (STACK, "scene.all_hits(np.tile(rays, (10, 1)))"),
        (STACK, "scene.count_hits(rays)"),
        (STACK, "scene.all_hits(rays)"),
        (BALL, "scene.closest_point(points)"),
        (BALL, "scene.closest_point(points[:4_000])"),
        (BALL, "scene.winding_number(points, accuracy=np.inf)"),
        (TERRAIN, "lanecast.Scene(vertices, faces, quality='high')"),
        (TERRAIN, "lanecast.Scene(vertices, faces, weld=1e-3, threads=1)"),
        (CHANGES, "[scene.refit({0: vertices}) for _ in range(100)]"),
        (CHANGES, "scene.rebuild(quality='high')"),
        (CHANGES, "scene.add(cloth)"),
        (CHANGES, "[scene.add(balls) for _ in range(100)]"),
        (CHANGES, "scene.replace({0: cloth}, quality='high')"),
        (CHANGES, "[scene.check() for _ in range(100)]"),
        (FILE, "scene.save(path + '2')"),
        (FILE, "[lanecast.Scene.open(path) for _ in range(1000)]"),
        (FILE, "[lanecast.Scene.open(path).check() for _ in range(100)]"),
        (LIDAR, "scene.any_hit(lidar)"),
        (LIDAR, "scene.lidar_returns(lidar)"),
        (LIDAR, "lidar.rays()"),
    ],
)
def test_ctrl_c_stops_a_call(setup, call):
    # The best of five: the machine may be busy.
    taken = []
    while not taken or (min(taken) >= 0.2 and len(taken) < 5):
        taken.append(interrupted(setup, call))
    assert min(taken) < 0.2, taken


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer here")
def test_an_interrupted_change_leaves_the_scene_as_it_was():
    scene, other, rays = bumpy(size=700), bumpy(size=3), random_rays((1000,))
    before, statistics = scene.closest_hit(rays), scene.statistics()
    seen = []

    class Interrupted(Exception):
        pass

    def handler(number, frame):
        # The scene answers here too, while it is changed, and cannot be changed.
        same(scene.closest_hit(rays), before)
        with pytest.raises(RuntimeError, match="being changed"):
            scene.remove(0)
        other.set_name(0, "changed meanwhile")
        seen.append(scene.geometry_count)
        raise Interrupted

    kept = signal.signal(signal.SIGALRM, handler)
    try:
        for change in (
            lambda: scene.rebuild(quality="high"),
            lambda: scene.rebuild(threads=1),
        ):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(Interrupted):
                change()
            assert scene.statistics() == statistics and scene.geometry_count == 1
            same(scene.closest_hit(rays), before)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)
    assert seen == [1, 1]
    # Once more, to the end.
    scene.rebuild()
    scene.remove(0)
    assert scene.geometry_count == 0


def test_a_scene_answers_after_an_interrupted_call():
    scene, rays = bumpy(), random_rays((500_000,))

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scene.closest_hit(rays, progress=stop)
    same(scene.closest_hit(rays[:1000]), scene.closest_hit(rays[:1000], brute_force=True))


@pytest.mark.parametrize("query, width", [("closest_point", 3), ("any_hit", 6)])
def test_ctrl_c_while_an_argument_is_read_ends_the_call(query, width):
    class Rows:
        """Rows that are made when they are asked for, as those of lazy frames are; Ctrl-C comes at the first time."""

        asked = 0

        def __array__(self, dtype=None, copy=None):
            self.asked += 1
            if self.asked == 1:
                raise KeyboardInterrupt
            return np.zeros((4, width), dtype or np.float64)

    rows = Rows()
    with pytest.raises(KeyboardInterrupt):
        getattr(bumpy(), query)(rows)
    assert rows.asked == 1


QUERIES = ["closest_hit", "farthest_hit", "any_hit", "count_hits", "all_hits", "cost"]


@pytest.mark.parametrize("query", QUERIES)
def test_progress_is_told_and_ends_with_all(query):
    scene, rays = bumpy(), random_rays((600_000,))
    told = []
    thread = threading.get_ident()

    def progress(done, total):
        assert threading.get_ident() == thread
        told.append((done, total))

    getattr(scene, query)(rays, progress=progress)
    assert told[-1] == (600_000, 600_000)
    assert told == sorted(told) and {total for _, total in told} == {600_000}
    told.clear()
    getattr(scene, query)(rays[:10], progress=progress)
    assert told[-1] == (10, 10)
    getattr(scene, query)(rays[:0], progress=progress)


def test_a_bar_of_tqdm_is_moved():
    tqdm = pytest.importorskip("tqdm")
    scene, rays = bumpy(), random_rays((600_000,))
    with open(os.devnull, "w") as nowhere, tqdm.tqdm(file=nowhere) as bar:
        scene.closest_hit(rays, progress=bar)
        assert (bar.n, bar.total) == (600_000, 600_000)


@pytest.mark.parametrize("query", ["closest_hit", "all_hits"])
def test_a_bar_of_several_calls_keeps_its_total_and_advances(query):
    tqdm = pytest.importorskip("tqdm")
    scene, rays = bumpy(), random_rays((300_000,))
    with open(os.devnull, "w") as nowhere, tqdm.tqdm(total=900_000, initial=7, file=nowhere) as bar:
        for done in (300_007, 600_007, 900_007):
            getattr(scene, query)(rays, progress=bar)
            assert (bar.n, bar.total) == (done, 900_000)


@pytest.mark.parametrize("rows", [3, 3_000_000])
def test_an_exception_in_progress_ends_the_call(rows):
    scene, rays = bumpy(), random_rays((rows,))

    def progress(done, total):
        raise LookupError("enough")

    start = time.perf_counter()
    with pytest.raises(LookupError, match="enough"):
        scene.closest_hit(rays, progress=progress)
    with pytest.raises(TypeError):
        scene.closest_hit(rays, progress=lambda done: None)
    with pytest.raises(TypeError, match="^progress: it is 5; a function of "):
        scene.closest_hit(rays, progress=5)
    assert time.perf_counter() - start < 5


def terrain(side):
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    vertices = np.stack([x, y, np.random.default_rng(1).random(x.shape)], -1).reshape(-1, 3)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1)
    return vertices, np.concatenate([corner[:, None] + [0, 1, side], corner[:, None] + [1, side + 1, side]])


class Told:
    """What a function of progress is told."""

    def __init__(self):
        self.at = []

    def __call__(self, done, total):
        self.at.append((done, total))

    def expect(self, total):
        assert self.at[-1] == (total, total)
        assert self.at == sorted(self.at) and {total for _, total in self.at} == {total}
        # It is told on the way too.
        assert any(0 < done < total for done, _ in self.at), self.at
        self.at = []


@pytest.mark.parametrize(
    "options",
    [{}, {"threads": 1}, {"quality": "high"}, {"weld": 1e-3}, {"precision": "f64", "quality": "fast"}],
)
def test_progress_of_builds_rises_to_all_primitives(options):
    vertices, faces = terrain(1000)
    told = Told()
    scene = Scene(vertices, faces, progress=told, **options)
    told.expect(len(faces))
    assert scene.triangle_count == len(faces)


def test_progress_of_all_that_builds(tmp_path):
    vertices, faces = terrain(1000)
    mesh, balls = lanecast.Mesh(vertices, faces), lanecast.Spheres(vertices, 0.25)
    told = Told()
    Scene.build(mesh, balls, progress=told)
    told.expect(len(faces) + len(vertices))
    path = tmp_path / "few.off"
    path.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    for mesh in (path, lanecast.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])):
        Scene.from_mesh(mesh, progress=told)
        assert told.at[-1] == (1, 1)
    Scene.build(progress=told)
    assert told.at[-1] == (0, 0)
    with pytest.raises(TypeError, match="^progress: it is 5; a function of "):
        Scene.build(progress=5)


def test_progress_of_changes_rises_to_all_primitives_and_an_exception_undoes_them():
    vertices, faces = terrain(1000)
    cloth, balls = lanecast.Mesh(vertices, faces, deformable=True), lanecast.Spheres(vertices, 0.25)
    scene, rays = Scene.build(cloth, lanecast.Spheres([[0, 0, 9]], 1)), random_rays((1000,))
    count = len(faces)
    changes = [
        (count, lambda progress: scene.refit({0: vertices + [0, 0, 1]}, progress=progress)),
        (count + 1, lambda progress: scene.rebuild(progress=progress)),
        (2 * count + 1, lambda progress: scene.add(cloth, progress=progress)),
        (2 * count + len(vertices), lambda progress: scene.replace({1: balls}, progress=progress)),
        (count + len(vertices), lambda progress: scene.remove(2, progress=progress)),
    ]
    told = Told()
    for total, change in changes:
        before, geometries = scene.closest_hit(rays), scene.geometry_count

        def enough(done, total):
            # Whoever hears of progress sees the scene as it was, and cannot change it.
            same(scene.closest_hit(rays), before)
            with pytest.raises(RuntimeError, match="being changed"):
                scene.remove(0)
            raise LookupError("enough")

        with pytest.raises(LookupError, match="enough"):
            change(enough)
        same(scene.closest_hit(rays), before)
        assert scene.geometry_count == geometries
        change(told)
        told.expect(total)


def test_few_primitives_are_told_at_the_end_and_a_bar_is_moved():
    tqdm = pytest.importorskip("tqdm")
    told = Told()
    scene = bumpy(size=3)
    count = scene.triangle_count
    scene.rebuild(progress=told)
    assert told.at[-1] == (count, count)
    with open(os.devnull, "w") as nowhere, tqdm.tqdm(file=nowhere) as bar:
        scene.rebuild(progress=bar)
        assert (bar.n, bar.total) == (count, count)
        vertices, faces = terrain(700)
        Scene(vertices, faces, progress=bar)
        assert (bar.n, bar.total) == (count + len(faces), count)


def test_other_threads_run_meanwhile():
    scene, rays = bumpy(size=100), random_rays((2_000_000,))
    counted, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before, start = counted[0], time.perf_counter()
    scene.closest_hit(rays)
    counts, seconds = counted[0] - before, time.perf_counter() - start
    is_over.set()
    counter.join()
    # A call that held the lock would leave a handful.
    assert counts > 20 * seconds, f"{counts} counts in {seconds:.2f} s"


@pytest.mark.parametrize("rows", [100, 100_000])
def test_threads_cast_at_one_scene_at_once(rows):
    scene = bumpy()
    batches = [random_rays((rows,), seed=seed) for seed in range(8)]
    expected = [scene.closest_hit(rays) for rays in batches]
    failures = []

    def cast(number):
        try:
            for turn in range(10):
                place = (number + turn) % len(batches)
                same(scene.closest_hit(batches[place], threads=1 + turn % 3), expected[place])
                scene.all_hits(batches[place][:50])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=cast, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_scenes_pickle_with_and_without_a_file(precision, tmp_path):
    scene, rays = bumpy(precision), random_rays((1000,))
    expected = scene.closest_hit(rays)
    whole = pickle.dumps(scene)
    again = pickle.loads(whole)
    assert again.path is None and again.precision == scene.precision
    same(again.closest_hit(rays), expected)
    scene.save(tmp_path / "bumpy.scene")
    assert scene.path == tmp_path / "bumpy.scene"
    by_path = pickle.dumps(scene)
    assert len(by_path) < 500 < len(whole)
    again = pickle.loads(by_path)
    assert again.path == scene.path
    same(again.closest_hit(rays), expected)
    same(pickle.loads(pickle.dumps(pickle.loads(whole))).closest_hit(rays), expected)


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_the_bytes_of_a_scene_are_those_of_its_file(precision, tmp_path):
    scene, rays = bumpy(precision), random_rays((1000,))
    whole = scene.to_bytes()
    scene.save(tmp_path / "bumpy.scene")
    assert whole == (tmp_path / "bumpy.scene").read_bytes()
    again = Scene.from_bytes(whole)
    assert again.path is None and again.precision == scene.precision
    same(again.closest_hit(rays), scene.closest_hit(rays))
    with pytest.raises(ValueError, match="^the bytes of a scene: truncated"):
        Scene.from_bytes(whole[:-1])
    with pytest.raises(ValueError, match="^the bytes of a scene: not a scene file"):
        Scene.from_bytes(b"no scene at all" * 1000)


def test_names_and_masks_are_pickled():
    items = (
        lanecast.Spheres([[0, 0, 0]], 1.0, name="ball", user_data=2**63, mask=2),
        lanecast.Instance(bumpy(), np.eye(4), mask=4),
    )
    again = pickle.loads(pickle.dumps(Scene.build(*items)))
    assert again.geometry_name(0) == "ball" and again.geometry_user_data(0) == 2**63
    ray = [[0, 0, 3, 0, 0, -1]]
    assert [bool(again.any_hit(ray, mask=mask)[0]) for mask in (1, 2)] == [False, True]


def test_a_file_that_is_gone_or_another_is_said_so(tmp_path):
    scene, rays = bumpy(), random_rays((100,))
    scene.save(tmp_path / "a.scene")
    opened = Scene.open(tmp_path / "a.scene")
    expected = opened.closest_hit(rays)
    pickled = pickle.dumps(opened)
    os.remove(tmp_path / "a.scene")
    same(opened.closest_hit(rays), expected)
    with pytest.raises(FileNotFoundError, match=r"a\.scene"):
        pickle.loads(pickled)
    (tmp_path / "a.scene").write_bytes(b"no scene at all" * 1000)
    with pytest.raises(ValueError, match=r"a\.scene"):
        pickle.loads(pickled)
    bumpy(size=7).save(tmp_path / "a.scene")
    with pytest.raises(ValueError, match=r"a\.scene: .*another"):
        pickle.loads(pickled)
    # The mapping is of the file that was opened.
    same(opened.closest_hit(rays), expected)
    shutil.rmtree(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"a\.scene"):
        scene.save(tmp_path / "a.scene")


def test_modules_are_there_once_the_package_is_imported():
    program = (
        "import lanecast, sys; assert not {'pyarrow', 'lanecast.trimesh'} & sys.modules.keys(); "
        "lanecast.trimesh.use, lanecast.open3d.RaycastingScene, lanecast.pyvista.ray_trace, "
        "lanecast.parquet.cast_parquet, lanecast.arrow.cast_arrow"
    )
    pytest.importorskip("pyarrow")
    subprocess.run([sys.executable, "-c", program], check=True)


def test_errors_of_files_have_their_numbers_and_names(tmp_path):
    absent, below_a_file = str(tmp_path / "none.ply"), tmp_path / "a" / "b.ply"
    (tmp_path / "a").write_text("")
    for call in (Scene.from_mesh, Scene.open, lambda path: Scene(np.eye(3), [[0, 1, 2]]).save(path + "/a")):
        with pytest.raises(FileNotFoundError) as caught:
            call(absent)
        error = caught.value
        assert error.errno == errno.ENOENT and error.filename.startswith(absent) and error.strerror
    with pytest.raises(NotADirectoryError) as caught:
        Scene.from_mesh(below_a_file)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOTDIR, str(below_a_file))


def cast_in_child(scene, rays):
    return os.getpid(), scene.closest_hit(rays)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("has_file", [False, True])
def test_processes_cast(method, has_file, tmp_path):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    scene, rays = bumpy(), random_rays((200_000,))
    if has_file:
        scene.save(tmp_path / "bumpy.scene")
    # Starts threads, which no child of fork has.
    expected = scene.closest_hit(rays)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.starmap_async(cast_in_child, [(scene, rays)] * 4).get(timeout=120)
    assert os.getpid() not in [process for process, _ in found]
    for _, hits in found:
        same(hits, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_of_fork_does_everything(tmp_path):
    """With a scene that it inherits, and with scenes of its own."""
    scene, rays = bumpy(), random_rays((200_000,))
    mesh = tmp_path / "square.off"
    mesh.write_text("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n")

    def everything(scene):
        hits = scene.closest_hit(rays)
        scene.all_hits(rays, threads=2)
        scene.save(tmp_path / "saved.scene")
        Scene.open(tmp_path / "saved.scene").check()
        Scene.from_mesh(mesh).any_hit(rays)
        # So large that threads share the sums of its file.
        large = bumpy(size=300)
        large.check()
        pickle.loads(pickle.dumps(large)).check()
        large.save(tmp_path / "large.scene")
        Scene.open(tmp_path / "large.scene").check()
        large.rebuild()
        large.remove(0)
        return hits

    expected = everything(scene)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            same(everything(scene), expected)
            status = 0
        finally:
            os._exit(status)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"threads": 0}, ValueError, "^threads: None or a number from 1 to"),
        ({"threads": "all"}, ValueError, "^threads: None or a number from 1 to"),
        ({"threads": 10**9}, ValueError, "^threads: None or a number from 1 to"),
        ({"backend": "mmx"}, ValueError, "mmx"),
        ({"backend": 5}, TypeError, "^backend: "),
        (
            {"culling": "both"},
            ValueError,
            '^culling: it is \'both\'; "none" or "front" or "back" was expected',
        ),
        ({"coherence": None}, ValueError, "^coherence: "),
        ({"invalid": "nan"}, ValueError, "^invalid: "),
        ({"brute_force": "yes"}, TypeError, "^brute_force: "),
        ({"normals": 1.5}, TypeError, "^normals: "),
        ({"mask": -1}, ValueError, "^mask: "),
        ({"mask": 2**32}, ValueError, "^mask: "),
        ({"mask": "all"}, TypeError, "^mask: "),
        ({"t_min": "0"}, TypeError, "^t_min: "),
        ({"skip": 5}, ValueError, "^skip: answers of an earlier call, or"),
        ({"skip": ([0],)}, ValueError, "^skip: answers of an earlier call, or"),
        ({"tmin": 0}, TypeError, 'no argument "tmin" of closest_hit; did you mean "t_min"?'),
        ({"max_distance": 9}, TypeError, 'no argument "max_distance" of closest_hit; did you mean "t_max"?'),
    ],
)
def test_unusable_options_are_refused(options, error, problem):
    with pytest.raises(error, match=problem):
        bumpy().closest_hit(random_rays((1,)), **options)


def test_backends_and_threads_change_no_answer():
    scene, rays = bumpy(), random_rays((100_000,))
    expected = scene.closest_hit(rays, normals=True)
    for backend in lanecast.backends():
        for threads in (1, 2, 5):
            same(scene.closest_hit(rays, normals=True, backend=backend, threads=threads), expected)
    same(scene.closest_hit(rays, normals=True, coherence="incoherent"), expected)
    same(scene.closest_hit(rays[:500], brute_force=True), scene.closest_hit(rays[:500]))


def test_the_installed_package_names_its_author_and_licences():
    about = importlib.metadata.metadata("lanecast")
    assert about["License-Expression"] == "MIT OR Apache-2.0" and about["Author"]
    assert sorted(about.get_all("License-File")) == ["LICENSE-APACHE", "LICENSE-MIT"]
