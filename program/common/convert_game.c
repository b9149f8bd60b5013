/*
 * convert_game.c - converts games one by one, each built as a tree; and chooses the reader for a text.
 *
 * A game with a fault is left out; with --lossy its legal beginning is written, if the reader of its notation keeps
 * it.
 */
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>

static void report_fault(void *context, const tby_game_fault *fault)
{
    converter *k = context;
    note_fault(&k->result->notes, k->c->name, fault, tby_games_where(k->games).n_games);
}

static void convert_game(converter *k, const tby_game *game, bool is_good)
{
    const bool is_cut = !is_good && k->c->is_lossy && k->c->from.game->keeps_beginning;
    unit_begin(k);
    if (is_cut) {
        losses_add(&k->result->lost, "what follows a fault", 1);
        k->result->n_failed++;
    }
    if ((is_good || is_cut) && write_game(k, game))
        unit_end(k);
    else
        unit_fail(k);
}

/* To the first game that is wanted. */
static void skip_games(converter *k)
{
    while (tby_games_where(k->games).n_games + 1 < k->c->first_game && tby_games_skip(k->games))
        ;
}

static void report_missing(converter *k)
{
    fault_begin(k, 0);
    buffer_printf(&k->result->notes.text, "there is no game %" PRIu64 ", only %" PRIu64 "\n", k->c->first_game,
                  (uint64_t)tby_games_where(k->games).n_games);
    k->result->n_failed++;
}

static void convert_games(converter *k)
{
    tby_game *game = converter_tree(k);
    k->games = game ? k->c->from.game->open(k->text->read, k->text->context, NULL) : NULL;
    if (!has_memory(k, k->games != NULL))
        return;
    tby_games_set_flags(k->games, conversion_pgn_flags(k->c));
    skip_games(k);
    while (tby_games_where(k->games).n_games < k->c->last_game) {
        const tby_game_read read = tby_games_next(k->games, game, report_fault, k);
        if (read == TBY_GAME_END || !has_memory(k, read != TBY_GAME_NO_MEMORY))
            break;
        k->game = tby_games_where(k->games).n_games;
        k->line = tby_games_where(k->games).line;
        convert_game(k, game, read == TBY_GAME_GOOD);
    }
    k->game = k->line = 0;
    k->text->n_games = tby_games_where(k->games).n_games;
    k->text->n_lines = tby_games_where(k->games).n_lines;
    if (k->c->first_game > 1 && k->text->n_games < k->c->first_game)
        report_missing(k);
    tby_games_free(k->games);
}

/* ---- Any text --------------------------------------------------------------------------------------------------- */

void result_clear(conversion_result *result)
{
    buffer_free(&result->out);
    report_free(&result->notes);
}

bool takes_all_games(const conversion *c) { return c->first_game == 1 && c->last_game == UINT64_MAX; }

bool convert_part(const conversion *c, conversion_text *text, conversion_result *result)
{
    converter k = {.c = c, .text = text, .result = result};
    if (c->from.kind != KIND_GAME)
        convert_lines(&k);
    else if (c->from.game->open_events && gives_lines(c) && takes_all_games(c) && !c->takes_all_positions)
        convert_events(&k);
    else
        convert_games(&k);
    tby_game_free(k.tree);
    free(k.moves);
    return has_memory(&k, !result->out.has_failed && !result->notes.text.has_failed) && !result->is_out_of_memory;
}
