#!/usr/bin/env bash
# The programs in C and C++ under AddressSanitizer, UndefinedBehaviorSanitizer, ThreadSanitizer and valgrind. First beside the
# library that users have, of which the sanitizers see what it allocates and what C reads and writes; then beside libraries that
# are instrumented themselves. Rust has no UndefinedBehaviorSanitizer. Needs gcc, clang with its runtime libraries, valgrind, and
# rustup for a nightly Rust.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

nightly=${LANECAST_NIGHTLY:-nightly}
target=$(rustc -vV | sed -n 's/^host: //p')
for tool in gcc g++ clang clang++ valgrind; do
    command -v "$tool" >/dev/null || { printf '%s is needed\n' "$tool" >&2; exit 1; }
done
rustup component list --toolchain "$nightly" 2>/dev/null | grep -q '^rust-src (installed)' ||
    rustup toolchain install "$nightly" --profile minimal --component rust-src

programs() {
    printf '\n== %s\n' "$1"
    shift
    env "$@" cargo test --release --workspace --test c -- programs_run
}

# A library that is instrumented, with its standard library.
instrumented() {
    RUSTFLAGS="-Zsanitizer=$1 -Cforce-frame-pointers=yes" cargo "+$nightly" rustc -Zbuild-std --release \
        --package lanecast-c --lib --crate-type cdylib,staticlib --target "$target" --target-dir "target/sanitizers/$1"
    libraries="target/sanitizers/$1/$target/release"
}

# What is wrong ends the program, with a trace.
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
checked='-g -fno-omit-frame-pointer -fno-sanitize-recover=all'

programs 'address and undefined behaviour, of programs' "LANECAST_C_FLAGS=$checked -fsanitize=address,undefined"
instrumented address
programs 'address, of the library too' "LANECAST_C_FLAGS=$checked -fsanitize=address" 'LANECAST_C_COMPILERS=clang clang++' \
    "LANECAST_C_LIBRARIES=$PWD/$libraries"
instrumented thread
# On Rust's own runtime, as an older clang's lacks functions that the library calls.
runtime=$(rustc "+$nightly" --print target-libdir)/librustc-nightly_rt.tsan.a
link="-fno-sanitize-link-runtime -rdynamic -Wl,--whole-archive $runtime -Wl,--no-whole-archive -lstdc++ -lrt -lresolv"
programs 'threads, of the library too' "LANECAST_C_FLAGS=$checked -fsanitize=thread $link" 'LANECAST_C_COMPILERS=clang clang++' \
    "LANECAST_C_LIBRARIES=$PWD/$libraries"
programs 'valgrind' 'LANECAST_C_FLAGS=-g' 'LANECAST_C_COMPILERS=gcc g++' \
    'LANECAST_C_RUNNER=valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect'
