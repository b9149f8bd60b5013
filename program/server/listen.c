/*
 * listen.c - opens a listening socket.
 */
#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

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
        listen(fd, BACKLOG) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
        getsockname(fd, &a.any, &n) != 0) {
        problem_tell(p, PROBLEM_BROKEN, "cannot listen on %s, port %u: %s", s, port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    note_address(out, &a, s);
    return fd;
}
