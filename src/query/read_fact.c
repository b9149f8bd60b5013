/*
 * read_fact.c - reads facts about pieces and moves.
 *
 *     count    = sum OP sum        sum = (who | N | "points" | "legal") { "+" (who | N) }        OP = = != < <= > >=
 *     material = KRPvKR            letters, each optionally followed by + (that many or more) or * (any number)
 *     attacks  = who "attacks" who
 *     move     = PIECE [squares] ("-" | "x") [PIECE] [squares] [ "=" PIECE ] [ "+" | "#" ] | "O-O" | "O-O-O" | "e.p."
 *     path     = PIECE ":" SQUARE "-" SQUARE { "-" SQUARE }
 *     nag      = "!!" | "!" | "!?" | "?!" | "?" | "??"
 *
 * Reads    blanks inside counts and around "attacks", but nowhere else.
 */
#include "query/read.h"

/* ---- Counts --------------------------------------------------------------------------------------------- */

/* Reads one term of a sum; the first term may be a word. */
static uint32_t read_term(query_reader *r, bool is_first)
{
    const size_t at = r->at, n = reader_run(r);
    const query_fact *word = n ? fact_find(r->s + at, n) : NULL;
    query_node node = node_of(Q_TERM_PIECES);
    if (is_first && word && word->value == VALUE_SUM) {
        node.type = (uint16_t)fact_type(word);
        node.number = word->number;
        r->at += n;
    } else if (is_digit(reader_peek(r, 0)) || (reader_peek(r, 0) == '-' && is_digit(reader_peek(r, 1)))) {
        node.type = Q_TERM_NUMBER;
        if (!query_read_number(r, &node.number))
            return QUERY_NO_NODE;
    } else if (word || (!query_is_piece(reader_peek(r, 0)) && reader_peek(r, 0) != '[')) {
        query_expect(r, is_first ? "a piece, a number, \"points\" or \"legal\"" : "a piece or a number");
        return QUERY_NO_NODE;
    } else if (!query_read_who(r, &node.u.m.who[0])) {
        return QUERY_NO_NODE;
    }
    return query_put(r, &node, at, NULL, 0);
}

enum { TERMS_MAX = 64 };

/* The terms wait from `first` on. */
static bool add_term(query_reader *r, size_t first, bool is_first)
{
    reader_skip_blanks(r);
    if (r->waiting.n - first == TERMS_MAX)
        return query_fail_status(r, TBY_TOO_LONG, "too many terms in one count");
    return query_wait(r, read_term(r, is_first));
}

/* Reads { "+" term } after the first term. The reader is left after the last term, before any blanks. */
static bool add_terms(query_reader *r, size_t first)
{
    for (;;) {
        const size_t end = r->at;
        reader_skip_blanks(r);
        if (!reader_accept(r, '+')) {
            r->at = end;
            return true;
        }
        if (!add_term(r, first, false))
            return false;
    }
}

/* Reads the rest of a count; the first term has been read. */
static uint32_t read_count(query_reader *r, size_t first, size_t at)
{
    query_node node = node_of(Q_COUNT);
    bool is_good = add_terms(r, first);
    if (is_good) {
        reader_skip_blanks(r);
        node.op = (uint8_t)query_read_op(r);
        node.number = (int64_t)(r->waiting.n - first);
        is_good = node.op != OP_NONE || query_expect(r, "one of = != < <= > >=");
    }
    is_good = is_good && add_term(r, first, true) && add_terms(r, first);
    const size_t n = r->waiting.n - first;
    r->waiting.n = first;
    return is_good ? query_put(r, &node, at, list_ids(&r->waiting, first), n) : QUERY_NO_NODE;
}

/* Does a count continue after the pieces and blanks? */
static bool is_count_ahead(const query_reader *r)
{
    query_reader ahead = *r;
    reader_skip_blanks(&ahead);
    const char c = reader_peek(&ahead, 0);
    return c == '=' || c == '<' || c == '>' || c == '+' || (c == '!' && reader_peek(&ahead, 1) == '=');
}

static uint32_t count_of_pieces(query_reader *r, const query_who *who, size_t at)
{
    const size_t first = r->waiting.n;
    query_node node = node_of(Q_TERM_PIECES);
    node.u.m.who[0] = *who;
    return query_wait(r, query_put(r, &node, at, NULL, 0)) ? read_count(r, first, at) : QUERY_NO_NODE;
}

/* Reports a malformed count, and how to write it. */
static bool fail_number(query_reader *r)
{
    static const struct {
        const char *text, *hint;
    } known[] = {
        {"1/2-1/2", "write the word before a result: result 1/2-1/2"},
        {"1-0", "write the word before a result: result 1-0"},
        {"0-1", "write the word before a result: result 0-1"},
        {"0-0-0", "castling is written with the letter O: O-O-O for White, o-o-o for Black"},
        {"0-0", "castling is written with the letter O: O-O for White, o-o for Black"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].text);
        if (r->n - r->at >= n && memcmp(r->s + r->at, known[i].text, n) == 0)
            return query_fail(r, r->at, n, "%s", known[i].hint);
    }
    size_t n = 0;
    while (is_digit(reader_peek(r, n)))
        n++;
    if (n && reader_peek(r, n) == '.' && reader_peek(r, n + 1) != '.')
        return query_fail(r, r->at, n + 1, "moves are written opening \"1. e4 e5\"");
    if (n && r->at + n == r->n)
        return query_fail(r, r->at, n, "a number alone: a game's number is written id %.*s", (int)n, r->s + r->at);
    return true;
}

static uint32_t read_number_count(query_reader *r)
{
    const size_t at = r->at, first = r->waiting.n;
    return fail_number(r) && add_term(r, first, true) ? read_count(r, first, at) : QUERY_NO_NODE;
}

/* ---- Material ------------------------------------------------------------------------------------------- */

/* Are there letters of pieces up to a "v"? */
static bool is_material_ahead(const query_reader *r)
{
    size_t n = 0;
    while (reader_peek(r, n) && strchr("KQRBNP+*", reader_peek(r, n)))
        n++;
    return reader_peek(r, 0) == 'K' && reader_peek(r, n) == 'v';
}

static bool read_material_side(query_reader *r, uint8_t *least, uint8_t *is_open)
{
    static const char letters[] = "?PBNRKQ";
    if (!reader_accept(r, 'K'))
        return query_expect(r, "\"K\", the first of each side's pieces, all in capitals,");
    least[TBY_KING] = 1;
    for (;;) {
        const char *letter = reader_peek(r, 0) ? strchr(letters + 1, reader_peek(r, 0)) : NULL;
        if (!letter)
            return true;
        const size_t kind = (size_t)(letter - letters);
        if (kind == TBY_KING)
            return query_fail(r, r->at, 1, "each side has one king only");
        r->at++;
        if (reader_accept(r, '*')) {
            is_open[kind] = 1;
            continue;
        }
        if (reader_accept(r, '+'))
            is_open[kind] = 1;
        least[kind] = (uint8_t)(least[kind] + (least[kind] < 64));
    }
}

static uint32_t read_material(query_reader *r)
{
    const size_t at = r->at;
    query_node node = node_of(Q_MATERIAL);
    if (!read_material_side(r, node.u.material.least[0], node.u.material.is_open[0]))
        return QUERY_NO_NODE;
    if (!reader_accept(r, 'v'))
        return no_node(query_expect(r, "\"v\""));
    if (!read_material_side(r, node.u.material.least[1], node.u.material.is_open[1]))
        return QUERY_NO_NODE;
    return query_put(r, &node, at, NULL, 0);
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

/* Reads the captured piece, the squares, or both. */
static bool read_target(query_reader *r, query_node *node)
{
    const char c = reader_peek(r, 0);
    const bool is_square = is_file(c) && is_rank(reader_peek(r, 1));
    if ((query_is_piece(c) || c == '[') && !is_square) {
        if (!node->u.m.is_capture)
            return query_fail(r, r->at, 1, "a piece was expected after \"-\": write x%c%s for a capture, or squares", c,
                              c == '[' ? "...]" : "");
        node->u.m.has_piece = 1;
        return query_read_who(r, &node->u.m.who[1]);
    }
    node->u.m.who[1].pieces = WHO_ALL;
    return query_read_squares(r, &node->u.m.who[1]);
}

/* The moving pieces have been read. */
static uint32_t read_move(query_reader *r, const query_who *who, size_t at)
{
    query_node node = node_of(Q_MOVE);
    if (who->pieces & WHO_EMPTY)
        return no_node(query_fail(r, at, r->at - at, "an empty square cannot move: a piece was expected before \"%c\"",
                                  r->s[r->at]));
    node.u.m.who[0] = *who;
    node.u.m.is_capture = r->s[r->at++] == 'x';
    if (!read_target(r, &node) || (reader_accept(r, '=') && !query_read_pieces(r, &node.u.m.promotion)))
        return QUERY_NO_NODE;
    const char mark = reader_peek(r, 0);
    if (mark == '+' || mark == '#') {
        node.u.m.mark = mark;
        r->at++;
    }
    return query_put(r, &node, at, NULL, 0);
}

static bool read_square(query_reader *r, uint8_t *out)
{
    if (!is_file(reader_peek(r, 0)) || !is_rank(reader_peek(r, 1)))
        return query_expect(r, "a square");
    *out = TBY_SQUARE(reader_peek(r, 0) - 'a', reader_peek(r, 1) - '1');
    r->at += 2;
    return true;
}

/* After "PIECE:". */
static uint32_t read_path(query_reader *r, uint16_t pieces, size_t at)
{
    query_node node = node_of(Q_PATH);
    node.u.path.pieces = pieces;
    do {
        if (node.u.path.n == PATH_SQUARES)
            return no_node(query_fail_status(r, TBY_TOO_LONG, "too many squares in one path"));
        if (!read_square(r, &node.u.path.squares[node.u.path.n++]))
            return QUERY_NO_NODE;
    } while (reader_accept(r, '-'));
    if (node.u.path.n < 2)
        return no_node(query_expect(r, "\"-\" and the next square"));
    return query_put(r, &node, at, NULL, 0);
}

/* A fact whose word is not in lower case, if one is here. */
static const query_fact *sign_here(const query_reader *r)
{
    static const char *const signs[] = {"O-O-O", "O-O", "e.p."};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t n = strlen(signs[i]);
        if (r->n - r->at >= n && memcmp(r->s + r->at, signs[i], n) == 0)
            return fact_find(signs[i], n);
    }
    return NULL;
}

/* ---- Pieces, and what follows them ------------------------------------------------------------------------- */

static bool accept_attacks(query_reader *r)
{
    query_reader ahead = *r;
    reader_skip_blanks(&ahead);
    if (ahead.at == r->at || reader_run(&ahead) != 7 || memcmp(ahead.s + ahead.at, "attacks", 7) != 0)
        return false;
    r->at = ahead.at + 7;
    return true;
}

static uint32_t read_attacks(query_reader *r, const query_who *who, size_t at)
{
    query_node node = node_of(Q_ATTACKS);
    node.u.m.who[0] = *who;
    reader_skip_blanks(r);
    return query_read_who(r, &node.u.m.who[1]) ? query_put(r, &node, at, NULL, 0) : QUERY_NO_NODE;
}

static uint32_t read_pieces_fact(query_reader *r)
{
    query_node node = node_of(Q_PIECES);
    const size_t at = r->at;
    query_who *who = &node.u.m.who[0];
    if (!query_read_who(r, who))
        return QUERY_NO_NODE;
    const char c = reader_peek(r, 0);
    if (c == ':' && who->is_anywhere && !(who->pieces & WHO_EMPTY)) {
        r->at++;
        return read_path(r, who->pieces, at);
    }
    if (c == '-' || c == 'x')
        return read_move(r, who, at);
    if (is_count_ahead(r))
        return count_of_pieces(r, who, at);
    if (accept_attacks(r))
        return read_attacks(r, who, at);
    return query_put(r, &node, at, NULL, 0);
}

/* ---- Any fact ------------------------------------------------------------------------------------------- */

static uint32_t read_glyph(query_reader *r)
{
    const size_t at = r->at;
    query_node node = node_of(fact_type(fact_find("nag", 3)));
    size_t n = 1;
    if (reader_peek(r, 1) == '!' || reader_peek(r, 1) == '?')
        n = 2;
    node.number = tby_nag_read(r->s + at, n);
    r->at += n;
    if (r->options->without_row)
        return no_node(query_fail(r, at, n, "a chessgame has only moves, not NAGs"));
    return query_put(r, &node, at, NULL, 0);
}

/* Could pieces begin here? Something that looks like an unknown word is reported as a word. */
static bool looks_like_pieces(const query_reader *r)
{
    const size_t n = reader_run(r);
    const char c = reader_peek(r, 0), second = reader_peek(r, 1);
    if (c == '[')
        return true;
    if (!query_is_piece(c))
        return false;
    if (is_small(c))
        return n == 1 || second == '-' || second == 'x' || (n == 2 && is_file(second));
    return !(is_letter(second) && is_letter(reader_peek(r, 2)) && second != 'x');
}

static size_t letters_ahead(const query_reader *r)
{
    size_t n = 0;
    while (is_letter(reader_peek(r, n)) || (n > 0 && reader_peek(r, n) == '-'))
        n++;
    return n;
}

static uint32_t fail_fact(query_reader *r)
{
    const char c = reader_peek(r, 0), second = reader_peek(r, 1);
    const size_t n = letters_ahead(r);
    if (is_file(c) && is_rank(second))
        query_fail(r, r->at, 2, "\"%c%c\" is a square, and who stands there was expected: P%c%c for a pawn", c, second,
                   c, second);
    else if (c == '"')
        query_fail(r, r->at, 1, "the word before the value was expected, as in: player \"Carlsen\"");
    else if (n > 1)
        query_fail_word(r, r->at, n);
    else
        query_expect(r, "a fact");
    return QUERY_NO_NODE;
}

uint32_t query_read_fact(query_reader *r)
{
    const char c = reader_peek(r, 0), second = reader_peek(r, 1);
    const size_t at = r->at, n = reader_run(r);
    const query_fact *word = n ? fact_find(r->s + at, n) : NULL;
    if (word || is_digit(c) || (c == '-' && is_digit(second)))
        return read_number_count(r);
    const query_fact *sign = sign_here(r);
    if (sign) {
        r->at += strlen(sign->word);
        return query_read_word(r, sign, at);
    }
    if ((c == '!' || c == '?') && second != '=')
        return read_glyph(r);
    if (is_material_ahead(r))
        return read_material(r);
    return looks_like_pieces(r) ? read_pieces_fact(r) : fail_fact(r);
}
