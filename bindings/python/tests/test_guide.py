"""The examples of the guide: short, and each makes its picture."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "docs/guide/examples").glob("*.py"))


def test_every_example_is_shown_beside_its_picture():
    page = (ROOT / "docs/guide/pictures.md").read_text()
    assert len(EXAMPLES) == 5
    for example in EXAMPLES:
        assert f'--8<-- "{example.name}"' in page and f"pictures/{example.stem}.png" in page


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_example_of_25_lines_makes_a_picture(example, tmp_path):
    text = example.read_text()
    assert len(text.splitlines()) <= 25
    # Or else what is made of them is coarse where the scene is not.
    assert ".rays(" not in text.replace(".rays(scene.precision)", "").replace('.rays("float64")', "")
    picture = tmp_path / "picture.png"
    subprocess.run([sys.executable, example, picture], cwd=ROOT, check=True)
    header = picture.read_bytes()[:24]
    width, height = struct.unpack(">II", header[16:])
    assert header[:8] == b"\x89PNG\r\n\x1a\n" and width >= 600 and height >= 500
    # A picture of one colour would be some kilobytes.
    assert picture.stat().st_size > 30_000
