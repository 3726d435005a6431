"""Writes the licences of all that is linked into the program and the libraries: what cargo-about says as JSON on standard input,
beside lanecast's own packages, with the notices that lie in packages, and with what is no package."""

import json
import sys
from pathlib import Path

HEAD = """\
What is linked into the program lanecast and the libraries for Python, C and JavaScript, beside lanecast itself and the standard
library of Rust (MIT or Apache-2.0), with the licences under which it is used.
"""

found = json.load(sys.stdin)
own = {package["package"]["id"] for package in found["crates"] if package["package"]["source"] is None}
folders = {
    package["package"]["name"]: Path(package["package"]["manifest_path"]).parent for package in found["crates"]
}
sections = []
for licence in found["licenses"]:
    packages = [used["crate"] for used in licence["used_by"] if used["crate"]["id"] not in own]
    names = [" ".join(filter(None, (it["name"], it["version"], it["repository"]))) for it in packages]
    if names:
        sections.append((licence["name"], names, licence["text"]))
notices = {}
for name, folder in folders.items():
    for notice in sorted(folder.glob("NOTICE*")):
        notices.setdefault(notice.read_text(encoding="utf-8"), []).append(name)
sections += [("Notices", names, text) for text, names in notices.items()]
sections += [
    ("BSD License", ["Zstandard, a library of C, https://github.com/facebook/zstd"], (folders["zstd-sys"] / "zstd/LICENSE").read_text()),
    (
        "Bitstream Vera Fonts, Arev Fonts",
        ["a part of DejaVu Sans, in pictures of the program, https://dejavu-fonts.github.io"],
        Path("crates/cli/font/LICENSE-DejaVu.txt").read_text(encoding="utf-8"),
    ),
    (
        "MIT License",
        ["musl, in the program for Linux, https://musl.libc.org"],
        (Path(__file__).parent / "musl-licence.txt").read_text(encoding="utf-8"),
    ),
]
print(HEAD)
for title, names, text in sections:
    print("=" * 80, title, "", *(f"    {name}" for name in names), "", text.strip("\n"), "", sep="\n")
