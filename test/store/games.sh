# games.sh - for the tests in this folder: games N prints N different short games from a few openings.

games() {
    awk -v n="$1" 'BEGIN {
        split("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7|d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7|c4 e5 Nc3 Nf6 g3 d5 cxd5 Nxd5|" \
              "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6|f3 e5 g4 Qh4#|Nf3 d5 d4 Nf6 c4 e6 Nc3 Be7", lines, "|")
        split("1-0 0-1 1/2-1/2 *", results, " ")
        for (i = 1; i <= n; i++) {
            result = results[i % 4 + 1]
            printf "[Event \"Event %d\"]\n[Site \"?\"]\n[Date \"%d.%02d.??\"]\n[Round \"%d\"]\n", i % 50, \
                   1990 + i % 30, i % 12 + 1, i
            printf "[White \"Player %d\"]\n[Black \"Player %d\"]\n[Result \"%s\"]\n\n", i % 997, i % 991, result
            n_moves = split(lines[i % 6 + 1], moves, " ")
            for (k = 1; k <= n_moves; k++)
                printf "%s%s%s ", k % 2 ? (k + 1) / 2 ". " : "", moves[k], i % 10 == 0 && k == 2 ? " {a comment}" : ""
            printf "%s\n\n", result
        }
    }'
}
