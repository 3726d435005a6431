"""The points of hits, as they are asked for with them."""

import gc
import weakref

import numpy as np
import pytest
from support import bumpy, random_rays, same

import lanecast
from lanecast import Scene

AXES = ("ox", "oy", "oz", "dx", "dy", "dz")


def at(rays, t, precision):
    """Where rays are, of the precision in which they are cast: in float64, rounded once."""
    rays, t = rays.astype(precision).astype("float64"), t.astype("float64")[..., None]
    with np.errstate(invalid="ignore"):
        return (rays[..., :3] + rays[..., 3:6] * t).astype(precision)


def aimed(shape, dtype="float32"):
    rays = random_rays(shape, dtype)
    rays[..., 3:5] *= 0.3
    return rays


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
@pytest.mark.parametrize("shape", [(), (7,), (3, 5), (0,), (2, 9000)])
@pytest.mark.parametrize("query", ["closest_hit", "farthest_hit", "line_hits", "all_hits", "nearest_hits"])
def test_points_are_those_of_the_rays_that_are_cast(query, shape, dtype, precision):
    scene = bumpy(precision)
    rays = aimed(shape, "float64")
    if dtype == "int16":
        # Whole numbers that point at the sheet.
        rays = np.rint(rays * [0, 0, 9, 1, 1, 90] + [0, 0, 0, 0, 0, -300])
    rays = rays.astype(dtype)
    options = {"limit": 2} if query == "nearest_hits" else {}
    found = getattr(scene, query)(rays, points=True, **options)
    without = getattr(scene, query)(rays, **options)
    for hits, expected in (
        ((found.ahead, without.ahead), (found.behind, without.behind))
        if query == "line_hits"
        else ((found, without),)
    ):
        assert expected.point is None and hits.point.dtype == scene.precision
        if query in ("all_hits", "nearest_hits"):
            right = at(rays.reshape(-1, 6)[hits.ray_id], hits.t, scene.precision)
            assert len(right) > 4000 or len(shape) < 2 or shape[1] < 9000
        else:
            right = np.where(hits.is_hit[..., None], at(rays, hits.t, scene.precision), 0)
        np.testing.assert_array_equal(hits.point, right)
        same({name: column for name, column in hits.items() if name != "point"}, expected)


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_points_of_rays_in_all_forms(precision):
    scene, rays = bumpy(precision), aimed((90, 100))
    expected = scene.closest_hit(rays, points=True).point
    assert (expected != 0).any()
    eight = np.concatenate([rays, np.zeros((90, 100, 1)), np.full((90, 100, 1), np.inf)], axis=-1)
    strided = np.zeros((90, 100, 12), "float64")[..., ::2]
    strided[:] = rays
    for given in (
        (rays[..., :3], rays[..., 3:]),
        dict(zip(AXES, np.moveaxis(rays, -1, 0))),
        eight.astype("float32"),
        eight,
        strided,
        np.asfortranarray(rays),
        rays[::-1][::-1],
    ):
        np.testing.assert_array_equal(scene.closest_hit(given, points=True, threads=2).point, expected)
    far = np.full((90, 100), 99.0)
    np.testing.assert_array_equal(scene.closest_hit(rays, points=True, t_max=far).point, expected)


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_points_of_rays_that_are_made(precision):
    scene = bumpy(precision)
    camera = lanecast.Pinhole((0.5, -0.4, 1.3), (0.5, 0.5, 0), up=(0, 0, 1), fov=50, size=(130, 90))
    rays = camera.rays(scene.precision)
    for options in ({}, {"t_max": 2.0}, {"t_max": np.full(camera.shape, 2.0)}):
        same(
            scene.closest_hit(camera, points=True, **options), scene.closest_hit(rays, points=True, **options)
        )
        same(scene.all_hits(camera, points=True, **options), scene.all_hits(rays, points=True, **options))
    light = lanecast.Hemisphere([[0.5, 0.5, 1.0]] * 50, [[0, 0, -1.0]] * 50, directions=100)
    hits = scene.closest_hit(light, points=True)
    np.testing.assert_array_equal(
        hits.point[hits.is_hit], at(light.rays(scene.precision), hits.t, scene.precision)[hits.is_hit]
    )


def test_points_lie_on_the_surface():
    scene, rays = bumpy("f64"), aimed((500,), "float64")
    hits = scene.closest_hit(rays, points=True)
    np.testing.assert_allclose(hits.point, scene.surface(rays, hits).point, rtol=0, atol=1e-12)
    assert scene.distance(hits[hits.is_hit].point).max() < 1e-12


def test_points_go_to_arrays_of_the_caller():
    scene, rays = bumpy(), aimed((60, 3))
    expected = scene.closest_hit(rays, points=True)
    point = np.full((60, 3, 3), 7, "float32")
    hits = scene.closest_hit(rays, out={"point": point})
    assert hits.point is point and [name for name, _ in hits.items()] == ["point"]
    np.testing.assert_array_equal(point, expected.point)
    again = scene.farthest_hit(rays, points=True)
    same(scene.closest_hit(rays, out=again), expected)
    assert scene.closest_hit(rays, points=True, out={"t": np.zeros((60, 3), "float32")}).point is None
    for wrong in (np.zeros((60, 3), "float32"), np.zeros((60, 3, 3), "float64")):
        with pytest.raises((ValueError, TypeError), match=r"^out\[.point.\]: its (shape|dtype) is"):
            scene.closest_hit(rays, out={"point": wrong})


def test_points_of_rays_that_cannot_be_cast_are_zeros():
    scene, rays = bumpy(), aimed((6,))
    rays[2] = np.nan
    hits = scene.closest_hit(rays, points=True, invalid="miss")
    assert hits.status[2] > 1 and (hits.point[2] == 0).all()


def test_answers_neither_keep_rays_nor_change_with_them():
    scene, rays = bumpy(), aimed((40,))
    answers = [scene.closest_hit(rays, points=True), scene.all_hits(rays, points=True)]
    before = [hits.point.copy() for hits in answers]
    rays[:] = 9
    for hits, point in zip(answers, before):
        np.testing.assert_array_equal(hits.point, point)
    gone = weakref.ref(rays)
    del rays
    gc.collect()
    assert gone() is None


def test_points_are_part_of_answers():
    scene, rays = bumpy(), aimed((30, 2))
    hits, every = scene.closest_hit(rays, points=True), scene.all_hits(rays, points=True)
    np.testing.assert_array_equal(hits[3:, 1].point, hits.point[3:, 1])
    np.testing.assert_array_equal(every[3:, 1].point, scene.all_hits(rays[3:, 1], points=True).point)
    pytest.importorskip("pyarrow")
    table = hits.to_arrow()
    assert table["point"].to_pylist() == [
        point.tolist() if is_hit else None
        for point, is_hit in zip(hits.point.reshape(-1, 3), hits.is_hit.ravel())
    ]


def test_progress_is_told_once():
    scene, calls = bumpy(), []
    scene.closest_hit(aimed((9000,)), points=True, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (9000, 9000) and [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_other_queries_have_no_points():
    scene = Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    for query in (scene.any_hit, scene.count_hits, scene.cost, scene.lidar_returns):
        with pytest.raises(TypeError, match='^there is no argument "points" of '):
            query([[0, 0, 1, 0, 0, -1]], points=True)
