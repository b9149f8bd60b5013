/*
 * shared.c - what needs no call of its own on any system.
 */
#include "os/folder.h"
#include "os/replace.h"
#include "os/socket.h"

#include <errno.h>
#include <string.h>

bool os_is_folders_fault(int error) { return error == EACCES || error == EPERM || error == EROFS; }

void os_folder_remove_with_files(const char *path)
{
    os_folder *folder = os_folder_open(path);
    os_list *list = folder ? os_list_open_in(folder, ".") : NULL;
    for (const os_entry *entry; list && (entry = os_list_next(list)) != NULL;)
        os_folder_remove_file(folder, entry->name);
    os_list_close(list);
    os_folder_close(folder);
    os_folder_remove(path);
}

bool os_address_is_loopback(const os_address *a)
{
    static const unsigned char loopback[16] = {[15] = 1};
    return a->is_v6 ? memcmp(a->bytes, loopback, sizeof loopback) == 0 : a->bytes[0] == 127;
}
