/*
 * human.c - the fact `human`: nothing says that an engine played the game.
 *
 * Title    WhiteTitle or BlackTitle is BOT; WhiteType or BlackType is program, as the PGN standard has it.
 * Name     It has a word that no person is called by, or begins with the name of an engine that nobody shares. Others
 *          are people's names too (Fritz, Rybka): a name is an engine's if it consists of such a name, words that go
 *          with engines, and words with digits: Fritz, FRITZ6, Deep Fritz, Gambit Tiger 2.0, but not Meyer,Fritz.
 * Event    It has the words of a series for engines, or is called a computer event, or one of man against machine.
 */
#include "query/facts.h"
#include "query/fold.h"

#include <string.h>

/* Each word is followed by a NUL, as fold_words writes them. A list ends with an empty one. */
static const char sure_words[] = "comp\0computer\0program\0lc0\0";
static const char sure_beginnings[] =
    "alphazero\0chesstiger\0chessmaster\0glaurung\0hiarcs\0houdini\0komodo\0lczero\0leelachess\0stockfish\0";
static const char shared_names[] =
    "andscacs\0arasan\0crafty\0critter\0diep\0ethereal\0fritz\0fruit\0gandalf\0genius\0ginkgo\0gull\0hydra\0"
    "ivanhoe\0jonny\0junior\0kaissa\0leela\0mephisto\0naum\0nimzo\0pandix\0quark\0rebel\0ruffian\0rybka\0"
    "shredder\0sjeng\0spike\0tiger\0toga\0xiphos\0yace\0zappa\0";
static const char companions[] = "century\0chess\0deep\0engine\0gambit\0mp\0pro\0sse\0uci\0zero\0";
static const char events[] = "tcec\0ccrl\0cegt\0computer\0computers\0";

enum { LONGEST = 256 }; /* of a text, folded; longer ones say nothing */

static bool is_in(const char *list, const char *word, size_t n)
{
    for (; *list; list += strlen(list) + 1)
        if (strncmp(list, word, n) == 0 && !list[n])
            return true;
    return false;
}

static bool begins_with_one(const char *list, const char *word)
{
    for (; *list; list += strlen(list) + 1)
        if (strncmp(word, list, strlen(list)) == 0)
            return true;
    return false;
}

static bool is_engine(tby_text name)
{
    char words[LONGEST];
    bool has_shared = false, has_other = false, is_deep = false;
    const size_t n = name.s ? fold_words(words, sizeof words, name.s, name.n) : 0;
    for (const char *word = words; n <= sizeof words && word < words + n; word += strlen(word) + 1) {
        const size_t length = strlen(word), letters = strcspn(word, "0123456789");
        if (is_in(sure_words, word, length) || begins_with_one(sure_beginnings, word) ||
            (is_deep && is_in("blue\0thought\0", word, length)))
            return true;
        const bool is_shared = is_in(shared_names, word, letters);
        has_shared |= is_shared;
        has_other |= !is_shared && letters == length && !is_in(companions, word, length);
        is_deep = strcmp(word, "deep") == 0;
    }
    return has_shared && !has_other;
}

static bool is_for_engines(tby_text event)
{
    char words[LONGEST];
    bool has_man = false;
    const size_t n = event.s ? fold_words(words, sizeof words, event.s, event.n) : 0;
    for (const char *word = words; n <= sizeof words && word < words + n; word += strlen(word) + 1) {
        if (is_in(events, word, strlen(word)) || (has_man && strcmp(word, "machine") == 0))
            return true;
        has_man |= strcmp(word, "man") == 0;
    }
    return false;
}

static bool tag_is(const tby_row *row, const char *name, const char *value)
{
    json_text text;
    return row_other_tag(row, name, &text) && fold_has_words(text.s, text.n, value, strlen(value) + 1);
}

GAME_FACT(run_human)
{
    const tby_row *row = s->game->row;
    (void)node;
    return !is_engine(row->white) && !is_engine(row->black) && !is_for_engines(row->event) &&
           !tag_is(row, "WhiteTitle", "bot") && !tag_is(row, "BlackTitle", "bot") &&
           !tag_is(row, "WhiteType", "program") && !tag_is(row, "BlackType", "program");
}
