"""A plugin of pytest: which library answers, and for each test the outcome and the rays, written to the file $OUTCOMES."""

import ctypes
import json
import os
from pathlib import Path

import embreex.rtcore_scene  # noqa: F401 - loads the library
import pytest

WAY = os.environ["WAY"]
LOADED = ctypes.CDLL(None)

outcomes = {}


def rays():
    """How many rays lanecast answered; of them, ties and those with another answer than Embree's."""
    if WAY == "lanecast":
        LOADED.lanecast_rays_cast.restype = ctypes.c_uint64
        return [LOADED.lanecast_rays_cast(), 0, 0]
    numbers = (ctypes.c_uint64 * 3)()
    if WAY == "both":
        LOADED.lanecast_rays_compared(numbers)
    return list(numbers)


def pytest_sessionstart():
    """Nothing runs if the library that is asked for is not the one that is loaded."""
    files = {line.split(maxsplit=5)[5] for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line}
    embree = {file for file in files if "embreex.libs/libembree4" in file}
    lanecast = {file for file in files if "/liblanecast.so" in file}
    # `both` loads them with the first device, and ends the program if one is missing.
    if WAY != "both" and (bool(embree), bool(lanecast)) != (WAY == "Embree", WAY == "lanecast"):
        pytest.exit(f"{WAY} is asked for, but loaded are: {sorted(embree | lanecast)}", returncode=3)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    before = rays()
    result = yield
    outcomes[item.nodeid]["rays"] = [after - number for after, number in zip(rays(), before)]
    return result


def pytest_runtest_logreport(report):
    outcome = outcomes.setdefault(report.nodeid, {"outcome": "passed", "why": ""})
    if report.outcome != "passed":
        reason = report.longrepr[2] if report.skipped else report.longreprtext
        outcome.update(outcome=report.outcome, why=reason.removeprefix("Skipped: "))


def pytest_sessionfinish():
    Path(os.environ["OUTCOMES"]).write_text(json.dumps(outcomes))
