#!/bin/bash
# make_questions.sh - prints over a thousand requests for `tabiya serve`, made from the games of a database that `tabiya
# import` filled:
#
#     make_questions.sh DATABASE ROOT
#
# One per line: a path of the API, then names and values, separated by tabs.
set -eu

# Positions: explored, also among some games, and searched for.
psql -X -At -F $'\t' -d "$1" <<'SQL'
SELECT DISTINCT ON (p.position_key) 'explore', 'fen', p.fen FROM tabiya.game g, positions(g.moves) p WHERE p.ply = g.id % 14 AND g.id % 3 = 0 LIMIT 260;
SELECT DISTINCT ON (p.position_key) 'explore', 'fen', p.fen, 'q', (ARRAY['result 1-0', 'plies ..80', 'elo 2400..', 'date 2026', 'mate', 'player black', 'o-o'])[g.id % 7 + 1]
    FROM tabiya.game g, positions(g.moves) p WHERE p.ply = g.id % 9 AND g.id % 5 = 1 LIMIT 140;
SELECT DISTINCT ON (p.position_key) 'find', 'fen', p.fen, 'count', '1' FROM tabiya.game g, positions(g.moves) p WHERE p.ply = g.id % 60 AND g.id % 11 = 2 LIMIT 150;
SELECT DISTINCT ON (p.position_key) 'find', 'q', 'fen "' || p.fen || '"', 'limit', '5' FROM tabiya.game g, positions(g.moves) p WHERE p.ply = g.id % 12 AND g.id % 17 = 3 LIMIT 100;
SELECT DISTINCT 'find', 'q', 'player ="' || replace(white, '"', '\"') || '" result ' || result, 'limit', '10' FROM tabiya.game ORDER BY 3 LIMIT 60;
SELECT 'find', 'opening', (SELECT string_agg(m.uci, ' ' ORDER BY m.ply) FROM moves(getFirstMoves(g.moves, 3 + g.id % 8)) m), 'offset', g.id % 4, 'limit', '3' FROM tabiya.game g WHERE g.id % 61 = 0 LIMIT 50;
SELECT 'game', 'id', id FROM tabiya.game WHERE id % 30 = 0 ORDER BY id LIMIT 120;
SELECT 'find', 'sort', k, 'offset', o, 'limit', '20' FROM unnest('{date,-date,elo,-elo,plies,-plies}'::text[]) k, unnest('{0,17,900,5000}'::integer[]) o;
SQL
# And those that all front ends answer alike.
sed -n '/^[^#]/s/.*/find\tq\t&\tlimit\t20/p' "$2/test/query/questions.txt"
sed -n '/^[^#]/s/.*/find\tq\t&\tcount\t1/p' "$2/test/query/questions_more.txt"
printf 'info\n'
