/*
 * pgn_tag.c - reads PGN tags, and records those that affect how a game is read.
 */
#include "pgn/pgn_event.h"

#include "pgn/pgn_lex.h"
#include "pgn/pgn_scan.h"

static bool is_letter_or_digit(char c)
{
    const unsigned letter = ((unsigned)c | 32) - 'a', digit = (unsigned)c - '0';
    return letter < 26 || digit < 10;
}

static bool is_tag_name_byte(char c) { return is_letter_or_digit(c) || (c && strchr("_+#=:-", c)); }

const char *pgn_skip_tag_blanks(const char *s, const char *limit)
{
    while (s < limit && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n'))
        s++;
    return s;
}

static const char *skip_spaces(const char *s, const char *limit)
{
    while (s < limit && (*s == ' ' || *s == '\t'))
        s++;
    return s;
}

/* The end of a tag's name at s; s itself if there is none. */
const char *pgn_skip_tag_name(const char *s, const char *limit)
{
    const char *at = s;
    while (at < limit && is_tag_name_byte(*at))
        at++;
    return is_letter_or_digit(*s) ? at : s;
}

const char *pgn_tag_name(const char *name, size_t n)
{
    static const char *const known[] = {"Event", "FEN", "Result", "Variant"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if ((*name | 32) == (*known[i] | 32) && pgn_same_letters(name, n, known[i]))
            return known[i];
    return name;
}

/* Reports a name that the game already has. */
static void note_name(tby_pgn *pgn, const char *name, size_t n)
{
    const char *usual = pgn_tag_name(name, n);
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)usual[i]) * 0x100000001b3;
    for (size_t i = 0; i < pgn->n_names; i++)
        if (pgn->names[i] == hash) {
            pgn_warn(pgn, TBY_PGN_WARN_TAG, name, n);
            return;
        }
    if (pgn->n_names < PGN_NAMES)
        pgn->names[pgn->n_names++] = hash;
}

/* The moves of another variant are not played, unless the caller wants to read them as chess. */
static void note_variant(tby_pgn *pgn, const char *value, size_t n)
{
    const pgn_variant variant = pgn_read_variant(value, n);
    pgn->is_chess960 = variant == PGN_CHESS960;
    if (variant != PGN_OTHER_VARIANT)
        return;
    if (pgn->options.flags & TBY_PGN_ANY_VARIANT)
        pgn_warn(pgn, TBY_PGN_WARN_VARIANT, value, n);
    else
        pgn_queue_fault(pgn, TBY_UNKNOWN_VARIANT, "only chess and Chess960 are", value, n);
}

static __attribute__((noinline)) void note_result(tby_pgn *pgn, const char *value, size_t n)
{
    pgn->saw_result_tag = true;
    pgn->is_forfeit = n == 3 && memcmp(value, "0-0", 3) == 0;
    if (tby_result_read(&pgn->tag_result, value, n, NULL) == TBY_OK)
        return;
    if (pgn_read_forfeit(&pgn->tag_result, value, n, true))
        pgn_warn(pgn, TBY_PGN_WARN_FORFEIT, value, n);
    else
        pgn->tag_result = TBY_RESULT_NONE;
}

/* Handles the tags that affect how the game is read. */
static void note_tag(tby_pgn *pgn, const char *name, size_t n_name, const char *value, size_t n)
{
    switch (*name | 32) {
    case 'r':
        if (pgn_same_letters(name, n_name, "Result"))
            note_result(pgn, value, n);
        break;
    case 'f':
        if (pgn_same_letters(name, n_name, "FEN")) {
            pgn->n_fen = n < sizeof pgn->fen ? n : sizeof pgn->fen;
            memcpy(pgn->fen, value, pgn->n_fen);
            pgn_window_place(&pgn->window, pgn->token, &pgn->fen_place);
        }
        break;
    case 'v':
        if (pgn_same_letters(name, n_name, "Variant"))
            note_variant(pgn, value, n);
        break;
    default: break;
    }
}

/* Finds the closing quote; `*escaped` if a backslash precedes it. NULL if there is none on the line. */
static const char *find_quote(const char *s, const char *end, bool *escaped)
{
    for (; s < end; s++) {
        if ((unsigned char)*s > '"' && *s != '\\')
            continue;
        if (*s == '"')
            return s;
        if (*s == '\n' || *s == '\r')
            return NULL;
        if (*s == '\\' && s + 1 < end && (s[1] == '"' || s[1] == '\\')) {
            *escaped = true;
            s++;
        }
    }
    return NULL;
}

/* Is the text after a closing quote a bracket, and not one inside the value, [Event "A "]" B"]? */
static bool is_end_of_tag(const char *at, const char *limit)
{
    return at < limit && *at == ']' && (at + 1 == limit || at[1] != '"');
}

/* The quote that closes a value ending in a backslash: [Event "Ugra Cup \"]. NULL if the line
   has none. */
static const char *find_backslash_quote(const char *s, const char *limit)
{
    for (; s + 1 < limit && *s != '\n' && *s != '\r'; s++)
        if (s[0] == '\\' && s[1] == '"' && *pgn_skip_tag_blanks(s + 2, limit) == ']')
            return s + 1;
    return NULL;
}

/* The quote that closes a value with quotes in it, [Event "A "B" C"]: the first that only a bracket follows, and then
   another tag or the end of the line. NULL if the line has none. */
static const char *find_last_quote(const char *s, const char *limit)
{
    for (; s < limit && *s != '\n' && *s != '\r'; s++) {
        const char *at = *s == '"' ? skip_spaces(s + 1, limit) : limit;
        if (at == limit || *at != ']')
            continue;
        at = skip_spaces(at + 1, limit);
        if (at == limit || *at == '[' || *at == '\n' || *at == '\r')
            return s;
    }
    return NULL;
}

/* The closing quote where the usual one is missing or no bracket follows it; NULL if there is none either. The value may
   be escaped all the same. */
static const char *find_odd_quote(tby_pgn *pgn, const char *value, const char *limit, const char *name, size_t n_name,
                                  bool *escaped)
{
    const char *quote = find_backslash_quote(value, limit);
    const tby_pgn_warning warning = quote ? TBY_PGN_WARN_BACKSLASH : TBY_PGN_WARN_QUOTE;
    if (!quote) {
        quote = find_last_quote(value, limit);
        *escaped = true;
    }
    if (quote)
        pgn_warn(pgn, warning, name, n_name);
    return quote;
}

static size_t unescape(char *out, const char *s, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\' && i + 1 < n && (s[i + 1] == '"' || s[i + 1] == '\\'))
            i++;
        out[length++] = s[i];
    }
    return length;
}

/* Reports an error at the tag and continues after the line of `at`. That line may be long, so it is skipped later. */
static tby_pgn_type refuse_tag(tby_pgn *pgn, tby_pgn_event *event, tby_status status, const char *at,
                               const char *detail)
{
    pgn_window *w = &pgn->window;
    const bool was_broken = pgn->line.is_broken;
    const char *end = pgn_find_line_end(at, w->end);
    size_t n = (size_t)((end ? end : w->end) - w->at);
    n = n < TBY_PGN_TOKEN_MAX ? n : TBY_PGN_TOKEN_MAX;
    memcpy(pgn->scratch, w->at, n);
    pgn_window_place(w, pgn->token, &pgn->tag_place);
    w->at = at;
    pgn->in_line = true;
    pgn_report(pgn, event, status, detail, pgn->scratch, n);
    pgn->line.is_broken = was_broken;
    return event->type;
}

/* Something is missing: the tag is too long, or the text after `at` is wrong. */
static tby_pgn_type miss_in_tag(tby_pgn *pgn, tby_pgn_event *event, bool is_limit, const char *at, const char *detail)
{
    const bool is_long = is_limit && pgn->window.end - pgn->window.at > TBY_PGN_TAG_MAX;
    if (is_long)
        return refuse_tag(pgn, event, TBY_TOO_LONG, at, "a tag of more than 8192 bytes");
    return refuse_tag(pgn, event, TBY_INVALID_PGN, at, detail);
}

/* A value may grow when it is converted to UTF-8. */
bool pgn_tag_fits(size_t n_name, const char *value, size_t n)
{
    size_t length = n_name + 5 + n;
    if (length <= TBY_PGN_TAG_MAX / 2)
        return true;
    for (size_t i = 0; i < n; i++)
        length += value[i] == '"' || value[i] == '\\';
    return length <= TBY_PGN_TAG_MAX;
}

/* Returns a tag that ends at `end` as an event. */
static tby_pgn_type give_tag(tby_pgn *pgn, tby_pgn_event *event, const char *name, size_t n_name, const char *value,
                             size_t n, const char *end)
{
    pgn->window.at = end;
    pgn->saw_tags = true;
    if (pgn->needs_care)
        note_name(pgn, name, n_name);
    note_tag(pgn, name, n_name, value, n);
    event->name = name;
    event->n_name = n_name;
    return pgn_give(pgn, event, TBY_PGN_TAG, value, n);
}

static tby_pgn_type read_tag_slowly(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    const char *limit = w->end - w->at > TBY_PGN_TAG_MAX ? w->at + TBY_PGN_TAG_MAX : w->end;
    const char *name = pgn_skip_tag_blanks(w->at + 1, limit), *at = pgn_skip_tag_name(name, limit);
    const size_t n_name = (size_t)(at - name);
    bool escaped = false;

    if (pgn_wrapper_length(w->at, w->end)) {
        pgn->state = PGN_TAGS_END;
        return TBY_PGN_END;
    }
    if (n_name == 0)
        return miss_in_tag(pgn, event, at == limit, w->at + 1, "a tag's name was expected");
    const char *quote = pgn_skip_tag_blanks(at, limit), *value = quote + 1;
    if (quote == limit || *quote != '"')
        return miss_in_tag(pgn, event, quote == limit, at, "a tag's value in quotes was expected");
    quote = find_quote(value, limit, &escaped);
    if (!quote || !is_end_of_tag(pgn_skip_tag_blanks(quote + 1, limit), limit)) {
        const char *other = find_odd_quote(pgn, value, limit, name, n_name, &escaped);
        quote = other ? other : quote;
    }
    if (!quote)
        return miss_in_tag(pgn, event, !pgn_find_line_end(value, limit), value, "the tag's value has no closing quote");
    at = pgn_skip_tag_blanks(quote + 1, limit);
    if (at == limit || *at != ']')
        return miss_in_tag(pgn, event, at == limit, quote + 1, "a tag's closing bracket was expected");

    size_t n = (size_t)(quote - value);
    value = pgn_as_utf8(pgn, value, &n);
    if (escaped) {
        n = unescape(pgn->scratch, value, n);
        value = pgn->scratch;
    }
    if (!pgn_tag_fits(n_name, value, n))
        return refuse_tag(pgn, event, TBY_TOO_LONG, at, "a tag of more than 8192 bytes");
    return give_tag(pgn, event, name, n_name, value, n, at + 1);
}

/* [Name "value"]: the window is at the bracket. TBY_PGN_END, and nothing read: [pgn] or [/pgn]
   ends the tags. Nearly all tags are short, ASCII, and without escapes. */
tby_pgn_type pgn_read_tag(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    pgn_window_need(w, TBY_PGN_TAG_MAX + 2);
    const char *name = w->at + 1;
    const unsigned n_name = pgn_letters(name);
    const char *value = name + n_name + 2;
    if (__builtin_expect(n_name == 0 || value[-1] != '"', 0))
        return read_tag_slowly(pgn, event);
    const char *quote = pgn_find_plain(value, '"', '\\');
    if (__builtin_expect(quote[0] != '"' || quote[1] != ']' || quote[2] == '"' || quote - value > TBY_PGN_TOKEN_MAX, 0))
        return read_tag_slowly(pgn, event);
    return give_tag(pgn, event, name, n_name, value, (size_t)(quote - value), quote + 2);
}
