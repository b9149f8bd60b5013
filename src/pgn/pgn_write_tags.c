/*
 * pgn_write_tags.c - writes the tags of a game as PGN.
 *
 *     [Event "F/S Return Match"]      first the tags of the seven tag roster that the game has,
 *     ...
 *     [ECO "C95"]                     then the others in their order,
 *     [SetUp "1"]                     then what a reader needs and no tag contains
 *     [FEN "..."]
 *
 * Writes   " and \ after a backslash; a line break inside a value, which PGN cannot hold, as a blank. A FEN tag that
 *          does not match the start of the game is replaced by the right one; a Chess960 game gets a Variant tag.
 * Keeps    the tags of a game that was read: no roster tag is added. An unreadable FEN tag stays in a game without
 *          moves, so that a reader finds the same fault.
 */
#include "pgn/pgn_reader.h"
#include "pgn/pgn_write.h"

static void write_string(pgn_output *out, const char *s) { pgn_output_bytes(out, s, strlen(s)); }

static void write_escaped(pgn_output *out, const char *s, size_t n)
{
    size_t done = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_line_end = s[i] == '\n' || s[i] == '\r';
        if ((unsigned char)s[i] > '"' && s[i] != '\\')
            continue;
        if (s[i] != '"' && s[i] != '\\' && !is_line_end)
            continue;
        pgn_output_bytes(out, s + done, i - done);
        pgn_output_bytes(out, is_line_end ? " " : "\\", 1);
        done = is_line_end ? i + 1 : i;
    }
    pgn_output_bytes(out, s + done, n - done);
}

static void write_tag(pgn_output *out, const char *name, size_t n_name, const char *value, size_t n_value)
{
    write_string(out, "[");
    pgn_output_bytes(out, name, n_name);
    write_string(out, " \"");
    write_escaped(out, value, n_value);
    write_string(out, "\"]\n");
}

/* ---- What a reader needs --------------------------------------------------------------------------------- */

/* Tags that are written differently from the game's own, or added. */
typedef struct tag_changes {
    const char *variant; /* NULL: unchanged */
    const char *fen;
    char buffer[TBY_FEN_SIZE];
} tag_changes;

static bool says_chess960(const tby_game *game)
{
    const size_t index = game_find_tag(game, "Variant", 7);
    return index < game->n_tags &&
           pgn_read_variant(game->text + game->tags[index].value, game->tags[index].n_value) == PGN_CHESS960;
}

/* Do the tags lead a reader to the start of the game? */
static bool states_start(const tby_game *game)
{
    const size_t index = game_find_tag(game, "FEN", 3);
    if (index == game->n_tags || game->tags[index].n_value == 0)
        return game_is_usual_start(&game->start);
    const game_tag *tag = &game->tags[index];
    tby_position start;
    unsigned warning;
    bool is_chess960 = says_chess960(game) || game->is_chess960;
    const size_t n = tag->n_value < TBY_FEN_SIZE ? tag->n_value : TBY_FEN_SIZE; /* as the reader does */
    if (pgn_read_start(&start, game->text + tag->value, n, 0, &is_chess960, &warning, NULL) != TBY_OK)
        return game_is_usual_start(&game->start) && game->nodes[TBY_ROOT].child == TBY_NO_NODE;
    return memcmp(&start, &game->start, sizeof start) == 0;
}

static void find_changes(const tby_game *game, tag_changes *changes)
{
    changes->variant = game->is_chess960 && !says_chess960(game) ? "Chess960" : NULL;
    changes->fen = NULL;
    if (!states_start(game)) {
        tby_fen_write_position(changes->buffer, sizeof changes->buffer, &game->start, 0);
        changes->fen = changes->buffer;
    }
}

/* ---- The section ---------------------------------------------------------------------------------------- */

static void write_own_tag(pgn_writer *w, const game_tag *tag, const tag_changes *changes)
{
    const tby_game *game = w->game;
    const char *value = game->text + tag->value;
    size_t n_value = tag->n_value;
    const char *change = changes->fen && game_tag_is(game, tag, "FEN", 3)           ? changes->fen
                         : changes->variant && game_tag_is(game, tag, "Variant", 7) ? changes->variant
                                                                                    : NULL;
    if (change) {
        value = change;
        n_value = strlen(change);
    }
    write_tag(&w->out, game->text + tag->name, tag->n_name, value, n_value);
}

static bool add_tag(pgn_writer *w, const char *name, const char *value)
{
    if (!value || tby_game_tag(w->game, name))
        return false;
    write_tag(&w->out, name, strlen(name), value, strlen(value));
    return true;
}

bool pgn_write_tags(pgn_writer *w)
{
    tag_changes changes;
    size_t step = 0, index;
    bool has_tags = w->game->n_tags > 0;
    find_changes(w->game, &changes);
    while (game_next_tag(w->game, &step, &index))
        write_own_tag(w, &w->game->tags[index], &changes);
    has_tags |= add_tag(w, "Variant", changes.variant);
    has_tags |= add_tag(w, "SetUp", changes.fen ? "1" : NULL);
    has_tags |= add_tag(w, "FEN", changes.fen);
    if (has_tags)
        write_string(&w->out, "\n");
    return has_tags;
}
