/*
 * san.c - read and write moves in standard algebraic notation, and write long algebraic.
 *
 *     move      = ( piece origin? capture? square | pawn | castling ) promotion? mark*
 *     piece     = K Q R B N      origin = file | rank | file rank      capture = x
 *     pawn      = square | file x square | file square
 *     castling  = O-O | O-O-O    promotion = =Q =R =B =N               mark = + #
 *
 * Reads    also figurines and P; 0-0, o-o, OO and other dashes; : or a dash for x, x without a capture, a capture
 *          without x; more of the origin than needed, e2e4 and e1g1; e8Q e8(Q) e8/Q e8=q e8q; e.p. and ep, also after
 *          one blank; ++ † ‡ mate ch; ! and ? marks. Each sets a warning bit. Check marks may be wrong.
 * Writes   the PGN export form: as much of the origin as other legal moves of that piece make necessary, file first.
 * Refuses  TBY_INVALID_SAN text that is not a move, TBY_ILLEGAL_MOVE, TBY_AMBIGUOUS_MOVE, TBY_PROMOTION_MISSING.
 *          TBY_SAN_STRICT refuses everything but the export form; check marks are not compared.
 */
#include "notation/san.h"

#include "base/text.h"
#include "base/variant.h"
#include "notation/refuse.h"

/* ---- Parsing the text ----------------------------------------------------------------------------------- */

typedef struct san_parser {
    const char *at, *end;
    unsigned warnings;
    bool takes;       /* a capture sign was read */
    bool takes_right; /* ... and it was x */
    char check;       /* + or #; ? for any other or several; 0 for none */
} san_parser;

static bool accept(san_parser *p, const char *text)
{
    const char *at = p->at;
    for (; *text; text++, at++)
        if (at == p->end || *at != *text)
            return false;
    p->at = at;
    return true;
}

/* Accepts one of several texts; longer ones come first. */
static bool accept_any(san_parser *p, const char *const *texts)
{
    for (; *texts; texts++)
        if (accept(p, *texts))
            return true;
    return false;
}

/* A figurine U+2654 to U+265F: white K Q R B N P, then black. */
static tby_kind parse_figurine(san_parser *p)
{
    static const uint8_t figurines[6] = {TBY_KING, TBY_QUEEN, TBY_ROOK, TBY_BISHOP, TBY_KNIGHT, TBY_PAWN};
    if (p->end - p->at < 3 || !accept(p, "\xe2\x99"))
        return TBY_NO_KIND;
    const unsigned figure = (unsigned char)*p->at - 0x94U;
    if (figure > 11) {
        p->at -= 2;
        return TBY_NO_KIND;
    }
    p->at++;
    p->warnings |= TBY_SAN_WARN_FIGURINE;
    return figurines[figure % 6];
}

static tby_kind parse_piece(san_parser *p)
{
    tby_kind kind = parse_figurine(p);
    if (kind)
        return kind;
    if (accept(p, "P")) {
        p->warnings |= TBY_SAN_WARN_FIGURINE;
        return TBY_PAWN;
    }
    kind = p->at < p->end ? san_piece_kind(*p->at) : TBY_NO_KIND;
    p->at += kind != TBY_NO_KIND;
    return kind;
}

static bool accept_castle_letter(san_parser *p)
{
    if (accept(p, "O"))
        return true;
    if (!accept(p, "0") && !accept(p, "o"))
        return false;
    p->warnings |= TBY_SAN_WARN_CASTLING;
    return true;
}

/* Any dash but the hyphen: en dash, em dash, non-breaking hyphen, minus. */
static bool accept_long_dash(san_parser *p)
{
    static const char *const dashes[] = {"\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x80\x91", "\xe2\x88\x92", NULL};
    return accept_any(p, dashes);
}

static void accept_dash(san_parser *p)
{
    if (accept(p, "-"))
        return;
    accept_long_dash(p);
    p->warnings |= TBY_SAN_WARN_CASTLING;
}

static bool parse_castling(san_parser *p, san_move *san)
{
    const san_parser start = *p;
    int letters = 0;
    while (letters < 3 && accept_castle_letter(p)) {
        letters++;
        const san_parser before_dash = *p;
        accept_dash(p);
        if (letters == 3 || p->at == p->end || (*p->at != 'O' && *p->at != '0' && *p->at != 'o')) {
            *p = before_dash;
            break;
        }
    }
    if (letters < 2) {
        *p = start;
        return false;
    }
    san->kind = letters == 3 ? SAN_CASTLE_QUEEN_SIDE : SAN_CASTLE_KING_SIDE;
    return true;
}

static bool parse_capture(san_parser *p)
{
    if (accept(p, "x"))
        p->takes = p->takes_right = true;
    else if (accept(p, ":"))
        p->takes = true;
    else if (accept(p, "-") || accept_long_dash(p))
        p->warnings |= TBY_SAN_WARN_CAPTURE;
    else
        return false;
    return true;
}

static unsigned next_class(const san_parser *p, ptrdiff_t ahead)
{
    return p->end - p->at > ahead ? san_class(p->at[ahead]) : 0;
}

/* [file][rank], each -1 if it is missing. */
static void parse_place(san_parser *p, int *file, int *rank)
{
    *file = next_class(p, 0) == SAN_FILE ? *p->at++ - 'a' : -1;
    *rank = next_class(p, 0) == SAN_RANK ? *p->at++ - '1' : -1;
}

/* Origin and target: [file][rank][sign] file rank; only the last two are required. A letter after a whole
   square need not be a file: e8b, Nf3ch. */
static const char *parse_squares(san_parser *p, san_move *san)
{
    int file, rank, from_file = -1, from_rank = -1;
    const bool sign_first = (san->kind || (p->at < p->end && *p->at == 'x')) && parse_capture(p);
    parse_place(p, &file, &rank);
    const bool is_whole = file >= 0 && rank >= 0;
    const bool another_follows = next_class(p, 0) == SAN_FILE && (!is_whole || next_class(p, 1) == SAN_RANK);
    if (!sign_first && (another_follows || ((file >= 0 || rank >= 0) && parse_capture(p)))) {
        from_file = file;
        from_rank = rank;
        parse_place(p, &file, &rank);
    }
    if (file < 0 || rank < 0)
        return "a square was expected";
    san->to = TBY_SQUARE(file, rank);
    san->origins = (from_file >= 0 ? bb_file((unsigned)from_file) : ~0ULL) &
                   (from_rank >= 0 ? bb_rank((unsigned)from_rank) : ~0ULL);
    if (san->kind == TBY_NO_KIND)
        san->kind = from_file >= 0 && from_rank >= 0 ? SAN_COORDINATES : TBY_PAWN;
    return NULL;
}

static bool may_be_pawn(const san_move *san) { return san->kind == TBY_PAWN || san->kind == SAN_COORDINATES; }

/* A letter in upper or lower case, or a figurine. */
static tby_kind parse_promoted(san_parser *p)
{
    const char *start = p->at;
    tby_kind kind = parse_figurine(p);
    if (!kind && p->at < p->end) {
        const char c = *p->at++;
        kind = san_piece_kind(c >= 'a' ? (char)(c - 32) : c);
        if (c >= 'a')
            p->warnings |= TBY_SAN_WARN_PROMOTION;
    }
    if (kind != TBY_NO_KIND && kind != TBY_KING && kind != TBY_PAWN)
        return kind;
    p->at = start;
    return TBY_NO_KIND;
}

/* =Q, Q, (Q), /Q, also in lower case. The promotion may be missing, but a sign needs its piece. */
static const char *parse_promotion(san_parser *p, san_move *san)
{
    const san_parser start = *p;
    const bool bracket = accept(p, "("), sign = bracket || accept(p, "=") || accept(p, "/");
    san->promotion = (uint8_t)parse_promoted(p);
    if (!san->promotion && sign)
        return "a promotion is to Q, R, B or N";
    if (!san->promotion || !may_be_pawn(san)) {
        *p = start;
        return san->promotion ? "only pawns promote" : NULL;
    }
    if (bracket && !accept(p, ")"))
        return "the bracket is not closed";
    if (*start.at != '=')
        p->warnings |= TBY_SAN_WARN_PROMOTION;
    return NULL;
}

static bool accept_check(san_parser *p)
{
    static const char *const others[] = {"\xe2\x80\xa0" /* dagger */, "\xe2\x80\xa1", "mate", "ch", NULL};
    const char mark = accept(p, "+") ? '+' : accept(p, "#") ? '#' : accept_any(p, others) ? '?' : '\0';
    if (mark)
        p->check = p->check ? '?' : mark;
    return mark != '\0';
}

/* Everything after the move itself, in any order; e.p. only if a pawn changes its file. */
static void parse_marks(san_parser *p, const san_move *san)
{
    static const char *const passing[] = {" e.p.", "e.p.", " ep", "ep", NULL};
    const bool may_pass = may_be_pawn(san) && !(san->origins & bb_file(san->to & 7));
    for (;;) {
        if (accept_check(p))
            continue;
        if (may_pass && accept_any(p, passing))
            p->warnings |= TBY_SAN_WARN_EN_PASSANT;
        else if (accept(p, "!") || accept(p, "?"))
            p->warnings |= TBY_SAN_WARN_MARKS;
        else
            return;
    }
}

/* NULL, or what was expected at p->at. */
static const char *parse_lenient(san_parser *p, san_move *san)
{
    const char *problem = NULL;
    san->promotion = 0;
    if (!parse_castling(p, san)) {
        san->kind = (uint8_t)parse_piece(p);
        problem = parse_squares(p, san);
        if (!problem)
            problem = parse_promotion(p, san);
    }
    if (!problem)
        parse_marks(p, san);
    if (!problem && p->at < p->end)
        problem = "the move has ended here";
    return problem;
}

/* ---- From text to move ---------------------------------------------------------------------------------- */

/* e2e4, e7e8q, e1g1, e1h1: the piece is the one on the first square. */
static san_answer resolve_coordinates(const tby_position *pos, san_move san, bool auto_queen)
{
    const tby_color us = position_side(pos);
    const unsigned from = bb_first(san.origins), king = board_king(&pos->board, us);
    const tby_piece piece = board_piece(&pos->board, from);
    if (piece == TBY_NO_PIECE || TBY_PIECE_COLOR(piece) != us)
        return san_refused(TBY_ILLEGAL_MOVE, "the side to move has no piece there");
    san.kind = (uint8_t)TBY_PIECE_KIND(piece);
    if (san.promotion && san.kind != TBY_PAWN)
        return san_refused(TBY_ILLEGAL_MOVE, "only pawns promote");
    if (san.kind == TBY_KING) {
        if (pos->castling & bb_square(san.to) & board_color(&pos->board, us))
            return san_resolve_castling(pos, san.to > king, us);
        const bool king_side = san.to > king;
        const tby_bitboard rook = castling_rook(pos, king, us, king_side);
        if (rook && !(king_attacks(king) & bb_square(san.to)) && san.to == castling_king_to(king, bb_first(rook)))
            return san_resolve_castling(pos, king_side, us);
    }
    return san_resolve(pos, &san, us, auto_queen);
}

static san_answer resolve(const tby_position *pos, const san_move *san, unsigned flags)
{
    const bool auto_queen = (flags & TBY_SAN_AUTO_QUEEN) != 0;
    if (san->kind == SAN_COORDINATES)
        return resolve_coordinates(pos, *san, auto_queen);
    return san_resolve(pos, san, position_side(pos), auto_queen);
}

static char check_mark(const char *s, size_t n)
{
    return n > 0 && (s[n - 1] == '+' || s[n - 1] == '#') ? s[n - 1] : '\0';
}

static size_t length_without_check_mark(const char *s, size_t n) { return check_mark(s, n) ? n - 1 : n; }

static bool same_bytes(const char *a, const char *b, size_t n)
{
    while (n > 0 && a[n - 1] == b[n - 1])
        n--;
    return n == 0;
}

/* Is the text the export form, not counting check marks? */
static bool is_export_form(const char *s, size_t n, const char *written, size_t n_written)
{
    const size_t length = length_without_check_mark(s, n);
    return length == length_without_check_mark(written, n_written) && same_bytes(s, written, length);
}

static bool has_byte(const char *s, size_t n, char c)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return true;
    return false;
}

/* How many characters of the origin the export form has, not counting its check mark and promotion. */
static unsigned origin_length(const char *written, size_t n_written, tby_move m, bool captures)
{
    const size_t length = length_without_check_mark(written, n_written) - (TBY_MOVE_IS_PROMOTION(m) ? 2 : 0);
    return san_piece_kind(*written) ? (unsigned)length - 3 - captures : captures;
}

/* The ways in which the text differs from the export form, other than those that the parser reported. */
static unsigned compare_forms(const char *s, size_t n, const tby_position *pos, tby_move m, const san_move *san,
                              const san_parser *p)
{
    char written[TBY_SAN_SIZE] = "";
    const size_t n_written = tby_san_write(written, sizeof written, pos, m);
    if (n == n_written && same_bytes(s, written, n))
        return 0;
    unsigned warnings = p->warnings;
    if (p->check != check_mark(written, n_written))
        warnings |= TBY_SAN_WARN_SUFFIX;
    const bool captures = has_byte(written, n_written, 'x');
    if (p->takes && (!captures || !p->takes_right))
        warnings |= TBY_SAN_WARN_CAPTURE;
    if (TBY_MOVE_IS_PROMOTION(m) && !san->promotion)
        warnings |= TBY_SAN_WARN_PROMOTION;
    if (san->kind == SAN_COORDINATES)
        return warnings | TBY_SAN_WARN_COORDINATE;
    if (TBY_MOVE_IS_CASTLING(m))
        return warnings;
    if (captures && !p->takes)
        warnings |= TBY_SAN_WARN_CAPTURE;
    const unsigned given = (san->origins != ~0ULL ? 1U : 0U) + (bb_count(san->origins) == 1 ? 1U : 0U);
    const unsigned needed = origin_length(written, n_written, m, captures);
    const bool gives_rank = san->origins == bb_rank(TBY_MOVE_FROM(m) >> 3),
               wants_rank = san_class(written[1]) == SAN_RANK;
    if (given > needed || (san_piece_kind(*written) && needed == 1 && gives_rank != wants_rank))
        warnings |= TBY_SAN_WARN_ORIGIN;
    return warnings;
}

/* Is the text plain? san_scan needs a NUL after it, so it gets a copy. */
static bool scan(const char *s, size_t n, san_move *san, bool *takes)
{
    char text[SAN_SCAN_BYTES + 1] = {0};
    if (n >= sizeof text)
        return false;
    __builtin_memcpy(text, s, n);
    return san_scan(text, san, takes) == text + n;
}

TBY_KERNEL(tby_status, tby_san_read,
           (tby_move * out, const tby_position *pos, const char *s, size_t n, unsigned flags, unsigned *warnings,
            tby_error *err),
           (out, pos, s, n, flags, warnings, err))
{
    san_move san = {0, 0, TBY_NO_SQUARE, ~0ULL};
    san_parser p = {s, s + n, 0, false, false, '\0'};
    if (scan(s, n, &san, &p.takes)) {
        p.takes_right = p.takes;
        p.check = check_mark(s, n);
    } else {
        p.takes = false;
        const char *problem = parse_lenient(&p, &san);
        if (problem)
            return refuse(err, TBY_INVALID_SAN, (size_t)(p.at - s), problem);
        if (san.kind == TBY_PAWN && p.takes && (san.origins == ~0ULL || (san.origins & bb_file(san.to & 7))))
            return refuse(err, TBY_ILLEGAL_MOVE, 0, "a pawn that captures names the file it comes from");
    }
    const san_answer answer = resolve(pos, &san, flags);
    if (answer.status != TBY_OK)
        return refuse(err, answer.status, 0, answer.detail);
    if (flags & TBY_SAN_STRICT) {
        char written[TBY_SAN_SIZE];
        const size_t n_written = tby_san_write(written, sizeof written, pos, answer.move);
        if (!is_export_form(s, n, written, n_written))
            return refuse(err, TBY_INVALID_SAN, 0, "not the export form");
    }
    if (warnings)
        *warnings = compare_forms(s, n, pos, answer.move, &san, &p);
    *out = answer.move;
    return TBY_OK;
}

/* ---- From move to text ---------------------------------------------------------------------------------- */

/* Writes as much of the origin as tells the move from other legal moves of the same kind to the same square. */
TBY_INLINE char *put_origin(char *at, const tby_position *pos, unsigned kind, unsigned from, unsigned to, tby_color us)
{
    tby_bitboard others = san_reaching(&pos->board, kind, to) & board_color(&pos->board, us) & ~bb_square(from);
    if (__builtin_expect(!others, 1))
        return at;
    const unsigned king = board_king(&pos->board, us);
    const king_bonds bonds = king_bonds_of(&pos->board, king, us);
    others = legal_origins(others, to, king, &bonds);
    if (!others)
        return at;
    const bool file_tells = !(others & bb_file(from & 7)), rank_tells = !(others & bb_rank(from >> 3));
    if (file_tells || !rank_tells)
        *at++ = (char)('a' + (from & 7));
    if (!file_tells)
        *at++ = (char)('1' + (from >> 3));
    return at;
}

/* Writes a move at `at`, without check marks. */
TBY_INLINE char *put_move(char *at, const tby_position *pos, tby_move m, tby_piece piece, tby_color us, bool is_long)
{
    const unsigned from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m), kind = piece & 7;
    if (__builtin_expect(TBY_MOVE_IS_CASTLING(m), 0)) {
        __builtin_memcpy(at, "O-O-O", 5);
        return at + (to > from ? 3 : 5);
    }
    const bool takes = (board_occupied(&pos->board) & bb_square(to)) || TBY_MOVE_IS_EN_PASSANT(m);
    if (kind != TBY_PAWN)
        *at++ = text_pieces[kind];
    if (is_long) {
        *at++ = (char)('a' + (from & 7));
        *at++ = (char)('1' + (from >> 3));
        *at++ = takes ? 'x' : '-';
    } else {
        if (kind == TBY_PAWN && takes)
            *at++ = (char)('a' + (from & 7));
        else if (kind != TBY_PAWN && kind != TBY_KING)
            at = put_origin(at, pos, kind, from, to, us);
        *at = 'x';
        at += takes;
    }
    *at++ = (char)('a' + (to & 7));
    *at++ = (char)('1' + (to >> 3));
    if (__builtin_expect(TBY_MOVE_IS_PROMOTION(m), 0)) {
        *at++ = '=';
        *at++ = text_pieces[TBY_MOVE_KIND(m)];
    }
    return at;
}

TBY_INLINE char *put_and_play(char *at, tby_position *pos, tby_move m, tby_color us, bool is_long)
{
    const tby_piece piece = board_piece(&pos->board, TBY_MOVE_FROM(m));
    at = put_move(at, pos, m, piece, us, is_long);
    position_play_piece(pos, m, us, piece);
    if (king_attackers(&pos->board, color_other(us)))
        *at++ = tby_moves_any(pos) ? '+' : '#';
    return at;
}

TBY_KERNEL(char *, san_put_and_play, (char *at, tby_position *pos, tby_move m), (at, pos, m))
{
    return position_side(pos) == TBY_WHITE ? put_and_play(at, pos, m, TBY_WHITE, false)
                                           : put_and_play(at, pos, m, TBY_BLACK, false);
}

TBY_KERNEL(size_t, tby_san_write, (char *buf, size_t cap, const tby_position *pos, tby_move m), (buf, cap, pos, m))
{
    char san[TBY_SAN_SIZE];
    tby_position after = *pos;
    text_writer text = text_begin(buf, cap);
    if (__builtin_expect(m == TBY_MOVE_NULL, 0)) {
        text_string(&text, "--");
        return text_end(&text);
    }
    char *const to = cap < sizeof san ? san : buf, *const end = san_put_and_play(to, &after, m);
    if (__builtin_expect(to == buf, 1)) {
        *end = '\0';
        return (size_t)(end - buf);
    }
    text_bytes(&text, san, (size_t)(end - san));
    return text_end(&text);
}

TBY_KERNEL(size_t, tby_lan_write, (char *buf, size_t cap, const tby_position *pos, tby_move m), (buf, cap, pos, m))
{
    char lan[TBY_SAN_SIZE];
    tby_position after = *pos;
    text_writer text = text_begin(buf, cap);
    text_bytes(&text, lan, (size_t)(put_and_play(lan, &after, m, position_side(pos), true) - lan));
    return text_end(&text);
}
