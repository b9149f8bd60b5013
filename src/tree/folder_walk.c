/*
 * folder_walk.c - reads the folders of a tree, whatever they contain.
 */
#include "tree/folder_walk.h"

#include <errno.h>
#include <string.h>

os_folder *walk_open(const char *name, tby_failure *f)
{
    os_folder *folder = os_folder_open(name);
    if (!folder)
        failure_keep(f, failure_of_errno(errno), "%s: cannot be read: %s", name, strerror(errno));
    return folder;
}

bool walk_is_unfinished(const os_folder *folder) { return os_folder_has(folder, TREE_UNFINISHED); }

/* Sets the failure from errno. */
static bool folder_walk_fail(tby_failure *f)
{
    return failure_keep(f, failure_of_errno(errno), "cannot be read: %s", strerror(errno));
}

bool walk_fail_at(tby_failure *f, const char *name, const char *path, const tby_failure *why)
{
    return why->status == TBY_NO_MEMORY ? failure_no_memory(f)
                                        : failure_keep(f, why->status, "%.200s/%.200s: %.100s", name, path, why->text);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool read_all(buffer *out, int file, size_t size, tby_failure *f)
{
    buffer_clear(out);
    if (!buffer_reserve(out, size + 1))
        return failure_no_memory(f);
    for (;;) {
        const ptrdiff_t got = os_read(file, out->s + out->n, out->cap - out->n);
        if (got < 0)
            return folder_walk_fail(f);
        out->n += (size_t)got;
        if (got == 0)
            return true;
        if (out->n == out->cap)
            return failure_keep(f, TBY_IO_ERROR, "changes while it is being read");
    }
}

bool walk_read(buffer *out, const os_folder *folder, const char *path, tby_failure *f)
{
    os_about about;
    bool is_read;
    const int file = os_folder_open_file(folder, path, OS_READ | OS_NO_LINK | OS_NO_WAIT);
    if (file < 0)
        return errno == ELOOP    ? failure_keep(f, TBY_INVALID_TREE, "a symbolic link")
               : errno == ENOENT ? failure_keep(f, TBY_INVALID_TREE, "is missing")
                                 : folder_walk_fail(f);
    if (!os_about_open(&about, file))
        is_read = folder_walk_fail(f);
    else if (about.kind != OS_FILE)
        is_read = failure_keep(f, TBY_INVALID_TREE, "no file");
    else if (about.size > WALK_TEXT_MAX)
        is_read = failure_keep(f, TBY_INVALID_TREE, "larger than %d bytes", WALK_TEXT_MAX);
    else
        is_read = read_all(out, file, (size_t)about.size, f);
    os_close(file);
    return is_read;
}

/* ---- Folders ------------------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
    const tby_tree_id x = *(const tby_tree_id *)a, y = *(const tby_tree_id *)b;
    return (x > y) - (x < y);
}

static bool take_entry(walk_list *out, const os_entry *entry, walk_stranger on_stranger, void *context)
{
    const char *name = entry->name;
    tby_tree_id id;
    if (strcmp(name, TREE_INFO) == 0)
        return true;
    if (entry->kind == OS_FOLDER && node_number_read(&id, name, strlen(name)))
        return array_add(&out->ids, &out->n, &out->cap, &id, sizeof id, NULL);
    if (on_stranger)
        on_stranger(context, name,
                    entry->kind == OS_LINK ? "a symbolic link, which is not followed" : "does not belong to a node");
    return true;
}

bool walk_list_folder(walk_list *out, const os_folder *folder, const char *path, walk_stranger on_stranger,
                      void *context, tby_failure *f)
{
    os_list *list = os_list_open_in(folder, path);
    const os_entry *entry;
    out->n = 0;
    if (!list)
        return folder_walk_fail(f);
    bool is_good = true;
    while (is_good && (errno = 0, entry = os_list_next(list)))
        is_good = take_entry(out, entry, on_stranger, context) || failure_no_memory(f);
    if (is_good && errno)
        is_good = folder_walk_fail(f);
    os_list_close(list);
    if (out->n > 0)
        qsort(out->ids, out->n, sizeof *out->ids, compare_ids);
    return is_good;
}
