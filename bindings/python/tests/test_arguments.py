"""Arguments that are no arrays of rays."""

import numpy as np
import pytest
from support import peak_of, same
from test_arrays import unaligned

import lanecast
import lanecast.open3d
import lanecast.trimesh
from lanecast import Scene


SQUARE = ([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
POINT = [[0.0, 0, 1]]
RAY = [[0.5, 0.2, 1, 0, 0, -1]]
AXES = ("ox", "oy", "oz", "dx", "dy", "dz")


class Flat:
    """A mesh."""

    vertices, faces = np.array(SQUARE[0], "float64"), SQUARE[1]


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("brute_force", lambda scene: scene.contains(POINT, brute_force="yes")),
        (r"items\[0\].deformable", lambda scene: scene.add(lanecast.Mesh(*SQUARE, deformable="no"))),
        ("generalised_winding", lambda scene: scene.contains(POINT, generalised_winding="x")),
        ("accuracy", lambda scene: scene.winding_number(POINT, accuracy="x")),
        ("normals", lambda scene: scene.closest_point(POINT, normals="x")),
        ("shorten", lambda scene: scene.sight(POINT, POINT, shorten="a")),
        ("mask", lambda scene: scene.sight(POINT, POINT, mask=-1)),
        ("mask", lambda scene: scene.overlap(lanecast.Ball(POINT[0], 1), mask=-1)),
        ("brute_force", lambda scene: scene.overlap(lanecast.Ball(POINT[0], 1), brute_force="x")),
        (r"meshes\[a\]", lambda scene: scene.refit({"a": POINT})),
        (r"geometries\[a\]", lambda scene: scene.replace({"a": lanecast.Mesh(*SQUARE)})),
        (r"items\[0\].mask", lambda scene: Scene.build(lanecast.Mesh(*SQUARE, mask=-1))),
        (r"items\[0\].name", lambda scene: scene.add(lanecast.Mesh(*SQUARE, name=3))),
        ("limit", lambda scene: scene.nearest_hits(RAY, -1)),
        ("limit", lambda scene: scene.nearest_hits(RAY, True)),
        ("limit: .* before directions,", lambda scene: scene.nearest_hits(POINT, POINT, 3)),
        ("count", lambda scene: scene.nearest_points(POINT, 1.5)),
        ("geometry_id", lambda scene: scene.set_mask(-1, 1)),
        ("mask", lambda scene: scene.set_mask(0, 2**32)),
        ("user_data", lambda scene: scene.set_user_data(0, -1)),
        ("observer", lambda scene: scene.first_obstacle(POINT, POINT, -1, 0)),
        ("geometry_ids", lambda scene: scene.remove(-1)),
        ("numbers", lambda scene: scene.remove_instances("a")),
        ("weld", lambda scene: Scene(*SQUARE, weld="a")),
        ("weld: it is True; a distance", lambda scene: Scene(*SQUARE, weld=True)),
        ("weld: it is np.False_; a distance", lambda scene: Scene.build(weld=np.False_)),
        ("accuracy", lambda scene: scene.winding_number(POINT, accuracy=True)),
        ("t_max", lambda scene: scene.any_hit(RAY, t_max=True)),
        ("mask", lambda scene: scene.any_hit(RAY, mask=True)),
        ("radius", lambda scene: scene.closest_point(POINT, radius=np.True_)),
        ("threads", lambda scene: lanecast.trimesh.use(Flat(), threads=2.5)),
        ("threads", lambda scene: lanecast.trimesh.use(Flat(), threads=True)),
        ("progress", lambda scene: scene.any_hit(RAY, progress=5)),
        ("geometry_ids: it is True;", lambda scene: scene.remove(True)),
        ("numbers: it is False;", lambda scene: scene.remove_instances(False)),
        ("range_noise", lambda scene: lanecast.Receiver(range_noise=True)),
        ("size", lambda scene: lanecast.Panorama((0, 0, 0), (0, 1, 0), size=(True, 3))),
        ("region.radius", lambda scene: scene.overlap(lanecast.Ball(POINT[0], "x"))),
        ("steps", lambda scene: lanecast.Lidar([0], True)),
        ("seconds", lambda scene: lanecast.Lidar([0], 4, seconds=np.True_)),
        (r"items\[0\]: a scene holds .* no ndarray", lambda scene: Scene.build(Flat.vertices, SQUARE[1])),
    ],
)
def test_options_of_other_types_are_refused_by_name(argument, call):
    with pytest.raises(TypeError, match=f"^{argument}" if ":" in argument else f"^{argument}: "):
        call(Scene(*SQUARE))


def test_numbers_out_of_their_range_are_refused_by_name():
    scene = Scene(*SQUARE)
    for problem, call in (
        ("threads: None or a number from 1 to", lambda: scene.any_hit(RAY, threads=True)),
        ("weld: it is -1; a distance from 0 on", lambda: Scene(*SQUARE, weld=-1)),
        (r"points\[0\]: the radius is negative$", lambda: scene.closest_point(POINT, radius=-1)),
        (r"points\[0\]: the radius is NaN$", lambda: scene.closest_point(POINT, radius=np.nan)),
        (r"rays\[0\]: the direction is zero in float32", lambda: scene.any_hit([[0, 0, 1, 0, 0, 1e-300]])),
        (r"rays\[0\]: .* infinite in float32", lambda: scene.any_hit(np.array([[0, 0, 1, 0, 0, 1e300]]))),
    ):
        with pytest.raises(ValueError, match=f"^{problem}"):
            call()
    with pytest.raises(ValueError, match=r"^rays\[0\]: the direction is zero$"):
        Scene(*SQUARE, precision="f64").any_hit([[0, 0, 1, 0, 0, 0]])


WHOLE = ("int8", "uint8", "int16", ">i2", "int32", "uint32", "int64", "uint64")


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("dtype", WHOLE)
def test_whole_numbers_are_converted_exactly(precision, dtype):
    corners = np.array([[0, 0, 0], [100, 0, 0], [0, 100, 50]])
    triangle = Scene(corners.astype(dtype), [[0, 1, 2]], precision=precision)
    assert (triangle.triangles().vertices[0] == corners).all()
    rays = np.array([[[9, 9, 0, 1, 2, 7], [40, 40, 0, 0, 0, 1], [99, 99, 0, 0, 0, 1]]])
    rays = np.repeat(rays, 3000, axis=0)
    expected = triangle.closest_hit(rays.astype("float64"))
    assert expected.is_hit[0].tolist() == [True, True, False]
    rays = rays.astype(dtype)
    same(triangle.closest_hit(rays), expected)
    same(triangle.closest_hit(rays[::-1, :, :3], rays[..., 3:].astype("float32")), expected)
    same(triangle.closest_hit(dict(zip(AXES, np.moveaxis(rays, -1, 0)))), expected)
    t_max = np.array([4, 10, 9], dtype)
    assert triangle.any_hit(rays[0], t_max=t_max).tolist() == [True, False, False]
    points = rays[0, :, :3]
    assert (triangle.distance(points) == triangle.distance(points.astype("float64"))).all()
    seen = triangle.sight(points, points + np.array([0, 0, 60], dtype))
    assert np.diag(seen).tolist() == [False, False, True]
    where = np.array([[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]], dtype)
    placed = Scene.build(lanecast.Instance(triangle, where), precision=precision)
    placed.set_transforms(where[None] * np.array(2, dtype))
    assert (placed.instance(0).transform[:3] == 2 * where).all()
    balls = Scene.build(lanecast.Spheres(corners.astype(dtype), np.array([1, 2, 3], dtype)))
    assert balls.distance([0.0, 0, 9]) == 8
    heights = np.array([[0, 1, 2], [3, 4, 100]], dtype)
    field = Scene.build(lanecast.HeightField(heights), precision=precision)
    assert field.bounds.tolist() == [[0, 0, 0], [2, 1, 100]]
    light = lanecast.Sunlight(points, np.array([[0, 0, 1]], dtype))
    assert triangle.any_hit(light).tolist() == [[True, True, False]]


def test_whole_numbers_that_f32_cannot_hold_are_of_f64():
    """By the rule that holds for floats; those of 8 and 16 bits fit as they are."""
    far = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) + 500_000_001
    for dtype in ("int32", "uint32", "int64", "uint64"):
        scene = Scene(far.astype(dtype), [[0, 1, 2]])
        assert scene.precision == "float64" and (scene.triangles().vertices[0] == far).all()
    for dtype in ("int16", "uint16"):
        vertices = np.array([[30_000, 0, 0], [30_001, 0, 0], [30_000, 1, 0]], dtype)
        assert Scene(vertices, [[0, 1, 2]]).precision == "float32"
        high = np.full((3, 3), 30_000, dtype)
        assert Scene.build(lanecast.HeightField(high)).precision == "float32"
    assert Scene.build(lanecast.HeightField(np.full((3, 3), 2**30) + [0, 1, 3])).precision == "float64"


def test_ids_may_lie_anywhere_in_memory():
    mask, triangles = unaligned(np.array([1, 2], "uint32")), unaligned(np.array(SQUARE[1], "uint32"))
    assert Scene(SQUARE[0], triangles).triangle_count == 2
    scene = Scene.build(lanecast.Mesh(*SQUARE, mask=2))
    assert scene.any_hit([[0.5, 0.2, 1, 0, 0, -1]] * 2, mask=mask).tolist() == [False, True]


@pytest.mark.parametrize("is_field", [False, True], ids=["mesh", "field of heights"])
@pytest.mark.parametrize("size", [1e3, 3e4, 6e4, 3e5, 2e6])
def test_answers_are_right_to_a_millionth_of_a_far_scene(size, is_field):
    x, y = 500_000.123 + np.linspace(0, size, 50), 5_400_000.456 + np.linspace(0, size, 50)
    heights = np.add.outer(np.arange(50.0), np.arange(50)) * size / 1e3
    if is_field:
        step = (x[1] - x[0], y[1] - y[0])
        scene = Scene.build(lanecast.HeightField(heights, origin=(x[0], y[0]), spacing=step))
    else:
        vertices = np.dstack([*np.meshgrid(x, y), heights]).reshape(-1, 3)
        first = np.add.outer(np.arange(49) * 50, np.arange(49)).ravel()
        triangles = np.concatenate([first[:, None] + [0, 1, 50], first[:, None] + [1, 51, 50]])
        scene = Scene(vertices, triangles)
    # 2000 km are a third of their coordinates, 300 km an eighteenth.
    assert scene.precision == ("float64" if size < 5e5 else "float32")
    places = np.random.default_rng(1).uniform(0, 48.9, (500, 2))
    origins = np.concatenate([np.stack([x[0], y[0]]) + places * size / 49, np.full((500, 1), size)], axis=1)
    t = scene.closest_hit(origins, np.broadcast_to([0, 0, -1.0], origins.shape)).t
    right = size - places.sum(axis=1) * size / 1e3
    assert abs(t - right).max() <= (1e-6 if size > 5e5 else 1e-12) * size


def test_fields_of_heights_at_survey_coordinates_are_of_f64():
    for dtype in ("float32", "float64"):
        heights = np.full((10, 10), 20, dtype)
        near, far = (lanecast.HeightField(heights, origin=(at, at)) for at in (0, 5e6))
        assert [Scene.build(field).precision for field in (near, far)] == ["float32", "float64"]
        # Heights may be far from 0 too, and those of float32 are as they are.
        assert Scene.build(lanecast.HeightField(heights + 200)).precision == dtype
    nothing = lanecast.HeightField(np.full((3, 3), np.nan), origin=(5e6, 5e6))
    assert Scene.build(nothing).precision == "float32"


def masked(array):
    """Masked where it is odd, with sound numbers beneath."""
    return np.ma.MaskedArray(array, np.arange(np.size(array)).reshape(np.shape(array)) % 2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [6, 9000])
def test_masked_floats_are_nan(dtype, count):
    scene = Scene(*SQUARE)
    rays = np.full((count, 6), [0.5, 0.2, 1, 0, 0, -1], dtype)
    rows = np.ma.MaskedArray(rays, np.zeros_like(rays, bool))
    assert scene.any_hit(rows).all()
    rows[1::2] = np.ma.masked
    expected = np.arange(count) % 2 == 0
    assert (scene.any_hit(rows, invalid="miss") == expected).all()
    assert (scene.any_hit((rows[:, :3], rays[:, 3:]), invalid="miss") == expected).all()
    assert (scene.any_hit({**dict(zip(AXES, rays.T)), "ox": rows[:, 0]}, invalid="miss") == expected).all()
    assert (scene.any_hit(rays, t_max=masked(np.full(count, 9, dtype)), invalid="miss") == expected).all()
    assert (np.isfinite(scene.distance(rows[:, :3], invalid="miss")) == expected).all()
    for call in (scene.closest_hit, scene.all_hits):
        with pytest.raises(ValueError, match=r"^rays\[1\]: a coordinate is NaN"):
            call(rows)


def test_masked_heights_are_holes():
    heights = np.ma.MaskedArray(np.zeros((3, 3)), np.zeros((3, 3), bool))
    heights[0, 0] = np.ma.masked
    field = Scene.build(lanecast.HeightField(heights))
    rays = [[0.2, 0.2, 1, 0, 0, -1], [1.5, 1.5, 1, 0, 0, -1]]
    assert field.any_hit(rays).tolist() == [False, True]
    for dtype in ("int16", "uint8", "int64"):
        assert Scene.build(lanecast.HeightField(heights.astype(dtype))).any_hit(rays).tolist() == [
            False,
            True,
        ]


def test_masked_arrays_in_lists_are_masked():
    rows = [masked(np.array([0.5, 0.2, 1, 0, 0, -1])), np.array([0.5, 0.2, 1, 0, 0, -1])]
    for given in (rows, [[rows[0]], [rows[1]]], [rows[1].tolist(), rows[0]][::-1]):
        found = Scene(*SQUARE).any_hit(given, invalid="miss")
        assert found.ravel().tolist() == [False, True] and found.ndim == np.ndim(given) - 1
    with pytest.raises(ValueError, match=r"^beams\[1\]: the elevation is NaN"):
        lanecast.Lidar([[1.0, 2, 0], np.ma.MaskedArray([1.0, 2, 0], [1, 0, 0])], 4)


def test_what_is_masked_and_cannot_be_nan_is_refused_by_name():
    scene = Scene(*SQUARE)
    ray, rays = [[0.5, 0.2, 1, 0, 0, -1]], np.full((4, 6), [0.5, 0.2, 1, 0, 0, -1], "float32")
    ids, t = masked(np.zeros(4, "uint32")), masked(np.zeros(4, "float32"))
    for argument, call in (
        ("mask", lambda: scene.any_hit(rays, mask=ids)),
        ("skip: geometry_id", lambda: scene.any_hit(rays, skip=(ids, ids))),
        ("triangles", lambda: Scene(SQUARE[0], masked(SQUARE[1]))),
        (r"out\['t'\]", lambda: scene.closest_hit(rays, out={"t": t})),
        ("out", lambda: scene.any_hit(rays, out=masked(np.zeros(4, bool)))),
    ):
        with pytest.raises(ValueError, match=f"^{argument}: .*mask".replace("'", ".")):
            call()
    assert scene.any_hit(ray, mask=masked([1])).tolist() == [True], "nothing is masked"
    with pytest.raises(ValueError, match=r"^beams\[1\]: the elevation is NaN"):
        lanecast.Lidar(masked([0.0, 1.0]), 4)
    with pytest.raises(ValueError, match="^time: numbers of its dtype, .*, are masked"):
        lanecast.Sun(masked(np.array(["2026-06-21"] * 2, "M8[D]")), 0, 0)
    light = lanecast.Sunlight(masked(np.zeros((2, 3))), [[0, 0, 1]])
    with pytest.raises(ValueError, match=r"^rays\[0, 0\]: a coordinate is NaN"):
        scene.any_hit(light)


def test_stand_ins_miss_with_masked_rays():
    rays = np.full((4, 6), [0.5, 0.2, 1, 0, 0, -1], "float32")
    open3d, trimesh = lanecast.open3d.RaycastingScene(), lanecast.trimesh.RayMeshIntersector(Flat())
    open3d.add_triangles(np.array(SQUARE[0], "float32"), np.array(SQUARE[1], "uint32"))
    for ask in (open3d.test_occlusions, lambda rays: trimesh.intersects_any(rays[:, :3], rays[:, 3:])):
        assert ask(rays).all() and not ask(masked(rays)).any()


def test_memory_maps_are_read_where_they_lie(tmp_path):
    rays = np.memmap(tmp_path / "rays", "float32", "w+", shape=(100_000, 6))
    rays[:] = [0.5, 0.2, 1, 0, 0, -1]
    assert Scene(*SQUARE).any_hit(rays).all()
    assert peak_of(lambda: Scene(*SQUARE).any_hit(rays)) < 200_000


PLACES = [[0.0, 0, 0], [5, 0, 0]]


@pytest.mark.parametrize(
    ("place", "item"),
    [
        (r"radius\[1\]: it is -1", lambda: lanecast.Spheres(PLACES, [1.0, -1.0])),
        ("radius: it is -2", lambda: lanecast.Spheres(PLACES, -2)),
        ("radius: it is NaN", lambda: lanecast.Spheres(PLACES, np.nan)),
        ("start_radius: it is -1", lambda: lanecast.RoundCones(PLACES, PLACES[::-1], -1, 2)),
        (r"end_radius\[0\]: it is -3", lambda: lanecast.RoundCones(PLACES, PLACES[::-1], 1, [-3.0, 1])),
        (r"radius\[1\]: it is -2", lambda: lanecast.Cylinders(PLACES, PLACES[::-1], [1.0, -2.0])),
        (r"end\[1\]: it is that of start", lambda: lanecast.Cylinders(PLACES, [[0.0, 1, 0], [5, 0, 0]], 1)),
        (
            r"max\[1\]: 2 is less than the 5 of min along x",
            lambda: lanecast.Boxes(PLACES, [[1.0, 1, 1], [2, 1, 1]]),
        ),
    ],
)
def test_shapes_that_nothing_could_meet_are_refused(place, item):
    with pytest.raises(ValueError, match=rf"^items\[0\]\.{place}"):
        Scene.build(item())
    with pytest.raises(ValueError, match=rf"^geometries\[0\]\.{place}"):
        Scene(*SQUARE).replace({0: item()})


def test_shapes_without_an_extent_are_there():
    flat = Scene.build(lanecast.Boxes([[0.0, 0, 1]], [[2.0, 2, 1]]), lanecast.Spheres([[1.0, 1, 0]], -0.0))
    assert flat.all_hits([[1.0, 1, 5, 0, 0, -1]], contact="touch").t[-1] == 5 and flat.primitive_count == 2


FAR = [[0.0, 0, 0], [np.nan, 0, 0], [0, 1, 0]]


def heights(bad, **where):
    values = np.zeros((4, 5))
    values[2, 3] = bad
    return lanecast.HeightField(values, **where)


@pytest.mark.parametrize(
    ("place", "item"),
    [
        (r"vertices\[1\]: it is \[NaN", lambda: lanecast.Mesh(FAR, [[0, 1, 2]])),
        (
            r"triangles\[1\]: it names vertex 4, but there are 4",
            lambda: lanecast.Mesh(SQUARE[0], [[0, 1, 2], [0, 2, 4]]),
        ),
        (r"quads\[1\]: it names vertex 9", lambda: lanecast.Quads(SQUARE[0], [[0, 1, 2, 3], [0, 1, 2, 9]])),
        (r"heights\[2, 3\]: its vertex is \[3.0, 2.0, inf\]", lambda: heights(np.inf)),
        (r"heights: its shape is \(1, 5\)", lambda: lanecast.HeightField(np.zeros((1, 5)))),
        (r"spacing: two numbers", lambda: heights(0, spacing=10)),
        (
            r"spacing: along y it is -1; .*: give heights\[::-1\], and as origin",
            lambda: heights(0, spacing=(1, -1)),
        ),
        (r"spacing: along x it is -2; .*: give heights\[:, ::-1\]", lambda: heights(0, spacing=(-2, 1))),
        (r"origin: along y it is inf; it must be finite$", lambda: heights(0, origin=(0, np.inf))),
        (r"origin: two numbers", lambda: heights(0, origin=(0, 0, 0))),
    ],
)
def test_what_no_scene_holds_is_named_by_argument_and_row(place, item):
    with pytest.raises(ValueError, match=rf"^items\[1\]\.{place}"):
        Scene.build(lanecast.Mesh(*SQUARE), item())
    with pytest.raises(ValueError, match=rf"^items\[0\]\.{place}"):
        Scene(*SQUARE).add(item())


def test_a_scene_of_one_mesh_names_its_own_arguments():
    with pytest.raises(ValueError, match=r"^vertices\[1\]: it is \[NaN"):
        Scene(FAR, [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"^triangles\[1\]: it names vertex 7"):
        Scene(SQUARE[0], [[0, 1, 2], [0, 2, 7]])
    with pytest.raises(ValueError, match=r"^items\[0\]: the box around primitive 1 is from \[NaN"):
        Scene.build(lanecast.Spheres(FAR, 1))


def test_a_field_of_heights_has_no_inside():
    scene = Scene.build(heights(0))
    for query in (scene.contains, scene.winding_number, scene.signed_distance):
        with pytest.raises(ValueError, match="^geometry 0: it is a HeightField, which has no inside$"):
            query(POINT)


class Tensor:
    """Of a library whose arrays NumPy does not read by themselves."""

    def __init__(self, array):
        self.numpy = lambda: np.array(array)

    def cpu(self):
        return self


def test_meshes_of_other_libraries_make_scenes():
    corners, triangles = SQUARE
    legacy = type("TriangleMesh", (), {"vertices": corners, "triangles": triangles})()
    of_tensors = type("TriangleMesh", (), {})()
    of_tensors.vertex, of_tensors.triangle = {"positions": Tensor(corners)}, {"indices": Tensor(triangles)}
    for mesh in (Flat(), legacy, of_tensors):
        assert Scene.from_mesh(mesh, precision="f64").any_hit(RAY).tolist() == [True]
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    for place in (0, 10):
        scene.add_geometry(
            trimesh.creation.box(), transform=trimesh.transformations.translation_matrix([place, 0, 0])
        )
    made = Scene.from_mesh(scene)
    assert made.triangle_count == 24 and made.bounds.tolist() == [[-0.5] * 3, [10.5, 0.5, 0.5]]
    with pytest.raises(TypeError, match="^mesh: it is float; a mesh with vertices"):
        Scene.from_mesh(1.5)


OF_CALLS = {"threads", "backend", "progress", "brute_force"}
OF_RAYS = OF_CALLS | {"t_min", "t_max", "culling", "mask", "skip", "coherence", "invalid"}
OF_POINTS = OF_CALLS | {"invalid"}
OF_SIGHT = OF_CALLS | {"invalid", "shorten", "observers_on", "targets_on", "mask", "culling"}
ALL_OPTIONS = {
    *OF_RAYS, *OF_SIGHT, "contact", "normals", "out", "status", "radius", "accuracy", "generalised_winding", "packed", "points",
}  # fmt: skip


@pytest.mark.parametrize(
    ("taken", "query", "arguments"),
    [
        (OF_RAYS | {"normals", "points", "out"}, "closest_hit", (RAY,)),
        (OF_RAYS | {"normals", "points", "out"}, "farthest_hit", (RAY,)),
        (OF_RAYS | {"out", "status"}, "any_hit", (RAY,)),
        (OF_RAYS | {"contact", "out", "status"}, "count_hits", (RAY,)),
        (OF_RAYS | {"contact", "points"}, "all_hits", (RAY,)),
        (OF_RAYS | {"contact", "points"}, "nearest_hits", (RAY, 2)),
        (OF_RAYS | {"status"}, "cost", (RAY,)),
        (OF_RAYS | {"normals", "points"}, "line_hits", (RAY,)),
        (OF_RAYS, "lidar_returns", (RAY,)),
        (OF_RAYS - {"coherence"}, "pick", (RAY[0],)),
        (OF_POINTS | {"radius", "normals", "out"}, "closest_point", (POINT,)),
        (OF_POINTS | {"radius"}, "nearest_points", (POINT, 1)),
        (OF_POINTS, "points_within", (POINT, 1)),
        (OF_POINTS, "distance", (POINT,)),
        (OF_POINTS | {"generalised_winding"}, "signed_distance", (POINT,)),
        (OF_POINTS | {"generalised_winding"}, "contains", (POINT,)),
        (OF_POINTS | {"accuracy"}, "winding_number", (POINT,)),
        (OF_CALLS | {"generalised_winding", "packed"}, "occupancy", ([0, 0, 0], 1, [1, 1, 1])),
        (OF_SIGHT | {"packed"}, "sight", (POINT, POINT)),
        (OF_SIGHT, "first_obstacle", (POINT, POINT, 0, 0)),
        ({"mask", "brute_force", "backend"}, "overlap", (lanecast.Ball(POINT[0], 1),)),
        ({"mask", "brute_force", "backend"}, "overlaps_any", (lanecast.Ball(POINT[0], 1),)),
        ({"vertex_normals", "threads", "progress"}, "surface", (RAY, None)),
    ],
)
def test_options_that_a_query_does_not_take_are_refused_by_name(taken, query, arguments):
    scene = Scene(*SQUARE)
    for name in sorted(ALL_OPTIONS - taken):
        with pytest.raises(TypeError, match=name):
            getattr(scene, query)(*arguments, **{name: None})
