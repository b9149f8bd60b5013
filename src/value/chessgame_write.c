/*
 * chessgame_write.c - writes packed games as text, as lines of moves, and as trees.
 *
 *     [FEN "rnbqkb1r/... b KQkq - 0 1"] 1... Nf6 2. c4 e6 1-0
 *
 * Writes   PGN's move text on one line; the tag only if the start is not the usual one; the result always.
 * Keeps    reading the text returns the same bytes.
 */
#include "base/text.h"
#include "notation/state.h"
#include "pgn/game.h"
#include "value/chessgame.h"

/* ---- Text ----------------------------------------------------------------------------------------------- */

enum { TOKEN_SIZE = 64 }; /* a number, a move, and some room */

static bool write_start(const tby_position *start, tby_sink sink, void *context)
{
    char buf[TBY_FEN_SIZE + 16], fen[TBY_FEN_SIZE];
    text_writer text = text_begin(buf, sizeof buf);
    if (game_is_usual_start(start))
        return true;
    tby_fen_write_position(fen, sizeof fen, start, 0);
    text_string(&text, "[FEN \"");
    text_string(&text, fen);
    text_string(&text, "\"] ");
    return sink(context, buf, text_end(&text));
}

/* Writes the number before white's moves and before the first move. */
static void write_number(text_writer *text, const tby_position *pos, bool is_first)
{
    const bool is_black = tby_position_side(pos) == TBY_BLACK;
    if (is_black && !is_first)
        return;
    text_number(text, tby_position_fullmove(pos));
    text_string(text, is_black ? "... " : ". ");
}

bool tby_chessgame_write(const uint8_t *bytes, size_t n, tby_sink sink, void *context)
{
    tby_packed cursor;
    if (!tby_packed_begin(&cursor, bytes, n) || !write_start(&cursor.pos, sink, context))
        return false;
    tby_position before = cursor.pos;
    bool is_first = true;
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE; before = cursor.pos, is_first = false) {
        char buf[TOKEN_SIZE], san[TBY_SAN_SIZE];
        text_writer text = text_begin(buf, sizeof buf);
        write_number(&text, &before, is_first);
        text_bytes(&text, san, tby_san_write(san, sizeof san, &before, m));
        text_char(&text, ' ');
        if (!sink(context, buf, text_end(&text)))
            return false;
    }
    const char *result = tby_result_text(tby_packed_result(bytes, n));
    return sink(context, result, strlen(result));
}

/* ---- Lines ---------------------------------------------------------------------------------------------- */

/* Reports a move that the notation cannot hold, as SAN. */
static bool refuse_move(tby_chessgame_error *err, const tby_error *error, const tby_position *pos, unsigned ply,
                        tby_move m)
{
    char san[TBY_SAN_SIZE];
    chessgame_refuse(err, error, pos, ply, san, tby_san_write(san, sizeof san, pos, m));
    return false;
}

bool tby_chessgame_write_line(const uint8_t *bytes, size_t n, const tby_move_notation *notation, tby_sink sink,
                              void *context, tby_chessgame_error *err)
{
    tby_packed cursor;
    unsigned ply = 0;
    if (!tby_packed_begin(&cursor, bytes, n))
        return false;
    tby_position before = cursor.pos;
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE; before = cursor.pos) {
        char text[TOKEN_SIZE];
        tby_error error;
        const size_t length = tby_line_write_move(text, sizeof text, &before, notation, m, 0, &error);
        ply++;
        if (error.status != TBY_OK)
            return refuse_move(err, &error, &before, ply, m);
        if ((ply > 1 && !sink(context, notation->separator, strlen(notation->separator))) ||
            !sink(context, text, length))
            return false;
    }
    return true;
}

/* ---- Trees ---------------------------------------------------------------------------------------------- */

bool tby_chessgame_to_game(tby_game *game, const uint8_t *bytes, size_t n)
{
    if (!chessgame_to_game(game, bytes, n))
        return false;
    game->is_chess960 = (game->start.castling & ~state_home_rights(&game->start.board)) != 0;
    return true;
}

bool chessgame_to_game(tby_game *game, const uint8_t *bytes, size_t n)
{
    tby_packed cursor;
    tby_game_clear(game);
    if (!tby_packed_begin(&cursor, bytes, n))
        return false;
    game->start = cursor.pos;
    tby_node node = TBY_ROOT;
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE;)
        if ((node = tby_game_add(game, node, m)) == TBY_NO_NODE)
            return false;
    tby_game_set_result(game, tby_packed_result(bytes, n));
    return true;
}
