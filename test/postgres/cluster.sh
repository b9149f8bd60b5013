#!/bin/bash
# cluster.sh - runs a command with a separate PostgreSQL server that has the extension:
#
#     test/postgres/cluster.sh BUILD COMMAND...
#
# PostgreSQL is copied into a temporary folder and the extension is installed there, so the system's own installation is
# not touched. The server listens only on a socket in that folder, and runs as the calling user, or as `postgres` or
# `nobody` for root. Everything is removed at the end except BUILD/postgres-ready: a copy with the extension and an
# empty data folder, which the next test copies.
#
# The command runs with PGHOST, PGUSER, PGDATABASE and PATH set, and with PG_ROOT (the folder with the copy of
# PostgreSQL), PG_TEMP (a folder that the server can write to), PG_EMPTY (an empty data folder with its settings, to
# copy for further servers), PG_LOG, and `as_server COMMAND...` in PATH, which runs a command as the server's user.
# Exits with 77 if there is no PostgreSQL to copy. PG_OPTIONS has further options for the server.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift

config=${PG_CONFIG:-$(command -v pg_config || true)}
[ -x "$config" ] || { echo "no PostgreSQL (pg_config) here"; exit 77; }
bin=$("$config" --bindir)
share=$("$config" --sharedir)
if [ ! -x "$bin/postgres" ] || [ ! -e "$("$config" --pgxs)" ]; then
    echo "the PostgreSQL server or its headers are not installed"
    exit 77
fi
# Nothing here has to survive a crash of the machine, and tables are small: compiling a query takes longer than running
# it.
settings="listen_addresses = ''
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 4GB
shared_buffers = 32MB
synchronize_seqscans = off
jit = off"

work=$(mktemp -d "${TMPDIR:-/tmp}/tabiya-pg.XXXXXX")
chmod 755 "$work"
root=$work/root
# shellcheck disable=SC2317
stop() {
    as_server pg_ctl -D "$work/server/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

server_user=
if [ "$(id -u)" -eq 0 ]; then
    for server_user in postgres nobody; do ! id "$server_user" >/dev/null 2>&1 || break; done
fi
mkdir "$work/tools" "$work/server"
if [ -n "$server_user" ]; then
    chown "$server_user" "$work/server"
    printf '#!/bin/sh\nexec runuser -u %s -- "$@"\n' "$server_user" >"$work/tools/as_server"
else
    printf '#!/bin/sh\nexec "$@"\n' >"$work/tools/as_server"
fi
chmod 755 "$work/tools/as_server"

# prepare FOLDER - PostgreSQL with the extension in FOLDER/root, and an empty data folder in FOLDER/server/data. A
# program of PostgreSQL locates the rest relative to itself, so only the programs are real copies.
prepare() {
    local folder
    mkdir -p "$1/server"
    [ -z "$server_user" ] || chown "$server_user" "$1/server"
    for folder in "${bin%/bin}" "$share"; do
        mkdir -p "$1/root$(dirname "$folder")"
        cp -as "$folder" "$1/root$folder"
    done
    rm -r "${1:?}/root$bin"
    cp -aL "$bin" "$1/root$bin"
    make -s -C "$build/postgres" -f "$here/../../bindings/postgres/Makefile" TABIYA_BUILD="$build" \
        PG_CONFIG="$1/root$bin/pg_config" install >"$work/install.log" 2>&1 || { cat "$work/install.log"; return 1; }
    (cd "$1/server" && as_server "$1/root$bin/initdb" -D data -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync) \
        >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log"; return 1; }
    echo "$settings" >>"$1/server/data/postgresql.conf"
}

# The prepared copy is valid only for the same extension, PostgreSQL, other extensions and user. An extension older than
# its sources is compiled again first, because the copy has no headers.
PATH=$work/tools:$PATH
ready=$build/postgres-ready
exec 9>"$ready.lock"
flock 9
make -s -C "$build/postgres" -f "$here/../../bindings/postgres/Makefile" TABIYA_BUILD="$build" PG_CONFIG="$config" \
    >"$work/make.log" 2>&1 || { cat "$work/make.log"; exit 1; }
key="$("$bin/postgres" --version) $server_user $(cat "$here/cluster.sh" "$build"/postgres/*.so "$here"/../../bindings/postgres/{*.sql,*.sh,*.control,Makefile} | md5sum) $(echo "$share"/extension/*.control | md5sum)"
if [ "$(cat "$ready/key" 2>/dev/null)" != "$key" ]; then
    rm -rf "$ready"
    prepare "$work/ready" || exit 1
    mv "$work/ready" "$ready"
    echo "$key" >"$ready/key"
fi
cp -a "$ready/root" "$work/root"
cp -a "$ready/server/data" "$work/server/data"
flock -u 9
exec 9>&-

options=${PG_OPTIONS:-}
unset "${!PG@}" 2>/dev/null || true
PATH=$work/tools:$root$bin:$PATH
export PATH LC_ALL=C.UTF-8 PGHOST=$work/server PGUSER=postgres PGDATABASE=postgres
export PG_ROOT=$root PG_BIN=$root$bin PG_TEMP=$work/server PG_LOG=$work/server/log PG_BUILD=$build PG_EMPTY=$ready/server/data

cd "$work/server"
as_server pg_ctl -D data -l "$PG_LOG" -w -o "-c unix_socket_directories='$work/server' $options" start >/dev/null ||
    { cat "$PG_LOG"; exit 1; }
cd "$here/../.."
status=0
"$@" || status=$?
# A crash of the server fails the test during which it happened.
if grep -E 'terminated by signal|PANIC' "$PG_LOG" >&2; then status=1; fi
exit $status
