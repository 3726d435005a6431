#!/usr/bin/env bash
# Makes `dist` of the npm package: the modules, and JavaScript and types of `ts`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
rustup target add wasm32-unknown-unknown
rm -rf dist
mkdir dist
common=(lanecast_allocate lanecast_release lanecast_keep_panic lanecast_panic)
meshes=(read refused count remarks need_f64 get free)
mapfile -t engine < <(sed -n 's/^  \(lanecast_[a-z0-9_]*\)(.*/\1/p' ts/abi.ts)
./link.sh dist/lanecast.wasm "${common[@]}" "${engine[@]}"
./link.sh dist/meshes.wasm "${common[@]}" "${meshes[@]/#/lanecast_meshes_}"
[[ -d node_modules/typescript ]] || npm ci --no-audit --no-fund
npx tsc
