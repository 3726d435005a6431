#!/usr/bin/env bash
# Makes a module that has these functions and what they need: link.sh MODULE FUNCTION... CARGO_FLAGS are for cargo, such as
# `--no-default-features` for a module without f64, and RUSTC_FLAGS for rustc, such as `--cfg=lanecast_small`.
set -euo pipefail
package=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
module=$1
shift
target=wasm32-unknown-unknown
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=+simd128 ${RUSTC_FLAGS-}"
# shellcheck disable=SC2086 # several words
cargo rustc --quiet --manifest-path "$package/Cargo.toml" --profile packaged --target "$target" --crate-type staticlib \
    ${CARGO_FLAGS-}
folder=$(cargo metadata --manifest-path "$package/Cargo.toml" --no-deps --format-version 1 |
    sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
sysroot=$(rustc --print sysroot)
host=$(rustc -vV | sed -n 's/^host: //p')
# As rustc links; the table is for functions of the page, such as filters and progress.
"$sysroot/lib/rustlib/$host/bin/rust-lld" -flavor wasm --no-entry --gc-sections --strip-all -O3 --stack-first \
    -z stack-size=1048576 --export-table --growable-table "${@/#/--export=}" \
    "$folder/$target/packaged/liblanecast_wasm.a" -o "$module"
