/*
 * temp_file.c - an unnamed file for data that does not fit into memory.
 */
#include "tree/temp_file.h"
#include "os/file.h"
#include "os/temporary.h"

bool temp_file_open(temp_file *f, const char *folder)
{
    atomic_init(&f->end, 0);
    f->file = os_temporary_file(folder);
    return f->file >= 0;
}

bool temp_file_add(temp_file *f, const void *bytes, size_t n, uint64_t *offset)
{
    *offset = atomic_fetch_add(&f->end, n);
    return os_write_at(f->file, bytes, n, *offset);
}

bool temp_file_read(const temp_file *f, void *bytes, size_t n, uint64_t offset)
{
    return os_read_at(f->file, bytes, n, offset);
}

void temp_file_close(temp_file *f)
{
    if (f->file >= 0)
        os_close(f->file);
    f->file = -1;
}
