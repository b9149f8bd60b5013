/*
 * api_understand.c - /api/understand: what a text typed into the search field means, as parts, and what else it may mean.
 *
 *     {"query":"player ~\"carlsen\" date 2019","parts":[{"kind":"player","text":"carlsen","offset":0,"length":7,
 *      "query":"player ~\"carlsen\""},{"kind":"year",...}],"games":17,"others":[{"query":"event carlsen date 2019",...}]}
 *
 * Counting is limited in time, so that the answer comes while somebody types: what takes longer is null.
 */
#include "os/clock.h"
#include "site_games.h"

#include <string.h>

enum { COUNTING_MS = 50 };

/* Counts the games of a query until `end`; -1: not known. */
static int64_t count_until(games *g, const char *text, size_t n, int64_t end)
{
    const tby_query_options options = {.patterns = g->patterns ? g->patterns->text.s : NULL,
                                       .n_patterns = g->patterns ? g->patterns->text.n : 0};
    const int64_t deadline = g->deadline;
    int64_t count = -1;
    tby_query *made = clock_milliseconds() < end ? tby_query_new(text, n, &options, NULL, NULL) : NULL;
    const tby_db_search search = {.query = made, .n_threads = 1};
    g->deadline = end < deadline ? end : deadline;
    if (made && (tby_db_count(&count, g->db, &search) != TBY_OK || g->is_late))
        count = -1;
    g->deadline = deadline;
    g->is_late = g->is_left;
    tby_query_free(made);
    return count;
}

static void write_count(buffer *out, games *g, const buffer *text, int64_t end)
{
    const int64_t n = text->has_failed ? -1 : count_until(g, text->s, text->n, end);
    if (n < 0)
        json_add(out, "'games':null");
    else
        json_add(out, "'games':%lld", (long long)n);
}

void reading_write(buffer *out, const plain_reading *r)
{
    json_add(out, "'parts':[");
    for (size_t i = 0; i < r->n; i++) {
        const plain_part *p = &r->parts[i];
        buffer text = {0};
        plain_write_part(&text, r, p);
        json_add(out, "{'kind':%s,'text':%.*s,'offset':%zu,'length':%zu,'query':%s}", plain_kind_names[p->kind],
                 (int)p->n, r->text.s + p->at, p->at, p->n, text.s);
        buffer_free(&text);
    }
    json_add(out, "]");
}

/* The readings in which one part is something else. */
static void write_others(buffer *out, games *g, const plain_reading *of, int64_t end)
{
    json_add(out, "'others':[");
    for (size_t i = 0; i < of->n; i++)
        for (int kind = 0; kind < N_PLAIN_KINDS; kind++) {
            plain_reading other = *of;
            buffer text = {0};
            if (kind == (int)of->parts[i].kind || !(of->parts[i].kinds >> kind & 1))
                continue;
            other.parts[i].kind = (plain_kind)kind;
            plain_write(&text, &other);
            json_add(out, "{'query':%s", text.s);
            reading_write(out, &other);
            write_count(out, g, &text, end);
            buffer_string(out, "}");
            buffer_free(&text);
        }
    json_add(out, "]");
}

static bool write_understood(games *g, const question *q, const void *context)
{
    query *understood = (query *)context;
    buffer *out = &q->response->body;
    const tby_status status = plain_look_further(&understood->words, g->db);
    const int64_t end = clock_milliseconds() + COUNTING_MS;
    if (status != TBY_OK)
        return games_fail(g, q, status);
    json_add(out, "{'query':%s", understood->understood.s);
    reading_write(out, &understood->words);
    write_count(out, g, &understood->understood, end);
    write_others(out, g, &understood->words, end);
    buffer_string(out, "}\n");
    return !out->has_failed || problem_no_memory(q->problem);
}

bool answer_understand(games *g, const question *q)
{
    query_values values = {.who = "", .dashes = "", .patterns = g->patterns};
    query understood;
    if (!question_needed(&values.of[QUERY_TEXT], q, "text"))
        return false;
    games_start_clock(g, q->request);
    const bool is_read = query_read(&understood, &values, g->db, q->problem);
    g->asked_by = NULL;
    if (!is_read)
        return false;
    const bool is_good = understood.understood.n
                             ? games_answer(g, q, NULL, false, write_understood, &understood)
                             : problem_set(q->problem, PROBLEM_ASKED, "the parameter text is empty");
    query_free(&understood);
    return is_good;
}
