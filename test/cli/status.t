# tabiya status: the state of a position.

$ tabiya status
fen                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
side to move           white
legal                  yes
playable               yes
legal moves            20
check                  no
checkmate              no
stalemate              no
insufficient material  no
dead position          no
fifty moves            no
seventy-five moves     no
outcome                *
placement key          ...
position key           ...
polyglot key           463b96181691fc9c

$ tabiya status '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' | grep -e check -e outcome -e moves
legal moves            0
check                  yes
checkmate              yes
fifty moves            no
seventy-five moves     no
outcome                1-0 checkmate

$ tabiya status '7k/5K2/6Q1/8/8/8/8/8 b - - 0 1' | grep -e stale -e outcome
stalemate              yes
outcome                1/2-1/2 stalemate

$ tabiya status '8/8/8/8/8/8/8/KB5k w - - 0 1' | grep -e insuf -e dead -e outcome
insufficient material  both
dead position          yes
outcome                1/2-1/2 dead position

$ tabiya status '4k3/8/8/8/8/8/8/R3K3 w - - 100 80' | grep -e fifty -e outcome -e insuf
insufficient material  black
fifty moves            yes
outcome                *

$ tabiya status '4k3/8/8/8/8/8/8/R3K3 w - - 150 120' | grep -e five -e outcome
seventy-five moves     yes
outcome                1/2-1/2 seventy-five moves

# An opening has its name whichever moves led to it.

$ tabiya status 'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2' | grep ^opening
opening                B27 Sicilian Defense

$ tabiya status 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 | grep -c ^opening
0
[1]

$ tabiya status --json rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | grep -o '"opening":{[^}]*}'
"opening":{"eco":"C20","name":"King's Pawn Game"}

# Illegal: 1, with every reason; unreadable: 2.

$ tabiya status 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1
fen                    4k3/8/8/8/8/8/4R3/4K3 w - - 0 1
side to move           white
legal                  no
fault                  OPPONENT_CHECK: ...
playable               no
placement key          ...
[1]

$ tabiya status 8/8/8/8/8/8/8/P7 w - - 0 1 | grep -o 'fault .*:'
fault                  NO_WHITE_KING:
fault                  NO_BLACK_KING:
fault                  PAWN_BACKRANK:

$ tabiya status 4k3/8/8/8/8/8/8/4K3 w KQ e3 0 1 | grep -o 'fault .*:'
fault                  CASTLING:
fault                  EN_PASSANT:

# The castling letters are those that were written; a playable position is described as `moves` would play it.

$ tabiya status --any 4k3/4Q3/4K3/8/8/8/8/8 b KQkq - 0 1 | grep -e fen -e warning -e legal -e fault -e playable -e checkmate
fen                    4k3/4Q3/4K3/8/8/8/8/8 b KQkq - 0 1
warning                CASTLING: a castling right without its king or rook was dropped
legal                  no
fault                  CASTLING: ...
playable               yes
legal moves            0
checkmate              yes
outcome                1-0 checkmate

# Standard chess is the default.

$ tabiya status 'r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1' | grep -e fen -e warning -e legal
fen                    r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w kq - 0 1
warning                CASTLING: a castling right without its king or rook was dropped
legal                  yes
legal moves            23

$ tabiya status --chess960 'r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1' | grep -e fen -e warning -e legal
fen                    r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w HAha - 0 1
legal                  yes
legal moves            24

$ tabiya status 4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1 | head -n 6
fen                    4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1
side to move           white
legal                  no
fault                  WHITE_PROMOTIONS: ...
playable               yes
legal moves            16

$ tabiya status 4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1 >/dev/null
[1]

$ tabiya status --any 4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1 | grep ^legal
legal                  yes
legal moves            16

$ tabiya status nonsense
tabiya: fen: field 1 (placement), column 2: ...
[2]

$ tabiya status 8/8/8/8/8/8/8/K6k w - - | grep warning
warning                FIELDS: fields were missing

# JSON: one object per line, always with the same members.

$ tabiya status --json
{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","side":"white","legal":true,"playable":true,"faults":[],"warnings":[],"clock":0,"fullmove":1,"legal_moves":20,"check":false,"checkmate":false,"stalemate":false,"insufficient_material":{"white":false,"black":false,"both":false},"dead_position":"no","fifty_moves":false,"seventy_five_moves":false,"outcome":{"result":"*","reason":null},"opening":null,"keys":{"placement":"...","position":"...","polyglot":"463b96181691fc9c"}}

$ tabiya status --json 8/8/8/8/8/8/8/K7 b - - 3 9
{"fen":"8/8/8/8/8/8/8/K7 b - - 3 9","side":"black","legal":false,"playable":false,"faults":[{"name":"NO_BLACK_KING","text":"..."}],"warnings":[],"clock":3,"fullmove":9,"legal_moves":null,"check":null,"checkmate":null,"stalemate":null,"insufficient_material":null,"dead_position":null,"fifty_moves":null,"seventy_five_moves":null,"outcome":null,"opening":null,"keys":{"placement":"...","position":null,"polyglot":null}}
[1]

$ printf 'startpos\n7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n8/8/8/8/8/8/8/8 w - - 0 1\n8/8/8/8/8/8/8/K6k w - -\n' | \
    tabiya status --json - >all.json; wc -l <all.json
4

$ if command -v python3 >/dev/null; then python3 -c \
    'import json; print(*(tuple(json.loads(line)) == tuple(json.loads(next(open("all.json")))) for line in open("all.json")))'; \
    else echo True True True True; fi
True True True True

# A line that cannot be read is reported with its location.

$ printf 'x\nstartpos\nx\n' | tabiya status --json - 2>/dev/null | cut -c 1-7
null
{"fen":
null

$ printf 'x\nstartpos\nx\nstartpos\n' | tabiya status - 2>/dev/null | cut -d ' ' -f 1 | grep -n -e fen -e '^$'
1:
2:fen
18:
19:
20:fen

# The worst of the lines decides the exit code.

$ printf 'startpos\n8/8/8/8/8/8/8/8 w - - 0 1\n' | tabiya status - >/dev/null
[1]

$ printf '8/8/8/8/8/8/8/8 w - - 0 1\nx\nstartpos\n' | tabiya status - | grep -c ^legal
tabiya: stdin:2: fen: field 1 (placement), column 1: ...
3

# Strict reading refuses an incomplete FEN.

$ tabiya status --strict 4k3/8/8/8/8/8/8/4K3 w - -
tabiya: fen: field 5 (clock), column 26: the field is missing
[2]
