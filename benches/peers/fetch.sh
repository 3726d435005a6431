#!/bin/sh
# Fetches Embree 4.4 for `lanecast-peers scenes` into benches/peers/fetched (ignored by git): the library
# and its thread library out of the wheel embreex 4.4.0.post1 on PyPI, for 64-bit x86 Linux.
# Needs python3 with pip. What is already there is left alone.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
package=embreex==4.4.0.post1

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

if ls "$here"/fetched/libembree4* >/dev/null 2>&1; then
    echo "$here/fetched: Embree is already there"
    exit 0
fi
command -v python3 >/dev/null || fail "python3 is missing; it fetches and unpacks the wheel"
python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing; it fetches the wheel $package"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# The libraries are the same for every version of Python; one whose wheels exist is named.
python3 -m pip download --quiet --no-deps --only-binary :all: --python-version 3.11 \
    --implementation cp --platform manylinux_2_28_x86_64 --dest "$work" "$package" ||
    fail "pip could not fetch $package"
mkdir -p "$here/fetched"
python3 - "$work" "$here/fetched" <<'UNPACK'
import pathlib, sys, zipfile
work, target = map(pathlib.Path, sys.argv[1:])
[wheel] = work.glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if ".libs/" in name and not name.endswith("/"):
            (target / pathlib.PurePath(name).name).write_bytes(archive.read(name))
            print(target / pathlib.PurePath(name).name)
UNPACK
cat <<'ORIGIN'

Embree is by Intel and its contributors, licensed under Apache 2.0; the wheel is
that of trimesh's embreex. The libraries are fetched and not shipped.
ORIGIN
