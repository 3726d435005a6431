"""The precision of a scene, by one rule, and what is said where float32 costs digits."""

import warnings

import numpy as np
import pytest

import lanecast
from lanecast import PrecisionWarning, Scene

FAR = 4_000_000.3
TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
RAY = [[FAR, 0.25, 1, 0, 0, -1.0]]
AXES = np.eye(3)[None]


@pytest.fixture(autouse=True)
def all_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def mesh(offset=0.0, dtype="float64", **others):
    return lanecast.Mesh((TRIANGLE + [offset, 0, 0]).astype(dtype), [[0, 1, 2]], **others)


@pytest.mark.parametrize(
    ("precision", "items"),
    [
        ("float64", [mesh(FAR)]),
        ("float32", [mesh(7.3)]),
        ("float32", [mesh(FAR, "float32")]),
        ("float32", [mesh(), mesh(FAR)]),
        # Vertices that no triangle has are no content, wherever they are.
        ("float64", [lanecast.Mesh(np.concatenate((TRIANGLE + FAR, [[0.0, 0, 0]])), [[0, 1, 2]])]),
        ("float32", [lanecast.Mesh(np.concatenate((TRIANGLE, [[FAR, 0.0, 0]])), [[0, 1, 2]])]),
        ("float64", [lanecast.Quads(np.concatenate((TRIANGLE + FAR, [[1.0, 1, 0]])), [[0, 1, 2, 0]])]),
        # One center is not no size.
        ("float64", [lanecast.Spheres([[FAR, 0.0, 0]], 1.0)]),
        ("float32", [lanecast.Spheres([[FAR, 0.0, 0]], 1e6)]),
        ("float64", [lanecast.OrientedBoxes(np.array([[FAR, 0.0, 0]]), AXES, np.array([[1.0, 2, 3]]))]),
        ("float32", [lanecast.OrientedBoxes(np.array([[FAR, 0.0, 0]]), AXES, np.array([[1.0, 1e6, 3]]))]),
        ("float64", [lanecast.RoundCones([[FAR, 0.0, 0]], [[FAR, 0.0, 0]], 1.0, 2.0)]),
        ("float64", [lanecast.Cylinders([[FAR, 0.0, 0]], [[FAR, 0.0, 1]], 1.0)]),
        ("float32", [lanecast.Cylinders([[FAR, 0.0, 0]], [[FAR, 0.0, 1]], 1e6)]),
        ("float64", [lanecast.Boxes([[FAR, 0.0, 0]], [[FAR + 1, 1.0, 1]])]),
        ("float64", [lanecast.HeightField(np.zeros((3, 3), "float32"), (FAR, 0), (1, 1))]),
        ("float32", [lanecast.HeightField(np.full((3, 3), FAR, "float32"), (0, 0), (1, 1))]),
        ("float32", []),
    ],
)
def test_auto_takes_float64_where_float32_is_too_coarse(precision, items):
    assert Scene.build(*items).precision == precision


def forms():
    rays = np.array(RAY)
    many = np.repeat(rays, 5000, axis=0)
    columns = dict(zip(("ox", "oy", "oz", "dx", "dy", "dz"), rays.T))
    camera = lanecast.Pinhole((FAR, 0.25, 1), (FAR, 0.25, 0), up=(0, 1, 0), fov=60, size=(4, 2))
    return [
        ("rays", lambda scene: scene.closest_hit(rays)),
        ("rays", lambda scene: scene.any_hit(many)),
        ("rays", lambda scene: scene.any_hit(many[::-1])),
        ("origins", lambda scene: scene.all_hits((many[:, :3], many[:, 3:]))),
        ("origins", lambda scene: scene.closest_hit(many[:, :3], many[:, 3:])),
        ("rays", lambda scene: scene.lidar_returns(many)),
        ("rays", lambda scene: scene.count_hits(RAY)),
        ("origins", lambda scene: scene.all_hits((rays[:, :3], rays[:, 3:]))),
        ("origins", lambda scene: scene.cost(rays[:, :3], rays[:, 3:])),
        ("origins", lambda scene: scene.line_hits(rays[:, :3], rays[0, 3:].astype("float32"))),
        ("rays", lambda scene: scene.nearest_hits(columns, 1)),
        ("rays", lambda scene: scene.closest_hit(camera)),
        ("rays", lambda scene: scene.pick(rays[0])),
        ("rays", lambda scene: scene.surface(rays, scene.closest_hit(rays.astype("float32")))),
        ("rays", lambda scene: scene.closest_hit((10**9 + np.arange(6))[None])),
        ("points", lambda scene: scene.closest_point(rays[:, :3])),
        ("points", lambda scene: scene.nearest_points(rays[:, :3].tolist(), 1)),
        ("points", lambda scene: scene.distance(many[:, :3])),
        ("points", lambda scene: scene.contains(rays[:, :3], generalised_winding=2)),
        ("observers", lambda scene: scene.sight(rays[:, :3], [[0.0, 0, 1]])),
        ("targets", lambda scene: scene.first_obstacle([[0.0, 0, 1]], rays[:, :3], 0, 0)),
        ("origin", lambda scene: scene.occupancy([FAR, 0, 0], 1, [2, 2, 2], generalised_winding=2)),
    ]


@pytest.mark.parametrize(("argument", "query"), forms())
def test_what_a_query_rounds_by_too_much_is_said_once_by_name(argument, query):
    scene = Scene(TRIANGLE, [[0, 1, 2]])
    assert scene.precision == "float32"
    with pytest.warns(PrecisionWarning, match=f"^{argument}: .*1/2,000,000.*precision=") as said:
        query(scene)
    assert len(said) == 1
    query(scene)
    # Each scene says it, and one of float64 has nothing to say.
    with pytest.warns(PrecisionWarning):
        query(Scene(TRIANGLE, [[0, 1, 2]]))
    query(Scene(TRIANGLE, [[0, 1, 2]], precision="f64"))


def test_warnings_may_be_errors_and_argument_errors_come_first():
    scene = Scene(TRIANGLE, [[0, 1, 2]])
    with pytest.raises(ValueError, match="shape"):
        scene.closest_hit(np.full((2, 5), FAR))
    with pytest.raises(PrecisionWarning):
        scene.closest_hit(RAY)
    assert issubclass(PrecisionWarning, UserWarning)


@pytest.mark.parametrize(
    "rays",
    [
        np.array(RAY, "float32"),
        np.array([[7.3, 0.25, 1, 0, 0, -1]]),
        np.array([[4_000_000.0, 0.25, 1, 0.3, 0, -1]]),
        np.array([[0, 0, 1, FAR, FAR, FAR]]),
    ],
)
def test_what_float32_holds_well_enough_is_not_told_of(rays):
    scene = Scene(TRIANGLE, [[0, 1, 2]])
    scene.closest_hit(rays)
    scene.closest_point(rays[:, :3])


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("items", lambda scene: scene.add(mesh(FAR))),
        ("items", lambda scene: scene.add(lanecast.Spheres([[FAR, 0.0, 0]], 1.0))),
        ("geometries", lambda scene: scene.replace({0: mesh(FAR)})),
        ("meshes", lambda scene: scene.refit({0: TRIANGLE + [FAR, 0, 0]})),
    ],
)
def test_rounding_of_new_content_is_told_before_a_scene_changes(argument, change):
    scene = Scene.build(mesh(deformable=True))
    with pytest.raises(PrecisionWarning, match=f"^{argument}: "):
        change(scene)
    assert scene.bounds[1, 0] == 1
    change(scene)
    assert scene.bounds[1, 0] > FAR - 1
    with pytest.warns(PrecisionWarning):
        change(Scene.build(mesh(deformable=True)))
    change(Scene.build(mesh(deformable=True), precision="f64"))


def test_content_near_a_scene_is_not_told_of():
    scene = Scene.build(mesh(deformable=True))
    scene.add(mesh(7.3), lanecast.Spheres([[0.1, 0.2, 0.3]], 0.7))
    scene.add(mesh(FAR, "float32"))
    scene.refit({0: TRIANGLE + [0.3, 0, 0]})


def test_a_scene_that_cannot_be_of_float64_says_what_it_costs():
    inner = Scene(TRIANGLE, [[0, 1, 2]])
    with pytest.warns(PrecisionWarning, match="^items: .*placed scenes"):
        scene = Scene.build(mesh(FAR), lanecast.Instance(inner, np.eye(4)))
    assert scene.precision == "float32"
    wide = Scene(TRIANGLE, [[0, 1, 2]], precision="f64")
    assert Scene.build(mesh(FAR), lanecast.Instance(wide, np.eye(4))).precision == "float64"


def test_columns_of_arrow_are_told_of_too():
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch(dict(zip(("ox", "oy", "oz", "dx", "dy", "dz"), map(pa.array, np.array(RAY).T))))
    scene = Scene(TRIANGLE, [[0, 1, 2]])
    with pytest.warns(PrecisionWarning, match="^rays: "):
        lanecast.cast_arrow(scene, batch)
    lanecast.cast_arrow(scene, batch)
