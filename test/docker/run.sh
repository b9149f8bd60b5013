#!/bin/bash
# run.sh - runs the steps of packaging/docker/Dockerfile and of packaging/oss-fuzz/ in clean roots, because building an
# image needs a Docker engine. Only the lines RUN, COPY, WORKDIR and HEALTHCHECK matter here; the rest is checked for its
# form. Skipped (77) without debootstrap or root.
set -eu
here=$(realpath "$(dirname "$0")")
cd "$here/../.."
. test/clean_root.sh

fail() {
    echo "docker: $*" >&2
    exit 1
}

# steps FILE STAGE - the instructions of a stage (from 1), one per line, continued lines joined.
steps() {
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$1" | grep -vE '^(#|$)' | awk -v stage="$2" '$1 == "FROM" { n++ } n == stage'
}

# The source as of the last commit, like the context of `docker build`.
copy_source() {
    mkdir -p "$root$1"
    git archive HEAD | tar -x -C "$root$1"
}

run_stage() {
    local file=$1 stage=$2 folder=/ word rest
    while read -r word rest; do
        case $word in
        FROM | ARG | VOLUME | EXPOSE | ENTRYPOINT | CMD | HEALTHCHECK | USER) ;;
        WORKDIR) folder=$rest ;;
        COPY)
            case $rest in
            "--from=build "*) install -D "$installed" "$root/usr/bin/tabiya" ;;
            ". "*) copy_source "${rest#. }" ;;
            *) fail "$file: cannot try: $word $rest" ;;
            esac
            ;;
        RUN) in_root sh -c "cd $folder && $rest" >"$root/log" 2>&1 </dev/null || { tail -n 40 "$root/log"; fail "$file: $rest"; } ;;
        *) fail "$file: unknown instruction $word" ;;
        esac
    done < <(steps "$file" "$stage")
}

# The builder, and in the same root, which has the compilers, the fuzz targets.
dockerfile=packaging/docker/Dockerfile
make_root
run_stage "$dockerfile" 1
installed=$(mktemp)
cp "$root/installed/usr/bin/tabiya" "$installed"
in_root sh -c '
    apt-get -qq install -y --no-install-recommends python3 "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" &&
    mkdir /fuzz /fuzz/out && cp -r /source /fuzz/tabiya &&
    SRC=/fuzz OUT=/fuzz/out WORK=/fuzz CC=clang CXX=clang++ CFLAGS="-O1 -fsanitize=fuzzer-no-link,address" \
        LIB_FUZZING_ENGINE=-fsanitize=fuzzer,address /source/packaging/oss-fuzz/build.sh' >"$root/log" 2>&1 ||
    { tail -n 40 "$root/log"; fail "oss-fuzz/build.sh"; }
for source in test/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    in_root sh -c "cd /tmp && /fuzz/out/$name -runs=100" >"$root/log" 2>&1 || { tail -n 20 "$root/log"; fail "$name does not run"; }
done
rm -rf --one-file-system "$root"

# The image: the program runs without the compilers, as another user, and says that it is well.
make_root
run_stage "$dockerfile" 2
check=$(steps "$dockerfile" 2 | sed -n 's/^HEALTHCHECK CMD //p')
copy_source /samples
in_root setpriv --reuid tabiya --regid tabiya --clear-groups sh -c "
    cd /data && tabiya import games.db /samples/examples/famous.pgn &&
    { tabiya serve --bind 0.0.0.0 games.db & } && i=0 && until $check; do i=\$((i + 1)); [ \$i -lt 100 ] || exit 1; sleep 0.1; done"
rm -f "$installed"
echo "the image's steps and the fuzz targets work in clean roots"
