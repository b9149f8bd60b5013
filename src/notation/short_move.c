/*
 * short_move.c - read and write the moves of the tree of chess: the shortest text that matches only one legal move.
 *
 *      1        empty: only one move is legal
 *      2  8     rank of the target                   7  hg8   file of the origin, target
 *      3  g     file of the target                   8  7g8   rank of the origin, target
 *      4  P     piece                                9  g8B   target, promotion
 *      5  g8    target                              10  hg8B  file of the origin, target, promotion
 *      6  Pg8   piece, target                       11  h7g8  origin, target
 *
 * Pieces are P N B R Q K, promotions Q R B N. The target of castling is the king's destination, in Chess960 the rook's
 * square where the king could also step to its destination (notation/short_move.h).
 *
 * Reads    any of the forms that matches one legal move. If several match a bare square (5), the pawn move is taken if
 *          there is exactly one.
 * Writes   the first form, in the order of the numbers, that matches no other legal move.
 * Refuses  TBY_INVALID_SHORT_MOVE a text of none of the forms, TBY_ILLEGAL_MOVE one that matches no legal move,
 *          TBY_AMBIGUOUS_MOVE one that matches several.
 * Keeps    no two forms look alike (files, ranks and pieces use different characters), so only moves of the same form
 *          can share a text, and each form is counted by itself.
 */
#include "notation/short_move.h"

#include "base/text.h"
#include "notation/refuse.h"

static unsigned moving_kind(const tby_position *pos, tby_move m)
{
    return board_piece(&pos->board, TBY_MOVE_FROM(m)) & 7;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* Which of 64 things were seen at least once, and which at least twice. */
typedef struct tally {
    uint64_t once, again;
} tally;

static inline void tally_add(tally *t, unsigned thing)
{
    t->again |= t->once & bb_square(thing);
    t->once |= bb_square(thing);
}

static inline bool is_alone(const tally *t, unsigned thing) { return !(t->again & bb_square(thing)); }

/* Counts every form over all legal moves, except the last two, which match only one move. */
typedef struct census {
    const tby_position *pos;
    size_t n_moves;
    tally rank, file, kind, to;
    tally kind_to[8], file_to[8], rank_to[8], promotion_to[8]; /* indexed by what is given besides the target */
} census;

static void census_take(census *c, const tby_position *pos, const tby_move *moves, size_t n_moves)
{
    *c = (census){.pos = pos, .n_moves = n_moves};
    for (size_t i = 0; i < n_moves; i++) {
        const unsigned from = TBY_MOVE_FROM(moves[i]), to = move_target(moves[i]), kind = moving_kind(pos, moves[i]);
        tally_add(&c->rank, to >> 3);
        tally_add(&c->file, to & 7);
        tally_add(&c->kind, kind);
        tally_add(&c->to, to);
        tally_add(&c->kind_to[kind], to);
        tally_add(&c->file_to[from & 7], to);
        tally_add(&c->rank_to[from >> 3], to);
        if (TBY_MOVE_IS_PROMOTION(moves[i]))
            tally_add(&c->promotion_to[TBY_MOVE_KIND(moves[i])], to);
    }
}

/* Forms 9 to 11. */
static void write_long(text_writer *text, const census *c, tby_move m, tby_square from, tby_square to)
{
    if (!TBY_MOVE_IS_PROMOTION(m)) {
        text_square(text, from);
        text_square(text, to);
        return;
    }
    if (!is_alone(&c->promotion_to[TBY_MOVE_KIND(m)], to))
        text_char(text, (char)('a' + TBY_FILE(from)));
    text_square(text, to);
    text_char(text, text_pieces[TBY_MOVE_KIND(m)]);
}

/* Forms 5 to 11. */
static void write_target(text_writer *text, const census *c, tby_move m, tby_square from, tby_square to)
{
    const unsigned kind = moving_kind(c->pos, m);
    char first = '\0';
    if (is_alone(&c->kind_to[kind], to))
        first = text_pieces[kind];
    else if (is_alone(&c->file_to[from & 7], to))
        first = (char)('a' + TBY_FILE(from));
    else if (is_alone(&c->rank_to[from >> 3], to))
        first = (char)('1' + TBY_RANK(from));
    else {
        write_long(text, c, m, from, to);
        return;
    }
    if (!is_alone(&c->to, to))
        text_char(text, first);
    text_square(text, to);
}

static size_t write_move(char *buf, size_t cap, const census *c, tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = move_target(m);
    const unsigned kind = moving_kind(c->pos, m);
    text_writer text = text_begin(buf, cap);
    if (c->n_moves > 1) {
        if (is_alone(&c->rank, to >> 3))
            text_char(&text, (char)('1' + TBY_RANK(to)));
        else if (is_alone(&c->file, to & 7))
            text_char(&text, (char)('a' + TBY_FILE(to)));
        else if (is_alone(&c->kind, kind))
            text_char(&text, text_pieces[kind]);
        else
            write_target(&text, c, m, from, to);
    }
    return text_end(&text);
}

size_t tby_short_move_write(char *buf, size_t cap, const tby_position *pos, tby_move m)
{
    tby_move moves[TBY_MOVES_MAX];
    census c;
    census_take(&c, pos, moves, tby_moves_list(moves, pos));
    return write_move(buf, cap, &c, m);
}

void short_moves_write_all(char (*out)[TBY_SHORT_MOVE_SIZE], const tby_position *pos, const tby_move *moves,
                           size_t n_moves)
{
    census c;
    census_take(&c, pos, moves, n_moves);
    for (size_t i = 0; i < n_moves; i++)
        write_move(out[i], TBY_SHORT_MOVE_SIZE, &c, moves[i]);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* What a text says about a move; ANY for what it does not say. */
enum { ANY = 8 };
typedef struct pattern {
    uint8_t piece, from_file, from_rank, to_file, to_rank, promotion;
    bool is_bare_square;
} pattern;

/* The forms as classes of characters: f file, r rank, p piece of the origin; F, R, P of the target. */
enum { N_FORMS = 11, FORM_MAX = 4 };
static const char FORMS[N_FORMS][FORM_MAX + 1] = {"", "R", "F", "p", "FR", "pFR", "fFR", "rFR", "FRP", "fFRP", "frFR"};

static unsigned kind_of(char c)
{
    for (unsigned kind = TBY_PAWN; kind <= TBY_QUEEN; kind++)
        if (text_pieces[kind] == c)
            return kind;
    return ANY;
}

static unsigned number_of(char c, char first) { return c >= first && c < first + 8 ? (unsigned)(c - first) : ANY; }

/* Records `c` as the `class` part of a form; false if it is not of that class. */
static bool note_letter(pattern *p, char class, char c)
{
    unsigned value = ANY;
    uint8_t *place = NULL;
    switch (class) {
    case 'f': value = number_of(c, 'a'), place = &p->from_file; break;
    case 'F': value = number_of(c, 'a'), place = &p->to_file; break;
    case 'r': value = number_of(c, '1'), place = &p->from_rank; break;
    case 'R': value = number_of(c, '1'), place = &p->to_rank; break;
    case 'p': value = kind_of(c), place = &p->piece; break;
    case 'P':
        value = c == 'P' || c == 'K' ? ANY : kind_of(c);
        place = &p->promotion;
        break;
    default: return false; /* the form has ended */
    }
    *place = (uint8_t)value;
    return value != ANY;
}

/* How many characters of the text match the form. */
static size_t match_form(pattern *p, const char *form, const char *s, size_t n)
{
    *p = (pattern){ANY, ANY, ANY, ANY, ANY, ANY, false};
    size_t i = 0;
    while (i < n && i < FORM_MAX && note_letter(p, form[i], s[i]))
        i++;
    return i;
}

static tby_status read_pattern(pattern *p, const char *s, size_t n, tby_error *err)
{
    size_t furthest = 0;
    for (size_t f = 0; f < N_FORMS; f++) {
        const size_t length = match_form(p, FORMS[f], s, n);
        if (length == n && FORMS[f][n] == '\0') {
            p->is_bare_square = n == 2;
            return TBY_OK;
        }
        furthest = length > furthest ? length : furthest;
    }
    return refuse(err, TBY_INVALID_SHORT_MOVE, furthest, "a short move cannot continue like this");
}

static bool agrees(unsigned given, unsigned is) { return given == ANY || given == is; }

static bool fits(const pattern *p, const tby_position *pos, tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = move_target(m);
    return agrees(p->to_rank, to >> 3) && agrees(p->to_file, to & 7) && agrees(p->from_rank, from >> 3) &&
           agrees(p->from_file, from & 7) && agrees(p->piece, moving_kind(pos, m)) &&
           agrees(p->promotion, TBY_MOVE_IS_PROMOTION(m) ? TBY_MOVE_KIND(m) : 0u);
}

tby_status tby_short_move_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err)
{
    tby_move moves[TBY_MOVES_MAX], found = TBY_MOVE_NONE, found_pawn = TBY_MOVE_NONE;
    pattern p;
    tby_status status = read_pattern(&p, s, n, err);
    if (status != TBY_OK)
        return status;
    size_t n_found = 0, n_pawns = 0;
    const size_t n_moves = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n_moves; i++) {
        if (!fits(&p, pos, moves[i]))
            continue;
        found = moves[i];
        n_found++;
        if (moving_kind(pos, moves[i]) == TBY_PAWN) {
            found_pawn = moves[i];
            n_pawns++;
        }
    }
    if (n_found == 0)
        return refuse(err, TBY_ILLEGAL_MOVE, 0, "no legal move fits");
    if (n_found > 1 && !(p.is_bare_square && n_pawns == 1))
        return refuse_with(err, TBY_AMBIGUOUS_MOVE, 0, "%d legal moves fit", (int)n_found, 0);
    *out = n_found == 1 ? found : found_pawn;
    return TBY_OK;
}
