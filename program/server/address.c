/*
 * address.c - addresses: who sends a request, and where the server listens.
 */
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

/* ---- Clients ---------------------------------------------------------------------------------------------------- */

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff}; /* the prefix of IPv4 addresses */

static bool is_v4(const client *c) { return memcmp(c->address, mapped, sizeof mapped) == 0; }

client client_of_socket(int fd)
{
    address peer;
    socklen_t n = sizeof peer;
    client c = {{0}};
    memset(&peer, 0, sizeof peer);
    if (getpeername(fd, &peer.any, &n) != 0)
        return c;
    if (peer.any.sa_family == AF_INET6)
        memcpy(c.address, &peer.v6.sin6_addr, sizeof c.address);
    if (peer.any.sa_family == AF_INET) {
        memcpy(c.address, mapped, sizeof mapped);
        memcpy(c.address + sizeof mapped, &peer.v4.sin_addr, sizeof peer.v4.sin_addr);
    }
    return c;
}

bool client_read_forwarded(client *out, const char *value)
{
    const char *comma = strrchr(value, ',');
    client c;
    value = comma ? comma + 1 : value;
    value += strspn(value, " \t");
    memcpy(c.address, mapped, sizeof mapped);
    if (inet_pton(AF_INET, value, c.address + sizeof mapped) != 1 && inet_pton(AF_INET6, value, c.address) != 1)
        return false;
    *out = c;
    return true;
}

bool client_is_same(const client *a, const client *b)
{
    enum { NETWORK_BYTES = 8 };
    return memcmp(a->address, b->address, is_v4(a) ? sizeof a->address : NETWORK_BYTES) == 0;
}

void client_write(char out[CLIENT_SIZE], const client *c)
{
    const bool is_short = is_v4(c);
    if (!inet_ntop(is_short ? AF_INET : AF_INET6, c->address + (is_short ? sizeof mapped : 0), out, CLIENT_SIZE))
        strcpy(out, "-");
}

/* ---- Listening -------------------------------------------------------------------------------------------------- */

/* 0 if it is not a port. */
static socklen_t read_address(address *out, const char *s, unsigned port)
{
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, s, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons((uint16_t)port);
        return sizeof out->v4;
    }
    if (inet_pton(AF_INET6, s, &out->v6.sin6_addr) == 1) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons((uint16_t)port);
        return sizeof out->v6;
    }
    return 0;
}

static bool is_loopback(const address *a)
{
    if (a->any.sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
    return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
}

/* As requested, with the actual port. */
static void note_address(listening *out, const address *a, const char *s)
{
    const bool is_v6 = a->any.sa_family == AF_INET6;
    const unsigned port = ntohs(is_v6 ? a->v6.sin6_port : a->v4.sin_port);
    snprintf(out->url, sizeof out->url, is_v6 ? "http://[%s]:%u/" : "http://%s:%u/", s, port);
    out->is_open = !is_loopback(a);
}

bool descriptor_prepare(int fd) { return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

/* How many descriptors were passed to this process: 0 if they are another one's. */
static uint64_t count_passed(void)
{
    const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");
    uint64_t process, count = 0;
    if (!pid || !n || !digits_read(&process, pid, INT32_MAX) || process != (uint64_t)getpid() ||
        !digits_read(&count, n, INT32_MAX))
        return 0;
    return count;
}

int listen_on_passed(listening *out, bool *is_passed, problem *p)
{
    enum { FIRST_PASSED = 3 };
    address a;
    socklen_t n = sizeof a, size = sizeof(int);
    int type = 0, listens = 0;
    char shown[INET6_ADDRSTRLEN];
    const uint64_t count = count_passed();
    *is_passed = count > 0;
    if (count == 0)
        return -1;
    memset(&a, 0, sizeof a);
    if (count > 1 || getsockname(FIRST_PASSED, &a.any, &n) != 0 ||
        (a.any.sa_family != AF_INET && a.any.sa_family != AF_INET6) ||
        getsockopt(FIRST_PASSED, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM ||
        getsockopt(FIRST_PASSED, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens ||
        !descriptor_prepare(FIRST_PASSED)) {
        problem_tell(p, PROBLEM_ASKED, "LISTEN_FDS must pass one TCP socket that listens");
        return -1;
    }
    const bool is_v6 = a.any.sa_family == AF_INET6;
    inet_ntop(a.any.sa_family, is_v6 ? (const void *)&a.v6.sin6_addr : (const void *)&a.v4.sin_addr, shown,
              sizeof shown);
    note_address(out, &a, shown);
    return FIRST_PASSED;
}

int listen_on(listening *out, const char *s, unsigned port, problem *p)
{
    address a;
    const socklen_t size = read_address(&a, s, port);
    socklen_t n = sizeof a;
    if (size == 0) {
        problem_tell(p, PROBLEM_ASKED, "--bind must be an address in numbers such as 127.0.0.1 or ::1, not \"%s\"", s);
        return -1;
    }
    const int one = 1, fd = socket(a.any.sa_family, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 || bind(fd, &a.any, size) != 0 ||
        listen(fd, BACKLOG) != 0 || !descriptor_prepare(fd) || getsockname(fd, &a.any, &n) != 0) {
        problem_tell(p, PROBLEM_BROKEN, "cannot listen on %s, port %u: %s", s, port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    note_address(out, &a, s);
    return fd;
}
