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
#include "support/buffer.h"
#include "tree/folder_walk.h"
#include "tree/team.h"
#include "tree/temp_file.h"
#include "tree/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP = 16 /* nodes that a thread takes at a time */ };

typedef struct writing {
    const tby_tree *tree;
    const char *name; /* of the folder */
    int folder;
    bool resumes;
    tby_failure *failure;
} writing;

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool write_file(int folder, const char *path, int flags, const char *s, size_t n)
{
    const int file = openat(folder, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    if (file < 0)
        return false;
    if (!write_all(file, s, n, 0)) {
        const int why = errno;
        close(file);
        errno = why;
        return false;
    }
    return close(file) == 0;
}

/* Is there a file with exactly these bytes? If not, errno is 0 or says why it cannot be read. */
static bool has_file(int folder, const char *path, const char *s, size_t n)
{
    char part[1 << 14];
    const int file = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    size_t at = 0;
    ssize_t got;
    if (file < 0)
        return false;
    do {
        got = read(file, part, sizeof part);
        if (got > 0 && ((size_t)got > n - at || memcmp(part, s + at, (size_t)got) != 0))
            break;
        at += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    const int why = got < 0 ? errno : 0;
    close(file);
    errno = why;
    return got == 0 && at == n;
}

/* ---- Nodes --------------------------------------------------------------------------------------------- */

static void folder_write_fail(team *t, const char *path, tby_status status, const char *why)
{
    const writing *w = t->context;
    pthread_mutex_lock(&t->lock);
    failure_keep(t->failure, status, "%s/%s: cannot be written: %s", w->name, path, why);
    pthread_mutex_unlock(&t->lock);
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
    } else if (mkdirat(w->folder, path, 0777) != 0 && !(errno == EEXIST && w->resumes)) {
        folder_write_fail(t, path, failure_of_errno(errno), strerror(errno));
    } else {
        memcpy(path + n, "/" TREE_INFO, sizeof TREE_INFO + 1);
        if (w->resumes && has_file(w->folder, path, text->s, text->n))
            return;
        if (!write_file(w->folder, path, w->resumes ? O_TRUNC : O_EXCL, text->s, text->n))
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
static bool is_empty(int folder, bool *answer)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    const struct dirent *entry;
    struct stat st;
    *answer = true;
    while (list && *answer && (errno = 0, entry = readdir(list)))
        *answer = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                  (strcmp(entry->d_name, TREE_UNFINISHED) == 0 &&
                   fstatat(folder, TREE_UNFINISHED, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size == 0);
    const int why = list && !*answer ? 0 : errno; /* an entry was found, so errors do not matter */
    if (list)
        closedir(list);
    else if (copy >= 0)
        close(copy);
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
        if (!write_file(w->folder, TREE_UNFINISHED, O_TRUNC, text, n))
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
    if (unlinkat(w->folder, TREE_UNFINISHED, 0) != 0)
        return failure_keep(w->failure, failure_of_errno(errno), "%s/%s: cannot be removed: %s", w->name,
                            TREE_UNFINISHED, strerror(errno));
    return true;
}

tby_status tby_tree_write(const tby_tree *tree, const char *folder, bool resumes, const tby_tree_work *work,
                          tby_failure *failure)
{
    writing w = {.tree = tree, .name = folder, .folder = -1, .resumes = resumes, .failure = failure_clear(failure)};
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        w.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (w.folder < 0) {
        failure_keep(w.failure, failure_of_errno(errno), "%s: cannot be written: %s", folder, strerror(errno));
        return w.failure->status;
    }
    const bool is_written = begin(&w) && write_levels(&w, work) && end(&w);
    close(w.folder);
    return failure_answer(w.failure, is_written);
}
