#!/usr/bin/env python3
"""Makes the parts of a warehouse: made/hall.ply, made/rack.ply and made/pallet.ply, of boxes, in metres.

    python3 data/make_warehouse.py

Each stands on z = 0, around x = y = 0: a hall of 40 by 30 m, a rack with three shelves, a pallet with cartons. Needs numpy.
"""

import pathlib

import numpy as np

from meshfile import write_ply

MADE = pathlib.Path(__file__).with_name("made")

CORNERS = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], "float64")
FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
TRIANGLES = np.array([part for a, b, c, d in FACES for part in ((a, b, c), (a, c, d))])

HALL = 40.0, 30.0, 7.0
LEVELS = 0.0, 1.8, 3.6


def box(low, high):
    return np.array(low) + CORNERS * (np.array(high) - np.array(low))


def hall():
    x, y, z = HALL
    columns = [
        box((i - 0.2, j - 0.2, 0), (i + 0.2, j + 0.2, z)) for i in (-10, 0, 10) for j in (-5.5, 5.5)
    ]
    return [box((-x / 2, -y / 2, 0), (x / 2, y / 2, z)), *columns]


def rack():
    posts = [
        box((x, y, 0), (x + 0.1, y + 0.1, 5.2)) for x in (-1.4, 1.3) for y in (-0.55, 0.45)
    ]
    beams = [
        box((-1.3, y, level - 0.12), (1.3, y + 0.06, level))
        for level in LEVELS[1:]
        for y in (-0.53, 0.47)
    ]
    decks = [box((-1.3, -0.5, level - 0.03), (1.3, 0.5, level)) for level in LEVELS[1:]]
    return posts + beams + decks


def pallet():
    boards = [box((-0.6, y, 0.1), (0.6, y + 0.15, 0.14)) for y in (-0.4, -0.075, 0.25)]
    blocks = [
        box((x, y, 0), (x + 0.15, y + 0.15, 0.1))
        for x in (-0.6, -0.075, 0.45)
        for y in (-0.4, -0.075, 0.25)
    ]
    random = np.random.default_rng(1)
    cartons = [
        box((x, y, 0.14 + 0.35 * level), (x + 0.38, y + 0.36, 0.14 + 0.35 * level + 0.34))
        for level in range(3)
        for x in (-0.59, -0.19, 0.21)
        for y in (-0.39, 0.01)
        if level < 2 or random.random() < 0.6
    ]
    return boards + blocks + cartons


def write(name, boxes):
    first = 8 * np.arange(len(boxes))[:, None, None]
    path = MADE / f"{name}.ply"
    write_ply(path, np.concatenate(boxes), (first + TRIANGLES).reshape(-1, 3))
    print(path)


if __name__ == "__main__":
    MADE.mkdir(exist_ok=True)
    for name, boxes in ("hall", hall()), ("rack", rack()), ("pallet", pallet()):
        write(name, boxes)
