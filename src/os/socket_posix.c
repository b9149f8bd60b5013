/*
 * socket_posix.c - sockets of POSIX.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/address.h"

enum { BACKLOG = 1024 };

#ifndef MSG_NOSIGNAL /* macOS has a socket option instead; see prepare */
#define MSG_NOSIGNAL 0
#endif

/* ---- Addresses ------------------------------------------------------------------------------------------ */

bool os_address_read(os_address *out, const char *s)
{
    os_address a = {.is_v6 = false};
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
    return inet_ntop(a->is_v6 ? AF_INET6 : AF_INET, a->bytes, out, OS_ADDRESS_SIZE) != NULL;
}

/* ---- Sockets -------------------------------------------------------------------------------------------- */

static bool prepare(int socket)
{
#ifdef SO_NOSIGPIPE
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &(const int){1}, sizeof(int));
#endif
    return fcntl(socket, F_SETFL, O_NONBLOCK) == 0 && fcntl(socket, F_SETFD, FD_CLOEXEC) == 0;
}

static bool own_address(os_address *out, int socket)
{
    address own;
    socklen_t n = sizeof own;
    memset(&own, 0, sizeof own);
    return getsockname(socket, &own.any, &n) == 0 && from_system(out, &own);
}

os_socket os_listen(os_address *a)
{
    address own;
    const socklen_t size = to_system(&own, a);
    const int one = 1, file = socket(own.any.sa_family, SOCK_STREAM, 0);
    if (file < 0)
        return OS_NO_SOCKET;
    if (setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 && bind(file, &own.any, size) == 0 &&
        listen(file, BACKLOG) == 0 && prepare(file) && own_address(a, file))
        return file;
    const int error = errno;
    close(file);
    errno = error;
    return OS_NO_SOCKET;
}

os_socket os_listen_on_passed(os_address *a)
{
    enum { FIRST_PASSED = 3 };
    socklen_t size = sizeof(int);
    int type = 0, listens = 0;
    const bool is_good = own_address(a, FIRST_PASSED) &&
                         getsockopt(FIRST_PASSED, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
                         getsockopt(FIRST_PASSED, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens &&
                         prepare(FIRST_PASSED);
    return is_good ? FIRST_PASSED : OS_NO_SOCKET;
}

/* What the system lacks for a moment looks like nobody waiting: the caller tries again. */
os_socket os_accept(os_socket listener)
{
    const int file = accept(listener, NULL, NULL);
    if (file < 0) {
        if (errno == EINTR || errno == ECONNABORTED)
            errno = EAGAIN;
        return OS_NO_SOCKET;
    }
    if (!prepare(file)) {
        close(file);
        errno = EAGAIN;
        return OS_NO_SOCKET;
    }
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(const int){1}, sizeof(int));
    return file;
}

bool os_peer(os_address *out, os_socket socket)
{
    address peer;
    socklen_t n = sizeof peer;
    memset(&peer, 0, sizeof peer);
    return getpeername(socket, &peer.any, &n) == 0 && from_system(out, &peer);
}

static ptrdiff_t receive(os_socket socket, void *to, size_t n, int flags)
{
    const ssize_t got = recv(socket, to, n, flags | MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EWOULDBLOCK))
        errno = EAGAIN;
    return got;
}

ptrdiff_t os_receive(os_socket socket, void *to, size_t n) { return receive(socket, to, n, 0); }
ptrdiff_t os_peek(os_socket socket, void *to, size_t n) { return receive(socket, to, n, MSG_PEEK); }

ptrdiff_t os_send(os_socket socket, const void *bytes, size_t n)
{
    ssize_t sent;
    do
        sent = send(socket, bytes, n, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

void os_send_no_more(os_socket socket) { shutdown(socket, SHUT_WR); }
void os_socket_close(os_socket socket) { close(socket); }
const char *os_socket_error(void) { return strerror(errno); }

unsigned os_descriptors(unsigned wanted)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return wanted;
    if (files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    return files.rlim_cur >= wanted ? wanted : (unsigned)files.rlim_cur;
}

/* ---- Waking --------------------------------------------------------------------------------------------- */

/* A pipe. */
bool os_wake_open(os_socket wake[2]) { return pipe(wake) == 0 && prepare(wake[0]) && prepare(wake[1]); }

void os_wake(os_socket socket) { (void)!write(socket, "", 1); }

void os_wake_clear(os_socket socket)
{
    char bytes[64];
    while (read(socket, bytes, sizeof bytes) > 0)
        ;
}
