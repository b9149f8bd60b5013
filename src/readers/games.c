/*
 * games.c - streams of games in any notation, the notations by name, and guessing that of a file.
 */
#include "readers/games.h"

#include "base/text.h"
#include "pgn/game.h"
#include "pgn/pgn_reader.h"
#include "support/buffer.h"

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

tby_games *games_open_window(size_t size, const games_reader *reader, tby_source source, void *context,
                             const tby_allocator *allocator)
{
    tby_games *games = games_alloc(size, reader, allocator);
    if (!games || window_begin(&((window_games *)games)->in, source, context, games->allocator))
        return games;
    tby_games_free(games);
    return NULL;
}

void games_close_window(tby_games *games) { window_end(&((window_games *)games)->in); }

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

/* ---- The notations ----------------------------------------------------------------------------------------------- */

static const tby_game_notation *const NOTATIONS[] = {&games_pgn, &games_json, &games_cmbr};
enum { N_NOTATIONS = sizeof NOTATIONS / sizeof *NOTATIONS };

const tby_game_notation *tby_game_notation_at(size_t index) { return index < N_NOTATIONS ? NOTATIONS[index] : NULL; }

const tby_game_notation *tby_game_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_NOTATIONS; i++)
        if (text_is(name, n, NOTATIONS[i]->name))
            return NOTATIONS[i];
    return NULL;
}

static const tby_game_notation *guess_name(const char *name, size_t n_name)
{
    for (size_t i = 0; i < N_NOTATIONS; i++)
        if (text_has_ending(name, n_name, NOTATIONS[i]->endings))
            return NOTATIONS[i];
    return NULL;
}

static const tby_game_notation *guess_bytes(const char *s, size_t n, tby_likeness *likeness)
{
    const tby_game_notation *best = NULL;
    *likeness = TBY_UNLIKE;
    for (size_t i = 0; i < N_NOTATIONS; i++) {
        const tby_likeness found = NOTATIONS[i]->guess(s, n);
        if (found > *likeness) {
            *likeness = found;
            best = NOTATIONS[i];
        }
    }
    return best;
}

const tby_game_notation *tby_game_notation_guess(const char *name, size_t n_name, const char *s, size_t n,
                                                 tby_likeness *likeness)
{
    const tby_game_notation *by_bytes = guess_bytes(s, n, likeness);
    const tby_game_notation *by_name = *likeness == TBY_CERTAIN ? NULL : guess_name(name, n_name);
    if (by_name)
        *likeness = TBY_LIKELY;
    return by_name ? by_name : by_bytes;
}
