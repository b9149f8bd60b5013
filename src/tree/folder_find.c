/*
 * folder_find.c - looks up single nodes of a folder, without reading the rest of it.
 *
 * The folder of a number is found from the order of the numbers. They are assigned breadth first, so at any depth all
 * numbers under one child of a node are smaller than those under the next:
 *
 *     0 -+- 1 -+- 21 -+- 421 ...        at depth 2: 21 .. 40 under 1, 41 .. 60 under 2
 *        |     +- 22 ...                the depth of a number: the last depth whose first number is not larger
 *        +- 2 --- 41 ...
 */
#include "tree/folder_walk.h"

#include <stdio.h>
#include <string.h>

struct tby_tree_reader {
    char *name;
    os_folder *folder;
    tby_tree_text *parser;
    buffer text;
    char path[TREE_PATH_SIZE]; /* of the node's folder */
    char file[TREE_PATH_SIZE]; /* its text, with the name of the whole */
};

tby_status tby_tree_reader_open(tby_tree_reader **out, const char *folder, tby_failure *failure)
{
    failure_clear(failure);
    tby_tree_reader *reader = calloc(1, sizeof *reader);
    *out = NULL;
    if (!reader)
        return failure_answer(failure, failure_no_memory(failure));
    reader->folder = walk_open(folder, failure);
    reader->name = strdup(folder);
    reader->parser = tby_tree_text_new();
    if (!reader->name || !reader->parser)
        failure_no_memory(failure);
    if (failure->status == TBY_OK)
        *out = reader;
    else
        tby_tree_reader_close(reader);
    return failure->status;
}

void tby_tree_reader_close(tby_tree_reader *reader)
{
    if (!reader)
        return;
    os_folder_close(reader->folder);
    tby_tree_text_free(reader->parser);
    buffer_free(&reader->text);
    free(reader->name);
    free(reader);
}

const char *tby_tree_reader_path(const tby_tree_reader *reader) { return reader->file; }

/* ---- Finding ------------------------------------------------------------------------------------------- */

/* Appends a number to `path`; returns the previous length, to remove it again. 0 if it does not fit. */
static size_t path_add(char path[TREE_PATH_SIZE], tby_tree_id id)
{
    const size_t n = strlen(path);
    const int added = snprintf(path + n, TREE_PATH_SIZE - n, "/%u", id);
    if (added > 0 && (size_t)added < TREE_PATH_SIZE - n)
        return n;
    path[n] = '\0';
    return 0;
}

static bool is_folder(const tby_tree_reader *reader, const char *path)
{
    os_about about;
    return os_folder_about(&about, reader->folder, path) && about.kind == OS_FOLDER;
}

static bool list_folder(const tby_tree_reader *reader, const char *path, walk_list *out, tby_failure *f)
{
    tby_failure why = {.status = TBY_OK};
    return walk_list_folder(out, reader->folder, path, NULL, NULL, &why) || walk_fail_at(f, reader->name, path, &why);
}

/* The first number `depth` levels below `path`, which is not changed; TBY_TREE_NONE if there is none. */
static tby_tree_id first_below(const tby_tree_reader *reader, char path[TREE_PATH_SIZE], tby_tree_id id, unsigned depth,
                               tby_failure *f)
{
    walk_list list = {0};
    tby_tree_id first = TBY_TREE_NONE;
    if (depth == 0)
        return id;
    if (list_folder(reader, path, &list, f))
        for (size_t i = 0; i < list.n && first == TBY_TREE_NONE; i++) {
            const size_t n = path_add(path, list.ids[i]);
            if (n == 0)
                break;
            first = first_below(reader, path, list.ids[i], depth - 1, f);
            path[n] = '\0';
        }
    free(list.ids);
    return first;
}

/* Goes from `path` one level down towards `id`, which is `depth` levels below. */
static bool step_down(const tby_tree_reader *reader, char path[TREE_PATH_SIZE], tby_tree_id id, unsigned depth,
                      tby_failure *f)
{
    walk_list list = {0};
    bool is_found = false;
    if (list_folder(reader, path, &list, f))
        for (size_t i = list.n; i-- > 0 && !is_found;) {
            const size_t n = path_add(path, list.ids[i]);
            if (n == 0)
                break;
            const tby_tree_id first = first_below(reader, path, list.ids[i], depth - 1, f);
            is_found = first != TBY_TREE_NONE && first <= id;
            if (!is_found)
                path[n] = '\0';
        }
    free(list.ids);
    return is_found;
}

static bool find(const tby_tree_reader *reader, char path[TREE_PATH_SIZE], tby_tree_id id, tby_failure *f)
{
    unsigned depth = 0;
    tby_tree_id first;
    strcpy(path, "0");
    while ((first = first_below(reader, path, 0, depth + 1, f)) != TBY_TREE_NONE && first <= id)
        depth++;
    for (; depth > 0 && f->status == TBY_OK; depth--)
        if (!step_down(reader, path, id, depth, f))
            return false;
    const char *slash = strrchr(path, '/');
    return f->status == TBY_OK && strtoul(slash ? slash + 1 : path, NULL, 10) == id;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static const tby_tree_node *read_node(tby_tree_reader *reader, tby_tree_id id, tby_failure *f)
{
    char file[TREE_PATH_SIZE + sizeof TREE_INFO];
    tby_failure why = {.status = TBY_OK};
    const tby_tree_node *node = NULL;
    size_t line = 0;
    snprintf(file, sizeof file, "%s/%s", reader->path, TREE_INFO);
    snprintf(reader->file, sizeof reader->file, "%s/%.*s", reader->name, TREE_PATH_SIZE / 2, file);
    if (walk_read(&reader->text, reader->folder, file, &why))
        node = node_text_read(reader->parser, reader->text.s, reader->text.n, &line, &why);
    if (node && node->id != id) {
        node = NULL;
        line = 1;
        failure_keep(&why, TBY_INVALID_TREE, "#%u expected", id);
    }
    if (!node && line && why.status == TBY_INVALID_TREE)
        failure_keep(f, TBY_INVALID_TREE, "%s:%zu: %s", reader->file, line, why.text);
    else if (!node)
        walk_fail_at(f, reader->name, file, &why);
    return node;
}

tby_status tby_tree_reader_root(const tby_tree_node **out, tby_tree_reader *reader, tby_failure *failure)
{
    failure_clear(failure);
    strcpy(reader->path, "0");
    *out = read_node(reader, 0, failure);
    return failure_answer(failure, *out != NULL);
}

static bool find_or_fail(tby_tree_reader *reader, tby_tree_id id, tby_failure *f)
{
    return find(reader, reader->path, id, f) ||
           failure_keep(f, TBY_NOT_FOUND, "%s: no folder of node #%u was found%s", reader->name, id,
                        walk_is_unfinished(reader->folder)
                            ? "; the tree is unfinished: repeat its command with --resume to complete it"
                            : "");
}

tby_status tby_tree_reader_follow(const tby_tree_node **out, tby_tree_reader *reader, tby_tree_id id,
                                  tby_failure *failure)
{
    failure_clear(failure);
    const size_t n = path_add(reader->path, id);
    bool is_found = n > 0 && is_folder(reader, reader->path);
    if (!is_found) {
        reader->path[n] = '\0';
        is_found = find_or_fail(reader, id, failure);
    }
    *out = is_found ? read_node(reader, id, failure) : NULL;
    return failure_answer(failure, *out != NULL);
}
