/*
 * pgn_reader.c - creates PGN readers, reports their place in the input, and formats their errors.
 */
#include "pgn/pgn_event.h"

#include "base/text.h"
#include "base/utf8.h"
#include "support/array.h"

#include <string.h>

/* ---- Life ----------------------------------------------------------------------------------------------- */

tby_pgn *tby_pgn_new(tby_source source, void *context, const tby_pgn_options *options, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_pgn *pgn = memory.resize(memory.context, NULL, 0, sizeof *pgn);
    if (!pgn)
        return NULL;
    memset(pgn, 0, offsetof(tby_pgn, fen));
    pgn->allocator = memory;
    if (options)
        pgn->options = *options;
    pgn->needs_care = (pgn->options.flags & TBY_PGN_WARNINGS) != 0;
    if (pgn->options.max_game_bytes == 0)
        pgn->options.max_game_bytes = PGN_GAME_BYTES;
    pgn_restart_line(&pgn->line);
    pgn_window_init(&pgn->window, source, context);
    return pgn;
}

static size_t read_memory(void *context, char *buf, size_t cap)
{
    tby_pgn *pgn = context;
    const size_t left = (size_t)(pgn->memory_end - pgn->memory), n = left < cap ? left : cap;
    if (n) { /* an empty input may be NULL */
        memcpy(buf, pgn->memory, n);
        pgn->memory += n;
    }
    return n;
}

tby_pgn *tby_pgn_new_memory(const char *s, size_t n, const tby_pgn_options *options, const tby_allocator *allocator)
{
    tby_pgn *pgn = tby_pgn_new(read_memory, NULL, options, allocator);
    if (!pgn)
        return NULL;
    pgn->window.context = pgn;
    pgn->memory = s;
    pgn->memory_end = n ? s + n : s;
    return pgn;
}

void tby_pgn_free(tby_pgn *pgn)
{
    if (!pgn)
        return;
    const tby_allocator memory = pgn->allocator;
    memory.resize(memory.context, pgn, sizeof *pgn, 0);
}

size_t tby_pgn_moves(tby_pgn *pgn, tby_move *out, size_t cap) { return pgn_moves_and_comment(pgn, out, cap, NULL); }

/* ---- Place in the input --------------------------------------------------------------------------------- */

const tby_position *tby_pgn_position(const tby_pgn *pgn) { return pgn_line_now(&pgn->line); }
const tby_position *tby_pgn_position_before(const tby_pgn *pgn) { return pgn_line_before(&pgn->line); }
unsigned tby_pgn_depth(const tby_pgn *pgn) { return pgn->depth; }
uint64_t tby_pgn_game_begin(const tby_pgn *pgn) { return pgn->options.start.offset + pgn->game_begin; }
uint64_t tby_pgn_game_end(const tby_pgn *pgn) { return pgn->options.start.offset + pgn->game_end; }

tby_pgn_place tby_pgn_event_place(tby_pgn *pgn, const tby_pgn_event *event)
{
    tby_pgn_place place;
    if (pgn->fen_place.line && event->error.offset == pgn->fen_place.offset)
        place = pgn->fen_place; /* reported after the tags, when it may have left the window */
    else if (pgn->tag_place.line && event->error.offset == pgn->tag_place.offset)
        place = pgn->tag_place; /* reported after the tag itself */
    else
        pgn_window_place(&pgn->window, event->error.offset, &place);
    place.game = pgn->game + pgn->options.start.game;
    place.offset += pgn->options.start.offset;
    place.line += pgn->options.start.line;
    return place;
}

size_t tby_pgn_last_boundary(const char *s, size_t n)
{
    static const char tag[] = "[Event \"";
    for (size_t i = n; i > 2; i--) {
        const size_t at = i - 1;
        if (s[at] != '[' || n - at < 8 || memcmp(s + at, tag, 8) != 0 || (s[at - 1] != '\n' && s[at - 1] != '\r'))
            continue;
        size_t line = at - 1; /* the end of the line before, which must be blank */
        if (s[line] == '\n' && line > 0 && s[line - 1] == '\r')
            line--;
        while (line > 0 && (s[line - 1] == ' ' || s[line - 1] == '\t'))
            line--;
        if (line > 0 && (s[line - 1] == '\n' || s[line - 1] == '\r'))
            return at;
    }
    return 0;
}

/* ---- Messages ------------------------------------------------------------------------------------------- */

/* Copies input bytes into a message without control characters, which could garble a terminal. */
static void text_harmless(text_writer *text, const char *s, size_t n, size_t most)
{
    n = utf8_cut(s, n, most);
    for (size_t i = 0; i < n; i++)
        text_char(text, (unsigned char)s[i] < 32 || s[i] == 127 ? '?' : s[i]);
}

static void write_sentence(char *buf, size_t cap, const tby_pgn_event *event)
{
    text_writer text = text_begin(buf, cap);
    char sentence[TBY_ERROR_SIZE];
    const char *status = tby_status_text(event->error.status);
    text_string(&text, event->type == TBY_PGN_WARNING ? pgn_serious_text(event->warning) : status);
    if (event->n_text) {
        text_string(&text, ": \"");
        text_harmless(&text, event->text, event->n_text, 60);
        text_string(&text, event->n_text > 60 ? "...\"" : "\"");
    }
    if (event->type == TBY_PGN_ERROR &&
        event->error.detail) { /* the sentence is "status: detail"; the token goes between them */
        tby_error_write(sentence, sizeof sentence, &event->error);
        text_string(&text, sentence + strlen(status));
    }
    text_end(&text);
}

static bool is_about_move(tby_status status)
{
    return status == TBY_INVALID_SAN || (status >= 40 && status <= 44 && status != TBY_ILLEGAL_POSITION);
}

/* Writes the move as in the input, and its place in the game. */
static void write_move_place(char *buf, size_t cap, const tby_position *pos, const tby_pgn_event *event)
{
    text_writer text = text_begin(buf, cap);
    char fen[TBY_FEN_SIZE];
    if (event->type == TBY_PGN_ERROR && is_about_move(event->error.status)) {
        text_number(&text, tby_position_fullmove(pos));
        text_string(&text, tby_position_side(pos) == TBY_BLACK ? "..." : ".");
        text_harmless(&text, event->text, event->n_text, 20);
        text_string(&text, ", FEN ");
        tby_fen_write_position(fen, sizeof fen, pos, 0);
        text_string(&text, fen);
    }
    text_end(&text);
}

void tby_pgn_event_fault(tby_game_fault *out, tby_pgn *pgn, const tby_pgn_event *event)
{
    static const char warning[] = "warning: ";
    const tby_pgn_place place = tby_pgn_event_place(pgn, event);
    out->error = event->error;
    if (event->type != TBY_PGN_ERROR)
        out->error = (tby_error){TBY_OK, {0, 0}, (size_t)place.offset, NULL};
    out->line = place.line;
    out->column = place.column;
    const size_t n = event->type == TBY_PGN_WARNING ? strlen(warning) : 0;
    memcpy(out->text, warning, n);
    write_sentence(out->text + n, sizeof out->text - n, event);
    write_move_place(out->where, sizeof out->where, pgn_line_now(&pgn->line), event);
}

size_t tby_pgn_error_write(char *buf, size_t cap, const tby_pgn *pgn, const tby_pgn_event *event, uint64_t game)
{
    text_writer text = text_begin(buf, cap);
    char words[TBY_GAME_FAULT_SIZE];
    write_sentence(words, sizeof words, event);
    text_string(&text, words);
    text_string(&text, " (game ");
    text_number(&text, game);
    write_move_place(words, sizeof words, pgn_line_now(&pgn->line), event);
    text_string(&text, *words ? ", " : "");
    text_string(&text, words);
    text_char(&text, ')');
    return text_end(&text);
}

/* Separate, so that programs without the other warnings do not need their texts. */
const char *pgn_serious_text(tby_pgn_warning warning)
{
    switch (warning) {
    case TBY_PGN_WARN_NULL_MOVE: return "null move in the main line";
    case TBY_PGN_WARN_QUOTE: return "quotes without backslashes inside the value of a tag";
    case TBY_PGN_WARN_BARE_GAME: return "a game without tags begins after an empty line";
    case TBY_PGN_WARN_FORFEIT: return "forfeit read as a result";
    case TBY_PGN_WARN_GLUED: return "no blank between move and result";
    case TBY_PGN_WARN_STRAY: return "ignored";
    default: return "dropped castling rights that only Chess960 has: [Variant \"Chess960\"] or --chess960 keeps them";
    }
}

const char *tby_pgn_warning_text(tby_pgn_warning warning)
{
    switch (warning) {
    case TBY_PGN_WARN_SAN: return "not the export form of the move";
    case TBY_PGN_WARN_NUMBER: return "wrong move number";
    case TBY_PGN_WARN_RESULT: return "result differs from the Result tag";
    case TBY_PGN_WARN_NO_RESULT: return "game ends without a result";
    case TBY_PGN_WARN_FEN: return "FEN tag needed repair";
    case TBY_PGN_WARN_VARIANT: return "the variant is not supported, its moves are read as chess";
    case TBY_PGN_WARN_ENCODING: return "not UTF-8, read as Windows-1252";
    case TBY_PGN_WARN_IGNORED: return "token ignored";
    case TBY_PGN_WARN_TAG: return "tag given twice, the last value counts";
    case TBY_PGN_WARN_BACKSLASH: return "backslash before the closing quote";
    default: break;
    }
    return warning >= TBY_PGN_WARN_NULL_MOVE && warning <= TBY_PGN_WARN_STRAY ? pgn_serious_text(warning)
                                                                              : "unknown warning";
}
