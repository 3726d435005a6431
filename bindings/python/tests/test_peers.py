"""`benches/peers.py` runs, on few rays."""

import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1]


def test_the_measurement_beside_peers_runs():
    mesh = FOLDER.parents[1] / "data" / "gyroid.ply"
    arguments = [mesh, "--rays", "400", "--rounds", "1", "--kinds", "camera,random,edges"]
    program = [sys.executable, FOLDER / "benches" / "peers.py", *arguments]
    said = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert said.count("| lanecast.trimesh |") == said.count("| lanecast.open3d |") == 6
    (odd,) = re.findall("an odd number of crossings.*", said)
    assert "lanecast.trimesh 0," in odd and re.search(r"lanecast\.open3d 0\b", odd)
