/*
 * folder_write.c - writes a tree as folders, and resumes interrupted writing.
 *
 *     DIR/unfinished        while it is written: which tree this is
 *     DIR/0/info.txt        the root
 *     DIR/0/1/21/info.txt   a node, in the folder of the node from which it was first reached
 *
 * All threads write a level together when the level before it is complete. If writing stops, by force or for lack of
 * space, the file `unfinished` remains; writing the same tree with `resumes` compares every existing text, so it does
 * not matter how far it got. In a folder that is still empty it starts from the beginning.
 */
#include "os/folder.h"
#include "support/buffer.h"
#include "tree/folder_walk.h"
#include "tree/team.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { STEP = 16 /* nodes that a thread takes at a time */ };

typedef struct writing {
    const tby_tree *tree;
    const char *name; /* of the folder */
    os_folder *folder;
    bool resumes;
    tby_failure *failure;
} writing;

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool write_file(const os_folder *folder, const char *path, int how, const char *s, size_t n)
{
    const int file = os_folder_open_file(folder, path, OS_WRITE | OS_CREATE | OS_NO_LINK | how);
    if (file < 0)
        return false;
    if (!os_write_at(file, s, n, 0)) {
        const int why = errno;
        os_close(file);
        errno = why;
        return false;
    }
    return os_close(file);
}

/* Is there a file with exactly these bytes? If not, errno is 0 or says why it cannot be read. */
static bool has_file(const os_folder *folder, const char *path, const char *s, size_t n)
{
    char part[1 << 14];
    const int file = os_folder_open_file(folder, path, OS_READ | OS_NO_LINK | OS_NO_WAIT);
    size_t at = 0;
    ptrdiff_t got;
    if (file < 0)
        return false;
    do {
        got = os_read(file, part, sizeof part);
        if (got > 0 && ((size_t)got > n - at || memcmp(part, s + at, (size_t)got) != 0))
            break;
        at += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    const int why = got < 0 ? errno : 0;
    os_close(file);
    errno = why;
    return got == 0 && at == n;
}

/* ---- Nodes --------------------------------------------------------------------------------------------- */

static void folder_write_fail(team *t, const char *path, tby_status status, const char *why)
{
    const writing *w = t->context;
    os_mutex_lock(&t->lock);
    failure_keep(t->failure, status, "%s/%s: cannot be written: %s", w->name, path, why);
    os_mutex_unlock(&t->lock);
    atomic_store(&t->stops, true);
}

static void write_node(team *t, size_t id, buffer *text)
{
    writing *w = t->context;
    char path[TREE_PATH_SIZE + sizeof TREE_INFO];
    tby_tree_node node;
    tby_tree_node_at(&node, w->tree, (tby_tree_id)id);
    const size_t n = tree_path(path, w->tree, id);
    buffer_clear(text);
    if (n == 0 || n + sizeof TREE_INFO >= TREE_PATH_SIZE) {
        snprintf(path, sizeof path, "(node #%zu)", id);
        folder_write_fail(t, path, TBY_TOO_DEEP, "the tree is too deep for folders");
    } else if (!tby_tree_node_write(&node, buffer_sink, text)) {
        folder_write_fail(t, path, TBY_NO_MEMORY, "out of memory");
    } else if (!os_folder_make_in(w->folder, path) && !(errno == EEXIST && w->resumes)) {
        folder_write_fail(t, path, failure_of_errno(errno), strerror(errno));
    } else {
        memcpy(path + n, "/" TREE_INFO, sizeof TREE_INFO + 1);
        if (w->resumes && has_file(w->folder, path, text->s, text->n))
            return;
        if (!write_file(w->folder, path, w->resumes ? OS_EMPTY : OS_NEW, text->s, text->n))
            folder_write_fail(t, path, failure_of_errno(errno), strerror(errno));
    }
}

static void write_some(void *context, unsigned number)
{
    team *t = context;
    buffer text = {0};
    size_t id, end;
    while (team_take(t, STEP, &id, &end)) {
        for (size_t i = id; i < end && !atomic_load(&t->stops); i++)
            write_node(t, i, &text);
        team_step(t, number, end - id);
    }
    buffer_free(&text);
}

static bool write_levels(writing *w, const tby_tree_work *work)
{
    const tby_tree *tree = w->tree;
    team t = {.context = w, .work = work, .total = tree->n_nodes, .failure = w->failure};
    for (size_t id = 0, end; id < tree->n_nodes; id = end) {
        end = id + 1;
        while (end < tree->n_nodes && tree->nodes[end].depth == tree->nodes[id].depth)
            end++;
        if (!team_run(&t, write_some, id, end))
            return false;
    }
    return true;
}

/* ---- The folder ---------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

/* A hash that identifies a tree. */
static uint64_t tree_hash(const tby_tree *tree)
{
    uint64_t hash = tree->n_moves;
    for (size_t id = 0; id < tree->n_nodes; id++) {
        const tree_node *node = &tree->nodes[id];
        hash = mix(mix(hash, tby_position_key(&node->pos)), node->pos.clock | (uint64_t)node->marks << 32);
        for (int i = 0; tree->results && i < 4; i++)
            hash = mix(hash, tree->results[id][i]);
    }
    return mix(hash, tree_number(tree) - 1);
}

/* Is the folder empty, except perhaps for an unfinished mark? False, with errno, if it cannot be read. */
static bool is_empty(const os_folder *folder, bool *answer)
{
    os_list *list = os_list_open_in(folder, ".");
    const os_entry *entry;
    os_about about;
    *answer = true;
    while (list && *answer && (errno = 0, entry = os_list_next(list)))
        *answer = strcmp(entry->name, TREE_UNFINISHED) == 0 && os_folder_about(&about, folder, TREE_UNFINISHED) &&
                  about.size == 0;
    const int why = list && !*answer ? 0 : errno; /* an entry was found, so errors do not matter */
    os_list_close(list);
    errno = why;
    return why == 0;
}

static bool begin(writing *w)
{
    char text[128];
    bool is_new;
    const size_t n = (size_t)snprintf(text, sizeof text, "%zu nodes, %016" PRIx64 ": not all of them are written yet\n",
                                      w->tree->n_nodes, tree_hash(w->tree));
    if (!is_empty(w->folder, &is_new))
        return failure_keep(w->failure, failure_of_errno(errno), "%s: cannot be read: %s", w->name, strerror(errno));
    if (is_new) {
        if (!write_file(w->folder, TREE_UNFINISHED, OS_EMPTY, text, n))
            return failure_keep(w->failure, failure_of_errno(errno), "%s/%s: cannot be written: %s", w->name,
                                TREE_UNFINISHED, strerror(errno));
        return true;
    }
    const bool is_unfinished = walk_is_unfinished(w->folder);
    if (!w->resumes)
        return failure_keep(w->failure, TBY_CANNOT_HOLD,
                            is_unfinished
                                ? "%s: there is an unfinished tree; repeat its command with --resume to complete it"
                                : "%s: the folder is not empty",
                            w->name);
    if (has_file(w->folder, TREE_UNFINISHED, text, n))
        return true;
    if (errno && errno != ENOENT)
        return failure_keep(w->failure, failure_of_errno(errno), "%s/%s: cannot be read: %s", w->name, TREE_UNFINISHED,
                            strerror(errno));
    if (!is_unfinished)
        return failure_keep(w->failure, TBY_NOT_FOUND, "%s: there is nothing to resume: no file \"%s\"", w->name,
                            TREE_UNFINISHED);
    return failure_keep(w->failure, TBY_CANNOT_HOLD, "%s: the folder contains an unfinished tree with other options",
                        w->name);
}

static bool end(writing *w)
{
    if (!os_folder_remove_file(w->folder, TREE_UNFINISHED))
        return failure_keep(w->failure, failure_of_errno(errno), "%s/%s: cannot be removed: %s", w->name,
                            TREE_UNFINISHED, strerror(errno));
    return true;
}

tby_status tby_tree_write(const tby_tree *tree, const char *folder, bool resumes, const tby_tree_work *work,
                          tby_failure *failure)
{
    writing w = {.tree = tree, .name = folder, .resumes = resumes, .failure = failure_clear(failure)};
    if (os_folder_make(folder) || errno == EEXIST)
        w.folder = os_folder_open(folder);
    if (!w.folder) {
        failure_keep(w.failure, failure_of_errno(errno), "%s: cannot be written: %s", folder, strerror(errno));
        return w.failure->status;
    }
    const bool is_written = begin(&w) && write_levels(&w, work) && end(&w);
    os_folder_close(w.folder);
    return failure_answer(w.failure, is_written);
}
