/*
 * pgn_criteria.c - conditions from files: tags in the format of pgn-extract -t, and queries.
 *
 *     White "Tal"            the tag's value begins with this one; * in it is any text
 *     Player "Karpov"        White or Black
 *     Date >= "1962"         < <= > >= = <> for Date, WhiteElo, BlackElo, Elo (of either player), EloDiff (White's minus
 *                            Black's) and PlyCount
 *     Result "1-0"  ECO "B9"
 *     FEN "r1bq..."          games that reach this board
 *     FENPattern "??kr?..."   games that reach a board like this: pgn_pattern.c; FENPatternI: or with colours reversed
 *
 * Each becomes a query.
 */
#include "pgn_pick.h"

#include <stdlib.h>
#include <string.h>

/* The next line that is not empty or a comment, without spaces around it; NULL after the last. */
static const char *next_condition(line_reader *l)
{
    for (char *s; (s = lines_next(l)) != NULL;) {
        while (l->n > 0 && strchr(" \t\r\n", s[l->n - 1]))
            s[--l->n] = '\0';
        s += strspn(s, " \t");
        if (*s && *s != '%' && *s != '#')
            return s;
    }
    return NULL;
}

static _Noreturn void refuse(const line_reader *l, const char *why)
{
    error_exit("pgn: %s:%lu: %s", l->path, l->number, why);
}

/* One of the added facts must hold; an empty file matches no game. */
static void add_any(buffer *facts, buffer *any, const line_reader *l)
{
    if (!any->n)
        error_exit("pgn: %s: the file contains no conditions", l->path);
    buffer_string(facts, " ever (");
    buffer_add(facts, any->s, any->n);
    buffer_string(facts, ")");
    buffer_free(any);
}

/* ---- Tags ------------------------------------------------------------------------------------------------------- */

typedef struct criterion {
    char name[64];
    char op[3]; /* empty: the value begins with it */
    const char *value;
    size_t n;
} criterion;

static criterion criterion_read(const line_reader *l, const char *s)
{
    criterion c = {.name = ""};
    const size_t n_name = strcspn(s, " \t<>=\"");
    snprintf(c.name, sizeof c.name, "%.*s", (int)n_name, s);
    s += n_name;
    s += strspn(s, " \t");
    const size_t n_op = strspn(s, "<>=");
    snprintf(c.op, sizeof c.op, "%.*s", (int)n_op, s);
    s += n_op;
    s += strspn(s, " \t");
    const char *end = *s == '"' ? strchr(s + 1, '"') : NULL;
    if (!n_name || n_name >= sizeof c.name || n_op > 2 || !end)
        refuse(l, "a tag and its value in quotes were expected: White \"Tal\", Date >= \"1962\"");
    c.value = s + 1;
    c.n = (size_t)(end - c.value);
    return c;
}

/* A number with its relation, as the range of a query: ..1961, 1963.. */
static void add_range(buffer *out, const line_reader *l, const criterion *c, const char *word)
{
    char *end;
    const long number = strtol(c->value, &end, 10);
    const bool is_signed = strcmp(word, "elo-diff") == 0;
    if (end == c->value || number > 99999 || number < (is_signed ? -99999 : 0))
        refuse(l, "a number was expected");
    if (strcmp(c->op, "<") == 0)
        buffer_printf(out, "%s ..%ld", word, number || is_signed ? number - 1 : 0);
    else if (strcmp(c->op, "<=") == 0)
        buffer_printf(out, "%s ..%ld", word, number);
    else if (strcmp(c->op, ">") == 0)
        buffer_printf(out, "%s %ld..", word, number + 1);
    else if (strcmp(c->op, ">=") == 0)
        buffer_printf(out, "%s %ld..", word, number);
    else if (strcmp(c->op, "<>") == 0)
        buffer_printf(out, "not %s %ld", word, number);
    else if (strcmp(c->op, "=") == 0 || !*c->op)
        buffer_printf(out, "%s %ld", word, number);
    else
        refuse(l, "a relation is < <= > >= = or <>");
}

static void add_board(buffer *out, const line_reader *l, const criterion *c)
{
    tby_setup setup;
    problem p = {0};
    char fen[TBY_FEN_SIZE];
    if (!fen_setup(&setup, (span){c->value, c->n}, 0, NULL, &p))
        refuse(l, p.text);
    tby_fen_write(fen, sizeof fen, &setup, 0);
    fen[strcspn(fen, " ")] = '\0';
    buffer_printf(out, "board \"%s\"", fen);
}

static void add_pattern(buffer *out, const line_reader *l, const criterion *c)
{
    buffer board = {0};
    const char *fault = pattern_write(&board, c->value, c->n);
    if (fault)
        refuse(l, fault);
    buffer_printf(out, "%s(%s)", c->name[strlen("FENPattern")] ? "either " : "", board.n ? board.s : "ply 0..");
    buffer_free(&board);
}

static void add_criterion(buffer *out, const line_reader *l, const criterion *c)
{
    static const struct {
        const char *tag, *word;
        bool is_number;
    } words[] = {{"WhiteElo", "white-elo", true}, {"BlackElo", "black-elo", true}, {"Elo", "any-elo", true},
                 {"EloDiff", "elo-diff", true},   {"PlyCount", "plies", true},     {"White", "white", false},
                 {"Black", "black", false},       {"Player", "player", false},     {"Event", "event", false},
                 {"Site", "site", false},         {"Round", "round", false},       {"ECO", "eco", false}};
    enum { N_WORDS = sizeof words / sizeof *words };
    const bool is_result = strcmp(c->name, "Result") == 0, is_draw = c->n == 3 && memcmp(c->value, "1/2", 3) == 0;
    buffer tag = {0}, beginning = {0};
    size_t i = 0;
    while (i < N_WORDS && strcmp(words[i].tag, c->name) != 0)
        i++;
    buffer_printf(&tag, "tag %s", c->name);
    buffer_printf(&beginning, "%.*s*", (int)c->n, c->value);
    if (strcmp(c->name, "FEN") == 0)
        add_board(out, l, c);
    else if (is_result)
        fact_add(out, "result", is_draw ? "1/2-1/2" : c->value, is_draw ? strlen("1/2-1/2") : c->n);
    else if (strcmp(c->name, "FENPattern") == 0 || strcmp(c->name, "FENPatternI") == 0)
        add_pattern(out, l, c);
    else if (strcmp(c->name, "Date") == 0 && *c->op)
        add_range(out, l, c, "date");
    else if (i < N_WORDS && words[i].is_number)
        add_range(out, l, c, words[i].word);
    else if (*c->op)
        refuse(l, "relations apply only to Date, WhiteElo, BlackElo, Elo, EloDiff and PlyCount");
    else
        fact_add(out, i < N_WORDS ? words[i].word : tag.s, beginning.s, beginning.n);
    buffer_free(&tag);
    buffer_free(&beginning);
}

/* The values of one name, joined by "or". */
typedef struct asked {
    char *name;
    buffer any;
} asked;

enum { NAMES_MAX = 64 };

/* Relations for both ends must hold together: Date >= "1960", Date <= "1962". */
static void key_of(char key[64], const criterion *c)
{
    const char *op = strcmp(c->op, "<>") == 0 ? "!" : *c->op == '=' ? "" : c->op;
    snprintf(key, 64, "%.60s%.1s", c->name, op);
}

void criteria_tags(buffer *facts, const char *path)
{
    line_reader l = lines_open("pgn", path);
    named_list all = {0};
    for (const char *s; (s = next_condition(&l)) != NULL;) {
        const criterion c = criterion_read(&l, s);
        char key[64];
        key_of(key, &c);
        asked *one = memory_got(named_get(&all, key, strlen(key), sizeof *one));
        if (all.n > NAMES_MAX)
            refuse(&l, "too many different tags");
        buffer_string(&one->any, one->any.n ? " or " : "");
        add_criterion(&one->any, &l, &c);
    }
    if (all.n == 0)
        error_exit("pgn: %s: the file contains no conditions", path);
    for (size_t i = 0; i < all.n; i++)
        add_any(facts, &((asked *)all.list[i])->any, &l);
    named_free(&all);
}

/* ---- Queries ---------------------------------------------------------------------------------------------------- */

/* A line that is no query may be moves without numbers. */
static bool is_moves(const char *s, const patterns *own)
{
    tby_setup setup;
    problem p = {0};
    tby_query *made = query_try(s, strlen(s), own);
    tby_query_free(made);
    return !made && fen_is_moves((span){s, strlen(s)}) && fen_setup(&setup, (span){s, strlen(s)}, 0, NULL, &p);
}

void criteria_queries(buffer *facts, const char *path, const patterns *own)
{
    line_reader l = lines_open("pgn", path);
    buffer any = {0};
    char who[1024];
    for (const char *s; (s = next_condition(&l)) != NULL;) {
        buffer meant = {0};
        if (!query_of_line(&meant, s)) {
            buffer_clear(&meant);
            is_moves(s, own) ? fact_add(&meant, "opening", s, strlen(s)) : buffer_string(&meant, s);
        }
        snprintf(who, sizeof who, "pgn: %s:%lu", l.path, l.number);
        tby_query_free(query_of_text(who, meant.s, own));
        buffer_printf(&any, "%sever (%s)", any.n ? " or " : "", meant.s);
        buffer_free(&meant);
    }
    add_any(facts, &any, &l);
}
