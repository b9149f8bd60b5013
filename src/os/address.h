/*
 * address.h - for the socket files of this folder alone, after the headers of the system: addresses as it has them.
 */
#ifndef TBY_OS_ADDRESS_H
#define TBY_OS_ADDRESS_H

#include "os/socket.h"

#include <string.h>

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

static inline socklen_t to_system(address *out, const os_address *a)
{
    memset(out, 0, sizeof *out);
    if (a->is_v6) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons((uint16_t)a->port);
        memcpy(&out->v6.sin6_addr, a->bytes, 16);
        return sizeof out->v6;
    }
    out->v4.sin_family = AF_INET;
    out->v4.sin_port = htons((uint16_t)a->port);
    memcpy(&out->v4.sin_addr, a->bytes, 4);
    return sizeof out->v4;
}

static inline bool from_system(os_address *out, const address *a)
{
    if (a->any.sa_family != AF_INET && a->any.sa_family != AF_INET6)
        return false;
    *out = (os_address){.is_v6 = a->any.sa_family == AF_INET6};
    out->port = ntohs(out->is_v6 ? a->v6.sin6_port : a->v4.sin_port);
    if (out->is_v6)
        memcpy(out->bytes, &a->v6.sin6_addr, 16);
    else
        memcpy(out->bytes, &a->v4.sin_addr, 4);
    return true;
}

#endif
