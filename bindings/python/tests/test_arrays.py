"""Arrays as they come: how they lie, of what dtype, and what is wrong with them."""

import gc
import resource
import sys

import numpy as np
import pytest
from support import bumpy, peak_of, random_rays, same

import lanecast
from lanecast import INVALID_ID, Scene


@pytest.fixture(scope="module", params=["f32", "f64"])
def scene(request):
    return bumpy(request.param)


def unaligned(rays):
    memory = np.zeros(rays.nbytes + 1, dtype="uint8")
    array = memory[1:].view(rays.dtype).reshape(rays.shape)
    array[...] = rays
    assert array.size == 0 or not array.flags.aligned
    return array


def in_records(rays):
    """Strides that are no whole numbers of the dtype."""
    records = np.zeros(rays.shape[:-1], dtype=[("rays", rays.dtype, (6,)), ("more", "uint8")])
    records["rays"] = rays
    return records["rays"]


def every_second(rays):
    """Leading dimensions that are no rows of one table."""
    array = np.zeros(tuple(2 * length for length in rays.shape), dtype=rays.dtype)
    array[tuple(slice(None, None, 2) for _ in rays.shape)] = rays
    return array[tuple(slice(None, None, 2) for _ in rays.shape)]


ARRANGEMENTS = {
    "float32": lambda rays: rays.astype("float32"),
    "float64": lambda rays: rays.astype("float64"),
    "Fortran order": np.asfortranarray,
    "columns": lambda rays: np.moveaxis(np.ascontiguousarray(np.moveaxis(rays, -1, 0)), 0, -1),
    "every second": every_second,
    "backwards": lambda rays: np.ascontiguousarray(rays[::-1])[::-1],
    "numbers backwards": lambda rays: np.ascontiguousarray(rays[..., ::-1])[..., ::-1],
    "backwards float64": lambda rays: np.ascontiguousarray(rays[::-1].astype("float64"))[::-1],
    "unaligned": unaligned,
    "records": in_records,
    "big endian": lambda rays: rays.astype(rays.dtype.newbyteorder(">")),
    "read only": lambda rays: (rays.setflags(write=False), rays)[1],
    "list": lambda rays: rays.tolist(),
    "__array__": lambda rays: type("Holder", (), {"__array__": lambda self, *_, **__: rays})(),
}


# Few rays are copied where the engine cannot read them as they lie; many are gathered while they are cast.
@pytest.mark.parametrize("shape", [(), (7,), (0,), (3, 0, 2), (20, 30), (9001,), (90, 101)])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_answers_do_not_depend_on_how_rays_lie(scene, shape, arrangement):
    # In float32, so that float64 has the same rays.
    rays = random_rays(shape)
    if not shape and "backwards" in arrangement or 0 in shape and arrangement == "list":
        return
    expected = scene.closest_hit(rays.copy(), normals=True)
    assert expected.t.shape == shape and expected.normal.shape == (*shape, 3)
    assert expected.t.dtype == scene.precision
    lying = ARRANGEMENTS[arrangement](rays)
    same(scene.closest_hit(lying, normals=True), expected)
    if arrangement in ("list", "__array__"):
        lying = rays
    origins, directions = lying[..., :3], lying[..., 3:]
    same(scene.closest_hit(origins, directions, normals=True), expected)
    same(scene.closest_hit((origins, directions), normals=True), expected)
    same(scene.closest_hit(origins.astype("float64"), directions, normals=True), expected)


@pytest.mark.parametrize("shape", [(50,), (80, 90)])
@pytest.mark.parametrize(
    "arrangement", [name for name in ARRANGEMENTS if "__" not in name and "records" != name]
)
def test_intervals_do_not_depend_on_how_they_lie(scene, shape, arrangement):
    rays = random_rays(shape)
    random = np.random.default_rng(2)
    t_min, t_max = (
        random.uniform(0, 0.5, shape).astype("float32"),
        random.uniform(0.5, 2, shape).astype("float32"),
    )
    expected = scene.closest_hit(rays, t_min=t_min, t_max=t_max)
    assert 0 < expected.is_hit.sum() < scene.any_hit(rays).sum()
    same(scene.closest_hit(ARRANGEMENTS[arrangement](rays), t_min=t_min, t_max=t_max), expected)
    eight = np.concatenate([rays, t_min[..., None], t_max[..., None]], axis=-1)
    same(scene.closest_hit(ARRANGEMENTS[arrangement](eight)), expected)


def test_one_ray_broadcast_is_many(scene):
    one = np.array([0.5, 0.5, 1, 0, 0, -1], dtype="float32")
    for count in (5, 100_000):
        hits = scene.closest_hit(np.broadcast_to(one, (count, 6)))
        assert hits.t.shape == (count,) and (hits.t == scene.closest_hit(one).t).all()
        hits = scene.closest_hit(np.broadcast_to(one.astype("float64"), (3, count, 6)))
        assert hits.t.shape == (3, count) and (hits.t == scene.closest_hit(one).t).all()


class OfDlpack:
    """An array of a library that knows no NumPy."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries_are_read(scene):
    for dtype in ("float32", "float64"):
        rays = random_rays((100,), dtype)
        same(scene.closest_hit(OfDlpack(rays)), scene.closest_hit(rays))
    whole = np.ones((3, 6), dtype="int64")
    same(scene.closest_hit(OfDlpack(whole)), scene.closest_hit(whole.astype("float64")))
    with pytest.raises(TypeError, match="^rays: its dtype is complex64"):
        scene.closest_hit(OfDlpack(np.ones((3, 6), dtype="complex64")))


@pytest.mark.parametrize(
    "arrangement", [name for name in ARRANGEMENTS if name not in ("list", "__array__", "big endian")]
)
def test_floats_are_never_copied(scene, arrangement):
    rays = random_rays((1000, 300))
    lying = ARRANGEMENTS[arrangement](rays)
    answers = scene.any_hit(rays).nbytes
    assert peak_of(lambda: scene.any_hit(lying)) < answers + 100_000
    origins, directions = lying[..., :3], lying[..., 3:]
    assert peak_of(lambda: scene.any_hit(origins, directions)) < answers + 100_000


@pytest.mark.parametrize(
    ("dtype", "shown"),
    [
        ("float16", "float16"),
        ("U3", "<U3"),
        ("M8[s]", r"datetime64\[s\]"),
        ("complex64", "complex64"),
        ("bool", "bool"),
        ("object", "object"),
    ],
)
def test_other_dtypes_are_refused(scene, dtype, shown):
    rays = np.ones((3, 6), dtype=dtype)
    with pytest.raises(TypeError, match=f"^rays: its dtype is {shown}; float32 or float64 was expected"):
        scene.closest_hit(rays)
    with pytest.raises(TypeError, match=f"^directions: its dtype is {shown}"):
        scene.closest_hit(np.ones((3, 3)), rays[:, :3])
    with pytest.raises(TypeError, match=f"^t_max: its dtype is {shown}"):
        scene.closest_hit(np.ones((3, 6)), t_max=np.ones(3, dtype=dtype))


@pytest.mark.parametrize("value", [None, "rays", object(), [[1, 2, 3, 4, 5, 6], [1]], {"a": 1}])
def test_what_is_no_array_is_refused(scene, value):
    with pytest.raises((TypeError, ValueError), match="^rays: "):
        scene.closest_hit(value)


@pytest.mark.parametrize("shape", [(5,), (5, 7), (2, 3, 3), (6, 0)])
def test_wrong_shapes_are_refused(scene, shape):
    with pytest.raises(
        ValueError, match=r"^rays: its shape is .*; \(\.\.\., 6\) or \(\.\.\., 8\) was expected"
    ):
        scene.closest_hit(np.ones(shape))
    with pytest.raises(ValueError, match=r"^rays: its shape is .*; \(\.\.\., 6\) or"):
        scene.closest_hit(np.ones((10_000, *shape))[::-1])


def test_arguments_of_other_lengths_are_refused(scene):
    rays = random_rays((4, 5))
    with pytest.raises(ValueError, match=r"^directions: there are \(4, 4\) of them, and \(4, 5\) origins"):
        scene.closest_hit(rays[..., :3], rays[:, :4, 3:])
    with pytest.raises(ValueError, match=r"^directions: there are \(9000,\) of them, and \(9001,\) origins"):
        scene.closest_hit(random_rays((9001,))[::-1, :3], random_rays((9000,))[::-1, 3:])
    for name in ("t_min", "t_max", "mask"):
        with pytest.raises(
            ValueError, match=rf"^{name}: its shape is \(20,\), which does not broadcast to \(4, 5\)$"
        ):
            scene.closest_hit(rays, **{name: np.ones(20, dtype="uint32" if name == "mask" else "float32")})
    with pytest.raises(ValueError, match="^t_min: rays of eight columns have"):
        scene.closest_hit(np.ones((2, 8)), t_min=0.5)


@pytest.mark.parametrize(
    ("place", "number", "problem"),
    [
        (0, np.nan, "a coordinate is NaN, infinite or out of range"),
        (2, np.inf, "a coordinate is NaN"),
        (4, np.nan, "a component of the direction is NaN or infinite"),
        (6, np.nan, "t_min or t_max is NaN$"),
        (7, -1.0, "t_min is greater than t_max$"),
    ],
)
@pytest.mark.parametrize(
    "query", ["closest_hit", "farthest_hit", "any_hit", "count_hits", "all_hits", "cost"]
)
def test_defects_of_rays_are_named_by_row(scene, query, place, number, problem):
    rays = np.concatenate([random_rays((40, 250)), np.zeros((40, 250, 1)), np.ones((40, 250, 1))], axis=-1)
    rays[17, 33, place] = number
    rays[30, 2, 3:6] = 0
    for lying in (rays.astype("float32"), rays, rays[::-1][::-1], every_second(rays)):
        with pytest.raises(ValueError, match=rf"^rays\[17, 33\]: {problem}"):
            getattr(scene, query)(lying)
    answer = getattr(scene, query)(rays, invalid="miss")
    if query == "any_hit":
        assert answer.dtype == bool and not answer[17, 33] and set(answer.view("uint8").ravel()) == {0, 1}
    elif query == "closest_hit":
        assert answer.t[17, 33] == np.inf and answer.primitive_id[17, 33] == INVALID_ID
        assert lanecast.STATUSES[answer.status[30, 2]] == "zero_direction"


def test_a_single_ray_has_no_row(scene):
    with pytest.raises(ValueError, match="^rays: the direction is zero"):
        scene.any_hit([0.0] * 6)


def test_ids_of_all_whole_numbers_are_taken():
    vertices = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    ray = [[0.75, 0.25, 1, 0, 0, -1]]
    for dtype in ("int8", "uint8", "int32", "uint32", "int64", "uint64", ">i4"):
        scene = Scene(vertices, np.array([[0, 1, 2], [0, 2, 3]], dtype=dtype))
        assert scene.any_hit(ray).all()
        hits = scene.closest_hit(ray, skip=(np.zeros(1, dtype), np.zeros(1, dtype)))
        assert not hits.is_hit.any()
    nothing = (np.array([-1]), np.array([-1]))
    assert scene.any_hit(ray, skip=nothing).all()
    assert scene.any_hit(ray, skip=(np.array([INVALID_ID]), np.array([INVALID_ID]))).all()


@pytest.mark.parametrize("number", [-1, 2**32, 2**40, 2**63, 2**64 - 1])
def test_ids_out_of_range_are_named_by_place(scene, number):
    triangles = np.array([[0, 1, 2], [0, 2, number]], dtype="uint64" if number > 0 else "int64")
    with pytest.raises(ValueError, match=rf"^triangles\[1, 2\]: {number} is not within"):
        Scene(np.eye(3), triangles)
    if number != -1:
        with pytest.raises(ValueError, match=rf"primitive_id\[0\]: {number} is not within"):
            scene.any_hit([[0, 0, 1, 0, 0, -1]], skip=(np.zeros(1, int), triangles[1, 2:]))


@pytest.mark.parametrize("number", [3, 2**31, 2**32 - 1])
def test_vertices_that_are_not_there_are_named(number):
    with pytest.raises((ValueError, IndexError), match=f"{number}"):
        Scene(np.eye(3), np.array([[0, 1, 2], [0, 2, number]], dtype="int64"))


def columns_of(hits):
    return {name: np.full_like(column, 1) for name, column in hits.items()}


def test_out_is_filled(scene):
    rays = random_rays((30, 40))
    expected = scene.closest_hit(rays, normals=True)
    out = columns_of(expected)
    found = scene.closest_hit(rays, normals=True, out=out)
    assert found.t is out["t"] and found.normal is out["normal"]
    same(found, expected)
    again = scene.closest_hit(rays[::-1], normals=True, out=found)
    assert again.t is out["t"]
    same(again, scene.closest_hit(rays[::-1], normals=True))
    few = scene.closest_hit(rays, out={"t": out["t"]})
    assert few.t is out["t"] and few.status is None and few.normal is None
    np.testing.assert_array_equal(few.t, expected.t)
    given = {**columns_of(expected), "instance_id": np.zeros((30, 40), "uint32")}
    all_of_them = scene.closest_hit(rays, out=given)
    assert all_of_them.instance_id is given["instance_id"] and (given["instance_id"] == INVALID_ID).all()
    np.testing.assert_array_equal(given["normal"], expected.normal)
    hit = np.ones((30, 40), dtype=bool)
    assert scene.any_hit(rays, out=hit) is hit
    np.testing.assert_array_equal(hit, expected.is_hit)
    count = np.ones((30, 40), dtype="uint32")
    assert scene.count_hits(rays, out=count) is count
    np.testing.assert_array_equal(count, scene.count_hits(rays))


def test_bools_are_bools_after_an_error(scene):
    rays = random_rays((100,))
    rays[50] = np.nan
    hit = np.ones(100, dtype=bool)
    with pytest.raises(ValueError, match=r"^rays\[50\]"):
        scene.any_hit(rays, out=hit)
    assert set(hit.view("uint8")) <= {0, 1}


@pytest.mark.parametrize(
    ("error", "out", "problem"),
    [
        (
            TypeError,
            np.zeros(9, "int16"),
            r"^out\['t'\]|^out\[.t.\]: its dtype is int16; float32 was expected",
        ),
        (TypeError, [0.0] * 9, r"^out\[.t.\]: its dtype is not that of an array"),
        (ValueError, np.zeros(8, "float32"), r"^out\[.t.\]: its shape is \(8,\); \(9,\) was expected"),
        (ValueError, np.zeros((9, 1), "float32"), r"^out\[.t.\]: its shape is \(9, 1\); \(9,\) was expected"),
        (
            ValueError,
            np.zeros(18, "float32")[::2],
            r"^out\[.t.\]: its numbers do not lie one after the other",
        ),
        (
            ValueError,
            np.zeros(9, "float32")[::-1],
            r"^out\[.t.\]: its numbers do not lie one after the other",
        ),
        (ValueError, np.broadcast_to(np.zeros(9, "float32"), (9,)), r"^out\[.t.\]: it cannot be written to"),
        (ValueError, unaligned(np.zeros(9, "float32")), r"^out\[.t.\]: its numbers are not aligned"),
    ],
)
def test_unusable_out_is_refused(error, out, problem):
    with pytest.raises(error, match=problem):
        bumpy().closest_hit(random_rays((9,)), out={"t": out})


def test_out_that_is_read_too_is_refused():
    scene = bumpy()
    memory = random_rays((12,))
    with pytest.raises(ValueError, match=r"^out\[.t.\]: it cannot be written to"):
        scene.closest_hit(memory, out={"t": memory.reshape(-1)[:12]})
    both = np.zeros(12, "float32")
    with pytest.raises(ValueError, match=r"^out\[.u.\]: it cannot be written to"):
        scene.closest_hit(memory, out={"t": both, "u": both})
    with pytest.raises(ValueError, match="^out: there is no column"):
        scene.closest_hit(memory, out={"distance": both})
    for other in (5, "t", both, [both]):
        with pytest.raises(ValueError, match="^out: a dict of arrays"):
            scene.closest_hit(memory, out=other)
        if other is not both:
            with pytest.raises((TypeError, ValueError), match="^out: "):
                scene.count_hits(memory, out=other)
    with pytest.raises(TypeError, match="^out: its dtype is float32; bool was expected"):
        scene.any_hit(memory, out=both)


def test_memory_does_not_leak(scene):
    rays = random_rays((200,))

    def calls():
        for _ in range(2500):
            scene.closest_hit(rays, normals=True)
            scene.all_hits(rays)
            scene.any_hit(rays[:, :3], rays[:, 3:])
            try:
                scene.closest_hit(rays, t_max=np.nan)
            except ValueError:
                pass

    calls()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (
        1 if sys.platform == "darwin" else 1024
    )
    assert grown < 2_000_000, f"{grown} bytes more after 10,000 calls"


def test_answers_outlive_the_scene():
    scene = bumpy()
    rays = random_rays((5000,))
    hits, t = scene.all_hits(rays), scene.all_hits(rays).t
    expected = hits.t.copy()
    del scene
    gc.collect()
    for _ in range(20):
        bumpy().all_hits(random_rays((5000,), seed=3))
    np.testing.assert_array_equal(hits.t, expected)
    np.testing.assert_array_equal(t, expected)


def test_answers_of_f64_are_of_f64():
    offset = np.array([500_000.1, 5_600_000.2, 0])
    wall = np.array([[0, 4, -9], [9, 4, -9], [9, 4, 9.0]]) + offset
    scene = Scene(wall, [[0, 1, 2]])
    assert scene.precision == "float64"
    hits = scene.closest_hit(np.concatenate([offset + [6, 0, 0], [0, 1, 0]]))
    assert hits.t.dtype == np.float64 and abs(hits.t - 4) < 1e-9
