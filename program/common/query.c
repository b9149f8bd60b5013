/*
 * query.c - makes a query from the values of options and parameters.
 */
#include "query.h"
#include "position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const query_names[N_QUERY_VALUES] = {
    [QUERY_BLACK] = "black",   [QUERY_BOARD] = "board",   [QUERY_CHESS960] = "chess960", [QUERY_DATE] = "date",
    [QUERY_ECO] = "eco",       [QUERY_ELO] = "elo",       [QUERY_EVENT] = "event",       [QUERY_FEN] = "fen",
    [QUERY_LIMIT] = "limit",   [QUERY_OFFSET] = "offset", [QUERY_OPENING] = "opening",   [QUERY_PATTERNS] = "patterns",
    [QUERY_PLAYER] = "player", [QUERY_PLIES] = "plies",   [QUERY_QUERY] = "query",       [QUERY_RESULT] = "result",
    [QUERY_SITE] = "site",     [QUERY_TEXT] = "text",     [QUERY_THREADS] = "threads",   [QUERY_WHERE] = "where",
    [QUERY_WHITE] = "white",   [QUERY_WITHIN] = "within",
};

/* State while the values are read. */
typedef struct reading {
    query *q;
    const query_values *values;
    problem *p;
    tby_query_text facts;
    buffer all;        /* the facts, and those of the values */
    const char *field; /* the name of the value being read */
    const char *given; /* the query, unless it was read as plain words */
    char what[48];     /* the value being read, by its name */
} reading;

/* Its value, and its name for a problem. */
static const char *take(reading *r, int index)
{
    const char *value = r->values->of[index];
    if (value) {
        r->field = query_names[index];
        snprintf(r->what, sizeof r->what, "%s%s%s", r->values->who, r->values->dashes, r->field);
    }
    return value;
}

/* 0 if it is not given. */
static bool read_count(reading *r, uint64_t *out, int index, uint64_t low, uint64_t high)
{
    const char *value = take(r, index);
    *out = 0;
    return !value || problem_number(out, r->what, value, low, high, r->p);
}

static bool read_counts(reading *r)
{
    uint64_t limit, offset, within, threads;
    tby_db_search *search = &r->q->search;
    if (!read_count(r, &limit, QUERY_LIMIT, 1, UINT32_MAX) || !read_count(r, &offset, QUERY_OFFSET, 0, UINT32_MAX) ||
        !read_count(r, &within, QUERY_WITHIN, 1, TBY_PLIES_MAX) ||
        !read_count(r, &threads, QUERY_THREADS, 1, QUERY_THREADS_MAX))
        return false;
    search->limit = (int64_t)limit;
    search->offset = (int64_t)offset;
    search->n_threads = (unsigned)threads;
    return true;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

/* Counts the fields of a FEN. */
static size_t count_fields(const char *s)
{
    size_t n = 0;
    for (s += strspn(s, " \t"); *s; s += strspn(s, " \t"), n++)
        s += strcspn(s, " \t");
    return n;
}

/* The fact gets the position as it was read, with rights as file letters, not the original text. */
static bool add_position(reading *r, const char *word, const tby_setup *setup)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write(fen, sizeof fen, setup, TBY_FEN_SHREDDER);
    tby_query_text_add(&r->facts, word, fen, strcmp(word, "board") == 0 ? strcspn(fen, " ") : strlen(fen));
    return true;
}

/* Missing castling rights would mean none, and hardly any game would be found. */
static bool read_fen(reading *r, const char *value, unsigned flags)
{
    tby_position pos;
    tby_setup setup;
    if (count_fields(value) < 3 && strcmp(value, "startpos") != 0 && !fen_is_moves((span){value, strlen(value)}))
        return problem_set(
            r->p, PROBLEM_ASKED,
            "%s%sfen needs the side to move and the castling rights too, such as \"w KQkq\"; the query board \"...\" "
            "looks for the pieces alone",
            r->values->who, r->values->dashes);
    if (!fen_position(&pos, fen_named(value, strlen(value)), flags, TBY_FAULTS_UNREACHABLE, r->p))
        return false;
    tby_position_setup(&setup, &pos);
    return add_position(r, "fen", &setup);
}

static bool read_board(reading *r, const char *value, unsigned flags)
{
    tby_setup setup;
    return fen_setup(&setup, fen_named(value, strlen(value)), flags, NULL, r->p) && add_position(r, "board", &setup);
}

static bool read_target(reading *r)
{
    const char *who = r->values->who, *dashes = r->values->dashes, *const *of = r->values->of;
    const char *fen = of[QUERY_FEN], *board = of[QUERY_BOARD];
    const unsigned flags = of[QUERY_CHESS960] ? TBY_FEN_CHESS960 : 0;
    if (fen && board)
        return problem_set(r->p, PROBLEM_ASKED, "%s%sfen and %sboard cannot both be given", who, dashes, dashes);
    if (of[QUERY_WITHIN] && !fen && !board)
        return problem_set(r->p, PROBLEM_ASKED, "%s%swithin needs %sfen or %sboard", who, dashes, dashes, dashes);
    return (!fen || read_fen(r, fen, flags)) && (!board || read_board(r, board, flags));
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* Returns false. */
static bool refuse(reading *r, const char *value, const char *expected)
{
    r->p->field = r->field;
    return problem_set(r->p, PROBLEM_ASKED, "%s must be %s, not \"%.200s\"", r->what, expected, value);
}

static void add(reading *r, const char *word, const char *value)
{
    tby_query_text_add(&r->facts, word, value, strlen(value));
}

/* Does the query language accept the value of a fact? `err` says why not. */
static bool is_value(const char *word, const char *value, tby_query_error *err)
{
    tby_query_text text = {.n = 0};
    *err = (tby_query_error){.status = TBY_NO_MEMORY};
    tby_query_text_add(&text, word, value, strlen(value));
    tby_query *made = text.has_no_memory ? NULL : tby_query_new(text.s, text.n, NULL, NULL, err);
    tby_query_free(made);
    tby_query_text_free(&text);
    return made != NULL;
}

/* This gives a better message for a line that cannot be played. */
static bool read_opening(reading *r)
{
    const char *value = take(r, QUERY_OPENING);
    tby_query_error err;
    tby_position pos;
    if (!value)
        return true;
    tby_position_start(&pos);
    bool is_good =
        is_value("opening", value, &err) ||
        (err.status == TBY_NO_MEMORY ? problem_no_memory(r->p) : line_read(&pos, NULL, r->what, value, r->p));
    if (is_good && !*value)
        is_good = refuse(r, value, "moves");
    if (is_good)
        add(r, "opening", value);
    return is_good;
}

/* An error about the value names the option. Others, such as a range that goes backward, are those of the query. */
static bool read_checked(reading *r)
{
    static const int checked[] = {QUERY_ELO, QUERY_DATE, QUERY_PLIES, QUERY_RESULT};
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++) {
        const char *word = query_names[checked[i]], *value = take(r, checked[i]);
        tby_query_error err;
        if (!value)
            continue;
        if (!is_value(word, value, &err) && err.n_expected) {
            err.text[err.n_expected] = '\0';
            return checked[i] == QUERY_DATE && *r->values->dashes
                       ? problem_set(r->p, PROBLEM_ASKED, "%s must be %s, not \"%.200s\"; since 2020: --date 2020..",
                                     r->what, err.text, value)
                       : refuse(r, value, err.text);
        }
        if (err.status == TBY_NO_MEMORY)
            return problem_no_memory(r->p);
        add(r, word, value);
    }
    return true;
}

/* Those whose value may be any text. */
static void read_texts(reading *r)
{
    static const int people[] = {QUERY_PLAYER, QUERY_WHITE, QUERY_BLACK};
    static const int texts[] = {QUERY_EVENT, QUERY_SITE, QUERY_ECO};
    for (size_t i = 0; i < sizeof people / sizeof *people; i++) {
        const char *word = query_names[people[i]], *name = r->values->of[people[i]];
        if (name && r->values->is_strict)
            add(r, word, name);
        else if (name)
            person_add(&r->all, word, name);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (r->values->of[texts[i]])
            add(r, query_names[texts[i]], r->values->of[texts[i]]);
}

static void read_within(reading *r)
{
    char value[32];
    if (!r->values->of[QUERY_WITHIN])
        return;
    snprintf(value, sizeof value, "..%s", r->values->of[QUERY_WITHIN]);
    add(r, "ply", value);
}

/* A mistake in the user's SQL is reported before any work begins. */
static bool read_where(reading *r, tby_db *db)
{
    const char *value = take(r, QUERY_WHERE);
    if (!value)
        return true;
    if (tby_db_check_where(db, value) != TBY_OK)
        return problem_set(r->p, PROBLEM_ASKED, "%s: %s", r->what, tby_db_failure(db)->text);
    r->q->search.where = value;
    return true;
}

static bool has_condition(const query_values *values)
{
    if (values->match || values->facts.n)
        return true;
    for (int i = 0; i < N_QUERY_VALUES; i++) {
        const bool is_condition = i != QUERY_CHESS960 && i != QUERY_LIMIT && i != QUERY_OFFSET && i != QUERY_PATTERNS &&
                                  i != QUERY_THREADS;
        if (is_condition && values->of[i])
            return true;
    }
    return false;
}

/* ---- Faults ----------------------------------------------------------------------------------------------------- */

bool query_fault(problem *p, const char *who, const tby_query_error *err, const char *asked,
                 const tby_query_options *options, const patterns *own)
{
    char sentence[TBY_QUERY_MESSAGE_SIZE];
    if (err->status == TBY_NO_MEMORY)
        return problem_no_memory(p);
    const char *text = err->part == TBY_QUERY_IN_FACTS      ? options->facts
                       : err->part == TBY_QUERY_IN_PATTERNS ? options->patterns
                                                            : asked;
    const size_t n = err->part == TBY_QUERY_IN_FACTS      ? options->n_facts
                     : err->part == TBY_QUERY_IN_PATTERNS ? options->n_patterns
                                                          : strlen(asked);
    tby_query_error_write(sentence, sizeof sentence, err, text, n);
    if (err->part == TBY_QUERY_IN_TEXT && !p->status) {
        p->has_place = true;
        p->offset = err->offset;
        p->length = err->length;
    }
    if (err->part == TBY_QUERY_IN_PATTERNS && own)
        return problem_set(p, PROBLEM_ASKED, "%s%.100s:%zu:%zu: %s", who, own->path, err->line, err->column, sentence);
    return problem_set(p, PROBLEM_ASKED, "%s%s", who, sentence);
}

bool patterns_check(const patterns *own, const char *who, problem *p)
{
    const tby_query_options options = {.patterns = own->text.s, .n_patterns = own->text.n};
    tby_query_error err;
    tby_query *made = tby_query_new("initial", 7, &options, NULL, &err);
    tby_query_free(made);
    return made || query_fault(p, who, &err, "initial", &options, own);
}

/* ---- Lines of moves --------------------------------------------------------------------------------------------- */

size_t query_line_length(const char *typed)
{
    const char *word;
    for (size_t at = strcspn(typed, " "); typed[at]; at += strcspn(typed + at, " ")) {
        const size_t end = at;
        at += strspn(typed + at, " ");
        const size_t n = strspn(typed + at, "abcdefghijklmnopqrstuvwxyz-");
        for (size_t i = 0; (word = tby_query_word_at(i)) != NULL; i++)
            if (strlen(word) == n && memcmp(word, typed + at, n) == 0)
                return end;
    }
    return strlen(typed);
}

static void add_value(buffer *out, const char *word, const char *s, size_t n)
{
    tby_query_text text = {.n = 0};
    tby_query_text_add(&text, word, s, n);
    buffer_add(out, text.s, text.n);
    out->has_failed |= text.has_no_memory;
    tby_query_text_free(&text);
}

static bool is_fen(const char *typed)
{
    size_t n_ranks = 1;
    for (size_t i = 0; typed[i] && typed[i] != ' '; i++)
        n_ranks += typed[i] == '/';
    return n_ranks == 8;
}

/* "1. e4", "1.e4", "1 e4" */
static bool begins_with_move(const char *typed)
{
    const size_t number = move_number_length((span){typed, strlen(typed)}), n_digits = strspn(typed, "0123456789");
    const char *move = typed + (number ? number : n_digits);
    move += strspn(move, " ");
    if (number) /* unlike 5..7 and 2.5 */
        return *move && !strchr(".0123456789", *move);
    return n_digits > 0 && fen_is_moves((span){move, strlen(move)});
}

bool query_of_line(buffer *out, const char *typed)
{
    if (!is_fen(typed) && !begins_with_move(typed))
        return false;
    const size_t n = query_line_length(typed);
    add_value(out, is_fen(typed) ? "fen" : "opening", typed, n);
    const char *rest = typed + n + strspn(typed + n, " ");
    const bool goes_on = strncmp(rest, "or ", 3) == 0 || strncmp(rest, "and ", 4) == 0;
    if (*rest)
        buffer_printf(out, goes_on ? " %s" : " (%s)", rest);
    return !out->has_failed;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static tby_query_options options_of(const reading *r, bool has_facts)
{
    const patterns *own = r->values->patterns;
    return (tby_query_options){.facts = has_facts ? r->all.s : NULL,
                               .n_facts = has_facts ? r->all.n : 0,
                               .patterns = own ? own->text.s : NULL,
                               .n_patterns = own ? own->text.n : 0};
}

/* NULL, and a problem, if it has an error. */
static tby_query *query_of(reading *r, const char *asked, const tby_query_options *options)
{
    tby_query_error err;
    tby_query *made = tby_query_new(asked, strlen(asked), options, NULL, &err);
    if (!made && err.part == TBY_QUERY_IN_TEXT)
        r->p->field = query_names[QUERY_QUERY];
    if (!made)
        query_fault(r->p, r->values->who, &err, asked, options, r->values->patterns);
    return made;
}

static bool is_query(const reading *r, const char *text)
{
    const tby_query_options options = options_of(r, false);
    tby_query *made = tby_query_new(text, strlen(text), &options, NULL, NULL);
    tby_query_free(made);
    return made != NULL;
}

/* Similar names of players, for a text that is neither a query nor plain words. */
static void add_similar(void *context, tby_text name)
{
    buffer_add(context, name.s, name.n);
    buffer_add(context, "", 1);
}

/* Adds them to the message, and keeps as many as there is room for. */
static void keep_similar(problem *p, tby_query_error *err, const buffer *near)
{
    buffer text = {0};
    size_t kept = 0;
    const size_t n = strlen(err->text);
    for (size_t at = 0, length; at < near->n; at += length) {
        length = strlen(near->s + at) + 1;
        buffer_string(&text, at ? ", \"" : "; similar names: \"");
        buffer_harmless(&text, near->s + at, length - 1, '?');
        buffer_string(&text, "\"");
        if (kept + length < sizeof p->near)
            memcpy(p->near + kept, near->s + at, length);
        kept += kept + length < sizeof p->near ? length : 0;
    }
    if (!text.has_failed && n + text.n < sizeof err->text)
        memcpy(err->text + n, text.s, text.n + 1);
    buffer_free(&text);
}

/* The error of the language, with similar names. */
static bool refuse_words(reading *r, tby_db *db, const char *typed, tby_query_error *err)
{
    enum { NEAR = 3 };
    const tby_query_options options = options_of(r, false);
    buffer near = {0};
    if (plain_may_be_name(typed, strlen(typed)) &&
        tby_db_near_players(db, typed, strlen(typed), NEAR, add_similar, &near) == TBY_OK && near.n && !near.has_failed)
        keep_similar(r->p, err, &near);
    r->p->field = r->field;
    buffer_free(&near);
    return query_fault(r->p, r->values->who, err, typed, &options, r->values->patterns);
}

static bool has_failed(reading *r, tby_db *db, tby_status status)
{
    if (status == TBY_NO_MEMORY)
        return problem_no_memory(r->p);
    return problem_set(r->p, status == TBY_INTERRUPTED || status == TBY_BUSY ? PROBLEM_NOT_NOW : PROBLEM_BROKEN, "%s%s",
                       r->values->who, tby_db_failure(db)->text);
}

/* A line of moves is the opening, and a FEN the position. */
static bool is_line(reading *r, const char *typed)
{
    const tby_query_options options = options_of(r, false);
    buffer text = {0};
    tby_query *made = query_of_line(&text, typed) ? tby_query_new(text.s, text.n, &options, NULL, NULL) : NULL;
    if (made)
        buffer_add(&r->q->understood, text.s, text.n);
    tby_query_free(made);
    buffer_free(&text);
    return made != NULL;
}

/* What a person has typed: a query, a line of moves, or plain words. In a search field, a name of an opening that is also
   a pattern means the opening. */
static bool read_typed(reading *r, tby_db *db, const char *typed, bool is_field)
{
    buffer *out = &r->q->understood;
    const tby_query_options options = options_of(r, false);
    tby_query_error err = {.status = TBY_OK};
    tby_query *made = tby_query_new(typed, strlen(typed), &options, NULL, &err);
    tby_query_free(made);
    if (made && !(is_field && plain_is_opening(&r->q->words, typed, strlen(typed)))) {
        buffer_string(out, typed);
        return !out->has_failed || problem_no_memory(r->p);
    }
    if (!made && err.status == TBY_NO_MEMORY)
        return problem_no_memory(r->p);
    if (!made && is_line(r, typed))
        return true;
    const tby_status status = made ? TBY_OK : plain_read(&r->q->words, db, typed, strlen(typed));
    if (status != TBY_OK)
        return has_failed(r, db, status);
    if (!r->q->words.n)
        return refuse_words(r, db, typed, &err);
    plain_write(out, &r->q->words);
    return !out->has_failed || problem_no_memory(r->p);
}

/* Reads the text of a search field, or the query of a command, which may be plain words. */
static bool read_words(reading *r, tby_db *db)
{
    const char *asked = take(r, QUERY_QUERY), *typed = take(r, QUERY_TEXT);
    const bool is_field = typed && typed[strspn(typed, " \t")];
    if (is_field && r->values->is_strict)
        return problem_set(r->p, PROBLEM_ASKED, "%s does not apply to a command that changes a database; give a query",
                           r->what);
    if (is_field && !db)
        return problem_set(r->p, PROBLEM_ASKED, "%s needs a database", r->what);
    if (is_field)
        return read_typed(r, db, typed + strspn(typed, " \t"), true);
    if (!asked || !r->values->is_typed || r->values->is_strict || !db || is_query(r, asked))
        return true;
    r->given = "";
    return read_typed(r, db, asked, false);
}

/* The query and the facts of the other values as one. */
static bool make_query(reading *r)
{
    const buffer *understood = &r->q->understood;
    const bool is_fact = understood->n && (*r->given || r->values->match);
    const char *asked = understood->n && !is_fact ? understood->s : r->given;
    if (is_fact)
        buffer_printf(&r->all, " (%s)", understood->s);
    if (r->all.has_failed)
        return problem_no_memory(r->p);
    const tby_query_options options = options_of(r, true);
    if (!*asked && r->all.n == 0)
        return true;
    r->q->query = query_of(r, asked, &options);
    return r->q->query != NULL;
}

/* Both parts are valid by themselves: together they are "(match) ever ((asked) facts)", whose first ply is that of the
   match, in the games for which the rest holds anywhere. */
static bool make_match(reading *r)
{
    const char *match = r->values->match, *asked = r->given;
    const tby_query_options options = options_of(r, false);
    buffer both = {0};
    tby_query *alone = query_of(r, match, &options);
    if (!alone)
        return false;
    if (!r->q->query) {
        r->q->query = alone;
        return true;
    }
    tby_query_free(alone);
    tby_query_free(r->q->query);
    buffer_printf(&both, *asked ? "(%s) ever ((%s) %s)" : "(%s) ever (%s %s)", match, asked, r->all.s ? r->all.s : "");
    r->q->query = both.has_failed ? NULL : query_of(r, both.s, &options);
    buffer_free(&both);
    return r->q->query || problem_no_memory(r->p);
}

/* The conditions from the values, and those given as facts. */
static bool join_facts(reading *r)
{
    if (r->facts.n) {
        buffer_string(&r->all, r->all.n ? " " : "");
        buffer_add(&r->all, r->facts.s, r->facts.n);
    }
    if (r->values->facts.n) {
        buffer_string(&r->all, " ");
        buffer_add(&r->all, r->values->facts.s, r->values->facts.n);
    }
    return (!r->facts.has_no_memory && !r->all.has_failed) || problem_no_memory(r->p);
}

static bool read_facts(reading *r)
{
    read_texts(r);
    read_within(r);
    return read_target(r) && read_opening(r) && read_checked(r);
}

static bool read_all(reading *r, tby_db *db)
{
    const query_values *first = r->values;
    for (; r->values; r->values = r->values->also)
        if (!read_facts(r))
            return false;
    r->values = first;
    return join_facts(r) && read_counts(r) && read_where(r, db) && read_words(r, db) && make_query(r) &&
           (!first->match || make_match(r));
}

bool query_read(query *q, const query_values *values, tby_db *db, problem *p)
{
    const char *asked = values->of[QUERY_QUERY];
    reading r = {.q = q, .values = values, .p = p, .given = asked ? asked : ""};
    *q = (query){.has_condition = has_condition(values)};
    const bool is_good = read_all(&r, db);
    q->search.query = q->query;
    tby_query_text_free(&r.facts);
    buffer_free(&r.all);
    if (!is_good)
        query_free(q);
    return is_good;
}

void query_free(query *q)
{
    tby_query_free(q->query);
    q->query = NULL;
    buffer_free(&q->understood);
}
