/*
 * notations.c - the registry as JSON: the data a page needs to offer every notation of the library.
 */
#include "answer.h"

static void begin_notation(const char *name, const char *summary, const char *cannot_hold, bool reads)
{
    json_open(NULL, '{');
    json_string("name", name);
    json_string("summary", summary);
    json_string("cannotHold", cannot_hold);
    json_bool("reads", reads);
}

static void positions(void)
{
    const tby_position_notation *notation;
    json_open("positions", '[');
    for (size_t i = 0; (notation = tby_position_notation_at(i)); i++) {
        begin_notation(notation->name, notation->summary, notation->cannot_hold, notation->read != NULL);
        json_bool("oneLine", notation->one_line);
        json_close('}');
    }
    json_close(']');
}

static void moves(void)
{
    const tby_move_notation *notation;
    json_open("moves", '[');
    for (size_t i = 0; (notation = tby_move_notation_at(i)); i++) {
        begin_notation(notation->name, notation->summary, notation->cannot_hold, notation->read != NULL);
        json_string("separator", notation->separator);
        json_close('}');
    }
    json_close(']');
}

static void games(void)
{
    const tby_game_notation *notation;
    json_open("games", '[');
    for (size_t i = 0; (notation = tby_game_notation_at(i)); i++) {
        begin_notation(notation->name, notation->summary, notation->cannot_hold, notation->open != NULL);
        json_string("endings", notation->endings);
        json_bool("binary", notation->is_binary);
        json_close('}');
    }
    json_close(']');
}

void EXPORT(registry)(void)
{
    answer_begin();
    json_open(NULL, '{');
    json_string("version", tby_version());
    positions();
    moves();
    games();
    json_close('}');
}
