#!/bin/sh
# seal.sh - turns a shared object into an extension that DuckDB loads: bindings/duckdb/seal.sh MODULE VERSION OUT
#
# DuckDB expects 512 bytes at the end: eight fields of 32 bytes, the last one first, and room for a signature, which is
# empty here. The fields are 4 (a magic number), the platform, the version of the C API, the version of the extension,
# and how it is linked.
set -eu

platform() {
    case $(uname -s) in Linux) system=linux ;; Darwin) system=osx ;; *) system=unknown ;; esac
    case $(uname -m) in x86_64) machine=amd64 ;; aarch64 | arm64) machine=arm64 ;; *) machine=$(uname -m) ;; esac
    echo "${system}_$machine"
}

zeros() { head -c "$1" /dev/zero; }

field() {
    printf '%s' "$1"
    zeros $((32 - ${#1}))
}

{
    cat "$1"
    zeros 96
    field C_STRUCT
    field "v$2"
    field v1.2.0
    field "$(platform)"
    field 4
    zeros 256
} >"$3.part"
mv "$3.part" "$3"
