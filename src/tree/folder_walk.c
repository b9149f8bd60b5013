/*
 * folder_walk.c - reads the folders of a tree, whatever they contain.
 */
#include "tree/folder_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int walk_open(const char *name, tby_failure *f)
{
    const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        failure_keep(f, failure_of_errno(errno), "%s: cannot be read: %s", name, strerror(errno));
    return folder;
}

bool walk_is_unfinished(int folder) { return faccessat(folder, TREE_UNFINISHED, F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

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
        const ssize_t got = read(file, out->s + out->n, out->cap - out->n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return folder_walk_fail(f);
        out->n += (size_t)got;
        if (got == 0)
            return true;
        if (out->n == out->cap)
            return failure_keep(f, TBY_IO_ERROR, "changes while it is being read");
    }
}

bool walk_read(buffer *out, int folder, const char *path, tby_failure *f)
{
    struct stat st;
    bool is_read;
    const int file = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ELOOP    ? failure_keep(f, TBY_INVALID_TREE, "a symbolic link")
               : errno == ENOENT ? failure_keep(f, TBY_INVALID_TREE, "is missing")
                                 : folder_walk_fail(f);
    if (fstat(file, &st) != 0)
        is_read = folder_walk_fail(f);
    else if (!S_ISREG(st.st_mode))
        is_read = failure_keep(f, TBY_INVALID_TREE, "no file");
    else if (st.st_size > WALK_TEXT_MAX)
        is_read = failure_keep(f, TBY_INVALID_TREE, "larger than %d bytes", WALK_TEXT_MAX);
    else
        is_read = read_all(out, file, (size_t)st.st_size, f);
    close(file);
    return is_read;
}

/* ---- Folders ------------------------------------------------------------------------------------------- */

/* DT_UNKNOWN if the file system does not report the type with the name. */
static unsigned char type_of(DIR *list, const struct dirent *entry)
{
    struct stat st;
    if (entry->d_type != DT_UNKNOWN || fstatat(dirfd(list), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return entry->d_type;
    return S_ISDIR(st.st_mode) ? DT_DIR : S_ISLNK(st.st_mode) ? DT_LNK : DT_REG;
}

static int compare_ids(const void *a, const void *b)
{
    const tby_tree_id x = *(const tby_tree_id *)a, y = *(const tby_tree_id *)b;
    return (x > y) - (x < y);
}

static bool take_entry(walk_list *out, DIR *list, const struct dirent *entry, walk_stranger on_stranger, void *context)
{
    const char *name = entry->d_name;
    const unsigned char type = type_of(list, entry);
    tby_tree_id id;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, TREE_INFO) == 0)
        return true;
    if (type == DT_DIR && node_number_read(&id, name, strlen(name)))
        return array_add(&out->ids, &out->n, &out->cap, &id, sizeof id, NULL);
    if (on_stranger)
        on_stranger(context, name,
                    type == DT_LNK ? "a symbolic link, which is not followed" : "does not belong to a node");
    return true;
}

bool walk_list_folder(walk_list *out, int folder, const char *path, walk_stranger on_stranger, void *context,
                      tby_failure *f)
{
    const int file = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = file < 0 ? NULL : fdopendir(file);
    const struct dirent *entry;
    out->n = 0;
    if (!list) {
        folder_walk_fail(f);
        if (file >= 0)
            close(file);
        return false;
    }
    bool is_good = true;
    while (is_good && (errno = 0, entry = readdir(list)))
        is_good = take_entry(out, list, entry, on_stranger, context) || failure_no_memory(f);
    if (is_good && errno)
        is_good = folder_walk_fail(f);
    closedir(list);
    if (out->n > 0)
        qsort(out->ids, out->n, sizeof *out->ids, compare_ids);
    return is_good;
}
