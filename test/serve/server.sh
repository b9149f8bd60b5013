# server.sh - for the tests in this folder: the program on the PATH, a working folder, and servers that end with the
# test.
#
#     . "$(dirname "$0")/server.sh"       with the program as $1
#     serve [DB] [OPTION]...              starts a server on a free port and sets $url, $port and $server
#     complaints                          prints what it wrote to stderr; false if that is nothing
#     stop                                ends it with SIGTERM, or $TABIYA_STOP; returns its exit code

set -u
here=$(realpath "$(dirname "$0")")
samples=$(realpath "$here/../../examples")
PATH=$(dirname "$(realpath "$1")"):$PATH
work=$(mktemp -d)
server=
port=
url=
failed=0

end_of_test() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap end_of_test EXIT
cd "$work" || exit 2

serve() {
    : >address # not that of the previous server
    tabiya serve "$@" --port 0 >address 2>errors &
    server=$!
    for _ in $(seq 100); do
        [ -s address ] && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    url=$(sed 's,/$,,' address)
    port=${url##*:}
    [ -n "$port" ] || { echo "the server does not start"; cat errors; exit 1; }
}

stop() {
    local code
    kill -"${TABIYA_STOP:-TERM}" "$server"
    wait "$server"
    code=$?
    server=
    return $code
}

# What the server wrote to stderr, if anything. Builds with sanitizers have no board, and say so.
complaints() { grep -v 'built without tabiya.wasm' errors; }

fail() {
    echo "$*"
    failed=1
}
