"""Makes the rasters of this folder, by GDAL: what crates/io/tests/files/rasters reads.

    pip install rasterio numpy && python3 data/rasters/make.py

The heights are whole numbers, shared with the test: h(row, column) = (37 row + 11 column) mod 101.
"""

import warnings
from pathlib import Path

import numpy as np
import rasterio
from rasterio.control import GroundControlPoint
from rasterio.shutil import copy
from rasterio.transform import Affine

FOLDER = Path(__file__).parent
ROWS, COLUMNS = 20, 37
HEIGHTS = np.fromfunction(lambda row, column: (37 * row + 11 * column) % 101, (ROWS, COLUMNS))
PLACE = Affine(2.5, 0, 500000.5, 0, -2.5, 5200000.25)
UTM = "EPSG:32633"


def write(name, values, transform=PLACE, crs=UTM, nodata=None, tags=None, **options):
    """Writes a band, or several. Holes are written as the value that means no data."""
    bands = values if values.ndim == 3 else values[None]
    profile = {"driver": "GTiff", "count": len(bands), "height": ROWS, "width": COLUMNS, "dtype": bands.dtype}
    if transform is not None:
        profile |= {"transform": transform}
    with rasterio.open(FOLDER / name, "w", crs=crs, nodata=nodata, **profile, **options) as file:
        file.write(bands)
        file.update_tags(**(tags or {}))


def holes(values, nodata):
    values = values.copy()
    values[2, 3:9] = nodata
    return values


def main():
    warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
    tiles = {"tiled": True, "blockxsize": 16, "blockysize": 16}
    f32, f64 = (HEIGHTS / 4).astype("f4"), HEIGHTS / 3
    write("lzw-tiles-f32.tif", holes(f32, -9999), nodata=-9999, compress="lzw", predictor=3, **tiles)
    i16 = holes(HEIGHTS.astype("i2"), -32768)
    write("deflate-strips-i16.tif", i16, nodata=-32768, compress="deflate", predictor=2)
    write("big-endian-f64.tif", f64, endianness="big", compress="lzw")
    write("bigtiff-tiles-u32.tif", (4e9 + HEIGHTS).astype("u4"), bigtiff="yes", compress="deflate", **tiles)
    write("point-i32.tif", (2e9 + HEIGHTS).astype("i4"), compress="packbits", tags={"AREA_OR_POINT": "Point"})
    write("rotated-u8.tif", HEIGHTS.astype("u1"), PLACE * Affine.rotation(30), compress="deflate")
    south_up = Affine(2.5, 0, 500000.5, 0, 2.5, 5200000.25)
    write("south-up-u16.tif", HEIGHTS.astype("u2"), south_up, compress="lzw")
    write("zstd-f64.tif", f64, compress="zstd", predictor=3, **tiles)
    write("i8.tif", (HEIGHTS - 50).astype("i1"), compress="lzw", predictor=2)
    degrees = Affine(0.25, 0, 15, 0, -0.25, 47)
    write("degrees-f32.tif", f32, degrees, "EPSG:4326", nodata=np.nan, compress="lzw")
    lowest = float(np.finfo("f4").min)
    write("lowest-f32.tif", holes(f32, lowest), nodata=lowest, compress="deflate")
    write("overview-f32.tif", f32, compress="deflate")
    with rasterio.open(FOLDER / "overview-f32.tif", "r+") as file:
        file.build_overviews([2, 4])
    # Tiles that hold no data are left out.
    first = np.where(np.arange(COLUMNS) < 16, f32, np.float32(-1))
    write("sparse-f32.tif", first, nodata=-1, compress="deflate", sparse_ok=True, **tiles)
    for name, values in {"area-i32.asc": HEIGHTS.astype("i4"), "area-f32.asc": holes(f32, -9999)}.items():
        write("source.tif", values, nodata=-9999)
        copy(FOLDER / "source.tif", FOLDER / name, driver="AAIGrid")
        (FOLDER / "source.tif").unlink()

    # What is refused.
    write("refused-bands.tif", np.stack([HEIGHTS.astype("u1")] * 2), compress="deflate")
    write("refused-scale.tif", HEIGHTS.astype("i2"), compress="deflate")
    with rasterio.open(FOLDER / "refused-scale.tif", "r+") as file:
        file.scales, file.offsets = (0.1,), (100,)
    write("refused-palette.tif", HEIGHTS.astype("u1"), compress="deflate", photometric="palette")
    write("refused-complex.tif", HEIGHTS.astype("c8"), compress="deflate")
    write("refused-nowhere.tif", HEIGHTS.astype("u1"), None, None, compress="deflate")
    write("refused-jpeg.tif", HEIGHTS.astype("u1"), compress="jpeg")
    corners = [(0, 0), (0, 9), (9, 0), (9, 9)]
    points = [GroundControlPoint(row, column, 5 * column, -5 * row) for row, column in corners]
    write("refused-points.tif", HEIGHTS.astype("u1"), None, UTM, compress="deflate", gcps=points)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        write("refused-mask.tif", HEIGHTS.astype("u1"), compress="deflate")
        with rasterio.open(FOLDER / "refused-mask.tif", "r+") as file:
            file.write_mask(HEIGHTS > 9)
    write("refused-digits.tif", (2**60 + HEIGHTS.astype("i8")), compress="deflate")
    write("refused-bits.tif", HEIGHTS.astype("u1"), compress="deflate", nbits=7)
    for left in [*FOLDER.glob("*.xml"), *FOLDER.glob("*.prj")]:
        left.unlink()


if __name__ == "__main__":
    main()
