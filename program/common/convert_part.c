/*
 * convert_part.c - converts a text, or part of one, with the reader for its notation.
 */
#include "convert.h"

#include <stdlib.h>

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
