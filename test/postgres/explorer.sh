#!/bin/bash
# explorer.sh - /lichess, /masters and /player on a database file and a server (cluster.sh): requests of clients of the
# public opening explorer are understood, and the answers are the same byte for byte. The last line is "N passed, N
# failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" explorer
# shellcheck source=test/serve/explorer_games.sh
. "$root/test/serve/explorer_games.sh"

createdb one
explorer_games >games.pgn
# database NAME - its path or URL
database() { if [ "$1" = file ]; then echo file.db; else url "$1"; fi; }
servers=()
# shellcheck disable=SC2317
stop() {
    kill "${servers[@]}" 2>/dev/null
    wait
}
trap stop EXIT
for name in file one; do
    "$tabiya" import "$(database "$name")" games.pgn >/dev/null || exit 1
    "$tabiya" serve "$(database "$name")" --port 0 >"$name.address" 2>"$name.errors" &
    servers+=($!)
done
for _ in $(seq 200); do
    [ -s file.address ] && [ -s one.address ] && break
    sleep 0.05
done
# address NAME
address() { sed 's,/$,,' "$1.address"; }

# ---- What clients send

for name in file one; do
    /usr/bin/python3 "$root/test/serve/explorer_clients.py" "$(address "$name")" "$name.answers" >said 2>&1
    is "$? $(cat said)" "0 " "clients on $name"
done
is "$(cmp one.answers file.answers 2>&1)" "" "the same answers"

# ---- More games, and every filter; the server counts the moves of most positions

for name in file one; do
    "$tabiya" import "$(database "$name")" "$root"/examples/*.pgn >/dev/null || exit 1
done
sql one "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags'); SELECT tabiya.game_played_refresh(2)" >/dev/null
# decided COUNT QUERY... - do counts decide these queries?
decided() {
    for query in "${@:2}"; do is "$("$tabiya" explore --explain "$(url one)" --query "$query" 1. e4 2>&1 | grep -c 'from the stored counts')" "$1" "counts decide: $query"; done
}
decided 1 'mean-elo 2000.. not mean-elo 2500..' 'speed bullet not speed ultrabullet' 'speed ultrabullet or speed rapid' 'not speed blitz' \
    '(speed blitz or speed rapid) (mean-elo 2200.. or not mean-elo 1000..) result 1-0 elo 2000..'
decided 0 'mean-elo 2000..2200' 'mean-elo 2100..' 'speed blitz or mean-elo 2000..'
positions=('' play=e2e4 play=e2e4,e7e5,g1f3 play=d2d4,g8f6 "fen=4k3/8/8/8/8/8/8/4K3%20w%20-%20-%200%201")
filters=('' since=1900 'until=1899-06' speeds=blitz,rapid speeds=bullet speeds=ultraBullet,classical ratings=2000,2200,2500
    ratings=0,1400,1600 modes=rated modes=casual 'speeds=classical&ratings=2500&since=1990' history=true ratings=2500 ratings=0 ratings=1000,2500
    speeds=ultraBullet speeds=bullet,ultraBullet 'speeds=blitz,bullet&ratings=2000,2200' 'ratings=2200,2500&q=result%201-0' 'ratings=2000,2500&q=elo%202200..' 'speeds=rapid,classical&q=not%20result%201/2-1/2&since=1900')
for position in "${positions[@]}"; do
    for filter in "${filters[@]}"; do
        for path in lichess masters "player?player=morphy&color=white" "player?player=anderssen&color=black"; do
            mark='?'
            [[ $path != *\?* ]] || mark='&'
            echo "/$path$mark$position&$filter&topGames=15&recentGames=15"
        done
    done
done >questions
# Each request with its answer, all over one connection.
for name in file one; do
    sed "s|.*|url = \"$(address "$name")&\"|" questions >"$name.list"
    curl -sS -K "$name.list" >"$name.lines" # each on a line
    paste questions "$name.lines" >"$name.answers"
done
is "$(grep -c $'\t{"white":' file.answers) $(wc -l <file.lines)" "$(wc -l <questions) $(wc -l <questions)" 'an answer to each question'
is "$(diff file.answers one.answers | head -n 4)" '' 'the same answers to every question'
# gaps WHAT - what is played in many positions, counted and not
gaps() {
    for condition in '' 'elo 2400..' 'date 1850..1900' 'elo 2200.. date 1990..' 'result 1-0' 'player morphy' mate; do
        for name in file one; do "$tabiya" repertoire gaps "$(database "$name")" "$root/examples/famous.pgn" --line-plies 12 --to csv --limit 2000 "$condition" >"$name.gaps"; done
        is "$(diff file.gaps one.gaps | head -n 4)" '' "gaps of '$condition' $1"
    done
    is "$(wc -l <file.gaps | sed 's/^[0-9]*[0-9][0-9]$/many/')" many 'there are gaps'
}
gaps 'at first'
# After games are deleted, counts and lists no longer have them.
for name in file one; do
    "$tabiya" delete "$(database "$name")" --yes 'date ..1858 or elo 2700..' >/dev/null
    curl -sS -K "$name.list" >"$name.lines"
    paste questions "$name.lines" >"$name.answers"
done
is "$(diff file.answers one.answers | head -n 4)" '' 'the same answers after deleting'
gaps 'after deleting'
is "$(sql one 'SELECT count(*) > 20 FROM tabiya.game_tracked WHERE is_popular')" t 'positions are counted'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
