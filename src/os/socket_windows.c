/*
 * socket_windows.c - sockets of Windows.
 */
#include <winsock2.h>
#include <ws2tcpip.h>

#include "os/address.h"
#include "os/threads.h"
#include "os/windows.h"

#include <errno.h>

enum { BACKLOG = 1024 };

/* ---- Errors --------------------------------------------------------------------------------------------- */

static _Thread_local int last_error; /* of Windows */

/* What the callers tell apart; the text is made from the system's own number. */
static void note_error(void)
{
    last_error = WSAGetLastError();
    errno = last_error == WSAEWOULDBLOCK || last_error == WSAEINTR || last_error == WSAECONNABORTED ? EAGAIN
            : last_error == WSAECONNRESET                                                           ? ECONNRESET
            : last_error == WSAEMFILE || last_error == WSAENOBUFS                                   ? EMFILE
                                                                                                    : EIO;
}

const char *os_socket_error(void)
{
    return last_error == WSAEADDRINUSE       ? "Address already in use"
           : last_error == WSAEADDRNOTAVAIL  ? "Cannot assign requested address"
           : last_error == WSAEACCES         ? "Permission denied"
           : last_error == WSAEAFNOSUPPORT   ? "Address family not supported by protocol"
           : last_error == WSAEMFILE         ? "Too many open files"
           : last_error == WSANOTINITIALISED ? "the network cannot be used"
                                             : "the network failed";
}

static bool is_ready;

static void start_up(void)
{
    WSADATA data;
    is_ready = WSAStartup(MAKEWORD(2, 2), &data) == 0;
}

static bool begin(void)
{
    static os_once once = OS_ONCE_INIT;
    os_once_call(&once, start_up);
    if (!is_ready)
        last_error = WSANOTINITIALISED;
    return is_ready;
}

/* ---- Addresses ------------------------------------------------------------------------------------------ */

bool os_address_read(os_address *out, const char *s)
{
    os_address a = {.is_v6 = false};
    if (!begin())
        return false;
    if (inet_pton(AF_INET, s, a.bytes) != 1) {
        a.is_v6 = true;
        if (inet_pton(AF_INET6, s, a.bytes) != 1)
            return false;
    }
    *out = a;
    return true;
}

bool os_address_write(char out[OS_ADDRESS_SIZE], const os_address *a)
{
    return begin() && inet_ntop(a->is_v6 ? AF_INET6 : AF_INET, a->bytes, out, OS_ADDRESS_SIZE) != NULL;
}

/* ---- Sockets -------------------------------------------------------------------------------------------- */

static SOCKET system_of(os_socket socket) { return (SOCKET)socket; }

static bool prepare(SOCKET s)
{
    u_long yes = 1;
    SetHandleInformation((HANDLE)s, HANDLE_FLAG_INHERIT, 0);
    return ioctlsocket(s, (long)FIONBIO, &yes) == 0;
}

static bool own_address(os_address *out, SOCKET s)
{
    address own;
    int n = sizeof own;
    memset(&own, 0, sizeof own);
    return getsockname(s, &own.any, &n) == 0 && from_system(out, &own);
}

/* Nobody else may listen on the same port, which SO_REUSEADDR would allow here. */
os_socket os_listen(os_address *a)
{
    address own;
    const int size = to_system(&own, a);
    const SOCKET s = begin() ? socket(own.any.sa_family, SOCK_STREAM, IPPROTO_TCP) : INVALID_SOCKET;
    const char yes[sizeof(BOOL)] = {1};
    if (s == INVALID_SOCKET) {
        if (is_ready)
            note_error();
        return OS_NO_SOCKET;
    }
    if (setsockopt(s, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, yes, sizeof yes) == 0 && bind(s, &own.any, size) == 0 &&
        listen(s, BACKLOG) == 0 && prepare(s) && own_address(a, s))
        return (os_socket)s;
    note_error();
    closesocket(s);
    return OS_NO_SOCKET;
}

/* There are no such parents. */
os_socket os_listen_on_passed(os_address *a)
{
    (void)a;
    return OS_NO_SOCKET;
}

os_socket os_accept(os_socket listener)
{
    const char yes[sizeof(BOOL)] = {1};
    const SOCKET s = accept(system_of(listener), NULL, NULL);
    if (s == INVALID_SOCKET) {
        note_error();
        return OS_NO_SOCKET;
    }
    if (!prepare(s)) {
        closesocket(s);
        errno = EAGAIN;
        return OS_NO_SOCKET;
    }
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, yes, sizeof yes);
    return (os_socket)s;
}

bool os_peer(os_address *out, os_socket socket)
{
    address peer;
    int n = sizeof peer;
    memset(&peer, 0, sizeof peer);
    return getpeername(system_of(socket), &peer.any, &n) == 0 && from_system(out, &peer);
}

static int shorter(size_t n) { return n < 1 << 30 ? (int)n : 1 << 30; }

static ptrdiff_t receive(os_socket socket, void *to, size_t n, int flags)
{
    const int got = recv(system_of(socket), to, shorter(n), flags);
    if (got < 0)
        note_error();
    return got;
}

ptrdiff_t os_receive(os_socket socket, void *to, size_t n) { return receive(socket, to, n, 0); }
ptrdiff_t os_peek(os_socket socket, void *to, size_t n) { return receive(socket, to, n, MSG_PEEK); }

ptrdiff_t os_send(os_socket socket, const void *bytes, size_t n)
{
    const int sent = send(system_of(socket), bytes, shorter(n), 0);
    if (sent < 0)
        note_error();
    return sent;
}

void os_send_no_more(os_socket socket) { shutdown(system_of(socket), SD_SEND); }
void os_socket_close(os_socket socket) { closesocket(system_of(socket)); }

/* Sockets are limited by memory alone. */
unsigned os_descriptors(unsigned wanted) { return wanted; }

/* ---- Waking --------------------------------------------------------------------------------------------- */

/* Two sockets of this machine, because the system waits for nothing else together with sockets. */
bool os_wake_open(os_socket wake[2])
{
    os_address a = {.bytes = {127, 0, 0, 1}}, own, peer;
    address to;
    const os_socket listener = os_listen(&a);
    if (listener == OS_NO_SOCKET)
        return false;
    const int size = to_system(&to, &a);
    const SOCKET writer = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    const bool is_connected = writer != INVALID_SOCKET && connect(writer, &to.any, size) == 0;
    SOCKET reader = INVALID_SOCKET;
    if (is_connected && os_wait_for_bytes(listener, 5000) > 0)
        reader = accept(system_of(listener), NULL, NULL);
    /* Another program of this machine may have been faster. */
    const bool is_ours = reader != INVALID_SOCKET && own_address(&own, writer) && os_peer(&peer, (os_socket)reader) &&
                         own.port == peer.port && prepare(reader) && prepare(writer);
    if (!is_ours)
        note_error();
    os_socket_close(listener);
    if (!is_ours && reader != INVALID_SOCKET)
        closesocket(reader);
    if (!is_ours && writer != INVALID_SOCKET)
        closesocket(writer);
    if (is_ours) {
        wake[0] = (os_socket)reader;
        wake[1] = (os_socket)writer;
    }
    return is_ours;
}

void os_wake(os_socket socket) { send(system_of(socket), "", 1, 0); }

void os_wake_clear(os_socket socket)
{
    char bytes[64];
    while (recv(system_of(socket), bytes, sizeof bytes, 0) > 0)
        ;
}
