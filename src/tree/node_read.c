/*
 * node_read.c - reads the text of a node: see node_write.c for its format.
 *
 * Reads    any bytes.
 * Refuses  everything that the writer would not write: another order, moves that are illegal or not in the shortest
 *          form, numbers with leading zeros, a last line without a line break. Marks are not checked against the
 *          position.
 * Keeps    reading and writing returns the same bytes.
 */
#include "notation/short_move.h"
#include "support/array.h"
#include "tree/tree.h"

#include <stdio.h>
#include <string.h>

struct tby_tree_text {
    tby_tree_node node;
    tby_tree_id *from;
    size_t from_cap;
    tby_tree_move moves[TBY_MOVES_MAX];
    tby_move legal[TBY_MOVES_MAX]; /* legal moves of the position, in order */
    char texts[TBY_MOVES_MAX][TBY_SHORT_MOVE_SIZE];
    size_t n_legal, next_legal;
    char *comments;
    size_t comments_cap;
};

/* The parts in their order; none may follow a later one. */
typedef enum part { PART_FROM, PART_MOVES, PART_MARKS, PART_COMMENTS } part;

typedef struct line {
    const char *s;
    size_t n;
} line;

tby_tree_text *tby_tree_text_new(void) { return calloc(1, sizeof(tby_tree_text)); }

void tby_tree_text_free(tby_tree_text *text)
{
    if (!text)
        return;
    free(text->from);
    free(text->comments);
    free(text);
}

/* ---- Pieces of lines ----------------------------------------------------------------------------------- */

/* As much of a line as fits into a message, without control characters. */
static const char *shown(char out[64], line l)
{
    size_t n = l.n < 60 ? l.n : 60;
    for (size_t i = 0; i < n; i++)
        out[i] = (unsigned char)l.s[i] < ' ' || l.s[i] == 127 ? '?' : l.s[i];
    strcpy(out + n, n < l.n ? "..." : "");
    return out;
}

static bool skip(line *l, const char *begin)
{
    const size_t n = strlen(begin);
    if (l->n < n || memcmp(l->s, begin, n) != 0)
        return false;
    l->s += n;
    l->n -= n;
    return true;
}

/* Digits without leading zeros, at most `max`. */
static bool skip_number(line *l, uint64_t *out, uint64_t max)
{
    uint64_t value = 0;
    size_t i = 0;
    for (; i < l->n && l->s[i] >= '0' && l->s[i] <= '9'; i++) {
        const unsigned digit = (unsigned)(l->s[i] - '0');
        if (value > (max - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    if (i == 0 || (i > 1 && l->s[0] == '0'))
        return false;
    l->s += i;
    l->n -= i;
    *out = value;
    return true;
}

bool node_number_read(tby_tree_id *out, const char *s, size_t n)
{
    line l = {s, n};
    uint64_t value;
    if (!skip_number(&l, &value, TBY_TREE_NONE - 1) || l.n)
        return false;
    *out = (tby_tree_id)value;
    return true;
}

static bool read_id(line *l, tby_tree_id *out) { return skip(l, "#") && node_number_read(out, l->s, l->n); }

/* ---- Lines --------------------------------------------------------------------------------------------- */

static bool read_fen(tby_tree_text *text, line l, tby_failure *f)
{
    char fen[TBY_FEN_SIZE], why[TBY_ERROR_SIZE];
    tby_position pos;
    tby_error err;
    if (l.n + 3 > sizeof fen)
        return failure_keep(f, TBY_INVALID_TREE, "a FEN is longer than %d bytes", TBY_FEN_SIZE - 3);
    memcpy(fen, l.s, l.n);
    memcpy(fen + l.n, " 1", 3);
    if (tby_fen_read_position(&pos, fen, l.n + 2, TBY_FEN_STRICT, NULL, &err) != TBY_OK) {
        tby_fen_error_write(why, sizeof why, &err);
        return failure_keep(f, TBY_INVALID_TREE, "%s", why);
    }
    text->node.pos = tree_position(&pos);
    const size_t n = node_fen_write(fen, &text->node.pos);
    if (n != l.n || memcmp(fen, l.s, n) != 0)
        return failure_keep(f, TBY_INVALID_TREE, "not the FEN of a node: \"%s\" expected", fen);
    return true;
}

static bool read_from(tby_tree_text *text, line l, tby_failure *f)
{
    tby_tree_id id;
    if (!read_id(&l, &id))
        return failure_keep(f, TBY_INVALID_TREE, "\"from #\" and a number expected");
    const size_t n = text->node.n_from;
    if (n > 0 && id <= text->from[n - 1])
        return failure_keep(f, TBY_INVALID_TREE, "from #%u after from #%u: not in order", id, text->from[n - 1]);
    return array_add(&text->from, &text->node.n_from, &text->from_cap, &id, sizeof id, NULL) || failure_no_memory(f);
}

static void list_moves(tby_tree_text *text)
{
    text->n_legal = tree_moves_of(text->legal, &text->node.pos);
    text->next_legal = 0;
    short_moves_write_all(text->texts, &text->node.pos, text->legal, text->n_legal);
}

/* The index of the legal move with this short text; n_legal if there is none. */
static size_t find_move(const tby_tree_text *text, line move)
{
    size_t i = 0;
    while (i < text->n_legal && (strlen(text->texts[i]) != move.n || memcmp(text->texts[i], move.s, move.n) != 0))
        i++;
    return i;
}

static bool refuse_move(const tby_tree_text *text, line move, tby_failure *f)
{
    char quoted[64], why[TBY_ERROR_SIZE];
    tby_move m = TBY_MOVE_NONE;
    tby_error err;
    if (tby_short_move_read(&m, &text->node.pos, move.s, move.n, &err) != TBY_OK) {
        tby_error_write(why, sizeof why, &err);
        return failure_keep(f, TBY_INVALID_TREE, "\"%s\": %s", shown(quoted, move), why);
    }
    size_t i = 0;
    while (text->legal[i] != m)
        i++;
    return failure_keep(f, TBY_INVALID_TREE, "\"%s\" is not the shortest text of the move, which is \"%s\"",
                        shown(quoted, move), text->texts[i]);
}

static bool read_move(tby_tree_text *text, line l, size_t n_text, tby_failure *f)
{
    const line move = {l.s, n_text};
    line rest = {l.s + n_text, l.n - n_text};
    char quoted[64];
    tby_tree_id id;
    if (!skip(&rest, ") ") || !read_id(&rest, &id))
        return failure_keep(f, TBY_INVALID_TREE, "\"%s\": \") #\" and a number expected after the move",
                            shown(quoted, l));
    const size_t i = find_move(text, move);
    if (i == text->n_legal)
        return refuse_move(text, move, f);
    if (i < text->next_legal)
        return failure_keep(f, TBY_INVALID_TREE, "\"%s\": not in order", shown(quoted, move));
    text->next_legal = i + 1;
    text->moves[text->node.n_moves++] = (tby_tree_move){text->legal[i], id};
    return true;
}

/* The mark on this line; 0 if there is none. */
static unsigned mark_of(line l)
{
    for (unsigned mark = 1; tby_tree_mark_text(mark); mark <<= 1)
        if (strlen(tby_tree_mark_text(mark)) == l.n && memcmp(tby_tree_mark_text(mark), l.s, l.n) == 0)
            return mark;
    return 0;
}

static bool read_mark(tby_tree_text *text, unsigned mark, tby_failure *f)
{
    if (text->node.marks >= mark)
        return failure_keep(f, TBY_INVALID_TREE, "\"%s\": twice, or not in order", tby_tree_mark_text(mark));
    text->node.marks |= mark;
    return true;
}

/* After "games ", with a digit next. */
static bool read_games(tby_tree_text *text, line l, tby_failure *f)
{
    uint64_t n, *results = text->node.results, max = UINT64_MAX / 8;
    if (!skip_number(&l, &n, max) || !skip(&l, ": 1-0 ") || !skip_number(&l, &results[TBY_WHITE_WINS], max) ||
        !skip(&l, ", 1/2-1/2 ") || !skip_number(&l, &results[TBY_DRAW], max) || !skip(&l, ", 0-1 ") ||
        !skip_number(&l, &results[TBY_BLACK_WINS], max) || !skip(&l, ", * ") ||
        !skip_number(&l, &results[TBY_RESULT_NONE], max) || l.n)
        return failure_keep(f, TBY_INVALID_TREE, "games: \"games N: 1-0 N, 1/2-1/2 N, 0-1 N, * N\" expected");
    if (results[0] + results[1] + results[2] + results[3] != n)
        return failure_keep(f, TBY_INVALID_TREE, "games: the results do not add up");
    text->node.has_games = true;
    return true;
}

static bool read_comment(tby_tree_text *text, line l, tby_failure *f)
{
    line games = l;
    tby_tree_node *node = &text->node;
    if (!node->has_games && node->n_comments == 0 && skip(&games, "games ") && games.n && games.s[0] >= '0' &&
        games.s[0] <= '9')
        return read_games(text, games, f);
    if (!array_reserve(&text->comments, &text->comments_cap, node->n_comments + l.n + 1, 1, NULL))
        return failure_no_memory(f);
    memcpy(text->comments + node->n_comments, l.s, l.n);
    text->comments[node->n_comments + l.n] = '\n';
    node->n_comments += l.n + 1;
    return true;
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

static bool enter(part *now, part next, tby_failure *f)
{
    if (*now > next)
        return failure_keep(f, TBY_INVALID_TREE, "out of order: first from, then moves, marks, comments");
    *now = next;
    return true;
}

static bool read_rest(tby_tree_text *text, line l, part *now, tby_failure *f)
{
    char quoted[64];
    const char *bracket = memchr(l.s, ')', l.n < TBY_SHORT_MOVE_SIZE ? l.n : TBY_SHORT_MOVE_SIZE);
    const unsigned mark = mark_of(l);
    line rest = l;
    if (skip(&rest, "comment "))
        return enter(now, PART_COMMENTS, f) && read_comment(text, rest, f);
    if (skip(&rest, "from "))
        return enter(now, PART_FROM, f) && read_from(text, rest, f);
    if (mark)
        return enter(now, PART_MARKS, f) && read_mark(text, mark, f);
    if (!bracket)
        return failure_keep(f, TBY_INVALID_TREE, "\"%s\": unexpected line", shown(quoted, l));
    if (text->node.n_moves == 0)
        list_moves(text);
    return enter(now, PART_MOVES, f) && read_move(text, l, (size_t)(bracket - l.s), f);
}

static bool read_line(tby_tree_text *text, size_t number, line l, part *now, tby_failure *f)
{
    switch (number) {
    case 1:
        return read_id(&l, &text->node.id) ||
               failure_keep(f, TBY_INVALID_TREE, "\"#\" and the number of the node expected");
    case NODE_FEN_LINE: return read_fen(text, l, f);
    case NODE_FEN_LINE + 1: return l.n == 0 || failure_keep(f, TBY_INVALID_TREE, "an empty line expected");
    default: return read_rest(text, l, now, f);
    }
}

const tby_tree_node *node_text_read(tby_tree_text *text, const char *s, size_t n, size_t *line_number, tby_failure *f)
{
    part now = PART_FROM;
    text->node = (tby_tree_node){0};
    *line_number = 1;
    for (size_t at = 0; at < n; (*line_number)++) {
        const char *end = memchr(s + at, '\n', n - at);
        if (!end) {
            failure_keep(f, TBY_INVALID_TREE, "the line does not end");
            return NULL;
        }
        if (!read_line(text, *line_number, (line){s + at, (size_t)(end - s) - at}, &now, f))
            return NULL;
        at = (size_t)(end - s) + 1;
    }
    if (*line_number <= NODE_FEN_LINE + 1) {
        failure_keep(f, TBY_INVALID_TREE, "the text ends too soon");
        return NULL;
    }
    text->node.from = text->from;
    text->node.moves = text->moves;
    text->node.comments = text->comments;
    return &text->node;
}

tby_status tby_tree_text_read(const tby_tree_node **out, size_t *line_number, tby_tree_text *text, const char *s,
                              size_t n, tby_failure *failure)
{
    failure_clear(failure);
    *out = node_text_read(text, s, n, line_number, failure);
    return failure_answer(failure, *out != NULL);
}
