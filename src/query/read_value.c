/*
 * read_value.c - reads the words of queries that have values: names, ranges, dates, positions.
 *
 *     value = bare | '"' { any byte, \" for a quote, \\ for a backslash, or "" for a quote } '"'
 *     bare  = bytes other than blanks, brackets of all kinds, commas, semicolons and quotes
 *     TEXT  = [ "=" | "~" ] value       "~" only after player, white and black
 *             | ( "<" | "<=" | ">" | ">=" ) '"' ... '"'     only after tag NAME; <3 without quotes is a text
 *     RANGE = LOW..HIGH | LOW.. | ..HIGH | one value
 *
 * Refuses  a comma right after a bare TEXT: `player Carlsen,M` probably means a name with a comma, which must be
 *          quoted. A descending range.
 */
#include "query/fold.h"
#include "query/read.h"

/* ---- Values --------------------------------------------------------------------------------------------- */

/* A value without quotes, and its place. */
typedef struct value {
    const char *s; /* of `kept`, which may move */
    size_t n;
    size_t at; /* of its first byte in the text */
    size_t end;
    query_span kept; /* among the query's bytes */
    bool is_quoted;
} value;

static bool is_bare(char c) { return c && !strchr(" \t\n\r()[]{},;\"", c); }

/* After the opening quote: copies the unquoted value into the query's bytes. */
static bool read_quoted(query_reader *r, value *out)
{
    array_list *bytes = &r->query->bytes;
    const size_t open = r->at - 1;
    char *to = array_list_room(&r->query->allocator, bytes, r->n - r->at + 1, 1);
    if (!to)
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    out->at = r->at;
    for (size_t n = 0; r->at < r->n; r->at++) {
        const char c = r->s[r->at], next = reader_peek(r, 1);
        if (c == '"' && next != '"') {
            to[n] = '\0';
            out->kept = (query_span){(uint32_t)bytes->n, (uint32_t)n};
            bytes->n += n + 1;
            r->at++;
            out->is_quoted = true;
            return true;
        }
        if (c == '"' || (c == '\\' && (next == '"' || next == '\\')))
            r->at++;
        to[n++] = r->s[r->at];
    }
    return query_fail(r, open, 1, "this quote is never closed: '\"' was expected");
}

/* `what` is named in the error message if there is no value. */
static bool read_value(query_reader *r, value *out, const char *what)
{
    memset(out, 0, sizeof *out);
    reader_skip_blanks(r);
    if (reader_accept(r, '"')) {
        if (!read_quoted(r, out))
            return false;
    } else {
        out->at = r->at;
        while (r->at < r->n && is_bare(r->s[r->at]))
            r->at++;
        if (r->at == out->at)
            return query_expect(r, what);
        if (!query_keep(r, &out->kept, r->s + out->at, r->at - out->at))
            return false;
    }
    out->s = query_bytes(r->query, out->kept);
    out->n = out->kept.n;
    out->end = r->at;
    return true;
}

/* An error that has been reported is kept; the value's bytes may have moved since. */
static bool fail_value(query_reader *r, const value *v, const char *expected)
{
    return reader_is_good(r) && query_fail_expected(r, v->at, v->end - v->at, expected, v->s, v->n);
}

/* ---- Texts ---------------------------------------------------------------------------------------------- */

static bool keep_folded(query_reader *r, query_span *out, const char *s, size_t n,
                        size_t fold(char *, size_t, const char *, size_t))
{
    array_list *bytes = &r->query->bytes;
    const size_t length = fold(NULL, 0, s, n);
    char *to = array_list_room(&r->query->allocator, bytes, length + 1, 1);
    if (!to)
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    fold(to, length, s, n);
    to[length] = '\0';
    *out = (query_span){(uint32_t)bytes->n, (uint32_t)length};
    bytes->n += length + 1;
    return true;
}

/* Sets how a text among the query's bytes is compared, and what that needs. */
static bool set_text(query_reader *r, query_node *node, query_span text, bool is_exact)
{
    node->u.t.text = text;
    /* Reserves room first, so that the text does not move while it is folded. */
    if (!array_list_room(&r->query->allocator, &r->query->bytes, 4 * (size_t)text.n + 16, 1))
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    const char *s = query_bytes(r->query, text);
    node->way = TEXT_EXACT;
    if (is_exact)
        return true;
    node->way = TEXT_PATTERN;
    if (memchr(s, '*', text.n))
        return keep_folded(r, &node->u.t.folded, s, text.n, fold_text);
    node->way = TEXT_WORDS;
    if (!keep_folded(r, &node->u.t.folded, s, text.n, fold_words))
        return false;
    if (node->u.t.folded.n == 0)
        node->way = TEXT_WHOLE;
    return true;
}

/* A person's name: all spellings share the last name. */
static bool set_person(query_reader *r, query_node *node, const value *v)
{
    tby_person person;
    tby_person_read(&person, v->s, v->n);
    if (person.n == person.last)
        return fail_value(r, v, "a name");
    node->way = TEXT_PERSON;
    node->u.t.text = v->kept;
    return query_keep(r, &node->u.t.name, person.words + person.last, person.n - person.last);
}

static bool read_text(query_reader *r, query_node *node)
{
    value v;
    reader_skip_blanks(r);
    const bool is_exact = reader_accept(r, '='),
               is_person = fact_is_of_player(fact_of_node(node)) && reader_accept(r, '~');
    if (is_exact || is_person)
        reader_skip_blanks(r);
    if (!is_person && reader_peek(r, 0) == '~' && reader_peek(r, 1) == '"')
        return query_fail(r, r->at, 1, "\"~\" may only follow player, white and black");
    if (!read_value(r, &v, "a value"))
        return false;
    if (!v.is_quoted && reader_peek(r, 0) == ',')
        return query_fail(r, v.at, v.end + 1 - v.at,
                          "a value with a comma is quoted, as \"Carlsen,M\"; a comma after a value"
                          " that belongs to the query has a blank before it");
    return is_person ? set_person(r, node, &v) : set_text(r, node, v.kept, is_exact);
}

/* A relation and its value in quotes; without them nothing is read, and the node has no relation. */
static bool read_relation(query_reader *r, query_node *node)
{
    const size_t at = r->at;
    value v;
    reader_skip_blanks(r);
    const query_op op = query_read_op(r);
    reader_skip_blanks(r);
    if (op < OP_LESS || reader_peek(r, 0) != '"') {
        r->at = at;
        return true;
    }
    node->op = (uint8_t)op;
    return read_value(r, &v, "a value") && set_text(r, node, v.kept, true);
}

static bool read_tag(query_reader *r, query_node *node)
{
    value name;
    if (!read_value(r, &name, "the name of a tag"))
        return false;
    if (name.n == 0)
        return fail_value(r, &name, "the name of a tag");
    node->u.t.name = name.kept;
    if (!is_blank(reader_peek(r, 0)) && reader_peek(r, 0) != '=' && reader_peek(r, 0) != '"')
        return query_expect(r, "a blank and the value of the tag");
    return read_relation(r, node) && (node->op || read_text(r, node));
}

/* ---- Ranges --------------------------------------------------------------------------------------------- */

typedef struct ends {
    const char *low, *high;
    size_t n_low, n_high;
    bool is_range;
} ends;

static ends split(const value *v)
{
    for (size_t i = 0; i + 1 < v->n; i++)
        if (v->s[i] == '.' && v->s[i + 1] == '.')
            return (ends){v->s, v->s + i + 2, i, v->n - i - 2, true};
    return (ends){v->s, v->s, v->n, v->n, false};
}

/* Digits, after a minus perhaps if `is_signed`. */
static bool bound(int64_t *out, const char *s, size_t n, int64_t none, bool is_signed)
{
    const bool is_minus = is_signed && n > 1 && s[0] == '-';
    *out = n ? 0 : none;
    for (size_t i = is_minus; i < n; i++) {
        if (!is_digit(s[i]) || *out > TBY_QUERY_NUMBER_MAX)
            return false;
        *out = *out * 10 + (s[i] - '0');
    }
    *out = is_minus ? -*out : *out;
    return true;
}

static bool check_order(query_reader *r, const value *v, const query_node *node)
{
    return node->u.range.low <= node->u.range.high || query_fail(r, v->at, v->end - v->at, "this range goes backward");
}

static bool set_range(query_reader *r, query_node *node, const value *v)
{
    const bool is_signed = fact_of_node(node)->value == VALUE_SIGNED;
    const ends e = split(v);
    return e.n_low + e.n_high > 0 && bound(&node->u.range.low, e.low, e.n_low, INT64_MIN, is_signed) &&
           bound(&node->u.range.high, e.high, e.n_high, INT64_MAX, is_signed) && check_order(r, v, node);
}

/* YYYY, YYYY.MM or YYYY.MM.DD; missing parts and question marks become `missing`. */
static bool date_bound(int64_t *out, const char *s, size_t n, int64_t missing)
{
    static const int64_t widths[] = {10000, 100, 1}, most[] = {9999, 12, 31};
    static const size_t lengths[] = {4, 2, 2};
    size_t at = 0;
    *out = 0;
    for (size_t part = 0; part < 3; part++) {
        int64_t number = 0;
        size_t digits = 0, unknown = 0;
        for (; at < n && is_digit(s[at]); at++, digits++)
            number = digits < 4 ? number * 10 + (s[at] - '0') : 10000;
        for (; digits == 0 && at < n && s[at] == '?'; at++)
            unknown++;
        if (digits + unknown > lengths[part] || number > most[part] || (part == 0 && digits != 4) ||
            (at < n && (s[at] != '.' && s[at] != '-' && s[at] != '/')))
            return false;
        if (part > 0 && digits > 0 && number == 0)
            return false;
        *out += (digits ? number : missing) * widths[part];
        if (at == n) {
            for (part++; part < 3; part++)
                *out += missing * widths[part];
            return true;
        }
        at++;
    }
    return false;
}

static bool set_dates(query_reader *r, query_node *node, const value *v)
{
    const ends e = split(v);
    node->u.range.low = INT64_MIN;
    node->u.range.high = INT64_MAX;
    return e.n_low + e.n_high > 0 && (!e.n_low || date_bound(&node->u.range.low, e.low, e.n_low, 0)) &&
           (!e.n_high || date_bound(&node->u.range.high, e.high, e.n_high, 99)) && check_order(r, v, node);
}

/* ---- Openings ------------------------------------------------------------------------------------------- */

/* A letter from A to E and at most two digits? */
static bool is_code(const char *s, size_t n)
{
    const char letter = (char)(n ? s[0] & ~32 : 0);
    return n <= 3 && (n == 0 || (letter >= 'A' && letter <= 'E')) && (n < 2 || is_digit(s[1])) &&
           (n < 3 || is_digit(s[2]));
}

/* Is the range of codes empty? A short code means all codes that begin with it. */
static bool is_backward(const ends *e)
{
    const size_t n = e->n_low < e->n_high ? e->n_low : e->n_high;
    for (size_t i = 0; i < n; i++) {
        const char low = (char)(e->low[i] & ~32), high = (char)(e->high[i] & ~32);
        if (low != high)
            return low > high;
    }
    return false;
}

/* B90..B99, also written B90-B99; a short code, B9, is the range of those that begin with it. */
static ends split_codes(const value *v)
{
    const ends e = split(v);
    if (!e.is_range && v->n == 7 && v->s[3] == '-' && is_code(v->s, 3) && is_code(v->s + 4, 3))
        return (ends){v->s, v->s + 4, 3, 3, true};
    if (!e.is_range && v->n > 0 && v->n < 3 && is_code(v->s, v->n))
        return (ends){v->s, v->s, v->n, v->n, true};
    return e;
}

/* A text, or a range of codes. */
static bool read_codes(query_reader *r, query_node *node)
{
    value v;
    reader_skip_blanks(r);
    const bool is_exact = reader_accept(r, '=');
    if (!read_value(r, &v, "an opening's code or a range such as B90..B99"))
        return false;
    const ends e = split_codes(&v);
    if (!e.is_range || is_exact)
        return set_text(r, node, v.kept, is_exact);
    if (e.n_low + e.n_high == 0 || !is_code(e.low, e.n_low) || !is_code(e.high, e.n_high))
        return fail_value(r, &v, "an opening's code or a range such as B90..B99");
    if (is_backward(&e))
        return query_fail(r, v.at, v.end - v.at, "this range goes backward");
    char low[4], high[4];
    memcpy(low, e.low, e.n_low);
    memcpy(high, e.high, e.n_high);
    node->way = TEXT_CODES;
    return query_keep(r, &node->u.t.text, low, e.n_low) && query_keep(r, &node->u.t.name, high, e.n_high);
}

static bool fail_opening(query_reader *r, const value *v, const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    tby_chessgame_error_write(text, sizeof text, err);
    const bool has_place = !v->is_quoted || v->end - v->at == v->n + 1; /* no escapes */
    const size_t offset = has_place && err->error.offset <= v->n ? err->error.offset : 0;
    return query_fail(r, v->at + offset, v->n - offset, "%s", text);
}

static bool set_opening(query_reader *r, query_node *node, const value *v)
{
    const tby_allocator *a = &r->query->allocator;
    tby_chessgame_error err;
    array_list game = {NULL, 0, 0};
    size_t n;
    if (v->n == 0)
        return fail_value(r, v, "a move of the opening");
    memset(&err, 0, sizeof err);
    if (!array_list_room(a, &game, TBY_CHESSGAME_SIZE, 1))
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    const tby_status status = tby_chessgame_read(game.items, &n, v->s, v->n, 0, a, &err);
    bool is_good = status == TBY_OK ||
                   (status == TBY_NO_MEMORY ? query_fail_status(r, status, "out of memory") : fail_opening(r, v, &err));
    node->u.t.name = v->kept;
    is_good = is_good && query_keep(r, &node->u.t.text, game.items, n);
    array_list_free(a, &game, 1);
    return is_good;
}

/* Do moves follow ("1. e4", "Nf3", "exd5", "O-O") rather than a name? A name has no rank right after its files. */
static bool are_moves_ahead(const query_reader *r)
{
    query_reader ahead = *r;
    reader_skip_blanks(&ahead);
    reader_accept(&ahead, '"');
    reader_skip_blanks(&ahead);
    const char c = reader_peek(&ahead, 0);
    if (!c || c == '"' || is_digit(c) || (c == 'O' && reader_peek(&ahead, 1) == '-'))
        return true;
    size_t n = c == 'K' || c == 'Q' || c == 'R' || c == 'B' || c == 'N' || c == 'P' ? 1 : 0;
    while (is_file(reader_peek(&ahead, n)) || reader_peek(&ahead, n) == 'x')
        n++;
    return n > 0 && is_rank(reader_peek(&ahead, n));
}

/* ---- Positions ------------------------------------------------------------------------------------------ */

static bool fail_fen(query_reader *r, const value *v, const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    if (err->status >= TBY_ILLEGAL_MOVE)
        tby_error_write(text, sizeof text, err);
    else
        tby_fen_error_write(text, sizeof text, err);
    return query_fail(r, v->at, v->end - v->at, "%s", text);
}

/* Castling rights that only Chess960 has are read as such. */
static bool read_setup(query_reader *r, const value *v, tby_setup *setup)
{
    tby_error err;
    unsigned warnings = 0, other = 0;
    tby_setup again;
    if (tby_fen_read(setup, v->s, v->n, 0, &warnings, &err) != TBY_OK)
        return fail_fen(r, v, &err);
    if ((warnings & TBY_FEN_WARN_CASTLING) &&
        tby_fen_read(&again, v->s, v->n, TBY_FEN_CHESS960, &other, NULL) == TBY_OK && !(other & TBY_FEN_WARN_CASTLING))
        *setup = again;
    return true;
}

static bool set_position(query_reader *r, query_node *node, const value *v)
{
    tby_setup setup;
    tby_position pos;
    tby_error err;
    if (!read_setup(r, v, &setup))
        return false;
    node->u.board.board = setup.board;
    node->u.board.en_passant = TBY_NO_SQUARE;
    if (node->type == Q_BOARD)
        return true;
    if (tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        return fail_fen(r, v, &err);
    node->u.board.castling = pos.castling;
    node->u.board.side = setup.side;
    node->u.board.en_passant = tby_position_en_passant_legal(&pos);
    return true;
}

static bool set_rights(query_reader *r, query_node *node, const value *v)
{
    static const char letters[] = "KQkq";
    for (size_t i = 0; i < v->n; i++) {
        const char *letter = strchr(letters, v->s[i]);
        const int64_t bit = letter && *letter ? 1 << (letter - letters) : 0;
        if (!bit || (node->number & bit))
            return fail_value(r, v, "some of the letters KQkq, each once,");
        node->number |= bit;
    }
    return v->n > 0;
}

/* ---- Numbers and names ---------------------------------------------------------------------------------- */

/* A number with a fraction, in millionths. */
static bool read_compared(query_reader *r, query_node *node)
{
    enum { PLACES = 6 };
    reader_skip_blanks(r);
    node->op = (uint8_t)query_read_op(r);
    if (node->op == OP_NONE)
        return query_expect(r, "one of = != < <= > >=");
    reader_skip_blanks(r);
    const bool is_minus = reader_accept(r, '-');
    if (!is_minus)
        reader_accept(r, '+');
    if (reader_peek(r, 0) == '-' || !query_read_number(r, &node->number))
        return query_expect(r, "a number");
    int places = 0;
    if (reader_accept(r, '.'))
        for (; is_digit(reader_peek(r, 0)); r->at++, places++) {
            if (places == PLACES)
                return query_expect(r, "a number with at most six decimal places");
            node->number = node->number * 10 + (r->s[r->at] - '0');
        }
    for (; places < PLACES; places++)
        node->number *= 10;
    node->number = is_minus ? -node->number : node->number;
    return true;
}

static bool set_nag(query_reader *r, query_node *node, const value *v)
{
    (void)r;
    const bool has_dollar = v->n > 1 && v->s[0] == '$';
    node->number = tby_nag_read(v->s, v->n);
    if (!is_digit(v->s[0]) && !has_dollar && node->number > 0)
        return true;
    return v->n > 0 && bound(&node->number, v->s + has_dollar, v->n - has_dollar, 0, false) && node->number <= 65535;
}

static bool set_result(query_reader *r, query_node *node, const value *v)
{
    (void)r;
    tby_result result = TBY_RESULT_NONE;
    const tby_status status = tby_result_read(&result, v->s, v->n, NULL);
    node->number = result;
    return status == TBY_OK;
}

static bool set_speed(query_reader *r, query_node *node, const value *v)
{
    (void)r;
    node->number = speed_find(v->s, v->n);
    return node->number != TBY_SPEED_NONE;
}

/* The text of a row. */
static bool set_fixed(query_reader *r, query_node *node, const char *text)
{
    query_span kept;
    return query_keep(r, &kept, text, strlen(text)) && set_text(r, node, kept, false);
}

/* A mode is written as "rated" or "not rated": `number` says which. */
static bool set_mode(query_reader *r, query_node *node, const value *v)
{
    const query_fact *rated = fact_find("rated", 5);
    const bool is_casual = v->n == 6 && memcmp(v->s, "casual", 6) == 0;
    if (!is_casual && !(v->n == 5 && memcmp(v->s, "rated", 5) == 0))
        return false;
    node->type = (uint16_t)fact_type(rated);
    node->number = is_casual;
    return set_fixed(r, node, rated->text);
}

static bool set_number(query_reader *r, query_node *node, const value *v)
{
    (void)r;
    return v->n > 0 && bound(&node->number, v->s, v->n, 0, false) && node->number <= TBY_QUERY_NUMBER_MAX;
}

/* ---- Words ---------------------------------------------------------------------------------------------- */

/* What is read as one value: `set` puts it into the node, or returns false, perhaps after reporting why. */
static const struct {
    const char *expected;
    bool (*set)(query_reader *r, query_node *node, const value *v);
} readers[] = {
    [VALUE_NUMBER] = {"a number", set_number},
    [VALUE_RANGE] = {"a number or a range such as 2400..", set_range},
    [VALUE_SIGNED] = {"a number or a range such as -50..50", set_range},
    [VALUE_DATES] = {"a date or a range such as 2019..2021.06", set_dates},
    [VALUE_OPENING] = {"the moves of an opening, in quotes", set_opening},
    [VALUE_RESULT] = {"1-0, 0-1, 1/2-1/2 or *", set_result},
    [VALUE_SPEED] = {"ultrabullet, bullet, blitz, rapid, classical or correspondence", set_speed},
    [VALUE_MODE] = {"rated or casual", set_mode},
    [VALUE_POSITION] = {"a FEN, in quotes", set_position},
    [VALUE_RIGHTS] = {"some of the letters KQkq", set_rights},
    [VALUE_NAG] = {"the number of a NAG, or one of !! ! !? ?! ? ??", set_nag},
};

static bool read_arguments(query_reader *r, const query_fact *fact, query_node *node)
{
    const char c = reader_peek(r, 0);
    value v;
    if (fact->value != VALUE_NONE && c && !is_blank(c) && !strchr("\"=~<>!),;", c))
        return query_expect(r, "a blank");
    switch ((fact_value)fact->value) {
    case VALUE_TEXT: return read_text(r, node);
    case VALUE_TAG: return read_tag(r, node);
    case VALUE_CODES: return read_codes(r, node);
    case VALUE_COMPARED: return read_compared(r, node);
    case VALUE_NONE: return !fact->text || set_fixed(r, node, fact->text);
    default: break;
    }
    if (fact->value == VALUE_OPENING && !are_moves_ahead(r)) {
        node->type = (uint16_t)fact_type(fact_find("named", 5));
        return read_text(r, node);
    }
    const char *expected = node->type == Q_BOARD ? "the first field of a FEN" : readers[fact->value].expected;
    return read_value(r, &v, expected) && (readers[fact->value].set(r, node, &v) || fail_value(r, &v, expected));
}

/* Can the fact be checked against a game that consists only of moves? */
static bool check_needs(query_reader *r, const query_fact *fact, size_t at)
{
    const unsigned more = TBY_QUERY_NEEDS_ROW | TBY_QUERY_NEEDS_ANNOTATED | TBY_QUERY_NEEDS_ID;
    if (!r->options->without_row || !(fact->needs & more))
        return true;
    return query_fail(r, at, strlen(fact->word), "\"%s\" needs a game's %s; a chessgame has only moves", fact->word,
                      fact->needs & TBY_QUERY_NEEDS_ROW         ? "tags"
                      : fact->needs & TBY_QUERY_NEEDS_ANNOTATED ? "comments"
                                                                : "number in a database");
}

uint32_t query_read_word(query_reader *r, const query_fact *fact, size_t at)
{
    query_node node = node_of(fact_type(fact));
    node.number = fact->number;
    if (!check_needs(r, fact, at) || !read_arguments(r, fact, &node))
        return QUERY_NO_NODE;
    const bool is_negated = fact->value == VALUE_MODE && node.number;
    if (fact->value == VALUE_MODE)
        node.number = 0;
    const uint32_t id = query_put(r, &node, at, NULL, 0);
    query_node negation = node_of(Q_NOT);
    return is_negated && id != QUERY_NO_NODE ? query_put(r, &negation, at, &id, 1) : id;
}
