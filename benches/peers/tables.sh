#!/bin/sh
# Measures the tables of scenes, on one thread and on all, and of growth anew, from a fresh clone on: fetches the dragon
# and the peers, builds, and leaves tables, JSON, CSV and charts of the scenes in a folder. It takes about an hour and
# wants a machine that does nothing else; the scene of ten million triangles, with a tree for each mode of Embree, took
# 11 GB.
#
#     sh benches/peers/tables.sh [FOLDER]         # benches/peers/tables unless said otherwise
#
# What the environment may change, and how much it is by itself:
#     SECONDS_A_CELL=0.2          seconds of rounds for each cell; five rounds at least
#     ROWS=256                    rows of 1,024 rays in a set
#     MOST_TRIANGLES=50000000     the largest terrain of growth
#     MOST_RAYS=100000000         the longest batch of growth
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
into=${1:-"$here/tables"}
mkdir -p "$into"
into=$(CDPATH= cd -- "$into" && pwd)
seconds=${SECONDS_A_CELL:-0.2}
rows=${ROWS:-256}

sh "$here/../../data/fetch.sh"
sh "$here/fetch.sh"
cd "$here"
cargo build --release

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkfifo "$work/printed"

# Shows what a command prints and keeps it under a name; not in a pipeline, which would hide that the command failed.
table() {
    name=$1
    shift
    tee "$into/$name.md" <"$work/printed" &
    target/release/lanecast-peers "$@" --seconds "$seconds" --rows "$rows" --json "$into/$name.json" \
        --csv "$into/$name.csv" >"$work/printed"
    wait
}

{
    date -u +%Y-%m-%d
    uname -srm
    grep -m 1 'model name' /proc/cpuinfo || true
} >"$into/machine.txt"
for set in users large; do
    table "$set" scenes --table "$set" --chart "$into/$set.svg"
done
widest=avx2
if grep -q -m 1 avx512vl /proc/cpuinfo; then widest=avx512; fi
table threads scenes --table users,large --threads "$(getconf _NPROCESSORS_ONLN)" --contestants "lanecast $widest,embree" --isa $widest \
    --no-robust --no-builds
table growth growth --most-triangles "${MOST_TRIANGLES:-50000000}" --most-rays "${MOST_RAYS:-100000000}"
