"""Runs the tests of trimesh and Open3D on lanecast in the place of embreex, trimesh's proximity queries and Open3D's
RaycastingScene.

    python foreign.py trimesh                      # those in the source distribution of the installed trimesh
    python foreign.py trimesh --checkout trimesh   # those of a clone, with the meshes they read
    python foreign.py open3d --checkout Open3D     # those of a clone; the package open3d makes the tensors
    python foreign.py trimesh --checkout trimesh --as-it-is    # without lanecast, to tell whose a failure is

Nothing is copied into this repository.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest

# Files of trimesh with a test that casts rays or asks what is near or inside.
OF_TRIMESH = ["ray", "ray_upstream", "mesh", "mutate", "primitives", "proximity", "registration", "remesh"]
OF_TRIMESH += ["sample", "thickness", "util", "creation", "extrude", "inertia", "voxel"]

# In the place of the module that trimesh's tests share, which a source distribution lacks.
SHARED = Path(__file__).parents[2] / "c" / "tests" / "embree" / "generic.py"


def of_distribution(folder):
    """The folder with the tests of the installed trimesh, from the package registry."""
    from importlib.metadata import version

    wanted = [f"trimesh=={version('trimesh')}", "--no-deps", "--no-binary", "trimesh", "--dest", folder]
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *wanted], check=True)
    (path,) = Path(folder).glob("trimesh-*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    tests = Path(folder, path.name[: -len(".tar.gz")], "tests")
    shutil.copy(SHARED, tests)
    # Away from the package beside them, so that they test the installed one.
    return shutil.move(tests, Path(folder, "tests"))


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("suite", choices=["trimesh", "open3d"])
    arguments.add_argument("--checkout", type=Path, help="a clone of the suite's repository")
    arguments.add_argument("--as-it-is", action="store_true", help="run them without lanecast")
    arguments, options = arguments.parse_known_args()
    if arguments.checkout and arguments.suite == "trimesh":
        # Its tests are of its own version.
        sys.path.insert(0, str(arguments.checkout))
    if not arguments.as_it_is:
        import lanecast.open3d
        import lanecast.trimesh
    with tempfile.TemporaryDirectory() as folder:
        if arguments.suite == "open3d":
            if arguments.checkout is None:
                sys.exit("open3d: its wheels have no tests; --checkout names a clone of its repository")
            import open3d

            if not arguments.as_it_is:
                open3d.t.geometry.RaycastingScene = lanecast.open3d.RaycastingScene
            tests = arguments.checkout / "python" / "test"
            sys.path.append(str(tests))
            files = [tests / "t" / "geometry" / "test_raycasting_scene.py"]
        else:
            if not arguments.as_it_is:
                lanecast.trimesh.use_everywhere()
            tests = arguments.checkout / "tests" if arguments.checkout else of_distribution(folder)
            files = [tests / f"test_{name}.py" for name in OF_TRIMESH]
        files = [str(file) for file in files]
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", folder, *files, *options]))


if __name__ == "__main__":
    main()
