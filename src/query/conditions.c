/*
 * conditions.c - what a query consists of: the conditions that must all hold, with their places in the text.
 */
#include "query/read.h"

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
