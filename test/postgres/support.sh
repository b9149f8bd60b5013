# support.sh - shared by the tests with databases on a server; sourced with the name of a folder, which is created and entered.
tabiya=$PG_BUILD/tabiya
root=$PWD
work=$PG_TEMP/$1
mkdir -p "$work"
cd "$work" || exit 1
export PGOPTIONS='-c client_min_messages=warning'
passed=0 failed=0
# url DATABASE [ROLE]
url() { echo "postgresql:///$1?host=$PGHOST&user=${2:-postgres}"; }
# sql DATABASE TEXT
sql() { psql -X -q -At -v ON_ERROR_STOP=1 -d "$1" -c "$2"; }
# is GOT WANTED WHAT
is() {
    if [ "$1" = "$2" ]; then passed=$((passed + 1)); else
        echo "FAILED: $3: ${1:0:300}, not ${2:0:300}"
        failed=$((failed + 1))
    fi
}
