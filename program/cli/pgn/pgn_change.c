/*
 * pgn_change.c - the changes that tabiya pgn makes to games: their length, their tags, added comments.
 *
 * In this order: the start is removed, then the end; tags are derived from what is left, set, renamed and removed;
 * comments are added. A game whose end was removed has no result: its move text ends with *, but the Result tag still
 * says how the game ended.
 */
#include "pgn_pick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct changer {
    const changes *changes;
    filter *begin, *end; /* NULL: not requested */
    tby_game *other;     /* the new game if the start is removed */
    tby_game *line;      /* one of its lines */
    size_t n_dropped;    /* half-moves removed from the start of the game */
    uint8_t *packed;     /* for the name of the opening; NULL: not requested */
};

/* ---- Parts of a game ---------------------------------------------------------------------------------------------- */

static void set_tag(tby_game *game, const char *name, const char *value)
{
    memory_need(tby_game_set_tag(game, name, strlen(name), value, strlen(value)));
}

/* Copies tags and result into an empty game. */
static void copy_head(tby_game *to, const tby_game *from)
{
    for (size_t i = 0; i < tby_game_n_tags(from); i++)
        set_tag(to, tby_game_tag_name(from, i), tby_game_tag_value(from, i));
    tby_game_set_result(to, tby_game_result(from));
}

static void copy_comments(tby_game *to, tby_node at, const tby_game *from, tby_node node)
{
    static const tby_comment_place places[] = {TBY_COMMENT_BEFORE, TBY_COMMENT_AFTER};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < tby_game_n_comments(from, node, places[k]); i++) {
            size_t n;
            const char *text = tby_game_comment(from, node, places[k], i, &n);
            memory_need(tby_game_add_comment(to, at, places[k], text, n));
        }
}

/* The move of `node` as a child of `at`: the new node. */
static tby_node copy_node(tby_game *to, tby_node at, const tby_game *from, tby_node node)
{
    const tby_node new = tby_game_add(to, at, tby_game_move(from, node));
    memory_need(new != TBY_NO_NODE);
    for (size_t i = 0; i < tby_game_n_nags(from, node); i++)
        memory_need(tby_game_add_nag(to, new, tby_game_nag(from, node, i)));
    copy_comments(to, new, from, node);
    return new;
}

/* Copies the moves after `node`, with variations, comments and NAGs, to `at`. Follows the first moves; recursive for
   variations, which are nested at most TBY_PGN_DEPTH_MAX deep. */
static void copy_below(tby_game *to, tby_node at, const tby_game *from, tby_node node)
{
    for (tby_node first; (first = tby_game_child(from, node)) != TBY_NO_NODE; node = first) {
        const tby_node next = copy_node(to, at, from, first);
        for (tby_node other = tby_game_sibling(from, first); other != TBY_NO_NODE;
             other = tby_game_sibling(from, other))
            copy_below(to, copy_node(to, at, from, other), from, other);
        at = next;
    }
}

/* ---- Lines of play ---------------------------------------------------------------------------------------------- */

typedef struct unfolding {
    tby_game *room;
    const tby_game *game;
    void (*visit)(void *context, const tby_game *line);
    void *context;
    tby_node *path; /* from the root to the node that a line goes through */
} unfolding;

/* The moves from the root to `node`, continued along the first moves. */
static void visit_line(const unfolding *u, tby_node node, tby_result result)
{
    const tby_game *from = u->game;
    tby_node at = TBY_ROOT;
    size_t n = 0;
    tby_game_clear(u->room);
    copy_head(u->room, from);
    memory_need(tby_game_set_start(u->room, tby_game_start(from), tby_game_is_chess960(from)));
    copy_comments(u->room, TBY_ROOT, from, TBY_ROOT);
    for (tby_node up = node; up != TBY_ROOT; up = tby_game_parent(from, up))
        u->path[n++] = up;
    while (n > 0)
        at = copy_node(u->room, at, from, u->path[--n]);
    for (tby_node next = tby_game_child(from, node); next != TBY_NO_NODE; next = tby_game_child(from, next))
        at = copy_node(u->room, at, from, next);
    tby_game_set_result(u->room, result);
    if (result == TBY_RESULT_NONE && tby_game_tag(from, "Result"))
        set_tag(u->room, "Result", "*");
    u->visit(u->context, u->room);
}

/* The variations of the line that continues from `node`, in the order of the text. */
static void visit_variations(const unfolding *u, tby_node node)
{
    for (tby_node first; (first = tby_game_child(u->game, node)) != TBY_NO_NODE; node = first)
        for (tby_node other = tby_game_sibling(u->game, first); other != TBY_NO_NODE;
             other = tby_game_sibling(u->game, other)) {
            visit_line(u, other, TBY_RESULT_NONE);
            visit_variations(u, other);
        }
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

cut cut_read(const char *who, const char *value, const patterns *own)
{
    const bool is_negative = value[0] == '-' && strcmp(who, "--drop") == 0;
    const char *digits = value + is_negative;
    cut c = {.is_given = true, .from_end = is_negative};
    char name[32];
    if (*digits && strspn(digits, "0123456789") == strlen(digits)) {
        snprintf(name, sizeof name, "pgn: %s", who);
        c.ply = number_read(name, digits, 0, TBY_PLIES_MAX);
        return c;
    }
    c.where = query_of_text("pgn", value, own);
    query_refuse_ids("pgn", c.where);
    return c;
}

typedef struct word {
    const char *name;
    unsigned bit;
} word;

static unsigned bits_read(const char *who, const char *list, const word *words)
{
    unsigned bits = 0;
    while (list && *list) {
        const size_t n = strcspn(list, ",");
        const word *w = words;
        while (w->name && (strlen(w->name) != n || memcmp(w->name, list, n) != 0))
            w++;
        if (!w->name) {
            buffer known = {0};
            for (const word *k = words; k->name; k++)
                buffer_printf(&known, "%s%s", k == words ? "" : k[1].name ? ", " : " and ", k->name);
            error_exit("pgn: %s takes %.*s, not \"%.*s\"", who, (int)known.n, known.s, (int)n, list);
        }
        bits |= w->bit;
        list += n + (list[n] == ',');
    }
    return bits;
}

unsigned add_read(const char *list)
{
    static const word words[] = {{"eco", ADD_ECO},       {"opening", ADD_OPENING}, {"plies", ADD_PLIES},
                                 {"result", ADD_RESULT}, {"hash", ADD_HASH},       {NULL, 0}};
    return bits_read("--add", list, words);
}

unsigned note_read(const char *list)
{
    static const word words[] = {{"fen", NOTE_FEN}, {"final-fen", NOTE_FINAL_FEN}, {"hash", NOTE_HASH}, {NULL, 0}};
    return bits_read("--note", list, words);
}

unsigned strip_read(const char *list)
{
    static const word words[] = {{"comments", TBY_PGN_NO_COMMENTS}, {"variations", TBY_PGN_NO_VARIATIONS},
                                 {"nags", TBY_PGN_NO_NAGS},         {"clocks", TBY_PGN_NO_COMMANDS},
                                 {"tags", TBY_PGN_NO_TAGS},         {NULL, 0}};
    return bits_read("--strip", list, words);
}

typedef struct new_name {
    char *old;
    char new[];
} new_name;

named_list names_read(const char *path)
{
    named_list all = {0};
    line_reader l = lines_open("pgn", path);
    while (lines_next(&l)) {
        char *tab = strchr(l.line, '\t');
        const size_t n = tab ? strcspn(tab + 1, "\t\r") : 0;
        if (*l.line == '#' || *l.line == '\r' || !*l.line)
            continue;
        if (!tab || tab == l.line || n == 0)
            error_exit("pgn: %s:%lu: a name, a tab and another name were expected", path, l.number);
        *tab = '\0';
        if (named_find(&all, l.line, strlen(l.line)))
            error_exit("pgn: %s:%lu: \"%s\" is renamed twice", path, l.number, l.line);
        new_name *one = memory_got(named_get(&all, l.line, (size_t)(tab - l.line), sizeof *one + n + 1));
        memcpy(one->new, tab + 1, n);
    }
    return all;
}

void pairs_add(pairs *p, const char *who, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        error_exit("pgn: %s must be NAME=%s, not \"%s\"", who, strcmp(who, "--set") == 0 ? "VALUE" : "NAME", text);
    p->names = realloc(p->names, (p->n + 1) * sizeof *p->names);
    p->values = realloc(p->values, (p->n + 1) * sizeof *p->values);
    memory_need(p->names && p->values);
    p->names[p->n] = memory_got(text_copy(text, (size_t)(equals - text)));
    p->values[p->n++] = equals + 1;
}

static void pairs_free(pairs *p)
{
    for (size_t i = 0; i < p->n; i++)
        free((char *)p->names[i]);
    free(p->names);
    free(p->values);
}

bool changes_any(const changes *c)
{
    return c->begin.is_given || c->end.is_given || c->add || c->note || c->mark || c->set.n || c->renamed.n ||
           c->dropped || c->kept || c->names.n;
}

void changes_free(changes *c)
{
    tby_query_free(c->begin.where);
    tby_query_free(c->end.where);
    pairs_free(&c->set);
    pairs_free(&c->renamed);
    named_free(&c->names);
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

changer *changer_new(const changes *c)
{
    changer *w = memory_new(1, sizeof *w);
    w->changes = c;
    w->begin = c->begin.where ? filter_new(c->begin.where) : NULL;
    w->end = c->end.where ? filter_new(c->end.where) : NULL;
    w->packed = c->add & (ADD_ECO | ADD_OPENING) ? memory_new(TBY_CHESSGAME_SIZE, 1) : NULL;
    w->other = memory_got(tby_game_new(NULL));
    w->line = memory_got(tby_game_new(NULL));
    return w;
}

void changer_free(changer *w)
{
    filter_free(w->begin);
    filter_free(w->end);
    tby_game_free(w->other);
    tby_game_free(w->line);
    free(w->packed);
    free(w);
}

/* ---- Length ----------------------------------------------------------------------------------------------------- */

/* The node after this many half-moves of the main line; the last one if there are fewer. */
static tby_node node_at(const tby_game *game, size_t ply)
{
    tby_node node = TBY_ROOT, next;
    for (; ply > 0 && (next = tby_game_child(game, node)) != TBY_NO_NODE; ply--)
        node = next;
    return node;
}

/* Where to shorten the game; below 0 if the query never holds. */
static long place_of(const cut *c, filter *asks, const tby_game *game)
{
    const size_t n = tby_game_main_line(game, NULL, 0);
    int ply;
    if (asks)
        return filter_first(asks, game, 0, &ply) == FILTER_YES ? ply : -1;
    if (!c->from_end)
        return (long)c->ply;
    return c->ply < n ? (long)(n - c->ply) : 0;
}

static tby_game *cut_begin(changer *w, tby_game *game)
{
    const long ply = place_of(&w->changes->begin, w->begin, game);
    w->n_dropped = ply > 0 ? (size_t)ply : 0;
    if (ply == 0)
        return game;
    if (ply < 0 || (size_t)ply > tby_game_main_line(game, NULL, 0))
        return NULL;
    const tby_node node = node_at(game, (size_t)ply);
    tby_position start;
    tby_game_position(game, node, &start);
    tby_game_clear(w->other);
    copy_head(w->other, game);
    memory_need(tby_game_set_start(w->other, &start, tby_game_is_chess960(game)));
    copy_below(w->other, TBY_ROOT, game, node);
    return w->other;
}

static void cut_end(changer *w, tby_game *game)
{
    const long ply = place_of(&w->changes->end, w->end, game);
    if (ply < 0 || (size_t)ply >= tby_game_main_line(game, NULL, 0))
        return;
    const tby_node last = node_at(game, (size_t)ply);
    for (tby_node child; (child = tby_game_child(game, last)) != TBY_NO_NODE;)
        tby_game_remove(game, child);
    tby_game_set_result(game, TBY_RESULT_NONE);
}

/* ---- Tags ------------------------------------------------------------------------------------------------------- */

static void add_opening(const changer *w, tby_game *game)
{
    tby_opening opening;
    size_t n;
    if (tby_chessgame_of_game(w->packed, &n, game, NULL) != TBY_OK ||
        tby_opening_of_chessgame(&opening, w->packed, n) < 0)
        return;
    if (w->changes->add & ADD_ECO)
        set_tag(game, "ECO", opening.eco);
    if (w->changes->add & ADD_OPENING)
        set_tag(game, "Opening", opening.name);
}

/* The result on the board takes precedence over the recorded one, and that over none. */
static void add_result(tby_game *game)
{
    tby_position pos;
    tby_game_position(game, node_at(game, SIZE_MAX), &pos);
    const tby_outcome outcome = tby_outcome_of(&pos, 1, TBY_UNKNOWN, false);
    if (outcome.result != TBY_RESULT_NONE)
        tby_game_set_result(game, outcome.result);
    set_tag(game, "Result", tby_result_text(tby_game_result(game)));
}

static void add_hash(tby_game *game)
{
    char text[17];
    line_hash hash = line_begin(tby_game_start(game));
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node))
        hash = line_play(hash, tby_game_move(game, node));
    snprintf(text, sizeof text, "%016" PRIx64, hash.a);
    set_tag(game, "HashCode", text);
}

static void add_tags(const changer *w, tby_game *game)
{
    char text[24];
    if (w->packed)
        add_opening(w, game);
    if (w->changes->add & ADD_PLIES) {
        snprintf(text, sizeof text, "%zu", tby_game_main_line(game, NULL, 0));
        set_tag(game, "PlyCount", text);
    }
    if (w->changes->add & ADD_RESULT)
        add_result(game);
    if (w->changes->add & ADD_HASH)
        add_hash(game);
}

static bool stays(const changes *c, const char *name)
{
    static const char needed[] = "FEN,SetUp,Variant"; /* the moves are meaningless without these */
    if (c->kept && !list_has(c->kept, ',', name) && !list_has(needed, ',', name))
        return false;
    return !c->dropped || !list_has(c->dropped, ',', name);
}

static void drop_tags(const changes *c, tby_game *game)
{
    for (size_t i = 0; i < tby_game_n_tags(game);)
        if (stays(c, tby_game_tag_name(game, i)))
            i++;
        else
            tby_game_remove_tag(game, tby_game_tag_name(game, i));
}

/* A tag that has the new name already is replaced. */
static void rename_tags(const changes *c, tby_game *game)
{
    for (size_t i = 0; i < c->renamed.n; i++) {
        const char *value = tby_game_tag(game, c->renamed.names[i]);
        if (!value)
            continue;
        char *copy = memory_got(strdup(value));
        tby_game_remove_tag(game, c->renamed.names[i]);
        set_tag(game, c->renamed.values[i], copy);
        free(copy);
    }
}

static void rename_player(const changes *c, tby_game *game, const char *tag)
{
    const char *name = tby_game_tag(game, tag);
    const new_name *found = name ? named_find(&c->names, name, strlen(name)) : NULL;
    if (found)
        set_tag(game, tag, found->new);
}

static void change_tags(const changer *w, tby_game *game)
{
    const changes *c = w->changes;
    rename_player(c, game, "White");
    rename_player(c, game, "Black");
    add_tags(w, game);
    for (size_t i = 0; i < c->set.n; i++)
        set_tag(game, c->set.names[i], c->set.values[i]);
    rename_tags(c, game);
    if (c->dropped || c->kept)
        drop_tags(c, game);
}

/* ---- Comments --------------------------------------------------------------------------------------------------- */

static void add_comment(tby_game *game, tby_node node, const char *text)
{
    memory_need(tby_game_add_comment(game, node, TBY_COMMENT_AFTER, text, strlen(text)));
}

static void note_node(tby_game *game, tby_node node, const tby_position *pos, unsigned note)
{
    char text[TBY_FEN_SIZE];
    if (note & (NOTE_FEN | NOTE_FINAL_FEN)) {
        tby_fen_write_position(text, sizeof text, pos, 0);
        add_comment(game, node, text);
    }
    if (note & NOTE_HASH) {
        snprintf(text, sizeof text, "%016" PRIx64, tby_polyglot_key(pos));
        add_comment(game, node, text);
    }
}

static void add_notes(const changes *c, tby_game *game)
{
    tby_position pos = *tby_game_start(game);
    tby_node node = TBY_ROOT, next;
    while ((next = tby_game_child(game, node)) != TBY_NO_NODE) {
        node = next;
        tby_line_play(&pos, tby_game_move(game, node));
        note_node(game, node, &pos, c->note & (NOTE_FEN | NOTE_HASH));
    }
    if (c->note & NOTE_FINAL_FEN && !(c->note & NOTE_FEN && node != TBY_ROOT))
        note_node(game, node, &pos, NOTE_FINAL_FEN);
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

/* A half-move of the game, counted from its new start; the start itself if it was removed. */
static size_t ply_left(const changer *w, size_t ply) { return ply > w->n_dropped ? ply - w->n_dropped : 0; }

tby_game *changer_apply(changer *w, tby_game *game, int *ply)
{
    const changes *c = w->changes;
    w->n_dropped = 0;
    if (c->begin.is_given && !(game = cut_begin(w, game)))
        return NULL;
    if (c->mark && *ply >= 0)
        add_comment(game, node_at(game, ply_left(w, (size_t)*ply + c->marks_played)), c->mark);
    if (*ply >= 0)
        *ply = (int)ply_left(w, (size_t)*ply);
    if (c->end.is_given)
        cut_end(w, game);
    change_tags(w, game);
    if (c->note)
        add_notes(c, game);
    return game;
}

void changer_unfold(changer *w, const tby_game *game, void (*visit)(void *context, const tby_game *line), void *context)
{
    unfolding u = {.room = w->line, .game = game, .visit = visit, .context = context};
    u.path = memory_new(tby_game_n_nodes(game), sizeof *u.path);
    visit_line(&u, TBY_ROOT, tby_game_result(game));
    visit_variations(&u, TBY_ROOT);
    free(u.path);
}
