/*
 * pgn_same.c - when two games of tabiya pgn --unique are the same.
 */
#include "pgn_same.h"
#include "names.h"

#include <string.h>

bool same_has_prefixes(const same_rule *rule) { return rule->kind == UNIQUE_PREFIX || rule->kind == UNIQUE_NEAR; }

/* ---- Hashes of games -------------------------------------------------------------------------------------------- */

static line_hash hash_position(const tby_game *game, unsigned long ply)
{
    tby_position pos = *tby_game_start(game);
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE && ply > 0; ply--) {
        tby_line_play(&pos, tby_game_move(game, node));
        node = tby_game_child(game, node);
    }
    return line_begin(&pos);
}

/* Extends a hash by the moves of the main line; if `lines` is not NULL, every line before the last move is marked in
   it. */
static line_hash hash_moves(line_hash hash, const tby_game *game, line_set *lines)
{
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        if (lines)
            line_set_mark(lines, hash);
        hash = line_play(hash, tby_game_move(game, node));
    }
    return hash;
}

static void put_last_names(buffer *out, const tby_game *game)
{
    const char *white = tby_game_tag(game, "White"), *black = tby_game_tag(game, "Black");
    out->n = 0;
    names_add_last(out, white ? white : "?");
    buffer_string(out, "\n");
    names_add_last(out, black ? black : "?");
}

/* A date without any digit is unknown. */
static void put_date(buffer *out, const tby_game *game)
{
    const char *date = tby_game_tag(game, "Date");
    buffer_string(out, "\n");
    if (date && strpbrk(date, "0123456789"))
        buffer_string(out, date);
}

/* Where a game with these players and this date begins. */
static line_hash begin_tagged(const tby_game *game, buffer *room)
{
    put_last_names(room, game);
    put_date(room, game);
    return line_mix(line_begin(tby_game_start(game)), room->s, room->n);
}

same_hashes same_hashes_of(const same_rule *rule, const tby_game *game, buffer *room)
{
    same_hashes out = {0};
    if (rule->kind == UNIQUE_POSITION)
        out.whole = hash_position(game, rule->ply);
    else
        out.whole = hash_moves(line_begin(tby_game_start(game)), game, NULL);
    if (same_has_prefixes(rule))
        out.tagged = hash_moves(begin_tagged(game, room), game, NULL);
    if (rule->kind == UNIQUE_NEAR) {
        put_last_names(room, game);
        out.near = line_mix(hash_position(game, rule->ply), room->s, room->n);
    }
    return out;
}

/* ---- Sets of games ---------------------------------------------------------------------------------------------- */

void same_collect(const same_rule *rule, const same_hashes *game) { line_set_add(rule->lines, game->tagged); }

void same_mark(const same_rule *rule, const tby_game *game, buffer *room)
{
    hash_moves(begin_tagged(game, room), game, rule->lines);
}

/* Adds the game; returns whether it was there already. */
static bool add_whole(const same_rule *rule, const same_hashes *game)
{
    return line_set_add(rule->lines, game->whole) == LINE_KNOWN;
}

static bool add_near(const same_rule *rule, const same_hashes *game)
{
    return rule->kind == UNIQUE_NEAR && line_set_add(rule->lines, game->near) == LINE_KNOWN;
}

void same_add(const same_rule *rule, const same_hashes *game)
{
    add_whole(rule, game);
    add_near(rule, game);
}

/* A game that is the beginning of a longer one is not compared with others by position: the longer one, which may be
   near to it, must stay. */
bool same_is_duplicate(const same_rule *rule, const same_hashes *game)
{
    const bool is_known = rule->lines && add_whole(rule, game);
    if (!rule->lines || (same_has_prefixes(rule) && line_set_is_marked(rule->lines, game->tagged)))
        return rule->lines != NULL;
    return add_near(rule, game) || is_known;
}
