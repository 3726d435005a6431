#!/usr/bin/env bash
# Makes `target/try`: the page and all that it loads, for any server of static files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
out=../../target/try
../../bindings/wasm/build.sh
[[ -d node_modules/esbuild ]] || npm ci --no-audit --no-fund
npx tsc
rm -rf "$out"
mkdir -p "$out"
bundle() {
    npx esbuild "$@" --bundle --minify --splitting --format=esm --target=es2022 --external:node:* --log-level=warning \
        --outdir="$out" --entry-names='[name]' --chunk-names='[name]-[hash]'
}
bundle ts/main.ts ts/worker/worker.ts
# By itself, so that no page loads what the other one needs.
bundle ts/bench.ts ts/bench-worker.ts
mv "$out/main.js" "$out/try.js"
cp index.html bench.html style.css icon.svg ../../bindings/wasm/dist/meshes.wasm "$out"
# What the page calls, of f32; files that need f64 bring the whole engine. A third of the compiler's own limit for inlining, which kernels
# ignore, leaves 0.93 of the code, as fast.
functions=(allocate release keep_panic panic last_error triangles geometry_free build scene_free scene_get_facts
    closest_hit any_hit distance signed_distance lidar maker_count make_rays maker_free sun_direction)
CARGO_FLAGS=--no-default-features RUSTC_FLAGS='--cfg=lanecast_small -Cllvm-args=-inline-threshold=75' \
    ../../bindings/wasm/link.sh "$out/lanecast.wasm" "${functions[@]/#/lanecast_}"
cp ../../bindings/wasm/dist/lanecast.wasm "$out/lanecast-f64.wasm"
node heights.mjs ../../data/jacksboro.ply "$out"
gzip -9nc ../../data/gyroid.ply >"$out/gyroid.ply.gz"
