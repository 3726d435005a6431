"""Makers of rays: the answers are those to the rays that they make."""

import datetime
import pickle
import warnings

import numpy as np
import pytest
from support import bumpy, peak_of, same

import lanecast

POINTS = np.random.default_rng(1).uniform(0, 1, (7, 5, 3)) + [0, 0, 0.3]
NORMALS = np.random.default_rng(2).normal(size=(7, 5, 3))
PATH = [[0, 0.1, 0.5, 0.6], [1, 0.9, 0.5, 0.6]]
LIDAR = lanecast.Lidar(np.linspace(-60, 0, 9), steps=60, poses=PATH, seconds=0.4, turns=2)
SHOTS = np.random.default_rng(3).uniform([-90, -180, 0, 0], [0, 180, 0.4, 0], (90, 4))
SHOTS[:, 3] = np.arange(90) % 7

MAKERS = {
    "pinhole": (lanecast.Pinhole(eye=(0.5, -1, 1), target=(0.5, 0.5, 0), fov=50, size=(33, 21)), (21, 33)),
    "matrices": (
        lanecast.Pinhole(
            intrinsic=[[40, 0, 20], [0, 40, 15], [0, 0, 1]],
            extrinsic=[[1, 0, 0, -0.5], [0, -1, 0, 0.5], [0, 0, -1, 1], [0, 0, 0, 1]],
            size=(40, 30),
            unit=True,
        ),
        (30, 40),
    ),
    "panorama": (lanecast.Panorama(eye=(0.5, 0.5, 0.4), size=(40, 20)), (20, 40)),
    "orthographic": (
        lanecast.Orthographic(
            eye=(0.5, 0.5, 2), target=(0.5, 0.5, 0), up=(0, 1, 0), height=1.5, size=(25, 30)
        ),
        (30, 25),
    ),
    "grid": (lanecast.Grid((-0.5, -0.5, 2), [[2, 0, 0], [0, 2, 0]], (25, 30), (0.1, 0, -1)), (30, 25)),
    "lidar": (LIDAR, (2, 60, 9)),
    "pattern": (lanecast.Lidar(pattern=SHOTS, poses=PATH, seconds=0.4, turns=2), (2, 90)),
    "swath": (
        lanecast.Lidar([0, 9], 40, PATH, seconds=0.2, turns=5, swath=(-50, 40, 0.5)),
        (5, 40, 2),
    ),
    "rosette": (
        lanecast.Lidar(
            [[-40, 0, 0], [-30, 5, 0.001]], 70, PATH, seconds=0.4, turns=2, prisms=[[9, 31, 5], [7, -17, 0]]
        ),
        (2, 70, 2),
    ),
    "footprint": (lanecast.Footprint(LIDAR, divergence=50, number=6), (2, 60, 9, 6)),
    "hemisphere": (lanecast.Hemisphere(POINTS, NORMALS, 9, spread="uniform", seed=3), (7, 5, 9)),
    "sunlight": (lanecast.Sunlight(POINTS, [[0, 0, -2], [1, 0, -0.3]]), (2, 7, 5)),
}


@pytest.fixture(scope="module", params=["f32", "f64"])
def scene(request):
    return bumpy(request.param)


@pytest.mark.parametrize("name", MAKERS)
def test_answers_are_those_to_the_rays(scene, name):
    maker, shape = MAKERS[name]
    rays = maker.rays(scene.precision)
    assert rays.shape == (*shape, 6) and rays.dtype == scene.precision
    assert maker.shape == shape and len(maker) == np.prod(shape)
    hits = scene.closest_hit(maker, normals=True)
    assert hits.t.shape == shape and 0 < hits.is_hit.sum()
    same(hits, scene.closest_hit(rays, normals=True))
    same(scene.farthest_hit(maker, backend="portable", threads=1), scene.farthest_hit(rays))
    np.testing.assert_array_equal(scene.any_hit(maker), scene.any_hit(rays))
    np.testing.assert_array_equal(scene.count_hits(maker), scene.count_hits(rays))
    same(scene.all_hits(maker), scene.all_hits(rays))
    same(scene.nearest_hits(maker, 1), scene.nearest_hits(rays, 1))
    same(scene.cost(maker), scene.cost(rays))


@pytest.mark.parametrize("name", MAKERS)
def test_options_are_taken(scene, name):
    maker, shape = MAKERS[name]
    rays = maker.rays(scene.precision)
    half = np.nanmedian(np.where(scene.any_hit(rays), scene.closest_hit(rays).t, np.nan))
    t_max = np.where(np.arange(rays.size // 6).reshape(shape) % 2, half, np.inf)
    skipped = scene.closest_hit(rays)
    for options in (
        {"t_min": half},
        {"t_max": t_max},
        {"t_min": half, "t_max": np.inf},
        {"skip": skipped},
        {"mask": 0},
    ):
        same(scene.closest_hit(maker, **options), scene.closest_hit(rays, **options))
    out = {"t": np.zeros(shape, scene.precision)}
    assert scene.closest_hit(maker, out=out).t is out["t"]
    with pytest.raises(ValueError, match="^directions: the rays are made"):
        scene.closest_hit(maker, rays[..., 3:])


@pytest.mark.parametrize("name", MAKERS)
def test_makers_pickle(name):
    maker, shape = MAKERS[name]
    again = pickle.loads(pickle.dumps(maker))
    assert type(again) is type(maker) and again.shape == shape
    np.testing.assert_array_equal(again.rays(), maker.rays())
    assert repr(maker) == f"<lanecast.{type(maker).__name__} of rays{list(shape)}>"


def test_rays_are_of_either_precision():
    far = np.array([500_000.1, 5_600_000.2, 0.3])
    for maker in (
        lanecast.Pinhole(eye=far, target=far + [0, 1, 0], size=(2, 2)),
        lanecast.Hemisphere(far[None], [[0, 0, 1]], 2),
        lanecast.Sunlight(far[None], [[0, 0, 1]]),
        lanecast.Lidar([0], 2, poses=far),
    ):
        rays = maker.rays("float64")
        assert (rays.reshape(-1, 6)[:, :3] == far).all()
        np.testing.assert_allclose(maker.rays(), rays, rtol=1e-6, atol=1e-6)
        assert maker.rays(np.float32).dtype == np.float32
    with pytest.raises(TypeError, match="^dtype: it is int64"):
        maker.rays(int)


def test_arrays_of_points_are_read_by_each_query(scene):
    points = np.full((4, 3), 0.5)
    light = lanecast.Sunlight(points, [[0, 0, -1]])
    points[:, 2] = -1
    assert not scene.any_hit(light).any()
    points[:, 2] = 1
    assert scene.any_hit(light).all()
    points[1] = np.nan
    with pytest.raises(ValueError, match=r"^rays\[0, 1\]: a coordinate is NaN"):
        scene.any_hit(light)


def test_pulses_say_when_and_by_what():
    lidar = lanecast.Lidar(
        [[-10, 0, 0], [10, 5, 0.001]], steps=4, poses=(1, 2, 3), seconds=0.1, turns=2, start=7
    )
    pulses = lidar.pulses()
    assert pulses.time.shape == pulses.beam.shape == pulses.azimuth.shape == (2, 4, 2)
    assert pulses.beam[1, 3].tolist() == [0, 1] and pulses.beam.dtype == np.uint32
    np.testing.assert_allclose(pulses.time[:, :, 0], [[7, 7.025, 7.05, 7.075], [7.1, 7.125, 7.15, 7.175]])
    np.testing.assert_allclose(pulses.time[..., 1] - pulses.time[..., 0], 0.001)
    np.testing.assert_allclose(pulses.azimuth[0, :, 0], [0, 90, 180, 270])
    np.testing.assert_allclose(pulses.azimuth[0, 1, 1], 90 + 5 + 3.6)
    with pytest.raises(TypeError, match="only a Lidar has pulses"):
        MAKERS["grid"][0]._made.pulses()
    turned = lanecast.Lidar([0], 4, poses=[[0, 0, 0, 0, 0, 0, 0.7071067811865476, 0.7071067811865476]])
    np.testing.assert_allclose(turned.rays()[0, 0, 0, 3:], [-1, 0, 0], atol=1e-6)
    moving = lanecast.Lidar([0], 2, seconds=1, velocity=(4, 0, 0))
    assert moving.rays()[0, 1, 0, 0] == 2


def carried(directions, times):
    """Rays of a scanner on the way of `WAY` at these times, by rotation matrices: it turns evenly about z."""
    angle = 2 * np.arctan2(WAY[1][6], WAY[1][7]) * times
    sine, cosine = np.sin(angle), np.cos(angle)
    x, y, z = np.moveaxis(directions, -1, 0)
    turned = np.stack([cosine * x - sine * y, sine * x + cosine * y, z], axis=-1)
    return np.concatenate([times[..., None] * WAY[1][1:4], turned], axis=-1)


WAY = [[0, 0, 0, 0, 0, 0, 0, 1], [1, 4, -3, 2, 0, 0, 0.6, 0.8]]


def test_patterns_are_fired_from_poses_at_their_times():
    lidar = lanecast.Lidar(pattern=SHOTS, poses=WAY, seconds=0.4, turns=2)
    elevation, azimuth = np.radians(SHOTS[:, :2].T)
    direction = np.stack(
        [np.cos(elevation) * np.sin(azimuth), np.cos(elevation) * np.cos(azimuth), np.sin(elevation)], axis=-1
    )
    times = np.array([[0], [0.4]]) + SHOTS[:, 2]
    expected = carried(np.broadcast_to(direction, (2, 90, 3)), times)
    np.testing.assert_allclose(lidar.rays("float64"), expected, rtol=0, atol=1e-13)
    pulses = lidar.pulses()
    np.testing.assert_allclose(pulses.time, times, rtol=1e-15)
    np.testing.assert_array_equal(pulses.beam, np.broadcast_to(SHOTS[:, 3], (2, 90)))
    np.testing.assert_allclose(pulses.azimuth, np.broadcast_to(SHOTS[:, 1] % 360, (2, 90)), rtol=1e-13)
    # Without times they are spread evenly, and without numbers of beams they have one.
    even = lanecast.Lidar(pattern=SHOTS[:, :2], seconds=0.9, turns=2, start=5).pulses()
    np.testing.assert_allclose(even.time, 5 + np.arange(180).reshape(2, 90) / 100, rtol=1e-14)
    assert (even.beam == 0).all()
    assert (lanecast.Lidar(pattern=SHOTS[:, :3]).pulses().time == SHOTS[:, 2]).all()


def test_a_pattern_of_a_spinning_scanner_has_its_rays():
    spinning = lanecast.Lidar([-10, 5.5], steps=90, poses=WAY, seconds=0.7)
    pulses = spinning.pulses()
    elevation = np.where(pulses.beam == 0, -10, 5.5)
    table = np.stack([elevation, pulses.azimuth, pulses.time, pulses.beam], axis=-1).reshape(-1, 4)
    pattern = lanecast.Lidar(pattern=table, poses=WAY, seconds=0.7)
    assert pattern.shape == (1, 180)
    np.testing.assert_array_equal(pattern.rays("float64"), spinning.rays("float64").reshape(1, 180, 6))


def test_swaths_and_rosettes_are_swept_while_the_scanner_moves():
    lines = lanecast.Lidar([0], 50, poses=WAY, seconds=0.1, turns=8, swath=(-30, 20, 0.4))
    step = np.arange(50) / 50
    angle = np.radians(-30 + 50 * step)
    times = 0.1 * (np.arange(8)[:, None] + 0.4 * step)
    down = np.stack([np.sin(angle), 0 * angle, -np.cos(angle)], axis=-1)
    expected = carried(np.broadcast_to(down, (8, 50, 3)), times)
    np.testing.assert_allclose(lines.rays("float64")[:, :, 0], expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(lines.pulses().azimuth[3, :, 0], np.degrees(angle) % 360, atol=1e-9)

    prisms = [[9.5, 31.1, 0], [7, -17.3, 40]]
    rosette = lanecast.Lidar([0], 500, poses=WAY, seconds=0.2, turns=4, prisms=prisms)
    times = 0.2 * (np.arange(2000) / 500).reshape(4, 500)
    bent = sum(size * np.exp(1j * np.radians(360 * rate * times + phase)) for size, rate, phase in prisms)
    off, towards = np.radians(np.abs(bent)), np.angle(bent)
    ahead = np.stack([np.sin(off) * np.cos(towards), np.cos(off), np.sin(off) * np.sin(towards)], axis=-1)
    expected = carried(ahead, times)
    np.testing.assert_allclose(rosette.rays("float64")[:, :, 0], expected, rtol=0, atol=1e-12)
    azimuth = np.degrees(np.arctan2(ahead[..., 0], ahead[..., 1])) % 360
    np.testing.assert_allclose(rosette.pulses().azimuth[..., 0], azimuth, atol=1e-6)
    # Without phases both begin to the right.
    assert lanecast.Lidar([0], 1, prisms=[[10, 3], [5, 4]]).pulses().azimuth.item() == pytest.approx(15)


def test_every_argument_of_a_maker_matters():
    sky = lanecast.Hemisphere(POINTS, NORMALS, 4)
    for other in ({"seed": 1}, {"spread": "uniform"}):
        assert (lanecast.Hemisphere(POINTS, NORMALS, 4, **other).rays() != sky.rays()).any()
    back = lanecast.Lidar([0], 4, sector=(90, -30))
    np.testing.assert_allclose(back.pulses().azimuth.ravel(), [90, 60, 30, 0], atol=1e-12)
    turning = lanecast.Lidar([0], 4, seconds=1, yaw_rate=90)
    np.testing.assert_allclose(
        turning.rays()[0, :, 0, 3:],
        [[0, 1, 0]] + [[np.sin(a), np.cos(a), 0] for a in np.radians([90 - 22.5, 180 - 45, 270 - 67.5])],
        atol=1e-6,
    )
    camera = {"eye": (0, 0, 0), "target": (0, 3, 0), "fov": 90, "size": (2, 2)}
    depth, distance = lanecast.Pinhole(**camera).rays(), lanecast.Pinhole(**camera, unit=True).rays()
    np.testing.assert_allclose(depth[..., 4], 1)
    np.testing.assert_allclose(depth[0, 0, 3:], [-0.5, 1, 0.5], rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(distance[..., 3:], axis=-1), 1, rtol=1e-6)


def test_weights_of_a_footprint():
    weights = MAKERS["footprint"][0].weights
    assert weights.shape == (6,) and abs(weights.sum() - 1) < 1e-12 and (np.diff(weights[1:]) < 0).all()


def pandas_index(*times):
    """Times as pandas holds them: NumPy's to NumPy, datetimes one by one."""
    array = np.array([time.replace(tzinfo=None) for time in times], "M8[us]")
    return type(
        "DatetimeIndex",
        (),
        {"dtype": array.dtype, "__iter__": lambda self: iter(times), "__array__": lambda *_, **__: array},
    )()


REFUSED = [
    (lambda: lanecast.Maker(), TypeError, "a class of makers was expected"),
    (lambda: lanecast.Pinhole(), ValueError, "either eye and target or intrinsic and extrinsic"),
    (
        lambda: lanecast.Pinhole(eye=(0, 0, 0), target=(1, 0, 0), intrinsic=np.eye(3)),
        ValueError,
        "either eye and target",
    ),
    (
        lambda: lanecast.Pinhole(eye=(0, 0), target=(1, 0, 0)),
        ValueError,
        r"^eye: its shape is \(2,\); \(3,\) was",
    ),
    (lambda: lanecast.Pinhole(eye="here", target=(1, 0, 0)), TypeError, "^eye: numbers were expected"),
    (lambda: lanecast.Pinhole(eye=(0, 0, np.nan), target=(1, 0, 0)), ValueError, "^eye: it is"),
    (
        lambda: lanecast.Pinhole(eye=(1, 0, 0), target=(1, 0, 0)),
        ValueError,
        "^target: it is where the eye is",
    ),
    (
        lambda: lanecast.Pinhole(eye=(0, 0, 0), target=(1, 0, 0), fov=180),
        ValueError,
        "^fov: it is 180; .* between 0 and 180",
    ),
    (
        lambda: lanecast.Pinhole(eye=(0, 0, 0), target=(1, 0, 0), size=(0, 5)),
        ValueError,
        "^size: it is 0 x 5",
    ),
    (lambda: lanecast.Pinhole(eye=(0, 0, 0), target=(1, 0, 0), size=(1.5, 5)), ValueError, "^size: "),
    (lambda: lanecast.Pinhole(eye=(0, 0, 0), target=(1, 0, 0), size=(-1, 5)), ValueError, "^size: "),
    (
        lambda: lanecast.Pinhole(intrinsic=np.eye(3), extrinsic=np.zeros((4, 4))),
        ValueError,
        "^extrinsic: it ends",
    ),
    (
        lambda: lanecast.Pinhole(intrinsic=np.eye(4), extrinsic=np.eye(4)),
        ValueError,
        r"^intrinsic: its shape is \(4, 4\)",
    ),
    (lambda: lanecast.Panorama((0, 0, 0), forward=(0, 0, 2)), ValueError, "^forward: it is"),
    (lambda: lanecast.Orthographic((0, 0, 0), (1, 0, 0), height=-1), ValueError, "^height: it is -1"),
    (
        lambda: lanecast.Grid((0, 0, 0), np.eye(3), (1, 1), (0, 0, 1)),
        ValueError,
        r"^edges: its shape is \(3, 3\)",
    ),
    (lambda: lanecast.Lidar([], 3), ValueError, "^beams: they are none"),
    (lambda: lanecast.Lidar([0, 91], 3), ValueError, r"^beams\[1\]: the elevation is 91"),
    (lambda: lanecast.Lidar(np.zeros((2, 4)), 3), ValueError, r"^beams: its shape is \(2, 4\); \(n, 1\) or"),
    (lambda: lanecast.Lidar([0], 3, poses=PATH[::-1]), ValueError, r"^poses\[1\]: the time 0 follows 1"),
    (
        lambda: lanecast.Lidar([0], 3, poses=np.zeros((2, 5))),
        ValueError,
        r"^poses: its shape is \(2, 5\); \(3,\), \(n, 4\) or",
    ),
    (
        lambda: lanecast.Lidar([0], 3, poses=PATH, turns=20),
        ValueError,
        "^poses: they are for 0 to 1 s, but it fires",
    ),
    (lambda: lanecast.Lidar([0], 3, poses=PATH, velocity=(1, 0, 0)), ValueError, "^velocity: it is for"),
    (lambda: lanecast.Lidar([0], 3, poses=PATH, yaw_rate=1), ValueError, "^yaw_rate: it is for"),
    (lambda: lanecast.Lidar([0], 3, yaw_rate=np.nan), ValueError, "^yaw_rate: it is NaN"),
    (
        lambda: lanecast.Lidar([0], 3, poses=[[0, 1, 2, 3, 0, 0, 0, 0]]),
        ValueError,
        r"^poses\[0\]: the quaternion",
    ),
    (lambda: lanecast.Lidar([0]), ValueError, "^either beams and steps or pattern were expected"),
    (lambda: lanecast.Lidar(steps=4), ValueError, "^either beams and steps or pattern were expected"),
    (lambda: lanecast.Lidar([0], pattern=SHOTS), ValueError, "^either beams and steps or pattern were"),
    (lambda: lanecast.Lidar(steps=4, pattern=SHOTS), ValueError, "^either beams and steps or pattern were"),
    (lambda: lanecast.Lidar(pattern=[0, 1]), ValueError, r"^pattern: its shape is \(2,\); \(n, 2\) or"),
    (lambda: lanecast.Lidar(pattern=np.zeros((0, 2))), ValueError, "^pattern: it has no shot"),
    (lambda: lanecast.Lidar(pattern=[[0, 0], [91, 0]]), ValueError, r"^pattern\[1\]: the elevation is 91"),
    (lambda: lanecast.Lidar(pattern=[[0, 0, -1]]), ValueError, r"^pattern\[0\]: the time is -1"),
    (
        lambda: lanecast.Lidar(pattern=[[0, 0, 0, 0], [0, 0, 0, 1.5]]),
        ValueError,
        r"^pattern\[1\]: the beam is 1.5; a whole number from 0 to 4294967295 was expected",
    ),
    (
        lambda: lanecast.Lidar(pattern=[[0, 0, 0.2]], turns=2),
        ValueError,
        "^seconds: they are 0.1, but the last shot of the pattern is at 0.2 s",
    ),
    (
        lambda: lanecast.Lidar(pattern=SHOTS, sector=(0, 90)),
        ValueError,
        "^sector: it is for a scanner with beams; this has a pattern",
    ),
    (lambda: lanecast.Lidar(pattern=SHOTS, swath=(0, 90)), ValueError, "^swath: it is for a scanner with"),
    (
        lambda: lanecast.Lidar(pattern=SHOTS, prisms=[[1, 2]]),
        ValueError,
        "^prisms: they are for a scanner with",
    ),
    (
        lambda: lanecast.Lidar([0], 4, swath=(0, 90), prisms=[[1, 2]]),
        ValueError,
        "^one of sector, swath and prisms was expected",
    ),
    (lambda: lanecast.Lidar([0], 4, swath=5), ValueError, r"^swath: its shape is \(\); \(2,\) or \(3,\) was"),
    (
        lambda: lanecast.Lidar([0], 4, swath=(0, np.nan)),
        ValueError,
        "^swath: it is .*; angles must be finite",
    ),
    (lambda: lanecast.Lidar([0], 4, swath=(0, 9, 2)), ValueError, "^swath: it has a duty of 2; it must"),
    (lambda: lanecast.Lidar([0], 4, prisms=[1, 2]), ValueError, r"^prisms: its shape is \(2,\); \(n, 2\) or"),
    (lambda: lanecast.Lidar([0], 4, prisms=np.zeros((0, 2))), ValueError, "^prisms: they are none"),
    (
        lambda: lanecast.Lidar([0], 4, prisms=[[1, 2], [-1, 2]]),
        ValueError,
        r"^prisms\[1\]: the deflection is -1",
    ),
    (lambda: lanecast.Lidar([0], 4, prisms=[[1, np.inf]]), ValueError, r"^prisms\[0\]: the rate is inf"),
    (
        lambda: lanecast.Lidar([0], 4, prisms=[[50, 2], [50, 1]]),
        ValueError,
        "^prisms: they have deflections of",
    ),
    (lambda: lanecast.Lidar([0], 4, prisms=[[1, 2]], seconds=0), ValueError, "^seconds: they are 0; prisms"),
    (lambda: lanecast.Footprint([[0, 0, 0, 0, 0, 1]], 3, 5), TypeError, "^beams: a maker of rays"),
    (lambda: lanecast.Footprint(LIDAR, 3, 0), ValueError, "^number: it is 0"),
    (lambda: lanecast.Hemisphere(POINTS, NORMALS[:3], 5), ValueError, "^normals: there are"),
    (lambda: lanecast.Hemisphere(POINTS, NORMALS, 0), ValueError, "^directions: it is 0"),
    (lambda: lanecast.Hemisphere(POINTS, NORMALS, 5, spread="even"), ValueError, "^spread: it is 'even'"),
    (
        lambda: lanecast.Hemisphere([[1, 2]], [[1, 2]], 5),
        ValueError,
        r"^points: its shape is \(1, 2\); \(\.\.\., 3\)",
    ),
    (lambda: lanecast.Sunlight(POINTS, [[0, 0, 0]]), ValueError, "^directions: it is "),
    (lambda: lanecast.Sun("yesterday", 0, 0), ValueError, "^time: 'yesterday' is no time"),
    (lambda: lanecast.Sun(np.datetime64("NaT"), 0, 0), ValueError, "^time: it is not a time"),
    (lambda: lanecast.Sun("0400-01-01", 0, 0), ValueError, "^time: the years 1583 to 9999"),
    (lambda: lanecast.Sun(20261221, 0, 0), ValueError, "^time: 20261221 is no time: it is a number"),
    (
        lambda: lanecast.Sun(["2026-12-21", 20261221.0], 0, 0),
        ValueError,
        r"^time\[1\]: 20261221.0 is no time",
    ),
    (lambda: lanecast.Sun([["2026-12-21", "noon"]], 0, 0), ValueError, r"^time\[0, 1\]: 'noon' is no time"),
    (lambda: lanecast.Sun(np.array(["2026", "NaT"], "M8[D]"), 0, 0), ValueError, r"^time\[1\]: it is not"),
    (lambda: lanecast.Sun([np.array(["2026", "NaT"], "M8")], 0, 0), ValueError, r"^time\[0, 1\]: it is not"),
    (lambda: lanecast.Sun(["2026", "1066"], 0, 0), ValueError, r"^time\[1\]: the years 1583"),
    (
        lambda: lanecast.Sun(pandas_index(datetime.datetime(2026, 6, 21, 12)), 0, 0),
        ValueError,
        r"^time\[0\]: .* has no time zone",
    ),
    (
        lambda: lanecast.Sun(datetime.datetime(2026, 6, 21, 12), 0, 0),
        ValueError,
        "^time: .* has no time zone",
    ),
    (lambda: lanecast.Sun("2026-06-21", 91, 0), ValueError, "^latitude: it is 91"),
]


@pytest.mark.parametrize(("make", "error", "problem"), REFUSED)
def test_what_makes_no_rays_is_refused(make, error, problem):
    with pytest.raises(error, match=problem):
        make()


def test_a_status_tells_holes_of_a_terrain_from_points_in_light():
    roof = lanecast.Scene([[0, 0, 5], [4, 0, 5], [0, 4, 5]], [[0, 1, 2]])
    points = np.array([[1.0, 1, 0], [9, 9, 0], [np.nan, 1, 0]])
    status = np.zeros((1, 3), "uint8")
    shaded = roof.any_hit(lanecast.Sunlight(points, [[0, 0, 1.0]]), invalid="miss", status=status)
    assert shaded.tolist() == [[True, False, False]] and (status > 1).tolist() == [[False, False, True]]


def test_the_sun_is_where_it_should_be():
    # Greenwich, at noon of midsummer's day.
    sun = lanecast.Sun("2026-06-21T12:00", latitude=51.48, longitude=0)
    assert abs(sun.azimuth - 179) < 1 and abs(sun.altitude - 62) < 0.1
    assert sun.azimuth.shape == () and sun.direction.shape == (3,)
    zone = datetime.timezone(datetime.timedelta(hours=2))
    there = datetime.datetime(2026, 6, 21, 14, tzinfo=zone)
    many = lanecast.Sun(
        [[there, "2026-06-21T12:00"], [np.datetime64("2026-06-21T12"), "2026-06-21T00:00:00"]], 51.48, 0
    )
    assert many.direction.shape == (2, 2, 3)
    np.testing.assert_array_equal(many.azimuth.ravel()[:3], [sun.azimuth] * 3)
    assert many.altitude[1, 1] < 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zoned = lanecast.Sun(["2026-06-21T12:00Z", "2026-06-21T14:00:00+02:00"], 51.48, 0)
        texts = lanecast.Sun(np.array(["2026-06-21T12:00Z", "2026-06-21T12"]), 51.48, 0)
        index = lanecast.Sun(pandas_index(there, there), 51.48, 0)
    for same_time in (zoned, texts, index):
        np.testing.assert_array_equal(same_time.azimuth, [sun.azimuth] * 2)
    np.testing.assert_allclose(np.linalg.norm(many.direction, axis=-1), 1)
    light = lanecast.Sunlight(POINTS, many)
    assert light.shape == (2, 2, 7, 5)
    empty = lanecast.Sun(np.array([], dtype="M8[s]"), 0, 0)
    assert empty.direction.shape == (0, 3)


def test_makers_without_points_make_nothing(scene):
    none = np.zeros((0, 3))
    for maker, shape in (
        (lanecast.Hemisphere(none, none, 4), (0, 4)),
        (lanecast.Sunlight(none, [[0, 0, 1]]), (1, 0)),
    ):
        assert scene.any_hit(maker).shape == shape and maker.rays().shape == (*shape, 6)


def test_rays_of_a_maker_are_not_stored(scene):
    many = lanecast.Pinhole(eye=(0.5, -1, 1), target=(0.5, 0.5, 0), size=(1000, 1000))
    assert peak_of(lambda: scene.any_hit(many)) < 1_100_000
