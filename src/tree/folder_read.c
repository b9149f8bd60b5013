/*
 * folder_read.c - reads the folders of a tree into memory.
 *
 * All threads read the folders level by level, and collect what they find under a lock. Then everything is checked
 * (folder_check.c), and only without faults does it become a tree in memory. Faults are reported in order of node
 * number.
 */
#include "tree/folder_read.h"
#include "support/array.h"
#include "tree/team.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { STEP = 16 /* folders that a thread takes at a time */ };

typedef struct reading {
    found_tree found; /* changed by threads only with the team's lock */
    os_folder *folder;
} reading;

/* The data of a thread. */
typedef struct reader {
    team *team;
    reading *all;
    tby_tree_text *parser;
    buffer text;
    walk_list list;
    size_t place; /* of the node being read */
} reader;

/* ---- Faults -------------------------------------------------------------------------------------------- */

bool found_path(char out[TREE_PATH_SIZE], const found_tree *found, size_t place)
{
    char digits[16];
    size_t at = TREE_PATH_SIZE - 1;
    out[at] = '\0';
    for (size_t i = place; i != FOUND_NONE; i = found->nodes[i].parent) {
        const bool is_root = found->nodes[i].parent == FOUND_NONE;
        const size_t n = (size_t)snprintf(digits, sizeof digits, "%s%u", is_root ? "" : "/", found->nodes[i].text.id);
        if (n > at)
            return false;
        at -= n;
        memcpy(out + at, digits, n);
    }
    memmove(out, out + at, TREE_PATH_SIZE - at);
    return true;
}

/* The path consists of the tree's folder, the folder within it, and the file; both may be empty. */
static void add_fault(found_tree *found, tby_tree_id id, const char *folder, const char *file, size_t line,
                      const char *text)
{
    const size_t n = strlen(found->name) + strlen(folder) + strlen(file) + 3, n_text = strlen(text) + 1;
    char *path = malloc(n + n_text);
    char *to = path ? path + n : NULL;
    const found_fault fault = {.id = id, .line = line, .order = found->n_faults, .path = path, .text = to};
    if (path && array_add(&found->faults, &found->n_faults, &found->faults_cap, &fault, sizeof fault, NULL)) {
        snprintf(path, n, "%s%s%s%s%s", found->name, *folder ? "/" : "", folder, *file ? "/" : "", file);
        memcpy(to, text, n_text);
        return;
    }
    failure_no_memory(found->failure);
    free(path);
}

void found_fault_at(found_tree *found, tby_tree_id id, const char *path, const char *text)
{
    add_fault(found, id, path, "", 0, text);
}

void found_fault_add(found_tree *found, size_t place, size_t line, const char *format, ...)
{
    char path[TREE_PATH_SIZE] = "...", text[TBY_FAILURE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    found_path(path, found, place);
    add_fault(found, found->nodes[place].text.id, path, line ? TREE_INFO : "", line, text);
}

static int compare_faults(const void *a, const void *b)
{
    const found_fault *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void report_faults(found_tree *found, tby_tree_watcher on_fault, void *context)
{
    if (found->n_faults > 0)
        qsort(found->faults, found->n_faults, sizeof *found->faults, compare_faults);
    for (size_t i = 0; on_fault && i < found->n_faults; i++) {
        const tby_tree_fault fault = {found->faults[i].path, found->faults[i].line, found->faults[i].text};
        on_fault(context, &fault);
    }
}

static void found_free(found_tree *found)
{
    for (size_t i = 0; i < found->n_faults; i++)
        free(found->faults[i].path);
    for (size_t i = 0; i < found->n_nodes; i++)
        free(found->nodes[i].lists);
    free(found->faults);
    free(found->nodes);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static void add_folder(found_tree *found, tby_tree_id id, uint32_t parent)
{
    const uint32_t depth = parent == FOUND_NONE ? 0 : found->nodes[parent].depth + 1;
    const found_node node = {.text.id = id, .parent = parent, .depth = depth};
    if (tree_has_number(found->n_nodes, found->failure) &&
        !array_add(&found->nodes, &found->n_nodes, &found->nodes_cap, &node, sizeof node, NULL))
        failure_no_memory(found->failure);
}

/* Copies a list to `*at` and moves past it; an empty one may be NULL. */
static const void *keep_list(char **at, const void *list, size_t n)
{
    char *to = *at;
    if (n)
        memcpy(to, list, n);
    *at += n;
    return to;
}

/* All lists are in one block. Moves and numbers have the same alignment. */
static void keep_node(found_tree *found, size_t place, const tby_tree_node *node)
{
    found_node *to = &found->nodes[place];
    const size_t from = node->n_from * sizeof *node->from, moves = node->n_moves * sizeof *node->moves;
    char *at = to->lists = malloc(from + moves + node->n_comments + 1);
    if (!at) {
        failure_no_memory(found->failure);
        return;
    }
    to->text = *node;
    to->text.from = keep_list(&at, node->from, from);
    to->text.moves = keep_list(&at, node->moves, moves);
    to->text.comments = keep_list(&at, node->comments, node->n_comments);
    found->n_moves += node->n_moves;
    found->n_comments += node->n_comments;
}

static void read_text(reader *r, const char *folder)
{
    found_tree *found = &r->all->found;
    char path[TREE_PATH_SIZE + sizeof TREE_INFO];
    tby_failure why = {.status = TBY_OK};
    const tby_tree_node *node = NULL;
    size_t line = 1;
    snprintf(path, sizeof path, "%s/%s", folder, TREE_INFO);
    if (walk_read(&r->text, r->all->folder, path, &why))
        node = node_text_read(r->parser, r->text.s, r->text.n, &line, &why);
    os_mutex_lock(&r->team->lock);
    const tby_tree_id id = found->nodes[r->place].text.id;
    if (why.status == TBY_INVALID_TREE)
        found_fault_add(found, r->place, line, "%s", why.text);
    else if (!node)
        walk_fail_at(found->failure, found->name, path, &why);
    else if (node->id != id)
        found_fault_add(found, r->place, 1, "#%u in the folder of #%u", node->id, id);
    else
        keep_node(found, r->place, node);
    os_mutex_unlock(&r->team->lock);
}

static void report_stranger(void *context, const char *name, const char *text)
{
    reader *r = context;
    char folder[TREE_PATH_SIZE];
    found_tree *found = &r->all->found;
    os_mutex_lock(&r->team->lock);
    if (found_path(folder, found, r->place))
        add_fault(found, found->nodes[r->place].text.id, folder, name, 0, text);
    os_mutex_unlock(&r->team->lock);
}

static void read_folder(reader *r, size_t place)
{
    found_tree *found = &r->all->found;
    char path[TREE_PATH_SIZE];
    tby_failure why = {.status = TBY_OK};
    r->place = place;
    os_mutex_lock(&r->team->lock);
    const bool has_path = found_path(path, found, place);
    if (!has_path)
        found_fault_at(found, found->nodes[place].text.id, "", "folders are nested too deep");
    os_mutex_unlock(&r->team->lock);
    if (!has_path)
        return;
    read_text(r, path);
    const bool is_listed = walk_list_folder(&r->list, r->all->folder, path, report_stranger, r, &why);
    os_mutex_lock(&r->team->lock);
    if (!is_listed)
        walk_fail_at(found->failure, found->name, path, &why);
    for (size_t i = 0; is_listed && i < r->list.n; i++)
        add_folder(found, r->list.ids[i], (uint32_t)place);
    os_mutex_unlock(&r->team->lock);
}

static void read_some(void *context, unsigned number)
{
    team *t = context;
    reading *all = t->context;
    reader r = {.team = t, .all = all, .parser = tby_tree_text_new()};
    size_t place, end;
    while (r.parser && team_take(t, STEP, &place, &end)) {
        for (size_t i = place; i < end; i++)
            read_folder(&r, i);
        team_step(t, number, end - place);
    }
    if (!r.parser) {
        os_mutex_lock(&t->lock);
        failure_no_memory(t->failure);
        os_mutex_unlock(&t->lock);
    }
    tby_tree_text_free(r.parser);
    buffer_free(&r.text);
    free(r.list.ids);
}

static bool read_levels(reading *all, const tby_tree_work *work)
{
    found_tree *found = &all->found;
    team t = {.context = all, .work = work, .failure = found->failure};
    for (size_t level = 0; level < found->n_nodes; level = t.end) {
        t.total = found->n_nodes;
        if (!team_run(&t, read_some, level, found->n_nodes))
            return false;
    }
    return true;
}

/* Reports an unexpected entry in the outer folder, which contains only the root. */
static void tell_stranger_outside(void *context, const char *name, const char *text)
{
    reading *all = context;
    if (strcmp(name, TREE_UNFINISHED) == 0)
        text = "the tree is unfinished; repeat its command with --resume to complete it";
    found_fault_at(&all->found, 0, name, text);
}

static bool begin(reading *all)
{
    char name[16];
    tby_failure why = {.status = TBY_OK};
    walk_list list = {0};
    bool has_root = false;
    if (!walk_list_folder(&list, all->folder, ".", tell_stranger_outside, all, &why)) {
        free(list.ids);
        return failure_keep(all->found.failure, why.status, "%s: %s", all->found.name, why.text);
    }
    if (os_folder_has(all->folder, TREE_INFO))
        found_fault_at(&all->found, 0, TREE_INFO,
                       "does not belong to a node; the folder of a tree contains the folder 0");
    for (size_t i = 0; i < list.n; i++) {
        has_root |= list.ids[i] == 0;
        snprintf(name, sizeof name, "%u", list.ids[i]);
        if (list.ids[i] != 0)
            found_fault_at(&all->found, list.ids[i], name, "only the root, 0, may be here");
    }
    free(list.ids);
    if (!has_root)
        found_fault_at(&all->found, 0, "0", "the root is missing");
    return all->found.failure->status == TBY_OK;
}

/* ---- The tree ------------------------------------------------------------------------------------------ */

static bool keep_notes(tby_tree *tree, found_tree *found)
{
    tree->first_comment = calloc(tree->n_nodes + 1, sizeof *tree->first_comment);
    tree->comments = malloc(found->n_comments + 1);
    if (found->nodes[0].text.has_games)
        tree->results = calloc(tree->n_nodes, sizeof *tree->results);
    if (!tree->first_comment || !tree->comments || (found->nodes[0].text.has_games && !tree->results))
        return failure_no_memory(found->failure);
    size_t at = 0;
    for (size_t id = 0; id < tree->n_nodes; id++) {
        const tby_tree_node *node = &found->nodes[id].text;
        if (tree->results)
            memcpy(tree->results[id], node->results, sizeof node->results);
        tree->first_comment[id] = at;
        memcpy(tree->comments + at, node->comments, node->n_comments);
        at += node->n_comments;
    }
    tree->first_comment[tree->n_nodes] = at;
    return true;
}

/* The nodes are sorted and without faults. */
static tby_tree *make_tree(found_tree *found)
{
    tby_failure *f = found->failure;
    tby_tree *tree = tree_new(f);
    bool is_good = tree != NULL;
    for (size_t id = 0; is_good && id < found->n_nodes; id++) {
        const tby_tree_node *node = &found->nodes[id].text;
        is_good = tree_add_node(tree, &node->pos, found->nodes[id].parent, node->marks, f);
        for (size_t i = 0; is_good && i < node->n_moves; i++)
            is_good = tree_add_move(tree, node->moves[i].move, node->moves[i].node, f);
    }
    if (is_good && tree_close(tree, f) && keep_notes(tree, found)) {
        tree->root = tree->nodes[0].pos;
        return tree;
    }
    tby_tree_free(tree);
    return NULL;
}

static tby_tree *read_all(reading *all, const tby_tree_work *work)
{
    found_tree *found = &all->found;
    if (!begin(all))
        return NULL;
    if (found->n_faults == 0) {
        add_folder(found, 0, FOUND_NONE);
        if (!read_levels(all, work))
            return NULL;
        found_check(found);
    }
    if (found->n_faults > 0)
        failure_keep(found->failure, TBY_INVALID_TREE, "%s: %zu %s", found->name, found->n_faults,
                     found->n_faults == 1 ? "fault" : "faults");
    return found->failure->status == TBY_OK ? make_tree(found) : NULL;
}

tby_status tby_tree_read(tby_tree **out, const char *folder, uint64_t *n_faults, tby_tree_watcher on_fault,
                         void *fault_context, const tby_tree_work *work, tby_failure *failure)
{
    reading all = {.found = {.name = folder, .failure = failure_clear(failure)}};
    *out = NULL;
    *n_faults = 0;
    all.folder = walk_open(folder, all.found.failure);
    if (!all.folder)
        return all.found.failure->status;
    *out = read_all(&all, work);
    report_faults(&all.found, on_fault, fault_context);
    *n_faults = all.found.n_faults;
    os_folder_close(all.folder);
    found_free(&all.found);
    return failure_answer(all.found.failure, *out != NULL);
}
