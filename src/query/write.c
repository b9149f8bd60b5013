/*
 * write.c - writes queries in their canonical form.
 *
 * Writes   one blank between facts and around "," and ";"; brackets only where necessary; squares as few rectangles;
 *          values without quotes where possible. Named patterns by name.
 */
#include "query/write.h"
#include "query/bound.h"
#include "query/facts.h"

#include "base/bitboard.h"

typedef struct writer {
    const tby_query *query;
    char *buf;
    size_t cap, n;
    bool expands; /* named patterns are expanded */
} writer;

static void put(writer *w, char c)
{
    if (w->n < w->cap)
        w->buf[w->n] = c;
    w->n++;
}

static void put_bytes(writer *w, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(w, s[i]);
}

static void put_text(writer *w, const char *s) { put_bytes(w, s, strlen(s)); }

static void put_number(writer *w, int64_t number)
{
    char digits[24];
    int n = 0;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    if (number < 0)
        put(w, '-');
    do
        digits[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (n)
        put(w, digits[--n]);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

static void put_pieces(writer *w, uint16_t pieces)
{
    static const char letters[] = "KQRBNPkqrbnp_";
    static const uint16_t bits[] = {1 << TBY_KING,
                                    1 << TBY_QUEEN,
                                    1 << TBY_ROOK,
                                    1 << TBY_BISHOP,
                                    1 << TBY_KNIGHT,
                                    1 << TBY_PAWN,
                                    1 << (8 + TBY_KING),
                                    1 << (8 + TBY_QUEEN),
                                    1 << (8 + TBY_ROOK),
                                    1 << (8 + TBY_BISHOP),
                                    1 << (8 + TBY_KNIGHT),
                                    1 << (8 + TBY_PAWN),
                                    WHO_EMPTY};
    char text[16];
    size_t n = 0;
    if ((pieces & WHO_WHITE) == WHO_WHITE)
        text[n++] = 'M';
    if ((pieces & WHO_BLACK) == WHO_BLACK)
        text[n++] = 'm';
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        const uint16_t all = i < 6 ? WHO_WHITE : i < 12 ? WHO_BLACK : 0;
        if ((pieces & bits[i]) && !(all && (pieces & all) == all))
            text[n++] = letters[i];
    }
    if (n > 1)
        put(w, '[');
    put_bytes(w, text, n);
    if (n > 1)
        put(w, ']');
}

static void put_span(writer *w, char zero, unsigned low, unsigned high)
{
    if (low == 0 && high == 7)
        return;
    put(w, (char)((unsigned)zero + low));
    if (low == high)
        return;
    put(w, '-');
    put(w, (char)((unsigned)zero + high));
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
        put_text(w, "a-h");
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
        put(w, (char)('a' + TBY_FILE(bb_first(squares))));
        put(w, (char)('1' + TBY_RANK(bb_first(squares))));
        return;
    }
    put(w, '{');
    if (squares == BB_LIGHT || squares == ~BB_LIGHT) {
        put_text(w, squares == BB_LIGHT ? "light" : "dark");
        squares = 0;
    }
    while (squares) {
        put_rectangle(w, &squares);
        if (squares)
            put(w, ' ');
    }
    put(w, '}');
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
            put_text(w, operators[node->op]);
        else if (i > 0)
            put(w, '+');
        put_fact(w, tree_node(&w->query->tree, tree_kid(&w->query->tree, node, i)));
    }
}

static void put_material(writer *w, const query_node *node)
{
    static const struct {
        char letter;
        uint8_t kind;
    } kinds[] = {{'Q', TBY_QUEEN}, {'R', TBY_ROOK}, {'B', TBY_BISHOP}, {'N', TBY_KNIGHT}, {'P', TBY_PAWN}};
    for (int side = 0; side < 2; side++) {
        put_text(w, side ? "vK" : "K");
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const unsigned least = node->u.material.least[side][kinds[i].kind];
            for (unsigned n = 0; n < least; n++)
                put(w, kinds[i].letter);
            if (!node->u.material.is_open[side][kinds[i].kind])
                continue;
            if (least == 0)
                put(w, kinds[i].letter);
            put(w, least == 0 ? '*' : '+');
        }
    }
}

static void put_move(writer *w, const query_node *node)
{
    put_who(w, &node->u.m.who[0]);
    put(w, node->u.m.is_capture ? 'x' : '-');
    if (node->u.m.has_piece)
        put_pieces(w, node->u.m.who[1].pieces);
    put_squares(w, &node->u.m.who[1]);
    if (node->u.m.promotion) {
        put(w, '=');
        put_pieces(w, node->u.m.promotion);
    }
    if (node->u.m.mark)
        put(w, node->u.m.mark);
}

static void put_path(writer *w, const query_node *node)
{
    put_pieces(w, node->u.path.pieces);
    for (unsigned i = 0; i < node->u.path.n; i++) {
        put(w, i ? '-' : ':');
        put(w, (char)('a' + TBY_FILE(node->u.path.squares[i])));
        put(w, (char)('1' + TBY_RANK(node->u.path.squares[i])));
    }
}

static void put_attacks(writer *w, const query_node *node)
{
    put_who(w, &node->u.m.who[0]);
    put_text(w, " attacks ");
    put_who(w, &node->u.m.who[1]);
}

/* ---- Values --------------------------------------------------------------------------------------------- */

static void put_quoted(writer *w, query_span span)
{
    const char *s = query_bytes(w->query, span);
    const size_t room = w->n < w->cap ? w->cap - w->n : 0;
    /* tby_query_quote ends its text with NUL: if that does not fit, the text is only measured. */
    w->n += tby_query_quote(room ? w->buf + w->n : NULL, room, s, span.n);
}

/* ="..." or ~"...", always with quotes. */
static void put_marked(writer *w, char mark, query_span span)
{
    const char *s = query_bytes(w->query, span);
    put(w, mark);
    put(w, '"');
    for (uint32_t i = 0; i < span.n; i++) {
        if (s[i] == '"' || s[i] == '\\')
            put(w, '\\');
        put(w, s[i]);
    }
    put(w, '"');
}

static void put_value(writer *w, const query_node *node)
{
    if (node->way == TEXT_CODES) {
        put_bytes(w, query_bytes(w->query, node->u.t.text), node->u.t.text.n);
        put_text(w, "..");
        put_bytes(w, query_bytes(w->query, node->u.t.name), node->u.t.name.n);
        return;
    }
    if (node->way == TEXT_EXACT || node->way == TEXT_PERSON)
        put_marked(w, node->way == TEXT_EXACT ? '=' : '~', node->u.t.text);
    else
        put_quoted(w, node->u.t.text);
}

static void put_range(writer *w, const query_node *node)
{
    if (node->u.range.low != INT64_MIN)
        put_number(w, node->u.range.low);
    if (node->u.range.low == node->u.range.high)
        return;
    put_text(w, "..");
    if (node->u.range.high != INT64_MAX)
        put_number(w, node->u.range.high);
}

static void put_digits(writer *w, int64_t number, int n)
{
    int64_t unit = 1;
    for (int i = 1; i < n; i++)
        unit *= 10;
    for (; n > 0; n--, unit /= 10)
        put(w, (char)('0' + number / unit % 10));
}

/* Trailing parts equal to `missing` are omitted. */
static void put_date(writer *w, int64_t date, int64_t missing)
{
    const int64_t month = date / 100 % 100, day = date % 100;
    put_digits(w, date / 10000, 4);
    if (month == missing && day == missing)
        return;
    put(w, '.');
    if (month == missing)
        put_text(w, "?"
                    "?");
    else
        put_digits(w, month, 2);
    if (day == missing)
        return;
    put(w, '.');
    put_digits(w, day, 2);
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
    put_text(w, "..");
    if (high != INT64_MAX)
        put_date(w, high, 99);
}

/* Millionths. */
static void put_decimal(writer *w, int64_t number)
{
    int64_t fraction = number < 0 ? -(number % 1000000) : number % 1000000;
    if (number < 0 && number > -1000000)
        put(w, '-');
    put_number(w, number / 1000000);
    if (fraction == 0)
        return;
    put(w, '.');
    for (int64_t unit = 100000; fraction; unit /= 10) {
        put(w, (char)('0' + fraction / unit));
        fraction %= unit;
    }
}

static void put_board(writer *w, const query_node *node)
{
    char fen[TBY_FEN_SIZE];
    const tby_setup setup = query_node_setup(node);
    const size_t n = tby_fen_write(fen, sizeof fen, &setup, TBY_FEN_EPD);
    if (node->type == Q_FEN) {
        put(w, '"');
        put_bytes(w, fen, n);
        put(w, '"');
    } else {
        put_bytes(w, fen, strcspn(fen, " "));
    }
}

static void put_rights(writer *w, int64_t rights)
{
    for (int i = 0; i < 4; i++)
        if (rights >> i & 1)
            put(w, "KQkq"[i]);
}

/* Writes what follows the word, or replaces it. */
static void put_fact_value(writer *w, const query_fact *fact, const query_node *node)
{
    switch ((fact_value)fact->value) {
    case VALUE_NUMBER:
    case VALUE_NAG: put_number(w, node->number); break;
    case VALUE_RANGE:
    case VALUE_SIGNED: put_range(w, node); break;
    case VALUE_DATES: put_dates(w, node); break;
    case VALUE_TEXT:
    case VALUE_CODES: put_value(w, node); break;
    case VALUE_TAG:
        put_quoted(w, node->u.t.name);
        put(w, ' ');
        put_value(w, node);
        break;
    case VALUE_OPENING: put_quoted(w, node->u.t.name); break;
    case VALUE_RESULT: put_text(w, tby_result_text((tby_result)node->number)); break;
    case VALUE_SPEED: put_text(w, tby_speed_text((tby_speed)node->number)); break;
    case VALUE_MODE: break; /* no node has it */
    case VALUE_POSITION: put_board(w, node); break;
    case VALUE_RIGHTS: put_rights(w, node->number); break;
    case VALUE_COMPARED:
        put_text(w, operators[node->op]);
        put_decimal(w, node->number);
        break;
    case VALUE_PIECES: put_who(w, &node->u.m.who[0]); break;
    case VALUE_COUNT: put_count(w, node); break;
    case VALUE_MATERIAL: put_material(w, node); break;
    case VALUE_ATTACKS: put_attacks(w, node); break;
    case VALUE_MOVE: put_move(w, node); break;
    case VALUE_PATH: put_path(w, node); break;
    case VALUE_NODES:
    case VALUE_JOIN:
    case VALUE_PREFIX:
    case VALUE_SUM:
    case VALUE_NONE: break;
    }
}

static void put_fact(writer *w, const query_node *node)
{
    const query_fact *fact = fact_of_node(node);
    if (fact->word && fact->value != VALUE_ATTACKS) {
        put_text(w, fact->word);
        if (fact->value != VALUE_NONE && fact->value != VALUE_SUM && fact->value != VALUE_COMPARED)
            put(w, ' ');
    }
    put_fact_value(w, fact, node);
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
            put_text(w, between);
        put_node(w, tree_kid(&w->query->tree, node, i), place);
    }
}

static void put_sequence(writer *w, const query_node *node)
{
    put_node(w, tree_kid(&w->query->tree, node, 0), AS_CHAIN);
    put_text(w, " ;");
    if (node->number)
        put_number(w, node->number);
    put(w, ' ');
    put_node(w, tree_kid(&w->query->tree, node, 1), AS_QUERY);
}

static void put_brackets(writer *w, const query_node *node)
{
    put(w, '(');
    put_kids(w, node, "", AS_QUERY);
    put(w, ')');
}

static void put_pattern(writer *w, const query_node *node)
{
    if (w->expands)
        put_brackets(w, node);
    else
        put_bytes(w, query_bytes(w->query, node->u.t.text), node->u.t.text.n);
}

static void put_inside(writer *w, const query_node *node)
{
    switch ((query_type)node->type) {
    case Q_SEQUENCE: put_sequence(w, node); break;
    case Q_CHAIN: put_kids(w, node, " , ", AS_STEP); break;
    case Q_FOR:
        put_kids(w, node, "", AS_ANY);
        put_text(w, " for ");
        put_number(w, node->number);
        break;
    case Q_GROUP: put_brackets(w, node); break;
    case Q_OR: put_kids(w, node, " or ", AS_ALL); break;
    case Q_AND: put_kids(w, node, " ", AS_FACT); break;
    case Q_NOT:
    case Q_EITHER:
    case Q_MIRROR:
    case Q_SHIFT:
    case Q_EVER:
    case Q_NEVER:
    case Q_ALWAYS:
        put_fact(w, node);
        put_kids(w, node, "", AS_FACT);
        break;
    case Q_PATTERN: put_pattern(w, node); break;
    default: put_fact(w, node);
    }
}

static void put_node(writer *w, uint32_t id, tightness place)
{
    const query_node *node = tree_node(&w->query->tree, id);
    const bool has_brackets = tightness_of(node->type) < place;
    if (has_brackets)
        put(w, '(');
    put_inside(w, node);
    if (has_brackets)
        put(w, ')');
}

static size_t end(writer *w)
{
    if (w->cap > 0)
        w->buf[w->n < w->cap ? w->n : 0] = '\0';
    return w->n;
}

size_t tby_query_write(char *buf, size_t cap, const tby_query *query)
{
    writer w = {query, buf, cap, 0, false};
    put_node(&w, query->tree.root, AS_QUERY);
    return end(&w);
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
    if (w->n > 0)
        put(w, ' ');
    put_node(w, id, AS_FACT);
}

size_t query_write_part(char *buf, size_t cap, const tby_query *query, bool wants_moves)
{
    writer w = {query, buf, cap, 0, true};
    put_part(&w, query->tree.root, wants_moves);
    return end(&w);
}
