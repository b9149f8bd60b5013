#!/bin/sh
# build.sh - compiles C files into one WebAssembly module without imports:
#
#     bindings/wasm/build.sh OUT [-DNAME] FILE...     bindings/wasm/CMakeLists.txt has the lists
#     bindings/wasm/build.sh --check         only checks whether the tools are installed
#
# Needs clang, lld, wasi-libc and clang's runtime for wasm32; exits with 77 if one is missing. Everything is compiled
# for size, and again as a whole when it is linked; except perft, which is a benchmark.
set -eu
cd "$(dirname "$0")/../.."

missing() {
    echo "$1 was not found: tabiya serve will show no board. tools/setup.sh installs what is needed, or, on Debian:" \
        "apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32" >&2
    exit 77
}
command -v clang >/dev/null || missing clang
clang --print-targets | grep -q wasm32 || missing "clang for wasm32"
[ -e /usr/include/wasm32-wasi/stdlib.h ] || missing wasi-libc
ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.builtins-wasm32.a >/dev/null 2>&1 ||
    missing "clang's runtime for wasm32"
command -v "$(clang --print-prog-name=wasm-ld)" >/dev/null || missing lld

[ "$1" != --check ] || exit 0
out=$1
shift
define=
case $1 in
-D*)
    define=$1
    shift
    ;;
esac
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

compile() {
    clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi -std=c11 -DNDEBUG -DTBY_SMALL_CODE $define \
        -mbulk-memory -msign-ext -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Wno-missing-braces \
        -Iinclude -Isrc "$@"
}

n=0
for source in "$@"; do
    n=$((n + 1))
    case $source in
    */src/rules/perft.c) compile -O2 -flto -c "$source" -o "$objects/$n.o" ;;
    *) compile -Oz -flto -c "$source" -o "$objects/$n.o" ;;
    esac
done
clang --target=wasm32-wasi -flto -Oz -mexec-model=reactor -Wl,--strip-all,--gc-sections,-z,stack-size=262144 \
    -o "$out.part" "$objects"/*.o
mv "$out.part" "$out"
