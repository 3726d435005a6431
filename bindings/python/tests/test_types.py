"""What type checkers make of uses of the package, and that the stubs are those of the compiled part."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a cache that all share."""
    return tmp_path_factory.mktemp("types")


@pytest.mark.parametrize(
    "command",
    [
        ["mypy", "--strict", "--no-error-summary", str(Path(__file__).with_name("usage.py"))],
        ["mypy", "--strict", "--no-error-summary", "-p", "lanecast"],
        ["mypy.stubtest", "lanecast._lanecast"],
    ],
    ids=["uses", "package", "stubs"],
)
def test_types_are_right(command, folder):
    found = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=folder)
    assert found.returncode == 0, found.stdout + found.stderr


def test_wrong_uses_are_found(folder):
    wrong = folder / "wrong.py"
    wrong.write_text(
        "import lanecast\n"
        "scene = lanecast.Scene([[0, 0, 0]], [])\n"
        "scene.closest_hit([], culling='both')\n"
        "scene.any_hit([], normals=True)\n"
        "lanecast.Scene.build([1])\n"
        "lanecast.Scene.from_mesh(1.5)\n"
    )
    found = subprocess.run([sys.executable, "-m", "mypy", wrong], capture_output=True, text=True, cwd=folder)
    assert [line.split(":")[1] for line in found.stdout.splitlines() if ": error:" in line] == [
        "3",
        "4",
        "5",
        "6",
    ], found.stdout
