"""Runs suites that were written for Embree with Embree, with lanecast in its place, and with both on each ray.

    python3 run.py target/release/deps/liblanecast_c.so

Makes a virtual environment with the versions of requirements.txt, compiles embree.cpp and both.cpp, and prints a table of all
tests that cast rays. Fails if a test fails with lanecast, or a ray has another answer, that `LEFT_OUT` does not name.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent

# The tests of trimesh that cast rays, by their files: all of a file, or those that are named.
OF_TRIMESH = {
    "ray": [],
    "ray_upstream": [],
    "bounds": ["BoundsTest::test_bounding_egg"],
    "extrude": ["test_extrusion"],
    "mesh": ["test_meshes"],
    "mutate": [f"MutateTests::test_not_mutated_{mesh}" for mesh in ("bunny", "cube", "teapot", "torus")],
    "primitives": ["test_cyl_buffer"],
    "proximity": ["NearestTest::test_coplanar_signed_distance"],
    "remesh": ["SubDivideTest::test_loop_correct"],
    "sample": ["SampleTest::test_sample_volume"],
    "thickness": ["ThicknessTest"],
    "util": ["ContainsTest::test_inside"],
    "voxel": ["VoxelGridTest::test_local"],
}

# Tests that fail with Embree as well, and why.
LEFT_OUT = {}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def compiled(library, embree, folder):
    """The two libraries in the place of Embree, beside lanecast's, each with the name by which embreex looks for Embree."""
    shutil.copy(library, folder / "liblanecast.so.0.1")
    libraries = {}
    for way, source, links in (
        ("lanecast", "embree.cpp", [folder / "liblanecast.so.0.1", f"-Wl,-rpath,{folder}"]),
        ("both", "both.cpp", ["-ldl"]),
    ):
        libraries[way] = folder / way / embree.name
        libraries[way].parent.mkdir()
        flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC", "-Wl,-z,defs"]
        compiler = os.environ.get("CXX", "c++")
        soname = f"-Wl,-soname,{embree.name}"
        include = HERE.parents[1] / "include"
        run(compiler, *flags, soname, "-I", include, HERE / source, *links, "-o", libraries[way])
    return libraries


def of_trimesh(python, checkout, folder):
    """Tests of trimesh, as arguments of pytest."""
    # Away from the package beside them, so that they test the installed one.
    tests = folder / "trimesh" / "tests"
    if checkout:
        for part in ("tests", "models"):
            shutil.copytree(checkout / part, folder / "trimesh" / part)
    else:
        (wanted,) = (line for line in (HERE / "requirements.txt").read_text().split() if line.startswith("trimesh=="))
        options = ["--quiet", "--no-deps", "--no-binary", "trimesh", "--dest", folder]
        run(python, "-m", "pip", "download", *options, wanted)
        (path,) = folder.glob("trimesh-*.tar.gz")
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
        shutil.copytree(folder / path.name.removesuffix(".tar.gz") / "tests", tests)
        shutil.copy(HERE / "generic.py", tests)
    for name, of_file in OF_TRIMESH.items():
        file = tests / f"test_{name}.py"
        for test in of_file:
            of_class, _, plain = test.rpartition("::")
            # Some versions have a class around it.
            yield f"{file}::{test if f'class {of_class}(' in file.read_text() else plain}"
        if not of_file:
            yield file


def outcomes(way, python, embree, libraries, tests, folder):
    """For each test: its outcome, the reason of it, and three numbers of rays."""
    written = folder / f"{way}.json"
    environment = {**os.environ, "WAY": way, "OUTCOMES": str(written), "PYTHONPATH": str(HERE)}
    environment.update(EMBREE=str(embree), LANECAST=str(libraries["lanecast"]), DIFFERENCES=str(folder / "differences"))
    if way in libraries:
        # embreex looks in its own folder before $LD_LIBRARY_PATH.
        environment["LD_PRELOAD"] = str(libraries[way])
    pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "counted", "--rootdir", folder]
    print(f"-- {way}", flush=True)
    # Failures are in the outcomes.
    status = subprocess.run([str(part) for part in [*pytest, *tests]], env=environment, cwd=folder).returncode
    if status not in (0, 1):
        sys.exit(f"{way}: pytest ended with {status}")
    return json.loads(written.read_text())


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("library", type=Path, help="lanecast's shared library")
    arguments.add_argument("--environment", type=Path, help="where the virtual environment is kept, for the next time")
    arguments.add_argument("--trimesh", type=Path, help="a checkout of trimesh, whose tests have their meshes")
    arguments.add_argument("--embreex", type=Path, help="a checkout of embreex, whose tests are in no distribution")
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        environment = (arguments.environment or folder / "python").resolve()
        venv.create(environment, with_pip=True)
        python = environment / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--requirement", HERE / "requirements.txt")
        (embree,) = environment.glob("lib/python*/site-packages/embreex.libs/libembree4*")
        libraries = compiled(arguments.library, embree, folder)
        tests = list(of_trimesh(python, arguments.trimesh, folder))
        if arguments.embreex:
            shutil.copytree(arguments.embreex / "tests", folder / "embreex" / "tests")
            tests.append(folder / "embreex" / "tests" / "test_intersection.py")
        ways = {
            way: outcomes(way, python, embree, libraries, tests, folder) for way in ("Embree", "lanecast", "both")
        }
        differences = folder / "differences"
        if differences.exists():
            print(differences.read_text(), end="")
        sys.exit(report(ways))


def report(ways):
    """Prints the table, and returns 1 if anything is wrong."""
    wrong, rows, passed, cast = [], [], set(), set()
    for test, of_lanecast in ways["lanecast"].items():
        of_embree, of_both = ways["Embree"][test], ways["both"][test]
        file, _, name = test.replace("/tests/test_", " ").partition(".py::")
        name = f"{file} {name.replace('::', ' ')}"
        rays, ties, others = of_lanecast["rays"][0], *of_both["rays"][1:]
        if of_lanecast["outcome"] == "passed":
            passed.add(file)
        if rays:
            cast.add(file)
        if rays or of_lanecast["outcome"] != "passed":
            rows.append([name, of_embree["outcome"], of_lanecast["outcome"], rays, ties, others])
        if name in LEFT_OUT:
            if of_embree["outcome"] != "failed":
                wrong.append(f"{name} is left out, and {of_embree['outcome']} with Embree")
            continue
        for way, outcome in (("Embree", of_embree), ("lanecast", of_lanecast), ("both", of_both)):
            if outcome["outcome"] == "failed":
                wrong.append(f"{name} failed with {way}:\n{outcome['why']}")
        if of_embree["outcome"] != of_lanecast["outcome"]:
            wrong.append(f"{name}: {of_embree['outcome']} with Embree, {of_lanecast['outcome']} with lanecast")
        if others:
            wrong.append(f"{name}: {others} rays with other answers")
    wrong += [f"{file}: no ray was cast" for file in sorted(passed - cast)]
    if not passed:
        wrong.append("no test passed")
    total = [sum(row[column] for row in rows) for column in (3, 4, 5)]
    print("\n| test | Embree | lanecast | rays | ties | other answers |\n|---|---|---|---|---|---|")
    for row in [*rows, ["all", "", "", *total]]:
        print("|", " | ".join(str(cell) for cell in row), "|")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    main()
