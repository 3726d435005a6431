"""Picks, points and normals of hits, and hits of lines."""

import numpy as np
import pytest
from reference import crossings, soup, torus
from support import same

import lanecast
from lanecast import INVALID_ID, Scene


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    return request.param


def rays_at(rng, count, dtype):
    origins, ends = rng.uniform(-6, 6, (2, count, 3))
    return np.concatenate([origins, ends - origins], axis=1).astype(dtype)


def placed(scale=2.0):
    """A ball and a triangle in two instances, one stretched along x, in an instance that turns and moves."""
    inner = Scene.build(
        lanecast.Spheres([[0, 0, 0]], 1, name="ball"),
        lanecast.Mesh([[-1, -1, 3], [1, -1, 3], [0, 1, 3]], [[0, 1, 2]], name="roof"),
    )
    stretch, turn = np.diag([scale, 1, 1, 1]), np.array(
        [[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]
    )
    middle = Scene.build(lanecast.Instance(inner, np.eye(4)), lanecast.Instance(inner, stretch, name="long"))
    return Scene.build(
        lanecast.Instance(middle, turn, name="turned"), lanecast.Spheres([[0, 0, -50]], 1, name="below")
    )


def test_picks_have_points_normals_and_names():
    picks = placed().pick([5.0, 0, 9], [0.0, 0, -1], t_max=7.5)
    # Both instances hold a roof, at the same place, one of them stretched.
    assert [(pick.geometry_name, pick.instance_path, pick.instance_names) for pick in picks] == [
        ("roof", (0, 0), ("turned", "")),
        ("roof", (0, 1), ("turned", "long")),
    ]
    assert [pick.t for pick in picks] == [6, 6] and picks[0].instance_id != picks[1].instance_id
    assert picks[1].point.tolist() == [5, 0, 3] and picks[1].normal.tolist() == [0, 0, 1]
    assert picks[1].local_point.tolist() == [0, 0, 3] and picks[1].point.dtype == np.float64
    side = placed().pick([5.0, 9, 0], [0.0, -1, 0], limit="nearest")
    assert len(side) == 1 and side[0].t == 7 and side[0].instance_names == ("turned", "long")
    np.testing.assert_allclose(side[0].normal, [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(side[0].local_normal, [1, 0, 0], atol=1e-12)


def test_limits_of_picks():
    scene, ray = placed(), [5.0, 0, 9, 0, 0, -1]
    everything = scene.pick(ray)
    assert [pick.t for pick in everything] == sorted(pick.t for pick in everything) and len(everything) == 6
    assert [pick.t for pick in scene.pick(ray, limit="all")] == [pick.t for pick in everything]
    first = scene.pick(ray, limit="one_per_geometry")
    assert [(pick.instance_id, pick.geometry_id) for pick in first] == list(
        dict.fromkeys((pick.instance_id, pick.geometry_id) for pick in everything)
    )
    assert len(first) == 4 and len(scene.pick(ray, limit="nearest")) == 1
    below = scene.pick([0.0, 0, 9], [0.0, 0, -1])
    assert [pick.geometry_name for pick in below] == ["below"] * 2
    assert below[0].instance_id is None and below[0].instance_path == () == below[0].instance_names
    assert scene.pick([50.0, 0, 9], [0.0, 0, -1]) == []


def test_picks_of_wrong_rays_are_refused():
    scene = placed()
    with pytest.raises(ValueError, match=r"rays: there are \(2,\) of them; one ray was expected"):
        scene.pick(np.ones((2, 6)))
    with pytest.raises(ValueError, match="rays: the direction is zero"):
        scene.pick([0.0] * 6)
    with pytest.raises(ValueError, match="limit"):
        scene.pick([0.0, 0, 0, 1, 0, 0], limit="few")


def test_surfaces_are_on_triangles_with_unit_normals(dtype):
    rng = np.random.default_rng(1)
    vertices, triangles = soup(rng)
    scene = Scene(vertices, triangles, precision=dtype)
    rays = rays_at(rng, 500, dtype).reshape(5, 100, 6)
    hits = scene.closest_hit(rays, normals=True)
    surface = scene.surface(rays, hits)
    assert surface.point.shape == surface.normal.shape == (5, 100, 3)
    assert surface.point.dtype == surface.normal.dtype == dtype and surface.shading_normal is None
    hit = hits.is_hit
    assert 50 < hit.sum() < 450
    a, b, c = np.moveaxis(vertices[triangles][hits.primitive_id[hit]].astype("float64"), 1, 0)
    u, v = hits.u[hit][:, None].astype("float64"), hits.v[hit][:, None].astype("float64")
    # By the ray on triangles that reach more than twice as far as the hit, by u and v on others.
    origin, direction = np.split(rays[hit].astype("float64"), 2, axis=-1)
    t = hits.t[hit][:, None].astype("float64")
    reach = np.abs(np.stack([a, b, c]) - origin).max(axis=(0, 2))
    is_far = reach > 2 * np.abs(t * direction).max(axis=1)
    assert 5 < is_far.sum() < hit.sum() / 2
    by_weights = (a + u * (b - a) + v * (c - a)).astype(dtype)
    assert np.array_equal(surface.point[hit][~is_far], by_weights[~is_far])
    by_ray = origin + t * direction
    ulp = np.spacing(np.abs(by_ray).max(axis=1, keepdims=True).astype(dtype))
    assert (np.abs(surface.point[hit] - by_ray) <= 4 * ulp)[is_far].all()
    normal = np.cross(b - a, c - a)
    np.testing.assert_allclose(
        surface.normal[hit], normal / np.linalg.norm(normal, axis=1)[:, None], atol=1e-6
    )
    assert not surface.point[~hit].any() and not surface.normal[~hit].any()
    strided = np.zeros((5, 100, 7), dtype=dtype)
    strided[..., 1:] = rays
    again = scene.surface(strided[..., 1:4], hits, strided[..., 4:])
    assert np.array_equal(again.point, surface.point) and np.array_equal(again.normal, surface.normal)


def test_surfaces_of_all_hits_are_those_of_their_rays():
    rng = np.random.default_rng(2)
    scene = placed()
    rays = np.concatenate([rng.uniform(-3, 3, (200, 3)) + [5, 0, 9], np.tile([0.0, 0, -1], (200, 1))], axis=1)
    hits = scene.all_hits(rays)
    with pytest.raises(ValueError, match=r"^rays: .* give rays\[hits\.ray_id\]"):
        scene.surface(rays, hits)
    surface = scene.surface(rays[hits.ray_id], hits)
    assert len(surface) == len(hits.t) > 100
    expected = rays[hits.ray_id, :3] + hits.t[:, None] * rays[hits.ray_id, 3:]
    np.testing.assert_allclose(surface.point, expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(surface.normal, axis=1), 1, rtol=1e-6)
    one = int(np.flatnonzero(hits.geometry_id == 0)[0])
    pick = scene.pick(rays[hits.ray_id[one]], t_min=hits.t[one], t_max=hits.t[one], limit="nearest")[0]
    np.testing.assert_allclose(surface.normal[one], pick.normal, atol=1e-6)


def test_vertex_normals_are_interpolated(dtype):
    vertices, triangles = torus()
    scene = Scene.build(
        lanecast.Spheres([[20, 0, 0]], 1), lanecast.Mesh(vertices, triangles), precision=dtype
    )
    rng = np.random.default_rng(3)
    rays = rays_at(rng, 300, dtype)
    rays[0] = [20, 0, 5, 0, 0, -1]
    hits = scene.closest_hit(rays)
    normals = rng.uniform(-1, 1, vertices.shape).astype("float32")
    surface = scene.surface(rays, hits, vertex_normals={1: (triangles, normals)})
    hit = hits.is_hit & (hits.geometry_id == 1)
    corners = normals[triangles[hits.primitive_id[hit]]].astype("float64")
    u, v = hits.u[hit][:, None].astype("float64"), hits.v[hit][:, None].astype("float64")
    expected = (1 - u - v) * corners[:, 0] + u * corners[:, 1] + v * corners[:, 2]
    expected /= np.linalg.norm(expected, axis=1)[:, None]
    assert hit.sum() > 20
    np.testing.assert_allclose(surface.shading_normal[hit], expected, atol=1e-6)
    assert surface.shading_normal[0].tolist() == surface.normal[0].tolist() == [0, 0, 1]
    flat = scene.surface(rays, hits, vertex_normals={1: (triangles, np.zeros_like(normals))})
    assert np.array_equal(flat.shading_normal, flat.normal)


def test_many_hits_are_located_as_few():
    vertices, triangles = torus()
    scene = Scene(vertices, triangles)
    rays = rays_at(np.random.default_rng(4), 40_000, "float32")
    hits, told = scene.closest_hit(rays), []
    surface = scene.surface(rays, hits, threads=2, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40_000, 40_000)
    for part in (slice(0, 3000), slice(39_000, 40_000)):
        few = lanecast.Hits(**{name: column[part] for name, column in hits.items()})
        assert np.array_equal(scene.surface(rays[part], few).point, surface.point[part])


def test_wrong_hits_are_named():
    scene = Scene(*torus())
    rays = rays_at(np.random.default_rng(5), 12, "float32").reshape(3, 4, 6)
    hits = scene.closest_hit(rays)
    with pytest.raises(ValueError, match=r"hits.t: its shape is \(3, 4\); a number or \(4,\) was expected"):
        scene.surface(rays[0], hits)
    with pytest.raises(ValueError, match="hits: they have no t"):
        scene.surface(rays, hits.t)
    hits.primitive_id[:], hits.geometry_id[:] = 0, 0
    hits.primitive_id[1, 2] = hits.primitive_id[2, 2] = 10_000
    with pytest.raises(IndexError, match=r"hits\[1, 2\]: geometry 0: .* no primitive 10000"):
        scene.surface(rays, hits)
    mesh = torus()
    wrong = [
        ({7: (mesh[1], mesh[0])}, "no geometry 7"),
        ({0: (mesh[1][1:], mesh[0])}, "triangles are given"),
        ({0: (mesh[1], mesh[0][:5])}, "names vertex"),
        ({0: mesh[1]}, r"vertex_normals\[0\]: a tuple"),
    ]
    for normals, words in wrong:
        with pytest.raises(ValueError, match=words):
            scene.surface(rays, hits, vertex_normals=normals)


def test_lines_have_hits_on_both_sides(dtype):
    rng = np.random.default_rng(6)
    vertices, triangles = soup(rng)
    scene = Scene(vertices, triangles, precision=dtype)
    lines = rays_at(rng, 300, dtype)
    t, _, _, within = crossings(lines[:, :3], lines[:, 3:], vertices[triangles])
    hits = scene.line_hits(lines.reshape(3, 100, 6), normals=True)
    for half, sign in ((hits.ahead, 1), (hits.behind, -1)):
        there = np.where(within & (sign * t >= 0), sign * t, np.inf)
        expected = there.min(axis=1)
        found = np.where(half.is_hit, sign * half.t, np.inf).reshape(-1)
        np.testing.assert_allclose(found, expected, rtol=1e-4)
        ids = np.where(np.isfinite(expected), there.argmin(axis=1), INVALID_ID)
        assert half.primitive_id.reshape(-1).tolist() == ids.tolist()
        assert half.t.shape == (3, 100) and half.t.dtype == dtype and half.normal.shape == (3, 100, 3)
        assert half.instance_id is None and half.normal[half.is_hit].any(axis=1).all()
    ahead = scene.closest_hit(lines)
    assert np.array_equal(hits.ahead.t.reshape(-1), ahead.t)
    same(scene.line_hits(lines, t_min=None).behind, scene.line_hits(lines).behind)
    only = scene.line_hits(lines, t_min=0.0, t_max=0.5)
    assert not only.behind.is_hit.any() and (only.ahead.t[only.ahead.is_hit] <= 0.5).all()
    rows = np.concatenate([lines, np.tile([-1.0, 0.0], (300, 1))], axis=1)
    behind = scene.line_hits(rows).behind
    assert (behind.t[behind.is_hit] >= -1).all() and behind.is_hit.sum() < hits.behind.is_hit.sum()
    assert behind.normal is None
    rows[3, 3:6] = 0
    with pytest.raises(ValueError, match=r"rays\[3\]: the direction is zero"):
        scene.line_hits(rows)
    assert scene.line_hits(rows, invalid="miss").ahead.status[3] == lanecast.STATUSES.index("zero_direction")
    assert placed().line_hits([[5.0, 0, 0, 0, 1, 0]]).behind.instance_id.shape == (1,)
