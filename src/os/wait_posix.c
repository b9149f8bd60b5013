/*
 * wait_posix.c - waiting with poll.
 */
#include "os/wait.h"

#include <errno.h>

_Static_assert(sizeof(os_waiting) == sizeof(struct pollfd) &&
                   offsetof(os_waiting, wanted) == offsetof(struct pollfd, events) &&
                   offsetof(os_waiting, ready) == offsetof(struct pollfd, revents),
               "os_waiting is a pollfd");

int os_wait(os_waiting *list, size_t n, int milliseconds)
{
    const int ready = poll((struct pollfd *)(void *)list, (nfds_t)n, milliseconds);
    if (ready >= 0 || errno != EINTR)
        return ready;
    for (size_t i = 0; i < n; i++)
        list[i].ready = 0;
    return 0;
}

int os_wait_for_bytes(os_socket socket, int milliseconds)
{
    os_waiting one = {.socket = socket, .wanted = OS_READABLE};
    return os_wait(&one, 1, milliseconds);
}
