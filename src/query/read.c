/*
 * read.c - reads queries: sequences, brackets, and the words before and between facts.
 *
 *     query = chain { ";" [N] chain }        chain = step { "," step }        step = any [ "for" N { ["and"] game fact
 *     } ] any   = all { "or" all }               all   = fact { ["and"] fact }
 *     fact  = "not" fact | ("either" | "mirror" | "shift") fact | ("ever" | "never" | "always") fact | "(" query ")"
 *           | a named pattern | what read_fact.c reads
 *
 * Reads    blanks, tabs and line breaks between all of these; none is needed at a bracket. The N of ";N" follows the
 *          semicolon directly: "; 2 < Q" begins with a count.
 * Refuses  texts, nesting and numbers of facts beyond the limits of tabiya_query.h.
 * Keeps    recursion only as deep as TBY_QUERY_DEPTH_MAX allows.
 */
#include "query/read.h"
#include "base/contract.h"

static uint32_t read_query(query_reader *r);
static uint32_t read_one(query_reader *r);

/* ---- Nodes ---------------------------------------------------------------------------------------------- */

uint32_t query_put(query_reader *r, query_node *node, size_t at, const uint32_t *kids, size_t n_kids)
{
    if (!reader_is_good(r))
        return QUERY_NO_NODE;
    if (++*r->n_facts > TBY_QUERY_FACTS_MAX)
        return no_node(query_fail_status(r, TBY_TOO_LONG, "too many facts for one query"));
    node->at = (uint32_t)(r->part == TBY_QUERY_IN_TEXT ? at : 0);
    node->length = (uint32_t)(r->part == TBY_QUERY_IN_TEXT ? r->at - at : 0);
    const uint32_t id = query_tree_add(&r->query->allocator, &r->query->tree, node, kids, n_kids);
    if (id == QUERY_NO_NODE)
        query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    return id;
}

bool query_keep(query_reader *r, query_span *out, const char *s, size_t n)
{
    TBY_CONTRACT(s || n == 0);
    array_list *bytes = &r->query->bytes;
    char *to = array_list_room(&r->query->allocator, bytes, n + 1, 1);
    if (!to)
        return query_fail_status(r, TBY_NO_MEMORY, "out of memory");
    if (n > 0)
        memcpy(to, s, n);
    to[n] = '\0';
    *out = (query_span){(uint32_t)bytes->n, (uint32_t)n};
    bytes->n += n + 1;
    return true;
}

bool query_wait(query_reader *r, uint32_t id)
{
    return id != QUERY_NO_NODE && (array_list_add_id(&r->query->allocator, &r->waiting, id) ||
                                   query_fail_status(r, TBY_NO_MEMORY, "out of memory"));
}

/* Makes a node of the children that wait from `first` on. A single child needs no node around it. */
static uint32_t end_list(query_reader *r, query_type type, size_t first, size_t at)
{
    const size_t n = r->waiting.n - first;
    const uint32_t *kids = list_ids(&r->waiting, first);
    uint32_t id = reader_is_good(r) && n > 0 ? kids[0] : QUERY_NO_NODE;
    if (reader_is_good(r) && n > 1) {
        query_node node = node_of(type);
        id = query_put(r, &node, at, kids, n);
    }
    r->waiting.n = first;
    return id;
}

static uint32_t put_parent(query_reader *r, unsigned type, int64_t number, uint32_t kid, size_t at)
{
    query_node node = node_of(type);
    node.number = number;
    return kid == QUERY_NO_NODE ? kid : query_put(r, &node, at, &kid, 1);
}

uint32_t query_group(query_reader *r, uint32_t id, size_t at)
{
    const unsigned type = id == QUERY_NO_NODE ? Q_AND : tree_node(&r->query->tree, id)->type;
    return type == Q_SEQUENCE || type == Q_CHAIN || type == Q_FOR ? put_parent(r, Q_GROUP, 0, id, at) : id;
}

/* ---- Words ---------------------------------------------------------------------------------------------- */

/* The word here, if it is one that combines facts. */
static const query_fact *join_here(const query_reader *r)
{
    const size_t n = reader_run(r);
    const query_fact *word = n ? fact_find(r->s + r->at, n) : NULL;
    return word && fact_is_join(word) ? word : NULL;
}

static bool accept_join(query_reader *r, query_type type)
{
    reader_skip_blanks(r);
    const query_fact *word = join_here(r);
    if (!word || fact_type(word) != type)
        return false;
    r->at += strlen(word->word);
    return true;
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

static bool enter(query_reader *r)
{
    return ++r->depth <= TBY_QUERY_DEPTH_MAX ||
           query_fail_status(r, TBY_TOO_DEEP, "brackets, prefixes and sequences are nested too deep");
}

/* After "(". */
static uint32_t read_brackets(query_reader *r, size_t at)
{
    const uint32_t id = enter(r) ? read_query(r) : QUERY_NO_NODE;
    r->depth--;
    if (id == QUERY_NO_NODE)
        return id;
    reader_skip_blanks(r);
    if (!reader_accept(r, ')')) {
        if (reader_is_at_end(r))
            query_fail(r, at, 1, "this bracket is never closed: \")\" was expected");
        else
            query_expect(r, "\")\"");
        return QUERY_NO_NODE;
    }
    return query_group(r, id, at);
}

static uint32_t read_prefix(query_reader *r, const query_fact *word, size_t at)
{
    const uint32_t id = enter(r) ? read_one(r) : QUERY_NO_NODE;
    r->depth--;
    return put_parent(r, fact_type(word), 0, id, at);
}

static uint32_t read_pattern(query_reader *r, int32_t index, size_t at)
{
    query_node node = node_of(Q_PATTERN);
    const tby_text name = ((const query_pattern *)r->patterns->items)[index].name;
    const uint32_t kid = query_pattern_read(r, index, at);
    if (kid == QUERY_NO_NODE || !query_keep(r, &node.u.t.text, name.s, name.n))
        return QUERY_NO_NODE;
    return query_put(r, &node, at, &kid, 1);
}

/* May the text here directly follow a fact? */
static bool is_fact_end(const query_reader *r)
{
    const char c = reader_peek(r, 0);
    return reader_is_at_end(r) || is_blank(c) || c == '(' || c == ')' || c == ',' || c == ';';
}

static uint32_t read_one(query_reader *r)
{
    uint32_t id;
    reader_skip_blanks(r);
    const size_t at = r->at, n = reader_run(r);
    const query_fact *word = n ? fact_find(r->s + at, n) : NULL;
    const int32_t pattern = n && !word ? query_pattern_find(r, r->s + at, n) : -1;
    if (reader_accept(r, '(')) {
        id = read_brackets(r, at);
    } else if (word && word->value == VALUE_PREFIX) {
        r->at += n;
        id = read_prefix(r, word, at);
    } else if (word && fact_is_join(word)) {
        query_expect(r, "a fact");
        return QUERY_NO_NODE;
    } else if (pattern >= 0) {
        r->at += n;
        id = read_pattern(r, pattern, at);
    } else if (word && word->value != VALUE_SUM) {
        r->at += n;
        id = query_read_word(r, word, at);
        if (id == QUERY_NO_NODE && !r->err->field)
            r->err->field = word->word;
    } else {
        id = query_read_fact(r);
    }
    if (id != QUERY_NO_NODE && !is_fact_end(r))
        return no_node(query_expect(r, "a blank"));
    return id;
}

/* ---- Facts side by side --------------------------------------------------------------------------------- */

/* Does another fact follow? */
static bool has_more(query_reader *r)
{
    reader_skip_blanks(r);
    const char c = reader_peek(r, 0);
    if (reader_is_at_end(r) || c == ')' || c == ',' || c == ';')
        return false;
    const query_fact *word = join_here(r);
    return !word || word->value == VALUE_ATTACKS;
}

/* Reads one or more parts, as long as another follows, and makes a node of them. */
static uint32_t read_list(query_reader *r, query_type type, uint32_t (*read)(query_reader *r),
                          bool (*goes_on)(query_reader *r))
{
    const size_t first = r->waiting.n;
    reader_skip_blanks(r);
    const size_t at = r->at;
    while (query_wait(r, read(r)) && goes_on(r))
        ;
    return end_list(r, type, first, at);
}

static bool accept_and(query_reader *r) { return accept_join(r, Q_AND) || has_more(r); }
static bool accept_or(query_reader *r) { return accept_join(r, Q_OR); }
static bool accept_comma(query_reader *r) { return reader_skip_blanks(r), reader_accept(r, ','); }

static uint32_t read_all(query_reader *r) { return read_list(r, Q_AND, read_one, accept_and); }
static uint32_t read_any(query_reader *r) { return read_list(r, Q_OR, read_all, accept_or); }

/* ---- Sequences ------------------------------------------------------------------------------------------ */

/* A number of plies, at least 1. */
static bool read_plies(query_reader *r, int64_t *out)
{
    const size_t at = r->at;
    if (!is_digit(reader_peek(r, 0)))
        return query_expect(r, "a number of plies");
    if (!query_read_number(r, out))
        return false;
    return *out >= 1 || query_fail(r, at, r->at - at, "at least 1 ply was expected, not 0");
}

/* Is it only about the game, whatever the ply? */
static bool is_about_game(const query_tree *tree, uint32_t id)
{
    const query_node *node = tree_node(tree, id);
    const unsigned scope = fact_of_node(node)->scope;
    if (scope == SCOPE_GAME)
        return true;
    if (scope != SCOPE_NODES || node->type == Q_SEQUENCE || node->type == Q_CHAIN || node->type == Q_GROUP)
        return false;
    for (uint32_t i = 0; i < node->n_kids; i++)
        if (!is_about_game(tree, tree_kid(tree, node, i)))
            return false;
    return true;
}

/* The text of a step: its facts, and its "for N". */
typedef struct step_text {
    tby_text facts, length;
    bool is_or;
} step_text;

/* Shows the step with the fact before "for N", if it is short enough. */
static bool fail_after_for(query_reader *r, size_t at, const step_text *step)
{
    enum { SHOWN = 60 };
    const size_t n = r->at - at;
    if (step->facts.n > SHOWN || n > SHOWN || step->length.n > SHOWN)
        return query_fail(r, at, n,
                          "after \"for N\" only facts about the game can follow: put this before \"for\", or after "
                          "\",\" or \";\" as a step of its own");
    return query_fail(r, at, n,
                      "after \"for N\" only facts about the game can follow: write %s%.*s%s %.*s %.*s, or put this "
                      "after \",\" or \";\" as a step of its own",
                      step->is_or ? "(" : "", (int)step->facts.n, step->facts.s, step->is_or ? ")" : "", (int)n,
                      r->s + at, (int)step->length.n, step->length.s);
}

static bool read_game_fact(query_reader *r, const step_text *step)
{
    reader_skip_blanks(r);
    const size_t at = r->at;
    const uint32_t id = read_one(r);
    if (id == QUERY_NO_NODE)
        return false;
    return is_about_game(&r->query->tree, id) ? query_wait(r, id) : fail_after_for(r, at, step);
}

/* Facts about the game after "for N" hold at every ply or at none, so they are joined to the facts before it. */
static uint32_t read_game_facts(query_reader *r, uint32_t id, size_t at, const step_text *step)
{
    const size_t first = r->waiting.n;
    const query_tree *tree = &r->query->tree;
    if (!accept_and(r))
        return id;
    const uint32_t n_kids = tree_node(tree, id)->type == Q_AND ? tree_node(tree, id)->n_kids : 0;
    bool is_good = n_kids > 0 || query_wait(r, id);
    for (uint32_t i = 0; i < n_kids && is_good; i++)
        is_good = query_wait(r, tree_kid(tree, tree_node(tree, id), i));
    while (is_good && read_game_fact(r, step) && accept_and(r))
        ;
    return end_list(r, Q_AND, first, at);
}

static uint32_t read_step(query_reader *r)
{
    int64_t plies = 0;
    reader_skip_blanks(r);
    const size_t at = r->at;
    uint32_t id = read_any(r);
    step_text text = {.facts = {r->s + at, r->at - at}};
    while (text.facts.n && is_blank(text.facts.s[text.facts.n - 1]))
        text.facts.n--;
    reader_skip_blanks(r);
    text.length.s = r->s + r->at;
    if (id == QUERY_NO_NODE || !accept_join(r, Q_FOR))
        return id;
    reader_skip_blanks(r);
    if (!read_plies(r, &plies))
        return QUERY_NO_NODE;
    if (!is_fact_end(r))
        return no_node(query_expect(r, "a number of plies"));
    text.length.n = (size_t)(r->s + r->at - text.length.s);
    text.is_or = tree_node(&r->query->tree, id)->type == Q_OR;
    id = read_game_facts(r, id, at, &text);
    const uint32_t step = put_parent(r, Q_FOR, plies, id, at);
    if (step != QUERY_NO_NODE && join_here(r))
        return no_node(query_expect(r, "\"for N\" ends its step: \",\", \";\" or the end"));
    return step;
}

static uint32_t read_chain(query_reader *r) { return read_list(r, Q_CHAIN, read_step, accept_comma); }

/* A ; B ; C is A ; (B ; C): the chains are read first, with their distances, and joined from the right. */
static uint32_t read_query(query_reader *r)
{
    const size_t first = r->waiting.n;
    const unsigned depth = r->depth;
    reader_skip_blanks(r);
    const size_t at = r->at;
    for (;;) {
        int64_t plies = 0;
        if (!query_wait(r, read_chain(r)))
            break;
        reader_skip_blanks(r);
        if (!reader_accept(r, ';'))
            break;
        if ((is_digit(reader_peek(r, 0)) && !read_plies(r, &plies)) || !query_wait(r, (uint32_t)plies) || !enter(r))
            break;
    }
    r->depth = depth;
    const uint32_t *list = list_ids(&r->waiting, first);
    size_t n = r->waiting.n - first;
    uint32_t id = reader_is_good(r) && n % 2 == 1 ? list[n - 1] : QUERY_NO_NODE;
    while (id != QUERY_NO_NODE && n > 2) {
        n -= 2;
        query_node node = node_of(Q_SEQUENCE);
        node.number = list[n];
        const uint32_t kids[2] = {list[n - 1], id};
        id = query_put(r, &node, at, kids, 2);
    }
    r->waiting.n = first;
    return id;
}

uint32_t query_read_text(query_reader *r)
{
    if (r->n > TBY_QUERY_TEXT_MAX)
        return no_node(query_fail_status(r, TBY_TOO_LONG, "the text is too long for a query"));
    const uint32_t id = read_query(r);
    reader_skip_blanks(r);
    if (id == QUERY_NO_NODE || reader_is_at_end(r))
        return id;
    if (reader_peek(r, 0) == ')')
        query_fail(r, r->at, 1, "this bracket was never opened");
    else
        query_expect(r, "the end");
    return QUERY_NO_NODE;
}
