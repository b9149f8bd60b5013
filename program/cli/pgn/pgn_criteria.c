/*
 * pgn_criteria.c - conditions from files: tags in the format of pgn-extract -t, and queries.
 *
 *     line = NAME [ "<" | "<=" | ">" | ">=" | "=" | "<>" ] VALUE in quotes [ any text ]
 *
 *     White "Tal"             the tag's value begins with this one; * in it is any text
 *     Player "Karpov"         White or Black; in the same way Elo is either player's rating
 *     Date >= "1962.05"       compares what the value has: year, month, day; "b1962" is before, "a1962" after it
 *     WhiteElo > "2500"  PlyCount <= "40"  TimeControl < "600"  Difficulty >= "3"
 *     EloDiff > "200"         the ratings differ by more
 *     FEN "r1bq..."           games that reach this board
 *     FENPattern "??kr?..."   games that reach a board like this: pgn_pattern.c; FENPatternI: or with colours reversed
 *
 * Of the lines about one tag, one without a relation must hold, or all that have one. This is so for every tag; the three
 * with boards count as one. Each line becomes a query.
 */
#include "pgn_pick.h"

#include <stdlib.h>
#include <string.h>

/* The next line that is not empty or a comment, without spaces around it; NULL after the last. */
static char *next_condition(line_reader *l)
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

/* ---- One line --------------------------------------------------------------------------------------------------- */

typedef struct criterion {
    char name[64];
    char op[3]; /* empty: the value begins with it */
    char *value;
    size_t n;
} criterion;

static bool is_op(const criterion *c, const char *op) { return strcmp(c->op, op) == 0; }
static bool is_name(const criterion *c, const char *name) { return strcmp(c->name, name) == 0; }
static bool is_of_board(const criterion *c)
{
    return is_name(c, "FEN") || is_name(c, "FENPattern") || is_name(c, "FENPatternI");
}

/* Removes the quotes and what follows them, in place; NULL if they are not closed. */
static char *unquoted(char *s)
{
    char *const value = s, *to = s;
    for (s++; *s && *s != '"'; s++) {
        s += *s == '\\' && (s[1] == '"' || s[1] == '\\');
        *to++ = *s;
    }
    if (!*s)
        return NULL;
    *to = '\0';
    return value;
}

static void read_op(const line_reader *l, criterion *c, const char *s, size_t n)
{
    static const char *const all[] = {"", "<", "<=", ">", ">=", "=", "<>"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == n && memcmp(all[i], s, n) == 0) {
            memcpy(c->op, s, n);
            return;
        }
    if (n == 2 && memcmp(s, "=~", n) == 0)
        refuse(l, "regular expressions are not supported; * in a value is any text");
    refuse(l, "a relation is < <= > >= = or <>");
}

static criterion criterion_read(const line_reader *l, char *s)
{
    criterion c = {.name = ""};
    const size_t n_name = strcspn(s, " \t<>=\"");
    const char *const op = s + n_name + strspn(s + n_name, " \t");
    const size_t n_op = strspn(op, "<>=~");
    char *const quote = s + (op - s) + n_op + strspn(op + n_op, " \t");
    if (n_name && n_name < sizeof c.name && *quote == '"') {
        memcpy(c.name, s, n_name);
        read_op(l, &c, op, n_op);
        c.value = unquoted(quote);
    }
    if (!c.value)
        refuse(l, "a tag and its value in quotes were expected: White \"Tal\", Date >= \"1962\"");
    c.n = strlen(c.value);
    return c;
}

/* ---- Numbers and dates ------------------------------------------------------------------------------------------ */

static const char *const nothing = "never ply 0..";

/* The numbers from 0 on that the relation allows; for <> the one that it does not. Empty if `low` is above `high`. */
static void range_of(long *low, long *high, const line_reader *l, const criterion *c)
{
    enum { MOST = 99999 };
    char *end;
    const long number = strtol(c->value, &end, 10);
    if (end == c->value || *end || number > MOST || number < -MOST)
        refuse(l, "a number was expected");
    *low = is_op(c, ">") ? number + 1 : number;
    *high = is_op(c, "<") ? number - 1 : number;
    if (is_op(c, "<") || is_op(c, "<="))
        *low = 0;
    if (is_op(c, ">") || is_op(c, ">="))
        *high = MOST;
    if (*low < 0 && *high >= 0)
        *low = 0;
}

/* A rating that is either player's is known. */
static void add_number(buffer *out, const line_reader *l, const criterion *c, const char *word)
{
    long low, high;
    range_of(&low, &high, l, c);
    if (is_name(c, "Elo"))
        buffer_printf(out, "%s 0.. ", word);
    buffer_string(out, is_op(c, "<>") ? "not " : "");
    if (low > high || high < 0)
        buffer_string(out, nothing);
    else
        buffer_printf(out, "%s %ld..%ld", word, low, high);
}

/* Both ratings are known, and the larger one minus the smaller one is in a range or not. */
static void add_difference(buffer *out, const line_reader *l, const criterion *c)
{
    long low, high;
    range_of(&low, &high, l, c);
    buffer_printf(out, "elo 0..%s ", is_op(c, "<>") ? " not" : "");
    if (low > high || high < 0)
        buffer_string(out, nothing);
    else
        buffer_printf(out, "(elo-diff %ld..%ld or elo-diff -%ld..-%ld)", low, high, high, low);
}

/* The year, month or day before or after the one whose `n` parts are given. */
static void add_neighbour(buffer *out, const int *parts, int n, int step)
{
    static const int most[] = {9999, 12, 31};
    while (n > 1 && (parts[n - 1] + step < 1 || parts[n - 1] + step > most[n - 1]))
        n--;
    for (int i = 0; i < n; i++)
        buffer_printf(out, i ? ".%02d" : "%04d", parts[i] + (i + 1 == n ? step : 0));
}

static void add_date(buffer *out, const line_reader *l, const criterion *c)
{
    const bool is_less = *c->op == '<' && !is_op(c, "<>"), is_more = *c->op == '>';
    int parts[3] = {0, 1, 1}, n = 0;
    const char *s = c->value;
    for (int length = 0; n < 3 && sscanf(s, n ? ".%2d%n" : "%4d%n", &parts[n], &length) == 1; n++)
        s += length;
    if (n == 0 || s[strspn(s, ".?")] || parts[0] < 1 || parts[0] > 9998 || parts[1] < 1 || parts[1] > 12 ||
        parts[2] < 1 || parts[2] > 31)
        refuse(l, "a date was expected: 1962, 1962.05 or 1962.05.31");
    buffer_string(out, is_op(c, "<>") ? "not date " : is_less ? "date .." : "date ");
    add_neighbour(out, parts, n, is_op(c, "<") ? -1 : is_op(c, ">"));
    buffer_string(out, is_more ? ".." : "");
}

/* ---- Texts and boards ------------------------------------------------------------------------------------------- */

/* The results that begin with the value. */
static void add_result(buffer *out, const criterion *c)
{
    static const char *const all[] = {"1-0", "0-1", "1/2-1/2", "*"};
    buffer_string(out, is_op(c, "<>") ? "not (" : "(");
    buffer_string(out, nothing);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strncmp(all[i], c->value, c->n) == 0)
            buffer_printf(out, " or result %s", all[i]);
    buffer_string(out, ")");
}

static void add_beginning(buffer *out, const criterion *c, const char *word)
{
    buffer beginning = {0}, fact = {0};
    buffer_printf(&beginning, "%s*", c->value);
    fact_add(&fact, word, beginning.s, beginning.n);
    buffer_add(out, fact.s, fact.n);
    buffer_free(&beginning);
    buffer_free(&fact);
}

static void add_compared(buffer *out, const criterion *c, const char *tag, const char *op)
{
    buffer_printf(out, "tag %s %s \"", tag, op);
    for (const char *s = c->value; *s; s++)
        buffer_printf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    buffer_string(out, "\"");
}

/* A number differs from other numbers, a text from those that begin with it. */
static void add_text_relation(buffer *out, const criterion *c, const char *tag)
{
    char word[80];
    snprintf(word, sizeof word, "not tag %s", tag);
    if (is_op(c, "<>") && c->value[strspn(c->value, "+-.0123456789")]) {
        add_beginning(out, c, word);
    } else if (is_op(c, "=") || is_op(c, "<>")) {
        buffer_string(out, is_op(c, "=") ? "(" : "not (");
        add_compared(out, c, tag, "<=");
        buffer_string(out, " ");
        add_compared(out, c, tag, ">=");
        buffer_string(out, ")");
    } else {
        add_compared(out, c, tag, c->op);
    }
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
    buffer_printf(out, "%s(%s)", is_name(c, "FENPatternI") ? "either " : "", board.n ? board.s : "ply 0..");
    buffer_free(&board);
}

/* ---- Files of tags ---------------------------------------------------------------------------------------------- */

/* What a tag must be: one of `plain`, or all of `related`; of the tags of two players, all of one of them. */
typedef struct asked {
    char *name;
    buffer plain, related[2];
} asked;

static void add_plain(buffer *out, const line_reader *l, const criterion *c)
{
    static const struct {
        const char *tag, *word;
    } words[] = {{"White", "white"}, {"Black", "black"}, {"Player", "player"}, {"Event", "event"},
                 {"Site", "site"},   {"Round", "round"}, {"ECO", "eco"}};
    char word[80];
    snprintf(word, sizeof word, "tag %s", c->name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_name(c, words[i].tag))
            snprintf(word, sizeof word, "%s", words[i].word);
    if (is_name(c, "FEN"))
        add_board(out, l, c);
    else if (is_of_board(c))
        add_pattern(out, l, c);
    else if (is_name(c, "Result"))
        add_result(out, c);
    else if (is_name(c, "Elo")) {
        add_beginning(out, c, "tag WhiteElo");
        buffer_string(out, " or ");
        add_beginning(out, c, "tag BlackElo");
    } else
        add_beginning(out, c, word);
}

static void add_related(buffer *out, const line_reader *l, const criterion *c, int side)
{
    const bool is_elo = is_name(c, "Elo"), is_player = is_name(c, "Player");
    if (is_of_board(c))
        refuse(l, "relations do not apply to boards");
    if (is_name(c, "Date"))
        add_date(out, l, c);
    else if (is_name(c, "EloDiff"))
        add_difference(out, l, c);
    else if (is_name(c, "PlyCount"))
        add_number(out, l, c, "plies");
    else if (is_name(c, "WhiteElo") || (is_elo && side == 0))
        add_number(out, l, c, "white-elo");
    else if (is_name(c, "BlackElo") || is_elo)
        add_number(out, l, c, "black-elo");
    else if (is_name(c, "Result") && (is_op(c, "=") || is_op(c, "<>")))
        add_result(out, c);
    else
        add_text_relation(out, c, !is_player ? c->name : side == 0 ? "White" : "Black");
}

static void add_criterion(asked *one, const line_reader *l, criterion *c)
{
    const bool is_of_two = is_name(c, "Elo") || is_name(c, "Player");
    if (is_name(c, "Date") && !*c->op && (*c->value == 'a' || *c->value == 'b')) {
        c->op[0] = *c->value++ == 'a' ? '>' : '<';
        c->n--;
    } else if ((is_name(c, "EloDiff") || is_name(c, "PlyCount")) && !*c->op) {
        c->op[0] = '=';
    }
    if (!*c->op) {
        buffer_string(&one->plain, one->plain.n ? " or " : "");
        add_plain(&one->plain, l, c);
        return;
    }
    for (int side = 0; side <= is_of_two; side++) {
        buffer_string(&one->related[side], one->related[side].n ? " " : "");
        add_related(&one->related[side], l, c, side);
    }
}

static void add_asked(buffer *facts, asked *one)
{
    const char *join = "";
    buffer_string(facts, " ever (");
    if (one->plain.n)
        buffer_string(facts, one->plain.s), join = " or ";
    for (int side = 0; side < 2; side++)
        if (one->related[side].n)
            buffer_printf(facts, "%s(%s)", join, one->related[side].s), join = " or ";
    buffer_string(facts, ")");
    buffer_free(&one->plain);
    buffer_free(&one->related[0]);
    buffer_free(&one->related[1]);
}

void criteria_tags(buffer *facts, const char *path)
{
    enum { NAMES_MAX = 64 };
    line_reader l = lines_open("pgn", path);
    named_list all = {0};
    for (char *s; (s = next_condition(&l)) != NULL;) {
        criterion c = criterion_read(&l, s);
        const size_t n = is_of_board(&c) ? strlen("FEN") : strlen(c.name);
        asked *one = memory_got(named_get(&all, c.name, n, sizeof *one));
        if (all.n > NAMES_MAX)
            refuse(&l, "too many different tags");
        add_criterion(one, &l, &c);
    }
    if (all.n == 0)
        error_exit("pgn: %s: the file contains no conditions", path);
    for (size_t i = 0; i < all.n; i++)
        add_asked(facts, all.list[i]);
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
    for (char *s; (s = next_condition(&l)) != NULL;) {
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
    if (!any.n)
        error_exit("pgn: %s: the file contains no conditions", l.path);
    buffer_printf(facts, " ever (%s)", any.s);
    buffer_free(&any);
}
