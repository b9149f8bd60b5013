/*
 * patterns.c - named patterns: the built-in ones and a user's own.
 *
 *     own patterns = lines        line = NAME blank QUERY [ tab SENTENCE ] | "#" anything | nothing
 *
 * Keeps    a pattern uses only patterns before it in the table, so none can refer to itself.
 */
#include "query/read.h"

/* Structures are White's; `either` also finds Black's. Those about both sides say so. test_query_patterns.c has
   positions for and against each. */
static const tby_query_pattern table[] = {
    /* Pawn structures. */
    {"iqp", "Pd4 P{c}=0 P{e}=0 p{d}=0", "White has an isolated queen's pawn on d4",
     "isolated queen pawn,isolated queen's pawn,isolated queens pawn,isolated d pawn,isolani"},
    {"hanging-pawns", "Pc4 Pd4 P{b}=0 P{e}=0 p{c-d}=0",
     "White's pawns on c4 and d4 have no neighbours and no opponents on their files", NULL},
    {"carlsbad", "Pd4 Pe3 P{c}=0 pd5 p{c6-7} p{e}=0",
     "The exchange structure of the Queen's Gambit: White may storm with b4-b5",
     "carlsbad structure,exchange structure"},
    {"maroczy", "Pc4 Pe4 P{d}=0 p{c}=0 p{d6-7}", "White binds d5 with pawns on c4 and e4", "maroczy bind"},
    {"stonewall", "Pd4 Pe3 Pf4", "White's pawns stand on d4, e3 and f4", "stonewall structure"},
    {"hedgehog", "pa6 pb6 pd6 pe6 p{c}=0 Pc4 Pe4 P{d}=0", "Black's pawns on a6, b6, d6 and e6 face pawns on c4 and e4",
     "hedgehog structure"},
    {"benoni", "Pd5 P{c}=0 pc5 pd6 p{e}=0", "White's d5 against Black's c5 and d6, with no black e-pawn",
     "benoni structure"},
    {"dragon", "pd6 pe7 pf7 pg6 ph7 p{c}=0 bg7 Pe4 P{d}=0",
     "The Sicilian Dragon: Black's bishop on g7 behind d6, e7, f7, g6 and h7", "dragon structure"},
    {"passed-pawn",
     "shift (Pd7 or Pd6 p{c-e7}=0 or Pd5 p{c-e6-7}=0 or Pd4 p{c-e5-7}=0 or Pd3 p{c-e4-7}=0 or Pd2 p{c-e3-7}=0)",
     "White has a passed pawn: no black pawn can stop or take it on its way", "passed pawns,passer"},
    {"isolated-pawn", "shift (P{d} P{c}=0 P{e}=0)", "White has a pawn without neighbours on the files beside it",
     "isolated pawns"},
    {"doubled-pawns", "shift (P{d}>=2)", "White has two pawns or more on one file", "doubled pawn"},

    /* Pieces. */
    {"bishop-pair", "B{light} B{dark} not (b{light} b{dark})", "White has both bishops, Black does not",
     "two bishops,pair of bishops"},
    {"rook-on-seventh", "R{7}", "A white rook stands on the seventh rank",
     "rook on the seventh,rook on the seventh rank,rook on 7th,rook on the 7th"},

    /* Endings, of either side. */
    {"pawn-ending", "[QRBNqrbn]=0 [Pp]>=1", "Kings and pawns alone",
     "pawn endgame,pawn endings,pawn endgames,king and pawn ending,king and pawn endgame"},
    {"rook-ending", "KRP*vKRP*", "A rook each, and pawns", "rook endgame,rook endings,rook endgames"},
    {"queen-ending", "KQP*vKQP*", "A queen each, and pawns", "queen endgame,queen endings,queen endgames"},
    {"minor-ending", "[QRqr]=0 [BNbn]>=1", "Only kings, pawns, bishops and knights, at least one of the latter two",
     "minor endings,minor piece ending,minor piece endings,minor piece endgame,minor piece endgames"},

    /* Moves and ends, of either side. */
    {"greek-gift", "either (Bxh7+ , kxh7 ; N-g5+)", "A bishop is sacrificed on h7, and a knight comes to g5 with check",
     "greek gifts,greek gift sacrifice,classical bishop sacrifice,bishop sacrifice on h7"},
    {"exchange-sacrifice", "either (Rx[bn] , [pqkrbn]xR ; points<=-1 for 6)",
     "A rook is given up for a bishop or knight, and its owner stays behind in material for three moves",
     "exchange sac,exchange sacrifices"},
    {"opposite-castling", "either (ever O-O-O ever o-o)", "One side castles long, the other short",
     "opposite side castling,opposite sides castling,castling on opposite sides"},
    {"underpromotion", "either (P-{8}=[RBN])", "A pawn becomes a rook, bishop or knight",
     "under promotion,minor promotion,underpromotions"},
    {"smothered-mate", "either (mate btm N attacks k not k attacks [_M])",
     "A knight mates a king that its own pieces hem in", "smothered mates,smothered checkmate"},
    {"back-rank-mate", "either (mate btm k{8} [RQ]{8} attacks k k attacks p{7} not k attacks _{7})",
     "A rook or queen mates on the last rank, where the king's own pawns shut it in",
     "back rank mates,back rank checkmate,back rank"},
};
enum { N_TABLE = sizeof table / sizeof *table };

const tby_query_pattern *tby_query_pattern_at(size_t index) { return index < N_TABLE ? &table[index] : NULL; }

/* ---- Finding -------------------------------------------------------------------------------------------- */

int32_t query_pattern_find(const query_reader *r, const char *s, size_t n)
{
    const query_pattern *patterns = r->patterns->items;
    for (uint32_t i = 0; i < r->n_patterns; i++)
        if (patterns[i].name.n == n && memcmp(patterns[i].name.s, s, n) == 0)
            return (int32_t)i;
    return -1;
}

static bool add_pattern(query_reader *r, tby_text name, uint32_t root)
{
    query_pattern *to = array_list_room(&r->query->allocator, r->patterns, 1, sizeof *to);
    if (!to)
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    *to = (query_pattern){name, root, -1};
    r->patterns->n++;
    r->n_patterns++;
    return true;
}

static bool add_built_in(query_reader *r)
{
    query_pattern *to = array_list_room(&r->query->allocator, r->patterns, N_TABLE, sizeof *to);
    if (!to)
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    for (int32_t i = 0; i < N_TABLE; i++)
        to[i] = (query_pattern){{table[i].name, strlen(table[i].name)}, QUERY_NO_NODE, i};
    r->patterns->n += N_TABLE;
    r->n_patterns += N_TABLE;
    return true;
}

/* ---- Meanings ------------------------------------------------------------------------------------------- */

/* Reads a text from elsewhere, using only the first `n_patterns` patterns. */
static uint32_t read_meaning(query_reader *r, query_reader *inner, uint32_t n_patterns)
{
    inner->n_patterns = n_patterns;
    inner->at = 0;
    const uint32_t id = query_read_text(inner);
    r->waiting = inner->waiting;
    return id;
}

/* The meaning was valid where it was defined, so an error in it is caused by this use, and is reported here. */
uint32_t query_pattern_read(query_reader *r, int32_t index, size_t at)
{
    query_pattern *pattern = (query_pattern *)r->patterns->items + index;
    if (pattern->built_in < 0 || pattern->root != QUERY_NO_NODE)
        return pattern->root;
    query_reader inner = *r;
    inner.s = table[pattern->built_in].query;
    inner.n = strlen(inner.s);
    inner.part = TBY_QUERY_IN_PATTERNS;
    const uint32_t root = read_meaning(r, &inner, (uint32_t)index);
    if (root == QUERY_NO_NODE) {
        r->err->part = r->part;
        r->err->offset = r->base + at;
        r->err->length = ((const query_pattern *)r->patterns->items)[index].name.n;
        return root;
    }
    ((query_pattern *)r->patterns->items)[index].root = root;
    return root;
}

/* A name is at least three lower-case letters and hyphens, not yet in use, and not the beginning of a move. */
static bool check_name(query_reader *r, size_t n)
{
    const char *s = r->s + r->at;
    if (n < 3 || s[n - 1] == '-' || reader_peek(r, 1) == '-' || reader_peek(r, 1) == 'x')
        return query_expect(r, "a name of at least three lower-case letters");
    if (fact_find(s, n) || query_pattern_find(r, s, n) >= 0)
        return query_fail(r, r->at, n, "this name is taken");
    return is_blank(reader_peek(r, n)) || query_expect(r, "a name of lower-case letters and hyphens, and a blank,");
}

/* Reads one line: the name, and the meaning up to a tab. */
static bool read_line(query_reader *r)
{
    reader_skip_blanks(r);
    if (reader_is_at_end(r) || reader_peek(r, 0) == '#')
        return true;
    const size_t name = r->at, n = reader_run(r);
    if (!check_name(r, n))
        return false;
    r->at += n;
    reader_skip_blanks(r);
    const size_t start = r->at;
    size_t end = start;
    while (end < r->n && r->s[end] != '\t')
        end++;
    query_reader inner = *r;
    inner.s = r->s + start;
    inner.n = end - start;
    inner.base = r->base + start;
    const uint32_t root = read_meaning(r, &inner, r->n_patterns);
    return root != QUERY_NO_NODE && add_pattern(r, (tby_text){r->s + name, n}, root);
}

static bool read_own(query_reader *r, const char *s, size_t n)
{
    query_reader own = *r;
    bool is_good = true;
    own.part = TBY_QUERY_IN_PATTERNS;
    for (size_t at = 0; at < n && is_good;) {
        const char *newline = memchr(s + at, '\n', n - at);
        const size_t end = newline ? (size_t)(newline - s) : n;
        own.s = s + at;
        own.n = end - at;
        own.at = 0;
        own.base = at;
        is_good = read_line(&own);
        at = end + 1;
    }
    r->n_patterns = own.n_patterns;
    r->waiting = own.waiting;
    return is_good;
}

bool query_patterns_begin(query_reader *r)
{
    return add_built_in(r) &&
           (r->options->n_patterns == 0 || read_own(r, r->options->patterns, r->options->n_patterns));
}
