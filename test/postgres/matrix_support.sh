# matrix_support.sh - runs matrix.txt; sourced by matrix.sh and by the tests of Citus, after support.sh.
#
# The caller sets `kinds`, the names of empty databases, and defines `database KIND`, which prints the path or URL of one.
# Every line is run on all of them; all answers must equal those of the first. A kind called `file` is a file.
# shellcheck shell=bash disable=SC2154
matrix=$root/test/postgres/matrix.txt

# matrix_import - imports the same games into all of them
matrix_import() {
    local kind
    "$tabiya" convert --to pgn --games 1..400 "$root/examples/selfplay.pgn" >selfplay.pgn
    cat >odd.pgn <<'PGN'
[Event "Rated blitz game"]
[Date "19??.??.??"]
[White "Odd, A"]
[Black "Even, B"]
[WhiteElo "2105"]
[BlackElo "2014"]
[TimeControl "180+2"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Casual game"]
[Date "2019.??.12"]
[White "Even, B"]
[Black "Odd, A"]
[WhiteElo "2301"]
[Result "*"]

1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 *
PGN
    for kind in "${kinds[@]}"; do
        "$tabiya" import "$(database "$kind")" "$root/examples/famous.pgn" selfplay.pgn odd.pgn >"$kind.import" 2>&1
        is "$? $(cat "$kind.import")" "0 $(cat "${kinds[0]}.import")" "import into $kind"
    done
}

# answer KIND ARGUMENTS - output, errors and exit code of tabiya, with the name of the database removed
answer() {
    local arguments=$2 db filter=cat
    [[ $arguments != *' | '* ]] || { filter=${arguments#* | }; arguments=${arguments%% | *}; }
    arguments=${arguments//EXAMPLES/$root/examples}
    if [ "$1" = union ]; then db=one.db; arguments=${arguments//DB/one.db two.db}; else db=$(database "$1"); arguments=${arguments//DB/\"\$db\"}; fi
    rm -rf tree
    eval "\"\$tabiya\" $arguments" >"$1.out" 2>"$1.err" </dev/null
    echo "exit code $?"
    eval "$filter" <"$1.out" | sed "s|$db|DB|g; s|[^ ]*$1[^ ]*: ||g"
    sed "s|$db|DB|g" "$1.err"
    [ ! -d tree ] || find tree -type f -print0 | sort -z | xargs -0 cat | tr -d '\0'
}

# matrix_commands - runs the lines with commands
matrix_commands() {
    local line what wanted sentence kind got
    while IFS= read -r line; do
        what=${line#* }
        case $line in
        run\ * | wrong\ *)
            wanted=$(answer "${kinds[0]}" "$what")
            [[ $wanted == 'exit code '[01]* || $line == wrong\ * ]] || is "$wanted" 'exit code 0' "${kinds[0]}: tabiya $what"
            for kind in "${kinds[@]:1}"; do is "$(answer "$kind" "$what")" "$wanted" "$kind: tabiya $what"; done
            ;;
        file\ *)
            sentence=${what%% | *} what=${what#* | }
            for kind in "${kinds[@]}"; do
                got=$(answer "$kind" "$what")
                if [ "$kind" = file ]; then wanted='exit code 0*'; else wanted="exit code 2*$sentence"; fi
                # shellcheck disable=SC2053
                [[ $got == $wanted ]] && got=$wanted
                is "$got" "$wanted" "$kind: tabiya $what"
            done
            ;;
        esac
    done <"$matrix"
}

# matrix_unions - runs the lines whose answer names no game by its number on two files that have the games of the first kind
# between them. Call it while the first kind is as it was imported.
matrix_unions() {
    local line what
    "$tabiya" import one.db "$root/examples/famous.pgn" >one.import 2>&1
    "$tabiya" import two.db selfplay.pgn odd.pgn >two.import 2>&1
    while IFS= read -r line; do
        what=${line#run }
        [[ $line != *collection* && $line != *' id '* ]] || continue
        case $line in
        'run explore'* | 'run report'* | 'run names'* | 'run find'*--count* | 'run rows'*-o* | 'run repertoire gaps'*)
            is "$(answer union "$what")" "$(answer "${kinds[0]}" "$what")" "union: tabiya $what"
            ;;
        esac
    done <"$matrix"
}

# matrix_serve - starts a server for each kind; their process ids are in `servers`, their addresses in KIND.address
servers=()
matrix_serve() {
    local kind
    for kind in "${kinds[@]}"; do
        "$tabiya" serve "$(database "$kind")" --port 0 --write >"$kind.address" 2>"$kind.errors" &
        servers+=($!)
    done
    for kind in "${kinds[@]}"; do
        until [ -s "$kind.address" ]; do kill -0 "${servers[@]}" || exit 1; sleep 0.05; done
        sed 's/.*token=//' "$kind.address" >"$kind.token"
        sed -i 's/?token=.*//' "$kind.address"
    done
}

# ask KIND PATH [CURL OPTIONS]
ask() {
    local kind=$1 path=$2 filter=cat
    shift 2
    [[ $path != *' | '* ]] || { filter=${path#* | }; path=${path%% | *}; }
    curl -sS -w '\n%{http_code}\n' "$@" "$(sed 's,/$,,' "$kind.address")$path" | eval "$filter" | sed 's/"database":"[^"]*"/"database":"DB"/'
}

# matrix_paths - sends the lines with requests
matrix_paths() {
    local line path options method body kind got wanted
    while IFS= read -r line; do
        [[ $line == get\ * || $line == send\ * ]] || continue
        path=${line#get } options=()
        if [[ $line == send\ * ]]; then
            read -r _ method path body <<<"$line"
            options=(-X "$method" --data-binary "${body//]\[/]$'\n'[}")
        fi
        for kind in "${kinds[@]}"; do
            got=$(ask "$kind" "$path" "${options[@]}" ${options:+-H "X-Tabiya-Token: $(cat "$kind.token")"})
            [ "$kind" != "${kinds[0]}" ] || wanted=$got
            is "$got" "$wanted" "$kind: $line"
        done
    done <"$matrix"
}
