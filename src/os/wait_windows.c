/*
 * wait_windows.c - waiting with WSAPoll.
 */
#include <winsock2.h>

#include "os/wait.h"
#include "os/windows.h"

#include <errno.h>

_Static_assert(sizeof(os_waiting) == sizeof(WSAPOLLFD) && offsetof(os_waiting, wanted) == offsetof(WSAPOLLFD, events) &&
                   offsetof(os_waiting, ready) == offsetof(WSAPOLLFD, revents) && OS_READABLE == POLLIN &&
                   OS_WRITABLE == POLLOUT && OS_FAILED == (POLLERR | POLLNVAL) && OS_HUNG_UP == POLLHUP,
               "os_waiting is a WSAPOLLFD");

/* The system's call refuses a list in which no entry is wanted. */
int os_wait(os_waiting *list, size_t n, int milliseconds)
{
    size_t n_wanted = 0;
    for (size_t i = 0; i < n; i++) {
        list[i].ready = 0;
        n_wanted += list[i].socket != OS_NO_SOCKET && list[i].wanted != 0;
    }
    if (n_wanted == 0) {
        Sleep(milliseconds < 0 ? INFINITE : (DWORD)milliseconds);
        return 0;
    }
    const int ready = WSAPoll((WSAPOLLFD *)(void *)list, (ULONG)n, milliseconds);
    if (ready < 0)
        errno = EINVAL;
    for (size_t i = 0; i < n; i++)
        if (list[i].socket == OS_NO_SOCKET || list[i].wanted == 0)
            list[i].ready = 0;
    return ready;
}

int os_wait_for_bytes(os_socket socket, int milliseconds)
{
    os_waiting one = {.socket = socket, .wanted = OS_READABLE};
    return os_wait(&one, 1, milliseconds);
}
