"""The examples of the guide, short, and its walks: each makes its picture, and all code fits its column."""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs/guide"
EXAMPLES = sorted((GUIDE / "examples").glob("*.py"))
WALKS = sorted((GUIDE / "walks").glob("*.md"))
FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


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
    look_at(picture)


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.stem)
def test_walk_runs_as_its_page_says(walk, tmp_path):
    (tmp_path / "data").symlink_to(ROOT / "data")
    page = walk.read_text()
    assert f"../pictures/{walk.stem}.png" in page
    programs = [str(ROOT / "target/release"), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(programs)}
    for commands in (text for language, text in FENCED.findall(page) if language == "sh"):
        if "lanecast " in commands and not (ROOT / "target/release/lanecast").exists():
            pytest.skip("cargo build --release has not made the program")
        subprocess.run(["sh", "-ec", commands], cwd=tmp_path, env=environment, check=True)
    subprocess.run([sys.executable, ROOT / "docs/walk.py", walk], cwd=tmp_path, check=True)
    look_at(tmp_path / f"{walk.stem}.png")


def test_code_fits_its_column():
    pages = [page for page in GUIDE.rglob("*.md") if FENCED.search(page.read_text())]
    assert len(pages) > 5
    shown = {page: "".join(text for _, text in FENCED.findall(page.read_text())) for page in pages}
    shown |= {script: script.read_text() for script in GUIDE.rglob("*.py")}
    wide = [(path.name, line) for path in shown for line in shown[path].splitlines() if len(line) > 80]
    assert wide == []


def look_at(picture):
    header = picture.read_bytes()[:24]
    width, height = struct.unpack(">II", header[16:])
    assert header[:8] == b"\x89PNG\r\n\x1a\n" and width >= 600 and height >= 500
    # A picture of one colour would be some kilobytes.
    assert picture.stat().st_size > 30_000
