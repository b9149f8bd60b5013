/*
 * test_next_moves.c - the moves that games play in a position: edges, nodes, results.
 */
#include "value_support.h"

static tby_next_move moves[TBY_NEXT_MOVES_MAX], others[TBY_NEXT_MOVES_MAX];
static tby_position pos;
static size_t n_moves;

static void begin(const char *game)
{
    static value v;
    read_value(&v, game);
    assert_true(tby_chessgame_final(&pos, v.bytes, v.n));
    n_moves = tby_next_moves_list(moves, &pos);
    assert_int_equal(n_moves, tby_moves_count(&pos) + 1); /* the null move */
}

static void count(tby_next_move *list, const char *game)
{
    static value v;
    read_value(&v, game);
    tby_next_moves_count(list, n_moves, &pos, v.bytes, v.n);
}

static const tby_next_move *next_move(const char *san)
{
    tby_move m;
    assert_int_equal(tby_san_read(&m, &pos, san, strlen(san), 0, NULL, NULL), TBY_OK);
    for (size_t i = 0; i < n_moves; i++)
        if (moves[i].move == m)
            return &moves[i];
    fail();
    return NULL;
}

static void assert_counts(const char *san, unsigned games, unsigned reached)
{
    assert_int_equal(next_move(san)->games, games);
    assert_int_equal(next_move(san)->reached, reached);
}

TEST(test_next_moves__edges_are_played_here_and_nodes_are_reached_by_any_path)
{
    begin("1. d4");
    count(moves, "1. d4 d5 2. c4 1-0");
    count(moves, "1. d4 Nf6 1/2-1/2");
    count(moves, "1. d4 d5 0-1");
    count(moves, "1. Nf3 d5 2. d4 Nf6 3. Ng1 Ng8"); /* reaches 1. d4 d5 with White to move */
    count(moves, "1. d4");
    count(moves, "1. e4 d5");
    assert_counts("d5", 2, 3);
    assert_counts("Nf6", 1, 1);
    assert_counts("e5", 0, 0);
    assert_int_equal(next_move("d5")->results[TBY_WHITE_WINS], 1);
    assert_int_equal(next_move("d5")->results[TBY_BLACK_WINS], 1);
    assert_int_equal(next_move("Nf6")->results[TBY_DRAW], 1);
    assert_int_equal(next_move("Nf6")->results[TBY_RESULT_NONE], 0);
}

TEST(test_next_moves__a_game_counts_once_for_its_first_visit)
{
    begin("");
    count(moves, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4");
    assert_counts("Nf3", 1, 1);
    assert_counts("e4", 0, 1);
}

TEST(test_next_moves__promotions_are_separate_moves)
{
    begin("8/4P3/8/8/8/8/k6K/8 w - - 0 1");
    count(moves, "[FEN \"8/4P3/8/8/8/8/k6K/8 w - - 0 1\"] 1. e8=N");
    assert_counts("e8=N", 1, 1);
    assert_counts("e8=Q", 0, 0);
}

TEST(test_next_moves__parts_add_up)
{
    begin("1. e4");
    tby_next_moves_list(others, &pos);
    count(moves, "1. e4 e5 1-0");
    count(others, "1. e4 e5 0-1");
    count(others, "1. e4 c5");
    tby_next_moves_combine(moves, others, n_moves);
    assert_counts("e5", 2, 2);
    assert_counts("c5", 1, 1);
    assert_int_equal(next_move("e5")->results[TBY_WHITE_WINS], 1);
    assert_int_equal(next_move("e5")->results[TBY_BLACK_WINS], 1);
    assert_int_equal(next_move("c5")->results[TBY_RESULT_NONE], 1);
}

TEST(test_next_moves__a_null_move_is_a_move)
{
    begin("1. e4");
    count(moves, "1. e4 -- 2. d4 1-0");
    count(moves, "1. e4 *");
    const tby_next_move *null = &moves[n_moves - 1];
    assert_int_equal(null->move, TBY_MOVE_NULL);
    assert_int_equal(null->games, 1);
    assert_int_equal(null->reached, 1);
    assert_int_equal(null->results[TBY_WHITE_WINS], 1);
    for (size_t i = 0; i + 1 < n_moves; i++)
        assert_int_equal(moves[i].games, 0);
}

TEST(test_next_moves__bytes_that_are_not_a_game_count_nothing)
{
    begin("");
    tby_next_moves_count(moves, n_moves, &pos, (const uint8_t *)"", 0);
    for (size_t i = 0; i < n_moves; i++)
        assert_int_equal(moves[i].games + moves[i].reached, 0);
}

enum { GAMES = 60, PLIES = 120 };

typedef struct played_game {
    tby_move moves[PLIES];
    size_t n;
} played_game;

/* Plays through the whole game, without stopping early. */
static void count_simply(tby_next_move *list, const played_game *game)
{
    bool is_counted[TBY_NEXT_MOVES_MAX] = {false}, has_come = false;
    tby_position at;
    tby_position_start(&at);
    for (size_t ply = 0; ply <= game->n; ply++) {
        const bool is_here = !has_come && tby_position_same(&at, &pos);
        has_come |= is_here;
        for (size_t i = 0; i + 1 < n_moves; i++) {
            tby_position after = pos;
            tby_position_play(&after, list[i].move, NULL);
            list[i].games += is_here && ply < game->n && game->moves[ply] == list[i].move;
            list[i].reached += !is_counted[i] && tby_position_same(&at, &after);
            is_counted[i] |= tby_position_same(&at, &after);
        }
        if (ply < game->n)
            tby_position_play(&at, game->moves[ply], NULL);
    }
}

/* The counter stops reading a game once too few pieces are left to reach the position; the counts stay the same. */
TEST(test_next_moves__counts_are_those_of_whole_games)
{
    static played_game games[GAMES];
    uint64_t random = 7;
    tby_position start;
    tby_position_start(&start);
    for (size_t i = 0; i < GAMES; i++)
        games[i].n = random_moves(games[i].moves, PLIES, &start, &random);
    for (size_t ply = 0; ply < PLIES; ply += ply < 4 ? 1 : 7) {
        pos = start;
        for (size_t i = 0; i < ply && i < games[ply % 5].n; i++)
            tby_position_play(&pos, games[ply % 5].moves[i], NULL);
        n_moves = tby_next_moves_list(moves, &pos);
        memcpy(others, moves, n_moves * sizeof *moves);
        for (size_t i = 0; i < GAMES; i++) {
            uint8_t bytes[1024];
            const size_t n =
                tby_packed_encode(bytes, sizeof bytes, &start, games[i].moves, games[i].n, TBY_RESULT_NONE);
            assert_in_range(n, 1, sizeof bytes);
            tby_next_moves_count(moves, n_moves, &pos, bytes, n);
            count_simply(others, &games[i]);
        }
        for (size_t i = 0; i < n_moves; i++)
            assert_true(moves[i].games == others[i].games && moves[i].reached == others[i].reached);
    }
}

int main(void) { return tests_run(NULL, NULL); }
