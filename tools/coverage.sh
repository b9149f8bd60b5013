#!/bin/bash
# coverage.sh - which lines and branches the tests run: tools/coverage.sh
#
# Builds in build/coverage without assertions, as a release is, runs the tests, and prints a table by folder; the lines by
# file are in build/coverage/files.csv, and as pages in build/coverage/html/index.html. Nothing is left out of the count.
set -u
cd "$(dirname "$0")/.." || exit 2

jobs=$(nproc 2>/dev/null || echo 2)
build=build/coverage
command -v gcovr >/dev/null || { echo "coverage: gcovr is missing; to have it: apt-get install gcovr" >&2; exit 2; }

cmake --preset coverage >/dev/null && cmake --build $build --parallel "$jobs" >$build/build.log 2>&1 ||
    { tail -n 30 $build/build.log; exit 1; }
find $build -name '*.gcda' -delete

# What a program that was killed has left behind is no matter, and must not be among what a test compares.
export GCOV_ERROR_FILE=$PWD/$build/gcov.log
ctest --test-dir $build --parallel "$jobs" -LE 'meta|docs|dist|corpus|long' --output-on-failure >$build/tests.log 2>&1
code=$?
[ $code -eq 0 ] || sed -n '/^The following tests FAILED/,$p' $build/tests.log

folders=(src input answers cli server sqlite)
mkdir -p $build/html
gcovr --root . "${folders[@]/#/--filter=}" --object-directory $build --gcov-ignore-parse-errors -j "$jobs" \
    --csv $build/files.csv --html-nested $build/html/index.html $build >$build/gcovr.log 2>&1 ||
    gcovr --root . "${folders[@]/#/--filter=}" --object-directory $build --gcov-ignore-parse-errors -j "$jobs" \
        --csv $build/files.csv $build >>$build/gcovr.log 2>&1 || { tail -n 20 $build/gcovr.log; exit 1; }

# A folder of src is a layer; the sums of src and of all come after them.
awk -F, '
    function row(name) {
        printf "%-16s %7d %7.1f %% %9d %7.1f %%\n", name, lines[name], 100 * lines_run[name] / lines[name], branches[name],
            branches[name] ? 100 * branches_run[name] / branches[name] : 100
    }
    function add(name) {
        if (!(name in lines)) order[++n] = name
        lines[name] += $2; lines_run[name] += $3; branches[name] += $5; branches_run[name] += $6
    }
    NR > 1 {
        split($1, part, "/")
        add(part[1] == "src" ? part[1] "/" part[2] : part[1])
        if (part[1] == "src") add("src, all")
        add("all")
    }
    END {
        printf "%-16s %7s %9s %9s %9s\n", "folder", "lines", "run", "branches", "taken"
        for (i = 1; i <= n; i++) if (order[i] !~ /all/) row(order[i])
        row("src, all"); row("all")
    }' $build/files.csv
exit $code
