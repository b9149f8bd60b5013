/*
 * folder_walk.c - reads the folders of a tree, whatever is in them.
 */
#include "tree/folder_walk.h"
#include "game/array.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int walk_open(const char *name, char error[TBY_TREE_ERROR_SIZE])
{
    const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        tree_fail(error, "%s: cannot be read: %s", name, strerror(errno));
    return folder;
}

bool walk_is_unfinished(int folder) { return faccessat(folder, TREE_UNFINISHED, F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

/* A sentence, and whose fault it is. */
static walk_status tell(walk_status status, char error[TBY_TREE_ERROR_SIZE], const char *text)
{
    tree_fail(error, "%s", text);
    return status;
}

/* By errno. */
static walk_status tell_failure(char error[TBY_TREE_ERROR_SIZE])
{
    if (errno == ENOMEM)
        return tell(WALK_FAILED, error, TREE_NO_MEMORY);
    tree_fail(error, "cannot be read: %s", strerror(errno));
    return WALK_FAILED;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static walk_status read_all(walk_text *out, int file, size_t size, char error[TBY_TREE_ERROR_SIZE])
{
    if (!array_reserve(&out->s, &out->cap, size + 1, 1, NULL))
        return tell(WALK_FAILED, error, TREE_NO_MEMORY);
    out->n = 0;
    for (;;) {
        const ssize_t got = read(file, out->s + out->n, out->cap - out->n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tell_failure(error);
        out->n += (size_t)got;
        if (got == 0)
            return WALK_DONE;
        if (out->n == out->cap)
            return tell(WALK_FAILED, error, "grows while it is read");
    }
}

walk_status walk_read(walk_text *out, int folder, const char *path, char error[TBY_TREE_ERROR_SIZE])
{
    struct stat st;
    walk_status status;
    const int file = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ELOOP    ? tell(WALK_FAULT, error, "a symbolic link")
               : errno == ENOENT ? tell(WALK_FAULT, error, "is missing")
                                 : tell_failure(error);
    if (fstat(file, &st) != 0)
        status = tell_failure(error);
    else if (!S_ISREG(st.st_mode))
        status = tell(WALK_FAULT, error, "no file");
    else if (st.st_size > WALK_TEXT_MAX) {
        tree_fail(error, "larger than %d bytes", WALK_TEXT_MAX);
        status = WALK_FAULT;
    } else
        status = read_all(out, file, (size_t)st.st_size, error);
    close(file);
    return status;
}

/* ---- Folders ------------------------------------------------------------------------------------------- */

static bool read_id(tby_tree_id *out, const char *name)
{
    uint64_t value = 0;
    if (name[0] == '\0' || (name[0] == '0' && name[1]))
        return false;
    for (; *name; name++) {
        if (*name < '0' || *name > '9')
            return false;
        value = 10 * value + (uint64_t)(*name - '0');
        if (value >= TBY_TREE_NONE)
            return false;
    }
    *out = (tby_tree_id)value;
    return true;
}

/* DT_UNKNOWN where the file system does not give it with the name. */
static unsigned char type_of(DIR *list, const struct dirent *entry)
{
    struct stat st;
    if (entry->d_type != DT_UNKNOWN || fstatat(dirfd(list), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return entry->d_type;
    return S_ISDIR(st.st_mode) ? DT_DIR : S_ISLNK(st.st_mode) ? DT_LNK : DT_REG;
}

static bool add_id(walk_list *out, tby_tree_id id)
{
    if (!array_reserve(&out->ids, &out->cap, out->n + 1, sizeof *out->ids, NULL))
        return false;
    out->ids[out->n++] = id;
    return true;
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
    if (type == DT_DIR && read_id(&id, name))
        return add_id(out, id);
    if (on_stranger)
        on_stranger(context, name, type == DT_LNK ? "a symbolic link, which is not followed" : "belongs to no node");
    return true;
}

walk_status walk_list_folder(walk_list *out, int folder, const char *path, walk_stranger on_stranger, void *context,
                             char error[TBY_TREE_ERROR_SIZE])
{
    const int file = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = file < 0 ? NULL : fdopendir(file);
    const struct dirent *entry;
    out->n = 0;
    if (!list) {
        const walk_status status = tell_failure(error);
        if (file >= 0)
            close(file);
        return status;
    }
    walk_status status = WALK_DONE;
    while (status == WALK_DONE && (errno = 0, entry = readdir(list)))
        if (!take_entry(out, list, entry, on_stranger, context))
            status = tell(WALK_FAILED, error, TREE_NO_MEMORY);
    if (status == WALK_DONE && errno)
        status = tell_failure(error);
    closedir(list);
    if (out->n > 0)
        qsort(out->ids, out->n, sizeof *out->ids, compare_ids);
    return status;
}
