/*
 * find.c - finds games on a PostgreSQL server: as much of a query as the server can say becomes one SQL statement;
 * where that finds too many games, the evaluator asks each.
 *
 * The extension's functions are called plainly: the server knows which indexes serve them.
 */
#include "game/array.h"
#include "store/plan.h"
#include "store/postgres/pg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What --where is a condition on: the view, whose game has a name of its own too. */
#define WHERE_TABLE "(SELECT *, moves AS game FROM tabiya.games) AS games"
/* What conditions are written with. */
typedef struct asking {
    pg_values *values;
    bool has_odd_dates;
} asking;

/* ---- Texts ------------------------------------------------------------------------------------------------------ */

/* A value that is not all ASCII may fold to anything; its bytes are more than its letters. */
#define NOT_ASCII "octet_length(g.%s) <> length(g.%s)"

static bool is_ascii(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] >= 0x80)
            return false;
    return true;
}

static size_t value_of(pg_values *v, const char *s, size_t n)
{
    text_buffer copy = {0};
    tby_text_add(&copy, s, n);
    const size_t number = pg_value(v, copy.s ? copy.s : "");
    v->texts.has_failed |= copy.has_failed;
    tby_text_free(&copy);
    return number;
}

/* The text with the letters from `first` to `last` in the other case, as the server's lower and upper do in "C". They
   are not asked here: a value with a collation of its own is not sent to shards. */
static size_t ascii_value(pg_values *v, const char *s, size_t n, char first, char last)
{
    text_buffer other = {0};
    for (size_t i = 0; i < n; i++) {
        const char c = (char)(s[i] >= first && s[i] <= last ? s[i] ^ ('a' ^ 'A') : s[i]);
        tby_text_add(&other, &c, 1);
    }
    const size_t number = value_of(v, other.s ? other.s : "", other.n);
    v->texts.has_failed |= other.has_failed;
    tby_text_free(&other);
    return number;
}

/* The text with * for %, and what LIKE would misunderstand escaped. */
static size_t like_value(pg_values *v, const char *s, size_t n, bool is_part)
{
    text_buffer like = {0};
    tby_text_string(&like, is_part ? "%" : "");
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '%' || s[i] == '_' || s[i] == '\\')
            tby_text_string(&like, "\\");
        tby_text_add(&like, s[i] == '*' && !is_part ? "%" : s + i, 1);
    }
    tby_text_string(&like, is_part ? "%" : "");
    const size_t number = value_of(v, like.s ? like.s : "", like.n);
    v->texts.has_failed |= like.has_failed;
    tby_text_free(&like);
    return number;
}

static bool is_name(const char *column)
{
    static const char *const names[] = {"white", "black", "event", "site"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], column) == 0)
            return true;
    return false;
}

/* The index has words up to some 500 bytes as they are. */
enum { WORD_SIZE = 490 };
static bool are_short(const char *words, size_t n)
{
    for (size_t at = 0; at < n; at += strlen(words + at) + 1)
        if (strlen(words + at) > WORD_SIZE)
            return false;
    return true;
}

/* The index of words tells. Words are letters and digits alone. */
static cover indexed_words(text_buffer *out, pg_values *v, const char *column, const char *words, size_t n)
{
    text_buffer list = {0};
    for (size_t at = 0; at < n; at += strlen(words + at) + 1)
        tby_text_printf(&list, "%s\"%s\"", at ? "," : "{", words + at);
    tby_text_string(&list, "}");
    tby_text_printf(out, "nameWords(g.%s) @> $%zu::text[]", column, value_of(v, list.s ? list.s : "", list.n));
    v->texts.has_failed |= list.has_failed;
    tby_text_free(&list);
    return COVER_EXACT;
}

/* Each of the words stands in the value, if that is ASCII. */
static cover words_fact(text_buffer *out, pg_values *v, const char *column, const char *words, size_t n)
{
    if (v->has_words && n && is_name(column) && are_short(words, n))
        return indexed_words(out, v, column, words, n);
    tby_text_string(out, "((TRUE");
    for (size_t at = 0; at < n; at += strlen(words + at) + 1) {
        const char *word = words + at;
        if (is_ascii(word, strlen(word)))
            tby_text_printf(out, " AND lower(g.%s) LIKE $%zu", column, like_value(v, word, strlen(word), true));
        else
            tby_text_string(out, " AND FALSE");
    }
    tby_text_printf(out, ") OR " NOT_ASCII ")", column, column);
    return COVER_MORE;
}

static cover text_fact(text_buffer *out, pg_values *v, const tby_query *query, const query_node *node,
                       const char *column)
{
    const query_span text = node->u.t.text, folded = node->u.t.folded;
    const char *pattern = query_bytes(query, folded);
    if (node->way == TEXT_WORDS)
        return words_fact(out, v, column, pattern, folded.n);
    if (node->way == TEXT_PATTERN) {
        if (is_ascii(pattern, folded.n))
            tby_text_printf(out, "(lower(g.%s) LIKE $%zu OR " NOT_ASCII ")", column,
                            like_value(v, pattern, folded.n, false), column, column);
        else
            tby_text_printf(out, NOT_ASCII, column, column);
        return COVER_MORE;
    }
    if (text.n == 0) {
        tby_text_printf(out, "(g.%s = '' OR g.%s IS NULL)", column, column);
        return COVER_EXACT;
    }
    const size_t value = value_of(v, query_bytes(query, text), text.n);
    tby_text_printf(out, "(lower(g.%s) = $%zu AND g.%s = $%zu)", column,
                    ascii_value(v, query_bytes(query, text), text.n, 'A', 'Z'), column, value);
    return COVER_EXACT;
}

static cover player_fact(text_buffer *out, pg_values *v, const tby_query *query, const query_node *node)
{
    tby_text_string(out, "(");
    const cover c = text_fact(out, v, query, node, "white");
    tby_text_string(out, " OR ");
    text_fact(out, v, query, node, "black");
    tby_text_string(out, ")");
    return c;
}

static cover eco_fact(text_buffer *out, pg_values *v, const tby_query *query, const query_node *node)
{
    const query_span low = node->u.t.text, high = node->u.t.name;
    if (node->way != TEXT_CODES)
        return text_fact(out, v, query, node, "eco");
    tby_text_printf(out, "(" NOT_ASCII " OR (TRUE", "eco", "eco");
    if (low.n) {
        const size_t value = ascii_value(v, query_bytes(query, low), low.n, 'a', 'z');
        tby_text_printf(out, " AND upper(substr(g.eco, 1, length($%zu))) >= $%zu", value, value);
    }
    if (high.n) {
        const size_t value = ascii_value(v, query_bytes(query, high), high.n, 'a', 'z');
        tby_text_printf(out, " AND upper(substr(g.eco, 1, length($%zu))) <= $%zu", value, value);
    }
    tby_text_string(out, "))");
    return COVER_MORE;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

bool pg_find_odd_dates(pg *p, const tby_query *query)
{
    bool has_date = false;
    int64_t is_there = 0;
    for (uint32_t i = 0; query && i < query->program.nodes.n; i++)
        has_date |= tree_node(&query->program, i)->type == Q_DATE;
    p->has_odd_dates = false;
    if (!has_date)
        return true;
    if (!pg_number_of(p, "SELECT (to_regclass('tabiya.odd_dates') IS NOT NULL)::integer", 0, &is_there))
        return false;
    p->has_odd_dates = !is_there;
    if (is_there && !pg_number_of(p, "SELECT EXISTS (SELECT FROM tabiya.odd_dates)::integer", 0, &is_there))
        return false;
    p->has_odd_dates |= is_there != 0;
    return true;
}

/* A date without a year may still be told by its tag. Never NULL, in words that are sent to shards. */
static cover date_fact(const asking *a, text_buffer *out, const query_node *node)
{
    tby_text_string(out, "(g.date IS NOT NULL AND ");
    tby_plan_date(out, node, "g");
    tby_text_string(out, a->has_odd_dates ? " OR g.date IS NULL AND g.tags IS NOT NULL)" : ")");
    return a->has_odd_dates ? COVER_MORE : COVER_EXACT;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static cover opening_fact(text_buffer *out, pg_values *v, const tby_query *query, const query_node *node)
{
    const query_span moves = node->u.t.text;
    text_buffer hex = {0};
    tby_text_string(&hex, "\\x");
    tby_text_hex(&hex, query_bytes(query, moves), moves.n);
    tby_text_printf(out, "hasOpening(g.moves, $%zu::bytea::chessgame)", value_of(v, hex.s ? hex.s : "", hex.n));
    v->texts.has_failed |= hex.has_failed;
    tby_text_free(&hex);
    return COVER_EXACT;
}

static size_t board_value(pg_values *v, const query_node *node)
{
    char fen[TBY_FEN_SIZE];
    const tby_setup setup = tby_query_node_setup(node);
    tby_fen_write(fen, sizeof fen, &setup, TBY_FEN_SHREDDER);
    return pg_value(v, fen);
}

static cover board_fact(text_buffer *out, pg_values *v, const query_node *node)
{
    tby_text_printf(out, "%s(g.moves, $%zu::chessboard)", node->type == Q_BOARD ? "hasBoard" : "hasPosition",
                    board_value(v, node));
    return COVER_MORE;
}

static cover write_fact(void *context, text_buffer *out, const tby_query *query, const query_node *node, uint32_t id)
{
    const asking *a = context;
    pg_values *v = a->values;
    (void)id;
    switch ((query_type)node->type) {
    case Q_WHITE: return text_fact(out, v, query, node, "white");
    case Q_BLACK: return text_fact(out, v, query, node, "black");
    case Q_PLAYER: return player_fact(out, v, query, node);
    case Q_EVENT: return text_fact(out, v, query, node, "event");
    case Q_SITE: return text_fact(out, v, query, node, "site");
    case Q_ROUND: return text_fact(out, v, query, node, "round");
    case Q_RATED: return words_fact(out, v, "event", "rated", 6);
    case Q_ECO: return eco_fact(out, v, query, node);
    case Q_DATE: return date_fact(a, out, node);
    case Q_OPENING: return opening_fact(out, v, query, node);
    case Q_FEN:
    case Q_BOARD: return board_fact(out, v, node);
    default: return tby_plan_fact(out, node, "g");
    }
}

static void mark_values(void *context, dialect_mark *mark)
{
    const pg_values *v = ((const asking *)context)->values;
    mark->n_values = v->n;
    mark->n_bytes = v->texts.n;
}

static void reset_values(void *context, const dialect_mark *mark)
{
    pg_values *v = ((const asking *)context)->values;
    v->n = mark->n_values;
    v->texts.n = mark->n_bytes;
}

/* ---- The statement ---------------------------------------------------------------------------------------------- */

/* A search while it goes on. */
typedef struct finding {
    pg *to;
    const tby_db_search *search;
    plan plan;
    pg_values values;
    size_t board; /* the value of plan.position */
    text_buffer sql;
    tby_query_state *state;
    tby_db_visit visit;
    void *context;
    int64_t n_seen, n_visited;
    bool is_over, has_failed;
} finding;

static bool is_exact(const finding *f) { return f->plan.is_position || f->plan.covered == COVER_EXACT; }

static bool begin(finding *f)
{
    const tby_query *query = f->search->query;
    int64_t has_words = 0;
    if (!pg_find_odd_dates(f->to, query))
        return false;
    if (!f->search->ignores_index &&
        !pg_number_of(f->to,
                      "SELECT (to_regclass('tabiya.game_words') IS NOT NULL AND getdatabaseencoding() = 'UTF8')"
                      "::integer",
                      0, &has_words))
        return false;
    f->values.has_words = has_words;
    asking a = {&f->values, f->to->has_odd_dates};
    const dialect d = {mark_values, reset_values, write_fact, &a};
    if (!tby_plan_make(&f->plan, query, &d) || (query && !(f->state = tby_query_state_new(query, NULL))))
        return tby_db_fail_memory(&f->to->base);
    return true;
}

static void end(finding *f)
{
    tby_query_state_free(f->state);
    tby_plan_free(&f->plan);
    pg_values_free(&f->values);
    tby_text_free(&f->sql);
}

static void put_conditions(finding *f)
{
    const char *word = " WHERE ";
    if (f->plan.where.n) {
        tby_text_printf(&f->sql, "%s(%s)", word, f->plan.where.s);
        word = " AND ";
    }
    if (f->plan.is_position && f->plan.max_ply < TBY_PLIES_MAX) {
        f->board = f->board ? f->board : board_value(&f->values, f->plan.position);
        tby_text_printf(&f->sql, "%s%s(g.moves, $%zu::chessboard, %d)", word,
                        f->plan.position->type == Q_BOARD ? "hasBoard" : "hasPosition", f->board, f->plan.max_ply);
        word = " AND ";
    }
    if (f->search->where)
        tby_text_printf(&f->sql, "%sg.id IN (SELECT id FROM " WHERE_TABLE " WHERE (%s))", word, f->search->where);
}

static void put_limits(finding *f)
{
    if (is_exact(f) && f->search->limit > 0)
        tby_text_printf(&f->sql, " LIMIT %" PRId64, f->search->limit);
    if (is_exact(f) && f->search->offset > 0)
        tby_text_printf(&f->sql, " OFFSET %" PRId64, f->search->offset);
}

static unsigned kinds_of(tby_db_wanted what)
{
    return what == TBY_WANTED_GAMES ? KINDS_ALL : what == TBY_WANTED_ROWS ? KINDS_OF_ROWS : 0;
}

/* What is asked for, and what the evaluator needs. */
static tby_db_wanted wanted(const finding *f)
{
    if (is_exact(f))
        return f->search->wanted;
    const unsigned needs = tby_query_needs(f->search->query);
    return needs & (TBY_QUERY_NEEDS_ROW | TBY_QUERY_NEEDS_ANNOTATED) ? TBY_WANTED_GAMES
           : f->search->wanted == TBY_WANTED_GAMES                   ? TBY_WANTED_GAMES
                                                                     : TBY_WANTED_ROWS;
}

void pg_put_columns(text_buffer *out, const pg *p, tby_db_wanted what)
{
    if (what == TBY_WANTED_IDS)
        return;
    tby_text_string(out, ", ");
    tby_columns_select(tby_text_sink, out, TBY_SQL_POSTGRES, kinds_of(what),
                       p->is_coordinator ? "g.names" : "(SELECT names FROM tabiya.shape WHERE shape.id = g.shape)");
}

/* "SELECT id, ply, ... FROM tabiya.first_1 g WHERE ... ORDER BY id"; the table of all games has no number. */
static void put_select(finding *f, int shard)
{
    tby_text_string(&f->sql, "SELECT g.id, ");
    if (f->plan.is_position && !f->board)
        f->board = board_value(&f->values, f->plan.position);
    if (f->plan.is_position)
        tby_text_printf(&f->sql, "%s(g.moves, $%zu::chessboard)",
                        f->plan.position->type == Q_BOARD ? "boardPly" : "positionPly", f->board);
    else
        tby_text_string(&f->sql, "-1");
    pg_put_columns(&f->sql, f->to, wanted(f));
    if (shard)
        tby_text_printf(&f->sql, " FROM tabiya.first_%d g", shard);
    else
        tby_text_string(&f->sql, " FROM tabiya.game g");
    put_conditions(f);
    tby_text_string(&f->sql, " ORDER BY g.id");
}

/* Each shard is asked for as many games as are wanted in all, and no more. */
static void put_arms(finding *f)
{
    tby_text_string(&f->sql, "SELECT * FROM (");
    for (size_t i = 0; i < f->to->n_shards; i++) {
        tby_text_string(&f->sql, i ? " UNION ALL (" : "(");
        put_select(f, f->to->shards[i].number);
        tby_text_printf(&f->sql, " LIMIT %" PRId64 ")", f->search->limit + f->search->offset);
    }
    /* Sorted once more rather than merged: what is merged is asked one shard after the other. */
    tby_text_string(&f->sql, ") AS x ORDER BY id + 0");
}

/* In the order of ids. */
static void put_statement(finding *f)
{
    if (f->to->is_coordinator && is_exact(f) && f->search->limit > 0 && !f->search->where &&
        f->search->limit <= INT64_MAX - f->search->offset)
        put_arms(f);
    else
        put_select(f, 0);
    put_limits(f);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static tby_text text_at(const void *from, int at) { return pg_text(from, at); }
static int64_t number_at(const void *from, int at) { return pg_number(from, at); }

tby_row pg_row(const pg *p, tby_db_wanted what)
{
    const cells from = {text_at, number_at, p, PG_FIRST};
    tby_row row;
    tby_row_of_cells(&row, &from, kinds_of(what));
    return row;
}

static bool check_moves(pg *p, tby_game_id id, const tby_row *row)
{
    tby_error err;
    if (tby_packed_check((const uint8_t *)row->moves.s, row->moves.n, &err) != TBY_OK)
        return tby_db_fail(&p->base, TBY_INVALID_DATABASE, "game %" PRId64 " is damaged: %s", id, err.detail);
    return true;
}

/* A game that nobody visits is asked for; its texts are kept in one piece. */
typedef struct keeping {
    tby_row *out;
    bool is_there, has_room;
} keeping;

static bool keep_row(void *context, pg *p)
{
    keeping *k = context;
    *k->out = pg_row(p, TBY_WANTED_GAMES);
    k->is_there = true;
    k->has_room = array_reserve(&p->kept, &p->cap_kept, tby_row_texts_size(k->out) + 1, 1, NULL);
    if (k->has_room) {
        tby_row_texts_copy(k->out, p->kept);
        tby_row_texts_point(k->out, p->kept);
    }
    return true;
}

static bool ask_for_row(pg *p, tby_game_id id, tby_row *out)
{
    text_buffer sql = {0};
    keeping k = {.out = out};
    tby_text_string(&sql, "SELECT g.id, -1");
    pg_put_columns(&sql, p, TBY_WANTED_GAMES);
    tby_text_printf(&sql, " FROM tabiya.game g WHERE g.id = %" PRId64, (int64_t)id);
    const bool is_good = pg_query(p, sql.has_failed ? NULL : sql.s, NULL, keep_row, &k);
    tby_text_free(&sql);
    if (!is_good)
        return false;
    if (!k.is_there)
        return tby_db_fail(&p->base, TBY_NOT_FOUND, "there is no game %" PRId64, (int64_t)id);
    return k.has_room || tby_db_fail_memory(&p->base);
}

/* The game that is being visited, or any if none is. */
bool tby_pg_row(tby_db *db, tby_game_id id, tby_row *out)
{
    pg *p = (pg *)db;
    if (!p->row)
        return ask_for_row(p, id, out) && check_moves(p, id, out);
    if (p->what == TBY_WANTED_IDS || pg_number(p, PG_ID) != id)
        return tby_db_fail(db, TBY_NOT_FOUND, "game %" PRId64 " is not the one being visited", id);
    *out = pg_row(p, p->what);
    return check_moves(p, id, out);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static int ask(const finding *f, tby_game_id id)
{
    const tby_row row = pg_row(f->to, f->to->what);
    tby_query_game game = tby_query_game_of_row(&row, id);
    if (!(tby_query_needs(f->search->query) & TBY_QUERY_NEEDS_ROW))
        game.row = NULL;
    return tby_query_first(f->state, &game);
}

/* Limits that the server does not know of count here. */
static bool visit_row(void *context, pg *p)
{
    finding *f = context;
    tby_db_hit hit = {pg_number(p, PG_ID), (int)pg_number(p, PG_PLY)};
    if (!is_exact(f)) {
        hit.ply = ask(f, hit.id);
        if (hit.ply == TBY_QUERY_NO_MEMORY)
            f->has_failed = !tby_db_fail_memory(&p->base);
        if (hit.ply == TBY_QUERY_DAMAGED)
            f->has_failed = !tby_db_fail(&p->base, TBY_INVALID_DATABASE, "game %" PRId64 " is damaged", hit.id);
        if (hit.ply < 0)
            return !f->has_failed;
        hit.ply = f->search->query->is_of_game ? -1 : hit.ply;
        if (f->n_seen++ < f->search->offset)
            return true;
        f->is_over = f->search->limit > 0 && ++f->n_visited >= f->search->limit;
    }
    return f->visit(f->context, &hit) && !f->is_over;
}

static bool find(finding *f)
{
    put_statement(f);
    if (f->sql.has_failed)
        return tby_db_fail_memory(&f->to->base);
    f->to->what = wanted(f);
    return pg_query(f->to, f->sql.s, &f->values, visit_row, f) && !f->has_failed;
}

bool tby_pg_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    finding f = {.to = (pg *)db, .search = search, .visit = visit, .context = context};
    const bool is_good = begin(&f) && find(&f);
    end(&f);
    return is_good;
}

/* ---- Counting --------------------------------------------------------------------------------------------------- */

static bool take_count(void *context, pg *p)
{
    *(int64_t *)context = pg_number(p, 0);
    return true;
}

static bool count_hit(void *context, const tby_db_hit *hit)
{
    (void)hit;
    ++*(int64_t *)context;
    return true;
}

/* Shards count their own games, if these are grouped by shard. */
#define COUNT_OF_SHARDS "SELECT sum(n)::bigint FROM (SELECT g.shard, count(*) AS n FROM tabiya.game g"

static int64_t within_limits(int64_t n, const tby_db_search *search)
{
    n = n > search->offset ? n - search->offset : 0;
    return search->limit > 0 && n > search->limit ? search->limit : n;
}

/* "SELECT count(*) FROM (SELECT FROM tabiya.game g WHERE ... LIMIT ...) AS x" */
static bool count_on_server(finding *f, int64_t *out)
{
    const bool has_shards = f->to->is_coordinator;
    tby_text_string(&f->sql, has_shards ? COUNT_OF_SHARDS : "SELECT count(*) FROM (SELECT FROM tabiya.game g");
    put_conditions(f);
    if (has_shards)
        tby_text_string(&f->sql, " GROUP BY g.shard");
    else
        put_limits(f);
    tby_text_string(&f->sql, ") AS x");
    if (f->sql.has_failed)
        return tby_db_fail_memory(&f->to->base);
    const bool is_good = pg_query(f->to, f->sql.s, &f->values, take_count, out);
    *out = has_shards ? within_limits(*out, f->search) : *out;
    return is_good;
}

bool tby_pg_count(tby_db *db, const tby_db_search *search, int64_t *out)
{
    finding f = {.to = (pg *)db, .search = search, .visit = count_hit, .context = out};
    *out = 0;
    const bool is_good = begin(&f) && (is_exact(&f) ? count_on_server(&f, out) : find(&f));
    end(&f);
    return is_good;
}

bool tby_pg_n_games(tby_db *db, int64_t *out)
{
    pg *p = (pg *)db;
    return pg_number_of(
        p, p->is_coordinator ? COUNT_OF_SHARDS " GROUP BY g.shard) AS x" : "SELECT count(*) FROM tabiya.game", 0, out);
}

bool tby_pg_last_id(tby_db *db, int64_t *out)
{
    pg *p = (pg *)db;
    return pg_number_of(p,
                        p->is_coordinator ? "SELECT max(last) FROM (SELECT shard, max(id) AS last FROM tabiya.game"
                                            " GROUP BY shard) AS x"
                                          : "SELECT max(id) FROM tabiya.game",
                        0, out);
}

bool tby_pg_check_where(tby_db *db, const char *where)
{
    text_buffer sql = {0};
    tby_text_printf(&sql, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", where);
    const bool is_good = sql.has_failed ? tby_db_fail_memory(db) : pg_check((pg *)db, sql.s);
    tby_text_free(&sql);
    return is_good;
}

/* ---- Conditions for others -------------------------------------------------------------------------------------- */

bool pg_search_conditions(pg *p, const tby_db_search *search, pg_values *v, text_buffer *out, bool *is_said)
{
    finding f = {.to = p, .search = search, .values = *v};
    *v = (pg_values){.n = 0};
    const bool is_good = begin(&f);
    *is_said = is_good && is_exact(&f);
    if (*is_said)
        put_conditions(&f);
    if (*is_said && f.sql.n)
        tby_text_printf(out, " AND %s", f.sql.s + strlen(" WHERE "));
    out->has_failed |= f.sql.has_failed;
    *v = f.values;
    f.values = (pg_values){.n = 0};
    end(&f);
    return is_good;
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

static bool take_line(void *context, pg *p)
{
    const tby_text line = pg_text(p, 0);
    tby_text_string(context, "plan: ");
    tby_text_add(context, line.s, line.n);
    tby_text_string(context, "\n");
    return true;
}

static bool explain(finding *f, text_buffer *out)
{
    if (f->plan.where.n)
        tby_text_printf(out, "sql: %s\n", f->plan.where.s);
    if (f->search->where)
        tby_text_printf(out, "where: %s\n", f->search->where);
    tby_text_string(&f->sql, "EXPLAIN (COSTS OFF) ");
    put_statement(f);
    if (f->sql.has_failed)
        return tby_db_fail_memory(&f->to->base);
    const bool is_good = pg_query(f->to, f->sql.s, &f->values, take_line, out);
    tby_text_string(out, is_exact(f) ? "left to ask of each game: nothing\n" : "left to ask of each game: the query\n");
    return is_good;
}

bool tby_pg_explain(tby_db *db, const tby_db_search *search, text_buffer *out)
{
    finding f = {.to = (pg *)db, .search = search};
    const bool is_good = begin(&f) && explain(&f, out);
    end(&f);
    return is_good;
}
