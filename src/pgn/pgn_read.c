/*
 * pgn_read.c - reads PGN as a stream of events, every move checked.
 *
 *     BETWEEN --any token--> TAGS --not a tag--> MOVES --result--> AFTER --anything but a comment--> BETWEEN
 *
 * A game also ends at a tag after its moves, at a line [Event " after an empty line, at `1.` and a first move of White
 * after an empty line, and at the end of the input.
 *
 * Reads    tags (several on a line, \" and \\ escaped), ; and {} comments, % lines, $n, marks and glyphs, variations,
 *          null moves (-- Z0 null @@@@ 0000), results and move numbers in all their spellings, UTF-8 or Windows-1252,
 *          any line ends, FEN and Variant tags. With a warning, where nothing else fits: see pgn_mend.c.
 * Refuses  each as an ERROR event: an illegal, ambiguous or unreadable move; a number without dots that is not the
 *          move's number; any other unknown word; a malformed tag; a FEN tag with an unplayable position; another
 *          variant; brackets and braces that do not match; more than the limits of depth, word, tag and game.
 * Keeps    constant memory: one window, and one position for each open variation.
 */
#include "base/text.h"
#include "base/utf8.h"
#include "base/variant.h"
#include "pgn/pgn_event.h"
#include "pgn/pgn_lex.h"
#include "pgn/pgn_plain.h"

#include <string.h>

/* Skips blanks of all kinds and % lines. False at the end of the input, or if the game exceeds its limit. */
TBY_INLINE bool skip_blanks(tby_pgn *pgn)
{
    pgn_window *w = &pgn->window;
    for (;;) {
        while (pgn_class_of(*w->at) == PGN_BLANK)
            w->at++;
        pgn_window_need(w, PGN_TOKEN_WINDOW);
        const pgn_class class = pgn_class_of(*w->at);
        if (__builtin_expect(class != PGN_BLANK && class != PGN_HIGH && class != PGN_STOP, 1))
            return true;
        if (w->at == w->end)
            return false;
        if (*w->at == '%' && pgn_begins_line(w->at)) {
            if (!pgn_skip_line(pgn))
                return false;
            continue;
        }
        const size_t blank = class == PGN_HIGH ? pgn_high_blank(w->at, w->end) : 0;
        if (class != PGN_BLANK && !blank)
            return true;
        if (pgn_passes_limit(pgn))
            return false;
        w->at += blank;
    }
}

/* Skips blanks except line breaks. False like skip_blanks. */
static bool skip_blanks_of_line(tby_pgn *pgn)
{
    pgn_window *w = &pgn->window;
    for (;;) {
        if (w->end - w->at < PGN_TOKEN_WINDOW && !w->is_whole) {
            if (pgn_passes_limit(pgn))
                return false;
            pgn_window_fill(w);
        }
        const pgn_class class = pgn_class_of(*w->at);
        const size_t high = class == PGN_HIGH ? pgn_high_blank(w->at, w->end) : 0;
        if (!high && (class != PGN_BLANK || *w->at == '\n' || *w->at == '\r'))
            return w->at < w->end;
        w->at += high ? high : 1;
    }
}

/* Like skip_blanks, but outside of the moves, where an empty line may matter: records whether the last line was empty.
   */
static bool skip_lines(tby_pgn *pgn)
{
    pgn_window *w = &pgn->window;
    unsigned line_ends = 0;
    if (w->at[0] == '\n' && w->at[1] == '[') { /* from tag to tag */
        pgn->saw_empty_line = false;
        w->at++;
        return true;
    }
    while (skip_blanks_of_line(pgn)) {
        if (*w->at == '%' && pgn_begins_line(w->at)) {
            line_ends = 0;
            if (!pgn_skip_line(pgn))
                return false;
        } else if (*w->at == '\n' || *w->at == '\r') {
            line_ends += line_ends < 2 && (*w->at == '\n' || w->at[1] != '\n');
            w->at++;
        } else {
            pgn->saw_empty_line = line_ends > 1;
            return true;
        }
    }
    return false;
}

/* ---- Move text ------------------------------------------------------------------------------------------ */

enum { RESULT_MAX = 16 }; /* bytes that the longest spelling of a result and a dot or two may take */

/* Reports a move that was played from pgn_line_now to the other position of the line. */
TBY_INLINE tby_pgn_type give_move(tby_pgn *pgn, tby_pgn_event *event, tby_move m, const char *s, size_t n)
{
    pgn_line_step(&pgn->line);
    event->move = m;
    return pgn_give(pgn, event, TBY_PGN_MOVE, s, n);
}

static tby_pgn_type play(tby_pgn *pgn, tby_pgn_event *event, tby_move m, const char *s, size_t n)
{
    const tby_color us = pgn->line.side;
    tby_position *after = &pgn->line.of[color_other(us)];
    *after = pgn->line.of[us];
    position_play(after, m, us);
    return give_move(pgn, event, m, s, n);
}

static tby_pgn_type play_null(tby_pgn *pgn, tby_pgn_event *event, const char *s, size_t n)
{
    tby_position after = *pgn_line_now(&pgn->line);
    if (tby_position_play_null(&after, NULL) != TBY_OK)
        return pgn_report(pgn, event, TBY_ILLEGAL_NULL_MOVE, "the side to move is in check", s, n);
    pgn->line.of[color_other(pgn->line.side)] = after;
    pgn_line_step(&pgn->line);
    event->move = TBY_MOVE_NULL;
    if (pgn->depth == 0)
        pgn_warn(pgn, TBY_PGN_WARN_NULL_MOVE, s, n);
    return pgn_give(pgn, event, TBY_PGN_NULL_MOVE, s, n);
}

/* "0-0" at the end of a forfeited game is not castling but a result: both sides lost. It counts as one if the game ends
   here, and the Result tag says the same or there are no moves. */
static bool is_double_forfeit(const tby_pgn *pgn, const char *s, size_t n)
{
    const pgn_window *w = &pgn->window;
    if (n != 3 || memcmp(s, "0-0", 3) != 0 || pgn->depth || (!pgn->is_forfeit && pgn->line.has_moves))
        return false;
    const char *before = s;
    while (before > w->buffer && pgn_is_blank(before[-1]))
        before--;
    if (before > w->buffer && before[-1] == '.') /* a move number precedes it */
        return false;
    const char *at = s + n;
    while (pgn_is_blank(*at))
        at++;
    return *at == '[' || (at == w->end && w->is_whole);
}

static tby_pgn_type give_result(tby_pgn *pgn, tby_pgn_event *event, tby_result result, const char *s, size_t n)
{
    if (pgn->depth || pgn->too_deep) {
        pgn_warn(pgn, TBY_PGN_WARN_IGNORED, s, n);
        return pgn_give(pgn, event, TBY_PGN_RAW, s, n);
    }
    pgn->saw_result = true;
    pgn->result = result;
    pgn->state = PGN_AFTER;
    if (pgn->saw_result_tag && result != pgn->tag_result)
        pgn_warn(pgn, TBY_PGN_WARN_RESULT, s, n);
    event->result = result;
    return pgn_give(pgn, event, TBY_PGN_RESULT, s, n);
}

static void warn_san(tby_pgn *pgn, unsigned san, const char *s, size_t n)
{
    tby_pgn_event event = pgn_blank_event(pgn, TBY_PGN_WARNING);
    event.warning = TBY_PGN_WARN_SAN;
    event.san = san;
    event.text = s;
    event.n_text = n;
    if (pgn->options.flags & TBY_PGN_WARNINGS)
        pgn_queue(pgn, &event);
}

/* Ignores n bytes at s. */
static tby_pgn_type ignore_stray(tby_pgn *pgn, const char *s, size_t n)
{
    pgn->window.at = s + n;
    pgn_warn(pgn, TBY_PGN_WARN_STRAY, s, n);
    return TBY_PGN_END;
}

/* Reads a word that is neither a move nor a mark. TBY_PGN_ERROR: it has no meaning, and there is no event yet. */
static tby_pgn_type mend_word(tby_pgn *pgn, tby_pgn_event *event, const char *s, size_t n)
{
    const size_t n_result = pgn_glued_result(s, n);
    tby_move m;
    if (n_result && tby_san_read(&m, pgn_line_now(&pgn->line), s, n - n_result, 0, NULL, NULL) == TBY_OK) {
        pgn_warn(pgn, TBY_PGN_WARN_GLUED, s, n);
        pgn->window.at = s + n - n_result;
        return play(pgn, event, m, s, n - n_result);
    }
    return pgn_is_stray_mark(pgn, s, n) ? ignore_stray(pgn, s, n) : TBY_PGN_ERROR;
}

/* Reads a move that has anything unusual; `needs_care` reports that as warnings. */
static tby_pgn_type read_move_slowly(tby_pgn *pgn, tby_pgn_event *event, const char *s, size_t n)
{
    tby_result result;
    if (tby_line_is_null_move(s, n))
        return play_null(pgn, event, s, n);
    if (pgn_read_forfeit(&result, s, n, false) && pgn_game_ends_at(pgn, s + n)) {
        pgn_warn(pgn, TBY_PGN_WARN_FORFEIT, s, n);
        return give_result(pgn, event, result, s, n);
    }
    const bool may_be_nag = n == 1 || (unsigned)((*s | 32) - 'a') >= 26; /* only N and D are letters */
    uint16_t nag = may_be_nag ? tby_nag_read(s, n) : 0;
    if (!nag && (*s == '+' || *s == '-' || *s == '=')) { /* marks with more characters, as in +-+ */
        nag = nag_at(s, s + n, &n);
        pgn->window.at = s + n;
    }
    if (nag) {
        event->nag = nag;
        return pgn_give(pgn, event, TBY_PGN_NAG, s, n);
    }
    tby_move m;
    tby_error err;
    unsigned san_warnings = 0;
    const bool wants_warnings = (pgn->options.flags & TBY_PGN_WARNINGS) != 0;
    const tby_status status =
        tby_san_read(&m, pgn_line_now(&pgn->line), s, n, 0, wants_warnings ? &san_warnings : NULL, &err);
    if (status == TBY_OK) {
        if (san_warnings)
            warn_san(pgn, san_warnings, s, n);
        return play(pgn, event, m, s, n);
    }
    if (pgn_is_passing_note(&pgn->line, s, n)) {
        warn_san(pgn, TBY_SAN_WARN_EN_PASSANT, s, n);
        return TBY_PGN_END;
    }
    if (is_double_forfeit(pgn, s, n))
        return give_result(pgn, event, TBY_RESULT_NONE, s, n);
    const tby_pgn_type mended = mend_word(pgn, event, s, n);
    return mended != TBY_PGN_ERROR ? mended : pgn_report(pgn, event, status, err.detail, s, n);
}

/* A word that is not UTF-8 is Windows-1252: a glyph, or a move with other dashes. */
static tby_pgn_type read_foreign_word(tby_pgn *pgn, tby_pgn_event *event, const char *s, size_t n)
{
    size_t n_text = n;
    const char *text = pgn_as_utf8(pgn, s, &n_text);
    event->nag = tby_nag_read(text, n_text);
    if (event->nag)
        return pgn_give(pgn, event, TBY_PGN_NAG, s, n);
    tby_move m;
    tby_error err;
    const tby_status status = tby_san_read(&m, pgn_line_now(&pgn->line), text, n_text, 0, NULL, &err);
    if (status != TBY_OK)
        return pgn_report(pgn, event, status, err.detail, s, n);
    return play(pgn, event, m, s, n);
}

static tby_pgn_type read_word_slowly(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    const char *s = w->at;
    const size_t n = pgn_word(s, w->end);
    w->at = s + n;
    pgn->saw_word = true;
    if (pgn->line.is_broken)
        return pgn_give(pgn, event, TBY_PGN_RAW, s, n);
    if (n > TBY_PGN_TOKEN_MAX)
        return pgn_report(pgn, event, TBY_TOO_LONG, "a token of more than 255 bytes", s, TBY_PGN_TOKEN_MAX);
    if (!utf8_is_valid(s, n))
        return read_foreign_word(pgn, event, s, n);
    return read_move_slowly(pgn, event, s, n);
}

/* Reads a usual move. TBY_PGN_END: not plain, or not legal. */
TBY_INLINE tby_pgn_type read_plain(tby_pgn *pgn, tby_pgn_event *event)
{
    tby_position *of = pgn->line.of;
    pgn_span word;
    tby_move m;
    const bool is_plain = pgn_plain_word(&word, pgn->window.at);
    if (pgn->line.side == TBY_WHITE ? !play_word(&of[TBY_BLACK], &of[TBY_WHITE], is_plain, &word, TBY_WHITE, &m)
                                    : !play_word(&of[TBY_WHITE], &of[TBY_BLACK], is_plain, &word, TBY_BLACK, &m))
        return TBY_PGN_END;
    pgn->window.at = word.end;
    return give_move(pgn, event, m, word.s, (size_t)(word.end - word.s));
}

TBY_INLINE tby_pgn_type read_word(tby_pgn *pgn, tby_pgn_event *event)
{
    if (__builtin_expect(!pgn->needs_care && !pgn->line.is_broken, 1)) {
        const tby_pgn_type given = read_plain(pgn, event);
        if (__builtin_expect(given != TBY_PGN_END, 1))
            return given;
    }
    return read_word_slowly(pgn, event);
}

/* A result in UTF-8, or with the dashes and the ½ of Windows-1252. */
static bool read_result(tby_result *result, const char *s, size_t n)
{
    char text[3 * RESULT_MAX];
    if (utf8_is_valid(s, n))
        return tby_result_read(result, s, n, NULL) == TBY_OK;
    return tby_result_read(result, text, utf8_from_windows_1252(text, s, n), NULL) == TBY_OK;
}

/* The length of a result at s, 0 if there is none; it must end where a token ends. */
static size_t result_length(const char *s, const char *end, tby_result *result)
{
    const size_t longest = end - s > RESULT_MAX ? RESULT_MAX : (size_t)(end - s);
    size_t n = 0;
    while (n < longest && !pgn_is_blank(s[n]) && !strchr("{}()[];$!?", s[n]))
        n++;
    while (n > 0 && !read_result(result, s, n))
        n = n > 1 && s[n - 1] == '.' ? n - 1 : 0;
    return n;
}

/* A move of zeros: 0-0, 00, 000 and 0000, but not a number with dots. */
static bool is_move_of_zeros(const char *s, const char *end)
{
    const char *at = s;
    while (*at == '0')
        at++;
    return at > s && *at != '.' && pgn_class_of(*at) != PGN_DIGIT && pgn_word(s, end) > 1;
}

/* Is this the number of the next move? */
static bool number_fits(const tby_pgn *pgn, const char *s, size_t n)
{
    return text_take_number(&s, s + n, UINT32_MAX) == tby_position_fullmove(pgn_line_now(&pgn->line));
}

/* Move numbers with dots are not trusted; on request a wrong one is reported. */
static void check_number(tby_pgn *pgn, const char *s, size_t n, unsigned dots)
{
    if (!(pgn->options.flags & TBY_PGN_WARNINGS) || pgn->line.is_broken)
        return;
    if (!number_fits(pgn, s, n) || (dots > 1 && pgn->line.side == TBY_WHITE))
        pgn_warn(pgn, TBY_PGN_WARN_NUMBER, s, n);
}

/* Dots of all kinds after a number. */
static const char *skip_dots(const char *at, const char *end, unsigned *dots)
{
    for (;;) {
        if (*at == '.') {
            ++*dots;
            at++;
        } else if (end - at >= 3 && memcmp(at, "\xe2\x80\xa6", 3) == 0) {
            *dots += 3;
            at += 3;
        } else if (*at == '\x85' && at < end) { /* Windows-1252 */
            *dots += 3;
            at++;
        } else
            return at;
    }
}

static tby_pgn_type end_game(tby_pgn *pgn, tby_pgn_event *event);

/* A game without tags begins at s. */
static tby_pgn_type end_game_before(tby_pgn *pgn, tby_pgn_event *event, const char *s)
{
    pgn->window.at = s;
    pgn->begins_bare = true;
    return end_game(pgn, event);
}

/* At a digit: a result, castling with zeros, a move number, or a fault. True if there is an event. */
static bool read_number_slowly(tby_pgn *pgn, tby_pgn_event *event, tby_pgn_type *given)
{
    pgn_window *w = &pgn->window;
    const char *s = w->at, *at = s;
    tby_result result;
    const size_t n = result_length(s, w->end, &result);
    if (n) {
        w->at = s + n;
        *given = give_result(pgn, event, result, s, n);
        return true;
    }
    if (is_move_of_zeros(s, w->end)) {
        *given = read_word_slowly(pgn, event);
        return true;
    }
    while (pgn_class_of(*at) == PGN_DIGIT)
        at++;
    if (at - s > TBY_PGN_TOKEN_MAX) {
        *given = read_word_slowly(pgn, event);
        return true;
    }
    unsigned dots = 0;
    w->at = skip_dots(at, w->end, &dots);
    if (dots == 1 && pgn_begins_bare_game(pgn, s)) {
        *given = end_game_before(pgn, event, s);
        return true;
    }
    if (dots) {
        check_number(pgn, s, (size_t)(at - s), dots);
        return false;
    }
    if (!pgn->line.is_broken && s[-1] != '.' && number_fits(pgn, s, (size_t)(at - s)))
        return false;
    if (pgn->line.is_broken)
        *given = pgn_give(pgn, event, TBY_PGN_RAW, s, (size_t)(at - s));
    else
        *given = pgn_report(pgn, event, TBY_INVALID_PGN, "a number that is not the move's", s, (size_t)(at - s));
    return true;
}

/* Skips a move number with its dots, the usual form; false, and nothing read, for anything else, and for a 1 after
   moves, where another game may begin. */
TBY_INLINE bool skip_number(tby_pgn *pgn)
{
    pgn_window *w = &pgn->window;
    const char *at = w->at;
    while (pgn_class_of(*at) == PGN_DIGIT)
        at++;
    if (__builtin_expect(*at != '.' || at[1] == '5', 0)) /* 0.5-0.5 */
        return false;
    if (__builtin_expect(at == w->at + 1 && *w->at == '1', 0) && pgn_has_words(pgn))
        return false;
    do
        at++;
    while (*at == '.');
    w->at = at;
    return true;
}

TBY_INLINE bool read_number(tby_pgn *pgn, tby_pgn_event *event, tby_pgn_type *given)
{
    if (__builtin_expect(!pgn->needs_care && skip_number(pgn), 1))
        return false;
    return read_number_slowly(pgn, event, given);
}

/* ---- Variations ----------------------------------------------------------------------------------------- */

static tby_pgn_type open_variation(tby_pgn *pgn, tby_pgn_event *event)
{
    const char *s = pgn->window.at++;
    if (pgn->depth == TBY_PGN_DEPTH_MAX) {
        const bool is_first = pgn->too_deep++ == 0;
        if (is_first && !pgn->line.is_broken)
            return pgn_report(pgn, event, TBY_TOO_DEEP, "variations nest too deep", s, 1);
        pgn->line.is_broken = true;
        return pgn_give(pgn, event, TBY_PGN_RAW, s, 1);
    }
    const bool is_broken = pgn->line.is_broken, has_moves = pgn->line.has_moves;
    pgn->outer[pgn->depth++] = pgn->line;
    if (has_moves)
        pgn->line.side = color_other(pgn->line.side);
    pgn->line.has_moves = false;
    if (!has_moves && !is_broken)
        pgn_queue_fault(pgn, TBY_INVALID_PGN, "a variation before the first move", s, 1);
    return pgn_give(pgn, event, TBY_PGN_VARIATION, s, 1);
}

static tby_pgn_type close_variation(tby_pgn *pgn, tby_pgn_event *event)
{
    const char *s = pgn->window.at++;
    if (pgn->too_deep) {
        pgn->too_deep--;
        return pgn_give(pgn, event, TBY_PGN_RAW, s, 1);
    }
    if (pgn->depth == 0) {
        if (pgn->line.is_broken)
            return pgn_give(pgn, event, TBY_PGN_RAW, s, 1);
        return pgn_report(pgn, event, TBY_INVALID_PGN, "a variation is closed that was not opened", s, 1);
    }
    pgn->line = pgn->outer[--pgn->depth];
    return pgn_give(pgn, event, TBY_PGN_VARIATION_END, s, 1);
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

static tby_pgn_type begin_game(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn->state = PGN_TAGS;
    pgn->game++;
    pgn->game_begin = pgn->game_end = pgn->token = pgn_window_offset(&pgn->window, pgn->window.at);
    pgn->is_chess960 = pgn->saw_tags = pgn->saw_result = pgn->saw_result_tag = pgn->is_over_limit = false;
    pgn->is_forfeit = pgn->saw_word = false;
    pgn->depth = pgn->too_deep = 0;
    pgn->n_names = 0;
    pgn->tag_result = pgn->result = TBY_RESULT_NONE;
    pgn->n_fen = 0;
    pgn->fen_place.line = pgn->tag_place.line = 0;
    pgn_restart_line(&pgn->line);
    if (pgn->begins_bare)
        pgn_warn(pgn, TBY_PGN_WARN_BARE_GAME, "", 0);
    pgn->begins_bare = false;
    return pgn_give(pgn, event, TBY_PGN_GAME, "", 0);
}

/* Reports a warning at the place of the FEN tag. */
static void warn_of_fen(tby_pgn *pgn, tby_pgn_warning warning)
{
    const uint64_t token = pgn->token;
    pgn->token = pgn->fen_place.offset;
    pgn_warn(pgn, warning, "", 0);
    pgn->token = token;
}

/* The tags have ended. Returns true with an error event if the game cannot start. */
static bool begin_moves(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn->state = PGN_MOVES;
    if (pgn->n_fen == 0)
        return false;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    unsigned warning = 0;
    tby_position start = *pgn_line_now(&pgn->line);
    const tby_status status =
        pgn_read_start(&start, pgn->fen, pgn->n_fen, pgn->options.flags, &pgn->is_chess960, &warning, &err);
    pgn_line_start(&pgn->line, &start);
    if (warning)
        warn_of_fen(pgn, (tby_pgn_warning)warning);
    if (status == TBY_OK)
        return false;
    pgn_report(pgn, event, status, err.detail, pgn->fen, pgn->n_fen);
    event->error.offset = (size_t)pgn->fen_place.offset;
    event->error.args[0] = err.args[0];
    event->error.args[1] = err.args[1];
    return true;
}

/* The text after a game that was ended at 16 times its limit: another bad game, up to where the next one begins. */
static tby_pgn_type begin_rest(tby_pgn *pgn, tby_pgn_event *event)
{
    const tby_pgn_place comment = pgn->tag_place; /* of the comment that may still be open */
    begin_game(pgn, event);
    pgn->tag_place = comment;
    pgn->state = PGN_MOVES;
    pgn->is_split = false;
    pgn->is_over_limit = true;
    pgn_queue_fault(pgn, TBY_TOO_LONG, "this continues a game that is longer than the limit", "", 0);
    return event->type;
}

static tby_pgn_type give_end(tby_pgn *pgn, tby_pgn_event *event)
{
    tby_pgn_event end = pgn_blank_event(pgn, TBY_PGN_GAME_END);
    end.result = pgn->result != TBY_RESULT_NONE ? pgn->result : pgn->tag_result;
    pgn->state = PGN_BETWEEN;
    pgn_queue(pgn, &end);
    return pgn_unqueue(pgn, event);
}

/* The game exceeds its limit: reports it once; the rest is returned raw. At 16 times its limit the game ends, so that
   callers that wait for its end are not kept waiting by an input that never ends. */
static tby_pgn_type exceed_limit(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn->token = pgn_window_offset(&pgn->window, pgn->window.at);
    if (pgn->is_over_limit) {
        const tby_pgn_event rest =
            pgn_blank_event(pgn, TBY_PGN_COMMENT); /* that of an open comment is in the next game */
        pgn->is_split = true;
        if (pgn->in_comment)
            pgn_queue(pgn, &rest);
        return give_end(pgn, event);
    }
    pgn->is_over_limit = true;
    for (unsigned i = 0; i < pgn->depth; i++)
        pgn->outer[i].is_broken = true;
    return pgn_report(pgn, event, TBY_TOO_LONG, "the game is longer than the limit", "", 0);
}

/* Did the input fail before the game was known to be whole, which is at the end of the line with its result? */
static bool is_cut_off(const tby_pgn *pgn)
{
    const pgn_window *w = &pgn->window;
    const bool is_whole = pgn->state == PGN_AFTER && (w->at[-1] == '\n' || w->at[-1] == '\r');
    return w->has_failed && w->at == w->end && !is_whole;
}

/* A game with a result ends at the limit; comments after that are not part of it. */
static tby_pgn_type end_game(tby_pgn *pgn, tby_pgn_event *event)
{
    if (pgn->state != PGN_AFTER && pgn_passes_limit(pgn))
        return exceed_limit(pgn, event);
    const bool is_cut = is_cut_off(pgn);
    if (is_cut || pgn->depth || pgn->too_deep) {
        if (pgn->depth)
            pgn->line = pgn->outer[0];
        pgn->depth = pgn->too_deep = 0;
        if (!is_cut)
            return pgn_report(pgn, event, TBY_INVALID_PGN, "the game ends inside a variation", "", 0);
        pgn_queue_cut(pgn);
        return pgn_unqueue(pgn, event);
    }
    if (!pgn->saw_result)
        pgn_warn(pgn, TBY_PGN_WARN_NO_RESULT, "", 0);
    return give_end(pgn, event);
}

/* A line [Event " after an empty line, in a game that already has tags, begins the next game. */
static bool begins_next_game(const tby_pgn *pgn)
{
    return pgn->saw_tags && pgn->saw_empty_line && pgn_begins_event_tag(pgn->window.at, pgn->window.end);
}

static tby_pgn_type read_in_tags(tby_pgn *pgn, tby_pgn_event *event, bool is_there)
{
    const char c = is_there ? *pgn->window.at : '\0';
    if (c == '[' && !begins_next_game(pgn))
        return pgn_read_tag(pgn, event);
    if (c == '{' || c == ';')
        return pgn_read_comment(pgn, event);
    return begin_moves(pgn, event) ? TBY_PGN_ERROR : TBY_PGN_END;
}

static tby_pgn_type read_nag(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    const char *s = w->at, *at = s + 1;
    const int64_t nag = text_take_number(&at, w->end, UINT16_MAX);
    const size_t n = at - s < TBY_PGN_TOKEN_MAX ? (size_t)(at - s) : TBY_PGN_TOKEN_MAX;
    w->at = at;
    event->nag = (uint16_t)(nag < 0 ? 0 : nag);
    if (nag >= 0 && nag <= UINT16_MAX)
        return pgn_give(pgn, event, TBY_PGN_NAG, s, n);
    if (pgn->line.is_broken)
        return pgn_give(pgn, event, TBY_PGN_RAW, s, n);
    return pgn_report(pgn, event, TBY_INVALID_PGN, n == 1 ? "a NAG has a number" : "a NAG of more than 65535", s, n);
}

/* <...> is reserved by the standard and has no meaning yet. */
static tby_pgn_type refuse_reserved(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    const char *s = w->at;
    const bool is_long = w->end - s > TBY_PGN_TOKEN_MAX;
    const char *limit = is_long ? s + TBY_PGN_TOKEN_MAX : w->end, *line_end = pgn_find_line_end(s, limit);
    const char *close = memchr(s, '>', (size_t)((line_end ? line_end : limit) - s));
    const size_t n = close ? (size_t)(close + 1 - s) : 1;
    w->at = s + n;
    if (pgn->line.is_broken)
        return pgn_give(pgn, event, TBY_PGN_RAW, s, n);
    if (!close && !line_end && is_long)
        return pgn_report(pgn, event, TBY_TOO_LONG, "a token of more than 255 bytes", s, n);
    return pgn_report(pgn, event, TBY_INVALID_PGN, close ? "<...> has no meaning" : "a < without its >", s, n);
}

/* Among moves, a bracket is a tag, which ends the game, if it begins a line or a name and a quote follow; so does
   [/pgn]. */
static bool begins_tag(const tby_pgn *pgn)
{
    const pgn_window *w = &pgn->window;
    if (pgn_begins_line(w->at) || pgn_wrapper_length(w->at, w->end))
        return true;
    const char *limit = w->end - w->at > TBY_PGN_TOKEN_MAX ? w->at + TBY_PGN_TOKEN_MAX : w->end;
    const char *name = pgn_skip_tag_blanks(w->at + 1, limit), *at = pgn_skip_tag_name(name, limit);
    return at > name && *pgn_skip_tag_blanks(at, limit) == '"';
}

/* A delimiter, a glyph, or an unexpected byte. TBY_PGN_END: it made no event. */
static tby_pgn_type read_sign(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    const char *s = w->at;
    tby_result result;
    size_t n;
    switch (*s) {
    case '{':
    case ';': return pgn_read_comment(pgn, event);
    case '(': n = pgn_passing_brackets(&pgn->line, s); return n ? ignore_stray(pgn, s, n) : open_variation(pgn, event);
    case ')': return close_variation(pgn, event);
    case '[':
        if (begins_tag(pgn))
            return end_game(pgn, event);
        break;
    case '$': return read_nag(pgn, event);
    case '<': return refuse_reserved(pgn, event);
    case '*': w->at++; return give_result(pgn, event, TBY_RESULT_NONE, s, 1);
    case '.': w->at++; return TBY_PGN_END;
    default: break;
    }
    n = result_length(s, w->end, &result);
    if (n) {
        w->at = s + n;
        return give_result(pgn, event, result, s, n);
    }
    event->nag = nag_at(s, w->end, &n);
    if (event->nag) {
        w->at = s + n;
        return pgn_give(pgn, event, TBY_PGN_NAG, s, n);
    }
    unsigned dots = 0;
    const char *behind_dots = skip_dots(s, w->end, &dots);
    if (dots) {
        w->at = behind_dots;
        return TBY_PGN_END;
    }
    if (pgn_class_of(*s) == PGN_HIGH)
        return read_word_slowly(pgn, event);
    w->at++;
    if (pgn->line.is_broken)
        return pgn_give(pgn, event, TBY_PGN_RAW, s, 1);
    n = pgn_stray_length(s);
    if (n)
        return ignore_stray(pgn, s, n);
    return pgn_report(pgn, event, TBY_INVALID_PGN, "unexpected character", s, 1);
}

/* TBY_PGN_END: another kind of comment. */
TBY_INLINE tby_pgn_type read_plain_comment(tby_pgn *pgn, tby_pgn_event *event)
{
    const char *s = pgn->window.at + 1, *end = plain_comment_end(s);
    if (!end)
        return TBY_PGN_END;
    pgn->window.at = end + 1;
    event->more = false;
    return pgn_give(pgn, event, TBY_PGN_COMMENT, s, (size_t)(end - s));
}

TBY_INLINE tby_pgn_type read_in_moves(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    tby_pgn_type given;
    for (;;) {
        const bool is_there = skip_blanks(pgn);
        pgn->token = pgn_window_offset(w, w->at);
        if (__builtin_expect(!is_there, 0))
            return end_game(pgn, event);
        switch (pgn_class_of(*w->at)) {
        case PGN_WORD:
            given = read_word(pgn, event);
            if (__builtin_expect(given != TBY_PGN_END, 1))
                return given;
            break;
        case PGN_DIGIT:
            if (read_number(pgn, event, &given))
                return given;
            break;
        default:
            given = *w->at == '{' ? read_plain_comment(pgn, event) : TBY_PGN_END;
            if (given == TBY_PGN_END)
                given = read_sign(pgn, event);
            if (given != TBY_PGN_END)
                return given;
        }
        if (__builtin_expect(pgn->n_pending > 0, 0))
            return pgn_unqueue(pgn, event);
    }
}

static tby_pgn_type read_after(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    if (*w->at == '{' || *w->at == ';')
        return pgn_read_comment(pgn, event);
    return end_game(pgn, event);
}

/* Skips [pgn] or [/pgn]. */
static bool skip_wrapper(tby_pgn *pgn)
{
    const char *s = pgn->window.at;
    const bool may_be = *s == '[' && ((s[1] | 32) == 'p' || s[1] == '/');
    const size_t n = may_be ? pgn_wrapper_length(s, pgn->window.end) : 0;
    if (n)
        ignore_stray(pgn, s, n);
    return n > 0;
}

static tby_pgn_type read_elsewhere(tby_pgn *pgn, tby_pgn_event *event)
{
    for (;;) {
        const bool is_there = skip_lines(pgn);
        pgn->token = pgn_window_offset(&pgn->window, pgn->window.at);
        tby_pgn_type given = TBY_PGN_END;
        switch (pgn->state) {
        case PGN_BETWEEN:
            if (is_there && skip_wrapper(pgn))
                break;
            if (is_there)
                return begin_game(pgn, event);
            if (pgn->window.has_failed) {
                pgn->window.has_failed = false;
                return pgn_report(pgn, event, TBY_IO_ERROR, "the rest of the input cannot be read", "", 0);
            }
            return pgn_give(pgn, event, TBY_PGN_END, "", 0);
        case PGN_TAGS: given = read_in_tags(pgn, event, is_there); break;
        case PGN_TAGS_END: given = begin_moves(pgn, event) ? TBY_PGN_ERROR : TBY_PGN_END; break;
        case PGN_MOVES: given = read_in_moves(pgn, event); break;
        case PGN_AFTER: given = is_there ? read_after(pgn, event) : end_game(pgn, event); break;
        }
        if (given != TBY_PGN_END)
            return given;
        if (pgn->n_pending)
            return pgn_unqueue(pgn, event);
    }
}

/* Skips the rest of a line. False if the game exceeds its limit. */
static bool pass_line(tby_pgn *pgn)
{
    const bool is_passed = pgn_skip_line(pgn);
    if (pgn->state != PGN_BETWEEN)
        pgn->game_end = pgn_window_offset(&pgn->window, pgn->window.at);
    return is_passed;
}

TBY_INLINE tby_pgn_type next_event(tby_pgn *pgn, tby_pgn_event *event)
{
    if (__builtin_expect(pgn->n_pending > 0, 0))
        return pgn_unqueue(pgn, event);
    const uint64_t here = pgn_window_offset(&pgn->window, pgn->window.at);
    if (__builtin_expect(here - pgn->game_begin > pgn->options.max_game_bytes, 0) && pgn_passes_limit(pgn))
        return exceed_limit(pgn, event);
    if (__builtin_expect(pgn->in_comment | pgn->in_line | pgn->is_split, 0)) {
        if (pgn->is_split)
            return begin_rest(pgn, event);
        if (pgn->in_comment)
            return pgn_read_comment_chunk(pgn, event);
        if (!pass_line(pgn))
            return exceed_limit(pgn, event);
    }
    if (__builtin_expect(pgn->state == PGN_MOVES, 1))
        return read_in_moves(pgn, event);
    return read_elsewhere(pgn, event);
}

TBY_KERNEL(tby_pgn_type, tby_pgn_next, (tby_pgn * pgn, tby_pgn_event *event), (pgn, event))
{
    tby_pgn_type type;
    do {
        type = next_event(pgn, event);
        if (__builtin_expect(type != TBY_PGN_GAME_END && type != TBY_PGN_END, 1))
            pgn->game_end = pgn_window_offset(&pgn->window, pgn->window.at);
    } while (type == TBY_PGN_COMMENT && pgn->options.flags & TBY_PGN_SKIP_COMMENTS);
    return type;
}
