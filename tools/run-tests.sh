#!/bin/bash
# run-tests.sh - builds and runs tests, and reports at the end how many passed.
#
#     tools/run-tests.sh              all tests in the release build; the same with sanitizers, and fuzzing for some seconds
#     tools/run-tests.sh quick        the tests labelled unit, cli and meta of the release build, except the slow ones
#     tools/run-tests.sh corpus DIR   the tests that read a folder of test data
#     tools/run-tests.sh long         the tests that take long
#     tools/run-tests.sh setup        runs no tests: installs what they need and starts to build meanwhile
#
# The last line is "N passed, N failed"; the exit code is 0 if none failed. A build that fails is one failed test.
set -u
cd "$(dirname "$0")/.." || exit 2

jobs=$(nproc 2>/dev/null || echo 2)
passed=0
failed=0
skipped=0
beside= # the process group of build_beside
memory= # a folder in memory

title() { printf '\n== %s\n' "$*"; }

fail() {
    echo "run-tests: $*" >&2
    failed=$((failed + 1))
}

# Tests write many small files and sync them. If there is enough memory, they write to a memory file system.
use_memory() {
    local free
    [ -z "${TMPDIR:-}" ] || return
    free=$(df --output=avail -B1M /dev/shm 2>/dev/null | tail -n 1)
    [ "${free:-0}" -ge 6000 ] && memory=$(mktemp -d /dev/shm/tabiya-tests.XXXXXX) || return
    # PostgreSQL's user writes there too; programs must run there.
    if chmod 1777 "$memory" && cp /bin/true "$memory/true" && "$memory/true" 2>/dev/null; then
        export TMPDIR=$memory
    fi
}

# shellcheck disable=SC2317
tidy_up() {
    [ -z "$beside" ] || kill -- "-$beside" 2>/dev/null
    [ -z "$memory" ] || rm -rf "$memory"
}
trap tidy_up EXIT
trap 'exit 130' INT TERM

# attribute NAME FILE - a number of the first element of CTest's report.
attribute() {
    sed -n "s/.*[^a-z]$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1
}

count() {
    local report=$1 tests failures skips
    tests=$(attribute tests "$report")
    failures=$(attribute failures "$report")
    skips=$(($(attribute skipped "$report") + $(attribute disabled "$report")))
    failed=$((failed + failures))
    skipped=$((skipped + skips))
    passed=$((passed + tests - failures - skips))
}

# Prints every tenth percent of make's progress.
progress() {
    awk 'match($0, /^\[ *[0-9]+%\]/) { percent = substr($0, 2, RLENGTH - 3) + 0
         if (percent >= due) { printf "   %3d%% built\n", percent; fflush(); due = percent - percent % 10 + 10 } }'
}

# What a build leaves out, and why, is printed before its tests.
build() {
    local preset=$1
    shift
    cmake --preset "$preset" "$@" >"build/$preset.log" 2>"build/$preset.notes" ||
        { cat "build/$preset.log" "build/$preset.notes"; return 1; }
    cat "build/$preset.notes"
    title "building $preset"
    cmake --build "build/$preset" --parallel "$jobs" 2>&1 | tee -a "build/$preset.log" | progress
    [ "${PIPESTATUS[0]}" -eq 0 ] || { tail -n 60 "build/$preset.log"; return 1; }
}

# run PRESET CTEST_ARGUMENT...
run() {
    local preset=$1 report=$PWD/build/$1-tests.xml
    shift
    rm -f "$report"
    # Most tests wait for another process half of the time: twice as many as there are processors keep these busy.
    ctest --test-dir "build/$preset" --parallel $((2 * jobs)) --output-on-failure --output-junit "$report" "$@" || true
    if [ -s "$report" ] && [ "$(attribute tests "$report")" -gt 0 ]; then
        count "$report"
    else
        fail "$preset: no test was run"
    fi
}

# build_beside PRESET - while tests wait for something, the processors compile what is tested next, without slowing the
# tests. A failure is reported by the next build, which finds the rest done.
build_beside() {
    set -m # a process group, which can be ended with all that it has started
    {
        renice -n 15 -p "$BASHPID"
        build "$1"
    } >/dev/null 2>&1 &
    beside=$!
    set +m
}

test_all() {
    use_memory
    title "release"
    if build release; then
        ctest --test-dir build/release -N -L unit | grep -q 'Total Tests: [1-9]' ||
            fail "the unit tests were not built: cmocka is missing"
        build_beside asan
        run release -LE 'corpus|long'
        wait "$beside"
    else
        fail "release: the build failed"
    fi
    title "address and undefined behaviour sanitizers, and fuzz targets for some seconds each"
    if build asan; then run asan -LE 'corpus|long'; else fail "asan: the build failed"; fi
}

# build_early FLAG - builds the products and then, while the file FLAG exists, libraries with sanitizers.
build_early() {
    local target
    cmake --preset release && cmake --build build/release --parallel "$jobs" --target products
    [ ! -e "$1" ] || cmake --preset asan || return
    for target in tabiya_static tabiya_db tabiya_commands; do
        [ ! -e "$1" ] || cmake --build build/asan --parallel "$jobs" --target "$target"
    done
}

# Installing mostly waits for the network and the disk, so whatever can be compiled is compiled meanwhile. A failure here
# does not matter: the build is repeated later, and reported then.
set_up() {
    local early='' code
    if command -v cc cmake make >/dev/null 2>&1; then
        touch build/installing
        build_early build/installing >/dev/null 2>&1 &
        early=$!
    fi
    tools/setup.sh test
    code=$?
    rm -f build/installing
    [ -z "$early" ] || wait "$early"
    return "$code"
}

test_corpus() {
    title "corpus $1"
    if build release "-DTABIYA_CORPUS=$1"; then
        run release -L corpus
    else
        fail "release: the build failed"
    fi
}

test_long() {
    title "long"
    if build release; then run release -L long; else fail "release: the build failed"; fi
}

# Nothing is installed: parts that cannot be built because something is missing are not tested.
test_quick() {
    use_memory
    title "quick"
    if build release; then
        run release -L 'unit|cli|meta' -LE slow
    else
        fail "release: the build failed"
    fi
}

mkdir -p build
if [ "${1:-}" = setup ]; then
    set_up
    exit
elif [ "${1:-}" = quick ]; then
    test_quick
elif [ "${1:-}" = corpus ]; then
    [ -d "${2:-}" ] || { echo "run-tests: give a folder: make test-corpus CORPUS=dir" >&2; exit 2; }
    test_corpus "$(cd "$2" && pwd)"
elif [ "${1:-}" = long ]; then
    test_long
else
    test_all
fi

echo
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
