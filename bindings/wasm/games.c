/*
 * games.c - games as trees: playing, editing, and their lines in every move notation.
 *
 * A handle is a tby_game. Nodes are its node numbers; -1 means none.
 */
#include "answer.h"
#include "support/review.h"

#include <string.h>

tby_game *EXPORT(game_new)(void)
{
    tby_game *game = tby_game_new(NULL);
    if (!game)
        __builtin_trap();
    return game;
}

void EXPORT(game_free)(tby_game *game) { tby_game_free(game); }
void EXPORT(game_clear)(tby_game *game) { tby_game_clear(game); }
bool EXPORT(game_equal)(const tby_game *a, const tby_game *b) { return tby_game_equal(a, b); }

/* ---- Nodes ---------------------------------------------------------------------------------------------- */

tby_node game_walk(const tby_game *game, tby_node node)
{
    if (tby_game_child(game, node) != TBY_NO_NODE)
        return tby_game_child(game, node);
    while (node != TBY_ROOT && tby_game_sibling(game, node) == TBY_NO_NODE)
        node = tby_game_parent(game, node);
    return node == TBY_ROOT ? TBY_NO_NODE : tby_game_sibling(game, node);
}

tby_node game_node(const tby_game *game, tby_node node)
{
    for (tby_node n = TBY_ROOT; n != TBY_NO_NODE; n = game_walk(game, n))
        if (n == node)
            return node;
    return TBY_ROOT;
}

/* Does the node exist? JavaScript checks this before it uses a number from outside. */
bool EXPORT(game_has)(const tby_game *game, double number)
{
    return number == 0 || (number > 0 && number < 4294967296.0 && number == (double)(tby_node)number &&
                           game_node(game, (tby_node)number) == (tby_node)number);
}

/* ---- Lines ---------------------------------------------------------------------------------------------- */

line line_through(const tby_game *game, tby_node node)
{
    line l = {NULL, 0, 0};
    for (tby_node n = node; n != TBY_ROOT; n = tby_game_parent(game, n))
        l.n_path++;
    l.nodes = memory_new(tby_game_n_nodes(game) * sizeof *l.nodes);
    size_t at = l.n_path;
    for (tby_node n = node; n != TBY_ROOT; n = tby_game_parent(game, n))
        l.nodes[--at] = n;
    l.n_nodes = l.n_path;
    for (tby_node n = tby_game_child(game, node); n != TBY_NO_NODE; n = tby_game_child(game, n))
        l.nodes[l.n_nodes++] = n;
    return l;
}

void line_free(line *l) { memory_free(l->nodes); }

/* The node of that move after `parent`, added if necessary. */
static tby_node follow(tby_game *game, tby_node parent, tby_move move)
{
    for (tby_node n = tby_game_child(game, parent); n != TBY_NO_NODE; n = tby_game_sibling(game, n))
        if (tby_game_move(game, n) == move)
            return n;
    const tby_node node = tby_game_add(game, parent, move);
    if (node == TBY_NO_NODE)
        __builtin_trap();
    return node;
}

static tby_node main_line_end(const tby_game *game)
{
    tby_node node = TBY_ROOT;
    while (tby_game_child(game, node) != TBY_NO_NODE)
        node = tby_game_child(game, node);
    return node;
}

/* Sets the result from the end of the main line: the outcome by the rules, or no result yet. */
static void settle_result(tby_game *game)
{
    tby_position pos;
    tby_game_position(game, main_line_end(game), &pos);
    tby_game_set_result(game, tby_outcome_of(&pos, 1, TBY_UNKNOWN, false).result);
}

/* ---- Start ---------------------------------------------------------------------------------------------- */

void EXPORT(game_start)(const tby_game *game, tby_setup *board) { tby_position_setup(board, tby_game_start(game)); }

void EXPORT(game_position)(const tby_game *game, tby_node node, tby_setup *board)
{
    tby_position pos;
    tby_game_position(game, game_node(game, node), &pos);
    tby_position_setup(board, &pos);
}

static void copy_comments(tby_game *out, tby_node to, const tby_game *game, tby_node from, tby_comment_place place)
{
    for (size_t i = 0; i < tby_game_n_comments(game, from, place); i++) {
        size_t n;
        const char *s = tby_game_comment(game, from, place, i, &n);
        tby_game_add_comment(out, to, place, s, n);
    }
}

/* Copies comments and NAGs. */
static void copy_notes(tby_game *out, tby_node to, const tby_game *game, tby_node from)
{
    copy_comments(out, to, game, from, TBY_COMMENT_BEFORE);
    copy_comments(out, to, game, from, TBY_COMMENT_AFTER);
    for (size_t i = 0; i < tby_game_n_nags(game, from); i++)
        tby_game_add_nag(out, to, tby_game_nag(game, from, i));
}

static bool has_comment(const tby_game *game, tby_node node, tby_comment_place place, const char *s, size_t n)
{
    for (size_t i = 0; i < tby_game_n_comments(game, node, place); i++) {
        size_t n_other;
        const char *other = tby_game_comment(game, node, place, i, &n_other);
        if (n_other == n && memcmp(other, s, n) == 0)
            return true;
    }
    return false;
}

static bool has_nag(const tby_game *game, tby_node node, uint16_t nag)
{
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++)
        if (tby_game_nag(game, node, i) == nag)
            return true;
    return false;
}

/* Copies comments and NAGs that are not there yet. */
static void merge_notes(tby_game *out, tby_node to, const tby_game *game, tby_node from)
{
    static const tby_comment_place places[] = {TBY_COMMENT_BEFORE, TBY_COMMENT_AFTER};
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < tby_game_n_comments(game, from, places[p]); i++) {
            size_t n;
            const char *s = tby_game_comment(game, from, places[p], i, &n);
            if (!has_comment(out, to, places[p], s, n))
                tby_game_add_comment(out, to, places[p], s, n);
        }
    for (size_t i = 0; i < tby_game_n_nags(game, from); i++)
        if (!has_nag(out, to, tby_game_nag(game, from, i)))
            tby_game_add_nag(out, to, tby_game_nag(game, from, i));
}

/* Copies the moves of `game` that are legal in `out`, which has a different start, each after the same move as before.
   */
static size_t copy_legal_moves(tby_game *out, const tby_game *game)
{
    tby_node highest = TBY_ROOT;
    for (tby_node n = TBY_ROOT; n != TBY_NO_NODE; n = game_walk(game, n))
        highest = n > highest ? n : highest;
    tby_node *copies = memory_new((highest + 1) * sizeof *copies);
    size_t n_dropped = 0;
    copies[TBY_ROOT] = TBY_ROOT;
    copy_notes(out, TBY_ROOT, game, TBY_ROOT);
    for (tby_node n = game_walk(game, TBY_ROOT); n != TBY_NO_NODE; n = game_walk(game, n)) {
        const tby_node parent = copies[tby_game_parent(game, n)];
        tby_position pos;
        copies[n] = TBY_NO_NODE;
        if (parent != TBY_NO_NODE) {
            tby_game_position(out, parent, &pos);
            if (tby_move_is_legal(&pos, tby_game_move(game, n)))
                copies[n] = tby_game_add(out, parent, tby_game_move(game, n));
        }
        if (copies[n] != TBY_NO_NODE)
            copy_notes(out, copies[n], game, n);
        else
            n_dropped++;
    }
    memory_free(copies);
    return n_dropped;
}

/* Adds what is not there yet of the moves, comments and NAGs of `game` to `out`, each after the same moves as before. Returns
   how many moves are new; -1 if the games have different starts. */
int EXPORT(game_merge)(tby_game *out, const tby_game *game)
{
    tby_node highest = TBY_ROOT;
    if (tby_position_key(tby_game_start(out)) != tby_position_key(tby_game_start(game)))
        return -1;
    for (tby_node n = TBY_ROOT; n != TBY_NO_NODE; n = game_walk(game, n))
        highest = n > highest ? n : highest;
    tby_node *copies = memory_new((highest + 1) * sizeof *copies);
    const size_t n_before = tby_game_n_nodes(out);
    copies[TBY_ROOT] = TBY_ROOT;
    for (tby_node n = TBY_ROOT; n != TBY_NO_NODE; n = game_walk(game, n)) {
        if (n != TBY_ROOT)
            copies[n] = follow(out, copies[tby_game_parent(game, n)], tby_game_move(game, n));
        merge_notes(out, copies[n], game, n);
    }
    memory_free(copies);
    return (int)(tby_game_n_nodes(out) - n_before);
}

/* Empties `out` and makes a board its start. With a `game`, also copies its tags, and its moves as far as they are
   legal; returns how many are not. -1: the board is not playable. */
int EXPORT(game_set_start)(tby_game *out, const tby_setup *board, bool is_chess960, const tby_game *game)
{
    tby_position pos;
    if (!board_position(&pos, board))
        return -1;
    tby_game_clear(out);
    tby_game_set_start(out, &pos, is_chess960);
    if (!game)
        return 0;
    for (size_t i = 0; i < tby_game_n_tags(game); i++) {
        const char *name = tby_game_tag_name(game, i), *value = tby_game_tag_value(game, i);
        tby_game_set_tag(out, name, strlen(name), value, strlen(value));
    }
    const size_t n_dropped = copy_legal_moves(out, game);
    settle_result(out);
    return (int)n_dropped;
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

/* Plays a move in SAN, coordinates or long algebraic, or a null move. Returns its node, or -1 and the reason. */
int EXPORT(game_play)(tby_game *game, tby_node node, const char *s, size_t n)
{
    tby_position pos;
    tby_move move;
    tby_error err;
    node = game_node(game, node);
    tby_game_position(game, node, &pos);
    if (tby_line_read_move(&move, &pos, tby_move_notation_find("san", 3), s, n, 0, &err) != TBY_OK) {
        answer_move_error(&err, &pos, s, n);
        return -1;
    }
    const size_t n_nodes = tby_game_n_nodes(game);
    const tby_node played = follow(game, node, move);
    if (tby_game_n_nodes(game) > n_nodes && played == main_line_end(game))
        settle_result(game);
    return (int)played;
}

/* Writes the line through `node` in a move notation. */
bool EXPORT(game_write_line)(const tby_game *game, tby_node node, size_t index, unsigned flags)
{
    const tby_move_notation *notation = tby_move_notation_at(index);
    tby_position pos = *tby_game_start(game);
    line l = line_through(game, game_node(game, node));
    tby_error err = {0};
    buffer_clear(&answer);
    for (size_t i = 0; i < l.n_nodes && err.status == TBY_OK; i++) {
        const tby_move move = tby_game_move(game, l.nodes[i]);
        if (i > 0)
            buffer_sink(&answer, notation->separator, strlen(notation->separator));
        char *room = answer_room(notation->size);
        answer.n += tby_line_write_move(room, notation->size, &pos, notation, move, flags, &err);
        tby_line_play(&pos, move);
    }
    line_free(&l);
    return err.status == TBY_OK || answer_error(&err);
}

/* The moves of a text; NULL, and the reason as the answer, if it is not a line of moves. */
static tby_move *read_line(size_t *n_moves, const tby_position *start, const tby_move_notation *notation, const char *s,
                           size_t n, unsigned flags)
{
    tby_move *moves = memory_new(n * sizeof *moves);
    tby_position pos = *start;
    size_t at = 0, begin = 0, length;
    for (*n_moves = 0; (length = tby_line_next(notation, s, n, &at, &begin)) > 0; ++*n_moves) {
        tby_error err;
        if (tby_line_read_move(&moves[*n_moves], &pos, notation, s + begin, length, flags, &err) != TBY_OK) {
            err.offset += begin;
            answer_move_error(&err, &pos, s + begin, length);
            memory_free(moves);
            return NULL;
        }
        tby_line_play(&pos, moves[*n_moves]);
    }
    return moves;
}

/* Replaces the line `l` with `moves`: the common beginning stays, the rest of the old line is removed. If the new line
   is shorter, variations that would now continue it are removed too. */
static tby_node replace_line(tby_game *game, const line *l, const tby_move *moves, size_t n_moves)
{
    size_t common = 0;
    while (common < l->n_nodes && common < n_moves && tby_game_move(game, l->nodes[common]) == moves[common])
        common++;
    tby_node node = common ? l->nodes[common - 1] : TBY_ROOT;
    bool is_first = false;
    if (common < l->n_nodes) {
        is_first = tby_game_child(game, node) == l->nodes[common];
        tby_game_remove(game, l->nodes[common]);
    }
    while (common == n_moves && tby_game_child(game, node) != TBY_NO_NODE)
        tby_game_remove(game, tby_game_child(game, node));
    for (size_t i = common; i < n_moves; i++) {
        node = follow(game, node, moves[i]);
        while (i == common && is_first && tby_game_promote(game, node))
            continue;
    }
    return node;
}

/* Replaces the line through `node` with a line of moves. Returns its last node, or -1 and the reason. */
int EXPORT(game_read_line)(tby_game *game, tby_node node, size_t index, const char *s, size_t n, unsigned flags)
{
    const tby_move_notation *notation = tby_move_notation_at(index);
    size_t n_moves;
    tby_move *moves = read_line(&n_moves, tby_game_start(game), notation, s, n, flags);
    if (!moves)
        return -1;
    line l = line_through(game, game_node(game, node));
    const tby_node last = replace_line(game, &l, moves, n_moves);
    line_free(&l);
    memory_free(moves);
    settle_result(game);
    return (int)last;
}

void EXPORT(game_remove)(tby_game *game, tby_node node)
{
    if (game_node(game, node) != TBY_ROOT)
        tby_game_remove(game, node);
}
bool EXPORT(game_promote)(tby_game *game, tby_node node)
{
    return game_node(game, node) != TBY_ROOT && tby_game_promote(game, node);
}
bool EXPORT(game_demote)(tby_game *game, tby_node node)
{
    return game_node(game, node) != TBY_ROOT && tby_game_demote(game, node);
}

/* ---- Notes ---------------------------------------------------------------------------------------------- */

/* Replaces the comments with one, or none. */
void EXPORT(game_set_comment)(tby_game *game, tby_node node, int place, const char *s, size_t n)
{
    const tby_comment_place changed = place == TBY_COMMENT_BEFORE ? TBY_COMMENT_BEFORE : TBY_COMMENT_AFTER;
    const tby_comment_place other = changed == TBY_COMMENT_BEFORE ? TBY_COMMENT_AFTER : TBY_COMMENT_BEFORE;
    tby_game *kept = game_new(); /* removing comments affects both places */
    node = game_node(game, node);
    copy_comments(kept, TBY_ROOT, game, node, other);
    tby_game_remove_comments(game, node);
    copy_comments(game, node, kept, TBY_ROOT, other);
    if (n > 0)
        tby_game_add_comment(game, node, changed, s, n);
    tby_game_free(kept);
}

/* "!?" or "$14"; 0 if it is not a mark. */
static uint16_t read_nag(const char *s, size_t n)
{
    unsigned nag = 0;
    if (n < 2 || s[0] != '$')
        return tby_nag_read(s, n);
    for (size_t i = 1; i < n; i++) {
        if (s[i] < '0' || s[i] > '9' || nag > 255)
            return 0;
        nag = nag * 10 + (unsigned)(s[i] - '0');
    }
    return (uint16_t)nag;
}

/* Replaces the NAGs with marks such as "!?" or "$14", separated by blanks. */
bool EXPORT(game_set_nags)(tby_game *game, tby_node node, const char *s, size_t n)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t at = 0, end; at < n; at = end) {
            for (end = at; end < n && s[end] != ' '; end++)
                continue;
            const uint16_t nag = read_nag(s + at, end - at);
            if (end > at && nag == 0)
                return answer_fault(TBY_INVALID_PGN, at, "no such mark");
            if (pass == 1 && end > at)
                tby_game_add_nag(game, game_node(game, node), nag);
            end += end < n;
        }
        if (pass == 0)
            tby_game_remove_nags(game, game_node(game, node));
    }
    return true;
}

/* An empty value removes the tag. False for a name that PGN cannot hold. */
bool EXPORT(game_set_tag)(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value)
{
    char text[128];
    if (n_value > 0)
        return tby_game_set_tag(game, name, n_name, value, n_value);
    if (n_name < sizeof text) {
        memcpy(text, name, n_name);
        text[n_name] = '\0';
        tby_game_remove_tag(game, text);
    }
    return true;
}

bool EXPORT(game_set_result)(tby_game *game, const char *s, size_t n)
{
    tby_result result;
    tby_error err;
    if (tby_result_read(&result, s, n, &err) != TBY_OK)
        return answer_error(&err);
    tby_game_set_result(game, result);
    return true;
}

/* ---- Review --------------------------------------------------------------------------------------------- */

static const char *const phase_names[N_PHASES] = {"opening", "middlegame", "endgame"};

static void side_object(const review_side *side)
{
    const double n = side->moves ? (double)side->moves : 1;
    answer_add("{'moves':%u,'accuracy':%u,'loss':%u,'phases':{", (unsigned)side->moves,
               (unsigned)(100 * side->accuracy / n + 0.5), (unsigned)(100 * side->loss / n + 0.5));
    for (int i = 0; i < N_PHASES; i++)
        answer_add("%s:[%u,%u,%u]", phase_names[i], (unsigned)side->marks[i][MARK_DUBIOUS],
                   (unsigned)side->marks[i][MARK_MISTAKE], (unsigned)side->marks[i][MARK_BLUNDER]);
    answer_add("}}");
}

/* {"evaluated":NUMBER,"mistakes":[{"node","mark","phase"}...],"white":SIDE,"black":SIDE}; accuracy in hundredths of a
   percent and loss in centipawns are those of an average move, and phases has the numbers of ?!, ? and ??. */
void EXPORT(game_review)(const tby_game *game)
{
    review_side sides[2] = {{0}, {0}};
    size_t n_evaluated;
    review_mistake *mistakes = memory_new(tby_game_n_nodes(game) * sizeof *mistakes);
    const size_t n = review_game(mistakes, sides, &n_evaluated, game);
    answer_begin("{'evaluated':%zu,'mistakes':[", n_evaluated);
    for (size_t i = 0; i < n; i++)
        answer_add("{'node':%u,'mark':%s,'phase':%s}", (unsigned)mistakes[i].node,
                   mistakes[i].nag == 4   ? "??"
                   : mistakes[i].nag == 2 ? "?"
                                          : "?!",
                   phase_names[mistakes[i].phase]);
    answer_add("],'white':");
    side_object(&sides[TBY_WHITE]);
    answer_add("'black':");
    side_object(&sides[TBY_BLACK]);
    answer_add("}");
    memory_free(mistakes);
}

/* The NAG of a move that leads from one evaluation to another, 0 for none; a mate is counted in moves. */
unsigned EXPORT(evaluation_nag)(bool was_mate, int was, bool is_mate, int is, bool is_black)
{
    const evaluation before = {true, was_mate, was}, after = {true, is_mate, is};
    return evaluation_mark(&before, &after, is_black ? TBY_BLACK : TBY_WHITE);
}
