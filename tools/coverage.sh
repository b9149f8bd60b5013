#!/bin/bash
# coverage.sh - measures which lines and branches the tests run: tools/coverage.sh
#
# Builds in build/coverage without assertions, as a release is, runs the tests, and prints a table by folder;
# build/coverage/files.tsv has the same by file, with the lines that never ran, and branches.tsv the lines with branches
# that were never taken. Nothing is excluded. The tests with PostgreSQL use servers with the extension of build/release.
set -u
cd "$(dirname "$0")/.." || exit 2

jobs=$(nproc 2>/dev/null || echo 2)
build=$PWD/build/coverage
code=0
cmake --preset coverage >/dev/null && cmake --build "$build" --parallel "$jobs" >"$build/build.log" 2>&1 ||
    { tail -n 30 "$build/build.log"; exit 1; }
find "$build" -name '*.gcda' -delete
# Some tests run the program as another user, who must be able to write the counters too.
(umask 0 && "$build/tabiya" --version >/dev/null)

# Counters that a killed program left half written do not matter; messages about them must not appear in
# the output that a test compares.
export GCOV_ERROR_FILE=/dev/null
ctest --test-dir "$build" --parallel "$jobs" -LE 'meta|docs|dist|corpus|long' --output-on-failure >"$build/tests.log" 2>&1 || {
    code=1
    sed -n '/^The following tests FAILED/,$p' "$build/tests.log"
}

if cmake --preset release >/dev/null && cmake --build build/release --parallel "$jobs" --target help | grep tabiya_postgres >/dev/null; then
    cmake --build build/release --parallel "$jobs" --target tabiya_postgres >>"$build/build.log" 2>&1
    for words in cli.sh questions.sh serve.sh 'faults.sh postgres_faults' 'faults.sh postgres_memory' 'faults.sh postgres_clusters' 'faults.sh postgres_readings'; do
        # shellcheck disable=SC2086
        test/postgres/cluster.sh build/release env PG_BUILD="$build" test/postgres/$words >"$build/postgres.log" 2>&1 || {
            code=1
            echo "test/postgres/$words failed:"
            tail -n 20 "$build/postgres.log"
        }
    done
fi
/usr/bin/python3 tools/coverage.py "$build" src program/common program/cli program/server bindings/sql bindings/sqlite
exit $code
