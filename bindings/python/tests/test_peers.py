"""`benches/peers.py` and `benches/proximity.py` run, on few rays and points."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]


def test_the_measurement_beside_peers_runs():
    mesh = FOLDER.parents[1] / "data" / "gyroid.ply"
    arguments = [mesh, "--rays", "400", "--rounds", "1", "--kinds", "camera,random,edges"]
    program = [sys.executable, FOLDER / "benches" / "peers.py", *arguments]
    said = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert said.count("| lanecast.trimesh |") == said.count("| lanecast.open3d |") == 6
    (odd,) = re.findall("an odd number of crossings.*", said)
    assert "lanecast.trimesh 0," in odd and re.search(r"lanecast\.open3d 0\b", odd)


def test_the_measurement_beside_proximity_queries_runs():
    for needed in "trimesh", "rtree", "scipy":
        pytest.importorskip(needed)
    program = [sys.executable, FOLDER / "benches" / "proximity.py", "--points", "100", "--rounds", "1"]
    said = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert len(re.findall(r"\| \d+\.\d \|$", said, re.MULTILINE)) == 4
