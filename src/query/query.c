/*
 * query.c - makes queries from text, and query text from values.
 */
#include "query/fold.h"
#include "query/read.h"

uint32_t query_tree_add(const tby_allocator *allocator, query_tree *tree, const query_node *node, const uint32_t *kids,
                        size_t n_kids)
{
    TBY_CONTRACT(n_kids == 0 || kids);
    query_node *to = array_list_room(allocator, &tree->nodes, 1, sizeof *to);
    uint32_t *list = n_kids ? array_list_room(allocator, &tree->kids, n_kids, sizeof *list) : NULL;
    if (!to || (n_kids && !list))
        return QUERY_NO_NODE;
    *to = *node;
    to->first_kid = n_kids ? (uint32_t)tree->kids.n : 0;
    to->n_kids = (uint32_t)n_kids;
    if (n_kids)
        memcpy(list, kids, n_kids * sizeof *kids);
    tree->kids.n += n_kids;
    return (uint32_t)tree->nodes.n++;
}

void query_tree_free(const tby_allocator *allocator, query_tree *tree)
{
    array_list_free(allocator, &tree->nodes, sizeof(query_node));
    array_list_free(allocator, &tree->kids, sizeof(uint32_t));
}

/* ---- Making --------------------------------------------------------------------------------------------- */

static tby_query *query_empty(const tby_allocator *allocator)
{
    const tby_allocator a = allocator_or_default(allocator);
    tby_query *q = alloc_new(a, sizeof *q);
    if (q)
        q->allocator = a;
    return q;
}

void tby_query_free(tby_query *q)
{
    if (!q)
        return;
    const tby_allocator a = q->allocator;
    query_tree_free(&a, &q->tree);
    query_tree_free(&a, &q->program);
    array_list_free(&a, &q->bytes, 1);
    alloc_free(a, q, sizeof *q);
}

/* Reads one of the two texts; `is_missing` if it is blank. */
static uint32_t read_part(query_reader *r, tby_query_part part, const char *s, size_t n, bool *is_missing)
{
    r->part = part;
    r->s = s;
    r->n = n;
    r->at = r->base = 0;
    reader_skip_blanks(r);
    *is_missing = reader_is_at_end(r);
    return *is_missing ? QUERY_NO_NODE : query_read_text(r);
}

/* Reads the query, the further facts, or both. */
static uint32_t read_parts(query_reader *r, const char *s, size_t n)
{
    bool has_no_facts, has_no_text;
    const uint32_t facts = read_part(r, TBY_QUERY_IN_FACTS, r->options->facts, r->options->n_facts, &has_no_facts);
    if (!reader_is_good(r))
        return QUERY_NO_NODE;
    const uint32_t text = read_part(r, TBY_QUERY_IN_TEXT, s, n, &has_no_text);
    if (has_no_text && has_no_facts)
        query_expect(r, "a query");
    if (!reader_is_good(r) || has_no_facts || has_no_text)
        return has_no_text ? facts : text;
    const uint32_t kids[2] = {query_group(r, facts, 0), query_group(r, text, 0)};
    query_node node = node_of(Q_AND);
    return query_put(r, &node, 0, kids, 2);
}

/* False if the text is not a query: `err` says why. */
static bool read_text(tby_query *q, const char *s, size_t n, const tby_query_options *options, tby_query_error *err)
{
    size_t n_facts = 0;
    array_list patterns = {NULL, 0, 0};
    query_reader r = {.query = q, .options = options, .patterns = &patterns, .n_facts = &n_facts, .err = err};
    if (query_patterns_begin(&r))
        q->tree.root = read_parts(&r, s, n);
    array_list_free(&q->allocator, &r.waiting, sizeof(uint32_t));
    array_list_free(&q->allocator, &patterns, sizeof(query_pattern));
    return reader_is_good(&r);
}

/* Sets line and column of the error, counting UTF-8 characters. */
static void find_place(tby_query_error *err, const char *s, size_t n)
{
    err->line = err->column = 1;
    for (size_t i = 0; i < err->offset && i < n; i++) {
        err->line += s[i] == '\n';
        err->column = s[i] == '\n' ? 1 : err->column + (((unsigned char)s[i] & 0xc0) != 0x80);
    }
}

/* The program that is run; none where queries are only read and explained. */
static bool make_program(tby_query *q, tby_query_error *err)
{
#ifdef TBY_QUERY_TEXT_ONLY
    return (void)q, (void)err, true;
#else
    return query_compile(q, err);
#endif
}

tby_query *tby_query_new(const char *s, size_t n, const tby_query_options *options, const tby_allocator *allocator,
                         tby_query_error *err)
{
    TBY_CONTRACT(s || n == 0);
    static const tby_query_options none = {.patterns = NULL};
    tby_query_error ignored;
    err = err ? err : &ignored;
    *err = (tby_query_error){.status = TBY_OK};
    tby_query *q = query_empty(allocator);
    if (!q) {
        *err = (tby_query_error){.status = TBY_NO_MEMORY, .text = "out of memory"};
        return NULL;
    }
    options = options ? options : &none;
    if (read_text(q, s, n, options, err) && make_program(q, err))
        return q;
    const tby_text parts[] = {[TBY_QUERY_IN_TEXT] = {s, n},
                              [TBY_QUERY_IN_PATTERNS] = {options->patterns, options->n_patterns},
                              [TBY_QUERY_IN_FACTS] = {options->facts, options->n_facts}};
    find_place(err, parts[err->part].s, parts[err->part].n);
    tby_query_free(q);
    return NULL;
}

unsigned tby_query_needs(const tby_query *q) { return q->needs; }

bool tby_query_player_at(const tby_query *q, size_t index, tby_text *name)
{
    for (uint32_t id = 0; id < q->tree.nodes.n; id++) {
        const query_node *node = tree_node(&q->tree, id);
        if (node->way == TEXT_WORDS && node->u.t.folded.n && fact_is_of_player(fact_of_node(node)) && index-- == 0) {
            *name = (tby_text){query_bytes(q, node->u.t.text), node->u.t.text.n};
            return true;
        }
    }
    return false;
}

/* ---- Making text ---------------------------------------------------------------------------------------- */

/* Room for `n` more bytes, a blank and a NUL; NULL if out of memory. */
static char *text_room(tby_query_text *t, size_t n)
{
    if (!array_reserve(&t->s, &t->cap, t->n + n + 2, 1, t->allocator)) {
        t->has_no_memory = true;
        return NULL;
    }
    if (t->n > 0)
        t->s[t->n++] = ' ';
    return t->s + t->n;
}

void tby_query_text_add(tby_query_text *t, const char *word, const char *value, size_t n)
{
    const size_t n_word = strlen(word), n_value = tby_query_quote(NULL, 0, value, n);
    char *to = text_room(t, n_word + 1 + n_value);
    if (!to)
        return;
    memcpy(to, word, n_word);
    to[n_word] = ' ';
    tby_query_quote(to + n_word + 1, n_value + 1, value, n);
    t->n += n_word + 1 + n_value;
}

void tby_query_text_free(tby_query_text *t)
{
    alloc_free(allocator_or_default(t->allocator), t->s, t->cap);
    *t = (tby_query_text){.allocator = t->allocator};
}

tby_query_game tby_query_game_of_row(const tby_row *row, tby_game_id id)
{
    return (tby_query_game){
        .moves = (const uint8_t *)row->moves.s,
        .n_moves = row->moves.n,
        .annotated = (const uint8_t *)row->annotated.s,
        .n_annotated = row->annotated.n,
        .row = row,
        .id = id,
    };
}

size_t tby_query_words(char *buf, size_t cap, const char *s, size_t n) { return fold_words(buf, cap, s, n); }

/* ---- The conditions of a query, with their places in the text ---------------------------------------------------- */

/* Splits the text of a condition into its word and its value, if it begins with a word. */
static void split(tby_query_condition *out, const tby_query *query, const query_node *node, const char *s)
{
    const query_reader r = {.s = s, .n = node->length, .at = 0};
    const unsigned value = fact_of_node(node)->value;
    const bool is_text = value == VALUE_TEXT && node->type != Q_PATTERN;
    size_t n = reader_run(&r);
    if (n == 0 || (node->type != Q_PATTERN && value != VALUE_PREFIX && value < VALUE_NONE))
        return;
    out->word = (tby_text){s, n};
    while (n < node->length && is_blank(s[n]))
        n++;
    out->value = (tby_text){s + n, node->length - n};
    if (is_text)
        out->name = (tby_text){query_bytes(query, node->u.t.text), node->u.t.text.n};
}

/* Brackets around the condition belong to it. */
static void take_brackets(tby_query_condition *c, const char *s, size_t n)
{
    for (;;) {
        size_t begin = c->offset, end = c->offset + c->length;
        while (begin > 0 && is_blank(s[begin - 1]))
            begin--;
        while (end < n && is_blank(s[end]))
            end++;
        if (begin == 0 || end == n || s[begin - 1] != '(' || s[end] != ')')
            return;
        c->offset = begin - 1;
        c->length = end + 1 - c->offset;
    }
}

bool tby_query_condition_at(const tby_query *query, const char *s, size_t n, size_t index, tby_query_condition *out)
{
    const query_tree *tree = &query->tree;
    const query_node *root = tree_node(tree, tree->root);
    const bool is_list = root->type == Q_AND;
    for (uint32_t i = 0; i < (is_list ? root->n_kids : 1); i++) {
        const query_node *node = is_list ? tree_node(tree, tree_kid(tree, root, i)) : root;
        if (node->length == 0 || node->at + node->length > n || index-- > 0)
            continue;
        *out = (tby_query_condition){.offset = node->at, .length = node->length};
        split(out, query, node, s + node->at);
        take_brackets(out, s, n);
        return true;
    }
    return false;
}
