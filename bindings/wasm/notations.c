/*
 * notations.c - the registry as JSON: the data a page needs to offer every notation of the library.
 */
#include "answer.h"

static void begin_notation(const char *name, const char *summary, const char *cannot_hold, bool reads)
{
    answer_add("{'name':%s,'summary':%s,'cannotHold':%s,'reads':%i", name, summary, cannot_hold, reads);
}

void EXPORT(registry)(void)
{
    const tby_position_notation *p;
    const tby_move_notation *m;
    const tby_game_notation *g;
    answer_begin("{'version':%s,'positions':[", tby_version());
    for (size_t i = 0; (p = tby_position_notation_at(i)); i++) {
        begin_notation(p->name, p->summary, p->cannot_hold, p->read != NULL);
        answer_add("'oneLine':%i}", p->one_line);
    }
    answer_add("],'moves':[");
    for (size_t i = 0; (m = tby_move_notation_at(i)); i++) {
        begin_notation(m->name, m->summary, m->cannot_hold, m->read != NULL);
        answer_add("'separator':%s}", m->separator);
    }
    answer_add("],'games':[");
    for (size_t i = 0; (g = tby_game_notation_at(i)); i++) {
        begin_notation(g->name, g->summary, g->cannot_hold, g->open != NULL);
        answer_add("'endings':%s,'binary':%i}", g->endings, g->is_binary);
    }
    answer_add("]}");
}
