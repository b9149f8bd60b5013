/*
 * socket.h - TCP: addresses, listening, and connections that never block.
 *
 * What would block fails with errno EAGAIN; see wait.h for waiting.
 */
#ifndef TBY_OS_SOCKET_H
#define TBY_OS_SOCKET_H

#include "os/wait.h"

#include <stdbool.h>

/* ---- Addresses ------------------------------------------------------------------------------------------ */

typedef struct os_address {
    bool is_v6;
    unsigned char bytes[16]; /* 4 of them, unless it is IPv6; the high one first */
    unsigned port;
} os_address;

enum { OS_ADDRESS_SIZE = 46 };

/* Reads an address in numbers, without a port. */
bool os_address_read(os_address *out, const char *s);
/* Without the port. */
bool os_address_write(char out[OS_ADDRESS_SIZE], const os_address *a);
/* Can only this machine reach it? */
bool os_address_is_loopback(const os_address *a);

/* ---- Sockets -------------------------------------------------------------------------------------------- */

/* Port 0 becomes the one that the system has chosen. OS_NO_SOCKET on failure. */
os_socket os_listen(os_address *a);
/* The socket that the parent passes as descriptor 3; OS_NO_SOCKET if that is no TCP socket that listens. */
os_socket os_listen_on_passed(os_address *a);
/* EAGAIN if nobody is waiting. */
os_socket os_accept(os_socket listener);
bool os_peer(os_address *out, os_socket socket);
/* How many bytes; 0 at the end, -1 on failure. */
ptrdiff_t os_receive(os_socket socket, void *to, size_t n);
/* The same, but the bytes stay. */
ptrdiff_t os_peek(os_socket socket, void *to, size_t n);
ptrdiff_t os_send(os_socket socket, const void *bytes, size_t n);
/* Nothing more will be sent. */
void os_send_no_more(os_socket socket);
void os_socket_close(os_socket socket);
/* The text for errno after one of these calls. */
const char *os_socket_error(void);

/* How many descriptors the process may have, after asking for `wanted`. */
unsigned os_descriptors(unsigned wanted);

/* ---- Waking --------------------------------------------------------------------------------------------- */

/* Two connected sockets: a byte to [1], by any thread or signal handler, ends waiting for [0]. */
bool os_wake_open(os_socket wake[2]);
void os_wake(os_socket socket);
/* Takes all bytes that have come. */
void os_wake_clear(os_socket socket);

#endif
