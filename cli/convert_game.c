/*
 * convert_game.c - converts PGN and CMBR game by game, each built as a tree.
 *
 * A game with a fault is left out; with --lossy its legal beginning is written.
 */
#include "convert.h"

#include <stdlib.h>

static void convert_game(converter *k, const tby_game *game, bool is_good)
{
    unit_begin(k);
    if (!is_good && k->c->is_lossy) {
        losses_add(&k->result->lost, "what follows a fault", 1);
        k->result->n_failed++;
    }
    if ((is_good || k->c->is_lossy) && write_game(k, game))
        unit_end(k);
    else
        unit_fail(k);
}

/* ---- PGN -------------------------------------------------------------------------------------------------------- */

static void watch(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    converter *k = context;
    if (event->type == TBY_PGN_GAME)
        k->game++;
    else if (event->type == TBY_PGN_ERROR)
        note_fault(&k->result->notes, k->c->name, pgn, event, k->game);
    else if (event->type == TBY_PGN_END)
        k->part->n_lines = tby_pgn_event_place(pgn, event).line - 1;
}

static void convert_pgn_games(converter *k)
{
    tby_game *game = converter_tree(k);
    tby_pgn *pgn = tby_pgn_new(part_read, k->part, NULL, NULL);
    tby_game_read read;
    check_memory(pgn != NULL);
    while ((read = tby_game_read_pgn(game, pgn, watch, k)) != TBY_GAME_END) {
        check_memory(read != TBY_GAME_NO_MEMORY);
        convert_game(k, game, read == TBY_GAME_GOOD);
    }
    tby_pgn_free(pgn);
}

/* ---- CMBR ------------------------------------------------------------------------------------------------------- */

static void cmbr_fault(converter *k, const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    tby_error_write(text, sizeof text, err);
    fault_begin(k, 0);
    buffer_string(&k->result->notes.text, text);
    fault_end(k);
}

static void convert_cmbr_games(converter *k)
{
    tby_game *game = converter_tree(k);
    tby_cmbr *cmbr = tby_cmbr_new(part_read, k->part, NULL);
    tby_error err = {.status = TBY_OK};
    tby_game_read read;
    check_memory(cmbr != NULL);
    while ((read = tby_cmbr_next(cmbr, game, &err)) != TBY_GAME_END) {
        check_memory(read != TBY_GAME_NO_MEMORY);
        k->game = tby_cmbr_number(cmbr);
        if (read == TBY_GAME_BAD) {
            cmbr_fault(k, &err);
            unit_begin(k);
            unit_fail(k);
        } else {
            convert_game(k, game, true);
        }
    }
    tby_cmbr_free(cmbr);
}

void convert_games(converter *k)
{
    if (k->c->from.kind == KIND_CMBR)
        convert_cmbr_games(k);
    else
        convert_pgn_games(k);
    k->part->n_games = k->game;
}
