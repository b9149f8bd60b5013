/*
 * test_db_find.c - searching and exploring: the answers are the same by index, by scan and by brute force.
 */
#include "db_support.h"

enum { GAMES = 1500 };

typedef struct store {
    tby_db *db;
    tby_game *games[GAMES + 1]; /* by number; NULL = deleted */
} store;

static store opened;

static int set_up(void **state)
{
    (void)state;
    db_remove(db_path("find"));
    opened.db = db_open(db_path("find"), TBY_DB_CREATE);
    for (unsigned i = 1; i <= GAMES; i++)
        opened.games[i] = db_game(i);
    db_add(opened.db, opened.games + 1, GAMES, TBY_DUPLICATES_SKIP);
    return db_n_games(opened.db) == GAMES ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= GAMES; i++)
        tby_game_free(opened.games[i]);
    tby_db_close(opened.db);
    db_remove(db_path("find"));
    return 0;
}

/* ---- Brute force ---------------------------------------------------------------------------------------- */

typedef struct answer {
    int plies[GAMES + 1]; /* by game; -1 = not found */
} answer;

static int first_ply(const tby_game *game, const tby_target *target, int max_ply)
{
    tby_move moves[256];
    const size_t n = tby_game_main_line(game, moves, 256);
    tby_position pos = *tby_game_start(game);
    for (size_t i = 0; i <= n && (int)i <= max_ply; i++) {
        if ((target->is_placement ? tby_placement_key(&pos.board) : tby_position_key(&pos)) == target->key)
            return (int)i;
        if (i < n)
            tby_position_play(&pos, moves[i], NULL);
    }
    return -1;
}

static bool take(void *context, const tby_db_hit *h)
{
    ((answer *)context)->plies[h->id] = h->ply;
    return true;
}

static void expect_answer(const tby_db_search *query, const answer *right)
{
    answer got;
    int64_t n = 0;
    memset(&got, 0xff, sizeof got);
    db_must(opened.db, tby_db_find(opened.db, query, take, &got));
    for (unsigned i = 1; i <= GAMES; i++) {
        if (got.plies[i] != right->plies[i])
            fail_msg("game %u: %d, not %d", i, got.plies[i], right->plies[i]);
        n += right->plies[i] >= 0;
    }
    assert_int_equal(db_count_search(opened.db, query), n);
}

/* A random position of a random game. */
static tby_position any_position(uint64_t *random)
{
    tby_move moves[256];
    const tby_game *game;
    do
        game = opened.games[1 + random_below(random, GAMES)];
    while (!game);
    const size_t n = tby_game_main_line(game, moves, 256), ply = random_below(random, (unsigned)n + 1);
    tby_position pos = *tby_game_start(game);
    for (size_t i = 0; i < ply; i++)
        tby_position_play(&pos, moves[i], NULL);
    return pos;
}

/* A query for a position, or for the placement of its pieces. */
static tby_query *query_of(const tby_position *pos, bool is_placement, int max_ply)
{
    char fen[TBY_FEN_SIZE], asked[TBY_FEN_SIZE + 40];
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    if (is_placement)
        fen[strcspn(fen, " ")] = '\0';
    snprintf(asked, sizeof asked, "%s \"%s\" ply ..%d", is_placement ? "board" : "fen", fen, max_ply);
    return db_query(asked);
}

static void check_positions(unsigned n_positions, uint64_t seed)
{
    for (unsigned i = 0; i < n_positions; i++) {
        const tby_position pos = any_position(&seed);
        const int max_ply = i % 3 ? TBY_PLIES_MAX : 1 + (int)random_below(&seed, 30);
        tby_target target;
        answer right;
        if (i % 4 == 3)
            tby_target_placement(&target, &pos.board);
        else
            tby_target_position(&target, &pos);
        memset(&right, 0xff, sizeof right);
        for (unsigned g = 1; g <= GAMES; g++)
            if (opened.games[g])
                right.plies[g] = first_ply(opened.games[g], &target, max_ply);
        tby_query *asked = query_of(&pos, i % 4 == 3, max_ply);
        tby_db_search query = {.query = asked};
        expect_answer(&query, &right);
        query.ignores_index = true;
        expect_answer(&query, &right);
        query.n_threads = 1;
        expect_answer(&query, &right);
        tby_query_free(asked);
    }
}

TEST(test_db_find__positions_are_found_without_an_index) { check_positions(60, 1); }

TEST(test_db_find__an_index_of_any_depth_changes_no_answer)
{
    static const int depths[] = {0, 12, TBY_INDEX_ALL};
    for (size_t i = 0; i < 3; i++) {
        db_must(opened.db, tby_db_index(opened.db, depths[i], NULL, NULL));
        check_positions(40, 2 + i);
        assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    }
}

/* ---- Exploring ------------------------------------------------------------------------------------------ */

static const tby_db_move *move_in(const tby_db_moves *table, tby_move m)
{
    for (size_t i = 0; i < table->n_moves + table->n_unplayed; i++)
        if (table->moves[i].move == m)
            return &table->moves[i];
    return NULL;
}

/* Counts, by brute force, the games that reach `pos` and the moves they play; nodes are counted by the targets of all
   legal moves. */
static void check_explore(const tby_position *pos)
{
    static tby_db_moves table, scanned;
    tby_move moves[256], legal[TBY_MOVES_MAX];
    tby_target target;
    uint64_t games = 0, ended = 0, played[TBY_MOVES_MAX] = {0}, nodes[TBY_MOVES_MAX] = {0};
    const size_t n_legal = tby_moves_list(legal, pos);
    tby_target_position(&target, pos);
    for (unsigned g = 1; g <= GAMES; g++) {
        if (!opened.games[g])
            continue;
        const size_t n = tby_game_main_line(opened.games[g], moves, 256);
        const int ply = first_ply(opened.games[g], &target, TBY_PLIES_MAX);
        games += ply >= 0;
        ended += ply >= 0 && (size_t)ply == n;
        for (size_t i = 0; i < n_legal; i++) {
            tby_position after = *pos;
            tby_target next;
            tby_position_play(&after, legal[i], NULL);
            tby_target_position(&next, &after);
            played[i] += ply >= 0 && (size_t)ply < n && moves[ply] == legal[i];
            nodes[i] += first_ply(opened.games[g], &next, TBY_PLIES_MAX) >= 0;
        }
    }
    db_must(opened.db, tby_db_explore(&table, opened.db, pos, NULL));
    const tby_db_search scan = {.ignores_index = true};
    db_must(opened.db, tby_db_explore(&scanned, opened.db, pos, &scan));
    assert_memory_equal(&table, &scanned, sizeof table);
    assert_int_equal(table.games, games);
    assert_int_equal(table.ended, ended);
    for (size_t i = 0; i < n_legal; i++) {
        const tby_db_move *m = move_in(&table, legal[i]);
        assert_int_equal(m ? m->games : 0, played[i]);
        assert_int_equal(m ? m->reached : 0, nodes[i]);
        if (m && m < table.moves + table.n_moves)
            assert_true(m->games > 0); /* moves that no game plays come last */
        if (m)
            assert_int_equal(m->results[0] + m->results[1] + m->results[2] + m->results[3], m->games);
    }
}

/* The games that reach a position and the moves they play there, by game, in whatever order they are reported. */
typedef struct passings {
    tby_db_reaching of[GAMES + 1];
    size_t n;
} passings;

static bool meet(void *context, const tby_db_reaching *game)
{
    passings *p = context;
    assert_int_equal(p->of[game->id].id, 0);
    p->of[game->id].id = game->id; /* member by member, because padding may be anything */
    p->of[game->id].ply = game->ply;
    p->of[game->id].next = game->next;
    p->of[game->id].facts = game->facts;
    p->n++;
    return true;
}

static void check_passing(const tby_db_reaching *got, unsigned id, const tby_target *target)
{
    tby_move moves[256];
    tby_row row;
    const size_t n = tby_game_main_line(opened.games[id], moves, 256);
    const int ply = first_ply(opened.games[id], target, TBY_PLIES_MAX);
    assert_int_equal(got->id, ply >= 0 ? id : 0);
    if (ply < 0)
        return;
    assert_int_equal(got->ply, ply);
    assert_int_equal(got->next, (size_t)ply < n ? moves[ply] : TBY_MOVE_NONE);
    db_must(opened.db, tby_db_row(&row, opened.db, id));
    assert_int_equal(got->facts.elo[0], row.elo[0]);
    assert_int_equal(got->facts.elo[1], row.elo[1]);
    assert_int_equal(got->facts.date, row.date);
    assert_int_equal(got->facts.result, row.result);
}

static void check_passings(const tby_position *pos)
{
    static passings indexed, scanned;
    const tby_db_search scan = {.ignores_index = true};
    tby_target target;
    memset(&indexed, 0, sizeof indexed);
    memset(&scanned, 0, sizeof scanned);
    tby_target_position(&target, pos);
    db_must(opened.db, tby_db_explore_games(opened.db, pos, NULL, meet, &indexed));
    db_must(opened.db, tby_db_explore_games(opened.db, pos, &scan, meet, &scanned));
    assert_memory_equal(&indexed, &scanned, sizeof indexed);
    for (unsigned id = 1; id <= GAMES; id++)
        if (opened.games[id])
            check_passing(&indexed.of[id], id, &target);
        else
            assert_int_equal(indexed.of[id].id, 0);
}

static bool visit_one(void *context, const tby_db_reaching *game)
{
    (void)game;
    return ++*(size_t *)context < 1;
}

TEST(test_db_find__the_explorer_reports_which_games_reach_a_position)
{
    uint64_t seed = 78;
    size_t n = 0;
    tby_position start;
    static passings found;
    tby_position_start(&start);
    check_passings(&start);
    for (int i = 0; i < 6; i++) {
        const tby_position pos = any_position(&seed);
        check_passings(&pos);
    }
    memset(&found, 0, sizeof found);
    tby_query *asked = tby_query_new("result 1-0", 10, NULL, NULL, NULL);
    const tby_db_search among = {.query = asked, .limit = 1};
    db_must(opened.db, tby_db_explore_games(opened.db, &start, &among, meet, &found));
    assert_int_equal(found.n, db_count(opened.db, "result 1-0"));
    tby_query_free(asked);
    assert_int_equal(tby_db_explore_games(opened.db, &start, NULL, visit_one, &n), TBY_INTERRUPTED);
    assert_int_equal(n, 1);
}

/* Of these games, those with a result, which a survey counts. */
static uint64_t n_decided(const passings *p)
{
    uint64_t n = 0;
    for (size_t id = 0; id < sizeof p->of / sizeof *p->of; id++)
        n += p->of[id].id && p->of[id].facts.result != TBY_RESULT_NONE;
    return n;
}

/* For a rare position, the search checks only the games that reach it; the answers must be those of a search among all
   games. */
static void check_survey(const tby_position *pos, const char *query)
{
    static passings passed, asked;
    static tby_db_survey survey;
    tby_query *q = tby_query_new(query, strlen(query), NULL, NULL, NULL);
    const tby_db_search among = {.query = q}, scan = {.query = q, .ignores_index = true};
    const tby_db_survey_options options = {.among = &among, .n_top = 5, .n_recent = TBY_SURVEY_LISTED};
    uint64_t n = 0;
    assert_non_null(q);
    memset(&passed, 0, sizeof passed);
    memset(&asked, 0, sizeof asked);
    db_must(opened.db, tby_db_explore_games(opened.db, pos, &among, meet, &passed));
    db_must(opened.db, tby_db_explore_games(opened.db, pos, &scan, meet, &asked));
    assert_memory_equal(&passed, &asked, sizeof passed);
    db_must(opened.db, tby_db_survey_position(&survey, opened.db, pos, &options));
    assert_int_equal(survey.games, n_decided(&passed));
    assert_int_equal(survey.results[TBY_RESULT_NONE], 0);
    for (size_t i = 0; i < survey.n_moves; i++)
        n += survey.moves[i].games;
    assert_int_equal(n + survey.ended, survey.games);
    for (size_t i = 0; i < survey.n_top; i++)
        assert_int_not_equal(passed.of[survey.top[i].id].facts.result, TBY_RESULT_NONE);
    for (size_t i = 1; i < survey.n_top; i++)
        assert_true(tby_order_elo_twice(passed.of[survey.top[i - 1].id].facts.elo) >=
                    tby_order_elo_twice(passed.of[survey.top[i].id].facts.elo));
    for (size_t i = 1; i < survey.n_recent; i++)
        assert_true(passed.of[survey.recent[i - 1].id].facts.date >= passed.of[survey.recent[i].id].facts.date);
    tby_db_survey_free(&survey);
    tby_query_free(q);
}

TEST(test_db_find__a_survey_counts_the_games_of_a_query)
{
    static const char *const queries[] = {
        "result 1-0",  "elo 2000.. or date 2000..", "mean-elo 2000..", "not speed blitz", "speed ultrabullet",
        "mode casual", "player a or rated",         "plies ..60",      "check",           "id 1..100 not rated"};
    uint64_t seed = 79;
    tby_position start;
    tby_position_start(&start);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const tby_position pos = any_position(&seed);
        check_survey(&start, queries[i]);
        check_survey(&pos, queries[i]);
    }
}

TEST(test_db_find__a_survey_lists_no_more_games_than_there_is_space_for)
{
    static tby_db_survey survey;
    const tby_db_survey_options options = {.n_top = TBY_SURVEY_LISTED + 1};
    tby_position start;
    tby_position_start(&start);
    assert_int_equal(tby_db_survey_position(&survey, opened.db, &start, &options), TBY_TOO_LONG);
    tby_db_survey_free(&survey);
}

static bool compare_facts(void *context, const tby_db_hit *h)
{
    tby_db_facts facts;
    tby_row row;
    db_must(opened.db, tby_db_facts_of(&facts, opened.db, h->id));
    db_must(opened.db, tby_db_row(&row, opened.db, h->id));
    ++*(int64_t *)context;
    return facts.elo[0] == row.elo[0] && facts.elo[1] == row.elo[1] && facts.date == row.date &&
           facts.result == row.result;
}

TEST(test_db_find__the_facts_of_a_game_match_its_row)
{
    int64_t n = 0;
    tby_db_facts facts;
    const tby_db_search all = {.limit = 0};
    db_must(opened.db, tby_db_find(opened.db, &all, compare_facts, &n));
    assert_int_equal(n, db_n_games(opened.db));
    db_must(opened.db, tby_db_facts_of(&facts, opened.db, 1)); /* outside a search too */
    assert_int_equal(tby_db_facts_of(&facts, opened.db, GAMES + 1), TBY_NOT_FOUND);
}

TEST(test_db_find__the_explorer_counts_what_was_played)
{
    uint64_t seed = 77;
    tby_position start;
    tby_position_start(&start);
    check_explore(&start);
    for (int i = 0; i < 6; i++) {
        const tby_position pos = any_position(&seed);
        check_explore(&pos);
    }
}

/* ---- Other conditions ----------------------------------------------------------------------------------- */

static int64_t count(const char *asked) { return db_count(opened.db, asked); }

TEST(test_db_find__names_match_by_words_and_by_patterns)
{
    assert_int_equal(count("white \"adams, anna\""), GAMES / 4);
    assert_int_equal(count("white ADAMS*"), GAMES / 4);
    assert_int_equal(count("white Adams"), GAMES / 4);
    assert_int_equal(count("white =Adams"), 0);
    assert_int_equal(count("white muller"), GAMES / 4);
    assert_int_equal(count("white \"O'Hara_100%\""), GAMES / 4);
    assert_int_equal(count("white \"O'Hara*%\""), GAMES / 4);
    assert_int_equal(count("white \"%\""), 0);
    assert_int_equal(count("white \"*_1*\""), GAMES / 4);
    assert_int_equal(count("white \"*\""), GAMES);
    assert_int_equal(count("event c* white Brown"), GAMES / 4);
    assert_int_equal(count("not white Brown"), GAMES - GAMES / 4);
    assert_int_equal(count("white \"\""), 0);
}

TEST(test_db_find__ranges_include_their_ends)
{
    int64_t n = 0;
    for (unsigned i = 1; i <= GAMES; i++) {
        tby_move moves[256];
        const size_t plies = tby_game_main_line(opened.games[i], moves, 256);
        n += plies >= 10 && plies <= 20;
    }
    assert_int_equal(count("plies 10..20"), n);
    assert_int_equal(count("date 2019.05.31"), GAMES / 2); /* or may be on that day */
    assert_int_equal(count("date 2020.02..2020"), GAMES / 4);
    assert_int_equal(count("date 2020.03.."), 0);
    assert_int_equal(count("result 1-0"), GAMES / 4);
    assert_int_equal(count("elo 1.."), 0); /* Black's ratings are unknown */
    assert_int_equal(count("id 3..5 or id 9"), 4);
    const tby_db_search where = {.where = "white_elo = 2100 AND date >= '2019'"};
    assert_int_equal(db_count_search(opened.db, &where), 1);
}

/* Without indexes, SQL decides by the rows. */
TEST(test_db_find__records_decide_dates_as_rows_do)
{
    static const char *const queries[] = {
        "date 2019",         "date 2019..",
        "date ..2019",       "date 2019.05",
        "date 2019.05..",    "date 2019.05.15..",
        "date ..2019.05.15", "date 2019.05.31..",
        "date 2019.06..",    "date 2019.06.15..2020.01.15",
        "date 2020.02.01",   "date 2020.02.29..",
        "date 2020.03..",    "date ..1900",
        "not date 2019..",   "date 2019.05.15.. or result 1-0",
    };
    int64_t n_found = 0;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        tby_query *asked = db_query(queries[i]);
        const tby_db_search by_records = {.query = asked}, by_rows = {.query = asked, .ignores_index = true};
        assert_int_equal(db_count_search(opened.db, &by_records), db_count_search(opened.db, &by_rows));
        n_found += db_count_search(opened.db, &by_records) > 0;
        tby_query_free(asked);
    }
    assert_true(n_found > 8);
}

TEST(test_db_find__an_opening_is_a_prefix)
{
    uint64_t seed = 5;
    for (int i = 0; i < 30; i++) {
        const tby_game *some = opened.games[1 + random_below(&seed, GAMES)];
        tby_move line[256], moves[256];
        char asked[4096] = "opening \"";
        int64_t n = 0;
        const size_t n_line = random_below(&seed, (unsigned)tby_game_main_line(some, line, 256) + 1);
        tby_position pos = *tby_game_start(some);
        for (size_t k = 0; k < n_line; k++) {
            tby_uci_write(asked + strlen(asked), TBY_UCI_SIZE, &pos, line[k], 0);
            strcat(asked, " ");
            tby_position_play(&pos, line[k], NULL);
        }
        strcat(asked, "\"");
        if (n_line == 0)
            continue;
        for (unsigned g = 1; g <= GAMES; g++) {
            const size_t n_moves = tby_game_main_line(opened.games[g], moves, 256);
            n += n_moves >= n_line && memcmp(moves, line, n_line * sizeof *line) == 0;
        }
        assert_int_equal(count(asked), n);
    }
}

/* No game here has an ECO tag. */
TEST(test_db_find__games_without_a_tag_get_the_code_of_their_moves)
{
    int64_t n = 0;
    for (unsigned g = 1; g <= GAMES; g++) {
        tby_move moves[256];
        uint8_t bytes[600];
        tby_opening opening;
        const size_t n_moves = tby_game_main_line(opened.games[g], moves, 256);
        const size_t n_bytes =
            tby_packed_encode(bytes, sizeof bytes, tby_game_start(opened.games[g]), moves, n_moves, TBY_RESULT_NONE);
        n += tby_opening_of_chessgame(&opening, bytes, n_bytes) >= 0 && strcmp(opening.eco, "A00") == 0;
    }
    assert_true(n > 0);
    assert_int_equal(count("eco a00"), n);
    assert_int_equal(count("eco A00..A00"), n);
}

TEST(test_db_find__limit_and_offset_cover_everything)
{
    tby_position start;
    tby_position_start(&start);
    tby_query *asked[] = {NULL, query_of(&start, false, 100), db_query("wtm"), db_query("white adams or plies 0..")};
    for (int i = 0; i < 4; i++) {
        int64_t n = 0;
        for (int64_t offset = 0; offset < GAMES + 100; offset += 100) {
            const tby_db_search search = {.limit = 100, .offset = offset, .query = asked[i]};
            n += db_count_search(opened.db, &search);
        }
        assert_int_equal(n, GAMES);
        tby_query_free(asked[i]);
    }
}

TEST(test_db_find__a_wrong_condition_is_an_error)
{
    const tby_db_search wrong = {.where = "no such column"};
    assert_int_equal(db_count_search(opened.db, &wrong), -1);
    assert_non_null(strstr(tby_db_failure(opened.db)->text, "syntax error"));
}

/* ---- Changing ------------------------------------------------------------------------------------------- */

TEST(test_db_find__small_additions_and_deletions_result_in_the_counts_of_a_new_database)
{
    static tby_db_moves grown, made_new;
    const tby_db_search scan = {.ignores_index = true};
    tby_position start;
    tby_position_start(&start);
    db_remove(db_path("grown"));
    tby_db *db = db_open(db_path("grown"), TBY_DB_CREATE);
    for (unsigned i = 1; i <= 200; i += 4) {
        const tby_game_id gone = i / 2 + 1;
        db_add_range(db, i, i + 3);
        db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
        if (i % 8 == 1)
            assert_int_equal(db_delete(db, &gone, 1), 1);
    }
    /* the games that are left, in a separate database */
    db_remove(db_path("new"));
    tby_db *fresh = db_open(db_path("new"), TBY_DB_CREATE);
    for (tby_game_id id = 1; id <= 400; id++) {
        tby_game *game = new_game();
        if (tby_db_game(game, db, id) == TBY_OK)
            db_add(fresh, &game, 1, TBY_DUPLICATES_KEEP);
        tby_game_free(game);
    }
    assert_int_equal(db_n_games(db), db_n_games(fresh));
    db_must(db, tby_db_explore(&grown, db, &start, NULL));
    db_must(fresh, tby_db_explore(&made_new, fresh, &start, &scan));
    assert_memory_equal(&grown, &made_new, sizeof grown);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    /* add the deleted ones again */
    db_add_range(db, 1, 200);
    db_add_range(fresh, 1, 200);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    db_must(db, tby_db_explore(&grown, db, &start, NULL));
    db_must(fresh, tby_db_explore(&made_new, fresh, &start, &scan));
    assert_memory_equal(&grown, &made_new, sizeof grown);
    assert_int_equal(db_n_games(db), 200);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_db_close(db);
    tby_db_close(fresh);
    db_remove(db_path("grown"));
    db_remove(db_path("new"));
}

/* More games than fit in a block of sketches, so that threads have work to share. */
TEST(test_db_find__threads_change_no_answer)
{
    enum { MANY = 9000, STEP = 500 };
    uint64_t random = 31;
    int64_t expected = 0;
    db_remove(db_path("threads"));
    tby_db *db = db_open(db_path("threads"), TBY_DB_CREATE);
    tby_position after_e4;
    tby_position_start(&after_e4);
    tby_position_play(&after_e4, TBY_MOVE(12, 28, 0), NULL);
    for (int i = 0; i < MANY; i += STEP) {
        tby_game *games[STEP];
        for (int k = 0; k < STEP; k++) {
            games[k] = new_game();
            if (random_below(&random, 3) == 0) {
                add_move(games[k], add_move(games[k], TBY_ROOT, "e2e4"), random_below(&random, 2) ? "e7e5" : "c7c5");
                expected++;
            } else
                db_random_line(games[k], &random, 4, 2);
        }
        db_add(db, games, STEP, TBY_DUPLICATES_KEEP);
        for (int k = 0; k < STEP; k++)
            tby_game_free(games[k]);
    }
    tby_query *asked = query_of(&after_e4, false, 100);
    for (unsigned n_threads = 1; n_threads <= 5; n_threads++) {
        const tby_db_search query = {.query = asked, .n_threads = n_threads};
        assert_int_equal(db_count_search(db, &query), expected);
    }
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    const tby_db_search by_index = {.query = asked};
    assert_int_equal(db_count_search(db, &by_index), expected);
    tby_query_free(asked);
    tby_db_close(db);
    db_remove(db_path("threads"));
}

TEST(test_db_find__deleted_games_are_not_found)
{
    tby_game_id ids[GAMES / 3];
    size_t n = 0;
    for (unsigned i = 3; i <= GAMES; i += 3) {
        ids[n++] = i;
        tby_game_free(opened.games[i]);
        opened.games[i] = NULL;
    }
    assert_int_equal(db_delete(opened.db, ids, n), n);
    check_positions(40, 9);
    uint64_t seed = 3;
    const tby_position pos = any_position(&seed);
    check_explore(&pos);
    check_passings(&pos);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
}

int main(void) { return tests_run(set_up, tear_down); }
