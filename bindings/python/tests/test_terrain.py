"""`lanecast.terrain` against NumPy along rows and columns, and against rays at the same heights."""

import datetime
from types import SimpleNamespace

import lanecast.terrain
import numpy as np
import pytest
from brute_force import hold_examples
from lanecast.terrain import horizon, sky_view, sun_hours, viewshed

ROWS, COLUMNS = 12, 15
X, Y, DX, DY = 600_000.0, 5_200_000.0, 10.0, 8.0
DAY = {"start": "2026-12-21T07:00", "end": "2026-12-21T16:00", "latitude": 47.4, "longitude": 8.5}


def hills():
    """With a hole."""
    random = np.random.default_rng(3)
    row, column = np.mgrid[:ROWS, :COLUMNS]
    heights = 30 * (np.sin(0.6 * row) + np.cos(0.5 * column)) + random.uniform(0, 9, (ROWS, COLUMNS))
    heights[5:7, 8:10] = np.nan
    return heights


def gdal(dx=DX, dy=-DY):
    return (X, dx, 0.0, Y, 0.0, dy)


def affine(transform):
    """As rasterio has it."""
    c, a, b, f, d, e = transform
    return SimpleNamespace(a=a, b=b, c=c, d=d, e=e, f=f)


def centre(row, column, dx=DX, dy=-DY):
    return [X + (column + 0.5) * dx, Y + (row + 0.5) * dy]


def along_rows(heights, step):
    """The horizon of each pixel over those behind it in its row."""
    found = np.full(heights.shape, -90.0)
    for column in range(heights.shape[1]):
        for other in range(column + 1, heights.shape[1]):
            rise = np.degrees(np.arctan2(heights[:, other] - heights[:, column], (other - column) * step))
            found[:, column] = np.fmax(found[:, column], rise)
    return np.where(np.isnan(heights), np.nan, found)


@pytest.mark.parametrize(("dx", "dy"), [(DX, -DY), (DX, DY), (-DX, DY)])
def test_horizons_along_rows_and_columns_are_those_of_their_pixels(dx, dy):
    heights = hills()
    # Where a pixel is missing, edges cross the row elsewhere.
    heights[np.isnan(heights)] = 0
    behind = along_rows(heights, DX)
    before = along_rows(heights[:, ::-1], DX)[:, ::-1]
    below = along_rows(heights.T, DY).T
    above = along_rows(heights[::-1].T, DY).T[::-1]
    east, west = (behind, before) if dx > 0 else (before, behind)
    north, south = (below, above) if dy > 0 else (above, below)
    found = horizon(heights, gdal(dx, dy), azimuths=4)
    assert found.shape == (4, ROWS, COLUMNS) and found.dtype == np.float64
    np.testing.assert_allclose(found, [north, east, south, west], atol=0.0102)
    # The same as a list, at other places of pixels.
    np.testing.assert_array_equal(horizon(heights, gdal(dx, dy), azimuths=[90, 270.0]), found[[1, 3]])
    # From high above.
    found = horizon(heights, affine(gdal(dx, dy)), azimuths=[90], height=500.0, max_distance=3.5 * DX)
    inner = found[0, :, 4:-4]
    assert (inner < -60).all() and (inner > -90).all()


def test_what_is_missing_is_nan_and_no_obstacle():
    heights = hills()
    masked = np.ma.masked_invalid(np.where(np.isnan(heights), np.nan, heights))
    found = horizon(heights, gdal(), azimuths=8)
    assert (np.isnan(found) == np.isnan(heights)).all()
    np.testing.assert_array_equal(horizon(masked, gdal(), azimuths=8), found)
    whole = np.ma.masked_array(np.arange(12).reshape(3, 4), np.eye(3, 4))
    assert np.isnan(sky_view(whole, gdal())).sum() == 3
    np.testing.assert_array_equal(sky_view(heights.astype("float32"), gdal()).shape, heights.shape)


@pytest.mark.parametrize("plane", ["horizontal", "surface"])
def test_sky_view_is_the_share_of_rays_that_miss(plane):
    heights = hills()
    heights[np.isnan(heights)] = 0
    found = sky_view(heights, gdal(), azimuths=180, plane=plane)
    # Rows of fields ascend along y.
    field = lanecast.HeightField(heights[::-1], origin=centre(ROWS - 1, 0), spacing=(DX, DY))
    scene = lanecast.Scene.build(field, precision="f64")
    for row, column in ((3, 4), (6, 9), (9, 2)):
        normal = [0, 0, 1.0]
        if plane == "surface":
            near = heights[row - 1 : row + 2, column - 1 : column + 2]
            # Of the six triangles there each edge has a part.
            diagonal = near[::-1]
            across = (diagonal[1, 2] - diagonal[1, 0]) / 3 + (diagonal[0, 2] - diagonal[0, 1]) / 6
            across += (diagonal[2, 1] - diagonal[2, 0]) / 6
            along = (diagonal[2, 1] - diagonal[0, 1]) / 3 + (diagonal[1, 2] - diagonal[0, 2]) / 6
            along += (diagonal[2, 0] - diagonal[1, 0]) / 6
            normal = [-across / DX, -along / DY, 1.0]
        point = [*centre(row, column), heights[row, column] + 1e-5]
        open_rays = ~scene.any_hit(lanecast.Hemisphere([point], [normal], directions=1 << 14))
        assert abs(open_rays.mean() - found[row, column]) < 0.01


def test_sun_hours_are_those_of_rays_to_the_sun():
    heights = hills()
    heights[np.isnan(heights)] = 0
    step = datetime.timedelta(minutes=50)
    found = sun_hours(heights, gdal(), step=step, height=0.5, **DAY)
    field = lanecast.HeightField(heights[::-1], origin=centre(ROWS - 1, 0), spacing=(DX, DY))
    scene = lanecast.Scene.build(field, precision="f64")
    points = [
        [*centre(row, column), heights[row, column] + 0.5] for row in range(ROWS) for column in range(COLUMNS)
    ]
    starts = np.arange(0, 540, 50)
    lengths = np.minimum(50, 540 - starts)
    times = np.datetime64("2026-12-21T07:00") + (60 * (starts + lengths / 2)).astype("m8[s]")
    sun = lanecast.Sun(times, latitude=47.4, longitude=8.5)
    is_lit = ~scene.any_hit(lanecast.Sunlight(points, sun)) & (sun.altitude > 0)[:, None]
    expected = (is_lit * lengths[:, None] / 60).sum(axis=0).reshape(ROWS, COLUMNS)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert expected.min() < 2 and expected.max() > 6
    aware = datetime.datetime(2026, 12, 21, 8, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    again = sun_hours(heights, gdal(), step=np.timedelta64(50, "m"), height=0.5, **{**DAY, "start": aware})
    np.testing.assert_array_equal(again, found)


def test_viewsheds_are_those_of_lines_of_sight():
    heights = hills()
    heights[np.isnan(heights)] = 0
    field = lanecast.HeightField(heights[::-1], origin=centre(ROWS - 1, 0), spacing=(DX, DY))
    scene = lanecast.Scene.build(field, precision="f64")
    random = np.random.default_rng(4)
    observers = [centre(*at) for at in random.uniform(0, [ROWS - 1, COLUMNS - 1], (20, 2))]
    down = [[*place, 200, 0, 0, -1] for place in observers]
    eyes = [[x, y, 202 - t] for (x, y), t in zip(observers, scene.closest_hit(down).t)]
    targets = [
        [*centre(row, column), heights[row, column] + 1] for row in range(ROWS) for column in range(COLUMNS)
    ]
    expected = scene.sight(eyes, targets, shorten=1e-6).reshape(-1, ROWS, COLUMNS)
    options = {"observer_height": 2, "target_height": 1}
    counts = viewshed(heights, observers, gdal(), **options)
    assert counts.dtype == np.uint32
    np.testing.assert_array_equal(counts, expected.sum(axis=0))
    bits = viewshed(heights, observers, affine(gdal()), bits=True, **options)
    np.testing.assert_array_equal([bits >> number & 1 for number in range(20)], expected)
    near = viewshed(heights, observers[:1], gdal(), max_distance=25, **options)
    distances = np.hypot(*(np.array(targets)[:, :2] - observers[0]).T).reshape(ROWS, COLUMNS)
    np.testing.assert_array_equal(near, expected[0] & (distances <= 25))


def test_observers_beside_the_terrain_see_nothing_if_that_is_asked():
    observers = [centre(2, 2), centre(5.5, 8.5), [0.0, 0.0]]
    with pytest.raises(ValueError, match=r"^observers\[1\]: at \(600090.0, 5199952.0\) is no terrain$"):
        viewshed(hills(), observers, gdal())
    seen = viewshed(hills(), np.column_stack([observers, [9.0] * 3]), gdal(), bits=True, invalid="miss")
    assert set(np.unique(seen)) == {0, 1}


@pytest.mark.parametrize(("dx", "dy"), [(DX, -DY), (DX, DY), (-DX, DY)])
def test_labelled_heights_have_labelled_answers(dx, dy):
    xarray = pytest.importorskip("xarray")
    heights = hills()
    y, x = (np.array([centre(i, i, dx, dy)[axis] for i in range(n)]) for axis, n in ((1, ROWS), (0, COLUMNS)))
    coords = {"y": y, "x": x, "spatial_ref": 0}
    labelled = xarray.DataArray(heights, coords=coords, dims=("y", "x"), attrs={"units": "m"})
    for call in (
        lambda *of: horizon(*of, azimuths=3),
        lambda *of: sky_view(*of, azimuths=5),
        lambda *of: sun_hours(*of, **DAY),
        lambda grid, *of: viewshed(grid, [centre(3, 3, dx, dy)], *of, observer_height=2),
    ):
        found, expected = call(labelled), call(heights, gdal(dx, dy))
        np.testing.assert_array_equal(found.values, expected)
        assert isinstance(found, xarray.DataArray) and found.dims[-2:] == ("y", "x") and not found.attrs
        assert {name: found.coords[name].equals(labelled.coords[name]) for name in coords} == dict.fromkeys(
            coords, True
        )
    around = horizon(labelled, azimuths=[0, 45])
    assert around.dims == ("azimuth", "y", "x") and around.coords["azimuth"].values.tolist() == [0, 45]
    assert around.name == "horizon"
    # A value that means no data, as rioxarray leaves it.
    filled = labelled.fillna(-9999).assign_attrs(_FillValue=-9999)
    np.testing.assert_array_equal(
        sky_view(filled, azimuths=5).values, sky_view(heights, gdal(dx, dy), azimuths=5)
    )


def test_labels_that_are_no_grid_are_refused():
    xarray = pytest.importorskip("xarray")
    heights = np.zeros((3, 4))
    for coords, dims, message in [
        ({"y": [0, 1, 2]}, ("y", "x"), "^heights: their dimension 'x' has no coordinates"),
        ({"y": [0, 1, 3], "x": range(4)}, ("y", "x"), "^heights: the coordinates along 'y' have uneven steps, 1.0 after 0.0"),
        ({"y": [0, np.nan, 2], "x": range(4)}, ("y", "x"), "^heights: the coordinates along 'y' have uneven steps"),
        ({"x": range(3), "y": range(4)}, ("x", "y"), "^heights: .*rows come first"),
        ({"y": [1, 1, 1], "x": range(4)}, ("y", "x"), "^transform: it is .*gives pixels no size"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            sky_view(xarray.DataArray(heights, coords=coords, dims=dims))
    with pytest.raises(ValueError, match="^transform: none was expected"):
        sky_view(xarray.DataArray(heights, coords={"y": range(3), "x": range(4)}, dims=("y", "x")), gdal())
    with pytest.raises(ValueError, match=r"^heights: their shape is \(1, 3, 4\); \(rows, columns\)"):
        sky_view(xarray.DataArray(heights[None], dims=("band", "y", "x")))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda h: sky_view(h), ValueError, "^transform: none is given"),
        (lambda h: sky_view(h, (0, 1, 0, 0, 0)), ValueError, "^transform: it is .*six numbers of GDAL or an Affine"),
        (lambda h: sky_view(h, (0, 1, 0.5, 0, 0, -1)), ValueError, "^transform: it is rotated"),
        (lambda h: sky_view(h, (1, 0, 500, 0, -1, 600)), ValueError, "^transform: .*; the order of GDAL was"),
        (lambda h: sky_view(h, (0, 0, 0, 0, 0, -1)), ValueError, "^transform: it is .*gives pixels no size"),
        (lambda h: sky_view(h[0], gdal()), ValueError, r"^heights: their shape is \(15,\); \(rows, columns\)"),
        (lambda h: sky_view(h[:1], gdal()), ValueError, "^rows: they are 1; there must be two at least"),
        (lambda h: sky_view(h > 0, gdal()), TypeError, "^heights: their dtype is bool; numbers were expected"),
        (lambda h: sky_view(h * np.inf, gdal()), ValueError, "^heights: they hold -?inf in row 0, column 0; "),
        (lambda h: sky_view(h, gdal(), azimuths=0), ValueError, "^azimuths: they are 0; a number from 1 to 36000"),
        (lambda h: sky_view(h, gdal(), plane="tilted"), ValueError, '^plane: it is "tilted"; "horizontal" or'),
        (lambda h: sky_view(h, gdal(), tolerance=0), ValueError, "^tolerance: it is 0; it must be from 0.001"),
        (lambda h: sky_view(h, gdal(), threads=0), ValueError, "^threads: "),
        (lambda h: horizon(h, gdal(), azimuths=[[0.0]]), ValueError, r"^azimuths: their shape is \(1, 1\); \(n,\)"),
        (lambda h: horizon(h, gdal(), azimuths=[np.nan]), ValueError, "^azimuth: it is NaN; it must be finite"),
        (lambda h: horizon(h, gdal(), height=-1), ValueError, "^height: it is -1; it must be from 0"),
        (lambda h: horizon(h, gdal(), max_distance=-1), ValueError, "^max_distance: it is -1; "),
        (lambda h: viewshed(h, [0.0, 1], gdal()), ValueError, r"^observers: their shape is \(2,\); \(n, 2\) or"),
        (lambda h: viewshed(h, [[0, 0]] * 33, gdal(), bits=True), ValueError, "^observers: they are 33; a pixel has bits"),
        (lambda h: viewshed(h, [[0, 0]], gdal(), invalid="drop"), ValueError, "^invalid: it is 'drop'; "),
        (lambda h: viewshed(h, [[0, 0]], gdal(), observer_height=-2), ValueError, "^observer_height: it is -2; "),
        (lambda h: sun_hours(h, gdal(), **{**DAY, "start": "soon"}), ValueError, "^start: 'soon' is no time"),
        (lambda h: sun_hours(h, gdal(), **{**DAY, "end": ["2026-12-21"]}), ValueError, r"^end: its shape is \(1,\)"),
        (lambda h: sun_hours(h, gdal(), **{**DAY, "end": "2026-12-20"}), ValueError, "^end: .* is not after the start"),
        (lambda h: sun_hours(h, gdal(), **{**DAY, "end": DAY["start"]}), ValueError, "^end: .* is not after the start"),
        (lambda h: horizon(h, gdal(), azimuth=12), TypeError, '^there is no argument "azimuth" of horizon; .*"azimuths"'),
        (lambda h: sun_hours(h, gdal(), step=5, **DAY), TypeError, "^step: it is 5; a timedelta was expected"),
        (lambda h: sun_hours(h, gdal(), step=np.timedelta64(0, "s"), **DAY), ValueError, "^step: it is 0.0 seconds"),
        (lambda h: sun_hours(h, gdal(), **{**DAY, "latitude": 99}), ValueError, "^latitude: it is 99"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call(hills())


def test_progress_is_that_of_rays_and_raises_through():
    told = []
    heights = np.tile(hills(), (30, 30))
    sky_view(heights, gdal(), azimuths=4, progress=lambda *of: told.append(of))
    rays = 4 * 14 * int((~np.isnan(heights)).sum())
    assert told[-1] == (rays, rays) and all(total == rays for _, total in told)

    def stop(done, total):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        sky_view(heights, gdal(), progress=stop)


def test_examples_hold():
    for function in horizon, sky_view, sun_hours, viewshed:
        hold_examples("lanecast.terrain", lanecast.terrain, function)
