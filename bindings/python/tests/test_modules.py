"""Modules import each other in one direction."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("pattern", "root", "imported"),
    [
        ("src/*.rs", "lib", r"\bcrate::(\w+)"),
        ("python/lanecast/*.py", "__init__", r"^ *from \.(\w+) import"),
    ],
    ids=["Rust", "Python"],
)
def test_no_modules_import_each_other(pattern, root, imported):
    imports = {}
    for path in PACKAGE.glob(pattern):
        code = re.sub("//.*", "", path.read_text(encoding="utf-8"))
        if path.stem != root:
            imports[path.stem] = set(re.findall(imported, code, re.MULTILINE)) - {path.stem}
    assert len(imports) > 10 and sum(map(len, imports.values())) > 20
    while ready := [name for name, needed in imports.items() if not needed & imports.keys()]:
        for name in ready:
            del imports[name]
    assert not imports
