/*
 * pgn_run.c - reads plain moves many at a time.
 *
 * Games are mostly runs of plain moves, and reading such a run at once takes half the time of reading single events. The
 * words are found in masks of the text, the moves are made on boards alone, and only then all boards are checked for kings
 * that were left attacked; the position after the last move is worked out at the end. Anything that is not a plain move
 * or castling ends the run, and is left to pgn_read.c; so is a move that is not legal.
 */
#include "base/variant.h"
#include "pgn/pgn_event.h"
#include "pgn/pgn_plain.h"
#include "position/key.h"

#ifdef TBY_SMALL_CODE

/* A small build reads one event after the other. */
size_t pgn_moves_and_comment(tby_pgn *pgn, tby_move *out, size_t cap, tby_pgn_event *comment)
{
    (void)pgn, (void)out, (void)cap, (void)comment;
    return 0;
}

#else

/* Is the reader simply among the moves of a line without faults? */
TBY_INLINE bool reads_plainly(const tby_pgn *pgn)
{
    return pgn->state == PGN_MOVES && !pgn->n_pending && !pgn->in_comment && !pgn->needs_care && !pgn->line.is_broken &&
           pgn->line.has_moves;
}

/* How many bytes ahead have complete tokens and are within the limit of the game. */
TBY_INLINE size_t bytes_ahead(tby_pgn *pgn)
{
    pgn_window *w = &pgn->window;
    pgn_window_need(w, PGN_TOKEN_WINDOW);
    const size_t there = (size_t)(w->end - w->at) - (w->is_whole ? 0 : PGN_TOKEN_WINDOW);
    const uint64_t used = pgn_window_offset(w, w->at) - pgn->game_begin, max = pgn->options.max_game_bytes;
    return used > max ? 0 : max - used < there ? (size_t)(max - used) : there;
}

enum { RUN_MAX = 128 };

/* Moves that are read in a row and played on boards alone. Whether one leaves its king attacked, which hardly ever
   happens, is checked for all of them afterwards: a processor checks several boards at the same time if it need not wait
   for the next word in between. */
typedef struct pgn_run {
    tby_board *boards; /* before the first move, and after each */
    tby_position *of;  /* the positions of the line: only castling rights and clocks are up to date */
    tby_move *moves;
    size_t n, max;
    pgn_words words;
    const char *limit; /* no token begins from here on */
    const char *token; /* the last move */
    bool skips_comments;
} pgn_run;

/* Skips comments. False if the run ends here. */
TBY_INLINE bool pgn_run_continues(pgn_run *run)
{
    while (run->n < run->max) {
        const char *at = pgn_words_at(&run->words);
        if (__builtin_expect(at >= run->limit, 0))
            return false;
        if (__builtin_expect(!comment_follows(at), 1))
            return true;
        const char *close = run->skips_comments ? plain_comment_end(at + 2) : NULL;
        if (!close)
            return false;
        pgn_words_begin(&run->words, close + 1);
    }
    return false;
}

/* Like play_castling, from board[0] to board[1]. A king may be missing, if a move before was not legal. */
static __attribute__((noinline)) const char *pgn_run_castle(tby_board *board, tby_position *of, const char *s,
                                                            tby_color us, tby_move *move)
{
    tby_position *before = &of[us], *after = &of[color_other(us)];
    if (*s != 'O' || !bb_many(board_kings(board)))
        return NULL;
    before->board = board[0];
    const char *end = play_castling(after, before, s, us, move);
    board[1] = after->board;
    return end;
}

/* Reads a move. False if it is neither plain nor castling. */
TBY_INLINE bool pgn_run_move(pgn_run *run, tby_color us)
{
    const tby_position *before = &run->of[us];
    tby_position *after = &run->of[color_other(us)];
    tby_board *board = &run->boards[run->n];
    const char *at = pgn_words_at(&run->words);
    pgn_span word;
    san_played m;
    const bool is_plain = pgn_words_next(&run->words, &word);
    if (__builtin_expect(is_plain, 1) &&
        __builtin_expect(san_play_plain(board + 1, board, word.s, word.end, us, &m), 1)) {
        const san_piece *piece = &san_pieces[us][m.kind];
        const unsigned clock = before->clock + (before->clock != TBY_CLOCK_MAX ? 1U : 0U);
        after->castling = before->castling & ~(bb_square(m.from) | bb_square(m.to) | piece->rights);
        after->clock = (uint16_t)(clock & ((unsigned)(m.takes | piece->resets_clock) - 1)); /* no branch */
        run->moves[run->n] = TBY_MOVE(m.from, m.to, 0);
    } else {
        const char *end = pgn_run_castle(board, run->of, word.s, us, &run->moves[run->n]);
        pgn_words_begin(&run->words, end ? end : at);
        if (!end)
            return false;
    }
    run->token = word.s;
    run->n++;
    return true;
}

/* Reads moves, the first by `us`; returns the side that is to move then. */
TBY_INLINE tby_color pgn_run_read(pgn_run *run, tby_color us)
{
    while (pgn_run_continues(run)) {
        if (us == TBY_WHITE) {
            if (!pgn_run_move(run, TBY_WHITE))
                break;
            us = TBY_BLACK;
            if (!pgn_run_continues(run))
                break;
        }
        if (!pgn_run_move(run, TBY_BLACK))
            break;
        us = TBY_WHITE;
    }
    return us;
}

/* The number of moves before the first that leaves its king attacked. On boards after that one, a king may be missing.
 */
TBY_INLINE size_t pgn_run_legal(const pgn_run *run, tby_color us)
{
    for (size_t i = 0; i < run->n; i += 2) {
        if (__builtin_expect(king_attackers(&run->boards[i + 1], us) != 0, 0))
            return i;
        if (i + 1 < run->n && __builtin_expect(king_attackers(&run->boards[i + 2], color_other(us)) != 0, 0))
            return i + 1;
    }
    return run->n;
}

/* Completes the position after n moves. */
TBY_INLINE void pgn_run_complete(const pgn_run *run, size_t n, tby_position *pos, const tby_position *first,
                                 uint64_t key)
{
    const tby_board *board = &run->boards[n];
    const unsigned from = run->moves[n - 1] & 63, to = (run->moves[n - 1] >> 6) & 63;
    const bool is_double_step = (from ^ to) == 16 && TBY_PIECE_KIND(board_piece(board, to)) == TBY_PAWN;
    pos->board = *board;
    pos->placement_key = key;
    pos->ply = first->ply + (uint32_t)n;
    pos->en_passant = is_double_step ? (tby_square)((from + to) / 2) : TBY_NO_SQUARE;
}

/* Reads the legal moves of a run that begins at s, and plays them on a line. */
TBY_INLINE void pgn_run_play(pgn_run *run, const char *s, pgn_line *line)
{
    const pgn_line begin = *line;
    const tby_position *first = pgn_line_now(&begin);
    for (size_t n_legal;; run->max = n_legal) { /* a second time, if one of the moves is not legal */
        *line = begin;
        run->n = 0;
        run->boards[0] = first->board;
        pgn_words_begin(&run->words, s);
        line->side = pgn_run_read(run, line->side);
        n_legal = begin.side == TBY_WHITE ? pgn_run_legal(run, TBY_WHITE) : pgn_run_legal(run, TBY_BLACK);
        if (__builtin_expect(n_legal == run->n, 1))
            break;
    }
    const size_t n = run->n;
    const tby_board *boards = run->boards;
    if (n == 0)
        return;
    const uint64_t key = placement_key_after(first->placement_key, &boards[0], &boards[n]);
    pgn_run_complete(run, n, &line->of[line->side], first, key);
    if (n > 1) {
        const uint64_t key_before = placement_key_after(key, &boards[n], &boards[n - 1]);
        pgn_run_complete(run, n - 1, &line->of[color_other(line->side)], first, key_before);
    }
}

/* Reads a run of moves at *at, and moves *at and *token on. Out of line, because it needs much of the stack. */
static __attribute__((noinline)) size_t read_run(pgn_line *line, tby_move *out, size_t cap, const char **at,
                                                 const char *limit, const char **token, bool skips_comments)
{
    __attribute__((aligned(32))) tby_board boards[RUN_MAX + 1];
    pgn_run run;
    run.boards = boards;
    run.of = line->of;
    run.moves = out;
    run.max = cap < RUN_MAX ? cap : RUN_MAX;
    run.limit = limit;
    run.skips_comments = skips_comments;
    pgn_run_play(&run, *at, line);
    if (run.n) {
        *at = pgn_words_at(&run.words);
        *token = run.token;
    }
    return run.n;
}

/* Reads the next move by itself. */
TBY_INLINE bool read_single(pgn_line *line, tby_move *out, const char **at, const char **token)
{
    const tby_color us = line->side;
    tby_position *of = line->of;
    pgn_words words;
    pgn_span word;
    pgn_words_begin_one(&words, *at);
    const bool is_plain = pgn_words_next(&words, &word);
    if (us == TBY_WHITE ? !play_word(&of[TBY_BLACK], &of[TBY_WHITE], is_plain, &word, TBY_WHITE, out)
                        : !play_word(&of[TBY_WHITE], &of[TBY_BLACK], is_plain, &word, TBY_BLACK, out))
        return false;
    line->side = color_other(us);
    *token = word.s;
    *at = word.end;
    return true;
}

static __attribute__((noinline)) size_t read_moves(tby_pgn *pgn, tby_move *out, size_t cap, tby_pgn_event *comment)
{
    const size_t ahead = bytes_ahead(pgn);
    const char *at = pgn->window.at, *limit = at + ahead, *token = at;
    const bool skips_comments = (pgn->options.flags & TBY_PGN_SKIP_COMMENTS) != 0;
    size_t n = 0;
    if (cap == 0 || at >= limit)
        return 0;
    /* Where comments are read, one may follow each move; then runs do not pay. */
    if (!skips_comments && !comment_follows(at))
        n = read_single(&pgn->line, out, &at, &token);
    if (skips_comments || (n && n < cap && at < limit && !comment_follows(at)))
        n += read_run(&pgn->line, out + n, cap - n, &at, limit, &token, skips_comments);
    if (n == 0)
        return 0;
    const char *close = comment && at < limit && comment_follows(at) ? plain_comment_end(at + 2) : NULL;
    pgn->token = pgn_window_offset(&pgn->window, close ? at + 1 : token);
    if (close) {
        comment->more = false;
        pgn_give(pgn, comment, TBY_PGN_COMMENT, at + 2, (size_t)(close - at - 2));
        at = close + 1;
    }
    pgn->window.at = at;
    pgn->game_end = pgn_window_offset(&pgn->window, at);
    return n;
}

TBY_KERNEL(size_t, pgn_moves_and_comment, (tby_pgn * pgn, tby_move *out, size_t cap, tby_pgn_event *comment),
           (pgn, out, cap, comment))
{
    return reads_plainly(pgn) ? read_moves(pgn, out, cap, comment) : 0;
}

#endif
