/*
 * notations.c - functions to<Name> and from<Name> for every notation of the library.
 *
 *     positions   toFen(game or board) -> text       fromFen(text [, chess960]) -> board    also -Epd, -Base64 ...
 *     moves       toUci(game) -> text                fromUci(text [, start]) -> game
 *     games       toPgn(game) -> text or BLOB        fromPgn(text or BLOB) -> game
 *
 * Names come from the registries: `fen-legal` becomes toFenLegal, and a move notation with the same name as one of
 * games or positions gets the suffix Moves. toSan is the text of a chessgame, with numbers, start and result, and
 * fromSan without a start reads the same.
 */
#include "sql.h"

#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------ */

static char upper(char c) { return (char)(c >= 'a' && c <= 'z' ? c - 32 : c); }

static void add(const char *verb, const char *name, const char *ending, const char *types, const void *notation,
                void (*call)(sql_call *))
{
    sql_function function = {.types = types, .call = call, .data = notation};
    size_t n = strlen(verb);
    memcpy(function.name, verb, n);
    for (bool starts = true; *name && n < SQL_NAME_SIZE - 8; name++) {
        if (*name != '-')
            function.name[n++] = starts ? upper(*name) : *name;
        starts = *name == '-';
    }
    memcpy(function.name + n, ending, strlen(ending));
    sql_function_add(&function);
}

/* ---- Positions -------------------------------------------------------------------------------------------- */

static void write_position(sql_call *call)
{
    const tby_position_notation *notation = call->function->data;
    tby_setup setup;
    tby_error err;
    if (!sql_final(call, 0, &setup))
        return;
    const size_t cap = notation->size ? notation->size : notation->write(NULL, 0, &setup, 0, &err) + 1;
    char *text = (char *)sql_answer_room(call, cap);
    if (!text)
        return;
    call->out.n = notation->write(text, cap, &setup, 0, &err);
    if (err.status == TBY_OK)
        sql_answer_out(call, SQL_TEXT);
    else
        sql_fail_error(call, &err);
}

/* Warns of castling rights that were dropped because the text was read as standard chess. Only FEN reports them; in other
   notations they are found by reading again. */
static void warn_of_rights(sql_call *call, const tby_setup *setup, unsigned warnings)
{
    const tby_position_notation *notation = call->function->data;
    const sql_value *text = &call->args[0];
    tby_setup other;
    if (!call->takes_warnings || call->n_args > 1 || (notation->write_error && !(warnings & TBY_FEN_WARN_CASTLING)))
        return;
    if (notation->read(&other, text->bytes, text->n, TBY_NOTATION_CHESS960, NULL, NULL) == TBY_OK &&
        other.castling != setup->castling) {
        strcpy(call->warning, "dropped castling rights that only Chess960 has");
        call->hint = "A second argument, true, keeps them.";
    }
}

static void read_position(sql_call *call)
{
    const tby_position_notation *notation = call->function->data;
    unsigned warnings;
    tby_setup setup;
    tby_error err;
    const sql_value *text = &call->args[0];
    const unsigned flags = call->n_args > 1 && call->args[1].number ? TBY_NOTATION_CHESS960 : 0;
    if (notation->read(&setup, text->bytes, text->n, flags, &warnings, &err) != TBY_OK) {
        sql_fail_error(call, &err);
        return;
    }
    warn_of_rights(call, &setup, warnings);
    sql_answer_board(call, &setup);
}

/* ---- Moves ------------------------------------------------------------------------------------------------ */

static void write_moves(sql_call *call)
{
    game_bytes game;
    tby_chessgame_error err = {.error = {.status = TBY_OK}};
    if (!sql_game(call, 0, &game))
        return;
    tby_chessgame_write_line(game.bytes, game.n, call->function->data, buffer_sink, &call->out, &err);
    if (err.error.status == TBY_OK)
        sql_answer_out(call, SQL_TEXT);
    else
        sql_fail_chessgame(call, &err);
}

static void write_san(sql_call *call)
{
    game_bytes game;
    if (!sql_game(call, 0, &game))
        return;
    tby_chessgame_write(game.bytes, game.n, buffer_sink, &call->out);
    sql_answer_out(call, SQL_TEXT);
}

static void read_moves(sql_call *call)
{
    size_t n;
    tby_position start;
    tby_chessgame_error err;
    const sql_value *text = &call->args[0];
    tby_position_start(&start);
    if (call->n_args > 1 && !sql_position(call, 1, &start))
        return;
    uint8_t *out = sql_answer_room(call, TBY_CHESSGAME_SIZE);
    if (!out)
        return;
    if (tby_chessgame_read_line(out, &n, &start, call->function->data, text->bytes, text->n, &err) != TBY_OK) {
        sql_fail_chessgame(call, &err);
        return;
    }
    tby_chessgame_warning_write(call->warning, sizeof call->warning, &err);
    sql_answer_room_bytes(call, n);
}

/* ---- Games ------------------------------------------------------------------------------------------------ */

static void write_game(sql_call *call)
{
    const tby_game_notation *notation = call->function->data;
    game_bytes bytes;
    if (!sql_game(call, 0, &bytes))
        return;
    tby_game *game = tby_game_new(NULL);
    if (game && tby_chessgame_to_game(game, bytes.bytes, bytes.n) &&
        notation->write(game, buffer_sink, &call->out, NULL) == TBY_OK)
        sql_answer_out(call, notation->is_binary ? SQL_BLOB : SQL_TEXT);
    else
        sql_fail_memory(call);
    tby_game_free(game);
}

static void answer_main_line(sql_call *call, const tby_game *game)
{
    size_t n;
    tby_chessgame_error err;
    uint8_t *out = sql_answer_room(call, TBY_CHESSGAME_SIZE);
    if (!out)
        return;
    if (tby_chessgame_of_game(out, &n, game, &err) == TBY_OK)
        sql_answer_room_bytes(call, n);
    else
        sql_fail_chessgame(call, &err);
}

static void read_game(sql_call *call)
{
    const tby_game_notation *notation = call->function->data;
    tby_error err = {TBY_NO_MEMORY, {0, 0}, 0, NULL};
    tby_game *game = tby_game_new(NULL);
    if (game && notation->read(game, call->args[0].bytes, call->args[0].n, &err) == TBY_OK)
        answer_main_line(call, game);
    else
        sql_fail_error(call, &err);
    tby_game_free(game);
}

/* PGN is also the text of a chessgame, and the chessgame reader reports the ply and FEN of a fault. */
static void read_chessgame(sql_call *call)
{
    game_bytes game;
    if (sql_game(call, 0, &game))
        sql_answer_bytes(call, game.bytes, game.n);
}

/* ---- All notations ---------------------------------------------------------------------------------------- */

void sql_notations_add(void)
{
    const tby_position_notation *p;
    const tby_move_notation *m;
    const tby_game_notation *g;
    for (size_t i = 0; (p = tby_position_notation_at(i)); i++) {
        add("to", p->name, "", "vt", p, write_position);
        if (p->read) {
            add("from", p->name, "", "tb", p, read_position);
            add("from", p->name, "", "tib", p, read_position);
        }
    }
    for (size_t i = 0; (m = tby_move_notation_at(i)); i++) {
        const size_t n = strlen(m->name);
        const char *ending = tby_position_notation_find(m->name, n) || tby_game_notation_find(m->name, n) ? "Moves"
                                                                                                          : "";
        add("to", m->name, ending, "vt", m, m->is_move_text ? write_san : write_moves);
        add("from", m->name, ending, "tb", m, m->is_move_text ? read_chessgame : read_moves);
        add("from", m->name, ending, "tvb", m, read_moves);
    }
    for (size_t i = 0; (g = tby_game_notation_at(i)); i++) {
        add("to", g->name, "", g->is_binary ? "vb" : "vt", g, write_game);
        add("from", g->name, "", g->is_binary ? "bb" : "vb", g,
            strcmp(g->name, "pgn") == 0 ? read_chessgame : read_game);
    }
}
