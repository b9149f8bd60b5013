/*
 * wait.h - waiting until sockets are ready.
 */
#ifndef TBY_OS_WAIT_H
#define TBY_OS_WAIT_H

#include <stddef.h>
#include <stdint.h>

/* As the system calls it: libraries such as libpq hand theirs out as an int. */
#ifdef _WIN32
typedef intptr_t os_socket;
#else
typedef int os_socket;
#endif
enum { OS_NO_SOCKET = -1 };

/* Laid out as the system wants it. */
typedef struct os_waiting {
    os_socket socket; /* OS_NO_SOCKET: this entry is left out */
    short wanted, ready;
} os_waiting;

#ifdef _WIN32
enum { OS_READABLE = 0x0300, OS_WRITABLE = 0x0010, OS_FAILED = 0x0001 | 0x0004, OS_HUNG_UP = 0x0002 };
#else
#include <poll.h>
enum { OS_READABLE = POLLIN, OS_WRITABLE = POLLOUT, OS_FAILED = POLLERR | POLLNVAL, OS_HUNG_UP = POLLHUP };
#endif

/* Returns how many are ready: 0 after that time, or if it was interrupted; -1 on failure. */
int os_wait(os_waiting *list, size_t n, int milliseconds);
/* For bytes to read. */
int os_wait_for_bytes(os_socket socket, int milliseconds);

#endif
