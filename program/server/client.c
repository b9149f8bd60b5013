/*
 * client.c - who sends a request.
 */
#include "client.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff}; /* the prefix of IPv4 addresses */

static bool is_v4(const client *c) { return memcmp(c->address, mapped, sizeof mapped) == 0; }

client client_of_socket(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } peer;
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
