/*
 * facts.c - the facts of the query language, one row each.
 */
#include "query/facts.h"
#include "base/text.h"

#include <stddef.h>

/* ---- Building blocks of rows ---------------------------------------------------------------------------- */

/* Evaluators: run_board.c, run_move.c, run_ply.c, run_notes.c, run_shift.c; run_game.c and human.c. */
ply_evaluator run_pieces_fact, run_count, run_material, run_opposite_bishops, run_placement, run_castling, run_check,
    run_double_check, run_attacks;
ply_evaluator run_move, run_castles, run_en_passant, run_path;
ply_evaluator run_side, run_ply, run_moveno, run_terminal, run_end, run_insufficient, run_repeats;
ply_evaluator run_eval, run_clock, run_nag, run_comment;
game_evaluator run_human, run_chess960;
game_evaluator run_timecontrol, run_termination, run_title, run_white_title, run_black_title, run_tag, run_named,
    run_eco, run_date, run_plies, run_id, run_result, run_speed, run_opening, run_annotated, run_collection;

enum { ROW = TBY_QUERY_NEEDS_ROW, MOVES = TBY_QUERY_NEEDS_MOVES, NOTES = TBY_QUERY_NEEDS_ANNOTATED };

/* One line per row is easier to read than one line per member. */
/* clang-format off */
#define AT(member) offsetof(tby_row, member)
#ifdef TBY_QUERY_TEXT_ONLY /* the web page reads and explains queries, and leaves games to the server */
#define RUN(evaluator) .run = NULL
#define HOLDS(evaluator) .holds = NULL
#define MAY(evaluator) .may_hold = NULL
#else
#define RUN(evaluator) .run = evaluator
#define HOLDS(evaluator) .holds = evaluator
#define MAY(evaluator) .may_hold = evaluator
#endif
#define ON_PLAYERS .columns = {{"white", AT(white)}, {"black", AT(black)}}
#define ON_RATINGS .columns = {{"white_elo", AT(elo[TBY_WHITE])}, {"black_elo", AT(elo[TBY_BLACK])}}
#define ON_NOTES .columns = {{"annotated", AT(annotated)}}, .scope = SCOPE_NOTE, .needs = MOVES | NOTES, .cost = 100
#define ON_TAGS .columns = {{"tags", AT(tags)}}, .scope = SCOPE_GAME, .needs = ROW, .cost = 8
#define OF_GAME .scope = SCOPE_GAME, .needs = ROW
#define OF_PLY .scope = SCOPE_PLY, .needs = MOVES
#define OF_MOVE .scope = SCOPE_MOVE, .needs = MOVES
#define CASTLES                                                                                                        \
    .value = VALUE_NONE, OF_MOVE, .cost = 14, RUN(run_castles), .transform = turn_castles, .stood = STOOD_MARK

/* ---- The table ------------------------------------------------------------------------------------------ */

const query_fact query_facts[] = {
    /* Combinations of other nodes. */
    [Q_SEQUENCE] = {.value = VALUE_NODES},
    [Q_CHAIN] = {.value = VALUE_NODES},
    [Q_FOR] = {"for", .value = VALUE_JOIN, OF_PLY},
    [Q_GROUP] = {.value = VALUE_NODES},
    [Q_OR] = {"or", .value = VALUE_JOIN},
    [Q_AND] = {"and", .value = VALUE_JOIN},
    [Q_NOT] = {"not", .value = VALUE_PREFIX},
    [Q_EITHER] = {"either", .value = VALUE_PREFIX},
    [Q_MIRROR] = {"mirror", .value = VALUE_PREFIX},
    [Q_SHIFT] = {"shift", .value = VALUE_PREFIX, OF_PLY, RUN(run_shift)},
    [Q_EVER] = {"ever", .value = VALUE_PREFIX, .scope = SCOPE_GAME, .needs = MOVES},
    [Q_NEVER] = {"never", .value = VALUE_PREFIX, .scope = SCOPE_GAME, .needs = MOVES},
    [Q_ALWAYS] = {"always", .value = VALUE_PREFIX, .scope = SCOPE_GAME, .needs = MOVES},
    [Q_PATTERN] = {.value = VALUE_NODES},
    [Q_TRUE] = {.value = VALUE_NODES, .scope = SCOPE_GAME, .cost = 1},
    [Q_FALSE] = {.value = VALUE_NODES, .scope = SCOPE_GAME, .cost = 1},
    [Q_SOON] = {.value = VALUE_NODES, OF_PLY},

    /* The position: pieces. */
    [Q_PIECES] = {.value = VALUE_PIECES, OF_PLY, .cost = 12, RUN(run_pieces_fact), .transform = turn_pieces,
        MAY(may_pieces), .stood = STOOD_PIECES},
    [Q_COUNT] = {.value = VALUE_COUNT, OF_PLY, .cost = 14, RUN(run_count), MAY(may_count),
        .stood = STOOD_COUNT},
    [Q_TERM_PIECES] = {.value = VALUE_PIECES, OF_PLY, .cost = 14, .transform = turn_pieces},
    [Q_TERM_NUMBER] = {.value = VALUE_NUMBER, OF_PLY, .cost = 14},
    [Q_TERM_POINTS] = {"points", .value = VALUE_SUM, OF_PLY, .cost = 14, .number = 1, .transform = turn_points},
    [Q_TERM_LEGAL] = {"legal", .value = VALUE_SUM, OF_PLY, .cost = 70},
    [Q_MATERIAL] = {.value = VALUE_MATERIAL, OF_PLY, .cost = 14, RUN(run_material),
        .transform = turn_material, MAY(may_material)},
    [Q_ATTACKS] = {"attacks", .value = VALUE_ATTACKS, OF_PLY, .cost = 40, RUN(run_attacks),
        .transform = turn_pieces, .stood = STOOD_ATTACK},
    [Q_FEN] = {"fen", .value = VALUE_POSITION, OF_PLY, .cost = 12, RUN(run_placement),
        .transform = turn_board},
    [Q_BOARD] = {"board", .value = VALUE_POSITION, OF_PLY, .cost = 12, RUN(run_placement),
        .transform = turn_board},

    /* The move played. */
    [Q_MOVE] = {.value = VALUE_MOVE, OF_MOVE, .cost = 20, RUN(run_move), .transform = turn_pieces,
        MAY(may_promote), .stood = STOOD_MOVE},
    [Q_PATH] = {.value = VALUE_PATH, OF_MOVE, .cost = 20, RUN(run_path), .transform = turn_path,
        .stood = STOOD_PATH, .looks_to_end = true},

    /* The game. */
    [Q_ECO] = {"eco", .value = VALUE_CODES, OF_GAME, .cost = 2, .columns = {{"eco", AT(eco)}}, HOLDS(run_eco)},
    [Q_ELO] = {"elo", .value = VALUE_RANGE, OF_GAME, .cost = 1, ON_RATINGS, .least = 1},
    [Q_DATE] = {"date", .value = VALUE_DATES, OF_GAME, .cost = 2, .columns = {{"date", AT(date)}},
        .kinds = KIND(COLUMN_DAY), HOLDS(run_date)},
    [Q_OPENING] = {"opening", .value = VALUE_OPENING, .scope = SCOPE_GAME, .needs = MOVES, .cost = 2,
        .columns = {{"moves", AT(moves)}}, HOLDS(run_opening)},

    /* Facts without a named type. The position, the ply and the rules: */
    {"check", .value = VALUE_NONE, OF_PLY, .cost = 30, RUN(run_check)},
    {"double-check", .value = VALUE_NONE, OF_PLY, .cost = 30, RUN(run_double_check)},
    {"mate", .value = VALUE_NONE, OF_PLY, .cost = 11, .number = 1, RUN(run_end), .stood = STOOD_MARK, .mark = MARK_MATE},
    {"stalemate", .value = VALUE_NONE, OF_PLY, .cost = 11, RUN(run_end), .stood = STOOD_MARK,
     .mark = MARK_STALEMATE},
    {"insufficient-material", .value = VALUE_NONE, OF_PLY, .cost = 12, RUN(run_insufficient)},
    {"wtm", .value = VALUE_NONE, OF_PLY, .cost = 10, .number = TBY_WHITE, RUN(run_side), .flipped = "btm"},
    {"btm", .value = VALUE_NONE, OF_PLY, .cost = 10, .number = TBY_BLACK, RUN(run_side), .flipped = "wtm"},
    {"initial", .value = VALUE_NONE, OF_PLY, .cost = 10, RUN(run_ply), .ply_unit = 1}, /* the range 0..0 */
    {"terminal", .value = VALUE_NONE, OF_PLY, .cost = 10, RUN(run_terminal), .looks_to_end = true},
    {"ply", .value = VALUE_RANGE, OF_PLY, .cost = 10, RUN(run_ply), .ply_unit = 1},
    {"moveno", .value = VALUE_RANGE, OF_PLY, .cost = 10, RUN(run_moveno), .ply_unit = 2},
    {"castling", .value = VALUE_RIGHTS, OF_PLY, .cost = 14, RUN(run_castling), .transform = turn_rights},
    {"repeats", .value = VALUE_NUMBER, OF_PLY, .cost = 80, RUN(run_repeats)},
    {"opposite-bishops", .value = VALUE_NONE, OF_PLY, .cost = 14, RUN(run_opposite_bishops),
     MAY(may_opposite_bishops)},

    /* The move played: */
    {"o-o", CASTLES, .number = RIGHT_BLACK_SHORT, .flipped = "O-O"},
    {"o-o-o", CASTLES, .number = RIGHT_BLACK_LONG, .flipped = "O-O-O"},
    {"O-O", CASTLES, .number = RIGHT_WHITE_SHORT, .flipped = "o-o"},
    {"O-O-O", CASTLES, .number = RIGHT_WHITE_LONG, .flipped = "o-o-o"},
    {"e.p.", .value = VALUE_NONE, OF_MOVE, .cost = 14, RUN(run_en_passant), .stood = STOOD_MARK,
     .mark = MARK_EN_PASSANT},

    /* Notes: */
    {"eval", .value = VALUE_COMPARED, ON_NOTES, RUN(run_eval), .transform = turn_eval},
    {"clock", .value = VALUE_COMPARED, ON_NOTES, RUN(run_clock)},
    {"nag", .value = VALUE_NAG, ON_NOTES, RUN(run_nag)},
    {"comment", .value = VALUE_TEXT, ON_NOTES, RUN(run_comment)},

    /* The game: */
    {"white", .value = VALUE_TEXT, OF_GAME, .cost = 4, .columns = {{"white", AT(white)}}, .flipped = "black"},
    {"black", .value = VALUE_TEXT, OF_GAME, .cost = 4, .columns = {{"black", AT(black)}}, .flipped = "white"},
    {"player", .value = VALUE_TEXT, OF_GAME, .cost = 4, ON_PLAYERS, .of = OF_ANY},
    {"event", .value = VALUE_TEXT, OF_GAME, .cost = 4, .columns = {{"event", AT(event)}}},
    {"site", .value = VALUE_TEXT, OF_GAME, .cost = 4, .columns = {{"site", AT(site)}}},
    {"place", .value = VALUE_TEXT, OF_GAME, .cost = 4, .columns = {{"event", AT(event)}, {"site", AT(site)}}, .of = OF_ANY},
    {"round", .value = VALUE_TEXT, OF_GAME, .cost = 4, .columns = {{"round", AT(round)}}},
    {"rated", .value = VALUE_NONE, OF_GAME, .cost = 4, .columns = {{"event", AT(event)}}, .text = "rated"},
    {"mode", .value = VALUE_MODE, OF_GAME},
    {"timecontrol", .value = VALUE_TEXT, ON_TAGS, .kinds = KIND(COLUMN_SHAPE), HOLDS(run_timecontrol)},
    {"termination", .value = VALUE_TEXT, ON_TAGS, .kinds = KIND(COLUMN_SHAPE), HOLDS(run_termination)},
    {"title", .value = VALUE_TEXT, ON_TAGS, .kinds = KIND(COLUMN_SHAPE), HOLDS(run_title)},
    {"white-title", .value = VALUE_TEXT, ON_TAGS, HOLDS(run_white_title), .flipped = "black-title"},
    {"black-title", .value = VALUE_TEXT, ON_TAGS, HOLDS(run_black_title), .flipped = "white-title"},
    {"fischer-random", .value = VALUE_NONE, ON_TAGS, HOLDS(run_chess960)},
    {"human", .value = VALUE_NONE, OF_GAME, .cost = 8, ON_PLAYERS, .kinds = KIND(COLUMN_JSON), HOLDS(run_human)},
    {"tag", .value = VALUE_TAG, ON_TAGS, .kinds = KIND(COLUMN_SHAPE) | KIND(COLUMN_NAME), HOLDS(run_tag)},
    {"named", .value = VALUE_TEXT, .scope = SCOPE_GAME, .needs = MOVES, .cost = 80, HOLDS(run_named)},
    {"white-elo", .value = VALUE_RANGE, OF_GAME, .cost = 1, .columns = {{"white_elo", AT(elo[TBY_WHITE])}}, .least = 1,
     .flipped = "black-elo"},
    {"black-elo", .value = VALUE_RANGE, OF_GAME, .cost = 1, .columns = {{"black_elo", AT(elo[TBY_BLACK])}}, .least = 1,
     .flipped = "white-elo"},
    {"any-elo", .value = VALUE_RANGE, OF_GAME, .cost = 1, ON_RATINGS, .of = OF_ANY, .least = 1},
    {"elo-diff", .value = VALUE_SIGNED, OF_GAME, .cost = 1, ON_RATINGS, .of = OF_DIFFERENCE, .least = 1},
    {"mean-elo", .value = VALUE_RANGE, OF_GAME, .cost = 1, ON_RATINGS, .of = OF_MEAN, .least = 1},
    {"plies", .value = VALUE_RANGE, .scope = SCOPE_GAME, .needs = MOVES, .cost = 1, .columns = {{"plies", AT(plies)}},
     HOLDS(run_plies), .looks_to_end = true},
    {"id", .value = VALUE_RANGE, .scope = SCOPE_GAME, .needs = TBY_QUERY_NEEDS_ID, .cost = 1, .columns = {{"id", 0}},
     .least = 1, HOLDS(run_id)},
    {"collection", .value = VALUE_TEXT, .scope = SCOPE_GAME, .needs = TBY_QUERY_NEEDS_ID | TBY_QUERY_NEEDS_COLLECTIONS,
     .cost = 3, HOLDS(run_collection)},
    {"result", .value = VALUE_RESULT, .scope = SCOPE_GAME, .needs = MOVES, .cost = 1,
     .columns = {{"result", AT(result)}}, HOLDS(run_result), .transform = turn_result},
    {"speed", .value = VALUE_SPEED, OF_GAME, .cost = 1, .columns = {{"speed", AT(speed)}},
     .kinds = KIND(COLUMN_JSON), HOLDS(run_speed)},
    {"annotated", .value = VALUE_NONE, .scope = SCOPE_GAME, .needs = NOTES, .cost = 100,
     .columns = {{"annotated", AT(annotated)}}, HOLDS(run_annotated)},
};
/* clang-format on */
const size_t n_query_facts = sizeof query_facts / sizeof *query_facts;

const char *tby_query_word_at(size_t index)
{
    for (const query_fact *f = query_facts; f < query_facts + n_query_facts; f++)
        if (f->word && index-- == 0)
            return f->word;
    return NULL;
}

const query_fact *fact_find(const char *word, size_t n)
{
    for (const query_fact *f = query_facts; f < query_facts + n_query_facts; f++)
        if (f->word && text_is(word, n, f->word))
            return f;
    return NULL;
}
