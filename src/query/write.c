/*
 * write.c - writes queries in their canonical form.
 *
 * Writes   one blank between facts and around "," and ";"; brackets only where necessary; squares as few rectangles;
 *          values without quotes where possible. Named patterns by name.
 */
#include "base/contract.h"
#include "query/bound.h"
#include "query/facts.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct writer {
    text_writer text;
    const tby_query *query;
    bool expands; /* named patterns are expanded */
} writer;

static void put_number(writer *w, int64_t number)
{
    if (number < 0)
        text_char(&w->text, '-');
    text_number(&w->text, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void put_bytes(writer *w, query_span span) { text_bytes(&w->text, query_bytes(w->query, span), span.n); }

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

/* In the order in which they are written. */
static const struct {
    char letter;
    uint8_t kind;
} kinds[] = {{'K', TBY_KING}, {'Q', TBY_QUEEN}, {'R', TBY_ROOK}, {'B', TBY_BISHOP}, {'N', TBY_KNIGHT}, {'P', TBY_PAWN}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void put_pieces(writer *w, uint16_t pieces)
{
    static const uint16_t all[] = {WHO_WHITE, WHO_BLACK};
    char text[16];
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        if ((pieces & all[side]) == all[side])
            text[n++] = side ? 'm' : 'M';
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < N_KINDS && (pieces & all[side]) != all[side]; i++)
            if (pieces >> TBY_PIECE(side, kinds[i].kind) & 1)
                text[n++] = (char)(kinds[i].letter + 32 * side);
    if (pieces & WHO_EMPTY)
        text[n++] = '_';
    if (n > 1)
        text_char(&w->text, '[');
    text_bytes(&w->text, text, n);
    if (n > 1)
        text_char(&w->text, ']');
}

static void put_span(writer *w, char zero, unsigned low, unsigned high)
{
    if (low == 0 && high == 7)
        return;
    text_char(&w->text, (char)((unsigned)zero + low));
    if (low == high)
        return;
    text_char(&w->text, '-');
    text_char(&w->text, (char)((unsigned)zero + high));
}

/* Writes the rectangle at the lowest square, extended first in width, then in height; removes it from the set. */
static void put_rectangle(writer *w, tby_bitboard *squares)
{
    const unsigned first = bb_first(*squares), file = first & 7, rank = first >> 3;
    unsigned last_file = file, last_rank = rank;
    tby_bitboard row = bb_square(first);
    while (last_file < 7 && (*squares & bb_square(first + last_file - file + 1)))
        row |= bb_square(first + ++last_file - file);
    tby_bitboard block = row;
    while (last_rank < 7 && (*squares & row << 8) == row << 8) {
        row <<= 8;
        last_rank++;
        block |= row;
    }
    *squares &= ~block;
    if (file == 0 && last_file == 7 && rank == 0 && last_rank == 7) {
        text_string(&w->text, "a-h");
        return;
    }
    put_span(w, 'a', file, last_file);
    put_span(w, '1', rank, last_rank);
}

static void put_squares(writer *w, const query_who *who)
{
    tby_bitboard squares = who->squares;
    if (who->is_anywhere)
        return;
    if (!bb_many(squares) && squares) {
        text_square(&w->text, (tby_square)bb_first(squares));
        return;
    }
    text_char(&w->text, '{');
    if (squares == BB_LIGHT || squares == ~BB_LIGHT) {
        text_string(&w->text, squares == BB_LIGHT ? "light" : "dark");
        squares = 0;
    }
    while (squares) {
        put_rectangle(w, &squares);
        if (squares)
            text_char(&w->text, ' ');
    }
    text_char(&w->text, '}');
}

static void put_who(writer *w, const query_who *who)
{
    put_pieces(w, who->pieces);
    put_squares(w, who);
}

/* ---- Facts about pieces ------------------------------------------------------------------------------------ */

static const char *const operators[] = {"", "=", "!=", "<", "<=", ">", ">="};

static void put_fact(writer *w, const query_node *node);

static void put_count(writer *w, const query_node *node)
{
    for (uint32_t i = 0; i < node->n_kids; i++) {
        if (i == node->number)
            text_string(&w->text, operators[node->op]);
        else if (i > 0)
            text_char(&w->text, '+');
        put_fact(w, tree_node(&w->query->tree, tree_kid(&w->query->tree, node, i)));
    }
}

static void put_material(writer *w, const query_node *node)
{
    for (int side = 0; side < 2; side++) {
        text_string(&w->text, side ? "vK" : "K");
        for (int i = 1; i < N_KINDS; i++) { /* the king is there */
            const unsigned least = node->u.material.least[side][kinds[i].kind];
            for (unsigned n = 0; n < least; n++)
                text_char(&w->text, kinds[i].letter);
            if (!node->u.material.is_open[side][kinds[i].kind])
                continue;
            if (least == 0)
                text_char(&w->text, kinds[i].letter);
            text_char(&w->text, least == 0 ? '*' : '+');
        }
    }
}

static void put_move(writer *w, const query_node *node)
{
    put_who(w, &node->u.m.who[0]);
    text_char(&w->text, node->u.m.is_capture ? 'x' : '-');
    if (node->u.m.has_piece)
        put_pieces(w, node->u.m.who[1].pieces);
    put_squares(w, &node->u.m.who[1]);
    if (node->u.m.promotion) {
        text_char(&w->text, '=');
        put_pieces(w, node->u.m.promotion);
    }
    if (node->u.m.mark)
        text_char(&w->text, node->u.m.mark);
}

static void put_path(writer *w, const query_node *node)
{
    put_pieces(w, node->u.path.pieces);
    for (unsigned i = 0; i < node->u.path.n; i++) {
        text_char(&w->text, i ? '-' : ':');
        text_square(&w->text, node->u.path.squares[i]);
    }
}

static void put_attacks(writer *w, const query_node *node)
{
    put_who(w, &node->u.m.who[0]);
    text_string(&w->text, " attacks ");
    put_who(w, &node->u.m.who[1]);
}

/* ---- Values --------------------------------------------------------------------------------------------- */

/* Is the value read back unchanged without quotes? */
static bool is_plain_value(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] <= ' ' || strchr("()[]{},;\"\\=~", s[i]))
            return false;
    return n > 0;
}

static void put_quoted(text_writer *to, const char *s, size_t n, bool has_quotes)
{
    if (has_quotes)
        text_char(to, '"');
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\')
            text_char(to, '\\');
        text_char(to, s[i]);
    }
    if (has_quotes)
        text_char(to, '"');
}

static void put_plain(writer *w, query_span span)
{
    const char *s = query_bytes(w->query, span);
    put_quoted(&w->text, s, span.n, !is_plain_value(s, span.n));
}

size_t tby_query_quote(char *buf, size_t cap, const char *s, size_t n)
{
    TBY_CONTRACT(s || n == 0);
    text_writer text = text_begin(buf, cap);
    put_quoted(&text, s, n, !is_plain_value(s, n));
    return text_end(&text);
}

size_t tby_query_quote_person(char *buf, size_t cap, const char *s, size_t n)
{
    const bool is_exact = n && *s == '=', is_person = n && *s == '~';
    const char *name = s + (is_exact || is_person);
    const size_t n_name = n - (is_exact || is_person);
    tby_person person;
    tby_person_read(&person, name, n_name);
    if (!is_exact && (memchr(name, '*', n_name) || person.n == person.last))
        return tby_query_quote(buf, cap, name, n_name);
    text_writer text = text_begin(buf, cap);
    text_char(&text, is_exact ? '=' : '~');
    put_quoted(&text, name, n_name, true);
    return text_end(&text);
}

static void put_value(writer *w, const query_node *node)
{
    if (node->way == TEXT_CODES) {
        put_bytes(w, node->u.t.text);
        text_string(&w->text, "..");
        put_bytes(w, node->u.t.name);
    } else if (node->way == TEXT_EXACT || node->way == TEXT_PERSON) {
        text_char(&w->text, node->way == TEXT_EXACT ? '=' : '~');
        put_quoted(&w->text, query_bytes(w->query, node->u.t.text), node->u.t.text.n, true);
    } else {
        put_plain(w, node->u.t.text);
    }
}

static void put_range(writer *w, const query_node *node)
{
    if (node->u.range.low != INT64_MIN)
        put_number(w, node->u.range.low);
    if (node->u.range.low == node->u.range.high)
        return;
    text_string(&w->text, "..");
    if (node->u.range.high != INT64_MAX)
        put_number(w, node->u.range.high);
}

/* Trailing parts equal to `missing` are omitted. */
static void put_date(writer *w, int64_t date, int64_t missing)
{
    const int month = (int)(date / 100 % 100), day = (int)(date % 100);
    char text[40];
    snprintf(text, sizeof text, "%04d.%02d.%02d", (int)(date / 10000), month, day);
    if (month == missing)
        memset(text + 5, '?', 2);
    text_bytes(&w->text, text, day != missing ? 10 : month != missing ? 7 : 4);
}

static void put_dates(writer *w, const query_node *node)
{
    const int64_t low = node->u.range.low, high = node->u.range.high;
    if (low != INT64_MIN)
        put_date(w, low, 0);
    if (low != INT64_MIN && high != INT64_MAX) {
        const int64_t month = low / 100 % 100, day = low % 100;
        if (high == low + (month ? 0 : 9900) + (day ? 0 : 99))
            return;
    }
    text_string(&w->text, "..");
    if (high != INT64_MAX)
        put_date(w, high, 99);
}

/* A number in millionths. */
static void put_compared(writer *w, const query_node *node)
{
    const int64_t number = node->number;
    const uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;
    char text[40];
    int n =
        snprintf(text, sizeof text, "%s%" PRIu64 ".%06" PRIu64, number < 0 ? "-" : "", size / 1000000, size % 1000000);
    while (text[n - 1] == '0')
        n--;
    text_string(&w->text, operators[node->op]);
    text_bytes(&w->text, text, (size_t)(text[n - 1] == '.' ? n - 1 : n));
}

static void put_board(writer *w, const query_node *node)
{
    char fen[TBY_FEN_SIZE];
    const tby_setup setup = query_node_setup(node);
    const size_t n = tby_fen_write(fen, sizeof fen, &setup, TBY_FEN_EPD);
    put_quoted(&w->text, fen, node->type == Q_FEN ? n : strcspn(fen, " "), node->type == Q_FEN);
}

static void put_rights(writer *w, const query_node *node)
{
    for (int i = 0; i < 4; i++)
        if (node->number >> i & 1)
            text_char(&w->text, "KQkq"[i]);
}

static void put_tag(writer *w, const query_node *node)
{
    put_plain(w, node->u.t.name);
    text_char(&w->text, ' ');
    if (node->op) {
        text_string(&w->text, operators[node->op]);
        text_char(&w->text, ' ');
        put_quoted(&w->text, query_bytes(w->query, node->u.t.text), node->u.t.text.n, true);
    } else {
        put_value(w, node);
    }
}

static void put_whole(writer *w, const query_node *node) { put_number(w, node->number); }
static void put_opening(writer *w, const query_node *node) { put_plain(w, node->u.t.name); }
static void put_result(writer *w, const query_node *node)
{
    text_string(&w->text, tby_result_text((tby_result)node->number));
}
static void put_speed(writer *w, const query_node *node)
{
    text_string(&w->text, tby_speed_text((tby_speed)node->number));
}
static void put_pieces_fact(writer *w, const query_node *node) { put_who(w, &node->u.m.who[0]); }

/* What follows the word, or replaces it. */
static void (*const put_values[])(writer *w, const query_node *node) = {
    [VALUE_PIECES] = put_pieces_fact, [VALUE_COUNT] = put_count,     [VALUE_MATERIAL] = put_material,
    [VALUE_ATTACKS] = put_attacks,    [VALUE_MOVE] = put_move,       [VALUE_PATH] = put_path,
    [VALUE_NUMBER] = put_whole,       [VALUE_RANGE] = put_range,     [VALUE_SIGNED] = put_range,
    [VALUE_DATES] = put_dates,        [VALUE_TEXT] = put_value,      [VALUE_TAG] = put_tag,
    [VALUE_CODES] = put_value,        [VALUE_OPENING] = put_opening, [VALUE_RESULT] = put_result,
    [VALUE_SPEED] = put_speed,        [VALUE_POSITION] = put_board,  [VALUE_RIGHTS] = put_rights,
    [VALUE_COMPARED] = put_compared,  [VALUE_NAG] = put_whole,
};

static void put_fact(writer *w, const query_node *node)
{
    const query_fact *fact = fact_of_node(node);
    if (fact->word && fact->value != VALUE_ATTACKS) {
        text_string(&w->text, fact->word);
        if (fact->value != VALUE_NONE && fact->value != VALUE_SUM && fact->value != VALUE_COMPARED)
            text_char(&w->text, ' ');
    }
    if (put_values[fact->value])
        put_values[fact->value](w, node);
}

/* ---- The tree ------------------------------------------------------------------------------------------- */

/* How tightly a node binds: one that binds less than its place requires gets brackets. */
typedef enum tightness { AS_QUERY, AS_CHAIN, AS_STEP, AS_ANY, AS_ALL, AS_FACT } tightness;

static tightness tightness_of(unsigned type)
{
    switch (type) {
    case Q_SEQUENCE: return AS_QUERY;
    case Q_CHAIN: return AS_CHAIN;
    case Q_FOR: return AS_STEP;
    case Q_OR: return AS_ANY;
    case Q_AND: return AS_ALL;
    default: return AS_FACT;
    }
}

static void put_node(writer *w, uint32_t id, tightness place);

static void put_kids(writer *w, const query_node *node, const char *between, tightness place)
{
    for (uint32_t i = 0; i < node->n_kids; i++) {
        if (i > 0)
            text_string(&w->text, between);
        put_node(w, tree_kid(&w->query->tree, node, i), place);
    }
}

static void put_sequence(writer *w, const query_node *node)
{
    put_node(w, tree_kid(&w->query->tree, node, 0), AS_CHAIN);
    text_string(&w->text, " ;");
    if (node->number)
        put_number(w, node->number);
    text_char(&w->text, ' ');
    put_node(w, tree_kid(&w->query->tree, node, 1), AS_QUERY);
}

static void put_brackets(writer *w, const query_node *node)
{
    text_char(&w->text, '(');
    put_kids(w, node, "", AS_QUERY);
    text_char(&w->text, ')');
}

static void put_pattern(writer *w, const query_node *node)
{
    if (w->expands)
        put_brackets(w, node);
    else
        put_bytes(w, node->u.t.text);
}

static void put_inside(writer *w, const query_node *node)
{
    switch ((query_type)node->type) {
    case Q_SEQUENCE: put_sequence(w, node); break;
    case Q_CHAIN: put_kids(w, node, " , ", AS_STEP); break;
    case Q_FOR:
        put_kids(w, node, "", AS_ANY);
        text_string(&w->text, " for ");
        put_number(w, node->number);
        break;
    case Q_GROUP: put_brackets(w, node); break;
    case Q_OR: put_kids(w, node, " or ", AS_ALL); break;
    case Q_AND: put_kids(w, node, " ", AS_FACT); break;
    case Q_PATTERN: put_pattern(w, node); break;
    default:
        put_fact(w, node);
        if (fact_of_node(node)->value == VALUE_PREFIX)
            put_kids(w, node, "", AS_FACT);
    }
}

static void put_node(writer *w, uint32_t id, tightness place)
{
    const query_node *node = tree_node(&w->query->tree, id);
    const bool has_brackets = tightness_of(node->type) < place;
    if (has_brackets)
        text_char(&w->text, '(');
    put_inside(w, node);
    if (has_brackets)
        text_char(&w->text, ')');
}

size_t tby_query_write(char *buf, size_t cap, const tby_query *query)
{
    TBY_CONTRACT(cap == 0 || buf);
    writer w = {text_begin(buf, cap), query, false};
    put_node(&w, query->tree.root, AS_QUERY);
    return text_end(&w.text);
}

/* ---- Parts ---------------------------------------------------------------------------------------------- */

static bool is_of_moves(const tby_query *query, uint32_t id)
{
    const query_node *node = tree_node(&query->tree, id);
    bool is = !(fact_of_node(node)->needs & (TBY_QUERY_NEEDS_ROW | TBY_QUERY_NEEDS_ANNOTATED | TBY_QUERY_NEEDS_ID));
    for (uint32_t i = 0; i < node->n_kids && is; i++)
        is = is_of_moves(query, tree_kid(&query->tree, node, i));
    return is;
}

static void put_part(writer *w, uint32_t id, bool wants_moves)
{
    const query_node *node = tree_node(&w->query->tree, id);
    if (node->type == Q_AND) {
        for (uint32_t i = 0; i < node->n_kids; i++)
            put_part(w, tree_kid(&w->query->tree, node, i), wants_moves);
        return;
    }
    if (is_of_moves(w->query, id) != wants_moves)
        return;
    if (w->text.length > 0)
        text_char(&w->text, ' ');
    put_node(w, id, AS_FACT);
}

size_t query_write_part(char *buf, size_t cap, const tby_query *query, bool wants_moves)
{
    TBY_CONTRACT(cap == 0 || buf);
    writer w = {text_begin(buf, cap), query, true};
    put_part(&w, query->tree.root, wants_moves);
    return text_end(&w.text);
}
