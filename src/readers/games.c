/*
 * games.c - streams of games in any notation.
 */
#include "readers/games.h"

#include "base/text.h"
#include "pgn/game.h"
#include "pgn/pgn_reader.h"

tby_games *games_alloc(size_t size, const games_reader *reader, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_games *games = alloc_new(memory, size);
    if (!games)
        return NULL;
    games->reader = reader;
    games->allocator = memory;
    games->size = size;
    return games;
}

void tby_games_free(tby_games *games)
{
    if (!games)
        return;
    games->reader->close(games);
    alloc_free(games->allocator, games, games->size);
}

static bool count_bytes(void *context, const char *s, size_t n)
{
    (void)s;
    *(size_t *)context += n;
    return true;
}

bool games_fits(const tby_game *game, bool (*write)(const tby_game *game, tby_sink sink, void *context), size_t most)
{
    /* The largest size of a byte of text, a move and a note on a move, including escapes and delimiters. */
    enum { TEXT = 6, NODE = 64, WORD = 16 };
    size_t n = 0;
    if (game->n_text < most / 4 / TEXT && game->n_nodes < most / 4 / NODE && game->n_words < most / 4 / WORD)
        return true;
    return write(game, count_bytes, &n) && n <= most;
}

tby_game_fault games_fault(const tby_error *err)
{
    tby_game_fault fault = {.error = *err};
    tby_error_write(fault.text, sizeof fault.text, err);
    return fault;
}

/* Is the game of an unsupported variant? The PGN reader has already reported this for its games. */
static bool is_foreign(const tby_game *game)
{
    const char *variant = tby_game_tag(game, "Variant");
    return variant && pgn_read_variant(variant, strlen(variant)) == PGN_OTHER_VARIANT;
}

static void report_variant(const tby_games *games, tby_fault_watcher on_fault, void *context)
{
    const tby_error err = {TBY_UNKNOWN_VARIANT, {0, 0}, (size_t)games->place.begin, "only chess and Chess960 are"};
    tby_game_fault fault = games_fault(&err);
    fault.line = games->place.line;
    if (on_fault)
        on_fault(context, &fault);
}

/* Warns of the first null move in the main line. Readers that know the places report all of them themselves. */
static void warn_of_null_move(const tby_games *games, const tby_game *game, tby_fault_watcher on_fault, void *context)
{
    const size_t ply = tby_game_null_ply(game);
    tby_game_fault fault = {.error.offset = (size_t)games->place.begin, .line = games->place.line};
    text_writer text = text_begin(fault.where, sizeof fault.where);
    text_string(&text, "ply ");
    text_number(&text, (uint32_t)ply);
    text_end(&text);
    text = text_begin(fault.text, sizeof fault.text);
    text_string(&text, "warning: ");
    text_string(&text, pgn_serious_text(TBY_PGN_WARN_NULL_MOVE));
    text_end(&text);
    if (ply)
        on_fault(context, &fault);
}

tby_game_read tby_games_next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context)
{
    const tby_game_read answer = games->reader->next(games, game, on_fault, context);
    if (answer == TBY_GAME_GOOD && on_fault && !games->reader->warns_itself)
        warn_of_null_move(games, game, on_fault, context);
    if (answer != TBY_GAME_GOOD || (games->flags & TBY_PGN_ANY_VARIANT) || !is_foreign(game))
        return answer;
    report_variant(games, on_fault, context);
    return TBY_GAME_BAD;
}

void tby_games_set_flags(tby_games *games, unsigned flags) { games->flags = flags; }

bool tby_games_skip(tby_games *games) { return games->reader->skip(games); }

tby_games_place tby_games_where(const tby_games *games) { return games->place; }
