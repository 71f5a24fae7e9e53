#!/bin/sh
# What cargo runs as RUSTC_WORKSPACE_WRAPPER: the compiler, and for the crates whose paths
# the fuzzer is to find, the libraries and the targets, its coverage counters. Dependencies
# stay as every other build has them. The flags are cargo-fuzz's, and work on stable Rust.
case " $* " in
*" --crate-name build_script_build "*) exec "$@" ;;
esac
case "${CARGO_PKG_NAME:-}" in
dialog2api | dialog2api-core | s3-world | dialog2api-fuzz)
    exec "$@" --cfg fuzzing -Copt-level=1 -Cdebug-assertions -Ccodegen-units=16 \
        -Cpasses=sancov-module \
        -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
        -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares
    ;;
*) exec "$@" ;;
esac
