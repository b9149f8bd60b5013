#!/bin/sh
# run.sh - tests the Python package as users install it: test/python/run.sh BUILD
#
# Creates a clean virtual environment with Debian's Python, installs the wheel there without network access, and runs
# the tests and the examples of bindings/python/README.md. What needs numpy, pandas and matplotlib runs with the system's
# Python, where they are installed, and so does mypy, whose stubtest compares the stubs with the package. DuckDB reads
# Arrow streams, where the table tests have installed it from npm. Skipped (77) if the package is not built or
# environments cannot be created.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "$1") source=$PWD

skip() {
    echo "$1"
    exit 77
}
[ -e "$build/python/_tabiya.abi3.so" ] || skip "the package is not built"
/usr/bin/python3 -c 'import venv, ensurepip' 2>/dev/null || skip "python3-venv is not installed"
cmake --build "$build" --target tabiya_wheel >/dev/null

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$build"/dist/tabiya-*.whl
ln -s "$PWD/examples" "$folder/examples"
cp bindings/python/README.md docs/coming-from-python-chess.md test/python/*.py bindings/python/tabiya/__init__.pyi "$folder"
cd "$folder"
export TABIYA="$build/tabiya"
"$folder/venv/bin/python" -W error -m unittest -v test_tabiya test_values test_errors test_trees test_book test_files test_coming
# DuckDB's library, which the Parquet tests install from npm, reads Arrow streams.
DUCKDB=$source/test/table/node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so
export DUCKDB
if [ -e "$DUCKDB" ]; then
    "$folder/venv/bin/python" -W error -m unittest -v test_arrow
fi
PYTHONPATH=$(echo "$folder"/venv/lib/python3*/site-packages)
export PYTHONPATH
if /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
    /usr/bin/python3 -m unittest -v test_frames
fi
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 -m unittest -v test_planes
fi
if /usr/bin/python3 -c 'import pandas, matplotlib' 2>/dev/null; then
    mkdir "$folder/notebook"
    cp examples/*.pgn "$folder/notebook"
    MPLCONFIGDIR=$folder/notebook /usr/bin/python3 run_notebook.py examples/questions.ipynb "$folder/notebook"
fi
/usr/bin/python3 -c 'import mypy.stubtest' 2>/dev/null || exit 0
# Named tuples made in C lack _asdict and similar methods but know their number of fields; and old versions of stubtest
# overlook their @final. Modules written in Python have no separate stubs.
cat >allowed <<'END'
tabiya\..*\.(_asdict|_make|_replace|n_fields|n_sequence_fields|n_unnamed_fields)
tabiya\._(arrays|ask|book|copies|frames|hints|notebook)\..*
tabiya\.__getattr__
tabiya\.(Added|Condition|Counts|Explored|ExploredMove|Hit|Opening|Outcome)
END
/usr/bin/python3 -m mypy.stubtest --allowlist allowed --ignore-unused-allowlist tabiya
# The examples, with their assumptions: that an opening has a name and a game a move.
mkdir "$folder/modules"
/usr/bin/python3 examples.py "$folder/modules" README.md examples/questions.ipynb
cd "$folder/modules"
/usr/bin/python3 -m mypy --no-namespace-packages --ignore-missing-imports --no-strict-optional ./*.py
