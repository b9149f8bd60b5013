/*
 * query_options.c - selects games by the options that commands for games share, and prints tables in the format that
 * they name.
 */
#include "query_options.h"
#include "os/file.h"
#include "position.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Patterns --------------------------------------------------------------------------------------------------- */

enum { PATTERNS_MAX = 1 << 20 };

const patterns *patterns_of_option(const args *a, int index)
{
    static patterns own;
    problem p = {0};
    char who[32];
    if (own.path || !args_has(a, index))
        return own.path ? &own : NULL;
    own.path = args_value(a, index);
    if (!file_read(&own.text, os_open_stream(own.path, "rb"), PATTERNS_MAX))
        error_exit("%s: --patterns: %s: %s", a->command->name, own.path, strerror(errno));
    if (own.text.n > PATTERNS_MAX)
        error_exit("%s: --patterns: %s: more than a megabyte", a->command->name, own.path);
    snprintf(who, sizeof who, "%s: ", a->command->name);
    patterns_check(&own, who, &p);
    problem_exit(&p);
    return &own;
}

/* ---- Conditions ------------------------------------------------------------------------------------------------- */

/* All others may be repeated, and then all must hold. */
static bool is_repeatable(int index)
{
    static const int single[] = {QUERY_CHESS960, QUERY_LIMIT,   QUERY_OFFSET, QUERY_PATTERNS,
                                 QUERY_QUERY,    QUERY_THREADS, QUERY_WHERE,  QUERY_WITHIN};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i] == index)
            return false;
    return true;
}

/* --white and --black without a name are the command's own, and so is the number of lines of a command that counts all
   games. */
static bool is_other(const args *a, const given *g)
{
    const option *options = a->command->options;
    return ((g->index == QUERY_WHITE || g->index == QUERY_BLACK) && !options[g->index].value) ||
           (g->index == QUERY_LIMIT && option_is_absent(&options[QUERY_OFFSET]));
}

/* An option's value goes to the first layer that has no value of that name. */
static void add_value(query_values *layers, size_t *n_layers, const args *a, const given *g)
{
    const int index = g->index < GIVEN_WORD ? g->index : g->index - GIVEN_WORD;
    size_t at = 0;
    while (at < *n_layers && layers[at].of[index])
        at++;
    if (at && !is_repeatable(index))
        error_exit("%s: --%s is given twice", a->command->name, option_given(a->command, g));
    layers[at].of[index] = g->value ? g->value : "";
    *n_layers = at < *n_layers ? *n_layers : at + 1;
}

void fact_add(buffer *facts, const char *word, const char *s, size_t n)
{
    const size_t room = tby_query_quote(NULL, 0, s, n) + 1;
    buffer_printf(facts, "%s%s ", facts->n ? " " : "", word);
    facts->n += tby_query_quote(buffer_room(facts, room), room, s, n);
}

/* NAME=VALUE is the word `tag NAME` and its value. */
static void add_tag(buffer *facts, const args *a, const char *value)
{
    const char *equals = strchr(value, '=');
    buffer word = {0}, fact = {0};
    if (!equals || equals == value)
        error_exit("%s: --tag must be TAG=VALUE, not \"%s\"", a->command->name, value);
    fact_add(&word, "tag", value, (size_t)(equals - value));
    fact_add(&fact, word.s, equals + 1, strlen(equals + 1));
    buffer_printf(facts, " %s", fact.s);
    buffer_free(&word);
    buffer_free(&fact);
}

static tby_query_options options_of(const patterns *own)
{
    return (tby_query_options){.patterns = own ? own->text.s : NULL, .n_patterns = own ? own->text.n : 0};
}

tby_query *query_try(const char *s, size_t n, const patterns *own)
{
    const tby_query_options how = options_of(own);
    return tby_query_new(s, n, &how, NULL, NULL);
}

tby_query *query_of_text(const char *who, const char *text, const patterns *own)
{
    const tby_query_options how = options_of(own);
    tby_query_error err;
    problem p = {0};
    char prefix[32];
    tby_query *made = text ? tby_query_new(text, strlen(text), &how, NULL, &err) : NULL;
    snprintf(prefix, sizeof prefix, "%s: ", who);
    if (text && !made)
        query_fault(&p, prefix, &err, text, &how, own);
    problem_exit(&p);
    return made;
}

void query_refuse_ids(const char *who, const tby_query *asked)
{
    if (asked && tby_query_needs(asked) & TBY_QUERY_NEEDS_ID)
        error_exit("%s: %s needs a database; it does not apply to a file of games", who,
                   tby_query_needs(asked) & TBY_QUERY_NEEDS_COLLECTIONS ? "\"collection\"" : "\"id\"");
}

/* The reading with players instead of openings that are named after them; empty if there are none. */
static buffer other_reading(const query *q, tby_db *db)
{
    plain_reading other = q->words;
    buffer text = {0};
    bool has_player = false;
    if (plain_look_further(&other, db) != TBY_OK)
        return text;
    for (size_t i = 0; i < other.n; i++)
        if (other.parts[i].kind == PLAIN_OPENING && other.parts[i].kinds >> PLAIN_PLAYER & 1) {
            other.parts[i].kind = PLAIN_PLAYER;
            has_player = true;
        }
    if (has_player)
        plain_write(&text, &other);
    return text;
}

/* Once: report reads the same words for each colour. */
static void say_reading(const query *q, const args *a, tby_db *db)
{
    static bool is_said;
    if (!q->words.n || is_said)
        return;
    buffer other = other_reading(q, db);
    is_said = true;
    error_print("%s: read as: %s%s%s", a->command->name, q->understood.s, other.n ? "; for the player: " : "",
                other.n ? other.s : "");
    buffer_free(&other);
}

static int64_t count_games(tby_db *db, const buffer *text)
{
    int64_t n = 0;
    tby_query *made = text->has_failed ? NULL : tby_query_new(text->s, text->n, NULL, NULL, NULL);
    const tby_db_search search = {.query = made};
    if (made && tby_db_count(&n, db, &search) != TBY_OK)
        n = 0;
    tby_query_free(made);
    return n;
}

/* A name in a query matches by its words: says if the person has far more games in other spellings. */
static void say_spellings(const tby_query *asked, const args *a, tby_db *db)
{
    static bool is_said;
    tby_text name;
    for (size_t i = 0; !is_said && tby_query_player_at(asked, i, &name); i++) {
        buffer by_words = {0}, person = {0}, text = {0};
        buffer_add(&text, name.s, name.n);
        fact_add(&by_words, "player", text.s, text.n);
        person_add(&person, "player", text.s);
        const int64_t n = strpbrk(text.s, " ,.") ? count_games(db, &by_words) : INT64_MAX;
        const int64_t n_person = n < INT64_MAX ? count_games(db, &person) : 0;
        is_said = n_person / 2 >= n && n_person > n;
        if (is_said)
            error_print("%s: %s finds %" PRId64 " %s by these words; in all spellings, the person has %" PRId64 ": %s",
                        a->command->name, by_words.s, n, plural((uint64_t)n, "game", "games"), n_person, person.s);
        buffer_free(&by_words);
        buffer_free(&person);
        buffer_free(&text);
    }
}

static void read_options(query *q, const args *a, const char *text, query_values how, tby_db *db)
{
    char who[32];
    problem p = {0};
    query_values *layers = memory_new(a->n_given + 1, sizeof *layers);
    size_t n_layers = 1;
    buffer facts = {0};
    snprintf(who, sizeof who, "%s: ", a->command->name);
    buffer_add(&facts, how.facts.s, how.facts.n);
    for (size_t i = 0; i < a->n_given; i++) {
        const given *g = &a->given[i];
        if (g->index == GIVEN_WORD + N_QUERY_VALUES)
            add_tag(&facts, a, g->value);
        else if (g->index >= GIVEN_WORD || (g->index < N_QUERY_SHARED && !is_other(a, g)))
            add_value(layers, &n_layers, a, g);
    }
    if (text && layers->of[QUERY_QUERY])
        error_exit("%s: a query is given twice: as \"%s\" and by --query", a->command->name, text);
    if (text)
        layers->of[QUERY_QUERY] = text;
    layers->patterns = patterns_of_option(a, QUERY_PATTERNS);
    layers->match = how.match;
    layers->is_typed = !how.is_strict;
    layers->facts = (tby_text){facts.s, facts.n};
    for (size_t i = 0; i < n_layers; i++) {
        layers[i].who = who;
        layers[i].dashes = "--";
        layers[i].is_strict = how.is_strict;
        layers[i].also = i + 1 < n_layers ? &layers[i + 1] : NULL;
    }
    query_read(q, layers, db, &p);
    buffer_free(&facts);
    free(layers);
    problem_exit(&p);
    say_reading(q, a, db);
    if (db && q->search.query)
        say_spellings(q->search.query, a, db);
    if (q->search.query && tby_query_needs(q->search.query) & TBY_QUERY_NEEDS_COLLECTIONS &&
        (!db || sources_have_files()))
        error_exit("%s: \"collection\" needs a database; it does not apply to a file of games", a->command->name);
}

void query_of_options(query *q, const args *a, const char *text, tby_text facts, const char *match, tby_db *db)
{
    read_options(q, a, text, (query_values){.facts = facts, .match = match}, db);
}

void query_of_strict_options(query *q, const args *a, const char *text, tby_db *db)
{
    read_options(q, a, text, (query_values){.is_strict = true}, db);
}

/* ---- Checking games --------------------------------------------------------------------------------------------- */

struct filter {
    tby_query_state *state; /* NULL: all games */
    tby_batch *batch;       /* the game as a row */
};

filter *filter_new(const tby_query *asked)
{
    filter *f = memory_new(1, sizeof *f);
    f->state = asked ? memory_got(tby_query_state_new(asked, NULL)) : NULL;
    f->batch = asked ? memory_got(tby_batch_new()) : NULL;
    return f;
}

void filter_free(filter *f)
{
    if (f) {
        tby_query_state_free(f->state);
        tby_batch_free(f->batch);
    }
    free(f);
}

filter_answer filter_first(filter *f, const tby_game *game, tby_game_id id, int *ply)
{
    *ply = 0;
    if (!f->state)
        return FILTER_YES;
    tby_batch_clear(f->batch);
    const tby_status status = tby_batch_add(f->batch, game);
    if (status == TBY_TOO_LONG)
        return FILTER_TOO_LONG;
    memory_need(status == TBY_OK);
    const tby_row row = tby_batch_row(f->batch, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, id);
    *ply = tby_query_first(f->state, &asked);
    memory_need(*ply >= TBY_QUERY_NONE);
    return *ply >= 0 ? FILTER_YES : FILTER_NO;
}

uint32_t filter_length(filter *f)
{
    if (!f->state || tby_batch_n_games(f->batch) == 0)
        return 0;
    const tby_row row = tby_batch_row(f->batch, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, 0);
    const int length = tby_query_length(f->state, &asked);
    memory_need(length != TBY_QUERY_NO_MEMORY);
    return length > 0 ? (uint32_t)length : 0;
}

/* ---- A position or a query --------------------------------------------------------------------------------------- */

static bool is_query(const char *text, const patterns *own)
{
    tby_query *made = query_try(text, strlen(text), own);
    tby_query_free(made);
    return made != NULL;
}

static bool is_line(const char *text)
{
    tby_position pos;
    problem p = {0};
    tby_position_start(&pos);
    return line_read(&pos, NULL, "", text, &p);
}

/* Does it begin with a move number? No query does. */
static bool begins_with_number(const char *text) { return move_number_length((span){text, strlen(text)}) > 0; }

/* Nf3 is read as a move rather than as a knight on f3. If the text is neither, its first word decides. */
words_kind words_kind_of(const args *a, const char *text)
{
    if (!text || strcmp(text, "startpos") == 0)
        return WORDS_NONE;
    if (memchr(text, '/', strcspn(text, " \"")))
        return WORDS_FEN;
    if (begins_with_number(text) || is_line(text))
        return WORDS_MOVES;
    if (is_query(text, patterns_of_option(a, QUERY_PATTERNS)))
        return WORDS_QUERY;
    char *first = memory_got(text_copy(text, strcspn(text, " ")));
    const bool is_move = is_line(first);
    free(first);
    return is_move ? WORDS_MOVES : WORDS_QUERY;
}

char *text_behind_moves(char *text)
{
    const size_t n = text ? query_line_length(text) : 0;
    if (!text || !text[n])
        return NULL;
    text[n] = '\0';
    if (memchr(text, '/', strcspn(text, " \"")) || begins_with_number(text) || is_line(text))
        return text + n + 1;
    text[n] = ' ';
    return NULL;
}

char *words_query(char *text)
{
    buffer meant = {0};
    if (!text || !query_of_line(&meant, text)) {
        buffer_free(&meant);
        return text;
    }
    free(text);
    return memory_got(meant.s);
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

static void explain_files(const tby_query *asked)
{
    const unsigned needs = asked ? tby_query_needs(asked) : 0;
    if (!asked) {
        out_string("files: every game is read\nleft to check in each game: nothing\n");
        return;
    }
    const size_t n = tby_query_write(NULL, 0, asked);
    char *text = memory_new(n + 1, 1);
    tby_query_write(text, n + 1, asked);
    text_make_harmless(text, n, '?', "");
    out_printf("query: %s\n", text);
    free(text);
    out_printf("files: every game is read\nneeded:%s%s%s\nleft to check in each game: the query\n",
               needs & TBY_QUERY_NEEDS_ROW ? " tags" : "", needs & TBY_QUERY_NEEDS_MOVES ? " moves" : "",
               needs & TBY_QUERY_NEEDS_ANNOTATED ? " comments" : "");
}

void query_explain(const query *q, const args *a, tby_db *db, const tby_position *pos)
{
    buffer text = {0};
    if (!db) {
        explain_files(q->query);
        return;
    }
    const tby_status status = pos ? tby_db_explain_explore(db, pos, &q->search, buffer_sink, &text)
                                  : tby_db_explain(db, &q->search, buffer_sink, &text);
    if (status != TBY_OK)
        error_exit("%s: %s", a->command->name, tby_db_failure(db)->text);
    out_buffer(&text);
}

void query_explain_all(const query *q, const sources *all, const tby_position *pos)
{
    for (size_t i = 0; i < all->n; i++) {
        if (all->n > 1)
            out_printf("%s%s:\n", i ? "\n" : "", source_name(all->of[i]));
        query_explain(q, all->args, source_db(all->of[i]), pos);
    }
}

/* ---- Order ------------------------------------------------------------------------------------------------------ */

static void order_read(tby_order *out, const char *who, const char *list)
{
    buffer known = {0};
    tby_text fault;
    if (tby_order_read(out, list, &fault))
        return;
    if (out->n == TBY_ORDER_FIELDS)
        error_exit("%s: --sort takes at most %d names", who, TBY_ORDER_FIELDS);
    for (size_t i = 0; tby_row_column_name(i); i++)
        buffer_printf(&known, "%s, ", tby_row_column_name(i));
    error_exit("%s: --sort takes %.*selo, length, id and names of tags, not \"%.*s\"", who, (int)known.n, known.s,
               (int)fault.n, fault.s);
}

sample_choice sample_of_options(const args *a)
{
    const char *value = args_value(a, QUERY_SAMPLE), *seed = value ? strchr(value, ',') : NULL;
    char who[48], n[32];
    if (!value)
        return (sample_choice){0, 0};
    snprintf(who, sizeof who, "%s: --sample", a->command->name);
    snprintf(n, sizeof n, "%.*s", (int)strcspn(value, ","), value);
    return (sample_choice){number_read(who, n, 1, 1000000000), seed ? number_read(who, seed + 1, 0, ULONG_MAX) : 0};
}

void order_of_options(tby_db_search *search, tby_order *room, const args *a)
{
    const sample_choice chosen = sample_of_options(a);
    search->sample = chosen.n;
    search->seed = chosen.seed;
    if (args_has(a, QUERY_SORT)) {
        order_read(room, a->command->name, args_value(a, QUERY_SORT));
        search->order = room;
    }
}

void order_key(buffer *out, const tby_order *order, const tby_row *row, uint32_t length)
{
    const size_t n = tby_order_match_key(NULL, 0, order, row, length), at = out->n;
    if (n && buffer_room(out, n)) {
        tby_order_match_key(out->s + at, n, order, row, length);
        out->n += n;
    }
}

/* ---- The output ------------------------------------------------------------------------------------------------- */

const char *form_of_options(const args *a, int to, const char *usual)
{
    const option *options = a->command->options;
    const char *name = NULL, *last = args_value(a, to);
    for (int i = 0; options[i].name; i++) {
        if (options[i].value || !args_has(a, i) || !option_has_choice(&options[to], options[i].name))
            continue;
        if (name)
            error_exit("%s: --%s and --%s cannot both be given", a->command->name, name, options[i].name);
        name = options[i].name;
    }
    if (name && last && strcmp(name, last) != 0)
        error_exit("%s: --%s and --to %s cannot both be given", a->command->name, name, last);
    return name ? name : last ? last : usual;
}

output output_begin(const args *a)
{
    const char *form = form_of_options(a, OUTPUT_TO, "lines");
    refuse_overwriting(args_value(a, OUTPUT_FILE), a);
    out_open(args_value(a, OUTPUT_FILE));
    const bool is_json = strcmp(form, "json") == 0;
    return (output){is_json, is_json ? NULL : tby_table_format_find(form, strlen(form))};
}

/* Replaces control characters in names, so that they do not reach a terminal. */
void output_table(const output *o, table *t, unsigned parts)
{
    buffer text = {0};
    table_write_as(&text, t, o->format, parts);
    if (text.n)
        text_make_harmless(text.s, text.n, ' ', "\n\t");
    out_buffer(&text);
}

void output_whole(const output *o, table t)
{
    output_table(o, &t, TABLE_WHOLE);
    table_free(&t);
}
