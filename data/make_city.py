#!/usr/bin/env python3
"""Makes made/city.asc: the heights of a made-up city of 600 by 500 m, a value for each square of 2 m, as an ESRI ASCII grid.

    python3 data/make_city.py

Blocks of houses along streets, taller towards the middle, on ground that rises to the north-east by 2 %. Needs numpy.
"""

import pathlib

import numpy as np

TARGET = pathlib.Path(__file__).with_name("made") / "city.asc"

CELL = 2.0
COLUMNS, ROWS = 300, 250
BLOCK = 60.0
STREET = 16.0


def heights():
    random = np.random.default_rng(1)
    x, y = np.meshgrid(CELL * (np.arange(COLUMNS) + 0.5), CELL * (np.arange(ROWS) + 0.5))
    height = 0.02 * (x + y) / 2
    ground = height.copy()
    for west in np.arange(STREET / 2, x.max() - BLOCK / 2, BLOCK):
        for south in np.arange(STREET / 2, y.max() - BLOCK / 2, BLOCK):
            side = BLOCK - STREET
            middle = np.hypot(west + side / 2 - 300, south + side / 2 - 250)
            if random.random() < 0.12:
                continue  # a park
            for dx in (0, side / 2):
                for dy in (0, side / 2):
                    storeys = random.integers(2, 7)
                    if middle < 140 and random.random() < 0.3:
                        storeys = random.integers(12, 30)
                    within = (x >= west + dx) & (x < west + dx + side / 2)
                    within &= (y >= south + dy) & (y < south + dy + side / 2)
                    if storeys < 7:  # a yard behind
                        within &= np.hypot(x - west - side / 2, y - south - side / 2) > side / 4
                    height[within] = ground[within].mean() + 3.2 * storeys
    return height[::-1]  # the first row is the northern one


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    header = [f"ncols {COLUMNS}", f"nrows {ROWS}", "xllcorner 0", "yllcorner 0", f"cellsize {CELL}"]
    np.savetxt(TARGET, heights(), fmt="%.2f", header="\n".join(header), comments="")
    print(TARGET)
