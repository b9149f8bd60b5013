# explorer_games.sh - the games for explorer_clients.py, as PGN: with and without ratings, dates and time controls.

# game EVENT WHITE ELO BLACK ELO RESULT DATE TIMECONTROL MOVES; - leaves out a tag
game() {
    printf '[Event "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n' "$1" "$2" "$4" "$6"
    [ "$3" = - ] || printf '[WhiteElo "%s"]\n[BlackElo "%s"]\n' "$3" "$5"
    [ "$7" = - ] || printf '[Date "%s"]\n' "$7"
    [ "$8" = - ] || printf '[TimeControl "%s"]\n' "$8"
    printf '\n%s %s\n\n' "$9" "$6"
}

explorer_games() {
    game 'Rated Blitz game' Ada 2500 Bo 2400 1-0 2020.01.05 180+2 '1. e4 e5 2. Nf3'
    game 'Rated Bullet game' Cy 1600 Ada 1500 0-1 2021.03.01 60+0 '1. e4 c5'
    game Candidates Di 2700 Ed 2650 1/2-1/2 2019.06.01 5400+30 '1. d4 d5'
    game 'Coffee house' Fay - Gus - 1-0 1850.??.?? - '1. e4 e5 2. Bc4'
    game 'Casual Rapid game' Ada 2510 Hal 2000 '*' 2022.07.07 600+0 '1. e4 e5'
    game 'Casual Rapid game' Ada 2520 Ira 2100 1/2-1/2 2023.02.03 600+0 '1. Nf3 e5 2. e4'
    game 'Rated UltraBullet game' Jo 900 Kim 901 0-1 2023.05.05 15+0 '1. a4'
    game 'FICS unrated blitz game' 'Carlsen,M' 2450 Lu 2451 1-0 2018.08.?? 180+0 '1. d4 Nf6'
    game Odd Mo - Ned - 1/2-1/2 19??.??.?? - '1. c4'
}
