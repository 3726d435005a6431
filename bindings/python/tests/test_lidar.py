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


def by_program(scene, folder, *options):
    scene.save(folder / "a.scene")
    for name, head, rows in (
        ("beams", "elevation,azimuth,delay", BEAMS),
        ("poses", "time,x,y,z,qx,qy,qz,qw", PATH),
    ):
        np.savetxt(folder / f"{name}.csv", rows, "%.17g", ",", header=head, comments="")
    command = ["lidar", "a.scene", "-o", "scan.npz", "--beam-table", "beams.csv", "--poses", "poses.csv"]
    command += ["--steps", "300", "--turn-seconds", "0.4", "--turns", "2", "--range-noise", "0.02,0.003"]
    command += ["--reference-range", "0.9", "--seed", "7", *options]
    subprocess.run([program(), *command], cwd=folder, check=True)
    return np.load(folder / "scan.npz")


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
    pulses = LIDAR.pulses()
    np.testing.assert_array_equal(pulses.time.ravel()[found.pulse], expected["time"])
    np.testing.assert_array_equal(pulses.beam.ravel()[found.pulse], expected["beam"])
    if options:
        assert found.return_count.max() > 1


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
    ):
        found = scene.lidar_returns(cones, Receiver(**{**usual, name: value}))
        assert all(found.distance.tolist() != other.distance.tolist() for other in of.values())
        of[name, value] = found
    lossless, noisier = of["reference_range", np.inf], of["range_noise", (0.01, 0.01)]
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
