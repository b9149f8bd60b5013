/*
 * files.c - whole games as text or bytes, and files of many games.
 */
#include "answer.h"

/* Stores the first fault of a game. */
static void keep_first(void *context, const tby_game_fault *fault)
{
    tby_game_fault *first = context;
    if (first->error.status == TBY_OK)
        *first = *fault;
}

static void fault_object(const tby_game_fault *fault)
{
    answer_add("{'status':%d,'offset':%zu,'line':%llu,'column':%llu,'message':%s,'where':%s}", (int)fault->error.status,
               fault->error.offset, (unsigned long long)fault->line, (unsigned long long)fault->column, fault->text,
               fault->where);
}

/* ---- One game ------------------------------------------------------------------------------------------- */

/* Reads the only game of a text or file; the old contents of `game` are lost even on failure. */
bool EXPORT(game_read)(tby_game *game, size_t index, const char *s, size_t n)
{
    const tby_game_notation *notation = tby_game_notation_at(index);
    text_part source = {s, n};
    tby_game_fault fault = {0};
    tby_games *games = notation ? notation->open(text_part_read, &source, NULL) : NULL;
    if (!games)
        __builtin_trap();
    const tby_game_read read = tby_games_next(games, game, keep_first, &fault);
    const size_t end = (size_t)tby_games_where(games).end;
    const bool has_more = read == TBY_GAME_GOOD && tby_games_skip(games);
    tby_games_free(games);
    if (read == TBY_GAME_END)
        tby_game_clear(game);
    if (read == TBY_GAME_BAD) {
        buffer_clear(&answer);
        fault_object(&fault);
        return false;
    }
    return !has_more ||
           answer_fault(TBY_INVALID_TRAILING, end,
                        "a second game begins: open the file to choose one (in code, games() reads them all)");
}

/* Writes a whole file with only this game. */
bool EXPORT(game_write)(const tby_game *game, size_t index)
{
    const tby_game_notation *notation = tby_game_notation_at(index);
    tby_error err = {0};
    buffer_clear(&answer);
    if (notation->write_header)
        notation->write_header(buffer_sink, &answer);
    return notation->write(game, buffer_sink, &answer, &err) == TBY_OK || answer_error(&err);
}

/* ---- Files ---------------------------------------------------------------------------------------------- */

typedef struct file {
    text_part source;
    tby_games *games;
} file;

/* The index of the game notation that a name and the first bytes suggest; -1 if there is none. With `only_likely`,
   bytes that are just possibly games do not count. */
int EXPORT(file_guess)(const char *name, size_t n_name, const char *s, size_t n, bool only_likely)
{
    tby_likeness likeness = TBY_UNLIKE;
    const tby_game_notation *guess = tby_game_notation_guess(name, n_name, s, n, &likeness);
    if (!guess || (only_likely && likeness < TBY_LIKELY))
        return -1;
    for (size_t i = 0; tby_game_notation_at(i); i++)
        if (tby_game_notation_at(i) == guess)
            return (int)i;
    return -1;
}

/* The bytes must remain valid until file_close. */
file *EXPORT(file_open)(size_t index, const char *s, size_t n)
{
    file *f = memory_new(sizeof *f);
    f->source = (text_part){s, n};
    f->games = tby_game_notation_at(index)->open(text_part_read, &f->source, NULL);
    if (!f->games)
        __builtin_trap();
    return f;
}

void EXPORT(file_close)(file *f)
{
    tby_games_free(f->games);
    memory_free(f);
}

/* Reads the next game and returns a tby_game_read. The answer has its place and tags; for a bad game, the part before
   the fault, and the fault under "error". */
int EXPORT(file_next)(file *f, tby_game *game)
{
    tby_game_fault fault = {0};
    const tby_game_read read = tby_games_next(f->games, game, keep_first, &fault);
    if (read != TBY_GAME_GOOD && read != TBY_GAME_BAD)
        return (int)read;
    const tby_games_place place = tby_games_where(f->games);
    answer_begin("{");
    if (read == TBY_GAME_BAD) {
        answer_add("'error':");
        fault_object(&fault);
    }
    answer_add("'number':%llu,'begin':%llu,'end':%llu,'plies':%zu,'result':%s,'tags':",
               (unsigned long long)place.n_games, (unsigned long long)place.begin, (unsigned long long)place.end,
               tby_game_main_line(game, NULL, 0), tby_result_text(tby_game_result(game)));
    tby_json_write_tags(game, buffer_sink, &answer);
    answer_add("}");
    return (int)read;
}

/* Where to cut a part of a PGN file without cutting a game; 0 if there is no such place. */
size_t EXPORT(pgn_boundary)(const char *s, size_t n) { return tby_pgn_last_boundary(s, n); }
