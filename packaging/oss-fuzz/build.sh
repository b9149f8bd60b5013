#!/bin/bash -eu
# build.sh - builds all fuzz targets with their seeds, as OSS-Fuzz wants them: in $OUT, with $CC, $CFLAGS and
# $LIB_FUZZING_ENGINE. The libraries are linked statically, because the targets run on another machine.
cd "$SRC/tabiya"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800} # of the archives; zip knows no earlier year than 1980
cmake -S . -B "$WORK/tabiya" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= -DTABIYA_FUZZ=ON \
    -DTABIYA_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DTABIYA_TESTS=OFF -DTABIYA_BENCH=OFF -DTABIYA_CLI=OFF -DTABIYA_WASM=OFF
cmake --build "$WORK/tabiya" --parallel "$(nproc)" --target fuzz_targets
for target in "$WORK"/tabiya/test/fuzz_*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    name=$(basename "$target")
    cp "$target" "$OUT/"
    if [ -d "test/fuzz/corpus/$name" ]; then
        python3 packaging/dist/zip_folder.py "test/fuzz/corpus/$name" "$OUT/${name}_seed_corpus.zip"
    fi
done
