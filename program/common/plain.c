/*
 * plain.c - reads plain words as a query.
 *
 * The text is split into phrases, so that the sum of their costs is lowest: few phrases, and openings and players rather
 * than places and events.
 */
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const plain_kind_names[N_PLAIN_KINDS] = {
    [PLAIN_OPENING] = "opening", [PLAIN_PLAYER] = "player",   [PLAIN_PLACE] = "place",
    [PLAIN_EVENT] = "event",     [PLAIN_PATTERN] = "pattern", [PLAIN_YEAR] = "year",
};

enum { TEXT_MAX = 256, PLAYERS_MAX = 2, COST_NONE = 1000 };
static const unsigned costs[N_PLAIN_KINDS] = {
    [PLAIN_OPENING] = 4, [PLAIN_PLAYER] = 4,  [PLAIN_PLACE] = 6,
    [PLAIN_EVENT] = 10,  [PLAIN_PATTERN] = 4, [PLAIN_YEAR] = 2,
};

/* A word, with the signs that touch it. */
typedef struct token {
    size_t at, n;
    bool is_year;
    bool is_versus; /* "vs": players before and after it */
    bool is_word;   /* of the query language */
} token;

typedef struct phrase {
    bool is_known; /* it has been looked up */
    unsigned cost; /* COST_NONE: it has no meaning */
    plain_part part;
} phrase;

typedef struct reading {
    tby_db *db;
    tby_text text;
    token tokens[PLAIN_WORDS_MAX];
    size_t n;
    phrase phrases[PLAIN_WORDS_MAX][PLAIN_WORDS_MAX]; /* by the first token and the number of the others */
    unsigned costs[PLAIN_WORDS_MAX + 1][PLAYERS_MAX + 1];
    uint8_t lengths[PLAIN_WORDS_MAX + 1][PLAYERS_MAX + 1]; /* of the first phrase from a token on; 0: not known */
    tby_status status;
} reading;

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static bool is_year(const char *s, size_t n)
{
    return n == 4 && strspn(s, "0123456789") >= 4 && (memcmp(s, "1", 1) == 0 || memcmp(s, "20", 2) == 0);
}

/* 2010, 2010-2015 */
static bool is_years(const char *s, size_t n)
{
    return is_year(s, n) || (n == 9 && s[4] == '-' && is_year(s, 4) && is_year(s + 5, 4));
}

static bool is_one_of(const char *const *list, size_t n_list, const char *s, size_t n)
{
    for (size_t i = 0; i < n_list; i++)
        if (strlen(list[i]) == n && memcmp(list[i], s, n) == 0)
            return true;
    return false;
}

static bool is_versus(const char *s, size_t n)
{
    static const char *const words[] = {"-", "\xe2\x80\x93", "vs", "vs.", "v", "v.", "against"};
    return is_one_of(words, sizeof words / sizeof *words, s, n);
}

/* Words beside a year that say which dates are meant; the language says how to write them. */
static bool is_about_dates(const char *s, size_t n)
{
    static const char *const words[] = {"year", "years", "since", "until", "before", "after", "from"};
    return is_one_of(words, sizeof words / sizeof *words, s, n);
}

static bool is_query_word(const char *s, size_t n)
{
    const char *word;
    for (size_t i = 0; (word = tby_query_word_at(i)) != NULL; i++)
        if (strlen(word) == n && memcmp(word, s, n) == 0)
            return true;
    return false;
}

/* Splits the text at blanks; false if it has signs that only queries have, or too many words. */
static bool read_tokens(reading *r)
{
    const char *s = r->text.s;
    for (size_t at = 0, n; at < r->text.n; at += n) {
        for (n = 0; at + n < r->text.n && (s[at + n] == ' ' || s[at + n] == '\t');)
            n++;
        at += n;
        for (n = 0; at + n < r->text.n && s[at + n] != ' ' && s[at + n] != '\t';)
            if (strchr("\"=<>{}[]*~;:+#!?()\\\n\r|@$%^", s[at + n++])) /* or NUL */
                return false;
        if (n && r->n == PLAIN_WORDS_MAX)
            return false;
        if (n)
            r->tokens[r->n++] = (token){.at = at,
                                        .n = n,
                                        .is_year = is_years(s + at, n),
                                        .is_versus = is_versus(s + at, n),
                                        .is_word = is_query_word(s + at, n)};
    }
    return r->n > 0;
}

/* ---- Phrases ---------------------------------------------------------------------------------------------------- */

static tby_text part_text(const plain_reading *r, const plain_part *p) { return (tby_text){r->text.s + p->at, p->n}; }

static bool is_known(reading *r, tby_db_names of, const char *s, size_t n, int64_t *n_games)
{
    int64_t n_names = 0;
    if (r->status == TBY_OK)
        r->status = tby_db_known(&n_names, n_games, r->db, of, s, n);
    return r->status == TBY_OK && n_names > 0;
}

/* The player's name; "carlsen magnus" is "carlsen, magnus" if that has more games, and players have both names. */
static bool find_player(reading *r, plain_part *p, tby_text text)
{
    char swapped[PLAIN_VALUE_SIZE];
    int64_t n_games = 0, n_swapped = 0, n_first;
    const char *blank = memchr(text.s, ' ', text.n);
    const bool is_found = is_known(r, TBY_DB_PLAYERS, text.s, text.n, &n_games);
    snprintf(p->player, sizeof p->player, "%.*s", (int)text.n, text.s);
    if (!blank || memchr(text.s, ',', text.n))
        return is_found;
    const size_t n_last = (size_t)(blank - text.s), n_rest = text.n - n_last;
    const size_t n = (size_t)snprintf(swapped, sizeof swapped, "%.*s,%.*s", (int)n_last, text.s, (int)n_rest, blank);
    if (!is_known(r, TBY_DB_PLAYERS, swapped, n, &n_swapped) || n_swapped <= n_games ||
        !(is_found || is_known(r, TBY_DB_PLAYERS, blank, n_rest, &n_first)))
        return is_found;
    memcpy(p->player, swapped, n + 1);
    return true;
}

/* Letters that stand alone are not looked up: they would fit a tenth of all names. */
static bool may_be_name(tby_text text)
{
    size_t n_letters = 0;
    for (size_t i = 0; i < text.n && n_letters < 2; i++) {
        const unsigned char c = (unsigned char)text.s[i], small = c | 32;
        const bool is_letter = (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
        n_letters = c >= 0x80 ? 2 : is_letter ? n_letters + 1 : 0;
    }
    return n_letters == 2;
}

/* Looks the phrase up as all kinds that are not known yet, or until it is known as one. */
static void look_up(reading *r, plain_part *p, tby_text text, bool is_all)
{
    int64_t n_games;
    const bool is_name = may_be_name(text);
    if (is_name && (is_all || !p->kinds) && find_player(r, p, text))
        p->kinds |= 1U << PLAIN_PLAYER;
    if (!p->kinds && p->opening[0])
        p->kinds |= 1U << PLAIN_OPENING;
    if (is_name && (is_all || !p->kinds) && is_known(r, TBY_DB_SITES, text.s, text.n, &n_games))
        p->kinds |= 1U << PLAIN_PLACE;
    if (is_name && (is_all || !p->kinds) && is_known(r, TBY_DB_EVENTS, text.s, text.n, &n_games))
        p->kinds |= 1U << PLAIN_EVENT;
    if (p->pattern)
        p->kinds |= 1U << PLAIN_PATTERN;
}

static plain_kind first_kind(unsigned kinds)
{
    plain_kind kind = PLAIN_OPENING;
    while (kind < PLAIN_YEAR && !(kinds >> kind & 1))
        kind++;
    return kind;
}

/* The phrase of the tokens from `first` to `last`. */
static void read_phrase(reading *r, phrase *out, size_t first, size_t last)
{
    const token *from = &r->tokens[first], *to = &r->tokens[last];
    const bool is_player = (first > 0 && from[-1].is_versus) || (last + 1 < r->n && to[1].is_versus);
    bool has_word = false;
    plain_part *p = &out->part;
    for (const token *t = from; t <= to; t++) {
        has_word |= t->is_word;
        if (t->is_versus)
            return;
    }
    if (first == last && is_about_dates(r->text.s + from->at, from->n))
        return;
    *p = (plain_part){.at = from->at, .n = to->at + to->n - from->at};
    p->n -= r->text.s[p->at + p->n - 1] == ',' && p->n > 1;
    const tby_text text = {r->text.s + p->at, p->n};
    if (first == last && from->is_year) {
        p->kinds = 1U << PLAIN_YEAR;
    } else if (is_player) {
        p->kinds = find_player(r, p, text) ? 1U << PLAIN_PLAYER : 0;
    } else {
        const plain_fame fame = plain_opening(p->opening, text.s, text.n);
        p->pattern = plain_pattern(text.s, text.n);
        p->kinds = fame == OPENING_MAJOR ? 1U << PLAIN_OPENING : p->pattern && first < last ? 1U << PLAIN_PATTERN : 0;
        p->is_minor = fame == OPENING_MINOR;
        if (fame == OPENING_NONE)
            p->opening[0] = '\0';
        if (!has_word)
            look_up(r, p, text, false);
    }
    p->kind = first_kind(p->kinds);
    out->cost = p->kinds ? costs[p->kind] : COST_NONE;
}

static const phrase *phrase_at(reading *r, size_t first, size_t n)
{
    phrase *p = &r->phrases[first][n - 1];
    if (!p->is_known) {
        p->is_known = true;
        p->cost = COST_NONE;
        read_phrase(r, p, first, first + n - 1);
    }
    return p;
}

/* ---- The reading ------------------------------------------------------------------------------------------------ */

/* The lowest cost of the tokens from `first` on, with at most that many players. */
static unsigned cost_of(reading *r, size_t first, unsigned players)
{
    if (first < r->n && r->tokens[first].is_versus && first > 0)
        first++;
    if (first >= r->n)
        return 0;
    if (r->lengths[first][players])
        return r->costs[first][players];
    unsigned best = COST_NONE;
    r->lengths[first][players] = 1;
    for (size_t n = r->n - first; n > 0 && r->status == TBY_OK; n--) {
        const phrase *p = phrase_at(r, first, n);
        const bool is_player = p->part.kind == PLAIN_PLAYER;
        if (p->cost >= best || (is_player && !players))
            continue;
        const unsigned cost = p->cost + cost_of(r, first + n, players - is_player);
        if (cost < best) {
            best = cost;
            r->lengths[first][players] = (uint8_t)n;
        }
    }
    r->costs[first][players] = best;
    return best;
}

static void keep_parts(reading *r, plain_reading *out, unsigned players)
{
    out->n = 0;
    for (size_t at = 0; at < r->n;) {
        if (r->tokens[at].is_versus && ++at == r->n)
            return;
        const size_t n = r->lengths[at][players];
        const plain_part *p = &phrase_at(r, at, n)->part;
        players -= p->kind == PLAIN_PLAYER;
        out->parts[out->n++] = *p;
        at += n;
    }
}

/* ---- Two players ------------------------------------------------------------------------------------------------ */

/* The first part of that kind from `from` on; the number of parts if there is none. */
static size_t find_kind(const plain_reading *r, plain_kind kind, size_t from)
{
    while (from < r->n && r->parts[from].kind != kind)
        from++;
    return from;
}

static void write_fact(buffer *out, const char *word, const char *s, size_t n)
{
    const size_t room = tby_query_quote(NULL, 0, s, n) + 1;
    buffer_printf(out, "%s%s ", out->n ? " " : "", word);
    char *to = buffer_room(out, room);
    if (to)
        out->n += tby_query_quote(to, room, s, n);
}

/* Does the query find a game? Frees its text. */
static bool finds_game(reading *r, buffer *text)
{
    int64_t n = 0;
    tby_query *query = text->has_failed ? NULL : tby_query_new(text->s, text->n, NULL, NULL, NULL);
    const tby_db_search search = {.query = query, .limit = 1, .n_threads = 1};
    if (query && r->status == TBY_OK)
        r->status = tby_db_count(&n, r->db, &search);
    tby_query_free(query);
    buffer_free(text);
    return n > 0;
}

static bool has_games(reading *r, const plain_reading *of)
{
    buffer text = {0};
    plain_write(&text, of);
    return finds_game(r, &text);
}

/* The tokens before `second` as one player and those from there on as another, if they have played each other. */
static bool are_players(reading *r, plain_reading *out, size_t second)
{
    const size_t end = r->tokens[r->n - 1].at + r->tokens[r->n - 1].n, at[] = {r->tokens[0].at, r->tokens[second].at};
    const token *before = &r->tokens[second - 1];
    const size_t ends[] = {before->at + before->n, end};
    plain_reading other = {.text = out->text, .n = 2};
    for (size_t i = 0; i < 2; i++) {
        plain_part *p = &other.parts[i];
        *p = (plain_part){.kind = PLAIN_PLAYER, .kinds = 1U << PLAIN_PLAYER, .at = at[i], .n = ends[i] - at[i]};
        p->n -= out->text.s[p->at + p->n - 1] == ',' && p->n > 1;
        if (plain_opening(p->opening, out->text.s + p->at, p->n) == OPENING_NONE)
            p->opening[0] = '\0';
        if (!find_player(r, p, part_text(out, p)))
            return false;
    }
    if (!has_games(r, &other))
        return false;
    *out = other;
    return true;
}

/* An opening that is named after a player means the player, if that one has played the other: "morphy anderssen". */
static void prefer_players(reading *r, plain_reading *out)
{
    const bool is_pair = out->n == 2 && out->parts[0].kind <= PLAIN_PLAYER && out->parts[1].kind <= PLAIN_PLAYER;
    if (!is_pair && !(out->n == 1 && out->parts[0].is_minor))
        return;
    for (size_t second = 1; second < r->n; second++)
        if (are_players(r, out, second))
            return;
}

/* The place or event that has the name of one of two players who have not met: "kasparov linares". */
static void prefer_place(reading *r, plain_reading *out)
{
    for (size_t i = out->n; i-- > 0;)
        for (int kind = PLAIN_PLACE; out->parts[i].kind == PLAIN_PLAYER && kind <= PLAIN_EVENT; kind++) {
            plain_reading other = *out;
            plain_part *p = &other.parts[i];
            look_up(r, p, part_text(out, p), true);
            p->kind = (plain_kind)kind;
            if (p->kinds >> kind & 1 && has_games(r, &other)) {
                *out = other;
                return;
            }
        }
}

/* Two words that are two players only count as such if they have played each other, or nothing else is meant. */
static void choose_players(reading *r, plain_reading *out)
{
    bool has_versus = false;
    for (size_t i = 0; i < r->n; i++)
        has_versus |= r->tokens[i].is_versus;
    if (has_versus || has_games(r, out) || r->status != TBY_OK)
        return;
    if (cost_of(r, 0, 1) < COST_NONE)
        keep_parts(r, out, 1);
    else
        prefer_place(r, out);
}

/* ---- A player and something else -------------------------------------------------------------------------------- */

static bool is_said_beside_name(const phrase *p, size_t n_tokens)
{
    return p->cost < COST_NONE && (p->part.kind == PLAIN_OPENING || p->part.kind == PLAIN_PLACE ||
                                   (p->part.kind == PLAIN_PATTERN && n_tokens > 1));
}

/* Reads a part as two phrases, a player and something else; the three numbers are the first token of each, and the end. */
static bool take_apart(reading *r, plain_reading *out, size_t part, const size_t tokens[3])
{
    plain_reading other = *out;
    const phrase *halves[2];
    bool is_player[2], is_pattern = false;
    for (size_t i = 0; i < 2; i++) {
        const size_t n = tokens[i + 1] - tokens[i];
        halves[i] = phrase_at(r, tokens[i], n);
        is_player[i] = halves[i]->cost < COST_NONE && halves[i]->part.kind == PLAIN_PLAYER;
        is_pattern |= halves[i]->part.kind == PLAIN_PATTERN;
        if (!is_player[i] && !is_said_beside_name(halves[i], n))
            return false;
        other.parts[part + i] = halves[i]->part;
    }
    memcpy(other.parts + part + 2, out->parts + part + 1, (out->n - part - 1) * sizeof *out->parts);
    other.n++;
    if (is_player[0] == is_player[1] || !(is_pattern || has_games(r, &other)))
        return false;
    *out = other;
    return true;
}

/* Has a name all of these words, none of them as an initial? */
static bool has_whole_name(reading *r, tby_text words)
{
    buffer text = {0};
    write_fact(&text, "player", words.s, words.n);
    return finds_game(r, &text);
}

/* A player whose first name the database has as an initial fits every word with that letter, so "greek gift kasparov"
   would be Kasparov,G. */
static void split_name(reading *r, plain_reading *out, size_t part)
{
    const plain_part *p = &out->parts[part];
    size_t first = 0, end;
    while (r->tokens[first].at != p->at)
        first++;
    for (end = first; end < r->n && r->tokens[end].at < p->at + p->n;)
        end++;
    if (end - first < 2 || out->n == PLAIN_WORDS_MAX || has_whole_name(r, part_text(out, p)))
        return;
    for (size_t middle = end - 1; middle > first; middle--)
        if (take_apart(r, out, part, (size_t[]){first, middle, end}))
            return;
}

static void choose(reading *r, plain_reading *out)
{
    if (cost_of(r, 0, PLAYERS_MAX) >= COST_NONE)
        return;
    keep_parts(r, out, PLAYERS_MAX);
    const size_t first = find_kind(out, PLAIN_PLAYER, 0), second = find_kind(out, PLAIN_PLAYER, first + 1);
    if (second < out->n)
        choose_players(r, out);
    else if (find_kind(out, PLAIN_OPENING, 0) < out->n)
        prefer_players(r, out);
    for (size_t i = 0; i < out->n; i++)
        if (out->parts[i].kind == PLAIN_PLAYER)
            split_name(r, out, i);
}

/* The words of a text; NULL if it has none, or has signs that only queries have. */
static reading *reading_new(tby_db *db, const char *typed, size_t n)
{
    reading *r = n <= TEXT_MAX ? calloc(1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    r->db = db;
    r->text = (tby_text){typed, n};
    if (read_tokens(r))
        return r;
    free(r);
    return NULL;
}

bool plain_is_possible(const char *typed, size_t n)
{
    reading *r = reading_new(NULL, typed, n);
    free(r);
    return r != NULL;
}

bool plain_may_be_name(const char *typed, size_t n)
{
    reading *r = reading_new(NULL, typed, n);
    bool may_be = r != NULL;
    for (size_t i = 0; may_be && i < r->n; i++)
        may_be = !r->tokens[i].is_word;
    free(r);
    return may_be;
}

tby_status plain_read(plain_reading *out, tby_db *db, const char *typed, size_t n)
{
    reading *r = reading_new(db, typed, n);
    *out = (plain_reading){.text = {typed, n}};
    if (!r)
        return TBY_OK;
    r->status = tby_db_begin_reading(NULL, db); /* many short statements */
    if (r->status == TBY_OK)
        choose(r, out);
    tby_db_end_reading(db);
    const tby_status status = r->status;
    if (status != TBY_OK)
        out->n = 0;
    free(r);
    return status;
}

tby_status plain_look_further(plain_reading *of, tby_db *db)
{
    reading r = {.db = db, .text = of->text};
    for (size_t i = 0; i < of->n; i++) {
        plain_part *p = &of->parts[i];
        if (p->kind != PLAIN_YEAR) {
            if (p->opening[0])
                p->kinds |= 1U << PLAIN_OPENING;
            look_up(&r, p, part_text(of, p), true);
        }
    }
    return r.status;
}

bool plain_is_opening(plain_reading *out, const char *typed, size_t n)
{
    plain_part *p = &out->parts[0];
    *out = (plain_reading){.text = {typed, n}};
    if (memchr(typed, ' ', n) || !(p->pattern = plain_pattern(typed, n)) ||
        plain_opening(p->opening, typed, n) == OPENING_NONE)
        return false;
    *p = (plain_part){
        .kind = PLAIN_OPENING, .kinds = 1U << PLAIN_OPENING | 1U << PLAIN_PATTERN, .n = n, .pattern = p->pattern};
    plain_opening(p->opening, typed, n);
    out->n = 1;
    return true;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

void person_add(buffer *facts, const char *word, const char *name)
{
    const size_t n = strlen(name), room = tby_query_quote_person(NULL, 0, name, n) + 1;
    buffer_printf(facts, "%s%s ", facts->n && facts->s[facts->n - 1] != '(' ? " " : "", word);
    char *to = buffer_room(facts, room);
    if (to)
        facts->n += tby_query_quote_person(to, room, name, n);
}

void plain_write_part(buffer *out, const plain_reading *r, const plain_part *p)
{
    const tby_text text = part_text(r, p);
    switch (p->kind) {
    case PLAIN_OPENING:
        write_fact(out, plain_is_code(text.s, text.n) ? "eco" : "opening", p->opening, strlen(p->opening));
        break;
    case PLAIN_PLAYER: person_add(out, "player", p->player); break;
    case PLAIN_PLACE: write_fact(out, "site", text.s, text.n); break;
    case PLAIN_EVENT: write_fact(out, "event", text.s, text.n); break;
    case PLAIN_PATTERN: buffer_printf(out, "%s%s", out->n ? " " : "", p->pattern); break;
    default:
        buffer_printf(out, "%sdate %.4s", out->n ? " " : "", text.s);
        if (text.n > 4)
            buffer_printf(out, "..%.4s", text.s + 5);
    }
}

void plain_write(buffer *out, const plain_reading *r)
{
    const size_t first = find_kind(r, PLAIN_PLAYER, 0), second = find_kind(r, PLAIN_PLAYER, first + 1);
    for (size_t i = 0; i < r->n; i++) {
        if (i == second)
            continue;
        if (i == first && second < r->n) {
            buffer_string(out, out->n ? " either (" : "either (");
            person_add(out, "white", r->parts[first].player);
            person_add(out, "black", r->parts[second].player);
            buffer_string(out, ")");
        } else {
            plain_write_part(out, r, &r->parts[i]);
        }
    }
}
