/*
 * words.c - the words of the query language, and how much a misspelt one resembles them.
 */
#include "query/words.h"

enum { ROW = TBY_QUERY_NEEDS_ROW, MOVES = TBY_QUERY_NEEDS_MOVES, NOTES = TBY_QUERY_NEEDS_ANNOTATED };

static const query_word words[] = {
    {"and", WORD_JOIN, Q_AND, 0, 0},
    {"or", WORD_JOIN, Q_OR, 0, 0},
    {"for", WORD_JOIN, Q_FOR, 0, 0},
    {"attacks", WORD_JOIN, Q_ATTACKS, 0, 0},
    {"not", WORD_PREFIX, Q_NOT, 0, 0},
    {"either", WORD_PREFIX, Q_EITHER, 0, 0},
    {"mirror", WORD_PREFIX, Q_MIRROR, 0, 0},
    {"shift", WORD_PREFIX, Q_SHIFT, 0, 0},
    {"ever", WORD_PREFIX, Q_EVER, 0, 0},
    {"never", WORD_PREFIX, Q_NEVER, 0, 0},
    {"always", WORD_PREFIX, Q_ALWAYS, 0, 0},
    {"points", WORD_SUM, Q_TERM_POINTS, MOVES, 1},
    {"legal", WORD_SUM, Q_TERM_LEGAL, MOVES, 0},
    {"check", WORD_PLAIN, Q_CHECK, MOVES, 0},
    {"mate", WORD_PLAIN, Q_MATE, MOVES, 0},
    {"stalemate", WORD_PLAIN, Q_STALEMATE, MOVES, 0},
    {"wtm", WORD_PLAIN, Q_SIDE, MOVES, TBY_WHITE},
    {"btm", WORD_PLAIN, Q_SIDE, MOVES, TBY_BLACK},
    {"initial", WORD_PLAIN, Q_INITIAL, MOVES, 0},
    {"terminal", WORD_PLAIN, Q_TERMINAL, MOVES, 0},
    {"ply", WORD_RANGE, Q_PLY, MOVES, 0},
    {"moveno", WORD_RANGE, Q_MOVENO, MOVES, 0},
    {"castling", WORD_RIGHTS, Q_CASTLING, MOVES, 0},
    {"repeats", WORD_NUMBER, Q_REPEATS, MOVES, 0},
    {"opposite-bishops", WORD_PLAIN, Q_OPPOSITE_BISHOPS, MOVES, 0},
    {"fen", WORD_POSITION, Q_FEN, MOVES, 0},
    {"board", WORD_POSITION, Q_BOARD, MOVES, 0},
    {"o-o", WORD_PLAIN, Q_CASTLES, MOVES, RIGHT_BLACK_SHORT},
    {"o-o-o", WORD_PLAIN, Q_CASTLES, MOVES, RIGHT_BLACK_LONG},
    {"eval", WORD_COMPARED, Q_EVAL, MOVES | NOTES, 0},
    {"clock", WORD_COMPARED, Q_CLOCK, MOVES | NOTES, 0},
    {"nag", WORD_NAG, Q_NAG, MOVES | NOTES, 0},
    {"comment", WORD_TEXT, Q_COMMENT, MOVES | NOTES, 0},
    {"white", WORD_TEXT, Q_WHITE, ROW, 0},
    {"black", WORD_TEXT, Q_BLACK, ROW, 0},
    {"player", WORD_TEXT, Q_PLAYER, ROW, 0},
    {"event", WORD_TEXT, Q_EVENT, ROW, 0},
    {"site", WORD_TEXT, Q_SITE, ROW, 0},
    {"round", WORD_TEXT, Q_ROUND, ROW, 0},
    {"timecontrol", WORD_TEXT, Q_TIMECONTROL, ROW, 0},
    {"termination", WORD_TEXT, Q_TERMINATION, ROW, 0},
    {"title", WORD_TEXT, Q_TITLE, ROW, 0},
    {"named", WORD_TEXT, Q_NAMED, MOVES, 0},
    {"tag", WORD_TAG, Q_TAG, ROW, 0},
    {"eco", WORD_CODES, Q_ECO, ROW, 0},
    {"elo", WORD_RANGE, Q_ELO, ROW, 0},
    {"white-elo", WORD_RANGE, Q_WHITE_ELO, ROW, 0},
    {"black-elo", WORD_RANGE, Q_BLACK_ELO, ROW, 0},
    {"any-elo", WORD_RANGE, Q_ANY_ELO, ROW, 0},
    {"mean-elo", WORD_RANGE, Q_MEAN_ELO, ROW, 0},
    {"date", WORD_DATES, Q_DATE, ROW, 0},
    {"plies", WORD_RANGE, Q_PLIES, MOVES, 0},
    {"id", WORD_RANGE, Q_ID, TBY_QUERY_NEEDS_ID, 0},
    {"result", WORD_RESULT, Q_RESULT, MOVES, 0},
    {"speed", WORD_SPEED, Q_SPEED, ROW, 0},
    {"opening", WORD_OPENING, Q_OPENING, MOVES, 0},
    {"rated", WORD_PLAIN, Q_RATED, ROW, 0},
    {"mode", WORD_MODE, Q_RATED, ROW, 0}, /* written as "rated" and "not rated" */
    {"annotated", WORD_PLAIN, Q_ANNOTATED, NOTES, 0},
};
enum { N_WORDS = sizeof words / sizeof *words };

const query_word *tby_query_word_at(size_t index) { return index < N_WORDS ? &words[index] : NULL; }

const query_word *tby_query_word_find(const char *s, size_t n)
{
    for (size_t i = 0; i < N_WORDS; i++)
        if (strlen(words[i].name) == n && memcmp(words[i].name, s, n) == 0)
            return &words[i];
    return NULL;
}

unsigned tby_query_type_needs(unsigned type)
{
    if (type == Q_TRUE || type == Q_FALSE || type == Q_AND || type == Q_OR || type == Q_NOT)
        return 0;
    for (size_t i = 0; tby_query_word_at(i); i++)
        if (tby_query_word_at(i)->type == type && tby_query_word_at(i)->kind >= WORD_SUM)
            return tby_query_word_at(i)->needs;
    return TBY_QUERY_NEEDS_MOVES;
}

tby_speed tby_query_speed_find(const char *s, size_t n)
{
    for (int i = TBY_SPEED_BULLET; i <= TBY_SPEED_ULTRABULLET; i++)
        if (strlen(tby_speed_text((tby_speed)i)) == n && memcmp(tby_speed_text((tby_speed)i), s, n) == 0)
            return (tby_speed)i;
    return TBY_SPEED_NONE;
}

/* ---- Likeness ------------------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 40 };

static char small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned tby_query_distance(const char *a, size_t n_a, const char *b, size_t n_b, unsigned limit)
{
    unsigned rows[3][LONGEST_WORD + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    if (n_a > LONGEST_WORD || n_b > LONGEST_WORD)
        return limit;
    for (unsigned j = 0; j <= n_b; j++)
        last[j] = j;
    memcpy(before, last, sizeof rows[0]);
    for (size_t i = 1; i <= n_a; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            const unsigned differs = small(a[i - 1]) != small(b[j - 1]);
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + differs);
            if (i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2]) && small(a[i - 2]) == small(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return least(last[n_b], limit);
}
