"""What a scanner measures: `Scene.lidar_returns`, beside the program and the exact hits."""

import copy
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support import bumpy, same

import lanecast
from lanecast import Footprint, Lidar, Receiver

BEAMS = [
    [elevation, azimuth, 1e-4 * i] for i, (elevation, azimuth) in enumerate(zip(range(-80, 0, 8), range(10)))
]
PATH = [[0, 0.2, 0.4, 0.8, 0, 0, 0, 1], [1, 0.8, 0.6, 0.7, 0, 0, 0.6, 0.8]]
LIDAR = Lidar(BEAMS, steps=300, poses=PATH, seconds=0.4, turns=2)
ERRORS = {"range_noise": (0.02, 0.003), "reference_range": 0.9, "seed": 7}
NOISY = Receiver(**ERRORS)


@pytest.fixture(scope="module", params=["f32", "f64"])
def scene(request):
    """A sheet and balls above it, at whose rims beams have several returns."""
    corners = bumpy().triangles().vertices.reshape(-1, 3)
    sheet = lanecast.Mesh(corners, np.arange(len(corners)).reshape(-1, 3))
    balls = lanecast.Spheres(np.random.default_rng(1).uniform(0, 1, (60, 3)) * [1, 1, 0.4], 0.03)
    return lanecast.Scene.build(sheet, balls, precision=request.param)


def program():
    """The program of this checkout, which the tests of the engine build."""
    target = os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[3] / "target")
    path = Path(target) / "release" / "lanecast"
    if not path.exists():
        pytest.skip("the program is not built: cargo build --release -p lanecast-cli")
    return path


def by_program(scene, folder, *options, output="scan.npz"):
    scene.save(folder / "a.scene")
    for name, head, rows in (
        ("beams", "elevation,azimuth,delay", BEAMS),
        ("poses", "time,x,y,z,qx,qy,qz,qw", PATH),
    ):
        np.savetxt(folder / f"{name}.csv", rows, "%.17g", ",", header=head, comments="")
    command = ["lidar", "a.scene", "-fo", output, "--beam-table", "beams.csv", "--poses", "poses.csv"]
    command += ["--steps", "300", "--turn-seconds", "0.4", "--turns", "2", "--range-noise", "0.02,0.003"]
    command += ["--reference-range", "0.9", "--seed", "7", *options]
    subprocess.run([program(), *command], cwd=folder, check=True)
    return np.load(folder / output) if output.endswith("npz") else None


@pytest.mark.parametrize(
    ("beams", "receiver", "options"),
    [
        (LIDAR, NOISY, []),
        (
            # Several pieces.
            Footprint(LIDAR, divergence=40, number=19),
            Receiver(**ERRORS, resolution=0.02, keep="all"),
            ["--divergence", "40", "--sub-rays", "19", "--resolution", "0.02", "--returns", "all"],
        ),
    ],
    ids=["pulses", "beams"],
)
def test_returns_are_those_of_the_program_bit_by_bit(scene, tmp_path, beams, receiver, options):
    expected = by_program(scene, tmp_path, *options)
    found = scene.lidar_returns(beams, receiver)
    assert (
        1000 < found.distance.size and found.distance.dtype == expected["distance"].dtype == scene.precision
    )
    np.testing.assert_array_equal(found.distance, expected["distance"])
    np.testing.assert_array_equal(found.point, np.stack([expected[axis] for axis in "xyz"], axis=-1))
    for name in ("pulse", "return_number", "return_count", "primitive_id", "geometry_id"):
        np.testing.assert_array_equal(getattr(found, name), expected[name], err_msg=name)
    for name in ("incidence", "intensity", "time", "beam"):
        np.testing.assert_array_equal(getattr(found, name), expected[name], err_msg=name)
    np.testing.assert_array_equal(found.azimuth.astype("float32"), expected["azimuth"])
    pulses = LIDAR.pulses()
    for name in ("time", "beam", "azimuth"):
        np.testing.assert_array_equal(getattr(pulses, name).ravel()[found.pulse], getattr(found, name))
    if options:
        assert found.return_count.max() > 1


TABLES = {"parquet": "read_table", "arrow": "open_file", "feather": "open_file", "ipc": "open_file"}
TABLES["arrows"] = "open_stream"
FORMATS = [*"las laz pcd ply xyz asc npz csv".split(), *TABLES]


def table_of(path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    read = TABLES[path.suffix[1:]]
    if read == "read_table":
        return pq.read_table(path)
    with getattr(pa.ipc, read)(path) as reader:
        return reader.read_all()


def test_files_of_returns_are_those_of_the_program_byte_by_byte(scene, tmp_path):
    cones = Footprint(LIDAR, divergence=40, number=7)
    receiver = Receiver(**ERRORS, resolution=0.02, keep="all", reflectance={1: 0.5})
    found = scene.lidar_returns(cones, receiver)
    (tmp_path / "of.csv").write_text("geometry,reflectance\n1,0.5\n")
    more = ["--divergence", "40", "--sub-rays", "7", "--resolution", "0.02", "--returns", "all"]
    for extension in FORMATS:
        if extension in ("xyz", "asc"):
            continue
        by_program(scene, tmp_path, *more, "--reflectance", "of.csv", output=f"scan.{extension}")
        found.save(tmp_path / f"saved.{extension}")
        files = [tmp_path / f"{name}.{extension}" for name in ("scan", "saved")]
        if extension in TABLES:
            # Another library writes these: the same columns of the same types.
            scan, saved = (table_of(file) for file in files)
            assert scan.schema.names == saved.schema.names, extension
            assert scan.schema.types == saved.schema.types, extension
            assert scan.to_pydict() == saved.to_pydict(), extension
        else:
            assert files[0].read_bytes() == files[1].read_bytes(), extension
    found.save(str(tmp_path / "saved.xyz"))
    np.testing.assert_array_equal(
        np.loadtxt(tmp_path / "saved.xyz", dtype=found.point.dtype).reshape(-1, 3), found.point
    )


def of_laspy(path):
    laspy = pytest.importorskip("laspy")
    read = laspy.read(path)
    assert str(read.header.version) == "1.4" and read.header.point_format.id == 6
    return read


@pytest.mark.parametrize("extension", ["las", "laz"])
def test_las_is_read_by_laspy(scene, tmp_path, extension):
    if extension == "laz":
        pytest.importorskip("lazrs")
    cones = Footprint(LIDAR, divergence=40, number=7)
    receiver = Receiver(reference_range=0.6, resolution=0.02, keep="all")
    found = scene.lidar_returns(cones, receiver)
    found.save(tmp_path / f"scan.{extension}")
    read = of_laspy(tmp_path / f"scan.{extension}")
    assert len(read.points) == len(found.distance) > 1000
    np.testing.assert_allclose(read.xyz, found.point, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(read.gps_time, found.time)
    np.testing.assert_array_equal(read.return_number, found.return_number)
    np.testing.assert_array_equal(read.number_of_returns, found.return_count)
    scaled = np.minimum(np.floor(65535 * found.intensity.astype("float64") + 0.5), 65535)
    np.testing.assert_array_equal(read.intensity, scaled)
    assert (scaled == 65535).any() and (scaled < 65535).any()
    names = ["distance", "ring", "azimuth", "pulse", "incidence", "exact_intensity"]
    names += ["primitive_id", "geometry_id", "instance_id", "status"]
    assert list(read.point_format.extra_dimension_names) == names
    for mine, name in (("beam", "ring"), ("intensity", "exact_intensity"), *((name, name) for name in names)):
        if name in ("ring", "exact_intensity", "status") and mine == name:
            continue
        expected = getattr(found, mine)
        if name.endswith("_id"):
            expected = expected.astype("int32")
        column = read[name]
        np.testing.assert_array_equal(column, expected.astype(column.dtype), err_msg=name)
    assert (read.instance_id == -1).all() and (np.asarray(read.scan_angle) == 0).all()
    assert read["ring"].dtype == "uint16" and read["distance"].dtype == found.distance.dtype


def test_pcd_is_read_by_pypcd4(scene, tmp_path):
    pypcd4 = pytest.importorskip("pypcd4")
    found = scene.lidar_returns(LIDAR, NOISY)
    found.save(tmp_path / "scan.pcd")
    cloud = pypcd4.PointCloud.from_path(tmp_path / "scan.pcd")
    points = cloud.pc_data
    for name in ("distance", "time", "intensity", "incidence", "pulse", "geometry_id"):
        np.testing.assert_array_equal(points[name], getattr(found, name), err_msg=name)
    np.testing.assert_array_equal(points["ring"], found.beam)
    assert cloud.metadata.fields[:3] == ("x", "y", "z") and points["ring"].dtype == "uint16"
    np.testing.assert_array_equal(np.stack([points[axis] for axis in "xyz"], axis=-1), found.point)


def test_our_own_readers_have_the_points_of_saved_returns(scene, tmp_path):
    pytest.importorskip("pyarrow")
    scene.save(tmp_path / "a.scene")
    found = scene.lidar_returns(LIDAR)
    for extension in FORMATS:
        found.save(tmp_path / f"scan.{extension}")
        command = ["points", "a.scene", f"scan.{extension}", "-fo", "near.npz", "--query", "distance"]
        subprocess.run([program(), *command], cwd=tmp_path, check=True)
        distance = np.load(tmp_path / "near.npz")["distance"]
        assert distance.size == found.distance.size and distance.max() < 1e-5, extension


def normals_of(scene, found):
    """Worked out here, of length 1, from the corners of triangles and the centres of balls."""
    triangles = scene.triangles()
    assert (triangles.geometry_id == 0).all()
    corners = np.empty((len(triangles), 3, 3))
    corners[triangles.primitive_id] = triangles.vertices
    centres = np.random.default_rng(1).uniform(0, 1, (60, 3)) * [1, 1, 0.4]
    is_ball = found.geometry_id == 1
    a, b, c = np.moveaxis(corners[np.where(is_ball, 0, found.primitive_id)], 1, 0)
    of_ball = found.point - centres[np.where(is_ball, found.primitive_id, 0)]
    normal = np.where(is_ball[:, None], of_ball, np.cross(b - a, c - a))
    return normal / np.linalg.norm(normal, axis=-1, keepdims=True)


def test_incidence_and_intensity_are_those_of_the_geometry(scene):
    for receiver, range_, reflectance in (
        (Receiver(), None, np.array([1.0, 1.0])),
        (Receiver(reflectance=0.3), None, np.array([0.3, 0.3])),
        (Receiver(reference_range=100, reflectance=[0.25, 0.75]), 100.0, np.array([0.25, 0.75])),
    ):
        found = scene.lidar_returns(LIDAR, receiver)
        assert {0, 1} == set(found.geometry_id)
        direction = LIDAR.rays("float64").reshape(-1, 6)[found.pulse, 3:]
        cosine = np.abs(np.sum(direction * normals_of(scene, found), axis=-1))
        assert found.incidence.dtype == found.intensity.dtype == "float32"
        expected = np.degrees(np.arccos(np.minimum(cosine, 1)))
        assert expected.min() < 10 and expected.max() > 80
        np.testing.assert_allclose(found.incidence, expected, rtol=0, atol=0.02)
        power = reflectance[found.geometry_id]
        if range_ is not None:
            power = power * (range_ / found.distance.astype("float64")) ** 2
        np.testing.assert_allclose(found.intensity / power, cosine, rtol=0, atol=1e-4)


def test_the_intensity_of_a_beam_is_the_sum_of_its_hits(scene):
    cones = Footprint(LIDAR, divergence=40, number=19)
    found = scene.lidar_returns(cones, Receiver(resolution=1e9, reflectance=[0.5, 1.0]))
    hits = scene.closest_hit(cones, normals=True)
    rays = cones.rays("float64")
    normal = hits.normal.astype("float64")
    length = np.linalg.norm(normal, axis=-1)
    cosine = np.abs(np.sum(rays[..., 3:] * normal, axis=-1)) / np.where(length > 0, length, 1)
    energy = cones.weights * np.where(hits.geometry_id == 0, 0.5, 1.0) * cosine
    power = energy / hits.t.astype("float64") ** 2
    intensity = np.where(hits.is_hit, energy, 0).sum(axis=-1).ravel()
    assert (np.bincount(found.pulse, minlength=intensity.size) == (hits.is_hit.any(axis=-1).ravel())).all()
    np.testing.assert_allclose(found.intensity, intensity[found.pulse], rtol=1e-5)
    main = np.where(hits.is_hit, power, -1).reshape(-1, 19).argmax(axis=-1)[found.pulse]
    np.testing.assert_array_equal(found.geometry_id, hits.geometry_id.reshape(-1, 19)[found.pulse, main])


def test_reflectances_are_told_by_names_ids_and_arrays():
    def wall(x):
        return [[x, 4, -9], [x + 9, 4, -9], [x + 9, 4, 9], [x, 4, 9]]

    sides = [[0, 1, 2], [0, 2, 3]]
    left, right = lanecast.Mesh(wall(-9), sides, name="left"), lanecast.Mesh(wall(0), sides, name="right")
    place = np.eye(4)
    place[1, 3] = 4
    inner = lanecast.Scene.build(left, right)
    for scene in (inner, lanecast.Scene.build(lanecast.Instance(inner, place))):
        rays = [[-1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 1, 0]]
        for reflectance, expected in (
            (1, [1, 1]),
            (0.5, [0.5, 0.5]),
            ([0.25, 0.75], [0.25, 0.75]),
            (np.array([0.25, 0.75], "float32"), [0.25, 0.75]),
            ({"left": 0.25}, [0.25, 1]),
            ({1: 0.5, "right": 0.125}, [1, 0.125]),
            ({"right": 0.125, np.int64(1): 0.5}, [1, 0.5]),
            ({}, [1, 1]),
            # The ray to the left meets the first triangle, that to the right the second.
            ({"left": [0.125, 0.25], 1: np.array([0.5, 0.75], "float32")}, [0.125, 0.75]),
        ):
            receiver = Receiver(reflectance=reflectance)
            assert pickle.loads(pickle.dumps(receiver)) == receiver and hash(receiver) == hash(Receiver())
            assert (receiver == Receiver()) == (reflectance == 1 if np.ndim(reflectance) == 0 else False)
            found = scene.lidar_returns(rays, receiver)
            np.testing.assert_array_equal(found.intensity, np.float32(expected))
        for reflectance, problem in (
            (
                {"left": 1, "middle": 0.5},
                r'^reflectance\["middle"\]: no geometry is called "middle"; there are',
            ),
            ({2: 0.5}, r"^reflectance\[2\]: no geometry has the id 2$"),
            ({"left": [0.5] * 3}, r'^reflectance\["left"\]: has 3 values, and geometry 0 has 2 primitives$'),
            ([0.5], "^reflectance: it has 1 values, and geometries have 2 ids"),
            ([0.5] * 3, "^reflectance: it has 3 values, and geometries have 2 ids"),
        ):
            with pytest.raises(ValueError, match=problem):
                scene.lidar_returns(rays, Receiver(reflectance=reflectance))


def test_a_receiver_keeps_the_reflectances_that_it_was_given():
    values = np.array([0.5, 0.25])
    receiver = Receiver(reflectance={"wall": values})
    values[0] = 1
    same = Receiver(reflectance={"wall": [0.5, 0.25]})
    assert receiver == same and hash(receiver) == hash(same) and pickle.loads(pickle.dumps(receiver)) == receiver
    for other in (Receiver(reflectance={"wall": values}), Receiver(reflectance={"wall": 0.5}), Receiver(), 1):
        assert receiver != other
    with pytest.raises(ValueError, match="read-only"):
        receiver.reflectance["wall"][0] = 1


def test_returns_of_other_rays_know_no_pulses(scene, tmp_path):
    beams, rays = scene.lidar_returns(LIDAR), scene.lidar_returns(LIDAR.rays(scene.precision))
    assert rays.time is rays.beam is rays.azimuth is None and "time" not in dict(rays.items())
    np.testing.assert_array_equal(rays.intensity, beams.intensity)
    second = beams[1]
    is_second = beams.pulse >= LIDAR.shape[1] * LIDAR.shape[2]
    for name in ("time", "beam", "azimuth", "incidence", "intensity"):
        np.testing.assert_array_equal(getattr(second, name), getattr(beams, name)[is_second], err_msg=name)
    rays.save(tmp_path / "scan.csv")
    columns = (tmp_path / "scan.csv").read_text().splitlines()[0].split(",")
    assert columns == [
        *("x", "y", "z", "distance", "pulse", "return_number", "return_count", "incidence", "intensity"),
        *("primitive_id", "geometry_id", "instance_id", "status"),
    ]
    nothing = scene.lidar_returns(np.zeros((2, 0, 6)))
    for extension in FORMATS:
        nothing.save(tmp_path / f"nothing.{extension}")
    assert of_laspy(tmp_path / "nothing.las").header.point_count == 0
    pytest.importorskip("pyarrow")
    table = beams.to_arrow()
    assert {"time", "beam", "azimuth", "incidence", "intensity"} < set(table.column_names)
    assert table["beam"].to_pylist() == beams.beam.tolist()


def test_returns_that_cannot_be_saved_are_refused(scene, tmp_path):
    found = scene.lidar_returns(LIDAR)
    for name in ("scan.e57", "scan"):
        with pytest.raises(
            ValueError, match=f"{name}: (unknown hit format|no extension).*known: npz, .*las, laz"
        ):
            found.save(tmp_path / name)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        found.save(tmp_path / "nowhere" / "scan.las")
    with pytest.raises(TypeError):
        found.save(7)
    assert not list(tmp_path.iterdir())


def test_a_receiver_without_errors_measures_the_closest_hits(scene):
    hits, found = scene.closest_hit(LIDAR), scene.lidar_returns(LIDAR)
    np.testing.assert_array_equal(found.status, hits.status)
    np.testing.assert_array_equal(found.pulse, np.flatnonzero(hits.is_hit))
    for mine, other in (("distance", "t"), ("primitive_id", "primitive_id"), ("geometry_id", "geometry_id")):
        np.testing.assert_array_equal(getattr(found, mine), getattr(hits, other)[hits.is_hit])
    rays = LIDAR.rays("float64")[hits.is_hit]
    at = rays[:, :3] + rays[:, 3:] * hits.t[hits.is_hit][:, None]
    np.testing.assert_allclose(found.point, at, rtol=1e-6, atol=1e-6)
    assert (found.return_number == 1).all() and (found.return_count == 1).all()
    assert found.offsets[-1] == found.distance.size < found.offsets.size - 1 == len(LIDAR)


def test_returns_do_not_depend_on_how_they_are_computed(scene):
    cones = Footprint(LIDAR, divergence=40, number=19)
    receiver = Receiver(**ERRORS, resolution=0.02, keep="all")
    expected = scene.lidar_returns(cones, receiver)
    for options in (
        {"threads": 1},
        {"threads": 3, "backend": "portable"},
        {"coherence": "incoherent"},
        {"t_max": np.full(cones.shape, np.inf)},
        {"mask": np.ones(cones.shape, "uint32")},
    ):
        same(scene.lidar_returns(cones, receiver, **options), expected)
    expected = scene.lidar_returns(LIDAR, NOISY)
    rays = LIDAR.rays(scene.precision)
    same(scene.lidar_returns(rays, NOISY), expected)
    same(scene.lidar_returns((rays[..., :3], rays[..., 3:]), NOISY, brute_force=True), expected)
    again = pickle.loads(pickle.dumps(NOISY))
    assert again == NOISY == copy.copy(NOISY) and hash(again) == hash(NOISY) and again != Receiver()
    same(scene.lidar_returns(LIDAR, again), expected)


def test_every_argument_of_a_receiver_matters(scene):
    cones = Footprint(LIDAR, divergence=40, number=19)
    usual = {"range_noise": 0.01, "reference_range": 0.9, "resolution": 0.02, "keep": "all"}
    of = {"usual": scene.lidar_returns(cones, Receiver(**usual))}
    for name, value in (
        ("range_noise", (0.01, 0.01)),
        ("reference_range", np.inf),
        ("resolution", 0.05),
        ("keep", "first"),
        ("keep", "last"),
        ("keep", "strongest"),
        ("seed", 2**64 - 1),
        ("reflectance", 0.5),
        ("reflectance", [0.5, 1]),
    ):
        found = scene.lidar_returns(cones, Receiver(**{**usual, name: value}))
        assert all(found.distance.tolist() != other.distance.tolist() for other in of.values())
        of[name, str(value)] = found
    lossless, noisier = of["reference_range", "inf"], of["range_noise", "(0.01, 0.01)"]
    sizes = [found.distance.size for found in (lossless, of["usual"], noisier)]
    assert sizes[0] > sizes[1] == sizes[2]
    for kept in ("first", "last"):
        found = of["keep", kept]
        assert np.diff(found.offsets).max() == 1 and found.return_count.max() > 1
        expected = 1 if kept == "first" else found.return_count
        assert (found.return_number == expected).all()


def test_lost_pulses_are_hits_without_returns(scene):
    found = scene.lidar_returns(LIDAR, Receiver(reference_range=0.3))
    counts = np.diff(found.offsets).reshape(found.status.shape)
    assert (counts[found.status == 0] == 0).all()
    assert set(counts[found.status == 1]) == {0, 1}


def test_options_select_hits(scene):
    exact = scene.closest_hit(LIDAR)
    near = float(np.median(exact.t[exact.is_hit]))
    half = np.arange(len(LIDAR)).reshape(LIDAR.shape) % 2
    for options in (
        {"t_max": near},
        {"t_min": near},
        {"t_max": half * near},
        {"mask": half.astype("uint32")},
        {"skip": exact},
        {"culling": "front"},
    ):
        hits = scene.closest_hit(LIDAR, **options)
        found = scene.lidar_returns(LIDAR, **options)
        np.testing.assert_array_equal(found.distance, hits.t[hits.is_hit])
        assert found.distance.size < exact.is_hit.sum()


def test_progress_counts_all_rays_and_its_errors_stop():
    calls = []
    bumpy().lidar_returns(LIDAR, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(LIDAR), len(LIDAR))

    def stop(done, total):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        bumpy().lidar_returns(LIDAR, progress=stop, brute_force=True)


def test_no_pulses_have_no_returns(scene):
    found = scene.lidar_returns(np.zeros((2, 0, 6)))
    assert found.status.shape == (2, 0) and found.offsets.tolist() == [0] and found.shape == (2, 0)
    assert found.point.shape == (0, 3)


def test_a_camera_scans_if_its_directions_have_length_1(scene):
    camera = {"eye": (0.5, -1, 1), "target": (0.5, 0.5, 0), "fov": 50, "size": (33, 21)}
    flash = lanecast.Pinhole(**camera, unit=True)
    assert scene.lidar_returns(flash).distance.size == scene.any_hit(flash).sum() > 0
    with pytest.raises(ValueError, match=r"^rays\[\d+, \d+\]: the direction is 1\.\d+ long; 1 was expected"):
        scene.lidar_returns(lanecast.Pinhole(**camera))


REFUSED = [
    (lambda: Receiver(range_noise=-1), ValueError, "^range_noise: it has a part of -1;"),
    (lambda: Receiver(range_noise=(0, np.nan)), ValueError, "^range_noise: it has a part of NaN;"),
    (
        lambda: Receiver(range_noise=(1, 2, 3)),
        ValueError,
        r"^range_noise: its shape is \(3,\); a number or two",
    ),
    (lambda: Receiver(range_noise="much"), TypeError, "^range_noise: numbers were expected"),
    (lambda: Receiver(reference_range=0), ValueError, "^reference_range: it is 0;"),
    (lambda: Receiver(reference_range=None), TypeError, "^reference_range: it is None"),
    (lambda: Receiver(resolution=-0.5), ValueError, "^resolution: it is -0.5;"),
    (lambda: Receiver(keep="nearest"), ValueError, '^keep: it is \'nearest\'; "strongest" or "first" or'),
    (lambda: Receiver(seed=-1), ValueError, "^seed: it is -1; a whole number from 0 to 18446744073709551615"),
    (lambda: Receiver(seed=0.5), TypeError, "^seed: it is 0.5; a number was expected"),
    (lambda: Receiver(reflectance=1.5), ValueError, "^reflectance: it is 1.5; it must be from 0 to 1"),
    (
        lambda: Receiver(reflectance=[1, -1]),
        ValueError,
        r"^reflectance\[1\]: it is -1; it must be from 0 to 1",
    ),
    (lambda: Receiver(reflectance={"a": np.nan}), ValueError, r'^reflectance\["a"\]: it is NaN; it must be'),
    (lambda: Receiver(reflectance={"a": "dark"}), TypeError, r'^reflectance\["a"\]: numbers were expected'),
    (
        lambda: Receiver(reflectance={0: [0.5, 2]}),
        ValueError,
        r"^reflectance\[0\]\[1\]: it is 2; it must be from 0 to 1",
    ),
    (
        lambda: Receiver(reflectance={0: [[0.5]]}),
        ValueError,
        r"^reflectance\[0\]: its shape is \(1, 1\); a number, or one for each primitive",
    ),
    (lambda: Receiver(noise=0.02), TypeError, 'no argument "noise" of Receiver; did you mean "range_noise"'),
    (
        lambda: Receiver(reflectance={1.5: 1}),
        TypeError,
        "^reflectance: names and ids of geometries were expected",
    ),
    (lambda: Receiver(reflectance="dark"), TypeError, "^reflectance: numbers were expected"),
    (
        lambda: Receiver(reflectance=[[1]]),
        ValueError,
        r"^reflectance: its shape is \(1, 1\); a number, one for",
    ),
    (lambda: Lidar([0], steps=-1), ValueError, "^steps: it is -1; a whole number from 0 to 4294967295"),
    (lambda: Lidar(["a"], 4), TypeError, "^beams: numbers were expected"),
    (lambda: Lidar([0], 4, poses="here"), TypeError, "^poses: numbers were expected"),
    (lambda: Lidar([0], 4, start="now"), TypeError, "^start: it is 'now'; a number was expected"),
    (lambda: Footprint(LIDAR, "wide", 4), TypeError, "^divergence: it is 'wide'"),
    (lambda: bumpy().lidar_returns(LIDAR, 0.02), TypeError, "^receiver: a lanecast.Receiver was expected"),
    (lambda: bumpy().lidar_returns(LIDAR, normals=True), TypeError, 'no argument "normals"'),
    (
        lambda: bumpy().lidar_returns([[0, 0, np.nan, 0, 0, 1]]),
        ValueError,
        r"^rays\[0\]: a coordinate is NaN",
    ),
]


@pytest.mark.parametrize(("call", "error", "problem"), REFUSED)
def test_what_measures_nothing_is_refused_by_name(call, error, problem):
    with pytest.raises(error, match=problem):
        call()
