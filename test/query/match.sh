#!/bin/bash
# match.sh - explore --match counts the moves played where a query first matched, and user-defined patterns work in
# every front end: test/query/match.sh PROGRAM
#
# The expected counts come from the list of games that find prints and from the rows of all positions: the move after
# the first matching ply, without disambiguation, and the result of the game.
. "$(dirname "$0")/../serve/server.sh"

cat "$samples"/*.pgn >all.pgn
tabiya import games.db all.pgn --duplicates keep >/dev/null || exit 1
tabiya rows --positions --columns game,ply,side,next_san,result all.pgn >positions.csv
cat >own.txt <<'END'
# my patterns
broad-centre Pd4 Pe4	White's pawns stand side by side
broad-fight either (broad-centre [pn]xP)
END
serve games.db --patterns own.txt

# truth FIND-OPTION... - "side san games white draw black unknown" of each move, and of games that end there.
truth() {
    tabiya find games.db --tsv "$@" | tail -n +2 | awk -F '\t' '{ print $1 "," $(NF - 1) }' >hits
    awk -F , 'NR == FNR { hit[$1 "," $2]; next }
        ($1 "," $2) in hit {
            san = $4; gsub(/[+#]/, "", san)
            if (san ~ /^[KQRBN]/) { x = san ~ /x/ ? "x" : ""; san = substr(san, 1, 1) x substr(san, length(san) - 1) }
            side = san == "" ? "end" : $3; san = san == "" ? "-" : san
            games[side " " san]++; n[side " " san, $5]++
        }
        END { for (m in games) print m, games[m], n[m, "1-0"] + 0, n[m, "1/2-1/2"] + 0, n[m, "0-1"] + 0, n[m, "*"] + 0 }' \
        hits positions.csv | sort
}

moves() { jq -r '.moves[] | "\(.side) \(.san) \(.games) \(.white) \(.draw) \(.black) \(.unknown)"' | sort; }

check() {
    local match=$1 filter=$2 condition=$3
    truth --patterns own.txt "($match) ever ($filter)" $condition >wanted
    tabiya explore games.db --patterns own.txt --match "$match" --query "$filter" $condition --json >answer
    grep -v '^end' wanted | diff - <(moves <answer) >differs || fail "$match, $filter $condition: other moves: $(head -n 4 differs)"
    local ended
    ended=$(sed -n 's/^end - \([0-9]*\) .*/\1/p' wanted)
    [ "$(jq .ended answer)" = "${ended:-0}" ] || fail "$match: other ends"
    [ "$(jq .games answer)" = "$(wc -l <hits)" ] || fail "$match: other games"
    curl -sSG "$url/api/explore" --data-urlencode "match=$match" --data-urlencode "q=$filter" \
        ${condition:+-d "$(sed 's/^--//; s/ /=/' <<<"$condition")"} | cmp -s - answer || fail "$match, $filter $condition: the API gives other moves"
}

check iqp 'plies 0..' ''
check 'either iqp' 'result 1-0 or result 0-1' ''
check greek-gift 'plies 0..' ''
check 'Q>=2 q>=2' 'plies 0..' '--date 1850..'
check 'KRP+vKRP+ for 10' 'O-O ; o-o' ''
check mate 'plies 0..' ''
check 'castling KQkq Nf3' 'opening "1. e4"' '--result 1-0'
check 'O-O or o-o-o' 'P-{8}=Q' ''
check 'result 1-0' 'plies ..40' ''
check broad-centre 'plies 0..' ''
check broad-fight 'broad-centre for 6' '--result 0-1'
check 'P-{8}=[QRBN]' 'plies 0..' ''

# A user-defined pattern means the same as its query, wherever a query is accepted.
wanted=$(tabiya find games.db 'Pd4 Pe4' --count)
for got in "$(tabiya find games.db broad-centre --patterns own.txt --count)" \
    "$(tabiya pgn all.pgn broad-centre --patterns own.txt --count)" \
    "$(tabiya export games.db broad-centre --patterns own.txt | grep -c '^\[Result')" \
    "$(tabiya delete games.db broad-centre --patterns own.txt 2>&1 | grep -o '[0-9]* games\?' | grep -o '[0-9]*')" \
    "$(tabiya explore games.db broad-centre --patterns own.txt --json | jq .games)" \
    "$(curl -sSG "$url/api/find" -d q=broad-centre -d count=1 | jq .count)" \
    "$(tabiya tree grow --games games.db broad-centre --patterns own.txt -o "$work/tree.db" --plies 1 | sed -n 's/ games\? found.*//p')" \
    "$(tabiya tree grow --games all.pgn broad-centre --patterns own.txt -o "$work/tree.pgn" --plies 1 | sed -n 's/ games\? found.*//p')"; do
    [ "$got" = "$wanted" ] || fail "a pattern of one's own: $got instead of $wanted"
done
diff -r tree.db tree.pgn || fail "a tree by a query differs between file and database"

# Refused.
[ "$(curl -sS -o /dev/null -w '%{http_code}' "$url/api/explore?match=iqp&moves=e4")" = 400 ] || fail "match and moves are taken together"
curl -sS "$url/api/explore?match=ipq" | jq -re .error | grep -q 'did you mean "iqp"' || fail "a match that is wrong"
stop || fail "the server exits with $?"
exit "$failed"
